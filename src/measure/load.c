/* Sections, relocations and descriptors by the "User Guide for AMDGPU Backend" ("ELF Code Object",
 * "Kernel Descriptor"). */
#include "measure/load.h"

#include <elf.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "base/msg.h"

/* "Relocation Records"; the libc's header may lack them. */
enum {
	AMDGPU_ABS64 = 3,
	AMDGPU_RELATIVE64 = 13,
	BYTES_MOST = 1 << 28 /* limit of zero-initialized sections */
};

struct loader {
	struct arena *a;
	const char *shown;
	struct str file;
	Elf64_Ehdr head;
	ARRAY(struct object_piece) piece;
};

static int refuse(const struct loader *l, const char *why)
{
	return fail_input("%s: its code object %s", l->shown, why);
}

/* Reads record number i of the table at offset. */
static bool take(void *out, const struct loader *l, uint64_t offset, size_t bytes, uint64_t i)
{
	bool inside = offset <= l->file.n && i < l->file.n && (i + 1) * bytes <= l->file.n - offset;
	if (inside) {
		memcpy(out, l->file.p + offset + i * bytes, bytes);
	}
	return inside;
}

static int add_piece(struct loader *l, const Elf64_Shdr *s)
{
	bool empty = s->sh_type == SHT_NOBITS;
	bool inside = empty ? s->sh_size <= BYTES_MOST
			    : s->sh_offset <= l->file.n && s->sh_size <= l->file.n - s->sh_offset;
	if (!inside) {
		return refuse(l, "is cut off");
	}
	struct object_piece p = {.at = OBJECT_AT + s->sh_addr,
		.bytes = s->sh_size,
		.p = arena_calloc(l->a, s->sh_size + 1, 1),
		.constant = !(s->sh_flags & SHF_WRITE)};
	if (!empty) {
		memcpy(p.p, l->file.p + s->sh_offset, s->sh_size);
	}
	array_push(&l->piece, p);
	return 0;
}

static int relocate(struct loader *l, const Elf64_Rela *r, const Elf64_Shdr *symbols)
{
	uint64_t value = OBJECT_AT + (uint64_t)r->r_addend;
	if (ELF64_R_TYPE(r->r_info) == AMDGPU_ABS64) {
		Elf64_Sym symbol;
		if (!take(&symbol, l, symbols->sh_offset, sizeof(symbol), ELF64_R_SYM(r->r_info))) {
			return refuse(l, "is cut off");
		}
		if (symbol.st_shndx == SHN_UNDEF) {
			return refuse(l, "needs a symbol that is not in it");
		}
		value += symbol.st_value;
	} else if (ELF64_R_TYPE(r->r_info) != AMDGPU_RELATIVE64) {
		return refuse(l, "has a relocation that is not known");
	}
	array_each (&l->piece, struct object_piece, p) {
		uint64_t from = OBJECT_AT + r->r_offset - p->at;
		if (OBJECT_AT + r->r_offset >= p->at && from < p->bytes &&
			p->bytes - from >= sizeof(value)) {
			memcpy(p->p + from, &value, sizeof(value));
		}
	}
	return 0;
}

static int relocate_all(struct loader *l, const Elf64_Shdr *s)
{
	Elf64_Shdr symbols;
	Elf64_Rela r;
	int rc = take(&symbols, l, l->head.e_shoff, sizeof(symbols), s->sh_link)
			 ? 0
			 : refuse(l, "is cut off");
	for (uint64_t i = 0; rc == 0 && i < s->sh_size / sizeof(r); i++) {
		rc = take(&r, l, s->sh_offset, sizeof(r), i) ? relocate(l, &r, &symbols)
							     : refuse(l, "is cut off");
	}
	return rc;
}

/* Pieces first, since relocations apply to them. */
static int read_sections(struct loader *l)
{
	int rc = 0;
	for (uint64_t i = 0; rc == 0 && i < 2ull * l->head.e_shnum; i++) {
		bool second = i >= l->head.e_shnum;
		Elf64_Shdr s;
		if (!take(&s, l, l->head.e_shoff, sizeof(s), i % l->head.e_shnum)) {
			return refuse(l, "is cut off");
		}
		bool data = s.sh_flags & SHF_ALLOC && !(s.sh_flags & SHF_EXECINSTR) &&
			    (s.sh_type == SHT_PROGBITS || s.sh_type == SHT_NOBITS);
		if (!second && data && s.sh_size > 0) {
			rc = add_piece(l, &s);
		} else if (second && s.sh_type == SHT_RELA && s.sh_flags & SHF_ALLOC) {
			rc = relocate_all(l, &s);
		}
	}
	return rc;
}

/* ---- descriptors ---- */

enum {
	DESCRIPTOR_BYTES = 64
};

/* A field: its 32-bit word, first bit and width. */
struct field {
	const char *name;
	uint8_t word, bit, bits;
	enum {
		OF_ALL,
		OF_GFX90A,    /* later GPUs set up the scratch offset themselves */
		BEFORE_GFX12, /* where these bits have other meanings */
	} of;
};

