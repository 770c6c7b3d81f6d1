#include "kernel/enum_names.h"

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const char *const type_word[] = {
	[KT_T_OTHER] = "other",
	[KT_T_VOID] = "void",
	[KT_T_BOOL] = "bool",
	[KT_T_INT] = "int",
	[KT_T_FLOAT] = "float",
	[KT_T_POINTER] = "pointer",
	[KT_T_REFERENCE] = "reference",
	[KT_T_ARRAY] = "array",
	[KT_T_VECTOR] = "vector",
	[KT_T_RECORD] = "record",
};

static const char *const sym_word[] = {
	[KT_S_LOCAL] = "local",
	[KT_S_PARAM] = "param",
	[KT_S_GLOBAL] = "global",
	[KT_S_FIELD] = "field",
	[KT_S_CONST] = "const",
};

static const char *const owner_word[] = {
	[KT_OWNER_UNKNOWN] = "unknown",
	[KT_OWNER_RUN] = "run",
	[KT_OWNER_OBJECT] = "object",
	[KT_OWNER_STATIC] = "static",
	[KT_OWNER_NONE] = "none",
};

static const char *const space_word[] = {
	[KT_PRIVATE] = "private",
	[KT_SHARED] = "shared",
	[KT_GLOBAL] = "global",
	[KT_CONSTANT] = "constant",
};

static const char *const fn_word[] = {
	[KT_FN_HOST] = "host",
	[KT_FN_DEVICE] = "device",
	[KT_FN_KERNEL] = "kernel",
};

static const char *const op_word[KT_OP_COUNT] = {
	[KT_OP_NONE] = "none",
	[KT_OP_ADD] = "add",
	[KT_OP_SUB] = "sub",
	[KT_OP_MUL] = "mul",
	[KT_OP_DIV] = "div",
	[KT_OP_REM] = "rem",
	[KT_OP_SHL] = "shl",
	[KT_OP_SHR] = "shr",
	[KT_OP_AND] = "and",
	[KT_OP_OR] = "or",
	[KT_OP_XOR] = "xor",
	[KT_OP_LAND] = "land",
	[KT_OP_LOR] = "lor",
	[KT_OP_LT] = "lt",
	[KT_OP_GT] = "gt",
	[KT_OP_LE] = "le",
	[KT_OP_GE] = "ge",
	[KT_OP_EQ] = "eq",
	[KT_OP_NE] = "ne",
	[KT_OP_COMMA] = "comma",
	[KT_OP_NEG] = "neg",
	[KT_OP_PLUS] = "plus",
	[KT_OP_NOT] = "not",
	[KT_OP_LNOT] = "lnot",
	[KT_OP_DEREF] = "deref",
	[KT_OP_ADDR] = "addr",
	[KT_OP_PREINC] = "preinc",
	[KT_OP_PREDEC] = "predec",
	[KT_OP_POSTINC] = "postinc",
	[KT_OP_POSTDEC] = "postdec",
	[KT_OP_OTHER] = "other",
};

static const char *const flag_word[] = {
	"macro",
	"constexpr",
	NULL,
	"arrow",
	"method",
	"volatile",
	"operator",
	"argument",
	"implicit",
	"binds",
};

static const char *const if_word[KT_IF_SLOTS] = {"init", "var", "cond", "then", "else"};
static const char *const switch_word[KT_SWITCH_SLOTS] = {"init", "var", "cond", "body"};
static const char *const case_word[KT_CASE_SLOTS] = {"value", "high", "stmt"};
static const char *const for_word[KT_FOR_SLOTS] = {"init", "cond", "inc", "body"};
static const char *const range_word[KT_RANGE_SLOTS] = {"init", "var", "range", "body"};
static const char *const while_word[KT_WHILE_SLOTS] = {"var", "cond", "body"};
static const char *const do_word[KT_DO_SLOTS] = {"body", "cond"};
static const char *const cond_word[KT_COND_SLOTS] = {"cond", "then", "else"};
static const char *const member_word[KT_MEMBER_SLOTS] = {"base"};

const struct kt_names kt_type_names = {type_word, COUNT(type_word)};
const struct kt_names kt_sym_names = {sym_word, COUNT(sym_word)};
const struct kt_names kt_owner_names = {owner_word, COUNT(owner_word)};
const struct kt_names kt_space_names = {space_word, COUNT(space_word)};
const struct kt_names kt_fn_names = {fn_word, COUNT(fn_word)};
const struct kt_names kt_op_names = {op_word, COUNT(op_word)};
const struct kt_names kt_flag_names = {flag_word, COUNT(flag_word)};

static const struct kt_names slot_words[] = {
	[KT_IF] = {if_word, COUNT(if_word)},
	[KT_SWITCH] = {switch_word, COUNT(switch_word)},
	[KT_CASE] = {case_word, COUNT(case_word)},
	[KT_FOR] = {for_word, COUNT(for_word)},
	[KT_RANGE_FOR] = {range_word, COUNT(range_word)},
	[KT_WHILE] = {while_word, COUNT(while_word)},
	[KT_DO] = {do_word, COUNT(do_word)},
	[KT_COND] = {cond_word, COUNT(cond_word)},
	[KT_MEMBER] = {member_word, COUNT(member_word)},
};

struct kt_names kt_slot_names(enum kt_kind k)
{
	return k < COUNT(slot_words) ? slot_words[k] : (struct kt_names){NULL, 0};
}

const char *kt_enum_name(const struct kt_names *words, unsigned i)
{
	return i < words->n ? words->word[i] : "?";
}
