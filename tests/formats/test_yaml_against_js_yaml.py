"""Our YAML reader and js-yaml's `load()` give the same answer, or both refuse.

Needs node and js-yaml 4.1, the one inside Gemini CLI, in `node_modules` of the directory named by PISCES_PEERS (default
`.peers`): `npm install --prefix .peers js-yaml@4.1.1`. What is left out on purpose is listed in docs/decisions/0002.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
from pathlib import Path

import pytest

from pisces.formats.malformed import Malformed
from pisces.formats.yaml import Timestamp, parse, parse_in_full

_ROOT = Path(__file__).parents[2]
_PEERS = Path(os.environ.get("PISCES_PEERS", _ROOT / ".peers"))
_JS_YAML = _PEERS / "node_modules" / "js-yaml"

_LOAD_ALL = """
const yaml = require(process.argv[1]);
function shown(value, above) {
  if (value === null || value === undefined) return ['null'];
  if (typeof value === 'number') return ['number', Number.isFinite(value) ? value : String(value)];
  if (typeof value !== 'object') return [typeof value, value];
  if (value instanceof Date) return ['date'];
  if (value instanceof Uint8Array) return ['bytes', Buffer.from(value).toString('hex')];
  if (above.includes(value)) return ['cycle'];
  const inside = [...above, value];
  if (Array.isArray(value)) return ['list', value.map(item => shown(item, inside))];
  return ['map', Object.keys(value).sort().map(key => [key, shown(value[key], inside)])];
}
const texts = JSON.parse(require('fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(texts.map(text => {
  try { return shown(yaml.load(text), []); } catch (problem) { return ['refused']; }
})));
"""

_ATOMS = (
    "a|b c|1|-1|0x1F|1.5|1e3|.5|.inf|~|null|true|2001-01-01|'q'|'q''r'|\"d\"|\"\\n\\x41\\u00e9\"|[a, b]|{a: b}|[]|{}"
    '|*x|&x a|!!str 1|!!int 2|<<|a:b|a#b|a #b|- a|? a|: a|\'a\n b\'|"a\n  b"|"a\\\n  b"|a\n  b|[a,\n b]'
    "|{a: b,\n c: d}|@x|`x|%x|x: y|key:|-|?|:|\t||#c| # c|!foo|...|---|\u00e9|\u2028|\U0001f600"
    "|[a: b]|{a}|[a,]|{? a : b}|'|\"|[|]|{|}|,|\\"
).split("|")
_BLOCK_HEADERS = ("|", "|-", "|+", ">", ">-", ">+", "|2", ">1-", "| # c", "|- x")
_KEYS = (
    "a",
    "b",
    "c",
    "name",
    "'k'",
    '"k"',
    "1",
    "true",
    "null",
    "<<",
    "[a]",
    "{a: b}",
    "*x",
    "&x k",
    "a b",
    "1.0",
    "1e21",
)
_FIELDS = (
    "name",
    "description",
    "tools",
    "model",
    "max turns",
    "a-b",
    "'k'",
    "1_0",
    "&k k",
    "<<",
    "? q",
    "d\u00e9",
    "name",
)
_PROSE = (
    "use this when it's|asked|key: value|key:value|https://x.y/z#a|a # b|C#|50%|1_000|0x_f|1.5|12:30|true|~|2001-01-01"
    "|\"so\"|'no'|[a, b]|{a: b}|*.md|- x|\u2014|\U0001f680|\\n|\\|...|---|:|,|!!str|&a|*a|(x)|@me|`x`|<y>|$Z|a\tb"
).split("|")
_COLONS = (":", ": ", ":  ", " : ", ":\t", ": &x ")
_LINE_ENDS = ("\n", "\n", "\n", " # c\n", "\n\n", "  \n", "\r\n")
_NOISE = (
    *" \n\t:-?#&*|>'\"[]{},%@`\\",
    "\n  ",
    "\n- ",
    ": ",
    "\r\n",
    "\r",
    "key: ",
    "<<: ",
    "\x01",
    "\x7f",
    "\ufeff",
    "''",
)


class Texts:
    """Makes up texts that are nearly YAML."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def one(self) -> str:
        shape = self.random.random()
        text = self.block(0, 3) if shape < 0.6 else self.random.choice(("", "a: ", "- ")) + self.flow(3)
        return self.disturbed(text) if self.random.random() < 0.4 else text

    def block(self, indent: int, depth: int) -> str:
        pick = self.random.choice
        is_list = self.random.random() < 0.4
        out = []
        for _ in range(self.random.randint(1, 3)):
            head = " " * indent + (pick(("- ", "-", "-  ", "-\t", "- - ")) if is_list else pick(_KEYS) + pick(_COLONS))
            kind = self.random.random()
            if depth and kind < 0.4:
                out.append(head + "\n" + self.block(indent + pick((0, 1, 2, 2, 2, 4)), depth - 1))
            elif kind < 0.55:
                out.append(head.rstrip("\n") + " " + pick(_BLOCK_HEADERS) + "\n" + self.lines(indent))
            else:
                out.append(head + pick(_ATOMS) + pick(_LINE_ENDS))
        return "".join(out)

    def lines(self, indent: int) -> str:
        pick = self.random.choice
        words = ("t", "t: u", "- t", "", "  t", "\tt", "# t", "a b")
        return "".join(
            " " * (indent + pick((0, 1, 2, 2, 2, 3))) + pick(words) + "\n" for _ in range(self.random.randint(0, 5))
        )

    def flow(self, depth: int) -> str:
        pick = self.random.choice
        if depth == 0 or self.random.random() < 0.4:
            return pick(_ATOMS)
        blanks = ("", "", " ", "\n", " # c\n", "\n  ", "\t")
        items = [self.flow(depth - 1) + pick(blanks) for _ in range(self.random.randint(0, 3))]
        if self.random.random() < 0.5:
            return "[" + pick(blanks) + ("," + pick(blanks)).join(items) + "]"
        return "{" + ", ".join(pick(_KEYS) + pick((": ", ":", " : ", "\n: ")) + item for item in items) + "}"

    def disturbed(self, text: str) -> str:
        for _ in range(self.random.randint(1, 3)):
            at = self.random.randint(0, len(text))
            cut = self.random.choice((0, 0, 1, 4))
            text = text[:at] + self.random.choice(_NOISE) + text[at + cut :]
        return text


