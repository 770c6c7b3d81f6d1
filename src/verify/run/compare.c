/* Compares the outputs of two runs; verify.h is the interface. */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "verify/run/build.h"

/* Compares one buffer; before and after are its bytes. */
static void compare_buffer(struct verify_result *r, struct arena *a, const struct spec_buffer *b,
	const char *before, const char *after)
{
	size_t size = element_size(b->type);
	r->compared += b->length;
	if (memcmp(before, after, b->length * size) == 0) {
		return;
	}
	for (size_t i = 0; i < b->length; i++) {
		const char *x = before + i * size;
		const char *y = after + i * size;
		if (memcmp(x, y, size) == 0) {
			continue;
		}
		r->differing++;
		if (r->differences < VERIFY_SHOWN) {
			struct sbuf shown[2] = {{0}};
			element_show(&shown[0], b->type, x);
			element_show(&shown[1], b->type, y);
			r->difference[r->differences++] = (struct verify_difference){.buffer = b,
				.index = i,
				.before = arena_strdup(a, sbuf_cstr(&shown[0])),
				.after = arena_strdup(a, sbuf_cstr(&shown[1]))};
			sbuf_release(&shown[0]);
			sbuf_release(&shown[1]);
		}
	}
}

/* A __device__ variable, as launch_cpu.hpp writes it after the buffers. */
struct variable {
	struct str name;
	struct str bytes;
	enum element_type type;
	bool changed;
	bool known; /* its bytes are known and hold no address, which would differ between runs */
};

/* The next variable of *rest; false: none. */
static bool next_variable(struct variable *v, struct str *rest)
{
	struct str line, word;
	int64_t n = 0, changed = 0;

	if (!str_line(rest, &line)) {
		return false;
	}
	bool ok = str_split(&line, ' ', &v->name) && str_split(&line, ' ', &word);
	v->known = ok && element_find(&v->type, word);
	ok = ok && str_split(&line, ' ', &word) && str_to_i64(word, &n) && n >= 0 &&
	     (size_t)n <= rest->n && str_to_i64(line, &changed);
	if (!ok) {
		BUG("a launcher wrote an unknown line about a variable");
	}
	v->bytes = str_sub(*rest, 0, (size_t)n);
	v->changed = changed != 0;
	v->known &= n > 0;
	*rest = str_sub(*rest, (size_t)n, rest->n);
	return true;
}

static void add_uncompared(struct verify_result *r, struct arena *a, struct str name)
{
	if (r->uncompared && strstr(r->uncompared, arena_strndup(a, name.p, name.n))) {
		return;
	}
	r->uncompared = r->uncompared ? arena_printf(a, "%s, %.*s", r->uncompared, STR_ARG(name))
				      : arena_strndup(a, name.p, name.n);
}

/* before, after: all variables of the two runs. Those of one name are compared in their order. */
static void compare_variables(
	struct verify_result *r, struct arena *a, struct str before, struct str after)
{
	ARRAY(struct variable) others = {0};
	struct variable x;
	while (next_variable(&x, &after)) {
		array_push(&others, x);
	}
	while (next_variable(&x, &before)) {
		size_t i = 0;
		while (i < others.n && !str_eq(others.v[i].name, x.name)) {
			i++;
		}
		const struct variable none = {0};
		const struct variable y = i < others.n ? others.v[i] : none;
		if (i < others.n) {
			others.v[i].name.n = 0; /* compare it only once */
		}
		if (!x.known || !y.known || x.bytes.n != y.bytes.n) {
			if (x.bytes.n == 0 || x.changed || y.changed) {
				add_uncompared(r, a, x.name);
			}
			continue;
		}
		if (!x.changed && !y.changed) {
			continue; /* such as addresses, which differ between programs */
		}
		struct spec_buffer *b = ARENA_NEW(a, struct spec_buffer);
		*b = (struct spec_buffer){.name = arena_strndup(a, x.name.p, x.name.n),
			.type = x.type,
			.length = x.bytes.n / element_size(x.type)};
		compare_buffer(r, a, b, x.bytes.p, y.bytes.p);
	}
	array_each (&others, const struct variable, y) {
		if (y->name.n && y->changed) { /* only the machine code of one program uses it */
			add_uncompared(r, a, y->name);
		}
	}
	array_release(&others);
}

static int compare_outputs(struct verify_result *r, struct verify *v,
	const struct verify_run *before, const struct verify_run *after)
{
	struct sbuf x = {0};
	struct sbuf y = {0};
	int rc = file_read(&x, before->output);
	rc = rc ? rc : file_read(&y, after->output);
	size_t at = 0;
	for (size_t i = 0; rc == 0 && i < r->of->buffers; i++) {
		const struct spec_buffer *b = &r->of->buffer[i];
		size_t n = spec_buffer_bytes(b);
		if (at + n > x.n || at + n > y.n) {
			BUG("%s: the launcher wrote too little", r->of->name);
		}
		compare_buffer(r, v->a, b, x.p + at, y.p + at);
		at += n;
	}
	r->of_buffers = r->differences;
	if (rc == 0) {
		compare_variables(
			r, v->a, str_sub(sbuf_str(&x), at, x.n), str_sub(sbuf_str(&y), at, y.n));
	}
	r->outcome = r->differing ? VERIFY_UNEQUAL : VERIFY_EQUAL;
	sbuf_release(&x);
	sbuf_release(&y);
	return rc;
}

