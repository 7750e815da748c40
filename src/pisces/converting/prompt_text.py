"""Text with places that a harness fills in: arguments, command lines, files and variables, whatever it spells them.

The reader of a harness cuts its text into parts, the writer of another puts them together in its own spelling. A text
without a place is one `str`, so that what needs no change is written as it was found.
"""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

# What a PromptVariable may be named. A setting is `setting:KEY`, a variable of the environment `env:NAME`.
ROOT, DATA, PROJECT, SKILL_FOLDER, SESSION = "root", "data", "project", "skill folder", "session"
SETTING, ENVIRONMENT = "setting:", "env:"


class PromptVariable(Value):
    """`written` is as found; `default` is what `${NAME:-default}` says."""

    name: str
    written: str
    default: str | None = None


class PromptArguments(Value):
    """All that the user typed behind the command."""

    written: str


class PromptArgument(Value):
    """One of them. `number` counts from 0; `name` is set where the header names its arguments."""

    number: int
    written: str
    name: str = ""


class PromptLine(Value):
    """A command line that runs before the model reads the text. `block` is one that stands in a fence of its own."""

    parts: tuple[Part, ...]
    written: str
    block: bool = False


class PromptInclude(Value):
    """A file whose content stands here; its name may hold variables and arguments."""

    parts: tuple[Part, ...]
    written: str


class PromptLiteral(Value):
    """Text that its grammar spells in another way than it reads: `\\$1` means `$1`, and no argument."""

    text: str
    written: str


Part: TypeAlias = "str | PromptVariable | PromptArguments | PromptArgument | PromptLine | PromptInclude | PromptLiteral"


class PromptText(Value):
    parts: tuple[Part, ...] = ()

    @property
    def written(self) -> str:
        """The text as it was found."""
        return "".join(each if isinstance(each, str) else each.written for each in self.parts)

    def spelled(self, spelling: Callable[[Part], str]) -> str:
        """The text with each part in another spelling."""
        return "".join(map(spelling, self.parts))


def plain(text: str) -> PromptText:
    return PromptText((text,) if text else ())
