/*
 * The text form, written:
 *
 *	(unit target="gfx90a"
 *	  (file 1 path="k.hip" main
 *	    "void k(float *p) { *p = 0; }\n")
 *	  (type 1 float size=4 trivial name="float" canon="float")
 *	  (type 2 pointer size=8 elem=1 trivial name="float *" canon="float *")
 *	  (sym 1 param type=2 fn=1 file=1 at=14 name="p") ; float *
 *	  (fn 1 kernel name="k" base="k" file=1 0..28 name-at=5 params=1
 *	    (compound 17..28
 *	      (assign 19..26 type=1 ; float
 *	        (unary 19..21 op=deref type=1 ; float
 *	          (ref 20..21 type=2 sym=1)) ; p: float *
 *	        (literal 24..25 type=1 value=0 text="0"))))) ; float
 *
 * Ids count from 1 in order. What has its default value is left out; a node's default file is its
 * parent's, that of a body its function's. Children in fixed slots carry the slot's word ("cond:"),
 * and absent ones are left out; elsewhere an absent child is "-". Strings that follow each other
 * are one. A comment runs from ; to the end of the line: it names what the ids stand for.
 * Ids are checked before they are looked up, so that a broken tree can be printed to see why.
 */
#include "tree/tree.h"

#include <inttypes.h>

#include "kernel/enum_names.h"

struct printer {
	struct sbuf *out;
	const struct kt_unit *u;
	struct sbuf note; /* comment for the end of the current line */
};

/* A comment must stay on its line, whatever the name holds. */
static void add_note(struct printer *p, const char *s)
{
	for (; s && *s; s++) {
		unsigned char c = (unsigned char)*s;

		sbuf_addc(&p->note, c < ' ' || c >= 0x7f ? '?' : *s);
	}
}

static void flush_note(struct printer *p)
{
	if (p->note.n > 0) {
		sbuf_adds(p->out, " ; ");
		sbuf_addstr(p->out, sbuf_str(&p->note));
		sbuf_reset(&p->note);
	}
}

static void new_line(struct printer *p, unsigned depth)
{
	flush_note(p);
	sbuf_addc(p->out, '\n');
	for (unsigned i = 0; i < depth; i++) {
		sbuf_adds(p->out, "  ");
	}
}

static void add_quoted(struct sbuf *out, struct str s)
{
	sbuf_addc(out, '"');
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];

		switch (c) {
		case '\n':
			sbuf_adds(out, "\\n");
			break;
		case '\t':
			sbuf_adds(out, "\\t");
			break;
		case '\r':
			sbuf_adds(out, "\\r");
			break;
		case '"':
		case '\\':
			sbuf_addc(out, '\\');
			sbuf_addc(out, (char)c);
			break;
		default:
			if (c < ' ' || c >= 0x7f) {
				sbuf_addf(out, "\\x%02x", c);
			} else {
				sbuf_addc(out, (char)c);
			}
		}
	}
	sbuf_addc(out, '"');
}

static void add_string(struct printer *p, const char *key, const char *s)
{
	if (s) {
		sbuf_addf(p->out, " %s=", key);
		add_quoted(p->out, str_of(s));
	}
}

/* Numbers whose default is 0, ids among them. */
static void add_number(struct printer *p, const char *key, int64_t n)
{
	if (n != 0) {
		sbuf_addf(p->out, " %s=%" PRId64, key, n);
	}
}

static void add_range(struct printer *p, uint32_t begin, uint32_t end)
{
	if (begin != 0 || end != 0) {
		sbuf_addf(p->out, " %" PRIu32 "..%" PRIu32, begin, end);
	}
}

static void add_flag(struct printer *p, const char *word, bool on)
{
	if (on) {
		sbuf_addc(p->out, ' ');
		sbuf_adds(p->out, word);
	}
}

static const char *type_name(const struct printer *p, kt_id type)
{
	return type > 0 && type < p->u->types ? p->u->type[type].name : NULL;
}

