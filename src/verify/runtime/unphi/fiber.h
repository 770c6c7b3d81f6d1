// Fibers, one per lane: switching between them, and which of two is earlier in the kernel. Only for
// wave.cpp.
#pragma once
#include <unphi/wave.h>

#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// UNPHI_UCONTEXT: tests the code for other hosts.
#if !defined(__x86_64__) || defined(UNPHI_UCONTEXT)
#include <ucontext.h>
#define UNPHI_OWN_SWITCH 0
#else
#define UNPHI_OWN_SWITCH 1
#endif

namespace unphi
{
namespace
{

// A stack that is not running. Switching saves what the ABI says a call preserves.
#if UNPHI_OWN_SWITCH
struct context {
	void *sp;
};

extern "C" void unphi_switch(void **from, void *to);
asm(R"(
	.text
	.type unphi_switch, @function
unphi_switch:
	.cfi_startproc
	pushq %rbp
	pushq %rbx
	pushq %r12
	pushq %r13
	pushq %r14
	pushq %r15
	movq %rsp, (%rdi)
	movq %rsi, %rsp
	popq %r15
	popq %r14
	popq %r13
	popq %r12
	popq %rbx
	popq %rbp
	ret
	.cfi_endproc
	.size unphi_switch, . - unphi_switch
)");

void prepare_context(context &c, char *stack, size_t size, void (*entry)())
{
	void **sp = (void **)(stack + size);
	*--sp = nullptr; // where entry would return to
	*--sp = (void *)entry;
	for (int i = 0; i < 6; ++i) {
		*--sp = nullptr;
	}
	c.sp = sp;
}

void switch_context(context &from, context &to)
{
	unphi_switch(&from.sp, to.sp);
}
#else
struct context {
	ucontext_t u;
};

void prepare_context(context &c, char *stack, size_t size, void (*entry)())
{
	getcontext(&c.u);
	c.u.uc_stack.ss_sp = stack;
	c.u.uc_stack.ss_size = size;
	c.u.uc_link = nullptr;
	makecontext(&c.u, entry, 0);
}

void switch_context(context &from, context &to)
{
	swapcontext(&from.u, &to.u);
}
#endif

struct fiber {
	context stopped;
	index3 thread;
	uint32_t wave;
	uint32_t lane;
	loop *loops;
	left_loops left;
	char *stack_end;
	void **frame;	  // of meet()
	void **outermost; // frame, of the fiber's first function
	uint64_t where;	  // hash of the calls and iterations around it
};

// Lanes as bits; a lane is in one of the first four.
struct wave {
	uint64_t running;
	uint64_t waiting; // at an operation of the wave
	uint64_t at_barrier;
	uint64_t done;
	uint64_t lanes;
	fiber *fibers;
	meeting *met[64];
};

constexpr uint32_t MAX_THREADS = 1024;

// ---- stacks ----

char *stacks;
size_t stack_step;    // size of a stack and of the unmapped page before it
uint32_t open_stacks; // stacks in use; a launch with fewer lanes opens no more
size_t stack_size;

// False: out of memory. size: of one stack, in bytes.
bool map_stacks(size_t size, uint32_t lanes)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size = (size + page - 1) / page * page;
	if (stacks && size != stack_size) {
		munmap(stacks, MAX_THREADS * stack_step);
		stacks = nullptr;
	}
	if (!stacks) {
		stack_size = size;
		stack_step = size + page;
		open_stacks = 0;
		stacks = (char *)mmap(nullptr, MAX_THREADS * stack_step, PROT_NONE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	}
	if (stacks == MAP_FAILED) {
		stacks = nullptr;
		return false;
	}
	for (; open_stacks < lanes; ++open_stacks) {
		char *stack = stacks + open_stacks * stack_step + page;
		if (mprotect(stack, size, PROT_READ | PROT_WRITE) != 0) {
			return false;
		}
	}
	return true;
}

// ---- which lane is earlier ----

// The path from the kernel to a lane's position, outermost first: call returns and loop iterations.
// Both have addresses on the stack, which grows down, so they are ordered.
struct step {
	uintptr_t at;
	bool is_loop;
	uintptr_t code;
	uint32_t count;
};

struct path {
	const fiber *of;
	step steps[128];
	int n = 0;

	void add(uintptr_t at, bool is_loop, uintptr_t code, uint32_t count)
	{
		if (n < 128) {
			steps[n++] = step{at, is_loop, code, count};
		}
	}
};

// Calls visit for each call, from the position outwards. Frames that do not nest end the walk.
template <class F> void walk_frames(const fiber &f, F visit)
{
	for (void **frame = f.frame; frame < f.outermost;) {
		visit(frame);
		void **next = (void **)frame[0];
		if (next <= frame) {
			break;
		}
		frame = next;
	}
}

uint64_t mix(uint64_t hash, uint64_t with)
{
	return (hash ^ with) * 0x9e3779b97f4a7c15u + (hash >> 29);
}

// The path of the fiber's position; inner: the loop around it.
uint64_t hash_of(const fiber &f, const loop *inner)
{
	uint64_t hash = 0;
	walk_frames(f, [&](void **frame) { hash = mix(hash, (uintptr_t)frame[1]); });
	for (const loop *l = inner; l; l = l->outer) {
		hash = mix(mix(hash, l->code), l->count);
	}
	return hash;
}

void find_path(path &p, const fiber &f, const loop *inner)
{
	const loop *l = inner;
	p.of = &f;
	p.n = 0;
	walk_frames(f, [&](void **frame) {
		for (; l && (void *)l < (void *)frame; l = l->outer) {
			p.add((uintptr_t)l, true, l->code, l->count);
		}
		p.add((uintptr_t)frame, false, (uintptr_t)frame[1], 0);
	});
	for (; l; l = l->outer) {
		p.add((uintptr_t)l, true, l->code, l->count);
	}
	for (int i = 0, j = p.n - 1; i < j; ++i, --j) {
		const step s = p.steps[i];
		p.steps[i] = p.steps[j];
		p.steps[j] = s;
	}
}

// The first call at or after step i.
uintptr_t code_at(const path &p, int i)
{
	while (i < p.n && p.steps[i].is_loop) {
		++i;
	}
	return i < p.n ? p.steps[i].code : 0;
}

// Has the lane left the loop that another lane is in?
bool has_left(const fiber &f, const step &s, const fiber &other)
{
	for (uint32_t i = 0; i < f.left.n; ++i) {
		if (f.left.loops[i].code == s.code && f.stack_end - (char *)f.left.loops[i].at ==
							      other.stack_end - (char *)s.at) {
			return true;
		}
	}
	return false;
}

bool earlier(const path &a, const path &b)
{
	for (int i = 0; i < a.n && i < b.n; ++i) {
		const step &x = a.steps[i];
		const step &y = b.steps[i];
		if (x.is_loop == y.is_loop && x.code == y.code) {
			if (x.count != y.count) {
				return x.count < y.count;
			}
		} else if (x.is_loop && has_left(*b.of, x, *a.of)) {
			return true;
		} else if (y.is_loop && has_left(*a.of, y, *b.of)) {
			return false;
		} else {
			return code_at(a, i) < code_at(b, i);
		}
	}
	return a.n < b.n;
}

int count_lanes(uint64_t lanes)
{
	return __builtin_popcountll(lanes);
}

} // namespace
} // namespace unphi
