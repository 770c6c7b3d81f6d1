/*
 * The text form, read. print.c describes it. The reader accepts any layout and any order of
 * attributes; what it accepts passes kt_check, so no other room meets a tree that does not hold
 * together, wherever the text came from. Arrays grow with what was read, never to a count that the
 * text claims.
 */
#include "tree/tree.h"

#include <string.h>

#include "base/array.h"
#include "base/msg.h"
#include "kernel/enum_names.h"

/* The enumerator of a word, or -1. */
static int word_find(const struct kt_names *words, struct str word)
{
	for (size_t i = 0; i < words->n; i++) {
		if (words->word[i] && str_is(word, words->word[i])) {
			return (int)i;
		}
	}
	return -1;
}

enum token {
	TOK_END, /* also after an error: every loop ends */
	TOK_OPEN,
	TOK_CLOSE,
	TOK_EQUALS,
	TOK_WORD,
	TOK_STRING,
};

enum id_kind {
	ID_FILE,
	ID_TYPE,
	ID_SYM,
	ID_FN
};

/* An id that was used; what it stands for may come later in the text. */
struct use {
	enum id_kind kind;
	kt_id id;
	size_t at;
};

struct reader {
	struct str text;
	const char *name; /* of the text, for messages */
	struct arena *arena;
	size_t next;
	bool failed;

	/* The current token. */
	enum token tok;
	size_t at;
	struct str word;
	struct sbuf string; /* decoded */
	size_t value_at;    /* of the last attribute's value */

	const char *target;
	uint32_t open;
	uint32_t hides;
	ARRAY(struct kt_file) file;
	ARRAY(struct kt_type) type;
	ARRAY(struct kt_sym) sym;
	ARRAY(struct kt_fn) fn;
	ARRAY(struct kt_pattern) pattern;
	ARRAY(struct use) use;
	ARRAY(struct kt_node *) child; /* a stack: the children of nodes not yet closed */
};

static void __attribute__((format(printf, 3, 4))) fail_at(
	struct reader *r, size_t at, const char *fmt, ...)
{
	unsigned line = 1, column = 1;
	va_list ap;

	r->tok = TOK_END;
	if (r->failed) {
		return;
	}
	r->failed = true;
	for (size_t i = 0; i < at && i < r->text.n; i++) {
		column++;
		if (r->text.p[i] == '\n') {
			line++;
			column = 1;
		}
	}
	va_start(ap, fmt);
	msg_error_at(r->name, line, column, fmt, ap);
	va_end(ap);
}

/* Tokens */

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_word(char c)
{
	return (unsigned char)c > ' ' && !strchr("()=\";\x7f", c);
}

static void skip_blanks(struct reader *r)
{
	bool comment = false;

	for (; r->next < r->text.n; r->next++) {
		char c = r->text.p[r->next];

		comment = c == ';' || (comment && c != '\n');
		if (!comment && !is_space(c)) {
			return;
		}
	}
}

/* The byte after a backslash at r->next; -1 when there is no such escape. */
static int escape(struct reader *r)
{
	static const char digits[] = "0123456789abcdef";
	char c = r->next < r->text.n ? r->text.p[r->next++] : '\0';
	int byte = 0;

	switch (c) {
	case 'n':
		return '\n';
	case 't':
		return '\t';
	case 'r':
		return '\r';
	case '"':
	case '\\':
		return c;
	case 'x':
		break;
	default:
		return -1;
	}
	for (int i = 0; i < 2; i++) {
		char d = r->next < r->text.n ? r->text.p[r->next] : '\0';
		const char *digit = d != '\0' ? strchr(digits, d) : NULL;

		if (!digit) {
			return -1;
		}
		byte = byte * 16 + (int)(digit - digits);
		r->next++;
	}
	return byte;
}

/* Reads on behind the opening quote. */
static void lex_string(struct reader *r)
{
	sbuf_reset(&r->string);
	r->tok = TOK_STRING;
	while (r->next < r->text.n && r->text.p[r->next] != '\n') {
		size_t at = r->next;
		int c = (unsigned char)r->text.p[r->next++];

		if (c == '"') {
			return;
		}
		if (c == '\\') {
			c = escape(r);
		}
		if (c < 0) {
			fail_at(r, at,
				"no such escape: use \\n \\t \\r \\\" \\\\ or \\x and two digits");
			return;
		}
		sbuf_addc(&r->string, (char)c);
	}
	fail_at(r, r->at, "this string does not end on its line");
}

