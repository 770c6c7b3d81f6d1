/* The names of the functions that unify writes, and of their arguments. */
#include <ctype.h>
#include <string.h>
#include "strategy/extract/spelling.h"
#include "strategy/plan/layout.h"
#include "strategy/plan/names.h"
#include "strategy/unify/unify.h"

/* Does the function or a parameter have a name likeThis? */
static bool is_camel(const struct unify_function *f)
{
	bool camel = false, snake = false;
	for (size_t i = 0; i <= f->c.pattern.params; i++) {
		struct str name =
			i < f->c.pattern.params ? f->c.pattern.param[i].name : f->c.pattern.called;
		for (size_t k = 1; k < name.n; k++) {
			snake |= name.p[k] == '_';
			camel |= islower((unsigned char)name.p[k - 1]) &&
				 isupper((unsigned char)name.p[k]);
		}
	}
	return camel && !snake;
}

/* The argument's name for a template parameter: kIsFirst, IS_FIRST and IsFirst become is_first or
 * isFirst. */
static const char *as_argument(struct plan *p, struct str name, bool camel)
{
	struct sbuf s = {0};
	size_t from = name.n > 1 && name.p[0] == 'k' && isupper((unsigned char)name.p[1]) ? 1 : 0;
	while (from + 1 < name.n && name.p[from] == '_') {
		from++;
	}
	bool begins = true; /* at the start of a word */
	for (size_t i = from; i < name.n; i++) {
		unsigned char c = (unsigned char)name.p[i];
		bool before = i > from && (islower((unsigned char)name.p[i - 1]) ||
						  isdigit((unsigned char)name.p[i - 1]));
		bool next = i > from && i + 1 < name.n && isupper((unsigned char)name.p[i - 1]) &&
			    islower((unsigned char)name.p[i + 1]);
		if (c == '_') {
			begins = true;
			continue;
		}
		begins |= isupper(c) && (before || next);
		if (begins && s.n && !camel) {
			sbuf_addc(&s, '_');
		}
		sbuf_addc(&s, (char)(begins && s.n && camel ? toupper(c) : tolower(c)));
		begins = false;
	}
	struct str out = sbuf_finish(&s, p->a);
	return out.n && !isdigit((unsigned char)out.p[0]) ? out.p : "value";
}

/* A template parameter Auto, or a class Default, is a keyword in lower case. */
static bool is_keyword(const char *name)
{
	static const char *const words[] = {"and", "asm", "auto", "bool", "break", "case", "catch",
		"char", "class", "compl", "concept", "const", "continue", "default", "delete", "do",
		"double", "else", "enum", "explicit", "export", "extern", "false", "float", "for",
		"friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new",
		"not", "operator", "or", "private", "protected", "public", "register", "requires",
		"return", "short", "signed", "sizeof", "static", "struct", "switch", "template",
		"this", "throw", "true", "try", "typedef", "typeid", "typename", "union",
		"unsigned", "using", "virtual", "void", "volatile", "while", "xor", NULL};
	return str_is_any(str_of(name), words);
}

struct str unify_name_outside(const struct unify_function *f)
{
	struct plan *p = f->c.p;
	struct str name = f->c.pattern.called;
	struct str class = callee_class_word(callee_class_name(&f->c.u->fn[f->c.leaf[0].fn]));
	bool camel = is_camel(f);
	const char *first = as_argument(p, class, camel);
	if (f->c.pattern.functor || !name.n) {
		return str_of(is_keyword(first) ? arena_printf(p->a, "%s_call", first) : first);
	}
	return str_of(
		camel ? arena_printf(p->a, "%s%c%.*s", first, toupper((unsigned char)name.p[0]),
				STR_ARG(str_sub(name, 1, name.n)))
		      : arena_printf(p->a, "%s_%.*s", first, STR_ARG(name)));
}

static bool is_bool(const struct unify_function *f, size_t i)
{
	return str_is(unify_type(f, i), "bool");
}

void unify_name_arguments(struct unify_function *f)
{
	struct plan *p = f->c.p;
	struct plan_name_list *names = p->names;
	bool camel = is_camel(f);
	struct span around = f->outside ? f->c.pattern.of.all : f->c.pattern.all;
	p->names = NULL;
	for (size_t i = 0; i < f->c.pattern.tparams; i++) {
		const struct callee_tparam *q = &f->c.pattern.tparam[i];
		if (!unify_is_runtime(f, i) || unify_first(f, i) < i) {
			f->to[i] = f->to[unify_first(f, i)];
			continue;
		}
		for (size_t k = i + 1; q->tag && k < f->c.pattern.tparams; k++) {
			const struct callee_tparam *own = &f->c.pattern.tparam[k];
			q = own->tag == q->tag ? own : q; /* the parameter's name, not its type's */
		}
		bool flag = is_bool(f, i);
		const char *plain = as_argument(p, q->name, camel);
		if (str_is(q->name, plain) && !p->opts->prefix) {
			f->to[i] = plain; /* the body already uses this name */
			continue;
		}
		bool is = str_starts(str_of(plain), "is") && !islower((unsigned char)plain[2]);
		const char *more =
			is	? arena_printf(p->a, camel ? "%sFlag" : "%s_flag", plain)
			: camel ? arena_printf(p->a, flag ? "is%c%s" : "%c%sKind",
					  flag ? toupper((unsigned char)*plain) : *plain, plain + 1)
				: arena_printf(p->a, flag ? "is_%s" : "%s_kind", plain);
		const char *const base[] = {plain, more, NULL};
		f->to[i] = plan_name_in(p, base + is_keyword(plain), around, false);
	}
	p->names = names;
}

