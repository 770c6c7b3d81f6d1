/* Evaluates terms in prime fields, bottom up, each once; reals.h has the reason. */
#include "isa/reals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "isa/matrix.h"
#include "isa/number.h"
#include "isa/real.h"

struct reals {
	struct terms *t;
	struct ids known; /* term -> 1 + its index in value */
	ARRAY(struct real) value;
	struct term_stack open;
	struct reals_count count;
	bool unknown; /* a decision depends on an unknown bit */
};

struct reals *reals_open(struct terms *t)
{
	struct reals *r = mem_zeroed(1, sizeof(*r));
	r->t = t;
	return r;
}

void reals_clear(struct reals *r)
{
	ids_release(&r->known);
	r->value.n = 0;
}

void reals_close(struct reals *r)
{
	ids_release(&r->known);
	array_release(&r->value);
	array_release(&r->open);
	free(r);
}

const struct reals_count *reals_count(const struct reals *r)
{
	return &r->count;
}

static uint64_t name_hash(const char *name)
{
	uint64_t h = 7;
	for (; *name; name++) {
		h = real_scramble(h, (unsigned char)*name);
	}
	return h;
}

/* ---- words ---- */

/* The value of a source, which is computed before its users. */
static const struct real *known(const struct reals *r, term x)
{
	return &r->value.v[ids_get(&r->known, x, 1) - 1];
}

static bool is_basic(const struct terms *t, term x, enum term_basic what)
{
	size_t n;
	return term_kind_of(t, x) == TERM_OP && term_words(t, x, &n)[0] == (uint32_t)what;
}

/* The bytes of a word; for a select those of the selected word, for a mask constants. */
static void slots_of(struct reals *r, struct slot s[4], term word)
{
	const struct terms *t = r->t;
	term_slots(s, t, word, 0);
	for (unsigned k = 0; k < 4; k++) {
		while (s[k].of && is_basic(t, s[k].of, TERM_SELECT)) {
			size_t n;
			struct slot in[4];
			const uint32_t *w = term_words(t, s[k].of, &n);
			const struct real *bit = known(r, w[1]);
			r->unknown |= bit->kind == REAL_UNKNOWN;
			r->count.choices++;
			term_slots(in, t, w[bit->x != 0 ? 2 : 3], 0);
			s[k] = slot_bits(in[s[k].at], s[k].keep, s[k].flip);
		}
		uint8_t byte;
		if (s[k].of && is_basic(t, s[k].of, TERM_MASK) &&
			term_seen(&byte, t, s[k].of, s[k].at)) {
			r->count.choices++;
			s[k] = slot_constant((byte & s[k].keep) ^ s[k].flip);
		}
	}
}

/* The format of an operation's result; ISA_N: any, as for a symbol. */
static enum isa_type format_of(const struct terms *t, term x)
{
	static const enum isa_type of_kind[KINDS] = {[KIND_F32] = ISA_F32,
		[KIND_XF32] = ISA_F32,
		[KIND_F16] = ISA_F16,
		[KIND_BF16] = ISA_BF16,
		[KIND_F64] = ISA_F64,
		[KIND_I32] = ISA_I32};
	if (term_kind_of(t, x) != TERM_OP) {
		return ISA_N;
	}
	const struct term_op *op = term_op_of(t, x);
	size_t n;
	if (term_words(t, x, &n)[0] < TERM_BASICS) {
		return ISA_B32;
	}
	if (strcmp(op->name, "matrix") == 0) {
		return of_kind[op->type[0]];
	}
	return strcmp(op->name, "f16") == 0			    ? ISA_F32
	       : strcmp(op->name, "v_add_u32") == 0		    ? ISA_I32
	       : op->bytes == 2 && strstr(op->name, "bf16") != NULL ? ISA_BF16
	       : op->bytes == 2 && op->type[0] == ISA_H16	    ? ISA_F16
								    : (enum isa_type)op->type[0];
}

static unsigned bytes_of(enum isa_type type)
{
	return type == ISA_F16 || type == ISA_BF16 ? 2 : type == ISA_F64 ? 8 : 4;
}

/* A term's value as a number of this format. */
static struct real in_format(const struct reals *r, term x, enum isa_type type)
{
	const struct real *v = known(r, x);
	enum isa_type own = format_of(r->t, x);
	if (own == type || (own == ISA_N && type != ISA_BF16 && type != ISA_I32)) {
		return *v;
	}
	return real_of(1000 + (uint64_t)type, v, 1, v->x);
}

