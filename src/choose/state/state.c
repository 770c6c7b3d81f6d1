#include "choose/state/state.h"

#include <limits.h>
#include <string.h>
#include "analysis/ledger/ledger.h"
#include "base/file.h"
#include "base/process/interrupt.h"
#include "base/process/proc.h"
#include "base/words.h"
#include "choose/state/headroom.h"
#include "frontend/parse/flags.h"

const char *outcome_word(enum outcome o)
{
	static const char *const word[] = {
		[OUTCOME_REFUSED] = "not legal",
		[OUTCOME_FAILED] = "did not compile",
		[OUTCOME_UNKNOWN] = "not measurable",
		[OUTCOME_VETO] = "veto",
		[OUTCOME_WORSE] = "worse",
		[OUTCOME_EQUAL] = "no gain",
		[OUTCOME_BETTER] = "better",
		[OUTCOME_KEPT] = "kept",
		[OUTCOME_UNTRIED] = "not tried",
	};
	return word[o];
}

bool state_is_late(struct state *s)
{
	bool asked = s->job->interruptible && interrupt_asked();
	if (asked && !s->interrupted) {
		s->interrupted = true;
		state_note(s, "interrupted; the best so far is kept, and Ctrl-C once more ends it");
	}
	s->time_ran_out |= s->ends_at_s > 0 && (asked || proc_now_s() >= s->ends_at_s);
	return s->time_ran_out;
}

const char *state_why_late(const struct state *s)
{
	return s->interrupted ? "it was interrupted" : "time ran out";
}

enum outcome outcome_of(enum verdict v)
{
	static const enum outcome of[] = {
		[VERDICT_BETTER] = OUTCOME_BETTER,
		[VERDICT_EQUAL] = OUTCOME_EQUAL,
		[VERDICT_WORSE] = OUTCOME_WORSE,
		[VERDICT_VETO] = OUTCOME_VETO,
		[VERDICT_UNKNOWN] = OUTCOME_UNKNOWN,
	};
	return of[v];
}

void state_note(const struct state *s, const char *fmt, ...)
{
	if (!s->job->progress) {
		return;
	}
	struct sbuf b = {0};
	va_list ap;
	va_start(ap, fmt);
	sbuf_vaddf(&b, fmt, ap);
	va_end(ap);
	s->job->progress(s->job->user, sbuf_cstr(&b));
	sbuf_release(&b);
}

void reading_release(struct reading *r)
{
	for (size_t i = 0; r->parse && i < r->views; i++) {
		parse_release(&r->parse[i]);
	}
	*r = (struct reading){0};
}

static struct reading reading_of(const struct state *s)
{
	return (struct reading){.parse = s->parse,
		.views = s->views,
		.seen = s->seen,
		.site = s->site,
		.sites = s->sites,
		.host_unseen = s->opts.host_unseen};
}

static void show(struct state *s, const struct reading *r)
{
	s->parse = r->parse;
	s->views = r->views;
	s->seen = r->seen;
	s->site = r->site;
	s->sites = r->sites;
	s->opts.host_unseen = r->host_unseen;
	s->sites = state_drop_free(s, s->site, s->sites);
	s->opts.view = s->parse;
	s->opts.views = s->views;
}

void state_release_parses(struct state *s)
{
	struct reading r = reading_of(s);
	reading_release(&r);
	s->parse = NULL;
	s->views = 0;
}

void state_take_back(struct state *s, struct reading *old)
{
	state_release_parses(s);
	show(s, old);
	*old = (struct reading){0};
}

void state_stamp(struct state *s, struct str stamps)
{
	s->unstamped |= stamps.n == 0;
	sbuf_addstr(&s->stamps, stamps);
}

/* Takes the names of the rewritten header from a parse, and checks whether it may be rewritten. */
static void look_at_header(struct state *s, const struct frontend_header *h)
{
	struct words names = {{0}};
	words_add_new(&names, s->names);
	words_add_new(&names, h->name);
	s->names = words_finish(&names, s->a);
	if (h->entered > 1 && !s->untouchable) {
		s->untouchable = arena_printf(s->a,
			"it is read %u times in one unit, as its guard does not hold all of it, "
			"and an edit has to be right each time",
			h->entered);
	}
}

const char *const *choose_flags(const struct choose_job *job, size_t k)
{
	return job->unit ? job->unit[k]->flags : job->view_flags ? job->view_flags[k] : job->flags;
}

