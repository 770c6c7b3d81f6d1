#include "report/form/errors.h"

#include "base/msglog_list.h"
#include "report/form/escape.h"
#include "report/form/json.h"

void errors_add_json(struct sbuf *document)
{
	struct arena *a = arena_create();
	struct json j = jsonw_reopen(document);
	struct msglog_entry *v;
	size_t n = msglog_list(&v, a);

	jsonw_key_array(&j, "errors");
	for (size_t i = 0; i < n; i++) {
		jsonw_object(&j);
		jsonw_key_str(&j, "level", str_of(v[i].error ? "error" : "warning"));
		jsonw_key_text(&j, "file", v[i].file);
		jsonw_key_known(&j, "line", v[i].line, v[i].line > 0);
		jsonw_key_known(&j, "column", v[i].column, v[i].column > 0);
		jsonw_key_str(&j, "message", str_of(v[i].text));
		jsonw_end(&j);
	}
	jsonw_finish(&j);
	arena_free(a);
}

void errors_add_html(struct sbuf *document)
{
	struct arena *a = arena_create();
	struct sbuf page = {0};
	struct str text = sbuf_str(document);
	struct msglog_entry *v;
	size_t n = msglog_list(&v, a);
	size_t at = n > 0 ? str_find(text, "</h1>\n", 0) : SIZE_MAX;

	if (at != SIZE_MAX) {
		size_t head = at + sizeof("</h1>\n") - 1;
		sbuf_addstr(&page, str_sub(text, 0, head));
		sbuf_adds(&page, "<h2>Errors</h2>\n<ul>\n");
		for (size_t i = 0; i < n; i++) {
			sbuf_addf(&page, "<li><span class=%s>%s</span> ",
				v[i].error ? "del" : "rule", v[i].error ? "error:" : "warning:");
			if (v[i].file) {
				sbuf_adds(&page, "<code>");
				escape_xml(&page, str_of(v[i].file));
				sbuf_addf(&page, v[i].line ? ":%u</code> " : "</code> ", v[i].line);
			}
			escape_xml(&page, str_of(v[i].text));
			sbuf_addc(&page, '\n');
		}
		sbuf_adds(&page, "</ul>\n");
		sbuf_addstr(&page, str_sub(text, head, text.n));
		sbuf_release(document);
		*document = page;
	}
	arena_free(a);
}
