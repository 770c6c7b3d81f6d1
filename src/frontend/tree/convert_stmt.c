/*
 * Statements: cursors to nodes. libclang's children have no roles, so the slots of if, for and
 * switch are found by the places of the children between the parentheses and semicolons of the
 * spelled text.
 */
#include <ctype.h>
#include "frontend/text/lex.h"
#include "frontend/tree/implicit.h"

struct kt_node *convert_together(struct builder *b, const struct kt_node *n, const node_list *v)
{
	struct kt_node *all = implicit_node(b, KT_COMPOUND, 0);
	all->begin = n->begin;
	all->end = n->end;
	all->file = n->file;
	kt_set_children(all, b->scratch, v->v, v->n);
	return all;
}

/* n, the node of c, leaves the scopes opened since `from`. The returned value is read before they
 * end. */
static struct kt_node *jump(struct builder *b, struct kt_node *n, CXCursor c, size_t from)
{
	node_list v = {0};
	if (b->end.n <= from) {
		return n;
	}
	b->implicit_at = n->begin;
	if (n->kind == KT_RETURN && n->n) {
		struct kt_node *again = convert_with_exprs(b, KT_RETURN, c);
		array_push(&v, implicit_here(b, again->child[0]));
	}
	implicit_add_ends(b, from, &v);
	array_push(&v, n);
	struct kt_node *all = convert_together(b, n, &v);
	array_release(&v);
	return all;
}

struct kt_node *convert_loop_body(struct builder *b, CXCursor c)
{
	size_t breaks = b->break_end, continues = b->continue_end;
	b->break_end = b->continue_end = b->end.n;
	struct kt_node *n = convert_stmt(b, c);
	b->break_end = breaks;
	b->continue_end = continues;
	return n;
}

static struct kt_node *switch_body(struct builder *b, CXCursor c)
{
	size_t breaks = b->break_end;
	b->break_end = b->end.n;
	struct kt_node *n = convert_stmt(b, c);
	b->break_end = breaks;
	return n;
}

static struct kt_node *var_decl(struct builder *b, CXCursor c)
{
	if (clang_getCanonicalType(clang_getCursorType(c)).kind == CXType_VariableArray) {
		return convert_unknown_expr(b, c); /* its bound may contain calls */
	}
	struct kt_node *n = convert_node_new(b, KT_VAR, c);
	n->sym = builder_declare(b, c);
	n->type = b->syms.v[n->sym].type;
	n->text = b->syms.v[n->sym].name;
	CXCursor init = clang_Cursor_getVarDeclInitializer(c);
	if (!clang_Cursor_isNull(init)) {
		bool reference = b->types.v[n->type].kind == KT_T_REFERENCE;
		convert_one_child(b, n, reference ? convert_expr(b, init) : convert_owned(b, init));
	}
	if (b->syms.v[n->sym].kind == KT_S_LOCAL) {
		implicit_see_end(b, c, n->sym, init);
	}
	return n;
}

static struct kt_node *decl_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = convert_node_new(b, KT_DECL, c);
	struct kids k = convert_kids_of(b, c);
	ARRAY(struct kt_node *) v = {0};
	if (k.n == 1 && clang_getCursorKind(k.v[0]) == CXCursor_UnexposedDecl &&
		convert_bindings(b, n, k.v[0])) {
		return n;
	}
	for (size_t i = 0; i < k.n; i++) {
		if (clang_getCursorKind(k.v[i]) == CXCursor_VarDecl) {
			array_push(&v, var_decl(b, k.v[i]));
		} else if (clang_isExpression(clang_getCursorKind(k.v[i])) ||
			   clang_getCursorKind(k.v[i]) == CXCursor_UnexposedDecl) {
			array_push(&v, convert_unknown_expr(b, k.v[i]));
			n->kind = KT_STMT_UNKNOWN;
		}
	}
	kt_set_children(n, b->scratch, v.v, v.n);
	array_release(&v);
	return n;
}

/* A child of a statement: declaration, expression or statement. */
static struct kt_node *part(struct builder *b, CXCursor c)
{
	enum CXCursorKind k = clang_getCursorKind(c);
	if (k == CXCursor_VarDecl) {
		return var_decl(b, c);
	}
	if (k == CXCursor_DeclStmt) {
		return decl_stmt(b, c);
	}
	return clang_isExpression(k) ? convert_expr(b, c) : convert_stmt(b, c);
}

