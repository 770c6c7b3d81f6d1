#include "measure/budget.h"

#include <fnmatch.h>
#include <string.h>

#include "base/lines.h"
#include "base/msg.h"
#include "config/options.h"
#include "frontend/text/lex.h"

#define MARK "unphi: budget"

static const struct {
	const char *name;
	enum metric metric;
} short_names[] = {
	{"spills", METRIC_VGPR_SPILL},
	{"scratch", METRIC_SCRATCH},
	{"vgpr", METRIC_VGPR},
	{"vgprs", METRIC_VGPR},
	{"agpr", METRIC_ACC_VGPR},
	{"agprs", METRIC_ACC_VGPR},
	{"sgpr", METRIC_SGPR},
	{"sgprs", METRIC_SGPR},
	{"lds", METRIC_LDS},
	{"occupancy", METRIC_RESIDENT_WAVES},
	{"waves", METRIC_RESIDENT_WAVES},
};

enum {
	SHORT_NAMES = sizeof(short_names) / sizeof(short_names[0])
};

static bool find_metric(enum metric *out, struct str name)
{
	for (size_t i = 0; i < SHORT_NAMES; i++) {
		if (str_is(name, short_names[i].name)) {
			*out = short_names[i].metric;
			return true;
		}
	}
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		if (str_is(name, metric_info[i].key)) {
			*out = (enum metric)i;
			return true;
		}
	}
	return false;
}

static const char *nearest_metric(struct str name)
{
	const char *known[SHORT_NAMES + METRIC_COUNT];

	for (size_t i = 0; i < SHORT_NAMES; i++) {
		known[i] = short_names[i].name;
	}
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		known[SHORT_NAMES + i] = metric_info[i].key;
	}
	return options_nearest(name, known, SHORT_NAMES + METRIC_COUNT);
}

