"""Several installations at once: each is whole or refused, none takes from another, and all can be taken back."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pisces.converting.installing.install import install
from pisces.diagnostics import PiscesError
from pisces.places import Places
from tests.converting.test_convert import places_of, put
from tests.converting.test_install import home_of, installed, planned, uninstalled
from tests.converting.test_output import snapshot

SETTINGS = '{\n  "theme": "dark", // mine\n\n  "mcpServers": {"own": {"command": "x"}}}\n'
NAMES = ("one", "two", "three", "four")


def package(folder: Path, name: str) -> Path:
    files = {
        ".claude-plugin/plugin.json": json.dumps({"name": name, "version": "1.0.0"}),
        ".mcp.json": json.dumps({f"server-{name}": {"command": name}}),
        f"agents/{name}.md": f"---\nname: {name}\ndescription: Reads {name}\n---\nRead {name}.\n",
        f"skills/{name}/SKILL.md": f"---\nname: {name}\ndescription: Notes {name}\n---\nNotes {name}.\n",
    }
    return put(folder / name, files)


def attempted(source: Path, places: Places, name: str) -> str:
    """The code of the refusal, empty where it was installed."""
    try:
        installed(source, places, name)
    except PiscesError as error:
        return error.diagnostic.code
    return ""


def names_in(home: Path) -> set[str]:
    return {name for name in NAMES if (home / f".gemini/agents/{name}.md").exists()}


def test_a_plan_that_another_installation_overtook_changes_nothing_of_it(tmp_path: Path) -> None:
    home, places = home_of(tmp_path, {".gemini/settings.json": SETTINGS}), places_of(tmp_path)
    before = snapshot(home)
    plans = [planned(package(tmp_path, name), places, name) for name in ("one", "two")]
    install(plans[0])
    try:
        install(plans[1])
    except PiscesError:
        install(planned(tmp_path / "two", places, "two"))
    text = (home / ".gemini/settings.json").read_text()
    assert all(word in text for word in ("server-one", "server-two", "// mine", '"own"'))
    for name in ("one", "two"):
        uninstalled(places, name)
    assert snapshot(home) == before


def test_installations_at_the_same_time_are_whole_or_refused(tmp_path: Path) -> None:
    home, places = home_of(tmp_path, {".gemini/settings.json": SETTINGS}), places_of(tmp_path)
    before = snapshot(home)
    sources = {name: package(tmp_path, name) for name in NAMES}
    with ThreadPoolExecutor(len(NAMES)) as pool:
        codes = dict(zip(NAMES, pool.map(lambda name: attempted(sources[name], places, name), NAMES), strict=True))
    done = {name for name, code in codes.items() if not code}
    assert done
    assert names_in(home) == done
    text = (home / ".gemini/settings.json").read_text()
    assert {name for name in NAMES if f"server-{name}" in text} == done
    for name in sorted(done):
        uninstalled(places, name)
    assert snapshot(home) == before


def test_one_package_that_is_installed_twice_at_once_is_installed_once(tmp_path: Path) -> None:
    home, places = home_of(tmp_path, {".gemini/settings.json": SETTINGS}), places_of(tmp_path)
    before = snapshot(home)
    source = package(tmp_path, "one")
    with ThreadPoolExecutor(2) as pool:
        codes = list(pool.map(lambda _: attempted(source, places, "one"), range(2)))
    assert "" in codes
    assert names_in(home) == {"one"}
    uninstalled(places, "one")
    assert snapshot(home) == before
