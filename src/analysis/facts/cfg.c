#include "analysis/facts/cfg.h"

#include "base/array.h"

#define NOWHERE SIZE_MAX

typedef ARRAY(const struct kt_node *) node_array;
typedef ARRAY(size_t) index_array;

struct building {
	node_array nodes;
	index_array to;
};

/* The targets of break and continue, and the switch of case labels. */
struct scope {
	struct scope *up;
	size_t on_break;
	size_t on_continue; /* NOWHERE in a switch: that of the loop around it */
	size_t head;	    /* of a switch; else NOWHERE */
	bool has_default;
};

struct builder {
	ARRAY(struct building) blocks;
	size_t here;
	struct scope *scope;
	bool jumps; /* goto, labels */
};

static void stmt(struct builder *b, const struct kt_node *n);

static size_t new_block(struct builder *b)
{
	array_push(&b->blocks, (struct building){0});
	return b->blocks.n - 1;
}

static void edge(struct builder *b, size_t from, size_t to)
{
	index_array *v = &b->blocks.v[from].to;
	for (size_t i = 0; i < v->n; i++) {
		if (v->v[i] == to) {
			return;
		}
	}
	array_push(v, to);
}

/* Goes on in a block that follows the current one. */
static void enter(struct builder *b, size_t block)
{
	edge(b, b->here, block);
	b->here = block;
}

/* Jumps to a block; the code after the jump is reachable only by labels. */
static void leave(struct builder *b, size_t block)
{
	edge(b, b->here, block);
	b->here = new_block(b);
}

static void add(struct builder *b, const struct kt_node *n)
{
	if (n) {
		array_push(&b->blocks.v[b->here].nodes, n);
	}
}

static void child(struct builder *b, const struct kt_node *n, size_t slot)
{
	if (n->child[slot]) {
		stmt(b, n->child[slot]);
	}
}

static void if_stmt(struct builder *b, const struct kt_node *n)
{
	child(b, n, KT_IF_INIT);
	child(b, n, KT_IF_VAR);
	child(b, n, KT_IF_COND);
	size_t head = b->here;
	size_t after = new_block(b);
	for (size_t i = KT_IF_THEN; i < KT_IF_SLOTS; i++) {
		b->here = head;
		enter(b, new_block(b));
		child(b, n, i);
		edge(b, b->here, after);
	}
	b->here = after;
}

static void loop_body(struct builder *b, const struct kt_node *body, size_t next, size_t after)
{
	struct scope s = {.up = b->scope, .on_break = after, .on_continue = next, .head = NOWHERE};
	b->scope = &s;
	if (body) {
		stmt(b, body);
	}
	b->scope = s.up;
}

static void for_stmt(struct builder *b, const struct kt_node *n)
{
	child(b, n, KT_FOR_INIT);
	size_t head = new_block(b), inc = new_block(b), after = new_block(b);
	enter(b, head);
	child(b, n, KT_FOR_COND);
	if (n->child[KT_FOR_COND]) {
		edge(b, b->here, after);
	}
	enter(b, new_block(b));
	loop_body(b, n->child[KT_FOR_BODY], inc, after);
	enter(b, inc);
	child(b, n, KT_FOR_INC);
	edge(b, b->here, head);
	b->here = after;
}

static void range_for(struct builder *b, const struct kt_node *n)
{
	child(b, n, KT_RANGE_INIT);
	add(b, n->child[KT_RANGE_RANGE]);
	size_t head = new_block(b), after = new_block(b);
	enter(b, head);
	edge(b, head, after);
	enter(b, new_block(b));
	add(b, n);
	loop_body(b, n->child[KT_RANGE_BODY], head, after);
	edge(b, b->here, head);
	b->here = after;
}

static void while_stmt(struct builder *b, const struct kt_node *n)
{
	size_t head = new_block(b), after = new_block(b);
	enter(b, head);
	child(b, n, KT_WHILE_VAR);
	child(b, n, KT_WHILE_COND);
	edge(b, b->here, after);
	enter(b, new_block(b));
	loop_body(b, n->child[KT_WHILE_BODY], head, after);
	edge(b, b->here, head);
	b->here = after;
}

static void do_stmt(struct builder *b, const struct kt_node *n)
{
	size_t body = new_block(b), cond = new_block(b), after = new_block(b);
	enter(b, body);
	loop_body(b, n->child[KT_DO_BODY], cond, after);
	enter(b, cond);
	child(b, n, KT_DO_COND);
	const struct kt_node *cond_node = n->child[KT_DO_COND];
	bool once = cond_node && cond_node->flags & KT_F_VALUE && cond_node->value == 0;
	if (!once) { /* do { ... } while (0), common in macros */
		edge(b, b->here, body);
	}
	enter(b, after);
}

