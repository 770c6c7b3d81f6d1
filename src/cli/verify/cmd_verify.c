/*
 * unphi verify: read the spec, run the kernels of the original and of each rewritten file, compare
 * what they leave in their buffers, and say it.
 */
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/msg.h"
#include "cli/cli.h"
#include "cli/steps/machine.h"
#include "frontend/frontend.h"
#include "report/form/json.h"
#include "verify/init.h"
#include "verify/verify.h"

struct verifying {
	const struct cli_opts *opts;
	struct arena *arena;
	struct spec spec;
	const struct gpu *gpu;	      /* NULL: on the CPU */
	struct verify_source *source; /* the original first */
	size_t sources;
	struct verify_machine *machine; /* runs their machine code; NULL: not */
	bool races;			/* looked for */
	bool made;			/* the second source is what rewrite made of the first */
	struct verify *verify;
	struct verify_result *result; /* a row of the spec's cases for each rewritten source */
	struct verify_arm *unrun;     /* arms of the original that no case drives */
	size_t unruns;
};

/* ---- sources ---- */

static int read_source(struct verify_source *s, struct arena *a, const char *path)
{
	struct sbuf text = {0};
	int rc = file_read(&text, path);
	*s = (struct verify_source){
		.path = path, .text = {arena_memdup(a, text.p ? text.p : "", text.n), text.n}};
	sbuf_release(&text);
	return rc;
}

/* The targets of the spec, where none was asked for. */
static void add_targets(struct cli_opts *o, const struct verifying *v)
{
	for (size_t i = 0; i < v->spec.n; i++) {
		char *name = arena_strdup(v->arena, v->spec.v[i].target->name);
		bool known = false;
		for (size_t k = 0; k < o->targets.v.n; k++) {
			known |= strcmp(o->targets.v.v[k], name) == 0;
		}
		if (!known) {
			array_push(&o->targets.v, name);
		}
	}
}

/* The second source, made of the first. */
static int make_rewritten(struct verifying *v)
{
	struct cli_opts o = *v->opts;
	bool own = o.targets.v.n == 0;
	if (own) {
		add_targets(&o, v);
	}
	int rc = cli_rewritten(&v->source[1].text, &v->races, v->arena, &o);
	if (own) {
		array_release(&o.targets.v);
	}
	v->source[1].path = v->source[0].path;
	v->made = true;
	if (rc == 0 && str_eq(v->source[0].text, v->source[1].text)) {
		msg_note("%s: rewrite changes nothing; the original is run alone",
			v->source[0].path);
		v->sources = 1;
	}
	return rc;
}

static int read_sources(struct verifying *v)
{
	size_t n = v->opts->files.n;
	int rc = 0;
	v->sources = n > 1 ? n : 2;
	v->source = ARENA_ARRAY(v->arena, struct verify_source, v->sources);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = read_source(&v->source[i], v->arena, v->opts->files.v[i]);
	}
	for (size_t i = 0; rc == 0 && i < n; i++) {
		if (verify_is_assembly(&v->source[i]) && (i == 0 || v->opts->on != ON_ISA)) {
			msg_error(
				"%s: assembly is run by --on isa alone, behind the source that it "
				"was made of",
				v->source[i].path);
			rc = FAIL_USAGE;
		}
	}
	return rc || n > 1 ? rc : make_rewritten(v);
}

/* ---- running and comparing ---- */

/* Of '--on both' each source has a row: itself against its machine code. */
static size_t rows(const struct verifying *v)
{
	return v->opts->on == ON_BOTH ? v->sources : v->sources > 1 ? v->sources - 1 : 1;
}

static size_t row_source(const struct verifying *v, size_t row)
{
	return v->opts->on == ON_BOTH || v->sources == 1 ? row : row + 1;
}

