/* Proofs for all data, and the search for an input that shows a difference. */
#include "cli/steps/witness.h"

#include <math.h>
#include <string.h>

#include "base/process/proc.h"
#include "isa/witness.h"

enum {
	TRY_SPECIAL = 1,   /* NaNs and infinities */
	TRY_SIGNALING = 2, /* the NaNs are signalling */
	TRIES_IF_EQUAL = 3,
	TRIES_OF_NUMBERS = 6,
	TRIES = 10
};
#define ROUNDS 0.01
#define ROUNDS_OF_LARGEST 0.0025 /* where terms cancel: each of them is rounded, to 2^-9 in bf16 */
#define SPEC_WORDS "with the data of the spec"

const char *const proof_words[] = {
	[PROOF_EQUAL] = "equal for all data",
	[PROOF_EQUAL_BUT_NANS] = "equal for all data, but for the bits of NaNs",
	[PROOF_EQUAL_BUT_FUSED] = "equal but for contraction",
	[PROOF_EQUAL_AS_REALS] = "equal as real numbers",
	[PROOF_DIFFERENT] = "different",
	[PROOF_UNDECIDED] = "not decided",
};

/* The two runs of a case that are compared. */
struct both {
	struct arena *a;
	const struct spec_case *c;
	const struct machine_ran *ran[2];
	const uint8_t **symbols; /* of each buffer */
	bool *given; /* of each buffer: its elements have the spec's values and are no symbols */
	const char **names;
};

static const struct machine_ran *find_ran(const struct verify_machine *machine,
	const struct verify_source *source, const struct spec_case *c)
{
	const struct machine_ran *ran;
	size_t n = cli_machine_ran(&ran, machine);
	for (size_t i = n; i > 0; i--) {
		if (ran[i - 1].source == source && ran[i - 1].of == c) {
			return &ran[i - 1];
		}
	}
	return NULL;
}

static bool is_integer(const struct both *w, size_t i)
{
	return !element_is_float(w->c->buffer[i].type);
}

/* Makes each element of a buffer a symbol, unless it is given. */
static const uint8_t **symbols_of(const struct both *w)
{
	const uint8_t **all = ARENA_ARRAY(w->a, const uint8_t *, w->c->buffers + 1);
	for (size_t i = 0; i < w->c->buffers; i++) {
		const struct spec_buffer *b = &w->c->buffer[i];
		size_t size = element_size(b->type);
		uint8_t *own = w->given[i] ? NULL : arena_calloc(w->a, b->length * size + 1, 1);
		for (size_t k = 0; own && k < b->length; k++) {
			own[k * size] = (uint8_t)size;
		}
		all[i] = own;
	}
	return all;
}

/* ---- data ---- */

/* New contents for buffers of symbols, in place of the spec's: random numbers of a range, or a list
 * with NaNs and infinities. Integers are random, in the range of the spec's fill or in that of
 * their type. */
struct data {
	double low, high;
	uint64_t seed;
	bool special, signaling;
};

static const double special[] = {
	1, (double)NAN, -2, (double)INFINITY, 0.5, -0.0, 3, -(double)INFINITY, 0.25, 0, -1};
#define SPECIAL_WORDS "{values: [1, %s, -2, .inf, 0.5, -0.0, 3, -.inf, 0.25, 0, -1]}%s"

enum {
	SPECIALS = sizeof(special) / sizeof(special[0])
};

static struct fill random_fill(const struct both *w, const struct data *d, size_t i)
{
	const struct spec_buffer *b = &w->c->buffer[i];
	struct fill f = {.kind = FILL_RANDOM,
		.length = b->length,
		.low = d->low,
		.high = d->high,
		.seed = d->seed + i};
	element_range(&f.whole_low, &f.whole_high, b->type);
	if (is_integer(w, i) && b->fill[0].kind == FILL_RANDOM) {
		f.whole_low = b->fill[0].whole_low;
		f.whole_high = b->fill[0].whole_high;
	}
	return f;
}

