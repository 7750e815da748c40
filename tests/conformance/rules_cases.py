"""Rules files of Codex and commands, made up from a seed, for comparing with `codex execpolicy check`."""

from __future__ import annotations

import json
from random import Random

WORDS = ["git", "push", "status", "rm", "-rf", "ls", "npm", "--force", "/usr/bin/git", "a b", "bash", "-lc"]
DECISIONS = ['"allow"', '"prompt"', '"forbidden"'] * 3 + ['"deny"', '"Allow"', "None", "5"]
_UNUSABLE: list[list[object]] = [[], [[]], [5]]
ODD = [
    "import os",
    "while True: pass",
    'load("x.rules", "y")',
    'x = "a" "b"',
    "x = 1 // 0",
    "undefined",
    "print(1)",
    "x = {1, 2}",
    "x = 1 < 2 < 3",
    "x = 1 is 1",
    "class A: pass",
    "x = open('a')",
    "assert True",
    "del x",
    "x = lambda: 1",
    "def f(): pass",
    "def g():\n    g()\ng()",
    "x = [i for i in range(3)]",
    'x = "%s" % "a"',
    'x = "{}".format("a")',
    "x = (1, 2)[0]",
    "x = [1, 2][5]",
    "x = 'a'.upper()",
    "x = 'a'.nothing()",
    "x = len([1]) == 1 and True or False",
    "if True:\n    pass\nelse:\n    pass",
    "for i in [1]:\n    continue",
    "x = not True",
    "x = -1",
    "x = 1.5",
    "x += 1",
    "x = b'a'",
    "@f\ndef h(): pass",
    "try:\n    pass\nexcept: pass",
    "x = y = 1",
    "x = (yield)",
    "x = [*[1]]",
    "x = {**{}}",
    "global x",
    "pass",
    "fail('no')",
    "x = max(1, 2)",
    "x = dict(a = 1)",
    "x = hasattr('a', 'upper')",
    "x = getattr('a', 'upper')",
    "x = type('a')",
    "x = 'a' in 'abc'",
    "x = 1 if True else 2",
    "x = 'a' * 3",
    'x = "a\\x41"',
    "x = [1, 2][0:1]",
    "return 1",
    "x = sorted([2, 1])",
    "x: int = 1",
    "def f(a, b=1): return a\nf(1)",
    "def f(*a): return a\nf(1)",
]


def text(value: object) -> str:
    return json.dumps(value)


def statement(random: Random) -> str:
    chance = random.random()
    if chance < 0.12:
        return random.choice(ODD)
    words: list[object] = [random.choice(WORDS) for _ in range(random.choice([1, 1, 2, 2, 3]))]
    if random.random() < 0.25:
        words[-1] = random.sample(WORDS, 2)
    if random.random() < 0.03:
        words = random.choice(_UNUSABLE)
    parts = [f"pattern={text(words)}"] if random.random() < 0.9 else [text(words)]
    if random.random() < 0.85:
        parts.append(f"decision={random.choice(DECISIONS)}")
    if random.random() < 0.1:
        parts.append(f"{random.choice(['match', 'not_match'])}=[{text(random.choice(['git push x', 'rm -rf', 'ls']))}]")
    if random.random() < 0.1:
        parts.append(f"justification={text(random.choice(['because', '', ' ']))}")
    if random.random() < 0.03:
        parts.append(random.choice(["reason='x'", "priority=1"]))
    call = f"prefix_rule({', '.join(parts)})"
    if random.random() < 0.1:
        return (
            f'[prefix_rule(pattern=[x], decision="{random.choice(["allow", "forbidden"])}") for x in {text(WORDS[:3])}]'
        )
    if random.random() < 0.08:
        return f'for x in {text(WORDS[:3])}:\n    prefix_rule(pattern=[x, "status"], decision="prompt")'
    if random.random() < 0.06:
        paths = random.choice([["/usr/bin/git"], ["/opt/git"], [], ["git"]])
        return f'host_executable(name="git", paths={text(paths)})'
    return call


def case(random: Random) -> tuple[str, list[str]]:
    rules = "\n".join(statement(random) for _ in range(random.choice([1, 1, 2, 3]))) + "\n"
    return rules, [random.choice(WORDS) for _ in range(random.choice([1, 2, 2, 3]))]


def cases(count: int, seed: int) -> list[tuple[str, list[str]]]:
    random = Random(seed)  # made-up cases, no secrets
    return [case(random) for _ in range(count)]
