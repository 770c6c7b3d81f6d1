/*
 * Inline asm. libclang shows only the operands' expressions, outputs first. All else is read from
 * the text in which the word asm is spelled, which may be a macro's body. Only if both have the
 * same number of operands, these become children of the node; else the asm is unknown code.
 */
#include "frontend/text/asm_text.h"
#include "frontend/tree/convert.h"
#include "frontend/text/lex.h"

/* The start of the logical line with the byte at `at`. */
static size_t line_start(struct str t, size_t at)
{
	while (at > 0) {
		size_t before = at - 1;
		if (t.p[before] == '\n') {
			before -= before > 0 && t.p[before - 1] == '\r';
			if (before == 0 || t.p[before - 1] != '\\') {
				return at;
			}
		}
		at = before;
	}
	return 0;
}

/* The text with the statement, up to the end of the macro body that it is in. */
static struct str spelled_text(struct builder *b, CXCursor c, size_t *at)
{
	CXSourceLocation l = clang_getRangeStart(clang_getCursorExtent(c));
	CXFile file = NULL;
	unsigned offset = 0;
	clang_getSpellingLocation(l, &file, NULL, NULL, &offset);
	kt_id id = builder_file(b, file, l);
	struct str t = id ? b->files.v[id].text : (struct str){0};
	*at = offset;
	struct lex_token k = lex_next(t, line_start(t, offset < t.n ? offset : t.n));
	return k.kind == LEX_DIRECTIVE && k.begin < offset ? str_sub(t, 0, k.end) : t;
}

static struct kt_node *part_of(
	struct builder *b, const struct kt_node *whole, enum kt_kind kind, size_t begin, size_t end)
{
	struct kt_node *n = ARENA_NEW(b->scratch, struct kt_node);
	n->kind = kind;
	n->file = whole->file;
	n->begin = whole->begin;
	n->end = whole->end;
	n->flags = whole->flags & KT_F_MACRO;
	if (!n->flags) {
		n->begin = (uint32_t)begin;
		n->end = (uint32_t)end;
	}
	return n;
}

static struct kt_node *operand_of(
	struct builder *b, const struct kt_node *whole, const struct asm_operand *o)
{
	struct kt_node *n = part_of(b, whole, KT_OPERAND, o->begin, o->end);
	n->text = builder_intern(b, str_of(arena_printf(b->scratch, *o->name ? "[%s] %s" : "%s%s",
					    o->name, o->constraint)));
	return n;
}

void convert_asm_operands(struct builder *b, struct kt_node *n, CXCursor c)
{
	struct asm_text t;
	size_t at;
	struct str text = spelled_text(b, c, &at);
	struct kids k = convert_kids_of(b, c);
	if (!asm_text_read(&t, b->scratch, text, at)) {
		return;
	}
	if (t.operand.n == k.n && (n->flags & KT_F_MACRO || at == n->begin)) {
		ARRAY(struct kt_node *) v = {0};
		struct kt_node *template =
			part_of(b, n, KT_LITERAL, t.template_begin, t.template_end);
		template->text = builder_intern(b, str_of(t.template));
		array_push(&v, template);
		for (size_t i = 0; i < k.n; i++) {
			array_push(&v, operand_of(b, n, &t.operand.v[i]));
		}
		array_each (&t.clobber, struct asm_clobber, i) {
			struct kt_node *clobber = part_of(b, n, KT_LITERAL, i->begin, i->end);
			clobber->text = builder_intern(b, str_of(i->text));
			array_push(&v, clobber);
		}
		n->flags |= t.is_volatile ? KT_F_VOLATILE : 0;
		kt_set_children(n, b->scratch, v.v, v.n);
		array_release(&v);
	}
	asm_text_release(&t);
}
