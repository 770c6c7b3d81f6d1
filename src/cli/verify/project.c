/*
 * unphi verify -p BUILD [PATH...]: verifies the files of a compile database that have a spec, each
 * in its own process, against the result of rewrite -p.
 */

#include "base/file.h"
#include "base/msg.h"
#include "cli/project/each.h"
#include "cli/rewrite/project_files.h"
#include "cli/verify/verifying.h"
#include "report/decision/project.h"
#include "report/form/json.h"

/* The result of one file, from its process or from a part. */
struct verified {
	const char *name;
	struct str text; /* for people, n 0 if all bits are equal */
	struct str json; /* n 0: it has no spec, or it failed */
	struct str diff; /* for a page */
	int64_t cases, equal;
	bool rewritten;
	bool specless;
};

/* The result of --init for a file. */
enum {
	HAS_SPEC,
	SPEC_WRITTEN,
	NO_KERNEL,
	INIT_FAILED,
	INIT_ENDS
};

struct whole {
	struct arena *a;
	const struct cli_opts *opts;
	struct project project;
	ARRAY(struct verified) v;
	size_t inits[INIT_ENDS]; /* with --init: number of files by result */
};

/* ---- one file, in its own process ---- */

/* The result of rewrite for all its compiles. */
static int make_rewritten(struct verifying *v, const struct project_file *f)
{
	struct cli_rewrote made;
	struct cli_opts o = *f->opts;
	struct cli_rewriting what = {.opts = &o,
		.path = f->path,
		.shown = f->shown,
		.targets = &f->targets,
		.untouchable = f->untouchable};

	o.command = COMMAND_REWRITE; /* the decisions are rewrite's, also in the cache */
	int rc = cli_rewrite_file(&made, v->arena, &what);
	if (rc == 0) {
		bool same = str_eq(made.source, made.text);
		v->sources = same ? 1 : 2;
		v->made = !same;
		v->source = ARENA_ARRAY(v->arena, struct verify_source, 2);
		v->source[0] = (struct verify_source){.path = f->path, .text = made.source};
		v->source[1] = (struct verify_source){.path = f->path, .text = made.text};
	}
	return rc;
}

static void hand_over(struct sbuf *out, struct verifying *v)
{
	struct sbuf text = {0}, json = {0}, diff = {0};
	size_t cases = verifying_rows(v) * v->spec.n, equal = 0;

	for (size_t i = 0; i < cases; i++) {
		equal += v->result[i].outcome == VERIFY_EQUAL;
	}
	if (equal < cases) {
		verifying_text(&text, v);
	}
	verifying_json(&json, v);
	verifying_diff(&diff, v);
	sbuf_add_sized(out, sbuf_str(&text));
	sbuf_add_sized(out, sbuf_str(&json));
	sbuf_add_sized(out, sbuf_str(&diff));
	sbuf_addf(out, "%zu %zu %s\n", cases, equal, v->made ? "rewritten" : "-");
	sbuf_release(&text);
	sbuf_release(&json);
	sbuf_release(&diff);
}

static int verify_one(void *user, size_t index, struct sbuf *out)
{
	const struct whole *w = user;
	const struct project_file *f = &w->project.file[index];
	struct cli_opts o = *f->opts;
	struct verifying v = {.opts = &o, .arena = w->a, .shown = f->shown, .of_project = true};
	int rc = cli_directory_enter(f->unit[0]);

	o.quiet = true;
	if (rc == 0 && !file_exists(cli_spec_path(w->a, &o, f->path))) {
		sbuf_adds(out, "no spec\n");
		return EXIT_CLEAN;
	}
	rc = rc ? rc : cli_spec_load(&v.spec, &v.gpu, w->a, &o);
	rc = rc ? rc : make_rewritten(&v, f);
	rc = rc ? rc : verifying_run(&v);
	if (rc == 0) {
		v.spec.path = cli_path_shown(w->a, w->project.cwd, v.spec.path);
		hand_over(out, &v);
	}
	cli_machine_close(v.machine);
	return rc ? cli_exit(rc) : verifying_judge(&v);
}

/* ---- the first spec of one file, in its own process ---- */

