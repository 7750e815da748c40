"""smolagents obeys a host: tools, tools that come later, managed agents, and tools that code calls."""

from __future__ import annotations

import pytest

from tests.adapters.behaviours import DENIED, Behaviours, FrameworkServers, ServerTools
from tests.adapters.frameworks import EXAMPLES, Scenarios, Workspace, framework

pytestmark = pytest.mark.framework


@pytest.fixture(scope="module")
def scenarios(workspace: Workspace) -> Scenarios:
    return Scenarios(workspace.lines(framework("smolagents"), "smolagents_scenarios.py"))


class TestSmolagents(Behaviours, ServerTools, FrameworkServers):
    """What every adapter must show."""


def test_a_tool_of_the_host_is_offered_with_as_much_of_its_schema_as_smolagents_can_say(scenarios: Scenarios) -> None:
    offered = scenarios["host_tool"]["schema"]
    assert offered["parameters"]["properties"]["name"] == {"type": "string", "minLength": 2, "description": "Who"}
    assert offered["parameters"]["required"] == ["name"]
    assert '"enum": ["loud", "soft"]' in offered["description"]


def test_tools_and_agents_that_come_later_are_gated(scenarios: Scenarios) -> None:
    facts = scenarios["later_tool"]
    assert facts["ran"] == []
    assert all(DENIED in str(each) for each in facts["results"])


def test_run_in_the_loop_of_the_host_is_refused_before_anything_runs(scenarios: Scenarios) -> None:
    facts = scenarios["in_the_loop"]
    assert facts["ran"] == []
    assert "another thread" in facts["raised"]


@pytest.mark.parametrize("agent", ["alone", "managed"])
def test_an_agent_that_runs_code_is_refused_unless_the_program_accepts_it(scenarios: Scenarios, agent: str) -> None:
    assert "no gate sees what `code` does" in scenarios["refused_code"][agent]


def test_code_finds_no_other_way_to_a_tool(scenarios: Scenarios) -> None:
    facts = scenarios["accepted_code"]
    assert facts["ran"] == ["ls -la"]
    assert facts["output"] == "done"
    assert str(facts["results"]).count(DENIED) >= 5


def test_code_cannot_change_the_approval_mode(scenarios: Scenarios) -> None:
    assert scenarios["accepted_code"]["mode"] == "ask"


def test_an_argument_that_is_no_data_reaches_the_tool_as_it_is(scenarios: Scenarios) -> None:
    assert scenarios["picture"]["ran"] == ["ls -la Picture"]


def test_closing_the_host_denies_the_call_that_is_being_judged_and_leaves_no_process(scenarios: Scenarios) -> None:
    facts = scenarios["closed_host"]
    assert facts["ran"] == []
    assert "the host is closed" in str(facts["results"])


def test_the_example_runs_offline(workspace: Workspace) -> None:
    lines = workspace.output(framework("smolagents"), EXAMPLES / "smolagents_agent.py").splitlines()
    assert any("`rm -rf /` removes a folder" in line for line in lines)
    assert any("(ran date)" in line for line in lines)
    assert lines[-1] == "It is Monday."
