#pragma once
/*
 * The race detector of the wave runner. Programs that are compiled with VERIFY_RACE_FLAGS
 * (prepare.h) call it at every access of the kernel to memory. LDS and the buffers of the launch
 * are watched, byte by byte: two lanes of different waves, one stretch between barriers of the
 * block, at least one write. Two atomics are no race. Lanes of one wave are not told apart, and
 * __device__ variables are not watched.
 *
 * The order in which waves happen to run does not matter: what is found in a stretch is what any
 * order of its waves could show.
 */
#pragma GCC system_header
#include <unphi/wave.h>

namespace unphi
{

/* The block's lanes have met at a barrier, or a block begins: what was before is ordered. */
void race_forget(place barrier);
struct lane_name {
	uint32_t thread; /* number in the block */
	uint32_t wave;
	uint32_t lane;
};

/* The lane that runs; false outside of a launch. */
bool lane_now(lane_name *out);
/* What is accessed from here on are atomics of this lane; nullptr: no more. */
void race_atomic(const lane_name *lane);

} // namespace unphi
