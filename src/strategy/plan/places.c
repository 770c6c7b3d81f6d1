#include "strategy/plan/places.h"

#include <string.h>
#include "frontend/text/place_words.h"
#include "strategy/plan/body.h"

struct place_at {
	size_t begin;
	unsigned is;
};

/* All such words of a file, cached for the many checks. */
struct file_places {
	bool listed;
	ARRAY(struct place_at) at;
};

/* The cache of a unit. */
struct places {
	struct map words; /* -> enum place_word */
	bool some;
	bool unknown; /* code may use one without naming it */
	struct file_places *file;
	size_t files;
	bool *asker; /* per function; NULL: none */
};

static void release(void *user)
{
	struct places *s = user;
	map_release(&s->words);
	for (size_t i = 0; i < s->files; i++) {
		array_release(&s->file[i].at);
	}
}

static bool asks(const struct kt_node *n)
{
	return n->kind == KT_CALL && n->text && strcmp(n->text, "__builtin_constant_p") == 0;
}

/* For each function of the unit: does it, or code that it reaches, query the optimizer
 * (__builtin_constant_p)? */
static bool *find_askers(struct facts *f)
{
	const struct kt_unit *u = facts_unit(f);
	bool *found = ARENA_ARRAY(facts_arena(f), bool, u->fns);
	ARRAY(kt_id) queue = {0};
	for (kt_id i = 1; i < u->fns; i++) {
		const struct kt_node *body = u->fn[i].body;
		for (const struct kt_node *n = body; n && !found[i]; n = kt_next(n, body)) {
			found[i] = asks(n);
		}
		if (found[i]) {
			array_push(&queue, i);
		}
	}
	bool some = queue.n > 0;
	for (size_t i = 0; i < queue.n; i++) {
		const struct kt_node *const *call;
		size_t calls;
		facts_callers(&call, &calls, f, queue.v[i]);
		for (size_t k = 0; k < calls; k++) {
			kt_id caller = facts_function_of(f, call[k]);
			if (caller && !found[caller]) {
				found[caller] = true;
				array_push(&queue, caller);
			}
		}
	}
	array_release(&queue);
	return some ? found : NULL;
}

static struct places *places_of(struct facts *f)
{
	struct places *s = facts_kept(f, FACTS_KEEP_PLACES, 0);
	if (s) {
		return s;
	}
	const struct kt_unit *u = facts_unit(f);
	s = ARENA_NEW(facts_arena(f), struct places);
	for (kt_id i = 1; i < u->files && !s->some; i++) {
		s->some = !u->file[i].system && place_words_hold(u->file[i].text);
	}
	for (bool more = s->some; more;) {
		more = false;
		for (kt_id i = 1; i < u->files; i++) {
			more |= !u->file[i].system &&
				place_words_add(&s->words, u->file[i].text, &s->unknown);
		}
	}
	s->asker = find_askers(f);
	s->files = u->files;
	s->file = ARENA_ARRAY(facts_arena(f), struct file_places, s->files);
	facts_keep(f, FACTS_KEEP_PLACES, 0, s, release);
	return s;
}

/* Is it host-only code, whose line numbers do not matter? A constexpr function runs on both
 * sides. */
static bool is_host_only(const struct kt_unit *u, kt_id file, size_t at)
{
	bool host = false;
	for (kt_id i = 1; i < u->fns; i++) {
		const struct kt_fn *f = &u->fn[i];
		if (f->file == file && at >= f->begin && at < f->end) {
			struct str head = str_sub(u->file[file].text, f->begin, f->name_at);
			host = f->kind == KT_FN_HOST && !str_holds(head, STR("const"));
			if (!host) {
				return false;
			}
		}
	}
	return host;
}

/* Finds the words by text only. Lines of host-only code do not count. */
static void list_places(
	struct file_places *f, const struct map *words, const struct kt_unit *u, kt_id file)
{
	struct str t = u->file[file].text;
	for (size_t i = 0, end; i < t.n; i = end) {
		for (end = i; end < t.n && lex_is_word_char(t.p[end]); end++) {
		}
		unsigned is = place_word_at(words, t, (struct lex_token){LEX_WORD, i, end});
		if (is & PLACE_LINE && is_host_only(u, file, i)) {
			is &= ~(unsigned)PLACE_LINE;
		}
		if (is) {
			array_push(&f->at, ((struct place_at){i, is}));
		}
		end += end == i;
	}
	f->listed = true;
}

/* May [begin, end) of the file hold a word of these kinds? Comments and arguments of failed
 * assertions count, too; callers that read the tokens know better. */
static bool may_hold(struct places *s, const struct kt_unit *u, kt_id file, size_t begin,
	size_t end, unsigned kinds)
{
	struct file_places *f = &s->file[file];
	if (!f->listed) {
		list_places(f, &s->words, u, file);
	}
	bool holds = false;
	for (size_t i = 0; i < f->at.n && !holds; i++) {
		const struct place_at *x = &f->at.v[i];
		holds = x->begin >= begin && x->begin < end && x->is & kinds;
	}
	return holds;
}

/* ---- lines ---- */

static bool refuse_word(struct plan *p, struct lex_token k, struct str t, const char *why)
{
	struct str word = lex_text(t, k);
	return plan_refuse(p, CLAUSE_PLACE, "'%.*s' %s", STR_ARG(word), why);
}

