#include "frontend/parse/diagnostics.h"

#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/msglog.h"

static bool is_after(CXDiagnostic d, size_t text_size)
{
	unsigned off = 0;
	CXSourceLocation loc = clang_getDiagnosticLocation(d);
	clang_getFileLocation(loc, NULL, NULL, NULL, &off);
	return clang_Location_isFromMainFile(loc) && off >= text_size;
}

struct diag_sum diagnostics_sum(CXTranslationUnit tu, size_t text_size)
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
			sum.in_probes |= is_after(d, text_size);
			sum.elsewhere |=
				!clang_Location_isFromMainFile(clang_getDiagnosticLocation(d));
			CXDiagnosticSet notes = clang_getChildDiagnostics(d);
			for (unsigned k = 0; k < clang_getNumDiagnosticsInSet(notes); k++) {
				CXDiagnostic note = clang_getDiagnosticInSet(notes, k);
				sum.in_probes |= is_after(note, text_size);
				clang_disposeDiagnostic(note);
			}
		}
		clang_disposeDiagnostic(d);
	}
	return sum;
}

/* Marks the probe that the diagnostic is in; false if it is in none. */
static bool blame_probe(struct probes *probes, CXDiagnostic d)
{
	bool some = false;
	CXSourceLocation at = clang_getDiagnosticLocation(d);
	unsigned off = 0;
	clang_getFileLocation(at, NULL, NULL, NULL, &off);
	bool main = clang_Location_isFromMainFile(at);
	array_each (&probes->each, struct probe, probe) {
		if (main && !probe->bad && off >= probe->begin && off < probe->end) {
			probe->bad = some = true;
		}
	}
	return some;
}

bool diagnostics_blame(struct probes *probes, CXTranslationUnit tu)
{
	bool some = false;
	unsigned n = clang_getNumDiagnostics(tu);
	for (unsigned i = 0; i < n; i++) {
		CXDiagnostic d = clang_getDiagnostic(tu, i);
		if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error) {
			some |= blame_probe(probes, d);
			CXDiagnosticSet notes = clang_getChildDiagnostics(d);
			for (unsigned k = 0; k < clang_getNumDiagnosticsInSet(notes); k++) {
				CXDiagnostic note = clang_getDiagnosticInSet(notes, k);
				some |= blame_probe(probes, note);
				clang_disposeDiagnostic(note);
			}
		}
		clang_disposeDiagnostic(d);
	}
	return some;
}

/* Shortens names of a compile database such as BUILD/../src/x.hip. */
static const char *shown(struct arena *a, const struct frontend_job *job, const char *path)
{
	bool winds = path[0] == '/' || strstr(path, "../");
	const char *real = winds ? path_real(a, path) : path;
	bool below = job->cwd && job->cwd[1] && path_is_below(real, job->cwd);
	return below ? real + strlen(job->cwd) + 1 : real;
}

enum {
	ERRORS_SHOWN = 8,
	ERRORS_KEPT = 100
};

/* Keeps an error with its place, and adds it to out as a line. */
static void keep_error(
	struct sbuf *out, struct arena *a, CXDiagnostic d, const struct frontend_job *job)
{
	CXFile file;
	struct msglog_entry s = {.error = true};
	clang_getFileLocation(clang_getDiagnosticLocation(d), &file, &s.line, &s.column, NULL);
	CXString text = clang_getDiagnosticSpelling(d);
	CXString path = clang_getFileName(file);
	const char *name = clang_getCString(path);
	bool fatal = clang_getDiagnosticSeverity(d) == CXDiagnostic_Fatal;
	s.file = name ? shown(a, job, name) : shown(a, job, job->path);
	s.text = clang_getCString(text);
	msglog_add(&s);
	sbuf_adds(out, "\n  ");
	if (name) {
		sbuf_addf_visible(out, "%s:%u:%u: ", s.file, s.line, s.column);
	}
	sbuf_addf_visible(out, "%serror: %s", fatal ? "fatal " : "", s.text);
	clang_disposeString(path);
	clang_disposeString(text);
}

void diagnostics_print(CXTranslationUnit tu, const struct frontend_job *job)
{
	unsigned n = clang_getNumDiagnostics(tu);
	unsigned errors = 0;
	struct sbuf text = {0}, unshown = {0};
	struct arena *a = arena_create();
	for (unsigned i = 0; i < n; i++) {
		CXDiagnostic d = clang_getDiagnostic(tu, i);
		if (clang_getDiagnosticSeverity(d) >= CXDiagnostic_Error &&
			errors++ < ERRORS_KEPT) {
			keep_error(errors <= ERRORS_SHOWN ? &text : &unshown, a, d, job);
		}
		clang_disposeDiagnostic(d);
	}
	const char *s = errors == 1 ? "" : "s";
	if (job->made) {
		msg_error_with(sbuf_str(&text),
			"%s: the rewritten text does not parse (%u error%s). That is a fault of "
			"unphi, and the file is unchanged: please report it, with the file and the "
			"command. In the rewritten text:",
			job->path, errors, s);
	} else {
		sbuf_addf(&text, "\n  read by %s", frontend_libclang_version(a));
		if (!libclang_driver(a)) {
			sbuf_addf(&text,
				"\n  whose own headers are not installed (Debian: "
				"libclang-common-%u-dev)",
				libclang_major());
		}
		msg_error_with(sbuf_str(&text),
			"%s: does not parse as HIP (%u error%s); compile it first, or give its "
			"flags after --:",
			shown(a, job, job->path), errors, s);
	}
	arena_free(a);
	sbuf_release(&text);
	sbuf_release(&unshown);
}
