#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/msg.h"
#include "base/kept/stamp.h"
#include "base/words.h"
#include "base/process/watch.h"
#include "frontend/tree/builder.h"
#include "frontend/text/directives.h"
#include "frontend/parse/diagnostics.h"
#include "frontend/parse/flags.h"
#include "frontend/parse/missing_builtins.h"
#include "frontend/parse/preamble.h"
#include "frontend/text/probes.h"
#include "kernel/captures.h"
#include "kernel/pointed.h"

typedef ARRAY(const char *) args_array;

enum {
	/* Bytes. For a smaller text, reloading the pages that libclang_rest gives back costs more
	 * time than the memory is worth. */
	LARGE_TEXT = 1 << 18,
};

static unsigned wave_size(const struct frontend_job *job)
{
	unsigned size = job->wave_size;
	for (size_t i = 0; job->flags && job->flags[i]; i++) {
		if (strcmp(job->flags[i], "-mwavefrontsize64") == 0) {
			size = 64;
		} else if (strcmp(job->flags[i], "-mno-wavefrontsize64") == 0) {
			size = job->wave_size;
		}
	}
	return size;
}

static void build_args(
	args_array *args, struct arena *a, const struct frontend_job *job, const char *target)
{
	static const char *const fixed[] = {"-x", "hip", "-nogpulib", "-fsyntax-only",
		"-Wno-unused-command-line-argument", NULL};
	const char *driver = libclang_driver(a);
	array_push(args, driver ? driver : "clang++");
	for (size_t i = 0; fixed[i]; i++) {
		array_push(args, fixed[i]);
	}
	array_push(args, job->host ? "--offload-host-only" : "--offload-device-only");
	array_push(args, arena_printf(a, "--offload-arch=%s", target));
	const char *rocm = getenv("ROCM_PATH");
	if (!rocm || !*rocm) {
		rocm = file_is_dir("/opt/rocm") ? "/opt/rocm" : NULL;
	}
	if (rocm) {
		array_push(args, arena_printf(a, "--rocm-path=%s", rocm));
	}
	const char *hip = getenv("HIP_PATH");
	if (hip && *hip) {
		array_push(args, arena_printf(a, "--hip-path=%s", hip));
	}
	if (job->wave_size > 0 && libclang_lacks_wave_size()) {
		unsigned wave = wave_size(job);
		array_push(args, arena_printf(a, "-D__AMDGCN_WAVEFRONT_SIZE=%u", wave));
		array_push(args, arena_printf(a, "-D__AMDGCN_WAVEFRONT_SIZE__=%u", wave));
	}
	for (const char *const *f = flags_for_parse(a, job->flags); *f; f++) {
		array_push(args, *f);
	}
	/* a function with an error is dropped, so all errors have to be known */
	array_push(args, "-ferror-limit=0");
	array_push(args, job->path);
}

/* Are these errors of the text itself, which another parse would only repeat? */
static bool are_believed(const struct diag_sum *sum, const struct frontend_job *job)
{
	return job->typed && sum->errors && !sum->elsewhere && !sum->in_probes;
}

unsigned frontend_compiler_major(void)
{
	return libclang_load() < 0 ? 0 : libclang_compiler_major();
}

const char *frontend_libclang_version(struct arena *a)
{
	if (libclang_load() < 0) {
		return NULL;
	}
	CXString s = clang_getClangVersion();
	const char *path = libclang_path(), *compiler;
	bool own = libclang_is_own(&compiler);
	const char *v = arena_printf(a, "%s (%s)%s%s", clang_getCString(s), path ? path : "?",
		own || !compiler ? "" : ", not that of ", own || !compiler ? "" : compiler);
	clang_disposeString(s);
	return v;
}

struct parse {
	CXIndex index;
	CXTranslationUnit tu;
	struct diag_sum sum;
	struct preamble pre; /* its preamble; pch NULL: parsed without one */
	bool crashed;	     /* or refused to parse */
	bool died;	     /* really crashed */
};

