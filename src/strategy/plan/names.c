#include "strategy/plan/names.h"

#include <ctype.h>
#include <string.h>
#include "base/file.h"
#include "frontend/text/lex.h"
#include "strategy/plan/layout.h"
#include "strategy/text/text.h"

enum {
	NAME_TRIES = 100 /* tries with numbers before the name gets another prefix */
};

struct plan_name_list {
	const char *name;
	struct plan_name_list *next;
};

/* ---- other new text of the file ---- */

static bool add_word(void *user, struct str word, size_t at)
{
	(void)at;
	map_set(user, word, 1);
	return false;
}

void reserved_add(struct reserved *r, struct str text, size_t at)
{
	array_push(&r->piece, (struct reserved_piece){at, r->text.n, r->text.n + text.n});
	sbuf_addstr(&r->text, text);
	sbuf_addc(&r->text, '\n');
	lex_each_word(text, 0, text.n, add_word, &r->words);
}

bool reserved_has_word(const struct reserved *r, const char *name)
{
	return r && map_has(&r->words, str_of(name));
}

void reserved_release(struct reserved *r)
{
	sbuf_release(&r->text);
	array_release(&r->piece);
	map_release(&r->words);
}

struct str reserved_text(const struct reserved *r)
{
	return r ? sbuf_str(&r->text) : (struct str){0};
}

/* Is the name reserved in the function or at namespace scope? */
static bool is_reserved(const struct reserved *r, const char *name, struct span fn)
{
	for (size_t i = 0; reserved_has_word(r, name) && i < r->piece.n; i++) {
		const struct reserved_piece *piece = &r->piece.v[i];
		bool here = piece->at == RESERVED_BESIDE || !fn.end ||
			    (piece->at >= fn.begin && piece->at <= fn.end);
		if (here &&
			lex_has_word(sbuf_str(&r->text), piece->begin, piece->end, str_of(name))) {
			return true;
		}
	}
	return false;
}

/* ---- the other files ---- */

static void add_words(struct map *out, struct str t)
{
	for (size_t i = 0; i < t.n;) {
		size_t end = i;
		while (end < t.n && lex_is_word_char(t.p[end])) {
			end++;
		}
		if (end > i && !isdigit((unsigned char)t.p[i])) {
			map_set(out, str_sub(t, i, end), 1);
		}
		i = end > i ? end : i + 1;
	}
}

/* The key of a macro's own name among the words of macros. */
static const char *name_key(struct sbuf *b, struct str name)
{
	sbuf_reset(b);
	sbuf_addf(b, "#%.*s", STR_ARG(name));
	return sbuf_cstr(b);
}

static void add_macro_name(struct other_names *o, struct str line)
{
	struct sbuf key = {0};
	struct lex_token name = lex_next(line, 0);
	if (name.kind == LEX_WORD) {
		map_set(&o->macros, str_of(name_key(&key, lex_text(line, name))), 1);
	}
	sbuf_release(&key);
}

/* Adds the words of the macros that a text defines, and of those with ##. */
static void add_macros(struct other_names *o, struct str t)
{
	for (size_t at = str_find(t, "define", 0); at != SIZE_MAX;
		at = str_find(t, "define", at + 1)) {
		size_t sign = at;
		while (sign > 0 && (t.p[sign - 1] == ' ' || t.p[sign - 1] == '\t')) {
			sign--;
		}
		if (sign == 0 || t.p[sign - 1] != '#') {
			continue;
		}
		struct str line = str_sub(t, at + strlen("define"), lex_line_end(t, at));
		add_words(&o->macros, line);
		add_macro_name(o, line);
		if (str_holds(line, STR("##"))) {
			add_words(&o->joined, line);
		}
	}
}

void other_names_add_text(struct other_names *o, const char *path, struct str text)
{
	if (!path || map_set(&o->known, str_of(path), 1)) {
		add_words(&o->words, text);
		add_macros(o, text);
	}
}

void other_names_add_file(struct other_names *o, const char *path)
{
	if (map_set(&o->files, str_of(path), 1)) {
		o->loaded = false;
	}
}

