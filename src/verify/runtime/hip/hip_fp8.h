#pragma once
/* HIP's 8-bit floating point types, both FNUZ and OCP, converted by number.h. */
#pragma GCC system_header
#include <hip/hip_runtime.h>
#include <hip/hip_fp16.h>

typedef unsigned char __hip_fp8_storage_t;
typedef unsigned short int __hip_fp8x2_storage_t;
typedef unsigned int __hip_fp8x4_storage_t;

enum __hip_saturation_t {
	__HIP_NOSAT = 0,
	__HIP_SATFINITE = 1
};
enum __hip_fp8_interpretation_t {
	__HIP_E4M3 = 0,
	__HIP_E5M2 = 1,
	__HIP_E4M3_FNUZ = 2,
	__HIP_E5M2_FNUZ = 3
};

namespace unphi
{
UNPHI_FN(f8, f8_format, (__hip_fp8_interpretation_t i), i & 1 ? f8::e5m2 : f8::e4m3)
} // namespace unphi

UNPHI_FN(__hip_fp8_storage_t, __hip_cvt_float_to_fp8,
	(float x, __hip_saturation_t saturation, __hip_fp8_interpretation_t i),
	unphi::float_to_f8(x, unphi::f8_format(i), i >> 1, saturation == __HIP_SATFINITE))
UNPHI_FN(__hip_fp8_storage_t, __hip_cvt_double_to_fp8,
	(double x, __hip_saturation_t saturation, __hip_fp8_interpretation_t i),
	__hip_cvt_float_to_fp8((float)x, saturation, i))
UNPHI_FN(__hip_fp8x2_storage_t, __hip_cvt_float2_to_fp8x2,
	(float2 x, __hip_saturation_t saturation, __hip_fp8_interpretation_t i),
	(__hip_fp8x2_storage_t)(__hip_cvt_float_to_fp8(x.y, saturation, i) << 8 |
				__hip_cvt_float_to_fp8(x.x, saturation, i)))
UNPHI_FN(__half_raw, __hip_cvt_fp8_to_halfraw,
	(__hip_fp8_storage_t x, __hip_fp8_interpretation_t i),
	__half(unphi::f8_to_float(x, unphi::f8_format(i), i >> 1)))

#define UNPHI_FP8_TYPE(name, interpretation)                                                       \
	struct name {                                                                              \
		__hip_fp8_storage_t __x;                                                           \
		name() = default;                                                                  \
		explicit name(float x)                                                             \
		    : __x(__hip_cvt_float_to_fp8(x, __HIP_SATFINITE, interpretation))              \
		{                                                                                  \
		}                                                                                  \
		explicit name(double x) : name((float)x)                                           \
		{                                                                                  \
		}                                                                                  \
		explicit name(int x) : name((float)x)                                              \
		{                                                                                  \
		}                                                                                  \
		explicit name(__half x) : name(__half2float(x))                                    \
		{                                                                                  \
		}                                                                                  \
		operator float() const                                                             \
		{                                                                                  \
			return unphi::f8_to_float(                                                 \
				__x, unphi::f8_format(interpretation), interpretation >> 1);       \
		}                                                                                  \
	};
UNPHI_FP8_TYPE(__hip_fp8_e4m3_fnuz, __HIP_E4M3_FNUZ)
UNPHI_FP8_TYPE(__hip_fp8_e5m2_fnuz, __HIP_E5M2_FNUZ)
UNPHI_FP8_TYPE(__hip_fp8_e4m3, __HIP_E4M3)
UNPHI_FP8_TYPE(__hip_fp8_e5m2, __HIP_E5M2)
#undef UNPHI_FP8_TYPE
