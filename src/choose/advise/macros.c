#include "choose/advise/macros.h"

#include "frontend/text/lex.h"

/* "#define NAME NUMBER": the words behind the sign, without comments; how many. */
static size_t words_of(struct str word[4], struct str text, struct lex_token t)
{
	struct str d = str_sub(text, t.begin + 1, t.end);
	size_t n = 0;

	for (struct lex_token k = lex_next(d, 0); n < 4 && k.kind != LEX_END;
		k = lex_next(d, k.end)) {
		word[n++] = str_sub(d, k.begin, k.end);
	}
	return n;
}

/* The value under the flags: own where they do not name it. False: it is no number then. */
static bool under_flags(int64_t *value, int64_t own, struct str name, const char *const *flags)
{
	bool ok = true;

	*value = own;
	for (size_t i = 0; flags && flags[i]; i++) {
		struct str f = str_of(flags[i]), key = {0};
		bool undo = str_starts(f, "-U");
		if (!undo && !str_starts(f, "-D")) {
			continue;
		}
		bool apart = f.n == 2 && flags[i + 1];
		struct str rest = apart ? str_of(flags[++i]) : str_sub(f, 2, f.n);
		bool plain = str_find(rest, "=", 0) == SIZE_MAX;
		str_split(&rest, '=', &key);
		if (str_eq(key, name)) {
			*value = undo ? own : 1;
			ok = undo || plain || str_to_i64(rest, value);
		}
	}
	return ok;
}

static bool is_known(const struct macro *m, size_t n, struct str name)
{
	for (size_t i = 0; i < n; i++) {
		if (str_is(name, m[i].name)) {
			return true;
		}
	}
	return false;
}

size_t macros_find(
	struct macro *out, size_t max, struct arena *a, struct str text, const char *const *flags)
{
	struct str guard = {0};
	size_t n = 0;

	for (struct lex_token t = lex_next(text, 0); n < max && t.kind != LEX_END;
		t = lex_next(text, t.end)) {
		struct str w[4];
		struct macro m;
		int64_t own;
		size_t words = t.kind == LEX_DIRECTIVE ? words_of(w, text, t) : 0;
		bool is = words == 3 && str_is(w[0], "define") && guard.n && str_eq(w[1], guard) &&
			  !is_known(out, n, guard) && str_to_i64(w[2], &own) &&
			  under_flags(&m.value, own, guard, flags);
		if (is) {
			m.name = arena_strndup(a, guard.p, guard.n);
			out[n++] = m;
		}
		guard = words == 2 && str_is(w[0], "ifndef") ? w[1] : (struct str){0};
	}
	return n;
}
