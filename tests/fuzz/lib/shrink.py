"""Makes the text of a failing kernel small: lines and blocks go while it still fails alike."""

import os

import gen
import harness

KINDS = ("crash", "compile", "unequal", "unequal when fused")  # what can be asked of one kernel
# what is not initialised shall be the same in both programs
PATTERN = "-ftrivial-auto-var-init=pattern"
STRICT = ["-Wuninitialized", "-Wsometimes-uninitialized", "-Werror=uninitialized", "-Werror=sometimes-uninitialized"]


def rewrite(unit, whats):
    """The strategies one after the other; the result is s.out.hip. False: unphi failed."""
    source = "s.hip"
    for number, what in enumerate(whats):
        out = "s.out.hip" if number + 1 == len(whats) else "s.mid.hip"
        if unit.rewrite(source, out, what)[0].code:
            return False
        source = out
    return True


def fails(unit, chunk, failure):
    harness.write(os.path.join(unit.dir, "s.hip"), unit.text([chunk]))
    host = [a for a in harness.HOST if a != "-w"]
    built = harness.command(host + STRICT + [PATTERN, "s.hip", "-o", "s"], unit.dir)
    if built.code:
        return False
    base = harness.execute("s", unit.config.inputs, unit.dir, 1)  # what is cut may not end
    if base.code:
        return False
    done = rewrite(unit, failure["strategy"].split(" after ")[::-1])
    if failure["kind"] == "crash":
        return not done
    if not done:
        return False
    if failure["kind"] == "unequal when fused":
        return unit.fused("s.hip", {chunk.id}).out != unit.fused("s.out.hip", {chunk.id}).out
    built = harness.command(harness.HOST + [PATTERN, "s.out.hip", "-o", "s2"], unit.dir)
    if failure["kind"] == "compile":
        return built.code != 0
    if built.code:
        return False
    ran = unit.run_program("s2")
    return ran.code != 0 or ran.out != base.out


def groups(lines):
    """Ranges of lines that may go as a whole: blocks from their header on, and single lines."""
    out, stack = [], []
    for i, line in enumerate(lines):
        code = line.split("//")[0]
        for c in code:
            if c == "{":
                stack.append(i)
            elif c == "}" and stack:
                begin = stack.pop()
                if begin != i:
                    header = begin - 1 if lines[begin].strip() == "{" and begin else begin
                    out.append((header, i + 1))
        out.append((i, i + 1))
    return sorted(set(out), key=lambda r: r[0] - r[1])


def unwrap(lines):
    """Headers and braces of blocks, to leave what stands inside."""
    stack = []
    for i, line in enumerate(lines):
        code = line.split("//")[0].strip()
        if code.endswith("{") and not code.startswith("}"):
            stack.append(i)
        elif code == "}" and stack:
            yield (stack.pop(), i)
        elif code.startswith("}") and stack:
            stack.pop()
            if code.endswith("{"):
                stack.append(-1)


def chunk(unit, start, failure, most=400, fails=fails):
    best, tries = start, 0
    if not fails(unit, best, failure):
        return start
    again = True
    while again and tries < most:
        again = False
        lines = best.text.split("\n")
        for begin, end in groups(lines):
            if tries >= most or end > len(lines):
                break
            cut = [l if not begin <= i < end else None for i, l in enumerate(lines)]
            text = "\n".join(l for l in cut if l is not None)
            tries += 1
            smaller = gen.Chunk(start.id, text, start.aliased, start.apart)
            if fails(unit, smaller, failure):
                best, again = smaller, True
                break
        if again:
            continue
        for begin, end in unwrap(lines):
            if begin < 0 or tries >= most:
                continue
            text = "\n".join(l for i, l in enumerate(lines) if i not in (begin, end))
            tries += 1
            smaller = gen.Chunk(start.id, text, start.aliased, start.apart)
            if fails(unit, smaller, failure):
                best, again = smaller, True
                break
    return best