/* Reads the files on demand: most are system headers. */
static void load(struct other_names *o)
{
	for (; !o->loaded && o->read < o->files.n; o->read++) {
		struct str path = o->files.entry[o->read].key;
		struct sbuf text = {0}, name = {0};
		sbuf_addstr(&name, path);
		if (file_exists(sbuf_cstr(&name)) && file_read(&text, sbuf_cstr(&name)) == 0) {
			add_macros(o, sbuf_str(&text));
			sbuf_addstr(&o->text, sbuf_str(&text));
			sbuf_addc(&o->text, '\n');
		}
		sbuf_release(&text);
		sbuf_release(&name);
	}
	o->loaded = true;
}

void other_names_release(struct other_names *o)
{
	map_release(&o->known);
	map_release(&o->words);
	map_release(&o->macros);
	map_release(&o->joined);
	map_release(&o->files);
	sbuf_release(&o->text);
}

static bool in_raw_text(struct str t, struct str name)
{
	for (size_t at = 0; (at = str_find(t, name.p, at)) != SIZE_MAX; at += name.n) {
		size_t end = at + name.n;
		if ((at == 0 || !lex_is_word_char(t.p[at - 1])) &&
			(end == t.n || !lex_is_word_char(t.p[end]))) {
			return true;
		}
	}
	return false;
}

/* inside: other files may be included inside a function. */
static bool others_have(struct other_names *o, const char *name, enum name_place place, bool inside)
{
	if (!o) {
		return false;
	}
	load(o);
	bool beside = place == NAME_BESIDE;
	return map_has(&o->macros, str_of(name)) ||
	       ((beside || inside) && map_has(&o->words, str_of(name))) ||
	       (beside && in_raw_text(sbuf_str(&o->text), str_of(name)));
}

/* ---- the file ---- */

static kt_id file_of(const struct plan *p)
{
	return p->merge ? p->merge->node->file : p->place ? p->place->file : p->file;
}

static const struct layout *layout_here(const struct plan *p)
{
	kt_id file = file_of(p);
	return file ? layout_of(p->parse->facts, file) : NULL;
}

/* The outermost function around the subject: by the text, or by the tree if directives unbalance
 * the text's braces. */
static struct span function_around(const struct plan *p, const struct layout *l)
{
	const struct kt_unit *u = p->parse->unit;
	size_t at = p->merge ? p->merge->node->begin : p->place->begin;
	struct span fn = layout_function(l, at);
	for (kt_id i = 1; i < u->fns && fn.end; i++) {
		const struct kt_fn *f = &u->fn[i];
		if (f->file == file_of(p) && f->begin <= at && at < f->end) {
			fn.begin = f->begin < fn.begin ? f->begin : fn.begin;
			fn.end = f->end > fn.end ? f->end : fn.end;
		}
	}
	return fn;
}

/* fn.end 0: anywhere. */
static bool file_has(
	const struct plan *p, const struct layout *l, const char *name, struct span fn, bool shadow)
{
	size_t n = 0;
	if (!l) {
		return lex_has_word(p->text, 0, p->text.n, str_of(name));
	}
	const size_t *at = layout_uses(l, str_of(name), &n);
	for (size_t i = 0; i < n; i++) {
		bool inside = !fn.end || (at[i] >= fn.begin && at[i] < fn.end);
		bool beside = shadow && !layout_function(l, at[i]).end;
		if (inside || beside || layout_is_directive(l, at[i])) {
			return true;
		}
	}
	return false;
}

/* ---- ## ---- */

static bool has_half(const struct plan *p, const struct layout *l, struct str half)
{
	const struct other_names *o = p->opts->others;
	size_t n = 0;
	bool own = l ? layout_uses(l, half, &n) != NULL : lex_has_word(p->text, 0, p->text.n, half);
	return own || (o && map_has(&o->joined, half));
}

/* Is it a plain number, which anything may form, or does its suffix after the digits occur as a
 * word? */
static bool may_be_number(const struct plan *p, const struct layout *l, struct str s)
{
	size_t digits = 0;
	while (digits < s.n && isdigit((unsigned char)s.p[digits])) {
		digits++;
	}
	return digits == s.n || has_half(p, l, str_sub(s, digits, s.n)) || in_raw_text(p->text, s);
}

/* May a macro form it from two words? From a word and a number only if such a macro has the
 * word. */
