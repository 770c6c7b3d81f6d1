#include "base/kept/sum.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum {
	LANES = 4,
	STEP = LANES * 8, /* bytes */
	CHUNK = 32 * 1024
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

/* One to one in each of the two. The lanes do not wait for each other. */
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

/* All parts but the last have a multiple of STEP bytes. */
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

bool sum_of_file(struct sum *out, int fd)
{
	char buf[CHUNK];
	struct state s = start;
	off_t at = 0;
	size_t have = 0;
	ssize_t n;

	do {
		n = pread(fd, buf + have, sizeof(buf) - have, at);
		have += n > 0 ? (size_t)n : 0;
		at += n > 0 ? n : 0;
		if (have == sizeof(buf) || n == 0) {
			add(&s, buf, have);
			have = 0;
		}
	} while (n > 0 || (n < 0 && errno == EINTR));
	*out = end(&s);
	return n == 0;
}
