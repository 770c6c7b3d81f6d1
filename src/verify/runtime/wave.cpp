// The scheduler of the wave runner: fibers, meetings, barriers, errors. wave.h has the rules.
#include <unphi/fiber.h>
#include <unphi/race.h>
#include <unphi/wave.h>

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

unphi::index3 threadIdx;
unphi::index3 blockIdx;
unphi::index3 blockDim;
unphi::index3 gridDim;

alignas(256) char unphi_dynamic_lds[UNPHI_LDS_SPACE];

// The section of static __shared__ variables; the linker defines the bounds.
extern "C" __attribute__((weak)) char __start_unphi_lds[];
extern "C" __attribute__((weak)) char __stop_unphi_lds[];
char unphi_lds_after[UNPHI_LDS_GUARD] = {};

namespace unphi
{

unsigned char lds_fill = 0xff;
loop *loop::innermost;
static left_loops host_loops;
left_loops *loop::left = &host_loops;

namespace
{

constexpr uint32_t WAVE_SLICE = 64; // operations after which another wave runs

fiber fibers[MAX_THREADS];
wave waves[MAX_THREADS / 32];
fiber *self;
context host;
bool running;

// State of the launch.
const shape *now;
void (*kernel)(void *);
void *kernel_context;
uint32_t n_threads;
uint32_t n_waves;
uint32_t operations; // convergent ones of all waves
uint64_t ticks;
bool failed;
char message[2048];

// ---- watched bytes ----

struct watched {
	const void *at;
	size_t bytes;
	char last[16];
	writer by;
};

watched watches[WATCHED];
size_t n_watches;
wave *meeting_wave; // the wave whose lanes execute an operation

void look_at_watched(const fiber &f)
{
	for (size_t i = 0; i < n_watches; ++i) {
		watched &w = watches[i];
		if (memcmp(w.last, w.at, w.bytes) != 0) {
			memcpy(w.last, w.at, w.bytes);
			w.by = writer{true, blockIdx, f.thread, f.wave, f.lane};
		}
	}
}

uint32_t first_lane(uint64_t lanes)
{
	return now->descending ? 63 - __builtin_clzll(lanes) : __builtin_ctzll(lanes);
}

void switch_to(fiber *to)
{
	fiber *from = self;
	if (from == to) {
		return;
	}
	if (n_watches) {
		look_at_watched(*from);
	}
	from->loops = loop::innermost;
	loop::innermost = to->loops;
	loop::left = &to->left;
	threadIdx = to->thread;
	self = to;
	switch_context(from->stopped, to->stopped);
}

[[noreturn]] void leave()
{
	context nowhere;
	switch_context(nowhere, host);
	__builtin_unreachable();
}

void put(const char *format, ...) __attribute__((format(printf, 1, 2)));
void put(const char *format, ...)
{
	const size_t used = strlen(message);
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(message + used, sizeof message - used, format, arguments);
	va_end(arguments);
}

// As ranges: 0-15,32.
void put_lanes(uint64_t lanes)
{
	const char *between = "";
	for (uint32_t first = 0; first < 64; ++first) {
		if (!(lanes >> first & 1)) {
			continue;
		}
		uint32_t last = first;
		while (last < 63 && lanes >> (last + 1) & 1) {
			++last;
		}
		put(last > first ? "%s%u-%u" : "%s%u", between, first, last);
		between = ",";
		first = last;
	}
}

void put_block()
{
	put("block (%u,%u,%u)", blockIdx.x, blockIdx.y, blockIdx.z);
}

void begin_error(place at)
{
	message[0] = '\0';
	if (at.file) {
		put("%s:%d: ", at.file, at.line);
	}
	put("error: ");
}

[[noreturn]] void end_error()
{
	failed = true;
	leave();
}

// The positions of a wave's lanes that are not in `here`, one per line.
void put_elsewhere(const wave &w, uint64_t here)
{
	uint64_t rest = (w.waiting | w.at_barrier) & ~here;
	while (rest) {
		const uint32_t lane = __builtin_ctzll(rest);
		const meeting *m = w.met[lane];
		uint64_t same = 0;
		for (uint64_t l = rest; l; l &= l - 1) {
			const uint32_t other = __builtin_ctzll(l);
			if (w.met[other]->what == m->what && w.met[other]->at.line == m->at.line &&
				w.fibers[other].where == w.fibers[lane].where) {
				same |= 1ull << other;
			}
		}
		put("\n%s:%d: note: lanes ", m->at.file, m->at.line);
		put_lanes(same);
		put(" are at %s", m->what->name);
		rest &= ~same;
	}
	if (w.done) {
		put("\nnote: lanes ");
		put_lanes(w.done);
		put(" have left the kernel");
	}
}

void check_whole(const wave &w, uint64_t here, const meeting &m)
{
	const uint64_t all = now->wave_size == 64 ? ~0ull : 0xffffffffull;
	if (here == all) {
		return;
	}
	begin_error(m.at);
	put("%s is reached by %d of %u lanes of wave %d in ", m.what->name, count_lanes(here),
		now->wave_size, (int)(&w - waves));
	put_block();
	put(": ");
	put_lanes(here);
	if (w.lanes != all) {
		put("\nnote: the wave has %d lanes", count_lanes(w.lanes));
	}
	put_elsewhere(w, here);
	end_error();
}

// The waiting lanes at the position of the earliest one.
uint64_t earliest_group(const wave &w)
{
	uint64_t group = 0;
	path best;
	for (uint64_t rest = w.waiting; rest;) {
		const uint32_t lane = __builtin_ctzll(rest);
		uint64_t same = 0;
		for (uint64_t l = rest; l; l &= l - 1) {
			const uint32_t other = __builtin_ctzll(l);
			same |= (uint64_t)(w.fibers[other].where == w.fibers[lane].where) << other;
		}
		rest &= ~same;
		path p;
		const fiber &f = w.fibers[lane];
		find_path(p, f, &f == self ? loop::innermost : f.loops);
		if (!group || earlier(p, best)) {
			group = same;
			best = p;
		}
	}
	return group;
}

bool all_at_one_place(const wave &w, uint64_t lanes)
{
	const uint64_t where = w.fibers[__builtin_ctzll(lanes)].where;
	for (uint64_t l = lanes; l; l &= l - 1) {
		if (w.fibers[__builtin_ctzll(l)].where != where) {
			return false;
		}
	}
	return true;
}

// No lane of the wave can run, and some wait: one group executes its operation.
void meet_wave(wave &w)
{
	const uint64_t here = all_at_one_place(w, w.waiting) ? w.waiting : earliest_group(w);
	const meeting &m = *w.met[__builtin_ctzll(here)];
	if (m.what->who == meets::whole) {
		check_whole(w, here, m);
	}
	if (n_watches) {
		look_at_watched(*self);
	}
	meeting_wave = &w;
	race_met((uint32_t)(&w - waves));
	m.what->run(w.met, here);
	race_met((uint32_t)(&w - waves));
	w.waiting &= ~here;
	w.running |= here;
}

[[noreturn]] void fail_barrier(const meeting &m, const char *why)
{
	begin_error(m.at);
	put("%s %s in ", m.what->name, why);
	put_block();
	for (uint32_t i = 0; i < n_waves; ++i) {
		put("\nnote: wave %u:", i);
		put_elsewhere(waves[i], 0);
	}
	end_error();
}

// The lane's operand at a barrier.
barrier *at_barrier(const fiber &f)
{
	const wave &w = waves[f.wave];
	return w.at_barrier >> f.lane & 1 ? (barrier *)w.met[f.lane] : nullptr;
}

// All lanes of the block are at a barrier or have returned.
void meet_block()
{
	const fiber *first = nullptr;
	const meeting *m = nullptr;
	bool someone_left = false;
	for (uint32_t i = 0; i < n_waves; ++i) {
		const wave &w = waves[i];
		someone_left |= w.done != 0;
		if (!w.at_barrier) {
			continue;
		}
		const uint32_t lane = __builtin_ctzll(w.at_barrier);
		if (!m) {
			m = w.met[lane];
			first = &w.fibers[lane];
		}
		const bool together =
			all_at_one_place(w, w.at_barrier) &&
			(m->what->who == meets::any_block ? w.met[lane]->what->who == m->what->who
							  : w.fibers[lane].where == first->where);
		if (!together) {
			fail_barrier(*m, "is not reached by all lanes at one place");
		}
	}
	if (someone_left && !now->early_exit) {
		fail_barrier(*m, "is reached after lanes have left the kernel");
	}
	int sum = 0;
	for (uint32_t t = 0; t < n_threads; ++t) {
		const barrier *b = at_barrier(fibers[t]);
		sum += b ? b->value : 0;
	}
	for (uint32_t t = 0; t < n_threads; ++t) {
		barrier *b = at_barrier(fibers[t]);
		if (b) {
			b->sum = sum;
		}
	}
	race_barrier(m->at);
	for (uint32_t i = 0; i < n_waves; ++i) {
		waves[i].running |= waves[i].at_barrier;
		waves[i].at_barrier = 0;
	}
}

wave *next_wave(const wave *after)
{
	const uint32_t start = (uint32_t)(after - waves);
	for (uint32_t i = 1; i <= n_waves; ++i) {
		const uint32_t step = now->descending ? n_waves - i : i;
		wave *w = &waves[(start + step) % n_waves];
		if (w->running | w->waiting) {
			return w;
		}
	}
	return nullptr;
}

bool any_at_barrier()
{
	uint64_t lanes = 0;
	for (uint32_t i = 0; i < n_waves; ++i) {
		lanes |= waves[i].at_barrier;
	}
	return lanes != 0;
}

// The next lane to run: of this wave while possible, then of the others.
fiber *next_fiber(wave *w)
{
	for (;;) {
		if (w->running) {
			return &w->fibers[first_lane(w->running)];
		}
		if (w->waiting) {
			meet_wave(*w);
			/* this wave may wait for another one */
			wave *other = ++operations % WAVE_SLICE == 0 ? next_wave(w) : nullptr;
			w = other ? other : w;
			continue;
		}
		wave *other = next_wave(w);
		if (other) {
			w = other;
			continue;
		}
		if (!any_at_barrier()) {
			return nullptr;
		}
		meet_block();
		w = &waves[now->descending ? n_waves - 1 : 0];
		if (!w->running) {
			w = next_wave(w);
		}
	}
}

__attribute__((noinline)) void run_lane()
{
	self->outermost = (void **)__builtin_frame_address(0);
	kernel(kernel_context);
	race_lane_ends();
	wave &w = waves[self->wave];
	w.running &= ~(1ull << self->lane);
	w.done |= 1ull << self->lane;
	fiber *next = next_fiber(&w);
	if (!next) {
		leave();
	}
	switch_to(next);
	__builtin_unreachable();
}

// Memory that is poisoned before a block and checked after it.
size_t lds_reach()
{
	const size_t usual = 160 * 1024;
	const size_t past = now->lds_bytes + (UNPHI_LDS_SPACE - UNPHI_LDS_MAX);
	return past > usual ? past : usual;
}

void begin_block()
{
	race_block();
	for (uint32_t t = 0; t < n_threads; ++t) {
		fiber &f = fibers[t];
		prepare_context(f.stopped, stacks + t * stack_step + (stack_step - stack_size),
			stack_size, run_lane);
		f.thread.x = t % now->block.x;
		f.thread.y = t / now->block.x % now->block.y;
		f.thread.z = t / now->block.x / now->block.y;
		f.wave = t / now->wave_size;
		f.lane = t % now->wave_size;
		f.loops = nullptr;
		f.left.n = 0;
		f.stack_end = stacks + (t + 1) * stack_step;
	}
	for (uint32_t i = 0; i < n_waves; ++i) {
		wave &w = waves[i];
		const uint32_t left = n_threads - i * now->wave_size;
		const uint32_t n = left < now->wave_size ? left : now->wave_size;
		w.lanes = n == 64 ? ~0ull : (1ull << n) - 1;
		w.running = w.lanes;
		w.waiting = w.at_barrier = w.done = 0;
		w.fibers = &fibers[i * now->wave_size];
	}
	if (__start_unphi_lds) {
		memset(__start_unphi_lds, lds_fill, (size_t)(__stop_unphi_lds - __start_unphi_lds));
	}
	memset(unphi_dynamic_lds, lds_fill, lds_reach());
}

void check_lds()
{
	size_t at = now->lds_bytes;
	const char *rest = unphi_dynamic_lds + at;
	// the first byte is poison, and each byte equals the one before it
	if ((unsigned char)*rest == lds_fill && memcmp(rest, rest + 1, lds_reach() - at - 1) == 0) {
		return;
	}
	while ((unsigned char)unphi_dynamic_lds[at] == lds_fill) {
		++at;
	}
	message[0] = '\0';
	put("error: byte %zu of dynamic LDS was written, which has %zu bytes, in ", at,
		now->lds_bytes);
	put_block();
	failed = true;
}

void run_block()
{
	begin_block();
	running = true;
	fiber *first = next_fiber(&waves[now->descending ? n_waves - 1 : 0]);
	threadIdx = first->thread;
	self = first;
	loop::innermost = nullptr;
	loop::left = &first->left;
	switch_context(host, first->stopped);
	if (n_watches) {
		look_at_watched(*self);
	}
	running = false;
	loop::innermost = nullptr;
	loop::left = &host_loops;
	if (!failed) {
		check_lds();
	}
	const char *race = failed ? nullptr : race_end_block();
	if (race) {
		begin_error(place{nullptr, 0});
		put("%s in ", race);
		put_block();
		failed = true;
	}
}

// Reports the lane that faulted. The process ends, since its memory may be corrupt.
void on_fault(int number, siginfo_t *info, void *)
{
	if (running) {
		char text[256];
		const int n = snprintf(text, sizeof text,
			"error: %s at address %p in block (%u,%u,%u), thread (%u,%u,%u)%s\n",
			number == SIGFPE ? "division by zero" : "access outside of all buffers",
			info->si_addr, blockIdx.x, blockIdx.y, blockIdx.z, threadIdx.x, threadIdx.y,
			threadIdx.z,
			number == SIGSEGV && (char *)info->si_addr >= stacks &&
					(char *)info->si_addr < stacks + MAX_THREADS * stack_step
				? ": a lane's stack overflowed"
				: "");
		(void)!write(STDERR_FILENO, text, (size_t)n);
		_exit(3);
	}
	signal(number, SIG_DFL);
	raise(number);
}

void catch_faults()
{
	static char stack[32 * 1024];
	static bool caught;
	if (caught) {
		return;
	}
	caught = true;
	stack_t s = {};
	s.ss_sp = stack;
	s.ss_size = sizeof stack;
	sigaltstack(&s, nullptr);
	struct sigaction action = {};
	action.sa_sigaction = on_fault;
	action.sa_flags = SA_SIGINFO | SA_ONSTACK;
	const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE};
	for (const int number : numbers) {
		sigaction(number, &action, nullptr);
	}
}

bool refuse(const char *why)
{
	snprintf(message, sizeof message, "error: %s", why);
	fprintf(stderr, "%s\n", message);
	return false;
}

} // namespace

