/* choose: the times that a user's command prints; verdicts over made-up figures and bits; whole
 * runs in which made-up figures stand in for the compiler. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/process/interrupt.h"
#include "base/process/proc.h"
#include "choose/judge/bench.h"
#include "choose/judge/judge.h"

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
		f->now[t] = (struct measurement){
			.target = targets[t].name, .kernel = f->before[t], .kernels = 2};
		f->then[t].m = (struct measurement){
			.target = targets[t].name, .kernel = f->after[t], .kernels = 2};
	}
	map_set(&f->kernels, STR("in"), 1);
	static const struct settings plain = {0};
	f->job.settings = &plain;
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
	check_figures(f, OUTCOME_EQUAL, "nothing that runs changed");
	f->after[1][0].v[METRIC_RESIDENT_WAVES] = 12;
	check_figures(f, OUTCOME_BETTER, "two: in: ");
	f->after[0][0].v[METRIC_RESIDENT_WAVES] = 11;
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
	check_figures(f, OUTCOME_EQUAL, "nothing that runs changed");
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

/* ---- runs ---- */

enum {
	KERNELS = 3
};

/* Two kernels with a merge each and one with two, one behind the other. */
#define MERGE                                                                                      \
	"  if (n > 3) {\n    for (int i = 0; i < 32; i++) { s[i] += a[i]; }\n"                     \
	"  } else {\n    for (int i = 0; i < 32; i++) { s[i] += b[i]; }\n  }\n"
#define KERNEL(name, merges)                                                                       \
	"extern \"C\" __attribute__((global)) void " name                                          \
	"(float *o, const float *a, const float *b, int n)\n{\n  float s[32] = {};\n" merges       \
	"  for (int i = 0; i < 32; i++) { o[i] = s[i]; }\n}\n"
static const char source[] = KERNEL("k0", MERGE) KERNEL("k1", MERGE) KERNEL("k2", MERGE MERGE);
/* With contraction on, hoist may not bring the multiply to the add behind the merge. */
#define CUT                                                                                        \
	"  float t = b[0];\n  if (n > 3) {\n    const float x = a[2] * a[3];\n    o[40] = x;\n"    \
	"    for (int i = 0; i < 32; i++) { s[i] += a[i]; }\n    t += x;\n"                        \
	"  } else {\n    for (int i = 0; i < 32; i++) { s[i] += a[i]; }\n  }\n  o[41] = t;\n"
static const char cut[] = KERNEL("k0", CUT) KERNEL("k1", MERGE) KERNEL("k2", MERGE);
/* k0 has a merge of calls that are to be split, k1 calls the same function. */
#define STEP(first) "    step<" first ">(s, a, k);\n"
#define BESIDE(name, calls)                                                                        \
	"extern \"C\" __attribute__((global)) void " name                                          \
	"(float *o, const float *a, const float *b, int n)\n{\n  float s[32] = {};\n"              \
	"  for (int k = 0; k < 9; k++) {\n" calls                                                  \
	"  }\n  for (int i = 0; i < 32; i++) { o[i] = s[i]; }\n}\n"
#define FUNCTION                                                                                   \
	"template <bool First>\n__attribute__((device)) inline void step(float (&acc)[32], "       \
	"const float *p, int k)\n{\n  const float by = First ? 2.0f : p[k];\n"                     \
	"  for (int i = 0; i < 32; i++) { acc[i] = acc[i] / by; }\n}\n"
#define STEPS "    if (n > 3) {\n" STEP("true") "    } else {\n" STEP("false") "    }\n"
static const char parts[] =
	FUNCTION BESIDE("k0", STEPS) BESIDE("k1", STEP("true")) KERNEL("k2", "");
/* The same twice, each with a merge. */
static const char alike[] = "namespace a {\n" FUNCTION BESIDE(
	"k0", STEPS) "}\nnamespace b {\n" FUNCTION BESIDE("k1", STEPS) "}\n" KERNEL("k2", "");
static const char *const names[KERNELS] = {"k0", "k1", "k2"};

