"""Validates the values that a user gives for settings. Messages never contain a secret.

Nothing is stored here: all answers are collected first, so that leaving at a prompt changes nothing.
"""

from __future__ import annotations

import math
import re
from difflib import get_close_matches

from pisces.diagnostics import ERROR, Diagnostic, PiscesError, Rule
from pisces.packages.settings.settings import BOOLEAN, CHOICE, NUMBER, Setting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Ask = Callable[[Setting], str | None]
    Report = Callable[[Diagnostic], None]

SETTING_VALUE = Rule("setting-value", ERROR, "A value does not fit its setting")
SETTING_UNKNOWN = Rule("setting-unknown", ERROR, "The package has no such setting")
SETTINGS_UNANSWERED = Rule("settings-unanswered", ERROR, "A setting was not answered")

_YES = ("true", "yes", "on", "1", "y")
_NO = ("false", "no", "off", "0", "n")
_TRIES = 3
_WHOLE = re.compile(r"[+-]?[0-9]{1,300}")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,300}(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,9})?")
_LONGEST = 32_768  # the limit of an environment variable on Windows


def checked(setting: Setting, text: str) -> object | Diagnostic:
    """The value of a text: text, a number, a flag, or a tuple of words; or a diagnostic."""
    try:
        return _read(setting, text)
    except _Invalid as flaw:
        return SETTING_VALUE.at("", f"`{setting.name}` {flaw}", about=setting.env_var)


def stored_text(value: object) -> str:
    """A checked value as the text of its variable."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def accepted(setting: Setting, text: str) -> str:
    """The text to store for an answer. Raises PiscesError if it is invalid."""
    value = checked(setting, text)
    if isinstance(value, Diagnostic):
        raise PiscesError(value)
    return stored_text(value)


def default_text(setting: Setting) -> str | None:
    """The default; None if there is none or it is invalid."""
    if setting.default is None:
        return None
    value = checked(setting, stored_text(setting.default))
    return None if isinstance(value, Diagnostic) else stored_text(value)


def setting_named(settings: Sequence[Setting], word: str) -> Setting:
    """Finds a setting by variable, by the manifest's key, or by name."""
    for field in ("env_var", "key", "name"):
        found = [each for each in settings if str(getattr(each, field)).lower() == word.lower()]
        if len(found) == 1:
            return found[0]
    near = get_close_matches(word.upper(), [each.env_var.upper() for each in settings], n=1, cutoff=0.5)
    known = ", ".join(each.env_var for each in settings) or "none"
    hint = f"did you mean `{near[0]}`?" if near else f"its settings: {known}"
    raise PiscesError(SETTING_UNKNOWN.at("", f"no setting is called `{word}`", hint=hint))


def assigned(settings: Sequence[Setting], words: Iterable[str]) -> dict[str, str | None]:
    """The texts to store by variable, from `--set K=V` words. None, for an empty value, removes what is stored."""
    answers: dict[str, str | None] = {}
    for word in words:
        name, equals, text = word.partition("=")
        setting = setting_named(settings, name.strip())
        if not equals:
            message = f"there is no value for `{setting.env_var}`"
            hint = f"use {setting.env_var} --ask" if setting.sensitive else f"write {setting.env_var}=VALUE"
            raise PiscesError(SETTING_VALUE.at("", message, hint=hint))
        answers[setting.env_var] = accepted(setting, text) if text else None
    return answers


def asked(settings: Iterable[Setting], ask: Ask, report: Report) -> dict[str, str | None]:
    """The answers to store by variable, without empty ones. Raises PiscesError if the user leaves."""
    answers: dict[str, str | None] = {}
    for setting in settings:
        text = _answer(setting, ask, report)
        if text:
            answers[setting.env_var] = text
    return answers


def _answer(setting: Setting, ask: Ask, report: Report) -> str:
    for _ in range(_TRIES):
        text = ask(setting)
        if text is None:
            raise PiscesError(SETTINGS_UNANSWERED.at("", f"`{setting.name}` was not answered", about=setting.env_var))
        if not text and (not setting.required or default_text(setting) is not None):
            return ""
        needed = SETTING_VALUE.at("", f"`{setting.name}` is required", about=setting.env_var)
        value = checked(setting, text) if text else needed
        if not isinstance(value, Diagnostic):
            return stored_text(value)
        report(value)
    message = f"`{setting.name}` got no answer that fits"
    raise PiscesError(SETTINGS_UNANSWERED.at("", message, about=setting.env_var))


class _Invalid(Exception):
    """Why a text is invalid; completes the sentence "`name` ..."."""


def _read(setting: Setting, text: str) -> object:
    if flaw := _raw_flaw(setting, text):
        raise _Invalid(flaw)
    if not setting.multiple:
        return _one(setting, text)
    return tuple(_one(setting, word.strip()) for word in text.split(",") if word.strip())


def _raw_flaw(setting: Setting, text: str) -> str:
    if "\0" in text:
        return "must not contain a NUL"
    if len(text) > _LONGEST:
        return f"must not be longer than {_LONGEST:,} characters"
    if any(0xD800 <= ord(char) < 0xE000 for char in text):
        return "must be valid Unicode text"
    return "must be one line" if not setting.sensitive and any(end in text for end in "\r\n") else ""


def _one(setting: Setting, text: str) -> object:
    if setting.type == NUMBER:
        return _number(setting, text)
    if setting.type == BOOLEAN:
        word = text.strip().lower()
        if word not in (*_YES, *_NO):
            raise _Invalid(f"must be yes or no{_given(setting, text)}")
        return word in _YES
    if setting.type == CHOICE and text not in setting.choices:
        raise _Invalid(f"must be one of {', '.join(setting.choices)}{_given(setting, text)}")
    return text


def _number(setting: Setting, text: str) -> object:
    if not _NUMBER.fullmatch(text.strip()):
        raise _Invalid(f"must be a number{_given(setting, text)}")
    value: float = int(text) if _WHOLE.fullmatch(text.strip()) else float(text)
    if not math.isfinite(value):
        raise _Invalid(f"must be a smaller number{_given(setting, text)}")
    if setting.minimum is not None and value < setting.minimum:
        raise _Invalid(f"must not be below {setting.minimum:g}{_given(setting, text)}")
    if setting.maximum is not None and value > setting.maximum:
        raise _Invalid(f"must not be above {setting.maximum:g}{_given(setting, text)}")
    return value


def _given(setting: Setting, text: str) -> str:
    """The invalid text, unless it is a secret."""
    return "" if setting.sensitive else f", not `{text[:60]}`"
