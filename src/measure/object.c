#include "measure/object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/map.h"
#include "base/msg.h"
#include "base/process/proc.h"
#include "measure/load.h"

#define ELF_MAGIC "\177ELF"
#define BUNDLE_MAGIC "__CLANG_OFFLOAD_BUNDLE__"
#define COMPRESSED_MAGIC "CCOB"

enum {
	MACHINE_AT = 18, /* e_machine in an ELF header (ELF-64 Object File Format, figure 2) */
	EM_AMDGPU = 224,
	TIME_LIMIT_S = 120,
};

struct reader {
	struct arena *a;
	const char *path;
	const char *dir; /* for extracted parts; made on demand */
	size_t files;
	bool to_run;
	ARRAY(struct object_code) codes;
};

/* ---- tools ---- */

/* The tool of ROCm, else of the newest LLVM with a version in its name, else without one. */
static const char *find_tool(struct arena *a, const char *name)
{
	static const char *const versions[] = {
		"-24", "-23", "-22", "-21", "-20", "-19", "-18", "-17", "-16", "-15", "-14", ""};
	const char *rocm = getenv("ROCM_PATH");
	const char *found = proc_find(
		a, arena_printf(a, "%s/llvm/bin/%s", rocm && *rocm ? rocm : "/opt/rocm", name));

	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]) && !found; i++) {
		found = proc_find(a, arena_printf(a, "%s%s", name, versions[i]));
	}
	return found;
}

/* Runs a tool; its stdout is in a. */
static int run_tool(struct str *out, struct reader *r, const char *name, const char *const *args)
{
	const char *argv[16] = {find_tool(r->a, name)};
	struct proc_result result = {0};

	if (!argv[0]) {
		return fail_input(
			"%s: %s is needed to read it, and is not there; install llvm, or set "
			"ROCM_PATH",
			r->path, name);
	}
	for (size_t i = 0; args[i]; i++) {
		argv[i + 1] = args[i];
	}
	struct proc_job job = {
		.argv = argv, .time_limit_s = TIME_LIMIT_S, .output_limit = 1u << 30};
	proc_run(&result, &job);
	bool ok = proc_ok(&result);
	if (ok && out) {
		*out = arena_str(r->a, sbuf_str(&result.out));
	} else if (!ok) {
		msg_error("%s: %s cannot read it: %-s", r->path, argv[0],
			result.timed_out ? "it took too long" : sbuf_cstr(&result.err));
	}
	proc_result_release(&result);
	return ok ? 0 : FAIL_INPUT;
}

/* ---- assembly text ---- */

/* The GPU in "amdhsa.target: amdgcn-amd-amdhsa--gfx90a:xnack-", or NULL. The four parts of the
 * triple precede it. Clang 23 fills in the fourth ("unknown"), and clang 24 has a different first
 * one ("amdgpu9.42"). See "Code Object V3 and Above Metadata" in LLVM's AMDGPU usage guide. */
static const char *target_in(struct arena *a, struct str isa)
{
	size_t at = str_find(isa, "amdhsa.target:", 0);
	struct str rest = at == SIZE_MAX ? (struct str){0} : str_sub(isa, at, isa.n), line, part;

	if (at == SIZE_MAX || !str_line(&rest, &line)) {
		return NULL;
	}
	for (int i = 0; i < 4; i++) {
		if (!str_split(&line, '-', &part)) {
			return NULL;
		}
	}
	struct str name = str_trim(line);
	while (name.n > 0 && strchr("'\"", name.p[name.n - 1])) {
		name.n--;
	}
	return name.n > 0 ? arena_strndup(a, name.p, name.n) : NULL;
}

static int add_code(struct reader *r, struct object_code code)
{
	code.target = target_in(r->a, code.isa);
	if (!code.target) {
		return fail_input(
			"%s: its device code does not name its GPU (amdhsa.target)", r->path);
	}
	array_push(&r->codes, code);
	return 0;
}

/* ---- code objects ---- */

/* "<name>:" as the disassembler writes symbols. */
static bool is_label(struct str line, struct str *name)
{
	struct str s = str_trim(line);

	if (s.n < 4 || s.p[0] != '<' || !str_ends(s, ">:")) {
		return false;
	}
	*name = str_sub(s, 1, s.n - 2);
	return true;
}

static bool is_instruction(struct str line)
{
	return line.n > 0 && (line.p[0] == '\t' || line.p[0] == ' ');
}

/* We do not use llvm-objdump --symbolize-operands: in LLVM 15 it does not terminate for some code
 * objects. */
struct branches {
	struct map base;   /* of each symbol's name: the address of its first instruction, plus 1 */
	struct ids target; /* addresses that a branch goes to, plus 1 */
};

