/* The specs of files, and the comparison of bits for rewrite --verify: does a text give the same
 * bits as the file itself? */
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "choose/choose.h"
#include "cli/steps/bits.h"
#include "cli/steps/first_spec.h"
#include "cli/steps/witness.h"

static bool is_wanted(const struct cli_opts *o, const struct spec_case *c)
{
	for (size_t i = 0; i < o->targets.v.n; i++) {
		struct str name = str_of(o->targets.v.v[i]);
		struct str base = str_sub(name, 0, str_find(name, ":", 0));
		if (str_is(base, c->target->name)) {
			return true;
		}
	}
	return o->targets.v.n == 0;
}

static void say_other_targets(const struct spec *s, const struct cli_opts *o)
{
	struct sbuf has = {0};
	struct sbuf asked = {0};
	for (size_t i = 0; i < s->n; i++) {
		bool known = false;
		for (size_t k = 0; k < i && !known; k++) {
			known = s->v[k].target == s->v[i].target;
		}
		if (!known) {
			sbuf_addf(&has, "%s%s", has.n ? "," : "", s->v[i].target->name);
		}
	}
	for (size_t i = 0; i < o->targets.v.n; i++) {
		sbuf_addf(&asked, "%s%s", i ? ", " : "", o->targets.v.v[i]);
	}
	msg_error("%s has only cases for %s: add %s to its 'targets', or give --target %s", s->path,
		sbuf_cstr(&has), sbuf_cstr(&asked), sbuf_cstr(&has));
	sbuf_release(&has);
	sbuf_release(&asked);
}

/* Keeps only the cases of the requested targets. */
static int select_cases(struct spec *s, const struct cli_opts *o)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++) {
		n += is_wanted(o, &s->v[i]);
	}
	if (n == 0) {
		say_other_targets(s, o);
		return FAIL_USAGE;
	}
	n = 0;
	for (size_t i = 0; i < s->n; i++) {
		if (is_wanted(o, &s->v[i])) {
			s->v[n++] = s->v[i];
		}
	}
	s->n = n;
	return 0;
}

/* On NVIDIA's GPUs, cases that differ only in their target are one case. */
static bool is_seen(const struct spec_case *c, const struct spec_case *before, size_t n)
{
	size_t at = strcspn(c->name, "@");
	for (size_t i = 0; i < n; i++) {
		if (strcspn(before[i].name, "@") == at &&
			strncmp(before[i].name, c->name, at) == 0) {
			return true;
		}
	}
	return false;
}

static bool runs_there(const struct gpu *g, const struct spec_case *c)
{
	bool found = g->archs == 0;
	for (size_t i = 0; i < g->archs; i++) {
		found |= strcmp(g->arch[i], c->target->name) == 0;
	}
	return found;
}

/* Keeps only the cases that the GPU can run. */
static int select_for_gpu(struct spec *s, const struct gpu *g)
{
	size_t n = 0;
	for (size_t i = 0; i < s->n; i++) {
		struct spec_case c = s->v[i];
		if (g->nvidia ? !is_seen(&c, s->v, n) : runs_there(g, &c)) {
			s->v[n++] = c;
		}
	}
	if (n == 0) {
		return fail_usage(
			"%s has no case for the GPU in this machine, %s: add it to 'targets'",
			s->path, g->arch[0]);
	}
	s->n = n;
	return 0;
}

static int use_gpu(
	const struct gpu **out, struct arena *a, struct spec *s, const struct cli_opts *o)
{
	*out = NULL;
	if (o->on != ON_GPU) {
		return 0;
	}
	struct gpu *g = ARENA_NEW(a, struct gpu);
	*out = g;
	int rc = gpu_find(g, a, o->gpu_compiler);
	return rc ? rc : select_for_gpu(s, g);
}

const char *cli_spec_path(struct arena *a, const struct cli_opts *o, const char *file)
{
	const char *beside = spec_path_for(a, file);
	const char *elsewhere = user_config_spec(a, o->config, beside);
	bool there = !elsewhere || file_exists(beside) || !file_exists(elsewhere);

	return o->spec ? o->spec : there ? beside : elsewhere;
}

const char *cli_spec_place(struct arena *a, const struct cli_opts *o, const char *file)
{
	const char *path = cli_spec_path(a, o, file);
	const char *elsewhere = user_config_spec(a, o->config, spec_path_for(a, file));

	return file_exists(path) || !elsewhere ? path : elsewhere;
}

