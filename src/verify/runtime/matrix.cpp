// Matrix operations: layouts and arithmetic. matrix.h states the arithmetic.
//
// Layouts of mfma, M x N x K with a number of blocks (products side by side). A lane holds n
// successive k of a row of A (a column of B), n = M * K * blocks / 64:
//   A[block][i][k]: element k % n of lane i + M * (k / n + K / n * block), but f64 4x4x4, where the
//   block comes before k: lane i + 4 * (block + 4 * k); B likewise with j for i.
//   D[block][i][j], 32 bits: lane j + N * (i / 4 % (64 / N)), 4x4: lane j + 4 * block; the element
//   is i % 4 + 4 * (i / (4 * (64 / N))) + M * N / 64 * block, 4x4: i.
//   D of f64: lane j + 16 * (i % 4), element i / 4; 4x4x4: lane j + 4 * (block + 4 * i).
// smfmac: A has two of each four k; B is dense, with twice as many elements in a lane. The index
//   register of a lane has 2 bits for each element of its A: the position in the group of four.
// wmma: lane i holds the whole row i of A (column of B); lanes i + 16 (i + 32, i + 48) hold copies.
//   D[i][j], r = wave size / 16: lane j + 16 * (i % r), element i / r; 16-bit results are in the low
//   (opsel: high) halves of the elements, and the other halves are those of C.
// mfma_scale: as mfma, but the 32 elements of 8 bits in a lane are two runs of 16: element e of lane
//   i + M * g is k = K / 2 * (e / 16) + 16 * g + e % 16. With 6 and 4 bits, k = 32 * g + e. The scale of
//   k is a byte of lane i + M * (k / 32), even if another lane holds k.
// wmma of gfx12: no copies. A row of A (column of B) of N elements is divided into runs; a run is in
//   lane i + 16 * group. 16 bits: four runs, in groups 0 to 3; in waves of 32 lanes in groups 0, 1, 0, 1,
//   with the last two after the first two. 8 and 4 bits: one run for each group, but a run has at least
//   32 bits; the groups are 0, 1 or, for four runs, 0, 2, 1, 3.
//   D[i][j]: lane j + 16 * (i / 8), element i % 8; in waves of 64 lanes j + 16 * (i / 8) +
//   32 * (i / 4 % 2), element i % 4. 16-bit results are packed.
// swmmac: wmma of gfx12 with A as in smfmac; bits 2 * e of the index belong to element e of a lane.
#include <unphi/matrix.h>

#include <math.h>
#include <string.h>
#include <type_traits>

