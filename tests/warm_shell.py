"""`python -m pisces` without waiting for Python: a process that has imported everything forks one for each call.

What is called is a real process, with its own streams, folder, environment, signals and exit code. Tests about what is
imported, about names of processes or about how Python itself starts use `subprocess`.
"""

from __future__ import annotations

import atexit
import contextlib
import functools
import io
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO

_LOCALE = ("LANG", "LC_ALL", "LC_CTYPE", "TZ")
_ROOT = Path(__file__).resolve().parents[1]


def pisces(
    *words: str, cwd: Path, env: Mapping[str, str], given: str | None = None, timeout: float = 60
) -> subprocess.CompletedProcess[str]:
    """What `python -m pisces` says to these words; without `given` there is nothing to read."""
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        files[0].write((given or "").encode())
        files[0].seek(0)
        call = _cold if sys.platform == "win32" or _changed(env) else _warm
        status = call(words, cwd, env, files, timeout)
        out, err = (_text(file) for file in files[1:])
    return subprocess.CompletedProcess([sys.executable, "-m", "pisces", *words], status, out, err)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return io.StringIO(file.read().decode(), newline=None).read()


def _changed(env: Mapping[str, str]) -> list[str]:
    """What an interpreter reads when it starts and never again, where it is not what this one has read."""
    read = [name for name in env if name.startswith("PYTHON") or name in _LOCALE]
    return [name for name in read if env[name] != os.environ.get(name) and (name, env[name]) != ("PYTHONUTF8", "1")]


def _cold(words: Sequence[str], cwd: Path, env: Mapping[str, str], files: Sequence[IO[bytes]], timeout: float) -> int:
    stdin, stdout, stderr = files
    command = [sys.executable, "-m", "pisces", *words]
    return subprocess.run(
        command, cwd=cwd, env=env, stdin=stdin, stdout=stdout, stderr=stderr, timeout=timeout, check=False
    ).returncode


def _warm(words: Sequence[str], cwd: Path, env: Mapping[str, str], files: Sequence[IO[bytes]], timeout: float) -> int:
    if sys.platform == "win32":
        raise NotImplementedError
    request = json.dumps({"words": words, "cwd": str(cwd), "env": dict(env)}).encode()
    with socket.socket(socket.AF_UNIX) as line:
        line.settimeout(timeout)
        line.connect(_door())
        socket.send_fds(line, [len(request).to_bytes(4, "big")], [file.fileno() for file in files])
        line.sendall(request)
        with line.makefile("r", encoding="ascii") as answers:
            pid = int(answers.readline())
            try:
                return int(answers.readline())
            except TimeoutError:
                os.kill(pid, signal.SIGKILL)
                raise subprocess.TimeoutExpired(["pisces", *words], timeout) from None


@functools.cache
def _door() -> str:
    """Where the process listens that forks. It ends with this one, whose end of its stdin is closed then."""
    door = str(Path(tempfile.mkdtemp(prefix="pisces-warm-")) / "door")
    command = [sys.executable, "-P", str(Path(__file__)), door]
    env = {**os.environ, "PYTHONSAFEPATH": ""}
    server = subprocess.Popen(command, cwd=_ROOT, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    _alive.append(server)
    assert server.stdout is not None
    assert server.stdout.readline() == b"ready\n"
    return door


_alive: list[subprocess.Popen[bytes]] = []


def _import_everything() -> None:
    import gc
    import importlib
    import pkgutil

    import pisces

    for found in pkgutil.walk_packages(pisces.__path__, "pisces.", onerror=lambda _: None):
        if not found.name.endswith(".__main__"):
            with contextlib.suppress(ImportError):  # of what is only there with an extra, or on another system
                importlib.import_module(found.name)
    gc.freeze()


def _called(door: str) -> list[str]:
    """Serves until nobody is left who could call. Returns in the children alone, with the words of a call."""
    if sys.platform == "win32":
        raise NotImplementedError
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(door)
        listener.listen(64)
        os.write(1, b"ready\n")
        while True:
            ready, _, _ = select.select([0, listener.fileno()], [], [])
            if 0 in ready:
                os.unlink(door)
                os.rmdir(os.path.dirname(door))
                os._exit(0)
            line, _ = listener.accept()
            if not os.fork():
                break
            line.close()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with line:
        return _answering(line)


def _answering(line: socket.socket) -> list[str]:
    """Starts the process of one call and says how it ended."""
    if sys.platform == "win32":
        raise NotImplementedError
    size, files, _, _ = socket.recv_fds(line, 4, 3)
    with line.makefile("rb") as rest:
        call = json.loads(rest.read(int.from_bytes(size, "big")))
    if child := os.fork():
        line.sendall(f"{child}\n".encode())
        _, status = os.waitpid(child, 0)
        line.sendall(f"{os.waitstatus_to_exitcode(status)}\n".encode())
        os._exit(0)
    for number, file in enumerate(files):
        os.dup2(file, number)
        os.close(file)
    os.chdir(call["cwd"])
    os.environ.clear()
    os.environ.update(call["env"])
    sys.path.insert(0, os.getcwd())
    tempfile.tempdir = None
    for name, number, errors in (("stdout", 1, "strict"), ("stderr", 2, "backslashreplace")):
        setattr(sys, name, open(number, "w", encoding="utf-8", errors=errors, closefd=False))  # noqa: SIM115
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115
    return list(call["words"])


if __name__ == "__main__":
    from pisces.__main__ import main

    _import_everything()
    sys.argv[:] = ["pisces", *_called(sys.argv[1])]
    _status = main()
    atexit._run_exitfuncs()  # and no more: to take apart all that was imported takes longer than most calls
    for _stream in (sys.stdout, sys.stderr):
        _stream.flush()
    os._exit(_status)
