"""Text without what may be a secret: what is shown is passed on. The name of a secret stays, its value does not.

`no_secrets` does the same for configuration that is still in its parts.

Addresses lose the part before `@`; options, variables, headers, fields and parameters that are named like a secret lose
their values; and so does whatever begins like a known kind of key. What a message says of a token in words stays.
"""

from __future__ import annotations

import re

HIDDEN = "•••"

_WORDS = (
    r"(?:token|secret|passw(?:or)?d|passphrase|sshpass|[_-]pass(?![a-z])|[_-]pwd|(?:api|access|private)[_-]?key|[_-]key"
    r"|[?&](?:key|sig)|[?&_-]signature|[_-]pat(?![a-z])|credentials?|auth(?!or))"
)
# In quotes up to the closing one; in a JSON text inside another text the quotes have backslashes; else one word.
_QUOTED = r"""\"[^\"\\]*(?:\\.[^\"\\]*)*|'[^']+|\\+[\"'][^\"'\\]*(?:\\(?![\"'])[^\"'\\]*)*"""
_VALUE = rf"""(?:{_QUOTED}|[^\s\"'&,;`${{}}<>|()\\][^\s\"'&,;`${{}}<>|()]*)"""
_NAME = rf"[\w.$-]{{0,40}}{_WORDS}[\w-]{{0,20}}"
_HEADERS = r"[\w-]{0,20}(?:api-?key|auth-?key|token|secret|passw(?:or)?d)"

_ADDRESS = re.compile(r"(://)[^\s/?#'\"]+@")
_KEY = re.compile(
    r"\b(sk-|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|xapp-|AKIA|ASIA|AIza|ya29\.|hf_|npm_|pypi-|[rs]k_(?:live|test)_"
    r"|whsec_|shpat_|dop_v1_|SG\.|AGE-SECRET-KEY-|eyJ)[A-Za-z0-9_.-]{12,}"
)
_BLOCK = re.compile(r"(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)[^-]*")
_SET = re.compile(rf"({_WORDS}[\w-]{{0,20}}(?:=|\s{{0,3}}=\s{{0,3}}(?=\\*[\"']))){_VALUE}", re.I)
_OPTION = re.compile(rf"((?<![\w-])--?[\w-]{{0,30}}?{_WORDS}[\w-]{{0,20}}\s+)(?!-){_VALUE}", re.I)
_USER = re.compile(
    r"((?<![\w-])(?:-u|--user|--proxy-user)[\s=]\s{0,3}\\*[\"']?[^\s:\"'/]{1,80}:)(?!\d+(?:[\s\"']|$))[^\s\"'\\]+"
)
_FIELD = re.compile(
    rf"(\\*[\"']{_NAME}\\*[\"']\s{{0,5}}:\s{{0,5}})(?!(?:\d{{1,6}}|true|false|null)(?![\w.])){_VALUE}", re.I
)
_CREDENTIALS = re.compile(r"((?:authorization|\bcookie)\\*[\"']?:\s{0,3}\\*[\"']?)[^\n\"'\\]+", re.I)
_HEADER = re.compile(rf"({_HEADERS}\\*[\"']?:\s?){_VALUE}(?:\s{_VALUE})?", re.I)
_BEARER = re.compile(rf"(\bbearer\s+){_VALUE}", re.I)

# Patterns with what a text must have, in lower case, for them to find anything. Looking for these first is ten times as
# quick as the patterns, and most texts have none.
_NAMES = (
    *("token", "secret", "passw", "passphrase", "sshpass", "_pass", "-pass", "_pwd", "-pwd", "apikey", "accesskey"),
    *("privatekey", "_key", "-key", "?key", "&key", "?sig", "&sig", "signature", "_pat", "-pat", "credential", "auth"),
)
_STARTS = (
    *("sk-", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "xapp-", "akia", "asia", "aiza"),
    *("ya29.", "hf_", "npm_", "pypi-", "k_live_", "k_test_", "whsec_", "shpat_", "dop_v1_", "sg.", "age-secret", "eyj"),
)
_ROWS = (
    (("://",), "@", _ADDRESS),
    (_STARTS, "", _KEY),
    (("private key-----",), "", _BLOCK),
    (("authorization", "cookie"), ":", _CREDENTIALS),
    (_NAMES, "=", _SET),
    (_NAMES, "-", _OPTION),
    (_NAMES, ":", _FIELD),
    (_NAMES, ":", _HEADER),
    (("-u", "--proxy-user"), ":", _USER),
    (("bearer",), "", _BEARER),
)
_HINTS = tuple(dict.fromkeys(hint for hints, _, _ in _ROWS for hint in hints))


def masked(text: str) -> str:
    """The same text without secrets."""
    lower = text.lower()
    present = {hint for hint in _HINTS if hint in lower}
    if not present:
        return text
    for hints, sign, pattern in _ROWS:
        if sign in lower and not present.isdisjoint(hints):
            text = pattern.sub(rf"\g<1>{HIDDEN}" if pattern is not _ADDRESS else rf"\g<1>{HIDDEN}@", text)
    return text


def may_need_masking(text: str) -> bool:
    """Quick: False means that `masked` changes nothing."""
    lower = text.lower()
    for hint in _HINTS:  # noqa: SIM110  # half the time of `any`
        if hint in lower:
            return True
    return False
