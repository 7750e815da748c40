"""Every document that @iarna/toml 2.2.5 reads is read here with the same values, and no other document is."""

from __future__ import annotations

import json
import math
import os
import random
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pisces.formats.malformed import Malformed
from pisces.formats.toml import Moment, parse

PEERS = Path(os.environ.get("PISCES_PEERS", Path(__file__).parents[2] / ".peers"))
COUNT = int(os.environ.get("PISCES_FUZZ_COUNT", "2000"))

pytestmark = pytest.mark.skipif(
    shutil.which("node") is None or not (PEERS / "node_modules/@iarna/toml").is_dir(),
    reason=f"needs node, and `npm install --prefix {PEERS} @iarna/toml@2.2.5`",
)

# What docs/decisions/0003 lists as different: dates of the wrong length, and `inf`, `nan` or `1e+` in a list.
KNOWN = re.compile(r"[0-9]{4}-(?![0-9]{2}-[0-9]{2}(?![0-9]))|inf|nan|[eE][+-][,\]}]")

READ_ALL = """
const { parse } = require('@iarna/toml');
function plain(value) {
  if (typeof value === 'bigint' || typeof value === 'number') return { number: String(value) };
  if (typeof value === 'function') return { lost: true };
  if (value instanceof Date) return { moment: true };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object') return { table: Object.keys(value).map((key) => [key, plain(value[key])]) };
  return value;
}
const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const read = (text) => { try { return { value: plain(parse(text)) }; } catch { return null; } };
process.stdout.write(JSON.stringify(texts.map(read)));
"""

KEYS = [
    "a", "b", "c", "a.b", "a.c", "b.a", "a.b.c", "a . b", '"a"', "'b'", '""', '"a.b"', "a.''.b", "1", "1.2", "-", "_",
    "true", '"\\u0061"', '"x\ty"', "__proto__", "é", "'é'", "a-b", "", "a b", "prompt", "description",
]  # fmt: skip
STRINGS = [
    '"x"', '""', "''", "'x'", '"\\u00e9"', '"\\U0001F600"', '"\\uD800"', '"\\x41"', '"\\e"', '"\\\\"', '"\\""',
    '"\t"', '"\x01"', "'\x7f'", '"é😀"', '"\\b\\t\\n\\f\\r"', '"\\ "', '"x', "'x", "'\\n'", '"# no"', '"\\u12"',
    '"""x"""', '"""\nx\ny"""', '"""\r\nx\r\ny"""', '"""x\\\n  y"""', '"""x\\  \r\n  y"""', '"""x\\ y"""', '""""x"""',
    '"""x""""', '"""x"""""', '"""x\ry"""', '"""\rx"""', '"""\r\r\nx"""', '"""x\\"""y"""', '"""\\"""', '""""""',
    '"""x""y"""', '"""a = 1\n[b]\n"""', '"""x\x00"""', '"""x\\u00e9\\q"""', '"""x\\', '"""x', "'''x'''",
    "'''\nx\n\ny'''", "''''x'''", "'''x''''", "'''x\ry'''", "'''\r\nx'''", "''''''", "'''\\'''", "'''x\x0b'''",
    "'''x", '"\u2028"', '"\ufeff"', '"""x\\\n\r\n\t y"""', '"""\\\r x"""', '"""\\\\\n  x"""',
]  # fmt: skip
NUMBERS = [
    "0", "1", "-1", "+1", "+0", "-0", "01", "1_0", "1__0", "_1", "1_", "0x1F", "0xG", "+0x1", "0o17", "0o8", "0b1",
    "0b2", "1.5", "-1.5e3", "1.", ".5", "1e5", "1E+05", "1e0_1", "0e5", "-0e1", "+0e1", "0.0", "00.5", "inf", "-inf",
    "+nan", "nan", "1_2.3_4", "9007199254740993", "123456789012", "1e400", "0x_1", "1.e5", "1.5_", "12:", "1234-",
    "0_0", "0x1_F",
]  # fmt: skip
MOMENTS = [
    "1979-05-27", "1979-05-27T07:32:00Z", "1979-05-27 07:32:00", "1979-05-27T07:32:00.5-07:00", "07:32:00",
    "07:32:00.25", "07:32:00 ", "1979-13-01", "1979-02-30", "0000-01-01", "24:00:00", "25:00:00",
    "1979-05-27T24:00:00Z", "1979-05-27T", "1979-05-27 ", "1979-05-27t07:32:00z", "1979-05-27T07:32:00 ",
    "1979-05-27T07:32Z", "07:60:00", "1979-5-27",
]  # fmt: skip
WORDS = ["true", "false", "True", "tru", "null", "yes", "x", "", "truex", "="]
LINE_ENDS = (
    ["\n"] * 12
    + ["\r\n"] * 4
    + [" # c\n", "#c\r\n", "", " ", "\r", "\n\n", "\n\r", "\t\n", " \r\r\n", "# \x01\n", "#é\n"]
)
NASTY = [
    '"', "'", "\\", "=", ".", ",", "[", "]", "{", "}", "#", "-", "_", "+", ":", "0", "1", "2", "3", "4", "5", "6",
    "7", "8", "9", "a", "b", "e", "E", "T", "t", "u", "U", "x", "Z", " ", "\t", "\n", "\r", '"""', "'''", "\r\n",
    "\ufeff", "\x00", "\x7f", "\xa0", "é", "😀", "]]", "[[",
]  # fmt: skip


