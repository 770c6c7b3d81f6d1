/*
 * Functions of a class template whose arguments differ. The new function stands after the class,
 * and takes the class's template parameters as its own:
 *
 *   template <bool First> struct step {              void step_run_any(T &acc, const bool first)
 *           static void run(T &acc)          =>      {
 *           {                                                ...
 *                   ...                              }
 *
 *   step<true>::run(acc);    step<true>{}(acc);
 *
 * Done if the function uses nothing of the class but these parameters, its types and constants
 * (scope.c), and data members of an object that is made for the call (step<true>{scale}(acc), or
 * step<true> s{scale}; s(acc)), which become arguments as well. It is an aggregate, or its
 * constructor only stores arguments. Each call writes all of the class's arguments, and those of
 * the object.
 */
#include <string.h>

#include "frontend/text/lex.h"
#include "strategy/extract/needs.h"
#include "strategy/text/text.h"
#include "strategy/unify/unify.h"

static bool check_place(struct unify_function *f)
{
	struct callee *c = &f->c;
	struct str t = c->p->text;
	const struct kt_node *call = c->from ? c->from : c->m->node;
	struct lex_token last = lex_next(t, c->pattern.of.all.end);
	struct str class = callee_class_name(&c->u->fn[c->leaf[0].fn]);
	f->outside = last.end;
	if (!lex_is(t, last, ";") || (last.end > call->begin && !f->own)) {
		return callee_refuse_text(c, "its class ends after the call, or in a declaration");
	}
	if (c->leaf[0].text.prefix.end == c->leaf[0].text.prefix.begin && !callee_names_found(c)) {
		return callee_refuse_text(c, "its class is in another namespace than the call");
	}
	if (unify_has_heir(c->p, callee_class_word(class))) {
		return callee_refuse_text(c, "a class or alias of its class's name may inherit it");
	}
	return !callee_befriended(c, callee_class_word(class)) ||
	       callee_refuse_text(c, "its class is a friend of another one");
}

/* The expression that makes the object of a leaf's call; NULL: none. */
static const struct kt_node *making(const struct callee_leaf *l)
{
	const struct kt_node *call = l->call;
	const struct kt_node *by = l->made ? l->made : call->flags & KT_F_METHOD ? call : NULL;
	return by && by->n ? kt_past_casts(by->child[0]) : NULL;
}

/* Is the object declared in front of the merge? There it stays. */
static bool is_in_front(const struct callee *c, const struct callee_leaf *l)
{
	return l->made && l->made->end <= c->m->node->begin;
}

bool unify_check_object(struct callee *c, const struct callee_leaf *l)
{
	const struct kt_node *make = making(l);
	if (is_in_front(c, l)) {
		return true;
	}
	bool own = !l->made && l->call->flags & KT_F_METHOD && !make; /* of *this */
	bool acts = own || (make && facts_acts(c->f, l->made ? l->made : make));
	return !acts || callee_refuse_text(c, "making its object has a side effect");
}

/* Reads the class's arguments in the calls of the arms. */
bool unify_read_classes(struct unify *u)
{
	struct unify_function *f = u->fn[0];
	for (size_t i = 0; i < u->tree.leaves; i++) {
		struct callee_leaf *l = &u->tree.leaf[i];
		const struct kt_node *front = unify_in_front(u, l);
		l->made = front ? front : l->made;
		if ((!l->text.of_class && !callee_read_class_call(&f->c, l)) ||
			!unify_check_object(&f->c, l)) {
			return false;
		}
		for (size_t k = 0; k < l->text.of_class; k++) {
			l->text.targ[k] = unify_resolved(u, l, l->text.targ[k]);
		}
		f->c.leaf[i] = *l;
	}
	return true;
}

/* ---- the data members ---- */

typedef ARRAY(struct unify_member) member_array;
typedef ARRAY(struct unify_declared) declared_array;

/* The end of the declarator, its initializer included, from a place on; *value: the initializer.
 * SIZE_MAX: not understood. */
