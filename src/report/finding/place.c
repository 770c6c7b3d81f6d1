#include "report/finding/place.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct diag_place *place_at(struct diag *d, size_t i)
{
	if (i == 0) {
		return &d->place;
	}
	i--;
	if (i < d->notes) {
		return &d->note[i].place;
	}
	i -= d->notes;
	if (i < d->edits) {
		return &d->edit[i].place;
	}
	i -= d->edits;
	return i < d->arms ? &d->arm[i] : NULL;
}

/* The directory at or above dir that has a .git (a directory, or a file in a worktree), or NULL.
 * Shortens dir. */
static const char *root_above(struct arena *a, char *dir)
{
	for (;;) {
		const char *git = arena_printf(a, "%s/.git", dir);
		if (access(git, F_OK) == 0) {
			return dir;
		}
		char *slash = strrchr(dir, '/');
		if (!slash || slash == dir) {
			return NULL;
		}
		*slash = '\0';
	}
}

const char *place_path(struct arena *a, const char *path)
{
	char full[PATH_MAX], dir[PATH_MAX];

	if (!path || !realpath(path, full)) {
		return path;
	}
	strcpy(dir, full);
	char *slash = strrchr(dir, '/');
	if (slash) {
		*slash = '\0';
	}
	const char *root = root_above(a, dir);
	if (!root && !(root = getcwd(dir, sizeof(dir)))) {
		return path;
	}
	size_t n = strlen(root);
	bool below = strncmp(full, root, n) == 0 && full[n] == '/';
	return arena_strdup(a, below ? full + n + 1 : full);
}

static unsigned characters(struct str s)
{
	unsigned n = 0;

	for (size_t i = 0; i < s.n; i++) {
		n += ((unsigned char)s.p[i] & 0xc0) != 0x80;
	}
	return n;
}

static struct line_col line_col(const struct diag_place *p, size_t offset)
{
	return p->lines ? line_marks_at(p->lines, offset) : line_col_of(p->source, offset);
}

struct line_col place_begin(const struct diag_place *p)
{
	return line_col(p, p->begin);
}

static void set_column(unsigned *line, unsigned *column, const struct diag_place *p, size_t offset)
{
	struct line_col at = line_col(p, offset);

	*line = at.line;
	*column = 1 + characters(str_sub(p->source, offset - (at.col - 1), offset));
}

struct place_range place_range(const struct diag_place *p)
{
	struct place_range r;
	size_t end = p->end > p->begin ? p->end : p->begin;

	set_column(&r.line, &r.column, p, p->begin);
	set_column(&r.end_line, &r.end_column, p, end < p->source.n ? end : p->source.n);
	return r;
}
