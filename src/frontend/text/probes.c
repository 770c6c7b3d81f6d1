#include "frontend/text/probes.h"

#include "frontend/text/lex.h"

enum {
	MACRO_DEPTH = 8 /* nested macros */
};

static struct str in_arena(struct arena *a, const struct sbuf *b)
{
	return (struct str){arena_strndup(a, b->p ? b->p : "", b->n), b->n};
}

/* The lines of a macro joined to one. */
static struct str joined(struct arena *a, struct str s)
{
	struct sbuf b = {0};
	for (size_t i = 0; i < s.n; i++) {
		size_t k = i + 1;
		k += s.p[i] == '\\' && k < s.n && s.p[k] == '\r';
		if (s.p[i] == '\\' && k < s.n && s.p[k] == '\n') {
			sbuf_addc(&b, ' ');
			i = k;
		} else {
			sbuf_addc(&b, s.p[i]);
		}
	}
	struct str r = in_arena(a, &b);
	sbuf_release(&b);
	return r;
}

/* ---- one explicit instantiation ---- */

struct instance {
	struct str name; /* "k<32>", with its scope */
	struct str params;
	bool kernel;
	bool device;
};

/* The start of the name that ends at end: a::b<4>::c<8>. */
static size_t name_start(struct str t, size_t from, size_t end)
{
	size_t at = end;
	while (at > from) {
		char c = t.p[at - 1];
		if (c == '>') {
			int depth = 0;
			do {
				at--;
				depth += t.p[at] == '>' ? 1 : t.p[at] == '<' ? -1 : 0;
			} while (at > from && depth > 0);
			while (at > from && t.p[at - 1] == ' ') {
				at--;
			}
		} else if (lex_is_word_char(c) || c == ':') {
			at--;
		} else {
			break;
		}
	}
	return at;
}

/* Reads the text between "template" and ";". False for classes and variables. */
static bool instance_read(struct instance *out, struct str t, size_t from, size_t end)
{
	size_t open = SIZE_MAX, name_end = from;
	struct lex_token prev = {LEX_END, from, from};
	*out = (struct instance){0};
	lex_each (k, t, from, end) {
		bool first = prev.kind == LEX_END;
		if (first && (lex_is(t, k, "class") || lex_is(t, k, "struct") ||
				     lex_is(t, k, "union"))) {
			return false;
		}
		out->kernel |= lex_is(t, k, "__global__");
		out->device |= lex_is(t, k, "__device__");
		if (lex_is(t, k, "(")) {
			size_t close = lex_close(t, k.begin);
			if (close == SIZE_MAX || close > end) {
				return false;
			}
			if (!lex_is(t, prev, "noexcept")) {
				open = k.begin; /* the last one: attributes come before */
				name_end = prev.end;
				out->params = str_sub(t, k.end, close);
			}
			k.end = close + 1;
		}
		prev = k;
	}
	if (open == SIZE_MAX) {
		return false;
	}
	out->name = str_trim(str_sub(t, name_start(t, from, name_end), name_end));
	return out->name.n > 0;
}

/* Adds a statement that names the instance; the parameters of a kernel distinguish overloads. */
static bool add_statement(struct sbuf *out, const struct instance *in)
{
	if (in->kernel) {
		sbuf_addf(out, "(void)static_cast<void (*)(%.*s)>(&%.*s); ", STR_ARG(in->params),
			STR_ARG(in->name));
		return true;
	}
	if (!str_ends(in->name, ">") && str_find(in->name, "::", 0) == SIZE_MAX) {
		return false; /* with deduced arguments the name does not identify it */
	}
	sbuf_addf(out, "(void)&%.*s; ", STR_ARG(in->name));
	return true;
}

/* ---- macros ---- */

static struct probe_macro *macro_of(const struct probes *p, struct str name)
{
	return (struct probe_macro *)map_get(&p->known, name, 0);
}

void probes_define(struct probes *p, struct str definition)
{
	struct str d = joined(p->arena, definition);
	struct lex_token name = lex_next(d, 0);
	size_t close = name.end < d.n && d.p[name.end] == '(' ? lex_close(d, name.end) : SIZE_MAX;
	if (name.kind != LEX_WORD || close == SIZE_MAX) {
		return;
	}
	struct probe_macro *m = ARENA_NEW(p->arena, struct probe_macro);
	m->params = str_sub(d, name.end + 1, close);
	m->body = str_sub(d, close + 1, d.n);
	map_set(&p->known, str_sub(d, name.begin, name.end), (uintptr_t)m);
}

