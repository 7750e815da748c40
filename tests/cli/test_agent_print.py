"""`pisces -p`: formats, stdin, exit codes, and what headless denies."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cli.agent_world import AgentWorld, answer
from tests.models.recorder import Recorder

from pisces.__main__ import main
from pisces.diagnostics import PiscesError
from pisces.ui.session_options import needs_extra

PISCES = [sys.executable, "-m", "pisces"]
LIMIT = 30.0
OUTSIDE = ("read", {"path": "/etc/hostname"})
GUARD = {"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "echo no >&2; exit 2"}]}]}}


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[AgentWorld]:
    with Recorder() as model:
        yield AgentWorld(tmp_path, monkeypatch, model)


def test_text_is_the_last_answer_and_nothing_else(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    world.write("a.txt", "hello\n")
    world.model.bodies = [answer("I look.", ("read", {"path": "a.txt"})), answer("It says hello.")]
    assert world.run("-p", "what is in a.txt?") == 0
    assert capfd.readouterr() == ("It says hello.\n", "")


def test_escape_codes_of_a_model_do_not_reach_a_terminal(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    world.model.body = answer("a\x1b]0;title\x07b\x1b[2Jc\x9b1md\u202ee")
    assert world.run("-p", "hi") == 0
    assert capfd.readouterr().out == "abcde\n"


def test_json_is_one_object_with_everything_about_the_run(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    assert world.run("-p", "hi", "--output-format", "json") == 0
    said = json.loads(capfd.readouterr().out)
    assert (said["type"], said["result"], said["ended"], said["exit_code"]) == ("result", "fine", "done", 0)
    assert said["turns"] == 1
    assert said["usage"]["input"] == 10
    assert said["usage"]["output"] == 7
    assert Path(said["transcript"]).is_file()
    assert said["session"] in said["transcript"]
    assert said["denied"] == []
    assert said["errors"] == []


def test_jsonl_begins_with_the_session_and_ends_with_the_result(
    world: AgentWorld, capfd: pytest.CaptureFixture[str]
) -> None:
    world.model.body = answer("a \u2028 \ud83d\ude00 b")
    assert world.run("-p", "hi", "--output-format", "jsonl") == 0
    lines = [json.loads(line) for line in capfd.readouterr().out.split("\n") if line]
    assert lines[0]["type"] == "session"
    assert lines[0]["model"].startswith("anthropic/")
    assert "read" in lines[0]["tools"]
    names = [each["type"] for each in lines]
    wanted = ["agent_start", "turn_start", "message_end", "text_delta", "message_end", "turn_end", "agent_end"]
    assert [name for name in names if name in wanted] == wanted
    assert lines[-1]["type"] == "result"
    assert "".join(each["text"] for each in lines if each["type"] == "text_delta") == lines[-1]["result"]


def test_tools_and_results_are_lines_of_jsonl(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    world.write("a.txt", "hello\n")
    world.model.bodies = [answer(("read", {"path": "a.txt"}))]
    assert world.run("-p", "hi", "--output-format", "jsonl") == 0
    lines = [json.loads(line) for line in capfd.readouterr().out.splitlines()]
    begun = next(each for each in lines if each["type"] == "tool_execution_start")
    ended = next(each for each in lines if each["type"] == "tool_result")
    assert (begun["tool"], begun["args"]) == ("read", {"path": "a.txt"})
    assert "hello" in str(ended["content"])


def test_what_is_piped_in_goes_behind_the_prompt_as_it_is(world: AgentWorld) -> None:
    world.write("secret.txt", "not for you")
    assert world.run("-p", "review", "this", stdin=b"+ see @secret.txt\n") == 0
    parts = world.asked[0]["messages"][0]["content"]
    assert [each["text"] for each in parts] == ["review this", "+ see @secret.txt"]


def test_what_is_piped_in_alone_is_the_prompt(world: AgentWorld) -> None:
    assert world.run("-p", stdin=b"explain\nthis\n") == 0
    assert "explain\\nthis" in world.last_message()


@pytest.mark.parametrize("data", [b"\x00\x01\x02", b"\xff\xfe\x00", "latin \xe9".encode("latin-1")])
def test_bytes_that_are_no_text_are_refused(world: AgentWorld, capfd: pytest.CaptureFixture[str], data: bytes) -> None:
    assert world.run("-p", "hi", stdin=data) == 2
    assert "[piped-input]" in capfd.readouterr().err
    assert not world.asked


def test_too_much_text_is_refused_and_not_cut(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    assert world.run("-p", "hi", stdin=b"x" * 10_000_001) == 2
    assert "more than 10,000,000 bytes" in capfd.readouterr().err


def test_a_pipe_that_stays_silent_is_not_waited_for(world: AgentWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pisces.cli._agent_prompt.PATIENCE", 0.05)
    reading, writing = os.pipe()
    with open(reading, encoding="utf-8") as file:
        monkeypatch.setattr("sys.stdin", file)
        assert main(["-p", "hi"]) == 0
    os.close(writing)


def test_without_a_prompt_it_says_how(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    assert world.run("-p") == 2
    said = capfd.readouterr().err
    assert "[no-prompt]" in said
    assert 'pisces -p "what to do"' in said


def test_without_a_terminal_and_without_p_it_says_how(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    assert world.run("--model", "anthropic") == 2
    assert "pisces -p" in capfd.readouterr().err


def test_files_that_the_prompt_names_come_behind_it(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    world.write("a b.txt", "blanks\n")
    world.write("c.py", "one\ntwo\nthree\n")
    assert world.run("-p", 'look at @"a b.txt" and @c.py#L2, me@example.org') == 0
    said = world.last_message()
    assert "blanks" in said
    assert "two" in said
    assert "three" not in said
    assert capfd.readouterr().err == ""


def test_files_outside_of_the_workspace_are_not_put_in(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    (world.project.parent / "other.txt").write_text("private", encoding="utf-8")
    world.write(".env", "KEY=private")
    assert world.run("-p", "see @../other.txt and @.env") == 0
    assert "private" not in world.last_message()
    assert "outside of the workspace" in capfd.readouterr().err


def test_a_slash_command_becomes_its_prompt(world: AgentWorld) -> None:
    path = world.home / ".gemini" / "commands" / "greet.toml"
    path.parent.mkdir(parents=True)
    path.write_text('prompt = "Greet {{args}} kindly"\n', encoding="utf-8")
    assert world.run("-p", "/greet Ada", stdin=b"with this text") == 0
    said = world.last_message()
    assert "Greet Ada kindly" in said
    assert "with this text" in said


def test_a_command_that_does_not_exist_could_not_run(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    assert world.run("-p", "/nope", "--output-format", "json") == 2
    said = json.loads(capfd.readouterr().out)
    assert said["ended"] == "failed"
    assert said["errors"][0]["code"] == "unknown-command"


def test_pictures_go_with_the_prompt(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    png = base64.b64decode(
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    )
    (world.project / "dot.png").write_bytes(png)
    assert world.run("-p", "what is it?", "--image", "dot.png") == 0
    assert base64.b64encode(png).decode() in world.last_message()
    world.write("not.png", "text")
    for name in ("not.png", "missing.png", "."):
        assert world.run("-p", "what is it?", "--image", name) == 2
        assert "[prompt-image]" in capfd.readouterr().err


def test_without_a_model_it_says_what_to_set(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    world.without_model()
    assert world.run("-p", "hi", "--output-format", "jsonl") == 2
    said = capfd.readouterr()
    assert "[no-model]" in said.err
    assert "ANTHROPIC_API_KEY" in said.err
    assert json.loads(said.out.splitlines()[-1])["errors"][0]["code"] == "no-model"


def test_a_model_that_fails_could_not_run(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    world.model.status, world.model.body = 401, b'{"error": {"message": "bad key"}}'
    assert world.run("-p", "hi", "--output-format", "json") == 2
    said = capfd.readouterr()
    assert "bad key" in said.err
    assert "the provider refuses the key" in said.err
    assert json.loads(said.out)["errors"][0]["code"] == "model-failed"


@pytest.mark.parametrize(
    ("words", "ended"),
    [(("--max-turns", "1"), "turns"), ((), "length")],
)
def test_what_ends_otherwise_has_its_own_exit_code(
    world: AgentWorld, capfd: pytest.CaptureFixture[str], words: tuple[str, ...], ended: str
) -> None:
    world.write("a.txt", "hello\n")
    world.model.body = answer(("read", {"path": "a.txt"})) if words else answer("half", stop="max_tokens")
    assert world.run("-p", "hi", "--output-format", "json", *words) == 1
    said = capfd.readouterr()
    assert json.loads(said.out)["ended"] == ended
    assert f"ended: {ended}" in said.err


@pytest.mark.parametrize("words", [("--max-turns", "-1"), ("--max-cost", "nan"), ("--no-session", "--continue")])
def test_limits_that_mean_nothing_are_refused(world: AgentWorld, words: tuple[str, ...]) -> None:
    assert world.run("-p", "hi", *words) == 2
    assert not world.asked


def test_a_question_is_denied_and_the_flag_is_named_once(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    world.model.bodies = [answer(OUTSIDE), answer(OUTSIDE)]
    assert world.run("-p", "hi", "--output-format", "json") == 0
    said = capfd.readouterr()
    assert said.err.count("denied by") == 1
    assert "--approve-mode all" in said.err
    assert "--allow 'read(/etc/hostname)'" in said.err
    denied = json.loads(said.out)["denied"]
    assert len(denied) == 1
    assert denied[0]["who"] == "approval mode ask"
    assert "/etc/hostname" in denied[0]["exact"]
    assert "nobody can give" in world.last_message(1)


def test_the_rule_that_a_denial_names_allows_the_call(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    outside = world.project.parent / "notes.txt"
    outside.write_text("outside", encoding="utf-8")
    world.model.bodies = [answer(("read", {"path": str(outside)}))]
    assert world.run("-p", "hi", "--allow", f"read({outside})") == 0
    assert capfd.readouterr().err == ""
    assert "outside" in world.last_message()


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (("shell", {"command": "rm a.txt"}), "`--allow 'shell(rm a.txt)'` or "),
        (("shell", {"command": "rm *"}), ""),
        (("shell", {"command": "rm -rf b c:*"}), ""),
        (("shell", {"command": f"rm {'a' * 100}"}), ""),
        (("write", {"path": "a.txt", "content": ""}), "`--allow 'write(./a.txt)'` or "),
        (("write", {"path": "src/*", "content": ""}), ""),
    ],
)
def test_a_denial_names_no_rule_that_allows_more_than_the_call(
    world: AgentWorld, capfd: pytest.CaptureFixture[str], call: tuple[str, dict[str, str]], named: str
) -> None:
    world.model.bodies = [answer(call)]
    assert world.run("-p", "hi") == 0
    assert f"; {named}`--approve-mode " in capfd.readouterr().err


def test_what_is_denied_by_a_rule_is_not_offered(world: AgentWorld) -> None:
    assert world.run("-p", "hi", "--deny", "read") == 0
    assert "read" not in [each["name"] for each in world.asked[0].get("tools", ())]


def test_a_denied_path_is_denied_though_the_mode_allows_all(
    world: AgentWorld, capfd: pytest.CaptureFixture[str]
) -> None:
    world.write("secrets/key", "private")
    world.model.bodies = [answer(("read", {"path": "secrets/key"}))]
    assert world.run("-p", "hi", "--deny", "read(secrets/**)", "--approve-mode", "all") == 0
    assert "private" not in world.last_message()
    assert "--deny read(secrets/**)" in capfd.readouterr().err


@pytest.mark.parametrize("rule", ["git diff", "", "shell(", "fetch(example.org)", "read()"])
def test_a_rule_that_cannot_be_read_is_an_error(
    world: AgentWorld, capfd: pytest.CaptureFixture[str], rule: str
) -> None:
    assert world.run("-p", "hi", "--allow", rule) == 2
    assert "[flag-rule]" in capfd.readouterr().err
    assert not world.asked


def test_a_hooks_file_holds_for_this_run(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    world.write("a.txt", "hello\n")
    guard = world.write("guard.json", json.dumps(GUARD))
    world.model.bodies = [answer(("read", {"path": "a.txt"}))]
    assert world.run("-p", "hi", "--hook", str(guard)) == 0
    assert "hello" not in world.last_message()
    assert "denied by" in capfd.readouterr().err


@pytest.mark.parametrize("text", ["{}", "nonsense", '{"hooks": {"PreToolUse": 7}}', '{"hooks": {"NoSuchEvent": []}}'])
def test_a_hooks_file_with_a_mistake_ends_the_run(
    world: AgentWorld, capfd: pytest.CaptureFixture[str], text: str
) -> None:
    world.write("guard.json", text)
    assert world.run("-p", "hi", "--hook", "guard.json") == 2
    assert "[hooks-file]" in capfd.readouterr().err
    assert not world.asked


def test_a_hook_that_is_a_module_is_loaded_as_one(world: AgentWorld) -> None:
    world.write("h.py", "def extension(pisces):\n    open('ran', 'w').close()\n")
    assert world.run("-p", "hi", "--hook", "h.py") == 0
    assert (world.project / "ran").exists()


def test_no_extensions_drops_what_was_named_and_says_so(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    world.write("h.py", "def extension(pisces):\n    open('ran', 'w').close()\n")
    assert world.run("-p", "hi", "-e", "h.py", "--no-extensions") == 0
    assert "[modules-off]" in capfd.readouterr().err
    assert not (world.project / "ran").exists()


def test_a_module_that_breaks_is_said_and_the_run_goes_on(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    world.write("broken.py", BREAKS)
    assert world.run("-p", "hi", "-e", "broken.py") == 0
    said = capfd.readouterr()
    assert said.out == "fine\n"
    assert "broken.py failed in SessionStart" in said.err


def test_a_home_that_cannot_be_written_to_costs_the_transcript_only(
    world: AgentWorld, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (world.home / "file").touch()
    monkeypatch.setenv("HOME", str(world.home / "file" / "below"))
    monkeypatch.setenv("USERPROFILE", str(world.home / "file" / "below"))
    assert world.run("-p", "hi") == 0
    said = capfd.readouterr()
    assert said.out == "fine\n"
    assert ".jsonl cannot be written" in said.err


@pytest.mark.parametrize("how", ["text", "json"])
def test_a_command_of_a_module_that_fails_is_no_success(
    world: AgentWorld, capfd: pytest.CaptureFixture[str], how: str
) -> None:
    command = "    @pisces.command('boom')\n    def boom(args):\n        raise ValueError('no luck')\n"
    module = world.write("module.py", f"def extension(pisces):\n{command}")
    assert world.run("-p", "/boom now", "-e", str(module), "--output-format", how) == 1
    said = capfd.readouterr()
    assert "`/boom` failed: ValueError: no luck" in said.err
    assert said.err.count("no luck") == 1
    assert not world.asked
    if how == "json":
        end = json.loads(said.out)
        assert [each["code"] for each in end["errors"]] == ["module-command-failed"]
        assert (end["ended"], end["exit_code"]) == ("command", 1)


def test_a_module_may_end_the_run(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    world.write("ends.py", ENDS)
    world.model.bodies = [answer(("ends", {}))]
    assert world.run("-p", "hi", "-e", "ends.py", "--approve-mode", "all", "--output-format", "json") == 1
    assert json.loads(capfd.readouterr().out)["ended"] == "stopped"


def test_a_module_that_does_not_load_is_said(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    world.write("broken.py", "1/0\n")
    assert world.run("-p", "hi", "-e", "broken.py") == 0
    assert "ZeroDivisionError" in capfd.readouterr().err


def test_what_a_project_brings_is_left_out_and_named(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    world.write("AGENTS.md", "Always say moo.\n")
    world.write(".claude/settings.json", json.dumps(GUARD))
    assert world.run("-p", "hi") == 0
    said = capfd.readouterr().err
    assert said.count("not trusted") == 1
    assert "AGENTS.md" in said
    assert "PreToolUse" in said
    assert "--trust-workspace" in said
    assert "moo" not in json.dumps(world.asked[0])
    assert world.run("-p", "hi", "--trust-workspace") == 0
    assert "not trusted" not in capfd.readouterr().err
    assert "moo" in json.dumps(world.asked[1])


def test_a_blocked_prompt_ends_with_its_reason(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    hook = [{"hooks": [{"type": "command", "command": "echo not today >&2; exit 2"}]}]
    world.write("guard.json", json.dumps({"hooks": {"UserPromptSubmit": hook}}))
    assert world.run("-p", "hi", "--hook", "guard.json", "--output-format", "json") == 1
    said = json.loads(capfd.readouterr().out)
    assert said["ended"] == "blocked"
    assert "not today" in said["why"]


def test_flags_may_stand_before_and_behind_the_prompt(world: AgentWorld) -> None:
    assert world.run("--max-turns", "3", "-p", "one", "two", "--thinking", "off") == 0
    assert "one two" in world.last_message()


def _started(world: AgentWorld, *words: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [*PISCES, *words], env=world.env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


def _wait(is_so: Any) -> None:
    end = time.monotonic() + LIMIT
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_ends_the_run_with_a_whole_transcript(world: AgentWorld, name: str) -> None:
    number = getattr(signal, name)
    world.write("slow.py", SLOW)
    world.model.bodies = [answer("I wait.", ("slow", {}))]
    with _started(world, "-p", "hi", "-e", "slow.py", "--approve-mode", "all", "--output-format", "json") as run:
        _wait((world.project / "began").exists)
        run.send_signal(number)
        out, _ = run.communicate(timeout=LIMIT)
    assert run.returncode == 128 + number
    said = json.loads(out)
    assert said["ended"] == "interrupted"
    assert said["usage"]["output"] == 7
    stored = [json.loads(line) for line in Path(said["transcript"]).read_text("utf-8").splitlines()]
    roles = [each["message"]["role"] for each in stored if each["type"] == "message"]
    assert roles == ["user", "model", "user"]


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_a_second_signal_ends_a_tool_that_does_not_listen(world: AgentWorld) -> None:
    world.write("deaf.py", DEAF)
    world.model.bodies = [answer(("deaf", {}))]
    with _started(world, "-p", "hi", "-e", "deaf.py", "--approve-mode", "all") as run:
        _wait((world.project / "began").exists)
        run.send_signal(signal.SIGINT)
        _wait((world.project / "heard").exists)
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=LIMIT)
    assert run.returncode == 130
    assert b"Traceback" not in errors


def test_output_that_cannot_be_written_is_an_error(world: AgentWorld) -> None:
    if not os.path.exists("/dev/full"):
        pytest.skip("this system has no /dev/full")
    for form in ("text", "json", "jsonl"):
        with open("/dev/full", "w", encoding="utf-8") as full:
            command = [*PISCES, "-p", "hi", "--output-format", form]
            done = subprocess.run(command, env=world.env, stdin=subprocess.DEVNULL, stdout=full, stderr=-1, check=False)
        assert done.returncode == 2
        assert done.stderr == b"pisces: the output cannot be written: no space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_a_reader_that_goes_away_ends_the_run_quietly(world: AgentWorld) -> None:
    world.write("slow.py", SLOW)
    world.model.body = answer("I wait.", ("slow", {}))
    with _started(world, "-p", "hi", "-e", "slow.py", "--approve-mode", "all", "--output-format", "jsonl") as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.readline()
        run.stdout.close()
        assert run.wait(LIMIT) == 0
        assert run.stderr.read() == b""


BREAKS = """
from pisces.events import SessionStart
def extension(pisces):
    @pisces.on(SessionStart)
    def began(event):
        raise RuntimeError("no")
