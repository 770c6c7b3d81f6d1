#include "prepare.h"

#include <ctype.h>
#include <string.h>

#include "base/msg.h"
#include "frontend/text/lex.h"

#include "asm_model.h"
#include "tokens.h"

/* # 12 "file" 1 3: the 3 means a system header. */
static bool is_system_marker(struct str line)
{
	size_t quote = SIZE_MAX;

	for (size_t i = line.n; i-- > 0 && quote == SIZE_MAX;) {
		if (line.p[i] == '"') {
			quote = i;
		}
	}
	return quote != SIZE_MAX && str_find(line, "3", quote) != SIZE_MAX;
}

bool token_is_marker(struct str line)
{
	return line.n > 2 && line.p[0] == '#' && line.p[1] == ' ' &&
	       isdigit((unsigned char)line.p[2]);
}

/* The marker after the text of a system header that begins at `at`. */
static size_t past_system(struct str s, size_t at)
{
	do {
		at = str_find(s, "\n#", at);
	} while (at != SIZE_MAX && !token_is_marker(str_sub(s, ++at, s.n)));
	return at < s.n ? at : s.n;
}

static void scan(struct preparation *p)
{
	struct str s = p->source;
	size_t at = 0;

	for (struct lex_token t = lex_next(s, 0); t.kind != LEX_END; t = lex_next(s, at)) {
		struct str line = str_sub(s, t.begin, t.end);
		char kind = t.kind == LEX_STRING ? '"' : t.kind == LEX_PUNCT ? s.p[t.begin] : 'a';
		bool system = token_is_marker(line) && is_system_marker(line);
		at = system ? past_system(s, t.end) : t.end;
		if (t.kind != LEX_DIRECTIVE) {
			array_push(&p->tokens, (struct token){t.begin, t.end, kind});
		}
	}
}

static struct str text_of(const struct preparation *p, size_t i)
{
	if (i >= p->tokens.n) {
		return STR("");
	}
	return str_sub(p->source, p->tokens.v[i].begin, p->tokens.v[i].end);
}

bool token_is(const struct preparation *p, size_t i, const char *text)
{
	return str_is(text_of(p, i), text);
}

char token_kind(const struct preparation *p, size_t i)
{
	return i < p->tokens.n ? p->tokens.v[i].kind : '\0';
}

/* Is the token the first of three adjacent characters c? */
static bool is_triple(const struct preparation *p, size_t i, char c)
{
	return token_kind(p, i) == c && token_kind(p, i + 1) == c && token_kind(p, i + 2) == c &&
	       p->tokens.v[i].end == p->tokens.v[i + 1].begin &&
	       p->tokens.v[i + 1].end == p->tokens.v[i + 2].begin;
}

bool token_opens(char c)
{
	return c == '(' || c == '[' || c == '{';
}

bool token_closes(char c)
{
	return c == ')' || c == ']' || c == '}';
}

size_t token_past_bracket(const struct preparation *p, size_t i)
{
	size_t depth = 0;

	for (; i < p->tokens.n; ++i) {
		if (token_opens(token_kind(p, i))) {
			depth++;
		} else if (token_closes(token_kind(p, i)) && --depth == 0) {
			return i + 1;
		}
	}
	return i;
}

size_t token_opening(const struct preparation *p, size_t i)
{
	for (size_t depth = 0; i != SIZE_MAX; i--) {
		depth += token_closes(token_kind(p, i));
		depth -= token_opens(token_kind(p, i));
		if (depth == 0) {
			return i;
		}
	}
	return SIZE_MAX;
}

bool token_heads_statement(const struct preparation *p, size_t open)
{
	static const char *const words[] = {"if", "while", "for", "switch", "constexpr", "catch"};
	bool is_head = false;

	for (size_t i = 0; open > 0 && i < sizeof(words) / sizeof(words[0]); i++) {
		is_head |= token_is(p, open - 1, words[i]);
	}
	return is_head;
}

void token_insert(struct preparation *p, size_t at, struct str text)
{
	edit_list_add(&p->edits, p->arena, at, at, text);
}

