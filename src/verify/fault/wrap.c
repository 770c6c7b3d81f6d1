/* Plants one fault: the text around a node, and its description. */
#include <string.h>

#include "verify/fault/planting.h"

enum {
	LONGEST = 160, /* longest text that is repeated, in bytes */
	SHOWN = 40,    /* longest text in a message */
	MOST_FAULTS = 4000
};

static bool is_spelled(const struct planting *p, const struct kt_node *n)
{
	return n && !(n->flags & (KT_F_MACRO | KT_F_IMPLICIT)) && n->end > n->begin &&
	       n->file < p->u->files && !p->u->file[n->file].system;
}

const char *plant_text(const struct planting *p, const struct kt_node *n)
{
	struct str s = is_spelled(p, n) ? kt_source(p->u, n) : STR("");
	bool plain = s.n > 0 && s.n <= LONGEST && !memchr(s.p, '\n', s.n) &&
		     !memchr(s.p, '#', s.n) && !memchr(s.p, '{', s.n) &&
		     str_find(s, "//", 0) == SIZE_MAX;
	return plain ? arena_strndup(p->a, s.p, s.n) : NULL;
}

const char *plant_shown(const struct planting *p, const struct kt_node *n)
{
	struct str s = kt_source(p->u, n);
	const char *end = memchr(s.p, '\n', s.n);
	size_t length = end ? (size_t)(end - s.p) : s.n;
	bool cut = end || length > SHOWN;
	return arena_printf(
		p->a, "'%.*s%s'", (int)(length > SHOWN ? SHOWN : length), s.p, cut ? "..." : "");
}

bool plant_is_int(const struct planting *p, const struct kt_node *n)
{
	const struct kt_type *t = kt_type_of(p->u, n);
	return t->kind == KT_T_INT && t->fields == 0 && t->size > 0 &&
	       (t->is_unsigned || strstr(t->canon, "int") || strstr(t->canon, "short") ||
		       strstr(t->canon, "long") || strstr(t->canon, "char"));
}

bool plant_is_float(const struct planting *p, const struct kt_node *n)
{
	return kt_type_of(p->u, n)->kind == KT_T_FLOAT;
}

bool plant_same_type(const struct planting *p, const struct kt_node *x, const struct kt_node *y)
{
	struct str a = kt_type_bare(kt_type_of(p->u, x), true);
	struct str b = kt_type_bare(kt_type_of(p->u, y), true);
	return a.n > 0 && str_eq(a, b);
}

static const char *numbered(struct arena *a, const char *pattern, size_t number)
{
	const char *at = strchr(pattern, '@');
	return at ? arena_printf(a, "%.*s%zu%s", (int)(at - pattern), pattern, number, at + 1)
		  : pattern;
}

void plant(struct planting *p, enum fault_kind kind, const struct kt_node *n, const char *before,
	const char *after, const char *what)
{
	if (!is_spelled(p, n) || p->faults.n >= MOST_FAULTS) {
		return;
	}
	/* each instantiation walks the same place */
	const char *key =
		arena_printf(p->a, "%u %u %u %s @ %s", n->file, n->begin, n->end, before, after);
	unsigned line = kt_line(p->u, n->file, n->begin);
	if (!map_set(&p->taken, str_of(key), 1) ||
		map_get_u64(p->avoid, fault_line_key(n->file, line), 0)) {
		return;
	}
	array_push(&p->faults, (struct fault){kind, n->file, n->begin, line, what});
	array_push(&p->wraps, (struct wrap){n, p->faults.n, numbered(p->a, before, p->faults.n),
				      numbered(p->a, after, p->faults.n)});
}
