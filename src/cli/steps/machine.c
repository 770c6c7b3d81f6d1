/*
 * verify --on isa: compiles the sources with the user's compiler, and interprets the machine code
 * for each case. The interface is in cli.h.
 */
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/process/proc.h"
#include "base/words.h"
#include "cli/cli.h"
#include "cli/steps/machine.h"
#include "measure/isa/demangle.h"
#include "measure/object.h"

#define STEPS_MOST ((uint64_t)200000000) /* of a wave */
#define STEPS_FEW ((uint64_t)1000000)	 /* those that a wave may have at least */
#define STEPS_TIMES 100			 /* and how often those of all waves of the original */
#define KEPT_BYTES ((size_t)64 << 20)	 /* limit of kept output buffers */

/* A kernel of a source's code, as it was read. */
struct program {
	const char *kernel;
	const char *said; /* the reason why it cannot run, or NULL */
	struct isa_program p;
	struct program *next;
};

/* A source's code for one target. */
struct made {
	const struct verify_source *source;
	const struct target *target;
	struct measure_result *result;	/* one for each code object: a program has one per unit */
	const struct object_code *code; /* of a binary; NULL: compiled here */
	size_t codes;
	struct program *program; /* the kernels read so far */
};

/* A proof of a case, between these programs. */
struct proved {
	const struct spec_case *of;
	struct isa_program p[2];
	const struct cli_proof *proof;
};

struct machine {
	struct arena *a;
	const struct cli_opts *opts;
	const struct spec *spec;
	uint64_t steps_most; /* of a wave */
	bool strict;
	size_t kept;	/* bytes of kept output buffers */
	uint64_t steps; /* wave instructions run so far */
	ARRAY(struct made) made;
	ARRAY(struct machine_ran) ran;
	ARRAY(struct proved) proved;
};

static struct made *made_for(
	const struct machine *m, const struct verify_source *source, const struct target *t)
{
	for (size_t i = 0; i < m->made.n; i++) {
		if (m->made.v[i].source == source && m->made.v[i].target == t) {
			return &m->made.v[i];
		}
	}
	BUG("%s was not compiled for %s", source->path, t->name);
}

bool cli_machine_same_name(const char *x, const char *y)
{
	x += strncmp(x, "::", 2) == 0 ? 2 : 0;
	y += strncmp(y, "::", 2) == 0 ? 2 : 0;
	for (;; x++, y++) {
		x += strspn(x, " ");
		y += strspn(y, " ");
		if (*x != *y || *x == '\0') {
			return *x == *y;
		}
	}
}

/* Finds the only kernel of that name, and the index of its code; false: none, or several. */
static bool find_kernel(
	const struct made *made, const char *kernel, size_t *code, const char **symbol)
{
	size_t found = 0;
	for (size_t c = 0; c < made->codes; c++) {
		const struct measurement *m = &made->result[c].m;
		for (size_t i = 0; i < m->kernels; i++) {
			if (cli_machine_same_name(m->kernel[i].name, kernel)) {
				*code = c;
				*symbol = m->kernel[i].symbol;
				found++;
			}
		}
	}
	return found == 1;
}

/* Adds the variables of a code object. */
static void add_data(struct isa_program *p, struct arena *a, const struct object_code *code)
{
	p->data = ARENA_ARRAY(a, struct isa_memory, code->pieces + 1);
	for (p->datas = 0; p->datas < code->pieces; p->datas++) {
		const struct object_piece *q = &code->piece[p->datas];
		p->data[p->datas] =
			(struct isa_memory){q->at, q->bytes, q->p, q->constant, STR("")};
	}
}

/* Do the packed arguments have the length that the code expects? */
static bool has_arguments(const struct isa_program *p, size_t bytes)
{
	size_t end = 0;
	span_each (p->parameter, p->parameters, const struct isa_parameter, q) {
		if (!str_starts(q->kind, "hidden_") && q->at + q->bytes > end) {
			end = q->at + q->bytes;
		}
	}
	return end == bytes;
}

static struct isa_launch launch_of(const struct machine *m, const struct spec_case *c,
	struct str arguments, const struct verify_piece *memory)
{
	struct arena *a = m->a;
	struct isa_launch l = {.lds_bytes = c->lds,
		.arguments = (const unsigned char *)arguments.p,
		.argument_bytes = arguments.n,
		.memory = ARENA_ARRAY(a, struct isa_memory, c->buffers + 1),
		.memories = c->buffers,
		.strict = m->strict,
		.early_exit = c->early_exit};
	memcpy(l.grid, c->grid.v, sizeof(l.grid));
	memcpy(l.block, c->block.v, sizeof(l.block));
	for (size_t i = 0; i < c->buffers; i++) {
		l.memory[i] = (struct isa_memory){
			memory[i].at, memory[i].bytes, memory[i].p, false, STR("")};
	}
	return l;
}

