/*
 * isa-run FILE.s IN OUT KERNEL...: what each kernel leaves in a buffer of OUT's size, beside IN.
 * A kernel's arguments are the addresses of both; it runs as one wave. Writes the buffers to OUT,
 * one after the other, each zero at first, and a line on each kernel that does not run: its name,
 * why.
 */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/msg.h"
#include "isa/isa.h"

enum {
	IN_AT = 0x1000000,
	OUT_AT = 0x4000000,
	OUT_BYTES = 0x10000
};

static void run(struct str text, const char *kernel, struct sbuf *in, FILE *to)
{
	static unsigned char out[OUT_BYTES];
	const uint64_t arguments[] = {IN_AT, OUT_AT};
	struct isa_memory memory[] = {
		{.at = IN_AT, .bytes = in->n, .p = (unsigned char *)in->p, .constant = true},
		{.at = OUT_AT, .bytes = OUT_BYTES, .p = out}};
	const struct isa_launch launch = {.grid = {1, 1, 1},
		.block = {32, 1, 1},
		.arguments = (const unsigned char *)arguments,
		.argument_bytes = sizeof arguments,
		.memory = memory,
		.memories = 2};
	struct arena *a = arena_create();
	struct isa_program p;
	struct isa_counts counts;
	const char *said = "";
	memset(out, 0, sizeof out);
	if (isa_program_read(&p, &said, a, text, kernel) != 0 ||
		isa_run(&counts, &said, a, &p, &launch) != 0) {
		printf("%s %s\n", kernel, said);
	}
	fwrite(out, 1, sizeof out, to);
	arena_free(a);
}

int main(int argc, char **argv)
{
	struct sbuf text = {0};
	struct sbuf in = {0};
	FILE *to = argc > 4 ? fopen(argv[3], "wb") : NULL;
	if (!to || file_read(&text, argv[1]) != 0 || file_read(&in, argv[2]) != 0) {
		fprintf(stderr, "isa-run FILE.s IN OUT KERNEL...\n");
		return 2;
	}
	for (int i = 4; i < argc; i++) {
		run(sbuf_str(&text), argv[i], &in, to);
	}
	sbuf_release(&text);
	sbuf_release(&in);
	return fclose(to) != 0;
}
