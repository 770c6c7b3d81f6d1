/* Commands as the launcher reads them, and the numbers of rewritten lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/file.h"
#include "cc/command.h"
#include "cc/fragment.h"
#include "cc/line_directives.h"
#include "cc/choice.h"

static struct arena *a;

static int setup(void **state)
{
	(void)state;
	a = arena_create();
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	arena_free(a);
	return 0;
}

/* The words of a line with a blank between them. */
static const char *const *words_of(const char *line)
{
	struct str rest = str_of(line);
	struct str word;
	size_t n = 0;
	const char **v = ARENA_ARRAY(a, const char *, strlen(line) + 2);

	while (str_split(&rest, ' ', &word)) {
		v[n++] = arena_strndup(a, word.p, word.n);
	}
	return v;
}

static const char *joined(const char *const *words)
{
	const char *out = "";

	for (; *words; words++) {
		out = arena_printf(a, "%s%s%s", out, *out ? " " : "", *words);
	}
	return out;
}

static void test_compiles_of_hip(void **state)
{
	static const struct {
		const char *line;
		const char *source;
		const char *flags;
	} known[] = {
		{"hipcc -c a.hip", "a.hip", ""},
		{"hipcc -O3 --offload-arch=gfx90a -c a.cpp -o a.o", "a.cpp",
			"-O3 --offload-arch=gfx90a"},
		{"/opt/rocm/bin/hipcc a.hip", "a.hip", ""},
		{"ccache hipcc -DX -c a.hip", "a.hip", "-DX"},
		{"clang++-19 -O2 -c -- a.hip", "a.hip", "-O2"},
		{"clang++ -x hip -O2 -c a.cpp", "a.cpp", "-O2"},
		{"clang++ -x c++ -xhip -O2 -c a.cpp", "a.cpp", "-O2"},
		{"amdclang++ -O3 -MD -MT a.o -MF a.d -I inc -include pre.h -c a.hip", "a.hip",
			"-O3 -I inc -include pre.h"},
		{"hipcc -Xclang -E -mllvm -M -c a.hip", "a.hip", "-Xclang -E -mllvm -M"},
		{"hipcc -offload-x -ofoo.o -c a.hip", "a.hip", "-offload-x"},
		{"hipcc -S -emit-llvm -fcolor-diagnostics a.hip", "a.hip", ""},
		{"hipcc -dumpdir x -c a.hip", "a.hip", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct cc_command c;
		const char *const *argv = words_of(known[i].line);
		assert_null(cc_command_read(&c, a, argv));
		assert_string_equal(c.source, known[i].source);
		assert_string_equal(joined(c.flags), known[i].flags);
		assert_string_equal(joined(cc_command_words(a, &c, NULL)), known[i].line);
	}
}

static void test_other_commands(void **state)
{
	static const struct {
		const char *line;
		const char *why;
	} known[] = {
		{"gcc -c a.hip", "neither hipcc nor clang"},
		{"clang-cl a.hip", "neither hipcc nor clang"},
		{"sccache hipcc -c a.hip", "launcher"},
		{"ccache distcc hipcc -c a.hip", "launcher"},
		{"ccache", "neither hipcc nor clang"},
		{"hipcc --version", "no input"},
		{"hipcc -c a.hip b.hip", "several"},
		{"hipcc a.hip b.o -o prog", "several"},
		{"hipcc --unknown-option value a.hip", "several"},
		{"hipcc -E a.hip", "preprocesses"},
		{"hipcc -M a.hip", "dependencies"},
		{"hipcc -fsyntax-only a.hip", "no code"},
		{"hipcc --offload-host-only -c a.hip", "GPU"},
		{"hipcc -c a.s", "no HIP"},
		{"hipcc -c a.c", "no HIP"},
		{"hipcc -x c++ -c a.cpp", "no HIP"},
		{"hipcc -x assembler -c a.hip", "no HIP"},
		{"clang++ -O2 -c a.cpp", "no HIP"},
		{"clang++ -O2 -c a.cu", "no HIP"},
		{"clang++ -c a.hip", "optimize"},
		{"clang++ -O2 -O0 -c a.hip", "optimize"},
		{"hipcc -x hip -c -", "standard input"},
		{"hipcc -ivfsoverlay x.yaml -c a.hip", "overlay"},
		{"hipcc -working-directory=/x -c a.hip", "paths"},
		{"hipcc -fmodules -c a.hip", "modules"},
		{"hipcc -c a.hip -o", "has no value"},
		{"hipcc -c a.hip @no-such-file", "response file"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct cc_command c;
		const char *why = cc_command_read(&c, a, words_of(known[i].line));
		assert_non_null(why);
		assert_non_null(strstr(why, known[i].why));
		assert_string_equal(joined(cc_command_words(a, &c, NULL)), known[i].line);
	}
}

/* What CMake puts before a file that it takes for C++. */
static void test_language(void **state)
{
	struct cc_command c;

	(void)state;
	assert_null(cc_command_read(&c, a, words_of("hipcc -x c++ -O3 -o a.o -c a.hip")));
	assert_string_equal(joined(c.flags), "-O3");
	assert_string_equal(
		joined(cc_command_words(a, &c, (const char *[]){"-ivfsoverlayX", NULL})),
		"hipcc -ivfsoverlayX -xhip -O3 -o a.o -c a.hip");
	assert_null(cc_command_read(&c, a, words_of("ccache hipcc -xc++ -O3 -c a.hip")));
	assert_string_equal(
		joined(cc_command_words(a, &c, NULL)), "ccache hipcc -xhip -O3 -c a.hip");
	assert_non_null(cc_command_read(&c, a, words_of("hipcc -x c++ -E a.hip")));
	assert_string_equal(joined(cc_command_words(a, &c, NULL)), "hipcc -xhip -E a.hip");
}

/* Where -MJ writes, and what the driver is to write there. */
static void test_fragment(void **state)
{
	static const struct {
		const char *line;
		const char *path; /* or NULL */
		const char *told; /* the command that writes to "t" */
	} known[] = {
		{"clang++ -O2 -MJ m -c a.hip", "m", "clang++ -O2 -MJ m -c a.hip -MJ t"},
		{"clang++ -O2 -MJm a.hip -MJ n", "n", "clang++ -O2 -MJm a.hip -MJ n -MJ t"},
		{"clang++ -O2 -MJ m -- a.hip", "m", "clang++ -O2 -MJ m -MJ t -- a.hip"},
		{"clang++ -O2 -o -MJm a.hip", NULL, NULL},
	};
	struct cc_command c;
	struct sbuf mended = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		const char *const *argv = words_of(known[i].line);
		assert_null(cc_command_read(&c, a, argv));
		assert_string_equal(joined(c.flags), "-O2");
		assert_null(cc_fragment_refusal(&c));
		const char *path = cc_fragment_path(&c);
		assert_true(known[i].path ? path && strcmp(path, known[i].path) == 0 : !path);
		if (path) {
			assert_string_equal(joined(cc_fragment_words(a, argv, "t")), known[i].told);
		}
	}
	const char *name = arena_printf(a, "%s/words", tmpdir_create());
	assert_int_equal(file_write_atomic(name, STR("-MJ m -- a.hip")), 0);
	assert_null(cc_command_read(&c, a, words_of(arena_printf(a, "clang++ -O2 @%s", name))));
	assert_non_null(cc_fragment_refusal(&c));
	cc_fragment_strip(&mended,
		STR("{\"x\", \"-ivfsoverlay\", \"/a\\\"b\", \"-cuid=1\", \"-y\"},\n"),
		(const char *[]){"-ivfsoverlay/a\"b", "-cuid=1", NULL});
	assert_string_equal(sbuf_cstr(&mended), "{\"x\", \"-y\"},\n");
	sbuf_release(&mended);
}

static void test_response_file(void **state)
{
	struct cc_command c;
	const char *name = arena_printf(a, "%s/words", tmpdir_create());

	(void)state;
	assert_int_equal(
		file_write_atomic(name, STR("-O2 \"-DX=a b\"\n-I'in c' -DY=\\\"z\\\" a.hip\n")), 0);
	const char *const *argv = words_of(arena_printf(a, "hipcc @%s -c", name));
	assert_null(cc_command_read(&c, a, argv));
	assert_string_equal(c.source, "a.hip");
	assert_string_equal(joined(c.flags), "-O2 -DX=a b -Iin c -DY=\"z\"");
	assert_string_equal(c.flags[1], "-DX=a b");
	/* the compiler gets the file as it was */
	assert_string_equal(joined(cc_command_words(a, &c, NULL)), joined(argv));
	/* unless a language in it is wrong */
	assert_int_equal(file_write_atomic(name, STR("-x c++ a.hip")), 0);
	assert_null(cc_command_read(&c, a, argv));
	assert_string_equal(joined(cc_command_words(a, &c, (const char *[]){"-v", NULL})),
		"hipcc -v -xhip a.hip -c");
	/* one that reads itself ends */
	assert_int_equal(file_write_atomic(name, str_of(arena_printf(a, "@%s", name))), 0);
	assert_non_null(cc_command_read(&c, a, argv));
}

static void check_lines(const char *before, const char *after, const char *want)
{
	struct sbuf out = {0};

	assert_true(cc_line_directives_add(&out, a, str_of(before), str_of(after)));
	assert_string_equal(sbuf_cstr(&out), want);
	sbuf_release(&out);
}

static void test_lines(void **state)
{
	(void)state;
	check_lines("a;\nb;\n", "a;\nb;\n", "a;\nb;\n");
	check_lines("a;\nb;\nc;\n", "a;\nB;\nc;\n", "a;\nB;\nc;\n");
	check_lines("a;\nb;\n", "n;\na;\nb;\n", "n;\n#line 1\na;\nb;\n");
	check_lines("a;\nb;\nc;\n", "a;\nc;\n", "a;\n#line 3\nc;\n");
	/* a line that was moved keeps its number */
	check_lines("a;\nb;\nc;\nd;\n", "a;\nnew;\nc;\nb;\nd;\n",
		"a;\nnew;\nc;\n#line 2\nb;\n#line 4\nd;\n");
	/* one that was changed keeps its number too */
	check_lines("if (x) {\n\tone(two, three);\n}\n", "t = x;\nu;\none(two, four);\n}\n",
		"t = x;\n#line 1\nu;\none(two, four);\n}\n");
	check_lines("a;\nlast", "n;\na;\nlast", "n;\n#line 1\na;\nlast");
	check_lines("a;\r\nb;\r\n", "n;\r\na;\r\nb;\r\n", "n;\r\n#line 1\na;\r\nb;\r\n");
}

/* Nothing stands inside of what spans lines; what follows is right again. */
static void test_lines_are_safe(void **state)
{
	(void)state;
	check_lines("x;\n/*\ny;\n*/\nz;\n", "n;\n/* x;\nq;\n*/\nz;\n",
		"n;\n#line 1\n/* x;\nq;\n*/\n#line 5\nz;\n");
	check_lines("a;\n#define M b \\\n\tc\nz;\n", "n;\na;\n#define M b \\\n\tc\nz;\n",
		"n;\n#line 1\na;\n#define M b \\\n\tc\nz;\n");
	check_lines("R\"(1\n2\n)\";\nz;\n", "n;R\"(1\n2\n3\n)\";\nz;\n",
		"n;R\"(1\n2\n3\n)\";\n#line 4\nz;\n");
	/* the arguments of what may be a macro */
	check_lines("M(a,\nb);\nz;\n", "M(a,\nn,\nb);\nz;\n", "M(a,\nn,\nb);\n#line 3\nz;\n");
	check_lines("M(a, {\nb; });\nz;\n", "M(a, {\nn;\nb; });\nz;\n",
		"M(a, {\nn;\nb; });\n#line 3\nz;\n");
	/* a lambda that is called on the spot is none */
	check_lines("f{}([] {\nb; });\nz;\n", "f{}([] {\nn;\nb; });\nz;\n",
		"f{}([] {\nn;\n#line 2\nb; });\nz;\n");
	/* what an #if leaves out is not read */
	check_lines("a;\n#if X\nb;\n#endif\nz;\n", "n;\na;\n#if X\nb;\n#endif\nz;\n",
		"n;\n#line 1\na;\n#if X\n#line 3\nb;\n#endif\n#line 5\nz;\n");
}

static void test_lines_of_its_own(void **state)
{
	struct sbuf out = {0};

	(void)state;
	assert_false(cc_line_directives_add(&out, a, STR("#line 7\na;\n"), STR("b;\n")));
	assert_false(cc_line_directives_add(&out, a, STR("# 7 \"x\"\na;\n"), STR("b;\n")));
	assert_int_equal(out.n, 0);
}

static void test_record(void **state)
{
	struct cc_choice r = {{{0}}};
	struct cc_choice back;
	struct sbuf bytes = {0};

	(void)state;
	r.field[CC_WHY] = STR("why\n");
	r.field[CC_LOCK] = STR("12 34");
	cc_choice_pack(&bytes, &r);
	assert_true(cc_choice_unpack(&back, sbuf_str(&bytes)));
	for (size_t i = 0; i < CC_FIELDS; i++) {
		assert_true(str_eq(back.field[i], r.field[i]));
	}
	for (size_t n = 0; n < bytes.n; n++) {
		assert_false(cc_choice_unpack(&back, str_sub(sbuf_str(&bytes), 0, n)));
	}
	sbuf_release(&bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_compiles_of_hip),
		cmocka_unit_test(test_other_commands),
		cmocka_unit_test(test_language),
		cmocka_unit_test(test_fragment),
		cmocka_unit_test(test_response_file),
		cmocka_unit_test(test_lines),
		cmocka_unit_test(test_lines_are_safe),
		cmocka_unit_test(test_lines_of_its_own),
		cmocka_unit_test(test_record),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
