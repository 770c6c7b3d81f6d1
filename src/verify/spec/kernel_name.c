#include "verify/spec/kernel_name.h"

#include <string.h>

enum {
	DEPTH_MAX = 32
};

struct names {
	struct str s;
	size_t at;
	unsigned depth;
};

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static void pass_blanks(struct names *n)
{
	while (n->at < n->s.n && n->s.p[n->at] == ' ') {
		n->at++;
	}
}

static bool next_is(const struct names *n, const char *text)
{
	return str_starts(str_sub(n->s, n->at, n->s.n), text);
}

static bool pass(struct names *n, const char *text)
{
	pass_blanks(n);
	bool is = next_is(n, text);

	n->at += is ? strlen(text) : 0;
	return is;
}

static struct str pass_word(struct names *n)
{
	pass_blanks(n);
	size_t begin = n->at;

	while (n->at < n->s.n &&
		(is_letter(n->s.p[n->at]) || (n->at > begin && is_digit(n->s.p[n->at])))) {
		n->at++;
	}
	return str_sub(n->s, begin, n->at);
}

/* 12, 0x1fu, 1'000, 1.5e-3f: a token that begins with a digit. */
static bool pass_number(struct names *n)
{
	pass_blanks(n);
	size_t begin = n->at;

	if (n->at == n->s.n || !is_digit(n->s.p[n->at])) {
		return false;
	}
	for (; n->at < n->s.n; n->at++) {
		char c = n->s.p[n->at], before = n->at > begin ? n->s.p[n->at - 1] : '0';
		char next = n->at + 1 < n->s.n ? n->s.p[n->at + 1] : '\0';
		bool hex = begin + 1 < n->s.n && (n->s.p[begin + 1] | 32) == 'x';
		bool power = (c == '+' || c == '-') &&
			     (hex ? (before | 32) == 'p' : (before | 32) == 'e');
		if (!is_digit(c) && !is_letter(c) && c != '.' && !power &&
			!(c == '\'' && (is_digit(next) || is_letter(next)))) {
			break;
		}
	}
	return true;
}

/* 'a': one plain character. */
static bool pass_character(struct names *n)
{
	const char *p = n->s.p + n->at;

	if (n->s.n - n->at < 3 || p[0] != '\'' || p[2] != '\'' || p[1] < ' ' || p[1] > '~' ||
		p[1] == '\'' || p[1] == '\\') {
		return false;
	}
	n->at += 3;
	return true;
}

static const char *read_arguments(struct names *n);

static const char *read_name(struct names *n)
{
	/* words that do more than name an entity */
	static const char *const refused[] = {"asm", "__asm", "__asm__", "operator", "new",
		"delete", "throw", "co_await", "co_yield", "co_return", "goto", "return",
		"requires", "typeid", "decltype", "__typeof__", "__typeof", "typeof", "_Pragma",
		"__pragma", "__attribute__", "__declspec", "__extension__", "__label__", NULL};

	pass(n, "::");
	do {
		struct str word = pass_word(n);
		if (word.n == 0) {
			return "a name is expected";
		}
		if (str_is_any(word, refused)) {
			return "it has a word that is not a name";
		}
		const char *wrong = pass(n, "<") ? read_arguments(n) : NULL;
		if (wrong) {
			return wrong;
		}
	} while (pass(n, "::"));
	return NULL;
}

/* A type or an expression; nested: up to a ")". */
static const char *read_argument(struct names *n, bool nested);

static const char *read_nested(struct names *n)
{
	const char *wrong = n->depth == DEPTH_MAX ? "it is nested too deep" : NULL;

	n->depth++;
	wrong = wrong ? wrong : read_argument(n, true);
	n->depth--;
	return wrong ? wrong : pass(n, ")") ? NULL : "a ')' is missing";
}

/* Types and constants are both sequences of operands and operators; only the compiler tells them
 * apart. */
static const char *read_argument(struct names *n, bool nested)
{
	static const char *const operators[] = {"<<", "<=", ">=", "==", "!=", "&&", "||", "+", "-",
		"*", "/", "%", "&", "|", "^", "~", "!", "?", ":"};
	bool any = false, operand = false; /* the last one was a name, a number or "]" */
	bool closed = false;		   /* the last one was ")", of a group or a cast */

	for (;;) {
		size_t k = 0, n_operators = sizeof(operators) / sizeof(operators[0]);
		const char *wrong = NULL;
		pass_blanks(n);
		char c = n->at < n->s.n ? n->s.p[n->at] : '\0';
		bool opens = c == '(' && !operand && !closed;
		closed = opens;
		if (is_letter(c) || next_is(n, "::")) {
			struct names ahead = *n;
			struct str word = pass_word(&ahead);
			bool measures = str_is(word, "sizeof") || str_is(word, "alignof");
			if (measures && pass(&ahead, "(")) {
				*n = ahead;
				wrong = read_nested(n);
			} else {
				wrong = read_name(n);
			}
			operand = true;
		} else if (is_digit(c) && !operand) {
			pass_number(n);
			operand = true;
		} else if (c == '\'' && !operand && pass_character(n)) {
			operand = true;
		} else if (opens) {
			n->at++;
			wrong = read_nested(n);
		} else if (c == '[' && operand) {
			n->at++;
			pass_number(n);
			wrong = pass(n, "]") ? NULL : "only a number is allowed in '[]'";
		} else if (nested && next_is(n, ">>") && n->depth > 0) {
			n->at += 2;
			operand = false;
		} else {
			while (k < n_operators && !next_is(n, operators[k])) {
				k++;
			}
			if (k == n_operators) {
				return any ? NULL : "an argument is missing";
			}
			n->at += strlen(operators[k]);
			operand = false;
		}
		any = true;
		if (wrong) {
			return wrong;
		}
	}
}

static const char *read_arguments(struct names *n)
{
	if (n->depth == DEPTH_MAX) {
		return "it is nested too deep";
	}
	if (pass(n, ">")) {
		return NULL;
	}
	n->depth++;
	do {
		const char *wrong = read_argument(n, false);
		if (wrong) {
			return wrong;
		}
	} while (pass(n, ","));
	n->depth--;
	return pass(n, ">") ? NULL : "its template arguments are types and constants";
}

const char *kernel_name_wrong(struct str name)
{
	struct names n = {.s = name};
	const char *wrong = read_name(&n);

	pass_blanks(&n);
	return wrong ? wrong : n.at < n.s.n ? "something follows the name" : NULL;
}

struct str kernel_name_base(struct str name)
{
	struct str base = {0};
	unsigned depth = 0;

	for (size_t i = 0; i < name.n; i++) {
		char c = name.p[i];
		depth += c == '<';
		if (depth == 0 && is_letter(c)) {
			struct names n = {.s = name, .at = i};
			base = pass_word(&n);
			i = n.at - 1;
		}
		depth -= c == '>' && depth > 0;
	}
	return base;
}
