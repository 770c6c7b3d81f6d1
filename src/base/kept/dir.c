#include "base/kept/dir.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum {
	HEAD_MAX = 128
};

/* A directory's line: "d WHICH DEVICE INODE MTIME CTIME HASH PATH" The set of names: "n
 * NAME/NAME/.../" A link in it: "l KIND PATH", KIND of its target */

/* "DEVICE INODE MTIME CTIME"; the times of the inode cannot be set back. */
static void write_head(char *head, const struct stat *st)
{
	snprintf(head, HEAD_MAX, "%ju %ju %jd.%09ld %jd.%09ld", (uintmax_t)st->st_dev,
		(uintmax_t)st->st_ino, (intmax_t)st->st_mtim.tv_sec, st->st_mtim.tv_nsec,
		(intmax_t)st->st_ctim.tv_sec, st->st_ctim.tv_nsec);
}

#define NO_HEAD "0 0 0 0" /* for a directory changed too recently to compare times */

static char kind_of(int dir, const char *name, int flags)
{
	struct stat st;
	if (fstatat(dir, name, &st, flags) != 0) {
		return '-';
	}
	return S_ISDIR(st.st_mode) ? 'd' : S_ISLNK(st.st_mode) ? 'l' : 'f';
}

static bool counts(enum dir_names which, const struct map *names, struct str name)
{
	switch (which) {
	case DIR_NAMED:
		return map_has(names, name);
	case DIR_CONFIG:
		return str_ends(name, ".cfg");
	case DIR_ALL:
		break;
	}
	return !str_is(name, ".") && !str_is(name, "..");
}

struct listing {
	const char *path;
	enum dir_names which;
	const struct dir_look *look;
	bool young;	    /* names may have appeared since the compiler looked */
	uint64_t hash;	    /* of all names that count, independent of order */
	struct sbuf *links; /* gets a line for each link; or NULL */
	bool failed;
};

static bool is_young(const struct stat *st, time_t before)
{
	return before && (st->st_mtim.tv_sec >= before || st->st_ctim.tv_sec >= before);
}

static void see_entry(struct listing *l, int dir, const struct dirent *e)
{
	struct str name = str_of(e->d_name);
	char path[PATH_MAX];
	struct stat st;
	if (!counts(l->which, l->look->names, name)) {
		return;
	}
	char kind = e->d_type == DT_DIR	      ? 'd'
		    : e->d_type == DT_LNK     ? 'l'
		    : e->d_type != DT_UNKNOWN ? 'f'
					      : kind_of(dir, e->d_name, AT_SYMLINK_NOFOLLOW);
	l->hash += str_hash((struct str){&kind, 1}, str_hash(name, 0));
	if (!l->links) {
		return;
	}
	int n = snprintf(path, sizeof(path), "%s/%s", l->path, e->d_name);
	bool known = l->look->known && map_has(l->look->known, str_of(path));
	if (n < 0 || (size_t)n >= sizeof(path) || strchr(e->d_name, '\n')) {
		l->failed = true;
	} else if (kind == 'l' && !known) {
		sbuf_addf(l->links, "l %c %s\n", kind_of(dir, e->d_name, 0), path);
	}
	/* not a subdirectory: its time changes with its entries, too */
	l->failed |= l->young && kind != 'd' && !known &&
		     fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		     is_young(&st, l->look->before);
}

/* False if the directory cannot be listed. */
static bool list(struct listing *l)
{
	DIR *dir = opendir(l->path);
	const struct dirent *e;
	while (dir && (e = readdir(dir))) {
		see_entry(l, dirfd(dir), e);
	}
	return dir && closedir(dir) == 0 && !l->failed;
}

bool dir_add(struct sbuf *out, const char *path, enum dir_names which, const struct dir_look *look)
{
	struct stat st;
	struct sbuf links = {0};
	char head[HEAD_MAX] = NO_HEAD;
	if (strchr(path, '\n')) {
		return false;
	}
	if (stat(path, &st) != 0) {
		sbuf_addf(out, "- %s\n", path);
		return true;
	}
	struct listing l = {.path = path, .which = which, .look = look, .links = &links};
	l.young = is_young(&st, look->before);
	if (!l.young) {
		write_head(head, &st);
	}
	bool ok = S_ISDIR(st.st_mode) && list(&l);
	if (ok) {
		sbuf_addf(out, "d %c %s %016" PRIx64 " %s\n", which, head, l.hash, path);
		sbuf_addstr(out, sbuf_str(&links));
	}
	sbuf_release(&links);
	return ok;
}

bool dir_add_names(struct sbuf *out, const struct map *names)
{
	sbuf_adds(out, "n ");
	for (size_t i = 0; i < names->n; i++) {
		struct str name = names->entry[i].key;
		if (name.n == 0 || memchr(name.p, '\n', name.n) || memchr(name.p, '/', name.n)) {
			return false;
		}
		sbuf_addf(out, "%.*s/", STR_ARG(name));
	}
	sbuf_addc(out, '\n');
	return true;
}

/* ---- does it hold? ---- */

bool dir_is_line(struct str line)
{
	return str_starts(line, "d ") || str_starts(line, "n ") || str_starts(line, "l ");
}

static const struct map *names_of(struct dir_checking *c)
{
	struct str rest = c->set, name;
	while (c->names.n == 0 && rest.n > 0 && str_split(&rest, '/', &name)) {
		do {
			map_set(&c->names, name, 1);
		} while (str_split(&rest, '/', &name));
	}
	return &c->names;
}

static bool directory_holds(struct dir_checking *c, struct str line)
{
	struct str rest = str_sub(line, 2, line.n), word, hash = {0};
	char path[PATH_MAX], head[HEAD_MAX], now[32];
	struct stat st;
	struct str which = {0};
	str_split(&rest, ' ', &which);
	size_t begin = (size_t)(rest.p - line.p);
	for (int i = 0; i < 4; i++) {
		str_split(&rest, ' ', &word);
	}
	struct str old = str_sub(line, begin, (size_t)(rest.p - line.p) - 1);
	str_split(&rest, ' ', &hash);
	if (which.n != 1 || hash.n == 0 || rest.n == 0 || rest.n >= sizeof(path)) {
		return false;
	}
	memcpy(path, rest.p, rest.n);
	path[rest.n] = '\0';
	if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode)) {
		return false;
	}
	write_head(head, &st);
	if (str_is(old, head)) {
		return true;
	}
	enum dir_names names = (enum dir_names)which.p[0];
	const struct dir_look look = {.names = names == DIR_NAMED ? names_of(c) : NULL};
	struct listing l = {.path = path, .which = names, .look = &look};
	bool ok = list(&l);
	snprintf(now, sizeof(now), "%016" PRIx64, l.hash);
	return ok && str_is(hash, now);
}

bool dir_holds(struct dir_checking *c, struct str line)
{
	char path[PATH_MAX];
	switch (line.p[0]) {
	case 'n':
		map_release(&c->names);
		c->set = str_sub(line, 2, line.n);
		return true;
	case 'l':
		if (line.n < 5 || line.n - 4 >= sizeof(path)) {
			return false;
		}
		memcpy(path, line.p + 4, line.n - 4);
		path[line.n - 4] = '\0';
		return kind_of(AT_FDCWD, path, 0) == line.p[2];
	default:
		return directory_holds(c, line);
	}
}

void dir_checking_release(struct dir_checking *c)
{
	map_release(&c->names);
}
