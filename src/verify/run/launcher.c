#include "verify/run/launcher.h"

#include <string.h>

enum {
	LDS_UNASKED = 48 * 1024 /* bytes available on any GPU without a request */
};

static void add_quoted(struct sbuf *out, const char *text)
{
	sbuf_addc(out, '"');
	for (const char *p = text; *p; p++) {
		/* a newline would end the literal, and what follows could be a directive */
		if ((unsigned char)*p < ' ' || *p == 127 || *p == '?') {
			sbuf_addf(out, "\\%03o", (unsigned)(unsigned char)*p);
			continue;
		}
		if (*p == '"' || *p == '\\') {
			sbuf_addc(out, '\\');
		}
		sbuf_addc(out, *p);
	}
	sbuf_addc(out, '"');
}

static void add_line(struct sbuf *out, unsigned line, const char *file)
{
	sbuf_addf(out, "#line %u ", line);
	add_quoted(out, file);
	sbuf_addc(out, '\n');
}

static void add_buffers(struct sbuf *out, const struct spec_case *c, size_t number)
{
	if (c->buffers == 0) {
		return;
	}
	sbuf_addf(out, "static const buffer_spec buffers_%zu[] = {\n", number);
	for (size_t i = 0; i < c->buffers; i++) {
		sbuf_adds(out, "\t{");
		add_quoted(out, c->buffer[i].name);
		sbuf_addf(out, ", %zu},\n", spec_buffer_bytes(&c->buffer[i]));
	}
	sbuf_adds(out, "};\n");
}

static const char *scope_of(const struct spec_case *c)
{
	return strncmp(c->kernel, "::", 2) == 0 ? "" : "::";
}

static void add_arguments(struct sbuf *out, const struct spec_case *c)
{
	sbuf_addc(out, '(');
	for (size_t i = 0; i < c->arguments; i++) {
		sbuf_addf(out, "%s%s", i ? ", " : "", c->argument[i]);
	}
	sbuf_adds(out, ");\n");
}

static void add_call(struct sbuf *out, const struct spec *s, const struct spec_case *c)
{
	add_line(out, c->line, s->path);
	sbuf_addf(out, "%s%s", scope_of(c), c->kernel);
	add_arguments(out, c);
}

/* The user's macros apply to this text, so it must not use plain names of the launcher. */
static void add_called(
	struct sbuf *out, const struct spec *s, const struct spec_case *c, size_t number)
{
	sbuf_addf(out, "static void __unphi_call_%zu()\n{\n", number);
	add_call(out, s, c);
	sbuf_adds(out, "}\n");
}

static void add_packed(
	struct sbuf *out, const struct spec *s, const struct spec_case *c, size_t number)
{
	sbuf_addf(out, "static bool __unphi_call_%zu()\n{\n\treturn\n", number);
	add_line(out, c->line, s->path);
	sbuf_addf(out, "decltype(__unphi_packer_of(&%s%s))()", scope_of(c), c->kernel);
	add_arguments(out, c);
	sbuf_adds(out, "}\n");
}

static void add_launch_cpu(
	struct sbuf *out, const struct spec *s, const struct spec_case *c, size_t number)
{
	(void)s;
	sbuf_addf(out,
		"static bool launch_%zu()\n{\n\tunphi::shape s;\n"
		"\ts.grid = dim3(%u, %u, %u);\n\ts.block = dim3(%u, %u, %u);\n"
		"\ts.lds_bytes = %u;\n\ts.wave_size = %u;\n\ts.early_exit = %s;\n"
		"\treturn unphi::launch(s, [] { __unphi_call_%zu(); });\n}\n",
		number, c->grid.v[0], c->grid.v[1], c->grid.v[2], c->block.v[0], c->block.v[1],
		c->block.v[2], c->lds, c->wave_size, c->early_exit ? "true" : "false", number);
}

static void add_launch_gpu(
	struct sbuf *out, const struct spec *s, const struct spec_case *c, size_t number)
{
	sbuf_addf(out,
		"static void launch_%zu()\n{\n\tconst dim3 grid(%u, %u, %u);\n"
		"\tconst dim3 block(%u, %u, %u);\n",
		number, c->grid.v[0], c->grid.v[1], c->grid.v[2], c->block.v[0], c->block.v[1],
		c->block.v[2]);
	add_line(out, c->line, s->path);
	if (c->lds > LDS_UNASKED) {
		sbuf_addf(out, "allow_lds((const void *)%s%s, %u);\n", scope_of(c), c->kernel,
			c->lds);
		add_line(out, c->line, s->path);
	}
	sbuf_addf(out, "%s%s<<<grid, block, %u>>>", scope_of(c), c->kernel, c->lds);
	add_arguments(out, c);
	sbuf_adds(out, "}\n");
}

