#include "base/kept/sum.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

enum {
	LANES = 4,
	STEP = LANES * 8 /* bytes */
};

struct state {
	uint64_t lane[LANES];
	uint64_t bytes;
};

static const struct state start = {
	{UINT64_C(0x9e3779b97f4a7c15), UINT64_C(0xbf58476d1ce4e5b9), UINT64_C(0x94d049bb133111eb),
		UINT64_C(0xd6e8feb86659fd93)},
	0};

static uint64_t rotate(uint64_t x, unsigned by)
{
	return x << by | x >> (64 - by);
}

/* A bijection in each argument. The lanes are independent, so they run in parallel. */
static uint64_t take(uint64_t lane, uint64_t word)
{
	return rotate(lane ^ word, 29) * UINT64_C(0x9fb21c651e98df25);
}

static void add_step(struct state *s, const char *p)
{
	for (size_t i = 0; i < LANES; i++) {
		uint64_t word;
		memcpy(&word, p + i * 8, 8);
		s->lane[i] = take(s->lane[i], word);
	}
}

static void add(struct state *s, const char *p, size_t n)
{
	char last[STEP] = {0};

	s->bytes += n;
	for (; n >= STEP; n -= STEP, p += STEP) {
		add_step(s, p);
	}
	if (n > 0) {
		memcpy(last, p, n);
		add_step(s, last);
	}
}

static uint64_t finish(const struct state *s, uint64_t h)
{
	for (size_t i = 0; i < LANES; i++) {
		h = take(h, s->lane[i]);
	}
	h = take(h, s->bytes);
	h = (h ^ h >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return h ^ h >> 32;
}

static struct sum end(const struct state *s)
{
	return (struct sum){{finish(s, 1), finish(s, 2)}};
}

struct sum sum_of(struct str text)
{
	struct state s = start;

	add(&s, text.p, text.n);
	return end(&s);
}

/* Maps the file: read() would copy each page, which takes as long as the sum. */
bool sum_of_file(struct sum *out, int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0) {
		return false;
	}
	size_t n = (size_t)st.st_size;
	if (n == 0) { /* an empty file cannot be mapped */
		*out = sum_of(STR(""));
		return true;
	}
	char *p = mmap(NULL, n, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
	if (p == MAP_FAILED) {
		return false;
	}
	*out = sum_of((struct str){p, n});
	munmap(p, n);
	return true;
}
