/* Runs two programs, and compares them after each workgroup (witness.h). */
#include "isa/witness.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "isa/normal.h"
#include "isa/reals.h"
#include "isa/shadow.h"

struct witness {
	struct arena *a;
	struct isa_witness *out;
	struct terms t;
	struct isa_launch launch[2];
	struct isa_group group[2];
	size_t memories; /* in both: buffers, and equal variables */
	bool variables_differ;
	struct normal *form;
	struct reals *reals;
};

/* A word of memory, and its terms in the two runs; 0: a constant. */
struct pair {
	struct shadow_touch at;
	term x[2];
	enum isa_verdict verdict;
};

static int by_place(const void *x, const void *y)
{
	const struct shadow_touch *a = &((const struct pair *)x)->at;
	const struct shadow_touch *b = &((const struct pair *)y)->at;
	return a->memory != b->memory ? (a->memory > b->memory) - (a->memory < b->memory)
				      : (a->word > b->word) - (a->word < b->word);
}

static bool same_place(const struct shadow_touch *x, const struct shadow_touch *y)
{
	return x->memory == y->memory && x->word == y->word;
}

/* ---- messages ---- */

static const char *place_words(const struct witness *k, uint32_t place)
{
	const struct isa_group *g = &k->group[place & 1];
	size_t op = place >> 1;
	if (op >= g->p->ops) {
		return "";
	}
	const struct isa_place *at = &g->p->place[op];
	const char *line = isa_where(g, g->p->op[op].line);
	return at->line ? arena_printf(k->a, " (%.*s:%u, %s)", STR_ARG(path_base(at->file)),
				  at->line, line)
			: arena_printf(k->a, " (%s)", line);
}

static const char *term_words_of(const struct witness *k, term x)
{
	struct sbuf s = {0};
	if (!x) {
		return "a constant";
	}
	term_show(&s, &k->t, x, 2);
	bool has_place = term_kind_of(&k->t, x) == TERM_OP;
	sbuf_adds(&s, has_place ? place_words(k, term_place(&k->t, x)) : "");
	const char *words = arena_strdup(k->a, sbuf_cstr(&s));
	sbuf_release(&s);
	return words;
}

static bool is_alike(const struct terms *t, term x, term y)
{
	bool ops = term_kind_of(t, x) == TERM_OP && term_kind_of(t, y) == TERM_OP;
	size_t n;
	return x == y || (ops && term_words(t, x, &n)[0] == term_words(t, y, &n)[0]);
}

/* Are the two sources of one operation, which commute, in the other order? */
static bool is_swapped(
	const struct terms *t, term x, const uint32_t *a, const uint32_t *b, size_t n)
{
	static const char *const floats[] = {"v_add_f", "v_mul_f", "v_max_f", "v_min_f", NULL};
	if (n != 3 || a[0] < TERM_BASICS || is_alike(t, a[1], b[1])) {
		return false;
	}
	const char *row = term_op_of(t, x)->name;
	bool commutes = fold_commutes(row) == 2 || str_starts_any(str_of(row), floats);
	return commutes && is_alike(t, a[1], b[2]) && is_alike(t, a[2], b[1]);
}

/* Replaces two terms of one operation by the oldest pair of differing sources, which may have
 * caused the later differences. False: they are not of one operation. */
static bool descend(const struct terms *t, term *x, term *y)
{
	size_t n, m;
	if (term_kind_of(t, *x) != term_kind_of(t, *y)) {
		return false;
	}
	const uint32_t *a = term_words(t, *x, &n);
	const uint32_t *b = term_words(t, *y, &m);
	bool word = term_kind_of(t, *x) == TERM_WORD;
	if (n != m || (!word && (term_kind_of(t, *x) != TERM_OP || a[0] != b[0]))) {
		return false;
	}
	const uint32_t other[] = {b[0], n == 3 ? b[2] : 0, b[1]};
	b = !word && is_swapped(t, *x, a, b, n) ? other : b;
	term found[2] = {0, 0};
	for (size_t i = word ? 0 : 1; i < n; i += word ? 2 : 1) {
		if (word && (a[i + 1] != b[i + 1] || !a[i] != !b[i])) {
			return false; /* its bytes are moved differently */
		}
		term last = a[i] > b[i] ? a[i] : b[i];
		if (a[i] != b[i] && (!found[0] || last < found[0])) {
			found[0] = last;
			found[1] = a[i] > b[i] ? b[i] : a[i];
			*x = a[i];
			*y = b[i];
		}
	}
	return found[0] != 0;
}