static bool may_be_joined(const struct plan *p, const struct layout *l, const char *name)
{
	struct str all = str_of(name);
	for (size_t i = 1; i < all.n; i++) {
		struct str first = str_sub(all, 0, i), rest = str_sub(all, i, all.n);
		bool number = isdigit((unsigned char)rest.p[0]);
		const struct other_names *o = p->opts->others;
		if (number ? o && map_has(&o->joined, first) && may_be_number(p, l, rest)
			   : has_half(p, l, first) && has_half(p, l, rest)) {
			return true;
		}
	}
	return false;
}

/* ---- the names ---- */

static bool handed_out(const struct plan *p, const char *name)
{
	for (const struct plan_name_list *l = p->names; l; l = l->next) {
		if (strcmp(l->name, name) == 0) {
			return true;
		}
	}
	return false;
}

/* May a declaration hide this name of other files? If the text invokes no macro, anything except a
 * macro. */
static bool may_hide(struct other_names *o, const char *name)
{
	struct sbuf key = {0};
	if (o) {
		load(o);
	}
	bool macro = o && map_has(&o->macros, str_of(name_key(&key, str_of(name))));
	sbuf_release(&key);
	return !macro;
}

static bool is_free(
	const struct plan *p, const char *name, enum name_place place, struct span fn, bool shadow)
{
	const struct layout *l = layout_here(p);
	return !file_has(p, l, name, fn, shadow) &&
	       !others_have(p->opts->others, name, place, !l || layout_includes_inside(l)) &&
	       !is_reserved(p->opts->reserved, name, fn) && !handed_out(p, name) &&
	       !may_be_joined(p, l, name);
}

bool plan_name_is_free(const struct plan *p, const char *name, enum name_place place)
{
	const struct layout *l = layout_here(p);
	bool local = place == NAME_LOCAL && l;
	return is_free(p, name, place, local ? function_around(p, l) : (struct span){0}, local);
}

bool plan_name_is_taken(const struct plan *p, const char *name)
{
	return !plan_name_is_free(p, name, NAME_BESIDE) ||
	       reserved_has_word(p->opts->declared, name);
}

static bool adds(const struct reserved *r, struct str text, const char *name)
{
	return reserved_has_word(r, name) && str_holds(reserved_text(r), text);
}

bool plan_is_added(const struct plan *p, struct str text, const char *name)
{
	return adds(p->opts->reserved, text, name) || adds(p->opts->declared, text, name);
}

static const char *prefix_of(const struct plan *p)
{
	return p->opts->prefix ? p->opts->prefix : "";
}

const char *plan_name_base(const struct plan *p, const char *name)
{
	size_t n = strlen(prefix_of(p));
	return strncmp(name, prefix_of(p), n) == 0 && lex_is_word_char(name[n]) &&
			       !isdigit((unsigned char)name[n])
		       ? name + n
		       : name;
}

const char *plan_name_beginning(const struct plan *p, unsigned tries)
{
	struct sbuf b = {0};
	for (unsigned i = NAME_TRIES; i <= tries; i += NAME_TRIES) {
		sbuf_adds(&b, "unphi_");
	}
	return sbuf_finish(&b, p->a).p;
}

static const char *first_free(struct plan *p, const char *const *base, struct span fn, bool shadow)
{
	for (; base[1]; base++) {
		const char *name = arena_printf(p->a, "%s%s", prefix_of(p), *base);
		if (is_free(p, name, NAME_LOCAL, fn, shadow)) {
			return name;
		}
	}
	/* if macros form its numbers, too, only a name with unphi's prefix is left */
	struct other_names *o = p->opts->others;
	if (o) {
		load(o);
	}
	const char *all = arena_printf(p->a, "%s%s", prefix_of(p), *base);
	const char *ours = o && map_has(&o->joined, str_of(all)) ? "unphi_" : "";
	for (unsigned i = 1;; i++) {
		const char *number = i > 1 ? arena_printf(p->a, "%u", i) : "";
		const char *name = arena_printf(
			p->a, "%s%s%s%s", plan_name_beginning(p, i), ours, all, number);
		if (is_free(p, name, NAME_LOCAL, fn, shadow)) {
			return name;
		}
	}
}

const char *plan_name_of(struct plan *p, const char *const *base)
{
	const struct layout *l = layout_here(p);
	struct plan_name_list *mine = ARENA_NEW(p->a, struct plan_name_list);
	struct span fn = l ? function_around(p, l) : (struct span){0};
	mine->name = first_free(p, base, fn, true);
	mine->next = p->names;
	p->names = mine;
	return mine->name;
}