static int init_one(void *user, size_t index, struct sbuf *out)
{
	const struct whole *w = user;
	const struct project_file *f = &w->project.file[index];
	struct spec_init made = {0};
	int rc = cli_directory_enter(f->unit[0]);
	const char *path = rc ? NULL : cli_spec_place(w->a, f->opts, f->path);

	if (rc == 0 && file_exists(path)) {
		sbuf_addf(out, "%d\n", HAS_SPEC);
		return EXIT_CLEAN;
	}
	rc = rc ? rc : verifying_init(&made, w->a, f->opts, &f->targets, path);
	if (rc == 0) {
		bool any = made.kernels > 0;
		sbuf_addf(out, "%d\n", any ? SPEC_WRITTEN : NO_KERNEL);
		if (any) {
			verifying_init_note(&made, cli_path_shown(w->a, w->project.cwd, path));
		}
	}
	return cli_exit(rc);
}

static void count_init(void *user, const struct shard_unit *r)
{
	struct whole *w = user;
	struct str rest = r->out, line;
	int64_t end = INIT_FAILED;

	if (str_line(&rest, &line)) {
		str_to_i64(line, &end);
	}
	w->inits[end]++;
}

static int finish_init(const struct whole *w, int code)
{
	const size_t *n = w->inits;

	msg_note("%zu spec%s written; %zu file%s had one, %zu had no kernel, %zu failed",
		n[SPEC_WRITTEN], n[SPEC_WRITTEN] == 1 ? "" : "s", n[HAS_SPEC],
		n[HAS_SPEC] == 1 ? "" : "s", n[NO_KERNEL], n[INIT_FAILED]);
	return code;
}

/* ---- all of them ---- */

/* False: the bytes are not from hand_over or verify_one. */
static bool read_verified(struct verified *out, const struct shard_unit *u)
{
	enum {
		CASES_MOST = 1000000000
	};
	struct str rest = u->out, line = {0}, cases = {0}, equal = {0};

	*out = (struct verified){.name = u->name, .specless = str_is(rest, "no spec\n")};
	if (out->specless || rest.n == 0) {
		return true;
	}
	bool read = str_sized(&out->text, &rest) && str_sized(&out->json, &rest) &&
		    str_sized(&out->diff, &rest) && str_line(&rest, &line) &&
		    str_split(&line, ' ', &cases) && str_split(&line, ' ', &equal) &&
		    str_to_i64(cases, &out->cases) && str_to_i64(equal, &out->equal);
	out->rewritten = str_is(line, "rewritten");
	return read && rest.n == 0 && (out->rewritten || str_is(line, "-")) && out->equal >= 0 &&
	       out->equal <= out->cases && out->cases <= CASES_MOST;
}

static void take(void *user, const struct shard_unit *r)
{
	struct whole *w = user;
	struct verified one;

	if (!read_verified(&one, r)) {
		BUG("not the bytes of results"); /* verify_is_sound has checked those of parts */
	}
	one.text = arena_str(w->a, one.text);
	one.json = arena_str(w->a, one.json);
	one.diff = arena_str(w->a, one.diff);
	array_push(&w->v, one);
}

static void print_text(struct sbuf *out, const struct whole *w, const char *missing)
{
	size_t files = 0, rewritten = 0, failed = 0, specless = 0;
	int64_t cases = 0, equal = 0;

	array_each (&w->v, const struct verified, f) {
		if (f->text.n > 0) {
			sbuf_addstr(out, f->text);
		} else if (f->json.n > 0) {
			sbuf_addf_visible(out, "%s%s: %lld of %lld cases equal\n", f->name,
				f->rewritten ? " (rewritten)" : "", (long long)f->equal,
				(long long)f->cases);
		}
		files += f->json.n > 0;
		rewritten += f->rewritten;
		specless += f->specless;
		failed += f->json.n == 0 && !f->specless;
		cases += f->cases;
		equal += f->equal;
	}
	sbuf_addf_visible(out,
		"%-s%zu file%s verified, %zu of them rewritten, %zu failed: %lld of %lld cases "
		"equal; %zu file%s without a spec\n",
		out->n > 0 ? "\n" : "", files, files == 1 ? "" : "s", rewritten, failed,
		(long long)equal, (long long)cases, specless, specless == 1 ? "" : "s");
	if (missing) {
		sbuf_addf_visible(out, "incomplete: %s\n", missing);
	}
}

