"""Subagents that Gemini CLI loads and that still do not work: models of other vendors, no instructions."""

from __future__ import annotations

import re

from pisces.checking.lint import Lint
from pisces.checking.subject import Subject
from pisces.diagnostics import ERROR, WARNING, Diagnostics, Rule

AGENT_MODEL = Rule("agent-model", ERROR, "A subagent asks for a model of another vendor")
AGENT_EMPTY = Rule("agent-empty", WARNING, "A subagent has no instructions")

_FOREIGN = re.compile(r"(?:sonnet|opus|haiku|fable|claude\b.*|gpt-.*|o[1-9]\b.*|codex\b.*|grok\b.*)(?:\[.*\])?", re.I)


def _find(subject: Subject) -> Diagnostics:
    for found in subject.items("subagents", "gemini"):
        agent = found.item
        file = subject.pages.markdown(agent.path)
        if agent.kind != "local" or file is None:
            continue
        if isinstance(agent.model, str) and _FOREIGN.fullmatch(agent.model.strip()):
            message = f"Gemini CLI has no model `{agent.model}`"
            hint = "write `inherit`, `pro` or `flash`, or leave it out"
            yield AGENT_MODEL.at(agent.path, message, place=file.place("model"), hint=hint, about=agent.name)
        if not file.body.strip():
            yield AGENT_EMPTY.at(agent.path, "there is nothing after the header", about=agent.name)


LINT = Lint("subagents of Gemini CLI", _find, "gemini")
