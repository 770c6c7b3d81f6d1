// The part of a launcher for faults (fault/fault.h): one launch without a fault, and one with each
// requested fault. A fault shows if its launch fails or leaves other bytes in a buffer or a
// __device__ variable. Launches share a process until one fails, since a new process costs more
// than most launches.
#pragma GCC system_header
#include <launch_trial.hpp>
#include <signal.h>
#include <sys/wait.h>
#include <unphi/race.h>

// The functions that intercept accesses must not be instrumented themselves.
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

// Adds one; turns an infinity or a NaN into 0.
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
constexpr size_t MAX_PIECES = 256;
constexpr size_t MAX_FAULTS = 4096;

// Results of the launch without a fault, for later processes.
struct shared_state {
	bool stored[MAX_LANES];	     // lanes that stored something to LDS or to a buffer
	size_t touched[MAX_BUFFERS]; // bytes up to the last one read or written
	long cpu_us;		     // of the launch without a fault
	long spent_us;		     // by all earlier processes
	bool ready;		     // launches without a fault are done
	bool late;		     // no time is left for the other faults
	size_t ran;		     // launches with faults in this process
	unsigned char ended[MAX_FAULTS];
	char left[];
};

inline shared_state *shared;

// Records every access before race.cpp checks it.
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

// The launch's memory as a list of pieces.
struct pieces {
	struct {
		char *at;
		size_t bytes;
	} v[MAX_PIECES];
	size_t n;
	size_t bytes;

	void add(void *at, size_t size)
	{
		if (n < MAX_PIECES) {
			v[n].at = (char *)at;
			v[n++].bytes = size;
			bytes += size;
		}
	}
	void copy_to(char *to) const
	{
		for (size_t i = 0; i < n; to += v[i++].bytes) {
			memcpy(to, v[i].at, v[i].bytes);
		}
	}
	void copy_from(const char *from) const
	{
		for (size_t i = 0; i < n; from += v[i++].bytes) {
			memcpy(v[i].at, from, v[i].bytes);
		}
	}
	bool is(const char *copy) const
	{
		bool same = true;
		for (size_t i = 0; i < n && same; copy += v[i++].bytes) {
			same = memcmp(v[i].at, copy, v[i].bytes) == 0;
		}
		return same;
	}
	const char *copy() const
	{
		char *const to = (char *)malloc(bytes + 1);
		copy_to(to);
		return to;
	}
};

inline pieces buffers_of(const case_spec &c)
{
	pieces p = {};
	for (size_t i = 0; i < c.buffers; ++i) {
		p.add(buffer_place[i].at, head.bytes[i]);
	}
	return p;
}

// The __device__ variables.
inline pieces variables()
{
	pieces p = {};
	for (auto *v = unphi::device_variable::first; v; v = v->next) {
		p.add((void *)v->at, v->bytes);
	}
	return p;
}

enum end : unsigned char {
	FAILED,	     // an error, or it timed out
	SAME,	     // same results as without a fault
	READS_UNSET, // the same, and it reads uninitialized LDS
	SEEN
};

inline long cpu_us()
{
	return (long)((clock() - begun) * (1000000 / CLOCKS_PER_SEC));
}

// A launch without a fault that only records the bytes it touches, one whose results are kept, and
// the launches that are compared with it.
enum launched {
	TOUCHES,
	KEPT,
	COMPARED
};

inline end launch_once(const case_spec &c, unsigned fault, launched as)
{
	constexpr long least_us = 50000, first_us = 4000000, times = 20;
	const pieces in_buffers = buffers_of(c), in_variables = variables();
	fault_now = fault;
	const long look_us = head.limit_ms ? (long)head.limit_ms * 1000 : first_us;
	limit_cpu(as == COMPARED       ? least_us + times * shared->cpu_us
		  : look_us < first_us ? look_us
				       : first_us);
	if (!c.launch()) {
		return FAILED;
	}
	check_buffers(c);
	if (as == TOUCHES) {
		return SAME;
	}
	if (as == KEPT) {
		in_buffers.copy_to(shared->left);
		in_variables.copy_to(shared->left + in_buffers.bytes);
	}
	return !in_buffers.is(shared->left) || !in_variables.is(shared->left + in_buffers.bytes)
		       ? SEEN
	       : unphi::unset_read()[0] ? READS_UNSET
					: SAME;
}

