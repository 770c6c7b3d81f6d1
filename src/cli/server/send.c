/* Messages to the client. They are queued until the client reads them: a blocking write could
 * deadlock with a client that is blocked in a write to us. */
#include <stdlib.h>

#include "base/msg.h"
#include "cli/server/server.h"

static void send_object(struct server *s, json_t *message)
{
	json_object_set_new(message, "jsonrpc", json_string("2.0"));
	char *text = json_dumps(message, JSON_COMPACT);
	if (!text) {
		BUG("a message is not JSON");
	}
	lsp_frame_add(&s->out, str_of(text));
	free(text);
	json_decref(message);
}

static json_t *id_of(const json_t *id)
{
	return id ? json_deep_copy(id) : json_null();
}

void send_result(struct server *s, json_t *id, json_t *result)
{
	json_t *message = json_object();
	json_object_set_new(message, "id", id_of(id));
	json_object_set_new(message, "result", result ? result : json_null());
	send_object(s, message);
	json_decref(id);
}

void send_error(struct server *s, const json_t *id, enum rpc_error code, const char *fmt, ...)
{
	struct sbuf text = {0};
	va_list ap;
	va_start(ap, fmt);
	sbuf_vaddf_visible(&text, fmt, ap);
	va_end(ap);
	json_t *message = json_object(), *error = json_object();
	json_object_set_new(error, "code", json_integer(code));
	json_object_set_new(error, "message", json_of(sbuf_str(&text)));
	json_object_set_new(message, "id", id_of(id));
	json_object_set_new(message, "error", error);
	send_object(s, message);
	sbuf_release(&text);
}

void send_notification(struct server *s, const char *method, json_t *params)
{
	json_t *message = json_object();
	json_object_set_new(message, "method", json_string(method));
	json_object_set_new(message, "params", params);
	send_object(s, message);
}

int64_t send_request(struct server *s, const char *method, json_t *params)
{
	json_t *message = json_object();
	int64_t id = ++s->next_id;
	json_object_set_new(message, "id", json_integer(id));
	json_object_set_new(message, "method", json_string(method));
	if (params) {
		json_object_set_new(message, "params", params);
	}
	send_object(s, message);
	return id;
}

static void show(struct server *s, enum message_type type, struct str text)
{
	json_t *params = json_object();
	json_object_set_new(params, "type", json_integer(type));
	json_object_set_new(params, "message", json_of(text));
	send_notification(s, "window/showMessage", params);
}

void send_message(struct server *s, enum message_type type, const char *fmt, ...)
{
	struct sbuf text = {0};
	va_list ap;
	va_start(ap, fmt);
	sbuf_vaddf_visible(&text, fmt, ap);
	va_end(ap);
	show(s, type, sbuf_str(&text));
	sbuf_release(&text);
}

void send_text(struct server *s, const char *title, const char *language, struct str text)
{
	if (!s->can_show_text) {
		show(s, MESSAGE_INFO, text);
		return;
	}
	json_t *params = json_object();
	json_object_set_new(params, "title", json_of(str_of(title)));
	json_object_set_new(params, "language", json_string(language));
	json_object_set_new(params, "text", json_of(text));
	send_notification(s, "unphi/showText", params);
}

json_t *json_of(struct str text)
{
	json_t *v = json_stringn(text.p ? text.p : "", text.n);
	struct sbuf good = {0};
	for (size_t at = 0; !v && at < text.n;) {
		size_t n = str_utf8(str_sub(text, at, text.n));
		if (n > 0) {
			sbuf_add(&good, text.p + at, n);
		} else {
			sbuf_adds(&good, "\xef\xbf\xbd");
		}
		at += n > 0 ? n : 1;
	}
	v = v ? v : json_stringn(good.p, good.n);
	sbuf_release(&good);
	if (!v) {
		die("out of memory");
	}
	return v;
}

static json_t *json_position(const struct server *s, const struct lsp_text *t, size_t offset)
{
	struct lsp_position p = lsp_position(t, offset, s->units);
	json_t *v = json_object();
	json_object_set_new(v, "line", json_integer((json_int_t)p.line));
	json_object_set_new(v, "character", json_integer((json_int_t)p.character));
	return v;
}

json_t *json_range(const struct server *s, const struct lsp_text *t, size_t begin, size_t end)
{
	json_t *v = json_object();
	json_object_set_new(v, "start", json_position(s, t, begin));
	json_object_set_new(v, "end", json_position(s, t, end));
	return v;
}

static bool read_count(size_t *out, const json_t *v)
{
	json_int_t n = json_integer_value(v);
	*out = (size_t)n;
	return json_is_integer(v) && n >= 0;
}

bool read_position(struct lsp_position *out, const json_t *position)
{
	return read_count(&out->line, json_object_get(position, "line")) &&
	       read_count(&out->character, json_object_get(position, "character"));
}

bool read_range(struct lsp_position out[2], const json_t *range)
{
	return read_position(&out[0], json_object_get(range, "start")) &&
	       read_position(&out[1], json_object_get(range, "end"));
}
