(unit target="gfx90a"
  (file 1 path="tests/golden/lint/targets.hip" main
    "// Every target sees its own code; one that this libclang does not know is parsed as its nearest\n"
    "// relative, and lint says so.\n"
    "//\n"
    "// RUN: %exits 1 %unphi lint %s --target gfx90a,gfx942 -- -nogpuinc > %t.txt\n"
    "// RUN: %FileCheck %s --check-prefix TWO --implicit-check-not=warning: < %t.txt\n"
    "// TWO: targets.hip:[[#LINE:]]:2: warning: 'acc' (float[64],\n"
    "// TWO: targets.hip:{{[0-9]+}}:2: warning: 'acc' (float[96],\n"
    "// RUN: %exits 1 %unphi lint %s --target gfx90a -- -nogpuinc > %t.txt\n"
    "// RUN: %FileCheck %s --check-prefix ONE --implicit-check-not=warning: < %t.txt\n"
    "// ONE: warning: 'acc' (float[64],\n"
    "// RUN: %exits 1 %unphi lint %s -- -nogpuinc --offload-arch=gfx942 > %t.txt\n"
    "// RUN: %FileCheck %s --check-prefix FLAG --implicit-check-not=warning: < %t.txt\n"
    "// FLAG: warning: 'acc' (float[96],\n"
    "// RUN: %exits 0 %unphi lint %s --target gfx1100 -- -nogpuinc\n"
    "// RUN: %exits 1 %unphi lint %s --target gfx950 -- -nogpuinc > %t.txt 2> %t.err\n"
    "// RUN: %FileCheck %s --check-prefix FLAG --implicit-check-not=warning: < %t.txt\n"
    "// RUN: clang-19 -print-supported-cpus --target=amdgcn 2>&1 | grep -q gfx950 \\\n"
    "// RUN:   || grep -q 'does not know gfx950: parsed as gfx942' %t.err\n"
    "// REQUIRES: clang19\n"
    "\n"
    "__attribute__((global)) void kernel(float *p, int c)\n"
    "{\n"
    "#if defined(__gfx90a__)\n"
    "\tfloat acc[64] = {};\n"
    "\tif (c) {\n"
    "\t\tacc[c] += 1;\n"
    "\t} else {\n"
    "\t\tacc[0] += 1;\n"
    "\t}\n"
    "#elif defined(__gfx942__) || defined(__gfx950__)\n"
    "\tfloat acc[96] = {};\n"
    "\tif (c) {\n"
    "\t\tacc[c] += 1;\n"
    "\t} else {\n"
    "\t\tacc[0] += 1;\n"
    "\t}\n"
    "#else\n"
    "\tfloat acc[1] = {};\n"
    "#endif\n"
    "\tp[0] = acc[c];\n"
    "}\n")
  (type 1 void name="void" canon="void")
  (type 2 pointer size=8 elem=3 trivial name="float *" canon="float *")
  (type 3 float size=4 trivial name="float" canon="float")
  (type 4 int size=4 trivial name="int" canon="int")
  (type 5 array size=256 count=64 elem=3 trivial name="float[64]" canon="float[64]")
  (sym 1 param type=2 fn=1 file=1 at=1224 name="p") ; float *
  (sym 2 param type=4 fn=1 file=1 at=1231 name="c") ; int
  (sym 3 local type=5 fn=1 file=1 at=1267 name="acc") ; float[64]
  (fn 1 kernel name="kernel" base="kernel" symbol="_Z6kernelPfi" file=1 1181..1507 name-at=1210 ret=1 params=1,2 ; void
    (compound 1234..1507
      (decl 1261..1280
        (var 1261..1279 type=5 sym=3 text="acc" ; acc: float[64]
          (init-list 1277..1279 type=5))) ; float[64]
      (if 1282..1333
        cond: (ref 1286..1287 type=4 sym=2) ; c: int
        then: (compound 1289..1308
          (assign 1293..1305 op=add type=3 ; float
            (index 1293..1299 type=3 ; float
              (ref 1293..1296 type=5 sym=3) ; acc: float[64]
              (ref 1297..1298 type=4 sym=2)) ; c: int
            (literal 1303..1304 type=4 value=1 text="1"))) ; int
        else: (compound 1314..1333
          (assign 1318..1330 op=add type=3 ; float
            (index 1318..1324 type=3 ; float
              (ref 1318..1321 type=5 sym=3) ; acc: float[64]
              (literal 1322..1323 type=4 value=0 text="0")) ; int
            (literal 1328..1329 type=4 value=1 text="1")))) ; int
      (assign 1491..1505 type=3 ; float
        (index 1491..1495 type=3 ; float
          (ref 1491..1492 type=2 sym=1) ; p: float *
          (literal 1493..1494 type=4 value=0 text="0")) ; int
        (index 1498..1504 type=3 ; float
          (ref 1498..1501 type=5 sym=3) ; acc: float[64]
          (ref 1502..1503 type=4 sym=2)))))) ; c: int