static void parse_release(struct parse *p)
{
	if (p->tu) {
		clang_disposeTranslationUnit(p->tu);
		malloc_trim(0); /* otherwise its freed memory stays with this process */
	}
	if (p->index) {
		clang_disposeIndex(p->index);
	}
	*p = (struct parse){0};
}

/* A text with probes after its end. */
struct probed {
	struct str text;
	size_t real_size; /* without the probes */
	unsigned options; /* of libclang */
	bool whole;	  /* with all its headers: their macros are wanted */
	const struct stand_in *in_place;
	size_t in_places;
	struct str missing; /* declares builtins that libclang lacks */
};

/* Parses, and sums up the errors. */
static struct parse parse_args(
	const args_array *args, const char *path, struct str text, const struct probed *of)
{
	struct parse p = {0};
	ARRAY(struct CXUnsavedFile) unsaved = {0};
	array_push(&unsaved, (struct CXUnsavedFile){path, text.p, text.n});
	for (size_t i = 0; i < of->in_places; i++) { /* libclang knows files by device and inode */
		const struct stand_in *in = &of->in_place[i];
		array_push(&unsaved, (struct CXUnsavedFile){in->name[0], in->text.p, in->text.n});
	}
	if (of->missing.n > 0) {
		array_push(&unsaved, (struct CXUnsavedFile){MISSING_BUILTINS_HEADER, of->missing.p,
					     of->missing.n});
	}
	p.index = clang_createIndex(0, 0);
	enum CXErrorCode e =
		clang_parseTranslationUnit2FullArgv(p.index, NULL, args->v, (int)args->n, unsaved.v,
			(unsigned)unsaved.n, CXTranslationUnit_KeepGoing | of->options, &p.tu);
	array_release(&unsaved);
	p.crashed = e != CXError_Success || !p.tu;
	p.died = e == CXError_Crashed;
	if (!p.crashed) {
		p.sum = diagnostics_sum(p.tu, of->real_size);
	}
	return p;
}

/* Sends the process's standard error to /dev/null; -1: failed. */
static int mute(void)
{
	int saved = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	int none = saved < 0 ? -1 : open("/dev/null", O_WRONLY | O_CLOEXEC);
	fflush(stderr);
	if (none >= 0) {
		dup2(none, STDERR_FILENO);
		close(none);
	}
	return saved;
}

static void unmute(int saved)
{
	if (saved >= 0) {
		fflush(stderr);
		dup2(saved, STDERR_FILENO);
		close(saved);
	}
}

/* Parses the text after its preamble, which the precompiled header contains. libclang's message
 * about a crash is dropped, since everything is parsed then. */
static struct parse parse_after_preamble(const args_array *args, const char *path,
	const struct preamble *pre, const struct probed *of)
{
	struct str text = of->text;
	struct sbuf blank = {0};
	args_array with = {0};
	directives_blank(&blank, text, pre->end);
	for (size_t i = 0; i + 1 < args->n; i++) {
		if (preamble_has_flag(args->v[i])) {
			i++;
		} else {
			array_push(&with, args->v[i]);
		}
	}
	array_push(&with, "-Xclang");
	array_push(&with, PREAMBLE_FLAG);
	array_push(&with, "-include-pch");
	array_push(&with, pre->pch);
	array_push(&with, args->v[args->n - 1]);
	int saved = mute();
	struct parse p = parse_args(&with, path, sbuf_str(&blank), of);
	unmute(saved);
	p.pre = *pre;
	sbuf_release(&blank); /* libclang has copied it */
	array_release(&with);
	return p;
}

