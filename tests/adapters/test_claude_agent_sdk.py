"""The Claude Agent SDK obeys a host: tools of the program, built-in ones that its program runs, and subagents."""

from __future__ import annotations

import pytest

from tests.adapters.behaviours import DENIED, Behaviours, ServerTools
from tests.adapters.frameworks import PROGRAMS, Scenarios, Workspace, framework

pytestmark = pytest.mark.framework


@pytest.fixture(scope="module")
def scenarios(workspace: Workspace) -> Scenarios:
    return Scenarios(workspace.lines(framework("claude-agent-sdk"), "claude_agent_sdk_scenarios.py"))


class TestClaudeAgentSdk(Behaviours, ServerTools):
    """What every adapter must show."""

    def test_a_tool_of_the_host_is_called_past_its_gates(self, scenarios: Scenarios) -> None:
        """The SDK itself looks whether arguments fit."""
        greeted, misused, skill = scenarios["host_tool"]["results"]
        assert "Hello, Ada, [removed]" in greeted
        assert "too short" in misused
        assert "A bowline holds." in skill

    def test_a_hook_ends_the_run_before_the_next_request(self, scenarios: Scenarios) -> None:
        """The SDK's program ends without saying why."""
        assert scenarios["stopped_by_hook"]["requests"] == 1


def test_each_hook_runs_once_for_each_call(scenarios: Scenarios) -> None:
    """The program that the SDK starts would run the hooks of plugins and settings, too."""
    judged = [each["command"] for each in scenarios["commands"]["events"] if each["event"] == "PreToolUse"]
    assert sorted(judged) == sorted(["date", "ls", "ls -la", "rm -rf /", "crash", "explode", "refuse"])


def test_built_in_tools_are_judged(scenarios: Scenarios) -> None:
    facts = scenarios["built_in_tools"]
    assert facts["files"] == {"kept.txt": True, "made.txt": True, "refuse.txt": False}
    assert DENIED in facts["results"][0]
    assert "Blocked by user" in facts["results"][3]


def test_a_hook_changes_the_results_of_built_in_tools(scenarios: Scenarios) -> None:
    _, printed, read, _ = scenarios["built_in_tools"]["results"]
    assert printed == "[removed]"
    assert "[removed] in a file" in read
    assert "secret" not in read


def test_a_text_of_a_module_takes_the_place_of_a_result_of_any_shape(scenarios: Scenarios) -> None:
    results = scenarios["changed_by_a_module"]["results"]
    assert all("nothing to see" in each for each in results)
    assert "treasure" not in str(results)


def test_a_tool_of_the_host_is_offered_with_its_own_schema(scenarios: Scenarios) -> None:
    schema = scenarios["host_tool"]["schema"]
    assert schema["properties"]["name"] == {"type": "string", "minLength": 2, "description": "Who"}
    assert schema["additionalProperties"] is False


def test_the_session_starts_once_however_many_prompts_it_has(scenarios: Scenarios) -> None:
    facts = scenarios["several_prompts"]
    events = [each["event"] for each in facts["events"]]
    assert facts["ran"] == ["ls -la"]
    assert (events.count("SessionStart"), events.count("UserPromptSubmit"), events.count("Stop")) == (1, 2, 2)


def test_a_gate_that_raises_is_a_denial_and_so_is_an_event_that_nobody_understands(scenarios: Scenarios) -> None:
    facts = scenarios["a_gate_that_raises"]
    assert facts["ran"] == []
    assert "the gate is broken" in facts["results"][0]
    decisions = [each["hookSpecificOutput"]["permissionDecision"] for each in facts["nonsense"]]
    assert decisions == ["deny", "deny", "deny"]


def test_after_the_host_closed_everything_is_denied(scenarios: Scenarios) -> None:
    facts = scenarios["closed_host"]
    assert (facts["ran"], facts["made"]) == ([], False)
    assert all("the host is closed" in each for each in facts["results"])


def test_hooks_of_the_program_itself_are_asked_as_well(scenarios: Scenarios) -> None:
    facts = scenarios["own_hooks"]
    assert facts["ran"] == ["date"]
    assert facts["heard"] == ["PreToolUse", "PreToolUse"]


def test_nothing_that_a_project_names_is_run_by_the_program_itself(scenarios: Scenarios) -> None:
    facts = scenarios["settings_of_the_project"]
    assert facts["ran"] == []
    assert len(facts["refused"]) == 7


def test_a_cancelled_run_leaves_nothing_and_the_host_works_on(scenarios: Scenarios) -> None:
    facts = scenarios["cancelled"]
    assert (facts["cancelled"], facts["ran"], facts["again"]) == (True, [], ["ls -la"])


def test_the_example_runs_on_a_fake_of_the_api(workspace: Workspace) -> None:
    printed = workspace.output(framework("claude-agent-sdk"), PROGRAMS / "claude_agent_example.py")
    assert "`rm -rf ./nothing` removes a folder" in printed
    assert "(sailed to Hamburg)" in printed
    assert printed.strip().endswith("We are there.")
