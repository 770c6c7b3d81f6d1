#include "cli/rewrite/choice_cache.h"

#include <limits.h>
#include <unistd.h>

#include "base/kept/stamped.h"

#define CACHE_BYTES ((uint64_t)64 << 20)

static bool is_eligible(const struct choice_cache_job *job)
{
	const struct cli_opts *o = job->opts;
	bool ok = !o->no_cache && !o->bench && !o->verify && !o->strategy && !o->header_filter;
	for (size_t i = 0; ok && i < job->targets->n; i++) {
		ok = job->compiler[i].identity != NULL;
	}
	return ok;
}

/* Makes the key; false if a part of it is unknown. */
static bool add_key(struct sbuf *key, struct arena *a, const struct choice_cache_job *job)
{
	const struct cli_opts *o = job->opts;
	char cwd[PATH_MAX];
	sbuf_adds(key, "rewrite 8 " UNPHI_VERSION "\n");
	bool ok = is_eligible(job) && getcwd(cwd, sizeof(cwd)) &&
		  stamp_add_program(key, "/proc/self/exe") && cli_key_add(key, o) &&
		  cli_runs_key_add(key, a, o, job->path);
	if (!ok) {
		return false;
	}
	stamp_add_word(key, "in", cwd);
	stamp_add_word(key, "path", job->path);
	stamp_add_word(key, "shown", job->shown);
	stamp_add_word(key, "untouchable", job->untouchable);
	stamp_add_word(key, "of", job->one_of_many ? "many" : NULL);
	for (const char *const *f = job->targets->flags; f && *f; f++) {
		stamp_add_word(key, "flag", *f);
	}
	for (size_t i = 0; i < job->targets->n; i++) {
		stamp_add_word(key, "target", job->targets->v[i]->name);
		stamp_add_word(key, "compiler", job->compiler[i].identity);
		const char *const *f =
			job->targets->view_flags ? job->targets->view_flags[i] : NULL;
		for (; f && *f; f++) {
			stamp_add_word(key, "flag", *f);
		}
	}
	stamp_add_text(key, job->source);
	return true;
}

static struct cache *open(struct arena *a)
{
	return cache_open(a, "rewrite", CACHE_BYTES);
}

bool choice_cache_get(
	struct cached_choice *out, struct arena *a, const struct choice_cache_job *job)
{
	struct sbuf key = {0};
	struct stamped e = {0};
	bool ok = add_key(&key, a, job) && stamped_get(&e, a, open(a), sbuf_str(&key), false);
	out->report = e.content;
	out->stamps = e.stamps;
	ok = ok && str_sized(&out->text, &out->report);
	sbuf_release(&key);
	return ok;
}

void choice_cache_put(struct arena *a, const struct choice_cache_job *job,
	const struct cached_choice *k, struct str stamps)
{
	struct sbuf key = {0}, entry = {0};
	if (stamps.n > 0 && add_key(&key, a, job)) {
		sbuf_addstr(&entry, stamps);
		sbuf_addc(&entry, '\n');
		sbuf_add_sized(&entry, k->text);
		sbuf_addstr(&entry, k->report);
		cache_put(open(a), sbuf_str(&key), sbuf_str(&entry));
	}
	sbuf_release(&key);
	sbuf_release(&entry);
}
