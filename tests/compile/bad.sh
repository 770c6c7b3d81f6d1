#!/usr/bin/env bash
# Inputs, outputs and compilers that cannot be used, for rewrite and lint as tests/golden/cli has
# them for measure: one clear message, the documented exit code, the source byte-identical.
set -uo pipefail
# shellcheck source=scripts/tap.sh
. "$UNPHI_ROOT/scripts/tap.sh"

fakes=$UNPHI_ROOT/tests/golden/cli/Inputs
source=$UNPHI_ROOT/kernels/fma_tile.hip

# refused NAME CODE PATTERN COMMAND... must end with CODE, one message on stderr that matches
# PATTERN (its first line), nothing on stdout, and leave a.hip and the directory as they were.
refused()
{
	local name=bad/$1 code=$2 pattern=$3 got=0 before after messages
	shift 3
	cp "$source" a.hip
	before=$(ls -A)
	timeout 600 "$@" >../stdout 2>../stderr </dev/null || got=$?
	after=$(ls -A)
	messages=$(grep -c '^unphi: error: ' ../stderr)
	if [[ $got -ne $code ]]; then
		cat ../stderr
		not_ok "$name" "exit code $got, not $code"
	elif [[ $messages -ne 1 ]] || ! head -n 1 ../stderr | grep -qE "^unphi: error: $pattern"; then
		cat ../stderr
		not_ok "$name" "another message, or $messages of them"
	elif [[ -s ../stdout ]]; then
		not_ok "$name" "it prints results"
	elif ! cmp -s a.hip "$source" || [[ $before != "$after" ]]; then
		not_ok "$name" "it left changes: $after"
	else
		ok "$name"
	fi
}

rewrite() { refused "$1" "$2" "$3" "$UNPHI" rewrite --quiet "${@:4}"; }
lint() { refused "$1" "$2" "$3" "$UNPHI" lint --quiet "${@:4}"; }

bad_inputs()
{
	printf '__attribute__((global)) void k(int *p) { *p = ; }\n' >broken.hip
	head -c 4096 /dev/urandom >noise.hip
	rewrite rewrite/directory 2 'cannot read \.: Is a directory; name a file' . \
		--target gfx90a --fix
	rewrite rewrite/syntax 3 'broken.hip: does not parse as HIP.*compile it first' broken.hip \
		--target gfx90a --fix
	rewrite rewrite/noise 3 'noise.hip: does not parse as HIP' noise.hip --target gfx90a --fix
	rewrite rewrite/target 2 "unknown target 'gfx123'.* the targets are: |unknown target.*The targets are: " \
		a.hip --target gfx123 --fix
	rewrite rewrite/two-files 2 "'unphi rewrite' takes one file" a.hip broken.hip \
		--target gfx90a --fix
	mkdir empty
	lint lint/directory 2 'empty: has no HIP source' empty --target gfx90a
	rmdir empty
	lint lint/syntax 3 'broken.hip: does not parse as HIP.*compile it first' broken.hip \
		--target gfx90a
	lint lint/target 2 "unknown target 'gfx123'" a.hip --target gfx123
	rm broken.hip noise.hip
}

bad_outputs()
{
	rewrite rewrite/output-nowhere 2 'cannot write nosuch/out.hip: ' a.hip --target gfx90a \
		-o nosuch/out.hip
	rewrite rewrite/output-directory 2 'cannot write \.: Is a directory' a.hip --target gfx90a -o .
	rewrite rewrite/output-full 2 'cannot write /dev/full: No space left' a.hip --target gfx90a \
		--strategy sequentialize -o /dev/full
	rewrite rewrite/report-nowhere 2 'cannot write nosuch/report: ' a.hip --target gfx90a --fix \
		--report nosuch/report
	lint lint/report-nowhere 2 'cannot write nosuch/report: ' a.hip --target gfx90a \
		--report nosuch/report
}

