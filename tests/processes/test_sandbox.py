"""The sandbox: real programs try to get out, with each mechanism that works on this machine."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pisces.commands.programs.worker import Workers
from pisces.places import Places
from pisces.processes.launch import Launch, Limits
from pisces.processes.run import captured
from pisces.processes.sandbox import bubblewrap, landlock
from pisces.processes.sandbox.allowed import Allowed
from pisces.processes.sandbox.fence import MECHANISMS, NOT_SANDBOXED, fenced, fenced_by, sandboxed
from pisces.processes.sandbox.interpreter import installation_of, interpreter_places
from pisces.shapes.executable import Executable

if not sys.platform.startswith("linux"):
    pytest.skip("sandboxes exist on Linux only", allow_module_level=True)

ENV = {"PATH": os.environ["PATH"], "LANG": "C"}
LIMITS = Limits(seconds=20, output=1_000_000)
REASONS = {"landlock": landlock.why_not(), "bubblewrap": bubblewrap.why_not()}


@pytest.fixture(params=MECHANISMS)
def mechanism(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if REASONS[name]:
        pytest.skip(REASONS[name])
    return name


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """With files of the user around it."""
    (tmp_path / "home" / ".ssh").mkdir(parents=True)
    (tmp_path / "home" / ".ssh" / "id_ed25519").write_text("SECRET")
    folder = tmp_path / "home" / "project"
    folder.mkdir()
    (folder / "README").write_text("hello")
    return folder


class Box:
    """Runs programs in the workspace, fenced in."""

    def __init__(self, mechanism: str, workspace: Path) -> None:
        self.mechanism = mechanism
        self.workspace = workspace
        self.allowed = Allowed(_python(), (str(workspace),))

    def launch(self, *argv: str, descriptor: int = -1, stdin: bytes = b"") -> Launch:
        plain = Launch(argv, str(self.workspace), ENV, LIMITS, descriptor, stdin=stdin)
        return fenced_by(self.mechanism, plain, self.allowed)[0]

    def run(self, *argv: str) -> tuple[int | None, str]:
        out, err, ended = captured(self.launch(*argv))
        assert not ended.failure
        return ended.code, (out + err).decode()

    def sh(self, line: str) -> tuple[int | None, str]:
        return self.run("/bin/sh", "-c", line)

    def python(self, script: str) -> tuple[int | None, str]:
        return self.run(sys.executable, "-c", script)


def _python() -> tuple[str, ...]:
    """This interpreter may live in somebody's home."""
    return (sys.prefix, sys.base_prefix, os.path.realpath(sys.base_prefix))


@pytest.fixture
def box(mechanism: str, workspace: Path) -> Box:
    return Box(mechanism, workspace)


# What is kept out


def test_files_outside_cannot_be_read(box: Box) -> None:
    secret = box.workspace.parent / ".ssh" / "id_ed25519"
    for line in (
        f"cat {secret}",
        "cat ../.ssh/id_ed25519",
        f"ln -s {secret} link; cat link",
        f"cp {secret} copy; cat copy",
    ):
        code, text = box.sh(line)
        assert code
        assert "SECRET" not in text


def test_folders_outside_cannot_be_listed(box: Box) -> None:
    code, text = box.sh(f"ls -a {box.workspace.parent}/.ssh")
    assert code
    assert "id_ed25519" not in text


def test_files_outside_cannot_be_changed_in_any_way(box: Box) -> None:
    secret = box.workspace.parent / ".ssh" / "id_ed25519"
    lines = (
        f"echo x > {secret}",
        f"echo x >> {secret}",
        f"truncate -s 0 {secret}",
        f"rm -f {secret}",
        f"mv {secret} here",
    )
    for line in (*lines, f"ln {secret} hard && echo x > hard", f"mv README {secret}"):
        box.sh(line)
        assert secret.read_text() == "SECRET", line
    box.sh(f"touch {secret.parent}/new; mkdir {secret.parent}/folder; ln -s x {secret.parent}/link")
    assert os.listdir(secret.parent) == ["id_ed25519"]


