#include "verify/init/params.h"

#include <math.h>
#include <string.h>

#include "verify/fault/fault.h"

enum {
	DEEPEST = 8,
	MOST_PIECES = 64, /* of a list */
	APART = 64	  /* distance of row offsets: more than the length of a row */
};

/* The spec's name of a scalar type; NULL: not such a type. */
static const char *scalar_name(const struct kt_type *t)
{
	static const char *const ints[] = {"i8", "i16", "i32", "i64"};
	static const char *const naturals[] = {"u8", "u16", "u32", "u64"};
	static const char *const floats[] = {"fp8", "f16", "f32", "f64"};
	bool is_float = t->kind == KT_T_FLOAT;
	if (str_is(kt_type_bare(t, true), "__bf16")) { /* libclang has no kind for it */
		return "bf16";
	}
	if (!is_float && t->kind != KT_T_INT && t->kind != KT_T_BOOL) {
		return NULL;
	}
	if (is_float && t->size == 2 && t->canon && strstr(t->canon, "bf")) {
		return "bf16";
	}
	bool natural = t->is_unsigned;
	for (int i = 0; i < 4; i++) {
		if (t->size == 1 << i) {
			return is_float ? floats[i] : natural ? naturals[i] : ints[i];
		}
	}
	return NULL;
}

/* The scalar in HIP's record types of one or several numbers. */
static const char *library_scalar(const struct kt_type *t)
{
	static const struct {
		const char *part;
		int64_t size;
		const char *scalar;
	} known[] = {{"bfloat16", 2, "bf16"}, {"half2", 4, "f16"}, {"half", 2, "f16"},
		{"bfloat162", 4, "bf16"}, {"HIP_vector_type<float,", 0, "f32"},
		{"HIP_vector_type<int,", 0, "i32"}, {"HIP_vector_type<unsigned int,", 0, "u32"},
		{"HIP_vector_type<double,", 0, "f64"}, {"HIP_vector_type<short,", 0, "i16"},
		{"HIP_vector_type<unsigned char,", 0, "u8"}, {"HIP_vector_type<char,", 0, "i8"}};
	for (size_t i = 0; t->canon && i < sizeof(known) / sizeof(known[0]); i++) {
		if (strstr(t->canon, known[i].part) &&
			(!known[i].size || t->size == known[i].size)) {
			return known[i].scalar;
		}
	}
	return NULL;
}

/* The only scalar type in t; NULL: none, or several. */
static const char *made_of(const struct kt_unit *u, const struct kt_type *t, unsigned depth)
{
	while ((t->kind == KT_T_VECTOR || t->kind == KT_T_ARRAY) && t->elem) {
		t = &u->type[t->elem];
	}
	if (t->kind != KT_T_RECORD) {
		return scalar_name(t);
	}
	const char *all = library_scalar(t);
	for (size_t i = 0; !all && i < t->fields && depth < DEEPEST; i++) {
		const char *one = made_of(u, &u->type[t->field[i].type], depth + 1);
		if (!one || (i > 0 && (!all || strcmp(all, one) != 0))) {
			return NULL;
		}
		all = one;
	}
	return all;
}

/* Adds a fill. Random ones get different seeds, so that their values are not multiples. */
static void add_fill(struct param_buffer *b, struct fill f)
{
	static const size_t step = 100;
	f.seed = f.kind == FILL_RANDOM && b->fills.n > 2 ? b->fills.n * step : 0;
	array_push(&b->fills, f);
}

static struct fill random_fill(double low, double high)
{
	return (struct fill){.kind = FILL_RANDOM,
		.low = low,
		.high = high,
		.whole_low = (int64_t)low,
		.whole_high = (int64_t)high};
}

