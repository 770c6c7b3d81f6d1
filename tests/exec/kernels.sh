#!/usr/bin/env bash
# Runs kernels/*.hip on the CPU by the drivers in wave/kernels and compares with a reference in
# double; then the same for what `unphi rewrite` makes of them, where all output bits must be the
# original's.
# shellcheck source=tests/exec/wave/common.bash
. "$UNPHI_ROOT/tests/exec/wave/common.bash"
need kernels clang++-19

# Kernel, target, and the strategies that rewrite it.
kernels="mla_decode gfx90a sequentialize launder hoist
mla_decode gfx942 sequentialize launder hoist
boundary_gemm gfx942 sequentialize launder fuse split
factorial gfx942 sequentialize launder hoist fuse split
fma_tile gfx942 sequentialize launder fuse split
wmma_tile gfx1100 sequentialize launder fuse split"

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
	local file=$PWD/$2.$3.$4.hip name=$2.$3.$4.$1 original=$UNPHI_ROOT/kernels/$2.hip
	"$UNPHI" rewrite --strategy "$4" --target "$3" -o "$file" "$original" >"$file.log" 2>&1
	if [[ ! -s $file ]] || cmp -s "$file" "$original"; then
		tail -n 3 "$file.log"
		not_ok "$name" "not rewritten"
		return
	fi
	run_kernel "$1" "$2" "$3" "$file" "$name"
	check "$name/same-bits" cmp "$name.bits" "$2.$3.$1.bits"
}

for compiler in $(wave_compilers); do
	wave_setup "$compiler" || not_ok "$compiler" "the runner does not build"
	while read -r name target _; do
		run_kernel "$compiler" "$name" "$target" "$UNPHI_ROOT/kernels/$name.hip" \
			"$name.$target.$compiler"
	done <<<"$kernels"
done
while read -r name target strategies; do
	for strategy in $strategies; do
		compare_rewrite clang++-19 "$name" "$target" "$strategy"
	done
done <<<"$kernels"
