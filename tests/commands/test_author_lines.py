"""Whatever is typed, it never runs: author lines are filled and run by real shells. No `canary` may appear."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import process_time
from zlib import crc32

import pytest

from pisces.commands.names.argument_words import split_words
from pisces.commands.prompts.line_arguments import Given, Unquotable, filled_line
from pisces.commands.prompts.shell_quoting import BASH, posix_quoted
from tests.commands.author_lines import ANY_WORDS, ATTACKED, HOSTILE, ORDINARY, PLAIN_WORDS
from tests.commands.overlooked_lines import CALCULATED, OVERLOOKED

pytestmark = pytest.mark.skipif(not shutil.which("bash"), reason="needs bash")

PLACEHOLDER = re.compile(r"\{\{args\}\}")
CANARY = "canary"
# Programs that must not run for real, or are not on every machine, read their words as the real ones do.
STUBS = {
    "ssh": 'while [ "${1#-}" != "$1" ]; do shift; done; shift; exec sh -c "$*"',
    "sudo": 'exec "$@"',
    "su": '[ "$1" = -c ] || shift; [ "$1" = -c ] && exec sh -c "$2"',
    "npx": 'while [ $# -gt 0 ]; do [ "$1" = -c ] && exec sh -c "$2"; shift; done',
    "docker": 'while [ $# -gt 0 ]; do [ "$1" = sh ] && exec "$@"; shift; done',
    "kubectl": 'while [ $# -gt 0 ]; do [ "$1" = bash ] && exec "$@"; shift; done',
    "unknown-wrapper": '[ "$1" = --exec ] && exec sh -c "$2"; exec "$@"',
    "watch": 'while [ "${1#-}" != "$1" ]; do shift 2; done; exec sh -c "$*"',
    "script": 'exec sh -c "$2"',
    "hyperfine": 'exec sh -c "$1"',
    "busybox": 'exec "$@"',
    "parallel": 'while [ $# -gt 0 ]; do [ "$1" = ::: ] && exec sh -c "$2"; shift; done',
    "zsh": 'exec sh "$@"',
    "ksh": 'exec sh "$@"',
    "fish": 'exec sh "$@"',
    "at": "exec sh",
    "man": 'exec sh -c "$2"',
    "vim": 'exec sh -c "${2#!}"',
    **dict.fromkeys(("npm", "gh", "cargo", "go", "pytest", "rg", "tree", "fluxmirror", "nomos", "curl"), "exit 0"),
}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small repository, and programs that stand for those that reach out."""
    folder = tmp_path_factory.mktemp("world")
    (folder / "bin").mkdir()
    for name, text in STUBS.items():
        (folder / "bin" / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / "bin" / name).chmod(0o755)
    work = folder / "work"
    work.mkdir()
    (work / "notes.txt").write_text("alpha\nbeta\n")
    (work / "Makefile").write_text("all show:\n\t@echo $(X) $(NAME)\n")
    (work / "script.py").write_text("import sys\nprint(sys.argv[1:])\n")
    (work / "script.js").write_text("console.log(process.argv.length)\n")
    (work / "script.sh").write_text("#!/bin/sh\necho $#\n")
    (work / "script.sh").chmod(0o755)
    git = ["git", "-c", "user.name=x", "-c", "user.email=x@x"]
    for words in (["init", "-q"], ["add", "notes.txt"], ["commit", "-qm", "one"]):
        subprocess.run([*git, *words], cwd=work, check=True)
    return folder


def filled(line: str, args: str, *, split: bool = False) -> str | None:
    """The line as it would run; None if the arguments are refused. `split` is what `$ARGUMENTS` does."""
    words = tuple(split_words(args)) if split else (args,) if args else ()
    try:
        return filled_line(line, PLACEHOLDER, lambda _: Given(args, words), BASH)
    except Unquotable:
        return None