static const struct field fields[] = {
	{"group_segment_fixed_size", 0, 0, 32, OF_ALL},
	{"private_segment_fixed_size", 1, 0, 32, OF_ALL},
	{"kernarg_size", 2, 0, 32, OF_ALL},
	{"float_round_mode_32", 12, 12, 2, OF_ALL},
	{"float_round_mode_16_64", 12, 14, 2, OF_ALL},
	{"float_denorm_mode_32", 12, 16, 2, OF_ALL},
	{"float_denorm_mode_16_64", 12, 18, 2, OF_ALL},
	{"dx10_clamp", 12, 21, 1, BEFORE_GFX12},
	{"ieee_mode", 12, 23, 1, BEFORE_GFX12},
	{"fp16_overflow", 12, 26, 1, OF_ALL},
	{"system_sgpr_private_segment_wavefront_offset", 13, 0, 1, OF_GFX90A},
	{"user_sgpr_count", 13, 1, 5, OF_ALL},
	{"system_sgpr_workgroup_id_x", 13, 7, 1, OF_ALL},
	{"system_sgpr_workgroup_id_y", 13, 8, 1, OF_ALL},
	{"system_sgpr_workgroup_id_z", 13, 9, 1, OF_ALL},
	{"system_sgpr_workgroup_info", 13, 10, 1, OF_ALL},
	{"system_vgpr_workitem_id", 13, 11, 2, OF_ALL},
	{"user_sgpr_private_segment_buffer", 14, 0, 1, OF_ALL},
	{"user_sgpr_dispatch_ptr", 14, 1, 1, OF_ALL},
	{"user_sgpr_queue_ptr", 14, 2, 1, OF_ALL},
	{"user_sgpr_kernarg_segment_ptr", 14, 3, 1, OF_ALL},
	{"user_sgpr_dispatch_id", 14, 4, 1, OF_ALL},
	{"user_sgpr_flat_scratch_init", 14, 5, 1, OF_ALL},
	{"user_sgpr_private_segment_size", 14, 6, 1, OF_ALL},
	{"wavefront_size32", 14, 10, 1, OF_ALL},
	{"uses_dynamic_stack", 14, 11, 1, OF_ALL},
	{"user_sgpr_kernarg_preload_length", 14, 16, 7, OF_ALL},
};

static bool is_of(const struct field *f, struct str target)
{
	bool gfx12 = str_starts(target, "gfx12");
	return f->of == OF_ALL || (f->of == OF_GFX90A && str_starts(target, "gfx90a")) ||
	       (f->of == BEFORE_GFX12 && !gfx12);
}

static void add_descriptor(
	struct sbuf *text, struct str name, const unsigned char *bytes, struct str target)
{
	uint32_t word[DESCRIPTOR_BYTES / 4];
	memcpy(word, bytes, sizeof(word));
	sbuf_addf(text, "\t.amdhsa_kernel %.*s\n", STR_ARG(name));
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		const struct field *f = &fields[i];
		uint32_t value = word[f->word] >> f->bit;
		value &= f->bits == 32 ? UINT32_MAX : (1u << f->bits) - 1;
		if (is_of(f, target)) {
			sbuf_addf(text, "\t\t.amdhsa_%s %u\n", f->name, value);
		}
	}
	sbuf_adds(text, "\t.end_amdhsa_kernel\n");
}

static const struct object_piece *piece_at(const struct loader *l, uint64_t at, uint64_t bytes)
{
	array_each (&l->piece, const struct object_piece, p) {
		if (at >= p->at && at - p->at <= p->bytes && p->bytes - (at - p->at) >= bytes) {
			return p;
		}
	}
	return NULL;
}

/* Adds the descriptors of all symbols "NAME.kd" in a symbol table. */
static int add_descriptors(
	struct sbuf *text, const struct loader *l, const Elf64_Shdr *s, struct str target)
{
	Elf64_Shdr strings;
	Elf64_Sym symbol;
	bool ok = take(&strings, l, l->head.e_shoff, sizeof(strings), s->sh_link) &&
		  strings.sh_offset <= l->file.n &&
		  strings.sh_size <= l->file.n - strings.sh_offset;
	for (uint64_t i = 0; ok && i < s->sh_size / sizeof(symbol); i++) {
		ok = take(&symbol, l, s->sh_offset, sizeof(symbol), i) &&
		     symbol.st_name < strings.sh_size;
		const char *from = l->file.p + strings.sh_offset + (ok ? symbol.st_name : 0);
		struct str name = {from, ok ? strnlen(from, strings.sh_size - symbol.st_name) : 0};
		if (!ok || !str_ends(name, ".kd")) {
			continue;
		}
		uint64_t at = OBJECT_AT + symbol.st_value;
		const struct object_piece *p = piece_at(l, at, DESCRIPTOR_BYTES);
		ok = p != NULL;
		if (ok) {
			name.n -= strlen(".kd");
			add_descriptor(text, name, p->p + (at - p->at), target);
		}
	}
	return ok ? 0 : refuse(l, "is cut off");
}

static int read_descriptors(struct sbuf *text, const struct loader *l, struct str target)
{
	int rc = 0;
	for (uint64_t i = 0; rc == 0 && i < l->head.e_shnum; i++) {
		Elf64_Shdr s;
		if (take(&s, l, l->head.e_shoff, sizeof(s), i) && s.sh_type == SHT_DYNSYM) {
			rc = add_descriptors(text, l, &s, target);
		}
	}
	return rc;
}

int object_load(struct object_code *code, struct sbuf *text, struct arena *a, const char *elf,
	const char *target, const char *shown)
{
	struct sbuf bytes = {0};
	struct loader l = {.a = a, .shown = shown};
	int rc = file_read(&bytes, elf);
	l.file = sbuf_str(&bytes);
	if (rc == 0 && !take(&l.head, &l, 0, sizeof(l.head), 0)) {
		rc = refuse(&l, "is cut off");
	}
	if (rc == 0 && l.head.e_type != ET_DYN) {
		rc = refuse(&l, "is not linked; only what a GPU could load can be run");
	}
	rc = rc ? rc : read_sections(&l);
	sbuf_addf(text, "\t.amdgcn_target \"amdgcn-amd-amdhsa--%s\"\n", target);
	rc = rc ? rc : read_descriptors(text, &l, str_of(target));
	array_move(code->piece, code->pieces, a, &l.piece);
	sbuf_release(&bytes);
	return rc;
}