static size_t after_declarator(struct span *value, struct str t, size_t from, size_t end)
{
	struct lex_token sign = lex_next(t, from), next = lex_next(t, sign.end);
	size_t at = sign.begin;
	*value = (struct span){0};
	if (at >= end || lex_is(t, sign, ",")) {
		return at < end ? at : end;
	}
	if (lex_is(t, sign, "{")) {
		at = lex_close(t, sign.begin);
		*value = (struct span){next.begin, at};
		return at < end ? at + 1 : SIZE_MAX;
	}
	if (!lex_is(t, sign, "=") || lex_is(t, next, "=")) {
		return SIZE_MAX;
	}
	lex_each (k, t, sign.end, end) {
		bool opens = lex_is(t, k, "(") || lex_is(t, k, "[") || lex_is(t, k, "{");
		if (lex_is(t, k, ",") || lex_is(t, k, "<") || lex_is(t, k, ">")) {
			*value = (struct span){next.begin, k.begin};
			return lex_is(t, k, ",") ? k.begin : SIZE_MAX;
		}
		k.end = opens ? lex_close(t, k.begin) + 1 : k.end;
	}
	*value = (struct span){next.begin, end};
	return end;
}

/* Reads TYPE NAME, also with a default, and several: float x, y = 2; false: it declares something
 * else, or is not understood. */
static bool read_member(member_array *out, const struct callee *c, struct span at)
{
	static const char *const words[] = {"static", "using", "typedef", "friend", "enum",
		"struct", "class", "union", "mutable", "volatile", "template", NULL};
	struct str t = c->p->text;
	struct lex_token name = {0};
	bool plain = true, leads = false;
	size_t n = 0, end = at.begin;
	for (struct lex_token k = lex_next(t, at.begin); plain && k.begin < at.end;
		k = lex_next(t, k.end)) {
		if (k.kind == LEX_PUNCT && strchr("={,", t.p[k.begin])) {
			break;
		}
		plain = k.kind == LEX_WORD ? !str_is_any(lex_text(t, k), words)
					   : strchr("*&<>:", t.p[k.begin]) != NULL;
		leads |= lex_is(t, k, "*") || lex_is(t, k, "&");
		n += k.kind == LEX_WORD;
		name = k;
		end = k.end;
	}
	if (!plain || n < 2 || name.kind != LEX_WORD) {
		return false;
	}
	const struct span type = {at.begin, name.begin};
	for (;;) {
		struct unify_member m = {.text = {at.begin, name.end},
			.type = type,
			.name = lex_text(t, name),
			.i = out->n};
		end = after_declarator(&m.value, t, end, at.end);
		array_push(out, m);
		if (end == SIZE_MAX || end >= at.end) {
			return end != SIZE_MAX;
		}
		name = lex_next(t, end + 1);
		end = name.end;
		if (name.kind != LEX_WORD || leads) { /* each may have a * of its own */
			return false;
		}
	}
}

/* After a constructor whose parameters open there; SIZE_MAX: not understood. */
static size_t after_constructor(struct str t, size_t open)
{
	size_t close = lex_close(t, open);
	struct lex_token k = lex_next(t, close < t.n ? close + 1 : t.n);
	bool list = false;
	while (k.kind != LEX_END && !lex_is(t, k, ";")) {
		bool brace = lex_is(t, k, "{");
		list |= lex_is(t, k, ":");
		close = brace || lex_is(t, k, "(") ? lex_close(t, k.begin) : k.begin;
		struct lex_token next = lex_next(t, close < t.n ? close + 1 : t.n);
		bool more = lex_is(t, next, ",") || lex_is(t, next, "{");
		if (brace && !(list && more)) { /* the body, not a member's initializer */
			return close < t.n ? close + 1 : SIZE_MAX;
		}
		k = close > k.begin ? next : lex_next(t, k.end);
	}
	return k.end;
}

/* Reads types and constants, and all data members; false: there is something that may be a member,
 * or a constructor in an aggregate. */
