#include "analysis/match.h"

#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "base/map.h"
#include "frontend/lex.h"

/* Bytes: what may be held in one hole. 32 is an operand of wmma. */
enum {
	HOLE_SCALAR_MAX = 16,
	HOLE_VECTOR_MAX = 32
};

struct pair {
	const struct kt_node *x; /* in arm 0 */
	const struct kt_node *y; /* in the other arm */
};

typedef ARRAY(struct pair) pair_array;

/* Arm 0 against one other arm. */
struct pairing {
	struct facts *f;
	struct kt_unit *u;
	struct map to;	 /* symbol of arm 0 -> the other's */
	struct map from; /* and back */
	pair_array holes;
	bool exact; /* no holes */
	struct pair differs;
};

static void pairing_release(struct pairing *p)
{
	map_release(&p->to);
	map_release(&p->from);
	array_release(&p->holes);
}

/* ---- types ---- */

static bool ends_with_word(struct str s, const char *word)
{
	size_t n = strlen(word);
	if (!str_ends(s, word)) {
		return false;
	}
	char before = s.n > n ? s.p[s.n - n - 1] : ' ';
	return before == ' ' || before == '*';
}

static struct str bare_type(const struct kt_type *t, const char *name)
{
	static const char *const qualifier[] = {"const", "__restrict__", "__restrict", "restrict"};
	struct str s = str_trim(str_of(name));
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

const char *match_bare_type(struct arena *a, const struct kt_type *t, bool canonical)
{
	struct str s = bare_type(t, canonical || !t->name ? t->canon : t->name);
	return arena_strndup(a, s.p, s.n);
}

static bool same_bare_type(const struct kt_type *x, const struct kt_type *y)
{
	return x->kind == y->kind && x->canon && y->canon &&
	       str_eq(bare_type(x, x->canon), bare_type(y, y->canon));
}

static bool same_type(const struct pairing *p, kt_id x, kt_id y)
{
	if (x == y) {
		return true;
	}
	const char *a = p->u->type[x].canon;
	const char *b = p->u->type[y].canon;
	return a && b && strcmp(a, b) == 0;
}

static bool hole_type(const struct kt_type *t)
{
	if (!t->trivial || t->is_volatile || t->size <= 0) {
		return false;
	}
	switch (t->kind) {
	case KT_T_BOOL:
	case KT_T_INT:
	case KT_T_FLOAT:
	case KT_T_POINTER:
	case KT_T_RECORD:
		return t->size <= HOLE_SCALAR_MAX;
	case KT_T_VECTOR:
		return t->size <= HOLE_VECTOR_MAX;
	default:
		return false;
	}
}

/* ---- positions ---- */

static bool has_kind(const struct pairing *p, kt_id type, enum kt_type_kind k)
{
	return p->u->type[type].kind == k;
}

static bool known_builtin(const struct pairing *p, const struct kt_node *call)
{
	const char *name = call->fn ? p->u->fn[call->fn].base : call->text;
	const struct intrinsic_db *db = facts_intrinsics(p->f);
	return name && db && intrinsic_find(db, str_of(name)) != NULL;
}

/* Is child i of call x bound to a reference, or is it not known whether it is? */
static bool argument_is_place(const struct pairing *p, const struct kt_node *x, size_t i)
{
	size_t first = x->flags & KT_F_METHOD ? 1 : 0;
	if (i < first) {
		return true;
	}
	if (!x->fn) {
		return !known_builtin(p, x);
	}
	const struct kt_fn *fn = &p->u->fn[x->fn];
	i -= first;
	return i < fn->params && has_kind(p, p->u->sym[fn->param[i]].type, KT_T_REFERENCE);
}

/* Is child i of x used as an object, not as a value? place: x itself is. */
static bool child_is_place(const struct pairing *p, const struct kt_node *x, size_t i, bool place)
{
	switch (x->kind) {
	case KT_ASSIGN:
		return i == 0;
	case KT_UNARY:
		switch (x->op) {
		case KT_OP_PREINC:
		case KT_OP_PREDEC:
		case KT_OP_POSTINC:
		case KT_OP_POSTDEC:
		case KT_OP_ADDR:
		case KT_OP_OTHER:
			return true;
		default:
			return false;
		}
	case KT_MEMBER:
		return place && !(x->flags & KT_F_ARROW);
	case KT_INDEX: {
		const struct kt_type *t = kt_type_of(p->u, x->child[0]);
		return i == 0 && (t->kind == KT_T_ARRAY || (place && t->kind != KT_T_POINTER));
	}
	case KT_CALL:
	case KT_CONSTRUCT:
		return argument_is_place(p, x, i);
	case KT_VAR:
		return has_kind(p, x->type, KT_T_REFERENCE);
	case KT_CAST:
		return place || has_kind(p, x->type, KT_T_REFERENCE);
	case KT_COND:
		return place && i != KT_COND_COND;
	case KT_BINARY:
		return x->op == KT_OP_COMMA && (i == 0 || place);
	case KT_RANGE_FOR:
	case KT_CASE:
	case KT_RETURN:
	case KT_LAMBDA:
	case KT_EXPR_UNKNOWN:
	case KT_STMT_UNKNOWN:
		return true;
	case KT_INIT_LIST: {
		/* the hole's type must be the element's: a variable may not narrow where a constant
		 * may */
		const struct kt_type *t = kt_type_of(p->u, x);
		bool known = t->kind == KT_T_ARRAY || t->kind == KT_T_VECTOR;
		return !known || !same_type(p, t->elem, x->child[i]->type);
	}
	/* of a statement's parts only the condition is a value */
	case KT_IF:
		return i != KT_IF_COND;
	case KT_SWITCH:
		return i != KT_SWITCH_COND;
	case KT_WHILE:
		return i != KT_WHILE_COND;
	case KT_DO:
		return i != KT_DO_COND;
	case KT_FOR:
		return i != KT_FOR_COND;
	default:
		return kt_is_stmt(x->kind);
	}
}

/* No variable and no call: what a declaration, a builtin or a template may need as a constant. */
static bool is_constant(const struct kt_node *root)
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

/* An operand of a builtin may have to be a constant, and library code given one may compute another
 * way: pow(x, 2) is x * x. */
static bool may_need_constant(const struct pairing *p, const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	if (!up || up->kind != KT_CALL || !is_constant(n)) {
		return false;
	}
	const struct kt_fn *fn = up->fn ? &p->u->fn[up->fn] : NULL;
	return !fn || !fn->body || fn->in_system_header;
}

static bool can_hold(const struct pairing *p, const struct kt_node *n)
{
	switch (n->kind) {
	case KT_INIT_LIST:
	case KT_LAMBDA:
	case KT_THIS:
	case KT_EXPR_UNKNOWN:
	case KT_ASSIGN:
		return false;
	case KT_LITERAL:
		if (!n->text || !n->text[0]) {
			return false;
		}
		break;
	default:
		break;
	}
	return !kt_is_stmt(n->kind) && n->kind != KT_VAR && !(n->flags & KT_F_MACRO) &&
	       hole_type(kt_type_of(p->u, n)) && !may_need_constant(p, n);
}

static bool can_be_hole(
	struct pairing *p, const struct kt_node *x, const struct kt_node *y, bool place)
{
	return !place && can_hold(p, x) && can_hold(p, y) &&
	       same_bare_type(kt_type_of(p->u, x), kt_type_of(p->u, y));
}

/* ---- trees ---- */

static bool unify(struct pairing *p, const struct kt_node *x, const struct kt_node *y, bool place);

static bool same_symbol(struct pairing *p, kt_id x, kt_id y)
{
	kt_id to = (kt_id)map_get_u64(&p->to, x, 0);
	kt_id from = (kt_id)map_get_u64(&p->from, y, 0);
	if (to || from) {
		return to == y && from == x;
	}
	return x == y;
}

static bool same_text(const struct kt_node *x, const struct kt_node *y)
{
	if (!x->text || !y->text) {
		return x->text == y->text;
	}
	return strcmp(x->text, y->text) == 0;
}

/* Everything about two nodes but their children. */
static bool same_node(struct pairing *p, const struct kt_node *x, const struct kt_node *y)
{
	const unsigned flags =
		KT_F_CONSTEXPR | KT_F_ARROW | KT_F_METHOD | KT_F_VOLATILE | KT_F_OPERATOR;
	if (x->kind != y->kind || x->op != y->op || x->n != y->n || x->fn != y->fn ||
		(x->flags & flags) != (y->flags & flags) || !same_type(p, x->type, y->type)) {
		return false;
	}
	switch (x->kind) {
	case KT_STMT_UNKNOWN:
	case KT_EXPR_UNKNOWN:
	case KT_LAMBDA:
	case KT_GOTO:
	case KT_LABEL:
		return false;
	case KT_REF:
		return same_symbol(p, x->sym, y->sym);
	case KT_MEMBER:
		return x->sym == y->sym && same_text(x, y);
	case KT_LITERAL:
	case KT_SIZEOF:
		if ((x->flags & KT_F_VALUE) != (y->flags & KT_F_VALUE) ||
			(x->flags & KT_F_VALUE && x->value != y->value)) {
			return false;
		}
		return same_text(x, y);
	case KT_CALL:
	case KT_ASM:
		return same_text(x, y);
	default:
		return true;
	}
}

/* A local of the one is the local of the other from here on. Static and shared ones are objects of
 * their own: two of them are not one. */
static bool bind_locals(struct pairing *p, const struct kt_node *x, const struct kt_node *y)
{
	const struct kt_sym *a = &p->u->sym[x->sym];
	const struct kt_sym *b = &p->u->sym[y->sym];
	if (!x->sym || !y->sym || !same_type(p, a->type, b->type) || a->is_static || b->is_static ||
		a->space != KT_PRIVATE || b->space != KT_PRIVATE || a->kind != KT_S_LOCAL ||
		b->kind != KT_S_LOCAL || map_get_u64(&p->to, x->sym, 0) ||
		map_get_u64(&p->from, y->sym, 0)) {
		return false;
	}
	map_set_u64(&p->to, x->sym, y->sym);
	map_set_u64(&p->from, y->sym, x->sym);
	return true;
}

static bool unify_children(
	struct pairing *p, const struct kt_node *x, const struct kt_node *y, bool place)
{
	for (size_t i = 0; i < x->n; i++) {
		const struct kt_node *a = x->child[i];
		const struct kt_node *b = y->child[i];
		if (!a != !b) {
			return false;
		}
		size_t before = p->holes.n;
		if (a && !unify(p, a, b, child_is_place(p, x, i, place))) {
			return false;
		}
		bool constant =
			(x->kind == KT_IF && i == KT_IF_COND && x->flags & KT_F_CONSTEXPR) ||
			(x->kind == KT_CASE && i != KT_CASE_STMT);
		if (constant && p->holes.n > before) {
			return false;
		}
	}
	return true;
}

static bool has_word(struct pairing *p, const struct kt_node *n, const char *word)
{
	struct str t = p->u->file[n->file].text;
	for (struct lex_token k = lex_next(t, n->begin); k.kind != LEX_END && k.begin < n->end;
		k = lex_next(t, k.end)) {
		if (lex_is(t, k, word)) {
			return true;
		}
	}
	return false;
}

/* A constant that the code may use as one (array bound, template argument) must stay one. */
static bool hole_breaks_constant(
	struct pairing *p, const struct kt_node *x, const struct kt_node *y)
{
	if (x->kind == KT_DECL) {
		return has_word(p, x, "constexpr") || has_word(p, y, "constexpr");
	}
	const struct kt_type *t = &p->u->type[x->type];
	bool integral = t->kind == KT_T_INT || t->kind == KT_T_BOOL;
	return x->kind == KT_VAR && t->is_const && integral && x->n && y->n &&
	       (is_constant(x->child[0]) || is_constant(y->child[0]));
}

static bool unify_parts(
	struct pairing *p, const struct kt_node *x, const struct kt_node *y, bool place)
{
	size_t before = p->holes.n;
	/* an initializer may name its own variable: bind first */
	if (!same_node(p, x, y) || (x->kind == KT_VAR && !bind_locals(p, x, y)) ||
		!unify_children(p, x, y, place)) {
		return false;
	}
	return p->holes.n == before || !hole_breaks_constant(p, x, y);
}

static bool plain_arithmetic(const struct kt_node *n)
{
	switch (n->kind) {
	case KT_BINARY:
		return n->op != KT_OP_LAND && n->op != KT_OP_LOR && n->op != KT_OP_COMMA &&
		       n->op != KT_OP_DIV && n->op != KT_OP_REM && n->op != KT_OP_OTHER;
	case KT_UNARY:
		return n->op == KT_OP_NEG || n->op == KT_OP_PLUS || n->op == KT_OP_NOT;
	case KT_CAST:
		return n->n == 1;
	default:
		return false;
	}
}

/* Nothing but arithmetic around the holes from first on? */
static bool only_joins_holes(const struct pairing *p, const struct kt_node *x, size_t first)
{
	for (size_t h = first; h < p->holes.n; h++) {
		if (p->holes.v[h].x == x) {
			return true;
		}
	}
	if (x->kind == KT_LITERAL) {
		return true;
	}
	for (size_t i = 0; i < x->n; i++) {
		if (!only_joins_holes(p, x->child[i], first)) {
			return false;
		}
	}
	return plain_arithmetic(x);
}

/* `n & 3` against `s & 7` is better one hole than two: it reads no more than they do. Not so for
 * floats, where that might cut a multiply from an add. */
static bool join_is_better(struct pairing *p, const struct kt_node *x, const struct kt_node *y,
	bool place, size_t first)
{
	return p->holes.n - first > 1 && kt_type_of(p->u, x)->kind == KT_T_INT &&
	       plain_arithmetic(x) && only_joins_holes(p, x, first) && can_be_hole(p, x, y, place);
}

static bool unify(struct pairing *p, const struct kt_node *x, const struct kt_node *y, bool place)
{
	size_t before = p->holes.n;
	if (unify_parts(p, x, y, place)) {
		if (join_is_better(p, x, y, place, before)) {
			p->holes.n = before;
			array_push(&p->holes, (struct pair){x, y});
		}
		return true;
	}
	p->holes.n = before;
	if (!p->differs.x) {
		p->differs = (struct pair){x, y};
	}
	if (p->exact || !can_be_hole(p, x, y, place)) {
		return false;
	}
	p->differs = (struct pair){0};
	array_push(&p->holes, (struct pair){x, y});
	return true;
}

bool match_equal(struct facts *f, const struct kt_node *x, const struct kt_node *y)
{
	struct pairing p = {.f = f, .u = facts_unit(f), .exact = true};
	bool same = unify(&p, x, y, true);
	pairing_release(&p);
	return same;
}

/* ---- names ---- */

void match_declared(struct match_names *out, struct facts *f, struct arena *a,
	const struct kt_node *const *stmt, size_t n)
{
	struct kt_unit *u = facts_unit(f);
	ARRAY(const char *) names = {0};
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; stmt[i]->kind == KT_DECL && k < stmt[i]->n; k++) {
			if (stmt[i]->child[k]->kind == KT_VAR) {
				array_push(&names, u->sym[stmt[i]->child[k]->sym].name);
			}
		}
	}
	out->v = array_to_arena(a, &names);
	out->n = names.n;
	array_release(&names);
}

