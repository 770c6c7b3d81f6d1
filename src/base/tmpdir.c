#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/marker.h"
#include "base/msg.h"

enum {
	STALE_AFTER_S = 24 * 60 * 60 /* age at which directories of killed runs are removed */
};

/* All temporary directories are in one root, so that they need one entry in the clean-up table. */
static struct {
	struct arena *names;
	char *root;
	unsigned made;
} tmp;

#define ROOT_HEAD "unphi-run-"

/* Could mkdtemp have made this name from unphi's pattern? */
static bool is_root_name(const char *name)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
	const size_t head = sizeof(ROOT_HEAD) - 1;

	return strlen(name) == head + 6 && strncmp(name, ROOT_HEAD, head) == 0 &&
	       strspn(name + head, letters) == 6;
}

/* The marker's text. It names this directory, so a copy, or a directory renamed to keep it, is not
 * removed. */
static struct str marker_text(struct sbuf *out, int fd, const char *name)
{
	struct stat st;

	sbuf_addf(out,
		"One run of unphi made the directory %s (inode %" PRIuMAX ").\n"
		"It is removed with all that is in it.\n",
		name, fstat(fd, &st) == 0 ? (uintmax_t)st.st_ino : 0);
	return sbuf_str(out);
}

static bool is_stale_root(int fd, const char *name)
{
	struct sbuf text = {0};
	struct stat st;
	bool old = dir_is_own(fd) && fstat(fd, &st) == 0 &&
		   time(NULL) - st.st_mtime > STALE_AFTER_S &&
		   marker_is(fd, marker_text(&text, fd, name));

	sbuf_release(&text);
	/* the process that made a root locks it while it lives */
	return old && flock(fd, LOCK_EX | LOCK_NB) == 0;
}

/* Removes the directories of killed runs, without a message. */
static void remove_stale_roots(const char *base)
{
	DIR *dir = opendir(base);

	for (const struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
		int fd = is_root_name(e->d_name)
				 ? openat(dirfd(dir), e->d_name,
					   O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
				 : -1;
		if (fd >= 0 && is_stale_root(fd, e->d_name)) {
			cleanup_remove_open(dirfd(dir), e->d_name, fd);
		}
		if (fd >= 0) {
			close(fd);
		}
	}
	if (dir) {
		closedir(dir);
	}
}

/* Locks the root until we and our forks have ended, and marks it. */
static bool mark(const char *root)
{
	struct sbuf text = {0};
	int fd = open(root, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0) {
		return false;
	}
	flock(fd, LOCK_SH);
	bool ok = marker_put(fd, marker_text(&text, fd, path_base(str_of(root)).p));
	int e = errno;
	sbuf_release(&text);
	errno = e;
	return ok;
}

/* Makes the root; NULL after a message. */
static char *make_root(const char *base)
{
	sigset_t saved;
	char *absolute = realpath(base, NULL);
	if (!absolute) {
		msg_error("cannot use %s for temporary files: %s; set TMPDIR to a directory", base,
			strerror(errno));
		return NULL;
	}
	if (!tmp.names) {
		tmp.names = arena_create();
	}
	char *root = arena_printf(tmp.names, "%s/" ROOT_HEAD "XXXXXX", absolute);
	cleanup_hold(&saved);
	bool made = mkdtemp(root) != NULL;
	int e = errno;
	if (made && cleanup_add_path(CLEANUP_DIR, root) < 0) {
		e = errno;
		rmdir(root);
		made = false;
	}
	cleanup_let(&saved);
	if (made && !mark(root)) {
		e = errno;
		made = false; /* it is removed at exit */
	}
	if (!made) {
		msg_error("cannot create a temporary directory in %s: %s; set TMPDIR to another",
			absolute, strerror(e));
	} else {
		remove_stale_roots(absolute);
	}
	free(absolute);
	return made ? root : NULL;
}

const char *tmpdir_create(void)
{
	const char *base = getenv("TMPDIR");
	char *dir;
	int rc;

	if (!tmp.root) {
		tmp.root = make_root(base && base[0] ? base : "/tmp");
	}
	if (!tmp.root) {
		return NULL;
	}
	do { /* a forked process may have taken this name */
		dir = arena_printf(tmp.names, "%s/%u", tmp.root, tmp.made++);
		rc = mkdir(dir, 0700);
	} while (rc != 0 && errno == EEXIST);
	if (rc != 0) {
		msg_error("cannot create the temporary directory %s: %s", dir, strerror(errno));
		return NULL;
	}
	return dir;
}
