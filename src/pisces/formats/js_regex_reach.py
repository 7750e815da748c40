"""Whether a JavaScript regular expression can fit a text of certain characters, without trying any: in doubt, yes."""

from __future__ import annotations

from pisces.formats.js_regex import regex_flaw
from pisces.formats.js_regex_tree import Alternatives, At, NotRegularError, Repeat, Sequence, Unit, tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.formats.js_regex_tree import Node


def can_fit(pattern: str, characters: str, first: str) -> bool:
    """Whether it may match somewhere in a text that is made of `characters` and begins with `first`."""
    if regex_flaw(pattern):
        return False
    try:
        return _fits(tree(pattern), frozenset(map(ord, characters)), ord(first))
    except (NotRegularError, RecursionError):
        return True


def _fits(node: Node, characters: frozenset[int], first: int) -> bool:
    if isinstance(node, Alternatives):
        return any(_fits(part, characters, first) for part in node.parts)
    if isinstance(node, Sequence) and node.parts and node.parts[0] == At("^"):
        rest = Sequence(node.parts[1:])
        return _spells(rest, characters) and _starts(rest, first)
    return _spells(node, characters)


def _spells(node: Node, characters: frozenset[int]) -> bool:
    """Whether some text of these characters is a match. What takes no text may hold."""
    if isinstance(node, Unit):
        return any(low <= each <= high for low, high in node.ranges for each in characters)
    if isinstance(node, Sequence):
        return all(_spells(part, characters) for part in node.parts)
    if isinstance(node, Alternatives):
        return any(_spells(part, characters) for part in node.parts)
    return not isinstance(node, Repeat) or node.least == 0 or _spells(node.part, characters)


def _starts(node: Node, first: int) -> bool:
    """Whether a match may begin with this character, or be empty."""
    if isinstance(node, Unit):
        return any(low <= first <= high for low, high in node.ranges)
    if isinstance(node, Sequence):
        return next((_starts(part, first) for part in node.parts if not _is_empty(part)), True) or any(
            _starts(part, first) for part in _skippable(node)
        )
    if isinstance(node, Alternatives):
        return any(_starts(part, first) for part in node.parts)
    return not isinstance(node, Repeat) or node.least == 0 or _starts(node.part, first)


def _skippable(node: Sequence) -> list[Node]:
    """The parts at its beginning that may be left out."""
    end = next((at for at, part in enumerate(node.parts) if not _is_empty(part)), len(node.parts))
    return [part.part for part in node.parts[:end] if isinstance(part, Repeat)]


def _is_empty(node: Node) -> bool:
    """Whether a match may take no text."""
    if isinstance(node, Unit):
        return False
    if isinstance(node, Sequence):
        return all(map(_is_empty, node.parts))
    if isinstance(node, Alternatives):
        return any(map(_is_empty, node.parts))
    return not isinstance(node, Repeat) or node.least == 0 or _is_empty(node.part)
