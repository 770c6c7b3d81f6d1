#include "base/kept/stamp.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/kept/dir.h"
#include "base/words.h"

enum {
	LINE_MAX_HEAD = 160
};

/* "SIZE MTIME CTIME INODE". CTIME too, since copying tools set MTIME back. */
static void write_head(char *head, const struct stat *st)
{
	snprintf(head, LINE_MAX_HEAD, "%jd %jd.%09ld %jd.%09ld %ju", (intmax_t)st->st_size,
		(intmax_t)st->st_mtim.tv_sec, st->st_mtim.tv_nsec, (intmax_t)st->st_ctim.tv_sec,
		st->st_ctim.tv_nsec, (uintmax_t)st->st_ino);
}

static bool hash_file(uint64_t *hash, struct stat *st, const char *path)
{
	char buf[64 * 1024];
	ssize_t n = -1;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	*hash = 0;
	if (fd < 0 || fstat(fd, st) != 0 || !S_ISREG(st->st_mode)) {
		n = -1;
	} else {
		while ((n = read(fd, buf, sizeof(buf))) > 0) {
			*hash = str_hash((struct str){buf, (size_t)n}, *hash);
		}
	}
	if (fd >= 0) {
		close(fd);
	}
	return n == 0;
}

bool stamp_add(struct sbuf *out, const char *path, time_t before)
{
	struct stat st;
	uint64_t hash;
	char head[LINE_MAX_HEAD];
	if (strchr(path, '\n') || !hash_file(&hash, &st, path) ||
		(before && (st.st_mtim.tv_sec >= before || st.st_ctim.tv_sec >= before))) {
		return false;
	}
	write_head(head, &st);
	sbuf_addf(out, "%s %016" PRIx64 " %s\n", head, hash, path);
	return true;
}

bool stamp_add_program(struct sbuf *out, const char *path)
{
	struct stat st;
	char head[LINE_MAX_HEAD];
	if (strchr(path, '\n') || stat(path, &st) != 0) {
		return false;
	}
	write_head(head, &st);
	sbuf_addf(out, "%s - %s\n", head, path);
	return true;
}

/* The note named GNU of this type holds the linker's hash of the whole file. */
static bool find_build_id(struct str *id, const unsigned char *p, size_t n)
{
	for (size_t at = 0; at + sizeof(Elf64_Nhdr) <= n;) {
		Elf64_Nhdr note;
		memcpy(&note, p + at, sizeof(note));
		size_t name = at + sizeof(note);
		size_t content = name + ((size_t)note.n_namesz + 3) / 4 * 4;
		size_t end = content + ((size_t)note.n_descsz + 3) / 4 * 4;
		if (end > n) {
			return false;
		}
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
			memcmp(p + name, "GNU", 4) == 0 && note.n_descsz >= 8) {
			*id = (struct str){(const char *)p + content, note.n_descsz};
			return true;
		}
		at = end;
	}
	return false;
}

