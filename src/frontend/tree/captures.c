#include "frontend/tree/captures.h"

#include <string.h>
#include "frontend/text/lex.h"

/* ---- the capture list ---- */

/* The spelled capture list. */
struct list {
	CXFile file;
	struct str text; /* of the file */
	unsigned open;
	unsigned close;
	unsigned rest_at; /* offset of the default = or & */
};

static unsigned spelled_at(CXSourceLocation l, CXFile *file)
{
	unsigned at = 0;
	clang_getSpellingLocation(l, file, NULL, NULL, &at);
	return at;
}

/* The offset of a location in the list; 0: outside. */
static unsigned at_in_list(const struct list *l, CXSourceLocation at)
{
	CXFile file = NULL;
	unsigned offset = spelled_at(at, &file);
	bool in =
		file && clang_File_isEqual(file, l->file) && offset > l->open && offset < l->close;
	return in ? offset : 0;
}

static bool read_list(struct list *l, struct builder *b, CXCursor lambda)
{
	CXSourceLocation start = clang_getRangeStart(clang_getCursorExtent(lambda));
	*l = (struct list){.open = spelled_at(start, &l->file)};
	l->open = spelled_at(start, &l->file);
	kt_id id = l->file ? builder_file(b, l->file, start) : 0;
	l->text = b->files.v[id].text;
	if (l->open >= l->text.n || l->text.p[l->open] != '[') {
		return false;
	}
	size_t close = lex_close(l->text, l->open);
	l->close = close == SIZE_MAX ? 0 : (unsigned)close;
	return close != SIZE_MAX;
}

static enum capture_rest rest_of(struct list *l)
{
	struct lex_token first = lex_next(l->text, l->open + 1);
	struct lex_token next = lex_next(l->text, first.end);
	bool alone = lex_is(l->text, next, ",") || lex_is(l->text, next, "]");
	l->rest_at = (unsigned)first.begin;
	return !alone			     ? REST_NONE
	       : lex_is(l->text, first, "=") ? REST_COPIES
	       : lex_is(l->text, first, "&") ? REST_REFERS
					     : REST_NONE;
}

static bool is_reference(CXCursor field)
{
	enum CXTypeKind k = clang_getCanonicalType(clang_getCursorType(field)).kind;
	return k == CXType_LValueReference || k == CXType_RValueReference;
}

typedef ARRAY(struct capture) capture_array;

/* Adds the variables named at the place of a member; a pack has several. */
static bool add_named(capture_array *out, struct kids kids, CXCursor field)
{
	bool any = false;
	for (size_t i = 0; i < kids.n; i++) {
		CXSourceLocation at = clang_getCursorLocation(kids.v[i]);
		if (clang_getCursorKind(kids.v[i]) != CXCursor_VariableRef ||
			!clang_equalLocations(at, clang_getCursorLocation(field))) {
			continue;
		}
		CXCursor var = clang_getCursorReferenced(kids.v[i]);
		bool own = clang_equalLocations(at, clang_getCursorLocation(var));
		array_push(out,
			(struct capture){
				.var = var, .own = own, .by_copy = own || !is_reference(field)});
		any = true;
	}
	return any;
}

/* Adds a member without a VariableRef: *this, this, or a structured binding. */
static void add_other(
	struct builder *b, struct lambda *l, capture_array *out, struct list *list, CXCursor field)
{
	struct lex_token k = lex_next(list->text, at_in_list(list, clang_getCursorLocation(field)));
	l->owns_this |= lex_is(list->text, k, "*");
	if (k.kind == LEX_WORD && !lex_is(list->text, k, "this")) {
		const char *name = builder_intern(b, str_sub(list->text, k.begin, k.end));
		array_push(out, (struct capture){.var = clang_getNullCursor(),
					.name = name,
					.at = (unsigned)k.begin,
					.by_copy = !is_reference(field)});
	}
}

static bool has_member_at(struct kids fields, CXSourceLocation at)
{
	for (size_t i = 0; i < fields.n; i++) {
		if (clang_equalLocations(clang_getCursorLocation(fields.v[i]), at)) {
			return true;
		}
	}
	return false;
}

static enum CXChildVisitResult see_reference(CXCursor c, CXCursor parent, CXClientData data)
{
	(void)parent;
	if (clang_getCursorKind(c) == CXCursor_DeclRefExpr) {
		*(CXCursor *)data = c;
		return CXChildVisit_Break;
	}
	return CXChildVisit_Recurse;
}

/* The first reference in the initializer of a member. */
static CXCursor reference_in(CXCursor c)
{
	CXCursor found = clang_getNullCursor();
	if (clang_getCursorKind(c) == CXCursor_DeclRefExpr) {
		return c;
	}
	clang_visitChildren(c, see_reference, &found);
	return found;
}

/* Is a structured binding captured at this offset? */
static bool is_named_at(const struct lambda *l, unsigned at)
{
	for (size_t i = 0; i < l->captures; i++) {
		if (l->capture[i].name && l->capture[i].at == at) {
			return true;
		}
	}
	return false;
}