struct kt_node *convert_unknown_stmt(struct builder *b, CXCursor c)
{
	return convert_parts(b, KT_STMT_UNKNOWN, c, part);
}

/* Adds the variables that a word may name, of this function or one around it. */
static void add_named(struct builder *b, struct str word, node_list *out)
{
	for (kt_id id = 1; id < b->syms.n; id++) {
		const struct kt_sym *s = &b->syms.v[id];
		bool variable = s->owner == KT_OWNER_RUN || s->owner == KT_OWNER_UNKNOWN;
		if (variable && str_is(word, s->name)) {
			struct record_path p = {.kind = PATH_SYMBOL, .sym = id};
			array_push(out, implicit_path(b, &p));
		}
	}
}

struct kt_node *convert_hidden_init(struct builder *b, size_t open, size_t semicolon)
{
	struct str t = convert_cur_text(b);
	struct kt_node *n = ARENA_NEW(b->scratch, struct kt_node);
	node_list v = {0};
	n->kind = KT_STMT_UNKNOWN;
	n->file = (uint16_t)b->cur_file;
	n->begin = (uint32_t)lex_skip_space(t, open + 1);
	n->end = (uint32_t)semicolon + 1;
	b->implicit_at = n->begin;
	b->hides = true;
	lex_each (k, t, open + 1, semicolon) {
		if (k.kind == LEX_WORD) {
			add_named(b, str_sub(t, k.begin, k.end), &v);
		}
	}
	if (b->fns.v[b->cur_fn].is_method) {
		array_push(&v, implicit_node(b, KT_THIS, 0));
	}
	if (b->fns.v[b->cur_fn].self) {
		struct record_path p = {.kind = PATH_SYMBOL, .sym = b->fns.v[b->cur_fn].self};
		array_push(&v, implicit_path(b, &p));
	}
	struct kt_node *touched = implicit_node(b, KT_EXPR_UNKNOWN, 0);
	kt_set_children(touched, b->scratch, v.v, v.n);
	array_release(&v);
	convert_one_child(b, n, touched);
	return n;
}

static size_t begin_of(struct builder *b, CXCursor c)
{
	struct kt_node probe = {0};
	convert_set_range(b, &probe, c);
	return probe.begin;
}

bool convert_header_parens(struct builder *b, const struct kt_node *n, size_t *open, size_t *close)
{
	struct str t = convert_cur_text(b);
	if (n->flags & KT_F_MACRO) {
		return false;
	}
	struct lex_token k = lex_next(t, lex_next(t, n->begin).end);
	k = lex_is(t, k, "constexpr") ? lex_next(t, k.end) : k;
	*open = k.begin;
	if (!lex_is(t, k, "(")) {
		return false;
	}
	*close = lex_close(t, *open);
	return *close != SIZE_MAX && *close < n->end;
}

/* The variable of a declaration in parentheses, with or without its DeclStmt. */
static struct kt_node *var_of(struct kt_node *n)
{
	return n->kind == KT_DECL && n->n == 1 && n->child[0]->kind == KT_VAR ? n->child[0] : n;
}

struct init_search {
	struct builder *b;
	size_t begin;
	size_t end;
	CXCursor found;
};

static enum CXChildVisitResult see_init(CXCursor c, CXCursor parent, CXClientData data)
{
	struct init_search *s = data;
	CXCursor d = clang_getCursorReferenced(c);
	struct kt_node at = {0};

	(void)parent;
	if (clang_getCursorKind(d) == CXCursor_VarDecl) {
		convert_set_range(s->b, &at, d);
		if (at.file == s->b->cur_file && at.begin == s->begin && at.end == s->end) {
			s->found = d;
			return CXChildVisit_Break;
		}
	}
	return CXChildVisit_Recurse;
}

/* The init of a switch, for which libclang has no cursor. If it declares one number or pointer that
 * the condition names, the name leads to the declaration. */
static struct kt_node *init_of(
	struct builder *b, struct kids k, size_t used, size_t open, size_t semicolon)
{
	struct str t = convert_cur_text(b);
	struct init_search s = {
		.b = b, .begin = lex_skip_space(t, open + 1), .found = clang_getNullCursor()};
	lex_each (token, t, open + 1, semicolon) {
		s.end = token.end;
	}
	for (size_t i = 0; i < used && clang_Cursor_isNull(s.found); i++) {
		see_init(k.v[i], k.v[i], &s);
		clang_visitChildren(k.v[i], see_init, &s);
	}
	if (clang_Cursor_isNull(s.found)) {
		return convert_hidden_init(b, open, semicolon);
	}
	kt_id type = builder_type(b, clang_getCursorType(s.found));
	enum kt_type_kind kind = b->types.v[type].kind;
	if (kind != KT_T_INT && kind != KT_T_BOOL && kind != KT_T_FLOAT && kind != KT_T_POINTER) {
		return convert_hidden_init(b, open, semicolon);
	}
	struct kt_node *n = convert_node_new(b, KT_DECL, s.found);
	n->end = (uint32_t)semicolon + 1;
	convert_one_child(b, n, var_decl(b, s.found));
	b->hides = true; /* an instance that only the init calls is not found */
	return n;
}

