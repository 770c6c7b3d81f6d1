/*
 * Names, and their meaning if the text of one arm is put into another. A local of arm i gets the
 * name of its counterpart in arm 0; no other word may then refer to a local of arm 0.
 */
#include <stdlib.h>
#include <string.h>
#include "analysis/pair/pair.h"
#include "analysis/arms/overlay.h"

/* The counterpart in arm 0 of arm i's variable; 0: it is not a matched local. */
static kt_id base_of(const struct overlay *o, size_t arm, kt_id own)
{
	if (arm == 0) {
		return own;
	}
	for (size_t i = 0; i < o->pairs[arm - 1]; i++) {
		if (o->pair[arm - 1][i].own == own) {
			return o->pair[arm - 1][i].base;
		}
	}
	return 0;
}

bool overlay_declares(const struct match_arm *part, kt_id sym)
{
	for (size_t i = 0; i < part->n; i++) {
		const struct kt_node *d = part->stmt[i];
		for (size_t v = 0; d->kind == KT_DECL && v < d->n; v++) {
			if (d->child[v]->kind == KT_VAR && d->child[v]->sym == sym) {
				return true;
			}
		}
	}
	return false;
}

static const struct overlay_carried *carried(const struct overlay *o, size_t arm, kt_id sym)
{
	for (size_t i = 0; i < o->carrieds; i++) {
		if (o->carried[i].arm == arm && o->carried[i].sym == sym) {
			return &o->carried[i];
		}
	}
	return NULL;
}

/* ---- name lookup ---- */

/* A place in the tree: before child slot of up. */
struct place {
	const struct kt_node *up;
	size_t slot;
};

static bool is_named(const struct kt_unit *u, const struct kt_node *var, struct str name)
{
	return var && var->kind == KT_VAR && var->sym && u->sym[var->sym].name &&
	       str_is(name, u->sym[var->sym].name);
}

static kt_id declared_in(
	const struct kt_unit *u, const struct kt_node *n, size_t last, struct str name)
{
	for (size_t k = last; n && kt_declares(u, n) && k-- > 0;) {
		if (is_named(u, n->child[k], name)) {
			return n->child[k]->sym;
		}
	}
	return is_named(u, n, name) ? n->sym : 0;
}

static kt_id declared_before(const struct kt_unit *u, struct place at, struct str name)
{
	if (at.up->kind == KT_VAR || kt_declares(u, at.up)) {
		return declared_in(u, at.up, at.slot, name);
	}
	bool header = kt_is_loop(at.up->kind) || at.up->kind == KT_IF || at.up->kind == KT_SWITCH;
	if (!header && at.up->kind != KT_COMPOUND) {
		return 0;
	}
	for (size_t k = at.slot; k-- > 0;) {
		const struct kt_node *n = at.up->child[k];
		kt_id sym = n ? declared_in(u, n, n->n, name) : 0;
		if (sym) {
			return sym;
		}
	}
	return 0;
}

/* The variable that name means at a place, if it is declared inside the node outside; else 0. */
static kt_id visible(
	const struct kt_unit *u, struct place at, const struct kt_node *outside, struct str name)
{
	while (at.up && at.up != outside) {
		kt_id sym = declared_before(u, at, name);
		if (sym) {
			return sym;
		}
		at = (struct place){at.up->parent, at.up->slot};
	}
	return 0;
}

static struct place place_of(const struct kt_node *n)
{
	return (struct place){n->parent, n->slot};
}

kt_id overlay_visible(const struct kt_unit *u, const struct kt_node *at,
	const struct kt_node *outside, struct str name)
{
	return visible(u, place_of(at), outside, name);
}

/* ---- one part of a difference ---- */

struct fit {
	const struct overlay *o;
	struct kt_unit *u;
	size_t arm;
	const struct kt_node *outside;
	struct place base; /* the place in arm 0 that the text goes to */
	struct place own;  /* its current place */
	struct match_arm part;
	struct str *word;
};

static struct match_arm part_of(const struct overlay_diff *d, size_t arm)
{
	return d->kind == OVERLAY_GAP ? d->part[arm] : (struct match_arm){&d->expr[arm], 1};
}

static struct place base_place(const struct overlay_diff *d)
{
	if (d->kind == OVERLAY_HOLE) {
		return place_of(d->expr[0]);
	}
	const struct match_arm *l = &d->list;
	struct place last = place_of(l->stmt[l->n - 1]);
	last.slot++;
	return d->next < l->n ? place_of(l->stmt[d->next]) : last;
}

/* Does the part itself declare this symbol or, without one, a variable of this name? */
static bool declares(const struct fit *f, kt_id sym, const char *name)
{
	for (size_t i = 0; i < f->part.n; i++) {
		const struct kt_node *root = f->part.stmt[i];
		for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
			bool same = n->kind == KT_VAR && n->sym;
			same = same &&
			       (sym ? n->sym == sym : strcmp(f->u->sym[n->sym].name, name) == 0);
			if (same) {
				return true;
			}
		}
	}
	return false;
}

