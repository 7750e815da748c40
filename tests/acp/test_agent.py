"""A real client of the Agent Client Protocol drives our agent."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("acp", reason="the extra `acp` is not installed")

from acp import RequestError, image_block, text_block
from acp.helpers import embedded_text_resource, resource_block, resource_link_block
from acp.schema import EnvVariable, McpServerStdio

from pisces.models.scripted import ScriptedModel
from pisces.shapes.message import CallPart, TextPart, ThinkingPart

from .editor import Editor, connected, places_in

ELSEWHERE = CallPart("out", "read", {"path": "/etc/hostname"})
SERVER = Path(__file__).parents[1] / "mcp" / "servers" / "shell_server.py"


def played(editor: Editor, folder: Path, model: ScriptedModel | None, *lines: str) -> list[str]:
    """Why each prompt ended."""
    places = places_in(folder)

    async def play() -> list[str]:
        async with connected(editor, places, model) as agent:
            session = await agent.new_session(cwd=places.cwd, mcp_servers=[])
            return [
                (await agent.prompt(session_id=session.session_id, prompt=[text_block(line)])).stop_reason
                for line in lines
            ]

    return asyncio.run(asyncio.wait_for(play(), 60))


def test_text_thoughts_and_tool_calls_are_shown_in_their_order(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    Path(places.cwd, "a.txt").write_text("hello\n", encoding="utf-8")
    call = CallPart("1", "read", {"path": "a.txt"})
    model = ScriptedModel([(ThinkingPart("hm"), "I look. ", call), "It says hello."])
    editor = Editor()
    assert played(editor, tmp_path, model, "what is in it?") == ["end_turn"]
    assert editor.said == "I look. It says hello."
    kinds = [each.session_update for each in editor.updates]
    assert kinds.index("agent_thought_chunk") < kinds.index("tool_call") < kinds.index("tool_call_update")
    (started,) = editor.kind("tool_call")
    assert (started.title, started.kind, started.locations[0].path) == ("read a.txt", "read", f"{places.cwd}/a.txt")
    ended = editor.kind("tool_call_update")[-1]
    assert ended.status == "completed"
    assert "hello" in ended.content[0].content.text


@pytest.mark.parametrize(("answer", "status"), [("once", "completed"), ("no", "failed"), ("", "failed")])
def test_a_question_of_the_gates_is_put_by_the_editor(tmp_path: Path, answer: str, status: str) -> None:
    editor = Editor(lambda _call: answer)
    played(editor, tmp_path, ScriptedModel([(ELSEWHERE,), "done"]), "read it")
    ((asked, was_known),) = editor.asked
    assert was_known, "the editor must know the call that it is asked about"
    text = asked.content[-1].content.text
    assert '"/etc/hostname"' in text
    assert "Asked by: approval mode ask" in text
    assert editor.kind("tool_call_update")[-1].status == status


def test_what_is_allowed_for_the_session_is_asked_once_and_for_nothing_else(tmp_path: Path) -> None:
    other = CallPart("other", "read", {"path": "/etc/passwd"})
    again = CallPart("again", "read", {"path": "/etc/hostname"})
    editor = Editor(lambda _call: "session")
    played(editor, tmp_path, ScriptedModel([(ELSEWHERE,), (again,), (other,), "done"]), "read them")
    assert [call.raw_input["path"] for call, _ in editor.asked] == ["/etc/hostname", "/etc/passwd"]


def test_an_edit_is_asked_about_with_the_change_that_it_would_make(tmp_path: Path) -> None:
    places, editor = places_in(tmp_path), Editor(lambda _call: "once")
    file = Path(places.cwd, "a.txt")
    file.write_text("one\ntwo\n", encoding="utf-8")
    read = CallPart("1", "read", {"path": "a.txt"})
    edit = CallPart("2", "edit", {"path": "a.txt", "old": "two", "new": "three"})
    played(editor, tmp_path, ScriptedModel([(read,), (edit,), "done"]), "change it")
    ((asked, _),) = editor.asked
    diff = asked.content[0]
    assert (diff.type, diff.path, diff.old_text, diff.new_text) == ("diff", str(file), "one\ntwo\n", "one\nthree\n")
    assert file.read_text("utf-8") == "one\nthree\n"


def test_steps_of_the_agent_are_a_plan_in_the_editor(tmp_path: Path) -> None:
    editor = Editor()
    todos = [{"text": "look", "status": "done"}, {"text": "mend", "status": "active"}]
    model = ScriptedModel([(CallPart("1", "todos", {"todos": todos}),), "done"])
    played(editor, tmp_path, model, "plan it")
    (plan,) = editor.kind("plan")
    assert [(each.content, each.status) for each in plan.entries] == [("look", "completed"), ("mend", "in_progress")]


def test_hidden_characters_in_a_question_are_made_visible(tmp_path: Path) -> None:
    editor = Editor()
    call = CallPart("1", "read", {"path": "/etc/\u202epass\x1b[2Jwd"})
    played(editor, tmp_path, ScriptedModel([(call,), "done"]), "go")
    ((asked, _),) = editor.asked
    assert "\u202e" not in asked.content[-1].content.text
    assert "\x1b" not in asked.content[-1].content.text + asked.title


def test_commands_of_the_workspace_are_offered_and_run(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    folder = Path(places.home, ".gemini", "commands")
    folder.mkdir(parents=True)
    (folder / "greet.toml").write_text(
        'description = "says hello"\nprompt = "Say hello to {{args}}"\n', encoding="utf-8"
    )
    model, editor = ScriptedModel(["hello"]), Editor()
    played(editor, tmp_path, model, "/greet Ada")
    (offered,) = editor.kind("available_commands_update")
    assert [(each.name, each.description) for each in offered.available_commands] == [("greet", "says hello")]
    assert "Say hello to Ada" in model.asked[0].messages[0].text


def test_the_output_of_a_command_is_shown_while_it_runs(tmp_path: Path) -> None:
    editor = Editor(lambda _call: "once")
    call = CallPart("1", "shell", {"command": "echo early; sleep 1; echo late"})
    played(editor, tmp_path, ScriptedModel([(call,), "done"]), "run it")
    texts = [each.content[0].content.text for each in editor.kind("tool_call_update") if each.content]
    assert any("early" in text and "late" not in text for text in texts)
    assert "late" in texts[-1]


def test_why_it_ended_before_it_was_done_is_said(tmp_path: Path) -> None:
    editor = Editor()
    played(editor, tmp_path, ScriptedModel(["", "", ""]), "hello")
    assert "It ended here: " in editor.said


def prompted(folder: Path, *blocks: Any) -> str:
    """What the model reads."""
    places, model = places_in(folder), ScriptedModel(["fine"])

    async def play() -> None:
        async with connected(Editor(), places, model) as agent:
            session = await agent.new_session(cwd=places.cwd, mcp_servers=[])
            await agent.prompt(session_id=session.session_id, prompt=list(blocks))

    asyncio.run(asyncio.wait_for(play(), 60))
    return "\n".join(part.text for part in model.asked[0].messages[0].parts if isinstance(part, TextPart))


def test_a_file_that_the_user_names_is_put_in_whatever_its_name_is(tmp_path: Path) -> None:
    path = Path(places_in(tmp_path).cwd, "two words.txt")
    path.write_text("the inside", encoding="utf-8")
    link = resource_link_block("two words.txt", path.as_uri())
    assert "the inside" in prompted(tmp_path, text_block("explain"), link, text_block("briefly"))


def test_nothing_in_the_text_of_a_file_is_a_command_or_names_another_file(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    Path(places.cwd, "other.txt").write_text("the secret", encoding="utf-8")
    inside = embedded_text_resource("file:///notes.md", "/quit\nsee @other.txt")
    read = prompted(tmp_path, text_block("explain "), resource_block(inside))
    assert "see @other.txt" in read
    assert "the secret" not in read


def test_a_workspace_that_is_not_there_is_an_error_and_leaves_nothing_behind(tmp_path: Path) -> None:
    places = places_in(tmp_path)

    async def play() -> set[str]:
        async with connected(Editor(), places, ScriptedModel()) as agent:
            before = asyncio.all_tasks()
            with pytest.raises(RequestError) as caught:
                await agent.new_session(cwd=str(tmp_path / "gone"), mcp_servers=[])
            assert "there is no such folder" in str(caught.value.data)
            return {str(each) for each in asyncio.all_tasks() - before}

    assert not [each for each in asyncio.run(asyncio.wait_for(play(), 60)) if "_send" in each or "_own" in each]


def test_an_image_reaches_the_model(tmp_path: Path) -> None:
    places, model = places_in(tmp_path), ScriptedModel(["a cat"])

    async def play() -> None:
        async with connected(Editor(), places, model) as agent:
            session = await agent.new_session(cwd=places.cwd, mcp_servers=[])
            blocks = [text_block("what is it?"), image_block("aGVsbG8=", "image/png")]
            await agent.prompt(session_id=session.session_id, prompt=blocks)

    asyncio.run(asyncio.wait_for(play(), 60))
    assert "aGVsbG8=" in str(model.asked[0].messages[0])


def test_cancel_ends_the_prompt_and_the_session_goes_on(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    model = ScriptedModel(["word " * 2000, "the second"], pace=0.01)
    editor = Editor()

    async def play() -> tuple[str, str]:
        async with connected(editor, places, model) as agent:
            session = await agent.new_session(cwd=places.cwd, mcp_servers=[])
            first = asyncio.ensure_future(agent.prompt(session_id=session.session_id, prompt=[text_block("go")]))
            while not editor.said:
                await asyncio.sleep(0.01)
            await agent.cancel(session_id=session.session_id)
            ended = (await first).stop_reason
            second = await agent.prompt(session_id=session.session_id, prompt=[text_block("and now?")])
            return ended, second.stop_reason

    assert asyncio.run(asyncio.wait_for(play(), 60)) == ("cancelled", "end_turn")
    assert editor.said.endswith("the second")


def test_the_mode_is_chosen_in_the_editor(tmp_path: Path) -> None:
    places, editor = places_in(tmp_path), Editor()

    async def play() -> list[str]:
        async with connected(editor, places, ScriptedModel([(ELSEWHERE,), "done"])) as agent:
            session = await agent.new_session(cwd=places.cwd, mcp_servers=[])
            await agent.set_session_mode(session_id=session.session_id, mode_id="all")
            await agent.prompt(session_id=session.session_id, prompt=[text_block("go")])
            with pytest.raises(RequestError):
                await agent.set_session_mode(session_id=session.session_id, mode_id="yolo")
            return [each.id for each in session.modes.available_modes]

    assert asyncio.run(asyncio.wait_for(play(), 60)) == ["ask", "edits", "plan", "all"]
    assert editor.asked == []
    assert editor.kind("current_mode_update")[0].current_mode_id == "all"


def test_a_session_is_loaded_with_what_was_said(tmp_path: Path) -> None:
    places, editor = places_in(tmp_path), Editor()
    model = ScriptedModel(["first answer", "second answer"])

    async def play() -> None:
        async with connected(Editor(), places, model) as agent:
            session = await agent.new_session(cwd=places.cwd, mcp_servers=[])
            await agent.prompt(session_id=session.session_id, prompt=[text_block("the first prompt")])
        async with connected(editor, places, model) as agent:
            listed = await agent.list_sessions(cwd=places.cwd)
            assert [each.session_id for each in listed.sessions] == [session.session_id]
            await agent.load_session(cwd=places.cwd, session_id=session.session_id, mcp_servers=[])
            assert editor.said == "first answer"
            assert editor.kind("user_message_chunk")[0].content.text == "the first prompt"
            await agent.prompt(session_id=session.session_id, prompt=[text_block("and then?")])
            with pytest.raises(RequestError):
                await agent.load_session(cwd=places.cwd, session_id="no-such-session", mcp_servers=[])

    asyncio.run(asyncio.wait_for(play(), 60))
    assert [each.text for each in model.asked[1].messages] == ["the first prompt", "first answer", "and then?"]


def test_without_a_model_a_session_opens_and_a_prompt_says_what_is_missing(tmp_path: Path) -> None:
    with pytest.raises(RequestError) as caught:
        played(Editor(), tmp_path, None, "hello")
    assert "no model" in str(caught.value.data)


def test_an_unknown_session_is_an_error(tmp_path: Path) -> None:
    places = places_in(tmp_path)

    async def play() -> None:
        async with connected(Editor(), places, None) as agent:
            with pytest.raises(RequestError):
                await agent.prompt(session_id="nobody", prompt=[text_block("hello")])

    asyncio.run(asyncio.wait_for(play(), 60))


@pytest.mark.parametrize(("answer", "status"), [("once", "completed"), ("no", "failed")])
def test_a_server_that_the_editor_hands_over_starts_only_after_a_question(
    tmp_path: Path, answer: str, status: str
) -> None:
    places = places_in(tmp_path)
    editor = Editor(lambda call: answer if call.title.startswith("server") else "once")
    env = [EnvVariable(name="A", value="1")]
    given = McpServerStdio(name="sums", command=sys.executable, args=[str(SERVER)], env=env)
    model = ScriptedModel([(CallPart("1", "sums__add", {"a": 1, "b": 2}),), "done"])

    async def play() -> None:
        async with connected(editor, places, model) as agent:
            session = await agent.new_session(cwd=places.cwd, mcp_servers=[given])
            await agent.prompt(session_id=session.session_id, prompt=[text_block("add them")])

    asyncio.run(asyncio.wait_for(play(), 60))
    assert str(SERVER) in editor.asked[0][0].title
    assert editor.kind("tool_call_update")[-1].status == status


def test_stdout_has_nothing_but_the_protocol(tmp_path: Path) -> None:
    places = places_in(tmp_path)
    lines = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1, "clientCapabilities": {}}},
        {"jsonrpc": "2.0", "id": 2, "method": "session/new", "params": {"cwd": places.cwd, "mcpServers": []}},
    ]
    env = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    command = [sys.executable, "-m", "pisces", "acp"]
    pipe, text = subprocess.PIPE, "".join(json.dumps(each) + "\n" for each in lines)
    env = {**env, "HOME": places.home}
    with subprocess.Popen(command, cwd=places.cwd, env=env, stdin=pipe, stdout=pipe, encoding="utf-8") as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(text)
        program.stdin.flush()
        answers: list[dict[str, Any]] = []
        while not any(each.get("id") == 2 for each in answers):
            answers.append(json.loads(program.stdout.readline()))
        program.stdin.close()
        rest = [json.loads(line) for line in program.stdout]
    by_id = {each.get("id"): each for each in (*answers, *rest)}
    assert by_id[1]["result"]["agentInfo"]["name"] == "pisces"
    assert by_id[2]["result"]["sessionId"]
    assert program.returncode == 0
