"""The nearest known word, for the hint of a diagnostic."""

from __future__ import annotations

from pisces.formats.edit_distance import distance

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

_FURTHEST = 3
_TOO_LONG = 40  # such a word is no typing mistake, and comparing costs the product of the lengths


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """A hint, or nothing where no known word is near."""
    if len(word) > _TOO_LONG:
        return ""
    plain = _plain(word)
    alike = [each for each in known if abs(len(each) - len(word)) <= _FURTHEST + 1]
    near = [(distance(plain, _plain(each), _FURTHEST), each) for each in alike]
    steps, best = min(near, default=(99, ""))
    return f"did you mean `{best}`?" if steps <= max(1, min(_FURTHEST, len(best) // 3)) else ""


def _plain(word: str) -> str:
    return word.lower().replace("_", "").replace("-", "")
