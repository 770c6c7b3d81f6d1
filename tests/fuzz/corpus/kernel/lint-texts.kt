(unit target="gfx90a"
  (file 1 path="tests/golden/lint/texts.hip" main
    "// The same finding at the same line whatever the ends of the lines are, with a byte order mark, and\n"
    "// without a last newline; a tab counts one column.\n"
    "//\n"
    "// RUN: rm -rf %t && mkdir %t && cd %t && cp %s lf.hip\n"
    "// RUN: sed 's/$/\\r/' %s > crlf.hip\n"
    "// RUN: { printf '\\357\\273\\277'; cat %s; } > bom.hip\n"
    "// RUN: head -c -1 %s > short.hip\n"
    "// RUN: for f in lf crlf bom short; do \\\n"
    "// RUN:   %exits 1 %unphi lint $f.hip --target gfx90a -- -nogpuinc | sed s/^$f.hip:/X:/ > $f.txt; \\\n"
    "// RUN:   done\n"
    "// RUN: %FileCheck %s --strict-whitespace < lf.txt\n"
    "// CHECK: {{^}}X:[[#LINE:]]:2: warning: 'acc'\n"
    "// CHECK-NEXT: {{^   }}[[#LINE]] | \tif (c) { // \xc3\xa4\n"
    "// CHECK-NEXT: {{^      [|] \t\\^~$}}\n"
    "// RUN: cmp lf.txt crlf.txt && cmp lf.txt bom.txt && cmp lf.txt short.txt\n"
    "//\n"
    "// An empty file, and one without device code, are clean.\n"
    "// RUN: : > empty.hip && %exits 0 %unphi lint empty.hip --target gfx90a -- -nogpuinc\n"
    "// RUN: echo 'int x;' > host.hip && %exits 0 %unphi lint host.hip --target gfx90a -- -nogpuinc\n"
    "//\n"
    "// One that does not parse gives exit code 3 and the compiler's own words; the others are still done.\n"
    "// RUN: { cat %s; echo 'int x = ;'; } > broken.hip\n"
    "// RUN: %exits 3 %unphi lint broken.hip lf.hip --target gfx90a -- -nogpuinc 2> broken.err \\\n"
    "// RUN:   | sed s/^lf.hip:/X:/ | cmp - lf.txt\n"
    "// RUN: %FileCheck %s --check-prefix BROKEN < broken.err\n"
    "// BROKEN: unphi: error: broken.hip: does not parse as HIP (1 error)\n"
    "// BROKEN-NEXT: broken.hip:{{[0-9]+}}:9: error: expected expression\n"
    "//\n"
    "// With HIP's own header.\n"
    "// RUN: { echo '#include <hip/hip_runtime.h>'; grep -v attribute %s | sed 's/void kernel/__global__ &/'; } \\\n"
    "// RUN:   > real.hip\n"
    "// RUN: %exits 1 %unphi lint real.hip --target gfx90a | grep -c 'real.hip.*warning: .acc.' \\\n"
    "// RUN:   | grep -qx 1\n"
    "// REQUIRES: hipcc\n"
    "\n"
    "__attribute__((global))\n"
    "void kernel(float *p, int c)\n"
    "{\n"
    "\tfloat acc[64] = {};\n"
    "\tif (c) { // \xc3\xa4\n"
    "\t\tacc[c] += 1;\n"
    "\t} else {\n"
    "\t\tacc[0] += 1;\n"
    "\t}\n"
    "\tp[0] = acc[c];\n"
    "}\n")
  (type 1 void name="void" canon="void")
  (type 2 pointer size=8 elem=3 trivial name="float *" canon="float *")
  (type 3 float size=4 trivial name="float" canon="float")
  (type 4 int size=4 trivial name="int" canon="int")
  (type 5 array size=256 count=64 elem=3 trivial name="float[64]" canon="float[64]")
  (sym 1 param type=2 fn=1 file=1 at=1815 name="p") ; float *
  (sym 2 param type=4 fn=1 file=1 at=1822 name="c") ; int
  (sym 3 local type=5 fn=1 file=1 at=1834 name="acc") ; float[64]
  (fn 1 kernel name="kernel" base="kernel" symbol="_Z6kernelPfi" file=1 1772..1924 name-at=1801 ret=1 params=1,2 ; void
    (compound 1825..1924
      (decl 1828..1847
        (var 1828..1846 type=5 sym=3 text="acc" ; acc: float[64]
          (init-list 1844..1846 type=5))) ; float[64]
      (if 1849..1906
        cond: (ref 1853..1854 type=4 sym=2) ; c: int
        then: (compound 1856..1881
          (assign 1866..1878 op=add type=3 ; float
            (index 1866..1872 type=3 ; float
              (ref 1866..1869 type=5 sym=3) ; acc: float[64]
              (ref 1870..1871 type=4 sym=2)) ; c: int
            (literal 1876..1877 type=4 value=1 text="1"))) ; int
        else: (compound 1887..1906
          (assign 1891..1903 op=add type=3 ; float
            (index 1891..1897 type=3 ; float
              (ref 1891..1894 type=5 sym=3) ; acc: float[64]
              (literal 1895..1896 type=4 value=0 text="0")) ; int
            (literal 1901..1902 type=4 value=1 text="1")))) ; int
      (assign 1908..1922 type=3 ; float
        (index 1908..1912 type=3 ; float
          (ref 1908..1909 type=2 sym=1) ; p: float *
          (literal 1910..1911 type=4 value=0 text="0")) ; int
        (index 1915..1921 type=3 ; float
          (ref 1915..1918 type=5 sym=3) ; acc: float[64]
          (ref 1919..1920 type=4 sym=2)))))) ; c: int
