# What bash reads before the RUN lines of a test (lit.cfg.py): %exits and %not as functions, as a program for each takes
# as long as a short run of unphi's; and with UNPHI_TEST_COST, at their end, what they cost.
unset BASH_ENV

# exits N COMMAND... passes when COMMAND ends with exit code N, which a plain `not` cannot tell from
# other failures, a sanitizer's abort among them.
exits()
{
	{ local -; set +x; } 2>/dev/null # lit -v traces, into the redirected stderr
	local want=$1 got=0
	shift
	"$@" || got=$?
	[[ $got -ne $want ]] || return 0
	echo "exits: wanted exit code $want, got $got: $*" >&2
	return 1
}

# not COMMAND... passes when COMMAND fails, but not when a signal ends it or it is not there.
not()
{
	{ local -; set +x; } 2>/dev/null
	local got=0
	"$@" || got=$?
	[[ $got -eq 0 || $got -ge 126 ]] || return 0
	echo "not: exit code $got: $*" >&2
	return 1
}

golden_test=${0##*golden/}
golden_test=${golden_test/Output\//}
golden_test=${golden_test%.script}
[[ -n ${UNPHI_TEST_COST:-} ]] || return 0
# The leak check takes a third of a short run of the program with sanitizers: without --all some twenty tests have it,
# of all kinds, and the unit tests and the fuzz targets.
[[ -n ${UNPHI_TEST_ALL:-} || $((${#golden_test} % 10)) -eq 3 ]] || ASAN_OPTIONS+=:detect_leaks=0
cost()
{
	local mine=$UNPHI_TEST_COST.$$ sum=0 times time seconds
	times >"$mine" # in a pipe it would speak of the pipe
	read -rd '' -a times <"$mine" || true
	for time in "${times[@]}"; do # 1m2.345s
		seconds=${time#*m}
		seconds=${seconds/./}
		sum=$((sum + ${time%m*} * 60000 + 10#${seconds%s}))
	done
	printf '%d.%03d golden/%s\n' $((sum / 1000)) $((sum % 1000)) "$golden_test" >>"$UNPHI_TEST_COST"
	rm "$mine"
}
trap cost EXIT
