#include "report/form/shard.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "report/form/json.h"

/* The end of a part: the last key, with the checksum, and the brace. */
#define SEAL ",\n  \"checksum\": "
#define END "\n}\n"

/* RFC 4648. */
static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static void add_base64(struct sbuf *out, struct str s)
{
	for (size_t i = 0; i < s.n; i += 3) {
		size_t left = s.n - i;
		unsigned long v = (unsigned long)(unsigned char)s.p[i] << 16;
		v |= left > 1 ? (unsigned long)(unsigned char)s.p[i + 1] << 8 : 0;
		v |= left > 2 ? (unsigned long)(unsigned char)s.p[i + 2] : 0;
		sbuf_addc(out, digits[v >> 18]);
		sbuf_addc(out, digits[v >> 12 & 63]);
		sbuf_addc(out, left > 1 ? digits[v >> 6 & 63] : '=');
		sbuf_addc(out, left > 2 ? digits[v & 63] : '=');
	}
}

/* False if it is not base64. */
static bool read_base64(struct str *out, struct arena *a, const char *s)
{
	size_t n = s ? strlen(s) : 1, pad = 0;

	if (n % 4 != 0) {
		return false;
	}
	char *bytes = arena_alloc(a, n / 4 * 3 + 1);
	*out = (struct str){bytes, 0};
	for (size_t i = 0; i < n; i += 4) {
		unsigned long v = 0;
		for (size_t k = 0; k < 4; k++) {
			const char *at = s[i + k] == '=' ? digits : strchr(digits, s[i + k]);
			pad += s[i + k] == '=';
			if (!at) {
				return false;
			}
			v = v << 6 | (unsigned long)(at - digits);
		}
		bytes[out->n++] = (char)(v >> 16);
		bytes[out->n++] = (char)(v >> 8 & 255);
		bytes[out->n++] = (char)(v & 255);
	}
	out->n -= pad <= 2 && pad <= out->n ? pad : 0;
	return pad <= 2;
}

static void put_bytes(struct json *j, const char *key, struct str bytes)
{
	struct sbuf b = {0};

	add_base64(&b, bytes);
	jsonw_key_str(j, key, sbuf_str(&b));
	sbuf_release(&b);
}

static void put_unit(struct json *j, const struct shard_unit *u)
{
	jsonw_object(j);
	jsonw_key_i64(j, "unit", (int64_t)u->index);
	jsonw_key_str(j, "file", str_of(u->name));
	jsonw_key_i64(j, "exit", u->code);
	jsonw_key_double(j, "seconds", u->seconds);
	put_bytes(j, "said", u->err);
	put_bytes(j, "errors", u->said);
	put_bytes(j, "gave", u->out);
	jsonw_end(j);
}

static void put_text(struct json *j, const struct shard_text *t)
{
	jsonw_object(j);
	jsonw_key_str(j, "file", str_of(t->path));
	jsonw_key_str(j, "real", str_of(t->real));
	put_bytes(j, "text", t->text);
	jsonw_end(j);
}

void shard_print(struct sbuf *out, const struct shard_part *p)
{
	struct json j;

	jsonw_init(&j, out);
	jsonw_object(&j);
	jsonw_key_i64(&j, "unphi_part", 1);
	jsonw_key_str(&j, "unphi", STR(UNPHI_VERSION));
	jsonw_key_str(&j, "command", str_of(p->command));
	jsonw_key_str(&j, "options", str_of(p->options));
	jsonw_key_str(&j, "split", str_of(p->split));
	jsonw_key_i64(&j, "shard", p->shard);
	jsonw_key_i64(&j, "of", p->of);
	jsonw_key_i64(&j, "units", (int64_t)p->units);
	jsonw_key_i64(&j, "exit", p->code);
	put_bytes(&j, "errors", p->said);
	jsonw_key_array(&j, "results");
	for (size_t i = 0; i < p->n; i++) {
		put_unit(&j, &p->unit[i]);
	}
	jsonw_end(&j);
	jsonw_key_array(&j, "texts");
	for (size_t i = 0; i < p->texts; i++) {
		put_text(&j, &p->text[i]);
	}
	jsonw_finish(&j);
	out->n -= strlen(END);
	shard_seal(out);
}

/* The checksum of all bytes before it. */
static void add_seal(struct sbuf *out, struct str text)
{
	sbuf_addf(out, SEAL "\"%016" PRIx64 "\"" END, str_hash(text, 0));
}

void shard_seal(struct sbuf *text)
{
	struct sbuf seal = {0};

	add_seal(&seal, sbuf_str(text));
	sbuf_addstr(text, sbuf_str(&seal));
	sbuf_release(&seal);
}

