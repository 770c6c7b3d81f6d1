#pragma once
/*
 * The layout of a whole file, which strategies ask about: found in one pass, when it is first asked
 * for, and kept with the facts. Offsets are bytes.
 */
#include "analysis/pair/pair.h"
#include "strategy/plan/plan.h"

struct layout;

/* Of a file of the unit. */
struct layout *layout_of(struct facts *f, kt_id file);
/* Of the merge's file. */
const struct layout *plan_layout(const struct plan *p);

/* Namespaces or directives around a place, the innermost first. */
struct layout_around {
	struct str name; /* what stands between the word namespace and its brace; may be empty */
	size_t at;	 /* of the brace, or of the directive that began the branch */
	const struct layout_around *up;
};
const struct layout_around *layout_namespaces(const struct layout *l, size_t at);
bool layout_same_namespace(const struct layout *l, size_t x, size_t y);
/* #if, #elif, #else and their like that the place is under. */
const struct layout_around *layout_conditions(const struct layout *l, size_t at);

/* Where a word of code is the name of a function of this file. False: no function has it. */
bool layout_mentions(const size_t **at, size_t *n, const struct layout *l, struct str name);
/* Where a word is first in code or in a directive, but as a member's name; SIZE_MAX: nowhere. */
size_t layout_first(const struct layout *l, struct str word);
/* Is the word in some directive's text, or what ## may make it of? */
bool layout_in_directive(const struct layout *l, struct str word);
/* The first word that begins there and names or declares a type or a namespace (struct, using and
 * their like); empty: none. */
struct str layout_type_word(const struct layout *l, size_t begin, size_t end);
/* The first directive (but a loop's pragma), _Pragma or __pragma that begins there; empty: none. */
struct str layout_fixed(const struct layout *l, size_t begin, size_t end);
/* Where a word is in code, as a member's name too; of a word in a directive, where that begins. */
const size_t *layout_uses(const struct layout *l, struct str word, size_t *n);
/* The outermost function around a place, from its first word on; end 0: none. */
struct span layout_function(const struct layout *l, size_t at);
/* The same of a text that no parse has. */
struct span layout_function_in(struct str t, size_t at);
/* Are only namespaces open there, no class and no other block? */
bool layout_in_namespaces(struct str t, size_t at);
/* Is a file included inside a function? */
bool layout_includes_inside(const struct layout *l);
/* Is there a directive at this place? */
bool layout_is_directive(const struct layout *l, size_t at);
