#include "cli/explain/article.h"

#include "base/msg.h"
#include "config/embed.h"
#include "config/yaml.h"

static int open_article(const struct yaml_node **out, struct arena *a, const char *name)
{
	struct yaml_node *root;
	int rc = yaml_parse(&root, a, embed_get("explain.yaml"), "rules/explain.yaml");
	*out = rc ? NULL : yaml_need(root, name);
	return *out ? 0 : FAIL_USAGE;
}

static void add_lines(struct sbuf *out, struct str text)
{
	struct str line;
	while (str_line(&text, &line)) {
		sbuf_addf_visible(out, "  %.*s\n", STR_ARG(line));
	}
}

static int add_text(struct sbuf *out, const struct yaml_node *article, const char *key)
{
	struct str text;
	int rc = yaml_str(&text, yaml_need(article, key));
	sbuf_addf_visible(out, "\n%s:\n", key);
	if (rc == 0) {
		add_lines(out, text);
	}
	return rc;
}

static int add_references(struct sbuf *out, struct arena *a, const struct yaml_node *article)
{
	struct str *reference;
	size_t n = 0;
	int rc = yaml_str_list(&reference, &n, a, yaml_need(article, "references"));
	for (size_t i = 0; rc == 0 && i < n; i++) {
		sbuf_addf_visible(
			out, "%-s  %.*s\n", i ? "" : "\nreferences:\n", STR_ARG(reference[i]));
	}
	return rc;
}

int article_add(struct sbuf *out, struct arena *a, const char *name, const char *summary)
{
	static const char *const parts[] = {"why", "example", "fix"};
	const struct yaml_node *article;
	int rc = open_article(&article, a, name);
	sbuf_addf_visible(out, "%s: %s\n", name, summary);
	for (size_t i = 0; rc == 0 && i < sizeof(parts) / sizeof(parts[0]); i++) {
		rc = add_text(out, article, parts[i]);
	}
	return rc ? rc : add_references(out, a, article);
}

int article_add_why(struct sbuf *out, struct arena *a, const char *rule)
{
	const struct yaml_node *article;
	struct str why = {0};
	int rc = open_article(&article, a, rule);
	rc = rc ? rc : yaml_str(&why, yaml_need(article, "why"));
	if (rc == 0) {
		add_lines(out, why);
	}
	return rc ? rc : add_references(out, a, article);
}

/* "by-hand" is a list of {clauses: [1, 2], do: text}. */
int article_by_hand(struct str *out, struct arena *a, const char *strategy, unsigned clause)
{
	const struct yaml_node *article;
	int rc = open_article(&article, a, strategy);
	const struct yaml_node *list = rc ? NULL : yaml_get(article, "by-hand");
	*out = (struct str){0};
	for (size_t i = 0; rc == 0 && list && i < list->n; i++) {
		struct str *number;
		size_t n = 0;
		int64_t of;
		rc = yaml_str_list(&number, &n, a, yaml_need(list->item[i], "clauses"));
		for (size_t k = 0; rc == 0 && k < n; k++) {
			if (str_to_i64(number[k], &of) && of == (int64_t)clause) {
				rc = yaml_str(out, yaml_need(list->item[i], "do"));
			}
		}
	}
	return rc;
}