void token_replace(struct preparation *p, size_t from, size_t to, const char *text)
{
	size_t begin = p->tokens.v[from].begin, end = p->tokens.v[to - 1].end;
	struct str rest = str_sub(p->source, begin, end), line;
	struct sbuf kept = {0};
	bool first = true;

	for (size_t i = from; i < to; i++) {
		p->replaced[i] = true;
	}
	sbuf_adds(&kept, text);
	while (str_line(&rest, &line)) {
		if (!first) {
			sbuf_addc(&kept, '\n');
		}
		if (!first && str_starts(line, "#")) {
			sbuf_addstr(&kept, line);
		}
		first = false;
	}
	edit_list_add(&p->edits, p->arena, begin, end, sbuf_str(&kept));
	sbuf_release(&kept);
}

/* k<<<...>>>(...): past the >>>, or i if it is not a launch. */
static size_t do_launch(struct preparation *p, size_t i)
{
	size_t j = i + 3;

	if (!is_triple(p, i, '<') || (i > 0 && token_is(p, i - 1, "operator"))) {
		return i;
	}
	while (j < p->tokens.n && !is_triple(p, j, '>') && token_kind(p, j) != ';') {
		j = token_opens(token_kind(p, j)) ? token_past_bracket(p, j) : j + 1;
	}
	if (!is_triple(p, j, '>') || token_kind(p, j + 3) != '(') {
		return i;
	}
	token_replace(p, i, j + 3, " ");
	return j + 3;
}

#define LDS "static __attribute__((__section__(\"unphi_lds\")))"

/* Past the expansion of __shared__, from the runner or from a source without HIP's headers; or
 * i. */
static size_t past_shared(const struct preparation *p, size_t i)
{
	bool own = token_is(p, i, "static") && token_is(p, i + 1, "__attribute__") &&
		   token_is(p, i + 4, "__section__") && token_is(p, i + 6, "\"unphi_lds\"");
	bool bare = token_is(p, i, "__attribute__") && token_is(p, i + 3, "shared") &&
		    token_kind(p, i + 4) == ')';
	return i + (own ? 10 : bare ? 6 : 0);
}

static bool is_extern(const struct preparation *p, size_t i)
{
	for (size_t j = i; j-- > 0 && !strchr(";{}", token_kind(p, j));) {
		if (token_is(p, j, "extern")) {
			return true;
		}
	}
	for (size_t j = i; j < p->tokens.n && token_kind(p, j) != ';'; ++j) {
		if (token_is(p, j, "extern")) {
			return true;
		}
	}
	return false;
}

static size_t do_shared(struct preparation *p, size_t i)
{
	size_t past = past_shared(p, i), at = past;

	if (past == i + 6 && !is_extern(p, i)) {
		token_replace(p, i, past, LDS);
		return past;
	}
	if (past == i || !is_extern(p, i)) {
		return i;
	}
	token_replace(p, i, past, " ");
	/* Past the last [] of the declarator, before attributes. */
	while (at < p->tokens.n && token_kind(p, at) != '[' && token_kind(p, at) != ';') {
		at = token_kind(p, at) == '(' ? token_past_bracket(p, at) : at + 1;
	}
	while (token_kind(p, at) == '[') {
		at = token_past_bracket(p, at);
	}
	if (at < p->tokens.n) {
		token_insert(p, p->tokens.v[at].begin, STR(" __asm__(\"unphi_dynamic_lds\") "));
	}
	return past;
}

static bool is_asm(const struct preparation *p, size_t i)
{
	return token_is(p, i, "asm") || token_is(p, i, "__asm__") || token_is(p, i, "__asm");
}

/* A name for a declaration, not a statement. */
static bool is_asm_label(const struct preparation *p, size_t i)
{
	if (i == 0 || token_kind(p, i + 1) != '(') {
		return false;
	}
	if (token_kind(p, i - 1) == ')') {
		return !token_heads_statement(p, token_opening(p, i - 1));
	}
	return token_kind(p, i - 1) == ']' ||
	       (token_kind(p, i - 1) == 'a' && !token_is(p, i - 1, "else") &&
		       !token_is(p, i - 1, "do"));
}

static bool is_blank_literal(struct str s)
{
	for (size_t i = 0; i < s.n; ++i) {
		if (!isspace((unsigned char)s.p[i]) && s.p[i] != '"') {
			return false;
		}
	}
	return true;
}

