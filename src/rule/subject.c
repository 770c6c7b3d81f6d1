#include "rule/subject.h"

#include <string.h>

#include "base/map.h"
#include "frontend/text/lex.h"

/* Words that say what the code does. All others are names, of types too. */
static bool is_keyword(struct str w)
{
	static const char *const words[] = {"if", "else", "for", "while", "do", "switch", "case",
		"default", "break", "continue", "return", "goto", "constexpr", "true", "false"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (words[i][0] == w.p[0] && str_is(w, words[i])) {
			return true;
		}
	}
	return false;
}

static uint64_t hash_tokens(struct str text, size_t begin, size_t end)
{
	uint64_t h = 0;
	struct map seen = {0};

	text = str_sub(text, 0, end);
	lex_each (t, text, begin, text.n) {
		struct str s = str_sub(text, t.begin, t.end);
		char number[2 + sizeof(uint64_t)] = {'\1', 0};
		if (t.kind == LEX_DIRECTIVE) {
			continue;
		}
		if (t.kind == LEX_WORD && !is_keyword(s)) {
			uintptr_t index = map_get(&seen, s, seen.n);
			map_set(&seen, s, index);
			memcpy(number + 1, &index, sizeof(index));
			s = (struct str){number, 1 + sizeof(index)};
		}
		h = str_hash(s, h);
		h = str_hash(STR(" "), h);
	}
	map_release(&seen);
	return h;
}

const char *subject_function(struct arena *a, const char *name)
{
	struct sbuf b = {0};
	int depth = 0;

	for (const char *p = name; *p; p++) {
		bool starts = p == name || p[-1] == ':' || p[-1] == ' ';
		if (depth == 0 && starts && strncmp(p, "operator", 8) == 0) {
			sbuf_adds(&b, p); /* whose name may be < or -> */
			break;
		}
		depth += *p == '<';
		if (depth == 0) {
			sbuf_addc(&b, *p);
		}
		depth -= *p == '>' && depth > 0;
	}
	return sbuf_finish(&b, a).p;
}

struct diag_place subject_place(const struct kt_unit *u, const struct kt_node *n)
{
	const struct kt_file *file = &u->file[n->file];
	bool macro = n->flags & KT_F_MACRO;
	return (struct diag_place){
		file->path, file->text, n->begin, macro ? n->begin : n->end, NULL};
}

void subject_kernel(struct diag *d, struct arena *a, const struct kt_unit *u, kt_id id)
{
	const struct kt_fn *fn = &u->fn[id];
	const struct kt_file *file = &u->file[fn->file];
	d->place = (struct diag_place){
		file->path, file->text, fn->name_at, fn->name_at + strlen(fn->base), NULL};
	d->function = subject_function(a, fn->name);
	d->code = str_hash(str_of(d->function), 0);
}

void subject_set(
	struct diag *d, struct arena *a, const struct kt_unit *u, kt_id fn, const struct kt_node *n)
{
	d->function = subject_function(a, u->fn[fn].name);
	d->code = hash_tokens(u->file[n->file].text, n->begin, n->end);
}
