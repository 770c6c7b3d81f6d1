# What demo and test share; to be sourced. Sets $root, the top of the source tree, and goes there.
# shellcheck shell=bash

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit

# configure_build DIR OPTION... makes DIR with these meson options, or gives them to the one there.
configure_build()
{
	local dir=$1
	shift
	if [[ ! -f $dir/build.ninja ]]; then
		meson setup "$dir" "$@"
	elif [[ $# -gt 0 ]]; then
		meson configure "$dir" "$@"
	fi
}

# build DIR OPTION... configures and builds; the tools' output is shown only when they fail.
build()
{
	local log
	log=$(mktemp -t unphi-build.XXXXXX)
	if ! { configure_build "$@" && ninja -C "$1"; } >"$log" 2>&1 </dev/null; then
		cat "$log"
		rm -f "$log"
		return 1
	fi
	rm -f "$log"
}
