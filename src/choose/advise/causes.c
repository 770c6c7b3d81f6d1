#include "choose/advise/causes.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/msg.h"

#include "choose/advise/accesses.h"
#include "choose/judge/compile.h"
#include "frontend/parse/flags.h"
#include "frontend/text/lex.h"
#include "measure/ir/merge.h"

enum {
	BLOCK_ASSUMED = 1024, /* threads, where nothing says otherwise */
	BLOCK_USUAL = 256,    /* tried where no launch is known */
	MERGES_SHOWN = 3,
	VARIABLES_SHOWN = 5,
	VARIABLE_MIN_VGPRS = 4,
};

struct search {
	struct state s;
	const struct measure_result *now; /* one a target */
	unsigned wanted;
	ARRAY(struct cause) causes;
};

/* A kernel in question, by one target's compiler. */
struct subject {
	const struct kernel_metrics *k;
	const struct kt_unit *u;
	kt_id id;
	size_t target;
};

static bool spills(const struct kernel_metrics *k)
{
	return k->trusted && k->v[METRIC_VGPR_SPILL] > 0;
}

static bool subject_init(
	struct subject *out, const struct search *q, size_t target, const struct kernel_metrics *k)
{
	const struct kt_unit *u = q->s.parse[target].unit;
	for (kt_id id = 1; id < u->fns; id++) {
		const struct kt_fn *fn = &u->fn[id];
		if (fn->kind == KT_FN_KERNEL && fn->symbol && strcmp(fn->symbol, k->symbol) == 0 &&
			fn->file && !u->file[fn->file].system) {
			*out = (struct subject){k, u, id, target};
			return true;
		}
	}
	return false;
}

static struct cause *add_cause(struct search *q, const struct subject *s, enum cause_kind kind)
{
	const struct kt_fn *fn = &s->u->fn[s->id];
	const struct kt_file *file = &s->u->file[fn->file];
	struct cause c = {.kind = kind,
		.function = fn->name,
		.path = file->path,
		.source = file->text,
		.at = fn->name_at,
		.end = fn->name_at + strlen(fn->base)};
	int64_t weight = s->k->v[METRIC_VGPR_SPILL];
	c.weight = weight > 0 ? (unsigned)weight : 0;
	array_push(&q->causes, c);
	return &q->causes.v[q->causes.n - 1];
}

static bool has_cause(const struct search *q, const struct subject *s, enum cause_kind kind)
{
	const struct kt_fn *fn = &s->u->fn[s->id];
	array_each (&q->causes, const struct cause, c) {
		if (c->kind == kind && strcmp(c->function, fn->name) == 0) {
			return true;
		}
	}
	return false;
}

/* "VGPR spills 80 -> 0, scratch 324 -> 0 bytes, VGPRs 128 -> 164, waves/SIMD 4 -> 2" */
static const char *change(
	struct search *q, const struct kernel_metrics *x, const struct kernel_metrics *y)
{
	static const struct {
		enum metric m;
		const char *name;
	} shown[] = {{METRIC_VGPR_SPILL, "VGPR spills"}, {METRIC_SCRATCH, "scratch bytes"},
		{METRIC_VGPR, "VGPRs"}, {METRIC_RESIDENT_WAVES, "waves/SIMD"}};
	struct sbuf b = {0};
	for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++) {
		int64_t from = x->v[shown[i].m], to = y->v[shown[i].m];
		if (from != to) {
			sbuf_addf(&b, "%s%s %lld -> %lld", b.n ? ", " : "", shown[i].name,
				(long long)from, (long long)to);
		}
	}
	return sbuf_finish(&b, q->s.a).p;
}

/* ---- launch bounds ---- */

/* Threads that all launches of all instantiations of the kernel's text keep to; 0: not certain. */
static int32_t known_block(const struct subject *s)
{
	const struct kt_fn *fn = &s->u->fn[s->id];
	int32_t most = 0;
	for (kt_id id = 1; id < s->u->fns; id++) {
		const struct kt_fn *o = &s->u->fn[id];
		if (o->kind == KT_FN_KERNEL && o->file == fn->file && o->begin == fn->begin) {
			if (o->threads <= 0) {
				return 0;
			}
			most = o->threads > most ? o->threads : most;
		}
	}
	return most;
}

