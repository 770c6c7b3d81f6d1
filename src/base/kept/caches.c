#include "base/kept/caches.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/kept/cache.h"
#include "base/file.h"

struct entry {
	const char *kind;
	const char *dir; /* below the cache's directory; "." except for texts */
	const char *name;
	uint64_t bytes;
	struct timespec used;
};

struct entries {
	ARRAY(struct entry) v;
};

static const char texts_name[] = "texts";

enum {
	TEXT_DAYS = 1, /* no compile takes that long */
	DAY_S = 24 * 60 * 60
};

/* ---- what is there ---- */

static void close_open(int fd)
{
	if (fd >= 0) {
		close(fd);
	}
}

static int by_name(const struct dirent **x, const struct dirent **y)
{
	return strcmp((*x)->d_name, (*y)->d_name);
}

/* Is this the name of a cache? Names that begin with a dot are not. */
static int is_kind_name(const struct dirent *d)
{
	const char *s = d->d_name;
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || (n > 0 && strchr("-_.", s[n]) && s[n])) {
		n++;
	}
	return n > 0 && n < 200 && !s[n];
}

static int is_entry_name(const struct dirent *d)
{
	return cache_is_name(d->d_name);
}

/* Is this the name of a text's file? */
static int is_text_name(const struct dirent *d)
{
	return strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0;
}

static void list_dir(struct entries *out, struct arena *a, int kind, const struct entry *in)
{
	bool text = strcmp(in->kind, texts_name) == 0;
	int dir = cache_kind_open(kind, in->dir);
	struct dirent **name;
	struct stat st;
	int n = dir >= 0 ? scandirat(dir, ".", &name, text ? is_text_name : is_entry_name, by_name)
			 : -1;

	for (int i = 0; i < n; i++) {
		struct entry e = {
			.kind = in->kind, .dir = in->dir, .name = arena_strdup(a, name[i]->d_name)};
		if (fstatat(dir, e.name, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode) &&
			st.st_uid == geteuid()) {
			e.bytes = (uint64_t)st.st_size;
			e.used = st.st_mtim;
			array_push(&out->v, e);
		}
		free(name[i]);
	}
	if (n >= 0) {
		free(name);
	}
	close_open(dir);
}

/* Lists the texts; each is in its own directory. */
static void list_texts(struct entries *out, struct arena *a, int root)
{
	int kind = root >= 0 ? cache_kind_open(root, texts_name) : -1;
	struct dirent **name;
	int n = kind >= 0 ? scandirat(kind, ".", &name, is_entry_name, by_name) : -1;

	for (int i = 0; i < n; i++) {
		struct entry in = {.kind = texts_name, .dir = arena_strdup(a, name[i]->d_name)};
		list_dir(out, a, kind, &in);
		free(name[i]);
	}
	if (n >= 0) {
		free(name);
	}
	close_open(kind);
}

/* Lists all entries but texts. */
static void list(struct entries *out, struct arena *a, int root)
{
	struct dirent **name;
	int n = root >= 0 ? scandirat(root, ".", &name, is_kind_name, by_name) : -1;

	for (int i = 0; i < n; i++) {
		struct entry in = {.kind = arena_strdup(a, name[i]->d_name), .dir = "."};
		int kind = strcmp(in.kind, texts_name) != 0 ? cache_kind_open(root, in.kind) : -1;
		if (kind >= 0) {
			list_dir(out, a, kind, &in);
			close(kind);
		}
		free(name[i]);
	}
	if (n >= 0) {
		free(name);
	}
}

/* ---- texts ---- */

/* Makes and opens the directory of a text. */
static int make_place(struct arena *a, struct str key, const char **name)
{
	int root = cache_root_open(a);
	int texts = root >= 0 ? cache_kind_make(root, texts_name) : -1;

	*name = cache_name(a, key);
	int dir = texts >= 0 ? cache_kind_make(texts, *name) : -1;
	close_open(texts);
	close_open(root);
	return dir;
}

const char *cache_place(struct arena *a, struct str key, const char *name)
{
	const char *own;
	int dir = make_place(a, key, &own);

	if (dir < 0) {
		return NULL;
	}
	close(dir);
	if (own[0] == '0' && own[1] == '0') {
		cache_prune_texts(a, time(NULL) - TEXT_DAYS * DAY_S);
	}
	return arena_printf(a, "%s/%s/%s/%s", cache_dir(a), texts_name, own, name);
}

