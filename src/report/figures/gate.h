#pragma once
/*
 * The gate: verdicts of measure --check and --against, for a terminal, as JUnit's XML (the
 * form that CI systems read), as SARIF, and as a comment in Markdown for a pull request.
 */
#include "base/array.h"
#include "report/figures/measured.h"

enum gate_kind {
	GATE_BUDGET,  /* over it */
	GATE_WORSE,   /* than before, in what counts */
	GATE_CHANGED, /* otherwise */
	GATE_CAUSE,   /* why it is worse, as far as the source says */
	GATE_NEW,
	GATE_GONE,
	GATE_RENAMED,
};

struct gate_line {
	enum gate_kind kind;
	const char *file; /* that was measured; of what is gone: the one with the figures before */
	const char *kernel;
	const char *target;
	enum metric metric; /* of the first three */
	int64_t before;
	int64_t after;
	unsigned at;	   /* the kernel's line in file; 0: not known */
	const char *place; /* of a budget */
	unsigned line;
	struct str limit;
	const char *was; /* of a renamed one, its name before; of a cause, what it is */
	/* Both, where there are several, or another one made the figures before; else NULL. */
	const struct compiler *before_by;
	const struct compiler *by;
};

struct gate {
	ARRAY(struct gate_line) v;
};

/* What now is held against: figures of before, and all that was measured now. */
struct gate_sides {
	const struct measured *saved;
	size_t saved_n;
	const struct measured *found;
	size_t found_n;
};

/* How much the compiler of one is that of the other: 0 another, 1 its version, 2 its path, 3 both.
 */
unsigned gate_alike(const struct measured *a, const struct measured *b);
/* Whose figures of before stand against those of now for the kernel, or for any when symbol is
 * NULL: of the same file where there is one, by the same compiler where there is one. NULL:
 * nobody's, or only those of another compiler that was measured now as well. */
const struct measured *gate_before(
	const struct gate_sides *g, const struct measured *now, const char *symbol);
bool gate_is_bad(const struct gate_line *l);
/* "k<4> for gfx90a: vgpr_spills 0 -> 12" */
void gate_sentence(struct sbuf *out, const struct gate_line *l);
void gate_text(struct sbuf *out, const struct gate *g);
/* A test case for each kernel and target, and for each compile that failed. */
void gate_junit(struct sbuf *out, const struct measured *v, size_t n, const struct gate *g);
/* What was found, beside the figures of before (saved_n may be 0). */
void gate_html(struct sbuf *out, const struct gate_sides *sides, const struct gate *g);
void gate_markdown(struct sbuf *out, const struct measured *v, size_t n, const struct gate *g);
