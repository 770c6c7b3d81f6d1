#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/mem.h"
#include "base/msg.h"

/* Follows symbolic links at the end of path to the file to replace, which need not exist yet. */
static int follow_links(struct sbuf *path)
{
	enum {
		MAX_LINKS = 40
	};
	char target[PATH_MAX];

	for (int i = 0; i < MAX_LINKS; i++) {
		ssize_t n = readlink(sbuf_cstr(path), target, sizeof(target) - 1);

		if (n < 0) {
			return errno == EINVAL || errno == ENOENT ? 0 : -1;
		}
		target[n] = '\0';
		if (target[0] == '/') {
			sbuf_reset(path);
			sbuf_adds(path, target);
		} else {
			struct sbuf dir = {0};

			sbuf_addstr(&dir, path_dir(sbuf_str(path)));
			path_join(path, sbuf_cstr(&dir), target);
			sbuf_release(&dir);
		}
	}
	errno = ELOOP;
	return -1;
}

static uint64_t random_number(void)
{
	uint64_t x = 0;

	if (getrandom(&x, sizeof(x), GRND_NONBLOCK) != (ssize_t)sizeof(x)) {
		struct timespec t;

		clock_gettime(CLOCK_REALTIME, &t);
		x = (uint64_t)t.tv_nsec << 32 ^ (uint64_t)t.tv_sec ^ (uint64_t)getpid();
	}
	return x;
}

/* A temporary file; removed at exit unless it is renamed and its slot forgotten. */
struct temp_file {
	struct sbuf path;
	int fd;
	int slot;
};

/* Not mkstemp: a file that did not exist gets its mode from the umask, as open() applies it. */
static int temp_open(struct temp_file *t, const char *dir, mode_t mode)
{
	sigset_t saved;
	char name[64];

	cleanup_hold(&saved);
	do {
		snprintf(name, sizeof(name), ".unphi-%016llx.tmp",
			(unsigned long long)random_number());
		path_join(&t->path, dir, name);
		t->fd = open(sbuf_cstr(&t->path), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	} while (t->fd < 0 && errno == EEXIST);
	int e = errno;
	t->slot = t->fd < 0 ? -1 : cleanup_add_path(CLEANUP_FILE, sbuf_cstr(&t->path));
	cleanup_let(&saved);
	errno = e;
	return t->fd < 0 ? -1 : 0;
}

/* Copies mode and owner of the old file; if chown is not allowed, only the mode. */
static int temp_inherit(const struct temp_file *t, const struct stat *old)
{
	struct stat now;

	if (fstat(t->fd, &now) != 0) {
		return -1;
	}
	if ((now.st_uid != old->st_uid || now.st_gid != old->st_gid) &&
		fchown(t->fd, old->st_uid, old->st_gid) != 0 &&
		fchown(t->fd, (uid_t)-1, old->st_gid) != 0) {
		/* The group changed: the new one must not get the rights of the old one. */
		return fchmod(t->fd, old->st_mode & 0707);
	}
	return fchmod(t->fd, old->st_mode & 07777);
}

/* The rename reaches the disk only when its directory is synced. Some file systems cannot do that;
 * the new content is in place anyway, so it is not a failure. */
static void sync_dir(const char *dir)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0) {
		(void)!fsync(fd);
		close(fd);
	}
}

/* Writes a temporary file beside the file that it replaces; old is that file, or NULL. 0 or -1 with
 * errno; release t in either case. */
static int temp_write(
	struct temp_file *t, const char *dir, const struct stat *old, struct str content)
{
	if (temp_open(t, dir, old ? 0600 : 0666) != 0 || !file_write_all(t->fd, content) ||
		(old && temp_inherit(t, old) != 0) || fsync(t->fd) != 0) {
		return -1;
	}
	/* NFS reports a full disk as late as this. */
	int fd = t->fd;
	t->fd = -1;
	return close(fd);
}

/* Removes the temporary file unless it was renamed. */
static void temp_release(struct temp_file *t, bool renamed)
{
	int e = errno;

	if (t->fd >= 0) {
		close(t->fd);
		t->fd = -1;
	}
	if (!renamed && t->slot >= 0) {
		unlink(sbuf_cstr(&t->path));
	}
	cleanup_forget(t->slot);
	t->slot = -1;
	sbuf_release(&t->path);
	errno = e;
}

static const char *dir_of(struct sbuf *dir, const char *path)
{
	sbuf_reset(dir);
	sbuf_addstr(dir, path_dir(str_of(path)));
	return sbuf_cstr(dir);
}

/* 0 or -1 with errno; target is not a link. */
static int replace(const char *target, const struct stat *old, struct str content)
{
	struct temp_file t = {.fd = -1, .slot = -1};
	struct sbuf dir = {0};
	int r = temp_write(&t, dir_of(&dir, target), old, content);

	if (r == 0) {
		r = rename(sbuf_cstr(&t.path), target);
	}
	temp_release(&t, r == 0);
	if (r == 0) {
		sync_dir(sbuf_cstr(&dir));
	}
	sbuf_release(&dir);
	return r;
}

/* The open descriptor that a path like /dev/stdout names; else -1. Its file is written to, not
 * replaced, like all other output on it. */
