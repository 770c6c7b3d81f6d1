#pragma once
/*
 * The kernel tree under construction: maps libclang's types, declarations and files to ids.
 * Internal to the frontend.
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

/* A capture of a lambda: see captures.h. */
struct capture {
	CXCursor var;	  /* the variable or parameter; null: see name */
	const char *name; /* the name of a structured binding, which has no cursor */
	unsigned at;	  /* the offset of the name */
	bool own;	  /* defined in the list: [k = 0] */
	bool by_copy;	  /* or defined in the list: a member of the closure */
};

enum capture_rest {
	REST_UNKNOWN,
	REST_NONE,
	REST_COPIES,
	REST_REFERS
};

struct lambda {
	CXCursor class;
	kt_id around;		/* the function with the lambda; 0: of the host, or several */
	enum capture_rest rest; /* the captures by = or & */
	bool owns_this;
	struct capture *capture;
	size_t captures;
	ARRAY(struct cursor_slot) member; /* symbols of captures by copy */
};

#define BINDING_MISSED ((kt_id) - 1)

struct file_slot {
	CXFile file;
	kt_id id;
};

/* The uses of a kernel in host code. */
struct launches {
	unsigned named;
	unsigned launched;
	bool unknown;	 /* the block of a launch is unknown */
	bool uneven;	 /* a wave of a launch may span several rows of the block */
	int64_t threads; /* of the largest block */
	struct kt_launch *first;
};

/* The bodies of the unit's functions, packed to save memory while libclang holds its own. */
struct bodies {
	struct arena *arena;
	ARRAY(struct str) of; /* parallel to fns: packed; p NULL: none */
};

/* Code that the end of a scope runs. */
struct scope_end {
	kt_id sym;
	CXType type;
	/* the function of a cleanup attribute, or the end of a temporary bound to sym */
	bool unknown;
};

struct builder {
	CXTranslationUnit tu;
	struct arena *arena;
	struct arena *scratch; /* for the body being converted */
	struct sbuf packing;   /* for the body being converted, too */
	struct bodies bodies;
	const struct intrinsic_db *intrinsics;
	struct str main_text; /* content of the main file, if it is not that on disk */
	CXFile header;	      /* the header that is rewritten, or NULL */
	const char *header_path;
	struct map names; /* libclang's name of a file -> the user's, const char * */
	ARRAY(struct kt_file) files;
	ARRAY(struct kt_type) types;
	ARRAY(struct kt_sym) syms;
	ARRAY(struct kt_fn) fns;
	ARRAY(CXCursor) fn_cursor;	 /* parallel to fns: where the body is */
	ARRAY(struct launches) launches; /* parallel to fns */
	ARRAY(CXCursor) templates;	 /* templates of functions defined in the main file */
	ARRAY(struct kt_pattern) patterns;
	struct map interned; /* const char * */
	struct map type_by_ptr;
	struct map type_by_name;
	struct map sym_by_hash;	    /* -> struct cursor_slot */
	struct map binding_by_hash; /* the same for structured bindings, or BINDING_MISSED */
	struct map fn_by_hash;
	struct map lambda_by_class; /* -> struct cursor_slot: index into lambdas, and 1 */
	ARRAY(struct lambda) lambdas;
	struct map changed;	 /* launch.c: variables that may be written */
	struct map changed_in;	 /* functions and classes that were searched for these */
	struct map by_reference; /* names of functions: struct kt_fn */
	struct map records;	 /* records.c */
	unsigned provided;	 /* bits of enum record_op that a class of the unit defines */
	bool hides;		 /* struct kt_unit */
	bool has_templates;	 /* outside system headers */
	ARRAY(CXType) type_of;	 /* parallel to types */
	ARRAY(struct file_slot) file_slots;
	kt_id cur_fn;	/* the function being converted */
	kt_id cur_file; /* its file */
	bool cur_device;
	bool in_probe; /* the current host function is a probe */
	unsigned depth;
	uint32_t implicit_at;	     /* offset in cur_file for implicit nodes */
	bool owned;		     /* the next object made is not a temporary */
	ARRAY(struct scope_end) end; /* of all open scopes, the innermost last */
	size_t break_end;	     /* a break leaves the scopes from this index */
	size_t continue_end;
};

void builder_init(struct builder *b, CXTranslationUnit tu, struct arena *a);
void builder_release(struct builder *b);
/* Moves everything to a unit in the builder's arena, and the bodies, still packed, to *bodies; the
 * caller releases those. */
