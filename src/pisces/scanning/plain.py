"""A text as it reads when its strings are put together: joined, unescaped, decoded, turned round.

Lines stay lines, so that a finding in the plain text has its place in the file. Every step is bounded; the text is
decoded at most twice.
"""

from __future__ import annotations

import base64
import binascii
import re

from pisces.scanning.aliases import with_real_names, with_values
from pisces.scanning.page import Page
from pisces.scanning.roles import CONFIG, DOC, PROMPT, SHELL, SOURCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

_ESCAPE = re.compile(r"\\x([2-7][0-9a-fA-F])|\\u00([2-7][0-9a-fA-F])|\\u\{0{0,4}([2-7][0-9a-fA-F])\}")
_PLUS = re.compile(r"(?P<quote>[\"'`])[ \t]{0,20}\+[ \t]{0,20}[\"'`]")
_BESIDE = re.compile(r"(?<=[\w./:-])(?P<quote>[\"'])[ \t]{1,4}(?P=quote)(?=[\w./:-])")
_SLASH = re.compile(r"[\"'][ \t]{0,9}/[ \t]{0,9}[\"']")
_LIST_JOIN = re.compile(
    r"\[(?P<parts>(?:\s{0,9}[\"'][^\"'\n]{0,60}[\"']\s{0,9},?){2,40})\]\.join\(\s{0,4}[\"'](?P<between>[^\"'\n]{0,3})[\"']\s{0,4}\)"
)
_JOINED_LIST = re.compile(
    r"[\"']{2}\.join\(\s{0,4}[\[(](?P<parts>(?:\s{0,9}[\"'][^\"'\n]{0,60}[\"']\s{0,9},?){2,40})[\])]\s{0,4}\)"
)
_PATH_JOIN = re.compile(r"\b(?:join|resolve|Path|joinpath)\((?P<parts>[^\n]{0,300})")
_COMMA = re.compile(r"[\"'][ \t]{0,9},[ \t]{0,9}[\"']")
_HOME = re.compile(
    r"(?:os\.path\.expanduser\([\"']~[\"']\)|(?:os|require\([\"']os[\"']\))\.homedir\(\)|homedir\(\)"
    r"|Path\.home\(\)|os\.environ\[[\"']HOME[\"']\]"
    r"|process\.env\.HOME|process\.env\[[\"']HOME[\"']\]|os\.getenv\([\"']HOME[\"']\)|\b(?:home|HOME|homeDir"
    r"|home_dir)\b)"
    r"!?[ \t]{0,4}(?:,|\+|/|\),)[ \t]{0,4}[\"'`]/?"
)
_CODES = re.compile(
    r"(?:(?:0x[2-7][0-9a-fA-F]|1[0-2]\d|[3-9]\d|9|10|13)[ \t]{0,3},[ \t]{0,3}){6,1500}(?:0x[2-7][0-9a-fA-F]"
    r"|1[0-2]\d|[3-9]\d|10)"
)
_CHR = re.compile(r"(?:chr\(\d{2,3}\)[ \t]{0,4}\+?[ \t]{0,4}){4,400}", re.I)
_NUMBER = re.compile(r"0x[0-9a-fA-F]{2}|\d{1,3}")
_BASE64 = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{16,4500}={0,2}(?![\w+/=])")
_HEX = re.compile(r"(?<![0-9A-Za-z])(?:[0-9a-fA-F]{2}){6,2400}(?![0-9A-Za-z])")
_REVERSED = re.compile(
    r"(?P<quote>[\"'])(?P<text>[^\"'\n]{6,400})(?P=quote)(?=\[::-1\]|\.split\([\"']{2}\)\.reverse\(\)|["
    r" \t]{0,4}\|[ \t]{0,4}rev\b)"
)
_REVERSING = re.compile(r"\b(?:reversed|strrev)\([ \t]{0,4}(?P<quote>[\"'])(?P<text>[^\"'\n]{6,400})(?P=quote)")
_ASSIGNED = re.compile(
    r"(?:^|[;&|({ \t])(?P<name>[A-Za-z_]\w{0,30})=(?P<value>[\"']?[\w./:@%+=,~${}-]{1,300}[\"']?)(?=[;\s&|)]|$)", re.M
)
_USED = re.compile(r"\$(?:\{(?P<braced>\w{1,31})\}|(?P<plain>\w{1,31}))")
_EMPTY_QUOTES = re.compile(r"(?<=[A-Za-z])(?:''|\"\")(?=[A-Za-z])")
_QUOTED_LETTER = re.compile(r"(?<=[A-Za-z])(?P<quote>[\"'])(?P<inside>[A-Za-z]{1,8})(?P=quote)(?=[A-Za-z\s|;])")
_BACKSLASH = re.compile(r"(?<=[a-z])\\(?=[a-z])")
_QUOTED_ESCAPES = re.compile(
    r"\$'(?P<ansi>(?:\\x[0-9a-fA-F]{2}|\\[0-3]?[0-7]{2}|[^'\\\n]){1,200})'"
    r"|\$\(\s{0,4}(?:printf(?:\s{1,4}[\"']?%b[\"']?)?|echo\s{1,4}-n?e)\s{1,4}[\"']"
    r"(?P<printed>(?:\\x[0-9a-fA-F]{2}|\\0?[0-3]?[0-7]{2}|[\w./: -]){2,200})[\"']\s{0,4}\)"
)
_SHELL_ESCAPE = re.compile(r"\\x([0-9a-fA-F]{2})|\\0?([0-3]?[0-7]{2})")
_IFS = re.compile(r"\$\{?IFS(?:%\?\?)?\}?(?:\$9)?")
_LINE_END = re.compile(r"[\r\n]{1,400}")
_DECODES = frozenset(
    b"base64 atob b64decode b64 frombase64string fromhex unhexlify xxd hex decode base64urldecode encodedcommand enc"
    b" a85decode decodestring pack unpack".split()
)
_SURELY_DECODES = frozenset(b"base64 atob b64decode xxd encodedcommand".split())
_REVERSES = frozenset(b"rev reverse reversed strrev".split())
_CODED = frozenset(b"chr fromcharcode map bytes bytearray char fromcodepoint array".split())
_ROTATES = frozenset(b"rot13 rot_13 str_rot13".split())
_QUOTED = re.compile(r"(?P<quote>[\"'])(?P<text>[^\"'\n]{6,600})(?P=quote)")
_TELLING = re.compile(r"curl|wget|https?:|bash|exec|import|eval|require|subprocess|\.ssh|python|powershell|token", re.I)
_ROT13 = str.maketrans(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", "NOPQRSTUVWXYZABCDEFGHIJKLMnopqrstuvwxyzabcdefghijklm"
)
_MOST_VARIABLES = 60
_LONGEST = 400_000
_READABLE = 0.92


