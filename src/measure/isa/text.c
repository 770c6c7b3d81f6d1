#include "measure/isa/text.h"

#include <string.h>

#define DEPTH_MAX 9 /* weights are powers of ten */

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static size_t word_end(struct str s)
{
	size_t i = 0;
	while (i < s.n && !is_space(s.p[i])) {
		i++;
	}
	return i;
}

bool isa_line_label(struct str line, struct str *name)
{
	struct str s = str_trim(line);
	size_t end = word_end(s);
	if (end < 2 || s.p[end - 1] != ':') {
		return false;
	}
	*name = str_sub(s, 0, end - 1);
	if (name->n > 2 && name->p[0] == '"' && name->p[name->n - 1] == '"') {
		*name = str_sub(*name, 1, name->n - 1);
	}
	return true;
}

struct str isa_operand(struct str operands, unsigned i)
{
	size_t from = 0;
	int brackets = 0;
	for (size_t at = 0; at <= operands.n; at++) {
		char c = at < operands.n ? operands.p[at] : ',';
		brackets += (c == '[') - (c == ']');
		if (at < operands.n && (c != ',' || brackets > 0)) {
			continue;
		}
		if (i-- == 0) {
			return str_trim(str_sub(operands, from, at));
		}
		from = at + 1;
	}
	return (struct str){operands.p, 0};
}

/* Takes a register's number; false: none, or larger than any GPU's. */
static bool cut_number(unsigned *out, struct str *s)
{
	size_t i = 0;
	for (*out = 0; i < s->n && i < 4 && s->p[i] >= '0' && s->p[i] <= '9'; i++) {
		*out = *out * 10 + (unsigned)(s->p[i] - '0');
	}
	*s = str_sub(*s, i, s->n);
	return i > 0;
}

struct isa_reg isa_reg_cut(struct str *s)
{
	static const struct {
		const char *name;
		struct isa_reg reg;
	} named[] = {{"vcc", {'s', 106, 2}}, {"vcc_lo", {'s', 106, 1}}, {"vcc_hi", {'s', 107, 1}},
		{"exec", {'s', 126, 2}}, {"exec_lo", {'s', 126, 1}}, {"exec_hi", {'s', 127, 1}}};
	static const struct isa_reg none = {0};
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		if (str_is(*s, named[i].name)) {
			*s = str_sub(*s, s->n, s->n);
			return named[i].reg;
		}
	}
	if (s->n < 2 || !memchr("sva", s->p[0], 3)) {
		return none;
	}
	struct isa_reg r = {.file = s->p[0]};
	bool list = s->p[1] == '[';
	struct str rest = str_sub(*s, 1 + list, s->n);
	unsigned last;
	if (!cut_number(&r.at, &rest)) {
		return none;
	}
	last = r.at;
	if (list && str_starts(rest, ":")) {
		rest = str_sub(rest, 1, rest.n);
		if (!cut_number(&last, &rest)) {
			return none;
		}
	}
	if (last < r.at || (list && !str_starts(rest, "]")) || (r.file == 's' && last >= 106)) {
		return none;
	}
	r.n = last - r.at + 1;
	*s = str_sub(rest, list, rest.n);
	return r;
}

struct isa_reg isa_reg_read(struct str operand)
{
	struct isa_reg r = isa_reg_cut(&operand);
	return operand.n ? (struct isa_reg){0} : r;
}

/* Splits off a comment that begins with ';' or "//". */
static struct str split_comment(struct str line, struct str *comment)
{
	for (size_t i = 0; i < line.n; i++) {
		bool slashes = line.p[i] == '/' && i + 1 < line.n && line.p[i + 1] == '/';
		if (line.p[i] == ';' || slashes) {
			*comment = str_trim(str_sub(line, i + 1 + slashes, line.n));
			return str_trim(str_sub(line, 0, i));
		}
	}
	*comment = (struct str){line.p, 0};
	return str_trim(line);
}

/*
 * LLVM's asm printer writes at each block in a loop "in Loop: Header=BB0_3 Depth=1" or "=>This
 * Inner Loop Header: Depth=2", the latter after a line "Parent Loop BB0_1 Depth=1" for each loop
 * around it. "Child Loop BB0_4 Depth 2" has no equals sign.
 */
static unsigned comment_depth(struct str comment)
{
	size_t at = str_find(comment, "Depth=", 0);
	if (at == SIZE_MAX) {
		return 0;
	}
	unsigned depth = 0;
	for (at += 6; at < comment.n && comment.p[at] >= '0' && comment.p[at] <= '9'; at++) {
		depth = depth * 10 + (unsigned)(comment.p[at] - '0');
		if (depth > DEPTH_MAX) {
			return DEPTH_MAX;
		}
	}
	return depth;
}

static bool is_block_label(struct str name)
{
	return str_starts(name, ".LBB") || str_starts(name, "BB");
}

void isa_function_read(struct isa_function *f, struct str text)
{
	struct str rest = text;
	struct str line;
	unsigned depth = 0;
	bool at_head = true; /* at a block's start: its comments give the depth */
	while (str_line(&rest, &line)) {
		struct str comment;
		struct str body = split_comment(line, &comment);
		struct str name;
		if (isa_line_label(body, &name)) {
			map_set(&f->label, name, f->insn.n);
			if (is_block_label(name)) {
				at_head = true;
				depth = 0;
			}
			body = str_trim(str_sub(body, word_end(body), body.n));
		} else if (body.n == 0 && str_starts(comment, "%bb.")) {
			at_head = true;
			depth = 0;
		}
		if (at_head) {
			unsigned d = comment_depth(comment);
			depth = d > depth ? d : depth;
		}
		if (body.n == 0 || body.p[0] == '.') {
			continue;
		}
		at_head = false;
		size_t end = word_end(body);
		array_push(&f->insn, (struct isa_insn){.mnemonic = str_sub(body, 0, end),
					     .operands = str_trim(str_sub(body, end, body.n)),
					     .comment = comment,
					     .depth = depth});
	}
}

/*
 * Scratch: scratch_* from gfx940 on; before that buffer_* with the descriptor in s[0:3], which LLVM
 * reserves for it in every kernel with a private segment. Spills also have a comment.
 */
bool isa_is_scratch(const struct isa_insn *in)
{
	static const char *const scratch[] = {"scratch_load", "scratch_store", NULL};
	static const char *const buffer[] = {"buffer_load_", "buffer_store_", NULL};
	if (str_starts_any(in->mnemonic, scratch)) {
		return true;
	}
	if (!str_starts_any(in->mnemonic, buffer)) {
		return false;
	}
	return str_find(in->comment, "Folded Spill", 0) != SIZE_MAX ||
	       str_find(in->comment, "Folded Reload", 0) != SIZE_MAX ||
	       str_is(isa_operand(in->operands, 2), "s[0:3]");
}

void isa_function_release(struct isa_function *f)
{
	array_release(&f->insn);
	map_release(&f->label);
}
