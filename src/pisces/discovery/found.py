"""An item with where it came from, and what became of it.

`Found[Skill]` is generic for type checkers and a plain value at run time: `typing` is too slow to import on the light
path (docs/decisions/0001), so a subscript returns the class itself. Without a subscript the kind is Any.
"""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Generic, Protocol

    from typing_extensions import TypeVar

    from pisces.discovery.state import State

    class Item(Protocol):
        """What every shape has: `path` names its file, or the folder of a package."""

        @property
        def path(self) -> str: ...

    Kind = TypeVar("Kind", bound=Item, default=Any)
    KindOut = TypeVar("KindOut", bound=Item, default=Any, covariant=True)

    class OfKind(Value, Generic[Kind]): ...

    class OfKindOut(Value, Generic[KindOut]): ...

else:
    Kind = KindOut = None

    class OfKind(Value):
        def __class_getitem__(cls, _kind):
            return cls

    OfKindOut = OfKind

USER = "user"
PROJECT = "project"
MANAGED = "managed"  # by the administrator of this machine


class Source(Value):
    """`path` is absolute and names the file that speaks for the item."""

    harness: str
    label: str
    path: str
    level: str


class Found(OfKindOut[KindOut]):
    """`package` is the name of the package that brought the item, empty for loose files; `folder` and `format` are
    that package's.

    `held` is why its harness does not load it, as far as the finder knows.
    """

    item: KindOut
    source: Source
    package: str = ""
    held: State | None = None
    folder: str = ""
    format: str = ""


class Candidate(OfKindOut[KindOut]):
    """A found item and what becomes of it: `state` is one of `state.STATES`.

    `reason` says why in words, `winner` is who took its name, `held` has the switch that decides, if one does.
    """

    found: Found[KindOut]
    state: str
    reason: str = ""
    winner: Found[KindOut] | None = None
    held: State | None = None