struct kt_unit *builder_finish(struct builder *b, const char *target, struct bodies *bodies);
void bodies_release(struct bodies *b);

/* in: any place in the file. The file's start would make libclang load all places of a precompiled
 * header. */
kt_id builder_file(struct builder *b, CXFile f, CXSourceLocation in);
/* The file and offset of a location. */
void builder_place(struct builder *b, CXSourceLocation loc, kt_id *file, uint32_t *offset);
kt_id builder_type(struct builder *b, CXType t);
/* For an array, the type of a pointer to its elements. A parameter declared as an array has this
 * type, but libclang gives it, and expressions of it, an array type. */
kt_id builder_decayed(struct builder *b, kt_id array);
/* The type of a reference to elem. */
kt_id builder_reference(struct builder *b, kt_id elem);
/* Without the reference. */
kt_id builder_object_type(const struct builder *b, kt_id type);
/* Looks up a cursor in a map of cursor_slots; 0: none. */
kt_id cursor_get(const struct map *m, CXCursor c);
/* Adds c, which must be new, to m. */
void cursor_set(struct builder *b, struct map *m, CXCursor c, kt_id id);
/* The symbol of a variable, parameter, field or enumerator. A local whose declaration was not seen
 * has an unknown owner. */
kt_id builder_sym(struct builder *b, CXCursor decl);
/* The same at the declaration: the symbol is owned by a run of the function being converted. */
kt_id builder_declare(struct builder *b, CXCursor decl);
/* The symbol of a structured binding, a local reference; 0 if it is not one, or not understood.
 * Once it returned 0 for a binding it always does, so that all uses agree. */
kt_id builder_binding(struct builder *b, CXCursor decl);
/* Makes the n bindings of one declaration local references of these types. False, with no change,
 * if one was used before. */
bool builder_bind(struct builder *b, const CXCursor *decl, const kt_id *type, size_t n);
/* The id of a function; a new one is queued for conversion. 0 if it is not a function. */
kt_id builder_fn(struct builder *b, CXCursor decl);

bool builder_is_template_param(CXCursor c);		 /* a type, a value or a template */
const char *builder_text(struct builder *b, CXString s); /* copies and disposes */
/* Stores each text once, because the spellings of nodes repeat. */
const char *builder_intern(struct builder *b, struct str text);

/* convert.c: the body of fns.v[id]. */
void convert_function(struct builder *b, kt_id id);

/* collect.c: queues every function that device code instantiates, and lists the templates. */
void collect_roots(struct builder *b);
/* Adds all files but system headers, with the code that #if excludes. */
void collect_skips(struct builder *b);
/* pattern.c: adds kernel templates without an instantiation. True if job's assumptions gave one a
 * probe. */
bool collect_patterns(struct builder *b, const struct frontend_job *job, struct probes *probes);
/* errors.c: drops the bodies of functions that the compiler may have read only in part. only: the
 * one file with errors, if the others were precompiled without errors; or NULL. */
void drop_erroneous(struct builder *b, CXFile only);
/* header.c: finds the names of job's header and the number of its inclusions. */
void header_see(struct builder *b, const struct frontend_job *job);
/* launch.c: counts call if it launches a kernel. */
void launch_see(struct builder *b, CXCursor call);
/* The fields threads and flat of struct kt_fn. */
int32_t launch_threads(const struct builder *b, kt_id id);
bool launch_is_flat(const struct builder *b, kt_id id);
/* The value of a variable that never changes, or -1. */
int64_t launch_constant(struct builder *b, CXCursor variable);
/* fields.c: adds the members of records that kernels take, and of one that a list makes. */
void describe_arguments(struct builder *b);
void describe_record(struct builder *b, kt_id type);
/* bound.c: sets struct kt_fn's bound and waves. definition: the text of the kernel or of its
 * template. */
void bound_of(struct kt_fn *out, struct builder *b, CXCursor kernel, struct str file,
	struct str definition);
/* Notes the files with words of place_words.h: those in placed, one a line, and those of the
 * text. */
void collect_places(struct builder *b, struct str placed);
/* Adds the macros with parameters that the user's files define; tu must be parsed with a record of
 * macros. */
void collect_macros(struct probes *p, CXTranslationUnit tu);
/* Is it a name of a type or namespace, and so not an operand? */
bool builder_is_type_ref(CXCursor c);
