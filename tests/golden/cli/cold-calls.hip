// Calls from which a kernel cannot go on to its end: what they do is not counted, and the figures
// hold. Where a call may return, or cannot be followed, the message names the callee.
//
// REQUIRES: hipcc
// RUN: %exits 3 %unphi measure %s --target gfx90a -- -nogpuinc -nogpulib > %t.txt 2> %t.err
// RUN: %FileCheck %s < %t.txt
// RUN: %FileCheck %s --check-prefix=ERR < %t.err
// clang 21 asks which of both it is, and calls each by its name.
// RUN: not-trusted() { grep -q '^either (not trusted)' %t.txt && grep -q 'either for gfx90a are not trusted: a call is left in it (s_swappc), and its callee is unknown' %t.err; }; not-trusted || ! hipcc --version | grep -q 'clang version 15'

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __noinline__ __attribute__((noinline))

static __device__ __noinline__ void stop(float *p, int line)
{
	*(volatile float *)p = line;
	__builtin_trap();
}
// Its address comes from a table.
extern __device__ __noinline__ __attribute__((weak)) void stop_shared(float *p)
{
	*(volatile float *)p = 5;
	__builtin_trap();
}
static __device__ __noinline__ float log_and_go(volatile float *p, int line)
{
	for (int i = 0; i < line; i++) {
		p[i] = p[2 * i] * 3;
	}
	return p[4];
}
static __device__ __noinline__ void work(volatile float *p)
{
	p[1] = p[2] * 3;
	__builtin_amdgcn_endpgm();
}
static __device__ __noinline__ void forever(volatile float *p)
{
	for (;;) {
		p[1] += 1;
	}
}
__device__ void elsewhere(float *p);
static __device__ __noinline__ void stop_elsewhere(float *p)
{
	elsewhere(p);
	__builtin_trap();
}

// CHECK: {{^}}absent (not trusted) gfx90a
// ERR-DAG: absent for gfx90a are not trusted: a call to 'elsewhere' is left in it (s_swappc), whose code is not in the compiler's output
__global__ void absent(float *p, int n)
{
	if (n > 3) {
		elsewhere(p);
		__builtin_trap();
	}
	p[n] = 3;
}
// CHECK: {{^}}absent_below (not trusted) gfx90a
// ERR-DAG: absent_below for gfx90a are not trusted: a call to 'stop_elsewhere' is left in it (s_swappc): in this, a call to 'elsewhere' is left
__global__ void absent_below(float *p, int n)
{
	if (n > 3) {
		stop_elsewhere(p);
	}
	p[n] = 3;
}
// CHECK: {{^}}cold gfx90a
__global__ void cold(float *p, int n)
{
	if (n > 3) {
		stop(p, __LINE__);
	}
	if (p[__builtin_amdgcn_workitem_id_x()] > 2) {
		stop(p, __LINE__);
	}
	p[n] = 3;
}
// CHECK: {{^}}cold_behind gfx90a
__global__ void cold_behind(float *p, int n)
{
	if (n > 3) {
		p[1] = log_and_go(p, n);
		p[2] = log_and_go(p, n + 1);
		__builtin_trap();
	}
	p[n] = 3;
}
// The address of what it calls is made once, and kept over the calls.
static __device__ __noinline__ void stop_loud(volatile float *p, int n)
{
	for (int i = 0; i < n; i++) {
		if (log_and_go(p, i) > 3) {
			p[i] = log_and_go(p + i, n);
		}
	}
	__builtin_trap();
}
// CHECK: {{^}}cold_loud gfx90a
__global__ void cold_loud(float *p, int n)
{
	if (n > 3) {
		stop_loud(p, n);
		__builtin_unreachable();
	}
	p[n] = 3;
}
// CHECK: {{^}}cold_shared gfx90a
__global__ void cold_shared(float *p, int n)
{
	if (n > 3) {
		stop_shared(p);
		__builtin_unreachable();
	}
	p[n] = 3;
}
// Two addresses come to one call.
static __device__ __noinline__ float log_twice(volatile float *p, int line)
{
	return p[line] * p[2 * line];
}
// CHECK: {{^}}either {{.*}}gfx90a
__global__ void either(volatile float *p, int n)
{
	if (n > 3) {
		float (*f)(volatile float *, int) = n > 5 ? log_and_go : log_twice;
		for (int i = 0; i < n; i++) {
			p[i] = f(p, i);
		}
		__builtin_trap();
	}
	p[n] = 3;
}
// CHECK: {{^}}ends (not trusted) gfx90a
// ERR-DAG: ends for gfx90a are not trusted: a call to 'work' is left in it (s_swappc) and may return
__global__ void ends(float *p, int n)
{
	work(p);
}
// CHECK: {{^}}pointer (not trusted) gfx90a
// ERR-DAG: pointer for gfx90a are not trusted: a call is left in it (s_swappc), and its callee is unknown
__global__ void pointer(float *p, void (*f)(float *))
{
	if (p[1] > 3) {
		f(p);
		__builtin_trap();
	}
	p[0] = 3;
}
// CHECK: {{^}}turns (not trusted) gfx90a
// ERR-DAG: turns for gfx90a are not trusted: a call to 'forever' is left in it (s_swappc) and may return
__global__ void turns(float *p)
{
	forever(p);
}
// CHECK: {{^}}warm (not trusted) gfx90a
// ERR-DAG: warm for gfx90a are not trusted: a call to 'log_and_go' is left in it (s_swappc) and may return, so what it does is not counted
__global__ void warm(float *p, int n)
{
	if (n > 3) {
		p[4] = log_and_go(p, n);
	}
	p[n] = 3;
}
