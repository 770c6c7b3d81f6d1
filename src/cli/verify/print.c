/* Results of verify, as text and as JSON. */
#include <string.h>

#include "cli/verify/verifying.h"
#include "edit/edit.h"
#include "report/form/json.h"

size_t verifying_rows(const struct verifying *v)
{
	return v->opts->on == ON_BOTH ? v->sources : v->sources > 1 ? v->sources - 1 : 1;
}

static size_t row_source(const struct verifying *v, size_t row)
{
	return v->opts->on == ON_BOTH || v->sources == 1 ? row : row + 1;
}

static const char *outcome_word(enum verify_outcome o)
{
	static const char *const word[] = {
		[VERIFY_EQUAL] = "equal",
		[VERIFY_UNEQUAL] = "unequal",
		[VERIFY_BROKEN] = "broken",
		[VERIFY_UNKNOWN] = "unknown",
	};
	return word[o];
}

static const char *row_name(const struct verifying *v, size_t row)
{
	const char *first = v->shown ? v->shown : v->source[0].path;
	if (v->sources < 2) {
		return first;
	}
	size_t source = row_source(v, row);
	const char *path = v->made || source == 0 ? first : v->source[source].path;
	return v->made && source > 0 ? arena_printf(v->arena, "%s (rewritten)", path) : path;
}

/* The driver's name of the GPU that a case ran on, or NULL. */
static const char *gpu_name(const struct verifying *v)
{
	for (size_t i = 0; i < verifying_rows(v) * v->spec.n; i++) {
		if (v->result[i].gpu) {
			return v->result[i].gpu;
		}
	}
	return NULL;
}

void verifying_diff(struct sbuf *out, const struct verifying *v)
{
	const char *first = v->shown ? v->shown : v->source[0].path;
	for (size_t i = 1; i < v->sources; i++) {
		const char *path = v->made ? first : v->source[i].path;
		if (!verify_is_code(&v->source[i])) {
			diff_unified(out, v->source[0].text, v->source[i].text,
				arena_printf(v->arena, "a/%s", first),
				arena_printf(v->arena, "b/%s", path));
		}
	}
}

/* ---- text ---- */

/* Adds every line of a message, indented. */
static void add_said(struct sbuf *out, const char *said)
{
	struct str rest = str_of(said);
	struct str line;
	while (str_line(&rest, &line)) {
		sbuf_addf_visible(out, "    %.*s\n", STR_ARG(line));
	}
}

static bool same_writer(const struct verify_writer *x, const struct verify_writer *y)
{
	return x->known == y->known && x->wave == y->wave && x->lane == y->lane &&
	       memcmp(x->block, y->block, sizeof(x->block)) == 0 &&
	       memcmp(x->thread, y->thread, sizeof(x->thread)) == 0;
}

static void add_writer(struct sbuf *out, const struct verify_writer *w)
{
	if (!w->known) {
		sbuf_adds(out, "written by no lane");
		return;
	}
	sbuf_addf(out, "by block (%u,%u,%u) thread (%u,%u,%u), wave %u lane %u", w->block[0],
		w->block[1], w->block[2], w->thread[0], w->thread[1], w->thread[2], w->wave,
		w->lane);
}

static void add_difference(struct sbuf *out, const struct verify_difference *d)
{
	const struct verify_writer *x = &d->wrote_before;
	const struct verify_writer *y = &d->wrote_after;
	sbuf_addf_visible(out, "    %s[%zu]: %s before, %s after", d->buffer->name, d->index,
		d->before, d->after);
	if (same_writer(x, y)) {
		if (x->known) {
			sbuf_adds(out, ", ");
			add_writer(out, x);
		}
	} else {
		sbuf_adds(out, "; before ");
		add_writer(out, x);
		sbuf_adds(out, "; after ");
		add_writer(out, y);
	}
	sbuf_addc(out, '\n');
}

static void add_differences(struct sbuf *out, const struct verify_result *r)
{
	for (size_t i = 0; i < r->differences; i++) {
		add_difference(out, &r->difference[i]);
	}
	if (r->differing > r->differences) {
		sbuf_addf(out, "    and %zu more\n", r->differing - r->differences);
	}
}

/* "1.25 -> 1.2 ms, -4.0 %" */
static void add_times(struct sbuf *out, const struct verify_result *r)
{
	double before = r->times_before.median;
	double after = r->times_after.median;
	sbuf_addf(out, "%.4g -> %.4g ms", before, after);
	if (before > 0) {
		sbuf_addf(out, ", %+.1f %%", (after / before - 1) * 100);
	}
}

