"""The vectors of the agent hooks contract that fit a host. docs/conformance.md lists the others with reasons.

The contract is about interceptors inside the process. Hashes of contexts (`identities_equal`) and the format of its
records (`records`) are its own, so they are not compared; what ran, what did not, and what everybody saw is.
"""

from __future__ import annotations

import asyncio
import copy
import importlib
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conformance.agent_hooks_harness import HostHarness

PAGE = Path(__file__).resolve().parents[2] / "docs" / "conformance.md"
FITTING = (
    "001 002 003 010 011 012 020 021 030 031 032 040 050 060 070 071 073 074 "
    "080 081 082 083 085 089 094 097 098 100 102 103 104 105"
).split()
THEIRS = ("records", "identities_equal")


def vectors() -> dict[str, Any]:
    """By the last three digits of the id."""
    pytest.importorskip(
        "agent_hooks", reason="agent-hooks-sdk is not installed: scripts/test does that where it can be"
    )
    loaded = importlib.import_module("agent_hooks.ctk.runner").load_vectors()
    return {vector["id"].rpartition("-")[2]: vector for vector in loaded}


@pytest.mark.parametrize("number", FITTING)
def test_a_host_keeps_the_contract(number: str) -> None:
    vector = copy.deepcopy(vectors()[number])
    for name in THEIRS:
        vector["expect"].pop(name, None)
    run = importlib.import_module("agent_hooks.ctk.runner").run_vector
    result = asyncio.run(run(HostHarness(), vector))
    assert (result.status, result.detail) == ("pass", ""), "\n".join(result.failures)


def test_every_vector_is_run_or_listed_with_its_reason() -> None:
    text = PAGE.read_text("utf-8").partition("## Agent hooks contract")[2].partition("\n## ")[0]
    listed = set()
    for first, last in re.findall(r"\b(\d{3})(?: to (\d{3}))?\b", text.partition("| vector")[2]):
        listed |= {f"{number:03}" for number in range(int(first), int(last or first) + 1)}
    assert listed & set(FITTING) == set()
    assert listed | set(FITTING) == set(vectors())
