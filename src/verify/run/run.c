/* Runs the cases; verify.h is the interface. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "measure/object.h"
#include "verify/run/build.h"

#define RUN_LIMIT_S 120.0
#define LAUNCHER_NO_GPU 4 /* launch_gpu.hpp's exit code */

static int write_inputs(struct verify *v)
{
	const struct spec *s = v->opts.spec;
	struct sbuf b = {0};
	int rc = 0;
	v->input = ARENA_ARRAY(v->a, const char *, s->n);
	for (size_t i = 0; rc == 0 && i < s->n; i++) {
		sbuf_reset(&b);
		for (size_t k = 0; k < s->v[i].buffers; k++) {
			spec_buffer_fill(&b, &s->v[i].buffer[k]);
		}
		v->input[i] = arena_printf(v->a, "%s/%zu.in", v->dir, i);
		rc = file_write_atomic(v->input[i], sbuf_str(&b));
	}
	sbuf_release(&b);
	return rc;
}

/* The targets of the cases, each once. */
static void find_targets(struct verify *v)
{
	const struct spec *s = v->opts.spec;
	v->target = ARENA_ARRAY(v->a, const struct target *, s->n);
	for (size_t i = 0; i < s->n; i++) {
		bool known = false;
		for (size_t k = 0; k < v->targets; k++) {
			known |= v->target[k] == s->v[i].target;
		}
		if (!known) {
			v->target[v->targets++] = s->v[i].target;
		}
	}
}

int verify_open(struct verify **out, struct arena *a, const struct verify_opts *opts)
{
	struct verify *v = ARENA_NEW(a, struct verify);
	*v = (struct verify){.a = a, .opts = *opts, .dir = tmpdir_create()};
	find_targets(v);
	int rc = v->dir ? build_open(v) : FAIL_USAGE;
	rc = rc ? rc : write_inputs(v);
	*out = v;
	return rc;
}

const char *verify_compiler(const struct verify *v)
{
	return v->compiler;
}

double run_limit(const struct verify *v)
{
	return v->opts.run_limit_s > 0 ? v->opts.run_limit_s : RUN_LIMIT_S;
}

/* ---- runs ---- */

static enum run_status status_of(const struct proc_result *r)
{
	if (r->timed_out) {
		return RUN_TIMEOUT;
	}
	if (!r->started || r->signal) {
		return RUN_CRASH;
	}
	if (r->exit_code == 0) {
		return RUN_OK;
	}
	return str_find(sbuf_str(&r->err), VERIFY_NO_MODEL, 0) == SIZE_MAX ? RUN_ERROR
									   : RUN_UNKNOWN;
}

#define BUFFERS_AT ((uint64_t)0x200000000000u)

uint64_t run_buffer_start(const struct spec_case *c, uint64_t i)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t used = (spec_buffer_bytes(&c->buffer[i]) + 255) / 256 * 256;
	uint64_t size = (used + page - 1) / page * page;
	return BUFFERS_AT + (i << 33) + page + size - used;
}

/* The buffer in or near which an address is; or NULL. */
static const char *buffer_at(struct arena *a, const struct spec_case *c, uint64_t address)
{
	uint64_t i = (address - BUFFERS_AT) >> 33;
	if (address < BUFFERS_AT || i >= c->buffers) {
		return NULL;
	}
	uint64_t bytes = spec_buffer_bytes(&c->buffer[i]);
	uint64_t start = run_buffer_start(c, i);
	if (address < start) {
		return arena_printf(a, "%llu bytes before buffer '%s'",
			(unsigned long long)(start - address), c->buffer[i].name);
	}
	if (address < start + bytes) {
		return arena_printf(a, "byte %llu of buffer '%s'",
			(unsigned long long)(address - start), c->buffer[i].name);
	}
	return arena_printf(a, "%llu bytes past the end of buffer '%s'",
		(unsigned long long)(address - start - bytes), c->buffer[i].name);
}

