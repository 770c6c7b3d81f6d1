/* edit: a unified diff, applied as patch(1) does, turns the one text into the other. The input is
 * both texts with a line "=======" between them. */
#include "edit/edit.h"
#include "target.h"

/* Takes a number from the front of s. */
static size_t take_number(struct str *s)
{
	size_t n = 0;
	REQUIRE(s->n > 0 && s->p[0] >= '0' && s->p[0] <= '9');
	while (s->n > 0 && s->p[0] >= '0' && s->p[0] <= '9') {
		n = n * 10 + (size_t)(s->p[0] - '0');
		*s = str_sub(*s, 1, s->n);
	}
	return n;
}

static void take(struct str *s, const char *word)
{
	REQUIRE(str_starts(*s, word));
	*s = str_sub(*s, str_of(word).n, s->n);
}

/* "12,3" or "12": a range without lines is named by the line before it. */
static void take_range(struct str *s, size_t *first, size_t *lines)
{
	*first = take_number(s);
	*lines = 1;
	if (str_starts(*s, ",")) {
		take(s, ",");
		*lines = take_number(s);
	}
	REQUIRE(*first > 0 || *lines == 0);
	*first -= *lines > 0;
}

/* The next line of text, with its end. */
static struct str next_line(struct str *text)
{
	size_t end = str_find(*text, "\n", 0);
	struct str line = str_sub(*text, 0, end == SIZE_MAX ? text->n : end + 1);
	*text = str_sub(*text, line.n, text->n);
	return line;
}

/* A line of the diff after its mark; without its end where the diff says that it has none. */
static struct str diff_line(struct str *diff)
{
	struct str line = next_line(diff);
	if (str_starts(*diff, "\\ No newline at end of file\n")) {
		take(diff, "\\ No newline at end of file\n");
		line.n--;
	}
	return str_sub(line, 1, line.n);
}

static void apply_hunk(struct sbuf *out, size_t *copied, struct str *before, struct str *diff)
{
	size_t a, a_lines, b, b_lines;
	take(diff, "@@ -");
	take_range(diff, &a, &a_lines);
	take(diff, " +");
	take_range(diff, &b, &b_lines);
	take(diff, " @@\n");
	REQUIRE(a >= *copied);
	for (; *copied < a; ++*copied) {
		sbuf_addstr(out, next_line(before));
	}
	while (a_lines > 0 || b_lines > 0) {
		REQUIRE(diff->n > 0);
		char mark = diff->p[0];
		struct str line = diff_line(diff);
		REQUIRE(mark == ' ' || mark == '-' || mark == '+');
		if (mark != '+') {
			REQUIRE(a_lines > 0 && str_eq(next_line(before), line));
			a_lines--;
			++*copied;
		}
		if (mark != '-') {
			REQUIRE(b_lines > 0);
			sbuf_addstr(out, line);
			b_lines--;
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str after = {(const char *)data, size};
	struct str before = fuzz_split(&after);
	struct str rest = before;
	struct sbuf text = {0};
	struct sbuf out = {0};
	struct sbuf patched = {0};
	size_t copied = 0;
	diff_unified(&text, before, after, "a", "b");
	struct str diff = sbuf_str(&text);
	REQUIRE((diff.n == 0) == str_eq(before, after));
	if (diff.n > 0) {
		take(&diff, "--- a\n+++ b\n");
	}
	while (diff.n > 0) {
		apply_hunk(&out, &copied, &rest, &diff);
	}
	sbuf_addstr(&out, rest);
	REQUIRE(str_eq(sbuf_str(&out), after));
	REQUIRE(diff_apply(&patched, before, sbuf_str(&text)) && str_eq(sbuf_str(&patched), after));
	sbuf_release(&patched);
	sbuf_release(&text);
	sbuf_release(&out);
	return 0;
}