const char *plan_name_in(struct plan *p, const char *const *base, struct span text, bool no_macros)
{
	const struct layout *l = layout_here(p);
	for (size_t i = 0; no_macros && base[i]; i++) {
		const char *name = arena_printf(p->a, "%s%s", prefix_of(p), base[i]);
		if (may_hide(p->opts->others, name) && !file_has(p, l, name, text, false) &&
			!is_reserved(p->opts->reserved, name, text) && !handed_out(p, name) &&
			!may_be_joined(p, l, name)) {
			return name;
		}
	}
	return first_free(p, base, text, false);
}

const char *plan_name(struct plan *p, const char *base)
{
	return plan_name_of(p, (const char *const[]){base, NULL});
}

/* "arm" before a variable's name, in its spelling style. */
static const char *of_arm(struct plan *p, const char *base)
{
	bool camel = islower((unsigned char)*base) && !strchr(base, '_');
	bool upper = false;
	for (const char *c = base; *c; c++) {
		upper |= isupper((unsigned char)*c) != 0;
	}
	return camel && upper
		       ? arena_printf(p->a, "arm%c%s", toupper((unsigned char)*base), base + 1)
		       : arena_printf(p->a, "arm_%s", base);
}

const char *plan_name_like(struct plan *p, const char *name)
{
	const char *base = plan_name_base(p, name);
	bool again = strncmp(base, "arm", 3) == 0;
	if (*prefix_of(p) || again) {
		return plan_name(p, base);
	}
	return plan_name_of(p, (const char *const[]){base, of_arm(p, base), NULL});
}

/* ---- uncalled functions ---- */

static bool is_in_anonymous(const struct layout *l, size_t at)
{
	const struct layout_around *n = layout_namespaces(l, at);
	while (n && n->name.n) {
		n = n->up;
	}
	return n != NULL;
}

/* By the text before the name: can no other unit call this definition? (Each unit has its own copy
 * of an inline function, and instantiates templates itself.) */
static bool is_of_the_unit(const struct layout *l, struct str t, struct span fn, size_t name_at)
{
	static const char *const other[] = {"extern", "virtual", "friend", "operator", "__global__",
		"__attribute__", "__declspec", "asm", "__asm__", "requires"};
	static const char *const own[] = {"static", "inline", "__inline__", "__forceinline__"};
	struct str first = str_sub(t, fn.begin, lex_next(t, fn.begin).end);
	bool is = str_is(first, "template") || is_in_anonymous(l, fn.begin);
	lex_each (k, t, fn.begin, name_at) {
		for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++) {
			if (lex_is(t, k, other[i])) {
				return false;
			}
		}
		if (k.kind == LEX_DIRECTIVE || lex_is(t, k, "::") ||
			(lex_is(t, k, "[") && t.p[k.end] == '[')) {
			return false;
		}
		for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++) {
			is |= lex_is(t, k, own[i]);
		}
	}
	return is;
}

/* Is it an explicit specialization, template <>? */
static bool is_specialization(struct str t, struct span fn)
{
	struct lex_token k = lex_next(t, fn.begin);
	struct lex_token open = lex_next(t, k.end);
	return lex_is(t, k, "template") &&
	       (!lex_is(t, open, "<") || lex_is(t, lex_next(t, open.end), ">"));
}

static bool has_directive(struct str t, struct span s)
{
	lex_each (k, t, s.begin, s.end) {
		if (k.kind == LEX_DIRECTIVE && !text_is_loop_pragma(lex_text(t, k))) {
			return true;
		}
	}
	return false;
}

bool plan_named_elsewhere(const struct plan *p, const char *name)
{
	return others_have(p->opts->others, name, NAME_BESIDE, true) ||
	       may_be_joined(p, layout_here(p), name);
}

struct span plan_uncalled(const struct plan *p, const char *name)
{
	const struct layout *l = layout_here(p);
	struct str t = p->text;
	size_t n = 0;
	const size_t *at = layout_uses(l, str_of(name), &n);
	if (n != 1 || layout_is_directive(l, *at) || plan_named_elsewhere(p, name)) {
		return (struct span){0};
	}
	struct span fn = layout_function(l, *at);
	struct lex_token paren = lex_next(t, *at + strlen(name));
	bool header = fn.end && lex_is(t, paren, "(") && lex_close(t, paren.begin) < fn.end &&
		      lex_find(t, fn.begin, fn.end, '{') > *at;
	if (!header || !layout_in_namespaces(t, fn.begin) || has_directive(t, fn) ||
		is_specialization(t, fn) || !is_of_the_unit(l, t, fn, *at) ||
		layout_conditions(l, fn.begin) != layout_conditions(l, fn.end) ||
		!text_first_on_line(t, fn.begin) || !text_line_ends_at(t, fn.end)) {
		return (struct span){0};
	}
	while (fn.end < t.n && isspace((unsigned char)t.p[fn.end])) {
		fn.end++;
	}
	return fn;
}