static bool read_class(
	member_array *out, declared_array *declared, const struct callee *c, bool constructs)
{
	static const char *const access[] = {"public", "protected", "private", NULL};
	struct str t = c->p->text;
	struct span body = c->pattern.of.body;
	struct str class = callee_class_word(callee_class_name(&c->u->fn[c->leaf[0].fn]));
	size_t from = body.begin + 1;
	bool round = false;
	lex_each (k, t, from, body.end) {
		struct lex_token next = lex_next(t, k.end);
		bool paren = lex_is(t, k, "("), brace = lex_is(t, k, "{");
		if (str_eq(lex_text(t, k), class) && lex_is(t, next, "(")) {
			size_t end = constructs ? after_constructor(t, next.begin) : SIZE_MAX;
			if (end >= body.end) {
				return false;
			}
			k.end = from = end;
			continue;
		}
		if (paren || brace) {
			k.end = lex_close(t, k.begin) + 1;
			round |= paren;
		}
		if (str_is_any(lex_text(t, k), access) && lex_is(t, next, ":")) {
			k.end = from = next.end;
		} else if (brace && round && !lex_is(t, lex_next(t, k.end), ";")) {
			from = k.end; /* a function */
			round = false;
		} else if (lex_is(t, k, ";")) {
			struct span at = {lex_skip_space(t, from), k.begin};
			struct lex_token first = lex_next(t, from);
			struct unify_declared d;
			bool other = lex_is(t, first, "static") || lex_is(t, first, "using") ||
				     lex_is(t, first, "typedef") || lex_is(t, first, "constexpr") ||
				     first.begin == k.begin;
			for (size_t i = 0; other && unify_read_declared(&d, c, at, i); i++) {
				array_push(declared, d);
			}
			if (!other && !read_member(out, c, at)) {
				return false;
			}
			from = k.end;
			round = false;
		}
	}
	return true;
}

/* Does the parameter give the member its value without a conversion, or its referent? */
static bool is_stored(const struct kt_unit *u, kt_id param, kt_id member)
{
	const struct kt_type *from = &u->type[u->sym[param].type];
	const struct kt_type *to = &u->type[u->sym[member].type];
	if (!from->canon || !to->canon) {
		return false;
	}
	if (to->kind == KT_T_REFERENCE) {
		return strcmp(from->canon, to->canon) == 0;
	}
	from = kt_object_type(u, u->sym[param].type);
	return from->canon && !from->is_volatile && !to->is_volatile &&
	       (kt_is_scalar(to) || to->trivial) &&
	       str_eq(kt_type_bare(from, true), kt_type_bare(to, true));
}

/* Has the constructor an empty body, and gives values to members alone, without an effect? */
static bool is_plain_constructor(const struct callee *c, const struct kt_fn *fn)
{
	const struct kt_node *body = fn->body;
	const struct kt_node *last = body && body->n ? body->child[body->n - 1] : NULL;
	bool plain = last && last->kind == KT_COMPOUND && !last->n;
	for (size_t i = 0; plain && i + 1 < body->n; i++) {
		const struct kt_node *set = body->child[i];
		const struct kt_node *to =
			set->kind == KT_ASSIGN && set->n == 2 ? set->child[0] : NULL;
		plain = to && to->kind == KT_MEMBER && !(to->n && to->child[KT_MEMBER_BASE]) &&
			!facts_acts(c->f, set->child[1]); /* may change an argument, a member */
	}
	return plain;
}

/* The argument of a constructor that it stores in the member; SIZE_MAX: it does something else. */
static size_t stored_argument(const struct callee *c, const struct kt_node *make, struct str member)
{
	const struct kt_fn *fn = &c->u->fn[make->fn];
	size_t at = SIZE_MAX, n = is_plain_constructor(c, fn) ? fn->body->n : 0;
	for (size_t i = 0; i + 1 < n; i++) {
		const struct kt_node *set = fn->body->child[i], *to = set->child[0];
		const struct kt_node *value = set->child[1];
		bool braces = value->kind == KT_INIT_LIST && value->n == 1 &&
			      kt_is_scalar(kt_type_of(c->u, value));
		value = braces ? value->child[0] : value;
		for (size_t k = 0; k < fn->params && str_is(member, c->u->sym[to->sym].name); k++) {
			bool stores = kt_names(value, fn->param[k]) &&
				      is_stored(c->u, fn->param[k], to->sym);
			at = stores ? k : at;
		}
	}
	return at;
}

