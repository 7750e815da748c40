"""A kind of thing one can ask for: how two of it are the same, and what makes one usable at all."""

from __future__ import annotations

from pisces.discovery.found import Kind, OfKind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Container
    from typing import Any


class Capability(OfKind[Kind]):
    """`key` gives the name for dedup (None: every item counts); `flaw` says what a found item lacks, if anything.

    `also` is another word that ids of single items may begin with.
    """

    id: str
    singular: str
    plural: str
    key: Callable[[Kind], Any] | None
    flaw: Callable[[Kind], str]
    also: str = ""

    def item_id(self, item: Kind) -> str:
        """What the user writes to switch a single item off, as in `skill:review`."""
        return f"{self.singular.replace(' ', '-')}:{self.key(item)}" if self.key else ""

    def is_in(self, ids: Container[str], item: Kind) -> bool:
        """Whether an item is one of those named by id."""
        return any(each in ids for each in self.item_ids(item))

    def item_ids(self, item: Kind) -> tuple[str, ...]:
        """Every id that an item is known by."""
        if self.key is None:
            return ("",)
        return (self.item_id(item), f"{self.also}:{self.key(item)}") if self.also else (self.item_id(item),)
