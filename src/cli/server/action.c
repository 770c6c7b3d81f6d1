/*
 * Code actions and their commands. Changes are WorkspaceEdits. A NOLINT comment is one at once; a
 * rewrite is one after it is measured, if the document has not changed meanwhile.
 */
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "cli/server/server.h"

static const char rewrite_command[] = "unphi.rewrite";
static const char show_command[] = "unphi.showRewrite";
static const char measure_command[] = "unphi.measure";
static const char explain_command[] = "unphi.explain";

json_t *action_commands(void)
{
	return json_pack(
		"[s, s, s, s]", rewrite_command, show_command, measure_command, explain_command);
}

/* ---- the list ---- */

/* context.only lists kinds, or prefixes of kinds that end at a dot. */
static bool is_wanted(const json_t *params, const char *kind)
{
	const json_t *only = json_object_get(json_object_get(params, "context"), "only");
	for (size_t i = 0; i < json_array_size(only); i++) {
		const char *one = json_string_value(json_array_get(only, i));
		size_t n = one ? strlen(one) : 0;
		if (one && strncmp(kind, one, n) == 0 && (!n || !kind[n] || kind[n] == '.')) {
			return true;
		}
	}
	return !json_is_array(only);
}

static json_t *action(const char *title, const char *kind, const json_t *diagnostic)
{
	json_t *v = json_object();
	json_object_set_new(v, "title", json_of(str_of(title)));
	json_object_set_new(v, "kind", json_string(kind));
	if (diagnostic) {
		json_object_set_new(v, "diagnostics", json_pack("[o]", json_deep_copy(diagnostic)));
	}
	return v;
}

static void add_command(json_t *all, json_t *action, const char *command, const char *argument)
{
	json_t *v = json_object();
	json_object_set(v, "title", json_object_get(action, "title"));
	json_object_set_new(v, "command", json_string(command));
	json_object_set_new(v, "arguments", json_pack("[s]", argument));
	json_object_set_new(action, "command", v);
	json_array_append_new(all, action);
}

/* May a comment be added at the line's end? Not in a multi-line macro or a raw string. */
static bool takes_comment(struct str line)
{
	return !str_ends(str_trim(line), "\\") && str_find(line, "R\"", 0) == SIZE_MAX;
}

/* The user adds the reason; until then lint reports that it is missing. */
static void add_suppression(json_t *all, const struct server *s, const struct document *d,
	const json_t *diagnostic, const char *rule)
{
	struct lsp_position at[2];
	if (!read_range(at, json_object_get(diagnostic, "range")) || at[0].line >= d->text.line.n ||
		!takes_comment(lsp_line(&d->text, at[0].line))) {
		return;
	}
	size_t end = d->text.line.v[at[0].line] + lsp_line(&d->text, at[0].line).n;
	json_t *edit = json_object();
	json_object_set_new(edit, "range", json_range(s, &d->text, end, end));
	json_object_set_new(edit, "newText", json_sprintf(" // NOLINT(%s): ", rule));
	json_t *v = json_sprintf("Suppress %s here with a NOLINT comment (add the reason)", rule);
	json_t *a = action(json_string_value(v), "quickfix", diagnostic);
	json_object_set_new(a, "edit", document_edit(s, d, json_pack("[o]", edit)));
	json_array_append_new(all, a);
	json_decref(v);
}

static bool is_rule(const char *text)
{
	return strncmp(text, "unphi-", 6) == 0 &&
	       strspn(text, "abcdefghijklmnopqrstuvwxyz-") == strlen(text);
}

static void add_fixes(
	json_t *all, const struct server *s, const struct document *d, const json_t *diagnostic)
{
	const char *rule = json_text(diagnostic, "code");
	if (strcmp(json_text(diagnostic, "source"), "unphi") != 0 || !is_rule(rule)) {
		return;
	}
	if (strcmp(rule, "unphi-suppression") != 0 && strcmp(rule, "unphi-baseline") != 0) {
		add_suppression(all, s, d, diagnostic, rule);
	}
	json_t *title = json_sprintf("Explain %s", rule);
	add_command(all, action(json_string_value(title), "quickfix", diagnostic), explain_command,
		rule);
	json_decref(title);
}

