"""OpenHands/software-agent-sdk: its tests of Agent Plugin manifests."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

from pisces.checking.acceptance import acceptances
from pisces.checking.subject import Subject
from pisces.checking.subjects import subject_of
from pisces.checking.targets import Target
from pisces.discovery.package_format import format_named
from pisces.places import Places
from tests.suites.python_data import Unknown, assigned, calls, functions, value_of
from tests.suites.shelved import differences, repository

TESTS = "tests/sdk/plugin/test_agent_plugins_format.py"
EXPLAINED: dict[str, str] = {}


def test_manifests_are_taken_and_refused_as_openhands_does(tmp_path: Path) -> None:
    cases = []
    for number, (function, names) in enumerate(functions(repository("OpenHands/software-agent-sdk") / TESTS)):
        folder = tmp_path / str(number)
        if list(calls(function, "load_manifest")) and _written(function, assigned(function, names), folder):
            theirs = not list(calls(function, "raises"))
            cases.append((function.name, theirs, not refused(folder)))
    assert not differences(cases, EXPLAINED)


def refused(folder: Path) -> str:
    """Why clients refuse the Agent Plugin in a folder, or nothing."""
    target = Target("package", str(folder), (format_named("agent-plugin"),))
    subject: Subject = subject_of(target, Places("/nonexistent", str(folder)))
    return acceptances()["agent-plugins"].refused_whole(subject)


def _written(function: ast.FunctionDef, names: dict[str, Any], folder: Path) -> bool:
    folder.mkdir()
    for call in calls(function, "write_manifest"):
        try:
            manifest = value_of(call.args[1], names)
        except Unknown:
            return False
        text = manifest if isinstance(manifest, str) else json.dumps(manifest)
        (folder / "plugin.json").write_text(text)
        return True
    for call in calls(function, "write_bytes"):
        (folder / "plugin.json").write_bytes(value_of(call.args[0], names))
        return True
    return False
