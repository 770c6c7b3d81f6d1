// The race checker: who accessed what, and what orders accesses. race.h has the rules.
//
// Time is a counter of events that may order accesses. A word records the last write and read of
// its bytes, with time and thread. A wave records the time up to which it has seen the accesses of
// others.
#include <unphi/race.h>
#include <unphi/race_state.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

extern "C" __attribute__((weak)) char __start_unphi_lds[];
extern "C" __attribute__((weak)) char __stop_unphi_lds[];

// A guard before LDS, not part of any kernel. This file is linked before those with kernels,
// wave.cpp after them (run/build.c).
char unphi_lds_before[UNPHI_LDS_GUARD] = {};

namespace unphi
{

bool race_syncs;
namespace
{

constexpr size_t SPAN = 1ull << 33; // launch_place.hpp: a buffer begins in a span of its own
struct region {
	uintptr_t from;
	size_t bytes;
	word_state *state;
	const char *name;
	bool exact;
	bool lds;
	bool guard; // beside static LDS
};

std::vector<region> regions;
uintptr_t regions_end; // of all, with the buffers' spans; the stacks are beyond
region *last_region;

struct wave_clock {
	uint32_t group; // time up to which it has seen accesses of other waves of its workgroup
	uint32_t all;	// likewise of other workgroups
	uint32_t met;	// time of its last convergent operation
	uint32_t released_group;
	uint32_t released_all;
};

struct released {
	uint32_t group;
	uint32_t all;
};

struct block_start {
	uint32_t at;
	index3 block;
};

struct fenced {
	uint32_t at;
	uint32_t wave;
	bool all;
};

// A location that is polled.
struct spin {
	uintptr_t at;
	uint64_t value;
	uint32_t reads; // by any lane
	uint32_t own;	// by this lane without a break
	uint32_t thread;
};

constexpr uint32_t SPINS = 64;		 // after so many successive reads a lane polls
constexpr uint32_t SPINS_MOST = 1 << 23; // after so many reads it is a deadlock

wave_clock clocks[64];
std::unordered_map<uintptr_t, released> syncs; // by the address of the atomic
std::unordered_set<uintptr_t> polled;	       // addresses at which plain accesses count as atomic
std::vector<fenced> fences;
spin spinning;
uint32_t polling; // the polling lane's thread + 1; 0: none
std::vector<block_start> blocks;
uint32_t now = 1;
uint32_t launched; // start of the launch: earlier accesses neither order nor race
place last_barrier;
const lane_name *atomic_lane;
bool waves_may_race;
bool lanes_may_race;
char unset[256];

// A write that is an error if it changes the bytes.
struct change {
	const char *at;
	std::string old; // the bytes before the write; empty: no write
	char said[400];

