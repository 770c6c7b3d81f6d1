#!/usr/bin/env bash
# Every matrix operation of the wave runner against plain products; with AMD's Matrix Instruction
# Calculator (UNPHI_MATRIX_CALCULATOR names its directory) also by the layouts that it gives.
# shellcheck source=tests/exec/wave/common.bash
. "$UNPHI_ROOT/tests/exec/wave/common.bash"
need matrix "$clang"

# run_target COMPILER TARGET
run_target()
{
	local program=matrix.$1.$2 options
	mapfile -t options < <(options_of_target "$2")
	wave_build "$1" "$program" "$UNPHI_ROOT/tests/exec/wave/matrix_test.cpp" "${options[@]}" \
		>"$program.log" 2>&1 || {
		cat "$program.log"
		not_ok "$program" "does not build"
		return
	}
	"./$program" 2>/dev/null | sed -E "s#^(ok|not ok) #&$program/#"
}

# Every name that rules/intrinsics.yaml has, and of the same types where it has those; but for gfx1250's,
# which the runner lacks: their names end in no wave size and no gfx12.
missing=$(python3 - "$UNPHI_ROOT" <<'END'
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
ops = (root / "src/verify/runtime/unphi/matrix_ops.h").read_text(encoding="utf-8")
rules = (root / "rules/intrinsics.yaml").read_text(encoding="utf-8")
rows = {row[1]: row[2].split(", ") for row in re.finditer(r"^UNPHI_\w+\((\w+), (.*)\)$", ops, re.M)}
elements = {"float": ("f", 4), "int": ("i", 4), "_Float16": ("h", 2), "__bf16": ("y", 2)}
vector = r"(\w+) __attribute__\(\(vector_size\((\d+)\)\)\)"


def kept(types):
    return [f"v{int(size) // elements[t][1]}{elements[t][0]}" for t, size in types]


def known(name):
    return re.match(r"s?mfma", name) or re.search(r"wmma.*_(w32|w64|gfx12)$", name)


matrix = "".join(e for e in re.split(r"^  - ", rules, flags=re.M) if e.startswith("kind: matrix"))
print(*(name for name in re.findall(r"- __builtin_amdgcn_(\w+)", matrix) if known(name) and name not in rows), sep="\n")
for line in re.findall(r'- "(.*__builtin_amdgcn_.*)"', matrix):
    name = re.search(r"__builtin_amdgcn_(\w+)", line)[1]
    if known(name):
        d, a, b, _ = kept(re.findall(vector, line))
        row = rows.get(name, [])
        if row[-3:] != [a, b, d] and (row[-2:] != [a, d] or a != b):
            print(name, "of", a, b, d)
END
)
if [[ -z $missing ]]; then
	ok all-there
else
	not_ok all-there "$missing"
fi

# check_signatures TARGET NAMES [WAVE SIZE]: the types are those of the newest clang's builtins: it compiles a
# call of each, without conversions.
check_signatures()
{
	local target=$1 name=signatures/$1${3:+.w$3} compiler source=signatures.$1$3.hip wave=()
	compiler=clang++-$("$UNPHI_ROOT/scripts/llvm")
	if [[ $target == gfx950 && ${compiler##*-} -lt 20 ]]; then
		skip "$name" "$compiler has none of its matrix operations"
		return
	fi
	[[ $3 != 64 ]] || wave=(-mwavefrontsize64)
	python3 - "$UNPHI_ROOT" "$2" "$3" >"$source" <<'END'
import pathlib
import re
import sys

root, names, lanes = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3]
header = (root / "src/verify/runtime/unphi/matrix.h").read_text(encoding="utf-8")
ops = (root / "src/verify/runtime/unphi/matrix_ops.h").read_text(encoding="utf-8")
print("#define int64_t long")
print("\n".join(re.findall(r"^typedef .*;$", header, re.M)))
for kind, name, rest in re.findall(r"^UNPHI_(\w+)\((\w+), (.*)\)$", ops, re.M):
    rest = rest.split(", ")
    wave = re.search(r"_w(\d\d)", name)
    other = "gfx12" in name and "gfx12" not in names
    if other or not re.search(names, name) or (wave and wave[1] != lanes):
        continue
    same = kind in ("MFMA_SCALE", "WMMA", "WMMA_HALF", "WMMA_INT")
    a, b, d = (rest[-2], rest[-2], rest[-1]) if same else rest[-3:]
    call = {"MFMA": "a, b, c, 0, 0, 0", "MFMA_SCALE": "a, b, c, 0, 0, 0, i, 0, i",
            "SMFMAC": "a, b, c, i, 0, 0", "WMMA_HALF": "a, b, c, false",
            "SWMMAC": "a, b, c, i", "SWMMAC_INT": "true, a, true, b, c, i, false"}.get(
                kind, "true, a, true, b, c, false" if kind.endswith("INT") else "a, b, c")
    print(f"__attribute__((device)) {d} f_{name}({a} a, {b} b, {d} c, int i)")
    print(f"{{\n\treturn __builtin_amdgcn_{name}({call});\n}}")
END
	"$compiler" -x hip -nogpuinc -nogpulib --offload-arch="$target" --offload-device-only "${wave[@]}" \
		-flax-vector-conversions=none -fsyntax-only -ferror-limit=0 "$source" >"$source.log" 2>&1 || true
	# some builtins have clang's other name for half
	if ! grep -vE "vector of ([0-9]+) '__fp16' .*vector of \1 '_Float16' " "$source.log" | grep error: &&
		[[ $(grep -c __builtin "$source") -gt 5 ]]; then
		ok "$name"
	else
		not_ok "$name" "see above"
	fi
}

for compiler in $(one_or_all_compilers); do
	wave_setup "$compiler" || not_ok "$compiler" "the runner does not build"
	run_target "$compiler" gfx942
done
run_target "$clang" gfx90a
run_target "$clang" gfx950
run_target "$clang" gfx1200
check_signatures gfx942 '(16x16x32|32x32x16)_(i8|[bf]p?8_)|16x16x16bf16_1k' ""
check_signatures gfx950 '16x16x32_b?f16|32x32x16_b?f16|16x16x64|32x32x32|16x16x128|32x32x64' ""
check_signatures gfx1100 '^wmma.*_w' 32
check_signatures gfx1200 'gfx12|swmmac' 32
check_signatures gfx1200 'gfx12|swmmac' 64

if [[ -n ${UNPHI_MATRIX_CALCULATOR:-} ]]; then
	"$UNPHI_ROOT/tests/exec/wave/calculator_tables.py" "$UNPHI_MATRIX_CALCULATOR" >tables &&
		"./matrix.$clang.gfx90a" tables
else
	skip calculator "UNPHI_MATRIX_CALCULATOR is not set"
fi