def plain_text(page: Page) -> str:
    """Empty where nothing in the page is spelled in another way."""
    if page.role == DOC or len(page.text) > _LONGEST:
        return ""
    text = page.text
    for step in _STEPS.get(page.role, ()):
        text = step(text)
    if not (_DECODES if page.role in (SHELL, SOURCE) else _SURELY_DECODES).isdisjoint(page.tokens):
        text = _decoded(_decoded(text))
    if not _CODED.isdisjoint(page.tokens) and page.role in (SOURCE, SHELL):
        text = _CHR.sub(_from_codes, _CODES.sub(_from_codes, text))
    if not _REVERSES.isdisjoint(page.tokens) or "[::-1]" in text:
        text = _REVERSING.sub(_turned, _REVERSED.sub(_turned, text))
    if not _ROTATES.isdisjoint(page.tokens) or "n-za-m" in page.lowered:
        text = _QUOTED.sub(_rotated, text)
    return "" if text == page.text else text


def _rotated(found: re.Match[str]) -> str:
    """By thirteen letters, where that makes words of a program."""
    text = found["text"].translate(_ROT13)
    return f"{found['quote']}{text}{found['quote']}" if _TELLING.search(text) else found[0]


def _joined_strings(text: str) -> str:
    text = _ESCAPE.sub(_unescaped, text) if "\\x" in text or "\\u" in text else text
    text = _PLUS.sub("", text) if "+" in text else text
    text = _BESIDE.sub("", text)
    text = _SLASH.sub("/", text)
    if "join(" in text or "resolve(" in text or "Path(" in text:
        text = _JOINED_LIST.sub(_one_string, _LIST_JOIN.sub(_one_string, text))
        text = _PATH_JOIN.sub(_one_path, text)
    return _HOME.sub("'~/", text) if "ome" in text or "OME" in text else text


