"""mutated_parts.py UNPHI PART: changed copies of a part. Each is damaged by its checksum; with the checksum put
right each is joined or refused, in every format, with one message that names it, and never ends in a crash."""

import base64
import json
import random
import re
import subprocess
import sys

unphi, part = sys.argv[1:]
whole = open(part, "rb").read()
SEAL = b',\n  "checksum"'
random.seed(41)


def sealed(text):
    h = 14695981039346656037
    for c in text:
        h = (h ^ c) * 1099511628211 % 2**64
    return text + SEAL + b': "%016x"\n}\n' % h


def changed(text):
    """One to three bytes or numbers of it are others, or a piece is gone."""
    text = bytearray(text)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(text))
        kind = random.randrange(3)
        if kind == 0:
            text[at] ^= 1 << random.randrange(8)
        elif kind == 1:
            del text[at:at + random.randint(1, 9)]
        else:
            text[at:at + 8] = random.choice([b"\xff" * 8, b"\0" * 8, b"\x7f" * 8, b"\1" + b"\0" * 7])
    return bytes(text)


def changed_inside(text):
    """What the units gave is changed, as the JSON around it is still JSON."""
    root = json.loads(text)
    for unit in root["results"]:
        unit["gave"] = base64.b64encode(changed(base64.b64decode(unit["gave"]) or b"x")).decode()
    if random.random() < 0.3:
        key = random.choice(["shard", "of", "units", "texts", "results"])
        root[key] = random.choice([-1, 0, 2**62, 10**20, None, [], {}, "x", [[]], [None]])
    if random.random() < 0.3 and isinstance(root["texts"], list):
        root["texts"] = root["texts"][:-1]
    root.pop("checksum")
    return sealed(json.dumps(root, indent=2).encode()[:-2])


def merge(text, number, *options):
    name = f"mutated{number}.json"
    with open(name, "wb") as f:
        f.write(text)
    got = subprocess.run([unphi, "merge", name, *options], capture_output=True, timeout=600)
    return name.encode(), got.returncode, got.stdout, got.stderr


assert sealed(whole[:whole.rindex(SEAL)]) == whole
for i in range(60):
    name, code, out, err = merge(changed(whole), i)
    if code != 3 or out or not re.fullmatch(rb"unphi: error: " + name + rb": [^\n]*; [^\n]*\n", err):
        sys.exit(f"{name}: exit {code}: {err!r}")
for i in range(60, 160):
    form = random.choice(["text", "json", "sarif", "github", "html"])
    name, code, out, err = merge(changed_inside(whole), i, "--format", form)
    if code not in (0, 1, 3) or b"BUG" in err or (code == 3 and not out and not err.startswith(b"unphi: error: ")):
        sys.exit(f"{name} {form}: exit {code}: {err!r}")
