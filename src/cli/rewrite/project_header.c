#include "cli/rewrite/project_header.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/process/pool.h"
#include "base/words.h"
#include "cli/steps/choosing.h"
#include "cli/steps/suppressed.h"
#include "report/decision/choice.h"

/* ---- in the header's process ---- */

/* A file that includes the header and has a spec, as it is now. */
struct verified {
	struct cli_bits *bits;
	struct str text;
};

struct work {
	const struct header_work *of;
	struct arena *a;
	const struct project_file *first; /* that includes it: its options and directory count */
	struct cli_job asked;
	struct sbuf source;
	struct sbuf files;    /* that include it, as shown */
	struct sbuf verified; /* of these, with --verify, that have a spec */
	ARRAY(struct verified) bits;
};

static size_t count_views(const struct header_work *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->project->n; i++) {
		n += w->views[i] ? w->project->file[i].targets.n : 0;
	}
	return n;
}

static void look_at_directory(struct work *w, const struct project_file *f)
{
	const char *here = path_real(w->a, w->first->unit[0]->directory);

	if (strcmp(path_real(w->a, f->unit[0]->directory), here) != 0) {
		w->asked.job.untouchable = arena_printf(w->a,
			"%s includes it, too, and is compiled in another directory, %s", f->shown,
			f->unit[0]->directory);
	} else if (f->untouchable) {
		w->asked.job.untouchable =
			arena_printf(w->a, "%s includes it, and %s", f->shown, f->untouchable);
	}
}

/* The bits of the file before anything was rewritten. */
static int add_bits(struct work *w, const struct project_file *f, struct str text)
{
	struct str before;
	int rc = file_text(&before, w->a, f->path);

	if (rc == 0) {
		struct cli_bits *bits = cli_bits_later(w->a, f->opts, before);
		array_push(&w->bits, ((struct verified){bits, text}));
		sbuf_addf(&w->verified, "%s%s", w->verified.n ? ", " : "", f->shown);
	}
	return rc;
}

static int same_bits(void *user, const struct choose_text *text, const char **why)
{
	const struct work *w = user;
	struct choose_text whole = *text;
	int same = 1;

	for (size_t i = 0; same == 1 && i < w->bits.n; i++) {
		whole.text = w->bits.v[i].text;
		same = cli_bits_same(w->bits.v[i].bits, &whole, why);
	}
	return same;
}

/* A unit with its text as it is now, and one view for each of its targets. */
static int add_views(struct work *w, const struct project_file *f, struct str text)
{
	struct choose_job *job = &w->asked.job;
	int rc = text.n > 0 ? 0 : file_text(&text, w->a, f->path);
	size_t n = job->targets;
	const struct target **target = (const struct target **)(uintptr_t)job->target;
	struct compiler *compiler = (struct compiler *)(uintptr_t)job->compiler;
	const struct choose_unit **unit = (const struct choose_unit **)(uintptr_t)job->unit;
	struct choose_unit *u = NULL;

	look_at_directory(w, f);
	for (size_t t = 0; t < f->targets.n && rc == 0; t++, n++) {
		const char *const *flags =
			f->targets.view_flags ? f->targets.view_flags[t] : f->targets.flags;
		if (!u || u->flags != flags) {
			u = ARENA_NEW(w->a, struct choose_unit);
			*u = (struct choose_unit){.path = f->path, .text = text, .flags = flags};
		}
		target[n] = f->targets.v[t];
		unit[n] = u;
		rc = job->force ? 0
				: cli_compiler_find(&compiler[n], w->a, f->opts,
					  f->targets.view_compiler[t], target[n]->name);
	}
	job->targets = n;
	if (rc == 0 && f->opts->verify && file_exists(cli_spec_path(w->a, f->opts, f->path))) {
		rc = add_bits(w, f, text);
	}
	sbuf_addf(&w->files, "%s%s", w->files.n ? ", " : "", f->shown);
	return rc;
}

static int find_views(struct work *w)
{
	const struct header_work *of = w->of;
	size_t n = count_views(of);
	int rc = 0;

	w->asked.job.target = ARENA_ARRAY(w->a, const struct target *, n);
	w->asked.job.compiler = ARENA_ARRAY(w->a, struct compiler, n);
	w->asked.job.unit = ARENA_ARRAY(w->a, const struct choose_unit *, n);
	for (size_t i = 0; i < of->project->n && rc == 0; i++) {
		if (of->views[i]) {
			rc = add_views(w, &of->project->file[i], of->text[i]);
		}
	}
	return rc;
}

static void add_headers_before(struct work *w)
{
	const struct header_work *of = w->of;
	struct stand_in *in = ARENA_ARRAY(w->a, struct stand_in, of->at + 1);

	for (size_t i = 0; i < of->at; i++) {
		if (of->h[i]->changed) {
			in[w->asked.job.in_places++] =
				(struct stand_in){.name = of->h[i]->names, .text = of->h[i]->text};
		}
	}
	w->asked.job.in_place = in;
}

/* Renaming a file over one that has other names parts it from them. */
static void look_at_file(struct work *w, const char *path)
{
	struct stat st;

	if (w->of->unread) {
		w->asked.job.untouchable = arena_printf(
			w->a, "%s could not be looked at, and may include it", w->of->unread);
	} else if (stat(path, &st) == 0 && st.st_nlink > 1) {
		w->asked.job.untouchable = arena_printf(w->a,
			"the file has %llu hard links, and the others would stay as they are",
			(unsigned long long)st.st_nlink);
	}
}

