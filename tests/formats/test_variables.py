"""Gemini's two passes: path variables in every string, then environment variables; what is unknown stays as written."""

from __future__ import annotations

import os
from typing import Any

import pytest

from pisces.formats.variables import expanded, hydrated, names_in, path_context, strings_in

CONTEXT = path_context("/ext", "/work")


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("${extensionPath}/x", "/ext/x"),
        ("${workspacePath}", "/work"),
        ("a${/}b", f"a{os.sep}b"),
        ("a${pathSeparator}b", f"a{os.sep}b"),
        ("${unknown}", "${unknown}"),
        ("$extensionPath", "$extensionPath"),
        ("${extensionPath", "${extensionPath"),
        ("${extension\nPath}", "${extension\nPath}"),
        ("$${extensionPath}", "$/ext"),
    ],
)
def test_path_variables(text: str, filled: str) -> None:
    assert hydrated(text, CONTEXT) == filled


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("$A", "1"),
        ("${A}", "1"),
        ("${A:-x}", "1"),
        ("${B:-x}", "x"),
        ("${B:-}", ""),
        ("$EMPTY", ""),
        ("${EMPTY:-x}", ""),
        ("$B", "$B"),
        ("${B}", "${B}"),
        ("costs $5", "costs $5"),
        ("$A$A", "11"),
    ],
)
def test_environment_variables(text: str, filled: str) -> None:
    assert expanded(text, {"A": "1", "EMPTY": ""}) == filled


def test_values_are_filled_at_every_depth_and_keys_are_not() -> None:
    value: Any = {"${extensionPath}": ["${extensionPath}", {"a": "${/}"}, 5, None, True]}
    assert hydrated(value, CONTEXT) == {"${extensionPath}": ["/ext", {"a": os.sep}, 5, None, True]}


def test_prototype_keys_are_dropped() -> None:
    assert hydrated({"__proto__": "x", "constructor": "x", "prototype": "x", "name": "x"}, CONTEXT) == {"name": "x"}


def test_settings_can_be_named_in_the_first_pass() -> None:
    assert hydrated("${REGION}", path_context("/ext", "/work", {"REGION": "eu"})) == "eu"


def test_what_a_text_asks_for_without_a_default() -> None:
    assert list(names_in("${A} ${B:-x} $C ${D}")) == ["A", "D"]


def test_every_string_is_found_with_its_path() -> None:
    assert list(strings_in({"a": ["x", {"b": "y"}], "c": 5})) == [(("a", 0), "x"), (("a", 1, "b"), "y")]
