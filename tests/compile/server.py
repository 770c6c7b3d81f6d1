#!/usr/bin/env python3
"""unphi server: a scripted client of the protocol. What it answers is what the subcommands say; it outlives a libclang
that crashes; it writes no file; and messages of any kind get one answer each."""

import json
import os
import pathlib
import random
import shutil
import sys
import time

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/lib")
import lsp  # noqa: E402
import tool  # noqa: E402

# Without the HIP headers a parse takes a tenth of the time. A character of two bytes and one of two units stand in front
# of the if, so that each way to count columns gives another one.
KERNEL = """#include "other.h"
__attribute__((global)) void quick(float *p, int c)
{
	float acc[64] = {};
	for (int t = 0; t < c; ++t) {
		/* ü𝄞 */ if (t < p[2]) {
			for (int i = 0; i < 64; ++i) acc[i] *= p[3];
		} else {
			for (int i = 0; i < 64; ++i) acc[i] += p[t];
		}
	}
	for (int i = 0; i < 64; ++i) p[i] = acc[i];
}
"""
HEADER = """template <int N> __attribute__((device)) void other(float *p, int c)
{
	float sum[N] = {};
	for (int t = 0; t < c; ++t) {
		if (t < p[2]) {
			for (int i = 0; i < N; ++i) sum[i] *= p[3];
		} else {
			for (int i = 0; i < N; ++i) sum[i] += p[t];
		}
	}
	for (int i = 0; i < N; ++i) p[i] = sum[i];
}
__attribute__((global)) inline void from_header(float *p, int c)
{
	other<48>(p, c);
}
"""
WORDS = ("--target", "gfx90a", "--", "-nogpuinc")
COLUMNS = {"utf-8": 2 + 3 + 2 + 4 + 4, "utf-16": 2 + 3 + 1 + 2 + 4}


def place(name):
    here = pathlib.Path(name).resolve()
    shutil.rmtree(here, ignore_errors=True)
    here.mkdir()
    (here / "k.hip").write_text(KERNEL, encoding="utf-8")
    (here / "other.h").write_text(HEADER, encoding="utf-8")
    return here


def started(here, *words, **how):
    client = lsp.Client(*(words or WORDS), cwd=here, root=str(here), **how)
    client.start()
    return client


def lint(here, *words):
    done = tool.run(tool.UNPHI, "lint", "--format", "json", *words, "--target", "gfx90a", "k.hip", "--", "-nogpuinc",
                    cwd=here)
    return json.loads(done.stdout)


# ---- the life of a session ----


def check_life(here):
    wrong = []
    client = lsp.Client(*WORDS, cwd=here)
    codes = [client.error("textDocument/hover")["code"], client.error("shutdown")["code"]]
    client.notify("textDocument/didOpen", textDocument={"uri": "file:///x.hip", "text": "", "version": 1})
    client.start()
    codes += [client.error("initialize", **client.hello)["code"], client.error("textDocument/nothing")["code"],
              client.error("textDocument/hover", textDocument={"uri": "file:///x.hip"},
                           position={"line": 0, "character": 0})["code"],
              client.error("workspace/executeCommand", command="rm", arguments=["-rf"])["code"]]
    client.request("shutdown")
    codes += [client.error("textDocument/hover")["code"]]
    wrong += [] if codes == [-32002, -32002, -32600, -32601, -32602, -32602, -32600] else [f"errors {codes}"]
    client.notify("exit")
    ended = [client.server.wait(timeout=60)]
    for last in ("exit", None):
        client = lsp.Client(*WORDS, cwd=here)
        client.start()
        client.open(here / "k.hip")
        if last:
            client.notify(last)
        else:
            client.server.stdin.close()
        ended.append(client.server.wait(timeout=60))
    wrong += [] if ended == [0, 1, 1] else [f"exit codes {ended}"]
    tool.check("server/life", wrong)


# ---- diagnostics ----


