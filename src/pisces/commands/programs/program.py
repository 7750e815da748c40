"""A package's program, checked and held open: what was checked is what runs, whatever happens to the path meanwhile.

The file is opened once, after every link, and everything is read from that descriptor. A native program can then be
executed by the descriptor. A script is executed by its resolved path, as `$0` must lead to its own folder: ask
`is_unchanged` before it starts.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import contextmanager

from pisces.commands.programs import program_rules as rules
from pisces.commands.programs.program_start import check_start
from pisces.diagnostics import PiscesError
from pisces.discovery.containment import lies_in
from pisces.discovery.shipped_platforms import program_at, shipped_platforms
from pisces.formats.program_header import ENOUGH, SCRIPT, program_header
from pisces.shapes.binary_template import filled
from pisces.shapes.platform_names import this_platform
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pisces.diagnostics import Diagnostic
    from pisces.shapes.executable import Executable

# A link that was put in the file's place since is not followed, and a pipe does not make us wait.
_FLAGS = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_CLOEXEC", "O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"))


class Program(Value):
    """`path` has no links in it. `opened` is the file's descriptor, -1 on Windows; it closes with `checked_program`.

    `interpreter` has a script's own words for what runs it. `identity` changes with the file: device, inode, size,
    time of the last change of its content, and of its entry.
    """

    path: str
    opened: int
    kind: str
    interpreter: tuple[str, ...]
    identity: tuple[int, ...]


@contextmanager
def checked_program(executable: Executable, search: str | None = None) -> Iterator[Program]:
    """The program that a command runs here, or `PiscesError`; `search` is the PATH for a script's `env NAME`."""
    path = _resolved(executable)
    opened = _opened(path)
    try:
        status = os.fstat(opened)
        _check_file(path, opened, status)
        header = program_header(os.read(opened, ENOUGH))
        os.lseek(opened, 0, os.SEEK_SET)
        check_start(header, path, os.environ.get("PATH", os.defpath) if search is None else search)
        held = -1 if os.name == "nt" else opened
        yield Program(path, held, header.kind, header.interpreter, _identity(status))
    finally:
        os.close(opened)


def missing_program(executable: Executable) -> Diagnostic | None:
    """Why the program of a command is not there; None where it is. Nothing is opened."""
    try:
        _resolved(executable)
    except PiscesError as error:
        return error.diagnostic
    return None


def is_unchanged(program: Program) -> bool:
    """Whether the path still leads to what was checked: the last question before a script starts."""
    try:
        return _identity(os.stat(program.path, follow_symlinks=False)) == program.identity
    except OSError:
        return False


def argv_of(program: Program, words: Sequence[str]) -> tuple[str, ...]:
    """Windows does not read the first line of a script, so there its interpreter is named."""
    if os.name == "nt" and program.kind == SCRIPT:
        return (*_windows_interpreter(program.interpreter), program.path, *words)
    return (program.path, *words)


def _resolved(executable: Executable) -> str:
    """Where the program really lies: inside of its package."""
    wanted = filled(executable.binary, executable.package, this_platform())
    if os.name == "nt":
        wanted = program_at(wanted) or wanted
    try:
        real, root = os.path.realpath(wanted), os.path.realpath(executable.package)
        mode = os.stat(real).st_mode
    except FileNotFoundError:
        raise PiscesError(_missing(executable, wanted)) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise PiscesError(rules.UNREADABLE.at(wanted, f"the program cannot be reached: {reason.lower()}")) from None
    if not lies_in(real, root):
        message = f"the program leads out of its package, to `{real}`"
        raise PiscesError(rules.OUTSIDE.at(wanted, message, hint="tell its author to put the program into the package"))
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "a device or a pipe"
        hint = "`binary` must name the file in it" if stat.S_ISDIR(mode) else ""
        raise PiscesError(rules.NOT_A_FILE.at(wanted, f"`{wanted}` is {kind}, not a program", hint=hint))
    return real


def _opened(path: str) -> int:
    try:
        return os.open(path, _FLAGS)
    except OSError as error:
        hint = f"chmod u+rx '{path}'" if isinstance(error, PermissionError) else "try again"
        message = f"the program cannot be opened: {(error.strerror or '').lower()}"
        raise PiscesError(rules.UNREADABLE.at(path, message, hint=hint)) from None


def _check_file(path: str, opened: int, status: os.stat_result) -> None:
    """The open file is the one that lies at the path which was found to be inside, and it may be run."""
    try:
        same = os.path.samestat(status, os.stat(path, follow_symlinks=False))
    except OSError:
        same = False
    if not same or not stat.S_ISREG(status.st_mode):
        raise PiscesError(rules.SWAPPED.at(path, "the program was replaced while it was checked", hint="run it again"))
    if sys.platform == "win32" or os.access(path, os.X_OK):
        return
    if not status.st_mode & 0o111:
        hint = f"chmod +x '{path}'"
        raise PiscesError(rules.NOT_EXECUTABLE.at(path, "the program has no run bit", hint=hint))
    if os.fstatvfs(opened).f_flag & os.ST_NOEXEC if hasattr(os, "ST_NOEXEC") else False:
        raise PiscesError(rules.noexec(path))
    message = "the program may be run by others, not by you"
    raise PiscesError(rules.NOT_EXECUTABLE.at(path, message, hint=f"ls -l '{path}' shows who may"))


def _missing(executable: Executable, wanted: str) -> Diagnostic:
    here = this_platform()
    shipped = shipped_platforms(executable.binary, executable.package)
    if shipped:
        message = f"there is no program for {here}: `{wanted}` does not exist"
        return rules.MISSING.at(wanted, message, hint=f"the package has it for {', '.join(shipped)}")
    hint = "if it is built, build it first; else tell the package's author"
    return rules.MISSING.at(wanted, f"the program `{wanted}` does not exist", hint=hint)


def _identity(status: os.stat_result) -> tuple[int, ...]:
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns


def _windows_interpreter(words: tuple[str, ...]) -> list[str]:
    """`/usr/bin/env python3 -u` and `/bin/sh` by their names alone."""
    named = [word for part in words for word in part.split()]
    first = os.path.basename(named[0])
    rest = [word for word in named[1:] if word != "-S"]
    return rest if first == "env" else [first, *rest]