static void fill_buffer(struct sbuf *out, const struct both *w, const struct data *d, size_t i)
{
	const struct spec_buffer *b = &w->c->buffer[i];
	struct spec_buffer other = *b;
	struct fill fill;
	struct sbuf values = {0};
	if (d && !w->given[i]) {
		bool specials = d->special && element_is_float(b->type);
		fill = random_fill(w, d, i);
		for (size_t k = 0; specials && k < SPECIALS; k++) {
			double x = special[(k + i) % SPECIALS];
			if (isnan(x) && d->signaling) {
				element_put_snan(&values, b->type);
			} else {
				element_put_float(&values, b->type, x);
			}
		}
		fill.kind = specials ? FILL_VALUES : FILL_RANDOM;
		fill.bytes = sbuf_str(&values);
		other.fill = &fill;
		other.fills = 1;
	}
	spec_buffer_fill(out, &other);
	sbuf_release(&values);
}

/* The arguments, with new values for floats. */
static const unsigned char *fill_arguments(
	const struct both *w, const struct machine_ran *r, const struct data *d)
{
	unsigned char *own = arena_memdup(w->a, r->arguments.p, r->arguments.n);
	for (size_t i = 0; d && i < r->floats.n && i < r->arguments.n; i++) {
		float x = (float)(d->low + (d->high - d->low) * (double)((d->seed + i) % 7) / 6);
		double wide = (double)x;
		if (r->floats.p[i] == sizeof(x)) {
			memcpy(own + i, &x, sizeof(x));
		} else if (r->floats.p[i] == sizeof(wide)) {
			memcpy(own + i, &wide, sizeof(wide));
		}
	}
	return own;
}

/* Is the buffer passive: integers that are symbols? If they decide something, they get the spec's
 * values instead (give_integers). */
static bool is_passive(const struct both *w, size_t i)
{
	return !w->given[i] && is_integer(w, i);
}

static const bool *passive_of(const struct both *w)
{
	bool *all = ARENA_ARRAY(w->a, bool, w->c->buffers + 1);
	for (size_t i = 0; i < w->c->buffers; i++) {
		all[i] = is_passive(w, i);
	}
	return all;
}

/* A launch with its own copy of the bytes. */
static struct isa_launch *launch_of(const struct both *w, unsigned which, const struct data *d)
{
	const struct machine_ran *r = w->ran[which];
	struct isa_launch *l = ARENA_NEW(w->a, struct isa_launch);
	*l = (struct isa_launch){.lds_bytes = w->c->lds,
		.arguments = fill_arguments(w, r, d),
		.argument_bytes = r->arguments.n,
		.argument_symbols =
			r->floats.n == r->arguments.n ? (const uint8_t *)r->floats.p : NULL,
		.memory = ARENA_ARRAY(w->a, struct isa_memory, w->c->buffers + 1),
		.memories = w->c->buffers,
		.symbols = w->symbols,
		.passive = passive_of(w),
		.names = w->names,
		.steps_most = cli_machine_limit(r->counts.instructions),
		.early_exit = w->c->early_exit};
	memcpy(l->grid, w->c->grid.v, sizeof(l->grid));
	memcpy(l->block, w->c->block.v, sizeof(l->block));
	for (size_t i = 0; i < w->c->buffers; i++) {
		struct sbuf bytes = {0};
		fill_buffer(&bytes, w, d, i);
		l->memory[i] = (struct isa_memory){r->memory[i].at, r->memory[i].bytes,
			arena_memdup(w->a, bytes.p, bytes.n), false, STR("")};
		sbuf_release(&bytes);
	}
	return l;
}

/* ---- the search for an input ---- */

static bool is_nan(const struct spec_buffer *b, const unsigned char *p)
{
	uint64_t x = 0;
	memcpy(&x, p, element_size(b->type));
	switch (b->type) {
	case ELEMENT_F32:
		return (x & 0x7fffffff) > 0x7f800000;
	case ELEMENT_F64:
		return x << 1 > (uint64_t)0x7ff << 53;
	case ELEMENT_F16:
		return (x & 0x7fff) > 0x7c00;
	case ELEMENT_BF16:
		return (x & 0x7fff) > 0x7f80;
	default:
		return false;
	}
}

