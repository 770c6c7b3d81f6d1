#include "measure/compile/batch.h"

#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/process/watch.h"
#include "measure/compile/hipcc.h"
#include "measure/compile/part.h"

#define OUTPUT_MAX ((size_t)512 << 20)

static void add_step(
	struct compile_batch *b, enum step_kind kind, struct compile *c, const char *const *argv)
{
	const char *const *words = hipcc_command(b->a, &b->hipcc, c->job, c->words, argv);
	array_push(&b->steps, ((struct step){kind, c, words}));
}

/* ---- known compiles ---- */

/* A draft may use the result of a full compile, but not the other way round. */
static size_t find_same(const struct compile_batch *b, size_t index)
{
	const struct compile *c = &b->compile[index];
	for (size_t i = 0; c->key.n > 0 && i < index; i++) {
		const struct compile *o = &b->compile[i];
		bool serves = o->draft_key.n == 0 || str_eq(o->draft_key, c->draft_key);
		if (str_eq(o->key, c->key) && o->job->time_limit_s == c->job->time_limit_s &&
			serves) {
			return o->same_as;
		}
	}
	return index;
}

static struct str draft_key(struct arena *a, const struct compile *c)
{
	struct sbuf key = {0};
	if (c->key.n == 0 || !c->job->draft || c->job->in_places > 0 || c->ir) {
		return (struct str){0};
	}
	sbuf_addf(&key, "%.*sdraft\n", STR_ARG(c->key));
	for (const char *const *k = c->part ? c->job->only : NULL; k && *k; k++) {
		sbuf_addf(&key, "%s\n", *k);
	}
	return sbuf_finish(&key, a);
}

/* In the cache, or twice in the batch? */
static bool is_known(struct compile_batch *b, size_t index)
{
	struct compile *c = &b->compile[index];
	c->same_as = find_same(b, index);
	return c->same_as != index ||
	       compile_cache_get(&c->result, &c->stamps, b->kept, c->key, c->job) ||
	       compile_cache_get(&c->result, &c->stamps, b->kept, c->draft_key, c->job);
}

/* ---- steps ---- */

void measure_add_overlay(struct words *out, const struct measure_job *job)
{
	if (job->in_places > 0) {
		words_add(out, "-ivfsoverlay");
		words_add(out, job->overlay);
	}
}

/* The user's launcher (ccache) is used for compiles that it can cache: full compiles with equal
 * command lines. Not for drafts of some kernels, nor for linked code. */
static bool is_launched(const struct compile *c)
{
	return c->job->compiler->launcher && !c->linked && !c->part && !c->pch && !c->launcher_said;
}

/* Adds the launcher's and the compiler's words. The output is a file, since launchers do not cache
 * compiles to stdout. */
static void add_launched(struct words *argv, struct compile_batch *b, struct compile *c)
{
	c->written = compile_cache_new_path(b->kept, "out.s");
	const char *const *launcher = c->job->compiler->launcher;
	bool wants_c = str_is(path_base(str_of(launcher[0])), "sccache");
	words_add_all(argv, launcher);
	for (const char *const *w = c->words; *w; w++) {
		if (wants_c && strcmp(*w, "-S") == 0) {
			words_add(argv,
				"-c"); /* otherwise it does not see a compile; clang obeys -S */
		}
		bool out = c->written && strcmp(*w, "-o") == 0 && w[1] && strcmp(w[1], "-") == 0;
		words_add(argv, *w);
		if (out) {
			words_add(argv, c->written);
			w++;
		}
	}
}

static const char *const *rule_words(struct compile_batch *b, struct compile *c)
{
	return c->written ? compile_cache_launched_words(
				    b->kept, &c->rule, c->key, c->job->compiler->major)
			  : compile_cache_rule_words(b->kept, &c->rule);
}

/* The command with its file; more, or NULL, comes before the file. */
static struct words command(struct compile_batch *b, struct compile *c, const char *const *more)
{
	struct words argv = {{0}};
	if (is_launched(c)) {
		add_launched(&argv, b, c);
	} else if (c->pch) {
		pch_add_words(&argv, c->pch, c->words);
	} else {
		words_add_all(&argv, c->words);
	}
	words_add_all(&argv, more);
	if (c->linked) {
		words_add(&argv, "-o");
		words_add(&argv, c->linked);
	}
	if (c->key.n > 0) {
		words_add_all(&argv, rule_words(b, c));
	}
	measure_add_overlay(&argv, c->job);
	words_add(&argv, c->file);
	return argv;
}

