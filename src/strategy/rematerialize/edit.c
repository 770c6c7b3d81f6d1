/* The places and the text of the loads. */

#include "strategy/rematerialize/rematerialize.h"
#include "strategy/plan/comment.h"
#include "strategy/text/text.h"

/* ---- places ---- */

static bool holds_use(const struct kt_node *n, kt_id sym)
{
	return n && fragment_next_use(NULL, n, sym) != NULL;
}

/* The only child with references to the fragment; NULL if there are several. */
static const struct kt_node *only_user(const struct kt_node *n, kt_id sym)
{
	const struct kt_node *only = NULL;
	for (size_t i = 0; i < n->n; i++) {
		if (holds_use(n->child[i], sym)) {
			if (only) {
				return NULL;
			}
			only = n->child[i];
		}
	}
	return only;
}

static const struct kt_node *first_user(const struct kt_node *block, kt_id sym)
{
	for (size_t i = 0; i < block->n; i++) {
		if (holds_use(block->child[i], sym)) {
			return block->child[i];
		}
	}
	return NULL;
}

/* May the search for a block continue in child c of n? */
static bool leads_on(const struct kt_node *n, const struct kt_node *c)
{
	switch (n->kind) {
	case KT_COMPOUND:
		return true;
	case KT_FOR:
	case KT_WHILE:
	case KT_DO:
	case KT_RANGE_FOR:
		return c == kt_loop_body(n);
	case KT_IF:
		return c->slot == KT_IF_THEN || c->slot == KT_IF_ELSE;
	default:
		return false;
	}
}

const struct kt_node *fragment_access(const struct kt_node *n)
{
	while (n->parent && n->slot == 0 &&
		(n->parent->kind == KT_INDEX ||
			(n->parent->kind == KT_MEMBER && !(n->parent->flags & KT_F_ARROW)))) {
		n = n->parent;
	}
	return n;
}

void fragment_place_find(
	struct fragment_place *out, const struct fragment_plan *r, const struct kt_node *reader)
{
	bool in_loop = false;
	*out = (struct fragment_place){0};
	for (const struct kt_node *n = reader; n;) {
		in_loop |= kt_is_loop(n->kind);
		if (n->kind == KT_COMPOUND && in_loop) {
			*out = (struct fragment_place){n, first_user(n, r->sym)};
			return;
		}
		const struct kt_node *c = only_user(n, r->sym);
		n = c && leads_on(n, c) ? c : NULL;
	}
}

/* ---- text ---- */

static bool is_declared_inside(
	const struct kt_unit *u, const struct kt_node *n, const struct kt_node *root)
{
	while (n && n->kind != KT_REF) {
		n = n->n ? n->child[0] : NULL;
	}
	const struct kt_sym *s = n && n->sym ? &u->sym[n->sym] : NULL;
	return s && s->file == root->file && s->at >= root->begin && s->at < root->end;
}

/* An argument bound to a reference must not be replaced. */
bool fragment_is_bound(const struct kt_unit *u, const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	if (!up) {
		return true;
	}
	if (up->kind == KT_UNARY && up->op == KT_OP_ADDR) {
		return true;
	}
	if (up->kind == KT_VAR) {
		return u->type[u->sym[up->sym].type].kind == KT_T_REFERENCE;
	}
	if (up->kind != KT_CALL) {
		return up->kind == KT_CONSTRUCT || up->kind == KT_LAMBDA ||
		       up->kind == KT_EXPR_UNKNOWN || up->kind == KT_RANGE_FOR;
	}
	size_t first = up->flags & KT_F_METHOD ? 1 : 0;
	const struct kt_fn *fn = up->fn ? &u->fn[up->fn] : NULL;
	size_t at = n->slot - first;
	if (n->slot < first) {
		return true;
	}
	return fn && at < fn->params && u->type[u->sym[fn->param[at]].type].kind == KT_T_REFERENCE;
}

/* Is it a pointer, or an array in memory, to which an offset can be added? */
static bool is_base(
	const struct fragment_plan *r, const struct kt_node *n, const struct kt_node *root)
{
	const struct kt_type *t = kt_object_type(r->u, n->type);
	bool array = t->kind == KT_T_ARRAY && n->kind == KT_REF && n->sym &&
		     r->u->sym[n->sym].space != KT_PRIVATE &&
		     r->u->type[r->u->sym[n->sym].type].kind != KT_T_REFERENCE;
	bool pointer = t->kind == KT_T_POINTER && (n->kind == KT_REF || n->kind == KT_MEMBER);
	const struct kt_type *to = &r->u->type[t->elem];
	bool sized = to->kind != KT_T_VOID && to->kind != KT_T_OTHER && to->size > 0;
	return (array || pointer) && sized && !(n->flags & (KT_F_MACRO | KT_F_VALUE)) &&
	       !is_declared_inside(r->u, n, root) && !fragment_is_bound(r->u, n);
}