static void add_result(struct sbuf *out, const struct verifying *v, const struct verify_result *r)
{
	bool timed = r->times_before.runs && r->times_after.runs;
	sbuf_addf_visible(out, "  %-8s %s", outcome_word(r->outcome), r->of->name);
	switch (r->outcome) {
	case VERIFY_EQUAL:
		sbuf_addf(out, " (%zu values", r->compared);
		if (timed) {
			sbuf_adds(out, ", ");
			add_times(out, r);
		} else if (!v->of_project) {
			sbuf_addf(out, ", %.1f s", r->seconds_after);
		}
		sbuf_adds(out, ")\n");
		break;
	case VERIFY_UNEQUAL:
		sbuf_addf(out, ": %zu of %zu values differ", r->differing, r->compared);
		if (timed) {
			sbuf_adds(out, " (");
			add_times(out, r);
			sbuf_addc(out, ')');
		}
		sbuf_addc(out, '\n');
		add_differences(out, r);
		break;
	case VERIFY_BROKEN:
		sbuf_adds(out, ": the original runs, this does not:\n");
		add_said(out, r->said);
		break;
	case VERIFY_UNKNOWN:
		sbuf_addf_visible(out, ": %s:\n",
			r->ran	     ? "it runs, but cannot be compared"
			: r->machine ? "the machine code is not run"
			: r->after   ? "the original runs, and this cannot be run here"
				     : "the original does not run");
		add_said(out, r->said);
		break;
	}
}

/* The result of a proof for all data. */
static void add_proof(struct sbuf *out, const struct verifying *v, const struct cli_proof *p)
{
	struct str rest = str_of(p->said);
	struct str line;
	bool first = p->verdict >= PROOF_DIFFERENT;
	sbuf_addf(out, "           %s", proof_words[p->verdict]);
	if (!first) {
		sbuf_addf(out, " (%s", cli_proof_scope(v->arena, p));
		if (v->of_project) {
			sbuf_adds(out, ")\n");
		} else {
			sbuf_addf(out, ", %.1f s)\n", p->seconds);
		}
	}
	while (str_line(&rest, &line)) {
		sbuf_addf_visible(out, "%s%.*s\n", first ? ": " : "             ", STR_ARG(line));
		first = false;
	}
}

void verifying_text(struct sbuf *out, const struct verifying *v)
{
	const char *gpu = gpu_name(v);
	for (size_t row = 0; row < verifying_rows(v); row++) {
		size_t equal = 0, proved = 0;
		sbuf_addf_visible(out, "%s%s%s%s:\n", row_name(v, row), gpu ? " on " : "",
			gpu ? gpu : "",
			v->opts->on == ON_BOTH ? ", on the CPU and as machine code" : "");
		for (size_t i = 0; i < v->spec.n; i++) {
			const struct verify_result *r = &v->result[row * v->spec.n + i];
			/* A compile error is the same in all cases. */
			bool again = i > 0 && r->said[0] && strcmp(r->said, r[-1].said) == 0;
			if (again) {
				sbuf_addf_visible(out, "  %-8s %s: the same\n",
					outcome_word(r->outcome), r->of->name);
			} else {
				add_result(out, v, r);
			}
			if (v->proof) {
				const struct cli_proof *p = &v->proof[row * v->spec.n + i];
				add_proof(out, v, p);
				proved += p->verdict <= PROOF_EQUAL_BUT_NANS;
			}
			equal += r->outcome == VERIFY_EQUAL;
		}
		sbuf_addf(out, "  %zu of %zu cases equal", equal, v->spec.n);
		if (v->proof) {
			sbuf_addf(out, ", %zu of them for all data", proved);
		}
		sbuf_addc(out, '\n');
	}
}

/* ---- JSON ---- */

static void json_three(struct json *j, const char *key, const unsigned *v)
{
	jsonw_key_array(j, key);
	for (size_t i = 0; i < 3; i++) {
		jsonw_i64(j, v[i]);
	}
	jsonw_end(j);
}

static void json_writer(struct json *j, const char *key, const struct verify_writer *w)
{
	if (!jsonw_key_object_if(j, key, w->known)) {
		return;
	}
	json_three(j, "block", w->block);
	json_three(j, "thread", w->thread);
	jsonw_key_i64(j, "wave", w->wave);
	jsonw_key_i64(j, "lane", w->lane);
	jsonw_end(j);
}

