#!/usr/bin/env python3
"""examples/pre-commit and examples/gitlab, run by what runs them at a user's: pre-commit in commits of a repository, and
gitlab-ci-local, which runs the jobs of .gitlab-ci.yml on this machine (npm install --prefix tests/data/ci)."""

import json
import os
import pathlib
import re
import shutil
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
import examples  # noqa: E402
from examples import FINDING, KERNEL, QUICK, missing, step  # noqa: E402
from tool import ALL, ROOT, UNPHI, check, run, skip  # noqa: E402

GIT = ("git", "-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main")
FIXED = QUICK.replace("if (t < p[2])", "if (true)")
LINE = "10:3"  # of the finding
RUNNER = ROOT / "tests/data/ci/node_modules/.bin/gitlab-ci-local"


def repository(wrong, here, **files):
    """A repository of these files, all of them in its first commit."""
    here.mkdir(parents=True)
    for name, text in files.items():
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_text(text, encoding="utf-8")
    for words in (("init", "-q"), ("add", "."), ("commit", "-qm", "first")):
        step(wrong, 0, "", *GIT, *words, cwd=here)
    return here


def text_of(name):
    return (ROOT / name).read_text(encoding="utf-8")


def commit(wrong, here, code, said, *not_said):
    """A commit of what is staged: it is made or the hook stops it, and says so."""
    before = run(*GIT, "rev-parse", "HEAD", cwd=here).stdout
    done = run(*GIT, "commit", "-m", "next", cwd=here)
    text = done.stdout + done.stderr
    made = run(*GIT, "rev-parse", "HEAD", cwd=here).stdout != before
    if done.returncode != code or made != (code == 0) or said not in text or any(word in text for word in not_said):
        wrong.append(f"commit, made: {made}: {text}")


def stage(wrong, here, **files):
    for name, text in files.items():
        (here / name).write_text(text, encoding="utf-8")
    step(wrong, 0, "", *GIT, "add", *files, cwd=here)


def check_pre_commit(top):
    """Commits in a repository with the hook turned on as our page says."""
    if missing("pre-commit", "pre-commit", "git"):
        return None
    wrong = []
    hooks = repository(wrong, top / "hooks", **{".pre-commit-hooks.yaml": text_of(".pre-commit-hooks.yaml")})
    config = text_of("examples/pre-commit/.pre-commit-config.yaml")
    config = config.replace("https://github.com/OWNER/unphi", str(hooks))
    here = repository(wrong, top / "project", **{".pre-commit-config.yaml": config, "old.hip": QUICK})
    step(wrong, 0, "pre-commit installed", "pre-commit", "install", cwd=here)

    stage(wrong, here, **{"notes.txt": "none\n"})
    commit(wrong, here, 0, "Skipped")
    # of two kernels, one with a finding, for the targets of args; old.hip is not in the commit. What is staged counts,
    # not what lies in the directory.
    stage(wrong, here, **{"a.hip": QUICK, "b.hip.cpp": FIXED})
    (here / "a.hip").write_text(FIXED, encoding="utf-8")
    commit(wrong, here, 1, f"a.hip:{LINE}: warning", "b.hip.cpp:", "old.hip")
    wrong += [] if (here / "a.hip").read_text() == FIXED else ["the text that was not staged is gone"]
    step(wrong, 0, "", *GIT, "add", "a.hip", cwd=here)
    (here / "a.hip").write_text(QUICK, encoding="utf-8")
    commit(wrong, here, 0, "Passed", FINDING)
    # other arguments: all files, by the entries of the compile database
    own = config.replace('[--target, "gfx90a,gfx942"]', "[-p, build]")
    (here / "build").mkdir()
    (here / "build/compile_commands.json").write_text(json.dumps(
        [{"directory": str(here), "file": name, "arguments":
          ["hipcc", "--offload-arch=gfx908", "-nogpuinc", "-c", name]} for name in ("a.hip", "b.hip.cpp", "old.hip")]),
        encoding="utf-8")
    stage(wrong, here, **{"a.hip": FIXED, ".pre-commit-config.yaml": own})
    said = run("pre-commit", "run", "--all-files", cwd=here).stdout
    found = re.findall(r"(\S+): warning: (?:.|\n)*\((gfx\w+)\)", said)
    wrong += [] if own != config and found == [(f"old.hip:{LINE}", "gfx908")] else [f"-p build: {said}"]
    return check("compile/ci/pre-commit", wrong)


# What a job of GitLab runs and this machine does not: installing packages, building unphi, a build system of the project.
STUBS = {
    "apt-get": 'echo "apt-get $*" >>"$SEEN"\n',
    "meson": 'echo "meson $*" >>"$SEEN"\n',
    "cmake": """echo "cmake $*" >>"$SEEN"
mkdir -p build
echo "[{\\"directory\\": \\"$PWD\\", \\"file\\": \\"quick.hip\\", \\"arguments\\": [\\"hipcc\\",
\\"--offload-arch=gfx90a\\", \\"-O3\\", \\"-nogpuinc\\", \\"-c\\", \\"quick.hip\\"]}]" >build/compile_commands.json
""",
}


