/* Counts the instructions that a file's cases run, for the judge: with --verify --on isa, and by
 * default if a spec stands beside the file. */
#include <string.h>

#include "base/file.h"
#include "base/kept/stamp.h"
#include "base/msg.h"
#include "choose/choose.h"
#include "cli/steps/bits.h"
#include "isa/sum.h"

enum {
	/* The most wave instructions that the runs of a merge may take by default: about the time
	 * of two compiles of a kernel. */
	STEPS_OF_A_MERGE = 2000000,
	STEPS_OF_A_WAVE = 1000000
};

/* Adds the figures of a case for the report. */
static void add_shown(struct choose_ran *out, const struct isa_sum *s, int64_t waves)
{
	static const enum isa_class classes[] = {ISA_CLASS_VALU, ISA_CLASS_MATRIX, ISA_CLASS_SALU,
		ISA_CLASS_BRANCH, ISA_CLASS_WAIT, ISA_CLASS_GLOBAL, ISA_CLASS_FLAT, ISA_CLASS_LDS,
		ISA_CLASS_SCRATCH};
	const struct {
		const char *name;
		uint64_t n;
	} sums[] = {{"instructions", isa_sum_runs(s)}, {"issue cycles", isa_sum_cycles(s)},
		{"LDS conflicts", s->conflicts}, {"LDS bytes", s->lds_bytes},
		{"global bytes", s->global_bytes}, {"scratch bytes", s->scratch_bytes}};
	size_t n = 0;
	for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++, n++) {
		out->shown[n].name = sums[i].name;
		out->shown[n].n += (int64_t)sums[i].n / waves;
	}
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++, n++) {
		out->shown[n].name = isa_class_name[classes[i]];
		out->shown[n].n += (int64_t)s->runs[classes[i]] / waves;
	}
}

static struct choose_case count_case(struct choose_ran *out, const struct machine_ran *ran)
{
	struct isa_sum sum = {0};
	int64_t waves = ran->counts.waves ? (int64_t)ran->counts.waves : 1;
	for (size_t k = 0; k < ran->program.ops; k++) {
		isa_sum_add(&sum, &ran->program, k, &ran->counts.op[k], ran->of->target);
	}
	struct choose_case c = {.target = ran->of->target->name,
		.symbol = ran->program.symbol,
		.scratch_bytes = (int64_t)sum.scratch_bytes / waves,
		.cycles = (int64_t)isa_sum_cycles(&sum) / waves,
		.scalar = (int64_t)isa_sum_scalar_cycles(&sum) / waves,
		.branches = (int64_t)sum.runs[ISA_CLASS_BRANCH] / waves,
		.matrix = (int64_t)sum.runs[ISA_CLASS_MATRIX] / waves,
		.waits = (int64_t)isa_sum_waits(&ran->program, &ran->counts, ran->of->target) /
			 waves,
		.instructions = (int64_t)ran->counts.instructions};
	out->scratch_bytes += c.scratch_bytes;
	out->cycles += c.cycles;
	out->instructions += (int64_t)isa_sum_runs(&sum) / waves;
	add_shown(out, &sum, waves);
	return c;
}

/* Sums the counts over all cases of a source. */
static void count(struct choose_ran *out, struct cli_bits *b, const struct verify_source *source)
{
	const struct machine_ran *ran;
	size_t n = cli_machine_ran(&ran, b->machine);
	struct choose_case *of = ARENA_ARRAY(b->arena, struct choose_case, b->spec.n);
	for (size_t i = 0; i < n; i++) {
		if (ran[i].source == source && ran[i].status == RUN_OK) {
			of[out->cases++] = count_case(out, &ran[i]);
		}
	}
	out->of = of;
}

