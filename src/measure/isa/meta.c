#include "measure/isa/meta.h"

#include "measure/measure.h"

#define COUNT_MAX ((int64_t)1 << 40)

static size_t indent_of(struct str line)
{
	size_t i = 0;
	while (i < line.n && line.p[i] == ' ') {
		i++;
	}
	return i;
}

/* Lines of the last metadata block; LLVM writes one, at the end. */
static const char *find_block(struct str *block, struct str isa)
{
	struct str rest = isa;
	struct str line;
	const char *from = NULL;
	bool whole = false;
	while (str_line(&rest, &line)) {
		struct str s = str_trim(line);
		if (str_is(s, ".amdgpu_metadata")) {
			from = rest.p;
			whole = false;
		} else if (str_is(s, ".end_amdgpu_metadata") && from && !whole) {
			*block = (struct str){from, (size_t)(line.p - from)};
			whole = true;
		}
	}
	if (!from) {
		return "it has no .amdgpu_metadata";
	}
	return whole ? NULL : "its .amdgpu_metadata is cut off";
}

static struct str unquote(struct str s)
{
	if (s.n >= 2 && (s.p[0] == '\'' || s.p[0] == '"') && s.p[s.n - 1] == s.p[0]) {
		return str_sub(s, 1, s.n - 1);
	}
	return s;
}

static void read_count(int64_t *out, struct str value)
{
	int64_t v;
	if (str_to_i64(value, &v) && v >= 0 && v <= COUNT_MAX) {
		*out = v;
	}
}

static void read_pair(struct isa_meta *m, struct str pair)
{
	size_t colon = str_find(pair, ":", 0);
	if (colon == SIZE_MAX) {
		return;
	}
	struct str key = str_trim(str_sub(pair, 0, colon));
	struct str value = unquote(str_trim(str_sub(pair, colon + 1, pair.n)));
	const struct {
		const char *key;
		int64_t *to;
	} counts[] = {{".vgpr_count", &m->vgpr_count}, {".agpr_count", &m->agpr_count},
		{".sgpr_count", &m->sgpr_count}, {".vgpr_spill_count", &m->vgpr_spill_count},
		{".sgpr_spill_count", &m->sgpr_spill_count},
		{".private_segment_fixed_size", &m->private_bytes},
		{".group_segment_fixed_size", &m->group_bytes},
		{".max_flat_workgroup_size", &m->group_size}, {".wavefront_size", &m->wave_size}};
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		if (str_is(key, counts[i].key)) {
			read_count(counts[i].to, value);
			return;
		}
	}
	if (str_is(key, ".name")) {
		m->name = value;
	} else if (str_is(key, ".uses_dynamic_stack")) {
		m->dynamic_stack = str_is(value, "true");
	}
}

static void start_kernel(struct isa_metas *out)
{
	array_push(&out->meta, (struct isa_meta){
				       .vgpr_count = METRIC_ABSENT,
				       .agpr_count = METRIC_ABSENT,
				       .sgpr_count = METRIC_ABSENT,
				       .vgpr_spill_count = METRIC_ABSENT,
				       .sgpr_spill_count = METRIC_ABSENT,
				       .private_bytes = METRIC_ABSENT,
				       .group_bytes = METRIC_ABSENT,
				       .group_size = METRIC_ABSENT,
				       .wave_size = METRIC_ABSENT,
			       });
}

/*
 *	amdhsa.kernels:
 *	  - .agpr_count:     0		an item; its keys stand under the first one
 *	    .args:
 *	      - .offset:     8		deeper: arguments, not read
 *	    .name:           _Z1kPf
 *	amdhsa.target:   ...		the end
 */
static void read_kernels(struct isa_metas *out, struct str block)
{
	struct str rest = block;
	struct str line;
	bool in_list = false;
	size_t item = SIZE_MAX; /* column of the list's dashes */
	size_t keys = SIZE_MAX; /* column of the current item's keys */
	while (str_line(&rest, &line)) {
		struct str s = str_trim(line);
		size_t column = indent_of(line);
		bool dash = s.n >= 2 && s.p[0] == '-' && s.p[1] == ' ';
		if (s.n == 0) {
			continue;
		}
		if (!in_list) {
			in_list = column == 0 && str_starts(s, "amdhsa.kernels:");
			continue;
		}
		if (column == 0 && !dash) {
			return;
		}
		if (dash && item == SIZE_MAX) {
			item = column;
		}
		if (dash && column == item) {
			start_kernel(out);
			struct str after = str_sub(s, 1, s.n);
			keys = column + 1 + indent_of(after);
			read_pair(&out->meta.v[out->meta.n - 1], str_trim(after));
		} else if (out->meta.n && column == keys) {
			read_pair(&out->meta.v[out->meta.n - 1], s);
		}
	}
}

const char *isa_meta_read(struct isa_metas *out, struct str isa)
{
	struct str block = {NULL, 0};
	*out = (struct isa_metas){{0}};
	const char *why = find_block(&block, isa);
	if (why) {
		return why;
	}
	read_kernels(out, block);
	for (size_t i = 0; i < out->meta.n; i++) {
		if (out->meta.v[i].name.n == 0) {
			array_release(&out->meta);
			return "its .amdgpu_metadata has a kernel without a name";
		}
	}
	return NULL;
}
