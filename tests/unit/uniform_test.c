/*
 * The cases stand in data/uniform/cases.hip: code with probes in it that claim what is uniform.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "analysis/lanes/uniform.h"
#include "base/array.h"
#include "base/file.h"
#include "frontend/frontend.h"

struct example {
	bool may_skip; /* its name begins with ~ */
	bool waves;    /* with #: numbers of waves count as uniform */
	struct str prelude;
	struct str code;
};

/* Probes are pure, so that they change nothing themselves. */
static const char probes[] = "intrinsics:\n  - kind: pure\n    names: [U, D, TOGETHER, APART]\n";

struct fixture {
	struct arena *arena;
	struct intrinsic_db db;
	struct sbuf text;
	struct str prelude;
	ARRAY(struct example) examples;
	ARRAY(struct CMUnitTest) tests;
};

static struct fixture fixture;

/* True for a probe; says where it stands and what came out. */
static bool check_probe(struct uniformity *u, const struct kt_unit *unit, const struct kt_node *n)
{
	const char *name = n->kind == KT_CALL && n->fn ? unit->fn[n->fn].base : "";
	struct str text = kt_source(unit, n);
	const char *why = NULL;
	bool got, want;
	if (strcmp(name, "U") == 0 || strcmp(name, "D") == 0) {
		got = uniformity_expr(u, n->child[0], &why);
		want = name[0] == 'U';
		if (!got && (!why || !*why)) {
			fail_msg("%.*s: no reason", STR_ARG(text));
		}
	} else if (strcmp(name, "TOGETHER") == 0 || strcmp(name, "APART") == 0) {
		got = uniformity_control(u, n);
		want = name[0] == 'T';
	} else {
		return false;
	}
	if (got != want) {
		fail_msg("%.*s at byte %u: got %s (%s)", STR_ARG(text), n->begin,
			got ? "uniform" : "divergent", why ? why : "");
	}
	return true;
}

/* NULL when it does not parse. */
static struct kt_unit *parse(struct arena *a, struct str prelude, struct str code)
{
	const char *flags[] = {"-nogpuinc", "-std=c++17", "-w", NULL};
	const char *text = arena_printf(a, "%.*s%.*s", STR_ARG(prelude), STR_ARG(code));
	struct frontend_job job = {.path = "example.hip",
		.target = "gfx942",
		.flags = flags,
		.text = str_of(text),
		.intrinsics = &fixture.db};
	struct kt_unit *unit = NULL;
	return frontend_parse(&unit, a, &job, NULL) < 0 ? NULL : unit;
}

static void test_example(void **state)
{
	const struct example *e = *state;
	struct arena *a = arena_create();
	struct kt_unit *unit = parse(a, e->prelude, e->code);
	if (!unit && e->may_skip) {
		arena_free(a);
		skip();
	}
	assert_non_null(unit);
	struct facts *facts = facts_create(unit, a, &fixture.db);
	struct uniformity *u = e->waves ? uniformity_of_waves(facts) : uniformity_create(facts, a);
	unsigned probed = 0;
	for (kt_id fn = 1; fn < unit->fns; fn++) {
		const struct kt_node *body = unit->fn[fn].body;
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			probed += check_probe(u, unit, n) ? 1 : 0;
		}
	}
	if (probed == 0) {
		fail_msg("no probe was seen");
	}
	facts_release(facts);
	arena_free(a);
}

static void test_reason(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	struct kt_unit *unit = parse(a, fixture.prelude,
		STR("KERNEL k(int n) { int a = n; if (threadIdx.x) { a = 1; } D(n + 2 * a); }"));
	assert_non_null(unit);
	struct facts *facts = facts_create(unit, a, &fixture.db);
	struct uniformity *u = uniformity_create(facts, a);
	const struct kt_node *body = unit->fn[1].body;
	const char *why = NULL;
	assert_false(uniformity_expr(u, body->child[2]->child[0], &why));
	assert_string_equal(why, "'a' may differ per lane: it is written where lanes may be apart");
	assert_false(uniformity_expr(u, body->child[1]->child[KT_IF_COND], &why));
	assert_non_null(strstr(why, "threadIdx"));
	/* statements and what is no part of a body have no value */
	assert_false(uniformity_expr(u, body, NULL));
	assert_false(uniformity_expr(u, NULL, &why));
	assert_false(uniformity_control(u, NULL));
	assert_true(uniformity_control(u, body));
	facts_release(facts);
	arena_free(a);
}

/* A test for each case of the file. */
static void load_cases(void)
{
	const char *root = getenv("UNPHI_SOURCE_ROOT");
	struct sbuf path = {0};
	path_join(&path, root ? root : ".", "tests/unit/data/uniform/cases.hip");
	assert_int_equal(file_read(&fixture.text, sbuf_cstr(&path)), 0);
	sbuf_release(&path);
	struct str text = sbuf_str(&fixture.text);
	static const char mark[] = "\n/// ";
	size_t at = str_find(text, mark, 0);
	fixture.prelude = str_sub(text, 0, at);
	while (at < text.n) {
		size_t name = at + strlen(mark);
		size_t code = str_find(text, "\n", name);
		at = str_find(text, mark, code);
		struct str s = str_sub(text, name, code);
		array_push(&fixture.examples,
			(struct example){text.p[name] == '~', text.p[name] == '#', fixture.prelude,
				str_sub(text, code, at)});
		array_push(&fixture.tests,
			(struct CMUnitTest){.name = arena_strndup(fixture.arena, s.p, s.n),
				.test_func = test_example});
	}
	for (size_t i = 0; i < fixture.tests.n; i++) {
		fixture.tests.v[i].initial_state = &fixture.examples.v[i];
	}
}

int main(void)
{
	fixture.arena = arena_create();
	if (intrinsic_db_builtin(&fixture.db, fixture.arena) < 0 ||
		intrinsic_db_load(&fixture.db, fixture.arena, str_of(probes), "probes") < 0) {
		return 1;
	}
	load_cases();
	array_push(&fixture.tests, (struct CMUnitTest){.name = "reason", .test_func = test_reason});
	int failed =
		_cmocka_run_group_tests("uniform", fixture.tests.v, fixture.tests.n, NULL, NULL);
	intrinsic_db_release(&fixture.db);
	sbuf_release(&fixture.text);
	array_release(&fixture.examples);
	array_release(&fixture.tests);
	arena_free(fixture.arena);
	return failed;
}
