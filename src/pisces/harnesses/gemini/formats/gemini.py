"""A Gemini CLI extension: `gemini-extension.json` and folders with fixed names beside it."""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.diagnostics import Diagnostic
from pisces.discovery.harness import Finder, Look
from pisces.discovery.options import TOML_COMMANDS, EventHooks, Modules
from pisces.discovery.package_format import PackageFormat, ReadPackage
from pisces.discovery.package_options import ExecutableCommands, ManifestServers, ManifestSettings
from pisces.formats.variables import listed
from pisces.harnesses.gemini import AGENTS, INSTALL_FILE, MANIFEST, SKILLS, Policies, Themes
from pisces.harnesses.gemini.manifest import load_manifest
from pisces.places import Places
from pisces.shapes.package import Package

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


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
    harness="gemini",
    note=INSTALL_FILE,
    root_variable="extensionPath",
    final_names=lambda *given: export_of("pisces.harnesses.gemini", "conflicts", "names_of_package")(*given),
    looks={
        "modules": lambda: (Look(Modules(declared=True), "package:"),),
        "commands": lambda: (Look(TOML_COMMANDS, "package:commands"), Look(ExecutableCommands(MANIFEST))),
        "skills": lambda: (Look(SKILLS, "package:skills"),),
        "subagents": lambda: (Look(AGENTS, "package:agents"),),
        "hooks": lambda: (Look(EventHooks("gemini"), "package:hooks/hooks.json"),),
        "policies": lambda: (Look(Policies(), "package:policies"),),
        "context-files": lambda: (Look(Finder("pisces.harnesses.gemini.finders.context")),),
        "mcp-servers": lambda: (Look(ManifestServers(MANIFEST)),),
        "settings": lambda: (Look(ManifestSettings(MANIFEST)),),
        "themes": lambda: (Look(Themes(MANIFEST)),),
    },
    reader=_read,
)
