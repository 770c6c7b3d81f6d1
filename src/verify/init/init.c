#include "verify/init/init.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/process/proc.h"
#include "verify/init/drive.h"

enum {
	MOST_DRIVEN = 64, /* kernels; sizes for the others are guesses */
	MOST_UNSEEN = 40  /* faults listed */
};

struct initing {
	struct arena *a;
	struct spec_init *job;
	ARRAY(const struct kt_fn *) kernels;
	struct driven *driven;
	size_t driving;	  /* number of kernels to launch in total */
	double ends_at_s; /* on proc_cpu_s() */
	struct faults faults;
	struct trials *faulty; /* program with faults; or NULL */
};

static void make_params(struct initing *x, size_t i, bool plain)
{
	params_make(&x->driven[i].params, x->a,
		&(struct params_job){
			x->job->u, x->kernels.v[i], x->job->intrinsics, x->job->target, plain});
}

/* ---- compiles ---- */

/* A spec for kernels [first, first + n) whose arguments each trial chooses. */
static struct spec *trial_spec(const struct initing *x, size_t first, size_t n)
{
	struct spec *s = ARENA_NEW(x->a, struct spec);
	*s = (struct spec){.path = "trial", .v = ARENA_ARRAY(x->a, struct spec_case, n), .n = n};
	for (size_t i = 0; i < n; i++) {
		const struct params *p = &x->driven[first + i].params;
		const char **argument = ARENA_ARRAY(x->a, const char *, p->arguments.n + 1);
		struct spec_buffer *buffer =
			ARENA_ARRAY(x->a, struct spec_buffer, p->buffers.n + 1);
		for (size_t k = 0; k < p->arguments.n; k++) {
			struct sbuf text = {0};
			params_cpp(&text, &p->arguments.v[k], p);
			argument[k] = sbuf_finish(&text, x->a).p;
		}
		for (size_t k = 0; k < p->buffers.n; k++) {
			buffer[k] = (struct spec_buffer){.name = p->buffers.v[k].name,
				.type = p->buffers.v[k].type,
				.length = 1,
				.fill = ARENA_NEW(x->a, struct fill),
				.fills = 1};
		}
		s->v[i] = (struct spec_case){.name = p->fn->name,
			.kernel = p->fn->name,
			.target = x->job->target,
			.grid = {{1, 1, 1}},
			.block = {{1, 1, 1}},
			.wave_size = x->job->target->wave_size,
			.argument = argument,
			.arguments = p->arguments.n,
			.buffer = buffer,
			.buffers = p->buffers.n,
			.line = 1};
	}
	return s;
}

static int open_trials(
	struct trials **out, const char **said, const struct initing *x, size_t first, size_t n)
{
	struct verify_opts opts = x->job->opts;
	opts.spec = trial_spec(x, first, n);
	return trials_open(out, said, x->a, &opts, &x->job->source);
}

/* Adds the lines of a file that a compiler's error messages name. Only its base name is compared,
 * since the compiler may name another directory. */
static bool add_lines_of(
	struct map *out, struct arena *a, const char *said, const char *path, kt_id file)
{
	struct str base = path_base(str_of(path));
	const char *mark = arena_printf(a, "%.*s:", STR_ARG(base));
	bool any = false;
	for (const char *at = strstr(said, mark); at; at = strstr(at + 1, mark)) {
		unsigned long line = strtoul(at + strlen(mark), NULL, 10);
		any |= line > 0 && map_set_u64(out, fault_line_key(file, (unsigned)line), 1);
	}
	return any;
}

/* Adds the lines of all files with faults. */
static bool add_lines(struct map *out, const struct initing *x, const char *said)
{
	const struct fault *f = x->faults.v;
	bool any = false;
	for (size_t i = 0; i < x->faults.n; i++) {
		const char *path = x->job->u->file[f[i].file].path;
		bool seen = i > 0 && f[i].file == f[i - 1].file;
		any |= !seen && add_lines_of(out, x->a, said, path, f[i].file);
	}
	return any;
}

