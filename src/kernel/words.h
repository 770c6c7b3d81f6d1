#ifndef UNPHI_KERNEL_WORDS_H
#define UNPHI_KERNEL_WORDS_H
/*
 * The words for enumerators, in what kt_check says and in the text form (tests/tree). Every
 * enumerator of a table has a word, so a table is as long as its enum.
 */
#include "kernel/kernel.h"

struct kt_words {
	const char *const *word;
	size_t n;
};

extern const struct kt_words kt_type_words;
extern const struct kt_words kt_sym_words;
extern const struct kt_words kt_space_words;
extern const struct kt_words kt_fn_words;
extern const struct kt_words kt_op_words;   /* unlike kt_op_name, one word an operator */
extern const struct kt_words kt_flag_words; /* by bit; NULL where an attribute implies the flag */

/* The words of k's fixed slots, kt_slots(k) of them. */
struct kt_words kt_slot_words(enum kt_kind k);
/* The word of an enumerator; "?" out of range. */
const char *kt_word(const struct kt_words *words, unsigned i);
#endif