class Runs:
    def __init__(self, world: Path) -> None:
        self.work = world / "work"
        tools = f"{os.path.dirname(sys.executable)}:/usr/local/bin:/usr/bin:/bin"
        self._env = {"PATH": f"{world / 'bin'}:{tools}", "HOME": str(world), "SHELL": "/bin/sh", "LC_ALL": "C.UTF-8"}

    def are_caught(self, lines: Sequence[str], shell: str = "bash") -> bool:
        """Runs one line after the other. Whether the file has appeared; what else they made is removed."""
        before = set(os.listdir(self.work))
        each = 'while IFS= read -r -d "" line; do timeout 20 "$0" -c "$line" </dev/null; [ -e canary ] && break; done'
        subprocess.run(
            ["bash", "-c", each, shell],
            cwd=self.work,
            env=self._env,
            input=b"".join(line.encode() + b"\0" for line in lines if "\0" not in line),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=120,
        )
        made = set(os.listdir(self.work)) - before
        for name in made:
            path = self.work / name
            shutil.rmtree(path) if path.is_dir() else path.unlink()
        return CANARY in made

    def caught(self, lines: Sequence[str], shell: str = "bash") -> list[str]:
        """Which of the lines made the file."""
        if not self.are_caught(lines, shell):
            return []
        return [line for line in lines if self.are_caught([line], shell)]


def some(items: Sequence[str], line: str) -> list[str]:
    """Every one if that is asked for, else a sample that is another for each line."""
    if os.environ.get("PISCES_EVERY_ARGUMENT"):
        return list(items)
    return [each for number, each in enumerate(items) if (number + crc32(line.encode())) % 8 == 0]


@pytest.mark.parametrize("line", [*ANY_WORDS, *PLAIN_WORDS])
def test_ordinary_words_work_in_ordinary_lines(line: str) -> None:
    for split in (False, True):
        assert filled(line, ORDINARY, split=split) is not None


@pytest.mark.parametrize("line", ANY_WORDS)
def test_any_words_work_where_they_are_data(line: str) -> None:
    for args in ("fix the typo", "it's great!", 'say "hi" & $HOME; `id`', "a|b > c", "grüße 🐟"):
        assert filled(line, args) is not None, args


@pytest.mark.parametrize(
    "line", ["make X={{args}}", "bash -c 'echo {{args}}'", "node -e 'f(\"{{args}}\")'", "make {{args}}"]
)
def test_several_ordinary_words_work_where_they_are_read_once_more(line: str) -> None:
    assert filled(line, "fix the typo") is not None


@pytest.mark.parametrize("line", [*ANY_WORDS, *PLAIN_WORDS, *ATTACKED])
def test_no_argument_becomes_code(line: str, world: Path) -> None:
    wanted = HOSTILE if line in ATTACKED else some(HOSTILE, line)
    lines = {filled(line, args, split=split) for args in wanted for split in (False, True)}
    assert not Runs(world).caught([each for each in lines if each is not None])


@pytest.mark.parametrize("line", OVERLOOKED)
def test_what_would_be_run_is_not_put_in(line: str) -> None:
    for args in ("touch canary", "$(touch canary)", "; touch canary", "a[$(touch canary)]"):
        for split in (False, True):
            assert filled(line, args, split=split) is None, args


@pytest.mark.parametrize("line", CALCULATED)
def test_no_sign_gets_to_what_reads_the_words_once_more(line: str) -> None:
    for args in ("$(touch canary)", "; touch canary", "a[$(touch canary)]", "*(e:touch canary:)"):
        assert filled(line, args) is None, args
    assert filled(line, ORDINARY) is not None


@pytest.mark.parametrize("mark", ["<<END", "<<'END'", '<<E"N"D', "<<-END"])
@pytest.mark.parametrize(("before", "typed"), [("", "END"), ("EN", "D"), ("\t", "END")])
def test_no_word_ends_a_here_document(mark: str, before: str, typed: str) -> None:
    line = f"cat {mark}\n{before}{{{{args}}}}\ntouch canary\nEND"
    assert filled(line, typed) is None
    assert filled(line, "fix the typo") is not None


@pytest.mark.parametrize("words", ["clone {{args}} out", "fetch {{args}}", "ls-remote {{args}}"])
def test_no_address_names_a_program_for_git(words: str) -> None:
    assert filled(f"git {words}", "ext::sh -c touch% canary") is None
    assert filled(f"git {words}", "https://example.invalid/a b.git") is not None