/* The largest finite magnitude in a float buffer. */
static double magnitude(const struct spec_buffer *b, const unsigned char *p)
{
	double most = 0;
	for (size_t k = 0; k < b->length; k++) {
		double x = element_float(b->type, (const char *)p + k * element_size(b->type));
		most = isfinite(x) && fabs(x) > most ? fabs(x) : most;
	}
	return most;
}

/* Can rounding explain the difference? Not if one value is infinite. most: the largest magnitude in
 * the buffer. */
static bool may_round(
	const struct spec_buffer *b, const unsigned char *x, const unsigned char *y, double most)
{
	if (!element_is_float(b->type)) {
		return false;
	}
	double u = element_float(b->type, (const char *)x);
	double v = element_float(b->type, (const char *)y);
	return isfinite(u) && isfinite(v) &&
	       fabs(u - v) <= fmax(ROUNDS * fmax(fabs(u), fabs(v)), ROUNDS_OF_LARGEST * most);
}

/* The first element that differs, ignoring NaNs; false: none. rounds: only differences too large
 * for rounding. */
static bool first_difference(
	const char **out, const struct both *w, struct isa_launch *const l[2], bool rounds)
{
	for (size_t i = 0; i < w->c->buffers; i++) {
		const struct spec_buffer *b = &w->c->buffer[i];
		size_t size = element_size(b->type);
		double most =
			rounds && element_is_float(b->type) ? magnitude(b, l[0]->memory[i].p) : 0;
		for (size_t k = 0; k < b->length; k++) {
			const unsigned char *x = l[0]->memory[i].p + k * size;
			const unsigned char *y = l[1]->memory[i].p + k * size;
			if (memcmp(x, y, size) == 0 || (is_nan(b, x) && is_nan(b, y)) ||
				(rounds && may_round(b, x, y, most))) {
				continue;
			}
			struct sbuf s = {0};
			sbuf_addf(&s, "%s[%zu]: ", b->name, k);
			element_show(&s, b->type, (const char *)x);
			sbuf_adds(&s, " before, ");
			element_show(&s, b->type, (const char *)y);
			sbuf_adds(&s, " after");
			*out = arena_strdup(w->a, sbuf_cstr(&s));
			sbuf_release(&s);
			return true;
		}
	}
	return false;
}

/* "with a: {random: [-2, 2], seed: 7}, ...", in a spec's syntax, and the result. */
static const char *input_words(const struct both *w, const struct data *d, const char *what)
{
	struct sbuf s = {0};
	const struct machine_ran *r = w->ran[0];
	if (!d) {
		return arena_printf(w->a, "%s\n%s", SPEC_WORDS, what);
	}
	const unsigned char *arguments = fill_arguments(w, r, d);
	for (size_t i = 0; i < w->c->buffers; i++) {
		if (w->given[i]) {
			continue;
		}
		sbuf_addf(&s, "%s%s: ", s.n ? ", " : "with ", w->c->buffer[i].name);
		if (is_integer(w, i)) {
			struct fill f = random_fill(w, d, i);
			sbuf_addf(&s, "{random: [%lld, %lld], seed: %llu}", (long long)f.whole_low,
				(long long)f.whole_high, (unsigned long long)f.seed);
		} else if (d->special) {
			sbuf_addf(&s, SPECIAL_WORDS, d->signaling ? ".snan" : ".nan",
				i % SPECIALS ? " rotated" : "");
		} else {
			sbuf_addf(&s, "{random: [%g, %g], seed: %llu}", d->low, d->high,
				(unsigned long long)(d->seed + i));
		}
	}
	for (size_t i = 0; i < r->floats.n && i < r->arguments.n; i++) {
		float x;
		if (r->floats.p[i] == sizeof(x)) {
			memcpy(&x, arguments + i, sizeof(x));
			sbuf_addf(&s, "%sthe float argument at byte %zu: %.9g",
				s.n ? ", " : "with ", i, (double)x);
		}
	}
	sbuf_addf(&s, "\n%s", what);
	const char *words = arena_strdup(w->a, sbuf_cstr(&s));
	sbuf_release(&s);
	return words;
}

