#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/msg.h"

enum {
	STALE_AFTER_S = 24 * 60 * 60 /* before what a killed run left is removed */
};

/* All temporary directories stand in one root, so that one entry in the clean-up table is enough.
 */
static struct {
	struct arena *names;
	char *root;
	unsigned made;
} tmp;

/* The name of a root, as mkdtemp makes them? */
static bool is_root_name(const char *name)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";

	return strlen(name) == strlen("unphi-XXXXXX") && strncmp(name, "unphi-", 6) == 0 &&
	       strspn(name + 6, letters) == 6;
}

/* Whoever made a root holds a lock on it for as long as it lives. Those of before had none. */
static void remove_stale(int base, const char *name)
{
	struct stat st;
	int fd = openat(base, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0 && fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
		time(NULL) - st.st_mtime > STALE_AFTER_S && flock(fd, LOCK_EX | LOCK_NB) == 0) {
		cleanup_remove_at(base, name);
	}
	if (fd >= 0) {
		close(fd);
	}
}

/* What runs that were killed have left. Nothing is said of it. */
static void remove_stale_roots(const char *base)
{
	DIR *dir = opendir(base);

	for (const struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
		if (is_root_name(e->d_name)) {
			remove_stale(dirfd(dir), e->d_name);
		}
	}
	if (dir) {
		closedir(dir);
	}
}

static int tmp_make_root(void)
{
	const char *base = getenv("TMPDIR");
	sigset_t saved;

	if (!base || base[0] == '\0') {
		base = "/tmp";
	}
	char *absolute = realpath(base, NULL);
	if (!absolute) {
		msg_error("cannot use %s for temporary files: %s; set TMPDIR to a directory", base,
			strerror(errno));
		return -1;
	}
	if (!tmp.names) {
		tmp.names = arena_create();
	}
	char *root = arena_printf(tmp.names, "%s/unphi-XXXXXX", absolute);
	cleanup_hold(&saved);
	bool made = mkdtemp(root) != NULL;
	int e = errno;
	if (made && cleanup_add_path(CLEANUP_DIR, root) < 0) {
		e = errno;
		rmdir(root);
		made = false;
	}
	cleanup_let(&saved);
	if (!made) {
		msg_error("cannot create a temporary directory in %s: %s; set TMPDIR to another",
			absolute, strerror(e));
	} else {
		tmp.root = root;
		int fd = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0) {
			flock(fd, LOCK_SH); /* until the last of us has ended */
		}
		remove_stale_roots(absolute);
	}
	free(absolute);
	return made ? 0 : -1;
}

const char *tmpdir_create(void)
{
	if (!tmp.root && tmp_make_root() != 0) {
		return NULL;
	}
	char *dir = arena_printf(tmp.names, "%s/%u", tmp.root, tmp.made++);
	if (mkdir(dir, 0700) != 0) {
		msg_error("cannot create the temporary directory %s: %s", dir, strerror(errno));
		return NULL;
	}
	return dir;
}
