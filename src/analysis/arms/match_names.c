/* Names that statements declare, and words that would refer to them. */
#include "analysis/arms/match.h"
#include "analysis/pair/pair.h"
#include "frontend/text/lex.h"

void match_declared(struct match_names *out, struct facts *f, struct arena *a,
	const struct kt_node *const *stmt, size_t n)
{
	struct kt_unit *u = facts_unit(f);
	ARRAY(const char *) names = {0};
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; kt_declares(u, stmt[i]) && k < stmt[i]->n; k++) {
			if (stmt[i]->child[k]->kind == KT_VAR) {
				array_push(&names, u->sym[stmt[i]->child[k]->sym].name);
			}
		}
	}
	array_move(out->v, out->n, a, &names);
}

bool match_declares(const struct match_arm *list)
{
	for (size_t i = 0; i < list->n; i++) {
		if (list->stmt[i]->kind == KT_DECL) {
			return true;
		}
	}
	return false;
}

bool match_has_name(const struct match_names *names, struct str word)
{
	for (size_t i = 0; i < names->n; i++) {
		if (names->v[i] && str_is(word, names->v[i])) {
			return true;
		}
	}
	return false;
}

bool match_hidden_use(struct facts *f, const struct kt_node *root, size_t begin, size_t end,
	const struct match_names *names, struct str *word)
{
	struct kt_unit *u = facts_unit(f);
	struct str t = u->file[root->file].text;
	struct map at = {0};
	struct lex_token before = {0};
	bool found = false;
	pair_index_words(&at, u, root);
	for (struct lex_token k = lex_next(t, begin); k.kind != LEX_END && k.begin < end && !found;
		k = lex_next(t, k.end)) {
		struct str w = str_sub(t, k.begin, k.end);
		bool open = k.kind == LEX_WORD && !map_get_u64(&at, k.begin, 0) &&
			    !lex_is_member_sign(t, before);
		if (open && match_has_name(names, w)) {
			*word = w;
			found = true;
		}
		before = k;
	}
	map_release(&at);
	return found;
}
