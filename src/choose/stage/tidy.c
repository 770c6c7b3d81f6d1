/*
 * The clean-up after all rewrites.
 *
 * A function is removed if its parts are called in its place and nothing calls it any more. That
 * must be certain: its name stands only in its definition, also in the other files that are read,
 * no macro can paste it from two words, and by its linkage no other unit can know it. The same
 * holds for a class template whose functions were moved out of it.
 *
 * A function that is still called becomes a wrapper of its parts, so that no code is written twice.
 * That must be the same for all instances in the unit (strategy/extract/wrapper.c), and no kernel
 * may get worse. The wrapper moves after the parts, unless they are declared before it.
 *
 * The successor of a removed function takes its name.
 *
 * New names lose the number that only a rewrite which was not kept had made necessary.
 */
#include <ctype.h>
#include <string.h>

#include "choose/judge/judge.h"
#include "choose/stage/stage.h"
#include "frontend/text/lex.h"
#include "strategy/plan/names.h"
#include "strategy/text/text.h"

static struct plan plan_of_file(struct state *s)
{
	struct plan p = {.parse = &s->parse[0], .opts = &s->opts, .a = s->a, .text = s->text};
	for (kt_id i = 1; i < s->parse[0].unit->files && !p.file; i++) {
		p.file = s->parse[0].unit->file[i].main ? i : 0;
	}
	return p;
}

/* The offset after the state struct at this place and its comment; 0: none. */
static size_t after_state(struct str t, size_t at)
{
	struct lex_token k = lex_next(t, at);
	size_t open = lex_is(t, k, "struct") ? lex_find(t, k.end, t.n, '{') : SIZE_MAX;
	size_t close = open == SIZE_MAX ? SIZE_MAX : lex_close(t, open);
	struct lex_token end = lex_next(t, close == SIZE_MAX ? t.n : close + 1);
	size_t next = lex_is(t, end, ";") ? end.end : t.n;
	while (next < t.n && isspace((unsigned char)t.p[next])) {
		next++;
	}
	return next < t.n && text_first_on_line(t, next) ? text_line_start(t, next) : 0;
}

/* Removes the function. The comment above it moves to the narrow part, which stands after it,
 * unless its successor has a copy. */
static void remove_function(struct state *s, struct edit_list *edits, struct span fn, bool copied)
{
	struct str t = s->text;
	size_t line = text_line_start(t, fn.begin), above = text_comments_above(t, fn.begin);
	size_t narrow = above < line && !copied ? after_state(t, fn.end) : 0;
	edit_list_add(edits, s->a, narrow || copied ? above : fn.begin, fn.end, (struct str){0});
	if (narrow) {
		edit_list_add(edits, s->a, narrow, narrow, str_sub(t, above, line));
	}
}

static void remove_uncalled(struct state *s, struct edit_list *edits)
{
	struct plan p = plan_of_file(s);
	for (size_t i = 0; p.file && i < s->splits.n; i++) {
		const struct split_function *f = &s->splits.v[i];
		bool again = false;
		for (size_t k = 0; k < i; k++) {
			again |= strcmp(s->splits.v[k].name, f->name) == 0;
		}
		struct span gone = again	 ? (struct span){0}
				   : f->of_class ? plan_unnamed_class(&p, f->name)
						 : plan_uncalled(&p, f->name);
		if (gone.end && f->of_class) { /* its comment is not the function's */
			edit_list_add(edits, s->a, gone.begin, gone.end, (struct str){0});
		} else if (gone.end) {
			remove_function(s, edits, gone, f->successor != NULL);
		}
	}
}

/* Does the text still parse for device and host? */
static bool is_read_back(struct state *s, struct str text, struct reading *old)
{
	if (state_parse_beside(s, text, true, old) < 0) {
		return false;
	}
	bool seen = s->views > s->job->targets || state_see_host(s) == 0;
	for (size_t i = 0; seen && i < s->views; i++) {
		seen = !s->parse[i].unit->erroneous;
	}
	return seen;
}

/* ---- functions that are still called ---- */

static bool is_of(const struct wrapper *h, const char *symbol)
{
	for (size_t i = 0; symbol && i < h->n; i++) {
		if (strcmp(h->of[i], symbol) == 0) {
			return true;
		}
	}
	return false;
}

/* Are these all instances in all views? */
static bool knows_instances(const struct state *s, const struct wrapper *h, struct span fn)
{
	for (size_t k = 0; k < s->views; k++) {
		const struct kt_unit *u = s->parse[k].unit;
		for (kt_id i = 1; i < u->fns; i++) {
			const struct kt_fn *f = &u->fn[i];
			bool here = f->body && u->file[f->file].main &&
				    f->body->begin >= fn.begin && f->body->end <= fn.end;
			if (here && !is_of(h, f->symbol)) {
				return false;
			}
		}
	}
	return true;
}

/* The places of the function that was split, and of its parts. */
struct places {
	struct span fn;
	struct span narrow;
	struct span wide;
};

