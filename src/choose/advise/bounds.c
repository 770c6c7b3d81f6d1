#include <string.h>

#include "analysis/facts/launch.h"
#include "choose/advise/causing.h"
#include "frontend/text/lex.h"

enum {
	BLOCK_ASSUMED = 1024, /* threads, without any other bound */
	BLOCK_USUAL = 256     /* tried without a known launch */
};

/* The largest block in all launches of all instantiations of the kernel's text; 0: unknown. */
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

static const char bounds_word[] = "__launch_bounds__";

/* The name that a #define defines; empty for other tokens. */
static struct str defined(struct str text, struct lex_token t)
{
	struct lex_token define = lex_next(text, t.begin + 1);
	struct lex_token k = lex_next(text, define.end);
	bool is = t.kind == LEX_DIRECTIVE && lex_is(text, define, "define") && k.end <= t.end;
	return is ? lex_text(text, k) : (struct str){0};
}

static bool defined_once(struct str text, struct str name)
{
	size_t n = 0;
	lex_each (t, text, 0, text.n) {
		n += str_eq(defined(text, t), name);
	}
	return n == 1;
}

static size_t line_begin(struct str text, size_t at)
{
	while (at > 0 && (text.p[at - 1] != '\n' || (at > 1 && text.p[at - 2] == '\\'))) {
		at--;
	}
	return at;
}

/* Finds the word in the kernel's head, else in a macro of this file that the head names. */
static size_t find_word(struct bound *out, size_t *end, const struct causing *q,
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
		if (name.n && lex_has_word(text, begin, body, name) && defined_once(text, name)) {
			out->of = arena_printf(q->s.a, " of %.*s", STR_ARG(name));
			*end = t.end;
			return at;
		}
	}
	return SIZE_MAX;
}

bool cause_find_bound(struct bound *out, const struct causing *q, const struct subject *s)
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

/* The offset after the parenthesis that closes the one at i; SIZE_MAX: none before end. */
static size_t after_parens(struct str text, size_t i, size_t end)
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

