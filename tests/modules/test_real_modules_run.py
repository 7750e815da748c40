"""Modules that pi ships, unmodified, do their job through our runner: what they block is blocked, what they draw is
drawn, what they send arrives. They were written by others for another program, and know nothing of ours.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar

import pytest

from pisces.shapes.events import (
    AfterProviderResponse,
    AgentEnd,
    AgentStart,
    BeforeAgentStart,
    BeforeProviderRequest,
    Input,
    ModelSelect,
    ResourcesDiscover,
    SessionBeforeCompact,
    SessionBeforeFork,
    SessionBeforeSwitch,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
)
from pisces.testing.session import AsyncSession
from tests.modules.caged import Cage, cage, example, played

T = TypeVar("T")
ESCAPE, ENTER, UP, DOWN, LEFT, RIGHT = "\x1b", "\r", "\x1b[A", "\x1b[B", "\x1b[D", "\x1b[C"
WHILE_IT_WORKS = ["x"] * 2000  # keys that mean nothing, until the component is done by itself
ASSISTANT: dict[str, Any] = {
    "type": "message",
    "id": "answer-1",
    "message": {
        "role": "assistant",
        "content": [{"type": "text", "text": "Shall we use SQLite?\nOr Postgres?"}],
        "stopReason": "stop",
        "usage": {"input": 1200, "output": 34, "cost": {"total": 0.5}},
    },
}
USER: dict[str, Any] = {
    "type": "message",
    "id": "prompt-1",
    "message": {"role": "user", "content": "Where do we keep the data?"},
}


@pytest.fixture
def made() -> Iterator[Cage]:
    with cage() as each:
        yield each


def plain(lines: Any) -> str:
    """What a reader sees of it."""
    text = lines if isinstance(lines, str) else "\n".join(lines)
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def run(made: Cage, name: str, play: Callable[[AsyncSession], Awaitable[T]], **options: Any) -> T:
    """Plays a session with one example of pi's; nothing may break in it."""

    async def whole(session: AsyncSession) -> T:
        outcome = await play(session)
        assert [failure.message for failure in session.errors] == []
        return outcome

    return played(made, [example(name)], whole, **options)


def answer_once_drawn(session: AsyncSession, text: str) -> None:
    """The model answers when there is something on the screen: it is the slower one in real life, too."""
    complete = session.host.complete

    async def later(*asked: Any) -> Any:
        await session.until(lambda: session.drawn)
        return await complete(*asked)

    session.host.completions = [text]
    session.host.complete = later  # type: ignore[method-assign, assignment]  # a slow model


# Tools.


def test_hello_greets(made: Cage) -> None:
    async def play(session: AsyncSession) -> ToolResult:
        return await session.tool("hello", name="Ada")

    result = run(made, "hello.ts", play)
    assert (result.text, result.details) == ("Hello, Ada!", {"greeted": "Ada"})


def test_todo_keeps_a_list_and_draws_it(made: Cage) -> None:
    async def play(session: AsyncSession) -> None:
        assert (await session.tool("todo", action="list")).text == "No todos"
        assert (await session.tool("todo", action="add", text="write it down")).text == "Added todo #1: write it down"
        assert (await session.tool("todo", action="toggle", id=1)).text == "Todo #1 completed"
        listed = await session.tool("todo", action="list")
        assert listed.text == "[x] #1: write it down"
        await session.command("/todos")
        assert "1/1 completed" in plain(session.drawn[0])
        assert "✓ #1 write it down" in plain(session.drawn[0])
        draw = {each.kind: each.draw for each in session.runner.modules[0].renderers}
        shown = {"content": listed.content, "details": listed.details}
        assert plain(await draw["result"](shown, 60, expanded=True)).splitlines()[1].strip() == "✓ #1 write it down"
        assert 'todo add "x"' in plain(await draw["call"]({"action": "add", "text": "x"}, 60))

    run(made, "todo.ts", play, answers=[[ESCAPE]])


