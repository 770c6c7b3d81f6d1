// Cases of uniform_test. A line of three slashes names a case; its code is parsed behind the code that
// precedes the first one. U(e) claims that e is uniform, D(e) that it may differ between lanes, TOGETHER()
// that all lanes of the wave come by, APART() that some may be missing. A case with a ~ is left out, and
// counted as skipped, while the frontend cannot read it. In one with a # numbers of waves count.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define KERNEL extern "C" __global__ void
#define readfirstlane __builtin_amdgcn_readfirstlane
#define readlane __builtin_amdgcn_readlane
struct dim {
	unsigned x, y, z;
};
extern const __device__ dim threadIdx, blockIdx, blockDim, gridDim;
template <class T> __device__ T U(T v);
template <class T> __device__ T D(T v);
__device__ void TOGETHER();
__device__ void APART();
__device__ unsigned long __ballot(int);
__device__ int __any(int);
__device__ int __syncthreads_or(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_count(int);
__device__ int __shfl(int, int);
__device__ int __shfl_xor(int, int);
__device__ void hidden(int *);
__device__ int secret();

/// parameter
KERNEL k(int n)
{
	U(n);
	U(n * 2 + 1 < 7);
	TOGETHER();
}

/// pointer parameter
KERNEL k(float *p)
{
	U(p);
	U(p + 4);
}

/// block index
KERNEL k()
{
	U(blockIdx.x);
	U(blockDim.y * gridDim.z + 1);
}

/// constants
enum {
	E = 3
};
constexpr int C = 4;
KERNEL k()
{
	U(E + C + 5);
	U(1.5f);
}

/// template argument
template <int N> __global__ void k()
{
	U(N);
	if (N) {
		TOGETHER();
	}
}
template __global__ void k<4>();

/// local
KERNEL k(int n)
{
	int a = n;
	a += blockIdx.x;
	a++;
	U(a);
	U(-a);
}

/// loop counter
KERNEL k(int n)
{
	for (int i = 0; i < n; i++) {
		U(i);
		TOGETHER();
	}
}

/// while counter
KERNEL k(int n)
{
	while (n > 0) {
		n -= 2;
		U(n);
	}
	do {
		n++;
	} while (n < 9);
	U(n);
}

/// written under uniform control
KERNEL k(int n)
{
	int a = 0;
	if (n) {
		a = 1;
		TOGETHER();
	}
	U(a);
}

/// set in both arms
KERNEL k(int n)
{
	int a;
	if (n) {
		a = 1;
	} else {
		a = 2;
	}
	U(a);
}

/// set before use
KERNEL k(int n)
{
	int a;
	a = n;
	U(a);
}

/// conditional value
KERNEL k(int n)
{
	U(n ? 1 : 2);
	U(n > 1 && n < 5);
}

/// global load
KERNEL k(const int *p)
{
	U(p[blockIdx.x]);
	U(*p);
	int a = p[3];
	U(a);
}

/// constant memory
__constant__ int table[8];
KERNEL k(int n)
{
	U(table[n]);
}

/// global variable
__device__ int mode;
KERNEL k()
{
	U(mode);
}

/// kernel argument struct
struct P {
	const int *q;
	int n;
};
KERNEL k(P p)
{
	U(p.n);
	U(p.q[p.n]);
}

/// struct through pointer
struct P {
	int a[4];
	int n;
};
KERNEL k(const P *p)
{
	U(p->n);
	U(p->a[p->n]);
}

/// readfirstlane
KERNEL k()
{
	int a = readfirstlane(threadIdx.x);
	U(a);
}

/// ballot and any
KERNEL k()
{
	U(__ballot(threadIdx.x));
	U(__any(threadIdx.x == 3));
}

/// readlane
KERNEL k(int n)
{
	U(readlane(threadIdx.x, n));
	D(readlane(n, threadIdx.x));
}

/// pure function
extern "C" __device__ float expf(float);
KERNEL k(float x)
{
	U(expf(x));
	D(expf(x + threadIdx.x));
}

/// array of uniform values
KERNEL k(int n)
{
	int a[4] = {n, 1, 2, 3};
	U(a[n]);
}

/// struct of uniform values
struct S {
	int a, b;
};
KERNEL k(int n)
{
	S s{n, 1};
	s.a = 2;
	U(s.a + s.b);
	S t = s;
	U(t.b);
}

/// argument
__device__ int f(int a)
{
	U(a);
	return a + 1;
}
KERNEL k(int n)
{
	U(f(n));
	U(f(3));
}

/// out parameter
__device__ void f(int &o, int v)
{
	o = v;
}
KERNEL k(int n)
{
	int a = 0;
	f(a, n);
	U(a);
}

/// const reference
__device__ int f(const int &v)
{
	U(v);
	return v;
}
KERNEL k(int n)
{
	int a = n;
	U(f(a));
	const int &r = a;
	U(r);
}

/// local reference
KERNEL k(int n)
{
	int a = 0;
	int &r = a;
	r = n;
	U(a);
	U(r);
}

/// method
struct S {
	int n;
	__device__ int get() const
	{
		return n;
	}
	__device__ void set(int v)
	{
		n = v;
	}
};
KERNEL k(int n)
{
	S s{n};
	s.set(4);
	U(s.get());
	U(s.n);
}

/// range over uniform array
KERNEL k(int n)
{
	int a[3] = {n, 2, 3};
	for (int v : a) {
		U(v);
		TOGETHER();
	}
}

/// switch
KERNEL k(int n)
{
	int a = 0;
	switch (n) {
	case 1:
		a = 1;
		break;
	case 2:
		a = 2;
	}
	U(a);
}

/// uniform break
KERNEL k(int n)
{
	int i;
	for (i = 0; i < 9; i++) {
		if (i == n) {
			break;
		}
	}
	U(n);
	TOGETHER();
}

/// counter after uniform break
KERNEL k(int n)
{
	int i = 0;
	for (; i < 9; i++) {
		if (i == n) {
			break;
		}
	}
	U(i);
}

/// lanes that returned do not matter
KERNEL k(int n)
{
	if (threadIdx.x > 3) {
		return;
	}
	int a = n;
	a++;
	U(a);
	APART();
}

/// inside an arm that lanes entered together
KERNEL k(int n)
{
	if (threadIdx.x < 32) {
		int a = 0;
		for (int i = 0; i < n; i++) {
			a += i;
		}
		U(a);
		APART();
	}
	TOGETHER();
}

/// own iteration of a parted loop
KERNEL k(int n)
{
	for (int i = threadIdx.x; i < n; i += 64) {
		int a = n;
		a++;
		U(a);
		D(i);
	}
}

/// const pointer local
KERNEL k(const int *p, int n)
{
	const int *q = p + n;
	U(q[1]);
	U(*q);
}

/// thread index
KERNEL k()
{
	D(threadIdx.x);
	D(threadIdx.y);
	D(threadIdx.z + 1);
}

/// copy of the thread index
KERNEL k()
{
	dim t = threadIdx;
	D(t.x);
	const dim &r = threadIdx;
	D(r.x);
}

/// derived from the thread index
KERNEL k()
{
	int a = threadIdx.x / 64;
	int b = a;
	D(b);
}

/// later assignment
KERNEL k(int n)
{
	int a = n;
	U(a);
	a = threadIdx.x;
	D(a);
	a = n;
	U(a);
}

/// overwritten on each way
KERNEL k(int n)
{
	int a = threadIdx.x, b = threadIdx.x, c = threadIdx.x;
	if (n > 3) {
		a = 1;
		b = 1;
	} else {
		a = 2;
	}
	U(a);
	D(b);
	switch (n) {
	case 1:
		c = 1;
		break;
	case 2:
		b = 2;
	default:
		c = 2;
		b = 3;
	}
	D(b);
	D(c);
	do {
		b = n;
	} while (b > 3);
	U(b);
}

/// overwritten by some lanes
KERNEL k(int n)
{
	int a = threadIdx.x, b = n;
	if (threadIdx.x < 3) {
		a = n;
		U(a);
		b = n + 1;
		U(b);
	}
	D(a);
	D(b);
	a = b = 4;
	threadIdx.x < 3 && (a = n);
	D(a);
	b = threadIdx.x < 3 ? a = 4 : 5;
	D(b);
}

/// overwritten in a loop, for its next round and behind it
KERNEL k(int n)
{
	int a = n, b = threadIdx.x, c = n, d = n;
	for (int i = 0; i < n; i++) {
		D(a);
		a = threadIdx.x;
		if (n == 4) {
			c = threadIdx.x;
			break;
		}
		if (n == i) {
			d = threadIdx.x;
			continue;
		}
		b = n;
		U(c);
		D(d);
		d = n;
	}
	D(a);
	D(b);
	D(c);
	D(d);
	for (;;) {
		b = n;
		c = threadIdx.x;
		if (n > 3) {
			c = n;
			break;
		}
	}
	U(b);
	U(c);
}

/// overwritten in a loop that lanes leave or repeat by themselves
KERNEL k(int n)
{
	int a = n, b = n, c = n;
	for (int i = 0; i < n; i++) {
		a = i;
		U(a);
		if (threadIdx.x + i > 5) {
			continue;
		}
		b = i;
		if (threadIdx.x + i > 3) {
			break;
		}
		c = i;
		U(c);
	}
	D(a);
	D(b);
	D(c);
}

/// overwritten, and written through a reference
KERNEL k(int n)
{
	int a = n, b = n;
	int &r = a;
	a = n;
	r = threadIdx.x;
	D(a);
	int *p = &b;
	b = n;
	*p = threadIdx.x;
	D(b);
}

/// overwritten, and passed by two references
__device__ void both(int &a, int &b)
{
	b = threadIdx.x;
	D(a);
}
KERNEL k(int n)
{
	int a = n;
	both(a, a);
	D(a);
	a = n;
	U(a);
}

/// overwritten behind code that may leave
KERNEL k(int n)
{
	int a = threadIdx.x;
	if (n > 3) {
		a = 4 + ({ if (n > 4) { return; } 0; });
	} else {
		a = threadIdx.x;
	}
	D(a);
}

/// overwritten where one arm comes back
KERNEL k(int n)
{
	int a = threadIdx.x;
	if (threadIdx.x > 5) {
		a = 3;
		return;
	} else {
		a = n;
	}
	U(a);
}

/// overwritten in code that is jumped into
KERNEL k(int n)
{
	int a = threadIdx.x;
	a = ({ if (threadIdx.x) { a = n; } 0; });
	D(a);
}

/// votes of the block
KERNEL k(int n)
{
	U(__syncthreads_or(threadIdx.x < n));
	U(__syncthreads_count(threadIdx.x < n));
	int any = threadIdx.x;
	any = __syncthreads_and(any);
	U(any);
}

/// what was added is taken away
KERNEL k(int n)
{
	const int t = threadIdx.x, g = blockIdx.x * blockDim.x + t;
	U(g - t);
	U(g - (int)threadIdx.x);
	U(g + n - (t + 4));
	D(g + t);
	D(g - 2 * t);
	D(g - (int)threadIdx.y);
	D((long)g - (long)(t - g));
	for (int i = g; i - t < n; i += n) {
		U(i - t);
		D(i - g - t);
		TOGETHER();
	}
	for (int i = g; i - t < n; i += n) {
		i += t;
		D(i - t);
	}
}

/// numbers below the size of the block
__attribute__((global, amdgpu_flat_work_group_size(1, 256))) void k(int n)
{
	const unsigned t = threadIdx.x;
	U(t < blockDim.x);
	U(t >= blockDim.x);
	U(blockDim.x > t);
	D(blockDim.x >= t + 1);
	D(t < blockDim.y);
	U(t < 256);
	D(t < 255);
	U(t / 256);
	U(t >> 8);
	D(t >> 7);
	U(t & ~255);
	U(blockIdx.x * 256 + t & ~511);
	D(t & 511);
	D(blockIdx.x * 128 + t & ~255);
	U(blockIdx.x * 256 + t < n / 256 * 256);
	D(blockIdx.x * 256 + t < n);
	D(blockIdx.x * 128 + t < n / 256 * 256);
	for (int i = threadIdx.x; i < 1024; i += 256) {
		TOGETHER();
	}
	for (int i = threadIdx.x; i < 1000; i += 256) {
		APART();
	}
	for (int i = threadIdx.x; i < 1024; i += 128) {
		APART();
	}
	for (int i = threadIdx.x; i < (n + 255) / 256 * 256; i += 256) {
		TOGETHER();
	}
	for (int i = threadIdx.x; i < 1024; i += 256) {
		i = n;
		APART();
	}
}

/// numbers below a size that is not known
KERNEL k(int n)
{
	for (int i = threadIdx.x; i < 1024; i += 256) {
		APART();
	}
	U(threadIdx.x < 1024);
	D(threadIdx.x < 512);
}

/// compound assignment
KERNEL k()
{
	int a = 0;
	a += threadIdx.x;
	D(a);
}

/// around the loop
KERNEL k(int n)
{
	int a = 0, b = 0;
	for (int i = 0; i < n; i++) {
		D(a);
		a = b;
		b = threadIdx.x;
	}
}

/// written under a divergent if
KERNEL k()
{
	int a = 0;
	if (threadIdx.x) {
		a = 1;
		APART();
	}
	D(a);
	TOGETHER();
}

/// written in a divergent else
KERNEL k()
{
	int a = 0;
	if (threadIdx.x) {
	} else {
		a = 1;
	}
	D(a);
}

/// incremented under a divergent if
KERNEL k()
{
	int a = 0;
	if (threadIdx.x) {
		++a;
	}
	D(a);
}

/// written in a divergent switch
KERNEL k()
{
	int a = 0;
	switch (threadIdx.x) {
	case 0:
		a = 1;
		break;
	default:
		APART();
	}
	D(a);
}

/// written in a divergent loop
KERNEL k()
{
	int a = 0;
	int i = 0;
	for (i = 0; i < threadIdx.x; i++) {
		a++;
		U(i);
	}
	D(i);
	D(a);
}

/// written in a divergent while
KERNEL k(int n)
{
	int i = 0;
	while (i < (int)threadIdx.x) {
		i++;
		APART();
	}
	D(i);
}

/// written in a divergent do
KERNEL k(int n)
{
	int i = 0;
	do {
		i++;
	} while (i < (int)threadIdx.x);
	D(i);
}

/// behind &&
KERNEL k()
{
	int a = 0;
	if (threadIdx.x && ++a) {
	}
	D(a);
}

/// behind ||
KERNEL k()
{
	int a = 0;
	bool b = threadIdx.x || (a = 1);
	D(a);
	D(b);
}

/// in an arm of ?:
KERNEL k()
{
	int a = 0;
	int b = threadIdx.x ? (a = 1) : 2;
	D(a);
	D(b);
}

/// ?: chooses per lane
KERNEL k(int n)
{
	D(threadIdx.x ? n : 2);
}

/// divergent break
KERNEL k(int n)
{
	int i = 0;
	for (; i < n; i++) {
		if (i == (int)threadIdx.x) {
			break;
		}
		APART();
	}
	D(i);
	TOGETHER();
}

/// write after a divergent continue
KERNEL k(int n)
{
	int a = 0;
	for (int i = 0; i < n; i++) {
		if (threadIdx.x == 3) {
			continue;
		}
		a++;
	}
	D(a);
}

/// write before a divergent break
KERNEL k(int n)
{
	int a = 0;
	while (true) {
		a++;
		if (threadIdx.x == 3) {
			break;
		}
	}
	D(a);
}

/// divergent return in a loop
KERNEL k(int n)
{
	int a = 0;
	for (int i = 0; i < n; i++) {
		if (threadIdx.x == i) {
			return;
		}
		a++;
	}
	D(a);
	APART();
}

/// break from an inner switch
KERNEL k(int n)
{
	int a = 0;
	switch (n) {
	case 1:
		if (threadIdx.x) {
			break;
		}
		a = 1;
	}
	D(a);
	TOGETHER();
}

/// continue out of a switch
KERNEL k(int n)
{
	int a = 0;
	for (int i = 0; i < n; i++) {
		switch (n) {
		case 1:
			if (threadIdx.x) {
				continue;
			}
		}
		a = i;
	}
	D(a);
}

/// outer loop left from the inner
KERNEL k(int n)
{
	int a = 0;
	for (int i = 0; i < n; i++) {
		bool stop = false;
		for (int j = 0; j < n; j++) {
			if (threadIdx.x == j) {
				stop = true;
				break;
			}
		}
		if (stop) {
			break;
		}
		a++;
	}
	D(a);
}

/// control after a divergent return
KERNEL k(int n)
{
	TOGETHER();
	if (threadIdx.x > 3) {
		return;
	}
	APART();
	if (n) {
		APART();
	}
}

/// result under a divergent return
__device__ int f(int n)
{
	if (threadIdx.x) {
		return 1;
	}
	return 2;
}
KERNEL k(int n)
{
	D(f(n));
	TOGETHER();
}

/// reference written after a divergent return
__device__ void f(int &o)
{
	if (threadIdx.x) {
		return;
	}
	o = 1;
}
KERNEL k()
{
	int a = 0;
	f(a);
	D(a);
}

/// reference to a reference written after a divergent return
__device__ void f(int &o)
{
	int &r = o;
	if (threadIdx.x) {
		return;
	}
	r = 1;
}
KERNEL k()
{
	int a = 0;
	f(a);
	D(a);
}

/// divergent argument of one caller
__device__ int f(int a)
{
	D(a);
	return a;
}
KERNEL k(int n)
{
	f(n);
	D(f(threadIdx.x));
	D(f(n));
}

/// argument through two calls
__device__ int g(int a)
{
	D(a);
	return a;
}
__device__ int f(int a)
{
	return g(a);
}
KERNEL k()
{
	D(f(threadIdx.x));
}

/// nobody known calls it
__device__ int f(int a)
{
	D(a);
	APART();
	return a;
}

/// divergent operand of &&
KERNEL k(int n)
{
	D(threadIdx.x && n);
	D(n || threadIdx.x);
}

/// assignment of a struct
struct S {
	int a, b;
};
KERNEL k(int n)
{
	S s{n, 1}, t{0, 0};
	t = s;
	U(t.a);
}

/// loop hidden in a macro
#define EACH(n) for (int i = 0; i < (int)(n); i++)
KERNEL k()
{
	EACH(threadIdx.x)
	{
		U(i);
		APART();
	}
}

/// reference over a class
struct R {
	int a[2];
	__device__ int *begin();
	__device__ int *end();
};
KERNEL k()
{
	R r{{0, 1}};
	for (int &v : r) {
		v = threadIdx.x;
	}
	D(r.a[0]);
}

/// function kept by another
__device__ void keep(int (*)(int));
__device__ int f(int a)
{
	D(a);
	APART();
	return a;
}
KERNEL k(int n)
{
	f(n);
	keep(f);
}

/// address of a function taken
__device__ int f(int a)
{
	D(a);
	APART();
	return a;
}
KERNEL k(int n)
{
	int (*g)(int) = f;
	f(n);
	D(g(n));
}

/// function that may be called by pointer
__device__ int f(int a)
{
	D(a);
	return a;
}
KERNEL k(int n, int (*g)(int))
{
	f(n);
	g(threadIdx.x);
}

/// callee control
__device__ int f(int a)
{
	APART();
	U(a);
	return a;
}
KERNEL k(int n)
{
	if (threadIdx.x) {
		f(n);
	}
}

/// out parameter under divergent control
__device__ void f(int &o)
{
	o = 1;
}
KERNEL k()
{
	int a = 0;
	if (threadIdx.x) {
		f(a);
	}
	D(a);
}

/// out parameter gets a divergent value
__device__ void f(int &o)
{
	o = threadIdx.x;
}
KERNEL k()
{
	int a = 0;
	f(a);
	D(a);
}

/// out parameter through two calls
__device__ void g(int &o)
{
	o = threadIdx.x;
}
__device__ void f(int &o)
{
	g(o);
}
KERNEL k()
{
	int a = 0;
	f(a);
	D(a);
}

/// two references to one variable
__device__ void f(int &x, int &y)
{
	x = threadIdx.x;
	D(y);
}
KERNEL k()
{
	int a = 0;
	f(a, a);
	D(a);
}

/// element passed by reference
__device__ void f(int &o)
{
	o = threadIdx.x;
}
KERNEL k(int n)
{
	int a[2] = {0, 0};
	f(a[n]);
	D(a[0]);
}

/// local reference to it
KERNEL k()
{
	int a = 0;
	int &r = a;
	r = threadIdx.x;
	D(a);
}

/// reference made under divergent control
KERNEL k()
{
	int a = 0;
	if (threadIdx.x) {
		int &r = a;
		r = 1;
	}
	D(a);
}

/// const cast
KERNEL k()
{
	int a = 0;
	const int &r = a;
	const_cast<int &>(r) = threadIdx.x;
	D(a);
}

/// returned reference
__device__ int &f(int &o)
{
	return o;
}
KERNEL k()
{
	int a = 0;
	f(a) = threadIdx.x;
	D(a);
}

/// returned reference that is kept
__device__ int &f(int &o)
{
	return o;
}
KERNEL k()
{
	int a = 0;
	int &r = f(a);
	r = threadIdx.x;
	D(a);
}

/// returned by a method
struct S {
	int v[2];
	__device__ int &operator[](int i)
	{
		return v[i];
	}
};
KERNEL k()
{
	S s{{0, 0}};
	s[1] = threadIdx.x;
	D(s.v[0]);
}

/// address taken
KERNEL k()
{
	int a = 0;
	int *p = &a;
	*p = threadIdx.x;
	D(a);
	D(*p);
}

/// address given away
KERNEL k()
{
	int a = 0;
	hidden(&a);
	D(a);
}

/// address of an element
KERNEL k()
{
	int a[2] = {0, 0};
	hidden(&a[1]);
	D(a[0]);
}

/// array that decays
KERNEL k()
{
	int a[2] = {0, 0};
	hidden(a);
	D(a[0]);
}

/// array that decays into a callee
__device__ void f(int *p)
{
	p[0] = threadIdx.x;
}
KERNEL k()
{
	int a[2] = {0, 0};
	f(a);
	D(a[0]);
}

/// array reference that decays
__device__ void f(int (&p)[2])
{
	hidden(p);
}
KERNEL k()
{
	int a[2] = {0, 0};
	f(a);
	D(a[0]);
}

/// address through a member
struct S {
	int a, b;
};
KERNEL k()
{
	S s{0, 0};
	hidden(&s.b);
	D(s.a);
}

/// address of the object
struct S {
	int a;
	__device__ int *at()
	{
		return &a;
	}
};
KERNEL k()
{
	S s{0};
	*s.at() = threadIdx.x;
	D(s.a);
}

/// this given away
struct S;
__device__ void take(S *);
struct S {
	int a;
	__device__ void f()
	{
		take(this);
	}
};
KERNEL k()
{
	S s{0};
	s.f();
	D(s.a);
}

/// method writes a divergent value
struct S {
	int a;
	__device__ void f()
	{
		a = threadIdx.x;
	}
};
KERNEL k()
{
	S s{0};
	s.f();
	D(s.a);
}

/// method called under divergent control
struct S {
	int a;
	__device__ void f()
	{
		a = 1;
	}
};
KERNEL k()
{
	S s{0};
	if (threadIdx.x) {
		s.f();
	}
	D(s.a);
}

/// method calls a method
struct S {
	int a;
	__device__ void g()
	{
		a = threadIdx.x;
	}
	__device__ void f()
	{
		g();
	}
};
KERNEL k()
{
	S s{0};
	s.f();
	D(s.a);
}

/// not initialised
KERNEL k(int n)
{
	int a;
	if (n) {
		a = 1;
	}
	D(a);
	int b[4];
	D(b[n]);
}

/// set in one arm of two
KERNEL k(int n)
{
	int a;
	if (n) {
		a = 1;
	} else if (n > 3) {
		a = 2;
	}
	D(a);
}

/// constructor
struct S {
	int n = threadIdx.x;
	__device__ S()
	{
	}
};
KERNEL k()
{
	S s;
	D(s.n);
}

/// divergent address
KERNEL k(const int *p)
{
	D(p[threadIdx.x]);
	const int *q = p + threadIdx.x;
	D(*q);
	D(q[1]);
}

/// shared memory
KERNEL k(int n)
{
	__shared__ int s[4];
	s[0] = n;
	D(s[0]);
	int *p = s;
	D(p[n]);
	D(*p);
}

/// shared scalar
KERNEL k(int n)
{
	__shared__ int s;
	s = n;
	D(s);
}

/// shared through a callee
__device__ int f(const int *p)
{
	D(*p);
	return p[0];
}
KERNEL k(const int *g)
{
	__shared__ int s[4];
	D(f(s));
	D(f(g));
}

/// volatile
KERNEL k(volatile int *p)
{
	D(*p);
	volatile int a = 0;
	D(a);
}

/// store and load
KERNEL k(int *p)
{
	p[0] = threadIdx.x;
	D(p[0]);
}

/// store under divergent control
KERNEL k(int *p)
{
	if (threadIdx.x == 0) {
		*p = 5;
	}
	D(*p);
}

/// pointer out of memory
KERNEL k(int **p)
{
	D(*p[0]);
}

/// pointer made of an integer
KERNEL k(unsigned long a)
{
	D(*(int *)a);
}

/// private pointer made uniform
KERNEL k()
{
	int a = threadIdx.x;
	int *p = &a;
	U(readfirstlane((int)(long)p));
	D(*(int *)(long)readfirstlane((int)(long)p));
}

/// index of a private array
KERNEL k()
{
	int a[2] = {0, 1};
	D(a[threadIdx.x & 1]);
	U(a[1]);
}

/// one divergent element
KERNEL k()
{
	int a[2] = {0, 0};
	a[1] = threadIdx.x;
	D(a[0]);
}

/// divergent place of a uniform value
KERNEL k()
{
	int a[2] = {0, 0};
	a[threadIdx.x & 1] = 1;
	D(a[0]);
}

/// member
struct S {
	int a, b;
};
KERNEL k()
{
	S s{0, 0};
	s.b = threadIdx.x;
	D(s.a);
	S t{0, 0};
	t = s;
	D(t.a);
}

/// shuffle
KERNEL k(int n)
{
	D(__shfl(n, 3));
	D(__shfl_xor(threadIdx.x, 1));
}

/// lane number
KERNEL k()
{
	D(__builtin_amdgcn_mbcnt_lo(~0u, 0));
	D(__builtin_amdgcn_workitem_id_x());
}

/// unknown function
KERNEL k()
{
	D(secret());
}

/// atomic
KERNEL k(int *p)
{
	D(__atomic_fetch_add(p, 1, 0));
	D(__hip_atomic_load(p, 0, 3));
}

/// goto
KERNEL k(int n)
{
	int a = n;
	if (threadIdx.x) {
		goto out;
	}
	a = 2;
	D(a);
	D(n);
out:
	D(a);
	APART();
}

/// lambda by reference
KERNEL k()
{
	int a = 0;
	auto f = [&] { a = threadIdx.x; };
	f();
	D(a);
}

/// lambda that names it
KERNEL k(int n)
{
	int a = n;
	auto f = [&a, n](int v) {
		D(a);
		D(n);
		return a + n + v;
	};
	D(f(1));
}

/// lambda that reads
template <class F> __device__ int apply(F f, int v)
{
	return f(v);
}
KERNEL k(int n, const int *p)
{
	int sum = 0;
	int base[2] = {n, 1};
	for (int i = 0; i < n; i++) {
		int a = p[i];
		sum += apply([&](int v) { return a + v + i * n - base[v & 1] + p[a]; }, 1);
		auto g = [&](auto v) {
			auto h = [&] { return a + v; };
			return i < n ? h() : a;
		};
		sum += g(i);
		U(i);
		U(a);
		TOGETHER();
	}
	U(n);
	U(base[0]);
	D(sum);
}

/// lambda that writes a part, or by another name
struct S {
	int a, b;
	__device__ void set(int v) { a = v; }
};
__device__ int &same(int &v)
{
	return v;
}
__device__ void swap(int &a, int &b)
{
	int t = a;
	a = b;
	b = t;
}
KERNEL k(int n)
{
	S s{n, n}, t{n, n};
	int array[2] = {n, n};
	int a = n, b = n, c = n, d = n, e = n, f = n, g = n, r = n, q = n, still = n;
	auto write = [&] {
		int id = threadIdx.x;
		s.a = id;
		t.set(id + still);
		array[0] = id;
		auto &name = a;
		name = id;
		same(b) = id;
		swap(c, id);
		(n > 3 ? d : e) = id;
		*&f = id;
		g++, r += id;
		auto inner = [&] { q = id; };
		inner();
	};
	write();
	D(s.a);
	D(t.a);
	D(array[0]);
	D(a);
	D(b);
	D(c);
	D(d);
	D(e);
	D(f);
	D(g);
	D(r);
	D(q);
	U(still);
}

/// lambda that hands out a reference
KERNEL k(int n)
{
	int a = n, b = n, c = n, d = n;
	auto get = [&]() -> int & { return a; };
	auto any = [&]() -> decltype(auto) { return (b); };
	auto at = [&] { return &c; };
	get() = threadIdx.x;
	any() = threadIdx.x;
	*at() = threadIdx.x;
	auto deep = [&]() -> int & {
		auto in = [&]() -> int & { return d; };
		return in();
	};
	deep() = threadIdx.x;
	D(a);
	D(b);
	D(c);
	D(d);
}

/// lambda called at once
KERNEL k(int n)
{
	int a = n, b = n;
	[&] { a = threadIdx.x + b; }();
	D(a);
	U(b);
}

/// lambda with what is not seen
struct R {
	int &at;
};
__device__ void keep(R r)
{
	r.at = threadIdx.x;
}
__device__ void elsewhere(int &);
KERNEL k(int n)
{
	int a = n, b = n, c = n;
	auto f = [&] { asm volatile("v_mov_b32 %0, 0" : "=v"(a)); };
	auto g = [&] { keep(R{b}); };
	auto h = [&] { elsewhere(c); };
	f();
	g();
	h();
	D(a);
	D(b);
	D(c);
}

/// lambda that others may call with another type
__device__ void elsewhere(const void *);
template <class F> __device__ void others(F f)
{
	elsewhere(&f);
}
KERNEL k(int n)
{
	int a = n, b = n;
	auto f = [&](auto v) {
		if constexpr (sizeof(v) == 4) {
			return a + v;
		} else {
			a = threadIdx.x;
			return v;
		}
	};
	f(1);
	others(f);
	auto g = [&](auto v) { return b + v; };
	g(1);
	D(a);
	U(b);
}

/// lambda by a macro
#define WRITE a = threadIdx.x
#define LAMBDA [&] { b = threadIdx.x; }
KERNEL k(int n)
{
	int a = n, b = n;
	auto f = [&] { WRITE; };
	auto g = LAMBDA;
	f();
	g();
	D(a);
	D(b);
}

/// lambda run by some lanes
KERNEL k(int n)
{
	int a = n, b = n;
	auto f = [&] { a = n + 1; };
	auto g = [&] { return b; };
	if (threadIdx.x > 3) {
		f();
		b = g() + 0 * b;
	}
	D(a);
	D(b);
}

/// lambda that is not called
template <class F> __device__ void run(F f)
{
	secret();
}
KERNEL k(int n)
{
	int a = n;
	run([&] { a = 3; });
	D(a);
}

/// asm
KERNEL k(int n)
{
	int a = n, b = n;
	asm volatile("v_mov_b32 %0, 0" : "=v"(a));
	D(a);
	U(b);
}

/// asm without operands
KERNEL k(int n)
{
	int a = n;
	asm volatile("s_nop 0");
	U(a);
}

/// asm operands in a macro
#define OPERANDS : "=v"(a)
KERNEL k(int n)
{
	int a = n;
	asm volatile("v_mov_b32 %0, 0" OPERANDS);
	D(a);
}

/// asm operands in a macro behind a colon
#define OPERANDS "=v"(a)
KERNEL k(int n)
{
	int a = n;
	asm volatile("v_mov_b32 %0, 0" : OPERANDS);
	D(a);
}

/// asm with named operands
struct S {
	int a, b;
};
KERNEL k(S *p, int n)
{
	S s{n, n};
	int c = n;
	asm volatile("v_mov_b32 %0, %[in]" : "=v"(p->a), "=v"(s.b) : [in] "v"(4));
	D(s.a);
	U(c);
}

/// asm on a member
struct S {
	int a;
	__device__ void f()
	{
		asm volatile("v_mov_b32 %0, 0" : "=v"(a));
	}
};
KERNEL k()
{
	S s{0};
	s.f();
	D(s.a);
}

/// asm in a macro
#define LAUNDER(x) asm volatile("" : "+v"(x), "+v"(b))
KERNEL k(int n)
{
	int a = n, b = n;
	LAUNDER(a);
	D(a);
	D(b);
}

/// statement expression
KERNEL k(int n)
{
	int a = 0;
	int b = ({
		a = 2;
		a;
	});
	D(a);
	D(b);
}

/// return in a statement expression
KERNEL k(int n)
{
	int a = 0;
	for (int i = 0; i < n; i++) {
		int b = ({
			if (threadIdx.x) {
				break;
			}
			1;
		});
		a++;
	}
	D(a);
	APART();
}

/// structured binding
struct S {
	int a, b;
};
KERNEL k()
{
	S s{0, 1};
	auto &[x, y] = s;
	x = threadIdx.x;
	D(s.a);
	D(x);
}

/// structured binding of what lanes differ in
struct S {
	int a, b;
};
KERNEL k()
{
	S s{(int)threadIdx.x, 1};
	auto [x, y] = s;
	auto &[v, w] = s;
	D(x);
	D(v);
}

/// structured binding of an array, written by element
KERNEL k()
{
	int s[2] = {0, 1};
	auto &[x, y] = s;
	s[1] = threadIdx.x;
	D(y);
	D(x);
}

/// structured binding of references
struct refs {
	int &a, &b;
};
KERNEL k()
{
	int a = 0, b = 1;
	refs r{a, b};
	auto [x, y] = r;
	y = threadIdx.x;
	D(b);
	D(y);
}

/// structured binding in a lambda
struct S {
	int a, b;
};
KERNEL k()
{
	S s{0, 1};
	auto &[x, y] = s;
	auto set = [&] { s.b = threadIdx.x; };
	set();
	D(y);
}

/// structured binding of what all lanes share
struct S {
	int a, b;
};
KERNEL k(int n)
{
	S s{n, 1};
	auto [x, y] = s;
	const auto &[v, w] = s;
	U(x);
	U(v);
}

/// range variable over divergent values
KERNEL k()
{
	int a[2] = {0, (int)threadIdx.x};
	for (int v : a) {
		D(v);
	}
}

/// range variable written
KERNEL k()
{
	int a[2] = {0, 1};
	for (int &v : a) {
		v = threadIdx.x;
	}
	D(a[0]);
}

/// range with a divergent continue
KERNEL k(int n)
{
	int a[2] = {0, 1};
	int b = 0;
	for (int v : a) {
		if (threadIdx.x) {
			continue;
		}
		b = v;
	}
	D(b);
}

/// range over a class
struct R {
	int a[2];
	__device__ int *begin()
	{
		return a;
	}
	__device__ int *end()
	{
		return a + 2;
	}
};
KERNEL k()
{
	R r{{0, 1}};
	for (int v : r) {
		D(v);
	}
}

/// default argument
__device__ int f(int a, int b = threadIdx.x)
{
	D(b);
	return a;
}
KERNEL k(int n)
{
	f(n);
}

/// default member of an aggregate
struct S {
	int a;
	int b = threadIdx.x;
};
KERNEL k()
{
	S s{1};
	D(s.b);
}

/// plain default member
struct S {
	int a;
	int b = 0x10;
};
KERNEL k()
{
	S s{1};
	U(s.b);
}

/// overridden method
struct S {
	int a;
	__device__ virtual int f()
	{
		return 1;
	}
};
__device__ S *made();
KERNEL k()
{
	D(made()->f());
}

/// conversion operator
struct S {
	int a;
	__device__ operator int() const
	{
		return a + threadIdx.x;
	}
};
KERNEL k()
{
	S s{0};
	int v = s;
	D(v);
}

/// overloaded operator
struct S {
	int a;
};
__device__ S &operator+=(S &s, int v)
{
	s.a = v;
	return s;
}
KERNEL k()
{
	S s{0};
	s += threadIdx.x;
	D(s.a);
}

/// field that refers to it
struct S {
	int &r;
	__device__ void f()
	{
		r = threadIdx.x;
	}
};
KERNEL k()
{
	int a = 0;
	S s{a};
	s.f();
	D(a);
	D(s.r);
}

/// field bound by a constructor
struct S {
	int &r;
	__device__ S(int &x) : r(x)
	{
	}
	__device__ void f()
	{
		r = threadIdx.x;
	}
};
KERNEL k()
{
	int a = 0;
	S s(a);
	s.f();
	D(a);
}

/// comma and assignment as lvalues
KERNEL k(int n)
{
	int a = 0, b = 0;
	(n, a) = threadIdx.x;
	(b = 1) = threadIdx.x;
	D(a);
	D(b);
}

/// conditional lvalue
KERNEL k(int n)
{
	int a = 0, b = 0;
	(threadIdx.x ? a : b) = 1;
	D(a);
	D(b);
}

/// loop bound that looks constant
KERNEL k()
{
	int n = 5;
	n = threadIdx.x;
	for (int i = 0; i < n; i++) {
		U(i);
		APART();
	}
	D(n);
}

/// recursion
__device__ int f(int a, int d)
{
	D(a);
	return d ? f(threadIdx.x, d - 1) : a;
}
KERNEL k(int n)
{
	D(f(n, 3));
}

/// trap under divergent control
__device__ void check(int c)
{
	if (!c) {
		__builtin_trap();
	}
}
KERNEL k()
{
	TOGETHER();
	check(threadIdx.x);
	APART();
}

/// array reference in a loop that lanes leave
__device__ void inc(int (&a)[2])
{
	a[0]++;
}
KERNEL k(int n)
{
	int a[2] = {0, 0};
	for (int i = 0; i < n; i++) {
		inc(a);
		if (threadIdx.x == 3) {
			break;
		}
	}
	D(a[0]);
}

/// if with a variable
KERNEL k()
{
	int a = 0;
	if (int t = threadIdx.x) {
		a = 1;
	}
	D(a);
}

/// while with a variable
KERNEL k(int n)
{
	int a = 0;
	while (int t = threadIdx.x - a) {
		a++;
		D(t);
	}
	D(a);
}

/// if hidden in a macro
#define WHEN(c) if (c)
KERNEL k()
{
	int a = 0;
	WHEN(threadIdx.x)
	{
		a = 1;
	}
	D(a);
}

/// return hidden in a macro
#define LEAVE_IF(c)                                                                                \
	if (c) {                                                                                   \
		return;                                                                            \
	}
KERNEL k()
{
	LEAVE_IF(threadIdx.x) APART();
}

/// a lane's own return in an arm that all leave by
KERNEL k(int n)
{
	if (n > 3) {
		for (int i = 0; i < n; i++) {
			if (i > (int)threadIdx.x) {
				return;
			}
			APART();
		}
		APART();
		return;
	}
	TOGETHER();
}

/// a lane's own return in an arm that not all come to
KERNEL k(int n)
{
	for (int i = 0; i < n; i++) {
		if (i > (int)threadIdx.x) {
			if (n > 7) {
				if (i + 3 > (int)threadIdx.x) {
					return;
				}
				return;
			}
		}
		APART();
	}
	APART();
}

/// a lane's own return in an arm that not all come to, as some have gone on
KERNEL k(int n)
{
	int a = 0;
	for (int i = 0; i < n; i++) {
		if (i > (int)threadIdx.x) {
			continue;
		}
		if (n > 7) {
			if (a > 3) {
				return;
			}
			return;
		}
		a++;
	}
	APART();
}

/// the number of a wave, for which blocks need one dimension
KERNEL k(int n)
{
	D(threadIdx.x >> 6);
	D(threadIdx.x / 64);
	D(threadIdx.x < 128);
}

/// # numbers of waves
__device__ int wave_of(int t)
{
	return t >> 6;
}
__device__ int wave()
{
	return threadIdx.x >> 6;
}
KERNEL k(int *p, int n)
{
	const int tid = threadIdx.x;
	int t = (int)tid, changed = threadIdx.x;
	const unsigned char narrow = threadIdx.x;
	U(threadIdx.x >> 6);
	U(threadIdx.x >> 7);
	D(threadIdx.x >> 5);
	D(threadIdx.x >> n);
	U(threadIdx.x / 64);
	constexpr int lanes = 128;
	U(t / lanes % 2);
	D(t / 96);
	D(t / 32);
	D(t % 64);
	U((short)t / 64);
	D((signed char)t / 64);
	D(narrow / 64);
	D(64 / t);
	D(t / 64.0f);
	U(t < 128);
	U(t >= 64);
	U(t <= 127);
	U(t > 63);
	D(t > 64);
	D(t <= 64);
	D(t < 96);
	D(t < n);
	D(t == 64);
	D(64 < t);
	U(wave() + n);
	D(wave_of(t));
	U(__builtin_amdgcn_workitem_id_x() / __builtin_amdgcn_wavefrontsize());
	D(changed >> 6);
	changed += n;
	if (t >> 6) {
		TOGETHER();
	}
	if (threadIdx.x >> 5) {
		APART();
	}
}

/// # numbers of waves through a reference, and of another thread
__device__ void set(int &x)
{
	x = 3;
}
KERNEL k(int *p, dim other)
{
	int t = threadIdx.x;
	set(t);
	D(t >> 6);
	const dim threadIdx = {(unsigned)p[::threadIdx.x], 0, 0};
	D(threadIdx.x >> 6);
}

/// # a block with rows
KERNEL k(int *p)
{
	D(threadIdx.x >> 6);
	p[threadIdx.y] = 1;
}

/// # a block with rows, in what a kernel calls
__device__ int row()
{
	return blockDim.y;
}
__device__ int wave()
{
	return D(threadIdx.x >> 6);
}
KERNEL flat(int *p)
{
	U(threadIdx.x >> 6);
	D(wave());
}
KERNEL k(int *p)
{
	p[row()] = wave();
	D(threadIdx.x >> 6);
}

/// # a block that is handed on
__device__ int index(dim t)
{
	return t.x;
}
KERNEL k(int *p)
{
	D(threadIdx.x >> 6);
	p[index(threadIdx)] = 1;
}

/// # who calls is not known
extern "C" __device__ int wave(int *p)
{
	return D(threadIdx.x >> 6);
}
KERNEL k(int *p)
{
	U(threadIdx.x >> 6);
}

/// # blocks as host code launches them
struct dim3 {
	unsigned x, y, z;
	__attribute__((host, device)) constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1)
		: x(a), y(b), z(c)
	{
	}
};
extern "C" int __hipPushCallConfiguration(dim3, dim3, unsigned long = 0, void * = 0);
__device__ int wave()
{
	return D(threadIdx.x >> 6);
}
KERNEL line(int *p)
{
	p[wave()] = U(threadIdx.x >> 6) + threadIdx.y;
}
KERNEL rows(int *p)
{
	p[wave()] = D(threadIdx.x >> 6);
}
KERNEL columns(int *p)
{
	p[threadIdx.y] = U(threadIdx.x >> 6);
}
KERNEL table(int *p)
{
	p[0] = D(threadIdx.x >> 6);
}
void host(int *p, int n)
{
	line<<<1, n>>>(p);
	rows<<<1, dim3(96, 2)>>>(p);
	columns<<<1, dim3(128, 4)>>>(p);
	const void *f = (const void *)&table;
	(void)f;
}

