# places.py UNPHI: a table of texts x strategies; each text must be rewritten, or refused by clause 93.
import os
import subprocess
import sys

HEADER = """#define LINE_IN_HEADER __LINE__
#define AGAIN (LINE_IN_HEADER)
#define assert(c) ((c) ? (void)0 : __assert_fail(#c, __FILE__, __LINE__, __PRETTY_FUNCTION__))
extern "C" __attribute__((device)) void __assert_fail(const char *, const char *, unsigned, const char *);
namespace std {
struct source_location {
	int at = 0;
	static constexpr __attribute__((device)) source_location current(int n = __builtin_LINE()) { return {n}; }
};
}
__attribute__((device)) inline int with_default(int n = __builtin_LINE()) { return n; }
__attribute__((device)) inline int located(std::source_location l = std::source_location::current()) { return l.at; }
struct has_member { int n = __builtin_LINE(); };
struct holds_it { has_member m; };
typedef has_member renamed;
using alias = holds_it;
__attribute__((device)) inline int plain(int n) { return n; }
__attribute__((device)) inline int known(int n) { return __builtin_constant_p(n) ? 1 : n; }
template <class T> __attribute__((device)) int asks(T n) { return known(n); }
"""

KERNEL = """#include "places.h"
%(top)s
__attribute__((device)) inline void step(float *acc, const float *b, int s)
{
	s += %(callee)s;
	for (int i = 0; i < 64; i++) {
		acc[i] += b[i + s];
	}
}
__attribute__((global)) void k(float *out, const float *b, int n, int t)
{
	float acc[64] = {};
	for (int q = 0; q < n; q++) {
		%(if)s
	}
	for (int i = 0; i < 64; i++) {
		out[i] = acc[i];
	}
}
%(behind)s
"""

ARMS = {
    "hoist:plain": "if (q & 1) { const float *p = b + q; for (int i = 0; i < 64; i++) { acc[i] += p[i] + %(w)s; } } "
    "else { const float *p = b + 2 * q; for (int i = 0; i < 64; i++) { acc[i] += p[i] + %(w)s; } }",
    "hoist:split": "if (q & 1) {\n\t\t\tstep(acc, b, q);\n\t\t} else {\n\t\t\tstep(acc, b, q + 3);\n\t\t}",
    "fuse": "if (q & 1) {\n\t\t\tfor (int i = 0; i < 64; i++) {\n\t\t\t\tacc[i] += b[i + 7] + %(w)s;\n\t\t\t}\n"
    "\t\t} else {\n\t\t\tfor (int i = 0; i < 64; i++) {\n\t\t\t\tacc[i] += b[i + 1] + %(w)s;\n\t\t\t}\n\t\t}",
}
ARMS["sequentialize"] = ARMS["launder"] = ARMS["fuse"]
ARMS["split"] = ARMS["fuse"].replace("q & 1", "q < t")
ARMS["predicate"] = (
    "if (q & 1) {\n\t\t\tfor (int i = 0; i < 64; i++) {\n\t\t\t\tacc[i] += (i < t ? b[i] : 0.f) + %(w)s;\n\t\t\t}\n"
    "\t\t} else {\n\t\t\tfor (int i = 0; i < 64; i++) {\n\t\t\t\tacc[i] += b[i] + %(w)s;\n\t\t\t}\n\t\t}"
)

# In the arms, or in the callee that is split.
REFUSED = ["__LINE__", "LINE_IN_HEADER", "AGAIN", "OWN", "__builtin_LINE()", "__builtin_COLUMN()", "__COUNTER__",
    "sizeof(__FILE__)", "__builtin_FILE()[0]", "with_default()", "located()", "has_member{}.n", "holds_it{}.m.n",
    "renamed{}.n", "alias{}.m.n", "std::source_location::current().at"]
# What the optimizer knows of a value.
ASKS = ["__builtin_constant_p(s + 1)", "known(3)", "asks(3)"]
ALLOWED = ["0", "plain(3)"]
ASSERT = "(assert(b[0] > 0), 0)"
IN_FUNCTION = ["sizeof(__func__)", "sizeof(__PRETTY_FUNCTION__)", "__builtin_FUNCTION()[0]"]
# Behind the merge.
LATER = "__attribute__((global)) void later(int *p) { %s }"
LINE_BEHIND = [LATER % "*p = __LINE__;", LATER % "*p = with_default();", "__device__ const int here = __LINE__;",
    "constexpr int both() { return __LINE__; }" + LATER % "*p = both();"]
NOT_BEHIND = ["", LATER % "*p = sizeof(__FILE__);", LATER % "assert(*p > 0);", "int host() { return __LINE__; }"]

failed = 0


def run(strategy, want, **parts):
    global failed
    p = {"top": "#define OWN (__LINE__ + 1)", "callee": "0", "w": "0", "behind": "", **parts}
    p["if"] = ARMS[strategy] % p
    with open("a.hip", "w") as f:
        f.write((KERNEL % p).replace("__device__", "__attribute__((device))"))
    cmd = [sys.argv[1], "rewrite", "a.hip", "--verbose", "--target", "gfx90a", "--threshold", "1", "--strategy", strategy,
        "--fix", "--", "-nogpuinc", "-std=c++17"]
    r = subprocess.run(cmd, capture_output=True, text=True)
    said = r.stdout + r.stderr
    if r.returncode == 0 and "kept: forced" in said:
        got = "rewritten"
    elif r.returncode == 0 and "(clause 93)" in said:
        got = "refused"
    else:
        got = said
    if got != want:
        failed += 1
        print("%s, %s: not %s: %s" % (strategy, parts, want, got))


with open("places.h", "w") as f:
    f.write(HEADER)
for s in ARMS:
    where = "callee" if s == "hoist:split" else "w"
    for w in ALLOWED:
        run(s, "rewritten", **{where: w})
    for w in IN_FUNCTION:
        run(s, "refused" if where == "callee" else "rewritten", **{where: w})
    if s not in ("hoist:plain", "predicate"):  # what may trap in its middle is another clause's
        run(s, "rewritten", **{where: ASSERT})
    for w in REFUSED if s in ("fuse", "hoist:split") else [REFUSED[9]] if s == "predicate" else REFUSED[2:10:7]:
        run(s, "refused", **{where: w})
    for w in ASKS[s != "hoist:split":]:
        if s not in ("hoist:plain", "predicate"):  # other clauses refuse code that is not known
            run(s, "refused", **{where: w})
for w in LINE_BEHIND:
    run("fuse", "refused", behind=w)
for w in NOT_BEHIND:
    run("fuse", "rewritten", behind=w)
# Lines of macros in front of it count as well; and no call can be told that has this default.
run("launder", "refused", behind=LINE_BEHIND[0])
run("fuse", "refused", top="struct op { __device__ int operator()(int n = __builtin_LINE()) { return n; } };")
sys.exit(failed > 0)
