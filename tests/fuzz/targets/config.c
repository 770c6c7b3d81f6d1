/* config, target: rules.yaml, targets.yaml and intrinsics.yaml as a user may write them. On a
 * target that was accepted occupancy can be asked for, whatever a kernel takes. */
#include "config/settings.h"
#include "target.h"
#include "target/intrinsic.h"
#include "target/target.h"

static void ask_occupancy(const struct target *t)
{
	static const unsigned amount[] = {0, 1, 24, 63, 64, 129, 512, 65536, UINT32_MAX};
	const size_t n = sizeof(amount) / sizeof(amount[0]);
	for (size_t i = 0; i < n * n * n; i++) {
		struct occupancy_use use = {.vgprs = amount[i % n],
			.agprs = amount[i / 2 % n],
			.sgprs = amount[i / n % n],
			.lds_bytes = amount[i / n / n],
			.group_size = amount[(i + 3) % n],
			.wave_size = i % 5 == 0	  ? 32
				     : i % 5 == 1 ? 64
						  : 0};
		struct occupancy o;
		if (target_occupancy_use(&o, t, &use)) {
			REQUIRE(o.register_waves >= 1 && o.register_waves <= t->waves_max);
			REQUIRE(o.resident_waves >= 1 && o.resident_waves <= o.register_waves);
			REQUIRE(occ_limit_name(o.limiter)[0] != '\0');
		}
	}
}

static void ask_intrinsics(const struct intrinsic_db *db)
{
	static const char *const names[] = {"", "expf", "__builtin_amdgcn_mfma_f32_16x16x16f16"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct intrinsic *in = intrinsic_find(db, str_of(names[i]));
		if (in) {
			REQUIRE(in->kind <= INTRINSIC_UNREACHABLE && in->form <= FORM_FENCE);
		}
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size};
	struct arena *a = arena_create();
	struct settings settings;
	struct target_db targets = {0};
	struct intrinsic_db intrinsics = {0};
	if (settings_load(&settings, text, "rules.yaml") == 0) {
		REQUIRE(settings.min_chained_vgprs >= 1 && settings.min_gain_vgprs >= 1);
	}
	if (target_db_load(&targets, a, text, "targets.yaml") == 0) {
		for (size_t i = 0; i < targets.n && i < 16; i++) {
			ask_occupancy(&targets.v[i]);
			REQUIRE(target_find(&targets, str_of(targets.v[i].name)) != NULL);
		}
	}
	if (intrinsic_db_load(&intrinsics, a, text, "intrinsics.yaml") == 0) {
		ask_intrinsics(&intrinsics);
	}
	intrinsic_db_release(&intrinsics);
	arena_free(a);
	return 0;
}
