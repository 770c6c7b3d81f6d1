#include "base/process/due.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TIMES_AS_LONG 10
#define LOOK_AGAIN_S 0.1

/* Fields of /proc/PID/stat (proc(5)). */
struct stat_line {
	char state;
	pid_t group;
	double used_s; /* includes reaped children */
};

static bool stat_read(struct stat_line *out, const char *path)
{
	FILE *f = fopen(path, "re");
	char line[1024];
	unsigned long t[4];
	int group;
	size_t n = f ? fread(line, 1, sizeof(line) - 1, f) : 0;

	if (f) {
		fclose(f);
	}
	line[n] = '\0';
	const char *name_end = strrchr(line, ')'); /* the name may contain ')' */
	if (!name_end ||
		sscanf(name_end + 1, " %c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu",
			&out->state, &group, &t[0], &t[1], &t[2], &t[3]) != 6) {
		return false;
	}
	out->group = group;
	out->used_s = (double)(t[0] + t[1] + t[2] + t[3]) / (double)sysconf(_SC_CLK_TCK);
	return true;
}

/* Calls each for every numeric entry of dir until it returns true. */
static bool any_number_in(const char *dir, bool (*each)(void *user, const char *path), void *user)
{
	DIR *d = opendir(dir);
	bool found = false;

	for (struct dirent *e; d && !found && (e = readdir(d));) {
		char path[64];
		int n = snprintf(path, sizeof(path), "%s/%s", dir, e->d_name);
		bool number = e->d_name[0] >= '1' && e->d_name[0] <= '9';
		found = number && n > 0 && (size_t)n < sizeof(path) && each(user, path);
	}
	if (d) {
		closedir(d);
	}
	return found;
}

/* Is a thread running, runnable, or waiting for a disk? */
static bool wants_more(void *user, const char *path)
{
	char name[80];
	struct stat_line s;

	(void)user;
	snprintf(name, sizeof(name), "%s/stat", path);
	return stat_read(&s, name) && (s.state == 'R' || s.state == 'D');
}

static bool other_wants_more(void *user, const char *path)
{
	const char *own = user, *number = strrchr(path, '/') + 1;

	return strcmp(own, number) != 0 && wants_more(NULL, path);
}

bool due_others_wait(void)
{
	char own[32];

	snprintf(own, sizeof(own), "%d", (int)gettid());
	return !any_number_in("/proc/self/task", other_wants_more, own);
}

struct look {
	pid_t group;
	double used_s;
	bool wants;
};

static bool add_process(void *user, const char *path)
{
	struct look *l = user;
	char name[80];
	struct stat_line s;

	snprintf(name, sizeof(name), "%s/stat", path);
	if (stat_read(&s, name) && s.group == l->group) {
		l->used_s += s.used_s;
		snprintf(name, sizeof(name), "%s/task", path);
		l->wants = l->wants || any_number_in(name, wants_more, NULL);
	}
	return false;
}

struct due due_in(double now, double limit_s)
{
	return (struct due){
		.at = now + limit_s, .limit_s = limit_s, .last = now + TIMES_AS_LONG * limit_s};
}

bool due_is_over(struct due *d, double now, pid_t group)
{
	struct look l = {.group = group};

	any_number_in("/proc", add_process, &l);
	bool hangs = !l.wants && l.used_s <= d->used_s;
	if (now >= d->last || l.used_s >= d->limit_s || hangs) {
		return true;
	}
	double left = l.wants ? d->limit_s - l.used_s : LOOK_AGAIN_S;
	d->used_s = l.used_s;
	d->at = now + (left > LOOK_AGAIN_S ? left : LOOK_AGAIN_S);
	d->at = d->at < d->last ? d->at : d->last;
	return false;
}
