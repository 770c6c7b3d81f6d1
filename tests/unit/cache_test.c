/* base: what is kept between runs, and the stamps that say whether it is still true. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/arena.h"
#include "base/kept/cache.h"
#include "base/kept/dir.h"
#include "base/file.h"
#include "base/kept/stamp.h"
#include "base/kept/sum.h"

static void wait_ms(long ms)
{
	nanosleep(&(struct timespec){.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000}, NULL);
}

/* ---- the cache ---- */

/* XDG_CACHE_HOME in a fresh directory, which it names. */
static const char *fresh_cache_home(struct arena *a)
{
	const char *home = arena_printf(a, "%s/not/yet", tmpdir_create());

	setenv("XDG_CACHE_HOME", home, 1);
	return home;
}

static bool holds(struct cache *c, const char *key, const char *content)
{
	struct sbuf out = {0};
	bool found = cache_get(&out, c, str_of(key));

	assert_true(!found || str_is(sbuf_str(&out), content));
	sbuf_release(&out);
	return found;
}

static size_t list_cache(char path[][PATH_MAX], size_t max, const char *home)
{
	char dir[PATH_MAX / 2];
	size_t n = 0;

	snprintf(dir, sizeof(dir), "%s/unphi/t", home);
	DIR *d = opendir(dir);
	assert_non_null(d);
	for (struct dirent *e; (e = readdir(d));) {
		if (e->d_name[0] != '.' || e->d_name[1] == 'x') {
			assert_true(n < max);
			snprintf(path[n++], PATH_MAX, "%s/%.200s", dir, e->d_name);
		}
	}
	closedir(d);
	return n;
}