static struct fill values_fill(struct arena *a, enum element_type t, const double *v, size_t n)
{
	struct sbuf b = {0};
	for (size_t i = 0; i < n; i++) {
		if (!element_is_float(t)) {
			element_put_int(&b, t, (int64_t)v[i]);
		} else if (isnan(v[i])) {
			element_put_nan(&b, t);
		} else {
			element_put_float(&b, t, v[i]);
		}
	}
	struct fill f = {.kind = FILL_VALUES, .bytes = {arena_memdup(a, b.p, b.n), b.n}};
	sbuf_release(&b);
	return f;
}

/* Adds the possible fills of a buffer, the likeliest first. */
static void add_fills(struct param_buffer *b, const struct params *p)
{
	static const double odd[] = {0.5, NAN, -1, INFINITY, 0, -INFINITY, 2, -0.25};
	/* repeated, so that each wave has it at another offset */
	static const double alike[] = {0.5, -1, 2, 1, 0, -2, 1, -0.25, 2, -0.5, 1};
	static const double same[] = {0.75};
	/* row offsets, with empty rows, and rows longer than one or two waves */
	static const double rising[] = {0, 5, 5, 6, 75, 212, 214, 251, 300};
	static const double ranges[][2] = {{0, 3}, {0, 1}, {-2, 2}, {0, 15}, {0, 63}, {-64, 64}};
	static const size_t larger = 3; /* index of a range wide enough for lengths */
	struct fill zeros = {.kind = FILL_BYTE};
	struct fill poison = {.kind = FILL_BYTE, .byte = 0xff};
	struct fill count = {.kind = FILL_IOTA, .whole_high = 1, .high = 1};
	struct fill apart = {.kind = FILL_IOTA, .whole_high = APART, .high = APART};
	if (!b->is_const && !b->is_read) {
		add_fill(b, poison);
	}
	if (element_is_float(b->type)) {
		add_fill(b, random_fill(-1, 1));
		add_fill(b, random_fill(-8, 8));
		add_fill(b, zeros);
		b->odd = b->fills.n;
		add_fill(b, values_fill(p->a, b->type, odd, sizeof(odd) / sizeof(odd[0])));
		b->revealing = b->fills.n;
		b->revealings = 2;
		add_fill(b, values_fill(p->a, b->type, alike, sizeof(alike) / sizeof(alike[0])));
		add_fill(b, values_fill(p->a, b->type, same, 1));
		add_fill(b, random_fill(-200, 200));
		array_each (&p->reals, const double, r) {
			add_fill(b, random_fill(*r - 1, *r + 1));
		}
		return;
	}
	for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++) {
		bool natural = b->type % 2 == 1; /* of the integers */
		b->larger = i == larger ? b->fills.n : b->larger;
		if (!natural || ranges[i][0] >= 0) {
			add_fill(b, random_fill(ranges[i][0], ranges[i][1]));
		}
		if (i == 0) {
			add_fill(b, zeros);
			add_fill(b, count);
		}
		if (i == 0 && element_size(b->type) >= 4) {
			b->revealing = b->fills.n;
			b->revealings = 2;
			add_fill(b, values_fill(p->a, b->type, rising,
					    sizeof(rising) / sizeof(rising[0])));
			add_fill(b, apart);
		}
	}
}

static bool has_buffer(const struct params *p, const char *name)
{
	array_each (&p->buffers, const struct param_buffer, b) {
		if (strcmp(b->name, name) == 0) {
			return true;
		}
	}
	return false;
}

static size_t add_slot(struct params *p, struct slot s)
{
	array_push(&p->slots, s);
	return p->slots.n - 1;
}

/* May the kernel read the memory of parameter s? Not if all its uses are p[i] = x or *p = x. */
static bool is_read(const struct params *p, kt_id s)
{
	const struct kt_node *body = p->fn->body;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		const struct kt_node *up = kt_names(n, s) ? n->parent : NULL;
		bool place = up && ((up->kind == KT_INDEX && up->child[0] == n) ||
					   (up->kind == KT_UNARY && up->op == KT_OP_DEREF));
		const struct kt_node *set = place ? up->parent : NULL;
		bool written = set && set->kind == KT_ASSIGN && set->op == KT_OP_NONE &&
			       set->child[0] == up;
		if (kt_names(n, s) && !written) {
			return true;
		}
	}
	return false;
}

