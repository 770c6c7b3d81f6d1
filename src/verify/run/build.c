/* Runs the host's compiler; build.h is the interface. */
#include "verify/run/build.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "measure/compile/compiler.h"
#include "verify/run/flags.h"
#include "verify/run/host_compiler.h"
#include "verify/run/launcher.h"
#include "verify/run/runtime.h"
#include "verify/runtime/prepare.h"
#include "verify/spec/kernel_name.h"

#define COMPILE_LIMIT_S 300.0
#define RUNNER_LIMIT_S 3600.0 /* a safety limit: the sources of the runner always compile */
#define CACHE_BYTES ((uint64_t)256 << 20)

/* ---- the runner ---- */

static int write_file(struct verify *v, const char *path, struct str text)
{
	struct str dir = path_dir(str_of(path));
	int rc = path_make_dirs(arena_strndup(v->a, dir.p, dir.n));
	return rc ? rc : file_write_atomic(path, text);
}

static int write_runtime(struct verify *v)
{
	for (size_t i = 0; i < runtime_files_n; i++) {
		const char *path = arena_printf(v->a, "%s/%s", v->dir, runtime_files[i].name);
		int rc = write_file(v, path, runtime_files[i].text);
		if (rc) {
			return rc;
		}
	}
	return 0;
}

/* Adds the start of every compile command. */
static void begin_compile(struct words *argv, struct verify *v)
{
	const char *words[] = {v->compiler, "-std=gnu++17", "-w", "-ferror-limit=5",
		"-fmessage-length=200", "-I", arena_printf(v->a, "%s/runtime", v->dir), "-I",
		v->dir, NULL};
	words_add_all(argv, words);
}

/* Adds words, without -fexcess-precision for clang 15, which neither knows nor needs it. */
static void add_known(struct words *argv, const struct verify *v, const char *const *words)
{
	for (; *words; words++) {
		if (v->major >= 16 || strncmp(*words, "-fexcess-precision", 18) != 0) {
			words_add(argv, *words);
		}
	}
}

static void end_compile(struct words *argv, const char *in, const char *out)
{
	const char *words[] = {in, "-o", out, NULL};
	words_add_all(argv, words);
}

void batch_make(struct batch *b, struct arena *a, size_t n)
{
	*b = (struct batch){.a = a,
		.argv = ARENA_ARRAY(a, struct words, n),
		.job = ARENA_ARRAY(a, struct proc_job, n),
		.result = ARENA_ARRAY(a, struct proc_result, n),
		.n = n};
}

void batch_run(struct batch *b, double limit_s, unsigned parallel)
{
	for (size_t i = 0; i < b->n; i++) {
		b->job[i].argv = words_finish(&b->argv[i], b->a);
		b->job[i].time_limit_s = limit_s;
		b->job[i].huge_pages = b->compiles;
	}
	proc_run_all(b->result, b->job, b->n, parallel);
}

void batch_release(struct batch *b)
{
	for (size_t i = 0; i < b->n; i++) {
		proc_result_release(&b->result[i]);
	}
}

const char *words_of(struct arena *a, const struct proc_result *r)
{
	struct str text = str_trim(sbuf_str(&r->err));
	if (r->timed_out) {
		return arena_printf(a, "ended after %.0f s", r->wall_s);
	}
	if (!r->started) {
		return arena_printf(a, "cannot be started: %s", strerror(r->start_errno));
	}
	if (r->signal) {
		return arena_printf(a, "%.*s%sended by signal %d (%s)", STR_ARG(text),
			text.n ? "\n" : "", r->signal, strsignal(r->signal));
	}
	return arena_strndup(a, text.p ? text.p : "", text.n);
}

static double compile_limit(const struct verify *v)
{
	return v->opts.compile_limit_s > 0 ? v->opts.compile_limit_s : COMPILE_LIMIT_S;
}

/* A word without the names of temporary directories, which differ between runs. */
static const char *stable_word(struct verify *v, const char *word, const char *dir)
{
	const char *at = dir ? strstr(word, dir) : NULL;
	if (at) {
		return at + strlen(dir);
	}
	at = strstr(word, v->dir);
	return at ? at + strlen(v->dir) : word;
}

/* The key of a command's output for text; dir is its directory, or NULL. For a program it includes
 * the runner's objects. */
