#include "kernel/kernel.h"

#include <string.h>
#include "base/lines.h"
#include "base/msg.h"

static const char *const kind_name[KT_KIND_COUNT] = {
	[KT_NONE] = "none",
	[KT_COMPOUND] = "compound",
	[KT_DECL] = "decl",
	[KT_IF] = "if",
	[KT_SWITCH] = "switch",
	[KT_CASE] = "case",
	[KT_DEFAULT] = "default",
	[KT_FOR] = "for",
	[KT_RANGE_FOR] = "range-for",
	[KT_WHILE] = "while",
	[KT_DO] = "do",
	[KT_RETURN] = "return",
	[KT_BREAK] = "break",
	[KT_CONTINUE] = "continue",
	[KT_GOTO] = "goto",
	[KT_LABEL] = "label",
	[KT_EMPTY] = "empty",
	[KT_ASM] = "asm",
	[KT_STMT_UNKNOWN] = "stmt-unknown",
	[KT_VAR] = "var",
	[KT_REF] = "ref",
	[KT_MEMBER] = "member",
	[KT_INDEX] = "index",
	[KT_CALL] = "call",
	[KT_UNARY] = "unary",
	[KT_BINARY] = "binary",
	[KT_ASSIGN] = "assign",
	[KT_COND] = "cond",
	[KT_LITERAL] = "literal",
	[KT_CAST] = "cast",
	[KT_INIT_LIST] = "init-list",
	[KT_CONSTRUCT] = "construct",
	[KT_LAMBDA] = "lambda",
	[KT_THIS] = "this",
	[KT_SIZEOF] = "sizeof",
	[KT_OPERAND] = "operand",
	[KT_EXPR_UNKNOWN] = "expr-unknown",
};

static const char *const op_name[KT_OP_COUNT] = {
	[KT_OP_NONE] = "",
	[KT_OP_ADD] = "+",
	[KT_OP_SUB] = "-",
	[KT_OP_MUL] = "*",
	[KT_OP_DIV] = "/",
	[KT_OP_REM] = "%",
	[KT_OP_SHL] = "<<",
	[KT_OP_SHR] = ">>",
	[KT_OP_AND] = "&",
	[KT_OP_OR] = "|",
	[KT_OP_XOR] = "^",
	[KT_OP_LAND] = "&&",
	[KT_OP_LOR] = "||",
	[KT_OP_LT] = "<",
	[KT_OP_GT] = ">",
	[KT_OP_LE] = "<=",
	[KT_OP_GE] = ">=",
	[KT_OP_EQ] = "==",
	[KT_OP_NE] = "!=",
	[KT_OP_COMMA] = ",",
	[KT_OP_NEG] = "-",
	[KT_OP_PLUS] = "+",
	[KT_OP_NOT] = "~",
	[KT_OP_LNOT] = "!",
	[KT_OP_DEREF] = "*",
	[KT_OP_ADDR] = "&",
	[KT_OP_PREINC] = "++",
	[KT_OP_PREDEC] = "--",
	[KT_OP_POSTINC] = "++",
	[KT_OP_POSTDEC] = "--",
	[KT_OP_OTHER] = "?",
};

static const struct kt_type unknown_type = {
	.kind = KT_T_OTHER,
	.size = -1,
	.name = "",
	.canon = "",
};

const char *kt_kind_name(enum kt_kind k)
{
	return (unsigned)k < KT_KIND_COUNT ? kind_name[k] : "?";
}

const char *kt_op_name(enum kt_op op)
{
	return (unsigned)op < KT_OP_COUNT ? op_name[op] : "?";
}

bool kt_is_stmt(enum kt_kind k)
{
	return k >= KT_COMPOUND && k <= KT_STMT_UNKNOWN;
}

const struct kt_node *kt_past_casts(const struct kt_node *n)
{
	while (n && n->kind == KT_CAST && n->n == 1) {
		n = n->child[0];
	}
	return n;
}

