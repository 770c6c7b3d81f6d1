# What bash reads before the RUN lines of a test (lit.cfg.py, UNPHI_TEST_COST): at their end it says what they cost.
unset BASH_ENV
# The leak check takes a third of a short run of the program with sanitizers: without --all some twenty tests have it,
# of all kinds, and the unit tests and the fuzz targets.
leaks=${0##*golden/}
[[ -n ${UNPHI_TEST_ALL:-} || $((${#leaks} % 10)) -eq 3 ]] || ASAN_OPTIONS+=:detect_leaks=0
cost()
{
	local name=${0##*golden/} mine=$UNPHI_TEST_COST.$$
	times >"$mine" # in a pipe it would speak of the pipe
	awk -v name="golden/${name/Output\//}" '
		{ for (i = 1; i <= NF; i++) { split($i, t, /[ms]/); sum += t[1] * 60 + t[2] } }
		END { sub(/\.script$/, "", name); printf "%.2f %s\n", sum, name }' "$mine" >>"$UNPHI_TEST_COST"
	rm "$mine"
}
trap cost EXIT
