"""check_html.py FILE FINDINGS ARMS KERNELS: FILE is HTML whose elements are closed in order, with so
many findings, arms and rows of figures."""

import html.parser
import sys

VOID = {"meta", "br"}
OPTIONAL = {"td", "th", "tr", "li"}


class Checker(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []
        self.count = {"h2": 0, "h3": 0, "tr": 0}
        self.findings = 0

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        self.findings += dict(attrs).get("class") == "place"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open[-1] != tag and self.open[-1] in OPTIONAL:
            self.open.pop()
        assert self.open and self.open[-1] == tag, (tag, self.open, self.getpos())
        self.open.pop()


with open(sys.argv[1], encoding="utf-8") as f:
    checker = Checker()
    checker.feed(f.read())
checker.close()
assert not checker.open, checker.open
assert checker.findings == int(sys.argv[2]), checker.findings
assert checker.count["h3"] == int(sys.argv[3]), checker.count
rows = checker.count["tr"] - (checker.count["tr"] > 0)
assert rows == int(sys.argv[4]), checker.count
