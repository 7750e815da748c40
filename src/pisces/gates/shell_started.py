"""What a command of a shell line starts in its turn: `env A=1 rm x`, `sh -c 'rm x'`, `find . -exec rm {} +`."""

from __future__ import annotations

import re

from pisces.formats.shell.arguments import UNKNOWN, Argument
from pisces.formats.shell.options import options_of
from pisces.formats.shell.starters import (
    SHELLS,
    SSH_VALUES,
    STDIN,
    WRAPPERS,
    XARGS_VALUES,
    program_name,
    shell_options,
)
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pisces.gates.shell_words import Words

_ASSIGNED = re.compile(r"([A-Za-z_]\w*)=", re.ASCII)
_SIGNS = re.compile(r"[\\'\"$#`]")
_EXECUTES = frozenset("-exec -execdir -ok -okdir -x -X --exec --exec-batch".split())
_PARALLEL_VALUES = "-j --jobs -I -n -N --delay --colsep -S --sshlogin -a --arg-file --timeout --joblog".split()
_SCRIPT_VALUES = "-s --shell -g --group -G -w -T -u --user -E --echo -I -O -B -m".split()
_GIT_RUNS = re.compile(
    r"pager|editor|command|helper|program|fsmonitor|\.cmd|\.textconv|\.clean|\.smudge", re.IGNORECASE
)
_OTHER_SHELLS = frozenset("fish csh tcsh nu xonsh elvish pwsh powershell cmd osascript".split())


class Stdin(Value):
    """The text that comes in. `is_exact` is false where a program made it."""

    text: str
    is_exact: bool = True


class InnerCommand(Value):
    """Words of a command, or the text of a script. `is_unknown` is set where something runs that nobody can read."""

    words: Words = ()
    script: str | None = None
    is_plain: bool = True
    is_unknown: bool = False
    assigned: tuple[str, ...] = ()


UNREADABLE = InnerCommand(is_unknown=True)


def started_by(words: Words, stdin: Stdin | None) -> list[InnerCommand]:
    """`stdin` is None where nobody can tell what comes in."""
    if not words or not words[0]:
        return []
    arguments = [Argument(UNKNOWN if each is None else each) for each in words]
    name = program_name(arguments[0]).lower()
    if name in SHELLS:
        return _shell(arguments[1:], stdin)
    if name in WRAPPERS:
        return _wrapper(name, arguments[1:])
    if name in _OTHER_SHELLS:
        return [UNREADABLE]
    return _TABLE[name](arguments[1:], stdin) if name in _TABLE else []


def _words(arguments: Sequence[Argument]) -> Words:
    return tuple(each.text if each.is_known else None for each in arguments)


def _script(arguments: Sequence[Argument], *, is_plain: bool = True) -> list[InnerCommand]:
    """Texts that a shell reads once more, joined by blanks."""
    if not all(each.is_known for each in arguments):
        known = " ".join(each.text if each.is_known else "" for each in arguments)
        return [UNREADABLE, InnerCommand(script=known, is_plain=False)]
    text = " ".join(each.text for each in arguments)
    return [InnerCommand(script=text, is_plain=is_plain)] if text.strip() else []


def _read(stdin: Stdin | None) -> list[InnerCommand]:
    """A script that comes in by stdin."""
    if stdin is None:
        return [UNREADABLE]
    return [InnerCommand(script=stdin.text, is_plain=stdin.is_exact), *([] if stdin.is_exact else [UNREADABLE])]


def _shell(arguments: Sequence[Argument], stdin: Stdin | None) -> list[InnerCommand]:
    options, has_script = shell_options(arguments)
    if options.has("--version", "--help"):
        return []
    loads = [UNREADABLE] if options.has("--rcfile", "--init-file") else []
    if has_script and options.rest:
        return [*loads, *_script(options.rest[:1])]
    is_read = any("s" in name[1:] and not name.startswith("--") for name, _ in options.given)
    if not options.rest or is_read or options.rest[0].text in STDIN:
        return [*loads, *_read(stdin)]
    return loads if options.rest[0].is_known else [UNREADABLE]


def _wrapper(name: str, arguments: Sequence[Argument]) -> list[InnerCommand]:
    values, operands = WRAPPERS[name]
    options = options_of(arguments, values.split())
    if name == "command" and options.has("-v", "-V"):
        return []
    rest = list(options.rest)[operands:]
    unknown = [UNREADABLE] if any(UNKNOWN in option for option, _ in options.given) else []
    for text in options.values("-S", "--split-string") if name == "env" else ():
        unknown += [UNREADABLE] if _SIGNS.search(text.text) or not text.is_known else []
        rest[:0] = [Argument(each) for each in text.text.split()]
    if name == "flock" and rest and rest[0].text in ("-c", "--command"):
        return [*unknown, *_script(rest[1:2])]
    assigned = []
    while rest and name in ("env", "sudo", "doas") and (found := _ASSIGNED.match(rest[0].text)):
        assigned.append(found[1])
        del rest[0]
    if not rest:
        return [UNREADABLE] if name in ("sudo", "doas", "chroot", "unshare", "nsenter", "pkexec") else unknown
    return [*unknown, InnerCommand(_words(rest), is_plain=not unknown, assigned=tuple(assigned))]


def _evaluated(arguments: Sequence[Argument], _stdin: Stdin | None) -> list[InnerCommand]:
    return _script(arguments[1:] if arguments and arguments[0].text == "--" else arguments)


