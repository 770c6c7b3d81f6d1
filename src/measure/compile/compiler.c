#include "measure/compile/compiler.h"

#include <stdlib.h>
#include <string.h>
#include "base/array.h"
#include "base/file.h"
#include "base/msg.h"
#include "base/process/proc.h"
#include "base/words.h"
#include "measure/compile/devlib.h"
#include "measure/compile/compile_cache.h"

double compiler_answers_in_s = 60;

#define REMEDY "install hipcc or clang, or name one with --compiler"

/* Adds the full path of name, once, if it is executable. */
static void add_program(struct words *list, struct arena *a, const char *name)
{
	const char *path = proc_find(a, name);
	if (path) {
		/* Links are not resolved: clang's behaviour depends on its name. */
		words_add_once(list, path_absolute(a, NULL, path));
	}
}

/* name in the directories of a ROCm installation: ROCM_PATH, HIP_PATH, /opt/rocm. */
static void add_rocm_program(struct words *list, struct arena *a, const char *name)
{
	const char *roots[] = {getenv("ROCM_PATH"), getenv("HIP_PATH"), "/opt/rocm"};
	static const char *const bins[] = {"bin", "llvm/bin"};
	for (size_t i = 0; i < sizeof(roots) / sizeof(roots[0]); i++) {
		for (size_t j = 0; roots[i] && *roots[i] && j < sizeof(bins) / sizeof(bins[0]);
			j++) {
			add_program(list, a, arena_printf(a, "%s/%s/%s", roots[i], bins[j], name));
		}
	}
}

static void add_compilers(struct words *list, struct arena *a)
{
	add_program(list, a, "hipcc");
	add_rocm_program(list, a, "hipcc");
	add_rocm_program(list, a, "clang++");
	for (unsigned v = 40; v >= 15; v--) { /* newest first: it supports the most targets */
		add_program(list, a, arena_printf(a, "clang++-%u", v));
	}
	add_program(list, a, "clang++");
}

unsigned compiler_major(struct str said)
{
	static const char mark[] = "clang version ";
	unsigned major = 0;
	size_t at = str_find(said, mark, 0);
	at = at == SIZE_MAX ? said.n : at + sizeof(mark) - 1;
	for (; at < said.n && said.p[at] >= '0' && said.p[at] <= '9' && major < 1000; at++) {
		major = major * 10 + (unsigned)(said.p[at] - '0');
	}
	return major;
}

/* Fills in hipcc, version and major. False if the output does not mention clang. */
static bool take_version(struct compiler *c, struct arena *a, struct str said)
{
	struct str rest = said, line;
	c->hipcc = str_find(path_base(str_of(c->path)), "hipcc", 0) != SIZE_MAX;
	while (str_line(&rest, &line)) {
		bool is_version = str_find(line, "clang version ", 0) != SIZE_MAX;
		c->hipcc = c->hipcc || str_starts(line, "HIP version");
		if (is_version && !c->version) {
			c->version = arena_strndup(a, line.p, line.n);
		}
	}
	c->major = compiler_major(said);
	return c->version != NULL;
}

enum answer {
	ANSWER_NO,
	ANSWER_YES,
	ANSWER_LATE,
};

static enum answer answer_of(const struct proc_result *r, bool ok)
{
	return r->timed_out ? ANSWER_LATE : ok ? ANSWER_YES : ANSWER_NO;
}

static enum answer read_version(struct compiler *c, struct arena *a)
{
	const char *argv[] = {c->path, "--version", NULL};
	struct proc_job job = {.argv = argv, .time_limit_s = compiler_answers_in_s};
	struct proc_result r = {0};
	proc_run(&r, &job);
	bool ok = proc_ok(&r) && take_version(c, a, sbuf_str(&r.out));
	enum answer said = answer_of(&r, ok);
	proc_result_release(&r);
	return said;
}

static enum answer accepts(
	const struct compiler *c, const char *target, const char *const *more, struct sbuf *said)
{
	struct arena *a = arena_create();
	ARRAY(const char *) argv = {0};
	const char *arch = arena_printf(a, "--offload-arch=%s", target);
	const char *head[] = {c->path, arch, "--offload-device-only", "-nogpuinc", "-S", "-o", "-",
		"-Wno-unused-command-line-argument"};
	for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++) {
		array_push(&argv, head[i]);
	}
	for (; more && *more; more++) {
		array_push(&argv, *more);
	}
	if (said) {
		array_push(&argv, "-v");
	}
	array_push(&argv, "-x");
	array_push(&argv, "hip");
	array_push(&argv, "/dev/null");
	array_push(&argv, NULL);
	struct proc_job job = {.argv = argv.v, .time_limit_s = compiler_answers_in_s};
	struct proc_result r = {0};
	proc_run(&r, &job);
	bool ok = proc_ok(&r);
	enum answer got = answer_of(&r, ok);
	if (said && ok) {
		sbuf_reset(said);
		sbuf_addstr(said, sbuf_str(&r.err));
	}
	proc_result_release(&r);
	array_release(&argv);
	arena_free(a);
	return got;
}

bool compiler_accepts(
	const struct compiler *c, const char *target, const char *const *more, struct sbuf *said)
{
	return accepts(c, target, more, said) == ANSWER_YES;
}

/* Do not ask again: it would hang again. */
static const char *too_late(struct arena *a)
{
	return arena_printf(a, "it gave no answer in %g s", compiler_answers_in_s);
}

/* NULL if c can be used for target, else why not, as the end of a sentence; its -v output goes to
 * said. */