/* The next token becomes the current one. */
static void advance(struct reader *r)
{
	if (r->failed) {
		return;
	}
	skip_blanks(r);
	r->at = r->next;
	if (r->next >= r->text.n) {
		r->tok = TOK_END;
		return;
	}
	char c = r->text.p[r->next++];
	switch (c) {
	case '(':
		r->tok = TOK_OPEN;
		return;
	case ')':
		r->tok = TOK_CLOSE;
		return;
	case '=':
		r->tok = TOK_EQUALS;
		return;
	case '"':
		lex_string(r);
		return;
	default:
		break;
	}
	if (!is_word(c)) {
		fail_at(r, r->at, "unexpected byte 0x%02x", (unsigned char)c);
		return;
	}
	while (r->next < r->text.n && is_word(r->text.p[r->next])) {
		r->next++;
	}
	r->tok = TOK_WORD;
	r->word = str_sub(r->text, r->at, r->next);
}

static bool expect(struct reader *r, enum token tok, const char *what)
{
	if (r->tok != tok) {
		fail_at(r, r->at, "expected %s%s", what,
			r->tok == TOK_END ? " before the end" : "");
		return false;
	}
	advance(r);
	return true;
}

static bool close_list(struct reader *r)
{
	return expect(r, TOK_CLOSE, "\")\"");
}

/* Takes "(" and the word behind it. */
static bool open_list(struct reader *r, struct str *head, size_t *at)
{
	if (!expect(r, TOK_OPEN, "\"(\"")) {
		return false;
	}
	*head = r->word;
	*at = r->at;
	return expect(r, TOK_WORD, "a word");
}

/* Attributes */

/* True and past its key while there is an attribute. Children ("-", "cond:") are none. */
static bool attribute(struct reader *r, struct str *key)
{
	if (r->tok != TOK_WORD || str_is(r->word, "-") || str_ends(r->word, ":")) {
		return false;
	}
	*key = r->word;
	advance(r);
	return true;
}

static void bad_attribute(struct reader *r, struct str key)
{
	size_t n = key.n < 40 ? key.n : 40;

	fail_at(r, (size_t)(key.p - r->text.p), "unknown attribute: %.*s", (int)n, key.p);
}

/* Takes "=" and leaves the value as the current token. */
static bool equals(struct reader *r, enum token tok, const char *what)
{
	if (!expect(r, TOK_EQUALS, "\"=\"")) {
		return false;
	}
	r->value_at = r->at;
	if (r->tok != tok) {
		fail_at(r, r->at, "expected %s", what);
	}
	return !r->failed;
}

static void value_number(struct reader *r, int64_t min, int64_t max, int64_t *out)
{
	int64_t n;

	if (!equals(r, TOK_WORD, "a number")) {
		return;
	}
	if (!str_to_i64(r->word, &n) || n < min || n > max) {
		fail_at(r, r->at, "expected a number from %lld to %lld", (long long)min,
			(long long)max);
		return;
	}
	*out = n;
	advance(r);
}

static void value_u32(struct reader *r, uint32_t *out)
{
	int64_t n = 0;

	value_number(r, 0, UINT32_MAX, &n);
	*out = (uint32_t)n;
}

static void value_threads(struct reader *r, int32_t *out)
{
	int64_t n = 0;

	value_number(r, -1, INT32_MAX, &n);
	*out = (int32_t)n;
}

static void value_id(struct reader *r, enum id_kind kind, kt_id *out)
{
	struct use use = {.kind = kind};

	value_u32(r, &use.id);
	use.at = r->value_at;
	*out = use.id;
	array_push(&r->use, use);
}

static void value_string(struct reader *r, const char **out)
{
	if (!equals(r, TOK_STRING, "a string")) {
		return;
	}
	struct str s = sbuf_str(&r->string);
	if (s.n > 0 && memchr(s.p, '\0', s.n)) {
		fail_at(r, r->at, "a name cannot hold a zero byte");
		return;
	}
	*out = arena_strndup(r->arena, s.n > 0 ? s.p : "", s.n);
	advance(r);
}

