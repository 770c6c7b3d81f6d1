#include "config/settings.h"

#include <string.h>
#include "base/msg.h"
#include "config/embed.h"
#include "config/yaml.h"

static const char *const sections[] = {"phi-explosion", "choose"};

/* Where each number stands, and its largest value; the smallest is 1. */
struct place {
	const char *section;
	const char *key;
	int64_t max;
	int64_t *value;
};

enum {
	PLACES = 6
};

/* The numbers of s, except that min_chained_vgprs is in chained. */
static void list_places(struct place place[PLACES], struct settings *s, int64_t *chained)
{
	const struct place all[PLACES] = {
		{"phi-explosion", "min-chained-vgprs", 4096, chained},
		{"choose", "min-gain-vgprs", 4096, &s->min_gain_vgprs},
		{"choose", "min-gain-copies", 1000000, &s->min_gain_copies},
		{"choose", "min-gain-instructions", 1000000, &s->min_gain_instructions},
		{"choose", "bench-runs", 1000, &s->bench_runs},
		{"choose", "bench-min-gain-percent", 99, &s->bench_min_gain},
	};
	memcpy(place, all, sizeof(all));
}

static int check_keys(const struct yaml_node *map, const char *section, const struct place *place)
{
	const char *keys[PLACES + 1] = {NULL};
	size_t n = 0;
	for (size_t i = 0; i < PLACES; i++) {
		if (strcmp(place[i].section, section) == 0) {
			keys[n++] = place[i].key;
		}
	}
	if (map->kind != YAML_MAP) {
		return yaml_error(map, "%s is a map", section);
	}
	return yaml_only_keys(map, keys);
}

/* With all, every key must be there. */
static int read_settings(struct settings *s, const struct yaml_node *root, bool all)
{
	int64_t chained = s->min_chained_vgprs;
	struct place place[PLACES];
	int rc = 0;
	list_places(place, s, &chained);
	for (size_t i = 0; rc == 0 && i < sizeof(sections) / sizeof(sections[0]); i++) {
		const struct yaml_node *map =
			all ? yaml_need(root, sections[i]) : yaml_get(root, sections[i]);
		rc = map ? check_keys(map, sections[i], place) : all ? FAIL_USAGE : 0;
	}
	for (size_t i = 0; rc == 0 && i < PLACES; i++) {
		const struct yaml_node *map = yaml_get(root, place[i].section);
		const struct yaml_node *n =
			all ? yaml_need(map, place[i].key) : yaml_get(map, place[i].key);
		rc = n ? yaml_i64(place[i].value, n, 1, place[i].max) : all ? FAIL_USAGE : 0;
	}
	s->min_chained_vgprs = (unsigned)chained;
	return rc;
}

int settings_override(struct settings *s, const struct yaml_node *root)
{
	return read_settings(s, root, false);
}

void settings_print(struct sbuf *out, const struct settings *s)
{
	struct settings copy = *s;
	int64_t chained = s->min_chained_vgprs;
	struct place place[PLACES];
	list_places(place, &copy, &chained);
	for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
		sbuf_addf(out, "%s:\n", sections[i]);
		for (size_t k = 0; k < PLACES; k++) {
			if (strcmp(place[k].section, sections[i]) == 0) {
				sbuf_addf(out, "  %s: %lld\n", place[k].key,
					(long long)*place[k].value);
			}
		}
	}
}

int settings_load(struct settings *out, struct str yaml, const char *file)
{
	struct arena *a = arena_create();
	struct yaml_node *root;
	int rc = yaml_parse(&root, a, yaml, file);
	static const char *const keys[] = {"phi-explosion", "choose", NULL};
	rc = rc ? rc : yaml_only_keys(root, keys);
	*out = (struct settings){0};
	rc = rc ? rc : read_settings(out, root, true);
	arena_free(a);
	return rc;
}

int settings_builtin(struct settings *out)
{
	return settings_load(out, embed_get("rules.yaml"), "rules/rules.yaml");
}
