"""A Gemini CLI extension: `gemini-extension.json` and folders with fixed names beside it."""

from __future__ import annotations

from pisces.diagnostics import Diagnostic
from pisces.discovery.harness import Look
from pisces.discovery.package_format import PackageFormat, ReadPackage
from pisces.formats.variables import listed
from pisces.harnesses.gemini.conflicts import names_of_package
from pisces.harnesses.gemini.installing import enabling_problem, install_problems
from pisces.harnesses.gemini.manifest import load_manifest
from pisces.shapes.package import Package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.places import Places

MANIFEST = "gemini-extension.json"
_OPTIONS = {"manifest": MANIFEST}


def _read(folder: str, places: Places) -> ReadPackage:
    manifest = load_manifest(folder, places.cwd)
    if isinstance(manifest, Diagnostic):
        return ReadPackage(None, False, (manifest,))
    problems = tuple(install_problems(manifest))
    if problems:
        return ReadPackage(None, False, problems)
    values = listed(manifest.values, places.home)
    package = Package(values["name"], folder, values, "gemini")
    problem = enabling_problem(manifest)
    return ReadPackage(package, problem is None, (problem,) if problem else ())


FORMAT = PackageFormat(
    id="gemini",
    label="Gemini CLI extension",
    manifest=MANIFEST,
    rank=10,
    harness="gemini",
    root_variable="extensionPath",
    final_names=names_of_package,
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