bool state_as_before(const struct state *s, size_t k)
{
	const struct choose_job *job = s->job;
	return k > 0 && (!job->unit || job->unit[k] == job->unit[k - 1]) &&
	       choose_flags(job, k) == choose_flags(job, k - 1);
}

/* Parses the unit of target k. */
static int parse_unit(struct kt_unit **out, struct state *s, size_t k, struct frontend_job *fj)
{
	const struct choose_job *job = s->job;
	struct frontend_header header = {.path = job->path};
	if (!job->unit) {
		return frontend_parse(out, s->a, fj, NULL);
	}
	const struct choose_unit *unit = job->unit[k];
	struct stand_in *in = ARENA_ARRAY(s->a, struct stand_in, job->in_places + 1);
	fj->in_place = state_in_place(s, in, fj->text, &fj->in_places);
	fj->path = unit->path;
	fj->flags = unit->flags;
	fj->text = unit->text;
	fj->header = &header;
	int rc = frontend_parse(out, s->a, fj, NULL);
	if (rc == 0) {
		look_at_header(s, &header);
	}
	return rc;
}

const struct stand_in *state_in_place(
	const struct state *s, struct stand_in *out, struct str text, size_t *n)
{
	const struct choose_job *job = s->job;
	*n = 0;
	for (; *n < job->in_places; ++*n) {
		out[*n] = job->in_place[*n];
	}
	if (job->unit && !str_eq(text, job->source)) {
		out[(*n)++] = (struct stand_in){.name = s->names, .text = text};
	}
	return out;
}

int state_same_bits(const struct state *s, struct str text, const char **why)
{
	const struct choose_job *job = s->job;
	struct choose_text whole = {.text = job->unit ? job->unit[0]->text : text};
	struct stand_in *in = ARENA_ARRAY(s->a, struct stand_in, job->in_places + 1);
	whole.in_place = state_in_place(s, in, text, &whole.in_places);
	return job->same_bits(job->bits, &whole, why);
}

static struct frontend_job frontend_job_of(
	const struct state *s, size_t k, struct str text, bool quiet)
{
	const struct choose_job *job = s->job;
	return (struct frontend_job){.path = job->path,
		.target = job->target[k]->name,
		.relatives = job->target[k]->relatives,
		.wave_size = job->target[k]->wave_size,
		.flags = choose_flags(job, k),
		.text = text,
		.quiet = quiet,
		.skips = true,
		.made = !str_eq(text, job->source),
		.no_cache = job->no_cache,
		.sparing = job->lazy,
		.intrinsics = job->intrinsics};
}

/* Is it a header beside the source that is meant for NVIDIA? Asked once for each. */
static bool is_for_nvidia(const struct state *s, const char *path)
{
	struct sbuf text = {0};
	bool beside = !map_has(&s->others.files, str_of(path)) &&
		      strcmp(path_real_dir(s->a, path), path_real_dir(s->a, s->job->path)) == 0;
	bool is = beside && file_exists(path) && file_read(&text, path) == 0 &&
		  strategy_is_for_nvidia(sbuf_str(&text));
	sbuf_release(&text);
	return is;
}

static void collect_names(struct state *s)
{
	const struct choose_job *job = s->job;
	for (size_t i = 0; i < s->views; i++) {
		const struct kt_unit *u = s->parse[i].unit;
		for (kt_id file = 1; file < u->files; file++) {
			const struct kt_file *f = &u->file[file];
			if (!f->main) {
				other_names_add_text(&s->others, f->path, f->text);
			}
		}
		for (const char *const *path = u->read; path && *path; path++) {
			s->opts.nvidia |= is_for_nvidia(s, *path);
			other_names_add_file(&s->others, *path);
		}
	}
	for (size_t k = 0; k < job->targets; k++) {
		if (job->unit) {
			other_names_add_text(&s->others, job->unit[k]->path, job->unit[k]->text);
		}
		for (const char *const *f = choose_flags(job, k); f && *f; f++) {
			other_names_add_text(&s->others, *f, str_of(*f));
		}
	}
	for (size_t i = 0; i < job->in_places; i++) {
		other_names_add_text(&s->others, NULL, job->in_place[i].text);
	}
	s->opts.others = &s->others;
}

