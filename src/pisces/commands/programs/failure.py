"""What it means that a program ended badly, in words, and what to do about it.

The system's own words are short and often wrong ("no such file" for a missing loader); a program's last words often
name the reason. Both are read here, in that order, and a code or a signal alone is explained where they say nothing.
"""

from __future__ import annotations

import errno
import os
import re
import signal
import sys

from pisces.commands.programs import program_rules as rules
from pisces.diagnostics import ERROR, NOTE, Rule
from pisces.processes.launch import STOPPED, TIMEOUT, TOO_MANY_PROCESSES, TOO_MUCH_OUTPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.commands.programs.program import Program
    from pisces.diagnostics import Diagnostic
    from pisces.processes.launch import Ended

FAILED = Rule(
    "program-failed",
    ERROR,
    "A program ended with an error",
    "Every exit code but 0 means that the program could not do what it was asked for. What it printed says why.",
    "/gallery shwo terraform",
    "/gallery show terraform",
)
KILLED = Rule(
    "program-killed",
    ERROR,
    "A program was killed by a signal",
    "It crashed, or the system or somebody else ended it.",
    "/gallery index /, until memory is full",
    "/gallery index ~/extensions",
)
TIMED_OUT = Rule(
    "program-timeout",
    ERROR,
    "A program took too long and was ended",
    "Its manifest, or whoever called it, allows only so much time.",
    '"timeout": 5, for a program that downloads',
    "pisces run --timeout 60 '/gallery index'",
)
WAS_STOPPED = Rule(
    "program-stopped",
    NOTE,
    "A program was stopped by the user",
    "All of its processes were ended.",
    "Ctrl-C while /gallery index runs",
    "Run it again to let it finish.",
)
PRINTED_TOO_MUCH = Rule(
    "program-output",
    ERROR,
    "A program printed more than it may, and was ended",
    "A program that never stops printing would fill memory, screen and context.",
    "yes",
    "yes | head",
)
FORKED_TOO_MUCH = Rule(
    "program-processes",
    ERROR,
    "A program started more processes than it may, and was ended",
    "A program that starts copies of itself without end takes the machine with it.",
    "bomb() { bomb | bomb & }; bomb",
    "make -j8",
)
NOT_STARTED = Rule(
    "program-not-started",
    ERROR,
    "The system did not start a program",
    "It passed every check, and the system refused all the same.",
    "/gallery show, with 10 MB of arguments",
    "/gallery show @names.txt",
)
LIBRARY = Rule(
    "program-library",
    ERROR,
    "A program needs a library that is not installed",
    "Programs that are not built statically load libraries when they start.",
    "error while loading shared libraries: libsqlite3.so.0",
    "Install the library, or ask the author for a static build.",
)

_LIBRARIES = (
    (r"error while loading shared libraries: ([^\s:]+): cannot open", "the library `{0}` is not installed"),
    (r"Error loading shared library ([^\s:]+): No such file", "the library `{0}` is not installed"),
    (r"Library not loaded: (\S+)", "the library `{0}` is not installed"),
    (r"version [`'](GLIBC\w*_[\d.]+)' not found", "it is built for a newer system, with {0}"),
    (r"Error relocating \S+ (\S+): symbol not found", "it is built for another C library: `{0}` is not in this one"),
    (r"ModuleNotFoundError: No module named '([^']+)'", "it needs the Python module `{0}`"),
    (r"Cannot find module '([^']+)'", "it needs the Node module `{0}`"),
)
_INTERPRETER = re.compile(r"env: (?:can't execute )?[‘'\"]?([^:‘’'\"\n]+)[’'\"]?: No such file or directory")
_CRASHES = ("SIGSEGV", "SIGBUS", "SIGABRT", "SIGFPE", "SIGTRAP")
_SIGNALS = {
    "SIGKILL": "perhaps memory ran out: `dmesg` or the container's limits may say so",
    "SIGILL": "it is built for a newer processor; ask the author for a build for older ones",
    "SIGSYS": "it did something that the sandbox does not allow",
    "SIGXCPU": "it used up the time that `ulimit -t` allows",
    "SIGXFSZ": "it wrote a larger file than `ulimit -f` allows",
    "SIGPIPE": "nobody was left to read what it printed",
}
_CODES = {
    126: "something that it started may not be run; look for a missing run bit",
    127: "something that it started is not installed, or not on your PATH",
    2: "perhaps it was called wrongly: `--help` may say how",
}
_ERRNOS = {
    errno.E2BIG: ("its arguments are too long", "give it fewer, or a file with them"),
    errno.ETXTBSY: ("somebody is writing to it just now", "wait until the update is done, and try again"),
    errno.EAGAIN: ("too many processes are running", "end some, or raise `ulimit -u`"),
    errno.ENOMEM: ("there is not enough memory", "end other programs"),
    errno.EMFILE: ("too many files are open", "raise `ulimit -n`"),
}
_BAD_PROCESSOR = 86  # macOS's EBADARCH, which Python has no name for elsewhere
_READ = 20_000  # characters of what was printed: the reason stands at the beginning or at the end


