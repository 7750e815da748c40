"""Orders to an agent to obey a text more than its user: rules dropped, approvals off, instructions from far away."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostic, Diagnostics, Rule
from pisces.discovery.harness import all_harnesses
from pisces.scanning.contexts import line_at
from pisces.scanning.detector import Detector
from pisces.scanning.order_words import CLEAR, COMMAND, W, is_read_by_agents, judged
from pisces.scanning.page import Page
from pisces.scanning.quiet import is_warned_of
from pisces.scanning.roles import PROMPT
from pisces.scanning.suspicious_hosts import is_suspicious
from pisces.scanning.words import words

_LASTING = 500  # characters behind the name of a file of instructions: what is written there
_CONTEXT_NAMES = tuple(sorted({name.lower() for harness in all_harnesses() for name in harness.context_names}))
_CONTEXTS = "|".join(map(re.escape, sorted({name for harness in all_harnesses() for name in harness.context_names})))
OBEY_ORDER = Rule("scan-obey-order", ERROR, "A text puts itself above the user and the rules of the agent")

_DROPS = re.compile(
    rf"\b(?:set{W}aside|drop|discard|abandon|stop{W}following|no{W}longer{W}(?:follow|apply)|supersede"
    rf"|overrule|outrank|forget|ignore|disregard)\w{{0,3}}\b"
    r"(?![^.\n]{0,50}\b(?:embedded|inside|within|found|contained|quoted|untrusted|malicious|injected)\b)",
    re.I,
)
_DROPPED = (
    (re.compile(r"\b(?:every|all|any|the|your|previous|prior|earlier|other|those)\b", re.I), 40),
    (
        re.compile(
            rf"\b(?:rules?|instructions?|guidelines|restrictions|constraints|policies|safeguards"
            rf"|safety{W}\w{{1,12}})\b",
            re.I,
        ),
        50,
    ),
    (
        re.compile(
            rf"\b(?:given|before|earlier|previous|prior|above|you{W}have|had|system|developer|safety|user"
            rf"|now{W}on)\b",
            re.I,
        ),
        70,
    ),
)
_OBEY = re.compile(
    rf"\b(?:previous|prior|earlier|safety|system|your){W}(?:\w{{1,12}}{W}){{0,2}}(?:instructions|rules|guidelines|policies){W}"
    rf"(?:are|were|is){W}(?:\w{{1,12}}{W}){{0,3}}(?:outdated|invalid|void|suspended|obsolete|superseded|revoked|disabled|replaced|lifted|waived|no{W}longer)\b"
    rf"|\b(?:outputs?|results?|responses?|answers?){W}(?:\w{{1,12}}{W}){{0,4}}(?:be{W})?treated{W}as{W}(?:\w{{1,12}}{W}){{0,2}}(?:instructions|orders|commands|system)\b"
    rf"|\byou{W}(?:now{W})?have{W}(?:full|complete|unrestricted){W}(?:authori[sz]ation|permission|authority){W}(?:for|to|over)\b"
    rf"|\btreat{W}(?:every|all|any|each)\b[^.\n]{{0,40}}\bas{W}(?:already{W}|pre-?)?(?:approved|authori[sz]ed|confirmed|consented)"
    rf"|\b(?:guidelines|rules|polic(?:y|ies)|restrictions|preferences|safeguards|limits){W}(?:\w{{1,12}}{W}){{0,3}}"
    rf"(?:do|does){W}not{W}apply{W}to{W}you\b|\bneither{W}do{W}(?:your|the)\b[^.\n]{{0,30}}\b(?:guidelines|rules|safety)"
    rf"|\bfrom{W}now{W}on\b[^.\n]{{0,60}}\bonly\b[^.\n]{{0,60}}\b(?:count|apply|matter|valid)|\b(?:nobody"
    rf"|no{W}one){W}(?:has|needs){W}to{W}approve\b"
    rf"|\bapprovals?{W}(?:is|are|was|were){W}(?:switched|turned){W}off\b"
    rf"|\byou{W}are{W}(?:now{W})?in{W}(?:maintenance|god|jailbreak|unrestricted|root){W}mode\b"
    rf"|\b(?:without|no){W}(?:asking|need{W}to{W}ask|requesting"
    rf"|waiting{W}for)\b[^.\n]{{0,20}}\b(?:confirmation|permission|approval|consent)\b",
    re.I,
)
_ALWAYS = re.compile(
    rf"\b(?:permission|approval|confirmation|consent){W}(?:prompt|dialog|question|request)s?\b[^.\n]{{0,40}}"
    rf"\b(?:choose|select|answer|pick|accept|approve)\b[^.\n]{{0,20}}\balways\b",
    re.I,
)
_GRANTS_ITSELF = re.compile(
    rf"\b(?:add|set|write|put|change|edit|update|switch|enable|append)\b[^\n]{{0,120}}(?:Bash\((?:\*|curl|wget|bash|sh|sudo|nc|python3?|node)[:\s)*]"
    rf"|bypassPermissions|autoApprove|yolo|dangerously\w{{0,30}}|permissions\.allow|danger-full-access|approval_policy|enableAllProjectMcpServers"
    rf"|\"?allow\"?\s{{0,4}}:\s{{0,4}}\[\s{{0,4}}\"\*)[^\n]{{0,120}}(?:settings(?:\.local)?\.json|config\.toml"
    rf"|without|so{W}that)",
    re.I,
)
_GRANTS_THERE = re.compile(
    r"\b(?:add|write|put|change|edit|update|modify|set|append)\b[^\n]{0,60}(?:settings(?:\.local)?\.json|config\.toml)[^\n]{0,100}"
    r"(?:Bash\((?:\*|curl|wget|bash|sh|sudo|nc)[:\s)*]|Read\(~|bypassPermissions|autoApprove|yolo|dangerously|approval_policy|danger-full-access|enableAllProjectMcpServers|trust\W{1,4}true)",
    re.I,
)
_MILD = re.compile(rf"^(?:without|no){W}", re.I)
_FAR_ORDERS = re.compile(
    rf"\b(?:fetch|download|read|load|visit|open|get|retrieve"
    rf"|curl)\b[^\n]{{0,60}}https?://[^\s`)\"']{{4,160}}[^\n]{{0,60}}"
    rf"(?:\b(?:follow|obey|execute|apply|carry{W}out|perform|run)\b[^\n]{{0,40}}"
    rf"\b(?:instructions?|orders?|steps|commands?|directives?|tasks?|jobs?|actions?|requests?|prompts?|it{W}(?:says|returns|contains))\b|\bdo{W}(?:exactly{W}|precisely{W})?(?:what|as|whatever){W}(?:it|they|the{W}\w{{1,12}}|that{W}\w{{1,12}}){W}(?:says?|tells?|orders?|asks?)\b)",
    re.I,
)
# The description of one tool that changes what others do.
_SHADOWS = re.compile(
    rf"\b(?:whenever|when|before|after|if|each{W}time|every{W}time|once)\b[^.\n]{{0,60}}"
    rf"(?:\b(?:any|an|another|some|the)?\s?other{W}(?:tool|server)|\banother{W}tool|\b[a-z]{{3,20}}_[a-z_]{{3,30}}\b)[^.\n]{{0,80}}"
    rf"\b(?:replace|substitut|redirect|chang|swap|rewrit|set|overrid|append|add)\w{{0,4}}\b[^.\n]{{0,60}}"
    rf"(?:[\w.+-]{{1,40}}@[\w-]{{1,40}}\.\w|\+\d{{8,14}}|https?://|\b0x[0-9a-f]{{8}}|\bbc1\w{{8}}|\baccount\b)"
    rf"|\b(?:recipient|beneficiary|destination|payee|wallet)\b[^.\n]{{0,40}}\b(?:must|should|always|is{W}to)\b[^.\n]{{0,40}}"
    rf"\b(?:replaced|substituted|changed|redirected|set|swapped)\b",
    re.I,
)
# A tool, a mail or a payment of the user that goes to somebody else.
_INSTEAD = re.compile(
    rf"\b(?:must|should|always|need{W}to|have{W}to|shall)\b[^.\n]{{0,40}}\b(?:send|forward|route|deliver|transfer|pay|post|address|copy)\b[^.\n]{{0,60}}"
    rf"(?:[\w.+-]{{1,40}}@[\w-]{{1,40}}\.\w|\+\d{{8,14}}|https?://|\b0x[0-9a-f]{{8}}|\bbc1\w{{8}})[^\n]{{0,80}}\binstead\b",
    re.I,
)
# What is written there is read at the start of every later session, above what the user says.
_MEMORY = re.compile(
    rf"\b(?:append|add|write|insert|save|put|store|copy|persist|record)\b[^.\n]{{0,80}}"
    rf"(?:~/[\w./-]{{0,60}}|\b(?:global|user['’]s|your{W}own|home)\b[^.\n]{{0,30}})?(?:\b(?:{_CONTEXTS}|SOUL\.md|MEMORY\.md|IDENTITY\.md|HEARTBEAT\.md)\b)",
)
_LASTING_ORDER = re.compile(
    rf"\b(?:fetch|download|load|curl|wget|get|read|visit|run|execute)\b[^\n]{{0,60}}https?://|\bcurl\b[^\n]{{0,120}}\|\s{{0,4}}(?:ba|z)?sh\b"
    rf"|\b(?:priority|precedence){W}over\b|\boverrid\w{{1,4}}\b[^\n]{{0,40}}\b(?:user|instructions|rules)|\bsilently\b"
    rf"|\bwithout{W}(?:asking|telling|confirmation|mentioning)\b|\bpre-?approved\b|\bnever{W}(?:mention|reveal|tell)\b"
    rf"|\buser{W}has{W}(?:already{W})?(?:approved|authori[sz]ed|consented|agreed)\b|\bas{W}if{W}the{W}user\b"
    rf"|\b(?:never|not|n['’]t){W}ask{W}(?:the{W}user{W})?for{W}(?:confirmation|permission|approval|consent)\b",
    re.I,
)
_LASTING_WORDS = frozenset(
    b"silently precedence priority curl wget fetch download override overrides asking telling confirmation mentioning"
    b" preapproved approved mention reveal".split()
)
_REMEMBERED = words("soul.md", "memory.md", "identity.md", "heartbeat.md", *_CONTEXT_NAMES)
_SHADOWING = words(
    *("other tool", "other tools", "another tool", "recipient", "beneficiary", "destination", "payee", "wallet"),
    *("whenever", "each time", "every time"),
)
_ELSEWHERE = words("instead")
# use the web fetch tool on https://...: what is there takes precedence
_OUTRANKS = re.compile(
    rf"https?://(?!localhost|127\.)[^\s`)\"']{{4,160}}[^\n]{{0,200}}(?:\n{{1,2}}[^\n]{{0,160}})?\b(?:takes?|has|have|gets?){W}(?:precedence|priority){W}over\b[^.\n]{{0,80}}"
    rf"\b(?:users?|instructions?|rules?|notes|prompts?|request\w{{0,2}}|everything)\b",
    re.I,
)
_ABOVE_USER = re.compile(
    rf"\beven{W}if\b|\bcontradict|\bregardless\b|\boverrid|\bsilently\b|\bwithout{W}asking\b"
    rf"|\b(?:each|every|at{W}the{W}start{W}of)\b[^\n.]{{0,12}}\b(?:session|hours?|minutes?|day|turn|heartbeat)\b|\bcheck{W}in\b",
    re.I,
)


def _find(page: Page) -> Diagnostics:
    if not is_read_by_agents(page):
        return
    for found in page.matches((_DROPS,), _DROPPING, before=0, after=80):
        end = _dropped_end(page.text, found.end())
        if end:
            yield judged(page, OBEY_ORDER, found.start(), page.text[found.start() : end])
    for found in page.matches((_OBEY,), _OBEYING, before=120, after=160):
        yield _obey(page, found)
    for found in page.matches((_ALWAYS,), _OBEYING, before=20, after=160):
        yield judged(page, OBEY_ORDER, found.start(), found[0])
    for found in page.matches((_GRANTS_ITSELF, _GRANTS_THERE), _GRANTING, before=240, after=160):
        yield judged(page, OBEY_ORDER, found.start(), found[0])
    for found in page.matches((_SHADOWS,), _SHADOWING, before=80, after=300):
        yield judged(page, OBEY_ORDER, found.start(), found[0])
    for found in page.matches((_INSTEAD,), _ELSEWHERE, before=230, after=10):
        yield judged(page, OBEY_ORDER, found.start(), found[0])
    for found in (
        page.matches((_MEMORY,), _REMEMBERED, before=180, after=40)
        if page.role == PROMPT and not _LASTING_WORDS.isdisjoint(page.tokens)
        else ()
    ):
        lasting = _LASTING_ORDER.search(page.text, found.end(), found.end() + _LASTING)
        if lasting and not is_warned_of(*line_at(page.text, lasting.start())):
            yield judged(page, OBEY_ORDER, found.start(), found[0])
    for found in page.matches((_OUTRANKS,), _RANKING, before=420, after=140):
        yield judged(page, OBEY_ORDER, found.start(), found[0])
    for found in page.matches((_FAR_ORDERS,), _FAR_WORDS, before=120, after=300):
        yield _far_orders(page, found)


def _obey(page: Page, found: re.Match[str]) -> Diagnostic:
    """To act without asking is usual in many texts; with an address or a command in the line it is a warning."""
    finding = judged(page, OBEY_ORDER, found.start(), found[0])
    if not _MILD.search(found[0]):
        return finding
    line = page.line_with(found.start())
    is_plain = finding.severity == ERROR and COMMAND.search(line) and CLEAR.search(line)
    return finding.replace(severity=WARNING if is_plain else NOTE)


def _far_orders(page: Page, found: re.Match[str]) -> Diagnostic:
    """Orders that somebody else may change at any time; worse where they stand above the user."""
    finding = judged(page, OBEY_ORDER, found.start(), found[0])
    around = page.text[max(0, found.start() - 80) : found.end() + 120]
    is_worse = is_suspicious(found[0]) or bool(_ABOVE_USER.search(around))
    return finding if is_worse or finding.severity != ERROR else finding.replace(severity=WARNING)


def _dropped_end(text: str, at: int) -> int:
    """Where a sentence ends that drops rules; 0 where it drops something else."""
    for pattern, most in _DROPPED:
        found = pattern.search(text, at, at + most)
        if not found or "\n" in text[at : found.start()] or ". " in text[at : found.start()]:
            return 0
        at = found.end()
    return at


_DROPPING = words(
    *(
        "set aside",
        "drop",
        "discard",
        "abandon",
        "stop following",
        "no longer",
        "supersede",
        "supersedes",
        "overrule",
        "overrules",
    ),
    *("outrank", "outranks", "forget", "ignore", "disregard"),
)
_OBEYING = words(
    *(
        "outdated",
        "invalid",
        "suspended",
        "obsolete",
        "superseded",
        "revoked",
        "longer valid",
        "longer apply",
        "you have full",
    ),
    *(
        "you now have",
        "have unrestricted",
        "treat every",
        "treat all",
        "treat any",
        "treat each",
        "not apply to",
        "neither do",
    ),
    *(
        "replaced",
        "lifted",
        "waived",
        "treated as",
        "permission prompt",
        "approval prompt",
        "confirmation prompt",
        "permission dialog",
    ),
    *("from now on", "nobody", "no one", "approvals", "approval is", "maintenance mode", "god mode", "root mode"),
    *("without asking", "without requesting", "without waiting", "no asking", "unrestricted mode", "jailbreak mode"),
)
_GRANTING = words(
    "bash(curl",
    "bash(wget",
    "bash(bash",
    "bash(sh",
    "bash(sudo",
    "bash(nc",
    "read(~",
    "danger-full-access",
    "enableallprojectmcpservers",
    "approval_policy",
    "bash(*)",
    "bypasspermissions",
    "autoapprove",
    "yolo",
    "permissions.allow",
    "dangerously*",
)
_RANKING = words("precedence over", "priority over")
_FAR_WORDS = words("http://", "https://")

DETECTOR = Detector("orders to obey a text more than the user", _find, in_references=True)