def _sourced(arguments: Sequence[Argument], stdin: Stdin | None) -> list[InnerCommand]:
    file = options_of(arguments, ()).rest[:1]
    if file and file[0].text in STDIN:
        return _read(stdin)
    return [] if file and file[0].is_known else [UNREADABLE]


def _trapped(arguments: Sequence[Argument], _stdin: Stdin | None) -> list[InnerCommand]:
    rest = options_of(arguments, ()).rest
    return _script(rest[:1]) if rest and rest[0].text != "-" and len(rest) > 1 else []


def _xargs(arguments: Sequence[Argument], _stdin: Stdin | None) -> list[InnerCommand]:
    """What comes in by stdin becomes arguments: nobody knows them."""
    rest = options_of(arguments, XARGS_VALUES).rest
    return [InnerCommand((*_words(rest), None), is_plain=False)] if rest else []


def _parallel(arguments: Sequence[Argument], _stdin: Stdin | None) -> list[InnerCommand]:
    rest = options_of(arguments, _PARALLEL_VALUES).rest
    behind = next((number for number, each in enumerate(rest) if each.text.startswith(":::")), len(rest))
    values = [each for each in rest[behind:] if not each.text.startswith(":::")]
    lines = [InnerCommand(script=each.text, is_plain=False) for each in values if each.is_known] if not behind else []
    return [UNREADABLE, *(_script(rest[:behind], is_plain=False)), *lines]


def _remote(arguments: Sequence[Argument], _stdin: Stdin | None) -> list[InnerCommand]:
    """Another machine runs it: what its shell makes of the words is not known here."""
    return [UNREADABLE, *_script(options_of(arguments, SSH_VALUES).rest[1:], is_plain=False)]


def _watched(arguments: Sequence[Argument], _stdin: Stdin | None) -> list[InnerCommand]:
    options = options_of(arguments, ("-n", "--interval", "-q", "--equexit"))
    if options.has("-x", "--exec"):
        return [InnerCommand(_words(options.rest))] if options.rest else []
    return _script(options.rest)


def _command_option(arguments: Sequence[Argument], _stdin: Stdin | None) -> list[InnerCommand]:
    """`su -c LINE`, `script -c LINE`; without it they start a shell."""
    options = options_of(arguments, ("-c", "--command", *_SCRIPT_VALUES))
    values = options.values("-c", "--command")
    rest = options_of(options.rest[1:], ("-c", "--command")).values("-c", "--command") if options.rest else []
    texts = [*values, *rest]
    return [started for each in texts for started in _script([each])] or [UNREADABLE]


def _texts(arguments: Sequence[Argument], _stdin: Stdin | None) -> list[InnerCommand]:
    """Programs each of whose operands may be a command line."""
    operands = [each for each in arguments if not each.text.startswith("-")]
    joined = _script(operands, is_plain=False) if len(operands) > 1 else []
    return [UNREADABLE, *joined, *(started for each in operands for started in _script([each], is_plain=False))]


def _git(arguments: Sequence[Argument], _stdin: Stdin | None) -> list[InnerCommand]:
    """Settings and subcommands of git that run a line."""
    options = options_of(arguments, ("-c", "-C", "--git-dir", "--work-tree", "--namespace", "--config-env"))
    settings = [each.text.partition("=") for each in options.values("-c")]
    lines = [value.removeprefix("!") for key, _, value in settings if _GIT_RUNS.search(key) or value.startswith("!")]
    rest = [each.text for each in options.rest]
    if rest[:2] == ["bisect", "run"]:
        return [InnerCommand(_words(options.rest[2:]), is_plain=False)] if rest[2:] else []
    if rest[:2] == ["submodule", "foreach"]:
        lines.append(" ".join(each for each in rest[2:] if not each.startswith("-")))
    for number, each in enumerate(rest):
        option, equals, value = each.partition("=")
        if option in ("-x", "--exec", "--extcmd") or option.endswith("-filter"):
            lines += [value] if equals else rest[number + 1 : number + 2]
    return [InnerCommand(script=each, is_plain=False) for each in lines if each.strip() and UNKNOWN not in each]


def _found(arguments: Sequence[Argument], _stdin: Stdin | None) -> list[InnerCommand]:
    """`find`: every `-exec` up to its end. The names that it puts in are not known."""
    started = []
    number = 0
    while number < len(arguments):
        if arguments[number].text in _EXECUTES:
            ends = (at for at in range(number, len(arguments)) if arguments[at].text in (";", "+"))
            end = next(ends, len(arguments))
            words = tuple(
                None if "{}" in each.text or not each.is_known else each.text for each in arguments[number + 1 : end]
            )
            started += [InnerCommand(words, is_plain=None not in words)] if words else []
            number = end
        number += 1
    return started


_TABLE: dict[str, Callable[[Sequence[Argument], Stdin | None], list[InnerCommand]]] = {
    "eval": _evaluated,
    **dict.fromkeys(("source", "."), _sourced),
    "trap": _trapped,
    **dict.fromkeys(("xargs", "gxargs"), _xargs),
    **dict.fromkeys(("parallel", "sem"), _parallel),
    **dict.fromkeys(("ssh", "mosh", "rsh", "autossh"), _remote),
    "watch": _watched,
    **dict.fromkeys(("su", "script", "runuser", "newgrp", "sg"), _command_option),
    **dict.fromkeys("hyperfine concurrently entr nodemon watchexec chokidar at batch".split(), _texts),
    **dict.fromkeys(("find", "gfind", "fd", "fdfind"), _found),
    "git": _git,
}
