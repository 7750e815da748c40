"""JSON with comments, in Gemini's reading and in VS Code's."""

from __future__ import annotations

import json as standard
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

from pisces.formats import jsonc
from pisces.formats.malformed import Malformed

PEERS = Path(os.environ.get("PISCES_PEERS", Path(__file__).parents[2] / ".peers"))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1} // why', {"a": 1}),
        ('/* why */ {"a": /* here */ 1}', {"a": 1}),
        ('{"a": "http://x/*y*/"}', {"a": "http://x/*y*/"}),
        ('{"a": "\\"//"} // "', {"a": '"//'}),
        ("[1, // one\r\n2]", [1, 2]),
        ("{} /* never closed", {}),
        ("[/*/ 1 /*/]", []),
    ],
)
def test_comments_are_skipped_and_strings_are_not_touched(text: str, value: object) -> None:
    assert jsonc.parse(text) == value
    assert jsonc.parse_lenient(text) == value


def test_gemini_does_not_take_a_trailing_comma_and_the_place_counts_the_comments() -> None:
    with pytest.raises(Malformed) as caught:
        jsonc.parse('{ /* one\n two */ "a": 1, // three\n}')
    assert (caught.value.message, caught.value.line, caught.value.column) == ("trailing comma before `}`", 2, 15)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("[1, 2, ]", [1, 2]),
        ('{"a": [1,], /* x */ "b": {"c": 2,}, // y\n}', {"a": [1], "b": {"c": 2}}),
        ('\ufeff{"a": ",]"}', {"a": ",]"}),
        ('\ufeff[",}", 1,]', [",}", 1]),
    ],
)
def test_lenient_reading_takes_trailing_commas_and_a_byte_order_mark(text: str, value: object) -> None:
    assert jsonc.parse_lenient(text) == value


@pytest.mark.parametrize("text", ["[,]", "{,}", "[1,,]", '{"a":,}', ",", "[", "", "[1 2]", "[ ,\n]", "\ufeff\ufeff{}"])
def test_lenient_reading_still_refuses_what_is_broken(text: str) -> None:
    with pytest.raises(Malformed):
        jsonc.parse_lenient(text)


def test_a_byte_order_mark_is_refused_by_the_strict_reading() -> None:
    with pytest.raises(Malformed, match="byte order mark"):
        jsonc.parse("\ufeff{} // x")


@given(st.text(alphabet=st.sampled_from('{}[],:"\\/*1 \na\ufeff\u00a0')))
def test_arbitrary_text_is_read_or_malformed(text: str) -> None:
    for read in (jsonc.parse, jsonc.parse_lenient):
        try:
            read(text)
        except Malformed:
            continue


def test_long_texts_take_linear_time() -> None:
    for text in (
        "/*" * 200_000,
        "[" + "," * 200_000,
        '"' + "\\" * 200_001,
        "[1," + " " * 200_000,
        "//" + "\n//" * 100_000,
    ):
        with pytest.raises(Malformed):
            jsonc.parse_lenient(text)


def installed_version(package: str) -> str:
    described = PEERS / "node_modules" / package / "package.json"
    return str(standard.loads(described.read_text("utf-8"))["version"]) if described.is_file() else ""


def texts_with_comments(count: int) -> list[str]:
    chance = random.Random(11)
    loose = ["".join(chance.choices(PIECES, k=chance.randrange(9))) for _ in range(count)]
    return loose + ['{}[{}1{},{}"//"{}]'.format(*chance.choices(GAPS, k=5)) for _ in range(count)]


PIECES = [
    "//", "/*", "*/", "/", "*", "\n", "\r\n", "\r", " ", '"', '\\"', "\\", "{}", "[]", "1", '"a"', '"//"', ",",
    "\u00a0", "\u2028", "é", "\x85", "\x1c", "\ufeff",
]  # fmt: skip
GAPS = ["", " ", "// x\n", "/* x */", "//\r\n", "/**/", "/*\n*/", "/* \u00a0 */", '// "\n', "/*", "//\r"]


@pytest.mark.skipif(
    shutil.which("node") is None or installed_version("strip-json-comments") != "3.1.1",
    reason=f"needs node, and `npm install --prefix {PEERS} strip-json-comments@3.1.1`, the one inside Gemini CLI",
)
def test_comments_are_read_as_gemini_reads_them() -> None:
    script = """
    const strip = require('strip-json-comments');
    const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));
    const read = (text) => { try { return { value: JSON.parse(strip(text)) }; } catch { return null; } };
    process.stdout.write(JSON.stringify(texts.map(read)));
    """
    texts = texts_with_comments(2000)
    environment = {**os.environ, "NODE_PATH": str(PEERS / "node_modules")}
    done = subprocess.run(
        ["node", "-e", script],
        input=standard.dumps(texts),
        capture_output=True,
        text=True,
        env=environment,
        check=True,
        timeout=60,
    )
    for text, theirs in zip(texts, standard.loads(done.stdout), strict=True):
        try:
            ours = {"value": jsonc.parse(text)}
        except Malformed:
            ours = None
        assert ours == theirs, text