/* The first line of an error message, after lines about included files. */
static struct str error_line(const char *said)
{
	struct str rest = str_of(said), line = {0};
	do {
		str_line(&rest, &line);
	} while (rest.n && str_starts(line, "In file included from"));
	return line;
}

/* Compiles the text with faults. If it does not compile, tries again without faults on the lines in
 * the error messages. */
static int open_faulty(struct initing *x, size_t first, size_t n)
{
	enum {
		MOST_TRIES = 6
	};
	struct verify_source source = x->job->source;
	struct verify_opts opts = x->job->opts;
	struct map avoid = {0};
	const char *said = "";
	int rc = 0;
	bool again = x->job->sees;
	opts.spec = trial_spec(x, first, n);
	opts.faults = true;
	for (size_t i = 0; rc == 0 && again && i < MOST_TRIES; i++) {
		faults_plant(&x->faults, x->a, x->job->u, x->job->intrinsics, &avoid);
		source.text = x->faults.text;
		source.in_place = x->faults.in_place;
		source.in_places = x->faults.in_places;
		rc = trials_open(&x->faulty, &said, x->a, &opts, &source);
		again = rc == 0 && said[0] && add_lines(&avoid, x, said);
	}
	if (said[0]) {
		msg_warning("no faults are planted: the text with faults does not compile (%.*s)",
			STR_ARG(error_line(said)));
		trials_close(x->faulty);
		x->faulty = NULL;
	}
	map_release(&avoid);
	return rc;
}

/* ---- trials ---- */

/* An earlier kernel with matching parameters, preferably with the same text; or NULL. */
static const struct driven *like(const struct initing *x, size_t i)
{
	const struct driven *found = NULL;
	bool same = false;
	for (size_t k = 0; k < i; k++) {
		const struct driven *d = &x->driven[k];
		const struct kt_fn *f = x->kernels.v[k], *own = x->kernels.v[i];
		bool same_text = f->file == own->file && f->begin == own->begin;
		if (d->runs && (same_text || !same) &&
			params_match(&d->params, &x->driven[i].params)) {
			found = d;
			same = same_text;
		}
	}
	return found;
}

static int drive_one(struct initing *x, struct trials *t, size_t i, size_t number)
{
	if (x->job->progress) {
		x->job->progress(x->kernels.v[i]->name, x->job->trials);
	}
	/* each kernel gets an equal share of the remaining time, and enough for a first case */
	static const double least_s = 1;
	double share = (x->ends_at_s - proc_cpu_s()) / (double)x->driving;
	const struct drive_job job = {.t = t,
		.number = number,
		.target = x->job->target,
		.like = like(x, i),
		.faulty = x->faults.n > 0 ? x->faulty : NULL,
		.faults = &x->faults,
		.cpu_limit_s = share > least_s ? share : least_s};
	int rc = drive(&x->driven[i], &job);
	x->driving--;
	x->job->late |= x->driven[i].late;
	x->job->trials += x->driven[i].trials;
	return rc;
}

/* Compiles and launches kernel i separately, since some kernel does not compile: first with an
 * initializer for each member of a record, then with records as bytes. */
static int drive_separately(struct initing *x, size_t i)
{
	struct trials *t = NULL;
	const char *said;
	int rc = open_trials(&t, &said, x, i, 1);
	if (rc == 0 && said[0]) {
		trials_close(t);
		driven_release(&x->driven[i]);
		x->driven[i] = (struct driven){0};
		make_params(x, i, true);
		rc = open_trials(&t, &said, x, i, 1);
	}
	if (rc == 0 && said[0]) {
		x->driven[i].error = said;
		x->driving--;
	} else if (rc == 0) {
		rc = open_faulty(x, i, 1);
		rc = rc ? rc : drive_one(x, t, i, 0);
		trials_close(x->faulty);
		x->faulty = NULL;
	}
	trials_close(t);
	return rc;
}

static int drive_all(struct initing *x)
{
	struct trials *t = NULL;
	const char *said;
	size_t n = x->kernels.n < MOST_DRIVEN ? x->kernels.n : MOST_DRIVEN;
	int rc = open_trials(&t, &said, x, 0, n);
	x->ends_at_s += rc == 0 ? trials_runner_s(t) : 0;
	x->driving = n;
	rc = rc || said[0] ? rc : open_faulty(x, 0, n);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = said[0] ? drive_separately(x, i) : drive_one(x, t, i, i);
	}
	if (!said[0]) {
		trials_close(x->faulty);
	}
	trials_close(t);
	return rc;
}

