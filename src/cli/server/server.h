#pragma once
/*
 * unphi server: one process that reads messages, keeps the documents, and answers. It parses and
 * compiles nothing itself. Each question is a job: a child made by fork runs a subcommand as the
 * command line would (lint, ledger, rewrite, explain), with the document's text as its standard
 * input, and hands back what that prints. So every answer is the subcommand's own, and a crash of
 * libclang ends a job, not the server. The child finds libclang loaded.
 *
 * Nothing here writes a file: changes are WorkspaceEdits, which the editor applies.
 */
#include <jansson.h>
#include <signal.h>

#include "cli/cli.h"
#include "lsp/frame.h"
#include "lsp/text.h"

/* Error codes of JSON-RPC and of the protocol. */
enum rpc_error {
	RPC_PARSE_ERROR = -32700,
	RPC_INVALID_REQUEST = -32600,
	RPC_UNKNOWN_METHOD = -32601,
	RPC_INVALID_PARAMS = -32602,
	RPC_INTERNAL_ERROR = -32603,
	RPC_NOT_INITIALIZED = -32002,
	RPC_CANCELLED = -32800,
	RPC_CONTENT_MODIFIED = -32801,
	RPC_FAILED = -32803
};

enum message_type {
	MESSAGE_ERROR = 1,
	MESSAGE_WARNING,
	MESSAGE_INFO
};

struct server;
struct document;

/* A request about figures that waits for them. */
struct asking {
	json_t *id;
	json_t *params;
	json_t *(*answer)(const struct server *s, const struct document *d, const json_t *params);
};

/* The ledgers of a document's text, as the JSON of unphi ledger. */
struct figures {
	json_t *ledgers; /* an array; NULL: none */
	uint64_t text;	 /* hash of the text that they are of */
	bool known;	 /* of that text; ledgers NULL then: it has errors */
};

struct document {
	char *uri; /* as the client wrote it */
	char *path;
	char *language;
	struct lsp_text text;
	int64_t version;
	uint64_t hash;	/* of the text */
	double look_at; /* when to lint it, on proc_now_s(); 0: not asked for */
	struct figures estimate;
	struct figures measured;
	ARRAY(struct asking) asking;
	ARRAY(char *) published; /* paths that its last lint gave diagnostics to */
};

enum job_kind {
	JOB_LINT,
	JOB_ESTIMATE,
	JOB_EXPLAIN,
	JOB_MEASURE, /* from here on with the compiler, and one at a time */
	JOB_REWRITE,
	JOB_SHOW_REWRITE
};

struct job;
typedef void job_done(struct server *s, struct job *j);

struct job {
	enum job_kind kind;
	struct document *doc; /* NULL: about none; when it is closed the job ends */
	int64_t version;      /* of the document, at the start */
	uint64_t hash;
	json_t *id; /* of the request to answer; NULL: none */
	job_done *done;
	const char *title;
	char *argument;	      /* explain: the rule */
	char *path;	      /* of the document */
	struct lsp_text text; /* of it, a copy */

	/* progress */
	json_t *token;	    /* NULL: none shown */
	bool token_is_ours; /* to be created by the client first */
	bool began;

	/* the process */
	pid_t pid; /* 0: not started */
	int pidfd;
	int out;
	int err;
	struct sbuf said; /* of err; the last line is whole or not */
	size_t said_read;
	bool cancelled; /* nobody wants the result */
	bool ended;
	double killed_at; /* on proc_now_s(); 0: not asked to end */

	/* the result */
	int code; /* exit code; -1: ended by a signal */
	struct sbuf printed;
};

enum server_state {
	SERVER_NEW,
	SERVER_RUNNING,
	SERVER_SHUT
};

struct server {
	const struct cli_opts *given; /* the command line */
	struct cli_opts client;	      /* settings of the client */
	struct arena *client_words;
	bool client_flags;    /* they have flags */
	struct cli_opts opts; /* both, the client's first; lists are theirs */
	int (*start)(struct cli_opts *opts);
	sigset_t mask;

	struct lsp_frames in;
	struct sbuf out;
	size_t written;
	enum server_state state;
	bool ended; /* exit, or the end of input */
	int code;

	enum lsp_units units;
	char *root; /* where children run; NULL: beside the document */
	bool can_configure;
	bool can_progress;
	bool can_apply;
	bool can_version_edits;
	bool can_refresh_lens;
	bool can_show_text;

	ARRAY(struct document *) docs;
	ARRAY(struct job *) jobs; /* in order of arrival; finished ones are taken off */
	int64_t next_id;	  /* of our own requests */
	int64_t config_id;	  /* of that for settings; 0: none */
	bool wanted_loaded;	  /* libclang was looked for */
};