class Headers:
    """Makes up headers with the mistakes that authors make."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def one(self) -> str:
        pick = self.random.choice
        indent = pick((0, 0, 0, 0, 1, 2))
        text = "\n".join(self.entry(indent, 2) for _ in range(self.random.randint(1, 4)))
        return pick(("", "", "", "", "---\n", "--- >-\n", "# c\n")) + pick(("\n", "\n", "\r\n")).join(text.split("\n"))

    def entry(self, indent: int, depth: int) -> str:
        pick = self.random.choice
        lead = " " * max(0, indent + pick((0,) * 20 + (1, -1))) + pick(("",) * 30 + ("\t",))
        head = pick(_FIELDS) + pick((": ",) * 9 + (":", " : ", ":\t", "="))
        return lead + head + self.value(indent, depth) + pick(("",) * 6 + (" ", "\t", " # c", "\n", "\n# c"))

    def value(self, indent: int, depth: int) -> str:
        kind = self.random.random()
        if kind < 0.45:
            return self.prose(0, 4)
        if kind < 0.6:
            return self.quoted(indent)
        if kind < 0.75:
            return self.random.choice(_BLOCK_HEADERS) + "\n" + self.lines(indent)
        if kind < 0.85 or not depth:
            return self.prose(1, 2) + "\n" + self.lines(indent)
        deeper = indent + self.random.choice((0, 2, 2, 2, 4))
        if kind < 0.93:
            items = (" " * deeper + self.random.choice(("- ", "- ", "-", "* ")) + self.prose(1, 2) for _ in range(2))
            return "\n" + "\n".join(items)
        return "\n" + "\n".join(self.entry(deeper, depth - 1) for _ in range(2))

    def prose(self, least: int, most: int) -> str:
        words = [self.random.choice(_PROSE) for _ in range(self.random.randint(least, most))]
        return self.random.choice(("",) * 8 + tuple("@`%!*&{[|>-?:#\"'~")) + " ".join(words)

    def quoted(self, indent: int) -> str:
        quote = self.random.choice("\"'")
        lines = self.lines(indent).rstrip("\n") if self.random.random() < 0.5 else self.prose(0, 3)
        return quote + lines.replace(quote, "" if self.random.random() < 0.9 else quote) + quote

    def lines(self, indent: int) -> str:
        pick = self.random.choice
        leads = (" " * max(0, indent + pick((2, 2, 2, 2, 4, 1, 0, -1))) for _ in range(self.random.randint(1, 3)))
        return "\n".join(lead + self.prose(0, 2) + pick(("", "", "", "  ", "\t", "\n")) for lead in leads)


def _shown(value: object, above: tuple[int, ...] = ()) -> list[object]:
    """A value in the words of the script above, so that both sides can be compared."""
    if isinstance(value, list | dict):
        if id(value) in above:
            return ["cycle"]
        inside = (*above, id(value))
        if isinstance(value, list):
            return ["list", [_shown(item, inside) for item in value]]
        keys = sorted(value, key=lambda key: key.encode("utf-16-be", "surrogatepass"))
        return ["map", [[key, _shown(value[key], inside)] for key in keys]]
    if isinstance(value, float) and value - value != 0:
        return ["number", {"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}[str(value)]]
    if isinstance(value, bytes):
        return ["bytes", value.hex()]
    if value is None or isinstance(value, Timestamp):
        return ["null"] if value is None else ["date"]
    return [{bool: "boolean", int: "number", float: "number", str: "string"}[type(value)], value]


def _ours(text: str) -> list[object]:
    try:
        return _shown(parse_in_full(text) if "*" in text else parse(text))  # aliases are bounded in `parse`
    except Malformed:
        return ["refused"]


def _is_left_out(text: str) -> bool:
    """A date that may be a key, whose text depends on the time zone."""
    lines = text.replace("\r", "\n").split("\n")
    return any("2001" in line and (":" in line.split("2001")[-1] or "?" in text) for line in lines)


def _js_yaml() -> Path:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    if not (_JS_YAML / "package.json").is_file():
        pytest.skip(f"js-yaml is not in {_JS_YAML}: `npm install --prefix {_PEERS} js-yaml@4.1.1`")
    version = json.loads((_JS_YAML / "package.json").read_text(encoding="utf-8"))["version"]
    if version.split(".")[:2] != ["4", "1"]:
        pytest.skip(f"js-yaml {version} is not the 4.1 of Gemini CLI: `npm install --prefix {_PEERS} js-yaml@4.1.1`")
    return _JS_YAML


@pytest.mark.parametrize("texts", [Texts(seed=20260101), Headers(seed=20260102)], ids=["texts", "headers"])
def test_generated_texts_are_read_as_js_yaml_reads_them(texts: Texts | Headers) -> None:
    js_yaml = _js_yaml()
    cases = [text for text in (texts.one() for _ in range(4_000)) if not _is_left_out(text)]
    done = subprocess.run(
        ["node", "-e", _LOAD_ALL, str(js_yaml)], input=json.dumps(cases), capture_output=True, text=True, check=True
    )
    theirs = json.loads(done.stdout)
    answers = zip(cases, map(_ours, cases), theirs, strict=True)
    different = [(text, ours, answer) for text, ours, answer in answers if ours != answer]
    assert len(cases) > 2_500
    assert different == []
