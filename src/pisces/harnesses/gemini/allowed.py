"""Which sources of packages the settings allow: `security.allowedExtensions`, else `security.blockGitExtensions`.

Patterns are matched with a path, even where the source is an address, so that `^https:` fits none. With a list of
allowed sources, a package that does not say its source stops the whole program.
"""

from __future__ import annotations

import os
import re

from pisces.discovery.state import OFF, REFUSED, State
from pisces.formats.js_regex import regex_flaw
from pisces.formats.js_regex_match import js_pattern
from pisces.formats.json import JsonObject
from pisces.harnesses.gemini.settings import Settings, is_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_ALLOWED = ("security", "allowedExtensions")
_NO_GIT = ("security", "blockGitExtensions")
_SSH = "git@github.com:"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]*:(//)?")
_FROM_GIT = ("git", "github-release")


def refused_source(note: JsonObject, settings: Settings, cwd: str) -> State | None:
    """Why a package with this install note does not load; None if nothing speaks against its source."""
    patterns = settings.value(*_ALLOWED)
    if isinstance(patterns, list) and patterns:
        return _by_list(note.get("source"), patterns, settings, cwd)
    if note.get("type") in _FROM_GIT and is_on(settings.value(*_NO_GIT), default=False):
        return _switched(OFF, "`security.blockGitExtensions` is on, and it comes from a repository", _NO_GIT, settings)
    return None


def note_flaw(note: JsonObject) -> str:
    """Why Gemini CLI skips a package with this install note. What comes from GitHub must name one repository."""
    source = note.get("source")
    if note.get("type") not in _FROM_GIT:
        return "" if isinstance(source, str | None) else "its install note has a source that is no text"
    if not isinstance(source, str):
        return "its install note has no source"
    if source.startswith("git@") and not source.startswith(_SSH):
        return ""
    text = source.removeprefix(_SSH)
    scheme = _SCHEME.match(text)
    host, _, path = text[scheme.end() :].partition("/") if scheme else ("github.com", "", text)
    names = [name for name in re.split("[?#]", path)[0].split("/") if name]
    if host.rpartition("@")[2].lower() != "github.com" or len(names) == 2:
        return ""
    return f"its install note has a source that is no repository of GitHub: `{source}`"


def _by_list(source: object, patterns: list[Any], settings: Settings, cwd: str) -> State | None:
    if not isinstance(source, str) or not source:
        reason = "Gemini CLI does not start: `security.allowedExtensions` is set, and an extension has no install note"
        return _switched(REFUSED, reason, _ALLOWED, settings)
    real = os.path.realpath(os.path.join(cwd, source))  # an address too: `https://a` is `CWD/https:/a` for the patterns
    for pattern in patterns:
        matches = _search(str(pattern), real)
        if matches is None:
            reason = f"Gemini CLI does not start: `{pattern}` in `security.allowedExtensions` is no pattern"
            return _switched(REFUSED, reason, _ALLOWED, settings)
        if matches:
            return None
    return _switched(OFF, f"no pattern of `security.allowedExtensions` fits `{source}`", _ALLOWED, settings)


def _search(pattern: str, text: str) -> bool | None:
    """None where Gemini CLI cannot read the pattern. One that would take too long matches nothing."""
    if regex_flaw(pattern):
        return None
    matcher = js_pattern(pattern)
    return matcher is not None and matcher.search(text)


def _switched(name: str, reason: str, keys: tuple[str, str], settings: Settings) -> State:
    scope = settings.last_with(*keys)
    path, line = (scope.path, scope.line_of(*keys)) if scope else ("", 0)
    return State(name, reason, path, line, f"change `{'.'.join(keys)}`", name == REFUSED)
