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


def verdict_of(books: Sequence[Rulebook], use: ToolUse) -> tuple[Verdict, ...]:
    """What each rulebook says, the strictest first; nothing where no rule speaks."""
    found = [verdict for book in books if (verdict := book.judged(use)) is not None]
    return tuple(sorted(found, key=lambda verdict: -_STRICTNESS[verdict.decision])) if len(found) > 1 else tuple(found)


def denied_tool(books: Sequence[Rulebook], tool: str, server: str = "") -> Verdict | None:
    """Who denies a tool whatever its input is, so that it is not offered to a model."""
    return next((found for book in books if (found := book.denies_tool(tool, server)) is not None), None)


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
