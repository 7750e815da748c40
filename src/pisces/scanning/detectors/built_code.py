"""Code that is built from strings, or called by a name that is built: the reader does not see what runs."""

from __future__ import annotations

import re
from itertools import islice

from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule
from pisces.scanning.clues import clue, first, seen
from pisces.scanning.contexts import READ, line_at
from pisces.scanning.detector import Detector
from pisces.scanning.detectors.fetched_code import calls_of_code
from pisces.scanning.page import Page, excerpt
from pisces.scanning.roles import SHELL, SOURCE
from pisces.scanning.taint import flow_of
from pisces.scanning.words import words

BUILT_CODE = Rule("scan-built-code", ERROR, "Code is built from strings and run")

_BUILT_NAMES = (
    clue(
        "calls a built name",
        r"\bgetattr\(\s{0,40}(?:builtins|os|subprocess|importlib)\s{0,4},\s{0,4}(?:[\"']{2}\.join|\w{1,20}\()",
        "getattr",
    ),
    clue("calls a built name", r"\bimport_module\(\s{0,40}(?:[\"']{2}\.join|base64|bytes)", "import_module"),
    clue(
        "decodes letter by letter",
        r"\bchr\(\s{0,40}\w{1,20}\s{0,4}\^|fromCharCode\([^\n]{0,60}\^"
        r"|(?:charCodeAt\([^\n]{0,20}\)\s{0,4}\^|\^\s{0,4}\w{1,20}\.charCodeAt)[^\n]{0,80}(?:\n[^\n]{0,120}){0,2}fromCharCode",
        *("chr(", "charcodeat", "fromcharcode"),
    ),
    clue("calls a built name", r"\bgetattr\(\s{0,40}__import__\(", "getattr"),
    clue(
        "calls a built name",
        r"\bgetattr\([^\n]{1,60},\s{0,4}(?:[\"'][^\"'\n]{0,20}[\"']\s{0,4}\+|[\"'][^\"'\n]{0,20}[\"']\[::-1\]|chr\()",
        "getattr",
    ),
    clue(
        "calls a built name",
        r"\b__builtins__(?:\.__dict__)?\s{0,2}\[|\bvars\(__builtins__\)|\b__builtins__\.(?:eval|exec)\b"
        r"|\bgetattr\(\s{0,40}__builtins__",
        "__builtins__",
    ),
    clue(
        "calls a built name",
        r"\b(?:globalThis|window|global|self)\[\s{0,4}(?:[\"'`][\w]{0,10}[\"'`]\s{0,4}\+|\[|atob\()",
        "globalthis",
        "window",
        "global",
        "self",
    ),
    clue(
        "builds code",
        r"\.constructor\(\s{0,40}(?:[\"'`][^\n]{0,200}\b(?:return|require|process|exec|fetch)\b|atob\()",
        ".constructor",
    ),
    clue("builds code", r"\[\s{0,4}[\"']constructor[\"']\s{0,4}\]\s{0,4}\(", "constructor"),
    clue(
        "builds a module",
        r"\bnew\s{1,4}module\.constructor\b|\bmodule\.constructor\b[^\n]{0,80}|\._compile\(",
        "module.constructor",
        "_compile",
    ),
    clue(
        "names a module in code",
        r"\brequire\(\s{0,40}(?:atob\(|Buffer\.from\(|\w{1,20}\(\s{0,40}[\"'][0-9a-fA-F+/=]{8,400})"
        r"|\b__import__\(\s{0,40}(?:base64|bytes|codecs|[\"'][^\"'\n]{0,20}[\"']\s{0,4}\+"
        r"|[\"'][^\"'\n]{1,30}[\"']\[::-1\]|[\"']{2}\.join)",
        "require(",
        "__import__",
    ),
)
_EVALUATES = (
    clue("evaluates", r"[(,=]\s{0,4}(?:eval|exec|execfile)\s{0,4}(?=[),;\n])", "eval", "exec"),
    clue(
        "evaluates",
        r"\]\s{0,4}\(\s{0,4}(?:Buffer\.from\(|atob\(|decodeURIComponent\(|String\.fromCharCode\()",
        *("buffer.from", "atob(", "decodeuricomponent", "fromcharcode"),
    ),
    clue(
        "evaluates",
        r"(?<![\w.$])(?:eval|exec)\(\s{0,40}(?!\w{1,30}\.compile)[A-Za-z_$(]|\bnew\s{1,4}Function\("
        r"|(?<![\w.])Function\(\s{0,40}\w|\bvm\.run\w{0,24}\(|\bsetTimeout\(\s{0,40}[\"'`]",
        "eval(",
        "exec(",
        "function(",
        "vm.run*",
        "settimeout(",
    ),
    clue(
        "evaluates",
        r"\bglobalThis\[\s{0,4}\w{1,30}\s{0,4}\]\s{0,4}\(|\b(?:globalThis|window)\[[\"']eval[\"']\]",
        "globalthis",
        "window",
    ),
)
_DECODES = (
    clue(
        "decodes",
        r"\batob\(|\bBuffer\.from\([^\n]{1,400},\s{0,4}[\"'`](?:base64|hex)[\"'`]|\bb(?:64|85|32)decode\("
        r"|\ba85decode\(|bytes\.fromhex\(|\bunhexlify\(|zlib\.decompress\(|marshal\.loads\(|codecs\.decode\(",
        "atob(",
        "buffer.from",
        "b64decode",
        "b85decode",
        "b32decode",
        "a85decode",
        "fromhex",
        "unhexlify",
        "zlib.decompress",
        "marshal.loads",
        "codecs.decode",
    ),
    clue(
        "takes it from a picture, a font or a file of bytes",
        r"(?:\bopen|\breadFile(?:Sync)?|\bread_bytes|\bPath|\bBun\.file)\([^\n]{0,80}\.(?:png|jpe?g|gif|ico|woff2?|ttf|dat|bin|wav"
        r"|mp3)[\"'`]",
        *(".png", ".jpg", ".jpeg", ".gif", ".ico", ".woff", ".woff2", ".ttf", ".dat", ".bin", ".wav", ".mp3"),
        before=120,
    ),
    clue(
        "decodes",
        r"\bString\.fromCharCode\(|\bmap\(\s{0,40}chr\s{0,4},|\bchr\(\s{0,40}\w{1,20}\s{0,4}(?:\^|\))[^\n]{0,40}\bfor\b",
        "fromcharcode",
        "map(chr",
        "chr(",
    ),
)
# What a program decodes, and the ways in which it may run it.
_UNPACKS = re.compile(
    r"\batob\(|\bBuffer\.from\([^\n]{1,400},\s{0,4}[\"'`](?:base64|hex)[\"'`]|\bb(?:64|85|32|16)decode\(|\ba85decode\("
    r"|bytes\.fromhex\(|\bunhexlify\(|zlib\.decompress\(|gzip\.decompress\(|lzma\.decompress\(|codecs\.decode\(|\bbase64_decode\("
    r"|\bgz(?:inflate|uncompress)\(|\bstr_rot13\(|\bstrrev\(|\bBase64\.(?:strict_)?decode64\(|\bdecode_base64\(|FromBase64String\("
    r"|\.unpack1?\(|\bchr\(\s{0,4}\w{1,20}\s{0,4}\^|\bbytes\(\s{0,4}\w{1,20}\s{0,4}\^|fromCharCode\([^\n]{0,60}\^",
)
_UNPACKING = words(
    *("atob(", "buffer.from", "b64decode", "b85decode", "b32decode", "b16decode", "a85decode", "fromhex", "unhexlify"),
    *(
        "zlib.decompress",
        "gzip.decompress",
        "lzma.decompress",
        "codecs.decode",
        "base64_decode",
        "gzinflate",
        "gzuncompress",
    ),
    *(
        "str_rot13",
        "strrev",
        "decode64",
        "strict_decode64",
        "decode_base64",
        "frombase64string",
        "chr(",
        "bytes(",
        "fromcharcode",
    ),
)
_SHELL_DECODES = re.compile(
    r"(?P<name>\w{1,40})=[\"']?(?:\$\(|`)[^\n]{0,300}(?:base64\s{1,4}(?:-d|-D|--decode)|xxd\s{1,4}-r|\brev\b"
    r"|openssl\s{1,4}enc\s{1,4}-d|\btr\b[^\n]{0,40})[^\n]{0,80}(?:\)|`)"
)
_NAME = re.compile(r"[A-Za-z_]\w{0,60}")
_MOST_NAMES = 40
_NEAR = 400
_MOST = 5000
# "ex" + "ec", ["child", "_process"].join(""): nobody writes such a name in pieces who has nothing to hide.
_PIECES = re.compile(
    r"(?:[\"'`]\w{1,14}[\"'`]\s{0,4}[+,]\s{0,4}){1,9}[\"'`]\w{1,14}[\"'`](?P<joined>\s{0,4}\]\.join\()?"
)
_PIECE = re.compile(r"\w{1,14}")
_HIDDEN_NAMES = frozenset(
    "eval exec execsync execfile constructor child_process require mainmodule subprocess builtins __import__ popen"
    " powershell fromcharcode globalthis importlib marshal".split()
)


