"""A program that `/name` starts: what a manifest's `commands` entry says of it, with nothing resolved or checked yet.

`type`, `binary`, `description`, `subcommands`, `requireConfirm` and `env` are those of seed 002; the rest is ours.
"""

from __future__ import annotations

from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

NEVER = "none"  # what the program prints is for the user alone
ON_REQUEST = "on request"  # the user may hand it to the model
APPENDED = "append"  # it becomes part of the conversation
CONTEXTS = (NEVER, ON_REQUEST, APPENDED)


class Executable(Value):
    """`binary` is a template; `package` is the absolute folder that `${extensionPath}` stands for.

    `timeout` is in seconds, 0 means none. `interactive` wants a terminal of its own, `worker` speaks JSON lines and
    stays alive between calls. `publisher` and `key` (a minisign public key) say who signs the binary.
    """

    binary: str
    package: str
    subcommands: tuple[str, ...] = ()
    require_confirm: bool = False
    env: Mapping[str, str] = EMPTY
    timeout: float = 0
    interactive: bool = False
    worker: bool = False
    context: str = NEVER
    publisher: str = ""
    key: str = ""
    sandbox: bool = False