/* What the made-up compiler makes of the texts that it gets. */
static struct run {
	struct arena *a;
	struct target_db targets;
	struct intrinsic_db intrinsics;
	struct settings settings;
	const struct target *target;
	struct compiler compiler;
	struct choose_job job;
	struct choice choice;
	/* of one kernel, of which it is told whether it is as in the source */
	void (*figures)(struct kernel_metrics *k, struct str text, bool changed);
	const char *broken;	/* no text with a change of this one compiles */
	bool late;		/* nothing but the source is compiled in time */
	struct str text;	/* that is compiled, or looked at */
	size_t calls, compiles; /* batches, and what they held */
} run;

static struct str kernel_text(struct str text, const char *name)
{
	size_t at = str_find(text, name, 0);
	return str_sub(text, at, str_find(text, "\n}\n", at)); /* a prelude may stand behind it */
}

static void made_up(struct measure_result *out, struct arena *a, const struct measure_job *jobs,
	size_t n, unsigned parallel, const struct measure_observer *observer)
{
	(void)parallel;
	run.calls++;
	for (size_t i = 0; i < n; i++) {
		struct sbuf b = {0};
		struct kernel_metrics *k = arena_alloc(a, KERNELS * sizeof(*k));
		assert_int_equal(file_read(&b, jobs[i].path), 0);
		bool same = str_eq(sbuf_str(&b), run.job.source);
		run.text = sbuf_str(&b);
		out[i] = (struct measure_result){.m = {run.target->name, k, KERNELS}};
		for (size_t j = 0; j < KERNELS; j++) {
			struct str text = kernel_text(sbuf_str(&b), names[j]);
			bool changed = !str_eq(text, kernel_text(run.job.source, names[j]));
			k[j] = (struct kernel_metrics){
				.symbol = names[j], .name = names[j], .trusted = true};
			for (int m = 0; m < METRIC_COUNT; m++) {
				k[j].v[m] = 100;
			}
			run.figures(&k[j], text, changed);
			k[j].v[METRIC_PATH_LEAST] = k[j].v[METRIC_PATH_MOST] = k[j].v[METRIC_VGPR];
			if (changed && run.broken && strcmp(run.broken, names[j]) == 0) {
				out[i].status = MEASURE_COMPILE_ERROR;
			}
		}
		while (!same && run.late && proc_now_s() < jobs[i].ends_at_s) {
		}
		out[i].status = !same && run.late ? MEASURE_TIMEOUT : out[i].status;
		run.compiles++;
		observer->compiled(observer->user,
			&(struct measure_progress){.ended = i + 1, .of = n, .has_needed = true});
		sbuf_release(&b);
	}
}

static int run_init(void **state)
{
	static const char *const flags[] = {"-nogpuinc", "--cuda-device-only", "-w", NULL};
	(void)state;
	run = (struct run){.a = arena_create()};
	int rc = target_db_builtin(&run.targets, run.a);
	rc = rc ? rc : intrinsic_db_builtin(&run.intrinsics, run.a);
	rc = rc ? rc : settings_builtin(&run.settings);
	run.target = target_find(&run.targets, STR("gfx942"));
	run.job = (struct choose_job){.path = "made-up.hip",
		.source = str_of(source),
		.target = &run.target,
		.compiler = &run.compiler,
		.targets = 1,
		.flags = flags,
		.intrinsics = &run.intrinsics,
		.settings = &run.settings,
		.parallel = 1,
		.measure = made_up};
	return rc;
}

static int run_release(void **state)
{
	(void)state;
	intrinsic_db_release(&run.intrinsics);
	arena_free(run.a);
	return 0;
}

static void go(void (*figures)(struct kernel_metrics *, struct str, bool))
{
	run.figures = figures;
	assert_int_equal(choose_run(&run.choice, run.a, &run.job), 0);
}

/* The merge number at of the function. */
static const struct decision *decision_of(const char *function, size_t at)
{
	for (size_t i = 0; i < run.choice.decisions; i++) {
		const struct decision *d = &run.choice.decision[i];
		if (strcmp(d->function, function) == 0 && at-- == 0) {
			return d;
		}
	}
	fail_msg("no merge of %s was decided", function);
	return NULL;
}

static const struct attempt *kept(const struct decision *d)
{
	for (size_t i = 0; i < d->attempts; i++) {
		if (d->attempt[i].outcome == OUTCOME_KEPT) {
			return &d->attempt[i];
		}
	}
	return NULL;
}

static size_t count(const struct decision *d, enum outcome o)
{
	size_t n = 0;
	for (size_t i = 0; i < d->attempts; i++) {
		n += d->attempt[i].outcome == o;
	}
	return n;
}