/* A run's message, with addresses in buffers replaced by names. */
static const char *words_of_run(
	struct arena *a, const struct proc_result *r, const struct spec_case *c, bool on_gpu)
{
	static const char mark[] = "at address ";
	const char *words = words_of(a, r);
	const char *at = strstr(words, mark);
	const char *where = NULL;
	if (at && !on_gpu) {
		at += sizeof(mark) - 1;
		where = buffer_at(a, c, strtoull(at, NULL, 16));
	}
	return where ? arena_printf(a, "%s\nnote: that is %s", words, where) : words;
}

bool verify_is_race(const char *said)
{
	return strstr(said, "error: race ") && !strstr(said, "error: race within a wave");
}

bool verify_is_code(const struct verify_source *s)
{
	return str_ends(str_of(s->path), ".s") || object_is_binary(s->text);
}

static const struct program *program_of(
	const struct program *p, size_t n, const struct verify_source *s, const struct target *t)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i].source == s && p[i].target == t) {
			return &p[i];
		}
	}
	BUG("no program was made for %s and %s", s->path, t->name);
}

void run_words(struct words *argv, const struct verify *v, const char *program, size_t number,
	const char *output)
{
	const char *words[] = {
		program, arena_printf(v->a, "%zu", number), v->input[number], output, NULL};
	words_add_all(argv, words);
	if (v->opts.races != RACES_ERROR && !v->opts.gpu) {
		words_add(argv, v->opts.races == RACES_ALLOWED ? "-R" : "-r");
	}
}

static void run_line(
	struct words *argv, struct verify *v, const struct verify_run *run, size_t number)
{
	run_words(argv, v, run->program, number, run->output);
}

/* "gpu NAME" and "ms MEDIAN LEAST MOST RUNS", as launch_gpu.hpp prints them. */
static void read_times(struct verify_run *run, struct arena *a, const struct proc_result *r)
{
	struct str rest = sbuf_str(&r->out);
	struct str line;
	while (str_line(&rest, &line)) {
		if (str_starts(line, "gpu ")) {
			run->gpu = arena_strndup(a, line.p + 4, line.n - 4);
		} else if (str_starts(line, "ms ")) {
			const char *text = arena_strndup(a, line.p, line.n);
			struct verify_times *t = &run->times;
			if (sscanf(text, "ms %lf %lf %lf %u", &t->median, &t->least, &t->most,
				    &t->runs) != 4) {
				BUG("a launcher wrote '%s'", text);
			}
		}
	}
}

int run_take(struct verify_run *run, const struct verify *v, const struct proc_result *r,
	const struct spec_case *c)
{
	bool on_gpu = v->opts.gpu != NULL;
	if (on_gpu && r->started && !r->signal && !r->timed_out &&
		r->exit_code == LAUNCHER_NO_GPU) {
		const char *words = words_of(v->a, r);
		const char *mark = "error: ";
		words += strncmp(words, mark, strlen(mark)) == 0 ? strlen(mark) : 0;
		return fail_usage("the GPU cannot be used: %s; '--on cpu' needs none", words);
	}
	run->status = status_of(r);
	run->said = run->status == RUN_OK ? "" : words_of_run(v->a, r, c, on_gpu);
	run->seconds = r->wall_s;
	if (on_gpu) {
		read_times(run, v->a, r);
	}
	const char *arms = arena_printf(v->a, "%s.arms", run->output);
	arms_read(run, v->a, arms);
	unlink(arms);
	return 0;
}

/* The source whose launcher packing_source the arguments. */
static const struct verify_source *packing_source(
	const struct verify_source *s, const struct verify_source *first)
{
	return verify_is_code(s) || s->launched_by_first ? first : s;
}