/* Fills init, variable and condition of an if or switch from the children before close. Returns the
 * number of these children, or 0 if they do not fit. */
static size_t header_slots(
	struct builder *b, struct kt_node *n, struct kids k, size_t open, size_t close)
{
	struct str t = convert_cur_text(b);
	size_t semicolon = lex_find(t, open + 1, close, ';');
	size_t i = 0;
	struct kt_node *before[4] = {0}; /* in source order; libclang has the variable first */
	size_t m = 0;
	for (; i < k.n && begin_of(b, k.v[i]) < close; i++) {
		if (builder_is_type_ref(k.v[i])) {
			continue;
		}
		if (m == 3) {
			return 0;
		}
		struct kt_node *p = part(b, k.v[i]);
		size_t at = m++;
		for (; at > 0 && before[at - 1]->begin > p->begin; at--) {
			before[at] = before[at - 1];
		}
		before[at] = p;
	}
	if (m == 0) {
		return 0;
	}
	n->child[KT_IF_COND] = before[--m];
	if (m && before[m - 1]->kind == KT_VAR) {
		n->child[KT_IF_VAR] = before[--m];
	} else if (m && semicolon == SIZE_MAX) {
		n->child[KT_IF_VAR] = var_of(before[--m]);
	}
	if (m) {
		n->child[KT_IF_INIT] = before[--m];
	} else if (semicolon != SIZE_MAX) {
		n->child[KT_IF_INIT] = init_of(b, k, i, open, semicolon);
	}
	return m == 0 ? i : 0;
}

/* An if from a macro body has no tokens here: only the children tell. */
static struct kt_node *macro_if(struct builder *b, CXCursor c, struct kt_node *n)
{
	struct kids k = convert_kids_of(b, c);
	if (k.n < 2 || k.n > 3 || !clang_isExpression(clang_getCursorKind(k.v[0]))) {
		return convert_unknown_stmt(b, c);
	}
	n->child[KT_IF_COND] = convert_expr(b, k.v[0]);
	convert_set_condition(n->child[KT_IF_COND], k.v[0]); /* perhaps an if constexpr */
	n->child[KT_IF_THEN] = convert_stmt(b, k.v[1]);
	n->child[KT_IF_ELSE] = k.n == 3 ? convert_stmt(b, k.v[2]) : NULL;
	return n;
}

static struct kt_node *if_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = convert_node_new(b, KT_IF, c);
	size_t open, close;
	if (n->flags & KT_F_MACRO) {
		return macro_if(b, c, n);
	}
	if (!convert_header_parens(b, n, &open, &close)) {
		return convert_unknown_stmt(b, c); /* or if consteval */
	}
	struct str t = convert_cur_text(b);
	if (lex_is(t, lex_next(t, n->begin + 2), "constexpr")) {
		n->flags |= KT_F_CONSTEXPR;
	}
	struct kids k = convert_kids_of(b, c);
	size_t used = header_slots(b, n, k, open, close);
	if (used == 0 || k.n - used < 1 || k.n - used > 2) {
		return convert_unknown_stmt(b, c);
	}
	convert_set_condition(n->child[KT_IF_COND], k.v[used - 1]);
	n->child[KT_IF_THEN] = convert_stmt(b, k.v[used]);
	n->child[KT_IF_ELSE] = k.n - used == 2 ? convert_stmt(b, k.v[used + 1]) : NULL;
	return n;
}

