// Values that are written or read not by a variable's name: by a pointer to a member, through a reference or pointer that a method
// returns, by an atomic, through a pointer, by a designator. A barrier under one that differs has a finding; what one
// call of an operator writes says nothing about another call.
//
// RUN: %unphi lint %s --target gfx942 --checks='-*,unphi-divergent-sync' --format json -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.json || true
// RUN: python3 -c "import json, sys; print(*sorted({f['line'] for f in json.load(open(sys.argv[1]))['findings']}), sep='\n')" %t.json > %t.found
// RUN: sed -n '/sync(); .. differs$/=' %s > %t.expected
// RUN: diff %t.expected %t.found

#include <hip/hip_runtime.h>
#define lane ((int)threadIdx.x)
#define sync __syncthreads
#define ARGS float *o, int n, int m
__device__ int atomicAdd(int *at, int by);

struct both {
	int first, second;
};
struct pair {
	int p, q;
};
__global__ void member_pointers(ARGS)
{
	both b{n, lane};
	int both::*one = &both::first;
	if (b.*one > 3) sync();
	if (b.*&both::second > 3) sync(); // differs
	pair a{n, m};
	int pair::*at = &pair::p;
	if (a.*at > 3) sync();
	a.*at = lane;
	if (a.*at > 3) sync(); // differs
	if (a.p > 3) sync(); // differs
	if (a.q > 3) sync();
	pair c{n, m};
	int pair::*any = n > 3 ? &pair::p : &pair::q;
	c.*any = lane;
	if (c.q > 3) sync(); // differs
}

struct row {
	int v[4], size, last;
	__device__ int &at(int i) { return v[i]; }
	__device__ int &end() { return last; }
	__device__ int *place() { return &last; }
	__device__ bool full() const { return last > 3; }
};
__global__ void returned(ARGS)
{
	row a{{n, m}, n, m}, b{{n, m}, n, m}, c{{n, m}, n, m};
	a.at(0) = n;
	if (a.v[0] > 3) sync();
	a.at(0) = lane;
	if (a.v[0] > 3) sync(); // differs
	if (a.size > 3) sync();
	b.end() = lane;
	if (b.full()) sync(); // differs
	if (b.size > 3) sync();
	*c.place() = n;
	if (c.full()) sync();
	*c.place() = lane;
	if (c.full()) sync(); // differs
	if (c.size > 3) sync();
}

struct sum {
	int all, parts;
	__device__ bool large() const { return all > 3; }
	__device__ void set(int v) { all = v; }
};
__device__ bool small(const sum *s) { return s->all < 3; }
__global__ void pointers(ARGS)
{
	sum a{n, m}, b{n, m}, c{n, m};
	atomicAdd(&a.all, n);
	if (a.all > 3) sync();
	atomicAdd(&a.all, lane);
	if (a.all > 3) sync(); // differs
	if (a.parts > 3) sync();
	b.all = lane;
	sum *p = &b;
	if (p->all > 3) sync(); // differs
	if (p->parts > 3) sync();
	if (p->large()) sync(); // differs
	if (small(&b)) sync(); // differs
	b.all = n;
	if (p->all > 3) sync();
	sum *r = &c;
	if (r->all > 3) sync();
	r->set(lane);
	if (r->all > 3) sync(); // differs
	if (c.all > 3) sync(); // differs
	int x = lane, y = n;
	int *k = &x;
	if (x > 3) sync(); // differs
	k = &y;
	if (y > 3) sync();
}

struct state {
	int own, count;
	int kinds[2];
};
__device__ void fill(state *s, int n)
{
	s->own = lane;
	s->count = n;
}
__device__ int count_of(const state *s) { return s->count; }
__device__ int own_of(const state *s) { return s->own; }
__device__ void put(int *to, int v) { *to = v; }
__device__ void first_of(int *v, int n)
{
	v[0] = lane;
	v[1] = n;
}
__device__ void all_of(int *v, int n)
{
	for (int i = 0; i < n; ++i) v[i] = lane;
}
template <class F> __device__ void each(int n, F f)
{
	for (int i = lane; i < n; i += blockDim.x) f(i);
}
__global__ void helpers(ARGS)
{
	state s, t, u{n, m, {lane, n}};
	fill(&s, n);
	fill(&t, m);
	if (count_of(&s) > 3) sync();
	if (s.count > 3 && t.count > 3) sync();
	if (own_of(&t) > 3) sync(); // differs
	if (s.own > 3) sync(); // differs
	if (count_of(&u) > 3) sync();
	if (u.count > 3) sync();
	int x = n, y = n, v[2] = {n, m}, w[2] = {n, m};
	put(&x, n);
	put(&y, lane);
	if (x > 3) sync();
	if (y > 3) sync(); // differs
	if (lane > 3) put(&x, n);
	if (x > 3) sync(); // differs
	first_of(v, n);
	if (v[1] > 3) sync();
	all_of(w, 2);
	if (w[1] > 3) sync(); // differs
	int hits = 0, tiles = 0;
	each(n, [&](int i) { hits++; });
	auto next = [&] { tiles++; };
	next();
	if (hits > 3) sync(); // differs
	if (tiles > 3) sync();
}

__global__ void designators(ARGS)
{
	int a[4] = {[1] = lane, n, [0] = m};
	if (a[1] > 3) sync(); // differs
	if (a[2] > 3) sync();
	if (a[0] > 3) sync();
}

struct vec {
	float x, y;
	__device__ vec operator+(const vec &r) const { return {x + r.x, y + r.y}; }
	__device__ vec &operator+=(const vec &r)
	{
		x += r.x;
		y += r.y;
		return *this;
	}
};
__device__ void add(vec &to, const vec &by) { to += by; }
__global__ void operators(ARGS)
{
	vec a{1, 2}, b{(float)n, (float)m}, c{(float)lane, 1};
	vec d = a, e = a, f = a, g = a;
	d += c;
	e += b;
	if (d.x > 3) sync(); // differs
	if (e.x > 3) sync();
	if ((a + c).x > 3) sync(); // differs
	if ((a + b).x > 3) sync();
	add(f, c);
	add(g, b);
	if (f.x > 3) sync(); // differs
	if (g.x > 3) sync();
}

__global__ void copies(ARGS)
{
	auto t = threadIdx;
	if (t.x < 3) sync(); // differs
	auto b = blockIdx;
	if (b.x < 3) sync();
}