/* Every source on the CPU, and its machine code. */
static int run_both(struct verifying *v)
{
	struct cli_opts o = *v->opts;
	struct verify *cpu;
	struct verify_run *sources;
	struct verify_run *machines;
	int rc = cli_machine_open(&v->machine, v->arena, &o, v->source, v->sources, &v->spec);
	rc = rc ? rc : cli_verify_open(&cpu, v->arena, &v->spec, v->gpu, NULL, &o);
	rc = rc ? rc : cli_verify_open(&v->verify, v->arena, &v->spec, v->gpu, v->machine, &o);
	rc = rc ? rc : verify_run(&sources, cpu, v->source, v->sources);
	rc = rc ? rc : verify_run(&machines, v->verify, v->source, v->sources);
	v->result = ARENA_ARRAY(v->arena, struct verify_result, rows(v) * v->spec.n);
	for (size_t i = 0; rc == 0 && i < rows(v) * v->spec.n; i++) {
		rc = verify_compare(
			&v->result[i], v->verify, i % v->spec.n, &sources[i], &machines[i]);
	}
	return rc;
}

static int run(struct verifying *v)
{
	struct verify_run *runs = NULL;
	size_t n = v->spec.n;
	struct cli_opts o = *v->opts;
	o.races |= v->races && o.on == ON_CPU;
	int rc = 0;
	if (o.on == ON_ISA) {
		rc = cli_machine_open(&v->machine, v->arena, &o, v->source, v->sources, &v->spec);
	}
	rc = rc ? rc : cli_verify_open(&v->verify, v->arena, &v->spec, v->gpu, v->machine, &o);
	rc = rc ? rc : verify_run(&runs, v->verify, v->source, v->sources);
	v->result = ARENA_ARRAY(v->arena, struct verify_result, rows(v) * n);
	for (size_t i = 0; rc == 0 && i < rows(v) * n; i++) {
		size_t after = v->sources > 1 ? n + i : i;
		rc = verify_compare(&v->result[i], v->verify, i % n, &runs[i % n], &runs[after]);
	}
	if (rc == 0) {
		v->unruns = verify_unrun(&v->unrun, v->arena, runs, n);
		cli_warn_of_unrun(v->arena, runs, n);
	}
	return rc;
}

static const char *outcome_word(enum verify_outcome o)
{
	switch (o) {
	case VERIFY_EQUAL:
		return "equal";
	case VERIFY_UNEQUAL:
		return "unequal";
	case VERIFY_BROKEN:
		return "broken";
	case VERIFY_UNKNOWN:
		return "unknown";
	}
	BUG("%d is no verify_outcome", (int)o);
}

static const char *row_name(const struct verifying *v, size_t row)
{
	if (v->sources < 2) {
		return v->source[0].path;
	}
	size_t source = row_source(v, row);
	const char *path = v->source[source].path;
	return v->made && source > 0 ? arena_printf(v->arena, "%s (rewritten)", path) : path;
}

/* What the driver calls the GPU that a case ran on, or NULL. */
static const char *gpu_name(const struct verifying *v)
{
	for (size_t i = 0; i < rows(v) * v->spec.n; i++) {
		if (v->result[i].gpu) {
			return v->result[i].gpu;
		}
	}
	return NULL;
}

/* ---- text ---- */

/* Every line of what was said, indented. */
static void add_said(struct sbuf *out, const char *said)
{
	struct str rest = str_of(said);
	struct str line;
	while (str_line(&rest, &line)) {
		sbuf_addf(out, "    %.*s\n", STR_ARG(line));
	}
}

static bool same_writer(const struct verify_writer *x, const struct verify_writer *y)
{
	return x->known == y->known && x->wave == y->wave && x->lane == y->lane &&
	       memcmp(x->block, y->block, sizeof(x->block)) == 0 &&
	       memcmp(x->thread, y->thread, sizeof(x->thread)) == 0;
}

static void add_writer(struct sbuf *out, const struct verify_writer *w)
{
	if (!w->known) {
		sbuf_adds(out, "written by no lane");
		return;
	}
	sbuf_addf(out, "by block (%u,%u,%u) thread (%u,%u,%u), wave %u lane %u", w->block[0],
		w->block[1], w->block[2], w->thread[0], w->thread[1], w->thread[2], w->wave,
		w->lane);
}

