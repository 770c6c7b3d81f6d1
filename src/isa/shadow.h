#pragma once
/*
 * The shadow state of a running group holds terms (term.h), as the shadow memory of a symbolic
 * interpreter does: for each register and each 4 bytes of LDS, scratch and memory that depend on a
 * symbol. Before an instruction runs, the terms of its result are made from those of its sources;
 * after it they are stored. An instruction that reads a term and is not supported here ends the run
 * (isa_wrong).
 *
 * If a branch, an address, a lane number or EXEC depends on a symbol, that is a decision: the term
 * and its value are recorded as a condition, and the run continues with the value. Internal to
 * src/isa.
 */
#include "base/array.h"
#include "isa/machine.h"
#include "isa/term.h"

/* The memory number of the arguments. */
#define SHADOW_ARGUMENTS ((uint32_t)UINT32_MAX)
/* A word of memory with its initial bytes, whose term is not made yet. */
#define SHADOW_FRESH ((term)UINT32_MAX)
/* The same for a word in which the two runs differ only in NaN bits. A read sets nans_read. */
#define SHADOW_NANS ((term)UINT32_MAX - 1)
/* A slot for a byte without symbols, whose value the instruction computes. */
#define SHADOW_FINAL ((term)UINT32_MAX)

struct shadow_wave {
	uint64_t lanes[ISA_VGPRS]; /* that depend on a symbol */
	term v[ISA_VGPRS][ISA_LANES];
	term s[ISA_SGPRS];
	uint32_t bits[ISA_SGPRS]; /* bits with their own terms; s is 0 then */
	term bit[ISA_SGPRS][32];
	term scc;
	term *scratch;
};

/* The terms of the current instruction's result. */
struct shadow_result {
	uint64_t lanes; /* written */
	unsigned reg, regs;
	struct slot d[2][ISA_LANES][4];
	const struct isa_operand *mask; /* NULL: none */
	term bit[ISA_LANES];
	const struct isa_operand *scalar; /* NULL: none */
	term word[2];
	term scalar_bit[ISA_LANES]; /* in place of words */
	bool sets_scc;
	term scc;
};

struct shadow_memory {
	const struct isa_memory *of;
	uint32_t number;  /* in symbols; the same in both runs */
	term *word;	  /* of each 4 bytes */
	uint8_t *element; /* size of the symbol that begins at each byte; 0: none */
	uint64_t words;
};

struct shadow_touch {
	uint32_t memory;
	uint32_t word;
};

struct shadow_use {
	struct isa_use use[ISA_USES];
	unsigned uses;
};

struct isa_shadow {
	struct terms *t;
	uint32_t run; /* 0 or 1, of the two runs compared */
	struct shadow_wave *wave;
	term *lds;
	struct shadow_memory *memory;
	size_t memories;
	ARRAY(struct shadow_touch) touched; /* words of memory whose terms have changed */
	ARRAY(term) condition;		    /* TERM_IS_VALUE, in any order, each once */
	struct ids conditions;		    /* the set of them */
	struct ids active;		    /* terms that depend on no passive symbol (isa.h) */
	struct term_stack open;		    /* of the walk that finds them */
	size_t decider; /* 1 + memory of the passive symbol in a decision, which ends the run */
	struct shadow_use *known;      /* of each instruction */
	struct product_terms *product; /* buffer for one (matrix.h) */
	bool nans_read;		       /* SHADOW_NANS was read */
	uint64_t atomics;	       /* on terms, in the order of the run */
	bool any;		       /* the instruction reads terms */
	bool pending;		       /* result is to be stored */
	struct shadow_result result;
};

/* shadow.c */
void isa_shadow_open(struct isa_group *g, struct terms *t, uint32_t run);
void isa_shadow_release(struct isa_shadow *h);
/* Before a group's first instruction. */
void isa_shadow_begin(struct isa_group *g);
/* Makes a word of memory the next group's initial value: symbols, or constants. */
void isa_shadow_fresh(struct isa_shadow *h, struct shadow_touch at, bool symbols);
void isa_shadow_nans(struct isa_shadow *h, struct shadow_touch at);

void isa_shadow_before(struct isa_wave *w);
void isa_shadow_after(struct isa_wave *w);
/* Dual issue: the second instruction must not see the first one's result. */
struct shadow_dual {
	uint64_t lanes;
	term v[ISA_LANES];
};
void isa_shadow_keep(struct shadow_dual *out, const struct isa_wave *w, unsigned reg);
void isa_shadow_swap(struct isa_wave *w, unsigned reg, struct shadow_dual *with);

/* Records a decision: the value of a term (a bit: 0 or 1). */
void shadow_decide(struct isa_wave *w, term x, uint32_t value);
/* The same for the active lanes of an operand, or its SGPRs. */
void shadow_decide_operand(struct isa_wave *w, const struct isa_operand *o);
static inline struct isa_shadow *shadow_of(const struct isa_wave *w)
{
	return w->group->shadow;
}
static inline struct shadow_wave *shadow_wave_of(const struct isa_wave *w)
{
	return &w->group->shadow->wave[w->number];
}
/* The term of a VGPR's lane; 0: none. */
static inline term shadow_lane(const struct shadow_wave *v, unsigned reg, int lane)
{
	return v->lanes[reg] >> lane & 1 ? v->v[reg][lane] : 0;
}
void shadow_set_lane(struct shadow_wave *v, unsigned reg, int lane, term x);
/* An SGPR as a word, also where its bits have terms. */
term shadow_sgpr(struct isa_wave *w, unsigned reg);
/* The term of a lane's bit in a mask operand. */
term shadow_mask_bit(struct isa_wave *w, const struct isa_operand *o, int lane);
void shadow_set_sgpr(struct isa_wave *w, unsigned reg, term x);
/* The term operation of the current row, with a result of this many bytes; 0: a bit. */
uint32_t shadow_op(struct isa_wave *w, const char *name, uint32_t how, unsigned bytes);
/* Checks that a term has the same value wherever it occurs, in both runs; otherwise these files
 * have a bug, and the run ends. */
