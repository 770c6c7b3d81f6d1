/* choose: the times that a user's command prints; verdicts over made-up figures and bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "base/msg.h"
#include "choose/bench.h"
#include "choose/judge.h"

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

/* ---- verdicts ---- */

enum {
	TARGETS = 2
};

/* A unit of two kernels, "in" and "out", on two targets. */
struct figures {
	struct state s;
	struct choose_job job;
	const struct target *target[TARGETS];
	struct measurement now[TARGETS];
	struct measure_result then[TARGETS];
	struct kernel_metrics before[TARGETS][2], after[TARGETS][2];
	struct map kernels; /* "in" */
};

static const struct target targets[TARGETS] = {
	{.name = "one", .vgpr_granule = 8}, {.name = "two", .vgpr_granule = 8}};

static int figures_init(void **state)
{
	struct figures *f = test_calloc(1, sizeof(*f));
	for (size_t t = 0; t < TARGETS; t++) {
		for (size_t k = 0; k < 2; k++) {
			struct kernel_metrics m = {.symbol = k ? "out" : "in", .trusted = true};
			m.name = m.symbol;
			for (int i = 0; i < METRIC_COUNT; i++) {
				m.v[i] = 10;
			}
			f->before[t][k] = f->after[t][k] = m;
		}
		f->target[t] = &targets[t];
		f->now[t] = (struct measurement){targets[t].name, f->before[t], 2};
		f->then[t].m = (struct measurement){targets[t].name, f->after[t], 2};
	}
	map_set(&f->kernels, STR("in"), 1);
	f->job.target = f->target;
	f->job.targets = TARGETS;
	f->s.job = &f->job;
	f->s.a = arena_create();
	f->s.now = f->now;
	*state = f;
	return 0;
}

static int figures_release(void **state)
{
	struct figures *f = *state;
	map_release(&f->kernels);
	arena_free(f->s.a);
	test_free(f);
	return 0;
}

static void check_figures(struct figures *f, enum outcome want, const char *reason)
{
	const struct judge_by by = {.kernels = &f->kernels};
	struct judged g = judge_figures(&f->s, f->then, &by);
	assert_int_equal(g.outcome, want);
	assert_non_null(strstr(g.reason, reason));
}

static void test_figures(void **state)
{
	struct figures *f = *state;
	check_figures(f, OUTCOME_EQUAL, "no figure changed");
	f->after[1][0].v[METRIC_VGPR_SPILL] = 2;
	check_figures(f, OUTCOME_BETTER, "two: in: ");
	f->after[0][0].v[METRIC_VGPR_SPILL] = 1;
	check_figures(f, OUTCOME_BETTER, "one: in: "); /* the first gain */
	f->after[1][0].v[METRIC_VGPR_SPILL] = 11;
	check_figures(
		f, OUTCOME_VETO, "two: in: "); /* stands against it, whatever the first gains */
	f->then[0].status = MEASURE_COMPILE_ERROR;
	check_figures(f, OUTCOME_FAILED, "one: "); /* of all that speaks against it the worst */
}

/* Kernels that an edit does not reach say nothing; without a list all count. */
static void test_figures_of(void **state)
{
	struct figures *f = *state;
	f->after[0][1].v[METRIC_VGPR_SPILL] = 11;
	check_figures(f, OUTCOME_EQUAL, "no figure changed");
	const struct judge_by all = {.kernels = NULL};
	struct judged g = judge_figures(&f->s, f->then, &all);
	assert_int_equal(g.outcome, OUTCOME_VETO);
	assert_string_equal(g.kernel, "out");
	f->job.targets = 1;
	g = judge_figures(&f->s, f->then, &all);
	assert_null(strstr(g.reason, "one: ")); /* there is no other */
}

static int bits(void *user, const struct choose_text *text, const char **why)
{
	*why = "out[3]";
	return str_is(text->text, "same") ? 1 : *(int *)user;
}

static void test_bits(void **state)
{
	struct figures *f = *state;
	const char *why = NULL;
	int answer = 0;
	assert_int_equal(judge_bits(&f->s, STR("other"), &why), 1); /* nobody asks */
	f->job.same_bits = bits;
	f->job.bits = &answer;
	assert_int_equal(judge_bits(&f->s, STR("same"), &why), 1);
	assert_int_equal(judge_bits(&f->s, STR("other"), &why), 0);
	assert_string_equal(why, "out[3]");
	answer = FAIL_USAGE;
	assert_int_equal(judge_bits(&f->s, STR("other"), &why), FAIL_USAGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_number),
		cmocka_unit_test_setup_teardown(test_figures, figures_init, figures_release),
		cmocka_unit_test_setup_teardown(test_figures_of, figures_init, figures_release),
		cmocka_unit_test_setup_teardown(test_bits, figures_init, figures_release)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
