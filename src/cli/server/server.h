#pragma once
/*
 * unphi server: one process reads messages, keeps the documents and answers. It does not parse or
 * compile. Each question becomes a job: a forked child runs a subcommand (lint, ledger, rewrite,
 * explain) as the command line would, with the document's text as standard input, and returns its
 * output. So every answer is that of the subcommand, and a crash of libclang ends a job, not the
 * server. libclang is loaded before the fork.
 *
 * Nothing here writes a file: changes are WorkspaceEdits, which the editor applies.
 */
#include <jansson.h>
#include <signal.h>

#include "cli/cli.h"
#include "lsp/frame.h"
#include "lsp/text.h"
#include "report/form/json.h"

/* Error codes of JSON-RPC and of the protocol. */
enum rpc_error {
	RPC_PARSE_ERROR = -32700,
	RPC_INVALID_REQUEST = -32600,
	RPC_UNKNOWN_METHOD = -32601,
	RPC_INVALID_PARAMS = -32602,
	RPC_NOT_INITIALIZED = -32002,
	RPC_CANCELLED = -32800,
	RPC_CONTENT_MODIFIED = -32801,
	RPC_FAILED = -32803
};

enum message_type {
	MESSAGE_ERROR = 1,
	MESSAGE_INFO = 3
};

struct server;
struct document;

/* A request that waits for figures. */
struct asking {
	json_t *id;
	json_t *params;
	json_t *(*answer)(const struct server *s, const struct document *d, const json_t *params);
};

/* The ledgers of a document's text, as the JSON of unphi ledger. */
struct figures {
	json_t *ledgers; /* an array; NULL: none */
	uint64_t text;	 /* hash of their text */
	bool known;	 /* that text was processed; if ledgers is NULL, it has errors */
};

struct document {
	char *uri; /* as the client wrote it */
	char *path;
	char *language;
	struct lsp_text text;
	int64_t version;
	uint64_t hash;	/* of the text */
	double lint_at; /* the time to lint it, by proc_now_s(); 0: not due */
	struct figures estimate;
	struct figures measured;
	ARRAY(struct asking) asking;
	ARRAY(char *) published; /* paths with diagnostics from its last lint */
};

enum job_kind {
	JOB_LINT,
	JOB_ESTIMATE,
	JOB_EXPLAIN,
	JOB_MEASURE, /* this and later kinds compile, one at a time */
	JOB_REWRITE,
	JOB_SHOW_REWRITE
};

struct job;
typedef void job_done(struct server *s, struct job *j);

struct job {
	enum job_kind kind;
	struct document *doc; /* or NULL; closing it ends the job */
	int64_t version;      /* of the document, at the start */
	uint64_t hash;
	json_t *id; /* of the request to answer; NULL: none */
	job_done *done;
	const char *title;
	char *argument;	      /* explain: the rule */
	char *path;	      /* of the document */
	struct lsp_text text; /* a copy of its text */

	/* progress */
	json_t *token;	    /* NULL: none shown */
	bool token_is_ours; /* the client must create it first */
	bool began;

	/* the process */
	pid_t pid; /* 0: not started */
	int pidfd;
	int out;
	int err;
	struct sbuf said; /* output of err; the last line may be incomplete */
	size_t msglog_read;
	bool cancelled; /* its result will be dropped */
	bool ended;
	double killed_at; /* the time of SIGTERM, by proc_now_s(); 0: none */

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
	bool client_flags;    /* the client's settings have flags */
	struct cli_opts opts; /* both: the client's override; lists are borrowed from them */
	int (*start)(struct cli_opts *opts);
	sigset_t mask;

	struct lsp_frames in;
	struct sbuf out;
	size_t written;
	enum server_state state;
	bool ended; /* after exit, or the end of input */
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
	ARRAY(struct job *) jobs; /* in order of arrival, without finished ones */
	int64_t next_id;	  /* of our own requests */
	int64_t config_id;	  /* of the request for settings; 0: none */
	bool load_tried;	  /* loading libclang was tried */
};

