/*
 * Guarded ifs in place of alternatives: what sequentialize, launder and the fenced form of hoist
 * have in common. Only the text between the arms' bodies is replaced, so that the bodies keep every
 * byte (but for their indentation where they come from a deeper level).
 *
 *   if (c) {              const bool unphi_c = c;
 *           A             if (unphi_c) {
 *   } else {                      A
 *           B     =>      }
 *   }                     UNPHI_FENCE();
 *                         if (!unphi_c) {
 *                                 B
 *                         }
 *
 * More than two alternatives (else-if chains, switches, ifs that are all there is in an arm) get
 * one selector: const int unphi_arm = c ? 0 : d ? 1 : 2. The conditions are evaluated once, in
 * their order, and each only when the ones before it were false.
 */
#include <ctype.h>
#include <string.h>
#include "frontend/lex.h"
#include "strategy/strategy.h"

/* One alternative as text. */
struct leaf {
	size_t begin; /* body, braces included where it has them */
	size_t end;
	bool braced;
	bool own_line;	   /* its brace stands on a line of its own */
	struct str attr;   /* [[likely]] and the like in front of the brace */
	struct str indent; /* of the lines that the body's brace or statement stands on */
	const struct arm *arm;
	const struct merge *merge;
	size_t drop_begin, drop_end; /* the break that ends a switch arm inside its braces */
};

typedef ARRAY(struct leaf) leaf_array;

struct job {
	struct plan *p;
	const struct guard_opts *opts;
	const struct merge *top;
	leaf_array leaves;
	struct sbuf selector; /* c ? 0 : d ? 1 : 2 */
	bool partial;	      /* on some path no arm runs: -1 */
	size_t n_conds;
	const struct kt_node *cond[64];
};

static size_t skip_blanks(struct str t, size_t i)
{
	while (i < t.n && (t.p[i] == ' ' || t.p[i] == '\t')) {
		i++;
	}
	return i;
}

static bool word_before(struct str t, size_t at, const char *word)
{
	size_t n = strlen(word);
	if (at < n || !str_is(str_sub(t, at - n, at), word)) {
		return false;
	}
	return at == n || !(isalnum((unsigned char)t.p[at - n - 1]) || t.p[at - n - 1] == '_');
}

static bool first_on_line(struct str t, size_t at)
{
	while (at > 0 && (t.p[at - 1] == ' ' || t.p[at - 1] == '\t')) {
		at--;
	}
	return at == 0 || t.p[at - 1] == '\n';
}

static bool has_directive(struct str t, size_t begin, size_t end)
{
	for (struct lex_token k = lex_next(t, begin); k.kind != LEX_END && k.begin < end;
		k = lex_next(t, k.end)) {
		if (k.kind == LEX_DIRECTIVE) {
			return true;
		}
	}
	return false;
}

/* How conditional directives stand in [begin, end). */
enum conditionals {
	CONDITIONALS_NONE,
	CONDITIONALS_WHOLE, /* every #if with its #endif, and its braces in pairs */
	CONDITIONALS_CUT    /* one reaches over an end, of the range or of a block */
};

static enum conditionals conditionals_in(struct str t, size_t begin, size_t end)
{
	enum {
		DEPTH = 16
	};
	enum conditionals found = CONDITIONALS_NONE;
	int outside[DEPTH];
	int depth = 0, open = 0;
	for (struct lex_token k = lex_next(t, begin); k.kind != LEX_END && k.begin < end;
		k = lex_next(t, k.end)) {
		if (k.kind != LEX_DIRECTIVE) {
			open += lex_is(t, k, "{") ? 1 : lex_is(t, k, "}") ? -1 : 0;
			if (depth && open < outside[depth - 1]) {
				return CONDITIONALS_CUT;
			}
			continue;
		}
		struct lex_token word = lex_next(t, k.begin + 1);
		struct str w = str_sub(t, word.begin, word.end < k.end ? word.end : k.end);
		bool opens = str_starts(w, "if");
		bool closes = str_is(w, "endif");
		if (!opens && !closes && !str_starts(w, "el")) {
			continue;
		}
		found = CONDITIONALS_WHOLE;
		if (opens ? depth == DEPTH : depth == 0 || open != outside[depth - 1]) {
			return CONDITIONALS_CUT;
		}
		if (opens) {
			outside[depth] = open;
		}
		depth += opens ? 1 : closes ? -1 : 0;
	}
	return depth ? CONDITIONALS_CUT : found;
}

/* End of the comments that follow on the line of at, when nothing else does; else at. */
static size_t with_comments(struct str t, size_t at)
{
	size_t end = at;
	for (size_t i = skip_blanks(t, at);; i = skip_blanks(t, end)) {
		struct str rest = str_sub(t, i, t.n);
		if (i >= t.n || t.p[i] == '\n' || str_starts(rest, "\r\n")) {
			return end;
		}
		if (str_starts(rest, "//")) {
			size_t nl = str_find(t, "\n", i);
			end = nl == SIZE_MAX ? t.n : nl;
			return end > i && t.p[end - 1] == '\r' ? end - 1 : end;
		}
		size_t close = str_starts(rest, "/*") ? str_find(t, "*/", i + 2) : SIZE_MAX;
		size_t nl = str_find(t, "\n", i);
		if (close == SIZE_MAX || nl < close) {
			return at;
		}
		end = close + 2;
	}
}

/* ---- which text is an alternative ---- */

