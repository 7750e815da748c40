"""The folders of other people's repositories, and what `pisces check` says about something in them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pisces.checking.acceptance import acceptances
from pisces.checking.check import Scope, check
from pisces.diagnostics import Diagnostic
from pisces.discovery.package_roots import EVERYWHERE
from pisces.places import Places

FOLDER = os.environ.get("PISCES_SUITES", "")


def repository(name: str) -> Path:
    """The folder of a repository, written `owner/name`; skips the test where there is none."""
    if not FOLDER:
        pytest.skip("PISCES_SUITES names no folder with other people's repositories")
    folder = Path(FOLDER) / name.replace("/", "+")
    if not folder.is_dir():
        pytest.skip(f"{folder.name} is not in PISCES_SUITES")
    return folder


def diagnostics(path: Path, harness: str = "") -> list[Diagnostic]:
    """Of everything below a path; of one harness alone where it is named."""
    known = acceptances()
    scope = Scope({harness: known[harness]} if harness else {}, only=bool(harness), reach=EVERYWHERE)
    places = Places("/nonexistent", str(path if path.is_dir() else path.parent))
    return list(check([str(path)], places, scope).diagnostics)


def errors(path: Path, harness: str = "") -> list[str]:
    return [f"{each.path}: {each.message}" for each in diagnostics(path, harness) if each.severity == "error"]


def differences(cases: list[tuple[str, bool, bool]], explained: dict[str, str]) -> list[str]:
    """The cases in which we and they disagree and nobody has said why; a case is a name, their verdict and ours."""
    assert cases, "nothing was read: the suite has changed its form"
    print(f"{sum(theirs == ours for _, theirs, ours in cases)} of {len(cases)} agree")
    return [
        f"{name}: they {'take' if theirs else 'refuse'} it"
        for name, theirs, ours in cases
        if theirs != ours and name not in explained
    ]