bool match_has_name(const struct match_names *names, struct str word)
{
	for (size_t i = 0; i < names->n; i++) {
		if (names->v[i] && str_is(word, names->v[i])) {
			return true;
		}
	}
	return false;
}

/* Offsets of the words that nodes below root stand for: references and declared variables. */
static void index_words(struct map *at, const struct kt_unit *u, const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind == KT_REF && n->sym && !(n->flags & KT_F_MACRO)) {
			map_set_u64(at, n->begin, n->sym);
		} else if (n->kind == KT_VAR && n->sym && u->sym[n->sym].file == n->file) {
			map_set_u64(at, u->sym[n->sym].at, n->sym);
		}
	}
}

static bool after_member_sign(struct str t, struct lex_token before)
{
	if (before.kind != LEX_PUNCT) {
		return false;
	}
	char c = t.p[before.begin];
	return c == '.' || (c == '>' && before.begin > 0 && t.p[before.begin - 1] == '-');
}

bool match_hidden_use(struct facts *f, const struct kt_node *root, size_t begin, size_t end,
	const struct match_names *names, struct str *word)
{
	struct kt_unit *u = facts_unit(f);
	struct str t = u->file[root->file].text;
	struct map at = {0};
	struct lex_token before = {0};
	bool found = false;
	index_words(&at, u, root);
	for (struct lex_token k = lex_next(t, begin); k.kind != LEX_END && k.begin < end && !found;
		k = lex_next(t, k.end)) {
		struct str w = str_sub(t, k.begin, k.end);
		bool open = k.kind == LEX_WORD && !map_get_u64(&at, k.begin, 0) &&
			    !after_member_sign(t, before);
		if (open && match_has_name(names, w)) {
			*word = w;
			found = true;
		}
		before = k;
	}
	map_release(&at);
	return found;
}