bool unify_declares_local(const struct callee *c, struct str name)
{
	bool any = false;
	for (kt_id id = 1; id < c->u->syms; id++) {
		const struct kt_sym *s = &c->u->sym[id];
		any |= s->name && str_is(name, s->name) && s->file == c->body->file &&
		       s->at >= c->pattern.all.begin && s->at < c->pattern.all.end;
	}
	return any;
}

static const char *const numbers[] = {
	"bool", "char", "short", "int", "long", "unsigned", "signed", "float", "double", NULL};

/* Is it a cast to a number by its own name? By another one it may be to a reference. */
static bool makes_number(struct str t, const struct kt_node *cast)
{
	bool makes = cast->n > 0;
	lex_each (k, t, cast->begin, makes ? cast->child[0]->begin : cast->begin) {
		makes &= k.kind == LEX_WORD ? str_is_any(lex_text(t, k), numbers) ||
						      lex_is(t, k, "static_cast")
					    : strchr("(){}<>", t.p[k.begin]) != NULL;
	}
	return makes;
}

/* Is n a member of *this whose value is neither just read nor set by its name? From its place other
 * members are near, which become arguments of their own. A member that is a reference stays one. */
static bool shows_place(const struct callee *c, const struct kt_node *n)
{
	const struct kt_unit *u = c->u;
	const struct kt_node *base = n->kind == KT_MEMBER && n->n ? n->child[KT_MEMBER_BASE] : NULL;
	bool own = n->kind == KT_MEMBER && n->sym && (!base || base->kind == KT_THIS);
	if (!own || u->type[u->sym[n->sym].type].kind == KT_T_REFERENCE) {
		return false;
	}
	const struct kt_node *part = n;
	while ((part->parent->kind == KT_MEMBER || part->parent->kind == KT_INDEX) &&
		part->slot == 0 && kt_type_of(u, part)->kind != KT_T_POINTER) {
		part = part->parent;
	}
	const struct kt_node *up = part->parent;
	if (up->kind == KT_CAST && !makes_number(c->p->text, up)) {
		return true;
	}
	bool set = kt_is_step(up) || (up->kind == KT_ASSIGN && part->slot == 0);
	return !set && !callee_reads_value(c, part);
}

/* Is a member more than its name in the function? A lambda may capture *this, and then sees changes
 * of a member; the declared type of a member is not const, but that of a parameter may be. */
static bool shows_members(const struct callee *c)
{
	static const char *const word[] = {"decltype", "typeof", "__typeof__", "__typeof"};
	bool shows = false;
	for (size_t i = 0; i < c->leaves; i++) {
		const struct kt_node *root = callee_body(c, i);
		for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
			shows |= n->kind == KT_LAMBDA || shows_place(c, n);
		}
	}
	for (size_t i = 0; i < sizeof(word) / sizeof(word[0]); i++) {
		shows |= callee_has_word(c->p->text, c->pattern.body, str_of(word[i]));
	}
	return shows;
}

/* Is the member an array, by the name of its type? A parameter would be a pointer. */
static bool is_array(const struct callee *c, struct str name)
{
	bool is = false;
	for (size_t i = 0; i < c->leaves; i++) {
		const struct kt_node *root = callee_body(c, i);
		for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
			const struct kt_sym *s = &c->u->sym[n->kind == KT_MEMBER ? n->sym : 0];
			is |= s->name && str_is(name, s->name) &&
			      c->u->type[s->type].kind == KT_T_ARRAY;
		}
	}
	return is;
}

static bool is_declared(const struct unify_function *f, struct str word)
{
	bool is = false;
	for (size_t i = 0; i < f->declareds; i++) {
		is |= str_eq(f->declared[i].name, word);
	}
	return is;
}

/* May a name in a text mean something else after the class? */
static bool names_class(const struct unify_function *f, struct span text)
{
	const struct callee *c = &f->c;
	bool names = false;
	lex_each (k, c->p->text, text.begin, text.end) {
		struct str word = lex_text(c->p->text, k);
		names |= k.kind == LEX_WORD && !is_declared(f, word) &&
			 (callee_class_declares(c, word) || unify_declares_local(c, word));
	}
	return names;
}

/* Do the types of the members, and what the function declares, keep their meaning after the class?
 */
