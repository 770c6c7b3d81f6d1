// A merge that hoist gains by, without a race.
__attribute__((global)) void k(float *out, const float *p, int n, int c)
{
	float acc[48] = {};
	for (int t = 0; t < n; ++t) {
		if (t < c) {
			for (int i = 0; i < 48; ++i) acc[i] += p[i + t] * p[1];
		} else {
			for (int i = 0; i < 48; ++i) acc[i] += p[i + c] * p[1];
		}
	}
	for (int i = 0; i < 48; ++i) out[48 * __builtin_amdgcn_workitem_id_x() + i] = acc[i];
}