/* Finds a removable limit on registers: the second argument, or an attribute. */
static bool find_limit(struct bound *out, const struct causing *q, const struct subject *s)
{
	static const char *const words[] = {"amdgpu_waves_per_eu", "amdgpu_num_vgpr"};
	const struct kt_fn *fn = &s->u->fn[s->id];
	struct str text = q->s.text;
	if (cause_find_bound(out, q, s) && out->second < out->second_end) {
		return true;
	}
	for (size_t i = 0; s->u->file[fn->file].main && i < sizeof(words) / sizeof(words[0]); i++) {
		size_t end;
		*out = (struct bound){.of = "", .attribute = words[i]};
		size_t at = find_word(out, &end, q, fn, words[i]);
		size_t open = at < end ? lex_skip_space(text, at + strlen(words[i])) : end;
		out->second = at;
		out->second_end = after_parens(text, open, end);
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

static bool has_bounds(const struct causing *q, const struct subject *s)
{
	struct bound b;
	const struct kt_fn *fn = &s->u->fn[s->id];
	struct str text = s->u->file[fn->file].text;
	size_t end = str_find(text, "{", fn->name_at);
	struct str head = str_sub(text, fn->begin, end < fn->end ? end : fn->end);
	return fn->bound != 0 || cause_find_bound(&b, q, s) ||
	       str_find(head, "launch_bounds", 0) != SIZE_MAX ||
	       str_find(head, "flat_work_group_size", 0) != SIZE_MAX;
}

/* The text with an attribute before the kernel's name. */
static struct str with_attribute(struct causing *q, const struct subject *s, const char *attribute)
{
	struct sbuf b = {0};
	size_t at = s->u->fn[s->id].name_at;
	sbuf_addstr(&b, str_sub(q->s.text, 0, at));
	sbuf_adds(&b, attribute);
	sbuf_addstr(&b, str_sub(q->s.text, at, q->s.text.n));
	return sbuf_finish(&b, q->s.a);
}

/* Is it more than the change that other code of the file causes in a spilling kernel? */
static bool is_more(int64_t now, int64_t before)
{
	enum {
		NOISE = 32 /* 1/32 */
	};
	return now > before + before / NOISE;
}

/* In r, a result for each target: does no kernel spill more than now? */
static bool spills_no_more(const struct causing *q, const struct measure_result *r)
{
	for (size_t t = 0; t < q->s.job->targets; t++) {
		const struct measurement *before = &q->now[t].m;
		span_each (before->kernel, before->kernels, const struct kernel_metrics, k) {
			const struct kernel_metrics *y = measurement_kernel(&r[t].m, k->symbol);
			if (r[t].status != MEASURE_OK || !y ||
				is_more(y->v[METRIC_VGPR_SPILL], k->v[METRIC_VGPR_SPILL]) ||
				is_more(y->v[METRIC_SCRATCH], k->v[METRIC_SCRATCH])) {
				return false;
			}
		}
	}
	return true;
}

bool cause_try_bounds(struct causing *q, const struct subject *s)
{
	int32_t known = known_block(s);
	int32_t shown = (int32_t)launch_block_shown(q->s.parse[s->target].facts, s->id);
	int32_t block = known ? known : shown ? shown : BLOCK_USUAL;
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
		const struct kernel_metrics *y = cause_after(&r[s->target], s->k);
		if (!y || !spills_no_more(q, r) || !(cause_spills(s->k) && !cause_spills(y))) {
			return false;
		}
		struct cause *c = cause_add(q, s, CAUSE_BOUNDS);
		const char *launched =
			known ? arena_printf(q->s.a, "this unit launches it with %d at most", block)
			: shown ? arena_printf(q->s.a, "its own indices are those of blocks of %d",
					  block)
				: arena_printf(q->s.a,
					  "nothing in this unit says how many there are; if there "
					  "are %d at most",
					  block);
		c->insert = known ? forms[i] : NULL;
		c->text = arena_printf(q->s.a,
			"'%s' has no launch bounds: the compiler leaves registers for %d threads a "
			"block, and %s. With %.*s: %s (%s)",
			s->k->name, BLOCK_ASSUMED, launched, (int)strlen(forms[i]) - 1, forms[i],
			cause_change(q, s->k, y), q->s.job->target[s->target]->name);
		return true;
	}
	return false;
}

/* ---- existing bounds ---- */

static unsigned waves_on_simd(const struct target *t, int64_t threads)
{
	unsigned waves = ((unsigned)threads + t->wave_size - 1) / t->wave_size;
	return (waves + t->simds - 1) / t->simds;
}

static bool lacks_registers(const struct subject *s, const struct target *t, int64_t threads)
{
	int64_t fit = s->k->v[METRIC_REGISTER_WAVES];
	return fit > 0 && waves_on_simd(t, threads) > fit;
}

/* Reports a launch whose waves do not fit into the registers of a CU, or whose block exceeds the
 * bound. It uses the registers that the loader reserves, which include those of calls. */
static void look_at_launch(struct causing *q, const struct subject *s)
{
	const struct target *t = q->s.job->target[s->target];
	const struct kt_fn *fn = &s->u->fn[s->id];
	int64_t group = s->k->v[METRIC_GROUP_SIZE], vgprs = s->k->v[METRIC_VGPR];
	/* without a bound the compiler's assumption does not limit launches */
	bool launched = fn->threads > 0 && (!has_bounds(q, s) || fn->threads < group);
	bool lacks = group > 0 && s->k->v[METRIC_RESIDENT_WAVES] == METRIC_ABSENT &&
		     lacks_registers(s, t, group);
	bool fails = launched ? lacks_registers(s, t, fn->threads) : has_bounds(q, s);
	if (fn->threads > 0 && group > 0 && fn->threads > group) {
		struct cause *c = cause_add(q, s, CAUSE_BOUNDS);
		c->fails = true;
		c->text = arena_printf(q->s.a,
			"'%s' is launched with %d threads a block, and its bound is %lld: such a "
			"launch fails (%s)",
			s->k->name, fn->threads, (long long)group, t->name);
	} else if (lacks) {
		struct cause *c = cause_add(q, s, CAUSE_BOUNDS);
		c->fails = fails;
		c->text = arena_printf(q->s.a,
			"'%s' cannot be launched with %s%lld threads a block: that is %u waves "
			"on a SIMD of %lld VGPRs each, and a SIMD has %u%s (%s)",
			s->k->name, has_bounds(q, s) ? "its " : "the ", (long long)group,
			waves_on_simd(t, group), (long long)vgprs, t->vgpr_file,
			s->k->v[METRIC_CALL] > 0 ? "; functions that it calls count as well" : "",
			t->name);
	}
}

/* Are all figures that a bound may change the same? */
static bool is_same(const struct kernel_metrics *x, const struct kernel_metrics *y)
{
	static const enum metric metrics[] = {METRIC_VGPR, METRIC_VGPR_SPILL, METRIC_SCRATCH,
		METRIC_REGISTER_WAVES, METRIC_INSTRUCTION, METRIC_COPY};
	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++) {
		if (x->v[metrics[i]] != y->v[metrics[i]]) {
			return false;
		}
	}
	return x->trusted && y->trusted;
}

