/*
 * Names that strategies hand out: none that the file, what it includes, another plan or the plan
 * itself has.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include "strategy/plan/names.h"

struct world {
	struct reserved r;
	struct other_names others;
	struct strategy_opts opts;
	struct kt_unit u;
	struct parse parse;
	struct plan p;
};

static struct plan *world_of(struct world *w, struct arena *a, const char *text)
{
	*w = (struct world){.u = {.files = 1}};
	w->opts = (struct strategy_opts){.reserved = &w->r, .others = &w->others};
	w->parse.unit = &w->u;
	w->p = (struct plan){.parse = &w->parse, .opts = &w->opts, .a = a, .text = str_of(text)};
	return &w->p;
}

static void world_end(struct world *w)
{
	reserved_release(&w->r);
	other_names_release(&w->others);
}

/* Asked for before anything else: the other files are not loaded yet. */
static void test_joined_first(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	struct world w;
	struct plan *p = world_of(&w, a, "bool c;");

	other_names_add_text(&w.others, "a.h", STR("#define J(n) c##n + x##c\n"));
	assert_string_equal(plan_name(p, "c"), "unphi_c");
	/* no other word is, unless somebody has what stands behind the number */
	assert_string_equal(plan_name(p, "c4f"), "c4f");
	other_names_add_text(&w.others, "b.h", STR("#define K(n) d##n##f\n"));
	assert_string_equal(plan_name(p, "d4f"), "d4f2");
	/* all numbers are, so that it gets another beginning in the end */
	assert_string_equal(plan_name(p, "c1"), "unphi_c1100");
	world_end(&w);
	arena_free(a);
}

static void test_plan_name(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	struct world w;
	struct plan *p = world_of(&w, a, "int taken; // arm");

	assert_string_equal(plan_name(p, "taken"), "taken2");
	assert_string_equal(plan_name(p, "taken"), "taken3");
	p->names = NULL; /* another plan: what the first one did not use is free again */
	assert_string_equal(plan_name(p, "taken"), "taken2");
	reserved_add(&w.r, STR("bool taken2 = c, taken4;"), 0);
	p->names = NULL;
	assert_string_equal(plan_name(p, "taken"), "taken3");
	assert_string_equal(plan_name(p, "taken"), "taken5");
	assert_string_equal(plan_name(p, "arm"), "arm");
	for (int i = 3; i < 40; i++) {
		char text[32];
		snprintf(text, sizeof(text), "taken%d;", i);
		reserved_add(&w.r, str_of(text), 0);
	}
	p->names = NULL;
	assert_string_equal(plan_name(p, "taken"), "taken40");
	assert_true(str_starts(reserved_text(&w.r), "bool taken2"));
	assert_int_equal(reserved_text(NULL).n, 0);
	reserved_add(&w.r, STR("// in_comment\nx.member = y;\n#define A in_macro"), 0);
	assert_true(reserved_has_word(&w.r, "taken39"));
	assert_true(reserved_has_word(&w.r, "in_macro"));
	assert_false(reserved_has_word(&w.r, "in_comment"));
	assert_false(reserved_has_word(NULL, "taken39"));
	w.opts.prefix = "unphi_";
	assert_string_equal(plan_name(p, "taken"), "unphi_taken");
	assert_string_equal(plan_name_base(p, "unphi_taken"), "taken");
	assert_string_equal(plan_name_base(p, "unphi_"), "unphi_");
	world_end(&w);
	arena_free(a);
}

static void test_like(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	struct world w;
	struct plan *p = world_of(&w, a, "panel = tileB + arm_scale + scale;");

	assert_string_equal(plan_name_like(p, "row"), "row");
	assert_string_equal(plan_name_like(p, "panel"), "arm_panel");
	assert_string_equal(plan_name_like(p, "tileB"), "armTileB");
	assert_string_equal(plan_name_like(p, "scale"), "arm_scale2");
	assert_string_equal(plan_name_like(p, "arm_scale"), "arm_scale3");
	world_end(&w);
	arena_free(a);
}

/* Macros of any file may be used behind the declaration; words that they join are names, too. */
static void test_others(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	struct world w;
	struct plan *p = world_of(&w, a, "CAT(ta, ken); N(1)");

	other_names_add_text(&w.others, "a.h",
		STR("int value;\n#define W(a, b) a##b\n#define X from(x) \\\n\tto\n"));
	assert_string_equal(plan_name(p, "value"), "value2");
	assert_string_equal(plan_name(p, "from"), "from2");
	assert_string_equal(plan_name(p, "to"), "to2");
	assert_string_equal(plan_name(p, "taken"), "taken2");
	other_names_add_text(&w.others, "b.h", STR("#  define N(i) ar##m + arm##i"));
	assert_string_equal(plan_name(p, "arm"), "unphi_arm");
	world_end(&w);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_plan_name),
		cmocka_unit_test(test_joined_first),
		cmocka_unit_test(test_like),
		cmocka_unit_test(test_others),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
