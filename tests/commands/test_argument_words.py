"""Words are cut as a shell cuts them, whatever was typed."""

from __future__ import annotations

import random
import shlex
import shutil
import subprocess

import pytest

from pisces.commands.names.argument_words import plain_words, split_words


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", []),
        (" \t\n ", []),
        ("fix the bug", ["fix", "the", "bug"]),
        ('fix "the bug" now', ["fix", "the bug", "now"]),
        ("fix 'the  bug'", ["fix", "the  bug"]),
        (r"a\ b c", ["a b", "c"]),
        (r'"a\"b" "\\" "\n" "\$HOME"', ['a"b', "\\", "\\n", "$HOME"]),
        (r"'a\b'", [r"a\b"]),
        ("""pre"mid dle"'post'""", ["premid dlepost"]),
        ("""'' "" x""", ["", "", "x"]),
        ("$HOME `id` $(id) *.py a;b # c", ["$HOME", "`id`", "$(id)", "*.py", "a;b", "#", "c"]),
        ("--flag=value -x", ["--flag=value", "-x"]),
        ("gr\u00fc\u00dfe \U0001f41f", ["gr\u00fc\u00dfe", "\U0001f41f"]),
    ],
)
def test_a_line_is_cut_as_a_shell_would_cut_it(typed: str, words: list[str]) -> None:
    assert split_words(typed) == words


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("it's fine", ["it's", "fine"]),
        ('say "hello', ["say", '"hello']),
        ("a 'b c\" d", ["a", "'b", 'c"', "d"]),
        ("ends with \\", ["ends", "with", "\\"]),
        ("'", ["'"]),
        ('"\\', ['"\\']),
    ],
)
def test_a_quote_that_is_never_closed_is_an_ordinary_character(typed: str, words: list[str]) -> None:
    assert split_words(typed) == words


def test_words_agree_with_the_standard_library_wherever_it_has_an_answer() -> None:
    pick = random.Random(4)
    agreed = 0
    for _ in range(4000):
        typed = "".join(pick.choice("ab \t\n'\"\\-=") for _ in range(pick.randrange(14)))
        try:
            expected = shlex.split(typed)
        except ValueError:  # no closing quote, or nothing after a backslash
            split_words(typed)
            continue
        if "\\\n" not in typed:  # the library keeps the line break that a shell removes
            assert split_words(typed) == expected, typed
            agreed += 1
    assert agreed > 1500


@pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")
def test_words_agree_with_bash() -> None:
    typed = r""""a b" 'c d' e\ f "g\"h" "i\\j" 'k\l' "m\n" '' "" n"o p"'q r' -- -x --y=z "a\
b" c\
d"""
    script = f"printf '%s\\0' {typed}"
    printed = subprocess.run(["bash", "-c", script], capture_output=True, check=True).stdout.decode()
    assert split_words(typed) == printed.split("\0")[:-1]


def test_cutting_very_many_quotes_takes_no_time_to_speak_of() -> None:
    for typed in ("'" * 60_001, '"' * 60_001, '"\\' * 30_000, "a'" * 30_001, '"' + '\\"' * 30_000):
        assert len(split_words(typed)) >= 1
        assert isinstance(plain_words(typed), list)


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ('a "b c" d', ["a", "b c", "d"]),
        ("it's all one", ["its all one"]),
        ("a\nb c", ["a\nb", "c"]),
        (r"a\ b", ["a\\", "b"]),
        ("'' x", ["x"]),
    ],
)
def test_pi_and_omp_only_know_quotes_blanks_and_tabs(typed: str, words: list[str]) -> None:
    assert plain_words(typed) == words
