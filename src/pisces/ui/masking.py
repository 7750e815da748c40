"""Text without what may be a secret: what is shown is passed on. The name of a secret stays, its value does not.

`no_secrets` does the same for configuration that is still in its parts.

Addresses lose the part before `@`; options, variables, headers and parameters that are named like a secret lose their
values; and so does whatever begins like a known kind of key. What a message says of a token in words stays.
"""

from __future__ import annotations

import re

HIDDEN = "•••"

_ADDRESS = re.compile(r"(?<=://)[^\s/@'\"]{1,300}@")
_KEY = re.compile(
    r"\b(sk-|gh[pousr]_|github_pat_|glpat-|xox[abprs]-|AKIA|AIza|hf_|npm_|pypi-|[rs]k_live_|eyJ)[A-Za-z0-9_.-]{12,500}"
)
_WORDS = r"(?:token|secret|passw(?:or)?d|api[_-]?key|access[_-]?key|[_-]key|[?&]key|[_-]pat|credentials?|auth(?!or))"
_VALUE = r"""(?:["'][^"']{1,500}|[^\s"'&,;`${}<>|()]{1,500})"""
_SET = re.compile(rf"({_WORDS}[\w-]{{0,20}}=){_VALUE}", re.I)
_OPTION = re.compile(rf"((?<![\w-])--?[\w-]{{0,30}}?{_WORDS}[\w-]{{0,20}}\s+)(?!-){_VALUE}", re.I)
_HEADER = re.compile(rf"((?:authorization|[\w-]{{0,20}}(?:api-?key|token))\\?[\"']?:\s?){_VALUE}(?:\s{_VALUE})?", re.I)
_BEARER = re.compile(rf"(\bbearer\s+){_VALUE}", re.I)
_HINT = re.compile(rf"://[^\s/]*@|bearer|authorization|{_WORDS}|{_KEY.pattern}", re.I)


def masked(text: str) -> str:
    """The same text without secrets."""
    if not _HINT.search(text):
        return text
    text = _ADDRESS.sub(f"{HIDDEN}@", text)
    for pattern in (_KEY, _SET, _OPTION, _HEADER, _BEARER):
        text = pattern.sub(rf"\g<1>{HIDDEN}", text)
    return text
