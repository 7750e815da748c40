"""Workers: programs that stay alive between calls; real ones, well-behaved and not."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pisces.commands.programs.worker import MOST_IDLE, Workers
from pisces.commands.programs.worker_messages import LONGEST_LINE
from pisces.diagnostics import PiscesError
from pisces.processes.ended import STOPPED, TIMEOUT, TOO_MUCH_OUTPUT, Ended
from pisces.processes.launch import Launch, Limits

if sys.platform == "win32":
    pytest.skip("workers are kept on Linux and macOS", allow_module_level=True)

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "workers.md"

# Answers with its process id; each of its words is something else that it can do.
TALKER = """
import json, os, signal, sys, time

def say(**message):
    sys.stdout.write(json.dumps(message) + "\\n")
    sys.stdout.flush()

say(ready=1)
for line in sys.stdin:
    request = json.loads(line)
    if "args" not in request:
        continue
    number, args = request["id"], request["args"]
    if args == ["fail"]:
        say(id=number, err="no such image\\n")
        say(id=number, exit=3)
    elif args == ["crash"]:
        print("about to crash", file=sys.stderr, flush=True)
        os.kill(os.getpid(), signal.SIGSEGV)
    elif args == ["leave"]:
        sys.exit("cannot go on")
    elif args == ["chat"]:
        print("hello")
    elif args == ["hang"]:
        time.sleep(600)
    elif args[:1] == ["say"]:
        sys.stdout.write(args[1])
        sys.stdout.flush()
    elif args == ["flood"]:
        while True:
            say(id=number, out="x" * 60_000)
    elif args == ["obey"]:
        say(id=number, out="begun")
        assert json.loads(sys.stdin.readline()) == {"cancel": number}
        say(id=number, err="given up")
        say(id=number, exit=130)
    elif args == ["child"]:
        pid = os.fork()
        if not pid:
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            os.setsid()
            time.sleep(600)
        say(id=number, out=str(pid))
        time.sleep(600)
    elif args == ["where"]:
        say(id=number, out=f"{os.getcwd()} {os.environ.get('COLOUR')}")
        say(id=number, exit=0)
    else:
        say(id=number, out=f"{os.getpid()} ")
        say(id=number, out=json.dumps(args))
        say(id=number, exit=0)
