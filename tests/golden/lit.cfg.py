# Golden tests: RUN lines and FileCheck expectations inside the inputs. scripts/test runs them; by
# hand: UNPHI=build/unphi lit tests/golden/NAME.hip
#
# %unphi %FileCheck %not as their names say (FileCheck passes over expectations in its input: filecheck.c); %exits N
# COMMAND... passes when the command's exit code is N. %exits and %not are functions (run.bash), so neither env nor
# timeout can start them. %verify is `unphi verify` with a host compiler that hurries; %root is the top of the source tree. RUN lines are
# run by bash with pipefail.
# %stub are flags for a header in place of HIP's, which takes half a second to parse.
# A line `SANITIZERS: with --all alone, WHY` keeps a test from the sanitizers of a plain scripts/test.
# %llvm is the version of the LLVM tools (scripts/llvm), %compiler the clang of that version, else hipcc, which takes
# longer: in Debian 12 it is a script that runs clang three times. Test compilers of our own run it as
# $UNPHI_TEST_CLANG.
# Features: compiler where there is one, hipcc; clang-before-22 where %llvm, which is hipcc's too where that is newer than
# 15, is at most 21; clang19 where %compiler is clang 19, hipcc15 where hipcc is of clang 15:
# for figures that only these give. `%if clang19 %{ COMMAND %}` runs one RUN line only there.
# UNPHI_TEST_DIR (default build/golden) takes %t and an unphi cache that starts empty, unless
# UNPHI_TEST_CACHE names another, which several runs of one test session may share. UNPHI_TEST_COST names a file
# that gets a line a test: the seconds of CPU that it took, and its name.

import glob
import os
import shutil
import subprocess

import lit.formats

config.test_source_root = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(config.test_source_root))
work = os.path.abspath(os.environ.get("UNPHI_TEST_DIR", os.path.join(root, "build", "golden")))
unphi = os.path.abspath(os.environ.get("UNPHI", os.path.join(root, "build", "unphi")))
cache = os.environ.get("UNPHI_TEST_CACHE")
if not cache:
    cache = os.path.join(work, "cache")
    shutil.rmtree(cache, ignore_errors=True)
os.makedirs(cache, exist_ok=True)

llvm = subprocess.run([os.path.join(root, "scripts", "llvm")], capture_output=True, text=True).stdout.strip()


def llvm_tool(name):
    tool = shutil.which(f"{name}-{llvm}") or shutil.which(name)
    if tool is None:
        lit_config.fatal("%s not found: run scripts/setup.sh" % name)
    return tool


if not os.access(unphi, os.X_OK):
    lit_config.fatal("%s is no program: build it, or set UNPHI" % unphi)

config.name = "unphi"
config.test_format = lit.formats.ShTest(execute_external=True)
config.suffixes = [".hip", ".test"]
config.excludes = ["Inputs"]
config.test_exec_root = work

filecheck = os.path.join(work, "filecheck")
os.makedirs(work, exist_ok=True)
subprocess.run(["cc", "-O1", "-static", "-o", filecheck, os.path.join(config.test_source_root, "filecheck.c")], check=True)
compiler = f"clang++-{llvm}" if shutil.which(f"clang++-{llvm}") else "hipcc"
host = os.path.join(root, "tests", "compile", "lib", "host-clang")
config.substitutions += [
    ("%verify", unphi + " verify" + ("" if "UNPHI_TEST_ALL" in os.environ else " --host-compiler " + host)),
    ("%unphi", unphi),
    ("%FileCheck", filecheck + " " + llvm_tool("FileCheck")),
    ("%not", "not"),
    ("%exits", "exits"),
    ("%stub", "-nogpuinc -I " + os.path.join(root, "tests", "golden", "rewrite", "Inputs")),
    ("%root", root),
    ("%llvm", llvm),
    ("%compiler", compiler),
]

for name in ("HOME", "ROCM_PATH", "HIP_PATH", "HIP_PLATFORM", "UNPHI_LIBCLANG", "UNPHI_TEST_ALL"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment["XDG_CACHE_HOME"] = cache
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["UNPHI_TEST_CLANG"] = compiler
config.environment["BASH_ENV"] = os.path.join(config.test_source_root, "run.bash")
if "UNPHI_TEST_COST" in os.environ:
    config.environment["UNPHI_TEST_COST"] = os.environ["UNPHI_TEST_COST"]

for feature, tool in (("hipcc", "hipcc"), ("clang19", "clang++-19"), ("nvcc", "nvcc"), ("chromium", "chromium"),
                      ("nvim", "nvim")):
    if shutil.which(tool):
        config.available_features.add(feature)
if shutil.which("emacs") and subprocess.run(["emacs", "-q", "--batch", "-l", "eglot"], capture_output=True, check=False).returncode == 0:
    config.available_features.add("eglot")
if llvm.isdigit() and int(llvm) < 22:
    config.available_features.add("clang-before-22")
if shutil.which(compiler):
    config.available_features.add("compiler")
if "UNPHI_TEST_ALL" in os.environ:
    config.available_features.add("all")
if shutil.which("hipcc"):
    said = subprocess.run(["hipcc", "-print-resource-dir"], capture_output=True, text=True, check=False).stdout
    config.available_features.add("hipcc15" if "/clang/15" in said else "hipcc-other")
if not glob.glob("/dev/kfd") + glob.glob("/dev/nvidia*") + glob.glob("/dev/dxg"):
    config.available_features.add("no-gpu")