static const struct merge *merge_at(const struct plan *p, const struct kt_node *n)
{
	for (size_t i = 0; i < p->parse->merges.n; i++) {
		if (p->parse->merges.v[i].node == n) {
			return &p->parse->merges.v[i];
		}
	}
	return NULL;
}

/* The wide if that is all that an arm consists of, or NULL. */
static const struct merge *sole_merge(const struct plan *p, const struct arm *arm)
{
	const struct kt_node *n = arm->body;
	if (n->kind == KT_COMPOUND) {
		n = n->n == 1 ? n->child[0] : NULL;
	}
	const struct merge *m = n && n->kind == KT_IF ? merge_at(p, n) : NULL;
	bool header = m && !n->child[KT_IF_INIT] && !n->child[KT_IF_VAR];
	return header && plan_is_wide(m) && !plan_in_macro(m) ? m : NULL;
}

static void statement_leaf(struct plan *p, struct leaf *l, const struct kt_node *body)
{
	struct str t = p->text;
	l->begin = body->begin;
	if (body->kind == KT_COMPOUND && t.p[body->begin] == '[') {
		size_t brace = lex_find(t, body->begin, body->end, '{');
		l->begin = brace == SIZE_MAX ? body->begin : brace;
		l->attr = str_trim(str_sub(t, body->begin, l->begin));
	}
	l->end = body->end;
	l->braced = body->kind == KT_COMPOUND && t.p[l->begin] == '{';
	l->own_line = l->braced && first_on_line(t, l->begin);
	l->indent =
		plan_indent(p, l->braced && first_on_line(t, l->end - 1) ? l->end - 1 : l->begin);
	l->end = with_comments(t, l->end);
}

static bool refuse_header(struct plan *p, const struct merge *m)
{
	if (m->kind == MERGE_COND) {
		plan_refuse(p, 1, "it is a conditional expression, not a statement");
		return false;
	}
	if (plan_in_macro(m) &&
		!plan_refuse(p, 2, "part of it comes from a macro, which is never edited")) {
		return false;
	}
	const char *word = m->kind == MERGE_SWITCH ? "switch" : "if";
	if (!str_starts(str_sub(p->text, m->node->begin, m->node->end), word) &&
		!plan_refuse(p, 2, "an attribute or a pragma stands before it")) {
		return false;
	}
	struct fx fx;
	facts_effects(&fx, p->parse->facts, p->a, m->node);
	if (fx.flags & FX_LABEL &&
		!plan_refuse(p, 3, "an arm holds a label that can be jumped to")) {
		return false;
	}
	for (size_t i = 1; m->kind == MERGE_IF && i < m->arms; i++) {
		const struct kt_node *owner = m->arm[i].owner;
		if (owner != m->node && (owner->child[KT_IF_INIT] || owner->child[KT_IF_VAR])) {
			return plan_refuse(
				p, 4, "a later condition of the chain declares a variable");
		}
	}
	return true;
}

static bool has_inner_break(const struct kt_node *root)
{
	for (const struct kt_node *n = root; n;) {
		if (n->kind == KT_BREAK) {
			return true;
		}
		bool absorbs = kt_is_loop(n->kind) || n->kind == KT_SWITCH;
		n = absorbs ? kt_skip(n, root) : kt_next(n, root);
	}
	return false;
}

static bool mentions(const struct kt_node *root, kt_id sym)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind == KT_REF && n->sym == sym) {
			return true;
		}
	}
	return false;
}

/* The text of the break that ends a compound; its whole line where nothing else stands there. */
static void drop_break(struct str t, const struct kt_node *final, struct leaf *l)
{
	size_t b = final->begin, e = final->end;
	bool first = first_on_line(t, b);
	while (b > 0 && (t.p[b - 1] == ' ' || t.p[b - 1] == '\t')) {
		b--;
	}
	size_t next = skip_blanks(t, e);
	bool last = next >= t.n || t.p[next] == '\n' || t.p[next] == '\r';
	if (first && last && b > 0) {
		b -= b > 1 && t.p[b - 2] == '\r' ? 2 : 1;
	} else if (first) {
		b = final->begin;
		e = next;
	}
	l->drop_begin = b;
	l->drop_end = e;
}

/* A variable of one arm that another one names: legal in a switch, not in blocks of their own. */
static const char *shared_variable(const struct plan *p, const struct merge *m)
{
	const struct kt_node *body = m->node->child[KT_SWITCH_BODY];
	for (size_t i = 0; i < m->arms; i++) {
		for (size_t k = m->arm[i].first; k < m->arm[i].last; k++) {
			const struct kt_node *d = kt_behind_labels(body->child[k]);
			for (size_t v = 0; d && d->kind == KT_DECL && v < d->n; v++) {
				size_t at = m->arm[i].last;
				for (; at < body->n; at++) {
					if (mentions(body->child[at], d->child[v]->sym)) {
						return p->parse->unit->sym[d->child[v]->sym].name;
					}
				}
			}
		}
	}
	return NULL;
}

/* A case inside a block of an arm: control enters the block there. */
static bool has_inner_case(const struct kt_node *body)
{
	for (const struct kt_node *n = body; n;) {
		bool label = n->kind == KT_CASE || n->kind == KT_DEFAULT;
		if (label && n->parent != body && n->parent->kind != KT_CASE &&
			n->parent->kind != KT_DEFAULT) {
			return true;
		}
		n = n->kind == KT_SWITCH ? kt_skip(n, body) : kt_next(n, body);
	}
	return false;
}

