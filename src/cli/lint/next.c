#include "cli/lint/next.h"

#include <string.h>

#include "base/file.h"
#include "base/map.h"
#include "base/msg.h"

/* Adds a word, quoted for a shell. */
static void add_word(struct sbuf *out, const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				    "_-+=./:,@%";
	sbuf_addc(out, ' ');
	if (*word && strspn(word, plain) == strlen(word)) {
		sbuf_adds(out, word);
	} else {
		sbuf_add_shell(out, str_of(word));
	}
}

/* Adds the targets, unless the unit's own flags and configuration name them. */
static void add_targets(struct sbuf *out, const struct cli_unit *u)
{
	bool named = u->opts->targets.v.n > 0 || u->targets.fallback;
	for (size_t i = 0; named && i < u->targets.n; i++) {
		sbuf_addf(out, "%s%s", i ? "," : " --target ", u->targets.v[i]->name);
	}
}

const char *cli_lint_next(
	struct arena *a, const struct cli_opts *o, const struct cli_unit *u, const struct diag *d)
{
	struct sbuf b = {0};
	sbuf_addf(&b, "unphi %s", d->next);
	if (strcmp(d->next, "explain") == 0) {
		add_word(&b, d->rule);
	} else {
		if (o->build) {
			sbuf_adds(&b, " -p");
			add_word(&b, o->build);
		}
		add_word(&b, u->shown);
		add_targets(&b, u);
		if (o->compiler) {
			sbuf_adds(&b, " --compiler");
			add_word(&b, o->compiler);
		}
		if (d->place.path && strcmp(d->place.path, u->shown) != 0 &&
			strcmp(d->next, "rewrite") == 0) {
			struct str name = path_base(str_of(d->place.path));
			sbuf_addf(&b, " --diff --header-filter");
			add_word(&b, arena_strndup(a, name.p, name.n));
		}
		for (size_t i = 0; o->flags[i]; i++) {
			sbuf_adds(&b, i ? "" : " --");
			add_word(&b, o->flags[i]);
		}
	}
	return sbuf_finish(&b, a).p;
}

static void add_count(struct sbuf *out, size_t n, const char *what)
{
	if (n > 0) {
		sbuf_addf(out, "%s%zu %s%s", out->n ? ", " : "", n, what, n == 1 ? "" : "s");
	}
}

static size_t add_kernels(struct map *known, const char *kernels)
{
	struct str rest = str_of(kernels), name;
	size_t fresh = 0;
	while (kernels && str_line(&rest, &name)) {
		fresh += !map_has(known, name);
		map_set(known, name, 1);
	}
	return fresh;
}

void cli_lint_summary(const struct diag_list *found, size_t units, bool shortened)
{
	size_t n[DIAG_NOTE + 1] = {0}, files = 0, kernels = 0, merges = 0, fixable = 0;
	struct map paths = {0}, names = {0};
	struct sbuf text = {0};
	array_each (&found->v, const struct diag, d) {
		n[d->level]++;
		if (d->place.path && !map_has(&paths, str_of(d->place.path))) {
			map_set(&paths, str_of(d->place.path), 1);
			files++;
		}
		kernels += add_kernels(&names, d->kernels);
		merges += d->kernels != NULL;
		fixable += d->kernels && d->next && str_starts(str_of(d->next), "unphi rewrite");
	}
	add_count(&text, n[DIAG_ERROR], "error");
	add_count(&text, n[DIAG_WARNING], "warning");
	add_count(&text, n[DIAG_NOTE], "note");
	sbuf_adds(&text, text.n ? " in" : "nothing found in");
	if (text.n && found->v.n > 0) {
		sbuf_addf(&text, " %zu file%s", files, files == 1 ? "" : "s");
	} else {
		sbuf_addf(&text, " %zu file%s", units, units == 1 ? "" : "s");
	}
	if (merges > 0) {
		sbuf_addf(&text,
			" (%zu kernel%s); rewrite has something to try for %zu of %zu merge%s",
			kernels, kernels == 1 ? "" : "s", fixable, merges, merges == 1 ? "" : "s");
	}
	sbuf_adds(&text, shortened ? "; --verbose shows each with its line" : "");
	msg_note("%s", sbuf_cstr(&text));
	sbuf_release(&text);
	map_release(&paths);
	map_release(&names);
}
