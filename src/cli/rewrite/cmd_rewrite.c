/*
 * unphi rewrite: finds the wide merges of one file, lets choose decide, writes the result, and
 * reports the decisions.
 */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "cli/rewrite/project.h"
#include "cli/rewrite/rewriting.h"
#include "cli/setup/units.h"
#include "report/finding/place.h"
#include "report/form/diff.h"

/* Can patch and git apply use the path as it is? They do not accept "./a.hip" or "b/../a.hip". */
static bool is_plain(const char *path)
{
	return !strchr("/.", path[0]) && !strstr(path, "/.") && !strstr(path, "//");
}

/* The file's name in a diff for patch -p1: relative to the directory that unphi was started in. If
 * the file is not below that, relative to the root of its repository, else to /. */
static const char *diff_name(struct rewriting *r, const char *path)
{
	if (!is_plain(path) || r->opts->started_in) {
		const char *from = r->opts->started_in ? r->opts->started_in : ".";
		path = cli_path_shown(
			r->arena, path_real(r->arena, from), path_absolute(r->arena, NULL, path));
		path = path[0] == '/' ? place_path(r->arena, path) : path;
	}
	return path[0] == '/' ? path + 1 : path;
}

/* The file and its headers. */
static void find_rewritten(struct rewriting *r)
{
	array_push(&r->all, ((struct rewritten){.path = r->path,
				    .name = diff_name(r, r->path),
				    .before = sbuf_str(&r->source),
				    .after = r->choice.text,
				    .changed = r->choice.changed}));
	array_each (&r->headers.v, struct header *const, h) {
		array_push(&r->all, ((struct rewritten){.path = (*h)->path,
					    .name = diff_name(r, (*h)->path),
					    .before = (*h)->source,
					    .after = (*h)->text,
					    .changed = (*h)->changed}));
	}
}

/* Is the diff shown because no option writes the result? */
static bool only_shows(const struct cli_opts *o)
{
	return !o->output && !o->fix && !o->diff && o->format == FORMAT_TEXT;
}

static int write_diff(struct rewriting *r)
{
	bool color = cli_color(r->opts, STDOUT_FILENO);
	struct sbuf diff = {0}, shown = {0};
	rewritten_diff(&diff, r->arena, r->all.v, r->all.n);
	if (diff.n > 0 && only_shows(r->opts) && !r->opts->quiet && !r->opts->report) {
		sbuf_addc(&shown, '\n'); /* after the report */
	}
	if (color || isatty(STDOUT_FILENO)) {
		diff_show(&shown, sbuf_str(&diff), color);
	} else {
		sbuf_addstr(&shown, sbuf_str(&diff));
	}
	int rc = cli_output_write(NULL, sbuf_str(&shown));
	sbuf_release(&diff);
	sbuf_release(&shown);
	return rc;
}

/* The directory in which to apply the diff; NULL: the working directory. */
static const char *diff_directory(struct rewriting *r)
{
	struct str name = str_of(diff_name(r, r->path));
	struct str real = str_of(path_real(r->arena, path_absolute(r->arena, NULL, r->path)));
	if (file_exists(name.p) || real.n <= name.n || !str_ends(real, name.p)) {
		return NULL;
	}
	size_t n = real.n - name.n;
	return arena_strndup(r->arena, real.p, n > 1 ? n - 1 : 1);
}

static void say_how_to_keep(struct rewriting *r)
{
	bool changed = rewritten_any(r->all.v, r->all.n);
	const char *from = changed ? diff_directory(r) : NULL;
	if (from) {
		msg_note("apply the diff in %s, with patch -p1 or git apply", from);
	}
	if (changed && r->headers.v.n > 0) {
		msg_note("nothing is changed yet: --fix changes %s and its headers", r->path);
	} else if (changed) {
		msg_note("nothing is changed yet: --fix changes %s, -o FILE writes a new file",
			r->path);
	}
}

/* Writes the new source, if an option asks for that. */
static int write_source(struct rewriting *r)
{
	const struct cli_opts *o = r->opts;
	int rc = 0;
	if (o->output) {
		rc = cli_output_write(o->output, r->choice.text);
	}
	if (rc == 0 && o->fix) {
		rc = rewritten_replace(r->arena, r->all.v, r->all.n);
	}
	return rc;
}

static int write_report(struct rewriting *r)
{
	const struct cli_opts *o = r->opts;
	bool to_stdout = !o->diff && !(o->output && strcmp(o->output, "/dev/stdout") == 0);
	if (!o->report && (!to_stdout || !cli_report_shown(o))) {
		return 0;
	}
	return cli_report_write(o, sbuf_str(&r->report));
}

static int rewrite(struct rewriting *r)
{
	const struct cli_opts *o = r->opts;
	int rc = cli_forced_find(&r->force, r->arena, r->opts);
	rc = rc ? rc : cli_kernels_open(&r->kernels, o);
	rc = rc ? rc : file_read(&r->source, r->path);
	rc = rc ? rc : cli_output_check(o, o->output);
	rc = rc ? rc : cli_output_check(o, o->report);
	if (rc == 0 && o->verify) {
		rc = cli_bits_open(&r->bits, r->arena, o, sbuf_str(&r->source));
	}
	rc = rc ? rc : rewriting_decide(r);
	if (rc) {
		return cli_exit(rc);
	}
	find_rewritten(r);
	rc = write_source(r);
	rc = rc ? rc : write_report(r);
	if (rc == 0 && (o->diff || only_shows(o))) {
		rc = write_diff(r);
	}
	if (rc) {
		return cli_exit(rc);
	}
	if (only_shows(o)) {
		say_how_to_keep(r);
	}
	return o->check && rewritten_any(r->all.v, r->all.n) ? EXIT_FINDINGS : EXIT_CLEAN;
}

int cmd_rewrite(const struct cli_opts *o)
{
	if (cli_is_project(o)) {
		return cli_rewrite_project(o);
	}
	struct rewriting r = {
		.opts = o, .arena = arena_create(), .path = o->files.v[0], .shown = o->files.v[0]};
	int code = rewrite(&r);
	rewriting_release(&r);
	arena_free(r.arena);
	return code;
}
