/* Computes normal forms of terms bottom up, each once per form; normal.h has the reason. */
#include "isa/normal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "isa/matrix.h"
#include "isa/quiet.h"

enum {
	FORMS = 2,	     /* ISA_EQUAL_BUT_NANS, ISA_EQUAL_BUT_FUSED */
	EXTREMES_MOST = 192, /* numbers of which one is the largest */
	SOURCES_MOST = 4 * 128
};

struct normal {
	struct terms *t;
	enum isa_verdict v;	/* the form being made */
	struct ids form[FORMS]; /* term -> its form */
	struct term_stack open;
};

struct normal *normal_open(struct terms *t)
{
	struct normal *n = mem_zeroed(1, sizeof(*n));
	n->t = t;
	return n;
}

void normal_clear(struct normal *n)
{
	for (unsigned i = 0; i < FORMS; i++) {
		ids_release(&n->form[i]);
	}
}

void normal_close(struct normal *n)
{
	normal_clear(n);
	array_release(&n->open);
	free(n);
}

static term known(const struct normal *n, term x)
{
	return (term)ids_get(&n->form[n->v - ISA_EQUAL_BUT_NANS], x, 0);
}

static void know(struct normal *n, term x, term form)
{
	ids_set(&n->form[n->v - ISA_EQUAL_BUT_NANS], x, form);
}

/* ---- signs ---- */

static unsigned top_byte(enum isa_type t)
{
	return t == ISA_F16 ? 1 : 3;
}

/* The number without its negation. x is the word with the sign bit; *negative: it was negated. */
static term without_sign(struct terms *t, term x, enum isa_type type, bool *negative)
{
	struct slot s[4];
	unsigned top = top_byte(type);
	term_slots(s, t, x, 0);
	*negative = s[top].flip & 0x80;
	s[top].flip &= 0x7f;
	term r = term_word(t, s);
	uint32_t c = 0;
	for (unsigned k = 0; k < 4; k++) {
		c |= (uint32_t)s[k].flip << 8 * k;
	}
	return r ? r : term_constant(t, c);
}

static term with_sign(struct terms *t, term x, enum isa_type type, bool negative)
{
	struct slot s[4];
	bool has;
	if (!negative) {
		return x;
	}
	x = without_sign(t, x, type, &has);
	term_slots(s, t, x, 0);
	unsigned top = top_byte(type);
	s[top].flip ^= has ? 0 : 0x80;
	term r = term_word(t, s);
	uint32_t c = 0;
	for (unsigned k = 0; k < 4; k++) {
		c |= (uint32_t)s[k].flip << 8 * k;
	}
	return r ? r : term_constant(t, c);
}

/* ---- operations on numbers ---- */

struct call {
	struct term_op op;
	enum isa_type type;
	unsigned regs; /* words per number */
	term s[3][2];
	unsigned sources;
};

static bool named(const struct term_op *op, const char *stem)
{
	size_t n = strlen(stem);
	return op->form == ISA_VALU && strncmp(op->name, stem, n) == 0 &&
	       (strcmp(op->name + n, "f32") == 0 || strcmp(op->name + n, "f16") == 0 ||
		       strcmp(op->name + n, "f64") == 0);
}

static bool to_nearest(const struct call *c)
{
	return c->type == ISA_F32 ? !(c->op.mode & 3) : !(c->op.mode >> 2 & 3);
}

static bool keeps_subnormals(const struct call *c)
{
	bool kept = (c->type == ISA_F32 ? c->op.mode >> 4 & 3 : c->op.mode >> 6 & 3) == 3;
	return kept && !(c->op.flags & ISA_NO_SUBNORMALS);
}

static int by_source(const struct call *c, unsigned a, unsigned b)
{
	return memcmp(c->s[a], c->s[b], c->regs * sizeof(term));
}

static void swap(struct call *c, unsigned a, unsigned b)
{
	term buffer[2];
	memcpy(buffer, c->s[a], sizeof(buffer));
	memcpy(c->s[a], c->s[b], sizeof(buffer));
	memcpy(c->s[b], buffer, sizeof(buffer));
}

static void sort_two(struct call *c)
{
	if (by_source(c, 0, 1) > 0) {
		swap(c, 0, 1);
	}
}

static term emit(struct terms *t, const struct call *c)
{
	term source[6];
	unsigned n = 0;
	for (unsigned i = 0; i < c->sources; i++) {
		for (unsigned r = 0; r < c->regs; r++) {
			source[n++] = c->s[i][r];
		}
	}
	return term_of_op(t, term_op_number(t, &c->op), source, n);
}

