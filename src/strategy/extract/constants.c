/*
 * Constants of a split function that become variables of its wide part: template arguments that
 * differ between the arms, and constants computed from them. They may only be used as values.
 */
#include <string.h>

#include "base/map.h"
#include "frontend/text/lex.h"
#include "strategy/extract/extract.h"
#include "strategy/plan/names.h"

enum {
	SEEN = 1,
	SEEN_AS_TAG /* also as decltype(name)::value */
};

enum {
	CALLS_MAX = 8 /* depth of calls that are followed */
};

struct constants {
	struct callee *c;
	ARRAY(struct str) name;
	ARRAY(struct span) unconst;
	ARRAY(struct span) demoted;
};

static bool refuse(struct constants *v, unsigned clause, const char *why, struct str what)
{
	return plan_refuse(v->c->p, clause, "'%.*s' %s", STR_ARG(what), why);
}

static void add_constant(struct constants *v, const char *name)
{
	for (size_t i = 0; i < v->name.n; i++) {
		if (str_is(v->name.v[i], name)) {
			return;
		}
	}
	array_push(&v->name, str_of(name));
}

static bool unconst_if(struct constants *v, const struct kt_node *k)
{
	struct str t = v->c->p->text;
	struct lex_token word = lex_next(t, lex_next(t, k->begin).end);
	if (k->flags & KT_F_MACRO || !lex_is(t, word, "constexpr")) {
		return false;
	}
	for (size_t i = 0; i < v->unconst.n; i++) {
		if (v->unconst.v[i].begin == word.begin) {
			return true;
		}
	}
	array_push(&v->unconst, (struct span){word.begin, word.end});
	return true;
}

/* Is the variable constant with const in place of constexpr, if its value is? */
static bool stays_constant(const struct constants *v, const struct kt_node *var)
{
	enum kt_type_kind kind = var->kind == KT_VAR ? v->c->u->type[var->type].kind : KT_T_OTHER;
	return kind == KT_T_INT || kind == KT_T_BOOL;
}

bool callee_tests_value(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	bool tests = kt_is_stmt(up->kind) && up->kind != KT_RETURN && up->kind != KT_DECL;
	return tests || (up->kind == KT_UNARY && (up->op == KT_OP_LNOT || up->op == KT_OP_DEREF));
}

bool callee_reads_value(const struct callee *c, const struct kt_node *n)
{
	const struct kt_unit *u = c->u;
	const struct kt_node *up = n->parent;
	for (const struct kt_node *k = n; up->kind == KT_COND && k->slot != KT_COND_COND;) {
		k = up;
		up = up->parent;
	}
	bool gives =
		up->kind == KT_RETURN && u->type[u->fn[c->leaf[0].fn].ret].kind != KT_T_REFERENCE;
	return gives || callee_tests_value(n) || value_is_taken(u, n, 0);
}

/* Does the function that declares the variable use its place? A static one has the same in every
 * call. */
static bool shows_place(const struct callee *c, const struct kt_node *var)
{
	const struct kt_node *root = var;
	while (root->parent) {
		root = root->parent;
	}
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		bool hides = n->kind == KT_LAMBDA || n->kind == KT_ASM ||
			     n->kind == KT_EXPR_UNKNOWN || n->kind == KT_STMT_UNKNOWN;
		if (hides || (kt_names(n, var->sym) && !callee_reads_value(c, n))) {
			return true;
		}
	}
	return false;
}

/* Can the declaration of a constexpr constant, a number, be that of a const variable? floats: an
 * operation on floats leads from what differs to its value. At run time it might be contracted. */
static bool demote(struct constants *v, const struct kt_node *var, bool floats)
{
	struct callee *c = v->c;
	const struct kt_node *decl = var->parent;
	struct str t = c->p->text;
	if (!c->demotes || floats || decl->kind != KT_DECL ||
		(decl->flags | var->flags) & KT_F_MACRO || !callee_node_has(c, decl, "constexpr")) {
		return false;
	}
	for (size_t i = 0; i < decl->n; i++) {
		const struct kt_node *child = decl->child[i];
		if ((child != var && !stays_constant(v, child)) ||
			(c->u->sym[child->sym].is_static && shows_place(c, child))) {
			return false;
		}
	}
	size_t found = 0, end = c->u->sym[decl->child[0]->sym].at;
	lex_each (k, t, decl->begin, end) {
		bool word = lex_is(t, k, "constexpr") || lex_is(t, k, "static");
		if (lex_is(t, k, "const") || (k.kind == LEX_PUNCT && strchr("([", t.p[k.begin]))) {
			return false;
		}
		bool known = false;
		for (size_t i = 0; word && i < v->demoted.n; i++) {
			known |= v->demoted.v[i].begin == k.begin;
		}
		found += word;
		if (word && !known) {
			array_push(&v->demoted, ((struct span){k.begin, k.end}));
		}
	}
	return found > 0;
}