__attribute__((noinline)) void meet(meeting *m)
{
	if (!running) {
		not_on_host(m->what->name);
	}
	race_pause();
	fiber &f = *self;
	wave &w = waves[f.wave];
	const uint64_t bit = 1ull << f.lane;
	f.frame = (void **)__builtin_frame_address(0);
	f.where = hash_of(f, loop::innermost);
	w.met[f.lane] = m;
	w.running &= ~bit;
	if (m->what->who == meets::block || m->what->who == meets::any_block) {
		w.at_barrier |= bit;
	} else {
		w.waiting |= bit;
	}
	switch_to(next_fiber(&w));
}

void watch(const void *at, size_t bytes)
{
	if (n_watches < WATCHED) {
		watched &w = watches[n_watches++];
		w = watched{at, bytes < sizeof w.last ? bytes : sizeof w.last, {}, {}};
		memcpy(w.last, at, w.bytes);
	}
}

const writer &last_writer(size_t i)
{
	return watches[i].by;
}

bool lane_now(lane_name *out)
{
	if (running) {
		*out = lane_name{(uint32_t)(self - fibers), self->wave, self->lane};
	}
	return running;
}

void lane_acts(uint32_t lane)
{
	static lane_name acting;
	const fiber &f = meeting_wave->fibers[lane];
	acting = lane_name{(uint32_t)(&f - fibers), f.wave, f.lane};
	race_atomic(&acting);
}

