// Where lanes meet, what they exchange there, and what is refused.
#include <hip/hip_runtime.h>

#include "test.h"

typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));
typedef unsigned long long mask;

static const int MAX = 1024;
static mask out[MAX][4];

static void clear()
{
	memset(out, 0, sizeof out);
}

// All lanes of one wave must have `expected` of their lane number at out[lane][which].
template <class F> static void expect(const char *name, int which, F expected, int lanes = 64)
{
	for (int lane = 0; lane < lanes; ++lane) {
		const mask want = (mask)expected(lane);
		if (out[lane][which] != want) {
			result(name, false, "lane %d has %llx, not %llx", lane, out[lane][which],
				want);
			return;
		}
	}
	result(name, true, "");
}

template <class F> static void run_wave(const char *name, F kernel)
{
	clear();
	if (!unphi::launch(dim3(1), dim3(64), 0, 64, kernel)) {
		result(name, false, "%s", unphi::error());
	}
}

static const mask ALL = ~0ull;
static const mask LOW = 0xffff;
static const mask ODD = 0xaaaaaaaaaaaaaaaaull;

// One-armed: the lanes outside wait behind it.
__global__ void one_arm()
{
	const int lane = threadIdx.x;
	if (lane < 16) {
		out[lane][0] = __ballot(1);
	}
	out[lane][1] = __ballot(1);
}

// An arm that looks unlikely is still in front of what follows.
__global__ void unlikely_arm(const float *x)
{
	const int lane = threadIdx.x;
	if (__builtin_expect(x[lane] == 0.0f, 0)) {
		out[lane][0] = __ballot(1);
	}
	out[lane][1] = __ballot(1);
}

__global__ void two_arms()
{
	const int lane = threadIdx.x;
	if (lane < 16) {
		out[lane][0] = __ballot(1);
		out[lane][1] = __ballot(1);
	} else {
		out[lane][0] = __ballot(1);
	}
	out[lane][2] = __ballot(1);
}

__device__ mask vote_inline()
{
	return __ballot(1);
}

__device__ __noinline__ mask vote_called()
{
	return __ballot(1);
}

template <bool Twice> __device__ __noinline__ mask vote_template()
{
	mask m = __ballot(1);
	if (Twice) {
		m &= __ballot(1);
	}
	return m;
}

// The same function from both arms: two places.
__global__ void calls()
{
	const int lane = threadIdx.x;
	if (lane & 1) {
		out[lane][0] = vote_inline();
	} else {
		out[lane][0] = vote_inline();
	}
	if (lane & 1) {
		out[lane][1] = vote_called();
	} else {
		out[lane][1] = vote_called();
	}
	if (lane & 1) {
		out[lane][2] = vote_template<true>();
	} else {
		out[lane][2] = vote_template<false>();
	}
	out[lane][3] = vote_called();
}

// A function used before and after, defined before both.
__global__ void call_behind_arm()
{
	const int lane = threadIdx.x;
	if (lane < 16) {
		out[lane][0] = __ballot(1);
	}
	out[lane][1] = vote_called();
	if (lane >= 16) {
		out[lane][0] = vote_called();
	}
	out[lane][2] = __ballot(1);
}

// Lanes leave the loop after different iterations and wait behind it.
__global__ void loop_of_lanes()
{
	const int lane = threadIdx.x;
	for (int i = 0; i <= lane / 16; ++i) {
		out[lane][0] = __ballot(1);
	}
	out[lane][1] = __ballot(1);
}

// A lane does the operation in every other iteration: odd and even lanes never meet.
__global__ void loop_of_parity()
{
	const int lane = threadIdx.x;
	mask met = 0;
	for (int i = 0; i < 6; ++i) {
		if ((lane + i) & 1) {
			met |= __ballot(1);
		}
	}
	out[lane][0] = met;
	out[lane][1] = __ballot(1);
}

__global__ void while_of_parity()
{
	const int lane = threadIdx.x;
	mask met = 0;
	int i = 0;
	while (i < 6) {
		++i;
		if ((lane + i) & 1) {
			continue;
		}
		met |= __ballot(1);
	}
	do {
		if ((lane + i) & 1) {
			met |= __ballot(1);
		}
	} while (--i > 0);
	out[lane][0] = met;
	out[lane][1] = __ballot(1);
}

__global__ void nested_loops()
{
	const int lane = threadIdx.x;
	mask met = 0, all = ALL;
	for (int i = 0; i < 3; ++i) {
		for (int j = 0; j < 1 + ((lane + i) & 1); ++j) {
			if (j == 1) {
				met |= __ballot(1);
			}
		}
		all &= __ballot(1);
	}
	out[lane][0] = met;
	out[lane][1] = all;
}

// An operation and then out of the loop, in the middle of it.
__global__ void break_of_lanes()
{
	const int lane = threadIdx.x;
	mask left = 0, stayed = 0;
	for (int i = 0;; ++i) {
		if (lane / 16 == i) {
			left = __ballot(1);
			break;
		}
		stayed = __ballot(1);
	}
	out[lane][0] = left;
	out[lane][1] = stayed;
	out[lane][2] = __ballot(1);
}

