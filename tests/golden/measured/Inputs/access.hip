// Accesses of one lane side by side, with control flow between them: LLVM merges what stands in one
// block, and leaves these apart.
#include <hip/hip_runtime.h>

__device__ inline int lane()
{
#if __has_builtin(__builtin_amdgcn_workitem_id_x)
	return (int)(__builtin_amdgcn_workgroup_id_x() * 64 + __builtin_amdgcn_workitem_id_x());
#else
	return (int)(blockIdx.x * 64 + threadIdx.x);
#endif
}

// as much as keeps an if an if
__device__ float series(const float *__restrict__ w, float x)
{
	float s = 0;
	for (int k = 0; k < (int)x; k++) {
		s = s * x + w[k];
	}
	return s;
}

// FOUND: loads in a loop, told to be aligned.
__global__ void loop_loads(const float *__restrict__ in, float *__restrict__ q,
	const float *__restrict__ w)
{
	const int t = lane();
	const float *p = (const float *)__builtin_assume_aligned(in, 16);
	float s = 0;
#pragma unroll
	for (int i = 0; i < 4; i++) {
		const float x = p[4 * t + i];
		if (x > 0) {
			s += series(w, x);
		}
	}
	q[t] = s;
}

// FOUND: loads between statements, of a vector's elements.
__global__ void block_loads(const float4 *__restrict__ v, float *__restrict__ q,
	const float *__restrict__ w)
{
	const int t = lane();
	const float *p = (const float *)(v + t);
	float s = p[0];
	if (s < 3) {
		s += series(w, s);
	}
	s += p[1];
	if (s > 1) {
		s -= series(w, s);
	}
	q[t] = s * p[3] - *(p + 2);
}

// FOUND: stores of halves in a loop; unsigned indices that cannot wrap in between.
__global__ void half_stores(const float *__restrict__ p, _Float16 *__restrict__ out,
	const float *__restrict__ w)
{
	_Float16 *q = (_Float16 *)__builtin_assume_aligned(out, 16);
	const unsigned t = (unsigned)lane();
	for (unsigned i = 0; i < 8; i++) {
		float x = p[t + i * 64];
		if (x > 0) {
			x = series(w, x);
		}
		q[t * 8 + i] = (_Float16)x;
	}
}

// REFUSED: nothing tells the alignment.
__global__ void unaligned(const float *__restrict__ p, float *__restrict__ q,
	const float *__restrict__ w)
{
	const int t = lane();
	float s = 0;
	for (int i = 0; i < 4; i++) {
		const float x = p[4 * t + i];
		if (x > 0) {
			s += series(w, x);
		}
	}
	q[t] = s;
}

// REFUSED: what is stored may be what is loaded next, and the other way round.
__global__ void aliased(const float4 *v, float *out)
{
	const int t = lane();
	const float *p = (const float *)(v + t);
	float *q = (float *)__builtin_assume_aligned(out, 16);
	for (int i = 0; i < 4; i++) {
		q[4 * t + i] = 2 * p[i];
	}
}

// REFUSED: volatile accesses stay as they are.
__global__ void volatile_loads(const volatile float4 *__restrict__ v, float *__restrict__ q)
{
	const int t = lane();
	const volatile float *p = (const volatile float *)(v + t);
	q[t] = p[0] + p[1];
	q[t + 64] = p[2] + p[3];
}

// REFUSED: a lane that leaves early does not read the rest.
__global__ void leaves(const float4 *__restrict__ v, float *__restrict__ q)
{
	const int t = lane();
	const float *p = (const float *)(v + t);
	const float x = p[0];
	if (x < 0) {
		return;
	}
	const float y = p[1];
	if (y < 0) {
		q[1] = x;
		return;
	}
	q[t] = x + y + p[2];
}

// NOTHING: every other element; one element of each of several lanes; guarded elements; a base
// that may wrap around.
__global__ void apart(const float4 *__restrict__ v, float *__restrict__ q, int n, unsigned base,
	const float *__restrict__ r, const float *__restrict__ w)
{
	const int t = lane();
	const float *p = (const float *)v + 8 * t;
	float s = p[0];
	if (s > 0) {
		s += series(w, s);
	}
	s += p[2];
	for (int i = 0; i < 4; i++) {
		const float x = r[t + 64 * i];
		if (x > 0) {
			s += series(w, x);
		}
	}
	for (int i = 0; i < 4; i++) {
		if (4 * t + i < n) {
			s += r[4 * t + i];
		}
	}
	q[t] = s + r[base] + r[base + 1] + r[base + 2] + r[base + 3];
}

// NOTHING: one block, so LLVM makes one instruction of it.
__global__ void merged(const float4 *__restrict__ v, float *__restrict__ q)
{
	const int t = lane();
	const float *p = (const float *)(v + t);
	q[t] = p[0] * p[1] + p[2] * p[3];
}
