#!/usr/bin/env bash
# corpus.sh: writes the real files of tests/fuzz/corpus again: assembly and IR by clang-19 and hipcc,
# texts and specs out of the tree. The other files there were written by hand, or are what a fuzzer
# found; a build makes kernel trees (tests/fuzz/trees).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
corpus=tests/fuzz/corpus
mkdir -p $corpus/{ir,isa,names,prepare,spec,yaml}

# compiled NAME TARGET COMPILER...
compiled()
{
	local source=tests/golden/$1.hip out=$corpus name=${1##*/}-$2-${3%%-*}
	local flags=(-x hip -nogpulib --offload-arch="$2" --cuda-device-only -O3 -S)
	"${@:3}" "${flags[@]}" "$source" -o "$out/isa/$name.s"
	"${@:3}" "${flags[@]}" -emit-llvm "$source" -o "$out/ir/$name.ll"
	sed -i -E 's/"(clang|Debian clang) version[^"]*"/"clang"/; /^source_filename|^target datalayout/d' \
		"$out/ir/$name.ll"
}
compiled measured/per-lane gfx908 clang-19
compiled verify/veto gfx942 clang-19
compiled lint/formats gfx1100 clang-19
compiled verify/veto gfx90a hipcc
compiled lint/formats gfx1030 hipcc
for name in veto-gfx942-clang per-lane-gfx908-clang; do
	{ cat "$corpus/isa/$name.s" && echo ======= && cat "$corpus/ir/$name.ll"; } >"$corpus/isa/$name.both"
done

cp rules/rules.yaml $corpus/yaml
cp kernels/{boundary_gemm,wmma_tile,fma_tile}.verify.yaml tests/exec/wrong/*.verify.yaml $corpus/spec
cp tests/golden/verify/Inputs/*.verify.yaml $corpus/spec
for name in lint/texts fuzz/parens fuzz/leaves sequentialize/comments; do
	{ echo '# 1 "/usr/include/stdio.h" 1 3' && echo 'for (;;) {}' && echo '# 1 "k.hip" 2' &&
		cat "tests/golden/$name.hip"; } >"$corpus/prepare/${name/\//-}.ii"
done
