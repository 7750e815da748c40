"""Values made fit for a record: secrets masked, texts shortened, inputs of any size written out only in part."""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.formats.json_text import plain_json, quoted
from pisces.formats.masking import HIDDEN, masked, may_need_masking

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

MOST_TEXT = 4_000  # characters of one field
_AHEAD = 4_000  # characters behind those that are looked at too, so that a secret is not cut before it is recognised
_MOST_ITEMS = 50
_DEEPEST = 8
_MOST_BITS = 1_000  # of a number: Python refuses to write thousands of digits
_LEAST_SECRET = 6  # a shorter value stands in too many texts by chance
_MARK, _MORE = "… (cut)", "… more"
_SECRET_NAMES = tuple("KEY TOKEN SECRET PASSWORD PASSWD PASSPHRASE CREDENTIAL CREDENTIALS _PAT AUTH".split())


def secrets_in(env: Mapping[str, str]) -> tuple[str, ...]:
    """The values of variables that are named like a secret: command lines may have them in full."""
    named = {
        value for name, value in env.items() if name.upper().endswith(_SECRET_NAMES) and len(value) >= _LEAST_SECRET
    }
    return tuple(sorted(named, key=len, reverse=True))  # a part of another one is replaced after it


class Secrets:
    """Values that are masked wherever they occur in a record, beside those that look like a secret."""

    def __init__(self, values: Iterable[str] = ()) -> None:
        self._forms: tuple[str, ...] = ()
        self.add(values)

    def add(self, values: Iterable[str]) -> None:
        """A value may stand in a text, or in a JSON text inside it."""
        long = [each for each in values if len(each) >= _LEAST_SECRET]
        new = (*long, *(quoted(each)[1:-1] for each in long))
        forms = sorted({*self._forms, *new}, key=len, reverse=True)  # a part of another one is replaced after it
        self._forms = tuple(forms)

    def may_be_in(self, text: str) -> bool:
        return may_need_masking(text) or any(form in text for form in self._forms)

    def masked(self, text: str) -> str:
        for form in self._forms:
            if form in text:
                text = text.replace(form, HIDDEN)
        return masked(text)


def all_texts(details: Mapping[str, Any]) -> str:
    """All texts in the details of a record, to be searched at once; empty if a value cannot be written as it is."""
    texts: list[str] = []
    for value in details.values():
        if isinstance(value, str):
            if len(value) > MOST_TEXT:
                return ""
            texts.append(value)
        elif isinstance(value, tuple):
            if len(value) > _MOST_ITEMS:
                return ""
            texts.append(str(value))
        elif not isinstance(value, int | float):
            return ""
    return "\n".join(texts)


def shortened(details: Mapping[str, Any], secrets: Secrets, most: int = MOST_TEXT) -> dict[str, Any]:
    """The details of a record without secrets, no text longer than `most`."""
    return {name: _short(value, secrets, most) for name, value in details.items()}


def _short(value: Any, secrets: Secrets, most: int) -> Any:
    if isinstance(value, str):
        return _short_text(value, secrets, most)
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, dict):
        return {str(key)[:100]: _short(each, secrets, most) for key, each in value.items()}
    if isinstance(value, list | tuple):
        more = [f"{_MORE}: {len(value) - _MOST_ITEMS}"] if len(value) > _MOST_ITEMS else []
        return [*(_short(each, secrets, most) for each in value[:_MOST_ITEMS]), *more]
    return _short_text(_plain_text(value), secrets, most)


def _short_text(text: str, secrets: Secrets, most: int) -> str:
    """Masked before it is cut: what is left of a secret might not be recognised."""
    is_long = len(text) > most
    text = secrets.masked(text[: most + _AHEAD] if is_long else text)
    return f"{text[:most]}{_MARK}" if is_long else text


def _plain_text(value: object) -> str:
    """Text as it is. Of other people's objects only the type: their `str` would be code that runs here."""
    if isinstance(value, str):
        return str.__str__(value)
    return str(value) if type(value) in (int, float, bool, type(None)) else f"<{type(value).__name__}>"


def input_text(value: Any) -> str:
    """A tool's input as JSON text, in part where it is large. Fields that are named like a secret are null."""
    without_secrets = export_of("pisces.formats", "no_secrets", "without_secrets")
    return plain_json(without_secrets(_Part().of(value, _DEEPEST)))


class _Part:
    """Copies values until `MOST_TEXT + _AHEAD` characters are used up. What is left out has a mark in its place."""

    def __init__(self) -> None:
        self._left = MOST_TEXT + _AHEAD

    def of(self, value: Any, levels: int) -> Any:
        if value is None or isinstance(value, bool | float):
            return value
        if isinstance(value, int):
            return value if value.bit_length() < _MOST_BITS else _MARK
        if isinstance(value, dict | list | tuple):
            return self._of_many(value, levels)
        return self._of_text(_plain_text(value))

    def _of_text(self, text: str) -> str:
        taken = text[: max(self._left, 0)]
        self._left -= len(taken) + 1
        return text if len(taken) == len(text) else f"{taken}{_MARK}"

    def _of_many(self, value: Any, levels: int) -> Any:
        made: list[Any] = []
        for item in value if levels else ():
            if self._left <= 0 or len(made) == _MOST_ITEMS:
                break
            self._left -= 1
            made.append(self._of_text(_plain_text(item)) if isinstance(value, dict) else self.of(item, levels - 1))
        left_out = len(value) - len(made)
        if not isinstance(value, dict):
            return [*made, *([f"{_MORE}: {left_out}"] if left_out else [])]
        fields = {key: self.of(each, levels - 1) for key, each in zip(made, value.values(), strict=False)}
        return {**fields, **({_MORE: left_out} if left_out else {})}
