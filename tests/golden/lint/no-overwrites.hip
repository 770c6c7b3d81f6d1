// What is no whole overwrite, or none for certain: each line is a kernel in both arms of which the value from
// before is read.
//
// RUN: grep -n '^KEPT(' %s | sed 's/:.*//' > %t.want
// RUN: %exits 1 %unphi lint %s --target gfx90a --threshold 16 --checks=-*,unphi-phi-explosion -- -nogpuinc > %t.txt
// RUN: sed -n "s/^[^']*hip:\([0-9]*\):.*and 2 read the value from before.*/\1/p" %t.txt | cmp - %t.want

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

typedef float f32x4 __attribute__((ext_vector_type(4)));
__device__ f32x4 mma(f32x4 a, float x) { return a * x + x; }
struct tile { f32x4 v[8];
  __device__ void fill(f32x4 x) { for (int i = 0; i < 8; i++) v[i] = x; }
  __device__ void fill7(f32x4 x) { for (int i = 0; i < 7; i++) v[i] = x; }
  __device__ void fill_n(f32x4 x, int n) { for (int i = 0; i < n; i++) v[i] = x; }
  __device__ void fill_break(f32x4 x, float *p) { for (auto &e : v) { e = x; if (p[0] > 1) break; } }
  __device__ void fill_cont(f32x4 x, float *p) { for (auto &e : v) { if (p[0] > 1) continue; e = x; } }
  __device__ void fill_ret(f32x4 x, float *p) { if (p[0] > 1) return; for (auto &e : v) { e = x; } }
  __device__ void fill_if(f32x4 x, float *p) { if (p[0] > 1) for (auto &e : v) { e = x; } }
  __device__ void fill_next(f32x4 x) { for (int i = 0; i < 8; i++) { v[i] = x; if (i < 7) v[i].x += v[i + 1].y; } }
  __device__ void fill_part(f32x4 x) { for (int i = 0; i < 8; i++) v[i].x = x.x; }
  __device__ f32x4 get(int i) { return v[i]; }
  __device__ f32x4 &operator[](int i) { return v[i]; }
  __device__ f32x4 &at2(int i) { return v[i & 3]; }
  __device__ tile &operator=(float x) { for (int i = 0; i < 8; i++) v[i] = f32x4{x,x,x,v[i].x}; return *this; }
  __device__ void work(float x) { for (int i = 0; i < 8; i++) v[i] = mma(v[i], x); }
  __device__ void shift(int s) { for (int i = 0; i < 8; i++) v[(i + s) & 7] = f32x4{}; }
  __device__ void swap(tile &o) { for (int i = 0; i < 8; i++) { v[i] = o.v[7 - i]; } }
  __device__ void rec(int n) { if (n) rec(n - 1); else fill(f32x4{}); }
};
struct withun { union { f32x4 a; f32x4 b; }; f32x4 c; f32x4 d[6]; };
#define KEPT(NAME, TYPE, A, U)                                                                                         \
	__global__ void NAME(float *p, const f32x4 *q, int n)                                                          \
	{                                                                                                              \
		TYPE t = {}, o = {}, &r = t;                                                                           \
		const int j0 = n & 1;                                                                                  \
		for (int i = 0; i < n; i++) {                                                                          \
			if (i & 1) {                                                                                   \
				A;                                                                                     \
			} else {                                                                                       \
				p[j0] = 1;                                                                             \
				A;                                                                                     \
			}                                                                                              \
			p[i] = U;                                                                              \
		}                                                                                                      \
	}
#define TILE t.v[0].x + t.v[7].y + o.v[1].x
__device__ void set(f32x4 (&a)[8], const f32x4 (&b)[8]) { for (int i = 0; i < 8; i++) a[i] = b[7 - i]; }
__device__ void setp(f32x4 *a, const f32x4 *q, int n) { for (int i = 0; i < 8; i++) { a[i] = q[i]; if (i == n) a++; } }
__device__ void seti(f32x4 *a, const f32x4 *q) { for (int i = 0; i < 8; i++) { a[i] = q[i]; } }
struct two { tile a, b; };
struct base { f32x4 v[4]; __device__ void clear() { for (auto &e : v) e = f32x4{}; } };
struct derived : base { f32x4 w[4]; };

