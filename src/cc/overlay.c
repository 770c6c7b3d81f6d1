#include "cc/overlay.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "report/json.h"

/* Without "." and "..", as the compiler looks names up; links stay. */
static const char *plain(struct arena *a, const char *path)
{
	struct sbuf out = {0};
	struct str rest = str_of(path);
	struct str part;

	while (str_split(&rest, '/', &part)) {
		if (str_is(part, "..")) {
			while (out.n && out.p[out.n - 1] != '/') {
				out.n--;
			}
			out.n -= out.n > 0;
		} else if (part.n && !str_is(part, ".")) {
			sbuf_addf(&out, "/%.*s", STR_ARG(part));
		}
	}
	const char *copy = arena_strndup(a, out.p ? out.p : "", out.n);
	sbuf_release(&out);
	return copy;
}

static bool is_here(const char *dir)
{
	struct stat one, two;

	return stat(dir, &one) == 0 && stat(".", &two) == 0 && one.st_dev == two.st_dev &&
	       one.st_ino == two.st_ino;
}

/* The names that a compiler may look the file up by. It takes PWD for the working directory's name
 * where it is one. */
static size_t names_of(const char *names[3], struct arena *a, const char *source)
{
	char full[PATH_MAX];
	const char *pwd = getenv("PWD");
	size_t n = 0;

	if (source[0] == '/') {
		names[n++] = plain(a, source);
	} else {
		if (getcwd(full, sizeof(full))) {
			names[n++] = plain(a, arena_printf(a, "%s/%s", full, source));
		}
		if (pwd && pwd[0] == '/' && is_here(pwd)) {
			names[n++] = plain(a, arena_printf(a, "%s/%s", pwd, source));
		}
	}
	if (realpath(source, full)) {
		names[n++] = arena_strdup(a, full);
	}
	return n;
}

static void add_list(struct sbuf *out, const char *const *names, size_t n, const char *content)
{
	struct json j;

	jsonw_init(&j, out);
	jsonw_object(&j);
	jsonw_key_i64(&j, "version", 0);
	jsonw_key_str(&j, "case-sensitive", STR("true"));
	jsonw_key_str(&j, "use-external-names", STR("false"));
	jsonw_key(&j, "roots");
	jsonw_array(&j);
	for (size_t i = 0; i < n; i++) {
		bool known = false;
		for (size_t k = 0; k < i; k++) {
			known = known || strcmp(names[i], names[k]) == 0;
		}
		if (known) {
			continue;
		}
		jsonw_object(&j);
		jsonw_key_str(&j, "name", str_of(names[i]));
		jsonw_key_str(&j, "type", STR("file"));
		jsonw_key_str(&j, "external-contents", str_of(content));
		jsonw_end(&j);
	}
	jsonw_end(&j);
	jsonw_end(&j);
	jsonw_finish(&j);
}

static const char *keep(struct cache *c, struct str content)
{
	const char *path = cache_file_begin(c);

	if (path && file_write_atomic(path, content) != 0) {
		cache_file_drop(c, path);
		return NULL;
	}
	return path ? cache_file_keep(c, path) : NULL;
}

bool cc_overlay_keep(struct cc_overlay *out, struct arena *a, struct cache *c, const char *source,
	struct str text)
{
	const char *names[3];
	size_t n = names_of(names, a, source);
	struct sbuf list = {0};

	*out = (struct cc_overlay){.text = n ? keep(c, text) : NULL};
	const char *content = out->text ? cache_file_find(c, out->text) : NULL;
	if (content) {
		add_list(&list, names, n, content);
		out->list = keep(c, sbuf_str(&list));
	}
	sbuf_release(&list);
	return out->list != NULL;
}
