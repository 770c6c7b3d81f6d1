// Runs the 16 kernels of factorial.hip with the condition true, false, and changing half-way, and
// compares with the products in double.
#include KERNEL

#include "../test.h"

// Sums of at most 96 products below 1, and squares rounded to f16: 16 of them, by up to 2^-12 each.
static const double tolerance = 4e-3;

struct data {
	int n;
	int steps;
	buffer<_Float16> rows, left, right;
	std::vector<double> exact_rows, exact_left, exact_right;
	buffer<float> start;
};

static data make_data(int n, int steps)
{
	random_numbers random(3);
	data d;
	d.n = n;
	d.steps = steps;
	for (int i = 0; i < steps * THREADS * 4; ++i) {
		d.rows.push_back((_Float16)random.unit());
	}
	for (int i = 0; i < n * 64 * 4; ++i) {
		d.left.push_back((_Float16)random.unit());
		d.right.push_back((_Float16)random.unit());
	}
	for (int i = 0; i < steps * n * THREADS * 4; ++i) {
		d.start.push_back(random.unit());
	}
	d.exact_rows.assign(d.rows.begin(), d.rows.end());
	d.exact_left.assign(d.left.begin(), d.left.end());
	d.exact_right.assign(d.right.begin(), d.right.end());
	return d;
}

// Element e of operand `lane`: the layout of a 16x16x16 product.
static double row_element(const data &d, int step, int wave, int i, int k)
{
	return d.exact_rows[((size_t)(step * THREADS + wave * 64 + i + k / 4 * 16)) * 4 + k % 4];
}

static double panel_element(const std::vector<double> &panel, int block, int k, int j)
{
	return panel[((size_t)(block * 64 + j + k / 4 * 16)) * 4 + k % 4];
}

// acc[block][wave][i][j] as the kernels keep it: [block][thread][element].
static size_t result_at(int block, int wave, int i, int j)
{
	return ((size_t)block * THREADS + wave * 64 + j + i / 4 * 16) * 4 + i % 4;
}

static void reference_step(const data &d, std::vector<double> &acc,
	const std::vector<double> &panel, int step, bool zeroed, bool decays)
{
	for (int b = 0; b < d.n; ++b) {
		for (int w = 0; w < THREADS / 64; ++w) {
			for (int i = 0; i < 16; ++i) {
				for (int j = 0; j < 16; ++j) {
					double &c = acc[result_at(b, w, i, j)];
					double sum = zeroed ? 0 : c;
					sum *= decays ? 0.5 : 1;
					for (int k = 0; k < 16; ++k) {
						const double a = row_element(d, step, w, i, k);
						const double y = panel_element(panel, b, k, j);
						sum += (decays ? a - a * a : a) * y;
					}
					c = sum;
				}
			}
		}
	}
}

struct arms {
	bool same;
	bool zeroed;
	bool loop;
};

static std::vector<double> reference(const data &d, arms a, int split)
{
	const size_t part = (size_t)d.n * THREADS * 4;
	std::vector<double> all;
	std::vector<double> acc(d.start.begin(), d.start.begin() + (long)part);
	for (int step = 0; step < d.steps; ++step) {
		const bool first = step < split;
		if (!a.loop) {
			acc.assign(d.start.begin() + (long)(step * part),
				d.start.begin() + (long)((step + 1) * part));
		}
		reference_step(d, acc, a.same && !first ? d.exact_right : d.exact_left, step,
			a.zeroed, !a.same && !first);
		if (!a.loop || a.zeroed) {
			all.insert(all.end(), acc.begin(), acc.end());
		}
	}
	return a.loop && !a.zeroed ? acc : all;
}

template <class F> static void check(const char *name, const data &d, arms a, int split, F run)
{
	buffer<float> out((size_t)d.steps * d.n * THREADS * 4, NAN);
	const bool ran = unphi::launch(dim3(a.loop ? 1 : d.steps), dim3(THREADS), 0, 64,
		[&] { run((f32x4 *)out.data()); });
	const std::vector<double> expected = reference(d, a, split);
	double worst = 0;
	for (size_t i = 0; i < expected.size(); ++i) {
		const double off = fabs(out[i] - expected[i]);
		worst = off <= worst ? worst : off;
	}
	char full[100];
	snprintf(full, sizeof full, "%s/%d/split%d", name, d.n, split);
	result(full, ran && worst <= tolerance, "off by %g, more than %g", worst, tolerance);
}

#define CHECK_WIDTH(width)                                                                         \
	static void check_##width(const data &d, int split)                                        \
	{                                                                                          \
		using namespace width;                                                             \
		const f16x4 *rows = (const f16x4 *)d.rows.data();                                  \
		const f16x4 *left = (const f16x4 *)d.left.data();                                  \
		const f16x4 *right = (const f16x4 *)d.right.data();                                \
		const f32x4 *start = (const f32x4 *)d.start.data();                                \
		const int steps = d.steps;                                                         \
		check("same_chained_once", d, arms{true, false, false}, split, [=](f32x4 *out) {   \
			same_chained_once(rows, left, right, start, out, split);                   \
		});                                                                                \
		check("same_zeroed_once", d, arms{true, true, false}, split,                       \
			[=](f32x4 *out) { same_zeroed_once(rows, left, right, out, split); });     \
		check("different_chained_once", d, arms{false, false, false}, split,               \
			[=](f32x4 *out) {                                                          \
				different_chained_once(rows, left, start, out, split);             \
			});                                                                        \
		check("different_zeroed_once", d, arms{false, true, false}, split,                 \
			[=](f32x4 *out) { different_zeroed_once(rows, left, out, split); });       \
		check("same_chained_loop", d, arms{true, false, true}, split, [=](f32x4 *out) {    \
			same_chained_loop(rows, left, right, start, out, split, steps);            \
		});                                                                                \
		check("same_zeroed_loop", d, arms{true, true, true}, split, [=](f32x4 *out) {      \
			same_zeroed_loop(rows, left, right, out, split, steps);                    \
		});                                                                                \
		check("different_chained_loop", d, arms{false, false, true}, split,                \
			[=](f32x4 *out) {                                                          \
				different_chained_loop(rows, left, start, out, split, steps);      \
			});                                                                        \
		check("different_zeroed_loop", d, arms{false, true, true}, split,                  \
			[=](f32x4 *out) {                                                          \
				different_zeroed_loop(rows, left, out, split, steps);              \
			});                                                                        \
	}
CHECK_WIDTH(narrow)
CHECK_WIDTH(wide)

int main()
{
	const data small = make_data(narrow::N, 3);
	const data large = make_data(wide::N, 3);
	const double start = seconds();
	for (int split : {0, 1, 3}) {
		check_narrow(small, split);
		check_wide(large, split);
	}
	printf("# factorial: %.2f s with the reference\n", seconds() - start);
	return failures != 0;
}
