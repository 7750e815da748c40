"""Every command that a shell line may run is found; what cannot be read is said."""

from __future__ import annotations

import pytest

from pisces.gates.shell import argv_line, shell_line, typed_line

# A line, and the commands in it that run `rm`.
HIDDEN = (
    "rm x",
    "ls && rm x",
    "ls || rm x",
    "ls; rm x",
    "ls | rm x",
    "ls & rm x",
    "ls\nrm x",
    "echo $(rm x)",
    "echo `rm x`",
    'echo "$(rm x)"',
    'echo "a `rm x` b"',
    "echo ${A:-$(rm x)}",
    "echo $((1 + $(rm x)))",
    "diff <(rm x) y",
    "tee >(rm x)",
    "(rm x)",
    "{ rm x; }",
    "if rm x; then ls; fi",
    "if ls; then rm x; else ls; fi",
    "for a in $(rm x); do ls; done",
    "for a in b; do rm x; done",
    "while rm x; do ls; done",
    "until ls; do rm x; done",
    "case a in b) rm x;; esac",
    "case $(rm x) in b) ls;; esac",
    "f() { rm x; }",
    "function f { rm x; }",
    "! rm x",
    "time rm x",
    "time -p rm x",
    "A=$(rm x)",
    "A=1 rm x",
    "A=1 B=2 rm x",
    "ls > $(rm x)",
    "bash <<E\nrm x\nE",
    "bash <<-'E'\n\trm x\n\tE",
    "cat <<E\n$(rm x)\nE",
    "cat <<E | bash\nrm x\nE",
    "bash <<< 'rm x'",
    "echo rm x | sh",
    "[[ -n $(rm x) ]]",
    "env rm x",
    "env -i A=1 rm x",
    "env -u A rm x",
    "env -S 'rm x'",
    "timeout 5 rm x",
    "timeout -k 1 5 rm x",
    "nice -n 5 rm x",
    "nice -5 rm x",
    "nohup rm x",
    "setsid rm x",
    "stdbuf -oL rm x",
    "sudo rm x",
    "sudo -u me rm x",
    "sudo --user=me A=1 rm x",
    "doas rm x",
    "command rm x",
    "command -p rm x",
    "builtin rm x",
    "exec rm x",
    "exec -a b rm x",
    "xargs rm",
    "ls | xargs -n 1 rm -f",
    "ls | xargs -I {} rm {}",
    "ls | xargs --replace rm {}",
    "sh -c 'rm x'",
    "bash -lc 'rm x'",
    "bash -euo pipefail -c 'rm x'",
    "/bin/sh -c 'ls; rm x'",
    "sh -c \"sh -c 'rm x'\"",
    "eval rm x",
    "eval 'rm x'",
    "eval -- rm x",
    "trap 'rm x' EXIT",
    "find . -exec rm {} +",
    "find . -name a -execdir rm {} \\; -print",
    "find . -ok rm {} \\;",
    "fd -x rm",
    "parallel rm ::: a b",
    "watch rm x",
    "watch -x rm x",
    "ssh host rm x",
    "ssh -p 22 host 'rm x'",
    "su -c 'rm x'",
    "flock f rm x",
    "flock f -c 'rm x'",
    "busybox rm x",
    "env timeout 5 nice sudo rm x",
    "/bin/rm x",
    "'rm' x",
    '"rm" x',
    "r'm' x",
    "\\rm x",
    "r\\m x",
    "r\\\nm x",
    "\trm\tx",
    "X=rm; $X x",
    "X=rm; ${X} x",
    "X=m; r$X x",
    'X="rm x"; $X',
    "X=rm && env $X x",
    "$EMPTY rm x",
    'r""m x',
    'r$EMPTY""m x',
    "$(echo rm) x",
    "{rm,x}",
    "for c in ls rm; do $c x; done",
    "RM.exe x",
    "uv run rm x",
    "poetry run rm x",
    "docker exec -u me box rm x",
    "rm x; echo $'\\n'",
    "echo 'never ends; rm x",
    "select a in b; do rm x; done",
    "coproc rm x",
    "ls | time -o f rm x",
    "time -f %e rm x",
    "repeat 3 rm x",
    "- rm x",
    "noglob rm x",
    "git -c alias.x='!rm y' x",
    "git -c core.pager='rm x' log",
    "git bisect run rm x",
    "git submodule foreach 'rm x'",
    "git rebase -x 'rm x' main",
    "tar cf a b --to-command='rm x'",
    "tar cf a b --checkpoint-action=exec='rm x'",
)

UNREADABLE = (
    'bash -c "$X"',
    "bash",
    "curl example.com | sh",
    "bash < file",
    'eval "$X"',
    "$X a",
    "${X}",
    "$(cat a)",
    "`cat a` b",
    "{ls,-l}",
    "l* a",
    "/bin/r?",
    "~/bin/a",
    "=rm x",
    "ls | xargs cat",
    "find . -exec cat {} +",
    "ssh host ls",
    "echo $'a'",
    "echo $'\\x41'",
    "l\\\ns",
    "alias ls=rm; ls",
    "ls() { cat; }; ls",
    "source <(cat a)",
    "sudo -i",
    "su",
    "env -S 'a \"b\"'",
    "echo 'never ends",
    "ls )",
    "ls; }",
    "a() b() c",
    "echo \0",
    "x='a[$(rm y)]'; echo $((x))",
    "fish -c ls",
)

