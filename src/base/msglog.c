#include "base/msglog.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

static struct {
	struct sbuf bytes;
	bool hands_over;
	int fd;
	const char *about;
	char directory[PATH_MAX];
} list;

void msglog_open(void)
{
	if (!getcwd(list.directory, sizeof(list.directory))) {
		list.directory[0] = '\0';
	}
}

void msglog_about(const char *file)
{
	list.about = file;
}

/* ---- places ---- */

/* Takes ":12" off the end of s. */
static bool take_number(struct str *s, unsigned *number)
{
	size_t at = s->n;
	int64_t n = 0;

	while (at > 0 && s->p[at - 1] >= '0' && s->p[at - 1] <= '9') {
		at--;
	}
	if (at < 2 || at == s->n || s->p[at - 1] != ':' || !str_to_i64(str_sub(*s, at, s->n), &n) ||
		n > INT_MAX) {
		return false;
	}
	*number = (unsigned)n;
	*s = str_sub(*s, 0, at - 1);
	return true;
}

struct str msglog_split(struct str text, unsigned *line, unsigned *column, struct str *rest)
{
	size_t colon = str_find(text, ": ", 0);
	struct str head = str_sub(text, 0, colon == SIZE_MAX ? 0 : colon);
	unsigned last = 0, first = 0;

	*line = *column = 0;
	*rest = colon == SIZE_MAX ? text : str_sub(text, colon + 2, text.n);
	if (take_number(&head, &last)) {
		bool two = take_number(&head, &first);
		*line = two ? first : last;
		*column = two ? last : 0;
	}
	return head;
}

static bool is_file(struct str name)
{
	char path[PATH_MAX];

	if (name.n == 0 || name.n >= sizeof(path)) {
		return false;
	}
	memcpy(path, name.p, name.n);
	path[name.n] = '\0';
	return access(path, F_OK) == 0;
}

static struct str as_shown(struct str file)
{
	struct str here = str_of(list.directory);
	bool below = here.n > 1 && file.n > here.n + 1 && str_starts(file, list.directory) &&
		     file.p[here.n] == '/';

	return below ? str_sub(file, here.n + 1, file.n) : file;
}

/* ---- bytes: a head, then the file's name and the text ---- */

struct head {
	size_t file; /* length; 0: none */
	size_t text;
	unsigned line, column;
	unsigned error, none; /* no padding: shard files hold these bytes */
};

/* A message that cannot be written is lost; the exit code still shows the failure. */
static void hand_over(struct str bytes)
{
	while (bytes.n > 0) {
		ssize_t n = write(list.fd, bytes.p, bytes.n);
		if (n <= 0) {
			return;
		}
		bytes = str_sub(bytes, (size_t)n, bytes.n);
	}
}

static void put(const struct head *h, struct str file, struct str text)
{
	struct sbuf one = {0};

	sbuf_add(&one, h, sizeof(*h));
	sbuf_addstr(&one, file);
	sbuf_addstr(&one, text);
	if (!list.hands_over) {
		sbuf_addstr(&list.bytes, sbuf_str(&one));
	} else {
		hand_over(sbuf_str(&one));
	}
	sbuf_release(&one);
}

void msglog_add(const struct msglog_entry *s)
{
	struct str text = str_of(s->text), file = str_of(s->file), rest;
	struct head h = {.line = s->line, .column = s->column, .error = s->error};

	if (!s->file) {
		unsigned line, column;
		struct str named = msglog_split(text, &line, &column, &rest);
		if ((list.about && str_is(named, list.about)) || is_file(named)) {
			file = named;
			text = rest;
			h.line = line;
			h.column = column;
		} else {
			file = str_of(list.about);
		}
	}
	file = as_shown(file);
	h.file = file.n;
	h.text = text.n;
	put(&h, file, text);
}

/* The next message; false at the end, and if the bytes end early. */
static bool next(struct head *h, struct str *file, struct str *text, struct str *rest)
{
	if (rest->n < sizeof(*h)) {
		return false;
	}
	memcpy(h, rest->p, sizeof(*h));
	size_t left = rest->n - sizeof(*h);
	if (h->file > left || h->text > left - h->file) {
		return false;
	}
	*file = str_sub(*rest, sizeof(*h), sizeof(*h) + h->file);
	*text = str_sub(*rest, sizeof(*h) + h->file, sizeof(*h) + h->file + h->text);
	*rest = str_sub(*rest, sizeof(*h) + h->file + h->text, rest->n);
	return true;
}

void msglog_to(int fd)
{
	sbuf_release(&list.bytes);
	list.hands_over = true;
	list.fd = fd;
}

size_t msglog_mark(void)
{
	return list.bytes.n;
}

void msglog_forget(size_t mark)
{
	list.bytes.n = mark < list.bytes.n ? mark : list.bytes.n;
}

struct str msglog_since(size_t mark)
{
	return str_sub(sbuf_str(&list.bytes), mark, list.bytes.n);
}

bool msglog_next(struct msglog_entry *s, struct str *file, struct str *text, struct str *rest)
{
	struct head h;

	if (!next(&h, file, text, rest)) {
		return false;
	}
	*s = (struct msglog_entry){.error = h.error != 0, .line = h.line, .column = h.column};
	return true;
}

bool msglog_take(struct str bytes)
{
	struct head h;
	struct str file, text, rest = bytes;

	while (next(&h, &file, &text, &rest)) {
	}
	if (rest.n > 0) {
		return false;
	}
	if (list.hands_over) {
		hand_over(bytes);
	} else {
		sbuf_addstr(&list.bytes, bytes);
	}
	return true;
}