static struct parse parse_once(struct arena *a, const struct frontend_job *job, const char *target,
	const struct probed *of)
{
	args_array args = {0};
	struct preamble pre;
	build_args(&args, a, job, target);
	bool short_cut = !job->no_cache && !of->whole &&
			 preamble_open(&pre, a, args.v, args.n, of->text, job->sparing);
	if (of->missing.n > 0) {
		args.v[args.n - 1] = "-include";
		array_push(&args, MISSING_BUILTINS_HEADER);
		array_push(&args, job->path);
	}
	struct parse p = {0};
	if (short_cut) {
		p = parse_after_preamble(&args, job->path, &pre, of);
	}
	bool doubted = p.sum.errors && !p.sum.in_probes && !are_believed(&p.sum, job);
	if (!short_cut || p.crashed || doubted) {
		bool unreadable = p.crashed && !p.died, died = p.died;
		parse_release(&p);
		p = parse_args(&args, job->path, of->text, of);
		if (short_cut && !p.crashed && (died || !p.sum.errors)) {
			preamble_reject(&pre, unreadable);
		}
	}
	array_release(&args);
	return p;
}

/* Drops the probes that do not parse, or all if these are unknown. False if none were left. */
static bool drop_probes(struct probes *probes, CXTranslationUnit tu, bool all)
{
	bool left = false;
	bool some = !all && diagnostics_blame(probes, tu);
	array_each (&probes->each, struct probe, probe) {
		left |= !probe->bad || some;
		probe->bad |= !some;
	}
	return left;
}

/* Drops probes of code that #if leaves out. False if there were none. */
static bool skip_probes(struct probes *probes, CXTranslationUnit tu)
{
	bool some = false;
	CXSourceRangeList *l = probes->conditional ? clang_getAllSkippedRanges(tu) : NULL;
	for (unsigned i = 0; l && i < l->count; i++) {
		unsigned begin = 0, end = 0;
		CXSourceLocation start = clang_getRangeStart(l->ranges[i]);
		clang_getFileLocation(start, NULL, NULL, NULL, &begin);
		clang_getFileLocation(clang_getRangeEnd(l->ranges[i]), NULL, NULL, NULL, &end);
		array_each (&probes->each, struct probe, probe) {
			if (!probe->bad && probe->at >= begin && probe->at < end &&
				clang_Location_isFromMainFile(start)) {
				probe->bad = some = true;
			}
		}
	}
	if (l) {
		clang_disposeSourceRangeList(l);
	}
	return some;
}

/* Parses the text with its probes. Their instantiations may have errors although the text has
 * none. */
static struct parse parse_probed(struct arena *a, const struct frontend_job *job,
	const char *target, struct str text, struct probes *probes, bool whole)
{
	bool record = whole || probes->conditional || job->header || job->skips;
	struct missing_builtins missing = {0};
	struct parse p;
	for (unsigned tries = 0;;) {
		struct sbuf all = {0};
		if (probes->each.n > 0) {
			sbuf_addstr(&all, text);
			probes_append(probes, &all);
		}
		struct probed of = {
			.text = probes->each.n > 0 ? sbuf_str(&all) : text,
			.real_size = text.n,
			.options = record ? CXTranslationUnit_DetailedPreprocessingRecord : 0,
			.whole = whole || job->header || job->in_places > 0,
			.in_place = job->in_place,
			.in_places = job->in_places,
			.missing = sbuf_str(&missing.header),
		};
		p = parse_once(a, job, target, &of);
		sbuf_release(&all);
		if (p.crashed || p.sum.unknown_arch) {
			break;
		}
		bool again = p.sum.errors && missing_builtins_add(&missing, p.tu, job->intrinsics);
		if (!again && are_believed(&p.sum, job)) {
			break;
		}
		if (!again && !skip_probes(probes, p.tu) &&
			(!p.sum.errors || !drop_probes(probes, p.tu, tries > 1))) {
			break;
		}
		tries += !again;
		parse_release(&p);
	}
	missing_builtins_release(&missing);
	return p;
}

/* Drops the functions whose tree breaks an invariant: that is a fault of unphi, and nothing may be
 * concluded about them. True: there was one. */