def test_children_are_inside_too(box: Box) -> None:
    secret = box.workspace.parent / ".ssh" / "id_ed25519"
    code, text = box.sh(f"sh -c 'env sh -c \"cat {secret}\"'")
    assert code
    assert "SECRET" not in text


def test_the_temporary_folder_of_the_system_is_not_shared(box: Box) -> None:
    name = f"pisces-test-{os.getpid()}-{box.mechanism}"
    box.sh(f"echo x > /tmp/{name}; echo x > /var/tmp/{name}; echo x > /dev/shm/{name}")
    left = [folder for folder in ("/tmp", "/var/tmp", "/dev/shm") if os.path.exists(f"{folder}/{name}")]
    assert not left


def test_a_listener_on_this_machine_is_not_reached(box: Box) -> None:
    with _tcp() as listener:
        code, text = box.python(_connect(listener))
        assert code
        assert "Error" in text
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_no_packet_leaves(box: Box) -> None:
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as receiver:
        receiver.bind(("127.0.0.1", 0))
        receiver.setblocking(False)
        box.python(f"import socket; s = socket.socket(2, 2); s.sendto(b'x', {receiver.getsockname()!r})")
        with pytest.raises(BlockingIOError):
            receiver.recv(10)


def test_local_sockets_of_others_are_not_reached(box: Box, tmp_path: Path) -> None:
    """As those of Docker, D-Bus or an SSH agent."""
    with closing(socket.socket(socket.AF_UNIX)) as listener, _inside(tmp_path):
        listener.bind("agent")  # relative: such paths may not be long
        listener.listen()
        listener.setblocking(False)
        code, _ = box.python(f"import os, socket; os.chdir({str(tmp_path)!r}); socket.socket(1).connect('agent')")
        assert code
        with pytest.raises(BlockingIOError):
            listener.accept()


def test_the_network_is_there_where_it_is_allowed(box: Box) -> None:
    box.allowed = box.allowed.replace(network=True)
    with _tcp() as listener:
        assert box.python(_connect(listener)) == (0, "")
        listener.accept()[0].close()


def test_other_programs_of_the_user_get_no_signals_and_show_no_secrets(box: Box) -> None:
    victim = subprocess.Popen(["sleep", "60"], env={**ENV, "TOKEN": "SECRET"})
    try:
        _, text = box.sh(f"kill -9 {victim.pid}; cat /proc/{victim.pid}/environ")
        assert "SECRET" not in text
        assert victim.poll() is None
    finally:
        victim.kill()
        victim.wait()


def test_landlock_lets_nobody_gain_privileges_or_go_around_the_filter(workspace: Path) -> None:
    if REASONS["landlock"]:
        pytest.skip(REASONS["landlock"])
    script = """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
print(libc.syscall(425, 1, None), ctypes.get_errno())
print([line.split()[1] for line in open("/proc/self/status") if line.startswith(("NoNewPrivs", "Seccomp:"))])
"""
    assert Box("landlock", workspace).python(script) == (0, "-1 38\n['1', '2']\n")


# What goes on as if there were no fence


def test_the_workspace_is_read_and_written(box: Box) -> None:
    assert box.sh("cat README; mkdir -p a/b; echo new > a/b/c; mv a/b/c d; cat d; rm -r a") == (0, "hellonew\n")
    assert (box.workspace / "d").read_text() == "new\n"


def test_arguments_arrive_as_they_are(box: Box) -> None:
    words = ("", " ", "--", "-x", "read=/", "ü'\"$(id)`\n", "\udcff", "*")
    out, _, ended = captured(box.launch("/usr/bin/printf", "%s|", *words))
    assert ended.code == 0
    assert out == b"".join(os.fsencode(word) + b"|" for word in words)


