#include "cli/rewrite/project.h"

#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "base/msg.h"
#include "base/kept/stamp.h"
#include "cli/project/each.h"
#include "cli/steps/findings.h"
#include "cli/rewrite/header.h"
#include "cli/rewrite/rewriting.h"
#include "cli/setup/units.h"
#include "report/decision/project.h"
#include "report/finding/place.h"

bool cli_is_project(const struct cli_opts *o)
{
	return o->command == COMMAND_REWRITE && o->project;
}

enum {
	PIECES = 6 /* packed by rewrite_one, unpacked by take */
};

/* The path of a file, and the project's files that it includes, one per line, as shown. */
struct joined {
	struct str self, reads;
};

struct joining {
	struct arena *a;
	const struct cli_opts *opts;
	struct project *project;   /* NULL where parts are joined */
	ARRAY(struct rewritten) v; /* the files, and then the headers */
	ARRAY(struct joined) of;   /* of the files */
	ARRAY(struct header *) headers;
	const char *missing;
};

/* ---- one file, in its own process ---- */

/* Is it another file of the project, or a header that --header-filter selects? */
static bool is_of_interest(const struct project *p, const char *real)
{
	return map_has(&p->by_path, str_of(real)) ||
	       (p->opts->header_filter &&
		       regexec(&p->headers_wanted, cli_path_shown(p->a, p->cwd, real), 0, NULL,
			       0) == 0);
}

static void add_read(
	struct sbuf *out, const struct project *p, const struct project_file *f, const char *path)
{
	const char *real = path_real(p->a, path_absolute(p->a, f->unit[0]->directory, path));

	if (is_of_interest(p, real) && strcmp(real, path_real(p->a, f->path)) != 0) {
		sbuf_addf(out, "%s\n", cli_path_shown(p->a, p->cwd, real));
	}
}

/* The project's files that this one includes: by its stamps, or by a parse if there are none. */
static int add_reads(
	struct sbuf *out, const struct project *p, const struct project_file *f, struct str stamps)
{
	struct str path;
	struct wire_unit looked = {0};
	struct intrinsic_db intrinsics = {0};

	if (stamps.n > 0) {
		while (stamp_next(&stamps, &path)) {
			add_read(out, p, f, arena_strndup(p->a, path.p, path.n));
		}
		return 0;
	}
	int rc = cli_intrinsics(&intrinsics, p->a, f->opts);
	for (size_t i = 0; rc == 0 && i < f->units; i++) {
		struct cli_finding of = {.opts = f->opts,
			.path = f->path,
			.shown = f->shown,
			.targets = &f->unit[i]->targets,
			.intrinsics = &intrinsics,
			.quiet = true};
		rc = cli_find(&looked, p->a, &of);
		array_each (&looked.files, const char *const, read) {
			add_read(out, p, f, *read);
		}
		wire_release(&looked);
		looked = (struct wire_unit){0};
	}
	intrinsic_db_release(&intrinsics);
	return rc;
}

static void add_left(
	struct sbuf *out, const struct project *p, const struct project_file *f, struct str report)
{
	size_t n;
	const struct project_left *left = project_left(&n, p->a, report);
	const char *dir = f->unit[0]->directory;

	for (size_t i = 0; i < n; i++) {
		const char *real = path_real(p->a, path_absolute(p->a, dir, left[i].file));
		sbuf_addf(out, "%u:%u %s\n", left[i].line, left[i].column,
			cli_path_shown(p->a, p->cwd, real));
	}
}

static int rewrite_early(void *user, size_t index)
{
	const struct joining *j = user;

	return cli_unit_early(j->project->file[index].unit[0]);
}

static int rewrite_one(void *user, size_t index, struct sbuf *out)
{
	const struct joining *j = user;
	const struct project *p = j->project;
	const struct project_file *f = &p->file[index];
	struct cli_rewrote got;
	struct sbuf reads = {0}, left = {0};
	struct cli_rewriting what = {.opts = f->opts,
		.path = f->path,
		.shown = f->shown,
		.targets = &f->targets,
		.untouchable = f->untouchable};
	int rc = cli_directory_enter(f->unit[0]);

	rc = rc ? rc : cli_rewrite_file(&got, p->a, &what);
	rc = rc ? rc : add_reads(&reads, p, f, got.stamps);
	if (rc == 0) {
		bool changed = !str_eq(got.source, got.text);
		sbuf_add_sized(out, got.report);
		sbuf_add_sized(out, str_of(cli_path_shown(p->a, p->cwd, f->path)));
		sbuf_add_sized(out, sbuf_str(&reads));
		sbuf_add_sized(out, changed ? got.source : (struct str){0});
		sbuf_add_sized(out, changed ? got.text : (struct str){0});
		add_left(&left, p, f, got.report);
		sbuf_add_sized(out, sbuf_str(&left));
	}
	sbuf_release(&reads);
	sbuf_release(&left);
	return cli_exit(rc);
}

