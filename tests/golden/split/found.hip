// The search where the condition cannot be asked at the loop's head: the code before the if runs in it.
//
// RUN: %unphi rewrite %s --target gfx942 --strategy split:search --quiet -o %t.hip -- -nogpuinc -std=c++17
// RUN: %verify %s %t.hip -- -nogpuinc -std=c++17 | grep -x '  126 of 126 cases equal'
// RUN: grep -v '// CHECK' %t.hip | %FileCheck %s
// RUN: %unphi rewrite %t.hip --target gfx942 --strategy split:search --diff -- -nogpuinc -std=c++17 | cmp - /dev/null

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define BOUNDS __attribute__((amdgpu_flat_work_group_size(64, 64)))
typedef float f32x16 __attribute__((ext_vector_type(16)));
typedef float f32x2 __attribute__((ext_vector_type(2)));

struct tile {
	f32x16 v[8];
};

__device__ inline void step(tile &t, const float *p, int k)
{
	for (int i = 0; i < 8; i++) {
		t.v[i] = __builtin_amdgcn_mfma_f32_32x32x2f32(p[k & 63], p[(k + i) & 63], t.v[i], 0, 0, 0);
	}
}

__device__ inline void store(float *out, const tile &t)
{
	for (int i = 0; i < 8; i++) {
		for (int j = 0; j < 16; j++) {
			out[i * 16 + j] += t.v[i][j];
		}
	}
}

struct counter {
	int &n;
	__device__ counter(int &x) : n(x) {}
	__device__ ~counter() { n += 3; }
};
struct item {
	int at, on, two[2];
};
#define LIVE(k) (live[(k) & 63] != 0)
#define NEXT live[i++ & 63]
#define STEP_AT step(acc, in, at)

// CHECK-LABEL: void listed(
// CHECK: {{^	}}int i = 0;
// CHECK-NEXT: {{^	}}// Looks for the next step: no accumulator crosses a merge (unphi explain split)
// CHECK-NEXT: {{^	}}int next_t = 0;
// CHECK-NEXT: {{^	}}bool found = false;
// CHECK-NEXT: {{^	}}while (i < n) {
// CHECK-NEXT: {{^		}}const int t = live[i++] * 5; // of the list
// CHECK-NEXT: {{^		}}if (live[t]) {
// CHECK-NEXT: {{^			}}found = true;
// CHECK-NEXT: {{^			}}next_t = t;
// CHECK-NEXT: {{^			}}break;
// CHECK-NEXT: {{^		}}}
// CHECK-NEXT: {{^		}}out[1] += i; // rest
// CHECK-NEXT: {{^	}}}
// CHECK-NEXT: {{^	}}while (found) {
// CHECK-NEXT: {{^		}}const int t = next_t;
// CHECK-NEXT: {{^		}}// masked?
// CHECK-NEXT: {{^		}}step(acc, in, t);
// CHECK-NEXT: {{^		}}out[1] += i; // rest
// CHECK-NEXT: {{^		}}found = false;
// CHECK-NEXT: {{^		}}while (i < n) {
// CHECK-NEXT: {{^			}}const int t = live[i++] * 5; // of the list
BOUNDS __global__ void listed(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int i = 0;
	while (i < n) {
		const int t = live[i++] * 5; // of the list
		if (live[t]) { // masked?
			step(acc, in, t);
		}
		out[1] += i; // rest
	}
	store(out, acc);
}

// CHECK-LABEL: void down(
// CHECK: {{^	}}bool found = false;
// CHECK-NEXT: {{^	}}while (t-- > 0) {
// CHECK-NEXT: {{^		}}if (live[t]) {
// CHECK: {{^	}}while (found) {
// CHECK-NEXT: {{^		}}step(acc, in, t);
// CHECK-NEXT: {{^		}}found = false;
// CHECK: const unsigned char on = live[t] * 86;
// CHECK-NEXT: if (!on) {
// CHECK: {{^	}}} // by hand
BOUNDS __global__ void down(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int t = n;
	while (t-- > 0)
		if (live[t])
			step(acc, in, t);
	out[0] = t;
	for (t = 2 * n; t-- > 0;) {
		const bool on = live[t];
		if (on) {
			step(acc, in, t);
		}
	}
	while (++t < n) {
		const unsigned char on = live[t] * 86;
		if (on) {
			out[2] += t;
		} else {
			step(acc, in, t);
		}
	} // by hand
	store(out, acc);
}

