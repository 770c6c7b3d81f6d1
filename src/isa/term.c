/* Terms and their hash table (term.h). */
#include "isa/term.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
	/* header words of a term: kind and size, place, value, mask of its known bytes */
	PLACE = 1,
	VALUE = 2,
	KNOWN = 4,
	HEAD = 5,
	SLOTS_FIRST = 1 << 12
};

static const struct term_op basic[TERM_BASICS] = {
	[TERM_NOT] = {.name = "not"},
	[TERM_AND] = {.name = "and"},
	[TERM_OR] = {.name = "or"},
	[TERM_XOR] = {.name = "xor"},
	[TERM_ANY] = {.name = "any"},
	[TERM_SELECT] = {.name = "select", .bytes = 4},
	[TERM_MASK] = {.name = "mask", .bytes = 4},
	[TERM_IS_VALUE] = {.name = "is"},
	[TERM_SIGN_8] = {.name = "sign of 8", .bytes = 4},
	[TERM_SIGN_16] = {.name = "sign of 16", .bytes = 4},
	[TERM_LIST] = {.name = "list"},
};

static void empty(struct terms *t)
{
	t->n = HEAD;
	t->count = 0;
	t->slots = SLOTS_FIRST;
	t->table = mem_zeroed(t->slots, sizeof(*t->table));
	t->full = false;
}

void terms_init(struct terms *t, struct arena *a)
{
	*t = (struct terms){.a = a, .most = (size_t)400 << 20};
	t->pool = mem_resize(NULL, t->cap = 1 << 14, sizeof(*t->pool));
	memset(t->pool, 0, HEAD * sizeof(*t->pool));
	empty(t);
	for (size_t i = 0; i < TERM_BASICS; i++) {
		term_op_number(t, &basic[i]);
	}
}

void terms_clear(struct terms *t)
{
	free(t->table);
	empty(t);
}

void terms_release(struct terms *t)
{
	free(t->pool);
	free(t->table);
	free(t->op);
	map_release(&t->op_number);
	*t = (struct terms){0};
}

/* Basic operations come first, so that no row's name can equal one of theirs. */
uint32_t term_op_number(struct terms *t, const struct term_op *op)
{
	struct term_op key = *op;
	key.name = NULL;
	struct sbuf bytes = {0};
	sbuf_add(&bytes, (const char *)&key, sizeof(key));
	sbuf_adds(&bytes, op->name);
	uintptr_t number = map_get(&t->op_number, sbuf_str(&bytes), UINTPTR_MAX);
	if (number == UINTPTR_MAX) {
		number = t->ops;
		if (t->ops == t->ops_cap) {
			t->ops_cap = mem_grow_cap(t->ops_cap, t->ops + 1);
			t->op = mem_resize(t->op, t->ops_cap, sizeof(*t->op));
		}
		t->op[t->ops] = *op;
		t->op[t->ops++].name = arena_strdup(t->a, op->name);
		map_set(&t->op_number, sbuf_str(&bytes), number);
	}
	sbuf_release(&bytes);
	return (uint32_t)number;
}

/* ---- the table ---- */

static uint32_t hash_of(uint32_t head, const uint32_t *words, size_t n)
{
	uint64_t h = head * 0x9e3779b97f4a7c15u;
	for (size_t i = 0; i < n; i++) {
		h = (h ^ words[i]) * 0xff51afd7ed558ccdu;
		h ^= h >> 32;
	}
	return (uint32_t)(h ^ h >> 29);
}

static void grow_table(struct terms *t)
{
	size_t slots = t->slots * 2;
	struct term_slot *table = mem_zeroed(slots, sizeof(*table));
	for (size_t i = 0; i < t->slots; i++) {
		size_t at = t->table[i].hash & (slots - 1);
		while (t->table[i].x && table[at].x) {
			at = (at + 1) & (slots - 1);
		}
		table[at] = t->table[i].x ? t->table[i] : table[at];
	}
	free(t->table);
	t->table = table;
	t->slots = slots;
}