def test_environment_and_folder_arrive_as_they_are(box: Box) -> None:
    code, text = box.run("/usr/bin/env", "-0")
    ours = ("PISCES_RUN=", "PWD=")  # the mark of the run; bubblewrap says where it has gone
    kept = {line for line in text.split("\0") if line and not line.startswith(ours)}
    assert (code, kept) == (0, {f"{name}={value}" for name, value in ENV.items()})
    assert box.run("/bin/pwd", "-P") == (0, f"{os.path.realpath(box.workspace)}\n")


@pytest.mark.parametrize("code", [0, 1, 3, 126, 127, 255])
def test_exit_codes_arrive(box: Box, code: int) -> None:
    assert box.sh(f"exit {code}") == (code, "")


def test_death_by_a_signal_is_told(box: Box) -> None:
    _, _, ended = captured(box.launch("/bin/sh", "-c", "kill -SEGV $$"))
    told = {"landlock": (None, "SIGSEGV"), "bubblewrap": (128 + signal.SIGSEGV, "")}
    assert (ended.code, ended.signal) == told[box.mechanism]


def test_a_reader_that_goes_away_ends_the_program(box: Box) -> None:
    """Python ignores SIGPIPE; what it becomes must not."""
    assert box.sh("(yes; echo $? >&2) | head -1") == (0, "y\n141\n")


def test_input_and_both_outputs_stream(box: Box) -> None:
    out, err, ended = captured(box.launch("/bin/sh", "-c", "cat; echo problem >&2", stdin=b"x" * 300_000))
    assert (out, err, ended.code) == (b"x" * 300_000, b"problem\n", 0)


def test_a_stop_ends_everything(box: Box) -> None:
    started = time.monotonic()
    launch = box.launch("/bin/sh", "-c", "trap '' TERM; sleep 60 & sleep 60; sleep 60")
    _, _, ended = captured(launch.replace(limits=Limits(seconds=0.5, grace=0.2)))
    assert ended.reason == "timeout"
    assert time.monotonic() - started < 10


def test_a_terminal_works(box: Box) -> None:
    """What is a terminal stays one, can be opened by name, and hands Ctrl-C to the program."""
    line = "test -t 0 && test -t 1 && stty size; echo typed > /dev/tty; trap 'exit 5' INT; echo ready; "
    launch = box.launch("/bin/sh", "-c", line + "while :; do read x; done")
    terminal, inner = os.openpty()
    command = ["setsid", "--ctty", *launch.argv]  # makes it the program's own terminal
    child = subprocess.Popen(command, cwd=launch.cwd, env=dict(launch.env), stdin=inner, stdout=inner, stderr=inner)
    os.close(inner)
    try:
        assert "ready" in (before := _read_until(terminal, b"ready"))
        assert "0 0" in before
        assert "typed" in before
        os.write(terminal, b"\x03")
        _read_until(terminal, b"never said")  # until everybody has let go of it
    finally:
        os.close(terminal)
        code = child.wait(timeout=10)
    told = {"landlock": 5, "bubblewrap": -signal.SIGINT}  # bubblewrap itself does not outlive a Ctrl-C
    assert code == told[box.mechanism]


def test_what_cannot_be_started_says_so(box: Box) -> None:
    code, text = box.run("/usr/bin/no-such-program")
    assert code in (1, 127)
    assert "no-such-program" in text


# The program that was checked is the one that runs


def test_the_program_that_was_checked_runs(box: Box, tmp_path: Path) -> None:
    program = _copied_echo(tmp_path, box)
    with _opened(program) as opened:
        out, err, ended = captured(box.launch(str(program), "hi", descriptor=opened))
    assert (out, err, ended.code) == (b"hi\n", b"", 0)


@pytest.mark.parametrize("how", ["replaced", "written over"])
def test_a_program_that_was_changed_after_the_check_does_not_run(box: Box, tmp_path: Path, how: str) -> None:
    program = _copied_echo(tmp_path, box)
    with _opened(program) as opened:
        launch = box.launch(str(program), "hi", descriptor=opened)
        other = tmp_path / "other" if how == "replaced" else program
        shutil.copy(shutil.which("cat") or "", other)
        os.replace(other, program)
        out, err, ended = captured(launch)
    assert (out, ended.code) == (b"", 126)
    assert b"was changed after it was checked" in err