/* Are all members captured by default among the n known ones? One may be this. */
static bool are_all(const struct list *list, struct kids fields, size_t n)
{
	size_t copies = 0;
	bool object = false;
	for (size_t i = 0; i < fields.n; i++) {
		CXType t = clang_getCanonicalType(clang_getCursorType(fields.v[i]));
		if (!at_in_list(list, clang_getCursorLocation(fields.v[i])) &&
			!is_reference(fields.v[i])) {
			copies++;
			object |= t.kind == CXType_Pointer &&
				  clang_getPointeeType(t).kind == CXType_Record;
		}
	}
	return copies == n || (object && copies == n + 1);
}

static bool add_copied(const struct lambda *l, const struct list *list, struct kids kids,
	struct kids fields, name_list *copied)
{
	size_t n = 0;
	for (size_t i = 0; i < kids.n; i++) {
		CXCursor c = kids.v[i];
		unsigned at = at_in_list(list, clang_getRangeStart(clang_getCursorExtent(c)));
		bool rest = l->rest == REST_COPIES && at == list->rest_at;
		if (!clang_isExpression(clang_getCursorKind(c)) || !at ||
			!(rest || is_named_at(l, at))) {
			continue;
		}
		CXCursor named = reference_in(c);
		n += rest;
		if (copied && !clang_Cursor_isNull(named)) {
			array_push(copied, named);
		}
	}
	return l->rest != REST_COPIES || are_all(list, fields, n);
}

/* False if a capture is not understood. */
static bool read_captures(
	struct builder *b, struct lambda *l, CXCursor c, struct kids kids, name_list *copied)
{
	struct list list;
	struct kids fields = record_fields(b, clang_getCursorType(c));
	capture_array found = {0};
	if (!read_list(&list, b, c)) {
		return false;
	}
	l->rest = rest_of(&list);
	for (size_t i = 0; i < fields.n; i++) {
		bool listed = at_in_list(&list, clang_getCursorLocation(fields.v[i]));
		if (listed && !add_named(&found, kids, fields.v[i])) {
			add_other(b, l, &found, &list, fields.v[i]);
		}
	}
	array_move(l->capture, l->captures, b->arena, &found);
	for (size_t i = 0; i < kids.n; i++) {
		if (clang_getCursorKind(kids.v[i]) == CXCursor_VariableRef &&
			!has_member_at(fields, clang_getCursorLocation(kids.v[i]))) {
			return false;
		}
	}
	return add_copied(l, &list, kids, fields, copied);
}

bool captures_see(struct builder *b, CXCursor c, struct kids kids, kt_id around, name_list *copied)
{
	CXCursor class = clang_getTypeDeclaration(clang_getCursorType(c));
	kt_id at = cursor_get(&b->lambda_by_class, class);
	struct lambda l = {.class = class, .around = around};
	if (!read_captures(b, &l, c, kids, copied)) {
		l.rest = REST_UNKNOWN;
		l.captures = 0;
	}
	if (!at) {
		array_push(&b->lambdas, l);
		cursor_set(b, &b->lambda_by_class, class, (kt_id)b->lambdas.n);
	} else if (b->lambdas.v[at - 1].around != around) {
		b->lambdas.v[at - 1].around =
			0; /* in a member's initializer, which several constructors run */
	}
	return l.owns_this;
}

/* ---- names in the body ---- */

static struct lambda *lambda_of(struct builder *b, kt_id fn)
{
	CXCursor class = clang_getCursorSemanticParent(b->fn_cursor.v[fn]);
	kt_id at = b->fns.v[fn].is_lambda ? cursor_get(&b->lambda_by_class, class) : 0;
	return at ? &b->lambdas.v[at - 1] : NULL;
}

void captures_enter(struct builder *b, kt_id fn)
{
	struct lambda *l = lambda_of(b, fn);
	if (l && l->rest != REST_UNKNOWN) {
		b->fns.v[fn].around = l->around;
		b->fns.v[fn].owns_this = l->owns_this;
	}
}

static const struct capture *find(struct builder *b, const struct lambda *l, CXCursor decl)
{
	bool binding = clang_getCursorKind(decl) == CXCursor_UnexposedDecl;
	const char *name = binding ? builder_text(b, clang_getCursorSpelling(decl)) : NULL;
	span_each (l->capture, l->captures, const struct capture, c) {
		if (c->name ? name && strcmp(c->name, name) == 0
			    : clang_equalCursors(c->var, decl)) {
			return c;
		}
	}
	return NULL;
}

enum view {
	VIEW_VARIABLE,
	VIEW_MEMBER,
	VIEW_UNKNOWN
};