static term add(struct terms *t, uint32_t head, const uint32_t *words, size_t n)
{
	if (t->n + HEAD + n > t->most) {
		t->full = true;
	}
	if (t->n + HEAD + n > t->cap) {
		t->cap = mem_grow_cap(t->cap, t->n + HEAD + n);
		t->pool = mem_resize(t->pool, t->cap, sizeof(*t->pool));
	}
	term x = (term)t->n;
	uint32_t *p = t->pool + x;
	memset(p, 0, HEAD * sizeof(*p));
	p[0] = head;
	p[PLACE] = t->place;
	memcpy(p + HEAD, words, n * sizeof(*words));
	t->n += HEAD + n;
	t->made++;
	t->count++;
	return x;
}

static term make_term(struct terms *t, enum term_kind kind, const uint32_t *words, size_t n)
{
	uint32_t head = (uint32_t)kind | (uint32_t)n << 8;
	uint32_t hash = hash_of(head, words, n);
	if (t->count * 2 >= t->slots) {
		grow_table(t);
	}
	size_t at = hash & (t->slots - 1);
	for (; t->table[at].x; at = (at + 1) & (t->slots - 1)) {
		const uint32_t *p = t->pool + t->table[at].x;
		if (t->table[at].hash == hash && p[0] == head &&
			memcmp(p + HEAD, words, n * sizeof(*words)) == 0) {
			return t->table[at].x;
		}
	}
	if (t->full) { /* the run will end; avoid an overflow of the pool */
		return HEAD;
	}
	term x = add(t, head, words, n);
	t->table[at] = (struct term_slot){hash, x};
	return x;
}

term term_symbol(struct terms *t, uint32_t memory, uint32_t byte, uint32_t bytes)
{
	return make_term(t, TERM_SYMBOL, (uint32_t[]){memory, byte, bytes}, 3);
}

term term_constant(struct terms *t, uint32_t bits)
{
	return make_term(t, TERM_CONSTANT, &bits, 1);
}

term term_of_op(struct terms *t, uint32_t op, const term *source, size_t n)
{
	uint32_t buffer[64];
	uint32_t *words = n < 64 ? buffer : mem_resize(NULL, n + 1, sizeof(*words));
	words[0] = op;
	memcpy(words + 1, source, n * sizeof(*words));
	term x = make_term(t, TERM_OP, words, n + 1);
	if (words != buffer) {
		free(words);
	}
	return x;
}

enum term_kind term_kind_of(const struct terms *t, term x)
{
	return (enum term_kind)(t->pool[x] & 0xff);
}

const uint32_t *term_words(const struct terms *t, term x, size_t *n)
{
	const uint32_t *p = t->pool + x;
	*n = p[0] >> 8;
	return p + HEAD;
}

/* Pushes the sources that are not done; false: none. */
static bool push_sources(
	struct term_stack *open, const struct terms *t, term x, const struct ids *done)
{
	size_t n;
	const uint32_t *w = term_words(t, x, &n);
	bool word = term_kind_of(t, x) == TERM_WORD;
	bool any = false;
	if (!word && term_kind_of(t, x) != TERM_OP) {
		return false;
	}
	for (size_t i = word ? 0 : 1; i < n; i += word ? 2 : 1) {
		if (w[i] && !ids_get(done, w[i], 0)) {
			array_push(open, w[i]);
			any = true;
		}
	}
	return any;
}

term term_sources_first(
	struct term_stack *open, const struct terms *t, term x, const struct ids *done)
{
	if (open->n == 0 && !ids_get(done, x, 0)) {
		array_push(open, x);
	}
	while (open->n) {
		term top = open->v[open->n - 1];
		if (ids_get(done, top, 0)) {
			open->n--;
		} else if (!push_sources(open, t, top, done)) {
			return top;
		}
	}
	return 0;
}

const struct term_op *term_op_of(const struct terms *t, term x)
{
	return &t->op[t->pool[x + HEAD]];
}

uint32_t term_place(const struct terms *t, term x)
{
	return t->pool[x + PLACE];
}

unsigned term_bytes(const struct terms *t, term x)
{
	switch (term_kind_of(t, x)) {
	case TERM_SYMBOL:
		return t->pool[x + HEAD + 2];
	case TERM_OP:
		return term_op_of(t, x)->bytes;
	default:
		return 4;
	}
}

