#include "cli/rewrite/headers.h"

#include <errno.h>
#include <regex.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/words.h"
#include "cli/setup/sources.h"
#include "cli/setup/units.h"
#include "frontend/parse/database.h"
#include "frontend/parse/flags.h"

struct working {
	struct arena *a;
	const struct cli_opts *o;
	const struct cli_job *like;
	const char *cwd;
	struct header_view own; /* the file that rewrite was asked for */
	struct headers *done;
	struct unit_commands commands; /* of -p */
	struct target_db db;
	struct cli_gpus gpus;
};

/* How often the file reads the header; -1: that cannot be told. */
static int reads(struct working *w, const struct header_view *v, const char *header)
{
	struct arena *a = arena_create();
	const struct cli_targets *targets = &v->file->targets;
	struct frontend_header h = {.path = header};
	struct kt_unit *unit;
	int most = 0;
	for (size_t t = 0; most >= 0 && t < targets->n; t++) {
		struct frontend_job job = {.path = v->file->path,
			.target = targets->v[t]->name,
			.relatives = targets->v[t]->relatives,
			.wave_size = targets->v[t]->wave_size,
			.flags = targets->flags,
			.text = v->text,
			.header = &h,
			.quiet = true,
			.intrinsics = w->like->job.intrinsics};
		bool ok = frontend_parse(&unit, a, &job, NULL) == 0;
		most = !ok ? -1 : (int)h.entered > most ? (int)h.entered : most;
	}
	arena_free(a);
	return most;
}

static struct project_file *file_of(struct working *w, const char *path, const char *directory)
{
	struct project_file *f = ARENA_NEW(w->a, struct project_file);
	struct cli_unit *unit = ARENA_NEW(w->a, struct cli_unit);
	const struct cli_unit **units = ARENA_ARRAY(w->a, const struct cli_unit *, 1);
	unit->directory = directory;
	units[0] = unit;
	*f = (struct project_file){.path = path,
		.shown = cli_path_shown(w->a, w->cwd, path_absolute(w->a, NULL, path)),
		.unit = units,
		.units = 1,
		.opts = w->o};
	return f;
}

static int view_of(struct header_view *out, struct working *w, const struct unit_command *c)
{
	struct project_file *f = file_of(w, c->path, c->directory);
	int rc = cli_targets_of(&f->targets, w->a, &w->db, &w->gpus, w->o, c->flags, c->path);
	*out = (struct header_view){.file = f};
	rc = rc ? rc : flags_check_files(w->a, c->directory, c->flags);
	return rc ? rc : file_text(&out->text, w->a, c->path);
}

static int change_dir(const char *dir)
{
	if (chdir(dir) == 0) {
		return 0;
	}
	return fail_usage("cannot go to the directory %s: %s", dir, strerror(errno));
}

/* The other units of -p that read the header. */
static int add_others(struct header_work *to, struct working *w, const char *header)
{
	const char *own = path_real(w->a, w->own.file->path);
	int rc = 0;
	header = path_real(w->a, header);
	for (size_t i = 0; rc == 0 && i < w->commands.n && !to->asked.job.untouchable; i++) {
		const struct unit_command *c = &w->commands.v[i];
		struct header_view v;
		if (strcmp(path_real(w->a, c->path), own) == 0) {
			continue;
		}
		rc = view_of(&v, w, c);
		rc = rc ? rc : change_dir(c->directory);
		int n = rc ? 0 : reads(w, &v, header);
		rc = rc ? rc : change_dir(w->cwd);
		if (n < 0) {
			to->asked.job.untouchable =
				arena_printf(w->a, "%s of -p %s does not parse, and may include it",
					c->path, w->o->build);
		} else if (n > 0) {
			array_push(&to->view, v);
		}
	}
	return rc;
}

static int check_writable(const struct working *w, const char *path)
{
	if (!w->o->fix || access(path, W_OK) == 0) {
		return 0;
	}
	return fail_usage(
		"cannot write %s: %s; make it writable, or leave it out of --header-filter", path,
		strerror(errno));
}

static int add_header(struct working *w, const char *path)
{
	struct header *h = ARENA_NEW(w->a, struct header);
	*h = (struct header){.path = path, .shown = path};
	array_push(&w->done->v, h);
	struct header_work work = {
		.a = w->a, .h = w->done->v.v, .at = w->done->v.n - 1, .asked = *w->like};
	int rc = check_writable(w, path);
	array_push(&work.view, w->own);
	rc = rc || !w->o->build ? rc : add_others(&work, w, path);
	rc = rc ? rc : header_choose(&work);
	if (h->changed) {
		h->note = w->o->build ? arena_printf(w->a,
						"legal and measured in all units of -p that "
						"include it: %s",
						sbuf_cstr(&work.files))
				      : "other units that include it have not been looked at: "
					"-p BUILD tells of them";
	}
	header_work_release(&work);
	return rc;
}

/* With the flags that were taken for it. */
static struct header_view own_view(
	struct working *w, const struct cli_targets *targets, const struct choice *file)
{
	struct project_file *f = file_of(w, w->like->job.path, NULL);
	struct words flags = {{0}};
	words_add_all(&flags, targets->flags);
	if (file->flags.outcome == OUTCOME_KEPT) {
		words_add_all(&flags, file->flags.flag);
	}
	f->targets = *targets;
	f->targets.flags = words_finish(&flags, w->a);
	return (struct header_view){f, file->text};
}

int headers_rewrite(struct headers *out, struct arena *a, const struct cli_opts *o,
	const struct cli_job *like, const struct cli_targets *targets, const struct choice *file)
{
	struct working w = {.a = a, .o = o, .like = like, .cwd = path_real(a, "."), .done = out};
	struct sources met = {.a = a};
	regex_t wanted;
	int rc = target_db_builtin(&w.db, a);
	rc = rc || !o->build ? rc : frontend_commands(&w.commands, a, o->build);
	if (rc || regcomp(&wanted, o->header_filter, REG_EXTENDED | REG_NOSUB) != 0) {
		return rc;
	}
	w.own = own_view(&w, targets, file);
	for (size_t i = 0; rc == 0 && i < file->elsewheres; i++) {
		const char *path = file->elsewhere[i].path;
		const char *full = path_absolute(a, NULL, path);
		const char *shown = cli_path_shown(a, w.cwd, full);
		struct source *s = source_of(&met, full);
		bool worked_on = s && regexec(&wanted, shown, 0, NULL, 0) == 0;
		file->elsewhere[i].worked_on = worked_on;
		if (worked_on && !s->looked_at) {
			s->looked_at = true;
			rc = add_header(&w, shown);
		}
	}
	regfree(&wanted);
	sources_release(&met);
	return rc;
}
