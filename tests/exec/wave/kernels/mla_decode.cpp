// Runs the four kernels of mla_decode.hip on pages full, part full and last in each combination, and
// compares with softmax(K q) V in double.
#include KERNEL
#include <unphi/number.h>

#include "../test.h"

#if defined(__gfx942__)
typedef uint8_t element;
static double value(element x)
{
	return unphi::f8_to_float(x, unphi::f8::e4m3, true);
}
static element number(float x)
{
	return unphi::float_to_f8(x, unphi::f8::e4m3, true);
}
static const element not_a_number = 0x80;
// Weights are rounded to 4 bits of mantissa.
static const double tolerance = 0.05;
#else
typedef _Float16 element;
static double value(element x)
{
	return (double)x;
}
static element number(float x)
{
	return (element)x;
}
static const element not_a_number = (element)NAN;
static const double tolerance = 1e-3;
#endif

struct problem {
	buffer<element> queries, k_cache, v_cache;
	buffer<page> pages;
	buffer<work_item> works;
	float scale;
};

// Where token t of a dimension stands in a page of V.
static size_t v_at(int dimension, int t)
{
	return (size_t)dimension * TILE + t % 16 / 4 * OPERAND_LEN + t / 16 * 4 + t % 4;
}

static problem make_problem()
{
	// Tokens of the pages of each work item.
	static const std::vector<std::vector<int>> lists = {
		{TILE},
		{5},
		{TILE, TILE, 7},
		{3, TILE, TILE},
		{TILE, 9, TILE, 1},
		{2, 4, TILE - 1},
	};
	const int n_queries = 3;
	problem p;
	random_numbers random(1);
	p.scale = 0.3f / sqrtf(K_DIM) * 1.4426950408889634f * 8;
	for (int i = 0; i < n_queries * HEADS * K_DIM; ++i) {
		p.queries.push_back(number(random.unit()));
	}
	for (const auto &list : lists) {
		p.works.push_back(work_item{
			(int)p.works.size() % n_queries, (int)p.pages.size(), (int)list.size()});
		for (int tokens : list) {
			p.pages.push_back(page{0, tokens});
		}
	}
	const int n = (int)p.pages.size();
	p.k_cache.resize((size_t)n * TILE * K_DIM, not_a_number);
	p.v_cache.resize((size_t)n * V_DIM * TILE, not_a_number);
	for (int i = 0; i < n; ++i) {
		page &g = p.pages[i];
		g.index = (i * 7 + 3) % n; // all different: n is 15
		for (int t = 0; t < g.tokens; ++t) {
			for (int d = 0; d < K_DIM; ++d) {
				p.k_cache[((size_t)g.index * TILE + t) * K_DIM + d] =
					number(random.unit());
			}
			for (int d = 0; d < V_DIM; ++d) {
				p.v_cache[(size_t)g.index * V_DIM * TILE + v_at(d, t)] =
					number(random.unit());
			}
		}
	}
	return p;
}

// One head of one work item.
static double reference(const problem &p, const work_item &w, int head, std::vector<double> &out)
{
	const element *q = &p.queries[((size_t)w.query * HEADS + head) * K_DIM];
	double sum = 0;
	out.assign(V_DIM, 0);
	for (int i = 0; i < w.pages; ++i) {
		const page &g = p.pages[w.first_page + i];
		for (int t = 0; t < g.tokens; ++t) {
			const element *k = &p.k_cache[((size_t)g.index * TILE + t) * K_DIM];
			double s = 0;
			for (int d = 0; d < K_DIM; ++d) {
				s += value(k[d]) * value(q[d]);
			}
			const double weight = exp2(s * p.scale);
			sum += weight;
			for (int d = 0; d < V_DIM; ++d) {
				out[d] += weight * value(p.v_cache[(size_t)g.index * V_DIM * TILE +
								   v_at(d, t)]);
			}
		}
	}
	for (double &x : out) {
		x /= sum;
	}
	return log2(sum);
}

typedef void kernel(const operand *, const operand *, const operand *, const page *,
	const work_item *, int, float, f32x4 *, float *);

static void check(const char *name, kernel *run, const problem &p)
{
	const int n = (int)p.works.size();
	buffer<float> out((size_t)n * HEADS * V_DIM, NAN), lse((size_t)n * HEADS, NAN);
	const double start = seconds();
	const bool ran = unphi::launch(dim3(4), dim3(THREADS), 0, 64, [&] {
		run((const operand *)p.queries.data(), (const operand *)p.k_cache.data(),
			(const operand *)p.v_cache.data(), p.pages.data(), p.works.data(), n,
			p.scale, (f32x4 *)out.data(), lse.data());
	});
	printf("# %s: %.2f s\n", name, seconds() - start);
	double worst = 0;
	for (int w = 0; w < n; ++w) {
		for (int head = 0; head < HEADS; head += 5) {
			std::vector<double> expected;
			const size_t row = (size_t)w * HEADS + head;
			double off = fabs(lse[row] - reference(p, p.works[w], head, expected));
			worst = off <= worst ? worst : off;
			for (int d = 0; d < V_DIM; ++d) {
				off = fabs(out[row * V_DIM + d] - expected[d]);
				worst = off <= worst ? worst : off;
			}
		}
	}
	result(name, ran && worst <= tolerance, "off by %g, more than %g", worst, tolerance);
}

int main()
{
	const problem p = make_problem();
	check("mla_decode_2", mla_decode_2, p);
	check("mla_decode_4", mla_decode_4, p);
	check("mla_decode_6", mla_decode_6, p);
	check("mla_decode_12", mla_decode_12, p);
	return failures != 0;
}
