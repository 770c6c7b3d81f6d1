#pragma once
/*
 * A fuzz target: one file, one entry, called with any bytes. Called by libFuzzer, or by driver.c
 * with any compiler. A broken invariant is a BUG, so it ends the program as a crash does.
 *
 * Inputs are texts as their readers get them; where a target needs more than one text, a line
 * "=======" stands between them, so that corpora can be read and written by hand.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "base/str.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                                         \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			BUG("not so: %s", #condition);                                             \
		}                                                                                  \
	} while (0)

/* A file in memory with that text, for readers that take a path, which path gets. To be closed. */
static inline int fuzz_file(char path[64], struct str text)
{
	int file = memfd_create("input", MFD_CLOEXEC);
	REQUIRE(file >= 0 && file_write_all(file, text));
	snprintf(path, 64, "/proc/self/fd/%d", file);
	return file;
}

/* The text before the first line "=======", which goes; *rest becomes what follows it. */
static inline struct str fuzz_split(struct str *rest)
{
	static const char line[] = "=======\n";
	size_t at = str_starts(*rest, line) ? 0 : str_find(*rest, "\n=======\n", 0);
	struct str all = *rest;
	if (at == SIZE_MAX) {
		*rest = str_sub(all, all.n, all.n);
		return all;
	}
	size_t begin = at == 0 && str_starts(all, line) ? 0 : at + 1;
	*rest = str_sub(all, begin + sizeof(line) - 1, all.n);
	return str_sub(all, 0, begin);
}
