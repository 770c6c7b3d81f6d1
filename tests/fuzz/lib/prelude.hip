// What random kernels stand on: HIP's words for the device compile, stand-ins for one lane on the
// host. The order of what can be observed (trace, barriers, calls without a body) goes into one
// hash there. WAVES: whole waves, run by unphi verify; each lane has outputs and LDS of its own.
// What hides values from LLVM and keeps ifs apart is nothing there; __NVCC__ asks for macros, and
// is left out of half of the units.
#if defined(WAVES) && !defined(__AMDGCN__)
#include <hip/hip_runtime.h>
#elif defined(__HIP__)
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#else
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define __global__ static
#define __device__ static
#define __shared__ static
#define __restrict__ /* the stand-ins read what kernels write */
#define __builtin_amdgcn_wave_barrier() ((void)0)
#define __builtin_amdgcn_readfirstlane(x) (x)
#define asm
#define volatile(...) ((void)0) /* asm volatile("" : "+v"(x)) */
#endif
typedef float f4 __attribute__((ext_vector_type(4)));
typedef float f16 __attribute__((ext_vector_type(16)));
typedef unsigned u4 __attribute__((ext_vector_type(4)));
struct pt {
	int a;
	float b;
};
struct dim {
	unsigned x, y, z;
};
#ifdef WAVES
#define METHOD __device__
#if defined(__AMDGCN__) && defined(BODIES)
#define threadIdx dim{__builtin_amdgcn_workitem_id_x(), 0u, 0u}
#define blockIdx dim{__builtin_amdgcn_workgroup_id_x(), 0u, 0u}
#elif defined(__AMDGCN__)
extern const __device__ dim threadIdx, blockIdx;
#endif
__device__ inline unsigned &traced()
{
	__shared__ unsigned of[64];
	return of[threadIdx.x];
}
__device__ inline void trace(unsigned v) { traced() = (traced() ^ v) * 0x1000193u; }
__device__ inline void barrier()
{
	__builtin_amdgcn_wave_barrier();
	trace(1u);
}
__device__ inline int first_lane(int v) { return __builtin_amdgcn_readfirstlane(v); }
#ifdef BODIES
__device__ __attribute__((noinline)) unsigned opaque(unsigned v)
{
	trace(v);
	return v * 7u + 3u;
}
#else
__device__ unsigned opaque(unsigned);
#endif
#if defined(APART) || !(defined(__gfx90a__) || defined(__gfx942__) || defined(__gfx950__))
__device__ inline f4 mma(float a, float b, f4 c)
{
	return f4{c.y + a, c.z - b, c.w + a, c.x * 0.5f};
}
#else
__device__ inline f4 mma(float a, float b, f4 c)
{
	return __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, c, 0, 0, 0);
}
#endif
#elif defined(__HIP__)
#define METHOD __attribute__((device))
extern const __device__ dim threadIdx, blockIdx;
__device__ unsigned trace_at;
__device__ unsigned trace_log[256];
__device__ inline void trace(unsigned v) { trace_log[trace_at++ & 255u] = v; }
__device__ inline void barrier() { __builtin_amdgcn_s_barrier(); }
__device__ inline int first_lane(int v) { return __builtin_amdgcn_readfirstlane(v); }
__device__ unsigned opaque(unsigned);
__device__ inline f4 mma(float a, float b, f4 c)
{
	return __builtin_amdgcn_mfma_f32_16x16x4f32(a, b, c, 0, 0, 0);
}
#else
#define METHOD
static dim threadIdx, blockIdx;
static struct {
	float f[64];
	unsigned u[64];
} out;
static unsigned long long events;
static void note(const void *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		events = (events ^ ((const unsigned char *)p)[i]) * 0x100000001b3ull;
	}
}
static bool is_nan(unsigned bits) { return (bits & 0x7fffffffu) > 0x7f800000u; }
// the sign and payload of a NaN are nobody's promise
static void note_out()
{
	for (unsigned i = 0; i < 64; i++) {
		unsigned bits;
		memcpy(&bits, &out.f[i], 4);
		bits = is_nan(bits) ? 0x7fc00000u : bits;
		note(&bits, 4);
	}
	note(out.u, sizeof(out.u));
}
static void trace(unsigned v) { note(&v, 4); }
static void barrier() { note_out(); }
static int first_lane(int v) { return v; }
static unsigned opaque(unsigned v)
{
	note_out();
	out.u[v & 63u] += 3u;
	return v * 7u + out.u[(v + 1u) & 63u];
}
/* Never inlined: no compiler joins what is in a matrix operation with a multiply or an add. */
__attribute__((noinline)) static f4 mma(float a, float b, f4 c)
{
	return f4{c.y + a, c.z - b, c.w + a, c.x * 0.5f};
}
#endif
__device__ inline float fmix(float a, float b) { return a > b ? a - b : b + 0.25f; }
__device__ inline unsigned umix(unsigned a, unsigned b) { return (a << 3) ^ (b >> 2) ^ 0x9e37u; }
__device__ inline f4 turn(f4 v) { return v.yzwx; }
__device__ inline void fbump(float &r, float v) { r = r > v ? v : r + 1.0f; }
__device__ inline unsigned ubump(unsigned &r) { return r = r * 5u + 1u; }
struct keeper {
	unsigned *to;
	unsigned v;
	METHOD ~keeper() { *to += v; }
};
struct chooser {
	unsigned v;
	METHOD operator bool() const { return (v & 1u) != 0; }
};
struct number {
	unsigned v;
	METHOD operator unsigned() const { return v & 3u; }
};
template <class T, T V> struct integral_constant {
	static constexpr T value = V;
	METHOD constexpr operator T() const { return V; }
};
enum number_name { NUMBER_TWO = 2 };
constexpr unsigned NUMBER_THREE = 3;

