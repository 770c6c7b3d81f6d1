#pragma once
/*
 * Raw buffers: loads and stores through __builtin_amdgcn_make_buffer_rsrc. They have no index, so a
 * stride has no effect; a swizzling stride is refused. Word by word, a load past the end gives 0
 * and a store past it is dropped ("CDNA4" 9.1.5, "RDNA3" 9.4).
 */
#pragma GCC system_header
#include <unphi/crosslane.h>

struct __amdgpu_buffer_rsrc_t {
	char *base;
	unsigned bytes;
	bool bounded;
};

template <class T>
UNPHI_INLINE __amdgpu_buffer_rsrc_t __builtin_amdgcn_make_buffer_rsrc(
	T *p, short stride, unsigned bytes, unsigned flags, UNPHI_AT)
{
#ifdef __GFX9__
	const unsigned check = 3, swizzles = 0x8000; /* bit 14: cache bank swizzle */
#else
	const unsigned check = flags >> 28 & 3, swizzles = 0xc000;
#endif
	if ((stride & swizzles) || check < 2 || flags >> 30) {
		unphi::fail(at, "a buffer with this descriptor is not known");
	}
	return {(char *)p, bytes, check == 3};
}

namespace unphi
{

/* Moves the first `bytes` bytes of *x, word by word. *x may be larger: a vector of three. */
template <unsigned bytes>
UNPHI_INLINE void move_words(
	void *x, const __amdgpu_buffer_rsrc_t &r, int own, int scalar, bool store)
{
	constexpr unsigned part = bytes < 4 ? bytes : 4;
	for (unsigned i = 0; i < bytes; i += part) {
		const unsigned long long at =
			(unsigned long long)(unsigned)own + (unsigned)scalar + i;
		const bool beyond = r.bounded ? at + part > r.bytes : r.bytes == 0;
		if (!beyond && store) {
			__builtin_memcpy(r.base + at, (char *)x + i, part);
		} else if (!beyond) {
			__builtin_memcpy((char *)x + i, r.base + at, part);
		}
	}
}

typedef unsigned words2 __attribute__((ext_vector_type(2)));
typedef unsigned words3 __attribute__((ext_vector_type(3)));
typedef unsigned words4 __attribute__((ext_vector_type(4)));

} // namespace unphi

#define UNPHI_RAW_BUFFER(bits, type)                                                               \
	UNPHI_INLINE type __builtin_amdgcn_raw_buffer_load_b##bits(                                \
		__amdgpu_buffer_rsrc_t r, int own, int scalar, int)                                \
	{                                                                                          \
		type x = {};                                                                       \
		unphi::move_words<bits / 8>(&x, r, own, scalar, false);                            \
		return x;                                                                          \
	}                                                                                          \
	UNPHI_INLINE void __builtin_amdgcn_raw_buffer_store_b##bits(                               \
		type x, __amdgpu_buffer_rsrc_t r, int own, int scalar, int)                        \
	{                                                                                          \
		unphi::move_words<bits / 8>(&x, r, own, scalar, true);                             \
	}
UNPHI_RAW_BUFFER(8, unsigned char)
UNPHI_RAW_BUFFER(16, unsigned short)
UNPHI_RAW_BUFFER(32, unsigned)
UNPHI_RAW_BUFFER(64, unphi::words2)
UNPHI_RAW_BUFFER(96, unphi::words3)
UNPHI_RAW_BUFFER(128, unphi::words4)
#undef UNPHI_RAW_BUFFER
