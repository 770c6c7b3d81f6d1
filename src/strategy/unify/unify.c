/*
 * unify: arms that call instances of one function template become one call of a new function, which
 * takes the differing template arguments as run-time arguments. Functions to which it passes them
 * as template arguments are rewritten in the same way.
 *
 * BEFORE                                  AFTER
 *   template <bool First>                   void step_any(T &acc, float x, const bool first)
 *   void step(T &acc, float x)              {
 *   {                                               if (!first) {
 *           if constexpr (!First) {                         acc *= scale_any(x, first);
 *                   acc *= scale<First>(x);         }
 *           }                                       acc += x;
 *           acc += x;                       }
 *   }
 *
 *   if (t == 0) {                           step_any(acc, x, t == 0);
 *           step<true>(acc, x);
 *   } else {
 *           step<false>(acc, x);
 *   }
 *
 * Ifs, else-if chains, switches and ?: that are whole arms are included. So are arms that return:
 *
 * BEFORE                                  AFTER
 *   if (c == 0) {                           return step(acc, x, c == 0 ? 1 : c == 1 ? 2 : 3);
 *           return step<1>(acc, x);
 *   }
 *   if (c == 1) {
 *           return step<2>(acc, x);
 *   }
 *   return step<3>(acc, x);
 *
 * The new lambda is written next to the old one if that has other callers, else in its place:
 *
 *   auto step = [&]<bool First>() {         auto step = [&](const bool first) {
 *           acc = First ? x : acc;                  acc = first ? x : acc;
 *   };                                      };
 *   i == 0 ? step.operator()<true>()        step(i == 0);
 *          : step.operator()<false>();
 *
 * A tag, an argument that carries a value in its type, counts as a template argument:
 *
 *   auto step = [&](auto first) {           auto step = [&](const bool first) {
 *           if constexpr (first.value) {            if (first) {
 *                   ...                                     ...
 *   };                                      };
 *   if (i == 0) {                           step(i == 0);
 *           step(std::true_type{});
 *   } else {
 *           step(std::false_type{});
 *   }
 *
 * Three or more calls of one instance that differ only in arguments become one call of it.
 *
 * Arms may have several such calls, as many in each (rows.c). Each row of them becomes one call; a
 * statement that is the same in all arms is written once:
 *
 *   if (k + 4 <= n) {                       const bool tail = k + 4 > n;
 *           load<false>(x, k);              load(x, k, tail);
 *           __syncthreads();                __syncthreads();
 *           step<false>(acc, x);            step(acc, x, tail);
 *   } else { ...
 *
 * Legal when
 *  1. every arm has one statement: a call of the same function template, or an assignment of its
 *     result to the same object, or a return of it; or a return follows it, or the ifs around it,
 *     in all arms. If a path has no arm and does not return, the call is under an if. Before the
 *     call an arm may declare constants with a number, true, false or an enumerator as value, for
 *     use as template arguments, and objects without a destructor, whose only uses are the calls. A
 *     ?: is a merge whose arms are calls of its own type. With several calls, or statements that
 *     are the same in all arms, each arm has as many, only the last one returns, and none is under
 *     a condition of its own. Such a statement may declare variables, of the same names and types
 *     in all arms, with a call as value or the same one; no condition has such a name;
 *  2. that function, and those that get its differing arguments, are defined in this file before
 *     the function of the merge, each before its callers, with plain text (clause 22 of hoist);
 *     neither they nor the merge come from macros. An operator() is called by name. A lambda is
 *     declared as auto in the function of the merge, is not mutable, and captures only numbers and
 *     pointers by copy; none of the other functions is a lambda. A function of a class template
 *     whose arguments differ uses nothing else of the class, which has no base, except types
 *     that do not differ and values of constants that it declares (scope.c), other methods that it
 *     calls for its object, if no member changes that these use (own.c), and data members
 *     of an object that each arm makes for its call, with equal values in all arms: of an
 *     aggregate, or of a class whose constructor has an empty body and stores arguments in these
 *     members, without a conversion; a member may also have a literal as its initializer. The
 *     object may be declared in front of the merge, if no code changes it, or the variables that
 *     these values are read from, up to the merge, and each name in the declaration means the same
 *     there. The calls write all template arguments of the class (class.c). A narrow function
 *     among these that this list refuses may stay a template (apart.c);
 *  3. the calls have the same arguments; a default one is a literal or an enumerator, and is
 *     written down. Only these may differ: template
 *     arguments that are written out or have a literal or an enumerator as default; tags; and
 *     integers and pointers of one type, which a ?: selects, if no number that is constant in an
 *     arm may reach a library function. Template arguments of an integer type are numbers, names,
 *     or expressions of these without a call, each converted to the parameter's type. A tag is an
 *     object without members for a parameter by value, of type auto, of the template's own, or
 *     integral_constant<T, P> or bool_constant<P>, whose class ends in a number, true or false. An
 *     object for several calls has at each the values that it was made with, and its arm's code
 *     before the call changes nothing that they are read from;
 *  4. no condition or argument has an effect or uses a variable of an arm, and no arm declares or
 *     names a type or a namespace (struct, class, union, enum, typedef, using); only the header of
 *     the outermost if or switch has a statement: it declares or assigns numbers, pointers or
 *     references, and no product; a condition that is used in more than one argument reads only
 *     variables of the function. What several calls need of the conditions is computed before
 *     them, or after some of them only if they change nothing that the conditions read;
 *  5. a template parameter that differs is only used as a value: not in a type, the function's
 *     header, a template argument of another function, a case, a builtin's argument, a static
 *     variable, a reference, a braced list or a macro, and not where it may select an overload (if
 *     constexpr becomes if). A constexpr number that is computed from it, without an operation on
 *     floats, becomes a const variable, for which the same holds, and 7. It may be passed on as a
 *     template argument, too. If it is static, only its value is used. No code asks whether such a
 *     value is constant. No function declared after the template is called, since only a template
 *     finds it. Arguments of macros count as text if the macros only calculate with them or pass
 *     them to builtins. A tag's value is read as name, name(), name{}, name.value, name::value or
 *     decltype(name)::value;
 *  6. both branches of an if constexpr that becomes an if are compiled in some instance in the
 *     arms;
 *  7. it does not bound a loop over an array, and is not an array index;
 *  8. no static or shared variable is declared in these functions;
 *  9. if they, or statements that are written once, have a barrier, or a cross-lane, atomic,
 *     volatile, matrix or unknown operation, the conditions are uniform: proved, or required by a
 *     matrix operation or barrier in the arms (see agree.c);
 * 10. unless contraction is off, or may change: clause 30 of hoist, for the whole function after
 *     the merge.
 *
 * By construction: the function runs once, as in every arm, with the arm's constants as values, and
 * runs the same code. Its instances are kept for other callers.
 */
