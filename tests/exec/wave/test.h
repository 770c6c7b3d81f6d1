// For the programs that test the wave runner: results as lines, and numbers to fill buffers with.
#ifndef UNPHI_TEST_H
#define UNPHI_TEST_H
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vector>

inline int failures;

__attribute__((format(printf, 3, 4))) inline void result(
	const char *name, bool good, const char *why, ...)
{
	if (good) {
		printf("ok %s\n", name);
		return;
	}
	va_list arguments;
	printf("not ok %s: ", name);
	va_start(arguments, why);
	vprintf(why, arguments);
	va_end(arguments);
	printf("\n");
	failures++;
}

struct random_numbers {
	uint64_t state;
	explicit random_numbers(uint64_t seed) : state(seed * 0x9e3779b97f4a7c15u + 1)
	{
	}
	uint32_t next()
	{
		state ^= state << 13;
		state ^= state >> 7;
		state ^= state << 17;
		return (uint32_t)(state >> 32);
	}
	int below(int n)
	{
		return (int)(next() % (uint32_t)n);
	}
	// In [-1, 1).
	float unit()
	{
		return (float)(int32_t)next() * 0x1p-31f;
	}
};

// Aligned as device memory is.
template <class T> struct device_memory {
	using value_type = T;
	T *allocate(size_t n)
	{
		return (T *)aligned_alloc(256, (n * sizeof(T) + 255) / 256 * 256);
	}
	void deallocate(T *p, size_t)
	{
		free(p);
	}
	bool operator==(const device_memory &) const
	{
		return true;
	}
	bool operator!=(const device_memory &) const
	{
		return false;
	}
};
template <class T> using buffer = std::vector<T, device_memory<T>>;

inline double seconds()
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
#endif
