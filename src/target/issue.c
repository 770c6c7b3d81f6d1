#include "target/issue.h"

#include <fnmatch.h>
#include <string.h>

#include "config/embed.h"
#include "config/yaml.h"

enum {
	PASS_CYCLES = 4,
	PASSES_MAX = 256,
	NAME_MAX_N = 64 /* longer names match no pattern */
};

static int load_target(struct target *t, struct arena *a, const struct yaml_node *list)
{
	size_t n = list ? list->n : 0;
	struct issue_passes *v = ARENA_ARRAY(a, struct issue_passes, n);
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct str match = {0};
		int64_t passes = 0;
		rc = yaml_str(&match, yaml_need(list->item[i], "match"));
		rc = rc ? rc : yaml_i64(&passes, yaml_need(list->item[i], "passes"), 1, PASSES_MAX);
		v[i] = (struct issue_passes){arena_strndup(a, match.p, match.n), (unsigned)passes};
	}
	t->issue = v;
	t->issues = n;
	return rc;
}

int issue_load(struct target_db *db, struct arena *a)
{
	struct yaml_node *root;
	int rc = yaml_parse(&root, a, embed_get("issue.yaml"), "rules/issue.yaml");
	for (size_t i = 0; rc == 0 && i < db->n; i++) {
		rc = load_target(&db->v[i], a, yaml_get(yaml_get(root, "issue"), db->v[i].name));
	}
	return rc;
}

unsigned issue_cycles(const struct target *t, struct str name)
{
	char text[NAME_MAX_N];
	if (name.n >= sizeof(text)) {
		return PASS_CYCLES;
	}
	memcpy(text, name.p, name.n);
	text[name.n] = '\0';
	for (size_t i = 0; i < t->issues; i++) {
		if (fnmatch(t->issue[i].match, text, 0) == 0) {
			return t->issue[i].passes * PASS_CYCLES;
		}
	}
	return PASS_CYCLES;
}
