#include "frontend/text/lex.h"

/* A table, because these questions are asked for every byte. */
enum {
	DIGIT = 1 << 0,
	WORD = 1 << 1,
	SPACE = 1 << 2
};

static const unsigned char class_of[256] = {
	['0' ... '9'] = DIGIT | WORD,
	['A' ... 'Z'] = WORD,
	['a' ... 'z'] = WORD,
	['_'] = WORD,
	['$'] = WORD,
	[0x80 ... 0xff] = WORD,
	['\t' ... '\r'] = SPACE,
	[' '] = SPACE,
};

static inline bool digit_char(char c)
{
	return class_of[(unsigned char)c] & DIGIT;
}

static inline bool word_char(char c)
{
	return class_of[(unsigned char)c] & WORD;
}

bool lex_is_word_char(char c)
{
	return word_char(c);
}

static inline bool space_char(char c)
{
	return class_of[(unsigned char)c] & SPACE;
}

static char at(struct str t, size_t i)
{
	return i < t.n ? t.p[i] : '\0';
}

static size_t end_of_line(struct str t, size_t i)
{
	while (i < t.n && t.p[i] != '\n') {
		bool splice =
			t.p[i] == '\\' &&
			(at(t, i + 1) == '\n' || (at(t, i + 1) == '\r' && at(t, i + 2) == '\n'));
		i += splice ? (at(t, i + 1) == '\n' ? 2 : 3) : 1;
	}
	return i < t.n ? i : t.n;
}

size_t lex_line_end(struct str text, size_t pos)
{
	size_t e = end_of_line(text, pos);
	return e > pos && e < text.n && text.p[e - 1] == '\r' ? e - 1 : e;
}

static size_t end_of_block_comment(struct str t, size_t i)
{
	size_t e = str_find(t, "*/", i + 2);
	return e == SIZE_MAX ? t.n : e + 2;
}

size_t lex_skip_space(struct str t, size_t i)
{
	for (;;) {
		while (i < t.n && space_char(t.p[i])) {
			i++;
		}
		if (i < t.n && t.p[i] != '/' && t.p[i] != '\\') {
			return i;
		}
		if (at(t, i) == '\\' && (at(t, i + 1) == '\n' || at(t, i + 1) == '\r')) {
			i += 2; /* a \n after \r is skipped as white space */
		} else if (at(t, i) == '/' && at(t, i + 1) == '/') {
			i = end_of_line(t, i);
		} else if (at(t, i) == '/' && at(t, i + 1) == '*') {
			i = end_of_block_comment(t, i);
		} else {
			return i < t.n ? i : t.n;
		}
	}
}

static size_t end_of_quoted(struct str t, size_t i, char quote)
{
	for (i++; i < t.n && t.p[i] != quote && t.p[i] != '\n'; i++) {
		if (t.p[i] == '\\') {
			i += at(t, i + 1) == '\r' && at(t, i + 2) == '\n' ? 2 : 1;
		}
	}
	return i < t.n ? i + 1 : t.n;
}

/* i is the offset of the quote in R"delim( ... )delim". */
static size_t end_of_raw(struct str t, size_t i)
{
	size_t open = i + 1;
	while (open < t.n && t.p[open] != '(' && open - i <= 17) {
		open++;
	}
	char close[24] = ")";
	size_t n = open - (i + 1);
	if (n > 16) {
		return end_of_quoted(t, i, '"');
	}
	memcpy(close + 1, t.p + i + 1, n);
	close[n + 1] = '"';
	size_t e = str_find(t, close, open);
	return e == SIZE_MAX ? t.n : e + n + 2;
}

bool lex_first_on_line(struct str t, size_t i)
{
	while (i > 0 && (t.p[i - 1] == ' ' || t.p[i - 1] == '\t')) {
		i--;
	}
	return i == 0 || t.p[i - 1] == '\n';
}

static size_t end_of_number(struct str t, size_t i)
{
	while (i < t.n) {
		char c = t.p[i];
		bool exponent_sign = (c == '+' || c == '-') && strchr("eEpP", t.p[i - 1]);
		bool separator = c == '\'' && word_char(at(t, i + 1));
		if (!word_char(c) && c != '.' && !exponent_sign && !separator) {
			break;
		}
		i++;
	}
	return i;
}

