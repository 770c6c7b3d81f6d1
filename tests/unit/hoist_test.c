/*
 * The cases stand in data/{hoist,callee}/cases.hip: code, and what hoist makes of it or why it
 * refuses. What
 * it makes is compiled for device and host, must be left alone by a second run, and is run on the
 * host beside the original: not one bit of what they store may differ.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "base/array.h"
#include "base/file.h"
#include "base/process/proc.h"
#include "frontend/frontend.h"
#include "strategy/strategy.h"

struct example {
	const char *name;
	const char *variant;
	bool contract_off;
	bool legal;
	unsigned clause;
	struct str words;
	struct str code;
	struct str want;   /* empty: not given */
	const char *after; /* the code rewritten, by test_example */
};

struct fixture {
	struct arena *arena;
	struct intrinsic_db db;
	struct sbuf text;
	struct str prelude;
	ARRAY(struct example) examples;
	ARRAY(struct CMUnitTest) tests;
};

static struct fixture fixture;

struct parsed {
	struct arena *a;
	struct parse parse;
	struct site *sites;
	size_t n;
	struct str text;
};

static void parse_text(struct parsed *p, const char *text)
{
	const char *flags[] = {"-nogpuinc", "-nogpulib", "-std=c++17", "-w", NULL};
	p->a = arena_create();
	p->text = str_of(arena_strdup(p->a, text));
	struct frontend_job job = {.path = "example.hip",
		.target = "gfx90a",
		.flags = flags,
		.text = p->text,
		.intrinsics = &fixture.db};
	struct kt_unit *u = NULL;
	if (frontend_parse(&u, p->a, &job, NULL) < 0) {
		fail_msg("does not parse:\n%s", text + fixture.prelude.n);
	}
	p->parse = (struct parse){.unit = u, .facts = facts_create(u, p->a, &fixture.db)};
	p->parse.uniformity = uniformity_create(p->parse.facts, p->a);
	merges_find(&p->parse.merges, p->parse.facts, p->a);
	sites_find(&p->sites, &p->n, p->a, &p->parse, 1, SITES_MERGES);
}

static void parsed_release(struct parsed *p)
{
	facts_release(p->parse.facts);
	arena_free(p->a);
}

/* The candidate of one variant at a site; a later variant with the same edits or refusal is not
 * listed again: then that is it. */
static struct candidate plan_one(struct parsed *p, const struct site *site, const struct example *e)
{
	struct strategy_opts opts = {.contract_off = e->contract_off, .threshold = 64};
	struct candidate *v;
	size_t n;
	strategy_plan(&v, &n, p->a, strategy_find("hoist"), site, &opts);
	size_t pick = 0;
	for (size_t i = 0; i < n; i++) {
		pick = strcmp(v[i].variant, e->variant) == 0 ? i : pick;
	}
	for (size_t i = 0; i < n; i++) {
		if (i != pick) {
			candidate_release(&v[i]);
		}
	}
	return v[pick];
}

/* The widest merge behind the prelude. */
static const struct site *first_site(const struct parsed *p, size_t prelude)
{
	for (size_t i = 0; i < p->n; i++) {
		if (p->sites[i].begin >= prelude) {
			return &p->sites[i];
		}
	}
	fail_msg("there is no merge");
	return NULL;
}

static const char *apply(struct parsed *p, struct candidate *c)
{
	size_t clash[2];
	struct sbuf out = {0};
	strategy_prelude(&c->edits, p->a, p->text, c->needs, true);
	assert_true(edit_list_check(&c->edits, p->text.n, clash));
	edit_list_apply(&out, p->text, &c->edits);
	return sbuf_finish(&out, fixture.arena).p;
}

static void check_second_run(const struct example *e, const char *text)
{
	struct parsed p;
	parse_text(&p, text);
	for (size_t i = 0; i < p.n; i++) {
		struct candidate c = plan_one(&p, &p.sites[i], e);
		if (!c.clause) {
			fail_msg("a second run changes it again:\n%s", text + fixture.prelude.n);
		}
		candidate_release(&c);
	}
	parsed_release(&p);
}

static const char *with_line_ends(const char *text, bool crlf)
{
	struct sbuf s = {0};
	for (; *text; text++) {
		sbuf_adds(&s, crlf && *text == '\n' ? "\r" : "");
		if (crlf || *text != '\r') {
			sbuf_addc(&s, *text);
		}
	}
	return sbuf_finish(&s, fixture.arena).p;
}

/* With \r\n the same comes out, with \r\n. */
static void check_crlf(const struct example *e, const char *before, const char *after)
{
	struct parsed p;
	parse_text(&p, with_line_ends(before, true));
	const char *prelude = arena_strndup(fixture.arena, fixture.prelude.p, fixture.prelude.n);
	const struct site *site = first_site(&p, strlen(with_line_ends(prelude, true)));
	struct candidate c = plan_one(&p, site, e);
	assert_int_equal(c.clause, 0);
	assert_string_equal(apply(&p, &c), with_line_ends(after, true));
	candidate_release(&c);
	parsed_release(&p);
}

