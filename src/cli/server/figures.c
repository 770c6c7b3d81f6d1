/* Register figures of kernels: the ledger's estimate for the text, and the compiler's figures for
 * the saved file. */
#include <string.h>

#include "base/file.h"
#include "cli/server/server.h"

static void estimate(struct server *s, struct document *d);

static void take(struct figures *f, const struct job *j)
{
	json_t *result = job_json(j), *ledgers = json_object_get(result, "ledgers");
	document_forget(f);
	if (json_array_size(ledgers) > 0) {
		f->ledgers = json_incref(ledgers);
	}
	f->text = j->hash;
	f->known = true;
	json_decref(result);
}

static void answer(struct server *s, struct document *d, struct asking q)
{
	send_result(s, q.id, q.answer(s, d, q.params));
	json_decref(q.params);
}

static void estimated(struct server *s, struct job *j)
{
	struct document *d = j->doc;
	if (j->hash != d->hash) {
		estimate(s, d);
		return;
	}
	take(&d->estimate, j);
	array_each (&d->asking, const struct asking, q) {
		answer(s, d, *q);
	}
	d->asking.n = 0;
}

/* Starts the job, unless one runs for the document. It runs again if its result is outdated. */
static void estimate(struct server *s, struct document *d)
{
	array_each (&s->jobs, struct job *const, j) {
		if ((*j)->doc == d && (*j)->kind == JOB_ESTIMATE && !(*j)->ended &&
			!(*j)->cancelled) {
			return;
		}
	}
	job_add(s, JOB_ESTIMATE, d, NULL, estimated);
}

void figures_ask(struct server *s, struct document *d, struct asking q)
{
	bool unit = document_is_unit(d);
	if (!unit) {
		document_forget(&d->estimate);
	}
	if (!unit || (d->estimate.known && d->estimate.text == d->hash)) {
		answer(s, d, q);
	} else {
		array_push(&d->asking, q);
		estimate(s, d);
	}
}

bool figures_are_here(const struct document *d, const json_t *ledger)
{
	const char *in = json_text(ledger, "defined_in");
	return str_eq(path_base(str_of(in)), path_base(str_of(d->path)));
}

const json_t *figures_measured(const struct document *d, const json_t *ledger)
{
	size_t i;
	json_t *l;
	json_array_foreach (d->measured.ledgers, i, l) {
		if (json_is_object(json_object_get(l, "measured")) &&
			strcmp(json_text(l, "symbol"), json_text(ledger, "symbol")) == 0 &&
			strcmp(json_text(l, "target"), json_text(ledger, "target")) == 0) {
			return l;
		}
	}
	return NULL;
}

bool figures_measured_text(struct sbuf *out, const struct document *d, const json_t *ledger)
{
	const json_t *m = json_object_get(figures_measured(d, ledger), "measured");
	const json_t *spills = json_object_get(m, "vgpr_spills");
	long long waves = (long long)json_integer_value(json_object_get(m, "resident_waves"));
	if (!m) {
		return false;
	}
	sbuf_addf(out, "%lld VGPRs, ", (long long)json_integer_value(json_object_get(m, "vgprs")));
	if (json_is_integer(spills)) {
		sbuf_addf(out, "%lld spilled, ", (long long)json_integer_value(spills));
	}
	sbuf_addf(out, "%lld wave%s per SIMD%s%s", waves, waves == 1 ? "" : "s",
		json_is_true(json_object_get(m, "trusted")) ? "" : " (not trusted)",
		d->measured.text == d->hash ? "" : " (before the last change)");
	return true;
}

static bool any_measured(const struct figures *f)
{
	size_t i;
	json_t *l;
	json_array_foreach (f->ledgers, i, l) {
		if (json_is_object(json_object_get(l, "measured"))) {
			return true;
		}
	}
	return false;
}

static void measured(struct server *s, struct job *j)
{
	struct document *d = j->doc;
	struct figures got = {0};
	take(&got, j);
	if (!any_measured(&got)) {
		document_forget(&got);
		send_error(s, j->id, RPC_FAILED, "not measured: %.*s", STR_ARG(job_last_words(j)));
		return;
	}
	document_forget(&d->measured);
	d->measured = got;
	send_result(s, j->id, json_incref(got.ledgers));
	j->id = NULL;
	if (s->can_refresh_lens) {
		send_request(s, "workspace/codeLens/refresh", NULL);
	}
}

void figures_measure(struct server *s, struct document *d, json_t *id, const json_t *params)
{
	struct job *j = job_add(s, JOB_MEASURE, d, id, measured);
	j->title = "unphi: measuring";
	progress_open(s, j, params);
}