/* Any rewrite gains, a fenced one more, and one arm alone costs least. */
static void fences_gain(struct kernel_metrics *k, struct str text, bool changed)
{
	int64_t fences = 0;
	for (size_t at = 0; (at = str_find(text, "wave_barrier", at)) != SIZE_MAX; at++) {
		fences++;
	}
	bool has_merge = str_find(text, "n > 3", 0) != SIZE_MAX;
	k->v[METRIC_VGPR] = !changed ? 100 : !has_merge ? 20 : fences ? 50 - 10 * fences : 60;
}

/* Merges of different kernels share a round; those of one take turns, the second on top of the
 * first. */
static void test_rounds(void **state)
{
	(void)state;
	go(fences_gain);
	for (size_t i = 0; i < KERNELS; i++) {
		const struct decision *d = decision_of(names[i], 0);
		assert_true(d->rewritten);
		assert_non_null(strstr(kept(d)->reason, "cheapest path 100 -> 40"));
		assert_true(count(d, OUTCOME_BETTER) > 0); /* the others, which gain less */
	}
	assert_non_null(strstr(kept(decision_of("k2", 1))->reason, "cheapest path 40 -> 30"));
	assert_int_equal(run.choice.rounds, 2);
	assert_int_equal(run.choice.before[0].kernel[0].v[METRIC_VGPR], 100);
	assert_int_equal(run.choice.after[0].kernel[0].v[METRIC_VGPR], 40);
}

static void nothing_gains(struct kernel_metrics *k, struct str text, bool changed)
{
	(void)text;
	k->v[METRIC_INSTRUCTION] = changed ? 101 : 100;
}

static void test_no_gain(void **state)
{
	(void)state;
	go(nothing_gains);
	assert_false(run.choice.changed);
	assert_true(run.choice.text.p == run.job.source.p);
	assert_string_equal(decision_of("k0", 0)->why_kept, "no legal rewrite measured better");
}

/* A source in which nothing can be tried is not measured where the job is sparing; one with a
 * merge, a barrier that orders nothing or a fragment that loops only read is. */
static void test_sparing(void **state)
{
#define FRAGMENT                                                                                   \
	"  float q[8];\n  for (int i = 0; i < 8; i++) { q[i] = a[i * 64]; }\n"                     \
	"  for (int k = 0; k < n; k++) {\n    for (int e = 0; e < 8; e++) { s[e] += q[e] * b[k]; " \
	"}"                                                                                        \
	"\n  }\n"
#define BARRIER "  __syncthreads();\n"
	static const struct {
		const char *merges;
		bool measured;
	} of[] = {{"", false}, {BARRIER, true}, {FRAGMENT, true}, {MERGE, true}};
	(void)state;
	for (size_t i = 0; i < sizeof(of) / sizeof(of[0]); i++) {
		struct sbuf text = {0};
		sbuf_adds(&text, "__attribute__((device)) void __syncthreads();\n");
		sbuf_addf(
			&text, KERNEL("k0", "%s") KERNEL("k1", "") KERNEL("k2", ""), of[i].merges);
		run.job.source = sbuf_str(&text);
		run.calls = 0;
		run.job.sparing = true;
		go(nothing_gains);
		assert_int_equal(run.calls > 0, of[i].measured);
		assert_int_equal(run.choice.before != NULL, of[i].measured);
		run.job.sparing = false;
		go(nothing_gains);
		assert_non_null(run.choice.before);
		sbuf_release(&text);
	}
}

/* Of a text that holds several changes halves are compiled, until the one to blame is known. */
static void test_halving(void **state)
{
	(void)state;
	run.broken = "k1";
	go(fences_gain);
	assert_true(decision_of("k0", 0)->rewritten);
	assert_true(decision_of("k2", 0)->rewritten);
	const struct decision *d = decision_of("k1", 0);
	assert_false(d->rewritten);
	assert_true(count(d, OUTCOME_FAILED) > 0);
	assert_int_equal(count(d, OUTCOME_FAILED) + count(d, OUTCOME_REFUSED), d->attempts);
}

static bool others_changed;