static const char *read_limit(struct budget_limit *l, struct arena *a, struct str word)
{
	static const struct {
		const char *sign;
		enum budget_op op;
	} ops[] = {{"==", BUDGET_EQ}, {"!=", BUDGET_NE}, {"<=", BUDGET_LE}, {">=", BUDGET_GE},
		{"=", BUDGET_EQ}, {"<", BUDGET_LT}, {">", BUDGET_GT}};
	size_t at = 0;

	while (at < word.n && !strchr("=!<>", word.p[at])) {
		at++;
	}
	struct str name = str_sub(word, 0, at), rest = str_sub(word, at, word.n);
	l->text = word;
	if (!find_metric(&l->metric, name)) {
		const char *near = nearest_metric(name);
		return arena_printf(a, "there is no metric '%.*s'%s%s%s", STR_ARG(name),
			near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	}
	for (size_t i = 0; i < sizeof(ops) / sizeof(ops[0]); i++) {
		size_t n = strlen(ops[i].sign);
		if (str_starts(rest, ops[i].sign) &&
			str_to_i64(str_sub(rest, n, rest.n), &l->value) && l->value >= 0) {
			l->op = ops[i].op;
			return NULL;
		}
	}
	return arena_printf(a, "'%.*s' is not a limit: NAME, one of = != < <= > >=, and a number",
		STR_ARG(word));
}

static bool has_op(struct str word)
{
	for (size_t i = 0; i < word.n; i++) {
		if (strchr("=!<>", word.p[i])) {
			return true;
		}
	}
	return false;
}

const char *budget_read(struct budget *b, struct arena *a, struct str text)
{
	ARRAY(struct budget_limit) limits = {0};
	const char *wrong = NULL;
	size_t at = 0;

	text = str_trim(text);
	b->targets = (struct str){text.p, 0};
	while (at < text.n && !wrong) {
		size_t end = at;
		while (end < text.n && !strchr(" \t,", text.p[end])) {
			end++;
		}
		struct str word = str_sub(text, at, end);
		if (word.n > 0 && has_op(word)) {
			struct budget_limit l;
			wrong = read_limit(&l, a, word);
			array_push(&limits, l);
		} else if (word.n > 0 && limits.n > 0) {
			wrong = arena_printf(a, "'%.*s' comes after the limits; targets come first",
				STR_ARG(word));
		} else if (word.n > 0) {
			b->targets.n = (size_t)(word.p + word.n - text.p);
		}
		at = end + 1;
	}
	if (!wrong && limits.n == 0) {
		wrong = "a budget needs a limit, such as spills=0";
	}
	array_move(b->limit, b->limits, a, &limits);
	return wrong;
}

/* ---- budgets in a source ---- */

static bool says_global(struct str text, struct lex_token t)
{
	return lex_is(text, t, "__global__") || lex_is(text, t, "global") ||
	       lex_is(text, t, "amdgpu_kernel");
}

/* The name of the kernel declared after pos: the last word before parentheses that is not an
 * attribute, up to the body or the end of the declaration. */
static const char *kernel_after(struct arena *a, struct str text, size_t pos)
{
	struct lex_token before = {LEX_END, 0, 0};
	struct str name = {0};
	bool kernel = false;

	lex_each (t, text, pos, text.n) {
		if (lex_is(text, t, "{") || lex_is(text, t, ";") || lex_is(text, t, "}")) {
			break;
		}
		kernel = kernel || says_global(text, t);
		if (lex_is(text, t, "(")) {
			struct str word = str_sub(text, before.begin, before.end);
			size_t close = lex_close(text, t.begin);
			if (close == SIZE_MAX) {
				break;
			}
			if (before.kind == LEX_WORD && !str_starts(word, "__")) {
				name = word;
			}
			kernel = kernel ||
				 str_find(str_sub(text, t.begin, close), "global", 0) != SIZE_MAX;
			t.end = close + 1;
		}
		before = t;
	}
	return kernel && name.n > 0 ? arena_strndup(a, name.p, name.n) : NULL;
}

/* "ns::k<4>" -> "k" */
static struct str bare_name(const char *name)
{
	struct str bare = {name, strcspn(name, "<")};

	for (size_t i = bare.n; i > 0; i--) {
		if (bare.p[i - 1] == ':') {
			return str_sub(bare, i, bare.n);
		}
	}
	return bare;
}

void budget_kernel_lines(struct map *out, struct arena *a, struct str text)
{
	lex_each (t, text, 0, text.n) {
		const char *kernel = says_global(text, t) ? kernel_after(a, text, t.begin) : NULL;
		if (kernel && !map_has(out, str_of(kernel))) {
			map_set(out, str_of(kernel), line_col_of(text, t.begin).line);
		}
	}
}

unsigned budget_line_of(const struct map *lines, const char *name)
{
	return (unsigned)map_get(lines, bare_name(name), 0);
}

static int complain(const char *file, struct str text, size_t at, const char *what)
{
	unsigned line = 1, column = 1;

	for (size_t i = 0; i < at; i++) {
		column = text.p[i] == '\n' ? 1 : column + 1;
		line += text.p[i] == '\n';
	}
	return fail_usage("%s:%u:%u: %s", file, line, column, what);
}

static int read_comment(
	struct budget_list *out, struct arena *a, struct str text, const char *file, size_t at)
{
	size_t from = at + strlen(MARK);
	size_t end = str_find(text, "\n", from);
	struct str words = str_trim(str_sub(text, from, end));
	struct budget b = {.file = file, .line = 1};

	if (str_ends(words, "*/")) {
		words = str_sub(words, 0, words.n - 2);
	}
	for (size_t i = 0; i < at; i++) {
		b.line += text.p[i] == '\n';
	}
	const char *wrong = budget_read(&b, a, words);
	if (wrong) {
		return complain(file, text, at, wrong);
	}
	b.kernel = kernel_after(a, text, end == SIZE_MAX ? text.n : end);
	if (!b.kernel) {
		return complain(file, text, at, "no kernel follows this budget");
	}
	array_push(&out->v, b);
	return 0;
}

int budgets_find(struct budget_list *out, struct arena *a, struct str text, const char *file)
{
	int rc = 0;
	size_t gap = 0;

	if (str_find(text, MARK, 0) == SIZE_MAX) {
		return 0;
	}
	for (;;) {
		struct lex_token t = lex_next(text, gap);
		size_t end = t.kind == LEX_END ? text.n : t.begin;
		size_t at = gap;
		while ((at = str_find(str_sub(text, 0, end), MARK, at)) != SIZE_MAX) {
			int one = read_comment(out, a, text, file, at);
			rc = rc ? rc : one;
			at += strlen(MARK);
		}
		if (t.kind == LEX_END) {
			return rc;
		}
		gap = t.end;
	}
}

/* ---- comparison with figures ---- */

static bool names_target(struct str targets, struct str name)
{
	struct str bare = name, rest = name;
	size_t at = 0;

	str_split(&rest, ':', &bare);
	while (at < targets.n) {
		size_t end = at;
		while (end < targets.n && !strchr(" \t,", targets.p[end])) {
			end++;
		}
		struct str word = str_sub(targets, at, end);
		if (word.n > 0 && (str_eq(word, name) || str_eq(word, bare))) {
			return true;
		}
		at = end + 1;
	}
	return targets.n == 0;
}

bool budget_is_for(const struct budget *b, const char *target, const struct kernel_metrics *k)
{
	/* without template arguments, then without scope */
	size_t cut = strcspn(k->name, "<(");
	char base[512];
	const char *from = k->name;

	if (!names_target(b->targets, str_of(target))) {
		return false;
	}
	for (size_t i = 0; i + 1 < cut; i++) {
		if (k->name[i] == ':' && k->name[i + 1] == ':') {
			from = k->name + i + 2;
		}
	}
	size_t n = (size_t)(k->name + cut - from);
	n = n < sizeof(base) ? n : sizeof(base) - 1;
	memcpy(base, from, n);
	base[n] = '\0';
	return fnmatch(b->kernel, base, 0) == 0 || fnmatch(b->kernel, k->name, 0) == 0;
}

static size_t literals(const char *pattern)
{
	size_t n = 0;

	for (; *pattern; pattern++) {
		n += !strchr("*?[]", *pattern);
	}
	return n;
}

/* Is x more specific than y? */
static bool outranks(const struct budget *x, const struct budget *y)
{
	bool x_name = !strpbrk(x->kernel, "*?["), y_name = !strpbrk(y->kernel, "*?[");
	size_t xn = literals(x->kernel), yn = literals(y->kernel);

	if (x_name != y_name) {
		return x_name;
	}
	return xn != yn ? xn > yn : x->targets.n > 0 && y->targets.n == 0;
}

static bool sets(const struct budget *b, enum metric metric)
{
	for (size_t i = 0; i < b->limits; i++) {
		if (b->limit[i].metric == metric) {
			return true;
		}
	}
	return false;
}

bool budget_is_replaced(const struct budget_list *l, const struct budget *b,
	const struct budget_limit *limit, const char *target, const struct kernel_metrics *k)
{
	array_each (&l->v, const struct budget, other) {
		if (sets(other, limit->metric) && outranks(other, b) &&
			budget_is_for(other, target, k)) {
			return true;
		}
	}
	return false;
}

bool budget_holds(const struct budget_limit *l, const struct kernel_metrics *k)
{
	int64_t v = k->v[l->metric];

	if (v == METRIC_ABSENT) {
		return false;
	}
	switch (l->op) {
	case BUDGET_EQ:
		return v == l->value;
	case BUDGET_NE:
		return v != l->value;
	case BUDGET_LT:
		return v < l->value;
	case BUDGET_LE:
		return v <= l->value;
	case BUDGET_GT:
		return v > l->value;
	case BUDGET_GE:
		return v >= l->value;
	}
	BUG("%d is no budget_op", (int)l->op);
}
