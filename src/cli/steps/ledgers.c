#include "cli/steps/ledgers.h"

#include <string.h>

#include "analysis/parse.h"
#include "base/msg.h"

static unsigned known(const struct kernel_metrics *k, enum metric m)
{
	return k && k->v[m] != METRIC_ABSENT ? (unsigned)k->v[m] : 0;
}

static struct ledger_entry make_entry(
	struct arena *a, const struct parse *p, kt_id fn, const struct cli_ledgers *how)
{
	const struct target *t = how->target;
	const struct measurement *m = how->measured;
	struct kt_unit *unit = p->unit;
	struct ledger *l = ARENA_NEW(a, struct ledger);
	const struct kernel_metrics *k =
		unit->fn[fn].symbol ? measurement_kernel(m, unit->fn[fn].symbol) : NULL;

	ledger_make(l, a, p->facts, p->uniformity, fn, t);
	struct ledger_entry e = {.ledger = l,
		.unit = unit,
		.target = t,
		.got = k,
		.group_known = l->bounded || known(k, METRIC_GROUP_SIZE) > 0};
	e.use.vgprs = known(k, METRIC_VGPR);
	e.use.agprs = known(k, METRIC_ACC_VGPR);
	e.use.lds_bytes = k ? known(k, METRIC_LDS) : l->lds_bytes;
	e.use.group_size =
		known(k, METRIC_GROUP_SIZE) ? known(k, METRIC_GROUP_SIZE) : l->group_size;
	e.claim = ledger_claim_whole(l, t);
	e.why_not = k ? NULL : m ? "the compiler removed the kernel" : "the file was not compiled";
	return e;
}

int cli_ledgers_add(struct ledger_list *out, struct arena *a, const struct cli_ledgers *how)
{
	const struct frontend_job *job = how->job;
	const struct target *t = how->target;
	struct kt_unit *unit;
	const char *as = NULL;
	int rc = frontend_parse(&unit, a, job, &as);

	if (rc) {
		return rc;
	}
	if (as && strcmp(as, t->name) != 0) {
		msg_note(
			"%s: this libclang does not know %s: parsed as %s", job->path, t->name, as);
	}
	struct parse p;
	parse_look_into(&p, unit, a, job->intrinsics);
	for (kt_id i = 1; i < unit->fns; i++) {
		const struct kt_fn *fn = &unit->fn[i];
		bool asked = !how->wanted || cli_kernels_match(how->wanted, fn->name, fn->symbol);
		if (asked && fn->kind == KT_FN_KERNEL && fn->body && !fn->in_system_header) {
			array_push(&out->v, make_entry(a, &p, i, how));
			out->v.v[out->v.n - 1].file = job->path;
		}
	}
	parse_release(&p);
	return 0;
}