def test_todo_remembers_what_the_transcript_says(made: Cage) -> None:
    details = {"action": "add", "todos": [{"id": 7, "text": "old", "done": False}], "nextId": 8}
    entry = {"type": "message", "id": "1", "message": {"role": "toolResult", "toolName": "todo", "details": details}}

    async def play(session: AsyncSession) -> str:
        return (await session.tool("todo", action="list")).text

    assert run(made, "todo.ts", play, entries=[entry]) == "[ ] #7: old"


def test_truncated_tool_searches_and_keeps_the_whole_output(made: Cage) -> None:
    made.write({"bin/rg": "#!/bin/sh\nseq 1 3000\n", "many.txt": ""})
    (made.work / "bin" / "rg").chmod(0o755)
    made.env["PATH"] = f"{made.work / 'bin'}:{made.env['PATH']}"

    async def play(session: AsyncSession) -> ToolResult:
        return await session.tool("rg", pattern="x")

    result = run(made, "truncated-tool.ts", play)
    assert "showing 2000 of 3000 lines" in result.text.replace("3001", "3000")
    (kept,) = made.tmp.glob("pi-rg-*/output.txt")
    assert kept.read_text("utf-8").splitlines() == [str(number) for number in range(1, 3001)]


def test_structured_output_is_handed_over(made: Cage) -> None:
    async def play(session: AsyncSession) -> ToolResult:
        return await session.tool("structured_output", headline="Done", summary="All of it", actionItems=["rest"])

    result = run(made, "structured-output.ts", play)
    assert result.text == "Saved structured output: Done"
    assert result.details == {"headline": "Done", "summary": "All of it", "actionItems": ["rest"]}


def test_dynamic_tools_appear_while_the_session_runs(made: Cage) -> None:
    async def play(session: AsyncSession) -> list[str]:
        await session.command("/add-echo-tool shout")
        return [(await session.tool(name, message="hi")).text for name in ("echo_session", "shout")]

    assert run(made, "dynamic-tools.ts", play) == ["[session] hi", "[shout] hi"]


def test_tool_override_reads_and_refuses_and_writes_its_log(made: Cage) -> None:
    made.write({"a.txt": "one\ntwo\nthree", ".env": "TOKEN=x"})

    async def play(session: AsyncSession) -> tuple[str, str]:
        read = await session.tool("read", path="a.txt", offset=2, limit=1)
        refused = await session.tool("read", path=".env")
        await session.command("/read-log")
        return read.text, refused.text

    read, refused = run(made, "tool-override.ts", play)
    assert read == "two"
    assert refused.startswith("Access denied")
    assert "BLOCKED" in (made.agent / "read-access.log").read_text("utf-8")


def test_question_lets_the_user_choose_or_write(made: Cage) -> None:
    options = [{"label": "red"}, {"label": "blue", "description": "as the sky"}]
    written = [DOWN, DOWN, ENTER, *"no colour", ENTER]

    async def play(session: AsyncSession) -> list[str]:
        texts = [(await session.tool("question", question="Which?", options=options)).text for _ in range(3)]
        assert "> 1. red" in plain(session.drawn[0])
        assert "> 2. blue" in plain(session.drawn[1])
        return texts

    texts = run(made, "question.ts", play, answers=[[DOWN, ENTER], written, [ESCAPE]])
    assert texts == ["User selected: 2. blue", "User wrote: no colour", "User cancelled the selection"]


def test_questionnaire_asks_several_things_in_tabs(made: Cage) -> None:
    def asked(name: str) -> dict[str, Any]:
        return {
            "id": name,
            "prompt": f"{name}?",
            "options": [{"value": "y", "label": "Yes"}, {"value": "n", "label": "No"}],
        }

    async def play(session: AsyncSession) -> ToolResult:
        return await session.tool("questionnaire", questions=[asked("fast"), asked("cheap")])

    result = run(made, "questionnaire.ts", play, answers=[[ENTER, DOWN, ENTER, ENTER]])
    assert not result.is_error
    assert [(each["id"], each["value"]) for each in result.details["answers"]] == [("fast", "y"), ("cheap", "n")]


# Guards.