static struct str key_of(
	struct verify *v, const struct words *command, const char *dir, struct str text)
{
	size_t n = command->v.n;
	const char **words = ARENA_ARRAY(v->a, const char *, n + 2);
	for (size_t i = 0; i < n; i++) {
		words[i] = stable_word(v, command->v.v[i], dir);
	}
	words[n] = v->runner;
	return build_cache_key(v->store, words, text);
}

struct object {
	const char *depends;
	struct str key;
};

/* Compiles n objects of the runner that are not in the cache. */
static int compile_objects(
	struct verify *v, struct batch *b, const struct object *o, const char *const *path)
{
	int rc = 0;
	v->runner_cpu_s = -proc_cpu_s();
	b->compiles = true;
	batch_run(b, RUNNER_LIMIT_S, v->opts.parallel);
	v->runner_cpu_s += proc_cpu_s();
	for (size_t i = 0; rc == 0 && i < b->n; i++) {
		if (proc_ok(&b->result[i])) {
			build_cache_put(v->store, o[i].key, path[i], o[i].depends, v->dir);
		} else {
			rc = fail_input("%s does not compile the wave runner: %s", v->compiler,
				words_of(v->a, &b->result[i]));
		}
	}
	return rc;
}

static void runtime_line(struct words *argv, struct verify *v, const char *name, const char *object)
{
	static const char *const flags[] = {VERIFY_RUNTIME_FLAGS, "-c", "-MD", "-MF", NULL};
	begin_compile(argv, v);
	add_known(argv, v, flags);
	words_add(argv, arena_printf(v->a, "%s.d", object));
	end_compile(argv, arena_printf(v->a, "%s/%s", v->dir, name), object);
}

static struct str runtime_text(struct arena *a)
{
	struct sbuf all = {0};
	for (size_t i = 0; i < runtime_files_n; i++) {
		sbuf_addf(&all, "%s %zu\n", runtime_files[i].name, runtime_files[i].text.n);
		sbuf_addstr(&all, runtime_files[i].text);
	}
	return sbuf_finish(&all, a);
}

static int name_runner(struct verify *v)
{
	struct sbuf all = {0};
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < v->objects; i++) {
		rc = file_read(&all, v->object[i]);
	}
	v->runner = arena_printf(
		v->a, "%zu %016llx", all.n, (unsigned long long)str_hash(sbuf_str(&all), 0));
	sbuf_release(&all);
	return rc;
}

static int compile_runtime(struct verify *v)
{
	struct batch b;
	struct object *o = ARENA_ARRAY(v->a, struct object, runtime_files_n);
	const char **path = ARENA_ARRAY(v->a, const char *, runtime_files_n);
	struct str text = runtime_text(v->a);
	v->object = ARENA_ARRAY(v->a, const char *, runtime_files_n);
	batch_make(&b, v->a, runtime_files_n);
	b.n = 0;
	for (size_t i = 0; i < runtime_files_n; i++) {
		const char *name = runtime_files[i].name;
		if (!str_ends(str_of(name), ".cpp")) {
			continue;
		}
		const char *object = arena_printf(v->a, "%s/%zu.o", v->dir, v->objects);
		struct words *line = &b.argv[b.n];
		v->object[v->objects++] = object;
		runtime_line(line, v, name, object);
		struct str key = key_of(v, line, NULL, text);
		if (build_cache_get(v->store, key, object)) {
			array_release(&line->v);
			continue;
		}
		o[b.n] = (struct object){arena_printf(v->a, "%s.d", object), key};
		path[b.n++] = object;
	}
	int rc = compile_objects(v, &b, o, path);
	batch_release(&b);
	return rc ? rc : name_runner(v);
}

static int ask_version(struct verify *v)
{
	const char *argv[] = {v->compiler, "--version", NULL};
	struct proc_job job = {.argv = argv, .time_limit_s = 60};
	struct proc_result r = {0};
	struct cache *cache = NULL;
	proc_run(&r, &job);
	v->major = proc_ok(&r) ? compiler_major(sbuf_str(&r.out)) : 0;
	bool ok = v->major > 0;
	if (!ok) {
		msg_error("%s --version shows no version: " HOST_COMPILER_REMEDY, v->compiler);
	} else if (!v->opts.no_cache) {
		cache = cache_open(v->a, "verify", CACHE_BYTES);
	}
	v->store = build_cache_open(v->a, cache, v->compiler, sbuf_str(&r.out));
	proc_result_release(&r);
	return ok ? 0 : FAIL_USAGE;
}