static void print_json(struct sbuf *out, const struct whole *w, const char *missing)
{
	struct json j = jsonw_begin(out);
	jsonw_key_array(&j, "files");
	array_each (&w->v, const struct verified, f) {
		jsonw_object(&j);
		jsonw_key_str(&j, "file", str_of(f->name));
		jsonw_key_bool(&j, "has_spec", !f->specless);
		jsonw_key_bool(&j, "rewritten", f->rewritten);
		jsonw_key(&j, "report");
		jsonw_document(&j, f->json);
		jsonw_end(&j);
	}
	jsonw_end(&j);
	jsonw_key_given(&j, "missing", missing);
	jsonw_finish(&j);
}

static void print_html(struct sbuf *out, const struct whole *w, const char *missing)
{
	ARRAY(struct verify_page) page = {0};
	struct sbuf text = {0};

	print_text(&text, w, missing);
	array_each (&w->v, const struct verified, f) {
		struct verify_page one = {.name = f->name, .json = f->json, .diff = f->diff};
		array_push(&page, one);
	}
	verifying_html(out, page.v, page.n, sbuf_str(&text));
	array_release(&page);
	sbuf_release(&text);
}

static int finish(struct whole *w, int code, const char *missing)
{
	struct sbuf out = {0};
	bool any = false;

	array_each (&w->v, const struct verified, f) {
		any |= !f->specless;
	}
	if (!any) {
		msg_error("nothing was run: no file has a spec beside it or in the place that "
			  ".unphi.yaml names; 'unphi verify -p BUILD --init' writes first ones");
		code = exit_worse(code, EXIT_INPUT);
	}
	(w->opts->format == FORMAT_JSON		 ? print_json
		: w->opts->format == FORMAT_HTML ? print_html
						 : print_text)(&out, w, missing);
	int rc = cli_report_write(w->opts, sbuf_str(&out));
	sbuf_release(&out);
	return exit_worse(code, cli_exit(rc));
}

/* Refuses options that apply to one file, with the reason. */
static int check_options(const struct cli_opts *o)
{
	static const char *const specs =
		"the specs of a project are beside its files, or in the directory 'specs' of "
		".unphi.yaml";
	static const char *const gpu = "files that run at the same time would share the GPU";
	const char *of_one = o->spec	       ? "--spec"
			     : o->output       ? "--output"
			     : o->on == ON_GPU ? "--on gpu"
					       : NULL;

	if (of_one) {
		return fail_usage(
			"option %s needs a single file, but -p %s covers all files that it "
			"compiles: %s",
			of_one, o->build, o->on == ON_GPU ? gpu : specs);
	}
	if (o->init && o->shard) {
		return fail_usage(
			"--init has no results to join: give each machine its paths instead of "
			"--shard");
	}
	return cli_output_check(o, o->report);
}

static int run(struct whole *w)
{
	struct project *p = &w->project;
	bool init = w->opts->init;
	struct each e = {.command = "verify",
		.user = w,
		.run = init ? init_one : verify_one,
		.done = init ? count_init : take};
	int rc = check_options(w->opts);

	rc = project_run(p, &e, rc ? rc : project_open(p));
	return rc ? e.code : init ? finish_init(w, e.code) : finish(w, e.code, NULL);
}

static int with_whole(const struct cli_opts *o, const struct each_parts *parts)
{
	struct arena *a = arena_create();
	struct whole w = {.a = a, .opts = o, .project = {.a = a, .opts = o, .configs = {.a = a}}};
	int code = parts ? each_parts_join(parts, a, o, take, &w) : run(&w);

	code = parts ? finish(&w, code, parts->missing) : code;
	array_release(&w.v);
	project_close(&w.project);
	arena_free(a);
	return code;
}

int verify_project(const struct cli_opts *o)
{
	return with_whole(o, NULL);
}

bool verify_is_sound(struct arena *a, const struct shard_part *p, const struct shard_unit *u)
{
	struct verified one;

	(void)a;
	(void)p;
	return read_verified(&one, u) && (one.json.n == 0 || project_is_report(one.json));
}

int verify_merge(const struct cli_opts *o, const struct each_parts *parts)
{
	int rc = cli_output_check(o, o->report);
	return rc ? cli_exit(rc) : with_whole(o, parts);
}