static const char *why_not(const struct made *made)
{
	return made->result->status == MEASURE_OK ? NULL : made->result->diagnostics;
}

/* Reads the kernel. NULL, or the reason why it cannot run. */
static const char *read_program(
	struct isa_program *out, struct machine *m, const struct made *made, const char *kernel)
{
	const char *symbol = NULL;
	const char *said = why_not(made);
	size_t code = 0;
	if (said) {
		return said;
	}
	if (!find_kernel(made, kernel, &code, &symbol)) {
		return "the machine code has no kernel of this name, or several";
	}
	if (isa_program_read(out, &said, m->a, made->result[code].isa, symbol) != 0) {
		return said;
	}
	if (made->code && made->code[code].disassembled) {
		add_data(out, m->a, &made->code[code]);
	}
	return NULL;
}

static const struct program *program_of(struct machine *m, struct made *made, const char *kernel)
{
	struct program *p = made->program;
	while (p && strcmp(p->kernel, kernel) != 0) {
		p = p->next;
	}
	if (!p) {
		p = ARENA_NEW(m->a, struct program);
		p->kernel = kernel;
		p->said = read_program(&p->p, m, made, kernel);
		p->next = made->program;
		made->program = p;
	}
	return p;
}

/* An earlier run of the same case on the same program. arguments.p NULL: with any arguments. */
static const struct machine_ran *ran_before(const struct machine *m, const struct spec_case *c,
	const struct isa_program *p, struct str arguments)
{
	array_each (&m->ran, const struct machine_ran, r) {
		if (r->of == c && r->outputs.p &&
			(!arguments.p || str_eq(r->arguments, arguments)) &&
			isa_program_same(&r->program, p)) {
			return r;
		}
	}
	return NULL;
}

static size_t bytes_of(const struct spec_case *c, const struct verify_piece *memory)
{
	size_t n = 0;
	for (size_t i = 0; i < c->buffers; i++) {
		n += memory[i].bytes;
	}
	return n;
}

/* Keeps a run's output buffers, up to KEPT_BYTES. */
static void keep_outputs(
	struct machine_ran *r, struct machine *m, const struct verify_piece *memory)
{
	size_t bytes = bytes_of(r->of, memory);
	if (m->kept + bytes > KEPT_BYTES) {
		return;
	}
	char *to = arena_calloc(m->a, bytes + 1, 1);
	r->outputs = (struct str){to, bytes};
	m->kept += bytes;
	for (size_t i = 0; i < r->of->buffers; i++) {
		memcpy(to, memory[i].p, memory[i].bytes);
		to += memory[i].bytes;
	}
}

static void restore_outputs(const struct machine_ran *r, const struct verify_piece *memory)
{
	const char *from = r->outputs.p;
	for (size_t i = 0; i < r->of->buffers; i++) {
		memcpy(memory[i].p, from, memory[i].bytes);
		from += memory[i].bytes;
	}
}

/* The last component of a mangled name: "hits" for "_ZN6detail4hitsE". */
static struct str own_name(struct str symbol)
{
	struct str name = symbol;
	size_t at = str_starts(symbol, "_ZN") ? 3 : str_starts(symbol, "_ZL") ? 3 : 2;
	while (str_starts(symbol, "_Z") && at < symbol.n) {
		size_t n = 0;
		at += symbol.p[at] == 'L';
		while (at < symbol.n && symbol.p[at] >= '0' && symbol.p[at] <= '9' &&
			n < symbol.n) {
			n = 10 * n + (size_t)(symbol.p[at++] - '0');
		}
		if (n == 0 || n > symbol.n - at) {
			break;
		}
		name = str_sub(symbol, at, at + n);
		at += n;
	}
	return name;
}

/* Do the final bytes of a variable contain the address of one? Addresses differ between texts. */
static bool has_address(const struct isa_program *p, const unsigned char *left, size_t bytes)
{
	for (size_t i = 0; i + 8 <= bytes; i += 8) {
		uint64_t x;
		memcpy(&x, left + i, sizeof(x));
		span_each (p->data, p->datas, const struct isa_memory, m) {
			if (x - m->at < m->bytes) {
				return true;
			}
		}
	}
	return false;
}

