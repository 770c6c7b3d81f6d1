// Number types: conversions, rounding, vectors, and the builtins that are not cross-lane.
#include <hip/hip_runtime.h>
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>
#include <hip/hip_fp16.h>
#include <hip/hip_fp8.h>

#include "test.h"

using unphi::f8;

// The value of each code by the formats' definitions.
static double f8_value(int code, int mantissa, int bias)
{
	const int exponent = (code & 0x7f) >> mantissa;
	const int fraction = code & ((1 << mantissa) - 1);
	const double size = exponent ? ldexp(1 + ldexp(fraction, -mantissa), exponent - bias)
				     : ldexp(fraction, 1 - bias - mantissa);
	return code & 0x80 ? -size : size;
}

// Codes that are no numbers are left out by `last`, the largest number's.
static void test_f8(const char *name, f8 format, bool fnuz, int mantissa, int bias, int last)
{
	bool there = true, back = true, nearest = true;
	for (int code = 0; code < 256; ++code) {
		if ((code & 0x7f) > last || (fnuz && code == 0x80)) {
			continue;
		}
		const double value = f8_value(code, mantissa, bias);
		there = there && unphi::f8_to_float((uint8_t)code, format, fnuz) == value;
		back = back && unphi::float_to_f8((float)value, format, fnuz) == code;
		if (code < last) {
			// Between this and the next: a tie goes to the even code.
			const double next = f8_value(code + 1, mantissa, bias);
			const float half = (float)((value + next) / 2);
			const int even = code % 2 ? code + 1 : code;
			nearest = nearest && unphi::float_to_f8(half, format, fnuz) == even &&
				  unphi::float_to_f8(nextafterf(half, 1e9f), format, fnuz) ==
					  code + 1 &&
				  unphi::float_to_f8(nextafterf(half, -1e9f), format, fnuz) == code;
		}
	}
	char full[60];
	snprintf(full, sizeof full, "f8/%s/decode", name);
	result(full, there, "");
	snprintf(full, sizeof full, "f8/%s/encode", name);
	result(full, back, "");
	snprintf(full, sizeof full, "f8/%s/ties-to-even", name);
	result(full, nearest, "");
}

static void test_f8_edges()
{
	const auto to = [](float x, f8 format, bool fnuz) {
		return unphi::float_to_f8(x, format, fnuz);
	};
	result("f8/fnuz-nan",
		to(NAN, f8::e4m3, true) == 0x80 && isnan(unphi::f8_to_float(0x80, f8::e4m3, true)),
		"");
	result("f8/fnuz-no-minus-zero",
		to(-0.0f, f8::e4m3, true) == 0 && to(-1e-9f, f8::e5m2, true) == 0, "");
	result("f8/fnuz-overflow",
		to(256, f8::e4m3, true) == 0x80 && to(INFINITY, f8::e4m3, true) == 0x80, "");
	result("f8/fnuz-largest",
		to(247, f8::e4m3, true) == 0x7f && to(-247, f8::e4m3, true) == 0xff, "");
	result("f8/ocp-overflow",
		to(500, f8::e4m3, false) == 0x7f && to(-1e6f, f8::e5m2, false) == 0xfc, "");
	result("f8/ocp-infinity", unphi::f8_to_float(0x7c, f8::e5m2, false) == INFINITY, "");
	result("f8/saturate", unphi::float_to_f8(1e9f, f8::e4m3, true, true) == 0x7f, "");
	const int packed = __builtin_amdgcn_cvt_pk_fp8_f32(1, -2, 0x1234 << 16, false);
	result("f8/pack", packed == (0x1234 << 16 | 0xc8 << 8 | 0x40), "%x", (unsigned)packed);
	const auto pair = __builtin_amdgcn_cvt_pk_f32_fp8(0x4048 << 16, true);
	result("f8/unpack", pair[0] == 2 && pair[1] == 1, "%g %g", (double)pair[0],
		(double)pair[1]);
	const int low = __builtin_amdgcn_cvt_sr_fp8_f32(1.0625f, 0, 0, 2);
	const int high = __builtin_amdgcn_cvt_sr_fp8_f32(1.0625f, -1, 0, 0);
	result("f8/random-rounding", low == 0x40 << 16 && high == 0x41, "%x %x", low, high);
	result("f8/type",
		(float)__hip_fp8_e4m3_fnuz(3.1f) == 3.0f && (float)__hip_fp8_e5m2(1e9f) == 57344,
		"");
}

// Formats without infinity and NaN, and the conversions with a scale, by definition: the number is the code's
// times the scale, whose fraction and sign say nothing.
static void test_mx(const char *name, unphi::mx format, int mantissa, int bias)
{
	const int bits = unphi::mx_bits(format), sign = 1 << (bits - 1);
	bool there = true, back = true, nearest = true;
	for (int code = 0; code < 2 * sign; ++code) {
		const double value = f8_value(code % sign, mantissa, bias) * (code & sign ? -1 : 1);
		there = there && unphi::mx_to_double(code, format) == value;
		back = back && unphi::double_to_mx(value, format) == code;
		if (code < sign - 1) {
			const double half = (value + f8_value(code + 1, mantissa, bias)) / 2;
			nearest = nearest && unphi::double_to_mx(half, format) == code + code % 2;
		}
	}
	const int most = sign - 1;
	result(name,
		there && back && nearest && unphi::double_to_mx(1e30, format) == most &&
			unphi::double_to_mx(-INFINITY, format) == (sign | most) &&
			unphi::double_to_mx(NAN, format) == most,
		"%d %d %d", there, back, nearest);
}