/* Does the code compare parameter s with null? */
static bool is_compared_with_null(const struct params *p, kt_id s)
{
	const struct kt_node *body = p->fn->body;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		const struct kt_node *up = kt_names(n, s) ? n->parent : NULL;
		bool compared = up && up->kind == KT_BINARY &&
				(up->op == KT_OP_EQ || up->op == KT_OP_NE || up->op == KT_OP_LAND ||
					up->op == KT_OP_LOR);
		bool negated = up && up->kind == KT_UNARY && up->op == KT_OP_LNOT;
		bool decides = up && (up->kind == KT_IF || up->kind == KT_COND) &&
			       n->slot == (up->kind == KT_IF ? (unsigned)KT_IF_COND
							     : (unsigned)KT_COND_COND);
		if (compared || negated || decides) {
			return true;
		}
	}
	return false;
}

/* The number format of the integers that a pointer points to: by its symbol, or for a member by its
 * name. */
static enum element_type stored_format(
	const struct params *p, const char *path, enum element_type type)
{
	const char *dot = strrchr(path, '.');
	uintptr_t found = p->parameter ? map_get_u64(&p->formats.of, p->parameter, 0) : 0;
	for (size_t i = 0; !p->parameter && dot && i < p->formats.of.n; i++) {
		const struct map_entry *e = &p->formats.of.entry[i];
		kt_id sym = 0;
		memcpy(&sym, e->key.p, sizeof(sym));
		const struct kt_sym *s = &p->u->sym[sym];
		found = s->kind == KT_S_FIELD && strcmp(s->name, dot + 1) == 0 ? e->value : found;
	}
	return found ? (enum element_type)(found - 1) : type;
}

/* path: "a.rows", the base of the buffer's name. */
static void add_buffer(
	struct params *p, struct piece *out, const struct kt_type *to, const char *path)
{
	struct param_buffer b = {.is_const = to->is_const,
		.is_read = p->parameter && is_read(p, p->parameter),
		.of = to->name,
		.length = PARAMS_FIRST_LENGTH};
	char *name = arena_strdup(p->a, path);
	for (char *c = name; *c; c++) {
		*c = *c == '.' ? '_' : *c;
	}
	while (has_buffer(p, name)) {
		name = arena_printf(p->a, "%s_", name);
	}
	const char *scalar = made_of(p->u, to, 0);
	element_find(&b.type, str_of(scalar ? scalar : "u8"));
	b.type = stored_format(p, path, b.type);
	b.name = name;
	add_fills(&b, p);
	b.usual = b.fills.n;
	if (!element_is_float(b.type)) {
		struct fill all = {.kind = FILL_RANDOM};
		element_range(&all.whole_low, &all.whole_high, b.type);
		b.whole = b.fills.n;
		add_fill(&b, all);
	}
	b.slot = add_slot(p, (struct slot){.kind = SLOT_FILL, .number = p->buffers.n});
	out->kind = PIECE_BUFFER;
	out->slot = p->buffers.n;
	array_push(&p->buffers, b);
	out->may_be_null = p->parameter && is_compared_with_null(p, p->parameter);
	if (out->may_be_null) {
		out->null = add_slot(p, (struct slot){.kind = SLOT_NULL, .number = p->numbers++});
	}
}

/* Is it a builtin integer? An enumeration is an integer in the kernel tree, but needs a cast. */
static bool is_builtin(const struct kt_type *t)
{
	static const char *const words[] = {"const", "volatile", "signed", "unsigned", "char",
		"short", "int", "long", "__int128", "wchar_t", "char8_t", "char16_t", "char32_t",
		NULL};
	struct str rest = str_of(t->canon);
	struct str word;
	while (str_split(&rest, ' ', &word)) {
		if (!str_is_any(word, words)) {
			return false;
		}
	}
	return true;
}

