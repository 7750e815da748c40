"""Somebody's pattern is matched as JavaScript would match it, or not at all, and never for long."""

from __future__ import annotations

import json
import shutil
import subprocess
from random import Random

import pytest
from tests.growth import LINEAR, growth

from pisces.formats.js_regex import regex_flaw
from pisces.formats.js_regex_match import JsPattern, is_dangerous, js_pattern

PIECES = [
    *"a b - . ^ $ | | ( ( ) ) (?: (?= (?! (?<= (?<! (?<n> * + ? {2} {0,2} {1,} *? [ab] [^a] [] [^] [a-c] ] } {".split(),
    *r"[\w-] [\d-z] [\b] [\c1] [^\S] \b \B \d \w \W \s \S \c1 \cA \c \0 \1 \x61 \x \u0061 \u \k<n> \k \8 \101".split(),
    *(" ", "\n", "\u2028", "😀", "\x01"),
]
CHARACTERS = [*"abcA-_ 18k<n>xu]{2}\\", "\n", "\u2028", "😀", "\x00", "\x01", "\x11"]

ASK = """
const cases = JSON.parse(require("fs").readFileSync(0));
process.stdout.write(JSON.stringify(cases.map(([pattern, text]) => RegExp(pattern).test(text))));
"""


def compiled(pattern: str) -> JsPattern:
    made = js_pattern(pattern)
    assert made is not None
    return made


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("write_file|replace", "replace", True),
        ("^(?!run_).*$", "run_shell_command", False),
        ("^(?!run_).*$", "write_file", True),
        (r"(?<=mcp_)\w+$", "mcp_github", True),
        ("^.{2}$", "😀", True),
        ("^(a|b){2,3}$", "abab", False),
        ("", "", True),
        ("[]", "a", False),
        (r"\bfile\b", "write_file", False),
    ],
)
def test_a_text_matches_as_in_javascript(pattern: str, text: str, expected: bool) -> None:
    assert compiled(pattern).search(text) is expected


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
def test_random_patterns_match_what_javascript_matches() -> None:
    random = Random(7)
    drawn = ("".join(random.choices(PIECES, k=random.randint(1, 9))) for _ in range(20_000))
    cases = [
        (pattern, "".join(random.choices(CHARACTERS, k=random.randint(0, 7))))
        for pattern in drawn
        if not regex_flaw(pattern)
    ]
    done = subprocess.run(["node", "-e", ASK], input=json.dumps(cases), capture_output=True, text=True, check=True)
    made = [(*case, js_pattern(case[0]), answer) for case, answer in zip(cases, json.loads(done.stdout), strict=True)]
    decided = [each for each in made if each[2] is not None]
    assert [(pattern, text) for pattern, text, own, answer in decided if own and own.search(text) != answer] == []
    assert len(decided) > 0.99 * len(made) > 1000


@pytest.mark.parametrize(
    "pattern",
    [r"(a)\1", r"(?<n>a)\k<n>", "a{2147483647}", "((((?:){9999}){9999}){9999}){9999}", "(" * 500 + "b)+" * 500],
)
def test_what_no_linear_matcher_decides_is_not_decided(pattern: str) -> None:
    assert regex_flaw(pattern) == ""
    assert js_pattern(pattern) is None


def test_a_pattern_that_javascript_refuses_is_not_matched() -> None:
    assert js_pattern("(") is None


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "^(a|a)*$", "(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$", "(a*)*b", "(?=(a+)+b)"]
)
def test_patterns_that_explode_when_backtracked_are_linear_in_the_text(pattern: str) -> None:
    made = compiled(pattern)
    assert not made.search("a" * 30 + "!")
    assert growth(lambda size: made.search("a" * size + "!"), 20_000) < LINEAR


@pytest.mark.parametrize(
    "repeated", ["(", "[", "a*", r"\\", "(a|", r"\k<a>", "(?<a>", "(?=", "{", "[a-z]", "a{2}", "()", r"(\1)"]
)
def test_reading_a_pattern_is_linear_in_its_length(repeated: str) -> None:
    def read(size: int) -> None:
        pattern = repeated * size
        regex_flaw(pattern)
        js_pattern(pattern)
        is_dangerous(pattern)

    assert growth(read, 5_000) < LINEAR


def test_groups_nested_deeply_are_read_without_a_deep_stack() -> None:
    assert compiled("(" * 50_000 + "a" + ")" * 50_000).search("bab")


def test_geminis_guard_takes_no_long_time_itself() -> None:
    assert is_dangerous("(" * 600 + "*" * 600 + ")" * 600 + "+")
    assert not is_dangerous("(" * 600 + "*" * 600 + ")" * 600)
