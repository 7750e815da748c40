"""Reads the words of a plain command line without argparse, which takes as long to load as Python itself.

Argparse stays the judge: whatever is not plainly right here (help, abbreviations, mistakes, an option before a
positional) is left to it, so there is one set of messages, and a test holds both readings against each other.
"""

from __future__ import annotations

import sys

from pisces.cli._shell_command import declare

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from pisces.cli._shell_command import ShellCommand
else:
    Namespace = type(sys.implementation)  # SimpleNamespace, without loading `types`: the same to whoever reads it

_THE_REST = "..."  # argparse.REMAINDER
_COUNTS = (None, "?", "*", "+", _THE_REST)
_UNDERSTOOD = {"action", "choices", "const", "default", "dest", "help", "metavar", "nargs", "required", "type"}
_TYPES = (str, int, float)


def quick_words(command: ShellCommand, words: list[str]) -> Namespace | None:
    """What argparse would make of the words; None where it should be asked itself."""
    declared = Declared()
    declare(command, declared)  # type: ignore[arg-type]  # it answers to what our commands say to a parser
    chosen = declared.read(words)
    return None if chosen is None else Namespace(**chosen)


class Declared:
    """Stands in for an ArgumentParser while a command declares its arguments: `options` are by every spelling."""

    def __init__(self) -> None:
        self.options: dict[str, dict[str, Any]] = {}
        self.positionals: list[dict[str, Any]] = []
        self._is_plain = True

    def add_argument(self, *names: str, **details: Any) -> None:
        is_option = names[0].startswith("-")
        self._is_plain &= _is_plain(details, is_option=is_option)
        if not is_option:
            self.positionals.append({**details, "dest": names[0]})
            return
        long = next((name for name in names if name.startswith("--")), names[0])
        details.setdefault("dest", long.lstrip("-").replace("-", "_"))
        for name in names:
            self.options[name] = details

    def read(self, words: list[str]) -> dict[str, Any] | None:
        if not self._is_plain:
            return None
        if any(details.get("nargs") == _THE_REST for details in self.positionals):
            start = self._end_of_options(words)
            positionals: dict[str, Any] | None = {self.positionals[0]["dest"]: words[start:]}
            options = self._read_options(words[:start])
        else:
            if len(self.positionals) == 1 and self.positionals[0].get("nargs") == "*":
                words = self._options_last(words)
            start = next((index for index, word in enumerate(words) if word.startswith("-")), len(words))
            if words[start : start + 1] == ["--"] and self._takes_all(words[start + 1 :]):
                start, words = len(words) - 1, words[:start] + words[start + 1 :]
            positionals = self._read_positionals(words[:start])
            options = self._read_options(words[start:])
        return None if positionals is None or options is None else {**positionals, **options}

    def _takes_all(self, words: list[str]) -> bool:
        """Whether these words behind a `--` are positionals, whatever they look like."""
        return bool(words and self.positionals) and "--" not in words and self.positionals[-1].get("nargs") == "*"

    def _options_last(self, words: list[str]) -> list[str]:
        """With the options that stand before the positionals behind them."""
        if "--" in words:
            return words
        start = 0
        while start < len(words) and words[start].startswith("-"):
            start += 1 + self._has_value(words, start)
        end = next((index for index in range(start, len(words)) if words[index].startswith("-")), len(words))
        return [*words[start:end], *words[:start], *words[end:]]

    def _has_value(self, words: list[str], at: int) -> bool:
        details = self.options.get(words[at], {})
        is_there = at + 1 < len(words) and not words[at + 1].startswith("-")
        return is_there and details.get("action") != "store_true"

    def _end_of_options(self, words: list[str]) -> int:
        """Where the words begin that are all somebody else's: behind our own options and their values."""
        at = 0
        while at < len(words) and words[at].startswith("-"):
            has_value = self.options.get(words[at], {}).get("action") != "store_true"
            at += 2 if has_value else 1
        return min(at, len(words))

    def _read_positionals(self, words: list[str]) -> dict[str, Any] | None:
        chosen: dict[str, Any] = {}
        for details in self.positionals:
            nargs = details.get("nargs")
            if nargs in ("*", "+"):
                taken, words = words, []
                chosen[details["dest"]] = taken
            else:
                taken, words = words[:1], words[1:]
                chosen[details["dest"]] = taken[0] if taken else details.get("default")
            if (not taken and nargs not in ("?", "*")) or not all(_is_choice(word, details) for word in taken):
                return None
        return None if words else chosen

    def _read_options(self, words: list[str]) -> dict[str, Any] | None:
        flags = {each["dest"]: False for each in self.options.values() if each.get("action") == "store_true"}
        chosen: dict[str, Any] = {each["dest"]: each.get("default") for each in self.options.values()} | flags
        needed = {each["dest"] for each in self.options.values() if each.get("required")}
        at = 0
        while at < len(words):
            if words[at] not in self.options:
                return None
            details = self.options[words[at]]
            has_value = self._has_value(words, at)
            value = _converted(words[at + 1], details) if has_value else _without_value(details)
            if value is None:
                return None
            dest = details["dest"]
            needed.discard(dest)
            chosen[dest] = [*(chosen[dest] or ()), value] if details.get("action") == "append" else value
            at += 1 + has_value
        return None if needed else chosen


def _converted(word: str, details: dict[str, Any]) -> Any:
    """The value of an option; None where argparse has to say what is wrong with it."""
    if not _is_choice(word, details):
        return None
    try:
        return details.get("type", str)(word)
    except ValueError:
        return None


def _without_value(details: dict[str, Any]) -> Any:
    """What an option stands for alone; None where it needs a value."""
    if details.get("action") == "store_true":
        return True
    return details.get("const") if details.get("nargs") == "?" else None


def _is_choice(word: str, details: dict[str, Any]) -> bool:
    return word in (details.get("choices") or (word,))


def _is_plain(details: dict[str, Any], *, is_option: bool) -> bool:
    if not details.keys() <= _UNDERSTOOD:
        return False
    if is_option:
        is_simple = details.get("nargs") in (None, "?") and details.get("type", str) in _TYPES
        return is_simple and details.get("action") in (None, "store_true", "append")
    return not details.keys() & {"action", "dest", "required", "type"} and details.get("nargs") in _COUNTS
