// The part of a launcher that is the same for the CPU and for GPUs: what a spec's values become.
#pragma GCC system_header
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

namespace unphi_verify
{

struct buffer_spec {
	const char *name;
	size_t bytes;
};

// Becomes a pointer of the type that the kernel wants.
struct pointer {
	void *at;
	template <class T> operator T *() const
	{
		return (T *)at;
	}
};

// Becomes a record of the type that the kernel wants.
template <size_t N> struct record_bytes {
	unsigned char byte[N];
	template <class T> operator T() const
	{
		static_assert(sizeof(T) == N, "the record has another size");
		T record;
		memcpy(&record, byte, N);
		return record;
	}
};

constexpr unsigned char CANARY = 0xa5; // around buffers

[[noreturn]] inline void stop(const char *what, const char *name)
{
	fprintf(stderr, "error: %s %s\n", what, name);
	exit(2);
}

} // namespace unphi_verify