bool kt_is_place(const struct kt_node *n)
{
	return n->kind == KT_REF || n->kind == KT_MEMBER || n->kind == KT_INDEX ||
	       (n->kind == KT_UNARY && n->op == KT_OP_DEREF);
}

bool kt_is_scalar(const struct kt_type *t)
{
	return t->kind == KT_T_BOOL || t->kind == KT_T_INT || t->kind == KT_T_FLOAT ||
	       t->kind == KT_T_POINTER;
}

const struct kt_node *kt_loop_of(const struct kt_node *n)
{
	while (n && !kt_is_loop(n->kind)) {
		n = n->parent;
	}
	return n;
}

bool kt_is_loop(enum kt_kind k)
{
	return k == KT_FOR || k == KT_RANGE_FOR || k == KT_WHILE || k == KT_DO;
}

size_t kt_slots(enum kt_kind k)
{
	static const uint8_t slots[] = {
		[KT_IF] = KT_IF_SLOTS,
		[KT_SWITCH] = KT_SWITCH_SLOTS,
		[KT_CASE] = KT_CASE_SLOTS,
		[KT_FOR] = KT_FOR_SLOTS,
		[KT_RANGE_FOR] = KT_RANGE_SLOTS,
		[KT_WHILE] = KT_WHILE_SLOTS,
		[KT_DO] = KT_DO_SLOTS,
		[KT_COND] = KT_COND_SLOTS,
		[KT_MEMBER] = KT_MEMBER_SLOTS,
	};
	return k < sizeof(slots) ? slots[k] : 0;
}

void kt_link(struct kt_node *n)
{
	for (uint32_t i = 0; i < n->n; i++) {
		if (n->child[i]) {
			n->child[i]->parent = n;
			n->child[i]->slot = i;
		}
	}
}

void kt_set_children(struct kt_node *n, struct arena *a, struct kt_node *const *v, size_t count)
{
	if (count > KT_CHILDREN_MAX) {
		die("out of memory: a node holds at most %d children", KT_CHILDREN_MAX);
	}
	n->child = count > 0 ? arena_memdup(a, v, count * sizeof(struct kt_node *)) : NULL;
	n->n = (unsigned)count & KT_CHILDREN_MAX;
}

struct str kt_source(const struct kt_unit *u, const struct kt_node *n)
{
	if (n->file >= u->files) {
		return (struct str){"", 0};
	}
	return str_sub(u->file[n->file].text, n->begin, n->end);
}

struct line_col kt_place(struct kt_unit *u, kt_id file, size_t at)
{
	struct kt_file *f = &u->file[file];
	if (!f->lines) {
		f->lines = line_marks_make(u->arena, f->text);
	}
	return line_marks_at(f->lines, at);
}

unsigned kt_line(struct kt_unit *u, kt_id file, size_t at)
{
	return kt_place(u, file, at).line;
}

static const struct kt_type *type_at(const struct kt_unit *u, kt_id type)
{
	return type > 0 && type < u->types ? &u->type[type] : &unknown_type;
}

const struct kt_type *kt_type_of(const struct kt_unit *u, const struct kt_node *n)
{
	return type_at(u, n->type);
}

const struct kt_type *kt_object_type(const struct kt_unit *u, kt_id type)
{
	const struct kt_type *t = type_at(u, type);

	/* One step is enough: C++ has no reference to a reference. */
	return t->kind == KT_T_REFERENCE ? type_at(u, t->elem) : t;
}

const struct kt_type *kt_element_type(const struct kt_unit *u, const struct kt_type *t)
{
	while (t->kind == KT_T_ARRAY) {
		t = &u->type[t->elem];
	}
	return t;
}

bool kt_same_type(const struct kt_unit *u, kt_id x, kt_id y)
{
	const char *a = u->type[x].canon, *b = u->type[y].canon;

	return x == y || (a && b && strcmp(a, b) == 0);
}

