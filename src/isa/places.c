/* Of each instruction, where in the source the text says it is. */
#include "measure/isa/place.h"

#include "isa/table.h"

void isa_program_places(struct isa_program *p, struct arena *a, struct str text)
{
	struct isa_places at = {.a = a};
	struct str rest = text;
	struct str line;
	size_t next = 0;
	p->place = ARENA_ARRAY(a, struct isa_place, p->ops + 1);
	for (unsigned number = 1; next < p->ops && str_line(&rest, &line); number++) {
		struct str s = str_trim(line);
		if (s.n && s.p[0] == '.') {
			isa_places_read(&at, s);
		}
		for (; next < p->ops && p->op[next].line == number; next++) {
			p->place[next] = (struct isa_place){at.file, at.line};
		}
	}
	isa_places_release(&at);
}