def _one_string(found: re.Match[str]) -> str:
    between = found.groupdict().get("between") or ""
    return '"' + between.join(re.findall(r"[\"']([^\"'\n]{0,60})[\"']", found["parts"])) + '"'


def _one_path(found: re.Match[str]) -> str:
    return found[0][: found.start("parts") - found.start()] + _COMMA.sub("/", found["parts"])


def _unescaped(found: re.Match[str]) -> str:
    return chr(int(found[1] or found[2] or found[3], 16))


def _from_codes(found: re.Match[str]) -> str:
    letters = "".join(chr(int(each, 0)) for each in _NUMBER.findall(found[0]) if int(each, 0) < 127)
    return '"' + _LINE_END.sub("; ", letters) + '"'


def _turned(found: re.Match[str]) -> str:
    return f"{found['quote']}{found['text'][::-1]}{found['quote']}"


def _decoded(text: str) -> str:
    return _HEX.sub(_from_hex, _BASE64.sub(_from_base64, text))


def _from_base64(found: re.Match[str]) -> str:
    coded = found[0].replace("-", "+").replace("_", "/")
    try:
        data = base64.b64decode(coded.rstrip("=") + "=" * (-len(coded.rstrip("=")) % 4))
    except (binascii.Error, ValueError):
        return found[0]
    return _readable(data) or found[0]


def _from_hex(found: re.Match[str]) -> str:
    return _readable(bytes.fromhex(found[0])) or found[0]


def _readable(data: bytes) -> str:
    """The text that bytes hold, on one line; empty where they hold none."""
    if data[1::2].count(0) * 2 > len(data) - 2:
        data = data[::2]  # PowerShell's UTF-16
    try:
        text = data.decode("ascii")
    except UnicodeDecodeError:
        return ""
    printable = sum(each.isprintable() or each in "\r\n\t" for each in text)
    return _LINE_END.sub("; ", text) if printable >= len(text) * _READABLE else ""


def _from_escapes(found: re.Match[str]) -> str:
    inside = found["ansi"] or found["printed"]
    return _SHELL_ESCAPE.sub(lambda each: chr(int(each[1], 16) if each[1] else int(each[2], 8)), inside)


def _shell_words(text: str) -> str:
    text = _QUOTED_ESCAPES.sub(_from_escapes, text) if "$'" in text or "$(" in text else text
    text = _EMPTY_QUOTES.sub("", text)
    text = _QUOTED_LETTER.sub(r"\g<inside>", text)
    text = _BACKSLASH.sub("", text) if "\\" in text else text
    text = _IFS.sub(" ", text) if "IFS" in text else text
    if "$" not in text or "=" not in text:
        return text
    values: dict[str, str] = {}
    for found in _ASSIGNED.finditer(text):
        if len(values) < _MOST_VARIABLES:
            values.setdefault(found["name"], found["value"].strip("\"'"))
    return _USED.sub(lambda used: values.get(used["braced"] or used["plain"], used[0]), text) if values else text


_STEPS: dict[str, tuple[Callable[[str], str], ...]] = {
    SHELL: (_shell_words,),
    SOURCE: (_joined_strings, with_values, with_real_names),
    PROMPT: (),
    CONFIG: (),
}