static void add_whole(struct compile_batch *b, struct compile *c)
{
	struct words argv = command(b, c, NULL);
	add_step(b, STEP_WHOLE, c, words_finish(&argv, b->a));
}

static void add_compile(struct compile_batch *b, struct compile *c)
{
	static const char *const front[] = {"-emit-llvm", "-Xclang", "-disable-llvm-passes", NULL};
	if (!c->part) {
		add_whole(b, c);
		return;
	}
	struct words argv = command(b, c, front);
	add_step(b, STEP_FRONT, c, words_finish(&argv, b->a));
}

/* Adds the step once its header is ready, or has failed. */
static void add_with_header(struct compile_batch *b, struct compile *c)
{
	const char *copy = c->pch->path ? pch_text(b->kept, c->job) : NULL;
	c->pch = copy ? c->pch : NULL;
	c->file = copy ? copy : c->file;
	add_compile(b, c);
}

/* The driver's -### output for a compile; run once for equal words. */
static struct str driver_says(
	struct compile_batch *b, const struct compile *c, const char *const *words)
{
	struct sbuf key = {0};
	for (const char *const *w = words; *w; w++) {
		sbuf_addf(&key, "%s\n", *w);
	}
	const struct str *known = (const struct str *)map_get(&b->said, sbuf_str(&key), 0);
	if (!known) {
		struct str *said = ARENA_NEW(b->a, struct str);
		struct words argv = {{0}};
		struct proc_result r = {0};
		words_add_all(&argv, words);
		words_add(&argv, "-###");
		words_add(&argv, c->job->path);
		const char *const *asked = words_finish(&argv, b->a);
		struct proc_job job = {.argv = hipcc_command(b->a, &b->hipcc, c->job, words, asked),
			.ends_at_s = c->job->ends_at_s};
		proc_run(&r, &job);
		said->n = proc_ok(&r) ? r.err.n : 0;
		said->p = arena_strndup(b->a, sbuf_cstr(&r.err), said->n);
		proc_result_release(&r);
		const char *name = arena_strndup(b->a, sbuf_cstr(&key), key.n);
		map_set(&b->said, (struct str){name, key.n}, (uintptr_t)said);
		known = said;
	}
	sbuf_release(&key);
	return *known;
}

/* The driver's -### output, for the header search directories, which do not depend on the kind of
 * output. */
static struct str looks(struct compile_batch *b, const struct compile *c)
{
	const char *const *words = measure_words(b->a, c->job, false);
	struct str said;
	if (!compile_cache_said_get(&said, b->kept, c->job, words)) {
		said = driver_says(b, c, words);
		compile_cache_said_put(b->kept, c->job, words, said);
	}
	return said;
}

static void header_ended(struct compile_batch *b, struct compile *c, const struct proc_result *r)
{
	const struct pch *pch = c->pch;
	pch_finish(c->pch, b->kept, c->job, r, proc_ok(r) ? looks(b, c) : (struct str){0});
	for (size_t i = 0; i < b->n; i++) {
		if (b->compile[i].pch == pch) {
			add_with_header(b, &b->compile[i]);
		}
	}
}

/* Moves the last step to the front: the IR of a part waits in a file. */
static void hurry(struct compile_batch *b)
{
	struct step last = b->steps.v[b->steps.n - 1];

	memmove(&b->steps.v[b->begun + 1], &b->steps.v[b->begun],
		(b->steps.n - 1 - b->begun) * sizeof(last));
	b->steps.v[b->begun] = last;
}

/* Adds the step from the front end's IR to code; false if that is not possible. */
static bool add_part(struct compile_batch *b, struct compile *c, struct str ir)
{
	const char *path = compile_cache_new_path(b->kept, "part.ll");
	const char *const *words =
		path ? part_words(b->a, driver_says(b, c, c->words), path) : NULL;
	struct sbuf part = {0};
	bool ok = words && part_prune(&part, ir, c->job->only) &&
		  file_write_atomic(path, sbuf_str(&part)) == 0;
	sbuf_release(&part);
	if (ok) {
		c->part_ir = path;
		array_push(&b->steps, ((struct step){STEP_PART, c, words}));
		hurry(b);
	}
	return ok;
}

