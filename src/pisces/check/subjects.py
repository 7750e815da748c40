"""From an aim to a subject: everything that was found there, by dialect, with what its own harness rejects."""

from __future__ import annotations

import os

from pisces.check.checked import FILE, PACKAGE
from pisces.check.lone_file import NOTHING_TO_CHECK, read_alone
from pisces.check.pages import Pages
from pisces.check.subject import Subject
from pisces.diagnostics import Diagnostic
from pisces.discovery.capabilities import CAPABILITIES
from pisces.discovery.found import Found
from pisces.discovery.harness import Run
from pisces.discovery.inventory import inventory
from pisces.discovery.registry import discover
from pisces.discovery.switches import configured_switches
from pisces.harnesses.gemini.conflicts import claim_of_package, final_names
from pisces.harnesses.gemini.manifest import MANIFEST_MISSING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.check.aims import Aim
    from pisces.discovery.inventory import Inventory
    from pisces.places import Places

    ByDialect = dict[str, dict[str, tuple[Found, ...]]]

_GEMINI_FOLDERS = ("commands", "agents", "hooks", "policies")


def subject_of(aim: Aim, places: Places) -> Subject:
    if aim.kind == PACKAGE:
        return _package(aim, places)
    return _file(aim, places) if aim.kind == FILE else _workspace(aim, places)


def _package(aim: Aim, places: Places) -> Subject:
    found: ByDialect = {}
    rejected: dict[str, tuple[Diagnostic, ...]] = {}
    for each in aim.formats:
        told = inventory(aim.path, each, places)
        found[each.id] = _with_final_names(told) if each.id == "gemini" else told.found
        rejected[each.id] = told.diagnostics
    formats = tuple(each.id for each in aim.formats)
    return Subject(PACKAGE, aim.path, aim.path, formats, found, rejected, Pages(), places)


def _with_final_names(told: Inventory) -> dict[str, tuple[Found, ...]]:
    """A package's commands know only their files; what the user types is settled against the built-in commands."""
    commands = told.found["commands"]
    if not commands or told.package is None:
        return told.found
    package = str(told.package.name)
    finals = final_names(claim_of_package(each.item, package) for each in commands)
    named = [
        each.replace(item=each.item.replace(final_name=final)) for each, final in zip(commands, finals, strict=True)
    ]
    return {**told.found, "commands": tuple(named)}


def _file(aim: Aim, places: Places) -> Subject:
    pages = Pages()
    reading, told = read_alone(aim.path, places, pages)
    items = tuple(each for each in told if isinstance(each, Found))
    problems = tuple(each for each in told if isinstance(each, Diagnostic))
    dialect = reading.dialect if reading else ""
    found = {dialect: {reading.capability: items}} if reading else {}
    return Subject(FILE, aim.path, os.path.dirname(aim.path), (), found, {dialect: problems}, pages, places)


def _workspace(aim: Aim, places: Places) -> Subject:
    """What every harness would load from this folder, and nothing that lies elsewhere."""
    here = places.replace(cwd=aim.path)
    run = Run()
    found: ByDialect = {}
    problems: list[Diagnostic] = []
    below = aim.path.rstrip(os.sep) + os.sep
    problems.extend(each for each in configured_switches(here)[1] if each.path.startswith(below))
    for capability in CAPABILITIES:
        result = discover(capability, here, run=run)
        problems.extend(each for each in result.diagnostics if each.path.startswith(below))
        for candidate in result.all:
            source = candidate.found.source
            if source.path.startswith(below) and not candidate.found.package:
                kinds = found.setdefault(source.harness, {})
                kinds[capability.id] = (*kinds.get(capability.id, ()), candidate.found)
    return Subject(aim.kind, aim.path, aim.path, (), found, {"": tuple(problems)}, Pages(), places)


def nothing_in(folder: str) -> Diagnostic:
    """What to say about a folder that was asked for by name and holds nothing: perhaps only the manifest is missing."""
    if any(os.path.isdir(os.path.join(folder, name)) for name in _GEMINI_FOLDERS):
        path = os.path.join(folder, "gemini-extension.json")
        message = "there is no manifest, so nothing in this folder is loaded as an extension"
        return MANIFEST_MISSING.at(path, message, about=os.path.basename(folder))
    return NOTHING_TO_CHECK.at(folder, "nothing here is loaded by any harness", hint="give the folder of a package")
