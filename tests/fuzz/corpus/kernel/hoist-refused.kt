(unit target="gfx90a"
  (file 1 path="tests/golden/hoist/refused.hip" main
    "// Each kernel violates one clause of hoist: the report names it, and not a byte changes. A case for\n"
    "// every clause stands in tests/unit/data/hoist/cases.hip.\n"
    "//\n"
    "// RUN: %unphi rewrite %s --target gfx90a --strategy hoist -o %t.hip -- -nogpuinc > %t.txt\n"
    "// RUN: %FileCheck %s < %t.txt\n"
    "// RUN: cmp %s %t.hip\n"
    "\n"
    "#define __global__ __attribute__((global))\n"
    "#define __device__ __attribute__((device))\n"
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
    "__device__ inline void scale(tile &t, float x)\n"
    "{\n"
    "\tfor (int i = 0; i < 64; i++) {\n"
    "\t\tt.v[i] = x / t.v[i];\n"
    "\t}\n"
    "}\n"
    "\n"
    "// CHECK: 64 chained VGPRs in no_else\n"
    "// CHECK-NEXT: hoist: not legal (clause 1): there is a path without an arm (no else)\n"
    "__global__ void no_else(float *p, int c)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tif (c == 1) {\n"
    "\t\tadd(acc, 1);\n"
    "\t} else if (c == 2) {\n"
    "\t\tadd(acc, 1);\n"
    "\t}\n"
    "\tp[0] = acc.v[c];\n"
    "}\n"
    "\n"
    "// CHECK: 64 chained VGPRs in directive\n"
    "// CHECK-NEXT: hoist: not legal (clause 2): a preprocessor directive stands inside: #ifdef FAST\n"
    "__global__ void directive(float *p, int c)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tif (c == 1) {\n"
    "#ifdef FAST\n"
    "\t\tp[1] = 2;\n"
    "#endif\n"
    "\t\tadd(acc, 1);\n"
    "\t} else {\n"
    "\t\tadd(acc, 1);\n"
    "\t}\n"
    "\tp[0] = acc.v[c];\n"
    "}\n"
    "\n"
    "// CHECK: 64 chained VGPRs in leaves\n"
    "// CHECK-NEXT: hoist: not legal (clause 3): an arm may leave in its middle (return)\n"
    "__global__ void leaves(float *p, int c)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tif (c > 1) {\n"
    "\t\tif (c == 5) {\n"
    "\t\t\treturn;\n"
    "\t\t}\n"
    "\t\tadd(acc, 1);\n"
    "\t} else {\n"
    "\t\tadd(acc, 1);\n"
    "\t}\n"
    "\tp[0] = acc.v[c];\n"
    "}\n"
    "\n"
    "// CHECK: 64 chained VGPRs in different\n"
    "// CHECK-NEXT: hoist: not legal (clause 4): the arms differ where they write the accumulator: 'add(acc, 1)' against 'scale(acc, 1)'\n"
    "__global__ void different(float *p, int c)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tif (c > 1) {\n"
    "\t\tadd(acc, 1);\n"
    "\t} else {\n"
    "\t\tscale(acc, 1);\n"
    "\t}\n"
    "\tp[0] = acc.v[c];\n"
    "}\n"
    "\n"
    "// CHECK: 64 chained VGPRs in depends\n"
    "// CHECK-NEXT: hoist: not legal (clause 5): the arms differ in 'p[i]', which depends on 'i' inside the code that would move\n"
    "__global__ void depends(float *p, int c)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tif (c > 1) {\n"
    "\t\tfor (int i = 0; i < 64; i++) {\n"
    "\t\t\tacc.v[i] += p[i];\n"
    "\t\t}\n"
    "\t} else {\n"
    "\t\tfor (int i = 0; i < 64; i++) {\n"
    "\t\t\tacc.v[i] += (float)i;\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc.v[c];\n"
    "}\n"
    "\n"
    "// CHECK: 64 chained VGPRs in multiply\n"
    "// CHECK-NEXT: hoist: not legal (clause 11): the multiply in 'p[0] * p[1]' would be cut from the add\n"
    "__global__ void multiply(float *p, int c)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tif (c > 1) {\n"
    "\t\tadd(acc, p[0] * p[1]);\n"
    "\t} else {\n"
    "\t\tadd(acc, 3.0f);\n"
    "\t}\n"
    "\tp[0] = acc.v[c];\n"
    "}\n")
  (type 1 void name="void" canon="void")
  (type 2 reference size=256 elem=3 name="tile &" canon="tile &")
  (type 3 record size=256 trivial name="tile" canon="tile")
  (type 4 float size=4 trivial name="float" canon="float")
  (type 5 pointer size=8 elem=4 trivial name="float *" canon="float *")
  (type 6 int size=4 trivial name="int" canon="int")
  (type 7 bool size=1 trivial name="bool" canon="bool")
  (type 8 array size=256 count=64 elem=4 trivial name="float[64]" canon="float[64]")
  (sym 1 param type=2 fn=1 file=1 at=460 name="t") ; tile &
  (sym 2 param type=4 fn=1 file=1 at=469 name="x") ; float
  (sym 3 param type=2 fn=2 file=1 at=562 name="t") ; tile &
  (sym 4 param type=4 fn=2 file=1 at=571 name="x") ; float
  (sym 5 param type=5 fn=3 file=1 at=791 name="p") ; float *
  (sym 6 param type=6 fn=3 file=1 at=798 name="c") ; int
  (sym 7 param type=5 fn=4 file=1 at=1079 name="p") ; float *
  (sym 8 param type=6 fn=4 file=1 at=1086 name="c") ; int
  (sym 9 param type=5 fn=5 file=1 at=1368 name="p") ; float *
  (sym 10 param type=6 fn=5 file=1 at=1375 name="c") ; int
  (sym 11 param type=5 fn=6 file=1 at=1710 name="p") ; float *
  (sym 12 param type=6 fn=6 file=1 at=1717 name="c") ; int
  (sym 13 param type=5 fn=7 file=1 at=2011 name="p") ; float *
  (sym 14 param type=6 fn=7 file=1 at=2018 name="c") ; int
  (sym 15 param type=5 fn=8 file=1 at=2379 name="p") ; float *
  (sym 16 param type=6 fn=8 file=1 at=2386 name="c") ; int
  (sym 17 local type=6 fn=1 file=1 at=484 name="i") ; int
  (sym 18 field type=8 file=1 at=416 name="v") ; float[64]
  (sym 19 local type=6 fn=2 file=1 at=586 name="i") ; int
  (sym 20 local type=3 fn=3 file=1 at=809 name="acc") ; tile
  (sym 21 local type=3 fn=4 file=1 at=1097 name="acc") ; tile
  (sym 22 local type=3 fn=5 file=1 at=1386 name="acc") ; tile
  (sym 23 local type=3 fn=6 file=1 at=1728 name="acc") ; tile
  (sym 24 local type=3 fn=7 file=1 at=2029 name="acc") ; tile
  (sym 25 local type=6 fn=7 file=1 at=2064 name="i") ; int
  (sym 26 local type=6 fn=7 file=1 at=2132 name="i") ; int
  (sym 27 local type=3 fn=8 file=1 at=2397 name="acc") ; tile
  (fn 1 device name="add" base="add" symbol="_Z3addR4tilef" file=1 427..525 name-at=450 ret=1 params=1,2 ; void
    (compound 472..525
      (for 475..523
        init: (decl 480..490
          (var 480..489 type=6 sym=17 text="i" ; i: int
            (literal 488..489 type=6 value=0 text="0"))) ; int
        cond: (binary 491..497 op=lt type=7 ; bool
          (ref 491..492 type=6 sym=17) ; i: int
          (literal 495..497 type=6 value=64 text="64")) ; int
        inc: (unary 499..502 op=postinc type=6 ; int
          (ref 499..500 type=6 sym=17)) ; i: int
        body: (compound 504..523
          (assign 508..520 op=add type=4 ; float
            (index 508..514 type=4 ; float
              (member 508..511 type=8 sym=18 text="v" ; v: float[64]
                base: (ref 508..509 type=3 sym=1)) ; t: tile
              (ref 512..513 type=6 sym=17)) ; i: int
            (ref 518..519 type=4 sym=2)))))) ; x: float
  (fn 2 device name="scale" base="scale" symbol="_Z5scaleR4tilef" file=1 527..635 name-at=550 ret=1 params=3,4 ; void
    (compound 574..635
      (for 577..633
        init: (decl 582..592
          (var 582..591 type=6 sym=19 text="i" ; i: int
            (literal 590..591 type=6 value=0 text="0"))) ; int
        cond: (binary 593..599 op=lt type=7 ; bool
          (ref 593..594 type=6 sym=19) ; i: int
          (literal 597..599 type=6 value=64 text="64")) ; int
        inc: (unary 601..604 op=postinc type=6 ; int
          (ref 601..602 type=6 sym=19)) ; i: int
        body: (compound 606..633
          (assign 610..630 type=4 ; float
            (index 610..616 type=4 ; float
              (member 610..613 type=8 sym=18 text="v" ; v: float[64]
                base: (ref 610..611 type=3 sym=3)) ; t: tile
              (ref 614..615 type=6 sym=19)) ; i: int
            (binary 619..629 op=div type=4 ; float
              (ref 619..620 type=4 sym=4) ; x: float
              (index 623..629 type=4 ; float
                (member 623..626 type=8 sym=18 text="v" ; v: float[64]
                  base: (ref 623..624 type=3 sym=3)) ; t: tile
                (ref 627..628 type=6 sym=19)))))))) ; i: int
  (fn 3 kernel name="no_else" base="no_else" symbol="_Z7no_elsePfi" file=1 760..908 name-at=776 ret=1 params=5,6 ; void
    (compound 801..908
      (decl 804..818
        (var 804..817 type=3 sym=20 text="acc" ; acc: tile
          (init-list 815..817 type=3))) ; tile
      (if 820..888
        cond: (binary 824..830 op=eq type=7 ; bool
          (ref 824..825 type=6 sym=6) ; c: int
          (literal 829..830 type=6 value=1 text="1")) ; int
        then: (compound 832..851
          (call 836..848 type=1 fn=1 text="add" ; add: void
            (ref 840..843 type=3 sym=20) ; acc: tile
            (literal 845..846 type=6 value=1 text="1"))) ; int
        else: (if 857..888
          cond: (binary 861..867 op=eq type=7 ; bool
            (ref 861..862 type=6 sym=6) ; c: int
            (literal 866..867 type=6 value=2 text="2")) ; int
          then: (compound 869..888
            (call 873..885 type=1 fn=1 text="add" ; add: void
              (ref 877..880 type=3 sym=20) ; acc: tile
              (literal 882..883 type=6 value=1 text="1"))))) ; int
      (assign 890..906 type=4 ; float
        (index 890..894 type=4 ; float
          (ref 890..891 type=5 sym=5) ; p: float *
          (literal 892..893 type=6 value=0 text="0")) ; int
        (index 897..905 type=4 ; float
          (member 897..902 type=8 sym=18 text="v" ; v: float[64]
            base: (ref 897..900 type=3 sym=20)) ; acc: tile
          (ref 903..904 type=6 sym=6))))) ; c: int
  (fn 4 kernel name="directive" base="directive" symbol="_Z9directivePfi" file=1 1046..1215 name-at=1062 ret=1 params=7,8 ; void
    (compound 1089..1215
      (decl 1092..1106
        (var 1092..1105 type=3 sym=21 text="acc" ; acc: tile
          (init-list 1103..1105 type=3))) ; tile
      (if 1108..1195
        cond: (binary 1112..1118 op=eq type=7 ; bool
          (ref 1112..1113 type=6 sym=8) ; c: int
          (literal 1117..1118 type=6 value=1 text="1")) ; int
        then: (compound 1120..1170
          (call 1155..1167 type=1 fn=1 text="add" ; add: void
            (ref 1159..1162 type=3 sym=21) ; acc: tile
            (literal 1164..1165 type=6 value=1 text="1"))) ; int
        else: (compound 1176..1195
          (call 1180..1192 type=1 fn=1 text="add" ; add: void
            (ref 1184..1187 type=3 sym=21) ; acc: tile
            (literal 1189..1190 type=6 value=1 text="1")))) ; int
      (assign 1197..1213 type=4 ; float
        (index 1197..1201 type=4 ; float
          (ref 1197..1198 type=5 sym=7) ; p: float *
          (literal 1199..1200 type=6 value=0 text="0")) ; int
        (index 1204..1212 type=4 ; float
          (member 1204..1209 type=8 sym=18 text="v" ; v: float[64]
            base: (ref 1204..1207 type=3 sym=21)) ; acc: tile
          (ref 1210..1211 type=6 sym=8))))) ; c: int
  (fn 5 kernel name="leaves" base="leaves" symbol="_Z6leavesPfi" file=1 1338..1503 name-at=1354 ret=1 params=9,10 ; void
    (compound 1378..1503
      (decl 1381..1395
        (var 1381..1394 type=3 sym=22 text="acc" ; acc: tile
          (init-list 1392..1394 type=3))) ; tile
      (if 1397..1483
        cond: (binary 1401..1406 op=gt type=7 ; bool
          (ref 1401..1402 type=6 sym=10) ; c: int
          (literal 1405..1406 type=6 value=1 text="1")) ; int
        then: (compound 1408..1458
          (if 1412..1440
            cond: (binary 1416..1422 op=eq type=7 ; bool
              (ref 1416..1417 type=6 sym=10) ; c: int
              (literal 1421..1422 type=6 value=5 text="5")) ; int
            then: (compound 1424..1440
              (return 1429..1436)))
          (call 1443..1455 type=1 fn=1 text="add" ; add: void
            (ref 1447..1450 type=3 sym=22) ; acc: tile
            (literal 1452..1453 type=6 value=1 text="1"))) ; int
        else: (compound 1464..1483
          (call 1468..1480 type=1 fn=1 text="add" ; add: void
            (ref 1472..1475 type=3 sym=22) ; acc: tile
            (literal 1477..1478 type=6 value=1 text="1")))) ; int
      (assign 1485..1501 type=4 ; float
        (index 1485..1489 type=4 ; float
          (ref 1485..1486 type=5 sym=9) ; p: float *
          (literal 1487..1488 type=6 value=0 text="0")) ; int
        (index 1492..1500 type=4 ; float
          (member 1492..1497 type=8 sym=18 text="v" ; v: float[64]
            base: (ref 1492..1495 type=3 sym=22)) ; acc: tile
          (ref 1498..1499 type=6 sym=10))))) ; c: int
  (fn 6 kernel name="different" base="different" symbol="_Z9differentPfi" file=1 1677..1816 name-at=1693 ret=1 params=11,12 ; void
    (compound 1720..1816
      (decl 1723..1737
        (var 1723..1736 type=3 sym=23 text="acc" ; acc: tile
          (init-list 1734..1736 type=3))) ; tile
      (if 1739..1796
        cond: (binary 1743..1748 op=gt type=7 ; bool
          (ref 1743..1744 type=6 sym=12) ; c: int
          (literal 1747..1748 type=6 value=1 text="1")) ; int
        then: (compound 1750..1769
          (call 1754..1766 type=1 fn=1 text="add" ; add: void
            (ref 1758..1761 type=3 sym=23) ; acc: tile
            (literal 1763..1764 type=6 value=1 text="1"))) ; int
        else: (compound 1775..1796
          (call 1779..1793 type=1 fn=2 text="scale" ; scale: void
            (ref 1785..1788 type=3 sym=23) ; acc: tile
            (literal 1790..1791 type=6 value=1 text="1")))) ; int
      (assign 1798..1814 type=4 ; float
        (index 1798..1802 type=4 ; float
          (ref 1798..1799 type=5 sym=11) ; p: float *
          (literal 1800..1801 type=6 value=0 text="0")) ; int
        (index 1805..1813 type=4 ; float
          (member 1805..1810 type=8 sym=18 text="v" ; v: float[64]
            base: (ref 1805..1808 type=3 sym=23)) ; acc: tile
          (ref 1811..1812 type=6 sym=12))))) ; c: int
  (fn 7 kernel name="depends" base="depends" symbol="_Z7dependsPfi" file=1 1980..2205 name-at=1996 ret=1 params=13,14 ; void
    (compound 2021..2205
      (decl 2024..2038
        (var 2024..2037 type=3 sym=24 text="acc" ; acc: tile
          (init-list 2035..2037 type=3))) ; tile
      (if 2040..2185
        cond: (binary 2044..2049 op=gt type=7 ; bool
          (ref 2044..2045 type=6 sym=14) ; c: int
          (literal 2048..2049 type=6 value=1 text="1")) ; int
        then: (compound 2051..2113
          (for 2055..2110
            init: (decl 2060..2070
              (var 2060..2069 type=6 sym=25 text="i" ; i: int
                (literal 2068..2069 type=6 value=0 text="0"))) ; int
            cond: (binary 2071..2077 op=lt type=7 ; bool
              (ref 2071..2072 type=6 sym=25) ; i: int
              (literal 2075..2077 type=6 value=64 text="64")) ; int
            inc: (unary 2079..2082 op=postinc type=6 ; int
              (ref 2079..2080 type=6 sym=25)) ; i: int
            body: (compound 2084..2110
              (assign 2089..2106 op=add type=4 ; float
                (index 2089..2097 type=4 ; float
                  (member 2089..2094 type=8 sym=18 text="v" ; v: float[64]
                    base: (ref 2089..2092 type=3 sym=24)) ; acc: tile
                  (ref 2095..2096 type=6 sym=25)) ; i: int
                (index 2101..2105 type=4 ; float
                  (ref 2101..2102 type=5 sym=13) ; p: float *
                  (ref 2103..2104 type=6 sym=25)))))) ; i: int
        else: (compound 2119..2185
          (for 2123..2182
            init: (decl 2128..2138
              (var 2128..2137 type=6 sym=26 text="i" ; i: int
                (literal 2136..2137 type=6 value=0 text="0"))) ; int
            cond: (binary 2139..2145 op=lt type=7 ; bool
              (ref 2139..2140 type=6 sym=26) ; i: int
              (literal 2143..2145 type=6 value=64 text="64")) ; int
            inc: (unary 2147..2150 op=postinc type=6 ; int
              (ref 2147..2148 type=6 sym=26)) ; i: int
            body: (compound 2152..2182
              (assign 2157..2178 op=add type=4 ; float
                (index 2157..2165 type=4 ; float
                  (member 2157..2162 type=8 sym=18 text="v" ; v: float[64]
                    base: (ref 2157..2160 type=3 sym=24)) ; acc: tile
                  (ref 2163..2164 type=6 sym=26)) ; i: int
                (cast 2169..2177 type=4 ; float
                  (ref 2176..2177 type=6 sym=26))))))) ; i: int
      (assign 2187..2203 type=4 ; float
        (index 2187..2191 type=4 ; float
          (ref 2187..2188 type=5 sym=13) ; p: float *
          (literal 2189..2190 type=6 value=0 text="0")) ; int
        (index 2194..2202 type=4 ; float
          (member 2194..2199 type=8 sym=18 text="v" ; v: float[64]
            base: (ref 2194..2197 type=3 sym=24)) ; acc: tile
          (ref 2200..2201 type=6 sym=14))))) ; c: int
  (fn 8 kernel name="multiply" base="multiply" symbol="_Z8multiplyPfi" file=1 2347..2496 name-at=2363 ret=1 params=15,16 ; void
    (compound 2389..2496
      (decl 2392..2406
        (var 2392..2405 type=3 sym=27 text="acc" ; acc: tile
          (init-list 2403..2405 type=3))) ; tile
      (if 2408..2476
        cond: (binary 2412..2417 op=gt type=7 ; bool
          (ref 2412..2413 type=6 sym=16) ; c: int
          (literal 2416..2417 type=6 value=1 text="1")) ; int
        then: (compound 2419..2448
          (call 2423..2445 type=1 fn=1 text="add" ; add: void
            (ref 2427..2430 type=3 sym=27) ; acc: tile
            (binary 2432..2443 op=mul type=4 ; float
              (index 2432..2436 type=4 ; float
                (ref 2432..2433 type=5 sym=15) ; p: float *
                (literal 2434..2435 type=6 value=0 text="0")) ; int
              (index 2439..2443 type=4 ; float
                (ref 2439..2440 type=5 sym=15) ; p: float *
                (literal 2441..2442 type=6 value=1 text="1"))))) ; int
        else: (compound 2454..2476
          (call 2458..2473 type=1 fn=1 text="add" ; add: void
            (ref 2462..2465 type=3 sym=27) ; acc: tile
            (literal 2467..2471 type=4 text="3.0f")))) ; float
      (assign 2478..2494 type=4 ; float
        (index 2478..2482 type=4 ; float
          (ref 2478..2479 type=5 sym=15) ; p: float *
          (literal 2480..2481 type=6 value=0 text="0")) ; int
        (index 2485..2493 type=4 ; float
          (member 2485..2490 type=8 sym=18 text="v" ; v: float[64]
            base: (ref 2485..2488 type=3 sym=27)) ; acc: tile
          (ref 2491..2492 type=6 sym=16)))))) ; c: int
