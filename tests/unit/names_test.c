/*
 * Names that strategies hand out: none that the file, another plan or the plan itself has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include "strategy/plan/plan.h"

static void test_collect(void **state)
{
	(void)state;
	struct map m = {0};

	names_collect(&m, STR("unphi_a = xunphi_b + unphi_c2; /* unphi_d_ */ unphi_"));
	assert_int_equal(m.n, 4);
	assert_true(map_has(&m, STR("unphi_a")));
	assert_true(map_has(&m, STR("unphi_c2")));
	assert_true(map_has(&m, STR("unphi_d_")));
	assert_true(map_has(&m, STR("unphi_")));
	map_release(&m);
}

static void test_plan_name(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	struct reserved r = {0};
	struct strategy_opts opts = {.reserved = &r};
	struct kt_unit u = {.files = 1};
	struct parse parse = {.unit = &u};
	struct plan p = {.parse = &parse, .opts = &opts, .a = a, .text = STR("int unphi_taken;")};

	assert_string_equal(plan_name(&p, "taken"), "unphi_taken2");
	assert_string_equal(plan_name(&p, "taken"), "unphi_taken3");
	p.names = NULL; /* another plan: what the first one did not use is free again */
	assert_string_equal(plan_name(&p, "taken"), "unphi_taken2");
	reserved_add(&r, STR("bool unphi_taken2 = c, unphi_taken4;"));
	reserved_add(&r, STR("unphi_arm = 1;"));
	p.names = NULL;
	assert_string_equal(plan_name(&p, "taken"), "unphi_taken3");
	assert_string_equal(plan_name(&p, "taken"), "unphi_taken5");
	assert_string_equal(plan_name(&p, "arm"), "unphi_arm2");
	assert_string_equal(plan_name(&p, "value"), "unphi_value");
	for (int i = 3; i < 40; i++) {
		char text[32];
		snprintf(text, sizeof(text), "unphi_taken%d;", i);
		reserved_add(&r, str_of(text));
	}
	p.names = NULL;
	assert_string_equal(plan_name(&p, "taken"), "unphi_taken40");
	assert_true(str_starts(reserved_text(&r), "bool unphi_taken2"));
	assert_int_equal(reserved_text(NULL).n, 0);
	reserved_add(&r, STR("// unphi_in_comment\nx.unphi_member = y;\n#define A unphi_in_macro"));
	assert_true(reserved_has_word(&r, "unphi_taken39"));
	assert_true(reserved_has_word(&r, "unphi_in_macro"));
	assert_false(reserved_has_word(&r, "unphi_in_comment"));
	assert_false(reserved_has_word(&r, "unphi_member"));
	assert_false(reserved_has_word(NULL, "unphi_taken39"));
	reserved_release(&r);
	opts.reserved = NULL;
	p.names = NULL;
	assert_string_equal(plan_name(&p, "taken"), "unphi_taken2");
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_collect),
		cmocka_unit_test(test_plan_name),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
