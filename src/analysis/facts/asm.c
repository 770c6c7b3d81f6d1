#include "analysis/facts/asm.h"

#include <ctype.h>
#include <string.h>
#include "frontend/text/asm_text.h"

/* After the name: "[x] +v" is "+v". */
static const char *constraint(const struct kt_node *operand)
{
	const char *space = strrchr(operand->text, ' ');
	return space ? space + 1 : operand->text;
}

bool asm_writes(const struct kt_node *part)
{
	char c = part->kind == KT_OPERAND ? *constraint(part) : 0;
	return c == '=' || c == '+';
}

bool asm_reads(const struct kt_node *part)
{
	return part->kind == KT_OPERAND && *constraint(part) != '=';
}

bool asm_takes_value(const struct kt_node *operand)
{
	const char *c = constraint(operand);
	return !asm_writes(operand) && *c && strspn(c, "va") == strlen(c);
}

bool asm_is_volatile(const struct kt_node *n)
{
	bool writes = false;
	for (size_t i = 0; i < n->n; i++) {
		writes |= asm_writes(n->child[i]);
	}
	return !writes || n->flags & KT_F_VOLATILE;
}

static bool takes_scalar(const struct kt_node *operand)
{
	return strchr(constraint(operand), 's') != NULL;
}

/* ---- the template ---- */

static enum intrinsic_kind kind_of(const struct intrinsic_db *db, struct str word)
{
	char name[80] = "asm:";
	if (word.n + sizeof("asm:") > sizeof(name)) {
		return INTRINSIC_NONE;
	}
	for (size_t i = 0; i < word.n; i++) {
		name[strlen("asm:") + i] = (char)tolower((unsigned char)word.p[i]);
	}
	const struct intrinsic *in =
		intrinsic_find(db, (struct str){name, word.n + strlen("asm:")});
	return in ? in->kind : INTRINSIC_NONE;
}

static enum asm_effect effect_of(enum intrinsic_kind kind)
{
	return kind == INTRINSIC_PURE	     ? ASM_REGISTERS
	       : kind == INTRINSIC_CROSSLANE ? ASM_LANES
	       : kind == INTRINSIC_MATRIX    ? ASM_MATRIX
					     : ASM_ANYTHING;
}

/* The effect of both; a combination of lane-dependent and matrix instructions counts as
 * anything. */
static enum asm_effect both(enum asm_effect x, enum asm_effect y)
{
	return x == y || y == ASM_REGISTERS ? x : x == ASM_REGISTERS ? y : ASM_ANYTHING;
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* The length of %0 or %[name]; 0 for other text. */
static size_t operand_length(struct str s)
{
	size_t i = 1;
	if (s.n > 1 && s.p[1] == '[') {
		size_t close = str_find(s, "]", 2);
		return close == SIZE_MAX ? 0 : close + 1;
	}
	while (i < s.n && isdigit((unsigned char)s.p[i])) {
		i++;
	}
	return i > 1 ? i : 0;
}

/* The effect of the rest of the line: operands, numbers, and listed words. */
static enum asm_effect arguments(const struct intrinsic_db *db, struct str s)
{
	enum asm_effect effect = ASM_REGISTERS;
	for (size_t i = 0; i < s.n;) {
		char c = s.p[i];
		size_t n = 1;
		if (c == '%') {
			n = operand_length(str_sub(s, i, s.n));
		} else if (is_word(c)) {
			while (i + n < s.n && is_word(s.p[i + n])) {
				n++;
			}
			if (!isdigit((unsigned char)c)) {
				effect = both(effect, effect_of(kind_of(db, str_sub(s, i, i + n))));
			}
		} else if (!strchr(" ,:[]-|", c)) {
			n = 0;
		}
		if (n == 0 || effect == ASM_ANYTHING) {
			return ASM_ANYTHING;
		}
		i += n;
	}
	return effect;
}

static enum asm_effect instruction(const struct intrinsic_db *db, struct str line)
{
	size_t n = 0;
	while (n < line.n && is_word(line.p[n])) {
		n++;
	}
	if (n < line.n && line.p[n] != ' ') {
		return ASM_ANYTHING;
	}
	return both(effect_of(kind_of(db, str_sub(line, 0, n))),
		arguments(db, str_sub(line, n, line.n)));
}

static enum asm_effect template_effect(const struct intrinsic_db *db, struct str literal)
{
	enum asm_effect effect = ASM_REGISTERS;
	bool any = false;
	struct sbuf text = {0};
	asm_text_decode(&text, literal);
	struct str rest = sbuf_str(&text), line;
	while (asm_text_line(&rest, &line)) {
		if (line.n) {
			any = true;
			effect = both(effect, instruction(db, line));
		}
	}
	sbuf_release(&text);
	return any ? effect : ASM_ANYTHING;
}

/* Counts the template's instructions of that kind. */
static size_t count(
	const struct intrinsic_db *db, const struct kt_node *n, enum intrinsic_kind kind)
{
	const char *template = kt_asm_template(n);
	size_t found = 0;
	struct sbuf text = {0};
	asm_text_decode(&text, str_of(template ? template : ""));
	struct str rest = sbuf_str(&text), line;
	while (asm_text_line(&rest, &line)) {
		size_t end = 0;
		while (end < line.n && is_word(line.p[end])) {
			end++;
		}
		bool known = end == line.n || line.p[end] == ' ';
		enum intrinsic_kind is =
			known ? kind_of(db, str_sub(line, 0, end)) : INTRINSIC_NONE;
		found += line.n > 0 && is == kind;
	}
	sbuf_release(&text);
	return found;
}

bool asm_goes_on(const struct intrinsic_db *db, const struct kt_node *n)
{
	return kt_asm_template(n) && count(db, n, INTRINSIC_NONE) == 0;
}

bool asm_is_barrier(const struct intrinsic_db *db, const struct kt_node *n)
{
	return n->kind == KT_ASM && asm_goes_on(db, n) && count(db, n, INTRINSIC_BARRIER) > 0;
}

/* ---- the statement ---- */

enum asm_effect asm_effect(
	const struct kt_unit *u, const struct intrinsic_db *db, const struct kt_node *n)
{
	const char *template = kt_asm_template(n);
	enum asm_effect effect = template ? template_effect(db, str_of(template)) : ASM_ANYTHING;
	for (size_t i = 1; i < n->n; i++) {
		const struct kt_node *c = n->child[i];
		bool hides = c->kind == KT_OPERAND
				     ? kt_may_hold_pointer(kt_object_type(u, c->child[0]->type))
				     : strcmp(c->text, "memory") == 0;
		bool scalar = c->kind == KT_OPERAND && takes_scalar(c);
		effect = both(effect, hides ? ASM_ANYTHING : scalar ? ASM_LANES : ASM_REGISTERS);
	}
	return effect;
}
