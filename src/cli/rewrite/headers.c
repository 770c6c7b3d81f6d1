#include "cli/rewrite/headers.h"

#include <errno.h>
#include <regex.h>
#include <string.h>
#include <sys/stat.h>
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
	const struct choose_job *like;
	const struct choose_unit *own; /* the file that rewrite was asked for */
	struct headers *done;
	struct unit_commands commands; /* of -p */
	struct target_db db;
	struct cli_gpus gpus;
};

/* What one header is worked on in. */
struct views {
	ARRAY(const struct choose_unit *) units;
	const char *untouchable;
};

static bool is_own(const struct working *w, const struct unit_command *c)
{
	return strcmp(path_real(w->a, c->path), path_real(w->a, w->own->path)) == 0;
}

/* How often the unit reads the header; -1: that cannot be told. */
static int reads(struct working *w, const struct choose_unit *u, const char *header)
{
	struct arena *a = arena_create();
	struct frontend_header h = {.path = header};
	struct kt_unit *unit;
	int most = 0;
	for (size_t t = 0; most >= 0 && t < w->like->targets; t++) {
		struct frontend_job job = {.path = u->path,
			.target = w->like->target[t]->name,
			.relatives = w->like->target[t]->relatives,
			.wave_size = w->like->target[t]->wave_size,
			.flags = u->flags,
			.text = u->text,
			.header = &h,
			.quiet = true,
			.intrinsics = w->like->intrinsics};
		bool ok = frontend_parse(&unit, a, &job, NULL) == 0;
		most = !ok ? -1 : (int)h.entered > most ? (int)h.entered : most;
	}
	arena_free(a);
	return most;
}

static int unit_of(struct choose_unit **out, struct working *w, const struct unit_command *c)
{
	struct cli_targets targets;
	struct str text;
	int rc = cli_targets_of(&targets, w->a, &w->db, &w->gpus, w->o, c->flags, c->path);
	rc = rc ? rc : flags_check_files(w->a, c->directory, c->flags);
	rc = rc ? rc : file_text(&text, w->a, c->path);
	if (rc == 0) {
		*out = ARENA_NEW(w->a, struct choose_unit);
		**out = (struct choose_unit){.path = c->path, .text = text, .flags = targets.flags};
	}
	return rc;
}

static int change_dir(const char *dir)
{
	if (chdir(dir) == 0) {
		return 0;
	}
	return fail_usage("cannot go to the directory %s: %s", dir, strerror(errno));
}

/* The other units of -p that read the header. */
static int add_others(struct views *v, struct working *w, const char *header)
{
	const char *here = path_real(w->a, ".");
	int rc = 0;
	header = path_real(w->a, header);
	for (size_t i = 0; rc == 0 && i < w->commands.n && !v->untouchable; i++) {
		const struct unit_command *c = &w->commands.v[i];
		struct choose_unit *u;
		if (is_own(w, c)) {
			continue;
		}
		bool away = strcmp(path_real(w->a, c->directory), here) != 0;
		rc = unit_of(&u, w, c);
		rc = rc || !away ? rc : change_dir(c->directory);
		int n = rc ? 0 : reads(w, u, header);
		rc = rc || !away ? rc : change_dir(here);
		if (n < 0) {
			v->untouchable =
				arena_printf(w->a, "%s of -p %s does not parse, and may include it",
					c->path, w->o->build);
		} else if (n > 0 && away) {
			v->untouchable = arena_printf(w->a,
				"%s includes it, too, and is compiled in another directory, %s",
				c->path, c->directory);
		} else if (n > 0) {
			array_push(&v->units, u);
		}
	}
	return rc;
}

static const char *unit_names(struct working *w, const struct views *v)
{
	struct sbuf b = {0};
	const char *cwd = path_real(w->a, ".");
	for (size_t i = 0; i < v->units.n; i++) {
		const char *path = path_absolute(w->a, NULL, v->units.v[i]->path);
		sbuf_addf(&b, "%s%s", i ? ", " : "", cli_path_shown(w->a, cwd, path));
	}
	const char *names = w->o->build ? arena_printf(w->a,
						  "legal and measured in all units of -p that "
						  "include it: %s",
						  sbuf_cstr(&b))
					: "other units that include it have not been looked at: "
					  "-p BUILD tells of them";
	sbuf_release(&b);
	return names;
}

