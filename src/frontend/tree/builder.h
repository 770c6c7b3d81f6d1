#pragma once
/*
 * The kernel tree under construction: libclang's types, declarations and files become ids here,
 * each once. Internal to the frontend.
 */
#include "base/array.h"
#include "base/map.h"
#include "frontend/frontend.h"
#include "frontend/clang/cursor.h"
#include "frontend/text/probes.h"
#include "kernel/pack.h"

struct kids {
	CXCursor *v;
	size_t n;
};

struct cursor_slot {
	CXCursor cursor;
	kt_id id;
	struct cursor_slot *next; /* same hash */
};

/* A lambda that was met: captures.h. */
struct capture {
	CXCursor var;	  /* a variable or parameter; null: */
	const char *name; /* a structured binding, of which libclang tells no more */
	unsigned at;	  /* where that is named */
	bool own;	  /* made in the list: [k = 0] */
	bool by_copy;	  /* or made there: a member of the closure */
};

enum capture_rest {
	REST_UNKNOWN,
	REST_NONE,
	REST_COPIES,
	REST_REFERS
};

struct lambda {
	CXCursor class;
	kt_id around;		/* the function that it stands in; 0: of the host, or several */
	enum capture_rest rest; /* what it names without a capture in its list */
	bool owns_this;
	struct capture *capture;
	size_t captures;
	ARRAY(struct cursor_slot) member; /* symbols of what is captured by copy */
};

#define BINDING_MISSED ((kt_id) - 1)

struct file_slot {
	CXFile file;
	kt_id id;
};

/* What host code does with a kernel. */
struct launches {
	unsigned named;
	unsigned launched;
	bool unknown;	 /* the block of some launch is */
	bool uneven;	 /* the block of some launch may have waves over several rows */
	int64_t threads; /* the most in a block */
	struct kt_launch *first;
};

/* The unit's functions while libclang has its memory: without their trees, which take more than
 * that. */
struct bodies {
	struct arena *arena;
	ARRAY(struct str) of; /* parallel to fns: packed; p NULL: none */
};

/* What a scope that is being converted hands on at its end. */
struct scope_end {
	kt_id sym;
	CXType type;
	bool unknown; /* a cleanup attribute's function, or a temporary that sym names */
};

struct builder {
	CXTranslationUnit tu;
	struct arena *arena;
	struct arena *scratch; /* for the body that is being converted */
	struct sbuf packing;   /* the same */
	struct bodies bodies;
	const struct intrinsic_db *intrinsics;
	struct str main_text; /* content of the main file when it was given unsaved */
	CXFile header;	      /* that is worked on, or NULL */
	const char *header_path;
	struct map names; /* libclang's name of a file -> the user's, const char * */
	ARRAY(struct kt_file) files;
	ARRAY(struct kt_type) types;
	ARRAY(struct kt_sym) syms;
	ARRAY(struct kt_fn) fns;
	ARRAY(CXCursor) fn_cursor;	 /* parallel to fns: where the body is */
	ARRAY(struct launches) launches; /* parallel to fns */
	ARRAY(CXCursor) templates;	 /* of functions that are defined in the main file */
	ARRAY(struct kt_pattern) patterns;
	struct map interned; /* const char * */
	struct map type_by_ptr;
	struct map type_by_name;
	struct map sym_by_hash;	    /* -> struct cursor_slot */
	struct map binding_by_hash; /* the same, of structured bindings; BINDING_MISSED */
	struct map fn_by_hash;
	struct map lambda_by_class; /* -> struct cursor_slot: index into lambdas, and 1 */
	ARRAY(struct lambda) lambdas;
	struct map changed;	 /* launch.c: the same, of variables that may be written */
	struct map changed_in;	 /* of functions and classes where that was looked for */
	struct map by_reference; /* names of functions: struct kt_fn */
	struct map records;	 /* records.c */
	unsigned provided;	 /* bits of enum record_op: some class of the unit's own has it */
	bool hides;		 /* struct kt_unit */
	bool has_templates;	 /* outside system headers */
	ARRAY(CXType) type_of;	 /* parallel to types, for as long as it has records */
	ARRAY(struct file_slot) file_slots;
	kt_id cur_fn;	/* the function being converted */
	kt_id cur_file; /* its file */
	bool cur_device;
	bool in_probe; /* the host function in question is ours */
	unsigned depth;
	uint32_t implicit_at;	     /* where in cur_file nodes without a text are to stand */
	bool owned;		     /* the next object that is made is no temporary */
	ARRAY(struct scope_end) end; /* of all scopes around, the innermost last */
	size_t break_end;	     /* what a break leaves: those from there on */
	size_t continue_end;
};

