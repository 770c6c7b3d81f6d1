/* The probe: finds kernels that gain by the flag that removes the copies at uniform merges, and the
 * places of these copies in the compiler's IR. */
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "choose/advise/causing.h"
#include "frontend/text/lex.h"
#include "measure/ir/merge.h"

enum {
	MERGES_SHOWN = 3
};

/* Fewer spills, less scratch, more waves, or enough fewer VGPRs. */
static bool gains(
	const struct causing *q, const struct kernel_metrics *x, const struct kernel_metrics *y)
{
	static const enum metric fewer[] = {METRIC_VGPR_SPILL, METRIC_SCRATCH};
	if (!x->trusted || !y->trusted) {
		return false;
	}
	for (size_t i = 0; i < sizeof(fewer) / sizeof(fewer[0]); i++) {
		if (x->v[fewer[i]] != y->v[fewer[i]]) {
			return y->v[fewer[i]] < x->v[fewer[i]];
		}
	}
	if (x->v[METRIC_RESIDENT_WAVES] != y->v[METRIC_RESIDENT_WAVES]) {
		return y->v[METRIC_RESIDENT_WAVES] > x->v[METRIC_RESIDENT_WAVES];
	}
	return x->v[METRIC_VGPR] - y->v[METRIC_VGPR] >= q->s.job->settings->min_gain_vgprs;
}

/* Is it the name of the compiled copy of the main file? */
static bool is_copy(const struct causing *q, struct str name)
{
	return q->s.dir && str_holds(name, path_base(str_of(q->s.dir)));
}

/* The unit's file with this name in the compiler's output, or 0. */
static kt_id file_of(const struct causing *q, const struct kt_unit *u, const char *name)
{
	for (kt_id i = 1; name && i < u->files; i++) {
		if (u->file[i].main ? is_copy(q, str_of(name))
				    : strcmp(u->file[i].path, name) == 0) {
			return i;
		}
	}
	return 0;
}

/* "a.hip:3, b.h:7", with the user's name of the file. */
static const char *chain_of(struct causing *q, const char *inlined)
{
	struct sbuf b = {0};
	struct str rest = str_of(inlined), piece;
	while (*inlined && str_split(&rest, ',', &piece)) {
		piece = str_trim(piece);
		size_t line = piece.n;
		while (line > 0 && piece.p[line - 1] != ':') {
			line--;
		}
		struct str file = is_copy(q, piece) ? str_of(q->s.job->path)
						    : str_sub(piece, 0, line ? line - 1 : 0);
		sbuf_addf(&b, "%s%.*s:%.*s", b.n ? ", " : "; inlined at ", STR_ARG(file),
			STR_ARG(str_sub(piece, line, piece.n)));
	}
	return sbuf_finish(&b, q->s.a).p;
}

static size_t offset_of(struct str text, unsigned line, unsigned column)
{
	size_t at = 0;
	for (unsigned i = 1; i < line && at != SIZE_MAX; i++) {
		at = str_find(text, "\n", at);
		at = at == SIZE_MAX ? at : at + 1;
	}
	size_t col = column > 0 ? column - 1 : 0;
	return at == SIZE_MAX || at + col > text.n ? text.n : at + col;
}

/* The merge of the source on this line, in words. */
static const char *known_there(
	struct causing *q, const struct subject *s, kt_id file, unsigned line)
{
	const struct kt_file *f = &s->u->file[file];
	span_each (q->s.site, q->s.sites, const struct site, x) {
		const struct site_instance *in = &x->instance[0];
		if (strcmp(x->path, f->path) == 0 && in->merge->carriers > 0 &&
			kt_line(in->parse->unit, in->merge->node->file, x->begin) == line) {
			return arena_printf(q->s.a,
				"; the source has %u VGPRs that cross it, of '%s' first",
				x->crossing,
				facts_loc_name(
					in->parse->facts, q->s.a, in->merge->carrier[0].loc));
		}
	}
	size_t at = lex_skip_space(f->text, offset_of(f->text, line, 1));
	struct lex_token first = lex_next(f->text, at);
	if (lex_is(f->text, first, "for") || lex_is(f->text, first, "while")) {
		return "; that is whether a loop runs at all";
	}
	return "; the source has no variable that two of its arms write";
}

static void add_merges(struct causing *q, const struct subject *s, struct cause *c, struct str ir)
{
	struct ir_merge *m;
	size_t n;
	ir_merges(&m, &n, q->s.a, ir, s->k->symbol);
	c->note = ARENA_ARRAY(q->s.a, struct cause_note, MERGES_SHOWN);
	for (size_t i = 0; i < n && c->notes < MERGES_SHOWN; i++) {
		kt_id file = file_of(q, s->u, m[i].file);
		struct cause_note *note = &c->note[c->notes];
		if (!m[i].file || (file && s->u->file[file].system)) {
			continue;
		}
		note->text = arena_printf(q->s.a,
			"values of %u VGPRs per lane meet after the branch in line %u%s%s%s%s",
			m[i].vgprs, m[i].line, file ? "" : " of ", file ? "" : m[i].file,
			file ? known_there(q, s, file, m[i].line) : "", chain_of(q, m[i].inlined));
		if (file) {
			note->path = s->u->file[file].path;
			note->source = s->u->file[file].text;
			note->at = offset_of(note->source, m[i].line, m[i].column);
		}
		c->notes++;
	}
}

/* The IR of the current text with line numbers, one for each target. */
static const struct measure_result *compile_ir(struct causing *q)
{
	static const char *const lines[] = {"-gline-tables-only", NULL};
	struct compile_as as = {
		state_flags_with(&q->s, lines), .quiet = true, .want_ir = true, .keep_ir = true};
	return state_compile_as(&q->s, &q->s.text, 1, &as);
}

int cause_probe(struct causing *q)
{
	struct compile_as as = {state_flags_with(&q->s, flags_skipping), .quiet = true};
	const struct measure_result *r = state_compile_as(&q->s, &q->s.text, 1, &as);
	const struct measure_result *ir = NULL;
	if (!r) {
		return FAIL_USAGE;
	}
	for (size_t t = 0; t < q->s.job->targets; t++) {
		const struct measurement *m = &q->now[t].m;
		for (size_t i = 0; r[t].status == MEASURE_OK && i < m->kernels; i++) {
			const struct kernel_metrics *y =
				measurement_kernel(&r[t].m, m->kernel[i].symbol);
			struct subject s;
			if (!y || !gains(q, &m->kernel[i], y) ||
				!cause_subject(&s, q, t, &m->kernel[i])) {
				continue;
			}
			ir = ir ? ir : compile_ir(q);
			struct cause *c = cause_add(q, &s, CAUSE_PROBE);
			c->weight = (unsigned)s.k->v[METRIC_VGPR];
			c->text = arena_printf(q->s.a,
				"'%s' has a uniform merge that costs registers: with %s %s it has "
				"%s (%s)",
				s.k->name, flags_skipping[0], flags_skipping[1],
				cause_change(q, s.k, y), q->s.job->target[t]->name);
			if (ir && ir[t].status == MEASURE_OK) {
				add_merges(q, &s, c, ir[t].ir);
			}
		}
	}
	return 0;
}