static void switch_stmt(struct builder *b, const struct kt_node *n)
{
	child(b, n, KT_SWITCH_INIT);
	child(b, n, KT_SWITCH_VAR);
	child(b, n, KT_SWITCH_COND);
	size_t after = new_block(b);
	struct scope s = {
		.up = b->scope, .on_break = after, .on_continue = NOWHERE, .head = b->here};
	b->scope = &s;
	b->here = new_block(b); /* code before the first label */
	child(b, n, KT_SWITCH_BODY);
	b->scope = s.up;
	edge(b, b->here, after);
	if (!s.has_default) {
		edge(b, s.head, after);
	}
	b->here = after;
}

static void case_label(struct builder *b, const struct kt_node *n)
{
	struct scope *s = b->scope;
	while (s && s->head == NOWHERE) {
		s = s->up;
	}
	size_t block = new_block(b);
	enter(b, block);
	if (s) {
		edge(b, s->head, block);
		s->has_default |= n->kind == KT_DEFAULT;
	} else {
		b->jumps = true;
	}
	const struct kt_node *labelled = n->kind == KT_CASE ? n->child[KT_CASE_STMT]
					 : n->n		    ? n->child[0]
							    : NULL;
	if (labelled) {
		stmt(b, labelled);
	}
}

static void jump(struct builder *b, enum kt_kind kind)
{
	for (struct scope *s = b->scope; s; s = s->up) {
		size_t to = kind == KT_BREAK ? s->on_break : s->on_continue;
		if (to != NOWHERE) {
			leave(b, to);
			return;
		}
	}
	b->jumps = true;
}

static void stmt(struct builder *b, const struct kt_node *n)
{
	switch (n->kind) {
	case KT_COMPOUND:
	case KT_DECL:
		for (size_t i = 0; i < n->n; i++) {
			child(b, n, i);
		}
		return;
	case KT_IF:
		if_stmt(b, n);
		return;
	case KT_SWITCH:
		switch_stmt(b, n);
		return;
	case KT_CASE:
	case KT_DEFAULT:
		case_label(b, n);
		return;
	case KT_FOR:
		for_stmt(b, n);
		return;
	case KT_RANGE_FOR:
		range_for(b, n);
		return;
	case KT_WHILE:
		while_stmt(b, n);
		return;
	case KT_DO:
		do_stmt(b, n);
		return;
	case KT_RETURN:
		add(b, n);
		leave(b, CFG_EXIT);
		return;
	case KT_BREAK:
	case KT_CONTINUE:
		jump(b, n->kind);
		return;
	case KT_GOTO:
	case KT_LABEL:
		b->jumps = true;
		return;
	case KT_EMPTY:
		return;
	default:
		add(b, n);
		return;
	}
}

static void finish(struct cfg *out, struct arena *a, struct builder *b)
{
	out->blocks = b->blocks.n;
	out->block = ARENA_ARRAY(a, struct cfg_block, out->blocks);
	for (size_t i = 0; i < out->blocks; i++) {
		struct building *from = &b->blocks.v[i];
		struct cfg_block *to = &out->block[i];
		to->node = array_to_arena(a, &from->nodes);
		to->nodes = from->nodes.n;
		to->to = array_to_arena(a, &from->to);
		to->tos = from->to.n;
		for (size_t k = 0; k < to->tos; k++) {
			out->block[to->to[k]].froms++;
		}
	}
	for (size_t i = 0; i < out->blocks; i++) {
		out->block[i].from = ARENA_ARRAY(a, size_t, out->block[i].froms);
		out->block[i].froms = 0;
	}
	for (size_t i = 0; i < out->blocks; i++) {
		for (size_t k = 0; k < out->block[i].tos; k++) {
			struct cfg_block *to = &out->block[out->block[i].to[k]];
			to->from[to->froms++] = i;
		}
	}
}

bool cfg_build(struct cfg *out, struct arena *a, const struct kt_node *body)
{
	struct builder b = {0};
	*out = (struct cfg){0};
	new_block(&b);
	new_block(&b);
	b.here = CFG_ENTRY;
	stmt(&b, body);
	edge(&b, b.here, CFG_EXIT);
	if (!b.jumps) {
		finish(out, a, &b);
	}
	for (size_t i = 0; i < b.blocks.n; i++) {
		array_release(&b.blocks.v[i].nodes);
		array_release(&b.blocks.v[i].to);
	}
	array_release(&b.blocks);
	return !b.jumps;
}
