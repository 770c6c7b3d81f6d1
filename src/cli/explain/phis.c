#include "cli/explain/phis.h"

#include "base/file.h"
#include "base/words.h"
#include "measure/ir/merge.h"

enum {
	PHI_SHOWN = 160 /* bytes of a line of IR */
};

static bool is_of(const struct phis_job *job, const struct ir_merge *m)
{
	struct str file = path_base(str_of(m->file)), mine = path_base(str_of(job->path));
	return m->line >= job->first && m->line <= job->last && str_eq(file, mine);
}

static void add_merge(struct sbuf *out, const struct ir_merge *m)
{
	sbuf_addf_visible(out, "%u phi%s of %u VGPRs per lane in all%s%s\n", m->phis,
		m->phis == 1 ? "" : "s", m->vgprs, *m->inlined ? ", inlined at " : "", m->inlined);
	sbuf_addf_visible(out, "    %.*s%s\n", STR_ARG(str_sub(m->phi, 0, PHI_SHOWN)),
		m->phi.n > PHI_SHOWN ? "..." : "");
}

static void add_kernel(struct sbuf *out, struct arena *a, const struct phis_job *job, struct str ir,
	const char *symbol, const char *name)
{
	struct ir_merge *m;
	size_t n, shown = 0, widest = 0;
	ir_merges(&m, &n, a, ir, symbol);
	for (size_t i = 0; i < n; i++) {
		if (is_of(job, &m[i])) {
			sbuf_addf_visible(out, "  %s: ", name);
			add_merge(out, &m[i]);
			shown++;
		}
	}
	if (!shown) {
		sbuf_addf_visible(out,
			"  %s: no phi is left after this branch: the optimizer moved the phis or "
			"made "
			"them selects\n",
			name);
		while (widest < n && !m[widest].file) {
			widest++;
		}
		if (widest < n) {
			sbuf_addf(
				out, "  the widest of the kernel, after line %u: ", m[widest].line);
			add_merge(out, &m[widest]);
		}
	}
}

static void add_target(struct sbuf *out, struct arena *a, const struct phis_job *job,
	const struct measure_result *r)
{
	struct str kernels = str_of(job->kernels), line;
	if (r->status != MEASURE_OK) {
		sbuf_adds(out, "  it does not compile with line tables\n");
		return;
	}
	while (str_line(&kernels, &line)) {
		size_t tab = str_find(line, "\t", 0);
		const char *symbol = arena_strndup(a, line.p, tab < line.n ? tab : line.n);
		const char *name = tab < line.n
					   ? arena_strndup(a, line.p + tab + 1, line.n - tab - 1)
					   : symbol;
		if (measurement_kernel(&r->m, symbol)) {
			add_kernel(out, a, job, r->ir, symbol, name);
		}
	}
}

int phis_text(struct sbuf *out, struct arena *a, const struct phis_job *job)
{
	static const char *const lines[] = {"-gline-tables-only", NULL};
	size_t n = job->targets->n;
	struct measure_job *jobs = ARENA_ARRAY(a, struct measure_job, n);
	struct measure_result *r = ARENA_ARRAY(a, struct measure_result, n);
	for (size_t i = 0; i < n; i++) {
		jobs[i] = (struct measure_job){.compiler = &job->compiler[i],
			.target = job->targets->v[i],
			.path = job->path,
			.shown = job->path,
			.flags = words_joined(a, job->targets->flags, lines),
			.want_ir = true,
			.keep_ir = true,
			.quiet = true,
			.no_cache = job->opts->no_cache,
			.time_limit_s = job->opts->time_limit_s};
	}
	measure_run(r, a, jobs, n, job->opts->jobs);
	for (size_t i = 0; i < n; i++) {
		sbuf_addf_visible(out, "%s:\n", job->targets->v[i]->name);
		add_target(out, a, job, &r[i]);
	}
	return 0;
}
