(unit target="gfx90a"
  (file 1 path="tests/golden/verify/init.hip" main
    "// A first spec from the parameters, which verify then takes as it is.\n"
    "//\n"
    "// REQUIRES: clang19\n"
    "// RUN: rm -rf %t && mkdir %t && cp %s %t/k.hip\n"
    "// RUN: %unphi verify --init %t/k.hip --target gfx90a\n"
    "// RUN: %FileCheck %s < %t/k.verify.yaml\n"
    "// RUN: %unphi verify %t/k.hip %t/k.hip | %FileCheck %s --check-prefix RUNS\n"
    "// RUNS: 2 of 2 cases equal\n"
    "\n"
    "#include <hip/hip_runtime.h>\n"
    "\n"
    "typedef float f32x4 __attribute__((ext_vector_type(4)));\n"
    "\n"
    "enum class mode { plain, scaled };\n"
    "\n"
    "struct size {\n"
    "\tint rows;\n"
    "\tint cols;\n"
    "};\n"
    "\n"
    "namespace mine\n"
    "{\n"
    "template <int N>\n"
    "__global__ void copy(float *to, const f32x4 *from, const int *order, size s, mode m, bool all)\n"
    "{\n"
    "\tto[threadIdx.x] = from[0][N] + order[0] + s.rows + (m == mode::scaled) + all;\n"
    "}\n"
    "} // namespace mine\n"
    "\n"
    "__global__ void touch(_Float16 *h, unsigned n)\n"
    "{\n"
    "\th[0] = n;\n"
    "}\n"
    "\n"
    "void run(float *to)\n"
    "{\n"
    "\tmine::copy<3><<<1, 64>>>(to, nullptr, nullptr, size{1, 2}, mode::plain, true);\n"
    "}\n"
    "\n"
    "// CHECK: targets: [gfx90a]\n"
    "// CHECK-NEXT: kernels:\n"
    "// CHECK-DAG: - kernel: \"touch\"\n"
    "// CHECK-DAG: h: {type: f16, length: 4096, fill: poison} # _Float16\n"
    "// CHECK-DAG: - kernel: \"mine::copy<3>\"\n"
    "// CHECK-DAG: to: {type: f32, length: 4096, fill: poison} # float\n"
    "// CHECK-DAG: from: {type: f32, length: 4096, fill: {random: [-1, 1]}} # const f32x4\n"
    "// CHECK-DAG: order: {type: i32, length: 4096, fill: zeros} # const int\n"
    "// CHECK-DAG: s: {bytes: [0, 0, 0, 0, 0, 0, 0, 0]} # size\n"
    "// CHECK-DAG: m: {bytes: [0, 0, 0, 0]} # mode\n"
    "// CHECK-DAG: all: true\n")
  (file 2 path="/usr/include/hip/amd_detail/amd_hip_runtime.h" system)
  (type 1 void name="void" canon="void")
  (type 2 pointer size=8 elem=3 trivial name="_Float16 *" canon="_Float16 *")
  (type 3 float size=2 trivial name="_Float16" canon="_Float16")
  (type 4 int size=4 trivial name="unsigned int" canon="unsigned int")
  (type 5 pointer size=8 elem=6 trivial name="float *" canon="float *")
  (type 6 float size=4 trivial name="float" canon="float")
  (type 7 int size=4 trivial name="int" canon="int")
  (type 8 pointer size=8 elem=9 trivial name="const f32x4 *" canon="float const * __attribute__((ext_vector_type(4)))")
  (type 9 vector size=16 count=4 elem=6 const trivial name="const f32x4" canon="float const __attribute__((ext_vector_type(4)))")
  (type 10 pointer size=8 elem=11 trivial name="const int *" canon="const int *")
  (type 11 int size=4 const trivial name="const int" canon="const int")
  (type 12 record size=8 trivial name="size" canon="size")
  (type 13 int size=4 trivial name="mode" canon="mode")
  (type 14 bool size=1 trivial name="bool" canon="bool")
  (type 15 int size=4 trivial name="R" canon="unsigned int")
  (type 16 record size=1 const trivial name="const __HIP_Coordinates<__HIP_ThreadIdx>" canon="const __HIP_Coordinates<__HIP_ThreadIdx>")
  (type 17 float size=4 const trivial name="const float" canon="const float")
  (sym 1 param type=2 fn=1 file=1 at=772 name="h") ; _Float16 *
  (sym 2 param type=4 fn=1 file=1 at=784 name="n") ; unsigned int
  (sym 3 param type=5 fn=2 file=1 at=819 name="to") ; float *
  (sym 4 param type=5 fn=3 file=1 at=569 name="to") ; float *
  (sym 5 param type=8 fn=3 file=1 at=586 name="from") ; const f32x4 *
  (sym 6 param type=10 fn=3 file=1 at=603 name="order") ; const int *
  (sym 7 param type=12 fn=3 file=1 at=615 name="s") ; size
  (sym 8 param type=13 fn=3 file=1 at=623 name="m") ; mode
  (sym 9 param type=14 fn=3 file=1 at=631 name="all") ; bool
  (sym 10 global space=constant static type=16 file=2 at=12058 name="threadIdx") ; const __HIP_Coordinates<__HIP_ThreadIdx>
  (sym 11 field type=7 file=1 at=486 name="rows") ; int
  (sym 12 const space=constant type=13 file=1 at=456 name="scaled") ; mode
  (fn 1 kernel name="touch" base="touch" symbol="_Z5touchPDF16_j" file=1 740..801 name-at=756 ret=1 params=1,2 ; void
    (compound 787..801
      (assign 790..799 type=3 ; _Float16
        (index 790..794 type=3 ; _Float16
          (ref 790..791 type=2 sym=1) ; h: _Float16 *
          (literal 792..793 type=7 value=0 text="0")) ; int
        (ref 797..798 type=4 sym=2)))) ; n: unsigned int
  (fn 2 host name="run" base="run" symbol="_Z3runPf" file=1 803..906 name-at=808 ret=1 params=3) ; void
  (fn 3 kernel name="mine::copy<3>" base="copy" symbol="_ZN4mine4copyILi3EEEvPfPKDv4_fPKi4size4modeb" file=1 541..718 name-at=557 ret=1 params=4,5,6,7,8,9 ; void
    (compound 636..718
      (assign 639..716 type=6 ; float
        (index 639..654 type=6 ; float
          (ref 639..641 type=5 sym=4) ; to: float *
          (member 642..653 type=15 text="x" ; R
            base: (ref 642..651 type=16 sym=10))) ; threadIdx: const __HIP_Coordinates<__HIP_ThreadIdx>
        (binary 657..715 op=add type=6 ; float
          (binary 657..709 op=add type=6 ; float
            (binary 657..687 op=add type=6 ; float
              (binary 657..678 op=add type=6 ; float
                (index 657..667 type=17 ; const float
                  (index 657..664 type=9 ; const f32x4
                    (ref 657..661 type=8 sym=5) ; from: const f32x4 *
                    (literal 662..663 type=7 value=0 text="0")) ; int
                  (literal 665..666 type=7 value=3 text="N")) ; int
                (index 670..678 type=11 ; const int
                  (ref 670..675 type=10 sym=6) ; order: const int *
                  (literal 676..677 type=7 value=0 text="0"))) ; int
              (member 681..687 type=7 sym=11 text="rows" ; rows: int
                base: (ref 681..682 type=12 sym=7))) ; s: size
            (binary 691..708 op=eq type=14 ; bool
              (ref 691..692 type=13 sym=8) ; m: mode
              (ref 696..708 type=13 sym=12 value=1))) ; scaled: mode
          (ref 712..715 type=14 sym=9)))))) ; all: bool
