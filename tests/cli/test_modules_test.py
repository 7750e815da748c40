"""`pisces modules test`: what a module brings, what it does when it is driven, and what is wrong with it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.modules.js_session import bun
from tests.modules.python_module import module

from pisces.__main__ import main

ALL = '''
@pisces.on(ToolCall)
async def guard(event):
    if not await pisces.ui.confirm("Run it?", event.input.get("command", "")):
        return event.block("no").with_input(command="true")
@pisces.tool()
def add(a: int, b: int = 2, *, ctx):
    """Adds.

    Slowly."""
    ctx.update("...")
    return a + b
@pisces.command("hello", "greets")
def hello(args):
    pisces.ui.notify(f"Hello {args}"); pisces.ui.status("s", "on"); pisces.send_user_message("hi")
    pisces.append_entry("greeted", {"who": args})
    return len(args)
pisces.flag("loud", "be loud")
pisces.shortcut("Ctrl+K", "kills")(lambda: pisces.ui.title(str(pisces.flags["loud"])))
pisces.renderer("note")(lambda message: [])
pisces.provider("mine", {})
'''


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["modules", "test", *words])
    out, err = capsys.readouterr()
    return status, out, err


def as_json(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, Any]:
    status, out, err = printed(capsys, *words, "--output-format", "json")
    assert not err
    return status, json.loads(out)


def test_it_says_what_a_module_brings(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module(project, ALL)
    assert printed(capsys, "mod.py") == (
        0,
        """\
mod  python  mod.py
  listens to  tool_call
  tool        add(a, b?)  Adds.
  command     /hello      greets
  flag        --loud      be loud (default: false)
  shortcut    ctrl+k      kills
  draws       message note
  provider    mine
""",
        "",
    )


def test_steps_are_taken_in_the_order_in_which_they_are_written(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    module(project, ALL)
    call = 'tool_call={"tool": "bash", "input": {"command": "rm"}}'
    steps = ("--command", "/hello you", "--tool", 'add={"a": 1}', "--event", call, "--shortcut", "ctrl+k")
    status, out, err = printed(capsys, "mod.py", "--flag", "loud", "--answer", "yes", "--answer", "no", *steps)
    assert (status, err) == (0, "")
    assert (
        out.partition("\n\n")[2]
        == """\
command /hello you
  returned  3
  notified  info: Hello you
  status    s: "on"
  said      "hi"
  kept      greeted: {"who": "you"}

tool add
  result    3
  asked     confirm "Run it?", answered true
  progress  "..."

event tool_call
  input.command  "rm" -> "true"
  blocked        false -> true
  reason         "" -> "no"
  asked          confirm "Run it?", answered false

shortcut ctrl+k
  title  "True"