// Lanes that never come to the loop wait behind it.
__global__ void loop_in_arm()
{
	const int lane = threadIdx.x;
	if (lane < 16) {
		for (int i = 0; i < 3 + lane; ++i) {
			out[lane][0] = __ballot(1);
		}
	}
	out[lane][1] = __ballot(1);
	if (lane < 16) {
		out[lane][2] = __ballot(1);
	}
	for (int i = 0; i < 2; ++i) {
		out[lane][3] = __ballot(1);
	}
}

__device__ __noinline__ mask vote_in_loop(int n)
{
	mask m = 0;
	for (int i = 0; i < n; ++i) {
		m |= __ballot(1);
	}
	return m;
}

// Loops without an iteration, loops behind loops, and a function with a loop called again.
__global__ void loops_behind_loops()
{
	const int lane = threadIdx.x;
	mask all = ALL;
	for (int round = 0; round < 3; ++round) {
		for (int i = 0; i < lane / 16; ++i) {
			out[lane][0] = __ballot(1);
		}
		all &= __ballot(1);
		int n = 3 - lane / 16;
		while (n-- > 0) {
			out[lane][1] = __ballot(1);
		}
		all &= __ballot(1);
		out[lane][2] = vote_in_loop(lane / 16);
		all &= __ballot(1);
		vote_in_loop(3 - lane / 16);
		all &= vote_in_loop(1);
	}
	out[lane][3] = all;
}

__global__ void switch_of_lanes()
{
	const int lane = threadIdx.x;
	mask m = 0;
	switch (lane / 16) {
	case 0:
		m = __ballot(1);
		break;
	case 1:
		m = __ballot(1);
		// Fall through.
	case 2:
		m |= __ballot(1);
		break;
	default:
		m = vote_inline();
	}
	out[lane][0] = m;
	out[lane][1] = __ballot(1);
}

__global__ void early_return()
{
	const int lane = threadIdx.x;
	out[lane][0] = __ballot(1);
	if (lane >= 16) {
		return;
	}
	out[lane][1] = __ballot(1);
}

static void test_meetings()
{
	static float zeros[64];
	for (int i = 0; i < 64; ++i) {
		zeros[i] = i < 16 ? 0.0f : 1.0f;
	}
	const auto all = [](int) { return ALL; };
	const auto parity = [](int lane) { return lane & 1 ? ODD : ~ODD; };

	run_wave("one-arm", one_arm);
	expect("one-arm/inside", 0, [](int lane) { return lane < 16 ? LOW : 0; });
	expect("one-arm/behind", 1, all);
	run_wave("unlikely-arm", [] { unlikely_arm(zeros); });
	expect("unlikely-arm/inside", 0, [](int lane) { return lane < 16 ? LOW : 0; });
	expect("unlikely-arm/behind", 1, all);
	run_wave("two-arms", two_arms);
	expect("two-arms/inside", 0, [](int lane) { return lane < 16 ? LOW : ~LOW; });
	expect("two-arms/second", 1, [](int lane) { return lane < 16 ? LOW : 0; });
	expect("two-arms/behind", 2, all);
	run_wave("calls", calls);
	expect("calls/inline", 0, parity);
	expect("calls/noinline", 1, parity);
	expect("calls/template", 2, parity);
	expect("calls/behind", 3, all);
	run_wave("call-behind-arm", call_behind_arm);
	expect("call-behind-arm/inside", 0, [](int lane) { return lane < 16 ? LOW : ~LOW; });
	expect("call-behind-arm/call", 1, all);
	expect("call-behind-arm/behind", 2, all);
	run_wave("loop-of-lanes", loop_of_lanes);
	expect("loop-of-lanes/last", 0, [](int lane) { return ALL << (lane / 16 * 16); });
	expect("loop-of-lanes/behind", 1, all);
	run_wave("loop-of-parity", loop_of_parity);
	expect("loop-of-parity/inside", 0, parity);
	expect("loop-of-parity/behind", 1, all);
	run_wave("while-of-parity", while_of_parity);
	expect("while-of-parity/inside", 0, parity);
	expect("while-of-parity/behind", 1, all);
	run_wave("nested-loops", nested_loops);
	expect("nested-loops/inside", 0, parity);
	expect("nested-loops/between", 1, all);
	run_wave("break-of-lanes", break_of_lanes);
	expect("break-of-lanes/left", 0, [](int lane) { return LOW << (lane / 16 * 16); });
	expect("break-of-lanes/stayed", 1,
		[](int lane) { return lane < 16 ? 0 : ALL << (lane / 16 * 16); });
	expect("break-of-lanes/behind", 2, all);
	run_wave("loop-in-arm", loop_in_arm);
	expect("loop-in-arm/inside", 0,
		[](int lane) { return lane < 16 ? 1ull << lane | (LOW << lane & LOW) : 0; });
	expect("loop-in-arm/behind", 1, all);
	expect("loop-in-arm/arm", 2, [](int lane) { return lane < 16 ? LOW : 0; });
	expect("loop-in-arm/loop", 3, all);
	run_wave("loops-behind-loops", loops_behind_loops);
	expect("loops-behind-loops/up", 0,
		[](int lane) { return lane < 16 ? 0 : ALL << (lane / 16 * 16); });
	expect("loops-behind-loops/down", 1,
		[](int lane) { return lane >= 48 ? 0 : ALL >> (48 - lane / 16 * 16); });
	expect("loops-behind-loops/called", 2, [](int lane) { return lane < 16 ? 0 : ~LOW; });
	expect("loops-behind-loops/behind", 3, all);
	run_wave("switch-of-lanes", switch_of_lanes);
	expect("switch-of-lanes/inside", 0, [](int lane) {
		return lane / 16 == 1 || lane / 16 == 2 ? LOW << 16 | LOW << 32
							: LOW << (lane / 16 * 16);
	});
	expect("switch-of-lanes/behind", 1, all);
	run_wave("early-return", early_return);
	expect("early-return/before", 0, all);
	expect("early-return/behind", 1, [](int lane) { return lane < 16 ? LOW : 0; });
}

