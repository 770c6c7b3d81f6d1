// The common part of launchers for the CPU: buffers between inaccessible pages, input and output.
// Included by the C++ text that launcher.c writes, before the kernels.
#pragma GCC system_header
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <launch_place.hpp>

namespace unphi_verify
{

struct case_spec {
	const buffer_spec *buffer;
	size_t buffers;
	bool (*launch)();
};

constexpr size_t MAX_BUFFERS = 64;

inline placed buffer_place[MAX_BUFFERS];

inline pointer __unphi_buffer(size_t i)
{
	return pointer{buffer_place[i].at};
}

// Maps the pages of a buffer and one page on each side, without any access so far.
inline void reserve(const placed &p)
{
	const size_t page = page_size();
	const void *all = mmap(p.pages - page, p.size + 2 * page, PROT_NONE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (all != p.pages - page) {
		stop("no memory for", "the buffers");
	}
}

inline void place_buffer(size_t i, size_t bytes)
{
	const placed p = place_of(i, bytes);
	reserve(p);
	if (mprotect(p.pages, p.size, PROT_READ | PROT_WRITE) != 0) {
		stop("no memory for", "the buffers");
	}
	buffer_place[i] = p;
	memset(p.pages, CANARY, p.size);
}

inline void check_canaries(const placed &p, const char *name)
{
	const char *const edge[] = {p.pages, p.at, p.at + p.bytes, p.pages + p.size};
	for (size_t k = 0; k < 4; k += 2) {
		for (const char *c = edge[k]; c < edge[k + 1]; ++c) {
			if ((unsigned char)*c != CANARY) {
				fprintf(stderr,
					"error: a byte %zu bytes %s buffer '%s' was written\n",
					k == 0 ? (size_t)(p.at - c) : (size_t)(c - edge[2]),
					k == 0 ? "before" : "past the end of", name);
				exit(3);
			}
		}
	}
}

inline void check_buffers(const case_spec &c)
{
	for (size_t i = 0; i < c.buffers; ++i) {
		check_canaries(buffer_place[i], c.buffer[i].name);
	}
}

inline void load_buffers(const case_spec &c, const char *path)
{
	FILE *in = fopen(path, "rb");
	if (!in) {
		stop("cannot read", path);
	}
	for (size_t i = 0; i < c.buffers; ++i) {
		place_buffer(i, c.buffer[i].bytes);
		unphi::watch_region(buffer_place[i].at, c.buffer[i].bytes, c.buffer[i].name, true);
		if (fread(buffer_place[i].at, 1, c.buffer[i].bytes, in) != c.buffer[i].bytes) {
			stop("cannot read", path);
		}
	}
	fclose(in);
}

// Sets the __device__ variables before the launch.
inline char *copy_variables()
{
	size_t n = 1;
	for (auto *v = unphi::device_variable::first; v; v = v->next) {
		n += v->bytes;
	}
	char *const copy = (char *)malloc(n);
	char *to = copy;
	for (auto *v = unphi::device_variable::first; v; v = v->next) {
		memcpy(to, v->at, v->bytes);
		to += v->bytes;
		if (v->bytes) {
			unphi::watch_region(v->at, v->bytes, v->name, false);
		}
	}
	return copy;
}

// Writes for each __device__ variable a line "NAME TYPE BYTES CHANGED", and its bytes.
inline void store_variables(FILE *out, const char *before)
{
	for (auto *v = unphi::device_variable::first; v; v = v->next) {
		fprintf(out, "%s %s %zu %d\n", v->name, v->type, v->bytes,
			memcmp(v->at, before, v->bytes) != 0);
		fwrite(v->at, 1, v->bytes, out);
		before += v->bytes;
	}
}

inline void store_buffers(const case_spec &c, const char *path, const char *variables = nullptr)
{
	FILE *out = fopen(path, "wb");
	if (!out) {
		stop("cannot write", path);
	}
	check_buffers(c);
	for (size_t i = 0; i < c.buffers; ++i) {
		if (fwrite(buffer_place[i].at, 1, c.buffer[i].bytes, out) != c.buffer[i].bytes) {
			stop("cannot write", path);
		}
	}
	if (variables) {
		store_variables(out, variables);
	}
	if (fclose(out) != 0) {
		stop("cannot write", path);
	}
}

// BUFFER:OFFSET:BYTES
inline void watch(const case_spec &c, const char *what)
{
	size_t i, offset, bytes;
	if (sscanf(what, "%zu:%zu:%zu", &i, &offset, &bytes) != 3 || i >= c.buffers ||
		offset + bytes > c.buffer[i].bytes) {
		stop("no such place to watch:", what);
	}
	unphi::watch(buffer_place[i].at + offset, bytes);
}

// A line for each watched place: block, thread, wave and lane of its last change, or "-".
inline void store_writers(size_t n, const char *path)
{
	FILE *out = fopen(path, "w");
	if (!out) {
		stop("cannot write", path);
	}
	for (size_t i = 0; i < n; ++i) {
		const unphi::writer &w = unphi::last_writer(i);
		if (w.known) {
			fprintf(out, "%u %u %u %u %u %u %u %u\n", w.block.x, w.block.y, w.block.z,
				w.thread.x, w.thread.y, w.thread.z, w.wave, w.lane);
		} else {
			fprintf(out, "-\n");
		}
	}
	if (fclose(out) != 0) {
		stop("cannot write", path);
	}
}

inline bool same_files(const char *a, const char *b)
{
	FILE *const in[] = {fopen(a, "rb"), fopen(b, "rb")};
	bool same = in[0] && in[1];
	for (int c = 0; same && c != EOF;) {
		c = fgetc(in[0]);
		same = c == fgetc(in[1]);
	}
	for (FILE *f : in) {
		if (f) {
			fclose(f);
		}
	}
	return same;
}

// OUTPUT.arms: for each mark of arms.c the results of its condition (1: false, 2: true, 3: both),
// then its description.
inline void store_arms(const char *path)
{
	char name[4096];
	snprintf(name, sizeof name, "%s.arms", path);
	FILE *out = fopen(name, "w");
	if (!out) {
		stop("cannot write", name);
	}
	for (size_t i = 0; __unphi_arm_text[i]; ++i) {
		const int seen = __unphi_arm_ran[2 * i] + 2 * __unphi_arm_ran[2 * i + 1];
		fprintf(out, "%d %s\n", seen, __unphi_arm_text[i]);
	}
	if (fclose(out) != 0) {
		stop("cannot write", name);
	}
}

// Runs the case again with an environment variable set: the results must be equal.
inline void check_again(
	char **argv, const char *name, const char *value, const char *why, const char *where)
{
	char other[4096];
	char arms[4096];
	snprintf(other, sizeof other, "%s.again", argv[3]);
	snprintf(arms, sizeof arms, "%s.arms", other);
	setenv(name, value, 1);
	char *const words[] = {argv[0], argv[1], argv[2], other, argv[4], nullptr};
	int status = 0;
	const pid_t child = vfork();
	if (child == 0) {
		dup2(open("/dev/null", O_WRONLY), 2);
		execv("/proc/self/exe", words);
		_exit(2);
	}
	const bool ran = child > 0 && waitpid(child, &status, 0) == child;
	const bool same = ran && status == 0 && same_files(argv[3], other);
	unsetenv(name);
	unlink(other);
	unlink(arms);
	if (!same) {
		fprintf(stderr, "error: results depend on %s: %s\n", why, where);
		exit(3);
	}
}

// Does uninitialized data that was read affect the results? The fills are extreme values of every
// type.
inline void check_unknown(char **argv)
{
	static const char *const fills[] = {"127", "128", "0"};
	for (const char *fill : fills) {
		if (unphi::unset_read()[0]) {
			check_again(argv, "UNPHI_LDS_FILL", fill, "uninitialized LDS",
				unphi::unset_read());
		}
	}
	if (unphi::shuffle_beyond()[0]) {
		check_again(argv, "UNPHI_SHUFFLES", "beyond",
			"the version of HIP, which decides what a lane beyond the width reads",
			unphi::shuffle_beyond());
	}
}

// LAUNCHER CASE INPUT OUTPUT [-r | -R] [WATCH...]. OUTPUT gets the buffers; with WATCH also the
// writers of these places. -r: waves may race; -R: lanes, too. Exit: 0 done, 3 an error of the
// kernel, 2 any other failure.
inline int run_case(const case_spec *cases, size_t n, int argc, char **argv)
{
	const size_t i = argc >= 4 ? strtoul(argv[1], nullptr, 10) : n;
	if (i >= n) {
		stop("usage: launcher CASE", "INPUT OUTPUT [WATCH...]");
	}
	const char *fill = getenv("UNPHI_LDS_FILL");
	unphi::lds_fill = fill ? (unsigned char)atoi(fill) : unphi::lds_fill;
	unphi::shuffles_wrap = !getenv("UNPHI_SHUFFLES");
	load_buffers(cases[i], argv[2]);
	const char *variables = copy_variables();
	const bool lanes = argc > 4 && strcmp(argv[4], "-R") == 0;
	const int first = lanes || (argc > 4 && strcmp(argv[4], "-r") == 0) ? 5 : 4;
	if (first == 5) {
		unphi::race_allow(lanes);
	}
	for (int k = first; k < argc; ++k) {
		watch(cases[i], argv[k]);
	}
	if (!cases[i].launch()) {
		return 3;
	}
	if (argc > first) {
		store_writers((size_t)(argc - first), argv[3]);
	} else {
		store_buffers(cases[i], argv[3], variables);
		store_arms(argv[3]);
		if (!fill && unphi::shuffles_wrap) {
			check_unknown(argv);
		}
	}
	return 0;
}

} // namespace unphi_verify