// CHECK-LABEL: void leaves(
// CHECK: {{^	}}for (;; k += 2) {
// CHECK-NEXT: {{^		}}if (k > n) { break; }
// CHECK-NEXT: {{^		}}if (live[k] == 3) continue;
// CHECK-NEXT: {{^		}}if (live[k] == 9) { return; }
BOUNDS __global__ void leaves(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	for (int k = 0;; k += 2) {
		if (k > n) { break; }
		if (live[k] == 3) continue;
		if (live[k] == 9) { return; }
		if (live[k] & 1) {
			step(acc, in, k);
			if (live[k + 1] == 2) break;
		}
		out[3] += k;
		if (live[k + 2] == 7) {
			break;
		}
	}
	store(out, acc);
}

// CHECK-LABEL: void ends(
// CHECK: {{^	}}bool more = k < n && live[k] < 3;
// CHECK-NEXT: {{^	}}while (more) {
// CHECK-NEXT: {{^		}}step(acc, in, k);
// CHECK-NEXT: {{^		}}++k;
// CHECK-NEXT: {{^		}}more = k < n && live[k] < 3;
// CHECK-NEXT: {{^	}}}
// CHECK: {{^	}}if (k < n) {
// CHECK-NEXT: {{^		}}sum += live[k];
// CHECK-NEXT: {{^		}}if ((sum & 15) != 15) {
// CHECK-NEXT: {{^			}}more2 = true;
// CHECK-NEXT: {{^		}}}
// CHECK-NEXT: {{^	}}}
// CHECK: {{^	}}// none is left
// CHECK-NEXT: {{^	}}k = 0;
// CHECK-NEXT: {{^	}}bool more3 = k < n && live[k];
// CHECK-NEXT: {{^	}}while (more3) {
// CHECK-NEXT: {{^		}}step(acc, in, k);
// CHECK: {{^	}}while (k-- > 0) {
// CHECK-NEXT: {{^		}}const int at = live[k];
// CHECK-NEXT: {{^		}}if (live[at] != 1) {
// CHECK-NEXT: {{^			}}found = true;
// CHECK-NEXT: {{^			}}next_at = at;
// CHECK-NEXT: {{^			}}break;
// CHECK-NEXT: {{^		}}}
// CHECK-NEXT: {{^		}}out[5] += at; // seen
// CHECK-NEXT: {{^		}}break;
// CHECK-NEXT: {{^	}}}
BOUNDS __global__ void ends(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int k = 0, sum = 0;
	for (; k < n; ++k) {
		if (live[k] < 3) {
			step(acc, in, k);
		} else {
			break;
		}
	}
	for (k = 0; k < n; ++k) {
		sum += live[k];
		if ((sum & 15) == 15) {
			break;
		} else {
			step(acc, in, k);
		}
		out[4] += 1;
	}
	for (k = 0; k < n; ++k) {
		if (!live[k]) break; // none is left
		step(acc, in, k);
		out[4] += 1;
	}
	while (k-- > 0) {
		const int at = live[k];
		if (live[at] == 1)
		{
			out[5] += at; // seen
			break;
		}
		step(acc, in, at + k);
	}
	out[0] = k + sum;
	store(out, acc);
}

BOUNDS __global__ void effects(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int sum = 0, i = 1;
	for (int k = 0; k < n; ++k, sum += 2) {
		if ((sum += live[k]) & 1) {
			step(acc, in, sum);
		} else if (sum > 40) {
			out[5] += k;
			break;
		}
	}
	for (int k = 0; k < n; k++) {
		int at = NEXT, last = at + i++;
		const float *q = in + live[(i++ + last) & 63];
		f32x2 two = {in[at], in[last & 63]};
		const float *const p = in + (i & 7);
		at += 2;
		if (LIVE(at) && two.x != p[0]) {
			STEP_AT;
			out[6] += two.y + p[1] + last + *q;
			at = 100;
		}
		out[7] += at;
	}
	out[0] = sum + i;
	store(out, acc);
}

// A constant at first, and another number where the arm sees it.
// CHECK-LABEL: void begins(
// CHECK: {{^	}}while (found) {
// CHECK-NEXT: {{^		}}int sum = next_sum;
// CHECK-NEXT: {{^		}}const int two = 2;
// CHECK-NEXT: {{^		}}step(acc, in, sum + two);
BOUNDS __global__ void begins(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	for (int i = 0; i < n;) {
		const int two = 2;
		int sum = 0;
		sum += live[i++];
		if (sum & 1) {
			step(acc, in, sum + two);
		}
		out[1] += sum;
	}
	store(out, acc);
}

