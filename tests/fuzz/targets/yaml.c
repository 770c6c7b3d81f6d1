/* config: YAML. A tree that was read, written out again, is read as the same tree; places lie in
 * the text; every typed read of every node answers. */
#include "config/yaml.h"
#include "target.h"

static unsigned count_lines(struct str text)
{
	unsigned n = 1;
	for (size_t i = 0; i < text.n; i++) {
		n += text.p[i] == '\n' || text.p[i] == '\r';
	}
	return n;
}

/* One character of UTF-8, which libyaml has checked. */
static size_t decode(uint32_t *out, struct str s, size_t at)
{
	unsigned char c = (unsigned char)s.p[at];
	size_t n = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
	*out = n == 1 ? c : c & (0xffu >> (n + 1));
	for (size_t i = 1; i < n && at + i < s.n; i++) {
		*out = *out << 6 | ((unsigned char)s.p[at + i] & 0x3f);
	}
	return n;
}

static void write_scalar(struct sbuf *out, struct str s)
{
	uint32_t c;
	sbuf_addc(out, '"');
	for (size_t at = 0; at < s.n;) {
		at += decode(&c, s, at);
		if (c >= ' ' && c < 0x7f && c != '"' && c != '\\') {
			sbuf_addc(out, (char)c);
		} else {
			sbuf_addf(out, "\\U%08x", c);
		}
	}
	sbuf_addc(out, '"');
}

static void write_node(struct sbuf *out, const struct yaml_node *n)
{
	if (n->kind == YAML_SCALAR) {
		write_scalar(out, n->text);
		return;
	}
	sbuf_addc(out, n->kind == YAML_LIST ? '[' : '{');
	for (size_t i = 0; i < n->n; i++) {
		sbuf_adds(out, i ? ",\n" : "");
		if (n->kind == YAML_MAP) {
			sbuf_adds(out, "? ");
			write_scalar(out, n->key[i]->text);
			sbuf_adds(out, "\n: ");
		}
		write_node(out, n->item[i]);
	}
	sbuf_addc(out, n->kind == YAML_LIST ? ']' : '}');
}

static void require_same(const struct yaml_node *x, const struct yaml_node *y)
{
	REQUIRE(x->kind == y->kind);
	REQUIRE(x->n == y->n);
	REQUIRE(x->kind != YAML_SCALAR || str_eq(x->text, y->text));
	for (size_t i = 0; i < x->n; i++) {
		REQUIRE(x->kind != YAML_MAP || str_eq(x->key[i]->text, y->key[i]->text));
		require_same(x->item[i], y->item[i]);
	}
}

static void read_all(struct arena *a, const struct yaml_node *n, unsigned lines, size_t bytes)
{
	static const char *const keys[] = {"kernel", "grid", NULL};
	int64_t whole = 7;
	double real = 0;
	bool yes = false;
	struct str text = {0};
	struct str *list = NULL;
	size_t items = 0;
	REQUIRE(n->line >= 1 && n->line <= lines);
	REQUIRE(n->column >= 1 && n->column <= bytes + 1);
	if (yaml_i64(&whole, n, -5, 5) == 0) {
		REQUIRE(whole >= -5 && whole <= 5);
	}
	yaml_double(&real, n);
	yaml_bool(&yes, n);
	yaml_str(&text, n);
	yaml_str_list(&list, &items, a, n);
	yaml_only_keys(n, keys);
	for (size_t i = 0; i < n->n; i++) {
		read_all(a, n->item[i], lines, bytes);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str text = {(const char *)data, size};
	struct arena *a = arena_create();
	struct yaml_node *root;
	struct yaml_node *again;
	struct sbuf out = {0};
	if (yaml_parse(&root, a, text, "in.yaml") == 0) {
		read_all(a, root, count_lines(text), size);
		write_node(&out, root);
		REQUIRE(yaml_parse(&again, a, sbuf_str(&out), "out.yaml") == 0);
		require_same(root, again);
	}
	sbuf_release(&out);
	arena_free(a);
	return 0;
}
