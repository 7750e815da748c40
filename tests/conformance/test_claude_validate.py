"""`check --harness claude` against `claude plugin validate` of the real program, on generated plugins and marketplaces.

The program runs without a network and with a home of its own. It starts nothing of a plugin when it validates one.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from pisces.harnesses.claude.manifest_shape import VERSION
from tests.checking.planting import plant
from tests.checking.test_claude_plugins import errors, for_claude
from tests.conformance.claude_plugins import trees

COUNT = int(os.environ.get("PISCES_CLAUDE_TREES", "40"))
SEED = int(os.environ.get("PISCES_CLAUDE_SEED", "10"))
# Where the validator only warns, and what it warns about is lost when the plugin loads; or where it looks less far.
WARNED = ("left out", "must be a list", "needs a text", "there is no folder", "stand without a `hooks`")


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    peers = Path(os.environ.get("PISCES_PEERS") or ".peers") / "node_modules" / "@anthropic-ai"
    found = next(iter(sorted(peers.glob("claude-code-*/claude"))), None)
    if found is None or not shutil.which("unshare"):
        pytest.skip(f"needs Claude Code {VERSION}: npm install --prefix .peers @anthropic-ai/claude-code, and unshare")
    if subprocess.run(["unshare", "-rn", "true"], check=False, capture_output=True).returncode:
        pytest.skip("this system gives nobody a network namespace")
    home = tmp_path_factory.mktemp("home")
    env = ["env", "-i", f"HOME={home}", f"PATH={os.environ['PATH']}", "DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1"]
    return ["unshare", "-rn", *env, "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", str(found)]


def test_the_validator_agrees(program: list[str], tmp_path: Path) -> None:
    wrong, explained = [], 0
    for number, tree in enumerate(trees(COUNT, SEED)):
        folder = tmp_path / str(number)
        plant(folder / "box", dict(tree))
        line = [*program, "plugin", "validate", "--json", str(folder / "box")]
        answer = subprocess.run(line, check=False, capture_output=True, timeout=60)
        found = for_claude(folder, dict(tree))
        if bool(json.loads(answer.stdout)["success"]) != bool(errors(found)):
            continue
        if any(word in each.message for each in found.diagnostics for word in WARNED):
            explained += 1
        else:
            wrong.append((tree, [each.message for each in found.diagnostics]))
    print(f"{COUNT - explained - len(wrong)} of {COUNT} agree, {explained} are explained")
    assert not wrong
