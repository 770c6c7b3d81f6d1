(unit target="gfx90a"
  (file 1 path="tests/golden/sequentialize/nest.hip" main
    "// RUN: %S/Inputs/form %unphi sequentialize %s %t.hip\n"
    "//\n"
    "// An if that is all there is in an arm gets its place in the selector; others are rewritten where they\n"
    "// stand.\n"
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
    "__global__ void only(float *p, int n, int c, int d)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tif (c > 2) {\n"
    "\t\tif (d) {\n"
    "\t\t\tadd(acc, 1);\n"
    "\t\t} else if (c == 4) {\n"
    "\t\t\tscale(acc, 2);\n"
    "\t\t}\n"
    "\t} else {\n"
    "\t\tif (d > 2) {\n"
    "\t\t\tadd(acc, 3);\n"
    "\t\t} else {\n"
    "\t\t\tscale(acc, 4);\n"
    "\t\t}\n"
    "\t}\n"
    "\tstore(p, acc);\n"
    "}\n"
    "\n"
    "__global__ void beside_others(float *p, int n, int c, int d)\n"
    "{\n"
    "\ttile acc = {};\n"
    "\tfor (int i = 0; i < n; i++) {\n"
    "\t\tif (c > i) {\n"
    "\t\t\tacc.v[0] += 1;\n"
    "\t\t\tif (d) {\n"
    "\t\t\t\tadd(acc, 1);\n"
    "\t\t\t} else {\n"
    "\t\t\t\tscale(acc, 2);\n"
    "\t\t\t}\n"
    "\t\t} else {\n"
    "\t\t\tfor (int k = 0; k < 3; k++) {\n"
    "\t\t\t\tswitch (k + d) {\n"
    "\t\t\t\tcase 0:\n"
    "\t\t\t\tcase 1:\n"
    "\t\t\t\t\tadd(acc, k);\n"
    "\t\t\t\t\tbreak;\n"
    "\t\t\t\tcase 2: {\n"
    "\t\t\t\t\tscale(acc, k);\n"
    "\t\t\t\t\tbreak;\n"
    "\t\t\t\t}\n"
    "\t\t\t\tdefault:\n"
    "\t\t\t\t\tif (c) {\n"
    "\t\t\t\t\t\tadd(acc, 7);\n"
    "\t\t\t\t\t} else {\n"
    "\t\t\t\t\t\tscale(acc, 8);\n"
    "\t\t\t\t\t}\n"
    "\t\t\t\t}\n"
    "\t\t\t}\n"
    "\t\t}\n"
    "\t}\n"
    "\tstore(p, acc);\n"
    "}\n"
    "\n"
    "#ifndef __HIP__\n"
    "void (*const kernels[])(float *, int, int, int) = {only, beside_others};\n"
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
  (sym 1 param type=2 fn=1 file=1 at=324 name="t") ; tile &
  (sym 2 param type=4 fn=1 file=1 at=333 name="x") ; float
  (sym 3 param type=2 fn=2 file=1 at=430 name="t") ; tile &
  (sym 4 param type=4 fn=2 file=1 at=439 name="x") ; float
  (sym 5 param type=5 fn=3 file=1 at=549 name="p") ; float *
  (sym 6 param type=6 fn=3 file=1 at=564 name="t") ; const tile &
  (sym 7 param type=5 fn=4 file=1 at=652 name="p") ; float *
  (sym 8 param type=8 fn=4 file=1 at=659 name="n") ; int
  (sym 9 param type=8 fn=4 file=1 at=666 name="c") ; int
  (sym 10 param type=8 fn=4 file=1 at=673 name="d") ; int
  (sym 11 param type=5 fn=5 file=1 at=913 name="p") ; float *
  (sym 12 param type=8 fn=5 file=1 at=920 name="n") ; int
  (sym 13 param type=8 fn=5 file=1 at=927 name="c") ; int
  (sym 14 param type=8 fn=5 file=1 at=934 name="d") ; int
  (sym 15 local type=8 fn=1 file=1 at=348 name="i") ; int
  (sym 16 field type=10 file=1 at=280 name="v") ; float[64]
  (sym 17 local type=8 fn=2 file=1 at=454 name="i") ; int
  (sym 18 local type=8 fn=3 file=1 at=579 name="i") ; int
  (sym 19 local type=3 fn=4 file=1 at=684 name="acc") ; tile
  (sym 20 local type=3 fn=5 file=1 at=945 name="acc") ; tile
  (sym 21 local type=8 fn=5 file=1 at=965 name="i") ; int
  (sym 22 local type=8 fn=5 file=1 at=1107 name="k") ; int
  (fn 1 device name="add" base="add" symbol="_Z3addR4tilef" file=1 291..393 name-at=314 ret=1 params=1,2 ; void
    (compound 336..393
      (for 339..391
        init: (decl 344..354
          (var 344..353 type=8 sym=15 text="i" ; i: int
            (literal 352..353 type=8 value=0 text="0"))) ; int
        cond: (binary 355..361 op=lt type=9 ; bool
          (ref 355..356 type=8 sym=15) ; i: int
          (literal 359..361 type=8 value=64 text="64")) ; int
        inc: (unary 363..366 op=postinc type=8 ; int
          (ref 363..364 type=8 sym=15)) ; i: int
        body: (compound 368..391
          (assign 372..388 op=add type=4 ; float
            (index 372..378 type=4 ; float
              (member 372..375 type=10 sym=16 text="v" ; v: float[64]
                base: (ref 372..373 type=3 sym=1)) ; t: tile
              (ref 376..377 type=8 sym=15)) ; i: int
            (binary 382..387 op=add type=4 ; float
              (ref 382..383 type=4 sym=2) ; x: float
              (ref 386..387 type=8 sym=15))))))) ; i: int
  (fn 2 device name="scale" base="scale" symbol="_Z5scaleR4tilef" file=1 395..511 name-at=418 ret=1 params=3,4 ; void
    (compound 442..511
      (for 445..509
        init: (decl 450..460
          (var 450..459 type=8 sym=17 text="i" ; i: int
            (literal 458..459 type=8 value=0 text="0"))) ; int
        cond: (binary 461..467 op=lt type=9 ; bool
          (ref 461..462 type=8 sym=17) ; i: int
          (literal 465..467 type=8 value=64 text="64")) ; int
        inc: (unary 469..472 op=postinc type=8 ; int
          (ref 469..470 type=8 sym=17)) ; i: int
        body: (compound 474..509
          (assign 478..506 type=4 ; float
            (index 478..484 type=4 ; float
              (member 478..481 type=10 sym=16 text="v" ; v: float[64]
                base: (ref 478..479 type=3 sym=3)) ; t: tile
              (ref 482..483 type=8 sym=17)) ; i: int
            (binary 487..505 op=sub type=4 ; float
              (binary 487..501 op=mul type=4 ; float
                (index 487..493 type=4 ; float
                  (member 487..490 type=10 sym=16 text="v" ; v: float[64]
                    base: (ref 487..488 type=3 sym=3)) ; t: tile
                  (ref 491..492 type=8 sym=17)) ; i: int
                (literal 496..501 type=4 text="0.75f")) ; float
              (ref 504..505 type=4 sym=4))))))) ; x: float
  (fn 3 device name="store" base="store" symbol="_Z5storePfRK4tile" file=1 513..622 name-at=536 ret=1 params=5,6 ; void
    (compound 567..622
      (for 570..620
        init: (decl 575..585
          (var 575..584 type=8 sym=18 text="i" ; i: int
            (literal 583..584 type=8 value=0 text="0"))) ; int
        cond: (binary 586..592 op=lt type=9 ; bool
          (ref 586..587 type=8 sym=18) ; i: int
          (literal 590..592 type=8 value=64 text="64")) ; int
        inc: (unary 594..597 op=postinc type=8 ; int
          (ref 594..595 type=8 sym=18)) ; i: int
        body: (compound 599..620
          (assign 603..617 type=4 ; float
            (index 603..607 type=4 ; float
              (ref 603..604 type=5 sym=5) ; p: float *
              (ref 605..606 type=8 sym=18)) ; i: int
            (index 610..616 type=11 ; const float
              (member 610..613 type=12 sym=16 text="v" ; v: const float[64]
                base: (ref 610..611 type=7 sym=6)) ; t: const tile
              (ref 614..615 type=8 sym=18))))))) ; i: int
  (fn 4 kernel name="only" base="only" symbol="_Z4onlyPfiii" file=1 624..874 name-at=640 ret=1 params=7,8,9,10 ; void
    (compound 676..874
      (decl 679..693
        (var 679..692 type=3 sym=19 text="acc" ; acc: tile
          (init-list 690..692 type=3))) ; tile
      (if 695..856
        cond: (binary 699..704 op=gt type=9 ; bool
          (ref 699..700 type=8 sym=9) ; c: int
          (literal 703..704 type=8 value=2 text="2")) ; int
        then: (compound 706..782
          (if 710..779
            cond: (ref 714..715 type=8 sym=10) ; d: int
            then: (compound 717..738
              (call 722..734 type=1 fn=1 text="add" ; add: void
                (ref 726..729 type=3 sym=19) ; acc: tile
                (literal 731..732 type=8 value=1 text="1"))) ; int
            else: (if 744..779
              cond: (binary 748..754 op=eq type=9 ; bool
                (ref 748..749 type=8 sym=9) ; c: int
                (literal 753..754 type=8 value=4 text="4")) ; int
              then: (compound 756..779
                (call 761..775 type=1 fn=2 text="scale" ; scale: void
                  (ref 767..770 type=3 sym=19) ; acc: tile
                  (literal 772..773 type=8 value=2 text="2")))))) ; int
        else: (compound 788..856
          (if 792..853
            cond: (binary 796..801 op=gt type=9 ; bool
              (ref 796..797 type=8 sym=10) ; d: int
              (literal 800..801 type=8 value=2 text="2")) ; int
            then: (compound 803..824
              (call 808..820 type=1 fn=1 text="add" ; add: void
                (ref 812..815 type=3 sym=19) ; acc: tile
                (literal 817..818 type=8 value=3 text="3"))) ; int
            else: (compound 830..853
              (call 835..849 type=1 fn=2 text="scale" ; scale: void
                (ref 841..844 type=3 sym=19) ; acc: tile
                (literal 846..847 type=8 value=4 text="4")))))) ; int
      (call 858..872 type=1 fn=3 text="store" ; store: void
        (ref 864..865 type=5 sym=7) ; p: float *
        (ref 867..870 type=3 sym=19)))) ; acc: tile
  (fn 5 kernel name="beside_others" base="beside_others" symbol="_Z13beside_othersPfiii" file=1 876..1378 name-at=892 ret=1 params=11,12,13,14 ; void
    (compound 937..1378
      (decl 940..954
        (var 940..953 type=3 sym=20 text="acc" ; acc: tile
          (init-list 951..953 type=3))) ; tile
      (for 956..1360
        init: (decl 961..971
          (var 961..970 type=8 sym=21 text="i" ; i: int
            (literal 969..970 type=8 value=0 text="0"))) ; int
        cond: (binary 972..977 op=lt type=9 ; bool
          (ref 972..973 type=8 sym=21) ; i: int
          (ref 976..977 type=8 sym=12)) ; n: int
        inc: (unary 979..982 op=postinc type=8 ; int
          (ref 979..980 type=8 sym=21)) ; i: int
        body: (compound 984..1360
          (if 988..1357
            cond: (binary 992..997 op=gt type=9 ; bool
              (ref 992..993 type=8 sym=13) ; c: int
              (ref 996..997 type=8 sym=21)) ; i: int
            then: (compound 999..1087
              (assign 1004..1018 op=add type=4 ; float
                (index 1004..1012 type=4 ; float
                  (member 1004..1009 type=10 sym=16 text="v" ; v: float[64]
                    base: (ref 1004..1007 type=3 sym=20)) ; acc: tile
                  (literal 1010..1011 type=8 value=0 text="0")) ; int
                (literal 1016..1017 type=8 value=1 text="1")) ; int
              (if 1022..1083
                cond: (ref 1026..1027 type=8 sym=14) ; d: int
                then: (compound 1029..1052
                  (call 1035..1047 type=1 fn=1 text="add" ; add: void
                    (ref 1039..1042 type=3 sym=20) ; acc: tile
                    (literal 1044..1045 type=8 value=1 text="1"))) ; int
                else: (compound 1058..1083
                  (call 1064..1078 type=1 fn=2 text="scale" ; scale: void
                    (ref 1070..1073 type=3 sym=20) ; acc: tile
                    (literal 1075..1076 type=8 value=2 text="2"))))) ; int
            else: (compound 1093..1357
              (for 1098..1353
                init: (decl 1103..1113
                  (var 1103..1112 type=8 sym=22 text="k" ; k: int
                    (literal 1111..1112 type=8 value=0 text="0"))) ; int
                cond: (binary 1114..1119 op=lt type=9 ; bool
                  (ref 1114..1115 type=8 sym=22) ; k: int
                  (literal 1118..1119 type=8 value=3 text="3")) ; int
                inc: (unary 1121..1124 op=postinc type=8 ; int
                  (ref 1121..1122 type=8 sym=22)) ; k: int
                body: (compound 1126..1353
                  (switch 1132..1348
                    cond: (binary 1140..1145 op=add type=8 ; int
                      (ref 1140..1141 type=8 sym=22) ; k: int
                      (ref 1144..1145 type=8 sym=14)) ; d: int
                    body: (compound 1147..1348
                      (case 1153..1190
                        value: (literal 1158..1159 type=8 value=0 text="0") ; int
                        stmt: (case 1165..1190
                          value: (literal 1170..1171 type=8 value=1 text="1") ; int
                          stmt: (call 1178..1190 type=1 fn=1 text="add" ; add: void
                            (ref 1182..1185 type=3 sym=20) ; acc: tile
                            (ref 1187..1188 type=8 sym=22)))) ; k: int
                      (break 1196..1202)
                      (case 1207..1254
                        value: (literal 1212..1213 type=8 value=2 text="2") ; int
                        stmt: (compound 1215..1254
                          (call 1222..1236 type=1 fn=2 text="scale" ; scale: void
                            (ref 1228..1231 type=3 sym=20) ; acc: tile
                            (ref 1233..1234 type=8 sym=22)) ; k: int
                          (break 1242..1248)))
                      (default 1259..1342 text=""
                        (if 1273..1342
                          cond: (ref 1277..1278 type=8 sym=13) ; c: int
                          then: (compound 1280..1307
                            (call 1288..1300 type=1 fn=1 text="add" ; add: void
                              (ref 1292..1295 type=3 sym=20) ; acc: tile
                              (literal 1297..1298 type=8 value=7 text="7"))) ; int
                          else: (compound 1313..1342
                            (call 1321..1335 type=1 fn=2 text="scale" ; scale: void
                              (ref 1327..1330 type=3 sym=20) ; acc: tile
                              (literal 1332..1333 type=8 value=8 text="8"))))))))))))) ; int
      (call 1362..1376 type=1 fn=3 text="store" ; store: void
        (ref 1368..1369 type=5 sym=11) ; p: float *
        (ref 1371..1374 type=3 sym=20))))) ; acc: tile
