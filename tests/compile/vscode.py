#!/usr/bin/env python3
"""editors/vscode: the extension is linted, its unit tests pass, a client of the protocol's authors talks to the server,
and the package has what it needs. Its packages are npm's, so they are only there after `npm ci` in that directory."""

import os
import pathlib
import shutil
import sys
import zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, __file__.rsplit("/", 1)[0] + "/lib")
import tool  # noqa: E402

NEEDED = ("extension/out/src/extension.js", "extension/package.json", "extension/syntaxes/hip.tmLanguage.json",
          "extension/node_modules/vscode-languageclient/package.json")


def test():
    modules = tool.ROOT / "editors/vscode/node_modules"
    if not shutil.which("npm") or not (modules / "@vscode/vsce").is_dir():
        tool.skip("vscode", "no packages: npm ci --prefix editors/vscode")
        return
    here = pathlib.Path("extension").resolve()
    shutil.rmtree(here, ignore_errors=True)
    shutil.copytree(tool.ROOT / "editors/vscode", here, ignore=shutil.ignore_patterns("out", "*.vsix", "node_modules"))
    os.symlink(modules, here / "node_modules")
    env = dict(os.environ, UNPHI=tool.UNPHI)
    for step in ("lint", "test"):
        done = tool.run("npm", "run", step, cwd=here, env=env)
        tool.check(f"vscode/{step}", [] if done.returncode == 0 else [done.stdout[-2000:] + done.stderr[-2000:]])
    # what npm would install, not a link
    (here / "node_modules").unlink()
    shutil.copytree(modules, here / "node_modules", symlinks=True)
    done = tool.run("npm", "run", "package", cwd=here, env=env)
    packed = [name for path in here.glob("*.vsix") for name in zipfile.ZipFile(path).namelist()]
    wrong = [f"{name} is missing" for name in NEEDED if name not in packed]
    wrong += [f"{name} is too much" for name in packed if name.startswith(("extension/src/", "extension/test/",
                                                                           "extension/out/test/"))]
    tool.check("vscode/package", wrong or ([] if done.returncode == 0 else [done.stderr[-2000:]]))


tool.main(test)