static void add_number(struct params *p, struct piece *out, const struct kt_type *t, int64_t given,
	const char *path)
{
	out->kind = PIECE_NUMBER;
	out->slot = add_slot(p, (struct slot){.kind = SLOT_NUMBER,
					.is_float = t->kind == KT_T_FLOAT,
					.is_bool = t->kind == KT_T_BOOL,
					.is_enum = t->kind == KT_T_INT && !is_builtin(t),
					.is_signed = !t->is_unsigned,
					.size = t->size,
					.number = p->numbers++,
					.given = given,
					.type = t});
	if (t->kind == KT_T_INT) {
		params_find_constants(&p->slots.v[out->slot], p, path);
	}
}

static void add_piece(
	struct params *p, struct piece *out, kt_id type, const char *path, unsigned depth);

/* Elements of the same type. */
static void add_list(
	struct params *p, struct piece *out, kt_id elem, size_t n, const char *path, unsigned depth)
{
	out->kind = PIECE_LIST;
	out->pieces = n;
	out->piece = ARENA_ARRAY(p->a, struct piece, n);
	for (size_t i = 0; i < n; i++) {
		add_piece(
			p, &out->piece[i], elem, arena_printf(p->a, "%s.%zu", path, i), depth + 1);
	}
}

typedef ARRAY(struct piece) piece_array;

/* The numbers and pointers of an object that braces cannot initialize, each with its offset. */
static void add_parts(struct params *p, piece_array *out, kt_id type, int64_t at, const char *path,
	unsigned depth)
{
	const struct kt_type *t = kt_object_type(p->u, type);
	const char *scalar = scalar_name(t);
	bool fits = p->numbers < TRIAL_NUMBERS - MOST_PIECES && depth < DEEPEST &&
		    p->buffers.n < TRIAL_BUFFERS - MOST_PIECES / 4;
	if (!fits) {
		return;
	}
	struct piece one = {.name = path, .size = t->size, .at = at};
	if (t->kind == KT_T_POINTER) {
		add_buffer(p, &one, &p->u->type[t->elem], path);
		array_push(out, one);
	} else if (scalar) {
		element_find(&one.type, str_of(scalar));
		add_number(p, &one, t, KT_NO_VALUE, path);
		array_push(out, one);
	}
	for (size_t i = 0; t->kind == KT_T_RECORD && i < t->fields; i++) {
		const struct kt_field *f = &t->field[i];
		if (f->at >= 0) {
			add_parts(p, out, f->type, at + f->at,
				arena_printf(p->a, "%s.%s", path, f->name), depth + 1);
		}
	}
	bool list =
		(t->kind == KT_T_VECTOR || t->kind == KT_T_ARRAY) && t->count <= MOST_PIECES / 4;
	for (int64_t i = 0; list && i < t->count; i++) {
		add_parts(p, out, t->elem, at + i * p->u->type[t->elem].size,
			arena_printf(p->a, "%s.%lld", path, (long long)i), depth + 1);
	}
}

