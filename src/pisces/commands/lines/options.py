"""What the user's words must look like where they are options or operands of a program."""

from __future__ import annotations

import re

from pisces.commands.lines.needs import GLUED, NEVER, NOT_AN_OPTION, ORDINARY, SPLIT
from pisces.formats.shell.syntax import HOLE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.commands.lines.flow import Flow
    from pisces.formats.shell.arguments import Argument

# Whatever the program is called: what follows these options it runs.
_RUN_BY_OPTIONS = frozenset(
    """
    exec command eval execute cmd call shell to-command checkpoint-action use-compress-program rsh rsh-command
    rmt-command info-script new-volume-script rsync-path upload-pack receive-pack exec-path pre preprocessor
    hostname-bin sh-exec compress-program pager editor init-command proxy-command split-string open-files-in-pager
    lua-exec unzip-command ext-diff gpg-program config-env expr lua-filter toolexec vettool wrapper specs fplugin
    entrypoint
    """.split()
)
# `--photo-viewer`, `--message-callback`: the last word of an option's name says as much.
_RUN_WORDS = frozenset("command cmd exec program callback askpass wrapper entrypoint viewer shell".split())
_FLAGS_WITHIN = re.compile(r"-(?:ldflags|gcflags|asmflags)")  # their value is a list of options
# These name a file with code or settings, or a command.
_LOADED_BY_OPTIONS = frozenset("script run config require import loader plugin on-change preview bind load".split())
# `-n{{args}}` with `ofile` would be `-n -o file`, `-{{args}}` with `-output=x` would be `--output=x`.
_GLUED = re.compile(r"-[A-Za-z]*\0|--[\w-]*\0")
_SHORT_CODE = frozenset(("-c", "-e", "-E", "-x", "-X", "-S"))


def take_operands(flow: Flow, arguments: Sequence[Argument]) -> None:
    """For a program that is not known: words may be operands, and values of options that run nothing."""
    before = ""
    for number, each in enumerate(arguments):
        if each.text == "--" and not each.taint:
            take_paths(flow, arguments[number + 1 :])
            return
        take_operand(flow, each, before)
        before = each.text


def take_operand(flow: Flow, each: Argument, before: str = "") -> None:
    if not each.taint:
        return
    if _GLUED.match(each.text):
        flow.need(each.taint, GLUED)
    if each.splits:
        flow.need(each.taint, SPLIT)
    elif each.begins_with_words:
        flow.need(each.taint, NOT_AN_OPTION)
    name = each.text.split("=")[0] if each.text.startswith("-") and "=" in each.text else before
    if _is_run(name):
        is_whole = each.text.partition("=")[2] == HOLE or each.text == HOLE
        flow.need(each.taint, NEVER if is_whole else ORDINARY)
    is_loaded = name.startswith("--") and name.lstrip("-") in _LOADED_BY_OPTIONS
    if is_loaded or before in _SHORT_CODE or _FLAGS_WITHIN.fullmatch(name):
        flow.need(each.taint, ORDINARY)


def _is_run(name: str) -> bool:
    """Whether the value of an option is run. Long names may be cut, and some programs write them with one dash."""
    bare = name.lstrip("-")
    if len(bare) < 2 or bare == name:
        return False
    is_cut = "-" in bare and any(each.startswith(bare) for each in _RUN_BY_OPTIONS)
    return bare in _RUN_BY_OPTIONS or is_cut or ("-" in bare and bare.rsplit("-", 1)[1] in _RUN_WORDS)


def take_paths(flow: Flow, arguments: Sequence[Argument]) -> None:
    """Behind `--`: whatever the words are, they are no options."""
    for each in arguments:
        if each.splits and each.taint:
            flow.need(each.taint, SPLIT)
