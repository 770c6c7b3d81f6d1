// unphi server by the protocol library that the client is made of: UNPHI names the program; without it there is no test.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { test } from "node:test";
import * as rpc from "vscode-languageserver-protocol/node";

const program = process.env["UNPHI"];
const KERNEL = `__attribute__((global)) void wide(float *p, int c)
{
	float acc[64] = {};
	if (c) {
		for (auto &e : acc) e += 1;
	} else {
		for (auto &e : acc) e += 1;
	}
	p[0] = acc[3];
}
`;

test("diagnostics, hover and lenses", { skip: program === undefined && "UNPHI names no program" }, async () => {
  const server = spawn(program ?? "", ["server", "--target", "gfx90a", "--", "-nogpuinc"]);
  const connection = rpc.createProtocolConnection(
    new rpc.StreamMessageReader(server.stdout), new rpc.StreamMessageWriter(server.stdin));
  const found = new Promise<rpc.PublishDiagnosticsParams>((resolve) => {
    connection.onNotification(rpc.PublishDiagnosticsNotification.type, resolve);
  });
  connection.listen();
  const hello = await connection.sendRequest<rpc.InitializeResult>("initialize", {
    processId: process.pid, workspaceFolders: null, capabilities: {},
  });
  assert.equal(hello.capabilities.positionEncoding, "utf-16");
  await connection.sendNotification(rpc.InitializedNotification.type, {});
  const uri = "file:///tmp/a%20b.hip";
  await connection.sendNotification(rpc.DidOpenTextDocumentNotification.type, {
    textDocument: { uri, languageId: "hip", version: 1, text: KERNEL },
  });
  const { diagnostics } = await found;
  assert.deepEqual(diagnostics.map((d) => [d.code, d.range.start.line]), [["unphi-phi-explosion", 3]]);
  const hover = await connection.sendRequest(rpc.HoverRequest.type, {
    textDocument: { uri }, position: { line: 2, character: 8 },
  });
  assert.match((hover?.contents as rpc.MarkupContent).value, /64 VGPRs per lane/);
  const lenses = await connection.sendRequest(rpc.CodeLensRequest.type, { textDocument: { uri } });
  assert.match(lenses?.[0].command?.title ?? "", /^gfx90a: about \d+ VGPRs/);
  await connection.sendRequest(rpc.ShutdownRequest.type);
  await connection.sendNotification(rpc.ExitNotification.type);
  assert.equal(await new Promise((resolve) => server.on("exit", resolve)), 0);
});
