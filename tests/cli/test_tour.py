"""`pisces tour`: every scene shows its proof, nothing of the user's is touched, and nobody has to wait."""

from __future__ import annotations

import asyncio
import errno
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.modules.js_session import bun

from pisces.__main__ import main
from pisces.diagnostics import PiscesError
from pisces.places import Places
from pisces.ui.screen import Screen
from pisces.ui.tour.play import places_of_tour, play
from pisces.ui.tour.script import TourScript, tour_script
from pisces.ui.tour.tour_screen import TourScreen

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="its programs are shell scripts")
pytestmark = POSIX
HEAVY = "httpx2 rich prompt_toolkit mcp pydantic".split()

PROGRAM = """
import sys
from pisces.__main__ import main
status = main(["tour"])
sys.stderr.write(" ".join(sorted(sys.modules)))
sys.exit(status)
"""


def env_of(folder: Path, **more: str) -> dict[str, str]:
    """A home in which nothing is, and a folder for temporary files."""
    for name in ("home", "tmp"):
        (folder / name).mkdir(exist_ok=True)
    path = os.pathsep.join(("/usr/bin", "/bin"))
    home = str(folder / "home")
    return {"PATH": path, "HOME": home, "TMPDIR": str(folder / "tmp"), "PISCES_JS_RUNTIME": "/nowhere", **more}


@pytest.fixture(scope="module")
def toured(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, subprocess.CompletedProcess[str]]:
    folder = tmp_path_factory.mktemp("tour")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=folder,
        env=env_of(folder, ANTHROPIC_API_KEY="secret-of-the-user", COLUMNS="200"),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return folder, done