/* "__launch_bounds__(FIRST, SECOND)" as the main file spells it. */
struct bound {
	size_t first, first_end;
	size_t second, second_end; /* with the comma in front; equal: there is none */
	const char *of; /* " of NAME": in the definition of that macro, which others may use */
	const char *attribute; /* second is this one, or NULL */
};

static const char bounds_word[] = "__launch_bounds__";

/* The name that a directive defines; empty: it defines none. */
static struct str defined(struct str text, struct lex_token t)
{
	struct lex_token define = lex_next(text, t.begin + 1);
	struct lex_token k = lex_next(text, define.end);
	bool is = t.kind == LEX_DIRECTIVE && lex_is(text, define, "define") && k.end <= t.end;
	return is ? str_sub(text, k.begin, k.end) : (struct str){0};
}

static bool defined_once(struct str text, struct str name)
{
	size_t n = 0;
	for (struct lex_token t = lex_next(text, 0); t.kind != LEX_END; t = lex_next(text, t.end)) {
		n += str_eq(defined(text, t), name);
	}
	return n == 1;
}

static bool has_word(struct str text, size_t begin, size_t end, struct str word)
{
	struct lex_token t = lex_next(text, begin);
	while (t.kind != LEX_END && t.end <= end && !str_eq(str_sub(text, t.begin, t.end), word)) {
		t = lex_next(text, t.end);
	}
	return t.kind != LEX_END && t.end <= end;
}

static size_t line_begin(struct str text, size_t at)
{
	while (at > 0 && (text.p[at - 1] != '\n' || (at > 1 && text.p[at - 2] == '\\'))) {
		at--;
	}
	return at;
}

/* The word in the kernel's head, else in a macro of this file that its head names, and its end. */
static size_t find_word(struct bound *out, size_t *end, const struct search *q,
	const struct kt_fn *fn, const char *word)
{
	struct str text = q->s.text;
	size_t at = str_find(text, word, line_begin(text, fn->begin));
	size_t begin = line_begin(text, fn->begin);
	size_t body = str_find(text, "{", fn->name_at);
	*end = body;
	if (at < body || body == SIZE_MAX) {
		return at;
	}
	for (at = str_find(text, word, 0); at != SIZE_MAX; at = str_find(text, word, at + 1)) {
		struct lex_token t = lex_next(text, line_begin(text, at));
		struct str name = defined(text, t);
		if (name.n && has_word(text, begin, body, name) && defined_once(text, name)) {
			out->of = arena_printf(q->s.a, " of %.*s", STR_ARG(name));
			*end = t.end;
			return at;
		}
	}
	return SIZE_MAX;
}

static bool find_bound(struct bound *out, const struct search *q, const struct subject *s)
{
	const struct kt_fn *fn = &s->u->fn[s->id];
	size_t end, depth = 1;
	*out = (struct bound){.of = ""};
	size_t at = s->u->file[fn->file].main ? find_word(out, &end, q, fn, bounds_word) : SIZE_MAX;
	size_t i = at == SIZE_MAX ? at : lex_skip_space(q->s.text, at + strlen(bounds_word));
	if (i == SIZE_MAX || i >= end || q->s.text.p[i] != '(') {
		return false;
	}
	out->first = ++i;
	for (; i < end; i++) {
		char c = q->s.text.p[i];
		depth += c == '(';
		depth -= c == ')';
		if (c == ',' && depth == 1 && !out->second) {
			out->second = i;
		}
		if (depth == 0) {
			out->second = out->second ? out->second : i;
			out->second_end = i;
			out->first_end = out->second;
			return true;
		}
	}
	return false;
}

/* Behind the parenthesis that closes the one at i; SIZE_MAX: there is none in front of end. */
static size_t behind_parens(struct str text, size_t i, size_t end)
{
	size_t depth = 0;
	for (bool open = i < end && text.p[i] == '('; open && i < end; i++) {
		depth += text.p[i] == '(';
		depth -= text.p[i] == ')';
		if (depth == 0) {
			return i + 1;
		}
	}
	return SIZE_MAX;
}