/* How the body of fn accesses decl. *closure: the function of the lambda whose member it is. */
static enum view view_of(struct builder *b, kt_id fn, CXCursor decl, kt_id sym, kt_id *closure)
{
	while (fn && b->fns.v[fn].is_lambda) {
		const struct kt_sym *s = &b->syms.v[sym];
		const struct lambda *l = lambda_of(b, fn);
		if (s->owner == KT_OWNER_RUN && s->fn == fn) {
			return VIEW_VARIABLE;
		}
		if (!l) {
			return VIEW_UNKNOWN;
		}
		const struct capture *c = find(b, l, decl);
		CXCursor parent = clang_getCursorSemanticParent(decl);
		if (!c && clang_equalCursors(parent, b->fn_cursor.v[fn])) {
			return VIEW_VARIABLE; /* its own variable, of unknown owner */
		}
		if (c ? c->by_copy : l->rest == REST_COPIES) {
			*closure = fn;
			return b->fns.v[fn].self ? VIEW_MEMBER : VIEW_UNKNOWN;
		}
		if (!c && l->rest == REST_UNKNOWN) {
			return VIEW_UNKNOWN;
		}
		fn = l->around; /* captured by reference, or a constant without a capture */
	}
	return VIEW_VARIABLE;
}

static kt_id member_symbol(struct builder *b, kt_id closure, CXCursor decl, kt_id sym);

/* The variable that the copy equals as long as the variable does not change. */
static kt_id copied_from(struct builder *b, kt_id closure, CXCursor decl, kt_id sym)
{
	const struct lambda *l = lambda_of(b, closure);
	const struct capture *c = find(b, l, decl);
	const struct kt_sym *s = &b->syms.v[sym];
	kt_id outer = 0;
	bool same = b->fns.v[closure].is_const && !(c && c->own) && s->owner == KT_OWNER_RUN &&
		    b->types.v[s->type].kind != KT_T_REFERENCE &&
		    !b->types.v[s->type].is_volatile &&
		    !record_has_mutable(b, clang_getCursorType(decl));
	if (!same) {
		return 0;
	}
	switch (view_of(b, l->around, decl, sym, &outer)) {
	case VIEW_VARIABLE:
		return l->around ? sym : 0;
	case VIEW_MEMBER:
		return b->syms.v[member_symbol(b, outer, decl, sym)].of;
	default:
		return 0;
	}
}

static kt_id member_symbol(struct builder *b, kt_id closure, CXCursor decl, kt_id sym)
{
	struct lambda *l = lambda_of(b, closure);
	array_each (&l->member, struct cursor_slot, m) {
		if (clang_equalCursors(m->cursor, decl)) {
			return m->id;
		}
	}
	const struct capture *c = find(b, l, decl);
	CXType t = clang_getCursorType(decl);
	bool refers = clang_getCanonicalType(t).kind == CXType_LValueReference ||
		      clang_getCanonicalType(t).kind == CXType_RValueReference;
	struct kt_sym s = {.kind = KT_S_FIELD, .owner = KT_OWNER_OBJECT};
	s.name = builder_text(b, clang_getCursorSpelling(decl));
	s.type = builder_type(b, refers && !(c && c->own) ? clang_getPointeeType(t) : t);
	s.of = copied_from(b, closure, decl, sym);
	s.file = b->syms.v[sym].file;
	s.at = b->syms.v[sym].at;
	array_push(&b->syms, s);
	kt_id id = (kt_id)(b->syms.n - 1);
	array_push(
		&lambda_of(b, closure)->member, ((struct cursor_slot){.cursor = decl, .id = id}));
	return id;
}

/* Gives ref an implicit child that names sym. */
static void set_base(struct builder *b, struct kt_node *ref, kt_id sym)
{
	struct kt_node *base = ARENA_NEW(b->scratch, struct kt_node);
	*base = *ref;
	base->kind = KT_REF;
	base->sym = sym;
	base->text = NULL;
	base->flags = KT_F_MACRO | KT_F_IMPLICIT;
	base->type = b->syms.v[sym].type;
	if (b->types.v[base->type].kind == KT_T_REFERENCE) {
		base->type = b->types.v[base->type].elem;
	}
	kt_set_children(ref, b->scratch, &base, sym ? 1 : 0);
}

static void name_member(struct builder *b, struct kt_node *ref, CXCursor decl, kt_id closure)
{
	kt_id sym = member_symbol(b, closure, decl, ref->sym);
	set_base(b, ref, b->fns.v[closure].self);
	ref->kind = KT_MEMBER;
	ref->sym = sym;
	ref->text = b->syms.v[sym].name;
}

static void name_unknown(struct builder *b, struct kt_node *ref)
{
	set_base(b, ref, ref->sym);
	ref->kind = KT_EXPR_UNKNOWN;
	ref->sym = 0;
}

void captures_name(struct builder *b, struct kt_node *ref, CXCursor decl)
{
	kt_id closure = 0;
	const struct kt_sym *s = &b->syms.v[ref->sym];
	bool outside =
		s->owner == KT_OWNER_UNKNOWN || (s->owner == KT_OWNER_RUN && s->fn != b->cur_fn);
	if (!b->cur_fn || !b->fns.v[b->cur_fn].is_lambda || !outside) {
		return;
	}
	switch (view_of(b, b->cur_fn, decl, ref->sym, &closure)) {
	case VIEW_MEMBER:
		name_member(b, ref, decl, closure);
		break;
	case VIEW_UNKNOWN:
		name_unknown(b, ref);
		break;
	default:
		break;
	}
}
