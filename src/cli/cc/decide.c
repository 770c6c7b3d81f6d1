#include "cli/cc/decide.h"

#include <stdlib.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/process/pool.h"
#include "base/process/proc.h"
#include "base/words.h"
#include "cc/inputs.h"
#include "cc/line_directives.h"
#include "cc/stand_in.h"
#include "choose/choose.h"
#include "frontend/parse/flags.h"
#include "frontend/frontend.h"

enum {
	CHECK_LIMIT_S = 300,
	GRACE_S = 300 /* for the rest of a decision, besides its search */
};

struct work {
	const struct cc_deciding *d;
	struct arena *a;
	struct cli_opts opts;
	struct cli_targets targets;
	struct cc_inputs inputs;
	struct choice choice;
	struct cc_choice record;
	bool keep; /* all dependencies of the record are known */
};

/* In place of a reason: the messages have it. */
static const struct str see_messages = {"", 0};

static int refuse(struct work *w, struct str why)
{
	w->record.field[CC_WHY] = why;
	return -1;
}

static int find_targets(struct work *w)
{
	struct target_db *db = ARENA_NEW(w->a, struct target_db);
	int rc = target_db_builtin(db, w->a);

	rc = rc ? rc : flags_check_files(w->a, NULL, w->d->command->flags);
	return rc ? rc
		  : cli_targets_of(&w->targets, w->a, db, &(struct cli_gpus){0}, &w->opts,
			    w->d->command->flags, NULL);
}

static int find_inputs(struct work *w)
{
	const char **names = ARENA_ARRAY(w->a, const char *, w->targets.n + 1);

	for (size_t i = 0; i < w->targets.n; i++) {
		names[i] = w->targets.v[i]->name;
	}
	const char *why = cc_inputs_find(&w->inputs, w->a,
		&(struct cc_search){.command = w->d->command,
			.text = w->d->source,
			.flags = w->targets.flags,
			.targets = names,
			.before = w->d->started});
	w->keep = !why && w->inputs.stamps.n > 0;
	why = why ? why : w->inputs.doubt;
	return why ? refuse(w, str_of(why)) : 0;
}

static int choose(struct work *w)
{
	struct cli_choosing c = {.opts = &w->opts,
		.path = w->d->command->source,
		.source = w->d->source,
		.targets = &w->targets,
		.all_wide = true,
		.lazy = true,
		.clang = w->inputs.clang};
	int rc = cli_choose(&w->choice, w->a, &c);

	/* merges that we ran out of time for may be decided in the next run */
	w->keep = w->keep && (rc == 0 || (rc == FAIL_INPUT && w->opts.time_limit_s == 0));
	return rc ? refuse(w, see_messages) : 0;
}

/* The command with option and the kept flags, changed to only check the source and to list the
 * files that it reads. The search has compiled its text for each device, so only the host is
 * checked. A text from a lock file has not been compiled, so host and devices are checked. */
static const char *const *checking(struct work *w, const char *option)
{
	const struct cc_command *c = w->d->command;
	bool host = w->choice.after && option && w->record.field[CC_FLAGS].n == 0;
	const char *const *direct = host ? cc_inputs_host_check(&w->inputs, option) : NULL;
	struct words words = {{0}};

	if (direct) {
		return direct;
	}
	words_add(&words, c->argv[c->compiler]);
	if (option) {
		words_add(&words, option);
	}
	words_add_lines(&words, w->a, w->record.field[CC_FLAGS]);
	words_add(&words, "-fsyntax-only");
	words_add(&words, "-Wno-unused-command-line-argument");
	if (w->choice.after) {
		words_add(&words, "--cuda-host-only"); /* a flag of the command overrides it */
	}
	words_add_all(&words, c->flags);
	words_add_all(&words, cc_inputs_rule_words);
	words_add(&words, "-x");
	words_add(&words, "hip");
	words_add(&words, c->source);
	return words_finish(&words, w->a);
}

