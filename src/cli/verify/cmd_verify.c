/*
 * unphi verify: reads the spec, runs the kernels of the original and of each rewritten file,
 * compares their buffers, and prints the results.
 */
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/msg.h"
#include "cli/steps/first_spec.h"
#include "cli/verify/verifying.h"

/* ---- sources ---- */

/* Reads a file as a source to compare. */
static int read_source(struct verify_source *s, struct arena *a, const char *path)
{
	*s = (struct verify_source){.path = path};
	return file_text(&s->text, a, path);
}

/* Adds the spec's targets if no target was requested. */
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

/* Makes the second source by rewriting the first. */
static int make_rewritten(struct verifying *v)
{
	struct cli_opts o = *v->opts;
	bool own = o.targets.v.n == 0;
	if (own) {
		add_targets(&o, v);
	}
	int rc = cli_rewritten(&v->source[1].text, v->arena, &o);
	if (own) {
		array_release(&o.targets.v);
	}
	v->source[1].path = v->source[0].path;
	v->made = true;
	if (rc == 0 && str_eq(v->source[0].text, v->source[1].text)) {
		msg_note(
			"%s: rewrite changes nothing; only the original is run", v->source[0].path);
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
		if (verify_is_code(&v->source[i]) && (i == 0 || v->opts->on != ON_ISA)) {
			rc = fail_usage(
				"%s: machine code requires --on isa, and comes after the source "
				"that it was made from",
				v->source[i].path);
		}
	}
	return rc || n > 1 ? rc : make_rewritten(v);
}

/* ---- running and comparing ---- */

/* With --on both: runs every source on the CPU, and its machine code. */
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
	v->result = ARENA_ARRAY(v->arena, struct verify_result, verifying_rows(v) * v->spec.n);
	for (size_t i = 0; rc == 0 && i < verifying_rows(v) * v->spec.n; i++) {
		rc = verify_compare(
			&v->result[i], v->verify, i % v->spec.n, &sources[i], &machines[i]);
	}
	return rc;
}

/* With --all-data, proves the cases that both ran. */
static void prove(struct verifying *v)
{
	size_t n = v->spec.n;
	v->proof = ARENA_ARRAY(v->arena, struct cli_proof, verifying_rows(v) * n);
	for (size_t i = 0; i < verifying_rows(v) * n; i++) {
		const struct verify_result *r = &v->result[i];
		const struct verify_source *after = &v->source[v->sources > 1 ? 1 + i / n : 0];
		if (r->outcome == VERIFY_EQUAL || r->outcome == VERIFY_UNEQUAL) {
			cli_proof_make(&v->proof[i], v->arena, v->machine, &v->source[0], after,
				r->of, r->outcome == VERIFY_EQUAL);
		} else {
			bool broken = r->outcome == VERIFY_BROKEN;
			v->proof[i] = (struct cli_proof){
				.verdict = broken ? PROOF_DIFFERENT : PROOF_UNDECIDED,
				.given = "",
				.said = broken ? "the second does not run with the data of the spec"
					       : "it was not run"};
		}
	}
}

static int run_sources(struct verifying *v)
{
	struct verify_run *runs = NULL;
	size_t n = v->spec.n;
	const struct cli_opts *o = v->opts;
	int rc = 0;
	if (o->on == ON_ISA) {
		rc = cli_machine_open(&v->machine, v->arena, o, v->source, v->sources, &v->spec);
	}
	rc = rc ? rc : cli_verify_open(&v->verify, v->arena, &v->spec, v->gpu, v->machine, o);
	rc = rc ? rc : verify_run(&runs, v->verify, v->source, v->sources);
	v->result = ARENA_ARRAY(v->arena, struct verify_result, verifying_rows(v) * n);
	for (size_t i = 0; rc == 0 && i < verifying_rows(v) * n; i++) {
		size_t after = v->sources > 1 ? n + i : i;
		rc = verify_compare(&v->result[i], v->verify, i % n, &runs[i % n], &runs[after]);
	}
	if (rc == 0 && o->all_data) {
		prove(v);
	}
	if (rc == 0) {
		v->unruns = verify_unrun(&v->unrun, v->arena, runs, n);
		cli_warn_of_unrun(v->arena, runs, n);
	}
	return rc;
}

int verifying_run(struct verifying *v)
{
	return v->opts->on == ON_BOTH ? run_both(v) : run_sources(v);
}

static void print_page(struct sbuf *out, const struct verifying *v)
{
	struct sbuf json = {0}, diff = {0};
	verifying_json(&json, v);
	verifying_diff(&diff, v);
	struct verify_page page = {
		.name = v->source[0].path, .json = sbuf_str(&json), .diff = sbuf_str(&diff)};
	verifying_html(out, &page, 1, (struct str){"", 0});
	sbuf_release(&json);
	sbuf_release(&diff);
}

static int print_results(const struct verifying *v)
{
	struct sbuf out = {0};
	if (v->opts->format == FORMAT_JSON) {
		verifying_json(&out, v);
	} else if (v->opts->format == FORMAT_HTML) {
		print_page(&out, v);
	} else {
		verifying_text(&out, v);
	}
	int rc = cli_report_write(v->opts, sbuf_str(&out));
	sbuf_release(&out);
	return rc;
}