json_t *action_list(const struct server *s, const struct document *d, const json_t *params)
{
	json_t *all = json_array();
	const json_t *found = json_object_get(json_object_get(params, "context"), "diagnostics");
	for (size_t i = 0; is_wanted(params, "quickfix") && i < json_array_size(found); i++) {
		add_fixes(all, s, d, json_array_get(found, i));
	}
	if (document_is_unit(d) && is_wanted(params, "refactor.rewrite")) {
		add_command(all,
			action("Rewrite the kernels of this file where the compiler's output gets "
			       "better",
				"refactor.rewrite", NULL),
			rewrite_command, d->uri);
		add_command(all,
			action("Show the diff of such a rewrite", "refactor.rewrite", NULL),
			show_command, d->uri);
	}
	if (document_is_unit(d) && is_wanted(params, "source")) {
		add_command(all, action("Measure the kernels of this file", "source", NULL),
			measure_command, d->uri);
	}
	return all;
}

/* ---- a rewrite ---- */

static json_t *edits_of(const struct server *s, const struct job *j, const json_t *result)
{
	json_t *all = json_array(), *e;
	size_t i;
	json_array_foreach (json_object_get(result, "edits"), i, e) {
		size_t begin = (size_t)json_integer_value(json_object_get(e, "offset"));
		size_t n = (size_t)json_integer_value(json_object_get(e, "length"));
		json_t *edit = json_object();
		json_object_set_new(edit, "range", json_range(s, &j->text, begin, begin + n));
		json_object_set(edit, "newText", json_object_get(e, "text"));
		json_array_append_new(all, edit);
	}
	return all;
}

static void add_change(struct sbuf *out, const json_t *kernel, const char *target)
{
	static const struct {
		const char *key;
		const char *shown;
	} figures[] = {{"vgprs", "VGPRs"}, {"vgpr_spills", "spilled"},
		{"scratch_bytes", "bytes of scratch"}, {"resident_waves", "waves per SIMD"}};
	const json_t *before = json_object_get(kernel, "before");
	const json_t *after = json_object_get(kernel, "after");
	const char *sep = ": ";
	struct sbuf line = {0};
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++) {
		const json_t *b = json_object_get(before, figures[i].key);
		const json_t *a = json_object_get(after, figures[i].key);
		if (json_is_integer(a) && json_is_integer(b) && !json_equal(a, b)) {
			sbuf_addf(&line, "%s%lld -> %lld %s", sep, (long long)json_integer_value(b),
				(long long)json_integer_value(a), figures[i].shown);
			sep = ", ";
		}
	}
	if (line.n > 0) {
		sbuf_addf(out, "\n%s (%s)%s", json_text(kernel, "name"), target, sbuf_cstr(&line));
	}
	sbuf_release(&line);
}

static void add_changes(struct sbuf *out, const json_t *result)
{
	size_t i, k;
	json_t *t, *kernel;
	json_array_foreach (json_object_get(result, "targets"), i, t) {
		json_array_foreach (json_object_get(t, "kernels"), k, kernel) {
			add_change(out, kernel, json_text(t, "target"));
		}
	}
}

/* The reason why the first merge, barrier or fragment is not rewritten. */
static const char *why_kept(const json_t *result)
{
	static const char *const lists[] = {"merges", "barriers", "fragments"};
	for (size_t i = 0; i < 3; i++) {
		const json_t *first = json_array_get(json_object_get(result, lists[i]), 0);
		if (*json_text(first, "why_kept")) {
			return json_text(first, "why_kept");
		}
	}
	return "there is nothing to rewrite";
}

static void apply(struct server *s, struct job *j, const json_t *result)
{
	json_t *params = json_object();
	struct sbuf text = {0};
	json_t *edit = document_edit(s, j->doc, edits_of(s, j, result));
	json_object_set_new(params, "label", json_string("unphi rewrite"));
	json_object_set_new(params, "edit", edit);
	sbuf_addf(&text, "unphi: rewritten");
	add_changes(&text, result);
	if (s->can_apply) {
		send_request(s, "workspace/applyEdit", json_incref(params));
		send_text(s, "unphi rewrite", "plaintext", sbuf_str(&text));
	}
	json_t *answer = json_object();
	json_object_set_new(answer, "changed", json_true());
	json_object_set_new(answer, "summary", json_of(sbuf_str(&text)));
	json_object_set(answer, "edit", json_object_get(params, "edit"));
	send_result(s, j->id, answer);
	j->id = NULL;
	json_decref(params);
	sbuf_release(&text);
}

