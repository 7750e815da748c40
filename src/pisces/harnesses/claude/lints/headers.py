"""Headers of which Claude Code drops a value: the skill, subagent or command loads, and lacks what was written."""

from __future__ import annotations

from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, Diagnostics, Rule
from pisces.discovery.markdown_file import MarkdownFile
from pisces.formats import yaml
from pisces.formats.fit import noun_of
from pisces.formats.malformed import Malformed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

CLAUDE_HEADER = Rule("claude-header", ERROR, "A value of a header that Claude Code drops")

_SHELLS = ("bash", "powershell")


def _find(subject: Subject) -> Diagnostics:
    for kind in ("skills", "subagents", "commands"):
        for path in subject.paths(kind, "claude-plugin"):
            file = subject.pages.markdown(path) if path.endswith(".md") else None
            if file is None or file.header is None or file.warning:
                continue
            for field, message in _flaws(file, kind):
                place = file.place(field) if field else file.place()
                yield CLAUDE_HEADER.at(path, message, place=place, about=path)


def _flaws(file: MarkdownFile, kind: str) -> Iterator[tuple[str, str]]:
    fields = file.fields
    if not fields and _is_list(file):
        yield "", "the header must have `key: value` lines, not a list"
    name, description, tools = (fields.get(key) for key in ("name", "description", "allowed-tools"))
    if name is not None and not isinstance(name, str):
        yield "name", f"`name` must be text, not {noun_of(name)}"
    if isinstance(description, list | dict):
        yield "description", f"`description` must be text, not {noun_of(description)}"
    if tools is not None and not isinstance(tools, str | list):
        yield "allowed-tools", f"`allowed-tools` must be text or a list, not {noun_of(tools)}"
    if kind != "subagents" and fields.get("shell") is not None and fields["shell"] not in _SHELLS:
        yield "shell", "`shell` must be `bash` or `powershell`"


def _is_list(file: MarkdownFile) -> bool:
    try:
        return isinstance(yaml.parse(file.header.header if file.header else ""), list)
    except Malformed:
        return False


LINT = Lint("headers of Claude Code", _find, "claude-plugin")
