"""Hooks that send each event to another machine, without a program."""

from __future__ import annotations

import re

from pisces.diagnostics import WARNING, Diagnostics
from pisces.scanning.detector import Detector
from pisces.scanning.detectors.hooks import NETWORK_HOOK, sees_all
from pisces.scanning.launches import hooks_of, place_of
from pisces.scanning.page import Page, excerpt
from pisces.scanning.suspicious_hosts import is_suspicious

_NEAR = re.compile(r"\w{2,9}://(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/?#]|$)", re.I)
_OPEN = re.compile(r"http:", re.I)


def _find(page: Page) -> Diagnostics:
    for hook in hooks_of(page):
        if hook.url and not _NEAR.match(hook.url):
            message = f"`{hook.event}` sends what it sees to `{excerpt(hook.url)}`"
            finding = NETWORK_HOOK.at(page.path, message, place=place_of(page, hook.keys), about=hook.event)
            is_worse = sees_all(hook) or is_suspicious(hook.url) or bool(_OPEN.match(hook.url))
            yield finding if is_worse else finding.replace(severity=WARNING)


DETECTOR = Detector("hooks that send events to an address", _find)
