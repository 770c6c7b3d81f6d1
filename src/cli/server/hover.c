/* The ledger's figures of the kernel or the variable under the cursor. */
#include <string.h>

#include "base/file.h"
#include "cli/server/server.h"
#include "frontend/text/lex.h"

enum {
	SHOWN = 8 /* instances of a template, targets */
};

/* The word at a place. */
struct word {
	struct str text;
	size_t begin;
	size_t end;
	json_int_t line; /* from 1 */
};

static bool word_at(
	struct word *w, const struct server *s, const struct document *d, const json_t *params)
{
	struct lsp_position p;
	struct str text = sbuf_str(&d->text.text);
	if (!read_position(&p, json_object_get(params, "position"))) {
		return false;
	}
	size_t at = lsp_offset(&d->text, p, s->units);
	w->begin = w->end = at;
	while (w->begin > 0 && lex_is_word_char(text.p[w->begin - 1])) {
		w->begin--;
	}
	while (w->end < text.n && lex_is_word_char(text.p[w->end])) {
		w->end++;
	}
	w->text = str_sub(text, w->begin, w->end);
	w->line = (json_int_t)lsp_position(&d->text, at, LSP_UTF8).line + 1;
	return w->text.n > 0;
}

static json_int_t number(const json_t *of, const char *key)
{
	return json_integer_value(json_object_get(of, key));
}

static bool holds(const json_t *of, json_int_t line)
{
	return number(of, "first_line") <= line && line <= number(of, "last_line");
}

/* "k" for "ns::k<32>". */
static struct str base_name(const char *kernel)
{
	struct str s = str_of(kernel);
	const char *angle = strchr(kernel, '<');
	s.n = angle ? (size_t)(angle - kernel) : s.n;
	for (size_t at; (at = str_find(s, "::", 0)) != SIZE_MAX;) {
		s = str_sub(s, at + 2, s.n);
	}
	return s;
}

/* The variable of that name in scope at the line. If there are several: one that is live there. */
static const json_t *variable_of(
	const struct document *d, const json_t *ledger, const struct word *w)
{
	const json_t *found = NULL;
	size_t i;
	json_t *v;
	bool inside = figures_are_here(d, ledger) && holds(ledger, w->line);
	json_array_foreach (json_object_get(ledger, "variables"), i, v) {
		bool owned = *json_text(v, "function") != '\0';
		bool here =
			str_eq(path_base(str_of(json_text(v, "file"))), path_base(str_of(d->path)));
		bool named = str_is(w->text, json_text(v, "name")) ||
			     str_is(w->text, json_text(v, "member"));
		if (named && here && (owned || inside) && (!found || holds(v, w->line))) {
			found = v;
		}
	}
	return found;
}

static void add_lines(struct sbuf *out, const json_t *v)
{
	long long first = number(v, "first_line"), last = number(v, "last_line");
	if (first == last) {
		sbuf_addf(out, "live in line %lld", first);
	} else {
		sbuf_addf(out, "live in lines %lld to %lld", first, last);
	}
}

static void add_variable(struct sbuf *out, const json_t *v, const json_t *ledger)
{
	long long width = number(v, "vgprs"), peak = number(v, "at_peak");
	const json_t *at = json_object_get(ledger, "peak");
	const char *member = json_text(v, "member");
	sbuf_addf(out, "**%s%s%s** `%s`: ", json_text(v, "name"), *member ? "." : "", member,
		json_text(v, "type"));
	if (width == 0) {
		sbuf_addf(out, "no VGPRs%s",
			json_is_true(json_object_get(v, "uniform")) ? " (the same in all lanes)"
								    : "");
	} else {
		sbuf_addf(out, "%lld VGPR%s per lane, %s, ", width, width == 1 ? "" : "s",
			json_text(v, "role"));
		add_lines(out, v);
		sbuf_addf(
			out, "; %lld at the peak (line %lld)", peak, (long long)number(at, "line"));
	}
	sbuf_adds(out,
		number(v, "copies") > 1 && peak > width ? ", with a second copy at a merge" : "");
	sbuf_adds(out, json_is_true(json_object_get(v, "loop_carried"))
			       ? ", carried from one iteration to the next"
			       : "");
	sbuf_adds(out, json_is_true(json_object_get(v, "dynamic_index"))
			       ? ", indexed by an unknown value: may be in scratch memory"
			       : "");
	sbuf_adds(out, "\n\n");
}

static void add_kernel(struct sbuf *out, const struct document *d, const json_t *ledger)
{
	const json_t *expected = json_object_get(ledger, "expected");
	const json_t *next = json_object_get(figures_measured(d, ledger), "next");
	long long least = number(expected, "waves_least"), most = number(expected, "waves_most");
	struct sbuf measured = {0};
	sbuf_addf(out, "%s, %s: about %lld VGPRs (%lld to %lld), ", json_text(ledger, "kernel"),
		json_text(ledger, "target"), (long long)number(ledger, "estimate"),
		(long long)number(expected, "vgprs_least"),
		(long long)number(expected, "vgprs_most"));
	if (least != most) {
		sbuf_addf(out, "%lld %s ", least, most == least + 1 ? "or" : "to");
	}
	sbuf_addf(out, "%lld wave%s per SIMD", most, most == 1 ? "" : "s");
	sbuf_addf(out, "; the peak is in line %lld\n\n",
		(long long)number(json_object_get(ledger, "peak"), "line"));
	if (figures_measured_text(&measured, d, ledger)) {
		sbuf_addf(out, "measured: %s\n\n", sbuf_cstr(&measured));
	}
	if (json_is_object(next)) {
		sbuf_addf(out, "%lld VGPRs (%lld fewer) would fit %lld waves\n\n",
			(long long)number(next, "vgprs"), (long long)number(next, "fewer"),
			(long long)number(next, "resident_waves"));
	}
	sbuf_release(&measured);
}

static void add_ledgers(struct sbuf *out, const struct document *d, const struct word *w)
{
	size_t i, shown = 0;
	json_t *ledger;
	json_array_foreach (d->estimate.ledgers, i, ledger) {
		const json_t *v = variable_of(d, ledger, w);
		bool named = str_eq(w->text, base_name(json_text(ledger, "kernel")));
		if (!v && !named) {
			continue;
		}
		if (shown++ >= SHOWN) {
			continue;
		}
		if (v) {
			add_variable(out, v, ledger);
		}
		add_kernel(out, d, ledger);
	}
	if (shown > SHOWN) {
		sbuf_addf(out, "and %zu more\n", shown - SHOWN);
	}
}

json_t *hover_answer(const struct server *s, const struct document *d, const json_t *params)
{
	struct sbuf text = {0};
	struct word w = {.line = 0};
	json_t *v = NULL;
	if (word_at(&w, s, d, params)) {
		add_ledgers(&text, d, &w);
	}
	if (text.n > 0) {
		json_t *contents = json_object();
		json_object_set_new(contents, "kind", json_string("markdown"));
		json_object_set_new(contents, "value", json_of(str_trim(sbuf_str(&text))));
		v = json_object();
		json_object_set_new(v, "contents", contents);
		json_object_set_new(v, "range", json_range(s, &d->text, w.begin, w.end));
	}
	sbuf_release(&text);
	return v ? v : json_null();
}
