(unit target="gfx90a"
  (file 1 path="tests/golden/measured/per-lane.hip" main
    "// Guarded ifs on a condition per lane around matrix operations or barriers: the compiler may drop the\n"
    "// skip around a short arm and run it with EXEC = 0, which those ignore. Without a measurement they stay.\n"
    "// RUN: %unphi rewrite %s --target gfx90a --strategy sequentialize --threshold 1 -o %t.hip -- -nogpuinc | %FileCheck %s\n"
    "// RUN: %FileCheck %s --check-prefix=OUT --input-file=%t.hip\n"
    "\n"
    "#define __global__ __attribute__((global))\n"
    "#define __device__ __attribute__((device))\n"
    "struct dim { unsigned x, y, z; };\n"
    "extern const __device__ dim threadIdx, blockIdx;\n"
    "typedef float f32x4 __attribute__((ext_vector_type(4)));\n"
    "\n"
    "// CHECK: per-lane.hip:[[#@LINE+10]]:2: {{.*}} in lane: kept as it is:\n"
    "// CHECK-NEXT: sequentialize: not legal (clause 92): the condition is not proved uniform\n"
    "// CHECK: per-lane.hip:[[#@LINE+20]]:2: {{.*}} in uniform\n"
    "// CHECK-NEXT: sequentialize (selector): kept\n"
    "// CHECK: per-lane.hip:[[#@LINE+30]]:2: {{.*}} in no_matrix\n"
    "// CHECK-NEXT: sequentialize (selector): kept\n"
    "\n"
    "__global__ void lane(f32x4 *o, int n)\n"
    "{\n"
    "\tf32x4 a = o[0];\n"
    "\tif (threadIdx.x < n) {\n"
    "\t\ta = __builtin_amdgcn_mfma_f32_4x4x1f32(1.f, 2.f, a, 0, 0, 0);\n"
    "\t} else {\n"
    "\t\ta = __builtin_amdgcn_mfma_f32_4x4x1f32(2.f, 1.f, a, 0, 0, 0);\n"
    "\t}\n"
    "\to[0] = a;\n"
    "}\n"
    "// OUT: if (threadIdx.x < n) {\n"
    "\n"
    "__global__ void uniform(f32x4 *o, int n)\n"
    "{\n"
    "\tf32x4 a = o[0];\n"
    "\tif (blockIdx.x < n) {\n"
    "\t\ta = __builtin_amdgcn_mfma_f32_4x4x1f32(1.f, 2.f, a, 0, 0, 0);\n"
    "\t} else {\n"
    "\t\ta = __builtin_amdgcn_mfma_f32_4x4x1f32(2.f, 1.f, a, 0, 0, 0);\n"
    "\t}\n"
    "\to[0] = a;\n"
    "}\n"
    "// OUT: const bool unphi_taken = blockIdx.x < n;\n"
    "\n"
    "__global__ void no_matrix(f32x4 *o, int n)\n"
    "{\n"
    "\tf32x4 a = o[0];\n"
    "\tif (threadIdx.x < n) {\n"
    "\t\ta += 1.f;\n"
    "\t} else {\n"
    "\t\ta *= 2.f;\n"
    "\t}\n"
    "\to[0] = a;\n"
    "}\n"
    "// OUT: const bool unphi_taken = threadIdx.x < n;\n")
  (type 1 void name="void" canon="void")
  (type 2 pointer size=8 elem=3 trivial name="f32x4 *" canon="float * __attribute__((ext_vector_type(4)))")
  (type 3 vector size=16 count=4 elem=4 trivial name="f32x4" canon="float __attribute__((ext_vector_type(4)))")
  (type 4 float size=4 trivial name="float" canon="float")
  (type 5 int size=4 trivial name="int" canon="int")
  (type 6 bool size=1 trivial name="bool" canon="bool")
  (type 7 int size=4 const trivial name="const unsigned int" canon="const unsigned int")
  (type 8 record size=12 const trivial name="const dim" canon="const dim")
  (type 9 vector size=16 count=4 elem=4 trivial name="__attribute__((__vector_size__(4 * sizeof(float)))) float" canon="__attribute__((__vector_size__(4 * sizeof(float)))) float")
  (sym 1 param type=2 fn=1 file=1 at=1017 name="o") ; f32x4 *
  (sym 2 param type=5 fn=1 file=1 at=1024 name="n") ; int
  (sym 3 param type=2 fn=2 file=1 at=1287 name="o") ; f32x4 *
  (sym 4 param type=5 fn=2 file=1 at=1294 name="n") ; int
  (sym 5 param type=2 fn=3 file=1 at=1576 name="o") ; f32x4 *
  (sym 6 param type=5 fn=3 file=1 at=1583 name="n") ; int
  (sym 7 local type=3 fn=1 file=1 at=1036 name="a") ; f32x4
  (sym 8 global space=constant static type=8 file=1 at=539 name="threadIdx") ; const dim
  (sym 9 param type=4 fn=4 name="") ; float
  (sym 10 param type=4 fn=4 name="") ; float
  (sym 11 param type=9 fn=4 name="") ; __attribute__((__vector_size__(4 * sizeof(float)))) float
  (sym 12 param type=5 fn=4 name="") ; int
  (sym 13 param type=5 fn=4 name="") ; int
  (sym 14 param type=5 fn=4 name="") ; int
  (sym 15 local type=3 fn=2 file=1 at=1306 name="a") ; f32x4
  (sym 16 global space=constant static type=8 file=1 at=550 name="blockIdx") ; const dim
  (sym 17 local type=3 fn=3 file=1 at=1595 name="a") ; f32x4
  (fn 1 kernel name="lane" base="lane" symbol="_Z4lanePDv4_fi" file=1 989..1223 name-at=1005 ret=1 params=1,2 ; void
    (compound 1027..1223
      (decl 1030..1045
        (var 1030..1044 type=3 sym=7 text="a" ; a: f32x4
          (index 1040..1044 type=3 ; f32x4
            (ref 1040..1041 type=2 sym=1) ; o: f32x4 *
            (literal 1042..1043 type=5 value=0 text="0")))) ; int
      (if 1047..1210
        cond: (binary 1051..1066 op=lt type=6 ; bool
          (member 1051..1062 type=7 text="x" ; const unsigned int
            base: (ref 1051..1060 type=8 sym=8)) ; threadIdx: const dim
          (ref 1065..1066 type=5 sym=2)) ; n: int
        then: (compound 1068..1136
          (assign 1072..1133 type=3 ; f32x4
            (ref 1072..1073 type=3 sym=7) ; a: f32x4
            (call 1076..1132 type=9 fn=4 text="__builtin_amdgcn_mfma_f32_4x4x1f32" ; __builtin_amdgcn_mfma_f32_4x4x1f32: __attribute__((__vector_size__(4 * sizeof(float)))) float
              (literal 1111..1114 type=4 text="1.f") ; float
              (literal 1116..1119 type=4 text="2.f") ; float
              (ref 1121..1122 type=3 sym=7) ; a: f32x4
              (literal 1124..1125 type=5 value=0 text="0") ; int
              (literal 1127..1128 type=5 value=0 text="0") ; int
              (literal 1130..1131 type=5 value=0 text="0")))) ; int
        else: (compound 1142..1210
          (assign 1146..1207 type=3 ; f32x4
            (ref 1146..1147 type=3 sym=7) ; a: f32x4
            (call 1150..1206 type=9 fn=4 text="__builtin_amdgcn_mfma_f32_4x4x1f32" ; __builtin_amdgcn_mfma_f32_4x4x1f32: __attribute__((__vector_size__(4 * sizeof(float)))) float
              (literal 1185..1188 type=4 text="2.f") ; float
              (literal 1190..1193 type=4 text="1.f") ; float
              (ref 1195..1196 type=3 sym=7) ; a: f32x4
              (literal 1198..1199 type=5 value=0 text="0") ; int
              (literal 1201..1202 type=5 value=0 text="0") ; int
              (literal 1204..1205 type=5 value=0 text="0"))))) ; int
      (assign 1212..1221 type=3 ; f32x4
        (index 1212..1216 type=3 ; f32x4
          (ref 1212..1213 type=2 sym=1) ; o: f32x4 *
          (literal 1214..1215 type=5 value=0 text="0")) ; int
        (ref 1219..1220 type=3 sym=7)))) ; a: f32x4
  (fn 2 kernel name="uniform" base="uniform" symbol="_Z7uniformPDv4_fi" file=1 1256..1492 name-at=1272 ret=1 params=3,4 ; void
    (compound 1297..1492
      (decl 1300..1315
        (var 1300..1314 type=3 sym=15 text="a" ; a: f32x4
          (index 1310..1314 type=3 ; f32x4
            (ref 1310..1311 type=2 sym=3) ; o: f32x4 *
            (literal 1312..1313 type=5 value=0 text="0")))) ; int
      (if 1317..1479
        cond: (binary 1321..1335 op=lt type=6 ; bool
          (member 1321..1331 type=7 text="x" ; const unsigned int
            base: (ref 1321..1329 type=8 sym=16)) ; blockIdx: const dim
          (ref 1334..1335 type=5 sym=4)) ; n: int
        then: (compound 1337..1405
          (assign 1341..1402 type=3 ; f32x4
            (ref 1341..1342 type=3 sym=15) ; a: f32x4
            (call 1345..1401 type=9 fn=4 text="__builtin_amdgcn_mfma_f32_4x4x1f32" ; __builtin_amdgcn_mfma_f32_4x4x1f32: __attribute__((__vector_size__(4 * sizeof(float)))) float
              (literal 1380..1383 type=4 text="1.f") ; float
              (literal 1385..1388 type=4 text="2.f") ; float
              (ref 1390..1391 type=3 sym=15) ; a: f32x4
              (literal 1393..1394 type=5 value=0 text="0") ; int
              (literal 1396..1397 type=5 value=0 text="0") ; int
              (literal 1399..1400 type=5 value=0 text="0")))) ; int
        else: (compound 1411..1479
          (assign 1415..1476 type=3 ; f32x4
            (ref 1415..1416 type=3 sym=15) ; a: f32x4
            (call 1419..1475 type=9 fn=4 text="__builtin_amdgcn_mfma_f32_4x4x1f32" ; __builtin_amdgcn_mfma_f32_4x4x1f32: __attribute__((__vector_size__(4 * sizeof(float)))) float
              (literal 1454..1457 type=4 text="2.f") ; float
              (literal 1459..1462 type=4 text="1.f") ; float
              (ref 1464..1465 type=3 sym=15) ; a: f32x4
              (literal 1467..1468 type=5 value=0 text="0") ; int
              (literal 1470..1471 type=5 value=0 text="0") ; int
              (literal 1473..1474 type=5 value=0 text="0"))))) ; int
      (assign 1481..1490 type=3 ; f32x4
        (index 1481..1485 type=3 ; f32x4
          (ref 1481..1482 type=2 sym=3) ; o: f32x4 *
          (literal 1483..1484 type=5 value=0 text="0")) ; int
        (ref 1488..1489 type=3 sym=15)))) ; a: f32x4
  (fn 3 kernel name="no_matrix" base="no_matrix" symbol="_Z9no_matrixPDv4_fi" file=1 1543..1678 name-at=1559 ret=1 params=5,6 ; void
    (compound 1586..1678
      (decl 1589..1604
        (var 1589..1603 type=3 sym=17 text="a" ; a: f32x4
          (index 1599..1603 type=3 ; f32x4
            (ref 1599..1600 type=2 sym=5) ; o: f32x4 *
            (literal 1601..1602 type=5 value=0 text="0")))) ; int
      (if 1606..1665
        cond: (binary 1610..1625 op=lt type=6 ; bool
          (member 1610..1621 type=7 text="x" ; const unsigned int
            base: (ref 1610..1619 type=8 sym=8)) ; threadIdx: const dim
          (ref 1624..1625 type=5 sym=6)) ; n: int
        then: (compound 1627..1643
          (assign 1631..1640 op=add type=3 ; f32x4
            (ref 1631..1632 type=3 sym=17) ; a: f32x4
            (literal 1636..1639 type=4 text="1.f"))) ; float
        else: (compound 1649..1665
          (assign 1653..1662 op=mul type=3 ; f32x4
            (ref 1653..1654 type=3 sym=17) ; a: f32x4
            (literal 1658..1661 type=4 text="2.f")))) ; float
      (assign 1667..1676 type=3 ; f32x4
        (index 1667..1671 type=3 ; f32x4
          (ref 1667..1668 type=2 sym=5) ; o: f32x4 *
          (literal 1669..1670 type=5 value=0 text="0")) ; int
        (ref 1674..1675 type=3 sym=17)))) ; a: f32x4
  (fn 4 device name="__builtin_amdgcn_mfma_f32_4x4x1f32" base="__builtin_amdgcn_mfma_f32_4x4x1f32" symbol="__builtin_amdgcn_mfma_f32_4x4x1f32" file=1 1076..1110 name-at=1076 ret=9 params=9,10,11,12,13,14)) ; __attribute__((__vector_size__(4 * sizeof(float)))) float
