"""Immutable values without the import cost of dataclasses: fields are the class's annotations, in order.

The listing path may import almost nothing (see docs/decisions/0001), so this is a page of our own instead of
`dataclasses` or `typing.NamedTuple`. Type checkers see an ordinary frozen dataclass.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, ClassVar, Self, dataclass_transform
else:

    def dataclass_transform(**_options):
        return lambda decorated: decorated


def _annotated(namespace: dict[str, Any]) -> list[str]:
    names = namespace.get("__annotations__")
    if names is None and "__annotate_func__" in namespace:  # Python 3.14 without the future import
        names = namespace["__annotate_func__"](1)
    return list(names or ())


@dataclass_transform(frozen_default=True, eq_default=True)
class _Fields(type):
    """Turns annotations into `__slots__`, and class-level assignments into defaults."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> _Fields:
        own = [field for field in _annotated(namespace) if not field.startswith("__")]
        defaults = {field: namespace.pop(field) for field in own if field in namespace}
        for base in bases:
            defaults = {**getattr(base, "__defaults__", {}), **defaults}
        namespace["__slots__"] = tuple(own)
        namespace["__defaults__"] = defaults
        made = super().__new__(mcs, name, bases, namespace)
        inherited: tuple[str, ...] = tuple(f for base in bases for f in getattr(base, "__fields__", ()))
        fields = inherited + tuple(own)
        made.__fields__ = fields  # type: ignore[attr-defined]  # set here, declared on Value
        made.__setters__ = tuple(getattr(made, field).__set__ for field in fields)  # type: ignore[attr-defined]
        return made


def _completed(made: type[Value], given: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
    """A value for each field: first those given in order, then by name, then by default."""
    fields, defaults = made.__fields__, made.__defaults__
    if len(given) > len(fields):
        raise TypeError(f"{made.__name__} takes {len(fields)} values, {len(given)} given")
    values = list(given)
    for field in fields[len(given) :]:
        if field in named:
            values.append(named.pop(field))
        elif field in defaults:
            values.append(defaults[field])
        else:
            raise TypeError(f"{made.__name__} needs a value for {field!r}")
    if named:
        raise TypeError(f"{made.__name__} has no field {sorted(named)[0]!r}, or it was given twice")
    return values


class Value(metaclass=_Fields):
    """Base of every plain value in the house: frozen, comparable, printable, copied with `replace`."""

    if TYPE_CHECKING:
        __fields__: ClassVar[tuple[str, ...]]
        __defaults__: ClassVar[dict[str, Any]]
        __setters__: ClassVar[tuple[Callable[[Value, Any], None], ...]]

    else:

        def __init__(self, *given, **named):
            setters = self.__setters__
            if named or len(given) != len(setters):
                given = _completed(type(self), given, named)
            for put, value in zip(setters, given):  # noqa: B905  # equally long; saying so costs each value a tenth
                put(self, value)

    def __setattr__(self, field: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: use replace({field}=...)")

    def __delattr__(self, field: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def as_tuple(self) -> tuple[Any, ...]:
        return tuple(getattr(self, field) for field in self.__fields__)

    def replace(self, **changes: Any) -> Self:
        values = [changes.pop(field) if field in changes else getattr(self, field) for field in self.__fields__]
        return type(self)(*values, **changes)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Value) and self.as_tuple() == other.as_tuple()

    def __hash__(self) -> int:
        return hash((type(self).__name__, *self.as_tuple()))

    def __repr__(self) -> str:
        inside = ", ".join(f"{field}={getattr(self, field)!r}" for field in self.__fields__)
        return f"{type(self).__name__}({inside})"

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), self.as_tuple()
