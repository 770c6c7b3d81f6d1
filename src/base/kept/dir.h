#pragma once
/*
 * The stamp of a directory records which names of interest it holds. It is a line in a list of
 * stamps (base/kept/stamp.h). A directory with the times of its stamp has the same names. If its
 * times differ, it is listed, and only the names of interest are compared.
 */
#include <time.h>

#include "base/map.h"
#include "base/str.h"

/* Which names in the directory count. */
enum dir_names {
	DIR_NAMED = 'n',  /* those of a set */
	DIR_CONFIG = 'c', /* configuration files of a compiler: *.cfg */
	DIR_ALL = 'a',
};

struct dir_look {
	const struct map *names; /* the set, for DIR_NAMED */
	const struct map *known; /* paths that have stamps of their own; NULL: none */
	time_t before;		 /* no stamp if a name was changed later; 0: no limit */
};

/* Appends the stamp of the directory, or a note that it does not exist. The target of a link can
 * change without a change of the directory, so each link that counts gets a line of its own. False
 * if there can be no stamp. */
bool dir_add(struct sbuf *out, const char *path, enum dir_names which, const struct dir_look *look);
/* Appends the set of names, for the directories whose stamps follow. False if one of them cannot be
 * a file name. */
bool dir_add_names(struct sbuf *out, const struct map *names);

/* Is it one of the lines above? */
bool dir_is_line(struct str line);
/* The state of reading a list of stamps. */
struct dir_checking {
	struct str set;	  /* the last set of names */
	struct map names; /* the same as a map, made on first use */
};
bool dir_holds(struct dir_checking *c, struct str line);
void dir_checking_release(struct dir_checking *c);
