#include "choose/judge/bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/process/proc.h"
#include "choose/judge/compile.h"

#define RUN_LIMIT_S 120.0
#define SH_NOT_FOUND 127

struct command {
	const char *const *argv;
	double *time; /* the times so far */
	size_t times;
};

static bool is_word(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '_' || c == '.';
}

bool bench_number(double *out, struct str printed)
{
	struct sbuf text = {0};
	double last = 0;
	sbuf_addstr(&text, printed);
	const char *begin = sbuf_cstr(&text);
	for (const char *p = begin; *p;) {
		size_t digits = strspn(p, "0123456789");
		bool starts = digits || (*p == '.' && p[1] >= '0' && p[1] <= '9');
		if (!starts || (p > begin && is_word(p[-1]))) {
			p++;
			continue;
		}
		char *end;
		double value = strtod(p, &end);
		/* a minus directly after a word is a dash */
		bool negative = p > begin && p[-1] == '-' && (p == begin + 1 || !is_word(p[-2]));
		last = negative ? -value : value;
		p = end;
	}
	sbuf_release(&text);
	*out = last;
	return last > 0 && isfinite(last);
}

static const char *filled_in(struct arena *a, const char *command, const char *path)
{
	struct sbuf b = {0};
	const char *at;
	for (; (at = strstr(command, "{}")); command = at + 2) {
		sbuf_add(&b, command, (size_t)(at - command));
		sbuf_add_shell(&b, str_of(path));
	}
	sbuf_adds(&b, command);
	return sbuf_finish(&b, a).p;
}

static int make_command(struct command *out, struct state *s, struct str text)
{
	const char *path = state_write_text(s, text);
	if (!path) {
		return FAIL_USAGE;
	}
	struct str dir = path_dir(str_of(s->job->path));
	char *full = realpath(arena_strndup(s->a, dir.p, dir.n), NULL);
	const char *argv[] = {"env", arena_printf(s->a, "UNPHI_SOURCE=%s", path),
		arena_printf(s->a, "UNPHI_DIR=%s", full ? full : "."), "sh", "-c",
		filled_in(s->a, s->job->bench, path), NULL};
	free(full);
	*out = (struct command){.argv = arena_memdup(s->a, argv, sizeof(argv)),
		.time = ARENA_ARRAY(s->a, double, (size_t)s->job->settings->bench_runs)};
	return 0;
}

/* The failure of a run in one line, or NULL. */
static const char *failure(struct arena *a, const struct proc_result *r)
{
	struct str rest = str_trim(sbuf_str(&r->err));
	struct str line = {0};
	while (str_line(&rest, &line)) {
	}
	const char *said = arena_printf(a, "%s%.*s", line.n ? ": " : "", STR_ARG(line));
	double unused;
	if (!r->started) {
		return arena_printf(a, "it cannot be started: %s", strerror(r->start_errno));
	}
	if (r->timed_out) {
		return arena_printf(a, "it was ended after %.0f s", r->wall_s);
	}
	if (r->signal) {
		return arena_printf(a, "signal %d ended it%s", r->signal, said);
	}
	if (r->exit_code) {
		return arena_printf(a, "exit code %d%s", r->exit_code, said);
	}
	return bench_number(&unused, sbuf_str(&r->out))
		       ? NULL
		       : "the last thing it prints is not a number above 0";
}

static int run_once(struct command *c, struct bench_time *t, const struct state *s)
{
	double limit = s->job->bench_limit_s > 0 ? s->job->bench_limit_s : RUN_LIMIT_S;
	struct proc_job job = {.argv = c->argv, .time_limit_s = limit};
	struct proc_result r = {0};
	int rc = 0;
	proc_run(&r, &job);
	t->why = failure(s->a, &r);
	if (!t->why) {
		bench_number(&c->time[c->times++], sbuf_str(&r.out));
	} else if (r.started && !r.signal && !r.timed_out && r.exit_code == SH_NOT_FOUND) {
		rc = fail_usage("--bench '%s': %-s", s->job->bench, t->why);
	}
	proc_result_release(&r);
	return rc;
}

static int say_failure(const struct state *s, const char *why)
{
	return fail_input("--bench '%s' does not time the source: %s", s->job->bench, why);
}

int bench_check(struct state *s)
{
	struct command c;
	struct bench_time t;
	int rc = make_command(&c, s, s->text);
	rc = rc ? rc : run_once(&c, &t, s);
	return rc == 0 && t.why ? say_failure(s, t.why) : rc;
}

static int by_size(const void *x, const void *y)
{
	double a = *(const double *)x;
	double b = *(const double *)y;
	return (a > b) - (a < b);
}

int bench_run(struct bench_time *out, struct state *s, const struct str *text, size_t n)
{
	struct command *c = ARENA_ARRAY(s->a, struct command, n);
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		out[i] = (struct bench_time){0};
		rc = make_command(&c[i], s, text[i]);
	}
	for (int64_t k = 0; rc == 0 && k < s->job->settings->bench_runs; k++) {
		if (k > 0 && state_is_late(s)) {
			break;
		}
		for (size_t i = 0; rc == 0 && i < n; i++) {
			rc = out[i].why ? 0 : run_once(&c[i], &out[i], s);
		}
	}
	for (size_t i = 0; rc == 0 && i < n; i++) {
		if (!out[i].why) {
			qsort(c[i].time, c[i].times, sizeof(double), by_size);
			out[i].median = c[i].time[c[i].times / 2];
		}
	}
	return rc == 0 && out[0].why ? say_failure(s, out[0].why) : rc;
}

void bench_judge(struct attempt *at, struct state *s, const struct bench_time *source,
	const struct bench_time *candidate)
{
	double least = (double)s->job->settings->bench_min_gain;
	if (candidate->why) {
		at->outcome = OUTCOME_UNKNOWN;
		at->reason = arena_printf(s->a, "--bench fails on it: %s", candidate->why);
		return;
	}
	double percent = (candidate->median / source->median - 1) * 100;
	at->outcome = percent <= -least ? OUTCOME_BETTER
		      : percent < least ? OUTCOME_EQUAL
					: OUTCOME_WORSE;
	at->reason = arena_printf(s->a, "--bench: %.4g -> %.4g (%+.1f %%)", source->median,
		candidate->median, percent);
}