static bool is_sealed(struct str text)
{
	struct sbuf seal = {0};

	add_seal(&seal, STR(""));
	struct str front = str_sub(text, 0, text.n > seal.n ? text.n - seal.n : 0);
	sbuf_reset(&seal);
	add_seal(&seal, front);
	bool same = str_eq(str_sub(text, front.n, text.n), sbuf_str(&seal));
	sbuf_release(&seal);
	return same;
}

static bool bytes_of(struct str *out, struct arena *a, const json_t *o, const char *key)
{
	return read_base64(out, a, json_string_value(json_object_get(o, key)));
}

static bool number_of(size_t *out, const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);
	json_int_t n = json_integer_value(v);

	*out = n > 0 ? (size_t)n : 0;
	return json_is_integer(v) && n >= 0;
}

static bool code_of(int *out, const json_t *o)
{
	size_t code;
	bool ok = number_of(&code, o, "exit") && code <= EXIT_INPUT;

	*out = ok ? (int)code : 0;
	return ok;
}

static bool load_unit(struct shard_unit *u, struct arena *a, const json_t *o, size_t units)
{
	u->name = json_text_in(a, o, "file");
	u->seconds = json_number_value(json_object_get(o, "seconds"));
	bool ok = number_of(&u->index, o, "unit") && code_of(&u->code, o) &&
		  bytes_of(&u->err, a, o, "said") && bytes_of(&u->out, a, o, "gave") &&
		  bytes_of(&u->said, a, o, "errors");
	return ok && u->name && u->name[0] && u->index < units && u->seconds >= 0 &&
	       u->seconds <= SHARD_SECONDS_MAX;
}

static bool load_text(struct shard_text *t, struct arena *a, const json_t *o)
{
	t->path = json_text_in(a, o, "file");
	t->real = json_text_in(a, o, "real");
	return bytes_of(&t->text, a, o, "text") && t->path && t->real;
}

static bool load(struct shard_part *p, struct arena *a, const json_t *root)
{
	const json_t *units = json_object_get(root, "results");
	const json_t *texts = json_object_get(root, "texts");
	size_t shard, of;
	bool ok = number_of(&shard, root, "shard") && number_of(&of, root, "of") &&
		  number_of(&p->units, root, "units") && shard >= 1 && shard <= of &&
		  of <= SHARDS_MAX && code_of(&p->code, root) &&
		  bytes_of(&p->said, a, root, "errors") && json_is_array(units) &&
		  json_is_array(texts);

	p->command = json_text_in(a, root, "command");
	p->options = json_text_in(a, root, "options");
	p->split = json_text_in(a, root, "split");
	p->shard = ok ? (unsigned)shard : 0;
	p->of = ok ? (unsigned)of : 0;
	p->n = json_array_size(units);
	p->unit = ARENA_ARRAY(a, struct shard_unit, p->n);
	p->texts = json_array_size(texts);
	p->text = ARENA_ARRAY(a, struct shard_text, p->texts);
	for (size_t i = 0; i < p->n && ok; i++) {
		ok = load_unit(&p->unit[i], a, json_array_get(units, i), p->units) &&
		     (i == 0 || p->unit[i].index > p->unit[i - 1].index);
	}
	for (size_t i = 0; i < p->texts && ok; i++) {
		ok = load_text(&p->text[i], a, json_array_get(texts, i));
	}
	return ok && p->command && p->options && p->split;
}

int shard_load(struct shard_part *out, struct arena *a, const char *path)
{
	struct sbuf text = {0};
	*out = (struct shard_part){.path = path};
	int rc = file_read(&text, path);
	json_t *root = rc ? NULL : json_loadb(sbuf_cstr(&text), text.n, 0, NULL);
	const char *by = json_string_value(json_object_get(root, "unphi"));

	if (rc == 0 && (json_integer_value(json_object_get(root, "unphi_part")) != 1 || !by)) {
		rc = fail_input("%s: this is not a part that unphi wrote with --shard and "
				"--report; run its shard again",
			path);
	} else if (rc == 0 && strcmp(by, UNPHI_VERSION) != 0) {
		rc = fail_input("%s: it was written by unphi %s, and this is unphi " UNPHI_VERSION
				"; use the same for all shards",
			path, by);
	} else if (rc == 0 && (!is_sealed(sbuf_str(&text)) || !load(out, a, root))) {
		rc = shard_damaged(path);
	}
	sbuf_release(&text);
	json_decref(root);
	return rc;
}

int shard_damaged(const char *path)
{
	return fail_input("%s: the part is damaged; run its shard again", path);
}
