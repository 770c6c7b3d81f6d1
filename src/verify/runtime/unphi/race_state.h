// The race checker's state of memory: who last accessed each word. Only for race.cpp.
#pragma once
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

namespace unphi
{
namespace
{

constexpr size_t WORD = 4;	      // bytes
constexpr size_t HUGE_PAGE = 2 << 20; // bytes

enum {
	WROTE, // each kind has two marks, for two waves
	READ = 2,
	ATOMIC = 4,
	MARKS = 6
};

// The last access of one kind to a word's bytes. Threads count from 1; 0: no access.
struct mark {
	uint32_t at;
	uint16_t thread;
	uint8_t bytes : 4;  // as bits
	uint8_t others : 4; // bytes that other lanes of the wave accessed; thread is the last
};

struct word_state {
	mark marks[MARKS];
	uint32_t set_in; // the number of the block that set these bytes
	uint8_t set;
};

// Zeroed memory for n words. It is 14 times as large as the memory that it describes, and nearly
// all of it is accessed. All regions share huge pages, which reduce the time of page faults to a
// tenth.
word_state *new_states(size_t n)
{
	static char *next;
	static size_t left;
	const size_t size = n * sizeof(word_state);
	if (size > left) {
		const size_t whole = (size + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
		void *all = mmap(nullptr, whole + HUGE_PAGE, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
		if (all == MAP_FAILED) {
			return nullptr;
		}
		next = (char *)all + (HUGE_PAGE - (uintptr_t)all % HUGE_PAGE) % HUGE_PAGE;
		left = whole;
		madvise(next, whole, MADV_HUGEPAGE); // else the pages are small
	}
	word_state *states = (word_state *)next;
	next += size;
	left -= size;
	return states;
}

} // namespace
} // namespace unphi
