/* Runs trials; trial.h is the interface. */
#include "verify/init/trial.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "verify/run/build.h"

#define TRIAL_LIMIT_S 60.0 /* wall time; launch_trial.hpp limits CPU time */

/* The header of the input, read by launch_trial.hpp. */
struct head {
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t lds;
	uint32_t wave_size;
	uint64_t buffers;
	uint64_t numbers;
	uint64_t limit_ms;
	uint64_t stores;
	uint64_t bytes[TRIAL_BUFFERS];
	struct trial_number number[TRIAL_NUMBERS];
};

/* The content of a buffer's file: most launches change only one of these. */
struct filled {
	enum element_type type;
	struct fill with;
	struct sbuf text;
	size_t bytes; /* of the file; 0: there is none */
};

struct trials {
	struct verify *v;
	struct program program;
	struct filled filled[TRIAL_BUFFERS];
};

/* Are the fills equal except for the length? */
static bool same_fill(const struct fill *x, const struct fill *y)
{
	return x->kind == y->kind && x->at == y->at && x->byte == y->byte && x->low == y->low &&
	       x->high == y->high && x->whole_low == y->whole_low &&
	       x->whole_high == y->whole_high && x->seed == y->seed && str_eq(x->bytes, y->bytes);
}

/* Writes a file that is read once and soon, so it is not synced. */
static int write_input(const char *path, const struct str *part, size_t n)
{
	FILE *f = fopen(path, "wb");
	bool ok = f != NULL;
	for (size_t i = 0; ok && i < n; i++) {
		ok = fwrite(part[i].p, 1, part[i].n, f) == part[i].n;
	}
	ok = f && fclose(f) == 0 && ok;
	if (!ok) {
		msg_error("%s: cannot be written: %s", path, strerror(errno));
	}
	return ok ? 0 : FAIL_USAGE;
}

/* The pages of buffer i, with zeros before and after it. */
static int write_buffer(const char *path, struct filled *f, const struct spec_case *c, size_t i)
{
	static const char zeros[1 << 16];
	const struct spec_buffer *b = &c->buffer[i];
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes = spec_buffer_bytes(b);
	size_t lead = run_buffer_start(c, i) % page;
	bool same = f->type == b->type && same_fill(&f->with, b->fill);
	if (same && f->bytes == bytes) {
		return 0;
	}
	if (!same) {
		sbuf_reset(&f->text);
		f->type = b->type;
		f->with = b->fill[0];
	}
	spec_buffer_fill_from(&f->text, b, f->text.n / element_size(b->type));
	f->bytes = bytes;
	return write_input(path,
		(const struct str[]){{zeros, lead}, str_sub(sbuf_str(&f->text), 0, bytes),
			{zeros, (page - (lead + bytes) % page) % page}},
		3);
}

int trials_open(struct trials **out, const char **said, struct arena *a,
	const struct verify_opts *opts, const struct verify_source *source)
{
	struct trials *t = ARENA_NEW(a, struct trials);
	struct verify_opts with = *opts;
	with.trials = true;
	int rc = verify_open(&t->v, a, &with);
	t->program = (struct program){.source = source,
		.target = opts->spec->v[0].target,
		.dir = rc ? NULL : arena_printf(a, "%s/p%u", t->v->dir, t->v->runs++),
		.ok = true};
	rc = rc ? rc : build_programs(t->v, &t->program, 1);
	*said = t->program.ok || rc ? "" : t->program.said;
	*out = t;
	return rc;
}

static void write_head(struct sbuf *out, const struct trial *what)
{
	const struct spec_case *c = what->c;
	struct head h = {.lds = c->lds,
		.wave_size = c->wave_size,
		.buffers = c->buffers,
		.numbers = what->numbers,
		.limit_ms = what->limit_ms,
		.stores = what->stores};
	if (c->buffers > TRIAL_BUFFERS || what->numbers > TRIAL_NUMBERS) {
		BUG("a trial has %zu buffers and %zu numbers", c->buffers, what->numbers);
	}
	for (size_t i = 0; i < 3; i++) {
		h.grid[i] = c->grid.v[i];
		h.block[i] = c->block.v[i];
	}
	for (size_t i = 0; i < c->buffers; i++) {
		h.bytes[i] = spec_buffer_bytes(&c->buffer[i]);
	}
	for (size_t i = 0; i < what->numbers; i++) {
		h.number[i] = what->number[i];
	}
	sbuf_add(out, &h, sizeof(h));
}

static void read_compared(struct trial_result *out, struct arena *a, const char *path)
{
	ARRAY(struct trial_pair) pairs = {0};
	struct sbuf text = {0};
	struct str line;
	out->cpu_ms = -1;
	if (file_exists(path) && file_read(&text, path) == 0) {
		struct str rest = sbuf_str(&text);
		struct str first = {0};
		bool any = str_line(&rest, &first);
		out->cpu_ms = any && str_to_i64(first, &out->cpu_ms) ? out->cpu_ms : -1;
		while (str_line(&rest, &line)) {
			struct trial_pair p;
			struct str word[2];
			if (str_split(&line, ' ', &word[0]) && str_to_i64(word[0], &p.place) &&
				str_split(&line, ' ', &word[1]) && str_to_i64(word[1], &p.a) &&
				str_to_i64(line, &p.b)) {
				array_push(&pairs, p);
			}
		}
	}
	array_move(out->pair, out->pairs, a, &pairs);
	sbuf_release(&text);
	unlink(path);
}