bad_compilers()
{
	if [[ -d /opt/rocm ]]; then
		skip bad/rewrite/no-compiler "there is one in /opt/rocm"
	else
		refused rewrite/no-compiler 2 'there is no device compiler.*install hipcc or clang' \
			env PATH=/nowhere ROCM_PATH= HIP_PATH= UNPHI_COMPILER= \
			"$UNPHI" rewrite --quiet a.hip --target gfx90a --fix
	fi
	rewrite rewrite/compiler-nowhere 2 'nosuchclang \(from --compiler\) is not there.*install' \
		a.hip --target gfx90a --fix --compiler nosuchclang
	rewrite rewrite/compiler-crashes 3 'a.hip: .*crashing-compiler crashed for gfx90a' a.hip \
		--target gfx90a --fix --compiler "$fakes/crashing-compiler"
	rewrite rewrite/compiler-hangs 3 'a.hip: .*took more than [0-9.]+ s for gfx90a.*--time-limit' a.hip \
		--target gfx90a --fix --time-limit 20 --compiler "$fakes/hanging-compiler"
	rewrite rewrite/compiler-babbles 3 'a.hip: .*cannot be read' a.hip --target gfx90a --fix \
		--compiler "$fakes/babbling-compiler"
}

# A compiler that fails on all but the source as it is: every candidate is reported as not compiling,
# and the source stays.
picky_compiler()
{
	local real
	if ! real=$(command -v hipcc); then
		skip bad/rewrite/candidates-fail "hipcc not found"
		return
	fi
	printf '#!/bin/bash\nfor last; do :; done\n[[ ! -f $last ]] || cmp -s -- "$last" %q || kill -9 $$\nexec %q "$@"\n' \
		"$source" "$real" >../picky-hipcc
	chmod +x ../picky-hipcc
	cp "$source" a.hip
	if "$UNPHI" rewrite a.hip --verbose --target gfx90a --fix --compiler ../picky-hipcc >../stdout \
		2>../stderr && cmp -s a.hip "$source" && ! grep -q 'error:' ../stderr &&
		grep -q 'did not compile' ../stdout; then
		ok bad/rewrite/candidates-fail
	else
		cat ../stdout ../stderr
		not_ok bad/rewrite/candidates-fail "the source changed, or it was not said"
	fi
}

# full_disk NAME COMMAND... must fail to write; a file called ballast takes the room.
full_disk()
{
	local name=$1 code=0
	shift
	cp "$source" a.hip
	"$@" >/dev/null 2>"$top/stderr" || code=$?
	rm -rf .unphi-cache ballast
	if [[ $code -eq 2 && $(ls -A) == a.hip ]] && cmp -s a.hip "$source" &&
		grep -qE '^unphi: error: cannot (write|create)' "$top/stderr"; then
		ok "bad/$name"
	else
		cat "$top/stderr"
		ls -lA
		not_ok "bad/$name" "exit code $code"
	fi
}

no_room()
{
	local disk=$top/disk
	mkdir "$disk"
	if mount -t tmpfs -o size=256k tmpfs "$disk" 2>/dev/null; then
		cd "$disk" || return
		cp "$source" a.hip
		cat /dev/zero >ballast 2>/dev/null
		full_disk full-disk/fix "$UNPHI" rewrite --quiet a.hip --target gfx90a \
			--strategy sequentialize --fix
		cat /dev/zero >ballast 2>/dev/null
		full_disk full-disk/temporary env TMPDIR="$disk" XDG_CACHE_HOME="$disk/.unphi-cache" \
			"$UNPHI" rewrite --quiet a.hip --target gfx90a --fix
		cd "$top/work" || return
		umount "$disk"
	else
		skip bad/full-disk "no tmpfs can be mounted here"
	fi
	rmdir "$disk"
}

# A limit on the size of files stands in for a full disk where nothing can be mounted. Its signal is
# ignored by unphi itself.
size_limit()
{
	full_disk size-limit/fix bash -c 'ulimit -f 1; exec "$@"' - "$UNPHI" rewrite \
		--quiet a.hip --target gfx90a --strategy sequentialize --fix
}

top=$PWD
mkdir work
cd work || exit
bad_inputs
bad_outputs
bad_compilers
picky_compiler
no_room
size_limit
