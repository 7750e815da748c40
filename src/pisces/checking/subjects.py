"""From a target to a subject: everything that was found there, by dialect, with what its own harness rejects."""

from __future__ import annotations

import os

from pisces.checking.acceptance import acceptances
from pisces.checking.checked import FILE, MARKETPLACE, PACKAGE
from pisces.checking.lone_file import NOTHING_TO_CHECK, read_alone
from pisces.checking.marketplace import marketplace_problems
from pisces.checking.pages import Pages
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, Diagnostic
from pisces.discovery.capabilities import CAPABILITIES
from pisces.discovery.denied import is_denied, unreadable
from pisces.discovery.found import Found
from pisces.discovery.harness import Run, all_harnesses, search
from pisces.discovery.inventory import inventory
from pisces.discovery.package_format import all_formats
from pisces.discovery.registry import discover
from pisces.discovery.switches import configured_switches
from pisces.places import Places

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.checking.targets import Target


def subject_of(target: Target, places: Places) -> Subject:
    if target.kind == PACKAGE:
        return _package(target, places)
    if target.kind == MARKETPLACE:
        return _marketplace(target, places)
    return _file(target, places) if target.kind == FILE else _workspace(target, places)


def _package(target: Target, places: Places) -> Subject:
    read = [inventory(target.path, each, places) for each in target.formats]
    found = {each.format.id: each.found for each in read}
    rejected = {each.format.id: each.diagnostics for each in read}
    refused = {each.format.id: _first_error(each.diagnostics) for each in read if not each.installs}
    return Subject(PACKAGE, target.path, target.path, target.formats, found, rejected, Pages(), places, refused)


def _first_error(diagnostics: tuple[Diagnostic, ...]) -> str:
    errors = [each.message for each in diagnostics if each.severity == ERROR]
    return errors[0] if errors else "it does not install"


def _marketplace(target: Target, places: Places) -> Subject:
    pages, marketplace = Pages(), target.marketplace
    problems = tuple(marketplace_problems(target.path, marketplace, pages)) if marketplace else ()
    rejected = {marketplace.harness if marketplace else "": problems}
    return Subject(MARKETPLACE, target.path, os.path.dirname(target.path), (), {}, rejected, pages, places)


def _file(target: Target, places: Places) -> Subject:
    pages = Pages()
    dialect, capability, results = read_alone(target.path, places, pages)
    items = tuple(each for each in results if isinstance(each, Found))
    problems = tuple(each for each in results if isinstance(each, Diagnostic))
    found = {dialect: {capability: items}} if dialect else {}
    return Subject(FILE, target.path, os.path.dirname(target.path), (), found, {dialect: problems}, pages, places)


def _workspace(target: Target, places: Places) -> Subject:
    """What every harness would load from this folder, without what it loads from elsewhere."""
    if is_denied(target.path):
        closed = {"": (unreadable(target.path),)}
        return Subject(target.kind, target.path, target.path, (), {}, closed, Pages(), places)
    here = places.replace(cwd=target.path)
    run = Run()
    found: dict[str, dict[str, tuple[Found, ...]]] = {}
    problems: list[Diagnostic] = []
    below = target.path.rstrip(os.sep) + os.sep
    problems.extend(each for each in configured_switches(here)[1] if each.path.startswith(below))
    for capability in CAPABILITIES:
        result = discover(capability, here, run=run)
        problems.extend(each for each in result.diagnostics if each.path.startswith(below))
        for candidate in result.all:
            source = candidate.found.source
            if source.path.startswith(below) and not candidate.found.package:
                kinds = found.setdefault(source.harness, {})
                kinds[capability.id] = (*kinds.get(capability.id, ()), candidate.found)
    return Subject(target.kind, target.path, target.path, (), found, {"": tuple(problems)}, Pages(), places)


def workspace_of(target: Target, places: Places, harness_id: str) -> Subject:
    """What one harness would load from this folder, and what it rejects there."""
    here, run = places.replace(cwd=target.path), Run()
    below = target.path.rstrip(os.sep) + os.sep
    found: dict[str, tuple[Found, ...]] = {}
    problems: list[Diagnostic] = []
    for harness in all_harnesses():
        for capability in harness.looks if harness.id == harness_id else ():
            results = list(search(harness, capability, here, run))
            problems.extend(each for each in results if isinstance(each, Diagnostic) and each.path.startswith(below))
            items = (each for each in results if isinstance(each, Found) and not each.package)
            found[capability] = tuple(each for each in items if each.source.path.startswith(below))
    rejected = {harness_id: tuple(dict.fromkeys(problems))}
    return Subject(target.kind, target.path, target.path, (), {harness_id: found}, rejected, Pages(), places)


def nothing_in(folder: str) -> Diagnostic:
    """For a folder that was named by the user and in which nothing loads: perhaps only the manifest is missing."""
    for acceptance in acceptances().values():
        explained = acceptance.without_manifest(folder) if acceptance.without_manifest else None
        if explained:
            return explained
    misspelt = _misspelt(folder)
    hint = f"rename `{misspelt[0]}` to `{misspelt[1]}`" if misspelt else "give the folder of a package"
    return NOTHING_TO_CHECK.at(folder, "nothing here is loaded by any harness", hint=hint)


def _misspelt(folder: str) -> tuple[str, str] | None:
    """A file in the folder that would be a manifest or a skill but for capital letters, and its right name."""
    manifests = (name for each in all_formats() for name in (each.manifest, *each.other_manifests) if "/" not in name)
    right = {name.lower(): name for name in ("SKILL.md", *manifests)}
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) and not is_denied(folder) else []
    wrong = (each for each in names if right.get(each.lower(), each) != each)
    return next(((each, right[each.lower()]) for each in wrong), None)
