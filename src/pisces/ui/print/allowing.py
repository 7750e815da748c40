"""Which flag of `pisces -p` would have allowed what was denied: the narrowest first."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from pisces.discovery.tool_names import COMMAND, PATH, words_of
from pisces.gates.approval_mode import mode_verdict
from pisces.gates.rulebook import ToolUse
from pisces.shapes.request import LineRequest, ProgramRequest, ServerRequest, ToolRequest
from pisces.shapes.session_facts import MODE_ALL, MODE_EDITS, SessionFacts

if TYPE_CHECKING:
    from pisces.places import Places
    from pisces.shapes.request import Request
    from pisces.shapes.verdict import Verdict

_BY_MODE = "approval mode "
_LONGEST = 60  # of what a rule is about
_WILD = frozenset("*?[]{}()")


def allowing(request: Request, question: Verdict, places: Places) -> str:
    """For people; empty where nothing would. `question` is the verdict that asks."""
    if isinstance(request, ToolRequest):
        if question.who.startswith(_BY_MODE):
            return _by_mode(request, places)
        return f"`pisces` in a terminal asks; no flag overrules {question.who}"
    if isinstance(request, LineRequest):
        return "`pisces` in a terminal asks, and can remember the answer for good"
    if isinstance(request, ProgramRequest):
        return f"`--package {quote(request.folder or request.package)}` trusts its package for this run"
    if isinstance(request, ServerRequest):
        return question.hint or "`--trust-workspace` or `pisces trust` lets servers of this project start"
    return question.hint


def _by_mode(request: ToolRequest, places: Places) -> str:
    facts = SessionFacts(request.cwd or places.cwd, places.cwd, places.home)
    for mode in (MODE_EDITS, MODE_ALL):
        use = ToolUse(request.call, facts.replace(mode=mode), request.server, request.annotations)
        if mode_verdict(use).is_allowed:
            rule = _rule_for(request)
            return f"{f'`--allow {quote(rule)}` or ' if rule else ''}`--approve-mode {mode}` allows it"
    return ""


def _rule_for(request: ToolRequest) -> str:
    """The narrowest rule that is short enough to be typed. Empty where one would say more than the call: `rm *` as a
    rule is every `rm`.
    """
    call, words = request.call, words_of(request.call.tool, request.call.input)
    name = words.get(COMMAND) or words.get(PATH) or ""
    if request.server or name not in call.input:
        return call.tool
    about = str(call.input[name])
    is_plain = 0 < len(about) <= _LONGEST and about.isprintable() and _WILD.isdisjoint(about)
    is_name = name == words.get(PATH) and "/" not in about  # a name alone is a file in any folder
    return f"{call.tool}({'./' if is_name else ''}{about})" if is_plain else ""
