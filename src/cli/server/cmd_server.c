/*
 * unphi server: the event loop (messages, jobs, timers), and the session: initialize, initialized,
 * requests, shutdown, exit.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/msg.h"
#include "base/process/proc.h"
#include "cli/server/server.h"
#include "lsp/uri.h"

enum {
	/* bytes that the client has not read: beyond that we read none of its messages */
	UNREAD_MAX = 64 << 20,
	WRITE_AT_ONCE = 4096, /* bytes that a writable pipe takes without blocking */
	BLIND_POLL_MS = 20    /* polling interval of jobs if the kernel has no pidfd */
};

/* ---- initialize ---- */

static const json_t *at(const json_t *v, const char *a, const char *b)
{
	return json_object_get(json_object_get(v, a), b);
}

static void read_capabilities(struct server *s, const json_t *c)
{
	const json_t *encodings = at(c, "general", "positionEncodings");
	for (size_t i = 0; i < json_array_size(encodings); i++) {
		const char *one = json_string_value(json_array_get(encodings, i));
		if (one && strcmp(one, "utf-8") == 0) {
			s->units = LSP_UTF8;
		}
	}
	const json_t *workspace = json_object_get(c, "workspace");
	s->can_configure = json_is_true(json_object_get(workspace, "configuration"));
	s->can_apply = json_is_true(json_object_get(workspace, "applyEdit"));
	s->can_version_edits = json_is_true(at(workspace, "workspaceEdit", "documentChanges"));
	s->can_refresh_lens = json_is_true(at(workspace, "codeLens", "refreshSupport"));
	s->can_progress = json_is_true(at(c, "window", "workDoneProgress"));
	s->can_show_text = json_is_true(at(c, "experimental", "unphiShowText"));
}

/* Sets the root to the first folder of the workspace, if there is one. */
static void find_root(struct server *s, const json_t *params)
{
	struct arena *a = arena_create();
	const json_t *folder = json_array_get(json_object_get(params, "workspaceFolders"), 0);
	const char *uri = json_text(folder, "uri");
	const char *path = lsp_uri_path(a, str_of(*uri ? uri : json_text(params, "rootUri")));
	s->root = path ? strdup(path) : NULL;
	arena_free(a);
}

static json_t *capabilities(const struct server *s)
{
	return json_pack("{s:{s:s, s:{s:b, s:i, s:{s:b}}, s:b, s:{s:[s, s, s]}, s:{s:b},"
			 " s:{s:o}}, s:{s:s, s:s}}",
		"capabilities", "positionEncoding", s->units == LSP_UTF8 ? "utf-8" : "utf-16",
		"textDocumentSync", "openClose", 1, "change", 2, "save", "includeText", 0,
		"hoverProvider", 1, "codeActionProvider", "codeActionKinds", "quickfix",
		"refactor.rewrite", "source", "codeLensProvider", "resolveProvider", 0,
		"executeCommandProvider", "commands", action_commands(), "serverInfo", "name",
		"unphi", "version", UNPHI_VERSION);
}

static void initialize(struct server *s, json_t *id, const json_t *params)
{
	if (s->state != SERVER_NEW) {
		send_error(s, id, RPC_INVALID_REQUEST, "initialize was sent twice");
		json_decref(id);
		return;
	}
	s->state = SERVER_RUNNING;
	read_capabilities(s, json_object_get(params, "capabilities"));
	find_root(s, params);
	settings_take(s, json_object_get(params, "initializationOptions"));
	send_result(s, id, capabilities(s));
}

static void ask_for_settings(struct server *s)
{
	if (s->can_configure) {
		s->config_id = send_request(s, "workspace/configuration",
			json_pack("{s:[{s:s}]}", "items", "section", "unphi"));
	}
}

/* ---- requests ---- */

static void shut_down(struct server *s, json_t *id, const json_t *params)
{
	(void)params;
	s->state = SERVER_SHUT;
	array_each (&s->jobs, struct job *const, j) {
		job_cancel(s, *j);
	}
	send_result(s, id, NULL);
}

/* The document of a request, or an error. */
static struct document *need_document(struct server *s, json_t *id, const json_t *params)
{
	struct document *d = document_of(s, params);
	if (!d) {
		send_error(s, id, RPC_INVALID_PARAMS, "'%s' is not open",
			json_text(json_object_get(params, "textDocument"), "uri"));
		json_decref(id);
	}
	return d;
}

static void hover(struct server *s, json_t *id, const json_t *params)
{
	struct document *d = need_document(s, id, params);
	struct lsp_position p;
	if (d && !read_position(&p, json_object_get(params, "position"))) {
		send_error(s, id, RPC_INVALID_PARAMS, "textDocument/hover has no position");
		json_decref(id);
	} else if (d) {
		figures_ask(s, d, (struct asking){id, json_deep_copy(params), hover_answer});
	}
}

static void code_lens(struct server *s, json_t *id, const json_t *params)
{
	struct document *d = need_document(s, id, params);
	if (d) {
		figures_ask(s, d, (struct asking){id, json_deep_copy(params), lens_answer});
	}
}