	bool is_there() const
	{
		return memcmp(at, old.data(), old.size()) != 0;
	}
};

change pending; // checked at the next access
std::vector<change>
	until_end; // checked at the end of the block: writes to bytes that another lane wrote

void put_region(const region &r)
{
	const uintptr_t end = r.exact ? (r.from / SPAN + 1) * SPAN : r.from + r.bytes;
	regions_end = end > regions_end ? end : regions_end;
	regions.push_back(r);
	last_region = nullptr;
}

void add_region(const void *at, size_t bytes, const char *name, bool exact, bool lds)
{
	word_state *state = new_states(bytes / WORD + 2);
	if (!state) {
		fprintf(stderr, "error: no memory to watch %s\n", name);
		exit(2);
	}
	put_region(region{(uintptr_t)at, bytes, state, name, exact, lds, false});
}

// Static LDS, without the guards around it.
void add_static_lds()
{
	const uintptr_t guards[] = {(uintptr_t)unphi_lds_before, (uintptr_t)unphi_lds_after};
	uintptr_t from = (uintptr_t)__start_unphi_lds;
	uintptr_t to = (uintptr_t)__stop_unphi_lds;
	if (from == guards[0] && to == guards[1] + UNPHI_LDS_GUARD) {
		from += UNPHI_LDS_GUARD;
		to -= UNPHI_LDS_GUARD;
		for (uintptr_t at : guards) {
			put_region(region{at, UNPHI_LDS_GUARD, nullptr, "LDS", false, true, true});
		}
	}
	add_region((const void *)from, to - from, "LDS", false, true);
}

void add_lds()
{
	static bool added;
	if (added) {
		return;
	}
	added = true;
	add_region(unphi_dynamic_lds, UNPHI_LDS_MAX, "dynamic LDS", false, true);
	if (__start_unphi_lds) {
		add_static_lds();
	}
}

// The region that contains the address, or whose span does; nullptr: not watched.
region *region_of(uintptr_t at)
{
	if (last_region && at - last_region->from < last_region->bytes) {
		return last_region;
	}
	if (at >= regions_end) {
		return nullptr;
	}
	for (region &r : regions) {
		if (at - r.from < r.bytes || (r.exact && at / SPAN == r.from / SPAN)) {
			return last_region = &r;
		}
	}
	return nullptr;
}

uint32_t wave_of(uint16_t thread)
{
	return (thread - 1u) / wave_size();
}

bool is_other_block(uint32_t at)
{
	return at < blocks.back().at;
}

enum order {
	BEFORE,	 // ordered
	IN_WAVE, // in one wave, with no convergent operation between
	UNORDERED
};

// The bytes of the mark that other lanes of its wave accessed. Lanes run one after the other: if
// another lane than the running one made the last access, all bytes belong to other lanes.
uint8_t bytes_of_others(const mark &m, const lane_name &lane)
{
	return m.thread == lane.thread + 1u ? m.others : m.bytes;
}

order order_of(const mark &m, const lane_name &lane, bool lds, uint8_t bytes)
{
	if (!m.thread || m.at < launched || (lds && is_other_block(m.at))) {
		return BEFORE;
	}
	const wave_clock &clock = clocks[lane.wave];
	if (is_other_block(m.at)) {
		return m.at <= clock.all ? BEFORE : UNORDERED;
	}
	if (wave_of(m.thread) != lane.wave) {
		return m.at <= clock.group ? BEFORE : UNORDERED;
	}
	const bool own = !(bytes_of_others(m, lane) & bytes);
	return own || m.at <= clock.met ? BEFORE : IN_WAVE;
}

// Stores the access in one of two marks: that of its own wave, or one that is ordered before it. If
// both marks are of other waves and not ordered, drops the access.
void put_mark(mark *two, const lane_name &lane, uint8_t bytes, bool lds, bool write)
{
	const uint16_t me = (uint16_t)(lane.thread + 1);
	for (int i = 0; i < 2; ++i) {
		mark &m = two[i];
		if (m.at == now && wave_of(m.thread) == lane.wave) {
			m.others = bytes_of_others(m, lane);
			// after its own write the lane reads its own value
			m.others &= (uint8_t)(write ? ~bytes : ~0u);
			m.bytes |= bytes;
			m.thread = me;
			return;
		}
	}
	const bool first = order_of(two[0], lane, lds, bytes) != UNORDERED;
	if (first || order_of(two[1], lane, lds, bytes) != UNORDERED) {
		mark &m = two[first ? 0 : 1];
		m = mark{};
		m.at = now;
		m.thread = me;
		m.bytes = bytes;
	}
}

// "wave 0 lane 3"; with the block if it is not the current one.
const char *name_of(char *out, size_t size, uint32_t at, uint16_t thread)
{
	const uint32_t t = thread - 1u;
	const int n = snprintf(out, size, "wave %u lane %u", t / wave_size(), t % wave_size());
	if (is_other_block(at)) {
		size_t i = blocks.size() - 1;
		while (i > 0 && blocks[i].at > at) {
			--i;
		}
		snprintf(out + n, size - n, " of block (%u,%u,%u)", blocks[i].block.x,
			blocks[i].block.y, blocks[i].block.z);
	}
	return out;
}

struct conflict {
	order kind;
	mark with;
	int which;
	uintptr_t at;
};

void say(char *out, size_t size, const conflict &c, const lane_name &lane, const char *does,
	const region &r)
{
	static const char *const did[] = {"wrote", "read", "did an atomic on"};
	char who[80];
	char what[96];
	snprintf(what, sizeof what, "byte %zu of %s", (size_t)(c.at - r.from), r.name);
	name_of(who, sizeof who, c.with.at, c.with.thread);
	if (c.kind == IN_WAVE) {
		char other[32] = "another lane";
		if (c.with.thread != lane.thread + 1u) {
			snprintf(
				other, sizeof other, "lane %u", (c.with.thread - 1u) % wave_size());
		}
		snprintf(out, size,
			"race within a wave: lane %u %s %s, which %s %s, with no convergent "
			"operation between (--on isa runs lanes in lockstep),",
			lane.lane, does, what, other, did[c.which / 2]);
		return;
	}
	const bool other = is_other_block(c.with.at);
	snprintf(out, size, "race %s: wave %u lane %u %s %s, which %s %s,",
		other		    ? "between work-groups"
		: last_barrier.file ? "after this barrier"
				    : "with no barrier so far",
		lane.wave, lane.lane, does, what, who, did[c.which / 2]);
}

[[noreturn]] void report(const char *said)
{
	const bool here = strncmp(said, "race after", 10) == 0;
	fail(here ? last_barrier : place{nullptr, 0}, "%s", said);
}

// The worst conflict of an access to bytes of a word; false: none.
bool find_conflict(conflict &c, const word_state &s, const lane_name &lane, uint8_t bytes,
	bool write, bool atomic, bool lds)
{
	c.kind = BEFORE;
	for (int i = 0; i < MARKS; ++i) {
		const bool counts = i < READ ? true : i < ATOMIC ? write || atomic : !atomic;
		if (!counts || !(s.marks[i].bytes & bytes)) {
			continue;
		}
		const order kind = order_of(s.marks[i], lane, lds, bytes);
		if (kind > c.kind && !(waves_may_race && kind == UNORDERED) &&
			!(lanes_may_race && kind == IN_WAVE)) {
			c.kind = kind;
			c.which = i;
			c.with = s.marks[i];
		}
	}
	return c.kind != BEFORE;
}

void wait_for_change(const void *p, size_t n, const char *said, bool by_end)
{
	change c = {(const char *)p, std::string((const char *)p, n), {}};
	snprintf(c.said, sizeof c.said, "%s", said);
	if (by_end) {
		until_end.push_back(c);
	} else {
		pending = c;
	}
}

void synchronize(uintptr_t at, wave_clock &clock, bool lds)
{
	released &r = syncs[at];
	clock.group = r.group > clock.group ? r.group : clock.group;
	clock.all = r.all > clock.all ? r.all : clock.all;
	const bool strong = lds && race_syncs;
	const uint32_t group = strong ? now : clock.released_group;
	r.group = group > r.group ? group : r.group;
	r.all = clock.released_all > r.all ? clock.released_all : r.all;
	if (strong) {
		++now;
	}
}

[[noreturn]] void outside(bool write, uintptr_t at)
{
	fail(place{nullptr, 0}, "%s outside of all buffers at address 0x%lx by thread (%u,%u,%u),",
		write ? "write" : "read", (unsigned long)at, threadIdx.x, threadIdx.y, threadIdx.z);
}

[[noreturn]] void outside_lds(bool write)
{
	fail(place{nullptr, 0}, "%s outside of LDS by thread (%u,%u,%u),", write ? "write" : "read",
		threadIdx.x, threadIdx.y, threadIdx.z);
}

// The release of a write that later turns out to set a flag: the last fence before it.
void acquire_write(const mark &m, wave_clock &clock, bool lds)
{
	const uint32_t wave = wave_of(m.thread);
	uint32_t group = lds ? m.at : 0;
	uint32_t all = 0;
	for (size_t i = fences.size(); i-- > 0 && !all;) {
		const fenced &f = fences[i];
		if (f.wave == wave && f.at < m.at && is_other_block(f.at) == is_other_block(m.at)) {
			group = f.at > group ? f.at : group;
			all = f.all ? f.at : 0;
		}
	}
	clock.group = is_other_block(m.at) || group < clock.group ? clock.group : group;
	clock.all = all > clock.all ? all : clock.all;
}

// Makes the bytes a flag: accesses of other lanes to it are not races.
void become_flag(const region &r, uintptr_t at, size_t n, const lane_name &lane)
{
	for (uintptr_t i = (at - r.from) / WORD; i <= (at - r.from + n - 1) / WORD; ++i) {
		for (int k = 0; k < ATOMIC; ++k) {
			mark &m = r.state[i].marks[k];
			if (k < READ && m.thread && m.at >= launched &&
				(!r.lds || !is_other_block(m.at))) {
				acquire_write(m, clocks[lane.wave], r.lds);
			}
			m = mark{};
		}
	}
	polled.insert(at);
}

// Counts reads of one address in a row. A lane that polls lets other waves run.
bool is_poll(
	const region &r, const void *p, size_t n, bool write, bool atomic, const lane_name &lane)
{
	uint64_t value = 0;
	memcpy(&value, p, n < sizeof value ? n : sizeof value);
	if ((write && !atomic) || spinning.at != (uintptr_t)p || spinning.value != value) {
		spinning = spin{(uintptr_t)p, value, 0, 0, lane.thread};
	}
	spinning.own = spinning.thread == lane.thread ? spinning.own + 1 : 1;
	spinning.thread = lane.thread;
	++spinning.reads;
	if (spinning.reads == SPINS_MOST) {
		fail(place{nullptr, 0},
			"an endless loop reads byte %zu of %s, which no other wave of the "
			"block sets (blocks run one after the other),",
			(size_t)((uintptr_t)p - r.from), r.name);
	}
	return !write && !atomic && n <= sizeof value &&
	       (polling == lane.thread + 1 || spinning.own >= SPINS);
}

// Records the first read of uninitialized LDS.
void look_at_set(
	word_state &s, const lane_name &lane, uint8_t bytes, bool write, const region &r, size_t at)
{
	const uint32_t block = (uint32_t)blocks.size();
	const uint8_t set = s.set_in == block ? s.set : 0;
	if (write) {
		s.set_in = block;
		s.set = set | bytes;
	} else if (bytes & ~set && !unset[0]) {
		snprintf(unset, sizeof unset,
			"wave %u lane %u reads byte %zu of %s, which is uninitialized, in block "
			"(%u,%u,%u)",
			lane.wave, lane.lane, at, r.name, blockIdx.x, blockIdx.y, blockIdx.z);
	}
}

__attribute__((noinline)) void take_conflict(const conflict &c, const lane_name &lane,
	const void *p, size_t n, bool write, bool atomic, const region &r)
{
	char said[sizeof pending.said];
	const char *does = atomic ? "does an atomic on" : write ? "writes" : "reads";
	say(said, sizeof said, c, lane, does, r);
	if (!write || atomic || c.which >= ATOMIC) {
		report(said);
	}
	wait_for_change(p, n, said, c.which < READ && is_other_block(c.with.at));
}

void access(const void *p, size_t n, bool write)
{
	const uintptr_t at = (uintptr_t)p;
	region *r = region_of(at);
	lane_name self;
	race_pause();
	if (!r || !n || !lane_now(&self)) {
		return;
	}
	const lane_name &lane = atomic_lane ? *atomic_lane : self;
	if (r->guard) {
		outside_lds(write);
	}
	if (at - r->from >= r->bytes || n > r->bytes - (at - r->from)) {
		if (r->lds) {
			outside_lds(write);
		}
		if (r->exact) {
			outside(write, at < r->from ? at : r->from + r->bytes);
		}
		return;
	}
	const bool polls = is_poll(*r, p, n, write, atomic_lane != nullptr, self);
	if (polls && !polled.count(at)) {
		become_flag(*r, at, n, lane);
	}
	if (polls && spinning.own % SPINS == 0) {
		yield(); // yields before the read
	}
	const bool flag = !polled.empty() && polled.count(at);
	const bool atomic = atomic_lane || flag;
	if (atomic) {
		race_syncs |= flag;
		synchronize(at, clocks[lane.wave], r->lds);
	}
	bool found = false;
	for (uintptr_t i = at - r->from, end = i + n; i < end;) {
		const size_t first = i % WORD;
		const size_t last = end - i > WORD - first ? WORD : first + (end - i);
		const uint8_t bytes = (uint8_t)((1u << last) - (1u << first));
		word_state &s = r->state[i / WORD];
		if (r->lds) {
			look_at_set(s, lane, bytes, write, *r, i);
		}
		conflict c;
		c.at = r->from + i;
		if (find_conflict(c, s, lane, bytes, write, atomic, r->lds)) {
			if (!found) {
				take_conflict(c, lane, p, n, write, atomic, *r);
			}
			found = true; // reported only once
			s.marks[c.which].bytes &= (uint8_t)~bytes;
		}
		put_mark(s.marks + (atomic	   ? ATOMIC
					   : write ? WROTE
						   : READ),
			lane, bytes, r->lds, write && !atomic);
		i += last - first;
	}
}

} // namespace

void watch_region(const void *at, size_t bytes, const char *name, bool exact)
{
	add_region(at, bytes, name, exact, false);
}

void race_launch()
{
	launched = ++now;
	syncs.clear();
	polled.clear();
	fences.clear();
	until_end.clear();
	spinning = spin{};
	pending.old.clear();
	polling = 0;
	atomic_lane = nullptr;
	race_syncs = false;
	unset[0] = '\0';
}

void race_block()
{
	add_lds();
	++now;
	blocks.push_back(block_start{now, blockIdx});
	last_barrier = place{nullptr, 0};
	for (wave_clock &c : clocks) {
		c = wave_clock{now, 0, now, 0, 0};
	}
	++now;
}

void race_barrier(place barrier)
{
	uint32_t all = 0;
	uint32_t released = 0;
	for (const wave_clock &c : clocks) {
		all = c.all > all ? c.all : all;
		released = c.released_all > released ? c.released_all : released;
	}
	for (wave_clock &c : clocks) {
		c = wave_clock{now, all, now, now, released};
	}
	last_barrier = barrier;
	++now;
}

void race_met(uint32_t wave)
{
	clocks[wave].met = now++;
}

void race_pause()
{
	if (!pending.old.empty()) {
		const bool changed = pending.is_there();
		pending.old.clear();
		if (changed) {
			report(pending.said);
		}
	}
}

const char *race_end_block()
{
	static char said[sizeof pending.said];
	for (const change &c : until_end) {
		if (c.is_there()) {
			memcpy(said, c.said, sizeof said);
			return said;
		}
	}
	until_end.clear();
	return nullptr;
}

void race_atomic(const lane_name *lane)
{
	atomic_lane = lane;
}

void race_lane_ends()
{
	race_pause();
	spinning.reads = 0;
}

void race_poll(bool begins)
{
	lane_name self;
	polling = begins && lane_now(&self) ? self.thread + 1 : 0;
}

void race_allow(bool within_waves)
{
	waves_may_race = true;
	lanes_may_race = within_waves;
}

void race_fence(bool all)
{
	lane_name self;
	if (lane_now(&self)) {
		wave_clock &c = clocks[self.wave];
		c.released_group = now;
		c.released_all = all ? now : c.released_all;
		fences.push_back(fenced{now, self.wave, all});
		++now;
	}
}

const char *unset_read()
{
	return unset;
}

} // namespace unphi

