"""Names of packages that are one letter from a well-known name, where something installs or starts them."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule
from pisces.formats.position import json_place
from pisces.scanning.contexts import READ
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page, excerpt
from pisces.scanning.roles import DOC
from pisces.scanning.well_known_names import NPM, PYPI
from pisces.scanning.words import words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

NEAR_NAME = Rule("scan-near-name", ERROR, "A package has nearly the name of a well-known one")

_NPM_LINE = re.compile(
    r"(?<![\w./-])(?:npx|bunx|pnpx|pnpm\s{1,4}(?:dlx|add|i|install)|yarn\s{1,4}(?:dlx|add)|npm\s{1,4}(?:i|install"
    r"|add|exec|x)|bun\s{1,4}(?:add|x|install))(?P<rest>(?:\s{1,4}[^\s;&|`)\"']{1,120}){1,12})"
)
_PYPI_LINE = re.compile(
    r"(?<![\w./-])(?:uvx|pipx\s{1,4}(?:run|install)|uv\s{1,4}(?:add|tool\s{1,4}(?:run|install)|pip\s{1,4}install)"
    r"|(?:python[\d.]{0,4}\s{1,4}-m\s{1,4})?pip[\d.]{0,4}\s{1,4}install"
    r"|poetry\s{1,4}add)(?P<rest>(?:\s{1,4}[^\s;&|`)]{1,120}){1,12})"
)
_NPM_NAME = re.compile(r"(?:@[\w.-]{1,60}/)?[\w.-]{1,80}")
_PYPI_NAME = re.compile(r"[A-Za-z][\w.-]{1,80}")
_REQUIREMENT = re.compile(
    r"^\s{0,9}(?P<name>[A-Za-z][\w.-]{1,80})\s{0,4}(?:\[[\w, -]{1,60}\])?\s{0,4}(?:[=<>!~;@#]|$)", re.M
)
_DEPENDENCY_KEYS = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_SHORTEST = 5
_LONGEST_PLAIN = 20  # a shorter name without its scope may be somebody else's
_LONG = 14  # long names may differ in two letters


def near(name: str, known: frozenset[str]) -> str:
    """The well-known name that a name imitates; empty where it is one itself, or like none."""
    lower = name.lower()
    if lower in known or len(lower) < _SHORTEST:
        return ""
    flat = _flat(lower)
    for each in known:
        if each[0] == "@" and len(each) > _LONGEST_PLAIN and flat == _flat(each):
            return each
        most = 2 if len(each) >= _LONG else 1
        if len(each) >= _SHORTEST and abs(len(each) - len(lower)) <= most and _is_near(lower, each, most):
            return each
    return ""


def _flat(name: str) -> str:
    """Without a scope: `@a/b` is `a-b`."""
    return name.lstrip("@").replace("/", "-")


def _is_near(one: str, other: str, most: int) -> bool:
    """Whether at most so many letters are missing, added, changed or swapped; the ends that agree are cut off first."""
    if one.replace("-", "").replace("_", "").replace(".", "") == other.replace("-", "").replace("_", "").replace(
        ".", ""
    ):
        return one.replace("_", "-").replace(".", "-") != other.replace("_", "-").replace(".", "-")
    if most == 2 and not _is_near(one, other, 1):
        scopes = one.partition("/")[0], other.partition("/")[0]
        if "/" not in one or scopes[0] == scopes[1]:
            return False  # a sibling in the same scope
    start = 0
    while start < min(len(one), len(other)) and one[start] == other[start]:
        start += 1
    one, other = one[start:], other[start:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    if len(one) == 2 and one == other[::-1]:
        return True
    return max(len(one), len(other)) <= most and not (one + other).isdigit()


def _find(page: Page) -> Diagnostics:
    if page.role == DOC and not page.base.startswith("requirements"):
        return
    for pattern, form, known in ((_NPM_LINE, _NPM_NAME, NPM), (_PYPI_LINE, _PYPI_NAME, PYPI)):
        for found in page.matches((pattern,), _INSTALLING, before=40, after=500):
            if page.context(found.start()) != READ:
                yield from _in_line(page, found, form, known)
    if page.base == "package.json":
        yield from _in_manifest(page)
    elif page.base.startswith("requirements") and page.name.endswith(".txt"):
        yield from _in_requirements(page)


def _in_line(page: Page, found: re.Match[str], form: re.Pattern[str], known: frozenset[str]) -> Diagnostics:
    for name in _names(found["rest"].split(), form):
        like = near(name, known)
        if like:
            message = f"`{excerpt(name)}` is nearly `{like}`"
            yield page.weighed(NEAR_NAME, found.start(), message, hint=f"did you mean `{like}`?")


def _names(given: list[str], form: re.Pattern[str]) -> Iterator[str]:
    for word in given:
        if (
            not word.startswith("-")
            and "/" not in word.lstrip("@").partition("/")[2]
            and not word.startswith((".", "/", "$"))
        ):
            found = form.match(word.strip("\"'"))
            if found and "://" not in word:
                yield found[0]


def _in_manifest(page: Page) -> Diagnostics:
    package = page.json if isinstance(page.json, dict) else {}
    for key in _DEPENDENCY_KEYS:
        table = package.get(key)
        for name in table if isinstance(table, dict) else ():
            like = near(str(name), NPM)
            if like:
                place = json_place(page.text, (key, name))
                yield NEAR_NAME.at(page.path, f"`{excerpt(str(name))}` is nearly `{like}`", place=place)


def _in_requirements(page: Page) -> Diagnostics:
    for found in _REQUIREMENT.finditer(page.text):
        like = near(found["name"], PYPI)
        if like:
            finding = page.finding(NEAR_NAME, found.start("name"), f"`{excerpt(found['name'])}` is nearly `{like}`")
            yield finding if not found["name"].isdigit() else finding.replace(severity=WARNING)


_INSTALLING = words("npx", "bunx", "pnpx", "pnpm", "yarn", "npm", "bun", "uvx", "pipx", "uv", "pip", "pip3", "poetry")

DETECTOR = Detector("names that imitate well-known packages", _find, in_plain_text=True)
