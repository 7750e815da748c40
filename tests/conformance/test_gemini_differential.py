"""Odd extensions, made up from a seed, mean the same to an installed Gemini CLI and to `inspect`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pisces.formats.js_regex import regex_flaw
from pisces.formats.js_url import is_url
from tests.conformance.comparison import differences, ours, theirs
from tests.conformance.generate import generate
from tests.conformance.odd import WORDS

COUNT = int(os.environ.get("PISCES_ODD_EXTENSIONS") or 240)
SEED = int(os.environ.get("PISCES_ODD_SEED") or 1)
ORACLE = Path(__file__).with_name("oracle.mjs")
PEERS = Path(os.environ.get("PISCES_PEERS") or Path(__file__).resolve().parents[2] / ".peers")
GEMINI = PEERS / "node_modules" / "@google" / "gemini-cli"
needs_node = pytest.mark.skipif(not shutil.which("node"), reason="needs node")
needs_gemini = pytest.mark.skipif(
    not (GEMINI / "bundle").is_dir(),
    reason="needs the real Gemini CLI: npm install --prefix .peers @google/gemini-cli@0.61.0, or PISCES_PEERS",
)


@needs_node
@needs_gemini
def test_odd_extensions_mean_the_same(tmp_path: Path) -> None:
    folders = generate(tmp_path / "extensions", COUNT, SEED)
    listed = tmp_path / "folders.txt"
    listed.write_text("\n".join(map(str, folders)), encoding="utf-8")
    verdicts = [json.loads(line) for line in asked(str(GEMINI), str(listed)).strip().split("\n")]
    assert [verdict["folder"] for verdict in verdicts] == [str(folder) for folder in folders]
    found = {verdict["folder"]: differences(ours(Path(verdict["folder"])), _told(verdict)) for verdict in verdicts}
    told = [f"{folder}: {difference}" for folder, difference in found.items() if difference]
    assert not told, "\n".join(told)


@needs_node
def test_patterns_compile_where_javascript_compiles_them(tmp_path: Path) -> None:
    patterns = WORDS["patterns"] + drawn(WORDS["patterns"] + WORDS["pattern_parts"] * 4, 10_000)
    compiles = judged("--patterns", patterns, tmp_path)
    assert not [pattern for pattern, fine in zip(patterns, compiles, strict=True) if fine == bool(regex_flaw(pattern))]


@needs_node
def test_addresses_are_those_that_javascript_takes(tmp_path: Path) -> None:
    addresses = WORDS["addresses"] + drawn(WORDS["address_parts"], 10_000)
    fits = judged("--addresses", addresses, tmp_path)
    assert not [address for address, fine in zip(addresses, fits, strict=True) if fine != is_url(address)]


def asked(*arguments: str) -> str:
    command = ["node", str(ORACLE), *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=True, timeout=600).stdout


def judged(question: str, texts: list[str], tmp_path: Path) -> list[bool]:
    listed = tmp_path / "texts.jsonl"
    listed.write_text("\n".join(map(json.dumps, texts)), encoding="utf-8")
    verdicts: list[bool] = json.loads(asked("-", question, str(listed)))
    return verdicts


def drawn(pieces: list[str], count: int) -> list[str]:
    random = Random(SEED)
    return ["".join(random.choices(pieces, k=random.randint(1, 8))) for _ in range(count)]


def _told(verdict: dict[str, Any]) -> dict[str, Any]:
    """Servers in a list or a text are numbered by Gemini and refused by us: docs/conformance.md."""
    told = theirs(verdict)
    servers = (
        json.loads(Path(verdict["folder"], "gemini-extension.json").read_text(encoding="utf-8"))
        if told["mcp_servers"]
        else {}
    )
    return told if isinstance(servers.get("mcpServers", {}), dict) else {**told, "mcp_servers": {}}