def check_diagnostics(here):
    wanted = lint(here)["findings"]
    for encoding in ("utf-8", "utf-16"):
        client = started(here, encodings=[encoding])
        uri = client.open(here / "k.hip")
        header = (here / "other.h").as_uri()
        client.text[header] = HEADER
        own = client.diagnostics(uri)
        other = client.diagnostics(header)
        wrong = [] if len(own) + len(other) == len(wanted) > 1 else [f"{len(own)} + {len(other)} findings"]
        for found in own + other:
            text = client.marked(header if found in other else uri, found["range"])
            same = [f for f in wanted if f["line"] == found["range"]["start"]["line"] + 1 and
                    f["rule"] == found["code"] and found["message"].startswith(f["message"])]
            wrong += [] if text == "if" and len(same) == 1 else [f"{text!r} for {found}"]
        column = own[0]["range"]["start"]["character"]
        wrong += [] if column == COLUMNS[encoding] else [f"column {column}"]
        related = own[0]["relatedInformation"]
        wrong += [] if related and client.marked(uri, related[0]["location"]["range"]) else ["no related places"]
        client.notify("textDocument/didClose", textDocument={"uri": uri})
        wrong += [f"{n} are left" for n in (len(client.diagnostics(u)) for u in (uri, header)) if n]
        client.stop()
        tool.check(f"server/diagnostics-{encoding}", wrong)


def check_shared_header(here):
    """Two files include a header: closing one leaves the other's findings in it."""
    (here / "l.hip").write_text(KERNEL, encoding="utf-8")
    client = started(here)
    first = client.open(here / "k.hip")
    client.diagnostics(first)
    second = client.open(here / "l.hip")
    client.diagnostics(second)
    client.notify("textDocument/didClose", textDocument={"uri": first})
    header = (here / "other.h").as_uri()
    wrong = [] if client.diagnostics(second) else ["nothing in the other file"]
    client.request("textDocument/hover", textDocument={"uri": second}, position={"line": 0, "character": 0})
    last = [m for m in client.log if m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == header]
    wrong += [] if last[-1]["params"]["diagnostics"] else ["nothing in the header"]
    client.stop()
    (here / "l.hip").unlink()
    tool.check("server/shared-header", wrong)


def check_typing(here):
    client = started(here)
    uri = client.open(here / "k.hip")
    client.diagnostics(uri)
    start = len(client.log)
    for i in range(20):
        client.change(uri, KERNEL.replace("float acc[64]", f"float acc[{30 + i}]").replace("i < 64", f"i < {30 + i}"))
    last = client.diagnostics(uri)
    looks = [m["params"].get("version") for m in client.log[start:]
             if m.get("method") == "textDocument/publishDiagnostics" and m["params"]["uri"] == uri]
    wrong = [] if "49 VGPRs" in last[0]["message"] and len(looks) < 5 else [f"{looks}: {last}"]
    # a part of a document at a time, with an error in it
    client.text[uri] = KERNEL.replace("= {};", "= {} + ü;")
    client.versions[uri] += 1
    line = KERNEL[:KERNEL.index("= {};")].count("\n")
    at = {"line": line, "character": len("\tfloat acc[64] = {}")}
    client.notify("textDocument/didChange", textDocument={"uri": uri, "version": client.versions[uri]},
                  contentChanges=[{"text": KERNEL}, {"range": {"start": at, "end": at}, "text": " + ü"}])
    found = client.diagnostics(uri)
    errors = [d for d in found if d["severity"] == 1]
    wrong += [] if errors and errors[0]["range"]["start"]["line"] == line else [f"errors: {found}"]
    client.stop()
    tool.check("server/typing", wrong)


ERRONEOUS = (
    KERNEL + "int broken = nowhere;\n",
    KERNEL.replace("quick(float *p, int c)", "quick(float *p, int c, absent x)"),
    KERNEL.replace("\tfloat acc[64]", "\tother<0 - 1>(p, c);\n\tfloat acc[64]"),
    KERNEL.replace("__attribute__((global)) void quick", "#define K(x) absent x; \\\n int y;\nK(z)\n__attribute__((global)) "
                   "void quick").replace("t < p[2]", "t < p[2] + y"),
    KERNEL.replace("acc[i] *= p[3]", "acc[i] *= p[3"),
    KERNEL.replace('other.h"', 'other.h"\n#include "absent.h"'),
    KERNEL.replace("c)\n", "c)\n#if 1\n", 1),
)