static struct places places_of(const struct plan *p, const struct split_function *split)
{
	const struct wrapper *h = split->wrapper;
	struct places at;
	if (!h->method) {
		at.fn = plan_definition(p, split->name);
		at.narrow = plan_definition(p, h->narrow);
		at.wide = plan_definition(p, h->wide);
		return at;
	}
	at.narrow = plan_method(p, h->narrow, p->text.n);
	at.wide = plan_method(p, h->wide, p->text.n);
	at.fn = plan_method(p, h->functor ? "operator" : split->name, at.narrow.begin);
	if (!lex_in_one_block(p->text, at.fn.end, at.wide.end)) {
		at.fn = (struct span){0};
	}
	return at;
}

/* Replaces the body of a function by calls of its parts, unless the function has changed or the
 * parts are not where expected. */
static void make_wrapper(
	struct state *s, struct edit_list *edits, const struct split_function *split)
{
	const struct wrapper *h = split->wrapper;
	const struct plan p = plan_of_file(s);
	struct str t = s->text;
	const struct places at = places_of(&p, split);
	struct span fn = at.fn, narrow = at.narrow, wide = at.wide;
	size_t body = fn.end - h->was.n;
	if (!fn.end || fn.end - fn.begin < h->was.n || !narrow.end || !wide.end ||
		!str_eq(str_sub(t, body, fn.end), h->was) || !knows_instances(s, h, fn) ||
		!text_first_on_line(t, fn.begin)) {
		return;
	}
	if (h->method ||
		lex_has_word(t, 0, fn.begin, str_of(h->narrow))) { /* it is declared there */
		edit_list_add(edits, s->a, body, fn.end, h->body);
		return;
	}
	size_t begin = text_comments_above(t, fn.begin), next = fn.end;
	while (next < narrow.begin && isspace((unsigned char)t.p[next])) {
		next++;
	}
	if (narrow.begin < fn.end || wide.begin < narrow.end || !text_line_ends_at(t, wide.end)) {
		return;
	}
	const char *eol = text_eol(t);
	const char *moved = arena_printf(
		s->a, "%s%s%.*s%.*s", eol, eol, STR_ARG(str_sub(t, begin, body)), STR_ARG(h->body));
	edit_list_add(edits, s->a, begin, text_line_start(t, next), (struct str){0});
	edit_list_add(edits, s->a, wide.end, wide.end, str_of(moved));
}

static bool is_no_worse(struct state *s, struct str text, const struct measure_result **result)
{
	const struct judge_by by = {.opts = judge_options(s)};
	if (!s->now) {
		return true; /* nothing is measured */
	}
	if (state_is_late(s)) {
		return false;
	}
	*result = state_compile(s, &text, 1, true, false);
	return *result && !judge_is_as_bad(judge_figures(s, *result, &by).outcome, OUTCOME_WORSE);
}

/* Applies the edits if the result is right; otherwise changes nothing. */
static int take(struct state *s, struct edit_list *edits, bool measured)
{
	size_t clash[2];
	if (!edits->edits.n || !edit_list_check(edits, s->text.n, clash)) {
		edit_list_release(edits);
		return 0;
	}
	struct str text = state_edited(s, edits);
	struct reading old = {0};
	const char *why = NULL;
	const struct measure_result *result = NULL;
	bool host_unseen = s->opts.host_unseen;
	bool good = is_read_back(s, text, &old) && s->opts.host_unseen == host_unseen &&
		    (!measured || (is_no_worse(s, text, &result) &&
					  (!s->now || state_host_compiles(s, text))));
	int same = good && s->job->same_bits ? state_same_bits(s, text, &why) : 1;
	if (good && same == 1) {
		judge_accept(s, text, edits, result);
		reading_release(&old);
		return 0;
	}
	edit_list_release(edits);
	if (old.parse) {
		state_take_back(s, &old);
	}
	return same < 0 ? same : 0;
}

static bool has_wrappers(const struct state *s)
{
	bool any = false;
	for (size_t i = 0; i < s->splits.n; i++) {
		any |= s->splits.v[i].wrapper != NULL;
	}
	return any;
}

static int make_wrappers(struct state *s)
{
	if (!has_wrappers(s) || (s->views == s->job->targets && state_see_host(s) != 0)) {
		return 0;
	}
	struct edit_list *edits = ARENA_NEW(s->a, struct edit_list);
	for (size_t i = 0; i < s->splits.n; i++) {
		if (s->splits.v[i].wrapper) {
			make_wrapper(s, edits, &s->splits.v[i]);
		}
	}
	return take(s, edits, true);
}

/* ---- numbers ---- */

/* A generated name without its number; empty if it is not generated with one. In arm_x2 the last
 * part is the source's own name. */