/* The final bytes of the variables, as text for verify_ran. In a code object the names are
 * unknown. */
static struct str variables_of(
	struct arena *a, const struct isa_program *p, const unsigned char *const *left)
{
	struct sbuf s = {0};
	for (size_t i = 0; i < p->datas; i++) {
		const struct isa_memory *m = &p->data[i];
		if (m->constant || !left[i]) {
			continue;
		}
		bool changed = memcmp(left[i], m->p, m->bytes) != 0;
		bool known = m->name.n && !has_address(p, left[i], m->bytes);
		struct str name = m->name.n ? own_name(m->name) : STR("those-of-the-code-object");
		sbuf_addf(&s, "%.*s %s %zu %d\n", STR_ARG(name), known ? "u8" : "address",
			(size_t)m->bytes, changed);
		sbuf_add(&s, left[i], m->bytes);
	}
	return sbuf_finish(&s, a);
}

uint64_t cli_machine_limit(uint64_t known)
{
	return known > STEPS_MOST / STEPS_TIMES ? STEPS_MOST : STEPS_FEW + known * STEPS_TIMES;
}

/* The limit of a run whose case another file has run. */
static uint64_t steps_most(const struct machine *m, const struct spec_case *c)
{
	array_each (&m->ran, const struct machine_ran, r) {
		uint64_t limit = cli_machine_limit(r->counts.instructions);
		if (r->of == c && r->status == RUN_OK && limit < m->steps_most) {
			return limit;
		}
	}
	return m->steps_most;
}

static enum run_status run_program(
	struct machine_ran *r, struct machine *m, const struct verify_piece *memory)
{
	const struct machine_ran *before = ran_before(m, r->of, &r->program, r->arguments);
	if (before) {
		restore_outputs(before, memory);
		r->counts = before->counts;
		r->outputs = before->outputs;
		r->variables = before->variables;
		return RUN_OK;
	}
	struct isa_launch l = launch_of(m, r->of, r->arguments, memory);
	l.steps_most = steps_most(m, r->of);
	l.left = ARENA_ARRAY(m->a, const unsigned char *, r->program.datas + 1);
	int rc = isa_run(&r->counts, &r->said, m->a, &r->program, &l);
	m->steps += r->counts.instructions;
	if (rc == 0) {
		r->variables = variables_of(m->a, &r->program, l.left);
		keep_outputs(r, m, memory);
		return RUN_OK;
	}
	return r->counts.broken ? RUN_ERROR : RUN_UNKNOWN;
}

static enum run_status run_case(void *user, struct verify_ran *out,
	const struct verify_source *source, const struct spec_case *c,
	const struct verify_arguments *arguments, const struct verify_piece *memory)
{
	struct machine *m = user;
	const struct program *p = program_of(m, made_for(m, source, c->target), c->kernel);
	struct machine_ran r = {.source = source,
		.of = c,
		.status = RUN_UNKNOWN,
		.said = p->said,
		.program = p->p,
		.arguments = arguments->bytes,
		.floats = arguments->floats,
		.memory = memory};
	if (!r.said && !has_arguments(&r.program, arguments->bytes.n)) {
		r.said = "the machine code takes other arguments than the source";
	}
	if (!r.said) {
		r.status = run_program(&r, m, memory);
		r.said = r.status == RUN_OK ? "" : r.said;
	}
	array_push(&m->ran, r);
	out->said = r.said;
	out->variables = r.variables;
	for (int k = 0; k < VERIFY_OPEN_KINDS && r.status == RUN_OK; k++) {
		out->open[k] = r.counts.open[k];
	}
	return r.status;
}

uint64_t cli_machine_steps(struct verify_machine *machine, const struct verify_source *source)
{
	struct machine *m = machine->user;
	uint64_t steps = 0;
	array_each (m->spec, const struct spec_case, c) {
		const struct program *p = program_of(m, made_for(m, source, c->target), c->kernel);
		const struct machine_ran *first = m->ran.n ? m->ran.v : NULL;
		while (first && first < m->ran.v + m->ran.n && first->of != c) {
			first++;
		}
		if (!first || first == m->ran.v + m->ran.n || first->status != RUN_OK) {
			return UINT64_MAX;
		}
		steps += p->said || ran_before(m, c, &p->p, (struct str){0})
				 ? 0
				 : first->counts.instructions;
	}
	return steps;
}

uint64_t cli_machine_ran_steps(const struct verify_machine *machine)
{
	return ((const struct machine *)machine->user)->steps;
}

