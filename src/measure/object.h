#ifndef UNPHI_MEASURE_OBJECT_H
#define UNPHI_MEASURE_OBJECT_H
/*
 * What a build left behind: assembly text (.s), code objects (.co, .hsaco), and host objects,
 * libraries and programs with fat binaries in them. LLVM's tools (llvm-readelf, llvm-objdump,
 * llvm-objcopy) take them apart; what comes out is read like a compiler's -S output.
 */
#include "measure/measure.h"

/* One device's code in a file. */
struct object_code {
	const char *target; /* "gfx90a:xnack-"; of the code's own metadata */
	struct str isa;	    /* as isa_read wants it */
	/* The compiler's comments, which tell spills from other buffer accesses, are lost. */
	bool disassembled;
};

/* Does the file hold such code, rather than source? By its first bytes, or by .amdgpu_metadata. */
bool object_is(const char *path);
/* All device code in the file, in order; lives in a. FAIL_INPUT after a message: none is there, a
 * tool is missing or failed, or the bundle is compressed. FAIL_USAGE: it cannot be read. */
int object_read(struct object_code **out, size_t *n, struct arena *a, const char *path);
#endif
