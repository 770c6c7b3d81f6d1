#include "cli/rewrite/header.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/process/pool.h"
#include "base/words.h"
#include "cli/steps/suppressed.h"
#include "frontend/parse/flags.h"
#include "report/decision/choice.h"

/* ---- units of -p outside the project ---- */

/* How many times the file includes the header; -1: unknown. */
static int reads(struct header_work *w, const struct header_view *v, const char *header)
{
	struct arena *a = arena_create();
	const struct cli_targets *targets = &v->file->targets;
	struct frontend_header h = {.path = header};
	struct kt_unit *unit;
	int most = 0;
	for (size_t t = 0; most >= 0 && t < targets->n; t++) {
		struct frontend_job job = {.path = v->file->path,
			.target = targets->v[t]->name,
			.relatives = targets->v[t]->relatives,
			.wave_size = targets->v[t]->wave_size,
			.flags = targets->flags,
			.text = v->text,
			.header = &h,
			.quiet = true,
			.intrinsics = w->asked.job.intrinsics};
		bool ok = frontend_parse(&unit, a, &job, NULL) == 0;
		most = !ok ? -1 : (int)h.entered > most ? (int)h.entered : most;
	}
	arena_free(a);
	return most;
}

struct project_file *header_file(struct arena *a, const struct cli_opts *o, const char *cwd,
	const char *path, const char *directory)
{
	struct project_file *f = ARENA_NEW(a, struct project_file);
	struct cli_unit *unit = ARENA_NEW(a, struct cli_unit);
	const struct cli_unit **units = ARENA_ARRAY(a, const struct cli_unit *, 1);
	unit->directory = directory;
	units[0] = unit;
	*f = (struct project_file){.path = path,
		.shown = cli_path_shown(a, cwd, path_absolute(a, NULL, path)),
		.unit = units,
		.units = 1,
		.opts = o};
	return f;
}

static int view_of(struct header_view *out, struct header_work *w, const struct unit_command *c,
	const struct target_db *db, struct cli_gpus *gpus)
{
	struct cli_opts *o = arena_memdup(w->a, w->opts, sizeof(*o));
	o->compiler = o->compiler ? o->compiler : c->compiler;
	struct project_file *f = header_file(w->a, o, w->cwd, c->path, c->directory);
	int rc = cli_targets_of(&f->targets, w->a, db, gpus, o, c->flags, c->path);
	*out = (struct header_view){.file = f};
	rc = rc ? rc : flags_check_files(w->a, c->directory, c->flags);
	return rc ? rc : file_text(&out->text, w->a, c->path);
}

static int add_others(struct header_work *w, const char *header)
{
	const char *here = path_real(w->a, ".");
	struct target_db db;
	struct cli_gpus gpus = {0};
	int rc = target_db_builtin(&db, w->a);
	header = path_real(w->a, header);
	for (size_t i = 0; rc == 0 && i < w->commands->n && !w->asked.job.untouchable; i++) {
		const struct unit_command *c = &w->commands->v[i];
		struct header_view v;
		if (map_has(w->known, str_of(path_real(w->a, c->path)))) {
			continue;
		}
		rc = view_of(&v, w, c, &db, &gpus);
		rc = rc ? rc : cli_directory_go(c->directory, c->path);
		int n = rc ? 0 : reads(w, &v, header);
		rc = rc ? rc : cli_directory_go(here, c->path);
		if (n < 0) {
			w->asked.job.untouchable =
				arena_printf(w->a, "%s of -p %s does not parse, and may include it",
					c->path, w->opts->build);
		} else if (n > 0) {
			array_push(&w->view, v);
		}
	}
	return rc;
}

/* ---- the choice ---- */

struct targets {
	ARRAY(const struct target *) target;
	ARRAY(struct compiler) compiler;
	ARRAY(const struct choose_unit *) unit;
};

static const char *directory_of(struct header_work *w, const struct header_view *v)
{
	const char *directory = v->file->unit[0]->directory;

	return path_real(w->a, directory ? directory : ".");
}

/* Is the file compiled in the same directory as the first one? If not, the two cannot be parsed
 * together. */
static bool is_here(struct header_work *w, const struct header_view *v)
{
	struct choose_job *job = &w->asked.job;
	const struct project_file *f = v->file;
	const char *directory = directory_of(w, v);
	bool here = strcmp(directory, directory_of(w, &w->view.v[0])) == 0;

	if (!here) {
		job->untouchable = arena_printf(w->a,
			"%s also includes it, and is compiled in another directory, %s", f->shown,
			directory);
	} else if (f->untouchable) {
		job->untouchable =
			arena_printf(w->a, "%s includes it, and %s", f->shown, f->untouchable);
	}
	return here;
}

