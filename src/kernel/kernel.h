#pragma once
/*
 * The kernel tree: one translation unit, parsed for one target, as plain data. No clang in it.
 *
 * Invariants (kt_check):
 * - Ids index the unit's arrays; id 0 is "none" and its slot is zeroed.
 * - A node's range [begin, end) is its text, as byte offsets into its file. The range of a
 *   statement includes its semicolon. Without KT_F_MACRO, children are inside their parent's range
 *   and, if its kind has no fixed slots, in source order.
 * - Kinds with fixed slots (kt_slots) always have that many children; an absent one is NULL. No
 *   other child is NULL, except the object of a method call on the implicit this.
 * - Every child knows its parent and its slot there: kt_link sets both. No node is deeper than
 *   KT_DEPTH_MAX: deeper code is a KT_EXPR_UNKNOWN or KT_STMT_UNKNOWN without children.
 * - KT_F_MACRO marks a node whose first and last tokens are not spelled at its place in the file
 *   (macro bodies, arguments, other files). Its range does not delimit its text. A parent of such a
 *   node is not marked by that: its own ends can be edited. The range of an expression in a macro
 *   argument is its text there (KT_F_ARGUMENT). Several nodes have that range if the macro uses its
 *   parameter twice.
 * - Parentheses, implicit conversions and attributes of statements have no node. Explicit casts
 *   have one.
 * - Whatever runs has a node. Code that runs without being written (destructors, default arguments,
 *   members' initializers, begin and end of a range, ...) is marked KT_F_IMPLICIT, with all nodes
 *   below. It is at the place where it runs: after the last statement of a scope, before a jump out
 *   of it, among the arguments, in a constructor's body. A function that the compiler generates has
 *   a body of such nodes, or is_trivial. Unknown code is a call without a function, or an unknown
 *   node.
 * - A function with a body is an instantiation with concrete types; its ranges are those of the
 *   pattern, which several instantiations share. Edit patterns, analyse instantiations.
 * Everything lives in the unit's arena.
 */
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "base/arena.h"
#include "base/str.h"

typedef uint32_t kt_id;

enum {
	KT_DEPTH_MAX = 512, /* a body has depth 1; a limit, because walks may recurse */
	KT_FILES_MAX = UINT16_MAX,
	KT_CHILDREN_MAX = (1 << 22) - 1,
};

enum kt_type_kind {
	KT_T_OTHER, /* dependent, function, ...: unknown */
	KT_T_VOID,
	KT_T_BOOL,
	KT_T_INT, /* integers, characters, enums */
	KT_T_FLOAT,
	KT_T_POINTER,
	KT_T_REFERENCE,
	KT_T_ARRAY,
	KT_T_VECTOR,
	KT_T_RECORD,
};

struct kt_field {
	const char *name;
	kt_id type;
	int64_t at; /* bytes from the record's start; -1: unknown, or a bit-field */
};

struct kt_type {
	enum kt_type_kind kind;
	bool is_const;
	bool is_volatile;
	bool is_restrict;  /* the pointer itself is restrict */
	bool is_unsigned;  /* of an integer, not of an enumeration */
	bool trivial;	   /* can be declared without initializer and assigned byte by byte */
	bool destroys;	   /* the end of such an object runs code, or may */
	bool punned;	   /* a union, or an address may be read as another type */
	int64_t size;	   /* bytes, -1 unknown */
	int64_t align;	   /* record: bytes; 0 unknown; else 0 */
	int64_t count;	   /* array, vector: elements; -1 unknown; else 0 */
	kt_id elem;	   /* array, vector: element; pointer, reference: pointee */
	const char *name;  /* the spelling in the source: "f32x4" */
	const char *canon; /* canonical spelling; two types are the same iff these are equal */
	/* The namespaces ("a::b") or the class ("tile<4>") of the type that name names, if name
	 * leaves them out; "": a function declares it, at this place; NULL: neither. */
	const char *scope;
	kt_id scope_file;
	uint32_t scope_at;
	/* A record: its members in order; only for records (not unions) that a kernel takes, by
	 * value or by pointer, or that a list in braces makes, and for their members. An
	 * enumeration: its enumerators, with the value in at. */
	struct kt_field *field;
	size_t fields;
	bool by_name; /* it can be initialized by names: {.x = 1, .y = 2} */
};