/* Is it an instruction's result? The search stops there. */
static bool is_row(const struct terms *t, term x)
{
	size_t n;
	return term_kind_of(t, x) == TERM_OP && term_words(t, x, &n)[0] != TERM_LIST;
}

static void say_pair(struct witness *k, const char *what, term x, term y)
{
	term shown[2] = {x, y};
	while (x && y && descend(&k->t, &x, &y)) {
		if (is_row(&k->t, x) && is_row(&k->t, y)) {
			shown[0] = x;
			shown[1] = y;
		}
	}
	x = shown[0];
	y = shown[1];
	k->out->said = arena_printf(
		k->a, "%s: %s, and %s", what, term_words_of(k, x), term_words_of(k, y));
}

/* ---- comparison ---- */

/* Lists all words that either run wrote, each once. */
static size_t list_pairs(struct pair **out, const struct witness *k)
{
	const struct isa_shadow *a = k->group[0].shadow;
	const struct isa_shadow *b = k->group[1].shadow;
	size_t n = 0, all = a->touched.n + b->touched.n;
	struct pair *v = mem_zeroed(all + 1, sizeof(*v));
	for (size_t i = 0; i < all; i++) {
		v[i].at = i < a->touched.n ? a->touched.v[i] : b->touched.v[i - a->touched.n];
	}
	qsort(v, all, sizeof(*v), by_place);
	for (size_t i = 0; i < all && v[i].at.memory < k->memories; i++) {
		if (n == 0 || !same_place(&v[n - 1].at, &v[i].at)) {
			v[n++] = v[i];
		}
	}
	*out = v;
	return n;
}

static uint32_t constant_at(const struct isa_shadow *h, const struct shadow_touch *at)
{
	const struct isa_memory *m = h->memory[at->memory].of;
	uint64_t byte = 4 * (uint64_t)at->word;
	uint32_t x = 0;
	memcpy(&x, m->p + byte, m->bytes - byte < 4 ? m->bytes - byte : 4);
	return x;
}

/* The terms of both runs at a word; a constant becomes a term if the other one is a term. */
static void take_pair(struct pair *p, const struct witness *k)
{
	for (unsigned i = 0; i < 2; i++) {
		struct isa_shadow *h = k->group[i].shadow;
		p->x[i] = isa_shadow_word(h, p->at.memory, p->at.word);
	}
	for (unsigned i = 0; i < 2; i++) {
		if (!p->x[i] && p->x[!i]) {
			p->x[i] = term_constant(
				k->group[i].shadow->t, constant_at(k->group[i].shadow, &p->at));
		}
	}
}

static void weaken(struct witness *k, enum isa_verdict v)
{
	k->out->verdict = v > k->out->verdict ? v : k->out->verdict;
}

static enum isa_verdict compare_words(struct witness *k, term x, term y)
{
	enum isa_verdict v = normal_compare(k->form, x, y);
	return v == ISA_NOT_EQUAL && reals_same(k->reals, x, y) ? ISA_EQUAL_AS_REALS : v;
}

/* Continues with the first run's value in both runs: the difference is already reported. */
static void copy_first_run(const struct witness *k, const struct shadow_touch *at)
{
	const struct isa_memory *x = &k->launch[0].memory[at->memory];
	const struct isa_memory *y = &k->launch[1].memory[at->memory];
	uint64_t byte = 4 * (uint64_t)at->word;
	memcpy(y->p + byte, x->p + byte, x->bytes - byte < 4 ? x->bytes - byte : 4);
}