/* ---- YAML ---- */

static size_t length_of(const struct params *p, const struct driven_case *c, size_t buffer)
{
	return c && c->length ? c->length[buffer] : p->buffers.v[buffer].length;
}

static void yaml_buffers(struct sbuf *out, const struct params *p, const struct trial_number *v,
	const struct driven_case *c)
{
	sbuf_adds(out, p->buffers.n ? "    buffers:\n" : "");
	array_each (&p->buffers, const struct param_buffer, b) {
		struct fill f = b->fills.v[v[b->slot].whole];
		f.seed += (uint64_t)(b - p->buffers.v) + 1;
		sbuf_addf(out, "      %s: {type: %s, length: %zu, fill: ", b->name,
			element_names[b->type], length_of(p, c, (size_t)(b - p->buffers.v)));
		params_yaml_fill(out, &f, b->type);
		sbuf_adds(out, "}");
		if (b->of && b->of[0]) {
			sbuf_addf(out, " # %s", b->of);
		}
		sbuf_addc(out, '\n');
	}
}

static void yaml_arguments(struct sbuf *out, const struct params *p, const struct trial_number *v)
{
	sbuf_adds(out, p->arguments.n ? "    arguments:\n" : "");
	array_each (&p->arguments, const struct piece, a) {
		sbuf_addf(out, "      %s: ", a->name);
		params_yaml(out, a, p, v);
		for (size_t i = 0; a->kind == PIECE_BYTES && i < a->pieces; i++) {
			sbuf_addf(out, "%s%s at %lld", i ? ", " : " # ", a->piece[i].name,
				(long long)a->piece[i].at);
		}
		sbuf_addc(out, '\n');
	}
}

static void yaml_shape(
	struct sbuf *out, const char *indent, const char *key, const struct spec_shape *s)
{
	sbuf_addf(out, "%s%s: ", indent, key);
	params_yaml_shape(out, s);
	sbuf_addc(out, '\n');
}

/* Writes the differences from the first case. */
static void yaml_case(struct sbuf *out, const struct driven *d, const struct driven_case *c)
{
	const struct params *p = &d->params;
	const struct trial_number *base = d->cases.v[0].value;
	const char *between = "";
	sbuf_addf(out, "      - name: %s\n", c->name);
	if (c->value[p->grid_slot].whole != base[p->grid_slot].whole) {
		yaml_shape(out, "        ", "grid", &p->grids.v[c->value[p->grid_slot].whole]);
	}
	if (c->value[p->block_slot].whole != base[p->block_slot].whole) {
		yaml_shape(out, "        ", "block", &p->blocks.v[c->value[p->block_slot].whole]);
	}
	array_each (&p->buffers, const struct param_buffer, b) {
		struct fill f = b->fills.v[c->value[b->slot].whole];
		size_t i = (size_t)(b - p->buffers.v);
		size_t length = length_of(p, c, i);
		bool filled = c->value[b->slot].whole != base[b->slot].whole;
		bool longer = length != length_of(p, &d->cases.v[0], i);
		if (!filled && !longer) {
			continue;
		}
		sbuf_addf(out, "%s%s: {", between[0] ? ", " : "        buffers: {", b->name);
		if (longer) {
			sbuf_addf(out, "length: %zu%s", length, filled ? ", " : "}");
		}
		if (filled) {
			f.seed += i + 1;
			sbuf_adds(out, "fill: ");
			params_yaml_fill(out, &f, b->type);
			sbuf_adds(out, "}");
		}
		between = "}\n";
	}
	sbuf_adds(out, between);
	between = "";
	array_each (&p->arguments, const struct piece, a) {
		if (params_differ(a, p, c->value, base)) {
			sbuf_addf(
				out, "%s%s: ", between[0] ? ", " : "        arguments: {", a->name);
			params_yaml(out, a, p, c->value);
			between = "}\n";
		}
	}
	sbuf_adds(out, between);
}