/* ---- writers of differing elements ---- */

static size_t buffer_number(const struct spec_case *c, const struct spec_buffer *b)
{
	size_t i = 0;
	while (&c->buffer[i] != b) {
		i++;
	}
	return i;
}

/* "0 0 0 17 0 0 0 17", or "-" */
static struct verify_writer read_writer(struct str line)
{
	unsigned number[8];
	struct str piece;
	int64_t n;
	for (size_t i = 0; i < 8; i++) {
		if (!str_split(&line, ' ', &piece) || !str_to_i64(piece, &n)) {
			return (struct verify_writer){.known = false};
		}
		number[i] = (unsigned)n;
	}
	return (struct verify_writer){.known = true,
		.block = {number[0], number[1], number[2]},
		.thread = {number[3], number[4], number[5]},
		.wave = number[6],
		.lane = number[7]};
}

static void read_writers(struct verify_result *r, const char *path, bool before)
{
	struct sbuf text = {0};
	struct str line;
	if (file_read(&text, path) != 0) {
		return;
	}
	struct str rest = sbuf_str(&text);
	for (size_t i = 0; i < r->of_buffers && str_line(&rest, &line); i++) {
		struct verify_difference *d = &r->difference[i];
		*(before ? &d->wrote_before : &d->wrote_after) = read_writer(line);
	}
	sbuf_release(&text);
	unlink(path);
}

/* Runs the case again in both programs and records the writers of the differing elements, for
 * people. A failure of this run does not change the result. */
static void find_writers(struct verify_result *r, struct verify *v, size_t number,
	const struct verify_run *before, const struct verify_run *after)
{
	const struct verify_run *run[] = {before, after};
	const char *out[2];
	struct batch b;
	batch_make(&b, v->a, 2);
	for (size_t k = 0; k < 2; k++) {
		out[k] = arena_printf(v->a, "%s/%u.writers", v->dir, v->runs++);
		run_words(&b.argv[k], v, run[k]->program, number, out[k]);
		span_each (r->difference, r->of_buffers, const struct verify_difference, d) {
			size_t size = element_size(d->buffer->type);
			words_add(&b.argv[k],
				arena_printf(v->a, "%zu:%zu:%zu", buffer_number(r->of, d->buffer),
					d->index * size, size));
		}
	}
	batch_run(&b, run_limit(v), v->opts.parallel);
	for (size_t k = 0; k < 2; k++) {
		if (proc_ok(&b.result[k])) {
			read_writers(r, out[k], k == 0);
		}
	}
	batch_release(&b);
}

/* A race of machine code on global memory, of a kind that only the second file has; or NULL. */
static const char *only_after(const struct verify_run *before, const struct verify_run *after)
{
	for (int k = 0; k < VERIFY_OPEN_KINDS; k++) {
		bool watched = before->open[k] && after->open[k];
		if (watched && !before->open[k][0] && after->open[k][0]) {
			return after->open[k];
		}
	}
	return NULL;
}

int verify_compare(struct verify_result *out, struct verify *v, size_t number,
	const struct verify_run *before, const struct verify_run *after)
{
	*out = (struct verify_result){.of = &v->opts.spec->v[number],
		.said = "",
		.machine = v->opts.machine != NULL,
		.seconds_before = before->seconds,
		.seconds_after = after->seconds,
		.times_before = before->times,
		.times_after = after->times,
		.gpu = before->gpu};
	if (before->status != RUN_OK) {
		out->outcome = VERIFY_UNKNOWN;
		out->said = before->said;
		return 0;
	}
	if (after->status != RUN_OK) {
		out->after = after->status == RUN_UNKNOWN;
		out->outcome = out->after ? VERIFY_UNKNOWN : VERIFY_BROKEN;
		out->said = after->said;
		return 0;
	}
	int rc = compare_outputs(out, v, before, after);
	const char *open = only_after(before, after);
	if (rc == 0 && open) {
		out->outcome = VERIFY_BROKEN;
		out->said = open;
		unlink(after->output);
		return 0;
	}
	if (rc == 0 && out->of_buffers > 0 && !v->opts.gpu && !v->opts.machine) {
		find_writers(out, v, number, before, after);
	}
	unlink(after->output);
	if (rc == 0 && out->compared == 0) {
		/* for example, all pointers are in a record that --init cannot fill */
		out->outcome = VERIFY_UNKNOWN;
		out->ran = true;
		out->said = "the case has no buffers, so nothing is compared";
	}
	return rc;
}
