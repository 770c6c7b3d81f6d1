#pragma once
/* hip_bfloat16, the older of HIP's two. */
#pragma GCC system_header
#include <hip/hip_runtime.h>

struct hip_bfloat16 {
	uint16_t data;
	enum truncate_t {
		truncate
	};
	hip_bfloat16() = default;
	explicit hip_bfloat16(float x) : data(unphi::float_to_bf16(x))
	{
	}
	hip_bfloat16(float x, truncate_t)
	    : data((uint16_t)(__builtin_bit_cast(uint32_t, x) >> 16 | (x != x ? 0x40 : 0)))
	{
	}
	static hip_bfloat16 round_to_bfloat16(float x)
	{
		return hip_bfloat16(x);
	}
	operator float() const
	{
		return unphi::bf16_to_float(data);
	}
	hip_bfloat16 &operator=(float x)
	{
		data = unphi::float_to_bf16(x);
		return *this;
	}
};

#define UNPHI_BFLOAT16_OPERATOR(op)                                                                \
	UNPHI_FN(hip_bfloat16, operator op, (hip_bfloat16 a, hip_bfloat16 b),                      \
		hip_bfloat16((float)a op(float) b))                                                \
	UNPHI_FN(hip_bfloat16 &, operator op##=, (hip_bfloat16 & a, hip_bfloat16 b), a = a op b)
UNPHI_BFLOAT16_OPERATOR(+)
UNPHI_BFLOAT16_OPERATOR(-)
UNPHI_BFLOAT16_OPERATOR(*)
UNPHI_BFLOAT16_OPERATOR(/)
#undef UNPHI_BFLOAT16_OPERATOR
