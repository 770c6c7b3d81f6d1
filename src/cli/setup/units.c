#include "cli/setup/units.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/file.h"
#include "base/msg.h"
#include "base/msglog.h"
#include "base/words.h"
#include "frontend/frontend.h"
#include "frontend/parse/database.h"
#include "frontend/parse/flags.h"

enum {
	MAX_DEPTH = 64 /* of directories */
};

struct finder {
	struct arena *a;
	const struct cli_opts *o;
	const char *cwd;
	struct target_db db;
	struct unit_commands commands;
	struct user_configs *configs;
	ARRAY(struct cli_unit) found;
	size_t skipped; /* by --exclude */
	size_t unread;	/* unreadable files and directories; each got a message */
	int failed;	/* FAIL_USAGE if a file or an entry cannot be checked */
	struct cli_gpus gpus;
	const char *fallback; /* the first file with the fallback target */
	size_t fallbacks;
	const char *unknown;	     /* an unknown target, reported once */
	bool launcher_known;	     /* looked up for the first entry, valid for all */
	const char *const *launcher; /* or NULL */
};

const char *cli_path_shown(struct arena *a, const char *cwd, const char *absolute)
{
	size_t n = strlen(cwd);
	const char *path = path_real(a, absolute);

	return strncmp(path, cwd, n) == 0 && path[n] == '/' && path[n + 1] ? path + n + 1 : path;
}

bool cli_path_matches(const struct name_list *globs, const char *path)
{
	for (size_t i = 0; i < globs->v.n; i++) {
		if (fnmatch(globs->v.v[i], path, 0) == 0 ||
			fnmatch(globs->v.v[i], path_base(str_of(path)).p, 0) == 0) {
			return true;
		}
	}
	return false;
}

int cli_regex(regex_t *out, const char *option, const char *text)
{
	int e = regcomp(out, text, REG_EXTENDED | REG_NOSUB);

	if (e) {
		char why[200];
		regerror(e, out, why, sizeof(why));
		return fail_usage("%s '%s': %s", option, text, why);
	}
	return 0;
}

int cli_filter_check(const struct cli_opts *o)
{
	regex_t filter;
	int rc = o->header_filter ? cli_regex(&filter, "--header-filter", o->header_filter) : 0;

	if (o->header_filter && rc == 0) {
		regfree(&filter);
	}
	return rc;
}

const char *cli_words_unread(const char *const *flags)
{
	while (*flags && (*flags)[0] != '@') {
		flags++;
	}
	return *flags ? *flags + 1 : NULL;
}

/* Can all files that the entry's flags name be read? If not, prints a message. */
static bool entry_is_whole(struct finder *f, const struct cli_unit *u, const char *const *flags)
{
	const char *unread = cli_words_unread(flags);

	if (unread) {
		msg_error("%s: cannot read the response file %s that its entry in -p %s names",
			u->shown, unread, f->o->build);
	} else if (flags_check_files(f->a, u->directory, flags) != 0) {
		/* already reported */
	} else {
		return true;
	}
	f->failed = FAIL_USAGE;
	return false;
}

static void warn_of_unknown(struct finder *f, const struct cli_unit *u)
{
	const char *unknown = u->targets.unknown;

	if (unknown && (!f->unknown || strcmp(f->unknown, unknown) != 0)) {
		msg_warning("%s: unphi does not know the target '%s', and checks the file for the "
			    "others",
			u->shown, unknown);
		f->unknown = unknown;
	}
}

static void count_fallback(struct finder *f, const struct cli_unit *u)
{
	if (u->targets.fallback) {
		f->fallback = f->fallback ? f->fallback : u->shown;
		f->fallbacks++;
	}
}

static int try_unit(struct finder *f, const struct cli_unit *u, const char *const *flags)
{
	struct cli_unit unit = *u;
	struct cli_opts *opts = ARENA_NEW(f->a, struct cli_opts);
	int rc = cli_configure(opts, f->configs, f->o, unit.path);

	rc = rc ? rc : cli_filter_check(opts);
	if (rc || cli_path_matches(&opts->exclude, unit.shown)) {
		f->skipped++;
		return rc;
	}
	opts->launcher = f->launcher;
	unit.opts = opts;
	bool entry = unit.directory != NULL;
	if (entry && !entry_is_whole(f, &unit, flags)) {
		return 0;
	}
	rc = cli_targets_of(
		&unit.targets, f->a, &f->db, &f->gpus, opts, flags, entry ? unit.shown : NULL);
	if (rc == 0) {
		warn_of_unknown(f, &unit);
		count_fallback(f, &unit);
		array_push(&f->found, unit);
	} else if (entry && unit.targets.of_flags) {
		f->failed = rc;
		return 0;
	}
	return rc;
}

static int add_unit(struct finder *f, const struct cli_unit *u, const char *const *flags)
{
	msglog_about(u->shown);
	int rc = try_unit(f, u, flags);
	msglog_about(NULL);
	return rc;
}

/* ---- without a database ---- */

/* Counts an unreadable file, after a message about it. The other files are still checked. */
static int skip_unread(struct finder *f)
{
	f->unread++;
	f->failed = FAIL_USAGE;
	return 0;
}

