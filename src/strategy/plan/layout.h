#pragma once
/*
 * The layout of a whole file: namespaces, functions, directives and words. It is found in one pass
 * on first use, and kept with the facts. Offsets are bytes.
 */
#include "analysis/pair/pair.h"
#include "strategy/plan/plan.h"

struct layout;

/* The layout of a file of the unit. */
struct layout *layout_of(struct facts *f, kt_id file);
/* The layout of the merge's file. */
const struct layout *plan_layout(const struct plan *p);

/* Namespaces or directives around a place, the innermost first. */
struct layout_around {
	struct str name; /* between the word namespace and its brace; may be empty */
	size_t at;	 /* of the brace, or of the directive that began the branch */
	const struct layout_around *up;
};
const struct layout_around *layout_namespaces(const struct layout *l, size_t at);
bool layout_same_namespace(const struct layout *l, size_t x, size_t y);
/* The #if, #elif and #else directives around a place. */
const struct layout_around *layout_conditions(const struct layout *l, size_t at);

/* The offsets of a function's name in the code. False: no function of this file has the name. */
bool layout_mentions(const size_t **at, size_t *n, const struct layout *l, struct str name);
/* The first offset of a word in code or in a directive, not as a member's name; SIZE_MAX: none. */
size_t layout_first(const struct layout *l, struct str word);
/* Is the word in some directive's text, or what ## may make it of? */
bool layout_in_directive(const struct layout *l, struct str word);
/* The first keyword in the range that names or declares a type or a namespace (struct,
 * using, ...), or macro of the user's that has one; empty: none. */
struct str layout_type_word(const struct layout *l, size_t begin, size_t end);
/* The first directive (except loop pragmas), _Pragma, __pragma, or macro of the user's with a
 * pragma (except one for a loop) in the range; empty: none. */
struct str layout_fixed(const struct layout *l, size_t begin, size_t end);
/* All offsets of a word in code, members' names included; for a word in a directive, the
 * directive's offset. */
const size_t *layout_uses(const struct layout *l, struct str word, size_t *n);
/* The outermost function around a place, with its header; end 0: none. */
struct span layout_function(const struct layout *l, size_t at);
/* The same for a text without a parse. */
struct span layout_function_in(struct str t, size_t at);
/* Is the place at namespace scope, in no class and no other block? */
bool layout_in_namespaces(struct str t, size_t at);
/* Is a file included inside a function? */
bool layout_includes_inside(const struct layout *l);
/* Is there a directive at this place? */
bool layout_is_directive(const struct layout *l, size_t at);
