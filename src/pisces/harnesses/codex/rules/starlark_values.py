"""Values of Starlark: what operators, methods and built-in functions make of them, each result bounded in size."""

from __future__ import annotations

import ast
import re

from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_LARGEST = 100_000  # characters of a text, items of a list
_METHODS: Mapping[type, frozenset[str]] = {
    str: frozenset(
        "format split join strip lstrip rstrip upper lower replace startswith endswith elems removeprefix removesuffix "
        "splitlines count find title capitalize".split()
    ),
    list: frozenset("append extend index insert".split()),
    tuple: frozenset[str](),
    dict: frozenset("items keys values get update".split()),
}
BUILT_IN = frozenset(
    "len range enumerate zip sorted reversed str int list dict tuple bool min max any all type repr fail".split()
)
_FIELD = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


class StarlarkError(Exception):
    """The file cannot be read; `line` is where."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class Named(Value):
    """A function of the program or of the language, by its name."""

    name: str


def constant(node: ast.Constant) -> Any:
    if node.value is None or isinstance(node.value, str | bool | int | float):
        return node.value
    raise StarlarkError("that value is not allowed", node.lineno)


def key(value: Any, line: int) -> Any:
    try:
        hash(value)
    except TypeError as error:
        raise StarlarkError("that is no key", line) from error
    return value


def text(value: Any) -> str:
    return value if isinstance(value, str) else repr(value)


def listed(value: Any, line: int) -> list[Any]:
    if not isinstance(value, list | tuple | dict):
        raise StarlarkError("that cannot be walked through", line)
    return list(value)


def combined(sign: str, left: Any, right: Any, line: int) -> Any:
    kinds = type(left), type(right)
    if sign == "Add" and kinds in ((str, str), (list, list), (tuple, tuple), (int, int)):
        return bounded(left + right, line)
    if sign == "Mult" and set(kinds) <= {str, list, int} and int in kinds:
        times, several = (left, right) if kinds[0] is int else (right, left)
        if isinstance(several, int):
            return bounded(times * several, line)
        if times * len(several) > _LARGEST:
            raise StarlarkError("a value becomes too large", line)
        return several * times
    if sign == "Mod" and isinstance(left, str):
        return _percent(left, right, line)
    if kinds == (int, int) and sign == "Sub":
        return left - right
    if kinds == (int, int) and sign in ("FloorDiv", "Mod") and right:
        return left // right if sign == "FloorDiv" else left % right
    raise StarlarkError("these values cannot be combined so", line)


def bounded(value: Any, line: int) -> Any:
    is_large = abs(value) > 2**63 if isinstance(value, int) else len(value) > _LARGEST
    if is_large:
        raise StarlarkError("a value becomes too large", line)
    return value


def indexed(value: Any, at: Any, line: int) -> Any:
    try:
        if isinstance(value, str | list | tuple) and type(at) is int:
            return value[at]
        if isinstance(value, dict):
            return value[at]
    except (IndexError, KeyError, TypeError) as error:
        raise StarlarkError("there is no such item", line) from error
    raise StarlarkError("that has no items", line)


def sliced(value: Any, parts: list[Any], line: int) -> Any:
    if isinstance(value, str | list | tuple) and all(each is None or type(each) is int for each in parts):
        return value[parts[0] : parts[1]]
    raise StarlarkError("that cannot be cut", line)


def method(owner: Any, name: str, given: list[Any], named: dict[str, Any], line: int) -> Any:
    if name not in _METHODS.get(type(owner), frozenset()):
        raise StarlarkError(f"there is no method `{name}`", line)
    if name == "elems":
        return list(owner)
    if name == "format":
        return bounded(_formatted(owner, given, named, line), line)
    if name == "join" and isinstance(owner, str):
        given = [_texts(given, line)]
    if name == "replace" and len(given) > 1 and len(text(given[1])) * (len(owner) + 1) > _LARGEST * 10:
        raise StarlarkError("a value becomes too large", line)
    try:
        made = getattr(owner, name)(*given, **named)
    except (TypeError, ValueError, IndexError) as error:
        raise StarlarkError(f"`{name}` cannot be used so", line) from error
    bounded(owner, line)
    made = list(made) if isinstance(owner, dict) and name in ("items", "keys", "values") else made
    return bounded(made, line) if isinstance(made, str | list | int) else made


def built_in(name: str, given: list[Any], named: dict[str, Any], line: int) -> Any:
    if name == "fail":
        raise StarlarkError(" ".join(map(text, given)) or "it fails", line)
    if name == "type":
        return {str: "string", int: "int", bool: "bool", list: "list", dict: "dict"}.get(type(given[0]), "tuple")
    if name in ("str", "repr"):
        return text(given[0]) if name == "str" and given else repr(given[0] if given else "")
    if name == "range" and not (all(type(each) is int for each in given) and len(range(*given)) <= _LARGEST):
        raise StarlarkError("`range` is too large", line)
    made = {"len": len, "range": range, "enumerate": enumerate, "zip": zip, "sorted": sorted, "reversed": reversed}
    kinds = {"int": int, "list": list, "dict": dict, "tuple": tuple, "bool": bool, "min": min, "max": max}
    function: Any = {**made, **kinds, "any": any, "all": all}[name]
    if any(not isinstance(each, str | int | list | tuple | dict | None) for each in (*given, *named.values())):
        raise StarlarkError(f"`{name}` cannot be used so", line)
    if name == "sorted" and "key" in named:
        raise StarlarkError("`sorted` takes no key here", line)
    try:
        found = function(*given, **named)
    except (TypeError, ValueError, OverflowError) as error:
        raise StarlarkError(f"`{name}` cannot be used so", line) from error
    return list(found) if name in ("range", "enumerate", "zip", "reversed") else found


def _texts(given: list[Any], line: int) -> list[str]:
    if len(given) != 1 or not isinstance(given[0], list | tuple) or not all(isinstance(each, str) for each in given[0]):
        raise StarlarkError("`join` takes a list of texts", line)
    if sum(map(len, given[0])) > _LARGEST:
        raise StarlarkError("a value becomes too large", line)
    return list(given[0])


def _percent(pattern: str, values: Any, line: int) -> str:
    """Only `%s`, `%d` and `%%`: Python's own would read widths, which make endless texts."""
    left = list(values) if isinstance(values, tuple) else [values]
    pieces = re.split(r"(%.?)", pattern)
    for number in range(1, len(pieces), 2):
        sign = pieces[number]
        if sign not in ("%s", "%d", "%%", "%r") or (sign != "%%" and not left):
            raise StarlarkError("the text cannot be filled in", line)
        if sign != "%%":
            value = left.pop(0)
            pieces[number] = repr(value) if sign == "%r" else text(value)
        else:
            pieces[number] = "%"
    if left:
        raise StarlarkError("the text cannot be filled in", line)
    return str(bounded("".join(pieces), line))


def _formatted(pattern: str, given: list[Any], named: dict[str, Any], line: int) -> str:
    """Only `{}`, `{0}` and `{name}`: Python's own would follow attributes."""
    numbers = iter(range(len(given)))

    def filled(found: re.Match[str]) -> str:
        if found[0] in ("{{", "}}"):
            return found[0][0]
        field = found[1]
        try:
            return text(given[int(field) if field else next(numbers)] if field.isdigit() or not field else named[field])
        except (KeyError, IndexError, StopIteration) as error:
            raise StarlarkError("the text cannot be filled in", line) from error

    return _FIELD.sub(filled, pattern)
