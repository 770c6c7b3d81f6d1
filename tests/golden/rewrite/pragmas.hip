// Loop pragmas that stand at the margin stay there, others go with their loops; and neither makes the code behind
// them be indented by what the pragma lacks.
//
// RUN: for s in split fuse hoist; do %unphi rewrite %s --strategy $s -o %t.$s.hip -q --target gfx90a -- -nogpuinc || exit 1; done
// RUN: sed '/^\/\//d' %t.split.hip | %FileCheck %s --check-prefix SPLIT --strict-whitespace --match-full-lines
// SPLIT:  for (; k < n && edge; k++) {
// SPLIT-NEXT:    const float x = p[k];
// SPLIT-NEXT:#pragma unroll
// SPLIT-NEXT:    for (int i = 0; i < 64; i++) {
// SPLIT-NEXT:      acc[i] = acc[i] * x + 1;
// SPLIT-NEXT:    }
// SPLIT-NEXT:  }
// RUN: sed '/^\/\//d' %t.fuse.hip | %FileCheck %s --check-prefix FUSE --strict-whitespace --match-full-lines
// FUSE:    const float x = p[k];
// FUSE-NEXT:    // One body for all arms: no accumulator crosses a merge (unphi explain fuse)
// FUSE-NEXT:#pragma unroll
// FUSE-NEXT:    for (int i = 0; i < 64; i++) {
// FUSE:    const bool {{.*}} = k > 3;
// FUSE-NEXT:    #pragma unroll 8
// FUSE-NEXT:    for (int i = 0; i < 64; i++) {
// RUN: %unphi rewrite %s --strategy sequentialize -o %t.seq.hip -q --target gfx90a -- -nogpuinc
// RUN: sed '/^\/\//d' %t.seq.hip | %FileCheck %s --check-prefix SEQ --strict-whitespace --match-full-lines
// SEQ:  if (arm == 0) {
// SEQ-NEXT:{{ *}}#pragma unroll
// SEQ-NEXT:    for (int i = 0; i < 64; i++) {
// RUN: sed '/^\/\//d' %t.hoist.hip | %FileCheck %s --check-prefix HOIST --strict-whitespace --match-full-lines
// HOIST:  case 0:
// HOIST-NEXT:    {{[a-z]+}} = 1;
// HOIST-NEXT:    break;
#define __global__ __attribute__((global))

__global__ void flush(float *p, int n, int edge)
{
  float acc[64] = {};
  for (int k = 0; k < n; k++) {
    const float x = p[k];
    if (edge) {
#pragma unroll
      for (int i = 0; i < 64; i++) {
        acc[i] = acc[i] * x + 1;
      }
    } else {
#pragma unroll
      for (int i = 0; i < 64; i++) {
        acc[i] = acc[i] * x + 2;
      }
    }
  }
  for (int i = 0; i < 64; i++) {
    p[i] = acc[i];
  }
}

__global__ void indented(float *p, int n)
{
  float acc[64] = {};
  for (int k = 0; k < n; k++) {
    const float x = p[k];
    if (k > 3) {
      #pragma unroll 8
      for (int i = 0; i < 64; i++) {
        acc[i] = acc[i] * x + 1;
      }
    } else {
      #pragma unroll 8
      for (int i = 0; i < 64; i++) {
        acc[i] = acc[i] * x + 2;
      }
    }
  }
  for (int i = 0; i < 64; i++) {
    p[i] = acc[i];
  }
}

__global__ void cases(float *p, int n)
{
  float acc[64] = {};
  const float x = p[0];
  switch (n) {
  case 0:
#pragma unroll
    for (int i = 0; i < 64; i++) {
      acc[i] = acc[i] * x + 1;
    }
    break;
  default:
#pragma unroll
    for (int i = 0; i < 64; i++) {
      acc[i] = acc[i] * x + 5;
    }
    break;
  }
  for (int i = 0; i < 64; i++) {
    p[i] = acc[i];
  }
}
