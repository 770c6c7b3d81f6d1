# cache.sh UNPHI INPUTS DIR: the runs of cache.test.
set -eu
unphi=$1
dir=$3
rm -rf "$dir"
mkdir "$dir"
cp "$2"/small.* "$dir"
printf '#ifdef COUNTS\nint counts;\n#endif\n' >>"$dir/small.hip"
export XDG_CACHE_HOME=$dir/cache

write_compiler()
{
	cat >"$dir/cc" <<END
#!/bin/bash
$1
[[ " \$* " != *" -o "* || " \$* " == *" -E "* ]] || echo "\$*" >>$dir/log
exec $UNPHI_TEST_CLANG "\${@/#-O2/-O0}"
END
	chmod +x "$dir/cc"
}

# run NAME OPTION...
run()
{
	local name=$1
	shift
	: >"$dir/log"
	"$unphi" verify "$dir/small.hip" "$dir/small.hip" --host-compiler "$dir/cc" "$@" >"$dir/out"
	grep -q '2 of 2 cases equal' "$dir/out"
	# the second source is the first: its program is there by then, or is made by its side
	echo "$name: $(sort -u "$dir/log" | sed "s#[^ ]*/p[0-9]*/##g; s#[^ ]*/unphi-[^ ]*/##g" | sort -u | wc -l)"
}

write_compiler ''
run first
run again
run 'another macro' -- -DNOBODY_ASKS=1
run 'a macro that counts' -- -DCOUNTS
echo 'int more;' >>"$dir/small.hip"
run 'another text'
run --no-cache --no-cache
write_compiler '# another'
run 'another compiler'
find "$dir/cache" -type f -exec truncate -s -1 {} +
run 'torn entries'
export XDG_CACHE_HOME=/dev/null/none
run 'nowhere to write'