static bool drop_broken(struct kt_unit *u, const struct frontend_job *job, bool *warned)
{
	bool dropped = false;
	*warned = false;
	for (kt_id id = 1; id < u->fns; id++) {
		struct kt_fn *f = &u->fn[id];
		const char *broken = kt_check_fn(u, id);
		if (!broken) {
			continue;
		}
		if (f->body && !job->quiet && !f->in_system_header) {
			msg_warning("%s: '%s' is left out: unphi did not understand its structure "
				    "(%s); please report it",
				job->path, f->name, broken);
			*warned = true;
		}
		dropped = true;
		f->body = NULL;
		if (kt_check_fn(u, id)) {
			f->file = 0;
			f->begin = f->end = f->name_at = 0;
			f->params = 0;
		}
	}
	return dropped;
}

/* The macros and includes before the text, and those of libclang itself; nothing if the text
 * includes more. */
static void tell_stamps(
	struct str *out, struct arena *a, const struct preamble *pre, struct str text)
{
	struct sbuf b = {0};
	*out = (struct str){0};
	if (pre->pch && !directives_after_include(text, pre->end) && libclang_path() &&
		stamp_add_program(&b, libclang_path())) {
		sbuf_addstr(&b, str_sub(pre->stamps, 0, pre->stamps.n - 1));
		*out = arena_str(a, sbuf_str(&b));
	}
	sbuf_release(&b);
}

struct reads {
	struct arena *a;
	struct words files;
};

static void see_read(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	struct reads *r = data;
	(void)stack;
	if (depth > 0) {
		CXString s = clang_getFileName(file);
		words_add(&r->files, arena_strdup(r->a, clang_getCString(s)));
		clang_disposeString(s);
	}
}

/* All included files, also those of a precompiled header. */
static const char *const *files_read(struct arena *a, const struct parse *p)
{
	struct reads r = {.a = a};
	struct str rest = p->pre.stamps, path;
	while (p->pre.pch && stamp_next(&rest, &path)) {
		words_add(&r.files, arena_strndup(a, path.p, path.n));
	}
	clang_getInclusions(p->tu, see_read, &r);
	return words_finish(&r.files, a);
}

/* The packed unit, made while libclang has its memory, and the unit made from it. */
struct built {
	struct kt_unit *unit;
	struct bodies bodies;
};

/* *assumed, when not NULL: assumptions have added probes, and another parse will show more. */
static void build_unit(struct built *out, struct arena *a, const struct frontend_job *job,
	struct parse *p, struct str text, struct probes *probes, bool *assumed)
{
	struct builder b;
	builder_init(&b, p->tu, a);
	b.intrinsics = job->intrinsics;
	b.main_text = text;
	if (p->pre.pch) {
		preamble_names(&b.names, a, &p->pre);
	}
	if (job->header) {
		header_see(&b, job);
	}
	CXFile main = clang_getFile(p->tu, job->path); /* it is file 1 */
	builder_file(&b, main, clang_getLocationForOffset(p->tu, main, 0));
	collect_places(&b, p->pre.placed);
	collect_roots(&b);
	bool more = collect_patterns(&b, job, probes);
	if (assumed) {
		*assumed = more;
	}
	if (p->sum.errors) {
		drop_erroneous(&b, are_believed(&p->sum, job) && p->pre.pch ? main : NULL);
	}
	bodies_release(&out->bodies);
	if (job->skips) {
		collect_skips(&b);
	}
	out->unit = builder_finish(&b, job->host ? "the host" : job->target, &out->bodies);
	out->unit->host = job->host;
	out->unit->wave_size = wave_size(job);
	out->unit->erroneous = p->sum.errors;
	out->unit->read = files_read(a, p);
	out->unit->wraps = flags_wrap(job->flags);
	for (size_t i = 0; job->flags && job->flags[i]; i++) {
		out->unit->open |= strcmp(job->flags[i], "-fgpu-rdc") == 0;
	}
	builder_release(&b);
	if (job->stamps) {
		tell_stamps(job->stamps, a, &p->pre, text);
	}
}