static bool fits_symbol(const struct fit *f, const struct kt_node *n)
{
	if (declares(f, n->sym, NULL) || carried(f->o, f->arm, n->sym)) {
		return true;
	}
	const char *own = f->u->sym[n->sym].name;
	kt_id base = base_of(f->o, f->arm, n->sym);
	const char *name = base ? f->u->sym[base].name : own;
	struct str s = str_of(name);
	if (!name || !own) {
		return true;
	}
	*f->word = s;
	if (!base) {
		return !visible(f->u, f->own, f->outside, s) &&
		       !visible(f->u, f->base, f->outside, s);
	}
	bool renamed = strcmp(own, name) != 0;
	return visible(f->u, f->base, f->outside, s) == base &&
	       !(renamed && (n->flags & KT_F_MACRO || declares(f, 0, name)));
}

/* A word without a node must mean the same at the new place. */
static bool fits_word(const struct fit *f, struct str w)
{
	kt_id base = visible(f->u, f->base, f->outside, w);
	kt_id own = visible(f->u, f->own, f->outside, w);
	*f->word = w;
	return base == (own ? base_of(f->o, f->arm, own) : 0) && (!own || base);
}

static bool fits_node(const struct fit *f, const struct kt_node *root)
{
	struct str t = f->u->file[root->file].text;
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind == KT_REF && n->sym && !fits_symbol(f, n)) {
			return false;
		}
	}
	struct map at = {0};
	struct lex_token before = {0};
	bool ok = true;
	pair_index_words(&at, f->u, root);
	for (struct lex_token k = lex_next(t, root->begin);
		k.kind != LEX_END && k.begin < root->end && ok; k = lex_next(t, k.end)) {
		bool hidden = k.kind == LEX_WORD && !map_get_u64(&at, k.begin, 0) &&
			      !lex_is_member_sign(t, before);
		ok = !hidden || fits_word(f, str_sub(t, k.begin, k.end));
		before = k;
	}
	map_release(&at);
	return ok;
}

bool overlay_fits(const struct overlay *o, const struct overlay_diff *d, size_t arm,
	const struct kt_node *outside, struct str *word)
{
	struct fit f = {.o = o,
		.u = facts_unit(o->f),
		.arm = arm,
		.outside = outside,
		.base = base_place(d),
		.part = part_of(d, arm),
		.word = word};
	for (size_t i = 0; i < f.part.n && arm > 0; i++) {
		f.own = place_of(f.part.stmt[i]);
		if (!fits_node(&f, f.part.stmt[i])) {
			return false;
		}
	}
	return true;
}

/* ---- text ---- */

static int by_begin(const void *x, const void *y)
{
	const struct kt_node *const *a = x, *const *b = y;
	return (*a)->begin<(*b)->begin ? -1 : (*a)->begin>(*b)->begin;
}

typedef const char *renamer(const void *context, kt_id sym);

static void add_renamed(struct sbuf *out, const struct kt_unit *u, const struct kt_node *root,
	renamer *name, const void *context)
{
	struct str t = u->file[root->file].text;
	ARRAY(const struct kt_node *) refs = {0};
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		bool named = n->kind == KT_REF && n->sym && !(n->flags & KT_F_MACRO);
		if (named && name(context, n->sym)) {
			array_push(&refs, n);
		}
	}
	array_sort(&refs, by_begin);
	size_t at = root->begin;
	for (size_t i = 0; i < refs.n; i++) {
		const struct kt_node *r = refs.v[i];
		if (r->begin >= at) {
			sbuf_addstr(out, str_sub(t, at, r->begin));
			sbuf_adds(out, name(context, r->sym));
			at = r->end;
		}
	}
	sbuf_addstr(out, str_sub(t, at, root->end));
	array_release(&refs);
}

struct str overlay_renamed(struct facts *f, struct arena *a, const struct kt_node *root,
	renamer *name, const void *context)
{
	struct sbuf s = {0};
	add_renamed(&s, facts_unit(f), root, name, context);
	return sbuf_finish(&s, a);
}

struct arm_of {
	const struct overlay *o;
	size_t arm;
	const struct match_arm *part;
};

static const char *base_name(const void *context, kt_id sym)
{
	const struct arm_of *of = context;
	const struct overlay_carried *k = carried(of->o, of->arm, sym);
	if (k && !overlay_declares(of->part, sym)) {
		return k->name;
	}
	kt_id base = base_of(of->o, of->arm, sym);
	/* Its own name may follow a qualifier: ns::x. */
	return base && base != sym ? facts_unit(of->o->f)->sym[base].name : NULL;
}

struct str overlay_text(const struct overlay *o, size_t arm, const struct match_arm *part)
{
	struct sbuf s = {0};
	const struct arm_of of = {o, arm, part};
	for (size_t i = 0; i < part->n; i++) {
		const struct kt_node *n = part->stmt[i];
		const struct kt_node *before = i ? part->stmt[i - 1] : NULL;
		struct str t = facts_unit(o->f)->file[n->file].text;
		if (before && lex_skip_space(t, before->end) == n->begin) {
			sbuf_addstr(&s, str_sub(t, before->end, n->begin));
		} else if (before) {
			sbuf_adds(&s, "\n");
		}
		add_renamed(&s, facts_unit(o->f), n, base_name, &of);
	}
	return sbuf_finish(&s, o->a);
}
