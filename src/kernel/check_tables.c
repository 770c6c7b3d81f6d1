/* The invariants of a unit's files, types and symbols. */
#include "kernel/check.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "kernel/enum_names.h"

bool check_fail(struct check *c, const char *fmt, ...)
{
	const struct kt_node *n = c->node;
	va_list ap;

	if (c->part) {
		sbuf_addf(&c->broken, "%s %zu: ", c->part, c->id);
	}
	if (n) {
		sbuf_addf(&c->broken, "%s at %" PRIu32 "..%" PRIu32 ": ", kt_kind_name(n->kind),
			n->begin, n->end);
	}
	va_start(ap, fmt);
	sbuf_vaddf(&c->broken, fmt, ap);
	va_end(ap);
	return false;
}

bool check_id(struct check *c, const char *what, kt_id id, size_t n)
{
	/* The arrays of an empty unit may not even have slot 0. */
	return id == 0 || id < n || check_fail(c, "there is no %s %" PRIu32, what, id);
}

bool check_place(struct check *c, kt_id file, uint32_t begin, uint32_t end)
{
	const struct kt_unit *u = c->u;

	if (!check_id(c, "file", file, u->files)) {
		return false;
	}
	if (begin > end) {
		return check_fail(c, "the range ends before it begins");
	}
	if (file == 0) {
		return end == 0 || check_fail(c, "a place without a file");
	}
	size_t n = u->file[file].text.n;
	return n == 0 || end <= n || check_fail(c, "%" PRIu32 " is past the end of the file", end);
}

/* Slot 0 is the result of a lookup of id 0, "none". */
static bool check_zero(struct check *c, const char *what, const void *slot0, size_t size, size_t n)
{
	const unsigned char *byte = slot0;

	for (size_t i = 0; n > 0 && i < size; i++) {
		if (byte[i] != 0) {
			return check_fail(c, "%s 0 is not zeroed", what);
		}
	}
	return true;
}

static bool check_zeros(struct check *c)
{
	const struct kt_unit *u = c->u;

	return check_zero(c, "file", u->file, sizeof(*u->file), u->files) &&
	       check_zero(c, "type", u->type, sizeof(*u->type), u->types) &&
	       check_zero(c, "symbol", u->sym, sizeof(*u->sym), u->syms) &&
	       check_zero(c, "function", u->fn, sizeof(*u->fn), u->fns);
}

static bool check_file(struct check *c, kt_id id)
{
	const struct kt_file *f = &c->u->file[id];

	if (!f->path) {
		return check_fail(c, "no path");
	}
	return f->text.n <= UINT32_MAX || check_fail(c, "the text is too long");
}

static bool check_type(struct check *c, kt_id id)
{
	const struct kt_type *t = &c->u->type[id];
	bool counted = t->kind == KT_T_ARRAY || t->kind == KT_T_VECTOR;

	if ((unsigned)t->kind >= kt_type_names.n) {
		return check_fail(c, "no kind of type");
	}
	if (!t->name || !t->canon) {
		return check_fail(c, "no name");
	}
	if (t->size < -1 || t->count < -1) {
		return check_fail(c, "a negative size or count");
	}
	if (counted ? t->elem == 0 : t->count != 0) {
		return check_fail(c, "arrays and vectors have an element and a count, no others");
	}
	if (t->elem != 0 && !counted && t->kind != KT_T_POINTER && t->kind != KT_T_REFERENCE) {
		return check_fail(c, "an element that this kind of type does not have");
	}
	return check_id(c, "type", t->elem, c->u->types);
}

/* The chain of elem must end for each type. Requires valid ids. */
static bool check_type_chains(struct check *c)
{
	const struct kt_unit *u = c->u;
	/* the type whose walk reached it */
	uint32_t *seen = mem_zeroed(u->types + 1, sizeof(*seen));
	bool ok = true;

	for (uint32_t from = 1; ok && from < u->types; from++) {
		kt_id t = from;

		while (t != 0 && seen[t] == 0) {
			seen[t] = from;
			t = u->type[t].elem;
		}
		if (t != 0 && seen[t] == from) {
			ok = check_fail(c, "type %" PRIu32 " is an element of itself", t);
		}
	}
	free(seen);
	return ok;
}

/* Only symbols that count as memory reachable by all code have an unknown owner. */
static bool check_owner(struct check *c, const struct kt_sym *s)
{
	bool unknown = s->owner == KT_OWNER_UNKNOWN;

	if ((unsigned)s->owner >= kt_owner_names.n) {
		return check_fail(c, "no owner");
	}
	if (unknown ? s->kind != KT_S_GLOBAL || s->space != KT_GLOBAL
		    : s->owner != kt_owner_of(s->kind)) {
		return check_fail(c, "a %s owned by %s", kt_enum_name(&kt_sym_names, s->kind),
			kt_enum_name(&kt_owner_names, s->owner));
	}
	if (s->of && (s->kind != KT_S_FIELD || s->of >= c->u->syms ||
			     c->u->sym[s->of].owner != KT_OWNER_RUN)) {
		return check_fail(c, "not a copy of a variable");
	}
	return true;
}

static bool check_sym(struct check *c, kt_id id)
{
	const struct kt_sym *s = &c->u->sym[id];

	if ((unsigned)s->kind >= kt_sym_names.n || (unsigned)s->space >= kt_space_names.n) {
		return check_fail(c, "no kind of symbol or address space");
	}
	if (!s->name) {
		return check_fail(c, "no name");
	}
	if ((s->kind == KT_S_LOCAL || s->kind == KT_S_PARAM) && s->fn == 0) {
		return check_fail(c, "a local without its function");
	}
	return check_owner(c, s) && check_id(c, "type", s->type, c->u->types) &&
	       check_id(c, "function", s->fn, c->u->fns) && check_place(c, s->file, s->at, s->at);
}

static bool check_all(
	struct check *c, const char *part, size_t n, bool (*check)(struct check *c, kt_id id))
{
	c->part = part;
	for (c->id = 1; c->id < n; c->id++) {
		if (!check(c, (kt_id)c->id)) {
			return false;
		}
	}
	c->part = NULL;
	return true;
}

const char *kt_check_tables(struct kt_unit *u)
{
	struct check c = {.u = u};
	const char *broken = NULL;

	if (!check_zeros(&c) || !check_all(&c, "file", u->files, check_file) ||
		!check_all(&c, "type", u->types, check_type) || !check_type_chains(&c) ||
		!check_all(&c, "symbol", u->syms, check_sym)) {
		broken = arena_strdup(u->arena, sbuf_cstr(&c.broken));
	}
	sbuf_release(&c.broken);
	return broken;
}
