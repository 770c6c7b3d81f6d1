/* Finds fragments, and the statements that set and read them. */
#include <stdlib.h>
#include <string.h>

#include "strategy/rematerialize/rematerialize.h"
#include "strategy/text/text.h"

enum {
	FRAGMENT_LEAST = 8 /* VGPRs per lane, an allocation granule: less frees nothing */
};

const struct kt_node *fragment_next_use(
	const struct kt_node *n, const struct kt_node *root, kt_id sym)
{
	for (n = n ? kt_next(n, root) : root; n; n = kt_next(n, root)) {
		if (kt_names(n, sym)) {
			return n;
		}
	}
	return NULL;
}

static bool loop_reads(const struct kt_node *root, kt_id sym)
{
	for (const struct kt_node *n = fragment_next_use(NULL, root, sym); n;
		n = fragment_next_use(n, root, sym)) {
		for (const struct kt_node *up = n; up != root->parent; up = up->parent) {
			if (kt_is_loop(up->kind)) {
				return true;
			}
		}
	}
	return false;
}

static bool touches(struct facts *f, const struct locset *set, loc_id loc)
{
	const struct locset one = {&loc, 1, 1};
	return facts_sets_alias(f, set, &one);
}

/* Is it private, wide, and declared in a block? */
static bool may_be_fragment(const struct kt_unit *u, const struct kt_node *var)
{
	const struct kt_node *decl = var->parent;
	const struct kt_sym *s = &u->sym[var->sym];
	const struct kt_type *t = &u->type[s->type];
	bool local = s->kind == KT_S_LOCAL && s->space == KT_PRIVATE && !s->is_static;
	bool wide = t->kind == KT_T_ARRAY || t->kind == KT_T_VECTOR || t->kind == KT_T_RECORD;
	return local && wide && t->trivial && !t->is_volatile &&
	       kt_type_width(t) >= FRAGMENT_LEAST && decl && decl->kind == KT_DECL &&
	       decl->parent && decl->parent->kind == KT_COMPOUND;
}

/* Fills in the parts. False: no loop only reads it, or it is not set exactly once. */
static bool find_parts(struct fragment_instance *out, struct arena *a)
{
	const struct kt_node *block = out->decl->parent;
	struct facts *f = out->parse->facts;
	const loc_id loc = LOC_VAR(out->var->sym);
	ARRAY(struct fragment_part) parts = {0};
	size_t last = 0;
	bool found = false, sums = false, is_set = false;
	for (size_t i = out->decl->slot; i < block->n; i++) {
		struct fragment_part part = {.node = block->child[i]};
		bool used = fragment_next_use(NULL, part.node, out->var->sym) != NULL;
		part.fx = facts_effects(f, part.node);
		part.sets = part.node == out->decl ? out->var->n > 0
						   : used && touches(f, &part.fx.writes, loc);
		part.reads = used && part.node != out->decl && !part.sets;
		sums |= part.sets && touches(f, &part.fx.reads, loc);
		is_set |= part.sets;
		array_push(&parts, part);
		last = used ? parts.n : last;
		found |= is_set && part.reads && loop_reads(part.node, out->var->sym);
	}
	out->parts = last;
	out->part = array_to_arena(a, &parts);
	array_release(&parts);
	return found && !sums;
}

/* Is it already loaded in the loop, by an earlier rewrite? */
static bool is_reloaded(const struct kt_unit *u, const struct kt_node *decl)
{
	const struct kt_node *before = decl->slot > 0 ? decl->parent->child[decl->slot - 1] : NULL;
	struct str t = u->file[decl->file].text;
	return before && before->file == decl->file &&
	       text_is_launder(str_sub(t, before->begin, decl->begin));
}

typedef ARRAY(struct fragment_instance) instance_array;

struct finding {
	struct arena *a;
	ARRAY(struct fragment) found;
	ARRAY(instance_array) instances;
};

static void add(struct finding *x, const struct fragment_instance *in)
{
	const struct kt_unit *u = in->parse->unit;
	const struct kt_sym *s = &u->sym[in->var->sym];
	const struct kt_file *file = &u->file[in->decl->file];
	unsigned width = kt_type_width(&u->type[s->type]);
	size_t at = 0;
	while (at < x->found.n && !(x->found.v[at].name_at == s->at &&
					  strcmp(x->found.v[at].path, file->path) == 0)) {
		at++;
	}
	if (at == x->found.n && u->host) {
		return;
	}
	if (at == x->found.n) {
		array_push(&x->found, (struct fragment){.path = file->path,
					      .main = file->main,
					      .begin = in->decl->begin,
					      .end = in->decl->end,
					      .name_at = s->at,
					      .name = s->name});
		array_push(&x->instances, (instance_array){0});
	}
	struct fragment *f = &x->found.v[at];
	f->width = width > f->width ? width : f->width;
	array_push(&x->instances.v[at], *in);
}

static void find_in(struct finding *x, const struct parse *parse)
{
	const struct kt_unit *u = parse->unit;
	struct spaces *spaces = NULL;
	for (kt_id fn = 1; fn < u->fns; fn++) {
		const struct kt_node *body = u->fn[fn].body;
		bool skip = !body || u->fn[fn].in_system_header || u->fn[fn].kind == KT_FN_HOST ||
			    (u->host && !fn_may_be_hosts(u, fn));
		for (const struct kt_node *n = skip ? NULL : body; n; n = kt_next(n, body)) {
			if (n->kind != KT_VAR || !n->sym || !may_be_fragment(u, n)) {
				continue;
			}
			struct fragment_instance in = {
				.parse = parse, .decl = n->parent, .var = n, .fn = fn};
			if (is_reloaded(u, in.decl) || !find_parts(&in, x->a)) {
				continue;
			}
			spaces = spaces ? spaces
					: spaces_create(parse->facts, parse->uniformity, x->a);
			in.spaces = spaces;
			add(x, &in);
		}
	}
}

static int widest_first(const void *x, const void *y)
{
	const struct fragment *a = x, *b = y;
	if (a->width != b->width) {
		return a->width < b->width ? 1 : -1;
	}
	int path = strcmp(a->path, b->path);
	return path ? path : a->name_at < b->name_at ? -1 : a->name_at > b->name_at;
}

void fragments_find(
	struct fragment **out, size_t *n, struct arena *a, const struct parse *parse, size_t parses)
{
	struct finding x = {.a = a};
	for (size_t i = 0; i < parses; i++) {
		find_in(&x, &parse[i]);
	}
	for (size_t i = 0; i < x.found.n; i++) {
		array_move(x.found.v[i].instance, x.found.v[i].instances, a, &x.instances.v[i]);
	}
	array_move(*out, *n, a, &x.found);
	array_release(&x.instances);
	span_sort(*out, *n, widest_first);
}

void fragment_kernels(struct map *out, struct arena *a, const struct fragment *f)
{
	for (size_t i = 0; i < f->instances; i++) {
		parse_kernels(out, a, f->instance[i].parse, f->instance[i].fn);
	}
}

struct site fragment_site(struct arena *a, const struct fragment *f)
{
	struct site site = {.path = f->path,
		.begin = f->begin,
		.end = f->end,
		.instance = ARENA_ARRAY(a, struct site_instance, f->instances),
		.instances = f->instances};
	for (size_t i = 0; i < f->instances; i++) {
		site.instance[i].parse = f->instance[i].parse;
		site.instance[i].fragment = &f->instance[i];
	}
	return site;
}
