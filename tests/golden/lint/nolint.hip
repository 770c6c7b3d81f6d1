// Findings are taken back where the source says so, with a reason. A comment that names unphi and
// takes nothing back is a finding itself.
//
// RUN: %exits 1 %unphi lint %s --target gfx90a -- -nogpuinc > %t 2> %t.err
// RUN: grep '^[^ ].*\[unphi-' %t | %FileCheck %s --match-full-lines
// RUN: grep 'unphi: note: 6 findings suppressed by NOLINT' %t.err
// CHECK: {{.*}}:[[#@LINE+4]]:2: warning: 'acc' {{.*}} [unphi-phi-explosion]
__attribute__((global)) void reported(float *p, int c)
{
	float acc[64] = {};
	if (c) {
		for (auto &e : acc) e += 1; // NOLINT not the line of the if
	} else {
		for (auto &e : acc) e += 1;
	}
	p[0] = acc[3];
}

__attribute__((global)) void line(float *p, int c)
{
	float acc[64] = {};
	if (c) { // NOLINT(unphi-phi-explosion): once a day, nobody waits for it
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e += 1;
	}
	p[0] = acc[3];
}

__attribute__((global)) void next_line(float *p, int c)
{
	float acc[64] = {};
	/* NOLINTNEXTLINE(readability-braces, unphi-*) - by glob, beside other tools */
	if (c) {
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e += 1;
	}
	p[0] = acc[3];
}

__attribute__((global)) void every_linter(float *p, int c)
{
	float acc[64] = {};
	if (c) { // NOLINT
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e += 1;
	}
	p[0] = acc[3];
}

// NOLINTBEGIN(unphi-phi-explosion): two of them
__attribute__((global)) void block(float *p, int c)
{
	float acc[64] = {};
	if (c) {
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e += 1;
	}
	if (p[0] > c) {
		for (auto &e : acc) e += 2;
	} else {
		for (auto &e : acc) e += 2;
	}
	p[0] = acc[3];
}
// NOLINTEND(unphi-phi-explosion)

__attribute__((global)) void no_reason(float *p, int c)
{
	float acc[64] = {};
// CHECK-NEXT: {{.*}}:[[#@LINE+1]]:14: note: 'NOL{{INT}}(unphi-phi-explosion)' gives no reason; write it after the list [unphi-suppression]
	if (c) { // NOLINT(unphi-phi-explosion)
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e += 1;
	}
	p[0] = acc[3];
}

__attribute__((global)) void other_text(float *p, int c)
{
	const char *text = "NOLINT(unphi-phi-explosion)";
	float acc[64] = {};
	acc[3] = text[c]; // NOLINT(bugprone-x) another tool's; XNOLINT(unphi-x); NOLINTED(unphi-x)
// CHECK-NEXT: {{.*}}:[[#@LINE+1]]:20: warning: 'NOL{{INT}}(unphi-*)' suppresses nothing; remove it [unphi-suppression]
	p[0] = acc[3]; // NOLINT(unphi-*): stale
}

// CHECK-NEXT: {{.*}}:[[#@LINE+1]]:4: warning: there is no rule 'unphi-phi-explosoin'; did you mean 'unphi-phi-explosion'? [unphi-suppression]
// NOLINTNEXTLINE(unphi-phi-explosoin): mistyped
// CHECK-NEXT: {{.*}}:[[#@LINE+1]]:4: warning: 'NOL{{INT}}BEGIN(unphi-phi-explosion)' has no counterpart with the same list [unphi-suppression]
// NOLINTBEGIN(unphi-phi-explosion): for ever
// CHECK-NOT: {{.}}
//
// Advice breaks no build, and a rule that is off is not asked for.
// RUN: %exits 0 %unphi lint %S/Inputs/nolint.hip --target gfx90a -- -nogpuinc \
// RUN:   | grep 'note: .*gives no reason'
// RUN: %exits 0 %unphi lint %S/Inputs/nolint.hip --target gfx90a --checks=-unphi-suppression \
// RUN:   -- -nogpuinc | cmp - /dev/null
// RUN: %exits 0 %unphi lint %s --target gfx90a --checks=-unphi-phi-explosion,-unphi-suppression \
// RUN:   -- -nogpuinc | cmp - /dev/null
