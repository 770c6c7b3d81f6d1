#pragma once
/*
 * Files. Writes are atomic: a temporary file beside the target, fsync, rename. So the target is the
 * old file or the new one, even after SIGKILL. A replaced file keeps its mode, and its owner where
 * allowed. A symbolic link is followed: its target is replaced. Temporary directories are removed
 * at exit and on SIGINT, SIGTERM, SIGHUP. SIGKILL leaves them; the first run that is at least a day
 * later removes those with a marker (base/marker.h).
 */
#include <stdbool.h>
#include "base/arena.h"
#include "base/str.h"

/* Appends the whole file to b. FAIL_USAGE with a message that names path: for a missing file, a
 * directory, a file of more than 2 GiB, and for pipes and devices, since a read of them may never
 * end. */
int file_read(struct sbuf *b, const char *path);
/* The same, into arena a; *out is empty on failure. */
int file_text(struct str *out, struct arena *a, const char *path);
/* 0 if the file can be opened; else FAIL_USAGE with that message. */
int file_try(const char *path);
/* Appends standard input, to its end. */
int file_read_stdin(struct sbuf *b);
/* Before another program reads a file: FAIL_USAGE with that message for pipes, devices and
 * directories; 0 for everything else, also for a missing file. */
int file_check(const char *path);
/* Size of a regular file in bytes. FAIL_USAGE with a message for everything else. */
int file_size(size_t *out, const char *path);
/* FAIL_USAGE with a message on any failure, a full disk included; the old content is then intact. A
 * read-only file is refused, even if its directory would allow the rename. Devices, pipes and names
 * like /dev/stdout are written to directly. */
int file_write_atomic(const char *path, struct str content);
/* Writes all of content, also after short writes and EINTR. False with errno. */
bool file_write_all(int fd, struct str content);
struct file_text {
	const char *path;
	struct str text;
};
/* Replaces n existing files, all or none. Every new content is written and synced beside its file
 * before the first rename; if a rename fails, the earlier ones are undone. Only SIGKILL or a power
 * cut between two renames leaves some new and some old. FAIL_USAGE with a message. between is
 * called before the renames, for tests; or NULL. */
int file_write_together(const struct file_text *v, size_t n, void (*between)(void));
bool file_exists(const char *path); /* a regular file or a link to one */
/* Does anything have that name, even if unreadable? For files that may be missing: file_read then
 * reports a directory or a device as an error instead of treating it as missing. */
bool file_is_named(const char *path);
bool file_is_dir(const char *path);
/* dir + "/" + name into b (replacing its content). */
void path_join(struct sbuf *b, const char *dir, const char *name);
struct str path_base(struct str path); /* last component */
struct str path_dir(struct str path);  /* without the last component; "." when there is none */
/* The path with links, "." and ".." resolved; unchanged if there is no such file. NULL for NULL. */
const char *path_real(struct arena *a, const char *path);
/* The same, but only the directory part is resolved. */
const char *path_real_dir(struct arena *a, const char *path);
/* dir + "/" + path, or path itself if it is absolute. dir NULL: the working directory. Links are
 * not resolved. */
const char *path_absolute(struct arena *a, const char *dir, const char *path);
/* Is path below dir, by the names only? */
bool path_is_below(const char *path, const char *dir);
/* A fresh private directory under TMPDIR; NULL after a message. It and the string live until
 * exit. */
const char *tmpdir_create(void);
/* mkdir -p; FAIL_USAGE with a message. */
int path_make_dirs(const char *path);
