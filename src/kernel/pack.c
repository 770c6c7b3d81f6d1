/*
 * A node is its kind, a byte with the bits of the fields present, and these fields. Numbers are
 * written in groups of seven bits, places relative to the node before. KT_NONE stands for an absent
 * child.
 */
#include "kernel/pack.h"

#include <string.h>
#include "base/msg.h"

enum field {
	HAS_OP = 1 << 0,
	HAS_FLAGS = 1 << 1,
	HAS_TYPE = 1 << 2,
	HAS_SYM = 1 << 3,
	HAS_FN = 1 << 4,
	HAS_FILE = 1 << 5, /* not the file of the node before */
	HAS_TEXT = 1 << 6,
	HAS_CHILDREN = 1 << 7,
};

/* The place of the node before. */
struct place {
	kt_id file;
	uint32_t begin;
};

static void put(struct sbuf *out, uint64_t v)
{
	while (v >= 0x80) {
		sbuf_addc(out, (char)(v | 0x80));
		v >>= 7;
	}
	sbuf_addc(out, (char)v);
}

/* Zigzag: small numbers of either sign are short. */
static void put_signed(struct sbuf *out, int64_t v)
{
	put(out, (uint64_t)v << 1 ^ (v < 0 ? UINT64_MAX : 0));
}

static void put_if(struct sbuf *out, unsigned has, enum field f, uint64_t v)
{
	if (has & f) {
		put(out, v);
	}
}

static void pack(struct sbuf *out, const struct kt_node *n, struct place *before)
{
	if (!n) {
		sbuf_addc(out, KT_NONE);
		return;
	}
	unsigned has = (n->op ? HAS_OP : 0) | (n->flags ? HAS_FLAGS : 0) |
		       (n->type ? HAS_TYPE : 0) | (n->sym ? HAS_SYM : 0) | (n->fn ? HAS_FN : 0) |
		       (n->file != before->file ? HAS_FILE : 0) | (n->text ? HAS_TEXT : 0) |
		       (n->n ? HAS_CHILDREN : 0);
	sbuf_addc(out, (char)n->kind);
	sbuf_addc(out, (char)has);
	put_if(out, has, HAS_OP, n->op);
	put_if(out, has, HAS_FLAGS, n->flags);
	put_if(out, has, HAS_TYPE, n->type);
	put_if(out, has, HAS_SYM, n->sym);
	put_if(out, has, HAS_FN, n->fn);
	put_if(out, has, HAS_FILE, n->file);
	put_signed(out, (int64_t)n->begin - before->begin);
	put_signed(out, (int64_t)n->end - n->begin);
	if (n->flags & KT_F_VALUE) {
		put_signed(out, n->value);
	}
	if (n->text) {
		sbuf_add(out, &n->text, sizeof(n->text));
	}
	put_if(out, has, HAS_CHILDREN, n->n);
	*before = (struct place){n->file, n->begin};
	for (uint32_t i = 0; i < n->n; i++) {
		pack(out, n->child[i], before);
	}
}

void kt_pack(struct sbuf *out, const struct kt_node *body)
{
	pack(out, body, &(struct place){0});
}

struct packed {
	struct arena *arena;
	struct str text;
	size_t at;
	struct place before;
};

static void take_bytes(struct packed *p, void *to, size_t n)
{
	if (p->text.n - p->at < n) {
		BUG("a packed body ends too early");
	}
	memcpy(to, p->text.p + p->at, n);
	p->at += n;
}

static unsigned take_byte(struct packed *p)
{
	unsigned char c;

	take_bytes(p, &c, 1);
	return c;
}

static uint64_t take(struct packed *p)
{
	uint64_t v = 0;
	unsigned byte = 0x80;

	for (unsigned shift = 0; byte & 0x80 && shift < 64; shift += 7) {
		byte = take_byte(p);
		v |= (uint64_t)(byte & 0x7f) << shift;
	}
	return v;
}

static int64_t take_signed(struct packed *p)
{
	uint64_t v = take(p);

	return (int64_t)(v >> 1 ^ (v & 1 ? UINT64_MAX : 0));
}

static uint32_t take_if(struct packed *p, unsigned has, enum field f, uint32_t otherwise)
{
	return has & f ? (uint32_t)take(p) : otherwise;
}

static struct kt_node *unpack(struct packed *p)
{
	enum kt_kind kind = (enum kt_kind)take_byte(p);

	if (kind == KT_NONE) {
		return NULL;
	}
	struct kt_node *n = ARENA_NEW(p->arena, struct kt_node);
	unsigned has = take_byte(p);
	n->kind = kind;
	n->op = (enum kt_op)take_if(p, has, HAS_OP, 0);
	n->flags = take_if(p, has, HAS_FLAGS, 0) & KT_F_ALL;
	n->type = take_if(p, has, HAS_TYPE, 0);
	n->sym = take_if(p, has, HAS_SYM, 0);
	n->fn = take_if(p, has, HAS_FN, 0);
	n->file = (uint16_t)take_if(p, has, HAS_FILE, p->before.file);
	n->begin = (uint32_t)(p->before.begin + take_signed(p));
	n->end = (uint32_t)(n->begin + take_signed(p));
	n->value = n->flags & KT_F_VALUE ? take_signed(p) : 0;
	if (has & HAS_TEXT) {
		take_bytes(p, &n->text, sizeof(n->text));
	}
	n->n = take_if(p, has, HAS_CHILDREN, 0) & KT_CHILDREN_MAX;
	n->child = n->n ? ARENA_ARRAY(p->arena, struct kt_node *, n->n) : NULL;
	p->before = (struct place){n->file, n->begin};
	for (uint32_t i = 0; i < n->n; i++) {
		n->child[i] = unpack(p);
	}
	kt_link(n);
	return n;
}

struct kt_node *kt_unpack(struct arena *a, struct str packed)
{
	struct packed p = {.arena = a, .text = packed};

	return unpack(&p);
}
