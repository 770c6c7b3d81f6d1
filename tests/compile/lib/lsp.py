"""A client of the Language Server Protocol, as a script drives one."""

import json
import os
import queue
import subprocess
import threading


def frame(message):
    body = message if isinstance(message, bytes) else json.dumps(message).encode()
    return b"Content-Length: %d\r\n\r\n%s" % (len(body), body)


class Client:
    """One server and the messages that it sent. What the client is asked it answers at once; edits are applied to
    self.text by URI."""

    def __init__(self, *words, cwd=None, encodings=("utf-8",), capabilities=None, env=None, root=None, options=None):
        self.server = subprocess.Popen([os.environ["UNPHI"], "server", *words], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd, env=env)
        self.utf8 = "utf-8" in encodings
        self.came = queue.Queue()
        self.log, self.said, self.text, self.versions, self.seen = [], [], {}, {}, []
        self.last = 0
        self.refuse = set()
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=lambda: self.said.extend(self.server.stderr), daemon=True).start()
        ours = {"general": {"positionEncodings": list(encodings)},
                "window": {"workDoneProgress": True},
                "workspace": {"applyEdit": True, "configuration": False, "codeLens": {"refreshSupport": True},
                              "workspaceEdit": {"documentChanges": True}}}
        ours.update(capabilities or {})
        self.hello = {"processId": os.getpid(), "rootUri": root and "file://" + root, "capabilities": ours,
                      "initializationOptions": options}

    def _read(self):
        out = self.server.stdout
        while True:
            length = 0
            while (line := out.readline().strip()):
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            if not length:
                self.came.put(None)
                return
            self.came.put(json.loads(out.read(length)))

    def write(self, data):
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def notify(self, method, **params):
        self.write(frame({"jsonrpc": "2.0", "method": method, "params": params}))

    def ask(self, method, **params):
        self.last += 1
        self.write(frame({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params}))
        return self.last

    def _next(self, timeout):
        message = self.came.get(timeout=timeout)
        assert message is not None, f"the server ended: {self.server.poll()} {b''.join(self.said).decode()}"
        self.log.append(message)
        if "method" in message and "id" in message:
            refused = message["method"] in self.refuse
            answer = {"error": {"code": -32601, "message": "no"}} if refused else {"result": self._answer(message)}
            self.write(frame({"jsonrpc": "2.0", "id": message["id"], **answer}))
        return message

    def _answer(self, message):
        if message["method"] == "workspace/applyEdit":
            self.apply(message["params"]["edit"])
            return {"applied": True}
        return None

    def until(self, wanted, timeout=120):
        """The first message that wanted is true of, of those not yet looked at."""
        while True:
            message = self._next(timeout)
            if wanted(message):
                return message

    def answer(self, number, timeout=120):
        return self.until(lambda m: m.get("id") == number and "method" not in m, timeout)

    def request(self, method, **params):
        """The result; an error is raised."""
        answer = self.answer(self.ask(method, **params))
        assert "error" not in answer, answer
        return answer["result"]

    def error(self, method, **params):
        answer = self.answer(self.ask(method, **params))
        assert "error" in answer, answer
        return answer["error"]

    def start(self):
        result = self.request("initialize", **self.hello)
        self.notify("initialized")
        return result

    def open(self, path, text=None, language="hip"):
        uri = path.resolve().as_uri()
        self.text[uri] = path.read_text(encoding="utf-8") if text is None else text
        self.versions[uri] = 1
        self.notify("textDocument/didOpen", textDocument={"uri": uri, "languageId": language, "version": 1,
                                                          "text": self.text[uri]})
        return uri

    def change(self, uri, text):
        self.versions[uri] += 1
        self.text[uri] = text
        self.notify("textDocument/didChange", textDocument={"uri": uri, "version": self.versions[uri]},
                    contentChanges=[{"text": text}])

    def save(self, uri):
        self.notify("textDocument/didSave", textDocument={"uri": uri})

    def diagnostics(self, uri, timeout=120):
        """Those of the text as it is now."""
        found = self.until(lambda m: m.get("method") == "textDocument/publishDiagnostics" and
                           m["params"]["uri"] == uri and
                           m["params"].get("version", self.versions.get(uri)) == self.versions.get(uri), timeout)
        return found["params"]["diagnostics"]

    def offset(self, uri, position):
        """In the text of the document, of a position as agreed with the server."""
        lines = self.text[uri].split("\n")
        line = lines[position["line"]]
        if self.utf8:
            column = len(line.encode()[: position["character"]].decode())
        else:
            column = len(line.encode("utf-16-le")[: 2 * position["character"]].decode("utf-16-le"))
        return sum(len(x) + 1 for x in lines[: position["line"]]) + column

    def marked(self, uri, a_range):
        return self.text[uri][self.offset(uri, a_range["start"]):self.offset(uri, a_range["end"])]

    def apply(self, edit):
        changes = edit.get("changes") or {c["textDocument"]["uri"]: c["edits"] for c in edit["documentChanges"]}
        for c in edit.get("documentChanges", []):
            assert c["textDocument"]["version"] == self.versions[c["textDocument"]["uri"]], edit
        for uri, edits in changes.items():
            places = [(self.offset(uri, e["range"]["start"]), self.offset(uri, e["range"]["end"]), e["newText"])
                      for e in edits]
            text = self.text[uri]
            for begin, end, new in sorted(places, reverse=True):
                text = text[:begin] + new + text[end:]
            self.change(uri, text)

    def stop(self):
        self.request("shutdown")
        self.notify("exit")
        code = self.server.wait(timeout=60)
        assert code == 0, code
