"""A package for pi or oh-my-pi: a package.json with a `pi` or an `omp` key that lists what it brings."""

from __future__ import annotations

import os

from pisces.discovery.harness import Look
from pisces.discovery.package_format import PackageFormat
from pisces.files import Unreadable, read_text
from pisces.formats.json import parse
from pisces.formats.malformed import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MANIFEST = "package.json"
_MODULES = {
    "suffixes": (".ts", ".js", ".mjs", ".cjs"),
    "indexes": ("index.ts", "index.js"),
    "manifests": ((MANIFEST, ("omp",)), (MANIFEST, ("pi",))),
    "root": True,
}


def _fits(folder: str) -> bool:
    """package.json alone says nothing: nearly every JavaScript project has one."""
    try:
        manifest = parse(read_text(os.path.join(folder, MANIFEST)))
    except (Unreadable, Malformed):
        return False
    return isinstance(manifest, dict) and any(isinstance(manifest.get(key), dict) for key in ("omp", "pi"))


def _part(key: str, finder: str, options: Mapping[str, object]) -> Look:
    return Look("pi.parts", "package:", {"key": key, "finder": finder, "options": options})


FORMAT = PackageFormat(
    id="pi-package",
    label="pi package",
    manifest=MANIFEST,
    rank=60,
    harness="pi",
    looks={
        "modules": (Look("modules", "package:", _MODULES),),
        "commands": (
            _part("commands", "markdown_commands", {"recursive": False, "first_line": True}),
            _part("prompts", "markdown_commands", {"recursive": False, "first_line": True}),
        ),
        "skills": (
            _part("skills", "skill_folders", {"needs": ("description",), "depth": 12, "loose": True, "root": True}),
        ),
        "themes": (_part("themes", "theme_files", {"name_field": "name"}),),
    },
    fits_folder=_fits,
)
