"""A decoder for answers of strangers: whatever a server sends, there are deltas, an answer or a `ModelFailed`.

Decoders take an API at its word. What is not as the API says fails here, in one place, and text becomes text that can
be written anywhere: some servers cut a character in two halves.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pisces.models.wire import ModelAnswer, ModelFailed, Usage
from pisces.shapes.message import CallPart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.models.wire import Decoder, Delta
    from pisces.shapes.message import MessagePart

_NONSENSE = (AttributeError, TypeError, ValueError, LookupError, ArithmeticError, RecursionError)
_MOST_TOKENS = 10**12
_MOST_WHY = 2_000


class GuardedDecoder:
    def __init__(self, decoder: Decoder) -> None:
        self._decoder = decoder

    def fed(self, name: str, data: str) -> Sequence[Delta]:
        try:
            return [delta.replace(text=whole_characters(delta.text)) for delta in self._decoder.fed(name, data)]
        except _NONSENSE as error:
            raise _nonsense(error) from None

    def answer(self) -> ModelAnswer:
        try:
            return _clean(self._decoder.answer())
        except _NONSENSE as error:
            raise _nonsense(error) from None


def whole_characters(text: str) -> str:
    """Halves of a character that stand side by side become one, others a replacement character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _nonsense(error: Exception) -> ModelFailed:
    return ModelFailed(f"the server's answer is not as its API says ({type(error).__name__})")


def _clean(answer: ModelAnswer) -> ModelAnswer:
    message = answer.message.replace(parts=tuple(map(_clean_part, answer.message.parts)))
    usage = Usage(*map(_count, answer.usage.as_tuple()))
    return answer.replace(
        message=message, usage=usage, model=whole_characters(answer.model), why=whole_characters(answer.why)[:_MOST_WHY]
    )


def _clean_part(part: MessagePart) -> MessagePart:
    fields = zip(type(part).__fields__, part.as_tuple(), strict=True)
    changed = {name: whole_characters(value) for name, value in fields if isinstance(value, str)}
    made: MessagePart = part.replace(**changed)
    return made.replace(input=_clean_input(made.input)) if isinstance(made, CallPart) else made


def _clean_input(given: Any) -> Any:
    text = json.dumps(given, ensure_ascii=False)
    whole = whole_characters(text)
    return given if whole == text else json.loads(whole)


def _count(value: Any) -> int:
    """A number of tokens; a figure that is none counts nothing."""
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return int(value) if is_number and 0 <= value <= _MOST_TOKENS else 0
