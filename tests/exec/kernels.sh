#!/usr/bin/env bash
# Runs kernels/*.hip on the CPU by the drivers in wave/kernels and compares with a reference in
# double. That rewrites keep all output bits is verify.py's matter.
# shellcheck source=tests/exec/wave/common.bash
. "$UNPHI_ROOT/tests/exec/wave/common.bash"
need kernels clang++-19

kernels="mla_decode gfx90a
mla_decode gfx942
boundary_gemm gfx942
factorial gfx942
fma_tile gfx942
wmma_tile gfx1100"

# run_kernel COMPILER NAME TARGET
run_kernel()
{
	local program=$2.$3.$1
	wave_build "$1" "$program" "$UNPHI_ROOT/tests/exec/wave/kernels/$2.cpp" \
		-DKERNEL="\"$UNPHI_ROOT/kernels/$2.hip\"" -D"__$3__" >"$program.build" 2>&1 || {
		cat "$program.build"
		not_ok "$program" "does not build"
		return
	}
	"./$program" | sed -E "s#^(ok|not ok) #&$program/#"
}

for compiler in $(wave_compilers); do
	wave_setup "$compiler" || not_ok "$compiler" "the runner does not build"
	while read -r name target; do
		run_kernel "$compiler" "$name" "$target"
	done <<<"$kernels"
done