/* ---- send.c: what goes to the client; each takes over json_t * arguments ---- */

void send_result(struct server *s, json_t *id, json_t *result);
void send_error(struct server *s, const json_t *id, enum rpc_error code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void send_notification(struct server *s, const char *method, json_t *params);
/* Its id. */
int64_t send_request(struct server *s, const char *method, json_t *params);
void send_message(struct server *s, enum message_type type, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* A text to read, of some lines: a document of its own where the client can show one. */
void send_text(struct server *s, const char *title, const char *language, struct str text);

json_t *json_of(struct str text); /* bytes that are no UTF-8 become U+FFFD */
json_t *json_range(const struct server *s, const struct lsp_text *t, size_t begin, size_t end);
/* False when it is none. */
bool read_position(struct lsp_position *out, const json_t *position);
bool read_range(struct lsp_position out[2], const json_t *range);
/* "" when it is not there, or no string. */
const char *json_text(const json_t *object, const char *key);

/* ---- document.c ---- */

void document_open(struct server *s, const json_t *params);
void document_change(struct server *s, const json_t *params);
void document_save(struct server *s, const json_t *params);
void document_close(struct server *s, const json_t *params);
void document_release(struct server *s, struct document *d);
void document_forget(struct figures *f);
/* That of params.textDocument.uri, or NULL. */
struct document *document_of(const struct server *s, const json_t *params);
struct document *document_at(const struct server *s, const char *path);
/* Is it compiled by itself? A header is looked at as a part of what includes it. */
bool document_is_unit(const struct document *d);
/* Does the file have this text? Whatever compiles looks at the file. */
bool document_is_saved(const struct document *d);
/* The one change of a document, {"changes"} or {"documentChanges"} as the client knows it. */
json_t *document_edit(const struct server *s, const struct document *d, json_t *edits);

/* ---- settings.c ---- */

/* Those of initializationOptions or of workspace/didChangeConfiguration; what is wrong is shown. */
void settings_take(struct server *s, const json_t *settings);
void settings_release(struct server *s);

/* ---- job.c ---- */

/* A copy of the document's text goes with it. id is taken over; NULL: nobody waits. */
struct job *job_add(
	struct server *s, enum job_kind kind, struct document *d, json_t *id, job_done *done);
/* It ends without a result; a request is answered by RPC_CANCELLED. */
void job_cancel(struct server *s, struct job *j);
/* Starts those for which there is room; looks at those that run, and calls done for those that have
 * ended. */
void jobs_go_on(struct server *s);
/* Ends all, and waits for that. */
void jobs_end(struct server *s);
/* The JSON that it printed, or NULL. */
json_t *job_json(const struct job *j);
/* What it said last on its standard error, without the program's name. */
struct str job_last_words(const struct job *j);

/* ---- progress.c ---- */

/* params of a request may have a workDoneToken. */
void progress_open(struct server *s, struct job *j, const json_t *params);
/* The client's answer to our request for a token. */
void progress_answer(struct server *s, int64_t id, bool good);
void progress_report(struct server *s, struct job *j, struct str text);
void progress_close(struct server *s, struct job *j, const char *text);
void progress_cancel(struct server *s, const json_t *params);

/* ---- diagnose.c ---- */

void diagnose_start(struct server *s, struct document *d);
void diagnose_clear(struct server *s, struct document *d);

/* ---- figures.c, hover.c, lens.c ---- */

/* Answers once the ledgers of the document's text are there. */
void figures_ask(struct server *s, struct document *d, struct asking q);
void figures_measure(struct server *s, struct document *d, json_t *id, const json_t *params);
json_t *hover_answer(const struct server *s, const struct document *d, const json_t *params);
json_t *lens_answer(const struct server *s, const struct document *d, const json_t *params);
/* The ledger of the same kernel and target that was measured last; NULL: none was. */
const json_t *figures_measured(const struct document *d, const json_t *ledger);
/* "208 VGPRs, 0 spilled, 2 waves" of the kernel of a ledger, as it was measured last, and whether
 * the text was another one then; false: it was not measured. */
bool figures_measured_text(struct sbuf *out, const struct document *d, const json_t *ledger);
/* Is the kernel of the ledger defined in the document? */
bool figures_are_here(const struct document *d, const json_t *ledger);

/* ---- action.c ---- */

json_t *action_list(const struct server *s, const struct document *d, const json_t *params);
void action_run(struct server *s, json_t *id, const json_t *params);
json_t *action_commands(void);