@pytest.mark.parametrize(("answer", "is_blocked"), [("No", True), ("Yes", False)])
def test_permission_gate_asks_before_rm_rf(made: Cage, answer: str, is_blocked: bool) -> None:
    async def play(session: AsyncSession) -> ToolCall:
        harmless = await session.emit(ToolCall("bash", "1", {"command": "ls"}))
        assert not harmless.blocked
        return await session.emit(ToolCall("bash", "2", {"command": "rm -rf build"}))

    call = run(made, "permission-gate.ts", play, answers=[answer])
    assert (call.blocked, call.reason) == (is_blocked, "Blocked by user" if is_blocked else "")


def test_protected_paths_are_not_written(made: Cage) -> None:
    async def play(session: AsyncSession) -> tuple[ToolCall, ToolCall]:
        blocked = await session.emit(ToolCall("write", "1", {"path": "app/.env", "content": ""}))
        assert session.notices == [("warning", "Blocked write to protected path: app/.env")]
        return blocked, await session.emit(ToolCall("write", "2", {"path": "app/main.py", "content": ""}))

    blocked, allowed = run(made, "protected-paths.ts", play)
    assert (blocked.blocked, blocked.reason) == (True, 'Path "app/.env" is protected')
    assert not allowed.blocked


def test_dirty_repo_guard_stops_a_switch_until_all_is_committed(made: Cage) -> None:
    made.git("init", "--quiet")
    made.write({"a.txt": "a", "b.txt": "b"})

    async def play(session: AsyncSession) -> list[bool]:
        dirty = await session.emit(SessionBeforeSwitch())
        assert session.asked[0].title.startswith("You have 2 uncommitted file(s)")
        made.git("add", "-A")
        made.git("commit", "--quiet", "-m", "all")
        return [dirty.cancelled, (await session.emit(SessionBeforeSwitch())).cancelled]

    assert run(made, "dirty-repo-guard.ts", play, answers=["No, let me commit first"]) == [True, False]


def test_confirm_destructive_asks_before_a_session_is_left(made: Cage) -> None:
    async def play(session: AsyncSession) -> list[bool]:
        new = await session.emit(SessionBeforeSwitch(cause="new"))
        resumed = await session.emit(SessionBeforeSwitch(cause="resume", target_session="/other"))
        fork = await session.emit(SessionBeforeFork(entry_id="prompt-1"))
        return [new.cancelled, resumed.cancelled, fork.cancelled]

    answers = [False, True, "No, stay in current session"]
    assert run(made, "confirm-destructive.ts", play, answers=answers, entries=[USER]) == [True, False, True]


def test_git_checkpoint_restores_the_code_of_a_fork(made: Cage) -> None:
    made.git("init", "--quiet")
    made.write({"a.txt": "first"})
    made.git("add", "-A")
    made.git("commit", "--quiet", "-m", "first")
    made.write({"a.txt": "second"})

    async def play(session: AsyncSession) -> None:
        await session.emit(ToolResult("read", "1", {}, ()))
        await session.emit(TurnStart())
        made.git("checkout", "--quiet", "a.txt")
        await session.emit(SessionBeforeFork(entry_id="prompt-1"))
        assert session.notices == [("info", "Code restored to checkpoint")]

    made.env |= {"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.invalid"}
    made.env |= {"GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.invalid"}
    run(made, "git-checkpoint.ts", play, answers=["Yes, restore code to that point"], entries=[USER])
    assert (made.work / "a.txt").read_text("utf-8") == "second"


def test_auto_commit_commits_what_is_left_at_the_end(made: Cage) -> None:
    made.git("init", "--quiet")
    made.write({"a.txt": "work"})
    made.env |= {"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.invalid"}
    made.env |= {"GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.invalid"}

    async def play(session: AsyncSession) -> None:
        assert session.entries

    run(made, "auto-commit-on-exit.ts", play, entries=[ASSISTANT])
    assert made.git("log", "--format=%s").strip() == "[pi] Shall we use SQLite?"


