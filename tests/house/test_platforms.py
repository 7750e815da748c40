"""Every module can be imported where POSIX is missing: no file needs `fcntl` or the like just to be looked at."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


# Imports everything twice: the second time as on Windows, when all of the standard library that is there is loaded.
PROGRAM = """
import importlib, json, os, pkgutil, sys, types
import pisces

HIDDEN = ("fcntl", "termios", "resource", "pwd", "grp", "pty", "tty", "_posixsubprocess")
every = ["pisces", *(found.name for found in pkgutil.walk_packages(pisces.__path__, "pisces."))]
for name in every:
    importlib.import_module(name)
for name in [name for name in sys.modules if name.split(".")[0] == "pisces" or name in HIDDEN]:
    del sys.modules[name]

class Hides:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name in HIDDEN:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hides)
sys.modules["msvcrt"] = types.ModuleType("msvcrt")
sys.platform, os.name = "win32", "nt"
failed = {}
for name in every:
    try:
        importlib.import_module(name)
    except Exception as error:
        failed[name] = f"{type(error).__name__}: {error}"
print(json.dumps(failed))
"""


def test_every_module_is_imported_without_what_only_posix_has(tmp_path: Path) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    failed = json.loads(done.stdout)
    assert not failed, "\n".join(f"{name}: {why}" for name, why in failed.items())
