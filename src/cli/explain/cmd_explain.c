/*
 * unphi explain: the reason for a rule or rewrite, an example, the fix (rules/explain.yaml); or
 * everything about the finding at a place.
 */
#include "base/msg.h"
#include "cli/explain/article.h"
#include "cli/explain/place.h"
#include "rule/rule.h"
#include "strategy/strategy.h"

static const struct rule *find_rule(const char *name)
{
	const char *known[64];
	size_t n = 0;

	for (size_t i = 0; i < rules_n; i++) {
		if (str_is(str_of(name), rules[i].name) ||
			str_is(str_of(name), rules[i].name + sizeof("unphi-") - 1)) {
			return &rules[i];
		}
		known[n++] = rules[i].name;
	}
	const char *near = options_nearest(str_of(name), known, n);
	msg_error("there is no rule '%s'%s%s%s; unphi lint --list-checks lists them", name,
		near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
	return NULL;
}

static int explain_name(struct sbuf *out, struct arena *a, const char *name)
{
	const struct strategy *s = strategy_find(name);
	if (s && s->variants) { /* a strategy that users can name */
		return article_add(out, a, s->name, s->summary);
	}
	const struct rule *rule = find_rule(name);
	return rule ? article_add(out, a, rule->name, rule->summary) : FAIL_USAGE;
}

/* Refuses options that only apply to FILE:LINE. */
static int check_names(const struct cli_opts *o)
{
	const char *given = o->targets.v.n    ? "--target"
			    : o->compiler     ? "--compiler"
			    : o->build	      ? "-p"
			    : o->config_file  ? "--config"
			    : o->time_limit_s ? "--time-limit"
			    : o->flags[0]     ? "--"
					      : NULL;
	if (given && o->files.n > 1) {
		msg_error("'unphi explain' takes %s with one FILE:LINE, but %zu words are given",
			given, o->files.n);
	} else if (given) {
		msg_error("'unphi explain' takes %s with FILE:LINE, but '%s' has no line", given,
			o->files.v[0]);
	}
	return given ? FAIL_USAGE : 0;
}

int cmd_explain(const struct cli_opts *o)
{
	struct arena *a = arena_create();
	struct sbuf text = {0};
	int rc = o->line ? explain_place(&text, a, o) : check_names(o);

	for (size_t i = 0; rc == 0 && !o->line && i < o->files.n; i++) {
		sbuf_adds(&text, i ? "\n" : "");
		rc = explain_name(&text, a, o->files.v[i]);
	}
	rc = rc ? rc : cli_output_write(NULL, sbuf_str(&text));
	sbuf_release(&text);
	arena_free(a);
	return cli_exit(rc);
}