/* The statements of a switch arm without the break that ends it. */
static bool switch_leaf(struct job *j, const struct merge *m, const struct arm *arm)
{
	struct plan *p = j->p;
	struct leaf l = {.arm = arm, .merge = m};
	const struct kt_node *first = kt_behind_labels(arm->body->child[arm->first]);
	size_t last = arm->last;
	const struct kt_node *tail = last - 1 == arm->first ? first : arm->body->child[last - 1];
	if (tail && tail->kind == KT_BREAK) {
		last--;
		if (last == arm->first) {
			return true; /* case 3: break; */
		}
		tail = last - 1 == arm->first ? first : arm->body->child[last - 1];
	}
	if (!first || !tail || (tail->kind == KT_EMPTY && tail == first)) {
		return true;
	}
	for (size_t i = arm->first; i < last; i++) {
		const struct kt_node *n = i == arm->first ? first : arm->body->child[i];
		const struct kt_node *final =
			n->kind == KT_COMPOUND && n->n ? n->child[n->n - 1] : NULL;
		bool ends = n == tail && first == tail && final && final->kind == KT_BREAK;
		for (size_t k = 0; ends && k + 1 < n->n; k++) {
			if (has_inner_break(n->child[k]) &&
				!plan_refuse(p, 5, "an arm leaves the switch in its middle")) {
				return false;
			}
		}
		if (ends) {
			drop_break(p->text, final, &l);
		} else if (has_inner_break(n) &&
			   !plan_refuse(p, 5, "an arm leaves the switch in its middle")) {
			return false;
		}
	}
	/* comments before the break or brace that ends the arm are the arm's */
	size_t stop = last < arm->last		  ? arm->body->child[last]->begin
		      : arm->last == arm->body->n ? arm->body->end - 1
						  : 0;
	if (first == tail) {
		size_t db = l.drop_begin, de = l.drop_end;
		statement_leaf(p, &l, first);
		l.drop_begin = db;
		l.drop_end = de;
	} else {
		l.begin = first->begin;
		l.end = with_comments(p->text, tail->end);
		l.indent = plan_indent(p, first->begin);
		if (!first_on_line(p->text, first->begin)) {
			l.indent = plan_indent(p, tail->begin);
		}
	}
	while (!l.braced && stop > l.end && isspace((unsigned char)p->text.p[stop - 1])) {
		stop--;
	}
	l.end = !l.braced && stop > l.end ? stop : l.end;
	array_push(&j->leaves, l);
	return true;
}

static bool collect(struct job *j, const struct merge *m);

static void add_condition(struct job *j, const struct kt_node *cond)
{
	struct plan *p = j->p;
	struct str s = plan_text(p, cond->begin, cond->end);
	bool wrap = cond->kind == KT_ASSIGN || cond->kind == KT_COND ||
		    (cond->kind == KT_BINARY && cond->op == KT_OP_COMMA);
	sbuf_addf(&j->selector, wrap ? "(%.*s)" : "%.*s", STR_ARG(s));
}

static bool collect_arm(struct job *j, const struct merge *m, const struct arm *arm)
{
	const struct merge *inner = j->opts->flatten ? sole_merge(j->p, arm) : NULL;
	if (inner) {
		sbuf_addc(&j->selector, '(');
		bool ok = refuse_header(j->p, inner) && collect(j, inner);
		sbuf_addc(&j->selector, ')');
		return ok;
	}
	struct leaf l = {.arm = arm, .merge = m};
	statement_leaf(j->p, &l, arm->body);
	sbuf_addf(&j->selector, "%zu", j->leaves.n);
	array_push(&j->leaves, l);
	return true;
}

/* Leaves and selector of an if chain. */
static bool collect(struct job *j, const struct merge *m)
{
	for (size_t i = 0; i < m->arms; i++) {
		const struct arm *arm = &m->arm[i];
		if (arm->cond) {
			if (j->n_conds == sizeof(j->cond) / sizeof(j->cond[0])) {
				plan_refuse(j->p, 1, "it has more than 64 conditions");
				return false;
			}
			j->cond[j->n_conds++] = arm->cond;
			add_condition(j, arm->cond);
			sbuf_adds(&j->selector, " ? ");
		}
		if (!collect_arm(j, m, arm)) {
			return false;
		}
		if (arm->cond) {
			sbuf_adds(&j->selector, " : ");
		}
	}
	if (!m->has_else) {
		sbuf_adds(&j->selector, "-1");
		j->partial = true;
	}
	return true;
}

static void add_comparison(
	struct job *j, const char *value, const char *op, const struct kt_node *with)
{
	struct str s = plan_text(j->p, with->begin, with->end);
	bool simple = with->kind == KT_LITERAL || with->kind == KT_REF || with->kind == KT_UNARY;
	sbuf_addf(&j->selector, simple ? "%s %s %.*s" : "%s %s (%.*s)", value, op, STR_ARG(s));
}

static void add_label_test(struct job *j, const struct kt_node *label, const char *value)
{
	const struct kt_node *v = label->child[KT_CASE_VALUE];
	const struct kt_node *high = label->child[KT_CASE_HIGH];
	if (!high) {
		add_comparison(j, value, "==", v);
		return;
	}
	sbuf_addc(&j->selector, '(');
	add_comparison(j, value, ">=", v);
	sbuf_adds(&j->selector, " && ");
	add_comparison(j, value, "<=", high);
	sbuf_addc(&j->selector, ')');
}