/* k0 gains, and whatever is done to it makes k1 spill. */
static void one_harms_another(struct kernel_metrics *k, struct str text, bool changed)
{
	(void)text;
	others_changed = strcmp(k->name, "k0") == 0 ? changed : others_changed;
	k->v[METRIC_VGPR] = changed ? 60 : 100;
	k->v[METRIC_VGPR_SPILL] = strcmp(k->name, "k1") == 0 && others_changed ? 120 : 100;
}

/* What is better for its own kernel goes when another one of the unit is worse for it. */
static void test_veto(void **state)
{
	(void)state;
	go(one_harms_another);
	const struct decision *d = decision_of("k0", 0);
	assert_false(d->rewritten);
	assert_non_null(strstr(d->why_kept, "k1: VGPR spills 100 -> 120"));
	assert_true(count(d, OUTCOME_VETO) > 0);
	assert_true(decision_of("k2", 0)->rewritten);
}

/* What is compiled too late is not tried, and what was not looked at is named. */
static void test_time(void **state)
{
	(void)state;
	run.late = true;
	run.job.time_limit_s = 0.001;
	go(fences_gain);
	assert_true(run.choice.time_ran_out);
	assert_false(run.choice.changed);
	assert_int_equal(run.choice.stamps.n, 0); /* another time it may come out otherwise */
	assert_string_equal(
		decision_of("k0", 0)->why_kept, "time ran out before a better rewrite was found");
	assert_string_equal(decision_of("k2", 1)->why_kept, "time ran out before it was tried");
}

/* Ctrl-C comes while the first round is compiled. */
static void interrupted(struct kernel_metrics *k, struct str text, bool changed)
{
	fences_gain(k, text, changed);
	if (changed && !interrupt_asked()) {
		raise(SIGINT);
	}
}

/* What is compiled by then counts, and what was not looked at is named. The last test, as it stays
 * asked for. */
static void test_interrupt(void **state)
{
	(void)state;
	run.job.interruptible = true;
	go(interrupted);
	assert_true(run.choice.interrupted);
	for (size_t i = 0; i < KERNELS; i++) {
		assert_true(decision_of(names[i], 0)->rewritten);
	}
	assert_string_equal(
		decision_of("k2", 1)->why_kept, "it was interrupted before it was tried");
	assert_int_equal(run.choice.stamps.n, 0);
}

/* Unequal bits: the one that makes them goes, the others stay. */
static int k0_differs(void *user, const struct choose_text *text, const char **why)
{
	(void)user;
	*why = "o[7] differs";
	return str_eq(kernel_text(text->text, "k0"), kernel_text(str_of(source), "k0"));
}

static void test_unequal(void **state)
{
	(void)state;
	run.job.same_bits = k0_differs;
	go(fences_gain);
	assert_string_equal(decision_of("k0", 0)->why_kept, "o[7] differs");
	assert_true(decision_of("k1", 0)->rewritten);
}

static bool has(const char *word)
{
	return str_find(run.text, word, 0) != SIZE_MAX;
}

/* The merge gains by its parts. What else calls the function does not care what it is made of. */
static void parts_gain(struct kernel_metrics *k, struct str text, bool changed)
{
	bool split = str_find(text, "step_narrow", 0) != SIZE_MAX;
	k->v[METRIC_VGPR] = !changed ? 100 : split ? 50 : 60;
}

/* The same, but that k1 gets worse where the function is made of its parts. */
static void parts_cost(struct kernel_metrics *k, struct str text, bool changed)
{
	parts_gain(k, text, changed);
	k->v[METRIC_VGPR] += 20 * (k->symbol[1] == '1' && has("state = step_narrow<First>("));
}

/* A split function that others call is made of its parts, unless a kernel gets worse by that. */
static void test_parts(void **state)
{
	(void)state;
	run.job.source = str_of(parts);
	go(parts_gain);
	assert_true(decision_of("k0", 0)->rewritten);
	run.text = run.choice.text;
	assert_true(has("state = step_narrow<First>("));
	go(parts_cost);
	assert_true(decision_of("k0", 0)->rewritten);
	run.text = run.choice.text;
	assert_true(has("step_narrow<true>(") && !has("step_narrow<First>("));
	assert_true(has("const float *p, int k)\n{\n  const float by = First"));
}