static void test_scaled()
{
	test_mx("mx/fp6", unphi::mx::fp6, 3, 1);
	test_mx("mx/bf6", unphi::mx::bf6, 2, 3);
	test_mx("mx/fp4", unphi::mx::fp4, 1, 1);
	// 0xc0, 0x38 and, in fp4, 6 and -0.5 of 0x9f
	const auto pair = __builtin_amdgcn_cvt_scalef32_pk_f32_fp8(0xc038u << 16, -12.5f, true);
	const auto half = __builtin_amdgcn_cvt_scalef32_pk_f16_fp4(0x97u << 8, 0.25f, 1);
	result("scaled/widen",
		pair[0] == 8 && pair[1] == -16 && half[0] == (_Float16)1.5f &&
			half[1] == (_Float16)-0.125f,
		"%g %g %g %g", (double)pair[0], (double)pair[1], (double)half[0], (double)half[1]);
	const auto packed = __builtin_amdgcn_cvt_scalef32_pk_fp8_f32(
		unphi::v2s{0x1234, 0x5678}, 8, -16, 9.0f, true);
	const unsigned four = __builtin_amdgcn_cvt_scalef32_pk_fp4_f16(
		0x12345678u, unphi::v2h{3, (_Float16)-0.25f}, 0.5f, 2);
	result("scaled/narrow",
		packed[0] == 0x1234 && (uint16_t)packed[1] == 0xc038 && four == 0x12975678u,
		"%x %x %x", (unsigned)packed[0], (unsigned)packed[1], four);
	const float nan = __builtin_bit_cast(float, 0x7f800000);
	result("scaled/nan",
		isnan(__builtin_amdgcn_cvt_scalef32_f32_fp8(0x38, nan, 0)) &&
			__builtin_amdgcn_cvt_scalef32_f32_bf8(0x7b, 0x1p127f, 0) == INFINITY &&
			__builtin_amdgcn_cvt_scalef32_pk_fp4_f32(0, 1, -1, nan, 0) == 0xf7,
		"");
	// 32 elements each way; two floats of 16 are interleaved
	unphi::v16f even, odd;
	for (int i = 0; i < 16; ++i) {
		even[i] = (float)unphi::mx_to_double(2 * i, unphi::mx::bf6) * 4;
		odd[i] = (float)unphi::mx_to_double(2 * i + 33, unphi::mx::bf6) * 4;
	}
	const auto six = __builtin_amdgcn_cvt_scalef32_2xpk16_bf6_f32(even, odd, 4.0f);
	const auto wide = __builtin_amdgcn_cvt_scalef32_pk32_f32_bf6(six, 4.0f);
	const auto again = __builtin_amdgcn_cvt_scalef32_pk32_bf6_f16(
		__builtin_amdgcn_cvt_scalef32_pk32_f16_bf6(six, 1.0f), 1.0f);
	bool same = memcmp(&again, &six, 24) == 0;
	for (int i = 0; i < 32; ++i) {
		same = same && wide[i] == (i % 2 ? odd : even)[i / 2];
	}
	result("scaled/six-bits", same, "%x", six[0]);
	// 1.0625 is half a step behind 1, with 10 places of fraction as with 23
	const int low =
		__builtin_amdgcn_cvt_scalef32_sr_fp8_f16(0, (_Float16)2.125f, 0x7fffffffu, 2.0f, 1);
	const int high =
		__builtin_amdgcn_cvt_scalef32_sr_fp8_f16(0, (_Float16)2.125f, 0x80000000u, 2.0f, 1);
	// the second of a pair has the next random number: none, and nearly all
	const unsigned next = __builtin_amdgcn_cvt_scalef32_sr_pk_fp4_f32(
		0, unphi::v2f{1.25f, 1.25f}, 0x7fffffffu, 1.0f, 0);
	result("scaled/random",
		low == 0x3800 && high == 0x3900 && next == 0x32 &&
			__builtin_amdgcn_prng_b32(0x80000001u) == (2 ^ 197),
		"%x %x %x", low, high, next);
}