static void print_file(struct printer *p, kt_id id)
{
	const struct kt_file *f = &p->u->file[id];
	struct str rest = f->text;

	sbuf_addf(p->out, "(file %" PRIu32, id);
	add_string(p, "path", f->path);
	add_flag(p, "main", f->main);
	add_flag(p, "system", f->system);
	while (!f->system && rest.n > 0) {
		size_t newline = str_find(rest, "\n", 0);
		size_t n = newline < rest.n ? newline + 1 : rest.n;

		new_line(p, 2);
		add_quoted(p->out, str_sub(rest, 0, n));
		rest = str_sub(rest, n, rest.n);
	}
	sbuf_addc(p->out, ')');
}

static void print_type(struct printer *p, kt_id id)
{
	const struct kt_type *t = &p->u->type[id];

	sbuf_addf(p->out, "(type %" PRIu32 " %s", id, kt_enum_name(&kt_type_names, t->kind));
	if (t->size != -1) {
		sbuf_addf(p->out, " size=%" PRId64, t->size);
	}
	add_number(p, "align", t->align);
	add_number(p, "count", t->count);
	add_number(p, "elem", t->elem);
	add_flag(p, "const", t->is_const);
	add_flag(p, "volatile", t->is_volatile);
	add_flag(p, "restrict", t->is_restrict);
	add_flag(p, "unsigned", t->is_unsigned);
	add_flag(p, "trivial", t->trivial);
	add_flag(p, "destroys", t->destroys);
	add_flag(p, "punned", t->punned);
	add_string(p, "name", t->name);
	add_string(p, "canon", t->canon);
	sbuf_addc(p->out, ')');
}

static void print_sym(struct printer *p, kt_id id)
{
	const struct kt_sym *s = &p->u->sym[id];

	sbuf_addf(p->out, "(sym %" PRIu32 " %s", id, kt_enum_name(&kt_sym_names, s->kind));
	if (s->owner != kt_owner_of(s->kind)) {
		sbuf_addf(p->out, " owner=%s", kt_enum_name(&kt_owner_names, s->owner));
	}
	add_number(p, "of", s->of);
	if (s->space != KT_PRIVATE) {
		sbuf_addf(p->out, " space=%s", kt_enum_name(&kt_space_names, s->space));
	}
	add_flag(p, "static", s->is_static);
	add_flag(p, "bit-field", s->is_bit_field);
	add_number(p, "type", s->type);
	add_number(p, "fn", s->fn);
	add_number(p, "file", s->file);
	add_number(p, "at", s->at);
	add_number(p, "offset", s->offset);
	add_string(p, "name", s->name);
	sbuf_addc(p->out, ')');
	add_note(p, type_name(p, s->type));
}

/* "name: type", or what there is of it. */
static void note_node(struct printer *p, const struct kt_node *n)
{
	const struct kt_unit *u = p->u;

	if (n->sym > 0 && n->sym < u->syms) {
		add_note(p, u->sym[n->sym].name);
	} else if (n->fn > 0 && n->fn < u->fns) {
		add_note(p, u->fn[n->fn].name);
	}
	if (type_name(p, n->type)) {
		add_note(p, p->note.n > 0 ? ": " : "");
		add_note(p, type_name(p, n->type));
	}
}

static void print_head(struct printer *p, const struct kt_node *n, kt_id file)
{
	sbuf_addf(p->out, "(%s", kt_kind_name(n->kind));
	add_range(p, n->begin, n->end);
	if (n->file != file) {
		sbuf_addf(p->out, " file=%" PRIu32, n->file);
	}
	if (n->op != KT_OP_NONE) {
		sbuf_addf(p->out, " op=%s", kt_enum_name(&kt_op_names, n->op));
	}
	add_number(p, "type", n->type);
	add_number(p, "sym", n->sym);
	add_number(p, "fn", n->fn);
	if (n->flags & KT_F_VALUE) {
		sbuf_addf(p->out, " value=%" PRId64, n->value);
	}
	for (unsigned bit = 0; bit < kt_flag_names.n; bit++) {
		const char *word = kt_flag_names.word[bit];

		add_flag(p, word, word && (n->flags >> bit & 1));
	}
	add_string(p, "text", n->text);
	note_node(p, n);
}

