# For tests that are scripts (tests/compile, tests/exec, tests/fuzz), to be sourced:
#   . "$UNPHI_ROOT/scripts/tap.sh"
# A test prints one line a result: `ok NAME`, `not ok NAME: why` or `skip NAME: why`.
# scripts/test runs it in an empty directory of its own with UNPHI (the binary), UNPHI_BUILD (its
# build directory) and UNPHI_ROOT (the source tree) set, all absolute.
# shellcheck shell=bash

ok() { echo "ok $1"; }
not_ok() { echo "not ok $1: $2"; }
skip() { echo "skip $1: $2"; }

# check NAME COMMAND... is ok when the command succeeds; its output is shown when it does not.
check()
{
	local name=$1 code=0 output
	shift
	output=$("$@" 2>&1) || code=$?
	if [[ $code -eq 0 ]]; then
		ok "$name"
	else
		printf '%s\n' "$output"
		not_ok "$name" "exit code $code from $*"
	fi
}

# need NAME TOOL... skips the whole script, as NAME, when a tool is not there.
need()
{
	local name=$1 tool
	shift
	for tool; do
		if ! command -v "$tool" >/dev/null; then
			skip "$name" "$tool not found"
			exit 0
		fi
	done
}
