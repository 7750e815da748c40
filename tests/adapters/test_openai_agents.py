"""The OpenAI Agents SDK obeys a host: functions, shells, patches, handoffs, agents as tools, and copies of an agent."""

from __future__ import annotations

import pytest

from tests.adapters.behaviours import DENIED, Behaviours, ServerTools
from tests.adapters.frameworks import EXAMPLES, Scenarios, Workspace, framework

pytestmark = pytest.mark.framework


@pytest.fixture(scope="module")
def scenarios(workspace: Workspace) -> Scenarios:
    return Scenarios(workspace.lines(framework("openai-agents"), "openai_agents_scenarios.py"))


class TestOpenAiAgents(Behaviours, ServerTools):
    """What every adapter must show."""

    def test_a_stop_that_a_hook_refuses_makes_the_agent_go_on(self, scenarios: Scenarios) -> None:
        """The SDK has no way to go on: hooks hear of the end, and the guide says so."""
        facts = scenarios["stop_is_heard"]
        assert facts["output"] == "too early"
        assert [each["event"] for each in facts["events"]].count("Stop") == 1


def test_a_tool_of_the_host_is_offered_with_its_own_schema(scenarios: Scenarios) -> None:
    schema = scenarios["host_tool"]["schema"]
    assert schema["properties"]["name"] == {"type": "string", "minLength": 2, "description": "Who"}
    assert schema["additionalProperties"] is False
    assert schema["required"] == ["name"]


def test_a_run_in_another_event_loop_is_gated(scenarios: Scenarios) -> None:
    facts = scenarios["other_thread"]
    assert facts["ran"] == ["date", "ls -la"]
    assert DENIED in facts["results"]["rm -rf /"]


def test_a_decorated_function_is_gated(scenarios: Scenarios) -> None:
    facts = scenarios["functions"]
    assert facts["ran"] == ["ls -la"]
    assert DENIED in facts["results"]["rm x"]
    assert "error occurred" in facts["results"]["pwd"]


@pytest.mark.parametrize("raw", ["[1]", "{", "null"])
def test_arguments_that_are_no_object_are_denied(scenarios: Scenarios, raw: str) -> None:
    facts = scenarios["bad_arguments"]
    assert facts["ran"] == []
    assert "not a JSON object" in facts["results"][raw]


@pytest.mark.parametrize("how", ["agent", "handoff", "appended"])
def test_an_agent_that_takes_over_is_gated(scenarios: Scenarios, how: str) -> None:
    facts = scenarios["handed_off"]["found"][how]
    assert facts["last"] == "inner"
    assert DENIED in facts["results"]["rm -rf /"]


def test_no_handoff_ran_what_was_denied(scenarios: Scenarios) -> None:
    assert scenarios["handed_off"]["ran"] == ["date", "date", "date"]


def test_agents_that_hand_off_to_each_other_are_gated(scenarios: Scenarios) -> None:
    facts = scenarios["handoffs_in_a_circle"]
    assert (facts["ran"], facts["last"]) == ([], "one")
    assert DENIED in facts["results"]["rm 1"]


def test_a_denied_handoff_leaves_the_agent_in_place_and_the_model_reads_why(scenarios: Scenarios) -> None:
    facts = scenarios["a_denied_handoff"]
    assert (facts["ran"], facts["last"], facts["output"]) == ([], "main", "stayed")
    assert "Blocked by user" in str(facts["read"])


def test_agents_as_tools_of_agents_as_tools_are_gated(scenarios: Scenarios) -> None:
    facts = scenarios["agents_as_tools"]
    assert facts["ran"] == ["date", "ls -la"]
    asked = [(each["command"], each["agent"]) for each in facts["events"] if each["event"] == "PreToolUse"]
    assert ("rm middle", "middle") in asked
    assert ("rm deep", "deep") in asked


def test_an_agent_that_is_a_tool_is_itself_where_nobody_gates_it(scenarios: Scenarios) -> None:
    assert scenarios["an_inner_agent_by_itself"]["ran"] == ["rm alone"]


