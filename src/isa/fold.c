/* Folding: instructions that move bytes or combine bits with constants, and instructions that are
 * equal to others. Each rule holds for all values. The interface is in shadow.h. */
#include <stdio.h>
#include <string.h>

#include "isa/shadow.h"

/* v_mov_b32 and similar. Names are compared once per instruction, not per lane. */
enum fold fold_of(const char *row)
{
	static const struct {
		const char *row;
		enum fold fold;
	} all[] = {{"v_mov_b32", FOLD_MOVE}, {"v_mov_b16", FOLD_MOVE}, {"v_mov_b64", FOLD_MOVE},
		{"v_accvgpr_read_b32", FOLD_MOVE}, {"v_accvgpr_write_b32", FOLD_MOVE},
		{"v_accvgpr_mov_b32", FOLD_MOVE}, {"v_cvt_u32_u16", FOLD_MOVE},
		{"v_not_b32", FOLD_NOT}, {"v_and_b32", FOLD_AND}, {"v_and_b16", FOLD_AND},
		{"v_or_b32", FOLD_OR}, {"v_or_b16", FOLD_OR}, {"v_xor_b32", FOLD_XOR},
		{"v_xor_b16", FOLD_XOR}, {"v_or3_b32", FOLD_OR3}, {"v_and_or_b32", FOLD_AND_OR},
		{"v_bfi_b32", FOLD_BFI}, {"v_lshlrev_b32", FOLD_SHLREV},
		{"v_lshrrev_b32", FOLD_SHRREV}, {"v_lshlrev_b16", FOLD_SHLREV_16},
		{"v_lshrrev_b16", FOLD_SHRREV_16}, {"v_lshl_or_b32", FOLD_SHL_OR},
		{"v_alignbit_b32", FOLD_ALIGN_BIT}, {"v_alignbyte_b32", FOLD_ALIGN_BYTE},
		{"v_perm_b32", FOLD_PERM}, {"v_bfe_u32", FOLD_BFE},
		{"v_pack_b32_f16", FOLD_PACK_LL}, {"v_cvt_f32_bf16", FOLD_HIGH},
		{"s_mov_b32", FOLD_MOVE}, {"s_mov_b64", FOLD_MOVE}, {"s_not_b32", FOLD_NOT},
		{"s_and_b32", FOLD_AND}, {"s_andn2_b32", FOLD_ANDN2}, {"s_or_b32", FOLD_OR},
		{"s_xor_b32", FOLD_XOR}, {"s_lshl_b32", FOLD_SHL}, {"s_lshr_b32", FOLD_SHR},
		{"s_pack_ll_b32_b16", FOLD_PACK_LL}, {"s_pack_lh_b32_b16", FOLD_PACK_LH},
		{"s_pack_hh_b32_b16", FOLD_PACK_HH}, {"s_pack_hl_b32_b16", FOLD_PACK_HL}};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(all[i].row, row) == 0) {
			return all[i].fold;
		}
	}
	return FOLD_NONE;
}

static bool constant(uint32_t *out, const struct slot s[4])
{
	*out = 0;
	for (unsigned k = 0; k < 4; k++) {
		*out |= (uint32_t)s[k].flip << 8 * k;
	}
	return !s[0].of && !s[1].of && !s[2].of && !s[3].of;
}

static bool same_slot(const struct slot *x, const struct slot *y)
{
	return x->of == y->of && x->at == y->at && x->keep == y->keep && x->flip == y->flip;
}

static bool and_byte(struct slot *d, struct slot a, struct slot b)
{
	if (a.of && b.of) {
		*d = a;
		return same_slot(&a, &b);
	}
	*d = a.of ? slot_bits(a, b.flip, 0) : slot_bits(b, a.flip, 0);
	return true;
}

static bool or_byte(struct slot *d, struct slot a, struct slot b)
{
	if (a.of && b.of) {
		*d = a;
		return same_slot(&a, &b);
	}
	struct slot x = a.of ? a : b;
	uint8_t set = a.of ? b.flip : a.flip;
	*d = slot_bits(x, (uint8_t)~set, set);
	return true;
}

static bool xor_byte(struct slot *d, struct slot a, struct slot b)
{
	*d = a.of ? slot_bits(a, 0xff, b.flip) : slot_bits(b, 0xff, a.flip);
	return !a.of || !b.of;
}

typedef bool byte_fn(struct slot *d, struct slot a, struct slot b);

static bool each(struct slot d[4], const struct slot a[4], const struct slot b[4], byte_fn *fn)
{
	bool ok = true;
	for (unsigned k = 0; k < 4; k++) {
		ok &= fn(&d[k], a[k], b[k]);
	}
	return ok;
}

static void not_each(struct slot d[4], const struct slot a[4])
{
	for (unsigned k = 0; k < 4; k++) {
		d[k] = slot_bits(a[k], 0xff, 0xff);
	}
}

/* Shifts by whole bytes: up, or down if negative. */
static void shift(struct slot d[4], const struct slot a[4], int bytes, int of)
{
	struct slot r[4];
	for (int k = 0; k < 4; k++) {
		int from = k - bytes;
		r[k] = k < of && from >= 0 && from < of ? a[from] : slot_constant(0);
	}
	memcpy(d, r, sizeof(r));
}

