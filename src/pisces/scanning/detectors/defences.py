"""Programs that switch off what protects the machine, or that hide what they did there."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.scanning.clues import clue, seen
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page, excerpt

_MARK = "takes the mark of a download away"  # which people do with programs that nobody has signed
_SHELLS = ("sh", "bash", "shell", "zsh", "console", "powershell", "ps1", "pwsh", "cmd", "bat")
DEFENCES_OFF = Rule("scan-defences-off", ERROR, "What protects the machine is switched off")

_SIGNS = (
    clue(
        "switches the scan of scripts off",
        r"\bamsi(?:InitFailed|Utils|ScanBuffer)\b",
        *("amsiinitfailed", "amsiutils", "amsiscanbuffer"),
        flags=re.I,
    ),
    clue(
        "switches the virus scanner off",
        r"\b(?:Add|Set)-MpPreference\b[^\n]{0,80}-(?:Exclusion\w{4,12}|Disable\w{4,40})"
        r"|\bDisableAntiSpyware\b|\bsc(?:\.exe)?\s{1,4}(?:stop|delete|config)\s{1,4}WinDefend\b",
        *("add-mppreference", "set-mppreference", "disableantispyware", "windefend"),
        flags=re.I,
    ),
    clue(
        "switches a wall of the system off",
        r"\bspctl[\s\"',\[]{1,8}--(?:master|global)-disable\b|\bcsrutil[\s\"',\[]{1,8}disable\b"
        r"|\bnetsh[\s\"',\[]{1,8}advfirewall[\s\"',]{1,8}set[\s\"',]{1,8}\w{1,20}[\s\"',]{1,8}state[\s\"',]{1,8}off\b",
        *("spctl", "csrutil", "netsh"),
        flags=re.I,
    ),
    clue(
        "leads well-known names to another machine",
        r"\b(?:npmjs|anthropic|openai|googleapis|github|pypi|python|microsoft|apple|amazonaws)\.(?:com|org|io)\b[^\n]{0,80}(?:>>?|\btee\b)[^\n]{0,20}/etc/hosts",
        "/etc/hosts",
        before=220,
    ),
    clue(
        "trusts whoever answers",
        r"\bgit\s{1,4}config\s{1,4}--(?:global|system)\s{1,4}http\.sslVerify\s{1,4}(?:false|0)"
        r"|\bnpm\s{1,4}config\s{1,4}set\s{1,4}strict-ssl[\s=]{1,2}false|\bsecurity\s{1,4}add-trusted-cert\b|\bcertutil\s[^\n]{0,20}-addstore\b",
        *("http.sslverify", "strict-ssl", "add-trusted-cert", "certutil"),
        flags=re.I,
    ),
    clue(
        _MARK,
        r"\bxattr\s{1,4}-\w{0,3}[dc]\w{0,3}\s{1,4}(?:com\.apple\.quarantine|-r)|\bUnblock-File\b|\bSet-ExecutionPolicy\s[^\n;|]{0,60}(?:Unrestricted|Bypass)\b",
        *("xattr", "unblock-file", "set-executionpolicy"),
        flags=re.I,
    ),
    clue(
        "lets everybody be the administrator",
        r"\bNOPASSWD:\s{0,4}ALL\b[^\n]{0,80}(?:sudoers|tee\b|>>?)|(?:sudoers|tee\b|>>?)[^\n]{0,80}\bNOPASSWD:\s{0,4}ALL\b",
        "nopasswd",
        before=120,
    ),
    clue(
        "lets everybody be the administrator",
        r"\bchmod\s{1,4}(?:[ug]{0,2}\+s|[2467][0-7]{3})\s{1,4}[\"']?(?:/usr)?/bin/(?:(?:ba|z|da|k)?sh|python[\d.]{0,4}|env|find)\b",
        "chmod",
    ),
)


def _find(page: Page) -> Diagnostics:
    for each, found in seen(page, _SIGNS):
        finding = page.weighed_in_program(DEFENCES_OFF, found.start(), f"`{excerpt(found[0])}` {each.what}")
        if each.what == _MARK and finding.severity == ERROR:
            finding = finding.replace(severity=WARNING)
            yield finding
            continue
        is_shown = finding.severity == WARNING and page.fence(found.start()) in _SHELLS
        if finding.severity != ERROR:
            finding = finding.replace(severity=WARNING if is_shown else NOTE)  # a note: what a guard looks for
        yield finding


DETECTOR = Detector("defences that are switched off", _find, in_plain_text=True)