/* k0 gains most where it is fenced, k1 by its parts. */
static void one_parts_gain(struct kernel_metrics *k, struct str text, bool changed)
{
	bool split = str_find(text, "step_narrow", 0) != SIZE_MAX;
	bool fenced = str_find(text, "wave_barrier", 0) != SIZE_MAX;
	bool first = k->symbol[1] == '0';
	k->v[METRIC_VGPR] = !changed ? 100 : split ? first ? 90 : 50 : fenced ? 60 : 70;
}

/* The names of parts that were not kept are free again: those that were kept have no number. */
static void test_numbers(void **state)
{
	(void)state;
	run.job.source = str_of(alike);
	go(one_parts_gain);
	assert_true(kept(decision_of("a::k0", 0))->strategy != STRATEGY_HOIST);
	assert_true(kept(decision_of("b::k1", 0))->strategy == STRATEGY_HOIST);
	run.text = run.choice.text;
	assert_true(has("step_narrow<true>(") &&
		    has("// Values that step_narrow() passes to step_wide()"));
	assert_true(!has("step_narrow2") && !has("step_wide2") && !has("step_state2"));
}

static size_t loops_of(struct str text)
{
	size_t loops = 0;
	for (size_t at = 0; (at = str_find(text, "+= a[", at)) != SIZE_MAX; at++) {
		loops++;
	}
	return loops;
}

static int all_equal(void *user, struct choose_ran *out, const struct choose_text *text, size_t n)
{
	static const struct choose_case before = {
		.target = "gfx942", .symbol = "k0", .cycles = 1000};
	static const struct choose_case after = {.target = "gfx942", .symbol = "k0", .cycles = 500};
	(void)user;
	(void)text;
	for (size_t i = 0; i < n; i++) {
		out[i] = (struct choose_ran){.of = i ? &after : &before,
			.cases = 1,
			.cycles = i ? after.cycles : before.cycles};
	}
	return 0;
}

static struct {
	bool always;
	bool shorter; /* only texts with fewer loops than the source */
	bool but_for_contraction;
	size_t asked;
} proof;

static bool prove(void *user, struct str text, const char **why)
{
	(void)user;
	bool fused = proof.but_for_contraction && run.job.allow_recontraction;
	bool equal = proof.always || (proof.shorter && loops_of(text) < loops_of(run.job.source));
	proof.asked++;
	*why = equal ? "equal for all data" : "equal but for contraction";
	return equal || fused;
}

/* They run, and none is of a kernel here. */
static int none_of_these(
	void *user, struct choose_ran *out, const struct choose_text *text, size_t n)
{
	static const struct choose_case other = {.target = "gfx942", .symbol = "other"};
	int rc = all_equal(user, out, text, n);
	for (size_t i = 0; i < n; i++) {
		out[i].of = &other;
	}
	return rc;
}

/* user: is the arm in line 5 seen? */
static const char *only_arm(void *user, struct arena *a, const char *kernel, const struct target *t,
	const struct choose_lines *where)
{
	(void)a;
	assert_string_equal(kernel, "k0");
	assert_ptr_equal(t, run.target);
	assert_true(where->merge && !where->path);
	assert_true(0 < where->first && where->first < where->last);
	return *(const bool *)user ? NULL : "of k0 for gfx942 arm 2 of line 5 never runs";
}

/* Only what stands behind the merge, once, gains. */
static void one_loop_gains(struct kernel_metrics *k, struct str text, bool changed)
{
	k->v[METRIC_VGPR] = changed && loops_of(text) < 2 && k->symbol[1] == '0' ? 50 : 100;
	k->v[METRIC_FMA] = changed && k->symbol[1] == '0' ? 101 : 100;
	k->v[METRIC_MUL_ADD] = changed && k->symbol[1] == '0' ? 98 : 100;
}

/* And all is fused as before. */
static void one_loop_gains_alike(struct kernel_metrics *k, struct str text, bool changed)
{
	one_loop_gains(k, text, changed);
	k->v[METRIC_FMA] = k->v[METRIC_MUL_ADD] = 100;
}

static const struct attempt *unproved(const struct decision *d)
{
	for (size_t i = 0; i < d->attempts; i++) {
		if (d->attempt[i].unproved) {
			return &d->attempt[i];
		}
	}
	return NULL;
}

/* What a clause on contraction refuses is not tried where no machine code runs, not kept where
 * nobody allows it or no case shows it, and named where it is. */
