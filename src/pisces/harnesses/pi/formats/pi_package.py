"""A package for pi or oh-my-pi: a package.json with a `pi` or an `omp` key that lists what it brings."""

from __future__ import annotations

import os

from pisces.discovery.harness import FinderOptions, Look
from pisces.discovery.options import MarkdownCommands, Modules, SkillFolders, ThemeFiles
from pisces.discovery.package_format import PackageFormat
from pisces.formats.json_file import object_at

MANIFEST = "package.json"


class Parts(FinderOptions):
    FINDER = "pisces.harnesses.pi.finders.parts"

    key: str  # the kind as package.json calls it
    then: FinderOptions  # for the finder that looks at each place


def _fits(folder: str) -> bool:
    """package.json alone says nothing: nearly every JavaScript project has one."""
    manifest = object_at(os.path.join(folder, MANIFEST))
    return any(isinstance(manifest.get(key), dict) for key in ("omp", "pi"))


def _modules() -> tuple[Look, ...]:
    suffixes, indexes = (".ts", ".js", ".mjs", ".cjs"), ("index.ts", "index.js")
    return (Look(Modules(suffixes, indexes, ((MANIFEST, ("omp",)), (MANIFEST, ("pi",))), root=True), "package:"),)


def _commands() -> tuple[Look, ...]:
    prompts = MarkdownCommands(recursive=False, first_line=True)
    return Look(Parts("commands", prompts), "package:"), Look(Parts("prompts", prompts), "package:")


def _skills() -> tuple[Look, ...]:
    skills = SkillFolders(needs=("description",), depth=12, loose=True, root=True)
    return (Look(Parts("skills", skills), "package:"),)


FORMAT = PackageFormat(
    id="pi-package",
    label="pi package",
    manifest=MANIFEST,
    rank=60,
    harness="pi",
    looks={
        "modules": _modules,
        "commands": _commands,
        "skills": _skills,
        "themes": lambda: (Look(Parts("themes", ThemeFiles("name")), "package:"),),
    },
    fits_folder=_fits,
)