/* Is the text of a condition an object, which a conversion function makes a number of? */
static bool is_object(const struct plan *p, const struct kt_node *cond)
{
	const struct kt_node *from = cond->kind == KT_CALL && cond->n ? cond->child[0] : NULL;
	return kt_object_type(p->parse->unit, cond->type)->kind == KT_T_RECORD ||
	       (from && cond->flags & KT_F_METHOD && from->begin == cond->begin &&
		       from->end == cond->end);
}

static bool collect_switch(struct job *j, const struct merge *m, const char *value)
{
	struct plan *p = j->p;
	const struct kt_node *body = m->node->child[KT_SWITCH_BODY];
	if (m->fallthrough &&
		!plan_refuse(p, 5, "an arm of the switch falls through into the next")) {
		return false;
	}
	bool arms = body->kind == KT_COMPOUND && body->n && m->arms;
	if ((!arms || m->arm[0].first != 0) &&
		!(plan_refuse(p, 5, "a statement stands before the first case") && arms)) {
		return false;
	}
	if (has_inner_case(body) && !plan_refuse(p, 5, "a case stands inside a block of an arm")) {
		return false;
	}
	if (is_object(p, m->node->child[KT_SWITCH_COND]) &&
		!plan_refuse(p, 5, "its value is an object that is converted when compared")) {
		return false;
	}
	const char *shared = shared_variable(p, m);
	if (shared &&
		!plan_refuse(p, 5, "'%s' is declared in one arm and used in a later one", shared)) {
		return false;
	}
	size_t fallback = SIZE_MAX;
	for (size_t i = 0; i < m->arms; i++) {
		const struct arm *arm = &m->arm[i];
		size_t before = j->leaves.n;
		if (!switch_leaf(j, m, arm)) {
			return false;
		}
		bool empty = j->leaves.n == before;
		if (arm->is_default) {
			fallback = empty ? SIZE_MAX : before;
			continue; /* its labels need no test: what no other arm takes is its */
		}
		for (size_t k = 0; k < arm->labels; k++) {
			sbuf_adds(&j->selector, k ? " || " : "");
			add_label_test(j, arm->label[k], value);
		}
		if (empty) {
			sbuf_adds(&j->selector, " ? -1 : ");
			j->partial = true;
		} else {
			sbuf_addf(&j->selector, " ? %zu : ", before);
		}
	}
	if (fallback == SIZE_MAX) {
		sbuf_adds(&j->selector, "-1");
		j->partial = true;
	} else {
		sbuf_addf(&j->selector, "%zu", fallback);
	}
	return true;
}

/* ---- edits ---- */

static bool inside_edit(const struct plan *p, size_t at)
{
	array_each (&p->out->edits.edits, struct edit, e) {
		if (e->begin <= at && at < e->end) {
			return true;
		}
	}
	return false;
}

static bool touches_edit(const struct plan *p, size_t begin, size_t end)
{
	array_each (&p->out->edits.edits, struct edit, e) {
		if (e->begin < end && begin < e->end) {
			return true;
		}
	}
	return false;
}

/* Lines inside [begin, end) that start with from get to instead. */
static void reindent(struct plan *p, size_t begin, size_t end, struct str from, struct str to)
{
	struct str t = p->text;
	if (str_eq(from, to)) {
		return;
	}
	struct lex_token k = lex_next(t, begin);
	for (size_t i = begin; i < end; i++) {
		if (t.p[i] != '\n' || i + 1 >= end) {
			continue;
		}
		while (k.kind != LEX_END && k.end <= i) {
			k = lex_next(t, k.end);
		}
		if (k.begin <= i && k.kind == LEX_STRING) {
			continue; /* the line begins inside a literal */
		}
		size_t ls = i + 1;
		struct str line = str_sub(t, ls, ls + from.n);
		size_t text = skip_blanks(t, ls);
		bool blank = text >= t.n || t.p[text] == '\n' || t.p[text] == '\r';
		if (blank || t.p[text] == '#' || !str_eq(line, from) || inside_edit(p, ls) ||
			touches_edit(p, ls, ls + from.n)) {
			continue;
		}
		plan_edit(p, ls, ls + from.n, "%.*s", STR_ARG(to));
	}
}

/* Comments of the header that no condition's text carries along. */
static void header_comments(
	struct job *j, struct sbuf *out, size_t begin, size_t end, const char *indent)
{
	struct plan *p = j->p;
	size_t at = begin;
	struct str nl = str_of(plan_eol(p));
	for (;;) {
		const struct kt_node *next = NULL;
		for (size_t i = 0; i < j->n_conds; i++) {
			const struct kt_node *c = j->cond[i];
			if (c->begin >= at && c->begin < end && (!next || c->begin < next->begin)) {
				next = c;
			}
		}
		struct str c = plan_comments(p, at, next ? next->begin : end);
		struct str line;
		while (c.n && str_line(&c, &line)) {
			sbuf_addstr(out, line);
			sbuf_addstr(out, nl);
			sbuf_adds(out, indent);
		}
		if (!next) {
			return;
		}
		at = next->end;
	}
}

struct names {
	const char *selector;
	bool flag; /* a bool for two arms, else a number */
};

