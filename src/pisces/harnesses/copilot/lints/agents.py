"""Agents of GitHub Copilot that only VS Code loads."""

from __future__ import annotations

from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import WARNING, Diagnostics, Rule

COPILOT_AGENT_DESCRIPTION = Rule("copilot-agent-description", WARNING, "An agent without a description")


def _find(subject: Subject) -> Diagnostics:
    for found in subject.items("subagents", "copilot", "copilot-plugin"):
        path, name = found.item.path, found.item.name
        if path.endswith(".agent.md") and not found.item.description:
            message = f"`{name}` has no `description`: VS Code loads it, the Copilot command line does not"
            yield COPILOT_AGENT_DESCRIPTION.at(path, message, place=(1, 1), hint="add a `description`", about=name)


LINT = Lint("agents of GitHub Copilot", _find, "copilot-plugin")