inline pid_t start_process()
{
	fflush(nullptr);
	const pid_t child = fork();
	if (child < 0) {
		stop("cannot start", "a process");
	}
	begun = clock();
	return child;
}

inline void be_quiet()
{
	if (!freopen("/dev/null", "w", stderr)) {
		_exit(FAILED);
	}
}

inline end wait_for(pid_t child)
{
	int status = 0;
	rusage used;
	if (wait4(child, &status, 0, &used) != child) {
		stop("cannot wait for", "a process");
	}
	shared->spent_us += used.ru_utime.tv_sec * 1000000L + used.ru_utime.tv_usec;
	return WIFEXITED(status) && WEXITSTATUS(status) <= SEEN ? (end)WEXITSTATUS(status) : FAILED;
}

// Runs in a process of its own.
inline end run_once(const case_spec &c, unsigned fault, unsigned char fill)
{
	const pid_t child = start_process();
	if (child == 0) {
		if (fault) {
			be_quiet();
		}
		unphi::lds_fill = fill;
		_exit(launch_once(c, fault, COMPARED));
	}
	return wait_for(child);
}

// The result, for any contents of uninitialized LDS.
inline end run_filled(const case_spec &c, unsigned fault, end usual)
{
	static const unsigned char fills[] = {127, 128, 0};
	for (const unsigned char fill : fills) {
		usual = usual == READS_UNSET ? run_once(c, fault, fill) : usual;
	}
	return usual;
}

// Shortens the buffers to the part that the launch without a fault accesses, so that accesses
// beyond it fail; from here on also checks for races.
inline void shorten_buffers(const case_spec &c, const char *path)
{
	size_t to[MAX_BUFFERS];
	for (size_t i = 0; i < head.buffers; ++i) {
		const size_t page = page_size();
		const size_t least = shared->touched[i] < 8 ? 8 : shared->touched[i];
		munmap(buffer_place[i].pages - page, buffer_place[i].size + 2 * page);
		to[i] = least < head.bytes[i] ? least : head.bytes[i];
	}
	load_trial(path, to);
	for (size_t i = 0; i < head.buffers; ++i) {
		unphi::watch_region(buffer_place[i].at, to[i], c.buffer[i].name, true);
	}
}

// Launches with faults in this process, each with fresh input, until one fails or time is over.
inline void run_with(const case_spec &c, const char *in_buffers, const char *in_variables,
	const unsigned *fault, size_t n)
{
	for (size_t i = 0; i < n; ++i) {
		const long us = shared->spent_us + cpu_us();
		shared->late = i > 0 && head.limit_ms && us > (long)head.limit_ms * 1000;
		if (shared->late) {
			return;
		}
		buffers_of(c).copy_from(in_buffers);
		variables().copy_from(in_variables);
		const end e = launch_once(c, fault[i], COMPARED);
		if (e == FAILED) {
			return;
		}
		shared->ended[i] = e;
		shared->ran = i + 1;
	}
}

// Launches without a fault, then with the first faults, all in one process. Returns the result of
// the former.
inline end run_first(const case_spec &c, const char *path, const unsigned *fault, size_t n)
{
	const pid_t child = start_process();
	if (child == 0) {
		const char *const in_variables = variables().copy();
		end e = launch_once(c, 0, TOUCHES);
		shared->cpu_us = cpu_us();
		if (e == FAILED) {
			_exit(e);
		}
		shorten_buffers(c, path);
		const char *const in_buffers = buffers_of(c).copy();
		variables().copy_from(in_variables);
		e = launch_once(c, 0, KEPT);
		if (e == SAME) {
			shared->ready = true;
			be_quiet();
			run_with(c, in_buffers, in_variables, fault, n);
		}
		_exit(e);
	}
	const end e = wait_for(child);
	return shared->ready ? SAME : e;
}

inline void run_more(const case_spec &c, const unsigned *fault, size_t n)
{
	shared->ran = 0;
	const pid_t child = start_process();
	if (child == 0) {
		be_quiet();
		run_with(c, buffers_of(c).copy(), variables().copy(), fault, n);
		_exit(SAME);
	}
	wait_for(child);
}

