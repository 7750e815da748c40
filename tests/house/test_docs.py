"""A missing or stale page is a failing test: links resolve, commands and rules are described, pages are generated."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pisces.by_name import export_of, names_in

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")
FENCED = re.compile(r"^(`{3,}).*?^\1`*$", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=[page.relative_to(ROOT).as_posix() for page in PAGES])
def test_relative_links_resolve(page: Path) -> None:
    broken = [link for link in _links(page) if not _resolves(page, link)]
    assert not broken


def test_generated_pages_and_indexes_are_fresh(root: Path) -> None:
    command = [sys.executable, str(root / "scripts" / "generate-docs"), "--check"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, f"run scripts/generate-docs\n{done.stdout}{done.stderr}"


def test_every_room_says_what_it_holds(root: Path) -> None:
    page = (root / "docs" / "concepts" / "floors.md").read_text("utf-8")
    silent = re.findall(r"^\| \d+ \| `(\S+)` \|\s*\|$", page, re.MULTILINE)
    assert not silent, f"begin these with a sentence, then run scripts/generate-docs: {silent}"


def test_every_shell_command_is_described(root: Path) -> None:
    text = (root / "docs" / "reference" / "commands.md").read_text("utf-8")
    names = [export_of("pisces.cli", name, "COMMAND").name for name in names_in("pisces.cli")]
    missing = [name for name in names if f"## pisces {name}\n" not in text]
    assert not missing, f"run scripts/generate-docs: {missing}"


def test_every_rule_is_described(root: Path, package: Path) -> None:
    text = (root / "docs" / "reference" / "rules.md").read_text("utf-8")
    source = "".join(file.read_text("utf-8") for file in sorted(package.rglob("*.py")))
    codes = re.findall(r"^[A-Z_]+ = Rule\(\s*(?:code=)?\"([^\"]+)\"", source, re.MULTILINE)
    assert codes
    missing = [code for code in codes if f"## {code}\n" not in text]
    assert not missing, f"run scripts/generate-docs: {missing}"


def test_every_page_is_reachable_from_the_index(root: Path) -> None:
    index = root / "docs" / "index.md"
    linked = {(index.parent / link.partition("#")[0]).resolve() for link in _links(index)} | {index}
    pages = [page for page in PAGES if page.is_relative_to(index.parent)]
    lost = [page.relative_to(root).as_posix() for page in pages if not linked & {page, page.parent}]
    assert not lost, f"link these in docs/index.md: {lost}"


def test_the_inspect_page_has_the_fields_of_the_object(root: Path) -> None:
    package = root / "examples" / "workspace" / "home" / ".gemini" / "extensions" / "release-kit"
    command = [sys.executable, "-m", "pisces", "inspect", str(package), "--output-format", "json"]
    printed = subprocess.run(command, capture_output=True, encoding="utf-8", check=False)
    page = (root / "docs" / "reference" / "inspect.md").read_text("utf-8")
    assert re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE) == list(json.loads(printed.stdout))


def _links(page: Path) -> list[str]:
    text = FENCED.sub("", page.read_text("utf-8"))
    return [one or other for one, other in LINK.findall(text)]


def _resolves(page: Path, link: str) -> bool:
    target, _, anchor = link.partition("#")
    if re.match(r"[a-z]+:", target):
        return True  # another site: tests use no network
    path = (page.parent / target).resolve() if target else page
    if not path.exists():
        return False
    return not anchor or anchor in _anchors(path)


def _anchors(page: Path) -> set[str]:
    """As code hosts make them of headings."""
    headings = re.findall(r"^#+ (.*)$", FENCED.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
