// The extension without an editor: in place of "vscode" stands a module in which every name is a class or a function
// that takes anything. It loads, and registers its commands; the client itself needs an editor.
import assert from "node:assert/strict";
import Module from "node:module";
import { test } from "node:test";

type Load = (name: string, ...more: unknown[]) => unknown;
const loader = Module as unknown as { _load: Load };
const load = loader._load;
const commands: string[] = [];

function anything(): unknown {
  const target = function () {
    return undefined;
  };
  return new Proxy(target, {
    get: (of, key) => (key === "prototype" || key === Symbol.toPrimitive ? (Reflect.get(of, key) as unknown) : anything()),
    apply: () => anything(),
    construct: () => ({ dispose: () => undefined }),
  });
}

const known: Record<string, unknown> = {
  version: "1.90.0",
  commands: {
    registerCommand: (name: string) => {
      commands.push(name);
      return { dispose: () => undefined };
    },
  },
};
const vscode = new Proxy(known, { get: (of, key: string) => of[key] ?? anything() });
loader._load = (name, ...more) => (name === "vscode" ? vscode : load(name, ...more));

test("it loads, and registers its commands", async () => {
  const extension = (await import("../src/extension.js")) as {
    activate(context: { subscriptions: unknown[] }): Promise<void>;
    deactivate(): Promise<void>;
  };
  const context = { subscriptions: [] as unknown[] };
  await extension.activate(context).catch(() => undefined);
  assert.deepEqual(commands, ["unphi.restart", "unphi.suppress"]);
  assert.equal(context.subscriptions.length, 4);
});
