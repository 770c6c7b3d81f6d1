// One arm of a switch, or of a chain after its first if, that computes: it becomes an if of its own,
// and the next iteration that takes it is searched. The other arms stay as they are.
//
// RUN: %unphi rewrite %s --verbose --target gfx942 --strategy split:search -o %t.hip -- -nogpuinc -std=c++20 > %t.txt
// RUN: %verify %s %t.hip -- -nogpuinc -std=c++20 | grep -x '  68 of 68 cases equal'
// RUN: grep -v '// CHECK' %t.hip | %FileCheck %s
// RUN: %FileCheck %s --check-prefix KEPT --match-full-lines < %t.txt

// KEPT: {{.*}}: 17 merges at or over the threshold, 8 rewritten

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define BOUNDS __attribute__((amdgpu_flat_work_group_size(64, 64)))
typedef float f32x16 __attribute__((ext_vector_type(16)));

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

enum class kind { skipped, whole, edge, counted, unused };
enum class own { skipped, whole };
__device__ inline bool operator==(own a, own b) { return static_cast<int>(a) != static_cast<int>(b); }
struct boxed {
	int v;
	__device__ operator int() const { return v; }
};
__device__ inline int next(int &x) { return x++; }

// CHECK-LABEL: void labels(
// CHECK: {{^	}}for (; k < n && live[k] != kind::whole; ++k) {
// CHECK-NEXT: {{^		}}if (live[k] == kind::skipped) {
// CHECK-NEXT: {{^			}}// nothing to do
// CHECK-NEXT: {{^			}}++seen;
// CHECK-NEXT: {{^		}}} else if (live[k] == kind::edge) {
// CHECK-NEXT: {{^			}}seen += 10;
// CHECK-NEXT: {{^			}}// done
// CHECK-NEXT: {{^		}}} else if (live[k] != kind::counted) {
// CHECK-NEXT: {{^			}}seen += 100;
// CHECK-NEXT: {{^		}}}
// CHECK-NEXT: {{^	}}}
// CHECK-NEXT: {{^	}}while (k < n) {
// CHECK-NEXT: {{^		}}// a whole tile
// CHECK-NEXT: {{^		}}const int at = k * 2;
// CHECK-NEXT: {{^		}}step(acc, in, at); // computes
// CHECK-NEXT: {{^		}}++k;
BOUNDS __global__ void labels(float *out, const float *in, const kind *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0;
	for (int k = 0; k < n; ++k) {
		switch (live[k]) {
		case kind::skipped: // nothing to do
			++seen;
			break;
		// a whole tile
		case kind::whole: {
			const int at = k * 2;
			step(acc, in, at); // computes
			break;
		}
		case kind::edge:
			seen += 10;
			break; // done
		case kind::counted:
			break;
		default:
			seen += 100;
		}
	}
	out[0] = seen;
	store(out, acc);
}

// CHECK-LABEL: void fallback(
// CHECK: !((live[k] < 0 || live[k] > 1) && live[k] != 3 && live[k] != 4)
// CHECK: {{^		}}if ((live[k] >= 0 && live[k] <= 1)) {
// CHECK-NEXT: {{^			}}seen += k;
// CHECK-NEXT: {{^		}}} else {
// CHECK-NEXT: {{^			}}seen -= 7;
// CHECK-NEXT: {{^		}}}
BOUNDS __global__ void fallback(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0;
	for (int k = 0; k < n; ++k) {
		switch (live[k]) {
		case 0 ... 1: seen += k; break;
		case 3:
		case 4: seen -= 7; break;
		default: step(acc, in, k);
		}
	}
	out[0] = seen;
	store(out, acc);
}

// CHECK-LABEL: void variable(
// CHECK: const auto [[VALUE:value|selected]] = __builtin_amdgcn_readfirstlane(live[k] >> 1);
// CHECK-NEXT: {{^		}}if ([[VALUE]] == 1) {
BOUNDS __global__ void variable(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0;
	for (int k = 0; k < n; ++k) {
		switch (__builtin_amdgcn_readfirstlane(live[k] >> 1)) {
		case 0: seen++; break;
		case 1: step(acc, in, k); break;
		}
	}
	out[0] = seen;
	store(out, acc);
}

// An arm that goes on, and one that returns.
BOUNDS __global__ void leaves(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0;
	for (int k = 0; k < n; ++k) {
		switch (live[k]) {
		case 0: continue;
		case 1: step(acc, in, k); break;
		case 4: store(out, acc); return;
		}
		seen += live[k];
	}
	out[0] = seen;
	store(out, acc);
}

// CHECK-LABEL: void chain(
// CHECK: {{^	}}for (; k < n && !(k < 9 && (live[k] == 1 || live[k] == 3)); ++k) {
// CHECK-NEXT: {{^		}}if (k >= 9) {
// CHECK-NEXT: {{^			}}// past the end
// CHECK-NEXT: {{^			}}seen++;
// CHECK-NEXT: {{^		}}} else if (live[k] == 2) {{\[\[unlikely\]\] {}}
// CHECK-NEXT: {{^			}}seen += k;
// CHECK-NEXT: {{^		}}} else {
// CHECK-NEXT: {{^			}}seen--;
// CHECK-NEXT: {{^		}}}
BOUNDS __global__ void chain(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0;
	for (int k = 0; k < n; ++k) {
		if (k >= 9) { // past the end
			seen++;
		} else if (live[k] == 1 || live[k] == 3) {
			step(acc, in, k);
		} else if (live[k] == 2) [[unlikely]] {
			seen += k;
		} else
			seen--;
	}
	out[0] = seen;
	store(out, acc);
}

