"""What a project brings runs only where the user said so."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pisces.diagnostics import PiscesError
from pisces.gates.trust import Trust, admitted, folder_to_trust, remember_trust, trust_in
from pisces.modules.entries import module_entries
from pisces.places import Places
from tests.discovery.world import written


@pytest.fixture
def places(tmp_path: Path) -> Places:
    (tmp_path / "home").mkdir()
    (tmp_path / "shop").mkdir()
    return Places(str(tmp_path / "home"), str(tmp_path / "shop"))


def _states(places: Places, trust: Trust) -> dict[str, str]:
    return {entry.name: entry.state for entry in admitted(module_entries(places), trust, places).entries}


def _both_sides(places: Places) -> None:
    written(Path(places.cwd, ".pisces/extensions/setup.py"), "")
    written(Path(places.home, ".pisces/agent/extensions/own.py"), "")


def test_nothing_is_trusted_by_default(places: Places) -> None:
    _both_sides(places)
    assert _states(places, trust_in(places)) == {"setup": "not trusted", "own": "runs"}


def test_the_diagnostic_says_what_is_held_back_and_how_to_allow_it(places: Places) -> None:
    _both_sides(places)
    (told,) = admitted(module_entries(places), Trust(), places).diagnostics
    assert (told.code, told.path) == ("workspace-not-trusted", places.cwd)
    assert "`setup`" in told.message
    assert "`pisces trust`" in told.hint
    assert "`--trust-workspace`" in told.hint


def test_a_trusted_folder_and_those_below_it_run(places: Places) -> None:
    _both_sides(places)
    for folder in (places.cwd, os.path.dirname(places.cwd)):
        assert _states(places, Trust().including(folder)) == {"setup": "runs", "own": "runs"}
    assert _states(places, Trust().including(f"{places.cwd}/below"))["setup"] == "not trusted"


def test_a_name_that_begins_alike_is_another_folder(places: Places) -> None:
    assert not Trust().including(places.cwd).covers(f"{places.cwd}-of-horrors")
    assert Trust(("/",)).covers(places.cwd)


def test_links_are_seen_through(places: Places, tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(places.cwd)
    assert Trust().including(str(link)).covers(places.cwd)
    assert Trust().including(places.cwd).covers(str(link))
    (tmp_path / "trusted").mkdir()
    (tmp_path / "trusted" / "way-out").symlink_to(places.cwd)
    assert not Trust().including(str(tmp_path / "trusted")).covers(str(tmp_path / "trusted" / "way-out"))


def test_decisions_are_kept_for_the_user_alone(places: Places) -> None:
    trust = remember_trust(places, lambda trust: trust.including(places.cwd))
    path = Path(places.agent_dir, "trusted.json")
    assert trust_in(places) == trust == Trust().including(places.cwd)
    assert os.name == "nt" or stat.S_IMODE(path.stat().st_mode) == 0o600
    remember_trust(places, lambda trust: trust.without(places.cwd))
    assert trust_in(places) == Trust()


def test_decisions_made_at_the_same_time_are_all_kept(places: Places, tmp_path: Path) -> None:
    folders = [str(tmp_path / f"project-{number}") for number in range(8)]
    code = "import sys; from pisces.__main__ import main; sys.exit(main())"
    env = {**os.environ, "HOME": places.home, "USERPROFILE": places.home}
    for folder in folders:
        os.mkdir(folder)
    running = [subprocess.Popen([sys.executable, "-c", code, "trust", folder], env=env) for folder in folders]
    assert [process.wait(60) for process in running] == [0] * len(folders)
    assert set(trust_in(places).folders) == {os.path.normcase(os.path.realpath(folder)) for folder in folders}


def test_a_decision_that_cannot_be_kept_is_said(places: Places) -> None:
    os.makedirs(os.path.join(places.agent_dir, "trusted.json"))
    with pytest.raises(PiscesError) as raised:
        remember_trust(places, lambda trust: trust.including(places.cwd))
    assert raised.value.diagnostic.code == "trust-file"
    assert trust_in(places) == Trust()


@pytest.mark.parametrize("text", ["", "[", "[]", '{"folders": "/"}', '{"folders": [1, null, "relative", ""]}', "\0"])
def test_a_broken_list_trusts_nothing(places: Places, text: str) -> None:
    written(Path(places.agent_dir, "trusted.json"), text)
    assert trust_in(places) == Trust()


def test_what_is_not_a_folder_cannot_be_trusted(places: Places) -> None:
    written(Path(places.cwd, "setup.py"), "")
    for path in ("setup.py", "gone"):
        with pytest.raises(PiscesError) as raised:
            folder_to_trust(places, path)
        assert raised.value.diagnostic.code == "trust-folder"


def test_a_project_cannot_bring_its_own_trust(places: Places) -> None:
    _both_sides(places)
    for folder in (".pisces", ".pisces/agent"):
        written(Path(places.cwd, folder, "trusted.json"), json.dumps({"folders": [places.cwd, "/"]}))
    assert _states(places, trust_in(places))["setup"] == "not trusted"


def test_an_untrusted_project_does_not_switch_off_what_the_user_has(places: Places) -> None:
    _both_sides(places)
    written(Path(places.cwd, ".pisces/settings.json"), {"disabledExtensions": ["extension-module:own"]})
    assert _states(places, Trust())["own"] == "runs"
    assert _states(places, Trust().including(places.cwd))["own"] == "disabled"
    told = admitted(module_entries(places), Trust(), places).diagnostics
    assert [each.about for each in told if each.code == "workspace-not-trusted"] == ["", "own"]


def test_what_is_named_for_this_run_needs_no_trust(places: Places) -> None:
    _both_sides(places)
    found = admitted(module_entries(places, [".pisces/extensions/setup.py"]), Trust(), places)
    assert [entry.name for entry in found.running] == ["setup", "own"]
    assert not found.diagnostics
