/*
 * Cursors to nodes: functions. Code that is not understood becomes an unknown node with its
 * children below: the analysis then assumes the worst.
 */
#include <string.h>
#include "frontend/text/lex.h"
#include "frontend/tree/captures.h"
#include "frontend/tree/implicit.h"

/* May n end with the statement in this slot? */
static bool ends_with_slot(const struct kt_node *n, size_t slot)
{
	switch (n->kind) {
	case KT_IF:
		return slot == KT_IF_THEN || slot == KT_IF_ELSE;
	case KT_FOR:
		return slot == KT_FOR_BODY;
	case KT_WHILE:
		return slot == KT_WHILE_BODY;
	case KT_RANGE_FOR:
		return slot == KT_RANGE_BODY;
	case KT_CASE:
		return slot == KT_CASE_STMT;
	case KT_DEFAULT:
	case KT_LABEL:
		return true;
	default:
		return false;
	}
}

static void mark_shared(struct kt_node *n)
{
	n->flags |= KT_F_MACRO;
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i] && ends_with_slot(n, i)) {
			mark_shared(n->child[i]);
		}
	}
}

/* If TWO is a macro of two statements, `for (...) TWO(x);` ends in its middle: neither may be
 * edited. */
static void find_shared(struct kt_node *n)
{
	for (size_t i = 1; n->kind == KT_COMPOUND && i < n->n; i++) {
		struct kt_node *before = n->child[i - 1], *c = n->child[i];
		if (before->file == c->file && c->begin < before->end) {
			mark_shared(before);
			mark_shared(c);
		}
	}
}

/* A node spelled as an argument contains only its parts, side by side. Otherwise the mark is
 * dropped: with other macros or long comments inside, two uses of the parameter can look like
 * one. */
static void check_argument(struct kt_node *n)
{
	for (size_t i = 0; i < n->n; i++) {
		const struct kt_node *c = n->child[i];
		bool part = !c ||
			    (c->flags & KT_F_ARGUMENT && c->begin >= n->begin && c->end <= n->end);
		for (size_t k = 0; k < i && part && c; k++) {
			const struct kt_node *o = n->child[k];
			part = !o || o->end <= c->begin || c->end <= o->begin;
		}
		if (!part) {
			n->flags &= ~KT_F_ARGUMENT;
			return;
		}
	}
}

/* Sets parents, and widens ranges that are too narrow in libclang (semicolons, pragmas). */
static void link_tree(struct kt_node *n)
{
	for (size_t i = 0; i < n->n; i++) {
		struct kt_node *c = n->child[i];
		if (!c) {
			continue;
		}
		link_tree(c);
		bool macro = (n->flags | c->flags) & KT_F_MACRO;
		if (!macro) {
			n->begin = c->begin < n->begin ? c->begin : n->begin;
		}
		/* also from a macro: FOR(x); ends with the semicolon of its body */
		bool own =
			!(n->flags & KT_F_MACRO) || (c->flags & KT_F_MACRO && c->begin == n->begin);
		bool last =
			own && c->file == n->file && c->begin >= n->begin && ends_with_slot(n, i);
		if (!macro || last) {
			n->end = c->end > n->end ? c->end : n->end;
		}
	}
	find_shared(n);
	if (n->flags & KT_F_ARGUMENT) {
		check_argument(n);
	}
	kt_link(n);
}

struct ctor_parts {
	struct builder *b;
	CXType type; /* the class */
	node_list v;
	struct ids done;
	bool delegates;
};

static CXType class_of(CXCursor method)
{
	return clang_getCursorType(clang_getCursorSemanticParent(method));
}

static struct kt_node *member_assign(struct builder *b, CXCursor c)
{
	struct kt_node *m = convert_node_new(b, KT_MEMBER, c);
	m->sym = builder_sym(b, clang_getCursorReferenced(c));
	m->type = b->syms.v[m->sym].type;
	m->text = b->syms.v[m->sym].name;
	m->flags |= KT_F_MACRO;
	struct kt_node *slot = NULL;
	kt_set_children(m, b->scratch, &slot, 1);
	struct kt_node *as = convert_node_new(b, KT_ASSIGN, c);
	as->type = m->type;
	as->flags |= KT_F_MACRO;
	as->flags |= b->types.v[m->type].kind == KT_T_REFERENCE ? KT_F_BINDS : 0;
	convert_one_child(b, as, m);
	return as;
}

static bool same_class(CXType x, CXType y)
{
	return clang_equalTypes(record_bare(x), record_bare(y));
}

static enum CXChildVisitResult see_part(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	struct ctor_parts *p = data;
	enum CXCursorKind k = clang_getCursorKind(c);
	if (k == CXCursor_MemberRef) {
		struct kt_node *as = member_assign(p->b, c);
		ids_set(&p->done, record_field_key(as->child[0]->sym), 1);
		array_push(&p->v, as);
	} else if (clang_isExpression(k)) {
		struct kt_node *value = convert_owned(p->b, c);
		struct kt_node *last = p->v.n ? p->v.v[p->v.n - 1] : NULL;
		if (last && last->kind == KT_ASSIGN && last->n == 1) {
			struct kt_node *both[2] = {last->child[0], value};
			kt_set_children(last, p->b->scratch, both, 2);
			return CXChildVisit_Continue;
		}
		CXType t = clang_getCursorType(c);
		p->delegates |= same_class(t, p->type);
		ids_set(&p->done, record_base_key(p->b, t), 1);
		array_push(&p->v, value);
	}
	return CXChildVisit_Continue;
}

static struct kt_node *body_of(struct builder *b, CXCursor c, const node_list *parts)
{
	struct kt_node *n = convert_node_new(b, KT_COMPOUND, c);
	n->flags |= KT_F_MACRO;
	kt_set_children(n, b->scratch, parts->v, parts->n);
	return n;
}

