/* The report of rewrite as an HTML page: figures, decisions and the diff. */
#include "edit/edit.h"
#include "report/decision/choice.h"
#include "report/form/escape.h"
#include "report/form/page.h"

static void add_ran(struct sbuf *out, const struct choice *c)
{
	struct sbuf text = {0};
	if (c->ran) {
		choice_ran_text(&text, c);
		page_pre(out, sbuf_str(&text));
	}
	sbuf_release(&text);
}

/* The lines of the text report, each as an item. */
static void add_decisions(struct sbuf *out, const struct choice *c, const struct choice_shown *s)
{
	struct sbuf text = {0};
	struct str rest, line;
	choice_decisions_text(&text, c, s);
	rest = sbuf_str(&text);
	sbuf_adds(out, "<ul>\n");
	while (str_line(&rest, &line)) {
		if (line.n > 0) {
			sbuf_adds(out, "<li>");
			escape_xml(out, line);
			sbuf_adds(out, "</li>\n");
		}
	}
	sbuf_adds(out, "</ul>\n");
	sbuf_release(&text);
}

void choice_html(struct sbuf *out, const struct choice_file *v, size_t n)
{
	page_open(out, "unphi: gains of rewrite");
	for (size_t i = 0; i < n; i++) {
		const struct choice *c = v[i].choice;
		const struct choice_shown *s = &v[i].shown;
		struct sbuf diff = {0}, name = {0};
		sbuf_addf(&name, "a/%s", s->path);
		diff_unified(&diff, s->source, c->text, sbuf_cstr(&name), sbuf_cstr(&name) + 2);
		sbuf_adds(out, "<section>\n");
		page_heading(out, s->path);
		page_choice(out, c, s->targets, s->kernels);
		add_ran(out, c);
		add_decisions(out, c, s);
		page_diff(out, sbuf_str(&diff));
		sbuf_adds(out, "</section>\n");
		sbuf_release(&diff);
		sbuf_release(&name);
	}
	page_close(out);
}
