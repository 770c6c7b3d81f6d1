// The client of unphi server: settings, texts to read, and the question for a reason before a NOLINT is written.
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions, type StaticFeature } from "vscode-languageclient/node";
import { wantsReason, withReason } from "./reason";
import { programOf, settingsOf } from "./settings";
import { Texts } from "./texts";

const SCHEME = "unphi";
const texts = new Texts();
let client: LanguageClient | undefined;

interface ShownText {
  title: string;
  language: string;
  text: string;
}

function settings(): Record<string, unknown> {
  return settingsOf(vscode.workspace.getConfiguration("unphi"));
}

const showsTexts: StaticFeature = {
  fillClientCapabilities(capabilities) {
    const other = capabilities.experimental as Record<string, unknown> | undefined;
    capabilities.experimental = { ...other, unphiShowText: true };
  },
  initialize() {
    // nothing but the capability
  },
  getState: () => ({ kind: "static" }),
  clear() {
    // nothing is held
  },
};

async function showText(shown: ShownText): Promise<void> {
  const path = texts.add(shown.title, shown.language, shown.text);
  const document = await vscode.workspace.openTextDocument(vscode.Uri.from({ scheme: SCHEME, path }));
  await vscode.window.showTextDocument(document, { preview: true, viewColumn: vscode.ViewColumn.Beside });
}

async function suppress(uri: vscode.Uri, edit: vscode.TextEdit): Promise<void> {
  const reason = await vscode.window.showInputBox({ prompt: "Why is this finding suppressed?" });
  const text = withReason(edit.newText, reason);
  if (text !== undefined) {
    const change = new vscode.WorkspaceEdit();
    change.insert(uri, edit.range.start, text);
    await vscode.workspace.applyEdit(change);
  }
}

/** An action whose edit is a NOLINT comment asks for the reason in place of applying it. */
function asking(action: vscode.CodeAction | vscode.Command): vscode.CodeAction | vscode.Command {
  if (!(action instanceof vscode.CodeAction) || action.edit === undefined) {
    return action;
  }
  for (const [uri, edits] of action.edit.entries()) {
    const edit = edits.find((e) => wantsReason(e.newText));
    if (edit !== undefined) {
      action.edit = undefined;
      action.command = { title: action.title, command: "unphi.suppress", arguments: [uri, edit] };
      break;
    }
  }
  return action;
}

/** A command of the server, and why it was refused: the client's own message has no reason. */
async function execute(command: string, args: unknown[]): Promise<unknown> {
  try {
    return await client?.sendRequest("workspace/executeCommand", { command, arguments: args });
  } catch (error) {
    void vscode.window.showErrorMessage(`unphi: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function options(): LanguageClientOptions {
  return {
    documentSelector: [
      { scheme: "file", language: "hip" },
      { scheme: "file", language: "cpp" },
    ],
    initializationOptions: settings(),
    middleware: {
      executeCommand: execute,
      workspace: { configuration: (params) => params.items.map(() => settings()) },
      provideCodeActions: async (document, range, context, token, next) =>
        (await next(document, range, context, token))?.map(asking),
    },
  };
}

async function start(): Promise<void> {
  const program: ServerOptions = {
    command: programOf(vscode.workspace.getConfiguration("unphi")),
    args: ["server"],
  };
  client = new LanguageClient("unphi", "unphi", program, options());
  client.registerFeature(showsTexts);
  client.onNotification("unphi/showText", (shown: ShownText) => {
    void showText(shown);
  });
  await client.start();
}

async function restart(): Promise<void> {
  await client?.stop();
  await start();
}

async function configured(change: vscode.ConfigurationChangeEvent): Promise<void> {
  if (change.affectsConfiguration("unphi.path")) {
    await restart();
  } else if (change.affectsConfiguration("unphi")) {
    await client?.sendNotification("workspace/didChangeConfiguration", { settings: { unphi: settings() } });
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: (uri) => texts.get(uri.path) ?? "This text is gone: ask for it again.",
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      void configured(change);
    }),
    vscode.commands.registerCommand("unphi.restart", restart),
    vscode.commands.registerCommand("unphi.suppress", suppress),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