/* What bounds the registers and can be taken away: the second argument, or an attribute. */
static bool find_limit(struct bound *out, const struct search *q, const struct subject *s)
{
	static const char *const words[] = {"amdgpu_waves_per_eu", "amdgpu_num_vgpr"};
	const struct kt_fn *fn = &s->u->fn[s->id];
	struct str text = q->s.text;
	if (find_bound(out, q, s) && out->second < out->second_end) {
		return true;
	}
	for (size_t i = 0; s->u->file[fn->file].main && i < sizeof(words) / sizeof(words[0]); i++) {
		size_t end;
		*out = (struct bound){.of = "", .attribute = words[i]};
		size_t at = find_word(out, &end, q, fn, words[i]);
		size_t open = at < end ? lex_skip_space(text, at + strlen(words[i])) : end;
		out->second = at;
		out->second_end = behind_parens(text, open, end);
		size_t scope = strlen("clang::");
		if (at < end && at >= scope && str_is(str_sub(text, at - scope, at), "clang::")) {
			out->second -= scope;
		}
		if (out->second_end != SIZE_MAX) {
			return true;
		}
	}
	return false;
}

static bool has_bounds(const struct search *q, const struct subject *s)
{
	struct bound b;
	const struct kt_fn *fn = &s->u->fn[s->id];
	struct str text = s->u->file[fn->file].text;
	size_t end = str_find(text, "{", fn->name_at);
	struct str head = str_sub(text, fn->begin, end < fn->end ? end : fn->end);
	return find_bound(&b, q, s) || str_find(head, "launch_bounds", 0) != SIZE_MAX ||
	       str_find(head, "flat_work_group_size", 0) != SIZE_MAX;
}

/* The text with an attribute in front of the kernel's name. */
static struct str with_attribute(struct search *q, const struct subject *s, const char *attribute)
{
	struct sbuf b = {0};
	size_t at = s->u->fn[s->id].name_at;
	sbuf_addstr(&b, str_sub(q->s.text, 0, at));
	sbuf_adds(&b, attribute);
	sbuf_addstr(&b, str_sub(q->s.text, at, q->s.text.n));
	return sbuf_finish(&b, q->s.a);
}

/* No kernel of the unit may spill more for it, on any target. */
static bool no_worse(const struct search *q, const struct measure_result *r)
{
	for (size_t t = 0; t < q->s.job->targets; t++) {
		const struct measurement *before = &q->now[t].m;
		for (size_t i = 0; i < before->kernels; i++) {
			const struct kernel_metrics *k = &before->kernel[i];
			const struct kernel_metrics *y = measurement_kernel(&r[t].m, k->symbol);
			if (r[t].status != MEASURE_OK || !y ||
				y->v[METRIC_VGPR_SPILL] > k->v[METRIC_VGPR_SPILL] ||
				y->v[METRIC_SCRATCH] > k->v[METRIC_SCRATCH]) {
				return false;
			}
		}
	}
	return true;
}

/* False when the spills stay. */
static bool try_bounds(struct search *q, const struct subject *s)
{
	int32_t known = known_block(s);
	int32_t block = known ? known : BLOCK_USUAL;
	if (s->k->v[METRIC_GROUP_SIZE] != BLOCK_ASSUMED || block >= BLOCK_ASSUMED ||
		!s->u->file[s->u->fn[s->id].file].main || has_bounds(q, s)) {
		return false;
	}
	/* the macro is HIP's; without its headers the attribute itself */
	const char *forms[] = {arena_printf(q->s.a, "__launch_bounds__(%d) ", block),
		arena_printf(
			q->s.a, "__attribute__((amdgpu_flat_work_group_size(1, %d))) ", block)};
	for (size_t i = 0; i < 2; i++) {
		struct str text = with_attribute(q, s, forms[i]);
		const struct measure_result *r = state_compile(&q->s, &text, 1, true, false);
		if (!r || r[s->target].status != MEASURE_OK) {
			continue;
		}
		const struct kernel_metrics *y = measurement_kernel(&r[s->target].m, s->k->symbol);
		if (!y || !no_worse(q, r) || !(spills(s->k) && !spills(y))) {
			return false;
		}
		struct cause *c = add_cause(q, s, CAUSE_BOUNDS);
		const char *launched =
			known ? arena_printf(q->s.a, "this unit launches it with %d at most", block)
			      : arena_printf(q->s.a,
					"nothing in this unit says how many there are; if there "
					"are "
					"%d at most",
					block);
		c->insert = known ? forms[i] : NULL;
		c->text = arena_printf(q->s.a,
			"'%s' has no launch bounds: the compiler leaves registers for %d threads a "
			"block, and %s. With %.*s: %s (%s)",
			s->k->name, BLOCK_ASSUMED, launched, (int)strlen(forms[i]) - 1, forms[i],
			change(q, s->k, y), q->s.job->target[s->target]->name);
		return true;
	}
	return false;
}

