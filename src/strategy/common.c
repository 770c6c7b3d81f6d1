#include <ctype.h>
#include <string.h>
#include "base/msg.h"
#include "frontend/directives.h"
#include "frontend/lex.h"
#include "strategy/plan/body.h"
#include "strategy/drop_sync.h"
#include "strategy/plan/layout.h"
#include "strategy/plan/places.h"
#include "strategy/rematerialize/rematerialize.h"
#include "strategy/strategy.h"
#include "strategy/text/text.h"

void plan_edit(struct plan *p, size_t begin, size_t end, const char *fmt, ...)
{
	struct sbuf s = {0};
	va_list ap;
	va_start(ap, fmt);
	sbuf_vaddf(&s, fmt, ap);
	va_end(ap);
	struct str old = str_sub(p->text, begin, end);
	if (!str_eq(old, sbuf_str(&s))) {
		edit_list_add(&p->out->edits, p->a, begin, end, sbuf_str(&s));
	}
	sbuf_release(&s);
}

struct str plan_indent(const struct plan *p, size_t offset)
{
	size_t b = text_line_start(p->text, offset);
	size_t e = b;
	while (e < p->text.n && (p->text.p[e] == ' ' || p->text.p[e] == '\t')) {
		e++;
	}
	return str_sub(p->text, b, e);
}

const char *plan_indent_step(const struct plan *p)
{
	/* The smallest indentation that occurs in the file. */
	size_t best = 0;
	struct str rest = p->text;
	struct str line;
	while (str_line(&rest, &line)) {
		size_t n = 0;
		if (line.n && line.p[0] == '\t') {
			return "\t";
		}
		while (n < line.n && line.p[n] == ' ') {
			n++;
		}
		bool comment = n < line.n && line.p[n] == '*';
		if (n >= 2 && n < line.n && !comment && (best == 0 || n < best)) {
			best = n;
		}
	}
	static const char spaces[] = "        ";
	return best ? spaces + sizeof(spaces) - 1 - (best < 8 ? best : 8) : "\t";
}

const char *plan_eol(const struct plan *p)
{
	size_t nl = str_find(p->text, "\n", 0);
	return nl != SIZE_MAX && nl > 0 && p->text.p[nl - 1] == '\r' ? "\r\n" : "\n";
}

struct str plan_text(const struct plan *p, size_t begin, size_t end)
{
	return str_sub(p->text, begin, end);
}

/* A comment's lines without the indentation of the line that it begins on. */
static void add_comment(struct sbuf *out, const struct plan *p, struct str c, size_t at)
{
	struct str indent = plan_indent(p, at);
	struct str line;
	for (bool first = true; c.n && str_line(&c, &line); first = false) {
		if (!first && str_eq(str_sub(line, 0, indent.n), indent)) {
			line = str_sub(line, indent.n, line.n);
		}
		if (out->n) {
			sbuf_adds(out, plan_eol(p));
		}
		sbuf_addstr(out, line);
	}
}

struct str plan_comments(const struct plan *p, size_t begin, size_t end)
{
	struct str t = str_sub(p->text, 0, end);
	struct sbuf out = {0};
	for (size_t i = begin; i < t.n;) {
		/* between two tokens there is nothing but white space and comments */
		size_t token = lex_skip_space(t, i);
		while (i < token) {
			if (!text_comment_at(t, i)) {
				i++;
				continue;
			}
			size_t e = text_end_of_comment(t, i);
			add_comment(&out, p, str_trim(str_sub(t, i, e)), i);
			i = e;
		}
		i = lex_next(t, i).end;
	}
	struct str r = {arena_strndup(p->a, sbuf_cstr(&out), out.n), out.n};
	sbuf_release(&out);
	return r;
}

bool plan_needs_block(const struct kt_node *n)
{
	const struct kt_node *up = n->parent;
	if (!up || up->kind != KT_COMPOUND) {
		return true;
	}
	return up->parent && up->parent->kind == KT_SWITCH;
}

const struct kt_node *const *plan_statements(struct plan *p, const struct kt_node *body, size_t *n)
{
	if (body->kind == KT_COMPOUND) {
		*n = body->n;
		return (const struct kt_node *const *)body->child;
	}
	*n = 1;
	return arena_memdup(p->a, &body, sizeof(body));
}

bool merge_is_laundered(const struct kt_unit *u, const struct merge *m)
{
	const struct kt_node *n = m->node;
	const struct kt_node *up = n->parent;
	if (m->kind != MERGE_IF || !up || up->kind != KT_COMPOUND || n->slot == 0) {
		return false;
	}
	const struct kt_node *before = up->child[n->slot - 1];
	struct str t = u->file[before->file].text;
	return before->file == n->file &&
	       str_starts(str_sub(t, before->begin, n->begin), "UNPHI_LAUNDER");
}

