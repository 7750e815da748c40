"""The configuration of `check`: `[check]` in pisces.toml, or `[tool.pisces.check]` in pyproject.toml.

The nearest file with such a table counts, from the folder of what is checked up to the root of the repository; of two
in one folder, pisces.toml. Codes may have `*` in them. `per-file-ignores` are paths relative to the file's folder.
"""

from __future__ import annotations

import os

from pisces.checking.spelling import did_you_mean
from pisces.diagnostics import ERROR, WARNING, Diagnostic, Diagnostics, Rule
from pisces.discovery.own_config import table_in
from pisces.formats.fit import noun_of
from pisces.formats.path_glob import path_glob_matches
from pisces.formats.wildcard import wildcard_matches
from pisces.places import Places
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from typing import Any

    from pisces.discovery.own_config import OwnTable

CHECK_CONFIG = Rule("check-config", ERROR, "The configuration of `check` cannot be used")
CHECK_CONFIG_CODE = Rule("check-config-code", WARNING, "The configuration of `check` names a code that does not exist")

_TABLE = "check"
_MOST = 200  # entries of a list: each is compared with each diagnostic
_SELECT, _IGNORE, _PER_FILE = "select", "ignore", "per-file-ignores"


class CheckConfig(Value):
    """`per_file` has patterns with their codes; `folder` is what they are relative to."""

    folder: str = ""
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file: tuple[tuple[str, tuple[str, ...]], ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    def allows(self, diagnostic: Diagnostic) -> bool:
        """Whether a diagnostic is neither ignored nor, where codes are selected, left out."""
        path = os.path.relpath(diagnostic.path, self.folder).replace(os.sep, "/") if self.per_file else ""
        here = (codes for pattern, codes in self.per_file if _is_at(pattern, path))
        codes = (*self.ignore, *(code for each in here for code in each))
        selected = not self.select or is_among(diagnostic.code, self.select)
        return selected and not is_among(diagnostic.code, codes)


def _is_at(pattern: str, path: str) -> bool:
    pattern = pattern.removeprefix("./")
    if "/" not in pattern:
        return wildcard_matches(pattern, os.path.basename(path))
    return path_glob_matches(f"{pattern}**" if pattern.endswith("/") else pattern, path)


def is_among(code: str, patterns: Collection[str]) -> bool:
    return any(wildcard_matches(pattern, code) for pattern in patterns)


class CheckConfigs:
    """The configuration of each path; every folder is asked once. `known` has the codes of all rules."""

    def __init__(self, places: Places, known: Callable[[], Collection[str]]) -> None:
        self._places = places
        self._known = known
        self._found: dict[str, CheckConfig] = {}

    def of(self, path: str) -> CheckConfig:
        folder = path if os.path.isdir(path) else os.path.dirname(path)
        above = list(self._places.replace(cwd=folder).ancestors()) if folder not in self._found else [folder]
        for each in above:
            if each not in self._found and (config := self._in_folder(each)):
                self._found[each] = config
            if each in self._found:
                self._found[folder] = self._found[each]
                break
        return self._found.setdefault(folder, CheckConfig())

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        return tuple(dict.fromkeys(each for config in self._found.values() for each in config.diagnostics))

    def _in_folder(self, folder: str) -> CheckConfig | None:
        """None where no file of the folder has such a table."""
        found = table_in(folder, _TABLE, CHECK_CONFIG)
        if isinstance(found, Diagnostic):
            return CheckConfig(folder, diagnostics=(found,))
        return _Reading(found, self._known).config() if found else None


class _Reading:
    """Reads one table; what has the wrong shape is reported and does not count."""

    def __init__(self, table: OwnTable, known: Callable[[], Collection[str]]) -> None:
        self._table, self._known = table, known
        self._wrong: list[Diagnostic] = []

    def config(self) -> CheckConfig:
        values = self._table.value
        if not isinstance(values, dict):
            self._refuse((), f"`{'.'.join(self._table.keys)}` must be a table, not {noun_of(values)}")
            values = {}
        for key in values:
            if key not in (_SELECT, _IGNORE, _PER_FILE):
                hint = did_you_mean(key, (_SELECT, _IGNORE, _PER_FILE)) or f"one of {_SELECT}, {_IGNORE}, {_PER_FILE}"
                self._refuse((key,), f"unknown key `{key}`", hint)
        select, ignore = (self._codes((key,), values.get(key, [])) for key in (_SELECT, _IGNORE))
        per_file = tuple(self._per_file(values.get(_PER_FILE, {})))
        return CheckConfig(os.path.dirname(self._table.path), select, ignore, per_file, tuple(self._wrong))

    def _per_file(self, values: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
        if not isinstance(values, dict):
            self._refuse((_PER_FILE,), f"`{_PER_FILE}` must be a table, not {noun_of(values)}")
            return
        if len(values) > _MOST:
            self._refuse((_PER_FILE,), f"`{_PER_FILE}` has more than {_MOST} patterns")
            return
        for pattern, codes in values.items():
            yield pattern, self._codes((_PER_FILE, pattern), codes)

    def _codes(self, keys: tuple[str, ...], values: Any) -> tuple[str, ...]:
        if not isinstance(values, list) or not all(isinstance(each, str) for each in values):
            self._refuse(keys, f"`{'.'.join(keys)}` must be a list of codes")
            return ()
        if len(values) > _MOST:
            self._refuse(keys, f"`{'.'.join(keys)}` has more than {_MOST} codes")
            return ()
        self._wrong.extend(self._unknown(keys, values))
        return tuple(values)

    def _unknown(self, keys: tuple[str, ...], codes: list[str]) -> Diagnostics:
        for code in unknown_codes(codes, self._known):
            place = self._table.place(keys)
            yield CHECK_CONFIG_CODE.at(
                self._table.path, f"there is no code `{code}`", place=place, hint=did_you_mean(code, self._known())
            )

    def _refuse(self, keys: tuple[str, ...], message: str, hint: str = "") -> None:
        place = self._table.place(keys)
        self._wrong.append(CHECK_CONFIG.at(self._table.path, message, place=place, hint=hint))


def unknown_codes(codes: Collection[str], known: Callable[[], Collection[str]]) -> list[str]:
    """Those that no rule has, and patterns that fit none."""
    every = known() if codes else ()
    fits = (each for each in dict.fromkeys(codes) if each not in every)
    return [code for code in fits if "*" not in code or not any(wildcard_matches(code, each) for each in every)]
