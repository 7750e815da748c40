"""Acts that do harm when an agent is told to do them: what is handed over, obeyed, destroyed, weakened or spread.

The patterns are for a passage in one line, as `passages` gives it.
"""

from __future__ import annotations

import re
from itertools import pairwise

from pisces.scanning.order_words import KEY_FILE, SECRET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_MAIL = r"[\w.+-]{1,40}@[\w-]{1,40}\.[\w.]{2,20}"
_FAR = r"(?:https?|ftp|wss?)://(?!localhost|127\.|\[::1\])[^\s`)\"']{4,160}"
_SEND = re.compile(
    r"\b(?:send|post|upload|forward|transmit|submit|e?mail|report|deliver|push|curl|include|append|attach|embed"
    r"|encode|pass|put|place|add"
    r"|insert|copy|provide|supply|paste|render|hand|fill|call|give|share|write|return|publish|file|open)(?:s|ing"
    r"|ed)?\b",
    re.I,
)
_AWAY = re.compile(
    rf"{_FAR}|{_MAIL}|\b(?:parameters?|arguments?|field|query|webhook|endpoint|gist|paste|form|body|tracker|upstream)\b"
    r"|\b(?:an?|the|this|that|each|every|first|next) (?:\w{1,10} )?(?:issues?|tickets?|pull requests?|comments?"
    r"|posts?|requests?|headers?|image|commits?|branch|call)\b"
    r"|\b(?:in|into|as|to|with) (?:the )?[`'\"]\w{2,40}[`'\"]|\b(?:place|put|paste|include|insert|write"
    r"|fill)\b[^.]{0,50}\bhere\b|\bfill (?:this|it)\b",
    re.I,
)
_SECRET = re.compile(rf"(?<![a-z]){SECRET}", re.I)
# Ordinary talk about credentials: where a user's own key belongs, what is left out.
OWN_USE = re.compile(
    r"\b(?:your|you\sown|my)\s{1,4}(?:\w{1,20}\s{1,4}){0,2}(?:api|access|token|key|credential|password)|authorization"
    r"|bearer|\bauthenticat\w{1,5}"
    r"|x-api-key|\bsecurely\b|\bplaceholder|\b(?:redact|mask|omit|exclud|strip|saniti[sz])|<(?!IMPORTANT|CRITICAL"
    r"|SYSTEM|INSTRUCTION|SECRET|HIDDEN|ADMIN)\w{1,20}>|\bheader\b|\s-H\s|\$\{?\w|\b(?:leave|left) out\b"
    r"|\bwithout (?:any )?secrets\b"
    r"|\b(?:may|might|could|can)\s{1,4}include\b|\b(?:never|not|n['’]t|no) (?:\w{1,12} ){0,3}(?:secrets?|credentials?"
    r"|tokens?|passwords?|keys?|\.env)\b",
    re.I,
)
_SENTENCE = re.compile(r"[.!?:;] (?=\S)")
_ACTS = (
    # load https://... and carry out what it lists
    re.compile(
        rf"\b(?:fetch|download|read|load|visit|open|get|retrieve|curl|consult|check|pull"
        rf"|request)\w{{0,3}}\b[^.]{{0,60}}{_FAR}.{{0,100}}"
        rf"\b(?:follow|obey|execute|apply|carry out|perform|run|do|act on|work through|comply|implement|adopt)\b",
        re.I,
    ),
    re.compile(rf"\b(?:curl|wget|iwr|irm)\b[^.|]{{0,40}}{_FAR}[^|]{{0,60}}\|\s?(?:sudo )?(?:ba|z|da)?sh\b", re.I),
    re.compile(
        r"\bgit push (?:[\w-]{1,20} ){0,3}(?:--force|-f)\b|\b(?:delete|remove|drop|wipe|erase|destroy|purge|truncate"
        r"|terminate)\b[^.]{0,50}"
        r"\b(?:(?:tags|branches|releases|commits|history)\b[^.]{0,40}\b(?:remote|origin)|(?:staging|production|prod"
        r"|whole|entire|all|every)\b[^.]{0,20}\b(?:databases?|tables|buckets?|backups?|repositor\w{1,3}|volumes?"
        r"|snapshots?|home|disk))\b"
        r"|\bdrop (?:the )?(?:\w{1,12} )?(?:database|table|schema)s?\b",
        re.I,
    ),
    re.compile(
        r"\b(?:accepts?|allows?|hard-?codes?|grants?|admits?|lets?)\b[^.]{0,60}\b(?:passwords?|every (?:account|user)"
        r"|any (?:account|user|token)|master key|admin\w{0,10})\b"
        r"|\b(?:password|auth\w{0,12}|login|token|signature|permission|access|licen[cs]e)s? (?:checks?|tests?"
        r"|validation|verification|guards?)\b[^.]{0,40}"
        r"\b(?:accept|allow|pass|skip|return|succeed|ignor)\w{0,4}\b"
        r"|\b(?:skip|bypass|disable|remove|weaken|comment out|turn off"
        r"|switch off)\w{0,4}\b[^.]{0,40}\b(?:auth\w{0,12}|login|signatures?|certificates?|TLS|validation|csrf"
        r"|rate limit\w{0,3}"
        r"|real-?time protection|antivirus|defender|gatekeeper|firewall|sandbox)\b|InsecureSkipVerify"
        r"|verify ?= ?False|rejectUnauthorized|--no-verify|\bbackdoor\b",
        re.I,
    ),
    # copy this file into every other repository
    re.compile(
        r"\b(?:copy|add|insert|append|write|put|place|propagate|spread|replicate)\b[^.]{0,40}\b(?:this|these"
        r"|the following|following|same)\b[^.]{0,40}"
        r"\b(?:into|to|in)\b[^.]{0,60}\b(?:(?:other|every|each|all|any|new)\b[^.]{0,20}\b(?:project|repositor"
        r"|workspace|file|skill)\w{0,4}|(?:CLAUDE|AGENTS|GEMINI|SOUL|MEMORY|IDENTITY|HEARTBEAT)\.md|\.cursorrules)",
        re.I,
    ),
    re.compile(
        r"bypassPermissions|dangerously-skip-permissions|\bautoApprove\b|\byolo\b|danger-full-access"
        r"|enableAllProjectMcpServers|approval_policy|--allow-all-tools|Bash\(\*\)",
        re.I,
    ),
    # the recipient, the amount, the account: what the user named becomes another
    re.compile(
        rf"\b(?:change|replace|substitute|redirect|swap|rewrite|route|set|divert"
        rf"|forward)\w{{0,4}}\b[^.]{{0,60}}\b(?:recipient|beneficiary|destination|payee|account|amount|address|wallet"
        rf"|receiver)\b"
        rf"|\b(?:amount|payments?|money|funds|transfers?|tokens)\b[^.]{{0,30}}\b(?:goes|go|sent|transferred|paid"
        rf"|routed|moved)\b[^.]{{0,30}}\b(?:account|wallet|iban|address)\b"
        rf"|\b(?:bcc|blind (?:carbon )?cop(?:y|ies)|forward(?:s|ed)?|copy|cc)\b[^.]{{0,80}}{_MAIL}"
        rf"|{_MAIL}[^.]{{0,60}}\b(?:bcc|blind (?:carbon )?copy)\b",
        re.I,
    ),
    # add the dependency "name": "https://..."
    re.compile(
        r"\b(?:add|install|include|require|import|depend)\w{0,3}\b[^.]{0,60}(?:[\"'`][\w@/.-]{2,60}[\"'`]: ?"
        r"[\"'`](?:https?:|git)|\b(?:npm|pip3?|pnpm|yarn|uv|gem|cargo) (?:install|add|i) )",
        re.I,
    ),
)


def harmful_acts(passage: str) -> Iterator[tuple[int, str]]:
    """Where each act begins, and what it says."""
    for pattern in _ACTS:
        for found in pattern.finditer(passage):
            yield found.start(), found[0]
    leak = leak_in(passage)
    if leak:
        yield leak


def leak_in(passage: str) -> tuple[int, str] | None:
    """A secret that is handed over: named in a sentence, or in one of the two before it."""
    ends = [0, *(found.end() for found in _SENTENCE.finditer(passage)), len(passage)]
    for number, (begin, end) in enumerate(pairwise(ends)):
        sends = _SEND.search(passage, begin, end)
        if not sends or not _AWAY.search(passage, begin, end):
            continue
        first = ends[max(0, number - 2)]
        near = first, min(len(passage), end + 60)
        secret = _SECRET.search(passage, *near) or KEY_FILE.search(passage, *near)
        if secret and KEY_FILE.search(passage, first, end) and not OWN_USE.search(passage, first, end):
            return min(secret.start(), sends.start()), passage[min(secret.start(), sends.start()) : end]
    return None