/* Takes the machine code of a compiled text; false: it was not compiled for all targets. */
static bool take_made(
	struct cli_bits *b, const struct verify_source *source, const struct choose_text *text)
{
	bool all = text->made != NULL;
	for (size_t k = 0; all && k < b->job->targets; k++) {
		const struct measure_result *r = &text->made[k];
		all = r->status == MEASURE_OK && r->isa.n > 0;
		bool first = true;
		for (size_t i = 0; i < k; i++) {
			first &= b->job->target[i] != b->job->target[k];
		}
		for (size_t i = 0; all && first && i < b->spec.n; i++) {
			if (strcmp(b->spec.v[i].target->name, b->job->target[k]->name) == 0) {
				cli_machine_take(b->machine, source, b->spec.v[i].target,
					arena_memdup(b->arena, r, sizeof(*r)));
				break;
			}
		}
	}
	return all;
}

/* Subtracts the source's instructions from the limit; false if they exceed it. */
static bool fits(uint64_t *limit, struct cli_bits *b, const struct verify_source *source)
{
	uint64_t steps = cli_machine_steps(b->machine, source);
	bool enough = steps <= *limit;
	*limit -= enough ? steps : 0;
	return enough;
}

/* The reason why the original does not run, which is the reference for the other texts; NULL: it
 * runs. */
static const char *why_original_fails(const struct cli_bits *b)
{
	for (size_t k = 0; k < b->spec.n; k++) {
		if (b->original[k].status != RUN_OK) {
			return arena_printf(b->arena, "%s does not run: %s", b->spec.v[k].name,
				b->original[k].said);
		}
	}
	return NULL;
}

/* Runs n texts. The file itself, source[0], only packs the arguments. limit: the wave instructions
 * that the texts may run, or NULL; texts beyond it are not run. */
static int run_texts(struct choose_ran *out, struct cli_bits *b, const struct choose_text *text,
	size_t n, uint64_t *limit)
{
	struct verify_source *source = ARENA_ARRAY(b->arena, struct verify_source, n + 1);
	struct verify_run *all;
	int rc = 0;
	source[0] = *b->source;
	source[0].launches_only = true;
	for (size_t i = 0; i < n; i++) {
		source[i + 1] = (struct verify_source){
			.path = b->path, .text = text[i].text, .launched_by_first = true};
		if (b->job && !take_made(b, &source[i + 1], &text[i])) {
			out[i].why = "it did not compile for all targets";
		} else {
			out[i].unrun = limit && !fits(limit, b, &source[i + 1]);
		}
		source[i + 1].launches_only = out[i].why || out[i].unrun;
	}
	rc = b->job ? 0 : cli_machine_add(b->machine, &source[1], n);
	rc = rc ? rc : verify_run(&all, b->verify, source, n + 1);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		const struct verify_run *mine = &all[(i + 1) * b->spec.n];
		if (!b->original) { /* the first text to run is the file itself */
			b->original = &all[b->spec.n];
			b->ran_as = &source[1];
		}
		if (!source[i + 1].launches_only && mine == b->original) {
			out[i].why = why_original_fails(b);
		} else if (!source[i + 1].launches_only) {
			const bool *differs = NULL;
			rc = bits_differ(&out[i].why, &differs, b, mine);
			if (rc == 0 && differs) {
				out[i].differs = out[i].why;
				out[i].why = NULL;
				array_push(&b->ran, ((struct bits_ran){&source[i + 1], differs}));
			}
		}
		if (rc == 0 && !out[i].why && !out[i].unrun) {
			count(&out[i], b, &source[i + 1]);
		}
	}
	return rc;
}

int cli_bits_ran(void *user, struct choose_ran *out, const struct choose_text *text, size_t n)
{
	struct cli_bits *b = user;
	int rc = bits_open(b);
	memset(out, 0, n * sizeof(*out));
	return rc ? rc : run_texts(out, b, text, n, NULL);
}

bool cli_bits_proved(void *user, struct str text, const char **why)
{
	struct cli_bits *b = user;
	array_each (&b->ran, struct bits_ran, ran) {
		if (str_eq(ran->source->text, text)) {
			return bits_equal_for_data(why, b, ran->differs, ran->source);
		}
	}
	BUG("%s: a text was not run", b->path);
}

bool cli_bits_counts(const struct cli_bits *b)
{
	return b->opts->on == ON_ISA;
}

/* ---- by default ---- */