static void add_launch_arguments(
	struct sbuf *out, const struct spec *s, const struct spec_case *c, size_t number)
{
	(void)s;
	(void)c;
	sbuf_addf(out, "static bool launch_%zu()\n{\n\treturn __unphi_call_%zu();\n}\n", number,
		number);
}

static void add_launch_trial(
	struct sbuf *out, const struct spec *s, const struct spec_case *c, size_t number)
{
	(void)s;
	(void)c;
	sbuf_addf(out,
		"static bool launch_%zu()\n{\n\treturn unphi::launch(trial_shape(), [] { "
		"__unphi_call_%zu(); });\n}\n",
		number, number);
}

static void add_table(struct sbuf *out, const struct spec *s, const struct target *t)
{
	sbuf_adds(out, "static const case_spec cases[] = {\n");
	for (size_t i = 0; i < s->n; i++) {
		const struct spec_case *c = &s->v[i];
		if (c->target != t) {
			sbuf_adds(out, "\t{nullptr, 0, nullptr},\n");
		} else if (c->buffers) {
			sbuf_addf(out, "\t{buffers_%zu, %zu, launch_%zu},\n", i, c->buffers, i);
		} else {
			sbuf_addf(out, "\t{nullptr, 0, launch_%zu},\n", i);
		}
	}
	sbuf_adds(out, "};\n");
}

/* The macro UNPHI_LAUNDER_UNIFORM takes the first lane's value on the device, and is empty for the
 * host. Without this a divergent condition would go unnoticed. */
static void add_source(struct sbuf *out, struct str source)
{
	static const char mark[] = "\xEF\xBB\xBF"; /* a BOM, only allowed at the start of a file */
	source = str_sub(source, str_starts(source, mark) ? strlen(mark) : 0, source.n);
	static const char host[] = "#define UNPHI_LAUNDER_UNIFORM(x) ((void)(x))";
	size_t at = str_find(source, host, 0);
	if (at == SIZE_MAX) {
		sbuf_addstr(out, source);
		return;
	}
	sbuf_addstr(out, str_sub(source, 0, at));
	sbuf_adds(out, "#define UNPHI_LAUNDER_UNIFORM(x) "
		       "((x) = __builtin_amdgcn_readfirstlane(x))");
	sbuf_addstr(out, str_sub(source, at + strlen(host), source.n));
}

void launcher_text(struct sbuf *out, const struct spec *s, const struct target *t,
	struct str source, const char *shown, enum launcher_kind kind)
{
	static void (*const add_launch[])(struct sbuf *, const struct spec *,
		const struct spec_case *, size_t) = {add_launch_cpu, add_launch_gpu,
		add_launch_arguments, add_launch_trial, add_launch_trial};
	static void (*const add_user[])(struct sbuf *, const struct spec *,
		const struct spec_case *,
		size_t) = {add_called, NULL, add_packed, add_called, add_called};
	static const char *const part[] = {"cpu", "gpu", "args", "trial", "faults"};
	sbuf_addf(out, "#include <hip/hip_runtime.h>\n#include <launch_%s.hpp>\n", part[kind]);
	/* the source's own main must not run */
	sbuf_adds(out, "#define main unphi_main_of_source\n");
	add_line(out, 1, shown);
	add_source(out, source);
	sbuf_adds(out, "\n#undef main\n#line 1 \"launcher\"\nnamespace unphi_verify\n{\n");
	for (size_t i = 0; i < s->n; i++) {
		if (s->v[i].target == t && add_user[kind]) {
			add_user[kind](out, s, &s->v[i], i);
		}
	}
	sbuf_adds(out, add_user[kind] ? "#include <runtime/unphi/names.h>\n" : "");
	for (size_t i = 0; i < s->n; i++) {
		if (s->v[i].target == t) {
			add_buffers(out, &s->v[i], i);
			add_launch[kind](out, s, &s->v[i], i);
		}
	}
	add_table(out, s, t);
	sbuf_addf(out,
		"} // namespace unphi_verify\n"
		"int main(int argc, char **argv)\n{\n"
		"\treturn unphi_verify::run_%s(unphi_verify::cases, %zu, argc, argv);\n}\n",
		kind == LAUNCHER_TRIAL	  ? "trial"
		: kind == LAUNCHER_FAULTS ? "faults"
					  : "case",
		s->n);
}