struct lex_token lex_next(struct str t, size_t pos)
{
	size_t b = lex_skip_space(t, pos);
	struct lex_token tok = {LEX_END, b, b};
	if (b >= t.n) {
		return tok;
	}
	char c = t.p[b];
	if (c == '#' && lex_first_on_line(t, b)) {
		tok.kind = LEX_DIRECTIVE;
		tok.end = end_of_line(t, b);
	} else if (digit_char(c) || (c == '.' && digit_char(at(t, b + 1)))) {
		tok.kind = LEX_NUMBER;
		tok.end = end_of_number(t, b + 1);
	} else if (word_char(c)) {
		size_t e = b;
		while (e < t.n && word_char(t.p[e])) {
			e++;
		}
		bool prefix = e - b <= 3 && (at(t, e) == '"' || at(t, e) == '\'');
		if (prefix && t.p[e - 1] == 'R' && t.p[e] == '"') {
			tok.kind = LEX_STRING;
			tok.end = end_of_raw(t, e);
		} else if (prefix) {
			tok.kind = LEX_STRING;
			tok.end = end_of_quoted(t, e, t.p[e]);
		} else {
			tok.kind = LEX_WORD;
			tok.end = e;
		}
	} else if (c == '"' || c == '\'') {
		tok.kind = LEX_STRING;
		tok.end = end_of_quoted(t, b, c);
	} else {
		tok.kind = LEX_PUNCT;
		tok.end = b + 1;
	}
	return tok;
}

static int bracket_step(struct str t, struct lex_token tok)
{
	if (tok.kind != LEX_PUNCT) {
		return 0;
	}
	switch (t.p[tok.begin]) {
	case '(':
	case '[':
	case '{':
		return 1;
	case ')':
	case ']':
	case '}':
		return -1;
	default:
		return 0;
	}
}

size_t lex_close(struct str t, size_t open)
{
	int depth = 0;
	lex_each (k, t, open, t.n) {
		depth += bracket_step(t, k);
		if (depth == 0) {
			return k.begin;
		}
	}
	return SIZE_MAX;
}

bool lex_in_one_block(struct str t, size_t from, size_t to)
{
	long depth = 0;
	for (struct lex_token k = lex_next(t, from);
		k.kind != LEX_END && k.begin < to && depth >= 0; k = lex_next(t, k.end)) {
		depth += lex_is(t, k, "{") - lex_is(t, k, "}");
	}
	return depth >= 0;
}

size_t lex_find(struct str t, size_t pos, size_t end, char c)
{
	int depth = 0;
	lex_each (k, t, pos, end) {
		if (depth == 0 && k.kind == LEX_PUNCT && t.p[k.begin] == c) {
			return k.begin;
		}
		depth += bracket_step(t, k);
	}
	return SIZE_MAX;
}

bool lex_is_member_sign(struct str t, struct lex_token k)
{
	char c = k.kind == LEX_PUNCT ? t.p[k.begin] : 0;
	return c == '.' || (c == '>' && k.begin > 0 && t.p[k.begin - 1] == '-');
}

struct inner_words {
	bool (*see)(void *user, struct str word, size_t at);
	void *user;
	size_t at; /* of the directive */
};

static bool see_inner(void *user, struct str word, size_t at)
{
	const struct inner_words *in = user;
	(void)at;
	return in->see(in->user, word, in->at);
}

bool lex_each_word(struct str text, size_t begin, size_t end,
	bool (*see)(void *user, struct str word, size_t at), void *user)
{
	struct lex_token before = {0};
	bool stop = false;
	for (struct lex_token k = lex_next(text, begin);
		!stop && k.kind != LEX_END && k.begin < end; k = lex_next(text, k.end)) {
		if (k.kind == LEX_DIRECTIVE) {
			struct str line = str_sub(text, k.begin + 1, k.end);
			struct inner_words in = {see, user, k.begin};
			stop = lex_each_word(line, 0, line.n, see_inner, &in);
		} else if (k.kind == LEX_WORD && !lex_is_member_sign(text, before)) {
			stop = see(user, str_sub(text, k.begin, k.end), k.begin);
		}
		before = k;
	}
	return stop;
}

static bool is_same(void *user, struct str word, size_t at)
{
	(void)at;
	return str_eq(word, *(const struct str *)user);
}

bool lex_has_word(struct str text, size_t begin, size_t end, struct str word)
{
	return lex_each_word(text, begin, end, is_same, &word);
}
