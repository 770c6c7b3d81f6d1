/*
 * unphi rewrite: find the wide merges of one file, let choose decide, write the result and say what
 * was tried.
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

static bool any_changed(const struct rewriting *r)
{
	bool any = r->choice.changed;
	array_each (&r->headers.v, struct header *const, h) {
		any = any || (*h)->changed;
	}
	return any;
}

/* All that changed, together. */
static int replace_files(struct rewriting *r)
{
	struct file_text *v = ARENA_ARRAY(r->arena, struct file_text, r->headers.v.n + 1);
	size_t n = 0;
	int rc = 0;
	if (r->choice.changed) {
		rc = rewriting_check_unchanged(r->path, sbuf_str(&r->source));
		v[n++] = (struct file_text){r->path, r->choice.text};
	}
	array_each (&r->headers.v, struct header *const, h) {
		if (rc == 0 && (*h)->changed) {
			rc = rewriting_check_unchanged((*h)->path, (*h)->source);
			v[n++] = (struct file_text){(*h)->path, (*h)->text};
		}
	}
	if (rc == 0 && n == 1) {
		return file_write_atomic(v[0].path, v[0].text);
	}
	return rc || n == 0 ? rc : file_write_together(v, n, NULL);
}

/* Of "./a.hip" or "b/../a.hip" patch and git apply want a.hip. */
static bool is_plain(const char *path)
{
	return !strchr("/.", path[0]) && !strstr(path, "/.") && !strstr(path, "//");
}

/* For patch -p1 in the directory that unphi was started in; of a file that is not below it in the
 * root of its repository, else in /. */
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

static void add_diff(struct sbuf *out, struct rewriting *r, const char *path, struct str before,
	struct str after)
{
	const char *name = diff_name(r, path);
	diff_unified(out, before, after, arena_printf(r->arena, "a/%s", name),
		arena_printf(r->arena, "b/%s", name));
}

/* Who does not say where the result goes is shown what it would be. */
static bool only_shows(const struct cli_opts *o)
{
	return !o->output && !o->fix && !o->diff && o->format == FORMAT_TEXT;
}

static int write_diff(struct rewriting *r)
{
	bool color = cli_color(r->opts, STDOUT_FILENO);
	struct sbuf diff = {0}, shown = {0};
	add_diff(&diff, r, r->path, sbuf_str(&r->source), r->choice.text);
	array_each (&r->headers.v, struct header *, h) {
		add_diff(&diff, r, (*h)->path, (*h)->source, (*h)->text);
	}
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

/* NULL: where we are. */
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
	const char *from = any_changed(r) ? diff_directory(r) : NULL;
	if (from) {
		msg_note("apply the diff in %s, with patch -p1 or git apply", from);
	}
	if (any_changed(r) && r->headers.v.n > 0) {
		msg_note("nothing is changed yet: --fix changes %s and its headers", r->path);
	} else if (any_changed(r)) {
		msg_note("nothing is changed yet: --fix changes %s, -o FILE writes a new file",
			r->path);
	}
}

/* The new source, where it is wanted. */
static int write_source(struct rewriting *r)
{
	const struct cli_opts *o = r->opts;
	int rc = 0;
	if (o->output) {
		rc = cli_output_write(o->output, r->choice.text);
	}
	if (rc == 0 && o->fix) {
		rc = replace_files(r);
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
	rc = rc ? rc : write_source(r);
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
	return o->check && any_changed(r) ? EXIT_FINDINGS : EXIT_CLEAN;
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
