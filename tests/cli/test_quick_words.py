"""Two readings of a command line: the quick one answers only what argparse would, or leaves it to argparse."""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pytest
from hypothesis import given, strategies as st

from pisces.by_name import export_of, names_in
from pisces.cli._parser import parser_of
from pisces.cli._quick_words import quick_words
from pisces.cli._shell_command import ShellCommand

AGENT = export_of("pisces.cli", "_agent", "COMMAND")
COMMANDS = [export_of("pisces.cli", name, "COMMAND") for name in names_in("pisces.cli")]
_OPTIONS = ["--all", "--harness", "--no-harness", "--disable", "--output-format", "--format", "--host", "--al", "-h"]
_OPTIONS += ["--provider", "--no-provider"]
_AGENTS = ["-p", "--resume", "--max-turns", "--max-cost", "-e", "--thinking", "--continue", "--image", "hi", "5", "2.5"]
_VALUES = [
    "list",
    "json",
    "text",
    "sarif",
    "gemini",
    "skills",
    "skill:review",
    "",
    "-",
    "--",
    "-1",
    "a b",
    "--all=x",
    ".",
]
_WORDS = st.lists(st.sampled_from(_OPTIONS + _VALUES), max_size=5)


@given(st.sampled_from(COMMANDS), _WORDS)
def test_an_answer_is_that_of_argparse(command: ShellCommand, words: list[str]) -> None:
    quick = quick_words(command, words)
    if quick is not None:
        assert vars(quick) == _by_argparse(command, words)


@given(st.lists(st.sampled_from([*_AGENTS, *_VALUES, "low", "--output-format", "-pe"]), max_size=6))
def test_an_answer_about_the_agent_is_that_of_argparse(words: list[str]) -> None:
    quick = quick_words(AGENT, words)
    if quick is not None:
        assert vars(quick) == _by_argparse(AGENT, words)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("_agent", ["-p", "explain this", "--model", "x/y", "--max-turns", "3"]),
        ("_agent", ["--max-cost", "0.5", "--resume", "-p", "go", "on"]),
        ("extensions_list", []),
        ("extensions_list", ["--all", "--output-format", "json"]),
        ("list", []),
        ("list", ["skills", "--harness", "gemini", "--harness", "claude"]),
        ("list", ["skills", "--harness", "gemini", "--provider", "claude"]),
        ("inspect", ["somewhere", "--output-format", "json"]),
        ("run", ["--package", "here", "--yes", "/gallery", "search", "--limit", "5"]),
        ("run", ["/gallery list --json"]),
        ("completion", ["words", "--", "check", "--out"]),
    ],
)
def test_plain_command_lines_are_answered(name: str, words: list[str]) -> None:
    command = export_of("pisces.cli", name, "COMMAND")
    quick = quick_words(command, words)
    assert quick is not None
    assert vars(quick) == _by_argparse(command, words)


@pytest.mark.parametrize(
    "words", [["--help"], ["--"], ["--al"], ["lst"], ["--output-format", "xml"], ["--output-format"]]
)
def test_help_and_mistakes_are_left_to_argparse(words: list[str]) -> None:
    assert quick_words(export_of("pisces.cli", "extensions_list", "COMMAND"), words) is None


def _by_argparse(command: ShellCommand, words: list[str]) -> dict[str, Any] | None:
    """None where it refuses, which it says on the way out."""
    said = io.StringIO()
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
        try:
            return vars(parser_of(command).parse_args(words))
        except SystemExit:
            return None
