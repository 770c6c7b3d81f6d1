/* Runs cases from machine code. Their launcher only packs the arguments. */
#include <string.h>

#include "base/file.h"
#include "base/process/proc.h"
#include "verify/run/build.h"

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

static const struct packed *packed_before(
	const struct verify *v, const char *program, size_t number)
{
	const struct packed *p = v->packed;
	while (p && (p->number != number || strcmp(p->program, program) != 0)) {
		p = p->next;
	}
	return p;
}

/* Sets *out to the bytes of the case's arguments. If the launcher fails, run has the reason. */
static int pack(
	struct verify_arguments *out, struct verify_run *run, struct verify *v, size_t number)
{
	const struct packed *before = packed_before(v, run->program, number);
	if (before) {
		*out = before->arguments;
		run->status = RUN_OK;
		run->said = "";
		return 0;
	}
	const char *argv[] = {run->program, arena_printf(v->a, "%zu", number), NULL};
	struct proc_job job = {.argv = argv, .time_limit_s = run_limit(v)};
	struct proc_result r = {0};
	proc_run(&r, &job);
	int rc = run_take(run, v, &r, &v->opts.spec->v[number]);
	struct str floats = str_trim(sbuf_str(&r.out));
	struct str bytes = {0};
	str_line(&floats, &bytes);
	out->bytes = read_arguments(v->a, bytes);
	out->floats = read_arguments(v->a, floats);
	proc_result_release(&r);
	if (rc == 0 && run->status == RUN_OK) {
		struct packed *p = ARENA_NEW(v->a, struct packed);
		*p = (struct packed){run->program, number, *out, v->packed};
		v->packed = p;
	}
	return rc;
}

/* The buffers of a case; their bytes are consecutive at p. */
static struct verify_piece *pieces_of(struct arena *a, const struct spec_case *c, char *p)
{
	struct verify_piece *piece = ARENA_ARRAY(a, struct verify_piece, c->buffers + 1);
	for (size_t i = 0; i < c->buffers; i++) {
		uint64_t bytes = spec_buffer_bytes(&c->buffer[i]);
		piece[i] = (struct verify_piece){run_buffer_start(c, i), (unsigned char *)p, bytes};
		p += bytes;
	}
	return piece;
}

int run_machine(
	struct verify_run *run, struct verify *v, const struct verify_source *source, size_t number)
{
	const struct verify_machine *m = v->opts.machine;
	const struct spec_case *c = &v->opts.spec->v[number];
	struct verify_arguments arguments = {0};
	struct sbuf all = {0};
	int rc = pack(&arguments, run, v, number);
	if (rc || run->status != RUN_OK) {
		return rc;
	}
	double began = proc_own_cpu_s();
	rc = file_read(&all, v->input[number]);
	if (rc == 0) {
		struct verify_ran ran = {.said = ""};
		run->status =
			m->run(m->user, &ran, source, c, &arguments, pieces_of(v->a, c, all.p));
		run->said = ran.said;
		for (int k = 0; k < VERIFY_OPEN_KINDS; k++) {
			run->open[k] = ran.open[k] ? ran.open[k] : "";
		}
		run->seconds = proc_own_cpu_s() - began;
		sbuf_addstr(&all, ran.variables);
		rc = file_write_atomic(run->output, sbuf_str(&all));
	}
	sbuf_release(&all);
	return rc;
}
