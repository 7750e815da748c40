"""Files with credentials, and commands that read them."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, Diagnostic, Diagnostics, Rule
from pisces.scanning.contexts import CODE, RUNS
from pisces.scanning.detector import Detector
from pisces.scanning.known_files import all_scanning
from pisces.scanning.page import Page, excerpt
from pisces.scanning.roles import DOC
from pisces.scanning.words import words

CREDENTIAL_PATH = Rule("scan-credential-path", ERROR, "Keys that are none of a package's business are touched")

_OF_HARNESSES = tuple(path for each in all_scanning() for path in each.credentials)
_PATH = re.compile(
    r"\.ssh/(?:id_(?:rsa|dsa|ecdsa|ed25519)\b(?!\.pub)|\*|authorized_keys|config\b)"
    r"|\.aws/(?:credentials|config)\b|\.netrc\b|\.git-credentials\b|\.pypirc\b|\.docker/config\.json|\.kube/config\b"
    r"|application_default_credentials\.json|\.azure/accessTokens"
    r"|\.gnupg/|login\.keychain|Library/Keychains"
    r"|security\s{1,4}(?:find|dump)-(?:generic-password|internet-password|keychain)"
    r"|(?:Chrome|Chromium|Brave-Browser|Edge)[^\n]{0,60}(?:Login Data|Cookies)|logins\.json|key4\.db"
    r"|/etc/shadow\b|/proc/(?:self|\*|\d{1,7}|\$\w{1,20})/environ|wallet\.dat\b"
    + "".join(f"|{re.escape(path)}" for path in _OF_HARNESSES),
    re.I,
)
_SENDS = re.compile(
    r"\b(?:curl|wget|nc|ncat|scp|rsync|fetch|requests\.post|invoke-(?:webrequest|restmethod)|https?://)", re.I
)


def _find(page: Page) -> Diagnostics:
    if page.role == DOC:
        return
    for found in page.matches((_PATH,), _WORDS, after=150):
        context, line = page.context(found.start()), page.line_with(found.start())
        if context in (RUNS, CODE):
            yield _judged(page, found, sends=bool(_SENDS.search(line)), runs=context == RUNS)


def _judged(page: Page, found: re.Match[str], *, sends: bool, runs: bool) -> Diagnostic:
    what = "is used in a line that sends" if sends else "is named"
    finding = page.weighed(CREDENTIAL_PATH, found.start(), f"`{excerpt(found[0])}` {what}")
    if sends:
        return finding
    return finding.replace(severity="warning" if runs else NOTE)


_WORDS = words(
    *(".ssh/", ".aws/", ".netrc", ".git-credentials", "/credentials", ".pypirc", ".docker/"),
    *(".kube/", "application_default_credentials", "accesstokens", ".gnupg", "login.keychain"),
    *("library/keychains", "generic-password", "internet-password", "dump-keychain", "login data", "cookies"),
    *("logins.json", "key4.db", "/etc/shadow", "/environ", "wallet.dat"),
    *(path.lower() for path in _OF_HARNESSES),
)


DETECTOR = Detector("files in which people keep keys", _find, in_plain_text=True)
