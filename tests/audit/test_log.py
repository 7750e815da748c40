"""The log takes every record as one line, bounded and private, whoever else writes, whatever lies in its place."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from pisces.audit.judged_record import record_of
from pisces.audit.log import MOST_LINE, AuditLog, AuditOptions
from pisces.audit.place import audit_log, audit_path
from pisces.audit.reading import Logged
from pisces.audit.record import ErrorRecord, HookRecord, LoadedRecord, RanRecord
from pisces.diagnostics import Diagnostic
from pisces.file_lock import held_lock
from pisces.gates.judge import Gate, judge_now
from pisces.places import Places
from pisces.shapes.events.tools import ToolCall
from pisces.shapes.request import LineRequest, Request, ToolRequest
from pisces.shapes.verdict import ALLOW, DENY, Change, Judged, Verdict

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, modes and pipes of POSIX")
LOADED = LoadedRecord("module", "lint", "/home/ada/lint.py", "user")


def call(tool: str, **given: Any) -> ToolRequest:
    return ToolRequest(ToolCall(tool, "call-1", given), "/work")


class Written:
    """A log in a folder, with what it reported."""

    def __init__(self, folder: Path, **options: Any) -> None:
        self.path = folder / "audit" / "log.jsonl"
        self.reported: list[Diagnostic] = []
        self.log = AuditLog(str(self.path), AuditOptions("/work", **options), self.reported.append)

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.path.read_text("ascii").splitlines()]

    @property
    def records(self) -> list[Logged]:
        return [each for each in self.log.records() if isinstance(each, Logged)]


@pytest.fixture
def made(tmp_path: Path) -> Written:
    return Written(tmp_path)


def test_a_record_says_when_where_and_what(made: Written) -> None:
    made.log.write(LOADED)
    (line,) = made.lines
    assert line.pop("at")[-5:-4] == "."
    assert len(line["session"]) == 12
    del line["session"]
    assert line == {
        "workspace": "/work",
        "what": "loaded",
        "kind": "module",
        "name": "lint",
        "path": "/home/ada/lint.py",
        "level": "user",
    }


def test_a_decision_has_every_verdict_and_who_changed_the_call(made: Written) -> None:
    def rewrite(request: Request) -> Request | None:
        assert isinstance(request, ToolRequest)
        changed = request.replace(call=request.call.replace(input={"command": "ls -l"}))
        return None if request.call.input == {"command": "ls -l"} else changed

    gates = (
        Gate("rewriter", rewrite),
        Gate("rules", lambda _: Verdict(ALLOW, why="reads only")),
        Gate("guard", lambda _: Verdict(DENY, why="not on a Friday")),
    )
    judge_now(call("bash", command="ls"), gates, None, made.log.judged)
    (line,) = made.lines
    assert (line["what"], line["kind"], line["name"]) == ("judged", "tool", "bash")
    assert line["text"] == '{"command": "ls -l"}'
    assert (line["decision"], line["who"], line["why"]) == ("deny", "guard", "not on a Friday")
    assert line["verdicts"] == [{"who": "rules", "decision": "allow"}, {"who": "guard", "decision": "deny"}]
    assert line["changes"] == ["rewriter"]


def test_a_question_that_ends_with_an_error_is_a_denial_in_the_log(made: Written) -> None:
    from pisces.diagnostics import ERROR, PiscesError

    def confirm(*_given: object) -> Verdict:
        raise PiscesError(Diagnostic("consent-refused", ERROR, "it was not agreed to"))

    with pytest.raises(PiscesError):
        judge_now(LineRequest("rm x", "/clean", "/clean.toml"), (), confirm, made.log.judged)
    (line,) = made.lines
    assert (line["decision"], line["who"], line["why"]) == ("deny", "user", "it was not agreed to")


def test_a_hook_has_its_place_its_time_and_its_answer(made: Written) -> None:
    made.log.write(HookRecord("PreToolUse", "/p/settings.json", 7, "guard.sh", 0, 0.25, "deny", "no"))
    (line,) = made.lines
    assert (line["event"], line["path"], line["line"], line["exit"]) == ("PreToolUse", "/p/settings.json", 7, 0)
    assert (line["seconds"], line["decision"], line["why"]) == (0.25, "deny", "no")


def test_what_is_empty_is_left_out_and_zero_is_not() -> None:
    assert RanRecord("program", "/go", exit=0, seconds=0.0).details() == {
        "kind": "program",
        "name": "/go",
        "exit": 0,
        "seconds": 0.0,
    }


@posix
def test_the_folder_and_the_file_are_private(made: Written) -> None:
    old = os.umask(0)
    try:
        made.log.write(LOADED)
    finally:
        os.umask(old)
    assert stat.S_IMODE(made.path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600


@posix
def test_a_file_that_others_could_read_is_made_private_before_anything_is_written(made: Written) -> None:
    made.path.parent.mkdir()
    made.path.touch(0o644)
    made.path.chmod(0o644)
    made.log.write(LOADED)
    assert stat.S_IMODE(made.path.stat().st_mode) == 0o600
    assert len(made.lines) == 1


@posix
def test_a_planted_link_is_not_followed(made: Written, tmp_path: Path) -> None:
    victim = tmp_path / "bashrc"
    victim.write_text("mine\n")
    made.path.parent.mkdir()
    made.path.symlink_to(victim)
    made.log.write(LOADED)
    made.log.write(LOADED)
    assert victim.read_text() == "mine\n"
    assert [each.code for each in made.reported] == ["audit-not-written"], "said once"
    assert "symbolic link" in made.reported[0].message


@posix
def test_a_link_to_nowhere_makes_no_file(made: Written, tmp_path: Path) -> None:
    made.path.parent.mkdir()
    made.path.symlink_to(tmp_path / "new")
    made.log.write(LOADED)
    assert not (tmp_path / "new").exists()


@posix
def test_a_planted_second_name_of_another_file_is_refused(made: Written, tmp_path: Path) -> None:
    victim = tmp_path / "bashrc"
    victim.write_text("mine\n")
    made.path.parent.mkdir()
    os.link(victim, made.path)
    made.log.write(LOADED)
    assert victim.read_text() == "mine\n"
    assert "hard link" in made.reported[0].message


@posix
def test_a_file_of_another_user_is_refused(made: Written) -> None:
    if sys.platform == "win32" or os.geteuid() != 0:
        pytest.skip("only root can give a file away")
    made.path.parent.mkdir()
    made.path.touch()
    os.chown(made.path, 12345, 12345)
    made.log.write(LOADED)
    assert made.path.read_bytes() == b""
    assert "another user" in made.reported[0].message


@posix
def test_a_planted_link_for_the_lock_makes_no_file(tmp_path: Path) -> None:
    made = Written(tmp_path, most_bytes=300)
    made.path.parent.mkdir()
    made.path.with_name("log.jsonl.lock").symlink_to(tmp_path / "new")
    for _ in range(5):
        made.log.write(LOADED)
    assert not (tmp_path / "new").exists()
    assert [each.code for each in made.reported] == ["audit-not-written"]


@posix
@pytest.mark.parametrize("kind", ["fifo", "fifo with a reader", "folder", "socket"])
def test_what_is_no_file_is_refused_without_waiting(kind: str, made: Written) -> None:
    if sys.platform == "win32":
        pytest.skip("pipes of POSIX")
    made.path.parent.mkdir()
    reader = -1
    if kind == "folder":
        made.path.mkdir()
    elif kind == "socket":
        import socket

        server = socket.socket(socket.AF_UNIX)
        old = os.getcwd()
        os.chdir(made.path.parent)  # a path of a socket has few characters
        server.bind(made.path.name)
        os.chdir(old)
        server.close()
    else:
        os.mkfifo(made.path)
        reader = os.open(made.path, os.O_RDONLY | os.O_NONBLOCK) if "reader" in kind else -1
    made.log.write(LOADED)
    made.log.write(LOADED)
    if reader >= 0:
        assert os.read(reader, 10) == b""
        os.close(reader)
    assert [each.code for each in made.reported] == ["audit-not-written"]
    assert made.records == []


@posix
def test_a_disk_that_is_full_breaks_nothing_and_the_gap_is_seen_later(tmp_path: Path) -> None:
    """The limit of a file's size stands for the disk; it holds for a child only."""
    program = f"""
import resource
from pisces.audit.log import AuditLog
from pisces.audit.record import LoadedRecord
said = []
log = AuditLog({str(tmp_path / "log.jsonl")!r}, None, said.append)
log.write(LoadedRecord("module", "before"))
resource.setrlimit(resource.RLIMIT_FSIZE, (200, resource.RLIM_INFINITY))
for _ in range(3):
    log.write(LoadedRecord("module", "lost"))
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
log.write(LoadedRecord("module", "after"))
print([each.code for each in said])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip()) == (0, "['audit-not-written']"), done.stderr
    found = list(AuditLog(str(tmp_path / "log.jsonl")).records())
    names = [each.text("name") or each.text("why") for each in found if isinstance(each, Logged)]
    assert names == ["before", "3 records before this one could not be written", "after"]
    assert [each.code for each in found if isinstance(each, Diagnostic)] == ["audit-line"], "the torn one"


def test_a_value_that_cannot_be_written_out_breaks_nothing(made: Written) -> None:
    class Spiteful:
        def __str__(self) -> str:
            raise RuntimeError("no")

        __repr__ = __hash__ = __str__  # type: ignore[assignment]

    class Endless(dict[str, Any]):
        def __iter__(self) -> Any:
            raise RuntimeError("no")

    made.log.judged(Judged(call("bash", command=Spiteful()), Verdict(ALLOW, "rules")))
    made.log.judged(Judged(ToolRequest(_Call(Endless(a=1))), Verdict(DENY, "guard")))  # type: ignore[arg-type]
    made.log.write(LoadedRecord("module", Spiteful()))  # type: ignore[arg-type]
    made.log.write(LOADED)
    assert [each.get("decision") for each in made.lines] == ["allow", "deny", None, None]
    assert made.lines[0]["text"] == '{"command": "<Spiteful>"}'
    assert not made.reported


def test_old_files_are_set_aside_and_the_oldest_goes(tmp_path: Path) -> None:
    made = Written(tmp_path, most_bytes=1000)
    for number in range(60):
        made.log.write(LoadedRecord("module", f"m{number}"))
    names = sorted(path.name for path in made.path.parent.iterdir())
    assert names == ["log.jsonl", "log.jsonl.1", "log.jsonl.2", "log.jsonl.3", "log.jsonl.lock"]
    assert all(path.stat().st_size <= 1000 for path in made.path.parent.iterdir())
    found = [each.text("name") for each in made.records]
    assert found == [f"m{number}" for number in range(60 - len(found), 60)]
    assert not made.reported


def test_a_process_that_renames_slowly_costs_no_record(tmp_path: Path) -> None:
    made = Written(tmp_path, most_bytes=1000)
    made.log.write(LoadedRecord("module", "m0"))
    held = held_lock(f"{made.path}.lock")
    release = threading.Timer(0.3, os.close, [held])
    release.start()
    for number in range(1, 30):
        made.log.write(LoadedRecord("module", f"m{number}"))
    release.join()
    assert not made.reported
    assert [each.text("name") for each in made.records][-1] == "m29"


def test_a_process_that_never_renames_is_waited_for_once(tmp_path: Path) -> None:
    made = Written(tmp_path, most_bytes=1000)
    made.log.write(LoadedRecord("module", "m0"))
    held = held_lock(f"{made.path}.lock")
    for number in range(1, 60):
        made.log.write(LoadedRecord("module", f"m{number}"))
    os.close(held)
    assert [each.code for each in made.reported] == ["audit-not-written"]
    made.log.write(LoadedRecord("module", "the last"))
    assert [each.text("name") for each in made.records][-1] == "the last"


@pytest.mark.parametrize("processes", [2, 4])
def test_processes_that_write_and_rename_at_once_lose_nothing(processes: int, tmp_path: Path) -> None:
    lines = 1200 // processes
    program = f"""