static struct kt_node *switch_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = convert_node_new(b, KT_SWITCH, c);
	struct kids k = convert_kids_of(b, c);
	if (n->flags & KT_F_MACRO && k.n == 2 && clang_isExpression(clang_getCursorKind(k.v[0]))) {
		n->child[KT_SWITCH_COND] = convert_expr(b, k.v[0]);
		convert_set_condition(n->child[KT_SWITCH_COND], k.v[0]);
		n->child[KT_SWITCH_BODY] = switch_body(b, k.v[1]);
		return n;
	}
	size_t open, close;
	if (!convert_header_parens(b, n, &open, &close)) {
		return convert_unknown_stmt(b, c);
	}
	_Static_assert((int)KT_IF_COND == KT_SWITCH_COND && (int)KT_IF_VAR == KT_SWITCH_VAR &&
			       (int)KT_IF_INIT == KT_SWITCH_INIT,
		"if and switch share the slots of their header");
	size_t used = header_slots(b, n, k, open, close);
	if (used == 0 || k.n - used != 1) {
		return convert_unknown_stmt(b, c);
	}
	convert_set_condition(n->child[KT_SWITCH_COND], k.v[used - 1]);
	n->child[KT_SWITCH_BODY] = switch_body(b, k.v[used]);
	return n;
}

static struct kt_node *case_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = convert_node_new(b, KT_CASE, c);
	struct kids k = convert_kids_of(b, c);
	if (k.n < 2 || k.n > 3) {
		return convert_unknown_stmt(b, c);
	}
	n->child[KT_CASE_VALUE] = convert_expr(b, k.v[0]);
	int64_t v;
	if (convert_evaluate(k.v[0], &v)) {
		convert_set_value(n->child[KT_CASE_VALUE], v);
	}
	if (k.n == 3) {
		n->child[KT_CASE_HIGH] = convert_expr(b, k.v[1]);
		if (convert_evaluate(k.v[1], &v)) {
			convert_set_value(n->child[KT_CASE_HIGH], v);
		}
	}
	n->child[KT_CASE_STMT] = convert_stmt(b, k.v[k.n - 1]);
	n->end = n->child[KT_CASE_STMT]->end;
	return n;
}

/* Sets the bounds of i < N that are constants of this instantiation. */
static void set_bounds(struct builder *b, struct kt_node *cond, CXCursor c)
{
	struct kids bound = convert_kids_of(b, c);
	int64_t v;
	for (size_t j = 0; cond->kind == KT_BINARY && j < bound.n && bound.n == 2; j++) {
		struct kt_node *side = cond->child[j];
		if (!(side->flags & KT_F_VALUE) && convert_evaluate(bound.v[j], &v)) {
			convert_set_value(side, v);
		}
	}
}

static struct kt_node *macro_for(struct builder *b, CXCursor c, struct kt_node *n)
{
	struct kids k = convert_kids_of(b, c);
	if (k.n != KT_FOR_SLOTS) {
		return convert_unknown_stmt(b, c);
	}
	for (int slot = 0; slot < KT_FOR_BODY; slot++) {
		n->child[slot] = part(b, k.v[slot]);
	}
	set_bounds(b, n->child[KT_FOR_COND], k.v[KT_FOR_COND]);
	n->child[KT_FOR_BODY] = convert_loop_body(b, k.v[KT_FOR_BODY]);
	return n;
}

static struct kt_node *for_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = convert_node_new(b, KT_FOR, c);
	struct str t = convert_cur_text(b);
	size_t open, close;
	if (n->flags & KT_F_MACRO) {
		return macro_for(b, c, n);
	}
	if (!convert_header_parens(b, n, &open, &close)) {
		return convert_unknown_stmt(b, c);
	}
	size_t s1 = lex_find(t, open + 1, close, ';');
	size_t s2 = s1 == SIZE_MAX ? SIZE_MAX : lex_find(t, s1 + 1, close, ';');
	if (s2 == SIZE_MAX) {
		return convert_unknown_stmt(b, c);
	}
	struct kids k = convert_kids_of(b, c);
	for (size_t i = 0; i < k.n; i++) {
		size_t at = begin_of(b, k.v[i]);
		int slot = at < s1	? KT_FOR_INIT
			   : at < s2	? KT_FOR_COND
			   : at < close ? KT_FOR_INC
					: KT_FOR_BODY;
		if (n->child[slot]) {
			return convert_unknown_stmt(b, c); /* a variable in the condition */
		}
		n->child[slot] =
			slot == KT_FOR_BODY ? convert_loop_body(b, k.v[i]) : part(b, k.v[i]);
		if (slot == KT_FOR_COND) {
			set_bounds(b, n->child[slot], k.v[i]);
		}
	}
	return n->child[KT_FOR_BODY] ? n : convert_unknown_stmt(b, c);
}