/* ---- tokens ---- */

enum {
	TOKEN_HOLE = 1,
	TOKEN_TEXT
};

struct token {
	int kind;
	size_t hole; /* index, with TOKEN_HOLE */
	struct str text;
	kt_id sym;   /* of the node that stands there */
	bool member; /* follows . or -> */
};

typedef ARRAY(struct token) token_array;

/* Tokens of a statement; each hole is one token. holes: nodes in source order. */
static void tokens_of(token_array *out, const struct kt_unit *u, const struct kt_node *stmt,
	const struct kt_node *const *holes, size_t n)
{
	struct str t = u->file[stmt->file].text;
	struct map at = {0};
	struct lex_token before = {0};
	size_t pos = stmt->begin;
	size_t h = 0;
	index_words(&at, u, stmt);
	for (;;) {
		struct lex_token k = lex_next(t, pos);
		if (k.kind == LEX_END || k.begin >= stmt->end) {
			break;
		}
		while (h < n && holes[h]->end <= k.begin) {
			h++;
		}
		if (h < n && holes[h]->begin <= k.begin) {
			array_push(out, (struct token){.kind = TOKEN_HOLE, .hole = h});
			pos = holes[h]->end;
			h++;
			before = (struct lex_token){0};
			continue;
		}
		array_push(out, (struct token){.kind = TOKEN_TEXT,
					.text = str_sub(t, k.begin, k.end),
					.sym = (kt_id)map_get_u64(&at, k.begin, 0),
					.member = after_member_sign(t, before)});
		before = k;
		pos = k.end;
	}
	map_release(&at);
}