// What must be refused. Each expects its message to name a line that is marked in the source.
static int marked;
#define MARK(statement) (marked = __LINE__, (void)(statement))

template <class F>
static void refuse(
	const char *name, const char *what, int threads, F kernel, bool early_exit = false)
{
	unphi::shape s;
	s.block = dim3((unsigned)threads);
	s.early_exit = early_exit;
	s.wave_size = 64;
	marked = 0;
	const bool ran = unphi::launch(s, kernel);
	char place[32];
	snprintf(place, sizeof place, "wave_test.cpp:%d:", marked);
	result(name,
		!ran && strstr(unphi::error(), what) && (!marked || strstr(unphi::error(), place)),
		"%s, marked %d, says %s", ran ? "ran" : "refused", marked, unphi::error());
}

__device__ f32x4 mma()
{
	const f16x4 x = {1, 2, 3, 4};
	return __builtin_amdgcn_mfma_f32_16x16x16f16(x, x, f32x4{0, 0, 0, 0}, 0, 0, 0);
}

template <int N> __device__ f32x4 mma_template()
{
	const f16x4 x = {1, 2, 3, N};
	return __builtin_amdgcn_mfma_f32_16x16x16f16(x, x, f32x4{0, 0, 0, 0}, 0, 0, 0);
}

static f32x4 sink;

static void test_refusals()
{
	refuse("refuses/mfma-in-arm", "reached by 32 of 64 lanes", 64, [] {
		const f16x4 x = {1, 2, 3, 4};
		if (threadIdx.x & 1) {
			MARK(__builtin_amdgcn_mfma_f32_16x16x16f16(x, x, sink, 0, 0, 0));
		}
	});
	refuse("refuses/mfma-in-both-arms", "reached by 32 of 64 lanes", 64, [] {
		if (threadIdx.x & 1) {
			sink = mma();
		} else {
			sink = mma();
		}
	});
	refuse("refuses/mfma-in-both-instances", "reached by 16 of 64 lanes", 64, [] {
		if (threadIdx.x < 16) {
			sink = mma_template<1>();
		} else {
			sink = mma_template<2>();
		}
	});
	refuse("refuses/mfma-by-parity", "reached by 32 of 64 lanes", 64, [] {
		for (unsigned i = 0; i < 4; ++i) {
			if ((threadIdx.x + i) & 1) {
				sink = mma();
			}
		}
	});
	refuse("refuses/mfma-after-return", "lanes 63 have left the kernel", 64, [] {
		if (threadIdx.x == 63) {
			return;
		}
		sink = mma();
	});
	refuse("refuses/mfma-in-short-wave", "the wave has 16 lanes", 80, [] { sink = mma(); });
	refuse("refuses/barrier-in-arm", "__syncthreads", 64, [] {
		if (threadIdx.x < 5) {
			MARK(__syncthreads());
		}
	});
	refuse("refuses/barrier-in-both-arms", "not reached by all lanes at one place", 64, [] {
		if (threadIdx.x < 5) {
			__syncthreads();
		} else {
			__syncthreads();
		}
	});
	refuse("refuses/barrier-of-one-wave", "after lanes have left", 128, [] {
		if (threadIdx.x < 64) {
			MARK(__syncthreads());
		}
	});
	refuse("refuses/barrier-in-arms-of-waves", "not reached by all lanes at one place", 128, [] {
		if (threadIdx.x < 64) {
			__syncthreads();
		} else {
			__syncthreads();
		}
	});
	refuse("refuses/barrier-in-iterations", "not reached by all lanes at one place", 64, [] {
		for (unsigned i = 0; i < 2; ++i) {
			if ((threadIdx.x + i) & 1) {
				__syncthreads();
			}
		}
	});
	refuse("refuses/barrier-after-return", "after lanes have left", 64, [] {
		if (threadIdx.x == 3) {
			return;
		}
		__syncthreads();
	});
	refuse("refuses/readlane-of-absent", "reads lane 0, which is inactive", 64, [] {
		if (threadIdx.x) {
			MARK(__builtin_amdgcn_readlane((int)threadIdx.x, 0));
		}
	});
	refuse("refuses/mask-of-absent", "has inactive lanes", 64, [] {
		if (threadIdx.x < 32) {
			MARK(__shfl_sync(~0ull, 1, 0));
		}
	});
	refuse("refuses/trap", "__trap", 64, [] { MARK(__trap()); });

	// Allowed on purpose.
	unphi::shape s;
	s.block = dim3(128);
	s.early_exit = true;
	bool ran = unphi::launch(s, [] {
		if (threadIdx.x % 2) {
			return;
		}
		__syncthreads();
	});
	result("allows/early-exit", ran, "%s", unphi::error());
	s.early_exit = false;
	ran = unphi::launch(s, [] {
		if (threadIdx.x < 64) {
			__builtin_amdgcn_s_barrier();
		} else {
			__builtin_amdgcn_s_barrier();
		}
	});
	result("allows/s-barrier-of-waves", ran, "%s", unphi::error());
}