/* Do the slots hold a whole term, up to its sign? */
static bool holds_whole(
	const struct terms *t, const struct slot *s, unsigned n, unsigned at, unsigned bytes)
{
	for (unsigned k = 0; k < n; k++) {
		bool top = at + k + 1 == bytes;
		bool plain = s[k].keep == 0xff && !s[k].flip;
		bool sign = (s[k].keep | 0x80) == 0xff && !(s[k].flip & 0x7f);
		if (!s[k].of || s[k].of != s[0].of || s[k].at != at + k || !(top ? sign : plain)) {
			return false;
		}
	}
	return term_bytes(t, s[0].of) == bytes;
}

/* Applies the sign change in the top slot. */
static struct real with_sign(struct reals *r, struct real v, const struct slot *top)
{
	bool absolute = !(top->keep & 0x80);
	r->count.choices += absolute;
	v = absolute && isnan(v.x) ? real_undefined() : v;
	v = absolute && v.x < 0 ? real_negated(v) : v;
	return top->flip & 0x80 ? real_negated(v) : v;
}

static bool constants(const struct slot *s, unsigned n, uint32_t *out)
{
	*out = 0;
	for (unsigned k = 0; k < n; k++) {
		if (s[k].of) {
			return false;
		}
		*out |= (uint32_t)s[k].flip << 8 * k;
	}
	return true;
}

static double from_bits(uint32_t x, enum isa_type type)
{
	float f;
	if (type == ISA_F16) {
		return (double)isa_f16((uint16_t)x);
	}
	x = type == ISA_BF16 ? x << 16 : x;
	memcpy(&f, &x, sizeof(f));
	return (double)f;
}

/* The number in slots, from the first on; false: not a number. */
static bool number_in(struct reals *r, struct real *out, const struct slot *s, enum isa_type type)
{
	uint32_t c;
	unsigned n = bytes_of(type);
	if (constants(s, n, &c)) {
		*out = real_constant(from_bits(c, type));
		return true;
	}
	if (holds_whole(r->t, s, n, 0, n)) {
		*out = with_sign(r, in_format(r, s[0].of, type), &s[n - 1]);
		return true;
	}
	/* a bf16 above zeros is the same number in f32 */
	if (type == ISA_F32 && constants(s, 2, &c) && !c && holds_whole(r->t, s + 2, 2, 0, 2)) {
		*out = with_sign(r, in_format(r, s[2].of, ISA_BF16), &s[3]);
		return true;
	}
	return false;
}

/* A value for a byte of any term. */
static struct real byte_value(const struct reals *r, const struct slot *s)
{
	struct real v = s->of ? *known(r, s->of) : (struct real){.kind = REAL_NUMBER};
	uint64_t how = 0x1000000u | s->at | (uint32_t)s->keep << 8 | (uint32_t)s->flip << 16;
	return real_of(s->of ? how : s->flip, &v, s->of != 0, 0);
}

/* A value for a word that is not one number. */
static struct real word_value(struct reals *r, term word)
{
	struct slot s[4];
	struct real v[4];
	uint32_t c;
	slots_of(r, s, word);
	if (!constants(s, 4, &c) && number_in(r, &v[0], s, ISA_F32)) {
		return v[0];
	}
	for (unsigned k = 0; k < 4; k++) {
		v[k] = byte_value(r, &s[k]);
	}
	return real_of(1, v, 4, 0);
}

/* The number of a type in one or two words. */
static struct real number_of(struct reals *r, const term *w, enum isa_type type)
{
	struct slot s[8];
	struct real v[2];
	slots_of(r, s, w[0]);
	if (type == ISA_F64) {
		uint32_t c[2];
		double x;
		slots_of(r, s + 4, w[1]);
		if (constants(s, 4, &c[0]) && constants(s + 4, 4, &c[1])) {
			memcpy(&x, c, sizeof(x));
			return real_constant(x);
		}
		if (holds_whole(r->t, s, 8, 0, 8)) {
			return with_sign(r, in_format(r, s[0].of, type), &s[7]);
		}
		v[0] = word_value(r, w[0]);
		v[1] = word_value(r, w[1]);
		return real_of(2, v, 2, 0);
	}
	if (number_in(r, &v[0], s, type)) {
		return v[0];
	}
	v[0] = word_value(r, w[0]);
	return real_of(1000 + (uint64_t)type, v, 1, v[0].x);
}

