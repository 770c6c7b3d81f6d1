// What no tree shows may call a function of the unit: the inherited constructor does, with one
// variable twice. Without that (unseen.hides), 'v' and 'w' are two, and the addition to 'acc' moves
// behind 'w'.
#define D __attribute__((device))
D inline void two(float (&acc)[64], const float *b, int &v, int &w, int q)
{
	if (q & 1) {
		for (int i = 0; i < 64; ++i) {
			acc[i] += b[i + (v & 7)];
		}
		w += 3;
	} else {
		for (int i = 0; i < 64; ++i) {
			acc[i] += b[i + (v & 7)];
		}
		w ^= 5;
	}
}
struct base { D base(float (&acc)[64], const float *b, int &v, int q) { two(acc, b, v, v, q); } };
struct derived : base { using base::base; };
__attribute__((global)) void k(float *out, const float *b, int c, int n)
{
	float acc[64] = {};
	int u = 1, x = 2;
	for (int q = 0; q < n; q++) {
		two(acc, b, u, x, n);
		derived w(acc, b, c, n);
	}
	for (int i = 0; i < 64; ++i) out[i] = acc[i] + u + x + c;
}