unsigned state_oldest_clang(const struct state *s)
{
	unsigned oldest = UINT_MAX;
	for (size_t k = 0; k < s->job->targets; k++) {
		unsigned major = s->job->compiler[k].major;
		oldest = major < oldest ? major : oldest;
	}
	return oldest;
}

size_t state_drop_free(struct state *s, struct site *site, size_t n)
{
	unsigned clang = state_oldest_clang(s); /* the output shows newer ones */
	const struct headroom_input in = {.parse = s->parse,
		.target = s->job->target,
		.parses = s->job->targets,
		.settings = s->job->settings,
		.a = s->a,
		.clang = clang < LEDGER_TWO_FORMS_LAST ? clang : LEDGER_TWO_FORMS_LAST};
	return s->job->force || s->guarded ? n : headroom_drop_free(&in, site, n);
}

/* Those that cost something wait for exits_run if one arm is to be isolated, or if no strategy
 * takes them as they are. */
static void leave_to_exits(struct state *s)
{
	struct site *asked = ARENA_ARRAY(s->a, struct site, s->sites);
	size_t n = 0;

	for (size_t i = 0; i < s->sites && !s->guarded && !s->isolated && !s->job->unit; i++) {
		const struct site *x = &s->site[i];
		bool wide = x->chained >= s->opts.threshold;
		if (x->instance[0].merge->isolates ||
			(wide && site_asks_for_else(x, s->job->force, &s->opts))) {
			asked[n++] = *x;
		}
	}
	n = n ? state_drop_free(s, asked, n) : 0;
	for (size_t i = 0, k = 0; i < s->sites && k < n; i++) {
		bool asks = s->site[i].begin == asked[k].begin &&
			    strcmp(s->site[i].path, asked[k].path) == 0;
		s->site[i].waits = asks && state_is_pending(s, &s->site[i]);
		k += asks;
	}
}

static void find_sites(struct state *s)
{
	collect_names(s);
	sites_find(&s->site, &s->sites, s->a, s->parse, s->views,
		s->guarded ? SITES_GUARDED : SITES_MERGES);
	s->opts.view = s->parse;
	s->opts.views = s->views;
	leave_to_exits(s);
}

void state_look_at_guarded(struct state *s, bool guarded)
{
	s->guarded = guarded;
	find_sites(s);
}

bool state_has_host_pass(const struct state *s, size_t k)
{
	static const char *const without[] = {
		"--genco", "--cuda-device-only", "--offload-device-only", NULL};
	const char *const *flags = choose_flags(s->job, k);
	while (flags && *flags && !str_is_any(str_of(*flags), without)) {
		flags++;
	}
	return !flags || !*flags;
}

int state_see_host(struct state *s)
{
	const struct choose_job *job = s->job;
	s->opts.host_unseen = false;
	for (size_t k = 0; k < job->targets; k++) {
		bool again = state_as_before(s, k);
		struct frontend_job fj = frontend_job_of(s, k, s->seen, true);
		struct parse *p = &s->parse[s->views];
		fj.host = true;
		if (again || !state_has_host_pass(s, k)) {
			continue;
		}
		s->parses++;
		int rc = parse_unit(&p->unit, s, k, &fj);
		if (rc < 0) {
			s->opts.host_unseen = true;
			continue;
		}
		parse_look_into(p, p->unit, s->a, job->intrinsics);
		s->views++;
	}
	find_sites(s);
	return 0;
}

static bool hosts_need_a_look(const struct state *s)
{
	for (size_t i = 0; i < s->sites; i++) {
		const struct site_instance *in = &s->site[i].instance[0];
		if (state_is_pending(s, &s->site[i]) &&
			fn_may_be_hosts(in->parse->unit, in->merge->fn)) {
			return true;
		}
	}
	return false;
}

int state_parse_beside(struct state *s, struct str text, bool quiet, struct reading *old)
{
	const struct choose_job *job = s->job;
	/* with a host pass for each */
	struct parse *parses = ARENA_ARRAY(s->a, struct parse, 2 * job->targets);
	for (size_t i = 0; i < job->targets; i++) {
		struct str stamps = {0}; /* a rewritten text has the same includes as the source */
		struct frontend_job fj = frontend_job_of(s, i, text, quiet);
		fj.stamps = s->parse ? NULL : &stamps;
		s->parses++;
		int rc = parse_unit(&parses[i].unit, s, i, &fj);
		if (rc < 0) {
			for (size_t k = 0; k < i; k++) {
				parse_release(&parses[k]);
			}
			return rc;
		}
		if (!s->parse) {
			state_stamp(s, stamps);
		}
		parse_look_into(&parses[i], parses[i].unit, s->a, job->intrinsics);
	}
	*old = reading_of(s);
	s->parse = parses;
	s->views = job->targets;
	s->seen = text;
	find_sites(s);
	return hosts_need_a_look(s) ? state_see_host(s) : 0;
}