static int add_file(struct finder *f, const char *path)
{
	int rc = f->o->stdin_filename ? 0 : file_try(path);

	return rc ? skip_unread(f)
		  : add_unit(f, &(struct cli_unit){.path = path, .shown = path}, f->o->flags);
}

static bool is_source(const char *name)
{
	static const char *const ends[] = {".hip", ".hip.cpp", ".hip.cc", ".hip.cxx"};

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		if (str_ends(str_of(name), ends[i])) {
			return true;
		}
	}
	return false;
}

static int is_visible(const struct dirent *d)
{
	return d->d_name[0] != '.';
}

static int add_directory(struct finder *f, const char *dir, unsigned depth)
{
	struct dirent **entry;
	int n = scandir(dir, &entry, is_visible, alphasort);
	int rc = 0;

	if (n < 0) {
		msg_error_of(dir, "cannot read %s: %s", dir, strerror(errno));
		return skip_unread(f);
	}
	for (int i = 0; i < n; i++) {
		struct stat st;
		size_t len = strlen(dir);
		const char *name = entry[i]->d_name;
		/* in the working directory the bare name, unless a compiler would read it as an
		 * option */
		bool bare = strcmp(dir, ".") == 0 && !strchr("-@", name[0]);
		const char *path = bare ? arena_strdup(f->a, name)
					: arena_printf(f->a, "%s%s%s", dir,
						  len && dir[len - 1] == '/' ? "" : "/", name);
		/* links to directories are not followed: they may lead anywhere */
		if (rc == 0 && lstat(path, &st) == 0) {
			if (S_ISDIR(st.st_mode) && cli_path_matches(&f->o->exclude, path)) {
				f->skipped++;
			} else if (S_ISDIR(st.st_mode) && depth < MAX_DEPTH) {
				rc = add_directory(f, path, depth + 1);
			} else if (!S_ISDIR(st.st_mode) && is_source(path)) {
				rc = add_file(f, path);
			}
		}
		free(entry[i]);
	}
	free(entry);
	return rc;
}

/* ---- with a database ---- */

/* A name without a slash is searched in PATH, so it is not changed. */
static const char *absolute_program(struct arena *a, const char *cwd, const char *name)
{
	return name && strchr(name, '/') ? path_absolute(a, cwd, name) : name;
}

static int find_launcher(struct finder *f, const char *const *of_build)
{
	int rc = f->launcher_known ? 0 : cli_launcher_find(&f->launcher, f->a, f->o, of_build);

	f->launcher_known = true;
	return rc;
}

/* Entries of the file or directory; all of them when operand is NULL. */
static int add_entries(struct finder *f, const char *operand, size_t *added)
{
	const char *wanted = operand ? path_real(f->a, operand) : NULL;
	bool directory = operand && file_is_dir(operand);

	*added = 0;
	array_each (&f->commands, const struct unit_command, c) {
		const char *path = wanted ? path_real(f->a, c->path) : c->path;
		if (wanted &&
			!(directory ? path_is_below(path, wanted) : strcmp(path, wanted) == 0)) {
			continue;
		}
		const char *shown =
			operand && !directory ? operand : cli_path_shown(f->a, f->cwd, c->path);
		++*added;
		/* the user's own flags come last, so they win */
		const char *const *flags = words_joined(f->a, c->flags, f->o->flags);
		const char *given = absolute_program(f->a, f->cwd, f->o->compiler);
		int rc = find_launcher(f, c->launcher);
		if (rc) {
			return rc;
		}
		rc = add_unit(f,
			&(struct cli_unit){.path = c->path,
				.shown = shown,
				.directory = c->directory,
				.compiler = given ? given : c->compiler,
				.flags = flags},
			flags);
		if (rc) {
			return rc;
		}
	}
	return 0;
}

static int find_in_database(struct finder *f)
{
	size_t added;
	int rc = frontend_commands(&f->commands, f->a, f->o->build);

	if (rc == 0 && f->o->files.n == 0) {
		rc = add_entries(f, NULL, &added);
		if (rc == 0 && added == 0) {
			rc = fail_usage("-p %s: no entry compiles HIP (of %zu)", f->o->build,
				f->commands.others);
		}
	}
	for (size_t i = 0; rc == 0 && i < f->o->files.n; i++) {
		const char *operand = f->o->files.v[i];
		if (!file_exists(operand) && !file_is_dir(operand)) {
			rc = add_file(f, operand); /* prints the reason */
			continue;
		}
		rc = add_entries(f, operand, &added);
		if (rc == 0 && added == 0) {
			rc = fail_usage(
				"%s: no entry of -p %s compiles it as HIP; give its flags after "
				"-- instead of -p",
				operand, f->o->build);
		}
	}
	return rc;
}

