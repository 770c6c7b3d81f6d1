// Each matrix operation with random operands against a plain product in double. Where an element of
// a matrix stands (lane and bit of the operand) comes from formulas that go from the registers to
// the matrices, the other way than the runner's, or, with a file as argument, from its lines
//
//   NAME CBSZ ABID BLGP OPSEL MATRIX BLOCK ROW COLUMN LANE BIT
//
// (matrix A, B or D; of smfmac, A names the bit of the pair that holds two of the four columns from
// COLUMN on, and matrix K the bit of their index).
#include <hip/hip_runtime.h>
#include <map>
#include <string>
#include <tuple>

#include "test.h"

struct where {
	int lane;
	int bit;
};

// Matrix, block, row, column.
typedef std::map<std::tuple<char, int, int, int>, where> table;

// The formats, written down without the runner's help.
struct format {
	int bits;
	char kind; // Float, Integer, Unsigned
	int mantissa;
	int bias;
};
static const format f64_format = {64, 'F', 52, 1023}, f32_format = {32, 'F', 23, 127},
		    f16_format = {16, 'F', 10, 15}, bf16_format = {16, 'F', 7, 127},
		    i8_format = {8, 'I', 0, 0}, i32_format = {32, 'I', 0, 0},
		    u8_format = {8, 'U', 0, 0}, i4_format = {4, 'I', 0, 0},
		    u4_format = {4, 'U', 0, 0}, xf32_format = f32_format,
#if defined(__gfx950__) || defined(__gfx1200__)
		    fp8_format = {8, 'F', 3, 7}, bf8_format = {8, 'F', 2, 15};
#else
		    fp8_format = {8, 'F', 3, 8}, bf8_format = {8, 'F', 2, 16};
#endif

// Of small integers.
static uint64_t encode(const format &f, int x)
{
	const uint64_t mask = f.bits == 64 ? ~0ull : (1ull << f.bits) - 1;
	if (f.kind != 'F' || x == 0) {
		return (uint64_t)(int64_t)x & mask;
	}
	const unsigned size = (unsigned)(x < 0 ? -x : x);
	const int exponent = 31 - __builtin_clz(size);
	const uint64_t fraction =
		((uint64_t)size << f.mantissa >> exponent) & ((1ull << f.mantissa) - 1);
	return (x < 0 ? 1ull << (f.bits - 1) : 0) | (uint64_t)(exponent + f.bias) << f.mantissa |
	       fraction;
}

static double decode(const format &f, uint64_t bits)
{
	if (f.kind != 'F') {
		const bool minus = f.kind == 'I' && bits >> (f.bits - 1) & 1;
		return (double)(int64_t)(minus ? bits - (1ull << f.bits) : bits);
	}
	const int exponent = (int)(bits >> f.mantissa & ((1u << (f.bits - 1 - f.mantissa)) - 1));
	const uint64_t fraction = bits & ((1ull << f.mantissa) - 1);
	const double size = exponent == 0 ? ldexp((double)fraction, 1 - f.bias - f.mantissa)
					  : ldexp((double)(fraction | 1ull << f.mantissa),
						    exponent - f.bias - f.mantissa);
	return bits >> (f.bits - 1) ? -size : size;
}

static const int LANES = 64;
static const int OPERAND = 128; // bytes, and at most 127 are used of what is narrower than 8 bits

struct operand {
	alignas(128) unsigned char lane[LANES][OPERAND];

	uint64_t get(where w, int bits) const
	{
		uint64_t x = 0;
		memcpy(&x, &lane[w.lane][w.bit / 8], bits < 8 ? 2 : (size_t)bits / 8);
		return bits < 8 ? x >> w.bit % 8 & ((1ull << bits) - 1) : x;
	}
	void set(where w, int bits, uint64_t x)
	{
		if (bits < 8) {
			const unsigned mask = ((1u << bits) - 1) << w.bit % 8;
			uint16_t both;
			memcpy(&both, &lane[w.lane][w.bit / 8], 2);
			both = (uint16_t)((both & ~mask) | (unsigned)x << w.bit % 8);
			memcpy(&lane[w.lane][w.bit / 8], &both, 2);
			return;
		}
		memcpy(&lane[w.lane][w.bit / 8], &x, (size_t)bits / 8);
	}
	void fill(random_numbers &random, const format &f, int n, int range)
	{
		memset(lane, 0, sizeof lane);
		for (int l = 0; l < LANES; ++l) {
			for (int e = 0; e < n; ++e) {
				const int x = random.below(2 * range + 1) - range;
				set(where{l, e * f.bits}, f.bits,
					encode(f, f.kind == 'U' ? x + range : x));
			}
		}
	}
};

