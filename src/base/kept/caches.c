#include "base/kept/caches.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/kept/cache.h"
#include "base/file.h"

struct entry {
	const char *path;
	const char *room;
	const char *name;
	uint64_t bytes;
	struct timespec used;
};

struct entries {
	ARRAY(struct entry) v;
};

/* Of a cache or an entry; nothing that begins with a dot. */
static bool is_name(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || (n > 0 && strchr("-_.", s[n]) && s[n])) {
		n++;
	}
	return n > 0 && n < 200 && !s[n];
}

static int by_name(const struct dirent **x, const struct dirent **y)
{
	return strcmp((*x)->d_name, (*y)->d_name);
}

static int is_plain(const struct dirent *d)
{
	return is_name(d->d_name);
}

static void list_room(struct entries *out, struct arena *a, const char *dir, const char *room)
{
	const char *path = arena_printf(a, "%s/%s", dir, room);
	struct dirent **name;
	struct stat st;
	int n = lstat(path, &st) == 0 && S_ISDIR(st.st_mode)
			? scandir(path, &name, is_plain, by_name)
			: -1;

	for (int i = 0; i < n; i++) {
		struct entry e = {.path = arena_printf(a, "%s/%s", path, name[i]->d_name),
			.room = room,
			.name = arena_strdup(a, name[i]->d_name)};
		if (lstat(e.path, &st) == 0 && S_ISREG(st.st_mode)) {
			e.bytes = (uint64_t)st.st_size;
			e.used = st.st_mtim;
			array_push(&out->v, e);
		}
		free(name[i]);
	}
	if (n >= 0) {
		free(name);
	}
}

static void list(struct entries *out, struct arena *a, const char *dir)
{
	struct dirent **room;
	int n = dir ? scandir(dir, &room, is_plain, by_name) : -1;

	for (int i = 0; i < n; i++) {
		list_room(out, a, dir, arena_strdup(a, room[i]->d_name));
		free(room[i]);
	}
	if (n >= 0) {
		free(room);
	}
}

/* ---- texts ---- */

static const char texts_name[] = "texts";

enum {
	TEXT_DAYS = 1 /* no compile takes that long */
};

/* Each in a directory of its own. */
static void list_texts(struct entries *out, struct arena *a, const char *dir)
{
	size_t before = out->v.n;

	list(out, a, dir ? arena_printf(a, "%s/%s", dir, texts_name) : NULL);
	for (size_t i = before; i < out->v.n; i++) {
		out->v.v[i].room = texts_name;
	}
}

const char *cache_place(struct arena *a, struct str key, const char *name)
{
	const char *root = cache_dir(a);
	uint64_t first = str_hash(key, 0);
	uint64_t second = str_hash(key, str_hash(STR("second"), 0));

	if (!root) {
		return NULL;
	}
	const char *texts = arena_printf(a, "%s/%s", root, texts_name);
	const char *dir = arena_printf(a, "%s/%016" PRIx64 "%016" PRIx64, texts, first, second);
	bool made = (mkdir(texts, 0700) == 0 || errno == EEXIST) &&
		    (mkdir(dir, 0700) == 0 || errno == EEXIST);
	if (made && first % 256 == 0) {
		cache_prune_texts(a, time(NULL) - TEXT_DAYS * 24 * 60 * 60);
	}
	return made ? arena_printf(a, "%s/%s", dir, name) : NULL;
}

const char *cache_text(struct arena *a, struct str text, const char *name)
{
	struct sbuf now = {0};
	const char *path = cache_place(a, text, name);
	/* another process may be reading it: what is there already stays */
	bool there = path && utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW) == 0 &&
		     file_read(&now, path) == 0 && str_eq(sbuf_str(&now), text);

	sbuf_release(&now);
	return there || (path && file_write_atomic(path, text) == 0) ? path : NULL;
}

size_t cache_prune_texts(struct arena *a, time_t since)
{
	struct entries all = {{0}};
	size_t gone = 0;

	list_texts(&all, a, cache_dir(a));
	array_each (&all.v, const struct entry, e) {
		struct str dir = path_dir(str_of(e->path));
		bool goes = e->used.tv_sec < since && unlink(e->path) == 0;
		gone += goes;
		if (goes) {
			rmdir(arena_strndup(a, dir.p, dir.n)); /* when it was the last */
		}
	}
	array_release(&all.v);
	return gone;
}

/* ---- all of it ---- */

struct cache_room *cache_rooms(size_t *n, struct arena *a)
{
	const char *dir = cache_dir(a);
	struct entries all = {{0}};

	*n = 0;
	list(&all, a, dir);
	list_texts(&all, a, dir);
	struct cache_room *room = ARENA_ARRAY(a, struct cache_room, all.v.n + 1);
	array_each (&all.v, const struct entry, e) {
		if (*n == 0 || strcmp(room[*n - 1].name, e->room) != 0) {
			room[(*n)++].name = e->room;
		}
		room[*n - 1].entries++;
		room[*n - 1].bytes += e->bytes;
	}
	array_release(&all.v);
	return dir ? room : NULL;
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

	list(&all, a, cache_dir(a));
	cache_prune_texts(a, bytes == 0 ? time(NULL) + 1 : since);
	array_each (&all.v, const struct entry, e) {
		left += e->bytes;
	}
	if (all.v.n > 0) {
		qsort(all.v.v, all.v.n, sizeof(*all.v.v), by_use);
	}
	array_each (&all.v, const struct entry, e) {
		bool goes = e->used.tv_sec < since || left > bytes;
		if (goes && unlink(e->path) == 0) {
			left -= e->bytes;
			gone.entries++;
			gone.bytes += e->bytes;
		}
	}
	array_release(&all.v);
	return gone;
}

/* As whoever put it there would have left it, whatever the archive says. */
static bool adopt(struct arena *a, const struct entry *e, const char *root)
{
	const char *room = arena_printf(a, "%s/%s", root, e->room);
	const char *place = arena_printf(a, "%s/%s", room, e->name);
	struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, e->used};
	time_t now = time(NULL);

	times[1].tv_sec = e->used.tv_sec > now ? now : e->used.tv_sec;
	if (mkdir(room, 0700) == 0) {
		chmod(room, 0700);
	}
	if (chmod(e->path, 0600) != 0 || utimensat(AT_FDCWD, e->path, times, 0) != 0) {
		return false;
	}
	/* a link fails where there is one; not every file system has links, and both show an entry
	 * whole or not at all */
	return link(e->path, place) == 0 ||
	       (errno != EEXIST && !file_exists(place) && rename(e->path, place) == 0);
}

size_t cache_adopt(struct arena *a, const char *dir)
{
	const char *root = cache_dir(a);
	struct entries all = {{0}};
	size_t n = 0;

	list(&all, a, dir);
	array_each (&all.v, const struct entry, e) {
		n += root && adopt(a, e, root);
	}
	array_release(&all.v);
	return n;
}
