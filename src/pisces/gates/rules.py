"""All rules about tool calls that are in force here, whoever's they are: each harness's, then the strictest counts.

Deny beats ask beats allow. Where no rule speaks, the approval mode decides.
"""

from __future__ import annotations

from pisces.by_name import export_of, files_called
from pisces.gates.judge import Gate
from pisces.gates.rulebook import ToolUse
from pisces.shapes.verdict import ALLOW, ASK, DENY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pisces.gates.rulebook import Rulebook, RuleScene
    from pisces.shapes.request import ToolRequest
    from pisces.shapes.session_facts import SessionFacts
    from pisces.shapes.verdict import Verdict

HARNESSES = "pisces.harnesses"
WHO = "rules"
_STRICTNESS = {ALLOW: 0, ASK: 1, DENY: 2}


def rulebooks(scene: RuleScene) -> tuple[Rulebook, ...]:
    """Of every harness that has rules, whether its program is installed or not. Reads files, once."""
    return tuple(
        book
        for folder in files_called(HARNESSES, "permissions")
        for book in export_of(folder, "permissions", "rulebooks")(scene)
    )


def rulebooks_of_flags(allowed: Sequence[str], denied: Sequence[str]) -> tuple[Rulebook, ...]:
    """Rules for one run, as they are written on a command line. Raises `PiscesError` for one that cannot be read."""
    folders = files_called(HARNESSES, "permissions") if allowed or denied else ()
    modules = [__import__(f"{folder}.permissions", fromlist=["rulebooks"]) for folder in folders]
    return tuple(module.flag_rulebook(allowed, denied) for module in modules if hasattr(module, "flag_rulebook"))


def verdict_of(books: Sequence[Rulebook], use: ToolUse) -> tuple[Verdict, ...]:
    """What each rulebook says, the strictest first; nothing where no rule speaks."""
    found = [verdict for book in books if (verdict := book.judged(use)) is not None]
    return tuple(sorted(found, key=lambda verdict: -_STRICTNESS[verdict.decision])) if len(found) > 1 else tuple(found)


def denied_tool(books: Sequence[Rulebook], tool: str, server: str = "") -> Verdict | None:
    """Who denies a tool whatever its input is, so that it is not offered to a model."""
    return next((found for book in books if (found := book.denies_tool(tool, server)) is not None), None)


def listed(decision: str, written: Sequence[str], use: ToolUse) -> bool:
    """Whether a call is one of those that a list of tools in the header of a subagent names, with what stands in
    brackets. The first harness that has such lists reads it.
    """
    for folder in files_called(HARNESSES, "permissions"):
        reads = getattr(__import__(f"{folder}.permissions", fromlist=["listed"]), "listed", None)
        if reads is not None:
            return bool(reads(decision, written, use))
    return decision != ALLOW


def rules_gate(books: Sequence[Rulebook], facts: Callable[[], SessionFacts]) -> Gate:
    """A gate for a list of judges. `facts` are asked for at each call: mode and folder may change."""

    def judge(request: ToolRequest) -> Verdict | None:
        here = facts()
        if request.agent or request.agent_id:
            here = here.replace(agent=request.agent, agent_id=request.agent_id)
        use = ToolUse(request.call, here, request.server, request.annotations)
        found = verdict_of(books, use)
        return found[0] if found else None

    return Gate(WHO, judge, None)
