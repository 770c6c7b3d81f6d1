import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { wantsReason, withReason } from "../src/reason";
import { KEYS, programOf, settingsOf } from "../src/settings";
import { Texts } from "../src/texts";

function configuration(of: Record<string, unknown>): { get(key: string): unknown } {
  return { get: (key) => of[key] };
}

test("settings are those that somebody gave", () => {
  const given = { target: ["gfx90a"], build: "", flags: [], checks: null, threshold: 0, path: "/bin/unphi" };
  assert.deepEqual(settingsOf(configuration(given)), { target: ["gfx90a"], threshold: 0 });
  assert.equal(programOf(configuration(given)), "/bin/unphi");
  assert.equal(programOf(configuration({ path: "" })), "unphi");
});

test("every setting of package.json goes to the server, but for the program", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf-8")) as {
    contributes: { configuration: { properties: Record<string, unknown> } };
  };
  const named = Object.keys(manifest.contributes.configuration.properties).map((name) => name.replace("unphi.", ""));
  assert.deepEqual(named.sort(), ["path", ...KEYS].sort());
});

test("a setting that nobody gave is none: the editor makes up 0 for a number without a default", () => {
  const manifest = JSON.parse(readFileSync("package.json", "utf-8")) as {
    contributes: { configuration: { properties: Record<string, { type: string | string[]; default?: unknown }> } };
  };
  const made = { string: "", array: [], integer: 0, number: 0, boolean: false, object: {} } as Record<string, unknown>;
  const values: Record<string, unknown> = {};
  for (const [name, of] of Object.entries(manifest.contributes.configuration.properties)) {
    values[name.replace("unphi.", "")] = "default" in of ? of.default : made[[of.type].flat()[0]];
  }
  assert.deepEqual(settingsOf(configuration(values)), {});
});

test("a NOLINT comment wants a reason, of one line", () => {
  assert.ok(wantsReason(" // NOLINT(unphi-phi-explosion): "));
  assert.ok(!wantsReason(" // NOLINT(unphi-phi-explosion): it runs once"));
  assert.ok(!wantsReason("int x;"));
  assert.equal(withReason("x: ", " it runs\nonce \\\n"), "x: it runs once");
  assert.equal(withReason("x: ", undefined), undefined);
  assert.equal(withReason("x: ", " \n"), undefined);
});

test("texts are kept, and the oldest go", () => {
  const texts = new Texts(2);
  const [first, second, third] = ["a/b", "c", "c"].map((title) => texts.add(title, "diff", `of ${title}`));
  assert.equal(first, "/1/a_b.diff");
  assert.equal(texts.get(first), undefined);
  assert.equal(texts.get(second), "of c");
  assert.notEqual(second, third);
});