/* The body of a constructor, after its initializers: the written ones, and those of all other bases
 * and members. */
static struct kt_node *constructor_body(struct builder *b, CXCursor c, CXCursor body)
{
	struct ctor_parts p = {.b = b, .type = class_of(c)};
	clang_visitChildren(c, see_part, &p);
	if (!p.delegates) {
		record_parts(b, p.type, RECORD_INIT, &p.done, NULL, &p.v);
	}
	array_push(&p.v, convert_stmt(b, body));
	struct kt_node *n = body_of(b, c, &p.v);
	array_release(&p.v);
	ids_release(&p.done);
	return n;
}

/* The body of a destructor, before the ends of members and bases. */
static struct kt_node *destructor_body(struct builder *b, CXCursor c, CXCursor body)
{
	node_list v = {0};
	array_push(&v, convert_stmt(b, body));
	record_parts(b, class_of(c), RECORD_END, NULL, NULL, &v);
	struct kt_node *n = body_of(b, c, &v);
	array_release(&v);
	return n;
}

static bool names_its_class(struct builder *b, CXCursor ctor)
{
	const char *own = builder_text(b, clang_getCursorSpelling(ctor));
	const char *of =
		builder_text(b, clang_getCursorSpelling(clang_getCursorSemanticParent(ctor)));
	return strncmp(own, of, strlen(of)) == 0;
}

/* using base::base: passes its arguments to a base's constructor, which has no cursor. */
static void inherit(struct builder *b, const struct kt_fn *f, node_list *out)
{
	struct kt_node *n = implicit_unknown(b, implicit_node(b, KT_THIS, 0), NULL);
	node_list v = {0};
	array_push(&v, n->child[0]);
	for (size_t i = 0; i < f->params; i++) {
		struct record_path p = {.kind = PATH_SYMBOL, .sym = f->param[i]};
		array_push(&v, implicit_path(b, &p));
	}
	kt_set_children(n, b->scratch, v.v, v.n);
	array_release(&v);
	b->hides = true;
	array_push(out, n);
}

/* return *this; */
static struct kt_node *return_object(struct builder *b)
{
	struct kt_node *n = implicit_node(b, KT_RETURN, 0);
	convert_one_child(b, n, implicit_object(b));
	return n;
}

/* The body of a function that the compiler generates; NULL if it is another function, or only
 * copies. */
static struct kt_node *made_up_body(struct builder *b, kt_id id, CXCursor c)
{
	bool provided;
	enum record_op op = record_special(c, &provided);
	bool inherits = clang_getCursorKind(c) == CXCursor_Constructor && !names_its_class(b, c);
	node_list v = {0};
	if (inherits) {
		inherit(b, &b->fns.v[id], &v);
		record_parts(b, class_of(c), RECORD_INIT, NULL, NULL, &v);
	} else if (op == RECORD_OPS || provided || !clang_CXXMethod_isDefaulted(c)) {
		return NULL;
	} else if (!record_runs(b, class_of(c), op)) {
		b->fns.v[id].is_trivial = true;
		return NULL;
	} else {
		struct record_path from = {.kind = PATH_SYMBOL,
			.sym = b->fns.v[id].params ? b->fns.v[id].param[0] : 0};
		record_parts(b, class_of(c), op, NULL, from.sym ? &from : NULL, &v);
	}
	if (op == RECORD_COPY_TO || op == RECORD_MOVE_TO) {
		array_push(&v, return_object(b));
	}
	struct kt_node *n = implicit_node(b, KT_COMPOUND, 0);
	kt_set_children(n, b->scratch, v.v, v.n);
	array_release(&v);
	return n;
}

static void keep_body(struct builder *b, kt_id id, struct kt_node *body)
{
	link_tree(body);
	sbuf_reset(&b->packing);
	kt_pack(&b->packing, body);
	b->bodies.of.v[id] = (struct str){
		arena_memdup(b->bodies.arena, b->packing.p, b->packing.n), b->packing.n};
	b->fns.v[id].file = b->cur_file;
	arena_clear(b->scratch);
}

static struct kt_node *written_body(struct builder *b, CXCursor c, CXCursor body)
{
	switch (clang_getCursorKind(c)) {
	case CXCursor_Constructor:
		return constructor_body(b, c, body);
	case CXCursor_Destructor:
		return destructor_body(b, c, body);
	default:
		return convert_stmt(b, body);
	}
}

/* Is the body written in the source? clang generates bodies for defaulted members. */
static bool is_written(struct builder *b, CXCursor body)
{
	struct kt_node place = {0};
	convert_set_range(b, &place, body);
	struct str t = convert_cur_text(b);
	return place.flags & KT_F_MACRO || (place.begin < t.n && t.p[place.begin] == '{');
}

void convert_function(struct builder *b, kt_id id)
{
	CXCursor c = b->fn_cursor.v[id];
	CXCursor text = cursor_child_of(c, CXCursor_CompoundStmt);
	bool none = clang_Cursor_isNull(text);
	CXFile file = NULL;
	CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(none ? c : text));
	clang_getExpansionLocation(start, &file, NULL, NULL, NULL);
	b->cur_fn = id;
	b->cur_file = builder_file(b, file, start);
	b->implicit_at = b->cur_file == b->fns.v[id].file ? b->fns.v[id].begin : 0;
	b->cur_device = true;
	b->depth = 0;
	captures_enter(b, id);
	b->end.n = b->break_end = b->continue_end = 0;
	struct kt_node *body =
		none || !is_written(b, text) ? made_up_body(b, id, c) : written_body(b, c, text);
	if (body) {
		keep_body(b, id, body);
	}
	b->cur_fn = 0;
}
