#include "verify/run/build_cache.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/kept/stamped.h"

struct build_cache {
	struct arena *a;
	struct cache *cache;
	const char *compiler; /* its part of every key */
	time_t opened;
};

/* Adds clang's configuration files, which --version lists. */
static void add_configuration(struct sbuf *out, struct arena *a, struct str version)
{
	static const char mark[] = "Configuration file: ";
	struct str line;
	while (str_line(&version, &line)) {
		if (str_starts(line, mark)) {
			struct str path = str_sub(line, sizeof(mark) - 1, line.n);
			stamp_add(out, arena_strndup(a, path.p, path.n), 0);
		}
	}
}

struct build_cache *build_cache_open(
	struct arena *a, struct cache *c, const char *compiler, struct str version)
{
	struct build_cache *s = ARENA_NEW(a, struct build_cache);
	struct sbuf id = {0};
	char *real = realpath(compiler, NULL);
	*s = (struct build_cache){.a = a, .cache = c, .opened = time(NULL)};
	sbuf_addf(&id, "%s\n", compiler);
	if (!real || !stamp_add_program(&id, real)) {
		s->cache = NULL;
	}
	sbuf_addstr(&id, version);
	sbuf_addc(&id, '\n');
	add_configuration(&id, a, version);
	stamp_add_environment(&id);
	s->compiler = arena_strdup(a, sbuf_cstr(&id));
	free(real);
	sbuf_release(&id);
	return s;
}

struct str build_cache_key(struct build_cache *s, const char *const *words, struct str text)
{
	struct sbuf key = {0};
	sbuf_adds(&key, s->compiler);
	for (; *words; words++) {
		sbuf_addf(&key, "%s\n", *words);
	}
	stamp_add_text(&key, text);
	return sbuf_finish(&key, s->a);
}

/* ---- dependencies of an object ---- */

/* Adds stamps of the rule's prerequisites, except those in own. */
static bool add_dependencies(
	struct sbuf *out, const struct build_cache *s, const char *file, const char *own)
{
	struct sbuf rule = {0};
	bool ok = file_read(&rule, file) == 0;
	const char *const *path = stamp_rule_files(s->a, sbuf_str(&rule));
	for (; ok && *path; path++) {
		ok = str_starts(str_of(*path), own) ||
		     ((*path)[0] == '/' && stamp_add(out, *path, s->opened));
	}
	sbuf_release(&rule);
	return ok;
}

bool build_cache_get(struct build_cache *s, struct str key, const char *path)
{
	struct stamped e;
	return s->cache && stamped_get(&e, s->a, s->cache, key, false) &&
	       file_write_atomic(path, e.content) == 0 && chmod(path, 0700) == 0;
}

void build_cache_put(struct build_cache *s, struct str key, const char *path, const char *depends,
	const char *own)
{
	struct sbuf entry = {0};
	if (!s->cache) {
		return;
	}
	bool ok = !depends || add_dependencies(&entry, s, depends, own);
	sbuf_addc(&entry, '\n');
	if (ok && file_read(&entry, path) == 0) {
		cache_put(s->cache, key, sbuf_str(&entry));
	}
	sbuf_release(&entry);
}
