(unit target="gfx90a"
  (file 1 path="tests/golden/fuzz/parens.hip" main
    "// if/else whose condition is laundered: parentheses around all of the condition go with it.\n"
    "//\n"
    "// REQUIRES: clang19\n"
    "// RUN: %unphi rewrite --target gfx90a --threshold 16 --compiler clang++-19 %s \\\n"
    "// RUN:   -- -nogpuinc -nogpulib >%t.report\n"
    "// RUN: %FileCheck --input-file=%t.report %s\n"
    "// CHECK-NOT: did not compile\n"
    "// CHECK: launder (uniform, if/else kept)\n"
    "// CHECK-NOT: did not compile\n"
    "\n"
    "#define __global__ __attribute__((global))\n"
    "#define __device__ __attribute__((device))\n"
    "\n"
    "typedef float f4 __attribute__((ext_vector_type(4)));\n"
    "\n"
    "__global__ void k(f4 *out, const f4 *in, int n, int s)\n"
    "{\n"
    "\tf4 acc[8];\n"
    "\tfor (int i = 0; i < 8; ++i) {\n"
    "\t\tacc[i] = in[i];\n"
    "\t}\n"
    "\tfor (int t = 0; t < n; ++t) {\n"
    "\t\tif ((((t < s) || /* either */ s == 3))) {\n"
    "\t\t\tfor (int i = 0; i < 8; ++i) {\n"
    "\t\t\t\tacc[i] = acc[i] / in[i + t];\n"
    "\t\t\t}\n"
    "\t\t} else if ((t == 7)) {\n"
    "\t\t\tfor (int i = 0; i < 8; ++i) {\n"
    "\t\t\t\tacc[i] += in[i + 8];\n"
    "\t\t\t}\n"
    "\t\t} else {\n"
    "\t\t\tfor (int i = 0; i < 8; ++i) {\n"
    "\t\t\t\tacc[i] -= in[i + t];\n"
    "\t\t\t}\n"
    "\t\t}\n"
    "\t}\n"
    "\tfor (int i = 0; i < 8; ++i) {\n"
    "\t\tout[i] = acc[i];\n"
    "\t}\n"
    "}\n")
  (type 1 void name="void" canon="void")
  (type 2 pointer size=8 elem=3 trivial name="f4 *" canon="float * __attribute__((ext_vector_type(4)))")
  (type 3 vector size=16 count=4 elem=4 trivial name="f4" canon="float __attribute__((ext_vector_type(4)))")
  (type 4 float size=4 trivial name="float" canon="float")
  (type 5 pointer size=8 elem=6 trivial name="const f4 *" canon="float const * __attribute__((ext_vector_type(4)))")
  (type 6 vector size=16 count=4 elem=4 const trivial name="const f4" canon="float const __attribute__((ext_vector_type(4)))")
  (type 7 int size=4 trivial name="int" canon="int")
  (type 8 array size=128 count=8 elem=3 trivial name="f4[8]" canon="float[8] __attribute__((ext_vector_type(4)))")
  (type 9 bool size=1 trivial name="bool" canon="bool")
  (sym 1 param type=2 fn=1 file=1 at=554 name="out") ; f4 *
  (sym 2 param type=5 fn=1 file=1 at=569 name="in") ; const f4 *
  (sym 3 param type=7 fn=1 file=1 at=577 name="n") ; int
  (sym 4 param type=7 fn=1 file=1 at=584 name="s") ; int
  (sym 5 local type=8 fn=1 file=1 at=593 name="acc") ; f4[8]
  (sym 6 local type=7 fn=1 file=1 at=611 name="i") ; int
  (sym 7 local type=7 fn=1 file=1 at=663 name="t") ; int
  (sym 8 local type=7 fn=1 file=1 at=740 name="i") ; int
  (sym 9 local type=7 fn=1 file=1 at=836 name="i") ; int
  (sym 10 local type=7 fn=1 file=1 at=910 name="i") ; int
  (sym 11 local type=7 fn=1 file=1 at=978 name="i") ; int
  (fn 1 kernel name="k" base="k" symbol="_Z1kPDv4_fPKS_ii" file=1 532..1022 name-at=548 ret=1 params=1,2,3,4 ; void
    (compound 587..1022
      (decl 590..600
        (var 590..599 type=8 sym=5 text="acc")) ; acc: f4[8]
      (for 602..652
        init: (decl 607..617
          (var 607..616 type=7 sym=6 text="i" ; i: int
            (literal 615..616 type=7 value=0 text="0"))) ; int
        cond: (binary 618..623 op=lt type=9 ; bool
          (ref 618..619 type=7 sym=6) ; i: int
          (literal 622..623 type=7 value=8 text="8")) ; int
        inc: (unary 625..628 op=preinc type=7 ; int
          (ref 627..628 type=7 sym=6)) ; i: int
        body: (compound 630..652
          (assign 634..649 type=3 ; f4
            (index 634..640 type=3 ; f4
              (ref 634..637 type=8 sym=5) ; acc: f4[8]
              (ref 638..639 type=7 sym=6)) ; i: int
            (index 643..648 type=6 ; const f4
              (ref 643..645 type=5 sym=2) ; in: const f4 *
              (ref 646..647 type=7 sym=6))))) ; i: int
      (for 654..967
        init: (decl 659..669
          (var 659..668 type=7 sym=7 text="t" ; t: int
            (literal 667..668 type=7 value=0 text="0"))) ; int
        cond: (binary 670..675 op=lt type=9 ; bool
          (ref 670..671 type=7 sym=7) ; t: int
          (ref 674..675 type=7 sym=3)) ; n: int
        inc: (unary 677..680 op=preinc type=7 ; int
          (ref 679..680 type=7 sym=7)) ; t: int
        body: (compound 682..967
          (if 686..964
            cond: (binary 692..722 op=lor type=9 ; bool
              (binary 693..698 op=lt type=9 ; bool
                (ref 693..694 type=7 sym=7) ; t: int
                (ref 697..698 type=7 sym=4)) ; s: int
              (binary 716..722 op=eq type=9 ; bool
                (ref 716..717 type=7 sym=4) ; s: int
                (literal 721..722 type=7 value=3 text="3"))) ; int
            then: (compound 726..802
              (for 731..798
                init: (decl 736..746
                  (var 736..745 type=7 sym=8 text="i" ; i: int
                    (literal 744..745 type=7 value=0 text="0"))) ; int
                cond: (binary 747..752 op=lt type=9 ; bool
                  (ref 747..748 type=7 sym=8) ; i: int
                  (literal 751..752 type=7 value=8 text="8")) ; int
                inc: (unary 754..757 op=preinc type=7 ; int
                  (ref 756..757 type=7 sym=8)) ; i: int
                body: (compound 759..798
                  (assign 765..793 type=3 ; f4
                    (index 765..771 type=3 ; f4
                      (ref 765..768 type=8 sym=5) ; acc: f4[8]
                      (ref 769..770 type=7 sym=8)) ; i: int
                    (binary 774..792 op=div type=3 ; f4
                      (index 774..780 type=3 ; f4
                        (ref 774..777 type=8 sym=5) ; acc: f4[8]
                        (ref 778..779 type=7 sym=8)) ; i: int
                      (index 783..792 type=6 ; const f4
                        (ref 783..785 type=5 sym=2) ; in: const f4 *
                        (binary 786..791 op=add type=7 ; int
                          (ref 786..787 type=7 sym=8) ; i: int
                          (ref 790..791 type=7 sym=7)))))))) ; t: int
            else: (if 808..964
              cond: (binary 813..819 op=eq type=9 ; bool
                (ref 813..814 type=7 sym=7) ; t: int
                (literal 818..819 type=7 value=7 text="7")) ; int
              then: (compound 822..890
                (for 827..886
                  init: (decl 832..842
                    (var 832..841 type=7 sym=9 text="i" ; i: int
                      (literal 840..841 type=7 value=0 text="0"))) ; int
                  cond: (binary 843..848 op=lt type=9 ; bool
                    (ref 843..844 type=7 sym=9) ; i: int
                    (literal 847..848 type=7 value=8 text="8")) ; int
                  inc: (unary 850..853 op=preinc type=7 ; int
                    (ref 852..853 type=7 sym=9)) ; i: int
                  body: (compound 855..886
                    (assign 861..881 op=add type=3 ; f4
                      (index 861..867 type=3 ; f4
                        (ref 861..864 type=8 sym=5) ; acc: f4[8]
                        (ref 865..866 type=7 sym=9)) ; i: int
                      (index 871..880 type=6 ; const f4
                        (ref 871..873 type=5 sym=2) ; in: const f4 *
                        (binary 874..879 op=add type=7 ; int
                          (ref 874..875 type=7 sym=9) ; i: int
                          (literal 878..879 type=7 value=8 text="8"))))))) ; int
              else: (compound 896..964
                (for 901..960
                  init: (decl 906..916
                    (var 906..915 type=7 sym=10 text="i" ; i: int
                      (literal 914..915 type=7 value=0 text="0"))) ; int
                  cond: (binary 917..922 op=lt type=9 ; bool
                    (ref 917..918 type=7 sym=10) ; i: int
                    (literal 921..922 type=7 value=8 text="8")) ; int
                  inc: (unary 924..927 op=preinc type=7 ; int
                    (ref 926..927 type=7 sym=10)) ; i: int
                  body: (compound 929..960
                    (assign 935..955 op=sub type=3 ; f4
                      (index 935..941 type=3 ; f4
                        (ref 935..938 type=8 sym=5) ; acc: f4[8]
                        (ref 939..940 type=7 sym=10)) ; i: int
                      (index 945..954 type=6 ; const f4
                        (ref 945..947 type=5 sym=2) ; in: const f4 *
                        (binary 948..953 op=add type=7 ; int
                          (ref 948..949 type=7 sym=10) ; i: int
                          (ref 952..953 type=7 sym=7))))))))))) ; t: int
      (for 969..1020
        init: (decl 974..984
          (var 974..983 type=7 sym=11 text="i" ; i: int
            (literal 982..983 type=7 value=0 text="0"))) ; int
        cond: (binary 985..990 op=lt type=9 ; bool
          (ref 985..986 type=7 sym=11) ; i: int
          (literal 989..990 type=7 value=8 text="8")) ; int
        inc: (unary 992..995 op=preinc type=7 ; int
          (ref 994..995 type=7 sym=11)) ; i: int
        body: (compound 997..1020
          (assign 1001..1017 type=3 ; f4
            (index 1001..1007 type=3 ; f4
              (ref 1001..1004 type=2 sym=1) ; out: f4 *
              (ref 1005..1006 type=7 sym=11)) ; i: int
            (index 1010..1016 type=3 ; f4
              (ref 1010..1013 type=8 sym=5) ; acc: f4[8]
              (ref 1014..1015 type=7 sym=11)))))))) ; i: int
