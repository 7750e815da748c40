"""Which program gets the user's words, and what it makes of them.

A program that is not in any of these tables takes any words as operands, but none that begins with `-`.
"""

from __future__ import annotations

import re

from pisces.commands.lines import builtins, languages, shells
from pisces.commands.lines.needs import (
    GIT_OPTION,
    GIT_READING,
    NAME,
    NEITHER_SIGN,
    NEVER,
    NO_FIRST_OPTION,
    NO_PROGRAM,
    NO_RUNNING,
    NO_TRANSPORT,
    ORDINARY,
    PHRASE,
)
from pisces.commands.lines.options import take_operand, take_operands, take_paths
from pisces.formats.shell.arguments import CLEAN, WORLD, Argument, CommandCall
from pisces.formats.shell.options import options_of
from pisces.formats.shell.starters import SHELLS, WRAPPERS, program_name
from pisces.formats.shell.syntax import HOLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.commands.lines.flow import Flow

_OTHER_SHELLS = frozenset("fish csh tcsh nu xonsh elvish".split())
# Programs with no option that runs or writes anything.
_DATA = frozenset(
    """
    echo true false : basename dirname cat head tail wc ls grep egrep fgrep cut tr nl tac rev fold fmt comm paste column
    cksum md5sum sha1sum sha256sum sha512sum b2sum realpath readlink stat seq expr cmp diff du df pwd which whereis type
    printenv sleep base64 od hexdump strings figlet banner cowsay
    """.split()
)
# What they get is run, or obeyed, in a language of their own.
_RUN_IT = frozenset(
    """
    at batch crontab m4 gdb lldb tmux screen socat ed ex dc mail mailx Mail telnet bind complete compgen compopt enable
    fc history ftp sftp gnuplot wish iex erl ghci jshell nc ncat netcat systemctl launchctl debugfs mutt xterm osqueryi
    irb pry ocaml swipl maxima gp sage hash ansible ansible-playbook salt pdsh fab
    """.split()
)
_KEEP_NOTHING = _DATA | frozenset("printf test [ read mapfile readarray set export declare typeset local cd".split())
_EDITORS = frozenset("vim vi nvim view gvim nano less more man info emacsclient code".split())
_RUNNERS = "just task rake npm pnpm yarn invoke inv gradle gradlew mvn mvnw ninja scons composer mage mise"
_CONTAINERS = frozenset("docker podman nerdctl docker-compose podman-compose kubectl oc crictl lxc".split())
_TAKE_COMMANDS = _CONTAINERS | frozenset("cargo go poetry pipenv uv bundle nix conda gh bunx npx pipx rye uvx".split())
# `run` starts a program of the project's own there.
_RUN_THEIR_OWN = frozenset("cargo go gh dotnet flutter swift stack cabal zig mix turbo nx bazel deno trunk".split())
_CONTAINER_FLAGS = re.compile(
    r"-[itdTqP]+|--(?:rm|init|detach|interactive|tty|privileged|no-deps|quiet|no-TTY|build|\w+=.*)"
)
_GIT_RUNS = frozenset(
    """
    bisect submodule filter-branch difftool mergetool daemon upload-pack receive-pack instaweb web--browse for-each-repo
    hook send-email config credential remote-ext http-backend shell
    """.split()
)
_GIT_DATA = frozenset("user.name user.email commit.template init.defaultBranch branch tag".split())
_GIT_VALUE = re.compile(r"-[a-z]*[mSGLCMU]|-n\0")  # the value stands in the same word
_RUN_WORDS = frozenset("run exec x dlx".split())
_RUNS_FIRST = ("npx", "bunx", "uvx")
_REMOTE_WORDS = frozenset("shell ssh rsh".split())  # `adb shell WORDS`: a shell elsewhere reads them
_STARTERS = frozenset("eval xargs env sudo nohup timeout source ssh awk gawk sed".split())
_REMOTES = frozenset("clone fetch pull push ls-remote remote archive".split())
_OTHER_CODE = {  # by the program, options whose value it runs; the letter may stand behind others
    "split": r"--filter",
    "pandoc": r"--filter|-F",
    "zip": r"-TT",
    "cmake": r"-E|env|time",
    "rsync": r"-[A-Za-z]*e",
    "scp": r"-[A-Za-z]*[oS]",
    **dict.fromkeys(("tar", "gtar", "bsdtar"), r"-?[A-Za-z]*[IF][A-Za-z]*|-[IF]"),
    **dict.fromkeys(("curl", "wget", "aria2c"), r"-[A-Za-z]*K|-e|--config|--execute"),
}


