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

# rewrite_kernel NAME TARGET STRATEGY FILE; the file is missing or empty when nothing changed.
rewrite_kernel()
{
	local original=$UNPHI_ROOT/kernels/$1.hip
	[[ ! -e $4 ]] || return 0
	"$UNPHI" rewrite --strategy "$3" --target "$2" -o "$4" "$original" >"$4.log" 2>&1
	if cmp -s "$4" "$original"; then
		: >"$4"
	fi
}

# compare_rewrite COMPILER NAME TARGET STRATEGY
compare_rewrite()
{
	local file=$PWD/$2.$3.$4.hip name=$2.$3.$4.$1
	rewrite_kernel "$2" "$3" "$4" "$file"
	if [[ ! -s $file ]]; then
		tail -n 3 "$file.log"
		skip "$name" "not rewritten"
		return
	fi
	run_kernel "$1" "$2" "$3" "$file" "$name"
	check "$name/same-bits" cmp "$name.bits" "$2.$3.$1.bits"
}

# The rewrites are made once, for the first compiler.
for compiler in $(wave_compilers); do
	wave_setup "$compiler" || not_ok "$compiler" "the runner does not build"
	while read -r name target; do
		run_kernel "$compiler" "$name" "$target" "$UNPHI_ROOT/kernels/$name.hip" \
			"$name.$target.$compiler"
		for strategy in sequentialize launder hoist; do
			compare_rewrite "$compiler" "$name" "$target" "$strategy"
		done
	done <<<"$kernels"
done