/// loops whose lanes keep in step
__device__ int deep(int x)
{
	return x;
}
KERNEL in_step(int *p, int a, int b, int c)
{
	const int lane = threadIdx.x;
	for (int t = a + lane; t < a + b + lane; t += c) {
		TOGETHER();
		D(t);
	}
	const int end = (a + 1) * b + lane - 3;
	for (int t = lane + a * b; t <= end; t += 4) {
		TOGETHER();
	}
	for (int t = b - lane; t > a - lane; --t) {
		TOGETHER();
		if (t == 3) {
			deep(t);
		}
		TOGETHER();
	}
	for (int t = b - lane; t > a - lane; --t) {
		APART();
		if (t == 3) {
			break;
		}
	}
	for (int t = lane; t != lane + b; t++) {
		TOGETHER();
		for (int s = t; s < t + 2; ++s) {
			APART();
		}
	}
	TOGETHER();
}
KERNEL out_of_step(int *p, int a, int b, int c)
{
	const int lane = threadIdx.x;
	int moves = threadIdx.x, taken = threadIdx.x, bound = b + (int)threadIdx.x;
	int *at = &taken;
	for (int t = a + lane; t < b; t += c) {
		APART();
	}
	for (int t = a + lane; t < b - lane; t += c) {
		APART();
	}
	for (int t = a + lane; t < b + 2 * lane; t += c) {
		APART();
	}
	for (int t = a + lane; t < b + lane + lane; t += c) {
		APART();
	}
	for (int t = a + lane; t < b + lane; t += lane) {
		APART();
	}
	for (int t = a + lane; t < b + lane; t += c) {
		t += p[t];
		APART();
	}
	for (int t = a + moves; t < b + moves; t += c) {
		moves += t & 1;
		APART();
	}
	for (int t = a + taken; t < b + taken; t += c) {
		*at += t & 1;
		APART();
	}
	for (int t = a + lane; t < bound; t += c) {
		bound -= t & 1;
		APART();
	}
	for (int t = a + lane; t < b + lane; c += deep(t++)) {
		APART();
	}
	for (unsigned t = a + lane; t < b + (unsigned)lane; t += c) {
		APART();
	}
	for (int t = a + (lane & 1); t < b + (lane & 1); t += c) {
		APART();
	}
	const long wide = (long)p + lane;
	for (int t = wide; t < wide; t += c) {
		APART();
	}
	const unsigned high = lane * 3000000000u;
	for (int t = high; t <= high; t += c) {
		APART();
	}
	for (short t = a + lane; t < b + lane; t += c) {
		APART();
	}
	int v = lane;
	for (v = a + lane; v < b + lane; v += c) {
		APART();
	}
	auto more = [&] { moves++; };
	for (int t = a + moves; t < b + moves; t += c) {
		more();
		APART();
	}
	for (int t = a + lane, *q = &t; t < b + lane; t += c) {
		*q += lane;
		APART();
	}
	int uniform = b;
	for (int t = a + lane; t < uniform + lane; t += c) {
		if (t & 1) {
			uniform = c;
		}
		APART();
	}
	volatile int v2 = lane;
	for (int t = a + v2; t < b + v2; t += c) {
		APART();
	}
	int &r = moves;
	for (int t = a + r; t < b + r; t += c) {
		APART();
	}
}
