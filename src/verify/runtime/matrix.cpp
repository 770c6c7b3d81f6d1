// Matrix operations: layouts and arithmetic. matrix.h states the arithmetic.
//
// Layouts of mfma, M x N x K with a number of blocks (products side by side). A lane holds n
// successive k of a row of A (a column of B), n = M * K * blocks / 64:
//   A[block][i][k]: element k % n of lane i + M * (k / n + K / n * block), but f64 4x4x4, where the
//   block comes before k: lane i + 4 * (block + 4 * k); B likewise with j for i.
//   D[block][i][j], 32 bits: lane j + N * (i / 4 % (64 / N)), 4x4: lane j + 4 * block; the element
//   is i % 4 + 4 * (i / (4 * (64 / N))) + M * N / 64 * block, 4x4: i.
//   D of f64: lane j + 16 * (i % 4), element i / 4; 4x4x4: lane j + 4 * (block + 4 * i).
// smfmac: A holds two of each four k, B is dense with twice as many elements a lane. A lane's
// index register names for each element of its A, in 2 bits, which of the four it is.
// wmma: lane i % 16 holds row i of A (column of B) whole, and so do lanes i + 16 (i + 32, i + 48).
//   D[i][j], r = wave size / 16: lane j + 16 * (i % r), element i / r; 16-bit results stand in the
//   low (opsel: high) halves of the elements, the other halves are C's.
#include <unphi/matrix.h>

#include <string.h>
#include <type_traits>