/* ---- operations ---- */

/* The approximate value of the term in the run. */
static double seen(const struct reals *r, term x, double otherwise)
{
	uint8_t byte[8] = {0};
	unsigned n = term_bytes(r->t, x);
	enum isa_type type = format_of(r->t, x);
	for (unsigned k = 0; k < n; k++) {
		if (!term_seen(&byte[k], r->t, x, k)) {
			return otherwise;
		}
	}
	uint32_t low;
	double d;
	memcpy(&low, byte, sizeof(low));
	memcpy(&d, byte, sizeof(d));
	return n == 8 ? d
		      : from_bits(low, n == 2 && type != ISA_BF16 ? ISA_F16
				       : n == 2			  ? type
								  : ISA_F32);
}

/* Is the word an integer, by the operation that made it? */
static bool is_rounded(struct reals *r, term word)
{
	static const char *const by[] = {"v_rndne_f32", "v_floor_f32", "v_ceil_f32", "v_trunc_f32"};
	struct slot s[4];
	slots_of(r, s, word);
	bool is = false;
	for (size_t i = 0; s[0].of && term_kind_of(r->t, s[0].of) == TERM_OP && i < 4; i++) {
		is |= holds_whole(r->t, s, 4, 0, 4) &&
		      strcmp(term_op_of(r->t, s[0].of)->name, by[i]) == 0;
	}
	return is;
}

/* x * 2^n, with n a constant or a number converted to an integer. */
static bool scaled(struct reals *r, struct real *out, const term *source)
{
	struct slot s[4];
	uint32_t c;
	size_t n;
	slots_of(r, s, source[1]);
	if (constants(s, 4, &c)) {
		*out = real_product(
			number_of(r, source, ISA_F32), real_constant(ldexp(1, (int32_t)c)));
		return true;
	}
	if (!holds_whole(r->t, s, 4, 0, 4) || term_kind_of(r->t, s[0].of) != TERM_OP ||
		strcmp(term_op_of(r->t, s[0].of)->name, "v_cvt_i32_f32") != 0) {
		return false;
	}
	const uint32_t *w = term_words(r->t, s[0].of, &n);
	if (!is_rounded(r, w[1])) {
		return false;
	}
	*out = real_product(
		number_of(r, source, ISA_F32), real_power(number_of(r, w + 1, ISA_F32)));
	return true;
}

/* The sources as numbers; returns their count, 0 if one is not a number. */
static unsigned numbers(
	struct reals *r, struct real v[4], const struct term_op *op, const term *source, size_t n)
{
	unsigned count = 0;
	for (size_t at = 0; at < n && count < 3; count++) {
		enum isa_type type = (enum isa_type)op->type[count + 1];
		bool wide_one = type == ISA_F64;
		if ((type != ISA_F32 && type != ISA_F16 && type != ISA_BF16 && !wide_one) ||
			at + wide_one >= n) {
			return 0;
		}
		v[count] = number_of(r, source + at, type);
		at += 1 + wide_one;
	}
	return count;
}

static bool is_conversion(const char *name)
{
	static const char *const all[] = {"f16", "v_cvt_f32_f16", "v_cvt_f16_f32", "v_cvt_f32_f64",
		"v_cvt_f64_f32", "v_cvt_f32_bf16", "v_cvt_pkrtz_f16_f32", "v_cvt_pk_f16_f32",
		"v_cvt_pk_bf16_f32"};
	bool is = false;
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		is |= strcmp(name, all[i]) == 0;
	}
	return is;
}

/* The dot product of two words' halves, plus the last source. */
static struct real dot2(struct reals *r, const term *source, enum isa_type half, enum isa_type last)
{
	struct slot a[4], b[4];
	struct real x, y;
	struct real total = number_of(r, source + 2, last);
	slots_of(r, a, source[0]);
	slots_of(r, b, source[1]);
	for (unsigned k = 0; k < 4; k += 2) {
		struct real bytes_a[2] = {byte_value(r, &a[k]), byte_value(r, &a[k + 1])};
		struct real bytes_b[2] = {byte_value(r, &b[k]), byte_value(r, &b[k + 1])};
		x = number_in(r, &x, a + k, half) ? x : real_of(3, bytes_a, 2, 0);
		y = number_in(r, &y, b + k, half) ? y : real_of(3, bytes_b, 2, 0);
		total = real_sum(total, real_product(x, y));
	}
	return total;
}

