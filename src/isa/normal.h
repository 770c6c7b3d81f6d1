#pragma once
/* Normal forms: terms that differ only in details that a verdict ignores (NaN bits, contraction)
 * get one form. Internal to src/isa. */
#include "isa/term.h"
#include "isa/witness.h"

struct normal;

struct normal *normal_open(struct terms *t); /* normal_close frees it */
void normal_close(struct normal *n);
void normal_clear(struct normal *n); /* after terms_clear */
/* The form of a term for a verdict up to ISA_EQUAL_BUT_FUSED. */
term normal_form(struct normal *n, enum isa_verdict v, term x);
/* The strongest verdict for which both have the same form, else ISA_NOT_EQUAL. */
enum isa_verdict normal_compare(struct normal *n, term x, term y);