static void add_guard(struct sbuf *out, const struct job *j, const struct names *n, size_t i)
{
	(void)j;
	if (n->flag) {
		sbuf_addf(out, "if (%s%s)", i == 0 ? "" : "!", n->selector);
	} else {
		sbuf_addf(out, "if (%s == %zu)", n->selector, i);
	}
}

static const char *launder_call(const struct guard_opts *o)
{
	return o->guard == GUARD_LAUNDER_UNIFORM ? "UNPHI_LAUNDER_UNIFORM"
	       : o->guard == GUARD_LAUNDER	 ? "UNPHI_LAUNDER"
						 : NULL;
}

/* Text of the declarations in an if's or switch's parentheses, each ended by a semicolon. */
static void add_declarations(
	struct job *j, struct sbuf *out, const struct kt_node *n, const char *eol_indent)
{
	for (int slot = KT_IF_INIT; slot <= KT_IF_VAR; slot++) {
		const struct kt_node *d = n->child[slot];
		if (!d) {
			continue;
		}
		struct str s = str_trim(plan_text(j->p, d->begin, d->end));
		sbuf_addstr(out, s);
		sbuf_adds(out, str_ends(s, ";") ? "" : ";");
		sbuf_adds(out, eol_indent);
	}
}

static size_t columns(struct str s)
{
	size_t n = 0;
	for (size_t i = 0; i < s.n; i++) {
		n = s.p[i] == '\t' ? (n / 8 + 1) * 8 : n + 1;
	}
	return n;
}

/* The selector with line breaks before the colons of at most this depth of parentheses; returns the
 * longest line's columns. */
static size_t break_selector(
	struct sbuf *out, struct str s, const char *nl, const char *step, int depth)
{
	size_t longest = 0, line = 0;
	int at = 0;
	for (size_t i = 0; i < s.n; i++) {
		at += s.p[i] == '(' ? 1 : s.p[i] == ')' ? -1 : 0;
		bool colon = i + 2 < s.n && s.p[i] == ' ' && s.p[i + 1] == ':' && s.p[i + 2] == ' ';
		if (colon && at <= depth) {
			size_t n = columns(str_sub(sbuf_str(out), line, out->n));
			longest = n > longest ? n : longest;
			line = out->n + strcspn(nl, "\n") + 1;
			sbuf_adds(out, nl);
			for (int k = 0; k <= at; k++) {
				sbuf_adds(out, step);
			}
			continue;
		}
		sbuf_addc(out, s.p[i]);
	}
	size_t n = columns(str_sub(sbuf_str(out), line, out->n));
	return n > longest ? n : longest;
}

static void add_selector(struct job *j, struct sbuf *out, const struct names *n, const char *nl)
{
	enum {
		WIDTH = 100,
		DEPTH = 3
	};
	const char *step = plan_indent_step(j->p);
	struct sbuf text = {0};
	for (int depth = -1; depth < DEPTH; depth++) {
		sbuf_reset(&text);
		/* the line begins with the indentation that nl ends with */
		sbuf_adds(&text, nl + strcspn(nl, "\n") + 1);
		size_t indent = text.n;
		sbuf_addf(&text, "%sint %s = ", launder_call(j->opts) ? "" : "const ", n->selector);
		if (break_selector(&text, sbuf_str(&j->selector), nl, step, depth) < WIDTH ||
			depth + 1 == DEPTH) {
			sbuf_addstr(out, str_sub(sbuf_str(&text), indent, text.n));
			break;
		}
	}
	sbuf_addc(out, ';');
	sbuf_release(&text);
}

/* The snapshot of the condition(s). */
static void add_snapshot(
	struct job *j, struct sbuf *out, const struct names *n, const char *value, const char *nl)
{
	struct plan *p = j->p;
	const struct merge *m = j->top;
	const char *launder = launder_call(j->opts);
	if (m->kind == MERGE_SWITCH) {
		const struct kt_node *c = m->node->child[KT_SWITCH_COND];
		sbuf_addf(out, "const auto %s = %.*s;%s", value,
			STR_ARG(plan_text(p, c->begin, c->end)), nl);
	}
	if (n->flag) {
		struct str c = plan_text(p, j->cond[0]->begin, j->cond[0]->end);
		bool object = is_object(p, j->cond[0]);
		bool comma = j->cond[0]->kind == KT_BINARY && j->cond[0]->op == KT_OP_COMMA;
		bool paren = comma || j->cond[0]->kind == KT_COND || j->cond[0]->kind == KT_ASSIGN;
		if (launder) {
			sbuf_addf(out,
				paren ? "int %s = (%.*s) ? 1 : 0;" : "int %s = %.*s ? 1 : 0;",
				n->selector, STR_ARG(c));
		} else if (object) {
			sbuf_addf(out, "const bool %s = static_cast<bool>(%.*s);", n->selector,
				STR_ARG(c));
		} else {
			sbuf_addf(out, paren ? "const bool %s = (%.*s);" : "const bool %s = %.*s;",
				n->selector, STR_ARG(c));
		}
	} else {
		add_selector(j, out, n, nl);
	}
	sbuf_adds(out, nl);
}

static void rewrite_inner(struct job *j, const struct leaf *l, struct str to);

/* What stands around the new text. */
struct frame {
	size_t begin;	    /* where it begins: the merge, or the white space before it */
	const char *indent; /* of its lines */
	const char *nl;	    /* line break and indentation */
	const char *open;   /* "", or the brace that opens a block around it */
	const char *close;  /* "", or line break and the brace that closes it */
};