static void code_action(struct server *s, json_t *id, const json_t *params)
{
	struct document *d = need_document(s, id, params);
	if (d) {
		send_result(s, id, action_list(s, d, params));
	}
}

static const struct {
	const char *method;
	void (*run)(struct server *s, json_t *id, const json_t *params);
} requests[] = {
	{"initialize", initialize},
	{"shutdown", shut_down},
	{"textDocument/hover", hover},
	{"textDocument/codeLens", code_lens},
	{"textDocument/codeAction", code_action},
	{"workspace/executeCommand", action_run},
};

static void take_request(
	struct server *s, const char *method, const json_t *id, const json_t *params)
{
	bool first = strcmp(method, "initialize") == 0;
	if (s->state == SERVER_NEW && !first) {
		send_error(s, id, RPC_NOT_INITIALIZED, "%s was sent before initialize", method);
		return;
	}
	if (s->state == SERVER_SHUT) {
		send_error(s, id, RPC_INVALID_REQUEST, "%s was sent after shutdown", method);
		return;
	}
	for (size_t i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		if (strcmp(requests[i].method, method) == 0) {
			requests[i].run(s, json_deep_copy(id), params);
			return;
		}
	}
	send_error(s, id, RPC_UNKNOWN_METHOD, "there is no method '%s'", method);
}

/* ---- notifications ---- */

static void initialized(struct server *s, const json_t *params)
{
	(void)params;
	ask_for_settings(s);
}

static void configured(struct server *s, const json_t *params)
{
	const json_t *settings = json_object_get(params, "settings");
	const json_t *own = json_object_get(settings, "unphi");
	if (json_is_object(settings) && json_object_size(settings) > 0) {
		settings_take(s, own ? own : settings);
	} else {
		ask_for_settings(s);
	}
}

static void closed(struct server *s, const json_t *params)
{
	struct document *d = document_of(s, params);
	if (d) {
		diagnose_clear(s, d);
		document_close(s, params);
	}
	array_each (&s->docs, struct document *const, other) {
		if (d && (*other)->published.n > 1) {
			(*other)->lint_at = proc_now_s(); /* both may include a header */
		}
	}
}

static void cancel(struct server *s, const json_t *params)
{
	const json_t *id = json_object_get(params, "id");
	array_each (&s->jobs, struct job *const, j) {
		if (id && (*j)->id && json_equal((*j)->id, id)) {
			job_cancel(s, *j);
		}
	}
	array_each (&s->docs, struct document *const, d) {
		size_t kept = 0;
		for (size_t i = 0; i < (*d)->asking.n; i++) {
			struct asking q = (*d)->asking.v[i];
			if (!id || !json_equal(q.id, id)) {
				(*d)->asking.v[kept++] = q;
				continue;
			}
			send_error(s, q.id, RPC_CANCELLED, "cancelled");
			json_decref(q.id);
			json_decref(q.params);
		}
		(*d)->asking.n = kept;
	}
}

static const struct {
	const char *method;
	void (*run)(struct server *s, const json_t *params);
} notifications[] = {
	{"initialized", initialized},
	{"textDocument/didOpen", document_open},
	{"textDocument/didChange", document_change},
	{"textDocument/didSave", document_save},
	{"textDocument/didClose", closed},
	{"workspace/didChangeConfiguration", configured},
	{"window/workDoneProgress/cancel", progress_cancel},
	{"$/cancelRequest", cancel},
};

static void take_notification(struct server *s, const char *method, const json_t *params)
{
	if (strcmp(method, "exit") == 0) {
		s->ended = true;
		s->code = s->state == SERVER_SHUT ? EXIT_CLEAN : EXIT_FINDINGS;
		return;
	}
	for (size_t i = 0; i < sizeof(notifications) / sizeof(notifications[0]); i++) {
		if (s->state == SERVER_RUNNING && strcmp(notifications[i].method, method) == 0) {
			notifications[i].run(s, params);
		}
	}
}

/* ---- messages ---- */

static void take_answer(struct server *s, const json_t *message)
{
	int64_t id = json_integer_value(json_object_get(message, "id"));
	const json_t *result = json_object_get(message, "result");
	progress_answer(s, id, !json_object_get(message, "error"));
	if (id != 0 && id == s->config_id) {
		s->config_id = 0;
		settings_take(s, json_array_get(result, 0));
	}
}

static void take_message(struct server *s, const json_t *message)
{
	const json_t *method = json_object_get(message, "method");
	const json_t *id = json_object_get(message, "id");
	const json_t *params = json_object_get(message, "params");
	bool answers = json_object_get(message, "result") || json_object_get(message, "error");
	bool good_id = json_is_string(id) || json_is_integer(id);
	if (!method && good_id && answers) {
		take_answer(s, message);
	} else if (!json_is_object(message) || !json_is_string(method) || (id && !good_id)) {
		send_error(s, good_id ? id : NULL, RPC_INVALID_REQUEST,
			"a message is an object with a method, and an id that is a number or a "
			"string");
	} else if (id) {
		take_request(s, json_string_value(method), id, params);
	} else {
		take_notification(s, json_string_value(method), params);
	}
}