/* Can the initializer be constant, as far as it names variables? */
static bool can_be_constant(const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind == KT_REF && n->sym && !(n->flags & KT_F_VALUE)) {
			return false;
		}
	}
	return true;
}

/* Does the expression ask whether it is constant, or does a function that it calls? */
static bool asks_if_constant(const struct kt_unit *u, const struct kt_node *root, unsigned depth)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		const struct kt_fn *fn = n->kind == KT_CALL && n->fn ? &u->fn[n->fn] : NULL;
		const char *name = fn ? fn->base : n->kind == KT_CALL ? n->text : NULL;
		if (depth > CALLS_MAX ||
			(name && str_ends(str_of(name), "is_constant_evaluated")) ||
			(fn && fn->body && asks_if_constant(u, fn->body, depth + 1))) {
			return true;
		}
	}
	return false;
}

bool callee_asks_if_constant(const struct kt_unit *u, struct str text)
{
	struct lex_token before = {0};
	lex_each (k, text, 0, text.n) {
		struct str word = before.kind == LEX_WORD ? lex_text(text, before) : STR("");
		before = k;
		if (!lex_is(text, k, "(") || word.n == 0) {
			continue;
		}
		bool asks = str_ends(word, "is_constant_evaluated");
		for (kt_id id = 1; id < u->fns && !asks; id++) {
			const struct kt_fn *fn = &u->fn[id];
			asks = fn->base && str_is(word, fn->base) && fn->body &&
			       asks_if_constant(u, fn->body, 0);
		}
		if (asks) {
			return true;
		}
	}
	return false;
}

/* May this use be a run-time value? Follows constants computed from it. */
static bool may_vary(struct constants *v, const struct kt_node *use, struct str name)
{
	struct callee *c = v->c;
	const struct kt_node *k = use;
	bool floats = false; /* up to k */
	const char *why = callee_binding(c, k);
	if (why) {
		return refuse(v, CALLEE_CONSTANT, why, name);
	}
	for (const struct kt_node *up = k->parent; up; k = up, up = up->parent) {
		const struct kt_type *t = kt_type_of(c->u, up);
		if (up->kind == KT_CASE && k->slot != KT_CASE_STMT) {
			return refuse(v, CALLEE_CONSTANT,
				"differs between the arms, and is the value of a case", name);
		}
		bool object = up->flags & KT_F_METHOD && k->slot == 0;
		/* with a constant value it has compiled */
		if (kt_is_library_call(c->u, up) && !object && (k == use || kt_is_constant(k))) {
			return refuse(v, CALLEE_CONSTANT,
				"differs between the arms, and is passed to a builtin or a library "
				"function, which may need a constant",
				name);
		}
		if (up->kind == KT_IF && k->slot == KT_IF_COND && up->flags & KT_F_CONSTEXPR &&
			!unconst_if(v, up)) {
			return refuse(v, CALLEE_CONSTANT,
				"differs between the arms, and decides an 'if constexpr' of a "
				"macro",
				name);
		}
		if ((up->kind == KT_VAR || (up->kind == KT_IF && up->flags & KT_F_CONSTEXPR)) &&
			can_be_constant(k) && asks_if_constant(c->u, k, 0)) {
			return refuse(v, CALLEE_CONSTANT,
				"differs between the arms, and a function may ask whether a value "
				"computed from it is constant",
				name);
		}
		if (up->kind == KT_VAR) {
			bool number = t->kind == KT_T_INT || t->kind == KT_T_BOOL ||
				      t->kind == KT_T_FLOAT;
			bool constant = t->is_const && number && kt_is_constant(up->child[0]);
			if ((callee_node_has(v->c, up->parent, "constexpr") ||
				    c->u->sym[up->sym].is_static) &&
				!(constant && demote(v, up, floats))) {
				return refuse(v, CALLEE_CONSTANT,
					"differs between the arms, and a constexpr or static "
					"variable is computed from it",
					name);
			}
			if (constant) {
				add_constant(v, c->u->sym[up->sym].name);
			}
		}
		if (kt_is_stmt(up->kind) && up->kind != KT_DECL) {
			return true;
		}
		floats |= t->kind == KT_T_FLOAT && up->kind != KT_COND && up->kind != KT_CAST;
	}
	return true;
}

