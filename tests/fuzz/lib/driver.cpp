#ifndef __HIP__
struct entry {
	int id;
	bool aliased;
	void (*kernel)(ARGS);
};
static float in_f[64];
static unsigned in_u[64];
static f4 in_v[16];
static unsigned rnd_state;
static unsigned rnd()
{
	rnd_state = rnd_state * 1664525u + 1013904223u;
	return rnd_state >> 8;
}
// from -2 to 2, of all 24 bits: no sum or product is exact, so their order and FMAs can be seen
static float any_float() { return (float)((int)rnd() - 0x800000) / 4194304.0f; }
static void fill(unsigned seed)
{
	rnd_state = seed * 2654435761u + 12345u;
	for (int i = 0; i < 64; i++) {
		in_f[i] = any_float();
		in_u[i] = rnd();
		out.f[i] = any_float();
		out.u[i] = rnd();
	}
	for (int i = 0; i < 16; i++) {
		in_v[i] = f4{in_f[i], in_f[i + 3], in_f[i + 9], in_f[i + 17]};
	}
}
static void run(const entry *e, unsigned input)
{
	fill(input);
	rnd_state = input * 977u + 5u;
	int n = (int)(rnd() & 7u), s = (int)(rnd() & 7u), t = (int)(rnd() & 7u);
	threadIdx.x = rnd() & 63u;
	blockIdx.x = rnd() & 3u;
	events = 0xcbf29ce484222325ull;
	bool aliased = e->aliased && input % 3 == 2;
	e->kernel(out.f, out.u, aliased ? out.f : in_f, aliased ? out.u : in_u, in_v, n, s, t);
	note_out();
	printf("%d %u %016llx\n", e->id, input, events);
}
int main(int argc, char **argv)
{
	unsigned inputs = argc > 1 ? (unsigned)atoi(argv[1]) : 12;
	for (const entry &e : entries) {
		for (unsigned i = 0; i < inputs; i++) {
			run(&e, i);
		}
		fflush(stdout);
	}
}
#endif