static struct str without_number(const struct state *s, struct str name)
{
	size_t n = name.n, part = name.n;
	while (n > 0 && isdigit((unsigned char)name.p[n - 1])) {
		n--;
	}
	while (part > 0 && name.p[part - 1] != '_') {
		part--;
	}
	bool made =
		part < n && n < name.n && !str_holds(s->job->source, str_sub(name, part, name.n));
	return made ? str_sub(name, 0, n) : (struct str){0};
}

/* Renames it in code and in comments; false if a directive contains it. */
static bool rename_all(struct state *s, struct edit_list *edits, struct str name, struct str to)
{
	struct str t = s->text;
	size_t after = 0;
	for (struct lex_token k = lex_next(t, 0); after < t.n; k = lex_next(t, k.end)) {
		size_t gap = k.kind == LEX_END ? t.n : k.begin;
		for (size_t at = after; (at = str_find(t, name.p, at)) < gap; at += name.n) {
			edit_list_add(edits, s->a, at, at + name.n, to);
		}
		if (k.kind == LEX_END) {
			break;
		}
		struct str token = lex_text(t, k);
		if (k.kind == LEX_DIRECTIVE && str_holds(token, name)) {
			return false;
		}
		if (k.kind == LEX_WORD && str_eq(token, name)) {
			edit_list_add(edits, s->a, k.begin, k.end, to);
		}
		after = k.end;
	}
	return true;
}

/* The common start of the names of a function's parts, with their number. */
static const char *family(struct state *s, struct str name, struct str plain)
{
	size_t n = plain.n;
	while (n > 0 && plain.p[n - 1] != '_') {
		n--;
	}
	return arena_printf(s->a, "%.*s%.*s", STR_ARG(str_sub(plain, 0, n ? n - 1 : plain.n)),
		STR_ARG(str_sub(name, plain.n, name.n)));
}

/* A name with a number, and its new name. */
struct numbered {
	struct str name;
	const char *plain;
	const char *family;
};

/* Drops numbers from names that had one only because of a candidate that was not kept. The parts of
 * a function drop theirs together. */
static int drop_numbers(struct state *s)
{
	const struct plan p = plan_of_file(s);
	struct map seen = {0}, kept = {0};
	ARRAY(struct numbered) all = {0};
	struct edit_list *edits = ARENA_NEW(s->a, struct edit_list);
	for (struct lex_token k = lex_next(s->text, 0); p.file && k.kind != LEX_END;
		k = lex_next(s->text, k.end)) {
		struct str name = lex_text(s->text, k);
		struct str to = k.kind == LEX_WORD ? without_number(s, name) : (struct str){0};
		if (to.n && map_set(&seen, to, 1)) {
			struct numbered one = {str_of(arena_strndup(s->a, name.p, name.n)),
				arena_strndup(s->a, to.p, to.n), family(s, name, to)};
			array_push(&all, one);
			if (!plan_name_is_free(&p, one.plain, NAME_BESIDE)) {
				map_set(&kept, str_of(one.family), 1);
			}
		}
	}
	bool good = true;
	array_each (&all, const struct numbered, n) {
		good &= map_has(&kept, str_of(n->family)) ||
			rename_all(s, edits, n->name, str_of(n->plain));
	}
	array_release(&all);
	map_release(&seen);
	map_release(&kept);
	if (!good) {
		edit_list_release(edits);
		return 0;
	}
	return take(s, edits, false);
}

/* Gives the successor of a removed function its name. */
static int take_names(struct state *s)
{
	const struct plan p = plan_of_file(s);
	struct edit_list *edits = ARENA_NEW(s->a, struct edit_list);
	bool good = p.file != 0;
	for (size_t i = 0; good && i < s->splits.n; i++) {
		const struct split_function *f = &s->splits.v[i];
		bool again = false;
		for (size_t k = 0; k < i && f->takes; k++) {
			const char *other = s->splits.v[k].takes;
			again |= other && strcmp(other, f->takes) == 0;
		}
		if (f->successor && !again && plan_name_is_free(&p, f->name, NAME_BESIDE) &&
			plan_name_is_free(&p, f->takes, NAME_BESIDE)) {
			good = rename_all(s, edits, str_of(f->successor), str_of(f->takes));
		}
	}
	if (!good) {
		edit_list_release(edits);
		return 0;
	}
	return take(s, edits, false);
}

int tidy_run(struct state *s)
{
	int rc = s->splits.n && !str_eq(s->seen, s->text) ? state_parse(s, s->text, true) : 0;
	if (rc < 0 || !s->splits.n) {
		return rc < 0 ? rc : 0;
	}
	struct str before;
	do { /* functions that only a removed one called go next */
		struct edit_list *edits = ARENA_NEW(s->a, struct edit_list);
		before = s->text;
		remove_uncalled(s, edits);
		rc = take(s, edits, false);
	} while (rc >= 0 && !str_eq(before, s->text));
	rc = rc < 0 ? rc : take_names(s);
	rc = rc < 0 ? rc : make_wrappers(s);
	return rc < 0 ? rc : drop_numbers(s);
}
