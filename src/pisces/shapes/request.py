"""Something asks to run, and a gate answers: allowed, or denied with a reason."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Gate = Callable[["Request"], "Verdict"]
    Ask = Callable[["Request", str], str]  # the request and what is special about it; one of the answers below

SHELL = "shell"  # a command line inside a prompt file, for the shell
PROGRAM = "program"  # a package's own executable, with its arguments

ONCE = "once"
SESSION = "session"  # and from now on without asking, until the host ends; for a program: until it changes
NEVER = "never"  # remembered for good
NO = "no"


class Request(Value):
    """`exact` is what would run, to the letter; `command` is what the user typed; `path` is the file that asks.

    Of a program, `program` is its resolved path, `identity` what the system says of the open file (device, inode,
    size, times), and `sha256` the hash of its bytes where a gate has found it out. `trusted` is set where the user
    named the package for this run, `confirm` where the author wants every call confirmed. `env` are the names of the
    variables that its package declares, settings first.
    """

    kind: str
    exact: str
    command: str
    path: str
    cwd: str = ""
    program: str = ""
    package: str = ""
    identity: tuple[int, ...] = ()
    sha256: str = ""
    trusted: bool = False
    confirm: bool = False
    env: tuple[str, ...] = ()


class Verdict(Value):
    """A denial says why in `reason`, and what to do about it in `hint`."""

    allowed: bool
    reason: str = ""
    hint: str = ""