/* An existing file is not written again: another process may be reading it. */
static bool is_there(const char *path, struct str text)
{
	struct sbuf now = {0};
	struct stat st;
	bool there = lstat(path, &st) == 0 && S_ISREG(st.st_mode) &&
		     utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW) == 0 &&
		     file_read(&now, path) == 0 && str_eq(sbuf_str(&now), text);

	sbuf_release(&now);
	return there;
}

const char *cache_text(struct arena *a, struct str text, const char *name)
{
	const char *path = cache_place(a, text, name);
	struct stat st;

	if (path && is_there(path, text)) {
		return path;
	}
	bool led = path && lstat(path, &st) == 0 && !S_ISREG(st.st_mode);
	return path && !led && file_write_atomic(path, text) == 0 ? path : NULL;
}

/* A text may have any name; only its place shows that it is a text. */
static bool remove_text(int kind, const struct entry *e)
{
	int dir = cache_kind_open(kind, e->dir);
	struct stat st;
	bool gone = dir >= 0 && fstatat(dir, e->name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISREG(st.st_mode) && unlinkat(dir, e->name, 0) == 0;

	close_open(dir);
	if (gone) {
		unlinkat(kind, e->dir, AT_REMOVEDIR); /* if it was the last */
	}
	return gone;
}

static bool remove_entry(int root, const struct entry *e)
{
	int kind = cache_kind_open(root, e->kind);
	bool ours = kind >= 0 && cache_kind_is_ours(kind);
	bool gone = ours && (strcmp(e->kind, texts_name) == 0 ? remove_text(kind, e)
							      : cache_remove(kind, e->name));

	close_open(kind);
	return gone;
}

size_t cache_prune_texts(struct arena *a, time_t since)
{
	struct entries all = {{0}};
	int root = cache_root_open(a);
	size_t gone = 0;

	list_texts(&all, a, root);
	array_each (&all.v, const struct entry, e) {
		gone += e->used.tv_sec < since && remove_entry(root, e);
	}
	array_release(&all.v);
	close_open(root);
	return gone;
}

/* ---- all of it ---- */

struct cache_kind *cache_kinds(size_t *n, struct arena *a)
{
	int root = cache_root_open(a);
	struct entries all = {{0}};

	*n = 0;
	list(&all, a, root);
	list_texts(&all, a, root);
	close_open(root);
	struct cache_kind *kind = ARENA_ARRAY(a, struct cache_kind, all.v.n + 1);
	array_each (&all.v, const struct entry, e) {
		if (*n == 0 || strcmp(kind[*n - 1].name, e->kind) != 0) {
			kind[(*n)++].name = e->kind;
		}
		kind[*n - 1].entries++;
		kind[*n - 1].bytes += e->bytes;
	}
	array_release(&all.v);
	return root >= 0 ? kind : NULL;
}

static int by_use(const void *left, const void *right)
{
	const struct timespec *x = &((const struct entry *)left)->used;
	const struct timespec *y = &((const struct entry *)right)->used;

	if (x->tv_sec != y->tv_sec) {
		return x->tv_sec < y->tv_sec ? -1 : 1;
	}
	return (x->tv_nsec > y->tv_nsec) - (x->tv_nsec < y->tv_nsec);
}

struct cache_pruned cache_prune(struct arena *a, time_t since, uint64_t bytes)
{
	struct cache_pruned gone = {0};
	struct entries all = {{0}};
	uint64_t left = 0;
	int root = cache_root_open(a);

	list(&all, a, root);
	cache_prune_texts(a, bytes == 0 ? time(NULL) + 1 : since);
	array_each (&all.v, const struct entry, e) {
		left += e->bytes;
	}
	array_sort(&all.v, by_use);
	array_each (&all.v, const struct entry, e) {
		bool goes = e->used.tv_sec < since || left > bytes;
		if (goes && remove_entry(root, e)) {
			left -= e->bytes;
			gone.entries++;
			gone.bytes += e->bytes;
		}
	}
	array_release(&all.v);
	close_open(root);
	return gone;
}
