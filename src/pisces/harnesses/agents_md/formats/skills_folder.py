"""A folder of skills without any manifest: `*/SKILL.md`, or `skills/*/SKILL.md`."""

from __future__ import annotations

import os

from pisces.discovery.harness import Look, all_harnesses
from pisces.discovery.package_format import PackageFormat, ReadPackage
from pisces.discovery.package_options import AgentSkills
from pisces.files import entries, is_folder
from pisces.harnesses.agents_md.formats.skill import FILE
from pisces.places import Places
from pisces.shapes.package import Package


def _fits(folder: str) -> bool:
    if not _holds_skills(folder) and not _holds_skills(os.path.join(folder, "skills")):
        return False  # before all harnesses are asked for their manifests
    return not any(os.path.lexists(os.path.join(folder, *each.split("/"))) for each in (FILE, *_manifests()))


def _manifests() -> list[str]:
    """The files that make a folder a package of some harness."""
    return [manifest for harness in all_harnesses() for manifest in harness.manifests]


def _holds_skills(folder: str) -> bool:
    return any(is_folder(each) and os.path.lexists(os.path.join(each.path, FILE)) for each in entries(folder))


def _read(folder: str, places: Places) -> ReadPackage:
    name = os.path.basename(os.path.abspath(places.absolute(folder)))
    return ReadPackage(Package(name, folder, {}, "skills-folder"), True)


_SKILLS = AgentSkills(lenient=True)

FORMAT = PackageFormat(
    id="skills-folder",
    label="folder of skills",
    manifest="",
    rank=90,
    harness="agents-md",
    bare=True,
    looks={
        "skills": lambda: (Look(_SKILLS, "package:"), Look(_SKILLS, "package:skills")),
    },
    fits_folder=_fits,
    reader=_read,
)
