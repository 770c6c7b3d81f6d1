#pragma once
/* Where a function declares and sets one of its locals, judged only by its text. */
#include "kernel/kernel.h"

/* Private, not static, no reference and no parameter? */
bool local_is_plain(const struct kt_unit *u, kt_id sym);
/* The next node of the body that declares, sets or hides the variable, past `after` (NULL: the
 * first). */
const struct kt_node *local_next_write(const struct kt_unit *u, const struct kt_node *body,
	kt_id sym, const struct kt_node *after);
/* By a statement of its own, or in the head of a for: not what a range-for sets. */
bool local_is_declared_by(const struct kt_node *n);
/* The only value that the plain local ever has, or NULL. */
const struct kt_node *local_only_value(
	const struct kt_unit *u, const struct kt_node *body, kt_id sym);