// Exchanges, compared with their definitions.
__global__ void shuffles(int width)
{
	const int lane = threadIdx.x % 64;
	const int x = lane * 10 + 1;
	out[lane][0] = (mask)__shfl(x, 5, width);
	out[lane][1] = (mask)__shfl_up(x, 3, width);
	out[lane][2] = (mask)__shfl_down(x, 3, width);
	out[lane][3] = (mask)__shfl_xor(x, 6, width);
}

// gfx950's swaps of rows, and loads that transpose tiles of 16 columns.
static void test_tiles()
{
	run_wave("tile/swap", [] {
		const unsigned lane = threadIdx.x;
		const auto rows = __builtin_amdgcn_permlane16_swap(lane, 100 + lane, false, false);
		const auto halves =
			__builtin_amdgcn_permlane32_swap(lane, 100 + lane, false, false);
		out[lane][0] = rows[0];
		out[lane][1] = rows[1];
		out[lane][2] = halves[0];
		out[lane][3] = halves[1];
	});
	expect("tile/rows-of-a", 0, [](int l) { return l & 16 ? 100 + l - 16 : l; });
	expect("tile/rows-of-b", 1, [](int l) { return l & 16 ? 100 + l : l + 16; });
	expect("tile/halves-of-a", 2, [](int l) { return l & 32 ? 100 + l - 32 : l; });
	expect("tile/halves-of-b", 3, [](int l) { return l & 32 ? 100 + l : l + 32; });
	static unsigned short words[64][4];
	static unsigned char bytes[64][8], nibbles[64][8], sixes[64][12];
	for (int i = 0; i < 256; ++i) {
		(&words[0][0])[i] = (unsigned short)i;
	}
	for (int i = 0; i < 512; ++i) {
		(&bytes[0][0])[i] = (unsigned char)(i / 2);
	}
	// element e of row r of a tile: of 4 bits e ^ r, of 6 bits e + 2 r
	for (int i = 0; i < 64 * 16; ++i) {
		const int e = i % 16, r = i / 16 % 16;
		nibbles[i / 16][e / 2] |= (unsigned char)((e ^ r) << e % 2 * 4);
		for (int b = 0; b < 6; ++b) {
			const int at = e * 6 + b;
			sixes[i / 16][at / 8] |= (unsigned char)(((e + 2 * r) >> b & 1) << at % 8);
		}
	}
	run_wave("tile/read", [] {
		const int lane = (int)threadIdx.x;
		const auto w = __builtin_amdgcn_ds_read_tr16_b64_v4i16((unphi::v4s *)words[lane]);
		const auto b = __builtin_amdgcn_ds_read_tr8_b64_v2i32((unphi::v2i *)bytes[lane]);
		out[lane][0] = __builtin_bit_cast(mask, w);
		out[lane][1] = __builtin_bit_cast(mask, b);
		const auto n = __builtin_amdgcn_ds_read_tr4_b64_v2i32((unphi::v2i *)nibbles[lane]);
		const auto s = __builtin_amdgcn_ds_read_tr6_b96_v3i32(sixes[lane]);
		out[lane][2] = __builtin_bit_cast(mask, n);
		out[lane][3] = (mask)(unsigned)s[1] << 32 | (unsigned)s[2];
	});
	// column l % 16 of 4 and of 8 rows of 16
	expect("tile/words", 0, [](int l) {
		const mask first = (mask)(l / 16 * 64 + l % 16);
		return first | (first + 16) << 16 | (first + 32) << 32 | (first + 48) << 48;
	});
	expect("tile/bytes", 1, [](int l) {
		mask column = 0;
		for (int row = 0; row < 8; ++row) {
			column |= (mask)((l / 16 * 128 + row * 16 + l % 16) / 2) << 8 * row;
		}
		return column;
	});
	expect("tile/nibbles", 2, [](int l) {
		mask column = 0;
		for (int row = 0; row < 16; ++row) {
			column |= (mask)(l % 16 ^ row) << 4 * row;
		}
		return column;
	});
	expect("tile/sixes", 3, [](int l) { // its second and third word
		unsigned word[3] = {};
		for (int bit = 0; bit < 96; ++bit) {
			word[bit / 32] |= (unsigned)((l % 16 + bit / 6 * 2) >> bit % 6 & 1) << bit % 32;
		}
		return (mask)word[1] << 32 | word[2];
	});
	const bool ran = unphi::launch(dim3(1), dim3(64), 0, 64, [] {
		if (threadIdx.x < 40) {
			__builtin_amdgcn_permlane16_swap(1, 2, false, false);
		}
	});
	result("tile/swap-absent",
		!ran && strstr(unphi::error(), "lane 32 reads lane 48, which is inactive"), "%s",
		ran ? "it ran" : unphi::error());
}

