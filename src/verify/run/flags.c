#include "verify/run/flags.h"

#include <stdbool.h>
#include <string.h>

#include "base/words.h"

static const char *const none[] = {NULL};

static bool starts(const char *word, const char *head)
{
	return strncmp(word, head, strlen(head)) == 0;
}

/* The number of words at f, if it is an option that changes the source's meaning; else 0. */
static size_t source_flag(const char *const *f)
{
	static const char *const with_value[] = {
		"-D", "-U", "-I", "-isystem", "-iquote", "-include", "-idirafter"};
	if (starts(f[0], "-std=")) {
		return 1;
	}
	for (size_t k = 0; k < sizeof(with_value) / sizeof(with_value[0]); k++) {
		if (starts(f[0], with_value[k])) {
			return strcmp(f[0], with_value[k]) == 0 && f[1] ? 2 : 1;
		}
	}
	return 0;
}

const char *const *flags_of_source(struct arena *a, const char *const *flags)
{
	struct words out = {{0}};
	for (const char *const *f = flags ? flags : none; *f;) {
		size_t n = source_flag(f);
		for (size_t i = 0; i < n; i++) {
			words_add(&out, f[i]);
		}
		f += n ? n : 1;
	}
	return words_finish(&out, a);
}

/* nvcc's equivalent of a word, or NULL. */
static const char *nvcc_word(struct arena *a, const char *word)
{
	static const struct {
		const char *head;
		const char *nvcc;
	} renamed[] = {{"-std=gnu++", "-std=c++"}, {"-iquote", "-I"}, {"-idirafter", "-isystem"}};
	static const char *const whole[][2] = {
		{"-ffp-contract=off", "-fmad=false"}, {"-ffast-math", "-use_fast_math"}};
	for (size_t i = 0; i < sizeof(renamed) / sizeof(renamed[0]); i++) {
		if (starts(word, renamed[i].head)) {
			return arena_printf(
				a, "%s%s", renamed[i].nvcc, word + strlen(renamed[i].head));
		}
	}
	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++) {
		if (strcmp(word, whole[i][0]) == 0) {
			return whole[i][1];
		}
	}
	return source_flag((const char *const[]){word, NULL}) ? word : NULL;
}

const char *const *flags_of_nvcc(struct arena *a, const char *const *flags)
{
	struct words out = {{0}};
	for (const char *const *f = flags ? flags : none; *f;) {
		size_t n = source_flag(f);
		const char *word = nvcc_word(a, f[0]);
		if (word) {
			words_add(&out, word);
		}
		if (n == 2) {
			words_add(&out, f[1]);
		}
		f += n ? n : 1;
	}
	return words_finish(&out, a);
}
