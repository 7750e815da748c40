"""Lines fit the terminal: folded, cut or stacked, with wide and combining characters counted as they are drawn."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, strategies as st
from tests.house.full_world import full_world

from pisces.__main__ import main
from pisces.by_name import names_in
from pisces.ui.table import path_rows, table
from pisces.ui.width import cut, folded, short_path, width_of

COMMANDS = [name.replace("_", " ", 1).split() for name in names_in("pisces.cli")]


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("abc", 3),
        ("日本", 4),
        ("e\u0301", 1),
        ("\u0e01\u0e34", 1),
        ("❤\ufe0f", 1),
        ("\u1112\u1161\u11ab", 2),
        ("ｗ", 2),
        ("…", 1),
        ("\x1b[1mab\x1b[0m", 2),
        ("\x1b[31m日\x1b[0m", 2),
    ],
)
def test_text_is_as_wide_as_it_is_drawn(text: str, width: int) -> None:
    assert width_of(text) == width


def test_a_line_is_folded_at_blanks_and_goes_on_indented() -> None:
    assert list(folded("  one two three four", 10)) == ["  one two", "    three", "    four"]
    assert list(folded("one two", 0)) == ["one two"]
    assert list(folded("日本 日本 日本", 10)) == ["日本 日本", "  日本"]


def test_a_long_word_at_the_end_stays_with_its_label() -> None:
    assert list(folded(f"  content   {'a' * 71}", 80)) == [f"  content   {'a' * 71}"]
    assert list(folded(f"see {'a' * 50} there", 40)) == [f"see {'a' * 50}", "  there"]


@given(st.text(alphabet="ab 日\u0301é", max_size=120), st.integers(1, 60))
def test_folding_loses_nothing_and_lines_fit(text: str, width: int) -> None:
    lines = list(folded(text, width))
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    words = [width_of(word) for word in text.split(" ")]
    assert all(width_of(line) <= width for line in lines) or max(words) > min(width - 2, width // 2)


@given(st.text(alphabet="ab日\u0301é…", max_size=80), st.integers(2, 60))
def test_what_is_cut_fits(text: str, width: int) -> None:
    assert width_of(cut(text, width)) <= width
    assert cut(text, 1000) == text


def test_a_path_loses_its_middle() -> None:
    path = "~/.claude/plugins/cache/team/review/skills/notes/SKILL.md"
    assert short_path(path, 60) == path
    assert short_path(path, 40) == "~/.claude/…/review/skills/notes/SKILL.md"
    assert short_path(path, 16) == "~/…/SKILL.md"
    assert width_of(short_path(path, 5)) <= 5


def test_a_table_with_paths_is_folded_then_stacked() -> None:
    rows = [["name", "claude, codex, gemini, opencode, qwen", "~/.claude/skills/name/SKILL.md"]]
    assert list(path_rows(rows, 0)) == [[line] for line in table(rows)]
    assert list(path_rows(rows, 64)) == [
        ["name  claude, codex, gemini,    ~/.claude/skills/name/SKILL.md", "      opencode, qwen"]
    ]
    assert list(path_rows(rows, 30)) == [
        ["name", "  claude, codex, gemini,", "    opencode, qwen", "  ~/.claude/skills/name/SKILL.md"]
    ]


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home, project = tmp_path / "h", tmp_path / "h" / "c"
    project.mkdir(parents=True)
    full_world(home, project)
    (project / ".claude" / "skills" / "長い名前のスキル").mkdir(parents=True)
    skill = "---\nname: 長い名前のスキル\ndescription: Some words.\n---\n"
    (project / ".claude" / "skills" / "長い名前のスキル" / "SKILL.md").write_text(skill, "utf-8")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.chdir(project)
    return home


READING: list[list[str]] = [
    ["--help"],
    ["extensions"],
    ["lst"],
    ["list"],
    ["list", "--all"],
    *(["list", kind, "--all"] for kind in ("skills", "commands", "mcp-servers", "hooks", "settings", "packages")),
    ["list", "--harness", "claude", "--all"],
    ["list", "--harness", "pisces"],
    ["why", "loose"],
    ["why", "docs"],
    ["why", "--effective", "mcpServers"],
    ["doctor"],
    ["check"],
    ["check", "--harnesses", "--severity", "note"],
    ["explain"],
    ["explain", "agent-header"],
    ["commands", "list"],
    ["commands", "show", "/explain"],
    ["commands", "trust"],
    ["modules", "list"],
    ["extensions", "list", "--all"],
    ["extensions", "info", "stored"],
    ["extensions", "config", "stored"],
    ["extensions", "update", "nobody"],
    ["trust", "--list"],
    ["scan", "."],
    ["inspect", "../.gemini/extensions/gemini-kit"],
    ["ide", "status"],
]


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("words", [*READING, *([*each, "--help"] for each in COMMANDS)], ids=" ".join)
def test_forty_columns_are_enough(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main(words)
    shown = capsys.readouterr()
    lines = (shown.out + shown.err).splitlines()
    assert lines
    assert not [line for line in lines if width_of(line) > 40 and not _is_one_long_word(line)]


def _is_one_long_word(line: str) -> bool:
    """A path, an address, a hash or a name, alone or behind a label."""
    words = line.split()
    return width_of(words[-1]) > 20 or any(width_of(word) > 36 for word in words)


@pytest.mark.usefixtures("world")
def test_colours_are_for_terminals_and_who_asks(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    main(["list"])
    assert "\x1b" not in capsys.readouterr().out
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "79")
    main(["list"])
    assert "\x1b[1mclaude\x1b[0m" in capsys.readouterr().out


@pytest.mark.skipif(sys.platform == "win32", reason="pipes break otherwise there")
@pytest.mark.parametrize("words", [*READING, ["completion", "bash"], ["--version"]], ids=" ".join)
def test_a_reader_that_has_seen_enough_ends_it_well(words: list[str], world: Path) -> None:
    """The pipe is closed before the first word is written."""
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "pisces", *words]
    done = subprocess.run(command, cwd=world / "c", stdout=writer, stderr=subprocess.PIPE, text=True, timeout=60)
    os.close(writer)
    assert done.returncode == 0 or not _prints(words)
    assert "Traceback" not in done.stderr
    assert "BrokenPipe" not in done.stderr


def _prints(words: list[str]) -> bool:
    """Those that say on stderr alone that there is nothing to print cannot notice."""
    return words not in (["lst"], ["commands", "trust"], ["trust", "--list"], ["extensions", "update", "nobody"])
