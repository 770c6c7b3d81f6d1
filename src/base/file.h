#pragma once
/*
 * Files. Writes are atomic: a temporary file beside the target, fsync, rename; the target is the
 * old file or the new one, never a mixture, whatever kills us. Mode (and owner where allowed) of a
 * replaced file are kept; a symbolic link is followed, so the link stays and its target is
 * replaced. Temporary directories are removed at exit and on SIGINT, SIGTERM, SIGHUP;
 * those of a run that was killed by the first one a day later,
 * where the marker in it says so.
 */
#include <stdbool.h>
#include "base/arena.h"
#include "base/str.h"

/* Whole file appended to b. FAIL_USAGE with a message naming path (missing, directory, ...), for
 * pipes and devices, too: they may have no end, and reading may wait for ever; and for files of
 * more than 2 GiB. */
int file_read(struct sbuf *b, const char *path);
/* The same in a; empty where it fails. */
int file_text(struct str *out, struct arena *a, const char *path);
/* That message, or 0: it can be opened. */
int file_try(const char *path);
/* The same of standard input, to its end. */
int file_read_stdin(struct sbuf *b);
/* Of a file that others will read: FAIL_USAGE with that message for pipes, devices and
 * directories; 0 for all else, missing ones too. */
int file_check(const char *path);
/* Bytes of a regular file. FAIL_USAGE with a message naming path for all else. */
int file_size(size_t *out, const char *path);
/* FAIL_USAGE with a message; the old content stays on any failure (full disk included). A file that
 * is not writable is refused, although its directory would allow to replace it. Devices and pipes
 * are written to directly, and so is what is open by a name like /dev/stdout. */
int file_write_atomic(const char *path, struct str content);
/* Whatever else may come between; errno says why not. */
bool file_write_all(int fd, struct str content);
struct file_text {
	const char *path;
	struct str text;
};
/* Replaces n files that are there, all or none: what they become is written and synced beside each
 * of them before the first is renamed, and when a rename fails, those before it are taken back.
 * Only what kills us between two renames (SIGKILL, a power cut) leaves some new and some old.
 * FAIL_USAGE with a message. between is called in front of the renames, for tests; or NULL. */
int file_write_together(const struct file_text *v, size_t n, void (*between)(void));
bool file_exists(const char *path); /* a regular file or a link to one */
/* Has something that name, even if it cannot be read? For files that may be missing: what is
 * there and no file is then an error of file_read, and not as if it were missing. */
bool file_is_named(const char *path);
bool file_is_dir(const char *path);
/* dir + "/" + name into b (replacing its content). */
void path_join(struct sbuf *b, const char *dir, const char *name);
struct str path_base(struct str path); /* last component */
struct str path_dir(struct str path);  /* without the last component; "." when there is none */
/* The path without links, "." and ".."; as given where there is no such file. NULL for NULL. */
const char *path_real(struct arena *a, const char *path);
/* The same of the directory that path is in. */
const char *path_real_dir(struct arena *a, const char *path);
/* dir + "/" + path unless path begins with one; dir NULL: the working directory. Links stay. */
const char *path_absolute(struct arena *a, const char *dir, const char *path);
/* Is path something in dir, judged only by names? */
bool path_is_below(const char *path, const char *dir);
/* A fresh private directory under TMPDIR that lives until exit; NULL after a message. The string
 * lives until exit. */
const char *tmpdir_create(void);
/* mkdir -p; FAIL_USAGE with a message. */
int path_make_dirs(const char *path);
