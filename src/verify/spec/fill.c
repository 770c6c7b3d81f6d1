/* Contents of buffers before a launch. Random numbers depend only on seed and index. */
#include <string.h>

#include "verify/spec/spec.h"

size_t spec_buffer_bytes(const struct spec_buffer *b)
{
	return b->length * element_size(b->type);
}

/* The finalizer of splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
 * generators"). */
static uint64_t mixed(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static void put_random(struct sbuf *out, const struct fill *f, enum element_type t, uint64_t i)
{
	uint64_t r = mixed(mixed(f->seed) + i);
	if (element_is_float(t)) {
		double unit = (double)(r >> 11) / 9007199254740992.0; /* 2^53 */
		element_put_float(out, t, f->low + (f->high - f->low) * unit);
		return;
	}
	uint64_t span =
		(uint64_t)f->whole_high - (uint64_t)f->whole_low + 1; /* 0: the whole range */
	element_put_int(out, t, (int64_t)((uint64_t)f->whole_low + (span ? r % span : r)));
}

static void put_iota(struct sbuf *out, const struct fill *f, enum element_type t, uint64_t i)
{
	if (element_is_float(t)) {
		element_put_float(out, t, f->low + f->high * (double)i);
	} else {
		uint64_t step = (uint64_t)f->whole_high;
		element_put_int(out, t, (int64_t)((uint64_t)f->whole_low + step * i));
	}
}

static void put_element(struct sbuf *out, const struct fill *f, enum element_type t, size_t i)
{
	size_t size = element_size(t);
	switch (f->kind) {
	case FILL_BYTE:
		for (size_t k = 0; k < size; k++) {
			sbuf_addc(out, (char)f->byte);
		}
		return;
	case FILL_NAN:
		element_put_nan(out, t);
		return;
	case FILL_RANDOM:
		put_random(out, f, t, i);
		return;
	case FILL_IOTA:
		put_iota(out, f, t, i);
		return;
	case FILL_VALUES:
	case FILL_FILE:
		sbuf_add(out, f->bytes.p + i * size % f->bytes.n, size);
		return;
	}
}

void spec_buffer_fill_from(struct sbuf *out, const struct spec_buffer *b, size_t first)
{
	for (size_t i = first; i < b->length; i++) {
		put_element(out, &b->fill[0], b->type, i);
	}
}

void spec_buffer_fill(struct sbuf *out, const struct spec_buffer *b)
{
	size_t size = element_size(b->type);
	struct sbuf patch = {0};
	spec_buffer_fill_from(out, b, 0);
	char *start = out->p + out->n - b->length * size;
	for (size_t k = 1; k < b->fills; k++) {
		const struct fill *f = &b->fill[k];
		sbuf_reset(&patch);
		for (size_t i = 0; i < f->length; i++) {
			put_element(&patch, f, b->type, i);
		}
		memcpy(start + f->at * size, patch.p, patch.n);
	}
	sbuf_release(&patch);
}
