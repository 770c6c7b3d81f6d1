#include "analysis/merge/guarded.h"

#include "frontend/text/lex.h"

bool guard_on(struct guard_on *out, const struct kt_node *cond)
{
	*out = (struct guard_on){.flag = true, .value = 1};
	if (cond->kind == KT_UNARY && cond->op == KT_OP_LNOT) {
		out->value = 0;
		cond = cond->child[0];
	} else if (cond->kind == KT_BINARY && cond->op == KT_OP_EQ &&
		   cond->child[1]->flags & KT_F_VALUE) {
		out->flag = false;
		out->value = cond->child[1]->value;
		cond = cond->child[0];
	}
	out->sym = cond->kind == KT_REF && !(cond->flags & KT_F_MACRO) ? cond->sym : 0;
	return out->sym != 0;
}

/* Are these tokens next in the text? Then *at moves past them. */
static bool takes(struct str t, size_t *at, const char *const *word)
{
	size_t to = *at;
	for (; *word; word++) {
		struct lex_token k = lex_next(t, to);
		/* "" is any name */
		if (**word ? !lex_is(t, k, *word) : k.kind != LEX_WORD) {
			return false;
		}
		to = k.end;
	}
	*at = to;
	return true;
}

/* Reads the statement between two ifs. */
static enum guard_between take_statement(struct str t, size_t *at)
{
	static const struct {
		enum guard_between is;
		const char *word[14];
	} known[] = {
		{BETWEEN_FENCE, {"__builtin_amdgcn_wave_barrier", "(", ")", ";", NULL}},
		{BETWEEN_MACRO, {"UNPHI_FENCE", "(", ")", ";", NULL}},
		{BETWEEN_LANES, {"UNPHI_LAUNDER", "(", "", ")", ";", NULL}},
		{BETWEEN_LAUNDER, {"UNPHI_LAUNDER_UNIFORM", "(", "", ")", ";", NULL}},
		{BETWEEN_LAUNDER, {"asm", "volatile", "(", "\"\"", ":", "\"+s\"", "(", "", ")", ")",
					  ";", NULL}},
		{BETWEEN_LANES, {"asm", "volatile", "(", "\"\"", ":", "\"+v\"", "(", "", ")", ")",
					";", NULL}},
	};
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (takes(t, at, known[i].word)) {
			return known[i].is;
		}
	}
	return BETWEEN_OTHER;
}

enum guard_between guard_between(
	const struct kt_unit *u, const struct kt_node *x, const struct kt_node *y)
{
	struct str t = str_sub(u->file[x->file].text, 0, y->begin);
	size_t at = x->end;
	enum guard_between is = take_statement(t, &at);
	return lex_next(t, at).kind == LEX_END ? is : BETWEEN_OTHER;
}

/* Is it an if without else, with braces, no part of which comes from a macro? */
static bool is_guard(const struct kt_unit *u, const struct kt_node *n)
{
	if (!n || n->kind != KT_IF || n->flags & (KT_F_MACRO | KT_F_CONSTEXPR | KT_F_IMPLICIT) ||
		n->child[KT_IF_ELSE] || n->child[KT_IF_INIT] || n->child[KT_IF_VAR]) {
		return false;
	}
	const struct kt_node *body = n->child[KT_IF_THEN], *cond = n->child[KT_IF_COND];
	struct str t = u->file[n->file].text;
	struct guard_on on;
	bool braces = body && body->kind == KT_COMPOUND && !(body->flags & KT_F_MACRO) &&
		      body->end == n->end && n->end <= t.n && t.p[n->end - 1] == '}';
	return braces && !(cond->flags & KT_F_MACRO) && guard_on(&on, cond);
}

static const struct kt_node *neighbour(const struct kt_unit *u, const struct kt_node *n, bool next)
{
	const struct kt_node *block = n->parent;
	struct guard_on x, y;
	if (!block || block->kind != KT_COMPOUND || !is_guard(u, n)) {
		return NULL;
	}
	size_t at = n->slot;
	do {
		if (next ? at + 1 >= block->n : at == 0) {
			return NULL;
		}
		at += next ? 1 : (size_t)-1;
	} while (block->child[at]->kind != KT_IF);
	const struct kt_node *o = block->child[at];
	if (o->file != n->file || !is_guard(u, o) || !guard_on(&x, n->child[KT_IF_COND]) ||
		!guard_on(&y, o->child[KT_IF_COND]) || x.sym != y.sym || x.flag != y.flag) {
		return NULL;
	}
	return guard_between(u, next ? n : o, next ? o : n) != BETWEEN_OTHER ? o : NULL;
}

const struct kt_node *guard_next(const struct kt_unit *u, const struct kt_node *n)
{
	return neighbour(u, n, true);
}

const struct kt_node *guard_before(const struct kt_unit *u, const struct kt_node *n)
{
	return neighbour(u, n, false);
}
