"""A tool's name in one harness is understood in another by what the tool does."""

from __future__ import annotations

import pytest

from pisces.by_name import export_of, files_called
from pisces.discovery import tool_names
from pisces.discovery.tool_names import HARNESSES, names_elsewhere

MEANINGS = {value for name, value in vars(tool_names).items() if name.isupper() and name != "HARNESSES"}


@pytest.mark.parametrize("folder", files_called(HARNESSES, "tools"))
def test_a_harness_says_of_each_tool_what_it_does(folder: str) -> None:
    tools = export_of(folder, "tools", "TOOLS")
    assert set(tools.values()) <= MEANINGS | {""}, "a word that no other harness could share"


@pytest.mark.parametrize(
    ("harness", "name", "own"),
    [
        ("gemini", "Bash", "run_shell_command"),
        ("gemini", "MultiEdit", "replace"),
        ("claude", "run_shell_command", "Bash"),
        ("claude", "replace", "Edit"),
        ("claude", "invoke_agent", "Task"),
    ],
)
def test_the_usual_name_is_given_for_what_others_call_the_tool(harness: str, name: str, own: str) -> None:
    assert names_elsewhere(harness)[name] == own


@pytest.mark.parametrize(("harness", "name"), [("gemini", "glob"), ("claude", "Bash"), ("claude", "read_many_files")])
def test_own_names_and_tools_without_a_counterpart_need_no_other_name(harness: str, name: str) -> None:
    assert name not in names_elsewhere(harness)