static int open_gpu(struct verify *v)
{
	v->compiler = v->opts.gpu->compiler;
	v->gpu_word = ARENA_ARRAY(v->a, const char *const *, v->targets);
	int rc = write_runtime(v);
	for (size_t i = 0; rc == 0 && i < v->targets; i++) {
		rc = gpu_words(
			&v->gpu_word[i], v->a, v->opts.gpu, v->target[i], v->dir, v->opts.flags);
	}
	return rc;
}

int build_open(struct verify *v)
{
	if (v->opts.gpu) {
		return open_gpu(v);
	}
	int rc = host_compiler_find(v);
	if (rc) {
		return rc;
	}
	v->flag = flags_of_source(v->a, v->opts.flags);
	v->links_static = v->opts.trials;
	rc = ask_version(v);
	rc = rc ? rc : write_runtime(v);
	return rc || v->opts.machine ? rc : compile_runtime(v);
}

/* ---- programs ---- */

/* Writes the texts that replace included files, and the overlay that lists them. */
static int write_in_place(const struct program *p, struct verify *v)
{
	size_t n = p->source->in_places;
	struct stand_in *in = ARENA_ARRAY(v->a, struct stand_in, n + 1);
	struct sbuf list = {0};
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		in[i] = p->source->in_place[i];
		in[i].content = arena_printf(v->a, "%s/in-place-%zu", p->dir, i);
		rc = write_file(v, in[i].content, in[i].text);
	}
	vfs_list(&list, in, n);
	rc = rc || n == 0 ? rc
			  : write_file(v, arena_printf(v->a, "%s/overlay.yaml", p->dir),
				    sbuf_str(&list));
	sbuf_release(&list);
	return rc;
}

static int write_program(struct program *p, struct verify *v)
{
	struct sbuf text = {0};
	launcher_text(&text, v->opts.spec, p->target, p->source->text, p->source->path,
		v->opts.faults	  ? LAUNCHER_FAULTS
		: v->opts.trials  ? LAUNCHER_TRIAL
		: v->opts.machine ? LAUNCHER_ARGUMENTS
		: v->opts.gpu	  ? LAUNCHER_GPU
				  : LAUNCHER_CPU);
	int rc = write_file(v, arena_printf(v->a, "%s/launcher.cpp", p->dir), sbuf_str(&text));
	sbuf_release(&text);
	rc = rc ? rc : write_in_place(p, v);
	p->path = arena_printf(v->a, "%s/launcher", p->dir);
	return rc;
}

/* gfx90a is of __GFX9__, gfx1100 of __GFX11__: the last two digits are minor and stepping. */
static const char *family(struct arena *a, const char *target)
{
	size_t n = strlen(target);
	return n < 6 ? "" : arena_printf(a, "-D__GFX%.*s__=1", (int)(n - 5), target + 3);
}

static const char *file_of(struct arena *a, const struct program *p, const char *name)
{
	return arena_printf(a, "%s/%s", p->dir, name);
}

static void preprocess_line(struct words *argv, struct verify *v, const struct program *p)
{
	const struct target *t = p->target;
	struct str dir = path_dir(str_of(path_real(v->a, p->source->path)));
	const char *own[] = {"-x", "c++", "-E", arena_printf(v->a, "-D__%s__=1", t->name),
		family(v->a, t->name), arena_printf(v->a, "-DUNPHI_WAVE_SIZE=%u", t->wave_size),
		arena_printf(v->a, "-DUNPHI_FNUZ=%d", !t->fp8_ocp),
		arena_printf(v->a, "-DUNPHI_GFX940_BLGP=%d", t->gfx940_blgp), "-iquote",
		arena_strndup(v->a, dir.p, dir.n), NULL};
	begin_compile(argv, v);
	words_add_all(argv, own);
	words_add_all(argv, v->flag);
	if (p->source->in_places > 0) {
		words_add(argv, "-ivfsoverlay");
		words_add(argv, file_of(v->a, p, "overlay.yaml"));
	}
	end_compile(argv, file_of(v->a, p, "launcher.cpp"), file_of(v->a, p, "all.ii"));
}

