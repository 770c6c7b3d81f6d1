#!/usr/bin/env bash
# Runs kernels/*.hip on the CPU by the drivers in wave/kernels and compares with a reference in
# double; then the same for what `unphi rewrite` makes of them, where all output bits must be the
# original's.
# shellcheck source=tests/exec/wave/common.bash
. "$UNPHI_ROOT/tests/exec/wave/common.bash"
need kernels clang++-19

# Kernel and target.
kernels="mla_decode gfx90a
mla_decode gfx942
boundary_gemm gfx942
factorial gfx942
fma_tile gfx942
wmma_tile gfx1100"

# run_kernel COMPILER NAME TARGET SOURCE PREFIX runs one; all that it wrote goes to PREFIX.bits.
run_kernel()
{
	local driver=$UNPHI_ROOT/tests/exec/wave/kernels/$2.cpp
	wave_build "$1" "$5" "$driver" -DKERNEL="\"$4\"" -D"__$3__" >"$5.build" 2>&1 || {
		cat "$5.build"
		not_ok "$5" "does not build"
		return
	}
	DUMP=$5.bits "./$5" | sed -E "s#^(ok|not ok) #&$5/#"
}

# compare_rewrite COMPILER NAME TARGET STRATEGY
compare_rewrite()
{
	local name=$2.$3.$4.$1
	"$UNPHI" rewrite --strategy "$4" --target "$3" -o "$2.$3.$4.hip" \
		"$UNPHI_ROOT/kernels/$2.hip" >"$name.log" 2>&1
	if [[ ! -s $2.$3.$4.hip ]] || cmp -s "$2.$3.$4.hip" "$UNPHI_ROOT/kernels/$2.hip"; then
		cat "$name.log"
		skip "$name" "not rewritten"
		return
	fi
	run_kernel "$1" "$2" "$3" "$PWD/$2.$3.$4.hip" "$name"
	check "$name/same-bits" cmp "$name.bits" "$2.$3.$1.bits"
}

for compiler in $(wave_compilers); do
	wave_setup "$compiler" || not_ok "$compiler" "the runner does not build"
	while read -r name target; do
		run_kernel "$compiler" "$name" "$target" "$UNPHI_ROOT/kernels/$name.hip" \
			"$name.$target.$compiler"
	done <<<"$kernels"
done
