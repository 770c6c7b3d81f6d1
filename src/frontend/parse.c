#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/msg.h"
#include "frontend/builder.h"
#include "frontend/lex.h"
#include "frontend/preamble.h"

/* Flags of a build command that a parse must not see; those with an argument of their own. */
static bool drop_flag(const char *f, bool *takes_argument)
{
	static const char *const with[] = {"-o", "-MF", "-MT", "-MQ", NULL};
	static const char *const alone[] = {"-c", "-S", "-E", "-M", "-MM", "-MD", "-MMD", "-MG",
		"-MP", "-fsyntax-only", "-save-temps", "--genco", "--cuda-device-only",
		"--cuda-host-only", "--offload-device-only", "--offload-host-only", "-fgpu-rdc",
		NULL};
	*takes_argument = false;
	for (size_t i = 0; with[i]; i++) {
		if (strcmp(f, with[i]) == 0) {
			*takes_argument = true;
			return true;
		}
	}
	for (size_t i = 0; alone[i]; i++) {
		if (strcmp(f, alone[i]) == 0) {
			return true;
		}
	}
	struct str s = str_of(f);
	return str_starts(s, "--offload-arch=") || str_starts(s, "--cuda-gpu-arch=") ||
	       str_starts(s, "-save-temps=");
}

typedef ARRAY(const char *) args_array;

static void build_args(
	args_array *args, struct arena *a, const struct frontend_job *job, const char *target)
{
	static const char *const fixed[] = {"clang++", "-x", "hip", "--offload-device-only",
		"-nogpulib", "-fsyntax-only", "-Wno-unused-command-line-argument", NULL};
	for (size_t i = 0; fixed[i]; i++) {
		array_push(args, fixed[i]);
	}
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
	for (size_t i = 0; job->flags && job->flags[i]; i++) {
		bool takes;
		if (drop_flag(job->flags[i], &takes)) {
			i += takes && job->flags[i + 1] ? 1 : 0;
		} else {
			array_push(args, job->flags[i]);
		}
	}
	array_push(args, job->path);
}

/*
 * Explicit instantiations (template __global__ void k<32>(...);) are invisible to libclang.
 * Functions that take the address of each are appended to the text behind its end, where no offset
 * changes. Only those at file scope: inside a namespace the name would need its scope.
 */
static void append_probes(struct sbuf *out, struct str t)
{
	int depth = 0;
	unsigned count = 0;
	struct lex_token prev = {LEX_END, 0, 0};
	for (struct lex_token k = lex_next(t, 0); k.kind != LEX_END;
		prev = k, k = lex_next(t, k.end)) {
		if (lex_is(t, k, "{")) {
			depth++;
		} else if (lex_is(t, k, "}")) {
			depth--;
		}
		if (depth != 0 || !lex_is(t, k, "template") || lex_is(t, prev, "extern") ||
			lex_is(t, lex_next(t, k.end), "<")) {
			continue;
		}
		size_t end = lex_find(t, k.end, t.n, ';');
		if (end == SIZE_MAX) {
			return;
		}
		/* the name with its arguments: WORD < ... > before the parameter list */
		size_t name = SIZE_MAX;
		struct lex_token before = k;
		for (struct lex_token w = lex_next(t, k.end); w.begin < end;
			w = lex_next(t, w.end)) {
			if (lex_is(t, w, "(") && lex_is(t, before, ">")) {
				size_t at = before.begin;
				for (int angle = 1; at > k.end && angle > 0;) {
					at--;
					angle += t.p[at] == '>' ? 1 : t.p[at] == '<' ? -1 : 0;
				}
				while (at > k.end &&
					(t.p[at - 1] == '_' || t.p[at - 1] == ':' ||
						(t.p[at - 1] >= '0' && t.p[at - 1] <= '9') ||
						((t.p[at - 1] | 32) >= 'a' &&
							(t.p[at - 1] | 32) <= 'z'))) {
					at--;
				}
				name = at;
				if (count == 0) {
					sbuf_addc(out, '\n');
				}
				sbuf_addf(out,
					"static void *unphi_probe_%u() { return (void *)&%.*s; }\n",
					count++, (int)(before.end - name), t.p + name);
				break;
			}
			before = w;
		}
		k.end = end;
	}
}

