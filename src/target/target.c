#include "target/target.h"

#include <string.h>
#include "config/embed.h"
#include "config/yaml.h"
#include "target/issue.h"

static const char *const target_keys[] = {"name", "marketing", "nearest", "vgpr_file",
	"vgpr_granule", "vgpr_max", "arch_vgpr_max", "unified", "agprs", "waves_max", "wave_size",
	"wave_sizes_both", "fp8_ocp", "gfx940_blgp", "fallback", "sgpr_steps", "simds", "lds_bytes",
	"lds_group_max", "lds_granule", "groups_max", "source", NULL};
static const char *const step_keys[] = {"sgprs", "waves", NULL};

static int read_unsigned(
	unsigned *out, const struct yaml_node *map, const char *key, unsigned min, unsigned max)
{
	const struct yaml_node *n = yaml_get(map, key);
	if (!n) {
		return yaml_error(map, "target lacks '%s'", key);
	}
	int64_t v;
	int rc = yaml_i64(&v, n, min, max);
	if (rc) {
		return rc;
	}
	*out = (unsigned)v;
	return 0;
}

static int read_flag(bool *out, const struct yaml_node *map, const char *key)
{
	const struct yaml_node *n = yaml_get(map, key);
	*out = false;
	return n ? yaml_bool(out, n) : 0;
}

/* An absent text is read as NULL. */
static int read_text(
	const char **out, struct arena *a, const struct yaml_node *map, const char *key)
{
	const struct yaml_node *n = yaml_get(map, key);
	if (!n) {
		*out = NULL;
		return 0;
	}
	struct str s;
	int rc = yaml_str(&s, n);
	if (rc) {
		return rc;
	}
	*out = arena_strndup(a, s.p, s.n);
	return 0;
}

static int read_sgpr_steps(struct target *t, struct arena *a, const struct yaml_node *map)
{
	const struct yaml_node *list = yaml_get(map, "sgpr_steps");
	if (!list) {
		return 0;
	}
	if (list->kind != YAML_LIST) {
		return yaml_error(list, "'sgpr_steps' must be a list");
	}
	struct sgpr_step *step = ARENA_ARRAY(a, struct sgpr_step, list->n);
	for (size_t i = 0; i < list->n; i++) {
		const struct yaml_node *n = list->item[i];
		int rc = yaml_only_keys(n, step_keys);
		if (!rc) {
			rc = read_unsigned(&step[i].sgprs, n, "sgprs", 1, 65536);
		}
		if (!rc) {
			rc = read_unsigned(&step[i].waves, n, "waves", 1, 64);
		}
		if (rc) {
			return rc;
		}
		if (i && (step[i].sgprs <= step[i - 1].sgprs ||
				 step[i].waves >= step[i - 1].waves)) {
			return yaml_error(n, "'sgpr_steps' must rise in sgprs and fall in waves");
		}
	}
	t->sgpr_step = step;
	t->sgpr_steps = list->n;
	return 0;
}

static int check(const struct target *t, const struct yaml_node *map)
{
	if (t->wave_size != 32 && t->wave_size != 64) {
		return yaml_error(map, "%s: 'wave_size' must be 32 or 64", t->name);
	}
	if (t->vgpr_granule > t->vgpr_file || t->vgpr_max > t->vgpr_file) {
		return yaml_error(
			map, "%s: 'vgpr_granule' and 'vgpr_max' must fit in 'vgpr_file'", t->name);
	}
	if (t->arch_vgpr_max > t->vgpr_max) {
		return yaml_error(map, "%s: 'arch_vgpr_max' is above 'vgpr_max'", t->name);
	}
	if (t->lds_group_max > t->lds_bytes) {
		return yaml_error(map, "%s: 'lds_group_max' is above 'lds_bytes'", t->name);
	}
	return 0;
}

