/* prepare < preprocessed > prepared */
#include <stdio.h>

#include "base/arena.h"
#include "base/str.h"
#include "verify/runtime/prepare.h"

int main(void)
{
	struct sbuf in = {0}, out = {0};
	struct arena *a = arena_create();
	char part[1 << 16];
	size_t n;

	while ((n = fread(part, 1, sizeof part, stdin)) > 0) {
		sbuf_add(&in, part, n);
	}
	verify_prepare(&out, a, sbuf_str(&in), false, false, NULL);
	fwrite(out.p, 1, out.n, stdout);
	sbuf_release(&in);
	sbuf_release(&out);
	arena_free(a);
	return ferror(stdout) || fflush(stdout) != 0;
}
