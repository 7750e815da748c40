"""A folder of skills without any manifest: `*/SKILL.md`, or `skills/*/SKILL.md`."""

from __future__ import annotations

import os

from pisces.discovery.harness import Look
from pisces.discovery.package_format import PackageFormat, ReadPackage
from pisces.files import entries, is_folder
from pisces.shapes.package import Package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places

_MANIFESTS = (
    "SKILL.md",
    "plugin.json",
    "gemini-extension.json",
    "qwen-extension.json",
    ".claude-plugin/plugin.json",
    ".codex-plugin/plugin.json",
    ".cursor-plugin/plugin.json",
)


def _fits(folder: str) -> bool:
    if any(os.path.lexists(os.path.join(folder, *each.split("/"))) for each in _MANIFESTS):
        return False
    return _holds_skills(folder) or _holds_skills(os.path.join(folder, "skills"))


def _holds_skills(folder: str) -> bool:
    return any(is_folder(each) and os.path.lexists(os.path.join(each.path, "SKILL.md")) for each in entries(folder))


def _read(folder: str, places: Places) -> ReadPackage:
    name = os.path.basename(os.path.abspath(places.absolute(folder)))
    return ReadPackage(Package(name, folder, {}, "skills-folder"), True)


_LENIENT = {"lenient": True}

FORMAT = PackageFormat(
    id="skills-folder",
    label="folder of skills",
    manifest="",
    rank=90,
    harness="agents-md",
    bare=True,
    looks={
        "skills": (Look("agent_skills", "package:", _LENIENT), Look("agent_skills", "package:skills", _LENIENT)),
    },
    fits_folder=_fits,
    reader=_read,
)
