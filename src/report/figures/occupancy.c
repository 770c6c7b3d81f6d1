#include "report/figures/occupancy.h"

#include "report/form/json.h"
#include "report/form/table.h"

static const struct {
	enum occ_limit resource;
	const char *key;
} resources[] = {
	{OCC_LIMIT_VGPR, "vgprs"},
	{OCC_LIMIT_SGPR, "sgprs"},
	{OCC_LIMIT_LDS, "lds"},
	{OCC_LIMIT_GROUP, "group_size"},
	{OCC_LIMIT_WAVES, "wave_slots"},
};

static const size_t resources_n = sizeof(resources) / sizeof(resources[0]);

static const char *plural(unsigned n)
{
	return n == 1 ? "" : "s";
}

static unsigned wave_size(const struct target *t, const struct occupancy_use *use)
{
	return use->wave_size ? use->wave_size : t->wave_size;
}

/* Did the user give the use of this resource? */
static bool is_given(enum occ_limit resource, const struct occupancy_use *use)
{
	switch (resource) {
	case OCC_LIMIT_VGPR:
		return use->vgprs > 0;
	case OCC_LIMIT_SGPR:
		return use->sgprs > 0;
	case OCC_LIMIT_LDS:
		return use->lds_bytes > 0 && use->group_size > 0;
	case OCC_LIMIT_GROUP:
		return use->group_size > 0;
	case OCC_LIMIT_WAVES:
		return true;
	}
	return false;
}

static void describe(struct sbuf *out, enum occ_limit resource, const struct target *t,
	const struct occupancy_use *use)
{
	unsigned lanes = wave_size(t, use);
	unsigned halves = t->wave_size == 32 && lanes == 64 ? 2 : 1;
	unsigned waves = use->group_size ? (use->group_size + lanes - 1) / lanes : 0;

	switch (resource) {
	case OCC_LIMIT_VGPR: {
		unsigned granule = t->vgpr_granule / halves ? t->vgpr_granule / halves : 1;
		unsigned most = !t->unified && use->agprs > use->vgprs ? use->agprs : use->vgprs;
		unsigned taken = (most + granule - 1) / granule * granule;
		sbuf_addf_visible(out, "%u registers per lane%s, allocated in units of %u: %u / %u",
			t->vgpr_file / halves, t->unified ? ", architectural and accumulation" : "",
			granule, t->vgpr_file / halves, taken);
		return;
	}
	case OCC_LIMIT_SGPR:
		sbuf_adds(out, t->sgpr_steps ? "a table of the target" : "no limit on this target");
		return;
	case OCC_LIMIT_LDS:
		sbuf_addf_visible(out,
			"%u bytes, allocated in units of %u: %u work-group%s of %u wave%s",
			t->lds_bytes, t->lds_granule,
			t->lds_bytes / ((use->lds_bytes + t->lds_granule - 1) / t->lds_granule *
					       t->lds_granule),
			plural(t->lds_bytes / use->lds_bytes), waves, plural(waves));
		return;
	case OCC_LIMIT_GROUP:
		sbuf_addf_visible(out, "whole work-groups of %u wave%s on %u SIMDs", waves,
			plural(waves), t->simds);
		return;
	case OCC_LIMIT_WAVES:
		sbuf_addf(out, "%u slots on a SIMD", t->waves_max);
		return;
	}
}

void occupancy_next(struct sbuf *out, const struct target *t, const struct occupancy_use *use)
{
	struct occ_step next;

	if (target_next_step(&next, t, use)) {
		sbuf_addf_visible(out, "-%u VGPR%s: %u wave%s", use->vgprs - next.vgprs,
			plural(use->vgprs - next.vgprs), next.resident_waves,
			plural(next.resident_waves));
	}
}

static void print_result(struct sbuf *out, const struct target *t, const struct occupancy_use *use)
{
	struct occupancy o;

	if (!target_occupancy_use(&o, t, use)) {
		sbuf_adds(out, "does not fit: ");
		if (use->vgprs > t->vgpr_max || use->agprs > t->vgpr_max) {
			sbuf_addf(out, "a wave can address %u VGPRs\n", t->vgpr_max);
		} else if (use->lds_bytes > t->lds_group_max) {
			sbuf_addf(out, "a work-group can have %u bytes of LDS\n", t->lds_group_max);
		} else if (wave_size(t, use) != t->wave_size && !t->wave_sizes_both) {
			sbuf_addf(out, "waves have %u lanes here\n", t->wave_size);
		} else {
			sbuf_adds(out, "a CU has too few registers or too little LDS for one "
				       "work-group\n");
		}
	} else {
		sbuf_addf_visible(out, "%u wave%s per SIMD, limited by %s", o.resident_waves,
			plural(o.resident_waves), occ_limit_name(o.limiter));
		if (o.register_waves != o.resident_waves) {
			sbuf_addf(out, "; registers allow %u", o.register_waves);
		}
		sbuf_addc(out, '\n');
	}
	struct sbuf next = {0};
	occupancy_next(&next, t, use);
	if (next.n) {
		sbuf_addf_visible(out, "next step: %s\n", sbuf_cstr(&next));
	} else if (target_occupancy_use(&o, t, use) && o.resident_waves < t->waves_max) {
		sbuf_adds(out, "next step: none with fewer VGPRs\n");
	}
	sbuf_release(&next);
}

