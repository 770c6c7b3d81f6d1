/* choose: the times that a user's command prints. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "choose/bench.h"

static void check_number(const char *printed, double want)
{
	double got;
	assert_true(bench_number(&got, str_of(printed)));
	assert_true(got == want);
}

static void check_none(const char *printed)
{
	double unused;
	assert_false(bench_number(&unused, str_of(printed)));
}

static void test_number(void **state)
{
	(void)state;
	check_number("7", 7);
	check_number("a 1.5\nb 2.25\n", 2.25);
	check_number("time: 12.5ms", 12.5);
	check_number("3e-3 s on gfx90a (p99, mi300x, v1.2)\n", 3e-3);
	check_number("t=.5;", .5);
	check_number("run-3", 3);
	check_number("1, 2 and 3.", 3);
	check_none("");
	check_none("none on gfx942");
	check_none("5 0");
	check_none("5 -3");
	check_none("-3");
	check_none("1e999");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_number)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