/* if/else stays; only the conditions are replaced by tests of the laundered selector. */
/* End of a condition with the parentheses around it that are not the statement's own; header is
 * where the statement begins. */
static size_t behind_parens(struct str t, size_t header, const struct kt_node *cond, size_t end)
{
	int open = -1;
	for (struct lex_token k = lex_next(t, header); k.kind != LEX_END && k.begin < cond->begin;
		k = lex_next(t, k.end)) {
		open += lex_is(t, k, "(") ? 1 : lex_is(t, k, ")") ? -1 : 0;
	}
	for (struct lex_token k = lex_next(t, end); open > 0 && lex_is(t, k, ")");
		k = lex_next(t, k.end)) {
		end = k.end;
		open--;
	}
	return end;
}

static void edit_kept(struct job *j, const struct names *n, const struct frame *f)
{
	struct plan *p = j->p;
	const char *nl = f->nl;
	struct sbuf s = {0};
	sbuf_adds(&s, f->open);
	const struct kt_node *c = j->cond[0];
	header_comments(j, &s, j->top->node->begin, c->begin, f->indent);
	add_declarations(j, &s, j->top->node, nl);
	add_snapshot(j, &s, n, NULL, nl);
	sbuf_addf(&s, "%s(%s);%s", launder_call(j->opts), n->selector, nl);
	/* the condition of a declaration is its name: the initializer goes with it */
	const struct kt_node *var = j->top->node->child[KT_IF_VAR];
	size_t end = var && var->end > c->end ? var->end : c->end;
	end = behind_parens(p->text, j->top->node->begin, c, end);
	plan_edit(p, f->begin, end, n->flag ? "%sif (%s" : "%sif (%s == 0", sbuf_cstr(&s),
		n->selector);
	for (size_t i = 1; i < j->n_conds; i++) {
		c = j->cond[i];
		plan_edit(p, c->begin, c->end, "%s == %zu", n->selector, i);
	}
	if (*f->close) {
		plan_edit(p, j->top->node->end, j->top->node->end, "%s", f->close);
		reindent(p, end, j->top->node->end, plan_indent(p, j->top->node->begin),
			str_of(f->indent));
	}
	sbuf_release(&s);
}

/* Where the block around the merge may begin: behind the header of the loop or if whose unbraced
 * body the merge is, when only white space stands between; else SIZE_MAX. */
static size_t hanging_brace(const struct plan *p, const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	if (!up || !(kt_is_loop(up->kind) || up->kind == KT_IF) || up->flags & KT_F_MACRO ||
		!first_on_line(p->text, n->begin)) {
		return SIZE_MAX;
	}
	size_t at = n->begin;
	while (at > 0 && isspace((unsigned char)p->text.p[at - 1])) {
		at--;
	}
	bool header =
		at > up->begin && (p->text.p[at - 1] == ')' || word_before(p->text, at, "else") ||
					  word_before(p->text, at, "do"));
	return header && !touches_edit(p, at, n->begin) ? at : SIZE_MAX;
}

static void edit_guards(
	struct job *j, const struct names *n, const char *value, const struct frame *f)
{
	struct plan *p = j->p;
	const char *nl = f->nl;
	const char *step = plan_indent_step(p);
	const char *launder = launder_call(j->opts);
	struct str to = str_of(f->indent);
	size_t at = f->begin;
	for (size_t i = 0; i < j->leaves.n; i++) {
		const struct leaf *l = &j->leaves.v[i];
		struct sbuf s = {0};
		if (i == 0) {
			sbuf_adds(&s, f->open);
			header_comments(j, &s, at, l->begin, f->indent);
			add_declarations(j, &s, j->top->node, nl);
			add_snapshot(j, &s, n, value, nl);
		} else {
			const struct leaf *before = &j->leaves.v[i - 1];
			sbuf_adds(&s, before->braced ? "" : nl);
			sbuf_adds(&s, before->braced ? "" : "}");
			sbuf_adds(&s, nl);
			if (!launder) {
				sbuf_addf(&s, "UNPHI_FENCE();%s", nl);
			}
			header_comments(j, &s, at, l->begin, f->indent);
		}
		if (launder) {
			sbuf_addf(&s, "%s(%s);%s", launder, n->selector, nl);
		}
		add_guard(&s, j, n, i);
		if (!l->braced) {
			sbuf_addf(&s, " {%s%s", nl, step);
		} else {
			sbuf_addf(&s, l->attr.n ? " %.*s" : "%.*s", STR_ARG(l->attr));
			sbuf_adds(&s, l->own_line ? nl : " ");
		}
		plan_edit(p, at, l->begin, "%s", sbuf_cstr(&s));
		sbuf_release(&s);
		at = l->end;
	}
	const struct leaf *last = &j->leaves.v[j->leaves.n - 1];
	struct sbuf s = {0};
	if (!last->braced) {
		sbuf_addf(&s, "%s}", nl);
	}
	struct str c = plan_comments(p, at, j->top->node->end);
	struct str line;
	while (c.n && str_line(&c, &line)) {
		sbuf_addf(&s, "%s%.*s", nl, STR_ARG(line));
	}
	sbuf_adds(&s, f->close);
	plan_edit(p, at, j->top->node->end, "%s", sbuf_cstr(&s));
	sbuf_release(&s);
	for (size_t i = 0; i < j->leaves.n; i++) {
		const struct leaf *l = &j->leaves.v[i];
		if (l->drop_end > l->drop_begin) {
			plan_edit(p, l->drop_begin, l->drop_end, "%s", "");
		}
		const char *deeper =
			arena_printf(p->a, "%.*s%s", STR_ARG(to), l->braced ? "" : step);
		if (j->opts->nested) {
			rewrite_inner(j, l, str_of(deeper));
		}
		reindent(p, l->begin, l->end, l->indent, str_of(deeper));
	}
}