# Which fence, and what it is called


def _script(folder: Path, text: str) -> Executable:
    package = folder / "package"
    package.mkdir()
    (package / "tool").write_text(text)
    (package / "tool").chmod(0o755)
    return Executable("${extensionPath}/tool", str(package))


def _ended(executable: Executable, cwd: Path, places: Places) -> tuple[int | None, str, str]:
    plain = Launch((f"{executable.package}/tool",), str(cwd), ENV, LIMITS)
    launch, label = sandboxed(plain, executable.package, places)
    out, err, ended = captured(launch)
    return ended.code, (out + err).decode(), label


@pytest.fixture
def any_mechanism() -> None:
    if all(REASONS.values()):
        pytest.skip(" and ".join(REASONS.values()))


@pytest.mark.usefixtures("any_mechanism")
def test_a_script_gets_its_interpreter_its_package_and_a_temporary_folder(tmp_path: Path, workspace: Path) -> None:
    script = "import json, tempfile\nprint(tempfile.mkdtemp(), open(__file__).read(2), open('README').read())\n"
    text = f"#!{sys.executable}\n{script}"
    places = Places(str(tmp_path / "home"), str(workspace))
    code, said, label = _ended(_script(tmp_path, text), workspace, places)
    assert (code, said.split()[1:]) == (0, ["#!", "hello"])
    assert said.startswith(str(tmp_path / "home" / ".pisces" / "agent" / "sandbox"))
    assert label.startswith("sandboxed by ")
    assert label.endswith("writes this folder and temporary files; has no network")


@pytest.mark.usefixtures("any_mechanism")
def test_a_package_cannot_write_into_itself(tmp_path: Path, workspace: Path) -> None:
    executable = _script(tmp_path, '#!/bin/sh\necho x >> "$0"\n')
    code, _, _ = _ended(executable, workspace, Places(str(tmp_path / "home"), str(workspace)))
    assert code
    assert (tmp_path / "package" / "tool").read_text().endswith('"$0"\n')


@pytest.mark.usefixtures("any_mechanism")
def test_a_home_folder_is_not_handed_over_because_somebody_stands_in_it(tmp_path: Path, workspace: Path) -> None:
    executable = _script(tmp_path, "#!/bin/sh\ncat .ssh/id_ed25519\necho x > new\n")
    home = tmp_path / "home"
    code, said, label = _ended(executable, home, Places(str(home), str(home)))
    assert code
    assert "SECRET" not in said
    assert not (home / "new").exists()
    assert "reads the system and its package; writes temporary files only" in label


@pytest.mark.usefixtures("any_mechanism")
def test_old_temporary_files_are_removed_and_links_are_not_followed(tmp_path: Path, workspace: Path) -> None:
    executable = _script(tmp_path, '#!/bin/sh\nmkdir "$TMPDIR/d"; ln -s "$PWD" "$TMPDIR/d/l"; echo "$TMPDIR"\n')
    places = Places(str(tmp_path / "home"), str(workspace))
    folder = Path(_ended(executable, workspace, places)[1].strip())
    os.utime(folder / "d", (0, 0))
    (folder / "young").touch()
    (tmp_path / "package" / "tool").write_text('#!/bin/sh\nls "$TMPDIR"\n')
    assert _ended(executable, workspace, places)[1] == "young\n"
    assert (workspace / "README").exists()


