"""Immutable values without the import cost of dataclasses: fields are the class's annotations, in order.

The listing path may import almost nothing (see docs/decisions/0001), so this is a page of our own instead of
`dataclasses` or `typing.NamedTuple`. Type checkers see an ordinary frozen dataclass. What a dataclass lets pass is
refused when the class is made: a field that a base has already, and a default that can change.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, ClassVar, Never, Self, dataclass_transform
else:

    def dataclass_transform(**_options):
        return lambda decorated: decorated


class FrozenMapping(dict["Any", "Any"]):
    """A dict that cannot change, nor can the data inside it, which are frozen as well. Use `EMPTY` as a default.

    A subclass of dict, because `json` writes no other mapping. `{**mapping, key: value}` makes a changed copy.
    """

    __slots__ = ()

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(frozen(dict(*given, **named)))

    def _refuse(self, *_given: Any, **_named: Any) -> Never:
        raise TypeError("a FrozenMapping is immutable: use {**mapping, key: value}")

    __setitem__ = __delitem__ = __ior__ = clear = pop = popitem = setdefault = update = _refuse

    def __hash__(self) -> int:  # type: ignore[override]  # a dict has none because it can change
        return hash(frozenset(self.items()))

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), (dict(self),)  # a dict is copied and unpickled item by item, which is refused here


class FrozenList(list["Any"]):
    """A list that cannot change, nor can the data inside it. A subclass of list, so that it equals one."""

    __slots__ = ()

    def __init__(self, items: Iterable[Any] = ()) -> None:
        super().__init__(map(frozen, items))

    def _refuse(self, *_given: Any, **_named: Any) -> Never:
        raise TypeError("a FrozenList is immutable: use [*items, item]")

    __setitem__ = __delitem__ = __iadd__ = __imul__ = append = clear = extend = _refuse
    insert = pop = remove = reverse = sort = _refuse

    def __hash__(self) -> int:  # type: ignore[override]  # a list has none because it can change
        return hash(tuple(self))

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), (list(self),)  # a list is copied and unpickled item by item, which is refused here


def frozen(value: Any) -> Any:
    """A copy of JSON-like data that is immutable all the way down; the same object if it is so already.

    dict -> FrozenMapping, list -> FrozenList, set -> frozenset. Everything else is returned as it is.
    One frame for each level, so that data as deep as JSON may be here (500 levels) fit into Python's stack.
    """
    if not isinstance(value, (dict, list, tuple, set)) or isinstance(value, (FrozenMapping, FrozenList)):
        return value
    if isinstance(value, set):
        return frozenset(value)
    if isinstance(value, dict):
        made = FrozenMapping.__new__(FrozenMapping)  # without `__init__`, whose calls would halve the possible depth
        for key, item in value.items():
            dict.__setitem__(made, key, frozen(item))
        return made
    items = []
    for item in value:
        items.append(frozen(item))  # a comprehension is a frame of its own
    if isinstance(value, list):
        made_list = FrozenList.__new__(FrozenList)
        list.extend(made_list, items)
        return made_list
    return value if [*map(id, items)] == [*map(id, value)] else tuple(items)


EMPTY = FrozenMapping()
_SELDOM = 4  # uses
_FEW = 40  # values of one class


def _annotated(namespace: dict[str, Any]) -> list[str]:
    names = namespace.get("__annotations__")
    if names is None and "__annotate_func__" in namespace:  # Python 3.14 without the future import
        names = namespace["__annotate_func__"](1)
    return [name for name in names or () if not name.startswith("__")]


def _refuse_defaults(name: str, fields: tuple[str, ...], defaults: dict[str, Any]) -> None:
    """Values share a default, so it must not change; and it cannot be used when a later field has none."""
    for field, default in defaults.items():
        try:
            hash(default)
        except TypeError:
            raise TypeError(f"{name}: the default of {field!r} is mutable: use EMPTY, () or frozenset()") from None
    for before, field in zip(fields, fields[1:]):  # noqa: B905, RUF007  # itertools would be one more import
        if before in defaults and field not in defaults:
            raise TypeError(f"{name}: {field!r} has no default but follows a field that has one")


@dataclass_transform(frozen_default=True, eq_default=True)
class _Fields(type):
    """Turns annotations into `__slots__`, and class-level assignments into defaults."""

    def __new__(mcs, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> _Fields:
        own = _annotated(namespace)
        inherited = tuple(dict.fromkeys(f for base in bases for f in getattr(base, "__fields__", ())))
        for field in inherited:
            if field in own or field in namespace:
                raise TypeError(f"{name} redefines {field!r}, which is a field of a base")
        defaults = {field: namespace.pop(field) for field in own if field in namespace}
        for base in bases:
            defaults = {**getattr(base, "__defaults__", {}), **defaults}
        fields = (*inherited, *own)
        _refuse_defaults(name, fields, defaults)
        namespace.update(__slots__=tuple(own), __fields__=fields, __defaults__=defaults)
        namespace.update(__values__=_first_values, __same__=_first_same, __uses__=0, __births__=[0])
        if all(getattr(base.__init__, "__module__", __name__) == __name__ for base in bases):  # type: ignore[misc]
            namespace.setdefault("__init__", _first_init)  # that of a base may be compiled, for the base's fields
        made = super().__new__(mcs, name, bases, namespace)
        made.__setters__ = tuple(getattr(made, field).__set__ for field in fields)  # type: ignore[attr-defined]
        return made


def _completed(made: type[Value], given: tuple[Any, ...], named: dict[str, Any]) -> list[Any]:
    """A value for each field: first those given in order, then by name, then by default."""
    fields, defaults = made.__fields__, made.__defaults__
    missing = len(fields) - len(given)
    if not named and 0 <= missing <= len(defaults):  # those without a default come first
        return [*given, *[defaults[field] for field in fields[len(given) :]]]
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


def _compile(made: type[Value]) -> None:
    """Gives a class methods that name each field, five times as fast as a loop over `getattr`.

    Compiled when a class has been used a few times: each costs as much as a hundred comparisons.
    """
    fields = made.__fields__
    read = "".join(f"self.{name}, " for name in fields)
    same = " and ".join(f"(self.{name} is other.{name} or self.{name} == other.{name})" for name in fields)
    methods: dict[str, Any] = {}
    exec(f"def values(self): return ({read})\ndef same(self, other): return {same or True}", methods)
    made.__values__, made.__same__ = methods["values"], methods["same"]  # type: ignore[method-assign]


def _compile_init(made: type[Value]) -> None:
    """Gives a class an `__init__` that names each field, two to three times as fast as the loop.

    Compiled when a class has a few values, as above. What it refuses, it refuses in Python's own words.
    """
    fields, defaults = made.__fields__, made.__defaults__
    lines = "".join(f"\n put_{field}(__self, {field})" for field in fields)
    names: dict[str, Any] = {f"put_{field}": put for field, put in zip(fields, made.__setters__)}  # noqa: B905
    names["__name__"] = __name__
    exec(f"def __init__(__self, {', '.join(fields)}):{lines}", names)
    names["__init__"].__defaults__ = tuple(defaults[field] for field in fields if field in defaults)
    made.__init__ = names["__init__"]  # type: ignore[method-assign]


def _first_init(self: Value, *given: Any, **named: Any) -> None:
    made, births = type(self), self.__births__
    births[0] += 1
    if births[0] == _FEW and made.__init__ is _first_init and made.__fields__:
        _compile_init(made)
    setters = self.__setters__
    values = _completed(made, given, named) if named or len(given) != len(setters) else given
    for put, value in zip(setters, values):  # noqa: B905  # equally long; saying so costs each value a tenth
        put(self, value)


def _first_values(self: Value) -> tuple[Any, ...]:
    made = type(self)
    made.__uses__ += 1
    if made.__uses__ > _SELDOM:
        _compile(made)
    return tuple([getattr(self, field) for field in made.__fields__])


def _first_same(self: Value, other: Value) -> bool:
    return bool(_first_values(self) == _first_values(other))


class Value(metaclass=_Fields):
    """Base of every plain value in the house: frozen, comparable, printable, copied with `replace`."""

    if TYPE_CHECKING:
        __fields__: ClassVar[tuple[str, ...]]
        __defaults__: ClassVar[dict[str, Any]]
        __uses__: ClassVar[int]
        __births__: ClassVar[list[int]]
        __setters__: ClassVar[tuple[Callable[[Value, Any], None], ...]]

        def __values__(self) -> tuple[Any, ...]: ...
        def __same__(self, other: Self) -> bool: ...

    else:
        __init__ = _first_init

    def __setattr__(self, field: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable: use replace({field}=...)")

    def __delattr__(self, field: str) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def as_tuple(self) -> tuple[Any, ...]:
        return self.__values__()

    def replace(self, **changes: Any) -> Self:
        values = [*self.__values__()]
        for field, value in changes.items():
            if field not in self.__fields__:
                raise TypeError(f"{type(self).__name__} has no field {field!r}")
            values[self.__fields__.index(field)] = value
        return type(self)(*values)

    def __eq__(self, other: object) -> bool:
        return self.__same__(other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.__values__())

    def __repr__(self) -> str:
        inside = ", ".join(f"{field}={getattr(self, field)!r}" for field in self.__fields__)
        return f"{type(self).__name__}({inside})"

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), self.__values__()
