"""A pi or oh-my-pi package's components of one kind, where its package.json says.

The `omp` key comes before `pi`. What `pi` does not list is not there; what `omp` does not list is in the folder of
that name. Entries are paths, folders or patterns, relative to the package.
"""

from __future__ import annotations

import os
from fnmatch import fnmatchcase

from pisces.diagnostics import WARNING, Rule
from pisces.discovery.harness import FinderResults, Where, passed_on
from pisces.files import entries

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.harnesses.pi.formats.pi_package import Parts

PI_PACKAGE_PATH = Rule("pi-package-path", WARNING, "A pi package lists something that is not there")


def find(where: Where[Parts]) -> FinderResults:
    if where.package is None:
        return
    key, then = where.options.key, where.options.then
    owner = "omp" if isinstance(where.package.manifest.get("omp"), dict) else "pi"
    declared = where.package.manifest.get(owner)
    listed: object = declared.get(key) if isinstance(declared, dict) else None
    if listed is None and owner == "omp":
        yield from passed_on(where, then, os.path.join(where.path, key))
        return
    for entry in [listed] if isinstance(listed, str) else listed if isinstance(listed, list) else ():
        if not isinstance(entry, str) or entry.startswith(("!", "-")):
            continue
        found = _meant(where.path, entry.removeprefix("+"))
        for path in found:
            yield from passed_on(where, then, path)
        if not found:
            manifest = os.path.join(where.path, "package.json")
            yield PI_PACKAGE_PATH.at(manifest, f"`{owner}.{key}`: there is no `{entry}`", about=str(where.package.name))


def _meant(folder: str, entry: str) -> list[str]:
    path = os.path.normpath(os.path.join(folder, *entry.split("/")))
    parent, name = os.path.split(path)
    if "*" in name:
        return [each.path for each in entries(parent) if fnmatchcase(each.name, name)]
    return [path] if os.path.lexists(path) else []