/* ---- bounds that are there ---- */

/* A block whose waves do not fit into the registers of a CU, or larger than the kernel is for. */
static void look_at_launch(struct search *q, const struct subject *s)
{
	const struct target *t = q->s.job->target[s->target];
	const struct kt_fn *fn = &s->u->fn[s->id];
	int64_t group = s->k->v[METRIC_GROUP_SIZE], vgprs = s->k->v[METRIC_VGPR];
	bool lacks = s->k->trusted && s->k->v[METRIC_REGISTER_WAVES] > 0 &&
		     s->k->v[METRIC_RESIDENT_WAVES] == METRIC_ABSENT && s->k->v[METRIC_LDS] == 0;
	if (fn->threads > 0 && group > 0 && fn->threads > group) {
		struct cause *c = add_cause(q, s, CAUSE_BOUNDS);
		c->text = arena_printf(q->s.a,
			"'%s' is launched with %d threads a block, and its bound is %lld: such a "
			"launch fails (%s)",
			s->k->name, fn->threads, (long long)group, t->name);
	} else if (lacks && group > 0) {
		unsigned waves = ((unsigned)group + t->wave_size - 1) / t->wave_size;
		unsigned each = (waves + t->simds - 1) / t->simds;
		struct cause *c = add_cause(q, s, CAUSE_BOUNDS);
		c->text = arena_printf(q->s.a,
			"'%s' cannot be launched with its %lld threads a block: that is %u waves "
			"on a SIMD of %lld VGPRs each, and a SIMD has %u (%s)",
			s->k->name, (long long)group, each, (long long)vgprs, t->vgpr_file,
			t->name);
	}
}

/* Nothing that a bound is given for. */
static bool is_same(const struct kernel_metrics *x, const struct kernel_metrics *y)
{
	static const enum metric looked_at[] = {METRIC_VGPR, METRIC_VGPR_SPILL, METRIC_SCRATCH,
		METRIC_REGISTER_WAVES, METRIC_INSTRUCTION, METRIC_COPY};
	for (size_t i = 0; i < sizeof(looked_at) / sizeof(looked_at[0]); i++) {
		if (x->v[looked_at[i]] != y->v[looked_at[i]]) {
			return false;
		}
	}
	return x->trusted && y->trusted;
}

static void judge_second(struct search *q, const struct subject *s, const struct bound *b,
	const struct kernel_metrics *without)
{
	struct str bound = str_sub(q->s.text, b->first, b->second_end);
	struct str waves = str_trim(str_sub(q->s.text, b->second + 1, b->second_end));
	const char *target = q->s.job->target[s->target]->name;
	bool worse = without && without->trusted && spills(s->k) &&
		     without->v[METRIC_VGPR_SPILL] < s->k->v[METRIC_VGPR_SPILL];
	if (b->attribute && worse) {
		add_cause(q, s, CAUSE_BOUNDS)->text =
			arena_printf(q->s.a, "%.*s%s makes '%s' spill; without it: %s (%s)",
				STR_ARG(str_sub(q->s.text, b->second, b->second_end)), b->of,
				s->k->name, change(q, s->k, without), target);
	} else if (b->attribute) { /* another declaration may say it as well */
	} else if (without && is_same(s->k, without)) {
		add_cause(q, s, CAUSE_BOUNDS)->text = arena_printf(q->s.a,
			"the %.*s waves a SIMD in __launch_bounds__(%.*s)%s do nothing for '%s': "
			"without them it has the same %lld VGPRs and %lld waves (%s)",
			STR_ARG(waves), STR_ARG(bound), b->of, s->k->name,
			(long long)s->k->v[METRIC_VGPR], (long long)s->k->v[METRIC_REGISTER_WAVES],
			target);
	} else if (worse) {
		add_cause(q, s, CAUSE_BOUNDS)->text = arena_printf(q->s.a,
			"the %.*s waves a SIMD (not blocks) that __launch_bounds__(%.*s)%s asks "
			"for "
			"make '%s' spill; without them: %s (%s)",
			STR_ARG(waves), STR_ARG(bound), b->of, s->k->name, change(q, s->k, without),
			target);
	}
}

