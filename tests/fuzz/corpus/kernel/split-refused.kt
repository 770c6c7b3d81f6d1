(unit target="gfx90a"
  (file 1 path="tests/golden/split/refused.hip" main
    "// Each kernel violates one clause, and the file stays as it is.\n"
    "//\n"
    "// RUN: awk '/ LONG$/ { for (i = 0; i < 500; i++) print \"// one more line of forty characters\" } 1' %s > %t.in.hip\n"
    "// RUN: %unphi rewrite %t.in.hip --target gfx90a --strategy split -o %t.hip -- -nogpuinc > %t.txt\n"
    "// RUN: %FileCheck %s --match-full-lines < %t.txt\n"
    "// RUN: cmp %t.in.hip %t.hip\n"
    "//\n"
    "// CHECK: {{.*}}.in.hip: 27 merges at or over the threshold, 0 rewritten\n"
    "\n"
    "#define __global__ __attribute__((global))\n"
    "#define __device__ __attribute__((device))\n"
    "#define __shared__ __attribute__((shared))\n"
    "struct dim {\n"
    "\tunsigned x, y, z;\n"
    "};\n"
    "extern const __device__ dim threadIdx;\n"
    "\n"
    "struct tile {\n"
    "\tfloat v[64];\n"
    "};\n"
    "\n"
    "__device__ inline void add(tile &t, float x)\n"
    "{\n"
    "\tfor (int i = 0; i < 64; i++) {\n"
    "\t\tt.v[i] += x;\n"
    "\t}\n"
    "}\n"
    "\n"
    "__device__ inline void turn(tile &t, float x)\n"
    "{\n"
    "\tfor (int i = 0; i < 64; i++) {\n"
    "\t\tt.v[i] = x - t.v[i];\n"
    "\t}\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in no_loop: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 1): it stands in no loop\n"
    "__global__ void no_loop(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tif (n > 3) {\n"
    "\t\tadd(acc, 1);\n"
    "\t} else {\n"
    "\t\tturn(acc, 2);\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in chosen: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 1): it is no if\n"
    "__global__ void chosen(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tswitch (k) {\n"
    "\t\tcase 0:\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t\tbreak;\n"
    "\t\tdefault:\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in declares: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 1): a variable is declared in its header\n"
    "__global__ void declares(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tif (int rest = n / 2 - k; rest > 0) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in do_loop: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 1): the loop around it is neither a for nor a plain while\n"
    "__global__ void do_loop(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tint k = 0;\n"
    "\tdo {\n"
    "\t\tif (k < 4) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t} while (++k < n);\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in endless: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 1): the loop around it has no condition\n"
    "__global__ void endless(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0;; k++) {\n"
    "\t\tif (k < 4) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t\tp[k] = acc.v[k];\n"
    "\t\tif (k == n) {\n"
    "\t\t\treturn;\n"
    "\t\t}\n"
    "\t}\n"
    "}\n"
    "\n"
    "#define MORE k < n\n"
    "\n"
    "// CHECK: {{.*}} in from_macro: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 2): part of it or of the loop comes from a macro, which is never edited\n"
    "__global__ void from_macro(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; MORE; k++) {\n"
    "\t\tif (k < 4) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in directive: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 2): a preprocessor directive stands in the loop: #ifdef CHECKED\n"
    "__global__ void directive(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tif (k < 4) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "#ifdef CHECKED\n"
    "\t\tif (p[k] > 4) {\n"
    "\t\t\tbreak;\n"
    "\t\t}\n"
    "#endif\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in sometimes: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 3): not every iteration of the loop around it reaches it\n"
    "__global__ void sometimes(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tif (p[k] > 0) {\n"
    "\t\t\tif (k < 4) {\n"
    "\t\t\t\tadd(acc, 1);\n"
    "\t\t\t} else {\n"
    "\t\t\t\tturn(acc, 2);\n"
    "\t\t\t}\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in continues: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 3): code before it may leave the iteration\n"
    "__global__ void continues(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tif (p[k] > 0) {\n"
    "\t\t\tcontinue;\n"
    "\t\t}\n"
    "\t\tif (k < 4) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in breaks: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 4): the loop is left by break\n"
    "__global__ void breaks(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tif (k < 4) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t\tif (p[k] > 0) {\n"
    "\t\t\tbreak;\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in jumps: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 4): the loop is left by goto\n"
    "__global__ void jumps(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tif (k < 4) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t\tif (p[k] > 0) {\n"
    "\t\t\tgoto done;\n"
    "\t\t}\n"
    "\t}\n"
    "done:\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in acts: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 5): its condition has an effect, or is an object\n"
    "__global__ void acts(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tint seen = 0;\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tif (seen++ < 4) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in changes: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 5): its condition cannot be evaluated at the loop's head: 'limit' is written before it is read\n"
    "__global__ void changes(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tint limit = 9;\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tlimit -= k;\n"
    "\t\tif (k < limit) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in by_pointer: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 5): its condition cannot be evaluated at the loop's head: {{.*}} is written before it is read\n"
    "__global__ void by_pointer(float *p, const float *q, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tp[k] = 4;\n"
    "\t\tif (q[k] > 3) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in made_inside: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 5): the condition reads 'limit', which is made inside the loop\n"
    "__global__ void made_inside(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tshort limit = 65538 * k;\n"
    "\t\tif (k < limit) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in hidden: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 5): the condition names 'step', which is made inside the loop\n"
    "__global__ void hidden(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tfloat step[2] = {1, 2};\n"
    "\t\tif (k < (int)sizeof(step)) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in loop_acts: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 6): the loop's condition has an effect, or is an object\n"
    "__global__ void loop_acts(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tint k = 0;\n"
    "\twhile (k++ < n) {\n"
    "\t\tif (k < 4) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in shared: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 7): the loop declares 'held', which would become two\n"
    "__global__ void shared(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\t__shared__ float held[64];\n"
    "\t\tif (k < 4) {\n"
    "\t\t\tadd(acc, held[k]);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t\theld[k] = p[k];\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in shared_in_lambda: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 7): the loop declares 'held', which would become two\n"
    "__global__ void shared_in_lambda(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tauto hold = [&](float x) {\n"
    "\t\t\t__shared__ float held;\n"
    "\t\t\tfloat last = held;\n"
    "\t\t\theld = x;\n"
    "\t\t\treturn last;\n"
    "\t\t};\n"
    "\t\tp[k] = hold(p[k]);\n"
    "\t\tif (k < 4) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in asm_label: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 7): the loop holds inline asm with a label\n"
    "__global__ void asm_label(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tif (k < 4) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t\tasm volatile(\"here: s_nop 0\");\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in barrier: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 8): the loop holds a barrier, and the condition is not proved uniform: {{.*}}\n"
    "__global__ void barrier(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\t__builtin_amdgcn_s_barrier();\n"
    "\t\tif (k < (int)threadIdx.x) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in cross_lane: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 8): the loop holds a cross-lane operation, and the condition is not proved uniform: {{.*}}\n"
    "__global__ void cross_lane(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tif (k < (int)threadIdx.x) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t\tadd(acc, __builtin_amdgcn_ds_bpermute(4, k));\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in atomic: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 8): the loop holds an ordered operation, and the condition is not proved uniform: {{.*}}\n"
    "__global__ void atomic(float *p, int *count, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tif (k < (int)threadIdx.x) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t\t__atomic_fetch_add(count, 1, __ATOMIC_RELAXED);\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in product_before: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 9): 'x' may come from a multiply and is added in the loop: without the if the compiler could join the two to an FMA\n"
    "__global__ void product_before(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tconst float x = p[k] * p[k + 1];\n"
    "\t\tif (k < 4) {\n"
    "\t\t\tadd(acc, x);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in product_around: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 9): 'acc' may come from a multiply and is added in the loop: without the if the compiler could join the two to an FMA\n"
    "__global__ void product_around(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tif (k < 4) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t\tfor (int i = 0; i < 64; i++) {\n"
    "\t\t\t\tacc.v[i] *= p[k];\n"
    "\t\t\t}\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in float_condition: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 9): a condition calculates in floats: the compiler could join it to FMAs in other places than now\n"
    "__global__ void float_condition(float *p, float x, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tif (k * x + 1 < 4) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n"
    "\n"
    "// CHECK: {{.*}} in long_body: {{.*}}\n"
    "// CHECK-NEXT:  split: not legal (clause 7): more than 16384 bytes would be written twice\n"
    "__global__ void long_body(float *p, int n)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tif (k < 4) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tturn(acc, 2);\n"
    "\t\t}\n"
    "\t\t// LONG\n"
    "\t}\n"
    "\tp[0] = acc.v[n];\n"
    "}\n")
  (type 1 void name="void" canon="void")
  (type 2 reference size=256 elem=3 name="tile &" canon="tile &")
  (type 3 record size=256 trivial name="tile" canon="tile")
  (type 4 float size=4 trivial name="float" canon="float")
  (type 5 pointer size=8 elem=4 trivial name="float *" canon="float *")
  (type 6 int size=4 trivial name="int" canon="int")
  (type 7 pointer size=8 elem=8 trivial name="const float *" canon="const float *")
  (type 8 float size=4 const trivial name="const float" canon="const float")
  (type 9 pointer size=8 elem=6 trivial name="int *" canon="int *")
  (type 10 bool size=1 trivial name="bool" canon="bool")
  (type 11 array size=256 count=64 elem=4 trivial name="float[64]" canon="float[64]")
  (type 12 int size=2 trivial name="short" canon="short")
  (type 13 array size=8 count=2 elem=4 trivial name="float[2]" canon="float[2]")
  (type 14 int size=8 trivial name="unsigned long" canon="unsigned long")
  (type 15 record size=1 name="(lambda at tests/golden/split/refused.hip:344:15)" canon="(lambda at tests/golden/split/refused.hip:344:15)")
  (type 16 int size=4 const trivial name="const unsigned int" canon="const unsigned int")
  (type 17 record size=12 const trivial name="const dim" canon="const dim")
  (sym 1 param type=2 fn=1 file=1 at=706 name="t") ; tile &
  (sym 2 param type=4 fn=1 file=1 at=715 name="x") ; float
  (sym 3 param type=2 fn=2 file=1 at=807 name="t") ; tile &
  (sym 4 param type=4 fn=2 file=1 at=816 name="x") ; float
  (sym 5 param type=5 fn=3 file=1 at=1015 name="p") ; float *
  (sym 6 param type=6 fn=3 file=1 at=1022 name="n") ; int
  (sym 7 param type=5 fn=4 file=1 at=1244 name="p") ; float *
  (sym 8 param type=6 fn=4 file=1 at=1251 name="n") ; int
  (sym 9 param type=5 fn=5 file=1 at=1561 name="p") ; float *
  (sym 10 param type=6 fn=5 file=1 at=1568 name="n") ; int
  (sym 11 param type=5 fn=6 file=1 at=1898 name="p") ; float *
  (sym 12 param type=6 fn=6 file=1 at=1905 name="n") ; int
  (sym 13 param type=5 fn=7 file=1 at=2196 name="p") ; float *
  (sym 14 param type=6 fn=7 file=1 at=2203 name="n") ; int
  (sym 15 param type=5 fn=8 file=1 at=2574 name="p") ; float *
  (sym 16 param type=6 fn=8 file=1 at=2581 name="n") ; int
  (sym 17 param type=5 fn=9 file=1 at=2895 name="p") ; float *
  (sym 18 param type=6 fn=9 file=1 at=2902 name="n") ; int
  (sym 19 param type=5 fn=10 file=1 at=3265 name="p") ; float *
  (sym 20 param type=6 fn=10 file=1 at=3272 name="n") ; int
  (sym 21 param type=5 fn=11 file=1 at=3600 name="p") ; float *
  (sym 22 param type=6 fn=11 file=1 at=3607 name="n") ; int
  (sym 23 param type=5 fn=12 file=1 at=3917 name="p") ; float *
  (sym 24 param type=6 fn=12 file=1 at=3924 name="n") ; int
  (sym 25 param type=5 fn=13 file=1 at=4228 name="p") ; float *
  (sym 26 param type=6 fn=13 file=1 at=4235 name="n") ; int
  (sym 27 param type=5 fn=14 file=1 at=4567 name="p") ; float *
  (sym 28 param type=6 fn=14 file=1 at=4574 name="n") ; int
  (sym 29 param type=5 fn=15 file=1 at=4936 name="p") ; float *
  (sym 30 param type=6 fn=15 file=1 at=4943 name="n") ; int
  (sym 31 param type=5 fn=16 file=1 at=5324 name="p") ; float *
  (sym 32 param type=7 fn=16 file=1 at=5340 name="q") ; const float *
  (sym 33 param type=6 fn=16 file=1 at=5347 name="n") ; int
  (sym 34 param type=5 fn=17 file=1 at=5680 name="p") ; float *
  (sym 35 param type=6 fn=17 file=1 at=5687 name="n") ; int
  (sym 36 param type=5 fn=18 file=1 at=6025 name="p") ; float *
  (sym 37 param type=6 fn=18 file=1 at=6032 name="n") ; int
  (sym 38 param type=5 fn=19 file=1 at=6381 name="p") ; float *
  (sym 39 param type=6 fn=19 file=1 at=6388 name="n") ; int
  (sym 40 param type=5 fn=20 file=1 at=6686 name="p") ; float *
  (sym 41 param type=6 fn=20 file=1 at=6693 name="n") ; int
  (sym 42 param type=5 fn=21 file=1 at=7064 name="p") ; float *
  (sym 43 param type=6 fn=21 file=1 at=7071 name="n") ; int
  (sym 44 param type=5 fn=22 file=1 at=7497 name="p") ; float *
  (sym 45 param type=6 fn=22 file=1 at=7504 name="n") ; int
  (sym 46 param type=5 fn=23 file=1 at=7862 name="p") ; float *
  (sym 47 param type=6 fn=23 file=1 at=7869 name="n") ; int
  (sym 48 param type=5 fn=24 file=1 at=8260 name="p") ; float *
  (sym 49 param type=6 fn=24 file=1 at=8267 name="n") ; int
  (sym 50 param type=5 fn=25 file=1 at=8664 name="p") ; float *
  (sym 51 param type=9 fn=25 file=1 at=8672 name="count") ; int *
  (sym 52 param type=6 fn=25 file=1 at=8683 name="n") ; int
  (sym 53 param type=5 fn=26 file=1 at=9125 name="p") ; float *
  (sym 54 param type=6 fn=26 file=1 at=9132 name="n") ; int
  (sym 55 param type=5 fn=27 file=1 at=9546 name="p") ; float *
  (sym 56 param type=6 fn=27 file=1 at=9553 name="n") ; int
  (sym 57 param type=5 fn=28 file=1 at=9975 name="p") ; float *
  (sym 58 param type=4 fn=28 file=1 at=9984 name="x") ; float
  (sym 59 param type=6 fn=28 file=1 at=9991 name="n") ; int
  (sym 60 param type=5 fn=29 file=1 at=10299 name="p") ; float *
  (sym 61 param type=6 fn=29 file=1 at=10306 name="n") ; int
  (sym 62 local type=6 fn=1 file=1 at=730 name="i") ; int
  (sym 63 field type=11 file=1 at=662 name="v") ; float[64]
  (sym 64 local type=6 fn=2 file=1 at=831 name="i") ; int
  (sym 65 local type=3 fn=3 file=1 at=1033 name="acc") ; tile
  (sym 66 local type=3 fn=4 file=1 at=1262 name="acc") ; tile
  (sym 67 local type=6 fn=4 file=1 at=1282 name="k") ; int
  (sym 68 local type=3 fn=5 file=1 at=1579 name="acc") ; tile
  (sym 69 local type=6 fn=5 file=1 at=1599 name="k") ; int
  (sym 70 local type=6 fn=5 file=1 at=1630 name="rest") ; int
  (sym 71 local type=3 fn=6 file=1 at=1916 name="acc") ; tile
  (sym 72 local type=6 fn=6 file=1 at=1931 name="k") ; int
  (sym 73 local type=3 fn=7 file=1 at=2214 name="acc") ; tile
  (sym 74 local type=6 fn=7 file=1 at=2234 name="k") ; int
  (sym 75 local type=3 fn=8 file=1 at=2592 name="acc") ; tile
  (sym 76 local type=6 fn=8 file=1 at=2612 name="k") ; int
  (sym 77 local type=3 fn=9 file=1 at=2913 name="acc") ; tile
  (sym 78 local type=6 fn=9 file=1 at=2933 name="k") ; int
  (sym 79 local type=3 fn=10 file=1 at=3283 name="acc") ; tile
  (sym 80 local type=6 fn=10 file=1 at=3303 name="k") ; int
  (sym 81 local type=3 fn=11 file=1 at=3618 name="acc") ; tile
  (sym 82 local type=6 fn=11 file=1 at=3638 name="k") ; int
  (sym 83 local type=3 fn=12 file=1 at=3935 name="acc") ; tile
  (sym 84 local type=6 fn=12 file=1 at=3955 name="k") ; int
  (sym 85 local type=3 fn=13 file=1 at=4246 name="acc") ; tile
  (sym 86 local type=6 fn=13 file=1 at=4266 name="k") ; int
  (sym 87 local type=3 fn=14 file=1 at=4585 name="acc") ; tile
  (sym 88 local type=6 fn=14 file=1 at=4600 name="seen") ; int
  (sym 89 local type=6 fn=14 file=1 at=4620 name="k") ; int
  (sym 90 local type=3 fn=15 file=1 at=4954 name="acc") ; tile
  (sym 91 local type=6 fn=15 file=1 at=4969 name="limit") ; int
  (sym 92 local type=6 fn=15 file=1 at=4990 name="k") ; int
  (sym 93 local type=3 fn=16 file=1 at=5358 name="acc") ; tile
  (sym 94 local type=6 fn=16 file=1 at=5378 name="k") ; int
  (sym 95 local type=3 fn=17 file=1 at=5698 name="acc") ; tile
  (sym 96 local type=6 fn=17 file=1 at=5718 name="k") ; int
  (sym 97 local type=12 fn=17 file=1 at=5747 name="limit") ; short
  (sym 98 local type=3 fn=18 file=1 at=6043 name="acc") ; tile
  (sym 99 local type=6 fn=18 file=1 at=6063 name="k") ; int
  (sym 100 local type=13 fn=18 file=1 at=6092 name="step") ; float[2]
  (sym 101 local type=3 fn=19 file=1 at=6399 name="acc") ; tile
  (sym 102 local type=6 fn=19 file=1 at=6414 name="k") ; int
  (sym 103 local type=3 fn=20 file=1 at=6704 name="acc") ; tile
  (sym 104 local type=6 fn=20 file=1 at=6724 name="k") ; int
  (sym 105 global space=shared static type=11 file=1 at=6764 name="held") ; float[64]
  (sym 106 local type=3 fn=21 file=1 at=7082 name="acc") ; tile
  (sym 107 local type=6 fn=21 file=1 at=7102 name="k") ; int
  (sym 108 local type=15 fn=21 file=1 at=7130 name="hold") ; (lambda at tests/golden/split/refused.hip:344:15)
  (sym 109 param type=4 fn=30 file=1 at=7147 name="x") ; float
  (sym 110 local type=3 fn=22 file=1 at=7515 name="acc") ; tile
  (sym 111 local type=6 fn=22 file=1 at=7535 name="k") ; int
  (sym 112 local type=3 fn=23 file=1 at=7880 name="acc") ; tile
  (sym 113 local type=6 fn=23 file=1 at=7900 name="k") ; int
  (sym 114 global space=constant static type=17 file=1 at=629 name="threadIdx") ; const dim
  (sym 115 local type=3 fn=24 file=1 at=8278 name="acc") ; tile
  (sym 116 local type=6 fn=24 file=1 at=8298 name="k") ; int
  (sym 117 param type=6 fn=32 name="") ; int
  (sym 118 param type=6 fn=32 name="") ; int
  (sym 119 local type=3 fn=25 file=1 at=8694 name="acc") ; tile
  (sym 120 local type=6 fn=25 file=1 at=8714 name="k") ; int
  (sym 121 local type=3 fn=26 file=1 at=9143 name="acc") ; tile
  (sym 122 local type=6 fn=26 file=1 at=9163 name="k") ; int
  (sym 123 local type=8 fn=26 file=1 at=9198 name="x") ; const float
  (sym 124 local type=3 fn=27 file=1 at=9564 name="acc") ; tile
  (sym 125 local type=6 fn=27 file=1 at=9584 name="k") ; int
  (sym 126 local type=6 fn=27 file=1 at=9648 name="i") ; int
  (sym 127 local type=3 fn=28 file=1 at=10002 name="acc") ; tile
  (sym 128 local type=6 fn=28 file=1 at=10022 name="k") ; int
  (sym 129 local type=3 fn=29 file=1 at=10317 name="acc") ; tile
  (sym 130 local type=6 fn=29 file=1 at=10337 name="k") ; int
  (sym 131 global space=shared static type=4 file=1 at=7172 name="held") ; float
  (sym 132 local type=4 fn=30 file=1 at=7187 name="last") ; float
  (fn 1 device name="add" base="add" symbol="_Z3addR4tilef" file=1 673..771 name-at=696 ret=1 params=1,2 ; void
    (compound 718..771
      (for 721..769
        init: (decl 726..736
          (var 726..735 type=6 sym=62 text="i" ; i: int
            (literal 734..735 type=6 value=0 text="0"))) ; int
        cond: (binary 737..743 op=lt type=10 ; bool
          (ref 737..738 type=6 sym=62) ; i: int
          (literal 741..743 type=6 value=64 text="64")) ; int
        inc: (unary 745..748 op=postinc type=6 ; int
          (ref 745..746 type=6 sym=62)) ; i: int
        body: (compound 750..769
          (assign 754..766 op=add type=4 ; float
            (index 754..760 type=4 ; float
              (member 754..757 type=11 sym=63 text="v" ; v: float[64]
                base: (ref 754..755 type=3 sym=1)) ; t: tile
              (ref 758..759 type=6 sym=62)) ; i: int
            (ref 764..765 type=4 sym=2)))))) ; x: float
  (fn 2 device name="turn" base="turn" symbol="_Z4turnR4tilef" file=1 773..880 name-at=796 ret=1 params=3,4 ; void
    (compound 819..880
      (for 822..878
        init: (decl 827..837
          (var 827..836 type=6 sym=64 text="i" ; i: int
            (literal 835..836 type=6 value=0 text="0"))) ; int
        cond: (binary 838..844 op=lt type=10 ; bool
          (ref 838..839 type=6 sym=64) ; i: int
          (literal 842..844 type=6 value=64 text="64")) ; int
        inc: (unary 846..849 op=postinc type=6 ; int
          (ref 846..847 type=6 sym=64)) ; i: int
        body: (compound 851..878
          (assign 855..875 type=4 ; float
            (index 855..861 type=4 ; float
              (member 855..858 type=11 sym=63 text="v" ; v: float[64]
                base: (ref 855..856 type=3 sym=3)) ; t: tile
              (ref 859..860 type=6 sym=64)) ; i: int
            (binary 864..874 op=sub type=4 ; float
              (ref 864..865 type=4 sym=4) ; x: float
              (index 868..874 type=4 ; float
                (member 868..871 type=11 sym=63 text="v" ; v: float[64]
                  base: (ref 868..869 type=3 sym=3)) ; t: tile
                (ref 872..873 type=6 sym=64)))))))) ; i: int
  (fn 3 kernel name="no_loop" base="no_loop" symbol="_Z7no_loopPfi" file=1 984..1120 name-at=1000 ret=1 params=5,6 ; void
    (compound 1025..1120
      (decl 1028..1042
        (var 1028..1041 type=3 sym=65 text="acc" ; acc: tile
          (init-list 1039..1041 type=3))) ; tile
      (if 1044..1100
        cond: (binary 1048..1053 op=gt type=10 ; bool
          (ref 1048..1049 type=6 sym=6) ; n: int
          (literal 1052..1053 type=6 value=3 text="3")) ; int
        then: (compound 1055..1074
          (call 1059..1071 type=1 fn=1 text="add" ; add: void
            (ref 1063..1066 type=3 sym=65) ; acc: tile
            (literal 1068..1069 type=6 value=1 text="1"))) ; int
        else: (compound 1080..1100
          (call 1084..1097 type=1 fn=2 text="turn" ; turn: void
            (ref 1089..1092 type=3 sym=65) ; acc: tile
            (literal 1094..1095 type=6 value=2 text="2")))) ; int
      (assign 1102..1118 type=4 ; float
        (index 1102..1106 type=4 ; float
          (ref 1102..1103 type=5 sym=5) ; p: float *
          (literal 1104..1105 type=6 value=0 text="0")) ; int
        (index 1109..1117 type=4 ; float
          (member 1109..1114 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 1109..1112 type=3 sym=65)) ; acc: tile
          (ref 1115..1116 type=6 sym=6))))) ; n: int
  (fn 4 kernel name="chosen" base="chosen" symbol="_Z6chosenPfi" file=1 1214..1408 name-at=1230 ret=1 params=7,8 ; void
    (compound 1254..1408
      (decl 1257..1271
        (var 1257..1270 type=3 sym=66 text="acc" ; acc: tile
          (init-list 1268..1270 type=3))) ; tile
      (for 1273..1388
        init: (decl 1278..1288
          (var 1278..1287 type=6 sym=67 text="k" ; k: int
            (literal 1286..1287 type=6 value=0 text="0"))) ; int
        cond: (binary 1289..1294 op=lt type=10 ; bool
          (ref 1289..1290 type=6 sym=67) ; k: int
          (ref 1293..1294 type=6 sym=8)) ; n: int
        inc: (unary 1296..1299 op=postinc type=6 ; int
          (ref 1296..1297 type=6 sym=67)) ; k: int
        body: (compound 1301..1388
          (switch 1305..1385
            cond: (ref 1313..1314 type=6 sym=67) ; k: int
            body: (compound 1316..1385
              (case 1320..1343
                value: (literal 1325..1326 type=6 value=0 text="0") ; int
                stmt: (call 1331..1343 type=1 fn=1 text="add" ; add: void
                  (ref 1335..1338 type=3 sym=66) ; acc: tile
                  (literal 1340..1341 type=6 value=1 text="1"))) ; int
              (break 1347..1353)
              (default 1356..1381 text=""
                (call 1368..1381 type=1 fn=2 text="turn" ; turn: void
                  (ref 1373..1376 type=3 sym=66) ; acc: tile
                  (literal 1378..1379 type=6 value=2 text="2"))))))) ; int
      (assign 1390..1406 type=4 ; float
        (index 1390..1394 type=4 ; float
          (ref 1390..1391 type=5 sym=7) ; p: float *
          (literal 1392..1393 type=6 value=0 text="0")) ; int
        (index 1397..1405 type=4 ; float
          (member 1397..1402 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 1397..1400 type=3 sym=66)) ; acc: tile
          (ref 1403..1404 type=6 sym=8))))) ; n: int
  (fn 5 kernel name="declares" base="declares" symbol="_Z8declaresPfi" file=1 1529..1730 name-at=1545 ret=1 params=9,10 ; void
    (compound 1571..1730
      (decl 1574..1588
        (var 1574..1587 type=3 sym=68 text="acc" ; acc: tile
          (init-list 1585..1587 type=3))) ; tile
      (for 1590..1710
        init: (decl 1595..1605
          (var 1595..1604 type=6 sym=69 text="k" ; k: int
            (literal 1603..1604 type=6 value=0 text="0"))) ; int
        cond: (binary 1606..1611 op=lt type=10 ; bool
          (ref 1606..1607 type=6 sym=69) ; k: int
          (ref 1610..1611 type=6 sym=10)) ; n: int
        inc: (unary 1613..1616 op=postinc type=6 ; int
          (ref 1613..1614 type=6 sym=69)) ; k: int
        body: (compound 1618..1710
          (if 1622..1707
            init: (decl 1626..1647
              (var 1626..1646 type=6 sym=70 text="rest" ; rest: int
                (binary 1637..1646 op=sub type=6 ; int
                  (binary 1637..1642 op=div type=6 ; int
                    (ref 1637..1638 type=6 sym=10) ; n: int
                    (literal 1641..1642 type=6 value=2 text="2")) ; int
                  (ref 1645..1646 type=6 sym=69)))) ; k: int
            cond: (binary 1648..1656 op=gt type=10 ; bool
              (ref 1648..1652 type=6 sym=70) ; rest: int
              (literal 1655..1656 type=6 value=0 text="0")) ; int
            then: (compound 1658..1679
              (call 1663..1675 type=1 fn=1 text="add" ; add: void
                (ref 1667..1670 type=3 sym=68) ; acc: tile
                (literal 1672..1673 type=6 value=1 text="1"))) ; int
            else: (compound 1685..1707
              (call 1690..1703 type=1 fn=2 text="turn" ; turn: void
                (ref 1695..1698 type=3 sym=68) ; acc: tile
                (literal 1700..1701 type=6 value=2 text="2")))))) ; int
      (assign 1712..1728 type=4 ; float
        (index 1712..1716 type=4 ; float
          (ref 1712..1713 type=5 sym=9) ; p: float *
          (literal 1714..1715 type=6 value=0 text="0")) ; int
        (index 1719..1727 type=4 ; float
          (member 1719..1724 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 1719..1722 type=3 sym=68)) ; acc: tile
          (ref 1725..1726 type=6 sym=10))))) ; n: int
  (fn 6 kernel name="do_loop" base="do_loop" symbol="_Z7do_loopPfi" file=1 1867..2046 name-at=1883 ret=1 params=11,12 ; void
    (compound 1908..2046
      (decl 1911..1925
        (var 1911..1924 type=3 sym=71 text="acc" ; acc: tile
          (init-list 1922..1924 type=3))) ; tile
      (decl 1927..1937
        (var 1927..1936 type=6 sym=72 text="k" ; k: int
          (literal 1935..1936 type=6 value=0 text="0"))) ; int
      (do 1939..2026
        body: (compound 1942..2009
          (if 1946..2006
            cond: (binary 1950..1955 op=lt type=10 ; bool
              (ref 1950..1951 type=6 sym=72) ; k: int
              (literal 1954..1955 type=6 value=4 text="4")) ; int
            then: (compound 1957..1978
              (call 1962..1974 type=1 fn=1 text="add" ; add: void
                (ref 1966..1969 type=3 sym=71) ; acc: tile
                (literal 1971..1972 type=6 value=1 text="1"))) ; int
            else: (compound 1984..2006
              (call 1989..2002 type=1 fn=2 text="turn" ; turn: void
                (ref 1994..1997 type=3 sym=71) ; acc: tile
                (literal 1999..2000 type=6 value=2 text="2"))))) ; int
        cond: (binary 2017..2024 op=lt type=10 ; bool
          (unary 2017..2020 op=preinc type=6 ; int
            (ref 2019..2020 type=6 sym=72)) ; k: int
          (ref 2023..2024 type=6 sym=12))) ; n: int
      (assign 2028..2044 type=4 ; float
        (index 2028..2032 type=4 ; float
          (ref 2028..2029 type=5 sym=11) ; p: float *
          (literal 2030..2031 type=6 value=0 text="0")) ; int
        (index 2035..2043 type=4 ; float
          (member 2035..2040 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 2035..2038 type=3 sym=71)) ; acc: tile
          (ref 2041..2042 type=6 sym=12))))) ; n: int
  (fn 7 kernel name="endless" base="endless" symbol="_Z7endlessPfi" file=1 2165..2366 name-at=2181 ret=1 params=13,14 ; void
    (compound 2206..2366
      (decl 2209..2223
        (var 2209..2222 type=3 sym=73 text="acc" ; acc: tile
          (init-list 2220..2222 type=3))) ; tile
      (for 2225..2364
        init: (decl 2230..2240
          (var 2230..2239 type=6 sym=74 text="k" ; k: int
            (literal 2238..2239 type=6 value=0 text="0"))) ; int
        inc: (unary 2242..2245 op=postinc type=6 ; int
          (ref 2242..2243 type=6 sym=74)) ; k: int
        body: (compound 2247..2364
          (if 2251..2311
            cond: (binary 2255..2260 op=lt type=10 ; bool
              (ref 2255..2256 type=6 sym=74) ; k: int
              (literal 2259..2260 type=6 value=4 text="4")) ; int
            then: (compound 2262..2283
              (call 2267..2279 type=1 fn=1 text="add" ; add: void
                (ref 2271..2274 type=3 sym=73) ; acc: tile
                (literal 2276..2277 type=6 value=1 text="1"))) ; int
            else: (compound 2289..2311
              (call 2294..2307 type=1 fn=2 text="turn" ; turn: void
                (ref 2299..2302 type=3 sym=73) ; acc: tile
                (literal 2304..2305 type=6 value=2 text="2")))) ; int
          (assign 2314..2330 type=4 ; float
            (index 2314..2318 type=4 ; float
              (ref 2314..2315 type=5 sym=13) ; p: float *
              (ref 2316..2317 type=6 sym=74)) ; k: int
            (index 2321..2329 type=4 ; float
              (member 2321..2326 type=11 sym=63 text="v" ; v: float[64]
                base: (ref 2321..2324 type=3 sym=73)) ; acc: tile
              (ref 2327..2328 type=6 sym=74))) ; k: int
          (if 2333..2361
            cond: (binary 2337..2343 op=eq type=10 ; bool
              (ref 2337..2338 type=6 sym=74) ; k: int
              (ref 2342..2343 type=6 sym=14)) ; n: int
            then: (compound 2345..2361
              (return 2350..2357)))))))
  (fn 8 kernel name="from_macro" base="from_macro" symbol="_Z10from_macroPfi" file=1 2540..2717 name-at=2556 ret=1 params=15,16 ; void
    (compound 2584..2717
      (decl 2587..2601
        (var 2587..2600 type=3 sym=75 text="acc" ; acc: tile
          (init-list 2598..2600 type=3))) ; tile
      (for 2603..2697
        init: (decl 2608..2618
          (var 2608..2617 type=6 sym=76 text="k" ; k: int
            (literal 2616..2617 type=6 value=0 text="0"))) ; int
        cond: (binary 2619..2623 op=lt type=10 macro ; bool
          (ref 2619..2623 type=6 sym=76 macro) ; k: int
          (ref 2619..2623 type=6 sym=16 macro)) ; n: int
        inc: (unary 2625..2628 op=postinc type=6 ; int
          (ref 2625..2626 type=6 sym=76)) ; k: int
        body: (compound 2630..2697
          (if 2634..2694
            cond: (binary 2638..2643 op=lt type=10 ; bool
              (ref 2638..2639 type=6 sym=76) ; k: int
              (literal 2642..2643 type=6 value=4 text="4")) ; int
            then: (compound 2645..2666
              (call 2650..2662 type=1 fn=1 text="add" ; add: void
                (ref 2654..2657 type=3 sym=75) ; acc: tile
                (literal 2659..2660 type=6 value=1 text="1"))) ; int
            else: (compound 2672..2694
              (call 2677..2690 type=1 fn=2 text="turn" ; turn: void
                (ref 2682..2685 type=3 sym=75) ; acc: tile
                (literal 2687..2688 type=6 value=2 text="2")))))) ; int
      (assign 2699..2715 type=4 ; float
        (index 2699..2703 type=4 ; float
          (ref 2699..2700 type=5 sym=15) ; p: float *
          (literal 2701..2702 type=6 value=0 text="0")) ; int
        (index 2706..2714 type=4 ; float
          (member 2706..2711 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 2706..2709 type=3 sym=75)) ; acc: tile
          (ref 2712..2713 type=6 sym=16))))) ; n: int
  (fn 9 kernel name="directive" base="directive" symbol="_Z9directivePfi" file=1 2862..3093 name-at=2878 ret=1 params=17,18 ; void
    (compound 2905..3093
      (decl 2908..2922
        (var 2908..2921 type=3 sym=77 text="acc" ; acc: tile
          (init-list 2919..2921 type=3))) ; tile
      (for 2924..3073
        init: (decl 2929..2939
          (var 2929..2938 type=6 sym=78 text="k" ; k: int
            (literal 2937..2938 type=6 value=0 text="0"))) ; int
        cond: (binary 2940..2945 op=lt type=10 ; bool
          (ref 2940..2941 type=6 sym=78) ; k: int
          (ref 2944..2945 type=6 sym=18)) ; n: int
        inc: (unary 2947..2950 op=postinc type=6 ; int
          (ref 2947..2948 type=6 sym=78)) ; k: int
        body: (compound 2952..3073
          (if 2956..3016
            cond: (binary 2960..2965 op=lt type=10 ; bool
              (ref 2960..2961 type=6 sym=78) ; k: int
              (literal 2964..2965 type=6 value=4 text="4")) ; int
            then: (compound 2967..2988
              (call 2972..2984 type=1 fn=1 text="add" ; add: void
                (ref 2976..2979 type=3 sym=77) ; acc: tile
                (literal 2981..2982 type=6 value=1 text="1"))) ; int
            else: (compound 2994..3016
              (call 2999..3012 type=1 fn=2 text="turn" ; turn: void
                (ref 3004..3007 type=3 sym=77) ; acc: tile
                (literal 3009..3010 type=6 value=2 text="2")))))) ; int
      (assign 3075..3091 type=4 ; float
        (index 3075..3079 type=4 ; float
          (ref 3075..3076 type=5 sym=17) ; p: float *
          (literal 3077..3078 type=6 value=0 text="0")) ; int
        (index 3082..3090 type=4 ; float
          (member 3082..3087 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 3082..3085 type=3 sym=77)) ; acc: tile
          (ref 3088..3089 type=6 sym=18))))) ; n: int
  (fn 10 kernel name="sometimes" base="sometimes" symbol="_Z9sometimesPfi" file=1 3232..3436 name-at=3248 ret=1 params=19,20 ; void
    (compound 3275..3436
      (decl 3278..3292
        (var 3278..3291 type=3 sym=79 text="acc" ; acc: tile
          (init-list 3289..3291 type=3))) ; tile
      (for 3294..3416
        init: (decl 3299..3309
          (var 3299..3308 type=6 sym=80 text="k" ; k: int
            (literal 3307..3308 type=6 value=0 text="0"))) ; int
        cond: (binary 3310..3315 op=lt type=10 ; bool
          (ref 3310..3311 type=6 sym=80) ; k: int
          (ref 3314..3315 type=6 sym=20)) ; n: int
        inc: (unary 3317..3320 op=postinc type=6 ; int
          (ref 3317..3318 type=6 sym=80)) ; k: int
        body: (compound 3322..3416
          (if 3326..3413
            cond: (binary 3330..3338 op=gt type=10 ; bool
              (index 3330..3334 type=4 ; float
                (ref 3330..3331 type=5 sym=19) ; p: float *
                (ref 3332..3333 type=6 sym=80)) ; k: int
              (literal 3337..3338 type=6 value=0 text="0")) ; int
            then: (compound 3340..3413
              (if 3345..3409
                cond: (binary 3349..3354 op=lt type=10 ; bool
                  (ref 3349..3350 type=6 sym=80) ; k: int
                  (literal 3353..3354 type=6 value=4 text="4")) ; int
                then: (compound 3356..3379
                  (call 3362..3374 type=1 fn=1 text="add" ; add: void
                    (ref 3366..3369 type=3 sym=79) ; acc: tile
                    (literal 3371..3372 type=6 value=1 text="1"))) ; int
                else: (compound 3385..3409
                  (call 3391..3404 type=1 fn=2 text="turn" ; turn: void
                    (ref 3396..3399 type=3 sym=79) ; acc: tile
                    (literal 3401..3402 type=6 value=2 text="2")))))))) ; int
      (assign 3418..3434 type=4 ; float
        (index 3418..3422 type=4 ; float
          (ref 3418..3419 type=5 sym=19) ; p: float *
          (literal 3420..3421 type=6 value=0 text="0")) ; int
        (index 3425..3433 type=4 ; float
          (member 3425..3430 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 3425..3428 type=3 sym=79)) ; acc: tile
          (ref 3431..3432 type=6 sym=20))))) ; n: int
  (fn 11 kernel name="continues" base="continues" symbol="_Z9continuesPfi" file=1 3567..3779 name-at=3583 ret=1 params=21,22 ; void
    (compound 3610..3779
      (decl 3613..3627
        (var 3613..3626 type=3 sym=81 text="acc" ; acc: tile
          (init-list 3624..3626 type=3))) ; tile
      (for 3629..3759
        init: (decl 3634..3644
          (var 3634..3643 type=6 sym=82 text="k" ; k: int
            (literal 3642..3643 type=6 value=0 text="0"))) ; int
        cond: (binary 3645..3650 op=lt type=10 ; bool
          (ref 3645..3646 type=6 sym=82) ; k: int
          (ref 3649..3650 type=6 sym=22)) ; n: int
        inc: (unary 3652..3655 op=postinc type=6 ; int
          (ref 3652..3653 type=6 sym=82)) ; k: int
        body: (compound 3657..3759
          (if 3661..3693
            cond: (binary 3665..3673 op=gt type=10 ; bool
              (index 3665..3669 type=4 ; float
                (ref 3665..3666 type=5 sym=21) ; p: float *
                (ref 3667..3668 type=6 sym=82)) ; k: int
              (literal 3672..3673 type=6 value=0 text="0")) ; int
            then: (compound 3675..3693
              (continue 3680..3689)))
          (if 3696..3756
            cond: (binary 3700..3705 op=lt type=10 ; bool
              (ref 3700..3701 type=6 sym=82) ; k: int
              (literal 3704..3705 type=6 value=4 text="4")) ; int
            then: (compound 3707..3728
              (call 3712..3724 type=1 fn=1 text="add" ; add: void
                (ref 3716..3719 type=3 sym=81) ; acc: tile
                (literal 3721..3722 type=6 value=1 text="1"))) ; int
            else: (compound 3734..3756
              (call 3739..3752 type=1 fn=2 text="turn" ; turn: void
                (ref 3744..3747 type=3 sym=81) ; acc: tile
                (literal 3749..3750 type=6 value=2 text="2")))))) ; int
      (assign 3761..3777 type=4 ; float
        (index 3761..3765 type=4 ; float
          (ref 3761..3762 type=5 sym=21) ; p: float *
          (literal 3763..3764 type=6 value=0 text="0")) ; int
        (index 3768..3776 type=4 ; float
          (member 3768..3773 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 3768..3771 type=3 sym=81)) ; acc: tile
          (ref 3774..3775 type=6 sym=22))))) ; n: int
  (fn 12 kernel name="breaks" base="breaks" symbol="_Z6breaksPfi" file=1 3887..4093 name-at=3903 ret=1 params=23,24 ; void
    (compound 3927..4093
      (decl 3930..3944
        (var 3930..3943 type=3 sym=83 text="acc" ; acc: tile
          (init-list 3941..3943 type=3))) ; tile
      (for 3946..4073
        init: (decl 3951..3961
          (var 3951..3960 type=6 sym=84 text="k" ; k: int
            (literal 3959..3960 type=6 value=0 text="0"))) ; int
        cond: (binary 3962..3967 op=lt type=10 ; bool
          (ref 3962..3963 type=6 sym=84) ; k: int
          (ref 3966..3967 type=6 sym=24)) ; n: int
        inc: (unary 3969..3972 op=postinc type=6 ; int
          (ref 3969..3970 type=6 sym=84)) ; k: int
        body: (compound 3974..4073
          (if 3978..4038
            cond: (binary 3982..3987 op=lt type=10 ; bool
              (ref 3982..3983 type=6 sym=84) ; k: int
              (literal 3986..3987 type=6 value=4 text="4")) ; int
            then: (compound 3989..4010
              (call 3994..4006 type=1 fn=1 text="add" ; add: void
                (ref 3998..4001 type=3 sym=83) ; acc: tile
                (literal 4003..4004 type=6 value=1 text="1"))) ; int
            else: (compound 4016..4038
              (call 4021..4034 type=1 fn=2 text="turn" ; turn: void
                (ref 4026..4029 type=3 sym=83) ; acc: tile
                (literal 4031..4032 type=6 value=2 text="2")))) ; int
          (if 4041..4070
            cond: (binary 4045..4053 op=gt type=10 ; bool
              (index 4045..4049 type=4 ; float
                (ref 4045..4046 type=5 sym=23) ; p: float *
                (ref 4047..4048 type=6 sym=84)) ; k: int
              (literal 4052..4053 type=6 value=0 text="0")) ; int
            then: (compound 4055..4070
              (break 4060..4066)))))
      (assign 4075..4091 type=4 ; float
        (index 4075..4079 type=4 ; float
          (ref 4075..4076 type=5 sym=23) ; p: float *
          (literal 4077..4078 type=6 value=0 text="0")) ; int
        (index 4082..4090 type=4 ; float
          (member 4082..4087 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 4082..4085 type=3 sym=83)) ; acc: tile
          (ref 4088..4089 type=6 sym=24))))) ; n: int
  (fn 13 kernel name="jumps" base="jumps" symbol="_Z5jumpsPfi" file=1 4199..4414 name-at=4215 ret=1 params=25,26 ; void
    (compound 4238..4414
      (decl 4241..4255
        (var 4241..4254 type=3 sym=85 text="acc" ; acc: tile
          (init-list 4252..4254 type=3))) ; tile
      (for 4257..4388
        init: (decl 4262..4272
          (var 4262..4271 type=6 sym=86 text="k" ; k: int
            (literal 4270..4271 type=6 value=0 text="0"))) ; int
        cond: (binary 4273..4278 op=lt type=10 ; bool
          (ref 4273..4274 type=6 sym=86) ; k: int
          (ref 4277..4278 type=6 sym=26)) ; n: int
        inc: (unary 4280..4283 op=postinc type=6 ; int
          (ref 4280..4281 type=6 sym=86)) ; k: int
        body: (compound 4285..4388
          (if 4289..4349
            cond: (binary 4293..4298 op=lt type=10 ; bool
              (ref 4293..4294 type=6 sym=86) ; k: int
              (literal 4297..4298 type=6 value=4 text="4")) ; int
            then: (compound 4300..4321
              (call 4305..4317 type=1 fn=1 text="add" ; add: void
                (ref 4309..4312 type=3 sym=85) ; acc: tile
                (literal 4314..4315 type=6 value=1 text="1"))) ; int
            else: (compound 4327..4349
              (call 4332..4345 type=1 fn=2 text="turn" ; turn: void
                (ref 4337..4340 type=3 sym=85) ; acc: tile
                (literal 4342..4343 type=6 value=2 text="2")))) ; int
          (if 4352..4385
            cond: (binary 4356..4364 op=gt type=10 ; bool
              (index 4356..4360 type=4 ; float
                (ref 4356..4357 type=5 sym=25) ; p: float *
                (ref 4358..4359 type=6 sym=86)) ; k: int
              (literal 4363..4364 type=6 value=0 text="0")) ; int
            then: (compound 4366..4385
              (goto 4371..4381 text="done")))))
      (label 4389..4412 text="done"
        (assign 4396..4412 type=4 ; float
          (index 4396..4400 type=4 ; float
            (ref 4396..4397 type=5 sym=25) ; p: float *
            (literal 4398..4399 type=6 value=0 text="0")) ; int
          (index 4403..4411 type=4 ; float
            (member 4403..4408 type=11 sym=63 text="v" ; v: float[64]
              base: (ref 4403..4406 type=3 sym=85)) ; acc: tile
            (ref 4409..4410 type=6 sym=26)))))) ; n: int
  (fn 14 kernel name="acts" base="acts" symbol="_Z4actsPfi" file=1 4539..4731 name-at=4555 ret=1 params=27,28 ; void
    (compound 4577..4731
      (decl 4580..4594
        (var 4580..4593 type=3 sym=87 text="acc" ; acc: tile
          (init-list 4591..4593 type=3))) ; tile
      (decl 4596..4609
        (var 4596..4608 type=6 sym=88 text="seen" ; seen: int
          (literal 4607..4608 type=6 value=0 text="0"))) ; int
      (for 4611..4711
        init: (decl 4616..4626
          (var 4616..4625 type=6 sym=89 text="k" ; k: int
            (literal 4624..4625 type=6 value=0 text="0"))) ; int
        cond: (binary 4627..4632 op=lt type=10 ; bool
          (ref 4627..4628 type=6 sym=89) ; k: int
          (ref 4631..4632 type=6 sym=28)) ; n: int
        inc: (unary 4634..4637 op=postinc type=6 ; int
          (ref 4634..4635 type=6 sym=89)) ; k: int
        body: (compound 4639..4711
          (if 4643..4708
            cond: (binary 4647..4657 op=lt type=10 ; bool
              (unary 4647..4653 op=postinc type=6 ; int
                (ref 4647..4651 type=6 sym=88)) ; seen: int
              (literal 4656..4657 type=6 value=4 text="4")) ; int
            then: (compound 4659..4680
              (call 4664..4676 type=1 fn=1 text="add" ; add: void
                (ref 4668..4671 type=3 sym=87) ; acc: tile
                (literal 4673..4674 type=6 value=1 text="1"))) ; int
            else: (compound 4686..4708
              (call 4691..4704 type=1 fn=2 text="turn" ; turn: void
                (ref 4696..4699 type=3 sym=87) ; acc: tile
                (literal 4701..4702 type=6 value=2 text="2")))))) ; int
      (assign 4713..4729 type=4 ; float
        (index 4713..4717 type=4 ; float
          (ref 4713..4714 type=5 sym=27) ; p: float *
          (literal 4715..4716 type=6 value=0 text="0")) ; int
        (index 4720..4728 type=4 ; float
          (member 4720..4725 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 4720..4723 type=3 sym=87)) ; acc: tile
          (ref 4726..4727 type=6 sym=28))))) ; n: int
  (fn 15 kernel name="changes" base="changes" symbol="_Z7changesPfi" file=1 4905..5114 name-at=4921 ret=1 params=29,30 ; void
    (compound 4946..5114
      (decl 4949..4963
        (var 4949..4962 type=3 sym=90 text="acc" ; acc: tile
          (init-list 4960..4962 type=3))) ; tile
      (decl 4965..4979
        (var 4965..4978 type=6 sym=91 text="limit" ; limit: int
          (literal 4977..4978 type=6 value=9 text="9"))) ; int
      (for 4981..5094
        init: (decl 4986..4996
          (var 4986..4995 type=6 sym=92 text="k" ; k: int
            (literal 4994..4995 type=6 value=0 text="0"))) ; int
        cond: (binary 4997..5002 op=lt type=10 ; bool
          (ref 4997..4998 type=6 sym=92) ; k: int
          (ref 5001..5002 type=6 sym=30)) ; n: int
        inc: (unary 5004..5007 op=postinc type=6 ; int
          (ref 5004..5005 type=6 sym=92)) ; k: int
        body: (compound 5009..5094
          (assign 5013..5024 op=sub type=6 ; int
            (ref 5013..5018 type=6 sym=91) ; limit: int
            (ref 5022..5023 type=6 sym=92)) ; k: int
          (if 5027..5091
            cond: (binary 5031..5040 op=lt type=10 ; bool
              (ref 5031..5032 type=6 sym=92) ; k: int
              (ref 5035..5040 type=6 sym=91)) ; limit: int
            then: (compound 5042..5063
              (call 5047..5059 type=1 fn=1 text="add" ; add: void
                (ref 5051..5054 type=3 sym=90) ; acc: tile
                (literal 5056..5057 type=6 value=1 text="1"))) ; int
            else: (compound 5069..5091
              (call 5074..5087 type=1 fn=2 text="turn" ; turn: void
                (ref 5079..5082 type=3 sym=90) ; acc: tile
                (literal 5084..5085 type=6 value=2 text="2")))))) ; int
      (assign 5096..5112 type=4 ; float
        (index 5096..5100 type=4 ; float
          (ref 5096..5097 type=5 sym=29) ; p: float *
          (literal 5098..5099 type=6 value=0 text="0")) ; int
        (index 5103..5111 type=4 ; float
          (member 5103..5108 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 5103..5106 type=3 sym=90)) ; acc: tile
          (ref 5109..5110 type=6 sym=30))))) ; n: int
  (fn 16 kernel name="by_pointer" base="by_pointer" symbol="_Z10by_pointerPfPKfi" file=1 5290..5499 name-at=5306 ret=1 params=31,32,33 ; void
    (compound 5350..5499
      (decl 5353..5367
        (var 5353..5366 type=3 sym=93 text="acc" ; acc: tile
          (init-list 5364..5366 type=3))) ; tile
      (for 5369..5479
        init: (decl 5374..5384
          (var 5374..5383 type=6 sym=94 text="k" ; k: int
            (literal 5382..5383 type=6 value=0 text="0"))) ; int
        cond: (binary 5385..5390 op=lt type=10 ; bool
          (ref 5385..5386 type=6 sym=94) ; k: int
          (ref 5389..5390 type=6 sym=33)) ; n: int
        inc: (unary 5392..5395 op=postinc type=6 ; int
          (ref 5392..5393 type=6 sym=94)) ; k: int
        body: (compound 5397..5479
          (assign 5401..5410 type=4 ; float
            (index 5401..5405 type=4 ; float
              (ref 5401..5402 type=5 sym=31) ; p: float *
              (ref 5403..5404 type=6 sym=94)) ; k: int
            (literal 5408..5409 type=6 value=4 text="4")) ; int
          (if 5413..5476
            cond: (binary 5417..5425 op=gt type=10 ; bool
              (index 5417..5421 type=8 ; const float
                (ref 5417..5418 type=7 sym=32) ; q: const float *
                (ref 5419..5420 type=6 sym=94)) ; k: int
              (literal 5424..5425 type=6 value=3 text="3")) ; int
            then: (compound 5427..5448
              (call 5432..5444 type=1 fn=1 text="add" ; add: void
                (ref 5436..5439 type=3 sym=93) ; acc: tile
                (literal 5441..5442 type=6 value=1 text="1"))) ; int
            else: (compound 5454..5476
              (call 5459..5472 type=1 fn=2 text="turn" ; turn: void
                (ref 5464..5467 type=3 sym=93) ; acc: tile
                (literal 5469..5470 type=6 value=2 text="2")))))) ; int
      (assign 5481..5497 type=4 ; float
        (index 5481..5485 type=4 ; float
          (ref 5481..5482 type=5 sym=31) ; p: float *
          (literal 5483..5484 type=6 value=0 text="0")) ; int
        (index 5488..5496 type=4 ; float
          (member 5488..5493 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 5488..5491 type=3 sym=93)) ; acc: tile
          (ref 5494..5495 type=6 sym=33))))) ; n: int
  (fn 17 kernel name="made_inside" base="made_inside" symbol="_Z11made_insidePfi" file=1 5645..5855 name-at=5661 ret=1 params=34,35 ; void
    (compound 5690..5855
      (decl 5693..5707
        (var 5693..5706 type=3 sym=95 text="acc" ; acc: tile
          (init-list 5704..5706 type=3))) ; tile
      (for 5709..5835
        init: (decl 5714..5724
          (var 5714..5723 type=6 sym=96 text="k" ; k: int
            (literal 5722..5723 type=6 value=0 text="0"))) ; int
        cond: (binary 5725..5730 op=lt type=10 ; bool
          (ref 5725..5726 type=6 sym=96) ; k: int
          (ref 5729..5730 type=6 sym=35)) ; n: int
        inc: (unary 5732..5735 op=postinc type=6 ; int
          (ref 5732..5733 type=6 sym=96)) ; k: int
        body: (compound 5737..5835
          (decl 5741..5765
            (var 5741..5764 type=12 sym=97 text="limit" ; limit: short
              (binary 5755..5764 op=mul type=6 ; int
                (literal 5755..5760 type=6 value=65538 text="65538") ; int
                (ref 5763..5764 type=6 sym=96)))) ; k: int
          (if 5768..5832
            cond: (binary 5772..5781 op=lt type=10 ; bool
              (ref 5772..5773 type=6 sym=96) ; k: int
              (ref 5776..5781 type=12 sym=97)) ; limit: short
            then: (compound 5783..5804
              (call 5788..5800 type=1 fn=1 text="add" ; add: void
                (ref 5792..5795 type=3 sym=95) ; acc: tile
                (literal 5797..5798 type=6 value=1 text="1"))) ; int
            else: (compound 5810..5832
              (call 5815..5828 type=1 fn=2 text="turn" ; turn: void
                (ref 5820..5823 type=3 sym=95) ; acc: tile
                (literal 5825..5826 type=6 value=2 text="2")))))) ; int
      (assign 5837..5853 type=4 ; float
        (index 5837..5841 type=4 ; float
          (ref 5837..5838 type=5 sym=34) ; p: float *
          (literal 5839..5840 type=6 value=0 text="0")) ; int
        (index 5844..5852 type=4 ; float
          (member 5844..5849 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 5844..5847 type=3 sym=95)) ; acc: tile
          (ref 5850..5851 type=6 sym=35))))) ; n: int
  (fn 18 kernel name="hidden" base="hidden" symbol="_Z6hiddenPfi" file=1 5995..6211 name-at=6011 ret=1 params=36,37 ; void
    (compound 6035..6211
      (decl 6038..6052
        (var 6038..6051 type=3 sym=98 text="acc" ; acc: tile
          (init-list 6049..6051 type=3))) ; tile
      (for 6054..6191
        init: (decl 6059..6069
          (var 6059..6068 type=6 sym=99 text="k" ; k: int
            (literal 6067..6068 type=6 value=0 text="0"))) ; int
        cond: (binary 6070..6075 op=lt type=10 ; bool
          (ref 6070..6071 type=6 sym=99) ; k: int
          (ref 6074..6075 type=6 sym=37)) ; n: int
        inc: (unary 6077..6080 op=postinc type=6 ; int
          (ref 6077..6078 type=6 sym=99)) ; k: int
        body: (compound 6082..6191
          (decl 6086..6109
            (var 6086..6108 type=13 sym=100 text="step" ; step: float[2]
              (init-list 6102..6108 type=13 ; float[2]
                (literal 6103..6104 type=6 value=1 text="1") ; int
                (literal 6106..6107 type=6 value=2 text="2")))) ; int
          (if 6112..6188
            cond: (binary 6116..6137 op=lt type=10 ; bool
              (ref 6116..6117 type=6 sym=99) ; k: int
              (cast 6120..6137 type=6 ; int
                (sizeof 6125..6137 type=14 value=8 text="sizeof(step)"))) ; unsigned long
            then: (compound 6139..6160
              (call 6144..6156 type=1 fn=1 text="add" ; add: void
                (ref 6148..6151 type=3 sym=98) ; acc: tile
                (literal 6153..6154 type=6 value=1 text="1"))) ; int
            else: (compound 6166..6188
              (call 6171..6184 type=1 fn=2 text="turn" ; turn: void
                (ref 6176..6179 type=3 sym=98) ; acc: tile
                (literal 6181..6182 type=6 value=2 text="2")))))) ; int
      (assign 6193..6209 type=4 ; float
        (index 6193..6197 type=4 ; float
          (ref 6193..6194 type=5 sym=36) ; p: float *
          (literal 6195..6196 type=6 value=0 text="0")) ; int
        (index 6200..6208 type=4 ; float
          (member 6200..6205 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 6200..6203 type=3 sym=98)) ; acc: tile
          (ref 6206..6207 type=6 sym=37))))) ; n: int
  (fn 19 kernel name="loop_acts" base="loop_acts" symbol="_Z9loop_actsPfi" file=1 6348..6525 name-at=6364 ret=1 params=38,39 ; void
    (compound 6391..6525
      (decl 6394..6408
        (var 6394..6407 type=3 sym=101 text="acc" ; acc: tile
          (init-list 6405..6407 type=3))) ; tile
      (decl 6410..6420
        (var 6410..6419 type=6 sym=102 text="k" ; k: int
          (literal 6418..6419 type=6 value=0 text="0"))) ; int
      (while 6422..6505
        cond: (binary 6429..6436 op=lt type=10 ; bool
          (unary 6429..6432 op=postinc type=6 ; int
            (ref 6429..6430 type=6 sym=102)) ; k: int
          (ref 6435..6436 type=6 sym=39)) ; n: int
        body: (compound 6438..6505
          (if 6442..6502
            cond: (binary 6446..6451 op=lt type=10 ; bool
              (ref 6446..6447 type=6 sym=102) ; k: int
              (literal 6450..6451 type=6 value=4 text="4")) ; int
            then: (compound 6453..6474
              (call 6458..6470 type=1 fn=1 text="add" ; add: void
                (ref 6462..6465 type=3 sym=101) ; acc: tile
                (literal 6467..6468 type=6 value=1 text="1"))) ; int
            else: (compound 6480..6502
              (call 6485..6498 type=1 fn=2 text="turn" ; turn: void
                (ref 6490..6493 type=3 sym=101) ; acc: tile
                (literal 6495..6496 type=6 value=2 text="2")))))) ; int
      (assign 6507..6523 type=4 ; float
        (index 6507..6511 type=4 ; float
          (ref 6507..6508 type=5 sym=38) ; p: float *
          (literal 6509..6510 type=6 value=0 text="0")) ; int
        (index 6514..6522 type=4 ; float
          (member 6514..6519 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 6514..6517 type=3 sym=101)) ; acc: tile
          (ref 6520..6521 type=6 sym=39))))) ; n: int
  (fn 20 kernel name="shared" base="shared" symbol="_Z6sharedPfi" file=1 6656..6883 name-at=6672 ret=1 params=40,41 ; void
    (compound 6696..6883
      (decl 6699..6713
        (var 6699..6712 type=3 sym=103 text="acc" ; acc: tile
          (init-list 6710..6712 type=3))) ; tile
      (for 6715..6863
        init: (decl 6720..6730
          (var 6720..6729 type=6 sym=104 text="k" ; k: int
            (literal 6728..6729 type=6 value=0 text="0"))) ; int
        cond: (binary 6731..6736 op=lt type=10 ; bool
          (ref 6731..6732 type=6 sym=104) ; k: int
          (ref 6735..6736 type=6 sym=41)) ; n: int
        inc: (unary 6738..6741 op=postinc type=6 ; int
          (ref 6738..6739 type=6 sym=104)) ; k: int
        body: (compound 6743..6863
          (decl 6747..6773 macro
            (var 6747..6772 type=11 sym=105 macro text="held")) ; held: float[64]
          (if 6776..6842
            cond: (binary 6780..6785 op=lt type=10 ; bool
              (ref 6780..6781 type=6 sym=104) ; k: int
              (literal 6784..6785 type=6 value=4 text="4")) ; int
            then: (compound 6787..6814
              (call 6792..6810 type=1 fn=1 text="add" ; add: void
                (ref 6796..6799 type=3 sym=103) ; acc: tile
                (index 6801..6808 type=4 ; float
                  (ref 6801..6805 type=11 sym=105) ; held: float[64]
                  (ref 6806..6807 type=6 sym=104)))) ; k: int
            else: (compound 6820..6842
              (call 6825..6838 type=1 fn=2 text="turn" ; turn: void
                (ref 6830..6833 type=3 sym=103) ; acc: tile
                (literal 6835..6836 type=6 value=2 text="2")))) ; int
          (assign 6845..6860 type=4 ; float
            (index 6845..6852 type=4 ; float
              (ref 6845..6849 type=11 sym=105) ; held: float[64]
              (ref 6850..6851 type=6 sym=104)) ; k: int
            (index 6855..6859 type=4 ; float
              (ref 6855..6856 type=5 sym=40) ; p: float *
              (ref 6857..6858 type=6 sym=104))))) ; k: int
      (assign 6865..6881 type=4 ; float
        (index 6865..6869 type=4 ; float
          (ref 6865..6866 type=5 sym=40) ; p: float *
          (literal 6867..6868 type=6 value=0 text="0")) ; int
        (index 6872..6880 type=4 ; float
          (member 6872..6877 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 6872..6875 type=3 sym=103)) ; acc: tile
          (ref 6878..6879 type=6 sym=41))))) ; n: int
  (fn 21 kernel name="shared_in_lambda" base="shared_in_lambda" symbol="_Z16shared_in_lambdaPfi" file=1 7024..7340 name-at=7040 ret=1 params=42,43 ; void
    (compound 7074..7340
      (decl 7077..7091
        (var 7077..7090 type=3 sym=106 text="acc" ; acc: tile
          (init-list 7088..7090 type=3))) ; tile
      (for 7093..7320
        init: (decl 7098..7108
          (var 7098..7107 type=6 sym=107 text="k" ; k: int
            (literal 7106..7107 type=6 value=0 text="0"))) ; int
        cond: (binary 7109..7114 op=lt type=10 ; bool
          (ref 7109..7110 type=6 sym=107) ; k: int
          (ref 7113..7114 type=6 sym=43)) ; n: int
        inc: (unary 7116..7119 op=postinc type=6 ; int
          (ref 7116..7117 type=6 sym=107)) ; k: int
        body: (compound 7121..7320
          (decl 7125..7233
            (var 7125..7232 type=15 sym=108 text="hold" ; hold: (lambda at tests/golden/split/refused.hip:344:15)
              (lambda 7137..7232 type=15))) ; (lambda at tests/golden/split/refused.hip:344:15)
          (assign 7236..7254 type=4 ; float
            (index 7236..7240 type=4 ; float
              (ref 7236..7237 type=5 sym=42) ; p: float *
              (ref 7238..7239 type=6 sym=107)) ; k: int
            (call 7243..7253 op=other type=4 fn=30 method operator text="operator()" ; lambda in shared_in_lambda: float
              (ref 7243..7247 type=15 sym=108) ; hold: (lambda at tests/golden/split/refused.hip:344:15)
              (index 7248..7252 type=4 ; float
                (ref 7248..7249 type=5 sym=42) ; p: float *
                (ref 7250..7251 type=6 sym=107)))) ; k: int
          (if 7257..7317
            cond: (binary 7261..7266 op=lt type=10 ; bool
              (ref 7261..7262 type=6 sym=107) ; k: int
              (literal 7265..7266 type=6 value=4 text="4")) ; int
            then: (compound 7268..7289
              (call 7273..7285 type=1 fn=1 text="add" ; add: void
                (ref 7277..7280 type=3 sym=106) ; acc: tile
                (literal 7282..7283 type=6 value=1 text="1"))) ; int
            else: (compound 7295..7317
              (call 7300..7313 type=1 fn=2 text="turn" ; turn: void
                (ref 7305..7308 type=3 sym=106) ; acc: tile
                (literal 7310..7311 type=6 value=2 text="2")))))) ; int
      (assign 7322..7338 type=4 ; float
        (index 7322..7326 type=4 ; float
          (ref 7322..7323 type=5 sym=42) ; p: float *
          (literal 7324..7325 type=6 value=0 text="0")) ; int
        (index 7329..7337 type=4 ; float
          (member 7329..7334 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 7329..7332 type=3 sym=106)) ; acc: tile
          (ref 7335..7336 type=6 sym=43))))) ; n: int
  (fn 22 kernel name="asm_label" base="asm_label" symbol="_Z9asm_labelPfi" file=1 7464..7674 name-at=7480 ret=1 params=44,45 ; void
    (compound 7507..7674
      (decl 7510..7524
        (var 7510..7523 type=3 sym=110 text="acc" ; acc: tile
          (init-list 7521..7523 type=3))) ; tile
      (for 7526..7654
        init: (decl 7531..7541
          (var 7531..7540 type=6 sym=111 text="k" ; k: int
            (literal 7539..7540 type=6 value=0 text="0"))) ; int
        cond: (binary 7542..7547 op=lt type=10 ; bool
          (ref 7542..7543 type=6 sym=111) ; k: int
          (ref 7546..7547 type=6 sym=45)) ; n: int
        inc: (unary 7549..7552 op=postinc type=6 ; int
          (ref 7549..7550 type=6 sym=111)) ; k: int
        body: (compound 7554..7654
          (if 7558..7618
            cond: (binary 7562..7567 op=lt type=10 ; bool
              (ref 7562..7563 type=6 sym=111) ; k: int
              (literal 7566..7567 type=6 value=4 text="4")) ; int
            then: (compound 7569..7590
              (call 7574..7586 type=1 fn=1 text="add" ; add: void
                (ref 7578..7581 type=3 sym=110) ; acc: tile
                (literal 7583..7584 type=6 value=1 text="1"))) ; int
            else: (compound 7596..7618
              (call 7601..7614 type=1 fn=2 text="turn" ; turn: void
                (ref 7606..7609 type=3 sym=110) ; acc: tile
                (literal 7611..7612 type=6 value=2 text="2")))) ; int
          (asm 7621..7651 text="asm volatile(\"here: s_nop 0\");")))
      (assign 7656..7672 type=4 ; float
        (index 7656..7660 type=4 ; float
          (ref 7656..7657 type=5 sym=44) ; p: float *
          (literal 7658..7659 type=6 value=0 text="0")) ; int
        (index 7663..7671 type=4 ; float
          (member 7663..7668 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 7663..7666 type=3 sym=110)) ; acc: tile
          (ref 7669..7670 type=6 sym=45))))) ; n: int
  (fn 23 kernel name="barrier" base="barrier" symbol="_Z7barrierPfi" file=1 7831..8053 name-at=7847 ret=1 params=46,47 ; void
    (compound 7872..8053
      (decl 7875..7889
        (var 7875..7888 type=3 sym=112 text="acc" ; acc: tile
          (init-list 7886..7888 type=3))) ; tile
      (for 7891..8033
        init: (decl 7896..7906
          (var 7896..7905 type=6 sym=113 text="k" ; k: int
            (literal 7904..7905 type=6 value=0 text="0"))) ; int
        cond: (binary 7907..7912 op=lt type=10 ; bool
          (ref 7907..7908 type=6 sym=113) ; k: int
          (ref 7911..7912 type=6 sym=47)) ; n: int
        inc: (unary 7914..7917 op=postinc type=6 ; int
          (ref 7914..7915 type=6 sym=113)) ; k: int
        body: (compound 7919..8033
          (call 7923..7952 type=1 fn=31 text="__builtin_amdgcn_s_barrier") ; __builtin_amdgcn_s_barrier: void
          (if 7955..8030
            cond: (binary 7959..7979 op=lt type=10 ; bool
              (ref 7959..7960 type=6 sym=113) ; k: int
              (cast 7963..7979 type=6 ; int
                (member 7968..7979 type=16 text="x" ; const unsigned int
                  base: (ref 7968..7977 type=17 sym=114)))) ; threadIdx: const dim
            then: (compound 7981..8002
              (call 7986..7998 type=1 fn=1 text="add" ; add: void
                (ref 7990..7993 type=3 sym=112) ; acc: tile
                (literal 7995..7996 type=6 value=1 text="1"))) ; int
            else: (compound 8008..8030
              (call 8013..8026 type=1 fn=2 text="turn" ; turn: void
                (ref 8018..8021 type=3 sym=112) ; acc: tile
                (literal 8023..8024 type=6 value=2 text="2")))))) ; int
      (assign 8035..8051 type=4 ; float
        (index 8035..8039 type=4 ; float
          (ref 8035..8036 type=5 sym=46) ; p: float *
          (literal 8037..8038 type=6 value=0 text="0")) ; int
        (index 8042..8050 type=4 ; float
          (member 8042..8047 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 8042..8045 type=3 sym=112)) ; acc: tile
          (ref 8048..8049 type=6 sym=47))))) ; n: int
  (fn 24 kernel name="cross_lane" base="cross_lane" symbol="_Z10cross_lanePfi" file=1 8226..8467 name-at=8242 ret=1 params=48,49 ; void
    (compound 8270..8467
      (decl 8273..8287
        (var 8273..8286 type=3 sym=115 text="acc" ; acc: tile
          (init-list 8284..8286 type=3))) ; tile
      (for 8289..8447
        init: (decl 8294..8304
          (var 8294..8303 type=6 sym=116 text="k" ; k: int
            (literal 8302..8303 type=6 value=0 text="0"))) ; int
        cond: (binary 8305..8310 op=lt type=10 ; bool
          (ref 8305..8306 type=6 sym=116) ; k: int
          (ref 8309..8310 type=6 sym=49)) ; n: int
        inc: (unary 8312..8315 op=postinc type=6 ; int
          (ref 8312..8313 type=6 sym=116)) ; k: int
        body: (compound 8317..8447
          (if 8321..8396
            cond: (binary 8325..8345 op=lt type=10 ; bool
              (ref 8325..8326 type=6 sym=116) ; k: int
              (cast 8329..8345 type=6 ; int
                (member 8334..8345 type=16 text="x" ; const unsigned int
                  base: (ref 8334..8343 type=17 sym=114)))) ; threadIdx: const dim
            then: (compound 8347..8368
              (call 8352..8364 type=1 fn=1 text="add" ; add: void
                (ref 8356..8359 type=3 sym=115) ; acc: tile
                (literal 8361..8362 type=6 value=1 text="1"))) ; int
            else: (compound 8374..8396
              (call 8379..8392 type=1 fn=2 text="turn" ; turn: void
                (ref 8384..8387 type=3 sym=115) ; acc: tile
                (literal 8389..8390 type=6 value=2 text="2")))) ; int
          (call 8399..8444 type=1 fn=1 text="add" ; add: void
            (ref 8403..8406 type=3 sym=115) ; acc: tile
            (call 8408..8442 type=6 fn=32 text="__builtin_amdgcn_ds_bpermute" ; __builtin_amdgcn_ds_bpermute: int
              (literal 8437..8438 type=6 value=4 text="4") ; int
              (ref 8440..8441 type=6 sym=116))))) ; k: int
      (assign 8449..8465 type=4 ; float
        (index 8449..8453 type=4 ; float
          (ref 8449..8450 type=5 sym=48) ; p: float *
          (literal 8451..8452 type=6 value=0 text="0")) ; int
        (index 8456..8464 type=4 ; float
          (member 8456..8461 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 8456..8459 type=3 sym=115)) ; acc: tile
          (ref 8462..8463 type=6 sym=49))))) ; n: int
  (fn 25 kernel name="atomic" base="atomic" symbol="_Z6atomicPfPii" file=1 8634..8885 name-at=8650 ret=1 params=50,51,52 ; void
    (compound 8686..8885
      (decl 8689..8703
        (var 8689..8702 type=3 sym=119 text="acc" ; acc: tile
          (init-list 8700..8702 type=3))) ; tile
      (for 8705..8865
        init: (decl 8710..8720
          (var 8710..8719 type=6 sym=120 text="k" ; k: int
            (literal 8718..8719 type=6 value=0 text="0"))) ; int
        cond: (binary 8721..8726 op=lt type=10 ; bool
          (ref 8721..8722 type=6 sym=120) ; k: int
          (ref 8725..8726 type=6 sym=52)) ; n: int
        inc: (unary 8728..8731 op=postinc type=6 ; int
          (ref 8728..8729 type=6 sym=120)) ; k: int
        body: (compound 8733..8865
          (if 8737..8812
            cond: (binary 8741..8761 op=lt type=10 ; bool
              (ref 8741..8742 type=6 sym=120) ; k: int
              (cast 8745..8761 type=6 ; int
                (member 8750..8761 type=16 text="x" ; const unsigned int
                  base: (ref 8750..8759 type=17 sym=114)))) ; threadIdx: const dim
            then: (compound 8763..8784
              (call 8768..8780 type=1 fn=1 text="add" ; add: void
                (ref 8772..8775 type=3 sym=119) ; acc: tile
                (literal 8777..8778 type=6 value=1 text="1"))) ; int
            else: (compound 8790..8812
              (call 8795..8808 type=1 fn=2 text="turn" ; turn: void
                (ref 8800..8803 type=3 sym=119) ; acc: tile
                (literal 8805..8806 type=6 value=2 text="2")))) ; int
          (expr-unknown 8815..8862 type=6 ; int
            (ref 8834..8839 type=9 sym=51) ; count: int *
            (literal 8844..8860 type=6 value=0 macro text="") ; int
            (literal 8841..8842 type=6 value=1 text="1")))) ; int
      (assign 8867..8883 type=4 ; float
        (index 8867..8871 type=4 ; float
          (ref 8867..8868 type=5 sym=50) ; p: float *
          (literal 8869..8870 type=6 value=0 text="0")) ; int
        (index 8874..8882 type=4 ; float
          (member 8874..8879 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 8874..8877 type=3 sym=119)) ; acc: tile
          (ref 8880..8881 type=6 sym=52))))) ; n: int
  (fn 26 kernel name="product_before" base="product_before" symbol="_Z14product_beforePfi" file=1 9087..9304 name-at=9103 ret=1 params=53,54 ; void
    (compound 9135..9304
      (decl 9138..9152
        (var 9138..9151 type=3 sym=121 text="acc" ; acc: tile
          (init-list 9149..9151 type=3))) ; tile
      (for 9154..9284
        init: (decl 9159..9169
          (var 9159..9168 type=6 sym=122 text="k" ; k: int
            (literal 9167..9168 type=6 value=0 text="0"))) ; int
        cond: (binary 9170..9175 op=lt type=10 ; bool
          (ref 9170..9171 type=6 sym=122) ; k: int
          (ref 9174..9175 type=6 sym=54)) ; n: int
        inc: (unary 9177..9180 op=postinc type=6 ; int
          (ref 9177..9178 type=6 sym=122)) ; k: int
        body: (compound 9182..9284
          (decl 9186..9218
            (var 9186..9217 type=8 sym=123 text="x" ; x: const float
              (binary 9202..9217 op=mul type=4 ; float
                (index 9202..9206 type=4 ; float
                  (ref 9202..9203 type=5 sym=53) ; p: float *
                  (ref 9204..9205 type=6 sym=122)) ; k: int
                (index 9209..9217 type=4 ; float
                  (ref 9209..9210 type=5 sym=53) ; p: float *
                  (binary 9211..9216 op=add type=6 ; int
                    (ref 9211..9212 type=6 sym=122) ; k: int
                    (literal 9215..9216 type=6 value=1 text="1")))))) ; int
          (if 9221..9281
            cond: (binary 9225..9230 op=lt type=10 ; bool
              (ref 9225..9226 type=6 sym=122) ; k: int
              (literal 9229..9230 type=6 value=4 text="4")) ; int
            then: (compound 9232..9253
              (call 9237..9249 type=1 fn=1 text="add" ; add: void
                (ref 9241..9244 type=3 sym=121) ; acc: tile
                (ref 9246..9247 type=8 sym=123))) ; x: const float
            else: (compound 9259..9281
              (call 9264..9277 type=1 fn=2 text="turn" ; turn: void
                (ref 9269..9272 type=3 sym=121) ; acc: tile
                (literal 9274..9275 type=6 value=2 text="2")))))) ; int
      (assign 9286..9302 type=4 ; float
        (index 9286..9290 type=4 ; float
          (ref 9286..9287 type=5 sym=53) ; p: float *
          (literal 9288..9289 type=6 value=0 text="0")) ; int
        (index 9293..9301 type=4 ; float
          (member 9293..9298 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 9293..9296 type=3 sym=121)) ; acc: tile
          (ref 9299..9300 type=6 sym=54))))) ; n: int
  (fn 27 kernel name="product_around" base="product_around" symbol="_Z14product_aroundPfi" file=1 9508..9751 name-at=9524 ret=1 params=55,56 ; void
    (compound 9556..9751
      (decl 9559..9573
        (var 9559..9572 type=3 sym=124 text="acc" ; acc: tile
          (init-list 9570..9572 type=3))) ; tile
      (for 9575..9731
        init: (decl 9580..9590
          (var 9580..9589 type=6 sym=125 text="k" ; k: int
            (literal 9588..9589 type=6 value=0 text="0"))) ; int
        cond: (binary 9591..9596 op=lt type=10 ; bool
          (ref 9591..9592 type=6 sym=125) ; k: int
          (ref 9595..9596 type=6 sym=56)) ; n: int
        inc: (unary 9598..9601 op=postinc type=6 ; int
          (ref 9598..9599 type=6 sym=125)) ; k: int
        body: (compound 9603..9731
          (if 9607..9728
            cond: (binary 9611..9616 op=lt type=10 ; bool
              (ref 9611..9612 type=6 sym=125) ; k: int
              (literal 9615..9616 type=6 value=4 text="4")) ; int
            then: (compound 9618..9700
              (call 9623..9635 type=1 fn=1 text="add" ; add: void
                (ref 9627..9630 type=3 sym=124) ; acc: tile
                (literal 9632..9633 type=6 value=1 text="1")) ; int
              (for 9639..9696
                init: (decl 9644..9654
                  (var 9644..9653 type=6 sym=126 text="i" ; i: int
                    (literal 9652..9653 type=6 value=0 text="0"))) ; int
                cond: (binary 9655..9661 op=lt type=10 ; bool
                  (ref 9655..9656 type=6 sym=126) ; i: int
                  (literal 9659..9661 type=6 value=64 text="64")) ; int
                inc: (unary 9663..9666 op=postinc type=6 ; int
                  (ref 9663..9664 type=6 sym=126)) ; i: int
                body: (compound 9668..9696
                  (assign 9674..9691 op=mul type=4 ; float
                    (index 9674..9682 type=4 ; float
                      (member 9674..9679 type=11 sym=63 text="v" ; v: float[64]
                        base: (ref 9674..9677 type=3 sym=124)) ; acc: tile
                      (ref 9680..9681 type=6 sym=126)) ; i: int
                    (index 9686..9690 type=4 ; float
                      (ref 9686..9687 type=5 sym=55) ; p: float *
                      (ref 9688..9689 type=6 sym=125)))))) ; k: int
            else: (compound 9706..9728
              (call 9711..9724 type=1 fn=2 text="turn" ; turn: void
                (ref 9716..9719 type=3 sym=124) ; acc: tile
                (literal 9721..9722 type=6 value=2 text="2")))))) ; int
      (assign 9733..9749 type=4 ; float
        (index 9733..9737 type=4 ; float
          (ref 9733..9734 type=5 sym=55) ; p: float *
          (literal 9735..9736 type=6 value=0 text="0")) ; int
        (index 9740..9748 type=4 ; float
          (member 9740..9745 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 9740..9743 type=3 sym=124)) ; acc: tile
          (ref 9746..9747 type=6 sym=56))))) ; n: int
  (fn 28 kernel name="float_condition" base="float_condition" symbol="_Z15float_conditionPffi" file=1 9936..10136 name-at=9952 ret=1 params=57,58,59 ; void
    (compound 9994..10136
      (decl 9997..10011
        (var 9997..10010 type=3 sym=127 text="acc" ; acc: tile
          (init-list 10008..10010 type=3))) ; tile
      (for 10013..10116
        init: (decl 10018..10028
          (var 10018..10027 type=6 sym=128 text="k" ; k: int
            (literal 10026..10027 type=6 value=0 text="0"))) ; int
        cond: (binary 10029..10034 op=lt type=10 ; bool
          (ref 10029..10030 type=6 sym=128) ; k: int
          (ref 10033..10034 type=6 sym=59)) ; n: int
        inc: (unary 10036..10039 op=postinc type=6 ; int
          (ref 10036..10037 type=6 sym=128)) ; k: int
        body: (compound 10041..10116
          (if 10045..10113
            cond: (binary 10049..10062 op=lt type=10 ; bool
              (binary 10049..10058 op=add type=4 ; float
                (binary 10049..10054 op=mul type=4 ; float
                  (ref 10049..10050 type=6 sym=128) ; k: int
                  (ref 10053..10054 type=4 sym=58)) ; x: float
                (literal 10057..10058 type=6 value=1 text="1")) ; int
              (literal 10061..10062 type=6 value=4 text="4")) ; int
            then: (compound 10064..10085
              (call 10069..10081 type=1 fn=1 text="add" ; add: void
                (ref 10073..10076 type=3 sym=127) ; acc: tile
                (literal 10078..10079 type=6 value=1 text="1"))) ; int
            else: (compound 10091..10113
              (call 10096..10109 type=1 fn=2 text="turn" ; turn: void
                (ref 10101..10104 type=3 sym=127) ; acc: tile
                (literal 10106..10107 type=6 value=2 text="2")))))) ; int
      (assign 10118..10134 type=4 ; float
        (index 10118..10122 type=4 ; float
          (ref 10118..10119 type=5 sym=57) ; p: float *
          (literal 10120..10121 type=6 value=0 text="0")) ; int
        (index 10125..10133 type=4 ; float
          (member 10125..10130 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 10125..10128 type=3 sym=127)) ; acc: tile
          (ref 10131..10132 type=6 sym=59))))) ; n: int
  (fn 29 kernel name="long_body" base="long_body" symbol="_Z9long_bodyPfi" file=1 10266..10453 name-at=10282 ret=1 params=60,61 ; void
    (compound 10309..10453
      (decl 10312..10326
        (var 10312..10325 type=3 sym=129 text="acc" ; acc: tile
          (init-list 10323..10325 type=3))) ; tile
      (for 10328..10433
        init: (decl 10333..10343
          (var 10333..10342 type=6 sym=130 text="k" ; k: int
            (literal 10341..10342 type=6 value=0 text="0"))) ; int
        cond: (binary 10344..10349 op=lt type=10 ; bool
          (ref 10344..10345 type=6 sym=130) ; k: int
          (ref 10348..10349 type=6 sym=61)) ; n: int
        inc: (unary 10351..10354 op=postinc type=6 ; int
          (ref 10351..10352 type=6 sym=130)) ; k: int
        body: (compound 10356..10433
          (if 10360..10420
            cond: (binary 10364..10369 op=lt type=10 ; bool
              (ref 10364..10365 type=6 sym=130) ; k: int
              (literal 10368..10369 type=6 value=4 text="4")) ; int
            then: (compound 10371..10392
              (call 10376..10388 type=1 fn=1 text="add" ; add: void
                (ref 10380..10383 type=3 sym=129) ; acc: tile
                (literal 10385..10386 type=6 value=1 text="1"))) ; int
            else: (compound 10398..10420
              (call 10403..10416 type=1 fn=2 text="turn" ; turn: void
                (ref 10408..10411 type=3 sym=129) ; acc: tile
                (literal 10413..10414 type=6 value=2 text="2")))))) ; int
      (assign 10435..10451 type=4 ; float
        (index 10435..10439 type=4 ; float
          (ref 10435..10436 type=5 sym=60) ; p: float *
          (literal 10437..10438 type=6 value=0 text="0")) ; int
        (index 10442..10450 type=4 ; float
          (member 10442..10447 type=11 sym=63 text="v" ; v: float[64]
            base: (ref 10442..10445 type=3 sym=129)) ; acc: tile
          (ref 10448..10449 type=6 sym=61))))) ; n: int
  (fn 30 device name="lambda in shared_in_lambda" base="operator()" symbol="_ZZ16shared_in_lambdaPfiENKUlfE_clEf" file=1 7148..7232 name-at=7148 ret=4 params=109 lambda method const ; float
    (compound 7150..7232
      (decl 7155..7177 macro
        (var 7155..7176 type=4 sym=131 macro text="held")) ; held: float
      (decl 7181..7199
        (var 7181..7198 type=4 sym=132 text="last" ; last: float
          (ref 7194..7198 type=4 sym=131))) ; held: float
      (assign 7203..7212 type=4 ; float
        (ref 7203..7207 type=4 sym=131) ; held: float
        (ref 7210..7211 type=4 sym=109)) ; x: float
      (return 7216..7228
        (ref 7223..7227 type=4 sym=132)))) ; last: float
  (fn 31 device name="__builtin_amdgcn_s_barrier" base="__builtin_amdgcn_s_barrier" symbol="__builtin_amdgcn_s_barrier" file=1 7923..7949 name-at=7923 ret=1) ; void
  (fn 32 device name="__builtin_amdgcn_ds_bpermute" base="__builtin_amdgcn_ds_bpermute" symbol="__builtin_amdgcn_ds_bpermute" file=1 8408..8436 name-at=8408 ret=6 params=117,118)) ; int