/* Runs both with these data (NULL: the spec's). Returns the difference, with the data, or NULL.
 * rounds: as in first_difference. */
static const char *run_data(const struct both *w, const struct data *d, bool rounds)
{
	struct isa_launch *l[2];
	const char *what = NULL;
	for (unsigned r = 0; r < 2; r++) {
		struct isa_counts counts;
		const char *said = NULL;
		l[r] = launch_of(w, r, d);
		if (isa_run(&counts, &said, w->a, &w->ran[r]->program, l[r]) != 0) {
			return r && counts.broken
				       ? input_words(w, d,
						 arena_printf(
							 w->a, "the second does not run: %s", said))
				       : NULL;
		}
	}
	return first_difference(&what, w, l, rounds) ? input_words(w, d, what) : NULL;
}

static const char *try_data(const struct both *w, unsigned number, bool rounds)
{
	static const double range[TRIES][2] = {{-2, 2}, {-2, 2}, {-2, 2}, {0, 1}, {-1, 0}, {1, 2},
		{-100, 100}, {-1e-3, 1e-3}, {-1e4, 1e4}, {-16, 16}};
	const struct data d = {.low = range[number][0],
		.high = range[number][1],
		.seed = 1000 + 100 * number,
		.special = number == TRY_SPECIAL || number == TRY_SIGNALING,
		.signaling = number == TRY_SIGNALING};
	return run_data(w, &d, rounds);
}

static const char *search(const struct both *w, unsigned tries)
{
	const char *found = NULL;
	for (unsigned i = 0; !found && i < tries; i++) {
		found = try_data(w, i, false);
	}
	return found;
}

/* For programs that are equal as real numbers: tries only finite numbers. If bits already differ,
 * only narrow ranges: wide ones would lose all digits. */
static const char *search_numbers(const struct both *w, bool same)
{
	const char *found = same ? NULL : run_data(w, NULL, true);
	for (unsigned i = 0; !found && i < (same ? TRIES : TRIES_OF_NUMBERS); i++) {
		bool numbers = i != TRY_SPECIAL && i != TRY_SIGNALING;
		found = numbers ? try_data(w, i, true) : NULL;
	}
	return found;
}

/* ---- verdicts ---- */

static void take_verdict(struct cli_proof *out, const struct isa_witness *k)
{
	static const enum proof_verdict of[] = {[ISA_EQUAL] = PROOF_EQUAL,
		[ISA_EQUAL_BUT_NANS] = PROOF_EQUAL_BUT_NANS,
		[ISA_EQUAL_BUT_FUSED] = PROOF_EQUAL_BUT_FUSED,
		[ISA_EQUAL_AS_REALS] = PROOF_EQUAL_AS_REALS,
		[ISA_NOT_EQUAL] = PROOF_UNDECIDED,
		[ISA_UNDECIDED] = PROOF_UNDECIDED};
	out->verdict = of[k->verdict];
	out->said = k->said ? k->said : "";
	out->symbols = k->symbols;
	out->conditions = k->conditions;
	out->atomics = k->atomics;
	out->words = k->words;
	out->terms = k->terms;
	out->choices = k->choices;
	out->exponentials = k->exponentials;
	out->odds = k->odds;
}

static const char *place_of(const struct both *w, const struct isa_witness *k)
{
	if (!k->at_memory || k->memory >= w->c->buffers) {
		return "";
	}
	const struct spec_buffer *b = &w->c->buffer[k->memory];
	return arena_printf(w->a, "%s[%llu] is ", b->name,
		(unsigned long long)(k->byte / element_size(b->type)));
}