/* All second arguments are taken away in one text, which is compiled once. */
static void look_at_bounds(struct search *q)
{
	struct edit_list edits = {{0}};
	struct map done = {0};
	for (size_t t = 0; t < q->s.job->targets; t++) {
		for (size_t i = 0; i < q->now[t].m.kernels; i++) {
			struct subject s;
			struct bound b;
			if (!subject_init(&s, q, t, &q->now[t].m.kernel[i])) {
				continue;
			}
			look_at_launch(q, &s);
			if (find_limit(&b, q, &s) &&
				map_set(&done, str_of(arena_printf(q->s.a, "%zu", b.second)), 1)) {
				edit_list_add(&edits, q->s.a, b.second, b.second_end, STR(""));
			}
		}
	}
	size_t clash[2];
	/* kernels come in the compiler's order */
	bool any = edits.edits.n && edit_list_check(&edits, q->s.text.n, clash);
	struct str text = any ? state_edited(&q->s, &edits) : (struct str){0};
	const struct measure_result *r = any ? state_compile(&q->s, &text, 1, true, false) : NULL;
	for (size_t t = 0; r && t < q->s.job->targets; t++) {
		for (size_t i = 0; r[t].status == MEASURE_OK && i < q->now[t].m.kernels; i++) {
			struct subject s;
			struct bound b;
			if (subject_init(&s, q, t, &q->now[t].m.kernel[i]) &&
				find_limit(&b, q, &s) && !has_cause(q, &s, CAUSE_BOUNDS)) {
				judge_second(q, &s, &b, measurement_kernel(&r[t].m, s.k->symbol));
			}
		}
	}
	map_release(&done);
	array_release(&edits.edits);
}

/* The bound of its launches in place of a larger one; false when the spills stay. */
static bool try_smaller(struct search *q, const struct subject *s)
{
	struct bound b;
	int32_t known = known_block(s);
	if (known <= 0 || known >= s->k->v[METRIC_GROUP_SIZE] || !find_bound(&b, q, s)) {
		return false;
	}
	const char *number = arena_printf(q->s.a, "%d", known);
	struct edit_list edits = {{0}};
	edit_list_add(&edits, q->s.a, b.first, b.first_end, str_of(number));
	struct str text = state_edited(&q->s, &edits);
	const struct measure_result *r = state_compile(&q->s, &text, 1, true, false);
	const struct kernel_metrics *y = r && r[s->target].status == MEASURE_OK
						 ? measurement_kernel(&r[s->target].m, s->k->symbol)
						 : NULL;
	bool better = y && y->trusted && no_worse(q, r) && spills(s->k) && !spills(y);
	if (better) {
		struct cause *c = add_cause(q, s, CAUSE_BOUNDS);
		c->text = arena_printf(q->s.a,
			"'%s' is bound to %lld threads a block, and this unit launches it with %d "
			"at most. With __launch_bounds__(%d)%s: %s (%s)",
			s->k->name, (long long)s->k->v[METRIC_GROUP_SIZE], known, known, b.of,
			change(q, s->k, y), q->s.job->target[s->target]->name);
		if (!*b.of) { /* a macro is for all that use it */
			c->edit = arena_memdup(q->s.a, edits.edits.v, sizeof(*edits.edits.v));
			c->edits = 1;
		}
	}
	array_release(&edits.edits);
	return better;
}

/* ---- one arm alone ---- */

struct variable {
	const char *name;
	const char *type;
	unsigned width;
};

static int wider(const void *x, const void *y)
{
	const struct variable *v = x, *w = y;
	return v->width != w->width ? (v->width < w->width) - (v->width > w->width)
				    : strcmp(v->name, w->name);
}