/* Writes the launch to a file, and the buffers that changed to theirs. */
static int write_trial(const char *path, struct trials *t, const struct trial *what)
{
	struct sbuf in = {0};
	write_head(&in, what);
	int rc = write_input(path, (const struct str[]){sbuf_str(&in)}, 1);
	for (size_t i = 0; rc == 0 && i < what->c->buffers; i++) {
		rc = write_buffer(
			arena_printf(t->v->a, "%s.%zu", path, i), &t->filled[i], what->c, i);
	}
	sbuf_release(&in);
	return rc;
}

int trial_run(struct trial_result *out, struct trials *t, const struct trial *what)
{
	struct verify *v = t->v;
	const char *path = arena_printf(v->a, "%s/trial.in", v->dir);
	const char *output = arena_printf(v->a, "%s/trial%u.out", v->dir, v->runs++);
	int rc = write_trial(path, t, what);
	*out = (struct trial_result){0};
	if (rc) {
		return rc;
	}
	const char *argv[] = {
		t->program.path, arena_printf(v->a, "%zu", what->program), path, output, NULL};
	struct proc_job job = {.argv = argv, .time_limit_s = TRIAL_LIMIT_S};
	struct proc_result r;
	proc_run(&r, &job);
	out->run.output = output;
	rc = run_take(&out->run, v, &r, what->c);
	proc_result_release(&r);
	read_compared(out, v->a, arena_printf(v->a, "%s.compared", output));
	return rc;
}

/* Reads "LANES OF WAVES OF", and a line for each fault shown. */
static void read_seen(struct trial_seen *out, struct arena *a, bool *seen, const char *path,
	const unsigned *number, size_t n)
{
	struct sbuf text = {0};
	struct str line;
	size_t at = 0;
	if (file_read(&text, path) != 0) {
		return;
	}
	struct str rest = sbuf_str(&text);
	if (str_line(&rest, &line)) {
		sscanf(arena_strndup(a, line.p, line.n), "%zu %zu %zu %zu", &out->lanes[0],
			&out->lanes[1], &out->waves[0], &out->waves[1]);
	}
	struct str word;
	bool any = str_line(&rest, &line);
	for (size_t i = 0; any && i < TRIAL_BUFFERS && str_split(&line, ' ', &word); i++) {
		int64_t bytes = 0;
		str_to_i64(word, &bytes);
		out->bytes[i] = (size_t)bytes;
	}
	int64_t tried = 0;
	if (str_line(&rest, &line) && str_to_i64(line, &tried)) {
		out->tried = (size_t)tried;
	}
	while (str_line(&rest, &line)) {
		int64_t fault = 0;
		str_to_i64(line, &fault);
		while (at < n && number[at] != fault) {
			at++;
		}
		if (at < n) {
			seen[at] = true;
		}
	}
	sbuf_release(&text);
}

int trial_see(struct trial_seen *out, bool *seen, struct trials *t, const struct trial *what,
	const unsigned *number, size_t n)
{
	struct verify *v = t->v;
	struct words argv = {{0}};
	const char *path = arena_printf(v->a, "%s/trial.in", v->dir);
	const char *output = arena_printf(v->a, "%s/trial.seen", v->dir);
	int rc = write_trial(path, t, what);
	*out = (struct trial_seen){.status = RUN_ERROR, .said = ""};
	if (rc) {
		return rc;
	}
	const char *own[] = {
		t->program.path, arena_printf(v->a, "%zu", what->program), path, output, NULL};
	words_add_all(&argv, own);
	for (size_t i = 0; i < n; i++) {
		words_add(&argv, arena_printf(v->a, "%u", number[i]));
	}
	struct proc_job job = {
		.argv = words_finish(&argv, v->a), .time_limit_s = 10 * TRIAL_LIMIT_S};
	struct proc_result r;
	proc_run(&r, &job);
	if (proc_ok(&r)) {
		out->status = RUN_OK;
		read_seen(out, v->a, seen, output, number, n);
	} else {
		out->said = words_of(v->a, &r);
	}
	proc_result_release(&r);
	return 0;
}

double trials_runner_s(const struct trials *t)
{
	return t->v->runner_cpu_s;
}

void trials_close(struct trials *t)
{
	for (size_t i = 0; t && i < TRIAL_BUFFERS; i++) {
		sbuf_release(&t->filled[i].text);
	}
}

void trial_forget(const struct trial_result *r)
{
	if (r->run.output) {
		unlink(r->run.output);
	}
}