/* Checks that the command compiles with this option. */
static int check_command(struct work *w, const char *option, struct str why)
{
	struct proc_result r = {0};
	struct proc_job job = {
		.argv = checking(w, option), .time_limit_s = CHECK_LIMIT_S, .huge_pages = true};
	proc_run(&r, &job);
	bool ok = proc_ok(&r);
	if (ok) {
		cc_inputs_add(&w->inputs, sbuf_str(&r.out));
		w->keep = w->keep && w->inputs.stamps.n > 0;
		ok = !w->inputs.doubt;
		why = ok ? why : str_of(w->inputs.doubt);
	}
	proc_result_release(&r);
	if (!ok) {
		w->record.field[CC_FLAGS] = (struct str){0};
	}
	return ok ? 0 : refuse(w, why);
}

static int make_text(struct work *w, struct str after)
{
	struct sbuf text = {0};
	struct cc_stand_in overlay;

	if (!cc_line_directives_add(&text, w->a, w->d->source, after)) {
		return refuse(w, STR("it has #line directives of its own"));
	}
	struct str kept = sbuf_finish(&text, w->a);
	if (!cc_stand_in_keep(&overlay, w->a, w->d->cache, w->d->command->source, kept)) {
		return refuse(w, STR("its overlay cannot be written"));
	}
	const char *list = cache_file_find(w->d->cache, overlay.list);
	int rc = list ? check_command(w, arena_printf(w->a, "-ivfsoverlay%s", list),
				STR("the rewritten text does not compile with this command"))
		      : -1;
	if (rc == 0) {
		w->record.field[CC_TEXT] = kept;
		w->record.field[CC_KEPT] = str_of(overlay.text);
		w->record.field[CC_LIST] = str_of(overlay.list);
	}
	return rc;
}

/* Sets the text and the flags of the compile. flags: one per line. */
static int make(struct work *w, struct str after, struct str flags)
{
	w->record.field[CC_FLAGS] = flags;
	if (!str_eq(after, w->d->source)) {
		return make_text(w, after);
	}
	return flags.n ? check_command(w, NULL,
				 STR("the flags that would help do not work with this command"))
		       : 0;
}

static struct str kept_flags(struct work *w)
{
	struct sbuf b = {0};
	const struct flags_tried *f = &w->choice.flags;

	for (size_t i = 0; f->flag && f->outcome == OUTCOME_KEPT && f->flag[i]; i++) {
		sbuf_addf(&b, "%s\n", f->flag[i]);
	}
	return sbuf_finish(&b, w->a);
}

/* ---- the lock file ---- */

static int describe(struct work *w, struct cc_lock_use *use)
{
	struct compiler compiler;
	int rc = compiler_find(&compiler, w->a, w->opts.compiler,
		w->targets.n ? w->targets.v[0]->name : "", false);

	*use = (struct cc_lock_use){.lock = w->d->lock,
		.source = w->d->command->source,
		.text = w->d->source,
		.target = w->targets.v,
		.targets = w->targets.n,
		.flags = w->targets.flags,
		.includes = w->inputs.includes,
		.allow_flags = w->opts.allow_flags,
		.compiler = compiler.version};
	return rc ? refuse(w, see_messages) : 0;
}

/* Sets *known if the lock file decides. */
static int ask_lock(struct work *w, struct cc_lock_use *use, bool *known)
{
	struct sbuf text = {0};
	const struct cc_lock_entry *e = cc_lock_find(w->a, use);
	const char *why = e ? cc_lock_apply(&text, e) : NULL;

	why = e && !why ? cc_lock_differs(w->a, use, e) : why;
	*known = w->opts.frozen || (e && !why);
	struct str after = sbuf_finish(&text, w->a);
	if (!*known || !e) {
		return 0;
	}
	if (why) {
		return refuse(w, str_of(arena_printf(w->a, "its entry in %s is not valid: %s",
					 w->opts.lock, why)));
	}
	int rc = make(w, after, e->added);
	if (rc == 0) {
		w->record.field[CC_ENTRY] = e->raw;
		w->record.field[CC_GAINED] = str_of(arena_printf(w->a,
			"%zu merge%s rewritten%s, as %s says", e->merges, e->merges == 1 ? "" : "s",
			e->added.n ? ", flags added" : "", w->opts.lock));
	}
	return rc;
}