static bool token_is(const token_array *v, size_t i, const char *s)
{
	return i < v->n && v->v[i].kind == TOKEN_TEXT && str_is(v->v[i].text, s);
}

/* Parentheses around a hole are looked through in the tree: `(a + b) * c` matches `d * c`. */
static size_t open_parens(const token_array *v, size_t i)
{
	size_t n = 0;
	while (token_is(v, i + n, "(")) {
		n++;
	}
	bool hole = i + n < v->n && v->v[i + n].kind == TOKEN_HOLE;
	for (size_t k = 0; k < n && hole; k++) {
		hole = token_is(v, i + n + 1 + k, ")");
	}
	return hole ? n : 0;
}

/* A word that no node stands for must not be a local that has another name in the other arm. */
static bool hidden_rename(const struct pairing *p, struct str word)
{
	for (size_t i = 0; i < p->to.n; i++) {
		kt_id to = (kt_id)p->to.entry[i].value;
		kt_id from = (kt_id)map_get_u64(&p->from, to, 0);
		const char *x = p->u->sym[from].name;
		const char *y = p->u->sym[to].name;
		if (strcmp(x, y) != 0 && (str_is(word, x) || str_is(word, y))) {
			return true;
		}
	}
	return false;
}

static bool same_word(struct pairing *p, const struct token *x, const struct token *y)
{
	if (x->sym && y->sym && map_get_u64(&p->to, x->sym, 0) == y->sym) {
		return true;
	}
	if (!str_eq(x->text, y->text)) {
		return false;
	}
	return x->sym || x->member || !hidden_rename(p, x->text);
}

