/*
 * unphi-launch-bounds: launch bounds that the source shows to be missing, too large or too small.
 *
 *   __global__ void gemm(...)               No bounds: the compiler plans for blocks of 1024
 *   gemm<<<blocks, 256>>>(...);             threads, with a quarter of the VGPRs that 256 allow.
 *
 *   __global__ __launch_bounds__(256) void scan(...)
 *   scan<<<blocks, 512>>>(...);             Fails at run time, whatever other launches do.
 *
 * The first is a note if two things hold. By the register ledger, the live variables need more
 * registers than blocks of the assumed size leave. And the source shows smaller blocks: in all
 * launches, or in the kernel's index arithmetic. With --measure the gain of the bound is measured
 * (choose/advise/bounds.c). The second is a warning.
 */
#include "analysis/facts/launch.h"
#include "analysis/ledger/ledger.h"
#include "rule/rule.h"
#include "rule/subject.h"

struct bounds {
	const struct rule_input *in;
	const struct parse *parse;
	const struct target *target;
	const struct kt_fn *fn;
	kt_id id;
};

static struct diag *add(struct diag_list *out, const struct bounds *b)
{
	struct diag d = {
		.level = DIAG_NOTE, .rule = "unphi-launch-bounds", .weight = 1, .next = "explain"};

	subject_kernel(&d, b->in->a, b->parse->unit, b->id);
	array_push(&out->v, d);
	return &out->v.v[out->v.n - 1];
}

/* "this unit launches it with 256 at most"; NULL: nothing shows that blocks are smaller. */
static const char *smaller(const struct bounds *b, unsigned assumed)
{
	unsigned launched = b->fn->threads > 0 ? (unsigned)b->fn->threads : 0;
	unsigned shown = launched || b->fn->threads < 0 || b->fn->bound > 0
				 ? 0
				 : launch_block_shown(b->parse->facts, b->id);

	if (launched && launched < assumed) {
		return arena_printf(b->in->a, "this unit launches it with %u at most", launched);
	}
	return shown && shown < assumed ? arena_printf(b->in->a,
						  "its index arithmetic is for blocks of %u (if "
						  "no launch has more, use that as the bound)",
						  shown)
					: NULL;
}

static void check_headroom(struct diag_list *out, const struct bounds *b)
{
	struct arena *a = b->in->a;
	struct ledger l;

	ledger_make(&l, a, b->parse->facts, b->parse->uniformity, b->id, b->target);
	const char *blocks = b->fn->bound >= 0 ? smaller(b, l.group_size) : NULL;
	if (!blocks) {
		return;
	}
	struct ledger_claim c = ledger_claim_whole(&l, b->target);
	if (l.least.held <= c.budget || l.waves > 0) {
		return;
	}
	const char *bounded = "has no launch bounds: the compiler";
	if (l.bounded) {
		bounded = arena_printf(
			a, "is bound to %u threads a block: the compiler", l.group_size);
	}
	struct diag *d = add(out, b);
	d->weight = c.vgprs - c.budget;
	d->text = str_of(arena_printf(a,
		"'%s' %s leaves a thread %u VGPRs%s, and it takes about %u (%u to %u), so it %s; "
		"%s "
		"(%s)",
		b->fn->name, bounded, c.budget,
		l.bounded ? "" : arena_printf(a, ", for blocks of %u threads", l.group_size),
		c.vgprs, c.vgprs_least, c.vgprs_most,
		c.vgprs_least > c.budget ? "spills" : "may spill", blocks, b->target->name));
}

static void look_at_launch(struct diag_list *out, const struct bounds *b)
{
	if (b->fn->bound > 0 && b->fn->known_threads > b->fn->bound) {
		struct diag *d = add(out, b);
		d->level = DIAG_WARNING;
		d->text = str_of(arena_printf(b->in->a,
			"'%s' is launched with %d threads a block, and its bound is %d: such a "
			"launch fails",
			b->fn->name, b->fn->known_threads, b->fn->bound));
	}
}

void rule_launch_bounds(const struct rule_input *in, struct diag_list *out)
{
	for (size_t i = 0; i < in->parses; i++) {
		const struct kt_unit *u = in->parse[i].unit;
		for (kt_id id = 1; id < u->fns; id++) {
			struct bounds b = {in, &in->parse[i], in->target[i], &u->fn[id], id};
			if (b.fn->kind == KT_FN_KERNEL && b.fn->body && b.fn->file &&
				!u->file[b.fn->file].system) {
				check_headroom(out, &b);
				look_at_launch(out, &b);
			}
		}
	}
}