size_t cli_machine_ran(const struct machine_ran **out, const struct verify_machine *machine)
{
	const struct machine *m = machine->user;
	*out = m->ran.v;
	return m->ran.n;
}

const struct cli_proof *cli_machine_proved(const struct verify_machine *machine,
	const struct spec_case *c, const struct isa_program *const p[2])
{
	const struct machine *m = machine->user;
	array_each (&m->proved, const struct proved, x) {
		if (x->of == c && isa_program_same(&x->p[0], p[0]) &&
			isa_program_same(&x->p[1], p[1])) {
			return x->proof;
		}
	}
	return NULL;
}

void cli_machine_keep_proof(struct verify_machine *machine, const struct spec_case *c,
	const struct isa_program *const p[2], const struct cli_proof *proof)
{
	struct machine *m = machine->user;
	struct proved x = {.of = c, .p = {*p[0], *p[1]}, .proof = proof};
	array_push(&m->proved, x);
}

void cli_machine_close(struct verify_machine *machine)
{
	struct machine *m = machine ? machine->user : NULL;
	if (m) {
		array_release(&m->ran);
		array_release(&m->proved);
		array_release(&m->made);
	}
}

/* ---- compiling ---- */

/* The option -mcpu=: the text's target with its features, or t if it is for another target. */
static const char *cpu_of(struct arena *a, struct str text, const struct target *t)
{
	static const char head[] = ".amdgcn_target \"amdgcn-amd-amdhsa--";
	size_t at = str_find(text, head, 0);
	struct str cpu = at == SIZE_MAX ? STR("") : str_sub(text, at + strlen(head), text.n);
	cpu = str_sub(cpu, 0, str_find(cpu, "\"", 0));
	struct str bare = str_sub(cpu, 0, str_find(cpu, ":", 0));
	return str_is(bare, t->name) ? arena_printf(a, "-mcpu=%.*s", STR_ARG(cpu))
				     : arena_printf(a, "-mcpu=%s", t->name);
}

/* Runs the compiler's assembler on a text. *said: the first error; NULL: none. */
static int assemble(const char **said, struct arena *a, const struct cli_opts *o, struct str text,
	const struct target *t)
{
	struct compiler compiler;
	const char *dir = tmpdir_create();
	const char *path = arena_printf(a, "%s/text.s", dir ? dir : "");
	int rc = dir ? cli_compiler_find(&compiler, a, o, o->compiler, t->name) : FAIL_USAGE;
	rc = rc ? rc : file_write_atomic(path, text);
	*said = NULL;
	if (rc) {
		return rc;
	}
	const char *argv[] = {compiler.path, "-c", "-x", "assembler", "-target",
		"amdgcn-amd-amdhsa", cpu_of(a, text, t), path, "-o",
		arena_printf(a, "%s/text.o", dir), NULL};
	struct proc_job job = {.argv = argv, .time_limit_s = o->time_limit_s};
	struct proc_result r = {0};
	proc_run(&r, &job);
	if (!proc_ok(&r)) {
		static const char file[] = "/text.s:", kind[] = " error: ";
		struct str err = sbuf_str(&r.err);
		size_t at = str_find(err, kind, 0), from = str_find(err, file, 0);
		struct str what = at == SIZE_MAX ? err : str_sub(err, at + strlen(kind), err.n);
		struct str line = at < from ? STR("?") : str_sub(err, from + strlen(file), at);
		*said = arena_printf(a, "line %.*s: the assembler rejects it: %.*s",
			STR_ARG(str_sub(line, 0, str_find(line, ":", 0))),
			STR_ARG(str_sub(what, 0, str_find(what, "\n", 0))));
	}
	proc_result_release(&r);
	return 0;
}

/* Adds the output of a build. Assembly is used for the requested target, even if it was made for
 * another one. */
