"""Strands Agents obey a host: in runs, direct calls of tools, inner agents, graphs and swarms."""

from __future__ import annotations

import pytest

from tests.adapters.behaviours import DENIED, Behaviours
from tests.adapters.frameworks import Scenarios, Workspace, framework


@pytest.fixture(scope="module")
def scenarios(workspace: Workspace) -> Scenarios:
    return Scenarios(workspace.lines(framework("strands"), "strands_scenarios.py"))


class TestStrands(Behaviours):
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
