"""Rules about tool calls: permissions of one harness, policies of another, our own. Each source is one rulebook.

A harness that has rules has `permissions.py` in its folder, with `rulebooks(scene) -> Iterator[Rulebook]`. A rulebook
answers a verdict that some rule gives, or None where no rule speaks about the call: then the approval mode decides.
The strictest verdict of all rulebooks counts. `why` of a denial is what the model is told, in the words of its harness.
"""

from __future__ import annotations

from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any, Protocol

    from pisces.diagnostics import Diagnostic
    from pisces.discovery.found import Found
    from pisces.discovery.harness import Run
    from pisces.places import Places
    from pisces.shapes.events.tools import ToolCall
    from pisces.shapes.package import Package
    from pisces.shapes.session_facts import SessionFacts
    from pisces.shapes.verdict import Verdict

    class Rulebook(Protocol):
        """`harness` is whose rules they are; `diagnostics` say what is wrong with them, with file and line.

        A file with an error keeps its deny and ask rules that can be read, and loses its allow rules.
        """

        harness: str
        diagnostics: tuple[Diagnostic, ...]

        def judged(self, use: ToolUse) -> Verdict | None:
            """`who` of the verdict is the rule: its file, line and text."""
            ...

        def denies_tool(self, tool: str, server: str = "") -> Verdict | None:
            """Whether the tool is hidden from the model, whatever its input."""
            ...


SAID = "your answer in this session"  # how `who` of a verdict begins that such a rule gave


class RuleScene(Value):
    """What rulebooks are read from. `packages` are those that are on; a workspace that is not trusted only narrows,
    and so do packages and projects always. `answers` are rules that the user gave in this session, in the words of
    `gates/user_rules.py`.
    """

    places: Places
    run: Run
    packages: Sequence[Found[Package]] = ()
    is_trusted: bool = False
    answers: Sequence[Mapping[str, str]] = ()


class ToolUse(Value):
    """A tool call with all that a rule may ask about. `server` is the MCP server of the tool, if it is of one."""

    call: ToolCall
    facts: SessionFacts
    server: str = ""
    annotations: Mapping[str, Any] = EMPTY


class ListedRule(Value):
    """A rule as people read it. `who` is its file, line and text, as in a verdict.

    A rulebook that can list its rules has `rules`, a tuple of these in the order in which they are asked.
    """

    decision: str
    who: str
