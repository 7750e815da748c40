"""A pin to a package of a Python index: wheels, in a virtual environment of its own. No wheel runs code on its way in.

pip compares each download with the hash of the index where that gives one. A package that comes as source only is
refused: building it would run its code.
"""

from __future__ import annotations

import os
import re
import shutil
import sys

from pisces.formats.json_file import object_at
from pisces.mcp.pin_tools import not_pinned, tool_output
from pisces.processes.environment import passed_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.mcp.pin_words import LaunchParts
    from pisces.places import Places

_NAME = re.compile(r"[A-Za-z0-9][\w.-]*", re.ASCII)
_REPORT = "report.json"
_QUIET = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_INPUT": "1", "PYTHONSAFEPATH": "1"}


def fetch_line(parts: LaunchParts) -> tuple[str, ...]:
    index = ("--index-url", parts.index) if parts.index else ()
    return ("pip", "install", "--only-binary", ":all:", *index, "--", *parts.packages)


def fetch(parts: LaunchParts, folder: str, places: Places) -> tuple[str, str, tuple[str, ...]]:
    """Name and version, the hash of the index, and the command that starts the program."""
    for package in parts.packages:
        if _NAME.match(package) is None or "://" in package or "/" in package:
            raise not_pinned(f"`{package}` is no package of an index", "name a version of a package")
    home = os.path.join(folder, "env")
    tool_output((_interpreter(parts.python, places), "-I", "-m", "venv", home), folder, places, {})
    python = _program(home, "python")
    report = os.path.join(folder, _REPORT)
    more = {**_QUIET, **_index_of_uv(places)}
    line = (python, "-I", "-m", "pip", *fetch_line(parts)[1:2], "--quiet", "--report", report, *fetch_line(parts)[2:])
    tool_output(line, folder, places, more)
    label, integrity = _installed(object_at(report), _NAME.match(parts.packages[0])[0])  # type: ignore[index]
    program = _program(home, parts.program)
    if not os.path.isfile(program) or os.path.dirname(parts.program):
        raise not_pinned(f"`{label}` has no program `{parts.program}`")
    return label, integrity, (program,) if os.name == "nt" else (python, program)


def _interpreter(wanted: str, places: Places) -> str:
    if not wanted:
        return sys.executable
    name = f"python{wanted}" if wanted[0].isdigit() else wanted
    found = shutil.which(name, path=passed_on(places.env).get("PATH", "")) if os.path.basename(name) == name else None
    if found is None:
        raise not_pinned(f"the interpreter `{wanted}` is not here")
    return found


def _installed(report: dict[str, Any], name: str) -> tuple[str, str]:
    listed = report.get("install")
    for each in listed if isinstance(listed, list) else ():
        metadata = each.get("metadata", {})
        if _plain(str(metadata.get("name"))) == _plain(name):
            hashes = each.get("download_info", {}).get("archive_info", {}).get("hashes", {})
            sha256 = hashes.get("sha256", "")
            return f"{metadata.get('name')}=={metadata.get('version')}", f"sha256:{sha256}" if sha256 else ""
    raise not_pinned(f"pip did not say which version of `{name}` it took")


def _index_of_uv(places: Places) -> dict[str, str]:
    """Whoever configured uv by variables means the same index here."""
    env = places.env
    index = env.get("UV_DEFAULT_INDEX") or env.get("UV_INDEX_URL")
    return {"PIP_INDEX_URL": index} if index and "PIP_INDEX_URL" not in env else {}


def _program(home: str, name: str) -> str:
    return os.path.join(home, "Scripts", f"{name}.exe") if os.name == "nt" else os.path.join(home, "bin", name)


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
