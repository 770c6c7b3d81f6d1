#include "cli/cli.h"

static struct name_list as_names(struct arena *a, const char *const *v, size_t n)
{
	struct name_list l = {{0}};

	l.v.v = ARENA_ARRAY(a, char *, n);
	for (size_t i = 0; i < n; i++) {
		l.v.v[i] = arena_strdup(a, v[i]);
	}
	l.v.n = l.v.cap = n;
	return l;
}

int cli_configure(
	struct cli_opts *out, struct user_configs *all, const struct cli_opts *o, const char *file)
{
	const struct user_config *c;
	int rc;

	*out = *o;
	if (o->config_file) {
		struct str key = str_of(o->config_file);
		struct user_config *given = (struct user_config *)map_get(&all->by_dir, key, 0);
		rc = 0;
		if (!given) {
			given = ARENA_NEW(all->a, struct user_config);
			rc = user_config_load(given, all->a, o->config_file);
			map_set(&all->by_dir, key, (uintptr_t)given);
		}
		c = given;
	} else {
		rc = user_config_find(&c, all, file);
	}
	if (rc) {
		return rc;
	}
	out->config = c;
	out->checks = o->checks ? o->checks : c->checks;
	out->header_filter = o->header_filter ? o->header_filter : c->header_filter;
	if (o->exclude.v.n == 0) {
		out->exclude = as_names(all->a, c->exclude, c->excludes);
	}
	return 0;
}

int cli_settings(struct settings *out, const struct cli_opts *o)
{
	int rc = settings_builtin(out);

	if (rc == 0 && o->config && o->config->settings) {
		rc = settings_override(out, o->config->settings);
	}
	if (o->threshold) {
		out->min_chained_vgprs = o->threshold;
	}
	return rc;
}

void cli_intrinsics_add(struct intrinsic_db *db, struct arena *a, const struct cli_opts *o)
{
	for (size_t i = 0; o->config && i < o->config->functions; i++) {
		const struct user_function *f = &o->config->function[i];
		intrinsic_db_add(db, a, f->name,
			f->accumulator >= 0 ? INTRINSIC_MATRIX : INTRINSIC_PURE, f->accumulator);
	}
}

int cli_intrinsics(struct intrinsic_db *out, struct arena *a, const struct cli_opts *o)
{
	int rc = intrinsic_db_builtin(out, a);

	if (rc == 0) {
		cli_intrinsics_add(out, a, o);
	}
	return rc;
}
