"""Scripts that a package manager runs during installation."""

from __future__ import annotations

from pisces.diagnostics import NOTE, WARNING, Diagnostics, Rule
from pisces.formats.position import json_place
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page, excerpt

INSTALL_SCRIPT = Rule("scan-install-script", WARNING, "A script runs while dependencies are installed")

_RUN_BY_INSTALL = ("preinstall", "install", "postinstall")
_RUN_FROM_GIT = ("prepare", "prepublish", "preprepare", "postprepare")  # for checkouts and git dependencies only


def _find(page: Page) -> Diagnostics:
    if page.base == "binding.gyp":
        finding = page.finding(INSTALL_SCRIPT, 0, "`npm install` compiles and so runs what this file says")
        yield finding.replace(severity=NOTE)
    scripts = page.json.get("scripts") if page.base == "package.json" and isinstance(page.json, dict) else None
    for event, line in scripts.items() if isinstance(scripts, dict) else ():
        if isinstance(line, str) and event in (*_RUN_BY_INSTALL, *_RUN_FROM_GIT):
            place = json_place(page.text, ("scripts", event))
            finding = INSTALL_SCRIPT.at(page.path, f"`{event}` runs `{excerpt(line)}`", place=place)
            yield finding if event in _RUN_BY_INSTALL and not _is_vendored(page) else finding.replace(severity=NOTE)


def _is_vendored(page: Page) -> bool:
    """Whether the package is an installed dependency: its scripts do not run again."""
    return "node_modules" in page.name.split("/")


DETECTOR = Detector("scripts that run while dependencies are installed", _find)