/* The widest private variables of what the kernel runs. */
static const char *widest(struct search *q, const struct subject *s)
{
	struct facts *facts = q->s.parse[s->target].facts;
	ARRAY(struct variable) v = {0};
	for (kt_id i = 1; i < s->u->syms; i++) {
		const struct kt_sym *sym = &s->u->sym[i];
		bool local = sym->kind == KT_S_LOCAL && sym->space == KT_PRIVATE && sym->fn;
		unsigned width = local ? kt_type_width(&s->u->type[sym->type]) : 0;
		kt_id *kernel;
		size_t n = 0;
		if (width >= VARIABLE_MIN_VGPRS && s->u->type[sym->type].kind != KT_T_REFERENCE) {
			facts_kernels_of(&kernel, &n, facts, q->s.a, sym->fn);
		}
		for (size_t k = 0; k < n; k++) {
			if (kernel[k] == s->id) {
				array_push(&v, (struct variable){sym->name,
						       s->u->type[sym->type].name, width});
			}
		}
	}
	struct sbuf b = {0};
	if (v.n > 1) {
		qsort(v.v, v.n, sizeof(*v.v), wider);
	}
	for (size_t i = 0; i < v.n && i < VARIABLES_SHOWN; i++) {
		sbuf_addf(&b, "%s'%s' (%s, %u)", b.n ? ", " : "", v.v[i].name, v.v[i].type,
			v.v[i].width);
	}
	const char *r =
		b.n ? arena_printf(q->s.a, "the widest of its variables, in VGPRs per lane: %s",
			      sbuf_cstr(&b))
		    : "no variable of it is wide: it keeps many values at a time";
	array_release(&v);
	sbuf_release(&b);
	return r;
}

/* one_arm: without a merge the kernel itself. */
static void add_one_arm(
	struct search *q, const struct subject *s, const struct kernel_metrics *one_arm)
{
	const char *alone = one_arm == s->k ? "and no wide accumulator in it crosses a merge"
					    : "also with one arm of every merge alone";
	if (!spills(one_arm) || has_cause(q, s, CAUSE_FLOOR)) {
		return;
	}
	struct cause *c = add_cause(q, s, CAUSE_FLOOR);
	c->text = arena_printf(q->s.a,
		"'%s' needs more registers than there are, %s: %lld VGPR spills, %lld bytes of "
		"scratch (%s); no rewrite of a merge can help",
		s->k->name, alone, (long long)one_arm->v[METRIC_VGPR_SPILL],
		(long long)one_arm->v[METRIC_SCRATCH], q->s.job->target[s->target]->name);
	c->note = ARENA_ARRAY(q->s.a, struct cause_note, 1);
	c->note[c->notes++].text = widest(q, s);
}

/* With one arm alone, one a target; empty where no merge is wide. */
static struct measurement *measure_one_arm(struct search *q)
{
	size_t n;
	struct measurement *one_arm = ARENA_ARRAY(q->s.a, struct measurement, q->s.job->targets);
	struct str *texts = one_arm_texts(&q->s, &n);
	struct measure_result *r = n ? state_compile(&q->s, texts, n, true, false) : NULL;
	if (r) {
		one_arm_take(&q->s, one_arm, r, n);
	}
	return one_arm;
}

static bool reached_by_merge(struct search *q, const struct subject *s)
{
	struct map reached = {0};
	for (size_t i = 0; i < q->s.sites; i++) {
		if (state_is_chained(&q->s, &q->s.site[i])) {
			site_kernels(&reached, &q->s, &q->s.site[i]);
		}
	}
	bool is = map_has(&reached, str_of(s->k->symbol));
	map_release(&reached);
	return is;
}

static void look_at_spills(struct search *q)
{
	struct measurement *one_arm = NULL;
	for (size_t t = 0; t < q->s.job->targets; t++) {
		const struct measurement *m = &q->now[t].m;
		for (size_t i = 0; i < m->kernels; i++) {
			struct subject s;
			if (!spills(&m->kernel[i]) || !subject_init(&s, q, t, &m->kernel[i])) {
				continue;
			}
			if (has_cause(q, &s, CAUSE_BOUNDS) ||
				(q->wanted & CAUSE_BOUNDS &&
					(try_bounds(q, &s) || try_smaller(q, &s))) ||
				!(q->wanted & CAUSE_FLOOR)) {
				continue;
			}
			if (!reached_by_merge(q, &s)) {
				add_one_arm(q, &s, s.k);
				continue;
			}
			one_arm = one_arm ? one_arm : measure_one_arm(q);
			const struct kernel_metrics *f =
				measurement_kernel(&one_arm[t], s.k->symbol);
			if (f) {
				add_one_arm(q, &s, f);
			}
		}
	}
}

/* ---- the probe ---- */

