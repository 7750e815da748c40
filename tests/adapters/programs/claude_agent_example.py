"""Runs the example of the Claude Agent SDK on a fake of the API that it asks."""

from __future__ import annotations

import os
import runpy
from pathlib import Path

from tests.adapters.programs.fake_messages import FakeModel, serving

EXAMPLE = Path(__file__).resolve().parents[3] / "examples" / "adapters" / "claude_agent.py"

model = FakeModel(
    ("Bash", {"command": "rm -rf ./nothing", "description": "Cleans up"}),
    ("mcp__boat__sail", {"place": "Hamburg"}),
    says=("We are there.",),
)
with serving(model) as address:
    os.environ.update(
        ANTHROPIC_BASE_URL=address,
        ANTHROPIC_API_KEY="none",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC="1",
        IS_SANDBOX="1",
    )
    runpy.run_path(str(EXAMPLE), run_name="__main__")
