#pragma once
/*
 * The wave runner: executes kernels on the CPU, one block after the other on one thread. Each lane
 * is a fiber. A lane runs until it reaches a convergent operation and waits there until no other
 * lane of its wave can run. Then the lanes that wait at the same place (the same call in the same
 * iteration of the same loops) do the operation together.
 *
 * If lanes of a wave wait at different places, the group that is earliest in the program goes
 * first, so that lanes reconverge where branches join, as they do on the device. "Earliest"
 * compares from the outermost call inwards: an earlier iteration before a later one, a lane in a
 * loop before one that has left it, then the lower address. The comparison needs the iteration
 * counts (prepare.h puts loop objects into the source), frame pointers, and code laid out in the
 * order of the source; the compiler options are in prepare.h. Loops made of goto are not tracked.
 *
 * Errors, each with its place, the block and the lanes: a matrix operation that not all lanes of a
 * wave reach, a barrier that not all lanes of a block reach (or at different places), a
 * read of an inactive lane, a write past the size of LDS, a fault. The first error ends the launch.
 *
 * Runs are repeatable: blocks, waves and lanes run in ascending order (or descending, to find
 * races), and the lanes of a wave execute an atomic one after the other. LDS is
 * filled with lds_fill at the start of each block.
 */
#pragma GCC system_header
#include <stddef.h>
#include <stdint.h>

#define UNPHI_INLINE inline __attribute__((always_inline))
/* A function without side effects. */
#define UNPHI_FN(type, name, parameters, ...)                                                      \
	UNPHI_INLINE type name parameters                                                          \
	{                                                                                          \
		return __VA_ARGS__;                                                                \
	}
#define UNPHI_LDS_MAX (320 * 1024)
#define UNPHI_LDS_GUARD 4096
#define UNPHI_LDS_SPACE (UNPHI_LDS_MAX + 4096) /* where a write past all of it is still seen */

/* The wave size of the kernel source, from rules/targets.yaml; the value of warpSize. A launch may
 * choose the other. */
#ifndef UNPHI_WAVE_SIZE
#define UNPHI_WAVE_SIZE 64
#endif

struct dim3 {
	uint32_t x;
	uint32_t y;
	uint32_t z;
	constexpr dim3(uint32_t x_ = 1, uint32_t y_ = 1, uint32_t z_ = 1) : x(x_), y(y_), z(z_)
	{
	}
};

namespace unphi
{

/* The type of threadIdx, blockIdx, blockDim and gridDim. */
struct index3 {
	uint32_t x;
	uint32_t y;
	uint32_t z;
	operator dim3() const
	{
		return dim3(x, y, z);
	}
};

struct place {
	const char *file;
	int line;
	static constexpr place here(
		const char *file = __builtin_FILE(), int line = __builtin_LINE())
	{
		return place{file, line};
	}
};

enum class meets {
	some,	  /* the active lanes */
	whole,	  /* all lanes of the wave, or it is an error */
	block,	  /* all lanes of the block, all at one place */
	any_block /* all lanes of the block, waves at different places */
};

struct meeting;

/* A convergent operation. `run` gets lane[i] for each bit i in `here`. The operations of a block
 * have no `run`. */
struct operation {
	const char *name;
	meets who;
	void (*run)(meeting *const *lane, uint64_t here);
};

/* A lane's operands and results of an operation, on the lane's stack. Each operation extends it. */
struct meeting {
	const operation *what;
	place at;
};

/* A meeting for the operations of a block, which have no `run`. */
struct barrier : meeting {
	int value;
	int sum; /* over all lanes' values */
};

/* Returns when the operation is done. */
__attribute__((convergent)) void meet(meeting *m);

/* Ends the launch with an error at the place; to be called from an operation. */
[[noreturn]] __attribute__((format(printf, 2, 3))) void fail(place at, const char *format, ...);

/* The same for a builtin that the runner does not model; its stub calls this. */
[[noreturn]] void no_model(const char *name);

/* Ends the process: host code only needs to compile, it must not run. */
[[noreturn]] void not_on_host(const char *what);

uint32_t lane_id();
uint32_t wave_size();

/* Lets the other waves of the block run. */
void yield();

/* A counter that increases with each call. */
uint64_t tick();

/* A separate type: type-based alias analysis then knows that no other store changes it. */
enum loop_count : uint32_t {
};

/* The loops that a lane has left and not entered again. */
struct left_loops {
	static constexpr uint32_t MAX = 64;
	struct {
		uintptr_t code;
		const void *at;
	} loops[MAX];
	uint32_t n;
};

/* Counts the iterations of a loop; prepare.h puts one around each loop of the source. */
struct loop {
	loop *outer;
	uintptr_t code; /* where the loop starts; differs between copies of the loop */
	loop_count count;
	uint32_t left_before; /* an iteration's end forgets the loops left inside of it */
	static loop *innermost;
	static left_loops *left;