/* Unpacks the trees, after libclang's memory was freed. */
static int unpack_bodies(struct built *built, const struct frontend_job *job)
{
	struct kt_unit *u = built->unit;
	for (kt_id id = 1; id < u->fns; id++) {
		struct str packed = built->bodies.of.v[id];
		u->fn[id].body = packed.p ? kt_unpack(u->arena, packed) : NULL;
	}
	bodies_release(&built->bodies);
	bool warned, dropped = drop_broken(u, job, &warned);
	if (warned && job->stamps) {
		*job->stamps = (struct str){0};
	}
	captures_to_variables(u);
	pointed_find(u);
	const char *broken = dropped ? kt_check(u) : kt_check_tables(u);
	if (broken) {
		/* a fault of unphi, but no reason to end a run over many files */
		return fail_input(
			"%s: unphi did not understand its structure (%s); please report it",
			job->path, broken);
	}
	return 0;
}

/* Macros of the user's headers may need probes as well, but they are known only after a parse. */
static struct parse parse_text(struct arena *a, const struct frontend_job *job, const char **target,
	struct str text, struct probes *probes)
{
	probes_find(probes, text);
	bool whole = probes->open.n > 0;
	struct parse p = parse_probed(a, job, *target, text, probes, whole);
	/* An unknown target is a diagnostic, or else clang's driver gives no command at all. */
	for (const char *const *next = job->relatives;
		(p.crashed || p.sum.unknown_arch) && next && *next; next++) {
		parse_release(&p);
		*target = *next;
		p = parse_probed(a, job, *target, text, probes, whole);
	}
	if (p.crashed || p.sum.errors || probes->open.n == 0) {
		return p;
	}
	size_t before = probes->each.n;
	collect_macros(probes, p.tu);
	probes_find(probes, text);
	if (probes->each.n != before) {
		parse_release(&p);
		p = parse_probed(a, job, *target, text, probes, false);
	}
	return p;
}

int frontend_parse(struct kt_unit **out, struct arena *a, const struct frontend_job *job,
	const char **parsed_as)
{
	*out = NULL;
	int loaded = libclang_load();
	if (loaded < 0) {
		return loaded;
	}
	struct str plain = arena_str(a, job->text);
	int rc = job->text.p ? 0 : file_text(&plain, a, job->path);
	if (rc < 0) {
		return rc;
	}
	const char *target = job->target;
	struct probes probes = {.arena = a};
	struct built built = {0};
	struct watch watch;
	watch_begin(&watch, job->path);
	struct parse p = parse_text(a, job, &target, plain, &probes);
	watch_end(&watch);
	if (p.crashed) {
		rc = fail_input(
			"%s: libclang could not parse it (target %s): it crashed or refused the "
			"flags",
			job->path, target);
	} else if (p.sum.errors) {
		if (!job->quiet) {
			diagnostics_print(p.tu, job);
		}
		rc = FAIL_INPUT;
	}
	if (!p.crashed && (rc == 0 || job->with_errors)) {
		bool assumed = false;
		build_unit(&built, a, job, &p, plain, &probes, &assumed);
		if (rc == 0 && assumed) {
			parse_release(&p);
			watch_begin(&watch, job->path);
			p = parse_probed(a, job, target, plain, &probes, false);
			watch_end(&watch);
			if (!p.crashed && !p.sum.errors) {
				build_unit(&built, a, job, &p, plain, &probes, NULL);
			} /* else what is without the assumptions is known */
		}
	}
	if (parsed_as) {
		*parsed_as = target;
	}
	parse_release(&p);
	if (plain.n >= LARGE_TEXT) {
		libclang_rest();
	}
	if (built.unit) {
		int broken = unpack_bodies(&built, job);
		rc = broken ? broken : rc;
		*out = built.unit;
	}
	probes_release(&probes);
	return rc;
}