static int add_code(struct machine *m, const struct verify_source *source, const struct target *t)
{
	struct object_code *all;
	size_t n;
	int rc = object_read_to_run(&all, &n, m->a, source->path);
	struct made made = {.source = source, .target = t, .code = all};
	made.result = ARENA_ARRAY(m->a, struct measure_result, rc ? 1 : n);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct str bare = str_of(all[i].target);
		struct str rest = bare;
		str_split(&rest, ':', &bare);
		if (all[i].disassembled && !str_is(bare, t->name)) {
			continue;
		}
		struct measure_result *r = &made.result[made.codes];
		all[made.codes++] = all[i];
		r->isa = all[i].isa;
		if (!all[i].disassembled) {
			rc = assemble(&r->diagnostics, m->a, m->opts, r->isa, t);
			r->status = r->diagnostics ? MEASURE_COMPILE_ERROR : MEASURE_OK;
		}
		rc = rc || r->status != MEASURE_OK
			     ? rc
			     : isa_read(&r->m, m->a, t, r->isa, STR(""), source->path);
	}
	if (rc == 0 && made.codes == 0) {
		rc = fail_input("%s: it has no code for %s", source->path, t->name);
	}
	if (rc == 0) {
		struct measurement **named = ARENA_ARRAY(m->a, struct measurement *, made.codes);
		for (size_t i = 0; i < made.codes; i++) {
			named[i] = &made.result[i].m;
		}
		demangle_measurements(named, made.codes, m->a);
		array_push(&m->made, made);
	}
	return rc;
}

static int add_made(struct machine *m, struct measure_job *job, const struct verify_source *source,
	const struct spec_case *c, const struct cli_opts *o)
{
	if (verify_is_code(source)) {
		return add_code(m, source, c->target);
	}
	/* line tables do not change the code; errors then name a source line */
	static const char *const lines[] = {"-gline-tables-only", NULL};
	struct compiler *compiler = ARENA_NEW(m->a, struct compiler);
	const char *dir = tmpdir_create();
	struct str base = path_base(str_of(source->path));
	struct str beside = path_dir(str_of(path_real(m->a, source->path)));
	int rc = dir ? cli_compiler_find(compiler, m->a, o, o->compiler, c->target->name)
		     : FAIL_USAGE;
	if (rc) {
		return rc;
	}
	const char *path = arena_printf(m->a, "%s/%.*s", dir, STR_ARG(base));
	*job = (struct measure_job){.compiler = compiler,
		.target = c->target,
		.path = path,
		.shown = source->path,
		.flags = words_joined(m->a, o->flags, lines),
		.include_dir = arena_strndup(m->a, beside.p, beside.n),
		.time_limit_s = o->time_limit_s,
		.keep_isa = true,
		.no_cache = o->no_cache,
		.quiet = true};
	array_push(&m->made, (struct made){.source = source, .target = c->target, .codes = 1});
	return file_write_atomic(path, source->text);
}

static bool is_first(const struct spec *s, size_t i)
{
	for (size_t k = 0; k < i; k++) {
		if (s->v[k].target == s->v[i].target) {
			return false;
		}
	}
	return true;
}

int cli_machine_add(struct verify_machine *machine, const struct verify_source *source, size_t n)
{
	struct machine *m = machine->user;
	const struct spec *s = m->spec;
	struct measure_job *job = ARENA_ARRAY(m->a, struct measure_job, n * s->n);
	struct measure_result *result = ARENA_ARRAY(m->a, struct measure_result, n * s->n);
	size_t first = m->made.n;
	size_t jobs = 0;
	int rc = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; rc == 0 && k < s->n; k++) {
			size_t before = m->made.n;
			rc = is_first(s, k) ? add_made(m, &job[jobs], &source[i], &s->v[k], m->opts)
					    : 0;
			jobs += m->made.n > before && !m->made.v[before].code;
		}
	}
	if (rc) {
		return rc;
	}
	measure_run(result, m->a, job, jobs, m->opts->jobs);
	for (size_t i = first; i < m->made.n; i++) {
		struct made *made = &m->made.v[i];
		made->result = made->code ? made->result : result++;
	}
	return 0;
}

void cli_machine_count_only(struct verify_machine *machine, uint64_t steps_most)
{
	struct machine *m = machine->user;
	m->strict = false;
	m->steps_most = steps_most;
}

void cli_machine_take(struct verify_machine *machine, const struct verify_source *source,
	const struct target *t, struct measure_result *made)
{
	struct machine *m = machine->user;
	array_push(
		&m->made, (struct made){.source = source, .target = t, .result = made, .codes = 1});
}

int cli_machine_open(struct verify_machine **out, struct arena *a, const struct cli_opts *o,
	const struct verify_source *source, size_t sources, const struct spec *s)
{
	struct machine *m = ARENA_NEW(a, struct machine);
	*m = (struct machine){
		.a = a, .opts = o, .spec = s, .steps_most = STEPS_MOST, .strict = true};
	*out = ARENA_NEW(a, struct verify_machine);
	**out = (struct verify_machine){.run = run_case, .user = m};
	return cli_machine_add(*out, source, sources);
}