static void add_piece(
	struct params *p, struct piece *out, kt_id type, const char *path, unsigned depth)
{
	const struct kt_type *t = kt_object_type(p->u, type);
	bool whole = p->numbers < TRIAL_NUMBERS - MOST_PIECES && depth < DEEPEST &&
		     p->buffers.n < TRIAL_BUFFERS - MOST_PIECES / 4;
	out->size = t->size;
	out->kind = PIECE_BYTES;
	if (t->kind == KT_T_POINTER && whole) {
		add_buffer(p, out, &p->u->type[t->elem], path);
	} else if (t->kind == KT_T_RECORD && t->fields && whole && (p->plain || !t->by_name)) {
		piece_array parts = {0};
		add_parts(p, &parts, type, 0, path, depth);
		array_move(out->piece, out->pieces, p->a, &parts);
	} else if (t->kind == KT_T_RECORD && t->fields && whole) {
		out->kind = PIECE_RECORD;
		out->pieces = t->fields;
		out->piece = ARENA_ARRAY(p->a, struct piece, t->fields);
		for (size_t i = 0; i < t->fields; i++) {
			const char *name = t->field[i].name;
			out->piece[i].name = name;
			add_piece(p, &out->piece[i], t->field[i].type,
				arena_printf(p->a, "%s.%s", path, name), depth + 1);
		}
	} else if ((t->kind == KT_T_VECTOR || t->kind == KT_T_ARRAY) && whole && t->count > 0 &&
		   t->count <= MOST_PIECES / 4) {
		add_list(p, out, t->elem, (size_t)t->count, path, depth);
	} else if (t->kind == KT_T_INT || t->kind == KT_T_BOOL || t->kind == KT_T_FLOAT) {
		add_number(p, out, t, KT_NO_VALUE, path);
	}
}

static void add_shape(struct params *p, bool grid, int64_t x, int64_t y, int64_t z)
{
	int64_t most = grid ? 64 : p->fn->bound > 0 && p->fn->bound < 1024 ? p->fn->bound : 1024;
	if (x < 1 || y < 1 || z < 1 || x * y * z > most) {
		return;
	}
	struct spec_shape s = {{(unsigned)x, (unsigned)y, (unsigned)z}};
	for (size_t i = 0; i < (grid ? p->grids.n : p->blocks.n); i++) {
		if (memcmp(grid ? &p->grids.v[i] : &p->blocks.v[i], &s, sizeof(s)) == 0) {
			return;
		}
	}
	if (grid) {
		array_push(&p->grids, s);
	} else {
		array_push(&p->blocks, s);
	}
}

static int64_t at_most(int64_t v, int64_t most)
{
	return v > most ? most : v;
}

/* Does the text of the kernel or of a callee contain this? */
static bool mentions(const struct params *p, const char *what)
{
	bool *called = ARENA_ARRAY(p->a, bool, p->u->fns);
	bool found = false;
	fault_mark_called(called, p->u, (kt_id)(p->fn - p->u->fn));
	for (kt_id i = 1; i < p->u->fns && !found; i++) {
		const struct kt_fn *fn = &p->u->fn[i];
		bool own = called[i] && fn->body && !fn->in_system_header;
		struct str text = own ? p->u->file[fn->file].text : STR("");
		found = str_find(str_sub(text, own ? fn->begin : 0, own ? fn->end : 0), what, 0) !=
			SIZE_MAX;
	}
	return found;
}

/* Is n threadIdx.x, or a variable initialized with it? */
static bool is_thread_index(const struct params *p, const struct kt_node *n, const char *name)
{
	const struct kt_node *body = p->fn->body;
	bool found = str_is(kt_source(p->u, n), name);
	for (const struct kt_node *v = body; n->kind == KT_REF && v; v = kt_next(v, body)) {
		found |= v->kind == KT_VAR && v->sym == n->sym && v->n > 0 && v->child[0] &&
			 str_is(kt_source(p->u, v->child[0]), name);
	}
	return found;
}

/* The 32 in blockIdx.x * 32 + threadIdx.x: probably the number of threads of a block; 0: the kernel
 * has no such sum. */
static int64_t block_size(const struct params *p, char dimension)
{
	const char *thread = arena_printf(p->a, "threadIdx.%c", dimension);
	const char *block = arena_printf(p->a, "blockIdx.%c", dimension);
	const struct kt_node *body = p->fn->body;
	for (const struct kt_node *n = body; n; n = kt_next(n, body)) {
		bool sum = n->kind == KT_BINARY && n->op == KT_OP_ADD;
		for (size_t i = 0; sum && i < 2; i++) {
			const struct kt_node *m = n->child[i], *other = n->child[1 - i];
			bool product = m->kind == KT_BINARY && m->op == KT_OP_MUL;
			for (size_t k = 0; product && k < 2; k++) {
				if (str_is(kt_source(p->u, m->child[k]), block) &&
					m->child[1 - k]->flags & KT_F_VALUE &&
					is_thread_index(p, other, thread)) {
					return m->child[1 - k]->value;
				}
			}
		}
	}
	return 0;
}