void builder_init(struct builder *b, CXTranslationUnit tu, struct arena *a);
void builder_release(struct builder *b);
/* Moves everything to a unit in the builder's arena, and the bodies, still packed, to *bodies; the
 * caller releases those. */
struct kt_unit *builder_finish(struct builder *b, const char *target, struct bodies *bodies);
void bodies_release(struct bodies *b);

/* in: some place in it. (Its start costs libclang all places of a precompiled header.) */
kt_id builder_file(struct builder *b, CXFile f, CXSourceLocation in);
kt_id builder_type(struct builder *b, CXType t);
/* Of an array the type of a pointer to its elements: what a parameter declared as an array is,
 * though libclang calls it, and what is calculated with it, an array. */
kt_id builder_decayed(struct builder *b, kt_id array);
/* Of elem the type of a reference to it. */
kt_id builder_reference(struct builder *b, kt_id elem);
/* In a map of cursor_slots; 0: it has none. */
kt_id cursor_get(const struct map *m, CXCursor c);
/* c is new to m. */
void cursor_set(struct builder *b, struct map *m, CXCursor c, kt_id id);
/* A variable, parameter, field or enumerator. A local of which no declaration was met is one of
 * unknown owner. */
kt_id builder_sym(struct builder *b, CXCursor decl);
/* The same where decl is declared: each run of the function being converted has its own. */
kt_id builder_declare(struct builder *b, CXCursor decl);
/* The symbol of a structured binding, a local reference; 0: it is none, or none that is understood.
 * What was once asked for in vain stays not understood, so that all that name it agree. */
kt_id builder_binding(struct builder *b, CXCursor decl);
/* Makes the n bindings of one declaration local references of these types. False: some name was
 * met before, and none is one. */
bool builder_bind(struct builder *b, const CXCursor *decl, const kt_id *type, size_t n);
/* A function; new ones are queued for conversion. 0 for what is no function. */
kt_id builder_fn(struct builder *b, CXCursor decl);

bool builder_is_template_param(CXCursor c);		 /* a type, a value or a template */
const char *builder_text(struct builder *b, CXString s); /* copies and disposes */
/* One copy of each text: what nodes are spelled like comes again and again. */
const char *builder_intern(struct builder *b, struct str text);

/* convert.c: the body of fns.v[id]. */
void convert_function(struct builder *b, kt_id id);

/* collect.c: queues every function that device code instantiates, and lists the templates. */
void collect_roots(struct builder *b);
/* All files that are no system headers, and what #if leaves out of them. */
void collect_skips(struct builder *b);
/* pattern.c: kernel templates without an instantiation. True when job's assumptions gave some of
 * them a probe. */
bool collect_patterns(struct builder *b, const struct frontend_job *job, struct probes *probes);
/* errors.c: drops the bodies of functions that the compiler may have read in part only. only: the
 * one file with errors, where the others were precompiled without any; or NULL. */
void drop_erroneous(struct builder *b, CXFile only);
/* header.c: finds out about job's header. With it the parse is one with a record. */
void header_see(struct builder *b, const struct frontend_job *job);
/* launch.c: if call launches a kernel, counts that. */
void launch_see(struct builder *b, CXCursor call);
/* struct kt_fn's threads, and flat. */
int32_t launch_threads(const struct builder *b, kt_id id);
bool launch_is_flat(const struct builder *b, kt_id id);
/* The threads that a variable which is never changed stands for, or -1. */
int64_t launch_constant(struct builder *b, CXCursor variable);
/* fields.c: the members of what kernels take. */
void describe_arguments(struct builder *b);
/* bound.c: sets struct kt_fn's bound and waves. definition: the text of the kernel or of its
 * template. */
void bound_of(struct kt_fn *out, struct builder *b, CXCursor kernel, struct str file,
	struct str definition);
/* Adds the files that hold words of place_words.h: placed, one a line, and those of the text. */
void collect_places(struct builder *b, struct str placed);
/* The macros with parameters that the user's files define; tu was parsed with a record of them. */
void collect_macros(struct probes *p, CXTranslationUnit tu);
/* Is it a name of a type or namespace, which is no operand? */
bool builder_is_type_ref(CXCursor c);