static int find_without(struct finder *f)
{
	int rc = 0;

	for (size_t i = 0; i < f->o->files.n; i++) {
		const char *operand = f->o->files.v[i];
		size_t before = f->found.n + f->skipped + f->unread;
		int one =
			file_is_dir(operand) ? add_directory(f, operand, 0) : add_file(f, operand);
		if (one == 0 && f->found.n + f->skipped + f->unread == before &&
			file_is_dir(operand)) {
			one = fail_usage(
				"%s: has no HIP source (.hip, .hip.cpp, .hip.cc, .hip.cxx)",
				operand);
		}
		rc = rc ? rc : one;
	}
	return rc;
}

int cli_units_find(struct cli_units *out, struct arena *a, const struct cli_opts *o,
	struct user_configs *configs)
{
	char cwd[PATH_MAX];
	struct finder f = {
		.a = a, .o = o, .configs = configs, .cwd = getcwd(cwd, sizeof(cwd)) ? cwd : "/"};
	int rc = target_db_builtin(&f.db, a);

	rc = rc || o->build ? rc : flags_check_files(a, NULL, o->flags);
	rc = rc || o->build ? rc : cli_launcher_find(&f.launcher, a, o, NULL);
	if (rc == 0) {
		rc = o->build ? find_in_database(&f) : find_without(&f);
	}
	if (f.fallbacks > 0) {
		cli_targets_note(&f.db, f.fallback, f.fallbacks - 1);
	}
	if (rc == 0 && f.found.n == 0 && !f.failed) {
		rc = fail_usage("--exclude leaves no file to check");
	}
	rc = rc || f.found.n > 0 || o->build ? rc : f.failed;
	out->db = f.db;
	out->failed = f.failed;
	array_move(out->v, out->n, a, &f.found);
	return rc;
}

/* ---- one file ---- */

void cli_paths_absolute(struct cli_opts *o, struct arena *a, const char *cwd)
{
	const char **path[] = {&o->output, &o->report, &o->spec, &o->build, &o->baseline};
	const char **program[] = {&o->compiler, &o->host_compiler};

	for (size_t i = 0; i < sizeof(path) / sizeof(path[0]); i++) {
		*path[i] = *path[i] ? path_absolute(a, cwd, *path[i]) : NULL;
	}
	for (size_t i = 0; i < sizeof(program) / sizeof(program[0]); i++) {
		*program[i] = absolute_program(a, cwd, *program[i]);
	}
}

int cli_project_is(bool *out, struct arena *a, const struct cli_opts *o)
{
	struct unit_commands all;
	size_t n = 0;

	*out = o->files.n != 1 || o->shard || file_is_dir(o->files.v[0]);
	if (*out || o->command != COMMAND_REWRITE) {
		return 0;
	}
	int rc = frontend_commands(&all, a, o->build);
	for (size_t i = 0; rc == 0 && i < all.n; i++) {
		n += strcmp(path_real(a, all.v[i].path), path_real(a, o->files.v[0])) == 0;
	}
	*out = n > 1;
	return rc;
}

int cli_unit_enter(struct cli_opts *o, struct arena *a)
{
	char cwd[PATH_MAX];
	struct unit_commands all;
	const struct unit_command *c = NULL;
	size_t n = 0;
	int rc = frontend_commands(&all, a, o->build);

	if (rc) {
		return rc;
	}
	if (!getcwd(cwd, sizeof(cwd))) {
		return fail_usage("cannot get the working directory: %s", strerror(errno));
	}
	const char *wanted = path_real(a, o->files.v[0]);
	for (size_t i = 0; i < all.n; i++) {
		if (strcmp(path_real(a, all.v[i].path), wanted) == 0) {
			c = c ? c : &all.v[i];
			n++;
		}
	}
	if (!c) {
		return fail_usage(
			"%s: no entry of -p %s compiles it as HIP; give its flags after -- "
			"instead of -p",
			o->files.v[0], o->build);
	}
	if (n > 1) {
		msg_note("%s: %zu entries of -p %s compile it; using the flags of the first",
			o->files.v[0], n, o->build);
	}
	o->started_in = arena_strdup(a, cwd);
	o->files.v[0] = path_absolute(a, cwd, o->files.v[0]);
	cli_paths_absolute(o, a, cwd);
	o->compiler = o->compiler ? o->compiler : c->compiler;
	o->flags = words_joined(a, c->flags, o->flags);
	rc = cli_launcher_find(&o->launcher, a, o, c->launcher);
	if (rc) {
		return rc;
	}
	return cli_directory_go(c->directory, o->files.v[0]);
}

int cli_directory_go(const char *dir, const char *shown)
{
	return !dir || chdir(dir) == 0 ? 0
				       : fail_usage("%s: cannot enter the directory %s: %s", shown,
						 dir, strerror(errno));
}

int cli_directory_enter(const struct cli_unit *u)
{
	return cli_directory_go(u->directory, u->shown);
}

int cli_unit_early(const struct cli_unit *u)
{
	bool asked = !u->opts->stdin_filename && u->directory && file_is_dir(u->directory);
	int rc = asked ? file_try(u->path) : 0;

	return rc ? cli_exit(rc) : -1;
}

int cli_units_load(const struct cli_units *u, const struct cli_opts *o)
{
	if (u->n > 0 && u->v[0].compiler) {
		frontend_prefer(u->v[0].compiler, o->no_cache);
	}
	return frontend_load();
}
