"""`pisces why --effective KEY`: the value of a setting in each harness, and the file and line that it comes from.

The files of a harness are in its own precedence, best first. Objects are merged key by key, as harnesses do.
"""

from __future__ import annotations

from json import dumps

from pisces.checking.spelling import did_you_mean
from pisces.cli._shell_command import FINE, PROBLEMS
from pisces.cli._views import Inquiry, View, views
from pisces.discovery.capabilities import SETTINGS
from pisces.discovery.item_place import item_place
from pisces.discovery.state import ACTIVE
from pisces.formats.no_secrets import without_secrets
from pisces.ui.screen import visible
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.cli._shell_command import Namespace, Places, Screen
    from pisces.discovery.found import Candidate

_DEEP = 4  # levels of keys that a mistyped one is compared with
_HIDDEN = "not shown: it may be a secret"


class SettingValue(Value):
    """A value that one settings file gives to the key. `keys` lead to it there."""

    candidate: Candidate
    keys: tuple[str, ...]
    value: Any


def show_effective(arguments: Namespace, survey: Inquiry, screen: Screen) -> int:
    every = views(survey.replace(kinds=(SETTINGS,)))
    found = [(view, list(_given(view, arguments.name))) for view in every]
    if not any(given for _, given in found):
        hint = did_you_mean(arguments.name, sorted({key for view in every for key in _known(view)}))
        screen.failed(f"no settings file here has `{visible(arguments.name)}`", hint)
        return PROBLEMS
    if arguments.output_format == "json":
        values = [_json(view, each, at == 0) for view, given in found for at, each in enumerate(_ordered(given))]
        screen.json({"key": arguments.name, "values": values})
    else:
        for view, given in found:
            screen.lines(_lines(view, arguments.name, given, survey.places, screen))
    return FINE


def _given(view: View, key: str) -> Iterator[SettingValue]:
    for candidate in view.stands[0].candidates:
        values = getattr(candidate.found.item, "values", None)
        for keys in _spellings(key, values):
            yield SettingValue(candidate, keys, _below(values, keys))
            break


def _spellings(key: str, values: Any) -> Iterator[tuple[str, ...]]:
    """How the words of a key lead to a value: `a.b.c` may be nested, or have dots of its own."""
    if not isinstance(values, dict):
        return
    if key in values:
        yield (key,)
    words = key.split(".")
    for at in range(1, len(words)):
        first = ".".join(words[:at])
        if first in values:
            yield from ((first, *rest) for rest in _spellings(".".join(words[at:]), values[first]))


def _below(values: Any, keys: tuple[str, ...]) -> Any:
    for key in keys:
        values = values[key]
    return values


def _ordered(given: list[SettingValue]) -> list[SettingValue]:
    """What counts first. A file that its harness does not read gives no value."""
    return sorted(given, key=lambda each: each.candidate.state != ACTIVE)


def _effective(given: list[SettingValue]) -> Any:
    """The first value; an object with what later files add to it."""
    active = [each.value for each in given if each.candidate.state == ACTIVE]
    merged = active[0] if active else None
    for value in active[1:]:
        merged = _merged(merged, value)
    return merged


def _merged(better: Any, other: Any) -> Any:
    if not isinstance(better, dict) or not isinstance(other, dict):
        return better
    return {**other, **{key: _merged(value, other.get(key)) for key, value in better.items()}}


def _lines(view: View, key: str, given: list[SettingValue], places: Places, screen: Screen) -> Iterator[str]:
    if not given:
        return
    absent = ", not set up here" if view.is_absent else ""
    yield screen.styled(f"{view.harness.label} ({view.harness.id}){absent}", "bold")
    yield f"  {visible(key)} = {_shown(key, _effective(given))}"
    for at, each in enumerate(_ordered(given)):
        source = each.candidate.found.source
        line = item_place(each.candidate.found, *each.keys)[0]
        place = f"{visible(places.shown(source.path))}{f':{line}' if line else ''}"
        if each.candidate.state != ACTIVE:
            yield f"    {each.candidate.state} {source.level}: {place}: {visible(each.candidate.reason)}"
        elif at and not isinstance(each.value, dict):
            yield f"    overridden {source.level}: {place}: {_shown(key, each.value)}"
        else:
            yield f"    {source.level}: {place}"


def _json(view: View, given: SettingValue, is_first: bool) -> dict[str, Any]:
    source = given.candidate.found.source
    return {
        "harness": view.harness.id,
        "value": _safe(given.keys, given.value),
        "effective": is_first and given.candidate.state == ACTIVE,
        "state": given.candidate.state,
        "reason": given.candidate.reason or None,
        "path": source.path,
        "line": item_place(given.candidate.found, *given.keys)[0] or None,
        "level": source.level,
    }


def _shown(key: str, value: Any) -> str:
    safe = _safe(tuple(key.split(".")), value)
    return _HIDDEN if safe is None and value is not None else visible(dumps(safe, ensure_ascii=False, default=str))


def _safe(keys: tuple[str, ...], value: Any) -> Any:
    """Whether something is a secret depends on the tables that it is in, too."""
    nested = value
    for key in reversed(keys):
        nested = {key: nested}
    return _below(without_secrets(nested), keys)


def _known(view: View) -> Iterator[str]:
    for candidate in view.stands[0].candidates:
        yield from _keys_in(getattr(candidate.found.item, "values", None), "", _DEEP)


def _keys_in(values: Any, before: str, deep: int) -> Iterator[str]:
    for key, value in values.items() if isinstance(values, dict) and deep else ():
        yield f"{before}{key}"
        yield from _keys_in(value, f"{before}{key}.", deep - 1)
