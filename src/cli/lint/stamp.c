#include "cli/lint/stamp.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

/* Adds a file name as Make and Ninja read it. */
static void add_name(struct sbuf *out, const char *name)
{
	for (const char *p = name; *p; p++) {
		sbuf_adds(out, *p == '$' ? "$" : strchr(" #", *p) ? "\\" : "");
		sbuf_addc(out, *p);
	}
}

/* All names are absolute, except the stamp's: it is the name that the build system gave. */
static void list_files(
	struct sbuf *out, const char *stamp, const char *cwd, const struct words *read)
{
	add_name(out, stamp);
	sbuf_adds(out, ":");
	for (size_t i = 0; i < read->v.n; i++) {
		const char *name = read->v.v[i];
		if (i > 0 && strcmp(name, read->v.v[i - 1]) == 0) {
			continue;
		}
		sbuf_adds(out, " \\\n  ");
		if (name[0] != '/') {
			add_name(out, cwd);
			sbuf_adds(out, "/");
		}
		add_name(out, name);
	}
	sbuf_adds(out, "\n");
}

int cli_stamp_write(struct words *read, const char *cwd, const struct cli_opts *o,
	const struct cli_units *units)
{
	struct sbuf text = {0}, name = {0};
	for (size_t i = 0; i < units->n; i++) {
		const struct user_config *c = units->v[i].opts->config;
		words_add(read, units->v[i].shown);
		words_add_new(read, (const char *const[]){c ? c->path : NULL, NULL});
	}
	words_add_new(read, (const char *const[]){o->baseline, NULL});
	qsort(read->v.v, read->v.n, sizeof(*read->v.v), by_name);
	list_files(&text, o->stamp, cwd, read);
	sbuf_addf(&name, "%s.d", o->stamp);
	int rc = cli_output_write(sbuf_cstr(&name), sbuf_str(&text));
	rc = rc ? rc : cli_output_write(o->stamp, STR(""));
	sbuf_release(&text);
	sbuf_release(&name);
	return rc;
}
