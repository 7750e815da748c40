"""Every example module does its job, driven by the kit that authors use; an example without a test fails this file."""

from __future__ import annotations

import ast
import json
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pisces.__main__ import main
from pisces.shapes.events import (
    AgentEnd,
    AgentStart,
    BeforeAgentStart,
    BeforeProviderHeaders,
    Context,
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
    UserShell,
)
from pisces.testing import scripted_session
from tests.modules.js_session import MODULES as PEERS, bun

FOLDER = Path(__file__).resolve().parents[2] / "examples" / "modules"
EXAMPLES = sorted(path for path in FOLDER.iterdir() if path.suffix in (".py", ".ts"))
PYTHON = [path for path in EXAMPLES if path.suffix == ".py"]
SCRIPTS = [path for path in EXAMPLES if path.suffix == ".ts"]
MOST_LINES = 40
GIT = ["git", "-c", "user.name=A U Thor", "-c", "user.email=author@example.com", "-c", "init.defaultBranch=main"]


def opened(name: str, **options: Any) -> Any:
    return scripted_session(FOLDER / name, **options)


def bash(command: str) -> ToolCall:
    return ToolCall("bash", "1", {"command": command})


def message(role: str, text: str, number: int = 1) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return {"type": "message", "id": f"m{number}", "message": {"role": role, "content": content}}


def git(folder: Path, *words: str) -> str:
    done = subprocess.run([*GIT, *words], cwd=folder, capture_output=True, encoding="utf-8", check=True)
    return done.stdout.strip()


def made_repository(folder: Path) -> Path:
    """With one commit of whatever is in it."""
    folder.mkdir(exist_ok=True)
    (folder / "a.txt").write_text("one\n")
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message", "first words")
    return folder