static bool same_tokens(struct pairing *p, const token_array *x, const token_array *y)
{
	size_t i = 0, k = 0;
	while (i < x->n && k < y->n) {
		const struct token *a = &x->v[i];
		const struct token *b = &y->v[k];
		if (a->kind == TOKEN_HOLE && b->kind == TOKEN_HOLE) {
			if (a->hole != b->hole) {
				return false;
			}
			i++, k++;
		} else if (a->kind == TOKEN_HOLE && open_parens(y, k)) {
			size_t n = open_parens(y, k);
			i++, k += 2 * n + 1;
		} else if (b->kind == TOKEN_HOLE && open_parens(x, i)) {
			size_t n = open_parens(x, i);
			k++, i += 2 * n + 1;
		} else if (a->kind != b->kind || !same_word(p, a, b)) {
			return false;
		} else {
			i++, k++;
		}
	}
	return i == x->n && k == y->n;
}

/* ---- suffixes ---- */

/* One attempt at a suffix of given length. */
struct attempt {
	struct facts *f;
	struct kt_unit *u;
	struct arena *a;
	const struct match_arm *arm;
	size_t arms;
	size_t tail;
	struct pairing *pair; /* arms - 1 of them; arm i's is pair[i - 1] */
	size_t *first_hole;   /* [(i - 1) * (tail + 1) + k]: holes of arm i before statement k */
	struct pair differs;
};

