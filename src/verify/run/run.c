/* Running the cases. verify.h says what comes out. */
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
	return r->exit_code == 0 ? RUN_OK : RUN_ERROR;
}

#define BUFFERS_AT ((uint64_t)0x200000000000u)

/* launch_cpu.hpp places buffer i so that it ends, but for its alignment, where a page does. */
static uint64_t buffer_start(const struct spec_case *c, uint64_t i)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t used = (spec_buffer_bytes(&c->buffer[i]) + 255) / 256 * 256;
	uint64_t size = (used + page - 1) / page * page;
	return BUFFERS_AT + (i << 33) + page + size - used;
}

/* The buffer that an address lies in or near. NULL when there is none. */
static const char *buffer_at(struct arena *a, const struct spec_case *c, uint64_t address)
{
	uint64_t i = (address - BUFFERS_AT) >> 33;
	if (address < BUFFERS_AT || i >= c->buffers) {
		return NULL;
	}
	uint64_t bytes = spec_buffer_bytes(&c->buffer[i]);
	uint64_t start = buffer_start(c, i);
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

/* What a run said, with addresses of buffers told by name. */
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

static void run_line(struct words *argv, struct verify *v, const struct program *p, size_t number,
	const char *out)
{
	const char *words[] = {
		p->path, arena_printf(v->a, "%zu", number), v->input[number], out, NULL};
	words_add_all(argv, words);
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

/* ---- machine code ---- */

static int digit(char c)
{
	return c >= 'a' ? c - 'a' + 10 : c - '0';
}

static struct str read_arguments(struct arena *a, struct str digits)
{
	char *p = arena_calloc(a, digits.n / 2 + 1, 1);
	for (size_t i = 0; i < digits.n / 2; i++) {
		p[i] = (char)(digit(digits.p[2 * i]) * 16 + digit(digits.p[2 * i + 1]));
	}
	return (struct str){p, digits.n / 2};
}

/* The buffers of a case, whose bytes stand at p one behind the other. */
static struct verify_piece *pieces_of(struct arena *a, const struct spec_case *c, char *p)
{
	struct verify_piece *piece = ARENA_ARRAY(a, struct verify_piece, c->buffers + 1);
	for (size_t i = 0; i < c->buffers; i++) {
		uint64_t bytes = spec_buffer_bytes(&c->buffer[i]);
		piece[i] = (struct verify_piece){buffer_start(c, i), (unsigned char *)p, bytes};
		p += bytes;
	}
	return piece;
}

static double own_cpu_s(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* The launcher has written the arguments, and the buffers as they were. */
static int run_machine(struct verify_run *run, const struct verify *v,
	const struct verify_source *source, const struct spec_case *c, struct str digits)
{
	const struct verify_machine *m = v->opts.machine;
	struct sbuf all = {0};
	double began = own_cpu_s();
	int rc = file_read(&all, run->output);
	if (rc == 0) {
		run->status = m->run(m->user, &run->said, source, c, read_arguments(v->a, digits),
			pieces_of(v->a, c, all.p));
		run->seconds = own_cpu_s() - began;
		rc = file_write_atomic(run->output, sbuf_str(&all));
	}
	sbuf_release(&all);
	return rc;
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
		msg_error("the GPU cannot be used: %s; '--on cpu' needs none", words);
		return FAIL_USAGE;
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

/* The source whose launcher packs the arguments. */
static const struct verify_source *packs(
	const struct verify_source *s, const struct verify_source *first)
{
	return verify_is_code(s) || s->launched_by_first ? first : s;
}

/* On a GPU one after the other, as they are timed. */
static int run_cases(struct verify *v, struct verify_run *run, const struct program *p,
	size_t programs, const struct verify_source *source, size_t n)
{
	const struct spec *s = v->opts.spec;
	struct batch b;
	int rc = 0;
	size_t *number = ARENA_ARRAY(v->a, size_t, n * s->n);
	batch_make(&b, v->a, n * s->n);
	b.n = 0;
	for (size_t i = 0; i < n * s->n; i++) {
		const struct program *of = program_of(
			p, programs, packs(&source[i / s->n], source), s->v[i % s->n].target);
		run[i] = (struct verify_run){.status = of->status, .said = of->said};
		if (of->ok && !source[i / s->n].launches_only) {
			run[i].program = of->path;
			run[i].output = arena_printf(v->a, "%s/%u.out", v->dir, v->runs++);
			run_line(&b.argv[b.n], v, of, i % s->n, run[i].output);
			number[b.n++] = i;
		}
	}
	batch_run(&b, run_limit(v), v->opts.gpu ? 1 : v->opts.parallel);
	for (size_t k = 0; rc == 0 && k < b.n; k++) {
		const struct spec_case *c = &s->v[number[k] % s->n];
		struct verify_run *one = &run[number[k]];
		rc = run_take(one, v, &b.result[k], c);
		if (rc == 0 && v->opts.machine && one->status == RUN_OK) {
			rc = run_machine(one, v, &source[number[k] / s->n], c,
				str_trim(sbuf_str(&b.result[k].out)));
		}
	}
	batch_release(&b);
	return rc;
}

int verify_run(
	struct verify_run **out, struct verify *v, const struct verify_source *source, size_t n)
{
	const struct spec *s = v->opts.spec;
	struct program *p = ARENA_ARRAY(v->a, struct program, n * v->targets);
	size_t programs = 0;
	for (size_t i = 0; i < n * v->targets; i++) {
		const struct verify_source *of = &source[i / v->targets];
		if (packs(of, source) == of) {
			p[programs++] = (struct program){.source = of,
				.target = v->target[i % v->targets],
				.dir = arena_printf(v->a, "%s/p%u", v->dir, v->runs++),
				.ok = true};
		}
	}
	int rc = build_programs(v, p, programs);
	if (rc) {
		return rc;
	}
	*out = ARENA_ARRAY(v->a, struct verify_run, n * s->n);
	return run_cases(v, *out, p, programs, source, n);
}
