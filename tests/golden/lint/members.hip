// Records whose members differ between lanes or do not: a barrier under one that does has a finding, whoever sets it: a list in
// braces, a constructor, a method, a callee by reference. A barrier under one that does not has none.
//
// RUN: %unphi lint %s --target gfx942 --checks='-*,unphi-divergent-sync' --format json -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.json || true
// RUN: python3 -c "import json, sys; print(*sorted({f['line'] for f in json.load(open(sys.argv[1]))['findings']}), sep='\n')" %t.json > %t.found
// RUN: sed -n '/sync(); .. differs$/=' %s > %t.expected
// RUN: diff %t.expected %t.found

#include <hip/hip_runtime.h>
#define lane ((int)threadIdx.x)
#define sync __syncthreads
#define ARGS float *o, int n, int m, const int *table

struct place {
	int i, n;
};
struct wider : place {
	int k;
};
struct made {
	int i, n;
	__device__ made(int a, int b) : i(a), n(b) {}
	__device__ bool large() const { return n > 4; }
	__device__ bool far() const { return i > 4; }
	__device__ void next() { i += 2; }
};
struct nested {
	place p;
	made c;
	int z;
};
template <class A> struct pair {
	A first;
	int second;
};
struct context {
	place p;
	const int *table;
	int tid, wave;
	__device__ context(const int *t) : table(t), tid(lane), wave(lane / 64)
	{
		p.i = tid;
		p.n = 7;
	}
	__device__ bool leads() const { return tid == 0; }
	__device__ int limit() const { return p.n; }
	__device__ int row() const { return table[tid]; }
};

__device__ place chosen(int t)
{
	place a{1, 2}, b{3, 4};
	return t < 3 ? a : b;
}
__device__ place left(int t)
{
	place a{1, 2}, b{3, 4};
	if (t < 3) {
		return a;
	}
	return b;
}
__device__ place same(const place &p) { return p; }
__device__ void both(place &p, int v)
{
	p.i = v;
	p.n = 4;
}
__device__ bool many(const place &p) { return p.n > 4; }

__global__ void lists(ARGS)
{
	place p{lane, n};
	if (p.i > 3) sync(); // differs
	if (p.n > 3) sync();
	if (many(p)) sync();
	const place &r = p;
	if (r.n > 3) sync();
	if (same(p).i > 3) sync(); // differs
	if (same(p).n > 3) sync();
	nested x{{lane, n}, made(n, m), n};
	if (x.z > 3) sync();
	if (x.p.n > 3) sync();
	if (x.p.i > 3) sync(); // differs
	if (x.c.large()) sync();
	pair<place> q{{lane, n}, m};
	if (q.first.i > 3) sync(); // differs
	if (q.first.n > 3) sync();
	if (q.second > 3) sync();
	place a[2] = {{lane, n}, {n, m}};
	if (a[0].i > 3) sync(); // differs
	if (a[m & 1].n > 3) sync();
	if (a[lane & 1].n > 3) sync(); // differs
}

__global__ void constructors(ARGS)
{
	made a(lane, n), b(n, m);
	if (a.large()) sync();
	if (a.far()) sync(); // differs
	if (b.far()) sync();
	if (b.i > 3) sync();
	if (a.i > 3) sync(); // differs
	context c(table);
	if (c.leads()) sync(); // differs
	if (c.limit() > 3) sync();
	if (c.row() > 3) sync(); // differs
	if (c.wave > 1) sync(); // differs
	for (int i = 0; i < c.limit(); i++) sync();
	for (made it(lane, n); !it.far(); it.next()) sync(); // differs
}

__global__ void writes(ARGS)
{
	place p;
	both(p, lane);
	if (p.i > 3) sync(); // differs
	if (p.n > 3) sync();
	wider w;
	w.i = lane;
	w.n = n;
	w.k = m;
	if (w.i > 3) sync(); // differs
	if (w.n + w.k > 3) sync();
	auto rows = [=] { return w.n; };
	if (rows() > 3) sync();
}

