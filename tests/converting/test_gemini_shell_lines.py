"""A command line of a prompt does in Gemini CLI what it did, and what the user types never becomes a part of it."""

from __future__ import annotations

import os
import shlex
import subprocess
from typing import Any

import pytest

from pisces.converting.prompt_text import PromptArgument, PromptArguments
from pisces.formats.injections import injections
from pisces.harnesses.gemini.writing.shell_lines import ARGS, shell_injection

ALL = PromptArguments("$ARGUMENTS")
FIRST, SECOND = PromptArgument(0, "$1"), PromptArgument(1, "$2")
needs_bash = pytest.mark.skipif(os.name == "nt", reason="bash runs them")


def run(parts: list[Any], typed: str) -> str:
    """As Gemini CLI does: the arguments as one quoted word, nothing where there are none."""
    injected = shell_injection(parts)
    assert injections(injected, "!{") == [(0, len(injected))], injected
    line = injected[2:-1].replace(ARGS, shlex.quote(typed) if typed else "")
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=20, check=False)
    return done.stdout


def test_a_line_without_arguments_stays_as_it_is() -> None:
    assert shell_injection(["git log | awk '{print $1}'"]) == "!{git log | awk '{print $1}'}"


@needs_bash
@pytest.mark.parametrize(
    ("parts", "typed", "expected"),
    [
        (["printf '<%s>' ", ALL], "a 'b c'", "<a><b c>"),
        (["printf '<%s>' ", ALL], "", "<>"),
        (["printf '<%s>' ", ALL], "$(echo x) ; echo no", "<$(echo><x)><;><echo><no>"),
        (['printf "<%s>" "', ALL, '"'], "it's $HOME `x`", "<it's $HOME `x`>"),
        (['printf "<%s>" "', ALL, '"'], "", "<>"),
        (["printf '<%s>' 'say ", ALL, " twice'"], "a  b", "<say a  b twice>"),
        (["printf '<%s>' ", SECOND, " ", FIRST], "one 'two three'", "<two three><one>"),
        (["printf '<%s>' '", FIRST, "' x"], "one two", "<one><x>"),
        (["printf '%s' \"}\"; printf '<%s>' ", ALL], "a b", "}<a><b>"),
        (["printf '%s' '{'"], "", "{"),
        (["printf '%s\\n' 'a@{b}' 100%"], "", "a@{b}\n100%\n"),
        (["printf '%s' 'x{' \"", ALL, '"'], "it's", "x{it's"),
    ],
)
def test_arguments_arrive_as_words_or_as_one_text(parts: list[Any], typed: str, expected: str) -> None:
    assert run(parts, typed) == expected
