"""Scripts that a package manager runs during installation."""

from __future__ import annotations

import re

from pisces.diagnostics import NOTE, WARNING, Diagnostics, Rule
from pisces.formats.json import JsonObject
from pisces.formats.position import json_place
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page, excerpt

INSTALL_SCRIPT = Rule("scan-install-script", WARNING, "A script runs while dependencies are installed")

_RUN_BY_INSTALL = ("preinstall", "install", "postinstall")
_RUN_FROM_GIT = ("prepare", "prepublish", "preprepare", "postprepare")  # for checkouts and git dependencies only

_SEPARATOR = re.compile(r"\s{0,9}(?:&&|;)\s{0,9}")
_NAMED_SCRIPT = re.compile(r"(?:npm|pnpm|yarn|bun)\s{1,4}run\s{1,4}(?P<name>[\w:-]{1,60})")
_BUILDER = re.compile(
    r"cd\s{1,4}[\w./-]{1,80}|(?:npx\s{1,4})?(?:tsc|tsup|esbuild|rollup|vite|husky|patch-package|node-gyp"
    r"|node-gyp-build|prisma\s{1,4}generate)"
    r"(?:\s{1,4}[\w./=:@-]{1,80}){0,12}|(?:npm|pnpm|yarn|bun)(?:\s{1,4}(?:i|ci|install|run\s{1,4}(?:build|compile"
    r"|typecheck)))?(?:\s{1,4}--?[\w=-]{1,40}){0,6}"
)


def _find(page: Page) -> Diagnostics:
    if page.base == "binding.gyp":
        finding = page.finding(INSTALL_SCRIPT, 0, "`npm install` compiles and so runs what this file says")
        yield finding.replace(severity=NOTE)
    scripts = page.json.get("scripts") if page.base == "package.json" and isinstance(page.json, dict) else None
    for event, line in scripts.items() if isinstance(scripts, dict) else ():
        if isinstance(line, str) and event in (*_RUN_BY_INSTALL, *_RUN_FROM_GIT):
            place = json_place(page.text, ("scripts", event))
            finding = INSTALL_SCRIPT.at(page.path, f"`{event}` runs `{excerpt(line)}`", place=place)
            is_weighty = event in _RUN_BY_INSTALL and not _is_vendored(page) and not _is_build(line, scripts or {})
            yield finding if is_weighty else finding.replace(severity=NOTE)


def _is_build(line: str, scripts: JsonObject) -> bool:
    """Whether a line only builds what is in the package: every command is a builder, or a script that is one."""
    for command in _SEPARATOR.split(line):
        script = _NAMED_SCRIPT.fullmatch(command)
        inner = scripts.get(script["name"]) if script else None
        if (
            inner is not None
            and isinstance(inner, str)
            and all(_BUILDER.fullmatch(each) for each in _SEPARATOR.split(inner))
        ):
            continue
        if not _BUILDER.fullmatch(command):
            return False
    return True


def _is_vendored(page: Page) -> bool:
    """Whether the package is an installed dependency: its scripts do not run again."""
    return "node_modules" in page.name.split("/")


DETECTOR = Detector("scripts that run while dependencies are installed", _find)