static void json_times(struct json *j, const char *key, const struct verify_times *t)
{
	if (!jsonw_key_object_if(j, key, t->runs > 0)) {
		return;
	}
	jsonw_key_double(j, "median", t->median);
	jsonw_key_double(j, "least", t->least);
	jsonw_key_double(j, "most", t->most);
	jsonw_key_i64(j, "runs", t->runs);
	jsonw_end(j);
}

static void json_difference(struct json *j, const struct verify_difference *d)
{
	jsonw_object(j);
	jsonw_key_str(j, "buffer", str_of(d->buffer->name));
	jsonw_key_i64(j, "index", (int64_t)d->index);
	jsonw_key_str(j, "before", str_of(d->before));
	jsonw_key_str(j, "after", str_of(d->after));
	json_writer(j, "written_before_by", &d->wrote_before);
	json_writer(j, "written_after_by", &d->wrote_after);
	jsonw_end(j);
}

static void json_proof(struct json *j, const struct cli_proof *p)
{
	if (!jsonw_key_object_if(j, "all_data", p != NULL)) {
		return;
	}
	jsonw_key_str(j, "verdict", str_of(proof_words[p->verdict]));
	jsonw_key_str(j, "said", str_of(p->said));
	jsonw_key_bool(j, "same_code", p->same_code);
	jsonw_key_i64(j, "symbols", (int64_t)p->symbols);
	jsonw_key_str(j, "integers_of_spec", str_of(p->given));
	jsonw_key_i64(j, "conditions", (int64_t)p->conditions);
	jsonw_key_i64(j, "atomics", (int64_t)p->atomics);
	jsonw_key_i64(j, "words", (int64_t)p->words);
	if (p->verdict == PROOF_EQUAL_AS_REALS) {
		jsonw_key_i64(j, "choices", (int64_t)p->choices);
		jsonw_key_double(j, "odds", p->odds);
		jsonw_key_bool(j, "exponentials", p->exponentials);
	}
	jsonw_end(j);
}

static void json_result(
	struct json *j, const struct verifying *v, const char *file, const struct verify_result *r)
{
	jsonw_object(j);
	jsonw_key_str(j, "file", str_of(file));
	jsonw_key_str(j, "case", str_of(r->of->name));
	jsonw_key_str(j, "target", str_of(r->of->target->name));
	jsonw_key_str(j, "outcome", str_of(outcome_word(r->outcome)));
	jsonw_key_str(j, "said", str_of(r->said));
	jsonw_key_i64(j, "values", (int64_t)r->compared);
	jsonw_key_i64(j, "differing", (int64_t)r->differing);
	jsonw_key_array(j, "differences");
	for (size_t i = 0; i < r->differences; i++) {
		json_difference(j, &r->difference[i]);
	}
	jsonw_end(j);
	if (!v->of_project) {
		jsonw_key_double(j, "seconds_before", r->seconds_before);
		jsonw_key_double(j, "seconds_after", r->seconds_after);
	}
	if (v->proof) {
		json_proof(j, &v->proof[r - v->result]);
	}
	json_times(j, "milliseconds_before", &r->times_before);
	json_times(j, "milliseconds_after", &r->times_after);
	jsonw_end(j);
}

void verifying_json(struct sbuf *out, const struct verifying *v)
{
	struct json j = jsonw_begin(out);
	jsonw_key_str(&j, "spec", str_of(v->spec.path));
	jsonw_key_str(&j, "original", str_of(v->shown ? v->shown : v->source[0].path));
	jsonw_key_str(&j, "compiler", str_of(verify_compiler(v->verify)));
	jsonw_key_text(&j, "gpu", gpu_name(v));
	jsonw_key_array(&j, "results");
	for (size_t i = 0; i < verifying_rows(v) * v->spec.n; i++) {
		json_result(&j, v, row_name(v, i / v->spec.n), &v->result[i]);
	}
	jsonw_end(&j);
	jsonw_key_array(&j, "never_ran");
	for (size_t i = 0; i < v->unruns; i++) {
		jsonw_object(&j);
		jsonw_key_str(&j, "file", str_of(v->unrun[i].file));
		jsonw_key_i64(&j, "line", v->unrun[i].line);
		jsonw_key_i64(&j, "arm", v->unrun[i].arm);
		jsonw_end(&j);
	}
	jsonw_finish(&j);
}
