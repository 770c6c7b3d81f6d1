#include "verify/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"

struct store {
	struct arena *a;
	struct cache *cache;
	const char *compiler; /* the part of all keys that names it */
	time_t opened;
};

/* "SIZE SECONDS NANOSECONDS PATH\n"; false when there is no such file. */
static bool add_stamp(struct sbuf *out, const char *path)
{
	struct stat st;
	if (stat(path, &st) != 0) {
		return false;
	}
	sbuf_addf(out, "%jd %jd %ld %s\n", (intmax_t)st.st_size, (intmax_t)st.st_mtim.tv_sec,
		st.st_mtim.tv_nsec, path);
	return true;
}

/* clang says at --version which files configure it. */
static void add_configuration(struct sbuf *out, struct arena *a, struct str version)
{
	static const char mark[] = "Configuration file: ";
	struct str line;
	while (str_line(&version, &line)) {
		if (str_starts(line, mark)) {
			struct str path = str_sub(line, sizeof(mark) - 1, line.n);
			add_stamp(out, arena_strndup(a, path.p, path.n));
		}
	}
}

static void add_environment(struct sbuf *out)
{
	static const char *const names[] = {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH",
		"LIBRARY_PATH", "COMPILER_PATH", "CCC_OVERRIDE_OPTIONS", "GCC_EXEC_PREFIX"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *value = getenv(names[i]);
		if (value) {
			sbuf_addf(out, "%s=%s\n", names[i], value);
		}
	}
}

struct store *store_open(struct arena *a, struct cache *c, const char *compiler, struct str version)
{
	struct store *s = ARENA_NEW(a, struct store);
	struct sbuf id = {0};
	char *real = realpath(compiler, NULL);
	*s = (struct store){.a = a, .cache = c, .opened = time(NULL)};
	sbuf_addf(&id, "%s\n", compiler);
	if (!real || !add_stamp(&id, real)) {
		s->cache = NULL;
	}
	sbuf_addstr(&id, version);
	sbuf_addc(&id, '\n');
	add_configuration(&id, a, version);
	add_environment(&id);
	s->compiler = arena_strdup(a, sbuf_cstr(&id));
	free(real);
	sbuf_release(&id);
	return s;
}

struct str store_key(struct store *s, const char *const *words, struct str text)
{
	struct sbuf key = {0};
	sbuf_adds(&key, s->compiler);
	for (; *words; words++) {
		sbuf_addf(&key, "%s\n", *words);
	}
	sbuf_addf(&key, "%zu %016" PRIx64 " %016" PRIx64 "\n", text.n, str_hash(text, 0),
		str_hash(text, str_hash(STR("second"), 0)));
	struct str r = {arena_memdup(s->a, key.p, key.n), key.n};
	sbuf_release(&key);
	return r;
}

/* ---- what went into an object ---- */

/* The next word of a make rule; blanks and line ends in names have a backslash before them. */
static bool next_word(struct sbuf *out, struct str *rest)
{
	size_t i = 0;
	sbuf_reset(out);
	for (; i < rest->n; i++) {
		char c = rest->p[i];
		bool escaped = c == '\\' && i + 1 < rest->n;
		if (escaped && rest->p[i + 1] == '\n') {
			i++;
			c = ' ';
		} else if (escaped && strchr(" #\\", rest->p[i + 1])) {
			sbuf_addc(out, rest->p[++i]);
			continue;
		}
		if (c != ' ' && c != '\n' && c != '\t') {
			sbuf_addc(out, c);
		} else if (out->n > 0) {
			break;
		}
	}
	*rest = str_sub(*rest, i, rest->n);
	return out->n > 0;
}

/* Not what may have changed while the compiler read it. */
static bool add_dependency(struct sbuf *out, const struct store *s, const char *path)
{
	struct stat st;
	return path[0] == '/' && stat(path, &st) == 0 && st.st_mtim.tv_sec < s->opened &&
	       add_stamp(out, path);
}

/* Stamps of all that the rule in file depends on but what is in own. */
static bool add_dependencies(
	struct sbuf *out, const struct store *s, const char *file, const char *own)
{
	struct sbuf rule = {0};
	struct sbuf word = {0};
	bool ok = file_read(&rule, file) == 0;
	struct str rest = sbuf_str(&rule);
	next_word(&word, &rest); /* the object */
	while (ok && next_word(&word, &rest)) {
		ok = str_starts(sbuf_str(&word), own) || add_dependency(out, s, sbuf_cstr(&word));
	}
	sbuf_release(&rule);
	sbuf_release(&word);
	return ok;
}

/* Takes the stamps off the front of an entry; false when one is not true any more. */
static bool check_dependencies(struct arena *a, struct str *entry)
{
	struct str line;
	struct sbuf now = {0};
	bool ok = true;
	while (ok && str_line(entry, &line) && line.n > 0) {
		struct str path = line;
		struct str number;
		for (int i = 0; i < 3; i++) {
			str_split(&path, ' ', &number);
		}
		sbuf_reset(&now);
		ok = path.n > 0 && add_stamp(&now, arena_strndup(a, path.p, path.n)) &&
		     now.n == line.n + 1 && memcmp(now.p, line.p, line.n) == 0;
	}
	sbuf_release(&now);
	return ok;
}

bool store_get(struct store *s, struct str key, const char *path)
{
	struct sbuf entry = {0};
	bool ok = s->cache && cache_get(&entry, s->cache, key);
	struct str content = sbuf_str(&entry);
	ok = ok && check_dependencies(s->a, &content) && file_write_atomic(path, content) == 0 &&
	     chmod(path, 0700) == 0;
	sbuf_release(&entry);
	return ok;
}

void store_put(
	struct store *s, struct str key, const char *path, const char *depends, const char *own)
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