/* Renaming a file over one that has other names parts it from them. */
static void look_at_links(struct views *v, struct working *w, const char *path)
{
	struct stat st;
	if (stat(path, &st) == 0 && st.st_nlink > 1) {
		v->untouchable = arena_printf(w->a,
			"the file has %llu hard links, and the others would stay as they are",
			(unsigned long long)st.st_nlink);
	}
}

static int run(struct working *w, struct header *h, const struct views *v)
{
	size_t targets = w->like->targets, n = v->units.n * targets;
	const struct target **target = ARENA_ARRAY(w->a, const struct target *, n);
	struct compiler *compiler = ARENA_ARRAY(w->a, struct compiler, n);
	const struct choose_unit **unit = ARENA_ARRAY(w->a, const struct choose_unit *, n);
	struct stand_in *in_place = ARENA_ARRAY(w->a, struct stand_in, w->done->v.n + 1);
	struct choose_job job = *w->like;
	job.in_places = 0;
	for (size_t i = 0; i < n; i++) {
		target[i] = w->like->target[i % targets];
		compiler[i] = w->like->compiler[i % targets];
		unit[i] = v->units.v[i / targets];
	}
	array_each (&w->done->v, struct header *, before) {
		if ((*before)->choice.changed) {
			in_place[job.in_places++] = (struct stand_in){
				.name = (*before)->choice.names, .text = (*before)->choice.text};
		}
	}
	job.path = h->path;
	job.source = sbuf_str(&h->source);
	job.unit = unit;
	job.target = target;
	job.compiler = compiler;
	job.targets = n;
	job.in_place = in_place;
	job.untouchable = v->untouchable;
	h->target = target;
	h->targets = n;
	return choose_run(&h->choice, w->a, &job);
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
	struct views v = {.untouchable = NULL};
	*h = (struct header){.path = path};
	int rc = check_writable(w, path);
	rc = rc ? rc : file_read(&h->source, path);
	array_push(&v.units, w->own);
	look_at_links(&v, w, path);
	rc = rc || !w->o->build ? rc : add_others(&v, w, path);
	rc = rc ? rc : run(w, h, &v);
	h->note = h->choice.changed ? unit_names(w, &v) : NULL;
	array_push(&w->done->v, h);
	array_release(&v.units);
	return rc;
}

/* With the flags that were taken for it. */
static const struct choose_unit *own_unit(struct working *w, const struct choice *file)
{
	struct choose_unit *u = ARENA_NEW(w->a, struct choose_unit);
	struct words flags = {{0}};
	words_add_all(&flags, w->like->flags);
	if (file->flags.outcome == OUTCOME_KEPT) {
		words_add_all(&flags, file->flags.flag);
	}
	*u = (struct choose_unit){
		.path = w->like->path, .text = file->text, .flags = words_finish(&flags, w->a)};
	return u;
}

int headers_rewrite(struct headers *out, struct arena *a, const struct cli_opts *o,
	const struct choose_job *like, const struct choice *file)
{
	struct working w = {.a = a, .o = o, .like = like, .done = out};
	struct sources met = {.a = a};
	const char *cwd = path_real(a, ".");
	regex_t wanted;
	int rc = target_db_builtin(&w.db, a);
	rc = rc || !o->build ? rc : frontend_commands(&w.commands, a, o->build);
	if (rc || regcomp(&wanted, o->header_filter, REG_EXTENDED | REG_NOSUB) != 0) {
		return rc;
	}
	w.own = own_unit(&w, file);
	for (size_t i = 0; rc == 0 && i < file->elsewheres; i++) {
		const char *path = file->elsewhere[i].path;
		const char *full = path_absolute(a, NULL, path);
		const char *shown = cli_path_shown(a, cwd, full);
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

void headers_release(struct headers *h)
{
	array_each (&h->v, struct header *, it) {
		sbuf_release(&(*it)->source);
	}
	array_release(&h->v);
}