struct diag_sum {
	bool errors;
	bool unknown_arch;
	bool in_probes;
};

static struct diag_sum look_at_diagnostics(CXTranslationUnit tu, size_t text_size)
{
	struct diag_sum sum = {0};
	unsigned n = clang_getNumDiagnostics(tu);
	for (unsigned i = 0; i < n; i++) {
		CXDiagnostic d = clang_getDiagnostic(tu, i);
		if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error) {
			sum.errors = true;
			CXString s = clang_getDiagnosticSpelling(d);
			const char *text = clang_getCString(s);
			if (strstr(text, "nsupported HIP gpu architecture") ||
				strstr(text, "nsupported CUDA gpu architecture") ||
				strstr(text, "invalid target ID")) {
				sum.unknown_arch = true;
			}
			clang_disposeString(s);
			unsigned off = 0;
			CXSourceLocation loc = clang_getDiagnosticLocation(d);
			clang_getFileLocation(loc, NULL, NULL, NULL, &off);
			if (clang_Location_isFromMainFile(loc) && off >= text_size) {
				sum.in_probes = true;
			}
		}
		clang_disposeDiagnostic(d);
	}
	return sum;
}

static void print_errors(CXTranslationUnit tu, const char *path)
{
	enum {
		SHOWN = 8
	};
	unsigned n = clang_getNumDiagnostics(tu);
	unsigned errors = 0;
	struct sbuf text = {0};
	for (unsigned i = 0; i < n; i++) {
		CXDiagnostic d = clang_getDiagnostic(tu, i);
		if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error && errors++ < SHOWN) {
			CXString s = clang_formatDiagnostic(
				d, CXDiagnostic_DisplaySourceLocation | CXDiagnostic_DisplayColumn);
			sbuf_addf(&text, "\n  %s", clang_getCString(s));
			clang_disposeString(s);
		}
		clang_disposeDiagnostic(d);
	}
	msg_error("%s: does not parse as HIP (%u error%s); compile it first, or give its flags "
		  "after --:%s",
		path, errors, errors == 1 ? "" : "s", sbuf_cstr(&text));
	sbuf_release(&text);
}

struct parse {
	CXIndex index;
	CXTranslationUnit tu;
	struct diag_sum sum;
	struct preamble behind; /* what it stands behind; pch NULL: everything was parsed */
	bool crashed;
};

static void parse_release(struct parse *p)
{
	if (p->tu) {
		clang_disposeTranslationUnit(p->tu);
	}
	if (p->index) {
		clang_disposeIndex(p->index);
	}
	*p = (struct parse){0};
}

/* With errors summed up; real_size: of text without the probes. */
static struct parse parse_args(
	const args_array *args, const char *path, struct str text, size_t real_size)
{
	struct parse p = {0};
	struct CXUnsavedFile unsaved = {path, text.p, text.n};
	p.index = clang_createIndex(0, 0);
	enum CXErrorCode e = clang_parseTranslationUnit2FullArgv(p.index, NULL, args->v,
		(int)args->n, &unsaved, 1, CXTranslationUnit_KeepGoing, &p.tu);
	p.crashed = e != CXError_Success || !p.tu;
	if (!p.crashed) {
		p.sum = look_at_diagnostics(p.tu, real_size);
	}
	return p;
}

/* What is in front of end is in the precompiled header. */
static struct parse parse_behind(struct arena *a, const args_array *args, const char *path,
	const struct preamble *pre, struct str text, size_t real_size)
{
	char *blank = arena_strndup(a, text.p, text.n);
	args_array with = {0};
	for (size_t i = 0; i < pre->end; i++) {
		blank[i] = blank[i] == '\n' ? '\n' : ' ';
	}
	for (size_t i = 0; i + 1 < args->n; i++) {
		array_push(&with, args->v[i]);
	}
	array_push(&with, "-include-pch");
	array_push(&with, pre->pch);
	array_push(&with, args->v[args->n - 1]);
	struct parse p = parse_args(&with, path, (struct str){blank, text.n}, real_size);
	p.behind = *pre;
	array_release(&with);
	return p;
}

