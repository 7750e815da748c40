"""Other people's modules, run where they can do no harm: no network, a home of their own that is thrown away, and,
where the system lets us, a user who owns nothing. Python never imports or runs anything of theirs: the sidecar does.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from pisces.modules.module_set import ModuleOptions
from pisces.places import Places
from pisces.shapes.events import SessionStart
from pisces.testing.host import ScriptedHost
from pisces.testing.noted import Noted
from pisces.testing.session import AsyncSession, open_session
from tests.modules.js_session import MODULES, PEERS, bun

__all__ = ["EXAMPLES", "MODULES", "PEERS", "Cage", "cage", "example", "played"]

T = TypeVar("T")
NOBODY = 65534
CLOSED = "http://127.0.0.1:9"  # nobody listens at the port of `discard`
EXAMPLES = MODULES / "@mariozechner" / "pi-coding-agent" / "examples" / "extensions"


class Cage:
    """`work` is the current directory of modules, `home` their home; `env` starts their runtime behind bars."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home, self.work, self.tmp = root / "home", root / "work", root / "tmp"
        self.agent = self.home / ".pi" / "agent"
        for folder in (self.home, self.work, self.tmp, self.agent):
            folder.mkdir(parents=True)
        self._bars = _apart()
        self.env = self._env()

    @property
    def is_apart(self) -> bool:
        """Whether there is really no network, and nothing that outlives its module."""
        return "--pid" in self._bars

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = self.work / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        self.give_away()

    def git(self, *args: str) -> str:
        """What git says in `work`, asked by whoever modules run as."""
        who = ["-c", "user.name=test", "-c", "user.email=test@example.invalid"]
        argv = [*_as_nobody(), "git", *who, *args]
        env = {**self.env, "GIT_CONFIG_NOSYSTEM": "1"}
        return subprocess.run(
            argv, cwd=self.work, env=env, check=True, capture_output=True, text=True, timeout=30
        ).stdout

    def give_away(self) -> None:
        if sys.platform != "win32" and _as_nobody():
            for folder, folders, files in os.walk(self.root):
                for name in ("", *folders, *files):
                    os.chown(os.path.join(folder, name), NOBODY, NOBODY, follow_symlinks=False)

    def _env(self) -> dict[str, str]:
        runtime = bun().argv[0]
        bars = " ".join(map(shlex.quote, (*self._bars, *_as_nobody())))
        start = self.root / "bun-in-a-cage"
        start.write_text(f'#!/bin/sh\nexec {bars} {shlex.quote(runtime)} "$@"\n', "utf-8")
        start.chmod(0o755)
        proxies = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), CLOSED)
        return {
            "PISCES_JS_RUNTIME": str(start),
            "PATH": os.environ.get("PATH", os.defpath),
            "HOME": str(self.home),
            "TMPDIR": str(self.tmp),
            "LANG": "C.UTF-8",
            "PI_CODING_AGENT_DIR": str(self.agent),
            "PI_OFFLINE": "1",
            "BUN_RUNTIME_TRANSPILER_CACHE_PATH": "0",
            **proxies,
        }


@contextmanager
def cage() -> Iterator[Cage]:
    """Not below `tmp_path`, which nobody but its owner may enter."""
    root = Path(tempfile.mkdtemp(prefix="pisces-cage-")).resolve()
    try:
        root.chmod(0o755)
        made = Cage(root)
        made.give_away()
        yield made
    finally:
        shutil.rmtree(root, ignore_errors=True)


@asynccontextmanager
async def session_in(
    made: Cage,
    paths: Iterable[str | Path],
    answers: Iterable[Any] = (),
    entries: Iterable[Mapping[str, Any]] = (),
    **rest: Any,
) -> AsyncIterator[AsyncSession]:
    """Demands nothing: who does not load is in `not_loaded`, who breaks is in `errors`."""
    host = ScriptedHost(str(made.work), answers, entries)
    places = Places(str(made.home), str(made.work), made.env)
    options = ModuleOptions(env=made.env, **rest)
    async with open_session([str(path) for path in paths], host, Noted(), options, places) as session:
        await session.emit(SessionStart())
        yield session


def played(made: Cage, paths: Iterable[str | Path], play: Callable[[AsyncSession], Awaitable[T]], **options: Any) -> T:
    """What `play` gives back, of a session with these modules; each of them has to load."""

    async def run() -> T:
        async with asyncio.timeout(60), session_in(made, paths, **options) as session:
            assert [error.message for error in session.not_loaded] == []
            return await play(session)

    return asyncio.run(run())


def example(name: str) -> Path:
    """A module that pi ships; the test is skipped where pi is not installed."""
    if not EXAMPLES.is_dir():
        pytest.skip("pi is not installed: scripts/setup-peers does that")
    return EXAMPLES / name


def _as_nobody() -> tuple[str, ...]:
    if sys.platform == "win32" or os.geteuid() != 0 or shutil.which("setpriv") is None:
        return ()
    return ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", "--no-new-privs")


def _apart() -> tuple[str, ...]:
    """A network with nothing in it, and processes that all end with the first of them.

    Where that is not allowed, proxies that nobody answers and the group of processes have to do.
    """
    apart = ("unshare", "--net", "--pid", "--fork", "--kill-child")
    for bars in (apart, (*apart, "--map-current-user"), ("unshare", "--net", "--map-current-user")):
        if shutil.which(bars[0]) and subprocess.run([*bars, "true"], capture_output=True, check=False).returncode == 0:
            return bars
    return ()
