// The part of a launcher that is common to CPU and GPUs: conversion of a spec's values.
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

// Converts to a pointer of the parameter's type.
struct pointer {
	void *at;
	template <class T> operator T *() const
	{
		return (T *)at;
	}
};

template <class T> struct unless_scalar {
	typedef int type;
};
#define UNPHI_SCALAR(T)                                                                            \
	template <> struct unless_scalar<T> {                                                      \
	}
UNPHI_SCALAR(bool);
UNPHI_SCALAR(char);
UNPHI_SCALAR(signed char);
UNPHI_SCALAR(unsigned char);
UNPHI_SCALAR(short);
UNPHI_SCALAR(unsigned short);
UNPHI_SCALAR(int);
UNPHI_SCALAR(unsigned);
UNPHI_SCALAR(long);
UNPHI_SCALAR(unsigned long);
UNPHI_SCALAR(long long);
UNPHI_SCALAR(unsigned long long);
UNPHI_SCALAR(float);
UNPHI_SCALAR(double);
#undef UNPHI_SCALAR

// Converts to a record of the parameter's type, but not to a scalar, from which HIP's vectors can
// be made.
template <size_t N> struct __unphi_bytes {
	unsigned char byte[N];
	template <class V> __unphi_bytes __unphi_put(size_t at, V value) const
	{
		__unphi_bytes with = *this;
		memcpy(with.byte + at, &value, sizeof value);
		return with;
	}
	template <class T, typename unless_scalar<T>::type = 0> operator T() const
	{
		static_assert(sizeof(T) == N, "the record has another size");
		alignas(T) unsigned char record[N]; // the type may lack a default constructor
		memcpy(record, byte, N);
		return *reinterpret_cast<const T *>(record);
	}
};

constexpr unsigned char CANARY = 0xa5; // around buffers

[[noreturn]] inline void stop(const char *what, const char *name)
{
	fprintf(stderr, "error: %s %s\n", what, name);
	exit(2);
}

} // namespace unphi_verify
