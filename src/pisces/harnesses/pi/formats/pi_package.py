"""A package for pi or oh-my-pi: a package.json with a `pi` or an `omp` key that lists what it brings."""

from __future__ import annotations

import os

from pisces.discovery.harness import FinderOptions, Look
from pisces.discovery.options import MarkdownCommands, Modules, SkillFolders, ThemeFiles
from pisces.discovery.package_format import PackageFormat
from pisces.files import Unreadable, read_text
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed

MANIFEST = "package.json"


class Parts(FinderOptions):
    FINDER = "pisces.harnesses.pi.finders.parts"

    key: str  # the kind as package.json calls it
    then: FinderOptions  # for the finder that looks at each place


def _fits(folder: str) -> bool:
    """package.json alone says nothing: nearly every JavaScript project has one."""
    try:
        manifest = parse(read_text(os.path.join(folder, MANIFEST)))
    except (Unreadable, Malformed):
        return False
    return isinstance(manifest, dict) and any(isinstance(manifest.get(key), dict) for key in ("omp", "pi"))


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
