#include "measure/compile/pch.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/kept/stamped.h"
#include "frontend/text/directives.h"

/* In C++20 clang compares definitions in a precompiled header and after it, and reports HIP's host
 * and device versions of min() as different definitions of one function. */
#define NO_MODULES "-fno-cxx-modules"

#define CACHE_BYTES ((uint64_t)256 << 20)

void pch_set_release(struct pch_set *s)
{
	map_release(&s->known);
}

/* No message on failure: then the text is compiled without a header. */
static bool write_quietly(const char *path, struct str text)
{
	FILE *f = fopen(path, "we");
	bool ok = f && fwrite(text.p, 1, text.n, f) == text.n;
	return f && fclose(f) == 0 && ok;
}

/* The file's leading directives; n 0 if there are none, or if it cannot be read. */
static struct str directives_of(struct arena *a, const char *path)
{
	struct sbuf text = {0};
	struct str r = {0};
	bool quotes;
	if (file_read(&text, path) == 0) {
		size_t end = directives_end(sbuf_str(&text));
		if (end > 0) {
			r = directives_text(a, sbuf_str(&text), end, &quotes);
		}
	}
	sbuf_release(&text);
	return r;
}

/* Is it "-include FILE", which the header includes? */
static bool is_in_header(const char *const *word)
{
	return strcmp(word[0], "-include") == 0 && word[1];
}

/* Is there a flag that puts other text before the source? It would be included twice, or in another
 * order. */
static bool reads_ahead(const char *const *words)
{
	static const char *const heads[] = {
		"-include", "-imacros", "-Xclang", "-Xpreprocessor", "-Xarch_", "-Wp,", NULL};
	for (; *words; words++) {
		if (is_in_header(words)) {
			words++;
		} else if (str_starts_any(str_of(*words), heads)) {
			return true;
		}
	}
	return false;
}

/* n 0 without a directory for quoted includes, which would be searched beside the directives' file.
 * The header contains the path of a file in the cache, so the key has the cache's place. */
static struct str key_of(struct compile_cache *k, const struct measure_job *job,
	const char *const *words, struct str directives)
{
	struct arena *a = compile_cache_arena(k);
	struct sbuf key = {0};
	struct str r = {0};
	const char *place = cache_dir(a);
	if (place && directives.n > 0 && job->include_dir && !reads_ahead(words) &&
		compile_cache_key_head(&key, job, words)) {
		sbuf_addf(&key, "precompiled header 2\n%s\n", place);
		sbuf_addstr(&key, directives);
		r = arena_str(a, sbuf_str(&key));
	}
	sbuf_release(&key);
	return r;
}

/* An entry: stamps, then "SOURCE HEADER" or "none". False: it must be made. */
static bool find(struct pch *p, struct arena *a)
{
	struct stamped e;
	struct str source;
	if (!stamped_get(&e, a, p->cache, p->key, false)) {
		return false;
	}
	struct str rest = e.content;
	p->stamps = e.stamps;
	if (str_is(rest, "none")) {
		return true;
	}
	str_split(&rest, ' ', &source);
	p->source = cache_file_find(p->cache, arena_strndup(a, source.p, source.n));
	p->path = p->source ? cache_file_find(p->cache, arena_strndup(a, rest.p, rest.n)) : NULL;
	return p->path != NULL;
}

/* Writes the directives' file, which the compiler needs whenever it reads the header. */
static bool write_source(struct pch *p, struct str directives)
{
	const char *name = cache_file_put(p->cache, directives);
	p->source = name ? cache_file_find(p->cache, name) : NULL;
	return p->source != NULL;
}

/* Without file times in the header: our stamps check the content. */
static const char *const *command_of(
	struct pch *p, struct compile_cache *k, const char *const *words)
{
	static const char *const more[] = {"-Xclang", NO_MODULES, "-Xclang", "-emit-pch", "-Xclang",
		"-fno-pch-timestamp", NULL};
	struct words out = {{0}};
	const char *const *rule = compile_cache_rule_words(k, &p->rule);
	p->begun = rule ? cache_file_begin(p->cache) : NULL;
	if (!p->begun) {
		return NULL;
	}
	for (const char *const *w = words; *w; w++) {
		words_add(&out, *w);
		if (strcmp(*w, "-o") == 0 && w[1]) {
			words_add(&out, p->begun);
			w++;
		}
	}
	words_add_all(&out, more);
	words_add_all(&out, rule);
	words_add(&out, p->source);
	return words_finish(&out, compile_cache_arena(k));
}

struct pch *pch_open(struct pch_set *s, struct compile_cache *k, const struct measure_job *job,
	const char *const *words, const char *const **command)
{
	struct arena *a = compile_cache_arena(k);
	struct str directives = directives_of(a, job->path);
	struct str key = key_of(k, job, words, directives);
	*command = NULL;
	if (key.n == 0 || map_has(&s->known, key)) {
		return key.n ? (struct pch *)map_get(&s->known, key, 0) : NULL;
	}
	struct pch *p = ARENA_NEW(a, struct pch);
	*p = (struct pch){.key = key, .cache = cache_open(a, "headers", CACHE_BYTES)};
	map_set(&s->known, key, (uintptr_t)p);
	if (!find(p, a) && write_source(p, directives)) {
		*command = command_of(p, k, words);
	}
	if (p->source) {
		compile_cache_own(k, p->source);
	}
	return p;
}

void pch_finish(struct pch *p, struct compile_cache *k, const struct measure_job *job,
	const struct proc_result *r, struct str said)
{
	struct arena *a = compile_cache_arena(k);
	struct sbuf entry = {0};
	const struct compile_reads reads = {p->rule, said};
	const char *name = NULL;
	if (proc_ok(r) && compile_cache_add_stamps(&entry, k, job, &reads)) {
		name = cache_file_keep(p->cache, p->begun);
	} else {
		cache_file_drop(p->cache, p->begun);
	}
	if (name) {
		struct str source = path_base(str_of(p->source));
		p->stamps = arena_str(a, sbuf_str(&entry));
		stamped_put(p->cache, p->key, p->stamps,
			str_of(arena_printf(a, "%.*s %s", STR_ARG(source), name)));
		p->path = cache_file_find(p->cache, name);
	}
	sbuf_release(&entry);
}

void pch_reject(struct pch *p)
{
	stamped_put(p->cache, p->key, p->stamps, STR("none"));
	p->path = NULL;
}

void pch_add_words(struct words *out, const struct pch *p, const char *const *words)
{
	const char *const with[] = {
		"-Xclang", NO_MODULES, "-Xclang", "-include-pch", "-Xclang", p->path, NULL};

	for (; *words; words++) {
		if (is_in_header(words)) {
			words++;
		} else {
			words_add(out, *words);
		}
	}
	words_add_all(out, with);
}

const char *pch_text(struct compile_cache *k, const struct measure_job *job)
{
	struct sbuf text = {0}, blank = {0};
	const char *path = compile_cache_new_path(k, job->path);
	bool ok = path && file_read(&text, job->path) == 0;
	if (ok) {
		struct str t = sbuf_str(&text);
		directives_blank(&blank, t, directives_end(t));
		ok = write_quietly(path, sbuf_str(&blank));
		compile_cache_own(k, path);
	}
	sbuf_release(&text);
	sbuf_release(&blank);
	return ok ? path : NULL;
}
