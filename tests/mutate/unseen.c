/*
 * In front of facts_create: with UNPHI_MUTATE=unseen.RULE in the environment, the tree is without
 * what the frontend adds by that rule for code that no text shows. tests/exec/mechanisms.py shows
 * for every rule what goes wrong then.
 */
#include <stdlib.h>
#include <string.h>
#include "analysis/facts/facts.h"
#include "kernel/kernel.h"

struct facts *__real_facts_create(
	struct kt_unit *u, struct arena *a, const struct intrinsic_db *db);
struct facts *__wrap_facts_create(
	struct kt_unit *u, struct arena *a, const struct intrinsic_db *db);

static bool is_call(const struct kt_node *n)
{
	return n->kind == KT_CALL || n->kind == KT_CONSTRUCT;
}

static bool is_implicit(const struct kt_node *n)
{
	return n && n->flags & KT_F_IMPLICIT;
}

/* The first node above n that is written, or NULL. */
static const struct kt_node *above(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	while (is_implicit(up)) {
		up = up->parent;
	}
	return up;
}

static bool in_range_for(const struct kt_node *n)
{
	const struct kt_node *up = above(n);
	return up && up->kind == KT_RANGE_FOR;
}

static bool is_destructor(const struct kt_node *n)
{
	return is_implicit(n) && n->kind == KT_CALL && n->text && *n->text == '~';
}

static bool is_cleanup(const struct kt_node *n)
{
	const struct kt_node *up = above(n);
	return is_implicit(n) && n->kind == KT_CALL && !is_destructor(n) && up &&
	       kt_is_stmt(up->kind) && !in_range_for(n);
}

static bool is_default(const struct kt_node *n)
{
	const struct kt_node *up = above(n);
	return is_implicit(n) && is_call(n) && up && is_call(up);
}

static bool is_range(const struct kt_node *n)
{
	return is_implicit(n) && is_call(n) && in_range_for(n);
}

/* In what the compiler makes up as a whole. */
static bool is_made(const struct kt_node *n)
{
	return is_implicit(n) && is_call(n) && !above(n);
}

static bool is_member(const struct kt_node *n)
{
	return is_implicit(n) && n->kind == KT_ASSIGN;
}

static bool is_not_known(const struct kt_node *n)
{
	return n->kind == KT_EXPR_UNKNOWN;
}

static bool is_not_seen(const struct kt_node *n)
{
	return is_call(n) && !n->fn;
}

static const struct {
	const char *rule;
	bool (*holds)(const struct kt_node *n);
} rules[] = {
	{"unseen.destructor", is_destructor},
	{"unseen.cleanup", is_cleanup},
	{"unseen.default", is_default},
	{"unseen.range", is_range},
	{"unseen.made", is_made},
	{"unseen.member", is_member},
	{"unseen.unknown", is_not_known},
	{"unseen.body", is_not_seen},
};

/* Nothing but its operands remains. */
static void forget(struct kt_node *n)
{
	n->kind = KT_INIT_LIST;
	n->op = KT_OP_NONE;
	n->fn = 0;
	n->text = NULL;
	n->flags &= KT_F_MACRO | KT_F_IMPLICIT;
}

static void mutate_nodes(struct kt_unit *u, bool (*holds)(const struct kt_node *n))
{
	for (size_t i = 1; i < u->fns; i++) {
		struct kt_node *root = u->fn[i].body;
		for (struct kt_node *n = root; n; n = kt_next(n, root)) {
			if (holds(n)) {
				forget(n);
			}
		}
	}
}

static void mutate(struct kt_unit *u, const char *rule)
{
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		if (strcmp(rule, rules[i].rule) == 0) {
			mutate_nodes(u, rules[i].holds);
		}
	}
	for (size_t i = 1; i < u->types; i++) {
		struct kt_type *t = &u->type[i];
		t->punned = t->punned && strcmp(rule, "unseen.punned") != 0;
		t->destroys = t->destroys && strcmp(rule, "unseen.destructor") != 0;
	}
	u->hides = u->hides && strcmp(rule, "unseen.hides") != 0;
	if (strcmp(rule, "unseen.binds") == 0) {
		for (size_t i = 1; i < u->fns; i++) {
			struct kt_node *root = u->fn[i].body;
			for (struct kt_node *n = root; n; n = kt_next(n, root)) {
				n->flags ^= n->flags & KT_F_BINDS;
			}
		}
	}
}

struct facts *__wrap_facts_create(struct kt_unit *u, struct arena *a, const struct intrinsic_db *db)
{
	const char *off = getenv("UNPHI_MUTATE");
	if (off) {
		mutate(u, off);
	}
	return __real_facts_create(u, a, db);
}
