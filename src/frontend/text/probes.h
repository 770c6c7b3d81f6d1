#pragma once
/*
 * Probes: functions that unphi adds after the end of a text, where no offset of it changes, that
 * name what libclang does not show: the explicit instantiations of the text, spelled there (in
 * namespaces, too) or made by a macro, and the kernel templates that nothing instantiates, with
 * assumed arguments. Internal to the frontend.
 */
#include "base/array.h"
#include "base/map.h"
#include "base/str.h"

struct probe_macro {
	struct str params; /* without parentheses */
	struct str body;   /* lines joined */
	unsigned number;   /* of our macro that stands for it; 0: not asked for yet */
};

struct probe {
	struct str text; /* one line, with its namespaces */
	size_t at;	 /* in the text: what it stands for */
	size_t begin;	 /* in the text with the probes */
	size_t end;
	bool bad; /* does not parse, or #if leaves it out: no part of the text any more */
};

struct probes {
	struct arena *arena;
	ARRAY(struct probe) each;
	struct sbuf macros;	  /* our definitions */
	struct map known;	  /* name -> struct probe_macro, of macros with parameters */
	ARRAY(const char *) open; /* macros used at file scope whose definition is elsewhere */
	unsigned numbers;
	bool conditional; /* some stand under #if */
};

/* What text asks for. A second call, with definitions added, finds what stays open in the first. */
void probes_find(struct probes *p, struct str text);
/* A macro of a header: definition is "NAME(a, b) body", as spelled. */
void probes_define(struct probes *p, struct str definition);
/* One that takes the address of the kernel name<args> in the scope "a::b" or "". */
void probes_add_kernel(struct probes *p, const char *qualified);
/* text, which ends where it ends in the file, and the probes that are not bad. */
void probes_append(struct probes *p, struct sbuf *text);
void probes_release(struct probes *p);