static struct parse parse_once(struct arena *a, const struct frontend_job *job, const char *target,
	struct str text, size_t real_size)
{
	args_array args = {0};
	struct preamble pre;
	build_args(&args, a, job, target);
	bool short_cut = !job->no_cache && preamble_open(&pre, a, args.v, args.n, text);
	struct parse p = {0};
	if (short_cut) {
		p = parse_behind(a, &args, job->path, &pre, text, real_size);
	}
	if (!short_cut || p.crashed || (p.sum.errors && !p.sum.in_probes)) {
		bool unreadable = p.crashed;
		parse_release(&p);
		p = parse_args(&args, job->path, text, real_size);
		if (short_cut && !p.crashed && !p.sum.errors) {
			preamble_reject(&pre, unreadable);
		}
	}
	array_release(&args);
	return p;
}

/* A function whose tree breaks an invariant is ours to mend; until then nothing is known of it. */
static void drop_broken(struct kt_unit *u, const struct frontend_job *job)
{
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
		}
		f->body = NULL;
		if (kt_check_fn(u, id)) {
			f->file = 0;
			f->begin = f->end = f->name_at = 0;
			f->params = 0;
		}
	}
}

static int build_unit(struct kt_unit **out, struct arena *a, const struct frontend_job *job,
	struct parse *p, struct str text)
{
	struct builder b;
	builder_init(&b, p->tu, a);
	b.intrinsics = job->intrinsics;
	b.main_text = text;
	if (p->behind.pch) {
		preamble_names(&b.names, a, &p->behind);
	}
	builder_file(&b, clang_getFile(p->tu, job->path)); /* the main file is file 1 */
	collect_roots(&b);
	*out = builder_finish(&b, job->target);
	for (size_t i = 0; job->flags && job->flags[i]; i++) {
		(*out)->open |= strcmp(job->flags[i], "-fgpu-rdc") == 0;
	}
	builder_release(&b);
	drop_broken(*out, job);
	const char *broken = kt_check(*out);
	if (broken) {
		/* ours to mend, but no reason to end a run over many files */
		msg_error("%s: unphi did not understand its structure (%s); please report it",
			job->path, broken);
		return FAIL_INPUT;
	}
	return 0;
}

int frontend_parse(struct kt_unit **out, struct arena *a, const struct frontend_job *job,
	const char **parsed_as)
{
	*out = NULL;
	int loaded = libclang_load();
	if (loaded < 0) {
		return loaded;
	}
	struct sbuf text = {0};
	if (job->text.p) {
		sbuf_addstr(&text, job->text);
	} else {
		int rc = file_read(&text, job->path);
		if (rc < 0) {
			sbuf_release(&text);
			return rc;
		}
	}
	size_t size = text.n;
	struct str plain = {arena_strndup(a, sbuf_cstr(&text), size), size};
	append_probes(&text, plain);
	const char *target = job->target;
	struct parse p = parse_once(a, job, target, sbuf_str(&text), size);
	if (!p.crashed && p.sum.in_probes) {
		parse_release(&p);
		p = parse_once(a, job, target, plain, size);
	}
	/* An unknown target is a diagnostic, or else clang's driver gives no command at all. */
	if ((p.crashed || p.sum.unknown_arch) && job->nearest) {
		parse_release(&p);
		target = job->nearest;
		p = parse_once(a, job, target, sbuf_str(&text), size);
	}
	int rc = 0;
	if (p.crashed) {
		msg_error("%s: libclang could not parse it (target %s): it crashed or refused the "
			  "flags",
			job->path, target);
		rc = FAIL_INPUT;
	} else if (p.sum.errors) {
		if (!job->quiet) {
			print_errors(p.tu, job->path);
		}
		rc = FAIL_INPUT;
	} else {
		rc = build_unit(out, a, job, &p, plain);
	}
	if (parsed_as) {
		*parsed_as = target;
	}
	parse_release(&p);
	sbuf_release(&text);
	return rc;
}

const char *frontend_libclang_version(struct arena *a)
{
	if (libclang_load() < 0) {
		return NULL;
	}
	CXString s = clang_getClangVersion();
	const char *v = arena_strdup(a, clang_getCString(s));
	clang_disposeString(s);
	return v;
}
