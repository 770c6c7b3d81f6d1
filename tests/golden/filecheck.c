/*
 * filecheck PROGRAM ARGUMENT...: PROGRAM, FileCheck, with stdin as its own, but for the lines that hold expectations:
 * [-+ space]* // NAME: or NAME-WORD:. A rewritten text has them as well, and they would be found there in place of
 * what they ask for. One process, as shell and grep for it take longer than FileCheck.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static bool is_name(char c)
{
	return isupper((unsigned char)c) || isdigit((unsigned char)c) || c == '_';
}

static bool is_expectation(const char *p)
{
	while (isspace((unsigned char)*p) || *p == '-' || *p == '+') {
		p++;
	}
	if (strncmp(p, "//", 2) != 0) {
		return false;
	}
	p += p[2] == ' ' ? 3 : 2;
	if (!isupper((unsigned char)*p)) {
		return false;
	}
	while (is_name(*p)) {
		p++;
	}
	if (*p == '-' && isupper((unsigned char)p[1])) {
		p++;
		while (isupper((unsigned char)*p)) {
			p++;
		}
	}
	return *p == ':';
}

int main(int argc, char **argv)
{
	int fd = memfd_create("filecheck", 0);
	FILE *kept = fd < 0 ? NULL : fdopen(fd, "w");
	if (argc < 2 || !kept) {
		perror(argv[0]);
		return 2;
	}
	char *line = NULL;
	size_t size = 0;
	ssize_t n;
	while ((n = getline(&line, &size, stdin)) > 0) {
		if (!is_expectation(line)) {
			fwrite(line, 1, (size_t)n, kept);
		}
	}
	if (fflush(kept) != 0 || lseek(fd, 0, SEEK_SET) < 0 || dup2(fd, 0) < 0) {
		perror(argv[0]);
		return 2;
	}
	execvp(argv[1], argv + 1);
	perror(argv[1]);
	return 2;
}
