"""Programs that read a script, or start what follows them: shells, `eval`, `env`, `xargs`, `ssh` and their like."""

from __future__ import annotations

import re

from pisces.commands.lines.needs import NAME, NEVER, NO_FIRST_OPTION, ORDINARY, PHRASE
from pisces.commands.lines.options import take_operand, take_operands
from pisces.formats.shell.arguments import CLEAN, WORLD, Argument, CommandCall, joined
from pisces.formats.shell.options import options_of
from pisces.formats.shell.starters import SSH_VALUES, STDIN, WRAPPERS, XARGS_VALUES, program_name, shell_options
from pisces.formats.shell.syntax import HOLE
from pisces.processes.blocked_env import is_blocked_in_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.commands.lines.flow import Flow
    from pisces.formats.shell.arguments import Taint

_ASSIGNED = re.compile(r"([A-Za-z_]\w*)=", re.ASCII)
_PLAIN_SHELLS = ("sh", "bash", "dash", "ash", "rbash")
# zsh calculates in `test` and `exit`, and expands once more with flags; what names no plain data there is not read.
_ZSH = re.compile(
    r"\$\{?[~=^(]|=\$|\(e|\b(?:functions|aliases|zpty|sched|emulate|zmodload|alias|hash|setopt|autoload)\b"
)
_HAS_SIGNS = re.compile(r"[\\'\"$#`]")
_WITHOUT_VALUE = frozenset(
    """
    -o -a -or -and -not -print -print0 -ls -delete -empty -depth -daystart -L -H -P -mount -xdev -prune -quit -readable
    -writable -executable -nouser -nogroup -true -false
    """.split()
)


def shell(flow: Flow, call: CommandCall) -> None:
    """`sh -c SCRIPT NAME WORDS`: the words are "$1" and so on within the script."""
    options, has_script = shell_options(call.arguments[1:])
    for value in options.values("--rcfile", "--init-file"):
        flow.runs_file(value)
        flow.need(value.taint, NEVER)
    rest = options.rest
    if program_name(call.arguments[0]) not in _PLAIN_SHELLS:
        reads_more = has_script and rest and not _ZSH.search(rest[0].text)
        flow.need(call.taint | flow.state.held, PHRASE if reads_more else ORDINARY)
    if has_script and rest:
        flow.state.positional |= CLEAN.union(*(each.taint for each in rest[1:]))
        flow.runs(rest[0], call.stdin)
        if not rest[0].is_known and rest[0].splits:
            flow.need(call.taint, ORDINARY)
        return
    is_read = any("s" in name[1:] and not name.startswith("--") for name, _ in options.given)
    if not rest or is_read or rest[0].text in STDIN:
        flow.need(call.stdin, NEVER)
        flow.runs_unseen(call.taint)
        take_operands(flow, rest)
        return
    run_script_file(flow, rest)


def run_script_file(flow: Flow, rest: Sequence[Argument]) -> None:
    """A script's file and the arguments of the script, which end no option parsing of the interpreter any more."""
    flow.runs_file(rest[0], CLEAN.union(*(each.taint for each in rest[1:])))
    flow.need(rest[0].taint, PHRASE if rest[0].text == HOLE else NAME)
    take_operands(flow, rest[1:])


def run_file(flow: Flow, file: Argument, call: CommandCall) -> None:
    """A file with code, which may be stdin."""
    flow.runs_file(file, call.taint - call.stdin)
    if file.text in STDIN:
        flow.need(call.stdin, NEVER)
        flow.runs_unseen(call.taint)


def evaluate(flow: Flow, call: CommandCall) -> None:
    arguments = call.arguments[1:]
    if arguments and arguments[0].text == "--":
        arguments = arguments[1:]
    flow.runs(joined(arguments), call.stdin)


def source(flow: Flow, call: CommandCall) -> None:
    rest = options_of(call.arguments[1:], ()).rest
    for each in rest[:1]:
        flow.need(each.taint, NEVER)
        run_file(flow, each, call)
    flow.state.positional |= CLEAN.union(*(each.taint for each in rest[1:]))


