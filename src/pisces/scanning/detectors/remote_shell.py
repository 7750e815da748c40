"""Code that is downloaded and runs at once, without review."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page, excerpt
from pisces.scanning.words import words

REMOTE_SHELL = Rule("scan-remote-shell", ERROR, "Code from the network is run unseen")

_SHELL = (
    r"(?:(?:/usr)?/bin/|/usr/bin/env[ ])?(?:(?:ba|z|da|k|a|fi)?sh"
    r"|python[0-9.]{0,4}|node|deno|bun|perl|ruby|php|pwsh|powershell|iex)"
)
_FETCH = r"(?:curl|wget|aria2c|https?ie|lwp-request|irm|iwr|invoke-webrequest|invoke-restmethod)"
_PATTERNS = (
    # curl ... | sudo bash -s
    re.compile(
        rf"\b{_FETCH}\b[^\n|;]{{0,250}}(?:\n[^\n|;]{{0,200}})?(?:\|[^\n"
        rf"|;]{{0,80}}){{0,2}}\|\s{{0,20}}(?:\\\n\s{{0,20}})?(?:sudo\s(?:-\w\s){{0,3}})?{_SHELL}\b(?![\w./-]|\s{{1,9}}-m\sjson|\s-c|\s-[pne]{{1,3}}e?\b)",
        re.I,
    ),
    # bash <(curl ...), sh -c "$(curl ...)", eval `curl ...`, source <(curl ...)
    re.compile(
        rf"(?:\b(?:(?:ba|z|da|k|fi)?sh|eval|source|exec|python[0-9.]{{0,4}}|node)\b"
        rf"|(?<=[\s;&|])\.)(?:[^\n|;&`]{{0,40}}?(?:<\(|\$\()|\s(?:-c\s)?[\"']?`)\s{{0,9}}{_FETCH}\b",
        re.I,
    ),
    # iex (irm ...), iex ((New-Object Net.WebClient).DownloadString(...))
    re.compile(
        r"\b(?:iex|invoke-expression)\b[^\n]{0,60}(?:\birm\b"
        r"|\biwr\b|invoke-(?:webrequest|restmethod)|downloadstring)",
        re.I,
    ),
    # base64 -d | sh
    re.compile(
        rf"\b(?:base64\s{{1,9}}(?:-d|-D|--decode)|xxd\s-r"
        rf"|openssl\senc\s-d)\b[^\n|;]{{0,120}}\|\s{{0,9}}(?:sudo\s)?{_SHELL}\b"
    ),
    # exec(urlopen(...).read()), eval(await (await fetch(...)).text())
    re.compile(
        r"\b(?:exec|eval|compile)\s{0,3}\([^\n]{0,80}(?:urlopen|requests\.get|httpx\.get|urllib|\bfetch\()", re.I
    ),
)
# Without an address it is a pattern in a list, or prose.
_ADDRESS = re.compile(r"://|\$[\w{(]|\w\.\w{2,6}/|[A-Za-z0-9+/]{40}|base64|xxd")


def _find(page: Page) -> Diagnostics:
    for found in page.matches(_PATTERNS, _WORDS):
        message = f"`{excerpt(found[0])}` runs what it fetches"
        finding = page.weighed(
            REMOTE_SHELL, found.start(), message, hint="fetch a fixed version, check its hash, then run it"
        )
        yield finding if _ADDRESS.search(page.line_with(found.start())) else finding.replace(severity=NOTE)


_WORDS = words(
    *("curl", "wget", "aria2c", "irm", "iwr", "invoke-webrequest", "invoke-restmethod", "invoke-expression"),
    *("downloadstring", "base64 -", "xxd -r", "openssl enc", "urlopen", "requests.get", "httpx.get"),
    *("fetch(",),
)


DETECTOR = Detector("code from the network that is run unseen", _find)
