"""Programs that a plugin names in its manifest or in files beside it: language servers and what else is started.

A key of the manifest holds the entries themselves, a path to a file with them, or a list of both.
"""

from __future__ import annotations

import json
import os

from pisces.discovery.addresses import hosts_in, variables_in
from pisces.discovery.config_file import LENIENT, ConfigFile, config_at
from pisces.discovery.containment import stays_inside
from pisces.discovery.harness import Run
from pisces.discovery.package_format import format_named
from pisces.files import MOST_FOLDERS
from pisces.shapes.act import MODULE, PROGRAM, Act
from pisces.shapes.field import Keys
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.shapes.package import Package

LANGUAGE_KEY = "lspServers"
_WHEN_READ = "when a file of its language is read"


class Entries(Value):
    """A value of some file, and where it stands."""

    path: str
    keys: Keys
    value: Any


def manifest_of(package: Package) -> str:
    return format_named(package.format).manifest_path(package.path)


def unread_act(folder: str, when: str) -> Act:
    """What stands for files that were not looked at, so that nothing hides behind many folders."""
    text = f"{MOST_FOLDERS:,} folders below it are read, and there are more"
    return Act(MODULE, os.path.basename(folder), text, when, folder)


def entries_of(package: Package, keys: Keys, defaults: tuple[str, ...] = ()) -> Iterator[Entries]:
    """What a key of the manifest has or leads to, then the files at fixed places; each file once."""
    manifest, declared = manifest_of(package), _part(package.fields, keys)
    seen: set[str] = set()
    listed = enumerate(declared) if isinstance(declared, list) else (("", declared),)
    for index, each in listed:
        at = (*keys, index) if isinstance(declared, list) else keys
        if isinstance(each, str) and each:
            yield from _in_file(package, each, seen)
        elif isinstance(each, dict):
            yield Entries(manifest, at, each)
    for name in defaults:
        yield from _in_file(package, name, seen)


def language_servers(package: Package, *defaults: str) -> Iterator[Act]:
    for entries in entries_of(package, (LANGUAGE_KEY,), defaults):
        inner = entries.value.get(LANGUAGE_KEY) if isinstance(entries.value, dict) else None
        keys = (*entries.keys, LANGUAGE_KEY) if isinstance(inner, dict) else entries.keys
        servers = inner if isinstance(inner, dict) else entries.value
        for name, config in servers.items() if isinstance(servers, dict) else ():
            if isinstance(config, dict):
                at = entries.replace(keys=(*keys, name))
                yield program_act(f"language server {name}", config, _WHEN_READ, at)


def program_act(name: str, config: dict[str, Any], when: str, at: Entries) -> Act:
    """A program that is started with arguments, or whatever else the entry says where it names none."""
    command, args, env = config.get("command"), config.get("args"), config.get("env")
    words = command if isinstance(command, list) else [command, *(args if isinstance(args, list) else ())]
    argv = tuple(str(word) for word in words) if command else ()
    line = " ".join(argv)
    names = (*map(str, env if isinstance(env, dict) else ()), *variables_in(config))
    return Act(
        PROGRAM,
        name,
        line or json.dumps(config, default=str),
        when,
        at.path,
        at.keys,
        line,
        argv=argv,
        hosts=hosts_in(config),
        env=tuple(dict.fromkeys(names)),
    )


def line_act(name: str, line: str, when: str, at: Entries) -> Act:
    """A line that a shell gets."""
    return Act(PROGRAM, name, line, when, at.path, at.keys, line, argv=("sh", "-c", line), hosts=hosts_in(line))


def inside(package: Package, name: str) -> str:
    """A path below the package's folder; empty for one that leads out of it, which is not read."""
    path = os.path.normpath(os.path.join(package.path, name))
    return path if stays_inside(path, package.path) else ""


def _in_file(package: Package, name: str, seen: set[str]) -> Iterator[Entries]:
    path = inside(package, name)
    file = config_at(path, LENIENT, Run()) if path and path not in seen else None
    seen.add(path)
    if isinstance(file, ConfigFile):
        yield Entries(path, (), file.value)


def _part(value: Any, keys: Keys) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value