static void judge(
	struct cli_proof *out, const struct both *w, const struct isa_witness *k, bool same)
{
	bool equal = k->verdict <= ISA_EQUAL_BUT_NANS;
	bool fused = k->verdict == ISA_EQUAL_BUT_FUSED;
	bool reals = k->verdict == ISA_EQUAL_AS_REALS;
	take_verdict(out, k);
	if (*out->said && k->at_memory && k->verdict <= ISA_NOT_EQUAL) {
		out->said = arena_printf(w->a, "%s%s", place_of(w, k), out->said);
	}
	if (equal && !same) {
		out->verdict = PROOF_UNDECIDED;
		/* uninitialized data is zero in this run, and arbitrary in the earlier one */
		out->said = run_data(w, NULL, false)
				    ? "the terms are equal, but the bits of the runs are not"
				    : "bits depend on an uninitialized register, LDS or scratch";
		return;
	}
	const char *input = fused   ? NULL
			    : reals ? search_numbers(w, same)
			    : !same ? SPEC_WORDS
				    : search(w, equal ? TRIES_IF_EQUAL : TRIES);
	if (input && equal && !k->conditions) {
		out->verdict = PROOF_UNDECIDED;
		out->said = arena_printf(
			w->a, "the terms are equal, but other data give other bits: %s", input);
	} else if ((reals || fused) && !input) {
		input = try_data(w, TRY_SPECIAL, true);
		input = input ? input : try_data(w, TRY_SIGNALING, true);
		out->verdict = input ? PROOF_EQUAL_AS_REALS : out->verdict;
		out->said = input ? arena_printf(w->a, "not for NaNs or infinities: %s\n%s", input,
					    out->said)
				  : out->said;
	} else if (input) {
		bool undecided = k->verdict != ISA_NOT_EQUAL && !equal;
		out->verdict = PROOF_DIFFERENT;
		out->said = equal || (undecided && !*out->said)
				    ? input
				    : arena_printf(w->a, "%s\n%s", input, out->said);
	}
}

static bool has_integers(const struct both *w)
{
	bool any = false;
	for (size_t i = 0; i < w->c->buffers; i++) {
		any |= is_passive(w, i);
	}
	return any;
}

/* Gives integer buffers the spec's values: those that decide something, or all. Returns an input
 * with other integers for which the results differ, or NULL. */
static const char *give_integers(struct both *w, const struct isa_witness *k)
{
	const char *input = k->verdict == ISA_NOT_EQUAL ? search(w, TRIES_IF_EQUAL) : NULL;
	for (size_t i = 0; i < w->c->buffers; i++) {
		w->given[i] |= is_integer(w, i) && (!k->decides || k->memory == i);
	}
	return input;
}

/* Is a parameter's value the spec's: an integer, or a record? */
static bool is_given(const struct machine_ran *r, const struct isa_parameter *q)
{
	bool known = r->floats.n == r->arguments.n && q->at < r->floats.n;
	return str_is(q->kind, "by_value") && !(known && r->floats.p[q->at]);
}

/* Appends "arguments 3, 5": the parameters that are no symbols, from 1. */
static void add_given_arguments(struct sbuf *s, const struct machine_ran *r)
{
	unsigned number = 0, all = 0;
	bool any = false;
	span_each (r->program.parameter, r->program.parameters, const struct isa_parameter, q) {
		all += is_given(r, q);
	}
	span_each (r->program.parameter, r->program.parameters, const struct isa_parameter, q) {
		number++;
		if (is_given(r, q)) {
			const char *before = all > 1 ? "arguments" : "argument";
			sbuf_addf(s, "%s%s %u", s->n && !any ? " and " : "", any ? "," : before,
				number);
			any = true;
		}
	}
}

static const char *given_words(const struct both *w)
{
	struct sbuf s = {0};
	for (size_t i = 0; i < w->c->buffers; i++) {
		if (w->given[i]) {
			sbuf_addf(&s, "%s%s", s.n ? ", " : "integers of ", w->names[i]);
		}
	}
	add_given_arguments(&s, w->ran[0]);
	const char *words = arena_strdup(w->a, s.n ? sbuf_cstr(&s) : "");
	sbuf_release(&s);
	return words;
}

/* Fills in out; its strings live in w's arena. Integers are symbols only if that proves equal bits:
 * as real numbers they would not overflow, and any order of atomics on them is right. */