static bool check_names(struct unify_function *f)
{
	bool names = false;
	for (size_t i = 0; i < f->members; i++) {
		const struct unify_member *m = &f->member[i];
		names |= names_class(f, m->type);
	}
	for (size_t i = 0; i < f->declareds; i++) {
		names |= names_class(f, f->declared[i].of);
	}
	return !names || callee_refuse_text(&f->c,
				 "a type or constant of its class uses others of it, or a name "
				 "that means something else in the function");
}

static bool is_reference(struct str t, const struct unify_member *m)
{
	return lex_find(t, m->type.begin, m->type.end, '&') < m->type.end;
}

/* Does the member get its initializer in the class, a literal, where the object is made? */
static bool has_own_value(
	const struct unify_function *f, const struct kt_node *make, const struct unify_member *m)
{
	const struct callee *c = &f->c;
	const struct kt_fn *fn = make && make->kind == KT_CONSTRUCT ? &c->u->fn[make->fn] : NULL;
	bool literal =
		m->value.end && unify_is_writable(f, m->value) && !is_reference(c->p->text, m);
	bool set = !fn || !fn->body;
	size_t sets = !set && literal && is_plain_constructor(c, fn) ? fn->body->n : 0;
	for (size_t i = 0; !set && i + 1 < sets; i++) {
		const struct kt_node *n = fn->body->child[i];
		set = n->flags & KT_F_IMPLICIT && str_is(m->name, c->u->sym[n->child[0]->sym].name);
	}
	return literal && set;
}

/* Where the object has no constructor that is written, the initializers of its members run without
 * a node in the tree. */
static bool initializers_act(const struct unify_function *f, const struct kt_node *make,
	const member_array *all, size_t given)
{
	const struct kt_fn *fn = make && make->kind == KT_CONSTRUCT ? &f->c.u->fn[make->fn] : NULL;
	bool act = false;
	for (size_t i = given; i < all->n && !(fn && fn->body); i++) {
		const struct unify_member *m = &all->v[i];
		act |= m->value.end > m->value.begin && !unify_is_writable(f, m->value);
	}
	return act;
}

/* Finds the value of a member: an argument of the object, or a literal. */
static bool find_value(const struct unify_function *f, const struct kt_node *make,
	struct unify_member *m, size_t n)
{
	const struct callee *c = &f->c;
	bool constructs = make && make->kind == KT_CONSTRUCT;
	m->i = constructs ? stored_argument(c, make, m->name) : m->i;
	const struct kt_node *x =
		constructs && m->i >= n && m->i < make->n ? make->child[m->i] : NULL;
	if (x && x->kind == KT_LITERAL && x->flags & KT_F_IMPLICIT && x->text) {
		m->literal = str_of(x->text);
		return lex_next(m->literal, 0).kind == LEX_NUMBER ||
		       kt_type_of(c->u, x)->kind == KT_T_BOOL;
	}
	m->initialized = m->i >= n && has_own_value(f, make, m);
	if (m->initialized) {
		m->literal = callee_text(c, m->value);
	}
	return m->i < n || m->initialized;
}

/* Finds the members, types and constants that the function uses. */
static bool find_members(struct unify_function *f)
{
	struct callee *c = &f->c;
	member_array all = {0}, used = {0};
	declared_array declared = {0};
	const struct callee_leaf *l = &c->leaf[0];
	size_t n = l->text.objects;
	const struct kt_node *make = f->own ? NULL : making(l);
	bool constructs = !make || make->kind == KT_CONSTRUCT;
	bool whole = read_class(&all, &declared, c, constructs);
	bool object =
		f->own ? l->call->flags & KT_F_METHOD : l->made || l->call->flags & KT_F_METHOD;
	bool front = true;
	f->drops = whole;
	for (size_t i = 0; i < c->leaves; i++) {
		front &= is_in_front(c, &c->leaf[i]);
		f->drops &= !initializers_act(f, making(&c->leaf[i]), &all, 0);
	}
	bool fits = n == 0 || (!c->from && make && whole && (constructs || all.n >= n));
	bool ok = front || !object ||
		  (whole && (f->own || !initializers_act(f, make, &all, constructs ? 0 : n)));
	ok &= fits || front;
	bool reads = fits && whole && object && (!c->from || f->own);
	for (size_t i = 0; i < all.n && ok && reads; i++) {
		struct unify_member *m = &all.v[i];
		if (unify_uses_member(f, m->name)) {
			ok = !unify_declares_local(c, m->name) && !is_array(c, m->name) &&
			     (f->own || find_value(f, make, m, n));
			array_push(&used, *m);
		}
	}
	array_move(f->all, f->alls, c->p->a, &all);
	array_move(f->member, f->members, c->p->a, &used);
	bool ours = unify_use_declared(f, declared.v, declared.n);
	array_release(&declared);
	ok = ok && !(f->members && shows_members(c));
	return ok ? ours && check_names(f)
		  : callee_refuse_text(c, "its class is not a plain aggregate, or has members or a "
					  "constructor that are not understood");
}