int state_parse(struct state *s, struct str text, bool quiet)
{
	struct reading old = {0};
	int rc = state_parse_beside(s, text, quiet, &old);
	reading_release(&old);
	return rc;
}

const char *const *state_flags_with(struct state *s, const char *const *more)
{
	return words_joined(s->a, s->job->flags, more);
}

bool state_is_main(const struct site *site)
{
	const struct site_instance *in = &site->instance[0];
	return in->parse->unit->file[in->merge->node->file].main;
}

bool state_is_chained(const struct state *s, const struct site *site)
{
	return site->chained >= s->opts.threshold && state_is_pending(s, site);
}

bool state_is_alike(const struct state *s, const struct site *site)
{
	return site->alike >= s->opts.threshold;
}

bool state_is_pending(const struct state *s, const struct site *site)
{
	const struct site_instance *in = &site->instance[0];
	bool wide =
		s->guarded || site->chained >= s->opts.threshold || state_is_alike(s, site) ||
		(s->job->unchained && site->crossing >= (unsigned)s->job->settings->min_wide_vgprs);
	if (!state_is_main(site) || !wide || site->waits ||
		merge_is_laundered(in->parse->unit, in->merge)) {
		return false;
	}
	for (size_t i = 0; i < s->done.n; i++) {
		if (s->done.v[i] == site->begin) {
			return false;
		}
	}
	return true;
}

/* Offset before the edits of an offset after them. */
static size_t unmap(const struct edit_list *l, size_t offset)
{
	size_t shift_out = 0; /* bytes of replacements so far */
	size_t shift_in = 0;  /* bytes they replaced */
	array_each (&l->edits, const struct edit, e) {
		size_t at = e->begin - shift_in + shift_out;
		if (offset < at) {
			break;
		}
		if (offset < at + e->text.n) {
			return e->begin;
		}
		shift_out += e->text.n;
		shift_in += e->end - e->begin;
	}
	return offset - shift_out + shift_in;
}

size_t state_original_offset(const struct state *s, size_t offset)
{
	for (size_t i = s->applied.n; i-- > 0;) {
		offset = unmap(s->applied.v[i], offset);
	}
	return offset < s->job->source.n ? offset : s->job->source.n;
}

struct line_col state_original_place(const struct state *s, size_t offset)
{
	return line_marks_at(s->lines, state_original_offset(s, offset));
}

bool state_finish_edits(struct state *s, struct edit_list *l, unsigned needs)
{
	size_t clash[2];
	strategy_prelude(l, s->a, s->text, needs, s->opts.comments);
	return edit_list_check(l, s->text.n, clash);
}

struct str state_edited(const struct state *s, const struct edit_list *l)
{
	struct sbuf b = {0};
	edit_list_apply(&b, s->text, l);
	return sbuf_finish(&b, s->a);
}

void state_accept(struct state *s, struct str text, struct edit_list *l)
{
	for (size_t i = 0; i < s->done.n; i++) {
		s->done.v[i] = edit_list_map_offset(l, s->done.v[i]);
	}
	array_push(&s->applied, l);
	s->text = text;
}

/* Adds it once, even if several merges call it. */
static void add_successor(struct state *s, const struct successor *c)
{
	array_each (&s->splits, const struct split_function, f) {
		if (f->successor && strcmp(f->successor, c->is) == 0) {
			return;
		}
	}
	array_push(&s->splits, ((struct split_function){.name = c->was,
				       .successor = c->is,
				       .takes = c->takes,
				       .of_class = c->of_class}));
}

void state_keep(struct state *s, const struct trial *t)
{
	const struct candidate *c = t->pick == SIZE_MAX ? NULL : &t->candidate[t->pick];
	for (size_t i = 0; c && c->split && i < s->splits.n; i++) {
		struct split_function *f = &s->splits.v[i];
		if (strcmp(c->split, f->name) == 0) {
			f->wrapper = wrapper_join(s->a, f->wrapper, c->wrapper);
			return;
		}
	}
	if (c && c->split) {
		array_push(&s->splits,
			((struct split_function){.name = c->split, .wrapper = c->wrapper}));
	}
	for (size_t i = 0; c && i < c->successors; i++) {
		add_successor(s, &c->successor[i]);
	}
}