enum kt_sym_kind {
	KT_S_LOCAL,
	KT_S_PARAM,
	KT_S_GLOBAL,
	KT_S_FIELD,
	KT_S_CONST
};

/* The owner of a symbol's storage, which determines its lifetime. */
enum kt_owner {
	/* Not certainly one of those below: it may outlive every call, and any code may change it.
	 * Such a variable is a KT_S_GLOBAL. */
	KT_OWNER_UNKNOWN,
	KT_OWNER_RUN,	 /* one run of the body of fn, which declares it: locals, parameters */
	KT_OWNER_OBJECT, /* an object: its members, and captures by copy of a closure */
	KT_OWNER_STATIC, /* static or thread lifetime, or a work-group's */
	KT_OWNER_NONE,	 /* a constant without storage */
};

enum kt_space {
	KT_PRIVATE,
	KT_SHARED,
	KT_GLOBAL,
	KT_CONSTANT
};

struct kt_sym {
	const char *name;
	enum kt_sym_kind kind;
	enum kt_owner owner;
	enum kt_space space; /* the space of the variable itself; a parameter by value is private */
	kt_id type;
	kt_id fn; /* the function of a local or parameter */
	/* capture: the variable that it copies, if no code changes the copy; 0: not a capture, or
	 * it may change */
	kt_id of;
	kt_id file;
	uint32_t at; /* byte offset of the name in its declaration */
	/* field: 1 + its byte offset in the record; 0: unknown, a bit-field, or in an anonymous
	 * record */
	int64_t offset;
	/* field that shares memory with others, since it is in a union, directly or in its
	 * anonymous records: the type of the class around these, and the offset in that; or 0 */
	kt_id united;
	int64_t united_at;
	bool is_static;
	bool is_extern;	   /* is_static, too: one object for all declarations */
	bool is_bit_field; /* a narrow one is promoted to int, even if its type is not */
};

enum kt_kind {
	KT_NONE,
	/* statements */
	KT_COMPOUND,
	KT_DECL, /* children: KT_VAR; other declarations have no node */
	KT_IF,
	KT_SWITCH,
	KT_CASE,    /* value, [high value], statement: slots */
	KT_DEFAULT, /* statement */
	KT_FOR,
	KT_RANGE_FOR,
	KT_WHILE,
	KT_DO,
	KT_RETURN,
	KT_BREAK,
	KT_CONTINUE,
	KT_GOTO,  /* text: label */
	KT_LABEL, /* text: label; child: statement */
	KT_EMPTY, /* ; */
	/* text: the whole statement. If its operands are understood, it has children: a literal,
	 * the template (with a '?' first if a macro is part of it); KT_OPERANDs, outputs first;
	 * literals, the clobbers. KT_F_VOLATILE: asm volatile. */
	KT_ASM,
	KT_STMT_UNKNOWN,
	/* declares sym; child: initializer, if any. type: the variable's */
	KT_VAR,
	/* expressions */
	KT_REF,	   /* sym, or fn for a function name */
	KT_MEMBER, /* base.field, base->field: slot base (NULL: this); sym, text: field */
	KT_INDEX,  /* base, index */
	KT_CALL,   /* fn and/or text (callee's name); children: arguments, with KT_F_METHOD after
		      the object */
	KT_UNARY,
	KT_BINARY,
	KT_ASSIGN,  /* op: KT_OP_NONE for =, else the operator of op= */
	KT_COND,    /* ?: */
	KT_LITERAL, /* text: as spelled */
	KT_CAST,    /* explicit cast to type */
	KT_INIT_LIST,
	KT_CONSTRUCT, /* T(args): fn: the constructor */
	/* no fn: calls lead to the body; children: captures, *this by copy */
	KT_LAMBDA,
	KT_THIS,
	KT_SIZEOF,  /* unevaluated operand: no children */
	KT_OPERAND, /* of a KT_ASM: text: [name] and constraint, "[x] +v"; child: the value */
	KT_EXPR_UNKNOWN,
	KT_KIND_COUNT
} __attribute__((packed));

