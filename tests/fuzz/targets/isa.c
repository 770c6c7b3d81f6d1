/* measure: what compilers write with -S. The target is the first that the text names. Of every
 * kernel the figures are absent or sane, kernels come in order, and each is trusted or says why
 * not. */
#include "measure/isa/isa.h"

#include <string.h>
#include "measure/isa/exec.h"
#include "target.h"

static struct target_db targets;

static const struct target *target_of(struct str text)
{
	size_t at = str_find(text, "gfx", 0);
	if (at != SIZE_MAX) {
		for (size_t n = 8; n > 5; n--) {
			const struct target *t =
				target_find(&targets, str_sub(text, at, at + n - 1));
			if (t) {
				return t;
			}
		}
	}
	return target_find(&targets, STR("gfx90a"));
}

static void check(const struct measurement *m)
{
	for (size_t i = 0; i < m->kernels; i++) {
		const struct kernel_metrics *k = &m->kernel[i];
		REQUIRE(i == 0 || strcmp(m->kernel[i - 1].symbol, k->symbol) <= 0);
		REQUIRE(k->trusted == (k->why == NULL));
		for (size_t j = 0; j < METRIC_COUNT; j++) {
			REQUIRE(k->v[j] >= METRIC_ABSENT);
		}
		REQUIRE(k->v[METRIC_MATRIX_UNSKIPPED] <= k->v[METRIC_LANE_BRANCH_MATRIX]);
		REQUIRE(k->v[METRIC_MATRIX_DEST] <= k->v[METRIC_MATRIX_OP]);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena *life;
	if (!life) {
		life = arena_create();
		REQUIRE(target_db_builtin(&targets, life) == 0);
	}
	struct str ir = {(const char *)data, size};
	struct str isa = fuzz_split(&ir);
	struct arena *a = arena_create();
	struct measurement m;
	const struct target *t = target_of(isa);
	if (!isa_read_quiet(&m, a, t, isa, ir)) {
		check(&m);
	}
	arena_free(a);
	return 0;
}