/* template <...> struct NAME {...}; with the name at this offset; end 0: it is something else. */
static struct span class_template_at(struct str t, size_t at)
{
	struct lex_token last = {0};
	size_t from = 0;
	lex_each (k, t, 0, at) {
		bool ends = k.kind == LEX_DIRECTIVE ||
			    (k.kind == LEX_PUNCT && strchr(";{}", t.p[k.begin]));
		from = ends ? k.end : from;
		last = k;
	}
	struct lex_token first = lex_next(t, from), open = lex_next(t, lex_next(t, at).end);
	bool plain = lex_is(t, first, "template") && lex_is(t, open, "{") &&
		     (lex_is(t, last, "struct") || lex_is(t, last, "class"));
	size_t close = plain ? lex_close(t, open.begin) : t.n;
	struct lex_token end = lex_next(t, close < t.n ? close + 1 : t.n);
	return lex_is(t, end, ";") ? (struct span){first.begin, end.end} : (struct span){0};
}

struct span plan_unnamed_class(const struct plan *p, const char *name)
{
	const struct layout *l = layout_here(p);
	struct str t = p->text;
	size_t n = 0;
	const size_t *at = layout_uses(l, str_of(name), &n);
	struct span all = n ? class_template_at(t, *at) : (struct span){0};
	bool own = all.end && !plan_named_elsewhere(p, name) && layout_in_namespaces(t, all.begin);
	for (size_t i = 0; i < n; i++) {
		own &= at[i] >= all.begin && at[i] < all.end && !layout_is_directive(l, at[i]);
	}
	lex_each (k, t, all.begin, own ? all.end : all.begin) {
		own &= !lex_is(t, k, "friend"); /* may be declared for others, too */
	}
	if (!own || has_directive(t, all) || is_specialization(t, all) ||
		layout_conditions(l, all.begin) != layout_conditions(l, all.end) ||
		!text_first_on_line(t, all.begin) || !text_line_ends_at(t, all.end)) {
		return (struct span){0};
	}
	while (all.end < t.n && isspace((unsigned char)t.p[all.end])) {
		all.end++;
	}
	return all;
}

/* The function with the name at this offset in its header; end 0: none. */
static struct span defined_at(const struct plan *p, const char *name, size_t at)
{
	const struct layout *l = layout_here(p);
	struct str t = p->text;
	struct span fn = layout_is_directive(l, at) ? (struct span){0} : layout_function(l, at);
	struct lex_token paren = lex_next(t, at + strlen(name));
	bool header = fn.end && lex_is(t, paren, "(") && lex_close(t, paren.begin) < fn.end &&
		      lex_find(t, fn.begin, fn.end, '{') > at;
	return header ? fn : (struct span){0};
}

struct span plan_method(const struct plan *p, const char *name, size_t end)
{
	struct span found = {0};
	size_t n = 0;
	const size_t *at = layout_uses(layout_here(p), str_of(name), &n);
	for (size_t i = 0; i < n; i++) {
		struct span fn = defined_at(p, name, at[i]);
		if (fn.end && fn.end <= end && fn.end > found.end &&
			!layout_in_namespaces(p->text, fn.begin)) {
			found = fn;
		}
	}
	return found;
}

struct span plan_definition(const struct plan *p, const char *name)
{
	struct str t = p->text;
	struct span found = {0};
	size_t n = 0;
	const size_t *at = layout_uses(layout_here(p), str_of(name), &n);
	for (size_t i = 0; i < n; i++) {
		struct span fn = defined_at(p, name, at[i]);
		if (fn.end && (found.end || !layout_in_namespaces(t, fn.begin) ||
				      is_specialization(t, fn))) {
			return (struct span){0};
		}
		found = fn.end ? fn : found;
	}
	return found;
}