bool kt_is_pointer(const struct kt_unit *u, const struct kt_node *n)
{
	return kt_object_type(u, n->type)->kind == KT_T_POINTER;
}

bool kt_is_array(const struct kt_unit *u, const struct kt_node *n)
{
	return kt_object_type(u, n->type)->kind == KT_T_ARRAY;
}

bool kt_may_hold_pointer(const struct kt_type *t)
{
	switch (t->kind) {
	case KT_T_VOID:
	case KT_T_BOOL:
	case KT_T_INT:
	case KT_T_FLOAT:
	case KT_T_VECTOR:
		return false;
	default:
		return true;
	}
}

enum kt_owner kt_owner_of(enum kt_sym_kind kind)
{
	static const enum kt_owner of[] = {
		[KT_S_LOCAL] = KT_OWNER_RUN,
		[KT_S_PARAM] = KT_OWNER_RUN,
		[KT_S_GLOBAL] = KT_OWNER_STATIC,
		[KT_S_FIELD] = KT_OWNER_OBJECT,
		[KT_S_CONST] = KT_OWNER_NONE,
	};
	return of[kind];
}

kt_id kt_this_of(const struct kt_unit *u, kt_id fn)
{
	while (fn && u->fn[fn].is_lambda && !u->fn[fn].owns_this) {
		fn = u->fn[fn].around;
	}
	return fn ? u->fn[fn].self : 0;
}

bool kt_is_variable(const struct kt_unit *u, kt_id sym)
{
	enum kt_sym_kind k = u->sym[sym].kind;
	return sym && (k == KT_S_LOCAL || k == KT_S_PARAM);
}

bool kt_is_reference(const struct kt_unit *u, kt_id sym)
{
	return type_at(u, u->sym[sym].type)->kind == KT_T_REFERENCE;
}

bool kt_is_function_of(const struct kt_fn *f, const struct kt_node *lambda)
{
	return f->is_lambda && f->body && f->file == lambda->file &&
	       f->body->begin > lambda->begin && f->body->end == lambda->end;
}

bool kt_is_binding(const struct kt_unit *u, const struct kt_node *n)
{
	const struct kt_node *object = n->kind == KT_STMT_UNKNOWN && n->n ? n->child[0] : NULL;
	return object && object->kind == KT_VAR && u->sym[object->sym].name[0] == '[';
}

bool kt_declares(const struct kt_unit *u, const struct kt_node *n)
{
	return n->kind == KT_DECL || kt_is_binding(u, n);
}

kt_id kt_param_of(const struct kt_unit *u, const struct kt_node *n)
{
	const struct kt_node *call = n->parent;
	const struct kt_fn *fn = call->kind == KT_CALL && call->fn ? &u->fn[call->fn] : NULL;
	size_t first = call->flags & KT_F_METHOD ? 1 : 0;
	return fn && fn->body && n->slot >= first && n->slot - first < fn->params
		       ? fn->param[n->slot - first]
		       : 0;
}

bool kt_is_target(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	while (up && (up->kind == KT_CAST || (up->kind == KT_COND && n->slot != KT_COND_COND) ||
			     (up->kind == KT_BINARY && up->op == KT_OP_COMMA && n->slot == 1))) {
		n = up;
		up = n->parent;
	}
	return up && (up->kind == KT_ASM ||
			     (n->slot == 0 &&
				     (up->kind == KT_ASSIGN || kt_is_step(up) ||
					     (up->kind == KT_CALL && up->flags & KT_F_OPERATOR))));
}

bool kt_is_below(const struct kt_node *n, const struct kt_node *up)
{
	while (n && n != up) {
		n = n->parent;
	}
	return n != NULL;
}

const struct kt_node *kt_child_around(const struct kt_node *n, const struct kt_node *up)
{
	while (n && n->parent != up) {
		n = n->parent;
	}
	return n;
}

