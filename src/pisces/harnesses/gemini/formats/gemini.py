"""A Gemini CLI extension: `gemini-extension.json` and folders with fixed names beside it."""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.diagnostics import Diagnostic
from pisces.discovery.harness import Look
from pisces.discovery.package_format import PackageFormat, ReadPackage
from pisces.formats.variables import listed
from pisces.harnesses.gemini.manifest import load_manifest
from pisces.shapes.package import Package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from pisces.places import Places

MANIFEST = "gemini-extension.json"
_OPTIONS = {"manifest": MANIFEST}


def _read(folder: str, places: Places) -> ReadPackage:
    manifest = load_manifest(folder, places.cwd)
    if isinstance(manifest, Diagnostic):
        return ReadPackage(None, False, (manifest,))
    problems = tuple(_installing("install_problems")(manifest))
    if problems:
        return ReadPackage(None, False, problems)
    values = listed(manifest.values, places.home)
    package = Package(values["name"], folder, values, "gemini")
    problem = _installing("enabling_problem")(manifest)
    return ReadPackage(package, problem is None, (problem,) if problem else ())


def _installing(name: str) -> Any:
    """Loaded where a package is judged, which a listing of what is installed does not do."""
    return export_of("pisces.harnesses.gemini", "installing", name)


FORMAT = PackageFormat(
    id="gemini",
    label="Gemini CLI extension",
    manifest=MANIFEST,
    rank=10,
    looks={
        "modules": (Look("modules", "package:", {"declared": True}),),
        "commands": (Look("toml_commands", "package:commands"), Look("executable_commands")),
        "skills": (Look("gemini.skills", "package:skills"),),
        "subagents": (Look("gemini.agents", "package:agents"),),
        "hooks": (Look("gemini.hooks", "package:hooks/hooks.json"),),
        "policies": (Look("gemini.policies", "package:policies"),),
        "context-files": (Look("gemini.context"),),
        "mcp-servers": (Look("manifest_servers", options=_OPTIONS),),
        "settings": (Look("manifest_settings", options=_OPTIONS),),
        "themes": (Look("manifest_themes", options=_OPTIONS),),
    },
    reader=_read,
)
