"""check_html.py FILE FINDINGS ARMS KERNELS: FILE is HTML whose elements are closed in order, with so
many findings, arms and rows of figures. For a screen reader and for keys it has a language, a title, one main part,
headings without a gap, a name for each field, heads of columns that say so, and text that scrolls in reach."""

import html.parser
import sys

VOID = {"meta", "br", "input"}
OPTIONAL = {"td", "th", "tr", "li"}


class Checker(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.open = []
        self.count = {"h2": 0, "h3": 0, "tr": 0}
        self.findings = 0
        self.level = 0
        self.ids = set()
        self.titles = 0

    def look(self, tag, attrs):
        if tag in ("h1", "h2", "h3"):
            assert int(tag[1]) <= self.level + 1, (tag, self.getpos())
            self.level = int(tag[1])
        self.titles += tag == "title" and self.open[-1] == "head"
        assert tag != "html" or attrs.get("lang"), attrs
        assert tag != "input" or attrs.get("aria-label"), attrs
        assert tag != "th" or attrs.get("scope"), attrs
        assert tag != "pre" or "tabindex" in attrs or "div" in self.open, self.getpos()
        assert attrs.get("id") not in self.ids, attrs
        self.ids |= {attrs["id"]} if "id" in attrs else set()

    def handle_starttag(self, tag, attrs):
        self.count[tag] = self.count.get(tag, 0) + 1
        self.look(tag, dict(attrs))
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
assert checker.count["main"] == checker.count["h1"] == checker.titles == 1, checker.count
assert checker.findings == int(sys.argv[2]), checker.findings
assert checker.count["h3"] == int(sys.argv[3]), checker.count
rows = checker.count["tr"] - (checker.count["tr"] > 0)
assert rows == int(sys.argv[4]), checker.count
