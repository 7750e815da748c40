"""The same schemas and arguments, checked by pi's own code: what it converts we convert, what it refuses we refuse.

The differences are those that decision 0056 names: null, values that fit already, and single values for arrays.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pisces.formats.json_copy import json_copy, same_json
from pisces.modules.tool_arguments import BadArguments, fitted
from pisces.shapes.tool import Tool
from tests.modules.js_session import MODULES, bun

SCHEMAS: list[Any] = [
    {"type": "integer"},
    {"type": "integer", "minimum": 3},
    {"type": "number"},
    {"type": "boolean"},
    {"type": "string"},
    {"type": "string", "minLength": 2},
    {"type": ["integer", "string"]},
    {"type": ["integer", "boolean"]},
    {"enum": ["a", "5", 5]},
    {"const": "a"},
    {"anyOf": [{"type": "integer"}, {"type": "boolean"}]},
    {"type": "array", "items": {"type": "integer"}},
    {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"], "additionalProperties": False},
    {"type": "object", "additionalProperties": {"type": "boolean"}},
    {"allOf": [{"type": "integer"}, {"maximum": 9}]},
]
VALUES: list[Any] = [
    *(5, 0, 1, -2, 5.5, "5", "5.0", "5.5", " 7 ", "", "0x10", "1e3", "many", "a", "true", "false", True, False),
    *(["1", 2], [1, "x"], [], {}, {"n": "5"}, {"n": 5, "m": 1}, {"n": "x"}, {"a": "true"}, "9" * 30),
]


def test_pi_and_we_agree(tmp_path: Path) -> None:
    validation = MODULES / "@mariozechner" / "pi-ai" / "dist" / "utils" / "validation.js"
    if not validation.exists():
        pytest.skip("pi is not installed: scripts/setup-peers --large does that")
    cases = [(schema, value) for schema in SCHEMAS for value in VALUES if not _differs(schema, value)]
    assert len(cases) > 300
    program = f"""
    import {{ validateToolArguments }} from {json.dumps(str(validation))};
    const answers = {json.dumps(cases)}.map(([schema, x]) => {{
      const parameters = {{ type: "object", properties: {{ x: schema }}, required: ["x"] }};
      const call = {{ name: "t", arguments: {{ x }} }};
      try {{ return [validateToolArguments({{ name: "t", parameters }}, call).x]; }} catch {{ return []; }}
    }});
    console.log(JSON.stringify(answers));
    """
    (tmp_path / "ask.mjs").write_text(program)
    argv = [bun().argv[0], "run", str(tmp_path / "ask.mjs")]
    done = subprocess.run(argv, cwd=tmp_path, capture_output=True, encoding="utf-8", check=True, timeout=60)
    different = [
        (case, theirs, ours)
        for case, theirs in zip(cases, json.loads(done.stdout), strict=True)
        if not same_json(json_copy(ours := _ours(*case)), json_copy(theirs))
    ]
    assert different == []


def _ours(schema: Any, value: Any) -> list[Any]:
    parameters = {"type": "object", "properties": {"x": schema}, "required": ["x"]}
    try:
        made = fitted(Tool("t", "", parameters, lambda given, _context: given), {"x": value})["x"]
    except BadArguments:
        return []
    return [int(made) if isinstance(made, float) and made.is_integer() else made]  # JavaScript has one kind of number


def _differs(schema: Any, value: Any) -> bool:
    """A single value becomes an array in TypeBox, not in pi's plain JSON Schema. Long numbers lose digits in pi."""
    is_single = schema.get("type") == "array" and not isinstance(value, list)
    fits_already = "anyOf" in schema and isinstance(value, bool)
    return is_single or fits_already or value == "9" * 30
