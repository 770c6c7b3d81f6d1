// The part of a launcher for trials (trial.h): INPUT has the kernel, the numbers and the buffer
// sizes, INPUT.I has the pages of buffer I, and the output has the kernel's comparisons.
#pragma GCC system_header
#include <launch_cpu.hpp>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

namespace unphi_verify
{

constexpr size_t MAX_NUMBERS = 256;
constexpr unsigned CPU_SECONDS = 5; // of the process: a longer run is useless as a case

struct number_value {
	int64_t whole;
	double real;
};

struct trial_head {
	uint32_t grid[3];
	uint32_t block[3];
	uint32_t lds;
	uint32_t wave_size;
	uint64_t buffers;
	uint64_t numbers;
	uint64_t limit_ms;
	uint64_t stores; // 0: OUTPUT does not become the buffers
	uint64_t bytes[MAX_BUFFERS];
	number_value number[MAX_NUMBERS];
};

inline trial_head head;
inline clock_t begun; // CPU time until main, which may exceed that of the launch

// Converts to a number of the parameter's type.
struct __unphi_number {
	size_t i;
	template <class T> operator T() const
	{
		if constexpr (__is_floating_point(T)) {
			return (T)head.number[i].real;
		} else {
			return (T)head.number[i].whole;
		}
	}
	template <class T> operator T *() const
	{
		return nullptr;
	}
};

// A buffer, or null where number n is 0.
inline pointer __unphi_buffer_or_null(size_t i, size_t n)
{
	return pointer{head.number[n].whole ? buffer_place[i].at : nullptr};
}

// 0: no limit.
inline void limit_cpu(long us)
{
	const itimerval limit = {{0, 0}, {us / 1000000, us % 1000000}};
	setitimer(ITIMER_PROF, &limit, nullptr);
}

inline unphi::shape trial_shape()
{
	unphi::shape s;
	s.grid = dim3(head.grid[0], head.grid[1], head.grid[2]);
	s.block = dim3(head.block[0], head.block[1], head.block[2]);
	s.lds_bytes = head.lds;
	s.wave_size = head.wave_size;
	return s;
}

// ---- comparisons ----

// For each place in the code its first different comparisons, and those with the smallest and the
// largest operands.
constexpr size_t PLACES = 4096, FIRST = 6, EXTREMES = 4;

struct compared {
	const void *at;
	size_t n;
	int64_t first[FIRST][2];
	int64_t extreme[EXTREMES][2];
};

inline compared places[PLACES];

__attribute__((no_sanitize("coverage"))) inline void see(const void *at, int64_t a, int64_t b)
{
	size_t i = ((uintptr_t)at >> 2) % PLACES;
	for (size_t tries = 0; places[i].at && places[i].at != at; ++tries) {
		if (tries == PLACES) {
			return;
		}
		i = (i + 1) % PLACES;
	}
	compared &c = places[i];
	if (!c.at) {
		c.at = at;
		for (auto &e : c.extreme) {
			e[0] = a;
			e[1] = b;
		}
	}
	for (size_t k = 0; k < c.n; ++k) {
		if (c.first[k][0] == a && c.first[k][1] == b) {
			return;
		}
	}
	if (c.n < FIRST) {
		c.first[c.n][0] = a;
		c.first[c.n++][1] = b;
	}
	const bool further[EXTREMES] = {
		a<c.extreme[0][0], a> c.extreme[1][0], b<c.extreme[2][1], b> c.extreme[3][1]};
	for (size_t k = 0; k < EXTREMES; ++k) {
		if (further[k]) {
			c.extreme[k][0] = a;
			c.extreme[k][1] = b;
		}
	}
}

// The CPU time since main in milliseconds; then a line for each comparison: its place (the same in
// every run) and its operands.
inline void store_compared(const char *path)
{
	char name[4096];
	snprintf(name, sizeof name, "%s.compared", path);
	FILE *out = fopen(name, "w");
	if (!out) {
		stop("cannot write", name);
	}
	fprintf(out, "%lld\n", (long long)(clock() - begun) * 1000 / CLOCKS_PER_SEC);
	for (const compared &c : places) {
		const long long at = (const char *)c.at - (const char *)&trial_shape;
		for (size_t k = 0; c.at && k < c.n; ++k) {
			fprintf(out, "%lld %lld %lld\n", at, (long long)c.first[k][0],
				(long long)c.first[k][1]);
		}
		for (size_t k = 0; c.at && k < EXTREMES; ++k) {
			fprintf(out, "%lld %lld %lld\n", at, (long long)c.extreme[k][0],
				(long long)c.extreme[k][1]);
		}
	}
	if (fclose(out) != 0) {
		stop("cannot write", name);
	}
}

// Maps buffer i from its file: pages that the launch does not touch are not read.
inline void map_buffer(size_t i, int file)
{
	const placed p = place_of(i, head.bytes[i]);
	reserve(p);
	if (p.size && mmap(p.pages, p.size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file,
			      0) != p.pages) {
		stop("no memory for", "the buffers");
	}
	buffer_place[i] = p;
	memset(p.pages, CANARY, p.at - p.pages);
	memset(p.at + p.bytes, CANARY, p.pages + p.size - p.at - p.bytes);
}

// bytes: the buffers' sizes; NULL: those in INPUT.
inline void load_trial(const char *path, const size_t *bytes = nullptr)
{
	FILE *in = fopen(path, "rb");
	if (!in || fread(&head, sizeof head, 1, in) != 1) {
		stop("cannot read", path);
	}
	fclose(in);
	for (size_t i = 0; i < head.buffers; ++i) {
		char name[4096];
		snprintf(name, sizeof name, "%s.%zu", path, i);
		const int file = open(name, O_RDONLY);
		const placed whole = place_of(i, head.bytes[i]);
		if (file < 0) {
			stop("cannot read", name);
		}
		if (!bytes) {
			map_buffer(i, file);
		} else {
			head.bytes[i] = bytes[i];
			place_buffer(i, bytes[i]);
			if (pread(file, buffer_place[i].at, bytes[i], whole.at - whole.pages) !=
				(ssize_t)bytes[i]) {
				stop("cannot read", name);
			}
		}
		close(file);
	}
}

// Like run_case, but INPUT has the launch's numbers.
inline int run_trial(const case_spec *cases, size_t n, int argc, char **argv)
{
	const size_t i = argc == 4 ? strtoul(argv[1], nullptr, 10) : n;
	const rlimit limit = {CPU_SECONDS, CPU_SECONDS};
	begun = clock();
	if (i >= n) {
		stop("usage: launcher CASE", "INPUT OUTPUT");
	}
	setrlimit(RLIMIT_CPU, &limit);
	load_trial(argv[2]);
	limit_cpu((long)head.limit_ms * 1000);
	const bool ok = cases[i].launch();
	store_arms(argv[3]);
	store_compared(argv[3]);
	if (!ok) {
		return 3;
	}
	if (head.stores) {
		store_buffers(cases[i], argv[3]);
	} else {
		check_buffers(cases[i]);
	}
	return 0;
}

} // namespace unphi_verify

