"""Programs inside of other texts: of `node -e`, and commands that a prompt tells an agent to run."""

from __future__ import annotations

import re

from pisces.scanning.contexts import is_indented_code
from pisces.scanning.page import Page, page_of_text
from pisces.scanning.roles import SHELL, SOURCE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

_INLINE = re.compile(
    r"(?<![\w./-])(?P<program>node|bun|deno|python[\d.]{0,5}|perl|ruby|php|lua|osascript)(?:\.exe)?"
    r"(?:\s{1,4}(?:eval|-(?![ecrp][\s\"'])[\w:=-]{1,30})){0,4}\s{1,4}(?:-[\w]{0,3}[ecrp]|--eval|--print)\s{1,4}\\?"
    r"(?P<quote>[\"'])(?P<code>.{8,4000}?)(?<!\\)(?P=quote)(?=[\s;&|)\"'`]|$)",
    re.S,
)
_PROGRAMS = frozenset(b"node bun deno python python3 python2 perl ruby php lua osascript".split())
_ENDINGS = {"node": "js", "bun": "js", "deno": "js", "perl": "pl", "ruby": "rb", "php": "php", "lua": "lua"}
_ROLES = {
    **dict.fromkeys(("", "sh", "bash", "shell", "zsh", "console", "terminal", "shell-session", "cmd", "bat"), SHELL),
    **dict.fromkeys(("powershell", "ps1", "pwsh", "fish", "ksh"), SHELL),
    **dict.fromkeys(("python", "py", "python3", "js", "javascript", "ts", "typescript", "node", "ruby", "rb"), SOURCE),
    **dict.fromkeys(("perl", "php", "lua", "go", "rust", "jsx", "tsx", "mjs"), SOURCE),
}
_SPAN = re.compile(r"`[^`\n]{1,600}`")
_NOT_LINE = re.compile(r"[^\n]")
_MOST = 40
_LONGEST = 6000
_PARAGRAPH = 1500


def inline_programs(page: Page) -> Iterator[tuple[int, Page]]:
    """Programs that a script hands to an interpreter as an argument, each with its place in the script."""
    if _PROGRAMS.isdisjoint(page.tokens):
        return
    text = page.text.replace("'\"'\"'", "\\'   ")  # a quote inside of quotes
    for number, found in enumerate(_INLINE.finditer(text)):
        if number >= _MOST:
            return
        code = found["code"].replace("\\" + found["quote"], found["quote"])
        ending = _ENDINGS.get(found["program"], "py")
        program = page_of_text(page, code, f"inline.{ending}", SOURCE)
        program.started, program.is_hook = page.started or page.name, page.is_hook
        yield found.start("code"), program


def shown_script(page: Page, offset: int) -> tuple[int, Page] | None:
    """What a prompt shows as code around an offset: a block, or all commands of a paragraph; with where it begins."""
    block = page.block(offset)
    if block:
        begin, end, language = block
        role = _ROLES.get(language.split(" ")[0].strip("{}."))
        begin = page.text.find("\n", begin, end) + 1
        return (begin, _script(page, page.text[begin:end][:_LONGEST], role)) if role and begin else None
    begin, end = _paragraph(page.text, offset)
    text = page.text[begin:end]
    if not is_indented_code(page.text, offset):
        text = _commands(text)
    return (begin, _script(page, text, SHELL)) if text.strip() else None


def _script(page: Page, text: str, role: str) -> Page:
    script = page_of_text(page, text, "shown.sh" if role == SHELL else "shown.py", role)
    script.started = page.name
    return script


def _paragraph(text: str, offset: int) -> tuple[int, int]:
    begin = text.rfind("\n\n", max(0, offset - _PARAGRAPH), offset)
    end = text.find("\n\n", offset, offset + _PARAGRAPH)
    return begin + 2 if begin >= 0 else max(0, offset - _PARAGRAPH), end if end >= 0 else offset + _PARAGRAPH


def _commands(text: str) -> str:
    """The commands of a paragraph, each at its place; what is between them is blank."""
    last, parts = 0, []
    for found in _SPAN.finditer(text):
        parts += [_NOT_LINE.sub(" ", text[last : found.start()]), " ", found[0][1:-1], "\n"]
        last = found.end()
    return "".join(parts)
