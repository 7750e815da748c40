"""Patterns of `claudeMdExcludes`, matched against whole paths. As in a shell, with `**` and `{a,b}`."""

from __future__ import annotations

import re

from pisces.formats.git_glob import MatchesNothing, matches, parts_of

_CHOICE = re.compile(r"\{([^{},]*(?:,[^{},]*)+)\}")
_MOST = 64  # patterns that one pattern with choices may stand for


def fits(pattern: str, path: str) -> bool:
    names = path.replace("\\", "/").lstrip("/").encode().split(b"/")
    return any(_fits(each, names) for each in _spelled_out(pattern))


def _fits(pattern: str, names: list[bytes]) -> bool:
    try:
        return matches(parts_of(pattern.lstrip("/").encode()), names)
    except MatchesNothing:
        return False


def _spelled_out(pattern: str) -> list[str]:
    pending, done = [pattern], list[str]()
    while pending and len(pending) + len(done) <= _MOST:
        each = pending.pop()
        choice = _CHOICE.search(each)
        if choice is None:
            done.append(each)
        else:
            pending.extend(each[: choice.start()] + word + each[choice.end() :] for word in choice[1].split(","))
    return done