static void see_directive(struct probes *p, struct str line, unsigned *conditions)
{
	struct lex_token word = lex_next(line, 1);
	if (str_starts(str_sub(line, word.begin, word.end), "if")) {
		++*conditions;
	} else if (lex_is(line, word, "endif")) {
		*conditions -= *conditions > 0;
	} else if (lex_is(line, word, "define")) {
		probes_define(p, str_trim(str_sub(line, word.end, line.n)));
	} else if (lex_is(line, word, "undef")) {
		struct lex_token name = lex_next(line, word.end);
		map_set(&p->known, str_sub(line, name.begin, name.end), 0);
	}
}

static bool add_macro(struct probes *p, struct probe_macro *m, bool *device, unsigned depth);

/* Adds the instantiations in a macro's body as statements. */
static bool add_body(struct probes *p, struct sbuf *out, struct str t, bool *device, unsigned depth)
{
	bool any = false;
	struct lex_token prev = {LEX_END, 0, 0};
	for (struct lex_token k = lex_next(t, 0); k.kind != LEX_END;
		prev = k, k = lex_next(t, k.end)) {
		struct lex_token next = lex_next(t, k.end);
		struct probe_macro *m = NULL;
		if (k.kind != LEX_WORD || lex_is(t, prev, "extern")) {
			continue;
		}
		if (lex_is(t, next, "(")) {
			m = macro_of(p, str_sub(t, k.begin, k.end));
		}
		if (lex_is(t, k, "template") && !lex_is(t, next, "<")) {
			struct instance in;
			size_t end = lex_find(t, k.end, t.n, ';');
			end = end == SIZE_MAX ? t.n : end;
			if (instance_read(&in, t, k.end, end)) {
				any |= add_statement(out, &in);
				*device |= in.device && !in.kernel;
			}
			k.end = end;
		} else if (m && depth < MACRO_DEPTH) {
			size_t close = lex_close(t, next.begin);
			if (close != SIZE_MAX && add_macro(p, m, device, depth + 1)) {
				sbuf_addf(out, "unphi_probe_macro_%u%.*s; ", m->number,
					STR_ARG(str_sub(t, next.begin, close + 1)));
				any = true;
				k.end = close + 1;
			}
		}
	}
	return any;
}

/* Makes the probe macro for m. False if m instantiates nothing. */
static bool add_macro(struct probes *p, struct probe_macro *m, bool *device, unsigned depth)
{
	if (m->number) {
		return true;
	}
	struct sbuf body = {0};
	bool any = add_body(p, &body, m->body, device, depth);
	if (any) {
		m->number = ++p->numbers;
		sbuf_addf(&p->macros, "#define unphi_probe_macro_%u(%.*s) %s\n", m->number,
			STR_ARG(m->params), sbuf_cstr(&body));
	}
	sbuf_release(&body);
	return any;
}

/* ---- the text ---- */

struct scan {
	struct probes *p;
	struct str t;
	ARRAY(struct str) scope; /* names of the open namespaces; "" for an unnamed one */
	unsigned conditions;	 /* open #ifs */
};

/* Adds a line: text in a function of its own, in the open namespaces. */
static void add_probe(struct scan *s, size_t at, struct str text, bool device)
{
	struct sbuf b = {0};
	struct sbuf end = {0};
	array_each (&s->scope, struct str, name) {
		sbuf_addf(&b, "namespace %.*s { ", STR_ARG(*name));
		sbuf_adds(&end, " }");
	}
	sbuf_addf(&b, "static %svoid unphi_probe_%zu() { %.*s}%s", device ? "__device__ " : "",
		s->p->each.n, STR_ARG(text), sbuf_cstr(&end));
	for (size_t i = 0; i < b.n; i++) {
		b.p[i] = b.p[i] == '\n' || b.p[i] == '\r' ? ' ' : b.p[i];
	}
	array_push(&s->p->each, (struct probe){.text = in_arena(s->p->arena, &b), .at = at});
	s->p->conditional |= s->conditions > 0;
	sbuf_release(&b);
	sbuf_release(&end);
}

/* Handles the code after "template"; returns the offset to continue at. */
static size_t see_template(struct scan *s, struct lex_token k)
{
	struct instance in;
	struct sbuf b = {0};
	size_t end = lex_find(s->t, k.end, s->t.n, ';');
	if (end == SIZE_MAX) {
		return s->t.n;
	}
	if (instance_read(&in, s->t, k.end, end) && add_statement(&b, &in)) {
		add_probe(s, k.begin, sbuf_str(&b), in.device && !in.kernel);
	}
	sbuf_release(&b);
	return end + 1;
}

/* Words that look like a macro with arguments, but are not. */
static bool is_keyword(struct str name)
{
	return str_starts(name, "__") || str_is(name, "static_assert") || str_is(name, "alignas") ||
	       str_is(name, "decltype") || str_is(name, "asm");
}