// ended[i]: the result of fault[i]. Returns how many were launched within the time limit.
inline size_t run_all(end *ended, const case_spec &c, const unsigned *fault, size_t n)
{
	size_t k = 0;
	if (!shared->ready) {
		run_more(c, fault, n);
	}
	for (;;) {
		memcpy(ended + k, shared->ended, shared->ran);
		k += shared->ran;
		if (shared->late || k == n) {
			break;
		}
		ended[k++] = FAILED;
		shared->ran = 0;
		if (k < n) {
			run_more(c, fault + k, n - k);
		}
	}
	for (size_t i = 0; i < k; ++i) {
		ended[i] = run_filled(c, fault[i], ended[i]);
	}
	return k;
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

// LAUNCHER CASE INPUT OUTPUT FAULT...; OUTPUT gets the lanes that store, all lanes, waves that
// store and all waves; the bytes that each buffer needs; how many faults were launched within the
// time limit; and the detected faults, one per line.
inline int run_faults(const case_spec *cases, size_t n, int argc, char **argv)
{
	const size_t i = argc >= 4 ? strtoul(argv[1], nullptr, 10) : n;
	static unsigned fault[MAX_FAULTS];
	static end ended[MAX_FAULTS];
	size_t faults = 0;
	if (i >= n) {
		stop("usage: launcher CASE", "INPUT OUTPUT [FAULT...]");
	}
	for (; 4 + faults < (size_t)argc && faults < MAX_FAULTS; ++faults) {
		fault[faults] = (unsigned)strtoul(argv[4 + faults], nullptr, 10);
	}
	load_trial(argv[2]);
	const size_t bytes = sizeof(shared_state) + buffers_of(cases[i]).bytes + variables().bytes;
	shared = (shared_state *)mmap(
		nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	FILE *out = fopen(argv[3], "w");
	if (shared == MAP_FAILED || !out) {
		stop("cannot write", argv[3]);
	}
	end e = run_first(cases[i], argv[2], fault, faults);
	if (e == FAILED) {
		return 3;
	}
	shorten_buffers(cases[i], argv[2]);
	e = run_filled(cases[i], 0, e);
	if (e != SAME && e != READS_UNSET) {
		return 3;
	}
	print_lanes(out);
	for (size_t k = 0; k < head.buffers; ++k) {
		fprintf(out, "%s%llu", k ? " " : "", (unsigned long long)head.bytes[k]);
	}
	const size_t tried = run_all(ended, cases[i], fault, faults);
	fprintf(out, "\n%zu\n", tried);
	for (size_t k = 0; k < tried; ++k) {
		if (ended[k] == FAILED || ended[k] == SEEN) {
			fprintf(out, "%u\n", fault[k]);
		}
	}
	return fclose(out) == 0 ? 0 : 2;
}

} // namespace unphi_verify

// The linker redirects accesses here (--wrap in build.c).
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
// Copies of records, also of members that nothing reads; not the launcher's own copies.
UNPHI_UNWATCHED inline void touch_in_lane(const void *p, size_t n, bool store)
{
	unphi::lane_name lane;
	if (!unphi_verify::fault_now && unphi::lane_now(&lane)) {
		unphi_verify::touch(p, n, store);
	}
}
#define UNPHI_COPY(NAME)                                                                           \
	extern "C" void *__real_##NAME(void *to, const void *from, size_t n);                      \
	extern "C" __attribute__((used)) UNPHI_UNWATCHED inline void *__wrap_##NAME(               \
		void *to, const void *from, size_t n)                                              \
	{                                                                                          \
		touch_in_lane(from, n, false);                                                     \
		touch_in_lane(to, n, true);                                                        \
		return __real_##NAME(to, from, n);                                                 \
	}
UNPHI_COPY(__asan_memcpy)
UNPHI_COPY(__asan_memmove)
#undef UNPHI_COPY
extern "C" void *__real___asan_memset(void *to, int value, size_t n);
extern "C" __attribute__((used)) UNPHI_UNWATCHED inline void *__wrap___asan_memset(
	void *to, int value, size_t n)
{
	touch_in_lane(to, n, true);
	return __real___asan_memset(to, value, n);
}
#undef UNPHI_ACCESS_N
#undef UNPHI_ACCESSES
#undef UNPHI_ACCESS