/* A view for each target of a unit, with the unit's current text. */
static int add_targets(struct targets *to, struct header_work *w, const struct header_view *v)
{
	const struct project_file *f = v->file;
	const struct cli_targets *of = &f->targets;
	struct compiler *compiler = ARENA_ARRAY(w->a, struct compiler, of->n);
	struct choose_unit *u = NULL;
	struct str text = v->text;
	int rc = text.n > 0 ? 0 : file_text(&text, w->a, f->path);

	rc = rc || w->asked.job.force ? rc : cli_compilers_find(&compiler, w->a, f->opts, of);
	for (size_t t = 0; t < of->n && rc == 0; t++) {
		const char *const *flags = of->view_flags ? of->view_flags[t] : of->flags;
		if (!u || u->flags != flags) {
			u = ARENA_NEW(w->a, struct choose_unit);
			*u = (struct choose_unit){.path = f->path, .text = text, .flags = flags};
		}
		array_push(&to->target, of->v[t]);
		array_push(&to->compiler, compiler[t]);
		array_push(&to->unit, u);
	}
	return rc;
}

static int find_targets(struct header_work *w)
{
	struct choose_job *job = &w->asked.job;
	struct targets all = {.target = {0}};
	int rc = 0;

	array_each (&w->view, const struct header_view, v) {
		sbuf_addf(&w->files, "%s%s", w->files.n ? ", " : "", v->file->shown);
		if (rc == 0 && is_here(w, v)) {
			rc = add_targets(&all, w, v);
		}
	}
	array_move(job->target, job->targets, w->a, &all.target);
	job->compiler = array_to_arena(w->a, &all.compiler);
	job->unit = array_to_arena(w->a, &all.unit);
	array_release(&all.compiler);
	array_release(&all.unit);
	return rc;
}

static void add_headers_before(struct header_work *w)
{
	struct choose_job *job = &w->asked.job;
	struct stand_in *in = ARENA_ARRAY(w->a, struct stand_in, w->at + 1);

	job->in_places = 0;
	for (size_t i = 0; i < w->at; i++) {
		if (w->h[i]->changed) {
			in[job->in_places++] =
				(struct stand_in){.name = w->h[i]->names, .text = w->h[i]->text};
		}
	}
	job->in_place = in;
}

/* A rename over a file with several hard links would change only one of them. */
static void look_at_links(struct header_work *w)
{
	struct stat st;

	if (stat(w->h[w->at]->path, &st) == 0 && st.st_nlink > 1) {
		w->asked.job.untouchable = arena_printf(w->a,
			"the file has %llu hard links, and the others would not change",
			(unsigned long long)st.st_nlink);
	}
}

int header_choose(struct header_work *w)
{
	struct header *h = w->h[w->at];
	struct choose_job *job = &w->asked.job;
	int rc = file_text(&h->source, w->a, h->path);

	job->path = h->path;
	job->source = h->source;
	rc = rc ? rc : add_others(w, h->path);
	rc = rc ? rc : find_targets(w);
	add_headers_before(w);
	look_at_links(w);
	rc = rc ? rc : choose_run(&h->choice, w->a, job);
	if (rc == 0) {
		h->text = h->choice.text;
		h->changed = h->choice.changed;
		h->names = h->choice.names;
		h->target = job->target;
		h->targets = job->targets;
	}
	return rc;
}

void header_work_release(struct header_work *w)
{
	array_release(&w->view);
	sbuf_release(&w->files);
}

/* ---- in the child process ---- */

/* The current text of a file that includes the header and has a spec. */
struct verified {
	struct cli_bits *bits;
	struct str text;
};

struct work {
	struct header_work *of;
	const char *unread;
	int *code;
	struct sbuf verified; /* with --verify, the names of the files that have a spec */
	ARRAY(struct verified) bits;
};

