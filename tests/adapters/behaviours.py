"""What every adapter must show, whatever the framework. A module of tests has a fixture `scenarios` and a subclass."""

from __future__ import annotations

import pytest

from tests.adapters.frameworks import Scenarios

DENIED = "nothing is removed here"


class Behaviours:
    def test_only_what_was_allowed_runs_and_with_the_input_that_was_judged(self, scenarios: Scenarios) -> None:
        assert scenarios["commands"]["ran"] == ["date", "ls -la"]

    def test_the_deny_hook_of_a_claude_plugin_blocks_the_call_and_the_model_reads_who_and_why(
        self, scenarios: Scenarios
    ) -> None:
        denied = scenarios["commands"]["results"]["rm -rf /"]
        assert "Blocked by PreToolUse hook in " in denied
        assert DENIED in denied

    @pytest.mark.parametrize("command", ["crash", "explode", "refuse"])
    def test_a_gate_that_fails_or_refuses_denies(self, scenarios: Scenarios, command: str) -> None:
        assert "Blocked by " in scenarios["commands"]["results"][command]

    def test_the_model_reads_the_result_as_a_hook_changed_it(self, scenarios: Scenarios) -> None:
        results = scenarios["commands"]["results"]
        assert "ran date, [removed]" in results["date"]
        assert "ran ls -la, [removed]" in results["ls"]

    def test_every_call_of_one_answer_is_judged(self, scenarios: Scenarios) -> None:
        judged = [each["command"] for each in scenarios["commands"]["events"] if each["event"] == "PreToolUse"]
        assert set(judged) == {"date", "ls", "ls -la", "rm -rf /", "crash", "explode", "refuse"}

    def test_the_session_has_a_start_a_prompt_a_stop_and_an_end(self, scenarios: Scenarios) -> None:
        events = [each["event"] for each in scenarios["commands"]["events"] if "Tool" not in each["event"]]
        assert events == ["SessionStart", "UserPromptSubmit", "Stop", "SessionEnd"]

    def test_the_model_reads_what_hooks_add_to_the_prompt(self, scenarios: Scenarios) -> None:
        prompts = str(scenarios["commands"]["prompts"])
        assert "The harbour is open." in prompts
        assert "High water is at six." in prompts

    def test_the_model_is_instructed_by_the_program_and_by_the_host(self, scenarios: Scenarios) -> None:
        instructions = scenarios["commands"]["instructions"]
        assert "Be brief." in instructions
        assert "Use metres, never feet." in instructions
        assert "guard:knots: Which knot holds a boat" in instructions

    def test_instructions_are_read_again_for_each_request(self, scenarios: Scenarios) -> None:
        before, after = scenarios["fresh_instructions"]["instructions"]
        assert "Use metres" in before
        assert "Use fathoms" not in before
        assert "Use fathoms" in after

    def test_a_tool_of_the_host_is_called_past_its_gates(self, scenarios: Scenarios) -> None:
        greeted, misused, skill = scenarios["host_tool"]["results"]
        assert "Hello, Ada, [removed]" in greeted
        assert "must have at least 2 characters" in misused
        assert "A bowline holds." in skill

    def test_the_agents_own_tool_keeps_its_name_and_is_judged(self, scenarios: Scenarios) -> None:
        assert scenarios["taken_name"]["ran"] == ["hello"]

    def test_an_inner_agent_is_gated_and_is_a_subagent(self, scenarios: Scenarios) -> None:
        facts = scenarios["inner_agent"]
        assert facts["ran"] == ["date"]
        assert DENIED in str(facts["inner"])
        assert "inner is done" in str(facts["outer"])
        events = [(each["event"], each.get("agent")) for each in facts["events"]]
        assert ("SubagentStart", "helper") in events
        assert ("SubagentStop", "helper") in events
        assert ("PreToolUse", "helper") in events
        assert [event for event, _ in events].count("UserPromptSubmit") == 1
        assert [event for event, _ in events].count("Stop") == 1

    def test_a_failed_tool_is_heard_of(self, scenarios: Scenarios) -> None:
        assert "PostToolUseFailure" in [each["event"] for each in scenarios["failing_tool"]["events"]]

    def test_a_streamed_run_is_gated(self, scenarios: Scenarios) -> None:
        facts = scenarios["streamed"]
        assert facts["ran"] == ["ls -la"]
        assert DENIED in str(facts["results"])
        assert facts["text"].endswith("done")
        assert [each["event"] for each in facts["events"]].count("Stop") == 1

    def test_a_program_without_an_event_loop_is_gated(self, scenarios: Scenarios) -> None:
        facts = scenarios["in_sync"]
        assert facts["ran"] == ["ls -la"]
        assert DENIED in str(facts["results"])
        assert "Hello, Ada, [removed]" in str(facts["results"])
        assert facts["output"] == "done"
        assert [each["event"] for each in facts["events"]][-2:] == ["Stop", "SessionEnd"]

    def test_a_blocked_prompt_reaches_no_model(self, scenarios: Scenarios) -> None:
        facts = scenarios["blocked_prompt"]
        assert "this prompt is not allowed" in facts["reason"]
        assert facts["requests"] == 0

    def test_a_stop_that_a_hook_refuses_makes_the_agent_go_on(self, scenarios: Scenarios) -> None:
        facts = scenarios["refused_stop"]
        assert facts["output"] == "now it is done"
        assert "look once more" in str(facts["prompts"])

    def test_a_hook_ends_the_run_before_the_next_request(self, scenarios: Scenarios) -> None:
        assert scenarios["stopped_by_hook"]["reason"] == "the tide is out"
        assert scenarios["stopped_by_hook"]["requests"] == 1


class ServerTools:
    """Where a program has the scenario `server_tool`."""

    def test_a_tool_of_an_mcp_server_is_called_past_the_gates(self, scenarios: Scenarios) -> None:
        called, denied = scenarios["server_tool"]["results"]
        assert "high water in Hamburg at six, [removed]" in called
        assert DENIED in denied


class FrameworkServers:
    """Where a program has the scenario `framework_server`."""

    def test_a_tool_of_a_server_that_the_framework_started_cannot_pass_for_a_harmless_one(
        self, scenarios: Scenarios
    ) -> None:
        facts = scenarios["framework_server"]
        assert facts["ran"] == []
        assert "Blocked by user" in str(facts["results"])
