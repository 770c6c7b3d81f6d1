#include "choose/explore.h"

#include <string.h>

#include "analysis/ledger.h"
#include "base/msg.h"
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
		flags[n + i] = arena_printf(a, "-D%s=%s", job->setting[i].name, value[i]);
	}
	return flags;
}

/* Bytes and operations of the kernels, from the source; nothing where it does not parse. */
static void count_work(const struct explore_job *job, const struct measure_job *compiled,
	struct explored *row, size_t rows)
{
	struct arena *a = arena_create();
	struct frontend_job parse = {.path = compiled->path,
		.target = compiled->target->name,
		.nearest = compiled->target->nearest,
		.flags = compiled->flags,
		.no_cache = compiled->no_cache,
		.quiet = true,
		.intrinsics = job->intrinsics};
	struct kt_unit *unit;

	if (frontend_parse(&unit, a, &parse, NULL) == 0) {
		struct facts *f = facts_create(unit, a, job->intrinsics);
		struct uniformity *u = uniformity_create(f, a);
		for (kt_id i = 1; i < unit->fns; i++) {
			for (size_t k = 0; k < rows && unit->fn[i].symbol && unit->fn[i].body;
				k++) {
				struct ledger l;
				if (strcmp(unit->fn[i].symbol, row[k].got->symbol) == 0) {
					ledger_make(&l, a, f, u, i, compiled->target->wave_size);
					row[k].bytes = l.bytes;
					row[k].flops = l.flops;
				}
			}
		}
		facts_release(f);
	}
	arena_free(a);
}

static const char *failure(enum measure_status s)
{
	return s == MEASURE_TIMEOUT ? "(took too long)" : "(does not compile)";
}

static void add_rows(struct explored_list *out, const struct explore_job *job,
	const struct measure_job *compiled, const struct measure_result *r,
	const char *const *value)
{
	size_t first = out->v.n;
	struct explored e = {.value = value, .target = compiled->target->name};

	if (r->status != MEASURE_OK) {
		e.why = failure(r->status);
		array_push(&out->v, e);
		return;
	}
	for (size_t i = 0; i < r->m.kernels; i++) {
		e.got = &r->m.kernel[i];
		e.kernel = e.got->name;
		e.why = e.got->trusted ? NULL : e.got->why;
		array_push(&out->v, e);
	}
	count_work(job, compiled, out->v.v + first, out->v.n - first);
}

int explore_run(struct explored_list *out, struct arena *a, const struct explore_job *job)
{
	size_t n = job->combinations * job->targets;
	struct measure_job *compile = ARENA_ARRAY(a, struct measure_job, n);
	struct measure_result *result = ARENA_ARRAY(a, struct measure_result, n);
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
		add_rows(out, job, &compile[i], &result[i], job->combination[i / job->targets]);
		rc = result[i].status == MEASURE_OK ? 0 : rc;
	}
	if (rc) {
		msg_error("%s: no combination compiles: %s", job->path,
			result[0].diagnostics ? result[0].diagnostics : "");
	}
	return rc;
}
