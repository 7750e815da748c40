"""Fixed copies of real and of odd extensions: by our own readers, and by the real Gemini CLI at least as much loads."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from pisces.cli._parser import parser_of
from pisces.cli.check import COMMAND
from pisces.places import Places
from pisces.ui.screen import Screen
from tests.conformance.comparison import ours, theirs
from tests.conformance.corpus import unpack, why_missing
from tests.conformance.generate import generate
from tests.conformance.test_gemini_differential import GEMINI, ORACLE, needs_gemini, needs_node

needs_corpus = pytest.mark.skipif(bool(why_missing()), reason=why_missing())
ODD = int(os.environ.get("PISCES_ODD_FIXES") or 40)
LOADED = ("commands", "skills", "subagents", "hooks", "policy_rules", "context_files", "mcp_servers")
UNSAFE = "--unsafe-fixes"


def fix(folder: Path, *words: str) -> str:
    """What is said at the end."""
    err = io.StringIO()
    places, screen = Places("/nowhere", str(folder.parent)), Screen(io.StringIO(), err, {})
    COMMAND.run(parser_of(COMMAND).parse_args([str(folder), "--fix", *words]), places, screen)
    return err.getvalue()


def assert_loads_as_much(before: Path, after: Path) -> None:
    """Problems are not counted: where something can be read that could not be read before, its own come to light."""
    was, now = ours(before), ours(after)
    assert all(len(was[kind]) <= len(now[kind]) for kind in LOADED), after
    assert was["installs"] <= now["installs"], after


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus")
    unpack(folder)
    real, synthetic = folder / "gemini-extensions" / "corpus", folder / "synthetic" / "synthetic"
    for source in (real, synthetic):
        for each in filter(Path.is_dir, source.iterdir()):
            shutil.copytree(each, folder / "before" / each.name, symlinks=True)
            shutil.copytree(each, folder / "after" / each.name, symlinks=True)
    return folder


@needs_corpus
@needs_node
@needs_gemini
def test_gemini_loads_at_least_as_much_of_fixed_extensions(corpus: Path) -> None:
    changed = [each for each in sorted((corpus / "after").iterdir()) if "\nfixed " in fix(each, UNSAFE)]
    listed = corpus / "folders.txt"
    both = [*(corpus / "before" / each.name for each in changed), *changed]
    listed.write_text("\n".join(map(str, both)), encoding="utf-8")
    verdicts = [theirs(json.loads(line)) for line in _verdicts(listed).strip().split("\n")]
    assert len(changed) > 40
    gained = 0
    for each, was, now in zip(changed, verdicts[: len(changed)], verdicts[len(changed) :], strict=True):
        assert_loads_as_much(corpus / "before" / each.name, each)
        assert now["installs"] >= was["installs"], each
        counts = [(len(was[kind]), len(now[kind])) for kind in LOADED]
        assert all(less <= more for less, more in counts), (each, counts)
        gained += sum(more - less for less, more in counts)
    assert gained > 10


def _verdicts(listed: Path) -> str:
    """Through a file: Node writes to a pipe no more than it takes at once."""
    out = listed.with_suffix(".jsonl")
    with out.open("wb") as stream:
        subprocess.run(["node", str(ORACLE), str(GEMINI), str(listed)], stdout=stream, check=True, timeout=600)
    return out.read_text("utf-8")


def test_odd_extensions_load_as_before_and_are_fixed_once(tmp_path: Path) -> None:
    for before in generate(tmp_path / "before", ODD, 7):
        for words in ((), (UNSAFE,)):
            after = tmp_path / "after" / before.name
            shutil.rmtree(after, ignore_errors=True)
            shutil.copytree(before, after, symlinks=True)
            fix(after, *words)
            assert_loads_as_much(before, after)
            assert "\nfixed " not in fix(after, *words)