static void test_example(void **state)
{
	struct example *e = *state;
	struct parsed p;
	const char *before =
		arena_printf(fixture.arena, "%.*s%.*s", STR_ARG(fixture.prelude), STR_ARG(e->code));
	parse_text(&p, before);
	struct candidate c = plan_one(&p, first_site(&p, fixture.prelude.n), e);
	if (getenv("HOIST_SHOW") && !c.clause) {
		printf("---- %s\n%s", e->name, apply(&p, &c) + fixture.prelude.n);
	}
	if (!e->legal) {
		if (c.clause != e->clause ||
			str_find(str_of(c.why),
				arena_strndup(fixture.arena, e->words.p, e->words.n),
				0) == SIZE_MAX) {
			fail_msg("got clause %u: %s", c.clause, c.why ? c.why : "legal");
		}
	} else if (c.clause) {
		fail_msg("refused by clause %u: %s", c.clause, c.why);
	} else {
		const char *after = apply(&p, &c);
		e->after = after + fixture.prelude.n;
		if (e->want.n && !str_eq(str_trim(str_of(e->after)), str_trim(e->want))) {
			fail_msg("got:\n%s", e->after);
		}
		if (getenv("HOIST_SHOW")) {
			printf("---- %s\n%s", e->name, e->after);
		}
		check_second_run(e, after);
		check_crlf(e, before, after);
	}
	candidate_release(&c);
	parsed_release(&p);
}

/* ---- compiled and run ---- */

static void add_namespaces(struct sbuf *s, bool before)
{
	for (size_t i = 0; i < fixture.examples.n; i++) {
		const struct example *e = &fixture.examples.v[i];
		if (e->after && before) {
			sbuf_addf(s, "namespace before_%zu {\n%.*s}\n", i, STR_ARG(e->code));
		}
		if (e->after) {
			sbuf_addf(s, "namespace after_%zu {\n%s}\n", i, e->after);
		}
	}
}

static const char *write_scratch(const struct sbuf *s, const char *name)
{
	const char *dir = getenv("TMPDIR");
	const char *path = arena_printf(
		fixture.arena, "%s/unphi_hoist_%d_%s", dir ? dir : "/tmp", (int)getpid(), name);
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(s->p, 1, s->n, f), s->n);
	fclose(f);
	return path;
}

static void run_ok(struct proc_result *r, const char *const *argv)
{
	struct proc_job job = {.argv = argv, .time_limit_s = 600};
	proc_run(r, &job);
	if (!proc_ok(r)) {
		fail_msg("%s failed:\n%s%s", argv[0], sbuf_cstr(&r->out), sbuf_cstr(&r->err));
	}
}

static const char *compiler(void)
{
	struct arena *a = arena_create();
	bool found = proc_find(a, "clang++-19");
	arena_free(a);
	return found ? "clang++-19" : NULL;
}

static void test_compiles(void **state)
{
	(void)state;
	if (!compiler()) {
		skip();
	}
	struct sbuf s = {0};
	struct proc_result r = {0};
	sbuf_addstr(&s, fixture.prelude);
	add_namespaces(&s, false);
	const char *path = write_scratch(&s, "after.hip");
	const char *const argv[] = {compiler(), "-x", "hip", "--offload-arch=gfx90a", "-nogpuinc",
		"-nogpulib", "-nohipwrapperinc", "-fsyntax-only", "-Wall", "-Wno-unused",
		"-Werror=uninitialized", path, NULL};
	run_ok(&r, argv);
	unlink(path);
	proc_result_release(&r);
	sbuf_release(&s);
}

static const char driver[] =
	"#include <cstdio>\n#include <cstring>\n"
	"typedef void kernel(ARGS);\n"
	"struct memory { f32x4 out[40], in[40]; float g[40], w[40]; int calls; };\n"
	"static memory filled(int seed)\n"
	"{\n"
	"	memory m;\n"
	"	memset(&m, 0, sizeof(m));\n"
	"	for (int i = 0; i < 40; ++i) {\n"
	"		float x = (float)((i * 37 + seed * 11) % 23) / 7 - 1;\n"
	"		m.out[i] = -x;\n"
	"		m.in[i] = f32x4{x, x / 3, 1 - x, x + i};\n"
	"		m.g[i] = x + 2;\n"
	"		m.w[i] = 3 - x;\n"
	"	}\n"
	"	return m;\n"
	"}\n"
	"static void run(memory &m, kernel *k, int n, int s)\n"
	"{\n"
	"	calls = 0;\n"
	"	k(m.out, m.in + 4, m.g, m.w, n, s);\n"
	"	m.calls = calls;\n"
	"}\n"
	"static bool equal(int id, kernel *before, kernel *after)\n"
	"{\n"
	"	bool moved = false;\n"
	"	for (int c = 0; c < 5 * 5 * 4; ++c) {\n"
	"		int n = c % 5, s = c / 5 % 5 - 1;\n"
	"		threadIdx.x = (unsigned)(c / 25);\n"
	"		memory x = filled(c), y = x, z = x;\n"
	"		run(x, before, n, s);\n"
	"		run(y, after, n, s);\n"
	"		moved |= memcmp(&x, &z, sizeof(x)) != 0;\n"
	"		if (memcmp(&x, &y, sizeof(x)) != 0) {\n"
	"			printf(\"case %d differs at n %d s %d\\n\", id, n, s);\n"
	"			return false;\n"
	"		}\n"
	"	}\n"
	"	if (!moved) printf(\"case %d stores nothing\\n\", id);\n"
	"	return moved;\n"
	"}\n"
	"int main()\n"
	"{\n"
	"	bool ok = true;\n";

