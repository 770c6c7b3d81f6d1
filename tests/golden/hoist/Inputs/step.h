// What the arms of header.hip call.
struct tile {
	float v[64];
};

template <bool First> __device__ void step(tile &t, float *p)
{
	const float scale = First ? 1 : p[1];
	for (int i = 0; i < 64; i++) {
		t.v[i] = t.v[i] / scale - p[i + 2];
	}
}