static void test_halves()
{
	bool same = true;
	for (int bits = 0; bits < 0x10000; ++bits) {
		const float mine = unphi::f16_to_float((uint16_t)bits);
		const float clang = (float)__builtin_bit_cast(_Float16, (uint16_t)bits);
		same = same && (mine == clang || (mine != mine && clang != clang)) &&
		       signbit(mine) == signbit(clang);
	}
	result("half/decode", same, "");
	result("half/cut",
		(float)__builtin_amdgcn_cvt_pkrtz(1 + 0x1.8p-10f, -(1 + 0x1.8p-10f))[0] ==
				1 + 0x1p-10f &&
			(float)__float2half_rz(2 - 0x1p-12f) == 2 - 0x1p-10f,
		"");
	const __half2 a = __floats2half2_rn(1.5f, 2), b = make_half2(__half(3), __half(0.25f));
	const float2 sum = __half22float2(__hfma2(a, b, a));
	result("half/half2", sum.x == 6 && sum.y == 2.5f && __hlt(__low2half(a), __high2half(a)),
		"%g %g", (double)sum.x, (double)sum.y);
	// Each operation rounds: in float this would be 0x1p-11.
	volatile _Float16 one = 1, small = (_Float16)0x1p-11f;
	const _Float16 rounded = (_Float16)(one + small) - one;
	const _Float16 plain = one + small - one;
	result("half/rounds-each-operation", plain == rounded, "%g", (double)plain);
	result("half/integers",
		__half2int_rn(__half(2.5f)) == 2 && __half2int_rz(__half(-2.5f)) == -2, "");
	result("bf16/to-nearest-even",
		__bfloat16_as_ushort(__float2bfloat16(1 + 0x1p-8f)) == 0x3f80 &&
			__bfloat16_as_ushort(__float2bfloat16(1 + 0x1.8p-7f)) == 0x3f82 &&
			hip_bfloat16(NAN).data >> 6 == 0x7fc0 >> 6,
		"");
	result("bf16/arithmetic",
		__bfloat162float(__float2bfloat16(3) * __float2bfloat16(0.5f)) == 1.5f &&
			(float)(hip_bfloat16(2.0f) + hip_bfloat16(0.5f)) == 2.5f,
		"");
}

static void test_vectors()
{
	float4 a = make_float4(1, 2, 3, 4);
	a += float4(1.0f) * 2.0f;
	const int3 b = int3(1, 2, 3) << 1;
	result("vector/operators", a.x == 3 && a.w == 6 && b.z == 6 && -a == float4(-3, -4, -5, -6),
		"");
	result("vector/layout",
		sizeof(float3) == 12 && alignof(float3) == 4 && alignof(float4) == 16 &&
			alignof(double2) == 16 && sizeof(uchar4) == 4 && alignof(short2) == 4,
		"");
	const uint2 c = {5, 6};
	const dim3 d(7);
	result("vector/lists", c.x == 5 && c.y == 6 && d.y == 1, "");
	float4 memory[2] = {};
	__builtin_nontemporal_store(a.data, &memory[1].data);
	result("vector/nontemporal", __builtin_nontemporal_load(&memory[1].data)[2] == 5, "");
}

static void test_builtins()
{
	result("builtin/perm",
		__builtin_amdgcn_perm(0x44332211, 0x88776655, 0x070c0300) == 0x44008855, "%x",
		__builtin_amdgcn_perm(0x44332211, 0x88776655, 0x070c0300));
	result("builtin/bfe",
		__builtin_amdgcn_ubfe(0xabcd, 4, 8) == 0xbc &&
			__builtin_amdgcn_sbfe(0xf0, 4, 4) == -1,
		"");
	result("builtin/alignbit", __builtin_amdgcn_alignbit(1, 0x80000000u, 31) == 3, "");
	result("builtin/fmed3",
		__builtin_amdgcn_fmed3f(3, 1, 2) == 2 && __builtin_amdgcn_fmed3f(-1, 5, 9) == 5,
		"");
	result("builtin/dot4",
		__builtin_amdgcn_sdot4(0x01ff02fe, 0x03040506, 10, false) == 10 + 3 - 4 + 10 - 12,
		"");
	result("builtin/udot4-clamp", __builtin_amdgcn_udot4(~0u, ~0u, ~0u, true) == ~0u, "");
	result("builtin/class",
		__builtin_amdgcn_classf(-0.0f, 1 << 5) && !__builtin_amdgcn_classf(1, 3), "");
	result("math/saturating", __float2int_rz(1e10f) == INT32_MAX && __float2uint_rn(-3) == 0,
		"");
	result("math/min-max", min(1, 2u) == 1 && max(1.5f, 2.5) == 2.5 && min(3, -4ll) == -4, "");
	result("math/fast", __expf(0) == 1 && __fdividef(1, 4) == 0.25f && rsqrtf(4) == 0.5f, "");
	result("math/bits",
		__popc(0xff) == 8 && __clz(1) == 31 && __ffs(8) == 4 && __brev(1) == 0x80000000u,
		"");
}

int main()
{
	test_f8("fp8-fnuz", f8::e4m3, true, 3, 8, 0x7f);
	test_f8("bf8-fnuz", f8::e5m2, true, 2, 16, 0x7f);
	test_f8("fp8-ocp", f8::e4m3, false, 3, 7, 0x7e);
	test_f8("bf8-ocp", f8::e5m2, false, 2, 15, 0x7b);
	test_f8_edges();
	test_scaled();
	test_halves();
	test_vectors();
	test_builtins();
	return failures != 0;
}
