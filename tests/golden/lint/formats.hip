// RUN: %exits 1 %unphi lint %s --target gfx90a --format json -- -nogpuinc > %t.json
// RUN: python3 %S/Inputs/check_json.py %t.json %s
// RUN: %exits 1 %unphi lint %s --target gfx90a --format json --report %t.report -- -nogpuinc \
// RUN:   | cmp - /dev/null
// RUN: cmp %t.json %t.report
//
// Warnings as errors change the word, not the exit code.
// RUN: %exits 1 %unphi lint %s --target gfx90a --warnings-as-errors -- -nogpuinc \
// RUN:   | %FileCheck %s --check-prefix ERROR --implicit-check-not=warning:
// ERROR: formats.hip:{{[0-9]+}}:2: error: 'acc' {{.*}} [unphi-phi-explosion]
//
// A check that is switched off finds nothing.
// RUN: %exits 0 %unphi lint %s --target gfx90a --checks=-unphi-phi-explosion -- -nogpuinc \
// RUN:   | cmp - /dev/null
// RUN: %exits 0 %unphi lint %s --target gfx90a '--checks=-*' -- -nogpuinc
// RUN: %exits 1 %unphi lint %s --target gfx90a '--checks=-*,unphi-phi*' --quiet -- -nogpuinc > %t
//
// Without findings JSON is JSON, too.
// RUN: %exits 0 %unphi lint %s --target gfx90a --checks=-unphi-phi-explosion --format json \
// RUN:   -- -nogpuinc | python3 -m json.tool | %FileCheck %s --check-prefix EMPTY
// EMPTY: {
// EMPTY: []

__attribute__((global)) void kernel(float *p, int c)
{
	float acc[64] = {}, ünicöde[32] = {};
	if (c) { const char *text = "\\ \" \t ]]>"; /* " */
		for (auto &e : acc) e += 1; for (auto &e : ünicöde) e += 1;
	} else {
		for (auto &e : acc) e += 1; for (auto &e : ünicöde) e -= 1;
	}
	p[0] = acc[3] + ünicöde[3];
}
