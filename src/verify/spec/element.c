#include "verify/spec/element.h"

#include <math.h>
#include <string.h>

#include "base/msg.h"

const char *const element_names[ELEMENT_TYPE_COUNT + 1] = {"i8", "u8", "i16", "u16", "i32", "u32",
	"i64", "u64", "f32", "f64", "f16", "bf16", "fp8", "bf8", "fp8-fnuz", "bf8-fnuz", NULL};

/* A binary format with an implicit leading one. */
struct format {
	int bits;
	int mantissa; /* bits of it */
	int bias;
	bool fnuz;
	bool has_inf;
};

static const struct format formats[ELEMENT_TYPE_COUNT] = {
	[ELEMENT_F16] = {16, 10, 15, false, true},
	[ELEMENT_BF16] = {16, 7, 127, false, true},
	[ELEMENT_FP8] = {8, 3, 7, false, false},
	[ELEMENT_BF8] = {8, 2, 15, false, true},
	[ELEMENT_FP8_FNUZ] = {8, 3, 8, true, false},
	[ELEMENT_BF8_FNUZ] = {8, 2, 16, true, false},
};

bool element_find(enum element_type *out, struct str name)
{
	for (size_t i = 0; i < ELEMENT_TYPE_COUNT; i++) {
		if (str_is(name, element_names[i])) {
			*out = (enum element_type)i;
			return true;
		}
	}
	return false;
}

size_t element_size(enum element_type t)
{
	switch (t) {
	case ELEMENT_I8:
	case ELEMENT_U8:
	case ELEMENT_FP8:
	case ELEMENT_BF8:
	case ELEMENT_FP8_FNUZ:
	case ELEMENT_BF8_FNUZ:
		return 1;
	case ELEMENT_I16:
	case ELEMENT_U16:
	case ELEMENT_F16:
	case ELEMENT_BF16:
		return 2;
	case ELEMENT_I32:
	case ELEMENT_U32:
	case ELEMENT_F32:
		return 4;
	case ELEMENT_I64:
	case ELEMENT_U64:
	case ELEMENT_F64:
		return 8;
	case ELEMENT_TYPE_COUNT:
		break;
	}
	BUG("%d is no element type", (int)t);
}

bool element_is_float(enum element_type t)
{
	return t >= ELEMENT_F32;
}

static bool is_signed(enum element_type t)
{
	return t == ELEMENT_I8 || t == ELEMENT_I16 || t == ELEMENT_I32 || t == ELEMENT_I64;
}

void element_range(int64_t *min, int64_t *max, enum element_type t)
{
	size_t bits = 8 * element_size(t);
	*min = bits == 64 ? INT64_MIN : -((int64_t)1 << (bits - 1));
	*max = bits == 64 ? INT64_MAX : ((int64_t)1 << bits) - 1;
}

/* The largest finite number, as bits without the sign. */
static uint32_t largest(const struct format *f)
{
	uint32_t all = (1u << (f->bits - 1)) - 1;
	if (f->has_inf) {
		return all - (1u << f->mantissa);
	}
	return f->fnuz ? all : all - 1; /* E4M3 uses its last code for NaN */
}

static uint32_t nan_bits(const struct format *f)
{
	uint32_t all = (1u << (f->bits - 1)) - 1;
	return f->fnuz ? 1u << (f->bits - 1) : all;
}

static uint32_t encode(const struct format *f, double value)
{
	uint32_t sign = signbit(value) ? 1u << (f->bits - 1) : 0;
	double x = fabs(value);
	uint32_t most = largest(f);
	int exponent = 0;
	uint32_t bits = 0;

	if (isnan(value)) {
		return nan_bits(f);
	}
	if (isinf(value)) {
		return sign | (f->has_inf ? most + 1 : most);
	}
	if (x > 0) {
		frexp(x, &exponent);
		int e = exponent - 1 +
			f->bias; /* the biased exponent; below 1 the number is subnormal */
		int scale = f->mantissa - ((e < 1 ? 1 : e) - f->bias);
		double units = nearbyint(ldexp(x, scale)); /* to even, the default mode */
		uint64_t whole = units > 1e9 ? UINT32_MAX : (uint64_t)units;
		/* The leading one adds 1 to the exponent field, and so does rounding up to it. */
		uint64_t all = e < 1 ? whole : whole + ((uint64_t)(e - 1) << f->mantissa);
		bits = all > most ? (f->has_inf ? most + 1 : most) : (uint32_t)all;
	}
	return bits == 0 && f->fnuz ? 0 : sign | bits;
}