/* Slots of kinds with fixed children. *_VAR holds a KT_VAR; the condition may then be absent. */
enum {
	KT_IF_INIT,
	KT_IF_VAR,
	KT_IF_COND,
	KT_IF_THEN,
	KT_IF_ELSE,
	KT_IF_SLOTS
};
enum {
	KT_SWITCH_INIT,
	KT_SWITCH_VAR,
	KT_SWITCH_COND,
	KT_SWITCH_BODY,
	KT_SWITCH_SLOTS
};
enum {
	KT_CASE_VALUE,
	KT_CASE_HIGH,
	KT_CASE_STMT,
	KT_CASE_SLOTS
};
enum {
	KT_FOR_INIT,
	KT_FOR_COND,
	KT_FOR_INC,
	KT_FOR_BODY,
	KT_FOR_SLOTS
};
enum {
	KT_RANGE_INIT,
	KT_RANGE_VAR,
	KT_RANGE_RANGE,
	KT_RANGE_BODY,
	KT_RANGE_SLOTS
};
enum {
	KT_WHILE_VAR,
	KT_WHILE_COND,
	KT_WHILE_BODY,
	KT_WHILE_SLOTS
};
enum {
	KT_DO_BODY,
	KT_DO_COND,
	KT_DO_SLOTS
};
enum {
	KT_COND_COND,
	KT_COND_THEN,
	KT_COND_ELSE,
	KT_COND_SLOTS
}; /* a ?: b has no KT_COND_THEN */
enum {
	KT_MEMBER_BASE,
	KT_MEMBER_SLOTS
};

enum kt_op {
	KT_OP_NONE,
	KT_OP_ADD,
	KT_OP_SUB,
	KT_OP_MUL,
	KT_OP_DIV,
	KT_OP_REM,
	KT_OP_SHL,
	KT_OP_SHR,
	KT_OP_AND,
	KT_OP_OR,
	KT_OP_XOR,
	KT_OP_LAND,
	KT_OP_LOR,
	KT_OP_LT,
	KT_OP_GT,
	KT_OP_LE,
	KT_OP_GE,
	KT_OP_EQ,
	KT_OP_NE,
	KT_OP_COMMA,
	KT_OP_NEG,
	KT_OP_PLUS,
	KT_OP_NOT,
	KT_OP_LNOT,
	KT_OP_DEREF,
	KT_OP_ADDR,
	KT_OP_PREINC,
	KT_OP_PREDEC,
	KT_OP_POSTINC,
	KT_OP_POSTDEC,
	KT_OP_OTHER,
	KT_OP_COUNT
} __attribute__((packed));

enum kt_flag {
	KT_F_MACRO = 1 << 0,	 /* its first or last token comes from a macro: never edit */
	KT_F_CONSTEXPR = 1 << 1, /* if constexpr */
	KT_F_VALUE = 1 << 2,	 /* value holds the node's constant */
	KT_F_ARROW = 1 << 3,	 /* member through a pointer */
	KT_F_METHOD = 1 << 4,	 /* call: child 0 is the object */
	KT_F_VOLATILE = 1 << 5,	 /* the access is volatile */
	KT_F_OPERATOR = 1 << 6,	 /* call written as an overloaded operator; op says which */
	KT_F_ARGUMENT = 1 << 7,	 /* with KT_F_MACRO: spelled as a macro's argument, at its range */
	KT_F_IMPLICIT =
		1 << 8, /* with KT_F_MACRO: runs here by the rules of the language, without text */
	KT_F_BINDS = 1 << 9, /* assignment, list: binds a member that is a reference, or several */
	KT_F_ALL = (1 << 10) - 1,
};

/* A unit has millions of nodes: keep this at 64 bytes. */
struct kt_node {
	enum kt_kind kind;
	enum kt_op op;
	uint16_t file;	     /* a kt_id up to KT_FILES_MAX */
	unsigned flags : 10; /* enum kt_flag */
	unsigned n : 22;     /* children, up to KT_CHILDREN_MAX */
	kt_id type;
	kt_id sym;
	kt_id fn;
	uint32_t begin;
	uint32_t end;
	uint32_t slot; /* index in parent->child */
	int64_t value; /* with KT_F_VALUE */
	const char *text;
	struct kt_node *parent; /* NULL for a body */
	struct kt_node **child;
};
static_assert(sizeof(void *) > 8 || sizeof(struct kt_node) <= 64, "a node has grown");