@pytest.mark.parametrize(
    "line",
    """
docker exec -it c ls {{args}}
docker run --rm -v "$PWD:/w" -w /w node:20 npm test -- {{args}}
docker compose exec -T web python manage.py {{args}}
kubectl exec pod -- ls {{args}}
uv run pytest -k {{args}}
npx prettier --check "{{args}}"
rsync -avz notes.txt host:{{args}}
scp -i key -P 22 {{args}} host:x
go build -o {{args}} ./...
git worktree add ../{{args}} -b {{args}}
git commit -am {{args}}
sudo -nu www cat {{args}}
curl -sSL -o out http://127.0.0.1:9/{{args}}
python3 -c 'import sys, urllib.parse as u; print(u.quote(sys.argv[1]))' {{args}}
node -e 'console.log(encodeURIComponent(process.argv[1]))' {{args}}
zsh -c 'echo "$1"' zsh {{args}}
echo {{args}} > out.txt; python3 script.py out.txt
find -L {{args}} -name x
""".strip().splitlines(),
)
def test_several_ordinary_words_work_beside_what_runs(line: str) -> None:
    assert filled(line, "fix the typo") is not None


@pytest.mark.skipif(not shutil.which("dash"), reason="needs dash")
@pytest.mark.parametrize("line", [*ANY_WORDS, *PLAIN_WORDS])
def test_no_argument_becomes_code_where_sh_is_dash(line: str, world: Path) -> None:
    lines = [filled(line, args) for args in some(HOSTILE[:30], line)]
    assert not Runs(world).caught([each for each in lines if each is not None], "dash")


@pytest.mark.parametrize(
    "line",
    [
        "sudo " * 1500 + "{{args}}",
        "parallel " * 800 + "{{args}}",
        "! " * 3000 + "{{args}}",
        'echo "' + "${x:-" * 1500 + "{{args}}" + "}" * 1500 + '"',
        "echo " + "$((" * 2000 + "{{args}}",
        "eval " * 1500 + "{{args}}",
        "x=$x;" * 1500 + "echo {{args}}",
        "find . " + "-exec find " * 700 + "{{args}}",
        "[[ " + "( " * 3000 + "{{args}}",
        "sh -c 'sh -c \"sh -c $1\"' " * 300 + "{{args}}",
    ],
)
def test_a_line_that_is_built_to_be_slow_is_answered_soon(line: str) -> None:
    started = process_time()
    filled(line, "x; touch canary")
    assert process_time() - started < 2


def test_a_path_of_ours_is_quoted_wherever_it_stands_and_is_nobodys_words() -> None:
    def fill(match: re.Match[str]) -> Given:
        is_root = match[0] == "{{root}}"
        return Given("/my $(x)", ("/my $(x)",), is_typed=False) if is_root else Given("a b", ("a b",))

    both = re.compile(r"\{\{(?:root|args)\}\}")
    for line, filled in (
        ("{{root}}/run {{args}}", "'/my $(x)'/run 'a b'"),
        ('sh "{{root}}/run.sh" {{args}}', "sh \"/my \\$(x)/run.sh\" 'a b'"),
        (
            "cd {{root}} && source {{root}}/env.sh; echo {{args}}",
            "cd '/my $(x)' && source '/my $(x)'/env.sh; echo 'a b'",
        ),
    ):
        assert filled_line(line, both, fill, BASH) == filled
    for line in ('bash -c "{{root}}/run.sh {{args}}"', "echo `{{root}}/run`", "eval {{root}}/run"):
        with pytest.raises(Unquotable):
            filled_line(line, both, fill, BASH)


def test_a_refusal_says_what_to_write() -> None:
    for line, hint in (
        ("sort {{args}}", "write `--` before the placeholder"),
        ("bash -c {{args}}", "sh -c 'grep -- \"$1\" notes.txt' sh {{args}}"),
        ("x={{args}}; sort $x", "write double quotes around the variable"),
        ("echo $(( {{args}} ))", "compare text with `=`"),
    ):
        with pytest.raises(Unquotable) as refused:
            filled_line(line, PLACEHOLDER, lambda _: Given("--output=x y", ("--output=x y",)), BASH)
        assert hint in refused.value.hint


def test_the_attacks_are_real(world: Path) -> None:
    """Quoted as one word and put into the line, as it was done once, or as it is typed, most of them run."""
    runs = Runs(world)
    words = [word for args in HOSTILE for word in (posix_quoted(args), args)]
    lines = some(ATTACKED, "")
    harmless = [line for line in lines if not runs.are_caught([line.replace("{{args}}", word) for word in words])]
    assert len(harmless) < 0.2 * len(lines), harmless