/* A word as an integer. */
static struct real integer_of(struct reals *r, term word)
{
	struct slot s[4];
	uint32_t c;
	slots_of(r, s, word);
	if (constants(s, 4, &c)) {
		return real_constant((int32_t)c);
	}
	if (holds_whole(r->t, s, 4, 0, 4) && s[3].keep == 0xff && !s[3].flip) {
		return in_format(r, s[0].of, ISA_I32);
	}
	struct real v = word_value(r, word);
	return real_of(1000 + (uint64_t)ISA_I32, &v, 1, v.x);
}

/* An element of 8 bits or less: a random function of the byte, or of the word with its bits; a
 * constant integer is itself. */
static struct real small_element(
	struct reals *r, const struct slot *byte, enum kind kind, unsigned format)
{
	struct real v = byte_value(r, byte);
	if (!byte->of && kind == KIND_I8) {
		return real_constant((int8_t)byte->flip);
	}
	return !byte->of && !byte->flip ? real_constant(0)
					: real_of(2000 + 16 * (uint64_t)kind + format, &v, 1, 0);
}

/* Element k of a matrix operation's row or column. */
static struct real element(struct reals *r, term list, enum kind kind, unsigned k, unsigned format)
{
	static const unsigned bits[] = {8, 8, 6, 6, 4}; /* matrix.c's mx */
	size_t n;
	const uint32_t *w = term_words(r->t, list, &n) + 1;
	bool small = kind == KIND_IU4 || (kind == KIND_MX && bits[format] < 8);
	unsigned bytes = kind == KIND_F64			 ? 8
			 : kind == KIND_F16 || kind == KIND_BF16 ? 2
			 : kind == KIND_F32 || kind == KIND_XF32 ? 4
								 : 1;
	if (kind == KIND_F64) {
		return number_of(r, (term[]){w[2 * k], w[2 * k + 1]}, ISA_F64);
	}
	struct slot s[4];
	struct real v;
	enum isa_type type = kind == KIND_F16 ? ISA_F16 : kind == KIND_BF16 ? ISA_BF16 : ISA_F32;
	unsigned at = small ? 4 * k : k * bytes;
	slots_of(r, s, w[at / 4]);
	if (bytes == 1) {
		return small_element(r, &s[at % 4], kind, format);
	}
	if (number_in(r, &v, s + at % 4, type)) {
		return v;
	}
	struct real part[4];
	for (unsigned i = 0; i < bytes; i++) {
		part[i] = byte_value(r, &s[at % 4 + i]);
	}
	return real_of(1000 + (uint64_t)type, part, bytes, 0);
}

/* A scale, a power of two in a byte. at: its index among the row's scales, which come last. */
static struct real scale(struct reals *r, term list, unsigned at, unsigned scales)
{
	size_t n;
	struct slot s[4];
	const uint32_t *w = term_words(r->t, list, &n);
	slots_of(r, s, w[n - scales + at]);
	struct real v = byte_value(r, &s[0]);
	return s[0].of		   ? real_of(3000, &v, 1, 1)
	       : s[0].flip == 0xff ? real_undefined()
				   : real_constant(ldexp(1, s[0].flip - 127));
}

static bool matrix(struct reals *r, struct real *out, term x)
{
	size_t n;
	const uint32_t *w = term_words(r->t, x, &n);
	const struct term_op *op = term_op_of(r->t, x);
	enum kind ka = (enum kind)op->type[1], kb = (enum kind)op->type[2];
	unsigned fa = op->type[3] >> 4, fb = op->type[3] & 15, k_most = op->how >> 20 & 0xfff;
	bool scaled = op->how >> 6 & 1, clamp = op->how >> 1 & 1, sparse = op->how >> 2 & 1;
	enum isa_type type = format_of(r->t, x);
	/* signedness of 8- and 4-bit elements is part of signs */
	bool signs = op->how >> 3 & 3 && ka != KIND_IU8 && ka != KIND_IU4;
	if (clamp || sparse || signs) {
		return false;
	}
	*out = type == ISA_I32 ? integer_of(r, w[3]) : number_of(r, w + 3, type);
	*out = op->how >> 5 & 1 ? real_negated(*out) : *out;
	unsigned with_sign = op->how >> 3 & 3;
	for (unsigned k = 0; k < k_most; k++) {
		struct real a = element(r, w[1], ka, k, ka == KIND_MX ? fa : with_sign & 1);
		struct real b = element(r, w[2], kb, k, kb == KIND_MX ? fb : with_sign >> 1);
		if (scaled) {
			a = real_product(a, scale(r, w[1], k / MX_ELEMENTS, k_most / MX_ELEMENTS));
			b = real_product(b, scale(r, w[2], k / MX_ELEMENTS, k_most / MX_ELEMENTS));
		}
		*out = real_sum(*out, real_product(a, b));
	}
	return true;
}