static int read_target(struct target *t, struct arena *a, const struct yaml_node *map)
{
	if (map->kind != YAML_MAP) {
		return yaml_error(map, "a target must be a map");
	}
	int rc = yaml_only_keys(map, target_keys);
	if (rc) {
		return rc;
	}
	memset(t, 0, sizeof(*t));
	const struct {
		const char *key;
		const char **to;
	} texts[] = {{"name", &t->name}, {"marketing", &t->marketing}, {"nearest", &t->nearest},
		{"source", &t->source}};
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if ((rc = read_text(texts[i].to, a, map, texts[i].key))) {
			return rc;
		}
	}
	if (!t->name || !*t->name) {
		return yaml_error(map, "target lacks 'name'");
	}
	const struct {
		const char *key;
		unsigned *to;
		unsigned max;
	} numbers[] = {{"vgpr_file", &t->vgpr_file, 65536},
		{"vgpr_granule", &t->vgpr_granule, 1024}, {"vgpr_max", &t->vgpr_max, 65536},
		{"arch_vgpr_max", &t->arch_vgpr_max, 65536}, {"waves_max", &t->waves_max, 64},
		{"wave_size", &t->wave_size, 64}, {"simds", &t->simds, 64},
		{"lds_bytes", &t->lds_bytes, 1u << 30},
		{"lds_group_max", &t->lds_group_max, 1u << 30},
		{"lds_granule", &t->lds_granule, 1u << 20}, {"groups_max", &t->groups_max, 1024}};
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if ((rc = read_unsigned(numbers[i].to, map, numbers[i].key, 1, numbers[i].max))) {
			return rc;
		}
	}
	const struct {
		const char *key;
		bool *to;
	} flags[] = {{"unified", &t->unified}, {"agprs", &t->agprs},
		{"wave_sizes_both", &t->wave_sizes_both}, {"fp8_ocp", &t->fp8_ocp},
		{"gfx940_blgp", &t->gfx940_blgp}, {"fallback", &t->fallback}};
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if ((rc = read_flag(flags[i].to, map, flags[i].key))) {
			return rc;
		}
	}
	rc = read_sgpr_steps(t, a, map);
	return rc ? rc : check(t, map);
}

/* Follows 'nearest' from target to target. Fails if a name is unknown, or if they form a circle. */
static int find_relatives(struct target_db *db, struct arena *a, const struct yaml_node *list)
{
	for (size_t i = 0; i < db->n; i++) {
		const char **relatives = ARENA_ARRAY(a, const char *, db->n + 1);
		const struct target *t = &db->v[i];
		db->v[i].relatives = relatives;
		for (size_t steps = 0; t->nearest; steps++) {
			const struct target *next = target_find(db, str_of(t->nearest));
			if (!next) {
				return yaml_error(list->item[i],
					"%s: 'nearest' names %s, which is not a target", t->name,
					t->nearest);
			}
			if (steps == db->n) {
				return yaml_error(list->item[i], "%s: 'nearest' leads in a circle",
					db->v[i].name);
			}
			relatives[steps] = t->nearest;
			t = next;
		}
	}
	return 0;
}

int target_db_load(struct target_db *out, struct arena *a, struct str yaml, const char *file)
{
	const struct yaml_node *list;
	int rc = yaml_parse_list(&list, a, yaml, file, "targets");
	if (rc) {
		return rc;
	}
	if (list->n == 0) {
		return yaml_error(list, "'targets' must be a list of targets");
	}
	struct target_db db = {ARENA_ARRAY(a, struct target, list->n), 0};
	for (size_t i = 0; i < list->n; i++) {
		rc = read_target(&db.v[i], a, list->item[i]);
		if (rc) {
			return rc;
		}
		if (target_find(&db, str_of(db.v[i].name))) {
			return yaml_error(list->item[i], "target %s is given twice", db.v[i].name);
		}
		db.n++;
	}
	rc = find_relatives(&db, a, list);
	if (!rc) {
		*out = db;
	}
	return rc;
}

int target_db_builtin(struct target_db *out, struct arena *a)
{
	int rc = target_db_load(out, a, embed_get("targets.yaml"), "rules/targets.yaml");
	return rc ? rc : issue_load(out, a);
}

const struct target *target_find(const struct target_db *db, struct str name)
{
	struct str rest = name;
	struct str bare;
	if (!str_split(&rest, ':', &bare)) {
		return NULL;
	}
	for (size_t i = 0; i < db->n; i++) {
		if (str_is(bare, db->v[i].name)) {
			return &db->v[i];
		}
	}
	return NULL;
}

const struct target *target_fallback(const struct target_db *db)
{
	for (size_t i = 0; i < db->n; i++) {
		if (db->v[i].fallback) {
			return &db->v[i];
		}
	}
	return &db->v[0];
}

const char *occ_limit_name(enum occ_limit l)
{
	static const char *const word[] = {
		[OCC_LIMIT_WAVES] = "wave slots",
		[OCC_LIMIT_VGPR] = "VGPRs",
		[OCC_LIMIT_LDS] = "LDS",
		[OCC_LIMIT_GROUP] = "work-group size",
		[OCC_LIMIT_SGPR] = "SGPRs",
	};
	return word[l];
}

