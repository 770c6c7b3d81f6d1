#include <string.h>
#include "base/file.h"
#include "base/msg.h"
#include "base/msglog_list.h"
#include "measure/compile/batch.h"
#include "measure/isa/demangle.h"
#include "measure/isa/isa.h"
#include "measure/measure.h"

#define DIAGNOSTICS_MAX 4000 /* bytes kept of the compiler's messages */

/* The start of the compiler's stderr, with the file's name as shown to the user. */
static const char *diagnostics(struct arena *a, const struct measure_job *job, struct str err)
{
	struct sbuf b = {0};
	const char *shown = job->shown ? job->shown : job->path;
	size_t at = 0;
	while (at < err.n && b.n < DIAGNOSTICS_MAX) {
		size_t hit = str_find(err, job->path, at);
		size_t end = hit == SIZE_MAX ? err.n : hit;
		sbuf_addstr(&b, str_sub(err, at, end));
		at = end;
		if (hit != SIZE_MAX) {
			sbuf_adds(&b, shown);
			at += strlen(job->path);
		}
	}
	struct str text = str_trim(sbuf_str(&b));
	/* a crash's stack dump is for the compiler's authors */
	size_t dump = str_find(text, "PLEASE submit a bug report", 0);
	bool dumped = dump != SIZE_MAX && dump > 0;
	text = dumped ? str_trim(str_sub(text, 0, dump)) : text;
	bool cut = text.n > DIAGNOSTICS_MAX;
	if (cut) {
		text.n = DIAGNOSTICS_MAX;
		while (text.n > 0 && text.p[text.n - 1] != '\n') {
			text.n--;
		}
		text = str_trim(text.n ? text : str_sub(sbuf_str(&b), 0, DIAGNOSTICS_MAX));
	}
	const char *out = arena_printf(a, "%.*s%s", STR_ARG(text), cut ? "\n..." : "");
	sbuf_release(&b);
	return out;
}

/* The driver has its own exit code if cc1 was killed by a signal. */
static bool is_crash(const struct proc_result *r)
{
	static const char *const signs[] = {"PLEASE submit a bug report",
		"Stack dump:", "frontend command failed", "command failed due to signal",
		"LLVM ERROR:"};
	if (r->signal || r->exit_code >= 128) {
		return true;
	}
	for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
		if (str_find(sbuf_str(&r->err), signs[i], 0) != SIZE_MAX) {
			return true;
		}
	}
	return false;
}

static enum measure_status status_of(const struct proc_result *r)
{
	if (!r->started) {
		return MEASURE_COMPILE_ERROR;
	}
	if (r->timed_out) {
		return MEASURE_TIMEOUT;
	}
	if (r->signal || r->exit_code != 0) {
		return is_crash(r) ? MEASURE_CRASH : MEASURE_COMPILE_ERROR;
	}
	return r->truncated ? MEASURE_UNREADABLE : MEASURE_OK;
}

/* hipcc is a script around clang in the ROCm of Debian 12 to 13. */
static const char *hint(const struct measure_job *job)
{
	return job->compiler->hipcc && strchr(job->path, '\n')
		       ? " (hipcc drops the line break in its name: rename it, or give --compiler "
			 "clang++)"
		       : "";
}

/* The compiler's name for error messages, with its launcher. */
static const char *name_compiler(struct arena *a, const struct compiler *c)
{
	return c->launcher ? arena_printf(a, "%s (through %s)", c->path, c->launcher[0]) : c->path;
}

/* Records the compiler's errors with their places, for machine-readable formats. */
static void keep_errors(struct arena *a, const char *diagnostics)
{
	static const char *const words[] = {"error: ", "fatal error: "};
	struct str line, rest = str_of(diagnostics);
	struct msglog_entry s = {.error = true};
	while (str_line(&rest, &line)) {
		for (size_t i = 0; i < 2 && msglog_place(&s, a, line); i++) {
			if (str_starts(str_of(s.text), words[i])) {
				s.text += strlen(words[i]);
				s.file = path_real(a, s.file); /* "BUILD/../src/a.hip" */
				msglog_add(&s);
				break;
			}
		}
	}
}