def runner(top):
    """The words that run the jobs of a repository, and the environment."""
    bin_ = top / "bin"
    bin_.mkdir()
    for name, text in STUBS.items():
        (bin_ / name).write_text(f"#!/bin/sh\n{text}", encoding="utf-8")
        (bin_ / name).chmod(0o755)
    env = {**os.environ, "PATH": f"{bin_}{os.pathsep}{os.environ['PATH']}", "SEEN": str(top / "seen")}
    return (RUNNER, "--force-shell-executor", "--shell-isolation", "--no-json-schema-validation", "--home",
            top / "runner"), env


def gitlab_project(wrong, here, config, kernel):
    # with an image the runner takes /builds for the project's directory
    text, images = re.subn(r"(^default:\n)?^ *image: .*\n", "", text_of(f"examples/gitlab/{config}"), flags=re.M)
    wrong += [] if images == 1 else [f"{config} has {images} images"]
    files = {".gitlab-ci.yml": text, "quick.hip": kernel, ".gitignore": "build\n",
             "unphi-baseline.yaml": "version: 1\nfindings: []\n"}
    repository(wrong, here, **files)
    # the runner asks for both
    for words in (("remote", "add", "origin", "https://gitlab.com/OWNER/project.git"),
                  ("update-ref", "refs/remotes/origin/main", "HEAD"),
                  ("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")):
        step(wrong, 0, "", *GIT, *words, cwd=here)
    return here


def check_gitlab(top, words, env):
    """The job, with a clone of unphi of which scripts/llvm is asked: it passes, and fails on a finding that is new."""
    wrong = []
    own = repository(wrong, top / "own", **{"scripts/llvm": text_of("scripts/llvm")})
    (own / "scripts/llvm").chmod(0o755)
    step(wrong, 0, "", *GIT, "commit", "-qam", "mode", cwd=own)
    here = gitlab_project(wrong, top / "gitlab", ".gitlab-ci.yml", FIXED)
    words = (*words, "--variable", f"UNPHI_URL=file://{own}", "unphi")
    for kernel, code, found in ((FIXED, 0, 0), (QUICK, 1, 1)):
        (here / "quick.hip").write_text(kernel, encoding="utf-8")
        (here / "unphi.sarif").unlink(missing_ok=True)
        done = run(*words, cwd=here, env=env)
        sarif = here / "unphi.sarif"
        results = json.loads(sarif.read_text())["runs"][0]["results"] if sarif.is_file() else []
        rules = [r["ruleId"] for r in results].count("unphi-phi-explosion")
        if done.returncode != code or not sarif.is_file() or rules != found:
            wrong.append(f"exit code {done.returncode}, {rules} findings: {done.stdout + done.stderr}")
    seen = pathlib.Path(env["SEEN"]).read_text()
    for said in (r"apt-get install .* libclang-[0-9]+-dev .*", r"meson install -C \.unphi/build", r"cmake -B build"):
        wrong += [] if re.search(said, seen) else [f"no {said} in {seen}"]
    check("compile/ci/gitlab", wrong)


def check_gitlab_shards(top, words, env):
    """Four jobs of a matrix and the one that joins what they leave."""
    wrong = []
    here = gitlab_project(wrong, top / "shards", "shards.gitlab-ci.yml", QUICK)
    (here / ".unphi.yaml").write_text("budgets:\n  - kernel: quick\n    limits: vgpr<=1\n")
    step(wrong, 0, "", *GIT, "add", ".unphi.yaml", cwd=here)
    done = run(*words, cwd=here, env=env)
    text = done.stdout + done.stderr
    jobs = sorted(re.findall(r"^ (?:PASS|FAIL) +(unphi\S*(?: \[\d/\d\])?)", text, re.M))
    if done.returncode != 1 or jobs != ["unphi", *(f"unphi-shard: [{i}/4]" for i in range(1, 5))]:
        wrong.append(f"exit code {done.returncode}, jobs {jobs}: {text}")
    wrong += [f"no {said} in {text}" for said in (FINDING, "over the budget") if said not in text]
    report = here / "unphi.xml"
    wrong += [] if report.is_file() and "<failure" in report.read_text() else [f"no failure in unphi.xml: {text}"]
    for i in range(1, 5):
        if not (here / f".gitlab-ci-local/cache/unphi-{i}/.cache/unphi").is_dir():
            wrong.append(f"no cache of shard {i}: {text}")
    check("compile/ci/gitlab-shards", wrong)


def main():
    os.environ["PATH"] = f"{pathlib.Path(UNPHI).parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory(dir=".") as name:
        top = pathlib.Path(name).resolve()
        os.environ["PRE_COMMIT_HOME"] = str(top / "pre-commit-home")
        check_pre_commit(top)
        if not RUNNER.exists():
            skip("compile/ci/gitlab", "no package: npm install --prefix tests/data/ci")
            return
        if missing("gitlab", "node", "rsync", "git"):
            return
        words, env = runner(top)
        check_gitlab(top, words, env)
        if ALL:
            check_gitlab_shards(top, words, env)
        else:
            skip("compile/ci/gitlab-shards", "five jobs, with --all")


if __name__ == "__main__":
    main()
