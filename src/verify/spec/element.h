#pragma once
/*
 * The elements of a buffer, as bytes: little-endian, as on the device and on every host that runs
 * this. The 8-bit formats are named as AMD's documents do: fp8 is E4M3, bf8 is E5M2, and the fnuz
 * ones (gfx942) have no infinity, no negative zero, and 0x80 as their only NaN.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/str.h"

enum element_type {
	ELEMENT_I8,
	ELEMENT_U8,
	ELEMENT_I16,
	ELEMENT_U16,
	ELEMENT_I32,
	ELEMENT_U32,
	ELEMENT_I64,
	ELEMENT_U64,
	ELEMENT_F32,
	ELEMENT_F64,
	ELEMENT_F16,
	ELEMENT_BF16,
	ELEMENT_FP8,
	ELEMENT_BF8,
	ELEMENT_FP8_FNUZ,
	ELEMENT_BF8_FNUZ,
	ELEMENT_TYPE_COUNT
};

extern const char *const element_names[ELEMENT_TYPE_COUNT + 1]; /* NULL-terminated */

/* False if there is no such type. */
bool element_find(enum element_type *out, struct str name);
size_t element_size(enum element_type t); /* bytes */
bool element_is_float(enum element_type t);
/* The range of literals for an integer type: that of the signed and the unsigned type of its
 * size. */
void element_range(int64_t *min, int64_t *max, enum element_type t);

/* Appends one element. A float is rounded to nearest even; on overflow it becomes infinity, or the
 * largest number in formats without one. */
void element_put_float(struct sbuf *out, enum element_type t, double value);
void element_put_int(struct sbuf *out, enum element_type t, int64_t value);
void element_put_nan(struct sbuf *out, enum element_type t); /* for an integer: all bits set */
/* A signalling NaN, for float types; 8-bit ones have only one kind. */
void element_put_snan(struct sbuf *out, enum element_type t);

double element_float(enum element_type t, const char *at); /* for float types */
/* "0x3f800000 (1)": bits and value, for people. */
void element_show(struct sbuf *out, enum element_type t, const char *at);
