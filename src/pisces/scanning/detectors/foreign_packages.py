"""Packages that are installed from somewhere else than their registry: another index, a repository, an archive."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.scanning.clues import clue, seen
from pisces.scanning.contexts import RUNS
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page, excerpt
from pisces.scanning.roles import SHELL
from pisces.scanning.suspicious_hosts import is_suspicious

FOREIGN_PACKAGE = Rule("scan-foreign-package", ERROR, "A package is installed from an unusual place")

_KNOWN = r"(?!https?://(?:pypi\.org|test\.pypi\.org|registry\.npmjs\.org|registry\.yarnpkg\.com|download\.pytorch\.org|pypi\.nvidia\.com|npm\.pkg\.github\.com)/?)"
_SIGNS = (
    clue(
        "another package index",
        rf"\b(?:pip[\d.]{{0,4}}|uv|uvx|pipx|poetry)\b[^\n;|&]{{0,200}}(?:--(?:extra-)?index-url|--index|-i"
        rf"|--find-links|-f)[\s=]{{1,4}}[\"']?{_KNOWN}https?://[^\s\"']{{3,120}}",
        *("pip", "pip3", "uv", "uvx", "pipx", "poetry"),
    ),
    clue("a host whose certificate is not checked", r"\bpip[\d.]{0,4}\b[^\n;|&]{0,200}--trusted-host\b", "pip", "pip3"),
    clue(
        "another registry",
        rf"\b(?:npm|npx|pnpm|yarn|bun|bunx)\b[^\n;"
        rf"|&]{{0,200}}--registry[\s=]{{1,4}}[\"']?{_KNOWN}https?://[^\s\"']{{3,120}}",
        *("npm", "npx", "pnpm", "yarn", "bun", "bunx"),
    ),
    clue(
        "a repository or an archive",
        r"\b(?:npm|pnpm|yarn|bun)\s{1,4}(?:i|install|add|exec)\s[^\n;|&]{0,120}(?:git\+(?:https?|ssh)://"
        r"|https?://)[^\s\"']{3,160}",
        *("npm", "pnpm", "yarn", "bun"),
    ),
    clue(
        "a repository or an archive",
        rf"\bpip[\d.]{{0,4}}\s{{1,4}}install\s[^\n;|&]{{0,120}}(?:(?:git|hg|svn)\+)?{_KNOWN}https?://[^\s\"']{{3,160}}",
        *("pip", "pip3"),
    ),
)
# A package that brings others with it, which nobody was asked about.
_EXTENSIONS = (
    clue(
        "another extension",
        r"\b(?:claude|gemini|codex|opencode|copilot|droid|pi|omp|openclaw)\s{1,4}(?:plugins?|extensions?|mcp|skills?)\s{1,4}"
        r"(?:marketplace\s{1,4}add|install|add|add-json|link)\b[^\n;|&]{0,120}"
        r"|\b(?:code|cursor|windsurf|codium)\s{1,4}--install-extension\s[^\n;|&]{0,80}|\bclawhub\s{1,4}install\b[^\n;|&]{0,80}"
        r"|\bskills\s{1,4}add\s[^\n;|&]{0,80}"
        r"|\b[a-z]{2,12}\s{1,4}extensions?\s{1,4}(?:install|link)\s{1,4}(?:https?:|git@)[^\n;|&]{0,120}",
        *("marketplace add", "install", "add", "add-json", "link", "--install-extension"),
        before=60,
    ),
)
_SETTINGS = (".npmrc", "pip.conf", "pip.ini", "uv.toml", ".yarnrc", ".yarnrc.yml", "bunfig.toml")
_REGISTRY = re.compile(
    rf"^\s{{0,20}}(?:registry|npmRegistryServer|(?:extra-)?index-url|default-index)"
    rf"[\"']?\s{{0,4}}[=: ]\s{{0,4}}[\"']?{_KNOWN}"
    r"https?://[^\s\"']{3,120}",
    re.M,
)
_DEPENDENCIES = ("dependencies", "devDependencies", "optionalDependencies", "peerDependencies")
_USUAL = re.compile(
    r"https?://(?:(?:www|codeload|api)\.)?(?:github\.com|gitlab\.com|bitbucket\.org|registry\.npmjs\.org|registry\.yarnpkg\.com|pkg\.pr\.new|cdn\.sheetjs\.com"
    r"|localhost|127\.)"
)
_TRUSTED = re.compile(r"https?://(?:www\.)?(?:github|gitlab)\.com/")


def _find(page: Page) -> Diagnostics:
    yield from _in_manifest(page)
    if page.base in _SETTINGS:
        for found in _REGISTRY.finditer(page.text):
            finding = page.finding(FOREIGN_PACKAGE, found.start(), f"`{excerpt(found[0])}` takes another registry")
            yield finding if is_suspicious(found[0]) else finding.replace(severity=WARNING)
    for each, found in seen(page, _EXTENSIONS) if page.role == SHELL and page.started else ():
        finding = page.weighed(FOREIGN_PACKAGE, found.start(), f"`{excerpt(found[0])}` brings {each.what}")
        is_unasked = page.name == "line.sh" or page.is_hook
        yield finding if is_unasked or finding.severity != ERROR else finding.replace(severity=WARNING)
    for each, found in seen(page, _SIGNS):
        finding = page.weighed(FOREIGN_PACKAGE, found.start(), f"`{excerpt(found[0])}` takes {each.what}")
        if is_suspicious(page.line_with(found.start())) and finding.severity == WARNING:
            finding = finding.replace(severity=ERROR)
        is_usual = bool(_TRUSTED.search(found[0])) and not is_suspicious(found[0])
        if is_usual:
            finding = finding.replace(
                severity=WARNING if page.context(found.start()) == RUNS and page.started else NOTE
            )
        yield finding


def _in_manifest(page: Page) -> Diagnostics:
    """Dependencies that come from an address: what is there may be another thing for each who asks."""
    package = page.json if page.base == "package.json" else None
    tables = [package.get(key) for key in _DEPENDENCIES] if isinstance(package, dict) else []
    for name, source in (pair for table in tables if isinstance(table, dict) for pair in table.items()):
        if isinstance(source, str) and source.startswith(("http://", "https://")) and not _USUAL.match(source):
            at = max(0, page.text.find(source))
            finding = page.finding(FOREIGN_PACKAGE, at, f"`{excerpt(name)}` comes from `{excerpt(source)}`")
            is_worse = is_suspicious(source) or source.startswith("http:")
            yield finding if is_worse else finding.replace(severity=WARNING)


DETECTOR = Detector("packages from unusual places", _find, in_plain_text=True)
