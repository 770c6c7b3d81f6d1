#include "base/kept/root.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/marker.h"

#define NAME "unphi"
#define MARKER_TEXT                                                                                \
	"unphi made this directory to keep what it can make again (cache 1).\n"                    \
	"Its files may be removed at any time, by unphi and by you.\n"

enum {
	OPEN_DIR = O_RDONLY | O_DIRECTORY | O_CLOEXEC
};

/* Creates path and its missing parents, below a directory that is ours. The modes are those of the
 * XDG base directory specification. */
static bool make_dirs(struct arena *a, const char *path, unsigned depth)
{
	struct stat st;

	if (stat(path, &st) == 0) {
		return S_ISDIR(st.st_mode);
	}
	struct str parent = path_dir(str_of(path));
	if (errno != ENOENT || depth == 0) {
		return false;
	}
	const char *above = arena_strndup(a, parent.p, parent.n);
	bool ours = make_dirs(a, above, depth - 1) && stat(above, &st) == 0 &&
		    (st.st_uid == geteuid() || (st.st_mode & S_ISVTX));
	return ours && (mkdir(path, 0700) == 0 || errno == EEXIST);
}

/* The parent of the cache directory; NULL if there is none. */
static const char *find_base(struct arena *a)
{
	const char *base = getenv("XDG_CACHE_HOME");

	if (!base || base[0] != '/') {
		const char *home = getenv("HOME");
		if (!home || home[0] != '/' || !file_is_dir(home)) {
			return NULL;
		}
		base = arena_printf(a, "%s/.cache", home);
	}
	return base;
}

int cache_kind_open(int root, const char *name)
{
	int fd = openat(root, name, OPEN_DIR | O_NOFOLLOW);

	if (fd >= 0 && !dir_is_own(fd)) {
		close(fd);
		return -1;
	}
	return fd;
}

int cache_kind_make(int root, const char *name)
{
	return mkdirat(root, name, 0700) == 0 || errno == EEXIST ? cache_kind_open(root, name) : -1;
}

bool cache_kind_is_ours(int kind)
{
	int root = openat(kind, "..", OPEN_DIR);
	bool is = root >= 0 && dir_is_own(root) && marker_is(root, STR(MARKER_TEXT));

	if (root >= 0) {
		close(root);
	}
	return is;
}

static int open_in(int base)
{
	struct stat st;
	bool ours = fstat(base, &st) == 0 && (st.st_uid == geteuid() || (st.st_mode & S_ISVTX));

	if (fstatat(base, NAME, &st, AT_SYMLINK_NOFOLLOW) != 0) {
		return ours ? cache_kind_make(base, NAME) : -1;
	}
	if (!S_ISLNK(st.st_mode)) {
		return cache_kind_open(base, NAME);
	}
	/* only our user's link is followed */
	int fd = st.st_uid == geteuid() ? openat(base, NAME, OPEN_DIR) : -1;
	if (fd >= 0 && !dir_is_own(fd)) {
		close(fd);
		return -1;
	}
	return fd;
}

static bool is_empty(int dir)
{
	int fd = openat(dir, ".", OPEN_DIR);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	bool empty = d != NULL;

	for (const struct dirent *e; empty && (e = readdir(d));) {
		empty = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 ||
			marker_is_part(e->d_name);
	}
	if (d) {
		closedir(d);
	} else if (fd >= 0) {
		close(fd);
	}
	return empty;
}

/* Another process may be creating it: the marker comes first, other files after it. */
static bool is_marked(int root)
{
	return marker_is(root, STR(MARKER_TEXT)) ||
	       (is_empty(root) ? marker_put(root, STR(MARKER_TEXT))
			       : marker_is(root, STR(MARKER_TEXT)));
}

/* -1 on failure; *unmarked: only the marker is missing. */
static int open_root(struct arena *a, bool *unmarked)
{
	const char *base = find_base(a);
	int above = base && make_dirs(a, base, 8) ? open(base, OPEN_DIR) : -1;
	int root = above >= 0 ? open_in(above) : -1;

	*unmarked = false;
	if (above >= 0) {
		close(above);
	}
	if (root >= 0 && faccessat(root, ".", R_OK | W_OK | X_OK, AT_EACCESS) != 0) {
		close(root);
		return -1;
	}
	if (root >= 0 && !is_marked(root)) {
		*unmarked = !is_empty(root);
		close(root);
		return -1;
	}
	return root;
}

int cache_root_open(struct arena *a)
{
	bool unmarked;

	return open_root(a, &unmarked);
}

const char *cache_dir(struct arena *a)
{
	int root = cache_root_open(a);

	if (root < 0) {
		return NULL;
	}
	close(root);
	return arena_printf(a, "%s/" NAME, find_base(a));
}

const char *cache_not_ours(struct arena *a)
{
	bool unmarked;
	int root = open_root(a, &unmarked);

	if (root >= 0) {
		close(root);
	}
	return unmarked ? arena_printf(a,
				  "%s/" NAME " is not used: it lacks the file " MARKER_NAME
				  ", so it may be yours; move it away (a cache of an older unphi "
				  "can be removed), or set XDG_CACHE_HOME to another directory",
				  find_base(a))
			: NULL;
}

const char *cache_refusal(struct arena *a)
{
	const char *why = cache_not_ours(a);

	return why || cache_dir(a)
		       ? why
		       : "there is no cache: neither $XDG_CACHE_HOME nor ~/.cache is a directory "
			 "that only this user may write to";
}