/* Reads the build ID of an ELF file with our word size and byte order. */
static bool read_build_id(struct sbuf *out, const char *path)
{
	enum {
		NOTES_MOST = 4096
	};
	unsigned char notes[NOTES_MOST];
	Elf64_Ehdr head;
	Elf64_Phdr part;
	struct str id;
	bool found = false;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	bool elf = fd >= 0 && pread(fd, &head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
		   memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 &&
		   head.e_ident[EI_CLASS] == ELFCLASS64 && head.e_ident[EI_DATA] == ELFDATA2LSB &&
		   head.e_phentsize == sizeof(part);
	for (unsigned i = 0; elf && !found && i < head.e_phnum; i++) {
		off_t at = (off_t)(head.e_phoff + i * sizeof(part));
		bool whole = pread(fd, &part, sizeof(part), at) == (ssize_t)sizeof(part) &&
			     part.p_type == PT_NOTE && part.p_filesz <= sizeof(notes) &&
			     pread(fd, notes, part.p_filesz, (off_t)part.p_offset) ==
				     (ssize_t)part.p_filesz;
		found = whole && find_build_id(&id, notes, part.p_filesz);
	}
	for (size_t i = 0; found && i < id.n; i++) {
		sbuf_addf(out, "%02x", (unsigned char)id.p[i]);
	}
	if (fd >= 0) {
		close(fd);
	}
	return found;
}

bool stamp_add_content(struct sbuf *out, const char *path)
{
	struct stat st;
	struct sbuf id = {0};
	uint64_t hash;
	bool ok = stat(path, &st) == 0;

	if (ok && !read_build_id(&id, path)) {
		ok = hash_file(&hash, &st, path);
		sbuf_addf(&id, "%016" PRIx64, hash);
	}
	if (ok) {
		sbuf_addf(out, "%jd %s %s\n", (intmax_t)st.st_size, sbuf_cstr(&id), path);
	}
	sbuf_release(&id);
	return ok;
}

void stamp_add_absent(struct sbuf *out, const char *path)
{
	sbuf_addf(out, "- %s\n", path);
}

/* line: "SIZE MTIME CTIME INODE HASH PATH". */
static struct str take_stamp_apart(struct str line, struct str *size, struct str *hash)
{
	struct str path = line;
	*size = *hash = (struct str){0};
	str_split(&path, ' ', size);
	for (int i = 1; i < 5; i++) {
		str_split(&path, ' ', hash);
	}
	return path;
}

bool stamp_next(struct str *stamps, struct str *path)
{
	struct str line, size, hash;
	while (str_line(stamps, &line) && line.n > 0) {
		if (!str_starts(line, "- ") && !dir_is_line(line)) {
			*path = take_stamp_apart(line, &size, &hash);
			return true;
		}
	}
	return false;
}

static bool stamp_holds(struct arena *a, struct str line, bool exact)
{
	struct stat st;
	struct str old_hash, old_size;
	struct str path = take_stamp_apart(line, &old_size, &old_hash);
	char head[LINE_MAX_HEAD];
	uint64_t hash;
	const char *file = arena_strndup(a, path.p, path.n);
	if (path.n == 0 || stat(file, &st) != 0) {
		return false;
	}
	write_head(head, &st);
	size_t n = strlen(head);
	if (n < line.n && memcmp(head, line.p, n) == 0 && line.p[n] == ' ') {
		return true;
	}
	snprintf(head, sizeof(head), "%jd", (intmax_t)st.st_size);
	if (exact || !str_is(old_size, head) || !hash_file(&hash, &st, file)) {
		return false;
	}
	snprintf(head, sizeof(head), "%016" PRIx64, hash);
	return str_is(old_hash, head);
}

bool stamps_hold(struct arena *a, struct str *entry, bool exact)
{
	struct str line;
	struct dir_checking dirs = {.set = {0}};
	bool ended = false, ok = true;
	while (ok && !ended && str_line(entry, &line)) {
		ended = line.n == 0;
		if (str_starts(line, "- ")) {
			const char *path = arena_strndup(a, line.p + 2, line.n - 2);
			ok = access(path, F_OK) != 0;
		} else if (dir_is_line(line)) {
			ok = dir_holds(&dirs, line);
		} else if (!ended) {
			ok = stamp_holds(a, line, exact);
		}
	}
	dir_checking_release(&dirs);
	return ok && ended;
}

extern char **environ;

void stamp_add_environment(struct sbuf *out)
{
	static const char *const heads[] = {"CPATH=", "C_INCLUDE_PATH=", "CPLUS_INCLUDE_PATH=",
		"OBJC", "LIBRARY_PATH=", "COMPILER_PATH=", "GCC_", "CC",
		"CL=", "_CL_=", "INCLUDE=", "SOURCE_DATE_EPOCH=", "SDKROOT=", "PATH=", "PERL",
		"LD_LIBRARY_PATH=", "LD_PRELOAD=", "HIP", "HCC", "HSA", "ROC", "CUDA", "CLANG",
		"LLVM", "DEVICE_LIB", NULL};
	static const char *const others[] = {"CCACHE_", "CC=", "LLVM_PROFILE_FILE=", NULL};
	for (char **e = environ; e && *e; e++) {
		struct str is = str_of(*e);
		if (str_starts_any(is, heads) && !str_starts_any(is, others)) {
			sbuf_addf(out, "%s\n", *e);
		}
	}
}

/* The next word of a make rule; a backslash escapes blanks and line ends in names. */
static bool next_word(struct sbuf *out, struct str *rest)
{
	size_t i = 0;
	sbuf_reset(out);
	for (; i < rest->n; i++) {
		char c = rest->p[i];
		bool escaped = c == '\\' && i + 1 < rest->n;
		if (escaped && rest->p[i + 1] == '\n') {
			i++;
			c = ' ';
		} else if (escaped && strchr(" #\\", rest->p[i + 1])) {
			sbuf_addc(out, rest->p[++i]);
			continue;
		}
		if (c != ' ' && c != '\n' && c != '\t') {
			sbuf_addc(out, c);
		} else if (out->n > 0) {
			break;
		}
	}
	*rest = str_sub(*rest, i, rest->n);
	return out->n > 0;
}

const char *const *stamp_rule_files(struct arena *a, struct str rule)
{
	struct words files = {{0}};
	struct sbuf word = {0};
	next_word(&word, &rule); /* the target */
	while (next_word(&word, &rule)) {
		words_add(&files, arena_strdup(a, sbuf_cstr(&word)));
	}
	sbuf_release(&word);
	return words_finish(&files, a);
}

void stamp_add_word(struct sbuf *out, const char *name, const char *value)
{
	sbuf_addf(out, "%s %zu %s\n", name, value ? strlen(value) : 0, value ? value : "-");
}

void stamp_add_text(struct sbuf *out, struct str text)
{
	sbuf_addf(out, "%zu %016" PRIx64 " %016" PRIx64 "\n", text.n, str_hash(text, 0),
		str_hash(text, str_hash(STR("second"), 0)));
}
