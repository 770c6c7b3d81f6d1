// factorial.hip by hand. Same arms: one body, and the if/else chooses the panel. Different arms on
// an accumulator that is chained: one body, in which what only the second arm does is conditional.
// Zeroed in the arm, and narrow: nothing to gain with different arms.

#include <hip/hip_runtime.h>

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));

constexpr int THREADS = 512;

// A wave multiplies its own rows, 16 x 16 a step, by a panel of N blocks of 16 columns that all
// waves share. Rows are kept as [step][thread], a panel as [block][lane], results as
// [block][thread] for each thread block or step.

__device__ f32x4 mma(f16x4 a, f16x4 b, f32x4 c)
{
	return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
}

template <int N> __device__ void zero(f32x4 (&acc)[N])
{
	for (int i = 0; i < N; ++i) {
		acc[i] = f32x4{0, 0, 0, 0};
	}
}

template <int N> __device__ void load(f32x4 (&acc)[N], const f32x4 *__restrict__ from)
{
	for (int i = 0; i < N; ++i) {
		acc[i] = from[i * THREADS + threadIdx.x];
	}
}

template <int N> __device__ void store(f32x4 *__restrict__ to, const f32x4 (&acc)[N])
{
	for (int i = 0; i < N; ++i) {
		to[i * THREADS + threadIdx.x] = acc[i];
	}
}

template <int N> __device__ void multiply(f32x4 (&acc)[N], f16x4 a, const f16x4 *__restrict__ panel)
{
	for (int i = 0; i < N; ++i) {
		acc[i] = mma(a, panel[i * 64 + threadIdx.x % 64], acc[i]);
	}
}

// Another computation with the same operands: the result so far decays, and the product of the
// squared rows is taken off before the product itself is added.
template <int N>
__device__ void decay_and_multiply(f32x4 (&acc)[N], f16x4 a, const f16x4 *__restrict__ panel)
{
	for (int i = 0; i < N; ++i) {
		const f16x4 b = panel[i * 64 + threadIdx.x % 64];
		acc[i] = mma(-a * a, b, acc[i] * 0.5f);
		acc[i] = mma(a, b, acc[i]);
	}
}

// Both computations at once: what only the second one does has a condition of its own.
template <int N>
__device__ void decay_and_multiply_if(
	bool decays, f32x4 (&acc)[N], f16x4 a, const f16x4 *__restrict__ panel)
{
	for (int i = 0; i < N; ++i) {
		const f16x4 b = panel[i * 64 + threadIdx.x % 64];
		if (decays) {
			acc[i] = mma(-a * a, b, acc[i] * 0.5f);
		}
		acc[i] = mma(a, b, acc[i]);
	}
}