/* Adds shapes with the kernel's number of dimensions first, then the others. */
static void add_usual(struct params *p, bool grid, const int (*shape)[3], size_t n)
{
	const char *name = grid ? "lockIdx" : "hreadIdx"; /* matches blockIdx.y and hipBlockIdx_y */
	bool y = mentions(p, arena_printf(p->a, "%s.y", name)) ||
		 mentions(p, arena_printf(p->a, "%s_y", name));
	bool z = mentions(p, arena_printf(p->a, "%s.z", name)) ||
		 mentions(p, arena_printf(p->a, "%s_z", name));
	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < n; i++) {
			bool fits = (shape[i][1] > 1) == y && (shape[i][2] > 1) == z;
			if (fits != (pass > 0)) {
				add_shape(p, grid, shape[i][0], shape[i][1], shape[i][2]);
			}
		}
		if (pass == 0) {
			*(grid ? &p->fitting_grids : &p->fitting_blocks) =
				grid ? p->grids.n : p->blocks.n;
		}
	}
}

static void add_shapes(struct params *p)
{
	static const int blocks[][3] = {{256, 1, 1}, {64, 1, 1}, {512, 1, 1}, {16, 16, 1},
		{128, 1, 1}, {1024, 1, 1}, {64, 4, 1}, {32, 8, 1}, {8, 8, 1}, {32, 1, 1}, {1, 1, 1},
		{32, 32, 1}, {64, 2, 1}, {8, 8, 4}};
	static const int grids[][3] = {{2, 1, 1}, {1, 1, 1}, {2, 2, 1}, {3, 1, 1}, {2, 2, 2},
		{1, 2, 1}, {5, 1, 1}, {3, 3, 1}, {3, 2, 1}, {2, 3, 1}, {2, 3, 4}, {3, 2, 6},
		{2, 4, 1}, {1, 1, 3}, {4, 2, 1}, {4, 1, 1}};
	const struct kt_launch *l = p->fn->launch;
	if (l) {
		add_shape(p, false, l->block[0], l->block[1], l->block[2]);
		add_shape(p, true, at_most(l->grid[0], 4), at_most(l->grid[1], 2),
			at_most(l->grid[2], 2));
		p->lds = l->lds > 0 && l->lds <= INT32_MAX ? (unsigned)l->lds : 0;
	}
	add_shape(p, false, p->fn->threads, 1, 1);
	add_shape(p, false, p->fn->bound, 1, 1);
	int64_t x = block_size(p, 'x'), y = block_size(p, 'y');
	add_shape(p, false, x ? x : y, y ? y : mentions(p, "threadIdx.y") ? 4 : 1, 1);
	add_usual(p, false, blocks, sizeof(blocks) / sizeof(blocks[0]));
	add_usual(p, true, grids, sizeof(grids) / sizeof(grids[0]));
	p->reads_block = mentions(p, "blockDim") || mentions(p, "BlockDim");
	p->block_slot = add_slot(p, (struct slot){.kind = SLOT_BLOCK});
	p->grid_slot = add_slot(p, (struct slot){.kind = SLOT_GRID});
}