def trap(flow: Flow, call: CommandCall) -> None:
    for each in options_of(call.arguments[1:], ()).rest[:1]:
        flow.runs(each)


def wrapper(flow: Flow, call: CommandCall) -> None:
    name = program_name(call.arguments[0])
    values, operands = WRAPPERS[name]
    options = options_of(call.arguments[1:], values.split())
    if name == "command" and options.has("-v", "-V"):
        return
    rest = list(options.rest)
    for option, value in options.given:
        if value is not None:
            flow.need(value.taint, ORDINARY)
            if option in ("-S", "--split-string"):
                rest[:0] = _split_string(flow, value, call)
    for each in rest[:operands]:
        flow.state.single |= each.taint
        flow.need(each.taint, ORDINARY)
    rest = rest[operands:]
    if name == "setarch":  # options stand behind its operand, too
        rest = list(options_of(rest, ()).rest)
    if name == "flock" and rest and rest[0].text in ("-c", "--command"):
        for each in rest[1:2]:
            flow.runs(each, call.stdin)
        return
    rest = _without_assignments(flow, rest) if name in ("env", "sudo", "doas", "cross-env") else rest
    if name in ("sudo", "systemd-run") and options.has("-s", "-i") and not rest:
        flow.need(call.stdin, NEVER)
    if rest:
        flow.state.judge(flow, CommandCall(tuple(rest), call.stdin))


def _split_string(flow: Flow, value: Argument, call: CommandCall) -> list[Argument]:
    """`env -S` makes words of a text by rules of its own: only blanks are followed here."""
    flow.need(value.taint, NEVER)
    if _HAS_SIGNS.search(value.text):
        flow.need(call.taint, NEVER)
    return [Argument(each) for each in value.text.split()] if value.is_literal else []


def _without_assignments(flow: Flow, rest: list[Argument]) -> list[Argument]:
    while rest:
        found = _ASSIGNED.match(rest[0].text)
        if not found:
            return rest
        if is_blocked_in_line(found[1]):
            flow.need(rest[0].taint, NEVER)
            flow.runs_file(rest[0].replace(text=rest[0].text[found.end() :]))
        flow.state.hold(found[1], rest[0].taint)
        rest = rest[1:]
    return rest


def xargs(flow: Flow, call: CommandCall) -> None:
    """What comes in by stdin becomes arguments: in the place of `{}`, or behind all others."""
    options = options_of(call.arguments[1:], XARGS_VALUES)
    for _, value in options.given:
        flow.need(value.taint if value else CLEAN, ORDINARY)
    command = options.rest or (Argument("echo"),)
    stdin = call.stdin
    placeholders = [value.text for value in options.values("-I", "--replace")]
    placeholders += [name[2:] for name, _ in options.given if name.startswith("-i") and len(name) > 2]
    placeholders += ["{}"] if not placeholders and options.has("-i", "--replace") else []
    if stdin and placeholders:
        command = tuple(_replaced(each, placeholders[-1], stdin) for each in command)
    elif stdin:
        command = (*command, Argument(HOLE, (stdin,), splits=True, is_list=True))
    flow.state.judge(flow, CommandCall(command, CLEAN))


def _replaced(argument: Argument, placeholder: str, stdin: Taint) -> Argument:
    if not placeholder or placeholder not in argument.text:
        return argument
    marks, left = [], list(argument.marks)
    pieces = argument.text.split(placeholder)
    for number, piece in enumerate(pieces):
        marks += [left.pop(0) for _ in range(piece.count(HOLE))]
        marks += [stdin] if number + 1 < len(pieces) else []
    return argument.replace(text=HOLE.join(pieces), marks=tuple(marks))


def parallel(flow: Flow, call: CommandCall) -> None:
    """GNU parallel gives its command to a shell, and runs the lines of stdin if it has none."""
    rest = options_of(call.arguments[1:], ("-j", "--jobs", "-I", "-n", "-N", "--delay", "--colsep")).rest
    lists = [number for number, each in enumerate(rest) if each.text.startswith(":::")]
    command = rest[: lists[0]] if lists else rest
    values = call.stdin.union(*(each.taint for each in rest[len(command) :]))
    if not command:
        flow.need(call.taint, NEVER)
    if values and any("{}" in each.text for each in command):
        command = tuple(_replaced(each, "{}", values) for each in command)
    elif values:
        command = (*command, Argument(HOLE, (values,), is_list=True))
    flow.runs(joined(command))


