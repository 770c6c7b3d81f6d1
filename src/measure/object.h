#pragma once
/*
 * Files that a build has made: assembly text (.s), code objects (.co, .hsaco), and host objects,
 * libraries and programs with fat binaries in them. LLVM's tools (llvm-readelf, llvm-objdump,
 * llvm-objcopy) take them apart; what comes out is read like a compiler's -S output.
 */
#include "measure/measure.h"

/* Where a code object is loaded when its instructions are run: here its address 0 is. */
#define OBJECT_AT ((uint64_t)0x7300000000)

/* A section, as it is when it has been loaded. */
struct object_piece {
	uint64_t at;
	uint64_t bytes;
	unsigned char *p;
	bool constant;
};

/* One device's code in a file. */
struct object_code {
	const char *target; /* "gfx90a:xnack-"; of the code's own metadata */
	struct str isa;	    /* as isa_read wants it */
	/* The compiler's comments, which tell spills from other buffer accesses, are lost. */
	bool disassembled;
	struct object_piece *piece; /* of object_read_to_run: variables */
	size_t pieces;
};

/* Does the file hold such code, rather than source? By its first bytes, or by .amdgpu_metadata. */
bool object_is(const char *path);
/* The same of a file's text, and of first bytes alone: code that is no assembly text. */
bool object_is_binary(struct str text);
/* Is it an object, library or program of the host, in which no device code is, linked or not? */
bool object_is_host(const char *path);
/* All device code in the file, in order; lives in a. FAIL_INPUT after a message: none is there, a
 * tool is missing or failed, or the bundle is compressed. FAIL_USAGE: it cannot be read. */
int object_read(struct object_code **out, size_t *n, struct arena *a, const char *path);
/* The same with what isa.h needs: an instruction's address in the comment after it ("at 0x1e00"),
 * descriptors, lines, and variables. FAIL_INPUT, too: it is not linked. */
int object_read_to_run(struct object_code **out, size_t *n, struct arena *a, const char *path);
