#include "analysis/pair/pair.h"

#include <string.h>
#include "frontend/text/lex.h"

void pair_index_words(struct map *at, const struct kt_unit *u, const struct kt_node *root)
{
	for (const struct kt_node *n = root; n; n = kt_next(n, root)) {
		if (n->kind == KT_REF && n->sym && kt_is_spelled(n)) {
			map_set_u64(at, n->begin, n->sym);
		} else if (n->kind == KT_VAR && n->sym && u->sym[n->sym].file == n->file) {
			map_set_u64(at, u->sym[n->sym].at, n->sym);
		}
	}
}

enum {
	TOKEN_HOLE = 1,
	TOKEN_TEXT
};

struct token {
	int kind;
	size_t hole; /* index, with TOKEN_HOLE */
	struct str text;
	kt_id sym;   /* of the node at this token */
	bool member; /* follows . or -> */
};

typedef ARRAY(struct token) token_array;

/* The tokens of a statement; each hole, in source order, becomes one token. */
static void tokens_of(token_array *out, const struct kt_unit *u, const struct kt_node *stmt,
	const struct span *hole, size_t n)
{
	struct str t = u->file[stmt->file].text;
	struct map at = {0};
	struct lex_token before = {0};
	size_t pos = stmt->begin;
	size_t h = 0;
	pair_index_words(&at, u, stmt);
	for (;;) {
		struct lex_token k = lex_next(t, pos);
		if (k.kind == LEX_END || k.begin >= stmt->end) {
			break;
		}
		if (h < n && hole[h].begin <= k.begin) {
			array_push(out, (struct token){.kind = TOKEN_HOLE, .hole = h});
			pos = hole[h].end > k.begin ? hole[h].end : k.begin;
			h++;
			before = (struct lex_token){0};
			continue;
		}
		array_push(out, (struct token){.kind = TOKEN_TEXT,
					.text = str_sub(t, k.begin, k.end),
					.sym = (kt_id)map_get_u64(&at, k.begin, 0),
					.member = lex_is_member_sign(t, before)});
		before = k;
		pos = k.end;
	}
	map_release(&at);
}

static bool token_is(const token_array *v, size_t i, const char *s)
{
	return i < v->n && v->v[i].kind == TOKEN_TEXT && str_is(v->v[i].text, s);
}

/* The number of parentheses around a hole. The tree has none: `(a + b) * c` matches `d * c`. */
static size_t open_parens(const token_array *v, size_t i)
{
	size_t n = 0;
	while (token_is(v, i + n, "(")) {
		n++;
	}
	bool hole = i + n < v->n && v->v[i + n].kind == TOKEN_HOLE;
	for (size_t k = 0; k < n && hole; k++) {
		hole = token_is(v, i + n + 1 + k, ")");
	}
	return hole ? n : 0;
}

/* Is the word, which is not part of a node, a local with another name in the other arm? */
static bool hidden_rename(const struct pairing *p, struct str word)
{
	for (size_t i = 0; i < p->to.n; i++) {
		kt_id to = (kt_id)p->to.entry[i].value;
		kt_id from = (kt_id)map_get_u64(&p->from, to, 0);
		const char *x = p->u->sym[from].name;
		const char *y = p->u->sym[to].name;
		if (to && strcmp(x, y) != 0 && (str_is(word, x) || str_is(word, y))) {
			return true;
		}
	}
	return false;
}

static bool same_word(struct pairing *p, const struct token *x, const struct token *y)
{
	if (x->sym && y->sym && map_get_u64(&p->to, x->sym, 0) == y->sym) {
		return true;
	}
	if (!str_eq(x->text, y->text)) {
		return false;
	}
	return x->sym || x->member || !hidden_rename(p, x->text);
}

/* Is it #pragma unroll or similar? The loop's result and the guarantees about it do not depend on
 * it. */
static bool is_unroll_pragma(const struct token *k)
{
	struct str rest = k->kind == TOKEN_TEXT ? k->text : (struct str){0};
	bool pragma = str_starts(rest, "#") && str_find(rest, "pragma", 0) != SIZE_MAX;
	return pragma && str_find(rest, "unroll", 0) != SIZE_MAX &&
	       str_find(rest, "vectorize", 0) == SIZE_MAX &&
	       str_find(rest, "interleave", 0) == SIZE_MAX &&
	       str_find(rest, "distribute", 0) == SIZE_MAX;
}

static bool same_tokens(
	struct pairing *p, const token_array *x, const token_array *y, bool fewer_pragmas)
{
	size_t i = 0, k = 0;
	while (i < x->n && k < y->n) {
		const struct token *a = &x->v[i];
		const struct token *b = &y->v[k];
		if (a->kind == TOKEN_HOLE && b->kind == TOKEN_HOLE) {
			if (a->hole != b->hole) {
				return false;
			}
			i++, k++;
		} else if (a->kind == TOKEN_HOLE && open_parens(y, k)) {
			size_t n = open_parens(y, k);
			i++, k += 2 * n + 1;
		} else if (fewer_pragmas && is_unroll_pragma(b) && !is_unroll_pragma(a)) {
			k++;
		} else if (b->kind == TOKEN_HOLE && open_parens(x, i)) {
			size_t n = open_parens(x, i);
			k++, i += 2 * n + 1;
		} else if (a->kind != b->kind || !same_word(p, a, b)) {
			return false;
		} else {
			i++, k++;
		}
	}
	return i == x->n && k == y->n;
}

bool pair_same_spelling(struct pairing *p, const struct kt_node *x, const struct span *hole_x,
	const struct kt_node *y, const struct span *hole_y, size_t n, bool fewer_pragmas)
{
	token_array a = {0};
	token_array b = {0};
	tokens_of(&a, p->u, x, hole_x, n);
	tokens_of(&b, p->u, y, hole_y, n);
	bool same = same_tokens(p, &a, &b, fewer_pragmas);
	array_release(&a);
	array_release(&b);
	return same;
}