static void compare_pairs(struct witness *k)
{
	struct pair *v;
	size_t n = list_pairs(&v, k);
	for (size_t i = 0; i < n && k->out->verdict < ISA_NOT_EQUAL; i++) {
		struct pair *p = &v[i];
		take_pair(p, k);
		k->out->words += p->x[0] != 0;
		if (p->x[0] == p->x[1]) {
			continue;
		}
		p->verdict = compare_words(k, p->x[0], p->x[1]);
		if (p->verdict > k->out->verdict && p->verdict > ISA_EQUAL_BUT_NANS) {
			k->out->at_memory = true;
			k->out->memory = p->at.memory;
			k->out->byte = 4 * (uint64_t)p->at.word;
			/* what an allowed contraction explains is no answer */
			bool more = p->verdict > ISA_EQUAL_BUT_FUSED;
			enum isa_verdict form = more ? ISA_EQUAL_BUT_FUSED : ISA_EQUAL;
			say_pair(k, "computed differently", normal_form(k->form, form, p->x[0]),
				normal_form(k->form, form, p->x[1]));
		}
		weaken(k, p->verdict);
	}
	/* from here on they count as equal */
	for (size_t i = 0; i < n && k->out->verdict < ISA_NOT_EQUAL; i++) {
		for (unsigned r = 0; r < 2; r++) {
			if (v[i].verdict == ISA_EQUAL_BUT_NANS) {
				isa_shadow_nans(k->group[r].shadow, v[i].at);
			} else {
				isa_shadow_fresh(k->group[r].shadow, v[i].at, v[i].x[0] != 0);
			}
		}
		if (v[i].verdict != ISA_EQUAL) {
			copy_first_run(k, &v[i].at);
		}
	}
	free(v);
}

/* Resets the other words: arguments become symbols again. Variables must not hold symbols. */
static void reset_others(struct witness *k)
{
	for (unsigned r = 0; r < 2; r++) {
		struct isa_shadow *h = k->group[r].shadow;
		array_each (&h->touched, const struct shadow_touch, at) {
			const struct shadow_memory *m = &h->memory[at->memory];
			bool any = at->memory >= k->memories && m->word[at->word];
			if (any && m->number == SHADOW_ARGUMENTS) {
				isa_shadow_fresh(h, *at, true);
			} else if (any) {
				k->out->verdict = ISA_UNDECIDED;
				k->out->said =
					"a device variable holds a value that depends on data";
			}
		}
	}
}

/* A decision of one run that the other does not make; 0: none. */
static term missing(const term *a, size_t n, const term *b, size_t m)
{
	for (size_t i = 0, k = 0; i < n; i++) {
		while (k < m && b[k] < a[i]) {
			k++;
		}
		if (k == m || b[k] != a[i]) {
			return a[i];
		}
	}
	return 0;
}

static int by_key(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x;
	uint64_t b = *(const uint64_t *)y;
	return (a > b) - (a < b);
}

/* The keys of the decisions as real numbers, sorted, each once. */
static size_t condition_keys(uint64_t **out, struct witness *k, const struct isa_shadow *h)
{
	size_t n = h->condition.n, kept = 0;
	uint64_t *key = mem_zeroed(n + 1, sizeof(*key));
	for (size_t i = 0; i < n; i++) {
		key[i] = reals_key(k->reals, h->condition.v[i]);
	}
	qsort(key, n, sizeof(*key), by_key);
	for (size_t i = 0; i < n; i++) {
		key[kept] = key[i];
		kept += kept == 0 || key[i] != key[kept - 1];
	}
	*out = key;
	return kept;
}

static bool decide_as_reals(struct witness *k)
{
	uint64_t *key[2];
	size_t n[2];
	for (unsigned r = 0; r < 2; r++) {
		n[r] = condition_keys(&key[r], k, k->group[r].shadow);
	}
	bool same = n[0] == n[1] && memcmp(key[0], key[1], n[0] * sizeof(*key[0])) == 0;
	free(key[0]);
	free(key[1]);
	return same;
}

