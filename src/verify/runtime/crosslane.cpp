// Convergent operations: exchanges, votes, atomics and barriers.
#include <unphi/crosslane.h>

#include <stdio.h>

namespace unphi
{

namespace
{

template <class F> void each(uint64_t here, F visit)
{
	for (; here; here &= here - 1) {
		visit((uint32_t)__builtin_ctzll(here));
	}
}

void run_pull(meeting *const *lane, uint64_t here)
{
	each(here, [&](uint32_t i) {
		pull &m = *(pull *)lane[i];
		if (m.from < 0) {
			return;
		}
		if (here >> m.from & 1) {
			m.result = ((pull *)lane[m.from])->value;
		} else if (m.missing == absent::zero) {
			m.result = 0;
		} else if (m.missing == absent::error) {
			fail(m.at, "lane %u reads lane %d, which is inactive,", i, m.from);
		}
	});
}

void run_pull_first(meeting *const *lane, uint64_t here)
{
	const uint64_t value = ((pull *)lane[__builtin_ctzll(here)])->value;
	each(here, [&](uint32_t i) { ((pull *)lane[i])->result = value; });
}

void run_push(meeting *const *lane, uint64_t here)
{
	each(here, [&](uint32_t i) {
		const push &m = *(push *)lane[i];
		if (here >> m.to & 1) {
			((push *)lane[m.to])->result = m.value;
		}
	});
}

void run_vote(meeting *const *lane, uint64_t here)
{
	uint64_t yes = 0;
	each(here, [&](uint32_t i) { yes |= (uint64_t)((vote *)lane[i])->value << i; });
	each(here, [&](uint32_t i) {
		((vote *)lane[i])->yes = yes;
		((vote *)lane[i])->here = here;
	});
}

void run_gather(meeting *const *lane, uint64_t here)
{
	uint64_t values[64] = {};
	const uint64_t all = wave_size() == 64 ? ~0ull : 0xffffffffull;
	each(here, [&](uint32_t i) {
		const gather &m = *(gather *)lane[i];
		values[i] = m.value;
		if (m.mask & all & ~here) {
			fail(m.at, "the mask has inactive lanes (lane %d),",
				__builtin_ctzll(m.mask & all & ~here));
		}
		if (m.mask && !(m.mask >> i & 1)) {
			fail(m.at, "lane %u is not in its own mask", i);
		}
	});
	each(here, [&](uint32_t i) {
		gather &m = *(gather *)lane[i];
		m.here = here;
		for (int j = 0; j < 64; ++j) {
			m.values[j] = values[j];
		}
	});
}

void run_act(meeting *const *lane, uint64_t here)
{
	each(here, [&](uint32_t i) {
		const act &m = *(act *)lane[i];
		lane_acts(i);
		m.step(m.context);
		lane_acted(i);
	});
}

void run_nothing(meeting *const *, uint64_t)
{
}

} // namespace

const operation op_pull = {"a lane exchange", meets::some, run_pull};
const operation op_pull_first = {"readfirstlane", meets::some, run_pull_first};
const operation op_readlane = {"readlane", meets::some, run_pull};
const operation op_swap = {"a swap of rows", meets::some, run_pull};
const operation op_push = {"ds_permute", meets::some, run_push};
const operation op_vote = {"a vote", meets::some, run_vote};
const operation op_gather = {"an exchange of all lanes", meets::some, run_gather};
const operation op_act = {"an atomic", meets::some, run_act};
const operation op_wave_sync = {"a fence", meets::some, run_nothing};
const operation op_syncthreads = {"__syncthreads", meets::block, nullptr};
const operation op_s_barrier = {"s_barrier", meets::any_block, nullptr};

bool shuffles_wrap = true;
static char shuffled[256];

int beyond_width(int from, int wrapped, int width, place at)
{
	if (!shuffled[0]) {
		snprintf(shuffled, sizeof shuffled, "%s:%d: __shfl reads lane %d of %d",
			at.file ? at.file : "?", at.line, from, width);
	}
	return shuffles_wrap ? wrapped : from;
}

const char *shuffle_beyond()
{
	return shuffled;
}

int swizzle_source(int lane, int pattern, place at)
{
	if (pattern >= 0xe000) {
		fail(at, "ds_swizzle in FFT mode is not supported");
	}
	if (pattern >= 0xc000) {
		const int steps = pattern >> 5 & 31;
		const int keep = pattern & 31;
		const int turned = (pattern >> 10 & 1 ? lane - steps : lane + steps) & 31;
		return (lane & ~31) | (lane & keep) | (turned & ~keep & 31);
	}
	if (pattern & 0x8000) {
		return (lane & ~3) | (pattern >> (lane % 4 * 2) & 3);
	}
	const int and_mask = pattern & 31;
	const int or_mask = pattern >> 5 & 31;
	const int xor_mask = pattern >> 10 & 31;
	return (lane & ~31) | ((((lane & 31) & and_mask) | or_mask) ^ xor_mask);
}

int dpp_source(int lane, int control, place at)
{
	const int size = (int)wave_size();
	const int row = lane & ~15;
	const int in_row = lane & 15;
	const int n = control & 15;
	if (control <= 0xff) {
		return (lane & ~3) | (control >> (lane % 4 * 2) & 3);
	}
	switch (control & ~15) {
	case 0x100:
		return in_row + n < 16 ? lane + n : -1;
	case 0x110:
		return in_row >= n ? lane - n : -1;
	case 0x120:
		return row + ((in_row - n) & 15);
	case 0x150:
		return row + n;
	case 0x160:
		return row + (in_row ^ n);
	}
	switch (control) {
	case 0x130:
		return lane + 1 < size ? lane + 1 : -1;
	case 0x134:
		return (lane + 1) % size;
	case 0x138:
		return lane - 1;
	case 0x13c:
		return (lane - 1 + size) % size;
	case 0x140:
		return row + 15 - in_row;
	case 0x141:
		return (lane & ~7) + 7 - (lane & 7);
	case 0x142:
		return row - 1;
	case 0x143:
		return lane >= 32 ? 31 : -1;
	default:
		fail(at, "DPP control 0x%x is not supported", (unsigned)control);
	}
}

} // namespace unphi