/* Takes the current word as an enumerator. */
static unsigned enumerator(struct reader *r, const struct kt_names *words, const char *what)
{
	int i = r->tok == TOK_WORD ? word_find(words, r->word) : -1;

	if (i < 0) {
		fail_at(r, r->at, "expected %s", what);
		return 0;
	}
	advance(r);
	return (unsigned)i;
}

static unsigned value_enumerator(struct reader *r, const struct kt_names *words, const char *what)
{
	return equals(r, TOK_WORD, what) ? enumerator(r, words, what) : 0;
}

/* True when key is "BEGIN..END", false and nothing done otherwise. */
static bool range(struct str key, uint32_t *begin, uint32_t *end)
{
	size_t dots = str_find(key, "..", 0);
	int64_t b, e;

	if (dots == SIZE_MAX || !str_to_i64(str_sub(key, 0, dots), &b) ||
		!str_to_i64(str_sub(key, dots + 2, key.n), &e)) {
		return false;
	}
	if (b < 0 || e < 0 || b > UINT32_MAX || e > UINT32_MAX) {
		return false;
	}
	*begin = (uint32_t)b;
	*end = (uint32_t)e;
	return true;
}

/* Takes the number that a new entry of an array with n entries must have. */
static void own_id(struct reader *r, size_t n)
{
	int64_t id;

	if (r->tok != TOK_WORD || !str_to_i64(r->word, &id) || id < 0 || (uint64_t)id != n) {
		fail_at(r, r->at, "expected the number %zu: ids count from 1 in order", n);
		return;
	}
	advance(r);
}

/* Parts of a unit */

static bool read_file(struct reader *r)
{
	struct kt_file f = {0};
	struct sbuf text = {0};
	struct str key;

	if (r->file.n > KT_FILES_MAX) {
		fail_at(r, r->at, "more than %d files", KT_FILES_MAX);
	}
	own_id(r, r->file.n);
	while (attribute(r, &key)) {
		if (str_is(key, "path")) {
			value_string(r, &f.path);
		} else if (str_is(key, "main")) {
			f.main = true;
		} else if (str_is(key, "system")) {
			f.system = true;
		} else {
			bad_attribute(r, key);
		}
	}
	while (r->tok == TOK_STRING) {
		sbuf_addstr(&text, sbuf_str(&r->string));
		advance(r);
	}
	if (text.n > 0) {
		f.text = (struct str){arena_strndup(r->arena, text.p, text.n), text.n};
	}
	sbuf_release(&text);
	array_push(&r->file, f);
	return close_list(r);
}

static bool read_type(struct reader *r)
{
	struct kt_type t = {.size = -1};
	struct str key;

	own_id(r, r->type.n);
	t.kind = (enum kt_type_kind)enumerator(r, &kt_type_names, "a kind of type");
	while (attribute(r, &key)) {
		if (str_is(key, "size")) {
			value_number(r, -1, INT64_MAX, &t.size);
		} else if (str_is(key, "align")) {
			value_number(r, 0, INT64_MAX, &t.align);
		} else if (str_is(key, "count")) {
			value_number(r, -1, INT64_MAX, &t.count);
		} else if (str_is(key, "elem")) {
			value_id(r, ID_TYPE, &t.elem);
		} else if (str_is(key, "const")) {
			t.is_const = true;
		} else if (str_is(key, "volatile")) {
			t.is_volatile = true;
		} else if (str_is(key, "restrict")) {
			t.is_restrict = true;
		} else if (str_is(key, "unsigned")) {
			t.is_unsigned = true;
		} else if (str_is(key, "trivial")) {
			t.trivial = true;
		} else if (str_is(key, "destroys")) {
			t.destroys = true;
		} else if (str_is(key, "punned")) {
			t.punned = true;
		} else if (str_is(key, "name")) {
			value_string(r, &t.name);
		} else if (str_is(key, "canon")) {
			value_string(r, &t.canon);
		} else {
			bad_attribute(r, key);
		}
	}
	array_push(&r->type, t);
	return close_list(r);
}