@pytest.mark.usefixtures("any_mechanism")
def test_a_worker_stays_alive_behind_the_fence(tmp_path: Path, workspace: Path) -> None:
    script = """import json, os, sys
print('{"ready": 1}', flush=True)
for line in sys.stdin:
    number = json.loads(line)["id"]
    try:
        seen = open("../.ssh/id_ed25519").read()
    except OSError:
        seen = "nothing"
    print(json.dumps({"id": number, "out": f"call {number} saw {seen}"}), flush=True)
    print(json.dumps({"id": number, "exit": 0}), flush=True)
"""
    executable = _script(tmp_path, f"#!{sys.executable}\n{script}")
    places = Places(str(tmp_path / "home"), str(workspace))
    heard: list[bytes] = []
    with Workers() as workers:
        for _ in range(2):
            plain = Launch((f"{executable.package}/tool", "x"), str(workspace), ENV, LIMITS)
            launch, _ = sandboxed(plain, executable.package, places)
            assert workers.call(launch, ("x",), lambda _name, data: heard.append(data)).code == 0
    assert heard == [b"call 1 saw nothing", b"call 2 saw nothing"]


def test_landlock_comes_first_because_it_leaves_the_program_as_it_is(workspace: Path) -> None:
    if REASONS["landlock"] or landlock.gaps(Allowed()):
        pytest.skip(REASONS["landlock"] or "this kernel's Landlock has gaps")
    _, label = fenced(Launch(("true",), str(workspace), ENV), Allowed((), (str(workspace),)))
    assert label.startswith("sandboxed by Landlock ")


WITHOUT_LANDLOCK = """
import ctypes, struct, sys
no_call = [(0x20, 0, 0, 0), (0x15, 0, 1, 444), (0x06, 0, 0, 0x00050000 | 38), (0x06, 0, 0, 0x7FFF0000)]
code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *each) for each in no_call))
prctl, zero = ctypes.CDLL(None).prctl, ctypes.c_long(0)
prctl(38, ctypes.c_long(1), zero, zero, zero)
prctl(22, ctypes.c_long(2), struct.pack("@HP", len(no_call), ctypes.addressof(code)), zero, zero)
from pisces.processes.launch import Launch
from pisces.processes.sandbox.allowed import Allowed
from pisces.processes.sandbox.fence import fenced, fenced_by
from pisces.processes.run import captured
launch, label = fenced(Launch(("/bin/echo", "ran"), "/", {}), Allowed())
print(label.partition(";")[0])
print(captured(launch)[0])
out, err, ended = captured(fenced_by("landlock", Launch(("/bin/echo", "ran"), "/", {}), Allowed())[0])
print(out, err.decode().strip(), ended.code)
"""


@pytest.mark.parametrize("with_bubblewrap", [False, True])
def test_a_system_without_landlock_is_told_of(tmp_path: Path, with_bubblewrap: bool) -> None:
    """The kernel is made to say that it has none; a fence that cannot be put up ends the run."""
    if with_bubblewrap and REASONS["bubblewrap"]:
        pytest.skip(REASONS["bubblewrap"])
    path = os.environ["PATH"] if with_bubblewrap else str(tmp_path)
    command = [sys.executable, "-c", WITHOUT_LANDLOCK]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "PATH": path})
    label, plain, forced = done.stdout.splitlines()
    missing = f"{NOT_SANDBOXED}: this kernel has no Landlock and bubblewrap is not installed"
    assert label == ("sandboxed by bubblewrap: reads the system and its package" if with_bubblewrap else missing)
    assert plain == "b'ran\\n'"
    assert forced == "b'' pisces: the sandbox cannot be set up: this kernel has no Landlock 126"


def test_an_interpreter_outside_the_system_is_found_with_its_installation(tmp_path: Path) -> None:
    home = tmp_path / "home"
    real = home / ".tools" / "versions" / "3.12" / "bin" / "snake"
    real.parent.mkdir(parents=True)
    real.write_text("")
    real.chmod(0o755)
    (home / ".local" / "bin").mkdir(parents=True)
    (home / ".local" / "bin" / "snake").symlink_to(real)
    script = tmp_path / "script"
    for line in ("#!/usr/bin/env snake", "#!/usr/bin/env -S snake -u", f"#!{home}/.local/bin/snake -x"):
        script.write_text(f"{line}\n")
        found = interpreter_places(str(script), {"PATH": str(home / ".local" / "bin")}, str(home))
        assert found == (str(home / ".local" / "bin" / "snake"), str(real), str(real.parent.parent))