namespace unphi
{

namespace
{

// The types of elements: how they are kept, in what they are computed.
struct f32 {
	using kept = float;
	using number = float;
	static number get(const void *from, int i, bool)
	{
		return ((const float *)from)[i];
	}
};

struct f64 {
	using kept = double;
	using number = double;
	static number get(const void *from, int i, bool)
	{
		return ((const double *)from)[i];
	}
};

struct xf32 {
	using kept = float;
	using number = float;
	static number get(const void *from, int i, bool)
	{
		uint32_t bits = ((const uint32_t *)from)[i];
		if ((bits & 0x7f800000) != 0x7f800000) {
			bits += 0xfff + (bits >> 13 & 1);
		}
		return __builtin_bit_cast(float, bits & ~0x1fffu);
	}
};

struct f16 {
	using kept = uint16_t;
	using number = float;
	static number get(const void *from, int i, bool)
	{
		return f16_to_float(((const uint16_t *)from)[i]);
	}
	static kept put(float x)
	{
		return float_to_f16(x);
	}
};

struct bf16 {
	using kept = uint16_t;
	using number = float;
	static number get(const void *from, int i, bool)
	{
		return bf16_to_float(((const uint16_t *)from)[i]);
	}
	static kept put(float x)
	{
		return float_to_bf16(x);
	}
};

template <f8 Format> float small_float(const void *from, int i, bool fnuz)
{
	static const float(&fnuz_values)[256] = f8_values(Format, true);
	static const float(&ocp_values)[256] = f8_values(Format, false);
	const uint8_t code = ((const uint8_t *)from)[i];
	return fnuz ? fnuz_values[code] : ocp_values[code];
}

struct fp8 {
	using kept = uint8_t;
	using number = float;
	static number get(const void *from, int i, bool fnuz)
	{
		return small_float<f8::e4m3>(from, i, fnuz);
	}
};

struct bf8 {
	using kept = uint8_t;
	using number = float;
	static number get(const void *from, int i, bool fnuz)
	{
		return small_float<f8::e5m2>(from, i, fnuz);
	}
};

// Unsigned arithmetic wraps.
struct i32 {
	using kept = uint32_t;
	using number = uint32_t;
	static number get(const void *from, int i, bool)
	{
		return ((const uint32_t *)from)[i];
	}
};

struct i8 {
	using kept = int8_t;
	using number = uint32_t;
	static number get(const void *from, int i, bool)
	{
		return (uint32_t)((const int8_t *)from)[i];
	}
};

const matrix_meeting &at_lane(meeting *const *lane, int i)
{
	return *(const matrix_meeting *)lane[i];
}

void check_modifiers(const matrix_meeting &m, bool has_cbsz, bool has_blgp, int blocks)
{
	if (!has_cbsz && (m.cbsz != 0 || m.abid != 0)) {
		fail(m.at, "%s has no cbsz and abid", m.what->name);
	}
	if (!has_blgp && m.blgp != 0) {
		fail(m.at, "%s has no blgp", m.what->name);
	}
	if (m.cbsz < 0 || 1 << m.cbsz > blocks || m.abid < 0 || m.abid >= 1 << m.cbsz ||
		m.blgp < 0 || m.blgp > 7) {
		fail(m.at, "%s: cbsz %d, abid %d, blgp %d", m.what->name, m.cbsz, m.abid, m.blgp);
	}
}

// The lane whose B a lane takes.
int blgp_lane(int blgp, int lane)
{
	switch (blgp) {
	case 1:
		return lane % 32;
	case 2:
		return 32 + lane % 32;
	case 3:
		return (lane + 16) % 64;
	case 4:
	case 5:
	case 6:
	case 7:
		return (blgp - 4) * 16 + lane % 16;
	default:
		return lane;
	}
}

// c += a * b, k ascending for each element. The loop over j is the one to vectorize.
template <int M, int N, int K, class T>
void multiply(T (&c)[M][N], const T (&a)[M][K], const T (&b)[K][N])
{
	for (int i = 0; i < M; ++i) {
		T sum[N];
		memcpy(sum, c[i], sizeof sum);
		for (int k = 0; k < K; ++k) {
			for (int j = 0; j < N; ++j) {
				sum[j] += a[i][k] * b[k][j];
			}
		}
		memcpy(c[i], sum, sizeof sum);
	}
}

template <class TC, int M, int N, int Blocks> struct result_layout {
	static constexpr bool is_f64 = sizeof(typename TC::kept) == 8;
	static constexpr int rows = 64 / N; // groups of lanes
	static int lane(int block, int i, int j)
	{
		if (is_f64) {
			return M == 4 ? j + 4 * (block + 4 * i) : j + 16 * (i % 4);
		}
		return M == 4 ? j + 4 * block : j + N * (i / 4 % rows);
	}
	static int element(int block, int i)
	{
		if (is_f64) {
			return M == 4 ? 0 : i / 4;
		}
		return M == 4 ? i : i % 4 + 4 * (i / (4 * rows)) + M * N / 64 * block;
	}
};

template <class TC, int M, int N, int Blocks>
void load_c(typename TC::number (&c)[M][N], meeting *const *lane, int block)
{
	using layout = result_layout<TC, M, N, Blocks>;
	for (int i = 0; i < M; ++i) {
		for (int j = 0; j < N; ++j) {
			c[i][j] = TC::get(at_lane(lane, layout::lane(block, i, j)).c,
				layout::element(block, i), false);
		}
	}
}

template <class TC, int M, int N, int Blocks>
void store_c(const typename TC::number (&c)[M][N], meeting *const *lane, int block)
{
	using layout = result_layout<TC, M, N, Blocks>;
	for (int i = 0; i < M; ++i) {
		for (int j = 0; j < N; ++j) {
			const matrix_meeting &m = at_lane(lane, layout::lane(block, i, j));
			((typename TC::kept *)m.c)[layout::element(block, i)] = c[i][j];
		}
	}
}

template <int M, int N, int K, int Blocks, class TA, class TB, class TC>
void mfma(meeting *const *lane, uint64_t)
{
	using number = typename TC::number;
	constexpr bool is_f64 = sizeof(typename TC::kept) == 8;
	constexpr int n = M * K * Blocks / 64;
	const matrix_meeting &first = at_lane(lane, 0);
	const bool negates = is_f64 && first.gfx94x;
	// gfx94x dropped blgp from the operations of one block but for f32, and has none in its own.
	constexpr bool is_f32 = std::is_same<TA, f32>::value;
	constexpr bool is_new =
		std::is_same<TA, xf32>::value || (sizeof(typename TA::kept) == 1 && n == 8);
	const bool has_blgp = is_f64 ? negates : !is_new && (Blocks > 1 || is_f32 || !first.gfx94x);

	check_modifiers(first, Blocks > 1 && !is_f64, has_blgp, Blocks);
	number sign[3] = {1, 1, 1};
	for (int s = 0; negates && s < 3; ++s) {
		sign[s] = first.blgp >> s & 1 ? (number)-1 : (number)1;
	}
	for (int block = 0; block < Blocks; ++block) {
		const int a_block = (block & ~((1 << first.cbsz) - 1)) + first.abid;
		number a[M][K];
		number b[K][N];
		number c[M][N];
		for (int group = 0; group < K / n; ++group) {
			const int a_group =
				is_f64 && M == 4 ? a_block + 4 * group
						 : group + K / n * (first.cbsz ? a_block : block);
			const int b_group =
				is_f64 && M == 4 ? block + 4 * group : group + K / n * block;
			for (int i = 0; i < M; ++i) {
				const void *from = at_lane(lane, i + M * a_group).a;
				for (int e = 0; e < n; ++e) {
					a[i][group * n + e] =
						sign[0] * TA::get(from, e, first.fnuz);
				}
			}
			for (int j = 0; j < N; ++j) {
				const int l = j + N * b_group;
				const void *from =
					at_lane(lane, is_f64 ? l : blgp_lane(first.blgp, l)).b;
				for (int e = 0; e < n; ++e) {
					b[group * n + e][j] =
						sign[1] * TB::get(from, e, first.fnuz);
				}
			}
		}
		load_c<TC, M, N, Blocks>(c, lane, block);
		if (negates && sign[2] != 1) {
			for (int i = 0; i < M * N; ++i) {
				c[i / N][i % N] = -c[i / N][i % N];
			}
		}
		multiply<M, N, K>(c, a, b);
		store_c<TC, M, N, Blocks>(c, lane, block);
	}
}

template <int M, int N, int K, class TA, class TB, class TC>
void smfmac(meeting *const *lane, uint64_t)
{
	using number = typename TC::number;
	constexpr int n = M * K / 64; // of B in a lane
	constexpr int half = n / 2;   // of A
	constexpr int bits = n;	      // of the index that belong to a lane's A
	constexpr int sets = 32 / bits;
	const matrix_meeting &first = at_lane(lane, 0);
	const int set = first.cbsz == 0 ? first.abid & (sets - 1) : 0;

	// k of an element of A, ascending: in a group of four the two may stand in either order.
	struct term {
		int k;
		number a;
	} terms[M][K / 2];
	number b[K][N];
	number c[M][N];
	for (int l = 0; l < 64; ++l) {
		const matrix_meeting &m = at_lane(lane, l);
		const int group = l / M;
		for (int e = 0; e < half; ++e) {
			const int chosen = m.index >> (set * bits + 2 * e) & 3;
			terms[l % M][group * half + e] =
				term{group * n + e / 2 * 4 + chosen, TA::get(m.a, e, first.fnuz)};
		}
		for (int e = 0; e < n; ++e) {
			b[group * n + e][l % N] = TB::get(m.b, e, first.fnuz);
		}
	}
	load_c<TC, M, N, 1>(c, lane, 0);
	for (int i = 0; i < M; ++i) {
		for (int t = 0; t < K / 2; ++t) {
			const int other = t ^ 1;
			const bool swapped = terms[i][t & ~1].k > terms[i][t | 1].k;
			const term &x = terms[i][swapped ? other : t];
			for (int j = 0; j < N; ++j) {
				c[i][j] += x.a * b[x.k][j];
			}
		}
	}
	store_c<TC, M, N, 1>(c, lane, 0);
}

// The copies of a row must be equal: what the device does otherwise is not documented.
void check_copies(meeting *const *lane, int lanes, size_t size)
{
	for (int l = 16; l < lanes; ++l) {
		const matrix_meeting &m = at_lane(lane, l);
		const matrix_meeting &original = at_lane(lane, l % 16);
		if (memcmp(m.a, original.a, size) != 0 || memcmp(m.b, original.b, size) != 0) {
			fail(m.at, "%s: lanes %d and %d hold different operands", m.what->name,
				l % 16, l);
		}
	}
}

template <int Lanes, class TA, class TC> void wmma(meeting *const *lane, uint64_t)
{
	constexpr int rows = Lanes / 16;
	constexpr bool narrow = sizeof(typename TC::kept) == 2;
	const matrix_meeting &first = at_lane(lane, 0);
	float a[16][16];
	float b[16][16];
	float c[16][16];

	if (wave_size() != Lanes) {
		fail(first.at, "%s in a wave of %u lanes", first.what->name, wave_size());
	}
	check_copies(lane, Lanes, 16 * sizeof(typename TA::kept));
	for (int i = 0; i < 16; ++i) {
		const matrix_meeting &m = at_lane(lane, i);
		for (int k = 0; k < 16; ++k) {
			a[i][k] = TA::get(m.a, k, false);
			b[k][i] = TA::get(m.b, k, false);
		}
	}
	const auto element = [&](int i) { return narrow ? i / rows * 2 + first.opsel : i / rows; };
	for (int i = 0; i < 16; ++i) {
		for (int j = 0; j < 16; ++j) {
			c[i][j] = TC::get(at_lane(lane, j + 16 * (i % rows)).c, element(i), false);
		}
	}
	multiply<16, 16, 16>(c, a, b);
	for (int i = 0; i < 16; ++i) {
		for (int j = 0; j < 16; ++j) {
			void *to = at_lane(lane, j + 16 * (i % rows)).c;
			if constexpr (narrow) {
				((uint16_t *)to)[element(i)] = TC::put(c[i][j]);
			} else {
				((float *)to)[element(i)] = c[i][j];
			}
		}
	}
}

int64_t small_integer(const void *from, int k, int bits, bool is_signed)
{
	const uint8_t byte = ((const uint8_t *)from)[k * bits / 8];
	const int value = byte >> (k * bits % 8) & ((1 << bits) - 1);
	return is_signed && value >> (bits - 1) ? value - (1 << bits) : value;
}

template <int Lanes, int Bits> void wmma_int(meeting *const *lane, uint64_t)
{
	constexpr int rows = Lanes / 16;
	const matrix_meeting &first = at_lane(lane, 0);

	if (wave_size() != Lanes) {
		fail(first.at, "%s in a wave of %u lanes", first.what->name, wave_size());
	}
	check_copies(lane, Lanes, 16 * Bits / 8);
	for (int i = 0; i < 16; ++i) {
		for (int j = 0; j < 16; ++j) {
			int32_t *to = (int32_t *)at_lane(lane, j + 16 * (i % rows)).c + i / rows;
			int64_t sum = *to;
			for (int k = 0; k < 16; ++k) {
				sum += small_integer(at_lane(lane, i).a, k, Bits, first.a_signed) *
				       small_integer(at_lane(lane, j).b, k, Bits, first.b_signed);
			}
			if (first.clamp) {
				sum = sum < INT32_MIN	? INT32_MIN
				      : sum > INT32_MAX ? INT32_MAX
							: sum;
			}
			*to = (int32_t)sum;
		}
	}
}

} // namespace

#define UNPHI_MFMA(name, M, N, K, blocks, TA, TB, TC, A, B, D)                                     \
	const operation op_##name = {#name, meets::whole, mfma<M, N, K, blocks, TA, TB, TC>};
#define UNPHI_SMFMAC(name, M, N, K, TA, TB, TC, A, B, D)                                           \
	const operation op_##name = {#name, meets::whole, smfmac<M, N, K, TA, TB, TC>};
#define UNPHI_WMMA(name, lanes, TA, TC, A, D)                                                      \
	const operation op_##name = {#name, meets::whole, wmma<lanes, TA, TC>};
#define UNPHI_WMMA_HALF UNPHI_WMMA
#define UNPHI_WMMA_INT(name, lanes, bits, A, D)                                                    \
	const operation op_##name = {#name, meets::whole, wmma_int<lanes, bits>};
#include <unphi/matrix_ops.h>

} // namespace unphi