static unsigned min_u(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

static unsigned div_up(unsigned n, unsigned by)
{
	return n / by + (n % by != 0);
}

static unsigned round_up(unsigned n, unsigned granule)
{
	return (n ? div_up(n, granule) : 1) * granule;
}

/*
 * Registers: a wave's VGPRs are allocated in granules out of its SIMD's file ("VGPR allocation" in
 * the chapter on kernel or wave state of each ISA document; the file and granule per target are
 * those of LLVM's AMDGPU back end, getTotalNumVGPRs and getVGPRAllocGranule). If accumulation VGPRs
 * have a file of their own, the fuller file decides. A wave of 64 on a target of waves of 32 takes
 * two of the 32-lane rows for each register, which halves file and granule.
 */
static unsigned waves_by_vgprs(const struct target *t, unsigned vgprs, unsigned wave_size)
{
	unsigned halves = t->wave_size == 32 && wave_size == 64 ? 2 : 1;
	unsigned granule = t->vgpr_granule / halves ? t->vgpr_granule / halves : 1;
	return min_u(t->vgpr_file / halves / round_up(vgprs, granule), t->waves_max);
}

static unsigned waves_by_sgprs(const struct target *t, unsigned sgprs)
{
	if (!t->sgpr_steps) {
		return t->waves_max;
	}
	unsigned waves = 0;
	for (size_t i = 0; i < t->sgpr_steps; i++) {
		waves = t->sgpr_step[i].waves;
		if (sgprs <= t->sgpr_step[i].sgprs) {
			break;
		}
	}
	return min_u(waves, t->waves_max);
}

/* A work-group of several waves takes a barrier; one of a single wave does not. */
static unsigned groups_by_slots(const struct target *t, unsigned group_waves)
{
	unsigned slots = t->waves_max * t->simds / group_waves;
	return group_waves > 1 ? min_u(slots, t->groups_max) : slots;
}

/* LLVM's getOccupancyWithLocalMemSize: no rounding of LDS to its granule, waves rounded up. */
static unsigned remark_group_waves(const struct target *t, unsigned lds_bytes, unsigned group_waves)
{
	unsigned groups = t->lds_bytes / (lds_bytes ? lds_bytes : 1);
	if (groups == 0) {
		return 1;
	}
	groups = min_u(groups, groups_by_slots(t, group_waves));
	return min_u(div_up(groups * group_waves, t->simds), t->waves_max);
}

struct group_limit {
	unsigned groups;
	enum occ_limit limiter;
};

static void limit_groups(struct group_limit *g, unsigned groups, enum occ_limit limiter)
{
	if (groups < g->groups) {
		g->groups = groups;
		g->limiter = limiter;
	}
}

bool target_occupancy_use(
	struct occupancy *out, const struct target *t, const struct occupancy_use *use)
{
	unsigned vgprs = use->vgprs;
	if (!t->unified && use->agprs > vgprs) {
		vgprs = use->agprs;
	}
	unsigned wave_size = use->wave_size ? use->wave_size : t->wave_size;
	if (vgprs > t->vgpr_max || use->lds_bytes > t->lds_group_max ||
		(wave_size != t->wave_size && !t->wave_sizes_both)) {
		return false;
	}
	unsigned by_vgprs = waves_by_vgprs(t, vgprs, wave_size);
	unsigned by_sgprs = waves_by_sgprs(t, use->sgprs);
	struct occupancy o = {.register_waves = min_u(by_vgprs, by_sgprs)};
	enum occ_limit registers = OCC_LIMIT_WAVES;
	if (o.register_waves < t->waves_max) {
		registers = by_sgprs < by_vgprs ? OCC_LIMIT_SGPR : OCC_LIMIT_VGPR;
	}
	if (o.register_waves == 0) {
		return false;
	}
	o.remark_waves = o.resident_waves = o.register_waves;
	o.limiter = registers;
	if (use->group_size) {
		unsigned group_waves = div_up(use->group_size, wave_size);
		unsigned slots = groups_by_slots(t, group_waves);
		struct group_limit g = {o.register_waves * t->simds / group_waves, registers};
		unsigned by_registers = g.groups;
		limit_groups(&g, slots, OCC_LIMIT_GROUP);
		if (use->lds_bytes) {
			limit_groups(&g, t->lds_bytes / round_up(use->lds_bytes, t->lds_granule),
				OCC_LIMIT_LDS);
		}
		if (g.groups == 0) {
			return false;
		}
		o.resident_waves = div_up(g.groups * group_waves, t->simds);
		if (g.groups == by_registers && o.resident_waves < o.register_waves) {
			g.limiter = OCC_LIMIT_GROUP;
		}
		o.limiter = g.limiter;
		o.remark_waves =
			min_u(o.register_waves, remark_group_waves(t, use->lds_bytes, group_waves));
	}
	*out = o;
	return true;
}

unsigned target_register_waves(const struct target *t, unsigned vgprs, unsigned agprs)
{
	struct occupancy_use use = {.vgprs = vgprs, .agprs = agprs};
	struct occupancy o;
	return target_occupancy_use(&o, t, &use) ? o.register_waves : 0;
}