/* The exit code for the proof of a case. */
static int proof_code(const struct verifying *v, const struct cli_proof *p)
{
	switch (p->verdict) {
	case PROOF_EQUAL:
	case PROOF_EQUAL_BUT_NANS:
		return EXIT_CLEAN;
	case PROOF_EQUAL_BUT_FUSED:
		return v->opts->allow_recontraction || v->opts->allow_reassociation ? EXIT_CLEAN
										    : EXIT_FINDINGS;
	case PROOF_EQUAL_AS_REALS:
		return v->opts->allow_reassociation ? EXIT_CLEAN : EXIT_FINDINGS;
	case PROOF_DIFFERENT:
		return EXIT_FINDINGS;
	case PROOF_UNDECIDED:
		break;
	}
	return EXIT_INPUT;
}

int verifying_judge(const struct verifying *v)
{
	int code = EXIT_CLEAN;
	for (size_t i = 0; i < verifying_rows(v) * v->spec.n; i++) {
		switch (v->result[i].outcome) {
		case VERIFY_EQUAL:
			code = exit_worse(code, v->proof ? proof_code(v, &v->proof[i]) : code);
			break;
		case VERIFY_UNEQUAL: /* differences in rounding may be allowed */
			code = exit_worse(code,
				v->proof && (v->proof[i].verdict == PROOF_EQUAL_BUT_FUSED ||
						    v->proof[i].verdict == PROOF_EQUAL_AS_REALS)
					? proof_code(v, &v->proof[i])
					: EXIT_FINDINGS);
			break;
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

static void warn_of_uncompared(const struct verifying *v)
{
	const char *said = NULL;
	for (size_t i = 0; i < verifying_rows(v) * v->spec.n; i++) {
		const char *names = v->result[i].uncompared;
		if (names && (!said || strcmp(said, names) != 0)) {
			msg_warning("%s: not compared: __device__ variables that a case changes, "
				    "or that are in a class or template: %s",
				v->spec.v[i % v->spec.n].name, names);
			said = names;
		}
	}
}

static void hint_at_races(const struct verifying *v)
{
	const char *path = v->source[0].path;
	bool races = false, differ = false;
	for (size_t i = 0; i < verifying_rows(v) * v->spec.n; i++) {
		const struct verify_result *r = &v->result[i];
		races |= r->outcome == VERIFY_UNKNOWN && verify_is_race(r->said);
		differ |= r->outcome == VERIFY_UNEQUAL && v->machine;
	}
	if (races) {
		msg_note("the original has a race; to compare without a check for races: unphi "
			 "verify %s --no-races",
			path);
	}
	if (differ) { /* the interpreter interleaves waves by instructions */
		msg_note("if waves race, bits may differ although neither text is wrong: unphi "
			 "verify %s checks for races",
			path);
	}
}

/* ---- --init ---- */

int verifying_init(struct spec_init *out, struct arena *a, const struct cli_opts *o,
	const struct cli_targets *targets, const char *path)
{
	static const double usual_s = 18; /* of CPU time, for the launches of all kernels */
	struct sbuf text = {0};
	struct str dir = path_dir(str_of(path));

	*out = (struct spec_init){.cpu_limit_s = o->time_limit_s > 0 ? o->time_limit_s : usual_s,
		.may_be_none = targets != NULL,
		.sees = true};
	int rc = cli_spec_first(&text, out, a, o, targets);
	if (rc == 0 && out->kernels > 0) {
		path_make_dirs(arena_strndup(a, dir.p, dir.n)); /* a failure is reported below */
		rc = file_write_atomic(path, sbuf_str(&text));
	}
	sbuf_release(&text);
	return rc;
}

void verifying_init_note(const struct spec_init *of, const char *path)
{
	msg_note("%s: %zu case%s for %zu kernel%s, found in %zu launches", path, of->cases,
		of->cases == 1 ? "" : "s", of->kernels, of->kernels == 1 ? "" : "s", of->trials);
	if (of->late) {
		msg_note("the search ended after %g s of CPU time; --time-limit S gives it more",
			of->cpu_limit_s);
	}
}

static int write_first_spec(struct verifying *v)
{
	const struct cli_opts *o = v->opts;
	const char *out = o->output ? o->output : cli_spec_place(v->arena, o, o->files.v[0]);
	struct spec_init made;

	if (!o->output && file_exists(out)) {
		return fail_usage("%s already exists; -o FILE writes to another file", out);
	}
	int rc = o->output ? cli_output_check(o, out) : 0;
	rc = rc ? rc : verifying_init(&made, v->arena, o, NULL, out);
	if (rc == 0) {
		verifying_init_note(&made, out);
	}
	return rc;
}

/* Checks the source first: other messages are about names made from its name. */
static int verify(struct verifying *v)
{
	const struct cli_opts *o = v->opts;
	int rc = file_try(o->files.v[0]);
	if (rc) {
		return cli_exit(rc);
	}
	if (o->init) {
		return cli_exit(write_first_spec(v));
	}
	if (o->races && o->on != ON_CPU) {
		msg_error("--races checks on the CPU; leave out '--on %s'", o->on == ON_GPU ? "gpu"
									    : o->on == ON_ISA
										    ? "isa"
										    : "both");
		return cli_exit(FAIL_USAGE);
	}
	rc = cli_output_check(o, o->report);
	rc = rc ? rc : cli_spec_load(&v->spec, &v->gpu, v->arena, o);
	rc = rc ? rc : read_sources(v);
	rc = rc ? rc : verifying_run(v);
	if (rc) {
		return cli_exit(rc);
	}
	rc = print_results(v);
	warn_of_uncompared(v);
	hint_at_races(v);
	return exit_worse(cli_exit(rc), verifying_judge(v));
}

int cmd_verify(const struct cli_opts *o)
{
	if (o->project) {
		return verify_project(o);
	}
	struct verifying v = {.opts = o, .arena = arena_create()};
	int code = verify(&v);
	cli_machine_close(v.machine);
	arena_free(v.arena);
	return code;
}
