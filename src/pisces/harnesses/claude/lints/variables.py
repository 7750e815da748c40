"""Variables of Gemini CLI in the hooks and servers of a Claude Code plugin."""

from __future__ import annotations

import re

from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import WARNING, Diagnostics, Rule
from pisces.formats.variables import strings_in

CLAUDE_VARIABLE = Rule("claude-variable", WARNING, "A variable that Claude Code does not know")

FOREIGN = re.compile(r"\$\{(extensionPath|workspacePath|/|pathSeparator)\}")
INSTEAD = {"extensionPath": "${CLAUDE_PLUGIN_ROOT}", "workspacePath": "${CLAUDE_PROJECT_DIR}"}


def _find(subject: Subject) -> Diagnostics:
    if "claude-plugin" not in subject.formats:
        return
    paths = [path for kind in ("hooks", "mcp-servers") for path in subject.paths(kind, "claude-plugin")]
    for path in dict.fromkeys(path for path in paths if path.endswith(".json")):
        pages = subject.pages
        reported: set[str] = set()
        for keys, value in strings_in(subject.pages.json(path)):
            found = FOREIGN.search(value)
            if found and found[0] not in reported:
                reported.add(found[0])
                hint = f"write `{INSTEAD.get(found[1], '/')}`"
                message = f"Claude Code does not know `{found[0]}`"
                yield CLAUDE_VARIABLE.at(path, message, place=pages.json_place(path, keys), hint=hint)


LINT = Lint("variables of Claude Code plugins", _find, "claude-plugin")