struct modifiers {
	int cbsz;
	int abid;
	int blgp;
	bool opsel;
	bool clamp;
	int select[2]; // bytes of the scales
};

struct registers {
	operand a, b, c;
	int index[LANES];
	int scale[2][LANES]; // of A and B
};

struct matrix_op {
	const char *name;
	char family; // Mfma, Smfmac, Wmma; of gfx12: wmma Dense, sWmmac; mfma_scale: X
	int M, N, K, blocks, lanes;
	format a, b, c;
	int a_bytes, b_bytes, c_bytes;
	bool (*run)(registers &r, const modifiers &m);
	int n_a() const
	{
		return a_bytes * 8 / a.bits;
	}
	int n_b() const
	{
		return b_bytes * 8 / b.bits;
	}
	int n_c() const
	{
		return c_bytes * 8 / c.bits;
	}
};

// Each lane loads its operands, does the operation and stores.
template <class A, class B, class D, class F>
static bool run_lanes(int lanes, registers &r, F operation)
{
	unphi::shape s;
	s.block = dim3((unsigned)lanes);
	s.wave_size = (unsigned)lanes;
	return unphi::launch(s, [&] {
		const int lane = (int)threadIdx.x;
		A a;
		B b;
		D d;
		memcpy(&a, r.a.lane[lane], sizeof a);
		memcpy(&b, r.b.lane[lane], sizeof b);
		memcpy(&d, r.c.lane[lane], sizeof d);
		d = operation(a, b, d, r.index[lane]);
		memcpy(r.c.lane[lane], &d, sizeof d);
	});
}

#define TYPES(A, B, D) unphi::A, unphi::B, unphi::D
#define UNPHI_MFMA(name, M, N, K, blocks, TA, TB, TC, A, B, D)                                     \
	static bool run_##name(registers &r, const modifiers &m)                                   \
	{                                                                                          \
		return run_lanes<TYPES(A, B, D)>(                                                  \
			64, r, [=](unphi::A a, unphi::B b, unphi::D c, int) {                      \
				return __builtin_amdgcn_##name(a, b, c, m.cbsz, m.abid, m.blgp);   \
			});                                                                        \
	}
#define UNPHI_MFMA_SCALE(name, M, N, K, A, D)                                                      \
	static bool run_##name(registers &r, const modifiers &m)                                   \
	{                                                                                          \
		return run_lanes<TYPES(A, A, D)>(                                                  \
			64, r, [&](unphi::A a, unphi::A b, unphi::D c, int) {                      \
				return __builtin_amdgcn_##name(a, b, c, m.cbsz, m.blgp,            \
					m.select[0], r.scale[0][threadIdx.x], m.select[1],         \
					r.scale[1][threadIdx.x]);                                  \
			});                                                                        \
	}
#define UNPHI_SMFMAC(name, M, N, K, TA, TB, TC, A, B, D)                                           \
	static bool run_##name(registers &r, const modifiers &m)                                   \
	{                                                                                          \
		return run_lanes<TYPES(A, B, D)>(                                                  \
			64, r, [=](unphi::A a, unphi::B b, unphi::D c, int index) {                \
				return __builtin_amdgcn_##name(a, b, c, index, m.cbsz, m.abid);    \
			});                                                                        \
	}
#define UNPHI_WMMA12(name, lanes, K, TA, TB, TC, A, B, D)                                          \
	static bool run_##name(registers &r, const modifiers &)                                    \
	{                                                                                          \
		return run_lanes<TYPES(A, B, D)>(                                                  \
			lanes, r, [=](unphi::A a, unphi::B b, unphi::D c, int) {                   \
				return __builtin_amdgcn_##name(a, b, c);                           \
			});                                                                        \
	}
#define UNPHI_SWMMAC(name, lanes, K, TA, TB, TC, A, B, D)                                          \
	static bool run_##name(registers &r, const modifiers &)                                    \
	{                                                                                          \
		return run_lanes<TYPES(A, B, D)>(                                                  \
			lanes, r, [=](unphi::A a, unphi::B b, unphi::D c, int index) {             \
				return __builtin_amdgcn_##name(a, b, c, index);                    \
			});                                                                        \
	}
