/* A unified diff of our own applied again. No fuzz: it is for the text that it was made of. */
#include "edit/edit.h"

struct patching {
	struct sbuf *out;
	struct str before; /* what is left of it */
	struct str diff;   /* what is left of it */
	size_t line;	   /* of before, 1-based */
};

static struct str take_line(struct str *rest)
{
	size_t end = str_find(*rest, "\n", 0);
	struct str line = str_sub(*rest, 0, end == SIZE_MAX ? rest->n : end + 1);

	*rest = str_sub(*rest, line.n, rest->n);
	return line;
}

/* "@@ -12,3 +12,5 @@": the 12 and the 3. A hunk that takes no line names the one before it. */
static bool read_head(struct str line, size_t *first, size_t *count)
{
	struct str rest = str_sub(line, sizeof("@@ -") - 1, line.n);
	struct str numbers, number;
	int64_t a, n = 1;

	if (!str_split(&rest, ' ', &numbers) || !str_split(&numbers, ',', &number) ||
		!str_to_i64(number, &a) || a < 0) {
		return false;
	}
	if (str_split(&numbers, ',', &number) && (!str_to_i64(number, &n) || n < 0)) {
		return false;
	}
	*first = (size_t)a + (n == 0);
	*count = (size_t)n;
	return true;
}

static bool apply_line(struct patching *p, struct str line)
{
	struct str text = str_sub(line, 1, line.n);

	if (str_starts(p->diff, "\\")) { /* "\ No newline at end of file" */
		take_line(&p->diff);
		text.n--;
	}
	if (line.p[0] != '+') {
		p->line++;
		if (!str_eq(take_line(&p->before), text)) {
			return false;
		}
	}
	if (line.p[0] != '-') {
		sbuf_addstr(p->out, text);
	}
	return true;
}

static bool apply_hunk(struct patching *p, struct str head)
{
	size_t first, count;
	if (!read_head(head, &first, &count) || first < p->line) {
		return false;
	}
	for (; p->line < first; p->line++) {
		if (p->before.n == 0) {
			return false;
		}
		sbuf_addstr(p->out, take_line(&p->before));
	}
	while (p->diff.n && (p->diff.p[0] == ' ' || p->diff.p[0] == '-' || p->diff.p[0] == '+')) {
		if (!apply_line(p, take_line(&p->diff))) {
			return false;
		}
	}
	return p->line == first + count;
}

bool diff_apply(struct sbuf *out, struct str before, struct str diff)
{
	struct patching p = {out, before, diff, 1};
	size_t start = out->n;
	bool ok = true;

	if (str_starts(p.diff, "--- ")) {
		take_line(&p.diff);
		take_line(&p.diff);
	}
	while (ok && p.diff.n) {
		struct str head = take_line(&p.diff);
		ok = str_starts(head, "@@ -") && apply_hunk(&p, head);
	}
	if (ok) {
		sbuf_addstr(out, p.before);
	} else if (out->p) {
		out->n = start;
		out->p[start] = '\0';
	}
	return ok;
}
