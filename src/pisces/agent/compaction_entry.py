"""What a compaction leaves of a conversation: the one place that makes messages for a model from a branch of entries.

A compaction is an entry of the transcript. Nothing before it is changed, so that undoing one is an entry, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from pisces.shapes.message import BY_USER, ChatMessage, ResultPart, TextPart
from pisces.value import EMPTY, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

COMPACTION, MESSAGE = "compaction", "message"

_HEAD = "The conversation before this point was made shorter. Nobody has to be asked to go on: continue the work."
_WORDS = "What the user wrote before, word for word, the oldest first:"
_LEFT_OUT = "({} older messages of the user are only in the summary.)"
_SUMMARY = "What happened before, as a summary:"


class PlacedEntry(Protocol):
    """A line of a transcript."""

    @property
    def kind(self) -> str: ...
    @property
    def id(self) -> str: ...
    @property
    def fields(self) -> Mapping[str, Any]: ...


class Compaction(Value):
    """The fields of the entry. `first` is the id of the first entry that stays; empty if all of them do.

    `words` are the user's messages before it, word for word; `left_out` says how many more there were. `shortened` has
    texts that take the place of long results, by entry and number of the part: `place_of`. `undone` is the id of a
    compaction that does not count any more. `tokens` is an estimate of what the next request has.
    """

    summary: str = ""
    first: str = ""
    words: tuple[str, ...] = ()
    left_out: int = 0
    shortened: Mapping[str, str] = EMPTY
    trigger: str = ""
    tokens: int = 0
    undone: str = ""

    def as_json(self) -> dict[str, Any]:
        """Fields that are empty are left out."""
        fields = zip(self.__fields__, self.as_tuple(), strict=True)
        made = {name: value for name, value in fields if value}
        if self.words:
            made["words"] = list(self.words)
        return {**made, "shortened": dict(self.shortened)} if self.shortened else made

    @property
    def head(self) -> ChatMessage | None:
        """What takes the place of all that is gone; None where nothing is."""
        if not self.summary:
            return None
        blocks = [f"<user_message>\n{each}\n</user_message>" for each in self.words]
        more = [_LEFT_OUT.format(self.left_out)] if self.left_out else []
        words = [_WORDS, *more, *blocks] if blocks or more else []
        text = "\n\n".join((_HEAD, *words, _SUMMARY, f"<summary>\n{self.summary}\n</summary>"))
        return ChatMessage(BY_USER, (TextPart(text),))

    def applied(self, entry: str, message: ChatMessage) -> ChatMessage:
        """A message that stays, with its long results shortened."""
        if not self.shortened or not any(isinstance(each, ResultPart) for each in message.parts):
            return message
        return message.replace(
            parts=tuple(self._shortened(place_of(entry, at), part) for at, part in enumerate(message.parts))
        )

    def _shortened(self, place: str, part: Any) -> Any:
        is_meant = isinstance(part, ResultPart) and place in self.shortened
        return part.replace(parts=(TextPart(self.shortened[place]),)) if is_meant else part


def place_of(entry: str, at: int) -> str:
    """Ids of calls are not enough: models may use one twice."""
    return f"{entry}:{at}"


def compaction_of(fields: Mapping[str, Any]) -> Compaction:
    """What an entry says. A transcript may have been changed by anybody: a field of another type does not count."""
    words, shortened, left_out = fields.get("words"), fields.get("shortened"), fields.get("left_out")
    tokens = fields.get("tokens")
    return Compaction(
        summary=_text(fields.get("summary")),
        first=_text(fields.get("first")),
        words=tuple(map(_text, words)) if isinstance(words, list | tuple) else (),
        left_out=left_out if isinstance(left_out, int) else 0,
        shortened={str(key): _text(text) for key, text in shortened.items()} if isinstance(shortened, dict) else EMPTY,
        trigger=_text(fields.get("trigger")),
        tokens=tokens if isinstance(tokens, int) else 0,
        undone=_text(fields.get("undone")),
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def standing(entries: Iterable[PlacedEntry]) -> tuple[str, Compaction] | None:
    """The last compaction of a branch that was not undone, with its id; None where there is none."""
    found: dict[str, Compaction] = {}
    for each in entries:
        if each.kind != COMPACTION:
            continue
        compaction = compaction_of(each.fields)
        if compaction.undone:
            found.pop(compaction.undone, None)
        else:
            found[each.id] = compaction
    return next(reversed(found.items()), None)


def conversation(
    entries: Sequence[PlacedEntry], message_of: Callable[[Mapping[str, Any]], ChatMessage]
) -> tuple[ChatMessage, ...]:
    """What a model gets of a branch. `message_of` reads the field `message` of an entry."""
    found = standing(entries)
    messages = [each for each in entries if each.kind == MESSAGE]
    if found is None:
        return tuple(message_of(each.fields["message"]) for each in messages)
    compaction = found[1]
    ids = [each.id for each in messages]
    start = ids.index(compaction.first) if compaction.first in ids else 0
    stay = (compaction.applied(each.id, message_of(each.fields["message"])) for each in messages[start:])
    return tuple(each for each in (compaction.head if start else None, *stay) if each is not None)
