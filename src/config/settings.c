#include "config/settings.h"

#include <stdio.h>
#include <string.h>
#include "base/msg.h"
#include "config/embed.h"
#include "config/yaml.h"

const char *const prefer_name[PREFERS + 1] = {"balance", "waves", "cycles", NULL};

const char *const settings_sections[] = {
	"phi-explosion", "accumulator-lifetime", "dead-sync", "choose", NULL};

/* One key, with pointers to its value and the texts for people. Only dead_sync.exclude and prefer
 * have neither value nor flag. */
struct place {
	const char *section;
	const char *key;
	int64_t min;
	int64_t max;
	int64_t *value;
	bool *flag; /* of a Boolean, instead of value */
	const char *example;
	const char *help;
};

enum {
	PLACES = 19
};

/* Lists all keys. Their pointers are into s, except that min_chained_vgprs is in *chained. */
static void list_places(struct place place[PLACES], struct settings *s, int64_t *chained)
{
	struct sync_settings *sync = &s->dead_sync;
	const struct place all[PLACES] = {
		{"phi-explosion", "min-chained-vgprs", 1, 4096, chained, NULL, "32",
			"The smallest merge considered, in chained VGPRs per lane"},
		{"phi-explosion", "margin-percent", 0, 1000, &s->headroom_margin, NULL, "20",
			"The assumed error of the register ledger's estimate"},
		{"phi-explosion", "skips-uniform-from-clang", 1, 1000, &s->skips_uniform_from, NULL,
			"24",
			"The first clang that makes no second copy at uniform branches by default"},
		{"accumulator-lifetime", "min-vgprs", 1, 4096, &s->min_wide_vgprs, NULL, "96",
			"The smallest accumulator, in VGPRs per lane, whose lifetime counts"},
		{"dead-sync", "check-address-spaces", 0, 0, NULL, &sync->check_address_spaces,
			"true", "Private arrays of a lane do not count as shared memory"},
		{"dead-sync", "ignore-unseen-calls", 0, 0, NULL, &sync->ignore_unseen_calls,
			"false",
			"Assume that functions without a body access no memory. Unsound; only for "
			"surveys"},
		{"dead-sync", "propagate", 0, 0, NULL, &sync->propagate, "true",
			"Track memory accesses over the control-flow graph. If false, only within "
			"each block"},
		{"dead-sync", "report-kept", 0, 0, NULL, &sync->report_kept, "true",
			"Report the other barriers as notes, with the accesses that need them"},
		{"dead-sync", "max-functions", 0, 1000000, &sync->max_functions, NULL, "200",
			"Check at most this many functions with barriers; 0 is no limit"},
		{"dead-sync", "max-blocks", 0, 1000000, &sync->max_blocks, NULL, "1000",
			"Check only functions of at most this many blocks; 0 is no limit"},
		{"dead-sync", "exclude-functions", 0, 0, NULL, NULL, "[\"stage_*\"]",
			"Functions whose barriers are not checked"},
		{"choose", "min-gain-vgprs", 1, 4096, &s->min_gain_vgprs, NULL, "16",
			"lint --probe: the fewest VGPRs that a kernel has to gain"},
		{"choose", "min-gain-percent", 1, 99, &s->min_gain_percent, NULL, "5",
			"The fewest issue cycles, in percent, that a rewrite has to save if it "
			"gains neither waves nor scratch traffic"},
		{"choose", "load-latency", 0, 1000000, &s->latency, NULL, "700",
			"The estimated wait for a load, in issue cycles"},
		{"choose", "branch-every", 1, 1000000, &s->branch_every, NULL, "32",
			"One more branch per this many instructions makes a rewrite worse"},
		{"choose", "bench-runs", 1, 1000, &s->bench_runs, NULL, "9",
			"--bench: runs of the command for each text; the median counts"},
		{"choose", "bench-min-gain-percent", 1, 99, &s->bench_min_gain, NULL, "3",
			"--bench: the least gain, in percent of the source's time"},
		{"choose", "flag-mended-in-clang", 1, 1000, &s->flag_mended_in, NULL, "24",
			"The first clang with the fixes that --allow-flags needs"},
		{"choose", "prefer", 0, 0, NULL, NULL, "waves",
			"The preference if a rewrite has more waves and more issue cycles, as "
			"--prefer"},
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

static int read_excluded(struct settings *s, struct arena *a, const struct yaml_node *n)
{
	struct str *names;
	size_t count;
	int rc = yaml_str_list(&names, &count, a, n);

	if (rc) {
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
	int rc = yaml_str(&word, n);
	for (int i = 0; rc == 0 && i < PREFERS; i++) {
		if (str_is(word, prefer_name[i])) {
			s->prefer = (enum prefer)i;
			return 0;
		}
	}
	return rc ? rc : yaml_error(n, "'prefer' is balance, waves or cycles");
}

static bool is_prefer(const struct place *p)
{
	return strcmp(p->key, "prefer") == 0;
}

static int read_value(
	struct settings *s, struct arena *a, const struct place *p, const struct yaml_node *n)
{
	return p->flag	      ? yaml_bool(p->flag, n)
	       : p->value     ? yaml_i64(p->value, n, p->min, p->max)
	       : is_prefer(p) ? read_prefer(s, n)
			      : read_excluded(s, a, n);
}

/* all: every key must be there. */
static int read_settings(
	struct settings *s, struct arena *a, const struct yaml_node *root, bool all)
{
	int64_t chained = s->min_chained_vgprs;
	struct place place[PLACES];
	int rc = 0;
	list_places(place, s, &chained);
	for (size_t i = 0; rc == 0 && settings_sections[i]; i++) {
		const struct yaml_node *map = all ? yaml_need(root, settings_sections[i])
						  : yaml_get(root, settings_sections[i]);
		rc = map ? check_keys(map, settings_sections[i], place) : all ? FAIL_USAGE : 0;
	}
	for (size_t i = 0; rc == 0 && i < PLACES; i++) {
		const struct yaml_node *map = yaml_get(root, place[i].section);
		const struct yaml_node *n =
			all ? yaml_need(map, place[i].key) : yaml_get(map, place[i].key);
		rc = n ? read_value(s, a, &place[i], n) : all ? FAIL_USAGE : 0;
	}
	s->min_chained_vgprs = (unsigned)chained;
	return rc;
}

int settings_override(struct settings *s, struct arena *a, const struct yaml_node *root)
{
	return read_settings(s, a, root, false);
}

static void add_value(struct sbuf *out, const struct place *p, const struct settings *s)
{
	const char *const *names = s->dead_sync.exclude;

	if (p->flag) {
		sbuf_adds(out, *p->flag ? "true" : "false");
	} else if (p->value) {
		sbuf_addf(out, "%lld", (long long)*p->value);
	} else if (is_prefer(p)) {
		sbuf_adds(out, prefer_name[s->prefer]);
	} else {
		sbuf_addc(out, '[');
		for (size_t i = 0; names && names[i]; i++) {
			sbuf_addf(out, "%s'%s'", i ? ", " : "", names[i]);
		}
		sbuf_addc(out, ']');
	}
}

static void describe(struct sbuf *out, const struct place *p, const struct settings *s)
{
	char range[64];
	struct sbuf fallback = {0};

	snprintf(range, sizeof(range), "Integer, %lld to %lld", (long long)p->min,
		(long long)p->max);
	add_value(&fallback, p, s);
	setting_describe(out, 2, p->help,
		p->flag	       ? "Boolean"
		: p->value     ? range
		: is_prefer(p) ? "balance, waves or cycles"
			       : "List of globs",
		sbuf_cstr(&fallback));
	sbuf_release(&fallback);
}

/* All keys with their values or, if described, with their descriptions and examples. */
static void print(struct sbuf *out, const struct settings *s, bool described)
{
	struct settings copy = *s;
	int64_t chained = s->min_chained_vgprs;
	struct place place[PLACES];
	list_places(place, &copy, &chained);
	for (size_t i = 0; i < PLACES; i++) {
		const struct place *p = &place[i];
		if (i == 0 || strcmp(p->section, p[-1].section) != 0) {
			sbuf_addf(out, "%s%s:\n", described ? "\n" : "", p->section);
		}
		if (described) {
			describe(out, p, s);
		}
		sbuf_addf(out, "  %s: ", p->key);
		if (described) {
			sbuf_adds(out, p->example);
		} else {
			add_value(out, p, s);
		}
		sbuf_addc(out, '\n');
	}
}

void settings_print(struct sbuf *out, const struct settings *s)
{
	print(out, s, false);
}

void setting_describe(
	struct sbuf *out, unsigned indent, const char *help, const char *type, const char *fallback)
{
	sbuf_addf(out, "%*s# %s.\n%*s# %s; default: %s.\n", (int)indent, "", help, (int)indent, "",
		type, fallback);
}

int settings_describe(struct sbuf *out)
{
	struct settings s;
	int rc = settings_builtin(&s);
	if (rc == 0) {
		print(out, &s, true);
	}
	return rc;
}

int settings_load(struct settings *out, struct str yaml, const char *file)
{
	struct arena *a = arena_create();
	struct yaml_node *root;
	int rc = yaml_parse(&root, a, yaml, file);
	rc = rc ? rc : yaml_only_keys(root, settings_sections);
	*out = (struct settings){0};
	rc = rc ? rc : read_settings(out, a, root, true);
	out->dead_sync.exclude = NULL; /* it lives in the arena that ends here */
	arena_free(a);
	return rc;
}

int settings_builtin(struct settings *out)
{
	return settings_load(out, embed_get("rules.yaml"), "rules/rules.yaml");
}
