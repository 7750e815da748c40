"""Each of the sixteen kinds of plugins is converted, installed into a throwaway home by the real Gemini CLI, judged."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.conformance.plugins.claude_view import ClaudeView, claude_view
from tests.conformance.plugins.fixtures import NAMES, built
from tests.conformance.plugins.gemini_view import why_missing
from tests.conformance.plugins.judge import judged

COUNTED = (
    "agents",
    "agents left out",
    "skills",
    "commands",
    "hooks firing",
    "hooks reported",
    "guards",
    "servers",
    "settings",
)


@pytest.mark.skipif(bool(why_missing()), reason=why_missing())
@pytest.mark.parametrize("name", NAMES)
def test_everything_of_a_plugin_arrives_or_is_reported(name: str, tmp_path: Path) -> None:
    fixture = built(name, tmp_path / "source")
    ask = claude_view if os.environ.get("PISCES_SOAK") else unasked
    judgement = judged(fixture.plugin, tmp_path / "scratch", name, ask)
    assert judgement.faults == []
    assert {each: judgement.figures[each] for each in COUNTED} == {each: fixture.counts[each] for each in COUNTED}


def unasked(_plugin: Path, _scratch: Path) -> ClaudeView | None:
    return None
