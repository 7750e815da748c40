"""A pi or oh-my-pi package's components of one kind, where its package.json says.

The `omp` key comes before `pi`. What `pi` does not list is not there; what `omp` does not list is in the folder of
that name. Entries are paths, folders or patterns, relative to the package.
"""

from __future__ import annotations

import os

from pisces.diagnostics import WARNING, Rule
from pisces.discovery.found import Found
from pisces.discovery.harness import FinderResults, Where, passed_on
from pisces.discovery.manifest_patterns import enabled, is_override, is_pattern, matching

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
    named = [listed] if isinstance(listed, str) else listed if isinstance(listed, list) else []
    entries = [entry for entry in named if isinstance(entry, str)]
    overrides = [entry for entry in entries if is_override(entry)]
    for entry in entries:
        if entry in overrides:
            continue
        found = _meant(where.path, entry)
        for path in found:
            yield from _without(passed_on(where, then, path), overrides, where.path)
        if not found:
            manifest = os.path.join(where.path, "package.json")
            yield PI_PACKAGE_PATH.at(manifest, f"`{owner}.{key}`: there is no `{entry}`", about=str(where.package.name))


def _meant(folder: str, entry: str) -> list[str]:
    if is_pattern(entry):
        return matching(folder, entry)
    path = os.path.normpath(os.path.join(folder, *entry.split("/")))
    return [path] if os.path.lexists(path) else []


def _without(results: FinderResults, overrides: list[str], folder: str) -> FinderResults:
    """Exceptions are about files: a folder may hold one that counts and one that does not."""
    for each in results:
        path = each.source.path if isinstance(each, Found) else ""
        if not path or enabled([path], overrides, folder):
            yield each
