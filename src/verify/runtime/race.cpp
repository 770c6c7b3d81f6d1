// Which waves touched what since the last barrier. race.h says what counts.
#include <unphi/race.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" __attribute__((weak)) char __start_unphi_lds[];
extern "C" __attribute__((weak)) char __stop_unphi_lds[];

namespace unphi
{

namespace
{

// launch_place.hpp places buffer i at BUFFERS + (i << 33).
constexpr uintptr_t BUFFERS = 0x200000000000;
constexpr uintptr_t BUFFERS_SIZE = 64ull << 33;
constexpr unsigned WORD = 8;

// Of one byte: who wrote it, and up to two lanes of different waves that read it, or that did an
// atomic on it. Threads count from 1; 0 is nobody.
struct byte_state {
	uint16_t wrote;
	uint16_t read[2];
	uint16_t atomic[2];
};

struct word_state {
	uintptr_t word; // address / WORD; 0: free
	uint32_t stretch;
	byte_state byte[WORD];
};

word_state *table;
size_t capacity; // a power of two
size_t used;
uint32_t stretch = 1;
place last_barrier;
const lane_name *atomic_lane;

word_state *slot_of(word_state *t, size_t n, uintptr_t word)
{
	size_t i = (size_t)(word * 0x9e3779b97f4a7c15u >> 20) & (n - 1);
	while (t[i].word && t[i].word != word) {
		i = (i + 1) & (n - 1);
	}
	return &t[i];
}

void grow()
{
	const size_t n = capacity ? capacity * 2 : 1 << 14;
	word_state *t = (word_state *)calloc(n, sizeof *t);
	if (!t) {
		abort();
	}
	used = 0;
	for (size_t i = 0; i < capacity; ++i) {
		if (table[i].word && table[i].stretch == stretch) {
			*slot_of(t, n, table[i].word) = table[i];
			++used;
		}
	}
	free(table);
	table = t;
	capacity = n;
}

word_state &state_of(uintptr_t word)
{
	if (used * 2 >= capacity) {
		grow();
	}
	word_state &s = *slot_of(table, capacity, word);
	if (s.word != word) {
		s.word = word;
		++used;
	}
	if (s.stretch != stretch) {
		memset(s.byte, 0, sizeof s.byte);
		s.stretch = stretch;
	}
	return s;
}

bool in_lds(uintptr_t at)
{
	return (__start_unphi_lds && at >= (uintptr_t)__start_unphi_lds &&
		       at < (uintptr_t)__stop_unphi_lds) ||
	       at - (uintptr_t)unphi_dynamic_lds < UNPHI_LDS_MAX;
}

uint32_t wave_of(uint16_t thread)
{
	return (thread - 1u) / wave_size();
}

// The first of the two that is of another wave, or 0.
uint16_t other_wave(const uint16_t (&threads)[2], uint32_t wave)
{
	for (const uint16_t t : threads) {
		if (t && wave_of(t) != wave) {
			return t;
		}
	}
	return 0;
}

void remember(uint16_t (&threads)[2], uint16_t thread)
{
	if (!threads[0]) {
		threads[0] = thread;
	} else if (!threads[1] && wave_of(threads[0]) != wave_of(thread)) {
		threads[1] = thread;
	}
}

[[noreturn]] void report(
	const lane_name &lane, const char *does, uint16_t other, const char *did, uintptr_t at)
{
	const bool dynamic = at - (uintptr_t)unphi_dynamic_lds < UNPHI_LDS_MAX;
	const uintptr_t from = dynamic	    ? (uintptr_t)unphi_dynamic_lds
			       : in_lds(at) ? (uintptr_t)__start_unphi_lds
					    : 0;
	const char *where = dynamic ? "byte %lu of dynamic LDS" : "byte %lu of LDS";
	char what[64];
	snprintf(what, sizeof what, from ? where : "memory at address 0x%lx",
		(unsigned long)(at - from));
	const uint32_t thread = other - 1u;
	if (last_barrier.file) {
		fail(last_barrier,
			"race behind this barrier: wave %u lane %u %s %s, which wave %u lane %u %s,",
			lane.wave, lane.lane, does, what, thread / wave_size(),
			thread % wave_size(), did);
	}
	fail(place{nullptr, 0},
		"race with no barrier so far: wave %u lane %u %s %s, which wave %u lane %u %s,",
		lane.wave, lane.lane, does, what, thread / wave_size(), thread % wave_size(), did);
}

void access_byte(byte_state &b, const lane_name &lane, bool write, bool atomic, uintptr_t at)
{
	const uint16_t me = (uint16_t)(lane.thread + 1);
	const char *does = atomic ? "does an atomic on" : write ? "writes" : "reads";
	if (b.wrote && wave_of(b.wrote) != lane.wave) {
		report(lane, does, b.wrote, "wrote", at);
	}
	const uint16_t updated = atomic ? 0 : other_wave(b.atomic, lane.wave);
	if (updated) {
		report(lane, does, updated, "did an atomic on", at);
	}
	const uint16_t read = write || atomic ? other_wave(b.read, lane.wave) : 0;
	if (read) {
		report(lane, does, read, "read", at);
	}
	if (atomic) {
		remember(b.atomic, me);
	} else if (write) {
		b.wrote = me;
	} else {
		remember(b.read, me);
	}
}

void access(const void *p, size_t n, bool write)
{
	uintptr_t at = (uintptr_t)p;
	lane_name self;
	if ((at - BUFFERS >= BUFFERS_SIZE && !in_lds(at)) || !lane_now(&self)) {
		return;
	}
	const lane_name &lane = atomic_lane ? *atomic_lane : self;
	while (n) {
		word_state &s = state_of(at / WORD);
		do {
			access_byte(s.byte[at % WORD], lane, write, atomic_lane != nullptr, at);
			++at;
			--n;
		} while (n && at % WORD);
	}
}

} // namespace

void race_forget(place barrier)
{
	++stretch;
	last_barrier = barrier;
}

void race_atomic(const lane_name *lane)
{
	atomic_lane = lane;
}

} // namespace unphi

// What the compiler calls. It was made for another purpose: the address sanitizer of kernels.
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
