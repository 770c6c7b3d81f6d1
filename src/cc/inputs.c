#include "cc/inputs.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/map.h"
#include "base/process/proc.h"
#include "base/kept/stamp.h"
#include "base/words.h"
#include "frontend/frontend.h"
#include "frontend/text/lookups.h"
#include "measure/compile/compiler.h"
#include "measure/compile/hipcc.h"

enum {
	TIME_LIMIT_S = 120
};

#define RULE "x" /* the target of the make rule; any name will do */

struct cc_finding {
	struct arena *a;
	const struct cc_search *s;
	char cwd[PATH_MAX];
	const char *source; /* absolute */
	struct map seen;    /* paths */
	struct words includes;
	struct lookups looked;
	unsigned major;		 /* major version of clang */
	const char *const *host; /* the driver's command for the host; NULL: none, or several */
};

static void add_command(struct words *w, const struct cc_finding *f)
{
	const struct cc_search *s = f->s;

	words_add(w, s->command->argv[s->command->compiler]);
	words_add_all(w, s->flags);
	words_add(w, "-Wno-unused-command-line-argument");
	words_add(w, "-x");
	words_add(w, "hip");
}

static bool run(struct proc_result *r, const struct cc_finding *f, struct words *w)
{
	words_add(w, f->s->command->source);
	struct proc_job job = {.argv = words_finish(w, f->a), .time_limit_s = TIME_LIMIT_S};
	proc_run(r, &job);
	return proc_ok(r);
}

/* in place of -M: with only a device compile, the driver of clang 21 lists nothing */
const char *const cc_inputs_rule_words[] = {"-Xclang", "-dependency-file", "-Xclang", "-",
	"-Xclang", "-MT", "-Xclang", RULE, "-Xclang", "-sys-header-deps", NULL};

/* Adds the files that the make rules list. The command prints one rule for each of its compiles. */
static void add_read(struct cc_finding *f, const char *const *path)
{
	for (; *path; path++) {
		const char *name = path_absolute(f->a, f->cwd, *path);
		bool other = strcmp(name, f->source) != 0 && strcmp(*path, RULE ":") != 0;
		if (other && map_set(&f->seen, str_of(name), 1)) {
			words_add(&f->includes, name);
			lookups_add_file(&f->looked, *path);
		}
	}
}

static const char *find_includes(struct cc_finding *f, const char *target)
{
	struct words w = {{0}};
	struct proc_result r = {0};

	add_command(&w, f);
	words_add(&w, arena_printf(f->a, "--offload-arch=%s", target));
	words_add(&w, "--offload-device-only");
	words_add(&w, "-nogpulib"); /* the preprocessor does not need libraries */
	static const char *const list[] = {"-E", "-o", "/dev/null", NULL};
	words_add_all(&w, list);
	words_add_all(&w, cc_inputs_rule_words);
	const char *why = run(&r, f, &w) ? NULL : "its compiler does not preprocess it";
	const char *const *path = stamp_rule_files(f->a, why ? STR("") : sbuf_str(&r.out));
	why = why || *path ? why : "its compiler does not list the files that it reads";
	add_read(f, path);
	proc_result_release(&r);
	return why;
}

static bool has_word(const char *const *words, const char *word)
{
	while (*words && strcmp(*words, word) != 0) {
		words++;
	}
	return *words != NULL;
}

/* One of the commands that the driver would run, changed to another action, and to list the files
 * that it reads. */
static const char *const *with_action(
	const struct cc_finding *f, const char *const *command, const char *action)
{
	static const char *const rule[] = {
		"-dependency-file", "-", "-MT", RULE, "-sys-header-deps", NULL};
	struct words w = {{0}};

	words_add_all(&w, command);
	words_add(&w, action); /* the last action counts */
	words_add_all(&w, rule);
	return words_finish(&w, f->a);
}

/* Lists the files that one of the driver's commands reads. False if it lists none. */
static bool read_by_command(struct cc_finding *f, const char *const *command)
{
	struct proc_result r = {0};
	struct proc_job job = {
		.argv = with_action(f, command, "-Eonly"), .time_limit_s = TIME_LIMIT_S};
	proc_run(&r, &job);
	const char *const *path = stamp_rule_files(f->a, proc_ok(&r) ? sbuf_str(&r.out) : STR(""));
	bool any = *path != NULL;
	add_read(f, path);
	proc_result_release(&r);
	return any;
}

/* Passes the compiler's resource directory on to the frontend, unless the user chose one. */
static void pass_resource_dir(const struct cc_finding *f, const char *const *command)
{
	static const char *const option[] = {"-resource-dir", NULL};
	bool own = true;
	for (const char *const *flag = f->s->flags; *flag; flag++) {
		own &= !str_starts_any(str_of(*flag), option);
	}
	for (; own && *command && command[1]; command++) {
		if (strcmp(*command, option[0]) == 0) {
			frontend_tell(
				f->a, f->s->command->argv[f->s->command->compiler], command[1]);
			return;
		}
	}
}

/* Lists the files by the -cc1 commands that the driver printed: hipcc's script takes longer than
 * the preprocessor. False if the driver has to list them. */
