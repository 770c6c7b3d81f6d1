#include "cli/lint/fix.h"

#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/msg.h"

struct fixing {
	struct diag_list *found;
	struct arena *a;
	ARRAY(struct file_text) files;
	size_t fixed; /* findings */
};

/* Do the cases of the spec beside the file leave the same bits? 1, or 0 after a warning; 1 where
 * there is no spec. */
static int keeps_bits(struct fixing *f, const struct html_measured *m, const struct cli_opts *opts)
{
	const char *file[] = {m->path};
	struct cli_opts o = *opts;
	struct cli_bits *bits;
	const char *why = "";
	const char *spec = cli_spec_path(f->a, opts, m->path);
	if (!file_exists(spec)) {
		msg_note("%s: not verified, as there is no %s", m->path, spec);
		return 1;
	}
	o.files.v = file;
	o.files.n = 1;
	o.fix = false;
	int rc = cli_bits_open(&bits, f->a, &o, m->source);
	if (rc == 0) {
		rc = cli_bits_same(bits, &(struct choose_text){.text = m->choice->text}, &why);
	}
	if (rc == 0) {
		msg_warning("%s: not fixed: %s", m->path, why);
	}
	cli_bits_close(bits);
	return rc;
}

static void take_out(struct fixing *f, const char *path)
{
	size_t kept = 0;
	for (size_t i = 0; i < f->found->v.n; i++) {
		const struct diag *d = &f->found->v.v[i];
		bool fixed = d->edits && d->place.path && strcmp(d->place.path, path) == 0;
		f->fixed += fixed;
		if (!fixed) {
			f->found->v.v[kept++] = *d;
		}
	}
	f->found->v.n = kept;
}

int cli_lint_fix(struct diag_list *found, struct arena *a, const struct html_measured *measured,
	const struct cli_opts *const *opts, size_t n)
{
	struct fixing f = {.found = found, .a = a};
	int rc = 0;
	for (size_t i = 0; rc >= 0 && i < n; i++) {
		const struct html_measured *m = &measured[i];
		rc = m->choice->changed ? keeps_bits(&f, m, opts[i]) : 0;
		if (rc > 0) {
			array_push(&f.files, (struct file_text){m->path, m->choice->text});
		}
	}
	rc = rc < 0 ? rc : file_write_together(f.files.v, f.files.n, NULL);
	for (size_t i = 0; rc == 0 && i < f.files.n; i++) {
		take_out(&f, f.files.v[i].path);
	}
	if (rc == 0) {
		msg_note("fixed %zu finding%s in %zu file%s", f.fixed, f.fixed == 1 ? "" : "s",
			f.files.n, f.files.n == 1 ? "" : "s");
	}
	array_release(&f.files);
	return rc;
}
