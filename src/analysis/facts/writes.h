#pragma once
/* The places at which a function declares and sets one of its locals, by its text only. */
#include "kernel/kernel.h"

/* Is it private, not static, not a reference and not a parameter? */
bool local_is_plain(const struct kt_unit *u, kt_id sym);
/* The next node of the body that declares, sets or hides the variable, past `after` (NULL: the
 * first). */
const struct kt_node *local_next_write(const struct kt_unit *u, const struct kt_node *body,
	kt_id sym, const struct kt_node *after);
/* Is it set by a statement of its own, or in the head of a for (not of a range-for)? */
bool local_is_declared_by(const struct kt_node *n);
/* The only value of the plain local, or NULL. */
const struct kt_node *local_only_value(
	const struct kt_unit *u, const struct kt_node *body, kt_id sym);
