#include "base/vfs.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/words.h"

/* The path without "." and "..", as the compiler looks names up; links are not resolved. */
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

const char *const *vfs_names(struct arena *a, const char *path)
{
	struct words names = {{0}};
	const char *pwd = getenv("PWD");

	words_add_once(&names, plain(a, path_absolute(a, NULL, path)));
	if (path[0] != '/' && pwd && pwd[0] == '/' && is_here(pwd)) {
		words_add_once(&names, plain(a, path_absolute(a, pwd, path)));
	}
	struct str base = path_base(str_of(path));
	words_add_once(&names,
		plain(a, arena_printf(a, "%s/%.*s", path_real_dir(a, path), STR_ARG(base))));
	words_add_once(&names, path_real(a, path_absolute(a, NULL, path)));
	return words_finish(&names, a);
}

void vfs_list(struct sbuf *out, const struct stand_in *v, size_t n)
{
	const char *separator = "";

	sbuf_adds(out, "{\"version\": 0, \"case-sensitive\": \"true\", "
		       "\"use-external-names\": \"false\", \"roots\": [");
	for (size_t i = 0; i < n; i++) {
		for (const char *const *name = v[i].name; *name; name++) {
			sbuf_addf(out, "%s\n{\"type\": \"file\", \"name\": ", separator);
			sbuf_add_quoted(out, str_of(*name));
			sbuf_adds(out, ", \"external-contents\": ");
			sbuf_add_quoted(out, str_of(v[i].content));
			sbuf_addc(out, '}');
			separator = ",";
		}
	}
	sbuf_adds(out, "\n]}\n");
}
