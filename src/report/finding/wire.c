#include "report/finding/wire.h"

#include <string.h>

#include "base/msg.h"

static void put_size(struct sbuf *out, size_t n)
{
	sbuf_add(out, &n, sizeof(n));
}

static void put_text(struct sbuf *out, struct str s)
{
	put_size(out, s.n);
	sbuf_addstr(out, s);
}

/* NULL is one more than the empty string. */
static void put_name(struct sbuf *out, const char *name)
{
	put_size(out, name != NULL);
	put_text(out, str_of(name));
}

static void put_place(struct sbuf *out, const struct diag_place *p)
{
	put_name(out, p->path);
	put_size(out, p->begin);
	put_size(out, p->end);
}

void wire_pack(struct sbuf *out, const struct wire_unit *u)
{
	put_size(out, u->files.n);
	for (size_t i = 0; i < u->files.n; i++) {
		put_name(out, u->files.v[i]);
	}
	array_each (&u->found.v, const struct diag, d) {
		put_size(out, d->level);
		put_size(out, d->weight);
		put_name(out, d->function);
		put_size(out, d->code);
		put_name(out, d->rule);
		put_place(out, &d->place);
		put_text(out, d->text);
		put_size(out, d->notes);
		for (size_t i = 0; i < d->notes; i++) {
			put_place(out, &d->note[i].place);
			put_text(out, d->note[i].text);
			put_size(out, d->note[i].says);
		}
		put_size(out, d->edits);
		for (size_t i = 0; i < d->edits; i++) {
			put_place(out, &d->edit[i].place);
			put_text(out, d->edit[i].text);
		}
		put_size(out, d->arms);
		for (size_t i = 0; i < d->arms; i++) {
			put_place(out, &d->arm[i]);
		}
		put_name(out, d->next);
		put_name(out, d->kernels);
	}
}

struct reader {
	struct arena *a;
	struct str rest;
};

static size_t get_size(struct reader *r)
{
	size_t n;

	if (r->rest.n < sizeof(n)) {
		BUG("a finding ends early");
	}
	memcpy(&n, r->rest.p, sizeof(n));
	r->rest = str_sub(r->rest, sizeof(n), r->rest.n);
	return n;
}

static struct str get_text(struct reader *r)
{
	size_t n = get_size(r);

	if (r->rest.n < n) {
		BUG("a finding's text ends early");
	}
	struct str s = {arena_strndup(r->a, r->rest.p, n), n};
	r->rest = str_sub(r->rest, n, r->rest.n);
	return s;
}

static const char *get_name(struct reader *r)
{
	size_t there = get_size(r);
	const char *name = get_text(r).p;

	return there ? name : NULL;
}

static struct diag_place get_place(struct reader *r)
{
	struct diag_place p = {.path = get_name(r)};

	p.begin = get_size(r);
	p.end = get_size(r);
	return p;
}

void wire_unpack(struct wire_unit *out, struct arena *a, struct str bytes)
{
	struct reader r = {a, bytes};

	*out = (struct wire_unit){0};
	for (size_t n = bytes.n > 0 ? get_size(&r) : 0; n > 0; n--) {
		array_push(&out->files, get_name(&r));
	}
	while (r.rest.n > 0) {
		struct diag d = {.level = (enum diag_level)get_size(&r)};

		d.weight = (unsigned)get_size(&r);
		d.function = get_name(&r);
		d.code = get_size(&r);
		d.rule = get_name(&r);
		d.place = get_place(&r);
		d.text = get_text(&r);
		d.notes = get_size(&r);
		d.note = ARENA_ARRAY(a, struct diag_note, d.notes);
		for (size_t i = 0; i < d.notes; i++) {
			d.note[i].place = get_place(&r);
			d.note[i].text = get_text(&r);
			d.note[i].says = (enum note_says)get_size(&r);
		}
		d.edits = get_size(&r);
		d.edit = ARENA_ARRAY(a, struct diag_edit, d.edits);
		for (size_t i = 0; i < d.edits; i++) {
			d.edit[i].place = get_place(&r);
			d.edit[i].text = get_text(&r);
		}
		d.arms = get_size(&r);
		d.arm = ARENA_ARRAY(a, struct diag_place, d.arms);
		for (size_t i = 0; i < d.arms; i++) {
			d.arm[i] = get_place(&r);
		}
		d.next = get_name(&r);
		d.kernels = get_name(&r);
		array_push(&out->found.v, d);
	}
}

void wire_release(struct wire_unit *u)
{
	array_release(&u->found.v);
	array_release(&u->files);
}