static void add_entry(struct work *w, const struct cc_lock_use *use)
{
	struct sbuf raw = {0};

	if (cc_lock_add_entry(&raw, w->a, use, &w->choice)) {
		w->record.field[CC_ENTRY] = arena_str(w->a, sbuf_str(&raw));
	}
	sbuf_release(&raw);
}

/* ---- for people ---- */

static const struct {
	enum metric metric;
	const char *name;
	bool more_is_better;
} figures[] = {
	{METRIC_VGPR_SPILL, "VGPR spills", false},
	{METRIC_SCRATCH, "scratch bytes", false},
	{METRIC_RESIDENT_WAVES, "waves", true},
	{METRIC_VGPR, "VGPRs", false},
};

enum {
	FIGURES = sizeof(figures) / sizeof(figures[0])
};

/* A kernel for a target, before and after. */
struct pair {
	const struct kernel_metrics *before, *after;
	const struct target *target;
};

/* The improvement of a figure; 0 if unknown. */
static int64_t gain_of(const struct pair *p, size_t figure)
{
	int64_t before = p->before->v[figures[figure].metric];
	int64_t after = p->after->v[figures[figure].metric];

	if (before == METRIC_ABSENT || after == METRIC_ABSENT) {
		return 0;
	}
	return figures[figure].more_is_better ? after - before : before - after;
}

/* Did x gain more than y, by the first figure in which they differ? */
static bool gains_more(const struct pair *x, const struct pair *y)
{
	for (size_t i = 0; i < FIGURES; i++) {
		int64_t a = gain_of(x, i), b = y->before ? gain_of(y, i) : 0;
		if (a != b) {
			return a > b;
		}
	}
	return false;
}

static bool gains(const struct pair *p)
{
	return gains_more(p, &(struct pair){0});
}

/* The reason of the first kept rewrite, for a result that gains in none of the figures. */
static void add_reason(struct sbuf *out, const struct work *w)
{
	for (size_t i = 0; i < w->choice.decisions; i++) {
		const struct decision *d = &w->choice.decision[i];
		for (size_t k = 0; d->rewritten && k < d->attempts; k++) {
			if (d->attempt[k].outcome == OUTCOME_KEPT && d->attempt[k].reason) {
				sbuf_addf(out, "; %s", d->attempt[k].reason);
				return;
			}
		}
	}
}

/* Names the kernel that gained most, and the number of others: a sum over kernels is
 * meaningless. */
static void add_gain(struct sbuf *out, const struct work *w)
{
	struct pair most = {0};
	size_t better = 0;

	for (size_t t = 0; w->choice.before && w->choice.after && t < w->targets.n; t++) {
		const struct measurement *m = &w->choice.before[t];
		for (size_t i = 0; i < m->kernels; i++) {
			struct pair p = {&m->kernel[i],
				measurement_kernel(&w->choice.after[t], m->kernel[i].symbol),
				w->targets.v[t]};
			if (p.after && gains(&p)) {
				better++;
				most = !most.before || gains_more(&p, &most) ? p : most;
			}
		}
	}
	if (!most.before) {
		add_reason(out, w);
		return;
	}
	sbuf_addf(out, "; %s for %s:", most.before->name, most.target->name);
	bool first = true;
	for (size_t i = 0; i < FIGURES; i++) {
		int64_t before = most.before->v[figures[i].metric];
		int64_t after = most.after->v[figures[i].metric];
		if (before != after && before != METRIC_ABSENT && after != METRIC_ABSENT) {
			sbuf_addf(out, "%s %s %lld -> %lld", first ? "" : ",", figures[i].name,
				(long long)before, (long long)after);
			first = false;
		}
	}
	if (better > 1) {
		sbuf_addf(out, "; %zu more kernel%s gained", better - 1, better == 2 ? "" : "s");
	}
}

static void say_gained(struct work *w)
{
	struct sbuf b = {0};
	size_t n = 0;

	for (size_t i = 0; i < w->choice.decisions; i++) {
		n += w->choice.decision[i].rewritten;
	}
	sbuf_addf(&b, "%zu merge%s rewritten%s", n, n == 1 ? "" : "s",
		w->record.field[CC_FLAGS].n ? ", flags added" : "");
	add_gain(&b, w);
	w->record.field[CC_GAINED] = sbuf_finish(&b, w->a);
}