def check_errors(here):
    """While somebody types, errors of the text are reported after one parse: they and the findings are those of lint."""
    client = started(here)
    uri = client.open(here / "k.hip")
    client.diagnostics(uri)
    rng, wrong = random.Random(4), []
    texts = list(ERRONEOUS)
    for _ in range(6):
        at = rng.randrange(len(KERNEL))
        texts.append(KERNEL[:at] + KERNEL[at + rng.randrange(1, 9):])
    for text in texts:
        client.change(uri, text)
        client.save(uri)
        found = client.diagnostics(uri)
        said = json.loads(tool.run(tool.UNPHI, "lint", "--format", "json", "--stdin-filename", here / "k.hip", "--target",
                                   "gfx90a", "--", "-nogpuinc", cwd=here, input=text).stdout)
        wanted = sorted(f["message"] for f in said["errors"] + said["findings"]
                        if f["line"] and f["file"] in ("k.hip", str(here / "k.hip")))
        got = sorted(d["message"] for d in found)
        same = len(wanted) == len(got) and all(g.startswith(w) for g, w in zip(got, wanted))
        wrong += [] if same else [f"{text!r}: {got}, not {wanted}"]
    client.stop()
    tool.check("server/errors", wrong)


def check_settings(here):
    """Of the command line, of .unphi.yaml and of the client, which comes first; what is wrong is shown."""
    client = started(here)
    uri = client.open(here / "k.hip")
    seen = [len(client.diagnostics(uri))]
    for settings in ({"checks": "-*"}, {"checks": "unphi-*"}, {"flags": ["-nogpuinc", "-DX"]},
                     {"target": ["gfx90a", "gfx1100"]}):
        client.notify("workspace/didChangeConfiguration", settings={"unphi": settings})
        seen.append(len(client.diagnostics(uri)))
    wrong = [] if seen == [1, 0, 1, 1, 1] else [f"findings {seen}"]
    for settings, said in (({"tarjet": "gfx90a"}, "did you mean --target?"), ({"target": "gfx9z"}, "gfx9z"),
                           ({"output": "x"}, "--output"), ({"bench": "touch x"}, "--bench")):
        client.notify("workspace/didChangeConfiguration", settings={"unphi": settings})
        client.until(lambda m: said in json.dumps(m), timeout=60)
    client.stop()
    (here / ".unphi.yaml").write_text("checks: '-*'\n")
    client = started(here, options={"debounce": 1})
    wrong += ["not as .unphi.yaml says"] if client.diagnostics(client.open(here / "k.hip")) else []
    client.stop()
    (here / ".unphi.yaml").unlink()
    tool.check("server/settings", wrong)


# ---- figures ----


def hover(client, uri, needle, nth=0):
    text, at = client.text[uri], -1
    for _ in range(nth + 1):
        at = text.index(needle, at + 1)
    line = text[:at].count("\n")
    column = len(text[text.rfind("\n", 0, at) + 1:at].encode())
    got = client.request("textDocument/hover", textDocument={"uri": uri}, position={"line": line, "character": column})
    return got and got["contents"]["value"]


def check_figures(here):
    client = started(here)
    uri = client.open(here / "k.hip")
    done = tool.run(tool.UNPHI, "ledger", "--format", "json", "--target", "gfx90a", "k.hip", "--", "-nogpuinc", cwd=here)
    ledger = next(e for e in json.loads(done.stdout)["ledgers"] if e["kernel"] == "quick")
    acc, kernel = hover(client, uri, "acc[64]"), hover(client, uri, "quick(")
    wrong = [] if "64 VGPRs per lane, accumulator" in acc and f"about {ledger['estimate']} VGPRs" in acc else [acc]
    wrong += [] if "quick, gfx90a" in kernel and "acc" not in kernel else [kernel]
    wrong += ["a keyword has figures"] if hover(client, uri, "for (") else []
    before = client.request("textDocument/codeLens", textDocument={"uri": uri})
    wrong += [] if len(before) == 1 and before[0]["range"]["start"]["line"] == 1 and \
        f"about {ledger['estimate']} VGPRs" in before[0]["command"]["title"] else [f"{before}"]
    if ledger["measured"]:
        client.request("workspace/executeCommand", **{k: before[0]["command"][k] for k in ("command", "arguments")})
        now = ledger["measured"]
        title = (f"gfx90a: {now['vgprs']} VGPRs, {now['vgpr_spills']} spilled, {now['resident_waves']} wave"
                 f"{'s' * (now['resident_waves'] != 1)} per SIMD")
        got = client.request("textDocument/codeLens", textDocument={"uri": uri})[0]["command"]["title"]
        wrong += [] if got == title else [f"{got} for {title}"]
        client.change(uri, "\n" + KERNEL)
        after = client.request("textDocument/codeLens", textDocument={"uri": uri})[0]
        wrong += [] if after["command"]["title"] == title + " (before the last change)" and \
            after["range"]["start"]["line"] == 2 else [f"{after}"]
        kernel, following = hover(client, uri, "acc[64]"), ledger["next"]
        wrong += [] if "measured: " in kernel else ["no measured figures"]
        wrong += [] if not following or f"{following['vgprs']} VGPRs ({following['fewer']} fewer)" in kernel else [kernel]
        refused = client.error("workspace/executeCommand", command="unphi.measure", arguments=[uri])
        wrong += [] if "save" in refused["message"] else [f"{refused}"]
    client.stop()
    tool.check("server/figures", wrong)