static struct kt_node *while_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = convert_node_new(b, KT_WHILE, c);
	struct kids k = convert_kids_of(b, c);
	if (k.n < 2 || k.n > 3) {
		return convert_unknown_stmt(b, c);
	}
	if (k.n == 3) {
		n->child[KT_WHILE_VAR] = var_of(part(b, k.v[0]));
	}
	n->child[KT_WHILE_COND] = convert_expr(b, k.v[k.n - 2]);
	n->child[KT_WHILE_BODY] = convert_loop_body(b, k.v[k.n - 1]);
	return n;
}

static struct kt_node *do_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = convert_node_new(b, KT_DO, c);
	struct kids k = convert_kids_of(b, c);
	if (k.n != 2) {
		return convert_unknown_stmt(b, c);
	}
	n->child[KT_DO_BODY] = convert_loop_body(b, k.v[0]);
	n->child[KT_DO_COND] = convert_expr(b, k.v[1]);
	convert_take_semicolon(b, n);
	return n;
}

static struct kt_node *with_stmt(struct builder *b, enum kt_kind kind, CXCursor c)
{
	struct kids k = convert_kids_of(b, c);
	struct kt_node *n = convert_node_new(b, kind, c);
	if (k.n == 0 || k.n > 2) {
		return convert_unknown_stmt(b, c);
	}
	convert_one_child(b, n, convert_stmt(b, k.v[k.n - 1]));
	n->text = builder_text(b, clang_getCursorSpelling(c));
	if (n->child[0]->end > n->end) {
		n->end = n->child[0]->end;
	}
	return n;
}

/* #pragma unroll and [[likely]]: the statement, with the start of the attribute. */
static struct kt_node *attributed(struct builder *b, CXCursor c)
{
	bool ok;
	CXCursor child = convert_only_child(c, &ok);
	if (!ok) {
		return convert_unknown_stmt(b, c);
	}
	struct kt_node *n = convert_stmt(b, child);
	struct kt_node outer = {0};
	convert_set_range(b, &outer, c);
	if (outer.flags & KT_F_MACRO || n->flags & KT_F_MACRO) {
		return n;
	}
	struct str t = convert_cur_text(b);
	size_t at = outer.begin;
	size_t line = at;
	while (line > 0 && t.p[line - 1] != '\n') {
		line--;
	}
	size_t hash = line;
	while (hash < at && isspace((unsigned char)t.p[hash])) {
		hash++;
	}
	n->begin = (uint32_t)(t.p[hash] == '#' ? hash : at);
	return n;
}

/* `FOO(x) for (...)` with a pragma at the end of FOO, after a statement: the loop begins there. */
static void find_pragma(
	struct builder *b, struct kt_node *n, CXCursor c, const struct kt_node *before)
{
	struct kt_node outer = {0};
	convert_set_range(b, &outer, c);
	if (outer.flags & KT_F_MACRO && outer.file == n->file && outer.begin < n->begin &&
		outer.begin < before->end) {
		n->begin = outer.begin;
		n->flags |= KT_F_MACRO;
	}
}

static struct kt_node *compound(struct builder *b, CXCursor c)
{
	struct kt_node *n = convert_node_new(b, KT_COMPOUND, c);
	struct kids k = convert_kids_of(b, c);
	size_t ends = b->end.n;
	node_list v = {0};
	for (size_t i = 0; i < k.n; i++) {
		array_push(&v, convert_stmt(b, k.v[i]));
		if (i && clang_getCursorKind(k.v[i]) == CXCursor_UnexposedStmt) {
			find_pragma(b, v.v[i], k.v[i], v.v[i - 1]);
		}
	}
	b->implicit_at = n->flags & KT_F_MACRO || n->end == 0 ? n->end : n->end - 1;
	implicit_add_ends(b, ends, &v);
	b->end.n = ends;
	kt_set_children(n, b->scratch, v.v, v.n);
	array_release(&v);
	return n;
}

static struct kt_node *leaf(struct builder *b, enum kt_kind kind, CXCursor c)
{
	struct kt_node *n = convert_node_new(b, kind, c);
	convert_take_semicolon(b, n);
	return n;
}

static struct kt_node *goto_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = leaf(b, KT_GOTO, c);
	struct kids k = convert_kids_of(b, c);
	n->text = k.n ? builder_text(b, clang_getCursorSpelling(k.v[0])) : "";
	return n;
}

