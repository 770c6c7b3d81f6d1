#!/usr/bin/env bash
# What a strategy makes of one merge does not parse (a clause is switched off): that merge stays as it
# is, and the others of the file are rewritten.
set -uo pipefail
# shellcheck source=scripts/tap.sh
. "$UNPHI_ROOT/scripts/tap.sh"

# rewritten NAME OPTION... both plain kernels are, and the two with bindings are not.
rewritten()
{
	local name=unread/$1 rc=0 here
	shift
	cp "$UNPHI_ROOT/tests/golden/fuse/tuple.hip" a.hip
	UNPHI_MUTATE=fuse.6 "$UNPHI_BUILD/tests/mutate/unphi-mutate" rewrite a.hip --target gfx90a --fix "$@" \
		-- -nogpuinc -std=c++17 >said 2>&1 </dev/null || rc=$?
	here=$(grep -c 'kept as it is' said)
	if [[ $rc -ne 0 || $here -ne 2 ]] || ! grep -q ' 4 merges .* 2 rewritten' said; then
		cat said
		not_ok "$name" "exit code $rc, $here kept as they are"
	elif ! grep -c 'auto &\?\[x, y\] = p;' a.hip | grep -qx 4; then
		not_ok "$name" "the bindings are not what they were"
	else
		ok "$name"
	fi
}

rewritten forced --strategy fuse
if grep -q "fault of unphi's" said; then
	ok unread/reason
else
	not_ok unread/reason "the report does not say whose fault it is"
fi