#include "strategy/extract/needs.h"
#include "strategy/plan/layout.h"
#include "strategy/unify/unify.h"

/* ---- clauses 3 and 4 ---- */

static bool is_same(const struct unify *u, size_t leaf, size_t i)
{
	const struct callee *c = &u->fn[0]->c;
	const struct kt_node *x = callee_argument(c, 0, i), *y = callee_argument(c, leaf, i);
	return x && y && unify_equal(u, leaf, x, y) &&
	       needs_same_tokens(c->p->text, c->leaf[0].text.arg[i], c->leaf[leaf].text.arg[i]);
}

/* Can ?: select between the arms' arguments for a parameter? They must be pointers, or numbers that
 * are not products, of one type. */
static bool can_choose(const struct callee *c, size_t i)
{
	const struct kt_fn *fn = &c->u->fn[c->leaf[0].fn];
	const struct kt_type *to = &c->u->type[c->u->sym[fn->param[i]].type];
	const struct kt_type *first = kt_type_of(c->u, callee_argument(c, 0, i));
	bool plain = to->kind == KT_T_INT || to->kind == KT_T_BOOL || to->kind == KT_T_POINTER;
	for (size_t k = 0; k < c->leaves && plain; k++) {
		const struct kt_node *n = callee_argument(c, k, i);
		const struct kt_type *t = kt_type_of(c->u, n);
		bool text = kt_is_spelled(n) || n->flags & KT_F_IMPLICIT; /* a default */
		plain = t->canon && first->canon && t->kind == to->kind && text &&
			str_eq(kt_type_bare(t, true), kt_type_bare(first, true)) &&
			!kt_is_array(c->u, n) && !kt_is_bit_field(c->u, n);
	}
	return plain;
}

