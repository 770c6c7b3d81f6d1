#include "target/steps.h"

static bool occupancy_at(struct occupancy *out, const struct target *t,
	const struct occupancy_use *use, unsigned vgprs)
{
	struct occupancy_use at = *use;

	at.vgprs = vgprs;
	at.agprs = use->agprs < vgprs ? use->agprs : vgprs;
	return target_occupancy_use(out, t, &at);
}

size_t target_occ_steps(
	struct occ_step *step, const struct target *t, const struct occupancy_use *use)
{
	size_t n = 0;

	for (unsigned vgprs = 1; vgprs <= t->vgpr_max; vgprs++) {
		struct occupancy o;
		if (!occupancy_at(&o, t, use, vgprs)) {
			continue;
		}
		bool same = n && step[n - 1].vgprs == vgprs - 1 &&
			    step[n - 1].register_waves == o.register_waves &&
			    step[n - 1].resident_waves == o.resident_waves;
		if (!same && n == OCC_STEPS_MAX) {
			return n;
		}
		n += !same;
		step[n - 1] =
			(struct occ_step){vgprs, o.register_waves, o.resident_waves, o.limiter};
	}
	return n;
}

unsigned target_most_vgprs(const struct target *t, const struct occupancy_use *use)
{
	struct occupancy o;
	unsigned vgprs = t->vgpr_max;

	while (vgprs > 0 && !occupancy_at(&o, t, use, vgprs)) {
		vgprs--;
	}
	return vgprs;
}

bool target_next_step(struct occ_step *out, const struct target *t, const struct occupancy_use *use)
{
	struct occ_step step[OCC_STEPS_MAX];
	struct occupancy now;
	size_t n = target_occ_steps(step, t, use);
	unsigned waves = target_occupancy_use(&now, t, use) ? now.resident_waves : 0;

	for (size_t i = n; i-- > 0;) {
		if (step[i].vgprs < use->vgprs && step[i].resident_waves > waves) {
			*out = step[i];
			return true;
		}
	}
	return false;
}

unsigned target_waves_by(
	enum occ_limit resource, const struct target *t, const struct occupancy_use *use)
{
	struct occupancy_use alone = {.wave_size = use->wave_size};
	struct occupancy o;

	switch (resource) {
	case OCC_LIMIT_WAVES:
		return t->waves_max;
	case OCC_LIMIT_VGPR:
		alone.vgprs = use->vgprs;
		alone.agprs = use->agprs;
		break;
	case OCC_LIMIT_SGPR:
		alone.sgprs = use->sgprs;
		break;
	case OCC_LIMIT_LDS:
		alone.lds_bytes = use->lds_bytes;
		alone.group_size = use->group_size;
		break;
	case OCC_LIMIT_GROUP:
		alone.group_size = use->group_size;
		break;
	}
	return target_occupancy_use(&o, t, &alone) ? o.resident_waves : 0;
}
