/* Makes the man page at build time: unphi-man TEMPLATE prints it with the options filled in. */
#include <stdio.h>

#include "base/file.h"
#include "base/msg.h"
#include "config/options.h"

int main(int argc, char **argv)
{
	struct sbuf in = {0};
	struct sbuf out = {0};

	if (argc != 2) {
		msg_error("usage: unphi-man TEMPLATE");
		return EXIT_USAGE;
	}
	int rc = file_read(&in, argv[1]);
	if (!rc) {
		rc = options_man(&out, sbuf_str(&in));
	}
	if (!rc && (fwrite(out.p, 1, out.n, stdout) != out.n || fflush(stdout) != 0)) {
		rc = FAIL_USAGE;
	}
	sbuf_release(&in);
	sbuf_release(&out);
	return -rc;
}