static void prove(struct cli_proof *out, struct both *w, bool same)
{
	struct isa_witness k;
	const struct isa_program *const p[] = {&w->ran[0]->program, &w->ran[1]->program};
	w->given = ARENA_ARRAY(w->a, bool, w->c->buffers + 1);
	w->names = ARENA_ARRAY(w->a, const char *, w->c->buffers + 1);
	for (size_t i = 0; i < w->c->buffers; i++) {
		w->names[i] = w->c->buffer[i].name;
	}
	const char *others = NULL;
	for (bool again = true; again;) {
		w->symbols = symbols_of(w);
		const struct isa_launch *const l[] = {launch_of(w, 0, NULL), launch_of(w, 1, NULL)};
		isa_witness(&k, w->a, p, l);
		again = (k.verdict > ISA_EQUAL_BUT_NANS || k.atomics) && has_integers(w);
		others = again ? give_integers(w, &k) : others;
	}
	judge(out, w, &k, same);
	out->given = given_words(w);
	if (others && out->verdict <= PROOF_EQUAL_BUT_NANS) {
		out->verdict = PROOF_DIFFERENT;
		out->said = others;
	}
}

/* Is the result known: for equal code, or from an earlier proof? */
static bool is_known(struct cli_proof *out, const struct verify_machine *machine,
	const struct spec_case *c, const struct isa_program *const p[2])
{
	const struct cli_proof *before = cli_machine_proved(machine, c, p);
	if (isa_program_same(p[0], p[1])) {
		*out = (struct cli_proof){
			.verdict = PROOF_EQUAL, .said = "", .given = "", .same_code = true};
		return true;
	}
	if (before) {
		*out = *before;
		out->seconds = 0;
	}
	return before != NULL;
}

void cli_proof_make(struct cli_proof *out, struct arena *a, struct verify_machine *machine,
	const struct verify_source *before, const struct verify_source *after,
	const struct spec_case *c, bool same)
{
	struct both w = {
		.c = c, .ran = {find_ran(machine, before, c), find_ran(machine, after, c)}};
	*out = (struct cli_proof){
		.verdict = PROOF_UNDECIDED, .said = "it was not run", .given = ""};
	if (!w.ran[0] || !w.ran[1] || w.ran[0]->status != RUN_OK || w.ran[1]->status != RUN_OK) {
		return;
	}
	const struct isa_program *const p[] = {&w.ran[0]->program, &w.ran[1]->program};
	if (!is_known(out, machine, c, p)) {
		double began = proc_own_cpu_s();
		w.a = arena_create();
		prove(out, &w, same);
		out->said = arena_strdup(a, out->said);
		out->given = arena_strdup(a, out->given);
		out->seconds = proc_own_cpu_s() - began;
		arena_free(w.a);
		cli_machine_keep_proof(machine, c, p, arena_memdup(a, out, sizeof(*out)));
	}
}

/* The scope of a verdict on real numbers, in words. */
static const char *reals_scope(struct arena *a, const struct cli_proof *p, const char *terms)
{
	unsigned long long choices = p->choices + p->conditions;
	const char *of = choices ? arena_printf(a,
					   "for data that order and decide like the case's, %llu "
					   "times; ",
					   choices)
				 : "";
	const char *odds =
		p->odds > 0 ? arena_printf(a, "chance of an error below 2^%.0f%s; ",
				      ceil(log2(p->odds)),
				      p->exponentials ? ", exponentials taken for random" : "")
			    : "";
	return arena_printf(a, "of finite numbers; %s%s%s", of, odds, terms);
}

const char *cli_proof_scope(struct arena *a, const struct cli_proof *p)
{
	if (p->same_code) {
		return "the same machine code";
	}
	const char *terms = arena_printf(a, "%llu symbols, %llu words compared",
		(unsigned long long)p->symbols, (unsigned long long)p->words);
	if (p->given[0]) {
		terms = arena_printf(a, "%s as in the spec; %s", p->given, terms);
	}
	if (p->atomics) {
		terms = arena_printf(a, "atomics on data in the run's order, %llu times; %s",
			(unsigned long long)p->atomics, terms);
	}
	if (p->verdict == PROOF_EQUAL_AS_REALS) {
		return reals_scope(a, p, terms);
	}
	return p->conditions ? arena_printf(a, "for data that decide %llu condition%s alike; %s",
				       (unsigned long long)p->conditions,
				       p->conditions == 1 ? "" : "s", terms)
			     : terms;
}