/* Lists the cases to run, and names their outputs. Returns their number. */
static size_t list_runs(size_t *number, struct verify *v, struct verify_run *run,
	const struct program *p, size_t programs, const struct verify_source *source, size_t n)
{
	const struct spec *s = v->opts.spec;
	size_t listed = 0;
	for (size_t i = 0; i < n * s->n; i++) {
		const struct program *of = program_of(p, programs,
			packing_source(&source[i / s->n], source), s->v[i % s->n].target);
		run[i] = (struct verify_run){.status = of->status, .said = of->said};
		if (of->ok && !source[i / s->n].launches_only) {
			run[i].program = of->path;
			run[i].output = arena_printf(v->a, "%s/%u.out", v->dir, v->runs++);
			number[listed++] = i;
		}
	}
	return listed;
}

/* Runs programs. On a GPU they run one at a time, since they are timed. */
static int run_programs(struct verify *v, struct verify_run *run, const size_t *number, size_t n)
{
	const struct spec *s = v->opts.spec;
	struct batch b;
	int rc = 0;
	batch_make(&b, v->a, n);
	for (size_t k = 0; k < n; k++) {
		run_line(&b.argv[k], v, &run[number[k]], number[k] % s->n);
	}
	batch_run(&b, run_limit(v), v->opts.gpu ? 1 : v->opts.parallel);
	for (size_t k = 0; rc == 0 && k < n; k++) {
		rc = run_take(&run[number[k]], v, &b.result[k], &s->v[number[k] % s->n]);
	}
	batch_release(&b);
	return rc;
}

static int run_cases(struct verify *v, struct verify_run *run, const struct program *p,
	size_t programs, const struct verify_source *source, size_t n)
{
	size_t cases = v->opts.spec->n;
	size_t *number = ARENA_ARRAY(v->a, size_t, n *cases);
	size_t listed = list_runs(number, v, run, p, programs, source, n);
	int rc = v->opts.machine ? 0 : run_programs(v, run, number, listed);
	for (size_t k = 0; v->opts.machine && rc == 0 && k < listed; k++) {
		rc = run_machine(&run[number[k]], v, &source[number[k] / cases], number[k] % cases);
	}
	return rc;
}

/* The launcher that packing_source the original's arguments is built once. */
static const struct program *packer_for(
	const struct verify *v, const struct verify_source *source, const struct target *t)
{
	const struct program *p = v->packer;
	while (p && (p->target != t || strcmp(p->source->path, source->path) != 0 ||
			    !str_eq(p->source->text, source->text))) {
		p = p->next;
	}
	return p;
}

static void keep_packer(struct verify *v, const struct program *p)
{
	struct program *kept = arena_memdup(v->a, p, sizeof(*p));
	struct verify_source *of = ARENA_NEW(v->a, struct verify_source);
	of->path = arena_strdup(v->a, p->source->path);
	of->text = arena_str(v->a, p->source->text);
	kept->source = of;
	kept->made = true;
	kept->next = v->packer;
	v->packer = kept;
}

int verify_run(
	struct verify_run **out, struct verify *v, const struct verify_source *source, size_t n)
{
	const struct spec *s = v->opts.spec;
	struct program *p = ARENA_ARRAY(v->a, struct program, n * v->targets);
	size_t programs = 0;
	for (size_t i = 0; i < n * v->targets; i++) {
		const struct verify_source *of = &source[i / v->targets];
		const struct target *t = v->target[i % v->targets];
		if (packing_source(of, source) == of) {
			const struct program *kept = packer_for(v, of, t);
			p[programs] = kept ? *kept
					   : (struct program){.target = t,
						     .dir = arena_printf(
							     v->a, "%s/p%u", v->dir, v->runs++),
						     .ok = true};
			p[programs++].source = of;
		}
	}
	int rc = build_programs(v, p, programs);
	if (rc) {
		return rc;
	}
	for (size_t i = 0; v->opts.machine && i < programs; i++) {
		if (p[i].ok && p[i].source->launches_only &&
			!packer_for(v, p[i].source, p[i].target)) {
			keep_packer(v, &p[i]);
		}
	}
	*out = ARENA_ARRAY(v->a, struct verify_run, n * s->n);
	return run_cases(v, *out, p, programs, source, n);
}