enum kt_fn_kind {
	KT_FN_HOST,
	KT_FN_DEVICE,
	KT_FN_KERNEL
};

#define KT_NO_VALUE INT64_MIN

/* The constants of a launch. */
struct kt_launch {
	int64_t grid[3]; /* KT_NO_VALUE if unknown, here and below */
	int64_t block[3];
	int64_t lds; /* bytes of dynamic LDS */
	int64_t *argument;
	size_t arguments;
};

struct kt_fn {
	const char *name;   /* readable, with template arguments: "k<32>" */
	const char *base;   /* without scope and template arguments: "k", for intrinsic look-up */
	const char *symbol; /* mangled, or NULL */
	enum kt_fn_kind kind;
	kt_id file;	/* of the definition */
	uint32_t begin; /* the definition's range: pattern text */
	uint32_t end;
	uint32_t name_at; /* offset of the function's name in the definition */
	kt_id ret;
	kt_id *param; /* symbol ids */
	size_t params;
	/* method: a parameter symbol for its object, a reference; or 0. In a lambda's operator()
	 * the object is the closure, and captures by copy are its members. */
	kt_id self;
	/* lambda: the function with the lambda expression; 0: unknown, or several */
	kt_id around;
	bool owns_this;	 /* lambda: it has a copy of *this, [*this] */
	bool on_host;	 /* device function: the host may run it, too */
	bool is_lambda;	 /* the operator() of a lambda: see kt_this_of */
	bool is_method;	 /* has a this object */
	bool is_const;	 /* const method */
	bool is_trivial; /* generated by the compiler, without a body: it copies or does nothing */
	bool in_system_header;
	/* A bit for each argument, the last bit for all further ones. It is set if this function,
	 * or an overload outside system headers, takes that argument by T & or T &&, or if that is
	 * unknown. Overload resolution, or the type T, may then depend on whether the argument is
	 * const or a temporary. */
	uint32_t by_reference;
	/* kernel: threads of the largest block in the launches of this unit; 0: no launch; -1:
	 * unknown for a launch */
	int32_t threads;
	/* kernel: the same of those launches whose block size is known; 0: none */
	int32_t known_threads;
	/* kernel: the blocks of all these launches have one dimension, or a multiple of 64 lanes in
	 * the first */
	bool flat;
	/* kernel: the most threads of a block by its attribute (launch bounds); 0: it has none, or
	 * an instantiation spells none; -1: unknown */
	int32_t bound;
	/* kernel: the fewest waves per SIMD that its attribute asks for (the second argument of
	 * launch bounds, amdgpu_waves_per_eu); 0: none, or unknown */
	int32_t waves;
	struct kt_launch *launch; /* kernel: its first launch in this unit, or NULL */
	struct kt_node *body;	  /* NULL without a visible definition */
};

/* A kernel template of the main file without an instantiation in the unit. */
struct kt_pattern {
	const char *name;    /* with its scope */
	const char *missing; /* parameters without a known argument: "N, T" */
	kt_id file;
	uint32_t at; /* byte offset of the name */
};

/* Text that an #if excludes, starting at its #. */
struct kt_skip {
	uint32_t begin;
	uint32_t end;
};

struct kt_file {
	const char *path; /* as the compiler named it */
	struct str text;
	bool system;	      /* system header: never edited, nothing reported */
	bool main;	      /* the file on the command line */
	struct kt_skip *skip; /* in source order, if the parse was to record them */
	size_t skips;
	struct line_marks *lines; /* made when first asked for */
};

/* Slot 0 of an array is unused. The counts include it, so ids are less than the counts. */
struct kt_unit {
	struct arena *arena;
	const char *target; /* parsed for */
	unsigned wave_size; /* lanes; 0: not known */
	bool host;	    /* the host's pass: code only for devices is not compiled */
	bool erroneous;	    /* the source has errors: never edit it */
	bool open;	    /* -fgpu-rdc: other units may call its device functions */
	bool wraps;	    /* -fwrapv: signed overflow is defined */
	bool hides;	    /* code that has no tree may call functions of the unit */
	struct kt_file *file;
	size_t files;
	const char *const *read; /* paths of all that was included; NULL-terminated, or NULL */
	struct kt_type *type;
	size_t types;
	struct kt_sym *sym;
	size_t syms;
	struct kt_fn *fn;
	size_t fns;
	struct kt_pattern *pattern; /* counted from 0 */
	size_t patterns;
};