static int standing_fd(const char *path)
{
	static const char dir[] = "/dev/fd/";

	if (strcmp(path, "/dev/stdout") == 0) {
		return STDOUT_FILENO;
	}
	if (strcmp(path, "/dev/stderr") == 0) {
		return STDERR_FILENO;
	}
	if (strncmp(path, dir, sizeof(dir) - 1) != 0) {
		return -1;
	}
	int64_t fd;
	bool number = str_to_i64(str_of(path + sizeof(dir) - 1), &fd);
	return number && fd >= 0 && fd <= INT_MAX ? (int)fd : -1;
}

static int write_device(const char *path, struct str content)
{
	int standing = standing_fd(path);
	int fd = standing >= 0 ? fcntl(standing, F_DUPFD_CLOEXEC, 0)
			       : open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0) {
		return -1;
	}
	bool ok = fflush(stdout) == 0 && file_write_all(fd, content);
	int e = errno;
	if (close(fd) != 0 && ok) {
		return -1;
	}
	errno = e;
	return ok ? 0 : -1;
}

static const char *write_remedy(int e, bool exists)
{
	switch (e) {
	case ENOENT:
		return "; create its directory first";
	case EISDIR:
		return "; name a file in it";
	case EACCES:
	case EPERM:
		return exists ? "; make the file and its directory writable"
			      : "; make its directory writable";
	default:
		return exists ? "; the old file is untouched" : "";
	}
}

static int say_unwritten(const char *path, bool exists)
{
	int e = errno;

	msg_error_of(path, "cannot write %s: %s%s", path, strerror(e), write_remedy(e, exists));
	return FAIL_USAGE;
}

int file_write_atomic(const char *path, struct str content)
{
	struct sbuf target = {0};
	struct stat old;
	bool exists = stat(path, &old) == 0;
	int r;

	sbuf_adds(&target, path);
	if (exists && S_ISDIR(old.st_mode)) {
		errno = EISDIR;
		r = -1;
	} else if (exists && (!S_ISREG(old.st_mode) || standing_fd(path) >= 0)) {
		r = write_device(path, content);
	} else {
		r = follow_links(&target);
		if (r == 0 && exists) {
			r = access(path, W_OK);
		}
		if (r == 0) {
			r = replace(sbuf_cstr(&target), exists ? &old : NULL, content);
		}
	}
	if (r != 0) {
		r = say_unwritten(path, exists && S_ISREG(old.st_mode));
	}
	sbuf_release(&target);
	return r;
}

/* One of several files to replace together. */
struct replacement {
	const char *path;
	struct sbuf target; /* the path after all links */
	struct temp_file t;
	struct sbuf before; /* a second link to the old file */
	bool renamed;
};

static int replacement_begin(struct replacement *r, const struct file_text *of)
{
	struct sbuf dir = {0};
	struct stat old;

	*r = (struct replacement){.path = of->path, .t = {.fd = -1, .slot = -1}};
	sbuf_adds(&r->target, of->path);
	int rc = stat(of->path, &old);
	if (rc == 0 && !S_ISREG(old.st_mode)) {
		errno = S_ISDIR(old.st_mode) ? EISDIR : EINVAL;
		rc = -1;
	}
	rc = rc ? rc : follow_links(&r->target);
	rc = rc ? rc : access(of->path, W_OK);
	rc = rc ? rc : temp_write(&r->t, dir_of(&dir, sbuf_cstr(&r->target)), &old, of->text);
	sbuf_release(&dir);
	return rc ? say_unwritten(of->path, true) : 0;
}

static int replacement_commit(struct replacement *r)
{
	struct sbuf name = {0};

	sbuf_addf(&name, "%s.before", sbuf_cstr(&r->t.path));
	int rc = link(sbuf_cstr(&r->target), sbuf_cstr(&name));
	if (rc == 0) {
		r->before = name;
		rc = rename(sbuf_cstr(&r->t.path), sbuf_cstr(&r->target));
		r->renamed = rc == 0;
	} else {
		sbuf_release(&name);
	}
	return rc ? say_unwritten(r->path, true) : 0;
}

static void replacement_end(struct replacement *r, bool keep)
{
	struct sbuf dir = {0};

	if (r->renamed && !keep && rename(sbuf_cstr(&r->before), sbuf_cstr(&r->target)) != 0) {
		msg_error("%s: its content is now in %s: %s", r->path, sbuf_cstr(&r->before),
			strerror(errno));
	} else if (r->before.p && (keep || !r->renamed)) {
		unlink(sbuf_cstr(&r->before));
	}
	if (r->renamed) {
		sync_dir(dir_of(&dir, sbuf_cstr(&r->target)));
	}
	temp_release(&r->t, r->renamed);
	sbuf_release(&r->target);
	sbuf_release(&r->before);
	sbuf_release(&dir);
}

int file_write_together(const struct file_text *v, size_t n, void (*between)(void))
{
	struct replacement *r = mem_resize(NULL, n + 1, sizeof(*r));
	size_t begun = 0;
	sigset_t saved;
	int rc = 0;

	for (; rc == 0 && begun < n; begun++) {
		rc = replacement_begin(&r[begun], &v[begun]);
	}
	if (rc == 0 && between) {
		between();
	}
	/* signals wait until all files are new, or old again */
	cleanup_hold(&saved);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = replacement_commit(&r[i]);
	}
	for (size_t i = begun; i-- > 0;) {
		replacement_end(&r[i], rc == 0);
	}
	cleanup_let(&saved);
	free(r);
	return rc;
}
