/*
 * Writes a ?: as an if with an else: the same control flow, in a form that strategies know. Its
 * value is discarded, or is all that a statement assigns, initializes a variable with, or returns.
 *
 * BEFORE                                  AFTER
 *   full ? step(acc, x)                     if (full) {
 *        : last(acc, x);                            step(acc, x);
 *                                           } else {
 *                                                   last(acc, x);
 *                                           }
 *
 *   acc = full ? step(acc, x)               if (full) {
 *              : last(acc, x);                      acc = step(acc, x);
 *                                           } else {
 *                                                   acc = last(acc, x);
 *                                           }
 *
 * If a variable has the value before, and ends here (carriers.c), the new value goes through it:
 *
 *   acc_t next = full ? step(acc, x)        if (full) {
 *                     : last(acc, x);               acc = step(acc, x);
 *                                           } else {
 *                                                   acc = last(acc, x);
 *                                           }
 *                                           acc_t next = acc;
 *
 *   return full ? step(acc, x)              if (full) {
 *               : last(acc, x);                     ...
 *                                           return acc;
 *
 * Done if the condition creates no temporary object (it would die before the arms run); no macro or
 * directive is involved; and no // comment follows the condition. For a discarded value each arm is
 * such a ?: itself, or a call, an assignment or ++x that cannot be parsed as a declaration (T(x)
 * could), and the value's type is not a class (it might be converted). For a used one the arms and
 * the variable have the same type, which is copied byte by byte, and naming the place that is
 * assigned to has no effect.
 */
#include <ctype.h>
#include <string.h>

#include "analysis/facts/mentions.h"
#include "frontend/text/lex.h"
#include "strategy/plan/layout.h"
#include "strategy/plan/plan.h"
#include "strategy/text/text.h"

struct question {
	const struct kt_unit *u;
	struct arena *a;
	struct str t;
	struct str indent;
	struct str to; /* "acc = ", before the value of each arm; empty: it is discarded */
	kt_id type;    /* of that place */
	struct sbuf text;
};

/* The offset after the token sign, which may only follow closing parentheses; 0: other text is
 * before it. */
static size_t after_sign(struct str t, size_t at, const char *sign)
{
	struct lex_token k = lex_next(t, at);
	while (lex_is(t, k, ")")) {
		k = lex_next(t, k.end);
	}
	return lex_is(t, k, sign) ? k.end : 0;
}

static bool makes_object(const struct kt_unit *u, const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		bool reference = n->kind == KT_CALL && n->fn &&
				 u->type[u->fn[n->fn].ret].kind == KT_T_REFERENCE;
		bool makes = n->kind == KT_CALL || n->kind == KT_CONSTRUCT || n->kind == KT_CAST ||
			     n->kind == KT_INIT_LIST || n->kind == KT_EXPR_UNKNOWN;
		bool plain = kt_type_of(u, n)->kind != KT_T_RECORD &&
			     kt_type_of(u, n)->kind != KT_T_OTHER;
		if (makes && !reference && !plain) {
			return true;
		}
	}
	return false;
}

/* Can text that begins with this expression never be a declaration? T(x) = y could. */
static bool begins_as_expression(const struct question *q, const struct kt_node *n)
{
	for (size_t begin = n->begin; n && n->begin == begin; n = n->n ? n->child[0] : NULL) {
		bool makes = n->kind == KT_CONSTRUCT || n->kind == KT_CAST;
		struct str s = str_sub(q->t, n->begin, n->end);
		if (makes && !str_starts(s, "(") && !str_ends(s, "}") && !str_ends(s, "()")) {
			return false;
		}
	}
	return true;
}

bool plan_holds_as_is(const struct kt_unit *u, kt_id to, kt_id from)
{
	const struct kt_type *x = kt_object_type(u, to), *y = kt_object_type(u, from);
	bool vectors = x->kind == KT_T_VECTOR && y->kind == KT_T_VECTOR && x->size == y->size &&
		       kt_same_type(u, x->elem, y->elem);
	return vectors || kt_same_type(u, to, from);
}

/* The arm as a statement, without what stands before its value; n 0: not possible. */
static struct str arm_text(const struct question *q, const struct kt_node *arm, struct str text)
{
	if (q->to.n) {
		bool comma = arm->kind == KT_BINARY && arm->op == KT_OP_COMMA;
		bool same = plan_holds_as_is(q->u, q->type, arm->type);
		return same && !comma && !(arm->flags & KT_F_MACRO) ? text : (struct str){0};
	}
	bool drops =
		arm->kind == KT_CAST && kt_type_of(q->u, arm)->kind == KT_T_VOID && arm->n == 1;
	const struct kt_node *n = drops ? arm->child[0] : arm;
	bool acts = n->kind == KT_CALL || n->kind == KT_ASSIGN || kt_is_step(n);
	if (!acts || (arm->flags | n->flags) & KT_F_MACRO || !begins_as_expression(q, n)) {
		return (struct str){0};
	}
	bool alone = drops && kt_type_of(q->u, n)->kind == KT_T_VOID && arm->end == n->end;
	return alone ? str_sub(q->t, n->begin, n->end) : text;
}

