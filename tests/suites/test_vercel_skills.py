"""vercel-labs/skills: which skills its installer finds in a folder, from the trees that its tests write."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pisces.checking.acceptance import acceptances
from pisces.checking.check import Scope, check
from pisces.discovery.package_roots import EVERYWHERE, NEAR
from pisces.places import Places
from tests.suites.shelved import repository

FILES = ("tests/plugin-manifest-discovery.test.ts", "tests/full-depth-discovery.test.ts")
EXPLAINED = {
    "should reject paths without ./ prefix (per Claude Code convention)": "a folder of skills that no manifest names",
    "should not duplicate skills when root and nested have the same name": "both files are checked",
    "should reject plugin sources without ./ prefix": "a plugin that the marketplace does not list",
}

_CASE = re.compile(r"\n  it\('([^\n]*?)', async \(\) => \{(.*?)\n  \}\);", re.DOTALL)
_TEXTS = r"`(?P<text>[^`]*)`|'(?P<plain>[^']*)'|JSON\.stringify\((?P<json>.*?)\)\s*\n?\s*\);"
_WRITE = re.compile(rf"writeFileSync\(\s*join\(testDir, ([^)]*)\),\s*(?:{_TEXTS})", re.DOTALL)
_LENGTH = re.compile(r"toHaveLength\((\d+)\)")


@pytest.mark.parametrize("file", FILES)
def test_the_same_skills_are_found(file: str, tmp_path: Path) -> None:
    found = _CASE.findall((repository("vercel-labs/skills") / file).read_text("utf-8"))
    assert found
    wrong = []
    for number, (title, body) in enumerate(found):
        folder = tmp_path / str(number)
        folder.mkdir()
        if _planted(folder, body) and (counts := _LENGTH.findall(body)):
            ours = _skills(folder, deep="fullDepth: true" in body)
            if len(ours) != int(counts[-1]) and title not in EXPLAINED:
                wrong.append(f"{title}: they find {counts[-1]}, we {[Path(each).parent.name for each in ours]}")
    print(f"{len(found) - len(wrong)} of {len(found)} agree or are explained")
    assert not wrong


def _skills(folder: Path, *, deep: bool) -> set[str]:
    scope = Scope(acceptances(), reach=EVERYWHERE if deep else NEAR)
    targets = check([str(folder)], Places("/nonexistent", str(folder)), scope).targets
    return {each.path for target in targets for each in target.components if each.kind == "skills"}


def _planted(folder: Path, body: str) -> bool:
    """Writes the files of a case; False where it writes one in a form that is not data."""
    for match in _WRITE.finditer(body):
        path = folder.joinpath(*re.findall(r"'([^']*)'", match[1]))
        path.parent.mkdir(parents=True, exist_ok=True)
        text = match["text"] if match["text"] is not None else match["plain"]
        path.write_text(_json(match["json"]) if text is None else text)
    return len(_WRITE.findall(body)) == body.count("writeFileSync(")


def _json(literal: str) -> str:
    """An object as JavaScript writes it, as JSON."""
    plain = re.sub(r"//[^\n]*", "", literal).replace("'", '"')
    quoted = re.sub(r"([{,]\s*)([A-Za-z_]\w*):", r'\1"\2":', plain)
    return re.sub(r",(\s*[}\]])", r"\1", quoted)
