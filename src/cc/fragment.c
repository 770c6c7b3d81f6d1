#include "cc/fragment.h"

#include <string.h>

#include "base/driver.h"
#include "base/words.h"

static const char option[] = "-MJ";

const char *cc_fragment_path(const struct cc_command *c)
{
	const char *path = NULL;

	for (const char *const *w = c->args; *w && strcmp(*w, "--") != 0; w++) {
		if (strncmp(*w, option, sizeof(option) - 1) == 0) {
			path = (*w)[sizeof(option) - 1] ? *w + sizeof(option) - 1 : w[1];
		}
		w += driver_takes_next(*w, DRIVER_NEXT) && w[1];
	}
	return path;
}

static bool has_end(const char *const *words)
{
	while (*words && strcmp(*words, "--") != 0) {
		words++;
	}
	return *words != NULL;
}

const char *cc_fragment_refusal(const struct cc_command *c)
{
	/* words that we add after the response file would be inputs */
	return has_end(c->args) && !has_end(c->argv + c->compiler + 1)
		       ? "it has -MJ, and its options end in a response file"
		       : NULL;
}

const char *const *cc_fragment_words(struct arena *a, const char *const *command, const char *path)
{
	const char *const last[] = {option, path, NULL};
	struct words out = {{0}};
	bool operands = false;

	for (; *command; command++) {
		if (!operands && strcmp(*command, "--") == 0) {
			words_add_all(&out, last);
			operands = true;
		}
		words_add(&out, *command);
	}
	words_add_all(&out, operands ? NULL : last);
	return words_finish(&out, a);
}

/* Adds a string in the driver's syntax. */
static void add_string(struct sbuf *out, struct str word)
{
	sbuf_adds(out, ", \"");
	for (size_t i = 0; i < word.n; i++) {
		if (word.p[i] == '"' || word.p[i] == '\\') {
			sbuf_addc(out, '\\');
		}
		sbuf_addc(out, word.p[i]);
	}
	sbuf_addc(out, '"');
}

/* The driver writes an option and its value as two words, even if they were given as one. */
static void add_word(struct sbuf *out, const char *word)
{
	static const char apart[] = "-ivfsoverlay";
	struct str w = str_of(word);
	bool two = str_starts(w, apart) && w.n > sizeof(apart) - 1;

	if (two) {
		add_string(out, str_of(apart));
	}
	add_string(out, two ? str_sub(w, sizeof(apart) - 1, w.n) : w);
}

void cc_fragment_strip(struct sbuf *out, struct str text, const char *const *more)
{
	struct sbuf words = {0};

	for (; *more; more++) {
		add_word(&words, *more);
	}
	sbuf_add_replaced(out, text, sbuf_cstr(&words), "");
	sbuf_release(&words);
}
