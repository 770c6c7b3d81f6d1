#pragma once
/*
 * Cooperative groups on the CPU: the block, and tiles of it that lie in one wave. A tile exchanges
 * values by the wave's operations with the tile's width. Grid groups and coalesced groups are
 * missing: kernels that need them do not compile.
 */
#pragma GCC system_header
#include <hip/hip_runtime.h>

namespace cooperative_groups
{

class thread_block
{
      public:
	static UNPHI_INLINE void sync(UNPHI_AT)
	{
		__syncthreads(at);
	}
	static unsigned thread_rank()
	{
		return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
	}
	static unsigned size()
	{
		return blockDim.x * blockDim.y * blockDim.z;
	}
	static unsigned num_threads()
	{
		return size();
	}
	static dim3 thread_index()
	{
		return threadIdx;
	}
	static dim3 group_index()
	{
		return blockIdx;
	}
	static dim3 group_dim()
	{
		return blockDim;
	}
};

inline thread_block this_thread_block()
{
	return {};
}

template <unsigned N, class Parent = thread_block> class thread_block_tile
{
	static_assert(N > 0 && (N & (N - 1)) == 0 && N <= 64, "a tile has 1, 2, 4, ... 64 lanes");
	static unsigned first_lane()
	{
		return unphi::lane_id() / N * N;
	}
	static unsigned long long mask()
	{
		return (N == 64 ? ~0ull : (1ull << N % 64) - 1) << first_lane();
	}

      public:
	static unsigned thread_rank()
	{
		return thread_block::thread_rank() % N;
	}
	static constexpr unsigned size()
	{
		return N;
	}
	static constexpr unsigned num_threads()
	{
		return N;
	}
	static unsigned meta_group_rank()
	{
		return thread_block::thread_rank() / N;
	}
	static unsigned meta_group_size()
	{
		return (thread_block::size() + N - 1) / N;
	}
	static UNPHI_INLINE void sync(UNPHI_AT)
	{
		unphi::wave_sync(at);
	}
	template <class T> static UNPHI_INLINE T shfl(T x, int from, UNPHI_AT)
	{
		return __shfl(x, from, (int)N, at);
	}
	template <class T> static UNPHI_INLINE T shfl_down(T x, unsigned by, UNPHI_AT)
	{
		return __shfl_down(x, by, (int)N, at);
	}
	template <class T> static UNPHI_INLINE T shfl_up(T x, unsigned by, UNPHI_AT)
	{
		return __shfl_up(x, by, (int)N, at);
	}
	template <class T> static UNPHI_INLINE T shfl_xor(T x, unsigned mask, UNPHI_AT)
	{
		return __shfl_xor(x, (int)mask, (int)N, at);
	}
	static UNPHI_INLINE unsigned long long ballot(int predicate, UNPHI_AT)
	{
		return (__ballot(predicate, at) & mask()) >> first_lane();
	}
	static UNPHI_INLINE int any(int predicate, UNPHI_AT)
	{
		return ballot(predicate, at) != 0;
	}
	static UNPHI_INLINE int all(int predicate, UNPHI_AT)
	{
		return ballot(!predicate, at) == 0;
	}
};

template <unsigned N, class Parent> thread_block_tile<N, Parent> tiled_partition(const Parent &)
{
	return {};
}

template <class Group> UNPHI_INLINE void sync(const Group &, UNPHI_AT)
{
	Group::sync(at);
}

} // namespace cooperative_groups