bool plan_is_wide(const struct merge *m)
{
	/* Not by width: all instances of a site must get the same edits, and one of them is narrow
	 * where a template's parameter says so. */
	return m->chained > 0;
}

/* ---- the macros that rewritten code uses ---- */

struct macro {
	enum need need;
	const char *name;
	const char *device;
	const char *host;
	const char *why;
};

static const struct macro macros[] = {
	{NEED_FENCE, "UNPHI_FENCE()", "__builtin_amdgcn_wave_barrier()", "((void)0)",
		"keeps LLVM from joining the ifs on both sides; costs no instruction"},
	{NEED_LAUNDER_UNIFORM, "UNPHI_LAUNDER_UNIFORM(x)",
		"do { (x) = __builtin_amdgcn_readfirstlane(x); asm volatile(\"\" : \"+s\"(x)); } "
		"while (0)",
		"((void)(x))", "LLVM forgets what it knew of x, which is the same in all lanes"},
	{NEED_LAUNDER, "UNPHI_LAUNDER(x)", "asm volatile(\"\" : \"+v\"(x))", "((void)(x))",
		"LLVM forgets what it knew of x"},
};

static bool defines(struct str text, const char *macro)
{
	size_t n = strcspn(macro, "(");
	struct sbuf want = {0};
	sbuf_addf(&want, "#define %.*s(", (int)n, macro);
	bool found = str_find(text, sbuf_cstr(&want), 0) != SIZE_MAX;
	sbuf_release(&want);
	return found;
}

/* End of the comment or #pragma once that begins at i, its line included, or i when there is none
 * or when code follows it on the line. */
static size_t skip_opening(struct str t, size_t i)
{
	struct str rest = str_sub(t, i, t.n);
	size_t e = SIZE_MAX;
	if (str_starts(rest, "//") || str_starts(rest, "#pragma once")) {
		e = str_find(t, "\n", lex_line_end(t, i));
	} else if (str_starts(rest, "/*")) {
		size_t close = str_find(t, "*/", i + 2);
		e = close == SIZE_MAX ? SIZE_MAX : str_find(t, "\n", close);
		if (e != SIZE_MAX && str_trim(str_sub(t, close + 2, e)).n) {
			return i;
		}
	}
	return e == SIZE_MAX ? i : e + 1;
}

/* The name in a line "#WORD NAME"; empty when it is another. */
static struct str directive_name(struct str line, const char *word)
{
	line = str_trim(line);
	if (!str_starts(line, "#")) {
		return (struct str){0};
	}
	line = str_trim(str_sub(line, 1, line.n));
	size_t n = strlen(word);
	bool is = str_starts(line, word) && line.n > n && isspace((unsigned char)line.p[n]);
	return is ? str_trim(str_sub(line, n, line.n)) : (struct str){0};
}

/* Is the #if whose directives stand in front of i open until the last line that is none of white
 * space and comment? */
static bool is_open_to_the_end(struct str t, size_t i)
{
	struct str rest = str_sub(t, i, t.n), line;
	unsigned depth = 1;
	bool ended = false;
	while (str_line(&rest, &line)) {
		line = str_trim(line);
		if (!line.n) {
			continue;
		}
		if (ended && !str_starts(line, "//")) {
			return false;
		}
		if (!str_starts(line, "#")) {
			continue;
		}
		line = str_trim(str_sub(line, 1, line.n));
		if (str_starts(line, "if")) {
			depth++;
		} else if (str_starts(line, "endif")) {
			ended = --depth == 0;
		} else if (depth == 1 && str_starts(line, "el")) {
			return false;
		}
	}
	return ended;
}

/* Behind the two lines of an include guard that begins at i, or i when there is none: what stands
 * in front of it has the compiler read the file again wherever it is included again. */
static size_t skip_guard(struct str t, size_t i)
{
	struct str rest = str_sub(t, i, t.n), first = {0}, second = {0};
	str_line(&rest, &first);
	str_line(&rest, &second);
	struct str name = directive_name(first, "ifndef");
	size_t end = t.n - rest.n;
	bool guard = name.n && str_eq(name, directive_name(second, "define"));
	return guard && is_open_to_the_end(t, end) ? end : i;
}

/* Where the line of the last include at the top ends; 0 when there is none. What stands behind the
 * includes leaves these what they were to whoever keeps them parsed. */
