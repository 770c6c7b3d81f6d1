// Barriers that order nothing, and such as not all lanes come to; with report-kept also what keeps
// the others.
//
// RUN: cd %S && %exits 1 %unphi lint --verbose dead-sync.hip --target gfx90a,gfx942 -- -nogpuinc -I %root/tests/golden/rewrite/Inputs | grep -v 'note: next' > %t.txt && cmp %S/dead-sync.expected %t.txt
// RUN: cd %S && %exits 1 %unphi lint --verbose dead-sync.hip --target gfx90a --dead-sync report-kept=true,exclude-functions=dea* -- -nogpuinc -I %root/tests/golden/rewrite/Inputs | grep -v 'note: next' > %t.txt && cmp %S/dead-sync.kept %t.txt
//
// The other settings, and what is wrong with them.
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a --dead-sync propagate=false --checks='-*,unphi-dead-sync' -- -nogpuinc -I %root/tests/golden/rewrite/Inputs > %t.txt
// RUN: grep -c 'warning:' %t.txt | grep -qx 1 && grep 'below: nothing' %t.txt
// RUN: %exits 1 %unphi lint --verbose %s --target gfx90a --dead-sync ignore-unseen-calls=true --checks='-*,unphi-dead-sync' -- -nogpuinc -I %root/tests/golden/rewrite/Inputs | grep 'calls without a visible body were ignored'
// RUN: %unphi rewrite %s --target gfx90a --dead-sync ignore-unseen-calls=true --strategy drop-sync --diff --quiet -- -nogpuinc -I %root/tests/golden/rewrite/Inputs | cmp - /dev/null
// RUN: %exits 2 %unphi lint --verbose %s --target gfx90a --dead-sync max-blocks=x 2>&1 | grep -e '--dead-sync:2:15: error: '
// RUN: %exits 2 %unphi lint --verbose %s --target gfx90a --dead-sync max-blocks 2>&1 | grep "KEY=VALUE.*'max-blocks'"
// RUN: printf 'dead-sync: {max-functions: -1}\n' > %t.yaml && %exits 2 %unphi lint --verbose %s --target gfx90a --config %t.yaml 2>&1 | grep '.yaml:1:28: error'
// RUN: printf 'dead-sync: {exclude-functions: ["*"]}\n' > %t.yaml && %unphi lint --verbose %s --target gfx90a --config %t.yaml --checks='-*,unphi-dead-sync' -- -nogpuinc -I %root/tests/golden/rewrite/Inputs | cmp - /dev/null

#include <hip/hip_runtime.h>

__global__ void dead(const int *__restrict__ in, int *out)
{
	__shared__ int s[128];
	s[threadIdx.x] = in[threadIdx.x];
	__syncthreads();
	const int x = s[127 - threadIdx.x];
	if (blockIdx.x) {
		out[0] = 1;
		return;
	}
	__syncthreads();
	out[threadIdx.x] = x;
}

__device__ int unseen(const int *);

__global__ void either(int *out)
{
	__shared__ int s[128];
	s[threadIdx.x] = 1;
	__syncthreads();
	__syncthreads();
	out[threadIdx.x] = s[127 - threadIdx.x];
}

__global__ void divergent(int *out, int n)
{
	const int x = (int)threadIdx.x;
	if (x < n) {
		__syncthreads();
	}
	int y = unseen(out);
	__syncthreads();
	y += unseen(out);
	out[x] = y; // NOLINT(unphi-dead-sync): never anything here
}
