"""pydantic-ai obeys a host: in runs, streamed runs, inner agents, and where an output is made by a function."""

from __future__ import annotations

import pytest

from tests.adapters.behaviours import DENIED, Behaviours, FrameworkServers, ServerTools
from tests.adapters.frameworks import EXAMPLES, Scenarios, Workspace, framework

pytestmark = pytest.mark.framework


@pytest.fixture(scope="module")
def scenarios(workspace: Workspace) -> Scenarios:
    return Scenarios(workspace.lines(framework("pydantic-ai"), "pydantic_ai_scenarios.py"))


class TestPydanticAi(Behaviours, ServerTools, FrameworkServers):
    """What every adapter must show."""


def test_a_tool_of_the_host_is_offered_with_its_own_schema(scenarios: Scenarios) -> None:
    schema = scenarios["host_tool"]["schema"]
    assert schema["properties"]["name"] == {"type": "string", "minLength": 2, "description": "Who"}
    assert schema["additionalProperties"] is False


def test_the_gates_see_arguments_as_other_capabilities_leave_them(scenarios: Scenarios) -> None:
    assert scenarios["other_hooks"]["ran"] == []
    assert DENIED in scenarios["other_hooks"]["results"][0]


def test_a_rewritten_input_is_validated_again(scenarios: Scenarios) -> None:
    assert scenarios["typed_arguments"]["ran"] == ["Order ls -la 2"]


def test_a_result_that_nobody_changes_stays_what_the_tool_returned(scenarios: Scenarios) -> None:
    assert scenarios["untouched_result"]["results"] == [{"boats": 3}]


def test_a_tool_that_raises_raises_still(scenarios: Scenarios) -> None:
    assert scenarios["failing_tool"]["raised"] == "the disk is full"


def test_a_function_that_makes_the_output_is_judged(scenarios: Scenarios) -> None:
    facts = scenarios["output_function"]
    assert facts["ran"] == ["date"]
    assert facts["output"] == "ran date, [removed]"


def test_a_toolset_of_one_run_is_gated(scenarios: Scenarios) -> None:
    assert scenarios["toolset_of_one_run"]["ran"] == ["ls -la"]


def test_two_hosts_in_one_agent_both_judge_and_both_have_their_tools(scenarios: Scenarios) -> None:
    facts = scenarios["two_capabilities"]
    assert facts["ran"] == ["date"]
    assert DENIED in facts["results"][0]
    assert facts["results"][2] == "Hello, Ada, [removed]"


def test_steps_that_the_program_drives_are_gated(scenarios: Scenarios) -> None:
    assert scenarios["iterated"]["ran"] == ["ls -la"]


def test_a_tool_that_runs_at_the_provider_is_refused_unless_the_program_accepts_it(scenarios: Scenarios) -> None:
    facts = scenarios["provider_tool"]
    assert "no gate sees what `web_search` does" in facts["refused"]
    assert facts["accepted"] == "TestModel does not support built-in tools"


def test_a_cancelled_run_leaves_no_process_and_an_open_host(scenarios: Scenarios) -> None:
    facts = scenarios["cancelled"]
    assert facts["cancelled"] is True
    assert facts["ran"] == []
    assert facts["again"] == ["ls -la"]


def test_the_test_model_of_the_framework_calls_every_tool(scenarios: Scenarios) -> None:
    assert scenarios["test_model"]["ran"] == ["a"]
    assert "Hello, aa" in scenarios["test_model"]["output"]


def test_the_example_runs_offline(workspace: Workspace) -> None:
    lines = workspace.output(framework("pydantic-ai"), EXAMPLES / "pydantic_agent.py").splitlines()
    assert any("`rm -rf /` removes a folder" in line for line in lines)
    assert any("(ran date)" in line for line in lines)
    assert lines[-1] == "It is Monday."


@pytest.mark.parametrize("prompt", ["text", "picture"])
def test_a_prompt_that_a_module_rewrote_is_what_the_model_reads(scenarios: Scenarios, prompt: str) -> None:
    read = scenarios["rewritten_prompt"][prompt]
    assert "AHOY" in read
    assert "ahoy" not in read
    assert ("https://x.example/a.png" in read) == (prompt == "picture")