/* ---- joining ---- */

/* The name in a diff for patch -p1: relative to the working directory if below it, else to its
 * repository. */
static const char *diff_name(struct joining *j, const char *name)
{
	const char *shown = name[0] == '/' ? place_path(j->a, name) : name;

	return shown[0] == '/' ? shown + 1 : shown;
}

static void take(void *user, const struct shard_unit *r)
{
	struct joining *j = user;
	struct str rest = r->out;
	struct rewritten one = {.file = r->name, .name = diff_name(j, r->name)};
	struct joined of;

	one.path = j->project ? j->project->file[j->v.n].path : NULL;
	one.report = header_unpack(j->a, &rest);
	of.self = header_unpack(j->a, &rest);
	of.reads = header_unpack(j->a, &rest);
	one.before = header_unpack(j->a, &rest); /* both empty if nothing changed */
	one.after = header_unpack(j->a, &rest);
	one.left = header_unpack(j->a, &rest);
	one.changed = !str_eq(one.before, one.after);
	array_push(&j->v, one);
	array_push(&j->of, of);
}

static bool reads(const struct joined *by, const char *path)
{
	struct str line, rest = by->reads;
	bool found = false;

	while (!found && str_line(&rest, &line)) {
		found = str_is(line, path);
	}
	return found;
}

/* Drops the changes to files that another file includes: they were not checked in that one. */
static void drop_included(struct joining *j)
{
	struct map by_read = {0};

	for (size_t i = 0; i < j->of.n; i++) {
		struct str line, rest = j->of.v[i].reads;
		while (str_line(&rest, &line)) {
			map_set(&by_read, line, (uintptr_t)j->v.v[i].file);
		}
	}
	for (size_t i = 0; i < j->of.n; i++) {
		struct rewritten *f = &j->v.v[i];
		const char *by = (const char *)map_get(&by_read, j->of.v[i].self, 0);
		if (f->changed && by) {
			f->changed = false;
			f->dropped = arena_printf(
				j->a, "%s includes it, and the edit was not checked there", by);
		}
	}
	map_release(&by_read);
}

static int print_report(struct joining *j)
{
	struct project_report p = {.v = j->v.v, .n = j->v.n, .missing = j->missing};
	struct sbuf text = {0};

	if (j->opts->format == FORMAT_HTML) {
		project_html(&text, &p);
	} else if (j->opts->format == FORMAT_JSON) {
		project_json(&text, &p);
	} else {
		project_text(&text, &p);
	}
	bool to_stdout = !j->opts->diff || j->opts->report;
	int rc = to_stdout && (j->opts->report || cli_report_shown(j->opts))
			 ? cli_report_write(j->opts, sbuf_str(&text))
			 : 0;
	sbuf_release(&text);
	return rc;
}

static int finish(struct joining *j, int code)
{
	const struct cli_opts *o = j->opts;
	bool changed = rewritten_any(j->v.v, j->v.n);
	struct sbuf diff = {0};

	int rc = o->fix ? rewritten_replace(j->a, j->v.v, j->v.n) : 0;
	if (rc == 0 && o->diff) {
		rewritten_diff(&diff, j->a, j->v.v, j->v.n);
		rc = cli_output_write(NULL, sbuf_str(&diff));
	}
	sbuf_release(&diff);
	rc = rc ? rc : print_report(j);
	code = exit_worse(code, o->check && changed ? EXIT_FINDINGS : EXIT_CLEAN);
	return exit_worse(code, cli_exit(rc));
}

/* ---- headers ---- */

/* The headers with a merge that --header-filter selects, in the order of their first occurrence. */
static void find_headers(struct joining *j)
{
	struct project *p = j->project;
	struct map seen = {0};

	for (size_t i = 0; p->opts->header_filter && i < j->v.n; i++) {
		struct str shown_at, line, rest = j->v.v[i].left;
		while (str_line(&rest, &line)) {
			str_split(&line, ' ', &shown_at);
			const char *shown = arena_strndup(j->a, line.p, line.n);
			const char *real = path_real(j->a, path_absolute(j->a, p->cwd, shown));
			if (map_set(&seen, str_of(real), 1) && is_of_interest(p, real) &&
				!map_has(&p->by_path, str_of(real))) {
				struct header *h = ARENA_NEW(j->a, struct header);
				*h = (struct header){.path = real, .shown = shown};
				array_push(&j->headers, h);
			}
		}
	}
	map_release(&seen);
}