static void complain(struct arena *a, const struct measure_job *job, const struct measure_result *r,
	const struct proc_result *p, const char *why)
{
	const char *shown = job->shown ? job->shown : job->path;
	const char *path = name_compiler(a, job->compiler);
	const char *target = job->target->name;
	switch (r->status) {
	case MEASURE_OK:
		return;
	case MEASURE_COMPILE_ERROR:
		if (!p->started) {
			msg_error("%s: %s could not be started: %s", shown, path,
				strerror(p->start_errno));
			return;
		}
		keep_errors(a, r->diagnostics);
		msg_error_with(str_of(arena_printf(a, "\n%s", r->diagnostics)),
			"%s: %s does not compile it for %s%s:", shown, path, target, hint(job));
		return;
	case MEASURE_TIMEOUT:
		msg_error("%s: %s took more than %.1f s for %s and was stopped; --time-limit "
			  "allows more",
			shown, path, p->wall_s, target);
		return;
	case MEASURE_CRASH:
		msg_error_with(str_of(arena_printf(a, "\n%s", r->diagnostics)),
			"%s: %s crashed for %s:", shown, path, target);
		return;
	case MEASURE_UNREADABLE:
		msg_error("%s: what %s gave for %s cannot be read: %s", shown, path, target, why);
		return;
	}
}

/* asm_run is the compile to assembly; ir_run the one to IR, or NULL. */
static void read_result(struct measure_result *out, struct arena *a, const struct measure_job *job,
	const struct proc_result *asm_run, const struct proc_result *ir_run, bool linked)
{
	const struct proc_result *bad = asm_run;
	const char *why = "it is too long to be read";
	*out = (struct measure_result){.status = status_of(asm_run)};
	if (out->status == MEASURE_OK && ir_run) {
		out->status = status_of(ir_run);
		bad = ir_run;
	}
	if (out->status == MEASURE_OK) {
		bad = asm_run;
		struct str ir = ir_run ? sbuf_str(&ir_run->out) : (struct str){NULL, 0};
		why = isa_read_quiet(&out->m, a, job->target, sbuf_str(&asm_run->out), ir);
		out->status = why ? MEASURE_UNREADABLE : MEASURE_OK;
		out->m.linked = linked;
		if (job->keep_ir) {
			out->ir = (struct str){arena_strndup(a, ir.p ? ir.p : "", ir.n), ir.n};
		}
		if (job->keep_isa) {
			struct str isa = sbuf_str(&asm_run->out);
			out->isa = (struct str){arena_strndup(a, isa.p ? isa.p : "", isa.n), isa.n};
		}
	}
	out->diagnostics = diagnostics(a, job, sbuf_str(&bad->err));
	if (!job->quiet) {
		complain(a, job, out, bad, why);
	}
}

/* Removes kernels that are not in job->only. */
static void keep_asked(struct measurement *m, const struct measure_job *job)
{
	size_t n = 0;
	for (size_t i = 0; i < m->kernels; i++) {
		if (str_is_any(str_of(m->kernel[i].symbol), job->only)) {
			m->kernel[n++] = m->kernel[i];
		}
	}
	m->kernels = n;
}

static void take_result(struct measure_result *out, struct compile_batch *b, struct arena *a,
	const struct compile *c, const struct measure_job *job)
{
	const struct compile *as = &b->compile[c->same_as];
	const struct proc_result *ir = job->want_ir ? &b->compile[c[1].same_as].result : NULL;
	read_result(out, a, job, &as->result, ir, c->linked != NULL);
	out->stamps = (struct str){
		arena_strndup(a, as->stamps.n ? as->stamps.p : "", as->stamps.n), as->stamps.n};
	out->cached = c->cached && (!ir || c[1].cached);
	if (out->status == MEASURE_OK && job->only) {
		keep_asked(&out->m, job);
	}
}

void measure_run(struct measure_result *results, struct arena *a, const struct measure_job *jobs,
	size_t n, unsigned parallel)
{
	measure_run_observed(results, a, jobs, n, parallel, NULL);
}

void measure_run_observed(struct measure_result *results, struct arena *a,
	const struct measure_job *jobs, size_t n, unsigned parallel,
	const struct measure_observer *observer)
{
	struct arena *scratch = arena_create();
	struct compile_batch b = {
		.a = scratch, .kept = compile_cache_open(scratch), .observer = observer};
	size_t *first = ARENA_ARRAY(scratch, size_t, n);
	struct measurement **good = ARENA_ARRAY(scratch, struct measurement *, n);
	size_t good_n = 0;
	b.compile = ARENA_ARRAY(scratch, struct compile, 2 * n);
	for (size_t i = 0; i < n; i++) {
		first[i] = b.n;
		b.compile[b.n++].job = &jobs[i];
		if (jobs[i].want_ir) {
			b.compile[b.n++] = (struct compile){.job = &jobs[i], .ir = true};
		}
	}
	compile_batch_run(&b, parallel);
	for (size_t i = 0; i < n; i++) {
		take_result(&results[i], &b, a, &b.compile[first[i]], &jobs[i]);
		if (results[i].status == MEASURE_OK) {
			good[good_n++] = &results[i].m;
		}
	}
	demangle_measurements(good, good_n, a);
	compile_batch_release(&b);
	compile_cache_release(b.kept);
	arena_free(scratch);
}
