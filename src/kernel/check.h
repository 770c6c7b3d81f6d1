#pragma once
/* Checks of the invariants in kernel.h. They do not trust the tree: ids and links are checked
 * before use. Internal to kernel/. */
#include "kernel/kernel.h"

struct check {
	struct kt_unit *u;
	const char *part; /* the table being checked: "type", ... */
	size_t id;
	const struct kt_node *node; /* in the body of fn id, or NULL */
	struct sbuf broken;
};

/* Records the broken invariant; always returns false. */
bool __attribute__((format(printf, 2, 3))) check_fail(struct check *c, const char *fmt, ...);
bool check_id(struct check *c, const char *what, kt_id id, size_t n);
/* [begin, end) is inside the file, as far as the file's text is known. */
bool check_place(struct check *c, kt_id file, uint32_t begin, uint32_t end);
