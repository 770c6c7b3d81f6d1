#include "cc/stand_in.h"

#include "base/vfs.h"

bool cc_stand_in_keep(struct cc_stand_in *out, struct arena *a, struct cache *c, const char *source,
	struct str text)
{
	struct sbuf list = {0};

	*out = (struct cc_stand_in){.text = cache_file_put(c, text)};
	const char *content = out->text ? cache_file_find(c, out->text) : NULL;
	if (content) {
		struct stand_in in = {.name = vfs_names(a, source), .content = content};
		vfs_list(&list, &in, 1);
		out->list = cache_file_put(c, sbuf_str(&list));
	}
	sbuf_release(&list);
	return out->list != NULL;
}
