#include "measure/ir/merge.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/map.h"
#include "measure/ir/ir.h"

enum {
	NONE = -1,
	CHAIN_MAX = 8 /* calls shown */
};

struct block {
	ARRAY(int) to;
	ARRAY(int) from;
	int64_t bits; /* of its phis */
	unsigned phis;
	struct str phi;	   /* the widest one */
	struct str branch; /* the line of its terminator */
	bool splits;	   /* it has several successors */
	int order;	   /* in reverse postorder; NONE: not reached */
	int dominator;
};

struct function {
	struct arena *a;
	struct map metadata; /* "12" -> const struct str * of its line */
	struct map label;    /* -> index */
	ARRAY(struct block) block;
	ARRAY(int) order; /* blocks in reverse postorder */
};

/* ---- text ---- */

/* The text after key in a line, up to a comma, bracket or space; empty without key. */
static struct str value_of(struct str line, const char *key)
{
	size_t at = str_find(line, key, 0);
	if (at == SIZE_MAX) {
		return (struct str){line.p, 0};
	}
	size_t from = at + strlen(key), to = from;
	if (from < line.n && line.p[from] == '"') {
		to = str_find(line, "\"", from + 1);
		return str_sub(line, from + 1, to == SIZE_MAX ? line.n : to);
	}
	while (to < line.n && !strchr(",) ]", line.p[to])) {
		to++;
	}
	return str_sub(line, from, to);
}

static bool defines(struct str line, const char *symbol)
{
	size_t at = str_find(line, "@", 0);
	size_t from = at == SIZE_MAX ? at : at + 1 + (at + 1 < line.n && line.p[at + 1] == '"');
	size_t n = strlen(symbol);
	return str_starts(line, "define ") && from != SIZE_MAX && from + n < line.n &&
	       memcmp(line.p + from, symbol, n) == 0 && strchr("(\"", line.p[from + n]);
}

static int block_of(struct function *f, struct str label)
{
	uintptr_t i = map_get(&f->label, label, 0);
	if (i == 0) {
		array_push(&f->block, (struct block){.order = NONE, .dominator = NONE});
		i = f->block.n; /* one more than the index */
		map_set(&f->label, label, i);
	}
	return (int)i - 1;
}

/* Adds the successors in a terminator's line. */
static void add_ways(struct function *f, int from, struct str line)
{
	for (size_t at = str_find(line, "label %", 0); at != SIZE_MAX;
		at = str_find(line, "label %", at + 1)) {
		int to = block_of(f, value_of(str_sub(line, at, line.n), "label %"));
		array_push(&f->block.v[from].to, to);
		array_push(&f->block.v[to].from, from);
	}
}

static void add_phi(struct block *b, struct str line)
{
	int64_t bits = ir_phi_bits(line);
	b->bits += bits;
	b->phis += bits > 0;
	if (bits > ir_phi_bits(b->phi)) {
		b->phi = line;
	}
}

static void read_body(struct function *f, struct str body)
{
	struct str line;
	int at = block_of(f, STR("<entry>"));
	bool in_switch = false;
	while (str_line(&body, &line)) {
		bool indented = line.n > 0 && line.p[0] == ' ';
		struct str t = str_trim(line);
		size_t colon = str_find(t, ":", 0);
		if (!indented && colon != SIZE_MAX) {
			at = block_of(f, str_sub(t, 0, colon));
			continue;
		}
		add_phi(&f->block.v[at], t);
		if (str_starts(t, "br ") || str_starts(t, "switch ") || in_switch) {
			add_ways(f, at, t);
			bool opens = str_starts(t, "switch ") && str_find(t, "]", 0) == SIZE_MAX;
			in_switch = (in_switch || opens) && str_find(t, "]", 0) == SIZE_MAX;
			if (!in_switch) {
				f->block.v[at].branch = t;
				f->block.v[at].splits = f->block.v[at].to.n > 1;
			}
		}
	}
}

/* ---- flow ---- */

static void number_blocks(struct function *f)
{
	size_t n = f->block.n;
	ARRAY(int) stack = {0};
	ARRAY(int) post = {0};
	size_t *next = ARENA_ARRAY(f->a, size_t, n);
	bool *seen = ARENA_ARRAY(f->a, bool, n);
	array_push(&stack, 0);
	seen[0] = true;
	while (stack.n > 0) {
		int b = stack.v[stack.n - 1];
		if (next[b] < f->block.v[b].to.n) {
			int to = f->block.v[b].to.v[next[b]++];
			if (!seen[to]) {
				seen[to] = true;
				array_push(&stack, to);
			}
		} else {
			array_push(&post, b);
			stack.n--;
		}
	}
	for (size_t i = post.n; i-- > 0;) {
		f->block.v[post.v[i]].order = (int)f->order.n;
		array_push(&f->order, post.v[i]);
	}
	array_release(&stack);
	array_release(&post);
}

static int common(const struct function *f, int x, int y)
{
	while (x != y) {
		while (f->block.v[x].order > f->block.v[y].order) {
			x = f->block.v[x].dominator;
		}
		while (f->block.v[y].order > f->block.v[x].order) {
			y = f->block.v[y].dominator;
		}
	}
	return x;
}

/* Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm. */
static void find_dominators(struct function *f)
{
	f->block.v[0].dominator = 0;
	for (bool changed = true; changed;) {
		changed = false;
		for (size_t i = 1; i < f->order.n; i++) {
			struct block *b = &f->block.v[f->order.v[i]];
			int d = NONE;
			array_each (&b->from, const int, p) {
				if (f->block.v[*p].dominator != NONE) {
					d = d == NONE ? *p : common(f, d, *p);
				}
			}
			changed |= d != b->dominator;
			b->dominator = d;
		}
	}
}

static bool is_loop_head(const struct function *f, const struct block *b)
{
	array_each (&b->from, const int, p) {
		if (f->block.v[*p].order >= b->order) {
			return true;
		}
	}
	return false;
}

/* ---- places ---- */

static struct str metadata_of(const struct function *f, struct str id)
{
	id = str_starts(id, "!") ? str_sub(id, 1, id.n) : id;
	const struct str *line = (const struct str *)map_get(&f->metadata, id, 0);
	return line ? *line : (struct str){"", 0};
}

/* A scope names a file, or a scope around it does. */
static const char *file_of(const struct function *f, struct str scope)
{
	for (int i = 0; i < 64 && scope.n; i++) {
		struct str line = metadata_of(f, scope);
		struct str file = value_of(line, "file: ");
		if (file.n) {
			struct str name = value_of(metadata_of(f, file), "filename: ");
			return name.n ? arena_strndup(f->a, name.p, name.n) : NULL;
		}
		scope = value_of(line, "scope: ");
	}
	return NULL;
}

static unsigned number_of(struct str s)
{
	int64_t n = 0;
	return str_to_i64(s, &n) && n > 0 && n <= UINT32_MAX ? (unsigned)n : 0;
}

static void place(struct ir_merge *m, const struct function *f, struct str id)
{
	struct str at = metadata_of(f, id);
	struct sbuf chain = {0};
	m->file = file_of(f, value_of(at, "scope: "));
	m->line = number_of(value_of(at, "line: "));
	m->column = number_of(value_of(at, "column: "));
	for (int i = 0; i < CHAIN_MAX; i++) {
		at = metadata_of(f, value_of(at, "inlinedAt: "));
		const char *file = file_of(f, value_of(at, "scope: "));
		if (!at.n || !file) {
			break;
		}
		sbuf_addf(&chain, "%s%s:%u", chain.n ? ", " : "", file,
			number_of(value_of(at, "line: ")));
	}
	m->inlined = sbuf_finish(&chain, f->a).p;
}

static int widest_first(const void *x, const void *y)
{
	const struct ir_merge *a = x, *b = y;
	if (a->vgprs != b->vgprs) {
		return a->vgprs < b->vgprs ? 1 : -1;
	}
	return (a->line > b->line) - (a->line < b->line);
}

static void read_metadata(struct function *f, struct str ir)
{
	struct str line;
	while (str_line(&ir, &line)) {
		size_t eq = str_starts(line, "!") ? str_find(line, " = ", 0) : SIZE_MAX;
		if (eq != SIZE_MAX) {
			struct str *copy = arena_memdup(f->a, &line, sizeof(line));
			map_set(&f->metadata, str_sub(line, 1, eq), (uintptr_t)copy);
		}
	}
}

static struct str body_of(struct str ir, const char *symbol)
{
	struct str rest = ir, line;
	while (str_line(&rest, &line)) {
		if (defines(line, symbol)) {
			size_t end = str_find(rest, "\n}", 0);
			return str_sub(rest, 0, end == SIZE_MAX ? rest.n : end);
		}
	}
	return (struct str){ir.p, 0};
}

void ir_merges(struct ir_merge **out, size_t *n, struct arena *a, struct str ir, const char *symbol)
{
	struct function f = {.a = a};
	ARRAY(struct ir_merge) found = {0};
	read_body(&f, body_of(ir, symbol));
	read_metadata(&f, ir);
	number_blocks(&f);
	find_dominators(&f);
	for (size_t i = 0; i < f.order.n; i++) {
		const struct block *b = &f.block.v[f.order.v[i]];
		if (b->bits < 32 || b->from.n < 2 || is_loop_head(&f, b)) {
			continue;
		}
		const struct block *d = &f.block.v[b->dominator];
		struct ir_merge m = {.vgprs = (unsigned)((b->bits + 31) / 32),
			.phis = b->phis,
			.phi = b->phi,
			.inlined = ""};
		if (d->splits) {
			place(&m, &f, value_of(d->branch, "!dbg "));
		}
		array_push(&found, m);
	}
	array_sort(&found, widest_first);
	array_move(*out, *n, a, &found);
	array_each (&f.block, struct block, b) {
		array_release(&b->to);
		array_release(&b->from);
	}
	array_release(&f.block);
	array_release(&f.order);
	map_release(&f.metadata);
	map_release(&f.label);
}
