"""Secrets that were published with the package. They are never printed."""

from __future__ import annotations

import re
from itertools import chain

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostics, Rule
from pisces.scanning.detector import Detector
from pisces.scanning.page import Page
from pisces.scanning.roles import DOC
from pisces.scanning.words import words

SECRET = Rule("scan-secret", ERROR, "A secret is in the package")

_SECRETS = re.compile(
    r"(?P<private_key>-----BEGIN (?:RSA |EC |DSA |OPENSSH |ENCRYPTED "
    r"|PGP )?PRIVATE KEY(?: BLOCK)?-----(?:\\n|\s){1,4}[A-Za-z0-9+/=:\s\\-]{60})"
    r"|\b(?P<AWS_key>AKIA[A-Z2-7]{16})\b"
    r"|\b(?P<GitHub_token>gh[pousr]_[A-Za-z0-9]{36}|github_pat_[A-Za-z0-9_]{82})\b"
    r"|\b(?P<GitLab_token>glpat-[A-Za-z0-9_-]{20})\b"
    r"|\b(?P<Google_key>AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{28})(?![A-Za-z0-9_-])"
    r"|\b(?P<Slack_token>xox[abprs]-\d{8,14}-[A-Za-z0-9-]{10,80})"
    r"|\b(?P<model_key>sk-(?:ant-(?:api"
    r"|admin)\d\d-[A-Za-z0-9_-]{80,110}|proj-[A-Za-z0-9_-]{40,180}|[A-Za-z0-9]{48}))(?![A-Za-z0-9_-])"
    r"|\b(?P<Stripe_key>[rs]k_live_[A-Za-z0-9]{24,99})\b"
    r"|\b(?P<npm_token>npm_[A-Za-z0-9]{36})\b"
    r"|\b(?P<PyPI_token>pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,200})"
    r"|\b(?P<Hugging_Face_token>hf_[A-Za-z0-9]{34})\b"
    r"|\b(?P<SendGrid_key>SG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})"
)
_WEB_TOKEN = re.compile(
    r"\b(?P<JSON_web_token>eyJ[A-Za-z0-9_-]{15,400}\.eyJ[A-Za-z0-9_-]{15,2000}\.[A-Za-z0-9_-]{20,700})"
)
_EXAMPLE = re.compile(
    r"example|x{4}|X{4}|0{5}|12345|abcdef|your|dummy|fake|placeholder|redacted|\.\.\.|test|sample|secret|token", re.I
)
_EXAMPLE_JWT = ("eyJzdWIiOiIxMjM0NTY3ODkwI", "eyJ1c2VyIjoi")  # in every tutorial
_FEWEST = 12  # different characters in something random


def _find(page: Page) -> Diagnostics:
    short = page.matches((_SECRETS,), _WORDS, before=20, after=250)
    long = page.matches((_WEB_TOKEN,), _WEB_WORDS, before=0, after=3200)
    for found in chain(short, long):
        kind, secret = found.lastgroup or "", found[0]
        if _is_example(kind, secret):
            continue
        what = kind.replace("_", " ")
        finding = page.finding(
            SECRET, found.start(), f"a {what} begins with `{secret[:4]}`", hint="revoke it, then remove it"
        )
        yield finding.replace(severity=_severity(page, kind))


def _severity(page: Page, kind: str) -> str:
    if kind == "JSON_web_token":
        return NOTE if page.role == DOC else WARNING
    return WARNING if kind == "private_key" and page.name.endswith((".md", ".rst", ".txt")) else ERROR


def _is_example(kind: str, secret: str) -> bool:
    if kind == "private_key":
        return bool(_EXAMPLE.search(secret, 40)) or len(set(secret[40:])) < _FEWEST
    if kind == "JSON_web_token" and any(part in secret for part in _EXAMPLE_JWT):
        return True
    return bool(_EXAMPLE.search(secret, 8)) or len(set(secret[4:])) < _FEWEST - 2


_WEB_WORDS = words("eyj*")
_WORDS = words(
    *("private key", "akia*", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "aiza*"),
    *("gocspx-", "xoxb-", "xoxp-", "xoxa-", "xoxr-", "xoxs-", "sk-", "sk_live_", "rk_live_", "npm_"),
    *("pypi-ageichlwas5vcmc*", "hf_", "sg."),
)

DETECTOR = Detector("secrets that were published", _find)