static void test_shuffles()
{
	const auto value = [](int lane) { return lane * 10 + 1; };
	for (int width = 2; width <= 64; width *= 2) {
		char name[40];
		snprintf(name, sizeof name, "shuffle/width%d", width);
		run_wave(name, [=] { shuffles(width); });
		expect(name, 0, [=](int l) { return value(l / width * width + 5 % width); });
		expect(name, 1, [=](int l) { return value(l % width < 3 ? l : l - 3); });
		expect(name, 2, [=](int l) { return value(l % width + 3 >= width ? l : l + 3); });
		expect(name, 3, [=](int l) {
			const int from = l ^ 6;
			return value(from >= (l / width + 1) * width ? l : from);
		});
	}
	run_wave("shuffle/types", [] {
		const int lane = (int)threadIdx.x;
		out[lane][0] = (mask)(__shfl_xor((double)lane, 1) + 0.5 == (lane ^ 1) + 0.5);
		out[lane][1] = (mask)(__shfl_xor((float)lane, 2) == (float)(lane ^ 2));
		out[lane][2] = __shfl_xor((mask)lane << 40, 4) >> 40;
		out[lane][3] = (mask)(__shfl((short)-lane, 7) == -7);
	});
	expect("shuffle/double", 0, [](int) { return 1; });
	expect("shuffle/float", 1, [](int) { return 1; });
	expect("shuffle/long", 2, [](int l) { return l ^ 4; });
	expect("shuffle/short", 3, [](int) { return 1; });
	run_wave("shuffle/absent", [] {
		const int lane = (int)threadIdx.x;
		if (lane < 8) {
			out[lane][0] = (mask)__shfl_down(lane + 1, 4);
		}
		if (lane < 16) {
			out[lane][1] = (mask)__shfl_sync(0xffffull, lane, 3);
		}
	});
	expect("shuffle/absent-is-0", 0, [](int l) { return l < 4 ? l + 5 : 0; });
	expect("shuffle/sync-of-some", 1, [](int l) { return l < 16 ? 3 : 0; });
}

template <int Control> static void test_dpp(const char *name, int (*source)(int))
{
	run_wave(name, [] {
		const int lane = (int)threadIdx.x;
		out[lane][0] = (mask)(unsigned)__builtin_amdgcn_update_dpp(
			7, lane + 100, Control, 0xf, 0xf, false);
		out[lane][1] = (mask)(unsigned)__builtin_amdgcn_update_dpp(
			7, lane + 100, Control, 0xf, 0xf, true);
		out[lane][2] = (mask)(unsigned)__builtin_amdgcn_update_dpp(
			7, lane + 100, Control, 0xa, 0x6, false);
	});
	char full[80];
	snprintf(full, sizeof full, "dpp/%s", name);
	expect(full, 0, [=](int l) { return source(l) < 0 ? 7 : source(l) + 100; });
	expect(full, 1, [=](int l) { return source(l) < 0 ? 0 : source(l) + 100; });
	expect(full, 2, [=](int l) {
		const bool written = (l / 16) % 2 == 1 && (l / 4 % 4 == 1 || l / 4 % 4 == 2);
		return source(l) < 0 || !written ? 7 : source(l) + 100;
	});
}