/* A number, and in some arm a constant? */
static bool is_known_number(const struct callee *c, size_t i)
{
	bool is = false;
	for (size_t k = 0; k < c->leaves; k++) {
		const struct kt_node *n = callee_argument(c, k, i);
		is |= kt_is_constant(n) && kt_type_of(c->u, n)->kind == KT_T_INT;
	}
	return is;
}

static bool check_argument(struct unify *u, size_t i)
{
	struct callee *c = &u->fn[0]->c;
	for (size_t k = 0; k < c->leaves; k++) {
		const struct kt_node *y = callee_argument(c, k, i);
		struct span at = c->leaf[k].text.arg[i];
		if (!y || facts_acts(c->f, y) || needs_names_arm_local(c, at)) {
			return plan_refuse(u->p, UNIFY_ARGUMENT,
				"argument '%.*s' has a side effect, or uses a variable of an arm",
				STR_ARG(callee_text(c, at)));
		}
		u->tree.chosen[i] |= !is_same(u, k, i);
	}
	if (!u->plain && unify_is_tag(u->fn[0], i)) {
		u->tree.chosen[i] = false;
		return true;
	}
	if (!u->plain) {
		c->pattern.param[i].passed = u->tree.chosen[i];
	}
	if (u->tree.chosen[i] && is_known_number(c, i) &&
		unify_reaches_library(c->u, c->leaf[0].fn)) {
		return plan_refuse(u->p, UNIFY_CONSTANT,
			"argument '%.*s' is a constant in an arm, and a library function may be "
			"given it, which may compute another way with a constant",
			STR_ARG(callee_text(c, c->leaf[0].text.arg[i])));
	}
	return !u->tree.chosen[i] || can_choose(c, i) ||
	       plan_refuse(u->p, UNIFY_SAME, "argument '%.*s' is not the same in all arms",
		       STR_ARG(callee_text(c, c->leaf[0].text.arg[i])));
}

/* Do all arms name the same object of the call? */
static bool check_object(struct unify *u)
{
	struct callee *c = &u->fn[0]->c;
	const struct kt_node *first = c->leaf[0].call;
	if (u->fn[0]->outside) {
		return unify_check_members(u);
	}
	for (size_t k = 0; k < c->leaves; k++) {
		const struct kt_node *n = c->leaf[k].call;
		bool method = n->flags & KT_F_METHOD;
		const struct kt_node *x = method ? first->child[0] : NULL;
		const struct kt_node *y = method ? n->child[0] : NULL;
		bool same = method == !!(first->flags & KT_F_METHOD) && !x == !y &&
			    (!y || unify_equal(u, k, x, y));
		if (!same || (y && facts_acts(c->f, y)) ||
			needs_names_arm_local(c, c->leaf[k].text.prefix)) {
			return plan_refuse(u->p, UNIFY_SAME,
				"the arms call it for different objects, or making the object has "
				"a "
				"side effect");
		}
	}
	return true;
}

/* Checks the assigned variable, and the template arguments that are equal. */
static bool check_rest(struct unify *u)
{
	struct unify_function *f = u->fn[0];
	struct callee *c = &f->c;
	const struct callee_leaf *first = &c->leaf[0];
	struct str t = u->p->text;
	for (size_t k = 0; k < c->leaves; k++) {
		if (needs_names_arm_local(c, callee_result_text(c, k))) {
			return plan_refuse(u->p, UNIFY_ARGUMENT,
				"the result's destination uses a variable of an arm");
		}
	}
	for (size_t k = 1; k < c->leaves; k++) {
		const struct callee_leaf *l = &c->leaf[k];
		bool same =
			!first->result == !l->result && first->text.args == l->text.args &&
			first->text.targs == l->text.targs &&
			needs_same_tokens(t, unify_object(u->p, first->text.prefix),
				unify_object(u->p, l->text.prefix)) &&
			needs_same_tokens(t, callee_result_text(c, 0), callee_result_text(c, k));
		for (size_t i = 0; same && i < l->text.targs; i++) {
			same = (!u->plain && unify_is_runtime(f, i)) ||
			       needs_same_tokens(t, first->text.targ[i], l->text.targ[i]);
		}
		if (!same || (l->result && !unify_equal(u, k, first->result, l->result))) {
			return plan_refuse(u->p, UNIFY_SAME,
				"the calls differ in more than the template arguments");
		}
	}
	return !first->result || !facts_acts(c->f, first->result) ||
	       plan_refuse(u->p, UNIFY_ARGUMENT, "the result's destination has a side effect");
}

