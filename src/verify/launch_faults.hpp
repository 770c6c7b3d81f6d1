// The part of a launcher for faults (fault/fault.h): one launch as it is, and one with each of the
// faults that are asked for. A fault is seen when the launch ends with an error or leaves other bytes
// in a buffer or a __device__ variable. Launches share a process until one ends with an error: a new
// process costs more than most launches.
#pragma GCC system_header
#include <launch_trial.hpp>
#include <signal.h>
#include <sys/wait.h>
#include <unphi/race.h>

// What looks at accesses is not looked at.
#define UNPHI_UNWATCHED __attribute__((no_sanitize("kernel-address")))

namespace unphi_verify
{

inline unsigned fault_now; // from 1; 0: none

// An address space that race.h does not watch.
typedef const __attribute__((address_space(1))) unsigned unwatched;

} // namespace unphi_verify

inline constexpr bool __unphi_fault(unsigned n)
{
	return !__builtin_is_constant_evaluated() &&
	       *(unphi_verify::unwatched *)(uintptr_t)&unphi_verify::fault_now == n;
}

template <class T> constexpr T __unphi_drop(unsigned n, T v)
{
	return __unphi_fault(n) ? T{} : v;
}

template <class T> constexpr T __unphi_one(unsigned n, T v)
{
	return __unphi_fault(n) ? (T)(T{} + 1) : v;
}

template <class T> constexpr T __unphi_negative(unsigned n, T v)
{
	return __unphi_fault(n) ? -v : v;
}

// One more; 0 in the place of an infinity.
template <class T> constexpr T __unphi_other(unsigned n, T v)
{
	return !__unphi_fault(n) ? v : v - v == 0 ? (T)(v + 1) : (T)0;
}