static void test_permutations()
{
	test_dpp<0x1b>("quad-reverse", [](int l) { return l / 4 * 4 + 3 - l % 4; });
	test_dpp<0x103>("row-shl-3", [](int l) { return l % 16 < 13 ? l + 3 : -1; });
	test_dpp<0x112>("row-shr-2", [](int l) { return l % 16 > 1 ? l - 2 : -1; });
	test_dpp<0x125>("row-ror-5", [](int l) { return l / 16 * 16 + (l + 11) % 16; });
	test_dpp<0x130>("wave-shl", [](int l) { return l < 63 ? l + 1 : -1; });
	test_dpp<0x134>("wave-rol", [](int l) { return (l + 1) % 64; });
	test_dpp<0x138>("wave-shr", [](int l) { return l - 1; });
	test_dpp<0x13c>("wave-ror", [](int l) { return (l + 63) % 64; });
	test_dpp<0x140>("row-mirror", [](int l) { return l ^ 15; });
	test_dpp<0x141>("row-half-mirror", [](int l) { return l ^ 7; });
	test_dpp<0x142>("row-bcast-15", [](int l) { return l < 16 ? -1 : l / 16 * 16 - 1; });
	test_dpp<0x143>("row-bcast-31", [](int l) { return l < 32 ? -1 : 31; });
	test_dpp<0x157>("row-share-7", [](int l) { return l / 16 * 16 + 7; });

	run_wave("permute", [] {
		const int lane = (int)threadIdx.x;
		out[lane][0] = (mask)__builtin_amdgcn_ds_bpermute((63 - lane) * 4, lane);
		out[lane][1] = (mask)__builtin_amdgcn_ds_permute((lane + 5) % 64 * 4, lane);
		out[lane][2] = (mask)__builtin_amdgcn_ds_swizzle(lane, 0x1f | 1 << 10);
		out[lane][3] = (mask)__builtin_amdgcn_ds_swizzle(lane, 0x8000 | 0xb1);
	});
	expect("permute/bpermute", 0, [](int l) { return 63 - l; });
	expect("permute/permute", 1, [](int l) { return (l + 59) % 64; });
	expect("permute/swizzle-xor", 2, [](int l) { return l ^ 1; });
	expect("permute/swizzle-quad", 3, [](int l) { return l ^ 1; });

	run_wave("lane", [] {
		const int lane = (int)threadIdx.x;
		if (lane >= 10) {
			out[lane][0] = (mask)__builtin_amdgcn_readfirstlane(lane);
			out[lane][1] = (mask)__builtin_amdgcn_readlane(lane, 40);
		}
		out[lane][2] = (mask)__builtin_amdgcn_writelane(99, 3, lane);
		out[lane][3] = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
	});
	expect("lane/readfirstlane", 0, [](int l) { return l < 10 ? 0 : 10; });
	expect("lane/readlane", 1, [](int l) { return l < 10 ? 0 : 40; });
	expect("lane/writelane", 2, [](int l) { return l == 3 ? 99 : l; });
	expect("lane/mbcnt", 3, [](int l) { return l; });

	run_wave("vote", [] {
		const int lane = (int)threadIdx.x;
		out[lane][0] =
			(mask)(__any(lane == 7) + 2 * __all(lane < 64) + 4 * __all(lane < 63));
		out[lane][1] = lane < 16 ? __activemask() : 0;
		out[lane][2] = __match_any(lane / 8);
		out[lane][3] = (mask)__reduce_add_sync(~0ull, lane);
	});
	expect("vote/any-all", 0, [](int) { return 3; });
	expect("vote/activemask", 1, [](int l) { return l < 16 ? LOW : 0; });
	expect("vote/match-any", 2, [](int l) { return 0xffull << (l / 8 * 8); });
	expect("vote/reduce", 3, [](int) { return 63 * 64 / 2; });
}

// LDS.
__device__ float block_sum(float x)
{
	__shared__ float part[16];
	const int lane = threadIdx.x % warpSize;
	const int wave = threadIdx.x / warpSize;
	for (int d = warpSize / 2; d > 0; d /= 2) {
		x += __shfl_down(x, d);
	}
	if (lane == 0) {
		part[wave] = x;
	}
	__syncthreads();
	if (wave == 0) {
		x = lane < (int)blockDim.x / warpSize ? part[lane] : 0;
		for (int d = 8; d > 0; d /= 2) {
			x += __shfl_down(x, d);
		}
	}
	return x;
}

__global__ void sum_blocks(const float *x, float *sums)
{
	const float s = block_sum(x[blockIdx.x * blockDim.x + threadIdx.x]);
	if (threadIdx.x == 0) {
		sums[blockIdx.x] = s;
	}
}

// Reverses tiles through two buffers in turn.
template <int N> __global__ void double_buffer(const int *in, int *reversed, int tiles)
{
	__shared__ int tile[2][N];
	const int t = threadIdx.x;
	tile[0][t] = in[t];
	for (int i = 0; i < tiles; ++i) {
		__syncthreads();
		if (i + 1 < tiles) {
			tile[(i + 1) % 2][t] = in[(i + 1) * N + t];
		}
		reversed[i * N + t] = tile[i % 2][N - 1 - t];
	}
}

__global__ void dynamic_lds(int *sum)
{
	extern __shared__ int numbers[];
	const int n = blockDim.x;
	numbers[threadIdx.x] = threadIdx.x;
	__syncthreads();
	for (int half = n / 2; half > 0; half /= 2) {
		if ((int)threadIdx.x < half) {
			numbers[threadIdx.x] += numbers[threadIdx.x + half];
		}
		__syncthreads();
	}
	*sum = numbers[0];
}