/* ---- words ---- */

void term_slots(struct slot out[4], const struct terms *t, term of, uint32_t constant)
{
	bool word = of && term_kind_of(t, of) == TERM_WORD;
	const uint32_t *p = t->pool + of + HEAD;
	if (of && term_kind_of(t, of) == TERM_CONSTANT) {
		constant = p[0];
		of = 0;
	}
	for (unsigned k = 0; k < 4; k++) {
		out[k] = !of	? slot_constant((uint8_t)(constant >> 8 * k))
			 : word ? (struct slot){p[2 * k], (uint8_t)p[2 * k + 1],
					  (uint8_t)(p[2 * k + 1] >> 8),
					  (uint8_t)(p[2 * k + 1] >> 16)}
				: (struct slot){of, (uint8_t)k, 0xff, 0};
	}
}

struct slot slot_bits(struct slot s, uint8_t keep, uint8_t flip)
{
	s.keep &= keep;
	s.flip = (uint8_t)((s.flip & keep) ^ flip);
	return s.keep ? s : slot_constant(s.flip);
}

term term_word(struct terms *t, const struct slot s[4])
{
	uint32_t words[8];
	bool any = false;
	bool whole = true;
	for (unsigned k = 0; k < 4; k++) {
		any |= s[k].of != 0;
		whole &= s[k].of == s[0].of && s[k].at == k && s[k].keep == 0xff && !s[k].flip;
		words[2 * k] = s[k].of;
		words[2 * k + 1] = s[k].at | (uint32_t)s[k].keep << 8 | (uint32_t)s[k].flip << 16;
	}
	if (!any) {
		return 0;
	}
	return whole && term_bytes(t, s[0].of) == 4 ? s[0].of : make_term(t, TERM_WORD, words, 8);
}

term term_bits(struct terms *t, term of, uint32_t keep, uint32_t flip)
{
	struct slot s[4];
	term_slots(s, t, of, 0);
	for (unsigned k = 0; k < 4; k++) {
		s[k] = slot_bits(s[k], (uint8_t)(keep >> 8 * k), (uint8_t)(flip >> 8 * k));
	}
	return term_word(t, s);
}

term term_part(struct terms *t, term of, unsigned byte, unsigned count)
{
	struct slot s[4] = {{0}};
	for (unsigned k = 0; k < count; k++) {
		s[k] = (struct slot){of, (uint8_t)(byte + k), 0xff, 0};
	}
	return term_word(t, s);
}

/* ---- bits ---- */

static bool is_basic(const struct terms *t, term x, enum term_basic what)
{
	return term_kind_of(t, x) == TERM_OP && t->pool[x + HEAD] == (uint32_t)what;
}

static term source(const struct terms *t, term x, unsigned i)
{
	return t->pool[x + HEAD + 1 + i];
}

term term_not(struct terms *t, term bit)
{
	return is_basic(t, bit, TERM_NOT) ? source(t, bit, 0) : term_of_op(t, TERM_NOT, &bit, 1);
}

term term_both(struct terms *t, enum term_basic what, term a, term b)
{
	if (a == b && what != TERM_XOR) {
		return a;
	}
	return term_of_op(t, what, a < b ? (term[]){a, b} : (term[]){b, a}, 2);
}

int term_by_number(const void *x, const void *y)
{
	term a = *(const term *)x;
	term b = *(const term *)y;
	return (a > b) - (a < b);
}

term term_any(struct terms *t, term *bit, size_t n)
{
	qsort(bit, n, sizeof(*bit), term_by_number);
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || bit[i] != bit[kept - 1]) {
			bit[kept++] = bit[i];
		}
	}
	return kept == 1 ? bit[0] : term_of_op(t, TERM_ANY, bit, kept);
}

