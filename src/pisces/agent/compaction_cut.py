"""What stays of a conversation, decided without a model: the last turns whole, and the user's own words.

A call and its result are never separated. Tokens are estimates: four bytes each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.agent.compaction_entry import MESSAGE, Compaction, place_of, standing
from pisces.shapes.message import BY_USER, ChatMessage, ImagePart, ResultPart, TextPart
from pisces.value import Value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from pisces.agent.compaction_entry import PlacedEntry
    from pisces.shapes.message import MessagePart

UNKNOWN_WINDOW = 100_000
_BYTES_A_TOKEN, _IMAGE_TOKENS, _PART_TOKENS = 4, 1_500, 8
_FULL, _ROOMY = 0.8, 0.5  # shares of the window: compacted from the first on; shortened results suffice below the other
_TAIL_SHARE, _MOST_TAIL = 0.2, 20_000  # of what stays whole
_WORDS_SHARE, _MOST_WORDS = 0.2, 20_000  # of the user's own words
_LONG_RESULT = 500  # tokens from which a result is shortened
_SHOWN = 400  # characters that stay of it
_CUT = "[{} more characters of this result were taken out of the conversation. All of it: {}]"
_NO_FILE = "it was not stored; call the tool again if you need it"


class PlacedMessage(Value):
    """A message of the conversation with the id of its entry."""

    entry: str
    message: ChatMessage


class Cut(Value):
    """`old` is to be summarised, `stays` stays whole. `words` are the user's own in `old` and in what was summarised
    before, of which `left_out` are too many. `before` is the compaction that counts until now.
    """

    old: tuple[PlacedMessage, ...]
    stays: tuple[PlacedMessage, ...]
    words: tuple[str, ...]
    left_out: int
    before: Compaction


def window_of(window: int) -> int:
    return window or UNKNOWN_WINDOW


def is_full(used: int, window: int) -> bool:
    """Whether it is time to compact: the rest is for the answer, and for results that come at once."""
    return used >= window_of(window) * _FULL


def is_roomy(used: int, window: int) -> bool:
    """Whether a conversation with shortened results is short enough to go on without a summary."""
    return used <= window_of(window) * _ROOMY


def tokens_of_message(message: ChatMessage) -> int:
    return sum(map(tokens_of_part, message.parts))


def tokens_of_part(part: MessagePart) -> int:
    if isinstance(part, ImagePart):
        return _IMAGE_TOKENS
    if isinstance(part, ResultPart):
        return _PART_TOKENS + sum(map(tokens_of_part, part.parts))
    texts = (each for each in part.as_tuple() if isinstance(each, str))
    given = str(getattr(part, "input", "") or "")
    return _PART_TOKENS + (sum(map(_size, texts)) + len(given)) // _BYTES_A_TOKEN


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))


def context_of(
    entries: Sequence[PlacedEntry], message_of: Callable[[Mapping[str, Any]], ChatMessage]
) -> tuple[Compaction, tuple[PlacedMessage, ...]]:
    """The compaction that counts, and all messages after what it took out, each as the model gets it."""
    found = standing(entries)
    before = found[1] if found else Compaction()
    messages = [each for each in entries if each.kind == MESSAGE]
    ids = [each.id for each in messages]
    start = ids.index(before.first) if before.first in ids else 0
    placed = (PlacedMessage(each.id, message_of(each.fields["message"])) for each in messages[start:])
    return before, tuple(each.replace(message=before.applied(each.entry, each.message)) for each in placed)


def most_that_stays(window: int) -> int:
    return int(min(window_of(window) * _TAIL_SHARE, _MOST_TAIL))


def most_words(window: int) -> int:
    """Tokens of the user's own words that stay."""
    return int(min(window_of(window) * _WORDS_SHARE, _MOST_WORDS))


def tokens_of_words(words: str) -> int:
    return _PART_TOKENS + _size(words) // _BYTES_A_TOKEN


def cut_of(before: Compaction, messages: Sequence[PlacedMessage], window: int, most: int) -> Cut:
    """At most so many tokens stay whole; the last turn always does."""
    at = _first_that_stays(messages, most)
    old, stays = tuple(messages[:at]), tuple(messages[at:])
    own = filter(None, (words_of_user(each.message) for each in old))
    words, left_out = _within((*before.words, *own), most_words(window))
    return Cut(old, stays, words, before.left_out + left_out, before)


def _first_that_stays(messages: Sequence[PlacedMessage], most: int) -> int:
    """Results stay with the calls before them."""
    first, tokens = len(messages), 0
    for at in range(len(messages) - 1, -1, -1):
        tokens += tokens_of_message(messages[at].message)
        if tokens > most and first < len(messages):
            break
        if not has_results(messages[at].message):
            first = at
    return first


def has_results(message: ChatMessage) -> bool:
    return any(isinstance(each, ResultPart) for each in message.parts)


def words_of_user(message: ChatMessage) -> str:
    """Empty for a message that the user did not write."""
    if message.role != BY_USER or has_results(message):
        return ""
    return "\n".join(each.text if isinstance(each, TextPart) else "[image]" for each in message.parts).strip()


def _within(words: Sequence[str], most: int) -> tuple[tuple[str, ...], int]:
    """The last of them, as many as fit, and how many do not. The very last is the present request: it always fits."""
    chosen: list[str] = []
    tokens = 0
    for each in reversed(words):
        tokens += tokens_of_words(each)
        if chosen and tokens > most:
            break
        chosen.append(each)
    return tuple(reversed(chosen)), len(words) - len(chosen)


def long_results(messages: Iterable[PlacedMessage]) -> dict[str, str]:
    """The texts of results that are worth shortening, by their place."""
    return {
        place_of(each.entry, at): part.text
        for each in messages
        for at, part in enumerate(each.message.parts)
        if isinstance(part, ResultPart) and (tokens_of_part(part) > _LONG_RESULT)
    }


def shortened_text(text: str, path: str) -> str:
    """The beginning of a result, and where all of it is."""
    return "\n".join(filter(None, (text[:_SHOWN], _CUT.format(f"{max(0, len(text) - _SHOWN):,}", path or _NO_FILE))))


def tokens_of_all(messages: Iterable[PlacedMessage]) -> int:
    return sum(tokens_of_message(each.message) for each in messages)
