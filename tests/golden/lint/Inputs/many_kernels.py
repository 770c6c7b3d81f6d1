"""N kernels with a merge each, of accumulators with other names."""

import sys

print("typedef float f32x4 __attribute__((ext_vector_type(4)));")
for i in range(int(sys.argv[1])):
    print(f"__attribute__((global)) void k{i}(float *p, int n, int c) {{ f32x4 acc{i}[16] = {{}}; "
          f"for (int k = 0; k < n; k++) {{ if (c > k) {{ for (auto &e : acc{i}) e += p[k]; }} "
          f"else {{ for (auto &e : acc{i}) e *= p[k]; }} }} "
          f"for (auto &e : acc{i}) p[e.x > 0] = e.y; }}")