def test_plan_mode_allows_only_reading_until_the_plan_is_carried_out(made: Cage) -> None:
    plan = {
        "role": "assistant",
        "content": [{"type": "text", "text": "Plan:\n1. Measure the thing\n2. Cut the thing\n"}],
    }

    async def play(session: AsyncSession) -> None:
        await session.command("/plan")
        assert plain(session.statuses["plan-mode"]) == "⏸ plan"
        assert list(session.host.active_tools()) == ["read", "bash", "grep", "find", "ls", "questionnaire"]
        assert (await session.emit(ToolCall("bash", "1", {"command": "rm x"}))).blocked
        assert not (await session.emit(ToolCall("bash", "2", {"command": "ls -la"}))).blocked
        started = await session.emit(BeforeAgentStart("go"))
        assert started.messages[0]["content"].startswith("[PLAN MODE ACTIVE]")
        await session.emit(AgentEnd([plan]))
        assert session.sent[-1]["content"] == "Execute the plan. Start with: Measure the thing"
        assert session.sent[-1]["trigger_turn"] is True
        done = {"role": "assistant", "content": [{"type": "text", "text": "[DONE:1] measured"}]}
        await session.emit(TurnEnd(0, done))
        assert plain(session.widgets["plan-todos"]) == "☑ Measure the thing\n☐ Cut the thing"
        assert plain(session.statuses["plan-mode"]) == "📋 1/2"

    run(made, "plan-mode", play, answers=["Execute the plan (track progress)"])


# What the user types, and what the model is told.


def test_input_transform_rewrites_answers_and_leaves_alone(made: Cage) -> None:
    async def play(session: AsyncSession) -> None:
        quick = await session.emit(Input("?quick why"))
        assert (quick.text, quick.handled) == ("Respond briefly in 1-2 sentences: why", False)
        ping = await session.emit(Input("ping"))
        assert ping.handled
        assert session.notices == [("info", "pong")]
        assert await session.emit(Input("something else")) == Input("something else")

    run(made, "input-transform.ts", play)


def test_inline_bash_puts_outputs_into_the_prompt(made: Cage) -> None:
    made.write({"name.txt": "the file"})

    async def play(session: AsyncSession) -> str:
        return (await session.emit(Input("Explain !{cat name.txt} and !{echo more}"))).text

    assert run(made, "inline-bash.ts", play) == "Explain the file and more"


def test_pirate_speaks_in_the_system_prompt_when_it_is_on(made: Cage) -> None:
    async def play(session: AsyncSession) -> tuple[str, str]:
        before = await session.emit(BeforeAgentStart("x", system_prompt="Be kind."))
        await session.command("/pirate")
        after = await session.emit(BeforeAgentStart("x", system_prompt="Be kind."))
        return before.system_prompt, after.system_prompt

    before, after = run(made, "pirate.ts", play)
    assert before == "Be kind."
    assert after.startswith("Be kind.\n\nIMPORTANT: You are now in PIRATE MODE")


def test_claude_rules_are_found_in_the_project(made: Cage) -> None:
    made.write({".claude/rules/style.md": "x", ".claude/rules/deep/tests.md": "x", ".claude/rules/no.txt": "x"})

    async def play(session: AsyncSession) -> str:
        assert session.notices == [("info", "Found 2 rule(s) in .claude/rules/")]
        return (await session.emit(BeforeAgentStart("x", system_prompt="S"))).system_prompt

    prompt = run(made, "claude-rules.ts", play)
    assert "- .claude/rules/style.md" in prompt
    assert "- .claude/rules/deep/tests.md" in prompt
    assert "no.txt" not in prompt


def test_send_user_message_speaks_for_the_user(made: Cage) -> None:
    async def play(session: AsyncSession) -> list[Any]:
        await session.command("/ask what now")
        await session.command("/askwith more")
        session.host.is_idle = False
        await session.command("/ask too late")
        assert session.notices[-1] == ("warning", "Agent is busy. Use /steer or /followup instead.")
        await session.command("/followup and then")
        return session.typed

    typed = run(made, "send-user-message.ts", play)
    assert (typed[0], typed[2:]) == ("what now", ["and then"])
    assert typed[1][0] == {"type": "text", "text": "User request: more"}