// CHECK-LABEL: void refers(
// CHECK: next_t2 = t;
// CHECK: {{^	}}while (found2) {
// CHECK-NEXT: {{^		}}const int t = next_t2;
// CHECK-NEXT: {{^		}}const item &x = list[t & 7];
// CHECK-NEXT: {{^		}}const int &second = x.two[1];
// CHECK-NEXT: {{^		}}step(acc, in, x.at + second);
// CHECK: {{^	}}while (found) {
// CHECK-NEXT: {{^		}}const int t = next_t;
// CHECK-NEXT: {{^		}}auto &x = own[t & 1];
// CHECK-NEXT: {{^		}}const int w[2] = {t, t * 3};
BOUNDS __global__ void refers(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	const item *list = (const item *)live;
	item own[2] = {{1}, {2}};
	int i = 0;
	while (i < n) {
		const int t = live[i++ & 63];
		const item &x = list[t & 7];
		const int &second = x.two[1];
		if (x.on & 1) {
			step(acc, in, x.at + second);
		}
		out[1] += x.at;
	}
	while (--i > 0) {
		const int t = live[i & 63] / 2;
		auto &x = own[t & 1];
		const int w[2] = {t, t * 3};
		out[2] += x.at;
		if (live[t & 63] & 1) {
			step(acc, in, x.at + w[1]);
			x.at += w[0];
		}
	}
	store(out, acc);
}

// CHECK-LABEL: void unset(
// CHECK: {{^	}}while (found) {
// CHECK-NEXT: {{^		}}int t = next_t;
// CHECK-NEXT: {{^		}}float x[4];
// CHECK-NEXT: {{^		}}for (int j
BOUNDS __global__ void unset(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int i = 0;
	while (i < n) {
		int t;
		float x[4];
		if (live[i & 63] & 1) {
			t = live[(i + 1) & 63];
		} else {
			t = live[(i + 2) & 63] + 1;
		}
		i += 1;
		if (t & 1) {
			for (int j = 0; j < 4; j++) { x[j] = in[t + j]; }
			step(acc, in, t);
			out[6] += x[1] + x[3];
		}
		out[1] += t;
	}
	store(out, acc);
}

// CHECK-LABEL: void header(
// CHECK: if (const int t = live[k & 63]; t & 1) {
// CHECK-NEXT: found = true;
// CHECK-NEXT: next_t = t;
// CHECK: while (found) {
// CHECK-NEXT: const int t = next_t;
// CHECK-NEXT: // odd
// CHECK-NEXT: step(acc, in, t);
// CHECK-NEXT: out[2] += k;
// CHECK: for (int k = 0; k < n; k++) {
// CHECK-NEXT: if (const int u = live[k & 63]; u & 1) {
// CHECK-NEXT: step(
BOUNDS __global__ void header(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int t = 9, u = 4;
	for (int k = 0; k < n; k++) {
		if (const int t = live[k & 63]; t & 1) { // odd
			step(acc, in, t);
		}
		out[2] += k;
	}
	for (int k = 0; k < n; k++) {
		if (const int u = live[k & 63]; u & 1) {
			step(acc, in, u);
		}
		out[2] += u;
	}
	out[0] += t;
	store(out, acc);
}

// Names that the search's copy would find in the compute loop's own block.
// CHECK-LABEL: void hides(
// CHECK: {{^			}}counter c(ended);
// CHECK-NEXT: {{^		}}}
// CHECK: {{^	}}while (found2) {
// CHECK-NEXT: {{^		}}{
// CHECK-NEXT: {{^			}}step(acc, in, k);
// CHECK-NEXT: {{^			}}int m = k;
// CHECK: {{^		}}}
// CHECK-NEXT: {{^		}}++k;
BOUNDS __global__ void hides(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int m = 7, t = 1, ended = 0;
	for (int k = 0; k + t < n; k += t) {
		const int o = t + live[k], t = o & 3;
		if (t != 1) {
			step(acc, in, t);
		}
		out[1] += t;
	}
	for (int k = 0; k < n;) {
		if (live[k++]) {
			step(acc, in, k);
		}
		counter c(ended);
	}
	for (int k = 0; k < n; ++k) {
		out[2] += m;
		if (live[k]) {
			step(acc, in, k);
		}
		int m = k;
		out[1] += m;
	}
	out[0] = ended;
	store(out, acc);
}

// CHECK-LABEL: void waits(
// CHECK: {{^	}}for (; k < n; k++) {
// CHECK-NEXT: {{^		}}__builtin_amdgcn_s_barrier();
BOUNDS __global__ void waits(float *out, const float *in, const int *live, int n)
{
	__shared__ float lds[64];
	const int x = __builtin_amdgcn_workitem_id_x();
	out += x * 160;
	tile acc = {};
	for (int k = 0; k < n; k++) {
		__builtin_amdgcn_s_barrier();
		lds[x] = in[(x + k) & 63];
		__builtin_amdgcn_s_barrier();
		if (live[k]) {
			step(acc, lds, k);
		}
	}
	store(out, acc);
}

