"""What became of one item or one of its fields: mapped, approximated, dropped or widened, and why.

A loss is made from a `Rule`, so that `pisces explain CODE` knows it and a report can be filtered by it.
"""

from __future__ import annotations

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostic, Rule
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.converting.plugin import PluginItem

MAPPED = "mapped"  # the same meaning in the other program's words
APPROXIMATED = "approximated"  # nearly; the report says what differs
DROPPED = "dropped"
WIDENED = "widened"  # it may do more than its author allowed
KINDS = (MAPPED, APPROXIMATED, DROPPED, WIDENED)

LOST_GUARD = Rule("lost-guard", ERROR, "A hook that can deny does not deny in the other program")
LOST_HOOK = Rule("lost-hook", WARNING, "A hook has no counterpart in the other program")
LOST_TOOL = Rule("lost-tool", WARNING, "A tool of a subagent has no counterpart in the other program")
LOST_AGENT = Rule("lost-agent", ERROR, "A subagent is not written: none of its tools is left")
WIDENED_TOOLS = Rule("widened-tools", ERROR, "A subagent may use more tools than its author allowed")
LOST_FIELD = Rule("lost-field", NOTE, "A field has no counterpart in the other program")
LOST_SERVER = Rule("lost-server", ERROR, "An MCP server cannot be reached from the other program")
LOST_COMPONENT = Rule("lost-component", WARNING, "A component has no counterpart in the other program")
LOST_PLACEHOLDER = Rule("lost-placeholder", WARNING, "A placeholder has no counterpart in the other program")
CHANGED_MEANING = Rule("changed-meaning", NOTE, "A component is nearly, but not wholly, what it was")
NEVER_LOADED = Rule("never-loaded", WARNING, "The program that a component was written for never loads it")
LINK_OUTSIDE = Rule("link-outside", WARNING, "A link leads out of the package")
FILES_LEFT_OUT = Rule("files-left-out", ERROR, "A package has more folders, or deeper ones, than are read")
SOURCE_REFUSED = Rule("source-refused", ERROR, "The program that a package was written for loads nothing of it")
REPAIRED = Rule("repaired", NOTE, "A file was repaired: only a forgiving reader takes it as it was")


class Fate(Value):
    """`subject` names the item, `path` its file in the source, `output` the file that it is written to, if it is.

    `code` and `severity` are empty for what is mapped.
    """

    kind: str
    subject: str
    path: str = ""
    line: int = 0
    field: str = ""
    output: str = ""
    code: str = ""
    severity: str = ""
    why: str = ""
    fix: str = ""

    @property
    def is_loss(self) -> bool:
        return self.kind != MAPPED

    def diagnostic(self) -> Diagnostic:
        """A loss in the words of every other problem."""
        return Diagnostic(self.code, self.severity, self.why, self.path, self.line, 0, self.fix, self.subject)

    def as_json(self) -> dict[str, object]:
        return {key: value or None for key, value in zip(self.__fields__, self.as_tuple(), strict=True)}


def subject_of(item: PluginItem) -> str:
    return f"{item.kind} `{item.name}`"


def mapped(item: PluginItem, output: str, field: str = "") -> Fate:
    return Fate(MAPPED, subject_of(item), item.path, item.line(field), field, output)


def lost(kind: str, rule: Rule, item: PluginItem, why: str, field: str = "") -> Fate:
    """`kind` is APPROXIMATED, DROPPED or WIDENED. What to do about it: `.replace(fix=...)`."""
    return Fate(kind, subject_of(item), item.path, item.line(field), field, "", rule.code, rule.severity, why)
