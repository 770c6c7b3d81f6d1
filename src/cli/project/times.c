#include "cli/project/times.h"

#include <jansson.h>

#include "base/file.h"
#include "base/msg.h"

static json_t *of_command(const struct times *t)
{
	return json_object_get(json_object_get(t->of, "seconds"), t->command);
}

static void take(struct times *t)
{
	const char *name;
	json_t *seconds;
	int64_t sum = 0, n = 0;

	json_object_foreach (of_command(t), name, seconds) {
		int64_t ms = (int64_t)(json_number_value(seconds) * 1e3);
		ms = ms > 0 ? ms : 1;
		map_set(&t->ms, str_of(name), (uintptr_t)ms);
		sum += ms;
		n++;
	}
	t->usual_ms = n > 0 ? sum / n : 1;
}

int times_load(struct times *t, const char *path)
{
	struct sbuf text = {0};
	int rc = path && file_is_named(path) ? file_read(&text, path) : 0;

	t->of = rc == 0 && text.n > 0 ? json_loadb(text.p, text.n, 0, NULL) : NULL;
	if (text.n > 0 && !json_is_object(json_object_get(t->of, "seconds"))) {
		rc = fail_usage("%s: it has no times that unphi wrote with --times", path);
	}
	sbuf_release(&text);
	t->usual_ms = 1;
	take(t);
	return rc;
}

int64_t times_of(const struct times *t, struct str name)
{
	return (int64_t)map_get(&t->ms, name, (uintptr_t)t->usual_ms);
}

/* Sets the time of a name in the document. */
static void keep(struct times *t, struct str name, double seconds)
{
	if (!t->of) {
		t->of = json_pack("{s:i,s:{}}", "version", 1, "seconds");
	}
	json_t *all = json_object_get(t->of, "seconds");
	json_t *mine = json_object_get(all, t->command);
	if (!mine) {
		mine = json_object();
		json_object_set_new(all, t->command, mine);
	}
	const char *key = arena_strndup(t->a, name.p, name.n);
	/* rounded to milliseconds: more digits would only change with every run */
	json_object_set_new(mine, key, json_real((double)(int64_t)(seconds * 1e3 + 0.5) / 1e3));
}

void times_add(struct times *t, struct str name, double seconds)
{
	struct str key = {arena_printf(t->a, "\n%.*s", STR_ARG(name)), name.n + 1};
	uintptr_t us = map_get(&t->ms, key, 0) + (uintptr_t)(seconds * 1e6);

	map_set(&t->ms, key, us); /* the key is no file name: it begins with a newline */
	keep(t, name, (double)us / 1e6);
}

int times_write(struct times *t, const char *path)
{
	char *text = json_dumps(t->of, JSON_INDENT(1) | JSON_SORT_KEYS | JSON_REAL_PRECISION(6));
	struct sbuf b = {0};

	sbuf_addf(&b, "%s\n", text ? text : "{\"version\":1,\"seconds\":{}}");
	int rc = file_write_atomic(path, sbuf_str(&b));
	sbuf_release(&b);
	free(text);
	return rc;
}

void times_release(struct times *t)
{
	json_decref(t->of);
	map_release(&t->ms);
}