static void test_cache(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	const char *home = fresh_cache_home(a);
	struct cache *c = cache_open(a, "t", 1 << 20);
	char path[4][PATH_MAX];
	struct stat st;

	assert_int_equal(stat(home, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0700);
	assert_false(holds(c, "key", ""));
	cache_put(c, STR("key"), STR("content"));
	cache_put(c, STR("other"), STR(""));
	assert_true(holds(c, "key", "content"));
	assert_true(holds(c, "other", ""));
	assert_false(holds(c, "ke", ""));
	assert_true(holds(cache_open(a, "t", 1), "key", "content"));
	assert_false(holds(cache_open(a, "u", 1), "key", ""));
	cache_put(c, STR("key"), STR("new"));
	assert_true(holds(c, "key", "new"));
	assert_int_equal(list_cache(path, 4, home), 2);
	arena_free(a);
}

/* Every entry cut short or changed at every byte: it is not believed. */
static void test_cache_torn(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	const char *home = fresh_cache_home(a);
	struct cache *c = cache_open(a, "t", 1 << 20);
	char path[1][PATH_MAX];
	struct sbuf whole = {0};

	cache_put(c, STR("key"), STR("content"));
	assert_int_equal(list_cache(path, 1, home), 1);
	assert_int_equal(file_read(&whole, path[0]), 0);
	for (size_t n = 0; n < whole.n; n++) {
		assert_int_equal(file_write_atomic(path[0], str_sub(sbuf_str(&whole), 0, n)), 0);
		assert_false(holds(c, "key", ""));
		whole.p[n] ^= 1;
		assert_int_equal(file_write_atomic(path[0], sbuf_str(&whole)), 0);
		assert_false(holds(c, "key", ""));
		whole.p[n] ^= 1;
	}
	cache_put(c, STR("key"), STR("again"));
	assert_true(holds(c, "key", "again"));
	sbuf_release(&whole);
	arena_free(a);
}

/* What was used last stays. */
static void test_cache_limit(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	fresh_cache_home(a);
	struct cache *c = cache_open(a, "t", 10000);
	char content[1000], key[16];

	memset(content, 'x', sizeof(content));
	for (int i = 0; i < 30; i++) {
		snprintf(key, sizeof(key), "%d", i);
		cache_put(c, str_of(key), (struct str){content, sizeof(content)});
		struct sbuf out = {0};
		assert_true(cache_get(&out, c, STR("0")));
		sbuf_release(&out);
		wait_ms(5);
	}
	size_t kept = 0;
	for (int i = 0; i < 30; i++) {
		struct sbuf out = {0};
		snprintf(key, sizeof(key), "%d", i);
		bool found = cache_get(&out, c, str_of(key));
		kept += found;
		assert_true(found || (i > 0 && i < 25));
		sbuf_release(&out);
	}
	assert_true(kept >= 5 && kept <= 9);
	arena_free(a);
}

/* No cache to be had, or one that others may write to: nothing is found, nothing fails. */
static void test_cache_none(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	const char *home = fresh_cache_home(a);
	const char *dir = cache_dir(a);

	assert_non_null(dir);
	assert_int_equal(chmod(dir, 0777), 0);
	assert_null(cache_dir(a));
	struct cache *c = cache_open(a, "t", 1 << 20);
	cache_put(c, STR("key"), STR("content"));
	assert_false(holds(c, "key", ""));
	assert_int_equal(chmod(dir, 0700), 0);
	assert_non_null(cache_dir(a));

	setenv("XDG_CACHE_HOME", "/dev/null/cache", 1);
	assert_null(cache_dir(a));
	setenv("XDG_CACHE_HOME", "relative", 1); /* means nothing; HOME counts */
	setenv("HOME", arena_printf(a, "%s/home", home), 1);
	assert_null(cache_dir(a)); /* no home there, and none is made */
	unsetenv("XDG_CACHE_HOME");
	unsetenv("HOME");
	assert_null(cache_dir(a));
	arena_free(a);
}

static void put_and_get(struct arena *a, int child)
{
	struct cache *c = cache_open(a, "t", 40000);
	char content[2000];

	for (int i = 0; i < 200; i++) {
		char key[16];
		struct sbuf out = {0};

		snprintf(key, sizeof(key), "%d", (i * 7 + child) % 30);
		memset(content, 'a' + atoi(key) % 20, sizeof(content));
		cache_put(c, str_of(key), (struct str){content, sizeof(content)});
		if (cache_get(&out, c, str_of(key)) &&
			!str_eq(sbuf_str(&out), (struct str){content, sizeof(content)})) {
			_exit(1);
		}
		sbuf_release(&out);
	}
}

static void test_cache_shared(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	const char *home = fresh_cache_home(a);
	char path[64][PATH_MAX];
	pid_t child[6];

	for (int i = 0; i < 6; i++) {
		child[i] = fork();
		if (child[i] == 0) {
			put_and_get(a, i);
			_exit(0);
		}
	}
	for (int i = 0; i < 6; i++) {
		int status = -1;
		assert_int_equal(waitpid(child[i], &status, 0), child[i]);
		assert_int_equal(status, 0);
	}
	size_t left = list_cache(path, 64, home);
	assert_true(left >= 1 && left <= 20);
	arena_free(a);
}

static void write_text(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

/* What we did not make stays, however old it is and however full the cache. */
static void test_cache_others(void **state)
{
	static const char *const names[] = {"notes", ".config", ".unphi-notes.txt",
		"0123456789abcdef0123456789abcdef", "file-notes", "directory"};
	static const struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
	(void)state;
	struct arena *a = arena_create();
	const char *home = fresh_cache_home(a);
	struct cache *c = cache_open(a, "t", 100);
	const char *dir = arena_printf(a, "%s/unphi/t", home);
	char content[200] = {0};
	struct stat st;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *path = arena_printf(a, "%s/%s", dir, names[i]);
		if (i < 5) {
			write_text(path, "precious");
		} else {
			assert_int_equal(mkdir(path, 0700), 0);
		}
		assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
	}
	const char *left = arena_printf(a, "%s/.unphi-abcdef", dir);
	write_text(left, "of a writer that was killed");
	assert_int_equal(utimensat(AT_FDCWD, left, old, 0), 0);
	cache_put(c, STR("key"), (struct str){content, sizeof(content)});
	assert_false(holds(c, "key", ""));
	assert_false(file_exists(left));
	/* in somebody's directory not even an entry goes */
	assert_int_equal(unlink(arena_printf(a, "%s/unphi/.made-by-unphi", home)), 0);
	cache_put(c, STR("key"), (struct str){content, sizeof(content)});
	struct sbuf out = {0};
	assert_true(cache_get(&out, c, STR("key")));
	sbuf_release(&out);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		assert_int_equal(stat(arena_printf(a, "%s/%s", dir, names[i]), &st), 0);
	}
	assert_null(cache_dir(a));
	assert_non_null(cache_not_ours(a));
	arena_free(a);
}

/* Of many that make the directory at once each has it. */
static void test_cache_first(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	for (int round = 0; round < 20; round++) {
		const char *home = fresh_cache_home(a);
		pid_t child[6];
		for (int i = 0; i < 6; i++) {
			child[i] = fork();
			if (child[i] == 0) {
				struct cache *c = cache_open(a, "t", 1 << 20);
				cache_put(c, STR("key"), STR("content"));
				_exit(!holds(c, "key", "content"));
			}
		}
		for (int i = 0; i < 6; i++) {
			int status = -1;
			assert_int_equal(waitpid(child[i], &status, 0), child[i]);
			assert_int_equal(status, 0);
		}
		DIR *d = opendir(arena_printf(a, "%s/unphi", home));
		assert_non_null(d);
		unsigned n = 0;
		while (readdir(d)) {
			n++;
		}
		closedir(d);
		assert_int_equal(n, 4); /* with "." and "..": the marker and a cache */
	}
	arena_free(a);
}

