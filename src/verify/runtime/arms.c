/*
 * Records which arms run: conditions are wrapped, case labels get an added statement, and a table
 * before the text lists their places. launch_cpu.hpp writes the results.
 *
 * BEFORE  if (x < n) { ... } else if (y) { ... }
 * AFTER   if (__unphi_arm(0, (x < n))) { ... } else if (__unphi_arm(1, (y))) { ... }
 *
 * `?:` is marked only on request: tokens do not always show where its condition begins, and the
 * condition of a vector is not a bool.
 */
#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "tokens.h"

/* A condition of a chain, or the label of a case. */
struct mark {
	size_t token;  /* of the if or switch */
	unsigned head; /* the first mark of its chain or switch */
	unsigned arm;  /* of that, from 1 */
	char kind;     /* 'i' a condition, 'l' the last of its chain, 'c' a label, 'u' a `?:` that
			* is not understood */
};

struct marking {
	struct preparation *p;
	ARRAY(struct mark) marks;
	struct ids claimed; /* tokens of ifs that are part of a chain */
	/* the last place looked up; the search continues from there */
	size_t at;
	unsigned line;
	struct str file;
};

static bool is_adjacent(const struct preparation *p, size_t i)
{
	return i > 0 && p->tokens.v[i - 1].end == p->tokens.v[i].begin;
}

/* A ':' that is not part of a '::'. */
static bool is_colon(const struct preparation *p, size_t i)
{
	return token_kind(p, i) == ':' && !(token_kind(p, i + 1) == ':' && is_adjacent(p, i + 1)) &&
	       !(i > 0 && token_kind(p, i - 1) == ':' && is_adjacent(p, i));
}

/* The token after a label's colon; i is the one after case or default. */
static size_t past_colon(const struct preparation *p, size_t i)
{
	size_t questions = 0;
	while (i < p->tokens.n && token_kind(p, i) != ';' && !token_closes(token_kind(p, i))) {
		if (is_colon(p, i) && questions-- == 0) {
			return i + 1;
		}
		questions += token_kind(p, i) == '?';
		i = token_opens(token_kind(p, i)) ? token_past_bracket(p, i) : i + 1;
	}
	return SIZE_MAX;
}

static size_t past_simple(const struct preparation *p, size_t i)
{
	while (i < p->tokens.n && token_kind(p, i) != ';' && !token_closes(token_kind(p, i))) {
		i = token_opens(token_kind(p, i)) ? token_past_bracket(p, i) : i + 1;
	}
	return i + 1;
}

/* The '(' of an if or a loop; SIZE_MAX when there is none. */
static size_t head_of(const struct preparation *p, size_t i)
{
	i += token_is(p, i + 1, "constexpr") ? 2 : 1;
	return token_kind(p, i) == '(' ? i : SIZE_MAX;
}

/* The token after the statement at i. */
static size_t past_statement(const struct preparation *p, size_t i, unsigned depth)
{
	static const unsigned deepest = 200; /* no real code nests that deep without braces */
	for (; i < p->tokens.n && depth < deepest;) {
		bool is_if = token_is(p, i, "if");
		if (token_kind(p, i) == '[') { /* attributes */
			i = token_past_bracket(p, i);
		} else if (token_kind(p, i) == '{') {
			return token_past_bracket(p, i);
		} else if (token_is(p, i, "do")) {
			i = past_statement(p, i + 1, depth + 1);
			return past_simple(p, i);
		} else if (is_if || token_is(p, i, "for") || token_is(p, i, "while") ||
			   token_is(p, i, "switch")) {
			size_t open = head_of(p, i);
			if (open == SIZE_MAX) {
				return past_simple(p, i);
			}
			i = token_past_bracket(p, open);
			if (is_if) {
				i = past_statement(p, i, depth + 1);
				if (!token_is(p, i, "else")) {
					return i;
				}
				i++;
			}
		} else {
			return past_simple(p, i);
		}
	}
	return p->tokens.n;
}

/* The start of the condition in the parentheses at i, after an init statement. SIZE_MAX: it
 * declares a variable, or is missing. */
static size_t condition_of(const struct preparation *p, size_t i)
{
	size_t close = token_past_bracket(p, i) - 1;
	size_t begin = i + 1;
	for (size_t k = begin; k < close; k++) {
		if (token_opens(token_kind(p, k))) {
			k = token_past_bracket(p, k) - 1;
		} else if (token_kind(p, k) == ';') {
			begin = k + 1;
		}
	}
	for (size_t k = begin; k < close; k++) {
		char before = k > begin && is_adjacent(p, k) ? token_kind(p, k - 1) : ' ';
		bool sets = token_kind(p, k) == '=' && !strchr("=<>!", before) &&
			    !(token_kind(p, k + 1) == '=' && is_adjacent(p, k + 1));
		bool two_words = k > begin && token_kind(p, k) == 'a' &&
				 token_kind(p, k - 1) == 'a' && token_kind(p, k + 1) == '{';
		if (sets || two_words) {
			return SIZE_MAX;
		}
		if (token_opens(token_kind(p, k))) {
			k = token_past_bracket(p, k) - 1;
		}
	}
	return begin < close ? begin : SIZE_MAX;
}