/* Prepares to compare bits with those of the original file, if it has a spec. */
static int add_bits(struct work *w, const struct header_view *v)
{
	struct arena *a = w->of->a;
	const struct project_file *f = v->file;
	struct str before;
	bool asked = f->opts->verify && file_exists(cli_spec_path(a, f->opts, f->path));
	int rc = asked ? file_text(&before, a, f->path) : 0;

	if (asked && rc == 0) {
		struct cli_bits *bits = cli_bits_later(a, f->opts, before);
		array_push(&w->bits, ((struct verified){bits, v->text.n > 0 ? v->text : before}));
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

static int verify(struct work *w)
{
	struct choose_job *job = &w->of->asked.job;
	int rc = 0;

	array_each (&w->of->view, const struct header_view, v) {
		rc = rc ? rc : add_bits(w, v);
	}
	job->same_bits = same_bits;
	job->bits = w;
	if (w->bits.n == 0) {
		job->untouchable = "no file that includes it has a spec whose cases could be run "
				   "('unphi verify -p BUILD --init' writes first ones)";
	}
	return rc;
}

static int prepare(struct work *w)
{
	struct header_work *of = w->of;
	const struct project_file *first = of->view.v[0].file;
	struct choose_job *job = &of->asked.job;
	struct cli_forced force = {NULL, NULL};
	struct cli_finding unit = {.opts = first->opts,
		.path = first->path,
		.shown = first->shown,
		.targets = &first->targets};
	int rc = cli_directory_enter(first->unit[0]);

	rc = rc ? rc : cli_forced_find(&force, of->a, first->opts);
	rc = rc ? rc : cli_job_open(&of->asked, of->a, first->opts, &force);
	job->flags = first->targets.flags;
	job->assume_flat = true;
	job->allow_flags = false; /* flags apply to a file, not to a header */
	rc = rc || !first->opts->verify ? rc : verify(w);
	if (w->unread) {
		job->untouchable = arena_printf(
			of->a, "%s could not be checked, and may include it", w->unread);
	}
	return rc ? rc : cli_suppressed_add(job, of->a, &unit);
}

/* Packs the result for the parent. */
static void pack(struct sbuf *out, struct work *w)
{
	const struct header *h = w->of->h[w->of->at];
	struct sbuf report = {0}, names = {0};
	struct choice_file file = {.choice = &h->choice,
		.shown = {.path = h->shown,
			.target = h->target,
			.targets = h->targets,
			.uncounted = true}};

	choice_json(&report, &file, 1);
	for (const char *const *n = h->names; n && *n; n++) {
		sbuf_addf(&names, "%s\n", *n);
	}
	sbuf_add_sized(out, sbuf_str(&report));
	sbuf_add_sized(out, h->source);
	sbuf_add_sized(out, h->text);
	sbuf_add_sized(out, sbuf_str(&names));
	if (w->verified.n > 0) {
		sbuf_addf(&w->of->files, "; with equal bits in the cases of %s",
			sbuf_cstr(&w->verified));
	}
	sbuf_add_sized(out, sbuf_str(&w->of->files));
	sbuf_release(&report);
	sbuf_release(&names);
}

static int run(void *user, size_t index, struct sbuf *out)
{
	struct work *w = user;
	struct header_work *of = w->of;

	(void)index;
	int rc = prepare(w);
	rc = rc ? rc : header_choose(of);
	if (rc == 0 && of->asked.job.untouchable) {
		msg_note("%s does not change: %s", of->h[of->at]->shown, of->asked.job.untouchable);
	}
	if (rc == 0) {
		pack(out, w);
	}
	intrinsic_db_release(&of->asked.intrinsics);
	sbuf_release(&w->verified);
	array_each (&w->bits, struct verified, v) {
		cli_bits_close(v->bits);
	}
	array_release(&w->bits);
	return cli_exit(rc);
}

/* ---- in the parent ---- */

struct str header_unpack(struct arena *a, struct str *rest)
{
	struct str s;

	str_sized(&s, rest);
	return arena_str(a, s);
}

static void take(void *user, const struct pool_result *r)
{
	struct work *w = user;
	struct header *h = w->of->h[w->of->at];
	struct arena *a = w->of->a;
	struct str rest = r->out;
	struct words names = {{0}};

	fwrite(r->err.p, 1, r->err.n, stderr);
	if (r->signal) {
		msg_error("%s: unphi or libclang crashed on it (%s); please report it", h->shown,
			strsignal(r->signal));
	}
	*w->code = exit_worse(*w->code, r->signal ? EXIT_INPUT : r->exit_code);
	h->report = header_unpack(a, &rest);
	h->source = header_unpack(a, &rest);
	h->text = header_unpack(a, &rest);
	words_add_lines(&names, a, header_unpack(a, &rest));
	h->names = words_finish(&names, a);
	struct str files = header_unpack(a, &rest);
	h->note = arena_printf(
		a, "legal and measured in all files that include it: %.*s", STR_ARG(files));
	h->changed = !str_eq(h->source, h->text);
}

int header_choose_apart(struct header_work *w, const char *unread, int *code)
{
	struct work work = {.of = w, .unread = unread, .code = code};
	struct pool pool = {.parallel = 1, .user = &work, .run = run, .done = take};

	return pool_run(&pool, 1);
}