/* ---- files for other programs ---- */

static void test_cache_file(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	const char *home = fresh_cache_home(a);
	struct cache *c = cache_open(a, "t", 1 << 20);
	char path[4][PATH_MAX];

	const char *begun = cache_file_begin(c);
	assert_non_null(begun);
	write_text(begun, "content");
	const char *name = cache_file_keep(c, begun);
	assert_non_null(name);
	assert_false(file_exists(begun));
	const char *found = cache_file_find(c, name);
	assert_non_null(found);
	struct sbuf text = {0};
	assert_int_equal(file_read(&text, found), 0);
	assert_string_equal(sbuf_cstr(&text), "content");
	sbuf_release(&text);
	/* the same content has the same name; what was changed is not found */
	assert_string_equal(cache_file_put(c, STR("content")), name);
	assert_non_null(cache_file_find(c, name));
	write_text(found, "contenT");
	assert_null(cache_file_find(c, name));
	assert_int_equal(unlink(found), 0);
	assert_int_equal(symlink("/etc/passwd", found), 0);
	assert_null(cache_file_find(c, name));
	assert_string_equal(cache_file_put(c, STR("content")), name);
	assert_non_null(cache_file_find(c, name));

	begun = cache_file_begin(c);
	cache_file_drop(c, begun);
	assert_false(file_exists(begun));
	assert_int_equal(list_cache(path, 4, home), 1);
	assert_null(cache_file_find(c, "file-other"));
	assert_null(cache_file_find(c, arena_printf(a, "../t/%s", name)));
	assert_null(cache_file_keep(c, arena_printf(a, "%s/unphi/t/.gone", home)));
	arena_free(a);
}

/* Any one byte counts, and the length. */
static void test_sum(void **state)
{
	(void)state;
	char text[200] = {0};
	for (size_t n = 0; n < sizeof(text); n++) {
		struct sum of = sum_of((struct str){text, n});
		struct sum longer = sum_of((struct str){text, n + 1});
		assert_true(of.v[0] != longer.v[0] && of.v[1] != longer.v[1] && of.v[0] != of.v[1]);
		for (size_t i = 0; i < n; i++) {
			text[i] = 1;
			longer = sum_of((struct str){text, n});
			text[i] = 0;
			assert_true(of.v[0] != longer.v[0] && of.v[1] != longer.v[1]);
		}
	}
	FILE *f = tmpfile();
	struct sbuf big = {0};
	struct sum of;
	for (int i = 0; i < 20000; i++) {
		sbuf_addf(&big, "%d\n", i);
		assert_true(fprintf(f, "%d\n", i) > 0);
	}
	assert_int_equal(fflush(f), 0);
	assert_true(sum_of_file(&of, fileno(f)));
	assert_true(sum_of(sbuf_str(&big)).v[0] == of.v[0]);
	fclose(f);
	sbuf_release(&big);
}

/* A file counts towards the limit, and goes when it is the oldest. */
static void test_cache_file_limit(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	fresh_cache_home(a);
	struct cache *c = cache_open(a, "t", 10);

	const char *begun = cache_file_begin(c);
	write_text(begun, "content");
	const char *name = cache_file_keep(c, begun);
	assert_non_null(cache_file_find(c, name));
	wait_ms(5);
	cache_put(c, STR("key"), STR("more than ten bytes"));
	assert_null(cache_file_find(c, name));
	arena_free(a);
}

/* ---- stamps ---- */

static bool hold(struct arena *a, const struct sbuf *stamps, bool exact)
{
	struct sbuf whole = {0};
	sbuf_addstr(&whole, sbuf_str(stamps));
	sbuf_adds(&whole, "\nrest");
	struct str entry = sbuf_str(&whole);
	bool ok = stamps_hold(a, &entry, exact);
	assert_true(!ok || str_is(entry, "rest"));
	sbuf_release(&whole);
	return ok;
}

static void set_time(const char *path, time_t s)
{
	const struct timespec t[2] = {{.tv_sec = s}, {.tv_sec = s}};
	assert_int_equal(utimensat(AT_FDCWD, path, t, 0), 0);
}

