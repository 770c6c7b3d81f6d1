#include "base/kept/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/kept/sum.h"
#include "base/marker.h"

/* The start of each file; a new format gets a new number. */
#define HEAD "unphi-cache "
#define HEADER HEAD "2 %zu %zu %016" PRIx64 "\n"
#define FILE_HEAD "file-"
/* Names of files that are still being written. */
#define TEMP_HEAD ".unphi-"

enum {
	HEADER_MAX = 80,
	DIGITS = 32,	       /* of a name */
	STALE_S = 24 * 60 * 60 /* the writer of an older temporary file was killed */
};

struct cache {
	struct arena *a;
	const char *dir; /* NULL: no cache */
	uint64_t limit;
	int slot; /* of the file being written, in the clean-up table */
};

/* The limit: UNPHI_CACHE_LIMIT, or else bytes. */
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
	int fd = root ? open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	int kind = fd >= 0 ? cache_kind_make(fd, name) : -1;
	*c = (struct cache){.a = a, .limit = limit_asked(limit_bytes), .slot = -1};
	if (kind >= 0) {
		c->dir = arena_printf(a, "%s/%s", root, name);
		close(kind);
	}
	if (fd >= 0) {
		close(fd);
	}
	return c;
}

/* ---- entries ---- */

const char *cache_name(struct arena *a, struct str key)
{
	uint64_t first = str_hash(key, 0);
	uint64_t second = str_hash(key, str_hash(STR("second"), 0));
	return arena_printf(a, "%016" PRIx64 "%016" PRIx64, first, second);
}

static const char *path_of(const struct cache *c, struct str key)
{
	return arena_printf(c->a, "%s/%s", c->dir, cache_name(c->a, key));
}

/* The content in an entry's file; false if it has another key or is damaged. */
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
		expected, sizeof(expected), HEADER, key.n, content->n, sum_of(*content).v[0]);
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
		futimens(fd, NULL); /* the file's time is its last use */
	}
	if (fd >= 0) {
		close(fd);
	}
	sbuf_release(&file);
	return found;
}

/* ---- what is an entry ---- */

static bool is_hex(const char *s)
{
	return strspn(s, "0123456789abcdef") == DIGITS && s[DIGITS] == '\0';
}

static bool is_file_name(const char *name)
{
	return str_starts(str_of(name), FILE_HEAD) && is_hex(name + sizeof(FILE_HEAD) - 1);
}

bool cache_is_name(const char *name)
{
	return is_hex(name) || is_file_name(name);
}

static bool is_temp_name(const char *name)
{
	return str_starts(str_of(name), TEMP_HEAD) && strlen(name) == sizeof(TEMP_HEAD) - 1 + 6;
}

static const char *file_name_of(struct arena *a, struct sum sum)
{
	return arena_printf(a, FILE_HEAD "%016" PRIx64 "%016" PRIx64, sum.v[0], sum.v[1]);
}

static bool is_plain(int fd)
{
	struct stat st;
	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid();
}

/* Opens a regular file without waiting (a pipe) and without following links. */
static int open_plain(int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd >= 0 && !is_plain(fd)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Does the file begin with HEAD, or with a part of it if it is shorter? */
static bool begins_as_entry(int fd)
{
	char head[sizeof(HEAD) - 1];
	ssize_t n = pread(fd, head, sizeof(head), 0);
	return n >= 0 && memcmp(head, HEAD, (size_t)n) == 0;
}

bool cache_remove(int dir, const char *name)
{
	int fd = cache_is_name(name) || is_temp_name(name) ? open_plain(dir, name) : -1;
	bool goes = fd >= 0 && (!is_hex(name) || begins_as_entry(fd));
	if (fd >= 0) {
		close(fd);
	}
	return goes && unlinkat(dir, name, 0) == 0;
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
		if (is_temp_name(e->d_name) && now - st.st_mtim.tv_sec > STALE_S) {
			cache_remove(dir_fd, e->d_name);
		} else if (cache_is_name(e->d_name)) {
			l->bytes += (uint64_t)st.st_size;
			array_push(&l->v, (struct kept){arena_strdup(c->a, e->d_name),
						  (uint64_t)st.st_size, st.st_mtim});
		}
	}
}

/* Removes entries down to three quarters of the limit, so that not every new entry starts a
 * scan. */