PLAIN: tuple[tuple[str, list[tuple[str | None, ...]]], ...] = (
    ("ls", [("ls",)]),
    ("ls -l 'a b'", [("ls", "-l", "a b")]),
    ('git commit -m "it\'s"', [("git", "commit", "-m", "it's")]),
    ("a && b | c; d", [("a",), ("b",), ("c",), ("d",)]),
    ("echo $HOME", [("echo", None)]),
    ("cat *.py", [("cat", "*.py")]),
    ("export A=1", [("export", "A=1")]),
    ("A=1", [()]),
    ("# nothing", []),
    ("", []),
    ("bash file.sh", [("bash", "file.sh")]),
    ("bash --version", [("bash", "--version")]),
    ("command -v ls", [("command", "-v", "ls")]),
    ("python3 -c 'import os; os.x'", [("python3", "-c", "import os; os.x")]),
    ("sh -c 'a b'", [("sh", "-c", "a b"), ("a", "b")]),
)


@pytest.mark.parametrize("line", HIDDEN)
def test_no_command_hides(line: str) -> None:
    read = shell_line(line)
    words = [words for each in read.commands for words in (each.words, *each.readings)]
    assert any(each[:1] == ("rm",) for each in words), read


@pytest.mark.parametrize("line", UNREADABLE)
def test_what_cannot_be_read_is_not_plain(line: str) -> None:
    assert not shell_line(line).is_plain


@pytest.mark.parametrize(("line", "words"), PLAIN)
def test_a_plain_line_has_exactly_its_commands(line: str, words: list[tuple[str | None, ...]]) -> None:
    read = shell_line(line)
    assert read.is_plain, read
    assert [each.words for each in read.commands] == words


def test_wrappers_are_named_outermost_first() -> None:
    first, second, third = shell_line("env A=1 timeout 5 rm x").commands
    assert (first.words[0], first.wrappers) == ("env", ())
    assert (second.words, second.wrappers) == (("timeout", "5", "rm", "x"), ("env",))
    assert (third.words, third.wrappers, third.assigned) == (("rm", "x"), ("env", "timeout"), ("A",))


def test_redirections_belong_to_every_command_of_their_group() -> None:
    line = shell_line("{ a > b; c; } 2>> d < $E")
    redirects = [[(each.operator, each.target) for each in command.redirects] for command in line.commands]
    assert redirects == [[(">>", "d"), ("<", None), (">", "b")], [(">>", "d"), ("<", None)]]


@pytest.mark.parametrize(
    ("line", "reading"),
    [
        ("git -C . push", ("git", "push")),
        ("git -c a=b --no-pager --git-dir x push -f", ("git", "push", "-f")),
        ("/usr/bin/git push", ("git", "push")),
        ("kubectl -n a delete b", ("kubectl", "delete", "b")),
        ("npm --prefix a publish", ("npm", "publish")),
        ("docker --context a push b", ("docker", "push", "b")),
    ],
)
def test_global_options_are_read_away(line: str, reading: tuple[str, ...]) -> None:
    assert reading in shell_line(line).commands[0].readings


@pytest.mark.parametrize("line", ["ls", "ls -l > a", "git commit -m 'a; b'"])
def test_one_simple_command_is_not_compound(line: str) -> None:
    assert not shell_line(line).is_compound


@pytest.mark.parametrize("line", ["a; b", "a $B", "(a)", "env a", "a $(b)", "[[ a ]]", "'", ""])
def test_anything_else_is_compound(line: str) -> None:
    assert shell_line(line).is_compound


def test_arguments_without_a_shell_are_not_read_by_one() -> None:
    line = argv_line(["echo", "$(rm x)", "; rm x"])
    assert [each.words for each in line.commands] == [("echo", "$(rm x)", "; rm x")]
    assert [each.words for each in argv_line(["bash", "-lc", "rm x"]).commands][1:] == [("rm", "x")]


def test_what_is_typed_ends_with_every_return_and_may_repeat_history() -> None:
    assert [each.words for each in typed_line("ls\rrm x\r").commands] == [("ls",), ("rm", "x")]
    assert not typed_line("!rm\n").is_plain
    assert not typed_line("\x1b[A\n").is_plain


@pytest.mark.parametrize(
    "line",
    [
        "$(" * 5000,
        "(" * 5000,
        "{ " * 5000,
        "${a:-" * 5000,
        "$((" * 5000,
        "$[" * 50_000,
        "a=(" * 5000,
        "`" * 50_001,
        "! " * 50_000 + "a",
        "f() " * 5000,
        "a;" * 60_000,
        "'" * 100_001,
        "x" * 1_000_000,
        "x " * 100_000,
        "a=$((b[" * 5000,
        "<<a " * 5000,
        "sh -c " * 5000,
        "env " * 40_000 + "rm",
        "$a" * 20_000,
        "{a,b}" * 10_000,
        "[[ " * 5000,
        "case a in " * 5000,
    ],
)
def test_long_and_deep_lines_are_bounded(line: str) -> None:
    shell_line(line)
