/* Sets the source place of each instruction. */
#include "measure/isa/place.h"

#include "isa/table.h"

static size_t count_lines(struct str text)
{
	struct str line;
	size_t n = 0;
	while (str_line(&text, &line)) {
		n++;
	}
	return n;
}

/* The functions of the program are not in the order of the text. */
void isa_program_places(struct isa_program *p, struct arena *a, struct str text)
{
	struct isa_places at = {.a = a};
	size_t lines = count_lines(text);
	struct isa_place *of_line = ARENA_ARRAY(a, struct isa_place, lines + 1);
	struct str line;
	for (size_t number = 1; number <= lines && str_line(&text, &line); number++) {
		struct str s = str_trim(line);
		if (s.n && s.p[0] == '.') {
			isa_places_read(&at, s);
		}
		of_line[number] = (struct isa_place){at.file, at.line};
	}
	p->place = ARENA_ARRAY(a, struct isa_place, p->ops + 1);
	for (size_t i = 0; i < p->ops; i++) {
		p->place[i] = of_line[p->op[i].line];
	}
	isa_places_release(&at);
}
