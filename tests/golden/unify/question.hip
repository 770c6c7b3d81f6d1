// RUN: %S/../sequentialize/Inputs/form %unphi unify %s %t.hip
//
// Arms of a ?:, as a value, as a statement, and in arms of an if; constants that arms declare in front
// of their call; and what the header of an if declares.

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

struct tile {
	float v[64];
};
enum class mode { a, b };

__device__ inline void store(float *p, const tile &t)
{
	for (int i = 0; i < 64; i++) {
		p[i] = t.v[i];
	}
}

struct softmax {
	float top;

	template <bool Is_first, bool Check_inf = false> __device__ float rescale(tile &t, float x)
	{
		if (Is_first) {
			top = x;
		}
		for (int i = 0; i < 64; i++) {
			t.v[i] = t.v[i] > x && Check_inf ? t.v[i] : top;
		}
		return top;
	}
	template <bool Is_first, bool Check_inf> __device__ void begin(tile &t, float x)
	{
		for (int i = 0; i < 64; i++) {
			t.v[i] = Is_first || (Check_inf && t.v[i] > 3) ? x : t.v[i];
		}
	}
};

__global__ void statement(float *p, int n, int c, int d)
{
	tile acc = {};
	softmax s = {1};
	for (int i = 0; i < n; i++) {
		// what follows is named
		i == c
			? s.template begin</*Is_first=*/true, /*Check_inf=*/false>(acc, p[i]) // one
			: s.template begin</*Is_first=*/false, /*Check_inf=*/false>(
				acc, // to
				p[i]); // all others
	}
	store(p, acc);
}

__global__ void value(float *p, int n, int c, int d)
{
	tile acc = {};
	softmax s = {1};
	for (int i = 0; i < n; i++) {
		float scale = i == 0
			? s.template rescale</*Is_first=*/true, /*Check_inf=*/true>(acc, p[i]) // one
			: i > c ? s.template rescale</*Is_first=*/false, /*Check_inf=*/true>(acc, p[i])
				: s.template rescale</*Is_first=*/false, /*Check_inf=*/false>(acc, p[i]);
		p[i & 3] = scale > d ? scale : d;
	}
	store(p, acc);
}

__global__ void mixed(float *p, int n, int c, int d)
{
	tile acc = {};
	softmax s = {1};
	const float *q = c > 1 ? p : nullptr;
	for (int i = 0; i < n; i++) {
		float scale;
		if (i == c) {
			scale = q ? s.rescale<true, true>(acc, p[i]) : s.rescale<true>(acc, p[i]);
		} else {
			constexpr bool inf = true; // always
			scale = (d > 2 ? s.rescale<false, inf>(acc, p[i])
				       : s.rescale<false, false>(acc, p[i]));
		}
		p[i & 3] = scale > d ? scale : d;
	}
	store(p, acc);
}

template <bool B> __device__ inline tile made(tile t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = B ? x : t.v[i] + 1;
	}
	return t;
}

__global__ void assigned(float *p, int n, int c, int d)
{
	tile acc[2] = {};
	auto f = [&](int i) {
		acc[0] = (i > c ? made<true>(acc[1], i) : made<false>(acc[1], i)); // a lambda's
	};
	for (int i = 0; i < n; i++) {
		f(i);
		acc[c & 1] = c > d ? made<true>(acc[0], i) : made<false>(acc[0], i);
		c = -c;
	}
	store(p, acc[0]);
	p[2] = acc[1].v[3];
}

template <mode M, bool Last> __device__ inline void step(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = M == mode::a ? x : t.v[i] + (Last ? 3 : 1);
	}
}

// first is what the condition means, too
__global__ void declared(float *p, int n, int c, int d)
{
	tile acc = {};
	bool last = c > 1;
	for (int i = 0; i < n; i++) {
		if (last) {
			constexpr bool last = false; // not yet
			constexpr mode m = mode::b;
			if (d) {
				step<m, last>(acc, p[i]);
			} else {
				constexpr mode m = mode::a;
				step<m, last>(acc, p[i]);
			}
		} else {
			switch (d) {
			case 1: {
				static constexpr bool last = true, other = false;
				step<mode::a, last>(acc, p[i]);
				break;
			}
			default: {
				const bool last = false;
				i & 1 ? step<mode::a, last>(acc, p[i]) : step<mode::b, true>(acc, p[i]);
			}
			}
		}
		last = !last;
	}
	store(p, acc);
}

template <int N> __device__ inline void most(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += t.v[i] > x ? x : N;
	}
}