def test_message_renderer_draws_its_own_messages(made: Cage) -> None:
    async def play(session: AsyncSession) -> str:
        await session.command("/status warn disk is full")
        (message,) = session.sent
        (renderer,) = session.runner.modules[0].renderers
        assert renderer.name == "status-update"
        return plain(await renderer.draw(message, 40))

    assert "[WARN] disk is full" in run(made, "message-renderer.ts", play)


def test_provider_payload_is_written_down(made: Cage) -> None:
    made.write({".pi/provider-payload.log": ""})

    async def play(session: AsyncSession) -> Any:
        payload = (await session.emit(BeforeProviderRequest({"model": "m", "messages": []}))).payload
        await session.emit(AfterProviderResponse(200, {"x-id": "7"}))
        return payload

    assert run(made, "provider-payload.ts", play) == {"model": "m", "messages": []}
    log = (made.work / ".pi" / "provider-payload.log").read_text("utf-8")
    assert '"model": "m"' in log
    assert '[200] {"x-id":"7"}' in log


def test_dynamic_resources_add_their_own_folders(made: Cage) -> None:
    async def play(session: AsyncSession) -> ResourcesDiscover:
        return await session.emit(ResourcesDiscover(str(made.work)))

    found = run(made, "dynamic-resources", play)
    assert [path.rpartition("/")[2] for path in found.skill_paths] == ["SKILL.md"]
    assert [path.rpartition("/")[2] for path in found.prompt_paths] == ["dynamic.md"]
    assert [path.rpartition("/")[2] for path in found.theme_paths] == ["dynamic.json"]


# Talking to each other, to the session and to the host.


def test_event_bus_carries_from_one_to_the_other(made: Cage) -> None:
    async def play(session: AsyncSession) -> list[tuple[str, str]]:
        await session.command("/emit over here")
        return session.notices

    notices = run(made, "event-bus.ts", play)
    assert ("info", "Event from event-bus-example: Session started") in notices
    assert notices[-1] == ("info", "Event from /emit command: over here")


def test_bookmark_labels_the_last_answer(made: Cage) -> None:
    async def play(session: AsyncSession) -> dict[str, str | None]:
        await session.command("/bookmark good one")
        assert session.notices == [("info", "Bookmarked as: good one")]
        return dict(session.host.session.labels)

    assert run(made, "bookmark.ts", play, entries=[USER, ASSISTANT]) == {"answer-1": "good one"}


def test_session_name_names_and_tells(made: Cage) -> None:
    async def play(session: AsyncSession) -> str:
        await session.command("/session-name Migration")
        await session.command("/session-name")
        assert [text for _, text in session.notices] == ["Session named: Migration", "Session: Migration"]
        return session.host.session.name

    assert run(made, "session-name.ts", play) == "Migration"


def test_commands_lists_what_there_is(made: Cage) -> None:
    async def play(session: AsyncSession) -> None:
        completions = session.runner.commands["commands"].completions
        assert completions is not None
        assert [each["value"] for each in await completions("pro")] == ["prompt"]
        await session.command("/commands")
        (asked,) = session.asked
        assert "/commands - List available slash commands" in asked.about

    run(made, "commands.ts", play)


def test_reload_runtime_asks_the_host_to_reload(made: Cage) -> None:
    async def play(session: AsyncSession) -> None:
        assert (await session.tool("reload_runtime")).text == "Queued /reload-runtime as a follow-up command."
        assert session.typed == ["/reload-runtime"]
        await session.command("/reload-runtime")
        assert [action for action, _ in session.controls] == ["reload"]

    run(made, "reload-runtime.ts", play)


def test_shutdown_command_ends_the_host_and_tells_its_progress(made: Cage) -> None:
    async def play(session: AsyncSession) -> None:
        result = await session.tool("deploy_and_exit", environment="staging")
        assert result.text == "Done! Shutdown requested."
        assert session.updates[0]["content"][0]["text"] == "Deploying to staging..."
        assert session.controls == [("shutdown", {})]

    run(made, "shutdown-command.ts", play)


