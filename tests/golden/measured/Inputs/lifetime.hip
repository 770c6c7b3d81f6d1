typedef float f32x4 __attribute__((ext_vector_type(4)));
typedef _Float16 f16x4 __attribute__((ext_vector_type(4)));
#ifndef HEAD_TILES
#define HEAD_TILES 32 // of the output, in one wave
#endif
#ifndef QUERY_STEPS
#define QUERY_STEPS 16 /* of a key */
#endif
static_assert(HEAD_TILES != 48, "what lint tries need not parse");
#if QUERY_STEPS == 8 && __clang_major__ < 19
#error "what parses need not compile"
#endif
#ifndef UNUSED
#define UNUSED 4
#endif
__attribute__((device)) inline int lane() { return __builtin_amdgcn_workitem_id_x(); }
__attribute__((device)) inline f32x4 mma(f16x4 a, f16x4 b, f32x4 c)
{
	return __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
}
__attribute__((global, amdgpu_flat_work_group_size(1, 256))) void attend(
	const f16x4 *__restrict__ queries, const f16x4 *__restrict__ keys, f32x4 *__restrict__ out, int n)
{
	f32x4 acc[HEAD_TILES];
	f16x4 q[QUERY_STEPS];
	float top = -1e30f, sum = 0;
	for (int i = 0; i < HEAD_TILES; ++i) acc[i] = f32x4{0, 0, 0, 0};
	for (int i = 0; i < QUERY_STEPS; ++i) q[i] = queries[i * 64 + lane()];
	for (int t = 0; t < n; ++t) {
		f32x4 s = {0, 0, 0, 0};
		for (int i = 0; i < QUERY_STEPS; ++i) s = mma(keys[(t * QUERY_STEPS + i) * 64 + lane()], q[i], s);
		const float now = __builtin_fmaxf(top, s.x);
		const float shrink = __builtin_exp2f(top - now);
		sum = sum * shrink + __builtin_exp2f(s.x - now);
		top = now;
		const f16x4 p = {(_Float16)s.x, (_Float16)s.y, (_Float16)s.z, (_Float16)s.w};
		for (int i = 0; i < HEAD_TILES; ++i) acc[i] = mma(keys[i * 64 + lane()], p, acc[i] * shrink);
	}
	for (int i = 0; i < HEAD_TILES; ++i) out[i * 64 + lane()] = acc[i] * (1 / sum);
}
