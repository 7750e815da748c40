"""Values that hold an item of one kind, such as `Found[Skill]`: generic for type checkers, plain values at run time.

`typing` is too slow to import on the light path (docs/decisions/0001), so a subscript gives back the class itself.
Without a subscript the kind is Any.
"""

from __future__ import annotations

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Generic, Protocol

    from typing_extensions import TypeVar

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