def failure(ended: Ended, program: Program, errors: str) -> Diagnostic:
    """Why a run failed; `errors` is what the program wrote to stderr, or the end of it."""
    name = os.path.basename(program.path)
    if ended.reason:
        return _ended_by_us(ended, program, name)
    if ended.failure:
        return _not_started(ended, program, name)
    told = errors if len(errors) <= 2 * _READ else f"{errors[:_READ]}\n{errors[-_READ:]}"
    found = _from_last_words(told, program, name)
    if found:
        return found
    return _by_signal(ended, program, name) if ended.signal else _by_code(ended, program, name)


def _ended_by_us(ended: Ended, program: Program, name: str) -> Diagnostic:
    after = f"after {ended.seconds:.1f} s"
    if ended.reason == TIMEOUT:
        hint = "give it more with `--timeout`, or the author can raise `timeout` in the manifest"
        return TIMED_OUT.at(program.path, f"`{name}` took too long and was ended {after}", hint=hint)
    if ended.reason == TOO_MUCH_OUTPUT:
        message = f"`{name}` printed more than it may and was ended {after}"
        return PRINTED_TOO_MUCH.at(program.path, message, hint="ask it for less, or write to a file")
    if ended.reason == TOO_MANY_PROCESSES:
        message = f"`{name}` started more processes than it may and was ended {after}"
        return FORKED_TOO_MUCH.at(program.path, message, hint="tell its author; all of its processes are gone")
    assert ended.reason == STOPPED, ended.reason
    return WAS_STOPPED.at(program.path, f"`{name}` was stopped {after}", hint="all of its processes are ended")


def _not_started(ended: Ended, program: Program, name: str) -> Diagnostic:
    path = program.path
    if ended.errno in (errno.ENOEXEC, _BAD_PROCESSOR):
        message = f"the system cannot run `{name}`: it is damaged, or built for another processor"
        return rules.ARCHITECTURE.at(path, message, hint="ask the author for a build for this machine")
    if ended.errno in (errno.EACCES, errno.EPERM):
        if _is_noexec(path):
            return rules.noexec(path)
        hint = f"ls -l '{path}'; on macOS: xattr -d com.apple.quarantine '{path}'"
        return rules.NOT_EXECUTABLE.at(path, f"the system does not let you run `{name}`", hint=hint)
    if ended.errno == errno.ENOENT and os.path.exists(path):
        what = program.interpreter[0] if program.interpreter else "its loader or the folder to work in"
        return rules.INTERPRETER.at(path, f"`{name}` is there, {what} is not", hint="install what it needs")
    if ended.errno == errno.ENOENT:
        return rules.MISSING.at(path, f"`{path}` is gone", hint="install the package again")
    reason, hint = _ERRNOS.get(ended.errno, (ended.failure.lower(), "try again; if it stays so, tell its author"))
    return NOT_STARTED.at(path, f"`{name}` did not start: {reason}", hint=hint)


def _from_last_words(errors: str, program: Program, name: str) -> Diagnostic | None:
    for pattern, message in _LIBRARIES:
        found = re.search(pattern, errors)
        if found:
            told = message.format(found[1])
            return LIBRARY.at(program.path, f"`{name}` did not run: {told}", hint=_library_hint(pattern, found[1]))
    found = _INTERPRETER.search(errors)
    if found:
        message = f"`{name}` wants to run `{found[1]}`, which is not on your PATH"
        return rules.INTERPRETER.at(program.path, message, hint=f"install `{found[1]}`, or add its folder to PATH")
    return None


def _library_hint(pattern: str, what: str) -> str:
    if "Python" in pattern or "ModuleNotFoundError" in pattern:
        return f"install it for the Python that runs the script: `python3 -m pip install {what.partition('.')[0]}`"
    if "Cannot find module" in pattern:
        return "run `npm install` in the package, or ask the author to ship it with the package"
    if "GLIBC" in pattern or "relocating" in pattern:
        return "ask the author for a static build, or one for older systems"
    return "install the package of your system that has it, or ask the author for a static build"


def _by_signal(ended: Ended, program: Program, name: str) -> Diagnostic:
    if ended.signal in _CRASHES:
        message = f"`{name}` crashed ({ended.signal}) after {ended.seconds:.1f} s"
        return KILLED.at(program.path, message, hint="this is a bug of the program: tell its author what you typed")
    hint = _SIGNALS.get(ended.signal, "somebody else ended it; run it again")
    return KILLED.at(program.path, f"`{name}` was killed by {ended.signal} after {ended.seconds:.1f} s", hint=hint)


def _by_code(ended: Ended, program: Program, name: str) -> Diagnostic:
    code = ended.code or 0
    inner = _signal_of(code)
    if inner:
        message = f"`{name}` exited with code {code}: something that it ran was killed by {inner}"
        return FAILED.at(program.path, message, hint=_SIGNALS.get(inner, "run it again, or tell its author"))
    hint = _CODES.get(code, "what it printed may say why; if it printed nothing, ask its author")
    return FAILED.at(program.path, f"`{name}` exited with code {code}", hint=hint)


def _signal_of(code: int) -> str:
    """Shells say 128 and the number of the signal."""
    try:
        return signal.Signals(code - 128).name if code > 128 and os.name != "nt" else ""
    except ValueError:
        return ""


def _is_noexec(path: str) -> bool:
    if sys.platform == "win32":
        return False
    try:
        return bool(os.statvfs(path).f_flag & getattr(os, "ST_NOEXEC", 0))
    except OSError:
        return False
