#pragma once
/*
 * The stamp of a directory: which of the names that somebody looks for it has. It is a line in a
 * list of stamps (base/kept/stamp.h). A directory with the times of its stamp has the same names.
 * One with other times is listed; only the names that are looked for count.
 */
#include <time.h>

#include "base/map.h"
#include "base/str.h"

/* Which names count. */
enum dir_names {
	DIR_NAMED = 'n',  /* those of a set */
	DIR_CONFIG = 'c', /* configuration files of a compiler: *.cfg */
	DIR_ALL = 'a',
};

struct dir_look {
	const struct map *names; /* the set, for DIR_NAMED */
	const struct map *known; /* paths that have stamps of their own; NULL: none */
	time_t before;		 /* what counts is older, or there is no stamp; 0: no such time */
};

/* Appends the stamp of the directory, or that it is not there. A link in it may change what it
 * leads to while the directory stays the same: each one that counts gets a line of its own. False
 * where there can be none. */
bool dir_add(struct sbuf *out, const char *path, enum dir_names which, const struct dir_look *look);
/* Appends the set of names, for the directories whose stamps follow. False: one of them is no name
 * of a file. */
bool dir_add_names(struct sbuf *out, const struct map *names);

/* Is it one of the lines above? */
bool dir_is_line(struct str line);
/* What is still to be read of a list of stamps. */
struct dir_checking {
	struct str set;	  /* the last set of names */
	struct map names; /* the same, once it was asked for */
};
bool dir_holds(struct dir_checking *c, struct str line);
void dir_checking_release(struct dir_checking *c);