const struct kt_node *kt_full_expression(const struct kt_node *n)
{
	while (n->parent && !kt_is_stmt(n->parent->kind) && n->parent->kind != KT_VAR) {
		n = n->parent;
	}
	return n;
}

bool kt_may_be_jumped_into(const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind == KT_CASE || n->kind == KT_DEFAULT || n->kind == KT_LABEL) {
			return true;
		}
	}
	return false;
}

bool kt_is_spelled(const struct kt_node *n)
{
	return !(n->flags & KT_F_MACRO) || n->flags & KT_F_ARGUMENT;
}

bool kt_is_bit_field(const struct kt_unit *u, const struct kt_node *n)
{
	while (n->kind == KT_BINARY && n->op == KT_OP_COMMA) {
		n = n->child[1];
	}
	return n->kind == KT_MEMBER && n->sym && u->sym[n->sym].is_bit_field;
}

uint32_t kt_argument_bit(size_t argument)
{
	return UINT32_C(1) << (argument < 31 ? argument : 31);
}

bool kt_is_constant(const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		bool open = n->kind == KT_REF || n->kind == KT_MEMBER || n->kind == KT_CALL ||
			    n->kind == KT_THIS;
		if (open && !(n->flags & KT_F_VALUE)) {
			return false;
		}
	}
	return true;
}

bool kt_is_cut(const struct kt_node *n)
{
	return n->kind == KT_STMT_UNKNOWN && n->text;
}

static bool is_loose_operator(const char *name)
{
	struct str s = str_of(name);
	return str_is(s, "operator,") ||
	       (str_ends(s, "=") && !str_is(s, "operator==") && !str_is(s, "operator!=") &&
		       !str_is(s, "operator<=") && !str_is(s, "operator>="));
}

bool kt_binds_loosely(const struct kt_node *n)
{
	switch (n->kind) {
	case KT_ASSIGN:
	case KT_COND:
	case KT_EXPR_UNKNOWN:
		return true;
	case KT_BINARY:
		return n->op == KT_OP_COMMA;
	case KT_CALL:
		return n->flags & KT_F_OPERATOR && n->text && is_loose_operator(n->text);
	default:
		return false;
	}
}

bool kt_assigns_bytes(const struct kt_unit *u, const struct kt_node *n)
{
	return n->kind == KT_CALL && n->flags & KT_F_OPERATOR && n->n == 2 && n->text &&
	       strcmp(n->text, "operator=") == 0 && u->fn[n->fn].is_trivial;
}

bool kt_is_library_call(const struct kt_unit *u, const struct kt_node *n)
{
	const struct kt_fn *fn = n->fn ? &u->fn[n->fn] : NULL;
	return n->kind == KT_CALL && (!fn || !fn->body || fn->in_system_header);
}

/* Is it the empty asm that rewrite writes, with one int as input and output? */
static bool hides_number(const struct kt_unit *u, const struct kt_node *n)
{
	const char *template = kt_asm_template(n);
	bool is = template && strcmp(template, "\"\"") == 0 && n->n == 2 && n->child[1]->n == 1;
	const struct kt_node *operand = is ? n->child[1] : NULL;
	const struct kt_node *number = is ? operand->child[0] : NULL;
	return is && operand->kind == KT_OPERAND && operand->text && number->kind == KT_REF &&
	       (strcmp(operand->text, "+s") == 0 || strcmp(operand->text, "+v") == 0) &&
	       kt_type_of(u, number)->kind == KT_T_INT;
}

bool kt_asm_has_operands(const struct kt_unit *u, const struct kt_node *n)
{
	const char *text = n->text ? n->text : "";
	if (n->flags & KT_F_MACRO) {
		return !str_starts(str_of(text), "UNPHI_LAUNDER");
	}
	return (!*text || strchr(text, ':')) && !hides_number(u, n);
}

const char *kt_asm_template(const struct kt_node *n)
{
	const char *text = n->n ? n->child[0]->text : "";
	return strlen(text) >= 2 && *text == '"' ? text : NULL;
}

