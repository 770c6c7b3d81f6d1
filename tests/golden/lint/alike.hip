// Arms that begin and end alike and write nothing in common: the compiler moves what both load in
// front of the if, and what both store behind it. Calls of one text count as that text, whatever
// their template arguments. Where they end alike alone, the indices count that were used before.
// What does not end alike, or is not loaded for each lane, is no finding.
//
// RUN: %exits 1 %unphi lint %s --target gfx942 -- -nogpuinc -std=c++17 > %t.txt
// RUN: %FileCheck %s < %t.txt
// RUN: %exits 0 %unphi rewrite %s --target gfx942 --strategy sequentialize --quiet -o %t.hip -- -nogpuinc -std=c++17
// RUN: %FileCheck %s --check-prefix=TEXT < %t.hip

#define __device__ __attribute__((device, always_inline))
#define KERNEL __attribute__((global, amdgpu_flat_work_group_size(1, 256)))

constexpr int N = 64;

template <bool ROTATED> __device__ void turn(float *out, const float *in, float c)
{
	const int lane = __builtin_amdgcn_workitem_id_x();
	float v[N];
	for (int i = 0; i < N; ++i) {
		v[i] = in[lane * N + i];
	}
	for (int i = 0; i < N; ++i) {
		if constexpr (ROTATED) {
			v[i] = v[i] * c - v[(i + 1) % N];
		} else {
			v[i] += c * v[(i + 2) % N];
		}
	}
	for (int i = 0; i < N; ++i) {
		out[lane * N + i] = v[i];
	}
}

// CHECK: [[@LINE+7]]:2: warning: the arms of this if/else begin alike with about 64 VGPRs per lane of loads
// CHECK: calls takes about {{[0-9]+}} VGPRs ({{[0-9]+}} to {{[0-9]+}}), registers for {{.*}}about 64 VGPRs are second copies
// TEXT: {{^	}}// Guarded ifs: what the arms have alike stays in each (unphi explain sequentialize)
// TEXT: {{^	}}if (rotated) {
// TEXT: {{^		}}turn<true>(out, in, c);
// TEXT: {{^	}}__builtin_amdgcn_wave_barrier();
KERNEL void calls(float *out, const float *in, float c, int rotated) {
	if (rotated) {
		turn<true>(out, in, c);
	} else {
		turn<false>(out, in, c);
	}
}

// the same words in both arms, under other names
// CHECK: [[@LINE+4]]:2: warning: the arms of this if/else begin alike with about 64 VGPRs per lane of loads
KERNEL void words(float *out, const float *in, float c, int rotated)
{
	const int lane = __builtin_amdgcn_workitem_id_x();
	if (rotated) {
		float a[N];
		for (int i = 0; i < N; ++i) {
			a[i] = in[lane + 64 * i];
		}
		for (int i = 0; i < N; ++i) {
			a[i] = a[i] * c - a[(i + 1) % N];
		}
		for (int i = 0; i < N; ++i) {
			out[lane + 64 * i] = a[i];
		}
	} else {
		float b[N];
		for (int k = 0; k < N; ++k) {
			b[k] = in[lane + 64 * k];
		}
		float d[N];
		for (int k = 0; k < N; ++k) {
			d[k] = b[k] + c * b[(k + 7) % N];
		}
		for (int k = 0; k < N; ++k) {
			out[lane + 64 * k] = d[k];
		}
	}
}

// each lane for itself: what stands in front of both is kept all the same
// CHECK: [[@LINE+3]]:2: warning: the arms of this if/else begin alike with about 64 VGPRs per lane of loads
KERNEL void lanes(float *out, const float *in, float c, int split)
{
	if ((int)__builtin_amdgcn_workitem_id_x() < split) {
		turn<true>(out, in, c);
	} else {
		turn<false>(out, in, c);
	}
}

