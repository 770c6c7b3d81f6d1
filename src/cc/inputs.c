#include "cc/inputs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/driver.h"
#include "base/file.h"
#include "base/map.h"
#include "base/process/proc.h"
#include "base/kept/stamp.h"
#include "base/words.h"

enum {
	TIME_LIMIT_S = 120
};

struct finding {
	struct arena *a;
	const struct cc_search *s;
	const char *cwd;
	const char *source; /* absolute */
	struct map seen;    /* paths */
	struct words includes;
	ARRAY(const char *) programs;
};

static const char *absolute(const struct finding *f, const char *path)
{
	return path[0] == '/' ? path : arena_printf(f->a, "%s/%s", f->cwd, path);
}

static void add_command(struct words *w, const struct finding *f)
{
	const struct cc_search *s = f->s;

	words_add(w, s->command->argv[s->command->compiler]);
	words_add_all(w, s->flags);
	words_add(w, "-Wno-unused-command-line-argument");
	words_add(w, "-x");
	words_add(w, "hip");
}

static bool run(struct proc_result *r, const struct finding *f, struct words *w)
{
	words_add(w, f->s->command->source);
	struct proc_job job = {.argv = words_finish(w, f->a), .time_limit_s = TIME_LIMIT_S};
	proc_run(r, &job);
	return proc_ok(r);
}

static const char *find_includes(struct finding *f, const char *target)
{
	struct words w = {{0}};
	struct proc_result r = {0};

	add_command(&w, f);
	words_add(&w, arena_printf(f->a, "--offload-arch=%s", target));
	words_add(&w, "--offload-device-only");
	words_add(&w, "-nogpulib"); /* a missing library is no matter of the preprocessor's */
	/* what -M means: clang 21's driver lists nothing for the device alone */
	static const char *const list[] = {"-E", "-o", "/dev/null", "-Xclang", "-dependency-file",
		"-Xclang", "-", "-Xclang", "-MT", "-Xclang", "x", "-Xclang", "-sys-header-deps",
		NULL};
	words_add_all(&w, list);
	const char *why = run(&r, f, &w) ? NULL : "its compiler does not preprocess it";
	const char *const *path = stamp_rule_files(f->a, why ? STR("") : sbuf_str(&r.out));
	why = why || *path ? why : "its compiler does not list what it reads";
	for (; *path; path++) {
		const char *name = absolute(f, *path);
		if (strcmp(name, f->source) != 0 && map_set(&f->seen, str_of(name), 1)) {
			words_add(&f->includes, name);
		}
	}
	proc_result_release(&r);
	return why;
}

/* Each word of the commands that the driver would run that is the full name of a file. */
static void find_programs(struct finding *f)
{
	struct words w = {{0}};
	struct proc_result r = {0};

	add_command(&w, f);
	for (const char *const *t = f->s->targets; *t; t++) {
		words_add(&w, arena_printf(f->a, "--offload-arch=%s", *t));
	}
	words_add(&w, "-c");
	words_add(&w, "-###");
	run(&r, f, &w);
	struct str rest = sbuf_str(&r.err);
	struct str word;
	while (str_split(&rest, '"', &word)) {
		if (word.n == 0 || word.p[0] != '/' || word.n >= PATH_MAX) {
			continue;
		}
		const char *path = arena_strndup(f->a, word.p, word.n);
		if (strcmp(path, f->source) != 0 && file_exists(path) &&
			map_set(&f->seen, str_of(path), 1)) {
			array_push(&f->programs, path);
		}
	}
	proc_result_release(&r);
}

/* ---- places where something else could have been found ---- */

static void add_dirs(struct words *dirs, const struct finding *f)
{
	struct str own = path_dir(str_of(f->s->command->source));

	words_add(dirs, absolute(f, arena_str(f->a, own).p));
	for (const char *const *flag = f->s->flags; *flag; flag++) {
		struct str dir = driver_search_dir(flag);
		if (dir.n > 0) {
			words_add_once(dirs, absolute(f, arena_str(f->a, dir).p));
		}
	}
}

static bool add_stamps(struct finding *f, struct sbuf *stamps)
{
	struct words dirs = {{0}};
	bool ok = true;

	array_each (&f->includes.v, const char *, path) {
		ok = ok && stamp_add(stamps, *path, f->s->before);
	}
	array_each (&f->programs, const char *, path) {
		ok = ok && stamp_add_program(stamps, *path);
	}
	add_dirs(&dirs, f);
	stamp_add_shadows(stamps, &dirs, &f->includes);
	array_release(&dirs.v);
	return ok;
}

static int by_name(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

const char *cc_inputs_find(struct cc_inputs *out, struct arena *a, const struct cc_search *s)
{
	char cwd[PATH_MAX];
	struct finding f = {.a = a, .s = s};
	struct sbuf stamps = {0};
	const char *why = getcwd(cwd, sizeof(cwd)) ? NULL : "the working directory has no name";

	*out = (struct cc_inputs){0};
	f.cwd = cwd;
	f.source = absolute(&f, s->command->source);
	for (const char *const *t = s->targets; !why && *t; t++) {
		why = find_includes(&f, *t);
	}
	if (!why) {
		find_programs(&f);
		qsort(f.includes.v.v, f.includes.v.n, sizeof(*f.includes.v.v), by_name);
		if (add_stamps(&f, &stamps)) {
			out->stamps = arena_str(a, sbuf_str(&stamps));
		}
	}
	out->includes = words_finish(&f.includes, a);
	sbuf_release(&stamps);
	array_release(&f.programs);
	map_release(&f.seen);
	return why;
}