#define UNPHI_WMMA12_INT(name, lanes, K, bits, A, B, D)                                            \
	template <bool AS, bool BS> static bool run_##name(registers &r, const modifiers &m)       \
	{                                                                                          \
		return run_lanes<TYPES(A, B, D)>(                                                  \
			lanes, r, [=](unphi::A a, unphi::B b, unphi::D c, int) {                   \
				return __builtin_amdgcn_##name(AS, a, BS, b, c, m.clamp);          \
			});                                                                        \
	}
#define UNPHI_SWMMAC_INT(name, lanes, K, bits, A, B, D)                                            \
	template <bool AS, bool BS> static bool run_##name(registers &r, const modifiers &m)       \
	{                                                                                          \
		return run_lanes<TYPES(A, B, D)>(                                                  \
			lanes, r, [=](unphi::A a, unphi::B b, unphi::D c, int index) {             \
				return __builtin_amdgcn_##name(AS, a, BS, b, c, index, m.clamp);   \
			});                                                                        \
	}
#define UNPHI_WMMA(name, lanes, TA, TC, A, D)                                                      \
	static bool run_##name(registers &r, const modifiers &)                                    \
	{                                                                                          \
		return run_lanes<TYPES(A, A, D)>(                                                  \
			lanes, r, [=](unphi::A a, unphi::A b, unphi::D c, int) {                   \
				return __builtin_amdgcn_##name(a, b, c);                           \
			});                                                                        \
	}
#define UNPHI_WMMA_HALF(name, lanes, TA, TC, A, D)                                                 \
	static bool run_##name(registers &r, const modifiers &m)                                   \
	{                                                                                          \
		return run_lanes<TYPES(A, A, D)>(                                                  \
			lanes, r, [=](unphi::A a, unphi::A b, unphi::D c, int) {                   \
				return __builtin_amdgcn_##name(a, b, c, m.opsel);                  \
			});                                                                        \
	}
#define UNPHI_WMMA_INT(name, lanes, bits, A, D)                                                    \
	template <bool AS, bool BS> static bool run_##name(registers &r, const modifiers &m)       \
	{                                                                                          \
		return run_lanes<TYPES(A, A, D)>(                                                  \
			lanes, r, [=](unphi::A a, unphi::A b, unphi::D c, int) {                   \
				return __builtin_amdgcn_##name(AS, a, BS, b, c, m.clamp);          \
			});                                                                        \
	}
#include <unphi/matrix_ops.h>

#define SIZES(A, B, D) sizeof(unphi::A), sizeof(unphi::B), sizeof(unphi::D)
// mfma_scale's by cbsz and blgp; its row has the first.
static const format scaled_formats[] = {
	{8, 'F', 3, 7}, {8, 'F', 2, 15}, {6, 'F', 3, 1}, {6, 'F', 2, 3}, {4, 'F', 1, 1}};
