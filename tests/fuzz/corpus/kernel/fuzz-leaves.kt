(unit target="gfx90a"
  (file 1 path="tests/golden/fuzz/leaves.hip" main
    "// An arm leaves under a condition per lane. A matrix operation behind the merge ignores the lane\n"
    "// mask: laundered, the lanes that left would get its result too.\n"
    "//\n"
    "// RUN: %unphi rewrite %s --target gfx90a --strategy launder -o %t.hip -- -nogpuinc >%t.txt\n"
    "// RUN: %FileCheck %s <%t.txt\n"
    "//\n"
    "// CHECK: 2 merges at or over the threshold, 1 rewritten\n"
    "// CHECK: in leaves: kept as it is\n"
    "// CHECK: (clause 7): an arm may leave, and the rest of the function holds a matrix operation\n"
    "// CHECK: in stays\n"
    "// CHECK: launder (per lane): kept: forced, not measured\n"
    "\n"
    "#define __global__ __attribute__((global))\n"
    "#define __device__ __attribute__((device))\n"
    "\n"
    "struct dim {\n"
    "\tunsigned x, y, z;\n"
    "};\n"
    "extern const __device__ dim threadIdx;\n"
    "typedef float f4 __attribute__((ext_vector_type(4)));\n"
    "\n"
    "__device__ inline void add(f4 (&acc)[16], float x)\n"
    "{\n"
    "\tfor (int i = 0; i < 16; i++) {\n"
    "\t\tacc[i] += x;\n"
    "\t}\n"
    "}\n"
    "\n"
    "__device__ inline void store(f4 *out, const f4 (&acc)[16])\n"
    "{\n"
    "\tfor (int i = 0; i < 16; i++) {\n"
    "\t\tout[i] = acc[i];\n"
    "\t}\n"
    "}\n"
    "\n"
    "__global__ void leaves(f4 *out, const float *in, int n)\n"
    "{\n"
    "\tf4 acc[16] = {};\n"
    "\tfor (int t = 0; t < n; ++t) {\n"
    "\t\tif (in[threadIdx.x] > t) {\n"
    "\t\t\tadd(acc, 2.0f);\n"
    "\t\t\tif (t == 3) {\n"
    "\t\t\t\tcontinue;\n"
    "\t\t\t}\n"
    "\t\t} else {\n"
    "\t\t\tadd(acc, in[t]);\n"
    "\t\t}\n"
    "\t\tfor (int i = 0; i < 16; i++) {\n"
    "\t\t\tacc[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(1.0f, 2.0f, acc[i], 0, 0, 0);\n"
    "\t\t}\n"
    "\t}\n"
    "\tstore(out, acc);\n"
    "}\n"
    "\n"
    "__global__ void stays(f4 *out, const float *in, int n)\n"
    "{\n"
    "\tf4 acc[16] = {};\n"
    "\tfor (int t = 0; t < n; ++t) {\n"
    "\t\tif (in[threadIdx.x] > t) {\n"
    "\t\t\tadd(acc, 2.0f);\n"
    "\t\t} else {\n"
    "\t\t\tadd(acc, in[t]);\n"
    "\t\t}\n"
    "\t\tfor (int i = 0; i < 16; i++) {\n"
    "\t\t\tacc[i] = __builtin_amdgcn_mfma_f32_16x16x4f32(1.0f, 2.0f, acc[i], 0, 0, 0);\n"
    "\t\t}\n"
    "\t}\n"
    "\tstore(out, acc);\n"
    "}\n")
  (type 1 void name="void" canon="void")
  (type 2 reference size=256 elem=3 name="f4 (&)[16]" canon="float (&)[16] __attribute__((ext_vector_type(4)))")
  (type 3 array size=256 count=16 elem=4 trivial name="f4[16]" canon="float[16] __attribute__((ext_vector_type(4)))")
  (type 4 vector size=16 count=4 elem=5 trivial name="f4" canon="float __attribute__((ext_vector_type(4)))")
  (type 5 float size=4 trivial name="float" canon="float")
  (type 6 pointer size=8 elem=4 trivial name="f4 *" canon="float * __attribute__((ext_vector_type(4)))")
  (type 7 reference size=256 elem=8 name="const f4 (&)[16]" canon="float const (&)[16] __attribute__((ext_vector_type(4)))")
  (type 8 array size=256 count=16 elem=9 const trivial name="const f4[16]" canon="float const[16] __attribute__((ext_vector_type(4)))")
  (type 9 vector size=16 count=4 elem=5 const trivial name="const f4" canon="float const __attribute__((ext_vector_type(4)))")
  (type 10 pointer size=8 elem=11 trivial name="const float *" canon="const float *")
  (type 11 float size=4 const trivial name="const float" canon="const float")
  (type 12 int size=4 trivial name="int" canon="int")
  (type 13 bool size=1 trivial name="bool" canon="bool")
  (type 14 int size=4 const trivial name="const unsigned int" canon="const unsigned int")
  (type 15 record size=12 const trivial name="const dim" canon="const dim")
  (type 16 vector size=16 count=4 elem=5 trivial name="__attribute__((__vector_size__(4 * sizeof(float)))) float" canon="__attribute__((__vector_size__(4 * sizeof(float)))) float")
  (sym 1 param type=2 fn=1 file=1 at=803 name="acc") ; f4 (&)[16]
  (sym 2 param type=5 fn=1 file=1 at=819 name="x") ; float
  (sym 3 param type=6 fn=2 file=1 at=910 name="out") ; f4 *
  (sym 4 param type=7 fn=2 file=1 at=926 name="acc") ; const f4 (&)[16]
  (sym 5 param type=6 fn=3 file=1 at=1022 name="out") ; f4 *
  (sym 6 param type=10 fn=3 file=1 at=1040 name="in") ; const float *
  (sym 7 param type=12 fn=3 file=1 at=1048 name="n") ; int
  (sym 8 param type=6 fn=4 file=1 at=1387 name="out") ; f4 *
  (sym 9 param type=10 fn=4 file=1 at=1405 name="in") ; const float *
  (sym 10 param type=12 fn=4 file=1 at=1413 name="n") ; int
  (sym 11 local type=12 fn=1 file=1 at=834 name="i") ; int
  (sym 12 local type=12 fn=2 file=1 at=948 name="i") ; int
  (sym 13 local type=3 fn=3 file=1 at=1057 name="acc") ; f4[16]
  (sym 14 local type=12 fn=3 file=1 at=1081 name="t") ; int
  (sym 15 global space=constant static type=15 file=1 at=705 name="threadIdx") ; const dim
  (sym 16 local type=12 fn=3 file=1 at=1232 name="i") ; int
  (sym 17 param type=5 fn=5 name="") ; float
  (sym 18 param type=5 fn=5 name="") ; float
  (sym 19 param type=16 fn=5 name="") ; __attribute__((__vector_size__(4 * sizeof(float)))) float
  (sym 20 param type=12 fn=5 name="") ; int
  (sym 21 param type=12 fn=5 name="") ; int
  (sym 22 param type=12 fn=5 name="") ; int
  (sym 23 local type=3 fn=4 file=1 at=1422 name="acc") ; f4[16]
  (sym 24 local type=12 fn=4 file=1 at=1446 name="t") ; int
  (sym 25 local type=12 fn=4 file=1 at=1561 name="i") ; int
  (fn 1 device name="add" base="add" symbol="_Z3addRA16_Dv4_ff" file=1 771..875 name-at=794 ret=1 params=1,2 ; void
    (compound 822..875
      (for 825..873
        init: (decl 830..840
          (var 830..839 type=12 sym=11 text="i" ; i: int
            (literal 838..839 type=12 value=0 text="0"))) ; int
        cond: (binary 841..847 op=lt type=13 ; bool
          (ref 841..842 type=12 sym=11) ; i: int
          (literal 845..847 type=12 value=16 text="16")) ; int
        inc: (unary 849..852 op=postinc type=12 ; int
          (ref 849..850 type=12 sym=11)) ; i: int
        body: (compound 854..873
          (assign 858..870 op=add type=4 ; f4
            (index 858..864 type=4 ; f4
              (ref 858..861 type=3 sym=1) ; acc: f4[16]
              (ref 862..863 type=12 sym=11)) ; i: int
            (ref 868..869 type=5 sym=2)))))) ; x: float
  (fn 2 device name="store" base="store" symbol="_Z5storePDv4_fRA16_KS_" file=1 877..993 name-at=900 ret=1 params=3,4 ; void
    (compound 936..993
      (for 939..991
        init: (decl 944..954
          (var 944..953 type=12 sym=12 text="i" ; i: int
            (literal 952..953 type=12 value=0 text="0"))) ; int
        cond: (binary 955..961 op=lt type=13 ; bool
          (ref 955..956 type=12 sym=12) ; i: int
          (literal 959..961 type=12 value=16 text="16")) ; int
        inc: (unary 963..966 op=postinc type=12 ; int
          (ref 963..964 type=12 sym=12)) ; i: int
        body: (compound 968..991
          (assign 972..988 type=4 ; f4
            (index 972..978 type=4 ; f4
              (ref 972..975 type=6 sym=3) ; out: f4 *
              (ref 976..977 type=12 sym=12)) ; i: int
            (index 981..987 type=9 ; const f4
              (ref 981..984 type=8 sym=4) ; acc: const f4[16]
              (ref 985..986 type=12 sym=12))))))) ; i: int
  (fn 3 kernel name="leaves" base="leaves" symbol="_Z6leavesPDv4_fPKfi" file=1 995..1359 name-at=1011 ret=1 params=5,6,7 ; void
    (compound 1051..1359
      (decl 1054..1070
        (var 1054..1069 type=3 sym=13 text="acc" ; acc: f4[16]
          (init-list 1067..1069 type=3))) ; f4[16]
      (for 1072..1339
        init: (decl 1077..1087
          (var 1077..1086 type=12 sym=14 text="t" ; t: int
            (literal 1085..1086 type=12 value=0 text="0"))) ; int
        cond: (binary 1088..1093 op=lt type=13 ; bool
          (ref 1088..1089 type=12 sym=14) ; t: int
          (ref 1092..1093 type=12 sym=7)) ; n: int
        inc: (unary 1095..1098 op=preinc type=12 ; int
          (ref 1097..1098 type=12 sym=14)) ; t: int
        body: (compound 1100..1339
          (if 1104..1220
            cond: (binary 1108..1127 op=gt type=13 ; bool
              (index 1108..1123 type=11 ; const float
                (ref 1108..1110 type=10 sym=6) ; in: const float *
                (member 1111..1122 type=14 text="x" ; const unsigned int
                  base: (ref 1111..1120 type=15 sym=15))) ; threadIdx: const dim
              (ref 1126..1127 type=12 sym=14)) ; t: int
            then: (compound 1129..1189
              (call 1134..1149 type=1 fn=1 text="add" ; add: void
                (ref 1138..1141 type=3 sym=13) ; acc: f4[16]
                (literal 1143..1147 type=5 text="2.0f")) ; float
              (if 1153..1185
                cond: (binary 1157..1163 op=eq type=13 ; bool
                  (ref 1157..1158 type=12 sym=14) ; t: int
                  (literal 1162..1163 type=12 value=3 text="3")) ; int
                then: (compound 1165..1185
                  (continue 1171..1180))))
            else: (compound 1195..1220
              (call 1200..1216 type=1 fn=1 text="add" ; add: void
                (ref 1204..1207 type=3 sym=13) ; acc: f4[16]
                (index 1209..1214 type=11 ; const float
                  (ref 1209..1211 type=10 sym=6) ; in: const float *
                  (ref 1212..1213 type=12 sym=14))))) ; t: int
          (for 1223..1336
            init: (decl 1228..1238
              (var 1228..1237 type=12 sym=16 text="i" ; i: int
                (literal 1236..1237 type=12 value=0 text="0"))) ; int
            cond: (binary 1239..1245 op=lt type=13 ; bool
              (ref 1239..1240 type=12 sym=16) ; i: int
              (literal 1243..1245 type=12 value=16 text="16")) ; int
            inc: (unary 1247..1250 op=postinc type=12 ; int
              (ref 1247..1248 type=12 sym=16)) ; i: int
            body: (compound 1252..1336
              (assign 1257..1332 type=4 ; f4
                (index 1257..1263 type=4 ; f4
                  (ref 1257..1260 type=3 sym=13) ; acc: f4[16]
                  (ref 1261..1262 type=12 sym=16)) ; i: int
                (call 1266..1331 type=16 fn=5 text="__builtin_amdgcn_mfma_f32_16x16x4f32" ; __builtin_amdgcn_mfma_f32_16x16x4f32: __attribute__((__vector_size__(4 * sizeof(float)))) float
                  (literal 1303..1307 type=5 text="1.0f") ; float
                  (literal 1309..1313 type=5 text="2.0f") ; float
                  (index 1315..1321 type=4 ; f4
                    (ref 1315..1318 type=3 sym=13) ; acc: f4[16]
                    (ref 1319..1320 type=12 sym=16)) ; i: int
                  (literal 1323..1324 type=12 value=0 text="0") ; int
                  (literal 1326..1327 type=12 value=0 text="0") ; int
                  (literal 1329..1330 type=12 value=0 text="0"))))))) ; int
      (call 1341..1357 type=1 fn=2 text="store" ; store: void
        (ref 1347..1350 type=6 sym=5) ; out: f4 *
        (ref 1352..1355 type=3 sym=13)))) ; acc: f4[16]
  (fn 4 kernel name="stays" base="stays" symbol="_Z5staysPDv4_fPKfi" file=1 1361..1688 name-at=1377 ret=1 params=8,9,10 ; void
    (compound 1416..1688
      (decl 1419..1435
        (var 1419..1434 type=3 sym=23 text="acc" ; acc: f4[16]
          (init-list 1432..1434 type=3))) ; f4[16]
      (for 1437..1668
        init: (decl 1442..1452
          (var 1442..1451 type=12 sym=24 text="t" ; t: int
            (literal 1450..1451 type=12 value=0 text="0"))) ; int
        cond: (binary 1453..1458 op=lt type=13 ; bool
          (ref 1453..1454 type=12 sym=24) ; t: int
          (ref 1457..1458 type=12 sym=10)) ; n: int
        inc: (unary 1460..1463 op=preinc type=12 ; int
          (ref 1462..1463 type=12 sym=24)) ; t: int
        body: (compound 1465..1668
          (if 1469..1549
            cond: (binary 1473..1492 op=gt type=13 ; bool
              (index 1473..1488 type=11 ; const float
                (ref 1473..1475 type=10 sym=9) ; in: const float *
                (member 1476..1487 type=14 text="x" ; const unsigned int
                  base: (ref 1476..1485 type=15 sym=15))) ; threadIdx: const dim
              (ref 1491..1492 type=12 sym=24)) ; t: int
            then: (compound 1494..1518
              (call 1499..1514 type=1 fn=1 text="add" ; add: void
                (ref 1503..1506 type=3 sym=23) ; acc: f4[16]
                (literal 1508..1512 type=5 text="2.0f"))) ; float
            else: (compound 1524..1549
              (call 1529..1545 type=1 fn=1 text="add" ; add: void
                (ref 1533..1536 type=3 sym=23) ; acc: f4[16]
                (index 1538..1543 type=11 ; const float
                  (ref 1538..1540 type=10 sym=9) ; in: const float *
                  (ref 1541..1542 type=12 sym=24))))) ; t: int
          (for 1552..1665
            init: (decl 1557..1567
              (var 1557..1566 type=12 sym=25 text="i" ; i: int
                (literal 1565..1566 type=12 value=0 text="0"))) ; int
            cond: (binary 1568..1574 op=lt type=13 ; bool
              (ref 1568..1569 type=12 sym=25) ; i: int
              (literal 1572..1574 type=12 value=16 text="16")) ; int
            inc: (unary 1576..1579 op=postinc type=12 ; int
              (ref 1576..1577 type=12 sym=25)) ; i: int
            body: (compound 1581..1665
              (assign 1586..1661 type=4 ; f4
                (index 1586..1592 type=4 ; f4
                  (ref 1586..1589 type=3 sym=23) ; acc: f4[16]
                  (ref 1590..1591 type=12 sym=25)) ; i: int
                (call 1595..1660 type=16 fn=5 text="__builtin_amdgcn_mfma_f32_16x16x4f32" ; __builtin_amdgcn_mfma_f32_16x16x4f32: __attribute__((__vector_size__(4 * sizeof(float)))) float
                  (literal 1632..1636 type=5 text="1.0f") ; float
                  (literal 1638..1642 type=5 text="2.0f") ; float
                  (index 1644..1650 type=4 ; f4
                    (ref 1644..1647 type=3 sym=23) ; acc: f4[16]
                    (ref 1648..1649 type=12 sym=25)) ; i: int
                  (literal 1652..1653 type=12 value=0 text="0") ; int
                  (literal 1655..1656 type=12 value=0 text="0") ; int
                  (literal 1658..1659 type=12 value=0 text="0"))))))) ; int
      (call 1670..1686 type=1 fn=2 text="store" ; store: void
        (ref 1676..1679 type=6 sym=8) ; out: f4 *
        (ref 1681..1684 type=3 sym=23)))) ; acc: f4[16]
  (fn 5 device name="__builtin_amdgcn_mfma_f32_16x16x4f32" base="__builtin_amdgcn_mfma_f32_16x16x4f32" symbol="__builtin_amdgcn_mfma_f32_16x16x4f32" file=1 1266..1302 name-at=1266 ret=16 params=17,18,19,20,21,22)) ; __attribute__((__vector_size__(4 * sizeof(float)))) float