static int decide(struct work *w)
{
	int rc = find_targets(w) ? refuse(w, see_messages) : 0;

	struct cc_lock_use use;
	bool known = false;

	rc = rc ? rc : find_inputs(w);
	if (rc == 0 && w->d->lock) {
		rc = describe(w, &use);
		rc = rc ? rc : ask_lock(w, &use, &known);
	}
	if (rc || known) {
		return rc;
	}
	rc = choose(w);
	struct str flags = kept_flags(w);
	if (rc || (!w->choice.changed && !flags.n)) {
		return rc;
	}
	rc = make(w, w->choice.text, flags);
	if (rc == 0) {
		say_gained(w);
	}
	if (rc == 0 && w->d->lock) {
		add_entry(w, &use);
	}
	return rc;
}

struct decided {
	const struct cc_deciding *d;
	struct arena *a;
	struct cc_choice *record;
	struct str *stamps;
	const char *dir; /* for temporary files; the parent removes it */
};

static int run(void *user, size_t index, struct sbuf *out)
{
	const struct cc_deciding *d = ((const struct decided *)user)->d;
	struct work w = {.d = d, .a = arena_create(), .opts = *d->opts};

	(void)index;
	/* with -### clang 15 does not remove its temporary directories */
	setenv("TMPDIR", ((const struct decided *)user)->dir, 1);
	msg_setup(true, false);
	w.opts.compiler = d->command->argv[d->command->compiler];
	w.opts.jobs = w.opts.jobs ? w.opts.jobs : 1;
	bool refused = decide(&w) != 0;
	if (w.keep) {
		sbuf_addstr(out, w.inputs.stamps);
	}
	sbuf_addc(out, '\n');
	cc_choice_pack(out, &w.record);
	cc_inputs_release(&w.inputs);
	arena_free(w.a);
	return refused && w.record.field[CC_WHY].n == 0 ? EXIT_INPUT : EXIT_CLEAN;
}

/* ---- in the parent ---- */

/* The first message, without its "unphi: error: ". */
static struct str first_message(struct arena *a, struct str err)
{
	static const char head[] = "error: ";
	size_t at = str_find(err, head, 0);
	size_t begin = at == SIZE_MAX ? 0 : at + sizeof(head) - 1;
	size_t end = str_find(err, "\n", begin);
	struct str text = str_trim(str_sub(err, begin, end));

	return text.n ? arena_str(a, text) : STR("the search for a rewrite failed");
}

static void done(void *user, const struct pool_result *r)
{
	struct decided *d = user;
	struct str entry = {arena_strndup(d->a, r->out.p ? r->out.p : "", r->out.n), r->out.n};
	size_t end = str_starts(entry, "\n") ? 0 : str_find(entry, "\n\n", 0) + 1;
	bool ended = !r->signal && !r->timed_out && entry.n > 0 && end < entry.n;

	if (!ended || !cc_choice_unpack(d->record, str_sub(entry, end + 1, entry.n))) {
		*d->record = (struct cc_choice){0};
		d->record->field[CC_WHY] = r->timed_out ? STR("it took too long to decide")
					   : r->signal	? STR("unphi crashed; please report it")
							: first_message(d->a, r->err);
		return;
	}
	if (r->exit_code != EXIT_CLEAN) {
		d->record->field[CC_WHY] = first_message(d->a, r->err);
	}
	*d->stamps = str_sub(entry, 0, end ? end + 1 : 0);
}

void cc_decide(
	struct cc_choice *out, struct str *stamps, struct arena *a, const struct cc_deciding *d)
{
	struct decided decided = {d, a, out, stamps, tmpdir_create()};
	double limit = d->opts->time_limit_s;
	struct pool pool = {.parallel = 1,
		.time_limit_s = limit > 0 ? limit + GRACE_S : 0,
		.user = &decided,
		.run = run,
		.done = done};

	*out = (struct cc_choice){0};
	*stamps = (struct str){"", 0};
	frontend_prefer(d->command->argv[d->command->compiler], d->opts->no_cache);
	if (!decided.dir || pool_run(&pool, 1) != 0) {
		out->field[CC_WHY] = STR("no process could be started");
	}
}