static const matrix_op ops[] = {
#define UNPHI_MFMA(name, M, N, K, blocks, TA, TB, TC, A, B, D)                                     \
	{#name, 'M', M, N, K, blocks, 64, TA##_format, TB##_format, TC##_format, SIZES(A, B, D),   \
		run_##name},
#define UNPHI_MFMA_SCALE(name, M, N, K, A, D)                                                      \
	{#name, 'X', M, N, K, 1, 64, scaled_formats[0], scaled_formats[0], f32_format,             \
		SIZES(A, A, D), run_##name},
#define UNPHI_SMFMAC(name, M, N, K, TA, TB, TC, A, B, D)                                           \
	{#name, 'S', M, N, K, 1, 64, TA##_format, TB##_format, TC##_format, SIZES(A, B, D),        \
		run_##name},
#define UNPHI_WMMA(name, lanes, TA, TC, A, D)                                                      \
	{#name, 'W', 16, 16, 16, 1, lanes, TA##_format, TA##_format, TC##_format, SIZES(A, A, D),  \
		run_##name},
#define UNPHI_WMMA12(name, lanes, K, TA, TB, TC, A, B, D)                                          \
	{#name, 'D', 16, 16, K, 1, lanes, TA##_format, TB##_format, TC##_format, SIZES(A, B, D),   \
		run_##name},
#define UNPHI_SWMMAC(name, lanes, K, TA, TB, TC, A, B, D)                                          \
	{#name, 'P', 16, 16, K, 1, lanes, TA##_format, TB##_format, TC##_format, SIZES(A, B, D),   \
		run_##name},
#define INT12(name, family, lanes, K, bits, ta, as, tb, bs, A, B, D)                               \
	{#name, family, 16, 16, K, 1, lanes, ta##bits##_format, tb##bits##_format, i32_format,     \
		SIZES(A, B, D), run_##name<as, bs>},
#define UNPHI_WMMA12_INT(name, lanes, K, bits, A, B, D)                                            \
	INT12(name, 'D', lanes, K, bits, i, true, i, true, A, B, D)                                \
	INT12(name, 'D', lanes, K, bits, u, false, i, true, A, B, D)                               \
	INT12(name, 'D', lanes, K, bits, i, true, u, false, A, B, D)
#define UNPHI_SWMMAC_INT(name, lanes, K, bits, A, B, D)                                            \
	INT12(name, 'P', lanes, K, bits, i, true, i, true, A, B, D)                                \
	INT12(name, 'P', lanes, K, bits, u, false, i, true, A, B, D)                               \
	INT12(name, 'P', lanes, K, bits, i, true, u, false, A, B, D)
#define UNPHI_WMMA_HALF UNPHI_WMMA
#define UNPHI_WMMA_INT(name, lanes, bits, A, D)                                                    \
	{#name, 'W', 16, 16, 16, 1, lanes, i##bits##_format, i##bits##_format, i32_format,         \
		SIZES(A, A, D), run_##name<true, true>},                                           \
		{#name, 'W', 16, 16, 16, 1, lanes, u##bits##_format, i##bits##_format, i32_format, \
			SIZES(A, A, D), run_##name<false, true>},                                  \
		{#name, 'W', 16, 16, 16, 1, lanes, i##bits##_format, u##bits##_format, i32_format, \
			SIZES(A, A, D), run_##name<true, false>},
#include <unphi/matrix_ops.h>
};

// The layouts: from a register to the element that it holds.
static void mfma_layout(table &t, const matrix_op &op)
{
	const bool is_f64 = op.c.bits == 64;
	for (int l = 0; l < 64; ++l) {
		const int row = l & (op.M - 1);
		const int upper = l / op.M;
		for (int e = 0; e < op.n_a(); ++e) {
			int block = op.blocks > 1 ? upper : 0;
			int k = op.blocks > 1 ? e : upper * op.n_a() + e;
			if (op.M == 4 && is_f64) {
				block = l >> 2 & 3;
				k = l >> 4;
			}
			t[{'A', block, row, k}] = where{l, e * op.a.bits};
			t[{'B', block, k, row}] = where{l, e * op.b.bits};
		}
		for (int e = 0; e < op.n_c(); ++e) {
			int block = 0, i = 0;
			if (op.M == 32) {
				block = e >> 4;
				i = 8 * (e >> 2 & 3) + 4 * (l >> 5) + (e & 3);
			} else if (op.M == 16 && is_f64) {
				i = 4 * e + (l >> 4);
			} else if (op.M == 16) {
				block = e >> 2;
				i = 4 * (l >> 4) + (e & 3);
			} else if (is_f64) {
				block = l >> 2 & 3;
				i = l >> 4;
			} else {
				block = l >> 2;
				i = e;
			}
			t[{'D', block, i, row}] = where{l, e * op.c.bits};
		}
	}
}

static void smfmac_layout(table &t, const matrix_op &op, const modifiers &m)
{
	const int index_bits = 2 * op.n_a();
	const int set = m.cbsz ? 0 : m.abid;
	mfma_layout(t, op);
	for (auto it = t.begin(); it != t.end();) {
		it = std::get<0>(it->first) == 'D' ? std::next(it) : t.erase(it);
	}
	for (int l = 0; l < 64; ++l) {
		const int row = l & (op.M - 1);
		for (int e = 0; e < op.n_b(); ++e) {
			const int k = l / op.M * op.n_b() + e;
			t[{'B', 0, k, row}] = where{l, e * op.b.bits};
			if (k % 4 == 0) {
				const int pair = e / 4;
				t[{'A', 0, row, k}] = where{l, pair * 2 * op.a.bits};
				t[{'K', 0, row, k}] = where{l, set * index_bits + 4 * pair};
			}
		}
	}
}

static void wmma_layout(table &t, const matrix_op &op, const modifiers &m)
{
	const int groups = op.lanes / 16;
	for (int i = 0; i < 16; ++i) {
		for (int k = 0; k < 16; ++k) {
			t[{'A', 0, i, k}] = where{i, k * op.a.bits};
			t[{'B', 0, k, i}] = where{i, k * op.b.bits};
		}
	}
	for (int l = 0; l < op.lanes; ++l) {
		for (int vgpr = 0; vgpr < 16 / groups; ++vgpr) {
			t[{'D', 0, vgpr * groups + l / 16, l % 16}] =
				where{l, vgpr * 32 + (m.opsel ? 16 : 0)};
		}
	}
}

static void scale_layout(table &t, const matrix_op &op)
{
	table d;
	mfma_layout(d, op);
	for (const auto &entry : d) {
		if (std::get<0>(entry.first) == 'D') {
			t.insert(entry);
		}
	}
	for (int i = 0; i < op.M; ++i) {
		for (int k = 0; k < op.K; ++k) {
			const int half = k / (op.K / 2), rest = k % (op.K / 2);
			const auto at = [&](int bits) {
				return bits == 8 ? where{i + op.M * (rest / 16),
							   8 * (16 * half + rest % 16)}
						 : where{i + op.M * (k / 32), k % 32 * bits};
			};
			t[{'A', 0, i, k}] = at(op.a.bits);
			t[{'B', 0, k, i}] = at(op.b.bits);
		}
	}
}

// k of a row of n elements that element e of a lane holds; -1 for none.
static int gfx12_k(const matrix_op &op, int bits, int n, int lane, int e)
{
	const int group = lane / 16, groups = op.lanes / 16;
	if (bits == 16) {
		const int run = n / 4;
		return run * (e / run * groups + group) + e % run;
	}
	const int run = n / groups * bits < 32 ? 32 / bits : n / groups;
	static const int part_of_four[] = {0, 2, 1, 3};
	const int part = n / run == 4 ? part_of_four[group] : group;
	return part * run < n && e < run ? part * run + e : -1;
}

static void gfx12_layout(table &t, const matrix_op &op)
{
	const bool sparse = op.family == 'P';
	for (int l = 0; l < op.lanes; ++l) {
		for (int e = 0; e < op.n_b(); ++e) {
			const int k = gfx12_k(op, op.b.bits, op.K, l, e);
			if (k >= 0) {
				t[{'B', 0, k, l % 16}] = where{l, e * op.b.bits};
			}
		}
		for (int e = 0; e < op.n_a(); e += sparse ? 2 : 1) {
			const int k = gfx12_k(op, op.a.bits, sparse ? op.K / 2 : op.K, l, e);
			if (k >= 0) {
				t[{'A', 0, l % 16, sparse ? 2 * k : k}] = where{l, e * op.a.bits};
				t[{'K', 0, l % 16, sparse ? 2 * k : k}] = where{l, 2 * e};
			}
		}
		for (int e = 0; e < op.n_c(); ++e) {
			const int i =
				op.lanes == 32 ? l / 16 * 8 + e : l / 16 % 2 * 8 + l / 32 * 4 + e;
			t[{'D', 0, i, l % 16}] = where{l, e * op.c.bits};
		}
	}
}

static void apply_modifiers(table &t, const matrix_op &op, const modifiers &m)
{
	const table plain = t;
	for (auto &entry : t) {
		const auto [matrix, block, row, column] = entry.first;
		if (matrix == 'A' && m.cbsz) {
			const int source = (block >> m.cbsz << m.cbsz) + m.abid;
			entry.second = plain.at({'A', source, row, column});
		}
		if (matrix == 'B' && m.blgp && op.c.bits != 64) {
			static const int first_lane[] = {0, 0, 32, 16, 0, 16, 32, 48};
			static const int span[] = {64, 32, 32, 64, 16, 16, 16, 16};
			int &lane = entry.second.lane;
			lane = m.blgp == 3 ? (lane + 16) % 64
					   : first_lane[m.blgp] + lane % span[m.blgp];
		}
	}
}

static table layout_of(const matrix_op &op, const modifiers &m)
{
	table t;
	if (op.family == 'M') {
		mfma_layout(t, op);
		apply_modifiers(t, op, m);
	} else if (op.family == 'S') {
		smfmac_layout(t, op, m);
	} else if (op.family == 'X') {
		scale_layout(t, op);
	} else if (op.family == 'D' || op.family == 'P') {
		gfx12_layout(t, op);
	} else {
		wmma_layout(t, op, m);
	}
	return t;
}

static double a_element(
	const matrix_op &op, const table &t, const registers &r, int block, int i, int k)
{
	if (op.family != 'S' && op.family != 'P') {
		return decode(op.a, r.a.get(t.at({'A', block, i, k}), op.a.bits));
	}
	const where pair = t.at({'A', 0, i, k & ~3});
	const where index = t.at({'K', 0, i, k & ~3});
	double sum = 0;
	for (int half = 0; half < 2; ++half) {
		if ((r.index[index.lane] >> (index.bit + 2 * half) & 3) == (k & 3)) {
			sum += decode(op.a,
				r.a.get(where{pair.lane, pair.bit + half * op.a.bits}, op.a.bits));
		}
	}
	return sum;
}

// The power of two that a product is scaled by.
static int scale_exponent(
	const matrix_op &op, const registers &r, const modifiers &m, int i, int j, int k)
{
	const int a = r.scale[0][i + op.M * (k / 32)] >> 8 * m.select[0] & 255;
	const int b = r.scale[1][j + op.N * (k / 32)] >> 8 * m.select[1] & 255;
	return op.family == 'X' ? a + b - 254 : 0;
}

static void fill(registers &r, const matrix_op &op, random_numbers &random)
{
	const int range = op.c.bits == 16 || op.a.bits == 4 ? 2 : op.family == 'X' ? 3 : 4;
	r.a.fill(random, op.a, op.n_a(), range);
	r.b.fill(random, op.b, op.n_b(), range);
	r.c.fill(random, op.c, op.n_c(), 20);
	for (int l = 0; l < LANES; ++l) {
		r.index[l] = (int)random.next();
		for (int *scale : {&r.scale[0][l], &r.scale[1][l]}) {
			*scale = 0;
			for (int byte = 0; byte < 4; ++byte) {
				*scale |= (126 + random.below(3)) << 8 * byte;
			}
		}
		if (op.family == 'W') {
			memcpy(r.a.lane[l], r.a.lane[l % 16], OPERAND);
			memcpy(r.b.lane[l], r.b.lane[l % 16], OPERAND);
		}
	}
}

// What is not an element of D must stay.
static bool rest_is_kept(
	const matrix_op &op, const table &t, registers after, const registers &before)
{
	for (const auto &entry : t) {
		if (std::get<0>(entry.first) == 'D') {
			after.c.set(entry.second, op.c.bits, before.c.get(entry.second, op.c.bits));
		}
	}
	return memcmp(&after.c, &before.c, sizeof after.c) == 0;
}

static void check(const matrix_op &op, const modifiers &m, const table &t, const char *source)
{
	static random_numbers random(5);
	static registers before, after;
	const bool negates = op.c.bits == 64;
	const double sign = negates && (m.blgp & 1) != (m.blgp >> 1 & 1) ? -1 : 1;
	char name[200];
	snprintf(name, sizeof name, "%s%s%s/cbsz%d,abid%d,blgp%d%s", source, op.name,
		op.a.kind == 'U'   ? "/unsigned-a"
		: op.b.kind == 'U' ? "/unsigned-b"
				   : "",
		m.cbsz, m.abid, m.blgp, m.opsel ? ",opsel" : "");
	fill(before, op, random);
	after = before;
	if (!op.run(after, m)) {
		result(name, false, "did not run");
		return;
	}
	for (int block = 0; block < op.blocks; ++block) {
		for (int i = 0; i < op.M; ++i) {
			for (int j = 0; j < op.N; ++j) {
				const where d = t.at({'D', block, i, j});
				double sum = decode(op.c, before.c.get(d, op.c.bits));
				sum = negates && m.blgp & 4 ? -sum : sum;
				for (int k = 0; k < op.K; ++k) {
					const double b = decode(op.b,
						before.b.get(t.at({'B', block, k, j}), op.b.bits));
					sum += ldexp(
						sign * a_element(op, t, before, block, i, k) * b,
						scale_exponent(op, before, m, i, j, k));
				}
				const double got = decode(op.c, after.c.get(d, op.c.bits));
				if (got != sum) {
					result(name, false, "D[%d][%d] of block %d is %g, not %g",
						i, j, block, got, sum);
					return;
				}
			}
		}
	}
	result(name, rest_is_kept(op, t, after, before), "more than D was written");
}

static void check_scaled(matrix_op op)
{
	for (int i = 0; i < 25; ++i) {
		const modifiers m = {i / 5, 0, i % 5, false, false, {i % 4, i / 4 % 4}};
		op.a = scaled_formats[m.cbsz];
		op.b = scaled_formats[m.blgp];
		check(op, m, layout_of(op, m), "");
	}
}

// Every code of the formats that only mfma_scale has, as a product with 1.
static void check_codes(const matrix_op &op)
{
	static registers r;
	for (int f = 2; f < 5; ++f) {
		const format &of = scaled_formats[f];
		bool good = true;
		for (int first = 0; first < 1 << of.bits; first += 16) {
			memset(&r, 0, sizeof r);
			for (int i = 0; i < 16; ++i) {
				r.a.set(where{i, 0}, of.bits, (uint64_t)(first + i));
				r.b.set(where{i, 0}, 8, encode(scaled_formats[0], 1));
			}
			good &= op.run(r, modifiers{f, 0, 0, false, false, {0, 0}});
			for (int i = 0; i < 16; ++i) {
				const where d = {i / 4 * 16, 32 * (i % 4)};
				good &= decode(f32_format, r.c.get(d, 32)) ==
					decode(of, (uint64_t)(first + i));
			}
		}
		result("codes", good, "of format %d", f);
	}
}

static void check_by_formulas(const matrix_op &op)
{
	std::vector<modifiers> all = {{}};
	if (op.family == 'X') {
		check_scaled(op);
		if (op.M == 16) {
			check_codes(op);
		}
		return;
	}
	for (int cbsz = 1; op.family == 'M' && op.c.bits != 64 && 1 << cbsz <= op.blocks; ++cbsz) {
		for (int abid = 0; abid < 1 << cbsz; ++abid) {
			all.push_back(modifiers{cbsz, abid, 0, false, false, {}});
		}
	}
	const bool is_new = op.family == 'S' || strstr(op.name, "xf32") || strstr(op.name, "fp8") ||
			    strstr(op.name, "bf8") || strstr(op.name, "_i8");
	const bool is_f64 = op.c.bits == 64;
#if defined(__gfx90a__)
	const bool has_blgp = op.family == 'M' && !is_f64;
	if (is_new) {
		return;
	}
#else
	const bool has_blgp =
		op.family == 'M' && !is_new && (op.blocks > 1 || op.a.bits == 32 || is_f64);
#endif
	for (int blgp = 1; has_blgp && blgp < 8; ++blgp) {
		all.push_back(modifiers{0, 0, blgp, false, false, {}});
	}
	for (int abid = 1; op.family == 'S' && abid < 16 / op.n_a(); ++abid) {
		all.push_back(modifiers{0, abid, 0, false, false, {}});
	}
	if (op.family == 'S') {
		all.push_back(modifiers{1, 1, 0, false, false, {}});
	}
	if (op.family == 'W' && op.c.bits == 16) {
		all.push_back(modifiers{0, 0, 0, true, false, {}});
	}
	for (const modifiers &m : all) {
		check(op, m, layout_of(op, m), "");
	}
}

static void check_by_file(const char *path)
{
	struct entry {
		modifiers m;
		table t;
	};
	std::map<std::string, entry> entries;
	FILE *in = fopen(path, "r");
	char name[100], matrix;
	modifiers m = {};
	int opsel, block, row, column;
	where w;
	while (in &&
		fscanf(in, "%99s %d %d %d %d %c %d %d %d %d %d", name, &m.cbsz, &m.abid, &m.blgp,
			&opsel, &matrix, &block, &row, &column, &w.lane, &w.bit) == 11) {
		m.opsel = opsel;
		entry &e = entries[std::string(name) + std::to_string(m.cbsz) + "," +
				   std::to_string(m.abid) + "," + std::to_string(m.blgp) + "," +
				   std::to_string(opsel) + " " + name];
		e.m = m;
		e.t[{matrix, block, row, column}] = w;
	}
	for (const auto &e : entries) {
		const std::string of = e.first.substr(e.first.find(' ') + 1);
		for (const matrix_op &op : ops) {
			if (of == op.name) {
				check(op, e.second.m, e.second.t, "calculator/");
			}
		}
	}
	result("calculator/file", !entries.empty(), "nothing in %s", path);
}

// The order of accumulation that matrix.h states, where it can be seen: in sums that round.
static void check_order()
{
	static registers r;
	memset(&r, 0, sizeof r);
	const float big = 0x1p24f, one = 1;
	// Row 0: k = 0 gives 2^24, k = 1..3 give 1 each, which vanish one after the other.
	for (int k = 0; k < 4; ++k) {
		memcpy(r.a.lane[16 * k], k == 0 ? &big : &one, 4);
		for (int j = 0; j < 16; ++j) {
			memcpy(r.b.lane[16 * k + j], &one, 4);
		}
	}
	const bool ran = run_mfma_f32_16x16x4f32(r, modifiers{});
	float got;
	memcpy(&got, r.c.lane[0], 4);
	result("order/k-ascending", ran && got == big, "%g", (double)got);

	memcpy(r.a.lane[0], &one, 4);
	memcpy(r.a.lane[48], &big, 4);
	memset(&r.c, 0, sizeof r.c);
	run_mfma_f32_16x16x4f32(r, modifiers{});
	memcpy(&got, r.c.lane[0], 4);
	result("order/ones-first", got == big + 4 || got == big + 2, "%g", (double)got);
}

static void check_refusals()
{
	static registers r;
	result("refuses/cbsz-of-one-block",
		!run_mfma_f32_16x16x16f16(r, modifiers{1, 0, 0, false, false, {}}), "it ran");
	result("refuses/abid-without-such-a-set",
		!run_smfmac_f32_16x16x32_f16(r, modifiers{0, 4, 0, false, false, {}}), "it ran");
	result("refuses/format-of-mfma-scale",
		!run_mfma_scale_f32_16x16x128_f8f6f4(r, modifiers{0, 0, 5, false, false, {}}),
		"it ran");
	result("refuses/blgp-of-fp8",
		!run_mfma_f32_16x16x32_fp8_fp8(r, modifiers{0, 0, 1, false, false, {}}), "it ran");
	memset(&r, 0, sizeof r);
	r.a.lane[17][0] = 1;
	result("refuses/unequal-copies", !run_wmma_f32_16x16x16_f16_w32(r, modifiers{}), "it ran");
}

// Constant zeros for both scales are no scales; a scale of 0xff is a NaN.
static void check_scales()
{
	static registers r;
	memset(&r, 0, sizeof r);
	r.a.set(where{0, 0}, 8, encode(scaled_formats[0], 2));
	r.b.set(where{0, 0}, 8, encode(scaled_formats[0], 3));
	float got;
	const bool ran = run_mfma_scale_f32_16x16x128_f8f6f4(r, modifiers{});
	memcpy(&got, r.c.lane[0], 4);
	result("scale/none", ran && got == 6, "%g", (double)got);
	r.scale[0][0] = 0xff << 16;
	r.scale[1][0] = 127;
	run_mfma_scale_f32_16x16x128_f8f6f4(r, modifiers{0, 0, 0, false, false, {2, 0}});
	memcpy(&got, r.c.lane[0], 4);
	result("scale/nan", got != got, "%g", (double)got);
}

static void check_clamp()
{
	static registers r;
	memset(&r, 0, sizeof r);
	for (int l = 0; l < 32; ++l) {
		memset(r.a.lane[l], 0x7f, 16);
		memset(r.b.lane[l], 0x7f, 16);
		const int c = INT32_MAX - 5;
		memcpy(r.c.lane[l], &c, 4);
	}
	registers wrapped = r;
	int got;
	run_wmma_i32_16x16x16_iu8_w32<true, true>(r, modifiers{0, 0, 0, false, true, {}});
	memcpy(&got, r.c.lane[0], 4);
	result("clamp/saturates", got == INT32_MAX, "%d", got);
	run_wmma_i32_16x16x16_iu8_w32<true, true>(wrapped, modifiers{});
	memcpy(&got, wrapped.c.lane[0], 4);
	result("clamp/wraps", (unsigned)got == (unsigned)INT32_MAX - 5 + 16 * 127 * 127, "%d", got);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		check_by_file(argv[1]);
		return failures != 0;
	}
	for (const matrix_op &op : ops) {
#if defined(__gfx1200__)
		const bool here = op.family == 'D' || op.family == 'P';
#elif defined(__gfx950__)
		const bool here = op.family != 'D' && op.family != 'P';
#else
		const bool here = op.family != 'D' && op.family != 'P' && op.family != 'X';
#endif
		if (here) {
			check_by_formulas(op);
		}
	}
	check_order();
	check_refusals();
	check_scales();
	check_clamp();
	return failures != 0;
}