bool plan_check_line(struct plan *p, kt_id file, size_t at)
{
	const struct kt_unit *u = p->parse->unit;
	struct places *s = places_of(p->parse->facts);
	struct str t = u->file[file].text;
	if (!s->some || !may_hold(s, u, file, at, t.n, PLACE_LINE)) {
		return true;
	}
	for (struct lex_token k = lex_next(t, at); k.kind != LEX_END; k = place_words_next(t, k)) {
		if (place_word_at(&s->words, t, k) & PLACE_LINE &&
			!is_host_only(u, file, k.begin) &&
			!refuse_word(p, k, t,
				"after it gives the number of its line, which the rewrite would "
				"change")) {
			return false;
		}
	}
	return true;
}

static size_t lines_in(struct str s)
{
	size_t n = 0;
	for (size_t i = 0; i < s.n; i++) {
		n += s.p[i] == '\n';
	}
	return n;
}

static bool check_lines(struct plan *p, kt_id file)
{
	size_t at = p->out->needs ? 0 : SIZE_MAX;
	array_each (&p->out->edits.edits, const struct edit, e) {
		bool moves = lines_in(e->text) != lines_in(str_sub(p->text, e->begin, e->end));
		at = moves && e->begin < at ? e->begin : at;
	}
	return at == SIZE_MAX || plan_check_line(p, file, at);
}

/* ---- text ---- */

/* file: the file of the text */
static bool check_text(
	struct plan *p, kt_id file, struct str t, size_t begin, size_t end, unsigned kinds)
{
	struct places *s = places_of(p->parse->facts);
	const struct kt_unit *u = p->parse->unit;
	struct str of = u->file[file].text;
	bool looks = (t.p != of.p && !str_eq(t, of)) || may_hold(s, u, file, begin, end, kinds);
	for (struct lex_token k = lex_next(t, begin); looks && k.kind != LEX_END && k.begin < end;
		k = place_words_next(t, k)) {
		if (place_word_at(&s->words, t, k) & kinds &&
			!refuse_word(p, k, t,
				"gives a value of the place where it stands, and its text would be "
				"moved")) {
			return false;
		}
	}
	return true;
}

/* The range from the first to the last edit in [begin, end); false: none. */
static bool hull_of(const struct plan *p, size_t *begin, size_t *end)
{
	size_t from = SIZE_MAX, to = 0;
	array_each (&p->out->edits.edits, const struct edit, e) {
		if (e->begin >= *begin && e->end <= *end) {
			from = e->begin < from ? e->begin : from;
			to = e->end > to ? e->end : to;
		}
	}
	*begin = from;
	*end = to;
	return from < to;
}

/* Checks the edits of one function: for the merge's function the range from the first to the last
 * edit, for a split callee all of it. */
static bool check_function(struct plan *p, kt_id file, const struct kt_fn *f, bool own)
{
	size_t begin = f->begin, end = f->end;
	if (!hull_of(p, &begin, &end)) {
		return true;
	}
	return own ? check_text(p, file, p->text, begin, end, PLACE_MOVED)
		   : check_text(p, file, p->text, f->begin, f->end, PLACE_MOVED | PLACE_FUNCTION);
}

/* ---- queries of the optimizer ---- */

/* A rewrite may turn a literal into a variable or hide a value from the optimizer, so the changed
 * code must not query the optimizer. */
static bool check_askers(struct plan *p, const struct kt_fn *f, bool own)
{
	const bool *found = places_of(p->parse->facts)->asker;
	size_t begin = f->begin, end = f->end;
	if (!found || !hull_of(p, &begin, &end)) {
		return true;
	}
	if (own && p->merge) { /* a fence hides knowledge from the code after it */
		const struct kt_node *m = p->merge->node;
		begin = m->begin < begin ? m->begin : begin;
		end = m->end > end ? m->end : end;
	}
	for (const struct kt_node *n = f->body; n; n = kt_next(n, f->body)) {
		bool inside = !own || (n->begin < end && n->end > begin);
		if (inside && n->kind == KT_CALL && (asks(n) || (n->fn && found[n->fn])) &&
			!plan_refuse(p, CLAUSE_PLACE,
				"'%s' asks what the optimizer knows at the place where it stands "
				"(__builtin_constant_p)",
				plan_quote(p, n))) {
			return false;
		}
	}
	return true;
}

/* Checks the removed and the inserted text of the edits. */
static bool check_edits(struct plan *p, kt_id file, const struct kt_fn *home)
{
	if (places_of(p->parse->facts)->unknown &&
		!plan_refuse(p, CLAUSE_PLACE,
			"the file has a default argument that depends on where a call stands, and "
			"it is unknown which calls have it")) {
		return false;
	}
	array_each (&p->out->edits.edits, const struct edit, e) {
		bool inside = e->begin >= home->begin && e->end <= home->end;
		unsigned kinds = PLACE_MOVED | (inside ? 0 : PLACE_FUNCTION);
		if (!check_text(p, file, e->text, 0, e->text.n, kinds) ||
			!check_text(p, file, p->text, e->begin, e->end, kinds)) {
			return false;
		}
	}
	return true;
}

bool plan_check_places(struct plan *p, kt_id file, kt_id fn)
{
	const struct kt_unit *u = p->parse->unit;
	const struct kt_fn *home = &u->fn[fn];
	const bool some = places_of(p->parse->facts)->some;
	if (p->out->clause || (some && !check_edits(p, file, home))) {
		return false;
	}
	for (kt_id i = 1; i < u->fns; i++) {
		const struct kt_fn *f = &u->fn[i];
		bool own = f->begin <= home->begin && home->end <= f->end;
		if (f->file == file && f->end &&
			(!check_askers(p, f, own) || (some && !check_function(p, file, f, own)))) {
			return false;
		}
	}
	return !some || check_lines(p, file);
}
