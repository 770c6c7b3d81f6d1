/*
 * The causes of a regression: compares the register ledgers of the current source and of the source
 * at the commit of --against. It does not compare with figures in a file: merge has no sources, and
 * has to print the same. This is advice: unknown causes are left out. Each file has a child
 * process, since libclang can crash.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/process/pool.h"
#include "cli/measure/measuring.h"
#include "cli/steps/ledgers.h"

enum {
	VARIABLES_MOST = 4, /* in a line */
	TIME_LIMIT_S = 120
};

/* A file and a target for which a kernel got worse. */
struct asked {
	const char *file;
	const char *target;
};

struct causes {
	const struct measuring *m;
	struct gate *g;
	ARRAY(struct asked) v;
	struct gate made; /* the lines to add to g */
};

/* ---- in the child ---- */

struct reading {
	struct arena *a;
	const struct measuring *m;
	const char *path;
	const char *const *flags;
	const struct target *target;
	struct intrinsic_db intrinsics;
};

static bool open_reading(struct reading *r, const struct measuring *m, const struct asked *w)
{
	*r = (struct reading){.a = m->arena,
		.m = m,
		.path = w->file,
		.flags = m->targets.flags,
		.target = target_find(m->units ? &m->units->db : &m->db, str_of(w->target))};
	for (size_t i = 0; m->units && i < m->units->n; i++) {
		const struct cli_unit *u = &m->units->v[i];
		for (size_t t = 0; t < u->targets.n; t++) {
			if (strcmp(u->shown, w->file) == 0 && u->targets.v[t] == r->target) {
				r->path = u->path;
				r->flags = u->targets.flags;
				return cli_directory_enter(u) == 0;
			}
		}
	}
	return !m->units && r->target;
}

/* Adds the ledgers of the file at a commit; at NULL: of the current file. */
static void read_ledgers(
	struct ledger_list *out, const struct reading *r, const struct revision *at)
{
	struct frontend_job job = {.path = r->path,
		.target = r->target->name,
		.relatives = r->target->relatives,
		.wave_size = r->target->wave_size,
		.flags = r->flags,
		.no_cache = r->m->opts->no_cache,
		.intrinsics = &r->intrinsics};
	const struct cli_ledgers how = {.job = &job, .target = r->target};
	const char *text = at ? revision_path(at, r->a, r->path) : r->path;
	if (!text || (text != r->path && file_text(&job.text, r->a, text) != 0)) {
		return;
	}
	job.in_place = at ? at->in_place : NULL;
	job.in_places = at ? at->in_places : 0;
	cli_ledgers_add(out, r->a, &how);
}

static const struct ledger_entry *entry_of(const struct ledger_list *list, const char *kernel)
{
	array_each (&list->v, const struct ledger_entry, e) {
		if (strcmp(e->ledger->name, kernel) == 0) {
			return e;
		}
	}
	return NULL;
}

static unsigned at_peak(const struct ledger_entry *e, const struct ledger_var *like)
{
	unsigned sum = 0;
	for (size_t i = 0; e && i < e->ledger->vars; i++) {
		const struct ledger_var *v = &e->ledger->var[i];
		bool same = strcmp(v->name, like->name) == 0 &&
			    text_cmp(v->owner, like->owner) == 0 &&
			    text_cmp(v->member, like->member) == 0;
		sum += same ? v->at_peak : 0;
	}
	return sum;
}

/* The variables that need more VGPRs than before, the largest increase first. */
static void add_variables(
	struct sbuf *out, const struct ledger_entry *now, const struct ledger_entry *before)
{
	const struct ledger *l = now->ledger;
	unsigned last = UINT32_MAX;
	size_t last_at = 0, n = 0;
	while (n < VARIABLES_MOST) {
		size_t best = l->vars;
		unsigned most = 0;
		for (size_t i = 0; i < l->vars; i++) {
			unsigned is = at_peak(now, &l->var[i]), was = at_peak(before, &l->var[i]);
			unsigned more = is > was ? is - was : 0;
			bool later = more < last || (more == last && i > last_at);
			if (later && more > most) {
				best = i;
				most = more;
			}
		}
		if (best == l->vars) {
			break;
		}
		const struct ledger_var *v = &l->var[best];
		sbuf_addf(out, "%s%s%s%s ", n++ ? ", " : "; ", v->name, v->member ? "." : "",
			v->member ? v->member : "");
		if (before) {
			sbuf_addf(out, "%u -> ", at_peak(before, v));
		}
		sbuf_addf(out, "%u", at_peak(now, v));
		last = most;
		last_at = best;
	}
}

