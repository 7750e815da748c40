"""A command line of a prompt as Gemini CLI runs it: `!{...}`, whose braces must balance and which knows no escape.

Gemini CLI puts all that the user typed into a line as one quoted word. Where the author's line takes it apart, `xargs`
does: what was typed never becomes a part of the line itself.
"""

from __future__ import annotations

from pisces.converting.prompt_text import PromptArgument, PromptArguments
from pisces.formats.injections import injections

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    ShellArgument: TypeAlias = PromptArgument | PromptArguments
    ShellPart: TypeAlias = str | ShellArgument
    Placed: TypeAlias = tuple[ShellPart, str]  # with the quotes that it stands in

ARGS = "{{args}}"
_TRIGGERS = ("@{", "!{", ARGS)
_PRINTED = {"\\": "\\\\", "%": "%%", "'": "\\047", "{": "\\173", "}": "\\175"}


def shell_injection(parts: Iterable[ShellPart]) -> str:
    placed = list(_placed(parts))
    used = [(part, quote) for part, quote in placed if not isinstance(part, str)]
    if not used:
        script = "".join(str(part) for part, _ in placed).strip()
        return _injected(script if _is_safe(script) else f'bash -c "$({_printing(script)})"')
    if all(isinstance(part, PromptArguments) and quote for part, quote in used):
        return _as_one_word(_filled(placed, lambda _part: "args"))
    script = _filled(placed, _position)
    quoted = script.replace("'", "'\\''")
    run = f"'{quoted}'" if _is_safe(script) else f'"$({_printing(script)})"'
    return _injected(f"printf 'bash %s' {ARGS} | xargs bash -c {run}")


def _as_one_word(script: str) -> str:
    if _is_safe(script):
        return _injected(f"args={ARGS}; {script}")
    return _injected(f'export args={ARGS}; bash -c "$({_printing(script)})"')


def _position(part: ShellArgument) -> str:
    return str(part.number + 1) if isinstance(part, PromptArgument) else "@"


def _filled(placed: list[Placed], name: Callable[[ShellArgument], str]) -> str:
    """A variable of the shell for each argument, quoted as its place needs it."""
    pieces = []
    for part, quote in placed:
        if isinstance(part, str):
            pieces.append(part)
            continue
        variable = name(part)
        inside = "*" if variable == "@" and quote else variable
        pieces.append({"": f'"${{{inside}}}"', '"': f"${{{inside}}}", "'": f"'\"${{{inside}}}\"'"}[quote])
    return "".join(pieces).strip()


def _placed(parts: Iterable[ShellPart]) -> Iterator[Placed]:
    quote = ""
    for part in parts:
        if isinstance(part, str):
            quote = _quote_after(part, quote)
        yield part, quote


def _quote_after(text: str, quote: str) -> str:
    escaped = False
    for char in text:
        if escaped:
            escaped = False
        elif char == "\\" and quote != "'":
            escaped = True
        elif char in "'\"" and quote in ("", char):
            quote = "" if quote else char
    return quote


def _is_safe(script: str) -> bool:
    """Whether it can stand between the braces as it is."""
    whole = f"!{{{script}}}"
    return not any(each in script for each in _TRIGGERS) and injections(whole, "!{") == [(0, len(whole))]


def _printing(script: str) -> str:
    """A command that prints the script, without a brace in it."""
    return "printf '" + "".join(_PRINTED.get(char, char) for char in script) + "'"


def _injected(line: str) -> str:
    return f"!{{{line}}}"