static void test_unproved(void **state)
{
	bool cases = true;
	(void)state;
	run.job.source = str_of(cut);
	go(one_loop_gains);
	assert_null(unproved(decision_of("k0", 0)));
	run.job.ran = all_equal;
	run.job.runs_are_asked_for = true;
	run.job.unshown = only_arm;
	run.job.runs = &cases;
	run.job.proved = prove;
	proof.shorter = true;
	go(one_loop_gains);
	assert_false(decision_of("k0", 0)->rewritten);
	const struct attempt *at = unproved(decision_of("k0", 0));
	assert_int_equal(at->outcome, OUTCOME_VETO);
	assert_non_null(strstr(at->unproved, "clause 11 of hoist: 'x' may come from a multiply"));
	assert_non_null(
		strstr(at->reason, "--allow-unproved would take it if equal for all data: issue"));
	run.job.allow_unproved = true;
	go(one_loop_gains);
	at = kept(decision_of("k0", 0));
	assert_non_null(strstr(at->unproved, "clause 11"));
	assert_non_null(strstr(at->reason, "; equal for all data"));
	run.job.ran = none_of_these;
	go(one_loop_gains_alike);
	assert_false(decision_of("k0", 0)->rewritten);
	run.job.ran = all_equal;
	proof.shorter = false;
	go(one_loop_gains);
	assert_false(decision_of("k0", 0)->rewritten);
	cases = false;
	go(one_loop_gains);
	assert_false(decision_of("k0", 0)->rewritten);
	assert_non_null(strstr(unproved(decision_of("k0", 0))->reason,
		": not proved, and of k0 for gfx942 arm 2 of line 5 never runs"));
}

/* Any rewrite gains, and fuses otherwise. */
static void fuses_otherwise(struct kernel_metrics *k, struct str text, bool changed)
{
	bool here = changed && k->symbol[1] == '0';
	(void)text;
	k->v[METRIC_VGPR] = here ? 50 : 100;
	k->v[METRIC_FMA] = here ? 101 : 100;
	k->v[METRIC_MUL_ADD] = here ? 98 : 100;
}

static int all_differ(void *user, struct choose_ran *out, const struct choose_text *text, size_t n)
{
	int rc = all_equal(user, out, text, n);
	for (size_t i = 1; i < n; i++) {
		out[i].why = "other bits";
	}
	return rc;
}

/* Counts of FMAs that differ stand against a gain where no case runs. Where cases run, a proof
 * decides, of cases in which every arm of the merge runs; --allow-recontraction asks the proof for
 * less, and lifts nothing. */
static void test_fused(void **state)
{
	bool cases = true;
	(void)state;
	go(fuses_otherwise);
	assert_false(decision_of("k0", 0)->rewritten);
	assert_non_null(strstr(decision_of("k0", 0)->why_kept, "--allow-recontraction"));
	run.job.ran = all_equal;
	run.job.unshown = only_arm;
	run.job.runs = &cases;
	run.job.proved = prove;
	proof.always = true;
	go(fuses_otherwise);
	const char *reason = kept(decision_of("k0", 0))->reason;
	assert_non_null(strstr(reason, "issue cycles that a wave runs"));
	assert_non_null(strstr(reason, "; equal for all data"));
	proof.always = false;
	proof.but_for_contraction = true;
	go(fuses_otherwise);
	assert_false(decision_of("k0", 0)->rewritten);
	run.job.allow_recontraction = true;
	go(fuses_otherwise);
	assert_non_null(strstr(kept(decision_of("k0", 0))->reason, "; equal but for contraction"));
	proof.but_for_contraction = false;
	go(fuses_otherwise);
	assert_false(decision_of("k0", 0)->rewritten);
	proof.always = true;
	proof.asked = 0;
	cases = false;
	go(fuses_otherwise);
	assert_false(decision_of("k0", 0)->rewritten);
	assert_int_equal(proof.asked, 0);
	cases = true;
	run.job.ran = all_differ;
	go(fuses_otherwise);
	assert_false(decision_of("k0", 0)->rewritten);
}

