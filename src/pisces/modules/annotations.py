"""Which kind of argument an annotation stands for: see `argument_kinds` for what each kind takes and makes."""

from __future__ import annotations

import builtins
import inspect
import sys
import types
import typing
from collections import abc
from collections.abc import Mapping
from typing import Any

from pisces.modules.argument_kinds import (
    ANYTHING,
    Field,
    Kind,
    bytes_kind,
    described,
    each_of,
    enum_of,
    json_default,
    literal_of,
    mapping_of,
    model_of,
    object_of,
    text_kind,
    trying,
    tuple_of,
    union_of,
)

_LISTS = (list, abc.Sequence, abc.MutableSequence, abc.Collection, abc.Iterable)
_SETS = (set, abc.Set, abc.MutableSet)
_MAPPINGS = (dict, abc.Mapping, abc.MutableMapping)
_STANDS_FOR = ("__supertype__", "__value__", "__bound__")  # of `NewType`, `type X = ...`, a bound type variable
_WRAPPERS = ("Required", "NotRequired", "ReadOnly", "Final", "ClassVar")
_PLAIN: Mapping[Any, Kind] = {
    str: Kind({"type": "string"}),
    bool: Kind({"type": "boolean"}),
    int: Kind({"type": "integer"}, int),
    float: Kind({"type": "number"}, float),
    type(None): Kind({"type": "null"}),
    **{kind: Kind({"type": "array"}) for kind in _LISTS},
    **{kind: Kind({"type": "object"}) for kind in _MAPPINGS},
    **{kind: Kind({"type": "array", "uniqueItems": True}, trying(set, "")) for kind in _SETS},
    frozenset: Kind({"type": "array", "uniqueItems": True}, trying(frozenset, "")),
    tuple: Kind({"type": "array"}, tuple),
    bytes: bytes_kind(),
}


def hints_of(thing: Any, names: Mapping[str, Any]) -> dict[str, Any]:
    """The annotations of a function or class, evaluated; those that only a type checker can resolve are left out.

    `names` are those of the function that `thing` is defined in: a module's factory.
    """
    try:
        plain = _classes_of(thing, names)
        return plain if plain is not None else typing.get_type_hints(thing, localns=dict(names), include_extras=True)
    except Exception:  # noqa: BLE001  # an annotation may be any expression of a module: try them one by one
        each = inspect.get_annotations(thing)
    found: dict[str, Any] = {}
    for name, annotation in each.items():
        one = types.SimpleNamespace(__annotations__={name: annotation})
        where = getattr(thing, "__globals__", None) or vars(inspect.getmodule(thing) or types)
        try:
            found |= typing.get_type_hints(one, where, dict(names), include_extras=True)
        except Exception:  # noqa: BLE001  # this one cannot be resolved, and may be anything
            continue
    return found


def _classes_of(thing: Any, names: Mapping[str, Any]) -> dict[str, Any] | None:
    """The annotations of a function if each is a class or the name of one, as most are: `typing` compiles each name."""
    if not isinstance(thing, types.FunctionType) or hasattr(thing, "__wrapped__"):
        return None
    if getattr(thing, "__type_params__", ()):
        return None
    scopes = (names, thing.__globals__, vars(builtins))
    found = {name: _named(each, scopes) for name, each in inspect.get_annotations(thing).items()}
    return found if all(isinstance(each, type) for each in found.values()) else None


def _named(annotation: Any, scopes: tuple[Mapping[str, Any], ...]) -> Any:
    if annotation is None or (isinstance(annotation, str) and annotation == "None"):
        return type(None)
    if not isinstance(annotation, str):
        return annotation
    return next((scope[annotation] for scope in scopes if annotation in scope), None)


