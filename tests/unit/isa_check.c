/* isa-check FILE...: each instruction of assembly, and why the interpreter does not cover it. */
#include <stdio.h>

#include "base/file.h"
#include "base/msg.h"
#include "isa/read.h"

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct arena *a = arena_create();
		struct sbuf text = {0};
		struct sbuf out = {0};
		if (file_read(&text, argv[i]) != 0) {
			return 1;
		}
		isa_check(&out, a, sbuf_str(&text));
		fwrite(out.p, 1, out.n, stdout);
		sbuf_release(&out);
		sbuf_release(&text);
		arena_free(a);
	}
	return 0;
}
