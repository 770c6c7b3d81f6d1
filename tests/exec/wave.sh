#!/usr/bin/env bash
# The wave runner's meetings, exchanges, LDS, atomics, number types and errors; and what prepare
# makes of sources.
# shellcheck source=tests/exec/wave/common.bash
. "$UNPHI_ROOT/tests/exec/wave/common.bash"
need wave "$clang"

# run_program COMPILER NAME OPTION... the program's own results.
run_program()
{
	local compiler=$1 name=$2 program=$2.$1
	shift 2
	wave_build "$compiler" "$program" "$UNPHI_ROOT/tests/exec/wave/$name.cpp" "$@" \
		>"$program.build" 2>&1 || {
		cat "$program.build"
		not_ok "$program" "does not build"
		return
	}
	"./$program" 2>/dev/null | sed -E "s#^(ok|not ok) #&$program/#"
}

# A kernel that faults ends the process, with the lane.
# fault COMPILER NAME EXPECTED STATEMENT
fault()
{
	cat >"$2.cpp" <<-END
		#include <hip/hip_runtime.h>
		static volatile int zero;
		static int *volatile nowhere;
		static int deep(int n)
		{
			volatile int much[1000];
			much[n % 1000] = n;
			return n < 0 ? 0 : deep(n + 1) + much[n % 999];
		}
		int main()
		{
			return !unphi::launch(dim3(2), dim3(64), 0, 64, [] {
				if (blockIdx.x == 1 && threadIdx.x == 7) {
					$4;
				}
			});
		}
	END
	wave_build "$1" "$2" "$2.cpp" >"$2.log" 2>&1
	local code=0
	"./$2" >"$2.out" 2>&1 || code=$?
	if [[ $code -eq 3 ]] && grep -q "$3.*block (1,0,0), thread (7,0,0)" "$2.out"; then
		ok "fault/$2"
	else
		cat "$2.log" "$2.out"
		not_ok "fault/$2" "exit code $code"
	fi
}

# What cannot run must not build, and the message must name the line.
# refused COMPILER NAME LINE TEXT
refused()
{
	printf '#include <hip/hip_runtime.h>\n%s\n' "$4" >"$2.cpp"
	if wave_build "$1" "$2" "$2.cpp" >"$2.log" 2>&1; then
		not_ok "refused/$2" "it builds"
	elif grep -q "$2.cpp:$3:.*error: .*inline asm cannot run" "$2.log"; then
		ok "refused/$2"
	else
		cat "$2.log"
		not_ok "refused/$2" "another message"
	fi
}

for compiler in $(wave_compilers); do
	wave_setup "$compiler" || not_ok "$compiler" "the runner does not build"
	mapfile -t options < <(options_of_target gfx942)
	run_program "$compiler" wave_test "${options[@]}"
	run_program "$compiler" number_test "${options[@]}"
done
# The way of other hosts to switch between lanes.
mapfile -t flags < <(flags_of VERIFY_RUNTIME_FLAGS)
if "$clang" -std=c++17 "${flags[@]}" -DUNPHI_UCONTEXT -I "$runtime" -c "$runtime/wave.cpp" \
	-o ucontext.o &&
	"$clang" wave_test."$clang".o ucontext.o "$made"/{crosslane,number,matrix,race}."$clang".o \
		-o wave_test.ucontext; then
	./wave_test.ucontext 2>/dev/null | sed -E 's#^(ok|not ok) #&ucontext/#'
else
	not_ok ucontext "does not build"
fi
fault "$clang" address "access outside of all buffers" '*nowhere = 1'
fault "$clang" division "division by zero" 'zero = 7 / zero'
fault "$clang" stack "access outside" 'zero = deep(0)'
refused "$clang" asm 4 '__global__ void k(int *p)
{
	asm volatile("s_nop 0" ::: "memory");
}'
refused "$clang" asm-in-arm 5 '__global__ void k(int *p)
{
	if (*p)
		asm("v_mov_b32 %0, 0" : "=v"(*p));
}'
