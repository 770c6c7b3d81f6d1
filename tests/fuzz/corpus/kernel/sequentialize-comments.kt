(unit target="gfx90a"
  (file 1 path="tests/golden/sequentialize/comments.hip" main
    "// RUN: %S/Inputs/form %unphi sequentialize %s %t.hip\n"
    "//\n"
    "// No comment is lost, and one that ends a line stays with its code.\n"
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
    "__global__ void everywhere(float *p, int n, int c, int d)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\t// before\n"
    "\tif /* one */ (/* two */ c /* three */) /* four */ { // five\n"
    "\t\t// six\n"
    "\t\tadd(acc, 1); // seven\n"
    "\t} // eight\n"
    "\t// nine\n"
    "\telse /* ten */ if (d // eleven\n"
    "\t\t> 1) { /* twelve */\n"
    "\t\tscale(acc, 2);\n"
    "\t\t/* thirteen\n"
    "\t\t * goes on\n"
    "\t\t *   and on */\n"
    "\t}\n"
    "\t/* fourteen\n"
    "\t * goes on\n"
    "\t */\n"
    "\telse {\n"
    "\t\tadd(acc, 3);\n"
    "\t} // fifteen\n"
    "\t// after\n"
    "\tstore(p, acc);\n"
    "}\n"
    "\n"
    "__global__ void unbraced(float *p, int n, int c, int d)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tif (c) // one\n"
    "\t\t// two\n"
    "\t\tadd(acc, 1); // three\n"
    "\t// four\n"
    "\telse // five\n"
    "\t\tscale(acc, 2); /* six */ // seven\n"
    "\t// eight\n"
    "\tstore(p, acc);\n"
    "}\n"
    "\n"
    "__global__ void in_switch(float *p, int n, int c, int d)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tswitch (c /* one */) { // two\n"
    "\t// three\n"
    "\tcase 1'0: // four, after a digit separator\n"
    "\tcase '\"': // five\n"
    "\tcase 1: // six\n"
    "\t\tadd(acc, 1); // seven\n"
    "\t\t// eight\n"
    "\t\tbreak; // nine\n"
    "\tcase 2: { // ten\n"
    "\t\tscale(acc, 2);\n"
    "\t\t// eleven\n"
    "\t\tbreak; // twelve\n"
    "\t} // thirteen\n"
    "\tcase 3: {\n"
    "\t\tscale(acc, 3); break; /* fourteen */\n"
    "\t}\n"
    "\t/* fifteen */\n"
    "\tdefault:\n"
    "\t\tadd(acc, 4);\n"
    "\t\t// sixteen\n"
    "\t} // seventeen\n"
    "\tstore(p, acc);\n"
    "}\n"
    "\n"
    "#ifndef __HIP__\n"
    "void (*const kernels[])(float *, int, int, int) = {everywhere, unbraced, in_switch};\n"
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
  (type 13 int size=1 trivial name="char" canon="char")
  (sym 1 param type=2 fn=1 file=1 at=279 name="t") ; tile &
  (sym 2 param type=4 fn=1 file=1 at=288 name="x") ; float
  (sym 3 param type=2 fn=2 file=1 at=385 name="t") ; tile &
  (sym 4 param type=4 fn=2 file=1 at=394 name="x") ; float
  (sym 5 param type=5 fn=3 file=1 at=504 name="p") ; float *
  (sym 6 param type=6 fn=3 file=1 at=519 name="t") ; const tile &
  (sym 7 param type=5 fn=4 file=1 at=613 name="p") ; float *
  (sym 8 param type=8 fn=4 file=1 at=620 name="n") ; int
  (sym 9 param type=8 fn=4 file=1 at=627 name="c") ; int
  (sym 10 param type=8 fn=4 file=1 at=634 name="d") ; int
  (sym 11 param type=5 fn=5 file=1 at=1027 name="p") ; float *
  (sym 12 param type=8 fn=5 file=1 at=1034 name="n") ; int
  (sym 13 param type=8 fn=5 file=1 at=1041 name="c") ; int
  (sym 14 param type=8 fn=5 file=1 at=1048 name="d") ; int
  (sym 15 param type=5 fn=6 file=1 at=1238 name="p") ; float *
  (sym 16 param type=8 fn=6 file=1 at=1245 name="n") ; int
  (sym 17 param type=8 fn=6 file=1 at=1252 name="c") ; int
  (sym 18 param type=8 fn=6 file=1 at=1259 name="d") ; int
  (sym 19 local type=8 fn=1 file=1 at=303 name="i") ; int
  (sym 20 field type=10 file=1 at=235 name="v") ; float[64]
  (sym 21 local type=8 fn=2 file=1 at=409 name="i") ; int
  (sym 22 local type=8 fn=3 file=1 at=534 name="i") ; int
  (sym 23 local type=3 fn=4 file=1 at=645 name="acc") ; tile
  (sym 24 local type=3 fn=5 file=1 at=1059 name="acc") ; tile
  (sym 25 local type=3 fn=6 file=1 at=1270 name="acc") ; tile
  (fn 1 device name="add" base="add" symbol="_Z3addR4tilef" file=1 246..348 name-at=269 ret=1 params=1,2 ; void
    (compound 291..348
      (for 294..346
        init: (decl 299..309
          (var 299..308 type=8 sym=19 text="i" ; i: int
            (literal 307..308 type=8 value=0 text="0"))) ; int
        cond: (binary 310..316 op=lt type=9 ; bool
          (ref 310..311 type=8 sym=19) ; i: int
          (literal 314..316 type=8 value=64 text="64")) ; int
        inc: (unary 318..321 op=postinc type=8 ; int
          (ref 318..319 type=8 sym=19)) ; i: int
        body: (compound 323..346
          (assign 327..343 op=add type=4 ; float
            (index 327..333 type=4 ; float
              (member 327..330 type=10 sym=20 text="v" ; v: float[64]
                base: (ref 327..328 type=3 sym=1)) ; t: tile
              (ref 331..332 type=8 sym=19)) ; i: int
            (binary 337..342 op=add type=4 ; float
              (ref 337..338 type=4 sym=2) ; x: float
              (ref 341..342 type=8 sym=19))))))) ; i: int
  (fn 2 device name="scale" base="scale" symbol="_Z5scaleR4tilef" file=1 350..466 name-at=373 ret=1 params=3,4 ; void
    (compound 397..466
      (for 400..464
        init: (decl 405..415
          (var 405..414 type=8 sym=21 text="i" ; i: int
            (literal 413..414 type=8 value=0 text="0"))) ; int
        cond: (binary 416..422 op=lt type=9 ; bool
          (ref 416..417 type=8 sym=21) ; i: int
          (literal 420..422 type=8 value=64 text="64")) ; int
        inc: (unary 424..427 op=postinc type=8 ; int
          (ref 424..425 type=8 sym=21)) ; i: int
        body: (compound 429..464
          (assign 433..461 type=4 ; float
            (index 433..439 type=4 ; float
              (member 433..436 type=10 sym=20 text="v" ; v: float[64]
                base: (ref 433..434 type=3 sym=3)) ; t: tile
              (ref 437..438 type=8 sym=21)) ; i: int
            (binary 442..460 op=sub type=4 ; float
              (binary 442..456 op=mul type=4 ; float
                (index 442..448 type=4 ; float
                  (member 442..445 type=10 sym=20 text="v" ; v: float[64]
                    base: (ref 442..443 type=3 sym=3)) ; t: tile
                  (ref 446..447 type=8 sym=21)) ; i: int
                (literal 451..456 type=4 text="0.75f")) ; float
              (ref 459..460 type=4 sym=4))))))) ; x: float
  (fn 3 device name="store" base="store" symbol="_Z5storePfRK4tile" file=1 468..577 name-at=491 ret=1 params=5,6 ; void
    (compound 522..577
      (for 525..575
        init: (decl 530..540
          (var 530..539 type=8 sym=22 text="i" ; i: int
            (literal 538..539 type=8 value=0 text="0"))) ; int
        cond: (binary 541..547 op=lt type=9 ; bool
          (ref 541..542 type=8 sym=22) ; i: int
          (literal 545..547 type=8 value=64 text="64")) ; int
        inc: (unary 549..552 op=postinc type=8 ; int
          (ref 549..550 type=8 sym=22)) ; i: int
        body: (compound 554..575
          (assign 558..572 type=4 ; float
            (index 558..562 type=4 ; float
              (ref 558..559 type=5 sym=5) ; p: float *
              (ref 560..561 type=8 sym=22)) ; i: int
            (index 565..571 type=11 ; const float
              (member 565..568 type=12 sym=20 text="v" ; v: const float[64]
                base: (ref 565..566 type=7 sym=6)) ; t: const tile
              (ref 569..570 type=8 sym=22))))))) ; i: int
  (fn 4 kernel name="everywhere" base="everywhere" symbol="_Z10everywherePfiii" file=1 579..993 name-at=595 ret=1 params=7,8,9,10 ; void
    (compound 637..993
      (decl 640..654
        (var 640..653 type=3 sym=23 text="acc" ; acc: tile
          (init-list 651..653 type=3))) ; tile
      (if 667..954
        cond: (ref 691..692 type=8 sym=9) ; c: int
        then: (compound 717..762
          (call 738..750 type=1 fn=1 text="add" ; add: void
            (ref 742..745 type=3 sym=23) ; acc: tile
            (literal 747..748 type=8 value=1 text="1"))) ; int
        else: (if 797..954
          cond: (binary 801..818 op=gt type=9 ; bool
            (ref 801..802 type=8 sym=10) ; d: int
            (literal 817..818 type=8 value=1 text="1")) ; int
          then: (compound 820..898
            (call 837..851 type=1 fn=2 text="scale" ; scale: void
              (ref 843..846 type=3 sym=23) ; acc: tile
              (literal 848..849 type=8 value=2 text="2"))) ; int
          else: (compound 935..954
            (call 939..951 type=1 fn=1 text="add" ; add: void
              (ref 943..946 type=3 sym=23) ; acc: tile
              (literal 948..949 type=8 value=3 text="3"))))) ; int
      (call 977..991 type=1 fn=3 text="store" ; store: void
        (ref 983..984 type=5 sym=7) ; p: float *
        (ref 986..989 type=3 sym=23)))) ; acc: tile
  (fn 5 kernel name="unbraced" base="unbraced" symbol="_Z8unbracedPfiii" file=1 995..1203 name-at=1011 ret=1 params=11,12,13,14 ; void
    (compound 1051..1203
      (decl 1054..1068
        (var 1054..1067 type=3 sym=24 text="acc" ; acc: tile
          (init-list 1065..1067 type=3))) ; tile
      (if 1070..1156
        cond: (ref 1074..1075 type=8 sym=13) ; c: int
        then: (call 1095..1107 type=1 fn=1 text="add" ; add: void
          (ref 1099..1102 type=3 sym=24) ; acc: tile
          (literal 1104..1105 type=8 value=1 text="1")) ; int
        else: (call 1142..1156 type=1 fn=2 text="scale" ; scale: void
          (ref 1148..1151 type=3 sym=24) ; acc: tile
          (literal 1153..1154 type=8 value=2 text="2"))) ; int
      (call 1187..1201 type=1 fn=3 text="store" ; store: void
        (ref 1193..1194 type=5 sym=11) ; p: float *
        (ref 1196..1199 type=3 sym=24)))) ; acc: tile
  (fn 6 kernel name="in_switch" base="in_switch" symbol="_Z9in_switchPfiii" file=1 1205..1672 name-at=1221 ret=1 params=15,16,17,18 ; void
    (compound 1262..1672
      (decl 1265..1279
        (var 1265..1278 type=3 sym=25 text="acc" ; acc: tile
          (init-list 1276..1278 type=3))) ; tile
      (switch 1281..1641
        cond: (ref 1289..1290 type=8 sym=17) ; c: int
        body: (compound 1302..1641
          (case 1322..1414
            value: (literal 1327..1330 type=8 value=10 text="1'0") ; int
            stmt: (case 1366..1414
              value: (literal 1371..1374 type=13 value=34 text="'\"'") ; char
              stmt: (case 1385..1414
                value: (literal 1390..1391 type=8 value=1 text="1") ; int
                stmt: (call 1402..1414 type=1 fn=1 text="add" ; add: void
                  (ref 1406..1409 type=3 sym=25) ; acc: tile
                  (literal 1411..1412 type=8 value=1 text="1"))))) ; int
          (break 1437..1443)
          (case 1453..1520
            value: (literal 1458..1459 type=8 value=2 text="2") ; int
            stmt: (compound 1461..1520
              (call 1472..1486 type=1 fn=2 text="scale" ; scale: void
                (ref 1478..1481 type=3 sym=25) ; acc: tile
                (literal 1483..1484 type=8 value=2 text="2")) ; int
              (break 1501..1507)))
          (case 1534..1585
            value: (literal 1539..1540 type=8 value=3 text="3") ; int
            stmt: (compound 1542..1585
              (call 1546..1560 type=1 fn=2 text="scale" ; scale: void
                (ref 1552..1555 type=3 sym=25) ; acc: tile
                (literal 1557..1558 type=8 value=3 text="3")) ; int
              (break 1561..1567)))
          (default 1602..1625 text=""
            (call 1613..1625 type=1 fn=1 text="add" ; add: void
              (ref 1617..1620 type=3 sym=25) ; acc: tile
              (literal 1622..1623 type=8 value=4 text="4"))))) ; int
      (call 1656..1670 type=1 fn=3 text="store" ; store: void
        (ref 1662..1663 type=5 sym=15) ; p: float *
        (ref 1665..1668 type=3 sym=25))))) ; acc: tile
