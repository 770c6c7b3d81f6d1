/* verify: specs, what their buffers are filled with, and the launcher made of them. A fill is as
 * long as its buffer. */
#include "verify/spec/spec.h"

#include "target.h"
#include "verify/run/launcher.h"

static struct target_db targets;

static void fill(const struct spec_buffer *b, size_t *budget)
{
	struct sbuf out = {0};
	size_t bytes = spec_buffer_bytes(b);
	REQUIRE(bytes >= b->length);
	if (bytes > *budget) {
		return;
	}
	*budget -= bytes;
	spec_buffer_fill(&out, b);
	REQUIRE(out.n == bytes);
	sbuf_release(&out);
}

static void use(const struct spec *s)
{
	struct sbuf text = {0};
	size_t budget = 1 << 16;
	for (size_t i = 0; i < s->n; i++) {
		REQUIRE(s->v[i].target && s->v[i].name && s->v[i].kernel);
		for (size_t k = 0; k < s->v[i].buffers; k++) {
			fill(&s->v[i].buffer[k], &budget);
		}
	}
	if (s->n > 0) {
		launcher_text(&text, s, s->v[0].target, STR("void k();\n"), "k.hip", LAUNCHER_CPU);
		launcher_text(&text, s, s->v[0].target, STR("void k();\n"), "k.hip", LAUNCHER_GPU);
		REQUIRE(text.n > 0);
	}
	sbuf_release(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct arena *life;
	if (!life) {
		life = arena_create();
		REQUIRE(target_db_builtin(&targets, life) == 0);
	}
	struct arena *a = arena_create();
	struct spec s;
	struct str text = {(const char *)data, size};
	if (spec_load(&s, a, text, "in.verify.yaml", &targets) == 0) {
		REQUIRE(s.n > 0);
		use(&s);
	}
	arena_free(a);
	return 0;
}