static void insert_f(struct preparation *p, size_t at, const char *format, size_t number)
{
	struct sbuf text = {0};
	sbuf_addf(&text, format, number);
	token_insert(p, at, sbuf_str(&text));
	sbuf_release(&text);
}

/* Wraps the condition of the if at i. False if that is not possible. */
static bool mark_condition(struct marking *m, size_t i, unsigned head, unsigned arm)
{
	struct preparation *p = m->p;
	size_t open = token_is(p, i + 1, "constexpr") ? SIZE_MAX : head_of(p, i);
	size_t begin = open == SIZE_MAX ? SIZE_MAX : condition_of(p, open);
	if (begin == SIZE_MAX) {
		return false;
	}
	size_t close = token_past_bracket(p, open) - 1;
	if (p->replaced[i] || p->replaced[close] ||
		(p->replaced[begin - 1] && p->replaced[begin])) {
		return false; /* that text is removed, as the operands of an asm are */
	}
	insert_f(p, p->tokens.v[begin].begin, "__unphi_arm(%zu, (bool)(", m->marks.n);
	token_insert(p, p->tokens.v[close - 1].end, STR("))"));
	array_push(&m->marks, (struct mark){i, head, arm, 'i'});
	return true;
}

static void mark_chain(struct marking *m, size_t i)
{
	struct preparation *p = m->p;
	unsigned head = (unsigned)m->marks.n;
	unsigned arm = 1;
	while (mark_condition(m, i, head, arm)) {
		i = past_statement(p, token_past_bracket(p, head_of(p, i)), 0);
		if (!token_is(p, i, "else") || !token_is(p, i + 1, "if")) {
			m->marks.v[m->marks.n - 1].kind = 'l';
			return;
		}
		ids_set(&m->claimed, ++i, 1);
		arm++;
	}
}

/* Marks the labels directly inside the switch at i. */
static void mark_labels(struct marking *m, size_t i)
{
	struct preparation *p = m->p;
	unsigned head = (unsigned)m->marks.n;
	unsigned arm = 0;
	size_t body = head_of(p, i) == SIZE_MAX ? SIZE_MAX : token_past_bracket(p, head_of(p, i));
	size_t end = token_kind(p, body) == '{' ? token_past_bracket(p, body) - 1 : 0;
	for (size_t k = body + 1; k < end;) {
		bool is_label = token_is(p, k, "case") || token_is(p, k, "default");
		size_t past = is_label ? past_colon(p, k + 1) : SIZE_MAX;
		if (past == SIZE_MAX) {
			k = token_opens(token_kind(p, k)) ? token_past_bracket(p, k) : k + 1;
			continue;
		}
		if (!token_is(p, past, "case") && !token_is(p, past, "default") &&
			token_kind(p, past) != '}' && !p->replaced[past - 1]) {
			insert_f(p, p->tokens.v[past - 1].end, " __unphi_arm(%zu, true);",
				m->marks.n);
			array_push(&m->marks, (struct mark){i, head, ++arm, 'c'});
		}
		k = past;
	}
}

/* ---- `?:` ---- */

/* Is the '=' at k an assignment, simple or compound? */
static bool is_assignment(const struct preparation *p, size_t k)
{
	char before = is_adjacent(p, k) ? token_kind(p, k - 1) : ' ';
	bool shift = (before == '<' || before == '>') && is_adjacent(p, k - 1) &&
		     token_kind(p, k - 2) == before;
	bool equal = token_kind(p, k + 1) == '=' && is_adjacent(p, k + 1);
	return !equal && (shift || !strchr("=<>!", before));
}

/* May a '<' directly after a word open template arguments? A mark inside of them would not
 * compile. */
static bool may_open_arguments(const struct preparation *p, size_t k)
{
	char next = is_adjacent(p, k + 1) ? token_kind(p, k + 1) : ' ';
	return token_kind(p, k) == '<' && is_adjacent(p, k) && token_kind(p, k - 1) == 'a' &&
	       !strchr("<=", next);
}

/* May the arm after the ':' of the '?' at i contain the end of template arguments? */
static bool may_close_arguments(const struct preparation *p, size_t i)
{
	size_t questions = 0;
	for (size_t k = past_colon(p, i + 1); k < p->tokens.n; k++) {
		char c = token_kind(p, k);
		bool ends = is_colon(p, k) && questions-- == 0;
		if (ends || strchr(",;", c) || token_closes(c)) {
			return false;
		}
		if (c == '>' && !(is_adjacent(p, k) && token_kind(p, k - 1) == '-')) {
			return true;
		}
		questions += c == '?';
		k = token_opens(c) ? token_past_bracket(p, k) - 1 : k;
	}
	return true;
}

/* Does the token before k end the text before a condition (end of a statement, an operator)? */
static bool ends_before(const struct preparation *p, size_t k)
{
	static const char *const words[] = {"return", "else", "do", "co_return", "co_yield"};
	bool is_word = false;
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		is_word |= token_is(p, k, words[i]);
	}
	return is_word || strchr(",;?", token_kind(p, k)) || token_opens(token_kind(p, k)) ||
	       (token_kind(p, k) == ':' && is_colon(p, k)) ||
	       (token_kind(p, k) == '=' && is_assignment(p, k));
}

