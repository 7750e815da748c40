"""The discovery file: its name, mode and content are correct."""

from __future__ import annotations

import json
import os
import re
import stat
from typing import Any

from pisces.ide.discovery_file import discovery_folder, is_alive
from pisces.ide.probe.probe import MUST, SHOULD, Ask, Finding, ProbeRule, broken, judged, passed
from pisces.ide.probe.subject import ProbeSubject, ProbeTarget, Skip

_NAME = re.compile(r"gemini-ide-server-(\d+)-(\d+)\.json")
_ENOUGH = 32  # characters: a UUID, or 128 bits in hexadecimal


def _of_file(ask: Any) -> Ask:
    async def asked(subject: ProbeSubject) -> Finding:
        if not subject.target.path:
            raise Skip("no discovery file was given")
        found: Finding = ask(subject.target)
        return found

    return asked


def _name(target: ProbeTarget) -> Finding:
    match = _NAME.fullmatch(os.path.basename(target.path))
    if match is None:
        return broken("the name is not gemini-ide-server-PID-PORT.json")
    is_same = int(match[2]) == target.port
    return passed() if is_same else broken(f"the name says port {match[2]}, the file {target.port}")


def _folder(target: ProbeTarget) -> Finding:
    here, wanted = os.path.dirname(os.path.abspath(target.path)), discovery_folder(target.env)
    is_same = os.path.realpath(here) == os.path.realpath(wanted)
    return passed() if is_same else broken(f"clients of this user look in {wanted}")


def _private(target: ProbeTarget) -> Finding:
    if os.name == "nt":
        raise Skip("Windows has no such modes")
    status = os.lstat(target.path)
    problems = [] if stat.S_ISREG(status.st_mode) else ["it is not a regular file"]
    problems += [f"its mode is {stat.S_IMODE(status.st_mode):o}"] if status.st_mode & 0o077 else []
    return judged(problems)


def _process(target: ProbeTarget) -> Finding:
    match = _NAME.fullmatch(os.path.basename(target.path))
    if match is None:
        raise Skip("the name has no process in it")
    return passed() if is_alive(int(match[1])) else broken(f"process {match[1]} does not exist")


def _port(target: ProbeTarget) -> Finding:
    port = _content(target).get("port")
    is_number = isinstance(port, int) and not isinstance(port, bool)
    return passed() if is_number else broken(f"`port` is {port!r}, not a number")


def _workspace(target: ProbeTarget) -> Finding:
    workspace = _content(target).get("workspacePath")
    if not isinstance(workspace, str):
        return broken("`workspacePath` is missing, so no client connects")
    roots = [root for root in workspace.split(os.pathsep) if root]
    if not roots:
        return passed("no folder is open: clients wait until one is")
    return judged([f"{root} is not a folder" for root in roots if not os.path.isabs(root) or not os.path.isdir(root)])


def _token(target: ProbeTarget) -> Finding:
    token = _content(target).get("authToken")
    if not isinstance(token, str) or not token:
        return broken("`authToken` is missing")
    is_long = len(token) >= _ENOUGH
    return passed() if is_long else broken(f"the token has {len(token)} characters only: it can be guessed")


def _names(target: ProbeTarget) -> Finding:
    found = _content(target).get("ideInfo")
    names = found if isinstance(found, dict) else {}
    missing = [key for key in ("name", "displayName") if not isinstance(names.get(key), str) or not names[key]]
    return judged(
        [f"`ideInfo.{key}` is missing: Gemini CLI connects in terminals that it knows only" for key in missing]
    )


def _content(target: ProbeTarget) -> dict[str, Any]:
    with open(target.path, encoding="utf-8") as file:
        found = json.load(file)
    return found if isinstance(found, dict) else {}


RULES = (
    ProbeRule("file-name", MUST, "the discovery file is named for its process and port", _of_file(_name)),
    ProbeRule("file-folder", SHOULD, "it lies where clients of this user look", _of_file(_folder)),
    ProbeRule("file-private", MUST, "it is a regular file that nobody else can read", _of_file(_private)),
    ProbeRule("file-process", MUST, "the process in its name is alive", _of_file(_process)),
    ProbeRule("file-port", MUST, "its port is a number", _of_file(_port)),
    ProbeRule("file-workspace", MUST, "its workspace is a list of folders that exist", _of_file(_workspace)),
    ProbeRule("file-token", MUST, "it holds a token that cannot be guessed", _of_file(_token)),
    ProbeRule("file-ide-info", SHOULD, "it says what the editor is called", _of_file(_names)),
)