// CHECK-LABEL: void excludes(
// CHECK: for (; k < n && live[k] != 1; ++k) {
BOUNDS __global__ void excludes(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0;
	for (int k = 0; k < n; ++k) {
		if (live[k] == 0) {
			seen++;
		} else if (live[k] == 1) {
			step(acc, in, k);
		}
	}
	out[0] = seen;
	store(out, acc);
}

// -1 == 4294967295u, though the numbers differ.
// CHECK-LABEL: void equal_by_type(
// CHECK: !(live[k] - 1 != 4294967295u && live[k] - 1 == -1)
BOUNDS __global__ void equal_by_type(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0;
	for (int k = 0; k < n; ++k) {
		if (live[k] - 1 == 4294967295u) {
			seen++;
		} else if (live[k] - 1 == -1) {
			step(acc, in, k);
		}
	}
	out[0] = seen;
	store(out, acc);
}

// CHECK-LABEL: void last(
// CHECK: for (; k < n && !(live[k] >= 2 && live[k] <= k); ++k) {
// CHECK-NEXT: {{^		}}if (live[k] < 2) {
// CHECK-NEXT: {{^			}}seen++;
// CHECK-NEXT: {{^		}}} else {
// CHECK-NEXT: {{^			}}seen += 3;
// CHECK-NEXT: {{^		}}}
BOUNDS __global__ void last(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0;
	for (int k = 0; k < n; ++k) {
		if (live[k] < 2)
			seen++;
		else if (live[k] > k)
			seen += 3;
		else
			step(acc, in, k);
	}
	out[0] = seen;
	store(out, acc);
}

// An instance in which an arm leaves the switch early must not get an if in its place.
// KEPT-DAG: {{.*}}: kept as it is: it is no if
template <bool EARLY>
__device__ inline void instances(float *out, const float *in, const int *live, int n)
{
	tile acc = {};
	int seen = 0;
	for (int k = 0; k < n; ++k) {
		switch (live[k]) {
		case 0: seen++; break;
		case 1:
			if constexpr (EARLY) {
				if (k & 1)
					break;
			}
			step(acc, in, k);
			break;
		}
	}
	out[0] = seen;
	store(out, acc);
}
BOUNDS __global__ void instance(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	n & 1 ? instances<false>(out, in, live, n) : instances<true>(out, in, live, n);
}

// KEPT-DAG: {{.*}}: kept as it is: its value is an object that is converted when compared
BOUNDS __global__ void object(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0;
	for (int k = 0; k < n; ++k) {
		switch (boxed{live[k]}) {
		case 0: seen++; break;
		case 1: step(acc, in, k); break;
		}
	}
	out[0] = seen;
	store(out, acc);
}

// KEPT-DAG: {{.*}}: kept as it is: an operator function compares values of the operand's type
BOUNDS __global__ void operators(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0;
	for (int k = 0; k < n; ++k) {
		switch (static_cast<own>(live[k])) {
		case own::skipped: seen++; break;
		case own::whole: step(acc, in, k); break;
		}
	}
	out[0] = seen;
	store(out, acc);
}

// KEPT-DAG: {{.*}}: kept as it is: an arm of the switch falls through into the next
BOUNDS __global__ void falls(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0;
	for (int k = 0; k < n; ++k) {
		switch (live[k]) {
		case 0: seen++;
		case 1: step(acc, in, k); break;
		case 2: seen += 5;
		}
	}
	out[0] = seen;
	store(out, acc);
}

// KEPT-DAG: {{.*}}: kept as it is: its condition has an effect, or is an object
BOUNDS __global__ void effect(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0;
	for (int k = 0; k < n; ++k) {
		if (next(seen) == 3) {
			seen += 4;
		} else if (live[k] == 1) {
			step(acc, in, k);
		}
	}
	out[0] = seen;
	store(out, acc);
}

// KEPT-DAG: {{.*}}: kept as it is: a condition calculates in floats: {{.*}}
BOUNDS __global__ void floats(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0;
	for (int k = 0; k < n; ++k) {
		if (in[k] * in[k + 1] + 0.5f > 0.f) [[likely]] {
			seen += 4;
		} else if (live[k] == 1) {
			step(acc, in, k);
		}
	}
	out[0] = seen;
	store(out, acc);
}

// KEPT-DAG: {{.*}}: kept as it is: its header declares a variable
BOUNDS __global__ void declares(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0;
	for (int k = 0; k < n; ++k) {
		switch (int x = live[k]; x) {
		case 0: seen += x; break;
		case 1: step(acc, in, k + x); break;
		}
	}
	out[0] = seen;
	store(out, acc);
}

// KEPT-DAG: {{.*}}: kept as it is: it does not stand in a block
BOUNDS __global__ void bare(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0;
	if (n > 2)
		for (int k = 0; k < n; ++k)
			switch (live[k]) {
			case 0: seen++; break;
			case 1: step(acc, in, k); break;
			}
	else
		seen = 9;
	out[0] = seen;
	store(out, acc);
}

// KEPT-DAG: {{.*}}: kept as it is: 'at' is declared in one arm and used in a later one
BOUNDS __global__ void shared(float *out, const float *in, const int *live, int n)
{
	out += __builtin_amdgcn_workitem_id_x() * 160;
	tile acc = {};
	int seen = 0;
	for (int k = 0; k < n; ++k) {
		switch (live[k]) {
		case 0: int at; at = k; seen += at; break;
		case 1: at = k + 1; step(acc, in, at); break;
		}
	}
	out[0] = seen;
	store(out, acc);
}