static void take_body(struct server *s, struct str body)
{
	json_error_t e;
	json_t *message = json_loadb(body.p, body.n, JSON_ALLOW_NUL, &e);
	if (message) {
		take_message(s, message);
	} else {
		send_error(s, NULL, RPC_PARSE_ERROR, "a message is not JSON: byte %d: %s",
			e.position, e.text);
	}
	json_decref(message);
}

static void take_frames(struct server *s)
{
	struct str body;
	const char *why;
	while (!s->ended) {
		switch (lsp_frames_next(&s->in, &body, &why)) {
		case LSP_FRAME_NONE:
			return;
		case LSP_FRAME_BODY:
			take_body(s, body);
			break;
		case LSP_FRAME_BAD:
			send_error(s, NULL, RPC_PARSE_ERROR, "%s", why);
			break;
		}
	}
}

/* ---- the loop ---- */

static void read_some(struct server *s)
{
	char bytes[1 << 16];
	ssize_t n = read(STDIN_FILENO, bytes, sizeof(bytes));
	if (n > 0) {
		lsp_frames_add(&s->in, bytes, (size_t)n);
		take_frames(s);
	} else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
		s->ended = true; /* the client is gone: no message */
		s->code = EXIT_FINDINGS;
	}
}

static void write_some(struct server *s)
{
	size_t left = s->out.n - s->written;
	size_t n = left < WRITE_AT_ONCE ? left : WRITE_AT_ONCE;
	ssize_t done = write(STDOUT_FILENO, s->out.p + s->written, n);
	if (done < 0 && errno != EINTR && errno != EAGAIN) {
		s->ended = true;
		s->code = EXIT_USAGE;
		s->written = s->out.n;
		return;
	}
	s->written += done > 0 ? (size_t)done : 0;
	if (s->written == s->out.n) {
		sbuf_reset(&s->out);
		s->written = 0;
	}
}

/* Starts due work. Returns the time in ms until more work is due, or -1. */
static int run_timers(struct server *s)
{
	double now = proc_now_s(), next = 0;
	array_each (&s->docs, struct document *const, d) {
		double due = (*d)->lint_at;
		if (due > 0 && due <= now) {
			diagnose_start(s, *d);
		} else if (due > 0 && (next <= 0 || due < next)) {
			next = due;
		}
	}
	return next > 0 ? (int)((next - now) * 1000) + 1 : -1;
}

static void wait_for_something(struct server *s, int timeout)
{
	ARRAY(struct pollfd) fds = {0};
	bool writes = s->out.n > s->written;
	bool reads = s->out.n - s->written < UNREAD_MAX;
	array_push(&fds, (struct pollfd){.fd = reads ? STDIN_FILENO : -1, .events = POLLIN});
	array_push(&fds, (struct pollfd){.fd = writes ? STDOUT_FILENO : -1, .events = POLLOUT});
	array_each (&s->jobs, struct job *const, j) {
		bool runs = (*j)->pid > 0;
		bool blind = runs && ((*j)->pidfd < 0 || (*j)->killed_at > 0);
		array_push(&fds, (struct pollfd){.fd = runs ? (*j)->pidfd : -1, .events = POLLIN});
		array_push(&fds, (struct pollfd){.fd = runs ? (*j)->err : -1, .events = POLLIN});
		if (blind && (timeout < 0 || timeout > BLIND_POLL_MS)) {
			timeout = BLIND_POLL_MS;
		}
	}
	if (poll(fds.v, fds.n, timeout) > 0) {
		if (fds.v[0].revents) {
			read_some(s);
		}
		if (fds.v[1].revents) {
			write_some(s);
		}
	}
	array_release(&fds);
}

/* Writes the remaining messages to a client that still reads. */
static void write_rest(struct server *s)
{
	while (s->out.n > s->written) {
		struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
		if (poll(&out, 1, 1000) <= 0) {
			return;
		}
		write_some(s);
	}
}

static void release(struct server *s)
{
	jobs_end(s);
	array_each (&s->docs, struct document *const, d) {
		document_release(s, *d);
	}
	array_release(&s->docs);
	settings_release(s);
	lsp_frames_release(&s->in);
	sbuf_release(&s->out);
	free(s->root);
}

int cmd_server(const struct cli_opts *o, int (*start)(struct cli_opts *opts))
{
	struct server s = {.given = o, .opts = *o, .start = start};
	signal(SIGPIPE, SIG_IGN);
	if (isatty(STDIN_FILENO)) {
		msg_note("an editor starts 'unphi server', which speaks the Language Server "
			 "Protocol on standard input and output: doc/guide/editors.md");
	}
	while (!s.ended) {
		int timeout = run_timers(&s);
		jobs_go_on(&s);
		wait_for_something(&s, timeout);
	}
	write_rest(&s);
	release(&s);
	return s.code;
}