/* A run's decisions in normal form, sorted. */
static term *sorted_forms(struct witness *k, const struct isa_shadow *h, enum isa_verdict v)
{
	size_t n = h->condition.n;
	term *form = mem_zeroed(n + 1, sizeof(*form));
	for (size_t i = 0; i < n; i++) {
		form[i] = normal_form(k->form, v, h->condition.v[i]);
	}
	qsort(form, n, sizeof(*form), term_by_number);
	return form;
}

static void compare_conditions(struct witness *k)
{
	const struct isa_shadow *h[] = {k->group[0].shadow, k->group[1].shadow};
	term only[2] = {0, 0};
	k->out->conditions += h[0]->condition.n;
	for (enum isa_verdict v = ISA_EQUAL; v <= ISA_EQUAL_BUT_FUSED; v++) {
		term *form[2] = {sorted_forms(k, h[0], v), sorted_forms(k, h[1], v)};
		for (unsigned r = 0; r < 2; r++) {
			only[r] = missing(form[r], h[r]->condition.n, form[!r], h[!r]->condition.n);
		}
		free(form[0]);
		free(form[1]);
		if (!only[0] && !only[1]) {
			weaken(k, v);
			return;
		}
	}
	weaken(k, ISA_EQUAL_AS_REALS);
	if (!decide_as_reals(k)) {
		k->out->verdict = ISA_UNDECIDED;
		k->out->said =
			arena_printf(k->a, "the %s makes a decision that the other does not: %s",
				only[0] ? "first" : "second",
				term_words_of(k, only[0] ? only[0] : only[1]));
	}
}

/* Compares the memory without terms. */
static void compare_constants(struct witness *k)
{
	const struct isa_shadow *h = k->group[0].shadow;
	for (size_t i = 0; i < k->memories && k->out->verdict < ISA_NOT_EQUAL; i++) {
		const struct isa_memory *x = &k->launch[0].memory[i];
		const struct isa_memory *y = &k->launch[1].memory[i];
		for (uint64_t byte = 0; byte < x->bytes; byte++) {
			if (!h->memory[i].word[byte / 4] && x->p[byte] != y->p[byte]) {
				k->out->verdict = ISA_NOT_EQUAL;
				k->out->said = "the programs write different constants";
				k->out->at_memory = true;
				k->out->memory = i;
				k->out->byte = byte;
				return;
			}
		}
	}
}

static void count_symbols(struct witness *k)
{
	const struct isa_launch *l = &k->launch[0];
	for (size_t i = 0; i < l->memories; i++) {
		for (uint64_t b = 0; l->symbols[i] && b < l->memory[i].bytes; b++) {
			k->out->symbols += l->symbols[i][b] != 0;
		}
	}
}

static void run_groups(struct witness *k)
{
	const unsigned *grid = k->launch[0].grid;
	uint64_t groups = (uint64_t)grid[0] * grid[1] * grid[2];
	for (uint64_t i = 0; i < groups && k->out->verdict < ISA_NOT_EQUAL; i++) {
		terms_clear(&k->t);
		normal_clear(k->form);
		reals_clear(k->reals);
		for (unsigned r = 0; r < 2; r++) {
			const struct isa_wave *wrong = isa_group_run(&k->group[r], i);
			if (wrong) {
				size_t decider = k->group[r].shadow->decider;
				k->out->decides = decider != 0;
				k->out->memory = decider ? decider - 1 : 0;
				k->out->verdict = ISA_UNDECIDED;
				k->out->said = arena_printf(k->a, "%s: %s",
					r ? "the second" : "the first", isa_wave_words(wrong));
				return;
			}
		}
		compare_conditions(k);
		compare_pairs(k);
		reset_others(k);
		if (k->group[0].shadow->nans_read || k->group[1].shadow->nans_read) {
			/* a NaN's bits are not tracked between workgroups */
			weaken(k, ISA_EQUAL_BUT_FUSED);
		}
		if (k->t.full) {
			k->out->verdict = ISA_UNDECIDED;
			k->out->said = "the terms exceed the memory limit";
		}
	}
	compare_constants(k);
}

static void take_reals(struct isa_witness *out, const struct reals_count *c)
{
	out->choices = c->choices;
	out->exponentials = c->powers;
	out->odds = c->odds;
}

