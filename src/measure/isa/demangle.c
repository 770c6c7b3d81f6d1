#include "measure/isa/demangle.h"

#include <string.h>
#include "base/array.h"
#include "base/map.h"
#include "base/process/proc.h"

#define BATCH_BYTES (256u << 10) /* per command line */
#define TIME_LIMIT_S 20.0

/* <source-name>: a length in decimal, then that many bytes. Empty if there is none. */
static struct str source_name(struct str *rest)
{
	size_t at = 0;
	size_t n = 0;
	while (at < rest->n && rest->p[at] >= '0' && rest->p[at] <= '9' && n < 10000) {
		n = n * 10 + (size_t)(rest->p[at++] - '0');
	}
	if (at == 0 || n == 0 || n > rest->n - at) {
		return (struct str){rest->p, 0};
	}
	struct str name = str_sub(*rest, at, at + n);
	*rest = str_sub(*rest, at + n, rest->n);
	return name;
}

/* Itanium C++ ABI, 5.1: _Z, then <source-name> or N <source-name>... E; I begins template
 * arguments, which only a demangler can print. Other names stay mangled. *after: the text after the
 * name; empty if it stays mangled. */
static const char *read_name(struct arena *a, struct str symbol, struct str *after)
{
	*after = (struct str){0};
	if (!str_starts(symbol, "_Z")) {
		return arena_strndup(a, symbol.p, symbol.n);
	}
	struct str rest = str_sub(symbol, 2, symbol.n);
	bool nested = rest.n && rest.p[0] == 'N';
	struct sbuf b = {0};
	if (nested) {
		rest = str_sub(rest, 1, rest.n);
	}
	for (;;) {
		if (rest.n && rest.p[0] == 'L') { /* internal linkage */
			rest = str_sub(rest, 1, rest.n);
		}
		struct str name = source_name(&rest);
		if (name.n == 0) {
			break;
		}
		if (b.n) {
			sbuf_adds(&b, "::");
		}
		if (str_starts(name, "_GLOBAL__N")) {
			sbuf_adds(&b, "(anonymous namespace)");
		} else {
			sbuf_addstr(&b, name);
		}
		if (!nested) {
			break;
		}
	}
	if (b.n && rest.n && rest.p[0] == 'I') {
		sbuf_adds(&b, "<...>");
	}
	bool known = b.n && (!nested || (rest.n && (rest.p[0] == 'E' || rest.p[0] == 'I')));
	const char *name =
		known ? arena_strndup(a, b.p, b.n) : arena_strndup(a, symbol.p, symbol.n);
	sbuf_release(&b);
	*after = known ? rest : *after;
	return name;
}

const char *demangle_plain(struct arena *a, struct str symbol)
{
	struct str after;
	return read_name(a, symbol, &after);
}

/* Would a demangler give the same name as demangle_plain? Not with template arguments (I), ABI tags
 * (B) or compiler suffixes (.). */
static bool is_plain(struct arena *a, struct str symbol)
{
	struct str after;
	read_name(a, symbol, &after);
	bool adds = after.n == 0 || after.p[0] == 'I' || after.p[0] == 'B';
	return !adds && !memchr(after.p, '.', after.n);
}

static int bracket(char c)
{
	return (c == '(' || c == '<' || c == '{' || c == '[') -
	       (c == ')' || c == '>' || c == '}' || c == ']');
}

/* The index of the parenthesis that opens the parameters, or n if there is none. */
static size_t parameters_start(struct str s)
{
	int depth = 0;
	for (size_t i = s.n; i > 0; i--) {
		depth -= bracket(s.p[i - 1]);
		if (depth == 0) {
			return s.p[i - 1] == '(' ? i - 1 : s.n;
		}
	}
	return s.n;
}

struct str demangle_strip(struct str name)
{
	static const char *const tails[] = {" [clone .kd]", " const", " &", " &&"};
	struct str s = name;
	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		if (str_ends(s, tails[i])) {
			s.n -= strlen(tails[i]);
		}
	}
	if (s.n && s.p[s.n - 1] == ')') {
		size_t at = parameters_start(s);
		bool is_name = at == 0; /* just "(anonymous namespace)": no parameters */
		s.n = is_name ? s.n : at;
	}
	int depth = 0;
	size_t from = 0;
	for (size_t i = 0; i < s.n; i++) {
		depth += bracket(s.p[i]);
		if (depth == 0 && s.p[i] == ' ') {
			from = i + 1;
		}
	}
	s = str_sub(s, from, s.n);
	return s.n ? s : name;
}

static const char *find_tool(struct arena *a)
{
	static const char *const tools[] = {"llvm-cxxfilt-19", "llvm-cxxfilt", "c++filt"};
	const char *found = NULL;
	for (size_t i = 0; i < sizeof(tools) / sizeof(tools[0]) && !found; i++) {
		found = proc_find(a, tools[i]);
	}
	return found;
}

/* Runs the tool: one output line per symbol. Without output there is no name. */
static void ask_tool(
	struct map *names, struct arena *a, const char *tool, const char *const *symbol, size_t n)
{
	const char **argv = ARENA_ARRAY(a, const char *, n + 2);
	argv[0] = tool;
	memcpy(argv + 1, symbol, n * sizeof(*symbol));
	struct proc_job job = {.argv = argv, .time_limit_s = TIME_LIMIT_S};
	struct proc_result r = {0};
	proc_run(&r, &job);
	if (proc_ok(&r)) {
		struct str rest = sbuf_str(&r.out);
		struct str line;
		for (size_t i = 0; i < n && str_line(&rest, &line); i++) {
			struct str name = demangle_strip(str_trim(line));
			if (name.n && !str_is(line, symbol[i])) {
				map_set(names, str_of(symbol[i]),
					(uintptr_t)arena_strndup(a, name.p, name.n));
			}
		}
	}
	proc_result_release(&r);
}

void demangle_measurements(struct measurement *const *m, size_t n, struct arena *a)
{
	ARRAY(const char *) symbol = {0};
	struct map seen = {0};
	struct map names = {0};
	for (size_t i = 0; i < n; i++) {
		for (size_t j = 0; j < m[i]->kernels; j++) {
			const char *s = m[i]->kernel[j].symbol;
			if (strncmp(s, "_Z", 2) == 0 && map_set(&seen, str_of(s), 1) &&
				!is_plain(a, str_of(s))) {
				array_push(&symbol, s);
			}
		}
	}
	const char *tool = symbol.n ? find_tool(a) : NULL;
	if (tool) {
		size_t from = 0;
		size_t bytes = 0;
		for (size_t i = 0; i < symbol.n; i++) {
			bytes += strlen(symbol.v[i]) + 1 + sizeof(char *);
			if (bytes > BATCH_BYTES || i + 1 == symbol.n) {
				ask_tool(&names, a, tool, symbol.v + from, i + 1 - from);
				from = i + 1;
				bytes = 0;
			}
		}
		for (size_t i = 0; i < n; i++) {
			span_each (m[i]->kernel, m[i]->kernels, struct kernel_metrics, k) {
				k->name = (const char *)map_get(
					&names, str_of(k->symbol), (uintptr_t)k->name);
			}
		}
	}
	map_release(&names);
	map_release(&seen);
	array_release(&symbol);
}