/* The wide merges inside a leaf, the outermost ones: they go the same way. One that cannot stays as
 * it is: that changes nothing about this one. The leaf's lines move to the indentation to. */
static void rewrite_inner(struct job *j, const struct leaf *l, struct str to)
{
	struct plan *p = j->p;
	struct guard_opts opts = *j->opts;
	opts.from = l->indent;
	opts.to = to;
	for (size_t i = 0; i < p->parse->merges.n; i++) {
		const struct merge *m = &p->parse->merges.v[i];
		bool in = m->fn == j->top->fn && m->node->begin >= l->begin &&
			  m->node->end <= l->end && m->node != j->top->node;
		if (!in || !plan_is_wide(m) || m->kind == MERGE_COND ||
			inside_edit(p, m->node->begin)) {
			continue;
		}
		bool covered = false;
		for (const struct merge *up = m->outer; up && up->node != j->top->node;
			up = up->outer) {
			covered |= up->node->begin >= l->begin && plan_is_wide(up) &&
				   up->kind != MERGE_COND;
		}
		if (!covered) {
			struct candidate saved = {.clause = p->out->clause, .why = p->out->why};
			size_t edits = p->out->edits.edits.n;
			opts.wrapped = !l->braced && m->node->begin == l->begin;
			if (!plan_guard_arms(p, m, &opts)) {
				p->out->edits.edits.n = edits;
				p->out->clause = saved.clause;
				p->out->why = saved.why;
			}
		}
	}
}

static bool check_regions(struct job *j)
{
	struct plan *p = j->p;
	size_t at = j->top->node->begin;
	for (size_t i = 0; i <= j->leaves.n; i++) {
		size_t end = i < j->leaves.n ? j->leaves.v[i].begin : j->top->node->end;
		if (end < at) {
			plan_refuse(p, 2, "its arms do not stand in order");
			return false;
		}
		if (has_directive(p->text, at, end) &&
			!plan_refuse(p, 2, "a preprocessor directive stands between its arms")) {
			return false;
		}
		if (i == j->leaves.n) {
			break;
		}
		const struct leaf *l = &j->leaves.v[i];
		at = l->end;
		enum conditionals c = conditionals_in(p->text, l->begin, l->end);
		if (c == CONDITIONALS_CUT &&
			!plan_refuse(p, 2, "an #if reaches from one of its arms into another")) {
			return false;
		}
		/* what this parse does not see may hold a break or a case */
		if (c == CONDITIONALS_WHOLE && l->merge->kind == MERGE_SWITCH &&
			!plan_refuse(p, 2, "an #if stands inside an arm of the switch")) {
			return false;
		}
	}
	return true;
}

/* An indentation of the source as it will be, when an arm around the merge moves. */
static struct str moved_indent(const struct job *j, struct str indent)
{
	const struct guard_opts *o = j->opts;
	if (!o->from.p || str_eq(o->from, o->to) ||
		!str_eq(str_sub(indent, 0, o->from.n), o->from)) {
		return indent;
	}
	const char *s = arena_printf(
		j->p->a, "%.*s%.*s", STR_ARG(o->to), STR_ARG(str_sub(indent, o->from.n, indent.n)));
	return str_of(s);
}

static struct frame frame_around(const struct job *j, bool block)
{
	const struct plan *p = j->p;
	const struct kt_node *head = j->top->node;
	const char *eol = plan_eol(p);
	struct str base = moved_indent(j, plan_indent(p, head->begin));
	struct str outer = base;
	struct frame f = {.begin = head->begin, .open = "", .close = ""};
	size_t hang = block ? hanging_brace(p, head) : SIZE_MAX;
	bool deeper = block;
	if (hang != SIZE_MAX) {
		struct str up = moved_indent(j, plan_indent(p, head->parent->begin));
		/* a body that is not indented deeper than its loop gets the usual step */
		deeper = base.n <= up.n;
		outer = up;
		f.begin = hang;
	}
	f.indent = arena_printf(p->a, "%.*s%s", STR_ARG(base), deeper ? plan_indent_step(p) : "");
	f.nl = arena_printf(p->a, "%s%s", eol, f.indent);
	if (block) {
		bool own_line = hang != SIZE_MAX && j->leaves.v[0].own_line;
		const char *lead = hang == SIZE_MAX ? ""
				   : own_line ? arena_printf(p->a, "%s%.*s", eol, STR_ARG(outer))
					      : " ";
		f.open = arena_printf(p->a, "%s{%s", lead, f.nl);
		f.close = arena_printf(p->a, "%s%.*s}", eol, STR_ARG(outer));
	}
	return f;
}