static void print_limits(struct sbuf *out, const struct target *t, const struct occupancy_use *use)
{
	const char *const heading[] = {"limit", ">waves", "why"};
	struct table table;

	table_init(&table, 3, heading);
	for (size_t i = 0; i < resources_n; i++) {
		struct sbuf why = {0};
		if (!is_given(resources[i].resource, use)) {
			continue;
		}
		unsigned waves = target_waves_by(resources[i].resource, t, use);
		table_cell(&table, "%s", occ_limit_name(resources[i].resource));
		table_cell(&table, "%u", waves);
		describe(&why, resources[i].resource, t, use);
		table_cell(&table, "%s", sbuf_cstr(&why));
		sbuf_release(&why);
	}
	sbuf_addc(out, '\n');
	table_print(out, &table);
	table_release(&table);
}

static void print_steps(struct sbuf *out, const struct target *t, const struct occupancy_use *use)
{
	const char *const heading[] = {">VGPRs up to", ">reg waves", ">waves", "limited by"};
	struct occ_step step[OCC_STEPS_MAX];
	size_t n = target_occ_steps(step, t, use);
	struct table table;

	table_init(&table, 4, heading);
	for (size_t i = 0; i < n; i++) {
		bool here = use->vgprs && use->vgprs <= step[i].vgprs &&
			    (i == 0 || use->vgprs > step[i - 1].vgprs);
		table_cell(&table, "%u", step[i].vgprs);
		table_cell(&table, "%u", step[i].register_waves);
		table_cell(&table, "%u", step[i].resident_waves);
		table_cell(&table, "%s%s", occ_limit_name(step[i].limiter), here ? "  <-" : "");
	}
	sbuf_addc(out, '\n');
	if (n) {
		table_print(out, &table);
	} else {
		sbuf_adds(out, "no VGPR count fits\n");
	}
	table_release(&table);
}

void occupancy_text(struct sbuf *out, const struct target *t, const struct occupancy_use *use)
{
	sbuf_addf_visible(out, "%s (%s)", t->name, t->marketing ? t->marketing : "?");
	if (use->vgprs) {
		sbuf_addf_visible(out, ", %u VGPR%s", use->vgprs, plural(use->vgprs));
	}
	if (use->agprs) {
		sbuf_addf_visible(out, ", %u accumulation VGPR%s", use->agprs, plural(use->agprs));
	}
	if (use->sgprs) {
		sbuf_addf_visible(out, ", %u SGPR%s", use->sgprs, plural(use->sgprs));
	}
	if (use->lds_bytes) {
		sbuf_addf(out, ", %u bytes of LDS", use->lds_bytes);
	}
	if (use->group_size) {
		sbuf_addf(out, ", work-groups of %u", use->group_size);
	}
	sbuf_adds(out, "\n");
	if (use->vgprs) {
		print_result(out, t, use);
		print_limits(out, t, use);
	}
	print_steps(out, t, use);
	sbuf_addf_visible(out, "\nregisters: %s\n", t->source ? t->source : "no source is named");
}

static void json_known(struct json *j, const char *key, unsigned value)
{
	jsonw_key_known(j, key, value, value > 0);
}

static void json_steps(struct json *j, const struct target *t, const struct occupancy_use *use)
{
	struct occ_step step[OCC_STEPS_MAX];
	size_t n = target_occ_steps(step, t, use);

	jsonw_key_array(j, "steps");
	for (size_t i = 0; i < n; i++) {
		jsonw_object(j);
		jsonw_key_i64(j, "vgprs", step[i].vgprs);
		jsonw_key_i64(j, "register_waves", step[i].register_waves);
		jsonw_key_i64(j, "resident_waves", step[i].resident_waves);
		jsonw_key_str(j, "limiter", str_of(occ_limit_name(step[i].limiter)));
		jsonw_end(j);
	}
	jsonw_end(j);
}

static void json_target(struct json *j, const struct target *t, const struct occupancy_use *use)
{
	struct occupancy o = {0};
	struct occ_step next;
	bool fits = target_occupancy_use(&o, t, use);

	jsonw_object(j);
	jsonw_key_str(j, "target", str_of(t->name));
	json_known(j, "vgprs", use->vgprs);
	json_known(j, "acc_vgprs", use->agprs);
	json_known(j, "sgprs", use->sgprs);
	json_known(j, "lds_bytes", use->lds_bytes);
	json_known(j, "group_size", use->group_size);
	jsonw_key_i64(j, "wave_size", wave_size(t, use));
	jsonw_key_bool(j, "fits", fits);
	bool known = fits && use->vgprs;
	json_known(j, "register_waves", known ? o.register_waves : 0);
	json_known(j, "remark_waves", known ? o.remark_waves : 0);
	json_known(j, "resident_waves", known ? o.resident_waves : 0);
	jsonw_key_text(j, "limiter", known ? occ_limit_name(o.limiter) : NULL);
	jsonw_key_object(j, "limits");
	for (size_t i = 0; i < resources_n; i++) {
		bool given = is_given(resources[i].resource, use);
		json_known(j, resources[i].key,
			given ? target_waves_by(resources[i].resource, t, use) : 0);
	}
	jsonw_end(j);
	bool any = use->vgprs && target_next_step(&next, t, use);
	if (jsonw_key_object_if(j, "next", any)) {
		jsonw_key_i64(j, "vgprs", next.vgprs);
		jsonw_key_i64(j, "resident_waves", next.resident_waves);
		jsonw_end(j);
	}
	json_steps(j, t, use);
	jsonw_key_str(j, "source", str_of(t->source));
	jsonw_end(j);
}

void occupancy_json(
	struct sbuf *out, const struct target *const *t, size_t n, const struct occupancy_use *use)
{
	struct json j = jsonw_begin(out);
	jsonw_key_array(&j, "occupancy");
	for (size_t i = 0; i < n; i++) {
		json_target(&j, t[i], use);
	}
	jsonw_finish(&j);
}
