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

struct working {
	struct arena *a;
	const struct cli_opts *o;
	const struct cli_job *like;
	const char *cwd;
	struct header_view own; /* the file given to rewrite */
	struct headers *done;
	struct unit_commands commands; /* of -p */
	struct map known;	       /* that file, by its real path */
};

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
	struct header_work work = {.a = w->a,
		.opts = w->o,
		.cwd = w->cwd,
		.h = w->done->v.v,
		.at = w->done->v.n - 1,
		.commands = &w->commands,
		.known = &w->known,
		.asked = *w->like};
	int rc = check_writable(w, path);
	array_push(&work.view, w->own);
	rc = rc ? rc : header_choose(&work);
	if (h->changed) {
		h->note = w->o->build ? arena_printf(w->a,
						"legal and measured in all units of -p that "
						"include it: %s",
						sbuf_cstr(&work.files))
				      : "other units that include it have not been checked: "
					"use -p BUILD";
	}
	header_work_release(&work);
	return rc;
}

/* The view of the file itself, with the flags chosen for it. */
static struct header_view own_view(
	struct working *w, const struct cli_targets *targets, const struct choice *file)
{
	struct project_file *f = header_file(w->a, w->o, w->cwd, w->like->job.path, NULL);
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
	int rc = o->build ? frontend_commands(&w.commands, a, o->build) : 0;
	if (rc || regcomp(&wanted, o->header_filter, REG_EXTENDED | REG_NOSUB) != 0) {
		return rc;
	}
	w.own = own_view(&w, targets, file);
	map_set(&w.known, str_of(path_real(a, like->job.path)), 1);
	for (size_t i = 0; rc == 0 && i < file->elsewheres; i++) {
		const char *path = file->elsewhere[i].path;
		const char *full = path_absolute(a, NULL, path);
		const char *shown = cli_path_shown(a, w.cwd, full);
		struct source *s = source_of(&met, full);
		bool worked_on = s && regexec(&wanted, shown, 0, NULL, 0) == 0;
		file->elsewhere[i].worked_on = worked_on;
		if (worked_on && !s->checked) {
			s->checked = true;
			rc = add_header(&w, shown);
		}
	}
	regfree(&wanted);
	map_release(&w.known);
	sources_release(&met);
	return rc;
}