def _find(page: Page) -> Diagnostics:
    if page.role == SOURCE:
        for each, found in seen(page, _BUILT_NAMES):
            finding = page.weighed(BUILT_CODE, found.start(), f"`{excerpt(found[0])}` {each.what}")
            yield finding
        decoded = list(_decoded(page))
        yield from decoded or _unpacked(page)
        yield from _in_pieces(page)
    elif page.role == SHELL and "=" in page.text:
        yield from _in_shell(page)


def _in_pieces(page: Page) -> Diagnostics:
    if "+" not in page.text and ".join(" not in page.text:
        return
    for found in islice(_PIECES.finditer(page.text), _MOST):
        name = "".join(_PIECE.findall(found[0].partition("]")[0])).lower()
        is_joined = found["joined"] or "," not in found[0]
        if name in _HIDDEN_NAMES and is_joined and page.context(found.start()) != READ:
            message = f"`{excerpt(found[0])}` spells `{name}` in pieces"
            yield page.weighed_in_program(BUILT_CODE, found.start(), message)


def _decoded(page: Page) -> Diagnostics:
    """A file that decodes something and evaluates something else than a literal."""
    evaluates = first(page, _EVALUATES)
    decodes = evaluates and first(page, _DECODES)
    if evaluates and decodes:
        message = f"the file decodes (`{excerpt(decodes[1][0])}`) and evaluates (`{excerpt(evaluates[1][0])}`)"
        finding = page.weighed_in_program(BUILT_CODE, evaluates[1].start(), message)
        is_near = abs(evaluates[1].start() - decodes[1].start()) < _NEAR
        yield (
            finding
            if is_near or page.severity(BUILT_CODE, evaluates[1].start()) != ERROR
            else finding.replace(severity=WARNING)
        )