/* The address in an instruction's comment, "// 00000000174C: BF850572 <name+0x1618>"; false: none.
 * rest: the text after it. */
static bool address_of(struct str line, unsigned long long *address, struct str *rest)
{
	size_t comment = str_find(line, "// ", 0); /* a long line has no blank before it */
	if (comment == SIZE_MAX) {
		return false;
	}
	*rest = str_sub(line, comment, line.n);
	*address = strtoull(line.p + comment + strlen("// "), NULL, 16);
	return true;
}

/* The target address of a branch. */
static bool target_of(const struct branches *b, struct str line, unsigned long long *target)
{
	struct str rest;
	unsigned long long at;
	if (!address_of(line, &at, &rest) || str_find(line, "branch", 0) >= line.n - rest.n) {
		return false;
	}
	size_t open = str_find(rest, "<", 0), close = str_find(rest, ">", open);
	if (open == SIZE_MAX || close == SIZE_MAX) {
		return false;
	}
	struct str name = str_sub(rest, open + 1, close);
	size_t plus = str_find(name, "+0x", 0);
	size_t base = map_get(&b->base, str_sub(name, 0, plus), 0);
	*target = base - 1 + (plus == SIZE_MAX ? 0 : strtoull(name.p + plus + 1, NULL, 16));
	return base > 0;
}

static void find_branches(struct branches *b, struct str text)
{
	struct str line, name = {0}, rest;
	unsigned long long at;
	for (struct str t = text; str_line(&t, &line);) {
		if (is_label(line, &name)) {
			continue;
		}
		if (name.n > 0 && is_instruction(line) && address_of(line, &at, &rest)) {
			map_set(&b->base, name, at + 1);
			name = (struct str){0};
		}
	}
	while (str_line(&text, &line)) {
		if (is_instruction(line) && target_of(b, line, &at)) {
			ids_set(&b->target, at + 1, 1);
		}
	}
}

/* Branch targets get labels like the compiler's, ".LBB0_5964". */
static void add_instruction(
	struct sbuf *isa, struct str line, size_t function, bool to_run, const struct branches *b)
{
	struct str s = str_trim(str_sub(line, 0, str_find(line, "// ", 0))), rest;
	unsigned long long at = 0, target;
	bool placed = address_of(line, &at, &rest);

	if (s.n == 0) {
		return;
	}
	if (target_of(b, line, &target)) {
		sbuf_addf(isa, "\t%.*s .LBB%zu_%llu", (int)str_find(s, " ", 0), s.p, function,
			target);
	} else {
		sbuf_addf(isa, "\t%.*s", STR_ARG(s));
	}
	if (to_run && placed) {
		sbuf_addf(isa, " ; at %#llx", at);
	}
	sbuf_addc(isa, '\n');
}

/* Reads "; DIRECTORY/FILE:LINE" before a line's instructions; "; NAME():" is the function. */
static void add_line(struct sbuf *isa, struct str line, struct map *files)
{
	struct str path = str_trim(str_sub(line, 1, line.n));
	size_t colon = path.n;
	while (colon > 0 && path.p[colon - 1] != ':') {
		colon--;
	}
	int64_t number;
	if (colon < 2 || !str_to_i64(str_sub(path, colon, path.n), &number) || number < 0) {
		return;
	}
	path = str_sub(path, 0, colon - 1);
	if (!map_has(files, path)) {
		map_set(files, path, files->n + 1);
		sbuf_addf(isa, "\t.file\t%zu \"%.*s\"\n", files->n, STR_ARG(path));
	}
	sbuf_addf(isa, "\t.loc\t%zu %lld 0\n", (size_t)map_get(files, path, 0), (long long)number);
}

/* Is it padding after a function? */
static bool is_padding(struct str line)
{
	struct str s = str_trim(str_sub(line, 0, str_find(line, "// ", 0)));

	return str_is(s, "s_nop 0") || str_is(s, "s_code_end") || str_is(s, "...") || s.n == 0;
}

static void add_disassembly(struct sbuf *isa, struct str text, bool to_run)
{
	struct str line, name, rest;
	struct map files = {0};
	struct branches b = {0};
	size_t functions = 0, code_end = 0;
	unsigned long long at;
	bool inside = false;

	find_branches(&b, text);
	while (str_line(&text, &line)) {
		if (is_label(line, &name)) {
			isa->n = code_end;
			if (inside) {
				sbuf_addf(isa, ".Lfunc_end%zu:\n", functions);
			}
			functions++;
			inside = true;
			if (to_run) {
				sbuf_addf(isa, "\t.type\t%.*s,@function\n", STR_ARG(name));
			}
			sbuf_addf(isa, "%.*s:\n", STR_ARG(name));
			code_end = isa->n;
		} else if (inside && is_instruction(line)) {
			if (address_of(line, &at, &rest) && ids_get(&b.target, at + 1, 0)) {
				sbuf_addf(isa, ".LBB%zu_%llu:\n", functions, at);
				code_end = isa->n;
			}
			add_instruction(isa, line, functions, to_run, &b);
			code_end = is_padding(line) ? code_end : isa->n;
		} else if (inside && to_run && line.n > 0 && line.p[0] == ';') {
			add_line(isa, line, &files);
		}
	}
	isa->n = code_end;
	if (inside) {
		sbuf_addf(isa, ".Lfunc_end%zu:\n", functions);
	}
	map_release(&files);
	map_release(&b.base);
	ids_release(&b.target);
}