/* The report of the file. If a build compiles the file several times, it is inside a project's
 * report. */
static const json_t *report_of(const json_t *result)
{
	const json_t *file = json_array_get(json_object_get(result, "files"), 0);
	return file ? json_object_get(file, "report") : result;
}

static void rewritten(struct server *s, struct job *j)
{
	json_t *whole = job_json(j);
	const json_t *result = report_of(whole);
	const json_t *changed = json_object_get(result, "changed");
	bool edits = json_is_array(json_object_get(result, "edits"));
	if (!json_is_boolean(changed) || !edits) {
		send_error(s, j->id, RPC_FAILED, "not rewritten: %.*s", STR_ARG(job_last_words(j)));
	} else if (j->hash != j->doc->hash) {
		send_error(s, j->id, RPC_CONTENT_MODIFIED,
			"%s was changed while it was measured; nothing was applied", j->path);
	} else if (json_is_true(changed)) {
		apply(s, j, result);
	} else {
		json_t *answer = json_object();
		send_message(s, MESSAGE_INFO, "unphi: not rewritten: %s", why_kept(result));
		json_object_set_new(answer, "changed", json_false());
		json_object_set_new(answer, "summary", json_of(str_of(why_kept(result))));
		send_result(s, j->id, answer);
		j->id = NULL;
	}
	json_decref(whole);
}

/* ---- texts ---- */

static void shown(struct server *s, struct job *j)
{
	if (j->code != 0 || j->printed.n == 0) {
		send_error(s, j->id, RPC_FAILED, "%.*s", STR_ARG(job_last_words(j)));
		return;
	}
	bool rewrite = j->kind == JOB_SHOW_REWRITE;
	send_text(s, j->title, rewrite ? "diff" : "plaintext", sbuf_str(&j->printed));
	send_result(s, j->id, json_of(sbuf_str(&j->printed)));
	j->id = NULL;
}

/* ---- commands ---- */

static void run_on(
	struct server *s, struct document *d, const char *command, json_t *id, const json_t *params)
{
	if (strcmp(command, measure_command) == 0) {
		figures_measure(s, d, id, params);
		return;
	}
	bool shows = strcmp(command, show_command) == 0;
	struct job *j = job_add(
		s, shows ? JOB_SHOW_REWRITE : JOB_REWRITE, d, id, shows ? shown : rewritten);
	j->title = shows ? "unphi: trying rewrites" : "unphi: rewriting";
	progress_open(s, j, params);
}

static bool is_known(const char *command)
{
	json_t *all = action_commands(), *one;
	size_t i;
	bool known = false;
	json_array_foreach (all, i, one) {
		known = known || strcmp(json_string_value(one), command) == 0;
	}
	json_decref(all);
	return known;
}

void action_run(struct server *s, json_t *id, const json_t *params)
{
	const char *command = json_text(params, "command");
	const json_t *first = json_array_get(json_object_get(params, "arguments"), 0);
	const char *word = json_is_string(first) ? json_string_value(first) : "";
	json_t *about = json_pack("{s:{s:s}}", "textDocument", "uri", word);
	struct document *d = document_of(s, about);
	json_decref(about);
	if (!is_known(command)) {
		send_error(s, id, RPC_INVALID_PARAMS, "there is no command '%s'", command);
	} else if (strcmp(command, explain_command) == 0 && is_rule(word)) {
		struct job *j = job_add(s, JOB_EXPLAIN, NULL, id, shown);
		j->argument = strdup(word);
		j->title = "unphi explain";
		return;
	} else if (strcmp(command, explain_command) == 0) {
		send_error(s, id, RPC_INVALID_PARAMS, "unphi has no rule '%s'", word);
	} else if (!d) {
		send_error(s, id, RPC_INVALID_PARAMS, "'%s' is not open", word);
	} else if (!document_is_saved(d)) {
		send_error(s, id, RPC_FAILED, "save %s first: the compiler reads the saved file",
			d->path);
	} else {
		run_on(s, d, command, id, params);
		return;
	}
	json_decref(id);
}