// 4 VGPRs: nothing to gain, whatever the arms.
namespace narrow
{
constexpr int N = 1;

__global__ void __launch_bounds__(THREADS) same_chained_once(const f16x4 *__restrict__ rows,
	const f16x4 *__restrict__ left, const f16x4 *__restrict__ right,
	const f32x4 *__restrict__ start, f32x4 *__restrict__ out, int split)
{
	const f16x4 a = rows[blockIdx.x * THREADS + threadIdx.x];
	f32x4 acc[N];

	load(acc, start + blockIdx.x * N * THREADS);
	if ((int)blockIdx.x < split) {
		multiply(acc, a, left);
	} else {
		multiply(acc, a, right);
	}
	store(out + blockIdx.x * N * THREADS, acc);
}

__global__ void __launch_bounds__(THREADS)
	same_zeroed_once(const f16x4 *__restrict__ rows, const f16x4 *__restrict__ left,
		const f16x4 *__restrict__ right, f32x4 *__restrict__ out, int split)
{
	const f16x4 a = rows[blockIdx.x * THREADS + threadIdx.x];
	f32x4 acc[N];

	if ((int)blockIdx.x < split) {
		zero(acc);
		multiply(acc, a, left);
	} else {
		zero(acc);
		multiply(acc, a, right);
	}
	store(out + blockIdx.x * N * THREADS, acc);
}

__global__ void __launch_bounds__(THREADS)
	different_chained_once(const f16x4 *__restrict__ rows, const f16x4 *__restrict__ panel,
		const f32x4 *__restrict__ start, f32x4 *__restrict__ out, int split)
{
	const f16x4 a = rows[blockIdx.x * THREADS + threadIdx.x];
	f32x4 acc[N];

	load(acc, start + blockIdx.x * N * THREADS);
	if ((int)blockIdx.x < split) {
		multiply(acc, a, panel);
	} else {
		decay_and_multiply(acc, a, panel);
	}
	store(out + blockIdx.x * N * THREADS, acc);
}

__global__ void __launch_bounds__(THREADS) different_zeroed_once(const f16x4 *__restrict__ rows,
	const f16x4 *__restrict__ panel, f32x4 *__restrict__ out, int split)
{
	const f16x4 a = rows[blockIdx.x * THREADS + threadIdx.x];
	f32x4 acc[N];

	if ((int)blockIdx.x < split) {
		zero(acc);
		multiply(acc, a, panel);
	} else {
		zero(acc);
		decay_and_multiply(acc, a, panel);
	}
	store(out + blockIdx.x * N * THREADS, acc);
}

__global__ void __launch_bounds__(THREADS) same_chained_loop(const f16x4 *__restrict__ rows,
	const f16x4 *__restrict__ left, const f16x4 *__restrict__ right,
	const f32x4 *__restrict__ start, f32x4 *__restrict__ out, int split, int steps)
{
	f32x4 acc[N];

	load(acc, start);
	for (int t = 0; t < steps; ++t) {
		const f16x4 a = rows[t * THREADS + threadIdx.x];
		if (t < split) {
			multiply(acc, a, left);
		} else {
			multiply(acc, a, right);
		}
	}
	store(out, acc);
}

__global__ void __launch_bounds__(THREADS)
	same_zeroed_loop(const f16x4 *__restrict__ rows, const f16x4 *__restrict__ left,
		const f16x4 *__restrict__ right, f32x4 *__restrict__ out, int split, int steps)
{
	f32x4 acc[N];

	for (int t = 0; t < steps; ++t) {
		const f16x4 a = rows[t * THREADS + threadIdx.x];
		if (t < split) {
			zero(acc);
			multiply(acc, a, left);
		} else {
			zero(acc);
			multiply(acc, a, right);
		}
		store(out + t * N * THREADS, acc);
	}
}

__global__ void __launch_bounds__(THREADS)
	different_chained_loop(const f16x4 *__restrict__ rows, const f16x4 *__restrict__ panel,
		const f32x4 *__restrict__ start, f32x4 *__restrict__ out, int split, int steps)
{
	f32x4 acc[N];

	load(acc, start);
	for (int t = 0; t < steps; ++t) {
		const f16x4 a = rows[t * THREADS + threadIdx.x];
		if (t < split) {
			multiply(acc, a, panel);
		} else {
			decay_and_multiply(acc, a, panel);
		}
	}
	store(out, acc);
}

__global__ void __launch_bounds__(THREADS) different_zeroed_loop(const f16x4 *__restrict__ rows,
	const f16x4 *__restrict__ panel, f32x4 *__restrict__ out, int split, int steps)
{
	f32x4 acc[N];

	for (int t = 0; t < steps; ++t) {
		const f16x4 a = rows[t * THREADS + threadIdx.x];
		if (t < split) {
			zero(acc);
			multiply(acc, a, panel);
		} else {
			zero(acc);
			decay_and_multiply(acc, a, panel);
		}
		store(out + t * N * THREADS, acc);
	}
}

} // namespace narrow