static void add_difference(struct sbuf *out, const struct verify_difference *d)
{
	const struct verify_writer *x = &d->wrote_before;
	const struct verify_writer *y = &d->wrote_after;
	sbuf_addf(out, "    %s[%zu]: %s before, %s after", d->buffer->name, d->index, d->before,
		d->after);
	if (same_writer(x, y)) {
		if (x->known) {
			sbuf_adds(out, ", ");
			add_writer(out, x);
		}
	} else {
		sbuf_adds(out, "; before ");
		add_writer(out, x);
		sbuf_adds(out, "; after ");
		add_writer(out, y);
	}
	sbuf_addc(out, '\n');
}

static void add_differences(struct sbuf *out, const struct verify_result *r)
{
	for (size_t i = 0; i < r->differences; i++) {
		add_difference(out, &r->difference[i]);
	}
	if (r->differing > r->differences) {
		sbuf_addf(out, "    and %zu more\n", r->differing - r->differences);
	}
}

/* "1.25 -> 1.2 ms, -4.0 %" */
static void add_times(struct sbuf *out, const struct verify_result *r)
{
	double before = r->times_before.median;
	double after = r->times_after.median;
	sbuf_addf(out, "%.4g -> %.4g ms", before, after);
	if (before > 0) {
		sbuf_addf(out, ", %+.1f %%", (after / before - 1) * 100);
	}
}

static void add_result(struct sbuf *out, const struct verify_result *r)
{
	bool timed = r->times_before.runs && r->times_after.runs;
	sbuf_addf(out, "  %-8s %s", outcome_word(r->outcome), r->of->name);
	switch (r->outcome) {
	case VERIFY_EQUAL:
		sbuf_addf(out, " (%zu values, ", r->compared);
		if (timed) {
			add_times(out, r);
		} else {
			sbuf_addf(out, "%.1f s", r->seconds_after);
		}
		sbuf_adds(out, ")\n");
		break;
	case VERIFY_UNEQUAL:
		sbuf_addf(out, ": %zu of %zu values differ", r->differing, r->compared);
		if (timed) {
			sbuf_adds(out, " (");
			add_times(out, r);
			sbuf_addc(out, ')');
		}
		sbuf_addc(out, '\n');
		add_differences(out, r);
		break;
	case VERIFY_BROKEN:
		sbuf_adds(out, ": the original runs, this does not:\n");
		add_said(out, r->said);
		break;
	case VERIFY_UNKNOWN:
		sbuf_addf(out, ": %s:\n",
			r->ran	     ? "it runs, and shows nothing"
			: r->machine ? "the machine code is not run"
				     : "the original does not run");
		add_said(out, r->said);
		break;
	}
}

static void print_text(struct sbuf *out, const struct verifying *v)
{
	const char *gpu = gpu_name(v);
	for (size_t row = 0; row < rows(v); row++) {
		size_t equal = 0;
		sbuf_addf(out, "%s%s%s%s:\n", row_name(v, row), gpu ? " on " : "", gpu ? gpu : "",
			v->opts->on == ON_BOTH ? ", on the CPU and as machine code" : "");
		for (size_t i = 0; i < v->spec.n; i++) {
			const struct verify_result *r = &v->result[row * v->spec.n + i];
			/* What does not compile does so in all its cases. */
			bool again = i > 0 && r->said[0] && strcmp(r->said, r[-1].said) == 0;
			if (again) {
				sbuf_addf(out, "  %-8s %s: the same\n", outcome_word(r->outcome),
					r->of->name);
			} else {
				add_result(out, r);
			}
			equal += r->outcome == VERIFY_EQUAL;
		}
		sbuf_addf(out, "  %zu of %zu cases equal\n", equal, v->spec.n);
	}
}

/* ---- JSON ---- */

static void json_three(struct json *j, const char *key, const unsigned *v)
{
	jsonw_key(j, key);
	jsonw_array(j);
	for (size_t i = 0; i < 3; i++) {
		jsonw_i64(j, v[i]);
	}
	jsonw_end(j);
}

static void json_writer(struct json *j, const char *key, const struct verify_writer *w)
{
	jsonw_key(j, key);
	if (!w->known) {
		jsonw_null(j);
		return;
	}
	jsonw_object(j);
	json_three(j, "block", w->block);
	json_three(j, "thread", w->thread);
	jsonw_key_i64(j, "wave", w->wave);
	jsonw_key_i64(j, "lane", w->lane);
	jsonw_end(j);
}

