// The part of a launcher that packs a kernel's arguments for its machine code and runs nothing.
// Included by the C++ text that launcher.c writes, before the kernels.
#pragma GCC system_header
#include <launch_place.hpp>

namespace unphi_verify
{

struct case_spec {
	const buffer_spec *buffer;
	size_t buffers;
	bool (*launch)();
};

inline const case_spec *packs;

inline pointer __unphi_buffer(size_t i)
{
	return pointer{place_of(i, packs->buffer[i].bytes).at};
}

// A kernel's arguments in memory: consecutive, each aligned.
struct packed {
	unsigned char byte[4096];
	unsigned char floats[4096]; // nonzero at the start of a float: the float's size
	size_t n;
};

template <class T> constexpr unsigned char float_bytes = 0;
template <> constexpr unsigned char float_bytes<float> = sizeof(float);
template <> constexpr unsigned char float_bytes<double> = sizeof(double);
template <> constexpr unsigned char float_bytes<_Float16> = sizeof(_Float16);

template <class P> inline void pack_one(packed &to, const P &value)
{
	const size_t at = (to.n + alignof(P) - 1) / alignof(P) * alignof(P);
	if (at + sizeof value > sizeof to.byte) {
		stop("too many", "arguments");
	}
	memcpy(to.byte + at, &value, sizeof value);
	to.floats[at] = float_bytes<P>;
	to.n = at + sizeof value;
}

// Called like the kernel, so that arguments are converted to its parameters' types.
template <class... P> struct packer {
	bool operator()(P... a) const
	{
		packed all{};
		(pack_one<P>(all, a), ...);
		for (size_t i = 0; i < all.n; ++i) {
			printf("%02x", all.byte[i]);
		}
		printf("\n");
		for (size_t i = 0; i < all.n; ++i) {
			printf("%02x", all.floats[i]);
		}
		return fflush(stdout) == 0;
	}
};

// For decltype: an unreferenced kernel needs neither its body nor the runner.
template <class... P> packer<P...> __unphi_packer_of(void (*)(P...));

// LAUNCHER CASE: prints the bytes of its arguments as hexadecimal digits, and below them which are
// floats. Exit: 0 done, 2 failed.
inline int run_case(const case_spec *cases, size_t n, int argc, char **argv)
{
	const size_t i = argc >= 2 ? strtoul(argv[1], nullptr, 10) : n;
	if (i >= n) {
		stop("usage: launcher", "CASE");
	}
	packs = &cases[i];
	return cases[i].launch() ? 0 : 2;
}

} // namespace unphi_verify
