#include "config/settings.h"

#include <string.h>
#include "base/msg.h"
#include "config/embed.h"
#include "config/yaml.h"

const char *const prefer_name[PREFERS + 1] = {"balance", "waves", "cycles", NULL};

static const char *const sections[] = {
	"phi-explosion", "accumulator-lifetime", "dead-sync", "choose", NULL};

/* Where each number or truth value stands. */
struct place {
	const char *section;
	const char *key;
	int64_t min;
	int64_t max;
	int64_t *value;
	bool *flag; /* in its place */
};

enum {
	PLACES = 17
};

/* The numbers of s, except that min_chained_vgprs is in chained. */
static void list_places(struct place place[PLACES], struct settings *s, int64_t *chained)
{
	const struct place all[PLACES] = {
		{"phi-explosion", "min-chained-vgprs", 1, 4096, chained, NULL},
		{"phi-explosion", "margin-percent", 0, 1000, &s->room_margin, NULL},
		{"phi-explosion", "skips-uniform-from-clang", 1, 1000, &s->skips_uniform_from,
			NULL},
		{"accumulator-lifetime", "min-vgprs", 1, 4096, &s->min_wide_vgprs, NULL},
		{"dead-sync", "check-address-spaces", 0, 0, NULL,
			&s->dead_sync.check_address_spaces},
		{"dead-sync", "ignore-unseen-calls", 0, 0, NULL, &s->dead_sync.ignore_unseen_calls},
		{"dead-sync", "propagate", 0, 0, NULL, &s->dead_sync.propagate},
		{"dead-sync", "report-kept", 0, 0, NULL, &s->dead_sync.report_kept},
		{"dead-sync", "max-functions", 0, 1000000, &s->dead_sync.max_functions, NULL},
		{"dead-sync", "max-blocks", 0, 1000000, &s->dead_sync.max_blocks, NULL},
		{"choose", "min-gain-vgprs", 1, 4096, &s->min_gain_vgprs, NULL},
		{"choose", "min-gain-percent", 1, 99, &s->min_gain_percent, NULL},
		{"choose", "load-latency", 0, 1000000, &s->latency, NULL},
		{"choose", "branch-every", 1, 1000000, &s->branch_every, NULL},
		{"choose", "bench-runs", 1, 1000, &s->bench_runs, NULL},
		{"choose", "bench-min-gain-percent", 1, 99, &s->bench_min_gain, NULL},
		{"choose", "flag-mended-in-clang", 1, 1000, &s->flag_mended_in, NULL},
	};
	memcpy(place, all, sizeof(all));
}

static int check_keys(const struct yaml_node *map, const char *section, const struct place *place)
{
	const char *keys[PLACES + 3] = {NULL};
	size_t n = 0;
	for (size_t i = 0; i < PLACES; i++) {
		if (strcmp(place[i].section, section) == 0) {
			keys[n++] = place[i].key;
		}
	}
	if (strcmp(section, "dead-sync") == 0) {
		keys[n++] = "exclude-functions"; /* a list: read by who can keep one */
	}
	if (strcmp(section, "choose") == 0) {
		keys[n++] = "prefer";
	}
	if (map->kind != YAML_MAP) {
		return yaml_error(map, "%s is a map", section);
	}
	return yaml_only_keys(map, keys);
}

static int read_excluded(struct settings *s, struct arena *a, const struct yaml_node *n)
{
	struct str *names;
	size_t count;
	int rc = n ? yaml_str_list(&names, &count, a, n) : 0;

	if (!n || rc) {
		return rc;
	}
	const char **v = ARENA_ARRAY(a, const char *, count + 1);
	for (size_t i = 0; i < count; i++) {
		v[i] = arena_strndup(a, names[i].p, names[i].n);
	}
	s->dead_sync.exclude = v;
	return 0;
}