/* A different operation on numbers of this type. */
static struct call other(const struct call *c, const char *stem, unsigned sources)
{
	char name[32];
	struct call r = *c;
	static const char *const type[] = {[ISA_F16] = "f16", [ISA_F32] = "f32", [ISA_F64] = "f64"};
	snprintf(name, sizeof(name), "%s%s", stem, type[c->type]);
	static const char *const names[] = {
		"v_add_f16", "v_add_f32", "v_add_f64", "v_mul_f16", "v_mul_f32", "v_mul_f64"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		r.op.name = strcmp(names[i], name) == 0 ? names[i] : r.op.name;
	}
	memset(r.op.type, 0, sizeof(r.op.type));
	for (unsigned i = 0; i <= sources; i++) {
		r.op.type[i] = (uint8_t)c->type;
	}
	r.sources = sources;
	return r;
}

/* Moves a product's negation to its first factor. */
static term product(struct terms *t, struct call *c)
{
	bool minus[2];
	unsigned top = c->regs - 1;
	for (unsigned i = 0; i < 2; i++) {
		c->s[i][top] = without_sign(t, c->s[i][top], c->type, &minus[i]);
	}
	sort_two(c);
	c->s[0][top] = with_sign(t, c->s[0][top], c->type, minus[0] != minus[1]);
	return c->sources == 2 || c->sources == 3 ? emit(t, c) : 0;
}

/* The words of a result of this type. */
static void result_words(struct terms *t, term out[2], term x, const struct call *c)
{
	unsigned bytes = c->type == ISA_F16 ? 2 : 4;
	out[0] = bytes == 4 && c->regs == 1 ? x : term_part(t, x, 0, bytes);
	out[1] = c->regs == 2 ? term_part(t, x, 4, 4) : 0;
}

/* If source i is a negated product: replaces it by a product with a negated factor. */
static void push_minus(struct terms *t, struct call *c, unsigned i)
{
	unsigned top = c->regs - 1;
	struct slot s[4], low[4];
	term_slots(s, t, c->s[i][top], 0);
	term_slots(low, t, c->s[i][0], 0);
	term of = low[0].of;
	unsigned b = top_byte(c->type);
	struct call inner = *c;
	size_t n;
	if (!of || !(s[b].flip & 0x80) || s[b].keep != 0xff || s[b].of != of ||
		term_kind_of(t, of) != TERM_OP || !named(term_op_of(t, of), "v_mul_") ||
		term_op_of(t, of)->how || !to_nearest(c)) {
		return;
	}
	term whole[2];
	result_words(t, whole, of, c);
	if (with_sign(t, whole[top], c->type, true) != c->s[i][top] ||
		(c->regs == 2 && whole[0] != c->s[i][0])) {
		return;
	}
	inner.op = *term_op_of(t, of);
	inner.sources = 2;
	const uint32_t *w = term_words(t, of, &n);
	for (unsigned k = 0; k < 2; k++) {
		memcpy(inner.s[k], w + 1 + k * c->regs, c->regs * sizeof(term));
	}
	bool minus;
	inner.s[0][top] = without_sign(t, inner.s[0][top], c->type, &minus);
	inner.s[0][top] = with_sign(t, inner.s[0][top], c->type, !minus);
	result_words(t, c->s[i], product(t, &inner), c);
}

static term sum(struct terms *t, struct call *c)
{
	push_minus(t, c, 0);
	push_minus(t, c, 1);
	sort_two(c);
	return emit(t, c);
}

/* Writes a - b as a + -b. */
static term difference(struct terms *t, struct call *c, bool reversed)
{
	struct call r = other(c, "v_add_", 2);
	unsigned top = c->regs - 1;
	if (reversed) {
		swap(&r, 0, 1);
	}
	bool minus;
	r.s[1][top] = without_sign(t, r.s[1][top], c->type, &minus);
	r.s[1][top] = with_sign(t, r.s[1][top], c->type, !minus);
	return sum(t, &r);
}

/* Writes a fused operation as a * b, rounded, plus c. */
static term unfused(struct terms *t, struct call *c)
{
	struct call p = other(c, "v_mul_", 2);
	struct call r = other(c, "v_add_", 2);
	p.op.how = 0;
	result_words(t, r.s[0], product(t, &p), c);
	memcpy(r.s[1], c->s[2], sizeof(r.s[1]));
	return sum(t, &r);
}