/* A pointer or reference to a function or an array: void (*f)(int). */
static bool is_declarator(struct str t, struct lex_token open)
{
	struct lex_token in = lex_next(t, open.end);
	return lex_is(t, in, "*") || lex_is(t, in, "&");
}

/* Handles a macro with arguments at the place of a declaration; returns the offset to continue
 * at. */
static size_t see_macro(struct scan *s, struct lex_token k, struct lex_token open)
{
	size_t close = lex_close(s->t, open.begin);
	struct str name = str_sub(s->t, k.begin, k.end);
	struct probe_macro *m = macro_of(s->p, name);
	bool device = false;
	if (close == SIZE_MAX) {
		return s->t.n;
	}
	if (!m && !map_has(&s->p->known, name) && !is_keyword(name) && !is_declarator(s->t, open)) {
		const char *open_name = arena_strndup(s->p->arena, name.p, name.n);
		array_push(&s->p->open, open_name);
	} else if (m && add_macro(s->p, m, &device, 0)) {
		struct sbuf b = {0};
		sbuf_addf(&b, "unphi_probe_macro_%u%.*s ", m->number,
			STR_ARG(str_sub(s->t, open.begin, close + 1)));
		add_probe(s, k.begin, sbuf_str(&b), device);
		sbuf_release(&b);
	}
	return close + 1;
}

/* The offset after "namespace NAME {"; 0 if this opens no namespace. */
static size_t see_namespace(struct scan *s, struct lex_token k)
{
	struct sbuf name = {0};
	size_t at = k.end;
	lex_each (w, s->t, at, s->t.n) {
		if (lex_is(s->t, w, "{")) {
			struct str whole = str_trim(str_sub(s->t, k.end, w.begin));
			array_push(&s->scope, whole);
			at = w.end;
			sbuf_release(&name);
			return at;
		}
		if (w.kind != LEX_WORD && !lex_is(s->t, w, ":")) {
			break; /* an alias */
		}
	}
	sbuf_release(&name);
	return 0;
}

/* Walks the declarations at the scope of the file and of namespaces. */
static void scan(struct scan *s)
{
	struct str t = s->t;
	bool fresh = true; /* a declaration begins here */
	unsigned linkage = 0;
	struct lex_token prev = {LEX_END, 0, 0};
	for (struct lex_token k = lex_next(t, 0); k.kind != LEX_END;
		prev = k, k = lex_next(t, k.end)) {
		struct lex_token next;
		size_t to = 0;
		if (k.kind == LEX_DIRECTIVE) {
			see_directive(s->p, str_sub(t, k.begin, k.end), &s->conditions);
			continue;
		}
		next = lex_next(t, k.end);
		if (lex_is(t, k, "namespace") && (to = see_namespace(s, k)) != 0) {
			fresh = true;
		} else if (k.kind == LEX_STRING && lex_is(t, prev, "extern") &&
			   lex_is(t, next, "{")) {
			to = next.end; /* extern "C" { */
			linkage++;
			fresh = true;
		} else if (lex_is(t, k, "{")) {
			size_t close = lex_close(t, k.begin);
			to = close == SIZE_MAX ? t.n : close + 1;
			fresh = true; /* after a function; a class still has its ; */
		} else if (lex_is(t, k, "}")) {
			if (linkage > 0) {
				linkage--;
			} else if (s->scope.n > 0) {
				s->scope.n--;
			}
			fresh = true;
		} else if (fresh && lex_is(t, k, "template") && !lex_is(t, next, "<")) {
			to = see_template(s, k);
		} else if (fresh && k.kind == LEX_WORD && lex_is(t, next, "(")) {
			to = see_macro(s, k, next);
		} else {
			fresh = lex_is(t, k, ";");
		}
		k.end = to ? to : k.end;
	}
}

void probes_find(struct probes *p, struct str text)
{
	struct scan s = {.p = p, .t = text};
	p->each.n = 0;
	p->open.n = 0;
	scan(&s);
	array_release(&s.scope);
}

void probes_add_kernel(struct probes *p, const char *qualified)
{
	struct scan s = {.p = p};
	add_probe(&s, SIZE_MAX, str_of(arena_printf(p->arena, "(void)&%s; ", qualified)), false);
}

void probes_append(struct probes *p, struct sbuf *text)
{
	sbuf_addc(text, '\n');
	sbuf_addstr(text, sbuf_str(&p->macros));
	array_each (&p->each, struct probe, probe) {
		if (!probe->bad) {
			probe->begin = text->n;
			sbuf_addstr(text, probe->text);
			probe->end = text->n;
			sbuf_addc(text, '\n');
		}
	}
}

void probes_release(struct probes *p)
{
	array_release(&p->each);
	array_release(&p->open);
	sbuf_release(&p->macros);
	map_release(&p->known);
}