static void test_stamps(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	const char *dir = tmpdir_create();
	const char *one = arena_printf(a, "%s/one with blanks", dir);
	const char *two = arena_printf(a, "%s/two", dir);
	const char *none = arena_printf(a, "%s/none", dir);
	struct sbuf s = {0};

	write_text(one, "one");
	write_text(two, "two");
	set_time(two, 1000);
	assert_true(stamp_add(&s, one, 0));
	assert_true(stamp_add(&s, two, 0));
	size_t before = s.n;
	assert_false(stamp_add(&s, none, 0));
	assert_false(stamp_add(&s, dir, 0));
	assert_false(stamp_add(&s, one, time(NULL) - 10)); /* touched since */
	assert_false(stamp_add(&s, two, time(NULL) - 10)); /* its inode was */
	assert_int_equal(s.n, before);
	stamp_add_absent(&s, none);
	assert_true(hold(a, &s, false));
	assert_true(hold(a, &s, true));
	struct str rest = sbuf_str(&s), path;
	assert_true(stamp_next(&rest, &path) && str_is(path, one));
	assert_true(stamp_next(&rest, &path) && str_is(path, two));
	assert_false(stamp_next(&rest, &path));

	set_time(two, 2000); /* the same content */
	assert_true(hold(a, &s, false));
	assert_false(hold(a, &s, true));
	write_text(two, "owt"); /* another, of the same size and time */
	set_time(two, 1000);
	assert_false(hold(a, &s, false));
	write_text(two, "two");
	assert_true(hold(a, &s, false));
	write_text(none, "");
	assert_false(hold(a, &s, false));
	assert_int_equal(unlink(none), 0);
	assert_int_equal(unlink(one), 0);
	assert_false(hold(a, &s, false));

	sbuf_reset(&s);
	assert_true(stamp_add_program(&s, two));
	assert_true(hold(a, &s, false));
	set_time(two, 3000);
	assert_false(hold(a, &s, false));
	sbuf_release(&s);
	arena_free(a);
}

/* A directory's stamp holds as long as none of the names that count comes or goes, or becomes
 * something else. */
static void test_directories(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	const char *dir = tmpdir_create();
	const char *name[] = {"x.h", "sub", "other"};
	const char *path[3];
	struct map names = {0};
	struct sbuf s = {0}, all = {0}, none = {0};

	for (int i = 0; i < 3; i++) {
		path[i] = arena_printf(a, "%s/%s", dir, name[i]);
	}
	map_set(&names, STR("x.h"), 1);
	map_set(&names, STR("sub"), 1);
	const struct dir_look look = {.names = &names};
	assert_true(dir_add_names(&s, &names));
	assert_true(dir_add(&s, dir, DIR_NAMED, &look));
	assert_true(dir_add(&all, dir, DIR_ALL, &look));
	assert_true(dir_add(&none, path[1], DIR_ALL, &look));
	assert_true(hold(a, &s, true));
	write_text(path[2], ""); /* no name that counts */
	assert_true(hold(a, &s, true));
	assert_false(hold(a, &all, true));
	write_text(path[0], "");
	assert_false(hold(a, &s, false));
	assert_int_equal(unlink(path[0]), 0);
	assert_true(hold(a, &s, true));
	assert_true(hold(a, &none, true));
	assert_int_equal(mkdir(path[1], 0700), 0);
	assert_false(hold(a, &s, true));
	assert_false(hold(a, &none, true));

	/* a directory, then a file; a link that leads nowhere, then somewhere */
	sbuf_reset(&s);
	assert_int_equal(symlink("target", path[0]), 0);
	assert_true(dir_add_names(&s, &names));
	assert_true(dir_add(&s, dir, DIR_NAMED, &look));
	assert_true(hold(a, &s, true));
	assert_int_equal(mkdir(arena_printf(a, "%s/target", dir), 0700), 0);
	assert_false(hold(a, &s, true));
	assert_int_equal(rmdir(arena_printf(a, "%s/target", dir)), 0);
	assert_true(hold(a, &s, true));
	assert_int_equal(rmdir(path[1]), 0);
	write_text(path[1], "");
	assert_false(hold(a, &s, true));

	/* what came since it was looked at may not have been seen */
	sbuf_reset(&s);
	const struct dir_look late = {.names = &names, .before = time(NULL) - 10};
	assert_false(dir_add(&s, dir, DIR_NAMED, &late));
	map_release(&names);
	sbuf_release(&s);
	sbuf_release(&all);
	sbuf_release(&none);
	arena_free(a);
}

