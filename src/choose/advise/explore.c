#include "choose/advise/explore.h"

#include <inttypes.h>
#include <string.h>

#include "analysis/ledger/ledger.h"
#include "analysis/parse.h"
#include "base/msg.h"
#include "base/process/pool.h"
#include "frontend/frontend.h"

void explore_product(const char *const *const **out, size_t *n, struct arena *a,
	const struct setting *s, size_t settings)
{
	*n = 1;
	for (size_t i = 0; i < settings; i++) {
		*n *= s[i].values;
	}
	const char *const **all = ARENA_ARRAY(a, const char *const *, *n);
	for (size_t c = 0; c < *n; c++) {
		const char **value = ARENA_ARRAY(a, const char *, settings + 1);
		size_t rest = c;
		for (size_t i = settings; i-- > 0;) {
			value[i] = s[i].value[rest % s[i].values];
			rest /= s[i].values;
		}
		all[c] = value;
	}
	*out = all;
}

static const char *const *flags_of(
	struct arena *a, const struct explore_job *job, const char *const *value)
{
	size_t n = 0;

	while (job->flags[n]) {
		n++;
	}
	const char **flags = ARENA_ARRAY(a, const char *, n + job->settings + 1);
	memcpy(flags, job->flags, n * sizeof(*flags));
	for (size_t i = 0; i < job->settings; i++) {
		flags[n++] = arena_printf(a, "-D%s=%s", job->setting[i].name, value[i]);
	}
	return flags;
}

/* ---- counts from the source ---- */

struct counting {
	const struct explore_job *job;
	struct arena *a;
	struct counted_unit *out;
};

/* Runs in a process of its own, because libclang leaks. Prints a line for each kernel. */
static int count_one(void *user, size_t index, struct sbuf *out)
{
	const struct counting *c = user;
	const struct explore_job *job = c->job;
	const struct target *t = job->target[index % job->targets];
	struct frontend_job parse = {.path = job->path,
		.target = t->name,
		.relatives = t->relatives,
		.wave_size = t->wave_size,
		.flags = flags_of(c->a, job, job->combination[index / job->targets]),
		.no_cache = job->no_cache,
		.quiet = true,
		.intrinsics = job->intrinsics};
	struct kt_unit *unit;
	struct parse p;

	if (frontend_parse(&unit, c->a, &parse, NULL)) {
		return FAIL_INPUT;
	}
	parse_look_into(&p, unit, c->a, job->intrinsics);
	for (kt_id i = 1; i < unit->fns; i++) {
		const struct kt_fn *fn = &unit->fn[i];
		struct ledger l;
		if (fn->kind != KT_FN_KERNEL || !fn->symbol || !fn->body) {
			continue;
		}
		ledger_make(&l, c->a, p.facts, p.uniformity, i, t);
		sbuf_addf(out, "%u %" PRIu64 " %" PRIu64 " %s\n", ledger_estimate(&l, t), l.bytes,
			l.flops, fn->symbol);
	}
	parse_release(&p);
	return 0;
}

static uint64_t number(struct str *line)
{
	struct str word;
	int64_t n = 0;

	return str_split(line, ' ', &word) && str_to_i64(word, &n) ? (uint64_t)n : 0;
}

static void count_done(void *user, const struct pool_result *r)
{
	struct counting *c = user;
	ARRAY(struct counted) found = {0};
	struct str rest = r->out, line;

	while (str_line(&rest, &line)) {
		struct counted k = {.estimate = (unsigned)number(&line)};
		k.bytes = number(&line);
		k.flops = number(&line);
		k.symbol = arena_strndup(c->a, line.p, line.n);
		array_push(&found, k);
	}
	array_move(c->out[r->index].v, c->out[r->index].n, c->a, &found);
}

static int explore_count(struct counted_unit **out, struct arena *a, const struct explore_job *job)
{
	size_t n = job->combinations * job->targets;
	struct counting c = {job, a, ARENA_ARRAY(a, struct counted_unit, n)};
	struct pool pool = {.parallel = job->parallel,
		.time_limit_s = job->time_limit_s,
		.user = &c,
		.run = count_one,
		.done = count_done};
	int rc = frontend_load();

	*out = c.out;
	return rc ? rc : pool_run(&pool, n);
}