import sys
from pisces.audit.log import AuditLog, AuditOptions
from pisces.audit.record import LoadedRecord
said = []
log = AuditLog({str(tmp_path / "log.jsonl")!r}, AuditOptions(most_bytes=60_000), said.append)
sys.stdin.readline()
for number in range({lines}):
    log.write(LoadedRecord("module", f"{{sys.argv[1]}}-{{number}}", "/some/path/that/fills/the/line"))
sys.exit(len(said))
"""
    writers = [
        subprocess.Popen([sys.executable, "-c", program, str(number)], stdin=subprocess.PIPE)
        for number in range(processes)
    ]
    for each in writers:
        assert each.stdin is not None
        each.stdin.write(b"go\n")
        each.stdin.close()
    assert [each.wait(60) for each in writers] == [0] * processes
    found = list(AuditLog(str(tmp_path / "log.jsonl")).records())
    assert not [each for each in found if isinstance(each, Diagnostic)]
    names = [each.text("name") for each in found if isinstance(each, Logged)]
    assert sorted(names) == sorted(f"{writer}-{number}" for writer in range(processes) for number in range(lines))
    assert (tmp_path / "log.jsonl.1").exists(), "it was renamed on the way"


def test_threads_share_one_log(tmp_path: Path) -> None:
    made = Written(tmp_path, most_bytes=30_000)

    def write() -> None:
        for _ in range(100):
            made.log.write(LOADED)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert len(made.records) == 400
    made.log.close()


def test_a_log_that_the_user_removes_is_begun_again(made: Written) -> None:
    made.log.write(LOADED)
    if sys.platform != "win32":
        made.path.unlink()
        made.log.write(LOADED)
        assert len(made.lines) == 1


def test_nothing_stays_open_after_closing_not_even_for_a_late_record(made: Written) -> None:
    made.log.write(LOADED)
    made.log.close()
    made.log.write(LOADED)
    assert len(made.lines) == 2
    if sys.platform.startswith("linux"):
        opened = [os.readlink(f"/proc/self/fd/{each}") for each in os.listdir("/proc/self/fd") if _exists(each)]
        assert str(made.path) not in opened


def _exists(descriptor: str) -> bool:
    return os.path.lexists(f"/proc/self/fd/{descriptor}")


@pytest.mark.parametrize(
    "given",
    [
        {"content": "x" * 10_000_000},
        {"content": "é" * 200_000},
        {"content": "\U0001f600" * 100_000},
        {"content": ["y" * 10] * 1_000_000},
        {f"key{number}": number for number in range(100_000)},
        {"k" * 1_000_000: "v"},
        {"number": 10**5_000},
    ],
    ids=["text", "accents", "faces", "list", "keys", "long key", "number"],
)
def test_an_input_of_any_size_is_one_short_line(given: dict[str, Any], made: Written) -> None:
    made.log.judged(Judged(call("write", **given), Verdict(ALLOW, "rules")))
    (line,) = made.path.read_bytes().splitlines(keepends=True)
    assert len(line) <= MOST_LINE
    assert line.endswith(b"}\n")
    assert "…" in json.loads(line)["text"]
    assert json.loads(line)["decision"] == "allow"


def test_an_input_that_is_nested_without_end_is_cut(made: Written) -> None:
    nested: dict[str, Any] = {}
    inner = nested
    for _ in range(5_000):
        inner["a"] = {}
        inner = inner["a"]
    wide: Any = "leaf"
    for _ in range(9):
        wide = [wide] * 40
    for each in (nested, {"wide": wide}):
        made.log.judged(Judged(ToolRequest(_Call(each)), Verdict(ALLOW)))  # type: ignore[arg-type]
    assert [each["decision"] for each in made.lines] == ["allow", "allow"]


class _Call:
    """What `ToolCall` would freeze, which takes longer than the test may."""

    def __init__(self, given: Any) -> None:
        self.tool, self.input = "deep", given


def test_a_record_with_thousands_of_verdicts_is_one_short_line(made: Written) -> None:
    verdicts = tuple(Verdict(ALLOW, f"gate{number}" * 20) for number in range(5_000))
    changes = tuple(Change("é" * 5_000, call("x")) for _ in range(500))
    made.log.judged(Judged(call("bash"), Verdict(DENY, "who" * 9_000, "why" * 9_000), verdicts, changes))
    (line,) = made.path.read_bytes().splitlines()
    assert len(line) < MOST_LINE
    assert json.loads(line)["what"] == "judged"


def test_no_text_can_forge_a_line_or_reach_the_terminal(made: Written) -> None:
    forged = (
        'x"}\n{"at": "2026-01-01T00:00:00.000Z", "session": "", "workspace": "", "what": "judged"}\r\n\x1b[2J\u2028\x85'
    )
    made.log.write(ErrorRecord("module", forged, forged))
    made.log.judged(Judged(call(forged, **{forged: forged}), Verdict(ALLOW, forged, forged)))
    data = made.path.read_bytes()
    assert data.count(b"\n") == 2
    assert all(32 <= byte < 127 or byte == 10 for byte in data)
    assert [each.what for each in made.records] == ["error", "judged"]
    assert made.records[0].text("name") == forged


def test_text_that_is_no_unicode_is_recorded(made: Written) -> None:
    name = os.fsdecode(b"/tmp/\xff\xfe.py")
    made.log.write(LoadedRecord("module", "odd", name))
    made.log.judged(Judged(call("bash", command="\ud800 \udfff"), Verdict(ALLOW)))
    assert made.records[0].text("path") == name
    assert json.loads(made.records[1].text("text")) == {"command": "\ud800 \udfff"}


def test_the_log_is_where_the_user_says_or_nowhere(tmp_path: Path) -> None:
    home, cwd = str(tmp_path), str(tmp_path / "project")

    def path(**env: str) -> str:
        return audit_path(Places(home, cwd, env))

    assert path() == os.path.join(home, ".pisces", "audit", "log.jsonl")
    assert path(PI_CODING_AGENT_DIR="/moved") == os.path.normpath("/moved/audit/log.jsonl")
    assert path(PISCES_AUDIT="~/a.jsonl") == os.path.join(home, "a.jsonl")
    assert path(PISCES_AUDIT="off") == path(PISCES_AUDIT="OFF") == ""
    log = audit_log(Places(home, cwd, {"PISCES_AUDIT": "off"}))
    log.write(LOADED)
    assert list(log.records()) == []
    assert list(tmp_path.iterdir()) == []


def test_a_kind_of_request_that_is_not_known_yet_is_recorded() -> None:
    class NewRequest(Request):
        KIND = "new"

        exact: str

    record = record_of(Judged(NewRequest("turn it on"), Verdict(ALLOW, "user")))
    assert (record.kind, record.text, record.decision) == ("new", "turn it on", "allow")
