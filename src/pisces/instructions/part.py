"""One piece of a system prompt with its origin, and what it costs."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.diagnostics import Diagnostic

CONTEXT, SKILLS, SUBAGENTS, SERVERS = "context", "skills", "subagents", "servers"

_BYTES_A_TOKEN = 4


class InstructionPart(Value):
    """`source` is the file that the text is from; empty for an index of many files.

    `level` is that of the file: what a project brings is left out until somebody trusts the project. `importer` is the
    file that imports this one. A part with a `condition` is read only when that is met, never with every prompt.
    """

    text: str
    source: str
    harness: str
    package: str
    kind: str
    level: str
    importer: str = ""
    condition: str = ""

    @property
    def tokens(self) -> int:
        return tokens_of(self.text)


class Instructions(Value):
    """`parts` are in the order in which the model reads them; `conditional` are those that wait for their condition."""

    parts: tuple[InstructionPart, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    conditional: tuple[InstructionPart, ...] = ()

    @property
    def tokens(self) -> int:
        return sum(part.tokens for part in self.parts)


def tokens_of(text: str) -> int:
    """An estimate: the bytes of the text as UTF-8 by four, rounded up. No tokenizer is nearer for all models."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // _BYTES_A_TOKEN)