static size_t do_asm(struct preparation *p, size_t i)
{
	size_t open = i + 1;
	bool empty = true;

	if (!is_asm(p, i) || is_asm_label(p, i)) {
		return i;
	}
	while (token_kind(p, open) == 'a') {
		open++;
	}
	if (token_kind(p, open) != '(') {
		return i;
	}
	for (size_t j = open + 1; token_kind(p, j) == '"'; ++j) {
		empty = empty && is_blank_literal(text_of(p, j));
	}
	struct sbuf model = {0};
	bool modelled = !empty && asm_model(&model, p->arena, p->source, p->tokens.v[i].begin);
	const char *other = p->never_runs
				    ? "static_assert(true, \"\")"
				    : "static_assert(false, \"inline asm cannot run on the CPU\")";
	token_replace(p, i, token_past_bracket(p, open),
		empty	   ? "((void)0)"
		: modelled ? sbuf_cstr(&model)
			   : other);
	sbuf_release(&model);
	return token_past_bracket(p, open);
}

/* Past a constexpr function or variable; its loops are not changed. */
static size_t past_constexpr(const struct preparation *p, size_t i)
{
	while (i < p->tokens.n && token_kind(p, i) != ';') {
		bool body = token_kind(p, i) == '{';

		i = token_opens(token_kind(p, i)) ? token_past_bracket(p, i) : i + 1;
		if (body && token_kind(p, i) != ';' && token_kind(p, i) != ',' &&
			token_kind(p, i) != ')' && token_kind(p, i) != '(') {
			break;
		}
		if (token_closes(token_kind(p, i))) {
			break;
		}
	}
	return i;
}

static void count_iterations(struct preparation *p, size_t keyword, size_t body)
{
	struct sbuf text = {0};

	if (body >= p->tokens.n) {
		return;
	}
	p->loops++;
	sbuf_addf(&text,
		"for (::unphi::loop unphi_loop%u(%uu), *unphi_once%u = &unphi_loop%u; "
		"unphi_once%u; unphi_once%u = nullptr) ",
		p->loops, p->loops, p->loops, p->loops, p->loops, p->loops);
	token_insert(p, p->tokens.v[keyword].begin, sbuf_str(&text));
	sbuf_reset(&text);
	sbuf_addf(&text, " if (unphi_loop%u.next()) {} else ", p->loops);
	token_insert(p, p->tokens.v[body - 1].end, sbuf_str(&text));
	sbuf_release(&text);
}

/* Does a loop's body only wait? */
static bool only_waits(const struct preparation *p, size_t body)
{
	static const char *const waits[] = {
		"yield", "__threadfence", "__threadfence_block", "__threadfence_system", NULL};
	size_t at = token_kind(p, body) == '{' ? body + 1 : body;
	if (token_kind(p, at) == (at > body ? '}' : ';')) {
		return true;
	}
	at += token_is(p, at, "unphi") ? 3 : 0; /* s_sleep is unphi::yield() */
	bool one = str_is_any(text_of(p, at), waits) && token_kind(p, at + 1) == '(';
	at = one ? token_past_bracket(p, at + 1) : p->tokens.n;
	return token_kind(p, at) == ';' &&
	       (token_kind(p, body) != '{' || token_kind(p, at + 1) == '}');
}

/* The loop's body: of a do loop if its while is token i, else the statement after the condition. */
static size_t body_of(const struct preparation *p, size_t i)
{
	size_t open = i > 0 && token_kind(p, i - 1) == '}' ? token_opening(p, i - 1) : 0;
	bool of_do = open > 0 && open != SIZE_MAX && token_is(p, open - 1, "do");
	return of_do ? open : token_past_bracket(p, i + 1);
}

/* Does the condition contain x++ or x = y? Then it searches instead of polling one value. */
static bool changes_something(const struct preparation *p, size_t from, size_t to)
{
	bool changes = false;
	for (size_t j = from; j < to; j++) {
		char c = token_kind(p, j), next = token_kind(p, j + 1);
		changes |= (c == '+' && next == '+') || (c == '-' && next == '-');
		changes |= c == '=' && next != '=' && !strchr("=!<>", token_kind(p, j - 1));
	}
	return changes;
}

/* A loop that waits for a flag: marks the locations that its condition reads as polled. */
static void mark_poll(struct preparation *p, size_t i)
{
	size_t past = token_past_bracket(p, i + 1);
	if (past < p->tokens.n && !changes_something(p, i + 2, past - 1) &&
		only_waits(p, body_of(p, i))) {
		token_insert(p, p->tokens.v[i + 1].end,
			STR("::unphi::race_poll(true), ::unphi::poll_end((bool)("));
		token_insert(p, p->tokens.v[past - 1].begin, STR("))"));
	}
}

