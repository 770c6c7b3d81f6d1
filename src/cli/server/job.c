/* Jobs: subcommands in child processes. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/process/proc.h"
#include "cli/server/server.h"
#include "frontend/frontend.h"
#include "measure/compile/compiler.h"

enum {
	LIGHT_JOBS = 2, /* jobs that only parse */
	HEAVY_JOBS = 1,
	SAID_MAX = 1 << 20,
	END_MS = 2000 /* from SIGTERM to SIGKILL */
};

static bool is_heavy(const struct job *j)
{
	return j->kind >= JOB_MEASURE;
}

struct job *job_add(
	struct server *s, enum job_kind kind, struct document *d, json_t *id, job_done *done)
{
	struct job *j = calloc(1, sizeof(*j));
	if (!j) {
		die("out of memory");
	}
	*j = (struct job){.kind = kind,
		.doc = d,
		.id = id,
		.done = done,
		.title = "unphi",
		.pidfd = -1,
		.out = -1,
		.err = -1};
	if (d) {
		j->version = d->version;
		j->hash = d->hash;
		j->path = strdup(d->path);
		lsp_text_set(&j->text, sbuf_str(&d->text.text));
	}
	array_push(&s->jobs, j);
	return j;
}

static void job_free(struct job *j)
{
	proc_close(&j->pidfd);
	proc_close(&j->out);
	proc_close(&j->err);
	json_decref(j->id);
	json_decref(j->token);
	sbuf_release(&j->said);
	sbuf_release(&j->printed);
	lsp_text_release(&j->text);
	free(j->argument);
	free(j->path);
	free(j);
}

void job_cancel(struct server *s, struct job *j)
{
	if (j->cancelled || j->ended) {
		return;
	}
	j->cancelled = true;
	if (j->id && !s->ended) {
		send_error(s, j->id, RPC_CANCELLED, "cancelled");
	}
	progress_close(s, j, "cancelled");
	if (j->pid > 0) {
		kill(j->pid, SIGTERM);
		j->killed_at = proc_now_s();
	} else {
		j->ended = true;
	}
}

/* ---- the child ---- */

/* Sets the options as the command line of the subcommand would. */
static void fill_options(struct cli_opts *o, const struct server *s, const struct job *j)
{
	static const enum command command[] = {[JOB_LINT] = COMMAND_LINT,
		[JOB_ESTIMATE] = COMMAND_LEDGER,
		[JOB_EXPLAIN] = COMMAND_EXPLAIN,
		[JOB_MEASURE] = COMMAND_LEDGER,
		[JOB_REWRITE] = COMMAND_REWRITE,
		[JOB_SHOW_REWRITE] = COMMAND_REWRITE};
	static const char *const none[] = {NULL};
	bool typed = j->kind == JOB_LINT || j->kind == JOB_ESTIMATE;
	*o = s->opts;
	if (j->kind == JOB_EXPLAIN) { /* explain RULE has no options */
		*o = (struct cli_opts){.flags = none};
	}
	o->command = command[j->kind];
	array_push(&o->files, j->kind == JOB_EXPLAIN ? j->argument : j->path);
	o->format =
		j->kind == JOB_EXPLAIN || j->kind == JOB_SHOW_REWRITE ? FORMAT_TEXT : FORMAT_JSON;
	o->stdin_filename = typed ? j->path : NULL;
	o->typed = typed;
	o->estimate = j->kind == JOB_ESTIMATE;
	if (j->kind != JOB_LINT) {
		o->header_filter = NULL; /* for rewrite it would select headers to change */
	}
}

static int enter_directory(const struct server *s, const struct job *j)
{
	struct arena *a = arena_create();
	struct str beside = path_dir(str_of(j->path ? j->path : "/"));
	int rc = chdir(s->root ? s->root : arena_strndup(a, beside.p, beside.n));
	arena_free(a);
	return rc;
}