void lane_acted(uint32_t lane)
{
	race_atomic(nullptr);
	if (n_watches) {
		look_at_watched(meeting_wave->fibers[lane]);
	}
}

void yield()
{
	wave &w = waves[self->wave];
	wave *other = next_wave(&w);
	if (other && other != &w) {
		switch_to(next_fiber(other));
	}
}

void fail(place at, const char *format, ...)
{
	char text[512];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	begin_error(at);
	put("%s in ", text);
	put_block();
	put(" wave %u", self->wave);
	end_error();
}

void not_on_host(const char *what)
{
	fprintf(stderr, "error: %s is called outside of a launch\n", what);
	abort();
}

void no_model(const char *name)
{
	fail(place{nullptr, 0}, "unphi's CPU run has no model of %s, which the kernel calls,", name);
}

uint32_t lane_id()
{
	return self->lane;
}

uint32_t wave_size()
{
	return now ? now->wave_size : UNPHI_WAVE_SIZE;
}

uint64_t tick()
{
	return ticks += 64;
}

const char *error()
{
	return message;
}

bool run(const shape &s, void (*body)(void *), void *context)
{
	const uint64_t threads = (uint64_t)s.block.x * s.block.y * s.block.z;
	message[0] = '\0';
	if (threads == 0 || threads > MAX_THREADS) {
		return refuse("a block has 1 to 1024 threads");
	}
	if (s.wave_size != 32 && s.wave_size != 64) {
		return refuse("a wave has 32 or 64 lanes");
	}
	if (s.lds_bytes > UNPHI_LDS_MAX) {
		return refuse("the launch has more dynamic LDS than any device");
	}
	if (running) {
		return refuse("a kernel launches a kernel");
	}
	if (!map_stacks(s.stack_bytes, (uint32_t)threads)) {
		return refuse("no memory for the stacks of the lanes");
	}
	catch_faults();
	now = &s;
	kernel = body;
	kernel_context = context;
	n_threads = (uint32_t)threads;
	n_waves = (n_threads + s.wave_size - 1) / s.wave_size;
	failed = false;
	operations = 0;
	ticks = 0;
	race_launch();
	blockDim = index3{s.block.x, s.block.y, s.block.z};
	gridDim = index3{s.grid.x, s.grid.y, s.grid.z};
	const uint64_t blocks = (uint64_t)s.grid.x * s.grid.y * s.grid.z;
	for (uint64_t i = 0; i < blocks && !failed; ++i) {
		const uint64_t b = s.descending ? blocks - 1 - i : i;
		blockIdx.x = (uint32_t)(b % s.grid.x);
		blockIdx.y = (uint32_t)(b / s.grid.x % s.grid.y);
		blockIdx.z = (uint32_t)(b / s.grid.x / s.grid.y);
		run_block();
	}
	now = nullptr;
	if (failed) {
		fprintf(stderr, "%s\n", message);
	}
	return !failed;
}

} // namespace unphi