void state_kernels(struct map *out, const struct state *s)
{
	for (size_t k = 0; k < s->job->targets; k++) {
		const struct kt_unit *u = s->parse[k].unit;
		for (kt_id i = 1; i < u->fns; i++) {
			const struct kt_fn *fn = &u->fn[i];
			bool kernel = fn->kind == KT_FN_KERNEL && fn->symbol;
			if (kernel && (fn->body || !map_has(out, str_of(fn->symbol)))) {
				map_set(out, str_of(fn->symbol), (uintptr_t)fn);
			}
		}
	}
}

const char *state_kernel_names(const struct state *s, const struct trial *t)
{
	struct sbuf b = {0};
	struct map all = {0};
	size_t shown = 0;
	state_kernels(&all, s);
	for (size_t i = 0; i < all.n; i++) {
		const struct kt_fn *fn = (const struct kt_fn *)all.entry[i].value;
		if (map_has(&t->kernels, all.entry[i].key) && shown++ < 4) {
			sbuf_addf(&b, "%s%s", b.n ? ", " : "", fn->name);
		}
	}
	map_release(&all);
	if (shown > 4) {
		sbuf_addf(&b, " and %zu more", shown - 4);
	}
	return sbuf_finish(&b, s->a).p;
}

void state_decide(struct state *s, struct trial *t, size_t original, const char *kernels)
{
	const struct site_instance *widest = site_widest(t->site);
	struct decision d = {.at = line_marks_at(s->lines, original),
		.in_original = true,
		.function = widest->parse->unit->fn[widest->merge->fn].name,
		.chained = t->site->chained,
		.crossing = t->site->crossing,
		.alike = t->site->alike,
		.kernels = kernels,
		.attempt = array_to_arena(s->a, &t->attempts),
		.attempts = t->attempts.n,
		.rewritten = t->pick != SIZE_MAX,
		.explanation = t->explanation,
		.why_kept = t->why_kept,
		.costs_nothing = t->costs_nothing};
	array_push(&s->decisions, d);
}

const char *state_suppressed(const struct state *s, enum decision_kind kind, size_t offset)
{
	const struct choose_job *job = s->job;
	unsigned line = state_original_place(s, offset).line;
	return job->suppressed ? job->suppressed(job, s->a, kind, line) : NULL;
}

bool kernel_is_wanted(const regex_t *wanted, const char *name, const char *symbol)
{
	return !wanted || (name && regexec(wanted, name, 0, NULL, 0) == 0) ||
	       (symbol && regexec(wanted, symbol, 0, NULL, 0) == 0);
}

bool state_wants(const struct state *s, const struct map *kernels)
{
	bool any = !s->job->kernels;
	for (size_t t = 0; t < s->job->targets && !any; t++) {
		const struct kt_unit *u = s->parse[t].unit;
		for (kt_id i = 1; i < u->fns && !any; i++) {
			const struct kt_fn *fn = &u->fn[i];
			any = fn->kind == KT_FN_KERNEL && fn->symbol &&
			      map_has(kernels, str_of(fn->symbol)) &&
			      kernel_is_wanted(s->job->kernels, fn->name, fn->symbol);
		}
	}
	return any;
}

static bool contraction_off(const char *const *flags)
{
	bool off = false;
	for (size_t i = 0; flags && flags[i]; i++) {
		if (str_starts(str_of(flags[i]), "-ffp-contract=")) {
			off = strcmp(flags[i], "-ffp-contract=off") == 0;
		}
	}
	return off;
}

void state_set_limits(struct state *s)
{
	const struct choose_job *job = s->job;
	struct strategy_opts *out = &s->opts;
	out->contract_off = contraction_off(job->flags);
	out->recontract = job->allow_recontraction;
	out->wraps = flags_wrap(job->flags);
	out->threshold = job->settings->min_chained_vgprs;
	for (size_t k = 0; k < job->targets; k++) {
		out->contract_off &= contraction_off(choose_flags(job, k));
		out->wraps |= flags_wrap(choose_flags(job, k));
	}
}