"""

ENDS = """
import asyncio
def extension(pisces):
    @pisces.tool()
    async def ends() -> str:
        "ends the session"
        pisces.host.shutdown()
        await asyncio.sleep(60)
        return ""
"""

DEAF = """
import asyncio, pathlib
def extension(pisces):
    @pisces.tool()
    async def deaf() -> str:
        "does not listen"
        pathlib.Path("began").touch()
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                pathlib.Path("heard").touch()
"""

SLOW = """
import asyncio, pathlib
def extension(pisces):
    @pisces.tool()
    async def slow() -> str:
        "waits"
        pathlib.Path("began").touch()
        await asyncio.sleep(60)
        return ""
"""


def test_a_session_goes_on_where_it_ended(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    assert world.run("-p", "first question", "--output-format", "json") == 0
    first = json.loads(capfd.readouterr().out)
    assert world.run("-p", "second", "--continue", "--output-format", "json") == 0
    second = json.loads(capfd.readouterr().out)
    assert second["transcript"] == first["transcript"]
    assert [each["role"] for each in world.asked[1]["messages"]] == ["user", "assistant", "user"]
    assert world.run("-p", "third", "--resume", first["session"][:6], "--output-format", "json") == 0
    assert len(world.asked[2]["messages"]) == 5
    assert world.run("-p", "fourth") == 0
    assert len(world.asked[3]["messages"]) == 1


def test_a_session_that_does_not_exist_could_not_run(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    assert world.run("-p", "hi", "--continue") == 2
    assert "[no-session]" in capfd.readouterr().err
    assert not world.asked


def test_without_a_session_nothing_is_stored(world: AgentWorld, capfd: pytest.CaptureFixture[str]) -> None:
    assert world.run("-p", "hi", "--no-session", "--output-format", "json") == 0
    assert json.loads(capfd.readouterr().out)["transcript"] is None
    assert not list(world.home.rglob("*.jsonl")) or not list((world.home / ".pisces").rglob("sessions"))


def test_a_package_that_is_missing_is_named_with_what_installs_it() -> None:
    error = needs_extra(ModuleNotFoundError("No module named 'rich'", name="rich.markdown"))
    assert isinstance(error, PiscesError)
    assert error.diagnostic.code == "agent-extra"
    assert "pip install 'pisces-agent[agent]'" in error.diagnostic.hint
    ours = ModuleNotFoundError("No module named 'pisces.typo'", name="pisces.typo")
    assert needs_extra(ours) is ours


def test_without_what_speaks_http_one_line_says_what_to_install(world: AgentWorld) -> None:
    program = "import sys; sys.modules['httpx2'] = None; from pisces.__main__ import main; sys.exit(main())"
    command = [sys.executable, "-c", program, "-p", "hi"]
    done = subprocess.run(command, env=world.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install 'pisces-agent[agent]'" in done.stderr
    assert "Traceback" not in done.stderr


def test_tools_that_settings_of_a_project_take_away_are_said(
    world: AgentWorld, capfd: pytest.CaptureFixture[str]
) -> None:
    world.write(".gemini/settings.json", json.dumps({"tools": {"core": ["read_file"]}}))
    world.model.bodies = [answer(("shell", {"command": "touch made"})), answer("I could not")]
    assert world.run("-p", "hi", "--approve-mode", "all") == 0
    said = capfd.readouterr().err
    assert "denied by .gemini/settings.json:1 tools.core has no other tools: shell" in said
    assert "the model gets no " in said
    assert not (world.project / "made").exists()