void shadow_hold(struct isa_wave *w, term x, uint32_t value);
/* Ends the run with what and the name of the instruction. */
void shadow_refuse(struct isa_wave *w, const char *what);

/* shadow_vector.c, shadow_lane.c: they must cover every input of the result. */
void shadow_vector(struct isa_wave *w);
void shadow_special_lane(struct isa_wave *w);
/* shadow_scalar.c: implicit operands of a scalar row. */
bool shadow_row_reads_d(const char *row);
bool shadow_row_reads_scc(const char *row);
bool shadow_row_keeps_scc(const char *row);
void shadow_scalar(struct isa_wave *w);
void shadow_branch(struct isa_wave *w);

/* A vector instruction's source in all lanes, with modifiers applied. */
struct shadow_source {
	unsigned regs;
	uint32_t buffer[ISA_BUFFER_WORDS];
	const uint32_t *c;    /* the values */
	term t[2][ISA_LANES]; /* 0: the value in c */
};
void shadow_source(struct shadow_source *out, struct isa_wave *w, unsigned number);
/* The slots of word r of a lane's source. */
void shadow_source_slots(struct slot out[4], const struct isa_wave *w,
	const struct shadow_source *s, unsigned r, int lane);
bool shadow_lane_has_terms(const struct shadow_source *s, unsigned n, int lane);
/* Starts a result: all SHADOW_FINAL in the lanes written. */
struct shadow_result *shadow_begin(struct isa_wave *w, unsigned reg, unsigned regs);
/* The slots of word r of a result of this many bytes. */
void shadow_result_slots(struct slot out[4], term x, unsigned bytes, unsigned r);
/* The modifiers of a result, encoded for struct term_op. */
uint32_t shadow_how(const struct isa_op *op);
/* Stores the bytes of a result of the row's type, as isa_result does. */
void shadow_place(struct isa_wave *w, unsigned r, int lane, const struct slot in[4]);
/* The term of a lane's result: the operation on all sources. */
term shadow_apply(struct isa_wave *w, uint32_t op, const struct shadow_source *s, unsigned n,
	int lane, unsigned commutes);
/* The same for a word of a result, from the source words that it depends on; 0: they have no
 * terms. */
term shadow_apply_word(struct isa_wave *w, uint32_t op, const struct shadow_source *s, unsigned n,
	int lane, unsigned word);

/* fold.c: moves of whole bytes, and bit operations with constants. */
enum fold {
	FOLD_NONE,
	FOLD_MOVE,
	FOLD_NOT,
	FOLD_AND,
	FOLD_ANDN2,
	FOLD_OR,
	FOLD_XOR,
	FOLD_OR3,
	FOLD_AND_OR,
	FOLD_BFI,
	FOLD_SHL,    /* a << b */
	FOLD_SHR,    /* a >> b */
	FOLD_SHLREV, /* b << a */
	FOLD_SHRREV,
	FOLD_SHLREV_16, /* of 16 bits */
	FOLD_SHRREV_16,
	FOLD_SHL_OR, /* (a << b) | c */
	FOLD_ALIGN_BIT,
	FOLD_ALIGN_BYTE,
	FOLD_PERM,
	FOLD_BFE,
	FOLD_PACK_LL,
	FOLD_PACK_LH,
	FOLD_PACK_HH,
	FOLD_PACK_HL,
	FOLD_HIGH, /* a << 16 */
};
enum fold fold_of(const char *row);
/* False: these sources cannot be folded. Missing sources are constants. */
bool fold(struct slot d[4], enum fold how, const struct slot a[4], const struct slot b[4],
	const struct slot c[4]);
/* The canonical row that computes the same from the same sources, or the name itself. */
const char *fold_name(const char *row);
/* How many of the first sources commute; 0: none. */
unsigned fold_commutes(const char *row);
/* A canonical comparison, perhaps with swapped sources and a negated result. */
struct fold_compare {
	char name[32];
	bool swap, negate, commutes;
};
void fold_compare(struct fold_compare *out, const char *row);

/* shadow_memory.c */
void shadow_addresses(struct isa_wave *w); /* before a load, store or atomic */
/* Moves a lane's register from or to these bytes of the host; NULL: no memory. */
void isa_shadow_move(struct isa_wave *w, unsigned reg, int lane, unsigned char *const *byte);
void isa_shadow_s_load(struct isa_wave *w, const unsigned char *p, unsigned bytes);
void isa_shadow_atomic(struct isa_wave *w, int lane, const struct isa_atomic *at);
term isa_shadow_word(struct isa_shadow *h, size_t memory, uint64_t word);

/* shadow_matrix.c (matrix.h): do two lanes hold the same term? */
bool isa_shadow_same(const struct isa_wave *w, unsigned reg, unsigned lane, unsigned other);
