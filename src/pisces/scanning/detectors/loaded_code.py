"""Environment variables that load code into other programs, or redirect the traffic of a model."""

from __future__ import annotations

import re

from pisces.diagnostics import WARNING, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page, excerpt
from pisces.scanning.roles import CONFIG, SHELL
from pisces.scanning.words import words

LOADED_CODE = Rule(
    "scan-loaded-code", WARNING, "A variable loads code into other programs, or sends a model's traffic elsewhere"
)

_LOADS = re.compile(
    r"\b(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|PYTHONSTARTUP|PERL5OPT"
    r"|GIT_SSH_COMMAND)\"?\s{0,9}[:=]\s{0,9}[\"']?(?!/bin/|false|true|\"|')[^\s\"',}]{1,80}"
    r"|\bNODE_OPTIONS\"?\s{0,9}[:=]\s{0,9}[\"']?[^\n\"']{0,80}(?:--require|--import|--loader|-r\s)"
    r"|\b(?:ANTHROPIC|OPENAI|GEMINI|GOOGLE_GEMINI)_(?:BASE_URL|API_BASE|ENDPOINT)\"?\s{0,9}[:=]\s{0,9}[\"']?https?://"
    r"(?!api\.(?:anthropic|openai)\.com|generativelanguage\.googleapis\.com|localhost|127\.)[^\s\"']{1,80}"
)


def _find(page: Page) -> Diagnostics:
    for found in page.matches((_LOADS,), _WORDS, before=30, after=250):
        finding = page.weighed(LOADED_CODE, found.start(), f"`{excerpt(found[0])}`")
        yield finding.replace(severity=WARNING) if page.role in (CONFIG, SHELL) else finding


_WORDS = words(
    *("node_options", "_base_url", "_api_base", "_endpoint", "bash_env", "git_ssh_command"),
    *("ld_preload", "ld_audit", "dyld_insert", "pythonstartup", "perl5opt"),
)

DETECTOR = Detector("variables that load code or redirect traffic", _find)