static bool shift_by(
	struct slot d[4], const struct slot a[4], const struct slot by[4], int sign, int of)
{
	uint32_t n;
	if (!constant(&n, by) || n % 8) {
		return false;
	}
	shift(d, a, sign * (int)((n & (uint32_t)(8 * of - 1)) / 8), of);
	return true;
}

/* Selects four bytes from a:b. */
static bool align(struct slot d[4], const struct slot a[4], const struct slot b[4], uint32_t bytes)
{
	for (unsigned k = 0; k < 4; k++) {
		unsigned from = k + bytes;
		d[k] = from < 4 ? b[from] : a[from - 4];
	}
	return true;
}

static bool perm(
	struct slot d[4], const struct slot a[4], const struct slot b[4], const struct slot c[4])
{
	uint32_t selector;
	if (!constant(&selector, c)) {
		return false;
	}
	for (unsigned k = 0; k < 4; k++) {
		uint32_t s = selector >> 8 * k & 0xff;
		if (s >= 8 && s < 12) { /* a sign byte */
			return false;
		}
		d[k] = s >= 13	 ? slot_constant(0xff)
		       : s == 12 ? slot_constant(0)
		       : s >= 4	 ? a[s - 4]
				 : b[s];
	}
	return true;
}

static bool bfe(
	struct slot d[4], const struct slot a[4], const struct slot b[4], const struct slot c[4])
{
	uint32_t from, width;
	if (!constant(&from, b) || !constant(&width, c) || (from & 31) % 8 || (width & 31) % 8) {
		return false;
	}
	shift(d, a, -(int)((from & 31) / 8), 4);
	for (unsigned k = (width & 31) / 8; k < 4; k++) {
		d[k] = slot_constant(0);
	}
	return true;
}

static bool bfi(
	struct slot d[4], const struct slot a[4], const struct slot b[4], const struct slot c[4])
{
	struct slot x[4], y[4], no[4];
	not_each(no, a);
	return each(x, a, b, and_byte) && each(y, no, c, and_byte) && each(d, x, y, or_byte);
}

static bool pack(struct slot d[4], const struct slot *low, const struct slot *high)
{
	struct slot r[4] = {low[0], low[1], high[0], high[1]};
	memcpy(d, r, sizeof(r));
	return true;
}

bool fold(struct slot d[4], enum fold how, const struct slot a[4], const struct slot b[4],
	const struct slot c[4])
{
	uint32_t n;
	struct slot x[4];
	switch (how) {
	case FOLD_NONE:
		return false;
	case FOLD_MOVE:
		memcpy(d, a, 4 * sizeof(*d));
		return true;
	case FOLD_NOT:
		not_each(d, a);
		return true;
	case FOLD_AND:
		return each(d, a, b, and_byte);
	case FOLD_ANDN2:
		not_each(x, b);
		return each(d, a, x, and_byte);
	case FOLD_OR:
		return each(d, a, b, or_byte);
	case FOLD_XOR:
		return each(d, a, b, xor_byte);
	case FOLD_OR3:
		return each(x, a, b, or_byte) && each(d, x, c, or_byte);
	case FOLD_AND_OR:
		return each(x, a, b, and_byte) && each(d, x, c, or_byte);
	case FOLD_BFI:
		return bfi(d, a, b, c);
	case FOLD_SHL:
		return shift_by(d, a, b, 1, 4);
	case FOLD_SHR:
		return shift_by(d, a, b, -1, 4);
	case FOLD_SHLREV:
		return shift_by(d, b, a, 1, 4);
	case FOLD_SHRREV:
		return shift_by(d, b, a, -1, 4);
	case FOLD_SHLREV_16:
		return shift_by(d, b, a, 1, 2);
	case FOLD_SHRREV_16:
		return shift_by(d, b, a, -1, 2);
	case FOLD_SHL_OR:
		return shift_by(x, a, b, 1, 4) && each(d, x, c, or_byte);
	case FOLD_ALIGN_BIT:
		return constant(&n, c) && n % 8 == 0 && align(d, a, b, (n & 31) / 8);
	case FOLD_ALIGN_BYTE:
		return constant(&n, c) && align(d, a, b, n & 3);
	case FOLD_PERM:
		return perm(d, a, b, c);
	case FOLD_BFE:
		return bfe(d, a, b, c);
	case FOLD_PACK_LL:
		return pack(d, a, b);
	case FOLD_PACK_LH:
		return pack(d, a, b + 2);
	case FOLD_PACK_HH:
		return pack(d, a + 2, b + 2);
	case FOLD_PACK_HL:
		return pack(d, a + 2, b);
	case FOLD_HIGH:
		shift(d, a, 2, 4);
		return true;
	}
	return false;
}

/* ---- equivalent rows ---- */