static double decode(const struct format *f, uint32_t bits)
{
	uint32_t sign = bits >> (f->bits - 1) & 1;
	uint32_t rest = bits & ((1u << (f->bits - 1)) - 1);
	uint32_t mantissa = rest & ((1u << f->mantissa) - 1);
	int e = (int)(rest >> f->mantissa);
	double x;

	if (f->fnuz ? bits == nan_bits(f) : rest > largest(f) + (f->has_inf ? 1 : 0)) {
		return NAN;
	}
	if (f->has_inf && rest == largest(f) + 1) {
		return sign ? -INFINITY : INFINITY;
	}
	if (e == 0) {
		x = ldexp(mantissa, 1 - f->bias - f->mantissa);
	} else {
		x = ldexp((double)(mantissa | 1u << f->mantissa), e - f->bias - f->mantissa);
	}
	return sign ? -x : x;
}

void element_put_float(struct sbuf *out, enum element_type t, double value)
{
	if (t == ELEMENT_F64) {
		sbuf_add(out, &value, sizeof(value));
	} else if (t == ELEMENT_F32) {
		float x = (float)value;
		sbuf_add(out, &x, sizeof(x));
	} else {
		uint32_t bits = encode(&formats[t], value);
		sbuf_add(out, &bits, element_size(t));
	}
}

void element_put_int(struct sbuf *out, enum element_type t, int64_t value)
{
	sbuf_add(out, &value, element_size(t));
}

void element_put_nan(struct sbuf *out, enum element_type t)
{
	if (element_is_float(t)) {
		element_put_float(out, t, NAN);
	} else {
		element_put_int(out, t, -1);
	}
}

void element_put_snan(struct sbuf *out, enum element_type t)
{
	uint64_t bits = t == ELEMENT_F64    ? (uint64_t)0x7ff4 << 48
			: t == ELEMENT_F32  ? 0x7fa00000
			: t == ELEMENT_F16  ? 0x7d00
			: t == ELEMENT_BF16 ? 0x7fa0
					    : nan_bits(&formats[t]);
	sbuf_add(out, &bits, element_size(t));
}

static double value_of(enum element_type t, uint64_t bits)
{
	double d;
	float f;
	uint32_t low = (uint32_t)bits;

	switch (t) {
	case ELEMENT_F64:
		memcpy(&d, &bits, sizeof(d));
		return d;
	case ELEMENT_F32:
		memcpy(&f, &low, sizeof(f));
		return f;
	default:
		return decode(&formats[t], low);
	}
}

double element_float(enum element_type t, const char *at)
{
	uint64_t bits = 0;
	memcpy(&bits, at, element_size(t));
	return value_of(t, bits);
}

void element_show(struct sbuf *out, enum element_type t, const char *at)
{
	size_t size = element_size(t);
	uint64_t bits = 0;

	memcpy(&bits, at, size);
	sbuf_addf(out, "0x%0*llx (", (int)(2 * size), (unsigned long long)bits);
	if (element_is_float(t)) {
		sbuf_addf(out, "%.*g", size == 8 ? 17 : size == 4 ? 9 : 5, value_of(t, bits));
	} else if (is_signed(t)) {
		unsigned unused = (unsigned)(64 - 8 * size);
		sbuf_addf(out, "%lld", (long long)((int64_t)(bits << unused) >> unused));
	} else {
		sbuf_addf(out, "%llu", (unsigned long long)bits);
	}
	sbuf_addc(out, ')');
}