KEPT(one_short, tile, t.fill7(q[i]); t.work(2), TILE)
KEPT(counted_at_run_time, tile, t.fill_n(q[i], n); t.work(2), TILE)
KEPT(breaks, tile, t.fill_break(q[i], p); t.work(2), TILE)
KEPT(continues, tile, t.fill_cont(q[i], p); t.work(2), TILE)
KEPT(returns, tile, t.fill_ret(q[i], p); t.work(2), TILE)
KEPT(on_one_path, tile, t.fill_if(q[i], p); t.work(2), TILE)
KEPT(reads_the_next, tile, t.fill_next(q[i]); t.work(2), TILE)
KEPT(a_part_of_each, tile, t.fill_part(q[i]); t.work(2), TILE)
KEPT(operator_reads, tile, t = 2.0f; t.work(2), TILE)
KEPT(elsewhere, tile, t.shift(n); t.work(2), TILE)
KEPT(other_name, tile, t.swap(r); t.work(2), TILE)
KEPT(calls_itself, tile, t.rec(n); t.work(2), TILE)
KEPT(one_byte_short, tile, __builtin_memset(&t, 0, sizeof(t) - 1); t.work(2), TILE)
KEPT(some_bytes, tile, __builtin_memset(&t, 0, n * 4); t.work(2), TILE)
KEPT(overlaps, tile, __builtin_memcpy(&t, &t.v[1], sizeof(t.v) - 16); t.work(2), TILE)
KEPT(onto_itself, tile, __builtin_memmove(&t, &r, sizeof(t)); t.work(2), TILE)
KEPT(reads_by_reference, tile, for (int j = 0; j < 8; j++) { t[j] = q[j]; p[2] = r.v[7 - j].x; } t.work(2);, TILE)
KEPT(wraps, tile, for (int j = 0; j < 8; j++) { t.at2(j) = q[j]; } t.work(2);, TILE)
KEPT(one_element, tile, for (int j = 0; j < 8; j++) { t[j0] = q[j]; } t.work(2);, TILE)
KEPT(under_condition, tile, for (int j = 0; j < 8; j++) { if (q[j].x > 1) { t[j] = q[j]; } } t.work(2);, TILE)
KEPT(in_a_choice, tile, for (int j = 0; j < 8; j++) { q[j].x > 1 ? (void)(t[j] = q[j]) : (void)0; } t.work(2);, TILE)
KEPT(of_a_copy, tile, auto f = [=]() mutable { for (int j = 0; j < 8; j++) t.v[j] = q[j]; }; f(); t.work(2), TILE)
KEPT(one_of_two, tile, (n > 1 ? t : o).fill(q[i]); t.work(2), TILE)
KEPT(reads_by_call, tile, for (int j = 0; j < 8; j++) { t[j] = q[j]; p[2] = t.get(j + 1 & 7).x; } t.work(2);, TILE)
KEPT(reads_first, tile, for (int j = 0; j < 8; j++) { f32x4 x = t[7 - j]; t[j] = x; } t.work(2);, TILE)
KEPT(of_a_union, withun, t.a = q[0]; t.b = q[1]; for (int j = 0; j < 6; j++) t.d[j] = q[j]; t.c += t.a;, t.c.x + t.d[4].x)
KEPT(reads_in_between, tile, for (int j = 0; j < 8; j++) { for (int k = 0; k < 8; k++) { t[j] = q[k]; if (k == 0) p[3] = t[k].x; } } t.work(2);, TILE)
KEPT(no_turn, tile, while (p[0] > 1) { t.fill(q[i]); } t.work(2);, TILE)
KEPT(reads_by_pointer, tile, f32x4 *z = t.v; for (int j = 0; j < 8; j++) { t[j] = q[j] + z[7 - j]; } t.work(2);, TILE)
KEPT(leaves, tile, do { if (p[0] > 1) break; t.fill(q[i]); } while (n < p[i]); t.work(2), TILE)
KEPT(skips, tile, for (int j = 0; j < 8; j++) { if (j == 3) continue; t[j] = q[j]; } t.work(2);, TILE)
KEPT(stops, tile, for (int j = 8; j-- > 0;) { t[j] = q[j]; if (p[j] > 1) break; } t.work(2);, TILE)
KEPT(reads_by_capture, tile, for (int j = 0; j < 8; j++) { auto g = [&](int k) { return t.v[k ^ 1]; }; t[j] = q[j]; p[j] = g(j).x; } t.work(2);, TILE)
KEPT(from_itself, tile, set(t.v, r.v); t.work(1), TILE)
KEPT(pointer_moves, tile, setp(t.v, q, n); t.work(1), TILE)
KEPT(from_the_second, tile, seti(t.v + 1, q); t.work(1), TILE)
KEPT(from_somewhere, tile, seti(&t.v[j0], q); t.work(1), TILE)
KEPT(of_another_part, two, t.a.fill(q[i]); t.b.fill7(q[0]); t.a.work(1); t.b.work(2);, t.a.v[1].x + t.b.v[7].y)
KEPT(of_the_base, derived, t.clear(); for (auto &e : t.w) e += t.v[1];, t.v[1].x + t.w[1].x)