/* Fewer spills, less scratch, more waves, or so many fewer VGPRs that it counts. */
static bool gains(
	const struct search *q, const struct kernel_metrics *x, const struct kernel_metrics *y)
{
	static const enum metric fewer[] = {METRIC_VGPR_SPILL, METRIC_SCRATCH};
	if (!x->trusted || !y->trusted) {
		return false;
	}
	for (size_t i = 0; i < sizeof(fewer) / sizeof(fewer[0]); i++) {
		if (x->v[fewer[i]] != y->v[fewer[i]]) {
			return y->v[fewer[i]] < x->v[fewer[i]];
		}
	}
	if (x->v[METRIC_RESIDENT_WAVES] != y->v[METRIC_RESIDENT_WAVES]) {
		return y->v[METRIC_RESIDENT_WAVES] > x->v[METRIC_RESIDENT_WAVES];
	}
	return x->v[METRIC_VGPR] - y->v[METRIC_VGPR] >= q->s.job->settings->min_gain_vgprs;
}

/* Is it the name of what was compiled, which is a copy of the main file? */
static bool is_copy(const struct search *q, struct str name)
{
	return q->s.dir && str_holds(name, path_base(str_of(q->s.dir)));
}

/* The unit's file that the compiler names so, or 0. */
static kt_id file_of(const struct search *q, const struct kt_unit *u, const char *name)
{
	for (kt_id i = 1; name && i < u->files; i++) {
		if (u->file[i].main ? is_copy(q, str_of(name))
				    : strcmp(u->file[i].path, name) == 0) {
			return i;
		}
	}
	return 0;
}

/* "a.hip:3, b.h:7", with the name that the user knows. */
static const char *chain_of(struct search *q, const char *inlined)
{
	struct sbuf b = {0};
	struct str rest = str_of(inlined), piece;
	while (*inlined && str_split(&rest, ',', &piece)) {
		piece = str_trim(piece);
		size_t line = piece.n;
		while (line > 0 && piece.p[line - 1] != ':') {
			line--;
		}
		struct str file = is_copy(q, piece) ? str_of(q->s.job->path)
						    : str_sub(piece, 0, line ? line - 1 : 0);
		sbuf_addf(&b, "%s%.*s:%.*s", b.n ? ", " : "; inlined at ", STR_ARG(file),
			STR_ARG(str_sub(piece, line, piece.n)));
	}
	return sbuf_finish(&b, q->s.a).p;
}

static size_t offset_of(struct str text, unsigned line, unsigned column)
{
	size_t at = 0;
	for (unsigned i = 1; i < line && at != SIZE_MAX; i++) {
		at = str_find(text, "\n", at);
		at = at == SIZE_MAX ? at : at + 1;
	}
	size_t col = column > 0 ? column - 1 : 0;
	return at == SIZE_MAX || at + col > text.n ? text.n : at + col;
}

/* What the source's account of merges says of this line. */
static const char *known_there(struct search *q, const struct subject *s, kt_id file, unsigned line)
{
	const struct kt_file *f = &s->u->file[file];
	for (size_t i = 0; i < q->s.sites; i++) {
		const struct site *x = &q->s.site[i];
		const struct site_instance *in = &x->instance[0];
		if (strcmp(x->path, f->path) == 0 && in->merge->carriers > 0 &&
			kt_line(in->parse->unit, in->merge->node->file, x->begin) == line) {
			return arena_printf(q->s.a,
				"; the source has %u VGPRs that cross it, of '%s' first",
				x->crossing,
				facts_loc_name(
					in->parse->facts, q->s.a, in->merge->carrier[0].loc));
		}
	}
	size_t at = lex_skip_space(f->text, offset_of(f->text, line, 1));
	struct lex_token first = lex_next(f->text, at);
	if (lex_is(f->text, first, "for") || lex_is(f->text, first, "while")) {
		return "; that is whether a loop runs at all";
	}
	return "; the source has no variable that two of its arms write";
}

static void add_merges(struct search *q, const struct subject *s, struct cause *c, struct str ir)
{
	struct ir_merge *m;
	size_t n;
	ir_merges(&m, &n, q->s.a, ir, s->k->symbol);
	c->note = ARENA_ARRAY(q->s.a, struct cause_note, MERGES_SHOWN);
	for (size_t i = 0; i < n && c->notes < MERGES_SHOWN; i++) {
		kt_id file = file_of(q, s->u, m[i].file);
		struct cause_note *note = &c->note[c->notes];
		if (!m[i].file || (file && s->u->file[file].system)) {
			continue;
		}
		note->text = arena_printf(q->s.a,
			"values of %u VGPRs per lane meet behind the branch in line %u%s%s%s%s",
			m[i].vgprs, m[i].line, file ? "" : " of ", file ? "" : m[i].file,
			file ? known_there(q, s, file, m[i].line) : "", chain_of(q, m[i].inlined));
		if (file) {
			note->path = s->u->file[file].path;
			note->source = s->u->file[file].text;
			note->at = offset_of(note->source, m[i].line, m[i].column);
		}
		c->notes++;
	}
}