static void look_at_bits(struct work *w, bool verify)
{
	if (!verify) {
		return;
	}
	w->asked.job.same_bits = same_bits;
	w->asked.job.bits = w;
	if (w->bits.n == 0 && !w->asked.job.untouchable) {
		w->asked.job.untouchable =
			"no file that includes it has a spec whose cases could be run "
			"('unphi verify -p BUILD --init' writes first ones)";
	}
}

static int prepare(struct work *w)
{
	const struct project_header *h = w->of->h[w->of->at];
	const struct cli_opts *o = w->first->opts;
	struct choose_job *job = &w->asked.job;
	struct cli_forced force = {NULL, NULL};
	int rc = cli_directory_enter(w->first->unit[0]);

	rc = rc ? rc : cli_forced_find(&force, w->a, o);
	rc = rc ? rc : cli_job_open(&w->asked, w->a, o, &force);
	rc = rc ? rc : file_read(&w->source, h->path);
	job->path = h->path;
	job->source = sbuf_str(&w->source);
	job->flags = w->first->targets.flags;
	job->assume_flat = true;
	job->allow_flags = false; /* they are a file's */
	rc = rc ? rc : find_views(w);
	add_headers_before(w);
	look_at_file(w, h->path);
	look_at_bits(w, o->verify);
	struct cli_finding unit = {.opts = o,
		.path = w->first->path,
		.shown = w->first->shown,
		.targets = &w->first->targets};
	return rc ? rc : cli_suppressed_add(job, w->a, &unit);
}

static void give(struct sbuf *out, struct work *w, const struct choice *c)
{
	struct sbuf report = {0}, names = {0};
	struct choice_file file = {.choice = c,
		.shown = {.path = w->of->h[w->of->at]->shown,
			.target = w->asked.job.target,
			.targets = w->asked.job.targets,
			.uncounted = true}};

	choice_json(&report, &file, 1);
	for (const char *const *n = c->names; n && *n; n++) {
		sbuf_addf(&names, "%s\n", *n);
	}
	sbuf_add_sized(out, sbuf_str(&report));
	sbuf_add_sized(out, w->asked.job.source);
	sbuf_add_sized(out, c->text);
	sbuf_add_sized(out, sbuf_str(&names));
	if (w->verified.n > 0) {
		sbuf_addf(
			&w->files, "; with equal bits in the cases of %s", sbuf_cstr(&w->verified));
	}
	sbuf_add_sized(out, sbuf_str(&w->files));
	sbuf_release(&report);
	sbuf_release(&names);
}

static int rewrite_header(void *user, size_t index, struct sbuf *out)
{
	const struct header_work *of = user;
	struct work w = {.of = of, .a = of->project->a};
	struct choice choice;

	(void)index;
	for (size_t i = 0; i < of->project->n && !w.first; i++) {
		w.first = of->views[i] ? &of->project->file[i] : NULL;
	}
	int rc = prepare(&w);
	if (rc == 0 && w.asked.job.untouchable) {
		msg_note("%s stays as it is: %s", of->h[of->at]->shown, w.asked.job.untouchable);
	}
	rc = rc ? rc : choose_run(&choice, w.a, &w.asked.job);
	if (rc == 0) {
		give(out, &w, &choice);
	}
	intrinsic_db_release(&w.asked.intrinsics);
	sbuf_release(&w.source);
	sbuf_release(&w.files);
	sbuf_release(&w.verified);
	array_each (&w.bits, struct verified, v) {
		cli_bits_close(v->bits);
	}
	array_release(&w.bits);
	return cli_exit(rc);
}

/* ---- outside ---- */

static const char *const *words_of(struct arena *a, struct str lines)
{
	struct words w = {{0}};
	struct str line;

	while (str_line(&lines, &line)) {
		words_add(&w, arena_strndup(a, line.p, line.n));
	}
	return words_finish(&w, a);
}

struct str project_unpack(struct arena *a, struct str *rest)
{
	struct str s;

	str_sized(&s, rest);
	return arena_str(a, s);
}

static void take_header(void *user, const struct pool_result *r)
{
	struct header_work *w = user;
	struct project_header *h = w->h[w->at];
	struct arena *a = w->project->a;
	struct str rest = r->out;

	fwrite(r->err.p, 1, r->err.n, stderr);
	if (r->signal) {
		msg_error("%s: unphi or libclang crashed on it (%s); please report it", h->shown,
			strsignal(r->signal));
	}
	w->code = exit_worse(w->code, r->signal ? EXIT_INPUT : r->exit_code);
	h->report = project_unpack(a, &rest);
	h->source = project_unpack(a, &rest);
	h->text = project_unpack(a, &rest);
	h->names = words_of(a, project_unpack(a, &rest));
	struct str files = project_unpack(a, &rest);
	h->note = arena_printf(
		a, "legal and measured in all files that include it: %.*s", STR_ARG(files));
	h->changed = !str_eq(h->source, h->text);
}

int project_header_rewrite(struct header_work *w)
{
	struct pool pool = {.parallel = 1, .user = w, .run = rewrite_header, .done = take_header};

	return pool_run(&pool, 1);
}