static void compile_line(struct words *argv, struct verify *v, const struct program *p)
{
	static const char *const flags[] = {
		"-x", "c++-cpp-output", VERIFY_KERNEL_FLAGS, "-ffunction-sections", "-c", NULL};
	begin_compile(argv, v);
	for (const char *const *f = v->flag; *f; f++) {
		if (strncmp(*f, "-std=", 5) == 0) {
			words_add(argv, *f); /* the language was an option for the preprocessor */
		}
	}
	static const char *const watched[] = {VERIFY_WATCH_FLAGS, NULL};
	add_known(argv, v, flags);
	if ((!v->opts.trials || v->opts.faults) && !v->opts.machine) {
		words_add_all(argv, watched);
	}
	if (v->opts.trials && !v->opts.faults) {
		words_add(argv, "-fsanitize-coverage=func,trace-pc-guard,trace-cmp");
	}
	if (v->opts.machine) { /* the kernels' code does not run */
		words_add(argv, "-O0");
	}
	end_compile(argv, file_of(v->a, p, "prepared.ii"), file_of(v->a, p, "launcher.o"));
}

static void link_line(struct words *argv, struct verify *v, const struct program *p)
{
	words_add(argv, v->compiler);
	if (v->links_static) {
		words_add(argv, "-static");
	}
	/* host code may call other units; coverage data needs named sections */
	words_add(argv, "-Wl,--gc-sections,-z,start-stop-gc");
	if (v->opts.machine) {
		/* no runner; in a PIE the loader refuses GNU ld's output for some undefined
		 * calls */
		words_add(argv, "-Wl,--unresolved-symbols=ignore-all");
		words_add(argv, "-no-pie");
	}
	static const char *const accesses[] = {"load1_noabort", "store1_noabort", "load2_noabort",
		"store2_noabort", "load4_noabort", "store4_noabort", "load8_noabort",
		"store8_noabort", "load16_noabort", "store16_noabort", "loadN_noabort",
		"storeN_noabort", "memcpy", "memmove", "memset"};
	for (size_t k = 0; v->opts.faults && k < sizeof(accesses) / sizeof(accesses[0]); k++) {
		/* launch_faults.hpp intercepts them */
		words_add(argv, arena_printf(v->a, "-Wl,--wrap=__asan_%s", accesses[k]));
	}
	/* the last one, wave.cpp, comes below: it ends the LDS section that race.cpp begins */
	for (size_t i = 0; i + 1 < v->objects; i++) {
		words_add(argv, v->object[i]);
	}
	end_compile(argv, file_of(v->a, p, "launcher.o"), p->path);
	if (v->objects) {
		words_add(argv, v->object[v->objects - 1]);
	}
}

/* The next builtin in the compiler's output that runtime/ does not define; n 0: none. */
static struct str next_unmodelled(const char **said)
{
	static const char mark[] = "use of undeclared identifier '";
	static const char builtin[] = "__builtin_amdgcn_";
	const char *at = *said;
	while ((at = strstr(at, mark)) != NULL) {
		at += sizeof(mark) - 1;
		size_t n = strcspn(at, "'");
		if (strncmp(at, builtin, sizeof(builtin) - 1) == 0) {
			*said = at + n;
			return (struct str){at, n};
		}
	}
	return (struct str){0};
}

static const char *words_of_unknown(struct arena *a, const char *said)
{
	const char *rest = said;
	struct str name = next_unmodelled(&rest);
	return name.n ? arena_printf(a, VERIFY_NO_MODEL "%.*s:\n%s", STR_ARG(name), said) : said;
}

static const char *words_of_compile(const struct verify *v, const struct proc_result *r)
{
	const char *better = v->opts.gpu && !r->timed_out
				     ? gpu_words_of_failure(v->a, v->opts.gpu, sbuf_str(&r->err))
				     : NULL;
	return better ? better : words_of_unknown(v->a, words_of(v->a, r));
}

/* One command runs both compilers and the linker. */
static void gpu_line(struct words *argv, struct verify *v, const struct program *p)
{
	struct str dir = path_dir(str_of(path_real(v->a, p->source->path)));
	size_t i = 0;
	while (v->target[i] != p->target) {
		i++;
	}
	words_add_all(argv, v->gpu_word[i]);
	words_add(argv, v->opts.gpu->nvidia ? "-I" : "-iquote"); /* nvcc has no -iquote */
	words_add(argv, arena_strndup(v->a, dir.p, dir.n));
	end_compile(argv, file_of(v->a, p, "launcher.cpp"), p->path);
}

