#pragma once
/*
 * The race detector of the wave runner. Programs that are compiled with VERIFY_WATCH_FLAGS
 * (prepare.h) call it at every memory access of the kernel. It tracks each byte of LDS and of the
 * launch's buffers. Errors:
 *
 * - a race: two lanes of different waves or work-groups access a byte, at least one writes, and
 *   nothing orders them. A barrier orders the waves of a work-group. A fence or release followed by
 *   an atomic orders all earlier accesses for any later atomic on the same address. In LDS, atomic
 *   exchanges, loads and stores need no fence. Polling reads of a loop count as atomics. Two
 *   atomics are not a race, nor is a write that does not change the bits (for bytes that another
 *   work-group wrote, the bits at the end of the block count).
 * - a race within a wave: one lane writes and another accesses a byte without a convergent
 *   operation between. Lanes run one after the other here, but may run in lockstep on the device.
 * - an access outside of a buffer, even by one byte.
 *
 * A read of uninitialized LDS is an error only if the results differ when the case runs again with
 * other initial bits (launch_cpu.hpp).
 *
 * The order in which waves run does not matter for races between two barriers: every order reveals
 * them.
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

/* Stores the running lane in *out; false outside of a launch. */
bool lane_now(lane_name *out);

/* Adds memory to watch, before the launch. name: for messages; must outlive the launch. exact: the
 * addresses around it, up to the next multiples of 8 GiB, do not belong to the kernel. */
void watch_region(const void *at, size_t bytes, const char *name, bool exact);

/* Starts a launch: forgets all accesses of the previous one. */
void race_launch();
/* Starts a block. */
void race_block();
/* Ends a block, when all its lanes are done. Returns the race that only its end reveals, or
 * NULL. */
const char *race_end_block();
/* Records that the lanes of the block have reached a barrier. */
void race_barrier(place barrier);
/* Records a convergent operation of a wave. */
void race_met(uint32_t wave);
/* Records that the running lane stops: its last write has now reached memory. */
void race_pause();
void race_lane_ends();
/* Counts accesses from here on as atomics of this lane; nullptr ends that. */
void race_atomic(const lane_name *lane);
/* The next atomic is an exchange, a load or a store, from which kernels build flags and locks. */
extern bool race_syncs;
/* Begins or ends the condition of a loop with an empty body: its reads poll a flag. */
void race_poll(bool begins);
inline bool poll_end(bool go_on)
{
	race_poll(false);
	return go_on;
}
/* Stops the reports of races between waves and work-groups; with within_waves, also within
 * waves. */
void race_allow(bool within_waves);
/* Records a fence or a release, for all work-groups or for the lane's own. */
void race_fence(bool all);

/* The first read of uninitialized LDS, or "". */
const char *unset_read();

} // namespace unphi