static const char *open_runs(struct cli_bits *b)
{
	struct arena *a = b->arena;
	struct target_db *db = ARENA_NEW(a, struct target_db);
	const char *path = cli_spec_path(a, b->opts, b->path);
	struct sbuf text = {0};
	int rc = file_read(&text, path);
	rc = rc ? rc : target_db_builtin(db, a);
	rc = rc ? rc : spec_load(&b->spec, a, sbuf_str(&text), path, db);
	sbuf_release(&text);
	size_t n = 0;
	for (size_t i = 0; rc == 0 && i < b->spec.n; i++) {
		bool wanted = false;
		for (size_t k = 0; k < b->job->targets; k++) {
			wanted |= strcmp(b->spec.v[i].target->name, b->job->target[k]->name) == 0;
		}
		if (wanted) {
			b->spec.v[n++] = b->spec.v[i];
		}
	}
	b->spec.n = n;
	if (rc == 0 && n == 0) {
		return arena_printf(a, "%s has no case for these targets", path);
	}
	rc = rc ? rc : cli_machine_open(&b->machine, a, b->opts, NULL, 0, &b->spec);
	rc = rc ? rc : cli_verify_open(&b->verify, a, &b->spec, NULL, b->machine, b->opts);
	if (rc == 0) {
		cli_machine_count_only(b->machine, STEPS_OF_A_WAVE);
	}
	return rc ? arena_printf(a, "the cases of %s cannot be run", path) : NULL;
}

static int runs_ran(void *user, struct choose_ran *out, const struct choose_text *text, size_t n)
{
	struct cli_bits *b = user;
	uint64_t limit = STEPS_OF_A_MERGE;
	memset(out, 0, n * sizeof(*out));
	if (!b->open) {
		b->unrun = open_runs(b);
		b->open = 1;
	}
	uint64_t before = b->unrun ? 0 : cli_machine_ran_steps(b->machine);
	int rc = b->unrun ? 0 : run_texts(out, b, text, 1, NULL);
	if (rc) { /* for example, the spec is for another version of the file; it was reported */
		b->unrun = arena_printf(b->arena, "the cases of %s cannot be run",
			cli_spec_path(b->arena, b->opts, b->path));
		rc = 0;
	}
	b->unrun = b->unrun ? b->unrun : out[0].why;
	out[0].why = b->unrun;
	if (rc || b->unrun || n == 1) {
		return rc;
	}
	/* the best by path costs first, as many as the time allows */
	uint64_t spent = cli_machine_ran_steps(b->machine) - before;
	limit -= spent < limit ? spent : limit;
	rc = run_texts(&out[1], b, &text[1], n - 1, &limit);
	out[0].unrun = true;
	for (size_t i = 1; i < n; i++) {
		out[0].unrun &= out[i].unrun;
	}
	return rc;
}

struct cli_bits *cli_runs_add(struct choose_job *job, struct arena *a, const struct cli_opts *o)
{
	if (job->ran || job->force || job->bench || job->unit || job->view_flags ||
		o->on == ON_GPU || !file_exists(cli_spec_path(a, o, job->path))) {
		return NULL;
	}
	struct cli_opts *own = ARENA_NEW(a, struct cli_opts);
	struct cli_bits *b = ARENA_NEW(a, struct cli_bits);
	*own = *o;
	own->on = ON_ISA;
	own->flags = job->flags;
	*b = (struct cli_bits){.arena = a, .path = job->path, .opts = own, .job = job};
	b->source = ARENA_NEW(a, struct verify_source);
	*b->source = (struct verify_source){.path = job->path, .text = job->source};
	job->ran = runs_ran;
	job->proved = cli_bits_proved;
	job->runs = b;
	job->unshown = cli_bits_unshown;
	return b;
}

bool cli_runs_key_add(struct sbuf *key, struct arena *a, const struct cli_opts *o, const char *path)
{
	const char *spec = cli_spec_path(a, o, path);
	struct sbuf text = {0};
	bool ok = !file_exists(spec) || file_read(&text, spec) == 0;
	stamp_add_text(key, sbuf_str(&text));
	sbuf_release(&text);
	return ok;
}