static void test_same_results(void **state)
{
	(void)state;
	if (!compiler()) {
		skip();
	}
	struct sbuf s = {0};
	struct proc_result r = {0};
	size_t run = 0;
	sbuf_adds(&s, "#define HOST_RUN\n");
	sbuf_addstr(&s, fixture.prelude);
	add_namespaces(&s, true);
	sbuf_adds(&s, driver);
	for (size_t i = 0; i < fixture.examples.n; i++) {
		if (fixture.examples.v[i].after) {
			sbuf_addf(&s, "	ok &= equal(%zu, before_%zu::k, after_%zu::k);\n", i, i, i);
			run++;
		}
	}
	sbuf_adds(&s, "	return !ok;\n}\n");
	assert_true(run >= 20);
	const char *path = write_scratch(&s, "run.cpp");
	const char *exe = arena_printf(fixture.arena, "%s.exe", path);
	const char *const build[] = {compiler(), "-x", "c++", "-std=c++17", "-O1",
		"-ffp-contract=off", "-w", path, "-o", exe, NULL};
	const char *const start[] = {exe, NULL};
	run_ok(&r, build);
	proc_result_release(&r);
	r = (struct proc_result){0};
	run_ok(&r, start);
	unlink(path);
	unlink(exe);
	proc_result_release(&r);
	sbuf_release(&s);
}

/* ---- cases ---- */

static struct str field(struct str *rest)
{
	struct str f = {0};
	str_split(rest, '|', &f);
	return str_trim(f);
}

static void read_head(struct example *e, struct str head)
{
	struct str name = field(&head);
	struct str variant = field(&head);
	struct str want = field(&head);
	struct str word = {0};
	e->name = arena_strndup(fixture.arena, name.p, name.n);
	str_split(&variant, ' ', &word);
	e->variant = arena_strndup(fixture.arena, word.p, word.n);
	e->contract_off = str_is(variant, "off");
	e->legal = str_is(want, "legal");
	int64_t clause = 0;
	str_split(&want, ' ', &word);
	assert_true(e->legal || str_to_i64(word, &clause));
	e->clause = (unsigned)clause;
	e->words = want;
}

static void load_cases(const char *directory)
{
	static const char mark[] = "\n/// ";
	const char *root = getenv("UNPHI_SOURCE_ROOT");
	struct sbuf path = {0};
	path_join(&path, root ? root : ".",
		arena_printf(fixture.arena, "tests/unit/data/%s/cases.hip", directory));
	if (file_read(&fixture.text, sbuf_cstr(&path)) < 0) {
		exit(1);
	}
	sbuf_release(&path);
	struct str text = sbuf_str(&fixture.text);
	size_t at = str_find(text, mark, 0);
	fixture.prelude = str_sub(text, 0, at + 1);
	while (at < text.n) {
		size_t name = at + strlen(mark);
		size_t code = str_find(text, "\n", name) + 1;
		struct str head = str_sub(text, name, code - 1);
		at = str_find(text, mark, code - 1);
		struct str body = str_sub(text, code, at == SIZE_MAX ? at : at + 1);
		if (str_is(head, "=>")) {
			fixture.examples.v[fixture.examples.n - 1].want = body;
			continue;
		}
		struct example e = {.code = body};
		read_head(&e, head);
		array_push(&fixture.examples, e);
	}
	for (size_t i = 0; i < fixture.examples.n; i++) {
		array_push(&fixture.tests, (struct CMUnitTest){.name = fixture.examples.v[i].name,
						   .test_func = test_example,
						   .initial_state = &fixture.examples.v[i]});
	}
}

static int run_cases(const char *directory)
{
	fixture = (struct fixture){.arena = arena_create()};
	if (intrinsic_db_builtin(&fixture.db, fixture.arena) < 0) {
		return 1;
	}
	load_cases(directory);
	const struct CMUnitTest last[] = {
		cmocka_unit_test(test_compiles),
		cmocka_unit_test(test_same_results),
	};
#ifdef __SANITIZE_ADDRESS__ /* the compiler's time, and none of our code */
	size_t more = 0;
#else
	size_t more = 2;
#endif
	for (size_t i = 0; i < more; i++) {
		array_push(&fixture.tests, last[i]);
	}
	int failed =
		_cmocka_run_group_tests(directory, fixture.tests.v, fixture.tests.n, NULL, NULL);
	intrinsic_db_release(&fixture.db);
	sbuf_release(&fixture.text);
	array_release(&fixture.examples);
	array_release(&fixture.tests);
	arena_free(fixture.arena);
	return failed;
}

int main(void)
{
	int failed = run_cases("hoist");
	return run_cases("callee") + failed;
}
