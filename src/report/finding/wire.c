#include "report/finding/wire.h"

#include <limits.h>
#include <string.h>

#include "rule/rule.h"

static void put_size(struct sbuf *out, size_t n)
{
	sbuf_add(out, &n, sizeof(n));
}

static void put_text(struct sbuf *out, struct str s)
{
	put_size(out, s.n);
	sbuf_addstr(out, s);
}

/* NULL differs from the empty string. */
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
	put_size(out, u->read.n);
	for (size_t i = 0; i < u->read.n; i++) {
		put_name(out, u->read.v[i]);
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

/* After the first error nothing more is read, and all further values are zero. */
struct reader {
	struct arena *a;
	struct str rest;
	bool bad;
};

static size_t get_size(struct reader *r)
{
	size_t n;

	r->bad = r->bad || r->rest.n < sizeof(n);
	if (r->bad) {
		return 0;
	}
	memcpy(&n, r->rest.p, sizeof(n));
	r->rest = str_sub(r->rest, sizeof(n), r->rest.n);
	return n;
}

static size_t get_below(struct reader *r, size_t end)
{
	size_t n = get_size(r);

	r->bad = r->bad || n >= end;
	return r->bad ? 0 : n;
}

/* The number of elements that follow. Each takes at least a size_t, so the bytes left bound the
 * number. */
static size_t get_count(struct reader *r)
{
	return get_below(r, r->rest.n / sizeof(size_t) + 1);
}

static struct str get_text(struct reader *r)
{
	size_t n = get_size(r);

	r->bad = r->bad || r->rest.n < n;
	if (r->bad) {
		return STR("");
	}
	struct str s = {arena_strndup(r->a, r->rest.p, n), n};
	r->rest = str_sub(r->rest, n, r->rest.n);
	return s;
}

static const char *get_name(struct reader *r)
{
	bool there = get_below(r, 2);
	struct str name = get_text(r);

	r->bad = r->bad || strlen(name.p) != name.n;
	return there ? name.p : NULL;
}

static struct diag_place get_place(struct reader *r)
{
	struct diag_place p = {.path = get_name(r)};

	p.begin = get_size(r);
	p.end = get_size(r);
	r->bad = r->bad || p.end < p.begin;
	return p;
}

static const char *get_rule(struct reader *r)
{
	const char *name = get_name(r);
	size_t i = 0;

	while (name && i < rules_n && strcmp(rules[i].name, name) != 0) {
		i++;
	}
	r->bad = r->bad || i == rules_n;
	return name;
}

static void get_notes(struct diag *d, struct reader *r)
{
	d->notes = get_count(r);
	d->note = ARENA_ARRAY(r->a, struct diag_note, d->notes);
	for (size_t i = 0; i < d->notes; i++) {
		d->note[i].place = get_place(r);
		d->note[i].text = get_text(r);
		d->note[i].says = (enum note_says)get_below(r, SAYS_MEASURED + 1);
	}
}

static void get_edits(struct diag *d, struct reader *r)
{
	d->edits = get_count(r);
	d->edit = ARENA_ARRAY(r->a, struct diag_edit, d->edits);
	for (size_t i = 0; i < d->edits; i++) {
		d->edit[i].place = get_place(r);
		d->edit[i].text = get_text(r);
		r->bad = r->bad || !d->edit[i].place.path;
	}
}

static void get_arms(struct diag *d, struct reader *r)
{
	d->arms = get_count(r);
	d->arm = ARENA_ARRAY(r->a, struct diag_place, d->arms);
	for (size_t i = 0; i < d->arms; i++) {
		d->arm[i] = get_place(r);
	}
}

bool wire_unpack(struct wire_unit *out, struct arena *a, struct str bytes)
{
	struct reader r = {.a = a, .rest = bytes};

	*out = (struct wire_unit){0};
	for (size_t n = bytes.n > 0 ? get_count(&r) : 0; n > 0 && !r.bad; n--) {
		const char *file = get_name(&r);
		r.bad = r.bad || !file;
		array_push(&out->files, file);
	}
	for (size_t n = bytes.n > 0 && !r.bad ? get_count(&r) : 0; n > 0 && !r.bad; n--) {
		const char *file = get_name(&r);
		r.bad = r.bad || !file;
		array_push(&out->read, file);
	}
	while (r.rest.n > 0 && !r.bad) {
		struct diag d = {.level = (enum diag_level)get_below(&r, DIAG_NOTE + 1)};

		d.weight = (unsigned)get_below(&r, (size_t)UINT_MAX + 1);
		d.function = get_name(&r);
		d.code = get_size(&r);
		d.rule = get_rule(&r);
		d.place = get_place(&r);
		d.text = get_text(&r);
		get_notes(&d, &r);
		get_edits(&d, &r);
		get_arms(&d, &r);
		d.next = get_name(&r);
		d.kernels = get_name(&r);
		array_push(&out->found.v, d);
	}
	return !r.bad;
}

void wire_release(struct wire_unit *u)
{
	array_release(&u->found.v);
	array_release(&u->files);
	array_release(&u->read);
}
