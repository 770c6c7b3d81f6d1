#pragma once
/*
 * Terms: how a value was computed from symbols. A term is an operation and its sources, which are
 * terms. Equal terms are stored once (hash consing), so terms are compared by number. A hash only
 * finds candidates, which are compared in full.
 *
 * A register or 4 bytes of memory hold a word: a term of 4 bytes, or TERM_WORD with a slot for each
 * byte. Sources of an operation are words, constants, or bits (terms of one bit). Internal to
 * src/isa; terms_release frees all.
 */
#include "base/map.h"
#include "base/mem.h"
#include "isa/table.h"

typedef uint32_t term; /* index in the pool; 0: none, for a value without symbols */

enum term_kind {
	TERM_SYMBOL,   /* memory, first byte in it, bytes */
	TERM_CONSTANT, /* its 32 bits */
	TERM_WORD,     /* four slots of two words */
	TERM_OP	       /* number of its struct term_op, sources */
};

/* Operations without a row in the table. */
enum term_basic {
	TERM_NOT, /* of bits */
	TERM_AND,
	TERM_OR,
	TERM_XOR,
	TERM_ANY,      /* is any of these bits set? */
	TERM_SELECT,   /* bit, word if it is set, word if not */
	TERM_MASK,     /* the word of 32 bits */
	TERM_IS_VALUE, /* word, constant: a decision */
	TERM_SIGN_8,   /* a word's low 8 or 16 bits with their sign */
	TERM_SIGN_16,
	TERM_LIST, /* words: a row or a column of a matrix operation */
	TERM_BASICS
};

/* Identifies an operation: all that its value depends on, except the sources. */
struct term_op {
	const char *name; /* of the row, or of an equivalent canonical row */
	enum isa_form form;
	uint8_t flags;	 /* ISA_ARITHMETIC, ISA_FLUSHES, ISA_NO_SUBNORMALS */
	uint8_t type[4]; /* enum isa_type */
	uint32_t mode;
	uint32_t how;  /* modifiers of the result, tables, formats; which result it is */
	uint8_t bytes; /* of the result: 2, 4 or 8; 0: a bit */
};

/* A byte: (byte at `at` of term of & keep) ^ flip. For a constant keep is 0 and flip its value. */
struct slot {
	term of; /* never a TERM_WORD */
	uint8_t at;
	uint8_t keep;
	uint8_t flip;
};

struct terms {
	struct arena *a; /* of the operations' names */
	uint32_t *pool;	 /* per term: kind | words << 8, place, known bytes of its value, words */
	size_t n, cap;
	struct term_slot {
		uint32_t hash;
		term x;
	} *table;
	size_t slots;	/* a power of two */
	size_t count;	/* of terms */
	uint32_t place; /* the instruction that new terms record */
	struct term_op *op;
	size_t ops, ops_cap;
	struct map op_number;	 /* by the bytes of a struct term_op */
	const char *const *name; /* names of symbols' memories; NULL: numbers */
	size_t names;
	size_t most; /* limit of the pool in words; then full is set */
	bool full;
	size_t made; /* terms in total, cleared ones included */
};

void terms_init(struct terms *t, struct arena *a);
/* Drops the terms, keeps the operations. */
void terms_clear(struct terms *t);
void terms_release(struct terms *t);

/* The operation's number. op must be zeroed before it is filled in, padding included. */
uint32_t term_op_number(struct terms *t, const struct term_op *op);

term term_symbol(struct terms *t, uint32_t memory, uint32_t byte, uint32_t bytes);
term term_constant(struct terms *t, uint32_t bits);
term term_of_op(struct terms *t, uint32_t op, const term *source, size_t n);

enum term_kind term_kind_of(const struct terms *t, term x);
/* The n words of a term; for TERM_OP the operation's number and the sources. */
const uint32_t *term_words(const struct terms *t, term x, size_t *n);
const struct term_op *term_op_of(const struct terms *t, term x); /* of TERM_OP */
uint32_t term_place(const struct terms *t, term x);
unsigned term_bytes(const struct terms *t, term x); /* 0: a bit */

/* The stack of a post-order walk over x and its sources; array_release frees it. */
struct term_stack {
	term *v;
	size_t n, cap;
};
/* The next term in post-order that is not in done; 0: x is done. The caller adds it to done before
 * the next call. */
term term_sources_first(
	struct term_stack *open, const struct terms *t, term x, const struct ids *done);

/* Splits a word into bytes. of 0: the constant. */
void term_slots(struct slot out[4], const struct terms *t, term of, uint32_t constant);
/* 0: no byte depends on a symbol. */
term term_word(struct terms *t, const struct slot s[4]);
static inline struct slot slot_constant(uint8_t value)
{
	return (struct slot){.flip = value};
}
/* (s & keep) ^ flip */
struct slot slot_bits(struct slot s, uint8_t keep, uint8_t flip);
/* slot_bits for each byte of a word. */
term term_bits(struct terms *t, term of, uint32_t keep, uint32_t flip);
/* A register word from a term that is not 4 bytes long: count bytes from byte on, then zeros. */
term term_part(struct terms *t, term of, unsigned byte, unsigned count);

/* ---- bits, and selects between words, in normal form ---- */

term term_not(struct terms *t, term bit);
/* what: TERM_AND, TERM_OR, TERM_XOR of two bits. */
term term_both(struct terms *t, enum term_basic what, term a, term b);
/* n > 0 bits in any order, with duplicates; sorts them in place. */
term term_any(struct terms *t, term *bit, size_t n);
/* For qsort. */
int term_by_number(const void *x, const void *y);
/* A select between words. yes 0: the constant yes_bits; likewise no. Returns 0 if both are the same
 * constant. */
term term_select(struct terms *t, term bit, term yes, uint32_t yes_bits, term no, uint32_t no_bits);

/*
 * In a run each symbol has one value, and so has each term. Each value seen is compared with the
 * earlier ones: false means that a term was attached to a wrong value, which is a bug.
 */
bool term_holds(struct terms *t, term word, uint32_t value);
bool term_bit_holds(struct terms *t, term bit, bool value);
/* A byte of its value; for a bit, byte 0 is 0 or 1. False: not seen yet. */
bool term_seen(uint8_t *out, const struct terms *t, term x, unsigned byte);

/* Appends its expression, down to a depth. */
void term_show(struct sbuf *out, const struct terms *t, term x, unsigned depth);