static const struct counted *find_counted(const struct counted_unit *u, const char *symbol)
{
	for (size_t i = 0; i < u->n; i++) {
		if (strcmp(u->v[i].symbol, symbol) == 0) {
			return &u->v[i];
		}
	}
	return NULL;
}

/* ---- the compiler's figures ---- */

static const char *failure(enum measure_status s)
{
	return s == MEASURE_TIMEOUT ? "(took too long)" : "(does not compile)";
}

/* The compiler's first error, without the place. */
static const char *first_error(struct arena *a, const char *diagnostics)
{
	struct str rest = str_of(diagnostics), line;

	while (str_line(&rest, &line)) {
		size_t at = str_find(line, "error: ", 0);
		if (at != SIZE_MAX) {
			return arena_strndup(a, line.p + at + 7, line.n - at - 7);
		}
	}
	return NULL;
}

static bool is_same(const struct explored *x, const struct explored *y)
{
	if (!x->got || !y->got) {
		return !x->got && !y->got;
	}
	return strcmp(x->got->symbol, y->got->symbol) == 0 &&
	       memcmp(x->got->v, y->got->v, sizeof(x->got->v)) == 0;
}

/* Do both have the same target, and differ only in the setting `at`? */
static bool differs_in(
	const struct explored *x, const struct explored *y, size_t settings, size_t at)
{
	bool alike = strcmp(x->target, y->target) == 0 && strcmp(x->value[at], y->value[at]) != 0;

	for (size_t i = 0; i < settings && alike; i++) {
		alike = i == at || strcmp(x->value[i], y->value[i]) == 0;
	}
	return alike;
}

bool explore_is_idle(
	const struct explored_list *rows, const struct setting *s, size_t settings, size_t at)
{
	bool idle = s[at].values > 1;

	for (size_t i = 0; i < rows->v.n && idle; i++) {
		const struct explored *x = &rows->v.v[i];
		bool found = strcmp(x->value[at], s[at].value[0]) == 0;
		for (size_t k = 0; k < rows->v.n && !found; k++) {
			const struct explored *y = &rows->v.v[k];
			found = strcmp(y->value[at], s[at].value[0]) == 0 &&
				differs_in(x, y, settings, at) && is_same(x, y);
		}
		idle = found;
	}
	return idle;
}

static void add_rows(struct explored_list *out, struct arena *a, const char *target,
	const struct measure_result *r, const struct counted_unit *counted,
	const char *const *value)
{
	struct explored e = {.value = value, .target = target};

	if (r->status != MEASURE_OK) {
		e.why = failure(r->status);
		e.said = first_error(a, r->diagnostics);
		array_push(&out->v, e);
		return;
	}
	for (size_t i = 0; i < r->m.kernels; i++) {
		e.got = &r->m.kernel[i];
		e.kernel = e.got->name;
		e.why = e.got->trusted ? NULL : e.got->why;
		const struct counted *c = find_counted(counted, e.got->symbol);
		e.estimate = c ? c->estimate : 0;
		e.bytes = c ? c->bytes : 0;
		e.flops = c ? c->flops : 0;
		array_push(&out->v, e);
	}
}

int explore_run(struct explored_list *out, struct arena *a, const struct explore_job *job)
{
	size_t n = job->combinations * job->targets;
	struct measure_job *compile = ARENA_ARRAY(a, struct measure_job, n);
	struct measure_result *result = ARENA_ARRAY(a, struct measure_result, n);
	struct counted_unit *counted = NULL;
	int rc = FAIL_INPUT;

	for (size_t i = 0; i < n; i++) {
		size_t t = i % job->targets;
		compile[i] = (struct measure_job){.compiler = &job->compiler[t],
			.target = job->target[t],
			.path = job->path,
			.shown = job->path,
			.flags = flags_of(a, job, job->combination[i / job->targets]),
			.time_limit_s = job->time_limit_s,
			.no_cache = job->no_cache,
			.quiet = true};
	}
	measure_run(result, a, compile, n, job->parallel);
	for (size_t i = 0; i < n; i++) {
		rc = result[i].status == MEASURE_OK ? 0 : rc;
	}
	if (rc) {
		msg_error("%s: no combination compiles: %-s", job->path,
			result[0].diagnostics ? result[0].diagnostics : "");
	}
	rc = rc ? rc : explore_count(&counted, a, job);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		add_rows(out, a, compile[i].target->name, &result[i], &counted[i],
			job->combination[i / job->targets]);
	}
	return rc;
}
