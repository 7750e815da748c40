"""A plugin in any language: JSON lines in and out of `pisces ide serve`, and the examples of the guide."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import pytest

from pisces.ide.discovery_file import DiscoveryFile, discovery_files
from tests.ide.companion_client import Client
from tests.ide.test_companion_lifecycle import PATIENCE, Serving

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "ide-companion.md"
PATH = "/project/a.py"


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    made = Serving(tmp_path, "--workspace", str(tmp_path), "--env", "--name", "ed", "--display-name", "Ed")
    yield made
    made.end()


@pytest.fixture
def client(serving: Serving) -> Iterator[Client]:
    with Client(serving.ready["port"], serving.ready["env"]["GEMINI_CLI_IDE_AUTH_TOKEN"]).connect() as made:
        assert serving.hear() == {"event": "clients", "count": 1}
        yield made


def opened(client: Client, serving: Serving, content: str = "new") -> None:
    client.call("openDiff", filePath=PATH, newContent=content)
    assert serving.hear() == {"event": "openDiff", "path": PATH, "content": content}


def test_the_first_line_says_where_it_listens_and_as_whom(serving: Serving, tmp_path: Path) -> None:
    ready = serving.ready
    assert ready["env"]["GEMINI_CLI_IDE_SERVER_PORT"] == str(ready["port"])
    assert ready["env"]["GEMINI_CLI_IDE_WORKSPACE_PATH"] == str(tmp_path)
    assert serving.file.name == f"gemini-ide-server-{os.getpid()}-{ready['port']}.json", "the parent is the editor"
    assert json.loads(serving.file.read_text())["ideInfo"] == {"name": "ed", "displayName": "Ed"}


def test_events_of_the_editor_become_context(serving: Serving, client: Client, tmp_path: Path) -> None:
    a, b = tmp_path / "a", tmp_path / "b"
    a.touch()
    b.touch()

    def heard() -> list[Any]:
        files = client.next()["workspaceState"]["openFiles"]
        return [
            (Path(each["path"]).name, each.get("cursor", {}).get("line"), each.get("selectedText")) for each in files
        ]

    assert heard() == []
    serving.say(do="focus", path=str(a), cursor={"line": 3, "character": 1}, selectedText="x")
    assert heard() == [("a", 3, "x")]
    serving.say(do="select", cursor={"line": 4, "character": 1})
    assert heard() == [("a", 4, None)]
    serving.say(do="open", path=str(b))
    assert heard() == [("a", 4, None), ("b", None, None)]
    a.rename(tmp_path / "c")
    serving.say(do="rename", path=str(a), to=str(tmp_path / "c"))
    assert heard() == [("c", 4, None), ("b", None, None)]
    serving.say(do="close", path=str(tmp_path / "c"))
    assert heard() == [("b", None, None)]
    serving.say(do="trust", isTrusted=True)
    assert client.next()["workspaceState"]["isTrusted"] is True
    file = {"path": str(b), "timestamp": 1, "isActive": True}
    serving.say(do="context", workspaceState={"openFiles": [file], "isTrusted": False})
    assert client.next() == {"workspaceState": {"openFiles": [file], "isTrusted": False}}


def test_diffs_are_settled_by_lines(serving: Serving, client: Client) -> None:
    opened(client, serving)
    serving.say(do="accept", path=PATH, content="better")
    assert client.next("ide/diffAccepted") == {"filePath": PATH, "content": "better"}
    opened(client, serving)
    serving.say(do="reject", path=PATH)
    assert client.next("ide/diffRejected") == {"filePath": PATH}


def test_closing_waits_for_what_the_editor_says(serving: Serving, client: Client) -> None:
    opened(client, serving)
    body = json.dumps({"name": "closeDiff", "arguments": {"filePath": PATH}})
    script = f"import sys; from tests.ide.companion_client import Client; c = Client({client.port}, {client.token!r}); "
    script += f"c.session = {client.session!r}; print(c.ask('tools/call', **{body})['result']['content'][0]['text'])"
    root = str(Path(__file__).resolve().parents[2])
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=root) as asking:
        told = serving.hear()
        assert (told["event"], told["path"]) == ("closeDiff", PATH)
        serving.say(do="closed", id=told["id"] + 1, content="somebody else's")
        serving.say(do="closed", id=told["id"], content="as the user left it")
        assert asking.stdout
        assert json.loads(asking.stdout.read()) == {"content": "as the user left it"}


def test_an_abandoned_diff_is_closed_at_once(serving: Serving, client: Client) -> None:
    opened(client, serving)
    serving.say(do="abandon", path=PATH)
    serving.say(do="env")
    assert serving.hear()["event"] == "env", "the line before was read"
    assert client.call("closeDiff", filePath=PATH)["content"][0]["text"] == "{}"


def test_other_folders_are_written_to_the_file(serving: Serving) -> None:
    serving.say(do="workspace", paths=["/one", "/two"])
    serving.say(do="env")
    expected = os.pathsep.join(["/one", "/two"])
    assert serving.hear()["env"]["GEMINI_CLI_IDE_WORKSPACE_PATH"] == expected
    assert json.loads(serving.file.read_text())["workspacePath"] == expected


NONSENSE = [
    b"not json",
    b"[]",
    b'"focus"',
    b"{}",
    b'{"do": "dance"}',
    b'{"do": ["focus"]}',
    b'{"do": "focus"}',
    b'{"do": "focus", "path": 1}',
    b'{"do": "focus", "path": "/a", "cursor": {"line": 1.5, "character": 1}}',
    b'{"do": "focus", "path": "/a", "selectedText": null}',
    b'{"do": "context", "workspaceState": {"openFiles": [{"path": "/a"}]}}',
    b'{"do": "trust", "isTrusted": "yes"}',
    b'{"do": "closed", "id": "1"}',
    b"\xff\xfe{}",
    b"[" * 100_000,
    b'{"do": "focus", "path": "main.py"}',
    b'{"do": "focus", "path": ""}',
    b'{"do": "open", "path": "~/main.py"}',
    b'{"do": "open", "path": "./main.py"}',
    b'{"do": "rename", "path": "/a", "to": "b"}',
    b'{"do": "workspace", "paths": ["/a", "."]}',
    b'{"do": "workspace", "paths": ["~"]}',
    b'{"do": "context", "workspaceState": {"openFiles": [{"path": "main.py", "timestamp": 1}]}}',
    b'{"do": "focus", "path": "/a", "cursor": {"line": NaN, "character": 1}}',
    b'{"do": "focus", "path": "/a", "cursor": {"line": 1e999, "character": 1}}',
    b'{"do": "focus", "path": "/a", "path": "/b"}',
]


def test_a_line_that_is_not_understood_changes_nothing_and_is_reported(serving: Serving, client: Client) -> None:
    client.next()
    assert serving.process.stdin
    for line in NONSENSE:
        serving.process.stdin.write(line + b"\n\n")
    serving.process.stdin.flush()
    assert [serving.hear()["code"] for _ in NONSENSE] == ["ide-line-malformed"] * len(NONSENSE)
    assert client.heard.empty()


def test_a_path_that_is_not_absolute_is_named(serving: Serving) -> None:
    for path in ("main.py", "~/main.py"):
        serving.say(do="focus", path=path)
        told = serving.hear()
        assert (told["event"], told["severity"]) == ("problem", "error")
        assert f"`path` is not an absolute path: `{path}`" in told["message"]


def test_an_answer_that_comes_too_late_is_said_as_a_note(serving: Serving, client: Client) -> None:
    opened(client, serving)
    serving.say(do="accept", path=PATH, content="better")
    client.next("ide/diffAccepted")
    late: list[dict[str, Any]] = [{"do": act, "path": PATH} for act in ("accept", "reject", "abandon")]
    for line in (*late, {"do": "closed", "id": 99}):
        serving.say(**line)
        told = serving.hear()
        assert (told["event"], told["code"], told["severity"]) == ("problem", "ide-answer-late", "note")
        assert line["do"] in told["message"]


def test_a_second_answer_to_one_question_is_late(serving: Serving, client: Client) -> None:
    opened(client, serving)
    closing = threading.Thread(target=client.call, args=("closeDiff",), kwargs={"filePath": PATH})
    closing.start()
    asked = serving.hear()
    for _ in range(2):
        serving.say(do="closed", id=asked["id"], content="text")
    assert serving.hear()["code"] == "ide-answer-late"
    closing.join(PATIENCE)


def test_the_first_line_says_which_protocol_and_which_limits(serving: Serving) -> None:
    assert serving.ready["protocol"] == 1
    assert serving.ready["limits"] == {"line": 64 * 1024 * 1024, "files": 10, "selectedText": 16384}


def test_a_line_without_an_end_is_refused_and_the_next_one_is_read(serving: Serving) -> None:
    assert serving.process.stdin
    piece = b"x" * (1 << 20)
    for _ in range(66):
        serving.process.stdin.write(piece)
    serving.process.stdin.write(b'\n{"do": "env"}\n')
    serving.process.stdin.flush()
    told = serving.hear()
    assert (told["code"], "longer than 67,108,864 bytes" in told["message"]) == ("ide-line-malformed", True)
    assert serving.hear()["event"] == "env"


@pytest.mark.parametrize("path", ["main.py", "~/main.py", "./a/../b", ""])
def test_a_diff_of_a_relative_path_is_refused_with_the_reason(serving: Serving, client: Client, path: str) -> None:
    told = client.ask("tools/call", name="openDiff", arguments={"filePath": path, "newContent": "new"})
    assert told["error"]["code"] == -32602
    assert "must be an absolute path" in told["error"]["message"]
    serving.say(do="env")
    assert serving.hear()["event"] == "env", "the editor was not bothered"


def test_a_name_that_no_file_can_have_ends_nothing(serving: Serving, client: Client) -> None:
    name = "/project/\0\ud800"
    client.call("openDiff", filePath=name, newContent="new")
    assert serving.hear()["path"] == name
    for act in ("accept", "reject", "abandon", "close", "focus"):
        serving.say(do=act, path="/another/\0")
    serving.say(do="reject", path=name)
    assert client.next("ide/diffRejected")["filePath"] == name


def test_a_diff_of_ten_megabytes_goes_through_lines(serving: Serving, client: Client) -> None:
    text = "a long line\n" * 900_000
    opened(client, serving, text)
    serving.say(do="accept", path=PATH, content=text + "and more")
    assert client.next("ide/diffAccepted")["content"] == text + "and more"


@pytest.mark.parametrize(("arguments", "code"), [("--pid x", "bad-pid"), ("--keep-alive 0", "bad-keep-alive")])
def test_arguments_that_make_no_sense_are_refused(arguments: str, code: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pisces", "ide", "serve", *arguments.split()]
    done = subprocess.run(command, cwd=tmp_path, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert f"[{code}]" in done.stderr
    assert done.stdout == ""


def test_the_demo_lets_a_person_play_the_editor(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("old\n")
    command = [sys.executable, "-m", "pisces", "ide", "serve", "--demo"]
    env = {**os.environ, "TMPDIR": str(tmp_path / "tmp"), "PYTHONUNBUFFERED": "1"}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdin=pipe, stdout=pipe, stderr=pipe) as demo:
        assert demo.stdin
        assert demo.stdout
        exported = dict(line_of(demo.stdout).removeprefix("export ").split("=") for _ in range(3))
        port = int(exported["GEMINI_CLI_IDE_SERVER_PORT"])
        path = str(tmp_path / "notes.txt")
        with Client(port, exported["GEMINI_CLI_IDE_AUTH_TOKEN"]).connect() as client:
            assert [each["path"] for each in client.next()["workspaceState"]["openFiles"]] == [path]
            client.call("openDiff", filePath=path, newContent="new\n")
            assert [line_of(demo.stdout) for _ in range(5)][-2:] == ["-old", "+new"]
            demo.stdin.write(b"hm\naccept\n")
            demo.stdin.flush()
            assert client.next("ide/diffAccepted") == {"filePath": path, "content": "new\n"}
        demo.stdin.write(b"quit\n")
        demo.stdin.flush()
        assert demo.wait(PATIENCE) == 0
        assert demo.stderr
        assert b"say one of" in demo.stderr.read()


def line_of(stream: IO[bytes]) -> str:
    return stream.readline().decode().rstrip("\n")


def example(kind: str) -> str:
    found = re.search(rf"^```{kind}\n(.*?)^```$", GUIDE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


def drive(command: list[str], tmp_path: Path) -> None:
    """An example of the guide is a whole editor: it tells what is focused, shows a diff and accepts it."""
    file = tmp_path / "main.py"
    file.touch()
    scripts = os.path.dirname(sys.executable)
    env = {**os.environ, "TMPDIR": str(tmp_path), "PATH": scripts + os.pathsep + os.environ["PATH"]}
    with subprocess.Popen(command, cwd=tmp_path, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as editor:
        assert editor.stdin
        assert editor.stdout
        assert line_of(editor.stdout).startswith(("listening on", "ready"))
        [found] = discovery_files({"TMPDIR": str(tmp_path)})
        assert isinstance(found, DiscoveryFile)
        assert (found.ide_name, found.ide_display_name, found.workspace_path) == ("tiny", "Tiny Editor", str(tmp_path))
        assert found.pid == editor.pid
        with Client(found.port, found.auth_token).connect() as client:
            client.next()
            editor.stdin.write(f"focus {file}\n".encode())
            editor.stdin.flush()
            assert client.next()["workspaceState"]["openFiles"][0]["path"] == str(file)
            client.call("openDiff", filePath=PATH, newContent="new")
            seen = line_of(editor.stdout)
            while PATH not in seen:
                seen = line_of(editor.stdout)
            editor.stdin.write(f"accept {PATH}\n".encode())
            editor.stdin.flush()
            assert client.next("ide/diffAccepted") == {"filePath": PATH, "content": "new"}
            client.call("openDiff", filePath=PATH, newContent="new")
            assert json.loads(client.call("closeDiff", filePath=PATH)["content"][0]["text"]) == {"content": "new"}
        editor.stdin.close()
        assert editor.wait(PATIENCE) == 0
        assert discovery_files({"TMPDIR": str(tmp_path)}) == []


def test_the_python_example_of_the_guide_is_an_editor(tmp_path: Path) -> None:
    drive([sys.executable, "-c", example("python")], tmp_path)


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
def test_the_javascript_example_of_the_guide_is_an_editor(tmp_path: Path) -> None:
    if not shutil.which("pisces", path=os.path.dirname(sys.executable)):
        pytest.skip("needs pisces to be installed beside this Python")
    drive(["node", "-e", example("js")], tmp_path)
