"""A finished prompt: text and files in the order in which the model reads them."""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.diagnostics import Diagnostic

TEXT = "text/plain"


class Part(Value):
    """Text, or the bytes of an image, a document or a sound; `path` names the file that it came from."""

    text: str = ""
    mime: str = TEXT
    data: bytes = b""
    path: str = ""


class Prompt(Value):
    """`diagnostics` say what was left out: a file that is ignored, missing or too large."""

    parts: tuple[Part, ...]
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts)