struct str unify_member_value(const struct unify_function *f, const struct unify_member *m)
{
	const struct callee_call *first = &f->c.leaf[0].text;
	return m->literal.n ? m->literal : str_trim(callee_text(&f->c, first->object[m->i]));
}

/* Is all of the member given by this one text of an aggregate's list? Inner braces may be left out:
 * then a member takes several. */
static bool is_given(const struct callee *c, const struct unify_member *m,
	const struct kt_node *value, struct span text)
{
	struct str t = c->p->text;
	const struct kt_type *from = kt_type_of(c->u, value);
	bool all = lex_is(t, lex_next(t, text.begin), "{"), seen = false;
	lex_each (k, t, m->type.begin, m->type.end) {
		all |= str_is_any(lex_text(t, k), numbers) || strchr("*&", t.p[k.begin]);
	}
	for (kt_id id = 1; id < c->u->syms && !all; id++) {
		const struct kt_sym *s = &c->u->sym[id];
		bool own = s->file == c->body->file && s->at == (size_t)(m->name.p - t.p);
		const struct kt_type *to = &c->u->type[s->type];
		bool one = own && (kt_is_scalar(to) || (from->canon && to->canon &&
							       str_eq(kt_type_bare(from, true),
								       kt_type_bare(to, true))));
		if (own && !one) {
			return false;
		}
		seen |= own;
	}
	return all || seen;
}

/* Is each member up to i given by one text? */
static bool are_given(const struct unify_function *f, const struct kt_node *make,
	const struct callee_call *text, size_t i)
{
	bool are = true;
	for (size_t k = 0; k <= i && make->kind != KT_CONSTRUCT; k++) {
		are &= is_given(&f->c, &f->all[k], make->child[k], text->object[k]);
	}
	return are;
}

/* Do the objects of two arms have the same values in the members that are used? */
static bool has_same_members(const struct unify *u, struct unify_function *f, size_t leaf)
{
	struct callee *c = &f->c;
	const struct callee_call *first = &c->leaf[0].text, *own = &c->leaf[leaf].text;
	const struct kt_node *x = making(&c->leaf[0]), *y = making(&c->leaf[leaf]);
	bool same = first->objects == own->objects && !x == !y &&
		    (!y || (x->kind == y->kind && x->n == y->n && x->n >= own->objects));
	for (size_t i = 0; i < f->members && same; i++) {
		const struct unify_member *m = &f->member[i];
		const struct kt_node *value =
			y && !m->literal.n && m->i < y->n ? y->child[m->i] : NULL;
		bool refers = value && value->kind == KT_REF && is_reference(c->p->text, m);
		same = unify_keeps(u, &c->leaf[leaf], refers ? NULL : value);
		if (m->initialized) {
			same = same && has_own_value(f, y, m);
			continue;
		}
		if (m->literal.n) {
			same = same && y && stored_argument(c, y, m->name) == m->i && m->i < y->n &&
			       pair_equal(c->f, x->child[m->i], y->child[m->i]);
			continue;
		}
		same = same && y && are_given(f, y, own, m->i) &&
		       pair_equal(c->f, x->child[m->i], y->child[m->i]) &&
		       needs_same_tokens(c->p->text, first->object[m->i], own->object[m->i]) &&
		       !needs_names_arm_local(c, own->object[m->i]) &&
		       !unify_names_row(u, own->object[m->i]) &&
		       (y->kind != KT_CONSTRUCT || stored_argument(c, y, m->name) == m->i);
	}
	return same;
}

