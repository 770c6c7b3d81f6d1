#include "lsp/uri.h"

#include <ctype.h>
#include <string.h>

static int digit(char c)
{
	return isdigit((unsigned char)c)    ? c - '0'
	       : isxdigit((unsigned char)c) ? tolower((unsigned char)c) - 'a' + 10
					    : -1;
}

const char *lsp_uri_path(struct arena *a, struct str uri)
{
	struct sbuf path = {0};
	bool good = str_starts(uri, "file://");
	struct str rest = str_sub(uri, sizeof("file://") - 1, uri.n);
	if (str_starts(rest, "localhost/")) {
		rest = str_sub(rest, sizeof("localhost") - 1, rest.n);
	}
	good = good && str_starts(rest, "/");
	for (size_t i = 0; good && i < rest.n; i++) {
		char c = rest.p[i];
		if (c == '?' || c == '#') {
			good = false; /* a query or fragment; in a path these are escaped */
		} else if (c == '%') {
			int high = i + 2 < rest.n ? digit(rest.p[i + 1]) : -1;
			int low = high >= 0 ? digit(rest.p[i + 2]) : -1;
			good = low >= 0;
			c = (char)(high * 16 + low);
			i += 2;
		}
		good = good && c != '\0';
		sbuf_addc(&path, c);
	}
	const char *found = good ? sbuf_finish(&path, a).p : NULL;
	sbuf_release(&path);
	return found;
}

void lsp_uri_add(struct sbuf *out, const char *path)
{
	sbuf_adds(out, "file://");
	for (; *path; path++) {
		if (isalnum((unsigned char)*path) || strchr("-._~/", *path)) {
			sbuf_addc(out, *path);
		} else {
			sbuf_addf(out, "%%%02X", (unsigned)(unsigned char)*path);
		}
	}
}
