#include "cli/setup/sources.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

enum {
	KEY_MAX = 64
};

static bool make_key(char *key, size_t n, const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0) {
		return false;
	}
	snprintf(key, n, "%llu:%llu", (unsigned long long)st.st_dev, (unsigned long long)st.st_ino);
	return true;
}

static void look_at_text(struct sources *l, struct source *s)
{
	sbuf_adds(&s->text, ""); /* not NULL, even if it is empty */
	s->lines = line_marks_make(l->a, sbuf_str(&s->text));
	suppressions_find(&s->suppressions, sbuf_str(&s->text));
}

void source_given(struct sources *l, const char *path, const char *real, struct str text)
{
	struct source *s = (struct source *)map_get(&l->by_real, str_of(real), 0);

	if (!s) {
		s = ARENA_NEW(l->a, struct source);
		s->path = path;
		sbuf_addstr(&s->text, text);
		look_at_text(l, s);
		map_set(&l->by_real, str_of(real), (uintptr_t)s);
		array_push(&l->v, s);
	}
	map_set(&l->by_path, str_of(path), (uintptr_t)s);
}

/* Finds a given source by its shown name, which is relative to the working directory if it is below
 * that. */
static struct source *given(const struct sources *l, const char *path)
{
	char cwd[PATH_MAX];
	const char *here = getcwd(cwd, sizeof(cwd)) ? cwd : "/";
	size_t n = strlen(here);

	if (strncmp(path, here, n) == 0 && path[n] == '/') {
		path += n + 1;
	}
	return (struct source *)map_get(&l->by_path, str_of(path), 0);
}

struct source *source_known(const struct sources *l, const char *path)
{
	char key[KEY_MAX];

	if (l->by_real.n > 0) {
		return given(l, path);
	}
	/* a given source without a file has no key */
	return make_key(key, sizeof(key), path)
		       ? (struct source *)map_get(&l->by_file, str_of(key), 0)
		       : (struct source *)map_get(&l->by_path, str_of(path), 0);
}

struct source *source_of(struct sources *l, const char *path)
{
	char key[KEY_MAX];
	struct str name = str_of(path);

	if (map_has(&l->by_path, name)) {
		return (struct source *)map_get(&l->by_path, name, 0);
	}
	struct source *s = NULL;
	if (l->by_real.n == 0 && make_key(key, sizeof(key), path)) {
		s = (struct source *)map_get(&l->by_file, str_of(key), 0);
		if (!s) {
			s = ARENA_NEW(l->a, struct source);
			s->path = path;
			map_set(&l->by_file, str_of(key), (uintptr_t)s);
			array_push(&l->v, s);
		}
	}
	map_set(&l->by_path, name, (uintptr_t)s);
	return s;
}

void source_edited(struct sources *l, const char *path, struct str text)
{
	struct source *s = source_of(l, path);

	if (!s) {
		s = ARENA_NEW(l->a, struct source);
		s->path = path;
		map_set(&l->by_path, str_of(path), (uintptr_t)s);
		array_push(&l->v, s);
	}
	sbuf_addstr(&s->text, text);
	look_at_text(l, s);
}

void source_read(struct sources *l, struct source *s)
{
	if (!s->text.p && file_exists(s->path) && file_read(&s->text, s->path) == 0) {
		look_at_text(l, s);
	}
}

void sources_release(struct sources *l)
{
	array_each (&l->v, struct source *, s) {
		sbuf_release(&(*s)->text);
		suppressions_release(&(*s)->suppressions);
	}
	array_release(&l->v);
	map_release(&l->by_file);
	map_release(&l->by_path);
	map_release(&l->by_real);
}