def test_every_scene_shows_its_proof(toured: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    _, done = toured
    assert done.returncode == 0, done.stdout + done.stderr
    shown = " ".join(done.stdout.split())
    for proof in (
        "│ Run this line of a prompt file?",
        "12 knots from the west, rain later",
        "● shell git push --force denied by PreToolUse hook",
        '<activated_skill name="guard:knots">',
        "shell: there is no tool `shell` here. There are: read",
        "│ sha256: ",
        " s Hamburg 04:12 high",
        '"selectedText": "berth 4: 3.1 m"',
        "runs command /log:entry of package harbour",
        "judged user allow program /tides Hamburg",
        "scripted/scripted-1 Write one line for log.md",
    ):
        assert proof in shown


def test_without_a_runtime_the_scene_in_typescript_is_skipped_with_the_reason(
    toured: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    _, done = toured
    assert "skipped: `PISCES_JS_RUNTIME` is `/nowhere`" in " ".join(done.stdout.split())


def test_nothing_stays_behind_and_no_key_is_passed_on(
    toured: tuple[Path, subprocess.CompletedProcess[str]],
) -> None:
    folder, done = toured
    assert [path for path in folder.rglob("*") if path.is_file()] == []
    assert [path.name for path in (folder / "tmp").iterdir()] == []
    assert "secret-of-the-user" not in done.stdout


def test_the_base_install_is_enough(toured: tuple[Path, subprocess.CompletedProcess[str]]) -> None:
    _, done = toured
    loaded = set(done.stderr.split())
    assert "pisces.ui.tour.play" in loaded
    assert loaded.isdisjoint(HEAVY)


def test_its_places_have_nothing_of_the_users(tmp_path: Path) -> None:
    here = Places(
        "/home/me", "/home/me/work", {"PATH": "/bin", "ANTHROPIC_API_KEY": "key", "PI_CODING_AGENT_DIR": "/x"}
    )
    own = places_of_tour(str(tmp_path), here)
    assert own.env["PATH"] == "/bin"
    assert not {"ANTHROPIC_API_KEY", "PI_CODING_AGENT_DIR"} & set(own.env)
    assert all(path.startswith(str(tmp_path)) for path in (own.home, own.cwd, own.env["TMPDIR"], own.agent_dir))


def played(script: TourScript, folder: Path, env: dict[str, str]) -> str:
    """What is shown; the folder stays."""
    with open(folder / "shown", "w+", encoding="utf-8") as out:
        places = places_of_tour(str(folder / "world"), Places("/", "/", env))
        screen = TourScreen(Screen(out, out, {}), places.env, 0.0)
        asyncio.run(play(script, places, screen, lambda _line: None))
        out.seek(0)
        return out.read()


def scene_of(line: str) -> TourScript:
    """The first scene, whose files all others need, and the one with this line."""
    script = tour_script()
    chosen = next(each for each in script.scenes if line in each.line)
    others = [each.replace(line="", answers=(), selects=(), expect=(), shell=(), needs="") for each in script.scenes]
    return script.replace(
        scenes=tuple(
            chosen if each.line == chosen.line else other for each, other in zip(script.scenes, others, strict=True)
        )
    )


def test_with_a_runtime_the_tool_in_typescript_answers(tmp_path: Path) -> None:
    env = {"PATH": os.environ["PATH"], "PISCES_JS_RUNTIME": bun().argv[0]}
    assert '● knots_to_kmh {"knots": 12}\n  22.2 km/h' in played(scene_of("12 knots"), tmp_path, env)


def test_a_scene_that_does_not_show_what_it_should_fails_the_tour(tmp_path: Path) -> None:
    script = scene_of("push my work")
    wrong = tuple(each.replace(expect=("pushed",)) if each.line else each for each in script.scenes)
    with pytest.raises(PiscesError) as caught:
        played(script.replace(scenes=wrong), tmp_path, env_of(tmp_path))
    assert caught.value.diagnostic.code == "tour-failed"
    assert "did not show `pushed`" in caught.value.diagnostic.message


def test_a_hook_that_is_gone_is_noticed(tmp_path: Path) -> None:
    """The proof is not a film: without the hook's file the call is denied for another reason, and the tour fails."""
    script = scene_of("push my work")
    without = tuple(
        each.replace(files={path: text for path, text in each.files.items() if not path.endswith("guard.py")})
        for each in script.scenes
    )
    with pytest.raises(PiscesError):
        played(script.replace(scenes=without), tmp_path, env_of(tmp_path))


@pytest.mark.parametrize("columns", ["20", "40", "79"])
def test_a_narrow_screen_shows_as_much(
    columns: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setenv("PISCES_JS_RUNTIME", "/nowhere")
    assert main(["tour", "--fast"]) == 0
    assert "historyisnotrewritten" in "".join(capfd.readouterr().out.split())


def test_where_no_port_can_be_opened_the_scene_of_the_editor_is_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_address: object) -> None:
        raise OSError(errno.EADDRNOTAVAIL, "Cannot assign requested address")

    monkeypatch.setattr("socket.socket.bind", refused)
    shown = " ".join(played(scene_of("is this still right"), tmp_path, env_of(tmp_path)).split())
    assert "skipped: no port on 127.0.0.1 can be opened here" in shown


def test_ctrl_c_ends_it_and_leaves_nothing_behind(tmp_path: Path) -> None:
    from tests.terminal import Terminal

    terminal = Terminal(["-m", "pisces", "tour"], tmp_path, env_of(tmp_path, TERM="xterm"), (24, 80))
    terminal.wait_for("log.md")
    terminal.type(b"\x03")
    assert terminal.end() == 130
    assert "Traceback" not in terminal.shown
    assert list((tmp_path / "tmp").iterdir()) == []


def test_in_safe_mode_it_does_not_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tour", "--safe"]) == 1
    assert "safe mode is on" in capsys.readouterr().err


def test_programs_get_one_object(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PISCES_JS_RUNTIME", "/nowhere")
    assert main(["tour", "--output-format", "json"]) == 0
    assert "git push --force" in json.dumps(json.loads(capfd.readouterr().out))


def test_at_a_terminal_enter_goes_on_and_q_leaves(tmp_path: Path) -> None:
    from tests.terminal import Terminal

    terminal = Terminal(["-m", "pisces", "tour"], tmp_path, env_of(tmp_path, TERM="xterm"), (24, 80))
    terminal.wait_for("1. A command of a Gemini CLI extension")
    terminal.type(b"\n")
    terminal.wait_for("Run this line of a prompt file?")
    terminal.type(b"q\n")
    terminal.wait_for("that was the tour so far")
    assert terminal.end() == 0
    assert list((tmp_path / "tmp").iterdir()) == []


def test_a_reader_that_has_seen_enough_ends_it_quietly(tmp_path: Path) -> None:
    shell = shutil.which("sh") or "sh"
    line = f"{sys.executable} -m pisces tour | head -n 3; echo done"
    done = subprocess.run(
        [shell, "-c", line],
        cwd=tmp_path,
        env=env_of(tmp_path),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stdout.splitlines()[-1] == "done"
    assert not re.search("Traceback|Error", done.stderr)
    assert list((tmp_path / "tmp").iterdir()) == []
