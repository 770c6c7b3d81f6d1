(unit target="gfx90a"
  (file 1 path="tests/golden/sequentialize/switch.hip" main
    "// RUN: %S/Inputs/form %unphi sequentialize %s %t.hip\n"
    "//\n"
    "// A switch: several labels, default in the middle, enum cases, GNU ranges, no default, values behind\n"
    "// macros, break inside and outside of braces. Its value is read once.\n"
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
    "\t\tt.v[i] += x + i;\n"
    "\t}\n"
    "}\n"
    "\n"
    "__device__ inline void scale(tile &t, float x)\n"
    "{\n"
    "\tfor (int i = 0; i < 64; i++) {\n"
    "\t\tt.v[i] = t.v[i] * 0.75f - x;\n"
    "\t}\n"
    "}\n"
    "\n"
    "__device__ inline void store(float *p, const tile &t)\n"
    "{\n"
    "\tfor (int i = 0; i < 64; i++) {\n"
    "\t\tp[i] = t.v[i];\n"
    "\t}\n"
    "}\n"
    "\n"
    "#define FORWARD 1\n"
    "enum class mode { add, scale, both = 4 };\n"
    "enum { FIRST = 2, SECOND };\n"
    "\n"
    "__global__ void labels(float *p, int n, int c, int d)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tswitch (c) {\n"
    "\tcase FORWARD:\n"
    "\t\tadd(acc, 1);\n"
    "\t\tbreak;\n"
    "\tcase FIRST:\n"
    "\tcase SECOND: {\n"
    "\t\tscale(acc, 2);\n"
    "\t\tbreak;\n"
    "\t}\n"
    "\tdefault:\n"
    "\t\tadd(acc, 3);\n"
    "\t\tscale(acc, 4);\n"
    "\t\tbreak;\n"
    "\tcase 4 ... 5:\n"
    "\t\tscale(acc, 5);\n"
    "\t\tbreak;\n"
    "\tcase -FORWARD: {\n"
    "\t\tadd(acc, 6);\n"
    "\t} break;\n"
    "\tcase FIRST + 5:\n"
    "\t\tbreak;\n"
    "\t}\n"
    "\tstore(p, acc);\n"
    "}\n"
    "\n"
    "__global__ void scoped(float *p, int n, int c, int d)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int i = 0; i < n; i++) {\n"
    "\t\tswitch (static_cast<mode>(c++)) {\n"
    "\t\tcase mode::add:\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t\tcontinue;\n"
    "\t\tcase mode::scale: scale(acc, 2); break;\n"
    "\t\tcase mode::both: {\n"
    "\t\t\tfloat x = d;\n"
    "\t\t\tadd(acc, x);\n"
    "\t\t\tscale(acc, x);\n"
    "\t\t}\n"
    "\t\t}\n"
    "\t\tif (d == 4) {\n"
    "\t\t\tbreak;\n"
    "\t\t}\n"
    "\t\tacc.v[1] += 1;\n"
    "\t}\n"
    "\tstore(p, acc);\n"
    "}\n"
    "\n"
    "__global__ void with_declaration(float *p, int n, int c, int d)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tswitch (int x = c + d; x) {\n"
    "\tcase 2:\n"
    "\t\tadd(acc, x);\n"
    "\t\tbreak;\n"
    "\tcase 3:\n"
    "\t\tscale(acc, x);\n"
    "\t\tbreak;\n"
    "\t}\n"
    "\tswitch (int y = c - d) {\n"
    "\tcase 0:\n"
    "\t\tadd(acc, y);\n"
    "\t\tbreak;\n"
    "\tdefault:\n"
    "\t\tscale(acc, y);\n"
    "\t}\n"
    "\tstore(p, acc);\n"
    "}\n"
    "\n"
    "#ifndef __HIP__\n"
    "void (*const kernels[])(float *, int, int, int) = {labels, scoped, with_declaration};\n"
    "#endif\n")
  (type 1 void name="void" canon="void")
  (type 2 reference size=256 elem=3 name="tile &" canon="tile &")
  (type 3 record size=256 trivial name="tile" canon="tile")
  (type 4 float size=4 trivial name="float" canon="float")
  (type 5 pointer size=8 elem=4 trivial name="float *" canon="float *")
  (type 6 reference size=256 elem=7 name="const tile &" canon="const tile &")
  (type 7 record size=256 const trivial name="const tile" canon="const tile")
  (type 8 int size=4 trivial name="int" canon="int")
  (type 9 bool size=1 trivial name="bool" canon="bool")
  (type 10 array size=256 count=64 elem=4 trivial name="float[64]" canon="float[64]")
  (type 11 float size=4 const trivial name="const float" canon="const float")
  (type 12 array size=256 count=64 elem=4 const trivial name="const float[64]" canon="const float[64]")
  (type 13 int size=4 trivial name="(unnamed enum at tests/golden/sequentialize/switch.hip:36:1)" canon="(unnamed enum at tests/golden/sequentialize/switch.hip:36:1)")
  (type 14 int size=4 trivial name="mode" canon="mode")
  (sym 1 param type=2 fn=1 file=1 at=383 name="t") ; tile &
  (sym 2 param type=4 fn=1 file=1 at=392 name="x") ; float
  (sym 3 param type=2 fn=2 file=1 at=489 name="t") ; tile &
  (sym 4 param type=4 fn=2 file=1 at=498 name="x") ; float
  (sym 5 param type=5 fn=3 file=1 at=608 name="p") ; float *
  (sym 6 param type=6 fn=3 file=1 at=623 name="t") ; const tile &
  (sym 7 param type=5 fn=4 file=1 at=802 name="p") ; float *
  (sym 8 param type=8 fn=4 file=1 at=809 name="n") ; int
  (sym 9 param type=8 fn=4 file=1 at=816 name="c") ; int
  (sym 10 param type=8 fn=4 file=1 at=823 name="d") ; int
  (sym 11 param type=5 fn=5 file=1 at=1168 name="p") ; float *
  (sym 12 param type=8 fn=5 file=1 at=1175 name="n") ; int
  (sym 13 param type=8 fn=5 file=1 at=1182 name="c") ; int
  (sym 14 param type=8 fn=5 file=1 at=1189 name="d") ; int
  (sym 15 param type=5 fn=6 file=1 at=1554 name="p") ; float *
  (sym 16 param type=8 fn=6 file=1 at=1561 name="n") ; int
  (sym 17 param type=8 fn=6 file=1 at=1568 name="c") ; int
  (sym 18 param type=8 fn=6 file=1 at=1575 name="d") ; int
  (sym 19 local type=8 fn=1 file=1 at=407 name="i") ; int
  (sym 20 field type=10 file=1 at=339 name="v") ; float[64]
  (sym 21 local type=8 fn=2 file=1 at=513 name="i") ; int
  (sym 22 local type=8 fn=3 file=1 at=638 name="i") ; int
  (sym 23 local type=3 fn=4 file=1 at=834 name="acc") ; tile
  (sym 24 const space=constant type=13 file=1 at=750 name="FIRST") ; (unnamed enum at tests/golden/sequentialize/switch.hip:36:1)
  (sym 25 const space=constant type=13 file=1 at=761 name="SECOND") ; (unnamed enum at tests/golden/sequentialize/switch.hip:36:1)
  (sym 26 local type=3 fn=5 file=1 at=1200 name="acc") ; tile
  (sym 27 local type=8 fn=5 file=1 at=1220 name="i") ; int
  (sym 28 const space=constant type=14 file=1 at=719 name="add") ; mode
  (sym 29 const space=constant type=14 file=1 at=724 name="scale") ; mode
  (sym 30 const space=constant type=14 file=1 at=731 name="both") ; mode
  (sym 31 local type=4 fn=5 file=1 at=1396 name="x") ; float
  (sym 32 local type=3 fn=6 file=1 at=1586 name="acc") ; tile
  (sym 33 local type=8 fn=6 file=1 at=1609 name="x") ; int
  (sym 34 local type=8 fn=6 file=1 at=1709 name="y") ; int
  (fn 1 device name="add" base="add" symbol="_Z3addR4tilef" file=1 350..452 name-at=373 ret=1 params=1,2 ; void
    (compound 395..452
      (for 398..450
        init: (decl 403..413
          (var 403..412 type=8 sym=19 text="i" ; i: int
            (literal 411..412 type=8 value=0 text="0"))) ; int
        cond: (binary 414..420 op=lt type=9 ; bool
          (ref 414..415 type=8 sym=19) ; i: int
          (literal 418..420 type=8 value=64 text="64")) ; int
        inc: (unary 422..425 op=postinc type=8 ; int
          (ref 422..423 type=8 sym=19)) ; i: int
        body: (compound 427..450
          (assign 431..447 op=add type=4 ; float
            (index 431..437 type=4 ; float
              (member 431..434 type=10 sym=20 text="v" ; v: float[64]
                base: (ref 431..432 type=3 sym=1)) ; t: tile
              (ref 435..436 type=8 sym=19)) ; i: int
            (binary 441..446 op=add type=4 ; float
              (ref 441..442 type=4 sym=2) ; x: float
              (ref 445..446 type=8 sym=19))))))) ; i: int
  (fn 2 device name="scale" base="scale" symbol="_Z5scaleR4tilef" file=1 454..570 name-at=477 ret=1 params=3,4 ; void
    (compound 501..570
      (for 504..568
        init: (decl 509..519
          (var 509..518 type=8 sym=21 text="i" ; i: int
            (literal 517..518 type=8 value=0 text="0"))) ; int
        cond: (binary 520..526 op=lt type=9 ; bool
          (ref 520..521 type=8 sym=21) ; i: int
          (literal 524..526 type=8 value=64 text="64")) ; int
        inc: (unary 528..531 op=postinc type=8 ; int
          (ref 528..529 type=8 sym=21)) ; i: int
        body: (compound 533..568
          (assign 537..565 type=4 ; float
            (index 537..543 type=4 ; float
              (member 537..540 type=10 sym=20 text="v" ; v: float[64]
                base: (ref 537..538 type=3 sym=3)) ; t: tile
              (ref 541..542 type=8 sym=21)) ; i: int
            (binary 546..564 op=sub type=4 ; float
              (binary 546..560 op=mul type=4 ; float
                (index 546..552 type=4 ; float
                  (member 546..549 type=10 sym=20 text="v" ; v: float[64]
                    base: (ref 546..547 type=3 sym=3)) ; t: tile
                  (ref 550..551 type=8 sym=21)) ; i: int
                (literal 555..560 type=4 text="0.75f")) ; float
              (ref 563..564 type=4 sym=4))))))) ; x: float
  (fn 3 device name="store" base="store" symbol="_Z5storePfRK4tile" file=1 572..681 name-at=595 ret=1 params=5,6 ; void
    (compound 626..681
      (for 629..679
        init: (decl 634..644
          (var 634..643 type=8 sym=22 text="i" ; i: int
            (literal 642..643 type=8 value=0 text="0"))) ; int
        cond: (binary 645..651 op=lt type=9 ; bool
          (ref 645..646 type=8 sym=22) ; i: int
          (literal 649..651 type=8 value=64 text="64")) ; int
        inc: (unary 653..656 op=postinc type=8 ; int
          (ref 653..654 type=8 sym=22)) ; i: int
        body: (compound 658..679
          (assign 662..676 type=4 ; float
            (index 662..666 type=4 ; float
              (ref 662..663 type=5 sym=5) ; p: float *
              (ref 664..665 type=8 sym=22)) ; i: int
            (index 669..675 type=11 ; const float
              (member 669..672 type=12 sym=20 text="v" ; v: const float[64]
                base: (ref 669..670 type=7 sym=6)) ; t: const tile
              (ref 673..674 type=8 sym=22))))))) ; i: int
  (fn 4 kernel name="labels" base="labels" symbol="_Z6labelsPfiii" file=1 772..1136 name-at=788 ret=1 params=7,8,9,10 ; void
    (compound 826..1136
      (decl 829..843
        (var 829..842 type=3 sym=23 text="acc" ; acc: tile
          (init-list 840..842 type=3))) ; tile
      (switch 845..1118
        cond: (ref 853..854 type=8 sym=9) ; c: int
        body: (compound 856..1118
          (case 859..887
            value: (literal 864..871 type=8 value=1 macro text="") ; int
            stmt: (call 875..887 type=1 fn=1 text="add" ; add: void
              (ref 879..882 type=3 sym=23) ; acc: tile
              (literal 884..885 type=8 value=1 text="1"))) ; int
          (break 890..896)
          (case 898..954
            value: (ref 903..908 type=13 sym=24 value=2) ; FIRST: (unnamed enum at tests/golden/sequentialize/switch.hip:36:1)
            stmt: (case 911..954
              value: (ref 916..922 type=13 sym=25 value=3) ; SECOND: (unnamed enum at tests/golden/sequentialize/switch.hip:36:1)
              stmt: (compound 924..954
                (call 928..942 type=1 fn=2 text="scale" ; scale: void
                  (ref 934..937 type=3 sym=23) ; acc: tile
                  (literal 939..940 type=8 value=2 text="2")) ; int
                (break 945..951))))
          (default 956..979 text=""
            (call 967..979 type=1 fn=1 text="add" ; add: void
              (ref 971..974 type=3 sym=23) ; acc: tile
              (literal 976..977 type=8 value=3 text="3"))) ; int
          (call 982..996 type=1 fn=2 text="scale" ; scale: void
            (ref 988..991 type=3 sym=23) ; acc: tile
            (literal 993..994 type=8 value=4 text="4")) ; int
          (break 999..1005)
          (case 1007..1037
            value: (literal 1012..1013 type=8 value=4 text="4") ; int
            high: (literal 1018..1019 type=8 value=5 text="5") ; int
            stmt: (call 1023..1037 type=1 fn=2 text="scale" ; scale: void
              (ref 1029..1032 type=3 sym=23) ; acc: tile
              (literal 1034..1035 type=8 value=5 text="5"))) ; int
          (break 1040..1046)
          (case 1048..1082
            value: (unary 1053..1061 op=neg type=8 value=-1 ; int
              (literal 1054..1061 type=8 value=1 macro text="")) ; int
            stmt: (compound 1063..1082
              (call 1067..1079 type=1 fn=1 text="add" ; add: void
                (ref 1071..1074 type=3 sym=23) ; acc: tile
                (literal 1076..1077 type=8 value=6 text="6")))) ; int
          (break 1083..1089)
          (case 1091..1115
            value: (binary 1096..1105 op=add type=8 value=7 ; int
              (ref 1096..1101 type=13 sym=24 value=2) ; FIRST: (unnamed enum at tests/golden/sequentialize/switch.hip:36:1)
              (literal 1104..1105 type=8 value=5 text="5")) ; int
            stmt: (break 1109..1115))))
      (call 1120..1134 type=1 fn=3 text="store" ; store: void
        (ref 1126..1127 type=5 sym=7) ; p: float *
        (ref 1129..1132 type=3 sym=23)))) ; acc: tile
  (fn 5 kernel name="scoped" base="scoped" symbol="_Z6scopedPfiii" file=1 1138..1512 name-at=1154 ret=1 params=11,12,13,14 ; void
    (compound 1192..1512
      (decl 1195..1209
        (var 1195..1208 type=3 sym=26 text="acc" ; acc: tile
          (init-list 1206..1208 type=3))) ; tile
      (for 1211..1494
        init: (decl 1216..1226
          (var 1216..1225 type=8 sym=27 text="i" ; i: int
            (literal 1224..1225 type=8 value=0 text="0"))) ; int
        cond: (binary 1227..1232 op=lt type=9 ; bool
          (ref 1227..1228 type=8 sym=27) ; i: int
          (ref 1231..1232 type=8 sym=12)) ; n: int
        inc: (unary 1234..1237 op=postinc type=8 ; int
          (ref 1234..1235 type=8 sym=27)) ; i: int
        body: (compound 1239..1494
          (switch 1243..1444
            cond: (cast 1251..1273 type=14 ; mode
              (unary 1269..1272 op=postinc type=8 ; int
                (ref 1269..1270 type=8 sym=13))) ; c: int
            body: (compound 1275..1444
              (case 1279..1310
                value: (ref 1284..1293 type=14 sym=28 value=0) ; add: mode
                stmt: (call 1298..1310 type=1 fn=1 text="add" ; add: void
                  (ref 1302..1305 type=3 sym=26) ; acc: tile
                  (literal 1307..1308 type=8 value=1 text="1"))) ; int
              (continue 1314..1323)
              (case 1326..1358
                value: (ref 1331..1342 type=14 sym=29 value=1) ; scale: mode
                stmt: (call 1344..1358 type=1 fn=2 text="scale" ; scale: void
                  (ref 1350..1353 type=3 sym=26) ; acc: tile
                  (literal 1355..1356 type=8 value=2 text="2"))) ; int
              (break 1359..1365)
              (case 1368..1440
                value: (ref 1373..1383 type=14 sym=30 value=4) ; both: mode
                stmt: (compound 1385..1440
                  (decl 1390..1402
                    (var 1390..1401 type=4 sym=31 text="x" ; x: float
                      (ref 1400..1401 type=8 sym=14))) ; d: int
                  (call 1406..1418 type=1 fn=1 text="add" ; add: void
                    (ref 1410..1413 type=3 sym=26) ; acc: tile
                    (ref 1415..1416 type=4 sym=31)) ; x: float
                  (call 1422..1436 type=1 fn=2 text="scale" ; scale: void
                    (ref 1428..1431 type=3 sym=26) ; acc: tile
                    (ref 1433..1434 type=4 sym=31)))))) ; x: float
          (if 1447..1474
            cond: (binary 1451..1457 op=eq type=9 ; bool
              (ref 1451..1452 type=8 sym=14) ; d: int
              (literal 1456..1457 type=8 value=4 text="4")) ; int
            then: (compound 1459..1474
              (break 1464..1470)))
          (assign 1477..1491 op=add type=4 ; float
            (index 1477..1485 type=4 ; float
              (member 1477..1482 type=10 sym=20 text="v" ; v: float[64]
                base: (ref 1477..1480 type=3 sym=26)) ; acc: tile
              (literal 1483..1484 type=8 value=1 text="1")) ; int
            (literal 1489..1490 type=8 value=1 text="1")))) ; int
      (call 1496..1510 type=1 fn=3 text="store" ; store: void
        (ref 1502..1503 type=5 sym=11) ; p: float *
        (ref 1505..1508 type=3 sym=26)))) ; acc: tile
  (fn 6 kernel name="with_declaration" base="with_declaration" symbol="_Z16with_declarationPfiii" file=1 1514..1802 name-at=1530 ret=1 params=15,16,17,18 ; void
    (compound 1578..1802
      (decl 1581..1595
        (var 1581..1594 type=3 sym=32 text="acc" ; acc: tile
          (init-list 1592..1594 type=3))) ; tile
      (switch 1597..1695
        init: (stmt-unknown 1605..1619)
        cond: (ref 1620..1621 type=8 sym=33) ; x: int
        body: (compound 1623..1695
          (case 1626..1648
            value: (literal 1631..1632 type=8 value=2 text="2") ; int
            stmt: (call 1636..1648 type=1 fn=1 text="add" ; add: void
              (ref 1640..1643 type=3 sym=32) ; acc: tile
              (ref 1645..1646 type=8 sym=33))) ; x: int
          (break 1651..1657)
          (case 1659..1683
            value: (literal 1664..1665 type=8 value=3 text="3") ; int
            stmt: (call 1669..1683 type=1 fn=2 text="scale" ; scale: void
              (ref 1675..1678 type=3 sym=32) ; acc: tile
              (ref 1680..1681 type=8 sym=33))) ; x: int
          (break 1686..1692)))
      (switch 1697..1784
        var: (var 1705..1718 type=8 sym=34 text="y" ; y: int
          (binary 1713..1718 op=sub type=8 ; int
            (ref 1713..1714 type=8 sym=17) ; c: int
            (ref 1717..1718 type=8 sym=18))) ; d: int
        cond: (ref 1709..1710 type=8 sym=34) ; y: int
        body: (compound 1720..1784
          (case 1723..1745
            value: (literal 1728..1729 type=8 value=0 text="0") ; int
            stmt: (call 1733..1745 type=1 fn=1 text="add" ; add: void
              (ref 1737..1740 type=3 sym=32) ; acc: tile
              (ref 1742..1743 type=8 sym=34))) ; y: int
          (break 1748..1754)
          (default 1756..1781 text=""
            (call 1767..1781 type=1 fn=2 text="scale" ; scale: void
              (ref 1773..1776 type=3 sym=32) ; acc: tile
              (ref 1778..1779 type=8 sym=34))))) ; y: int
      (call 1786..1800 type=1 fn=3 text="store" ; store: void
        (ref 1792..1793 type=5 sym=15) ; p: float *
        (ref 1795..1798 type=3 sym=32))))) ; acc: tile