"""
    )


def test_a_bad_step_is_told_before_anything_runs(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module(project, f"open({str(project / 'ran')!r}, 'w').close()")
    for step, said in (
        (("--event", "tool_cal"), "there is no event `tool_cal`"),
        (("--event", "input={"), "`input={` is not NAME=JSON"),
        (("--event", 'input={"txt": "a"}'), "needs a value for 'text'"),
        (("--event", 'session_start={"why": "a"}'), "has no field 'why'"),
        (("--tool", "add=[1]"), "`add=[1]` needs a JSON object"),
        (("--seconds", "soon"), "`--seconds soon` is not a time in seconds"),
    ):
        status, out, err = printed(capsys, "mod.py", *step)
        assert (status, out) == (1, "")
        assert said in err
    assert not (project / "ran").exists()


def test_a_module_that_does_not_load_is_a_problem_with_its_line(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    module(project, "x = 1\nraise ValueError('no')")
    status, out, err = printed(capsys, "mod.py")
    assert (status, out) == (1, "")
    assert err == "mod.py:6: error [module-failed] ValueError: no\n"
    status, out, err = printed(capsys, "gone.py")
    assert (status, out) == (1, "")
    assert "[module-path] there is no `gone.py`" in err


def test_a_handler_that_breaks_is_a_problem_with_its_line(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module(project, "@pisces.on(Input)\ndef bad(event):\n    raise ValueError('oops')")
    status, out, err = printed(capsys, "mod.py", "--event", 'input={"text": "hi"}')
    assert status == 1
    assert out.endswith("event input\n  nothing happened\n")
    assert "mod.py: failed at Input: ValueError: oops\n" in err
    assert 'mod.py", line 7, in bad' in err
    assert err.endswith("1 failure while it ran\n")


def test_what_is_not_there_is_a_problem(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module(project, ALL)
    status, out, _ = printed(capsys, "mod.py", "--command", "/helo")
    assert status == 1
    assert out.endswith("not done  no module brings the command `/helo`: did you mean `/hello`?\n")


@pytest.mark.parametrize(
    ("registration", "code", "said"),
    [
        ("pisces.tool('read file', 'd')(lambda: 1)", "tool-name", "`read file` is not accepted by models"),
        ("pisces.tool('t')(lambda: 1)", "tool-description", "`t` has no description"),
        ("pisces.tool('t', 'd', {'text': 'string'})(lambda: 1)", "tool-schema", "their `type` must be `object`"),
        ("pisces.tool('t', 'd', {'type': 'object', 'properties': []})(lambda: 1)", "tool-schema", "`properties` must"),
        (
            "pisces.tool('t', 'd', {'type': 'object', 'properties': {'a': 'string'}})(lambda a: 1)",
            "tool-schema",
            "`a` must be a schema",
        ),
        (
            "pisces.tool('t', 'd', {'type': 'object', 'properties': {'a': {'type': 'text'}}})(lambda a: 1)",
            "tool-schema",
            "`a` has the unknown type `text`",
        ),
        (
            "pisces.tool('t', 'd', {'type': 'object', 'required': ['b']})(lambda: 1)",
            "tool-schema",
            "`b` is required but not among the properties",
        ),
        (
            "pisces.tool('t', 'd', {'type': 'object', 'default': {1, 2}})(lambda: 1)",
            "tool-schema",
            "they cannot be written as JSON",
        ),
        ("pisces.tool('t', 'd', ['a'])(lambda: 1)", "tool-schema", "they are not an object"),
    ],
)
def test_a_tool_that_no_model_can_use_is_a_problem(
    project: Path, capsys: pytest.CaptureFixture[str], registration: str, code: str, said: str
) -> None:
    module(project, registration)
    status, _, err = printed(capsys, "mod.py")
    assert status == (0 if code == "tool-description" else 1)
    assert f"[{code}]" in err
    assert said in err


def test_the_workspace_is_an_empty_folder_unless_one_is_named(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    body = "import os\npisces.command('w')(lambda args: [pisces.cwd, os.listdir(pisces.cwd)])"
    module(project, body)
    status, told = as_json(capsys, "mod.py", "--command", "/w")
    folder, inside = told["steps"][1]["returned"]
    assert (status, inside) == (0, [])
    assert os.path.basename(folder) == "workspace"
    assert not os.path.exists(folder), "thrown away"
    _, told = as_json(capsys, "mod.py", "--cwd", ".", "--command", "/w")
    assert told["steps"][1]["returned"] == [str(project), ["mod.py"]]


def test_programs_read_all_of_it_as_json(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = module(project, ALL)
    call = 'tool_call={"tool": "bash", "input": {"command": "rm"}}'
    status, told = as_json(capsys, "mod.py", "--event", call, "--command", "/hello x")
    assert status == 0
    assert list(told) == ["modules", "steps", "failures", "diagnostics"]
    (brought,) = told["modules"]
    assert (brought["path"], brought["language"], brought["events"]) == (path, "python", ["tool_call"])
    assert brought["tools"][0]["parameters"]["required"] == ["a"]
    start, event, command = told["steps"]
    assert (start["name"], start["changes"], start["did"]) == ("session_start", {}, {})
    assert event["changes"] == {"input.command": ["rm", "true"], "blocked": [False, True], "reason": ["", "no"]}
    assert event["did"] == {"asked": [{"kind": "confirm", "title": "Run it?", "answer": False}]}
    assert command["did"]["typed"] == ["hi"]
    assert command["returned"] == 1


def test_what_json_does_not_know_becomes_text(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    module(project, "pisces.command('set')(lambda args: {1})\npisces.tool('t', 'd', {'type': {1}})(lambda: pisces)")
    status, told = as_json(capsys, "mod.py", "--command", "/set", "--tool", "t")
    assert status == 1
    assert told["steps"][1]["returned"] == "{1}"
    assert told["modules"][0]["tools"][0]["parameters"] == {"type": "{1}"}


def test_a_folder_with_several_modules_is_loaded_as_a_whole(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "kit").mkdir()
    for name in ("one", "two"):
        module(project / "kit", f"pisces.command('go')(lambda args: '{name}')", name)
    status, out, err = printed(capsys, "kit", "--command", "/go")
    assert (status, out.count("  command  /go")) == (0, 2)
    assert out.endswith('command /go\n  returned  "one"\n')
    assert "kit/two.py: warning [module-clash] the command `go` is already that of kit/one.py" in err


def test_scripts_are_driven_as_well(
    project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PISCES_JS_RUNTIME", bun().env["PISCES_JS_RUNTIME"])
    text = """export default (pi) => {
      pi.on("tool_call", (event) => ({ block: true, reason: "never " + event.toolName }));
      pi.registerCommand("go", { description: "goes", handler: async (args, ctx) => ctx.ui.notify("went " + args) });
    }"""
    (project / "mod.ts").write_text(text)
    call = 'tool_call={"tool": "bash", "input": {}}'
    status, out, err = printed(capsys, "mod.ts", "--event", call, "--command", "/go home")
    assert (status, err) == (0, "")
    assert (
        out
        == """\
mod  typescript  mod.ts
  listens to  tool_call
  command     /go  goes

event tool_call
  blocked  false -> true
  reason   "" -> "never bash"

command /go home
  notified  info: went home
"""
    )
