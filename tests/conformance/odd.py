"""Odd values and texts to build odd extensions from. Everything is drawn from one seeded `Random`, so a seed is a corpus."""

from __future__ import annotations

import json
from random import Random
from typing import Any

NAMES = ["ok", "a-b", "a_b", "A", "a b", "ä", "x.y", "", " ", "-", "_", "1", "a:b", "a/b", "ok\n", "é" * 3, "a" * 60, "*", "日本"]
VARIABLES = ["${extensionPath}", "${workspacePath}", "${/}", "${pathSeparator}", "${nope}", "$HOME_NOT", "${A:-b}", "${", "$", "${}"]
EXTENSION_NAMES = ["ok", "A-1", "a" * 255, "a" * 256, "constructor", "toString", "valueOf", "__proto__", ".", "..", "a.b", "a b", "-"]
EXTENSION_NAMES += ["ok\n", "", "${extensionPath}", "${/}", "${nope}", "ä", "hasOwnProperty", "extension-enablement", "0", "null"]
TOOLS = ["read_file", "write_file", "*", "mcp_*", "mcp_a_b", "mcp_a_*", "mcp__a_b", "mcp_a_", "mcp_a__", "mcp_a", "Read", "glob"]
TOOLS += ["discovered_tool_x", "discovered_tool_", "search_file_content", "mcp_*_b", "mcp_a_b*", "mcp_a.b:c-d_e", "mcp_ä_b", "bash"]
TOOLS += ["", " read_file", "toString", "constructor", "read_fil", "readfile", "mcp__", "MCP_a_b", "mcp_a_b\n", "mcp_a_b c", "__proto__"]
ADDRESSES = ["https://a.b/c", "http://a", "http:", "http://", "a", "a:", "a:b", "//a", "/a", "", " https://a ", "https://a b", "mailto:x"]
ADDRESSES += ["https://[::1]", "https://[::1", "http://a:99999", "http://a:80", "http://a:x", "http:a", "https:///a", "http://%zz"]
ADDRESSES += ["http://a%00", "x://", "x:///", "file:", "file:///a", "file://a b", "http://1.2.3.4.5", "http://256.1.1.1", "http://a_b"]
ADDRESSES += ["http://ä.de", "http://a@b", "http://@", "http://a:b@c", "HTTP://A", "1a:b", "a+b:c", "a b:c", "http://a\\b", "http://a^b", "http://xn--a"]
ADDRESSES += ["\thttps://a\n", "http://0x1.1", "http://a..b", "http://.", "http://a|b", "blob:x", "data:,x", "http:///", "x://a b", "x://a:b", "http://a?b#c"]
PATTERNS = ["a", "(", ")", "[", "]", "a{2,1}", "(?<n>a)(?<n>b)", r"\k<n>", r"(?<n>a)\k<m>", "a**", "a{", "{1}", "(?:a+)+", "(a|b)*c", r"\p{L}"]
PATTERNS += [r"\u{1}", r"\u12", r"\x1", r"\c", r"\c1", "[b-a]", r"[\d-z]", r"[a-\d]", r"[\b-\x01]", "(?=a)*", "(?<=a)*", "(?i:a)", "a" * 2049]
PATTERNS += ["^*", "|*", "a|*", "(?", "(?P<n>a)", "(?<1>a)", "(?<$>a)", "(?<ä>a)", r"(?<\u0061>a)", "a{1}{2}", "[^]", "[]", "\\", "/", "\n", "é"]
SCALARS: list[Any] = [None, True, False, 0, 1, -1, 1.5, "", " ", "x", [], {}, [1], ["x"], {"a": 1}, [None], [[]], "5", 1e400, 10**30, "ä"]


def one(random: Random, *choices: Any) -> Any:
    return random.choice(choices)


def scalar(random: Random) -> Any:
    value = random.choice(SCALARS)
    return value if value != 1e400 else 1e300


def as_json(random: Random, value: Any) -> str:
    """Strict JSON most of the time, and now and then something that only looks like it."""
    text = json.dumps(value, ensure_ascii=random.random() < 0.5)
    spoil = random.random()
    if spoil < 0.9:
        return text
    return str(one(random, "\ufeff" + text, text[:-1], text + ",", text.replace('"', "'", 2), "// x\n" + text, text.replace(":", ": NaN,", 1)))


def quoted(random: Random, text: str) -> str:
    """A YAML or TOML author's ways to write a text; not all of them are right."""
    return str(one(random, text, f'"{text}"', f"'{text}'", json.dumps(text), f" {text} "))


def yaml_value(random: Random, depth: int = 0) -> str:
    simple = ["x", "5", "true", "null", "~", "", "1.5", ".nan", ".inf", "2020-01-01", "'a: b'", '"a\\tb"', "a: b", "a #b", "a#b", "[a, b]", "{a: b}"]
    simple += ["|", ">", "|-\n  a\n  b", ">-\n  a\n  b", ">+\n  a\n\n", "|2\n   a", "&x a", "*x", "!!str 5", "!x a", "@a", "`a", "- a", "? a", "%a", "'a", '"a', "a'b"]
    simple += ["0x1F", "0o17", "1_000", "yes", "No", "a\n  b", "a\n  b: c", "[a", "{a", "a: [b", "''", '""', "a\\b", "a\tb", "a ", "é", "\U0001f600", "0123", "1e3", "=", "<<"]
    simple += ["!!binary aGk=", "2001-12-14t21:59:43.10-05:00", "12:30:45", "+1", "-", "--", "---x", "...", "a,b", "[]", "{}", "!!int 5", "!!float 1", "&a", "a: ", ":a", "a:b"]
    return str(random.choice(simple))


def yaml_list(random: Random, items: list[str]) -> str:
    if random.random() < 0.5:
        return "[" + ", ".join(quoted(random, item) if random.random() < 0.3 else json.dumps(item) for item in items) + "]"
    dash = one(random, "\n  - ", "\n- ", "\n    - ")
    return "".join(dash + (json.dumps(item) if random.random() < 0.7 else item) for item in items)