static void json_times(struct json *j, const char *key, const struct verify_times *t)
{
	jsonw_key(j, key);
	if (t->runs == 0) {
		jsonw_null(j);
		return;
	}
	jsonw_object(j);
	jsonw_key(j, "median");
	jsonw_double(j, t->median);
	jsonw_key(j, "least");
	jsonw_double(j, t->least);
	jsonw_key(j, "most");
	jsonw_double(j, t->most);
	jsonw_key_i64(j, "runs", t->runs);
	jsonw_end(j);
}

static void json_difference(struct json *j, const struct verify_difference *d)
{
	jsonw_object(j);
	jsonw_key_str(j, "buffer", str_of(d->buffer->name));
	jsonw_key_i64(j, "index", (int64_t)d->index);
	jsonw_key_str(j, "before", str_of(d->before));
	jsonw_key_str(j, "after", str_of(d->after));
	json_writer(j, "written_before_by", &d->wrote_before);
	json_writer(j, "written_after_by", &d->wrote_after);
	jsonw_end(j);
}

static void json_result(struct json *j, const char *file, const struct verify_result *r)
{
	jsonw_object(j);
	jsonw_key_str(j, "file", str_of(file));
	jsonw_key_str(j, "case", str_of(r->of->name));
	jsonw_key_str(j, "target", str_of(r->of->target->name));
	jsonw_key_str(j, "outcome", str_of(outcome_word(r->outcome)));
	jsonw_key_str(j, "said", str_of(r->said));
	jsonw_key_i64(j, "values", (int64_t)r->compared);
	jsonw_key_i64(j, "differing", (int64_t)r->differing);
	jsonw_key(j, "differences");
	jsonw_array(j);
	for (size_t i = 0; i < r->differences; i++) {
		json_difference(j, &r->difference[i]);
	}
	jsonw_end(j);
	jsonw_key(j, "seconds_before");
	jsonw_double(j, r->seconds_before);
	jsonw_key(j, "seconds_after");
	jsonw_double(j, r->seconds_after);
	json_times(j, "milliseconds_before", &r->times_before);
	json_times(j, "milliseconds_after", &r->times_after);
	jsonw_end(j);
}

static void print_json(struct sbuf *out, const struct verifying *v)
{
	struct json j;
	jsonw_init(&j, out);
	jsonw_object(&j);
	jsonw_key_i64(&j, "version", 1);
	jsonw_key_str(&j, "spec", str_of(v->spec.path));
	jsonw_key_str(&j, "original", str_of(v->source[0].path));
	jsonw_key_str(&j, "compiler", str_of(verify_compiler(v->verify)));
	jsonw_key(&j, "gpu");
	if (gpu_name(v)) {
		jsonw_str(&j, str_of(gpu_name(v)));
	} else {
		jsonw_null(&j);
	}
	jsonw_key(&j, "results");
	jsonw_array(&j);
	for (size_t i = 0; i < rows(v) * v->spec.n; i++) {
		json_result(&j, row_name(v, i / v->spec.n), &v->result[i]);
	}
	jsonw_end(&j);
	jsonw_key(&j, "never_ran");
	jsonw_array(&j);
	for (size_t i = 0; i < v->unruns; i++) {
		jsonw_object(&j);
		jsonw_key_str(&j, "file", str_of(v->unrun[i].file));
		jsonw_key_i64(&j, "line", v->unrun[i].line);
		jsonw_key_i64(&j, "arm", v->unrun[i].arm);
		jsonw_end(&j);
	}
	jsonw_end(&j);
	jsonw_end(&j);
	jsonw_finish(&j);
}

static int print_results(const struct verifying *v)
{
	struct sbuf out = {0};
	if (v->opts->format == FORMAT_JSON) {
		print_json(&out, v);
	} else {
		print_text(&out, v);
	}
	int rc = cli_report_write(v->opts, sbuf_str(&out));
	sbuf_release(&out);
	return rc;
}

