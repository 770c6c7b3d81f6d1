(unit target="gfx90a"
  (file 1 path="tests/golden/lint/places.hip" main
    "// The whole text of findings: place and caret at the if, the switch or the question mark; each arm's\n"
    "// first write; the use after the merge; the other accumulators; what can be done.\n"
    "//\n"
    "// RUN: %exits 1 %unphi lint %s --target gfx90a --color never -- -nogpuinc > %t.txt\n"
    "// RUN: grep -v 'note: hoist' %t.txt | sed 's,.*places.hip:,places.hip:,' > %t.out\n"
    "// RUN: diff -u %S/places.expected %t.out\n"
    "// RUN: sed -n 1p %t.txt | grep -q '^%s:'\n"
    "//\n"
    "// On a terminal it has colors, and the same text.\n"
    "// RUN: %exits 1 %unphi lint %s --target gfx90a --color always -- -nogpuinc > %t.color\n"
    "// RUN: grep -q \"$(printf '\\033')\" %t.color\n"
    "// RUN: sed \"s/$(printf '\\033')\\[[0-9;]*m//g\" %t.color | cmp - %t.txt\n"
    "\n"
    "#define __global__ __attribute__((global))\n"
    "\n"
    "typedef float f32x16 __attribute__((ext_vector_type(16)));\n"
    "\n"
    "__global__ void kernel(f32x16 *p, int n, int c)\n"
    "{\n"
    "\tf32x16 acc[4] = {}, other[2] = {};\n"
    "\tfor (int k = 0; k < n; k++) {\n"
    "\t\tif (c > k) { float x = p[k].x;\n"
    "\t\t\tacc[0] += x;\n"
    "\t\t\tother[k] += x;\n"
    "\t\t} else if (c == k) {\n"
    "\t\t\tother[0] = p[k];\n"
    "\t\t} else {\n"
    "\t\t\tfor (int i = 0; i < 4; i++) acc[i] -= 1;\n"
    "\t\t}\n"
    "\t}\n"
    "\tp[0] = acc[0] + other[0];\n"
    "\n"
    "\tswitch (n) {\n"
    "\tcase 0:\n"
    "\t\tp[1] = 0;\n"
    "\t\tbreak;\n"
    "\tcase 1:\n"
    "\t\tacc[1] += 1;\n"
    "\t\t[[fallthrough]];\n"
    "\tdefault:\n"
    "\t\tacc[2] -= 1;\n"
    "\t}\n"
    "\tp[2] = acc[2];\n"
    "}\n"
    "\n"
    "struct tile {\n"
    "\tfloat v[64];\n"
    "};\n"
    "\n"
    "__attribute__((device)) tile next(tile t)\n"
    "{\n"
    "\tt.v[1] += 1;\n"
    "\treturn t;\n"
    "}\n"
    "\n"
    "__attribute__((device)) void expression(tile &acc, bool c)\n"
    "{\n"
    "\tacc = c\n"
    "\t\t? next(acc)\n"
    "\t\t: next(next(acc));\n"
    "}\n")
  (type 1 void name="void" canon="void")
  (type 2 pointer size=8 elem=3 trivial name="f32x16 *" canon="float * __attribute__((ext_vector_type(16)))")
  (type 3 vector size=64 count=16 elem=4 trivial name="f32x16" canon="float __attribute__((ext_vector_type(16)))")
  (type 4 float size=4 trivial name="float" canon="float")
  (type 5 int size=4 trivial name="int" canon="int")
  (type 6 record size=256 trivial name="tile" canon="tile")
  (type 7 reference size=256 elem=6 name="tile &" canon="tile &")
  (type 8 bool size=1 trivial name="bool" canon="bool")
  (type 9 array size=256 count=4 elem=3 trivial name="f32x16[4]" canon="float[4] __attribute__((ext_vector_type(16)))")
  (type 10 array size=128 count=2 elem=3 trivial name="f32x16[2]" canon="float[2] __attribute__((ext_vector_type(16)))")
  (type 11 array size=256 count=64 elem=4 trivial name="float[64]" canon="float[64]")
  (type 12 reference size=256 elem=6 name="tile &&" canon="tile &&")
  (sym 1 param type=2 fn=1 file=1 at=830 name="p") ; f32x16 *
  (sym 2 param type=5 fn=1 file=1 at=837 name="n") ; int
  (sym 3 param type=5 fn=1 file=1 at=844 name="c") ; int
  (sym 4 param type=6 fn=2 file=1 at=1321 name="t") ; tile
  (sym 5 param type=7 fn=3 file=1 at=1400 name="acc") ; tile &
  (sym 6 param type=8 fn=3 file=1 at=1410 name="c") ; bool
  (sym 7 local type=9 fn=1 file=1 at=857 name="acc") ; f32x16[4]
  (sym 8 local type=10 fn=1 file=1 at=870 name="other") ; f32x16[2]
  (sym 9 local type=5 fn=1 file=1 at=895 name="k") ; int
  (sym 10 local type=4 fn=1 file=1 at=937 name="x") ; float
  (sym 11 local type=5 fn=1 file=1 at=1049 name="i") ; int
  (sym 12 field type=11 file=1 at=1271 name="v") ; float[64]
  (sym 13 param type=12 fn=4 file=1 at=1257 name="") ; tile &&
  (sym 14 param type=7 fn=4 file=1 at=1257 name="*this") ; tile &
  (fn 1 kernel name="kernel" base="kernel" symbol="_Z6kernelPDv16_fii" file=1 799..1248 name-at=815 ret=1 params=1,2,3 ; void
    (compound 847..1248
      (decl 850..884
        (var 850..868 type=9 sym=7 text="acc" ; acc: f32x16[4]
          (init-list 866..868 type=9)) ; f32x16[4]
        (var 870..883 type=10 sym=8 text="other" ; other: f32x16[2]
          (init-list 881..883 type=10))) ; f32x16[2]
      (for 886..1087
        init: (decl 891..901
          (var 891..900 type=5 sym=9 text="k" ; k: int
            (literal 899..900 type=5 value=0 text="0"))) ; int
        cond: (binary 902..907 op=lt type=8 ; bool
          (ref 902..903 type=5 sym=9) ; k: int
          (ref 906..907 type=5 sym=2)) ; n: int
        inc: (unary 909..912 op=postinc type=5 ; int
          (ref 909..910 type=5 sym=9)) ; k: int
        body: (compound 914..1087
          (if 918..1084
            cond: (binary 922..927 op=gt type=8 ; bool
              (ref 922..923 type=5 sym=3) ; c: int
              (ref 926..927 type=5 sym=9)) ; k: int
            then: (compound 929..986
              (decl 931..948
                (var 931..947 type=4 sym=10 text="x" ; x: float
                  (member 941..947 type=4 text="x" ; float
                    base: (index 941..945 type=3 ; f32x16
                      (ref 941..942 type=2 sym=1) ; p: f32x16 *
                      (ref 943..944 type=5 sym=9))))) ; k: int
              (assign 952..964 op=add type=3 ; f32x16
                (index 952..958 type=3 ; f32x16
                  (ref 952..955 type=9 sym=7) ; acc: f32x16[4]
                  (literal 956..957 type=5 value=0 text="0")) ; int
                (ref 962..963 type=4 sym=10)) ; x: float
              (assign 968..982 op=add type=3 ; f32x16
                (index 968..976 type=3 ; f32x16
                  (ref 968..973 type=10 sym=8) ; other: f32x16[2]
                  (ref 974..975 type=5 sym=9)) ; k: int
                (ref 980..981 type=4 sym=10))) ; x: float
            else: (if 992..1084
              cond: (binary 996..1002 op=eq type=8 ; bool
                (ref 996..997 type=5 sym=3) ; c: int
                (ref 1001..1002 type=5 sym=9)) ; k: int
              then: (compound 1004..1029
                (assign 1009..1025 type=3 ; f32x16
                  (index 1009..1017 type=3 ; f32x16
                    (ref 1009..1014 type=10 sym=8) ; other: f32x16[2]
                    (literal 1015..1016 type=5 value=0 text="0")) ; int
                  (index 1020..1024 type=3 ; f32x16
                    (ref 1020..1021 type=2 sym=1) ; p: f32x16 *
                    (ref 1022..1023 type=5 sym=9)))) ; k: int
              else: (compound 1035..1084
                (for 1040..1080
                  init: (decl 1045..1055
                    (var 1045..1054 type=5 sym=11 text="i" ; i: int
                      (literal 1053..1054 type=5 value=0 text="0"))) ; int
                  cond: (binary 1056..1061 op=lt type=8 ; bool
                    (ref 1056..1057 type=5 sym=11) ; i: int
                    (literal 1060..1061 type=5 value=4 text="4")) ; int
                  inc: (unary 1063..1066 op=postinc type=5 ; int
                    (ref 1063..1064 type=5 sym=11)) ; i: int
                  body: (assign 1068..1080 op=sub type=3 ; f32x16
                    (index 1068..1074 type=3 ; f32x16
                      (ref 1068..1071 type=9 sym=7) ; acc: f32x16[4]
                      (ref 1072..1073 type=5 sym=11)) ; i: int
                    (literal 1078..1079 type=5 value=1 text="1")))))))) ; int
      (assign 1089..1114 type=3 ; f32x16
        (index 1089..1093 type=3 ; f32x16
          (ref 1089..1090 type=2 sym=1) ; p: f32x16 *
          (literal 1091..1092 type=5 value=0 text="0")) ; int
        (binary 1096..1113 op=add type=3 ; f32x16
          (index 1096..1102 type=3 ; f32x16
            (ref 1096..1099 type=9 sym=7) ; acc: f32x16[4]
            (literal 1100..1101 type=5 value=0 text="0")) ; int
          (index 1105..1113 type=3 ; f32x16
            (ref 1105..1110 type=10 sym=8) ; other: f32x16[2]
            (literal 1111..1112 type=5 value=0 text="0")))) ; int
      (switch 1117..1230
        cond: (ref 1125..1126 type=5 sym=2) ; n: int
        body: (compound 1128..1230
          (case 1131..1150
            value: (literal 1136..1137 type=5 value=0 text="0") ; int
            stmt: (assign 1141..1150 type=3 ; f32x16
              (index 1141..1145 type=3 ; f32x16
                (ref 1141..1142 type=2 sym=1) ; p: f32x16 *
                (literal 1143..1144 type=5 value=1 text="1")) ; int
              (literal 1148..1149 type=5 value=0 text="0"))) ; int
          (break 1153..1159)
          (case 1161..1183
            value: (literal 1166..1167 type=5 value=1 text="1") ; int
            stmt: (assign 1171..1183 op=add type=3 ; f32x16
              (index 1171..1177 type=3 ; f32x16
                (ref 1171..1174 type=9 sym=7) ; acc: f32x16[4]
                (literal 1175..1176 type=5 value=1 text="1")) ; int
              (literal 1181..1182 type=5 value=1 text="1"))) ; int
          (empty 1186..1202)
          (default 1204..1227 text=""
            (assign 1215..1227 op=sub type=3 ; f32x16
              (index 1215..1221 type=3 ; f32x16
                (ref 1215..1218 type=9 sym=7) ; acc: f32x16[4]
                (literal 1219..1220 type=5 value=2 text="2")) ; int
              (literal 1225..1226 type=5 value=1 text="1"))))) ; int
      (assign 1232..1246 type=3 ; f32x16
        (index 1232..1236 type=3 ; f32x16
          (ref 1232..1233 type=2 sym=1) ; p: f32x16 *
          (literal 1234..1235 type=5 value=2 text="2")) ; int
        (index 1239..1245 type=3 ; f32x16
          (ref 1239..1242 type=9 sym=7) ; acc: f32x16[4]
          (literal 1243..1244 type=5 value=2 text="2"))))) ; int
  (fn 2 device name="next" base="next" symbol="_Z4next4tile" file=1 1282..1352 name-at=1311 ret=6 params=4 ; tile
    (compound 1324..1352
      (assign 1327..1339 op=add type=4 ; float
        (index 1327..1333 type=4 ; float
          (member 1327..1330 type=11 sym=12 text="v" ; v: float[64]
            base: (ref 1327..1328 type=6 sym=4)) ; t: tile
          (literal 1331..1332 type=5 value=1 text="1")) ; int
        (literal 1337..1338 type=5 value=1 text="1")) ; int
      (return 1341..1350
        (ref 1348..1349 type=6 sym=4)))) ; t: tile
  (fn 3 device name="expression" base="expression" symbol="_Z10expressionR4tileb" file=1 1354..1460 name-at=1383 ret=1 params=5,6 ; void
    (compound 1413..1460
      (call 1416..1458 type=6 fn=4 method operator text="operator=" ; tile::operator=: tile
        (ref 1416..1419 type=6 sym=5) ; acc: tile
        (cond 1422..1457 type=6 ; tile
          cond: (ref 1422..1423 type=8 sym=6) ; c: bool
          then: (call 1428..1437 type=6 fn=2 text="next" ; next: tile
            (ref 1433..1436 type=6 sym=5)) ; acc: tile
          else: (call 1442..1457 type=6 fn=2 text="next" ; next: tile
            (call 1447..1456 type=6 fn=2 text="next" ; next: tile
              (ref 1452..1455 type=6 sym=5))))))) ; acc: tile
  (fn 4 device name="tile::operator=" base="operator=" symbol="_ZN4tileaSEOS_" file=1 1257..1261 name-at=1257 ret=7 params=13 self=14 method)) ; tile &
