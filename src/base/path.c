#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/msg.h"

static struct str without_trailing_slashes(struct str path)
{
	while (path.n > 1 && path.p[path.n - 1] == '/') {
		path.n--;
	}
	return path;
}

struct str path_base(struct str path)
{
	path = without_trailing_slashes(path);
	for (size_t i = path.n; i-- > 0;) {
		if (path.p[i] == '/' && path.n > 1) {
			return str_sub(path, i + 1, path.n);
		}
	}
	return path;
}

struct str path_dir(struct str path)
{
	path = without_trailing_slashes(path);
	for (size_t i = path.n; i-- > 0;) {
		if (path.p[i] == '/') {
			return without_trailing_slashes(str_sub(path, 0, i + 1));
		}
	}
	return STR(".");
}

const char *path_real(struct arena *a, const char *path)
{
	char *full = path ? realpath(path, NULL) : NULL;
	const char *real = full ? arena_strdup(a, full) : path;

	free(full);
	return real;
}

const char *path_real_dir(struct arena *a, const char *path)
{
	struct str dir = path_dir(str_of(path));

	return path_real(a, arena_strndup(a, dir.p, dir.n));
}

const char *path_absolute(struct arena *a, const char *dir, const char *path)
{
	char *cwd = dir || path[0] == '/' ? NULL : getcwd(NULL, 0);
	const char *base = dir ? dir : cwd;
	const char *full = path[0] == '/' || !base ? path : arena_printf(a, "%s/%s", base, path);

	free(cwd);
	return full;
}

bool path_is_below(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	return strncmp(path, dir, n) == 0 && (path[n] == '/' || (n && dir[n - 1] == '/'));
}

void path_join(struct sbuf *b, const char *dir, const char *name)
{
	struct sbuf joined = {0};

	sbuf_adds(&joined, dir);
	if (joined.n > 0 && joined.p[joined.n - 1] != '/') {
		sbuf_addc(&joined, '/');
	}
	sbuf_adds(&joined, name);
	/* Only now, since dir or name may point into b. */
	sbuf_release(b);
	*b = joined;
}

int path_make_dirs(const char *path)
{
	struct sbuf part = {0};
	struct str whole = str_of(path);
	int r = 0;

	for (size_t i = 1; i <= whole.n && r == 0; i++) {
		if (i < whole.n && whole.p[i] != '/') {
			continue;
		}
		sbuf_reset(&part);
		sbuf_addstr(&part, str_sub(whole, 0, i));
		if (mkdir(sbuf_cstr(&part), 0777) != 0 && !file_is_dir(sbuf_cstr(&part))) {
			msg_error("cannot create the directory %s: %s", sbuf_cstr(&part),
				strerror(errno == EEXIST ? ENOTDIR : errno));
			r = FAIL_USAGE;
		}
	}
	sbuf_release(&part);
	return r;
}
