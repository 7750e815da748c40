"""One policy rule, ready to be asked. The first rule that matches a call decides; the highest priority is asked first.

Allow rules match as in Gemini CLI, to the letter. Deny and ask rules match more: they understand the tool names of
other harnesses and see the command behind quotes, paths and wrappers.
"""

from __future__ import annotations

from pisces.discovery.tool_names import EDIT, PATCH, SHELL as RUNS_LINES, TYPE, WRITE, meaning_of
from pisces.formats.js_regex_match import is_dangerous, js_pattern
from pisces.formats.js_regex_tree import Sequence, Unit, tree
from pisces.formats.wildcard import wildcard_matches
from pisces.gates.command_match import MAYBE, NO, YES, plain_texts, prefix_match
from pisces.harnesses.gemini.rules.call import json_text
from pisces.shapes.verdict import ALLOW
from pisces.value import EMPTY, Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from pisces.formats.js_regex_match import JsPattern
    from pisces.formats.js_regex_tree import Node
    from pisces.gates.command_match import Words
    from pisces.harnesses.gemini.rules.call import PolicyCall
    from pisces.shapes.shell_line import LineCommand

PASS = "pass"  # a rule of a workspace that would allow: it only keeps the deny rule beside it away
SHELL = "run_shell_command"
SHELL_NAMES = (SHELL, "ShellTool")
_LOWEST_OF_USERS = 2  # tier 1 has the rules that the program brings itself


class PatternRefused(Exception):
    """The pattern of a rule cannot be used; the text says why."""


class ArgsPattern(Value):
    """What the arguments of a call must look like, as JSON text.

    `prefix` is the beginning of a command; `pattern` is a JavaScript regular expression. One of them is set. `head` is
    how a prefix looks in JSON; `texts` are in everything that the expression matches, which is found out quickly.
    """

    prefix: str | None = None
    pattern: JsPattern | None = None
    head: str = ""
    words: Words = ()
    texts: tuple[str, ...] = ()

    def fits(self, text: str) -> bool:
        """As Gemini CLI decides it."""
        if self.pattern is not None:
            return all(each in text for each in self.texts) and self.pattern.search(text)
        end = len(self.head)
        at = text.find(self.head)
        while at >= 0:
            after = text[at + end : at + end + 1]
            if after == '"' or after.isspace() or text.startswith('\\"', at + end):
                return True
            at = text.find(self.head, at + 1)
        return False

    def fits_command(self, command: LineCommand) -> int:
        """Whether the command fits as it runs, however it is written."""
        if self.prefix is not None:
            return prefix_match(self.words, command)
        if any(self.fits(json_text({"command": text})) for text in plain_texts(command)):
            return YES
        return MAYBE if not command.is_plain or None in command.words else NO


def prefix_pattern(prefix: str) -> ArgsPattern:
    words = tuple((word,) for word in prefix.split())
    return ArgsPattern(prefix, None, f'"command":{json_text(prefix)[:-1]}', words)


def regex_pattern(source: str) -> ArgsPattern:
    pattern = js_pattern(source)
    if pattern is None:
        raise PatternRefused("it is no regular expression that can be matched")
    return ArgsPattern(None, pattern, texts=tuple(_required(tree(source))))


def _required(node: Node) -> list[str]:
    """The plain texts that a match has in any case: the pattern's own characters, where it has no choice."""
    runs = [""]
    for part in node.parts if isinstance(node, Sequence) else (node,):
        is_plain = isinstance(part, Unit) and len(part.ranges) == 1 and part.ranges[0][0] == part.ranges[0][1] < 128
        if is_plain and isinstance(part, Unit):
            runs[-1] += chr(part.ranges[0][0])
        else:
            runs.append("")
    return [run for run in runs if len(run) > 1]


def is_refused_by_gemini(source: str) -> bool:
    """Whether Gemini CLI would drop the rule because its pattern could take for ever."""
    return is_dangerous(source)


class CompiledRule(Value):
    """`priority` has the tier in it. `who` is the place and the text of the rule; `message` is what the model is told.

    A rule of a `group` is skipped where a `pass` rule of the same group has matched before. `is_doubt` marks a
    rule that Gemini CLI would not have: where it asks, the next rules may still deny.
    """

    tool: str
    decision: str
    priority: float
    who: str
    server: str = ""
    pattern: ArgsPattern | None = None
    subagent: str = ""
    modes: frozenset[str] = frozenset()
    interactive: bool | None = None
    annotations: Mapping[str, Any] = EMPTY
    allows_redirection: bool = False
    message: str = ""
    group: str = ""
    checker: Mapping[str, Any] = EMPTY
    is_doubt: bool = False

    @property
    def widens(self) -> bool:
        return self.decision in (ALLOW, PASS)

    @property
    def first_word(self) -> str:
        """The word that the commands of the rule begin with, if it is about such."""
        words = self.pattern.words if self.pattern else ()
        return words[0][0] if words else ""

    @property
    def is_built_in(self) -> bool:
        return self.priority < _LOWEST_OF_USERS

    def applies(self, call: PolicyCall) -> bool:
        """Mode, agent, annotations and whether somebody can be asked."""
        if self.modes and call.mode not in self.modes:
            return False
        if self.subagent and self.subagent != call.facts.agent:
            return False
        if self.interactive is not None and self.interactive != call.facts.is_interactive:
            return False
        return all(call.annotations.get(key) == value for key, value in self.annotations.items())

    def names(self, call: PolicyCall) -> bool:
        """Whether the rule is about this tool, as Gemini CLI compares names."""
        if self.is_doubt:
            return False
        server = call.tool.server
        if self.server and (self.server != server if self.server != "*" else not server):
            return False
        if self.tool == "*":
            return True
        if self.tool == "mcp_*":
            return bool(server)
        if self.tool.startswith("mcp_") and self.tool.endswith("_*"):
            return self.tool[4:-2] == server and any(name.startswith(self.tool[:-1]) for name in call.names)
        return self.tool in call.names

    def means(self, call: PolicyCall) -> bool:
        """A deny rule with `Read`, `READ_FILE`, `read_*`, `edit` or `mcp__server__tool` means what its author meant."""
        tool = call.tool
        if self.widens or (self.server == "*" and not tool.server):
            return False
        wanted = _folded(self.tool)
        names = map(_folded, tool.every_name)
        if any(wildcard_matches(wanted, name) for name in names) if "*" in wanted else wanted in names:
            return True
        meaning = meaning_of(self.tool) if tool.meaning else ""
        if meaning in ("", tool.meaning):
            return bool(meaning)
        is_typing = tool.meaning == TYPE and meaning == RUNS_LINES
        return is_typing or (tool.meaning == PATCH and meaning in (WRITE, EDIT))


def _folded(name: str) -> str:
    return name.casefold().replace("__", "_")
