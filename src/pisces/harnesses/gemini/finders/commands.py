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
from pisces.discovery.state import State
from pisces.harnesses.gemini import HARNESS
from pisces.harnesses.gemini.conflicts import FROM_USER, Claim, claim_of_package, final_names, is_contested
from pisces.harnesses.gemini.enabled import installed_packages, reasons_against
from pisces.harnesses.gemini.settings import is_home
from pisces.harnesses.gemini.trust import ground_of


def find(where: Where) -> FinderResults:
    """What does not load takes no name from what does."""
    yield from reasons_against(where)
    commands: list[Found] = []
    for found in _in_order(where):
        if isinstance(found, Diagnostic):
            yield found
        else:
            commands.append(found)
    commands.sort(key=lambda found: (found.held is not None, found.item.executable is not None))
    names = [found.item.name for found in commands]
    finals = final_names(map(_claim, commands)) if is_contested(names) else names
    for command, final in zip(commands, finals, strict=True):
        renamed = final != command.item.final_name
        yield command.replace(item=command.item.replace(final_name=final)) if renamed else command


def _in_order(where: Where) -> FinderResults:
    user, cwd = HARNESS.user_path(where.places), os.path.join(where.places.cwd, HARNESS.project_dir)
    yield from passed_on(where.replace(level=USER), TOML_COMMANDS, os.path.join(user, "commands"))
    gate = ground_of(where.places, where.run).gate
    if not is_home(where.places):
        project = passed_on(where.replace(level=PROJECT), TOML_COMMANDS, os.path.join(cwd, "commands"))
        yield from _gated(project, gate) if gate else project
    of_user = where.replace(level=USER)  # as all packages are
    for package in sorted(installed_packages(where), key=lambda found: _collated(str(found.item.name))):
        inside = of_user if package.held is None else of_user.replace(held=package.held)
        found = components(package.item, inside)
        yield from _gated(found, gate) if gate else found


def _collated(name: str) -> tuple[str, str]:
    """As `localeCompare` orders names of letters, digits and dashes: small before capital where all else is equal."""
    return name.lower(), name.swapcase()


def _gated(results: FinderResults, gate: State) -> FinderResults:
    """Neither the project's commands nor those of packages load in a folder that is not trusted."""
    for each in results:
        if isinstance(each, Found) and not each.held:  # made anew, which is quicker than `replace`
            yield Found(each.item, each.source, each.package, gate, each.folder, each.format)
        else:
            yield each


def _claim(found: Found) -> Claim:
    absent = found.held is not None
    if found.package:
        return claim_of_package(found.item, found.package, absent=absent)
    prefix = "user" if found.source.level == USER else "workspace"
    return Claim(found.item.name, prefix, FROM_USER, False, False, absent)
