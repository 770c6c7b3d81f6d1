/* Arms that no launch of a kernel takes: the if's condition is a constant that excludes them, in
 * all instances that the kernel runs. */
#include "base/file.h"
#include "base/lines.h"
#include "verify/fault/fault.h"
#include "verify/init/drive.h"

static const char *key(struct arena *a, const char *file, unsigned line)
{
	return arena_printf(a, "%u %.*s", line, STR_ARG(path_base(str_of(file))));
}

/* The arms of an if that may run: 1 for the first, 2 for the other. */
static uint64_t possible(const struct kt_node *n)
{
	const struct kt_node *c = n->child[KT_IF_COND], *other = n->child[KT_IF_ELSE];
	bool chain = other && other->kind == KT_IF;
	return chain || !c || !(c->flags & KT_F_VALUE) ? 3 : c->value ? 1 : 2;
}

void arms_find_never(struct map *out, struct arena *a, const struct kt_unit *u, kt_id kernel)
{
	bool *called = ARENA_ARRAY(a, bool, u->fns);
	fault_mark_called(called, u, kernel);
	for (kt_id i = 1; i < u->fns; i++) {
		const struct kt_node *body = called[i] ? u->fn[i].body : NULL;
		const struct kt_file *f = body ? &u->file[body->file] : NULL;
		struct line_marks *lines = NULL;
		for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
			if (n->kind != KT_IF || n->file != body->file) {
				continue;
			}
			lines = lines ? lines : line_marks_make(a, f->text);
			const char *at = key(a, f->path, line_marks_at(lines, n->begin).line);
			map_set(out, str_of(at), map_get(out, str_of(at), 0) | possible(n));
		}
	}
}

bool arm_is_never(const struct map *never, struct arena *a, const struct verify_arm *arm)
{
	uint64_t may = map_get(never, str_of(key(a, arm->file, arm->line)), 3);
	return arm->arm <= 2 && !(may & (1u << (arm->arm - 1)));
}