/* ---- send.c: messages to the client; each function owns its json_t * arguments ---- */

void send_result(struct server *s, json_t *id, json_t *result);
void send_error(struct server *s, const json_t *id, enum rpc_error code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
void send_notification(struct server *s, const char *method, json_t *params);
/* Returns the request's id. */
int64_t send_request(struct server *s, const char *method, json_t *params);
void send_message(struct server *s, enum message_type type, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
/* Shows a text of several lines, as a document if the client can do that. */
void send_text(struct server *s, const char *title, const char *language, struct str text);

json_t *json_of(struct str text); /* invalid UTF-8 becomes U+FFFD */
json_t *json_range(const struct server *s, const struct lsp_text *t, size_t begin, size_t end);
/* False if it is not a position. */
bool read_position(struct lsp_position *out, const json_t *position);
bool read_range(struct lsp_position out[2], const json_t *range);

/* ---- document.c ---- */

void document_open(struct server *s, const json_t *params);
void document_change(struct server *s, const json_t *params);
void document_save(struct server *s, const json_t *params);
void document_close(struct server *s, const json_t *params);
void document_release(struct server *s, struct document *d);
void document_forget(struct figures *f);
/* The document of params.textDocument.uri, or NULL. */
struct document *document_of(const struct server *s, const json_t *params);
struct document *document_at(const struct server *s, const char *path);
/* Is it a translation unit? Headers are checked with the files that include them. */
bool document_is_unit(const struct document *d);
/* Is the text equal to that of the file? Compiles read the file. */
bool document_is_saved(const struct document *d);
/* The edits as a WorkspaceEdit, with "changes" or "documentChanges", whichever the client
 * supports. */
json_t *document_edit(const struct server *s, const struct document *d, json_t *edits);

/* ---- settings.c ---- */

/* Takes settings from initializationOptions or workspace/didChangeConfiguration; shows errors to
 * the client. */
void settings_take(struct server *s, const json_t *settings);
void settings_release(struct server *s);

/* ---- job.c ---- */

/* Adds a job with a copy of the document's text. It owns id; NULL: no request waits. */
struct job *job_add(
	struct server *s, enum job_kind kind, struct document *d, json_t *id, job_done *done);
/* Ends a job without a result; its request gets RPC_CANCELLED. */
void job_cancel(struct server *s, struct job *j);
/* Checks the running jobs, calls done for those that have ended, and starts as many waiting ones as
 * may run. */
void jobs_go_on(struct server *s);
/* Ends all jobs, and waits for them. */
void jobs_end(struct server *s);
/* The JSON that the job printed, or NULL. */
json_t *job_json(const struct job *j);
/* The last message of its standard error, without the program's name. */
struct str job_last_words(const struct job *j);

/* ---- progress.c ---- */

/* Shows progress for the job. params are those of its request, which may have a workDoneToken. */
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

/* Answers q once the ledgers of the document's text are known. */
void figures_ask(struct server *s, struct document *d, struct asking q);
void figures_measure(struct server *s, struct document *d, json_t *id, const json_t *params);
json_t *hover_answer(const struct server *s, const struct document *d, const json_t *params);
json_t *lens_answer(const struct server *s, const struct document *d, const json_t *params);
/* The last measured ledger of the same kernel and target; NULL: none. */
const json_t *figures_measured(const struct document *d, const json_t *ledger);
/* "208 VGPRs, 0 spilled, 2 waves": the last measurement of a ledger's kernel, with a note if the
 * text has changed since; false: not measured. */
bool figures_measured_text(struct sbuf *out, const struct document *d, const json_t *ledger);
/* Is the kernel of the ledger defined in the document? */
bool figures_are_here(const struct document *d, const json_t *ledger);

/* ---- action.c ---- */

json_t *action_list(const struct server *s, const struct document *d, const json_t *params);
void action_run(struct server *s, json_t *id, const json_t *params);
json_t *action_commands(void);