static const struct kt_node *tail_stmt(const struct attempt *t, size_t arm, size_t k)
{
	return t->arm[arm].stmt[t->arm[arm].n - t->tail + k];
}

/* Unifies statement by statement; the index of the first that differs, or tail. */
static size_t unify_statements(struct attempt *t)
{
	for (size_t k = 0; k < t->tail; k++) {
		for (size_t i = 1; i < t->arms; i++) {
			struct pairing *p = &t->pair[i - 1];
			t->first_hole[(i - 1) * (t->tail + 1) + k] = p->holes.n;
			if (!unify(p, tail_stmt(t, 0, k), tail_stmt(t, i, k), true)) {
				t->differs = p->differs;
				return k;
			}
			t->first_hole[(i - 1) * (t->tail + 1) + k + 1] = p->holes.n;
		}
	}
	return t->tail;
}

static bool is_below(const struct kt_node *n, const struct kt_node *up)
{
	while (n && n != up) {
		n = n->parent;
	}
	return n != NULL;
}

/* The node in arm i's statement that stands where n does in arm 0's. */
static const struct kt_node *counterpart(
	const struct kt_node *n, const struct kt_node *stmt, const struct kt_node *other)
{
	if (n == stmt) {
		return other;
	}
	const struct kt_node *up = counterpart(n->parent, stmt, other);
	return up && n->slot < up->n ? up->child[n->slot] : NULL;
}

static int by_place(const void *x, const void *y)
{
	const struct hole *a = x, *b = y;
	return a->expr[0]->begin < b->expr[0]->begin ? -1 : a->expr[0]->begin > b->expr[0]->begin;
}

/* The holes that arms other than 0 have in statement k, the outermost of nested ones. */
static void outermost(struct attempt *t, size_t k, pair_array *out)
{
	for (size_t i = 1; i < t->arms; i++) {
		struct pairing *p = &t->pair[i - 1];
		const size_t *first = &t->first_hole[(i - 1) * (t->tail + 1) + k];
		for (size_t h = first[0]; h < first[1]; h++) {
			const struct kt_node *x = p->holes.v[h].x;
			bool inside = false;
			size_t kept = 0;
			for (size_t e = 0; e < out->n; e++) {
				inside |= is_below(x, out->v[e].x);
			}
			for (size_t e = 0; e < out->n && !inside; e++) {
				if (!is_below(out->v[e].x, x)) {
					out->v[kept++] = out->v[e];
				}
			}
			if (!inside) {
				out->n = kept;
				array_push(out, p->holes.v[h]);
			}
		}
	}
}

typedef ARRAY(struct hole) hole_array;

static bool join_holes(struct attempt *t, size_t k, hole_array *all)
{
	pair_array found = {0};
	bool ok = true;
	outermost(t, k, &found);
	for (size_t h = 0; h < found.n && ok; h++) {
		const struct kt_node *x = found.v[h].x;
		struct hole hole = {.expr = ARENA_ARRAY(t->a, const struct kt_node *, t->arms)};
		hole.expr[0] = x;
		for (size_t i = 1; i < t->arms && ok; i++) {
			const struct kt_node *y =
				counterpart(x, tail_stmt(t, 0, k), tail_stmt(t, i, k));
			ok = y && can_be_hole(&t->pair[i - 1], x, y, false);
			hole.expr[i] = y;
			t->differs = ok ? t->differs : (struct pair){x, y};
		}
		array_push(all, hole);
	}
	array_release(&found);
	return ok;
}

static bool verify_tokens(struct attempt *t, size_t k, const struct hole *hole, size_t holes)
{
	token_array x = {0};
	bool ok = true;
	const struct kt_node **nodes = ARENA_ARRAY(t->a, const struct kt_node *, holes);
	for (size_t i = 0; i < t->arms && ok; i++) {
		token_array y = {0};
		for (size_t h = 0; h < holes; h++) {
			nodes[h] = hole[h].expr[i];
		}
		tokens_of(i ? &y : &x, t->u, tail_stmt(t, i, k), nodes, holes);
		ok = i == 0 || same_tokens(&t->pair[i - 1], &x, &y);
		if (!ok) {
			t->differs = (struct pair){tail_stmt(t, 0, k), tail_stmt(t, i, k)};
		}
		array_release(&y);
	}
	array_release(&x);
	return ok;
}