bool callee_is_taken(const struct callee *c, size_t at)
{
	bool taken = false;
	for (size_t i = 0; i < c->takens; i++) {
		taken |= c->taken[i].begin <= at && at < c->taken[i].end;
	}
	return taken;
}

/* For a tag's name in such arguments: is the argument just its value, or its negation? */
static bool is_tag_taken(const struct callee *c, const struct callee_tparam *tag, size_t at)
{
	struct callee_tag value;
	bool is = false;
	for (size_t i = 0; i < c->takens && callee_tag_of(&value, c, 0, tag->tag - 1); i++) {
		struct span s = c->taken[i];
		size_t word, begin = s.begin + str_starts(callee_text(c, s), "!");
		struct span form = callee_tag_form(c->p->text, begin, tag->name, &word);
		is |= value.named && word == at && form.end == s.end;
	}
	return is;
}

/* Is the statement in the wide part, also as a copy? */
static bool is_there(const struct callee *c, size_t s)
{
	bool there = s >= c->cut && callee_is_wide(c, s);
	for (size_t i = 0; i < c->copies; i++) {
		there |= c->copy[i].stmt == s;
	}
	return there;
}

/* decltype(K) and similar: a variable's type differs from a constant's. */
static bool asks_for_type(struct str t, struct lex_token k)
{
	return lex_is(t, k, "decltype") || lex_is(t, k, "typeof") || lex_is(t, k, "__typeof__") ||
	       lex_is(t, k, "__typeof");
}

/* Was every word of this name in the text seen in the tree, as a use of the value? */
static bool check_words(struct constants *v, struct str name, const struct callee_tparam *tag,
	const struct map *seen, struct span at)
{
	struct callee *c = v->c;
	struct str t = c->p->text;
	struct lex_token before = {0};
	size_t type_end = 0;
	lex_each (k, t, at.begin, at.end) {
		bool word = k.kind == LEX_WORD && str_eq(str_sub(t, k.begin, k.end), name);
		struct span line = {k.begin, k.end};
		bool member = lex_is_member_sign(t, before);
		uint64_t how = map_get_u64(seen, k.begin, 0);
		bool value = how == SEEN_AS_TAG || (how && k.begin >= type_end);
		if (asks_for_type(t, k) && k.end > type_end) {
			type_end = lex_close(t, lex_next(t, k.end).begin);
		}
		bool taken = callee_is_taken(c, k.begin) && (!tag || is_tag_taken(c, tag, k.begin));
		if ((word && !member && !value && !taken) ||
			(k.kind == LEX_DIRECTIVE && callee_has_word(t, line, name))) {
			return refuse(v, CALLEE_CONSTANT,
				"differs between the arms, and is needed at compile time", name);
		}
		before = k;
	}
	return true;
}

/* Every use in the text must be a value of the tree in some arm. */
static bool check_constant(struct constants *v, struct str name)
{
	struct callee *c = v->c;
	const struct callee_tparam *tag = callee_tag_named(c, name), *any = NULL;
	for (size_t i = 0; i < c->pattern.tparams; i++) {
		const struct callee_tparam *q = &c->pattern.tparam[i];
		any = q->tag && str_eq(q->name, name) ? q : any;
	}
	struct map seen = {0};
	bool ok = true;
	for (size_t i = 0; i < c->leaves && ok; i++) {
		for (size_t s = 0; s < c->body->n && ok; s++) {
			const struct kt_node *root =
				is_there(c, s) ? callee_body(c, i)->child[s] : NULL;
			for (const struct kt_node *k = root; k && ok; k = kt_next(k, root)) {
				bool literal =
					k->kind == KT_LITERAL && k->text && str_is(name, k->text);
				bool declared =
					k->kind == KT_VAR && str_is(name, c->u->sym[k->sym].name);
				size_t use = tag ? callee_tag_use(c, i, tag, k) : 0;
				if (any && !callee_tag_fits(c, i, any, k)) {
					ok = refuse(v, CALLEE_CONSTANT,
						"differs between the arms, and is more than a "
						"value",
						name);
				} else if (use) {
					map_set_u64(&seen, use - 1, SEEN_AS_TAG);
					ok = may_vary(v, k, name);
				} else if (!tag && (literal || callee_names_symbol(c, k, name))) {
					map_set_u64(&seen, k->begin, SEEN);
					ok = may_vary(v, k, name);
				} else if (declared) {
					map_set_u64(&seen, c->u->sym[k->sym].at, SEEN);
				}
			}
		}
	}
	ok = ok && check_words(v, name, tag, &seen, c->wide_text);
	for (size_t i = 0; i < c->copies && ok; i++) {
		const struct kt_node *d = c->body->child[c->copy[i].stmt];
		ok = check_words(v, name, tag, &seen, (struct span){d->begin, d->end});
	}
	map_release(&seen);
	return ok;
}

