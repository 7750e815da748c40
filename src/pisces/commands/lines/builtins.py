"""Commands of the shell itself that read their arguments once more, or keep them for later."""

from __future__ import annotations

import re

from pisces.commands.lines.needs import NEVER, NO_FIRST_OPTION
from pisces.commands.lines.options import take_operands
from pisces.formats.shell.arguments import CLEAN, CommandCall
from pisces.formats.shell.options import options_of
from pisces.formats.shell.syntax import UnreadableLine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.commands.lines.flow import Flow

_READ_VALUES = "-p -t -n -N -d -u -i -a".split()
_MAPFILE_VALUES = "-d -n -O -s -u -C -c".split()


def printed(flow: Flow, call: CommandCall) -> None:
    """`printf -v NAME` assigns; behind the format everything is data."""
    rest = call.arguments[1:]
    if rest and rest[0].text == "-v":
        flow.name_given(*rest[1:2])
        for each in rest[1:2]:
            flow.state.hold(each.text, call.taint)
        return
    for each in rest[:1]:
        if each.begins_with_words:
            flow.need(each.taint, NO_FIRST_OPTION)
        if each.text.startswith("-v"):
            flow.need(call.taint, NEVER)


def read(flow: Flow, call: CommandCall) -> None:
    """`read`, `mapfile` and `readarray`: stdin becomes the value of variables."""
    is_read = call.arguments[0].text == "read"
    options = options_of(call.arguments[1:], _READ_VALUES if is_read else _MAPFILE_VALUES)
    names = [*options.values("-a"), *options.rest]
    flow.name_given(*names)
    for value in options.values("-C"):
        flow.need(call.taint | flow.state.held | value.taint, NEVER)
    has_source = any(re.match(r"-\w*u", each.text) for each in call.arguments[1:])
    given = call.stdin | flow.state.descriptors if has_source else call.stdin
    for name in [each.text for each in names] or ["REPLY", "MAPFILE"]:
        flow.state.hold(name, given)


def declared(flow: Flow, call: CommandCall) -> None:
    options = options_of(call.arguments[1:], ())
    flow.name_given(*options.rest)
    for _, value in options.given:
        flow.need(value.taint if value else CLEAN, NEVER)
    letters = "".join(name for name, _ in options.given)
    if "i" in letters:
        flow.state.integers.update(each.text for each in options.rest)
        for each in options.rest:
            flow.state.hold(each.text, flow.state.variables.get(each.text, CLEAN))
    if "n" in letters or "I" in letters:
        flow.need(flow.state.held, NEVER)


def let(flow: Flow, call: CommandCall) -> None:
    for each in call.arguments[1:]:
        flow.calculate_text(each)


def unset(flow: Flow, call: CommandCall) -> None:
    flow.name_given(*call.arguments[1:])


def getopts(flow: Flow, call: CommandCall) -> None:
    flow.name_given(*call.arguments[2:3])
    flow.state.hold("OPTARG", call.taint | flow.state.positional)


def waited(flow: Flow, call: CommandCall) -> None:
    """`wait -p NAME`."""
    options = options_of(call.arguments[1:], ("-p",))
    flow.name_given(*options.values("-p"))
    take_operands(flow, options.rest)


def test(flow: Flow, call: CommandCall) -> None:
    """`test -v NAME` reads a name. Several words in one place could add such a test."""
    arguments = call.arguments[1:]
    for number, each in enumerate(arguments):
        flow.state.single |= each.taint
        if each.text in ("-v", "-R"):
            flow.name_given(*arguments[number + 1 : number + 2])
        if each.splits and each.taint:
            flow.need(each.taint, NO_FIRST_OPTION)


def set_positional(flow: Flow, call: CommandCall) -> None:
    for each in call.arguments[1:2]:
        if each.begins_with_words:
            flow.need(each.taint, NO_FIRST_OPTION)
    flow.state.positional |= call.taint - call.stdin


def alias(_flow: Flow, _call: CommandCall) -> None:
    raise UnreadableLine("an alias changes what later words mean")


def tee(flow: Flow, call: CommandCall) -> None:
    options = options_of(call.arguments[1:], ())
    for each in options.rest:
        flow.write(each, call.taint)
    take_operands(flow, call.arguments[1:])
