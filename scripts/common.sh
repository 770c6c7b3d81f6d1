# What demo, test and others share; to be sourced. Sets $root, the top of the source tree, and goes there.
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

# build DIR OPTION... configures and builds $targets, or all; the tools' output is shown only when they fail.
build()
{
	local log
	log=$(mktemp -t unphi-build.XXXXXX)
	if ! { configure_build "$@" && ninja -C "$1" ${targets:-}; } >"$log" 2>&1 </dev/null; then
		cat "$log"
		rm -f "$log"
		return 1
	fi
	rm -f "$log"
}

# copy_tracked DIR: what git tracks, as it stands in the working tree, in the new directory DIR.
copy_tracked()
{
	mkdir "$1"
	git -C "$root" ls-files -z | tar -C "$root" --null -T - -c --ignore-failed-read | tar -C "$1" -x
}

# in_tree DIR COMMAND... runs it as root in the Debian tree in DIR (scripts/toolchain), with nothing of our
# environment. What is mounted for it, and what it leaves running, ends with it.
in_tree()
{
	local dir=$1
	shift
	# shellcheck disable=SC2016 # for the shell inside
	unshare --mount --pid --fork --kill-child bash -c '
		mount -t proc proc "$0/proc" && mount -t devpts -o newinstance,ptmxmode=0666 devpts "$0/dev/pts" &&
			mount --bind "$0/dev/pts/ptmx" "$0/dev/ptmx" && mount -t tmpfs tmpfs "$0/dev/shm" || exit
		exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive \
			chroot "$0" "$@"' "$dir" "$@"
}
