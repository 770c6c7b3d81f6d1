/* report: a baseline. What was read takes findings out, and the baseline that is written of them is
 * read again. */
#include "report/finding/baseline.h"
#include "target.h"

static bool is_checked(void *user, const char *file)
{
	(void)user;
	return file[0] != '\0';
}

/* As many findings as entries at most, one like each. */
static void use(struct arena *a, struct baseline *b)
{
	struct baseline_scope scope = {is_checked, NULL};
	struct diag_list found = {{0}};
	struct sbuf text = {0};
	char path[64];
	size_t n = b->n < 8 ? b->n : 8;

	for (size_t i = 0; i < n; i++) {
		const struct baseline_entry *e = &b->v[i];
		array_push(&found.v, (struct diag){.rule = arena_strndup(a,
							   e->rule.p ? e->rule.p : "", e->rule.n),
					     .place = {.path = e->file},
					     .code = e->code,
					     .text = STR("m")});
	}
	baseline_print(&text, a, "b.yaml", &found, NULL, &scope);
	int file = fuzz_file(path, sbuf_str(&text));
	struct baseline again;
	if (baseline_load(&again, a, path) == 0) {
		REQUIRE(again.n == n);
	}
	close(file);
	REQUIRE(baseline_apply(b, &found, &scope) <= n);
	baseline_judge(&found, a, b, &scope);
	array_release(&found.v);
	sbuf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *a = arena_create();
	struct baseline b;
	char path[64];
	int file = fuzz_file(path, (struct str){(const char *)data, size});

	if (baseline_load(&b, a, path) == 0) {
		use(a, &b);
	}
	close(file);
	arena_free(a);
	return 0;
}