// 128 VGPRs: here it explodes.
namespace wide
{
constexpr int N = 32;

__global__ void __launch_bounds__(THREADS) same_chained_once(const f16x4 *__restrict__ rows,
	const f16x4 *__restrict__ left, const f16x4 *__restrict__ right,
	const f32x4 *__restrict__ start, f32x4 *__restrict__ out, int split)
{
	const f16x4 a = rows[blockIdx.x * THREADS + threadIdx.x];
	f32x4 acc[N];

	load(acc, start + blockIdx.x * N * THREADS);
	const f16x4 *const panel = (int)blockIdx.x < split ? left : right;
	multiply(acc, a, panel);
	store(out + blockIdx.x * N * THREADS, acc);
}

__global__ void __launch_bounds__(THREADS)
	same_zeroed_once(const f16x4 *__restrict__ rows, const f16x4 *__restrict__ left,
		const f16x4 *__restrict__ right, f32x4 *__restrict__ out, int split)
{
	const f16x4 a = rows[blockIdx.x * THREADS + threadIdx.x];
	f32x4 acc[N];

	const f16x4 *const panel = (int)blockIdx.x < split ? left : right;
	zero(acc);
	multiply(acc, a, panel);
	store(out + blockIdx.x * N * THREADS, acc);
}

__global__ void __launch_bounds__(THREADS)
	different_chained_once(const f16x4 *__restrict__ rows, const f16x4 *__restrict__ panel,
		const f32x4 *__restrict__ start, f32x4 *__restrict__ out, int split)
{
	const f16x4 a = rows[blockIdx.x * THREADS + threadIdx.x];
	f32x4 acc[N];

	load(acc, start + blockIdx.x * N * THREADS);
	decay_and_multiply_if((int)blockIdx.x >= split, acc, a, panel);
	store(out + blockIdx.x * N * THREADS, acc);
}

__global__ void __launch_bounds__(THREADS) different_zeroed_once(const f16x4 *__restrict__ rows,
	const f16x4 *__restrict__ panel, f32x4 *__restrict__ out, int split)
{
	const f16x4 a = rows[blockIdx.x * THREADS + threadIdx.x];
	f32x4 acc[N];

	if ((int)blockIdx.x < split) {
		zero(acc);
		multiply(acc, a, panel);
	} else {
		zero(acc);
		decay_and_multiply(acc, a, panel);
	}
	store(out + blockIdx.x * N * THREADS, acc);
}

__global__ void __launch_bounds__(THREADS) same_chained_loop(const f16x4 *__restrict__ rows,
	const f16x4 *__restrict__ left, const f16x4 *__restrict__ right,
	const f32x4 *__restrict__ start, f32x4 *__restrict__ out, int split, int steps)
{
	f32x4 acc[N];

	load(acc, start);
	for (int t = 0; t < steps; ++t) {
		const f16x4 a = rows[t * THREADS + threadIdx.x];
		const f16x4 *const panel = t < split ? left : right;
		multiply(acc, a, panel);
	}
	store(out, acc);
}

__global__ void __launch_bounds__(THREADS)
	same_zeroed_loop(const f16x4 *__restrict__ rows, const f16x4 *__restrict__ left,
		const f16x4 *__restrict__ right, f32x4 *__restrict__ out, int split, int steps)
{
	f32x4 acc[N];

	for (int t = 0; t < steps; ++t) {
		const f16x4 a = rows[t * THREADS + threadIdx.x];
		const f16x4 *const panel = t < split ? left : right;
		zero(acc);
		multiply(acc, a, panel);
		store(out + t * N * THREADS, acc);
	}
}

__global__ void __launch_bounds__(THREADS)
	different_chained_loop(const f16x4 *__restrict__ rows, const f16x4 *__restrict__ panel,
		const f32x4 *__restrict__ start, f32x4 *__restrict__ out, int split, int steps)
{
	f32x4 acc[N];

	load(acc, start);
	for (int t = 0; t < steps; ++t) {
		const f16x4 a = rows[t * THREADS + threadIdx.x];
		decay_and_multiply_if(t >= split, acc, a, panel);
	}
	store(out, acc);
}

__global__ void __launch_bounds__(THREADS) different_zeroed_loop(const f16x4 *__restrict__ rows,
	const f16x4 *__restrict__ panel, f32x4 *__restrict__ out, int split, int steps)
{
	f32x4 acc[N];

	for (int t = 0; t < steps; ++t) {
		const f16x4 a = rows[t * THREADS + threadIdx.x];
		if (t < split) {
			zero(acc);
			multiply(acc, a, panel);
		} else {
			zero(acc);
			decay_and_multiply(acc, a, panel);
		}
		store(out + t * N * THREADS, acc);
	}
}

} // namespace wide

// start holds steps * 32 * THREADS values, out eight parts of as many, for each width.
void launch_narrow(const f16x4 *rows, const f16x4 *left, const f16x4 *right, const f32x4 *start,
	f32x4 *out, int split, int steps)
{
	using namespace narrow;
	const size_t part = (size_t)steps * N * THREADS;

	same_chained_once<<<steps, THREADS>>>(rows, left, right, start, out, split);
	same_zeroed_once<<<steps, THREADS>>>(rows, left, right, out + part, split);
	different_chained_once<<<steps, THREADS>>>(rows, left, start, out + 2 * part, split);
	different_zeroed_once<<<steps, THREADS>>>(rows, left, out + 3 * part, split);
	same_chained_loop<<<1, THREADS>>>(rows, left, right, start, out + 4 * part, split, steps);
	same_zeroed_loop<<<1, THREADS>>>(rows, left, right, out + 5 * part, split, steps);
	different_chained_loop<<<1, THREADS>>>(rows, left, start, out + 6 * part, split, steps);
	different_zeroed_loop<<<1, THREADS>>>(rows, left, out + 7 * part, split, steps);
}

void launch_wide(const f16x4 *rows, const f16x4 *left, const f16x4 *right, const f32x4 *start,
	f32x4 *out, int split, int steps)
{
	using namespace wide;
	const size_t part = (size_t)steps * N * THREADS;

	same_chained_once<<<steps, THREADS>>>(rows, left, right, start, out, split);
	same_zeroed_once<<<steps, THREADS>>>(rows, left, right, out + part, split);
	different_chained_once<<<steps, THREADS>>>(rows, left, start, out + 2 * part, split);
	different_zeroed_once<<<steps, THREADS>>>(rows, left, out + 3 * part, split);
	same_chained_loop<<<1, THREADS>>>(rows, left, right, start, out + 4 * part, split, steps);
	same_zeroed_loop<<<1, THREADS>>>(rows, left, right, out + 5 * part, split, steps);
	different_chained_loop<<<1, THREADS>>>(rows, left, start, out + 6 * part, split, steps);
	different_zeroed_loop<<<1, THREADS>>>(rows, left, out + 7 * part, split, steps);
}