static bool needs_build(const struct program *p)
{
	return p->ok && !p->made && !p->same_text;
}

/* Runs one step for all programs that passed the earlier steps. */
static void stage(struct verify *v, struct program *p, size_t n,
	void (*line)(struct words *, struct verify *, const struct program *))
{
	struct batch b;
	batch_make(&b, v->a, n);
	b.n = 0;
	b.compiles = true;
	for (size_t i = 0; i < n; i++) {
		if (needs_build(&p[i])) {
			line(&b.argv[b.n++], v, &p[i]);
		}
	}
	batch_run(&b, compile_limit(v), v->opts.parallel);
	for (size_t i = 0, k = 0; i < n; i++) {
		if (needs_build(&p[i])) {
			const struct proc_result *r = &b.result[k++];
			p[i].ok = proc_ok(r);
			p[i].status = r->timed_out ? RUN_TIMEOUT : RUN_NO_COMPILE;
			p[i].said = p[i].ok ? "" : words_of_compile(v, r);
		}
	}
	batch_release(&b);
}

/* Appends text without the names of directories dir and own, which differ between runs. */
static void add_without(struct sbuf *out, struct str text, const char *dir, const char *own)
{
	struct str inner = str_of(dir);
	size_t at = 0;
	for (size_t hit; (hit = str_find(text, own, at)) != SIZE_MAX;) {
		bool deep = str_eq(str_sub(text, hit, hit + inner.n), inner);
		sbuf_addstr(out, str_sub(text, at, hit));
		at = hit + (deep ? inner.n : str_of(own).n);
	}
	sbuf_addstr(out, str_sub(text, at, text.n));
}

/* Checks that a spec calls only kernels: otherwise it could run any program, by system() with a
 * buffer as its argument. */
static int check_kernels(
	const struct verify *v, const struct program *p, const char *const *kernels)
{
	const struct spec *s = v->opts.spec;
	for (size_t i = 0; i < s->n; i++) {
		struct str name = kernel_name_base(str_of(s->v[i].kernel));
		if (s->v[i].target == p->target && !str_is_any(name, kernels)) {
			return fail_usage("%s:%u: '%s' is not a kernel of %s: a spec launches "
					  "functions declared "
					  "__global__ there or in its headers",
				s->path, s->v[i].line, s->v[i].kernel, p->source->path);
		}
	}
	return 0;
}

/* Prepares all.ii as prepared.ii, and computes the program's key. */
static int prepare_program(struct verify *v, struct program *p)
{
	struct arena *a = arena_create();
	struct sbuf in = {0};
	struct sbuf out = {0};
	struct sbuf text = {0};
	struct words command = {{0}};
	int rc = file_read(&in, file_of(v->a, p, "all.ii"));
	if (rc == 0) {
		add_without(&text, sbuf_str(&in), arena_printf(a, "%s/", p->dir),
			arena_printf(a, "%s/", v->dir));
		struct words kernels = {{0}};
		verify_prepare(&out, a, sbuf_str(&text), v->opts.choices, v->opts.machine != NULL,
			&kernels);
		rc = check_kernels(v, p, words_finish(&kernels, a));
		rc = rc ? rc : file_write_atomic(file_of(v->a, p, "prepared.ii"), sbuf_str(&out));
		compile_line(&command, v, p);
		link_line(&command, v, p);
		p->key = key_of(v, &command, p->dir, sbuf_str(&out));
		p->made = rc == 0 && build_cache_get(v->store, p->key, p->path);
	}
	array_release(&command.v);
	sbuf_release(&in);
	sbuf_release(&out);
	sbuf_release(&text);
	arena_free(a);
	return rc;
}

/* Removes intermediate files, since one file may need many programs. */
static void remove_parts(struct verify *v, const struct program *p)
{
	static const char *const parts[] = {
		"launcher.cpp", "all.ii", "prepared.ii", "launcher.o", "overlay.yaml"};
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		unlink(file_of(v->a, p, parts[i]));
	}
	for (size_t i = 0; i < p->source->in_places; i++) {
		unlink(arena_printf(v->a, "%s/in-place-%zu", p->dir, i));
	}
}

/* Finds programs with equal texts, as of a file that a rewrite did not change. */
static void find_same_texts(struct program *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < i && needs_build(&p[i]); j++) {
			if (needs_build(&p[j]) && str_eq(p[i].key, p[j].key)) {
				p[i].same_text = &p[j];
			}
		}
	}
}