static size_t includes_end(struct str t)
{
	size_t end = directives_end(t);
	size_t line = end > 0 ? str_find(t, "\n", end) : SIZE_MAX;
	if (line == SIZE_MAX) {
		return 0;
	}
	return t.p[line - 1] == '\r' ? line - 1 : line;
}

/* Behind the comments that open the file, behind #pragma once, and inside an include guard. */
static size_t opening_end(struct str t)
{
	const size_t start = str_starts(t, "\xEF\xBB\xBF") ? 3 : 0;
	for (size_t i = start;;) {
		size_t text = i;
		while (text < t.n && isspace((unsigned char)t.p[text])) {
			text++;
		}
		size_t e = skip_opening(t, text);
		e = e == text ? skip_guard(t, text) : e;
		if (e == text) {
			return i == start ? start : text;
		}
		i = e;
	}
}

void strategy_prelude(struct edit_list *l, struct arena *a, struct str text, unsigned needs)
{
	struct plan p = {.text = text, .a = a};
	const char *eol = plan_eol(&p);
	struct sbuf s = {0};
	for (size_t i = 0; i < sizeof(macros) / sizeof(macros[0]); i++) {
		const struct macro *m = &macros[i];
		if (!(needs & m->need) || defines(text, m->name)) {
			continue;
		}
		sbuf_addf(&s, "/* %s */%s", m->why, eol);
		/* a host pass of HIP defines what its GPU is, too: both, as CUDA has the other */
		sbuf_addf(&s,
			"#if defined(__AMDGCN__) && defined(__HIP_DEVICE_COMPILE__)%s#define %s "
			"%s%s",
			eol, m->name, m->device, eol);
		sbuf_addf(&s, "#else%s#define %s %s%s#endif%s", eol, m->name, m->host, eol, eol);
	}
	if (s.n) {
		size_t behind = includes_end(text);
		struct sbuf all = {0};
		if (behind > 0) { /* in the line's end: the next line may begin with another edit */
			sbuf_addf(&all, "%s%s%s", eol, eol, sbuf_cstr(&s));
			all.n -= strlen(eol);
		} else {
			sbuf_addf(&all, "%s%s", sbuf_cstr(&s), eol);
			behind = opening_end(text);
		}
		edit_list_add(l, a, behind, behind, sbuf_str(&all));
		sbuf_release(&all);
	}
	sbuf_release(&s);
}

/* ---- the list, and planning over instances ---- */

static const char *const hoist_variants[] = {
	"plain", "fenced", "guarded", "guarded-fenced", "split", "split-fenced", NULL};
static const char *const fuse_variants[] = {"plain", "laundered", NULL};
static const char *const predicate_variants[] = {"plain", NULL};
static const char *const sequentialize_variants[] = {"selector", "nested", NULL};
static const char *const launder_variants[] = {
	"uniform", "uniform, if/else kept", "per lane", "per lane, if/else kept", NULL};
static const char *const split_variants[] = {"two loops", "in runs", NULL};

const struct strategy strategies[STRATEGY_COUNT] = {
	{STRATEGY_HOIST, "hoist",
		"the wide compute moves behind the merge; only small values cross", hoist_variants,
		2, hoist_plan},
	{STRATEGY_FUSE, "fuse", "arms alike but for operands become one body", fuse_variants, 1,
		fuse_plan},
	{STRATEGY_SEQUENTIALIZE, "sequentialize",
		"if/else becomes guarded ifs one after the other, with a fence between",
		sequentialize_variants, 1, sequentialize_plan},
	{STRATEGY_LAUNDER, "launder", "the condition goes through an empty asm", launder_variants,
		1, launder_plan},
	{STRATEGY_SPLIT, "split", "a loop becomes loops with one arm each", split_variants, 1,
		split_plan},
	{STRATEGY_PREDICATE, "predicate", "a guarded arm and its twin become one masked body",
		predicate_variants, 1, predicate_plan},
	{STRATEGY_DROP_SYNC, "drop-sync", "barriers that order nothing go", drop_sync_variants, 1,
		NULL},
	{STRATEGY_REMATERIALIZE, "rematerialize",
		"what a loop only reads is loaded in it, not before it", fragment_variants, 1,
		NULL},
};

const struct strategy *strategy_find(const char *name)
{
	for (size_t i = 0; i < STRATEGY_COUNT; i++) {
		if (strcmp(strategies[i].name, name) == 0) {
			return &strategies[i];
		}
	}
	return NULL;
}

bool strategy_merges_arms(enum strategy_id id)
{
	return id == STRATEGY_HOIST || id == STRATEGY_FUSE || id == STRATEGY_PREDICATE;
}

void candidate_release(struct candidate *c)
{
	edit_list_release(&c->edits);
}

