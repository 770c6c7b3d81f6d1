/* analysis, rule, strategy: every tree that kt_check lets pass can be looked at and planned for; a
 * plan's edits can be applied. */
#include "rule/rule.h"

#include "config/settings.h"
#include "target.h"
#include "tree/tree.h"

static struct intrinsic_db intrinsics;
static struct settings settings;
static struct target_db targets;

static void apply(struct candidate *c, const struct site *site)
{
	const struct kt_unit *u = site->instance[0].parse->unit;
	kt_id file = site->instance[0].merge->node->file;
	struct sbuf out = {0};
	size_t clash[2];
	if (c->clause == 0) {
		REQUIRE(edit_list_check(&c->edits, u->file[file].text.n, clash));
		edit_list_apply(&out, u->file[file].text, &c->edits);
	}
	sbuf_release(&out);
}

static void plan_all(struct arena *a, const struct parse *parse, const struct strategy_opts *opts)
{
	struct site *site;
	size_t sites;
	sites_find(&site, &sites, a, parse, 1, SITES_MERGES);
	for (size_t i = 0; i < sites * STRATEGY_COUNT; i++) {
		const struct strategy *s = &strategies[i % STRATEGY_COUNT];
		struct candidate *c;
		size_t n = 0;
		if (s->subject != SUBJECT_MERGE) {
			continue;
		}
		strategy_plan(&c, &n, a, s, &site[i / STRATEGY_COUNT], opts);
		for (size_t k = 0; k < n; k++) {
			apply(&c[k], &site[i / STRATEGY_COUNT]);
			candidate_release(&c[k]);
		}
	}
}

static void analyse(struct arena *a, struct kt_unit *u)
{
	struct strategy_opts opts = {.threshold = 1};
	struct parse parse = {.unit = u, .facts = facts_create(u, a, &intrinsics)};
	const struct target *target = &targets.v[targets.n - 1];
	struct rule_input in = {.parse = &parse,
		.parses = 1,
		.settings = &settings,
		.opts = &opts,
		.target = &target,
		.a = a};
	struct diag_list found = {{0}};
	parse.uniformity = uniformity_create(parse.facts, a);
	merges_find(&parse.merges, parse.facts, a);
	for (size_t i = 0; i < rules_n; i++) {
		if (rules[i].run) {
			rules[i].run(&in, &found);
		}
	}
	plan_all(a, &parse, &opts);
	array_release(&found.v);
	facts_release(parse.facts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena *life;
	if (!life) {
		life = arena_create();
		REQUIRE(intrinsic_db_builtin(&intrinsics, life) == 0);
		REQUIRE(settings_builtin(&settings) == 0);
		REQUIRE(target_db_builtin(&targets, life) == 0);
		settings.min_chained_vgprs = 1;
	}
	struct arena *a = arena_create();
	struct kt_unit *u;
	if (kt_read(&u, a, (struct str){(const char *)data, size}, "in.kt") == 0) {
		analyse(a, u);
	}
	arena_free(a);
	return 0;
}
