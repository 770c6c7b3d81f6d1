/* report: a diagnostic about any text at any place, with any message. The JSON is JSON. The input
 * is "BEGIN END\n", a line "=======" after the source, and the message. */
#include <jansson.h>

#include "report/finding/diag.h"
#include "report/form/json.h"
#include "rule/diag.h"
#include "target.h"

static size_t take_number(struct str *rest, char end)
{
	struct str piece;
	int64_t n = 0;
	if (str_split(rest, end, &piece) && str_to_i64(piece, &n) && n >= 0) {
		return (size_t)n;
	}
	return 0;
}

static void require_json(const struct sbuf *text)
{
	json_error_t error;
	json_t *root = json_loadb(text->p, text->n, JSON_ALLOW_NUL, &error);
	REQUIRE(root != NULL);
	json_decref(root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str rest = {(const char *)data, size};
	size_t begin = take_number(&rest, ' ');
	size_t end = take_number(&rest, '\n');
	struct str source = fuzz_split(&rest);
	struct sbuf out = {0};
	struct diag_list list = {{0}};
	begin = begin < source.n ? begin : source.n;
	end = end < begin ? begin : end < source.n ? end : source.n;
	struct diag_note note = {.place = {"a.hip", source, end, end}, .text = rest};
	struct diag d = {.level = DIAG_WARNING,
		.rule = "unphi-phi-explosion",
		.place = {"a.hip", source, begin, end},
		.text = rest,
		.note = &note,
		.notes = 1};
	array_push(&list.v, d);
	array_push(&list.v, d);
	diag_sort_unique(&list);
	REQUIRE(list.v.n == 1);
	diag_text(&out, &list.v.v[0], DIAG_TEXT_QUOTED, size % 2 == 0);
	sbuf_reset(&out);
	diag_json(&out, &list);
	require_json(&out);
	sbuf_release(&out);
	array_release(&list.v);
	return 0;
}