// a chain, of which all arms do
// CHECK: [[@LINE+3]]:2: warning: the arms of this else-if chain begin alike with about 64 VGPRs per lane
KERNEL void chain(float *out, const float *in, float c, int how)
{
	if (how == 0) {
		turn<true>(out, in, c);
	} else if (how == 1) {
		turn<false>(out, in, c);
	} else {
		turn<true>(out, in, -c);
	}
}

// other memory, but stores at the indices of the loads
// CHECK: [[@LINE+3]]:2: warning: the arms of this if/else end alike, with stores at indices that take about 64 VGPRs
KERNEL void apart(float *out, const float *in, const float *other, float c, int rotated)
{
	if (rotated) {
		turn<true>(out, in, c);
	} else {
		turn<false>(out, other, c);
	}
}

// a fence or a loop of unknown length in front
template <int FIRST, bool ROTATED> __device__ void behind(float *out, const float *in, float c, int n)
{
	if constexpr (FIRST == 0) {
		__builtin_amdgcn_wave_barrier();
	} else {
		for (int i = 0; i < n; ++i) {
			c += in[i];
		}
	}
	turn<ROTATED>(out, in, c);
}

// CHECK: [[@LINE+3]]:2: warning: the arms of this if/else end alike, with stores at indices that take about 64 VGPRs
template <int FIRST> KERNEL void blocks(float *out, const float *in, float c, int n, int rotated)
{
	if (rotated) {
		behind<FIRST, true>(out, in, c, n);
	} else {
		behind<FIRST, false>(out, in, c, n);
	}
}
template KERNEL void blocks<0>(float *, const float *, float, int, int);
template KERNEL void blocks<1>(float *, const float *, float, int, int);

// the indices are made of what functions are given
__device__ void get(float (&v)[N], const float *from, int first)
{
	for (int i = 0; i < N; ++i) {
		v[i] = from[first + i];
	}
}
__device__ void put(float *to, const float (&v)[N], int first)
{
	for (int k = 0; k < N; ++k) {
		to[first + k] = v[k];
	}
}
// CHECK: [[@LINE+5]]:2: warning: the arms of this if/else end alike, with stores at indices that take about 64 VGPRs
KERNEL void handed(float *out, const float *in, const float *other, float c, int n, int rotated)
{
	const int lane = __builtin_amdgcn_workitem_id_x();
	const int at = lane * N;
	if (rotated) {
		float a[N];
		get(a, in, at);
		for (int k = 0; k < n; ++k) {
			for (int i = 0; i < N; ++i) {
				a[i] = a[i] * c + in[k];
			}
		}
		put(out, a, at);
	} else {
		float b[N];
		get(b, other, at);
		for (int k = 0; k < n; ++k) {
			for (int i = 0; i < N; ++i) {
				b[i] = b[i] * b[i] - c;
			}
		}
		put(out, b, at);
	}
}

// where a path does nothing, and the labels of a switch
// CHECK: [[@LINE+3]]:2: warning: the arms of this else-if chain begin alike with about 64 VGPRs per lane
KERNEL void without_else(float *out, const float *in, float c, int how)
{
	if (how == 0) {
		turn<true>(out, in, c);
	} else if (how == 1) {
		turn<false>(out, in, c);
	}
}
// CHECK: [[@LINE+6]]:2: warning: the arms of this switch begin alike with about 64 VGPRs per lane of loads
// TEXT: {{^}}KERNEL void labels(
// TEXT: {{^	}}const int arm = how == 0 ? 0 : how == 1 || how == 3 ? 1 : -1;
// TEXT: {{^	}}__builtin_amdgcn_wave_barrier();
KERNEL void labels(float *out, const float *in, float c, int how)
{
	switch (how) {
	case 0:
		turn<true>(out, in, c);
		break;
	case 1:
	case 3: {
		turn<false>(out, in, c);
		break;
	}
	default:
		break;
	}
}
// what follows an if that leaves is its other arm
// CHECK: [[@LINE+6]]:2: warning: the arms of this if that leaves by 'return' begin alike with about 64 VGPRs
// TEXT: {{^}}KERNEL void leaves(
// TEXT: {{^	}}__builtin_amdgcn_wave_barrier();
// TEXT: {{^	}}if (!how) {
KERNEL void leaves(float *out, const float *in, float c, int how)
{
	if (how) {
		turn<true>(out, in, c);
		return;
	}
	turn<false>(out, in, c);
}