def test_trigger_compact_compacts_with_instructions(made: Cage) -> None:
    async def play(session: AsyncSession) -> list[Any]:
        await session.command("/trigger-compact keep the names")
        await session.until(lambda: session.controls)
        return session.controls

    assert run(made, "trigger-compact.ts", play) == [("compact", {"instructions": "keep the names"})]


def test_preset_sets_tools_level_and_prompt(made: Cage) -> None:
    preset = '{"plan": {"thinkingLevel": "high", "instructions": "Think first."}}'
    made.write({".pi/presets.json": preset})

    async def play(session: AsyncSession) -> str:
        await session.command("/preset plan")
        assert session.host.thinking_level() == "high"
        return (await session.emit(BeforeAgentStart("x", system_prompt="S"))).system_prompt

    assert run(made, "preset.ts", play) == "S\n\nThink first."


def test_timed_confirm_gives_up_by_itself(made: Cage) -> None:
    async def play(session: AsyncSession) -> list[tuple[str, str]]:
        await session.command("/timed")
        await session.command("/timed")
        return session.notices

    notices = run(made, "timed-confirm.ts", play, answers=[True, False])
    assert [text for _, text in notices] == ["Confirmed by user!", "Cancelled or timed out"]


# Asking a model: the host does that, here with an answer that was written before.


def test_qna_puts_the_questions_of_the_model_into_the_editor(made: Cage) -> None:
    async def play(session: AsyncSession) -> str:
        answer_once_drawn(session, "Q: SQLite or Postgres?\nA: ")
        await session.command("/qna")
        (asked,) = session.host.completed
        assert asked["context"]["systemPrompt"].startswith("You are a question extractor")
        assert "Extracting questions using scripted-1" in plain(session.drawn[0])
        return session.host.ui.text

    text = run(made, "qna.ts", play, answers=[WHILE_IT_WORKS], entries=[USER, ASSISTANT])
    assert text == "Q: SQLite or Postgres?\nA: "


def test_summarize_shows_what_the_model_says(made: Cage) -> None:
    async def play(session: AsyncSession) -> str:
        session.host.model = {"provider": "openai", "id": "gpt-5.2"}
        session.host.completions = ["# Goals\n\nkeep **data**"]
        await session.command("/summarize")
        (asked,) = session.host.completed
        assert "User: Where do we keep the data?" in asked["context"]["messages"][0]["content"][0]["text"]
        return plain(session.drawn[0])

    shown = run(made, "summarize.ts", play, answers=[[ENTER]], entries=[USER, ASSISTANT])
    assert "Conversation Summary" in shown
    assert "Goals" in shown
    assert "keep data" in shown


def test_custom_compaction_brings_its_own_summary(made: Cage) -> None:
    messages = [USER["message"], ASSISTANT["message"]]
    preparation = {
        "messagesToSummarize": messages,
        "turnPrefixMessages": [],
        "tokensBefore": 90_000,
        "firstKeptEntryId": "answer-1",
    }

    async def play(session: AsyncSession) -> SessionBeforeCompact:
        session.host.model = {"provider": "google", "id": "gemini-2.5-flash"}
        session.host.completions = ["They talked about data."]
        return await session.emit(SessionBeforeCompact(preparation=preparation))

    event = run(made, "custom-compaction.ts", play)
    assert event.compaction == {
        "summary": "They talked about data.",
        "firstKeptEntryId": "answer-1",
        "tokensBefore": 90_000,
    }


def test_handoff_starts_a_new_session_with_a_prompt_that_the_user_edits(made: Cage) -> None:
    async def play(session: AsyncSession) -> None:
        answer_once_drawn(session, "## Task\nCarry on")
        await session.command("/handoff finish the migration")
        assert [(each.kind, each.about) for each in session.asked][-1] == ("editor", "## Task\nCarry on")
        assert [action for action, _ in session.controls] == ["new_session"]
        assert session.host.ui.text == "edited"

    run(made, "handoff.ts", play, answers=[WHILE_IT_WORKS, "edited"], entries=[USER, ASSISTANT])


