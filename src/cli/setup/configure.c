#include "cli/cli.h"

#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/kept/stamp.h"
#include "config/yaml.h"
#include "rule/rule.h"

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

/* Without this check a misspelt rule name would silently disable the rule. */
static int check_checks(const char *checks, const char *from)
{
	struct str glob = rule_unmatched(checks);
	if (glob.n == 0) {
		return 0;
	}
	return fail_usage("%s: no rule is called '%.*s'; unphi lint --list-checks lists them", from,
		STR_ARG(glob));
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
	rc = rc ? rc : check_checks(o->checks, "--checks");
	rc = rc ? rc : check_checks(c->checks, c->path);
	if (rc) {
		return rc;
	}
	out->config = c;
	out->checks = o->checks ? o->checks : c->checks;
	/* in rewrite it selects headers to change; only the command line may do that */
	bool reports = o->command == COMMAND_LINT && !o->header_filter;
	out->header_filter = reports ? c->header_filter : o->header_filter;
	if (o->exclude.v.n == 0) {
		out->exclude = as_names(all->a, c->exclude, c->excludes);
	}
	return 0;
}

/* KEY=VALUE of --dead-sync, as in .unphi.yaml. */
static int sync_options(struct settings *out, struct arena *a, const struct cli_opts *o)
{
	static const char list[] = "exclude-functions=";
	struct sbuf yaml = {0}, names = {0};
	struct yaml_node *root;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < o->dead_sync.v.n; i++) {
		const char *word = o->dead_sync.v.v[i];
		size_t key = strcspn(word, "=");
		if (str_starts(str_of(word), list)) {
			sbuf_addf(&names, "%s'%s'", names.n ? ", " : "", word + strlen(list));
		} else if (!word[key]) {
			rc = fail_usage("--dead-sync takes KEY=VALUE, but '%s' has no '='", word);
		} else {
			sbuf_addf(&yaml, "  %.*s: %s\n", (int)key, word, word + key + 1);
		}
	}
	if (rc == 0 && (yaml.n || names.n)) {
		const char *text = arena_printf(a, "dead-sync:\n%s%s%s%s", sbuf_cstr(&yaml),
			names.n ? "  exclude-functions: [" : "", names.n ? sbuf_cstr(&names) : "",
			names.n ? "]\n" : "");
		rc = yaml_parse(&root, a, str_of(text), "--dead-sync");
		rc = rc ? rc : settings_override(out, a, root);
	}
	sbuf_release(&yaml);
	sbuf_release(&names);
	return rc;
}

bool cli_key_add(struct sbuf *key, const struct cli_opts *o)
{
	const char *const read[] = {o->config ? o->config->path : NULL, o->baseline};
	bool ok = true;

	options_key(key, o);
	for (size_t i = 0; i < sizeof(read) / sizeof(read[0]); i++) {
		struct sbuf text = {0};
		ok = ok && (!read[i] || (file_exists(read[i]) && file_read(&text, read[i]) == 0));
		stamp_add_text(key, sbuf_str(&text));
		sbuf_release(&text);
	}
	return ok;
}

int cli_settings(struct settings *out, struct arena *a, const struct cli_opts *o)
{
	int rc = settings_builtin(out);

	if (rc == 0 && o->config && o->config->settings) {
		rc = settings_override(out, a, o->config->settings);
	}
	if (o->threshold) {
		out->min_chained_vgprs = o->threshold;
		out->min_wide_vgprs = o->threshold;
	}
	if (o->prefer != PREFER_BALANCE) {
		out->prefer = (enum prefer)o->prefer;
	}
	return rc ? rc : sync_options(out, a, o);
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
