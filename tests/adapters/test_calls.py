"""What every adapter stands on: what may run is what was judged, and whatever fails on our side is a denial."""

from __future__ import annotations

import pytest

from pisces.adapters.calls import text_for_model
from pisces.shapes.events.tools import ToolResult
from tests.adapters.frameworks import EXAMPLES, ROOT, Scenarios, Workspace, framework


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


def test_a_tool_of_an_mcp_server_is_called_past_the_gates(scenarios: Scenarios) -> None:
    called, denied = scenarios["server_tool"]["results"]
    assert called == "high water in Hamburg at six, [removed]"
    assert "nothing is removed here" in denied


def test_a_result_that_no_hook_could_read_is_withheld(scenarios: Scenarios) -> None:
    facts = scenarios["closed"]
    assert facts["before"] == ""
    assert facts["result"] == "the result is withheld, because the host is closed"
    assert facts["is_error"] is True
    assert facts["after"] == "Blocked by host: the host is closed"


def test_a_call_of_another_loop_or_thread_is_judged_in_the_loop_of_the_host(scenarios: Scenarios) -> None:
    facts = scenarios["loops"]
    assert facts["other"] == facts["alone"] == {"command": "ls -la"}


def test_an_input_that_is_no_data_is_denied(scenarios: Scenarios) -> None:
    assert "is not JSON data" in scenarios["loops"]["odd"]


def test_an_adapter_that_is_made_in_the_wrong_thread_says_where_to_make_it(scenarios: Scenarios) -> None:
    assert "in the event loop of its host" in scenarios["loops"]["raised"]


def test_a_result_says_what_it_has_beside_text() -> None:
    content = ({"type": "text", "text": "a chart"}, {"type": "image", "mimeType": "image/png", "data": "AAAA"})
    assert text_for_model(ToolResult("draw", "1", {}, content)) == "a chart\n[image image/png, not shown]"


def test_the_page_has_the_example() -> None:
    page = (ROOT / "docs" / "guides" / "own-loop.md").read_text("utf-8")
    assert (EXAMPLES / "own_loop.py").read_text("utf-8") in page


@pytest.mark.parametrize("command", ["crash", "explode", "refuse"])
def test_a_gate_that_fails_denies(scenarios: Scenarios, command: str) -> None:
    assert scenarios["calls"]["results"][command].startswith("Blocked by ")


def test_the_example_runs_offline(workspace: Workspace) -> None:
    lines = workspace.output(framework(""), EXAMPLES / "own_loop.py").splitlines()
    assert any("`rm -rf /` removes a folder" in line for line in lines)
    assert any("(ran date)" in line for line in lines)
    assert lines[-1] == "It is Monday."
