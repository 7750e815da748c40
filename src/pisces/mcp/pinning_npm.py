"""A pin to a package of npm: installed with all that it needs into a folder of its own, without any script.

npm compares each download with the hash that the registry gave for it, and writes both into the lock file there.
"""

from __future__ import annotations

import json
import os
import re

from pisces.discovery.containment import stays_inside
from pisces.files import Unreadable, read_text
from pisces.formats.json_file import object_at
from pisces.mcp.pin_tools import not_pinned, tool_output

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.mcp.pin_words import LaunchParts
    from pisces.places import Places

_SPEC = re.compile(r"((?:@[a-z0-9~][a-z0-9~_.-]*/)?[a-z0-9~][a-z0-9~_.-]*)(?:@([^\s/:]*))?", re.IGNORECASE)
_INSTALL = (
    "install",
    "--ignore-scripts",
    "--save-exact",
    "--no-audit",
    "--no-fund",
    "--no-progress",
    "--loglevel=error",
    "--fetch-retries=1",  # npm waits a minute before its second retry, also for bytes that are not what they should be
    "--fetch-retry-mintimeout=1000",
)
_SCRIPTS = (".js", ".mjs", ".cjs")


def fetch_line(parts: LaunchParts) -> tuple[str, ...]:
    registry = (f"--registry={parts.index}",) if parts.index else ()
    return ("npm", *_INSTALL, *registry, "--", *parts.packages)


def fetch(parts: LaunchParts, folder: str, places: Places) -> tuple[str, str, tuple[str, ...]]:
    """Name and version, the hash of the registry, and the command that starts the program."""
    names = [_name_in(package) for package in parts.packages]
    with open(os.path.join(folder, "package.json"), "w", encoding="utf-8") as file:
        json.dump({"name": "pinned", "private": True}, file)
    tool_output(fetch_line(parts), folder, places, {"npm_config_ignore_scripts": "true"})
    locked = object_at(os.path.join(folder, "package-lock.json")).get("packages")
    entry = locked.get(f"node_modules/{names[0]}") if isinstance(locked, dict) else None
    version, integrity = (entry.get(key) if isinstance(entry, dict) else None for key in ("version", "integrity"))
    if not isinstance(version, str) or not isinstance(integrity, str):
        raise not_pinned(f"npm did not say which version of `{names[0]}` it took, or gave no hash of it")
    return f"{names[0]}@{version}", integrity, _command(parts, names, folder)


def _name_in(package: str) -> str:
    found = _SPEC.fullmatch(package)
    if found is None:
        raise not_pinned(f"`{package}` is no package of a registry", "name a commit, or a version of a package")
    return found[1]


def _command(parts: LaunchParts, names: list[str], folder: str) -> tuple[str, ...]:
    for name in names:
        package = os.path.join(folder, "node_modules", *name.split("/"))
        programs = _programs(object_at(os.path.join(package, "package.json")), name)
        wanted = parts.program or _default(programs, name)
        if wanted in programs:
            return _started(os.path.normpath(os.path.join(package, programs[wanted])), package)
    raise not_pinned(f"`{names[0]}` has no program `{parts.program or names[0].rpartition('/')[2]}`")


def _programs(manifest: dict[str, object], name: str) -> dict[str, str]:
    declared = manifest.get("bin")
    if isinstance(declared, str):
        return {name.rpartition("/")[2]: declared}
    items = declared.items() if isinstance(declared, dict) else ()
    return {key: path for key, path in items if isinstance(path, str)}


def _default(programs: dict[str, str], name: str) -> str:
    """As npx chooses: the only one, or the one that is called like the package."""
    if len(set(programs.values())) == 1:
        return next(iter(programs))
    return name.rpartition("/")[2]


def _started(program: str, package: str) -> tuple[str, ...]:
    if not stays_inside(program, package) or not os.path.isfile(program):
        raise not_pinned(f"{program} is not a file of its package")
    try:
        first = read_text(program).partition("\n")[0]
    except Unreadable:  # not a text
        first = ""
    runtime = "bun" if first.startswith("#!") and "bun" in first else "node"
    is_script = program.endswith(_SCRIPTS) or (first.startswith("#!") and "node" in first) or runtime == "bun"
    return (runtime, program) if is_script else (program,)
