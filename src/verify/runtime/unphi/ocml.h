#pragma once
/*
 * The entry points of ROCm's device libraries, for kernels that call them by name: __ocml_exp_f32,
 * __ockl_get_local_id. As in math.h the bits are the host's; native forms compute exact results. A
 * kernel must declare these names itself for the device; its declarations then refer to the
 * functions here.
 */
#pragma GCC system_header
#include <math.h>
#include <unphi/wave.h>

extern "C" {
#define UNPHI_OCML_1(name)                                                                         \
	inline float __ocml_##name##_f32(float x)                                                  \
	{                                                                                          \
		return __builtin_##name##f(x);                                                     \
	}                                                                                          \
	inline double __ocml_##name##_f64(double x)                                                \
	{                                                                                          \
		return __builtin_##name(x);                                                        \
	}
#define UNPHI_OCML_2(name)                                                                         \
	inline float __ocml_##name##_f32(float x, float y)                                         \
	{                                                                                          \
		return __builtin_##name##f(x, y);                                                  \
	}                                                                                          \
	inline double __ocml_##name##_f64(double x, double y)                                      \
	{                                                                                          \
		return __builtin_##name(x, y);                                                     \
	}
/* Functions whose float form has a fast version with the instruction's own precision. */
#define UNPHI_OCML_NATIVE(name)                                                                    \
	inline float __ocml_native_##name##_f32(float x)                                           \
	{                                                                                          \
		return __builtin_##name##f(x);                                                     \
	}
UNPHI_OCML_1(acos)
UNPHI_OCML_1(acosh)
UNPHI_OCML_1(asin)
UNPHI_OCML_1(asinh)
UNPHI_OCML_1(atan)
UNPHI_OCML_1(atanh)
UNPHI_OCML_1(cbrt)
UNPHI_OCML_1(ceil)
UNPHI_OCML_1(cos)
UNPHI_OCML_1(cosh)
UNPHI_OCML_1(erf)
UNPHI_OCML_1(erfc)
UNPHI_OCML_1(exp)
UNPHI_OCML_1(exp2)
UNPHI_OCML_1(expm1)
UNPHI_OCML_1(fabs)
UNPHI_OCML_1(floor)
UNPHI_OCML_1(log)
UNPHI_OCML_1(log10)
UNPHI_OCML_1(log1p)
UNPHI_OCML_1(log2)
UNPHI_OCML_1(logb)
UNPHI_OCML_1(rint)
UNPHI_OCML_1(round)
UNPHI_OCML_1(sin)
UNPHI_OCML_1(sinh)
UNPHI_OCML_1(sqrt)
UNPHI_OCML_1(tan)
UNPHI_OCML_1(tanh)
UNPHI_OCML_1(tgamma)
UNPHI_OCML_1(lgamma)
UNPHI_OCML_1(trunc)
UNPHI_OCML_2(atan2)
UNPHI_OCML_2(copysign)
UNPHI_OCML_2(fdim)
UNPHI_OCML_2(fmax)
UNPHI_OCML_2(fmin)
UNPHI_OCML_2(fmod)
UNPHI_OCML_2(hypot)
UNPHI_OCML_2(nextafter)
UNPHI_OCML_2(pow)
UNPHI_OCML_2(remainder)
UNPHI_OCML_NATIVE(cos)
UNPHI_OCML_NATIVE(exp)
UNPHI_OCML_NATIVE(exp2)
UNPHI_OCML_NATIVE(log)
UNPHI_OCML_NATIVE(log2)
UNPHI_OCML_NATIVE(log10)
UNPHI_OCML_NATIVE(sin)
UNPHI_OCML_NATIVE(sqrt)
#undef UNPHI_OCML_1
#undef UNPHI_OCML_2
#undef UNPHI_OCML_NATIVE

inline float __ocml_rsqrt_f32(float x)
{
	return 1.0f / __builtin_sqrtf(x);
}
inline double __ocml_rsqrt_f64(double x)
{
	return 1.0 / __builtin_sqrt(x);
}
inline float __ocml_native_rsqrt_f32(float x)
{
	return __ocml_rsqrt_f32(x);
}
inline float __ocml_native_recip_f32(float x)
{
	return 1.0f / x;
}
inline float __ocml_fma_f32(float x, float y, float z)
{
	return __builtin_fmaf(x, y, z);
}
inline double __ocml_fma_f64(double x, double y, double z)
{
	return __builtin_fma(x, y, z);
}
inline float __ocml_ldexp_f32(float x, int n)
{
	return __builtin_ldexpf(x, n);
}
inline double __ocml_ldexp_f64(double x, int n)
{
	return __builtin_ldexp(x, n);
}

#define UNPHI_OCKL(name, index)                                                                    \
	inline size_t __ockl_get_##name(unsigned d)                                                \
	{                                                                                          \
		return d == 0 ? index.x : d == 1 ? index.y : index.z;                              \
	}
UNPHI_OCKL(local_id, threadIdx)
UNPHI_OCKL(group_id, blockIdx)
UNPHI_OCKL(local_size, blockDim)
UNPHI_OCKL(num_groups, gridDim)
#undef UNPHI_OCKL
inline size_t __ockl_get_global_id(unsigned d)
{
	return __ockl_get_group_id(d) * __ockl_get_local_size(d) + __ockl_get_local_id(d);
}
inline size_t __ockl_get_global_size(unsigned d)
{
	return __ockl_get_num_groups(d) * __ockl_get_local_size(d);
}
inline unsigned __ockl_lane_u32()
{
	return unphi::lane_id();
}
}