static void judge_second(struct causing *q, const struct subject *s, const struct bound *b,
	const struct kernel_metrics *without)
{
	struct str bound = str_sub(q->s.text, b->first, b->second_end);
	struct str waves = str_trim(str_sub(q->s.text, b->second + 1, b->second_end));
	const char *target = q->s.job->target[s->target]->name;
	bool worse = without && without->trusted && cause_spills(s->k) &&
		     without->v[METRIC_VGPR_SPILL] < s->k->v[METRIC_VGPR_SPILL];
	if (b->attribute && worse) {
		cause_add(q, s, CAUSE_BOUNDS)->text =
			arena_printf(q->s.a, "%.*s%s makes '%s' spill; without it: %s (%s)",
				STR_ARG(str_sub(q->s.text, b->second, b->second_end)), b->of,
				s->k->name, cause_change(q, s->k, without), target);
	} else if (b->attribute) { /* another declaration may have it, too */
	} else if (without && is_same(s->k, without)) {
		cause_add(q, s, CAUSE_BOUNDS)->text = arena_printf(q->s.a,
			"the %.*s waves a SIMD in __launch_bounds__(%.*s)%s do nothing for '%s': "
			"without them it has the same %lld VGPRs and %lld waves (%s)",
			STR_ARG(waves), STR_ARG(bound), b->of, s->k->name,
			(long long)s->k->v[METRIC_VGPR], (long long)s->k->v[METRIC_REGISTER_WAVES],
			target);
	} else if (worse) {
		cause_add(q, s, CAUSE_BOUNDS)->text = arena_printf(q->s.a,
			"the %.*s waves a SIMD (not blocks) that __launch_bounds__(%.*s)%s asks "
			"for make '%s' spill; without them: %s (%s)",
			STR_ARG(waves), STR_ARG(bound), b->of, s->k->name,
			cause_change(q, s->k, without), target);
	}
}

/* Removes all second arguments in one text, which is compiled once. */
void cause_bounds(struct causing *q)
{
	struct edit_list edits = {{0}};
	struct map done = {0};
	for (size_t t = 0; t < q->s.job->targets; t++) {
		for (size_t i = 0; i < q->now[t].m.kernels; i++) {
			struct subject s;
			struct bound b;
			if (!cause_subject(&s, q, t, &q->now[t].m.kernel[i])) {
				continue;
			}
			look_at_launch(q, &s);
			if (find_limit(&b, q, &s) &&
				map_set(&done, str_of(arena_printf(q->s.a, "%zu", b.second)), 1)) {
				edit_list_add(&edits, q->s.a, b.second, b.second_end, STR(""));
			}
		}
	}
	const struct measure_result *r = cause_compile(q, &edits);
	for (size_t t = 0; r && t < q->s.job->targets; t++) {
		for (size_t i = 0; r[t].status == MEASURE_OK && i < q->now[t].m.kernels; i++) {
			struct subject s;
			struct bound b;
			if (cause_subject(&s, q, t, &q->now[t].m.kernel[i]) &&
				find_limit(&b, q, &s) && !cause_has(q, &s, CAUSE_BOUNDS)) {
				judge_second(q, &s, &b, measurement_kernel(&r[t].m, s.k->symbol));
			}
		}
	}
	map_release(&done);
	array_release(&edits.edits);
}

bool cause_try_smaller(struct causing *q, const struct subject *s)
{
	struct bound b;
	int32_t known = known_block(s);
	if (known <= 0 || known >= s->k->v[METRIC_GROUP_SIZE] || !cause_find_bound(&b, q, s)) {
		return false;
	}
	const char *number = arena_printf(q->s.a, "%d", known);
	struct edit_list edits = {{0}};
	edit_list_add(&edits, q->s.a, b.first, b.first_end, str_of(number));
	const struct measure_result *r = cause_compile(q, &edits);
	const struct kernel_metrics *y = r ? cause_after(&r[s->target], s->k) : NULL;
	bool better =
		y && y->trusted && spills_no_more(q, r) && cause_spills(s->k) && !cause_spills(y);
	if (better) {
		struct cause *c = cause_add(q, s, CAUSE_BOUNDS);
		c->text = arena_printf(q->s.a,
			"'%s' is bound to %lld threads a block, and this unit launches it with %d "
			"at most. With __launch_bounds__(%d)%s: %s (%s)",
			s->k->name, (long long)s->k->v[METRIC_GROUP_SIZE], known, known, b.of,
			cause_change(q, s->k, y), q->s.job->target[s->target]->name);
		if (!*b.of) { /* other kernels may use the macro */
			c->edit = arena_memdup(q->s.a, edits.edits.v, sizeof(*edits.edits.v));
			c->edits = 1;
		}
	}
	array_release(&edits.edits);
	return better;
}