def judge(flow: Flow, call: CommandCall) -> None:
    """Adds what the words need that this command gets."""
    first = call.arguments[0]
    if first.taint:
        _as_program(flow, first, call)
        return
    flow.runs_file(first)
    name = program_name(first)
    if first.is_found:
        flow.need(WORLD, NEVER)
    reads_script = call.stdin >= WORLD and (name in SHELLS or name in languages.LANGUAGES)
    if name not in _KEEP_NOTHING and not reads_script:
        flow.state.stored |= call.taint - WORLD
    if first.text in flow.state.functions:
        flow.state.positional |= call.taint - call.stdin
        flow.state.functions[first.text] |= call.stdin
        return
    _judge_of(name)(flow, call)


def _as_program(flow: Flow, first: Argument, call: CommandCall) -> None:
    """The words name the program: only a part of its name may be theirs."""
    if flow.is_bare:
        flow.need(first.taint, NO_PROGRAM)
    else:
        is_part = not flow.nested and not first.begins_with_words and not first.splits
        flow.need(first.taint, NAME if is_part else NEVER)
    take_operands(flow, call.arguments[1:])


def _judge_of(name: str) -> Callable[[Flow, CommandCall], None]:
    if name in _TABLE:
        return _TABLE[name]
    if name in WRAPPERS:
        return shells.wrapper
    if name in languages.LANGUAGES:
        return languages.language
    if name in _RUN_IT:
        return _runs_all
    if name in _OTHER_SHELLS:
        return _other_shell
    if name in _EDITORS:
        return _editor
    if name in _DATA:
        return _data
    return _program if name else _unknown


def _data(flow: Flow, call: CommandCall) -> None:
    """Whatever the words are, they are data."""


def _runs_all(flow: Flow, call: CommandCall) -> None:
    flow.need(call.taint, NEVER)


def _other_shell(flow: Flow, call: CommandCall) -> None:
    flow.need(call.stdin, NEVER)
    flow.need(call.taint | flow.state.held, ORDINARY)
    if any(each.text == HOLE for each in call.arguments):
        flow.need(call.taint, NEVER)


def _editor(flow: Flow, call: CommandCall) -> None:
    for number, each in enumerate(call.arguments[1:]):
        before = call.arguments[number].text if number else ""
        if re.fullmatch(r"-[A-Za-z]*[cSsPHuptT]|--cmd|--pager", before):
            flow.need(each.taint, NEVER)
            flow.runs_file(each)
        flow.need(flow.code_names(each.text), NEVER)
        if re.match(r"-[A-Za-z]*[esE]", each.text) or (each.text.startswith("-") and each.taint):
            flow.need(call.taint if each.taint else call.stdin, NEVER)
        if each.begins_with_words and not each.splits:
            flow.need(each.taint, NEITHER_SIGN)
        elif each.taint and each.text.startswith("+"):
            flow.need(each.taint, NEVER)
        elif each.splits:
            flow.need(each.taint, ORDINARY)


def _unknown(flow: Flow, call: CommandCall) -> None:
    """Only the shell will know which program this is."""
    flow.need(call.taint, PHRASE)
    for number, each in enumerate(call.arguments[1:], 1):
        if number == 1 or call.arguments[number - 1].text.startswith("-"):
            flow.need(each.taint, NEVER)
    if call.stdin and len(call.arguments) == 1:
        flow.need(call.stdin, NEVER)
    _program(flow, call)


