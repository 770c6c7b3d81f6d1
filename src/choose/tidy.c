/*
 * Behind all rewrites: a function whose parts are called in its place, and that nobody calls any
 * more, goes. Only where that is certain: its name stands nowhere but in its definition, in no file
 * that is read, no macro can make it of two words, and by its linkage no other unit can know it.
 */
#include "choose/state.h"
#include "strategy/plan/names.h"

/* The text with the functions gone that nobody calls; false: there is none. */
static bool remove_uncalled(struct str *out, struct state *s, struct edit_list *edits)
{
	struct plan p = {.parse = &s->parse[0], .opts = &s->opts, .a = s->a, .text = s->text};
	for (kt_id i = 1; i < s->parse[0].unit->files && !p.file; i++) {
		p.file = s->parse[0].unit->file[i].main ? i : 0;
	}
	for (size_t i = 0; p.file && i < s->splits.n; i++) {
		struct span gone = plan_uncalled(&p, s->splits.v[i]);
		if (gone.end) {
			edit_list_add(edits, s->a, gone.begin, gone.end, (struct str){0});
		}
	}
	size_t clash[2];
	if (!edits->edits.n || !edit_list_check(edits, s->text.n, clash)) {
		return false;
	}
	struct sbuf b = {0};
	edit_list_apply(&b, s->text, edits);
	*out = (struct str){arena_strndup(s->a, b.p, b.n), b.n};
	sbuf_release(&b);
	return true;
}

/* Does the text mean the same to device and host, as far as a parse can tell? */
static bool is_read_back(struct state *s, struct str text)
{
	if (state_parse(s, text, true) < 0) {
		return false;
	}
	bool seen = s->views > s->job->targets || state_see_host(s) == 0;
	for (size_t i = 0; seen && i < s->views; i++) {
		seen = !s->parse[i].unit->erroneous;
	}
	return seen;
}

int tidy_run(struct state *s)
{
	struct edit_list *edits = ARENA_NEW(s->a, struct edit_list);
	struct str text, before = s->text;
	const char *why = NULL;
	int rc = s->splits.n && !str_eq(s->seen, s->text) ? state_parse(s, s->text, true) : 0;
	if (rc < 0 || !s->splits.n || !remove_uncalled(&text, s, edits)) {
		edit_list_release(edits);
		return rc < 0 ? rc : 0;
	}
	bool host_unseen = s->opts.host_unseen;
	bool good = is_read_back(s, text) && s->opts.host_unseen == host_unseen;
	int same = good && s->job->same_bits ? state_same_bits(s, text, &why) : 1;
	if (good && same == 1) {
		state_accept(s, text, edits);
		return 0;
	}
	edit_list_release(edits);
	rc = state_parse(s, before, true);
	return same < 0 ? same : rc < 0 ? rc : 0;
}
