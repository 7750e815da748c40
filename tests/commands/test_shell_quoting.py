"""The user's words reach a command as they were typed, whatever they are."""

from __future__ import annotations

import shutil
import subprocess

import pytest
from hypothesis import example, given, settings, strategies as st

from pisces.commands.prompts.shell_quoting import cmd_quoted, posix_quoted, powershell_quoted, quoted
from tests.conformance.test_expansion_differential import ARGUMENTS, SPOILED

posix_only = pytest.mark.skipif(not shutil.which("sh"), reason="needs a POSIX shell")
needs_bash = pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")

WORDS = [
    *filter(None, [*ARGUMENTS, *SPOILED]),
    "~root",
    "a=~:~",
    "\x01\x02\x7f\x80\x85",
    "\r\n",
    "{1..3}",
    "\u2028\ufeff",
    "-n",
    "%s\\n",
]
# Every byte but NUL; half of a surrogate pair is no text.
texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1, max_size=40)
tricky = st.text(st.sampled_from("'\"\\$`!~{}()[]*?#&|;<>=^:,@% \t\nabC\r"), min_size=1, max_size=20)


@posix_only
@pytest.mark.parametrize("shell", ["sh", "bash"])
def test_a_shell_gives_back_every_word(shell: str) -> None:
    if not shutil.which(shell):
        pytest.skip(f"needs {shell}")
    assert _given_back(shell, WORDS) == WORDS


@posix_only
@settings(max_examples=60, deadline=None)
@given(st.lists(texts | tricky, min_size=1, max_size=30))
@example(["it's great!", "~", "C:~", "a\\'b"])
def test_sh_gives_back_whatever_it_is_given(words: list[str]) -> None:
    assert _given_back("sh", words) == words


@needs_bash
@settings(max_examples=60, deadline=None)
@given(st.lists(texts | tricky, min_size=1, max_size=30))
def test_bash_gives_back_whatever_it_is_given(words: list[str]) -> None:
    assert _given_back("bash", words) == words


@needs_bash
def test_a_word_stays_a_word_after_an_equals_sign_and_next_to_others() -> None:
    for word in WORDS:
        line = f'x={posix_quoted(word)}; printf %s "$x" a{posix_quoted(word)}b'
        told = subprocess.run(["bash", "-c", line], capture_output=True, check=True, stdin=subprocess.DEVNULL)
        assert told.stdout.decode() == f"{word}a{word}b"


def test_no_arguments_are_no_word() -> None:
    assert [quoted("", shell) for shell in ("bash", "powershell", "cmd")] == ["", "", ""]


def test_powershell_doubles_single_quotes() -> None:
    assert powershell_quoted("it's $env:X") == "'it''s $env:X'"
    assert powershell_quoted("plain-1.0_x") == "plain-1.0_x"


def test_cmd_doubles_double_quotes() -> None:
    assert cmd_quoted('say "hi"') == '"say ""hi"""'
    assert quoted("a&b", "cmd") == '"a&b"'


@pytest.mark.skipif(not shutil.which("pwsh"), reason="needs PowerShell")
def test_powershell_gives_back_every_word() -> None:
    for word in ["it's", 'say "hi"', "$(1+1) `n", "a;b|c"]:
        line = f"[Console]::Out.Write({powershell_quoted(word)})"
        told = subprocess.run(["pwsh", "-NoProfile", "-Command", line], capture_output=True, text=True, check=True)
        assert told.stdout == word


def _given_back(shell: str, words: list[str]) -> list[str]:
    """One shell for all words: each is printed with a NUL behind it, which no word can hold."""
    line = "printf '%s\\0' " + " ".join(map(posix_quoted, words))
    told = subprocess.run([shell, "-c", line], capture_output=True, check=True, stdin=subprocess.DEVNULL)
    return told.stdout.decode().split("\0")[:-1]