// A do asks at its end: the search in front does so too, the one in the loop before it begins.
// CHECK-LABEL: void at_end(
// CHECK: {{^	}}bool found = false;
// CHECK-NEXT: {{^	}}do { // pages
// CHECK-NEXT: {{^		}}const int at = live[i & 63];
// CHECK: {{^	}}} while (++i < n);
// CHECK-NEXT: {{^	}}while (found) {
// CHECK-NEXT: {{^		}}const int at = next_at;
// CHECK-NEXT: {{^		}}step(acc, in, at);
// CHECK-NEXT: {{^		}}out[3] += i;
// CHECK-NEXT: {{^		}}found = false;
// CHECK-NEXT: {{^		}}while (++i < n) { // pages
// CHECK: {{^	}}} // all of them
// CHECK: {{^	}}bool more = live[i & 63] != 2;
// CHECK: {{^		}}more = i-- > 0 && live[i & 63] != 2;
BOUNDS __global__ void at_end(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int i = 0, t = 3;
	do { // pages
		const int at = live[i & 63];
		if (at == 5) continue;
		if (at & 1) {
			step(acc, in, at);
		}
		out[3] += i;
	} while (++i < n); // all of them
	do {
		if (live[i & 63] == 2) break;
		step(acc, in, i);
	} while (i-- > 0);
	do {
		const int t = live[++i & 63];
		if (t & 1) {
			step(acc, in, t);
		}
	} while (t + i < n);
	out[0] += i;
	store(out, acc);
}

// Objects that code makes and nothing ends, and types that have no name in a template.
// CHECK-LABEL: void objects(
// CHECK: {{^	}}bool found = false;
// CHECK: found = true;
// CHECK-NEXT: break;
// CHECK: while (found
// CHECK-NEXT: const made x(live, i);
// CHECK-NEXT: step(acc, in, x.at);
// CHECK: while (found
// CHECK-NEXT: const item y = ((const item *)live)[i & 7];
// CHECK-NEXT: step(acc, in, y.at + y.two[1]);
// CHECK: while (found
// CHECK-NEXT: const auto at = twice(live, i);
// CHECK-NEXT: step(acc, in, at);
struct made {
	int at, on;
	__device__ made(const int *p, int i) : at(p[i & 63]), on(p[(i + 1) & 63] & 1) {}
	__device__ bool works(int more) const { return (on + more) & 1; }
};
template <class T> __device__ T twice(const T *p, int i) { return p[i & 63] + p[(i + 2) & 63]; }
template <class T> BOUNDS __global__ void objects(float *out, const float *in, const T *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int sum = 0;
	for (int i = 0; i < n; i++) {
		out[2] += i;
		const made x(live, i);
		if (__builtin_amdgcn_readfirstlane(x.works(live[i & 31]))) {
			step(acc, in, x.at);
		}
		out[1] += x.on;
	}
	for (int i = 0; i < n; i++) {
		const item y = ((const item *)live)[i & 7];
		if (y.on & 1) {
			step(acc, in, y.at + y.two[1]);
		}
	}
	for (int i = 0; i < n; i++) {
		const auto at = twice(live, i);
		sum += at;
		if (sum & 1) {
			step(acc, in, at);
		}
	}
	store(out, acc);
}
template __global__ void objects<int>(float *out, const float *in, const int *live, int n);

// What is not written by hand that way: it stays.
// CHECK-LABEL: void stays(
// CHECK-NOT: found
BOUNDS __global__ void stays(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int i = 0;
	while (i < n) {
		int t = live[i++];
		int *q = &t;
		if (live[t]) {
			step(acc, in, *q);
		}
	}
	for (i = 0; i < n;) {
		const int &t = live[i++];
		if (t) {
			step(acc, in, t);
		}
	}
	for (i = 0; i < n;) {
		counter c(i);
		if (live[i++]) {
			step(acc, in, c.n);
		}
	}
	for (i = 0; i < n;) {
		int of[2] = {live[i++], 5};
		if (of[0]) {
			step(acc, in, of[1]);
		}
	}
	for (i = 0; i < n; i++) {
		if (live[i++]) {
			step(acc, in, i);
			if (live[i] == 2) continue;
		}
		out[1] += i;
	}
	int own[66] = {live[0], live[1]};
	for (i = 0; i < n; i++) {
		const made x(own, i);
		own[i & 63] += 1;
		if (x.on) {
			step(acc, in, x.at);
		}
	}
	for (i = 0; i < n; i++) {
		made x(live, i);
		if (x.on) {
			step(acc, in, x.at);
		}
		x.on = 3;
		made &same = x;
		out[1] += same.on;
	}
	for (i = 0; i < n; i++) {
		made x(live, i);
		x.at += 1;
		if (x.on) {
			step(acc, in, x.at);
		}
	}
	const int three[] = {1, 2, 3};
	for (const int t : three) {
		if (live[t] & 1) {
			step(acc, in, t);
		}
	}
	store(out, acc);
}