static bool read_sym(struct reader *r)
{
	struct kt_sym s = {0};
	struct str key;

	own_id(r, r->sym.n);
	s.kind = (enum kt_sym_kind)enumerator(r, &kt_sym_names, "a kind of symbol");
	s.owner = kt_owner_of(s.kind);
	while (attribute(r, &key)) {
		if (str_is(key, "space")) {
			s.space = (enum kt_space)value_enumerator(
				r, &kt_space_names, "an address space");
		} else if (str_is(key, "owner")) {
			s.owner = (enum kt_owner)value_enumerator(r, &kt_owner_names, "an owner");
		} else if (str_is(key, "of")) {
			value_id(r, ID_SYM, &s.of);
		} else if (str_is(key, "static")) {
			s.is_static = true;
		} else if (str_is(key, "bit-field")) {
			s.is_bit_field = true;
		} else if (str_is(key, "type")) {
			value_id(r, ID_TYPE, &s.type);
		} else if (str_is(key, "fn")) {
			value_id(r, ID_FN, &s.fn);
		} else if (str_is(key, "file")) {
			value_id(r, ID_FILE, &s.file);
		} else if (str_is(key, "at")) {
			value_u32(r, &s.at);
		} else if (str_is(key, "offset")) {
			value_number(r, 1, INT64_MAX, &s.offset);
		} else if (str_is(key, "name")) {
			value_string(r, &s.name);
		} else {
			bad_attribute(r, key);
		}
	}
	array_push(&r->sym, s);
	return close_list(r);
}

static enum kt_kind node_kind(struct str word)
{
	for (unsigned k = KT_NONE + 1; k < KT_KIND_COUNT; k++) {
		if (str_is(word, kt_kind_name((enum kt_kind)k))) {
			return (enum kt_kind)k;
		}
	}
	return KT_NONE;
}

static void node_attribute(struct reader *r, struct kt_node *n, struct str key)
{
	int bit = word_find(&kt_flag_names, key);

	if (bit >= 0) {
		n->flags |= 1u << bit;
	} else if (str_is(key, "value")) {
		n->flags |= KT_F_VALUE;
		value_number(r, INT64_MIN, INT64_MAX, &n->value);
	} else if (str_is(key, "op")) {
		n->op = (enum kt_op)value_enumerator(r, &kt_op_names, "an operator's word");
	} else if (str_is(key, "type")) {
		value_id(r, ID_TYPE, &n->type);
	} else if (str_is(key, "sym")) {
		value_id(r, ID_SYM, &n->sym);
	} else if (str_is(key, "fn")) {
		value_id(r, ID_FN, &n->fn);
	} else if (str_is(key, "file")) {
		kt_id file;
		value_id(r, ID_FILE, &file);
		n->file = (uint16_t)file; /* too large a one fails: no such file */
	} else if (str_is(key, "text")) {
		value_string(r, &n->text);
	} else if (!range(key, &n->begin, &n->end)) {
		bad_attribute(r, key);
	}
}

static struct kt_node *read_node(struct reader *r, kt_id file, unsigned depth);

/* Takes "SLOT:" of a kind with fixed slots: the index of the child that follows. */
static size_t read_slot(struct reader *r, const struct kt_names *slots, enum kt_kind kind)
{
	struct str word = r->tok == TOK_WORD ? str_sub(r->word, 0, r->word.n - 1) : STR("");
	int slot = word_find(slots, word);

	if (slot < 0 || !str_ends(r->word, ":")) {
		fail_at(r, r->at, "expected a slot of \"%s\", such as \"%s:\"", kt_kind_name(kind),
			slots->word[0]);
		return 0;
	}
	advance(r);
	return (size_t)slot;
}

/* Leaves n's children on the stack, from base on. */
static void read_children(struct reader *r, const struct kt_node *n, size_t base, unsigned depth)
{
	const struct kt_names slots = kt_slot_names(n->kind);

	for (size_t i = 0; i < slots.n; i++) {
		array_push(&r->child, NULL);
	}
	while (r->tok == TOK_OPEN || r->tok == TOK_WORD) {
		size_t at = r->at;

		if (slots.n > 0) {
			size_t slot = read_slot(r, &slots, n->kind);
			struct kt_node *child = read_node(r, n->file, depth + 1);

			if (r->child.v[base + slot]) {
				fail_at(r, at, "this slot is taken");
			}
			r->child.v[base + slot] = child;
		} else if (r->tok == TOK_OPEN) {
			struct kt_node *child = read_node(r, n->file, depth + 1);

			array_push(&r->child, child);
		} else if (str_is(r->word, "-")) {
			array_push(&r->child, NULL);
			advance(r);
		} else {
			fail_at(r, at, "a child of \"%s\" has no slot", kt_kind_name(n->kind));
		}
	}
}

