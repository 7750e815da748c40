"""Variables that a program fills in, spelled `${NAME}`, `$NAME` or `${NAME:-default}`, by a table of its names."""

from __future__ import annotations

import re

from pisces.converting.prompt_text import ENVIRONMENT, SETTING, PromptText, PromptVariable, plain
from pisces.converting.text_parts import cut

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_DEFAULT = r"(?::-(?P<default>(?>(?:[^{}]|\{[^{}]*\})*)))?"


class NamedVariables:
    """`names` has each name with what it stands for; one that ends in `*` begins the names of settings."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = {name: what for name, what in names.items() if not name.endswith("*")}
        self._settings = tuple(name[:-1] for name in names if name.endswith("*"))
        words = [re.escape(name) for name in sorted(self._names, key=len, reverse=True)]
        words += [rf"{re.escape(start)}\w+" for start in self._settings]
        known = "|".join(words)
        plain_words = "|".join(word for word in words if re.match(r"\w", word))
        own = rf"\$\{{(?P<braced>{known}){_DEFAULT}\}}|\$(?P<bare>{plain_words or '(?!)'})(?!\w)"
        other = rf"\$\{{(?P<other>[A-Za-z_]\w*){_DEFAULT.replace('default', 'otherwise')}\}}"
        self._own = re.compile(own, re.ASCII)
        self._every = re.compile(f"{own}|{other}", re.ASCII)

    def in_text(self, text: str) -> PromptText:
        """Of prose: only the names of the table are variables."""
        return PromptText(cut(text, self._own, self._part)) if "$" in text else plain(text)

    def in_string(self, text: str) -> PromptText:
        """Of an entry of a configuration file: any other name is the environment's."""
        return PromptText(cut(text, self._every, self._part)) if "$" in text else plain(text)

    def _part(self, match: re.Match[str]) -> PromptVariable:
        groups = match.groupdict()
        name = groups["braced"] or groups["bare"]
        if name is None:
            return PromptVariable(f"{ENVIRONMENT}{groups['other']}", match[0], groups["otherwise"])
        start = next((each for each in self._settings if name.startswith(each)), "")
        what = self._names.get(name) or (f"{SETTING}{name.removeprefix(start)}" if start else f"{ENVIRONMENT}{name}")
        return PromptVariable(what, match[0], groups["default"])


def filled_by(names: NamedVariables) -> Callable[..., PromptText]:
    """A template for texts in which nothing but variables is filled in."""
    return lambda text, *_: names.in_text(text)
