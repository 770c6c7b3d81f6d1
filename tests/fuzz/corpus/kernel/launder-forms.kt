(unit target="gfx90a"
  (file 1 path="tests/golden/launder/forms.hip" main
    "// RUN: %S/../sequentialize/Inputs/form %unphi launder %s %t.hip\n"
    "//\n"
    "// The first legal form is taken: uniform where the condition is proved uniform, else per lane.\n"
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
    "__global__ void uniform(float *p, int n, int c, int d)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int i = 0; i < n; i++) {\n"
    "\t\tif (i < c /* interior */) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else {\n"
    "\t\t\tscale(acc, 2);\n"
    "\t\t}\n"
    "\t}\n"
    "\tif (c = d) {\n"
    "\t\tadd(acc, 3);\n"
    "\t} else if (n == 2)\n"
    "\t\tscale(acc, 4); // two\n"
    "\telse\n"
    "\t\tadd(acc, 5);\n"
    "\tstore(p, acc);\n"
    "}\n"
    "\n"
    "__global__ void per_lane(float *p, int n, int c, int d)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int i = 0; i < n; i++)\n"
    "\t\tif (p[i] < c) {\n"
    "\t\t\tadd(acc, p[i + 1]);\n"
    "\t\t} else {\n"
    "\t\t\tscale(acc, 2);\n"
    "\t\t}\n"
    "\tif (int x = int(p[2]) + d) {\n"
    "\t\tadd(acc, x);\n"
    "\t} else {\n"
    "\t\tscale(acc, n);\n"
    "\t}\n"
    "\tstore(p, acc);\n"
    "}\n"
    "\n"
    "__global__ void chosen(float *p, int n, int c, int d)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tswitch (c) {\n"
    "\tcase 0:\n"
    "\t\tadd(acc, 1);\n"
    "\t\tbreak;\n"
    "\tcase 1:\n"
    "\tcase 2:\n"
    "\t\tscale(acc, 2);\n"
    "\t\tbreak;\n"
    "\t}\n"
    "\tswitch (int(p[d])) {\n"
    "\tcase 0:\n"
    "\t\tadd(acc, 1);\n"
    "\t\tbreak;\n"
    "\tdefault:\n"
    "\t\tscale(acc, 2);\n"
    "\t}\n"
    "\tstore(p, acc);\n"
    "}\n"
    "\n"
    "#ifndef __HIP__\n"
    "void (*const kernels[])(float *, int, int, int) = {uniform, per_lane, chosen};\n"
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
  (sym 1 param type=2 fn=1 file=1 at=317 name="t") ; tile &
  (sym 2 param type=4 fn=1 file=1 at=326 name="x") ; float
  (sym 3 param type=2 fn=2 file=1 at=423 name="t") ; tile &
  (sym 4 param type=4 fn=2 file=1 at=432 name="x") ; float
  (sym 5 param type=5 fn=3 file=1 at=542 name="p") ; float *
  (sym 6 param type=6 fn=3 file=1 at=557 name="t") ; const tile &
  (sym 7 param type=5 fn=4 file=1 at=648 name="p") ; float *
  (sym 8 param type=8 fn=4 file=1 at=655 name="n") ; int
  (sym 9 param type=8 fn=4 file=1 at=662 name="c") ; int
  (sym 10 param type=8 fn=4 file=1 at=669 name="d") ; int
  (sym 11 param type=5 fn=5 file=1 at=948 name="p") ; float *
  (sym 12 param type=8 fn=5 file=1 at=955 name="n") ; int
  (sym 13 param type=8 fn=5 file=1 at=962 name="c") ; int
  (sym 14 param type=8 fn=5 file=1 at=969 name="d") ; int
  (sym 15 param type=5 fn=6 file=1 at=1217 name="p") ; float *
  (sym 16 param type=8 fn=6 file=1 at=1224 name="n") ; int
  (sym 17 param type=8 fn=6 file=1 at=1231 name="c") ; int
  (sym 18 param type=8 fn=6 file=1 at=1238 name="d") ; int
  (sym 19 local type=8 fn=1 file=1 at=341 name="i") ; int
  (sym 20 field type=10 file=1 at=273 name="v") ; float[64]
  (sym 21 local type=8 fn=2 file=1 at=447 name="i") ; int
  (sym 22 local type=8 fn=3 file=1 at=572 name="i") ; int
  (sym 23 local type=3 fn=4 file=1 at=680 name="acc") ; tile
  (sym 24 local type=8 fn=4 file=1 at=700 name="i") ; int
  (sym 25 local type=3 fn=5 file=1 at=980 name="acc") ; tile
  (sym 26 local type=8 fn=5 file=1 at=1000 name="i") ; int
  (sym 27 local type=8 fn=5 file=1 at=1102 name="x") ; int
  (sym 28 local type=3 fn=6 file=1 at=1249 name="acc") ; tile
  (fn 1 device name="add" base="add" symbol="_Z3addR4tilef" file=1 284..386 name-at=307 ret=1 params=1,2 ; void
    (compound 329..386
      (for 332..384
        init: (decl 337..347
          (var 337..346 type=8 sym=19 text="i" ; i: int
            (literal 345..346 type=8 value=0 text="0"))) ; int
        cond: (binary 348..354 op=lt type=9 ; bool
          (ref 348..349 type=8 sym=19) ; i: int
          (literal 352..354 type=8 value=64 text="64")) ; int
        inc: (unary 356..359 op=postinc type=8 ; int
          (ref 356..357 type=8 sym=19)) ; i: int
        body: (compound 361..384
          (assign 365..381 op=add type=4 ; float
            (index 365..371 type=4 ; float
              (member 365..368 type=10 sym=20 text="v" ; v: float[64]
                base: (ref 365..366 type=3 sym=1)) ; t: tile
              (ref 369..370 type=8 sym=19)) ; i: int
            (binary 375..380 op=add type=4 ; float
              (ref 375..376 type=4 sym=2) ; x: float
              (ref 379..380 type=8 sym=19))))))) ; i: int
  (fn 2 device name="scale" base="scale" symbol="_Z5scaleR4tilef" file=1 388..504 name-at=411 ret=1 params=3,4 ; void
    (compound 435..504
      (for 438..502
        init: (decl 443..453
          (var 443..452 type=8 sym=21 text="i" ; i: int
            (literal 451..452 type=8 value=0 text="0"))) ; int
        cond: (binary 454..460 op=lt type=9 ; bool
          (ref 454..455 type=8 sym=21) ; i: int
          (literal 458..460 type=8 value=64 text="64")) ; int
        inc: (unary 462..465 op=postinc type=8 ; int
          (ref 462..463 type=8 sym=21)) ; i: int
        body: (compound 467..502
          (assign 471..499 type=4 ; float
            (index 471..477 type=4 ; float
              (member 471..474 type=10 sym=20 text="v" ; v: float[64]
                base: (ref 471..472 type=3 sym=3)) ; t: tile
              (ref 475..476 type=8 sym=21)) ; i: int
            (binary 480..498 op=sub type=4 ; float
              (binary 480..494 op=mul type=4 ; float
                (index 480..486 type=4 ; float
                  (member 480..483 type=10 sym=20 text="v" ; v: float[64]
                    base: (ref 480..481 type=3 sym=3)) ; t: tile
                  (ref 484..485 type=8 sym=21)) ; i: int
                (literal 489..494 type=4 text="0.75f")) ; float
              (ref 497..498 type=4 sym=4))))))) ; x: float
  (fn 3 device name="store" base="store" symbol="_Z5storePfRK4tile" file=1 506..615 name-at=529 ret=1 params=5,6 ; void
    (compound 560..615
      (for 563..613
        init: (decl 568..578
          (var 568..577 type=8 sym=22 text="i" ; i: int
            (literal 576..577 type=8 value=0 text="0"))) ; int
        cond: (binary 579..585 op=lt type=9 ; bool
          (ref 579..580 type=8 sym=22) ; i: int
          (literal 583..585 type=8 value=64 text="64")) ; int
        inc: (unary 587..590 op=postinc type=8 ; int
          (ref 587..588 type=8 sym=22)) ; i: int
        body: (compound 592..613
          (assign 596..610 type=4 ; float
            (index 596..600 type=4 ; float
              (ref 596..597 type=5 sym=5) ; p: float *
              (ref 598..599 type=8 sym=22)) ; i: int
            (index 603..609 type=11 ; const float
              (member 603..606 type=12 sym=20 text="v" ; v: const float[64]
                base: (ref 603..604 type=7 sym=6)) ; t: const tile
              (ref 607..608 type=8 sym=22))))))) ; i: int
  (fn 4 kernel name="uniform" base="uniform" symbol="_Z7uniformPfiii" file=1 617..914 name-at=633 ret=1 params=7,8,9,10 ; void
    (compound 672..914
      (decl 675..689
        (var 675..688 type=3 sym=23 text="acc" ; acc: tile
          (init-list 686..688 type=3))) ; tile
      (for 691..802
        init: (decl 696..706
          (var 696..705 type=8 sym=24 text="i" ; i: int
            (literal 704..705 type=8 value=0 text="0"))) ; int
        cond: (binary 707..712 op=lt type=9 ; bool
          (ref 707..708 type=8 sym=24) ; i: int
          (ref 711..712 type=8 sym=8)) ; n: int
        inc: (unary 714..717 op=postinc type=8 ; int
          (ref 714..715 type=8 sym=24)) ; i: int
        body: (compound 719..802
          (if 723..799
            cond: (binary 727..732 op=lt type=9 ; bool
              (ref 727..728 type=8 sym=24) ; i: int
              (ref 731..732 type=8 sym=9)) ; c: int
            then: (compound 749..770
              (call 754..766 type=1 fn=1 text="add" ; add: void
                (ref 758..761 type=3 sym=23) ; acc: tile
                (literal 763..764 type=8 value=1 text="1"))) ; int
            else: (compound 776..799
              (call 781..795 type=1 fn=2 text="scale" ; scale: void
                (ref 787..790 type=3 sym=23) ; acc: tile
                (literal 792..793 type=8 value=2 text="2")))))) ; int
      (if 804..896
        cond: (assign 808..813 type=8 ; int
          (ref 808..809 type=8 sym=9) ; c: int
          (ref 812..813 type=8 sym=10)) ; d: int
        then: (compound 815..834
          (call 819..831 type=1 fn=1 text="add" ; add: void
            (ref 823..826 type=3 sym=23) ; acc: tile
            (literal 828..829 type=8 value=3 text="3"))) ; int
        else: (if 840..896
          cond: (binary 844..850 op=eq type=9 ; bool
            (ref 844..845 type=8 sym=8) ; n: int
            (literal 849..850 type=8 value=2 text="2")) ; int
          then: (call 854..868 type=1 fn=2 text="scale" ; scale: void
            (ref 860..863 type=3 sym=23) ; acc: tile
            (literal 865..866 type=8 value=4 text="4")) ; int
          else: (call 884..896 type=1 fn=1 text="add" ; add: void
            (ref 888..891 type=3 sym=23) ; acc: tile
            (literal 893..894 type=8 value=5 text="5")))) ; int
      (call 898..912 type=1 fn=3 text="store" ; store: void
        (ref 904..905 type=5 sym=7) ; p: float *
        (ref 907..910 type=3 sym=23)))) ; acc: tile
  (fn 5 kernel name="per_lane" base="per_lane" symbol="_Z8per_lanePfiii" file=1 916..1185 name-at=932 ret=1 params=11,12,13,14 ; void
    (compound 972..1185
      (decl 975..989
        (var 975..988 type=3 sym=25 text="acc" ; acc: tile
          (init-list 986..988 type=3))) ; tile
      (for 991..1092
        init: (decl 996..1006
          (var 996..1005 type=8 sym=26 text="i" ; i: int
            (literal 1004..1005 type=8 value=0 text="0"))) ; int
        cond: (binary 1007..1012 op=lt type=9 ; bool
          (ref 1007..1008 type=8 sym=26) ; i: int
          (ref 1011..1012 type=8 sym=12)) ; n: int
        inc: (unary 1014..1017 op=postinc type=8 ; int
          (ref 1014..1015 type=8 sym=26)) ; i: int
        body: (if 1021..1092
          cond: (binary 1025..1033 op=lt type=9 ; bool
            (index 1025..1029 type=4 ; float
              (ref 1025..1026 type=5 sym=11) ; p: float *
              (ref 1027..1028 type=8 sym=26)) ; i: int
            (ref 1032..1033 type=8 sym=13)) ; c: int
          then: (compound 1035..1063
            (call 1040..1059 type=1 fn=1 text="add" ; add: void
              (ref 1044..1047 type=3 sym=25) ; acc: tile
              (index 1049..1057 type=4 ; float
                (ref 1049..1050 type=5 sym=11) ; p: float *
                (binary 1051..1056 op=add type=8 ; int
                  (ref 1051..1052 type=8 sym=26) ; i: int
                  (literal 1055..1056 type=8 value=1 text="1"))))) ; int
          else: (compound 1069..1092
            (call 1074..1088 type=1 fn=2 text="scale" ; scale: void
              (ref 1080..1083 type=3 sym=25) ; acc: tile
              (literal 1085..1086 type=8 value=2 text="2"))))) ; int
      (if 1094..1167
        var: (var 1098..1119 type=8 sym=27 text="x" ; x: int
          (binary 1106..1119 op=add type=8 ; int
            (cast 1106..1115 type=8 ; int
              (index 1110..1114 type=4 ; float
                (ref 1110..1111 type=5 sym=11) ; p: float *
                (literal 1112..1113 type=8 value=2 text="2"))) ; int
            (ref 1118..1119 type=8 sym=14))) ; d: int
        cond: (ref 1102..1103 type=8 sym=27) ; x: int
        then: (compound 1121..1140
          (call 1125..1137 type=1 fn=1 text="add" ; add: void
            (ref 1129..1132 type=3 sym=25) ; acc: tile
            (ref 1134..1135 type=8 sym=27))) ; x: int
        else: (compound 1146..1167
          (call 1150..1164 type=1 fn=2 text="scale" ; scale: void
            (ref 1156..1159 type=3 sym=25) ; acc: tile
            (ref 1161..1162 type=8 sym=12)))) ; n: int
      (call 1169..1183 type=1 fn=3 text="store" ; store: void
        (ref 1175..1176 type=5 sym=11) ; p: float *
        (ref 1178..1181 type=3 sym=25)))) ; acc: tile
  (fn 6 kernel name="chosen" base="chosen" symbol="_Z6chosenPfiii" file=1 1187..1455 name-at=1203 ret=1 params=15,16,17,18 ; void
    (compound 1241..1455
      (decl 1244..1258
        (var 1244..1257 type=3 sym=28 text="acc" ; acc: tile
          (init-list 1255..1257 type=3))) ; tile
      (switch 1260..1352
        cond: (ref 1268..1269 type=8 sym=17) ; c: int
        body: (compound 1271..1352
          (case 1274..1296
            value: (literal 1279..1280 type=8 value=0 text="0") ; int
            stmt: (call 1284..1296 type=1 fn=1 text="add" ; add: void
              (ref 1288..1291 type=3 sym=28) ; acc: tile
              (literal 1293..1294 type=8 value=1 text="1"))) ; int
          (break 1299..1305)
          (case 1307..1340
            value: (literal 1312..1313 type=8 value=1 text="1") ; int
            stmt: (case 1316..1340
              value: (literal 1321..1322 type=8 value=2 text="2") ; int
              stmt: (call 1326..1340 type=1 fn=2 text="scale" ; scale: void
                (ref 1332..1335 type=3 sym=28) ; acc: tile
                (literal 1337..1338 type=8 value=2 text="2")))) ; int
          (break 1343..1349)))
      (switch 1354..1437
        cond: (cast 1362..1371 type=8 ; int
          (index 1366..1370 type=4 ; float
            (ref 1366..1367 type=5 sym=15) ; p: float *
            (ref 1368..1369 type=8 sym=18))) ; d: int
        body: (compound 1373..1437
          (case 1376..1398
            value: (literal 1381..1382 type=8 value=0 text="0") ; int
            stmt: (call 1386..1398 type=1 fn=1 text="add" ; add: void
              (ref 1390..1393 type=3 sym=28) ; acc: tile
              (literal 1395..1396 type=8 value=1 text="1"))) ; int
          (break 1401..1407)
          (default 1409..1434 text=""
            (call 1420..1434 type=1 fn=2 text="scale" ; scale: void
              (ref 1426..1429 type=3 sym=28) ; acc: tile
              (literal 1431..1432 type=8 value=2 text="2"))))) ; int
      (call 1439..1453 type=1 fn=3 text="store" ; store: void
        (ref 1445..1446 type=5 sym=15) ; p: float *
        (ref 1448..1451 type=3 sym=28))))) ; acc: tile