static bool is_one(const struct terms *t, const struct call *c, unsigned i)
{
	size_t n;
	static const uint32_t ones[] = {
		[ISA_F16] = 0x3c00, [ISA_F32] = 0x3f800000, [ISA_F64] = 0x3ff00000};
	term low = c->s[i][0], top = c->s[i][c->regs - 1];
	return term_kind_of(t, top) == TERM_CONSTANT &&
	       term_words(t, top, &n)[0] == ones[c->type] &&
	       (c->regs == 1 ||
		       (term_kind_of(t, low) == TERM_CONSTANT && term_words(t, low, &n)[0] == 0));
}

/* For operations that return the number itself, with NaNs made quiet (max(x, x), 1 * x): that word;
 * else 0. */
static term canonicalized(const struct terms *t, const struct call *c)
{
	bool maximum = named(&c->op, "v_max_") || named(&c->op, "v_max_num_");
	if (!keeps_subnormals(c) || c->op.how || c->type != ISA_F32) {
		return 0;
	}
	if (maximum && by_source(c, 0, 1) == 0) {
		return c->s[0][0];
	}
	if (named(&c->op, "v_mul_")) {
		return is_one(t, c, 0) ? c->s[1][0] : is_one(t, c, 1) ? c->s[0][0] : 0;
	}
	return 0;
}

/* 0: unchanged. */
static term number(struct normal *n, struct call *c)
{
	static const char *const sorted[] = {
		"v_max_", "v_min_", "v_max_num_", "v_min_num_", "v_maximum_", "v_minimum_"};
	struct terms *t = n->t;
	term same = canonicalized(t, c);
	if (same) {
		return term_quiet(t, same);
	}
	if (named(&c->op, "v_mul_")) {
		return product(t, c);
	}
	if (named(&c->op, "v_fma_")) {
		return n->v == ISA_EQUAL_BUT_FUSED ? unfused(t, c) : product(t, c);
	}
	if (named(&c->op, "v_add_")) {
		return sum(t, c);
	}
	if (named(&c->op, "v_sub_") || named(&c->op, "v_subrev_")) {
		return difference(t, c, named(&c->op, "v_subrev_"));
	}
	for (size_t i = 0; i < sizeof(sorted) / sizeof(sorted[0]); i++) {
		if (named(&c->op, sorted[i])) {
			sort_two(c);
			return emit(t, c);
		}
	}
	return 0;
}

/* Is it a call whose sources and result are numbers of one type? */
static bool call_of(struct call *c, const struct terms *t, term x, const term *source, size_t n)
{
	*c = (struct call){.op = *term_op_of(t, x)};
	c->type = (enum isa_type)c->op.type[0];
	c->regs = isa_type_regs(c->type);
	if (!isa_type_is_float(c->type) || c->op.form != ISA_VALU || n % c->regs ||
		n / c->regs < 2 || n / c->regs > 3 || c->op.how >> 8) {
		return false;
	}
	c->sources = (unsigned)n / c->regs;
	for (unsigned i = 0; i < c->sources; i++) {
		if (c->op.type[i + 1] != c->op.type[0]) {
			return false;
		}
		memcpy(c->s[i], source + i * c->regs, c->regs * sizeof(term));
	}
	return true;
}

/* ---- the largest of several ---- */

/*
 * Nested maximums (or minimums) of two or three numbers become one operation on the set of all
 * numbers. Their order and grouping do not matter: of a quiet NaN and a number the number is
 * returned, and +0 is greater than -0. They do matter with a signalling NaN: with a number it gives
 * a quiet NaN, and the next maximum returns its other source. So no number may be a signalling NaN:
 * each is a result of arithmetic, or made quiet (max(x, x)).
 */
struct extreme {
	struct normal *n;
	uint32_t number;       /* of the operation on all */
	term v[EXTREMES_MOST]; /* their forms, in order */
	size_t found;
};

/* *all: the operation on all numbers for this one on two or three. */
static bool is_extreme(struct term_op *all, const struct term_op *op)
{
	static const char *const names[][2] = {{"v_max_f32", "v_max3_f32"},
		{"v_min_f32", "v_min3_f32"}, {"v_max_num_f32", "v_max3_num_f32"},
		{"v_min_num_f32", "v_min3_num_f32"}};
	if (op->form != ISA_VALU || op->how || op->flags & ISA_NO_SUBNORMALS ||
		(op->mode >> 4 & 3) != 3) {
		return false;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(op->name, names[i][0]) == 0 || strcmp(op->name, names[i][1]) == 0) {
			memset(all, 0, sizeof(*all));
			all->name = names[i][0];
			all->form = ISA_MIX;
			all->mode = op->mode;
			all->bytes = 4;
			return true;
		}
	}
	return false;
}