/* ---- results of the cases ---- */

/* Counts arms that run, and arms that can run. */
static void count_arms(size_t out[2], struct initing *x, const struct driven *d)
{
	struct verify_arm *arm;
	ARRAY(struct verify_run) runs = {0};
	array_each (&d->cases, const struct driven_case, c) {
		array_push(&runs, c->result.run);
	}
	size_t n = verify_all_arms(&arm, x->a, runs.v, runs.n);
	array_release(&runs);
	out[0] = 0;
	for (size_t i = 0; i < n; i++) {
		out[0] += arm[i].ran;
	}
	out[1] = out[0] + d->unruns;
}

/* Counts the faults of a kind (FAULT_KIND_COUNT: of all kinds): shown, and all. */
static void count_faults(
	size_t out[2], const struct initing *x, const struct driven *d, enum fault_kind kind)
{
	out[0] = out[1] = 0;
	for (size_t i = 0; i < d->faults; i++) {
		const struct fault *f = &x->faults.v[d->fault[i] - 1];
		out[1] += kind == FAULT_KIND_COUNT || f->kind == kind;
	}
	out[0] = out[1];
	for (size_t i = 0; i < d->unseens; i++) {
		const struct fault *f = &x->faults.v[d->unseen[i] - 1];
		out[0] -= kind == FAULT_KIND_COUNT || f->kind == kind;
	}
}

/* "4 of 4 arms run, ..." */
static const char *figures(struct initing *x, const struct driven *d)
{
	size_t arms[2], bounds[2], faults[2];
	count_arms(arms, x, d);
	count_faults(bounds, x, d, FAULT_BOUND);
	count_faults(faults, x, d, FAULT_KIND_COUNT);
	return arena_printf(x->a,
		"%zu of %zu arms run, %zu of %zu waves and %zu of %zu lanes store something; %zu "
		"of "
		"%zu planted faults are seen, %zu of %zu of those at bounds",
		arms[0], arms[1], d->waves[0], d->waves[1], d->lanes[0], d->lanes[1], faults[0],
		faults[1], bounds[0], bounds[1]);
}

static bool has_figures(const struct driven *d)
{
	return d->runs && d->lanes[1] > 0;
}

static void yaml_figures(struct sbuf *out, struct initing *x, const struct driven *d)
{
	if (!has_figures(d)) {
		return;
	}
	sbuf_addf(out, "    # %s\n", figures(x, d));
	for (size_t i = 0; i < d->unseens && i < MOST_UNSEEN; i++) {
		const struct fault *f = &x->faults.v[d->unseen[i] - 1];
		const struct kt_file *file = &x->job->u->file[f->file];
		struct str base = file->main ? STR("") : path_base(str_of(file->path));
		sbuf_addf(out, "    # not seen: line %u%s%.*s: %s\n", f->line, base.n ? " of " : "",
			STR_ARG(base), f->what);
	}
	if (d->unseens > MOST_UNSEEN) {
		sbuf_addf(out, "    # and %zu more\n", d->unseens - MOST_UNSEEN);
	}
}

static void yaml_kernel(struct sbuf *out, struct initing *x, struct driven *d)
{
	const struct params *p = &d->params;
	struct trial_number *guess = ARENA_ARRAY(x->a, struct trial_number, p->slots.n + 1);
	for (size_t i = 0; i < p->slots.n; i++) {
		bool number = p->slots.v[i].kind == SLOT_NUMBER && !p->slots.v[i].is_enum;
		guess[i] = (struct trial_number){number, number};
	}
	const struct trial_number *v = d->runs ? d->cases.v[0].value : guess;
	sbuf_addf(out, "  - kernel: \"%s\"\n", p->fn->name);
	if (!d->runs) {
		sbuf_adds(
			out, "    # no launch that was tried ran to its end; these are guesses\n");
	}
	for (size_t i = 0; i < d->unruns; i++) {
		struct str base = path_base(str_of(d->unrun[i].file));
		sbuf_addf(out, "    # arm %u of %.*s:%u never ran\n", d->unrun[i].arm,
			STR_ARG(base), d->unrun[i].line);
	}
	yaml_figures(out, x, d);
	if (!d->runs || d->cases.n > 0) {
		yaml_shape(out, "    ", "grid", &p->grids.v[v[p->grid_slot].whole]);
		yaml_shape(out, "    ", "block", &p->blocks.v[v[p->block_slot].whole]);
	}
	if (p->lds) {
		sbuf_addf(out, "    lds: %u\n", p->lds);
	}
	yaml_buffers(out, p, v, d->cases.n > 0 ? &d->cases.v[0] : NULL);
	yaml_arguments(out, p, v);
	sbuf_adds(out, d->cases.n > 1 ? "    cases:\n" : "");
	for (size_t i = 0; d->cases.n > 1 && i < d->cases.n; i++) {
		yaml_case(out, d, &d->cases.v[i]);
	}
	x->job->cases += d->cases.n > 1 ? d->cases.n : 1;
}