/* Line and column of a byte of a file. */
struct line_col kt_place(struct kt_unit *u, kt_id file, size_t at);
unsigned kt_line(struct kt_unit *u, kt_id file, size_t at);
const char *kt_kind_name(enum kt_kind k); /* "if", "for", "call", ... as in the text form */
const char *kt_op_name(enum kt_op op);	  /* "+", "<<", ...; "" for none, "?" for other */
bool kt_is_stmt(enum kt_kind k); /* false for an expression statement, which is its expression */
bool kt_is_loop(enum kt_kind k);
/* n, or the innermost loop around it; NULL: none. */
const struct kt_node *kt_loop_of(const struct kt_node *n);
/* n without the casts around it; NULL for NULL. */
const struct kt_node *kt_past_casts(const struct kt_node *n);
/* A variable, member, element or *p. */
bool kt_is_place(const struct kt_node *n);
/* A number, bool or pointer. */
bool kt_is_scalar(const struct kt_type *t);
/* Number of fixed slots, or 0. */
size_t kt_slots(enum kt_kind k);
/* Sets parent and slot of n's children. Call it after each change of n->child. */
void kt_link(struct kt_node *n);
/* Gives n a copy of these children in a, or NULL for none. Does not link them. */
void kt_set_children(struct kt_node *n, struct arena *a, struct kt_node *const *v, size_t count);
/* The node's text; empty when the file's text is not known. */
struct str kt_source(const struct kt_unit *u, const struct kt_node *n);
/* Does the asm n have operands? Their use is not visible in the tree. Asm from a macro counts as
 * having some, except unphi's own empty ones. */
bool kt_asm_has_operands(const struct kt_unit *u, const struct kt_node *n);
/* The asm's template, one literal with its quotes; NULL if unknown. */
const char *kt_asm_template(const struct kt_node *n);
/* Never NULL: without a type, one of kind KT_T_OTHER and unknown size. */
const struct kt_type *kt_type_of(const struct kt_unit *u, const struct kt_node *n);
/* Looks through references: the type of the object. Never NULL, as above. */
const struct kt_type *kt_object_type(const struct kt_unit *u, kt_id type);
/* The element type of an array of any dimensions; t itself if it is not an array. */
const struct kt_type *kt_element_type(const struct kt_unit *u, const struct kt_type *t);
/* Are both the same type, even under different names? */
bool kt_same_type(const struct kt_unit *u, kt_id x, kt_id y);
/* Spelling of a type without top-level const and restrict: the canonical one or the source's; and
 * the same in the arena. */
struct str kt_type_bare(const struct kt_type *t, bool canonical);
const char *kt_type_bare_name(struct arena *a, const struct kt_type *t, bool canonical);
/* VGPRs per lane that a value takes; 0: unknown. */
unsigned kt_type_width(const struct kt_type *t);
/* Is the object that n denotes a pointer, an array? */
bool kt_is_pointer(const struct kt_unit *u, const struct kt_node *n);
bool kt_is_array(const struct kt_unit *u, const struct kt_node *n);
/* May a value of this type hold a pointer? Integers cast from pointers do not count. */
bool kt_may_hold_pointer(const struct kt_type *t);
/* Is n the name of this variable? NULL is none. */
static inline bool kt_names(const struct kt_node *n, kt_id sym)
{
	return n && n->kind == KT_REF && n->sym == sym;
}
/* Is n ++x, --x, x++ or x--? */
static inline bool kt_is_step(const struct kt_node *n)
{
	return n->kind == KT_UNARY && n->op >= KT_OP_PREINC && n->op <= KT_OP_POSTDEC;
}
/* Is n an element or an access through a pointer: x[i], *p, p->m? */
static inline bool kt_is_access(const struct kt_node *n)
{
	return n->kind == KT_INDEX || (n->kind == KT_UNARY && n->op == KT_OP_DEREF) ||
	       (n->kind == KT_MEMBER && n->flags & KT_F_ARROW);
}
/* The owner of a symbol of that kind, unless its owner is unknown. */
enum kt_owner kt_owner_of(enum kt_sym_kind kind);
/* The parameter symbol that `this` points to in the body of fn: in a lambda, that of the function
 * around it, or its closure if that has a copy of *this. 0: unknown. */