int cli_spec_load(
	struct spec *out, const struct gpu **gpu, struct arena *a, const struct cli_opts *o)
{
	struct target_db *db = ARENA_NEW(a, struct target_db);
	const char *path = cli_spec_path(a, o, o->files.v[0]);
	struct sbuf text = {0};
	bool found = o->spec || file_exists(path);
	if (!found && (o->command != COMMAND_REWRITE || o->on != ON_ISA)) {
		return fail_usage("%s is missing: 'unphi verify --init %s' writes a first one",
			path, o->files.v[0]);
	}
	int rc = found ? file_read(&text, path) : cli_spec_quick(&text, a, o, path);
	rc = rc ? rc : target_db_builtin(db, a);
	rc = rc ? rc : spec_load(out, a, sbuf_str(&text), path, db);
	sbuf_release(&text);
	rc = rc ? rc : select_cases(out, o);
	return rc ? rc : use_gpu(gpu, a, out, o);
}

void cli_warn_of_unrun(struct arena *a, const struct verify_run *run, size_t runs)
{
	static const size_t shown = 10;
	struct verify_arm *arm;
	size_t n = verify_unrun(&arm, a, run, runs);
	for (size_t i = 0; i < n && i < shown; i++) {
		msg_warning("arm %u of %s:%u never ran", arm[i].arm, arm[i].file, arm[i].line);
	}
	if (n > shown) {
		msg_warning("%zu more arms never ran", n - shown);
	}
	if (n > 0) {
		msg_note("no case runs %s: a rewrite's effect there is not verified",
			n == 1 ? "it" : "them");
	}
}

static struct verify_opts opts_of(const struct cli_opts *o, const struct spec *s)
{
	return (struct verify_opts){.spec = s,
		.compiler = o->host_compiler,
		.flags = o->flags,
		.compile_limit_s = o->time_limit_s,
		.run_limit_s = o->case_limit_s,
		.parallel = o->jobs,
		.races = o->no_races ? RACES_ALLOWED : RACES_ERROR,
		.no_cache = o->no_cache};
}

int cli_verify_open(struct verify **out, struct arena *a, const struct spec *s,
	const struct gpu *gpu, const struct verify_machine *machine, const struct cli_opts *o)
{
	struct verify_opts opts = opts_of(o, s);
	opts.gpu = gpu;
	opts.machine = machine;
	return verify_open(out, a, &opts);
}

static int run_original(struct cli_bits *b)
{
	return verify_run(&b->original, b->verify, b->source, 1);
}

/* Runs the machine code of a text, with arguments packed by the launcher of the original file.
 * *source: the text as it was run. */
static int run_machine(struct verify_run **runs, const struct verify_source **source,
	struct cli_bits *b, const struct choose_text *text)
{
	struct verify_source *both = ARENA_ARRAY(b->arena, struct verify_source, 2);
	struct verify_run *all;
	both[0] = *b->source;
	both[0].launches_only = true;
	both[1] = (struct verify_source){
		.path = b->path, .text = text->text, .launched_by_first = true};
	int rc = cli_machine_add(b->machine, &both[1], 1);
	rc = rc ? rc : verify_run(&all, b->verify, both, 2);
	*runs = rc ? NULL : all + b->spec.n;
	*source = &both[1];
	return rc;
}

static int check_original(const struct cli_bits *b)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < b->spec.n; i++) {
		if (b->original[i].status != RUN_OK) {
			rc = fail_input("%s: the original does not run: %-s", b->spec.v[i].name,
				b->original[i].said);
		}
	}
	return rc;
}

static bool has_race(const struct cli_bits *b)
{
	for (size_t i = 0; b->original && i < b->spec.n; i++) {
		const struct verify_run *r = &b->original[i];
		if (r->status == RUN_ERROR && verify_is_race(r->said)) {
			return true;
		}
	}
	return false;
}