namespace unphi_verify
{

extern "C" __attribute__((weak)) char __start_unphi_lds[];
extern "C" __attribute__((weak)) char __stop_unphi_lds[];

UNPHI_UNWATCHED inline bool in_static_lds(uintptr_t at)
{
	return __start_unphi_lds && at >= (uintptr_t)__start_unphi_lds &&
	       at < (uintptr_t)__stop_unphi_lds;
}

constexpr size_t MAX_LANES = 1 << 18;
constexpr size_t MAX_LEFT = 256;    // buffers and __device__ variables
constexpr size_t MAX_FAULTS = 4096; // of a process

// Of the launch without a fault, for the processes that come after it.
struct shared_state {
	bool stored[MAX_LANES];	     // lanes that stored something to LDS or to a buffer
	size_t touched[MAX_BUFFERS]; // bytes, from the start to the last that is read or written
	long cpu_us;
	size_t ran; // launches of the process that runs now
	unsigned char ended[MAX_FAULTS];
	char left[];
};

inline shared_state *shared;

// What race.cpp watches comes by here first.
UNPHI_UNWATCHED inline void touch(const void *p, size_t n, bool store)
{
	const uintptr_t at = (uintptr_t)p;
	unphi::lane_name lane;
	bool there = at - (uintptr_t)unphi_dynamic_lds < UNPHI_LDS_MAX;
	for (size_t i = 0; i < head.buffers; ++i) {
		const uintptr_t offset = at - (uintptr_t)buffer_place[i].at;
		if (offset < head.bytes[i]) {
			there = true;
			shared->touched[i] =
				offset + n > shared->touched[i] ? offset + n : shared->touched[i];
		}
	}
	there |= in_static_lds(at);
	if (!store || !there || !unphi::lane_now(&lane)) {
		return;
	}
	const size_t row = blockIdx.y + (size_t)head.grid[1] * blockIdx.z;
	const size_t block = blockIdx.x + head.grid[0] * row;
	const size_t i = block * head.block[0] * head.block[1] * head.block[2] + lane.thread;
	if (i < MAX_LANES) {
		shared->stored[i] = true;
	}
}

// What a launch can leave, one piece after the other: buffers, then __device__ variables.
struct left {
	char *at;
	size_t bytes;
};

inline size_t left_by(const case_spec &c, left *out)
{
	size_t n = 0;
	for (size_t i = 0; i < c.buffers; ++i) {
		out[n++] = left{buffer_place[i].at, head.bytes[i]};
	}
	for (auto *v = unphi::device_variable::first; v && n < MAX_LEFT; v = v->next) {
		out[n++] = left{(char *)v->at, v->bytes};
	}
	return n;
}

inline size_t bytes_left(const case_spec &c)
{
	left pieces[MAX_LEFT];
	size_t bytes = 0;
	for (size_t n = left_by(c, pieces), i = 0; i < n; ++i) {
		bytes += pieces[i].bytes;
	}
	return bytes;
}

inline void check_all_canaries(const case_spec &c)
{
	for (size_t i = 0; i < c.buffers; ++i) {
		check_canaries(buffer_place[i], c.buffer[i].name);
	}
}

inline void copy_left(const case_spec &c, char *to)
{
	left pieces[MAX_LEFT];
	for (size_t n = left_by(c, pieces), i = 0; i < n; to += pieces[i++].bytes) {
		memcpy(to, pieces[i].at, pieces[i].bytes);
	}
}

inline void restore_left(const case_spec &c, const char *from)
{
	left pieces[MAX_LEFT];
	for (size_t n = left_by(c, pieces), i = 0; i < n; from += pieces[i++].bytes) {
		memcpy(pieces[i].at, from, pieces[i].bytes);
	}
}

// Is it what the launch without a fault left?
inline bool is_as_before(const case_spec &c)
{
	left pieces[MAX_LEFT];
	const char *before = shared->left;
	for (size_t n = left_by(c, pieces), i = 0; i < n; before += pieces[i++].bytes) {
		if (memcmp(pieces[i].at, before, pieces[i].bytes) != 0) {
			return false;
		}
	}
	return true;
}

enum end : unsigned char {
	FAILED,	     // an error, or it did not end
	AS_BEFORE,   // it runs, and leaves what the launch without a fault leaves
	READS_UNSET, // the same, and it reads LDS that nothing has set
	SEEN
};

// In a process of its own.
inline end launch_once(const case_spec &c, unsigned fault, bool first)
{
	constexpr long least_us = 50000, first_us = 4000000, times = 20;
	fault_now = fault;
	limit_cpu(first ? first_us : least_us + times * shared->cpu_us);
	if (!c.launch()) {
		return FAILED;
	}
	check_all_canaries(c);
	if (first) {
		copy_left(c, shared->left);
	}
	return !is_as_before(c) ? SEEN : unphi::unset_read()[0] ? READS_UNSET : AS_BEFORE;
}

inline pid_t start_process(bool quiet)
{
	fflush(nullptr);
	const pid_t child = fork();
	if (child < 0) {
		stop("cannot start", "a process");
	}
	if (child == 0 && quiet && !freopen("/dev/null", "w", stderr)) {
		_exit(2);
	}
	return child;
}

inline end run_once(const case_spec &c, unsigned fault, bool first, unsigned char fill)
{
	const pid_t child = start_process(fault != 0);
	if (child == 0) {
		unphi::lds_fill = fill;
		_exit(launch_once(c, fault, first));
	}
	int status = 0;
	rusage used;
	if (wait4(child, &status, 0, &used) != child) {
		stop("cannot wait for", "a process");
	}
	if (first) {
		shared->cpu_us = used.ru_utime.tv_sec * 1000000L + used.ru_utime.tv_usec;
	}
	return WIFEXITED(status) && WEXITSTATUS(status) <= SEEN ? (end)WEXITSTATUS(status) : FAILED;
}

// What becomes of it, whatever is in LDS that nothing has set.
inline end run_filled(const case_spec &c, unsigned fault, end usual)
{
	static const unsigned char fills[] = {127, 128, 0};
	for (const unsigned char fill : fills) {
		usual = usual == READS_UNSET ? run_once(c, fault, false, fill) : usual;
	}
	return usual;
}

inline bool runs(const case_spec &c)
{
	const end e = run_filled(c, 0, run_once(c, 0, true, unphi::lds_fill));
	return e == AS_BEFORE || e == READS_UNSET;
}

// Launches with faults in one process, from the input, until one fails; how many ran.
inline size_t run_faults_of(end *out, const case_spec &c, const unsigned *fault, size_t n)
{
	shared->ran = 0;
	const pid_t child = start_process(true);
	if (child == 0) {
		char *const input = (char *)malloc(bytes_left(c) + 1);
		copy_left(c, input);
		for (size_t i = 0; i < n; ++i) {
			restore_left(c, input);
			const end e = launch_once(c, fault[i], false);
			if (e == FAILED) {
				break;
			}
			shared->ended[i] = e;
			shared->ran = i + 1;
		}
		_exit(0);
	}
	if (waitpid(child, nullptr, 0) != child) {
		stop("cannot wait for", "a process");
	}
	memcpy(out, shared->ended, shared->ran * sizeof *out);
	return shared->ran;
}

// ended[i]: what became of fault[i].
inline void run_all_faults(end *ended, const case_spec &c, const unsigned *fault, size_t n)
{
	for (size_t k = 0; k < n; ++k) {
		k += run_faults_of(
			ended + k, c, fault + k, n - k < MAX_FAULTS ? n - k : MAX_FAULTS);
		if (k < n) {
			ended[k] = FAILED;
		}
	}
	for (size_t k = 0; k < n; ++k) {
		ended[k] = run_filled(c, fault[k], ended[k]);
	}
}

// Buffers that end where the launch without a fault ends to touch them, so that what goes further is
// seen; from here on with an eye on races, too.
inline void shorten_buffers(const case_spec &c, const char *path)
{
	size_t to[MAX_BUFFERS];
	for (size_t i = 0; i < head.buffers; ++i) {
		const size_t page = (size_t)sysconf(_SC_PAGESIZE);
		const size_t least = shared->touched[i] < 8 ? 8 : shared->touched[i];
		munmap(buffer_place[i].pages - page, buffer_place[i].size + 2 * page);
		to[i] = least < head.bytes[i] ? least : head.bytes[i];
	}
	load_trial(path, to);
	for (size_t i = 0; i < head.buffers; ++i) {
		unphi::watch_region(buffer_place[i].at, to[i], c.buffer[i].name, true);
	}
}

inline void print_lanes(FILE *out)
{
	const size_t block = (size_t)head.block[0] * head.block[1] * head.block[2];
	const size_t lanes = block * head.grid[0] * head.grid[1] * head.grid[2];
	size_t stored = 0, waves = 0, working = 0;
	for (size_t first = 0; first < lanes && lanes <= MAX_LANES; ++waves) {
		const size_t left = block - first % block;
		const size_t end = first + (left < head.wave_size ? left : head.wave_size);
		const size_t before = stored;
		for (; first < end; ++first) {
			stored += shared->stored[first];
		}
		working += stored > before;
	}
	fprintf(out, "%zu %zu %zu %zu\n", stored, lanes, working, waves);
}

// LAUNCHER CASE INPUT OUTPUT FAULT...; OUTPUT gets the lanes that store, all lanes, waves that store
// and all waves; the bytes that each buffer needs; and the faults that are seen, a line each.
inline int run_faults(const case_spec *cases, size_t n, int argc, char **argv)
{
	const size_t i = argc >= 4 ? strtoul(argv[1], nullptr, 10) : n;
	if (i >= n) {
		stop("usage: launcher CASE", "INPUT OUTPUT [FAULT...]");
	}
	load_trial(argv[2]);
	const size_t bytes = sizeof(shared_state) + bytes_left(cases[i]);
	shared = (shared_state *)mmap(
		nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	FILE *out = fopen(argv[3], "w");
	if (shared == MAP_FAILED || !out) {
		stop("cannot write", argv[3]);
	}
	if (!runs(cases[i])) {
		return 3;
	}
	shorten_buffers(cases[i], argv[2]);
	if (!runs(cases[i])) {
		return 3;
	}
	print_lanes(out);
	for (size_t k = 0; k < head.buffers; ++k) {
		fprintf(out, "%llu%c", (unsigned long long)head.bytes[k],
			k + 1 < head.buffers ? ' ' : '\n');
	}
	const size_t faults = (size_t)argc - 4;
	unsigned *const fault = (unsigned *)calloc(faults + 1, sizeof *fault);
	end *const ended = (end *)calloc(faults + 1, sizeof *ended);
	for (size_t k = 0; k < faults; ++k) {
		fault[k] = (unsigned)strtoul(argv[4 + k], nullptr, 10);
	}
	run_all_faults(ended, cases[i], fault, faults);
	for (size_t k = 0; k < faults; ++k) {
		if (ended[k] == FAILED || ended[k] == SEEN) {
			fprintf(out, "%u\n", fault[k]);
		}
	}
	return fclose(out) == 0 ? 0 : 2;
}

} // namespace unphi_verify

// build.c has the linker send accesses here (--wrap).
#define UNPHI_ACCESS(NAME, N, STORE)                                                               \
	extern "C" void __real_##NAME(const void *p);                                              \
	extern "C" __attribute__((used)) UNPHI_UNWATCHED inline void __wrap_##NAME(const void *p)  \
	{                                                                                          \
		if (!unphi_verify::fault_now) {                                                    \
			unphi_verify::touch(p, N, STORE);                                          \
		}                                                                                  \
		__real_##NAME(p);                                                                  \
	}
#define UNPHI_ACCESSES(N)                                                                          \
	UNPHI_ACCESS(__asan_load##N##_noabort, N, false)                                           \
	UNPHI_ACCESS(__asan_store##N##_noabort, N, true)
UNPHI_ACCESSES(1)
UNPHI_ACCESSES(2)
UNPHI_ACCESSES(4)
UNPHI_ACCESSES(8)
UNPHI_ACCESSES(16)
#define UNPHI_ACCESS_N(NAME, STORE)                                                                \
	extern "C" void __real_##NAME(const void *p, size_t n);                                    \
	extern "C" __attribute__((used)) UNPHI_UNWATCHED inline void __wrap_##NAME(                \
		const void *p, size_t n)                                                           \
	{                                                                                          \
		if (!unphi_verify::fault_now) {                                                    \
			unphi_verify::touch(p, n, STORE);                                          \
		}                                                                                  \
		__real_##NAME(p, n);                                                               \
	}
UNPHI_ACCESS_N(__asan_loadN_noabort, false)
UNPHI_ACCESS_N(__asan_storeN_noabort, true)
#undef UNPHI_ACCESS_N
#undef UNPHI_ACCESSES
#undef UNPHI_ACCESS
