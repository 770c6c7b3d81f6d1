#!/usr/bin/env bash
# Runs kernels/*.hip on the CPU by the drivers in wave/kernels and compares with a reference in
# double. That rewrites keep all output bits is verify.py's matter.
# shellcheck source=tests/exec/wave/common.bash
. "$UNPHI_ROOT/tests/exec/wave/common.bash"
need kernels "$clang"

kernels="mla_decode gfx90a
mla_decode gfx942
boundary_gemm gfx942
factorial gfx942
fma_tile gfx942
wmma_tile gfx1100
wmma12_tile gfx1201
flash gfx90a
flash gfx942 -DBLOCK_M=64 -DBLOCK_N=32
flash gfx942 -DBLOCK_M=32"

# run_kernel COMPILER NAME TARGET OPTION...
run_kernel()
{
	local program=$2.$3.$1 file=$UNPHI_ROOT/kernels/$2.hip options
	mapfile -t options < <(options_of_target "$3")
	[[ -f $file ]] || file=$UNPHI_ROOT/kernels/$2/$2.hip
	wave_build "$1" "$program" "$UNPHI_ROOT/tests/exec/wave/kernels/$2.cpp" \
		-DKERNEL="\"$file\"" "${options[@]}" "${@:4}" >"$program.build" 2>&1 || {
		cat "$program.build"
		not_ok "$program" "does not build"
		return
	}
	"./$program" | sed -E "s#^(ok|not ok) #&$program/#"
}

for compiler in $(one_or_all_compilers); do
	wave_setup "$compiler" || not_ok "$compiler" "the runner does not build"
	while read -r name target options; do
		# shellcheck disable=SC2086 # options are words
		run_kernel "$compiler" "$name" "$target" $options
	done <<<"$kernels"
done