void unify_name_function(struct unify_function *f, unsigned number)
{
	struct plan *p = f->c.p;
	struct str name = f->c.pattern.called;
	bool camel = is_camel(f) && str_find(name, "_", 0) == SIZE_MAX;
	const char *prefix = p->opts->prefix ? p->opts->prefix : "";
	f->name = unify_is_instead(f) ? arena_printf(p->a, "%.*s", STR_ARG(name))
				      : arena_printf(p->a, "%s%s%.*s%s%s", prefix,
						plan_name_beginning(p, number), STR_ARG(name),
						camel ? "Any" : "_any",
						number > 1 ? arena_printf(p->a, "%u", number) : "");
}

const char *unify_argument_at(const struct unify_function *f, struct lex_token k, size_t *end)
{
	struct str t = f->c.p->text;
	size_t word;
	for (size_t i = 0; i < f->c.pattern.tparams && k.kind == LEX_WORD; i++) {
		struct str name = f->c.pattern.tparam[i].name;
		bool tag = callee_tag_named(&f->c, name) != NULL;
		*end = tag			      ? callee_tag_form(t, k.begin, name, &word).end
		       : str_eq(lex_text(t, k), name) ? k.end
						      : 0;
		if (unify_is_runtime(f, i) && *end) {
			return f->to[i];
		}
	}
	return NULL;
}

struct str unify_renamed(const struct unify_function *f, struct span at)
{
	struct str t = f->c.p->text;
	struct sbuf s = {0};
	size_t from = at.begin, end;
	lex_each (k, t, at.begin, at.end) {
		const char *to = unify_argument_at(f, k, &end);
		if (to) {
			sbuf_addstr(&s, str_sub(t, from, k.begin));
			sbuf_adds(&s, to);
			from = k.end = end;
		}
	}
	sbuf_addstr(&s, str_sub(t, from, at.end));
	return sbuf_finish(&s, f->c.p->a);
}

/* Is the word one type's name wherever it is seen, declared once in the unit and in no class or
 * function, or that of one outermost namespace? What may be a declaration counts as one. */
static bool has_one_meaning(const struct plan *p, struct str word)
{
	static const char *const before_name[] = {
		"enum", "struct", "class", "union", "namespace", "using", "typename", NULL};
	const struct kt_unit *u = p->parse->unit;
	size_t declared = 0, namespaces = 0;
	bool plain = !layout_in_directive(plan_layout(p), word);
	for (size_t i = 1; i < u->files && plain; i++) {
		struct str t = u->file[i].text;
		struct lex_token before = {0};
		int depth = 0;
		if (u->file[i].system || !str_holds(t, word)) {
			continue;
		}
		lex_each (k, t, 0, t.n) {
			struct lex_token next = lex_next(t, k.end);
			bool own = str_eq(lex_text(t, k), word);
			bool names = before.kind == LEX_WORD &&
				     str_is_any(lex_text(t, before), before_name);
			bool scope = lex_is(t, next, ":") && t.p[next.end] == ':';
			bool ends = lex_is(t, next, ";") || lex_is(t, next, "{") ||
				    (lex_is(t, next, ":") && !scope);
			bool outermost = depth == 0 && lex_is(t, before, "namespace") &&
					 lex_is(t, next, "{");
			namespaces += own && outermost;
			if (own && !outermost && (names || ends)) {
				declared++;
				plain &= layout_in_namespaces(t, k.begin);
			}
			depth += lex_is(t, k, "{") - lex_is(t, k, "}");
			before = k;
		}
	}
	return plain && (declared == 1 ? namespaces == 0 : declared == 0 && namespaces > 0);
}

bool unify_has_heir(const struct plan *p, struct str word)
{
	const struct kt_unit *u = p->parse->unit;
	bool heir = layout_in_directive(plan_layout(p), word);
	for (size_t i = 1; i < u->files && !heir; i++) {
		struct str t = u->file[i].text;
		struct lex_token before = {0};
		if (u->file[i].system || !str_holds(t, word)) {
			continue;
		}
		lex_each (k, t, 0, t.n) {
			struct lex_token next = lex_next(t, k.end);
			bool own = str_eq(lex_text(t, k), word);
			size_t shut = own && lex_is(t, next, "<")
					      ? callee_close_angle(t, next.begin, t.n)
					      : t.n;
			next = shut < t.n ? lex_next(t, shut + 1) : next;
			next = lex_is(t, next, "final") ? lex_next(t, next.end) : next;
			bool inherits = lex_is(t, next, ":") && t.p[next.end] != ':';
			bool alias = lex_is(t, before, "using") && lex_is(t, next, "=");
			heir |= own && (inherits || alias);
			before = k;
		}
	}
	return heir;
}

bool unify_is_writable(const struct unify_function *f, struct span at)
{
	struct str s = callee_text(&f->c, at);
	struct lex_token first = lex_next(s, str_starts(s, "-"));
	bool number = first.kind == LEX_NUMBER && first.end == s.n && !str_holds(s, STR("_"));
	bool word = s.n > 0;
	for (size_t i = 0; i < s.n; i++) {
		word &= lex_is_word_char(s.p[i]) || s.p[i] == ':';
	}
	bool scoped = first.kind == LEX_WORD && str_holds(s, STR("::")) &&
		      !unify_names_parameter(f, at) && callee_names_found(&f->c) &&
		      has_one_meaning(f->c.p, lex_text(s, first));
	return number || (word && (str_is(s, "true") || str_is(s, "false") ||
					  str_is(s, "nullptr") || scoped));
}
