#include <string.h>

#include "base/array.h"
#include "base/msg.h"
#include "cli/cli.h"
#include "measure/compile/compiler.h"

/* clang's option, its old name, and hipcc's old name. */
static const char *const gpu_flags[] = {"--offload-arch=", "--cuda-gpu-arch=", "--amdgpu-target="};

struct names {
	ARRAY(struct str) v;
};

/* If flag[0] chooses a GPU: the value, and in *used the number of words. Else *used is 0. */
static struct str gpu_flag(const char *const *flag, size_t *used)
{
	*used = 0;
	if (strcmp(flag[0], "--offload-arch") == 0 && flag[1]) {
		*used = 2;
		return str_of(flag[1]);
	}
	for (size_t i = 0; i < sizeof(gpu_flags) / sizeof(gpu_flags[0]); i++) {
		size_t n = strlen(gpu_flags[i]);
		if (strncmp(flag[0], gpu_flags[i], n) == 0) {
			*used = 1;
			return str_of(flag[0] + n);
		}
	}
	return (struct str){0};
}

/* Puts the flags that choose a GPU into names, the others into the list that is returned. */
static const char *const *sort_flags(struct arena *a, struct names *names, const char *const *flags)
{
	size_t n = 0;

	while (flags[n]) {
		n++;
	}
	const char **others = ARENA_ARRAY(a, const char *, n + 1);
	for (size_t i = 0, k = 0; i < n;) {
		size_t used;
		struct str name;
		struct str rest = gpu_flag(flags + i, &used);
		while (used && str_split(&rest, ',', &name)) {
			array_push(&names->v, name);
		}
		if (used) {
			i += used;
		} else {
			others[k++] = flags[i++];
		}
	}
	return others;
}

/* The names of --target, else of the flags, else of the configuration; maybe none. */
static void names_asked(struct names *out, const struct cli_opts *o, const struct names *of_flags)
{
	for (size_t i = 0; i < o->targets.v.n; i++) {
		array_push(&out->v, str_of(o->targets.v.v[i]));
	}
	for (size_t i = 0; o->targets.v.n == 0 && i < of_flags->v.n; i++) {
		array_push(&out->v, of_flags->v.v[i]);
	}
	bool named = out->v.n > 0;
	for (size_t i = 0; !named && o->config && i < o->config->targets; i++) {
		array_push(&out->v, str_of(o->config->target[i]));
	}
}

static void names_add_gpus(struct names *out, struct arena *a, struct cli_gpus *gpus)
{
	if (!gpus->known) {
		gpus->n = compiler_native_find(&gpus->v, a);
		gpus->known = true;
	}
	for (size_t i = 0; i < gpus->n; i++) {
		array_push(&out->v, str_of(gpus->v[i]));
	}
}

/* Copies the names, with the GPUs of this machine in place of "native". */
static int names_native(
	struct names *out, struct arena *a, struct cli_gpus *gpus, const struct names *asked)
{
	array_each (&asked->v, struct str, name) {
		if (!str_is(*name, "native")) {
			array_push(&out->v, *name);
			continue;
		}
		names_add_gpus(out, a, gpus);
		if (gpus->n == 0) {
			return fail_usage(
				"this machine has no AMD GPU, so 'native' names no target: "
				"give one such as gfx942 with --target");
		}
	}
	return 0;
}

/* Does o change no source and report no measured figures? Then any target will do. */
static bool only_looks(const struct cli_opts *o)
{
	return o->command == COMMAND_LINT || o->command == COMMAND_LEDGER ||
	       o->command == COMMAND_EXPLAIN || (o->command == COMMAND_VERIFY && o->init);
}

/* If no option names a target: the GPUs of this machine, else the fallback. */
static int names_default(struct names *out, struct arena *a, struct cli_gpus *gpus,
	const struct target_db *db, const struct cli_opts *o)
{
	names_add_gpus(out, a, gpus);
	if (out->v.n == 0 && only_looks(o)) {
		array_push(&out->v, str_of(target_fallback(db)->name));
	} else if (out->v.n == 0) {
		return fail_usage(
			"no target is given, and this machine has no GPU: give one such as %s with "
			"--target",
			target_fallback(db)->name);
	}
	return 0;
}

void cli_targets_note(const struct target_db *db, const char *file, size_t more)
{
	const struct target *t = target_fallback(db);
	struct sbuf whom = {0};

	if (more > 0) {
		sbuf_addf(&whom, "%s and %zu more: ", file, more);
	} else if (file) {
		sbuf_addf(&whom, "%s: ", file);
	}
	msg_note("%sno target is given, and this machine has no GPU: using %s (%s); choose "
		 "another with --target, or with 'targets: [%s]' in %s",
		sbuf_cstr(&whom), t->name, t->marketing, t->name, user_config_name);
	sbuf_release(&whom);
}

/* file: the file whose flags name the target; or NULL. */
static int say_unknown(const struct target_db *db, struct str name, const char *file)
{
	const char *of = file ? file : "", *colon = file ? ": " : "";
	ARRAY(const char *) known = {0};
	struct sbuf list = {0};

	for (size_t i = 0; i < db->n; i++) {
		array_push(&known, db->v[i].name);
		sbuf_addf(&list, "%s%s", i ? ", " : "", db->v[i].name);
	}
	const char *nearest = options_nearest(name, known.v, known.n);
	if (nearest) {
		msg_error("%s%sunknown target '%.*s'; did you mean %s? The targets are: %s", of,
			colon, STR_ARG(name), nearest, sbuf_cstr(&list));
	} else {
		msg_error("%s%sunknown target '%.*s'; the targets are: %s", of, colon,
			STR_ARG(name), sbuf_cstr(&list));
	}
	array_release(&known);
	sbuf_release(&list);
	return FAIL_USAGE;
}

