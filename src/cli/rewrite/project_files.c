/* The files of a project: each once, with all entries of the database that compile it. */
#include "cli/rewrite/project_files.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/words.h"

/* Does an earlier entry compile the file in the same way? */
static bool is_known(const struct project_file *f, const struct cli_unit *u)
{
	for (size_t i = 0; i < f->units; i++) {
		const struct cli_unit *k = f->unit[i];
		bool same = k->targets.n == u->targets.n &&
			    words_are_same(k->targets.flags, u->targets.flags) &&
			    strcmp(k->compiler, u->compiler) == 0;
		for (size_t t = 0; same && t < u->targets.n; t++) {
			same = strcmp(k->targets.v[t]->name, u->targets.v[t]->name) == 0;
		}
		if (same) {
			return true;
		}
	}
	return false;
}

static void add_entry(struct project *p, struct project_file *f, const struct cli_unit *u)
{
	const struct cli_unit *first = f->units ? f->unit[0] : u;

	if (strcmp(path_real(p->a, first->directory), path_real(p->a, u->directory)) != 0) {
		f->untouchable = arena_printf(p->a,
			"it is compiled in several directories, %s and %s, and an edit has to be "
			"right in each",
			first->directory, u->directory);
	} else if (!is_known(f, u)) {
		const struct cli_unit **more =
			ARENA_ARRAY(p->a, const struct cli_unit *, f->units + 1);
		for (size_t i = 0; i < f->units; i++) {
			more[i] = f->unit[i];
		}
		more[f->units++] = u;
		f->unit = more;
	}
}

/* Makes the file's targets: one for each GPU of each entry. */
static void join_views(struct project *p, struct project_file *f)
{
	struct cli_targets *all = &f->targets;
	size_t n = 0;

	*all = f->unit[0]->targets;
	for (size_t i = 0; i < f->units; i++) {
		n += f->unit[i]->targets.n;
	}
	const struct target **v = ARENA_ARRAY(p->a, const struct target *, n);
	const char *const **flags = ARENA_ARRAY(p->a, const char *const *, n);
	const char **compiler = ARENA_ARRAY(p->a, const char *, n);
	n = 0;
	for (size_t i = 0; i < f->units; i++) {
		const struct cli_unit *u = f->unit[i];
		for (size_t t = 0; t < u->targets.n; t++, n++) {
			v[n] = u->targets.v[t];
			flags[n] = u->targets.flags;
			compiler[n] = u->compiler;
		}
	}
	all->v = v;
	all->n = n;
	all->view_flags = f->units > 1 ? flags : NULL;
	all->view_compiler = compiler;
	cli_targets_by_compilers(all, p->a, f->unit[0]->opts);
}

/* The options of a rewrite in the entry's directory. */
static void make_options(struct project *p, struct project_file *f)
{
	const struct cli_unit *u = f->unit[0];
	struct cli_opts *o = arena_memdup(p->a, u->opts, sizeof(*o));

	o->files.v = ARENA_ARRAY(p->a, const char *, 1);
	o->files.v[0] = f->path;
	o->files.n = o->files.cap = 1;
	o->started_in = p->cwd;
	cli_paths_absolute(o, p->a, p->cwd);
	o->build = NULL;
	o->format = FORMAT_JSON;
	o->header_filter = NULL;
	o->report = o->output = NULL;
	o->diff = o->fix = o->check = false;
	o->compiler = u->compiler;
	o->flags = u->flags;
	f->opts = o;
}

static void find_files(struct project *p)
{
	p->file = ARENA_ARRAY(p->a, struct project_file, p->units.n);
	array_each (&p->units, const struct cli_unit, u) {
		struct str real = str_of(path_real(p->a, u->path));
		size_t at = map_get(&p->by_path, real, p->n);
		if (at == p->n) {
			map_set(&p->by_path, real, at);
			p->file[p->n++] = (struct project_file){.path = u->path, .shown = u->shown};
		}
		if (u->targets.unknown) {
			p->file[at].untouchable = arena_printf(p->a,
				"it is also compiled for %s, which unphi does not know, and an "
				"edit has to be right there",
				u->targets.unknown);
		}
		add_entry(p, &p->file[at], u);
	}
	for (size_t i = 0; i < p->n; i++) {
		make_options(p, &p->file[i]); /* first: it makes the compilers' paths absolute */
		join_views(p, &p->file[i]);
	}
}

int project_open(struct project *p)
{
	const struct cli_opts *o = p->opts;
	char cwd[PATH_MAX];

	p->cwd = arena_strdup(p->a, getcwd(cwd, sizeof(cwd)) ? cwd : "/");
	int rc = cli_units_find(&p->units, p->a, o, &p->configs);
	rc = rc ? rc : cli_units_load(&p->units, o);
	if (rc == 0) {
		find_files(p);
	}
	return rc;
}

int project_run(struct project *p, struct each *e, int rc)
{
	const char **name = ARENA_ARRAY(p->a, const char *, p->n + 1);
	for (size_t i = 0; i < p->n; i++) {
		name[i] = p->file[i].shown;
	}
	e->opts = p->opts;
	e->a = p->a;
	e->name = name;
	e->n = p->n;
	e->code = exit_worse(cli_exit(p->units.failed), cli_exit(rc));
	return rc ? rc : each_run(e);
}

void project_close(struct project *p)
{
	map_release(&p->by_path);
	user_configs_release(&p->configs);
}
