"""LangChain and LangGraph obey a host: agents, inner agents with and without our middleware, graphs of one's own."""

from __future__ import annotations

import pytest

from tests.adapters.behaviours import DENIED, Behaviours, FrameworkServers, ServerTools
from tests.adapters.frameworks import EXAMPLES, Scenarios, Workspace, framework

pytestmark = pytest.mark.framework


@pytest.fixture(scope="module")
def scenarios(workspace: Workspace) -> Scenarios:
    return Scenarios(workspace.lines(framework("langchain"), "langchain_scenarios.py"))


class TestLangChain(Behaviours, ServerTools, FrameworkServers):
    """What every adapter must show."""


def test_a_denial_is_an_error_of_the_tool(scenarios: Scenarios) -> None:
    statuses = scenarios["commands"]["statuses"]
    assert {statuses[command] for command in ("rm -rf /", "crash", "explode", "refuse")} == {"error"}
    assert {statuses[command] for command in ("date", "ls")} == {"success"}


def test_nothing_of_ours_is_in_the_state_that_the_program_gets(scenarios: Scenarios) -> None:
    assert scenarios["commands"]["state"] == ["messages"]


def test_a_tool_of_the_host_is_offered_with_its_own_schema(scenarios: Scenarios) -> None:
    schema = scenarios["host_tool"]["schema"]
    assert schema["properties"]["name"] == {"type": "string", "minLength": 2, "description": "Who"}
    assert schema["additionalProperties"] is False


def test_an_agent_without_tools_has_those_of_the_host(scenarios: Scenarios) -> None:
    assert scenarios["only_host_tools"]["results"] == ["Hello, Ada, [removed]"]


def test_a_name_is_offered_once(scenarios: Scenarios) -> None:
    assert scenarios["taken_name"]["offered"] == 1


def test_a_denial_holds_in_an_inner_agent_that_has_no_middleware_of_ours(scenarios: Scenarios) -> None:
    facts = scenarios["bare_inner_agent"]
    assert facts["date"]["ran"] == ["date"]
    assert facts["rm inner"]["ran"] == []
    assert DENIED in facts["rm inner"]["outer"][0]


def test_what_a_hook_rewrites_does_not_run_in_such_an_agent(scenarios: Scenarios) -> None:
    facts = scenarios["bare_inner_agent"]["ls"]
    assert facts["ran"] == []
    assert "a hook changed the input" in facts["outer"][0]


@pytest.mark.parametrize("place", ["inside", "outside"])
def test_arguments_that_another_middleware_changes_do_not_run_unseen(scenarios: Scenarios, place: str) -> None:
    facts = scenarios["other_middleware"][place]
    assert facts["ran"] == []
    assert facts["results"][0].startswith("Blocked by ")


def test_a_tool_gets_its_runtime_and_its_command_walks_past_the_hooks(scenarios: Scenarios) -> None:
    facts = scenarios["injected_arguments"]
    assert facts["ran"] == ["date True", "date True", "ls -la"]
    assert facts["results"][0] == "ran ls -la, [removed]"
    assert [each[:8] for each in facts["results"][1:]] == ["Blocked ", "ran date", "ran date", "Updated "]


def test_a_graph_that_waits_in_a_tool_is_stored_and_goes_on(scenarios: Scenarios) -> None:
    facts = scenarios["interrupted"]
    assert facts["waits"] is True
    assert facts["ran"] == ["ls -la yes"]
    assert facts["results"] == ["ran ls -la yes, [removed]"]
    assert "PostToolUseFailure" not in [each["event"] for each in facts["events"]]


def test_a_call_that_another_middleware_repeats_runs_as_it_was_judged(scenarios: Scenarios) -> None:
    assert scenarios["retried"]["ran"] == ["ls -la", "ls -la"]


def test_a_tool_that_raises_raises_still(scenarios: Scenarios) -> None:
    assert scenarios["failing_tool"]["raised"] == "the disk is full"


def test_invoke_in_the_loop_of_the_host_is_refused_before_anything_runs(scenarios: Scenarios) -> None:
    facts = scenarios["in_sync_in_the_loop"]
    assert facts["ran"] == []
    assert "use the asynchronous way" in facts["raised"]


@pytest.mark.parametrize("kind", ["later", "now"])
def test_a_graph_of_ones_own_is_gated(scenarios: Scenarios, kind: str) -> None:
    facts = scenarios["graph"][kind]
    assert facts["ran"] == ["ls -la"]
    assert DENIED in facts["results"][0]
    assert facts["results"][1:] == ["ran ls -la, [removed]", "Hello, Ada, [removed]"]
    assert "Use metres" in scenarios["graph"]["instructions"]


def test_a_tool_that_runs_at_the_provider_is_refused_unless_the_program_accepts_it(scenarios: Scenarios) -> None:
    facts = scenarios["provider_tool"]
    assert "no gate sees what `web_search` does" in facts["refused"]
    assert facts["accepted"] == "done"


def test_a_cancelled_run_leaves_no_process_and_an_open_host(scenarios: Scenarios) -> None:
    facts = scenarios["cancelled"]
    assert facts["cancelled"] is True
    assert facts["ran"] == []
    assert facts["again"] == ["ls -la"]


def test_the_example_runs_offline(workspace: Workspace) -> None:
    lines = workspace.output(framework("langchain"), EXAMPLES / "langchain_agent.py").splitlines()
    assert any("`rm -rf /` removes a folder" in line for line in lines)
    assert any("(ran date)" in line for line in lines)
    assert lines[-1] == "It is Monday."


@pytest.mark.parametrize("prompt", ["text", "picture"])
def test_a_prompt_that_a_module_rewrote_is_what_the_model_reads(scenarios: Scenarios, prompt: str) -> None:
    read = scenarios["rewritten_prompt"][prompt]
    assert "AHOY" in read
    assert "ahoy" not in read
    assert ("https://x.example/a.png" in read) == (prompt == "picture")