# ---- actions ----


def actions(client, uri, found, **context):
    return client.request("textDocument/codeAction", textDocument={"uri": uri}, range=found[0]["range"],
                          context={"diagnostics": found, **context})


def check_suppression(here):
    client = started(here)
    uri = client.open(here / "k.hip")
    listed = actions(client, uri, client.diagnostics(uri), only=["quickfix"])
    client.apply(listed[0]["edit"])
    found = client.diagnostics(uri)
    wrong = [] if [d["code"] for d in found] == ["unphi-suppression"] else [f"{found}"]
    wrong += ["a suppression is to be suppressed"] if "edit" in actions(client, uri, found)[0] else []
    client.change(uri, client.text[uri].replace("explosion): ", "explosion): it runs once"))
    wrong += [f"left: {found}" for found in [client.diagnostics(uri)] if found]
    article = client.request("workspace/executeCommand", command="unphi.explain", arguments=["unphi-phi-explosion"])
    said = tool.run(tool.UNPHI, "explain", "unphi-phi-explosion").stdout
    wrong += [] if article == said else ["another article"]
    kinds = {a["kind"] for a in actions(client, uri, [{"range": {"start": {"line": 0, "character": 0},
                                                                 "end": {"line": 0, "character": 0}}}])}
    wrong += [] if kinds == {"refactor.rewrite", "source"} else [f"{kinds}"]
    client.stop()
    tool.check("server/suppression", wrong)


def check_rewrite(here):
    (here / "quick.h").write_text("typedef float f32x4 __attribute__((ext_vector_type(4)));\n#define WIDTH 16\n")
    before = (pathlib.Path(__file__).parent / "lib/quick.hip").read_text(encoding="utf-8")
    (here / "k.hip").write_text(before, encoding="utf-8")
    client = started(here)
    uri = client.open(here / "k.hip")
    done = tool.run(tool.UNPHI, "rewrite", "k.hip", "-o", here / "out.hip", "--target", "gfx90a", "--", "-nogpuinc",
                    cwd=here)
    wanted = (here / "out.hip").read_text(encoding="utf-8")
    (here / "out.hip").unlink()
    run = {"command": "unphi.rewrite", "arguments": [uri]}
    shown = client.request("workspace/executeCommand", command="unphi.showRewrite", arguments=[uri])
    added = set(wanted.splitlines()) - set(before.splitlines())
    gains = wanted != before  # from clang 24 on it may not
    wrong = [] if done.returncode == 0 and all(f"+{line}" in shown for line in added) else [f"{done.stderr}"]
    number = client.ask("workspace/executeCommand", **run)
    client.change(uri, before + "\n")
    late = client.answer(number)
    wrong += [] if not gains or late.get("error", {}).get("code") == -32801 else ["applied to a changed text"]
    client.change(uri, before)
    result = client.request("workspace/executeCommand", **run)
    wrong += [] if result["changed"] == gains and client.text[uri] == wanted else [f"another text: {result}"]
    kinds = [m["params"]["value"]["kind"] for m in client.log if m.get("method") == "$/progress"]
    wrong += [] if kinds[0] == "begin" and kinds[-1] == "end" and "report" in kinds else [f"progress {kinds}"]
    wrong += [] if (here / "k.hip").read_text(encoding="utf-8") == before else ["the server has written the file"]
    client.stop()
    (here / "quick.h").unlink()
    (here / "k.hip").write_text(KERNEL, encoding="utf-8")
    tool.check("server/rewrite", wrong)