@pytest.mark.parametrize("line", ["", "#!", "#!/usr/bin/env", "#!/usr/bin/env no-such-thing", "\x7fELF", "#!relative"])
def test_a_program_without_an_interpreter_gets_none(tmp_path: Path, line: str) -> None:
    (tmp_path / "script").write_text(line)
    assert interpreter_places(str(tmp_path / "script"), {"PATH": "/usr/bin"}, str(tmp_path)) == ()
    assert interpreter_places(str(tmp_path / "missing"), {}, str(tmp_path)) == ()


def _copied_echo(tmp_path: Path, box: Box) -> Path:
    package = tmp_path / "package"
    package.mkdir()
    box.allowed = box.allowed.replace(read=(*box.allowed.read, str(package)))
    program = package / "tool"
    shutil.copy(shutil.which("echo") or "", program)
    return program


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    handle = os.open(path, os.O_RDONLY)
    try:
        yield handle
    finally:
        os.close(handle)


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _tcp() -> Iterator[socket.socket]:
    with closing(socket.create_server(("127.0.0.1", 0))) as listener:
        listener.setblocking(False)
        yield listener


def _connect(listener: socket.socket) -> str:
    return f"import socket; socket.create_connection({listener.getsockname()!r}, 5).close()"


def _read_until(terminal: int, wanted: bytes) -> str:
    seen = b""
    deadline = time.monotonic() + 10
    while wanted not in seen and time.monotonic() < deadline:
        try:
            seen += os.read(terminal, 4096)
        except OSError:  # the other side is gone
            break
    return seen.decode("utf-8", "replace")


def test_paths_with_spaces_and_quotes_are_fenced_as_they_are(mechanism: str, tmp_path: Path) -> None:
    folder = tmp_path / "a 'b' = c"
    folder.mkdir()
    code, text = Box(mechanism, folder).sh(f"echo x > {shlex.quote(str(folder))}/f; cat f")
    assert (code, text) == (0, "x\n")


def test_a_script_is_readable_with_the_modules_and_the_project_that_it_needs(tmp_path: Path) -> None:
    home = tmp_path / "home"
    script = home / "srv" / "node_modules" / "@fish" / "pond" / "dist" / "index.js"
    built = home / "other" / "dist" / "server" / "index.js"
    loose, inner = home / "loose" / "index.js", home / "other" / "clone" / "src" / "index.js"
    (home / "other" / "clone" / ".git").mkdir(parents=True)
    for path in (script, built, loose, inner, home / "other" / "package.json", home / "package.json"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}")
    link = home / "srv" / "node_modules" / ".bin" / "pond"
    link.parent.mkdir()
    link.symlink_to(script)
    assert installation_of(str(link), str(home)) == (str(link), str(home / "srv" / "node_modules"), str(script))
    assert installation_of(str(built), str(home)) == (str(built), str(home / "other"))
    for each in (loose, inner):
        assert installation_of(str(each), str(home)) == (str(each), str(each.parent))


def test_a_copied_interpreter_is_readable_with_the_installation_that_it_was_copied_from(tmp_path: Path) -> None:
    python = tmp_path / "env" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("")
    original = tmp_path / "versions" / "3.12"
    (tmp_path / "env" / "pyvenv.cfg").write_text(f"version = 3.12\nhome = {original / 'bin'}\n")
    home = str(tmp_path / "home")
    assert installation_of(str(python), home) == (str(python), str(tmp_path / "env"), str(original))
    (tmp_path / "env" / "pyvenv.cfg").write_text(f"home = {tmp_path / 'home'}\n")
    assert installation_of(str(python), home) == (str(python), str(tmp_path / "env"))
