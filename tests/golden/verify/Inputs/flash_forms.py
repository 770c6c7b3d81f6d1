"""flash_forms.py QUERY DIRECTORY: writes kernels/flash/query.hip with fewer dimensions, other forms of it, and each of
these with a fault (NAME.wrong.hip)."""

import pathlib
import sys

LOOP = "for (int token = 0; token < tokens; token += TOKENS) {"
SCORES = """		f32x16 s = {};
		for (int i = 0; i < STEPS; ++i) {
			s = mma(fragment(keys, token, DIM, i), q[i], s);
		}
"""
MOST = """		for (int e = 0; e < 16; ++e) {
			now = fmaxf(now, s[e]);
		}
"""
SUM = "1 / (sum + __shfl_xor(sum, 32))"
FORMS = {
    "backward": ([(LOOP, "for (int token = tokens - TOKENS; token >= 0; token -= TOKENS) {")], ("token >= 0", "token > 0")),
    "scaled_late": ([("		s *= scale;\n", ""), (MOST, MOST.replace("s[e]", "s[e] * scale")), ("exp2f(s[e] - now)", "exp2f(s[e] * scale - now)")],
                    ("exp2f(s[e] * scale", "exp2f(s[e]")),
    "two_passes": ([("	" + LOOP, "	" + LOOP + "\n" + SCORES + "		s *= scale;\n" + MOST.replace("now", "top") + "	}\n"
                     "	top = fmaxf(top, __shfl_xor(top, 32));\n	" + LOOP)], (SUM, "1 / (sum + sum)")),
    "two_sums": ([(SCORES, SCORES.replace("s = {};", "s = {}, t = {};").replace("STEPS; ++i", "STEPS; i += 2").replace(
        "q[i], s);\n", "q[i], s);\n			t = mma(fragment(keys, token, DIM, i + 1), q[i + 1], t);\n") + "		s += t;\n")],
                 ("s += t", "s += t * (token ? 1 : 0.999f)")),
}  # fmt: skip

query, to = pathlib.Path(sys.argv[1]).read_text().replace("DIM = 576", "DIM = 64"), pathlib.Path(sys.argv[2])
(to / "query.hip").write_text(query)
for name, (changes, fault) in FORMS.items():
    text = query
    for old, new in changes:
        assert text.count(old) == 1, (name, old)
        text = text.replace(old, new)
    assert text.count(fault[0]) == 1, (name, fault)
    (to / f"{name}.hip").write_text(text)
    (to / f"{name}.wrong.hip").write_text(text.replace(*fault))