/* Loads the spec and runs the original. */
static int open_all(struct cli_bits *b)
{
	struct arena *a = b->arena;
	const struct cli_opts *o = b->opts;
	int rc = cli_spec_load(&b->spec, &b->gpu, a, o);
	if (rc == 0 && o->on == ON_ISA) {
		rc = cli_machine_open(&b->machine, a, o, b->source, 1, &b->spec);
	}
	b->races = o->on == ON_CPU && !o->no_races;
	rc = rc ? rc : cli_verify_open(&b->verify, a, &b->spec, b->gpu, b->machine, o);
	rc = rc ? rc : run_original(b);
	if (rc == 0 && b->races && has_race(b)) {
		msg_note("%s: the original has races between waves (unphi verify says where): "
			 "rewrite keeps its barriers",
			b->path);
		b->races = false;
		struct verify_opts opts = opts_of(o, &b->spec);
		opts.races = RACES_IN_WAVES;
		rc = verify_open(&b->verify, a, &opts);
		rc = rc ? rc : run_original(b);
	}
	rc = rc ? rc : check_original(b);
	if (rc == 0) {
		cli_warn_of_unrun(a, b->original, b->spec.n);
	}
	return rc;
}

int bits_open(struct cli_bits *b)
{
	if (b->open == 0) {
		int rc = open_all(b);
		b->open = rc ? rc : 1;
	}
	return b->open < 0 ? b->open : 0;
}

struct cli_bits *cli_bits_later(struct arena *a, const struct cli_opts *o, struct str source)
{
	struct cli_bits *b = ARENA_NEW(a, struct cli_bits);
	*b = (struct cli_bits){.arena = a, .path = o->files.v[0], .opts = o};
	b->source = ARENA_NEW(a, struct verify_source);
	*b->source = (struct verify_source){.path = b->path, .text = source};
	return b;
}

int cli_bits_open(
	struct cli_bits **out, struct arena *a, const struct cli_opts *o, struct str source)
{
	*out = cli_bits_later(a, o, source);
	return bits_open(*out);
}

void cli_bits_close(struct cli_bits *b)
{
	if (b) {
		cli_machine_close(b->machine);
		array_release(&b->ran);
	}
}

int cli_bits_see_races(void *user)
{
	struct cli_bits *b = user;
	int rc = bits_open(b);
	return rc ? rc : b->races || b->gpu || b->machine;
}

/* The first line of a difference or an error. */
static const char *reason(struct arena *a, const struct verify_result *r)
{
	struct str rest = str_of(r->said);
	struct str line = {0};
	if (r->outcome == VERIFY_UNEQUAL) {
		const struct verify_difference *d = &r->difference[0];
		return arena_printf(a, "unequal bits: %s: %s[%zu] was %s and is %s", r->of->name,
			d->buffer->name, d->index, d->before, d->after);
	}
	if (r->ran) {
		return arena_printf(a, "%s cannot be compared: %s", r->of->name, r->said);
	}
	str_line(&rest, &line);
	return arena_printf(a, "unequal bits: %s does not run: %.*s", r->of->name, STR_ARG(line));
}

static int run_text(struct verify_run **runs, const struct verify_source **as, struct cli_bits *b,
	const struct choose_text *text)
{
	struct verify_source source = {
		b->path, text->text, text->in_place, text->in_places, false, false};
	return b->machine ? run_machine(runs, as, b, text)
			  : verify_run(runs, b->verify, &source, 1);
}

/* The reason why it is not proved: its first line. */
static const char *not_proved(
	const struct cli_bits *b, const struct spec_case *c, const struct cli_proof *p)
{
	bool fused = p->verdict == PROOF_EQUAL_BUT_FUSED;
	struct str said = str_of(p->said);
	struct str line = {0};
	str_line(&said, &line);
	return arena_printf(b->arena, "%s%s: %s%s%.*s", proof_words[p->verdict],
		fused ? ", which --allow-recontraction would take" : " for all data", c->name,
		line.n ? ": " : "", STR_ARG(line));
}

bool bits_equal_for_data(const char **why, struct cli_bits *b, const bool *differs,
	const struct verify_source *source)
{
	const struct verify_source *was = b->ran_as ? b->ran_as : b->source;
	enum proof_verdict least =
		b->opts->allow_recontraction ? PROOF_EQUAL_BUT_FUSED : PROOF_EQUAL_BUT_NANS;
	enum proof_verdict weakest = PROOF_EQUAL;
	for (size_t i = 0; i < b->spec.n; i++) {
		const struct spec_case *c = &b->spec.v[i];
		struct cli_proof p;
		cli_proof_make(&p, b->arena, b->machine, was, source, c, !differs[i]);
		weakest = p.verdict > weakest ? p.verdict : weakest;
		if (p.verdict > least) {
			*why = not_proved(b, c, &p);
			return false;
		}
	}
	*why = proof_words[weakest];
	return true;
}