bool unify_check_members(struct unify *u)
{
	struct unify_function *f = u->fn[0];
	for (size_t k = 0; k < f->c.leaves && f->members; k++) {
		if (!has_same_members(u, f, k)) {
			return plan_refuse(u->p, UNIFY_SAME,
				"the arms make objects with other values, or in an unusual way");
		}
	}
	return true;
}

struct lex_token unify_const_word(const struct unify_function *f)
{
	struct str t = f->c.p->text;
	struct span rest = f->c.pattern.rest;
	lex_each (k, t, rest.begin, rest.end) {
		if (lex_is(t, k, "const")) {
			return k;
		}
		if (lex_is(t, k, "-")) {
			break;
		}
	}
	return (struct lex_token){0};
}

struct str unify_member_text(const struct unify_function *f, const struct unify_member *m)
{
	const struct callee *c = &f->c;
	struct str type = unify_spelled(f, m->type);
	bool constant = unify_const_word(f).end > 0;
	if (!constant || str_holds(type, STR("&"))) {
		return str_of(arena_printf(c->p->a, "%.*s%.*s", STR_ARG(type), STR_ARG(m->name)));
	}
	size_t star = type.n;
	while (star > 0 && type.p[star - 1] != '*') {
		star--;
	}
	bool pointer = star > 0; /* const T *const */
	bool has = callee_has_word(type, (struct span){star, type.n}, STR("const"));
	return str_of(arena_printf(c->p->a, "%s%.*s%s%.*s", pointer || has ? "" : "const ",
		STR_ARG(type), pointer && !has ? "const " : "", STR_ARG(m->name)));
}

/* ---- the function ---- */

bool unify_leave_class(struct unify_function *f)
{
	struct callee *c = &f->c;
	struct callee_pattern *p = &c->pattern;
	if (p->lambda || !callee_read_class(c) || !check_place(f) || !find_members(f)) {
		return false;
	}
	for (size_t i = 0; i < c->leaves; i++) {
		if (c->leaf[i].text.of_class != p->of.tparams) {
			return callee_refuse_text(
				c, "a call of it leaves out a template argument of its class");
		}
	}
	struct str *derived = ARENA_ARRAY(c->p->a, struct str, f->declareds);
	struct str *method = NULL;
	size_t deriveds = 0, methods = unify_own_names(f, &method);
	size_t names = f->members + f->declareds;
	struct str *name = ARENA_ARRAY(c->p->a, struct str, names + methods);
	for (size_t i = 0; i < f->members; i++) {
		name[i] = f->member[i].name;
	}
	for (size_t i = 0; i < f->declareds; i++) {
		name[f->members + i] = f->declared[i].name;
		if (f->declared[i].depends) {
			derived[deriveds++] = f->declared[i].name;
		}
	}
	for (size_t i = 0; i < methods; i++) {
		name[names + i] = method[i];
	}
	if (!callee_stands_outside(c, name, names + methods, derived, deriveds)) {
		return false;
	}
	size_t n = p->of.tparams + p->tparams;
	struct callee_tparam *all = ARENA_ARRAY(c->p->a, struct callee_tparam, n);
	for (size_t i = 0; i < n; i++) {
		all[i] = i < p->of.tparams ? p->of.tparam[i] : p->tparam[i - p->of.tparams];
	}
	p->tparam = all;
	p->tparams = n;
	f->to = ARENA_ARRAY(c->p->a, const char *, n);
	p->called = unify_name_outside(f);
	return true;
}

struct str unify_outdented(const struct unify_function *f, struct str text)
{
	struct str t = f->c.p->text;
	struct str from = text_indent(t, f->c.pattern.all.begin);
	struct str to = text_indent(t, f->c.pattern.of.all.begin);
	struct sbuf out = {0};
	if (str_eq(str_sub(text, 0, from.n), from)) { /* its first line, too */
		sbuf_addstr(&out, to);
		text = str_sub(text, from.n, text.n);
	}
	text_add_reindented(&out, text, from, to);
	return sbuf_finish(&out, f->c.p->a);
}
