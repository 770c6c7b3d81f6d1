#pragma once
/*
 * A verify spec, NAME.verify.yaml beside the kernel: how to launch kernels, on which data.
 * doc/specs.md is its manual. The result lives in the caller's arena.
 *
 * A case here is one launch: one kernel with one shape and one set of arguments, for one target.
 * Lists of kernels, targets and cases are multiplied out.
 */
#include "base/arena.h"
#include "config/yaml.h"
#include "target/target.h"
#include "verify/spec/element.h"

enum fill_kind {
	FILL_BYTE, /* every byte is the same */
	FILL_NAN,
	FILL_RANDOM,
	FILL_IOTA,
	FILL_VALUES, /* repeated when the range is longer */
	FILL_FILE,   /* the bytes of a file of the same size */
};

/* The initial value of a range of elements. */
struct fill {
	enum fill_kind kind;
	size_t at; /* elements */
	size_t length;
	unsigned char byte;
	double low; /* random: bounds, both included for integers; iota: first and step */
	double high;
	int64_t whole_low; /* the same for integer types */
	int64_t whole_high;
	uint64_t seed;
	struct str bytes; /* values, file */
};

struct spec_buffer {
	const char *name;
	enum element_type type;
	size_t length; /* elements */
	struct fill *fill;
	size_t fills; /* the first covers all elements, each later one a part */
};

struct spec_shape {
	unsigned v[3];
};

struct spec_case {
	const char *name;   /* "KERNEL/CASE", with "@TARGET" if there are several */
	const char *kernel; /* as C++ names it, template arguments included */
	const struct target *target;
	struct spec_shape grid;
	struct spec_shape block;
	unsigned lds; /* bytes of dynamic LDS */
	unsigned wave_size;
	bool early_exit;	     /* lanes may return before a barrier */
	const char *const *argument; /* C++ text; a buffer is __unphi_buffer(INDEX) */
	size_t arguments;
	struct spec_buffer *buffer;
	size_t buffers;
	unsigned line; /* of the arguments in the spec */
};

struct spec {
	const char *path;
	struct spec_case *v;
	size_t n;
};

/* FAIL_USAGE after a message with line and column. targets is the database that case targets point
 * into. */
int spec_load(struct spec *out, struct arena *a, struct str yaml, const char *path,
	const struct target_db *targets);
/* The spec beside a kernel file: "dir/NAME.verify.yaml" for "dir/NAME.hip". In a. */
const char *spec_path_for(struct arena *a, const char *kernel_path);
/* Appends the buffer's content before the launch. */
void spec_buffer_fill(struct sbuf *out, const struct spec_buffer *b);
/* Appends the elements from first on, with only the first fill. */
void spec_buffer_fill_from(struct sbuf *out, const struct spec_buffer *b, size_t first);
size_t spec_buffer_bytes(const struct spec_buffer *b);