static int read_prefer(struct settings *s, const struct yaml_node *n)
{
	struct str word;
	int rc = n ? yaml_str(&word, n) : 0;
	if (!n || rc) {
		return rc;
	}
	for (int i = 0; i < PREFERS; i++) {
		if (str_is(word, prefer_name[i])) {
			s->prefer = (enum prefer)i;
			return 0;
		}
	}
	return yaml_error(n, "'prefer' is balance, waves or cycles");
}

/* With all, every key must be there. */
static int read_settings(
	struct settings *s, struct arena *a, const struct yaml_node *root, bool all)
{
	int64_t chained = s->min_chained_vgprs;
	struct place place[PLACES];
	int rc = 0;
	list_places(place, s, &chained);
	for (size_t i = 0; rc == 0 && sections[i]; i++) {
		const struct yaml_node *map =
			all ? yaml_need(root, sections[i]) : yaml_get(root, sections[i]);
		rc = map ? check_keys(map, sections[i], place) : all ? FAIL_USAGE : 0;
	}
	for (size_t i = 0; rc == 0 && i < PLACES; i++) {
		const struct yaml_node *map = yaml_get(root, place[i].section);
		const struct yaml_node *n =
			all ? yaml_need(map, place[i].key) : yaml_get(map, place[i].key);
		if (!n) {
			rc = all ? FAIL_USAGE : 0;
		} else if (place[i].flag) {
			rc = yaml_bool(place[i].flag, n);
		} else {
			rc = yaml_i64(place[i].value, n, place[i].min, place[i].max);
		}
	}
	s->min_chained_vgprs = (unsigned)chained;
	const struct yaml_node *sync = yaml_get(root, "dead-sync");
	rc = rc ? rc : read_prefer(s, yaml_get(yaml_get(root, "choose"), "prefer"));
	return rc ? rc : read_excluded(s, a, yaml_get(sync, "exclude-functions"));
}

int settings_override(struct settings *s, struct arena *a, const struct yaml_node *root)
{
	return read_settings(s, a, root, false);
}

static void print_excluded(struct sbuf *out, const char *const *names)
{
	sbuf_adds(out, "  exclude-functions: [");
	for (size_t i = 0; names && names[i]; i++) {
		sbuf_addf(out, "%s'%s'", i ? ", " : "", names[i]);
	}
	sbuf_adds(out, "]\n");
}

void settings_print(struct sbuf *out, const struct settings *s)
{
	struct settings copy = *s;
	int64_t chained = s->min_chained_vgprs;
	struct place place[PLACES];
	list_places(place, &copy, &chained);
	for (size_t i = 0; sections[i]; i++) {
		sbuf_addf(out, "%s:\n", sections[i]);
		for (size_t k = 0; k < PLACES; k++) {
			if (strcmp(place[k].section, sections[i]) != 0) {
				continue;
			}
			if (place[k].flag) {
				sbuf_addf(out, "  %s: %s\n", place[k].key,
					*place[k].flag ? "true" : "false");
			} else {
				sbuf_addf(out, "  %s: %lld\n", place[k].key,
					(long long)*place[k].value);
			}
		}
		if (strcmp(sections[i], "dead-sync") == 0) {
			print_excluded(out, s->dead_sync.exclude);
		}
		if (strcmp(sections[i], "choose") == 0) {
			sbuf_addf(out, "  prefer: %s\n", prefer_name[s->prefer]);
		}
	}
}

int settings_load(struct settings *out, struct str yaml, const char *file)
{
	struct arena *a = arena_create();
	struct yaml_node *root;
	int rc = yaml_parse(&root, a, yaml, file);
	rc = rc ? rc : yaml_only_keys(root, sections);
	*out = (struct settings){0};
	rc = rc ? rc : read_settings(out, a, root, true);
	out->dead_sync.exclude = NULL; /* of an arena that ends here */
	arena_free(a);
	return rc;
}

int settings_builtin(struct settings *out)
{
	return settings_load(out, embed_get("rules.yaml"), "rules/rules.yaml");
}