def check_build(here):
    """Flags of a compile database; a file that is in it twice gets the edit that is right in both."""
    top = here.parent / "built"
    shutil.rmtree(top, ignore_errors=True)
    (top / "build").mkdir(parents=True)
    shutil.copy(pathlib.Path(__file__).parent / "lib/quick.hip", top / "k.hip")
    (top / "quick.h").write_text("typedef float f32x4 __attribute__((ext_vector_type(4)));\n")
    (top / "other.hip").write_text(KERNEL, encoding="utf-8")
    (top / "build/compile_commands.json").write_text(json.dumps(
        [{"directory": str(top / "build"), "file": "../k.hip",
          "command": f"hipcc -DWIDTH={n} -nogpuinc --offload-arch=gfx90a -c ../k.hip"} for n in (16, 24)]))
    client = started(top, "--no-comments", options={"build": "build", "compiler": tool.one_or_all()[0]})
    uri = client.open(top / "k.hip")
    found = client.diagnostics(uri)
    wrong = [] if len(found) == 1 and "96 VGPRs" in found[0]["message"] else [f"{found}"]
    other = client.diagnostics(client.open(top / "other.hip"))
    wrong += [] if len(other) == 1 and "no entry of -p build" in other[0]["message"] else [f"{other}"]
    before = client.text[uri]
    result = client.request("workspace/executeCommand", command="unphi.rewrite", arguments=[uri])
    wrong += [] if result["changed"] == (client.text[uri] != before) else [f"{result}"]
    client.stop()
    tool.check("server/build", wrong)