/* Does not return: the subcommand's supervisor and worker both exit here. */
static void child(struct server *s, struct job *j, int in, int err, pid_t parent)
{
	struct cli_opts o;
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGTERM);
	if (getppid() != parent || dup2(in, STDIN_FILENO) < 0 || dup2(j->out, STDOUT_FILENO) < 0 ||
		dup2(err, STDERR_FILENO) < 0) {
		_exit(EXIT_USAGE);
	}
	signal(SIGPIPE, SIG_DFL);
	fill_options(&o, s, j);
	msg_setup(false, false);
	msglog_forget(0);
	if (enter_directory(s, j) != 0) {
		msg_error("cannot enter the directory of the workspace: %s", strerror(errno));
		exit(EXIT_USAGE);
	}
	msglog_open();
	exit(s->start(&o));
}

static int text_file(struct str text)
{
	int fd = memfd_create("unphi-in", MFD_CLOEXEC);
	if (fd >= 0 && (!file_write_all(fd, text) || lseek(fd, 0, SEEK_SET) != 0)) {
		proc_close(&fd);
	}
	return fd;
}

/* Loads libclang once for all children. With -p each entry may need another libclang, so its child
 * loads it. */
static void load_once(struct server *s)
{
	if (!s->load_tried && !s->opts.build) {
		struct arena *a = arena_create();
		frontend_prefer(compiler_usual(a, s->opts.compiler), s->opts.no_cache);
		size_t mark = msglog_mark();
		frontend_load();
		msglog_forget(mark); /* the child repeats the messages */
		arena_free(a);
	}
	s->load_tried = true;
}

static void job_start(struct server *s, struct job *j)
{
	int err[2] = {-1, -1};
	load_once(s);
	int in = text_file(sbuf_str(&j->text.text));
	j->out = memfd_create("unphi-out", MFD_CLOEXEC);
	pid_t self = getpid();
	if (in >= 0 && j->out >= 0 && pipe2(err, O_CLOEXEC) == 0) {
		fcntl(err[0], F_SETFL, O_NONBLOCK);
		j->pid = fork();
		if (j->pid == 0) {
			child(s, j, in, err[1], self);
		}
	}
	if (j->pid <= 0) {
		j->pid = 0;
		j->ended = true;
		j->code = EXIT_USAGE;
		sbuf_addf(&j->said, "unphi: error: cannot start a process: %s\n", strerror(errno));
	}
#ifdef SYS_pidfd_open
	j->pidfd = j->pid > 0 ? (int)syscall(SYS_pidfd_open, j->pid, 0) : -1;
#endif
	proc_close(&in);
	proc_close(&err[1]);
	j->err = err[0];
}

/* ---- the results ---- */

/* The text of a message without the program's name, the level and the file. */
static struct str text_of(struct str line, const char *path)
{
	static const char *const before[] = {"unphi: ", "error: ", "note: ", "warning: ", NULL};
	for (size_t i = 0; before[i]; i++) {
		if (str_starts(line, before[i])) {
			line = str_sub(line, strlen(before[i]), line.n);
		}
	}
	if (path && str_starts(line, path)) {
		struct str rest = str_sub(line, strlen(path), line.n);
		line = str_starts(rest, ": ") ? str_sub(rest, 2, rest.n) : line;
	}
	return line;
}

struct str job_last_words(const struct job *j)
{
	struct str rest = sbuf_str(&j->said), line, last = {0};
	while (str_line(&rest, &line)) {
		last = str_starts(line, "unphi: ") || last.n == 0 ? text_of(line, j->path) : last;
	}
	return last;
}

