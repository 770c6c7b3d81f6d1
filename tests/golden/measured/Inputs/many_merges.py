"""many_merges.py N: a kernel with N merges, whose arms have lines of 150 columns."""

import sys

N = int(sys.argv[1])
TERM = " + ".join(f"in[(k + {i}) % 1024] * acc[(i + {i}) % 32]" for i in range(5))

print("__attribute__((global)) void many(const float *in, float *out, int n)\n{")
print("\tfloat acc[32] = {};")
for k in range(N):
    print(f"\tif (n > {k}) {{")
    print(f"\t\tfor (int i = 0; i < 32; i++) {{ const int k = {k}; acc[i] += {TERM}; }}")
    print("\t} else {")
    print(f"\t\tfor (int i = 0; i < 32; i++) {{ acc[i] -= in[i + {k}]; }}")
    print("\t}")
print("\tfor (int i = 0; i < 32; i++) { out[i] = acc[i]; }\n}")
