"""The arguments of a program, cut into options and operands as most programs read them."""

from __future__ import annotations

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
            given.append(_short(arguments[number], with_value))
        number += 1
    return Options(tuple(given), tuple(arguments[number:]))


def _short(argument: Argument, with_value: Collection[str]) -> tuple[str, Argument | None]:
    """`-n5` and `-ofile`: the value stands in the same word."""
    name = argument.text[:2]
    if name in with_value and not argument.text.startswith("--"):
        return name, argument.replace(text=argument.text[2:])
    return argument.text, argument if argument.taint else None
