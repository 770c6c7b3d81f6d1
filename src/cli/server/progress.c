/* $/progress of long jobs, and their cancellation. */

#include "base/file.h"
#include "cli/server/server.h"

static json_t *token_of(int64_t id)
{
	return json_sprintf("unphi-%lld", (long long)id);
}

static json_t *value_of(const char *kind)
{
	json_t *v = json_object();
	json_object_set_new(v, "kind", json_string(kind));
	return v;
}

static void send_value(struct server *s, struct job *j, json_t *value)
{
	json_t *params = json_object();
	json_object_set(params, "token", j->token);
	json_object_set_new(params, "value", value);
	send_notification(s, "$/progress", params);
}

static void begin(struct server *s, struct job *j)
{
	json_t *v = value_of("begin");
	json_object_set_new(v, "title", json_string(j->title));
	json_object_set_new(v, "cancellable", json_true());
	json_object_set_new(
		v, "message", json_of(path_base(str_of(j->doc ? j->doc->path : j->title))));
	send_value(s, j, v);
	j->began = true;
}

void progress_open(struct server *s, struct job *j, const json_t *params)
{
	const json_t *token = json_object_get(params, "workDoneToken");
	if (json_is_string(token) || json_is_integer(token)) {
		j->token = json_deep_copy(token);
		begin(s, j);
	} else if (s->can_progress) {
		json_t *create = json_object();
		json_object_set_new(create, "token", token_of(s->next_id + 1));
		j->token = json_deep_copy(json_object_get(create, "token"));
		j->token_is_ours = true;
		send_request(s, "window/workDoneProgress/create", create);
	}
}

void progress_answer(struct server *s, int64_t id, bool good)
{
	json_t *token = token_of(id);
	array_each (&s->jobs, struct job *const, at) {
		struct job *j = *at;
		if (!j->token_is_ours || j->began || !json_equal(j->token, token)) {
			continue;
		}
		if (good) {
			begin(s, j);
		} else {
			json_decref(j->token);
			j->token = NULL;
		}
	}
	json_decref(token);
}

void progress_report(struct server *s, struct job *j, struct str text)
{
	if (j->token && j->began) {
		json_t *v = value_of("report");
		json_object_set_new(v, "message", json_of(text));
		send_value(s, j, v);
	}
}

void progress_close(struct server *s, struct job *j, const char *text)
{
	if (j->token && j->began) {
		json_t *v = value_of("end");
		json_object_set_new(v, "message", json_of(str_of(text)));
		send_value(s, j, v);
	}
	json_decref(j->token);
	j->token = NULL;
}

void progress_cancel(struct server *s, const json_t *params)
{
	const json_t *token = json_object_get(params, "token");
	array_each (&s->jobs, struct job *const, j) {
		if (token && (*j)->token && json_equal((*j)->token, token)) {
			job_cancel(s, *j);
		}
	}
}
