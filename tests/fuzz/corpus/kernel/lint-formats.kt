(unit target="gfx90a"
  (file 1 path="tests/golden/lint/formats.hip" main
    "// RUN: %exits 1 %unphi lint %s --target gfx90a --format json -- -nogpuinc > %t.json\n"
    "// RUN: python3 %S/Inputs/check_json.py %t.json %s\n"
    "// RUN: %exits 1 %unphi lint %s --target gfx90a --format json --report %t.report -- -nogpuinc \\\n"
    "// RUN:   | cmp - /dev/null\n"
    "// RUN: cmp %t.json %t.report\n"
    "//\n"
    "// Warnings as errors change the word, not the exit code.\n"
    "// RUN: %exits 1 %unphi lint %s --target gfx90a --warnings-as-errors -- -nogpuinc \\\n"
    "// RUN:   | %FileCheck %s --check-prefix ERROR --implicit-check-not=warning:\n"
    "// ERROR: formats.hip:{{[0-9]+}}:2: error: 'acc' {{.*}} [unphi-phi-explosion]\n"
    "//\n"
    "// A check that is switched off finds nothing.\n"
    "// RUN: %exits 0 %unphi lint %s --target gfx90a --checks=-unphi-phi-explosion -- -nogpuinc \\\n"
    "// RUN:   | cmp - /dev/null\n"
    "// RUN: %exits 0 %unphi lint %s --target gfx90a '--checks=-*' -- -nogpuinc\n"
    "// RUN: %exits 1 %unphi lint %s --target gfx90a '--checks=-*,unphi-phi*' --quiet -- -nogpuinc > %t\n"
    "//\n"
    "// Without findings JSON is JSON, too.\n"
    "// RUN: %exits 0 %unphi lint %s --target gfx90a --checks=-unphi-phi-explosion --format json \\\n"
    "// RUN:   -- -nogpuinc | python3 -m json.tool | %FileCheck %s --check-prefix EMPTY\n"
    "// EMPTY: {\n"
    "// EMPTY: []\n"
    "\n"
    "__attribute__((global)) void kernel(float *p, int c)\n"
    "{\n"
    "\tfloat acc[64] = {}, \xc3\xbcnic\xc3\xb6de[32] = {};\n"
    "\tif (c) { const char *text = \"\\\\ \\\" \\t ]]>\"; /* \" */\n"
    "\t\tacc[text[c]] += 1, \xc3\xbcnic\xc3\xb6de[1] += 1;\n"
    "\t} else {\n"
    "\t\tacc[0] += 1, \xc3\xbcnic\xc3\xb6de[2] -= 1;\n"
    "\t}\n"
    "\tp[0] = acc[c] + \xc3\xbcnic\xc3\xb6de[c];\n"
    "}\n")
  (type 1 void name="void" canon="void")
  (type 2 pointer size=8 elem=3 trivial name="float *" canon="float *")
  (type 3 float size=4 trivial name="float" canon="float")
  (type 4 int size=4 trivial name="int" canon="int")
  (type 5 array size=256 count=64 elem=3 trivial name="float[64]" canon="float[64]")
  (type 6 array size=128 count=32 elem=3 trivial name="float[32]" canon="float[32]")
  (type 7 pointer size=8 elem=8 trivial name="const char *" canon="const char *")
  (type 8 int size=1 const trivial name="const char" canon="const char")
  (type 9 array size=10 count=10 elem=8 const trivial name="const char[10]" canon="const char[10]")
  (sym 1 param type=2 fn=1 file=1 at=1223 name="p") ; float *
  (sym 2 param type=4 fn=1 file=1 at=1230 name="c") ; int
  (sym 3 local type=5 fn=1 file=1 at=1242 name="acc") ; float[64]
  (sym 4 local type=6 fn=1 file=1 at=1256 name="\xc3\xbcnic\xc3\xb6de") ; float[32]
  (sym 5 local type=7 fn=1 file=1 at=1298 name="text") ; const char *
  (fn 1 kernel name="kernel" base="kernel" symbol="_Z6kernelPfi" file=1 1180..1448 name-at=1209 ret=1 params=1,2 ; void
    (compound 1233..1448
      (decl 1236..1275
        (var 1236..1254 type=5 sym=3 text="acc" ; acc: float[64]
          (init-list 1252..1254 type=5)) ; float[64]
        (var 1256..1274 type=6 sym=4 text="\xc3\xbcnic\xc3\xb6de" ; ??nic??de: float[32]
          (init-list 1272..1274 type=6))) ; float[32]
      (if 1277..1415
        cond: (ref 1281..1282 type=4 sym=2) ; c: int
        then: (compound 1284..1371
          (decl 1286..1320
            (var 1286..1319 type=7 sym=5 text="text" ; text: const char *
              (literal 1305..1319 type=9 text="\"\\\\ \\\" \\t ]]>\""))) ; const char[10]
          (binary 1331..1368 op=comma type=3 ; float
            (assign 1331..1348 op=add type=3 ; float
              (index 1331..1343 type=3 ; float
                (ref 1331..1334 type=5 sym=3) ; acc: float[64]
                (index 1335..1342 type=8 ; const char
                  (ref 1335..1339 type=7 sym=5) ; text: const char *
                  (ref 1340..1341 type=4 sym=2))) ; c: int
              (literal 1347..1348 type=4 value=1 text="1")) ; int
            (assign 1350..1367 op=add type=3 ; float
              (index 1350..1362 type=3 ; float
                (ref 1350..1359 type=6 sym=4) ; ??nic??de: float[32]
                (literal 1360..1361 type=4 value=1 text="1")) ; int
              (literal 1366..1367 type=4 value=1 text="1")))) ; int
        else: (compound 1377..1415
          (binary 1381..1412 op=comma type=3 ; float
            (assign 1381..1392 op=add type=3 ; float
              (index 1381..1387 type=3 ; float
                (ref 1381..1384 type=5 sym=3) ; acc: float[64]
                (literal 1385..1386 type=4 value=0 text="0")) ; int
              (literal 1391..1392 type=4 value=1 text="1")) ; int
            (assign 1394..1411 op=sub type=3 ; float
              (index 1394..1406 type=3 ; float
                (ref 1394..1403 type=6 sym=4) ; ??nic??de: float[32]
                (literal 1404..1405 type=4 value=2 text="2")) ; int
              (literal 1410..1411 type=4 value=1 text="1"))))) ; int
      (assign 1417..1446 type=3 ; float
        (index 1417..1421 type=3 ; float
          (ref 1417..1418 type=2 sym=1) ; p: float *
          (literal 1419..1420 type=4 value=0 text="0")) ; int
        (binary 1424..1445 op=add type=3 ; float
          (index 1424..1430 type=3 ; float
            (ref 1424..1427 type=5 sym=3) ; acc: float[64]
            (ref 1428..1429 type=4 sym=2)) ; c: int
          (index 1433..1445 type=3 ; float
            (ref 1433..1442 type=6 sym=4) ; ??nic??de: float[32]
            (ref 1443..1444 type=4 sym=2))))))) ; c: int
