"""`--allow` and `--deny`: rules for one run, in one word each: `shell(git diff)`, `write(src/**)`, `mcp__github__*`."""

from __future__ import annotations

import re

from pisces.diagnostics import ERROR, PiscesError, Rule
from pisces.discovery import tool_names as to
from pisces.harnesses.native.rules.book import OwnBook, placed_rule
from pisces.harnesses.native.rules.file import KINDS, own_rule
from pisces.shapes.verdict import ALLOW, DENY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.harnesses.native.rules.book import PlacedOwnRule

FLAG_RULE = Rule("flag-rule", ERROR, "A rule on the command line cannot be read")

_FORM = re.compile(r"(?P<tool>[^()\s]+)(?:\((?P<about>.*)\))?", re.DOTALL)
_ANYTHING_BEHIND = re.compile(r"(?::|\s+)\*\Z")  # `git diff:*` and `git diff *` are what other programs write
_ABOUT_FILES = frozenset((*KINDS["read"], *KINDS["write"]))


def rulebook(allowed: Sequence[str], denied: Sequence[str]) -> OwnBook:
    """Raises `PiscesError` for a rule that cannot be read."""
    made = [_placed(text, ALLOW) for text in allowed] + [_placed(text, DENY) for text in denied]
    return OwnBook(tuple(made))


def _placed(text: str, decision: str) -> PlacedOwnRule:
    form = _FORM.fullmatch(text.strip())
    if form is None:
        raise _unreadable(text, "it is no tool, and no tool with something in brackets")
    tool, about = form["tool"], form["about"]
    fields: dict[str, object] = {"tool": tool, "decision": decision}
    if about is not None:
        fields[_key_for(tool, text)] = _ANYTHING_BEHIND.sub("", about.strip())
    rule, flaws = own_rule(fields, 0)
    if flaws:
        raise _unreadable(text, flaws[0][1])
    return placed_rule(rule.replace(text=text), f"--{decision}")


def _key_for(tool: str, text: str) -> str:
    meanings = set(KINDS.get(tool) or (to.meaning_of(tool),))
    if meanings & set(KINDS["shell"]):
        return "command"
    if meanings & _ABOUT_FILES:
        return "path"
    raise _unreadable(text, f"`{tool}` is neither a shell nor a tool that reads or writes files")


def _unreadable(text: str, why: str) -> PiscesError:
    hint = "as in `shell(git diff)`, `write(src/**)`, `fetch`, `mcp__github__*`"
    return PiscesError(FLAG_RULE.at("", f"`{text}` is no rule: {why}", hint=hint))
