/*
 * unphi cc: the compiler launcher. It looks up the decision for the command's file, or makes it,
 * and then replaces itself by the compiler (exec).
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/msg.h"
#include "base/process/proc.h"
#include "base/kept/stamped.h"
#include "base/words.h"
#include "cc/fragment.h"
#include "cc/stand_in.h"
#include "cli/cc/decide.h"

#define CACHE_LIMIT ((uint64_t)256 << 20)

struct launch {
	const struct cli_opts *given;
	struct cli_opts opts; /* configured */
	struct user_configs configs;
	struct arena *a;
	struct cc_command command;
	struct sbuf source;
	struct sbuf key;
	struct cache *cache;
	struct cc_choice record;
	struct str stamps;	/* to be cached with the record */
	const char *lock;	/* absolute; NULL: none */
	struct cc_lock entries; /* its content, once read */
	time_t started;
	const char *option;	 /* option for the overlay; NULL: none */
	const char *overlay;	 /* the overlay file */
	const char *const *more; /* additional options for the compiler; NULL: none */
};

/* ---- the key of a decision: all inputs that are known without running a compiler ---- */

static const char *add_programs(struct launch *l)
{
	const char *compiler = proc_find(l->a, l->command.argv[l->command.compiler]);
	bool ok = compiler && stamp_add_program(&l->key, compiler) &&
		  stamp_add_program(&l->key, "/proc/self/exe");

	return ok ? NULL : "its compiler cannot be found";
}

static const char *make_key(struct launch *l)
{
	char cwd[PATH_MAX];

	if (!getcwd(cwd, sizeof(cwd))) {
		return "the working directory has no name";
	}
	sbuf_adds(&l->key, "cc 4 " UNPHI_VERSION "\n");
	const char *why = add_programs(l);
	stamp_add_word(&l->key, "in", cwd);
	stamp_add_word(&l->key, "PWD", getenv("PWD"));
	stamp_add_environment(&l->key);
	cli_runs_key_add(&l->key, l->a, &l->opts, l->command.source);
	cli_key_add(&l->key, &l->opts); /* the decision reports unreadable files */
	for (const char *const *f = l->command.flags; *f; f++) {
		stamp_add_word(&l->key, "flag", *f);
	}
	stamp_add_word(&l->key, "source", l->command.source);
	stamp_add_text(&l->key, sbuf_str(&l->source));
	return why;
}

/* ---- the decision ---- */

/* The lock file's stamp, to see whether the file has changed. */
static struct str lock_stamp(struct launch *l)
{
	struct sbuf b = {0};

	if (!stamp_add_program(&b, l->lock)) {
		sbuf_adds(&b, "none");
	}
	return sbuf_finish(&b, l->a);
}

static void store(struct launch *l)
{
	struct sbuf entry = {0};

	if (l->stamps.n == 0) {
		return;
	}
	if (l->lock) {
		l->record.field[CC_LOCK] = lock_stamp(l);
	}
	cc_choice_pack(&entry, &l->record);
	stamped_put(l->cache, sbuf_str(&l->key), l->stamps, sbuf_str(&entry));
	sbuf_release(&entry);
}

/* Does a changed lock file still have this decision? If it has no entry for the file, the decision
 * is added. */
static bool lock_agrees(const struct launch *l)
{
	struct str mine = l->record.field[CC_ENTRY];
	char full[PATH_MAX];

	if (mine.n && cc_lock_has(&l->entries, mine)) {
		return true;
	}
	for (size_t i = 0; i < l->entries.n; i++) {
		if (realpath(l->command.source, full) && strcmp(l->entries.v[i].file, full) == 0) {
			return false;
		}
	}
	return mine.n == 0 || (!l->opts.frozen && cc_lock_put(l->a, l->lock, mine) == 0);
}

/* False: no valid record. */
static bool look_up(struct launch *l)
{
	struct stamped e;
	if (!stamped_get(&e, l->a, l->cache, sbuf_str(&l->key), false) ||
		!cc_choice_unpack(&l->record, e.content)) {
		return false;
	}
	if (!l->lock || str_eq(l->record.field[CC_LOCK], lock_stamp(l))) {
		return true;
	}
	if (cc_lock_load(&l->entries, l->a, l->lock) != 0 || !lock_agrees(l)) {
		return false;
	}
	l->stamps = e.stamps;
	store(l);
	return true;
}