term term_select(struct terms *t, term bit, term yes, uint32_t yes_bits, term no, uint32_t no_bits)
{
	if (yes == no && (yes || yes_bits == no_bits)) {
		return yes;
	}
	yes = yes ? yes : term_constant(t, yes_bits);
	no = no ? no : term_constant(t, no_bits);
	if (is_basic(t, bit, TERM_NOT)) {
		return term_of_op(t, TERM_SELECT, (term[]){source(t, bit, 0), no, yes}, 3);
	}
	return term_of_op(t, TERM_SELECT, (term[]){bit, yes, no}, 3);
}

/* ---- values ---- */

bool term_holds(struct terms *t, term word, uint32_t value)
{
	struct slot s[4];
	bool holds = true;
	term_slots(s, t, word, value);
	for (unsigned k = 0; k < 4; k++) {
		uint8_t byte = (uint8_t)(value >> 8 * k);
		uint32_t *p = t->pool + s[k].of;
		unsigned char *own = (unsigned char *)(p + VALUE) + s[k].at;
		uint32_t bit = 1u << s[k].at;
		if (!s[k].of) {
			holds &= s[k].flip == byte;
		} else if (p[KNOWN] & bit) {
			holds &= ((*own & s[k].keep) ^ s[k].flip) == byte;
		} else if (s[k].keep == 0xff) {
			p[KNOWN] |= bit;
			*own = byte ^ s[k].flip;
		}
	}
	return holds;
}

bool term_bit_holds(struct terms *t, term bit, bool value)
{
	if (is_basic(t, bit, TERM_NOT)) {
		bit = source(t, bit, 0);
		value = !value;
	}
	uint32_t *p = t->pool + bit;
	unsigned char *own = (unsigned char *)(p + VALUE);
	bool holds = !(p[KNOWN] & 1) || *own == value;
	p[KNOWN] |= 1;
	*own = value;
	return holds;
}

bool term_seen(uint8_t *out, const struct terms *t, term x, unsigned byte)
{
	const uint32_t *p = t->pool + x;
	*out = ((const uint8_t *)(p + VALUE))[byte];
	return p[KNOWN] >> byte & 1;
}

/* ---- printing ---- */

static void show_slots(struct sbuf *out, const struct terms *t, const uint32_t *w, unsigned depth)
{
	sbuf_adds(out, "bytes(");
	for (unsigned k = 0; k < 4; k++) {
		uint32_t how = w[2 * k + 1];
		sbuf_adds(out, k ? ", " : "");
		if (!w[2 * k]) {
			sbuf_addf(out, "0x%02x", how >> 16);
			continue;
		}
		if (k && w[2 * k] == w[2 * k - 2]) {
			sbuf_adds(out, "of it");
		} else {
			term_show(out, t, w[2 * k], depth);
		}
		sbuf_addf(out, ".%u", how & 0xff);
		if ((how >> 8 & 0xff) != 0xff) {
			sbuf_addf(out, " & 0x%02x", how >> 8 & 0xff);
		}
		if (how >> 16) {
			sbuf_addf(out, " ^ 0x%02x", how >> 16);
		}
	}
	sbuf_addc(out, ')');
}

void term_show(struct sbuf *out, const struct terms *t, term x, unsigned depth)
{
	size_t n;
	const uint32_t *w = term_words(t, x, &n);
	switch (term_kind_of(t, x)) {
	case TERM_SYMBOL:
		if (w[0] < t->names) {
			sbuf_addf(out, "%s[%u]", t->name[w[0]], w[1] / w[2]);
		} else {
			sbuf_addf(out, "argument[%u]", w[1]);
		}
		return;
	case TERM_CONSTANT:
		sbuf_addf(out, "0x%x", w[0]);
		return;
	case TERM_WORD:
		if (depth == 0) {
			sbuf_adds(out, "...");
		} else {
			show_slots(out, t, w, depth - 1);
		}
		return;
	case TERM_OP:
		break;
	}
	sbuf_adds(out, t->op[w[0]].name);
	sbuf_addc(out, '(');
	for (size_t i = 1; i < n && depth; i++) {
		sbuf_adds(out, i > 1 ? ", " : "");
		if (i > 8) {
			sbuf_adds(out, "...");
			break;
		}
		term_show(out, t, w[i], depth - 1);
	}
	sbuf_adds(out, depth ? ")" : "...)");
}