/* file: what the node's file is unless the node says otherwise. NULL after a failure. */
static struct kt_node *read_node(struct reader *r, kt_id file, unsigned depth)
{
	struct kt_node *n = ARENA_NEW(r->arena, struct kt_node);
	size_t base = r->child.n, at = 0;
	struct str head, key;

	if (!open_list(r, &head, &at)) {
		return NULL;
	}
	n->kind = node_kind(head);
	n->file = (uint16_t)file;
	if (n->kind == KT_NONE) {
		fail_at(r, at, "this is no kind of node");
	} else if (depth > KT_DEPTH_MAX) {
		fail_at(r, at, "nested deeper than %d", KT_DEPTH_MAX);
	}
	while (attribute(r, &key)) {
		node_attribute(r, n, key);
	}
	if (r->failed) {
		return NULL;
	}
	read_children(r, n, base, depth);
	if (r->child.n > base) {
		kt_set_children(n, r->arena, r->child.v + base, r->child.n - base);
	}
	r->child.n = base;
	if (!close_list(r)) {
		return NULL;
	}
	kt_link(n);
	return n;
}

/* Takes "=1,2,3". */
static void read_params(struct reader *r, struct kt_fn *f)
{
	ARRAY(kt_id) ids = {0};
	struct str rest, piece;

	if (!equals(r, TOK_WORD, "symbol ids")) {
		return;
	}
	rest = r->word;
	while (str_split(&rest, ',', &piece)) {
		int64_t id;

		if (!str_to_i64(piece, &id) || id < 1 || id > UINT32_MAX) {
			fail_at(r, r->at, "expected symbol ids with commas between them");
			break;
		}
		array_push(&ids, (kt_id)id);
		array_push(&r->use, (struct use){ID_SYM, (kt_id)id, r->at});
	}
	f->params = ids.n;
	f->param = ids.n > 0 ? array_to_arena(r->arena, &ids) : NULL;
	array_release(&ids);
	advance(r);
}

static bool read_fn(struct reader *r)
{
	struct kt_fn f = {0};
	struct str key;

	own_id(r, r->fn.n);
	f.kind = (enum kt_fn_kind)enumerator(r, &kt_fn_names, "a kind of function");
	while (attribute(r, &key)) {
		if (str_is(key, "name")) {
			value_string(r, &f.name);
		} else if (str_is(key, "base")) {
			value_string(r, &f.base);
		} else if (str_is(key, "symbol")) {
			value_string(r, &f.symbol);
		} else if (str_is(key, "file")) {
			value_id(r, ID_FILE, &f.file);
		} else if (str_is(key, "name-at")) {
			value_u32(r, &f.name_at);
		} else if (str_is(key, "ret")) {
			value_id(r, ID_TYPE, &f.ret);
		} else if (str_is(key, "params")) {
			read_params(r, &f);
		} else if (str_is(key, "self")) {
			value_id(r, ID_SYM, &f.self);
		} else if (str_is(key, "around")) {
			value_id(r, ID_FN, &f.around);
		} else if (str_is(key, "owns-this")) {
			f.owns_this = true;
		} else if (str_is(key, "threads")) {
			value_threads(r, &f.threads);
		} else if (str_is(key, "known-threads")) {
			value_threads(r, &f.known_threads);
		} else if (str_is(key, "bound")) {
			value_threads(r, &f.bound);
		} else if (str_is(key, "waves")) {
			value_threads(r, &f.waves);
		} else if (str_is(key, "by-reference")) {
			value_u32(r, &f.by_reference);
		} else if (str_is(key, "flat")) {
			f.flat = true;
		} else if (str_is(key, "on-host")) {
			f.on_host = true;
		} else if (str_is(key, "lambda")) {
			f.is_lambda = true;
		} else if (str_is(key, "method")) {
			f.is_method = true;
		} else if (str_is(key, "const")) {
			f.is_const = true;
		} else if (str_is(key, "trivial")) {
			f.is_trivial = true;
		} else if (str_is(key, "system")) {
			f.in_system_header = true;
		} else if (!range(key, &f.begin, &f.end)) {
			bad_attribute(r, key);
		}
	}
	if (r->tok == TOK_OPEN) {
		f.body = read_node(r, f.file, 1);
	}
	array_push(&r->fn, f);
	return close_list(r);
}