static struct judged ran(
	struct figures *f, struct choose_case x, struct choose_case y, int64_t waves)
{
	struct judged g = {.outcome = OUTCOME_EQUAL};
	x.target = y.target = "one";
	x.symbol = y.symbol = "in";
	const struct choose_ran before = {
		.of = &x, .cases = 1, .cycles = x.cycles, .scratch_bytes = x.scratch_bytes};
	const struct choose_ran after = {
		.of = &y, .cases = 1, .cycles = y.cycles, .scratch_bytes = y.scratch_bytes};
	struct measurement then[TARGETS] = {f->then[0].m, f->then[1].m};
	f->after[0][0].v[METRIC_RESIDENT_WAVES] = waves;
	judge_ran(&g, &f->s, f->now, then, &before, &after);
	return g;
}

/* Scratch traffic, then waves, then issue cycles. */
static void test_ran(void **state)
{
	struct figures *f = *state;
	struct settings settings;
	const struct choose_case plain = {.cycles = 1000, .waits = 10};
	assert_int_equal(settings_builtin(&settings), 0);
	f->job.settings = &settings;
	struct judged g = ran(f, plain, (struct choose_case){.cycles = 1500}, 10);
	assert_int_equal(g.outcome, OUTCOME_WORSE);
	assert_string_equal(
		g.reason, "issue cycles that a wave runs, over all cases: 1000 -> 1500");
	assert_int_equal(
		ran(f, plain, (struct choose_case){.cycles = 980}, 10).outcome, OUTCOME_EQUAL);
	assert_int_equal(
		ran(f, plain, (struct choose_case){.cycles = 970}, 10).outcome, OUTCOME_BETTER);
	g = ran(f, plain, (struct choose_case){.cycles = 1010, .waits = 10}, 11);
	assert_int_equal(g.outcome, OUTCOME_BETTER);
	assert_string_equal(g.reason, "resident waves 10 -> 11, issue cycles that a wave runs, "
				      "over all cases: 1000 -> 1010");
	g = ran(f, plain, (struct choose_case){.cycles = 500, .scratch_bytes = 4}, 11);
	assert_int_equal(g.outcome, OUTCOME_WORSE);
	assert_string_equal(g.reason, "scratch bytes that a wave runs, over all cases: 0 -> 4");
}

/* The cheaper of two: scratch, then what is preferred, then arms that stay apart. */
static void test_cheaper(void **state)
{
	struct figures *f = *state;
	struct settings settings;
	assert_int_equal(settings_builtin(&settings), 0);
	f->job.settings = &settings;
	struct judged x = {.cost = {.waves = {2, 6}, .value = 0.8, .cycles = 1.2}};
	struct judged y = {.cost = {.waves = {2, 4}, .value = 0.6, .cycles = 0.9}};
	assert_true(judge_is_cheaper(&f->s, &y, &x) && !judge_is_cheaper(&f->s, &x, &y));
	settings.prefer = PREFER_WAVES;
	assert_true(judge_is_cheaper(&f->s, &x, &y));
	settings.prefer = PREFER_CYCLES;
	assert_true(judge_is_cheaper(&f->s, &y, &x));
	settings.prefer = PREFER_BALANCE;
	y.cost.scratch = 8;
	assert_true(judge_is_cheaper(&f->s, &x, &y));
	y = x;
	y.keeps_arms = true;
	assert_true(judge_is_cheaper(&f->s, &y, &x) && !judge_is_cheaper(&f->s, &x, &y));
}

/* ---- headers ---- */

enum {
	UNITS = 4
};

/* Units that read a header: one without a kernel of it, two with the same and one with another. */
static const char *const unit_name[UNITS] = {"none.hip", "one.hip", "again.hip", "two.hip"};
static size_t unit_compiles[UNITS];

static bool header_is_fenced(const struct measure_job *job)
{
	struct sbuf b = {0};
	if (job->in_places > 0) {
		assert_int_equal(file_read(&b, job->in_place[job->in_places - 1].content), 0);
	}
	bool fenced = str_find(sbuf_str(&b), "wave_barrier", 0) != SIZE_MAX;
	sbuf_release(&b);
	return fenced;
}