static bool same_memories(const struct isa_launch *const l[2])
{
	bool same = l[0]->memories == l[1]->memories;
	for (size_t i = 0; same && i < l[0]->memories; i++) {
		same = l[0]->memory[i].at == l[1]->memory[i].at &&
		       l[0]->memory[i].bytes == l[1]->memory[i].bytes;
	}
	return same && memcmp(l[0]->grid, l[1]->grid, sizeof(l[0]->grid)) == 0 &&
	       memcmp(l[0]->block, l[1]->block, sizeof(l[0]->block)) == 0;
}

/* Variables come after the buffers, constants last. Do both programs have the same ones? */
static void take_variables(struct witness *k, const struct isa_program *const p[2])
{
	size_t n[2] = {0, 0};
	bool same = true;
	for (unsigned r = 0; r < 2; r++) {
		span_each (p[r]->data, p[r]->datas, const struct isa_memory, m) {
			n[r] += !m->constant;
			same &= m->constant || m->name.n;
		}
	}
	same &= n[0] == n[1];
	for (size_t i = k->memories; same && i < k->memories + n[0]; i++) {
		const struct isa_memory *x = &k->launch[0].memory[i];
		const struct isa_memory *y = &k->launch[1].memory[i];
		same = str_eq(x->name, y->name) && x->bytes == y->bytes &&
		       memcmp(x->p, y->p, x->bytes) == 0;
	}
	k->memories += same ? n[0] : 0;
	k->variables_differ = !same;
}

static void name_memories(struct witness *k, const struct isa_launch *l)
{
	const char **name = ARENA_ARRAY(k->a, const char *, k->memories + 1);
	for (size_t i = 0; i < k->memories; i++) {
		struct str own = k->launch[0].memory[i].name;
		name[i] = i >= l->memories ? arena_strndup(k->a, own.p, own.n)
			  : l->names	   ? l->names[i]
					   : "memory";
	}
	k->t.name = name;
	k->t.names = k->memories;
}

/* If the programs have different variables, these must not change. */
static void check_variables(struct witness *k, const struct isa_program *const p[2])
{
	for (unsigned r = 0; k->variables_differ && r < 2 && k->out->verdict < ISA_NOT_EQUAL; r++) {
		for (size_t i = 0; i < p[r]->datas; i++) {
			const struct isa_memory *was = &p[r]->data[i];
			span_each (k->launch[r].memory, k->launch[r].memories,
				const struct isa_memory, m) {
				if (m->at == was->at && memcmp(m->p, was->p, was->bytes) != 0) {
					k->out->verdict = ISA_UNDECIDED;
					k->out->said = "a device variable of only one program "
						       "changes";
				}
			}
		}
	}
}

void isa_witness(struct isa_witness *out, struct arena *a, const struct isa_program *const p[2],
	const struct isa_launch *const l[2])
{
	struct witness k = {.a = a, .out = out, .memories = l[0]->memories};
	*out = (struct isa_witness){.verdict = ISA_EQUAL};
	if (!same_memories(l)) {
		BUG("the two launches differ");
	}
	terms_init(&k.t, a);
	for (unsigned r = 0; r < 2; r++) {
		struct isa_group *g = &k.group[r];
		k.launch[r] = isa_launch_whole(a, p[r], l[r]);
		*g = (struct isa_group){.a = a, .p = p[r], .l = &k.launch[r]};
		g->count = ARENA_ARRAY(a, struct isa_op_count, p[r]->ops + 1);
		isa_group_open(g);
		isa_shadow_open(g, &k.t, r);
	}
	count_symbols(&k);
	take_variables(&k, p);
	name_memories(&k, l[0]);
	k.form = normal_open(&k.t);
	k.reals = reals_open(&k.t);
	run_groups(&k);
	check_variables(&k, p);
	take_reals(out, reals_count(k.reals));
	out->terms = k.t.made;
	out->atomics = k.group[0].shadow->atomics;
	normal_close(k.form);
	reals_close(k.reals);
	isa_shadow_release(k.group[0].shadow);
	isa_shadow_release(k.group[1].shadow);
	terms_release(&k.t);
}
