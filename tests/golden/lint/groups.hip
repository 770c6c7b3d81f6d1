// Cooperative groups: sync() of the class of all groups is the block's barrier where the group was made of the block, here or by all
// callers. Of a tile it is none.
//
// RUN: %unphi lint %s --target gfx942 --checks='-*,unphi-divergent-sync' --format json -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.json || true
// RUN: python3 -c "import json, sys; print(*sorted({f['line'] for f in json.load(open(sys.argv[1]))['findings']}), sep='\n')" %t.json > %t.found
// RUN: sed -n '/sync(); .. differs$/=' %s > %t.expected
// RUN: diff %t.expected %t.found

#include <hip/hip_runtime.h>
#define lane ((int)threadIdx.x)

namespace cooperative_groups {
struct thread_group {
	int kind, lanes;
	__device__ void sync() const;
	__device__ int thread_rank() const { return threadIdx.x; }
};
struct thread_block : thread_group {
	__device__ void sync() const { __syncthreads(); }
};
struct tiled_group : thread_group {
	__device__ void sync() const {}
};
__device__ void thread_group::sync() const
{
	switch (kind) {
	case 1:
		static_cast<const thread_block *>(this)->sync(); // differs
		break;
	case 2:
		static_cast<const tiled_group *>(this)->sync();
		break;
	}
}
__device__ inline thread_block this_thread_block()
{
	thread_block b;
	b.kind = 1;
	return b;
}
__device__ inline thread_group tiled_partition(const thread_group &g, int lanes)
{
	thread_group t;
	t.kind = 2;
	t.lanes = lanes;
	return t;
}
} // namespace cooperative_groups
namespace cg = cooperative_groups;

__device__ int sum(cg::thread_group g, int *t, int v)
{
	const int i = g.thread_rank();
	for (int d = 64; d > 0; d /= 2) {
		t[i] = v;
		g.sync();
		if (i < d) v += t[i + d];
		g.sync();
	}
	return v;
}
__device__ int partly(const cg::thread_group &g, int *t, int v)
{
	if (g.thread_rank() < v) {
		t[lane] = v;
		g.sync(); // differs
	}
	return v;
}
__device__ int any(cg::thread_group g, int *t, int v)
{
	if (g.thread_rank() < v) g.sync();
	return v;
}
__global__ void handed(int *o, int n)
{
	__shared__ int t[128];
	auto b = cg::this_thread_block();
	o[lane] = sum(b, t, n) + partly(b, t, n) + any(b, t, n);
	any(cg::tiled_partition(b, 32), t, n);
}
__global__ void made(int *o, int n)
{
	cg::thread_group b = cg::this_thread_block();
	if (lane < n) b.sync(); // differs
	b.sync();
	cg::thread_group t = cg::tiled_partition(b, 32);
	if (lane < n) t.sync();
	cg::thread_group g = b;
	g = t;
	if (lane < n) g.sync();
}