/* Any rewrite gains, a fenced one more, but where the same kernel is compiled a second time. */
static void made_up_of_units(struct measure_result *out, struct arena *a,
	const struct measure_job *jobs, size_t n, unsigned parallel,
	const struct measure_observer *observer)
{
	(void)parallel;
	(void)observer;
	for (size_t i = 0; i < n; i++) {
		struct kernel_metrics *k = ARENA_NEW(a, struct kernel_metrics);
		size_t at = 0;
		while (strcmp(unit_name[at], jobs[i].shown) != 0) {
			at++;
		}
		unit_compiles[at]++;
		bool fenced = header_is_fenced(&jobs[i]);
		k->symbol = k->name = at == 3 ? "k1" : "k0";
		k->trusted = true;
		for (int m = 0; m < METRIC_COUNT; m++) {
			k->v[m] = 100;
		}
		k->v[METRIC_VGPR] = jobs[i].in_places == 0 ? 100 : fenced ? 40 : 60;
		k->v[METRIC_VGPR_SPILL] = at == 2 && fenced ? 101 : 100;
		k->v[METRIC_PATH_LEAST] = k->v[METRIC_PATH_MOST] = k->v[METRIC_VGPR];
		out[i] = (struct measure_result){.m = {run.target->name, k, at > 0}};
	}
}

/* A kernel that units have alike is tried in the first of them, and kept where it is worse in none.
 */
static void test_header(void **state)
{
	static const char kernel[] =
		"#include \"made-up.h\"\nextern \"C\" __attribute__((global)) void %s"
		"(float *o, const float *a, const float *b, int n)\n{\n  float s[32] = {};\n"
		"  step(s, a, b, n);\n  for (int i = 0; i < 32; i++) { o[i] = s[i]; }\n}\n";
	static const char header[] =
		"#pragma once\ntemplate <typename T> __attribute__((device)) inline void "
		"step(T (&s)[32], const T *a, const T *b, int n)\n{\n" MERGE "}\n";
	struct choose_unit unit[UNITS];
	const struct choose_unit *of[UNITS];
	const struct target *target[UNITS];
	struct compiler compiler[UNITS];
	const char *dir = tmpdir_create();
	(void)state;
	run.job.path = arena_printf(run.a, "%s/made-up.h", dir);
	assert_int_equal(file_write_atomic(run.job.path, str_of(header)), 0);
	const char *include = arena_printf(run.a, "-I%s", dir);
	const char *const flags[] = {"-nogpuinc", "--cuda-device-only", include, NULL};
	for (size_t i = 0; i < UNITS; i++) {
		unit[i] = (struct choose_unit){.path = unit_name[i], .flags = flags};
		unit[i].text = i == 0 ? STR("#include \"made-up.h\"\n")
				      : str_of(arena_printf(run.a, kernel, i == 3 ? "k1" : "k0"));
		of[i] = &unit[i];
		target[i] = run.target;
		compiler[i] = (struct compiler){.path = "made-up"};
	}
	run.job.source = str_of(header);
	run.job.unit = of;
	run.job.target = target;
	run.job.compiler = compiler;
	run.job.targets = UNITS;
	run.job.measure = made_up_of_units;
	memset(unit_compiles, 0, sizeof(unit_compiles));
	go(NULL);
	const struct decision *d = decision_of("step<float>", 0);
	assert_true(d->rewritten);
	assert_true(str_find(run.choice.text, "wave_barrier", 0) == SIZE_MAX);
	size_t vetoed = count(d, OUTCOME_VETO);
	assert_true(vetoed > 0 && count(d, OUTCOME_BETTER) > 1);
	/* the source and each pick */
	assert_int_equal(unit_compiles[0], 2 + vetoed);
	assert_int_equal(unit_compiles[2], 2 + vetoed);
	assert_int_equal(unit_compiles[1], unit_compiles[3]);
	assert_true(unit_compiles[1] >= 2 + 2 * vetoed + count(d, OUTCOME_BETTER));
}

#define RUN(test) cmocka_unit_test_setup_teardown(test, run_init, run_release)

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_number),
		cmocka_unit_test_setup_teardown(test_figures, figures_init, figures_release),
		cmocka_unit_test_setup_teardown(test_figures_of, figures_init, figures_release),
		cmocka_unit_test_setup_teardown(test_bits, figures_init, figures_release),
		cmocka_unit_test_setup_teardown(test_ran, figures_init, figures_release),
		cmocka_unit_test_setup_teardown(test_cheaper, figures_init, figures_release),
		RUN(test_rounds), RUN(test_no_gain), RUN(test_halving), RUN(test_veto),
		RUN(test_sparing), RUN(test_time), RUN(test_unequal), RUN(test_parts),
		RUN(test_numbers), RUN(test_unproved), RUN(test_fused), RUN(test_interrupt),
		RUN(test_header)};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