/* Reads standard error. Notes are reported as progress. */
static void read_said(struct server *s, struct job *j)
{
	char bytes[4096];
	ssize_t n = 1;
	while (j->err >= 0 && n > 0) {
		n = read(j->err, bytes, sizeof(bytes));
		sbuf_add(&j->said, bytes, n > 0 && j->said.n < SAID_MAX ? (size_t)n : 0);
		if (n == 0) {
			proc_close(&j->err);
		}
	}
	for (;;) {
		struct str rest = str_sub(sbuf_str(&j->said), j->msglog_read, j->said.n), line;
		const char *end = rest.n ? memchr(rest.p, '\n', rest.n) : NULL;
		if (!end) {
			return;
		}
		line = str_sub(rest, 0, (size_t)(end - rest.p));
		j->msglog_read += line.n + 1;
		if (str_starts(line, "unphi: note: ")) {
			progress_report(s, j, text_of(line, j->path));
		}
	}
}

static void read_printed(struct job *j)
{
	char bytes[1 << 14];
	ssize_t n;
	if (lseek(j->out, 0, SEEK_SET) != 0) {
		return;
	}
	while ((n = read(j->out, bytes, sizeof(bytes))) > 0) {
		sbuf_add(&j->printed, bytes, (size_t)n);
	}
}

/* True if it has ended. */
static bool check_running(struct server *s, struct job *j)
{
	int status;
	pid_t got = j->pid > 0 ? waitpid(j->pid, &status, WNOHANG) : 0;
	read_said(s, j);
	if (got != j->pid || got == 0) {
		bool late = j->killed_at > 0 && proc_now_s() > j->killed_at + END_MS / 1000.0;
		if (late && j->pid > 0) {
			kill(j->pid, SIGKILL);
		}
		return false;
	}
	read_said(s, j);
	read_printed(j);
	j->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
	j->pid = 0;
	return true;
}

json_t *job_json(const struct job *j)
{
	return json_loadb(j->printed.p ? j->printed.p : "", j->printed.n, JSON_ALLOW_NUL, NULL);
}

static void start_some(struct server *s)
{
	unsigned running[2] = {0};
	array_each (&s->jobs, struct job *const, j) {
		running[is_heavy(*j)] += (*j)->pid > 0;
	}
	for (size_t i = 0; i < s->jobs.n && !s->ended; i++) {
		struct job *j = s->jobs.v[i];
		bool heavy = is_heavy(j);
		if (j->pid == 0 && !j->ended &&
			running[heavy] < (heavy ? HEAVY_JOBS : LIGHT_JOBS)) {
			job_start(s, j);
			running[heavy]++;
		}
	}
}

static void remove_ended(struct server *s)
{
	size_t kept = 0;
	for (size_t i = 0; i < s->jobs.n; i++) {
		struct job *j = s->jobs.v[i];
		if (j->ended) {
			job_free(j);
		} else {
			s->jobs.v[kept++] = j;
		}
	}
	s->jobs.n = kept;
}

static void job_done_once(struct server *s, struct job *j)
{
	if (j->ended && !j->cancelled) {
		progress_close(s, j, "done");
		j->done(s, j);
	}
}

void jobs_go_on(struct server *s)
{
	for (size_t i = 0; i < s->jobs.n; i++) { /* done may add jobs */
		struct job *j = s->jobs.v[i];
		if (!j->ended && j->pid > 0) {
			j->ended = check_running(s, j);
			job_done_once(s, j);
		}
	}
	remove_ended(s);
	start_some(s);
	for (size_t i = 0; i < s->jobs.n; i++) {
		struct job *j = s->jobs.v[i];
		job_done_once(s, j); /* it could not be started */
	}
	remove_ended(s);
}

void jobs_end(struct server *s)
{
	array_each (&s->jobs, struct job *const, j) {
		job_cancel(s, *j);
		(*j)->doc = NULL;
	}
	for (int tries = 0; s->jobs.n > 0 && tries < END_MS / 10; tries++) {
		jobs_go_on(s);
		poll(NULL, 0, s->jobs.n > 0 ? 10 : 0);
	}
	array_each (&s->jobs, struct job *const, j) {
		if ((*j)->pid > 0) {
			kill((*j)->pid, SIGKILL);
			waitpid((*j)->pid, NULL, 0);
		}
		(*j)->ended = true;
	}
	remove_ended(s);
	array_release(&s->jobs);
}