/* Cut short anywhere, a list vouches for nothing. */
static void test_stamps_torn(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	const char *path = arena_printf(a, "%s/file", tmpdir_create());
	struct sbuf s = {0};

	write_text(path, "text");
	assert_true(stamp_add(&s, path, 0));
	for (size_t n = 0; n <= s.n; n++) {
		struct str entry = str_sub(sbuf_str(&s), 0, n);
		assert_false(stamps_hold(a, &entry, false));
	}
	sbuf_release(&s);
	arena_free(a);
}

static void test_rule_files(void **state)
{
	(void)state;
	struct arena *a = arena_create();
	const char *const *file =
		stamp_rule_files(a, STR("out.o: /a/b.c \\\n  /a/with\\ blank \\\n\t/c\\#.h\n"));

	assert_string_equal(file[0], "/a/b.c");
	assert_string_equal(file[1], "/a/with blank");
	assert_string_equal(file[2], "/c#.h");
	assert_null(file[3]);
	assert_null(stamp_rule_files(a, STR(""))[0]);
	arena_free(a);
}

enum {
	ENTRIES = 100
};

/* Entries of its own and entries that others write as well, of all sizes. */
static void write_entries(struct cache *c, struct arena *a, unsigned writer, bool forever)
{
	for (unsigned i = 0; i < ENTRIES || forever; i++) {
		unsigned n = i % ENTRIES;
		const char *own = arena_printf(a, "own %u of %u", n, writer);
		const char *all = arena_printf(a, "of all %u", n);
		const char *text = arena_printf(a, "%*u", (int)(n * 37 % 5000 + 1), n);
		cache_put(c, str_of(own), str_of(text));
		cache_put(c, str_of(all), str_of(text));
		if (i % 50 == 49) {
			c = cache_open(a, "t", 64 << 20);
		}
	}
}

static pid_t start_writer(unsigned writer, bool forever)
{
	pid_t pid = fork();

	if (pid == 0) {
		struct arena *a = arena_create();
		write_entries(cache_open(a, "t", 64 << 20), a, writer, forever);
		arena_free(a);
		_exit(0);
	}
	return pid;
}

/* Two that write the same entries, and a third that is killed while it writes: nothing of the two
 * is lost, and nothing is torn. */
static void test_cache_two_writers(void **state)
{
	struct arena *a = arena_create();
	int status;

	(void)state;
	fresh_cache_home(a);
	for (unsigned round = 0; round < 4; round++) {
		pid_t killed = start_writer(9, true);
		pid_t first = start_writer(1, false), second = start_writer(2, false);
		wait_ms(3 + 9 * (long)round);
		kill(killed, SIGKILL);
		waitpid(killed, NULL, 0);
		waitpid(first, &status, 0);
		assert_int_equal(status, 0);
		waitpid(second, &status, 0);
		assert_int_equal(status, 0);
	}
	struct cache *c = cache_open(a, "t", 64 << 20);
	for (unsigned n = 0; n < ENTRIES; n++) {
		const char *text = arena_printf(a, "%*u", (int)(n * 37 % 5000 + 1), n);
		assert_true(holds(c, arena_printf(a, "own %u of 1", n), text));
		assert_true(holds(c, arena_printf(a, "own %u of 2", n), text));
		assert_true(holds(c, arena_printf(a, "of all %u", n), text));
	}
	arena_free(a);
}

static void test_cache_limit_asked(void **state)
{
	struct arena *a = arena_create();
	struct sbuf big = {0};

	(void)state;
	fresh_cache_home(a);
	for (unsigned i = 0; i < 400000; i++) {
		sbuf_adds(&big, "byte");
	}
	setenv("UNPHI_CACHE_LIMIT", "2", 1);
	struct cache *c = cache_open(a, "t", 64 << 20);
	cache_put(c, STR("one"), sbuf_str(&big));
	wait_ms(20);
	cache_put(c, STR("two"), sbuf_str(&big));
	assert_false(holds(c, "one", sbuf_cstr(&big)));
	unsetenv("UNPHI_CACHE_LIMIT");
	sbuf_release(&big);
	arena_free(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cache),
		cmocka_unit_test(test_cache_torn),
		cmocka_unit_test(test_cache_limit),
		cmocka_unit_test(test_cache_none),
		cmocka_unit_test(test_cache_two_writers),
		cmocka_unit_test(test_cache_limit_asked),
		cmocka_unit_test(test_cache_shared),
		cmocka_unit_test(test_cache_others),
		cmocka_unit_test(test_cache_first),
		cmocka_unit_test(test_sum),
		cmocka_unit_test(test_cache_file),
		cmocka_unit_test(test_cache_file_limit),
		cmocka_unit_test(test_stamps),
		cmocka_unit_test(test_directories),
		cmocka_unit_test(test_stamps_torn),
		cmocka_unit_test(test_rule_files),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
