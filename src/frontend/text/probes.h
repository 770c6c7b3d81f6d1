#pragma once
/*
 * Probes: functions that unphi adds after the end of a text, so that no offset changes. They name
 * instantiations that libclang does not show: the explicit ones in the text, also in namespaces or
 * made by a macro, and those of kernel templates without an instantiation, with assumed arguments.
 * Internal to the frontend.
 */
#include "base/array.h"
#include "base/map.h"
#include "base/str.h"

struct probe_macro {
	struct str params; /* without parentheses */
	struct str body;   /* lines joined */
	unsigned number;   /* number of the probe macro for it; 0: none yet */
};

struct probe {
	struct str text; /* one line, with its namespaces */
	size_t at;	 /* offset in the text of the code that it represents */
	size_t begin;	 /* offset in the text with the probes */
	size_t end;
	bool bad; /* it does not parse, or #if excludes its code: left out */
};

struct probes {
	struct arena *arena;
	ARRAY(struct probe) each;
	struct sbuf macros;	  /* definitions of the probe macros */
	struct map known;	  /* name -> struct probe_macro, of macros with parameters */
	ARRAY(const char *) open; /* macros used at file scope and not defined in the text */
	unsigned numbers;
	bool conditional; /* some are inside an #if */
};

/* Finds the probes of text. Call it again after adding definitions for the macros in open. */
void probes_find(struct probes *p, struct str text);
/* Adds a macro of a header: definition is "NAME(a, b) body", as spelled. */
void probes_define(struct probes *p, struct str definition);
/* Adds a probe that takes the address of the kernel "a::b::name<args>". */
void probes_add_kernel(struct probes *p, const char *qualified);
/* Appends the good probes to text. */
void probes_append(struct probes *p, struct sbuf *text);
void probes_release(struct probes *p);