/* The text without its outer parentheses. */
static struct str without_parens(struct str s)
{
	while (str_starts(s, "(") && lex_close(s, 0) == s.n - 1) {
		s = str_trim(str_sub(s, 1, s.n - 1));
	}
	return s;
}

/* The end of the last token that is not a comment. */
static size_t end_of_code(struct str s)
{
	size_t end = 0;
	lex_each (k, s, 0, s.n) {
		end = k.end;
	}
	return end;
}

static bool add_question(struct question *q, const struct kt_node *n, struct span at);

/* Writes an arm that is a ?: as an if with an else; false: there is other text around it. */
static bool add_inner(struct question *q, const struct kt_node *arm, struct str text)
{
	const char *eol = text_eol(q->t);
	struct str outer = q->indent;
	text = without_parens(text);
	if (text.p != q->t.p + arm->begin || text.n != arm->end - arm->begin) {
		return false;
	}
	q->indent = str_of(arena_printf(q->a, "%.*s%s", STR_ARG(outer), text_indent_step(q->t)));
	sbuf_addf(&q->text, "{%s%.*s", eol, STR_ARG(q->indent));
	bool ok = add_question(q, arm, (struct span){arm->begin, arm->end});
	q->indent = outer;
	sbuf_addf(&q->text, "%s%.*s}", eol, STR_ARG(outer));
	return ok;
}

static bool add_arm(struct question *q, const struct kt_node *arm, struct str text)
{
	text = str_trim(text);
	if (arm->kind == KT_COND) {
		return add_inner(q, arm, text);
	}
	size_t end = end_of_code(text);
	struct str s = arm_text(q, arm, without_parens(str_sub(text, 0, end)));
	struct str said = str_trim(str_sub(text, end, text.n));
	const char *eol = text_eol(q->t);
	sbuf_addf(&q->text, "{%s%.*s%s%.*s%.*s;%s%.*s%s%.*s}", eol, STR_ARG(q->indent),
		text_indent_step(q->t), STR_ARG(q->to), STR_ARG(s), said.n ? " " : "",
		STR_ARG(said), eol, STR_ARG(q->indent));
	return s.n;
}

static bool add_question(struct question *q, const struct kt_node *n, struct span at)
{
	const struct kt_node *cond = n->child[KT_COND_COND], *then = n->child[KT_COND_THEN];
	const struct kt_node *other = n->child[KT_COND_ELSE];
	if (!then || n->flags & KT_F_MACRO || makes_object(q->u, cond) ||
		(!q->to.n && kt_type_of(q->u, n)->kind == KT_T_RECORD)) {
		return false;
	}
	size_t first = after_sign(q->t, cond->end, "?");
	size_t second = first ? after_sign(q->t, then->end, ":") : 0;
	if (!second) {
		return false;
	}
	struct str asked = str_trim(str_sub(q->t, at.begin, first - 1));
	sbuf_addf(&q->text, "if (%.*s) ", STR_ARG(asked));
	struct str said = str_sub(asked, end_of_code(asked), asked.n);
	if (str_holds(said, STR("//")) || !add_arm(q, then, str_sub(q->t, first, second - 1))) {
		return false;
	}
	sbuf_adds(&q->text, " else ");
	struct str rest = str_trim(str_sub(q->t, second, at.end));
	bool chain = other->kind == KT_COND && q->t.p + other->end == rest.p + rest.n &&
		     lex_next(q->t, second).begin == other->begin;
	return chain ? add_question(q, other, (struct span){other->begin, other->end})
		     : add_arm(q, other, rest);
}

/* Is the expression followed only by its semicolon? */
static bool is_whole(struct str t, const struct kt_node *n, size_t end)
{
	bool own = n->end == end; /* the range of a statement */
	return t.p[end - 1] == ';' && (own || lex_next(t, n->end).end == end);
}

/* A statement's range includes its outer parentheses. */
static struct span of_question(struct str t, const struct kt_node *n, size_t end)
{
	struct span at = {n->begin, end};
	for (size_t close; t.p[at.begin] == '('; at = (struct span){at.begin + 1, close}) {
		close = lex_close(t, at.begin);
		if (close >= at.end || lex_skip_space(t, close + 1) < at.end) {
			break;
		}
	}
	return at;
}

/* The ?: is all that stands between the token sign and the statement's semicolon, but for
 * parentheses. */
static bool is_whole_value(struct str t, const struct kt_node *n, const char *sign, size_t end)
{
	size_t begin = n->begin, last = n->end, opened = 0;
	while (begin > 0 && (isspace((unsigned char)t.p[begin - 1]) || t.p[begin - 1] == '(')) {
		opened += t.p[--begin] == '(';
	}
	while (opened && lex_is(t, lex_next(t, last), ")")) {
		last = lex_next(t, last).end;
		opened--;
	}
	return !opened && str_ends(str_sub(t, 0, begin), sign) &&
	       lex_is(t, lex_next(t, last), ";") && lex_next(t, last).end == end;
}

