#include "config/settings.h"

#include "base/msg.h"
#include "config/embed.h"
#include "config/yaml.h"

static int read_count(int64_t *out, const struct yaml_node *map, const char *key, int64_t max)
{
	const struct yaml_node *n = yaml_need(map, key);
	return n ? yaml_i64(out, n, 1, max) : FAIL_USAGE;
}

static int read_settings(struct settings *out, const struct yaml_node *root)
{
	static const char *const top[] = {"phi-explosion", "choose", NULL};
	static const char *const phi[] = {"min-chained-vgprs", NULL};
	static const char *const choose[] = {
		"min-gain-vgprs", "min-gain-copies", "min-gain-instructions", NULL};
	const struct yaml_node *p = yaml_need(root, "phi-explosion");
	const struct yaml_node *c = yaml_need(root, "choose");
	int64_t chained = 0;
	int rc = p && c ? 0 : FAIL_USAGE;
	rc = rc ? rc : yaml_only_keys(root, top);
	rc = rc ? rc : yaml_only_keys(p, phi);
	rc = rc ? rc : yaml_only_keys(c, choose);
	rc = rc ? rc : read_count(&chained, p, "min-chained-vgprs", 4096);
	rc = rc ? rc : read_count(&out->min_gain_vgprs, c, "min-gain-vgprs", 4096);
	rc = rc ? rc : read_count(&out->min_gain_copies, c, "min-gain-copies", 1000000);
	rc = rc ? rc : read_count(&out->min_gain_instructions, c, "min-gain-instructions", 1000000);
	out->min_chained_vgprs = (unsigned)chained;
	return rc;
}

int settings_load(struct settings *out, struct str yaml, const char *file)
{
	struct arena *a = arena_create();
	struct yaml_node *root;
	int rc = yaml_parse(&root, a, yaml, file);
	if (rc == 0) {
		rc = read_settings(out, root);
	}
	arena_free(a);
	return rc;
}

int settings_builtin(struct settings *out)
{
	return settings_load(out, embed_get("rules.yaml"), "rules/rules.yaml");
}