static bool guard_job(struct job *j)
{
	struct plan *p = j->p;
	const struct merge *m = j->top;
	bool is_switch = m->kind == MERGE_SWITCH;
	const char *value = is_switch ? plan_name(p, "value") : NULL;
	if (!refuse_header(p, m) || !(is_switch ? collect_switch(j, m, value) : collect(j, m))) {
		return false;
	}
	if (j->leaves.n < 2 &&
		!(plan_refuse(p, 1, "fewer than two of its arms do anything") && j->leaves.n)) {
		return false;
	}
	struct leaf *last = &j->leaves.v[j->leaves.n - 1];
	last->end = last->end < m->node->end ? last->end : m->node->end;
	if (!check_regions(j)) {
		return false;
	}
	struct names n = {.flag = !is_switch && j->leaves.n == 2 && j->n_conds == 1};
	n.selector = plan_name(p, n.flag ? "taken" : "arm");
	const struct kt_node *head = m->node;
	bool block = head->child[KT_IF_INIT] || head->child[KT_IF_VAR] ||
		     (!j->opts->wrapped &&
			     (plan_needs_block(head) || !first_on_line(p->text, head->begin)));
	struct frame f = frame_around(j, block);
	p->out->needs |= j->opts->guard == GUARD_FENCE		   ? NEED_FENCE
			 : j->opts->guard == GUARD_LAUNDER_UNIFORM ? NEED_LAUNDER_UNIFORM
								   : NEED_LAUNDER;
	if (j->opts->keep_else) {
		edit_kept(j, &n, &f);
	} else {
		edit_guards(j, &n, value, &f);
	}
	return true;
}

static void find_selection(struct job *j, struct selection *out)
{
	struct plan *p = j->p;
	const struct merge *m = j->top;
	bool is_switch = m->kind == MERGE_SWITCH;
	const char *value = is_switch ? plan_name(p, "value") : NULL;
	if (!refuse_header(p, m) || !(is_switch ? collect_switch(j, m, value) : collect(j, m))) {
		return;
	}
	if (j->partial || j->leaves.n < 2) {
		plan_refuse(p, 1, "there is a path without an arm");
		return;
	}
	struct names n = {.flag = !is_switch && j->leaves.n == 2 && j->n_conds == 1};
	n.selector = plan_name(p, n.flag ? "taken" : "arm");
	struct sbuf s = {0};
	add_declarations(j, &s, m->node, "\n");
	add_snapshot(j, &s, &n, value, "\n");
	const char *launder = launder_call(j->opts);
	if (launder) {
		sbuf_addf(&s, "%s(%s);\n", launder, n.selector);
		p->out->needs |=
			j->opts->guard == GUARD_LAUNDER ? NEED_LAUNDER : NEED_LAUNDER_UNIFORM;
	}
	out->snapshot = (struct str){arena_strndup(p->a, s.p, s.n), s.n};
	sbuf_release(&s);
	out->name = n.selector;
	out->flag = n.flag;
	out->declares = m->node->child[KT_IF_INIT] || m->node->child[KT_IF_VAR];
	out->arms = j->leaves.n;
	out->arm = ARENA_ARRAY(p->a, const struct arm *, out->arms);
	out->merge = ARENA_ARRAY(p->a, const struct merge *, out->arms);
	for (size_t i = 0; i < out->arms; i++) {
		out->arm[i] = j->leaves.v[i].arm;
		out->merge[i] = j->leaves.v[i].merge;
	}
	out->conds = j->n_conds;
	out->cond = arena_memdup(p->a, j->cond, j->n_conds * sizeof(j->cond[0]));
}

bool plan_select_arms(struct plan *p, const struct guard_opts *opts, struct selection *out)
{
	struct job j = {.p = p, .opts = opts, .top = p->merge};
	*out = (struct selection){0};
	find_selection(&j, out);
	array_release(&j.leaves);
	sbuf_release(&j.selector);
	return out->arms > 0;
}

/*
 * Between guarded ifs on a condition per lane the compiler may drop the skip around a short arm,
 * and run it with EXEC = 0, which matrix operations and barriers ignore. Only its output can tell.
 */
static void ask_for_measurement(struct job *j)
{
	struct plan *p = j->p;
	const struct merge *m = j->top;
	unsigned flags = 0;
	for (size_t i = 0; i < m->arms; i++) {
		struct fx fx;
		facts_effects(&fx, p->parse->facts, p->a, m->arm[i].body);
		flags |= fx.flags;
	}
	if (!(flags & (FX_MATRIX | FX_BARRIER | FX_UNKNOWN)) || p->out->measure_why) {
		return;
	}
	struct uniformity *u = p->parse->uniformity;
	bool uniform = uniformity_control(u, m->node);
	if (m->kind == MERGE_SWITCH) {
		uniform = uniform && uniformity_expr(u, m->node->child[KT_SWITCH_COND], NULL);
	}
	for (size_t i = 0; i < j->n_conds; i++) {
		uniform = uniform && uniformity_expr(u, j->cond[i], NULL);
	}
	if (!uniform) {
		p->out->measure_why = "the condition is not proved uniform, and an arm holds a "
				      "matrix operation or a "
				      "barrier: only a measurement shows whether the compiler "
				      "keeps the skip around it";
	}
}

bool plan_guard_arms(struct plan *p, const struct merge *m, const struct guard_opts *opts)
{
	struct job j = {.p = p, .opts = opts, .top = m};
	bool ok = guard_job(&j);
	if (ok) {
		ask_for_measurement(&j);
	}
	array_release(&j.leaves);
	sbuf_release(&j.selector);
	return ok;
}