class Annotations:
    """Kinds of one function. `definitions` has the schemas of classes that contain themselves."""

    def __init__(self, names: Mapping[str, Any]) -> None:
        self.definitions: dict[str, Any] = {}
        self._names = names
        self._classes: dict[type, Kind | None] = {}  # None while a class is being read
        self._recursive: dict[type, str] = {}

    def kind(self, hint: Any) -> Kind:
        origin, inside = typing.get_origin(hint), typing.get_args(hint)
        if origin is typing.Annotated:
            return described(self.kind(inside[0]), inside[1:])
        if origin is typing.Literal:
            return literal_of(inside)
        if origin in (typing.Union, types.UnionType):
            return union_of([self.kind(each) for each in inside], self.definitions)
        if getattr(origin or hint, "_name", "") in _WRAPPERS:
            return self.kind(inside[0]) if inside else ANYTHING
        named = next((name for name in _STANDS_FOR if _has(hint, name)), "")
        if named:
            return self.kind(getattr(hint, named))
        if inside:
            return self._container(origin, inside)
        known = _PLAIN.get(hint) if isinstance(hint, abc.Hashable) else None
        if known is not None:
            return known
        return self._class(hint) if isinstance(hint, type) else ANYTHING

    def _container(self, origin: Any, inside: tuple[Any, ...]) -> Kind:
        if origin in _MAPPINGS and len(inside) == 2:
            key = self.kind(inside[0])
            return mapping_of(Kind({}, trying(key.made, "")) if key.make else ANYTHING, self.kind(inside[1]))
        if origin is tuple and inside[-1] is not Ellipsis:
            return tuple_of([self.kind(each) for each in inside])
        builds: dict[Any, Any] = {
            **dict.fromkeys(_LISTS, list),
            **dict.fromkeys(_SETS, set),
            frozenset: frozenset,
            tuple: tuple,
        }
        build = builds.get(origin)
        if build is None:
            return _PLAIN.get(origin) or (self._class(origin) if isinstance(origin, type) else ANYTHING)
        item = self.kind(inside[0])
        unique = {"uniqueItems": True} if build in (set, frozenset) else {}
        return Kind({"type": "array", "items": item.schema, **unique}, each_of(item, build))

    def _class(self, hint: type) -> Kind:
        if hint not in self._classes:
            self._classes[hint] = None
            kind = self._read(hint)
            if hint in self._recursive:
                self.definitions[self._recursive[hint]] = kind.schema
                kind = kind.replace(schema={"$ref": f"#/$defs/{self._recursive[hint]}"})
            self._classes[hint] = kind
        known = self._classes[hint]
        return self._reference(hint) if known is None else known

    def _reference(self, hint: type) -> Kind:
        """To a class that is being read: it contains itself."""
        name, number = hint.__name__, 2
        while name in self._recursive.values() and self._recursive.get(hint) != name:
            name, number = f"{hint.__name__}{number}", number + 1
        self._recursive[hint] = name

        def made(value: Any) -> Any:
            kind = self._classes[hint]
            return value if kind is None else kind.made(value)

        return Kind({"$ref": f"#/$defs/{name}"}, made)

    def _read(self, hint: Any) -> Kind:
        if hasattr(hint, "__members__"):
            return enum_of(hint)
        if hasattr(hint, "model_json_schema") and hasattr(hint, "model_validate"):
            return model_of(hint, self.definitions)
        if hasattr(hint, "__dataclass_fields__"):
            return object_of(self._dataclass_fields(hint), hint, is_open=False, about=_about(hint))
        if typing.is_typeddict(hint):
            return object_of(self._typed_dict_fields(hint), dict, is_open=True, about=_about(hint))
        if issubclass(hint, tuple) and hasattr(hint, "_fields"):
            return object_of(self._named_tuple_fields(hint), hint, is_open=False, about=_about(hint))
        return _well_known(hint)

    def _dataclass_fields(self, hint: Any) -> dict[str, Field]:
        hints, missing = hints_of(hint, self._names), sys.modules["dataclasses"].MISSING
        return {
            name: self._field(hints.get(name), each.default is each.default_factory is missing, each.default)
            for name, each in hint.__dataclass_fields__.items()
            if each.init and each._field_type.name != "_FIELD_CLASSVAR"
        }

    def _typed_dict_fields(self, hint: Any) -> dict[str, Field]:
        """A qualifier inside an annotation that is a text is not counted by Python itself."""
        hints, needed = hints_of(hint, self._names), hint.__required_keys__
        marks = {name: getattr(typing.get_origin(each), "_name", "") for name, each in hints.items()}
        kinds = {"NotRequired": False, "Required": True}
        return {name: self._field(each, kinds.get(marks[name], name in needed)) for name, each in hints.items()}

    def _named_tuple_fields(self, hint: Any) -> dict[str, Field]:
        hints, defaults = hints_of(hint, self._names), hint._field_defaults
        return {name: self._field(hints.get(name), name not in defaults, defaults.get(name)) for name in hint._fields}

    def _field(self, hint: Any, is_required: bool, default: Any = None) -> Field:
        kind = ANYTHING if hint is None else self.kind(hint)
        return Field(kind, is_required, None if is_required else json_default(default))


def _has(hint: Any, name: str) -> bool:
    return not isinstance(hint, type) and getattr(hint, name, None) is not None


def _about(hint: Any) -> str:
    """The author's own docstring; a dataclass and a named tuple have one that repeats their fields."""
    text = (hint.__dict__.get("__doc__") or "").strip()
    return "" if text.startswith(f"{hint.__name__}(") else str(text)


def _well_known(hint: Any) -> Kind:
    """Classes of the standard library that are written as a text. They are known by name, to import none of them."""
    name = f"{hint.__module__.partition('.')[0]}.{hint.__name__}"
    if any(each.__name__ == "PurePath" for each in hint.__mro__):
        return text_kind("a path", "`src/main.py`", hint, format="path")
    if name == "decimal.Decimal":
        return Kind({"type": ["number", "string"]}, trying(lambda value: hint(str(value)), "must be a decimal number"))
    if name == "datetime.timedelta":
        return Kind(
            {"type": "number", "description": "seconds"}, trying(lambda value: hint(seconds=value), "must be seconds")
        )
    if name == "uuid.UUID":
        return text_kind("a UUID", "`123e4567-e89b-12d3-a456-426614174000`", hint, format="uuid")
    times = {"datetime": ("date-time", "a date and time", "`2026-01-31T12:00:00Z`")}
    times |= {"date": ("date", "a date", "`2026-01-31`"), "time": ("time", "a time of day", "`12:00:00`")}
    if hint.__module__ == "datetime" and hint.__name__ in times:
        form, word, example = times[hint.__name__]
        return text_kind(word, example, hint.fromisoformat, format=form)
    return ANYTHING
