"""What a program that embeds pisces relies on: nothing runs unconfirmed, and paths belong to the places."""

from __future__ import annotations

from pathlib import Path

import pytest

import pisces


@pytest.fixture
def places(tmp_path: Path) -> pisces.Places:
    home, project = tmp_path / "home", tmp_path / "home" / "boat"
    project.mkdir(parents=True)
    (project / ".git").mkdir()
    return pisces.Places(str(home), str(project))


def write(places: pisces.Places, name: str, text: str) -> str:
    path = Path(places.absolute(name))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return str(path)


def package(places: pisces.Places) -> None:
    write(places, "kit/gemini-extension.json", '{"name": "kit", "version": "1.0.0"}')
    write(places, "kit/commands/tie.toml", 'prompt = "Tie it"\n')


def allow(request: pisces.Request, asks: tuple[pisces.Verdict, ...]) -> pisces.Verdict:
    return pisces.Verdict.allow(f"{request.KIND}, asked by {asks[0].who}")


class TestDiscover:
    def test_what_the_settings_switch_off_is_off(self, places: pisces.Places) -> None:
        write(places, ".claude/skills/knots/SKILL.md", "---\nname: knots\ndescription: Ties\n---\n")
        assert [each.item.name for each in pisces.discover(pisces.SKILLS, places).items] == ["knots"]
        write(places, ".pisces/settings.json", '{"disabledExtensions": ["skill:knots"]}')
        found = pisces.discover(pisces.SKILLS, places)
        assert not found.items
        assert {each.state for each in found.all} == {"off"}
        assert pisces.discover(pisces.SKILLS, places, pisces.Switches()).items

    def test_settings_that_cannot_be_read_are_reported(self, places: pisces.Places) -> None:
        path = write(places, ".pisces/settings.json", '{"disabledExtensions": [')
        assert path in [each.path for each in pisces.discover(pisces.SKILLS, places).diagnostics]
        assert path in [each.path for each in pisces.catalog(places).diagnostics]


def test_paths_are_those_of_the_places_and_not_of_the_process(places: pisces.Places) -> None:
    package(places)
    assert [each.package.name for each in pisces.inspect("kit", places) if each.package] == ["kit"]
    assert [each.path for each in pisces.check("kit", places).targets] == [places.absolute("kit")]
    assert pisces.check(["kit"], places) == pisces.check("kit", places)
    assert pisces.scan("kit", places).files == 2
    assert [each.name for each in pisces.catalog(places, ["kit"]).entries] == ["tie"]


def test_places_of_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path / "a")
    assert pisces.places_here().cwd == str(tmp_path / "a")
    assert pisces.places_here("../b").cwd == str(tmp_path / "b")


class TestExpand:
    def test_without_confirm_no_line_runs(self, places: pisces.Places) -> None:
        write(places, ".gemini/commands/mark.toml", 'prompt = "!{touch ran}"\n')
        with pytest.raises(pisces.PiscesError, match="nobody can be asked here"):
            pisces.expand("/mark", places)
        assert not Path(places.absolute("ran")).exists()

    def test_a_line_runs_in_the_folder_of_the_places_once_it_is_allowed(self, places: pisces.Places) -> None:
        write(places, ".gemini/commands/mark.toml", 'prompt = "!{touch ran}"\n')
        env = pisces.places_here().env
        pisces.expand("/mark", places.replace(env=env), allow)
        assert Path(places.absolute("ran")).exists()

    def test_a_confirm_that_breaks_denies(self, places: pisces.Places) -> None:
        write(places, ".gemini/commands/mark.toml", 'prompt = "!{touch ran}"\n')

        def broken(request: pisces.LineRequest, asks: tuple[pisces.Verdict, ...]) -> pisces.Verdict:
            raise ValueError("oops")

        with pytest.raises(pisces.PiscesError, match="failed: ValueError: oops"):
            pisces.expand("/mark", places, broken)
        assert not Path(places.absolute("ran")).exists()


class TestPackages:
    def test_without_confirm_nothing_is_installed(self, places: pisces.Places) -> None:
        package(places)
        with pytest.raises(pisces.PiscesError, match="nobody has agreed"):
            pisces.install("kit", places)
        assert pisces.installed(places) == ()

    def test_progress_is_reported_and_the_same_content_changes_nothing(self, places: pisces.Places) -> None:
        package(places)
        progress: list[str] = []
        assert pisces.install("kit", places, allow, progress.append).changed
        assert progress == [f"fetching {places.absolute('kit')}"]
        assert not pisces.install("kit", places).changed

    def test_what_is_not_installed_cannot_be_removed_or_updated(self, places: pisces.Places) -> None:
        for act in (pisces.uninstall, pisces.update):
            with pytest.raises(pisces.PiscesError) as raised:
                act("kit", places)
            assert raised.value.diagnostic.code == "not-installed"