def remote(flow: Flow, call: CommandCall) -> None:
    """`ssh HOST WORDS`: a shell on the other side reads the words once more."""
    options = options_of(call.arguments[1:], SSH_VALUES)
    for option, value in options.given:
        flow.need(value.taint if value else CLEAN, NEVER if option in ("-o", "-F", "-S", "-J") else ORDINARY)
    for host in options.rest[:1]:
        flow.state.single |= host.taint
        flow.need(host.taint, ORDINARY)
    command = options.rest[1:]
    if command:
        flow.runs(joined(command), call.stdin)
    else:
        flow.need(call.stdin, NEVER)


def watched(flow: Flow, call: CommandCall) -> None:
    options = options_of(call.arguments[1:], ("-n", "--interval", "-q", "--equexit"))
    if options.has("-x", "--exec"):
        flow.state.judge(flow, CommandCall(options.rest, CLEAN))
    elif options.rest:
        flow.runs(joined(options.rest))


def texts(flow: Flow, call: CommandCall) -> None:
    """Programs each of whose operands is a command line."""
    for each in call.arguments[1:]:
        if each.taint and not each.text.startswith("-"):
            flow.runs(each, call.stdin)
        elif each.taint:
            flow.need(each.taint, NEVER)


def with_command_option(flow: Flow, call: CommandCall) -> None:
    """`su -c LINE`, `script -c LINE`, `npx -c LINE`."""
    before = ""
    for each in call.arguments[1:]:
        name, equals, value = each.text.partition("=")
        if re.fullmatch(r"-[a-z]*c|--(?:session-)?comm[a-z]*|--call", before):
            flow.runs(each, call.stdin)
        elif equals and re.fullmatch(r"--(?:session-)?comm[a-z]*|--call|-c", name):
            flow.runs(each.replace(text=value), call.stdin)
        elif each.text.startswith("-c") and each.taint:
            flow.need(each.taint, NEVER)
        else:
            take_operand(flow, each, before)
        before = each.text


def shell_or_command_option(flow: Flow, call: CommandCall) -> None:
    options = options_of(call.arguments[1:], ("-u", "--user", "-g", "-G", "-s", "--shell", "-w"))
    if options.has("-u", "--user") and options.rest:  # `runuser -u NAME PROGRAM`
        flow.state.judge(flow, CommandCall(options.rest, call.stdin))
        return
    with_command_option(flow, call)
    if program_name(call.arguments[0]) != "npx":
        flow.need(call.stdin, NEVER)


def found(flow: Flow, call: CommandCall) -> None:
    """`find`: places, then tests that take a value, then perhaps `-exec`."""
    arguments = call.arguments[1:]
    is_fd = call.arguments[0].text.startswith("fd")
    number, is_test = 0, False
    while number < len(arguments):
        each = arguments[number]
        flow.state.single |= each.taint
        before = arguments[number - 1].text if number else ""
        if each.text in ("-exec", "-execdir", "-ok", "-okdir", "--exec", "--exec-batch") or (
            is_fd and re.fullmatch(r"-[A-Za-z]*[xX]", each.text)
        ):
            end = next((at for at in range(number, len(arguments)) if arguments[at].text in (";", "+")), len(arguments))
            command = tuple(_replaced(each, "{}", WORLD) for each in arguments[number + 1 : end])
            flow.state.judge(flow, CommandCall(command or (Argument("true"),), CLEAN))
            number = end + 1
            continue
        has_value = before.startswith("-") and before not in _WITHOUT_VALUE
        if each.taint:
            take_operand(flow, each) if not has_value or each.splits else None
            if each.begins_with_words and not has_value:
                flow.need(each.taint, NO_FIRST_OPTION)
                flow.need(each.taint, ORDINARY if is_test else PHRASE)
        is_test = is_test or (each.text.startswith("-") and each.text not in ("-L", "-H", "-P"))
        number += 1
