"""Files in the package that editors, agents, shells and git run when its folder is opened."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page, excerpt

AUTORUN_FILE = Rule("scan-autorun-file", WARNING, "A file in the package is run by whoever opens its folder")

_GIT_RUNS = re.compile(
    r"^\s{0,20}(?:fsmonitor|sshCommand|hooksPath|askPass|pager|editor)\s{0,9}=(?!\s{0,9}(?:true|false)\s{0,9}$)",
    re.I | re.M,
)


def _find(page: Page) -> Diagnostics:
    name = f"/{page.name}"
    if name.endswith("/.vscode/tasks.json") and "folderopen" in page.lowered:
        yield page.finding(AUTORUN_FILE, page.lowered.index("folderopen"), "a task starts when the folder is opened")
    elif name.endswith(page.known.hooks) and '"hooks"' in page.text:
        message = "hooks run for whoever starts an agent in this folder"
        yield page.finding(AUTORUN_FILE, page.text.index('"hooks"'), message)
    elif name.endswith("/.envrc"):
        yield page.finding(AUTORUN_FILE, 0, "direnv runs it")
    elif "/.git/hooks/" in name and not name.endswith(".sample"):
        yield page.finding(AUTORUN_FILE, 0, "git runs it")
    elif name.endswith(("/.git/config", "/config")) and "[core]" in page.lowered:
        for found in _GIT_RUNS.finditer(page.text):
            finding = page.finding(AUTORUN_FILE, found.start(), f"git runs what `{excerpt(found[0])}` says")
            yield finding.replace(severity=ERROR)


DETECTOR = Detector("files that run when the folder is opened", _find)
