#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "cli/cli.h"
#include "report/form/errors.h"

/* Was the report written? In memory shared by our processes, since the supervisor has to know. */
static bool unshared, *report = &unshared;

void cli_report_open(void)
{
	void *p = mmap(
		NULL, sizeof(*report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	report = p == MAP_FAILED ? &unshared : p;
}

bool cli_report_is_written(void)
{
	return *report;
}

int cli_exit(int rc)
{
	return -rc;
}

bool cli_color(const struct cli_opts *o, int fd)
{
	if (o->shard) {
		return false; /* the part stores the messages, too */
	}
	const char *no_color = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	if (o->color != COLOR_AUTO) {
		return o->color == COLOR_ALWAYS;
	}
	return !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0) && isatty(fd);
}

int cli_files_check(const struct cli_opts *o)
{
	int rc = 0;

	for (size_t i = 0; i < o->files.n; i++) {
		rc = file_try(o->files.v[i]) ? FAIL_USAGE : rc;
	}
	return rc;
}

static int check_not_input(const struct cli_opts *o, const char *path, const struct stat *st)
{
	for (size_t i = 0; i < o->files.n; i++) {
		struct stat in;
		if (stat(o->files.v[i], &in) == 0 && in.st_dev == st->st_dev &&
			in.st_ino == st->st_ino) {
			return fail_usage("%s is an input file: %s", path,
				path == o->output ? "--fix replaces it"
						  : "write the results elsewhere");
		}
	}
	return 0;
}

static int check_new(const char *path)
{
	struct sbuf dir = {0};
	int rc = 0;

	sbuf_addstr(&dir, path_dir(str_of(path)));
	if (access(sbuf_cstr(&dir), W_OK | X_OK) != 0) {
		rc = fail_usage("cannot write %s: %s: %s", path, sbuf_cstr(&dir), strerror(errno));
	}
	sbuf_release(&dir);
	return rc;
}

static int check_path(const struct cli_opts *o, const char *path)
{
	struct stat st;

	if (!path) {
		return 0;
	}
	if (stat(path, &st) != 0) {
		return check_new(path);
	}
	if (S_ISDIR(st.st_mode)) {
		return fail_usage("cannot write %s: %s", path, strerror(EISDIR));
	}
	if (access(path, W_OK) != 0) {
		return fail_usage("cannot write %s: %s", path, strerror(errno));
	}
	return check_not_input(o, path, &st);
}

int cli_output_check(const struct cli_opts *o, const char *path)
{
	int rc = check_path(o, path);

	if (rc && path == o->report) {
		*report = true;
	}
	return rc;
}

int cli_output_write(const char *path, struct str text)
{
	if (path) {
		return file_write_atomic(path, text);
	}
	if (fwrite(text.p, 1, text.n, stdout) != text.n || fflush(stdout) != 0) {
		return fail_usage("cannot write to standard output: %s", strerror(errno));
	}
	return 0;
}

bool cli_report_shown(const struct cli_opts *o)
{
	return !o->quiet || o->format != FORMAT_TEXT;
}

int cli_report_write(const struct cli_opts *o, struct str text)
{
	struct sbuf shown = {0};

	*report = true;
	if (o->format == FORMAT_TEXT) {
		sbuf_add_visible(&shown, text, "\n\t");
	} else {
		sbuf_addstr(&shown, text);
	}
	if (o->format == FORMAT_JSON) {
		errors_add_json(&shown);
	} else if (o->format == FORMAT_HTML) {
		errors_add_html(&shown);
	}
	int rc = cli_output_write(o->report, sbuf_str(&shown));
	sbuf_release(&shown);
	return rc;
}