template <int N> struct fixed {
	static constexpr int by = 2 * N + 1;
};
// narrow functions that need a flag at compile time
template <bool Q> __device__ inline float narrow_by(float x)
{
	float w[fixed<Q>::by] = {x};
	return w[0] + fixed<Q>::by;
}
template <bool Q> __device__ inline float narrow_product(float x)
{
	float w[fixed<Q>::by] = {x};
	return w[0] * (x - fixed<Q>::by);
}
template <bool Q, bool R> __device__ inline void narrow_set(float &x, float y)
{
	float w[fixed<Q>::by + fixed<R>::by] = {y};
	x = x * 0.5f + w[0];
}
template <class T> struct span {
	T *at;
	int n;
	METHOD span(T *a, int m) : at(a), n(m) {}
	METHOD T &operator[](int i) const { return at[i]; }
	METHOD T *begin() const { return at; }
	METHOD T *end() const { return at + n; }
};
template <class T, int N> class grid {
	T cell[N];

public:
	METHOD T &operator[](int i) { return cell[i]; }
	METHOD T *begin() { return cell; }
	METHOD T *end() { return cell + N; }
};
/* A call of its operator[] writes, besides what is written to the element. */
template <class T, int N> struct counted {
	T cell[N];
	unsigned calls;
	METHOD counted() : calls(0) {}
	METHOD T &operator[](int i)
	{
		++calls;
		return cell[i];
	}
	METHOD T *begin() { return cell; }
	METHOD T *end() { return cell + N; }
};
#define MACRO_IF(c) if (c)
#define MACRO_CASE(x) case x
#define MACRO_ELSE else
#define TWICE(x) (x, x)
#define CALLED(...) __VA_ARGS__
#define SET(x, ...) x = __VA_ARGS__
#define ADD(x, ...) x += __VA_ARGS__
#define SUB(x, ...) x = x - (__VA_ARGS__)
#define BOTH(x, ...) x = x - (__VA_ARGS__); x = (__VA_ARGS__) - x
#define BLOCK(...) { __VA_ARGS__ }
#define ONCE(...) do { __VA_ARGS__ } while (0)
#define ITSELF(...) __VA_ARGS__
#define TRAILED(...) __VA_ARGS__ uo[1] += 2u;
#define ARGS                                                                               \
	float *fo, unsigned *uo, const float *fi, const unsigned *ui, const f4 *vi, int n, \
		int s, int t
#define ARGS_RESTRICT \
	float *__restrict__ fo, unsigned *__restrict__ uo, const float *__restrict__ fi, \
		const unsigned *__restrict__ ui, const f4 *__restrict__ vi, int n, int s, int t
#define PASS fo, uo, fi, ui, vi, n, s, t