def some_value(chance: random.Random, depth: int = 0) -> str:
    kind = chance.random()
    if depth < 3 and kind < 0.12:
        separator = chance.choice([",", ", ", " ,", ",\n", "\n,", ", # c\n", ",\r\n", ",\r"])
        pool = chance.choice([STRINGS, NUMBERS, MOMENTS, None, None])
        items = [chance.choice(pool) if pool else some_value(chance, depth + 1) for _ in range(chance.randrange(4))]
        ending = chance.choice(["", "", "", ",", " ", "\n", ",\n", " #c\n", ",,"])
        return "[" + chance.choice(["", "", " ", "\n", "\r"]) + separator.join(items) + ending + "]"
    if depth < 3 and kind < 0.24:
        pairs = [
            f"{chance.choice(KEYS)}{chance.choice(['=', ' = '])}{some_value(chance, depth + 1)}"
            for _ in range(chance.randrange(4))
        ]
        return (
            "{"
            + chance.choice(["", " "])
            + chance.choice([",", ", ", " , "]).join(pairs)
            + chance.choice(["", "", "", " ", ",", "\n"])
            + "}"
        )
    pool = STRINGS if kind < 0.6 else NUMBERS if kind < 0.85 else MOMENTS if kind < 0.93 else WORDS
    return chance.choice(pool)


def some_line(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.15:
        return f"[{chance.choice(['', '', ' '])}{chance.choice(KEYS)}{chance.choice(['', '', ' '])}]"
    if kind < 0.25:
        return f"[[{chance.choice(KEYS)}]]"
    if kind < 0.3:
        return chance.choice(["", "# c", "\t", "[a", "[[a]", "[]", "a", "a=", "a 1", "\r"])
    return f"{chance.choice(KEYS)}{chance.choice(['=', ' = ', chr(9) + '=', ' ='])}{some_value(chance)}"


def mutated(text: str, chance: random.Random) -> str:
    for _ in range(chance.randrange(1, 4)):
        at = chance.randrange(len(text) + 1)
        text = text[:at] + chance.choice([chance.choice(NASTY), ""]) + text[at + chance.randrange(3) :]
    return text


def documents(count: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    made = []
    for _ in range(count):
        text = "".join(some_line(chance) + chance.choice(LINE_ENDS) for _ in range(chance.choice([1, 1, 1, 2, 3, 5])))
        made.append(mutated(text, chance) if chance.random() < 0.4 else text)
    return made


def read_by_iarna(texts: list[str]) -> list[dict[str, object] | None]:
    environment = {**os.environ, "NODE_PATH": str(PEERS / "node_modules")}
    done = subprocess.run(
        ["node", "-e", READ_ALL],
        input=json.dumps(texts),
        capture_output=True,
        text=True,
        env=environment,
        check=True,
        timeout=60,
    )
    answers: list[dict[str, object] | None] = json.loads(done.stdout)
    return answers


def same(ours: object, theirs: object) -> bool:
    if isinstance(theirs, dict) and "lost" in theirs:  # iarna loses a table called `toString` and the like
        return isinstance(ours, dict)
    if isinstance(theirs, dict) and "number" in theirs:
        number = float(theirs["number"])
        return (
            not isinstance(ours, bool)
            and isinstance(ours, int | float)
            and (ours == number or math.isclose(ours, number) or math.isnan(number))
        )
    if isinstance(theirs, dict) and "moment" in theirs:
        return isinstance(ours, Moment)
    if isinstance(theirs, dict):
        pairs = dict(theirs["table"])
        return (
            isinstance(ours, dict) and ours.keys() == pairs.keys() and all(same(ours[key], pairs[key]) for key in pairs)
        )
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    return type(ours) is type(theirs) and ours == theirs


def disagreements(texts: list[str]) -> list[str]:
    found = []
    for text, theirs in zip(texts, read_by_iarna(texts), strict=True):
        try:
            ours: object = parse(text)
        except Malformed as error:
            if theirs is not None:
                found.append(f"{text!r}: refused here ({error}), read there as {theirs['value']}")
        else:
            if theirs is None:
                found.append(f"{text!r}: read here as {ours}, refused there")
            elif not same(ours, theirs["value"]):
                found.append(f"{text!r}: read here as {ours}, there as {theirs['value']}")
    return [report for report in found if not KNOWN.search(report.split(": re")[0])]


@pytest.mark.parametrize("seed", range(2))
def test_generated_documents_are_read_as_iarna_reads_them(seed: int) -> None:
    assert disagreements(documents(COUNT, seed)) == []
