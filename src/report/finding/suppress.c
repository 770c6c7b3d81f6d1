#include "report/finding/suppress.h"

#include <fnmatch.h>
#include <limits.h>
#include <string.h>

#include "config/options.h"
#include "frontend/text/lex.h"
#include "rule/rule.h"

const char suppression_rule[] = "unphi-suppression";

#define WORD "NOLINT"

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* Takes the next rule off a list. */
static bool next_rule(struct str *list, struct str *rule)
{
	if (!str_split(list, ',', rule)) {
		return false;
	}
	*rule = str_trim(*rule);
	return true;
}

static bool names(const struct suppression *s, const char *rule)
{
	struct str list = s->rules, one;

	if (!s->listed) {
		return true;
	}
	while (next_rule(&list, &one)) {
		char glob[128];
		if (one.n > 0 && one.n < sizeof(glob)) {
			memcpy(glob, one.p, one.n);
			glob[one.n] = '\0';
			if (fnmatch(glob, rule, 0) == 0) {
				return true;
			}
		}
	}
	return false;
}

/* The last NOLINTBEGIN with this list that has no end yet. */
static struct suppression *find_begin(struct suppressions *l, const struct suppression *end)
{
	for (size_t i = l->v.n; i-- > 0;) {
		struct suppression *s = &l->v.v[i];
		if (s->open && s->last == UINT_MAX && s->listed == end->listed &&
			str_eq(s->rules, end->rules)) {
			return s;
		}
	}
	return NULL;
}

static void add(struct suppressions *l, struct suppression *s, struct str kind)
{
	unsigned line = s->first;

	if (str_is(kind, "NEXTLINE")) {
		s->first = s->last = line + 1;
	} else if (str_is(kind, "BEGIN")) {
		s->last = UINT_MAX;
		s->open = true;
	} else if (str_is(kind, "END")) {
		struct suppression *b = find_begin(l, s);
		if (b) {
			b->last = line;
			b->open = false;
			return;
		}
		s->open = true;
		s->first = UINT_MAX; /* no line */
		s->last = 0;
	}
	array_push(&l->v, *s);
}

/* A reason may begin after a colon or a dash. */
static struct str reason_in(struct str comment)
{
	size_t end = str_find(comment, "\n", 0);
	struct str r = str_trim(str_sub(comment, 0, end));

	if (str_ends(r, "*/")) {
		r = str_trim(str_sub(r, 0, r.n - 2));
	}
	while (r.n > 0 && strchr(":- \t", r.p[0])) {
		r = str_sub(r, 1, r.n);
	}
	return r;
}

/* Finds every NOLINT of a comment, text[begin, end). */
static void find_in_comment(struct suppressions *out, struct str text, size_t begin, size_t end)
{
	size_t at = begin;

	while ((at = str_find(str_sub(text, 0, end), WORD, at)) != SIZE_MAX) {
		size_t k = at + strlen(WORD);
		size_t kind_end = k;
		while (kind_end < end && is_word(text.p[kind_end])) {
			kind_end++;
		}
		struct str kind = str_sub(text, k, kind_end);
		bool known = kind.n == 0 || str_is(kind, "NEXTLINE") || str_is(kind, "BEGIN") ||
			     str_is(kind, "END");
		bool whole = at == 0 || !is_word(text.p[at - 1]);
		struct suppression s = {.begin = at, .end = kind_end};
		at = kind_end;
		if (!known || !whole) {
			continue;
		}
		s.first = s.last = line_col_of(text, s.begin).line;
		if (kind_end < end && text.p[kind_end] == '(') {
			size_t close = str_find(str_sub(text, 0, end), ")", kind_end);
			if (close == SIZE_MAX) {
				continue;
			}
			s.listed = true;
			s.rules = str_sub(text, kind_end + 1, close);
			s.end = close + 1;
		}
		s.reason = reason_in(str_sub(text, s.end, end));
		add(out, &s, kind);
		at = s.end;
	}
}

void suppressions_find(struct suppressions *out, struct str text)
{
	*out = (struct suppressions){{0}};
	if (str_find(text, WORD, 0) == SIZE_MAX) {
		return;
	}
	size_t gap = 0;
	for (;;) {
		struct lex_token t = lex_next(text, gap);
		size_t end = t.kind == LEX_END ? text.n : t.begin;
		/* between two tokens there are only white space and comments */
		find_in_comment(out, text, gap, end);
		if (t.kind == LEX_END) {
			return;
		}
		gap = t.end;
	}
}

void suppressions_release(struct suppressions *s)
{
	array_release(&s->v);
}

bool suppressions_hold(struct suppressions *l, unsigned line, const char *rule)
{
	bool held = false;

	array_each (&l->v, struct suppression, s) {
		if (line >= s->first && line <= s->last && names(s, rule)) {
			s->used = true;
			held = true;
		}
	}
	return held;
}

/* The first rule in the list that unphi does not have; p NULL: none. */
static struct str unknown_rule(const struct suppression *s)
{
	struct str list = s->rules, one;

	while (next_rule(&list, &one)) {
		struct suppression single = {.listed = true, .rules = one};
		bool known = !str_starts(one, "unphi");
		for (size_t i = 0; i < rules_n && !known; i++) {
			known = names(&single, rules[i].name);
		}
		if (!known) {
			return one;
		}
	}
	return (struct str){0};
}

static bool names_unphi(const struct suppression *s)
{
	struct str list = s->rules, one;

	while (s->listed && next_rule(&list, &one)) {
		if (str_starts(one, "unphi")) {
			return true;
		}
	}
	return false;
}

/* Are all rules of unphi that it names enabled? If not, it may be unused because of --checks. */
static bool rules_enabled(const struct suppression *s, const char *checks)
{
	for (size_t i = 0; i < rules_n; i++) {
		if (names(s, rules[i].name) && !rule_enabled(checks, rules[i].name)) {
			return false;
		}
	}
	return true;
}

static const char *nearest_rule(struct str name)
{
	const char *known[64];
	size_t n = rules_n < 64 ? rules_n : 64;

	for (size_t i = 0; i < n; i++) {
		known[i] = rules[i].name;
	}
	return options_nearest(name, known, n);
}

void suppressions_judge(struct diag_list *out, struct arena *a, const struct suppressions *l,
	const char *path, struct str text, const char *checks)
{
	array_each (&l->v, const struct suppression, s) {
		if (!names_unphi(s)) {
			continue;
		}
		struct str what = str_sub(text, s->begin, s->end);
		struct str unknown = unknown_rule(s);
		const char *says = NULL;
		enum diag_level level = DIAG_WARNING;
		if (unknown.n > 0) {
			const char *near = nearest_rule(unknown);
			says = arena_printf(a, "there is no rule '%.*s'%s%s%s", STR_ARG(unknown),
				near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
		} else if (s->open) {
			says = arena_printf(
				a, "'%.*s' has no counterpart with the same list", STR_ARG(what));
		} else if (!s->used && rules_enabled(s, checks)) {
			says = arena_printf(
				a, "'%.*s' suppresses nothing; remove it", STR_ARG(what));
		} else if (s->used && s->reason.n == 0) {
			says = arena_printf(a, "'%.*s' gives no reason; write it after the list",
				STR_ARG(what));
			level = DIAG_NOTE;
		}
		if (says) {
			array_push(&out->v, (struct diag){.level = level,
						    .rule = suppression_rule,
						    .place = {path, text, s->begin, s->end},
						    .code = str_hash(what, 0),
						    .text = str_of(says)});
		}
	}
}
