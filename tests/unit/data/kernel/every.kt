(unit target="gfx90a"
  (file 1 path="every.hip" main
    "struct pair {\n"
    "\tfloat x, y;\n"
    "\tfloat sum() const { return this->x + y; }\n"
    "};\n"
    "__device__ float f(float a, int n);\n"
    "#define TWICE(v) ((v) + (v))\n"
    "template <int N> __global__ void k(float *p, pair q, int n)\n"
    "{\n"
    "\tfloat acc[4] = {0, 1}, s;\n"
    "\tif constexpr (sizeof(acc) == 16) ;\n"
    "\tif (int m = n; m < N) { s = q.x; } else s = -p[n];\n"
    "\tswitch (n) { case 1: break; case 2 ... 3: s += 1.0f; break; default: return; }\n"
    "\tfor (int i = 0; i < n; i++) { if (i) continue; }\n"
    "\tfor (float e : acc) s += e;\n"
    "\twhile (int w = n) { goto out; }\n"
    "\tdo { } while (0);\n"
    "\tasm volatile(\"\" : \"+v\"(s));\n"
    "out:\ts = n ? s : (float)n;\n"
    "\tauto g = [s] { return s; };\n"
    "\tf(TWICE(s), n);\n"
    "\tq.sum();\n"
    "\tpair r = pair{s, s};\n"
    "\ttry { } catch (...) { }\n"
    "\tthrow s;\n"
    "}\n")
  (file 2 path="/usr/include/\"odd\"\n\xff" system)
  (type 1 void name="void" canon="void")
  (type 2 bool size=1 trivial name="bool" canon="bool")
  (type 3 int size=4 trivial name="int" canon="int")
  (type 4 float size=4 trivial name="float" canon="float")
  (type 5 pointer size=8 elem=4 trivial name="float *" canon="float *")
  (type 6 array size=16 count=4 elem=4 trivial name="float[4]" canon="float[4]")
  (type 7 record size=8 align=4 trivial name="pair" canon="pair")
  (type 8 vector size=16 count=4 elem=4 const volatile trivial name="f32x4" canon="const volatile f32x4")
  (type 9 reference size=8 elem=8 name="f32x4 &" canon="const volatile f32x4 &")
  (type 10 array count=-1 elem=4 name="float[]" canon="float[]")
  (type 11 other name="(lambda at every.hip:19:11)" canon="(lambda at every.hip:19:11)")
  (sym 1 field type=4 file=1 at=21 name="x") ; float
  (sym 2 field type=4 file=1 at=24 name="y") ; float
  (sym 3 param type=4 fn=2 file=1 at=98 name="a") ; float
  (sym 4 param type=3 fn=2 file=1 at=105 name="n") ; int
  (sym 5 param type=5 fn=3 file=1 at=180 name="p") ; float *
  (sym 6 param type=7 fn=3 file=1 at=188 name="q") ; pair
  (sym 7 param type=3 fn=3 file=1 at=195 name="n") ; int
  (sym 8 local type=6 fn=3 file=1 at=207 name="acc") ; float[4]
  (sym 9 local type=4 fn=3 file=1 at=224 name="s") ; float
  (sym 10 local type=3 fn=3 file=1 at=272 name="m") ; int
  (sym 11 const type=3 fn=3 file=1 at=152 name="N") ; int
  (sym 12 local type=3 fn=3 file=1 at=405 name="i") ; int
  (sym 13 local type=4 fn=3 file=1 at=457 name="e") ; float
  (sym 14 local type=3 fn=3 file=1 at=486 name="w") ; int
  (sym 15 local type=11 fn=3 file=1 at=588 name="g") ; (lambda at every.hip:19:11)
  (sym 16 local type=7 fn=3 file=1 at=644 name="r") ; pair
  (sym 17 global space=constant static type=8 file=2 name="table") ; f32x4
  (sym 18 local space=shared type=10 fn=3 name="lds") ; float[]
  (sym 19 global space=global type=9 name="") ; f32x4 &
  (fn 1 device name="pair::sum" base="sum" symbol="_ZNK4pair3sumEv" file=1 28..69 name-at=34 ret=4 method const ; float
    (compound 46..69
      (return 48..67
        (binary 55..66 op=add type=4 ; float
          (member 55..62 type=4 sym=1 arrow text="x" ; x: float
            base: (this 55..59))
          (member 65..66 type=4 sym=2 text="y"))))) ; y: float
  (fn 2 device name="f" base="f" file=1 73..107 name-at=90 ret=4 params=3,4) ; float
  (fn 3 kernel name="k<32>" base="k" symbol="_Z1kILi32EEvPf4pairi" file=1 138..696 name-at=171 ret=1 params=5,6,7 ; void
    (compound 198..696
      (decl 201..226
        (var 201..222 type=6 sym=8 ; acc: float[4]
          (init-list 216..222 type=6 ; float[4]
            (literal 217..218 type=3 value=0 text="0") ; int
            (literal 220..221 type=3 value=1 text="1"))) ; int
        (var 224..225 type=4 sym=9)) ; s: float
      (if 228..262 constexpr
        cond: (binary 242..259 op=eq type=2 value=1 ; bool
          (sizeof 242..253 type=3 value=16) ; int
          (literal 257..259 type=3 value=16 text="16")) ; int
        then: (empty 261..262))
      (if 264..315
        init: (decl 268..278
          (var 268..277 type=3 sym=10 ; m: int
            (ref 276..277 type=3 sym=7))) ; n: int
        cond: (binary 279..284 op=lt type=2 ; bool
          (ref 279..280 type=3 sym=10) ; m: int
          (ref 283..284 type=3 sym=11 value=32)) ; N: int
        then: (compound 286..298
          (assign 288..296 type=4 ; float
            (ref 288..289 type=4 sym=9) ; s: float
            (member 292..295 type=4 sym=1 text="x" ; x: float
              base: (ref 292..293 type=7 sym=6)))) ; q: pair
        else: (assign 304..314 type=4 ; float
          (ref 304..305 type=4 sym=9) ; s: float
          (unary 308..313 op=neg type=4 ; float
            (index 309..313 type=4 ; float
              (ref 309..310 type=5 sym=5) ; p: float *
              (ref 311..312 type=3 sym=7))))) ; n: int
      (switch 316..394
        cond: (ref 324..325 type=3 sym=7) ; n: int
        body: (compound 327..394
          (case 329..343
            value: (literal 334..335 value=1 text="1")
            stmt: (break 337..343))
          (case 344..368
            value: (literal 349..350 value=2 text="2")
            high: (literal 355..356 value=3 text="3")
            stmt: (assign 358..368 op=add type=4 ; float
              (ref 358..359 type=4 sym=9) ; s: float
              (literal 363..367 type=4 text="1.0f"))) ; float
          (break 369..375)
          (default 376..392
            (return 385..392))))
      (for 396..444
        init: (decl 401..411
          (var 401..410 type=3 sym=12 ; i: int
            (literal 409..410 type=3 value=0 text="0"))) ; int
        cond: (binary 412..417 op=lt type=2 ; bool
          (ref 412..413 type=3 sym=12) ; i: int
          (ref 416..417 type=3 sym=7)) ; n: int
        inc: (unary 419..422 op=postinc type=3 ; int
          (ref 419..420 type=3 sym=12)) ; i: int
        body: (compound 424..444
          (if 426..442
            cond: (ref 430..431 type=3 sym=12) ; i: int
            then: (continue 433..442))))
      (range-for 446..473
        var: (var 451..458 type=4 sym=13) ; e: float
        range: (ref 461..464 type=6 sym=8) ; acc: float[4]
        body: (assign 466..473 op=add type=4 ; float
          (ref 466..467 type=4 sym=9) ; s: float
          (ref 471..472 type=4 sym=13))) ; e: float
      (while 475..506
        var: (var 482..491 type=3 sym=14 ; w: int
          (ref 490..491 type=3 sym=7)) ; n: int
        body: (compound 493..506
          (goto 495..504 text="out")))
      (do 508..525
        body: (compound 511..514)
        cond: (literal 522..523 type=3 value=0 text="0")) ; int
      (asm 527..554 volatile text="asm volatile(\"\" : \"+v\"(s));"
        (literal 540..542 text="\"\"")
        (operand 545..552 text="+v"
          (ref 550..551 type=4 sym=9))) ; s: float
      (label 555..581 text="out"
        (assign 560..581 type=4 ; float
          (ref 560..561 type=4 sym=9) ; s: float
          (cond 564..580 type=4 ; float
            cond: (ref 564..565 type=3 sym=7) ; n: int
            then: (ref 568..569 type=4 sym=9) ; s: float
            else: (cast 572..580 type=4 ; float
              (ref 579..580 type=3 sym=7))))) ; n: int
      (decl 583..610
        (var 583..609 type=11 sym=15 ; g: (lambda at every.hip:19:11)
          (lambda 592..609 type=11 ; (lambda at every.hip:19:11)
            (ref 593..594 type=4 sym=9)))) ; s: float
      (call 612..627 type=4 fn=2 text="f" ; f: float
        (binary 614..622 op=add type=4 macro ; float
          (ref 620..621 type=4 sym=9) ; s: float
          (ref 620..621 type=4 sym=9 macro)) ; s: float
        (ref 624..625 type=3 sym=7)) ; n: int
      (call 629..637 type=4 fn=1 method text="sum" ; pair::sum: float
        (ref 629..630 type=7 sym=6)) ; q: pair
      (decl 639..659
        (var 639..658 type=7 sym=16 ; r: pair
          (construct 648..658 type=7 ; pair
            (ref 653..654 type=4 sym=9) ; s: float
            (ref 656..657 type=4 sym=9)))) ; s: float
      (stmt-unknown 661..684
        (compound 665..668)
        (compound 681..684))
      (expr-unknown 686..694
        (ref 692..693 type=4 sym=9))))) ; s: float
