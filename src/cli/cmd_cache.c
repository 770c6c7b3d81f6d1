/* unphi cache: what is kept between runs, for people to look at, tidy up, and carry about. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/kept/cache.h"
#include "base/kept/caches.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/msg.h"
#include "base/process/proc.h"
#include "cli/cli.h"
#include "report/form/json.h"
#include "report/form/table.h"

enum {
	UNUSED_DAYS = 30, /* prune's, where nothing else is said */
	DAY_S = 24 * 60 * 60
};

#define MIB ((uint64_t)1 << 20)

static void sizes_text(struct sbuf *out, const char *dir, const struct cache_room *room, size_t n)
{
	static const char *const headers[] = {"cache", ">entries", ">bytes"};
	struct table t;
	uint64_t bytes = 0;

	table_init(&t, 3, headers);
	for (size_t i = 0; i < n; i++) {
		table_cell(&t, "%s", room[i].name);
		table_cell(&t, "%zu", room[i].entries);
		table_cell(&t, "%llu", (unsigned long long)room[i].bytes);
		bytes += room[i].bytes;
	}
	table_print(out, &t);
	table_release(&t);
	sbuf_addf(out, "%s: %.1f MiB\n", dir, (double)bytes / (double)MIB);
}

static void sizes_json(struct sbuf *out, const char *dir, const struct cache_room *room, size_t n)
{
	struct json j = jsonw_begin(out);
	jsonw_key_str(&j, "directory", str_of(dir));
	jsonw_key_array(&j, "caches");
	for (size_t i = 0; i < n; i++) {
		jsonw_object(&j);
		jsonw_key_str(&j, "name", str_of(room[i].name));
		jsonw_key_i64(&j, "entries", (int64_t)room[i].entries);
		jsonw_key_i64(&j, "bytes", (int64_t)room[i].bytes);
		jsonw_end(&j);
	}
	jsonw_finish(&j);
}

static int size(struct arena *a, const struct cli_opts *o, const char *dir)
{
	struct sbuf text = {0};
	size_t n;
	const struct cache_room *room = cache_rooms(&n, a);

	(o->format == FORMAT_JSON ? sizes_json : sizes_text)(&text, dir, room, n);
	int rc = cli_report_write(o, sbuf_str(&text));
	sbuf_release(&text);
	return rc;
}

static int prune(struct arena *a, const struct cli_opts *o, const char *dir)
{
	time_t since =
		o->cache_limit && !o->unused_days
			? 0
			: time(NULL) -
				  (time_t)(o->unused_days ? o->unused_days : UNUSED_DAYS) * DAY_S;
	uint64_t limit = o->cache_limit ? o->cache_limit * MIB : UINT64_MAX;
	struct cache_pruned gone = cache_prune(a, since, limit);

	msg_note("%s: %zu entr%s taken out, %.1f MiB", dir, gone.entries,
		gone.entries == 1 ? "y" : "ies", (double)gone.bytes / (double)MIB);
	return 0;
}

/* tar, which people know and which compresses by the file's name. */
static int run_tar(const char *const *argv, const char *file)
{
	struct proc_result r = {0};

	proc_run(&r, &(struct proc_job){.argv = argv, .time_limit_s = 3600});
	bool ok = proc_ok(&r);
	if (!r.started) {
		msg_error("cannot start tar: %s", strerror(r.start_errno));
	} else if (!ok) {
		msg_error("%s: tar failed: %-.*s", file, STR_ARG(str_trim(sbuf_str(&r.err))));
	}
	proc_result_release(&r);
	return ok ? 0 : FAIL_USAGE;
}

/* A new file, whatever others are there, with the mode that any new one gets. Its clean-up slot, or
 * -1 with errno. */
static int make_temp(char *path, size_t suffix)
{
	sigset_t saved;
	mode_t mask = umask(0);

	umask(mask);
	cleanup_hold(&saved);
	int fd = mkostemps(path, (int)suffix, O_CLOEXEC);
	int slot = fd >= 0 ? cleanup_add_path(CLEANUP_FILE, path) : -1;
	cleanup_let(&saved);
	if (fd >= 0) {
		fchmod(fd, 0666 & ~mask);
		close(fd);
	}
	return slot;
}

/* The file that an archive replaces: what a link leads to, and nothing but a plain file. */
static const char *find_target(struct arena *a, const char *file)
{
	const char *target = path_real(a, file);
	struct stat st;

	if (lstat(target, &st) == 0 && !S_ISREG(st.st_mode)) {
		msg_error("cannot write %s: it is no plain file; name another", file);
		return NULL;
	}
	return target;
}

static int export(struct arena *a, const char *dir, const char *file)
{
	size_t n;
	const struct cache_room *room = cache_rooms(&n, a);
	const char *target = find_target(a, file);
	const char *suffix = strchr(path_base(str_of(file)).p, '.'); /* tar looks at it */
	const char **argv = ARENA_ARRAY(a, const char *, n + 12);
	size_t c = 0;

	if (!target) {
		return FAIL_USAGE;
	}
	if (n == 0) {
		msg_error("%s: there is nothing to export", dir);
		return FAIL_USAGE;
	}
	char *temp = arena_printf(a, "%s.unphi-part-XXXXXX%s", target, suffix ? suffix : "");
	int slot = make_temp(temp, suffix ? strlen(suffix) : 0); /* where it fails tar says why */
	/* entries come and go while it reads: that is no error of it */
	const char *const head[] = {"tar", "--warning=no-file-changed", "--warning=no-file-removed",
		"--ignore-failed-read", "--exclude=.*", "-C", dir, "-caf",
		path_absolute(a, NULL, temp)};
	memcpy(argv, head, sizeof(head));
	c = sizeof(head) / sizeof(head[0]);
	for (size_t i = 0; i < n; i++) {
		argv[c++] = room[i].name;
	}
	int rc = run_tar(argv, file);
	if (rc == 0 && rename(temp, target) != 0) {
		msg_error("cannot write %s: %s", file, strerror(errno));
		rc = FAIL_USAGE;
	}
	if (rc && slot >= 0) {
		unlink(temp);
	}
	cleanup_forget(slot);
	return rc;
}

static int import(struct arena *a, const char *dir, const char *file)
{
	size_t bytes;
	int rc = file_size(&bytes, file);
	const char *temp = rc == 0 ? tmpdir_create_in(dir) : NULL;

	if (!temp) {
		return FAIL_USAGE;
	}
	const char *const argv[] = {"tar", "-C", temp, "--no-same-owner", "--no-same-permissions",
		"-xf", path_absolute(a, NULL, file), NULL};
	rc = run_tar(argv, file);
	size_t n = rc ? 0 : cache_adopt(a, temp);
	if (rc == 0) {
		msg_note("%s: %zu new entr%s", file, n, n == 1 ? "y" : "ies");
	}
	return rc;
}

int cmd_cache(const struct cli_opts *o)
{
	struct arena *a = arena_create();
	const char *dir = cache_dir(a), *what = o->files.v[0];
	int rc = FAIL_USAGE;

	if (!dir) {
		msg_error("%s", cache_refusal(a));
	} else if (strcmp(what, "size") == 0) {
		rc = size(a, o, dir);
	} else if (strcmp(what, "prune") == 0) {
		rc = prune(a, o, dir);
	} else if (strcmp(what, "export") == 0) {
		rc = export(a, dir, o->files.v[1]);
	} else {
		rc = import(a, dir, o->files.v[1]);
	}
	arena_free(a);
	return cli_exit(rc);
}
