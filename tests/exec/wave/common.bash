# For the tests of the wave runner: builds the runner and programs for it, in the current directory.
# shellcheck shell=bash
# shellcheck source=scripts/tap.sh
. "$UNPHI_ROOT/scripts/tap.sh"

runtime=$UNPHI_ROOT/src/verify/runtime

# The options of VERIFY_KERNEL_FLAGS or VERIFY_RUNTIME_FLAGS in prepare.h, one a line.
flags_of()
{
	sed -n "/^#define $1/,/[^\\\\]\$/p" "$runtime/prepare.h" | grep -o '"[^"]*"' | tr -d '"'
}

# The clang++ that is tested beside hipcc, as tests/compile/lib/tool.py has it: 19, else the newest.
own_clang()
{
	local n
	for n in 19 {40..17}; do
		if command -v "clang++-$n" >/dev/null; then
			echo "clang++-$n"
			return
		fi
	done
	echo clang++-19
}
clang=$(own_clang)

# wave_compilers lists the clang++ that are there.
wave_compilers()
{
	local name
	for name in clang++-15 "$clang"; do
		! command -v "$name" >/dev/null || echo "$name"
	done
}

# one_or_all_compilers lists $clang, and all with scripts/test --all.
one_or_all_compilers()
{
	if [[ -n ${UNPHI_TEST_ALL:-} ]]; then
		wave_compilers
	else
		echo "$clang"
	fi
}

# What all scripts of a run share.
made=${UNPHI_TEST_SHARED:-$PWD}/wave
mkdir -p "$made"

# once FILE COMMAND... makes FILE by the command, to whose words `-o` and a file are added; of the scripts of a run one.
once()
{
	local file=$1
	shift
	[[ -f $file ]] || flock "$made" bash -c '[[ -f $0 ]] || { "$@" -o "$0.new" && mv "$0.new" "$0"; }' "$file" "$@"
}

# wave_setup COMPILER builds $made/prepare and the runner.
wave_setup()
{
	local flags name
	once "$made/prepare" "${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -O1 -Wall -Wextra -I "$UNPHI_ROOT/src" \
		"$UNPHI_ROOT/tests/exec/wave/prepare_main.c" "$UNPHI_BUILD/src/libunphi.a" || return 1
	mapfile -t flags < <(flags_of VERIFY_RUNTIME_FLAGS)
	for name in wave crosslane number matrix race; do
		once "$made/$name.$1.o" "$1" -std=c++17 "${flags[@]}" -Wall -Wextra -I "$runtime" \
			-c "$runtime/$name.cpp" || return 1
	done
}

# What verify says of a target, from rules/targets.yaml, an option a line.
options_of_target()
{
	awk -v name="$1" '
		$2 == "name:" { mine = $3 == name }
		mine && $1 == "wave_size:" { size = $2 }
		mine && $1 == "fp8_ocp:" { ocp = 1 }
		mine && $1 == "gfx940_blgp:" { blgp = 1 }
		END {
			print "-D__" name "__"
			print "-DUNPHI_WAVE_SIZE=" size
			print "-DUNPHI_FNUZ=" !ocp
			print "-DUNPHI_GFX940_BLGP=" blgp + 0
		}' "$UNPHI_ROOT/rules/targets.yaml"
}

# wave_build COMPILER PROGRAM SOURCE OPTION...
wave_build()
{
	local compiler=$1 program=$2 source=$3 flags
	shift 3
	mapfile -t flags < <(flags_of VERIFY_KERNEL_FLAGS)
	"$compiler" -E -x c++ -std=c++17 -I "$runtime" "$@" "$source" -o "$program.ii" &&
		"$made/prepare" <"$program.ii" >"$program.prepared.ii" &&
		"$compiler" -x c++-cpp-output -std=c++17 "${flags[@]}" -c "$program.prepared.ii" \
			-o "$program.o" &&
		"$compiler" "$program.o" "$made"/{wave,crosslane,number,matrix,race}."$compiler.o" -o "$program"
}