/* Words of statement k, outside its holes, that no node stands for and that an arm's head declares.
 */
static bool names_hidden(struct attempt *t, size_t k, const struct match_names *heads,
	const struct hole *hole, size_t holes)
{
	const struct kt_node *stmt = tail_stmt(t, 0, k);
	size_t at = stmt->begin;
	struct str word;
	for (size_t h = 0; h <= holes; h++) {
		size_t end = h < holes ? hole[h].expr[0]->begin : stmt->end;
		if (match_hidden_use(t->f, stmt, at, end, heads, &word)) {
			t->differs = (struct pair){stmt, stmt};
			return true;
		}
		at = h < holes ? hole[h].expr[0]->end : end;
	}
	return false;
}

static void find_equal_holes(struct attempt *t, struct hole *hole, size_t n)
{
	for (size_t h = 0; h < n; h++) {
		hole[h].same = h;
		for (size_t e = 0; e < h; e++) {
			bool equal = hole[e].same == e;
			for (size_t i = 0; i < t->arms && equal; i++) {
				equal = match_equal(t->f, hole[e].expr[i], hole[h].expr[i]);
			}
			if (equal) {
				hole[h].same = e;
				break;
			}
		}
	}
}

/* Holes of all statements, checked against the text; the first statement that fails, or tail. */
static size_t check_holes(struct attempt *t, struct match *out)
{
	hole_array all = {0};
	struct match_names heads = {0};
	for (size_t i = 0; i < t->arms; i++) {
		struct match_names names;
		match_declared(&names, t->f, t->a, t->arm[i].stmt, t->arm[i].n - t->tail);
		const char **v = ARENA_ARRAY(t->a, const char *, heads.n + names.n);
		for (size_t k = 0; k < heads.n + names.n; k++) {
			v[k] = k < heads.n ? heads.v[k] : names.v[k - heads.n];
		}
		heads = (struct match_names){v, heads.n + names.n};
	}
	size_t k = 0;
	for (; k < t->tail; k++) {
		size_t first = all.n;
		if (!join_holes(t, k, &all)) {
			break;
		}
		size_t n = all.n - first;
		if (n) {
			qsort(all.v + first, n, sizeof(*all.v), by_place);
		}
		const struct hole *hole = n ? all.v + first : NULL;
		if (!verify_tokens(t, k, hole, n) || names_hidden(t, k, &heads, hole, n)) {
			break;
		}
	}
	if (k == t->tail) {
		out->hole = array_to_arena(t->a, &all);
		out->holes = all.n;
		find_equal_holes(t, out->hole, out->holes);
	}
	array_release(&all);
	return k;
}

/* Is the suffix of this length a match? Else the statement (from its start) that is not. */
static size_t try_tail(struct attempt *t, struct match *out)
{
	t->pair = ARENA_ARRAY(t->a, struct pairing, t->arms - 1);
	t->first_hole = ARENA_ARRAY(t->a, size_t, (t->arms - 1) * (t->tail + 1));
	for (size_t i = 0; i + 1 < t->arms; i++) {
		t->pair[i] = (struct pairing){.f = t->f, .u = t->u};
	}
	size_t k = unify_statements(t);
	if (k == t->tail) {
		k = check_holes(t, out);
	}
	for (size_t i = 0; i + 1 < t->arms; i++) {
		pairing_release(&t->pair[i]);
	}
	return k;
}

void match_tail(struct match *out, struct facts *f, struct arena *a, const struct match_arm *arm,
	size_t arms, size_t max)
{
	struct attempt t = {
		.f = f, .u = facts_unit(f), .a = a, .arm = arm, .arms = arms, .tail = max};
	*out = (struct match){0};
	for (size_t i = 0; i < arms; i++) {
		t.tail = arm[i].n < t.tail ? arm[i].n : t.tail;
	}
	while (t.tail > 0) {
		size_t bad = try_tail(&t, out);
		if (bad == t.tail) {
			break;
		}
		/* what stands before the difference belongs to the heads, and with it its locals */
		t.tail -= bad + 1;
	}
	out->tail = t.tail;
	out->differs[0] = t.differs.x;
	out->differs[1] = t.differs.y;
}