# The screen.


def test_status_line_counts_turns(made: Cage) -> None:
    async def play(session: AsyncSession) -> list[str]:
        seen = [session.statuses["status-demo"]]
        for event in (TurnStart(), TurnEnd(), TurnStart()):
            await session.emit(event)
            seen.append(session.statuses["status-demo"])
        return [plain(each) for each in seen]

    assert run(made, "status-line.ts", play) == ["Ready", "● Turn 1...", "✓ Turn 1 complete", "● Turn 2..."]


def test_model_status_follows_the_model(made: Cage) -> None:
    async def play(session: AsyncSession) -> str:
        await session.emit(ModelSelect({"provider": "acme", "id": "large"}))
        return " ".join(session.statuses.values()) + " ".join(text for _, text in session.notices)

    assert "large" in run(made, "model-status.ts", play)


def test_widgets_stand_above_and_below_the_editor(made: Cage) -> None:
    async def play(session: AsyncSession) -> dict[str, tuple[str, ...]]:
        return session.widgets

    widgets = run(made, "widget-placement.ts", play)
    assert widgets == {"widget-above": ("Above editor widget",), "widget-below": ("Below editor widget",)}


def test_custom_footer_adds_up_tokens(made: Cage) -> None:
    async def play(session: AsyncSession) -> str:
        await session.command("/footer")
        return plain(session.widgets["footer"])

    footer = run(made, "custom-footer.ts", play, entries=[ASSISTANT])
    assert footer.startswith("↑1.2k ↓34 $0.500")
    assert footer.endswith("scripted-1")


def test_tools_are_switched_off_in_a_list(made: Cage) -> None:
    async def play(session: AsyncSession) -> None:
        await session.command("/tools")
        assert "Tool Configuration" in plain(session.drawn[0])
        assert list(session.host.active_tools()) == ["tic_tac_toe_see_board"]
        assert session.entries[-1]["customType"] == "tools-config"

    paths = [example("tools.ts"), example("tic-tac-toe.ts")]
    played(made, paths, play, answers=[[ENTER, ESCAPE]])


def test_snake_is_drawn_and_steered(made: Cage) -> None:
    async def play(session: AsyncSession) -> None:
        await session.command("/snake")
        first = plain(session.drawn[0])
        assert "SNAKE │ Score: 0" in first
        assert first.count("██") == 1
        assert first.count("▓▓") == 2
        saved = session.entries[-1]
        assert (saved["customType"], saved["data"]["nextDirection"]) == ("snake-save", "up")
        await session.command("/snake")
        assert "PAUSED" in plain(session.drawn[-1]).upper()

    run(made, "snake.ts", play, answers=[[UP, ESCAPE], []])


def test_tic_tac_toe_is_played_by_both(made: Cage) -> None:
    async def play(session: AsyncSession) -> None:
        await session.command("/tic-tac-toe")
        assert "╳" not in plain(session.drawn[0])
        assert "╳" in plain(session.drawn[1])
        assert session.sent[-1]["content"].startswith("Player X played at (row=1, col=1)")
        assert session.sent[-1]["trigger_turn"] is True
        await session.tool("tic_tac_toe", action="move_right")
        played = await session.tool("tic_tac_toe", action="play")
        assert not played.is_error
        assert "O" in (await session.tool("tic_tac_toe_see_board")).text
        again = await session.tool("tic_tac_toe", action="play")
        assert (again.is_error, "not your turn" in again.text) == (True, True)

    played(made, [example("tic-tac-toe.ts")], play, answers=[[ENTER, ESCAPE]])


def test_titlebar_spinner_turns_while_the_agent_works(made: Cage) -> None:
    async def play(session: AsyncSession) -> None:
        await session.emit(AgentStart())
        await session.until(lambda: len(session.titles) >= 3)
        await session.emit(AgentEnd())
        assert session.titles[:3] == ["π - work", "⠋ π - work", "⠙ π - work"]
        assert session.titles[-1] == "π - work"

    run(made, "titlebar-spinner.ts", play)
