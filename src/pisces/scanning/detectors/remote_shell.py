"""Code that is downloaded and runs at once, without review."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page, excerpt
from pisces.scanning.quiet import is_far_from_calls, is_pattern
from pisces.scanning.roles import PROMPT, SOURCE
from pisces.scanning.suspicious_hosts import is_suspicious
from pisces.scanning.words import words

REMOTE_SHELL = Rule("scan-remote-shell", ERROR, "Code from the network is run unseen")

_SHELL = (
    r"(?:(?:/usr)?/bin/|/usr/bin/env[ ])?(?:(?:ba|z|da|k|a|fi)?sh"
    r"|python[0-9.]{0,4}|node|deno|bun|perl|ruby|php|pwsh|powershell|iex)"
)
# sudo -E bash, env X=1 bash, timeout 9 sh, busybox sh
_PREFIX = (
    r"(?:(?:sudo|doas|env|busybox|toybox|nohup|exec|command|nice|setsid|timeout|stdbuf|time)\s{1,4}"
    r"(?:(?:-{1,2}[\w=]{1,20}|\w{1,20}=\S{0,40}|\d{1,6}[smh]?)\s{1,4}){0,4}){0,3}"
)
_FETCH = r"(?:curl|wget|aria2c|https?ie|lwp-request|irm|iwr|invoke-webrequest|invoke-restmethod)"
_PATTERNS = (
    # curl ... | sudo bash -s
    re.compile(
        rf"\b{_FETCH}\b[^\n|;]{{0,250}}(?:\n[^\n|;]{{0,200}})?(?:\|[^\n"
        rf"|;]{{0,80}}){{0,2}}\|\s{{0,20}}(?:\\\n\s{{0,20}})?{_PREFIX}{_SHELL}\b(?![\w./-]"
        rf"|\s{{1,9}}-m\sjson|\s-c|\s-[pne]{{1,3}}e?\b)",
        re.I,
    ),
    # curl ... | python3 -c "exec(sys.stdin.read())", curl ... | xargs -I{} sh -c {}
    re.compile(
        rf"\b{_FETCH}\b[^\n|;]{{0,250}}\|[^\n]{{0,60}}(?:\b(?:exec|eval)\b[^\n]{{0,60}}(?:stdin|readFileSync\(0"
        rf"|STDIN)|\bxargs\b[^\n]{{0,40}}\b(?:ba|z)?sh\s-c)",
        re.I,
    ),
    # bash <(curl ...), sh -c "$(curl ...)", eval `curl ...`, source <(curl ...)
    re.compile(
        rf"(?:\b(?:(?:ba|z|da|k|fi)?sh|eval|source|exec|python[0-9.]{{0,4}}|node)\b"
        rf"|(?:^|(?<=[\s;&|({{]))\.(?=\s))(?:[^\n|;&`]{{0,40}}?(?:<\(|\$\()|\s(?:-c\s)?[\"']?`)\s{{0,9}}{_FETCH}\b",
        re.I,
    ),
    # iex (irm ...), iex ((New-Object Net.WebClient).DownloadString(...))
    re.compile(
        r"(?:\b(?:iex|invoke-expression)\b|scriptblock\]::create\()[^\n]{0,60}(?:\birm\b"
        r"|\biwr\b|invoke-(?:webrequest|restmethod)|downloadstring)",
        re.I,
    ),
    # base64 -d | sh
    re.compile(
        rf"\b(?:base64\s{{1,9}}(?:-d|-D|--decode)|xxd\s-r"
        rf"|openssl\senc\s-d)\b[^\n|;]{{0,120}}\|\s{{0,9}}(?:sudo\s)?{_SHELL}\b"
    ),
    # subprocess.run(["sh"], input=urlopen(...).read())
    re.compile(
        r"[\"'](?:/bin/)?(?:(?:ba|z|da)?sh|python3?|node)[\"'][^\n]{0,60}input\s{0,2}[=:][^\n]{0,40}"
        r"(?:urlopen|requests\.get|httpx\.get|\bfetch\()"
    ),
    # mshta https://..., regsvr32 /i:https://... scrobj.dll, msiexec /q /i https://...
    re.compile(
        r"\b(?:mshta|regsvr32|rundll32|msiexec|wmic|cmstp|wscript|cscript|installutil)(?:\.exe)?\b[^\n|;&]{0,120}?"
        r"(?:https?|ftp)://|\bmshta(?:\.exe)?[\s\"']{1,4}(?:java|vb)script:|\brundll32(?:\.exe)?[\s\"']{1,4}javascript:",
        re.I,
    ),
    # exec(urlopen(...).read()), eval(await (await fetch(...)).text())
    re.compile(
        r"\b(?:exec|eval|compile)\s{0,3}\([^\n]{0,80}(?:urlopen|requests\.get|httpx\.get|urllib|\bfetch\()", re.I
    ),
)
# Installers of tools that everybody uses, by their publishers. An agent that is shown one asks before it runs.
INSTALLER = re.compile(
    r"https://(?:sh\.rustup\.rs|astral\.sh/(?:uv|ruff)/|bun\.sh/install|deno\.land/|get\.docker\.com"
    r"|get\.pnpm\.io|install\.python-poetry\.org"
    r"|deb\.nodesource\.com/|rpm\.nodesource\.com/|raw\.githubusercontent\.com/(?:Homebrew/install|nvm-sh/nvm)/"
    r"|claude\.ai/install|fnm\.vercel\.app/"
    r"|get\.sdkman\.io|pyenv\.run|ollama\.com/install|downloads\.slack-edge\.com/|cli\.github\.com/"
    r"|sdk\.cloud\.google\.com|aka\.ms/|get\.helm\.sh/)"
)
# A window that nobody sees, or a user who is told to paste it: how such a line gets to run.
_UNSEEN = re.compile(
    r"\s-w(?:in\w{0,12})?\s{1,4}hidden\b|\bWin(?:dows)?(?:\skey)?\s?\+\s?R\b|\byou\sare\s(?:a\s)?human\b"
    r"|\bpaste\b[^\n]{0,80}\b(?:press|hit)\s(?:enter|return)\b",
    re.I,
)
# Without an address it is a pattern in a list, or prose.
_ADDRESS = re.compile(
    r"://|\$[\w{(]|\w\.[a-z]{2,12}/|(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])|[A-Za-z0-9+/]{40}|base64|xxd"
)


def _find(page: Page) -> Diagnostics:
    for found in page.matches(_PATTERNS, _WORDS):
        message = f"`{excerpt(found[0])}` runs what it fetches"
        finding = page.weighed(
            REMOTE_SHELL, found.start(), message, hint="fetch a fixed version, check its hash, then run it"
        )
        yield finding.replace(severity=_severity(page, found, finding.severity))


def _severity(page: Page, found: re.Match[str], severity: str) -> str:
    """By the address: without one it is prose, with a well-known installer usual, with a number no publisher's."""
    if not _ADDRESS.search(page.line_with(found.start())):
        return NOTE
    if is_pattern(found[0]) and "://" not in found[0]:
        return NOTE
    line = page.text[found.start() : found.end() + 200].partition("\n")[0]
    if severity == WARNING and page.role == PROMPT:
        around = page.text[max(0, found.start() - 300) : found.end() + 200]
        return ERROR if is_suspicious(line) or _UNSEEN.search(around) else NOTE if INSTALLER.search(line) else WARNING
    is_mild = bool(INSTALLER.search(line)) or (page.role == SOURCE and is_far_from_calls(page.text, *found.span()))
    return WARNING if severity == ERROR and is_mild and not is_suspicious(line) else severity


_WORDS = words(
    *("curl", "wget", "aria2c", "irm", "iwr", "invoke-webrequest", "invoke-restmethod", "invoke-expression"),
    *("downloadstring", "base64 -", "xxd -r", "openssl enc", "urlopen", "requests.get", "httpx.get"),
    *("fetch(", "mshta", "regsvr32", "rundll32", "msiexec", "wmic", "cmstp", "wscript", "cscript", "installutil"),
)


DETECTOR = Detector("code from the network that is run unseen", _find, in_plain_text=True)
