#include "cli/measure/revision.h"

#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/process/proc.h"
#include "base/words.h"

enum {
	AT_A_TIME = 500 /* files per command */
};

struct opening {
	struct arena *a;
	const char *top;    /* of the working tree */
	const char *commit; /* its full name */
	const char *dir;    /* for the texts */
	const char *index;  /* "GIT_INDEX_FILE=...": a private index */
	bool quiet;	    /* do not print git's errors */
};

/* Runs git. *out: its output, in the arena. FAIL_USAGE after git's message. */
static int ask_git(struct str *out, const struct opening *o, const char *const *words)
{
	struct words w = {{0}};
	struct proc_result r = {0};
	words_add(&w, "env");
	if (o->index) {
		words_add(&w, o->index);
	}
	words_add(&w, "git");
	if (o->top) {
		words_add(&w, "-C");
		words_add(&w, o->top);
	}
	words_add_all(&w, words);
	struct proc_job job = {.argv = words_finish(&w, o->a)};
	proc_run(&r, &job);
	bool ok = proc_ok(&r);
	if (ok) {
		*out = arena_str(o->a, sbuf_str(&r.out));
	} else if (!o->quiet) {
		msg_error("git %s: %s", words[0],
			r.err.n > 0 ? sbuf_cstr(&r.err) : "it cannot be run");
	}
	proc_result_release(&r);
	return ok ? 0 : FAIL_USAGE;
}

static int ask_line(const char **out, const struct opening *o, const char *const *words)
{
	struct str said = {0};
	int rc = ask_git(&said, o, words);
	while (said.n > 0 && said.p[said.n - 1] == '\n') {
		said.n--;
	}
	*out = arena_strndup(o->a, said.p, said.n);
	return rc;
}

/* Runs git, which prints file names below the top, each with a NUL. */
static int ask_names(struct words *out, const struct opening *o, const char *const *words)
{
	struct str said = {0}, name;
	int rc = ask_git(&said, o, words);
	while (rc == 0 && said.n > 0 && str_split(&said, '\0', &name)) {
		if (name.n > 0) {
			words_add(out, arena_strndup(o->a, name.p, name.n));
		}
	}
	return rc;
}

/* Writes the files' texts at the commit below dir. */
static int write_texts(const struct opening *o, const char *const *name, size_t n)
{
	const char *const read[] = {"read-tree", o->commit, NULL};
	struct str said;
	int rc = ask_git(&said, o, read);
	for (size_t i = 0; rc == 0 && i < n;) {
		struct words w = {{0}};
		words_add(&w, "checkout-index");
		words_add(&w, arena_printf(o->a, "--prefix=%s/", o->dir));
		words_add(&w, "--");
		for (size_t end = i + AT_A_TIME; i < n && i < end; i++) {
			words_add(&w, name[i]);
		}
		rc = ask_git(&said, o, words_finish(&w, o->a));
	}
	return rc;
}

static int stand_in_place(struct revision *out, const struct opening *o, const struct words *names)
{
	struct sbuf list = {0};
	int rc = write_texts(o, names->v.v, names->v.n);
	size_t n = names->v.n;
	out->in_place = ARENA_ARRAY(o->a, struct stand_in, n + 1);
	out->file = ARENA_ARRAY(o->a, struct revision_file, n + 1);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const char *now = arena_printf(o->a, "%s/%s", o->top, names->v.v[i]);
		const char *text = arena_printf(o->a, "%s/%s", o->dir, names->v.v[i]);
		if (!file_exists(text)) {
			continue; /* a submodule */
		}
		struct stand_in *in = &out->in_place[out->in_places++];
		*in = (struct stand_in){.name = vfs_names(o->a, now), .content = text};
		rc = file_text(&in->text, o->a, text);
		out->file[out->files].name = path_real(o->a, now);
		out->file[out->files++].text = text;
	}
	vfs_list(&list, out->in_place, out->in_places);
	out->overlay = arena_printf(o->a, "%s.yaml", o->dir);
	rc = rc ? rc : file_write_atomic(out->overlay, sbuf_str(&list));
	sbuf_release(&list);
	return rc;
}

static int find_places(struct opening *o, const char *name)
{
	const char *const top[] = {"rev-parse", "--show-toplevel", NULL};
	const char *const commit[] = {"rev-parse", "--verify", "--quiet", "--end-of-options",
		arena_printf(o->a, "%s^{commit}", name), NULL};
	const char *const dir = tmpdir_create();
	int rc = dir ? ask_line(&o->top, o, top) : FAIL_USAGE;
	rc = rc ? rc : ask_line(&o->commit, o, commit);
	if (rc == 0) {
		o->top = path_real(o->a, o->top);
		o->dir = arena_printf(o->a, "%s/tree", dir);
		o->index = arena_printf(o->a, "GIT_INDEX_FILE=%s/index", dir);
	}
	return rc;
}

int revision_open(struct revision *out, struct arena *a, const char *name, const char *where)
{
	struct opening o = {.a = a, .top = where, .quiet = true};
	struct words differ = {{0}}, added = {{0}}, without = {{0}};
	*out = (struct revision){0};
	int rc = find_places(&o, name);
	if (rc) {
		return fail_usage("--against %s: neither a file nor a commit of git", name);
	}
	const char *const changed[] = {"diff", "--name-only", "--no-renames", "--diff-filter=a",
		"-z", o.commit, "--", NULL};
	const char *const come[] = {"diff", "--name-only", "--no-renames", "--diff-filter=A", "-z",
		o.commit, "--", NULL};
	const char *const others[] = {"ls-files", "--others", "--exclude-standard", "-z", NULL};
	const char *index = o.index;
	o.quiet = false;
	o.index = NULL; /* compare with the user's own index and files */
	rc = ask_names(&differ, &o, changed);
	rc = rc ? rc : ask_names(&added, &o, come);
	rc = rc ? rc : ask_names(&added, &o, others);
	o.index = index;
	rc = rc || differ.v.n == 0 ? rc : stand_in_place(out, &o, &differ);
	array_each (&added.v, const char *, file) {
		words_add(&without, path_real(a, arena_printf(a, "%s/%s", o.top, *file)));
	}
	out->without = words_finish(&without, a);
	if (rc == 0) {
		msg_note("%s is commit %.12s; %zu files differ from it", name, o.commit,
			differ.v.n + added.v.n);
	}
	array_release(&differ.v);
	array_release(&added.v);
	return rc;
}

const char *revision_path(const struct revision *r, struct arena *a, const char *path)
{
	const char *real = path_real(a, path);
	for (const char *const *w = r->without; *w; w++) {
		if (strcmp(*w, real) == 0) {
			return NULL;
		}
	}
	for (size_t i = 0; i < r->files; i++) {
		if (strcmp(r->file[i].name, real) == 0) {
			return r->file[i].text;
		}
	}
	return path;
}