static bool is_inside(const struct kt_sym *s, const struct kt_node *n)
{
	return n && s->at >= n->begin && s->at < n->end;
}

static bool is_of_row(const struct unify *u, kt_id sym)
{
	bool is = false;
	for (size_t i = 0; i < u->of->leaves && u->of->declares; i++) {
		for (size_t r = 0; r < u->of->n; r++) {
			const struct kt_node *v = unify_declares(u->of->list[i].stmt[r]);
			is |= v && v->sym == sym;
		}
	}
	return is;
}

/* Variables declared in the merge's header, or by a row, are declared before the call. */
void unify_find_arm_locals(const struct unify *u, struct callee *c)
{
	const struct kt_node *n = c->m->node;
	bool header = c->m->kind != MERGE_COND && (n->child[KT_IF_INIT] || n->child[KT_IF_VAR]);
	if (!header && !u->of->declares) {
		return;
	}
	c->arm_local = ARENA_ARRAY(u->p->a, kt_id, c->u->syms);
	for (kt_id id = 1; id < c->u->syms; id++) {
		const struct kt_sym *s = &c->u->sym[id];
		bool own = header && (is_inside(s, n->child[KT_IF_INIT]) ||
					     is_inside(s, n->child[KT_IF_VAR]));
		if (callee_in_merge(c, id) && !own && !is_of_row(u, id)) {
			c->arm_local[c->arm_locals++] = id;
		}
	}
}

static bool check_arguments(struct unify *u)
{
	unify_find_arm_locals(u, &u->fn[0]->c);
	if (!check_rest(u) || !check_object(u)) {
		return false;
	}
	u->tree.chosen = ARENA_ARRAY(u->p->a, bool, u->tree.leaf[0].text.args);
	bool any = !u->plain;
	for (size_t i = 0; i < u->tree.leaf[0].text.args; i++) {
		if (!check_argument(u, i)) {
			return false;
		}
		any |= u->tree.chosen[i];
	}
	return any || plan_refuse(u->p, UNIFY_CALLS, "the arms do the same");
}

/* Checks the expressions for differing template arguments. */
static bool check_values(struct unify *u)
{
	struct unify_function *f = u->fn[0];
	for (size_t k = 0; k < u->tree.leaves; k++) {
		for (size_t i = 0; i < f->c.leaf[k].text.targs; i++) {
			if (needs_names_arm_local(&f->c, f->c.leaf[k].text.targ[i])) {
				return plan_refuse(u->p, UNIFY_ARGUMENT,
					"a template argument uses a variable of an arm");
			}
		}
	}
	return true;
}

/* ---- clauses 9 and 10 ---- */

static bool check_uniform(struct unify *u)
{
	unsigned flags = 0;
	for (size_t i = 0; i < u->tree.leaves; i++) {
		flags |= facts_summary(u->p->parse->facts, u->tree.leaf[i].fn)->flags;
	}
	flags &= FX_ORDERED | FX_CONVERGENT;
	if (!flags) {
		return true;
	}
	const char *why;
	bool ok = plan_is_uniform(u->p, u->p->merge->node, u->tree.cond, u->tree.conds, &why);
	plan_guards(u->p, flags);
	return ok || plan_refuse(u->p, UNIFY_UNIFORM, "'%s' holds %s, and %s",
			     u->p->parse->unit->fn[u->tree.leaf[0].fn].base,
			     plan_ordered_words(flags), why);
}

static bool check_contract(struct unify *u)
{
	struct callee *c = &u->fn[0]->c;
	if (u->p->opts->recontract) {
		return true;
	}
	c->field = ARENA_ARRAY(u->p->a, struct callee_field, c->pattern.tparams + 1);
	c->fields = 0;
	if (u->plain) {
		c->field[c->fields++] = (struct callee_field){.name = "", .is_const = true};
	}
	for (size_t i = 0; i < c->pattern.tparams; i++) {
		if (unify_is_runtime(u->fn[0], i)) {
			c->field[c->fields++] =
				(struct callee_field){.name = u->fn[0]->to[i], .is_const = true};
		}
	}
	bool ok = callee_check_contract(c);
	c->fields = 0;
	return ok;
}

