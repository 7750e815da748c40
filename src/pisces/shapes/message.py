"""A conversation with a model, in a shape that no provider owns: messages of parts.

What only the provider that wrote a part understands (a signature, an item's id, hidden thinking) stays with the part,
and goes back to that provider and to no other: `ChatMessage.wire` names the wire format that wrote it.
"""

from __future__ import annotations

from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    MessagePart: TypeAlias = "TextPart | ImagePart | ThinkingPart | CallPart | ResultPart"

BY_USER, BY_MODEL = "user", "model"


class TextPart(Value):
    text: str
    signature: str = ""


class ImagePart(Value):
    """`data` is in base64."""

    mime: str
    data: str


class ThinkingPart(Value):
    """`hidden` is thinking that the provider encrypted, `item` its id there."""

    text: str = ""
    signature: str = ""
    hidden: str = ""
    item: str = ""


class CallPart(Value):
    """The model calls a tool. `malformed` is what it wrote if that is no JSON object; `input` is empty then."""

    id: str
    name: str
    input: Mapping[str, Any] = EMPTY
    malformed: str = ""
    signature: str = ""
    item: str = ""


class ResultPart(Value):
    """What became of the call `id` of the tool `name`."""

    id: str
    name: str
    parts: tuple[TextPart | ImagePart, ...] = ()
    is_error: bool = False

    @property
    def text(self) -> str:
        return "\n".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def images(self) -> tuple[ImagePart, ...]:
        return tuple(part for part in self.parts if isinstance(part, ImagePart))


class ChatMessage(Value):
    """`role` is BY_USER or BY_MODEL. Results of tools are the user's."""

    role: str
    parts: tuple[MessagePart, ...]
    wire: str = ""

    @property
    def text(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, TextPart))

    @property
    def calls(self) -> tuple[CallPart, ...]:
        return tuple(part for part in self.parts if isinstance(part, CallPart))