// what its header declares stands in front of the call
__global__ void headed(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (const int e = i + d; e > c) {
			step<mode::a, true>(acc, e); // the first
		} else {
			step<mode::b, true>(acc, e);
		}
	}
	for (int i = 0; i < n; i++)
		if (int d = ++c * 2, e = d + i; e > 4) {
			step<mode::a, true>(acc, d);
		} else if (d > 2) {
			constexpr bool last = false;
			step<mode::b, last>(acc, d);
		}
	for (int i = 0; i < n; i++) {
		// a sum
		if (const float e = i + 2.0f; e > 3) {
			step<mode::a, true>(acc, e);
		} else {
			step<mode::b, true>(acc, e);
		}
		if (const int e = i - d) {
			step<mode::a, true>(acc, e);
		} else {
			step<mode::b, true>(acc, e);
		}
		if (c = d - c; c > i)
			step<mode::a, true>(acc, c);
		else
			step<mode::b, true>(acc, c);
	}
	store(p, acc);
}

// the same of a switch
__global__ void selected(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		switch (int m = (i + /* from */ c) & 3; m) {
		case 0:
			step<mode::a, true>(acc, m);
			break;
		case 1:
			step<mode::b, true>(acc, m);
			break;
		default:
			step<mode::b, false>(acc, m);
		}
		switch (const mode m = i > d ? mode::a : mode::b) {
		case mode::a:
			step<mode::a, true>(acc, i);
			break;
		case mode::b:
			step<mode::b, false>(acc, i);
			break;
		}
		switch (const unsigned q = i & 3; int k = q & c) {
		case 0:
			step<mode::a, false>(acc, q);
			break;
		default:
			if (k > d) {
				step<mode::b, false>(acc, q);
			} else {
				step<mode::a, true>(acc, q);
			}
		}
	}
	store(p, acc);
}

// stays: in the header of an inner if, of a later one, a product, an object
struct half {
	int of;
	__device__ operator int() const
	{
		return of / 2;
	}
};
__global__ void inner_headers(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (i > c) {
			most<1>(acc, i);
		} else if (int m = i & 3; m > 1) {
			most<2>(acc, i);
		} else {
			most<3>(acc, i);
		}
		if (i > d)
			switch (int m = i & 3; m) {
			case 1:
				most<4>(acc, i);
				break;
			default:
				most<5>(acc, i);
			}
		else
			most<6>(acc, i);
		if (float m = i * p[1]; m > 1) {
			most<7>(acc, m);
		} else {
			most<8>(acc, m);
		}
		if (half h = {i}; i > d) {
			most<9>(acc, h);
		} else {
			most<10>(acc, h);
		}
	}
	store(p, acc);
}

// comments in odd places
__global__ void commented(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++)
		if /* why */ (i > c /* now */) // so
			/* first */ step /* one */ <mode::a, true /* on */>(acc, /* x */ p[i] // by
			);
		else
			step<mode::b, true>(acc, p[i]); // others
	store(p, acc);
}

// stays: a condition, a case or an argument means the constant; 200 is another value there
template <int N> __device__ inline void count(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] > x ? x : N;
	}
}
__global__ void hidden(float *p, int n, int c, int d)
{
	tile acc = {};
	for (int i = 0; i < n; i++) {
		if (i > c) {
			constexpr int d = 1;
			i > d ? count<1>(acc, i) : count<2>(acc, i);
		} else {
			count<3>(acc, i);
		}
		if (i > d) {
			constexpr int d = 1;
			switch (c) {
			case d:
				count<1>(acc, i);
				break;
			default:
				count<2>(acc, i);
			}
		} else {
			count<3>(acc, i);
		}
		if (i > c) {
			constexpr int c = 1;
			count<c>(acc, c);
		} else {
			count<2>(acc, c);
		}
		if (i > c) {
			constexpr signed char byte = (signed char)200;
			count<byte>(acc, c);
		} else {
			count<2>(acc, c);
		}
	}
	store(p, acc);
}

// stays: other types, an operand, effects, a macro
template <bool B> __device__ inline auto typed(tile &t, float x)
{
	for (int i = 0; i < 64; i++) {
		t.v[i] += x;
	}
	if constexpr (B) {
		return 3;
	} else {
		return 2.5f;
	}
}
#define PICK(c, x, y) ((c) ? (x) : (y))
__global__ void kept(float *p, int n, int c, int d)
{
	tile acc = {};
	float s = 0;
	for (int i = 0; i < n; i++) {
		s = c > d ? typed<true>(acc, i) : typed<false>(acc, i);
		s += (i > c ? made<true>(acc, i) : made<false>(acc, i)).v[3];
		acc = (s++, i > d ? made<true>(acc, i) : made<false>(acc, i));
		acc = c++ > d ? made<true>(acc, i) : made<false>(acc, d++);
		acc = PICK(c > i, made<true>(acc, i), made<false>(acc, i));
	}
	store(p, acc);
	p[3] = s;
}
#ifndef __HIP__
void (*const kernels[])(float *, int, int, int) = {
	statement, value, mixed, assigned, declared, headed, selected, inner_headers, commented, hidden,
	kept};
#endif