/* ---- the plan ---- */

static bool check_functions(struct unify *u)
{
	for (size_t i = 0; i < u->fns && !u->plain; i++) {
		const struct callee *c = &u->fn[i]->c;
		u->refused = i ? &c->u->fn[c->leaf[0].fn] : NULL;
		if (!unify_check_uses(u->fn[i])) {
			return false;
		}
	}
	u->refused = NULL;
	return true;
}

static bool find_calls(struct unify *u)
{
	struct callee c = {
		.p = u->p, .m = u->p->merge, .u = u->p->parse->unit, .f = u->p->parse->facts};
	if (!unify_read_tree(u, &c)) {
		return false;
	}
	u->p->out->topic = TOPIC_OWN;
	c.leaf = u->tree.leaf;
	c.leaves = u->tree.leaves;
	for (size_t i = 0; i < u->tree.leaves; i++) {
		struct callee_leaf *l = &u->tree.leaf[i];
		if (!callee_read_call(&c, l)) {
			return false;
		}
		for (size_t k = 0; k < l->text.targs; k++) {
			l->text.targ[k] = unify_resolved(u, l, l->text.targ[k]);
		}
	}
	const struct kt_node *n = u->p->merge->node;
	struct str type = layout_type_word(plan_layout(u->p), n->begin, n->end);
	if (type.n) {
		return plan_refuse(u->p, UNIFY_ARGUMENT,
			"an arm names or declares a type or namespace (%.*s)", STR_ARG(type));
	}
	return arms_check_bindings(u->p, UNIFY_CALLS) && arms_check_written(u->p, UNIFY_TEXT) &&
	       plan_check_directives(u->p, n->begin, n->end, UNIFY_TEXT);
}

static bool plan_row(struct unify *u)
{
	struct plan *p = u->p;
	if (!find_calls(u)) {
		return false;
	}
	const struct candidate found = *p->out;
	struct candidate first = {0};
	while (!(unify_find_functions(u) && check_arguments(u) && check_values(u) &&
		 check_functions(u) && check_uniform(u) && check_contract(u))) {
		first = first.clause ? first : *p->out;
		if (!unify_set_apart(u)) {
			*p->out = first;
			return false;
		}
		*p->out = found;
	}
	return true;
}

static void plan_try(struct plan *p, bool shared)
{
	struct unify_rows *rows = ARENA_NEW(p->a, struct unify_rows);
	*rows = (struct unify_rows){0};
	unify_find_rows(rows, p);
	for (size_t i = 0; i < rows->n; i++) {
		struct unify *u = ARENA_NEW(p->a, struct unify);
		*u = (struct unify){
			.p = p, .shared = shared, .row = i, .rows = rows->n, .of = rows};
		rows->v[i] = u;
		u->equal = rows->n > 1 && unify_is_equal_row(u);
		if (!u->equal && !plan_row(u)) {
			return;
		}
	}
	if (rows->n == 1 || unify_check_rows(rows)) {
		unify_write(rows);
	}
}

void unify_plan(struct plan *p, const char *variant)
{
	/* this strategy's numbers for the callee split's clauses */
	static const unsigned own[] = {[CALLEE_CALLS] = UNIFY_CALLS,
		[CALLEE_TEXT] = UNIFY_TEXT,
		[CALLEE_LEAVES] = UNIFY_CALLS,
		[CALLEE_STORAGE] = UNIFY_STORAGE,
		[CALLEE_ARGUMENT] = UNIFY_ARGUMENT,
		[CALLEE_CONSTANT] = UNIFY_CONSTANT,
		[CALLEE_TYPE] = UNIFY_CONSTANT,
		[CALLEE_CONTRACT] = UNIFY_CONTRACT};
	(void)variant;
	p->own_clause = own;
	p->own_clauses = sizeof(own) / sizeof(own[0]);
	const struct candidate none = *p->out;
	struct plan_name_list *names = p->names;
	plan_try(p, true);
	if (p->out->clause > UNIFY_ARGUMENT) { /* the needs of other merges are refused */
		const struct candidate first = *p->out;
		edit_list_release(&p->out->edits);
		*p->out = none;
		p->names = names;
		plan_try(p, false);
		if (p->out->clause) {
			edit_list_release(&p->out->edits);
			*p->out = first;
			p->out->edits = none.edits;
		}
	}
}
