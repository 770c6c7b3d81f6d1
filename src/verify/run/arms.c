/* Reads the marks of arms that launchers write (runtime/arms.c), and joins those of several runs.
 * */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/map.h"
#include "verify/run/build.h"

/* A line of the file: "SEEN HEAD ARM KIND LINE FILE". */
struct mark {
	unsigned seen; /* 1: false, 2: true */
	unsigned head;
	unsigned arm;
	char kind;
	unsigned line;
	struct str file;
};

static bool read_number(unsigned *out, struct str *rest)
{
	struct str word;
	int64_t n = 0;
	bool ok = str_split(rest, ' ', &word) && str_to_i64(word, &n);
	*out = (unsigned)n;
	return ok;
}

static bool read_mark(struct mark *m, struct str line)
{
	struct str kind;
	bool ok = read_number(&m->seen, &line) && read_number(&m->head, &line) &&
		  read_number(&m->arm, &line) && str_split(&line, ' ', &kind) && kind.n == 1 &&
		  read_number(&m->line, &line);
	m->kind = ok ? kind.p[0] : 0;
	m->file = line;
	return ok;
}

/* The arms of one chain or switch, whose marks are [first, end). */
static void add_arms(
	struct verify_run *run, const struct mark *m, size_t first, size_t end, struct arena *a)
{
	bool reached = m[first].seen != 0;
	for (size_t i = first; i < end; i++) {
		reached |= m[i].kind == 'c' && m[i].seen != 0;
	}
	const char *file = arena_strndup(a, m[first].file.p, m[first].file.n);
	for (size_t i = first; i < end; i++) {
		struct verify_arm arm = {
			file, m[first].line, m[i].arm, 0, (m[i].seen & 2) != 0, reached, false};
		arm.unknown = m[i].kind == 'u';
		run->arm[run->arms++] = arm;
		if (m[i].kind == 'l') {
			arm.arm++;
			arm.ran = (m[i].seen & 1) != 0;
			run->arm[run->arms++] = arm;
		}
	}
}

/* Numbers the chains that begin on one line, such as those of a macro. */
static void number_arms(struct verify_run *run, struct arena *a)
{
	struct map seen = {0};
	span_each (run->arm, run->arms, struct verify_arm, arm) {
		const char *key = arena_printf(a, "%u %u %s", arm->line, arm->arm, arm->file);
		uint64_t n = map_get(&seen, str_of(key), 0);
		arm->number = (unsigned)n;
		map_set(&seen, str_of(key), n + 1);
	}
	map_release(&seen);
}

void arms_read(struct verify_run *run, struct arena *a, const char *path)
{
	struct sbuf text = {0};
	struct str line;
	ARRAY(struct mark) marks = {0};
	if (!file_exists(path) || file_read(&text, path) != 0) {
		return;
	}
	struct str rest = sbuf_str(&text);
	while (str_line(&rest, &line)) {
		struct mark m;
		if (read_mark(&m, line)) {
			array_push(&marks, m);
		}
	}
	run->arm = ARENA_ARRAY(a, struct verify_arm, 2 * marks.n);
	for (size_t first = 0, end; first < marks.n; first = end) {
		end = first + 1;
		while (end < marks.n && marks.v[end].head == marks.v[first].head) {
			end++;
		}
		add_arms(run, marks.v, first, end, a);
	}
	number_arms(run, a);
	array_release(&marks);
	sbuf_release(&text);
}

static int by_place(const void *x, const void *y)
{
	const struct verify_arm *a = x, *b = y;
	int r = strcmp(a->file, b->file);
	r = r ? r : (a->line > b->line) - (a->line < b->line);
	r = r ? r : (a->number > b->number) - (a->number < b->number);
	return r ? r : (a->arm > b->arm) - (a->arm < b->arm);
}

size_t verify_all_arms(
	struct verify_arm **out, struct arena *a, const struct verify_run *run, size_t runs)
{
	ARRAY(struct verify_arm) all = {0};
	size_t n = 0;
	for (size_t i = 0; i < runs; i++) {
		for (size_t k = 0; k < run[i].arms; k++) {
			array_push(&all, run[i].arm[k]);
		}
	}
	array_sort(&all, by_place);
	for (size_t i = 0; i < all.n; i++) {
		if (n > 0 && by_place(&all.v[n - 1], &all.v[i]) == 0) {
			all.v[n - 1].ran |= all.v[i].ran;
			all.v[n - 1].reached |= all.v[i].reached;
		} else {
			all.v[n++] = all.v[i];
		}
	}
	all.n = n;
	*out = array_to_arena(a, &all);
	array_release(&all);
	return n;
}

size_t verify_unrun(
	struct verify_arm **out, struct arena *a, const struct verify_run *run, size_t runs)
{
	size_t unrun = 0;
	size_t n = verify_all_arms(out, a, run, runs);
	for (size_t i = 0; i < n; i++) {
		if ((*out)[i].reached && !(*out)[i].ran) {
			(*out)[unrun++] = (*out)[i];
		}
	}
	return unrun;
}