static void add_cause(struct sbuf *out, size_t line, const struct ledger_entry *now,
	const struct ledger_entry *before)
{
	unsigned is = now->claim.vgprs, was = before ? before->claim.vgprs : is;
	sbuf_addf(out, "%zu by the register ledger, its source needs ", line);
	if (was != is) {
		sbuf_addf(out, "%u -> ", was);
	}
	sbuf_addf(out, "%u VGPRs%s, most in line %u", is, before && was == is ? " as before" : "",
		now->ledger->most.line);
	add_variables(out, now, before);
	sbuf_addc(out, '\n');
}

static bool same_kernel(const struct gate_line *x, const struct gate_line *y)
{
	return strcmp(x->kernel, y->kernel) == 0 && strcmp(x->file, y->file) == 0 &&
	       strcmp(x->target, y->target) == 0;
}

static bool is_first_of_kernel(const struct gate *g, size_t i)
{
	const struct gate_line *l = &g->v.v[i];
	for (size_t k = 0; k < i; k++) {
		if (g->v.v[k].kind == GATE_WORSE && same_kernel(&g->v.v[k], l)) {
			return false;
		}
	}
	return l->kind == GATE_WORSE;
}

static int find_causes(void *user, size_t index, struct sbuf *out)
{
	const struct causes *c = user;
	const struct asked *w = &c->v.v[index];
	struct ledger_list now = {0}, before = {0};
	struct reading r;
	int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (nowhere >= 0) {
		dup2(nowhere, STDERR_FILENO);
		close(nowhere);
	}
	if (!open_reading(&r, c->m, w) || cli_intrinsics(&r.intrinsics, r.a, c->m->opts) != 0) {
		return EXIT_CLEAN;
	}
	read_ledgers(&now, &r, NULL);
	read_ledgers(&before, &r, c->m->before);
	for (size_t i = 0; i < c->g->v.n; i++) {
		const struct gate_line *l = &c->g->v.v[i];
		const struct ledger_entry *e = entry_of(&now, l->kernel);
		if (e && strcmp(l->file, w->file) == 0 && strcmp(l->target, w->target) == 0 &&
			is_first_of_kernel(c->g, i)) {
			add_cause(out, i, e, entry_of(&before, l->kernel));
		}
	}
	array_release(&now.v);
	array_release(&before.v);
	return EXIT_CLEAN;
}

/* ---- in the parent ---- */

static void take(void *user, const struct pool_result *r)
{
	struct causes *c = user;
	struct str rest = r->out, line, number;
	int64_t at;
	while (str_line(&rest, &line)) {
		if (str_split(&line, ' ', &number) && str_to_i64(number, &at) && at >= 0 &&
			(size_t)at < c->g->v.n) {
			struct gate_line cause = c->g->v.v[at];
			cause.kind = GATE_CAUSE;
			cause.was = arena_strndup(c->m->arena, line.p, line.n);
			cause.at = (unsigned)
				at; /* index of the line; put() replaces it by the kernel's line */
			array_push(&c->made.v, cause);
		}
	}
}

/* Inserts each cause after the last line of its kernel. */
static void put(struct causes *c)
{
	struct gate all = {{0}};
	for (size_t i = 0; i < c->g->v.n; i++) {
		array_push(&all.v, c->g->v.v[i]);
		const struct gate_line *l = &c->g->v.v[i];
		bool last = i + 1 == c->g->v.n || !same_kernel(l, l + 1);
		array_each (&c->made.v, struct gate_line, m) {
			if (last && m->kind == GATE_CAUSE && m->at <= i && same_kernel(m, l)) {
				struct gate_line cause = *m;
				cause.at = l->at;
				array_push(&all.v, cause);
				m->kind = GATE_CHANGED; /* inserted: do not insert it again */
			}
		}
	}
	array_release(&c->g->v);
	*c->g = all;
}

void measuring_add_causes(struct gate *g, const struct measuring *m)
{
	struct causes c = {.m = m, .g = g};
	for (size_t i = 0; i < g->v.n && m->before; i++) {
		const struct gate_line *l = &g->v.v[i];
		bool known = false;
		array_each (&c.v, const struct asked, w) {
			known |= strcmp(w->file, l->file) == 0 && strcmp(w->target, l->target) == 0;
		}
		if (l->kind == GATE_WORSE && !known) {
			array_push(&c.v, (struct asked){l->file, l->target});
		}
	}
	struct pool pool = {.parallel = m->opts->jobs,
		.time_limit_s = TIME_LIMIT_S,
		.user = &c,
		.run = find_causes,
		.done = take};
	if (c.v.n > 0 && pool_run(&pool, c.v.n) == 0) {
		put(&c);
	}
	array_release(&c.v);
	array_release(&c.made.v);
}