int bits_differ(
	const char **why, const bool **differ, struct cli_bits *b, const struct verify_run *runs)
{
	bool *differs = ARENA_ARRAY(b->arena, bool, b->spec.n);
	bool provable = b->machine != NULL;
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < b->spec.n && (!*why || provable); i++) {
		struct verify_result r;
		rc = verify_compare(&r, b->verify, i, &b->original[i], &runs[i]);
		differs[i] = rc == 0 && r.outcome != VERIFY_EQUAL;
		if (differs[i]) {
			provable &= b->opts->allow_recontraction && r.outcome == VERIFY_UNEQUAL;
			*why = *why && provable ? *why : reason(b->arena, &r);
		}
	}
	*differ = provable ? differs : NULL;
	return rc;
}

int cli_bits_same(void *user, const struct choose_text *text, const char **why)
{
	struct cli_bits *b = user;
	struct verify_run *runs;
	const struct verify_source *source = NULL;
	const char *difference = NULL;
	int rc = bits_open(b);
	rc = rc ? rc : run_text(&runs, &source, b, text);
	const bool *differs = NULL;
	rc = rc ? rc : bits_differ(&difference, &differs, b, runs);
	if (rc == 0 && differs && (difference || b->opts->all_data)) {
		const char *said;
		difference = bits_equal_for_data(&said, b, differs, source) ? NULL : said;
	}
	*why = difference ? difference : *why;
	return rc ? rc : difference == NULL;
}

/* Runs the file's cases on the CPU: runs of machine code do not record arms. */
static int run_arms(struct cli_bits *b)
{
	struct verify *cpu;
	struct verify_opts opts = opts_of(b->opts, &b->spec);
	opts.races = RACES_IN_WAVES;
	opts.choices = true;
	int rc = verify_open(&cpu, b->arena, &opts);
	return rc ? rc : verify_run(&b->arms, cpu, b->source, 1);
}

/* A message about the first arm in these lines that no run executes; or NULL. */
static const char *unrun_arm(const struct cli_bits *b, struct arena *a,
	const struct verify_run *runs, size_t n, const struct choose_lines *where)
{
	struct verify_arm *arm;
	size_t arms = verify_all_arms(&arm, a, runs, n);
	const char *file = path_real(a, where->path ? where->path : b->path);
	const char *of = where->path ? arena_printf(a, " of %s", where->path) : "";
	bool any = false;
	for (size_t i = 0; i < arms; i++) {
		if (arm[i].line < where->first || arm[i].line > where->last ||
			strcmp(path_real(a, arm[i].file), file) != 0) {
			continue;
		}
		any = true;
		if (where->fixed && where->fixed[arm[i].line - where->first]) {
			continue; /* what no instance has, no data reach */
		}
		if (arm[i].unknown) {
			return arena_printf(a,
				"it is not known which arms of the ?: in line %u%s run",
				arm[i].line, of);
		}
		if (!arm[i].ran) {
			return arena_printf(
				a, "arm %u of line %u%s never runs", arm[i].arm, arm[i].line, of);
		}
	}
	return any || !where->merge ? NULL : "it is not known which of its arms run";
}

const char *cli_bits_unshown(void *user, struct arena *a, const char *kernel,
	const struct target *t, const struct choose_lines *where)
{
	struct cli_bits *b = user;
	struct verify_run *runs = ARENA_ARRAY(a, struct verify_run, b->spec.n);
	size_t n = 0;
	if (!b->arms && run_arms(b) != 0) {
		return "it is not known which of its arms run";
	}
	for (size_t i = 0; i < b->spec.n; i++) {
		const struct spec_case *c = &b->spec.v[i];
		if (strcmp(c->target->name, t->name) != 0 ||
			!cli_machine_same_name(c->kernel, kernel)) {
			continue;
		}
		if (b->arms[i].status != RUN_OK) {
			return arena_printf(a,
				"%s does not run on the CPU, and only CPU runs record arms: %s",
				c->name, b->arms[i].said);
		}
		runs[n++] = b->arms[i];
	}
	const char *why = n ? unrun_arm(b, a, runs, n, where) : "there is no case of it";
	return why ? arena_printf(a, "of %s for %s %s", kernel, t->name, why) : NULL;
}
