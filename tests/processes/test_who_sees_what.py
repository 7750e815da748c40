"""Everybody who starts programs gives them a chosen environment: what they need to work, and no secret by accident."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

import pytest

from pisces.commands.prompts.shell_line import shell_output
from pisces.diagnostics import PiscesError
from pisces.ide.client.stdio_transport import StdioTransport
from pisces.ide.client.wire import Unreachable
from pisces.ide.endpoint import Endpoint
from pisces.modules.exec import execute
from pisces.modules.sidecar import Runtime, SidecarLimits
from pisces.modules.sidecar.process import JsonProcess
from pisces.packages.fetching.git_process import git_for
from pisces.places import Places
from pisces.processes.environment import child_env, passed_on
from pisces.processes.launch import Launch
from pisces.processes.run import captured

if sys.platform == "win32":
    pytest.skip("needs a POSIX shell", allow_module_level=True)

SECRETS = ("GITHUB_TOKEN", "AWS_SECRET_ACCESS_KEY", "ANTHROPIC_API_KEY", "SSH_AUTH_SOCK", "LD_PRELOAD_OF_OURS")
WORKS_WITH = ("PATH", "HOME")
ASKED_FOR = {"PISCES_PASS_ENV": "EXA_API_KEY, TEAM_*", "EXA_API_KEY": "exa", "TEAM_NAME": "red", "TEAMS": "no"}

Start = Callable[[Path, Mapping[str, str]], None]


def by_a_package(folder: Path, env: Mapping[str, str]) -> None:
    captured(Launch(("sh", "-c", "env > seen"), str(folder), child_env(env, {})))


def by_a_prompt(folder: Path, env: Mapping[str, str]) -> None:
    shell_output("env > seen", str(folder), env)


def by_a_module(folder: Path, env: Mapping[str, str]) -> None:
    with pytest.MonkeyPatch.context() as patched:
        for name, value in env.items():
            patched.setenv(name, value)
        asyncio.run(execute(["sh", "-c", "env > seen"], str(folder)))


def by_the_sidecar(folder: Path, env: Mapping[str, str]) -> None:
    async def play() -> None:
        gone = asyncio.get_running_loop().create_future()
        process = JsonProcess(lambda _message: None, gone.set_result, SidecarLimits())
        process.start(Runtime("bun", ("sh", "-c", f"env > {folder}/seen"), env))
        await asyncio.wait_for(gone, 10)

    asyncio.run(play())


def by_the_ide_client(folder: Path, env: Mapping[str, str]) -> None:
    async def play() -> None:
        gone = asyncio.get_running_loop().create_future()
        way = Endpoint("environment", command=("sh", "-c", f"env > {folder}/seen"))
        transport = StdioTransport(env, way, lambda _message: None, gone.set_result)
        with suppress(Unreachable):
            await transport.send({"method": "initialize"}, 10)
        await asyncio.wait_for(gone, 10)
        await transport.close()

    asyncio.run(play())


def by_git(folder: Path, env: Mapping[str, str]) -> None:
    (folder / "git").write_text(f"#!/bin/sh\nenv > {folder}/seen\n")
    (folder / "git").chmod(0o755)
    (folder / "stage").mkdir()
    path = f"{folder}{os.pathsep}{env['PATH']}"
    with suppress(PiscesError):  # this git is too old
        git_for("https://host.example/r.git", str(folder / "stage"), Places(env["HOME"], "/", {**env, "PATH": path}))


def seen_by(start: Start, folder: Path, **more: str) -> dict[str, str]:
    home = {"PATH": os.environ.get("PATH", os.defpath), "HOME": str(folder)}
    start(folder, {**home, **dict.fromkeys(SECRETS, "s3cr3t"), **ASKED_FOR, **more})
    lines = (folder / "seen").read_text("utf-8").splitlines()
    return dict(line.partition("=")[::2] for line in lines)


STARTERS = [by_a_package, by_a_prompt, by_a_module, by_the_sidecar, by_the_ide_client]


@pytest.mark.parametrize("start", [*STARTERS, by_git])
def test_a_program_sees_what_it_needs_and_no_secret(start: Start, tmp_path: Path) -> None:
    seen = seen_by(start, tmp_path, LC_ALL="C.UTF-8", TMPDIR="/tmp")
    visible = [name for name in SECRETS if name in seen]
    assert visible == (["SSH_AUTH_SOCK"] if start is by_git else [])  # git reaches hosts by ssh
    assert all(seen[name] for name in WORKS_WITH)
    assert seen["TMPDIR"] == "/tmp"
    assert "PISCES_PASS_ENV" not in seen


@pytest.mark.parametrize("start", STARTERS)
def test_the_user_adds_names(start: Start, tmp_path: Path) -> None:
    seen = seen_by(start, tmp_path)
    assert (seen["EXA_API_KEY"], seen["TEAM_NAME"]) == ("exa", "red")
    assert "TEAMS" not in seen


def test_git_gets_no_more_than_it_chooses(tmp_path: Path) -> None:
    assert "EXA_API_KEY" not in seen_by(by_git, tmp_path)


def test_a_module_adds_to_what_its_program_sees(tmp_path: Path) -> None:
    line = "echo $COLOUR $PATH"
    done = asyncio.run(execute(["sh", "-c", line], str(tmp_path), env={"COLOUR": "red", "PATH": "/usr/bin:/bin"}))
    assert done.stdout == "red /usr/bin:/bin\n"


@pytest.mark.parametrize("name", ["PI_CODING_AGENT_DIR", "NODE_PATH", "NODE_EXTRA_CA_CERTS"])
def test_the_sidecar_gets_what_runtimes_read_but_not_what_loads_code_into_them(name: str, tmp_path: Path) -> None:
    seen = seen_by(by_the_sidecar, tmp_path, **{name: "x", "NODE_OPTIONS": "--require /evil.js"})
    assert seen[name] == "x"
    assert "NODE_OPTIONS" not in seen


def test_folders_of_the_project_are_not_searched_for_programs() -> None:
    assert passed_on({"PATH": os.pathsep.join(("node_modules/.bin", "/bin", ""))})["PATH"] == "/bin"