extern __shared__ __attribute__((aligned(16))) char raw_lds[];
__global__ void other_dynamic_lds(double *got)
{
	HIP_DYNAMIC_SHARED(double, doubles)
	doubles[threadIdx.x] = threadIdx.x;
	__syncthreads();
	*got = *(double *)(raw_lds + 8 * 5);
}

// A wave goes in lockstep between fences.
__global__ void lockstep()
{
	__shared__ volatile int x[64];
	const int lane = threadIdx.x;
	x[lane] = lane;
	__builtin_amdgcn_wave_barrier();
	const int other = x[63 - lane];
	__builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "wavefront");
	x[lane] = other * 2;
	__syncwarp();
	out[lane][0] = (mask)x[(lane + 1) % 64];
}

// One wave waits for another.
__global__ void wait_for_wave()
{
	__shared__ volatile int flag;
	if (threadIdx.x == 0) {
		flag = 0;
	}
	__syncthreads();
	if (threadIdx.x < 64) {
		while (flag == 0) {
			__builtin_amdgcn_s_sleep(1);
		}
		out[threadIdx.x][0] = (mask)flag;
	} else if (threadIdx.x == 64) {
		flag = 42;
	}
}

static void test_lds()
{
	static float x[4 * 256], sums[4];
	for (int i = 0; i < 4 * 256; ++i) {
		x[i] = (float)(i % 7);
	}
	bool good = unphi::launch(dim3(4), dim3(256), 0, 64, [] { sum_blocks(x, sums); });
	for (int b = 0; b < 4; ++b) {
		float want = 0;
		for (int i = 0; i < 256; ++i) {
			want += x[b * 256 + i];
		}
		good = good && sums[b] == want;
	}
	result("lds/block-sum", good, "%s", unphi::error());

	static int in[5 * 128], reversed[5 * 128];
	for (int i = 0; i < 5 * 128; ++i) {
		in[i] = i * 3;
	}
	for (const bool descending : {false, true}) {
		memset(reversed, 0, sizeof reversed);
		unphi::shape s;
		s.block = dim3(128);
		s.descending = descending;
		good = unphi::launch(s, [] { double_buffer<128>(in, reversed, 5); });
		for (int i = 0; i < 5 * 128; ++i) {
			good = good && reversed[i] == in[i / 128 * 128 + 127 - i % 128];
		}
		result(descending ? "lds/double-buffer-descending" : "lds/double-buffer", good,
			"%s", unphi::error());
	}
	int sum = 0;
	good = unphi::launch(dim3(1), dim3(256), 256 * 4, 64, [&] { dynamic_lds(&sum); });
	result("lds/dynamic", good && sum == 255 * 128, "%d", sum);
	double got = 0;
	good = unphi::launch(dim3(1), dim3(64), 64 * 8, 64, [&] { other_dynamic_lds(&got); });
	result("lds/dynamic-other-types", good && got == 5, "%g", got);
	good = unphi::launch(dim3(1), dim3(256), 256 * 4 - 1, 64, [&] { dynamic_lds(&sum); });
	result("lds/overflow-refused", !good && strstr(unphi::error(), "byte 1023 of dynamic LDS"),
		"%s", unphi::error());
	run_wave("lds/lockstep", lockstep);
	expect("lds/lockstep", 0, [](int l) { return (63 - (l + 1) % 64) * 2; });
	clear();
	good = unphi::launch(dim3(1), dim3(128), 0, 64, wait_for_wave);
	expect("lds/wait-for-wave", 0, [](int) { return 42; });
}