@pytest.fixture(autouse=True)
def author(monkeypatch: pytest.MonkeyPatch) -> None:
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "A U Thor")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "author@example.com")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return made_repository(tmp_path / "a-repository")


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With copies of the examples, and with a repository to play in."""
    folder = tmp_path_factory.mktemp("home")
    shutil.copytree(FOLDER, folder / "modules", ignore=shutil.ignore_patterns("__pycache__"))
    made_repository(folder / "modules")
    made_repository(folder / "a-repository")
    return folder


@pytest.fixture
def javascript(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PISCES_JS_RUNTIME", bun().env["PISCES_JS_RUNTIME"])


# About all of them


def test_there_are_many() -> None:
    assert len(PYTHON) >= 20
    assert len(SCRIPTS) >= 2


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_an_example_is_short_and_has_a_test_of_its_own(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= MOST_LINES
    tests = Path(__file__).read_text("utf-8")
    assert f'opened("{path.name}"' in tests, f"write a test of {path.name}"


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_an_example_says_how_to_try_it_and_that_works(
    path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    if path.suffix == ".ts":
        request.getfixturevalue("javascript")
    monkeypatch.chdir(home / "modules")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    line = _usage(path)
    assert line.startswith(f"pisces modules test {path.name}")
    assert main(shlex.split(line)[1:]) == 0


def _usage(path: Path) -> str:
    """The second paragraph of what it says about itself."""
    text = path.read_text("utf-8")
    if path.suffix == ".py":
        about = ast.get_docstring(ast.parse(text)) or ""
    else:
        about = re.sub(r"^ ?\* ?", "", text[len("/**\n") : text.index("*/")], flags=re.MULTILINE)
    return about.split("\n\n")[1].strip()


# Guards


def test_permission_gate() -> None:
    with opened("permission_gate.py", answers=[False, True]) as session:
        assert session.emit(bash("ls")).blocked is False
        assert session.asked == []
        refused = session.emit(bash("rm -rf build"))
        assert (refused.blocked, refused.reason) == (True, "the user did not allow `rm -rf build`")
        assert session.emit(bash("sudo ls")).blocked is False
        assert [each.about for each in session.asked] == ["rm -rf build", "sudo ls"]


def test_protected_paths() -> None:
    with opened("protected_paths.py") as session:
        assert session.emit(ToolCall("write", "1", {"path": "src/.env"})).blocked
        assert session.emit(ToolCall("edit", "1", {"path": ".git/config"})).reason == ".git/config is protected"
        assert not session.emit(ToolCall("read", "1", {"path": ".env"})).blocked
        assert not session.emit(ToolCall("write", "1", {"path": "src/env.py"})).blocked
        assert len(session.notices) == 2


def test_plan_mode() -> None:
    with opened("plan_mode.py", flags={"plan": True}) as session:
        assert session.statuses == {"plan": "plan mode"}
        assert session.emit(bash("ls")).blocked
        assert "Change nothing" in session.emit(BeforeAgentStart("go")).system_prompt
        session.command("/plan")
        assert session.statuses == {}
        assert not session.emit(bash("ls")).blocked
        assert session.emit(BeforeAgentStart("go")).system_prompt == ""


def test_dirty_repo_guard(repository: Path) -> None:
    with opened("dirty_repo_guard.py", cwd=repository, answers=["stay here", "go on"]) as session:
        assert not session.emit(SessionBeforeSwitch()).cancelled
        (repository / "b.txt").write_text("new")
        event = session.emit(SessionBeforeFork())
        assert (event.cancelled, event.reason) == (True, "commit your changes first")
        assert not session.emit(SessionBeforeSwitch()).cancelled
        assert [each.title for each in session.asked] == ["1 uncommitted files"] * 2


def test_confirm_destructive() -> None:
    with opened("confirm_destructive.py", answers=[False, True], entries=[message("user", "hi")]) as session:
        assert session.emit(SessionBeforeSwitch(cause="new")).cancelled
        assert not session.emit(SessionBeforeSwitch(cause="new")).cancelled
        assert not session.emit(SessionBeforeSwitch(cause="resume")).cancelled
        assert len(session.asked) == 2


def test_redactor() -> None:
    with opened("redactor.py") as session:
        told = ToolResult("bash", "1", {}, ({"type": "text", "text": "key=sk-abcdefghijklmnop1234 ok"},))
        assert session.emit(told).text == "key=[redacted] ok"
        assert session.notices == [("warning", "1 secret(s) of bash were hidden from the model")]
        harmless = told.with_text("nothing here")
        assert session.emit(harmless) == harmless


# Git


def test_git_checkpoint(repository: Path) -> None:
    file = repository / "a.txt"
    with opened("git_checkpoint.py", cwd=repository) as session:
        session.command("/rewind")
        assert session.notices.pop() == ("error", "there is no such checkpoint")
        file.write_text("before\n")
        session.emit(TurnStart(0))
        file.write_text("after\n")
        session.command("/rewind")
        assert file.read_text() == "before\n"
        level, text = session.notices.pop()
        assert (level, text[:8]) == ("info", "back to ")


def test_auto_commit(repository: Path) -> None:
    with opened("auto_commit.py", cwd=repository, entries=[message("assistant", "Fixed it.\nMore.")]):
        (repository / "a.txt").write_text("changed\n")
    assert git(repository, "log", "-1", "--format=%s") == "[agent] Fixed it."
    with opened("auto_commit.py", cwd=repository):
        pass
    assert git(repository, "rev-list", "--count", "HEAD") == "2", "nothing changed, nothing to commit"


def test_git_blame(repository: Path) -> None:
    with opened("git_blame.py", cwd=repository) as session:
        result = session.tool("git_blame", path="a.txt", line=1)
        assert "A U Thor" in result.text
        assert result.text.endswith(": first words")
        assert session.updates == ["looking at a.txt"]
        assert session.tool("git_blame", path="none.txt", line=1).is_error
        assert session.errors


def test_shell_aliases(repository: Path) -> None:
    (repository / "new.txt").write_text("")
    with opened("shell_aliases.py", cwd=repository) as session:
        event = session.emit(UserShell("gs", str(repository)))
        assert event.result == {"output": "?? new.txt\n", "exitCode": 0}
        assert session.emit(UserShell("ls", str(repository))).result is None


# Tools and commands


def test_todo() -> None:
    with opened("todo.py") as session:
        assert session.tool("todo", action="list").text == "nothing to do"
        session.tool("todo", action="add", text="milk")
        session.tool("todo", action="add", text="bread")
        assert session.tool("todo", action="done", number=1).text == "[x] 1 milk\n[ ] 2 bread"
        assert session.statuses == {"todo": "1 to do"}
        entries = session.entries
    with opened("todo.py", entries=entries) as session:
        session.command("/todos")
        assert session.notices == [("info", "[x] 1 milk\n[ ] 2 bread")]


def test_hello() -> None:
    with opened("hello.py") as session:
        session.command("/hello Ada")
        session.command("/hello")
        assert [text for _, text in session.notices] == ["Hello, Ada!", "Hello, world!"]
        assert session.runner.commands["hello"].completions("a") == ["Ada", "Alan"]


def test_read_log(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\nthree\n")
    with opened("read_log.py", cwd=tmp_path) as session:
        assert session.tool("read", path="a.txt", offset=2, limit=1).text == "two\n"
        assert session.tool("read", path=".env").is_error
        assert "is not for the model" in session.errors[0].message
        session.command("/reads")
        assert session.notices == [("info", "a.txt\n.env")]


def test_structured_output() -> None:
    with opened("structured_output.py") as session:
        schema = session.runner.tools["report"].parameters
        assert schema["required"] == ["summary", "severity"]
        assert schema["properties"]["severity"] == {"enum": ["low", "medium", "high"]}
        result = session.tool("report", summary="bad", severity="high", files=["a.py"])
        assert result.details == {"summary": "bad", "severity": "high", "files": ["a.py"]}
        assert session.entries[-1]["data"] == result.details


def test_bookmark() -> None:
    with opened("bookmark.py", entries=[message("assistant", "idea", 7)]) as session:
        session.command("/bookmark good idea")
        assert session.host.session.labels == {"m7": "good idea"}
        session.command("/bookmarks")
        assert session.notices == [("info", "good idea")]


def test_timed_confirm() -> None:
    with opened("timed_confirm.py", answers=[True]) as session:
        session.command("/deploy production")
        assert session.typed == ["Deploy the current branch to production and report."]
        session.command("/deploy")
        assert session.notices == [("warning", "nothing was deployed")]


def test_dice() -> None:
    with opened("dice.py", answers=[[" ", "\r"], []]) as session:
        session.command("/dice")
        assert re.fullmatch(r"I rolled a [1-6]\.", session.typed[0])
        assert len(session.drawn) == 3
        session.command("/dice")
        assert len(session.typed) == 1, "who goes away has not rolled"


def test_quick_note() -> None:
    with opened("quick_note.py", answers=["call Ada", ""]) as session:
        session.shortcut("ctrl+alt+n")
        session.shortcut("ctrl+alt+n")
        (sent,) = session.sent
        assert (sent["customType"], sent["content"], sent["deliver_as"]) == ("note", "call Ada", "nextTurn")
        (renderer,) = session.runner.modules[0].renderers
        assert renderer.draw(sent, 6) == ["* call"]


# What the user and the model say


def test_input_shortcuts() -> None:
    with opened("input_shortcuts.py") as session:
        assert session.emit(Input("?why")).text == "Answer in one or two sentences: why"
        assert session.emit(Input("why?")).text == "why?"
        assert session.emit(Input("ping")).handled
        assert session.notices == [("info", "pong")]


def test_session_namer() -> None:
    with opened("session_namer.py") as session:
        session.emit(Input("/help"))
        session.emit(Input("please fix the login page for all users"))
        session.emit(Input("and then sleep"))
        assert session.host.session.name == "please fix the login page for"
        session.command("/name login")
        assert session.notices == [("info", "this session is called login")]


def test_prompt_header(tmp_path: Path) -> None:
    with opened("prompt_header.py", cwd=tmp_path) as session:
        assert session.emit(BeforeAgentStart("go", system_prompt="You are.")).system_prompt == "You are."
        (tmp_path / "CONVENTIONS.md").write_text("Tabs.")
        prompt = session.emit(BeforeAgentStart("go", system_prompt="You are.")).system_prompt
        assert prompt == "You are.\n\n# Conventions\nTabs."


def test_context_pruner() -> None:
    long = "first line\n" + "x" * 1000
    messages = [{"role": "toolResult", "content": [{"type": "text", "text": long}]} for _ in range(3)]
    with opened("context_pruner.py", flags={"keep-results": "1"}) as session:
        pruned = session.emit(Context([{"role": "user", "content": "hi"}, *messages])).messages
        texts = [each["content"][0]["text"] for each in pruned[1:]]
        assert texts == ["first line [... 1011 characters, shortened]"] * 2 + [long]
        assert pruned[0] == {"role": "user", "content": "hi"}


def test_own_compaction() -> None:
    entries = [message("user", "build it"), message("assistant", "done"), message("user", "test it")]
    with opened("own_compaction.py") as session:
        event = session.emit(SessionBeforeCompact(preparation={"firstKeptEntryId": "m9"}, entries=entries))
        summary = "The user asked for:\n- build it\n- test it"
        assert event.compaction == {"summary": summary, "firstKeptEntryId": "m9"}
        assert session.emit(SessionBeforeCompact()).compaction is None


# What is shown


def test_status_line() -> None:
    with opened("status_line.py") as session:
        assert session.statuses == {"turns": "ready"}
        session.emit(TurnStart(1))
        assert session.statuses == {"turns": "turn 2 ..."}
        session.emit(AgentEnd())
        assert session.statuses == {"turns": "done"}


def test_notifier() -> None:
    for after, said in (("0", 1), ("3600", 0)):
        with opened("notifier.py", flags={"notify-after": after}) as session:
            session.emit(AgentStart())
            session.emit(AgentEnd())
            assert len(session.notices) == len(session.titles) == said


def test_usage_widget() -> None:
    with opened("usage_widget.py") as session:
        assert session.widgets == {"usage": ("turns 0  tools 0  context 0 %",)}
        session.emit(TurnEnd())
        assert session.widgets == {"usage": ("turns 1  tools 0  context 0 %",)}


def test_model_status() -> None:
    with opened("model_status.py") as session:
        assert session.statuses == {"model": "scripted-1"}
        session.emit(ModelSelect({"id": "big-2"}, source="restore"))
        assert (session.statuses, session.notices) == ({"model": "big-2"}, [])
        session.emit(ModelSelect({"id": "small-1"}))
        assert session.notices == [("info", "now with small-1")]


def test_failure_report(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def extension(pisces):\n    @pisces.command('break')\n    def it(args): 1 / 0\n")
    with scripted_session(FOLDER / "failure_report.py", broken) as session:
        session.command("/break")
        assert session.notices == [("error", "broken.py at /break: ZeroDivisionError: division by zero")]
        assert len(session.errors) == 1
    with opened("failure_report.py") as session:
        assert session.notices == []


# Surroundings


def test_team_skills(tmp_path: Path) -> None:
    with opened("team_skills.py") as session:
        assert session.emit(ResourcesDiscover(str(tmp_path))).skill_paths == ()
        (tmp_path / "team" / "skills").mkdir(parents=True)
        assert session.emit(ResourcesDiscover(str(tmp_path))).skill_paths == (str(tmp_path / "team" / "skills"),)


def test_request_headers(tmp_path: Path) -> None:
    with opened("request_headers.py", cwd=tmp_path) as session:
        headers = session.emit(BeforeProviderHeaders({"A": "b"})).headers
        assert headers == {"A": "b", "X-Project": tmp_path.name}


def test_file_trigger(tmp_path: Path) -> None:
    with opened("file_trigger.py", cwd=tmp_path, flags={"trigger": "inbox.txt"}) as session:
        (tmp_path / "inbox.txt").write_text("run the tests\n")
        session.until(lambda: session.typed)
        assert session.typed == ["run the tests"]
        assert not (tmp_path / "inbox.txt").exists()


def test_bus_ping_and_bus_pong() -> None:
    with scripted_session(FOLDER / "bus_ping.py", FOLDER / "bus_pong.py") as session:
        session.command("/ping")
        session.until(lambda: session.notices)
        assert session.notices == [("info", "pong from bus_pong")]
    with opened("bus_ping.py") as session:
        session.command("/ping")
        assert session.notices == []
    with opened("bus_pong.py") as session:
        assert not session.runner.commands


# TypeScript


@pytest.mark.usefixtures("javascript")
def test_no_force_push() -> None:
    with opened("no_force_push.ts") as session:
        event = session.emit(bash("git push --force origin main"))
        assert (event.blocked, event.reason) == (True, "force-pushing is not allowed here")
        assert not session.emit(bash("git push origin main")).blocked
        assert session.notices == [("warning", "kept the agent from: git push --force origin main")]


@pytest.mark.usefixtures("javascript")
def test_word_count() -> None:
    with opened("word_count.ts") as session:
        assert session.runner.tools["word_count"].parameters["required"] == ["text"]
        result = session.tool("word_count", text="one two\nthree")
        assert (result.text, result.details) == ("3 words, 2 lines", {"words": 3, "lines": 2})


@pytest.mark.usefixtures("javascript")
def test_mood() -> None:
    with opened("mood.ts", answers=["tired"]) as session:
        assert session.statuses == {"mood": "never asked"}
        session.command("/mood")
        assert session.statuses == {"mood": "tired"}
        assert session.entries[-1]["data"] == {"mood": "tired"}
        session.command("/mood")
        assert len(session.entries) == 1, "no answer, no entry"


def test_the_scripts_load_in_pi_itself(tmp_path: Path) -> None:
    loader = PEERS / "@mariozechner" / "pi-coding-agent" / "dist" / "core" / "extensions" / "loader.js"
    if not loader.is_file() or not shutil.which("node"):
        pytest.skip("needs node and @mariozechner/pi-coding-agent in PISCES_PEERS")
    program = f"""
        const {{ discoverAndLoadExtensions }} = await import({json.dumps(loader.as_uri())});
        const [paths, empty] = {json.dumps([[str(path) for path in SCRIPTS], str(tmp_path)])};
        const {{ extensions, errors }} = await discoverAndLoadExtensions(paths, empty, empty);
        console.log(JSON.stringify({{ errors, loaded: extensions.length }}));
        process.exit(0);
    """
    command = ["node", "--input-type=module", "--eval", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=True, timeout=60)
    assert json.loads(done.stdout) == {"errors": [], "loaded": len(SCRIPTS)}