kt_id kt_this_of(const struct kt_unit *u, kt_id fn);
/* A local variable or a parameter, owned by one run of its function; 0 is none. */
bool kt_is_variable(const struct kt_unit *u, kt_id sym);
/* Is the symbol declared as a reference? */
bool kt_is_reference(const struct kt_unit *u, kt_id sym);
/* Is it a structured binding? That is an unknown statement whose first children are KT_VARs: the
 * unnamed object, and the references to its parts. */
bool kt_is_binding(const struct kt_unit *u, const struct kt_node *n);
/* Is f a call operator of this KT_LAMBDA? A generic lambda has one for each list of arguments. */
bool kt_is_function_of(const struct kt_fn *f, const struct kt_node *lambda);
/* Are the variables that n declares its children (among others)? */
bool kt_declares(const struct kt_unit *u, const struct kt_node *n);
/* The parameter that receives argument n, if the function has a body; else 0. */
kt_id kt_param_of(const struct kt_unit *u, const struct kt_node *n);
/* May the expression around n write it: is n on the left of an assignment, an operand of ++ or --,
 * the first operand of an overloaded operator, or an operand of asm? */
bool kt_is_target(const struct kt_node *n);
/* Is n below up, or up itself? */
bool kt_is_below(const struct kt_node *n, const struct kt_node *up);
/* The child of up that is n or is above n; NULL if n is not below up. */
const struct kt_node *kt_child_around(const struct kt_node *n, const struct kt_node *up);
/* The full expression that n is part of: the child of a statement or a variable. */
const struct kt_node *kt_full_expression(const struct kt_node *n);
/* Is there a label, of a switch or a goto, in root? */
bool kt_may_be_jumped_into(const struct kt_node *root);
/* Is the range of n its text in the source, even if only as a macro's argument? */
bool kt_is_spelled(const struct kt_node *n);
/* Is the value of n that of a bit-field? */
bool kt_is_bit_field(const struct kt_unit *u, const struct kt_node *n);
/* The bit in by_reference of struct kt_fn for an argument, from 0. */
uint32_t kt_argument_bit(size_t argument);
/* Without variables and calls: it may have to be constant for a declaration, a builtin or a
 * template. */
bool kt_is_constant(const struct kt_node *root);
/* Is n the rest of a tree that is too deep: an unknown statement with a text? */
bool kt_is_cut(const struct kt_node *n);
/* Does the expression need parentheses as an operand of ?: : is it an assignment, a comma or ?:,
 * overloaded or not, or unknown? */
bool kt_binds_loosely(const struct kt_node *n);
/* Is it x = y by an operator that the compiler generates and that copies the bytes? */
bool kt_assigns_bytes(const struct kt_unit *u, const struct kt_node *n);
/* A call of code outside this unit: builtins, system headers, functions without a body. */
bool kt_is_library_call(const struct kt_unit *u, const struct kt_node *n);
/* Body of any loop, or NULL. */
struct kt_node *kt_loop_body(const struct kt_node *n);
/* The condition of a for, while or do; NULL if it has none, or if n is another node. */
const struct kt_node *kt_loop_condition(const struct kt_node *n);
/* The statement after case and default labels; n itself if it is not a label; NULL if there is
 * none. */
const struct kt_node *kt_past_labels(const struct kt_node *n);

/* Does a node below root name the symbol? */
bool kt_mentions(const struct kt_node *root, kt_id sym);
/* Preorder over non-NULL nodes: for (n = root; n; n = kt_next(n, root)). Requires kt_link. */
struct kt_node *kt_next(const struct kt_node *n, const struct kt_node *root);
/* Preorder without the children of n. */
struct kt_node *kt_skip(const struct kt_node *n, const struct kt_node *root);

/* NULL if the invariants hold, else a text with the broken one, in the unit's arena. */
const char *kt_check(struct kt_unit *u);
/* The same for one function and its body. */
const char *kt_check_fn(struct kt_unit *u, kt_id id);
/* The same for all but the functions. */
const char *kt_check_tables(struct kt_unit *u);
