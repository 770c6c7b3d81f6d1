#include "report/decision/choice.h"

static void lines_text(struct sbuf *out, struct explained_lines l)
{
	if (l.first == l.last) {
		sbuf_addf(out, "line %u", l.first);
	} else {
		sbuf_addf(out, "lines %u-%u", l.first, l.last);
	}
}

static void carrier_text(struct sbuf *out, const struct explained_carrier *c)
{
	sbuf_addf_visible(out, "  crosses: '%s' (%s, %u VGPR%s per lane%s)\n", c->name, c->type,
		c->width, c->width == 1 ? "" : "s", c->chained ? ", chained" : "");
}

static void arm_text(struct sbuf *out, const struct explained_arm *a, size_t number)
{
	sbuf_addf(out, "  arm %zu: ", number);
	if (a->lines.first) {
		lines_text(out, a->lines);
	} else {
		sbuf_adds(out, "empty");
	}
	sbuf_addf_visible(
		out, a->condition ? ", if %s\n" : "%s\n", a->condition ? a->condition : "");
}

static void operand_text(struct sbuf *out, const struct explained_operand *o, size_t arms)
{
	sbuf_adds(out, "    ");
	for (size_t i = 0; i < arms; i++) {
		sbuf_addf_visible(out, "%s'%s'", i ? " / " : "", o->text[i]);
	}
	sbuf_addf_visible(
		out, ": %s, %u VGPR%s per lane", o->type, o->width, o->width == 1 ? "" : "s");
	if (*o->reads) {
		sbuf_addf_visible(out, ", reads %s", o->reads);
	}
	sbuf_addc(out, '\n');
}

static void tail_text(struct sbuf *out, const struct explanation *e)
{
	if (!e->alike) {
		sbuf_adds(out, "  the arms do not end alike\n");
		return;
	}
	sbuf_adds(out, "  the arms end alike: ");
	for (size_t i = 0; i < e->arms; i++) {
		sbuf_adds(out, i == 0 ? "" : i + 1 == e->arms ? " and " : ", ");
		lines_text(out, e->arm[i].tail);
	}
	if (e->operands) {
		sbuf_addf_visible(
			out, ", but for %zu operand%s:", e->operands, e->operands == 1 ? "" : "s");
	}
	sbuf_addc(out, '\n');
	for (size_t i = 0; i < e->operands; i++) {
		operand_text(out, &e->operand[i], e->arms);
	}
}

void explanation_text(struct sbuf *out, const struct explanation *e)
{
	for (size_t i = 0; i < e->carriers; i++) {
		carrier_text(out, &e->carrier[i]);
	}
	for (size_t i = 0; i < e->arms; i++) {
		arm_text(out, &e->arm[i], i + 1);
	}
	tail_text(out, e);
}

static void lines_json(struct json *j, const char *key, struct explained_lines l)
{
	if (l.first) {
		jsonw_key_object(j, key);
		jsonw_key_i64(j, "first", l.first);
		jsonw_key_i64(j, "last", l.last);
		jsonw_end(j);
	}
}

static void carrier_json(struct json *j, const struct explained_carrier *c)
{
	jsonw_object(j);
	jsonw_key_str(j, "name", str_of(c->name));
	jsonw_key_str(j, "type", str_of(c->type));
	jsonw_key_i64(j, "vgprs", c->width);
	jsonw_key_bool(j, "chained", c->chained);
	jsonw_end(j);
}

static void arm_json(struct json *j, const struct explained_arm *a)
{
	jsonw_object(j);
	jsonw_key_given(j, "condition", a->condition);
	lines_json(j, "lines", a->lines);
	lines_json(j, "tail", a->tail);
	jsonw_end(j);
}

static void operand_json(struct json *j, const struct explained_operand *o, size_t arms)
{
	jsonw_object(j);
	jsonw_key_array(j, "arms");
	for (size_t i = 0; i < arms; i++) {
		jsonw_str(j, str_of(o->text[i]));
	}
	jsonw_end(j);
	jsonw_key_str(j, "type", str_of(o->type));
	jsonw_key_i64(j, "vgprs", o->width);
	jsonw_key_str(j, "reads", str_of(o->reads));
	jsonw_end(j);
}

void explanation_json(struct json *j, const struct explanation *e)
{
	jsonw_key_object(j, "explanation");
	jsonw_key_array(j, "carriers");
	for (size_t i = 0; i < e->carriers; i++) {
		carrier_json(j, &e->carrier[i]);
	}
	jsonw_end(j);
	jsonw_key_array(j, "arms");
	for (size_t i = 0; i < e->arms; i++) {
		arm_json(j, &e->arm[i]);
	}
	jsonw_end(j);
	jsonw_key_bool(j, "alike", e->alike);
	jsonw_key_array(j, "operands");
	for (size_t i = 0; i < e->operands; i++) {
		operand_json(j, &e->operand[i], e->arms);
	}
	jsonw_end(j);
	jsonw_end(j);
}
