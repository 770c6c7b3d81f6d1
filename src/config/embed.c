#include "config/embed.h"

struct str embed_get(const char *name)
{
	for (size_t i = 0; i < embed_files_n; i++) {
		if (str_is(str_of(embed_files[i].name), name)) {
			return embed_files[i].text;
		}
	}
	return STR("");
}