/* The IR with lines of the text as it is; one a target. */
static const struct measure_result *compile_ir(struct search *q)
{
	static const char *const lines[] = {"-gline-tables-only", NULL};
	struct compile_as as = {
		state_flags_with(&q->s, lines), .quiet = true, .want_ir = true, .keep_ir = true};
	return state_compile_as(&q->s, &q->s.text, 1, &as);
}

static int probe(struct search *q)
{
	struct compile_as as = {state_flags_with(&q->s, flags_skipping), .quiet = true};
	const struct measure_result *r = state_compile_as(&q->s, &q->s.text, 1, &as);
	const struct measure_result *ir = NULL;
	if (!r) {
		return FAIL_USAGE;
	}
	for (size_t t = 0; t < q->s.job->targets; t++) {
		const struct measurement *m = &q->now[t].m;
		for (size_t i = 0; r[t].status == MEASURE_OK && i < m->kernels; i++) {
			const struct kernel_metrics *y =
				measurement_kernel(&r[t].m, m->kernel[i].symbol);
			struct subject s;
			if (!y || !gains(q, &m->kernel[i], y) ||
				!subject_init(&s, q, t, &m->kernel[i])) {
				continue;
			}
			ir = ir ? ir : compile_ir(q);
			struct cause *c = add_cause(q, &s, CAUSE_PROBE);
			c->weight = (unsigned)s.k->v[METRIC_VGPR];
			c->text = arena_printf(q->s.a,
				"'%s' has a uniform merge that costs registers: with %s %s it has "
				"%s (%s)",
				s.k->name, flags_skipping[0], flags_skipping[1], change(q, s.k, y),
				q->s.job->target[t]->name);
			if (ir && ir[t].status == MEASURE_OK) {
				add_merges(q, &s, c, ir[t].ir);
			}
		}
	}
	return 0;
}

/* ---- accesses ---- */

/* Beside a fix of another kind none of these is offered: they were not measured together. */
static int look_at_accesses(struct search *q)
{
	struct cause *c;
	size_t n;
	bool fixed = false;
	array_each (&q->causes, const struct cause, other) {
		fixed = fixed || other->insert;
	}
	int rc = accesses_find(&c, &n, &q->s, fixed);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		array_push(&q->causes, c[i]);
	}
	return rc;
}

static int run(struct search *q)
{
	int rc = state_parse(&q->s, q->s.text, true);
	if (rc) {
		return rc;
	}
	struct measure_result *now = state_compile(&q->s, &q->s.text, 1, false, false);
	if (!now) {
		return FAIL_USAGE;
	}
	q->now = now;
	for (size_t t = 0; t < q->s.job->targets; t++) {
		if (now[t].status != MEASURE_OK) {
			return FAIL_INPUT;
		}
	}
	if (q->wanted & CAUSE_BOUNDS) {
		look_at_bounds(q);
	}
	if (q->wanted & (CAUSE_BOUNDS | CAUSE_FLOOR)) {
		look_at_spills(q);
	}
	rc = q->wanted & CAUSE_PROBE ? probe(q) : 0;
	return rc || !(q->wanted & CAUSE_ACCESS) ? rc : look_at_accesses(q);
}

int causes_find(struct cause **out, size_t *n, struct arena *a, const struct choose_job *job,
	unsigned wanted)
{
	struct search q = {.s = {.job = job,
				   .a = a,
				   .lines = line_marks_make(a, job->source),
				   .text = job->source},
		.wanted = wanted};
	q.s.opts.threshold = job->settings->min_chained_vgprs;
	q.s.opts.wraps = flags_wrap(job->flags);
	int rc = run(&q);
	state_release_parses(&q.s);
	*n = q.causes.n;
	*out = array_to_arena(a, &q.causes);
	array_release(&q.causes);
	array_release(&q.s.done);
	array_release(&q.s.compiled);
	sbuf_release(&q.s.stamps);
	other_names_release(&q.s.others);
	return rc;
}