void params_make(struct params *p, struct arena *a, const struct params_job *job)
{
	const struct kt_unit *u = job->u;
	const struct kt_fn *fn = job->fn;
	*p = (struct params){.a = a, .u = u, .fn = fn, .plain = job->plain};
	formats_find(&p->formats, a, u, (kt_id)(fn - u->fn), job->intrinsics, job->target);
	params_add_constants(p);
	for (size_t i = 0; i < fn->params; i++) {
		const struct kt_sym *s = &u->sym[fn->param[i]];
		struct piece piece = {0};
		bool pointer = kt_object_type(u, s->type)->kind == KT_T_POINTER;
		p->symbol = fn->param[i];
		p->parameter = pointer ? fn->param[i] : 0;
		const char *name = s->name[0] ? s->name : arena_printf(a, "argument%zu", i + 1);
		piece.name = name;
		add_piece(p, &piece, s->type, name, 0);
		if (piece.kind == PIECE_NUMBER && fn->launch && i < fn->launch->arguments) {
			p->slots.v[piece.slot].given = fn->launch->argument[i];
		}
		array_push(&p->arguments, piece);
	}
	add_shapes(p);
}

static bool same_slot(const struct slot *x, const struct slot *y)
{
	return x->kind == y->kind && x->is_float == y->is_float && x->is_bool == y->is_bool &&
	       x->is_enum == y->is_enum && x->size == y->size && x->number == y->number;
}

static bool same_buffer(const struct param_buffer *x, const struct param_buffer *y)
{
	return strcmp(x->name, y->name) == 0 && x->type == y->type && x->usual == y->usual &&
	       x->is_const == y->is_const && x->is_read == y->is_read;
}

static bool same_shapes(const struct spec_shape *x, size_t n, const struct spec_shape *y, size_t m)
{
	return n == m && memcmp(x, y, n * sizeof(*x)) == 0;
}

bool params_match(const struct params *x, const struct params *y)
{
	bool same = x->slots.n == y->slots.n && x->buffers.n == y->buffers.n &&
		    x->arguments.n == y->arguments.n && x->plain == y->plain &&
		    same_shapes(x->blocks.v, x->blocks.n, y->blocks.v, y->blocks.n) &&
		    same_shapes(x->grids.v, x->grids.n, y->grids.v, y->grids.n);
	for (size_t i = 0; same && i < x->slots.n; i++) {
		same = same_slot(&x->slots.v[i], &y->slots.v[i]);
	}
	for (size_t i = 0; same && i < x->buffers.n; i++) {
		same = same_buffer(&x->buffers.v[i], &y->buffers.v[i]);
	}
	for (size_t i = 0; same && i < x->arguments.n; i++) {
		same = strcmp(x->arguments.v[i].name, y->arguments.v[i].name) == 0;
	}
	return same;
}

void params_learn(struct params *p, const struct params *from)
{
	p->lds = from->lds > p->lds ? from->lds : p->lds;
	for (size_t i = 0; i < p->buffers.n; i++) {
		struct param_buffer *b = &p->buffers.v[i];
		const struct param_buffer *o = &from->buffers.v[i];
		b->length = o->length > b->length ? o->length : b->length;
		for (size_t k = b->fills.n; k < o->fills.n; k++) {
			array_push(&b->fills, o->fills.v[k]);
		}
	}
}

void params_release(struct params *p)
{
	array_each (&p->buffers, struct param_buffer, b) {
		array_release(&b->fills);
	}
	map_release(&p->formats.of);
	array_release(&p->slots);
	array_release(&p->buffers);
	array_release(&p->arguments);
	array_release(&p->reals);
	array_release(&p->wholes);
	array_release(&p->blocks);
	array_release(&p->grids);
}

bool params_differ(const struct piece *of, const struct params *p, const struct trial_number *x,
	const struct trial_number *y)
{
	if (of->kind == PIECE_NUMBER) {
		return x[of->slot].whole != y[of->slot].whole ||
		       x[of->slot].real != y[of->slot].real;
	}
	if (of->kind == PIECE_BUFFER && of->may_be_null) {
		return x[of->null].whole != y[of->null].whole;
	}
	for (size_t i = 0; i < of->pieces; i++) {
		if (params_differ(&of->piece[i], p, x, y)) {
			return true;
		}
	}
	return false;
}