/* Merges numbers that are in order; false: too many. */
static bool merge(struct extreme *e, const term *more, size_t n)
{
	term all[2 * EXTREMES_MOST];
	size_t i = 0, k = 0, to = 0;
	while (i < e->found || k < n) {
		bool first = k == n || (i < e->found && e->v[i] <= more[k]);
		term x = first ? e->v[i] : more[k];
		i += i < e->found && e->v[i] == x;
		k += k < n && more[k] == x;
		all[to++] = x;
	}
	bool fits = to <= EXTREMES_MOST;
	memcpy(e->v, all, (fits ? to : 0) * sizeof(*all));
	e->found = fits ? to : 0;
	return fits;
}

/* The numbers of a form that is already such an operation; NULL: it is not. */
static const term *numbers_of(const struct extreme *e, term form, size_t *n)
{
	const uint32_t *w = term_words(e->n->t, form, n);
	bool is = term_kind_of(e->n->t, form) == TERM_OP && w[0] == e->number;
	*n -= is;
	return is ? w + 1 : NULL;
}

/* The number of max(x, x), which makes a NaN quiet; else 0. */
static term number_twice(const struct terms *t, term x)
{
	size_t n;
	struct term_op all;
	const uint32_t *w = term_words(t, x, &n);
	bool op = term_kind_of(t, x) == TERM_OP && w[0] >= TERM_BASICS;
	return op && n == 3 && w[1] == w[2] && is_extreme(&all, term_op_of(t, x)) ? w[1] : 0;
}

static bool add_number(struct extreme *e, term x)
{
	const struct terms *t = e->n->t;
	size_t n;
	term form = known(e->n, x), twice;
	form = form ? form : x;
	term of = term_made_quiet(t, form);
	const term *all = numbers_of(e, of ? of : form, &n);
	if (all) { /* none of them is signalling, so neither is their maximum */
		return merge(e, all, n);
	}
	if (of) {
		return merge(e, &of, 1);
	}
	while ((twice = number_twice(t, x)) != 0) {
		x = twice;
	}
	return term_is_quiet(e->n->t, x) && merge(e, &form, 1);
}

/* The form of x, if it is such an operation; else 0. */
static term extreme(struct normal *n, term x)
{
	size_t words;
	const uint32_t *w = term_words(n->t, x, &words);
	struct term_op all;
	if (!is_extreme(&all, term_op_of(n->t, x)) || (words == 3 && w[1] == w[2])) {
		return 0;
	}
	struct extreme e = {.n = n, .number = term_op_number(n->t, &all)};
	for (size_t i = 1; i < words; i++) {
		if (!add_number(&e, term_words(n->t, x, &words)[i])) {
			return 0;
		}
	}
	return e.found == 1 ? term_quiet(n->t, e.v[0]) : term_of_op(n->t, e.number, e.v, e.found);
}

/* ---- uses of a NaN's bits ---- */

/* A matrix operation that reads whole numbers. xf32 ignores the low bits, which may be the only
 * ones set in a NaN; a scale is not a number. */
static bool multiplies_numbers(const struct term_op *op)
{
	static const bool whole[KINDS] = {[KIND_F32] = true,
		[KIND_F16] = true,
		[KIND_BF16] = true,
		[KIND_FP8] = true,
		[KIND_BF8] = true,
		[KIND_F64] = true};
	return strcmp(op->name, "matrix") == 0 && whole[op->type[0]] && whole[op->type[1]] &&
	       whole[op->type[2]];
}

/* Does the operation treat all NaNs alike? The bits of a NaN may appear only in a NaN result. */
static bool takes_any_nan(const struct terms *t, term x)
{
	const struct term_op *op = term_op_of(t, x);
	size_t n;
	uint32_t number_of = term_words(t, x, &n)[0];
	if (number_of < TERM_BASICS) {
		bool decides = number_of == TERM_IS_VALUE;
		return !(decides && term_bytes(t, term_words(t, x, &n)[1])) &&
		       number_of != TERM_MASK && number_of != TERM_SIGN_8 &&
		       number_of != TERM_SIGN_16;
	}
	if (strcmp(op->name, "f16") == 0 || multiplies_numbers(op) ||
		(op->form == ISA_ATOMIC && isa_type_is_float((enum isa_type)op->type[0]))) {
		return true;
	}
	if (strcmp(op->name, "matrix") == 0 || strncmp(op->name, "v_cmp_class", 11) == 0 ||
		strncmp(op->name, "v_trig", 6) == 0) {
		return false;
	}
	bool floats = op->type[1] != ISA_N;
	for (unsigned i = 1; i < 4; i++) {
		floats &= op->type[i] == ISA_N || isa_type_is_float((enum isa_type)op->type[i]);
	}
	return floats && (op->form == ISA_VALU || op->form == ISA_VCMP || op->form == ISA_MIX ||
				 op->form == ISA_SPECIAL);
}

