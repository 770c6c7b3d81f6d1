#include "base/kept/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/file.h"

/* What a file begins with; a new form of entry gets a new number. */
#define HEADER "unphi-cache 1 %zu %zu %016" PRIx64 "\n"

enum {
	HEADER_MAX = 80,
	STALE_S = 24 * 60 * 60 /* a temporary file that old has lost its writer */
};

struct cache {
	struct arena *a;
	const char *dir; /* NULL: there is none */
	uint64_t limit;
	int slot; /* of the file begun, in the clean-up table */
};

/* ---- the directory ---- */

/* Whether what is in there is ours alone to write. */
static bool is_own_dir(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode) && st.st_uid == geteuid() &&
	       (st.st_mode & (S_IWGRP | S_IWOTH)) == 0 && access(path, R_OK | W_OK | X_OK) == 0;
}

/* Makes path where it is missing, in a directory that is ours. Modes as XDG's base directory
 * specification wants them. */
static bool make_own_dir(struct arena *a, const char *path, unsigned depth)
{
	struct stat st;
	if (stat(path, &st) == 0) {
		return is_own_dir(path);
	}
	struct str parent = path_dir(str_of(path));
	if (errno != ENOENT || depth == 0) {
		return false;
	}
	const char *above = arena_strndup(a, parent.p, parent.n);
	if (stat(above, &st) != 0 && !make_own_dir(a, above, depth - 1)) {
		return false;
	}
	bool ours = stat(above, &st) == 0 && (st.st_uid == geteuid() || (st.st_mode & S_ISVTX));
	return ours && (mkdir(path, 0700) == 0 || errno == EEXIST) && is_own_dir(path);
}

const char *cache_dir(struct arena *a)
{
	const char *base = getenv("XDG_CACHE_HOME");
	if (!base || base[0] != '/') {
		const char *home = getenv("HOME");
		if (!home || home[0] != '/' || !file_is_dir(home)) {
			return NULL;
		}
		base = arena_printf(a, "%s/.cache", home);
	}
	const char *dir = arena_printf(a, "%s/unphi", base);
	return make_own_dir(a, dir, 8) ? dir : NULL;
}

/* A large project wants more, a small disk less. */
static uint64_t limit_asked(uint64_t bytes)
{
	const char *mib = getenv("UNPHI_CACHE_LIMIT");
	int64_t n;

	return mib && str_to_i64(str_of(mib), &n) && n > 0 && n < INT64_C(1) << 40
		       ? (uint64_t)n << 20
		       : bytes;
}

struct cache *cache_open(struct arena *a, const char *name, uint64_t limit_bytes)
{
	struct cache *c = ARENA_NEW(a, struct cache);
	const char *root = cache_dir(a);
	*c = (struct cache){.a = a, .limit = limit_asked(limit_bytes), .slot = -1};
	if (root) {
		const char *dir = arena_printf(a, "%s/%s", root, name);
		c->dir = make_own_dir(a, dir, 1) ? dir : NULL;
	}
	return c;
}

/* ---- entries ---- */

static const char *path_of(const struct cache *c, struct str key)
{
	uint64_t first = str_hash(key, 0);
	uint64_t second = str_hash(key, str_hash(STR("second"), 0));
	return arena_printf(c->a, "%s/%016" PRIx64 "%016" PRIx64, c->dir, first, second);
}

/* The content in an entry's file; false when it is not of this key, or not whole. */
static bool parse_entry(struct str *content, struct str file, struct str key)
{
	char expected[HEADER_MAX];
	size_t header = str_find(file, "\n", 0);
	if (header == SIZE_MAX || header + 1 + key.n > file.n) {
		return false;
	}
	size_t at = header + 1 + key.n;
	*content = str_sub(file, at, file.n);
	int n = snprintf(
		expected, sizeof(expected), HEADER, key.n, content->n, str_hash(*content, 0));
	return str_eq(str_sub(file, 0, header + 1), (struct str){expected, (size_t)n}) &&
	       str_eq(str_sub(file, header + 1, at), key);
}

static bool read_file(struct sbuf *out, int fd)
{
	char buf[64 * 1024];
	ssize_t n;
	while ((n = read(fd, buf, sizeof(buf))) > 0) {
		sbuf_add(out, buf, (size_t)n);
	}
	return n == 0;
}