/* ---- results of steps ---- */

/* Replaces the name of the compiled copy by the job's file in messages. */
static void name_job(struct compile *c)
{
	struct sbuf err = {0};
	if (c->file != c->job->path) {
		sbuf_add_replaced(&err, sbuf_str(&c->result.err), c->file, c->job->path);
		sbuf_release(&c->result.err);
		c->result.err = err;
	}
}

static bool failed(const struct proc_result *r)
{
	return r->started && !r->timed_out && !proc_ok(r);
}

static void tell(const struct compile_batch *b)
{
	const struct measure_progress p = {.ended = b->ended,
		.of = b->run,
		.has_needed = b->needed == 0,
		.what = b->begun ? b->steps.v[b->begun - 1].compile->job->what : NULL};
	if (b->observer) {
		b->observer->compiled(b->observer->user, &p);
	}
}

/* Takes the linker's output in place of the compiler's. Several partitions give several files,
 * which are not one text. */
static void take_linked(struct compile_batch *b, struct compile *c)
{
	const char *text = arena_printf(b->a, "%s.lto.s", c->linked);
	const char *more = arena_printf(b->a, "%s.lto.1.s", c->linked);
	sbuf_reset(&c->result.out);
	if (!file_exists(more) && file_exists(text) && file_read(&c->result.out, text) != 0) {
		sbuf_reset(&c->result.out);
	}
	unlink(text);
}

static void take_written(struct compile *c)
{
	sbuf_reset(&c->result.out);
	/* a missing file has no metadata, which is reported */
	if (file_exists(c->written) && file_read(&c->result.out, c->written) != 0) {
		sbuf_reset(&c->result.out);
	}
	unlink(c->written);
}

/* Reports a launcher's failure once. The compiler ran without the launcher, so no result depends on
 * it. */
static void blame_launcher(const struct compile *c)
{
	static bool is_said;

	if (!is_said) {
		msg_note(
			"%s failed on code that the compiler compiles without it, and was not used "
			"there%s%-s",
			c->job->compiler->launcher[0], *c->launcher_said ? ": " : "",
			c->launcher_said);
	}
	is_said = true;
}

static void finish(struct compile_batch *b, struct compile *c, const struct proc_result *r)
{
	c->result = *r;
	if (c->written && proc_ok(r)) {
		take_written(c);
	}
	if (c->linked && proc_ok(r)) {
		take_linked(b, c);
	}
	c->result.wall_s += c->part ? c->front_s : 0;
	name_job(c);
	if (c->rule) {
		bool draft = c->pch || c->part;
		const struct compile_reads reads = {
			c->rule, proc_ok(r) ? looks(b, c) : (struct str){0}};
		compile_cache_put(&c->stamps, b->kept, draft ? c->draft_key : c->key, c->job,
			&reads, &c->result);
	}
	if (c->failed && proc_ok(r)) {
		pch_reject(c->failed);
	}
	if (c->launcher_said && proc_ok(r)) {
		blame_launcher(c);
	}
	b->ended++;
	b->needed -= c->job->needed && proc_ok(r);
	tell(b);
}

static void compile_without_header(struct compile_batch *b, struct compile *c)
{
	c->failed = c->pch ? c->pch : c->failed;
	c->pch = NULL;
	c->file = c->job->path;
	add_compile(b, c);
}

/* Adds the plain, full compile. */
static void compile_plainly(struct compile_batch *b, struct compile *c)
{
	c->part = false;
	c->written = NULL;
	compile_without_header(b, c);
}

/* If the launcher fails, the compiler runs without it: the launcher's server may be down, or it may
 * not support HIP. */
static void launch_no_more(struct compile_batch *b, struct compile *c, const struct proc_result *r)
{
	struct str rest = sbuf_str(&r->err), line = {0};
	str_line(&rest, &line);
	c->launcher_said = arena_strndup(b->a, line.p, line.n);
	if (c->written) {
		unlink(c->written);
	}
	compile_plainly(b, c);
	hurry(b);
}