#define UNPHI_SEE(NAME, T)                                                                         \
	extern "C" __attribute__((used, no_sanitize("coverage"))) inline void NAME(T a, T b)       \
	{                                                                                          \
		unphi_verify::see(__builtin_return_address(0), a, b);                              \
	}
UNPHI_SEE(__sanitizer_cov_trace_cmp1, int8_t)
UNPHI_SEE(__sanitizer_cov_trace_cmp2, int16_t)
UNPHI_SEE(__sanitizer_cov_trace_cmp4, int32_t)
UNPHI_SEE(__sanitizer_cov_trace_cmp8, int64_t)
UNPHI_SEE(__sanitizer_cov_trace_const_cmp1, int8_t)
UNPHI_SEE(__sanitizer_cov_trace_const_cmp2, int16_t)
UNPHI_SEE(__sanitizer_cov_trace_const_cmp4, int32_t)
UNPHI_SEE(__sanitizer_cov_trace_const_cmp8, int64_t)
#undef UNPHI_SEE
// The compiler reports comparisons only together with function entries, which are ignored here.
extern "C" __attribute__((used, no_sanitize("coverage"))) inline void
__sanitizer_cov_trace_pc_guard(uint32_t *)
{
}
extern "C" __attribute__((used, no_sanitize("coverage"))) inline void
__sanitizer_cov_trace_pc_guard_init(uint32_t *, uint32_t *)
{
}
// cases: how many, bits of the value, values
extern "C" __attribute__((used, no_sanitize("coverage"))) inline void __sanitizer_cov_trace_switch(
	uint64_t value, uint64_t *cases)
{
	for (uint64_t k = 0; k < cases[0]; ++k) {
		unphi_verify::see((char *)__builtin_return_address(0) + 4 * k + 1, (int64_t)value,
			(int64_t)cases[2 + k]);
	}
}