__global__ void choices(ARGS)
{
	place a{n, m}, b{m, n};
	place c = lane < 3 ? a : b;
	if (c.n > 3) sync(); // differs
	place d = b;
	if (lane < 3) d = a;
	if (d.n > 3) sync(); // differs
	place e = b;
	if (lane < 3) e.i = 5;
	if (e.n > 3) sync();
	if (e.i > 3) sync(); // differs
	if (chosen(lane).n > 3) sync(); // differs
	if (left(lane).n > 3) sync(); // differs
}

__global__ void loads(float *o, int n, int m, const place *table)
{
	if (table[lane].n > 3) sync(); // differs
	if (table[m].n > 3) sync();
	place c = table[lane];
	if (c.n > 3) sync(); // differs
}

// A list with names, members of an anonymous record, copies of bytes, results of asm.
struct vector {
	union {
		long both;
		struct {
			int x, y;
		};
	};
};
__device__ place named(int t, int n) { return {.i = t, .n = n}; }

__global__ void forms(ARGS)
{
	place p = {.i = lane, .n = n};
	if (p.i > 3) sync(); // differs
	if (p.n > 3) sync();
	if (named(lane, n).i > 3) sync(); // differs
	if (named(lane, n).n > 3) sync();
	vector v;
	v.x = lane;
	v.y = n;
	if (v.x > 3) sync(); // differs
	if (v.y > 3) sync();
	place q, r;
	__builtin_memcpy(&q, &p, sizeof(q));
	if (q.i > 3) sync(); // differs
	if (q.n > 3) sync();
	asm("v_add_u32 %0, %1, %2" : "=v"(r.i) : "v"(lane), "v"(n));
	asm("v_mov_b32 %0, %1" : "=v"(r.n) : "v"(n));
	if (r.i > 3) sync(); // differs
	if (r.n > 3) sync();
}

// Elements at constant places.
__global__ void elements(ARGS)
{
	int a[2] = {lane, n};
	if (a[0] > 3) sync(); // differs
	if (a[1] > 3) sync();
	if (a[m] > 3) sync(); // differs
	int b[3];
	b[0] = lane;
	b[1] = n;
	if (b[1] > 3) sync();
	b[2] += b[0];
	if (b[2] > 3) sync(); // differs
	place c[2] = {{lane, n}, {n, m}};
	if (c[1].i > 3) sync();
	if (c[0].i > 3) sync(); // differs
	int d[2] = {n, n};
	d[m] = lane;
	if (d[1] > 3) sync(); // differs
	int e[2] = {n, n};
	int *to = e;
	to[1] = lane;
	if (e[1] > 3) sync(); // differs
	int f[2] = {n, n};
	if (lane < 3) f[0] = m;
	if (f[1] > 3) sync();
	if (f[0] > 3) sync(); // differs
}

// Members that share memory: with a vector, as HIP's classes have them, with any of a union.
typedef int pair_of __attribute__((ext_vector_type(2)));
template <int> struct base {
	union {
		pair_of data;
		struct {
			int x, y;
		};
	};
	base() = default;
	__device__ base(int a, int b) : data{a, b} {}
};
template <int K> struct derived : base<K> {
	derived() = default;
	__device__ derived(int a, int b) : base<K>(a, b) {}
	__device__ derived &operator+=(const derived &o)
	{
		this->data += o.data;
		return *this;
	}
};
template <int K> __device__ derived<K> make(int a, int b)
{
	derived<K> r{a, b};
	return r;
}
union word {
	int i;
	float f;
	short low;
};

__global__ void shared(ARGS, const derived<1> *loaded)
{
	derived<0> v(lane, n);
	if (v.x > 3) sync(); // differs
	if (v.y > 3) sync();
	if (make<0>(lane, n).x > 3) sync(); // differs
	if (make<0>(lane, n).y > 3) sync();
	derived<0> s = make<0>(n, m);
	if (s.x > 3) sync();
	s += v;
	if (s.x > 3) sync(); // differs
	if (s.y > 3) sync();
	derived<1> sum = make<1>(n, m);
	sum += loaded[lane];
	if (sum.y > 3) sync(); // differs
	word u;
	u.f = lane;
	if (u.i > 3) sync(); // differs
	if (u.low > 3) sync(); // differs
}
