"""Does an editor's workspace cover a folder? It does if the folder is a root or below one, links resolved."""

from __future__ import annotations

import ntpath
import os
import posixpath
import re
import sys
from types import ModuleType
from urllib.parse import unquote

_MALFORMED_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")
_LOCAL_HOSTS = ("", "localhost")


def roots_of(workspace_path: str) -> list[str]:
    """The real paths of the open folders. An empty part is ignored, though Gemini CLI reads it as `.`"""
    return [resolved(root) for root in workspace_path.split(os.pathsep) if root]


def covers(workspace_path: str | None, cwd: str) -> bool:
    here = resolved(cwd)
    return any(is_below(root, here) for root in roots_of(workspace_path or ""))


def resolved(path: str) -> str:
    """The real path of a path or a `file:` URL. Parts that do not exist, or can be no path, stay as written."""
    decoded = _decoded(_from_address(path))
    try:
        return os.path.realpath(os.path.abspath(decoded))
    except ValueError:  # a NUL, or half a character
        return decoded


def is_below(root: str, path: str, platform: str = sys.platform) -> bool:
    """Whether the path is the root or below it. macOS and Windows ignore case."""
    rules: ModuleType = ntpath if platform == "win32" else posixpath
    root, path = rules.normpath(root), rules.normpath(path)
    if platform in ("win32", "darwin"):
        root, path = root.lower(), path.lower()
    return path == root or path.startswith(root.rstrip(rules.sep) + rules.sep)


def _from_address(path: str) -> str:
    """The path of a `file:` URL, as Node reads it. One with another host or an escaped slash stays as it is."""
    if not path.startswith("file://"):
        return path
    host, slash, rest = path.removeprefix("file://").partition("/")
    if host.lower() not in _LOCAL_HOSTS or re.search("%2f" if os.name != "nt" else "%2f|%5c", rest, re.IGNORECASE):
        return path
    rest = re.split(r"[?#]", slash + rest)[0]
    if os.name == "nt":
        rest = rest.lstrip("/").replace("/", "\\")
    return _decoded(rest)


def _decoded(path: str) -> str:
    """Decodes percent escapes. A text with one malformed escape stays as it is."""
    if _MALFORMED_ESCAPE.search(path):
        return path
    try:
        return unquote(path, errors="strict")
    except UnicodeDecodeError:
        return path