static int decide(struct launch *l)
{
	struct cc_deciding d = {.opts = &l->opts,
		.command = &l->command,
		.source = sbuf_str(&l->source),
		.cache = l->cache,
		.lock = l->lock ? &l->entries : NULL,
		.started = l->started};
	int rc = l->lock ? cc_lock_load(&l->entries, l->a, l->lock) : 0;

	if (rc) {
		return rc;
	}
	cc_decide(&l->record, &l->stamps, l->a, &d);
	struct str why = l->record.field[CC_WHY];
	struct str gained = l->record.field[CC_GAINED];
	if (why.n) {
		msg_note("%s: compiled unchanged: %.*s", l->command.source, STR_ARG(why));
	} else if (gained.n) {
		msg_note("%s: %.*s", l->command.source, STR_ARG(gained));
	}
	if (l->lock && !l->opts.frozen && l->record.field[CC_ENTRY].n) {
		rc = cc_lock_put(l->a, l->lock, l->record.field[CC_ENTRY]);
	}
	if (rc == 0) {
		store(l);
	}
	return 0;
}

static const char *find_kept(struct launch *l, enum cc_field field)
{
	struct str name = l->record.field[field];

	return name.n ? cache_file_find(l->cache, arena_strndup(l->a, name.p, name.n)) : NULL;
}

/* Finds the overlay in the cache, or makes it again: the cache may have been emptied. */
static bool find_overlay(struct launch *l)
{
	struct cc_stand_in made;
	struct str text = l->record.field[CC_TEXT];

	l->overlay = find_kept(l, CC_KEPT);
	const char *list = find_kept(l, CC_LIST);
	if ((!l->overlay || !list) &&
		cc_stand_in_keep(&made, l->a, l->cache, l->command.source, text)) {
		l->overlay = cache_file_find(l->cache, made.text);
		list = cache_file_find(l->cache, made.list);
	}
	l->option = l->overlay && list ? arena_printf(l->a, "-ivfsoverlay%s", list) : NULL;
	return l->option != NULL;
}

/* Does the user or hipcc set the compile's unit id? */
static bool sets_unit_id(const struct launch *l)
{
	static const char *const names[] = {
		"HIPCC_COMPILE_FLAGS_APPEND", "CCC_OVERRIDE_OPTIONS", NULL};

	for (const char *const *w = l->command.args; *w; w++) {
		if (strstr(*w, "cuid")) {
			return true;
		}
	}
	for (const char *const *name = names; *name; name++) {
		const char *value = getenv(*name);
		if (value && strstr(value, "cuid")) {
			return true;
		}
	}
	return false;
}

/* clang's driver computes the unit id from the source's full name and the command line, and stores
 * it in the object. We compute it from the user's command, so that it does not depend on the path
 * of the cache. */
static const char *unit_id(const struct launch *l)
{
	struct sbuf b = {0};

	sbuf_adds(&b, path_real(l->a, l->command.source));
	for (size_t i = 0; l->command.args[i]; i++) {
		if (i != l->command.source_at) {
			sbuf_addf(&b, "\n%s", l->command.args[i]);
		}
	}
	const char *word = arena_printf(l->a, "-cuid=%016" PRIx64, str_hash(sbuf_str(&b), 0));
	sbuf_release(&b);
	return word;
}

/* Options for the compiler in addition to the user's. */
static const char *const *more_words(struct launch *l)
{
	struct words w = {{0}};

	if (l->option) {
		words_add(&w, l->option);
	}
	if (l->option && !sets_unit_id(l)) {
		words_add(&w, unit_id(l));
	}
	words_add_lines(&w, l->a, l->record.field[CC_FLAGS]);
	return words_finish(&w, l->a);
}

/* NULL, or why the command runs unchanged. */
static const char *plan(struct launch *l)
{
	const char *off = getenv("UNPHI_CC");
	const char *why = cc_command_read(&l->command, l->a, l->given->flags);

	if (why) {
		return why;
	}
	if (off && strcmp(off, "off") == 0) {
		return "UNPHI_CC is off";
	}
	const char *not_ours = cache_not_ours(l->a);
	if (not_ours) {
		/* without this warning the user would not learn why nothing improves */
		msg_warning("%s", not_ours);
	}
	if (!cache_dir(l->a)) {
		return "there is no directory for a cache: set XDG_CACHE_HOME or HOME";
	}
	if (!file_exists(l->command.source) || file_read(&l->source, l->command.source) != 0) {
		return "its source cannot be read";
	}
	if (cli_configure(&l->opts, &l->configs, l->given, l->command.source) != 0) {
		return "its configuration cannot be read";
	}
	why = cli_targets_uncovered(l->a, &l->opts, l->command.flags);
	if (why) {
		return why;
	}
	if (l->opts.lock) {
		l->lock = path_absolute(l->a, NULL, l->opts.lock);
	}
	l->cache = cache_open(l->a, "cc", CACHE_LIMIT);
	why = make_key(l);
	if (why) {
		return why;
	}
	if (!look_up(l) && decide(l) != 0) {
		return "its lock file cannot be read";
	}
	if (l->record.field[CC_WHY].n) {
		return arena_printf(l->a, "%.*s", STR_ARG(l->record.field[CC_WHY]));
	}
	bool adds = l->record.field[CC_FLAGS].n > 0;
	if (l->record.field[CC_TEXT].n == 0 && !adds) {
		return l->lock && l->opts.frozen
			       ? arena_printf(l->a, "%s has no entry for it", l->opts.lock)
			       : "no rewrite makes it better";
	}
	why = cc_fragment_path(&l->command) ? cc_fragment_refusal(&l->command) : NULL;
	if (why) {
		return why;
	}
	if (l->record.field[CC_TEXT].n && !find_overlay(l)) {
		return "its overlay cannot be written";
	}
	l->more = more_words(l);
	return NULL;
}