const char *fold_name(const char *row)
{
	static const char *const same[][2] = {{"v_fmac_f32", "v_fma_f32"},
		{"v_fmamk_f32", "v_fma_f32"}, {"v_fmaak_f32", "v_fma_f32"},
		{"v_pk_fma_f32", "v_fma_f32"}, {"v_fmac_f64", "v_fma_f64"},
		{"v_fmac_f16", "v_fma_f16"}, {"v_fmamk_f16", "v_fma_f16"},
		{"v_fmaak_f16", "v_fma_f16"}, {"v_pk_fma_f16", "v_fma_f16"},
		{"v_mac_f32", "v_mad_f32"}, {"v_madmk_f32", "v_mad_f32"},
		{"v_madak_f32", "v_mad_f32"}, {"v_mac_f16", "v_mad_f16"},
		{"v_madmk_f16", "v_mad_f16"}, {"v_madak_f16", "v_mad_f16"},
		{"v_pk_add_f32", "v_add_f32"}, {"v_pk_mul_f32", "v_mul_f32"},
		{"v_pk_add_f16", "v_add_f16"}, {"v_pk_mul_f16", "v_mul_f16"},
		{"v_dot2c_f32_f16", "v_dot2_f32_f16"}, {"v_dot2c_f32_bf16", "v_dot2_f32_bf16"},
		{"v_dot2c_f32_bf16_gfx950", "v_dot2_f32_bf16_gfx950"},
		{"v_rcp_iflag_f32", "v_rcp_f32"}, {"v_add_i32", "v_add_u32"},
		{"v_sub_i32", "v_sub_u32"}};
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		if (strcmp(same[i][0], row) == 0) {
			return same[i][1];
		}
	}
	return row;
}

unsigned fold_commutes(const char *row)
{
	static const struct {
		const char *row;
		unsigned sources;
	} all[] = {{"v_add_u32", 2}, {"v_mul_lo_u32", 2}, {"v_mul_hi_u32", 2}, {"v_mul_hi_i32", 2},
		{"v_mul_u32_u24", 2}, {"v_mul_i32_i24", 2}, {"v_mad_u32_u24", 2},
		{"v_mad_i32_i24", 2}, {"v_and_b32", 2}, {"v_or_b32", 2}, {"v_xor_b32", 2},
		{"v_xnor_b32", 2}, {"v_add3_u32", 3}, {"v_or3_b32", 3}, {"v_xor3_b32", 3},
		{"v_min_u32", 2}, {"v_max_u32", 2}, {"v_min_i32", 2}, {"v_max_i32", 2},
		{"v_min3_u32", 3}, {"v_max3_u32", 3}, {"v_min3_i32", 3}, {"v_max3_i32", 3},
		{"v_add_u16", 2}, {"v_mul_lo_u16", 2}, {"v_min_u16", 2}, {"v_max_u16", 2},
		{"v_min_i16", 2}, {"v_max_i16", 2}};
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		if (strcmp(all[i].row, row) == 0) {
			return all[i].sources;
		}
	}
	return 0;
}

/* Maps each relation to one of a few canonical ones. */
void fold_compare(struct fold_compare *out, const char *row)
{
	static const struct {
		const char *relation, *by;
		bool swap, negate, commutes;
	} floats[] = {{"gt", "lt", true, false, false}, {"ge", "le", true, false, false},
		{"neq", "eq", false, true, true}, {"nlt", "lt", false, true, false},
		{"nle", "le", false, true, false}, {"ngt", "lt", true, true, false},
		{"nge", "le", true, true, false}, {"nlg", "lg", false, true, true},
		{"u", "o", false, true, true}, {"eq", "eq", false, false, true},
		{"lg", "lg", false, false, true}, {"o", "o", false, false, true}},
	  integers[] = {{"gt", "lt", true, false, false}, {"ge", "lt", false, true, false},
		  {"le", "lt", true, true, false}, {"ne", "eq", false, true, true},
		  {"lg", "eq", false, true, true}, {"eq", "eq", false, false, true}};
	const char *relation = strncmp(row, "v_cmp_", 6) == 0	? row + 6
			       : strncmp(row, "s_cmp_", 6) == 0 ? row + 6
								: NULL;
	const char *type = relation ? strchr(relation, '_') : NULL;
	snprintf(out->name, sizeof(out->name), "%s", row);
	out->swap = out->negate = out->commutes = false;
	if (!type || strncmp(relation, "class", 5) == 0) {
		return;
	}
	bool is_float = type[1] == 'f';
	size_t n = is_float ? sizeof(floats) / sizeof(floats[0])
			    : sizeof(integers) / sizeof(integers[0]);
	for (size_t i = 0; i < n; i++) {
		const char *name = is_float ? floats[i].relation : integers[i].relation;
		if (strlen(name) == (size_t)(type - relation) &&
			strncmp(name, relation, strlen(name)) == 0) {
			snprintf(out->name, sizeof(out->name), "%.6s%s%s", row,
				is_float ? floats[i].by : integers[i].by, type);
			out->swap = is_float ? floats[i].swap : integers[i].swap;
			out->negate = is_float ? floats[i].negate : integers[i].negate;
			out->commutes = is_float ? floats[i].commutes : integers[i].commutes;
			return;
		}
	}
}