static bool read_by_commands(struct cc_finding *f, struct str printed)
{
	size_t wanted = 0, hosts = 0;
	struct str line;
	while (f->s->targets[wanted]) {
		wanted++;
	}
	while (str_line(&printed, &line)) {
		line = str_trim(line);
		const char *const *words = str_starts(line, "\"") ? hipcc_split(f->a, line) : NULL;
		if (!words || !has_word(words, "-cc1")) {
			continue;
		}
		if (!has_word(words, "-fcuda-is-device")) {
			f->host = ++hosts == 1 ? words : NULL;
		} else {
			pass_resource_dir(f, words);
			if (!read_by_command(f, words)) {
				return false;
			}
			wanted -= wanted > 0;
		}
	}
	return wanted == 0;
}

static bool ask_commands(struct cc_finding *f, struct proc_result *r, const char *more)
{
	struct words w = {{0}};

	add_command(&w, f);
	for (const char *const *t = f->s->targets; *t; t++) {
		words_add(&w, arena_printf(f->a, "--offload-arch=%s", *t));
	}
	words_add(&w, "-c");
	words_add(&w, "-v");
	words_add(&w, "-###");
	if (more) {
		words_add(&w, more);
	}
	return run(r, f, &w);
}

/* Adds the directories of --rocm-path=DIR, --gcc-toolchain=DIR and similar options. */
static void add_roots(struct cc_finding *f)
{
	for (const char *const *flag = f->s->flags; *flag; flag++) {
		const char *value = strchr(*flag, '=');
		if (str_starts(str_of(*flag), "--") && value && file_is_dir(value + 1)) {
			lookups_add_root(&f->looked, str_of(value + 1));
			const char *usr = arena_printf(f->a, "%s/usr", value + 1);
			lookups_add_root(&f->looked, str_of(usr));
		}
	}
}

/* Finds the commands that the driver would run. *read: the files that its device compiles read are
 * listed already. */
static const char *find_commands(struct cc_finding *f, bool *read)
{
	struct proc_result r = {0};
	bool ok = ask_commands(f, &r, NULL);

	if (!ok) {
		proc_result_release(&r);
		ok = ask_commands(f, &r, "-nogpulib");
	}
	f->major = compiler_major(sbuf_str(&r.err));
	lookups_add_driver(&f->looked, sbuf_str(&r.err));
	lookups_add_commands(&f->looked, sbuf_str(&r.err));
	add_roots(f);
	*read = ok && read_by_commands(f, sbuf_str(&r.err));
	lookups_add_dir(&f->looked, path_dir(str_of(f->s->command->source)));
	proc_result_release(&r);
	return ok ? NULL : "its compiler does not print the command that it would run";
}

/* Stamps are stored even if some inputs are unknown: they then belong to the decision to rewrite
 * nothing. */
static bool add_stamps(struct cc_finding *f, struct sbuf *stamps)
{
	compiler_add_program(stamps, f->a, f->s->command->argv[f->s->command->compiler]);
	array_each (&f->looked.compilers.v, const char *, path) {
		compiler_add_program(stamps, f->a, *path);
	}
	compiler_add_libraries(stamps, f->a, f->major);
	return lookups_add_stamps(stamps, &f->looked, f->s->text, f->s->before) || f->looked.why;
}

static int by_name(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void stamp(struct cc_inputs *in)
{
	struct cc_finding *f = in->finding;
	struct sbuf stamps = {0};

	in->stamps = add_stamps(f, &stamps) ? arena_str(f->a, sbuf_str(&stamps)) : STR("");
	in->doubt = f->looked.why ? arena_printf(f->a,
					    "the files that it reads because of %s are unknown",
					    f->looked.why)
				  : NULL;
	sbuf_release(&stamps);
}

const char *cc_inputs_find(struct cc_inputs *out, struct arena *a, const struct cc_search *s)
{
	struct cc_finding *f = ARENA_NEW(a, struct cc_finding);
	const char *why =
		getcwd(f->cwd, sizeof(f->cwd)) ? NULL : "the working directory has no name";

	*out = (struct cc_inputs){.finding = f};
	f->a = a;
	f->s = arena_memdup(a, s, sizeof(*s));
	f->looked = (struct lookups){.a = a, .programs = true};
	f->source = path_absolute(a, f->cwd, s->command->source);
	bool read = false;
	why = why ? why : find_commands(f, &read);
	for (const char *const *t = s->targets; !why && !read && *t; t++) {
		why = find_includes(f, *t);
	}
	if (!why) {
		qsort(f->includes.v.v, f->includes.v.n, sizeof(*f->includes.v.v), by_name);
		stamp(out);
	}
	out->clang = f->major;
	out->includes = words_finish(&f->includes, a);
	return why;
}

const char *const *cc_inputs_host_check(const struct cc_inputs *in, const char *option)
{
	const struct cc_finding *f = in->finding;
	const struct cc_command *c = f->s->command;
	const char *program = f->host ? proc_find(f->a, c->argv[c->compiler]) : NULL;
	struct words w = {{0}};

	if (!program || !hipcc_is_rocms(program)) {
		return NULL;
	}
	words_add_all(&w, f->host);
	words_add(&w, option);
	return with_action(f, words_finish(&w, f->a), "-fsyntax-only");
}

void cc_inputs_add(struct cc_inputs *in, struct str rules)
{
	add_read(in->finding, stamp_rule_files(in->finding->a, rules));
	stamp(in);
}

void cc_inputs_release(struct cc_inputs *in)
{
	if (in->finding) {
		lookups_release(&in->finding->looked);
		map_release(&in->finding->seen);
		array_release(&in->finding->includes.v);
	}
}