// CHECK-NOT: warning
// nothing is made anew: each element is used up where it is read
KERNEL void used_up(float *out, const float *in, float c, int rotated)
{
	const int lane = __builtin_amdgcn_workitem_id_x();
	if (rotated) {
		float a[N];
		for (int i = 0; i < N; ++i) {
			a[i] = in[lane + 64 * i];
		}
		for (int i = 0; i < N; ++i) {
			out[lane + 64 * i] = a[i] * c - a[N - 1 - i];
		}
	} else {
		float b[N];
		for (int k = 0; k < N; ++k) {
			b[k] = in[lane + 64 * k];
		}
		for (int k = 0; k < N; ++k) {
			out[lane + 64 * k] = b[k] + c * b[(k + 7) % N];
		}
	}
}

// the same for all lanes: scalar loads
KERNEL void scalars(float *out, const float *__restrict__ in, float c, int rotated)
{
	const int lane = __builtin_amdgcn_workitem_id_x();
	if (rotated) {
		float v[N];
		for (int i = 0; i < N; ++i) {
			v[i] = in[i];
		}
		for (int i = 0; i < N; ++i) {
			out[lane + 64 * i] = v[i] * c - v[N - 1 - i];
		}
	} else {
		float v[N];
		for (int i = 0; i < N; ++i) {
			v[i] = in[i];
		}
		for (int i = 0; i < N; ++i) {
			out[lane + 64 * i] = v[i] + c * v[(i + 7) % N];
		}
	}
}

// the ends differ, so that nothing is stored behind the if: 70 VGPRs, where the same ends take 130
template <bool ROTATED> __device__ void other_end(float *out, const float *in, float c)
{
	const int lane = __builtin_amdgcn_workitem_id_x();
	float v[N];
	for (int i = 0; i < N; ++i) {
		v[i] = in[lane * N + i];
	}
	for (int i = 0; i < N; ++i) {
		v[i] = ROTATED ? v[i] * c - v[(i + 1) % N] : v[i] + c * v[(i + 2) % N];
	}
	if constexpr (ROTATED) {
		for (int i = 0; i < N; ++i) {
			out[lane * N + i] = v[i];
		}
	} else {
		float sum = 0;
		for (int i = 0; i < N; ++i) {
			sum = sum * v[i] + c;
		}
		out[lane] = sum;
	}
}
KERNEL void ends(float *out, const float *in, float c, int rotated)
{
	if (rotated) {
		other_end<true>(out, in, c);
	} else {
		other_end<false>(out, in, c);
	}
}

// the addresses are offsets from one that both arms have, or indices of 64 bits, which are split into
// one and an offset; and the lanes share their indices
KERNEL void offsets(float *out, const float *in, const float *other, float c, int n, int rotated)
{
	const int lane = __builtin_amdgcn_workitem_id_x();
	float *to = out + lane * N;
	const long at = lane * N;
	float v[N];
	for (int i = 0; i < N; ++i) {
		v[i] = c;
	}
	if (rotated) {
		for (int i = 0; i < N; ++i) {
			to[i] = (in + lane * N)[i] * c;
		}
		for (int i = 0; i < N; ++i) {
			out[at + i] = in[at + i] * c;
		}
		for (int i = 0; i < N; ++i) {
			out[n * 64 + i] = in[n * 64 + i] * v[i];
		}
	} else {
		for (int i = 0; i < N; ++i) {
			to[i] = (other + lane * N)[i] + c;
		}
		for (int i = 0; i < N; ++i) {
			out[at + i] = other[at + i] + c;
		}
		for (int i = 0; i < N; ++i) {
			out[n * 64 + i] = other[n * 64 + i] + v[i];
		}
	}
}