static struct kt_node *asm_stmt(struct builder *b, CXCursor c)
{
	struct kt_node *n = leaf(b, KT_ASM, c);
	struct kids k = convert_kids_of(b, c);
	size_t operands = 0;
	n->text = convert_node_text(b, n);
	if (clang_getCursorKind(c) == CXCursor_GCCAsmStmt) {
		convert_asm_operands(b, n, c);
	}
	for (size_t i = 0; i < n->n; i++) {
		if (n->child[i]->kind == KT_OPERAND) {
			convert_one_child(b, n->child[i], convert_expr(b, k.v[operands++]));
		}
	}
	return n;
}

static struct kt_node *stmt_kind(struct builder *b, CXCursor c)
{
	enum CXCursorKind kind = clang_getCursorKind(c);
	switch (kind) {
	case CXCursor_CompoundStmt:
		return compound(b, c);
	case CXCursor_IfStmt:
		return if_stmt(b, c);
	case CXCursor_SwitchStmt:
		return switch_stmt(b, c);
	case CXCursor_CaseStmt:
		return case_stmt(b, c);
	case CXCursor_DefaultStmt:
		return with_stmt(b, KT_DEFAULT, c);
	case CXCursor_LabelStmt:
		return with_stmt(b, KT_LABEL, c);
	case CXCursor_ForStmt:
		return for_stmt(b, c);
	case CXCursor_CXXForRangeStmt:
		return convert_range_for(b, c);
	case CXCursor_WhileStmt:
		return while_stmt(b, c);
	case CXCursor_DoStmt:
		return do_stmt(b, c);
	case CXCursor_BreakStmt:
		return jump(b, leaf(b, KT_BREAK, c), c, b->break_end);
	case CXCursor_ContinueStmt:
		return jump(b, leaf(b, KT_CONTINUE, c), c, b->continue_end);
	case CXCursor_NullStmt:
		return leaf(b, KT_EMPTY, c);
	case CXCursor_GotoStmt:
		return jump(b, goto_stmt(b, c), c, 0);
	case CXCursor_GCCAsmStmt:
	case CXCursor_MSAsmStmt:
		return asm_stmt(b, c);
	case CXCursor_ReturnStmt: {
		b->owned = true; /* the caller owns the returned object */
		struct kt_node *n = convert_with_exprs(b, KT_RETURN, c);
		b->owned = false;
		convert_take_semicolon(b, n);
		return jump(b, n, c, 0);
	}
	case CXCursor_DeclStmt: {
		struct kt_node *n = decl_stmt(b, c);
		convert_take_semicolon(b, n);
		return n;
	}
	case CXCursor_UnexposedStmt:
		return attributed(b, c);
	default:
		break;
	}
	struct kt_node *n =
		clang_isExpression(kind) ? convert_expr(b, c) : convert_unknown_stmt(b, c);
	/* libclang's parentheses around an expression statement are looked through: the range is
	 * that of the whole statement, for the semicolon. */
	struct kt_node whole = {0};
	convert_set_range(b, &whole, c);
	if (n->flags & KT_F_ARGUMENT) {
		n->flags &= ~KT_F_ARGUMENT; /* the semicolon belongs to WITH(x = y); */
		convert_set_range(b, n, c);
	} else if (!((n->flags | whole.flags) & KT_F_MACRO)) {
		n->begin = whole.begin;
		n->end = whole.end;
	}
	convert_take_semicolon(b, n);
	return n;
}

/* Do variables of n live on after it? */
static bool declares_on(const struct kt_node *n)
{
	return n->kind == KT_DECL || n->kind == KT_CASE || n->kind == KT_DEFAULT ||
	       n->kind == KT_LABEL;
}

/* n, followed by the ends of the variables in its header. */
static struct kt_node *with_ends(struct builder *b, struct kt_node *n, size_t from)
{
	node_list v = {0};
	if (b->end.n <= from || declares_on(n)) {
		return n;
	}
	array_push(&v, n);
	b->implicit_at = n->end;
	implicit_add_ends(b, from, &v);
	b->end.n = from;
	struct kt_node *all = convert_together(b, n, &v);
	array_release(&v);
	return all;
}

struct kt_node *convert_stmt(struct builder *b, CXCursor c)
{
	if (b->depth > DEPTH_MAX) {
		struct kt_node *n = convert_node_new(b, KT_STMT_UNKNOWN, c);
		n->flags |= KT_F_MACRO;
		n->text = "cut";
		return n;
	}
	b->depth++;
	size_t ends = b->end.n;
	struct kt_node *n = with_ends(b, stmt_kind(b, c), ends);
	b->depth--;
	return n;
}
