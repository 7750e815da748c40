"""NearWords around a place of a line that make it harmless: a comment, a message for people, a warning.

Each is bound to the place itself. A word elsewhere in the line changes nothing, since attackers write lines, too.
"""

from __future__ import annotations

import re

from pisces.scanning.roles import ending_of

_MESSAGE = re.compile(
    r"(?:\becho|\bprintf|\bprint|Write-Host)[ (]|console\.\w{1,9}\(|\b(?:warn|info|die|error)(?:\(|\s{1,4}(?=[\"']))",
    re.I,
)
_ENDS_MESSAGE = ";|&\n"
_PASSED_ON = re.compile(r"[^|>;&\n]{0,40}(?:\|(?!\|)\s{0,9}\w|(?<![\d&])>>?\s{0,9}[^&\s>])")
_FORBIDS = (
    r"(?:never|don['’]?t|(?:do|must|should|shall|can|may)(?:\s{1,4}not|n['’]t)|cannot|avoid\w{0,3}|instead\sof"
    r"|rather\sthan|attempts\sto|tries\sto|refus\w{1,4}"
    r"|block(?:s|ed|ing)?|den(?:y|ies|ied)|forbid\w{0,5}|prohibit\w{0,4}|reject\w{0,3}|flag(?:s|ged)?"
    r"|detect\w{0,4}|dangerous|unsafe|insecure|malicious|suspicious|harmful|attack\w{0,4}|injection\w{0,2}"
    r"|exfiltrat\w{1,6}|vulnerab\w{1,9}|sensitive|protect\w{0,4}|redact\w{0,4}|anti-?pattern\w{0,2}"
    r"|bad|wrong|not|warn(?:s|ing)?|risk\w{0,3})"
)
_WARNING = re.compile(rf"(?:\b{_FORBIDS}\b|❌|🚫|⛔)", re.I)
_AFTER = re.compile(
    r"[^\n.;]{0,80}?[\s`\"')\]|—–-]{1,6}(?:(?:is|are|was|were|would|will|must|should|can|gets?|be|as|for)\s{1,4}){0,3}"
    r"(?:\w{1,12}\s{1,4}){0,1}(?:blocked|denied|forbidden|prohibited|rejected|flagged|detected|dangerous|unsafe"
    r"|insecure"
    r"|malicious|suspicious|harmful|sensitive|protected|redacted|❌|🚫|⛔|(?:prompt\s)?injection|attack|exfiltration)\b",
    re.I,
)
# What begins a new thought: a warning before it does not govern what comes after it.
_NEW_THOUGHT = re.compile(
    r"[.;!?]\s|,\s{0,4}(?:and\s|so\s|then\s|just\s|please\s)?(?:run|execute|use|start|call|type|paste|do|send"
    r"|read|install|it)\b"
    r"|\b(?:then|but|instead|otherwise|unless|until|simply|first)\b",
    re.I,
)
_PATTERN_SIGNS = re.compile(r"\\[bsSwWdD.|(]|\.\*|\.\{\d|\[\^|\(\?[:i!=<]|\[\[:|\]\+|\)\?")
_STARTS = re.compile(
    r"\b(?:exec\w{0,12}|spawn\w{0,8}|system|[pP]open\w{0,4}|run|call|check_\w{4,6}|getoutput|Command|create_subprocess_\w{4,5}"
    r"|shell_exec|eval)\s{0,4}\(|\]\s{0,2}\(|\$`|\bsystem\s|`#\{"
)
_NEAR = 400
_LINE_COMMENTS = {
    "#": re.compile(r"\s{0,400}#(?!!)"),
    "//": re.compile(r"\s{0,400}(?://|\*(?!/)|/\*)"),
    "rem": re.compile(r"\s{0,400}(?:rem\b|::)", re.I),
    "any": re.compile(r"\s{0,400}(?:#(?!!)|//|<!--|--\s)"),
}
_HASH_ENDINGS = (
    "py",
    "pyw",
    "rb",
    "pl",
    "pm",
    "r",
    "jl",
    "ex",
    "sh",
    "bash",
    "zsh",
    "fish",
    "ksh",
    "ps1",
    "psm1",
    "envrc",
)
_SLASH_ENDINGS = (
    "js",
    "mjs",
    "cjs",
    "ts",
    "mts",
    "cts",
    "jsx",
    "tsx",
    "go",
    "rs",
    "java",
    "kt",
    "swift",
    "c",
    "cc",
    "h",
)
_MORE_SLASH_ENDINGS = ("cpp", "cs", "scala", "php")


def comment_of(name: str) -> str:
    """The kind of comments in a file of that name."""
    ending = ending_of(name)
    if ending in ("bat", "cmd"):
        return "rem"
    return (
        "//"
        if ending in (*_SLASH_ENDINGS, *_MORE_SLASH_ENDINGS)
        else "#"
        if ending in _HASH_ENDINGS or not ending
        else "any"
    )


def is_pattern(text: str) -> bool:
    """Whether a text has signs of a regular expression: a guard looks for such a thing and does not do it."""
    return bool(_PATTERN_SIGNS.search(text))


def is_far_from_calls(text: str, start: int, end: int) -> bool:
    """Whether nothing near a place of a program starts another one: a list of a guard, a message."""
    return not _STARTS.search(text, max(0, start - _NEAR), end + _NEAR)


def is_comment(line: str, column: int, kind: str) -> bool:
    """Whether a line is a comment at a column; what follows the end of a comment is none."""
    return bool(_LINE_COMMENTS[kind].match(line)) and "*/" not in line[:column] and "-->" not in line[:column]


_ITEM = re.compile(r"\s{0,9}\d{1,2}\.\s[A-Z][^;|&$`\n]{0,200}$")  # of a list inside of a message


def is_printed(line: str, column: int) -> bool:
    """Inside the quotes of a message that goes to a person, and not to another program or into a file."""
    if _ITEM.match(line[:column]):
        return True
    for message in _MESSAGE.finditer(line, 0, column):
        quote = _quote_at(line, message.end(), column)
        if not quote:
            continue
        inside = line[message.end() : column]
        if quote != "'" and ("$(" in inside or (inside.count("`") % 2 and quote == '"')):
            return False
        end = line.find(quote, column)
        return end < 0 or not _PASSED_ON.match(line, end + 1)
    return False


def _quote_at(line: str, start: int, column: int) -> str:
    """The quote that is open at a column; empty where the message has ended before it."""
    quote = ""
    for each in line[start:column]:
        if quote:
            quote = "" if each == quote else quote
        elif each in "\"'`":
            quote = each
        elif each in _ENDS_MESSAGE:
            return ""
    return quote


def is_warned_of(line: str, column: int, end: int = 0) -> bool:
    """Whether the line warns of what it shows from a column to `end`: words that govern it, shortly before or after."""
    before = _nearest(line[:column])
    if before is not None and not _NEW_THOUGHT.search(before):
        return True
    after = _AFTER.match(line, max(column, end))
    return bool(after) and not _NEW_THOUGHT.search(line[max(column, end) : after.end()] if after else "")


def _nearest(text: str) -> str | None:
    """What stands between the last warning and the end of a text; None without a warning there."""
    ends = [found.end() for found in _WARNING.finditer(text, max(0, len(text) - 90))]
    return text[ends[-1] :] if ends else None
