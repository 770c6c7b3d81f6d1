/* The place of an instruction, and of the wave that runs it, in words. */
#include "isa/machine.h"

#include "base/file.h"

const char *isa_where(const struct isa_group *g, unsigned line)
{
	const struct isa_program *p = g->p;
	size_t i = 0;
	while (p->address && i < p->ops && p->op[i].line != line) {
		i++;
	}
	return p->address && i < p->ops
		       ? arena_printf(g->a, "address %#llx", (unsigned long long)p->address[i])
		       : arena_printf(g->a, "line %u", line);
}

const char *isa_wave_words(const struct isa_wave *w)
{
	const struct isa_group *g = w->group;
	const char *place = "";
	bool own = w->op >= g->p->op && w->op < g->p->op + g->p->ops;
	size_t number = own ? (size_t)(w->op - g->p->op) : w->next - 1;
	if (number < g->p->ops && g->p->place[number].line) {
		const struct isa_place *at = &g->p->place[number];
		place = arena_printf(g->a, " (%.*s:%u)", STR_ARG(path_base(at->file)), at->line);
	}
	return arena_printf(g->a, "%s%s, group %u,%u,%u wave %u: %s",
		isa_where(g, w->op ? w->op->line : 0), place, g->id[0], g->id[1], g->id[2],
		w->number, w->said);
}
