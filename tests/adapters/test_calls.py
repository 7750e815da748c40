"""What every adapter stands on: what may run is what was judged, and whatever fails on our side is a denial."""

from __future__ import annotations

import pytest

from tests.adapters.frameworks import Scenarios, Workspace, framework


@pytest.fixture(scope="module")
def scenarios(workspace: Workspace) -> Scenarios:
    return Scenarios(workspace.lines(framework(""), "own_loop_scenarios.py"))


def test_only_what_was_allowed_runs_and_with_the_input_that_was_judged(scenarios: Scenarios) -> None:
    assert scenarios["calls"]["ran"] == ["date", "ls -la"]


def test_a_result_walks_past_the_hooks(scenarios: Scenarios) -> None:
    assert scenarios["calls"]["results"]["date"] == "ran date, [removed]"


def test_a_denial_says_who_and_why(scenarios: Scenarios) -> None:
    denied = scenarios["calls"]["results"]["rm -rf /"]
    assert denied.startswith("Blocked by PreToolUse hook in ")
    assert denied.endswith("nothing is removed here")


@pytest.mark.parametrize("command", ["crash", "explode", "refuse"])
def test_a_gate_that_fails_denies(scenarios: Scenarios, command: str) -> None:
    assert scenarios["calls"]["results"][command].startswith("Blocked by ")