// Called by the instrumentation of clang's kernel address sanitizer.
extern "C" {
#define UNPHI_ACCESS(n)                                                                            \
	void __asan_load##n##_noabort(const void *p)                                               \
	{                                                                                          \
		unphi::access(p, n, false);                                                        \
	}                                                                                          \
	void __asan_store##n##_noabort(const void *p)                                              \
	{                                                                                          \
		unphi::access(p, n, true);                                                         \
	}
UNPHI_ACCESS(1)
UNPHI_ACCESS(2)
UNPHI_ACCESS(4)
UNPHI_ACCESS(8)
UNPHI_ACCESS(16)
void __asan_loadN_noabort(const void *p, size_t n)
{
	unphi::access(p, n, false);
}
void __asan_storeN_noabort(const void *p, size_t n)
{
	unphi::access(p, n, true);
}
void *__asan_memcpy(void *to, const void *from, size_t n)
{
	unphi::access(from, n, false);
	unphi::access(to, n, true);
	return memcpy(to, from, n);
}
void *__asan_memmove(void *to, const void *from, size_t n)
{
	unphi::access(from, n, false);
	unphi::access(to, n, true);
	return memmove(to, from, n);
}
void *__asan_memset(void *to, int value, size_t n)
{
	unphi::access(to, n, true);
	return memset(to, value, n);
}
void __asan_handle_no_return()
{
}
}
