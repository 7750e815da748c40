"""The file by which a terminal finds its editor: its folder, its content, and which files are trusted.

A file counts only if it is a regular file of this user that others cannot write. A link never counts.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import socket
import stat
import sys
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any

from pisces.diagnostics import NOTE, WARNING, Diagnostic, PiscesError, Rule
from pisces.files import entries
from pisces.ide.companion_folder import discovery_folder as discovery_folder, temporary_folder as temporary_folder
from pisces.ide.endpoint import port_of
from pisces.value import Value

MOST_BYTES = 64 * 1024
_NAME = re.compile(r"gemini-ide-server-([0-9]+)(?:-[0-9]+)?\.json")
_SHARED = 0o1777  # as the system's temporary folder: every user may add files, only the owner may replace one
_PRIVATE = 0o700
_MOST_PROBLEMS = 20  # any user can put thousands of files into a shared folder
_OPEN_FLAGS = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_REFUSED_WITHIN = 0.5  # seconds; a closed port on loopback answers at once

NOT_OURS = Rule(
    "ide-file-not-ours", WARNING, "a discovery file belongs to another user, may be written by one, or is a link"
)
UNREADABLE = Rule("ide-file-unreadable", WARNING, "a discovery file cannot be read")
UNWRITABLE = Rule("ide-file-unwritable", WARNING, "the discovery file cannot be written")
STALE = Rule("ide-file-stale", NOTE, "a discovery file was left behind by an editor that is gone")


class DiscoveryFile(Value):
    """`workspace_path` is None if the file has none, and empty if no folder is open."""

    port: int
    workspace_path: str | None = None
    auth_token: str = ""
    ide_name: str = ""
    ide_display_name: str = ""
    pid: int = 0
    path: str = ""
    stdio: tuple[str, ...] = ()


def file_path(env: Mapping[str, str], pid: int, port: int) -> str:
    return os.path.join(discovery_folder(env), f"gemini-ide-server-{pid}-{port}.json")


def written(file: DiscoveryFile) -> DiscoveryFile:
    """Writes the file atomically, readable only by this user. Raises `PiscesError`."""
    content = {
        "port": file.port,
        "workspacePath": file.workspace_path or "",
        "authToken": file.auth_token,
        "ideInfo": {"name": file.ide_name, "displayName": file.ide_display_name or file.ide_name},
    }
    folder = os.path.dirname(file.path)
    aside = os.path.join(folder, f".{secrets.token_hex(8)}.new")  # clients ignore this name
    try:
        _make_folders(folder)
        _write_new(aside, json.dumps(content).encode())
        os.replace(aside, file.path)
    except OSError as error:
        with suppress(OSError):
            os.unlink(aside)
        reason = (error.strerror or str(error)).lower()
        hint = "set the variables that `pisces ide serve --env` prints in the editor's terminals, or another TMPDIR"
        raise PiscesError(UNWRITABLE.at(file.path, f"cannot be written: {reason}", hint=hint)) from None
    return file


def removed(path: str) -> None:
    """Removes a file, if it exists."""
    with suppress(OSError):
        os.unlink(path)


def discovery_files(env: Mapping[str, str]) -> list[DiscoveryFile | Diagnostic]:
    """All files, by name. A diagnostic stands for each file that does not count, the last one for all that are left."""
    folder = discovery_folder(env)
    if astray := _leading_elsewhere(folder):
        return [NOT_OURS.at(astray, "is a link of another user, so what it leads to is ignored")]
    named = [(entry.path, int(match[1])) for entry in entries(folder) if (match := _NAME.fullmatch(entry.name))]
    found = [_read(path, pid) for path, pid in named]
    problems = [each for each in found if isinstance(each, Diagnostic)]
    files = [each for each in found if isinstance(each, DiscoveryFile)]
    if len(problems) <= _MOST_PROBLEMS:
        return [*files, *problems]
    more = NOT_OURS.at(folder, f"holds {len(problems) - _MOST_PROBLEMS:,} more files that do not count")
    return [*files, *problems[:_MOST_PROBLEMS], more]


def stale_files(env: Mapping[str, str], own: Collection[int] = ()) -> list[DiscoveryFile]:
    """Files of this user on whose port nobody listens, and whose process is gone or one of `own`."""
    files = [each for each in discovery_files(env) if isinstance(each, DiscoveryFile) and not each.stdio]
    return [each for each in files if (each.pid in own or not is_alive(each.pid)) and not _is_open(each.port)]


def is_alive(pid: int) -> bool:
    """Whether the process exists. It may belong to another user."""
    if pid <= 0:  # 0 would stand for our own group
        return False
    if os.name == "nt":
        return _is_alive_on_windows(pid)
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:
        pass
    return True


def _is_alive_on_windows(pid: int) -> bool:
    import ctypes  # on Windows `os.kill` would end the process

    synchronize, timed_out = 0x00100000, 0x102
    kernel: Any = ctypes.windll.kernel32  # type: ignore[attr-defined,unused-ignore]
    handle = kernel.OpenProcess(synchronize, False, pid)
    if not handle:
        return False
    try:
        return bool(kernel.WaitForSingleObject(handle, 0) == timed_out)
    finally:
        kernel.CloseHandle(handle)


def _is_open(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), _REFUSED_WITHIN).close()
    except ConnectionRefusedError:
        return False
    except OSError:  # slow is not closed
        pass
    return True


def _make_folders(folder: str) -> None:
    """In a temporary folder that all users share, these are shared too, or the first user would lock out the others."""
    parent = os.path.dirname(folder)
    top = os.path.dirname(parent)
    os.makedirs(top, exist_ok=True)
    shared = os.name != "nt" and os.stat(top).st_mode & _SHARED == _SHARED
    for above, each in ((os.path.realpath(top), parent), (parent, folder)):
        with suppress(FileExistsError):
            os.mkdir(each, _PRIVATE)
            if shared and _is_safe(above):
                os.chmod(each, _SHARED)


def _is_safe(folder: str) -> bool:
    """Whether no other user owns the folder, who could replace a new folder by a link before its mode is changed."""
    status = os.lstat(folder)
    return stat.S_ISDIR(status.st_mode) and (status.st_uid == 0 or _is_ours(status))


def _is_ours(status: os.stat_result) -> bool:
    """Windows has no such ids. There each user has a temporary folder."""
    return sys.platform == "win32" or status.st_uid == os.getuid()


def _write_new(path: str, content: bytes) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, 0o600), "wb") as file:
        file.write(content)


def _read(path: str, pid: int) -> DiscoveryFile | Diagnostic:
    """Whatever lies there under such a name: any user may put a folder, a pipe or a device into a shared folder."""
    try:
        if problem := _problem(path, os.lstat(path)):  # before opening: for some devices, opening is an act
            return problem
        handle = os.open(path, _OPEN_FLAGS)
    except OSError as error:
        return UNREADABLE.at(path, f"cannot be read: {(error.strerror or str(error)).lower()}")
    try:
        status = os.fstat(handle)  # again: it may have been swapped since
        return _problem(path, status) or _parsed(_content(handle), pid, path)
    except OSError as error:
        return UNREADABLE.at(path, f"cannot be read: {(error.strerror or str(error)).lower()}")
    finally:
        os.close(handle)


def _leading_elsewhere(folder: str) -> str:
    """A link that another user put in the place of a folder: it may lead to any files of ours."""
    for path in (os.path.dirname(folder), folder):
        try:
            status = os.lstat(path)
        except OSError:
            continue
        if stat.S_ISLNK(status.st_mode) and status.st_uid != 0 and not _is_ours(status):
            return path
    return ""


def _problem(path: str, status: os.stat_result) -> Diagnostic | None:
    """Why a file does not count."""
    if stat.S_ISLNK(status.st_mode):
        return NOT_OURS.at(path, "is a link, so it is ignored")
    if not _is_ours(status):
        return NOT_OURS.at(path, f"belongs to user {status.st_uid}, so it is ignored")
    if not stat.S_ISREG(status.st_mode) or status.st_size > MOST_BYTES:
        return UNREADABLE.at(path, "is not a small regular file")
    if os.name != "nt" and status.st_mode & stat.S_IWOTH:
        return NOT_OURS.at(path, "may be written by every user, so it is ignored", hint=f"`chmod 600 {path}`")
    if status.st_nlink > 1:  # some systems let every user give a second name to any file of ours
        return NOT_OURS.at(path, "has another name as well, so it is ignored", hint="restart the editor")
    return None


def _content(handle: int) -> bytes:
    """At most a little more than counts: a file system may read in pieces, and a file may grow."""
    content = b""
    while len(content) <= MOST_BYTES and (piece := os.read(handle, MOST_BYTES)):
        content += piece
    return content


def _parsed(content: bytes, pid: int, path: str) -> DiscoveryFile | Diagnostic:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return UNREADABLE.at(path, "is not JSON")
    if not isinstance(found, dict):
        return UNREADABLE.at(path, "is not a JSON object")
    port, stdio = port_of(found.get("port")), _words(found.get("stdio"))
    if not port and not stdio:
        hint = "the editor's companion is broken: update it"
        return UNREADABLE.at(path, "names no port between 1 and 65535", hint=hint)
    about = found.get("ideInfo")
    names = about if isinstance(about, dict) else {}
    token, workspace = _text(found.get("authToken")) or "", _text(found.get("workspacePath"))
    name, display_name = _text(names.get("name")) or "", _text(names.get("displayName")) or ""
    return DiscoveryFile(port, workspace, token, name, display_name, pid, path, stdio)


def _words(value: object) -> tuple[str, ...]:
    """`{"command": ..., "args": [...]}` as one tuple; empty for anything else."""
    if not isinstance(value, dict) or not isinstance(value.get("command"), str):
        return ()
    args = value.get("args", [])
    words = [value["command"], *(args if isinstance(args, list) else [])]
    return tuple(words) if all(isinstance(word, str) for word in words) else ()


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
