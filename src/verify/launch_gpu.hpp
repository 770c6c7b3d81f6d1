// The common part of launchers for a GPU: buffers between guards, input and output, and times.
// Included by the C++ text that launcher.c writes, before the kernels. Uses only HIP functions that
// exist for both AMD and NVIDIA GPUs.
#pragma GCC system_header
#include <algorithm>
#include <vector>
#include <launch.hpp>

namespace unphi_verify
{

struct case_spec {
	const buffer_spec *buffer;
	size_t buffers;
	void (*launch)();
};

constexpr size_t GUARD = 4096; // bytes before and after a buffer
constexpr size_t MAX_BUFFERS = 64;
constexpr int WARM_UP = 3;    // untimed launches, before the timed ones
constexpr size_t RUNS = 25;   // maximum number of timed launches
constexpr float ENOUGH = 2e3; // milliseconds of timed launches; at least three launches

struct placed {
	char *all;   // with the guards
	char *start; // its contents before every launch
	size_t size;
	size_t bytes;
};

inline placed place_of[MAX_BUFFERS];

inline pointer __unphi_buffer(size_t i)
{
	return pointer{place_of[i].all + GUARD};
}

[[noreturn]] inline void refuse(const char *what, hipError_t e)
{
	const bool absent = e == hipErrorNoDevice || e == hipErrorInsufficientDriver ||
			    e == hipErrorInvalidDevice || e == hipErrorNotInitialized;
	fprintf(stderr, "error: %s: %s\n", what, hipGetErrorString(e));
	exit(absent ? 4 : 3);
}

inline void need(hipError_t e, const char *what)
{
	if (e != hipSuccess) {
		refuse(what, e);
	}
}

inline void find_gpu()
{
	hipDeviceProp_t p;
	int n = 0;
	const hipError_t e = hipGetDeviceCount(&n);
	if (e != hipSuccess || n == 0) {
		fprintf(stderr, "error: %s\n",
			e == hipSuccess ? "the driver lists no GPU" : hipGetErrorString(e));
		exit(4);
	}
	need(hipSetDevice(0), "the first GPU");
	need(hipGetDeviceProperties(&p, 0), "the first GPU");
	printf("gpu %s\n", p.name);
}

inline void allow_lds(const void *kernel, size_t bytes)
{
	need(hipFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize, (int)bytes),
		"allocation of dynamic LDS");
}

inline void load_buffers(const case_spec &c, const char *path)
{
	FILE *in = fopen(path, "rb");
	if (!in) {
		stop("cannot read", path);
	}
	for (size_t i = 0; i < c.buffers; ++i) {
		placed &p = place_of[i];
		p.bytes = c.buffer[i].bytes;
		p.size = p.bytes + 2 * GUARD;
		std::vector<char> host(p.size, (char)CANARY);
		if (fread(host.data() + GUARD, 1, p.bytes, in) != p.bytes) {
			stop("cannot read", path);
		}
		need(hipMalloc((void **)&p.all, p.size), "memory for the buffers");
		need(hipMalloc((void **)&p.start, p.size), "memory for the buffers");
		need(hipMemcpy(p.start, host.data(), p.size, hipMemcpyHostToDevice), "a copy");
	}
	fclose(in);
}

// Restores everything to the state before the first launch.
inline void reset_buffers(const case_spec &c)
{
	for (size_t i = 0; i < c.buffers; ++i) {
		const placed &p = place_of[i];
		need(hipMemcpy(p.all, p.start, p.size, hipMemcpyDeviceToDevice), "a copy");
	}
}

inline void launch(const case_spec &c)
{
	c.launch();
	need(hipGetLastError(), "the launch failed");
}

inline void finish()
{
	need(hipDeviceSynchronize(), "the kernel failed");
}

inline void check_guard(const char *guard, bool before, const char *name)
{
	for (size_t i = 0; i < GUARD; ++i) {
		if ((unsigned char)guard[i] != CANARY) {
			fprintf(stderr, "error: a byte %zu bytes %s buffer '%s' was written\n",
				before ? GUARD - i : i, before ? "before" : "past the end of",
				name);
			exit(3);
		}
	}
}

inline std::vector<char> fetch_buffers(const case_spec &c)
{
	std::vector<char> out;
	for (size_t i = 0; i < c.buffers; ++i) {
		const placed &p = place_of[i];
		std::vector<char> host(p.size);
		need(hipMemcpy(host.data(), p.all, p.size, hipMemcpyDeviceToHost), "a copy");
		check_guard(host.data(), true, c.buffer[i].name);
		check_guard(host.data() + GUARD + p.bytes, false, c.buffer[i].name);
		out.insert(out.end(), host.begin() + GUARD, host.begin() + GUARD + p.bytes);
	}
	return out;
}

inline void store(const std::vector<char> &bytes, const char *path)
{
	FILE *out = fopen(path, "wb");
	if (!out || fwrite(bytes.data(), 1, bytes.size(), out) != bytes.size() ||
		fclose(out) != 0) {
		stop("cannot write", path);
	}
}

inline float timed(const case_spec &c, hipEvent_t from, hipEvent_t to)
{
	float ms = 0;
	reset_buffers(c);
	need(hipEventRecord(from, 0), "an event");
	launch(c);
	need(hipEventRecord(to, 0), "an event");
	finish();
	need(hipEventElapsedTime(&ms, from, to), "an event");
	return ms;
}

// "ms MEDIAN LEAST MOST RUNS"
inline void print_times(const case_spec &c)
{
	std::vector<float> ms;
	float sum = 0;
	hipEvent_t from;
	hipEvent_t to;
	need(hipEventCreate(&from), "an event");
	need(hipEventCreate(&to), "an event");
	for (int i = 0; i < WARM_UP; ++i) {
		timed(c, from, to);
	}
	while (ms.size() < RUNS && (ms.size() < 3 || sum < ENOUGH)) {
		ms.push_back(timed(c, from, to));
		sum += ms.back();
	}
	std::sort(ms.begin(), ms.end());
	printf("ms %.6f %.6f %.6f %zu\n", ms[ms.size() / 2], ms.front(), ms.back(), ms.size());
}

// LAUNCHER CASE INPUT OUTPUT. Exit: 0 done, 3 an error of the kernel, 4 no GPU, 2 any other
// failure.
inline int run_case(const case_spec *cases, size_t n, int argc, char **argv)
{
	const size_t i = argc == 4 ? strtoul(argv[1], nullptr, 10) : n;
	if (i >= n) {
		stop("usage: launcher CASE", "INPUT OUTPUT");
	}
	find_gpu();
	load_buffers(cases[i], argv[2]);
	reset_buffers(cases[i]);
	launch(cases[i]);
	finish();
	const std::vector<char> first = fetch_buffers(cases[i]);
	store(first, argv[3]);
	print_times(cases[i]);
	if (fetch_buffers(cases[i]) != first) {
		fprintf(stderr, "error: a second run of the same launch gives different bits\n");
		return 3;
	}
	return 0;
}

} // namespace unphi_verify
