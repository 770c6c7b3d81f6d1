/*
 * unphi occupancy: the number of waves that fit on a SIMD with the given registers, LDS and
 * work-group size, their limit, and the next step. It neither parses nor compiles. Exit 1 if the
 * given values do not fit on a target.
 */
#include "cli/cli.h"

#include "base/msg.h"
#include "report/figures/occupancy.h"

int cmd_occupancy(const struct cli_opts *o)
{
	struct arena *a = arena_create();
	struct sbuf text = {0};
	struct cli_targets targets;
	struct occupancy ignored;
	int code = EXIT_CLEAN;
	struct occupancy_use use = {.vgprs = o->vgprs,
		.agprs = o->agprs,
		.sgprs = o->sgprs,
		.lds_bytes = o->lds,
		.group_size = o->block,
		.wave_size = o->wave};
	int rc = cli_output_check(o, o->report);

	rc = rc ? rc : cli_targets_find(&targets, a, o);
	for (size_t i = 0; rc == 0 && i < targets.n; i++) {
		bool fits = target_occupancy_use(&ignored, targets.v[i], &use);
		code = fits ? code : EXIT_FINDINGS;
		if (o->format != FORMAT_JSON) {
			sbuf_adds(&text, i ? "\n" : "");
			occupancy_text(&text, targets.v[i], &use);
		}
	}
	if (rc == 0 && o->format == FORMAT_JSON) {
		occupancy_json(&text, targets.v, targets.n, &use);
	}
	rc = rc ? rc : cli_report_write(o, sbuf_str(&text));
	sbuf_release(&text);
	arena_free(a);
	return exit_worse(code, cli_exit(rc));
}