namespace unphi
{

namespace
{

// 10 bits of mantissa.
float rounded_to_xf32(float x)
{
	uint32_t bits = __builtin_bit_cast(uint32_t, x);
	if ((bits & 0x7f800000) != 0x7f800000) {
		bits += 0xfff + (bits >> 13 & 1);
	}
	return __builtin_bit_cast(float, bits & ~0x1fffu);
}

template <f8 Format> float small_float(uint8_t code, bool fnuz)
{
	static const float(&fnuz_values)[256] = f8_values(Format, true);
	static const float(&ocp_values)[256] = f8_values(Format, false);
	return fnuz ? fnuz_values[code] : ocp_values[code];
}

// Element types: the stored type, the type of the arithmetic, and the value of a stored x.
#define UNPHI_ELEMENT(name, KEPT, NUMBER, value)                                                   \
	struct name {                                                                              \
		using kept = KEPT;                                                                 \
		using number = NUMBER;                                                             \
		static number get(const void *from, int i, [[maybe_unused]] bool fnuz)             \
		{                                                                                  \
			const kept x = ((const kept *)from)[i];                                    \
			return value;                                                              \
		}                                                                                  \
	};
UNPHI_ELEMENT(f32, float, float, x)
UNPHI_ELEMENT(f64, double, double, x)
UNPHI_ELEMENT(xf32, float, float, rounded_to_xf32(x))
UNPHI_ELEMENT(kept_f16, uint16_t, float, f16_to_float(x))
UNPHI_ELEMENT(kept_bf16, uint16_t, float, bf16_to_float(x))
UNPHI_ELEMENT(fp8, uint8_t, float, small_float<f8::e4m3>(x, fnuz))
UNPHI_ELEMENT(bf8, uint8_t, float, small_float<f8::e5m2>(x, fnuz))
UNPHI_ELEMENT(i32, uint32_t, uint32_t, x) // unsigned arithmetic wraps
UNPHI_ELEMENT(i8, int8_t, uint32_t, (uint32_t)x)
#undef UNPHI_ELEMENT

struct f16 : kept_f16 {
	static kept put(float x)
	{
		return float_to_f16(x);
	}
};
struct bf16 : kept_bf16 {
	static kept put(float x)
	{
		return float_to_bf16(x);
	}
};

double f8f6f4(const void *from, int e, int format)
{
	return mx_to_double(mx_get(from, e, (mx)format), (mx)format);
}

double scale_of(int word, int select)
{
	return e8m0(word >> (8 * select) & 0xff);
}

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

// The lane whose B a lane reads.
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

// The sizes of an operation are run-time arguments: with a loop for each of the 130 operations the
// compiler takes four seconds. Element types are template arguments.
struct shape {
	int m, n, k, blocks;
};

// Elements of the largest operand of all operations.
constexpr int LARGEST = 2048;

template <class T> struct grid {
	int columns;
	T all[LARGEST];
	T *operator[](int row)
	{
		return all + row * columns;
	}
};

// c += a * b, k ascending for each element. The loop over j is the one to vectorize, with the sums in registers.
template <int N, class T> void multiply_columns(T *c, const T *a, const T *b, int m, int depth)
{
	for (int i = 0; i < m; ++i, a += depth, c += N) {
		T sum[N];
		memcpy(sum, c, sizeof sum);
		for (int k = 0; k < depth; ++k) {
			for (int j = 0; j < N; ++j) {
				sum[j] += a[k] * b[k * N + j];
			}
		}
		memcpy(c, sum, sizeof sum);
	}
}

template <class T> void multiply(T *c, const T *a, const T *b, const shape &s)
{
	auto *of_columns = s.n == 4    ? multiply_columns<4, T>
			   : s.n == 16 ? multiply_columns<16, T>
				       : multiply_columns<32, T>;
	of_columns(c, a, b, s.m, s.k);
}

// The position of row i of a result: consecutive lanes hold it, in the same element.
struct result_row {
	int lane;
	int element;
};

template <class TC> result_row row_of(const shape &s, int block, int i)
{
	if (sizeof(typename TC::kept) == 8) {
		return s.m == 4 ? result_row{4 * (block + 4 * i), 0}
				: result_row{16 * (i % 4), i / 4};
	}
	const int rows = 64 / s.n; // groups of lanes
	return s.m == 4 ? result_row{4 * block, i}
			: result_row{s.n * (i / 4 % rows),
				  i % 4 + 4 * (i / (4 * rows)) + s.m * s.n / 64 * block};
}

template <class TC>
void load_c(typename TC::number *c, meeting *const *lane, const shape &s, int block)
{
	for (int i = 0; i < s.m; ++i) {
		const result_row at = row_of<TC>(s, block, i);
		for (int j = 0; j < s.n; ++j) {
			*c++ = TC::get(at_lane(lane, at.lane + j).c, at.element, false);
		}
	}
}

template <class TC>
void store_c(const typename TC::number *c, meeting *const *lane, const shape &s, int block)
{
	for (int i = 0; i < s.m; ++i) {
		const result_row at = row_of<TC>(s, block, i);
		for (int j = 0; j < s.n; ++j) {
			const matrix_meeting &m = at_lane(lane, at.lane + j);
			((typename TC::kept *)m.c)[at.element] = *c++;
		}
	}
}

template <class TA, class TB, class TC> [[gnu::noinline]] void mfma(meeting *const *lane, shape s)
{
	using number = typename TC::number;
	constexpr bool is_f64 = sizeof(typename TC::kept) == 8;
	const int n = s.m * s.k * s.blocks / 64;
	const int groups = s.k / n;
	const matrix_meeting &first = at_lane(lane, 0);
	const bool negates = is_f64 && first.gfx940_blgp;
	// gfx940 and similar GPUs dropped blgp from operations with one block, except f32, and have
	// none in their new operations.
	constexpr bool is_f32 = std::is_same<TA, f32>::value;
	const bool is_new =
		std::is_same<TA, xf32>::value || (sizeof(typename TA::kept) == 1 && n == 8);
	const bool has_blgp =
		is_f64 ? negates : !is_new && (s.blocks > 1 || is_f32 || !first.gfx940_blgp);

	check_modifiers(first, s.blocks > 1 && !is_f64, has_blgp, s.blocks);
	number sign[3] = {1, 1, 1};
	for (int i = 0; negates && i < 3; ++i) {
		sign[i] = first.blgp >> i & 1 ? (number)-1 : (number)1;
	}
	grid<number> a, b, c;
	a.columns = s.k;
	b.columns = s.n;
	for (int block = 0; block < s.blocks; ++block) {
		const int a_block = (block & ~((1 << first.cbsz) - 1)) + first.abid;
		for (int group = 0; group < groups; ++group) {
			const int a_group =
				is_f64 && s.m == 4
					? a_block + 4 * group
					: group + groups * (first.cbsz ? a_block : block);
			const int b_group =
				is_f64 && s.m == 4 ? block + 4 * group : group + groups * block;
			for (int i = 0; i < s.m; ++i) {
				const void *from = at_lane(lane, i + s.m * a_group).a;
				for (int e = 0; e < n; ++e) {
					a[i][group * n + e] =
						sign[0] * TA::get(from, e, first.fnuz);
				}
			}
			for (int j = 0; j < s.n; ++j) {
				const int l = j + s.n * b_group;
				const void *from =
					at_lane(lane, is_f64 ? l : blgp_lane(first.blgp, l)).b;
				for (int e = 0; e < n; ++e) {
					b[group * n + e][j] =
						sign[1] * TB::get(from, e, first.fnuz);
				}
			}
		}
		load_c<TC>(c.all, lane, s, block);
		for (int i = 0; negates && sign[2] != 1 && i < s.m * s.n; ++i) {
			c.all[i] = -c.all[i];
		}
		multiply(c.all, a.all, b.all, s);
		store_c<TC>(c.all, lane, s, block);
	}
}

// LLVM selects the operation without scales if both scales are the constant 0.
bool has_scales(meeting *const *lane)
{
	for (int l = 0; l < 64; ++l) {
		const matrix_meeting &m = at_lane(lane, l);
		if (m.a_scale != 0 || m.b_scale != 0 || m.a_select != 0 || m.b_select != 0) {
			return true;
		}
	}
	return false;
}

int scaled_k(int bits, int K, int group, int e)
{
	return bits == 8 ? K / 2 * (e / 16) + 16 * group + e % 16 : 32 * group + e;
}

[[gnu::noinline]] void mfma_scale(meeting *const *lane, shape s)
{
	const matrix_meeting &first = at_lane(lane, 0);
	grid<double> a, b;
	grid<float> c;
	a.columns = s.k;
	b.columns = c.columns = s.n;
	if (first.cbsz < 0 || first.cbsz > 4 || first.blgp < 0 || first.blgp > 4 ||
		first.a_select < 0 || first.a_select > 3 || first.b_select < 0 ||
		first.b_select > 3) {
		fail(first.at, "%s: formats %d and %d, bytes %d and %d", first.what->name,
			first.cbsz, first.blgp, first.a_select, first.b_select);
	}
	const bool scales = has_scales(lane);
	for (int l = 0; l < 64; ++l) {
		const int row = l % s.m;
		for (int e = 0; e < 32; ++e) {
			const int ka = scaled_k(mx_bits((mx)first.cbsz), s.k, l / s.m, e);
			const int kb = scaled_k(mx_bits((mx)first.blgp), s.k, l / s.n, e);
			const matrix_meeting &ma = at_lane(lane, row + s.m * (ka / 32));
			const matrix_meeting &mb = at_lane(lane, row + s.n * (kb / 32));
			a[row][ka] = f8f6f4(at_lane(lane, l).a, e, first.cbsz) *
				     (scales ? scale_of(ma.a_scale, first.a_select) : 1.0);
			b[kb][row] = f8f6f4(at_lane(lane, l).b, e, first.blgp) *
				     (scales ? scale_of(mb.b_scale, first.b_select) : 1.0);
		}
	}
	load_c<f32>(c.all, lane, s, 0);
	for (int i = 0; i < s.m; ++i) {
		for (int k = 0; k < s.k; ++k) {
			for (int j = 0; j < s.n; ++j) {
				c[i][j] += (float)(a[i][k] * b[k][j]);
			}
		}
	}
	store_c<f32>(c.all, lane, s, 0);
}

// smfmac and swmmac: the elements of a row of A, k ascending. The two of a group of four may be in
// either order.
template <class T> struct sparse_term {
	int k;
	T a;
};

template <class T> const sparse_term<T> &in_order(const sparse_term<T> *row, int t)
{
	const bool swapped = row[t & ~1].k > row[t | 1].k;
	return row[swapped ? t ^ 1 : t];
}

template <class TA, class TB, class TC> [[gnu::noinline]] void smfmac(meeting *const *lane, shape s)
{
	using number = typename TC::number;
	const int n = s.m * s.k / 64; // of B in a lane
	const int half = n / 2;	      // of A
	const int bits = n;	      // of the index that belong to a lane's A
	const int sets = 32 / bits;
	const matrix_meeting &first = at_lane(lane, 0);
	const int set = first.cbsz == 0 ? first.abid : 0;
	if (set < 0 || set >= sets) {
		fail(first.at, "%s: abid %d of %d sets", first.what->name, set, sets);
	}

	grid<sparse_term<number>> terms;
	grid<number> b, c;
	terms.columns = s.k / 2;
	b.columns = c.columns = s.n;
	for (int l = 0; l < 64; ++l) {
		const matrix_meeting &m = at_lane(lane, l);
		const int group = l / s.m;
		for (int e = 0; e < half; ++e) {
			const int chosen = m.index >> (set * bits + 2 * e) & 3;
			terms[l % s.m][group * half + e] = {
				group * n + e / 2 * 4 + chosen, TA::get(m.a, e, first.fnuz)};
		}
		for (int e = 0; e < n; ++e) {
			b[group * n + e][l % s.n] = TB::get(m.b, e, first.fnuz);
		}
	}
	load_c<TC>(c.all, lane, s, 0);
	for (int i = 0; i < s.m; ++i) {
		for (int t = 0; t < s.k / 2; ++t) {
			const sparse_term<number> &x = in_order(terms[i], t);
			for (int j = 0; j < s.n; ++j) {
				c[i][j] += x.a * b[x.k][j];
			}
		}
	}
	store_c<TC>(c.all, lane, s, 0);
}

void check_wave(const matrix_meeting &m, unsigned lanes)
{
	if (wave_size() != lanes) {
		fail(m.at, "%s in a wave of %u lanes", m.what->name, wave_size());
	}
}

// The copies of a row must be equal; otherwise the result is not documented.
void check_copies(meeting *const *lane, int lanes, size_t size)
{
	for (int l = 16; l < lanes; ++l) {
		const matrix_meeting &m = at_lane(lane, l);
		const matrix_meeting &original = at_lane(lane, l % 16);
		if (memcmp(m.a, original.a, size) != 0 || memcmp(m.b, original.b, size) != 0) {
			fail(m.at, "%s: lanes %d and %d hold different copies of a row", m.what->name,
				l % 16, l);
		}
	}
}

template <class TA, class TC> [[gnu::noinline]] void wmma(meeting *const *lane, int lanes)
{
	const int rows = lanes / 16;
	constexpr bool narrow = sizeof(typename TC::kept) == 2;
	const matrix_meeting &first = at_lane(lane, 0);
	float a[16][16];
	float b[16][16];
	float c[16][16];

	check_wave(first, lanes);
	check_copies(lane, lanes, 16 * sizeof(typename TA::kept));
	for (int i = 0; i < 16; ++i) {
		const matrix_meeting &m = at_lane(lane, i);
		for (int k = 0; k < 16; ++k) {
			a[i][k] = TA::get(m.a, k, false);
			b[k][i] = TA::get(m.b, k, false);
		}
	}
	const auto element = [&](int i) { return narrow ? i / rows * 2 + first.opsel : i / rows; };
	for (int i = 0; i < 16; ++i) {
		const int l = 16 * (i % rows), e = element(i);
		for (int j = 0; j < 16; ++j) {
			c[i][j] = TC::get(at_lane(lane, j + l).c, e, false);
		}
	}
	multiply(c[0], a[0], b[0], {16, 16, 16, 1});
	for (int i = 0; i < 16; ++i) {
		const int l = 16 * (i % rows), e = element(i);
		for (int j = 0; j < 16; ++j) {
			void *to = at_lane(lane, j + l).c;
			if constexpr (narrow) {
				((uint16_t *)to)[e] = TC::put(c[i][j]);
			} else {
				((float *)to)[e] = c[i][j];
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

int32_t kept_integer(int64_t sum, bool clamp)
{
	if (clamp) {
		sum = sum < INT32_MIN ? INT32_MIN : sum > INT32_MAX ? INT32_MAX : sum;
	}
	return (int32_t)sum;
}

void wmma_int(meeting *const *lane, int lanes, int bits)
{
	const int rows = lanes / 16;
	const matrix_meeting &first = at_lane(lane, 0);

	check_wave(first, lanes);
	check_copies(lane, lanes, 16 * bits / 8);
	for (int i = 0; i < 16; ++i) {
		for (int j = 0; j < 16; ++j) {
			int32_t *to = (int32_t *)at_lane(lane, j + 16 * (i % rows)).c + i / rows;
			int64_t sum = *to;
			for (int k = 0; k < 16; ++k) {
				sum += small_integer(at_lane(lane, i).a, k, bits, first.a_signed) *
				       small_integer(at_lane(lane, j).b, k, bits, first.b_signed);
			}
			*to = kept_integer(sum, first.clamp);
		}
	}
}

// ---- gfx12 ----

struct place {
	int lane; // of row or column 0
	int element;
};

// Element k of a row of A or column of B with n elements.
place gfx12_place(int lanes, int bits, int n, int k)
{
	const int groups = lanes / 16;
	if (bits == 16) {
		const int run = n / 4;
		const int at = k / run;
		return {16 * (at % groups), k % run + run * (at / groups)};
	}
	const int run = n / groups < 32 / bits ? 32 / bits : n / groups;
	const int at = k / run;
	return {n / run == 4 ? 16 * (at / 2) + 32 * (at % 2) : 16 * at, k % run};
}

place gfx12_result(int lanes, int i)
{
	return lanes == 32 ? place{16 * (i / 8), i % 8}
			   : place{16 * (i / 8) + 32 * (i / 4 % 2), i % 4};
}

constexpr int GFX12_K = 64; // the largest

struct gfx12 {
	int lanes, k;
	bool sparse;
};

// get_a and get_b return an element of A or B of a lane; add adds a term of A times a row of B to row i.
template <class T, class GetA, class GetB, class Add>
void gfx12_products(meeting *const *lane, const gfx12 &f, int bits, GetA get_a, GetB get_b, Add add)
{
	const int n = f.sparse ? f.k / 2 : f.k;
	sparse_term<T> terms[16][GFX12_K];
	T b[GFX12_K][16];
	for (int i = 0; i < 16; ++i) {
		for (int t = 0; t < n; ++t) {
			const place at = gfx12_place(f.lanes, bits, n, t);
			const matrix_meeting &m = at_lane(lane, i + at.lane);
			const int chosen = m.index >> (2 * at.element) & 3;
			terms[i][t] = {f.sparse ? t / 2 * 4 + chosen : t, get_a(m, at.element)};
		}
		for (int k = 0; k < f.k; ++k) {
			const place at = gfx12_place(f.lanes, bits, f.k, k);
			b[k][i] = get_b(at_lane(lane, i + at.lane), at.element);
		}
	}
	for (int i = 0; i < 16; ++i) {
		for (int t = 0; t < n; ++t) {
			const sparse_term<T> &x = f.sparse ? in_order(terms[i], t) : terms[i][t];
			add(i, x.a, b[x.k]);
		}
	}
}

template <class TA, class TB, class TC> [[gnu::noinline]] void wmma12(meeting *const *lane, gfx12 f)
{
	float c[16][16];
	check_wave(at_lane(lane, 0), f.lanes);
	for (int i = 0; i < 16; ++i) {
		const place at = gfx12_result(f.lanes, i);
		for (int j = 0; j < 16; ++j) {
			c[i][j] = TC::get(at_lane(lane, j + at.lane).c, at.element, false);
		}
	}
	gfx12_products<float>(
		lane, f, 8 * sizeof(typename TA::kept),
		[](const matrix_meeting &m, int e) { return TA::get(m.a, e, false); },
		[](const matrix_meeting &m, int e) { return TB::get(m.b, e, false); },
		[&](int i, float a, const float *b) {
			for (int j = 0; j < 16; ++j) {
				c[i][j] += a * b[j];
			}
		});
	for (int i = 0; i < 16; ++i) {
		const place at = gfx12_result(f.lanes, i);
		for (int j = 0; j < 16; ++j) {
			void *to = at_lane(lane, j + at.lane).c;
			if constexpr (sizeof(typename TC::kept) == 2) {
				((uint16_t *)to)[at.element] = TC::put(c[i][j]);
			} else {
				((float *)to)[at.element] = c[i][j];
			}
		}
	}
}

void wmma12_int(meeting *const *lane, gfx12 f, int bits)
{
	const matrix_meeting &first = at_lane(lane, 0);
	int64_t c[16][16];
	check_wave(first, f.lanes);
	const auto to = [&](int i, int j) {
		const place at = gfx12_result(f.lanes, i);
		return (int32_t *)at_lane(lane, j + at.lane).c + at.element;
	};
	for (int i = 0; i < 16 * 16; ++i) {
		c[i / 16][i % 16] = *to(i / 16, i % 16);
	}
	gfx12_products<int64_t>(
		lane, f, bits,
		[&](const matrix_meeting &m, int e) {
			return small_integer(m.a, e, bits, first.a_signed);
		},
		[&](const matrix_meeting &m, int e) {
			return small_integer(m.b, e, bits, first.b_signed);
		},
		[&](int i, int64_t a, const int64_t *b) {
			for (int j = 0; j < 16; ++j) {
				c[i][j] += a * b[j];
			}
		});
	for (int i = 0; i < 16 * 16; ++i) {
		*to(i / 16, i % 16) = kept_integer(c[i / 16][i % 16], first.clamp);
	}
}

} // namespace

#define OPERATION(name, ...)                                                                       \
	const operation op_##name = {                                                              \
		#name, meets::whole, [](meeting *const *lane, uint64_t) { __VA_ARGS__; }};
#define UNPHI_MFMA(name, M, N, K, blocks, TA, TB, TC, A, B, D)                                     \
	OPERATION(name, mfma<TA, TB, TC>(lane, {M, N, K, blocks}))
#define UNPHI_MFMA_SCALE(name, M, N, K, A, D) OPERATION(name, mfma_scale(lane, {M, N, K, 1}))
#define UNPHI_SMFMAC(name, M, N, K, TA, TB, TC, A, B, D)                                           \
	OPERATION(name, smfmac<TA, TB, TC>(lane, {M, N, K, 1}))
#define UNPHI_WMMA(name, lanes, TA, TC, A, D) OPERATION(name, wmma<TA, TC>(lane, lanes))
#define UNPHI_WMMA_HALF UNPHI_WMMA
#define UNPHI_WMMA_INT(name, lanes, bits, A, D) OPERATION(name, wmma_int(lane, lanes, bits))
#define UNPHI_WMMA12(name, lanes, K, TA, TB, TC, A, B, D)                                          \
	OPERATION(name, wmma12<TA, TB, TC>(lane, {lanes, K, false}))
#define UNPHI_WMMA12_INT(name, lanes, K, bits, A, B, D)                                            \
	OPERATION(name, wmma12_int(lane, {lanes, K, false}, bits))
#define UNPHI_SWMMAC(name, lanes, K, TA, TB, TC, A, B, D)                                          \
	OPERATION(name, wmma12<TA, TB, TC>(lane, {lanes, K, true}))
#define UNPHI_SWMMAC_INT(name, lanes, K, bits, A, B, D)                                            \
	OPERATION(name, wmma12_int(lane, {lanes, K, true}, bits))
#include <unphi/matrix_ops.h>

} // namespace unphi
