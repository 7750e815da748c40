"""`check --gallery`: what a gallery of extensions wants to find in a repository."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.checking.planting import plant
from tests.checking.test_command_line import run
from tests.checking.trees import MANIFEST, Tree, claude, gemini

READY: Tree = {**gemini(), "LICENSE": "MIT", "README.md": "# Box"}


def codes(folder: Path, tree: Tree, path: str = "box") -> list[str]:
    out = run(folder, tree, path, "--gallery", "--output-format", "json")[1]
    found = (each["code"] for each in json.loads(out)["diagnostics"])
    return [code for code in found if code.startswith("gallery-")]


def without(name: str) -> Tree:
    return {key: value for key, value in READY.items() if key != name}


def test_what_is_ready_lacks_only_what_cannot_be_seen(tmp_path: Path) -> None:
    code, out, err = run(tmp_path, READY, "box", "--gallery")
    assert code == 0
    assert out == (
        "box/gemini-extension.json: note [gallery-topic] the gallery of Gemini CLI lists public repositories "
        "with the topic `gemini-cli-extension`; that cannot be seen from here\n"
        "  hint: see the topics of the repository where it is hosted\n"
    )
    assert err == "checked 1 package: 1 note\n"


@pytest.mark.parametrize(
    ("tree", "code"),
    [
        (without("LICENSE"), "gallery-licence"),
        (without("README.md"), "gallery-readme"),
        ({**READY, **gemini(description="")}, "gallery-description"),
        ({**READY, **gemini(version="0.0.0")}, "gallery-version"),
        ({**READY, **gemini(version="1.0")}, "gallery-version"),
    ],
)
def test_what_is_missing_is_named(tree: Tree, code: str, tmp_path: Path) -> None:
    assert set(codes(tmp_path, tree)) - {"gallery-topic"} == {code}


@pytest.mark.parametrize("name", ["COPYING", "licence.txt", "LICENSE-MIT", "UNLICENSE"])
def test_licences_have_several_names(name: str, tmp_path: Path) -> None:
    assert codes(tmp_path, {**without("LICENSE"), name: "MIT"}) == ["gallery-topic"]


def test_a_manifest_that_is_not_at_the_root_of_its_repository(tmp_path: Path) -> None:
    plant(tmp_path / "box", {".git/": ""})
    nested: Tree = {f"sub/{name}": content for name, content in READY.items()}
    assert codes(tmp_path, nested, "box/sub") == ["gallery-manifest"]
    assert codes(tmp_path, claude()) == ["gallery-manifest"]
    assert codes(tmp_path, READY) == ["gallery-topic"]


def test_nobody_is_asked_without_the_flag(tmp_path: Path) -> None:
    assert "gallery" not in run(tmp_path, gemini(), "box", "--severity", "note")[1]


def test_a_broken_manifest_is_reported_as_such(tmp_path: Path) -> None:
    assert codes(tmp_path, {**READY, MANIFEST: "{"}) == []