/* The start of the condition of the '?' at i; SIZE_MAX if the tokens do not show it. */
static size_t choice_begin(const struct preparation *p, size_t i)
{
	bool angle = false;
	for (size_t k = i; k-- > 0;) {
		char c = token_kind(p, k);
		if (ends_before(p, k)) {
			bool sure = k + 1 < i && !(angle && may_close_arguments(p, i));
			return sure ? k + 1 : SIZE_MAX;
		}
		if (c == '}' || token_is(p, k, "case") || token_is(p, k, "operator") ||
			token_is(p, k, "throw") || p->replaced[k]) {
			return SIZE_MAX;
		}
		if (token_closes(c)) {
			size_t open = token_opening(p, k);
			if (open == SIZE_MAX || token_heads_statement(p, open)) {
				return open == SIZE_MAX || k + 1 == i ? SIZE_MAX : k + 1;
			}
			k = open;
		}
		angle |= may_open_arguments(p, k);
	}
	return SIZE_MAX;
}

static void mark_choice(struct marking *m, size_t i)
{
	struct preparation *p = m->p;
	unsigned head = (unsigned)m->marks.n;
	size_t begin = choice_begin(p, i);
	bool own = token_kind(p, i + 1) == ':'; /* in `a ?: b` the value of a is the result */
	bool known = begin != SIZE_MAX && !own && !p->replaced[i] && !p->replaced[begin - 1];
	if (known) {
		insert_f(p, p->tokens.v[begin].begin, "__unphi_arm(%zu, (bool)(", m->marks.n);
		token_insert(p, p->tokens.v[i - 1].end, STR("))"));
	}
	array_push(&m->marks, (struct mark){i, head, 1, known ? 'l' : 'u'});
}

/* Sets m's file and line for the byte. */
static void go_to(struct marking *m, size_t at)
{
	struct str s = m->p->source;
	while (m->at < at) {
		size_t end = str_find(s, "\n", m->at);
		end = end == SIZE_MAX ? s.n : end + 1;
		struct str line = str_sub(s, m->at, end);
		if (end > at) {
			return;
		}
		if (token_is_marker(line)) {
			size_t open = str_find(line, "\"", 0);
			size_t close = str_find(line, "\"", open + 1);
			int64_t number = 1;
			str_to_i64(str_trim(str_sub(line, 2, open)), &number);
			m->line = (unsigned)number;
			m->file = close == SIZE_MAX ? STR("") : str_sub(line, open + 1, close);
		} else {
			m->line++;
		}
		m->at = end;
	}
}

static int by_token(const void *x, const void *y)
{
	const struct mark *const *a = x, *const *b = y;
	return (*a)->token<(*b)->token ? -1 : (*a)->token>(*b)->token;
}

/* Adds the table and the wrapping functions; not for a text without marks. */
static void add_table(struct marking *m)
{
	size_t n = m->marks.n;
	const struct mark **in_order = ARENA_ARRAY(m->p->arena, const struct mark *, n + 1);
	const char **row = ARENA_ARRAY(m->p->arena, const char *, n + 1);
	struct sbuf out = {0};
	for (size_t i = 0; i < n; i++) {
		in_order[i] = &m->marks.v[i];
	}
	qsort(in_order, n, sizeof(*in_order), by_token);
	for (size_t i = 0; i < n; i++) {
		go_to(m, m->p->tokens.v[in_order[i]->token].begin);
		row[in_order[i] - m->marks.v] =
			arena_printf(m->p->arena, "\"%u %u %c %u %.*s\",", in_order[i]->head,
				in_order[i]->arm, in_order[i]->kind, m->line, STR_ARG(m->file));
	}
	sbuf_addf(&out,
		"static unsigned char __unphi_arm_ran[%zu]; static inline constexpr bool "
		"__unphi_arm(unsigned n, bool c) { return __builtin_is_constant_evaluated() ? c : "
		"(__unphi_arm_ran[2 * n + c] = 1, c); } "
		"static const char *const __unphi_arm_text[] = {",
		2 * n + 2);
	for (size_t i = 0; i < n; i++) {
		sbuf_adds(&out, row[i]);
	}
	sbuf_adds(&out, "0};\n");
	token_insert(m->p, 0, sbuf_str(&out));
	sbuf_release(&out);
}

void arms_mark(struct preparation *p, bool choices)
{
	struct marking m = {.p = p, .line = 1};
	for (size_t i = 0; i < p->tokens.n; i++) {
		if (token_is(p, i, "if") && ids_get(&m.claimed, i, 0) == 0) {
			mark_chain(&m, i);
		} else if (token_is(p, i, "switch")) {
			mark_labels(&m, i);
		} else if (choices && token_kind(p, i) == '?') {
			mark_choice(&m, i);
		}
	}
	add_table(&m);
	ids_release(&m.claimed);
	array_release(&m.marks);
}
