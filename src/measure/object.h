#pragma once
/*
 * Output files of a build: assembly (.s), code objects (.co, .hsaco), and host objects, libraries
 * and programs with embedded fat binaries. LLVM's tools (llvm-readelf, llvm-objdump, llvm-objcopy)
 * extract the code, which is then read like -S output.
 */
#include "measure/measure.h"

/* The load address of a code object when its instructions are interpreted. */
#define OBJECT_AT ((uint64_t)0x7300000000)

/* A loaded section. */
struct object_piece {
	uint64_t at;
	uint64_t bytes;
	unsigned char *p;
	bool constant;
};

/* One device's code in a file. */
struct object_code {
	const char *target; /* "gfx90a:xnack-"; of the code's own metadata */
	struct str isa;	    /* text for isa_read */
	/* disassembly has no compiler comments, which mark spills among buffer accesses */
	bool disassembled;
	struct object_piece *piece; /* of object_read_to_run: variables */
	size_t pieces;
};

/* Does the file hold such code, not source? By its first bytes, or by .amdgpu_metadata. */
bool object_is(const char *path);
/* The same for a text, by its first bytes only: binary code, not assembly. */
bool object_is_binary(struct str text);
/* Is it a host object, library or program without any device code? */
bool object_is_host(const char *path);
/* All device code in the file, in order; lives in a. FAIL_INPUT after a message: no device code, a
 * tool is missing or failed, or the bundle is compressed. FAIL_USAGE: the file cannot be read. */
int object_read(struct object_code **out, size_t *n, struct arena *a, const char *path);
/* The same with the data that isa.h needs: the address of each instruction in a comment ("at
 * 0x1e00"), descriptors, lines, and variables. FAIL_INPUT also if it is not linked. */
int object_read_to_run(struct object_code **out, size_t *n, struct arena *a, const char *path);
