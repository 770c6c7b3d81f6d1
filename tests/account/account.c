/*
 * account FILE TARGET [FLAG...]: what unphi takes each function of a HIP file to run.
 *
 *	function PLACE SYMBOL
 *	calls PLACE SYMBOL	a call or construction of a function with a name
 *	unknown PLACE NAME	anything may run here
 *	writes PLACE		it may write here, by itself or by what it runs
 *	ends PLACE		the whole expression of one that is unknown: temporaries die there
 *	names PLACE OWNER NAME	a variable or member that is spelled there, and what owns it: own (a
 *				run of this function), run (of another), object, static, none,
 *				unknown
 *
 * PLACE is FILE:LINE:COLUMN-LINE:COLUMN. What runs without being written, or stands in another
 * place than it runs in, has that of the function; what a range-for runs so, that of the range-for.
 */
#include <stdio.h>

#include "base/lines.h"
#include "frontend/frontend.h"
#include "kernel/kernel.h"

/* The node whose place says where n is: implicit ones have none of their own. */
static const struct kt_node *placed(const struct kt_node *n)
{
	if (!(n->flags & KT_F_IMPLICIT)) {
		return n;
	}
	while (n->parent && (n->flags & KT_F_IMPLICIT)) {
		n = n->parent;
	}
	return n;
}

static void print_range(struct kt_unit *u, const char *what, kt_id file, uint32_t begin,
	uint32_t end, const char *name)
{
	struct line_col from = kt_place(u, file, begin);
	struct line_col to = kt_place(u, file, end);
	printf("%s %s:%u:%u-%u:%u %s\n", what, u->file[file].path, from.line, from.col, to.line,
		to.col, name ? name : "-");
}

static void print_line(
	struct kt_unit *u, const char *what, const struct kt_node *n, const char *name)
{
	n = placed(n);
	print_range(u, what, n->file, n->begin, n->end, name);
}

static bool writes(const struct kt_node *n)
{
	switch (n->kind) {
	case KT_ASSIGN:
	case KT_VAR:
	case KT_RETURN:
	case KT_INIT_LIST:
	case KT_LAMBDA:
	case KT_RANGE_FOR:
	case KT_ASM:
		return true;
	case KT_UNARY:
		return n->op == KT_OP_PREINC || n->op == KT_OP_PREDEC || n->op == KT_OP_POSTINC ||
		       n->op == KT_OP_POSTDEC;
	default:
		return false;
	}
}

static bool is_unknown(const struct kt_unit *u, const struct kt_node *n)
{
	if (n->kind == KT_STMT_UNKNOWN) {
		return !kt_is_binding(u, n);
	}
	return n->kind == KT_EXPR_UNKNOWN ||
	       ((n->kind == KT_CALL || n->kind == KT_CONSTRUCT) && !n->fn);
}

static const struct kt_node *whole_expression(const struct kt_node *n)
{
	while (n->parent && !kt_is_stmt(n->parent->kind)) {
		n = n->parent;
	}
	return n;
}

static const char *owner_of(kt_id fn, const struct kt_sym *s)
{
	switch (s->owner) {
	case KT_OWNER_RUN:
		return s->fn == fn ? "own" : "run";
	case KT_OWNER_OBJECT:
		return "object";
	case KT_OWNER_STATIC:
		return "static";
	case KT_OWNER_NONE:
		return "none";
	case KT_OWNER_UNKNOWN:
		break;
	}
	return "unknown";
}

static void print_owner(struct kt_unit *u, kt_id fn, const struct kt_node *n)
{
	struct sbuf what = {0};
	bool names = n->kind == KT_REF || n->kind == KT_MEMBER;
	if (names && n->sym && !(n->flags & KT_F_IMPLICIT)) {
		const struct kt_sym *s = &u->sym[n->sym];
		sbuf_addf(&what, "%s %s", owner_of(fn, s), s->name);
		print_line(u, "names", n, sbuf_cstr(&what));
	}
	sbuf_release(&what);
}

static void print_function(struct kt_unit *u, kt_id id)
{
	const struct kt_fn *f = &u->fn[id];
	print_range(u, "function", f->file, f->begin, f->end, f->symbol ? f->symbol : f->name);
	for (const struct kt_node *n = f->body; n; n = kt_next(n, f->body)) {
		if (n->fn && n->kind != KT_REF) {
			const struct kt_fn *g = &u->fn[n->fn];
			print_line(u, "calls", n, g->symbol ? g->symbol : g->name);
		} else if (is_unknown(u, n)) {
			print_line(u, "unknown", n, n->text);
			print_line(u, "ends", whole_expression(n), NULL);
		}
		print_owner(u, id, n);
		if (writes(n)) {
			print_line(u, "writes", n, NULL);
		}
	}
}

int main(int argc, char **argv)
{
	struct intrinsic_db intrinsics = {0};
	struct arena *a = arena_create();
	struct kt_unit *u;
	if (argc < 3) {
		fprintf(stderr, "usage: account FILE TARGET [FLAG...]\n");
		return 2;
	}
	struct frontend_job job = {.path = argv[1],
		.target = argv[2],
		.flags = (const char *const *)argv + 3,
		.intrinsics = &intrinsics};
	int rc = intrinsic_db_builtin(&intrinsics, a);
	rc = rc ? rc : frontend_parse(&u, a, &job, NULL);
	for (size_t i = 1; rc == 0 && i < u->fns; i++) {
		if (u->fn[i].body) {
			print_function(u, (kt_id)i);
		}
	}
	intrinsic_db_release(&intrinsics);
	arena_free(a);
	return -rc;
}