bool cache_get(struct sbuf *out, struct cache *c, struct str key)
{
	struct sbuf file = {0};
	struct str content;
	int fd = c->dir ? open(path_of(c, key), O_RDONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
	bool found = fd >= 0 && read_file(&file, fd) && parse_entry(&content, sbuf_str(&file), key);
	if (found) {
		sbuf_addstr(out, content);
		futimens(fd, NULL); /* the time is when it was last of use */
	}
	if (fd >= 0) {
		close(fd);
	}
	sbuf_release(&file);
	return found;
}

/* ---- keeping to the limit ---- */

struct kept {
	char *name;
	uint64_t bytes;
	struct timespec used;
};

struct kept_list {
	ARRAY(struct kept) v;
	uint64_t bytes;
};

static int by_age(const void *left, const void *right)
{
	const struct timespec *x = &((const struct kept *)left)->used;
	const struct timespec *y = &((const struct kept *)right)->used;
	if (x->tv_sec != y->tv_sec) {
		return x->tv_sec < y->tv_sec ? -1 : 1;
	}
	return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

static void list_entries(struct kept_list *l, const struct cache *c, int dir_fd, DIR *dir)
{
	time_t now = time(NULL);
	for (struct dirent *e; (e = readdir(dir));) {
		struct stat st;
		if (fstatat(dir_fd, e->d_name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
			!S_ISREG(st.st_mode)) {
			continue;
		}
		if (e->d_name[0] == '.') {
			if (now - st.st_mtim.tv_sec > STALE_S) {
				unlinkat(dir_fd, e->d_name, 0);
			}
			continue;
		}
		l->bytes += (uint64_t)st.st_size;
		array_push(&l->v, (struct kept){arena_strdup(c->a, e->d_name), (uint64_t)st.st_size,
					  st.st_mtim});
	}
}

/* Down to three quarters of the limit, so that it is not looked for with every entry. */
static void make_room(struct cache *c)
{
	struct kept_list l = {0};
	DIR *dir = opendir(c->dir);
	if (!dir) {
		return;
	}
	list_entries(&l, c, dirfd(dir), dir);
	if (l.bytes > c->limit) {
		qsort(l.v.v, l.v.n, sizeof(*l.v.v), by_age);
		for (size_t i = 0; i < l.v.n && l.bytes > c->limit / 4 * 3; i++) {
			unlinkat(dirfd(dir), l.v.v[i].name, 0);
			l.bytes -= l.v.v[i].bytes;
		}
	}
	array_release(&l.v);
	closedir(dir);
}

static bool write_entry(int fd, struct str key, struct str content)
{
	char header[HEADER_MAX];
	int n = snprintf(header, sizeof(header), HEADER, key.n, content.n, str_hash(content, 0));
	return file_write_all(fd, (struct str){header, (size_t)n}) && file_write_all(fd, key) &&
	       file_write_all(fd, content);
}

/* A new file, open for writing; -1, or its descriptor with its path and clean-up slot. */
static int make_temp(char **path, int *slot, struct cache *c)
{
	sigset_t saved;
	*path = arena_printf(c->a, "%s/.XXXXXX", c->dir);
	cleanup_hold(&saved);
	int fd = mkostemp(*path, O_CLOEXEC);
	*slot = fd >= 0 ? cleanup_add_path(CLEANUP_FILE, *path) : -1;
	cleanup_let(&saved);
	return fd;
}

/* To its place when ok; else, or when that fails, it is removed. */
static bool settle_temp(const char *temp, int slot, const char *place, bool ok)
{
	sigset_t saved;
	cleanup_hold(&saved);
	ok = ok && rename(temp, place) == 0;
	if (!ok) {
		unlink(temp);
	}
	cleanup_forget(slot);
	cleanup_let(&saved);
	return ok;
}

/* Looking at all entries takes longer the more there are: one in 16 does it, and each that is more
 * than a 64th of the limit. */
static bool is_time_to_look(const struct cache *c, struct str key, size_t bytes)
{
	return bytes >= c->limit / 64 || str_hash(key, 0) % 16 == 0;
}

/* Beside its place, and renamed. Nothing is synced: what a crash tears has another checksum. */
void cache_put(struct cache *c, struct str key, struct str content)
{
	char *temp;
	int slot;
	int fd = c->dir ? make_temp(&temp, &slot, c) : -1;
	if (fd < 0) {
		return;
	}
	bool ok = write_entry(fd, key, content);
	ok = close(fd) == 0 && ok;
	settle_temp(temp, slot, path_of(c, key), ok);
	if (is_time_to_look(c, key, content.n)) {
		make_room(c);
	}
}

/* ---- files ---- */

#define FILE_PREFIX "file-"

const char *cache_file_begin(struct cache *c)
{
	char *temp;
	int fd = c->dir ? make_temp(&temp, &c->slot, c) : -1;
	if (fd < 0) {
		return NULL;
	}
	close(fd);
	return temp;
}

/* Synced, as nothing else says whether it is whole. */
const char *cache_file_keep(struct cache *c, const char *begun)
{
	struct str random = path_base(str_of(begun));
	const char *name = arena_printf(c->a, FILE_PREFIX "%.*s-%" PRIx64,
		STR_ARG(str_sub(random, 1, random.n)), (uint64_t)time(NULL));
	int fd = open(begun, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool ok = fd >= 0 && fchmod(fd, 0600) == 0 && fsync(fd) == 0;
	if (fd >= 0) {
		close(fd);
	}
	ok = settle_temp(begun, c->slot, arena_printf(c->a, "%s/%s", c->dir, name), ok);
	c->slot = -1;
	make_room(c);
	return ok ? name : NULL;
}

void cache_file_drop(struct cache *c, const char *begun)
{
	settle_temp(begun, c->slot, NULL, false);
	c->slot = -1;
}

const char *cache_file_find(struct cache *c, const char *name)
{
	if (!c->dir || !str_starts(str_of(name), FILE_PREFIX) || strchr(name, '/')) {
		return NULL;
	}
	const char *path = arena_printf(c->a, "%s/%s", c->dir, name);
	return file_exists(path) && utimensat(AT_FDCWD, path, NULL, 0) == 0 ? path : NULL;
}
