"""The arguments of a program, cut into options and operands as most programs read them."""

from __future__ import annotations

from pisces.formats.shell.syntax import HOLE
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from pisces.formats.shell.arguments import Argument


class Options(Value):
    """`given` are pairs of an option and its value, which may be nothing. `rest` begins with the first operand."""

    given: tuple[tuple[str, Argument | None], ...]
    rest: tuple[Argument, ...]

    def values(self, *names: str) -> list[Argument]:
        return [value for name, value in self.given if name in names and value is not None]

    def has(self, *names: str) -> bool:
        return any(name in names for name, _ in self.given)


def options_of(arguments: Sequence[Argument], with_value: Collection[str]) -> Options:
    """Options up to the first operand. `with_value` are those whose value is the next argument."""
    given: list[tuple[str, Argument | None]] = []
    number = 0
    while number < len(arguments):
        text = arguments[number].text
        if text == "--":
            return Options(tuple(given), tuple(arguments[number + 1 :]))
        if len(text) < 2 or text[0] not in "-+":
            break
        name, equals, value = text.partition("=")
        if equals and text.startswith("--"):
            given.append((name, arguments[number].replace(text=value)))
        elif text in with_value:
            number += 1
            given.append((text, arguments[number] if number < len(arguments) else None))
        else:
            given += _together(arguments[number], with_value)
            if given[-1][1] is None and given[-1][0] in with_value:
                number += 1
                given[-1] = (given[-1][0], arguments[number] if number < len(arguments) else None)
        number += 1
    return Options(tuple(given), tuple(arguments[number:]))


def _together(argument: Argument, with_value: Collection[str]) -> list[tuple[str, Argument | None]]:
    """`-n5` and `-ofile` have their value in the same word, `-nu` is `-n -u`, whose value is the next word."""
    text, mark = argument.text, argument.text[0]
    for at, letter in enumerate(text[1:], 1) if not text.startswith("--") else ():
        if letter == HOLE:
            break
        if mark + letter in with_value:
            before: list[tuple[str, Argument | None]] = [(mark + each, None) for each in text[1:at]]
            value = argument.replace(text=text[at + 1 :]) if text[at + 1 :] else None
            return [*before, (mark + letter, value)]
    return [(text, argument if argument.taint else None)]