static int judge(const struct verifying *v)
{
	int code = EXIT_CLEAN;
	for (size_t i = 0; i < rows(v) * v->spec.n; i++) {
		switch (v->result[i].outcome) {
		case VERIFY_EQUAL:
			break;
		case VERIFY_UNEQUAL:
		case VERIFY_BROKEN:
			code = exit_worse(code, EXIT_FINDINGS);
			break;
		case VERIFY_UNKNOWN:
			code = exit_worse(code, EXIT_INPUT);
			break;
		}
	}
	return code;
}

/* ---- --init ---- */

static int parse_first(struct spec_init *job, struct verifying *v, const char *path)
{
	struct cli_targets targets;
	struct intrinsic_db intrinsics = {0};
	struct kt_unit *unit;
	int rc = cli_targets_find(&targets, v->arena, v->opts);
	rc = rc ? rc : cli_intrinsics(&intrinsics, v->arena, v->opts);
	if (rc == 0) {
		struct frontend_job parse = {.path = path,
			.target = targets.v[0]->name,
			.nearest = targets.v[0]->nearest,
			.flags = targets.flags,
			.no_cache = v->opts->no_cache,
			.intrinsics = &intrinsics};
		rc = frontend_parse(&unit, v->arena, &parse, NULL);
		job->u = unit;
		job->target = targets.v[0];
		job->opts.flags = targets.flags;
	}
	intrinsic_db_release(&intrinsics);
	return rc;
}

static void show_progress(const char *kernel, size_t trials)
{
	msg_status("driving %s (%zu launches so far)", kernel, trials);
}

static int write_first_spec(struct verifying *v)
{
	const struct cli_opts *o = v->opts;
	const char *path = o->files.v[0];
	const char *out = o->output ? o->output : spec_path_for(v->arena, path);
	struct sbuf text = {0};
	struct str base = path_base(str_of(path));
	struct spec_init job = {.shown = arena_strndup(v->arena, base.p, base.n),
		.opts = {.compiler = o->host_compiler,
			.compile_limit_s = o->time_limit_s,
			.run_limit_s = o->case_limit_s,
			.parallel = o->jobs,
			.no_cache = o->no_cache},
		.progress = show_progress};
	if (!o->output && file_exists(out)) {
		msg_error("%s is there already; -o FILE writes elsewhere", out);
		return FAIL_USAGE;
	}
	int rc = cli_output_check(o, out);
	rc = rc ? rc : parse_first(&job, v, path);
	rc = rc ? rc : read_source(&job.source, v->arena, path);
	rc = rc ? rc : spec_init(&text, v->arena, &job);
	rc = rc ? rc : file_write_atomic(out, sbuf_str(&text));
	if (rc == 0) {
		msg_note("%s: %zu case%s for %zu kernel%s, found in %zu launches", out, job.cases,
			job.cases == 1 ? "" : "s", job.kernels, job.kernels == 1 ? "" : "s",
			job.trials);
	}
	sbuf_release(&text);
	return rc;
}

/* A source that is not there is said before what is derived from its name. */
static int check_there(const char *path)
{
	struct sbuf text = {0};
	int rc = file_read(&text, path);
	sbuf_release(&text);
	return rc;
}

static int verify(struct verifying *v)
{
	const struct cli_opts *o = v->opts;
	int rc = check_there(o->files.v[0]);
	if (rc) {
		return cli_exit(rc);
	}
	if (o->init) {
		return cli_exit(write_first_spec(v));
	}
	if (o->races && o->on != ON_CPU) {
		msg_error("--races looks on the CPU; leave out '--on %s'", o->on == ON_GPU ? "gpu"
									   : o->on == ON_ISA
										   ? "isa"
										   : "both");
		return cli_exit(FAIL_USAGE);
	}
	rc = cli_output_check(o, o->report);
	rc = rc ? rc : cli_spec_load(&v->spec, &v->gpu, v->arena, o);
	rc = rc ? rc : read_sources(v);
	rc = rc ? rc : o->on == ON_BOTH ? run_both(v) : run(v);
	if (rc) {
		return cli_exit(rc);
	}
	return exit_worse(cli_exit(print_results(v)), judge(v));
}

int cmd_verify(const struct cli_opts *o)
{
	struct verifying v = {.opts = o, .arena = arena_create()};
	int code = verify(&v);
	cli_machine_close(v.machine);
	arena_free(v.arena);
	return code;
}
