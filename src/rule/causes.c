/*
 * unphi-arm-instances, unphi-guarded-operand, unphi-launch-bounds, unphi-register-floor,
 * unphi-register-form, unphi-scalar-access, unphi-uniform-merge and unphi-wave-condition: measured
 * causes of a kernel's cost (choose/advise/causes.h). They are notes; errors if a launch cannot
 * work, and warnings if an edit gives more waves.
 */
#include <string.h>

#include "rule/rule.h"
#include "rule/subject.h"

static const char *rule_of(enum cause_kind kind)
{
	switch (kind) {
	case CAUSE_BOUNDS:
		return "unphi-launch-bounds";
	case CAUSE_FLOOR:
		return "unphi-register-floor";
	case CAUSE_PROBE:
		return "unphi-uniform-merge";
	case CAUSE_ACCESS:
		return "unphi-scalar-access";
	case CAUSE_FORM:
		return "unphi-register-form";
	case CAUSE_WAVE:
		return "unphi-wave-condition";
	case CAUSE_GUARDED:
		return "unphi-guarded-operand";
	case CAUSE_ARMS:
		return "unphi-arm-instances";
	case CAUSE_END:
		break;
	}
	return NULL;
}

unsigned rule_causes_wanted(const char *checks)
{
	unsigned wanted = 0;
	for (unsigned kind = CAUSE_BOUNDS; kind < CAUSE_END; kind <<= 1) {
		if (rule_enabled(checks, rule_of((enum cause_kind)kind))) {
			wanted |= kind;
		}
	}
	return wanted;
}

/* Do both describe kernels at one place? Only the worst kernel there has a finding
 * (diag_sort_unique), which names the others. */
static bool is_beside(const struct cause *x, const struct cause *of)
{
	return x != of && x->kind == of->kind && x->at == of->at && x->weight > 0 &&
	       strcmp(x->path, of->path) == 0 && strcmp(x->text, of->text) != 0;
}

static void name_others(
	struct diag *d, struct arena *a, const struct cause *c, const struct cause *cause, size_t n)
{
	enum {
		OTHERS_SHOWN = 7
	};
	size_t others = 0;
	for (size_t i = 0; i < n; i++) {
		others += is_beside(&cause[i], c);
	}
	if (others == 0 || c->weight == 0) {
		return;
	}
	struct diag_note *note = ARENA_ARRAY(a, struct diag_note, d->notes + OTHERS_SHOWN + 1);
	memcpy(note, d->note, d->notes * sizeof(*note));
	d->note = note;
	for (size_t i = 0, shown = 0; i < n; i++) {
		if (is_beside(&cause[i], c) && shown++ < OTHERS_SHOWN) {
			note[d->notes++].text = str_of(cause[i].text);
		}
	}
	if (others > OTHERS_SHOWN) {
		struct sbuf b = {0};
		sbuf_addf(&b, "the same holds for %zu more", others - OTHERS_SHOWN);
		note[d->notes++].text = str_of(arena_strndup(a, sbuf_cstr(&b), b.n));
		sbuf_release(&b);
	}
}

void rule_causes(struct diag_list *out, struct arena *a, const struct cause *cause, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct cause *c = &cause[i];
		struct diag d = {.level = c->fails   ? DIAG_ERROR
					  : c->gains ? DIAG_WARNING
						     : DIAG_NOTE,
			.rule = rule_of(c->kind),
			.next = "explain"};
		d.place = (struct diag_place){c->path, c->source, c->at, c->end, NULL};
		d.weight = c->weight;
		d.function = subject_function(a, c->function);
		d.code = str_hash(str_of(d.function), 0);
		d.text = str_of(c->text);
		d.note = ARENA_ARRAY(a, struct diag_note, c->notes);
		for (size_t k = 0; k < c->notes; k++) {
			const struct cause_note *note = &c->note[k];
			d.note[d.notes++] = (struct diag_note){
				.place = {note->path, note->source, note->at, note->at, NULL},
				.text = str_of(note->text)};
		}
		name_others(&d, a, c, cause, n);
		if (c->insert) {
			d.edit = ARENA_NEW(a, struct diag_edit);
			d.edit[d.edits++] = (struct diag_edit){
				{c->path, c->source, c->at, c->at, NULL}, str_of(c->insert)};
		}
		if (c->edits) {
			d.edit = ARENA_ARRAY(a, struct diag_edit, c->edits);
		}
		for (size_t k = 0; k < c->edits; k++) {
			const struct edit *e = &c->edit[k];
			d.edit[d.edits++] = (struct diag_edit){
				{c->path, c->source, e->begin, e->end, NULL}, e->text};
		}
		array_push(&out->v, d);
	}
}