static const char *ask(struct compiler *c, struct arena *a, const char *target, struct sbuf *said)
{
	static const char *const no_libraries[] = {"-nogpulib", NULL};
	const char *extra[4] = {"-x", "hip", NULL, NULL};
	enum answer first = accepts(c, target, NULL, said);
	if (first == ANSWER_LATE) {
		return too_late(a);
	}
	/* hipcc is slow, and -v has all the data, unless it is not clear whether this is hipcc */
	bool known = first == ANSWER_YES && take_version(c, a, sbuf_str(said)) && c->hipcc;
	c->version = known ? c->version : NULL;
	c->major = known ? c->major : 0;
	enum answer version = known ? ANSWER_YES : read_version(c, a);
	if (version != ANSWER_YES) {
		return version == ANSWER_LATE ? too_late(a) : "it does not say which clang it is";
	}
	if (first != ANSWER_YES) {
		enum answer again = accepts(c, target, no_libraries, said);
		if (again != ANSWER_YES) {
			return again == ANSWER_LATE ? too_late(a) : "it does not know the target";
		}
		const char *dir;
		const char *why = devlib_find(&dir, a, c, target);
		if (why) {
			return why;
		}
		extra[2] = arena_printf(a, DEVLIB_OPTION "%s", dir);
	}
	c->extra = arena_memdup(a, extra, sizeof(extra));
	return NULL;
}

static const char *equip(struct compiler *c, struct arena *a, const char *target, bool no_cache)
{
	struct str key = compile_cache_compiler_key(a, c->path, target);
	c->target = arena_strdup(a, target);
	if (!no_cache && compile_cache_compiler_get(c, a, key)) {
		return NULL;
	}
	struct sbuf said = {0};
	const char *why = ask(c, a, target, &said);
	if (!why && !no_cache) {
		compile_cache_compiler_put(c, a, key, sbuf_str(&said));
	}
	sbuf_release(&said);
	return why;
}

const char *compiler_usual(struct arena *a, const char *wanted)
{
	struct words list = {{0}};
	const char *named = wanted ? wanted : getenv("UNPHI_COMPILER");
	if (named && *named) {
		add_program(&list, a, named);
	} else {
		add_compilers(&list, a);
	}
	const char *first = list.v.n > 0 ? list.v.v[0] : NULL;
	array_release(&list.v);
	return first;
}

void compiler_name(struct sbuf *out, const struct compiler *c)
{
	struct str version = str_of(c->version ? c->version : "");
	size_t at = str_find(version, "version ", 0);
	size_t end = at == SIZE_MAX ? at : str_find(version, ".", at);

	sbuf_addstr(out, path_base(str_of(c->path)));
	if (end != SIZE_MAX) {
		sbuf_addf(out, " (clang %.*s)", (int)(end - at - 8), version.p + at + 8);
	}
}

static bool is_target_name(const char *target)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789:+-";
	return strncmp(target, "gfx", 3) == 0 && strspn(target, allowed) == strlen(target);
}

int compiler_find(struct compiler *out, struct arena *a, const char *wanted, const char *target,
	bool no_cache)
{
	const char *from = "--compiler";
	if (!is_target_name(target)) {
		return fail_usage(
			"'%s' is not a GPU target: name one like gfx942 with --target", target);
	}
	if (!wanted) {
		wanted = getenv("UNPHI_COMPILER");
		wanted = wanted && *wanted ? wanted : NULL;
		from = "UNPHI_COMPILER";
	}
	struct words list = {{0}};
	if (wanted) {
		add_program(&list, a, wanted);
		if (list.v.n == 0) {
			return fail_usage("%s (from %s) is not there or cannot be run: " REMEDY,
				wanted, from);
		}
	} else {
		add_compilers(&list, a);
	}
	struct sbuf tried = {0};
	bool found = false;
	for (size_t i = 0; i < list.v.n && !found; i++) {
		struct compiler c = {.path = list.v.v[i]};
		const char *why = equip(&c, a, target, no_cache);
		if (!why) {
			*out = c;
			found = true;
			break;
		}
		sbuf_addf(&tried, "%s%s (%s): %s", tried.n ? "; " : "", c.path,
			c.version ? c.version : "version unknown", why);
	}
	int rc = 0;
	if (!found && list.v.n == 0) {
		rc = fail_usage("there is no device compiler, neither hipcc nor clang++: " REMEDY);
	} else if (!found) {
		rc = fail_input("no compiler here can be used for %s: " REMEDY ". Tried: %s",
			target, sbuf_cstr(&tried));
	}
	sbuf_release(&tried);
	array_release(&list.v);
	return rc;
}

static void add_target(struct words *list, struct arena *a, struct str name)
{
	if (str_starts(name, "gfx") && !str_is(name, "gfx000")) {
		words_add_once(list, arena_str(a, name).p);
	}
}

size_t compiler_native_find(const char ***targets, struct arena *a)
{
	struct words tools = {{0}};
	struct words found = {{0}};
	add_program(&tools, a, "amdgpu-arch");
	add_rocm_program(&tools, a, "amdgpu-arch");
	add_program(&tools, a, "amdgpu-arch-19");
	add_program(&tools, a, "rocm_agent_enumerator");
	add_rocm_program(&tools, a, "rocm_agent_enumerator");
	for (size_t i = 0; i < tools.v.n && found.v.n == 0; i++) {
		const char *argv[] = {tools.v.v[i], NULL};
		struct proc_job job = {.argv = argv, .time_limit_s = compiler_answers_in_s};
		struct proc_result r = {0};
		proc_run(&r, &job);
		struct str rest = sbuf_str(&r.out);
		struct str line;
		while (proc_ok(&r) && str_line(&rest, &line)) {
			add_target(&found, a, str_trim(line));
		}
		proc_result_release(&r);
	}
	size_t n = found.v.n;
	*targets = array_to_arena(a, &found.v);
	array_release(&tools.v);
	array_release(&found.v);
	return n;
}