bool candidate_same_edits(const struct candidate *x, const struct candidate *y)
{
	if (x->edits.edits.n != y->edits.edits.n || x->needs != y->needs) {
		return false;
	}
	for (size_t i = 0; i < x->edits.edits.n; i++) {
		const struct edit *a = &x->edits.edits.v[i];
		const struct edit *b = &y->edits.edits.v[i];
		if (a->begin != b->begin || a->end != b->end || !str_eq(a->text, b->text)) {
			return false;
		}
	}
	return true;
}

static void plan_instance(struct candidate *out, struct arena *a, const struct strategy *s,
	const char *variant, const struct site_instance *in, const struct strategy_opts *opts)
{
	const struct kt_unit *u = in->parse->unit;
	*out = (struct candidate){.strategy = s->id, .variant = variant};
	struct plan p = {.parse = in->parse,
		.merge = in->merge,
		.opts = opts,
		.a = a,
		.out = out,
		.text = u->file[in->merge->node->file].text};
	s->plan(&p, variant);
	if (!out->clause && out->edits.edits.n == 0) {
		plan_refuse(&p, CLAUSE_NOTHING, "it changes nothing here");
	}
	size_t clash[2];
	if (!out->clause && !edit_list_check(&out->edits, p.text.n, clash)) {
		BUG("%s (%s): its own edits overlap at byte %zu", s->name, variant,
			out->edits.edits.v[clash[0]].begin);
	}
	if (!out->clause) {
		plan_check_places(&p, in->merge->node->file, in->merge->fn);
	}
}

void plan_agree(struct candidate *out, struct arena *a, const struct candidate *other,
	const struct kt_unit *u, kt_id fn)
{
	struct plan p = {.a = a, .out = out};
	const char *name = u->fn[fn].name;
	if (other->clause) {
		plan_refuse(&p, other->clause, "in %s for %s: %s", name, u->target, other->why);
	} else if (!candidate_same_edits(out, other)) {
		plan_refuse(&p, CLAUSE_INSTANCES,
			"the instantiations of this code would need different edits (%s for %s)",
			name, u->target);
	}
}

static void check_views(struct candidate *out, struct arena *a, const struct site *site,
	const struct strategy_opts *opts)
{
	const struct site_instance *in = &site->instance[0];
	struct plan p = {.parse = in->parse, .merge = in->merge, .opts = opts, .a = a, .out = out};
	plan_check_views(&p, in->merge->fn, site->begin, site->end);
}

/* One variant over all instances of a site. */
static void plan_variant(struct candidate *out, struct arena *a, const struct strategy *s,
	const char *variant, const struct site *site, const struct strategy_opts *opts)
{
	plan_instance(out, a, s, variant, &site->instance[0], opts);
	for (size_t i = 1; i < site->instances && !out->clause; i++) {
		struct candidate other;
		const struct site_instance *in = &site->instance[i];
		plan_instance(&other, a, s, variant, in, opts);
		if (!other.clause && other.measure_why) {
			out->measure_why = other.measure_why;
		}
		for (size_t k = 0; k < other.assumptions; k++) {
			plan_assume(out, other.assumed[k]);
		}
		out->unseen |= other.unseen;
		plan_agree(out, a, &other, in->parse->unit, in->merge->fn);
		candidate_release(&other);
	}
	if (!out->clause) {
		check_views(out, a, site, opts);
	}
	if (out->clause) {
		edit_list_release(&out->edits);
	}
}

void strategy_plan(struct candidate **out, size_t *n, struct arena *a, const struct strategy *s,
	const struct site *site, const struct strategy_opts *opts)
{
	ARRAY(struct candidate) list = {0};
	bool refused = false; /* all forms of the group at hand */
	bool found = false;
	for (size_t v = 0; s->variants && s->variants[v] && !(found && opts->any); v++) {
		refused = refused && v % s->forms;
		if (refused) {
			continue; /* as a twin */
		}
		if (opts->variant && strcmp(opts->variant, s->variants[v]) != 0) {
			continue;
		}
		struct candidate c;
		plan_variant(&c, a, s, s->variants[v], site, opts);
		refused = c.clause && c.all_forms;
		found |= c.clause == 0;
		bool twin = false;
		for (size_t i = 0; i < list.n; i++) {
			const struct candidate *k = &list.v[i];
			twin |= c.clause ? k->clause == c.clause && strcmp(k->why, c.why) == 0
					 : !k->clause && candidate_same_edits(k, &c);
		}
		if (twin) {
			candidate_release(&c);
		} else {
			array_push(&list, c);
		}
	}
	*out = array_to_arena(a, &list);
	*n = list.n;
	array_release(&list);
}
