"""Strands Agents obey a host: in runs, direct calls of tools, inner agents, graphs and swarms."""

from __future__ import annotations

import pytest

from tests.adapters.behaviours import DENIED, Behaviours, ServerTools
from tests.adapters.frameworks import EXAMPLES, Scenarios, Workspace, framework

pytestmark = pytest.mark.framework


@pytest.fixture(scope="module")
def scenarios(workspace: Workspace) -> Scenarios:
    return Scenarios(workspace.lines(framework("strands"), "strands_scenarios.py"))


class TestStrands(Behaviours, ServerTools):
    """What every adapter must show."""


def test_calls_one_after_the_other_are_gated(scenarios: Scenarios) -> None:
    assert scenarios["one_after_the_other"]["ran"] == ["date", "ls -la"]


def test_a_tool_of_the_host_is_offered_with_its_own_schema(scenarios: Scenarios) -> None:
    schema = scenarios["host_tool"]["schema"]
    assert schema["properties"]["name"] == {"type": "string", "minLength": 2, "description": "Who"}
    assert schema["properties"]["how"]["anyOf"] == [{"enum": ["loud", "soft"]}, {"type": "null"}]
    assert schema["additionalProperties"] is False


def test_the_system_prompt_of_the_agent_stays_its_own(scenarios: Scenarios) -> None:
    assert scenarios["fresh_instructions"]["own"] == "Be brief."


def test_the_gates_see_the_call_as_other_hooks_leave_it(scenarios: Scenarios) -> None:
    facts = scenarios["other_hooks"]
    assert facts["ran"] == []
    assert DENIED in facts["results"][0]


def test_each_result_passes_the_hooks_although_two_calls_have_one_id(scenarios: Scenarios) -> None:
    facts = scenarios["repeated_ids"]
    assert facts["ran"] == ["date", "pwd"]
    assert "secret" not in str(facts["results"])


def test_a_call_that_another_hook_sends_elsewhere_is_judged_as_what_runs(scenarios: Scenarios) -> None:
    facts = scenarios["renamed_call"]
    assert facts["ran"] == []
    assert str(facts["results"]).count(DENIED) == 2


def test_a_tool_that_the_program_calls_itself_is_judged(scenarios: Scenarios) -> None:
    facts = scenarios["direct_calls"]
    assert facts["ran"] == ["date", "ls -la"]
    assert facts["results"]["rm -rf /"]["status"] == "error"
    assert DENIED in str(facts["results"]["rm -rf /"])
    assert "[removed]" in str(facts["results"]["date"])


def test_nodes_of_graphs_and_swarms_are_gated(scenarios: Scenarios) -> None:
    facts = scenarios["graphs"]
    assert facts["ran"] == ["date", "date"]
    assert str(facts["results"]).count(DENIED) == 2


def test_a_synchronous_call_in_the_hosts_own_thread_is_refused_and_does_not_hang(scenarios: Scenarios) -> None:
    facts = scenarios["waiting_for_itself"]
    assert facts["ran"] == []
    assert "invoke_async" in facts["refused"]
    assert facts["direct"]["status"] == "error"


def test_the_conversation_does_not_have_a_prompt_that_was_blocked(scenarios: Scenarios) -> None:
    assert "something forbidden" not in scenarios["blocked_prompt"]["reason"]
    assert "Stop" not in [each["event"] for each in scenarios["blocked_prompt"]["events"]]


def test_a_cancelled_run_leaves_nothing_and_the_host_works_on(scenarios: Scenarios) -> None:
    facts = scenarios["cancelled"]
    assert (facts["cancelled"], facts["ran"], facts["again"]) == (True, [], ["ls -la"])


def test_tools_of_a_server_that_the_framework_starts_are_judged(scenarios: Scenarios) -> None:
    called, denied = scenarios["server_of_the_framework"]["results"]
    assert "high water in Hamburg at six, [removed]" in called
    assert DENIED in denied
    asked = [each["tool"] for each in scenarios["server_of_the_framework"]["events"] if each["event"] == "PreToolUse"]
    assert all(each.startswith("mcp__") for each in asked)


def test_the_example_runs_offline(workspace: Workspace) -> None:
    printed = workspace.output(framework("strands"), EXAMPLES / "strands_agent.py")
    assert "`rm -rf /` removes a folder" in printed
    assert "the model reads: (ran date)" in printed
    assert printed.strip().endswith("It is Monday.")
