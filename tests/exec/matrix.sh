#!/usr/bin/env bash
# Every matrix operation of the wave runner against plain products; with AMD's Matrix Instruction
# Calculator (UNPHI_MATRIX_CALCULATOR names its directory) also by the layouts that it gives.
# shellcheck source=tests/exec/wave/common.bash
. "$UNPHI_ROOT/tests/exec/wave/common.bash"
need matrix "$clang"

# run_target COMPILER TARGET
run_target()
{
	local program=matrix.$1.$2
	wave_build "$1" "$program" "$UNPHI_ROOT/tests/exec/wave/matrix_test.cpp" "-D__$2__" \
		>"$program.log" 2>&1 || {
		cat "$program.log"
		not_ok "$program" "does not build"
		return
	}
	"./$program" 2>/dev/null | sed -E "s#^(ok|not ok) #&$program/#"
}

# Every name that rules/intrinsics.yaml has for these targets.
missing=$(python3 - "$UNPHI_ROOT" <<'END'
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
ops = (root / "src/verify/runtime/unphi/matrix_ops.h").read_text(encoding="utf-8")
rules = (root / "rules/intrinsics.yaml").read_text(encoding="utf-8")
for entry in re.split(r"^  - ", rules, flags=re.M)[1:]:
    targets = re.search(r"targets: (.*)", entry)
    if targets and re.search(r"gfx(908|90a|942|1100)\b", targets[1]):
        for name in re.findall(r"- __builtin_amdgcn_(\w+)", entry):
            if f"({name}," not in ops:
                print(name)
END
)
if [[ -z $missing ]]; then
	ok all-there
else
	not_ok all-there "$missing"
fi

for compiler in $(one_or_all_compilers); do
	wave_setup "$compiler" || not_ok "$compiler" "the runner does not build"
	run_target "$compiler" gfx942
done
run_target "$clang" gfx90a
run_target "$clang" gfx950

if [[ -n ${UNPHI_MATRIX_CALCULATOR:-} ]]; then
	"$UNPHI_ROOT/tests/exec/wave/calculator_tables.py" "$UNPHI_MATRIX_CALCULATOR" >tables &&
		"./matrix.$clang.gfx90a" tables
else
	skip calculator "UNPHI_MATRIX_CALCULATOR is not set"
fi
