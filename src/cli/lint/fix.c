#include "cli/lint/fix.h"

#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/msg.h"
#include "edit/edit.h"

/* Rules not about merges, whose edits of one file were measured together. unphi-launch-bounds is
 * not among them: another file may launch the kernel with a larger block. */
static const char *const own_edits[] = {
	"unphi-scalar-access", "unphi-register-form", "unphi-wave-condition"};

/* The new text of one file. */
struct fix {
	const char *path;
	struct str source, text;
	const struct cli_opts *opts;
	bool own; /* it fixes only findings of own_edits; else all findings with edits */
};

struct fixing {
	struct diag_list *found;
	struct arena *a;
	ARRAY(struct fix) fix;
	ARRAY(struct file_text) files;
	size_t fixed; /* findings */
};

/* Do the cases of the file's spec give the same bits? 1: yes, or there is no spec; 0 after a
 * warning; or enum fail. */
static int keeps_bits(struct fixing *f, const struct fix *x)
{
	const char *file[] = {x->path};
	struct cli_opts o = *x->opts;
	struct cli_bits *bits;
	const char *why = "";
	const char *spec = cli_spec_path(f->a, x->opts, x->path);
	if (!file_exists(spec)) {
		msg_note("%s: not verified, because %s is missing", x->path, spec);
		return 1;
	}
	o.files.v = file;
	o.files.n = 1;
	o.fix = false;
	int rc = cli_bits_open(&bits, f->a, &o, x->source);
	if (rc == 0) {
		rc = cli_bits_same(bits, &(struct choose_text){.text = x->text}, &why);
	}
	if (rc == 0) {
		msg_warning("%s: not fixed: %s", x->path, why);
	}
	cli_bits_close(bits);
	return rc;
}

static bool is_fixed(const struct diag *d, const char *path, bool own)
{
	bool is = !own;
	for (size_t i = 0; own && d->rule && i < sizeof(own_edits) / sizeof(own_edits[0]); i++) {
		is |= strcmp(d->rule, own_edits[i]) == 0;
	}
	return is && d->edits && d->place.path && strcmp(d->place.path, path) == 0;
}

static void take_out(struct fixing *f, const struct fix *x)
{
	size_t kept = 0;
	array_each (&f->found->v, const struct diag, d) {
		bool fixed = is_fixed(d, x->path, x->own);
		f->fixed += fixed;
		if (!fixed) {
			f->found->v.v[kept++] = *d;
		}
	}
	f->found->v.n = kept;
}

static bool has_fix(const struct fixing *f, const char *path)
{
	array_each (&f->fix, const struct fix, x) {
		if (strcmp(x->path, path) == 0) {
			return true;
		}
	}
	return false;
}

/* Adds the edits of findings of own_edits. Called if no rewrite of a merge changes the file: the
 * two were not measured together. */
static void add_own_edits(struct fixing *f, const struct cli_unit *u)
{
	struct edit_list all = {{0}};
	struct str source = {0};
	size_t clash[2];
	array_each (&f->found->v, const struct diag, d) {
		for (size_t i = 0; is_fixed(d, u->shown, true) && i < d->edits; i++) {
			const struct diag_edit *e = &d->edit[i];
			source = d->place.source;
			edit_list_add(&all, f->a, e->place.begin, e->place.end, e->text);
		}
	}
	if (all.edits.n > 0 && edit_list_check(&all, source.n, clash)) {
		struct sbuf text = {0};
		edit_list_apply(&text, source, &all);
		array_push(&f->fix,
			((struct fix){u->shown, source, sbuf_finish(&text, f->a), u->opts, true}));
	}
	edit_list_release(&all);
}

static void find_fixes(struct fixing *f, const struct html_measured *measured,
	const struct cli_opts *const *opts, size_t n, const struct cli_units *units)
{
	for (size_t i = 0; i < n; i++) {
		const struct html_measured *m = &measured[i];
		if (m->choice->changed) {
			array_push(&f->fix, ((struct fix){m->path, m->source, m->choice->text,
						    opts[i], false}));
		}
	}
	for (size_t i = 0; i < units->n; i++) {
		if (!has_fix(f, units->v[i].shown)) {
			add_own_edits(f, &units->v[i]);
		}
	}
}

int cli_lint_fix(struct diag_list *found, struct arena *a, const struct html_measured *measured,
	const struct cli_opts *const *opts, size_t n, const struct cli_units *units)
{
	struct fixing f = {.found = found, .a = a};
	int rc = 0;
	find_fixes(&f, measured, opts, n, units);
	size_t kept = 0;
	for (size_t i = 0; rc >= 0 && i < f.fix.n; i++) {
		rc = keeps_bits(&f, &f.fix.v[i]);
		if (rc > 0) {
			f.fix.v[kept++] = f.fix.v[i];
			array_push(&f.files,
				(struct file_text){f.fix.v[kept - 1].path, f.fix.v[kept - 1].text});
		}
	}
	rc = rc < 0 ? rc : file_write_together(f.files.v, f.files.n, NULL);
	for (size_t i = 0; rc == 0 && i < kept; i++) {
		take_out(&f, &f.fix.v[i]);
	}
	if (rc == 0) {
		msg_note("fixed %zu finding%s in %zu file%s", f.fixed, f.fixed == 1 ? "" : "s",
			f.files.n, f.files.n == 1 ? "" : "s");
	}
	array_release(&f.fix);
	array_release(&f.files);
	return rc;
}
