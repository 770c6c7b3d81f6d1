"""A kernel with an else-if chain of so many arms."""

import sys

print("typedef float f32x4 __attribute__((ext_vector_type(4)));")
print("__attribute__((global)) void k(f32x4 *out, const f32x4 *in, int n)\n{")
print("\tf32x4 acc[32] = {};\n\tfor (int t = 0; t < n; ++t) {")
for i in range(int(sys.argv[1])):
    print("\t\t" + ("} else " if i else "") + f"if (n == {i}) {{")
    print(f"\t\t\tfor (int i = 0; i < 32; ++i) {{\n\t\t\t\tacc[i] += in[i + {i}];\n\t\t\t}}")
print("\t\t}\n\t}\n\tfor (int i = 0; i < 32; ++i) {\n\t\tout[i] = acc[i];\n\t}\n}")
