#include "cc/stand_in.h"

#include "base/file.h"
#include "base/vfs.h"

static const char *keep(struct cache *c, struct str content)
{
	const char *path = cache_file_begin(c);

	if (path && file_write_atomic(path, content) != 0) {
		cache_file_drop(c, path);
		return NULL;
	}
	return path ? cache_file_keep(c, path) : NULL;
}

bool cc_stand_in_keep(struct cc_stand_in *out, struct arena *a, struct cache *c, const char *source,
	struct str text)
{
	struct sbuf list = {0};

	*out = (struct cc_stand_in){.text = keep(c, text)};
	const char *content = out->text ? cache_file_find(c, out->text) : NULL;
	if (content) {
		struct stand_in in = {.name = vfs_names(a, source), .content = content};
		vfs_list(&list, &in, 1);
		out->list = keep(c, sbuf_str(&list));
	}
	sbuf_release(&list);
	return out->list != NULL;
}