static bool read_pattern(struct reader *r)
{
	struct kt_pattern p = {0};
	struct str key;

	while (attribute(r, &key)) {
		if (str_is(key, "name")) {
			value_string(r, &p.name);
		} else if (str_is(key, "missing")) {
			value_string(r, &p.missing);
		} else if (str_is(key, "file")) {
			value_id(r, ID_FILE, &p.file);
		} else if (str_is(key, "at")) {
			value_u32(r, &p.at);
		} else {
			bad_attribute(r, key);
		}
	}
	array_push(&r->pattern, p);
	return close_list(r);
}

static bool read_part(struct reader *r)
{
	struct str head;
	size_t at;

	if (!open_list(r, &head, &at)) {
		return false;
	}
	if (str_is(head, "file")) {
		return read_file(r);
	}
	if (str_is(head, "type")) {
		return read_type(r);
	}
	if (str_is(head, "sym")) {
		return read_sym(r);
	}
	if (str_is(head, "fn")) {
		return read_fn(r);
	}
	if (str_is(head, "pattern")) {
		return read_pattern(r);
	}
	fail_at(r, at, "expected file, type, sym, fn or pattern");
	return false;
}

static void check_uses(struct reader *r)
{
	const struct {
		const char *what;
		size_t n;
	} of[] = {
		[ID_FILE] = {"file", r->file.n},
		[ID_TYPE] = {"type", r->type.n},
		[ID_SYM] = {"symbol", r->sym.n},
		[ID_FN] = {"function", r->fn.n},
	};

	array_each (&r->use, struct use, use) {
		if (use->id >= of[use->kind].n) {
			fail_at(r, use->at, "there is no %s %u", of[use->kind].what, use->id);
			return;
		}
	}
}

static void read_text(struct reader *r)
{
	struct str head, key;
	size_t at;

	/* Places and ids have 32 bits. */
	if (r->text.n > UINT32_MAX) {
		fail_at(r, 0, "the text is too long");
		return;
	}
	array_push(&r->file, (struct kt_file){0});
	array_push(&r->type, (struct kt_type){0});
	array_push(&r->sym, (struct kt_sym){0});
	array_push(&r->fn, (struct kt_fn){0});
	advance(r);
	if (!open_list(r, &head, &at)) {
		return;
	}
	if (!str_is(head, "unit")) {
		fail_at(r, at, "expected \"unit\"");
	}
	while (attribute(r, &key)) {
		if (str_is(key, "target")) {
			value_string(r, &r->target);
		} else if (str_is(key, "open")) {
			value_u32(r, &r->open);
		} else if (str_is(key, "hides")) {
			value_u32(r, &r->hides);
		} else {
			bad_attribute(r, key);
		}
	}
	while (r->tok == TOK_OPEN && read_part(r)) {
	}
	if (close_list(r) && r->tok != TOK_END) {
		fail_at(r, r->at, "there is more behind the unit");
	}
	check_uses(r);
}

static struct kt_unit *make_unit(struct reader *r)
{
	struct kt_unit *u = ARENA_NEW(r->arena, struct kt_unit);

	*u = (struct kt_unit){
		.arena = r->arena,
		.target = r->target,
		.open = r->open != 0,
		.hides = r->hides != 0,
		.file = array_to_arena(r->arena, &r->file),
		.files = r->file.n,
		.type = array_to_arena(r->arena, &r->type),
		.types = r->type.n,
		.sym = array_to_arena(r->arena, &r->sym),
		.syms = r->sym.n,
		.fn = array_to_arena(r->arena, &r->fn),
		.fns = r->fn.n,
		.pattern = array_to_arena(r->arena, &r->pattern),
		.patterns = r->pattern.n,
	};
	const char *broken = kt_check(u);
	if (broken) {
		fail_at(r, 0, "not a sound tree: %s", broken);
		return NULL;
	}
	return u;
}

int kt_read(struct kt_unit **out, struct arena *a, struct str text, const char *file)
{
	struct reader r = {.text = text, .name = file, .arena = a};
	struct kt_unit *u;

	read_text(&r);
	u = r.failed ? NULL : make_unit(&r);
	sbuf_release(&r.string);
	array_release(&r.file);
	array_release(&r.type);
	array_release(&r.sym);
	array_release(&r.fn);
	array_release(&r.pattern);
	array_release(&r.use);
	array_release(&r.child);
	if (!u) {
		return FAIL_INPUT;
	}
	*out = u;
	return 0;
}