def _unpacked(page: Page) -> Diagnostics:
    """What is decoded goes, by way of names, to something that runs it."""
    if next(page.near(_UNPACKING, 0, 1), None) is None:
        return
    flow = flow_of(page, _UNPACKS)
    for offset, call, bound in calls_of_code(flow):
        given = call["arguments"] or ""
        names = frozenset(_NAME.findall(given))
        is_decoded = not names.isdisjoint(flow.names | bound) or _UNPACKS.search(given)
        line, column = line_at(page.text, offset + call.start())
        is_text = line.count('"', 0, column) % 2 or line.count("'", 0, column) % 2
        if (
            is_decoded
            and not is_text
            and len(flow.names) <= _MOST_NAMES
            and page.context(offset + call.start()) != READ
        ):
            message = f"`{excerpt(call[0])}` runs what the file decodes"
            yield page.weighed_in_program(BUILT_CODE, offset + call.start(), message)
            return


def _in_shell(page: Page) -> Diagnostics:
    for found in page.matches((_SHELL_DECODES,), _SHELL_WORDS, before=300, after=300):
        run = re.compile(
            rf"\b(?:eval|(?:ba|z|da|k)?sh\s{{1,4}}-c|python[\d.]{{0,4}}\s{{1,4}}-c"
            rf"|node\s{{1,4}}-e)\s{{1,4}}[\"']?\$\{{?{found['name']}\b"
        )
        started = run.search(page.text, found.end(), found.end() + 4000)
        if started:
            message = f"`{excerpt(started[0])}` runs what `{excerpt(found[0])}` decodes"
            yield page.weighed(BUILT_CODE, started.start(), message)


_SHELL_WORDS = words("base64", "xxd", "rev", "openssl", "tr")

DETECTOR = Detector("code that is built from strings", _find, in_plain_text=True)