/* Handles a step's end; takes over *r if it is a compile's result. */
static bool take(struct compile_batch *b, const struct step *s, const struct proc_result *r)
{
	struct compile *c = s->compile;
	switch (s->kind) {
	case STEP_HEADER:
		header_ended(b, c, r);
		return false;
	case STEP_FRONT:
		c->front_s = r->wall_s;
		if (proc_ok(r) && add_part(b, c, sbuf_str(&r->out))) {
			return false;
		}
		break;
	case STEP_PART:
		unlink(c->part_ir); /* there may be many, each of a hundred megabytes */
		break;
	case STEP_WHOLE:
		break;
	}
	bool unwritten = proc_ok(r) && c->written && !file_exists(c->written);
	if (s->kind == STEP_WHOLE && is_launched(c) && (failed(r) || !r->started || unwritten)) {
		launch_no_more(b, c, r);
		return false;
	}
	if (s->kind == STEP_FRONT && c->pch && failed(r)) {
		compile_without_header(b, c);
		return false;
	}
	bool plain = s->kind == STEP_WHOLE && !c->pch;
	if (!plain && (failed(r) || (s->kind == STEP_FRONT && proc_ok(r)))) {
		compile_plainly(b, c);
		return false;
	}
	finish(b, c, r);
	return true;
}

static void step_ended(void *user, size_t number, struct proc_result *r)
{
	struct compile_batch *b = user;
	struct step s = b->steps.v[number];
	if (!take(b, &s, r)) {
		proc_result_release(r);
	}
}

static bool next_step(void *user, struct proc_job *job, size_t *number)
{
	struct compile_batch *b = user;
	if (b->begun == b->steps.n) {
		return false;
	}
	const struct step *s = &b->steps.v[b->begun];
	*number = b->begun++;
	tell(b);
	*job = (struct proc_job){.argv = s->argv,
		.time_limit_s = s->compile->job->time_limit_s,
		.ends_at_s = s->compile->job->ends_at_s,
		.output_limit = OUTPUT_MAX,
		.memory = watch_memory(),
		.huge_pages = true,
		/* of several compiles the one whose messages are printed */
		.needed = s->compile->job->needed && s->kind == STEP_WHOLE && !s->compile->ir &&
			  !is_launched(s->compile)};
	return true;
}

/* Headers come first, as others wait for them. */
static void open_compile(struct compile_batch *b, size_t index)
{
	struct compile *c = &b->compile[index];
	const char *const *making = NULL;
	c->file = c->job->path;
	const char *lto = NULL;
	if (!c->ir && measure_may_link(c->job)) {
		const char *const *building = measure_building_words(b->a, c->job);
		lto = measure_driver_links(b->a, driver_says(b, c, building));
	}
	if (lto) {
		c->linked = compile_cache_new_path(b->kept, "linked");
	}
	c->words = c->linked ? measure_linking_words(b->a, c->job, lto)
			     : measure_words(b->a, c->job, c->ir);
	c->key = compile_cache_key(b->kept, c->job, c->words);
	c->part = c->job->only && c->job->draft && !c->ir && !c->linked && c->job->in_places == 0;
	c->draft_key = draft_key(b->a, c);
	c->cached = is_known(b, index);
	if (c->cached) {
		return;
	}
	b->run++;
	b->needed += c->job->needed;
	if (c->draft_key.n > 0 && (c->part || !is_launched(c))) {
		c->pch = pch_open(&b->headers, b->kept, c->job, c->words, &making);
	}
	if (making) {
		add_step(b, STEP_HEADER, c, making);
	}
}

static bool is_being_made(const struct compile_batch *b, const struct pch *pch)
{
	bool made = false;
	array_each (&b->steps, const struct step, s) {
		made |= s->kind == STEP_HEADER && s->compile->pch == pch;
	}
	return made;
}

void compile_batch_run(struct compile_batch *b, unsigned parallel)
{
	for (size_t i = 0; i < b->n; i++) {
		open_compile(b, i);
	}
	span_each (b->compile, b->n, struct compile, c) {
		if (!c->cached && !c->pch) {
			add_compile(b, c);
		} else if (!c->cached && !is_being_made(b, c->pch)) {
			add_with_header(b, c);
		}
	}
	tell(b);
	proc_run_from(&(struct proc_source){next_step, step_ended, b}, parallel);
}

void compile_batch_release(struct compile_batch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		proc_result_release(&b->compile[i].result);
	}
	pch_set_release(&b->headers);
	map_release(&b->said);
	map_release(&b->hipcc);
	array_release(&b->steps);
}