static void take_same_texts(struct program *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (p[i].same_text) {
			p[i].ok = p[i].same_text->ok;
			p[i].status = p[i].same_text->status;
			p[i].said = p[i].same_text->said;
			p[i].path = p[i].same_text->path;
		}
	}
}

/* Links trials without shared libraries, whose loading takes half of a short run: a launcher runs
 * hundreds of times. Falls back to shared ones, since not every system has the static ones. */
static void link_programs(struct verify *v, struct program *p, size_t n)
{
	bool *again = ARENA_ARRAY(v->a, bool, n);
	bool failed = false;
	for (size_t i = 0; i < n; i++) {
		again[i] = needs_build(&p[i]);
	}
	stage(v, p, n, link_line);
	for (size_t i = 0; i < n; i++) {
		failed |= again[i] && !p[i].ok;
	}
	if (!failed || !v->links_static) {
		return;
	}
	v->links_static = false;
	for (size_t i = 0; i < n; i++) {
		p[i].ok |= again[i];
	}
	stage(v, p, n, link_line);
}

/* Defines stubs for unknown builtins, with arguments and a result of any type. So only kernels that
 * reach such a builtin are unknown. */
static int add_stand_ins(struct verify *v, const struct program *p)
{
	const char *path = file_of(v->a, p, "prepared.ii");
	const char *rest = p->said;
	struct words known = {0};
	struct sbuf text = {0}, source = {0};
	int rc = file_read(&source, path);
	for (struct str name; (name = next_unmodelled(&rest)).n > 0;) {
		words_add_once(&known, arena_strndup(v->a, name.p, name.n));
	}
	sbuf_adds(&text, "# 1 \"stand-ins\" 1 3\nnamespace unphi { struct any_value { template "
			 "<class T> operator T() const { __builtin_unreachable(); } }; "
			 "[[noreturn]] void no_model(const char *name);\n");
	static const char *const operators[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"};
	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
		sbuf_addf(&text,
			"template <class T> T operator%s(any_value, T x) { return x; } "
			"template <class T> T operator%s(T x, any_value) { return x; }\n",
			operators[i], operators[i]);
	}
	sbuf_adds(&text, "}\n");
	const char *const *word = words_finish(&known, v->a);
	for (; *word; word++) {
		sbuf_addf(&text,
			"template <class... A> inline ::unphi::any_value %s(A...) { "
			"::unphi::no_model(\"%s\"); }\n",
			*word, *word);
	}
	sbuf_addstr(&text, sbuf_str(&source));
	rc = rc ? rc : file_write_atomic(path, sbuf_str(&text));
	sbuf_release(&text);
	sbuf_release(&source);
	return rc;
}

static int compile_for_cpu(struct verify *v, struct program *p, size_t n)
{
	int rc = 0;
	stage(v, p, n, preprocess_line);
	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = p[i].ok && !p[i].made ? prepare_program(v, &p[i]) : 0;
	}
	if (rc) {
		return rc;
	}
	find_same_texts(p, n);
	stage(v, p, n, compile_line);
	for (size_t i = 0; i < n; i++) {
		const char *said = p[i].said;
		if (!p[i].ok && !p[i].made && !p[i].same_text && next_unmodelled(&said).n > 0) {
			const char *first = p[i].said;
			rc = add_stand_ins(v, &p[i]);
			if (rc) {
				return rc;
			}
			p[i].ok = true;
			stage(v, &p[i], 1, compile_line);
			p[i].said = p[i].ok ? "" : first;
			p[i].status = RUN_UNKNOWN;
		}
	}
	link_programs(v, p, n);
	for (size_t i = 0; i < n; i++) {
		if (needs_build(&p[i])) {
			build_cache_put(v->store, p[i].key, p[i].path, NULL, v->dir);
		}
	}
	take_same_texts(p, n);
	return 0;
}

int build_programs(struct verify *v, struct program *p, size_t n)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = p[i].made ? 0 : write_program(&p[i], v);
	}
	if (rc) {
		return rc;
	}
	if (v->opts.gpu) {
		stage(v, p, n, gpu_line);
	} else {
		rc = compile_for_cpu(v, p, n);
	}
	for (size_t i = 0; rc == 0 && i < n; i++) {
		remove_parts(v, &p[i]);
	}
	return rc;
}
