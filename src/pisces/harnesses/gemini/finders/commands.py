"""All of Gemini CLI's file commands at once, as a clash renames both sides: user, project, then packages by name.

Programs that packages make commands come after all of them: Gemini CLI does not know those.
"""

from __future__ import annotations

import os

from pisces.diagnostics import Diagnostic
from pisces.discovery.found import PROJECT, USER, Found
from pisces.discovery.harness import FinderResults, Where, passed_on
from pisces.discovery.options import TOML_COMMANDS
from pisces.discovery.package_format import components
from pisces.harnesses.gemini import HARNESS
from pisces.harnesses.gemini.conflicts import FROM_USER, Claim, claim_of_package, final_names
from pisces.harnesses.gemini.enabled import enabled_packages, reasons_against


def find(where: Where) -> FinderResults:
    yield from reasons_against(where)
    commands: list[Found] = []
    for found in _in_order(where):
        if isinstance(found, Diagnostic):
            yield found
        else:
            commands.append(found)
    commands.sort(key=lambda found: found.item.executable is not None)
    for command, final in zip(commands, final_names(map(_claim, commands)), strict=True):
        renamed = final != command.item.final_name
        yield command.replace(item=command.item.replace(final_name=final)) if renamed else command


def _in_order(where: Where) -> FinderResults:
    user, cwd = HARNESS.user_path(where.places), os.path.join(where.places.cwd, HARNESS.project_dir)
    yield from passed_on(where.replace(level=USER), TOML_COMMANDS, os.path.join(user, "commands"))
    if user != cwd:
        yield from passed_on(where.replace(level=PROJECT), TOML_COMMANDS, os.path.join(cwd, "commands"))
    of_user = where.replace(level=USER)  # as all packages are
    for package in sorted(enabled_packages(where), key=lambda found: str(found.item.name).lower()):
        yield from components(package.item, of_user)


def _claim(found: Found) -> Claim:
    if found.package:
        return claim_of_package(found.item, found.package)
    return Claim(found.item.name, "user" if found.source.level == USER else "workspace", FROM_USER)