/* The YAML after "AMDGPU Metadata:", up to its end mark. */
static bool add_metadata(struct sbuf *isa, struct str notes)
{
	size_t at = str_find(notes, "AMDGPU Metadata:", 0);
	struct str line;

	at = at == SIZE_MAX ? SIZE_MAX : str_find(notes, "---", at);
	if (at == SIZE_MAX) {
		return false;
	}
	sbuf_adds(isa, "\t.amdgpu_metadata\n");
	for (notes = str_sub(notes, at, notes.n); str_line(&notes, &line);) {
		sbuf_addf(
			isa, "%.*s\n", STR_ARG(str_is(str_trim(line), "---") ? STR("---") : line));
		if (str_starts(line, "...")) {
			break;
		}
	}
	sbuf_adds(isa, "\t.end_amdgpu_metadata\n");
	return true;
}

static int read_instructions(struct sbuf *isa, struct reader *r, const char *elf)
{
	const char *plain[] = {"-d", "--no-leading-addr", "--no-show-raw-insn", elf, NULL};
	const char *to_run[] = {"-d", "-l", "--no-leading-addr", "--no-show-raw-insn", elf, NULL};
	struct str text;
	int rc = run_tool(&text, r, "llvm-objdump", r->to_run ? to_run : plain);
	if (rc == 0) {
		add_disassembly(isa, text, r->to_run);
	}
	return rc;
}

static int read_code_object(struct reader *r, const char *elf)
{
	const char *readelf[] = {"--notes", elf, NULL};
	struct object_code code = {.disassembled = true};
	struct str notes;
	struct sbuf isa = {0};
	int rc = run_tool(&notes, r, "llvm-readelf", readelf);

	rc = rc ? rc : read_instructions(&isa, r, elf);
	if (rc == 0 && !add_metadata(&isa, notes)) {
		rc = fail_input("%s: a code object in it has no AMDGPU metadata", r->path);
	}
	if (rc == 0 && r->to_run) {
		const char *target = target_in(r->a, sbuf_str(&isa));
		rc = object_load(&code, &isa, r->a, elf, target ? target : "", r->path);
	}
	code.isa = arena_str(r->a, sbuf_str(&isa));
	rc = rc ? rc : add_code(r, code);
	sbuf_release(&isa);
	return rc;
}

static int read_piece(struct reader *r, struct str bytes)
{
	r->dir = r->dir ? r->dir : tmpdir_create();
	if (!r->dir) {
		return FAIL_USAGE;
	}
	const char *elf = arena_printf(r->a, "%s/%zu.co", r->dir, r->files++);
	int rc = file_write_atomic(elf, bytes);
	rc = rc ? rc : read_code_object(r, elf);
	remove(elf);
	return rc;
}

/* ---- bundles ---- */

static bool take_u64(uint64_t *out, struct str s, size_t *at)
{
	uint64_t v = 0;

	if (*at > s.n || s.n - *at < 8) {
		return false;
	}
	for (unsigned i = 0; i < 8; i++) {
		v |= (uint64_t)(unsigned char)s.p[*at + i] << 8 * i;
	}
	*at += 8;
	*out = v;
	return true;
}

/* Reads the bundle at the start of s ("Clang Offload Bundler", Bundled Binary File Layout): magic,
 * number of entries, and for each: offset, size, length of the name, name. */
static int read_bundle(struct reader *r, struct str s)
{
	size_t at = strlen(BUNDLE_MAGIC);
	uint64_t n;
	bool whole = take_u64(&n, s, &at) && n <= 1024;

	for (uint64_t i = 0; whole && i < n; i++) {
		uint64_t offset, size, length;
		whole = take_u64(&offset, s, &at) && take_u64(&size, s, &at) &&
			take_u64(&length, s, &at) && length <= s.n - at && offset <= s.n &&
			size <= s.n - offset;
		if (!whole) {
			break;
		}
		struct str id = str_sub(s, at, at + length);
		at += length;
		if (size > 0 && !str_starts(id, "host")) {
			int rc = read_piece(r, str_sub(s, offset, offset + size));
			if (rc) {
				return rc;
			}
		}
	}
	if (!whole) {
		return fail_input("%s: a bundle of device code in it is cut off", r->path);
	}
	return 0;
}

