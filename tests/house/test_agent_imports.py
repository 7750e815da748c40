"""What `pisces -p` loads for one answer: asserted on what is there at its end, not on the clock."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.agent_world import answer
from tests.models.recorder import Recorder

# What draws, what validates by schema, what another part of the program needs: each is slower than our own start.
NEVER = """argparse prompt_toolkit rich pygments pydantic pydantic_core mcp openai anthropic google.genai pydantic_ai
yaml tomllib sqlite3 xml.etree unittest multiprocessing""".split()
NEVER += "pisces.mcp.client pisces.host.servers pisces.ui.terminal.program pisces.checking.lone_file".split()
# What a denial, a command or an answer for programs needs is loaded when there is one.
LATER = "pisces.ui.print.allowing pisces.ui.print.event_json pisces.gates.hooks.named_hooks".split()

PROGRAM = """
import sys
from pisces.__main__ import main
status = main(["-p", "hi"])
sys.stderr.write(" ".join(sorted(sys.modules)))
sys.exit(status)
"""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    folder = tmp_path_factory.mktemp("empty")
    with Recorder() as model:
        model.body = answer("fine")
        env = {"PATH": os.environ["PATH"], "HOME": str(folder), "USERPROFILE": str(folder)}
        env |= {"ANTHROPIC_API_KEY": "key", "ANTHROPIC_BASE_URL": model.url}
        if "SYSTEMROOT" in os.environ:
            env["SYSTEMROOT"] = os.environ["SYSTEMROOT"]
        command = [sys.executable, "-c", PROGRAM]
        work = Path(folder, "work")
        work.mkdir()
        done = subprocess.run(
            command, cwd=work, env=env, capture_output=True, encoding="utf-8", stdin=subprocess.DEVNULL, check=False
        )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "fine\n"
    return set(done.stderr.split())


def test_one_answer_loads_nothing_that_draws_or_validates(loaded: set[str]) -> None:
    assert not loaded.intersection(NEVER)


def test_what_only_some_runs_need_waits_for_them(loaded: set[str]) -> None:
    assert not loaded.intersection(LATER)
