#pragma once
/*
 * What the wave runner watches of memory. Programs that are compiled with VERIFY_WATCH_FLAGS
 * (prepare.h) call it at every access of the kernel. LDS and the buffers of the launch are watched,
 * byte by byte. Errors:
 *
 * - a race: two lanes of different waves or work-groups touch a byte, at least one writes, and
 *   nothing orders them. A barrier orders the waves of a work-group. A fence or a release, followed
 *   by an atomic orders all before it for any later atomic on the same address. In LDS,
 *   exchanges, loads and stores that are atomic need no fence. What a loop polls is accessed as
 *   by atomics. Two atomics are no race, nor is a
 *   write that leaves the bits as they are; of what another work-group wrote, when the block ends.
 * - a race within a wave: its lanes hand a byte over without an operation that they meet at. They
 *   run one after the other here, and may run in step on the device.
 * - an access outside of a buffer, by any byte.
 *
 * A read of LDS that nothing has set is no error by itself: such a case runs again with other bits
 * there (launch_cpu.hpp), and is one if its results differ.
 *
 * The order in which waves happen to run does not matter for races in a stretch between barriers:
 * any order of the waves could show them.
 */
#pragma GCC system_header
#include <unphi/wave.h>

namespace unphi
{

struct lane_name {
	uint32_t thread; /* number in the block */
	uint32_t wave;
	uint32_t lane;
};

/* The lane that runs; false outside of a launch. */
bool lane_now(lane_name *out);

/* Memory to watch, before the launch; name for messages, which lives on. exact: what is around it,
 * up to the next multiple of 8 GiB, is no memory of the kernel's. */
void watch_region(const void *at, size_t bytes, const char *name, bool exact);

/* A launch begins: nothing is left of the one before. */
void race_launch();
/* A block begins. */
void race_block();
/* All lanes of the block are done: the race that can be told only now, or NULL. */
const char *race_end_block();
/* The block's lanes have met at a barrier. */
void race_barrier(place barrier);
/* Lanes of a wave have met. */
void race_met(uint32_t wave);
/* The lane that runs stops: what it did last can be seen. */
void race_pause();
void race_lane_ends();
/* What is accessed from here on are atomics of this lane; nullptr: no more. */
void race_atomic(const lane_name *lane);
/* The atomic that comes is an exchange, a load or a store, as flags and locks are made of. */
extern bool race_syncs;
/* The condition of a loop that does nothing else is computed, or was: what it reads are flags. */
void race_poll(bool begins);
inline bool poll_end(bool go_on)
{
	race_poll(false);
	return go_on;
}
/* Races between waves and work-groups are not reported from here on, nor perhaps those in waves. */
void race_allow(bool within_waves);
/* A fence, or a release: for the work-group, or for all. */
void race_fence(bool all);

/* The first read of LDS that nothing had set, or "". */
const char *unset_read();

} // namespace unphi