def _program(flow: Flow, call: CommandCall) -> None:
    """Any other program; a shell or an interpreter among its arguments gets what follows it."""
    _started_inside(flow, call)
    _other_code(flow, call)
    take_operands(flow, call.arguments[1:])
    for each in call.arguments[1:] if call.stdin else ():
        flow.write(each.replace(text=each.text.removeprefix("of=")), call.stdin)
    starts = False
    for number, each in enumerate(call.arguments[1:], 1):
        inner = program_name(each) if each.is_literal else ""
        is_code = inner in languages.LANGUAGES or inner in _STARTERS or inner in SHELLS
        if is_code or (starts and (inner in _TABLE or inner in WRAPPERS)):
            behind = call.arguments[number + 1 :]
            behind = behind[1:] if behind and behind[0].text == "--" else behind
            flow.state.judge(flow, CommandCall((each, *behind), call.stdin))
            return
        starts = starts or each.text == "--" or each.text in _RUN_WORDS


def _taking_commands(flow: Flow, call: CommandCall) -> None:
    for each in call.arguments[1:2]:
        if each.begins_with_words:
            flow.need(each.taint, PHRASE, NO_RUNNING)
    if call.arguments[0].text in ("npx", "bunx") and any(each.text in ("-c", "--call") for each in call.arguments):
        shells.with_command_option(flow, call)
        return
    if len(call.arguments) > 1 and call.arguments[1].text in ("alias", "extension"):
        flow.need(call.taint, NEVER)
    _program(flow, call)


def _started_inside(flow: Flow, call: CommandCall) -> None:
    """`docker exec NAME PROGRAM`, `poetry run PROGRAM`: the words may not be the program."""
    name, words = program_name(call.arguments[0]), [each.text for each in call.arguments]
    starters = _RUN_WORDS | _REMOTE_WORDS | ({"debug"} if name in _CONTAINERS else frozenset())
    found = (number for number, text in enumerate(words[1:], 1) if text in starters)
    start = next(found, 0 if name in _RUNS_FIRST else -1)
    if start < 0 or name in _RUN_THEIR_OWN:
        return
    behind = call.arguments[start + 1 :]
    if words[start] in _REMOTE_WORDS:
        for each in behind:
            flow.need(each.taint, ORDINARY if each.begins_with_words else PHRASE)
    has_place = name in _CONTAINERS or (words[start] == "exec" and name not in _TAKE_COMMANDS)
    operands, before = 0, ""
    for each in behind:  # what follows an option may be its value
        if operands > has_place:
            return
        if not each.text.startswith("-"):
            flow.state.single |= each.taint
            is_program = has_place and (operands or before == "--")
            flow.need(each.taint, NEVER if is_program else ORDINARY)
            operands += 2 if before == "--" else not before.startswith("-") or bool(_CONTAINER_FLAGS.fullmatch(before))
        before = each.text


def _other_code(flow: Flow, call: CommandCall) -> None:
    """Values that one program runs, in the next word or in the same one."""
    pattern = _OTHER_CODE.get(program_name(call.arguments[0]))
    if pattern is None:
        return
    for number, each in enumerate(call.arguments[1:], 1):
        before = call.arguments[number - 1].text if number > 1 else ""
        if re.fullmatch(pattern, before) or re.match(rf"(?:{pattern})(?:=|\w*\W)", each.text):
            flow.need(each.taint, NEVER)
            flow.need(call.stdin if each.text.endswith("-") else CLEAN, NEVER)