def children(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").glob("*/children"):
        found += task.read_text().split()
    return found + [c for child in found for c in children(child)]


def check_cancel(here):
    """By the request and by the progress; nothing goes on running."""
    wrong = []
    for how in ("request", "progress"):
        client = started(here, *("--no-cache", *WORDS))
        uri = client.open(here / "k.hip")
        client.diagnostics(uri)
        number = client.ask("workspace/executeCommand", command="unphi.rewrite", arguments=[uri])
        begun = client.until(lambda m: m.get("method") == "$/progress")
        while not (running := children(client.server.pid)):
            time.sleep(0.01)
        if how == "request":
            client.notify("$/cancelRequest", id=number)
        else:
            client.notify("window/workDoneProgress/cancel", token=begun["params"]["token"])
        answer = client.answer(number)
        wrong += [] if answer.get("error", {}).get("code") == -32800 else [f"{how}: {answer}"]
        deadline = time.time() + 60
        while children(client.server.pid) and time.time() < deadline:
            time.sleep(0.02)
        wrong += [f"{how}: {n} run on" for n in [len(children(client.server.pid))] if n]
        wrong += [] if running else ["nothing ran"]
        client.stop()
    tool.check("server/cancel", wrong)


# ---- what goes wrong ----


def check_crash(here):
    """libclang crashes on a source, and a job is killed: each ends with a message, and the server goes on."""
    client = started(here)
    uri = client.open(here / "k.hip", KERNEL.replace("p[2]", "- " * 50000 + "p[2]"))
    found = client.diagnostics(uri)
    wrong = [] if len(found) == 1 and "crashed on it" in found[0]["message"] else [f"{found}"]
    client.change(uri, KERNEL)
    wrong += [] if len(client.diagnostics(uri)) == 1 else ["it does not go on"]
    job = client.ask("workspace/executeCommand", command="unphi.rewrite", arguments=[uri])
    client.until(lambda m: m.get("method") == "$/progress")
    while not (running := children(client.server.pid)):
        time.sleep(0.01)
    os.kill(int(running[0]), 9)
    failed = client.answer(job)
    wrong += [] if "error" in failed else [f"killed: {failed}"]
    wrong += [] if hover(client, uri, "acc[64]") else ["no answer after that"]
    client.stop()
    tool.check("server/crash", wrong)


def mangled(rng, uri):
    """A message, most often one that is wrong somewhere, and its id where it has a good one."""
    methods = ("initialize", "textDocument/hover", "textDocument/codeLens", "textDocument/codeAction",
               "workspace/executeCommand", "textDocument/didChange", "textDocument/didOpen", "textDocument/didClose",
               "textDocument/didSave", "workspace/didChangeConfiguration", "$/cancelRequest", "x", "", "$/x",
               "window/workDoneProgress/cancel", "textDocument/rename", "workspace/symbol")
    values = (None, True, -1, 0, 2**63 - 1, 2**31, 1.5, "", "x\0", "\ud7ff\U0010ffff", [], {}, [[]], {"uri": uri},
              {"uri": "untitled:1"}, {"uri": "file:///"}, {"uri": "file:///etc/passwd"}, {"uri": 3}, uri,
              {"line": 0, "character": 0}, {"line": 2**40, "character": -1},
              {"start": {"line": 5, "character": 9}, "end": {"line": 1, "character": 0}},
              {"start": {"line": 1, "character": 1}, "end": {"line": 2, "character": 3}})
    keys = ("textDocument", "position", "contentChanges", "context", "range", "command", "arguments", "settings", "id",
            "token", "text", "workDoneToken")
    params = {k: rng.choice(values) for k in rng.sample(keys, rng.randint(0, len(keys)))}
    if rng.random() < 0.6:
        params["textDocument"] = {"uri": uri, "version": rng.choice(values), "text": rng.choice(values)}
    if rng.random() < 0.3:
        params["contentChanges"] = [{"text": rng.choice(values), "range": rng.choice(values)} for _ in range(3)]
    if rng.random() < 0.3:
        params.update(command=rng.choice(("unphi.explain", "unphi.measure", "unphi.rewrite", "rm")),
                      arguments=rng.choice(([], [None], ["unphi-x"], ["--help"], [{"uri": uri}], [["x"]], ["/etc"])))
    if rng.random() < 0.2:
        params["context"] = {"diagnostics": [{"code": rng.choice(values), "source": "unphi", "range": rng.choice(values)},
                                             rng.choice(values)], "only": rng.choice(values)}
    message = {"jsonrpc": "2.0", "method": rng.choice(methods + (rng.choice(values),)), "params": rng.choice(
        (params, params, params, params, rng.choice(values)))}
    number = rng.choice((None, rng.randint(1000, 2**31), "s" + str(rng.random()), rng.choice(values)))
    if number is not None:
        message["id"] = number
    good = isinstance(message["method"], str) and isinstance(number, (int, str)) and not isinstance(number, bool)
    return message, number if good else None


def check_fuzz(here, seed, n):
    rng = random.Random(seed)
    client = started(here)
    uri = client.open(here / "k.hip")
    asked, wrong = {}, []
    for _ in range(n):
        message, number = mangled(rng, uri)
        body = json.dumps(message).encode()
        kind = rng.random()
        if kind < 0.1:
            at = rng.randrange(len(body))
            body, number = body[:at] + bytes([rng.randrange(256)]) + body[at + 1:], None
        elif kind < 0.13:
            client.write(rng.choice((b"Content-Length: x\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"\r\n\r\n",
                                     b"Content-Length: 999999999999\r\n\r\n", b"\0" * 5000, b"Content-Length: 3\r\n\r\n[[]")))
        if number is not None:
            asked[number] = asked.get(number, 0) + 1
        client.write(lsp.frame(body))
    last = client.ask("textDocument/nothing")
    client.answer(last)
    client.request("shutdown")  # cancels what still runs
    answers = {}
    for message in client.log:
        number = message.get("id")
        if "method" not in message and number is not None:
            answers[number] = answers.get(number, 0) + 1
    wrong += [f"{count} answers for {asked[number]} of {number!r}" for number in asked
              for count in [answers.get(number, 0)] if count < asked[number]][:3]
    client.notify("exit")
    code = client.server.wait(timeout=60)
    wrong += [] if code == 0 and len(asked) > n / 10 else [f"exit code {code}, {len(asked)} requests"]
    tool.check(f"server/fuzz-{seed}", wrong)


def test():
    os.environ["UNPHI"] = tool.UNPHI
    here = place("served")
    before = sorted(p.name for p in here.iterdir())
    check_life(here)
    check_diagnostics(here)
    check_shared_header(here)
    check_typing(here)
    check_errors(here)
    check_settings(here)
    check_figures(here)
    check_suppression(here)
    if tool.compilers():
        check_rewrite(here)
        check_build(here)
        check_cancel(here)
        check_crash(here)
    else:
        tool.skip_missing_compilers("server/rewrite")
    for seed in range(3):
        check_fuzz(here, seed, 300)
    after = sorted(p.name for p in here.iterdir())
    tool.check("server/writes-nothing", [] if before == after else [f"{before} became {after}"])


tool.main(test)