def test_whatever_is_made_of_a_gated_agent_is_gated_and_the_original_is_not(scenarios: Scenarios) -> None:
    assert scenarios["copies"]["ran"] == ["rm plain"]


def test_every_command_of_a_shell_call_is_judged_before_the_first_runs(scenarios: Scenarios) -> None:
    facts = scenarios["other_tools"]
    assert "ls -la && date" in facts["ran"]
    assert DENIED in facts["results"]["s2"]
    assert "[removed]" in facts["results"]["s1"]


def test_the_older_shell_is_judged_as_the_line_that_it_is(scenarios: Scenarios) -> None:
    facts = scenarios["other_tools"]
    assert "sh -c ls -la" in facts["ran"]
    assert "echo a b" in facts["ran"]
    assert DENIED in facts["results"]["l2"]


def test_a_patch_is_judged_by_the_file_that_it_writes(scenarios: Scenarios) -> None:
    facts = scenarios["other_tools"]
    assert facts["applied"] == ["a.txt"]
    assert "Blocked by user" in facts["results"]["p2"]


@pytest.mark.parametrize("call", ["p3", "p4"])
def test_a_patch_that_would_be_read_as_another_one_is_denied(scenarios: Scenarios, call: str) -> None:
    assert "Blocked by the host" in scenarios["other_tools"]["results"][call]


def test_the_environment_that_a_model_gives_to_a_command_is_judged(scenarios: Scenarios) -> None:
    facts = scenarios["other_tools"]
    assert "date" not in facts["ran"]
    assert "Blocked by user" in facts["results"]["l4"]


def test_a_custom_tool_is_judged(scenarios: Scenarios) -> None:
    facts = scenarios["other_tools"]
    assert "fine" in facts["ran"]
    assert "refuse" not in facts["ran"]
    assert "Blocked by user" in facts["results"]["c2"]


def test_a_tool_that_the_provider_runs_is_refused_unless_it_is_accepted(scenarios: Scenarios) -> None:
    facts = scenarios["hosted_tools"]
    assert "ungated=['web_search']" in facts["refused"]
    assert "ungated=['web_search']" in facts["in_the_run"]
    assert facts["accepted"] == ["web_search"]


def test_the_prompt_in_a_list_of_messages_is_read_by_hooks(scenarios: Scenarios) -> None:
    facts = scenarios["message_list"]
    assert "when is high water?" in [each.get("prompt") for each in facts["events"]]
    assert "High water is at six." in facts["system"]


def test_a_cancelled_run_leaves_nothing_and_the_host_works_on(scenarios: Scenarios) -> None:
    facts = scenarios["cancelled"]
    assert (facts["cancelled"], facts["ran"], facts["again"]) == (True, [], ["ls -la"])


def test_after_the_host_closed_everything_is_denied(scenarios: Scenarios) -> None:
    facts = scenarios["after_the_host_closed"]
    assert facts["ran"] == []
    assert "the host is closed" in facts["results"]["date"]


def test_tools_of_a_server_that_the_framework_starts_are_judged(scenarios: Scenarios) -> None:
    called, denied = scenarios["server_of_the_framework"]["results"]
    assert "high water in Hamburg at six, [removed]" in called
    assert DENIED in denied
    asked = [each["tool"] for each in scenarios["server_of_the_framework"]["events"] if each["event"] == "PreToolUse"]
    assert all(each.startswith("mcp__") for each in asked)


def test_the_example_runs_offline(workspace: Workspace) -> None:
    printed = workspace.output(framework("openai-agents"), EXAMPLES / "openai_agents.py")
    assert "`rm -rf /` removes a folder" in printed
    assert "the model reads: (ran date)" in printed
    assert printed.strip().endswith("It is Monday.")


@pytest.mark.parametrize("began", ["gated", "bare"])
def test_a_run_that_was_stored_while_it_waited_is_judged_when_it_goes_on(began: str, scenarios: Scenarios) -> None:
    facts = scenarios["resumed"][began]
    assert facts["ran"] == ["date"]
    assert "nothing is removed here" in facts["results"]["rm -rf /"]