"""


def _worker(folder: Path, script: str = TALKER, name: str = "tool") -> str:
    path = folder / name
    path.write_text(f"#!{sys.executable}\n{script}")
    path.chmod(0o755)
    return str(path)


def _once(deed: str) -> str:
    """A worker that waits for its first call, and then does something."""
    return f"import sys\nprint('{{\"ready\": 1}}', flush=True)\nline = sys.stdin.readline()\n{deed}\n"


@pytest.fixture
def tool(tmp_path: Path) -> str:
    return _worker(tmp_path)


@pytest.fixture
def workers() -> Iterator[Workers]:
    with Workers() as opened:
        yield opened


class Heard:
    """What came out of a call, and how it ended."""

    def __init__(self) -> None:
        self.out = self.err = ""
        self.ended = Ended(None)

    def sink(self, name: str, data: bytes) -> None:
        setattr(self, name, getattr(self, name) + data.decode())

    @property
    def pid(self) -> int:
        return int(self.out.split()[0])


def _call(workers: Workers, tool: str, *words: str, limits: Limits | None = None, **changes: object) -> Heard:
    heard = Heard()
    launch = Launch((tool, *words), os.path.dirname(tool), {"PATH": os.environ["PATH"]}, limits or Limits(seconds=30))
    heard.ended = workers.call(launch.replace(**changes), words, heard.sink)
    return heard


def _failure(workers: Workers, tool: str, *words: str) -> tuple[str, str, str]:
    with pytest.raises(PiscesError) as failed:
        _call(workers, tool, *words)
    diagnostic = failed.value.diagnostic
    assert diagnostic.path == tool
    return diagnostic.code, diagnostic.message, diagnostic.hint


def _is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    except FileNotFoundError:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        return not os.path.isdir("/proc/self")


def _wait(is_true: Callable[[], bool], seconds: float = 5) -> bool:
    deadline = time.monotonic() + seconds
    while not is_true() and time.monotonic() < deadline:
        time.sleep(0.01)
    return is_true()


# Calls


def test_calls_are_answered_by_the_same_process(workers: Workers, tool: str) -> None:
    first, second = _call(workers, tool, "a b", "ü\n"), _call(workers, tool)
    assert first.out == f'{second.pid} ["a b", "\\u00fc\\n"]'
    assert second.ended.code == 0


def test_output_comes_as_it_is_written(workers: Workers, tool: str) -> None:
    pieces: list[bytes] = []
    launch = Launch((tool, "x"), os.path.dirname(tool), {})
    workers.call(launch, ("x",), lambda _name, data: pieces.append(data))
    assert len(pieces) == 2


def test_errors_and_the_exit_code_are_passed_on_and_the_worker_stays(workers: Workers, tool: str) -> None:
    before = _call(workers, tool)
    failed = _call(workers, tool, "fail")
    assert (failed.out, failed.err, failed.ended.code) == ("", "no such image\n", 3)
    assert _call(workers, tool).pid == before.pid


def test_it_runs_in_the_folder_and_with_the_environment_of_the_call(
    workers: Workers, tool: str, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    path = os.environ["PATH"]
    assert _call(workers, tool, "where").out == f"{os.path.realpath(tmp_path)} None"
    assert _call(workers, tool, "where", cwd=str(other)).out == f"{os.path.realpath(other)} None"
    told = _call(workers, tool, "where", env={"PATH": path, "COLOUR": "red"})
    assert told.out == f"{os.path.realpath(tmp_path)} red"


def test_a_changed_program_gets_a_new_worker(workers: Workers, tool: str, tmp_path: Path) -> None:
    before = _call(workers, tool).pid
    _worker(tmp_path, TALKER.replace('f"{os.getpid()} "', "f'{os.getpid()} new '"))
    after = _call(workers, tool)
    assert " new " in after.out
    assert after.pid != before


def test_a_program_that_was_swapped_and_put_back_gets_a_new_worker(workers: Workers, tool: str) -> None:
    before = _call(workers, tool).pid
    os.rename(tool, tool + ".good")
    os.rename(tool + ".good", tool)
    assert _call(workers, tool).pid != before


def test_two_calls_at_once_get_two_workers(workers: Workers, tool: str) -> None:
    inner: list[Heard] = []
    outer = Heard()

    def sink(name: str, data: bytes) -> None:
        outer.sink(name, data)
        if not inner:
            inner.append(_call(workers, tool))

    workers.call(Launch((tool,), os.path.dirname(tool), {"PATH": os.environ["PATH"]}), (), sink)
    assert inner[0].pid != outer.pid


def test_many_threads_may_call(workers: Workers, tool: str) -> None:
    heard: list[Heard] = []
    threads = [threading.Thread(target=lambda: heard.append(_call(workers, tool, "x"))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert [each.ended.code for each in heard] == [0] * 6


def test_a_program_that_cannot_be_started_is_an_end_not_an_exception(workers: Workers, tmp_path: Path) -> None:
    ended = _call(workers, str(tmp_path / "missing")).ended
    assert ended.code is None
    assert ended.failure == "No such file or directory"


# Limits


def test_a_call_that_takes_too_long_is_ended(workers: Workers, tool: str) -> None:
    pid = _call(workers, tool).pid
    assert _call(workers, tool, "hang", limits=Limits(seconds=0.2, grace=0.1)).ended.reason == TIMEOUT
    assert not _is_alive(pid)
    assert _call(workers, tool).ended.code == 0


def test_a_worker_that_gives_a_call_up_stays(workers: Workers, tool: str) -> None:
    pid = _call(workers, tool).pid
    obeyed = _call(workers, tool, "obey", limits=Limits(seconds=0.2, grace=10))
    assert (obeyed.ended.reason, obeyed.ended.code, obeyed.out) == (TIMEOUT, 130, "begun")
    assert _call(workers, tool).pid == pid


def test_a_call_is_stopped_on_request(workers: Workers, tool: str) -> None:
    launch = Launch((tool, "hang"), os.path.dirname(tool), {}, Limits(grace=0.1))
    ended = workers.call(launch, ("hang",), lambda _name, _data: None, lambda: True)
    assert ended.reason == STOPPED


def test_everything_that_a_worker_started_ends_with_it(workers: Workers, tool: str) -> None:
    """A child in a session of its own, deaf to SIGTERM."""
    heard = _call(workers, tool, "child", limits=Limits(seconds=0.5, grace=0.1))
    assert heard.ended.reason == TIMEOUT
    assert not _is_alive(heard.pid)


def test_too_much_output_is_cut(workers: Workers, tool: str) -> None:
    heard = _call(workers, tool, "flood", limits=Limits(output=100_000, grace=0.1))
    assert heard.ended.reason == TOO_MUCH_OUTPUT
    assert heard.out == "x" * 100_000


def test_an_error_of_the_reader_ends_the_worker_and_is_raised(workers: Workers, tool: str) -> None:
    pid = _call(workers, tool).pid
    launch = Launch((tool,), os.path.dirname(tool), {"PATH": os.environ["PATH"]})

    def sink(_name: str, _data: bytes) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        workers.call(launch, (), sink)
    assert not _is_alive(pid)


# Failures


def test_a_crash_is_told_with_what_the_worker_said_and_the_next_call_works(workers: Workers, tool: str) -> None:
    code, message, hint = _failure(workers, tool, "crash")
    assert (code, message) == ("worker-ended", "the worker ended during the call, killed by SIGSEGV")
    assert hint == "it said: about to crash"
    assert _call(workers, tool).ended.code == 0


def test_leaving_without_an_answer_is_told(workers: Workers, tool: str) -> None:
    told = ("worker-ended", "the worker ended during the call with exit code 1", "it said: cannot go on")
    assert _failure(workers, tool, "leave") == told


def test_a_worker_that_died_while_idle_is_replaced_in_silence(workers: Workers, tool: str) -> None:
    pid = _call(workers, tool).pid
    os.kill(pid, signal.SIGKILL)
    assert _wait(lambda: not _is_alive(pid))
    assert _call(workers, tool).pid != pid


def test_a_worker_that_fails_again_and_again_is_left_alone(workers: Workers, tool: str) -> None:
    for _ in range(2):
        _failure(workers, tool, "crash")
    code, message, hint = _failure(workers, tool)
    assert code == "worker-resting"
    assert "failed 2 times in a row" in message
    assert hint == f"try it: {tool} --worker"


def test_a_success_makes_failures_forgotten(workers: Workers, tool: str) -> None:
    for _ in range(3):
        _failure(workers, tool, "crash")
        assert _call(workers, tool).ended.code == 0


@pytest.mark.parametrize(
    "line",
    [
        "hello",
        "[]",
        "7",
        "{",
        "{}",
        '{"id": 2, "out": "for another call"}',
        '{"id": true, "out": "x"}',
        '{"id": 1, "out": 7}',
        '{"id": 1, "exit": "0"}',
        '{"id": 1, "exit": 256}',
        '{"id": 1, "exit": true}',
        '{"id": 1, "out": "x", "exit": 0}',
        '{"ready": 1}',
        "[" * 10_000,
        "x" * (LONGEST_LINE + 1),
    ],
    ids=lambda line: line[:20],
)
def test_a_worker_that_speaks_nonsense_is_ended(workers: Workers, tmp_path: Path, line: str) -> None:
    script = _once(f"print({line!r}, flush=True)\nsys.stdin.read()")
    code, message, _ = _failure(workers, _worker(tmp_path, script))
    assert code == "worker-nonsense"
    assert len(message) < 200


def test_a_stray_line_after_the_answer_ends_the_worker_but_not_the_call(workers: Workers, tmp_path: Path) -> None:
    script = _once("""sys.stdout.write('{"id": 1, "exit": 0}\\noops\\n')\nsys.stdout.flush()\nsys.stdin.read()""")
    tool = _worker(tmp_path, script)
    assert _call(workers, tool).ended.code == 0
    assert _call(workers, tool).ended.code == 0


@pytest.mark.parametrize(
    ("script", "code", "message"),
    [
        ("print('usage: tool [--help]')", "worker-nonsense", "this is not a line of JSON: `usage: tool [--help]`"),
        ("print('{\"ready\": 2}')", "worker-not-ready", 'the first line must be `{"ready": 1}`, not `{"ready": 2}`'),
        ("raise SystemExit(4)", "worker-ended", "the worker ended before it was ready with exit code 4"),
        (
            "import os; os.close(1); input()",
            "worker-ended",
            "the worker ended before it was ready: it closed its output",
        ),
    ],
)
def test_a_program_that_is_no_worker_is_told_of(
    workers: Workers, tmp_path: Path, script: str, code: str, message: str
) -> None:
    assert _failure(workers, _worker(tmp_path, script))[:2] == (code, message)


def test_a_program_that_never_gets_ready_is_ended_with_the_call(workers: Workers, tmp_path: Path) -> None:
    tool = _worker(tmp_path, "import os, time; open('pid', 'w').write(str(os.getpid())); time.sleep(600)")
    assert _call(workers, tool, limits=Limits(seconds=0.5, grace=0.1)).ended.reason == TIMEOUT
    assert not _is_alive(int((tmp_path / "pid").read_text()))


def test_complaints_of_any_size_do_not_block(workers: Workers, tmp_path: Path) -> None:
    script = "import sys\nsys.stderr.write('loading ' * 100_000)\n" + _once("raise SystemExit(1)")
    assert len(_failure(workers, _worker(tmp_path, script))[2]) < 5000


# Ends


def test_closing_ends_all_workers(tool: str) -> None:
    with Workers() as workers:
        pid = _call(workers, tool).pid
        assert _is_alive(pid)
    assert not _is_alive(pid)


def test_an_idle_worker_ends_after_a_while(tool: str) -> None:
    with Workers(idle_seconds=0.1) as workers:
        pid = _call(workers, tool).pid
        assert _wait(lambda: not _is_alive(pid))
        assert _call(workers, tool).pid != pid


def test_there_are_never_more_than_a_few_idle_workers(workers: Workers, tool: str) -> None:
    path = os.environ["PATH"]
    pids = [_call(workers, tool, env={"PATH": path, "N": str(n)}).pid for n in range(MOST_IDLE + 2)]
    assert [_is_alive(pid) for pid in pids] == [False] * 2 + [True] * MOST_IDLE


# What it is for


def test_the_worker_of_the_guide_is_short_and_works_both_ways(workers: Workers, tmp_path: Path) -> None:
    script = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text("utf-8"), re.MULTILINE | re.DOTALL)[0]
    assert len([line for line in script.splitlines() if line.strip()]) <= 16  # with the line that names Python
    tool = _worker(tmp_path, script.partition("\n")[2])
    assert _call(workers, tool, "you").out == subprocess.check_output([tool, "you"], text=True) == "hello you\n"
    assert _call(workers, tool, "you").ended.code == 0


def test_a_call_is_ten_times_as_fast_as_a_start(workers: Workers, tmp_path: Path) -> None:
    """Medians, side by side. The bench says how much it is; this says that it is there."""
    tool = _worker(tmp_path, TALKER)
    plain = _worker(tmp_path, "import json, sys; print(json.dumps(sys.argv))", "plain")
    _call(workers, tool)
    warm, fresh = [], []
    for _ in range(9):
        started = time.perf_counter()
        _call(workers, tool)
        between = time.perf_counter()
        subprocess.check_output([plain])
        warm.append(between - started)
        fresh.append(time.perf_counter() - between)
    assert sorted(fresh)[4] >= 10 * sorted(warm)[4]


def test_messages_are_ascii_on_one_line(workers: Workers, tmp_path: Path) -> None:
    """So that an author may read lines in any locale."""
    script = _once("open('seen', 'w', encoding='utf-8').write(line)")
    _failure(workers, _worker(tmp_path, script), "ü\n\u2028")
    seen = (tmp_path / "seen").read_bytes()
    assert seen.isascii()
    assert json.loads(seen) == {"id": 1, "args": ["ü\n\u2028"]}