	UNPHI_INLINE explicit loop(uint32_t id) : outer(innermost), code(id), count()
	{
#if defined(__x86_64__)
		asm volatile("leaq 0(%%rip), %0" : "=r"(code));
#endif
		left_before = left->n;
		innermost = this;
	}
	UNPHI_INLINE ~loop()
	{
		const uint32_t n = left_before < left_loops::MAX ? left_before : left_before - 1;
		left->loops[n].code = code;
		left->loops[n].at = this;
		left->n = n + 1;
		innermost = outer;
	}
	loop(const loop &) = delete;
	loop &operator=(const loop &) = delete;
	/* Always false. */
	UNPHI_INLINE bool next()
	{
		count = (loop_count)(count + 1);
		left->n = left_before;
		return false;
	}
};

struct shape {
	dim3 grid;
	dim3 block;
	size_t lds_bytes = 0; /* dynamic */
	uint32_t wave_size = UNPHI_WAVE_SIZE;
	size_t stack_bytes = 256 * 1024; /* of a lane */
	/* Barriers do not wait for lanes that have returned. The device behaves so, but HIP's
	 * documentation does not allow it. */
	bool early_exit = false;
	bool descending = false;
};

/* Runs the launch. False on an error; error() and stderr then have the message. */
bool run(const shape &s, void (*body)(void *context), void *context);
const char *error();
/* Whether a shuffle from a lane beyond its width wraps; HIP's versions differ. */
extern bool shuffles_wrap;
const char *shuffle_beyond();  /* the place of the first such shuffle, or "" */
extern unsigned char lds_fill; /* initial value of each byte of LDS; set before the launch */

/* The runner compares up to WATCHED bytes whenever a lane stops, to find which lane changed them
 * last. */
constexpr size_t WATCHED = 16;

struct writer {
	bool known; /* false: no lane changed them */
	index3 block;
	index3 thread;
	uint32_t wave;
	uint32_t lane;
};

void watch(const void *at, size_t bytes); /* at most 16 bytes */
const writer &last_writer(size_t i);	  /* of the i-th call to watch */
/* Call these before and after an operation changes memory for a lane of the wave. */
void lane_acts(uint32_t lane);
void lane_acted(uint32_t lane);

template <class F> bool launch(const shape &s, const F &kernel)
{
	return run(s, [](void *context) { (*(const F *)context)(); }, (void *)&kernel);
}

template <class F>
bool launch(dim3 grid, dim3 block, size_t lds_bytes, uint32_t wave_size, const F &kernel)
{
	shape s;
	s.grid = grid;
	s.block = block;
	s.lds_bytes = lds_bytes;
	s.wave_size = wave_size;
	return launch(s, kernel);
}

} // namespace unphi

namespace unphi
{

/* The name of an element type in specs; other types are "u8", byte by byte. */
template <class T> constexpr const char *element_name = "u8";
#define UNPHI_ELEMENT(T, name) template <> inline constexpr const char *element_name<T> = name
template <class T> inline constexpr const char *element_name<T *> = "pointer";
UNPHI_ELEMENT(float, "f32");
UNPHI_ELEMENT(double, "f64");
UNPHI_ELEMENT(_Float16, "f16");
UNPHI_ELEMENT(short, "i16");
UNPHI_ELEMENT(unsigned short, "u16");
UNPHI_ELEMENT(int, "i32");
UNPHI_ELEMENT(unsigned, "u32");
UNPHI_ELEMENT(long, "i64");
UNPHI_ELEMENT(unsigned long, "u64");
UNPHI_ELEMENT(long long, "i64");
UNPHI_ELEMENT(unsigned long long, "u64");
#undef UNPHI_ELEMENT

template <class T> struct element_of {
	using type = T;
};
template <class T, size_t n> struct element_of<T[n]> : element_of<T> {
};

/* Registers a __device__ variable of the source; prepare.c puts one of these after each. */
struct device_variable {
	const char *name;
	const char *type;
	char *at;
	size_t bytes;
	device_variable *next;
	static inline device_variable *first = nullptr;
	static inline device_variable **end = &first;

	template <class T>
	device_variable(const char *name_, T &variable)
	    : name(name_), type(element_name<typename element_of<T>::type>),
	      at((char *)__builtin_addressof(variable)), bytes(sizeof variable), next(nullptr)
	{
		*end = this;
		end = &next;
	}
	/* For a variable whose address is not known. */
	explicit device_variable(const char *name_)
	    : name(name_), type("u8"), at(nullptr), bytes(0), next(nullptr)
	{
		*end = this;
		end = &next;
	}
};

} // namespace unphi

/* The indices of the running lane. */
extern unphi::index3 threadIdx;
extern unphi::index3 blockIdx;
extern unphi::index3 blockDim;
extern unphi::index3 gridDim;

extern "C" char unphi_dynamic_lds[UNPHI_LDS_SPACE];
/* Guards before and after the static variables in LDS, which catch accesses past their ends. */
extern "C" __attribute__((section("unphi_lds"))) char unphi_lds_before[UNPHI_LDS_GUARD];
extern "C" __attribute__((section("unphi_lds"))) char unphi_lds_after[UNPHI_LDS_GUARD];