/* ---- texts ---- */

static void warn_of(struct initing *x, const struct driven *d)
{
	if (!d->runs && d->error) {
		msg_warning(
			"%s: no launch that was tried ran to its end; its sizes are guesses (%.*s)",
			d->params.fn->name, STR_ARG(error_line(d->error)));
	} else if (!d->runs) {
		msg_warning("%s: not tried; its sizes are guesses", d->params.fn->name);
	}
	if (has_figures(d)) {
		msg_note("%s: %s", d->params.fn->name, figures(x, d));
	}
	if (d->runs && d->fault_error && d->lanes[1] == 0) {
		msg_warning(
			"%s: no faults are planted: the kernel fails if races are watched (%.*s)",
			d->params.fn->name, STR_ARG(error_line(d->fault_error)));
	}
	for (size_t i = 0; i < d->unruns; i++) {
		msg_warning("arm %u of %s:%u never ran in %zu launches of %s", d->unrun[i].arm,
			d->unrun[i].file, d->unrun[i].line, d->trials, d->params.fn->name);
	}
}

/* Finds the kernels that the file defines or launches; if there are none, those of its headers. */
static void find_kernels(struct initing *x)
{
	const struct kt_unit *u = x->job->u;
	for (int headers = 0; x->kernels.n == 0 && headers < 2; headers++) {
		for (size_t i = 1; i < u->fns; i++) {
			const struct kt_fn *fn = &u->fn[i];
			const struct kt_file *f = &u->file[fn->file];
			bool own = f->main || (!f->system && (fn->launch || headers));
			if (fn->kind == KT_FN_KERNEL && fn->body && own) {
				array_push(&x->kernels, fn);
			}
		}
	}
}

int spec_init(struct sbuf *out, struct arena *a, struct spec_init *job)
{
	struct initing x = {.a = a, .job = job};
	x.ends_at_s = proc_cpu_s() + job->cpu_limit_s;
	find_kernels(&x);
	x.driven = ARENA_ARRAY(a, struct driven, x.kernels.n + 1);
	job->kernels = x.kernels.n;
	if (x.kernels.n == 0 && job->may_be_none) {
		return 0;
	}
	if (x.kernels.n == 0) {
		return fail_input("%s has no kernel; a template counts only if the file launches "
				  "or instantiates it",
			job->source.path);
	}
	for (size_t i = 0; i < x.kernels.n; i++) {
		make_params(&x, i, false);
	}
	int rc = drive_all(&x);
	sbuf_addf(out,
		"# How unphi verify runs the kernels of %s on the CPU. Trial launches found sizes "
		"and "
		"values\n"
		"# that run as many arms as possible. If the host code uses others, set them to "
		"those.\n"
		"targets: [%s]\nkernels:\n",
		job->shown, job->targets ? job->targets : job->target->name);
	for (size_t i = 0; i < x.kernels.n; i++) {
		if (rc == 0) {
			job->undriven = x.driven[i].runs ? job->undriven : x.kernels.v[i]->name;
			warn_of(&x, &x.driven[i]);
			yaml_kernel(out, &x, &x.driven[i]);
		}
		driven_release(&x.driven[i]);
	}
	array_release(&x.kernels);
	return rc;
}
