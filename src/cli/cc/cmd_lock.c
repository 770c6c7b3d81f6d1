/* unphi lock: checks which entries of a lock file are still valid. */
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/msg.h"
#include "cc/lock.h"
#include "cli/cli.h"
#include "edit/edit.h"

struct checking {
	const struct cli_opts *opts;
	struct arena *a;
	struct cc_lock lock;
	const char **why; /* by entry; NULL: valid */
	size_t stale;
	struct sbuf out;
};

static const char *shown(const struct checking *c, const struct cc_lock_entry *e)
{
	size_t n = strlen(c->lock.dir);

	return strncmp(e->file, c->lock.dir, n) == 0 && e->file[n] == '/' ? e->file + n + 1
									  : e->file;
}

static void say(struct checking *c, size_t i)
{
	const struct cc_lock_entry *e = &c->lock.v[i];

	sbuf_addf(&c->out, "%s (%.*s): %zu merge%s, %s", shown(c, e), STR_ARG(e->targets),
		e->merges, e->merges == 1 ? "" : "s", e->added.n ? "flags added, " : "");
	if (c->why[i]) {
		sbuf_addf(&c->out, "does not hold: %s\n", c->why[i]);
	} else {
		sbuf_adds(&c->out, "holds\n");
	}
}

static void check_all(struct checking *c)
{
	c->why = ARENA_ARRAY(c->a, const char *, c->lock.n);
	for (size_t i = 0; i < c->lock.n; i++) {
		const struct cc_lock_entry *e = &c->lock.v[i];
		struct sbuf text = {0};
		c->why[i] = cc_lock_apply(&text, e);
		c->stale += c->why[i] != NULL;
		if (!c->opts->diff) {
			say(c, i);
		} else if (!c->why[i] && e->diff.n) {
			diff_names(&c->out, arena_printf(c->a, "a/%s", shown(c, e)),
				arena_printf(c->a, "b/%s", shown(c, e)));
			sbuf_addstr(&c->out, e->diff);
		}
		sbuf_release(&text);
	}
}

static bool holds(void *user, size_t i)
{
	const struct checking *c = user;

	return !c->why[i];
}

static int prune(struct checking *c)
{
	struct sbuf text = {0};

	cc_lock_print(&text, &c->lock, holds, c);
	int rc = file_write_atomic(c->lock.path, sbuf_str(&text));
	sbuf_release(&text);
	return rc;
}

static int check(struct checking *c)
{
	const char *path = c->opts->files.n ? c->opts->files.v[0] : "unphi.lock";

	if (!file_exists(path)) {
		return fail_usage("%s is missing; unphi cc --lock FILE writes one", path);
	}
	/* locked, so that entries added meanwhile are not lost */
	int fd = c->opts->prune ? cc_lock_hold(c->a, path) : -1;
	if (c->opts->prune && fd < 0) {
		return fd;
	}
	int rc = cc_lock_load(&c->lock, c->a, path);
	if (rc == 0) {
		check_all(c);
	}
	if (rc == 0 && c->stale && c->opts->prune) {
		rc = prune(c);
	}
	if (fd >= 0) {
		close(fd);
	}
	return rc ? rc : cli_output_write(NULL, sbuf_str(&c->out));
}

int cmd_lock(const struct cli_opts *o)
{
	struct checking c = {.opts = o, .a = arena_create()};
	int rc = check(&c);
	int code = rc ? cli_exit(rc) : c.stale && !o->prune ? EXIT_FINDINGS : EXIT_CLEAN;

	sbuf_release(&c.out);
	arena_free(c.a);
	return code;
}