def _git(flow: Flow, call: CommandCall) -> None:
    options = options_of(call.arguments[1:], ("-c", "-C", "--git-dir", "--work-tree", "--namespace", "--exec-path"))
    for name, value in options.given:
        if value is not None:
            flow.need(value.taint, ORDINARY if name in ("-C", "--work-tree") else NEVER)
            if re.search(r"^alias\.|=\s*!|pager|editor|[Cc]ommand|helper|program|hooksPath", value.text):
                flow.need(call.taint, NEVER)
    if not options.rest:
        return
    subcommand, rest = options.rest[0], options.rest[1:]
    if subcommand.taint:
        flow.need(subcommand.taint, GIT_READING)
    elif subcommand.text in _GIT_RUNS:
        _risky_git(flow, subcommand.text, rest)
        return
    before = ""
    for number, each in enumerate(rest):
        if each.text == "--":
            take_paths(flow, rest[number + 1 :])
            return
        is_run = re.fullmatch(r"-[a-z]*[xOu]", before) and subcommand.text not in ("push", "commit", "add", "clean")
        if is_run or (before in ("-c", "--config") and subcommand.text == "clone"):
            flow.need(each.taint, NEVER)
        elif each.begins_with_words and not each.splits and not before.startswith("--"):
            is_value = re.fullmatch(r"-[a-z]*[mFCte]", before) is not None
            flow.need(each.taint, NO_FIRST_OPTION if is_value else GIT_OPTION)
        elif each.splits or not _GIT_VALUE.match(each.text):
            take_operand(flow, each, before)
        if subcommand.text in _REMOTES and each.begins_with_words:
            flow.need(each.taint, NO_TRANSPORT)
        before = each.text


def _risky_git(flow: Flow, subcommand: str, rest: tuple[Argument, ...]) -> None:
    texts = [each.text for each in rest]
    taint = CLEAN.union(*(each.taint for each in rest))
    names = [text for text in texts if not text.startswith("-")]
    is_fine = subcommand == "config" and names and names[0] in _GIT_DATA
    is_fine = is_fine or (subcommand == "bisect" and names[:1] != ["run"] and names[:1] != [HOLE])
    is_fine = is_fine or (subcommand == "submodule" and bool(names) and names[0] in ("update", "status", "init", "add"))
    flow.need(taint, PHRASE if is_fine else NEVER)


def _disk_copy(flow: Flow, call: CommandCall) -> None:
    for each in call.arguments[1:]:
        if each.begins_with_words:
            flow.need(each.taint, NEVER)
    _program(flow, call)


def _archive(flow: Flow, call: CommandCall) -> None:
    for each in call.arguments[1:2]:
        if each.begins_with_words:  # `tar cf x` has options without a dash
            flow.need(each.taint, NEVER)
    _program(flow, call)


_TABLE: dict[str, Callable[[Flow, CommandCall], None]] = {
    **dict.fromkeys(SHELLS, shells.shell),
    **dict.fromkeys(_RUNNERS.split(), languages.runner),
    **dict.fromkeys("awk gawk mawk nawk original-awk".split(), languages.awk),
    **dict.fromkeys(("sed", "gsed", "ssed"), languages.sed),
    **dict.fromkeys("sqlite3 sqlite psql mysql mariadb duckdb".split(), languages.sql),
    **dict.fromkeys(("make", "gmake", "bmake", "remake"), languages.make),
    **dict.fromkeys(("jq", "yq", "gojq", "jaq"), languages.jq),
    **dict.fromkeys(("source", "."), shells.source),
    **dict.fromkeys(("su", "script", "runuser", "newgrp", "sg"), shells.shell_or_command_option),
    **dict.fromkeys(("ssh", "mosh", "rsh", "autossh"), shells.remote),
    **dict.fromkeys(("find", "gfind", "fd", "fdfind"), shells.found),
    **dict.fromkeys(
        "hyperfine concurrently entr nodemon watchexec chokidar start-server-and-test".split(), shells.texts
    ),
    **dict.fromkeys(("read", "mapfile", "readarray"), builtins.read),
    **dict.fromkeys(("declare", "typeset", "local", "export", "readonly"), builtins.declared),
    **dict.fromkeys(("test", "["), builtins.test),
    **dict.fromkeys(("tar", "gtar", "bsdtar"), _archive),
    **dict.fromkeys(_TAKE_COMMANDS, _taking_commands),
    "eval": shells.evaluate,
    "trap": shells.trap,
    "xargs": shells.xargs,
    "gxargs": shells.xargs,
    "parallel": shells.parallel,
    "sem": shells.parallel,
    "watch": shells.watched,
    "printf": builtins.printed,
    "let": builtins.let,
    "unset": builtins.unset,
    "getopts": builtins.getopts,
    "set": builtins.set_positional,
    "alias": builtins.alias,
    "tee": builtins.tee,
    "wait": builtins.waited,
    "git": _git,
    "dd": _disk_copy,
}