size_t fragment_add_offsets(struct edit_list *l, struct fragment_plan *r,
	const struct kt_node *root, size_t begin, size_t end, const struct kt_node *below,
	const char *offset)
{
	size_t found = 0;
	for (const struct kt_node *n = below; n; n = kt_next(n, below)) {
		if (!is_base(r, n, root) || n->begin < begin || n->end > end) {
			continue;
		}
		bool argument = n->parent->kind == KT_CALL;
		size_t at = n->begin - begin;
		edit_list_add(l, r->p.a, at, at, str_of(argument ? "" : "("));
		edit_list_add(l, r->p.a, n->end - begin, n->end - begin,
			str_of(arena_printf(r->p.a, " + %s%s", offset, argument ? "" : ")")));
		found++;
	}
	return found;
}

/* Adds a moved statement with its comment and the offset in its addresses, with indentation to. */
static size_t add_part(struct sbuf *out, struct fragment_plan *r, const struct kt_node *root,
	const char *offset, struct str to)
{
	struct str t = r->p.text;
	struct edit_list l = {{0}};
	size_t clash[2];
	size_t end = text_after_comments(t, text_end_of_statement(t, root));
	size_t found = fragment_add_offsets(&l, r, root, root->begin, end, root, offset);
	struct str part = str_sub(t, root->begin, end);
	struct sbuf text = {0};
	if (!edit_list_check(&l, part.n, clash)) {
		found = 0;
	} else {
		edit_list_apply(&text, part, &l);
	}
	text_add_reindented(out, sbuf_str(&text), text_code_indent(t, root->begin), to);
	sbuf_release(&text);
	edit_list_release(&l);
	return found;
}

/* Writes one place: the offset, and (except in the forms by element) the declaration and the code
 * that sets it. Returns how many addresses got the offset. */
static size_t add_loads(
	struct sbuf *out, struct fragment_plan *r, const char *offset, struct str indent)
{
	const struct fragment_instance *in = r->in;
	const char *eol = text_eol(r->p.text);
	size_t found = 0;
	const char *why = plan_comment_text(&r->p, STRATEGY_REMATERIALIZE, indent);
	if (*why) { /* the first line is already indented */
		sbuf_addf(out, "%s%.*s", why + indent.n, STR_ARG(indent));
	}
	sbuf_addf(out, "int %s = 0;%s%.*s", offset, eol, STR_ARG(indent));
	sbuf_addf(out, "%s%s%.*s", plan_launder(&r->p, true, offset, true), eol, STR_ARG(indent));
	for (size_t i = 0; r->form < FRAGMENT_ELEMENT && i < in->parts; i++) {
		if (in->part[i].sets || in->part[i].node == in->decl) {
			found += add_part(out, r, in->part[i].node, offset, indent);
			sbuf_addf(out, "%s%.*s", eol, STR_ARG(indent));
		}
	}
	return found;
}

void fragment_edit(struct fragment_plan *r, const struct fragment_value *v)
{
	const struct fragment_instance *in = r->in;
	struct plan *p = &r->p;
	const char *offset = plan_name(p, "zero");
	size_t found = 0;
	for (size_t i = 0; i < in->parts; i++) {
		const struct fragment_part *part = &in->part[i];
		struct fragment_place place;
		if (part->sets || part->node == in->decl) {
			text_remove_statement(&p->out->edits, p->a, p->text, part->node);
		}
		if (!part->reads) {
			continue;
		}
		fragment_place_find(&place, r, part->node);
		if (!place.block) {
			continue; /* only with the clause switched off (tests/mutate) */
		}
		struct sbuf text = {0};
		size_t at = place.before->begin;
		struct str indent = text_code_indent(p->text, at);
		/* a pragma may begin before the code's indentation */
		size_t blanks = at - text_line_start(p->text, at);
		bool pragma = p->text.p[at] == '#' && blanks < indent.n;
		if (pragma) {
			sbuf_addstr(&text, str_sub(indent, blanks, indent.n));
		}
		found += add_loads(&text, r, offset, indent);
		text_flush_pragmas(&text, p->text);
		struct str lines = sbuf_str(&text);
		edit_list_add(&p->out->edits, p->a, at, at,
			str_sub(lines, 0, lines.n - (pragma ? indent.n - blanks : 0)));
		sbuf_release(&text);
		if (r->form >= FRAGMENT_ELEMENT) {
			found += fragment_edit_elements(r, v, part->node, offset);
		}
	}
	if (!found) {
		plan_refuse(p, CLAUSE_NOTHING,
			"no address in it can have an offset: the compiler would load it before "
			"the loop all the same");
	}
}