/* Is the byte whole, with at most its sign changed? */
static bool whole_or_sign(const struct slot *s)
{
	return !s->of || ((s->keep == 0xff || s->keep == 0x7f) && !(s->flip & 0x7f));
}

/* ---- terms ---- */

static term word_form(struct normal *n, term x)
{
	struct terms *t = n->t;
	struct slot s[4], r[4];
	term_slots(s, t, x, 0);
	for (unsigned k = 0; k < 4; k++) {
		term of = s[k].of ? known(n, s[k].of) : 0;
		if (n->v == ISA_EQUAL_BUT_NANS && !whole_or_sign(&s[k])) {
			return x;
		}
		if (!of) {
			r[k] = s[k];
		} else if (term_kind_of(t, of) == TERM_WORD ||
			   term_kind_of(t, of) == TERM_CONSTANT) {
			struct slot in[4];
			term_slots(in, t, of, 0);
			r[k] = slot_bits(in[s[k].at], s[k].keep, s[k].flip);
		} else {
			r[k] = s[k];
			r[k].of = of;
		}
	}
	term word = term_word(t, r);
	uint32_t c = 0;
	for (unsigned k = 0; k < 4; k++) {
		c |= (uint32_t)r[k].flip << 8 * k;
	}
	return word ? word : term_constant(t, c);
}

static term op_form(struct normal *n, term x)
{
	struct terms *t = n->t;
	term source[SOURCES_MOST];
	struct call c;
	size_t words;
	const uint32_t *w = term_words(t, x, &words);
	size_t sources = words - 1;
	uint32_t op = w[0];
	if (sources > SOURCES_MOST || (n->v == ISA_EQUAL_BUT_NANS && !takes_any_nan(t, x))) {
		return x;
	}
	bool sees_snan = op == TERM_SELECT || (op >= TERM_BASICS && term_op_sees_snan(&t->op[op]));
	for (size_t i = 0; i < sources; i++) {
		source[i] = known(n, term_words(t, x, &words)[1 + i]);
		source[i] = sees_snan ? source[i] : term_unquiet(t, source[i]);
	}
	if (op == TERM_NOT) {
		return term_not(t, source[0]);
	}
	if (op == TERM_AND || op == TERM_OR || op == TERM_XOR) {
		return term_both(t, (enum term_basic)op, source[0], source[1]);
	}
	if (op == TERM_ANY) {
		return term_any(t, source, sources);
	}
	if (op == TERM_SELECT) {
		return term_select(t, source[0], source[1], 0, source[2], 0);
	}
	term all = extreme(n, x);
	if (all) {
		return all;
	}
	if (call_of(&c, t, x, source, sources)) {
		term y = number(n, &c);
		if (y) {
			return y;
		}
	}
	/* v_cvt_f32_f16 converts a half as mix instructions do, except for the bits of a NaN */
	static const struct term_op of_half = {.name = "f16", .form = ISA_MIX, .bytes = 4};
	const struct term_op *is = &t->op[op];
	if (strcmp(is->name, "v_cvt_f32_f16") == 0 && !is->how && (is->mode >> 6 & 3) == 3) {
		return term_of_op(t, term_op_number(t, &of_half), source, 1);
	}
	return term_of_op(t, op, source, sources);
}

static term form_of(struct normal *n, term x)
{
	switch (term_kind_of(n->t, x)) {
	case TERM_WORD:
		return word_form(n, x);
	case TERM_OP:
		return op_form(n, x);
	default:
		return x;
	}
}

term normal_form(struct normal *n, enum isa_verdict v, term x)
{
	if (v == ISA_EQUAL) {
		return x;
	}
	n->v = v;
	n->open.n = 0; /* an aborted walk may have left some */
	const struct ids *done = &n->form[v - ISA_EQUAL_BUT_NANS];
	term next;
	while (!n->t->full && (next = term_sources_first(&n->open, n->t, x, done))) {
		know(n, next, form_of(n, next));
	}
	return n->t->full ? x : term_unquiet(n->t, known(n, x));
}

enum isa_verdict normal_compare(struct normal *n, term x, term y)
{
	if (x == y) {
		return ISA_EQUAL;
	}
	for (enum isa_verdict v = ISA_EQUAL_BUT_NANS; v <= ISA_EQUAL_BUT_FUSED; v++) {
		if (normal_form(n, v, x) == normal_form(n, v, y)) {
			return v;
		}
	}
	return ISA_NOT_EQUAL;
}