static void test_atomics()
{
	static int count, highest;
	static unsigned wrapped;
	static float total;
	static mask order;
	count = 0;
	highest = -1;
	bool good = unphi::launch(dim3(3), dim3(100), 0, 64, [] {
		atomicAdd(&count, 2);
		atomicMax(&highest, (int)(blockIdx.x * 100 + threadIdx.x));
		atomicInc(&wrapped, 6u);
		atomicAdd(&total, 0.25f);
		// A loop that all lanes of the wave contend in.
		mask old = order, seen;
		do {
			seen = old;
			old = atomicCAS(&order, seen, seen + 1);
		} while (old != seen);
	});
	result("atomic/add", good && count == 600, "%d", count);
	result("atomic/max", highest == 299, "%d", highest);
	result("atomic/inc", wrapped == 300 % 7, "%u", wrapped);
	result("atomic/float", total == 75, "%g", (double)total);
	result("atomic/cas-loop", order == 300, "%llu", order);

	static int bins[4];
	good = unphi::launch(dim3(1), dim3(64), 0, 64, [] {
		__shared__ int local[4];
		if (threadIdx.x < 4) {
			local[threadIdx.x] = 0;
		}
		__syncthreads();
		atomicAdd(&local[threadIdx.x % 4], (int)threadIdx.x);
		__syncthreads();
		if (threadIdx.x < 4) {
			__hip_atomic_fetch_add(&bins[threadIdx.x], local[threadIdx.x],
				__ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
		}
	});
	result("atomic/lds", good && bins[0] == 480 && bins[3] == 528, "%d %d", bins[0], bins[3]);
	int counted = 0, any = 0, all = 1;
	good = unphi::launch(dim3(1), dim3(128), 0, 64, [&] {
		counted = __syncthreads_count(threadIdx.x % 3 == 0);
		any = __syncthreads_or(threadIdx.x == 127);
		all = __syncthreads_and(threadIdx.x != 5);
	});
	result("barrier/count-or-and", good && counted == 43 && any == 1 && all == 0, "%d %d %d",
		counted, any, all);
}

static void test_waves_of_32()
{
	clear();
	unphi::launch(dim3(1), dim3(64), 0, 32, [] {
		const int t = (int)threadIdx.x;
		out[t][0] = __ballot(t & 1);
		out[t][1] = (mask)__shfl_xor(t, 31);
		out[t][2] = (mask)__builtin_amdgcn_readfirstlane(t);
		out[t][3] = __lane_id();
	});
	expect("wave32/ballot", 0, [](int) { return ODD & 0xffffffff; });
	expect("wave32/shuffle", 1, [](int l) { return l ^ 31; });
	expect("wave32/readfirstlane", 2, [](int l) { return l / 32 * 32; });
	expect("wave32/lane", 3, [](int l) { return l % 32; });
}

static void test_indices()
{
	static unsigned seen[2 * 3 * 2][4 * 2 * 3];
	const bool good = unphi::launch(dim3(2, 3, 2), dim3(4, 2, 3), 0, 64, [] {
		const unsigned b = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
		const unsigned t =
			(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
		seen[b][t] += 1 + __builtin_amdgcn_workitem_id_y() * 10 + hipBlockIdx_z * 100;
	});
	bool right = good;
	for (unsigned b = 0; b < 12; ++b) {
		for (unsigned t = 0; t < 24; ++t) {
			right = right && seen[b][t] == 1 + t / 4 % 2 * 10 + b / 6 * 100;
		}
	}
	result("index/all", right, "%s", unphi::error());
}

// What must compile.
struct counter {
	int n;
	constexpr int sum() const
	{
		int s = 0;
		for (int i = 0; i < n; ++i) {
			s += i;
		}
		return s;
	}
};
static_assert(counter{5}.sum() == 10, "");
constexpr auto square_sum = [](int n) {
	int s = 0;
	while (n > 0) {
		s += n * n;
		--n;
	}
	return s;
};
static_assert(square_sum(3) == 14, "");

template <class T> __global__ void fill(T *p, T x)
{
	p[threadIdx.x] = x;
	asm volatile("" ::: "memory");
	if (threadIdx.x == 0) {
		asm volatile("" : "+v"(x));
	} else {
		for (int i = 0; i < 2; ++i) {
			if (i) {
				p[threadIdx.x] = x;
			}
		}
	}
}

// clang-format off
void host_code(float *p)
{
	hipMalloc((void **)&p, 100);
	fill<<<dim3(1), 64, 0, 0>>>(p, 1.0f);
	fill<float><<<(1 << 2) >> 2,
		64>>>(p,
		1.0f);
	hipDeviceSynchronize();
}
// clang-format on

__device__ int shifts(int a)
{
	return a << 2 >> 1 << 1;
}

// Who wrote last: plainly, by an atomic, before and after lanes meet, nobody.
static void test_watch()
{
	static int plain, counted, early, untouched, same = 7;
	struct {
		const char *name;
		const int *at;
		bool known;
		uint32_t block, thread, lane;
	} const expected[] = {{"watch/plain", &plain, true, 2, 70, 6},
		{"watch/atomic", &counted, true, 2, 99, 35},
		{"watch/before-a-meeting", &early, true, 2, 3, 3},
		{"watch/nobody", &untouched, false, 0, 0, 0},
		{"watch/same", &same, false, 0, 0, 0}};
	for (const auto &e : expected) {
		unphi::watch(e.at, sizeof *e.at);
	}
	unphi::launch(dim3(3), dim3(100), 0, 64, [] {
		if (threadIdx.x == 3) {
			early = blockIdx.x + 1;
		}
		__shfl(1, 0);
		atomicAdd(&counted, 1);
		__syncthreads();
		if (threadIdx.x == 70) {
			plain = blockIdx.x + 1;
		}
		same = 7;
	});
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; ++i) {
		const auto &e = expected[i];
		const unphi::writer &w = unphi::last_writer(i);
		result(e.name,
			w.known == e.known && w.block.x == e.block && w.thread.x == e.thread &&
				w.wave == e.thread / 64 && w.lane == e.lane,
			"block %u thread %u wave %u lane %u", w.block.x, w.thread.x, w.wave,
			w.lane);
	}
}

int main()
{
	test_watch();
	test_meetings();
	test_refusals();
	test_shuffles();
	test_tiles();
	test_permutations();
	test_lds();
	test_atomics();
	test_waves_of_32();
	test_indices();
	return failures != 0;
}