/* The entry of the database, or a copy of it whose name has the features. */
static const struct target *with_features(struct arena *a, const struct target *t, struct str name)
{
	if (str_is(name, t->name)) {
		return t;
	}
	struct target *copy = arena_memdup(a, t, sizeof(*t));
	copy->name = arena_strndup(a, name.p, name.n);
	return copy;
}

static bool has_target(const struct cli_targets *l, struct str name)
{
	for (size_t i = 0; i < l->n; i++) {
		if (str_is(name, l->v[i]->name)) {
			return true;
		}
	}
	return false;
}

/* With some_will_do, skips unknown targets if others are known. */
static int look_up(struct cli_targets *out, struct arena *a, const struct target_db *db,
	const struct names *names, const char *file, bool some_will_do)
{
	out->v = ARENA_ARRAY(a, const struct target *, names->v.n);
	array_each (&names->v, struct str, name) {
		const struct target *t = target_find(db, *name);
		if (!t && !some_will_do) {
			return say_unknown(db, *name, file);
		}
		if (!t) {
			out->unknown =
				out->unknown ? out->unknown : arena_strndup(a, name->p, name->n);
		} else if (!has_target(out, *name)) {
			out->v[out->n++] = with_features(a, t, *name);
		}
	}
	return out->n > 0 ? 0 : say_unknown(db, names->v.v[0], file);
}

int cli_targets_of(struct cli_targets *out, struct arena *a, const struct target_db *db,
	struct cli_gpus *gpus, const struct cli_opts *o, const char *const *flags, const char *file)
{
	struct names of_flags = {0};
	struct names asked = {0};
	struct names names = {0};

	*out = (struct cli_targets){0};
	out->flags = sort_flags(a, &of_flags, flags);
	out->of_flags = o->targets.v.n == 0 && of_flags.v.n > 0;
	names_asked(&asked, o, &of_flags);
	int rc = asked.v.n > 0 ? names_native(&names, a, gpus, &asked)
			       : names_default(&names, a, gpus, db, o);
	if (!rc) {
		out->fallback = asked.v.n == 0 && gpus->n == 0;
		bool some_will_do = file && out->of_flags && !o->measure && !o->probe;
		rc = look_up(out, a, db, &names, out->of_flags ? file : NULL, some_will_do);
	}
	array_release(&of_flags.v);
	array_release(&asked.v);
	array_release(&names.v);
	return rc;
}

static bool has_name(const struct names *l, struct str name)
{
	bool has = false;

	array_each (&l->v, struct str, x) {
		has |= str_eq(*x, name);
	}
	return has;
}

const char *cli_targets_uncovered(
	struct arena *a, const struct cli_opts *o, const char *const *flags)
{
	struct names of_flags = {0};
	struct names asked = {0};
	const char *why = NULL;

	sort_flags(a, &of_flags, flags);
	names_asked(&asked, o, &of_flags);
	array_each (&of_flags.v, struct str, name) {
		if (str_is(*name, "native")) {
			why = "it compiles for 'native', which is another GPU on other machines: "
			      "name one with --offload-arch";
		} else if (!why && !has_name(&asked, *name)) {
			why = arena_printf(a,
				"it compiles for %.*s, which --target leaves out, but a rewrite "
				"has to be right there too",
				STR_ARG(*name));
		}
	}
	if (of_flags.v.n == 0) {
		why = "it names no GPU: name one with --offload-arch";
	}
	array_release(&of_flags.v);
	array_release(&asked.v);
	return why;
}

int cli_targets_find(struct cli_targets *out, struct arena *a, const struct cli_opts *o)
{
	struct target_db *db = ARENA_NEW(a, struct target_db);
	struct cli_gpus gpus = {0};
	int rc = target_db_builtin(db, a);

	rc = rc ? rc : cli_targets_of(out, a, db, &gpus, o, o->flags, NULL);
	if (rc == 0 && out->fallback) {
		cli_targets_note(db, NULL, 0);
	}
	return rc;
}

void cli_targets_by_compilers(struct cli_targets *t, struct arena *a, const struct cli_opts *opts)
{
	size_t each = opts->compilers.v.n, n = 0;

	if (each < 2) {
		return;
	}
	const struct target **v = ARENA_ARRAY(a, const struct target *, t->n *each);
	const char *const **flags = ARENA_ARRAY(a, const char *const *, t->n *each);
	const char **compiler = ARENA_ARRAY(a, const char *, t->n *each);
	for (size_t i = 0; i < t->n; i++) {
		for (size_t k = 0; k < each; k++, n++) {
			v[n] = t->v[i];
			flags[n] = t->view_flags ? t->view_flags[i] : NULL;
			compiler[n] = opts->compilers.v.v[k];
		}
	}
	t->v = v;
	t->n = n;
	t->view_flags = t->view_flags ? flags : NULL;
	t->view_compiler = compiler;
}