/* Does a switch around the loop jump into its body? Then nothing can be declared before it. */
static bool has_outer_case(const struct preparation *p, size_t body)
{
	size_t end = token_kind(p, body) == '{' ? token_past_bracket(p, body) : body;
	for (size_t k = body; k < end; k++) {
		if (token_is(p, k, "case") ||
			(token_is(p, k, "default") && token_kind(p, k + 1) == ':')) {
			return true;
		}
		if (token_is(p, k, "switch") && token_kind(p, k + 1) == '(') {
			k = token_past_bracket(p, k + 1);
			k = token_kind(p, k) == '{' ? token_past_bracket(p, k) - 1 : k - 1;
		}
	}
	return false;
}

static void do_loop(struct preparation *p, size_t i)
{
	if (token_is(p, i, "while") && token_kind(p, i + 1) == '(') {
		mark_poll(p, i);
	}

	if (token_is(p, i, "do") && !has_outer_case(p, i + 1)) {
		count_iterations(p, i, i + 1);
	} else if ((token_is(p, i, "for") || token_is(p, i, "while")) &&
		   token_kind(p, i + 1) == '(') {
		size_t body = token_past_bracket(p, i + 1);

		/* An empty body, or the end of a do loop. */
		if (token_kind(p, body) != ';' && !has_outer_case(p, body)) {
			count_iterations(p, i, body);
		}
	}
}

/* Replaces __atomic_fetch_add(...), __sync_synchronize() and similar by functions of atomic.h. */
static void do_builtin_atomic(struct preparation *p, size_t i)
{
	static const char *const left[] = {"__atomic_always_lock_free", "__atomic_is_lock_free",
		"__atomic_signal_fence", "__atomic_test_and_set", "__atomic_clear", NULL};
	struct str name = text_of(p, i);
	bool is = str_starts(name, "__atomic_") || str_starts(name, "__sync_");
	if (is && token_kind(p, i + 1) == '(' && !str_is_any(name, left)) {
		edit_list_add(&p->edits, p->arena, p->tokens.v[i].begin, p->tokens.v[i].end,
			str_of(arena_printf(p->arena, "unphi_%.*s", STR_ARG(name))));
	}
}

static void do_noinline(struct preparation *p, size_t i)
{
	if (token_is(p, i, "__noinline__") && i > 0 && token_kind(p, i - 1) != '(' &&
		token_kind(p, i - 1) != ',') {
		token_replace(p, i, i + 1, "__attribute__((noinline))");
	}
}

static void find_edits(struct preparation *p)
{
	size_t no_loops_before = 0;

	for (size_t i = 0; i < p->tokens.n;) {
		size_t next = do_launch(p, i);

		next = next == i ? do_shared(p, i) : next;
		next = next == i ? do_asm(p, i) : next;
		next = next == i ? variables_mark(p, i) : next;
		if (next != i) {
			i = next;
			continue;
		}
		if (token_is(p, i, "constexpr") && !(i > 0 && token_is(p, i - 1, "if")) &&
			i >= no_loops_before) {
			no_loops_before = past_constexpr(p, i + 1);
		}
		if (i >= no_loops_before) {
			do_loop(p, i);
		}
		do_noinline(p, i);
		do_builtin_atomic(p, i);
		++i;
	}
}

void verify_prepare(struct sbuf *out, struct arena *a, struct str preprocessed, bool choices,
	bool never_runs, struct words *kernels)
{
	struct preparation p = {.source = preprocessed, .arena = a, .never_runs = never_runs};
	size_t clash[2];

	scan(&p);
	p.replaced = ARENA_ARRAY(a, bool, p.tokens.n + 1);
	if (kernels) {
		kernels_find(kernels, &p);
	}
	find_edits(&p);
	arms_mark(&p, choices);
	if (!edit_list_check(&p.edits, preprocessed.n, clash)) {
		BUG("edits %zu and %zu clash", clash[0], clash[1]);
	}
	edit_list_apply(out, preprocessed, &p.edits);
	edit_list_release(&p.edits);
	array_release(&p.tokens);
}