static bool known_op(struct reals *r, struct real *out, term x)
{
	struct real v[4];
	size_t n;
	const uint32_t *w = term_words(r->t, x, &n);
	const struct term_op *op = term_op_of(r->t, x);
	const char *name = op->name;
	unsigned bytes = op->bytes;
	if (strcmp(name, "matrix") == 0) {
		return matrix(r, out, x);
	}
	if (strcmp(name, "f16") == 0) {
		*out = number_of(r, w + 1, ISA_F16);
		return true;
	}
	if (op->form == ISA_ATOMIC && bytes && (op->type[0] == ISA_F32 || op->type[0] == ISA_F64)) {
		char atomic[16];
		snprintf(atomic, sizeof(atomic), "v_%s", name);
		v[0] = number_of(r, w + 1, (enum isa_type)op->type[0]);
		v[1] = number_of(r, w + n / 2 + 1, (enum isa_type)op->type[0]);
		return real_calculate(out, &r->count.choices, atomic, v, 2);
	}
	if (bytes && (op->how & ~(1u << 8)) == 0) {
		bool pair = op->how != 0; /* a half of a packed conversion */
		if (is_conversion(name) && (pair || n == 2 || op->type[1] == ISA_F64)) {
			enum isa_type from = (enum isa_type)op->type[1];
			*out = number_of(r, w + 1, from);
			return true;
		}
		if (strcmp(name, "v_ldexp_f32") == 0 && n == 3) {
			return scaled(r, out, w + 1);
		}
		if (strcmp(name, "v_cvt_f32_i32") == 0 && n == 2) {
			*out = integer_of(r, w[1]);
			return true;
		}
		if (strcmp(name, "v_add_u32") == 0 && n == 3) {
			*out = real_sum(integer_of(r, w[1]), integer_of(r, w[2]));
			return true;
		}
		if (strcmp(name, "v_cvt_i32_f32") == 0 && is_rounded(r, w[1])) {
			*out = number_of(r, w + 1, ISA_F32);
			return true;
		}
		if (strncmp(name, "v_dot2_f32_", 11) == 0 && n == 4) {
			*out = dot2(r, w + 1, strstr(name, "bf16") ? ISA_BF16 : ISA_F16, ISA_F32);
			return true;
		}
		unsigned count = pair ? 0 : numbers(r, v, op, w + 1, n - 1);
		return count && real_calculate(out, &r->count.choices, name, v, count);
	}
	return false;
}

/* An opaque result: a random function of its operation and sources. */
static struct real opaque_value(struct reals *r, term x)
{
	size_t n;
	const uint32_t *w = term_words(r->t, x, &n);
	const struct term_op *op = term_op_of(r->t, x);
	struct real all[8];
	size_t sources = 0;
	uint64_t what = real_scramble(name_hash(op->name), op->how);
	for (size_t i = 1; i < n; i++) {
		bool word = term_kind_of(r->t, w[i]) != TERM_OP || term_bytes(r->t, w[i]);
		if (sources == 8) {
			all[0] = real_of(what, all, sources, 0);
			sources = 1;
		}
		all[sources++] = word ? word_value(r, w[i]) : *known(r, w[i]);
	}
	return real_of(what, all, sources, op->bytes ? seen(r, x, 0.5) : 0);
}

