/* unphi cache: shows and prunes the caches. */
#include <string.h>
#include <time.h>

#include "base/kept/cache.h"
#include "base/kept/caches.h"
#include "base/msg.h"
#include "cli/cli.h"
#include "report/form/json.h"
#include "report/form/table.h"

enum {
	UNUSED_DAYS = 30, /* the default of prune */
	DAY_S = 24 * 60 * 60
};

#define MIB ((uint64_t)1 << 20)

static void sizes_text(struct sbuf *out, const char *dir, const struct cache_kind *kind, size_t n)
{
	static const char *const headers[] = {"cache", ">entries", ">bytes"};
	struct table t;
	uint64_t bytes = 0;

	table_init(&t, 3, headers);
	for (size_t i = 0; i < n; i++) {
		table_cell(&t, "%s", kind[i].name);
		table_cell(&t, "%zu", kind[i].entries);
		table_cell(&t, "%llu", (unsigned long long)kind[i].bytes);
		bytes += kind[i].bytes;
	}
	table_print(out, &t);
	table_release(&t);
	sbuf_addf(out, "%s: %.1f MiB\n", dir, (double)bytes / (double)MIB);
}

static void sizes_json(struct sbuf *out, const char *dir, const struct cache_kind *kind, size_t n)
{
	struct json j = jsonw_begin(out);
	jsonw_key_str(&j, "directory", str_of(dir));
	jsonw_key_array(&j, "caches");
	for (size_t i = 0; i < n; i++) {
		jsonw_object(&j);
		jsonw_key_str(&j, "name", str_of(kind[i].name));
		jsonw_key_i64(&j, "entries", (int64_t)kind[i].entries);
		jsonw_key_i64(&j, "bytes", (int64_t)kind[i].bytes);
		jsonw_end(&j);
	}
	jsonw_finish(&j);
}

static int size(struct arena *a, const struct cli_opts *o, const char *dir)
{
	struct sbuf text = {0};
	size_t n;
	const struct cache_kind *kind = cache_kinds(&n, a);

	(o->format == FORMAT_JSON ? sizes_json : sizes_text)(&text, dir, kind, n);
	int rc = cli_report_write(o, sbuf_str(&text));
	sbuf_release(&text);
	return rc;
}

static int prune(struct arena *a, const struct cli_opts *o, const char *dir)
{
	time_t since =
		o->cache_limit && !o->unused_days
			? 0
			: time(NULL) -
				  (time_t)(o->unused_days ? o->unused_days : UNUSED_DAYS) * DAY_S;
	uint64_t limit = o->cache_limit ? o->cache_limit * MIB : UINT64_MAX;
	struct cache_pruned gone = cache_prune(a, since, limit);

	msg_note("%s: %zu entr%s removed, %.1f MiB", dir, gone.entries,
		gone.entries == 1 ? "y" : "ies", (double)gone.bytes / (double)MIB);
	return 0;
}

int cmd_cache(const struct cli_opts *o)
{
	struct arena *a = arena_create();
	const char *dir = cache_dir(a), *what = o->files.v[0];
	int rc = FAIL_USAGE;

	if (!dir) {
		msg_error("%s", cache_refusal(a));
	} else if (strcmp(what, "size") == 0) {
		rc = size(a, o, dir);
	} else {
		rc = prune(a, o, dir);
	}
	arena_free(a);
	return cli_exit(rc);
}