/* file: the node's default. */
static void print_node(struct printer *p, const struct kt_node *n, kt_id file, unsigned depth)
{
	/* A body, of depth 1, is indented by two. */
	bool too_deep = depth > KT_DEPTH_MAX;
	size_t slots = kt_slots(n->kind);

	print_head(p, n, file);
	for (size_t i = 0; i < n->n; i++) {
		const struct kt_node *child = n->child[i];

		if (i < slots && !child) {
			continue;
		}
		new_line(p, depth + 1);
		if (i < slots) {
			sbuf_addf(p->out, "%s: ", kt_slot_names(n->kind).word[i]);
		}
		if (child && !too_deep) {
			print_node(p, child, n->file, depth + 1);
		} else {
			sbuf_addc(p->out, '-');
			add_note(p, child ? "too deep" : "");
		}
	}
	sbuf_addc(p->out, ')');
}

static void print_fn(struct printer *p, kt_id id)
{
	const struct kt_fn *f = &p->u->fn[id];

	sbuf_addf(p->out, "(fn %" PRIu32 " %s", id, kt_enum_name(&kt_fn_names, f->kind));
	add_string(p, "name", f->name);
	add_string(p, "base", f->base);
	add_string(p, "symbol", f->symbol);
	add_number(p, "file", f->file);
	add_range(p, f->begin, f->end);
	add_number(p, "name-at", f->name_at);
	add_number(p, "ret", f->ret);
	for (size_t i = 0; i < f->params; i++) {
		sbuf_addf(p->out, "%s%" PRIu32, i == 0 ? " params=" : ",", f->param[i]);
	}
	add_number(p, "self", f->self);
	add_number(p, "around", f->around);
	add_flag(p, "owns-this", f->owns_this);
	add_number(p, "threads", f->threads);
	add_number(p, "known-threads", f->known_threads);
	add_number(p, "bound", f->bound);
	add_number(p, "waves", f->waves);
	add_number(p, "by-reference", f->by_reference);
	add_flag(p, "flat", f->flat);
	add_flag(p, "on-host", f->on_host);
	add_flag(p, "lambda", f->is_lambda);
	add_flag(p, "method", f->is_method);
	add_flag(p, "const", f->is_const);
	add_flag(p, "trivial", f->is_trivial);
	add_flag(p, "system", f->in_system_header);
	add_note(p, type_name(p, f->ret));
	if (f->body) {
		new_line(p, 2);
		print_node(p, f->body, f->file, 2);
	}
	sbuf_addc(p->out, ')');
}

static void print_pattern(struct printer *p, const struct kt_pattern *n)
{
	new_line(p, 1);
	sbuf_adds(p->out, "(pattern");
	add_string(p, "name", n->name);
	add_string(p, "missing", n->missing);
	add_number(p, "file", n->file);
	add_number(p, "at", n->at);
	sbuf_addc(p->out, ')');
}

static void print_all(struct printer *p, size_t n, void (*print)(struct printer *p, kt_id id))
{
	for (size_t id = 1; id < n; id++) {
		new_line(p, 1);
		print(p, (kt_id)id);
	}
}

void kt_print(struct sbuf *out, const struct kt_unit *u)
{
	struct printer p = {.out = out, .u = u};

	sbuf_adds(out, "(unit");
	add_string(&p, "target", u->target);
	add_number(&p, "open", u->open);
	add_number(&p, "hides", u->hides);
	print_all(&p, u->files, print_file);
	print_all(&p, u->types, print_type);
	print_all(&p, u->syms, print_sym);
	print_all(&p, u->fns, print_fn);
	for (size_t i = 0; i < u->patterns; i++) {
		print_pattern(&p, &u->pattern[i]);
	}
	sbuf_addc(out, ')');
	flush_note(&p);
	sbuf_addc(out, '\n');
	sbuf_release(&p.note);
}