/* ---- the compiler ---- */

/* By default ccache does not cache compiles with an overlay. This makes it ignore the option, and
 * hash the overlay's text instead. */
static void tell_ccache(const struct launch *l)
{
	static const struct {
		const char *name;
		char separator;
	} variable[] = {{"CCACHE_SLOPPINESS", ','}, {"CCACHE_EXTRAFILES", ':'}};
	const char *value[] = {"ivfsoverlay", l->overlay};

	for (size_t i = 0; i < 2; i++) {
		const char *old = getenv(variable[i].name);
		setenv(variable[i].name,
			old && *old
				? arena_printf(l->a, "%s%c%s", old, variable[i].separator, value[i])
				: value[i],
			1);
	}
}

/* Returns only if the program cannot be executed. */
static int exec_command(const char *const *argv)
{
	signal(SIGXFSZ, SIG_DFL);
	execvp(argv[0], (char *const *)argv);
	msg_error("cannot run %s: %s", argv[0], strerror(errno));
	return EXIT_USAGE;
}

/* Runs a command in a child that ends with us; returns its exit status. */
static int run_command(const char *const *argv)
{
	int status = 0;

	fflush(NULL);
	pid_t child = fork();
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		_exit(exec_command(argv));
	}
	if (child < 0) {
		msg_error("cannot run %s: %s", argv[0], strerror(errno));
		return EXIT_USAGE << 8;
	}
	while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
	}
	return status;
}

/* Appends to a file, as the driver does. */
static bool append(const char *path, struct str text)
{
	bool standard = strcmp(path, "-") == 0;
	int fd = standard ? STDOUT_FILENO
			  : open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	bool ok = fd >= 0 && file_write_all(fd, text);

	ok = (standard || fd < 0 || close(fd) == 0) && ok;
	if (!ok) {
		msg_error("cannot write %s: %s", path, strerror(errno));
	}
	return ok;
}

/* The fragment of a compile database (-MJ) would contain our options. So the compiler writes it to
 * a temporary file, and we copy it without these options. */
static int compile_with_fragment(struct launch *l, const char *const *argv, const char *path)
{
	const char *dir = tmpdir_create();
	const char *made = arena_printf(l->a, "%s/fragment", dir ? dir : "");
	struct sbuf text = {0}, stripped = {0};

	if (!dir) {
		cleanup_run();
		return exec_command(l->given->flags);
	}
	int status = run_command(cc_fragment_words(l->a, argv, made));
	bool ok = true;
	if (file_exists(made) && file_read(&text, made) == 0) {
		cc_fragment_strip(&stripped, sbuf_str(&text), l->more);
		ok = append(path, sbuf_str(&stripped));
	}
	sbuf_release(&text);
	sbuf_release(&stripped);
	if (WIFSIGNALED(status)) {
		cleanup_run();
		signal(WTERMSIG(status), SIG_DFL);
		raise(WTERMSIG(status));
	}
	return WIFEXITED(status) && (WEXITSTATUS(status) || ok) ? WEXITSTATUS(status)
								: EXIT_FINDINGS;
}

/* Executes the compiler, in place of this process if possible. */
static int run_compiler(struct launch *l)
{
	const char *const *argv = l->command.wrong_language || l->more
					  ? cc_command_words(l->a, &l->command, l->more)
					  : l->given->flags;
	const char *fragment = l->more ? cc_fragment_path(&l->command) : NULL;

	if (l->option && l->command.compiler > 0) {
		tell_ccache(l);
	}
	if (fragment) {
		return compile_with_fragment(l, argv, fragment);
	}
	cleanup_run();
	return exec_command(argv);
}

int cmd_cc(const struct cli_opts *o)
{
	struct launch l = {.given = o, .a = arena_create(), .started = time(NULL)};

	l.configs.a = l.a;
	const char *why = plan(&l);
	if (o->explain && l.command.source) {
		msg_note("%s: %s%s", l.command.source,
			why	   ? "compiled unchanged: "
			: l.option ? "rewritten"
				   : "with flags added",
			why ? why : "");
	}
	int code = run_compiler(&l);
	user_configs_release(&l.configs);
	sbuf_release(&l.source);
	sbuf_release(&l.key);
	arena_free(l.a);
	return code;
}
