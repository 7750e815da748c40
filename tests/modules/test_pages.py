"""The pages about modules say what the code says: every event with its rule, the whole API, and code that runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from pisces.modules.api import Api
from pisces.modules.tool_result import MOST_OTHER, MOST_PARTS, MOST_TEXT
from pisces.shapes.event import Event
from pisces.shapes.events import EVENTS, ToolCall
from pisces.testing import AsyncSession, scripted_session

DOCS = Path(__file__).resolve().parents[2] / "docs"
GUIDE = (DOCS / "guides" / "writing-modules.md").read_text("utf-8")
PAGE = (DOCS / "concepts" / "events.md").read_text("utf-8")
ROW = re.compile(r"^\| `(\w+)` \| `([\w.]+)` \| (\w+) \| (.+?) \| (.+) \|$", re.MULTILINE)
BLOCK = re.compile(r"^```python\n# (\w+\.py)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _rule(kind: type[Event]) -> str:
    if kind.after_failure is not Event.after_failure:
        return "guard"
    return "all" if kind.is_settled is Event.is_settled else "first"


def test_every_event_stands_on_its_page_with_its_rule_and_fields() -> None:
    rows = [row[:4] for row in ROW.findall(PAGE)]
    there = [(kind.__name__, kind.NAME, _rule(kind), ", ".join(kind.__fields__) or "-") for kind in EVENTS]
    assert sorted(rows) == sorted(there)


def test_the_guide_names_events_for_each_rule_rightly() -> None:
    rules = {kind.__name__: _rule(kind) for kind in EVENTS}
    rows = re.findall(r"^\| (guard|first|all) \| .* \| (.*) \|$", GUIDE, re.MULTILINE)
    assert [rule for rule, _ in rows] == ["guard", "first", "all"]
    for rule, examples in rows:
        assert {rules[name] for name in re.findall(r"`(\w+)`", examples)} == {rule}


def test_the_guide_has_the_whole_api() -> None:
    names = [name for name in vars(Api) if not name.startswith("_")]
    assert [name for name in names if f"`pisces.{name}" not in GUIDE and f"pisces.{name}(" not in GUIDE] == []


def test_the_guide_names_all_that_a_test_may_look_at() -> None:
    seen = {name for kind in AsyncSession.__mro__ for name in vars(kind) if not name.startswith("_")}
    internal = {"runner", "not_loaded"}
    assert [name for name in sorted(seen - internal) if not re.search(rf"`(session\.)?{name}\b", GUIDE)] == []


def _written(folder: Path, part: str) -> Path:
    """The one module of the guide that has this part, as a file."""
    (text,) = [
        block for block in re.findall(r"^```python\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL) if part in block
    ]
    path = folder / "module.py"
    path.write_text(text, "utf-8")
    return path


def test_the_typed_guard_of_the_guide_guards(tmp_path: Path) -> None:
    with scripted_session(_written(tmp_path, "def guard(event: ToolCall)")) as session:
        assert session.emit(ToolCall("bash", "1", {})).reason == "not on my watch"
        assert not session.emit(ToolCall("read", "1", {})).blocked


def test_the_tool_of_the_guide_gets_what_it_is_annotated_with(tmp_path: Path) -> None:
    with scripted_session(_written(tmp_path, "def add_items")) as session:
        new = [{"text": "milk", "due": "2026-01-31"}, {"text": "bread", "urgency": "high"}]
        assert session.tool("add_items", new=new).text == "milk (LOW), bread (HIGH)"
        assert session.updates == ["2 on the list"]
        assert session.tool("add_items", new=[]).text == "name at least one item"
        (said,) = re.findall(r"``(- `new.*?)``", GUIDE)
        assert said in session.tool("add_items", new=[{"text": "x", "urgency": "hihg"}]).text
        assert not session.errors, "`ToolFailed` and the model's mistakes are no bugs"


def test_the_command_of_the_guide_completes_its_argument(tmp_path: Path) -> None:
    with scripted_session(_written(tmp_path, "def people")) as session:
        assert session.command("/greet ada") == "hello ada"
        completions = session.runner.commands["greet"].completions
        assert completions is not None
        assert completions("a") == ["ada", "alan"]


def test_entries_have_the_shape_that_the_guide_describes(tmp_path: Path) -> None:
    path = _written(tmp_path, 'append_entry("starts"')
    with scripted_session(path, entries=[{"type": "custom", "customType": "starts", "data": 4}]) as session:
        assert session.entries[-1]["data"] == 5
        assert {"type", "id", "customType", "data"} <= set(session.entries[-1])


def test_the_guide_says_the_limits_that_hold() -> None:
    assert f"{MOST_TEXT >> 10} KiB of text, {MOST_OTHER >> 20} MiB of images and {MOST_PARTS} parts" in GUIDE


@pytest.mark.parametrize("line", ["pass", "raise SystemExit('a test that cannot fail')"])
def test_the_code_of_the_guide_runs(tmp_path: Path, line: str) -> None:
    files = dict(BLOCK.findall(GUIDE))
    assert set(files) == {"guard.py", "test_guard.py"}
    for name, text in files.items():
        (tmp_path / name).write_text(text.replace("def guard(event):", f"def guard(event):\n        {line}"), "utf-8")
    command = [sys.executable, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "test_guard.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == (line == "pass"), done.stdout + done.stderr
