"""The front door: its table, the stub and the reference agree, and what is not behind it has no promise.

So nothing that users read imports deeper: docs, README and examples use `pisces`, and the packages that have a door of
their own.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import pisces
from tests.house.test_floors import FLOOR

ROOT = Path(__file__).resolve().parents[2]
FRAMEWORKS = "pydantic_ai langchain smolagents openai_agents adk claude_agent_sdk strands".split()
DOORS = ["pisces", "pisces.events", "pisces.testing", "pisces.ide", "pisces.adapters"]
DOORS += [f"pisces.adapters.{name}" for name in FRAMEWORKS]
NAMES = [name for name in dir(pisces) if name != "__version__"]
MOST_NAMES = 53
READ_BY_USERS = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md"), *ROOT.glob("examples/**/*.py")])
BLOCK = re.compile(r"^( *)```python\n(.*?)^ *```", re.MULTILINE | re.DOTALL)


def _printed(program: str, tmp_path: Path) -> str:
    command = [sys.executable, "-c", textwrap.dedent(program)]
    return subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=True).stdout


def test_the_door_has_about_fifty_names() -> None:
    assert 40 <= len(NAMES) <= MOST_NAMES


def test_every_name_is_there_and_is_loaded_when_it_is_asked_for(tmp_path: Path) -> None:
    program = """
        import sys
        import pisces
        loaded = [name for name in sys.modules if name.startswith("pisces.")]
        assert not loaded, loaded
        print(*(name for name in dir(pisces) if getattr(pisces, name) is None or name not in vars(pisces)))
    """
    assert _printed(program, tmp_path).split() == []


def test_no_name_is_hidden_by_a_room(package: Path) -> None:
    """Importing `pisces.places` puts the module on the package: a name of the door that is equal would be lost."""
    rooms = {path.stem for path in package.iterdir() if not path.name.startswith("_")} | set(FLOOR)
    assert not rooms & set(NAMES)


def test_the_table_the_stub_and_the_reference_have_the_same_names(package: Path) -> None:
    stub = ast.parse((package / "__init__.pyi").read_text("utf-8"))
    stubbed = [alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names]
    page = (ROOT / "docs" / "reference" / "python.md").read_text("utf-8")
    described = re.findall(r"^## (\w+)$", page, re.MULTILINE)
    assert sorted(map(str, stubbed)) == sorted(NAMES)
    assert sorted(described) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_what_can_be_called_says_what_it_returns(name: str) -> None:
    value = getattr(pisces, name)
    if callable(value):
        assert value.__doc__, f"{name} has no docstring"
    if callable(value) and not isinstance(value, type):
        assert "return" in value.__annotations__
        assert "Raises" in value.__doc__ or "raises" in value.__doc__ or name == "places_here"


def test_a_star_import_brings_the_names_of_the_door_and_no_more(tmp_path: Path) -> None:
    program = """
        before = set(globals()) | {"before"}
        from pisces import *
        print(*sorted(set(globals()) - before))
    """
    assert _printed(program, tmp_path).split() == sorted([*NAMES, "__version__"])


def test_an_unknown_name_is_an_error_with_a_suggestion() -> None:
    with pytest.raises(AttributeError, match="did you mean 'discover'"):
        _ = pisces.discovr  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"did you mean 'SKILLS'"):
        _ = pisces.skills  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match=r"see `dir\(pisces\)`"):
        _ = pisces.xyzzy  # type: ignore[attr-defined]
    assert not hasattr(pisces, "__wrapped__")


def test_finding_costs_no_module_that_is_slow_to_import(tmp_path: Path) -> None:
    program = """
        import sys
        import pisces
        pisces.discover(pisces.SKILLS, pisces.Places("/nonexistent", "/nonexistent"))
        print(*({"asyncio", "typing", "dataclasses", "pathlib", "subprocess", "inspect"} & set(sys.modules)))
    """
    assert _printed(program, tmp_path).split() == []


def test_naming_the_host_loads_nothing_that_it_needs_to_run(tmp_path: Path) -> None:
    program = """
        import sys
        from pisces import Host
        heavy = {"asyncio", "typing", "dataclasses", "pathlib", "subprocess", "inspect", "json", "ssl", "http", "mcp"}
        rooms = ("pisces.modules", "pisces.gates", "pisces.commands", "pisces.models", "pisces.mcp", "pisces.agent")
        print(*(name for name in sys.modules if name in heavy or name.startswith(rooms)))
    """
    assert _printed(program, tmp_path).split() == []


def test_events_are_at_their_own_door() -> None:
    import pisces.events
    from pisces.shapes.events import EVENTS

    assert all(getattr(pisces.events, kind.__name__) is kind for kind in EVENTS)
    assert pisces.events.ToolCall is pisces.ToolCall


def test_editors_have_a_door_of_their_own() -> None:
    import pisces.ide

    assert all(getattr(pisces.ide, name).__name__ == name for name in pisces.ide.__all__)
    assert sorted(pisces.ide.__all__) == sorted(pisces.ide._HOME)
    with pytest.raises(AttributeError):
        _ = pisces.ide.nonsense  # type: ignore[attr-defined]


@pytest.mark.parametrize("file", READ_BY_USERS, ids=[file.relative_to(ROOT).as_posix() for file in READ_BY_USERS])
def test_what_users_read_imports_from_the_doors_only(file: Path) -> None:
    deep = [name for code in _code_of(file) for name in _imported(code) if name not in DOORS]
    assert not deep, f"put it behind a door, or use what is there: {deep}"


def test_a_deep_import_in_a_page_is_found() -> None:
    page = "```python\nfrom pisces.modules.api import Wiring\nimport pisces.value\nimport os\n```\n"
    (block,) = BLOCK.findall(page)
    assert _imported(block[1]) == ["pisces.modules.api", "pisces.value"]


def _code_of(file: Path) -> list[str]:
    text = file.read_text("utf-8")
    return [text] if file.suffix == ".py" else [textwrap.dedent(code) for _, code in BLOCK.findall(text)]


def _imported(code: str) -> list[str]:
    """Read line by line: a block in a page may be a piece of a program."""
    names = re.findall(r"^\s*(?:from|import) (pisces[\w.]*)", code, re.MULTILINE)
    deeper = re.findall(r"^\s*from pisces import (.*)$", code, re.MULTILINE)
    rooms = [f"pisces.{name}" for line in deeper for name in re.findall(r"\w+", line) if name in FLOOR]
    return [*names, *rooms]
