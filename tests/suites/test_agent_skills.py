"""agentskills/agentskills: the tests of `skills-ref`, the validator of the standard."""

from __future__ import annotations

import ast
from pathlib import Path

from pisces.discovery.markdown_file import MarkdownFile, markdown_at
from tests.suites.python_data import Unknown, assigned, calls, functions, value_of
from tests.suites.shelved import diagnostics, differences, repository

TESTS = "skills-ref/tests"
# What it takes and the standard's text does not, or the other way round.
EXPLAINED = {
    "test_read_properties_with_lowercase_skill_md": "programs look for SKILL.md; the hint says to rename it",
}


def test_the_validator_of_the_standard_agrees(tmp_path: Path) -> None:
    cases = []
    for function, names in functions(repository("agentskills/agentskills") / TESTS / "test_validator.py"):
        known = assigned(function, {**names, "tmp_path": str(tmp_path / function.name)})
        if _written(function, known):
            folder = next(path for path in (tmp_path / function.name).iterdir() if path.is_dir())
            cases.append((function.name, _is_valid(function), not diagnostics_that_count(folder)))
    assert not differences(cases, EXPLAINED)


def test_the_reader_of_headers_agrees(tmp_path: Path) -> None:
    cases = []
    path = tmp_path / "SKILL.md"
    for function, names in functions(repository("agentskills/agentskills") / TESTS / "test_parser.py"):
        known = assigned(function, names)
        if isinstance(known.get("content"), str) and list(calls(function, "parse_frontmatter")):
            path.write_text(known["content"])
            file = markdown_at(str(path), "skill", lenient=False)
            ours = isinstance(file, MarkdownFile) and file.header is not None and bool(file.fields)
            cases.append((function.name, not list(calls(function, "raises")), ours))
    assert not differences(cases, EXPLAINED)


def test_the_reader_of_skills_agrees(tmp_path: Path) -> None:
    """A name and a description are all that it asks for."""
    cases = []
    for function, names in functions(repository("agentskills/agentskills") / TESTS / "test_parser.py"):
        folder = tmp_path / function.name / "my-skill"
        known = assigned(function, {**names, "tmp_path": str(folder.parent)})
        if list(calls(function, "read_properties")) and _written(function, known):
            cases.append((function.name, not list(calls(function, "raises")), not diagnostics_that_count(folder)))
    assert not differences(cases, EXPLAINED)


def diagnostics_that_count(folder: Path) -> list[str]:
    """What differs from the standard, whatever a forgiving client would make of it."""
    return [each.code for each in diagnostics(folder) if each.code not in ("skill-empty", "skill-long")]


def _written(function: ast.FunctionDef, names: dict[str, object]) -> bool:
    """Writes the files that the test would write; False where it writes no skill."""
    wrote = False
    for call in calls(function, "write_text"):
        try:
            path = Path(value_of(call.func.value, names))  # type: ignore[attr-defined]  # a method's call
            text = value_of(call.args[0], names)
        except Unknown:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        wrote = wrote or path.name.lower() == "skill.md"
    return wrote


def _is_valid(function: ast.FunctionDef) -> bool:
    """Whether the test ends in `errors == []`."""
    asserted = [node.test for node in ast.walk(function) if isinstance(node, ast.Assert)]
    return any(ast.unparse(test) == "errors == []" for test in asserted)
