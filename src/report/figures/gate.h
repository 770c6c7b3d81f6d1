#pragma once
/*
 * The gate: verdicts of measure --check and --against. It prints them for a terminal, as JUnit's
 * XML, which CI systems read, as SARIF, and as a Markdown comment for a pull request.
 */
#include "base/array.h"
#include "report/figures/measured.h"

enum gate_kind {
	GATE_BUDGET,  /* over it */
	GATE_WORSE,   /* than before, in a figure that fails the check */
	GATE_CHANGED, /* than before, in another figure */
	GATE_CAUSE,   /* the reason why it is worse, if the source shows one */
	GATE_NEW,
	GATE_GONE,
	GATE_RENAMED,
};

struct gate_line {
	enum gate_kind kind;
	const char *file; /* measured; if the kernel is gone: that of its earlier figures */
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
	/* Both are set if there are several compilers, or another one made the earlier figures;
	 * else NULL. */
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
/* The earlier figures to compare with for the kernel, or for any kernel if symbol is NULL: if
 * possible of the same file, then if possible by the same compiler. NULL if there are none, or only
 * those of another compiler that was measured now as well. */
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
