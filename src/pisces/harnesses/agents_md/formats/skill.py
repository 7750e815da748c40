"""A bare skill: a folder with a SKILL.md and whatever else the skill needs."""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.harness import Look
from pisces.discovery.markdown_file import markdown_at
from pisces.discovery.package_format import PackageFormat, ReadPackage
from pisces.discovery.package_options import AgentSkills
from pisces.places import Places
from pisces.shapes.package import Package

FILE = "SKILL.md"


def _read(folder: str, places: Places) -> ReadPackage:
    name = os.path.basename(os.path.abspath(places.absolute(folder)))
    file = markdown_at(os.path.join(folder, FILE), name, lenient=True)
    if isinstance(file, Diagnostic):
        return ReadPackage(None, False, (file,))
    return ReadPackage(Package(file.text("name") or name, folder, file.fields, "skill"), True)


FORMAT = PackageFormat(
    id="skill",
    label="skill",
    manifest=FILE,
    rank=80,
    harness="agents-md",
    bare=True,
    looks={"skills": lambda: (Look(AgentSkills(root=True, lenient=True), "package:"),)},
    reader=_read,
)
