#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/msg.h"

bool file_exists(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool file_is_named(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

bool file_is_dir(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Larger than any source or assembly; a sparse file may claim any size. */
#define FILE_BYTES_MAX (2ULL << 30)

static int read_all(struct sbuf *b, int fd)
{
	char buf[64 * 1024];

	for (;;) {
		ssize_t n = read(fd, buf, sizeof(buf));

		if (n > 0 && b->n > FILE_BYTES_MAX) {
			errno = EFBIG;
			return -1;
		} else if (n > 0) {
			sbuf_add(b, buf, (size_t)n);
		} else if (n == 0) {
			return 0;
		} else if (errno != EINTR) {
			return -1;
		}
	}
}

static int say_no_file(const char *path, mode_t mode)
{
	msg_error_of(path, "cannot read %s: it is a %s; name a file", path,
		S_ISDIR(mode)	 ? "directory"
		: S_ISFIFO(mode) ? "pipe"
				 : "device or socket");
	return FAIL_USAGE;
}

/* May a read of it never end or never begin? /dev/null counts as an empty file. */
static bool is_endless(const struct stat *st)
{
	bool null = S_ISCHR(st->st_mode) && st->st_rdev == makedev(1, 3);

	return !S_ISREG(st->st_mode) && !S_ISDIR(st->st_mode) && !null;
}

/* <(command) of a shell: it has a writer, so a read ends. */
static bool is_substitution(const char *path, mode_t mode)
{
	return S_ISFIFO(mode) && str_starts(str_of(path), "/dev/fd/");
}

int file_read_stdin(struct sbuf *b)
{
	if (read_all(b, STDIN_FILENO) != 0) {
		return fail_usage("cannot read standard input: %s", strerror(errno));
	}
	return 0;
}

static int say_unread(const char *path, int e)
{
	msg_error_of(path, "cannot read %s: %s%s", path, strerror(e),
		e == EISDIR ? "; name a file in it" : "");
	return FAIL_USAGE;
}

/* Opens a file that can be read to its end; negative after a message. */
static int open_input(const char *path)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0 || fstat(fd, &st) != 0) {
		return say_unread(path, errno);
	}
	if (S_ISDIR(st.st_mode) || (is_endless(&st) && !is_substitution(path, st.st_mode))) {
		close(fd);
		return S_ISDIR(st.st_mode) ? say_unread(path, EISDIR)
					   : say_no_file(path, st.st_mode);
	}
	if (S_ISREG(st.st_mode) && (unsigned long long)st.st_size > FILE_BYTES_MAX) {
		close(fd);
		return say_unread(path, EFBIG);
	}
	if (is_endless(&st)) {
		fcntl(fd, F_SETFL, 0); /* waits for the writer */
	}
	return fd;
}

int file_read(struct sbuf *b, const char *path)
{
	size_t before = b->n;
	int fd = open_input(path);

	if (fd < 0) {
		return fd;
	}
	if (read_all(b, fd) != 0) {
		say_unread(path, errno);
		close(fd);
		b->n = before;
		if (b->p) {
			b->p[before] = '\0';
		}
		return FAIL_USAGE;
	}
	close(fd);
	sbuf_add(b, "", 0);
	return 0;
}

int file_text(struct str *out, struct arena *a, const char *path)
{
	struct sbuf text = {0};
	int rc = file_read(&text, path);

	*out = sbuf_finish(&text, a);
	return rc;
}

int file_try(const char *path)
{
	int fd = open_input(path);

	if (fd >= 0) {
		close(fd);
	}
	return fd < 0 ? fd : 0;
}

int file_check(const char *path)
{
	struct stat st;
	bool there = stat(path, &st) == 0;

	if (there && (S_ISDIR(st.st_mode) || is_endless(&st))) {
		return say_no_file(path, st.st_mode);
	}
	return 0;
}

int file_size(size_t *out, const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0) {
		msg_error_of(path, "cannot read %s: %s", path, strerror(errno));
		return FAIL_USAGE;
	}
	if (!S_ISREG(st.st_mode)) {
		return say_no_file(path, st.st_mode);
	}
	*out = (size_t)st.st_size;
	return 0;
}

bool file_write_all(int fd, struct str content)
{
	while (content.n > 0) {
		ssize_t n = write(fd, content.p, content.n);

		if (n > 0) {
			content = str_sub(content, (size_t)n, content.n);
		} else if (n == 0 || errno != EINTR) {
			return false;
		}
	}
	return true;
}