/* Does the arm name the variable, so that the name means it there? */
static bool names_variable(const struct merge *m, kt_id sym)
{
	bool names = false;
	for (size_t i = 0; i < m->arms; i++) {
		names |= kt_mentions(m->arm[i].body, sym);
	}
	return names;
}

/* Does the function run a destructor of a variable, after the returned value is there? */
static bool destroys(const struct plan *p)
{
	const struct kt_unit *u = p->parse->unit;
	const struct kt_node *body = u->fn[p->merge->fn].body;
	bool does = false;
	for (const struct kt_node *n = body; n && !does; n = kt_next(n, body)) {
		does = n->kind == KT_VAR && u->type[u->sym[n->sym].type].destroys;
	}
	return does;
}

kt_id plan_continued(const struct plan *p)
{
	const struct kt_unit *u = p->parse->unit;
	span_each (p->merge->carrier, p->merge->carriers, const struct carrier, c) {
		if (!c->returned && c->from == c->loc) {
			continue;
		}
		kt_id sym = LOC_SYM(c->from);
		const struct kt_sym *s = &u->sym[sym];
		struct mentions refs = mentions_of(p->parse->facts, p->merge->fn, sym);
		bool ends = s->fn == p->merge->fn && !s->is_static &&
			    names_variable(p->merge, sym) && !u->type[s->type].is_const &&
			    u->type[s->type].trivial;
		for (size_t i = 0; i < refs.n && ends; i++) {
			const struct kt_node *up = refs.v[i]->parent;
			ends = !(up->kind == KT_UNARY && up->op == KT_OP_ADDR) &&
			       !(up->kind == KT_VAR && kt_is_reference(u, up->sym)) &&
			       up->kind != KT_LAMBDA;
		}
		if (ends && !(c->returned && destroys(p))) {
			return sym;
		}
	}
	return 0;
}

/* For a ?: whose value is used: sets the place that its arms assign to, and *after, the text after
 * the if. The sign before the ?: in the statement top, or NULL: it is none of those above. */
static const char *used_value(
	struct question *q, struct plan *p, const struct kt_node *top, struct str *after)
{
	const struct kt_node *to = merge_assigned(p->merge);
	bool returned = top->kind == KT_RETURN;
	bool one = merge_initialized(q->u, p->merge) && top->kind == KT_DECL && top->n == 1;
	bool plain = to && to->kind == KT_REF; /* it is the same place before the arms and after */
	kt_id through = plain || one || returned ? plan_continued(p) : 0;

	if (through) {
		const char *name = q->u->sym[through].name;
		size_t begin = top->begin, end = p->merge->node->begin;
		while (end > begin && strchr(" \t\r\n(", q->t.p[end - 1])) {
			end--;
		}
		*after = str_of(arena_printf(q->a, "%s%.*s%.*s %s;", text_eol(q->t),
			STR_ARG(q->indent), STR_ARG(str_sub(q->t, begin, end)), name));
		q->to = str_of(arena_printf(q->a, "%s = ", name));
		q->type = q->u->sym[through].type;
	} else if (to && !facts_acts(p->parse->facts, to) &&
		   kt_object_type(q->u, to->type)->trivial) {
		q->to = str_of(
			arena_printf(q->a, "%.*s = ", STR_ARG(str_sub(q->t, to->begin, to->end))));
		q->type = to->type;
	}
	return !q->to.n ? NULL : returned ? "return" : "=";
}

const char *plan_question_as_if(struct edit_list *out, struct plan *p, struct str t)
{
	const struct kt_node *n = p->merge->node, *top = merge_discarded(n);
	bool used = !top;
	top = used ? merge_statement(p->merge) : top;
	top = used && top->parent && top->parent->kind == KT_RETURN ? top->parent : top;
	struct question q = {
		.u = p->parse->unit, .a = p->a, .t = t, .indent = text_indent(t, top->begin)};
	struct str after = {0};
	const char *sign = used ? used_value(&q, p, top, &after) : NULL;
	size_t end = text_end_of_statement(t, top), at = top->begin;
	while (at > 0 && isspace((unsigned char)t.p[at - 1])) {
		at--;
	}
	bool plain = end && !(top->flags & KT_F_MACRO) && at > 0 && !strchr("(/", t.p[at - 1]) &&
		     (used ? sign && top->parent && top->parent->kind == KT_COMPOUND &&
					     is_whole_value(t, n, sign, end)
			   : is_whole(t, top, end));
	struct span all = used ? (struct span){n->begin, n->end}
			       : of_question(t, n, n == top ? end - 1 : n->end);
	plain = plain && !layout_fixed(plan_layout(p), top->begin, end).n;
	if (plain && add_question(&q, n, all)) {
		sbuf_addstr(&q.text, after);
		edit_list_add(out, p->a, top->begin, end, sbuf_finish(&q.text, p->a));
		return NULL;
	}
	sbuf_release(&q.text);
	return "it is a conditional expression, and cannot be written as an if";
}
