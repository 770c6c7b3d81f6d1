#pragma once
/*
 * The gate: the verdicts of measure --check and --against, as text, as JUnit's XML for CI systems,
 * as HTML, and as a Markdown comment for a pull request.
 */
#include "base/array.h"
#include "report/figures/measured.h"

enum gate_kind {
	GATE_BUDGET,  /* over the budget */
	GATE_WORSE,   /* worse than before in a figure that fails the check */
	GATE_CHANGED, /* changed in another figure */
	GATE_CAUSE,   /* the reason why it is worse, if the source shows one */
	GATE_NEW,
	GATE_GONE,
	GATE_RENAMED,
};

struct gate_line {
	enum gate_kind kind;
	const char *
		file; /* the measured file; of a kernel that is gone: that of its earlier figures */
	const char *kernel;
	const char *target;
	enum metric metric; /* of the first three */
	int64_t before;
	int64_t after;
	unsigned at;	   /* the kernel's line in file; 0: not known */
	const char *place; /* of a budget */
	unsigned line;
	struct str limit;
	const char *was; /* of a renamed kernel, its old name; of a cause, its text */
	/* Set if there are several compilers, or the earlier figures are by another compiler; else
	 * both NULL. */
	const struct compiler *before_by;
	const struct compiler *by;
};

struct gate {
	ARRAY(struct gate_line) v;
};

/* The two sides of the comparison: the earlier figures, and all measured now. */
struct gate_sides {
	const struct measured *saved;
	size_t saved_n;
	const struct measured *found;
	size_t found_n;
};

/* How similar the compilers are: 0 different, 1 same version, 2 same path, 3 both. */
unsigned gate_alike(const struct measured *a, const struct measured *b);
/* The earlier measurement to compare with, which has the kernel (any kernel if symbol is NULL).
 * Prefers the same file, then the same compiler. NULL: there is none, or only one by another
 * compiler that was measured again now. */
const struct measured *gate_before(
	const struct gate_sides *g, const struct measured *now, const char *symbol);
bool gate_is_bad(const struct gate_line *l);
/* "k<4> for gfx90a: vgpr_spills 0 -> 12" */
void gate_sentence(struct sbuf *out, const struct gate_line *l);
void gate_text(struct sbuf *out, const struct gate *g);
/* A test case for each kernel and target, and for each compile that failed. */
void gate_junit(struct sbuf *out, const struct measured *v, size_t n, const struct gate *g);
/* The measured figures beside the earlier ones (saved_n may be 0). */
void gate_html(struct sbuf *out, const struct gate_sides *sides, const struct gate *g);
void gate_markdown(struct sbuf *out, const struct measured *v, size_t n, const struct gate *g);