static void prune_to_limit(struct cache *c)
{
	struct kept_list l = {0};
	int fd = open(c->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd >= 0 && dir_is_own(fd) && cache_kind_is_ours(fd) ? fdopendir(fd) : NULL;
	if (!dir) {
		if (fd >= 0) {
			close(fd);
		}
		return;
	}
	list_entries(&l, c, fd, dir);
	if (l.bytes > c->limit) {
		qsort(l.v.v, l.v.n, sizeof(*l.v.v), by_age);
		for (size_t i = 0; i < l.v.n && l.bytes > c->limit / 4 * 3; i++) {
			cache_remove(fd, l.v.v[i].name);
			l.bytes -= l.v.v[i].bytes;
		}
	}
	array_release(&l.v);
	closedir(dir);
}

static bool write_entry(int fd, struct str key, struct str content)
{
	char header[HEADER_MAX];
	int n = snprintf(header, sizeof(header), HEADER, key.n, content.n, sum_of(content).v[0]);
	return file_write_all(fd, (struct str){header, (size_t)n}) && file_write_all(fd, key) &&
	       file_write_all(fd, content);
}

/* Opens a new temporary file: its descriptor, path and clean-up slot, or -1. */
static int make_temp(char **path, int *slot, struct cache *c)
{
	sigset_t saved;
	*path = arena_printf(c->a, "%s/" TEMP_HEAD "XXXXXX", c->dir);
	cleanup_hold(&saved);
	int fd = mkostemp(*path, O_CLOEXEC);
	*slot = fd >= 0 ? cleanup_add_path(CLEANUP_FILE, *path) : -1;
	cleanup_let(&saved);
	return fd;
}

/* Renames temp to place if ok; otherwise, or on failure, removes it. */
static bool place_temp(const char *temp, int slot, const char *place, bool ok)
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

/* A scan of all entries takes time: it is done for one new entry in 16, and for each that is larger
 * than a 64th of the limit. */
static bool is_time_to_look(const struct cache *c, struct str key, size_t bytes)
{
	return bytes >= c->limit / 64 || str_hash(key, 0) % 16 == 0;
}

/* Writes beside the final name, then renames. No sync: the checksum detects a file torn by a
 * crash. */
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
	place_temp(temp, slot, path_of(c, key), ok);
	if (is_time_to_look(c, key, content.n)) {
		prune_to_limit(c);
	}
}

/* ---- files ---- */

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

/* Synced, since a file torn by a crash would have to be made again. */
const char *cache_file_keep(struct cache *c, const char *begun)
{
	struct sum sum;
	int fd = open(begun, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	bool ok = fd >= 0 && sum_of_file(&sum, fd) && fchmod(fd, 0600) == 0 && fsync(fd) == 0;
	if (fd >= 0) {
		close(fd);
	}
	const char *name = ok ? file_name_of(c->a, sum) : "";
	ok = place_temp(begun, c->slot, arena_printf(c->a, "%s/%s", c->dir, name), ok);
	c->slot = -1;
	prune_to_limit(c);
	return ok ? name : NULL;
}

void cache_file_drop(struct cache *c, const char *begun)
{
	place_temp(begun, c->slot, NULL, false);
	c->slot = -1;
}

const char *cache_file_put(struct cache *c, struct str text)
{
	const char *begun = cache_file_begin(c);
	int fd = begun ? open(begun, O_WRONLY | O_CLOEXEC | O_NOFOLLOW) : -1;
	bool ok = fd >= 0 && file_write_all(fd, text);
	ok = fd >= 0 && close(fd) == 0 && ok;
	if (begun && !ok) {
		cache_file_drop(c, begun);
	}
	return ok ? cache_file_keep(c, begun) : NULL;
}

const char *cache_file_find(struct cache *c, const char *name)
{
	if (!c->dir || !is_file_name(name)) {
		return NULL;
	}
	const char *path = arena_printf(c->a, "%s/%s", c->dir, name);
	int fd = open_plain(AT_FDCWD, path);
	struct sum sum;
	bool found = fd >= 0 && sum_of_file(&sum, fd) && strcmp(file_name_of(c->a, sum), name) == 0;
	if (found) {
		futimens(fd, NULL);
	}
	if (fd >= 0) {
		close(fd);
	}
	return found ? path : NULL;
}
