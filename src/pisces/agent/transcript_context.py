"""From a branch of a transcript to the messages that a model gets.

The branch is walked backwards, so that what a compaction has replaced is not even read. What a crash cut off is made
whole: models refuse a conversation in which a call has no result.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from pisces.agent.message_json import message_of_json
from pisces.agent.transcript_entry import COMPACTION, LEAF, MESSAGE, TranscriptEntry, entry_of, head_of, is_id
from pisces.by_name import export_of
from pisces.shapes.message import BY_MODEL, BY_USER, ChatMessage, ResultPart, TextPart

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from pisces.shapes.message import CallPart

UNKNOWN_RESULT = "It is not known whether this ran: the session ended before its result was stored"
_MOST_GAPS = 100
_MOST_MESSAGES = 10_000  # that are read at once; no provider takes many more


class BranchLine(NamedTuple):
    """A line of a branch that is not parsed yet."""

    kind: bytes
    id: bytes
    parent: bytes
    line: bytes


def branch_to(leaf: str, newest_first: Callable[[], Iterator[bytes]]) -> Iterator[TranscriptEntry]:
    """The entries from a leaf back to the first one."""
    return entries_in(branch_lines(leaf, newest_first))


def entries_in(branch: Iterable[BranchLine]) -> Iterator[TranscriptEntry]:
    return filter(None, (entry_of(each.line) for each in branch))


def branch_lines(leaf: str, newest_first: Callable[[], Iterator[bytes]]) -> Iterator[BranchLine]:
    """The lines of the same. A parent always stands before its child, so there is no circle.

    If a line in between is lost, the branch goes on with the entry before the gap.
    """
    wanted = leaf.encode() if is_id(leaf) else b""
    for _ in range(_MOST_GAPS if wanted else 0):
        last = None
        for last in _chain(wanted, newest_first()):
            yield last
        if last is None or not last.parent:
            return
        wanted = _before(last.id, newest_first())


def _chain(wanted: bytes, lines: Iterable[bytes]) -> Iterator[BranchLine]:
    for line in lines:
        if wanted not in line:  # far quicker than to look at its head
            continue
        head = head_of(line)
        if head is None or head[1] != wanted:
            continue
        yield BranchLine(*head, line)
        wanted = head[2]
        if not wanted:
            return


def _before(entry_id: bytes, lines: Iterator[bytes]) -> bytes:
    """The id of the entry that stands before another one in the file."""
    for line in lines:
        if entry_id in line and (found := head_of(line)) is not None and found[1] == entry_id:
            break
    heads = map(head_of, lines)
    return next((each[1] for each in heads if each is not None and each[0] != LEAF.encode()), b"")


def context_entries(
    newest_first: Iterable[TranscriptEntry],
    whole: Callable[[TranscriptEntry], Mapping[str, Any]],
    most: float = math.inf,
    rest: Iterable[BranchLine] = (),
) -> list[TranscriptEntry]:
    """Messages and compactions of a branch, oldest first, from the last message that a compaction replaced.

    Each message is read: its field `message` is a `ChatMessage`. What is no message is left out. Of more than `most`
    tokens only the end is read: then the last entry is a compaction without an id that stands for the `rest`, the lines
    that `newest_first` did not come to.
    """
    found: list[TranscriptEntry] = []
    undone: set[str] = set()
    first: str | None = None
    is_behind = False
    count, tokens = 0, 0
    tokens_of_message = export_of("pisces.agent", "compaction_cut", "tokens_of_message")
    for entry in newest_first:
        if entry.kind == MESSAGE:
            message = _message(whole(entry))
            if message is not None:
                found.append(TranscriptEntry(MESSAGE, entry.id, entry.parent, entry.at, {"message": message}))
                count, tokens = count + 1, tokens + tokens_of_message(message)
            if is_behind:
                break
            is_behind = entry.id == first
            if not is_behind and (tokens > most or count > _MOST_MESSAGES) and len(found) > 1:
                before = export_of("pisces.agent", "transcript_beginning", "beginning_of")
                return [*found[::-1], before(found, rest, whole, most)]
        elif entry.kind == COMPACTION:
            fields = whole(entry)
            found.append(entry.replace(fields=fields))
            undone.add(_text(fields.get("undone")))
            if first is None and entry.id not in undone and not _text(fields.get("undone")):
                first = _text(fields.get("first"))
    return found[::-1]


def as_read(message: Any) -> ChatMessage:
    """The field `message` of a context's entry, which is read already."""
    assert isinstance(message, ChatMessage)
    return message


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _message(fields: Mapping[str, Any]) -> ChatMessage | None:
    try:
        return message_of_json(fields.get("message", {}))
    except ValueError:
        return None


def whole_conversation(messages: Sequence[ChatMessage]) -> Iterator[ChatMessage]:
    """With a result for each call, and without results of calls that are not there."""
    calls: tuple[CallPart, ...] = ()
    for message in messages:
        made = _without_strays(message, {call.id for call in calls})
        if calls:
            has_results = any(isinstance(part, ResultPart) for part in made.parts)
            results = _missing(calls, made if has_results else None)
            if results and has_results:
                made = made.replace(parts=(*results, *made.parts))
            elif results:
                yield ChatMessage(BY_USER, results)
        calls = made.calls if made.role == BY_MODEL else ()
        if made.parts or not message.parts:
            yield made
    if calls:
        yield ChatMessage(BY_USER, _missing(calls, None))


def _without_strays(message: ChatMessage, known: set[str]) -> ChatMessage:
    parts = tuple(each for each in message.parts if not isinstance(each, ResultPart) or each.id in known)
    return message if len(parts) == len(message.parts) else message.replace(parts=parts)


def _missing(calls: Sequence[CallPart], message: ChatMessage | None) -> tuple[ResultPart, ...]:
    there = {part.id for part in message.parts if isinstance(part, ResultPart)} if message else set()
    unknown = (TextPart(UNKNOWN_RESULT),)
    return tuple(ResultPart(call.id, call.name, unknown, is_error=True) for call in calls if call.id not in there)
