"""Hosts and variables that are named anywhere in a value of a configuration file."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}://([^\s/?#\"'`<>|;,)]{1,500})")
_VARIABLE = re.compile(r"\$\{?([A-Za-z_]\w{0,100})(?![\w.])")
# These stand for folders of the package and of the workspace, and are filled in by the harness.
_FOLDERS = re.compile(r"(?:extension|workspace|project|home)Path|pathSeparator|\w*PLUGIN_(?:ROOT|DATA)|\w+_PROJECT_DIR")
_DEEPEST = 8


def hosts_in(value: object) -> tuple[str, ...]:
    """Every host of an address, in order, each once; without the user before `@`, who is not the one that is reached.

    What a browser may read otherwise (`good.example\\@evil.example`) is shown whole.
    """
    found = (match[1] for text in _texts(value) for match in _ADDRESS.finditer(text))
    hosts = (text if "\\" in text else text.rpartition("@")[2] for text in found)
    return tuple(dict.fromkeys(filter(None, hosts)))


def variables_in(value: object) -> tuple[str, ...]:
    """Every variable of the environment that would be filled in, in order, each once."""
    found = (match[1] for text in _texts(value) for match in _VARIABLE.finditer(text))
    return tuple(name for name in dict.fromkeys(found) if not _FOLDERS.fullmatch(name))


def _texts(value: object, depth: int = 0) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif depth < _DEEPEST and isinstance(value, dict):
        for each in value.values():
            yield from _texts(each, depth + 1)
    elif depth < _DEEPEST and isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each, depth + 1)