/* A bit: its operation and sources, and its value in the run. */
static struct real bit_value(struct reals *r, term x)
{
	uint8_t was;
	size_t n;
	const uint32_t *w = term_words(r->t, x, &n);
	struct real v = opaque_value(r, x);
	bool logical = w[0] == TERM_NOT || w[0] == TERM_AND || w[0] == TERM_OR ||
		       w[0] == TERM_XOR || w[0] == TERM_ANY;
	bool b = logical && known(r, w[1])->x != 0;
	for (size_t i = 1; i < n; i++) {
		bool next = logical && known(r, w[i])->x != 0;
		logical &= known(r, w[i])->kind == REAL_NUMBER;
		b = i == 1	       ? b
		    : w[0] == TERM_AND ? b && next
		    : w[0] == TERM_XOR ? b != next
				       : b || next;
	}
	bool seen_so = term_seen(&was, r->t, x, 0);
	v.x = seen_so ? was : w[0] == TERM_NOT ? !b : b;
	v.kind = seen_so || logical ? REAL_NUMBER : REAL_UNKNOWN;
	return v;
}

static struct real op_value(struct reals *r, term x)
{
	struct real v;
	size_t n;
	if (term_words(r->t, x, &n)[0] == TERM_LIST) {
		return (struct real){.kind = REAL_UNKNOWN};
	}
	if (term_op_of(r->t, x)->bytes == 0) {
		return bit_value(r, x);
	}
	/* selects are resolved when their bytes are read */
	return known_op(r, &v, x) ? v : opaque_value(r, x);
}

static struct real value_of(struct reals *r, term x)
{
	size_t n;
	const uint32_t *w = term_words(r->t, x, &n);
	struct real v = {0};
	switch (term_kind_of(r->t, x)) {
	case TERM_SYMBOL:
		return real_of(real_scramble(w[0], w[1]), NULL, 0, seen(r, x, 0.5));
	case TERM_OP:
		return op_value(r, x);
	default:
		return v;
	}
}

static void evaluate(struct reals *r, term x)
{
	term next;
	while ((next = term_sources_first(&r->open, r->t, x, &r->known))) {
		struct real v = value_of(r, next);
		array_push(&r->value, v);
		ids_set(&r->known, next, r->value.n);
	}
}

/* ---- comparing ---- */

static bool same_value(struct reals *r, const struct real *x, const struct real *y)
{
	if (x->kind != y->kind || x->kind >= REAL_UNDEFINED) {
		return false;
	}
	if (x->kind != REAL_NUMBER) {
		return x->kind == REAL_NAN || (x->x < 0) == (y->x < 0);
	}
	/* a nonzero difference vanishes at no more points of the field than its degree */
	double degree = (double)x->above + (double)x->below + (double)y->above + (double)y->below;
	r->count.powers |= x->has_power || y->has_power;
	r->count.odds += pow(degree / (double)PRIME, REAL_POINTS);
	return memcmp(x->in, y->in, sizeof(x->in)) == 0;
}

static bool same_slot(struct reals *r, const struct slot *x, const struct slot *y)
{
	if (!x->of || !y->of) {
		return !x->of && !y->of && x->flip == y->flip;
	}
	return x->at == y->at && x->keep == y->keep && x->flip == y->flip &&
	       same_value(r, known(r, x->of), known(r, y->of));
}

/* Compares two halves; a constant one in the format of the other one. */
static bool same_half(struct reals *r, const struct slot *x, const struct slot *y)
{
	const struct slot *whole = holds_whole(r->t, x, 2, 0, 2) ? x : y;
	if (holds_whole(r->t, whole, 2, 0, 2)) {
		struct real a, b;
		enum isa_type type = format_of(r->t, whole->of) == ISA_BF16 ? ISA_BF16 : ISA_F16;
		if (number_in(r, &a, x, type) && number_in(r, &b, y, type)) {
			return same_value(r, &a, &b);
		}
	}
	return same_slot(r, &x[0], &y[0]) && same_slot(r, &x[1], &y[1]);
}

uint64_t reals_key(struct reals *r, term x)
{
	evaluate(r, x);
	return known(r, x)->in[0];
}

bool reals_same(struct reals *r, term x, term y)
{
	struct slot s[2][4];
	struct real v[2];
	r->unknown = false;
	evaluate(r, x);
	evaluate(r, y);
	slots_of(r, s[0], x);
	slots_of(r, s[1], y);
	bool same = number_in(r, &v[0], s[0], ISA_F32) && number_in(r, &v[1], s[1], ISA_F32)
			    ? same_value(r, &v[0], &v[1])
			    : same_half(r, s[0], s[1]) && same_half(r, s[0] + 2, s[1] + 2);
	return same && !r->unknown;
}