/* A section may hold one bundle per linked unit. */
static int read_bundles(struct reader *r, struct str s)
{
	if (str_starts(s, COMPRESSED_MAGIC)) {
		return fail_input(
			"%s: its device code is compressed; unbundle it with "
			"clang-offload-bundler, or build with -mllvm -no-offload-compress",
			r->path);
	}
	size_t at = str_find(s, BUNDLE_MAGIC, 0);
	int rc = 0;
	while (rc == 0 && at != SIZE_MAX) {
		rc = read_bundle(r, str_sub(s, at, s.n));
		at = str_find(s, BUNDLE_MAGIC, at + 1);
	}
	return rc;
}

/* file: its content. */
static int read_host(struct reader *r, struct str file)
{
	if (str_find(file, ".hip_fatbin", 0) == SIZE_MAX) { /* the name of the section */
		return fail_input(
			"%s: there is no linked AMD GPU code in it; of -fgpu-rdc, name what the "
			"linker made",
			r->path);
	}
	r->dir = r->dir ? r->dir : tmpdir_create();
	if (!r->dir) {
		return FAIL_USAGE;
	}
	const char *section = arena_printf(r->a, "%s/fatbin", r->dir);
	const char *args[] = {arena_printf(r->a, "--dump-section=.hip_fatbin=%s", section), r->path,
		"/dev/null", NULL};
	struct sbuf bytes = {0};
	int rc = run_tool(NULL, r, "llvm-objcopy", args);
	rc = rc ? rc : file_read(&bytes, section);
	rc = rc ? rc : read_bundles(r, sbuf_str(&bytes));
	sbuf_release(&bytes);
	remove(section);
	return rc;
}

/* ---- files ---- */

static bool is_text(struct str s)
{
	return str_find(s, ".amdgpu_metadata", 0) != SIZE_MAX;
}

bool object_is_binary(struct str s)
{
	return str_starts(s, ELF_MAGIC) || str_starts(s, BUNDLE_MAGIC) ||
	       str_starts(s, COMPRESSED_MAGIC);
}

bool object_is(const char *path)
{
	struct sbuf text = {0};
	bool is = false;

	if (file_exists(path) && file_read(&text, path) == 0) {
		is = object_is_binary(sbuf_str(&text)) || is_text(sbuf_str(&text));
	}
	sbuf_release(&text);
	return is;
}

static bool is_host(struct str s)
{
	unsigned machine = s.n > MACHINE_AT + 1
				   ? (unsigned char)s.p[MACHINE_AT] |
					     (unsigned)(unsigned char)s.p[MACHINE_AT + 1] << 8
				   : EM_AMDGPU;
	return str_starts(s, ELF_MAGIC) && machine != EM_AMDGPU;
}

bool object_is_host(const char *path)
{
	/* section names: linked code, and -fgpu-rdc with both of clang's drivers */
	static const char *const marks[] = {
		".hip_fatbin", "__CLANG_OFFLOAD_BUNDLE__", ".llvm.offloading"};
	struct sbuf text = {0};
	bool is = file_read(&text, path) == 0 && is_host(sbuf_str(&text));
	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		is = is && str_find(sbuf_str(&text), marks[i], 0) == SIZE_MAX;
	}
	sbuf_release(&text);
	return is;
}

static int read_file(
	struct object_code **out, size_t *n, struct arena *a, const char *path, bool to_run)
{
	struct reader r = {.a = a, .path = path, .to_run = to_run};
	struct sbuf text = {0};
	int rc = file_read(&text, path);
	struct str s = sbuf_str(&text);

	if (rc == 0 && is_text(s)) {
		rc = add_code(&r, (struct object_code){.isa = {arena_strndup(a, s.p, s.n), s.n}});
	} else if (rc == 0 && s.n > MACHINE_AT + 1 && str_starts(s, ELF_MAGIC)) {
		rc = is_host(s) ? read_host(&r, s) : read_code_object(&r, path);
	} else if (rc == 0) {
		rc = read_bundles(&r, s);
	}
	if (rc == 0 && r.codes.n == 0) {
		rc = fail_input("%s: there is no AMD GPU code in it", path);
	}
	array_move(*out, *n, a, &r.codes);
	sbuf_release(&text);
	return rc;
}

int object_read(struct object_code **out, size_t *n, struct arena *a, const char *path)
{
	return read_file(out, n, a, path, false);
}

int object_read_to_run(struct object_code **out, size_t *n, struct arena *a, const char *path)
{
	return read_file(out, n, a, path, true);
}