static int rewrite_headers(struct joining *j, int *code)
{
	struct project *p = j->project;
	struct str *text = ARENA_ARRAY(j->a, struct str, p->n);
	struct unit_commands commands = {0};
	struct header_work w = {.a = j->a,
		.opts = j->opts,
		.cwd = p->cwd,
		.commands = &commands,
		.known = &p->by_path};
	const char *unread = NULL;

	find_headers(j);
	int rc = j->headers.n > 0 ? frontend_commands(&commands, j->a, j->opts->build) : 0;
	w.h = j->headers.v;
	for (size_t i = 0; i < p->n; i++) {
		text[i] = j->v.v[i].changed ? j->v.v[i].after : (struct str){0};
		unread = j->v.v[i].report.n == 0 ? j->v.v[i].file : unread;
	}
	for (; w.at < j->headers.n && rc == 0; w.at++) {
		const struct header *h = w.h[w.at];
		w.view.n = 0;
		for (size_t k = 0; k < p->n; k++) {
			if (reads(&j->of.v[k], h->shown)) {
				array_push(&w.view, ((struct header_view){&p->file[k], text[k]}));
			}
		}
		rc = header_choose_apart(&w, unread, code);
		array_push(&j->v, ((struct rewritten){.file = h->shown,
					  .path = h->path,
					  .report = h->report,
					  .header_note = h->note,
					  .name = diff_name(j, h->shown),
					  .before = h->source,
					  .after = h->text,
					  .changed = h->changed}));
	}
	header_work_release(&w);
	return rc;
}

/* ---- the whole project ---- */

/* Refuses options that only make sense for one file. */
static int check_options(const struct cli_opts *o)
{
	const char *of_one = o->output	       ? "--output"
			     : o->bench	       ? "--bench"
			     : o->spec	       ? "--spec"
			     : o->on == ON_GPU ? "--on gpu"
					       : NULL;
	if (of_one) {
		msg_error("option %s needs a single file, but -p %s covers all files that it "
			  "compiles, or a file that it compiles several times",
			of_one, o->build);
	}
	return of_one ? FAIL_USAGE : 0;
}

static int open_project(struct project *p)
{
	const struct cli_opts *o = p->opts;
	int rc = check_options(o);

	rc = rc ? rc : cli_output_check(o, o->report);
	rc = rc ? rc : cli_filter_check(o);
	rc = rc ? rc : project_open(p);
	if (rc == 0 && o->header_filter) {
		regcomp(&p->headers_wanted, o->header_filter, REG_EXTENDED | REG_NOSUB);
	}
	return rc;
}

static int run_project(struct project *p, struct joining *j)
{
	struct each e = {.command = "rewrite",
		.user = j,
		.run = rewrite_one,
		.early = rewrite_early,
		.done = take};
	if (project_run(p, &e, open_project(p))) {
		return e.code;
	}
	drop_included(j);
	int rc = rewrite_headers(j, &e.code);
	return rc ? exit_worse(e.code, cli_exit(rc)) : finish(j, e.code);
}

int cli_rewrite_project(const struct cli_opts *o)
{
	struct arena *a = arena_create();
	struct project p = {.a = a, .opts = o, .configs = {.a = a}};
	struct joining j = {.a = a, .opts = o, .project = &p};

	int code = run_project(&p, &j);
	if (o->header_filter && p.n > 0) {
		regfree(&p.headers_wanted);
	}
	array_release(&j.v);
	array_release(&j.of);
	array_release(&j.headers);
	project_close(&p);
	arena_free(a);
	return code;
}

bool rewrite_is_sound(struct arena *a, const struct shard_part *p, const struct shard_unit *u)
{
	struct str rest = u->out, report = {0}, piece;
	bool sound = true;

	(void)a;
	(void)p;
	for (int i = 0; i < PIECES && u->out.n > 0; i++) {
		sound = sound && str_sized(&piece, &rest);
		report = i == 0 && sound ? piece : report;
	}
	return sound && rest.n == 0 && (u->out.n == 0 || project_is_report(report));
}

int rewrite_merge(const struct cli_opts *o, const struct each_parts *parts)
{
	int rc = cli_output_check(o, o->report);
	if (rc) {
		return cli_exit(rc);
	}
	struct joining j = {.a = arena_create(), .opts = o, .missing = parts->missing};
	int code = each_parts_join(parts, j.a, o, take, &j);

	drop_included(&j);
	code = finish(&j, code);
	array_release(&j.v);
	array_release(&j.of);
	arena_free(j.a);
	return code;
}
