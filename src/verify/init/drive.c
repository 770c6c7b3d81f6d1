#include "verify/init/driving.h"

#include "base/map.h"

#define ARMS_SHARE 0.3

enum {
	MOST_TRIALS = 400 /* per kernel */
};

static void make_case(struct drive *x, const struct target *target)
{
	struct params *p = x->p;
	p->lds = p->lds > target->lds_group_max ? 0 : p->lds;
	x->c = (struct spec_case){.target = target,
		.wave_size = target->wave_size,
		.name = p->fn->name,
		.buffer = ARENA_ARRAY(x->a, struct spec_buffer, p->buffers.n + 1),
		.buffers = p->buffers.n};
	for (size_t i = 0; i < p->buffers.n; i++) {
		x->c.buffer[i] = (struct spec_buffer){.name = p->buffers.v[i].name,
			.type = p->buffers.v[i].type,
			.fill = ARENA_NEW(x->a, struct fill),
			.fills = 1};
	}
	x->numbers = ARENA_ARRAY(x->a, struct trial_number, p->numbers + 1);
}

int drive(struct driven *out, const struct drive_job *job)
{
	struct drive x = {.d = out,
		.p = &out->params,
		.t = job->t,
		.faulty = job->faulty,
		.faults = job->faults,
		.a = out->params.a,
		.number = job->number,
		.left = MOST_TRIALS};
	/* the search for faults has its own share of the time */
	double begin_s = proc_cpu_s();
	x.ends_at_s = begin_s + job->cpu_limit_s * (x.faulty ? ARMS_SHARE : 1);
	bool late = false;
	make_case(&x, job->target);
	if (job->like) {
		params_learn(x.p, &job->like->params);
	}
	arms_find_never(&x.never, x.a, x.p->u, (kt_id)(x.p->fn - x.p->u->fn));
	int rc = drive_first(&x, job->like);
	out->runs = out->cases.n > 0;
	if (rc == 0 && out->runs) {
		rc = drive_add_boundary(&x);
		rc = rc ? rc : drive_vary(&x);
		rc = rc ? rc : drive_add_enumerators(&x);
		late = out->late;
		out->late = false;
		x.ends_at_s = begin_s + job->cpu_limit_s;
		rc = rc ? rc : drive_fill_outputs(&x);
		rc = rc || !x.faulty ? rc : drive_see(&x);
		rc = rc ? rc : drive_finish(&x);
	}
	out->late |= late;
	out->full = x.full;
	map_release(&x.tried);
	map_release(&x.never);
	map_release(&x.compared);
	array_release(&x.seeds);
	return rc;
}

void driven_release(struct driven *d)
{
	params_release(&d->params);
	array_release(&d->cases);
}
