#pragma once
/*
 * The words for enumerators in the messages of kt_check and in the text form (tests/tree). Every
 * enumerator has a word, so a table is as long as its enum.
 */
#include "kernel/kernel.h"

struct kt_names {
	const char *const *word;
	size_t n;
};

extern const struct kt_names kt_type_names;
extern const struct kt_names kt_sym_names;
extern const struct kt_names kt_owner_names;
extern const struct kt_names kt_space_names;
extern const struct kt_names kt_fn_names;
extern const struct kt_names kt_op_names;   /* one word for each operator, unlike kt_op_name */
extern const struct kt_names kt_flag_names; /* by bit; NULL if the text form implies it */

/* The words of k's fixed slots, kt_slots(k) of them. */
struct kt_names kt_slot_names(enum kt_kind k);
/* The word of an enumerator; "?" out of range. */
const char *kt_enum_name(const struct kt_names *words, unsigned i);
