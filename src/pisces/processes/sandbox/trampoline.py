"""Fences itself in with Landlock and seccomp, then becomes the program: nothing of it stays between caller and program.

Started as `python -I -S trampoline.py OPTION... -- PROGRAM ARGUMENT...`, so it imports nothing of pisces. Whatever part
of the fence cannot be put up ends it before the program starts. Options: `read=PATH`, `write=PATH`, `device=PATH`,
`network=1` (TCP is let through), `filter=HEX` (of seccomp, as `system_calls` makes it), `identity=NUMBERS` (of the
program that was checked), `locale=VALUE` (of the variable that Python itself may change), and `through=WORD` for each
word of another tool that puts up the fence instead.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys

CANNOT_RUN = 126
NOT_FOUND = 127
CHARACTERS = "LC_CTYPE"  # Python sets it where the locale is C, and its children would inherit that

# SIGINT, SIGPIPE, SIGXFSZ: Python's own settings are no concern of the program. The module `signal` takes 5 ms to load.
_SIGNALS = (2, 13, 25)

# Landlock: what each version of its interface has added to what can be forbidden.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_VERSION_FLAG = 1
_PATH_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE, _IOCTL_DEVICE = 1 << 14, 1 << 15
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_OF_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEVICE
_FORBIDDEN_SINCE = {1: (1 << 13) - 1, 2: 1 << 13, 3: _TRUNCATE, 5: _IOCTL_DEVICE}
_NETWORK_SINCE, _TCP = 4, 0b11  # binding and connecting
_SCOPES_SINCE, _SCOPES = 6, 0b11  # abstract sockets of others, signals to others

_NO_NEW_PRIVILEGES, _SECCOMP, _FILTER = 38, 22, 2
_INSTRUCTION = 8  # bytes
_DROP_POWER, _POWERS_OVER_FILES, _MOST_POWERS = 24, 4, 64
_MARK, _MARKED_LIMIT = "PISCES_RUN", 10  # as `members` has them


class Refused(Exception):
    """The fence cannot be put up."""


def landlock_version() -> int:
    """0 where the kernel has no Landlock, or was started without it."""
    if not sys.platform.startswith("linux"):
        return 0
    version: int = _libc().syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _VERSION_FLAG)
    return max(0, version)


def main(words: list[str]) -> int:
    for number in _SIGNALS:
        _libc().signal(number, None)
    split = words.index("--")
    argv = words[split + 1 :]
    options: dict[str, list[str]] = {}
    for word in words[:split]:
        name, _, value = word.partition("=")
        options.setdefault(name, []).append(value)
    os.environ.pop(CHARACTERS, None)
    for value in options.get("locale", ()):
        os.environ[CHARACTERS] = value
    try:
        program = _checked(argv[0], options["identity"][0]) if "identity" in options else -1
        calls = bytes.fromhex("".join(options.get("filter", ())))
        _carry_mark()
        if "through" in options:
            return _become(_mounted(options["through"], calls, program, argv), -1)
        _fence(options, calls)
    except (Refused, OSError) as error:
        return _failed(f"the sandbox cannot be set up: {error}", CANNOT_RUN)
    return _become(argv, program)


def _carry_mark() -> None:
    """As a limit that no process of the program can shed, so that all of them are found when the fence ends."""
    number = int(os.environ.get(_MARK) or "0", 16)
    limits = (ctypes.c_ulong * 2)()
    _call("getrlimit", _MARKED_LIMIT, limits)
    if number and limits[1] != number:  # not set from outside yet
        unlimited = limits[1] == ctypes.c_ulong(-1).value
        limits[0] = number if unlimited else number % limits[1]
        limits[1] = number if unlimited else limits[1]
        _call("setrlimit", _MARKED_LIMIT, limits)


def _fence(options: dict[str, list[str]], calls: bytes) -> None:
    version = landlock_version()
    if not version:
        raise Refused("this kernel has no Landlock")
    handled = sum(bits for since, bits in _FORBIDDEN_SINCE.items() if version >= since)
    ruleset = _ruleset(version, handled, 0 if "network" in options else _TCP)
    devices = [*options.get("device", ()), *_own_terminals()]
    rights = {"read": _READ, "write": handled, "device": _READ_FILE | _WRITE_FILE | _IOCTL_DEVICE}
    for name, paths in {**options, "device": devices}.items():
        for path in paths if name in rights else ():
            _allow(ruleset, path, rights[name] & handled)
    _drop_powers()
    _call("prctl", _NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    _call("syscall", _RESTRICT_SELF, ruleset, 0)
    os.close(ruleset)
    if calls:
        _refuse_calls(calls)


def _ruleset(version: int, handled: int, network: int) -> int:
    fields = [handled]
    if version >= _NETWORK_SINCE:
        fields.append(network)
    if version >= _SCOPES_SINCE:
        fields.append(_SCOPES)
    packed = struct.pack(f"={len(fields)}Q", *fields)
    return _call("syscall", _CREATE_RULESET, packed, ctypes.c_size_t(len(packed)), 0)


def _allow(ruleset: int, path: str, rights: int) -> None:
    if sys.platform != "linux":
        raise Refused("this system has no Landlock")
    try:
        handle = os.open(path, os.O_PATH)
    except OSError:  # it is not there, so there is nothing to allow
        return
    try:
        if not os.path.isdir(path):
            rights &= _OF_FILES
        _call("syscall", _ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, handle), 0)
    finally:
        os.close(handle)


def _own_terminals() -> list[str]:
    """The terminal that the program is given may be opened again by its name; no other terminal of the user may."""
    if sys.platform == "win32":
        return []
    return [os.ttyname(number) for number in (0, 1, 2) if os.isatty(number)]


def _drop_powers() -> None:
    """A fence is weak against root, who may look into every process. Of its powers those over files remain."""
    if sys.platform != "win32" and os.geteuid() == 0:
        for power in range(_POWERS_OVER_FILES, _MOST_POWERS):
            _libc().prctl(_DROP_POWER, *map(ctypes.c_long, (power, 0, 0, 0)))  # fails for those that are gone already


def _refuse_calls(calls: bytes) -> None:
    code = ctypes.create_string_buffer(calls)
    program = struct.pack("@HP", len(calls) // _INSTRUCTION, ctypes.addressof(code))
    _call("prctl", _SECCOMP, _FILTER, program, 0, 0)


def _checked(path: str, identity: str) -> int:
    """Opens the program again and makes sure that it is the very file, unchanged, that was checked before."""
    handle = os.open(path, os.O_RDONLY)
    if identity != identity_of(handle):
        raise Refused(f"`{path}` was changed after it was checked")
    return handle


def identity_of(handle: int) -> str:
    status = os.fstat(handle)
    numbers = (status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)
    return ":".join(map(str, numbers))


def _mounted(through: list[str], calls: bytes, program: int, argv: list[str]) -> list[str]:
    """The words of bubblewrap; the bytes that were checked lie over the program's path, whatever that leads to."""
    words = list(through)
    if calls:
        reader, writer = os.pipe()  # holds more than any filter has
        os.write(writer, calls)
        os.close(writer)
        os.set_inheritable(reader, True)
        words += ["--seccomp", str(reader)]
    if program >= 0:
        os.set_inheritable(program, True)
        words += ["--perms", "0755", "--ro-bind-data", str(program), argv[0]]
    return [*words, "--", *argv]


def _become(argv: list[str], program: int) -> int:
    """Not `os.execvp`: that imports a module, which the fence may forbid by now."""
    try:
        os.execve(program if program >= 0 else _found(argv[0]), argv, os.environ)
    except OSError as error:
        missing = isinstance(error, FileNotFoundError)
        return _failed(f"`{argv[0]}` cannot be started: {error.strerror}", NOT_FOUND if missing else CANNOT_RUN)


def _found(name: str) -> str:
    """As a shell finds a program."""
    if "/" in name:
        return name
    paths = [os.path.join(folder, name) for folder in os.environ.get("PATH", os.defpath).split(":")]
    return next((path for path in paths if os.path.isfile(path) and os.access(path, os.X_OK)), name)


def _failed(message: str, code: int) -> int:
    os.write(2, f"pisces: {message}\n".encode("utf-8", "replace"))
    return code


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _call(function: str, *arguments: object) -> int:
    words = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    result: int = getattr(_libc(), function)(*words)
    if result < 0:
        number = ctypes.get_errno()
        raise Refused(f"{function}: {os.strerror(number)}")
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