struct kt_node *kt_loop_body(const struct kt_node *n)
{
	size_t slot;

	switch (n->kind) {
	case KT_FOR:
		slot = KT_FOR_BODY;
		break;
	case KT_RANGE_FOR:
		slot = KT_RANGE_BODY;
		break;
	case KT_WHILE:
		slot = KT_WHILE_BODY;
		break;
	case KT_DO:
		slot = KT_DO_BODY;
		break;
	default:
		return NULL;
	}
	return slot < n->n ? n->child[slot] : NULL;
}

const struct kt_node *kt_loop_condition(const struct kt_node *n)
{
	return n->kind == KT_FOR     ? n->child[KT_FOR_COND]
	       : n->kind == KT_WHILE ? n->child[KT_WHILE_COND]
	       : n->kind == KT_DO    ? n->child[KT_DO_COND]
				     : NULL;
}

static inline struct kt_node *first_from(const struct kt_node *n, size_t i)
{
	for (; i < n->n; i++) {
		if (n->child[i]) {
			return n->child[i];
		}
	}
	return NULL;
}

/* Inline, because every walk calls it for every node. */
static inline struct kt_node *skip(const struct kt_node *n, const struct kt_node *root)
{
	while (n != root) {
		const struct kt_node *parent = n->parent;

		if (!parent || n->slot >= parent->n || parent->child[n->slot] != n) {
			BUG("a %s node is not linked to its parent", kt_kind_name(n->kind));
		}
		struct kt_node *sibling = first_from(parent, (size_t)n->slot + 1);
		if (sibling) {
			return sibling;
		}
		n = parent;
	}
	return NULL;
}

struct kt_node *kt_next(const struct kt_node *n, const struct kt_node *root)
{
	struct kt_node *child = first_from(n, 0);

	return child ? child : skip(n, root);
}

struct kt_node *kt_skip(const struct kt_node *n, const struct kt_node *root)
{
	return skip(n, root);
}

bool kt_mentions(const struct kt_node *root, kt_id sym)
{
	const struct kt_node *n = root;
	while (n && !kt_names(n, sym)) {
		n = kt_next(n, root);
	}
	return n;
}

const struct kt_node *kt_past_labels(const struct kt_node *n)
{
	while (n && (n->kind == KT_CASE || n->kind == KT_DEFAULT)) {
		n = n->kind == KT_CASE ? n->child[KT_CASE_STMT] : n->n ? n->child[0] : NULL;
	}
	return n;
}

static bool ends_with_word(struct str s, const char *word)
{
	size_t n = strlen(word);
	if (!str_ends(s, word)) {
		return false;
	}
	char before = s.n > n ? s.p[s.n - n - 1] : ' ';
	return before == ' ' || before == '*';
}

struct str kt_type_bare(const struct kt_type *t, bool canonical)
{
	static const char *const qualifier[] = {"const", "__restrict__", "__restrict", "restrict"};
	struct str s = str_trim(str_of(canonical || !t->name ? t->canon : t->name));
	for (bool again = true; again;) {
		again = false;
		for (size_t i = 0; i < sizeof(qualifier) / sizeof(qualifier[0]); i++) {
			if (ends_with_word(s, qualifier[i])) {
				s = str_trim(str_sub(s, 0, s.n - strlen(qualifier[i])));
				again = true;
			}
		}
	}
	if (t->kind != KT_T_POINTER && str_starts(s, "const ")) {
		s = str_trim(str_sub(s, strlen("const "), s.n));
	}
	return s;
}

const char *kt_type_bare_name(struct arena *a, const struct kt_type *t, bool canonical)
{
	struct str s = kt_type_bare(t, canonical);
	return arena_strndup(a, s.p, s.n);
}

unsigned kt_type_width(const struct kt_type *t)
{
	return t->size > 0 ? (unsigned)((t->size + 3) / 4) : 0;
}