static bool check_constants(struct constants *v)
{
	struct callee *c = v->c;
	for (size_t i = 0; i < c->pattern.tparams; i++) {
		if (c->pattern.tparam[i].passed) {
			array_push(&v->name, c->pattern.tparam[i].name);
		}
	}
	for (size_t i = 0; i < c->pattern.of.tparams; i++) {
		if (c->pattern.of.tparam[i].passed) {
			array_push(&v->name, c->pattern.of.tparam[i].name);
		}
	}
	for (size_t i = 0; i < c->fields; i++) {
		const struct callee_field *f = &c->field[i];
		const struct kt_type *t = f->declared ? &c->u->type[f->declared->type] : NULL;
		bool integral = t && (t->kind == KT_T_INT || t->kind == KT_T_BOOL);
		if (integral && t->is_const && f->declared->n &&
			kt_is_constant(f->declared->child[0])) {
			add_constant(v, f->name);
		}
	}
	for (size_t i = 0; i < c->deriveds; i++) {
		array_push(&v->name, c->derived[i]);
	}
	for (size_t i = 0; i < c->takens; i++) {
		struct str taken = callee_text(c, c->taken[i]);
		if (callee_asks_if_constant(c->u, taken)) {
			return refuse(v, CALLEE_CONSTANT,
				"is a template argument, and may ask whether it is constant",
				taken);
		}
	}
	bool macros = callee_any_macro(c);
	for (size_t i = 0; i < v->name.n; i++) {
		if (!check_constant(v, v->name.v[i])) {
			return false;
		}
		if (macros && plan_macro_names(c->p, v->name.v[i])) {
			return refuse(v, CALLEE_CONSTANT, "is used by a macro", v->name.v[i]);
		}
	}
	return true;
}

static bool check_template(struct constants *v)
{
	struct callee *c = v->c;
	if (v->name.n && callee_has_word(c->p->text, c->pattern.head, STR("decltype"))) {
		return refuse(v, CALLEE_CONSTANT,
			"differs between the arms, and decltype(auto) may depend on it",
			v->name.v[0]);
	}
	const char *late = callee_late_name(c);
	return !late || refuse(v, CALLEE_CONSTANT,
				"is declared after the function: only a template may find that",
				str_of(late));
}

/* A parameter passed to a library function: the compiler may fold the call differently for a
 * constant. */
static bool check_library_arguments(struct constants *v)
{
	struct callee *c = v->c;
	for (size_t i = 0; i < c->pattern.params; i++) {
		const struct callee_param *q = &c->pattern.param[i];
		bool constant = false;
		for (size_t k = 0; k < c->leaves && q->passed; k++) {
			const struct kt_node *arg = callee_argument(c, k, i);
			constant |= arg && kt_is_constant(arg);
		}
		for (size_t k = 0; constant && k < c->leaves; k++) {
			for (size_t s = c->cut; s < c->body->n; s++) {
				const struct kt_node *root =
					callee_is_wide(c, s) ? callee_body(c, k)->child[s] : NULL;
				for (const struct kt_node *r = root; r; r = kt_next(r, root)) {
					const struct kt_node *up = r;
					while (up != root && !kt_is_library_call(c->u, up)) {
						up = up->parent;
					}
					if (callee_names_symbol(c, r, q->name) &&
						kt_is_library_call(c->u, up)) {
						return refuse(v, CALLEE_CONSTANT,
							"is a constant in an arm, and is passed to "
							"a builtin or a library function",
							q->name);
					}
				}
			}
		}
	}
	return true;
}

bool callee_check_constants(struct callee *c)
{
	struct constants v = {.c = c};
	bool ok = check_constants(&v) && check_template(&v) && check_library_arguments(&v);
	array_move(c->unconst, c->unconsts, c->p->a, &v.unconst);
	array_move(c->demoted, c->demoteds, c->p->a, &v.demoted);
	array_move(c->varied, c->varieds, c->p->a, &v.name);
	return ok;
}
