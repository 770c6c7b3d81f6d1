/* unphi explain: why a rule or rewrite is there, an example, the remedy (rules/explain.yaml). */
#include "base/msg.h"
#include "cli/cli.h"
#include "config/embed.h"
#include "config/yaml.h"
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

static int add_text(struct sbuf *out, const struct yaml_node *texts, const char *key)
{
	struct str text, line;
	int rc = yaml_str(&text, yaml_need(texts, key));

	sbuf_addf(out, "\n%s:\n", key);
	while (rc == 0 && str_line(&text, &line)) {
		sbuf_addf(out, "  %.*s\n", STR_ARG(line));
	}
	return rc;
}

/* name: of a rule or a strategy. */
static int add_entry(struct sbuf *out, struct arena *a, const char *name, const char *summary)
{
	struct yaml_node *root;
	struct str *reference;
	size_t n = 0;
	int rc = yaml_parse(&root, a, embed_get("explain.yaml"), "rules/explain.yaml");
	const struct yaml_node *texts = rc ? NULL : yaml_need(root, name);

	sbuf_addf(out, "%s: %s\n", name, summary);
	rc = texts ? 0 : FAIL_USAGE;
	rc = rc ? rc : add_text(out, texts, "why");
	rc = rc ? rc : add_text(out, texts, "example");
	rc = rc ? rc : add_text(out, texts, "fix");
	rc = rc ? rc : yaml_str_list(&reference, &n, a, yaml_need(texts, "references"));
	for (size_t i = 0; i < n; i++) {
		sbuf_addf(out, "%s  %.*s\n", i ? "" : "\nreferences:\n", STR_ARG(reference[i]));
	}
	return rc;
}

int cmd_explain(const struct cli_opts *o)
{
	struct arena *a = arena_create();
	struct sbuf text = {0};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < o->files.n; i++) {
		const struct strategy *s = strategy_find(o->files.v[i]);
		s = s && s->variants ? s : NULL; /* none of them is asked for by name */
		const struct rule *rule = s ? NULL : find_rule(o->files.v[i]);
		sbuf_adds(&text, i ? "\n" : "");
		rc = s	    ? add_entry(&text, a, s->name, s->summary)
		     : rule ? add_entry(&text, a, rule->name, rule->summary)
			    : FAIL_USAGE;
	}
	rc = rc ? rc : cli_output_write(NULL, sbuf_str(&text));
	sbuf_release(&text);
	arena_free(a);
	return cli_exit(rc);
}
