"""Which command a typed line means, with clashes, qualified names, subcommands and mistakes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pisces.commands.names.catalog import Catalog, catalog, catalog_of
from pisces.commands.names.resolve import resolve
from pisces.commands.names.suggestions import suggestions
from pisces.diagnostics import PiscesError
from pisces.discovery.found import PROJECT, USER, Found, Source
from pisces.places import Places
from pisces.shapes.command import Command
from pisces.shapes.executable import Executable


def command(name: str, *, package: str = "", level: str = USER, provider: str = "gemini") -> Found:
    path = f"/{provider}/{level}/{package}/{name}.toml"
    made = Command(name, name, f"does {name}", path, "gemini", {})
    return Found(made, Source(provider, provider.title(), path, level), package)


def program(name: str, *subcommands: str, package: str) -> Found:
    found = command(name, package=package)
    return found.replace(item=found.item.replace(executable=Executable("bin/x", "/p", subcommands)))


def of(*found: Found, named: tuple[Found, ...] = ()) -> Catalog:
    return catalog_of(named, found)


def reached(line: str, commands: Catalog) -> tuple[str, str]:
    invocation = resolve(line, commands)
    return invocation.entry.source.path, invocation.args


def refused(line: str, commands: Catalog) -> tuple[str, str, str]:
    with pytest.raises(PiscesError) as caught:
        resolve(line, commands)
    told = caught.value.diagnostic
    return told.code, told.message, told.hint


def test_arguments_are_kept_as_typed() -> None:
    commands = of(command("git:commit"))
    assert reached('  /git:commit  fix "the   typo" \n now', commands)[1] == 'fix "the   typo" \n now'


def test_the_users_own_command_keeps_its_name_when_packages_bring_the_same() -> None:
    own, first, second = command("deploy"), command("deploy", package="aws"), command("deploy", package="gcp")
    commands = of(own, first, second)
    assert reached("/deploy", commands)[0] == own.source.path
    assert reached("/aws:deploy", commands)[0] == first.source.path
    assert reached("/gcp:deploy", commands)[0] == second.source.path
    assert reached("/gemini:deploy", commands)[0] == own.source.path


def test_a_name_that_two_packages_want_belongs_to_neither() -> None:
    commands = of(command("deploy", package="aws"), command("deploy", package="gcp"))
    assert refused("/deploy now", commands) == (
        "contested-command",
        "`/deploy` is brought by aws and gcp",
        "type /aws:deploy or /gcp:deploy",
    )


def test_a_package_that_two_harnesses_load_is_not_in_its_own_way() -> None:
    commands = of(command("deploy", package="aws"), command("deploy", package="aws", provider="qwen"))
    assert reached("/deploy", commands)[0].startswith("/gemini/")
    assert len(commands.entries) == 1


def test_a_package_named_for_this_run_comes_before_installed_ones_and_after_the_users_own() -> None:
    named, installed = command("deploy", package="mine"), command("deploy", package="aws")
    assert reached("/deploy", of(installed, named=(named,)))[0] == named.source.path
    own = command("deploy", provider="claude")
    commands = of(own, installed, named=(named,))
    assert reached("/deploy", commands)[0] == own.source.path
    assert reached("/mine:deploy", commands)[0] == named.source.path


def test_a_qualified_name_that_is_taken_gets_a_number() -> None:
    own, package = command("git:commit"), command("commit", package="git")
    commands = of(own, command("commit"), package)
    assert reached("/git:commit", commands)[0] == own.source.path
    assert reached("/git:commit1", commands)[0] == package.source.path


def test_the_same_name_at_two_levels_of_one_harness_can_be_told_apart() -> None:
    project, user = command("fix", level=PROJECT), command("fix")
    commands = of(project, user)
    assert reached("/fix", commands)[0] == project.source.path
    assert reached("/gemini.user:fix", commands)[0] == user.source.path


def test_subcommands_are_reached_with_a_blank_and_with_a_colon() -> None:
    commands = of(program("gallery", "list", "search", package="ext"))
    assert reached("/gallery search two words", commands)[1] == "search two words"
    assert reached("/gallery:search two words", commands)[1] == "search two words"
    assert reached("/ext:gallery:list", commands)[1] == "list"
    assert reached("/gallery anything", commands)[1] == "anything"
    assert refused("/gallery:serach x", commands)[2] == "did you mean `/gallery:search`?"


def test_a_name_with_blanks_is_found_and_the_longest_wins() -> None:
    commands = of(command("fix all tests"), command("fix all"))
    assert reached("/fix all tests now", commands) == ("/gemini/user//fix all tests.toml", "now")
    assert reached("/fix all now", commands) == ("/gemini/user//fix all.toml", "now")


def test_a_mistyped_name_is_answered_with_what_was_meant() -> None:
    commands = of(command("review"), command("git:commit"))
    assert refused("/reveiw", commands)[2] == "did you mean `/review`?"
    assert refused("/commit", commands)[2] == "did you mean `/git:commit`?"
    assert refused("/Review", commands)[2] == "did you mean `/review`?"
    assert refused("/xyzzy", commands)[0] == "unknown-command"
    assert refused("review", commands)[0] == "not-a-command"
    assert refused("  ", commands)[0] == "not-a-command"


def test_a_broken_file_answers_for_its_name(tmp_path: Path) -> None:
    folder = tmp_path / ".gemini" / "commands"
    folder.mkdir(parents=True)
    (folder / "deploy.toml").write_text("prompt = 5")
    commands = catalog(Places(str(tmp_path / "home"), str(tmp_path)))
    assert refused("/deploy", commands)[0] == "command-no-prompt"


def test_a_folder_named_for_this_run_stands_in_for_the_installed_package(tmp_path: Path) -> None:
    home, dev = tmp_path / "home", tmp_path / "dev"
    for folder, prompt in ((home / ".gemini" / "extensions" / "box", "old"), (dev, "new")):
        (folder / "commands").mkdir(parents=True)
        (folder / "gemini-extension.json").write_text(json.dumps({"name": "box", "version": "1.0.0"}))
        (folder / "commands" / "go.toml").write_text(f'prompt = "{prompt}"')
    places = Places(str(home), str(tmp_path))
    assert resolve("/go", catalog(places)).entry.command.path.startswith(str(home))
    entry = resolve("/go", catalog(places, folders=["dev"])).entry
    assert entry.command.path.startswith(str(dev))
    assert entry.named
    assert len(catalog(places, folders=["dev"]).entries) == 1


@pytest.mark.parametrize("content", [None, "", "{}"])
def test_a_folder_that_is_no_package_is_refused(tmp_path: Path, content: str | None) -> None:
    if content is not None:
        (tmp_path / "dev").mkdir()
    if content:
        (tmp_path / "dev" / "gemini-extension.json").write_text(content)
    with pytest.raises(PiscesError) as caught:
        catalog(Places(str(tmp_path), str(tmp_path)), folders=["dev"])
    assert caught.value.diagnostic.code in ("no-package-here", "manifest-invalid")


def test_suggestions_are_few(tmp_path: Path) -> None:
    commands = of(*(command(f"deploy-{index}") for index in range(50)))
    assert len(suggestions("deploy", commands)) == 3


def test_finding_one_of_thousands_does_not_look_at_the_others() -> None:
    """The work of a lookup is counted, not timed: bench/commands.py has the time."""

    class Counting(dict[str, object]):
        looks = 0

        def get(self, key: object, default: object = None) -> object:
            Counting.looks += 1
            return super().get(key, default)  # type: ignore[call-overload]

    commands = of(*(command(f"group-{index % 70}:name-{index}") for index in range(5_000)))
    counted = commands.replace(names=Counting(commands.names))
    assert resolve("/group-5:name-4975 x", counted).entry.command.name == "group-5:name-4975"
    assert Counting.looks == 1


@pytest.mark.parametrize("line", ["", " ", "/", " / "])
def test_a_line_that_names_nothing_is_answered_with_the_list(line: str) -> None:
    code, message, hint = refused(line, of(command("review")))
    assert (code, message) == ("not-a-command", "no command was named")
    assert "pisces commands list" in hint


def test_an_empty_package_option_does_not_trust_the_folder_one_is_in(tmp_path: Path) -> None:
    (tmp_path / "gemini-extension.json").write_text('{"name": "here", "version": "1.0.0"}')
    with pytest.raises(PiscesError, match="names no folder"):
        catalog(Places(str(tmp_path), str(tmp_path)), folders=[""])
