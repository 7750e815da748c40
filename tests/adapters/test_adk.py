"""Google's ADK obeys a host: in runs, agents as tools, agents that take over, and past callbacks of others."""

from __future__ import annotations

import pytest

from tests.adapters.behaviours import DENIED, Behaviours, ServerTools
from tests.adapters.frameworks import EXAMPLES, Scenarios, Workspace, framework

pytestmark = pytest.mark.framework


@pytest.fixture(scope="module")
def scenarios(workspace: Workspace) -> Scenarios:
    return Scenarios(workspace.lines(framework("adk"), "adk_scenarios.py"))


class TestAdk(Behaviours, ServerTools):
    """What every adapter must show."""

    def test_a_stop_that_a_hook_refuses_makes_the_agent_go_on(self, scenarios: Scenarios) -> None:
        """The framework has no way to go on: hooks hear of the end, and the guide says so."""
        facts = scenarios["stop_is_heard"]
        assert facts["output"] == "too early"
        assert [each["event"] for each in facts["events"]].count("Stop") == 1


def test_a_tool_of_the_host_is_offered_with_its_own_schema(scenarios: Scenarios) -> None:
    schema = scenarios["host_tool"]["schema"]
    assert schema["properties"]["name"] == {"type": "string", "minLength": 2, "description": "Who"}
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize("how", ["transferred", "single_turn"])
def test_a_sub_agent_is_gated(scenarios: Scenarios, how: str) -> None:
    facts = scenarios[how]
    assert facts["ran"] == ["date"]
    assert DENIED in facts["results"][0]


def test_an_agent_that_is_a_tool_without_plugins_is_refused(scenarios: Scenarios) -> None:
    facts = scenarios["hidden_inner_agent"]
    assert (facts["ran"], facts["requests"]) == ([], 0)
    assert "ungated=['helper']" in facts["refused"]


def test_the_gates_see_the_call_as_callbacks_of_others_leave_it(scenarios: Scenarios) -> None:
    facts = scenarios["other_callbacks"]
    assert facts["ran"] == ["date"]
    assert all(DENIED in each for each in facts["results"][:2])


def test_a_call_that_no_request_of_ours_led_to_is_judged_and_its_result_passes_the_hooks(scenarios: Scenarios) -> None:
    facts = scenarios["cached_request"]
    assert facts["ran"] == ["lie", "ls -la"]
    assert DENIED in facts["results"][0]
    assert "secret" not in str(facts["results"])


def test_a_result_that_nobody_changes_stays_what_the_tool_returned(scenarios: Scenarios) -> None:
    assert scenarios["untouched_result"]["results"] == [{"boats": 3, "names": ["Ada"]}]


def test_a_synchronous_run_in_the_hosts_own_thread_is_refused_and_does_not_hang(scenarios: Scenarios) -> None:
    facts = scenarios["waiting_for_itself"]
    assert facts["ran"] == []
    assert "run_async" in facts["refused"]


def test_the_conversation_does_not_have_a_prompt_that_was_blocked(scenarios: Scenarios) -> None:
    facts = scenarios["blocked_prompt"]
    assert "something forbidden" not in str(facts["prompts"])
    assert "something else" in str(facts["prompts"])


def test_what_the_provider_runs_and_code_of_the_model_are_refused_unless_accepted(scenarios: Scenarios) -> None:
    facts = scenarios["ungated_things"]
    assert "ungated=['google_search']" in facts["refused"][0]
    assert "ungated=['code_executor']" in facts["refused"][1]
    assert (facts["requests"], facts["stolen"], facts["accepted"]) == (0, False, "")


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
    printed = workspace.output(framework("adk"), EXAMPLES / "adk.py")
    assert "`rm -rf /` removes a folder" in printed
    assert "the model reads: (ran date)" in printed
    assert printed.strip().endswith("It is Monday.")
