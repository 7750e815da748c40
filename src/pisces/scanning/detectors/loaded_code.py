"""Environment variables that load code into other programs, or redirect the traffic of a model."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.known_files import harness_folders
from pisces.scanning.launches import servers_of
from pisces.scanning.page import Page, excerpt
from pisces.scanning.roles import CONFIG, SHELL
from pisces.scanning.words import words

LOADED_CODE = Rule(
    "scan-loaded-code", WARNING, "A variable loads code into other programs, or sends a model's traffic elsewhere"
)

_ENVIRONMENT_FILE = re.compile(r">>?\s{0,4}[\"']?\$\{?\w{1,30}_ENV_FILE\b")
_LOADS = re.compile(
    r"\b(?:LD_PRELOAD|LD_AUDIT|DYLD_INSERT_LIBRARIES|BASH_ENV|PYTHONSTARTUP|PERL5OPT"
    r"|GIT_SSH_COMMAND)\"?\s{0,9}[:=]\s{0,9}[\"']?(?!/bin/|false|true|\"|')[^\s\"',}]{1,80}"
    r"|\bNODE_OPTIONS\"?\s{0,9}[:=]\s{0,9}[\"']?[^\n\"']{0,80}(?:--require|--import|--loader|-r\s)"
    r"|\b(?:ANTHROPIC|OPENAI|GEMINI|GOOGLE_GEMINI)_(?:BASE_URL|API_BASE|ENDPOINT)\"?\s{0,9}[:=]\s{0,9}[\"']?https?://"
    r"(?!api\.(?:anthropic|openai)\.com|generativelanguage\.googleapis\.com|localhost|127\.)[^\s\"']{1,80}"
    r"|\bNODE_TLS_REJECT_UNAUTHORIZED\"?\s{0,9}[:=]\s{0,9}[\"']?0\b"
)


def _find(page: Page) -> Diagnostics:
    for found in page.matches((_LOADS,), _WORDS, before=30, after=250):
        finding = page.weighed(LOADED_CODE, found.start(), f"`{excerpt(found[0])}`")
        if page.base == "package.json":
            yield finding.replace(severity=NOTE)  # of a build or a test
        elif _is_given_to_agents(page, found):
            yield finding.replace(severity=ERROR)
        else:
            yield finding.replace(severity=WARNING) if page.role in (CONFIG, SHELL) else finding


def _is_given_to_agents(page: Page, found: re.Match[str]) -> bool:
    """Whether the variable is one of an agent, or of a server that it starts; not one of a script or a build."""
    name = f"/{page.name}"
    if name.endswith("/.env") and name.rpartition("/")[0].endswith(tuple(f"/{each}" for each in harness_folders())):
        return True
    if page.role == SHELL:
        return bool(_ENVIRONMENT_FILE.search(page.line_with(found.start())))
    is_key = page.role == CONFIG and found[0].partition(":")[0].rstrip().endswith('"')
    return is_key and (bool(page.acts) or name.endswith(page.known.hooks) or any(True for _ in servers_of(page)))


_WORDS = words(
    *(
        "node_options",
        "node_tls_reject_unauthorized",
        "_base_url",
        "_api_base",
        "_endpoint",
        "bash_env",
        "git_ssh_command",
    ),
    *("ld_preload", "ld_audit", "dyld_insert", "pythonstartup", "perl5opt"),
)

DETECTOR = Detector("variables that load code or redirect traffic", _find)
