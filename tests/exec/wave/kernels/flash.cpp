// Attention by every variant against softmax(Q K^T scale) V in double precision.
#include KERNEL

#include "../test.h"

// Weights are rounded to half precision on their way into the second product: 2^-11 of each, and V is
// within 1, so the weighted mean is off by at most 2^-11 = 4.9e-4; sums and exponentials in float add
// less than 1e-5. In two phases weights below 2^-14 lose bits as subnormals, 2^-25 for each of 128
// keys before the division by the sum: less than that again.
static const double tolerance = 5.5e-4;

static const int ROWS = 128;
static const int KEYS = 128;
static const int PARTS = 2;
static const float SCALE = 0.2f; // times log2(e): large enough for weights far apart

struct inputs {
	buffer<_Float16> q = buffer<_Float16>((size_t)ROWS * DIM, (_Float16)NAN);
	buffer<_Float16> k = buffer<_Float16>((size_t)KEYS * DIM, (_Float16)NAN);
	buffer<_Float16> v = buffer<_Float16>((size_t)KEYS * DIM, (_Float16)NAN);
};

static void expected(double (&out)[ROWS][DIM], const inputs &in)
{
	static double weight[KEYS];
	for (int i = 0; i < ROWS; ++i) {
		double top = -INFINITY, sum = 0;
		for (int j = 0; j < KEYS; ++j) {
			weight[j] = 0;
			for (int d = 0; d < DIM; ++d) {
				weight[j] += (double)in.q[(size_t)i * DIM + d] *
					     (double)in.k[(size_t)j * DIM + d];
			}
			weight[j] *= (double)SCALE;
			top = fmax(top, weight[j]);
		}
		for (int j = 0; j < KEYS; ++j) {
			weight[j] = exp2(weight[j] - top);
			sum += weight[j];
		}
		for (int d = 0; d < DIM; ++d) {
			out[i][d] = 0;
			for (int j = 0; j < KEYS; ++j) {
				out[i][d] += weight[j] / sum * (double)in.v[(size_t)d * KEYS + j];
			}
		}
	}
}

static double want[ROWS][DIM];

static void compare(const char *name, bool ran, const buffer<float> &out)
{
	double worst = 0;
	for (int i = 0; i < ROWS; ++i) {
		for (int d = 0; d < DIM; ++d) {
			const double off = fabs(want[i][d] - (double)out[(size_t)i * DIM + d]);
			worst = off <= worst ? worst : off; // a NaN is the worst
		}
	}
	printf("# %s: off by %g\n", name, worst);
	result(name, ran && worst <= tolerance, "off by %g, more than %g", worst, tolerance);
}

typedef void whole(const _Float16 *, const _Float16 *, const _Float16 *, float *, int, float);
typedef void partial(const _Float16 *, const _Float16 *, const _Float16 *, float *, float2 *, int,
	int, float);
typedef void first(const _Float16 *, const _Float16 *, float2 *, int, float);
typedef void second(const _Float16 *, const _Float16 *, const _Float16 *, const float2 *, float *,
	int, int, float);

static const dim3 blocks(ROWS / BLOCK_M), threads_merge(256), blocks_merge(ROWS *DIM / 4 / 256);

static void check_whole(const char *name, whole *run, int threads, const inputs &in)
{
	buffer<float> out((size_t)ROWS * DIM, NAN);
	const bool ran = unphi::launch(blocks, dim3(threads), 0, 64, [&] {
		run(in.q.data(), in.k.data(), in.v.data(), out.data(), KEYS, SCALE);
	});
	compare(name, ran, out);
}

static void check_parts(const char *name, partial *run, int threads, const inputs &in)
{
	buffer<float> part((size_t)PARTS * ROWS * DIM, NAN), out((size_t)ROWS * DIM, NAN);
	buffer<float2> stats((size_t)PARTS * ROWS, float2{NAN, NAN});
	bool ran = unphi::launch(dim3(blocks.x, PARTS), dim3(threads), 0, 64, [&] {
		run(in.q.data(), in.k.data(), in.v.data(), part.data(), stats.data(), ROWS, KEYS,
			SCALE);
	});
	ran = ran && unphi::launch(blocks_merge, threads_merge, 0, 64, [&] {
		flash_merge((const f32x4 *)part.data(), stats.data(), (f32x4 *)out.data(), ROWS,
			PARTS);
	});
	compare(name, ran, out);
}

static void check_phases(
	const char *name, first *one, second *two, int threads, int parts, const inputs &in)
{
	buffer<float> part((size_t)parts * ROWS * DIM, NAN), out((size_t)ROWS * DIM, NAN);
	buffer<float2> stats((size_t)ROWS, float2{NAN, NAN});
	bool ran = unphi::launch(blocks, dim3(threads), 0, 64, [&] {
		one(in.q.data(), in.k.data(), stats.data(), KEYS, SCALE);
	});
	ran = ran && unphi::launch(dim3(blocks.x, parts), dim3(threads), 0, 64, [&] {
		two(in.q.data(), in.k.data(), in.v.data(), stats.data(), part.data(), ROWS, KEYS,
			SCALE);
	});
	ran = ran && unphi::launch(blocks_merge, threads_merge, 0, 64, [&] {
		flash_sum((const f32x4 *)part.data(), (f32x4 *)out.data(), ROWS, parts);
	});
	compare(name, ran, out);
}

int main()
{
	static inputs in;
	random_numbers random(3);
	for (size_t i = 0; i < (size_t)ROWS * DIM; ++i) {
		in.q[i] = (_Float16)random.unit();
	}
	for (size_t i = 0; i < (size_t)KEYS * DIM; ++i) {
		in.k[i] = (_Float16)random.unit();
		in.v[i] = (_Float16)random.unit();
	}
	expected(want, in);
	check_whole("online", flash_online, 64, in);
	check_whole("reload", flash_reload, 64, in);
	check_parts("split", flash_part, 64, in);
	check_phases("two-phase", flash_statistics, flash_values, 64, 1, in);
	check_phases("split-two-phase", flash_statistics, flash_values, 64, PARTS, in);
#if BLOCK_M == 128
	check_whole("online-4", flash_online_4, 256, in);
	check_whole("reload-4", flash_reload_4, 256, in);
	check_parts("split-4", flash_part_4, 256, in);
	check_phases("two-phase-4", flash_statistics_4, flash_values_4, 256, 1, in);
	check_phases("split-two-phase-4", flash_statistics_4, flash_values_4, 256, PARTS, in);
#endif
	return failures != 0;
}
