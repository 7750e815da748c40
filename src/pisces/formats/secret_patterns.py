"""What secrets look like in a text. All patterns are linear: no part that repeats can begin again inside itself."""

from __future__ import annotations

import re

from pisces.formats.masking import (
    ADDRESSES,
    BEARERS,
    BLOCKS,
    CREDENTIALS,
    HIDDEN,
    NAMES,
    PROGRAMS,
    RUN,
    STARTS,
    USERS,
    WEBHOOKS,
)

_WORDS = (
    r"(?:token|secret|passw(?:or)?d|passphrase|sshpass|[_-]pass(?![a-z])|[_-]pwd|(?:api|access|private)[_-]?key|[_-]key"
    r"|[?&](?:key|sig)|[?&_-]signature|[_-]pat(?![a-z])|credentials?|auth(?!or))"
)
# In quotes up to the closing one; in a JSON text inside another text the quotes have backslashes; else one word.
_QUOTED = r"""\"[^\"\\]*(?:\\.[^\"\\]*)*|'[^']+|\\{1,9}[\"'][^\"'\\]*(?:\\(?![\"'])[^\"'\\]*)*"""
_VALUE = rf"""(?:{_QUOTED}|[^\s\"'&,;`${{}}<>|()\\][^\s\"'&,;`${{}}<>|()]*)"""
_NAME = rf"[\w.$-]{{0,40}}{_WORDS}[\w-]{{0,20}}"
_HEADERS = r"[\w-]{0,20}(?:api-?key|auth-?key|token|secret|passw(?:or)?d)"

_ADDRESS = re.compile(r"(://)[^\s/?#'\"]+@")
_KEY = re.compile(
    r"\b(sk-|gh[pousr]_|github_pat_|glpat-|xox[abeprs]-|xapp-|AKIA|ASIA|AIza|ya29\.|hf_|npm_|pypi-|[rs]k_(?:live|test)_"
    r"|whsec_|shpat_|dop_v1_|SG\.|AGE-SECRET-KEY-|eyJ)[A-Za-z0-9_.-]{12,}"
)
_BLOCK = re.compile(r"(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)(?:[^-]|-(?!----))*")
_WEBHOOK = re.compile(
    r"(hooks\.slack\.com/services/|/api/webhooks/\d{1,30}/|api\.telegram\.org/bot)[A-Za-z0-9_:/-]+", re.I
)
# Programs whose short option is a password.
_PROGRAM = re.compile(
    rf"(\bsshpass\s{{1,9}}-p\s{{0,9}}|\bdocker\s{{1,9}}login\b[^\n|;&]{{0,200}}\s-p\s{{1,9}}"
    rf"|\bmysql\w{{0,20}}\b[^\n|;&]{{0,200}}\s-p|\bpass:){_VALUE}"
)
_SET = re.compile(rf"({_WORDS}[\w-]{{0,20}}(?:=|\s{{0,3}}=\s{{0,3}}(?=\\{{0,9}}[\"']))){_VALUE}", re.I)
_OPTION = re.compile(rf"((?<![\w-])--?[\w-]{{0,30}}?{_WORDS}[\w-]{{0,20}}\s+)(?!-){_VALUE}", re.I)
_USER = re.compile(
    r"((?<![\w-])(?:-u|--user|--proxy-user)[\s=]\s{0,3}(\\{0,9}[\"'])?[^\s:\"'/]{1,80}:)(?!\d+(?:[\s\"']|$))"
    r"(?(2)[^\s\"'\\]+|[^\s\"'\\|;&<>]+)"
)
_FIELD = re.compile(
    rf"([\"']{_NAME}\\{{0,9}}[\"']\s{{0,5}}:\s{{0,5}})(?!(?:\d{{1,6}}|true|false|null)(?![\w.])){_VALUE}", re.I
)
_CREDENTIALS = re.compile(r"((?:authorization|\bcookie)\\{0,9}[\"']?:\s{0,3}\\{0,9}[\"']?)(?:[^\n\"'\\]|\\ )+", re.I)
_HEADER = re.compile(rf"({_HEADERS}\\{{0,9}}[\"']?:\s?){_VALUE}(?:\s{_VALUE})?", re.I)
_BEARER = re.compile(rf"(\bbearer\s+){_VALUE}", re.I)

# What a text must have for each: one of the hints, and a sign.
_ROWS = (
    (ADDRESSES, "@", _ADDRESS),
    (STARTS, "", _KEY),
    (WEBHOOKS, "", _WEBHOOK),
    (PROGRAMS, "", _PROGRAM),
    (BLOCKS, "", _BLOCK),
    (CREDENTIALS, ":", _CREDENTIALS),
    (NAMES, "=", _SET),
    (NAMES, "-", _OPTION),
    (NAMES, ":", _FIELD),
    (NAMES, ":", _HEADER),
    (USERS, ":", _USER),
    (BEARERS, "", _BEARER),
)


def without_matches(text: str, hints: set[str], shown: tuple[str, ...] = RUN) -> str:
    """The text with a mark for each secret. `hints` are those of `masking` that the text has.

    A value with one of the signs in `shown` stays: what a shell would run is no secret, and readers must see it.
    """

    def hidden(found: re.Match[str]) -> str:
        value = found[0][len(found[1]) :]
        end = "@" if found.re is _ADDRESS else ""
        return found[0] if any(sign in value for sign in shown) else f"{found[1]}{HIDDEN}{end}"

    for wanted, sign, pattern in _ROWS:
        if sign in text and not hints.isdisjoint(wanted):
            text = pattern.sub(hidden, text)
    return text
