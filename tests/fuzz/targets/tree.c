/* tree FILE TARGET [FLAG...]: prints the kernel tree of a HIP file, as kt_read reads it. */
#include <stdio.h>

#include "frontend/frontend.h"
#include "tree/tree.h"

int main(int argc, char **argv)
{
	struct intrinsic_db intrinsics = {0};
	struct arena *a = arena_create();
	struct kt_unit *u;
	struct sbuf out = {0};
	if (argc < 3) {
		fprintf(stderr, "usage: tree FILE TARGET [FLAG...]\n");
		return 2;
	}
	struct frontend_job job = {.path = argv[1],
		.target = argv[2],
		.flags = (const char *const *)argv + 3,
		.intrinsics = &intrinsics};
	int rc = intrinsic_db_builtin(&intrinsics, a);
	rc = rc ? rc : frontend_parse(&u, a, &job, NULL);
	if (rc == 0) {
		kt_print(&out, u);
		fputs(sbuf_cstr(&out), stdout);
	}
	sbuf_release(&out);
	intrinsic_db_release(&intrinsics);
	arena_free(a);
	return -rc;
}
