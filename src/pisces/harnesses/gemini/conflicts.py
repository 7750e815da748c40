"""Slash command conflicts as Gemini CLI settles them: a built-in keeps its name, any other clash renames both sides.

Gemini CLI knows no executable commands, so they come last: nothing else changes its name for them.
"""

from __future__ import annotations

from pisces.shapes.command import Command
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

BUILT_IN_COMMANDS = frozenset(
    (
        "about agents auth bug bug-memory chat clear commands compress copy corgi directory docs editor export-session "
        "extensions footer gemma help hooks ide init mcp memory model oncall permissions plan policies privacy quit "
        "restore resume rewind settings setup-github shortcuts skills stats tasks terminal-setup theme tools vim voice"
    ).split()
)

FROM_PACKAGE = ":"
FROM_USER = "."


class Claim(Value):
    """Somebody wants a name; `prefix` and `separator` make the second choice. Package skills are `always` prefixed.

    One that `yields` leaves a name that is taken to its owner. One that is `absent` does not load here, and leaves
    names to those that do: they come first.
    """

    name: str
    prefix: str
    separator: str
    always: bool = False
    yields: bool = False
    absent: bool = False

    @property
    def second_choice(self) -> str:
        return f"{self.prefix}{self.separator}{self.name}" if self.prefix else self.name


def claim_of_package(command: Command, package: str, *, absent: bool = False) -> Claim:
    return Claim(command.name, package, FROM_PACKAGE, False, command.executable is not None, absent)


def names_of_package(commands: Iterable[Command], package: str) -> list[str]:
    """What users type for the commands of one package, with no other package installed."""
    return final_names(claim_of_package(command, package) for command in commands)


def is_contested(names: Collection[str]) -> bool:
    """Whether a name is built in or wanted twice. Where none is, each stays as it is."""
    return len({*BUILT_IN_COMMANDS, *names}) < len(BUILT_IN_COMMANDS) + len(names)


def final_names(claims: Iterable[Claim]) -> list[str]:
    """The name that each claim ends with, in the order given."""
    owners: dict[str, int | None] = dict.fromkeys(BUILT_IN_COMMANDS)
    met = set(BUILT_IN_COMMANDS)
    finals: list[str] = []
    made: list[Claim] = []
    for index, claim in enumerate(claims):
        made.append(claim)
        name = claim.name
        if claim.always:
            name = _free(claim, owners)
        elif claim.name in met:
            name = _free(claim, owners)
            if not claim.yields:
                _push_aside(claim, owners, finals, made)
        else:
            met.add(claim.name)
        owners[name] = index
        finals.append(name)
    return finals


def _push_aside(claim: Claim, owners: dict[str, int | None], finals: list[str], made: list[Claim]) -> None:
    """The first owner of a contested name is renamed too, unless it is built in or loads where the claim does not."""
    owner = owners.get(claim.name)
    if owner is None or (claim.absent and not made[owner].absent):
        return
    renamed = _free(made[owner].replace(name=claim.name), owners)
    del owners[claim.name]
    owners[renamed] = owner
    finals[owner] = renamed


def _free(claim: Claim, owners: dict[str, int | None]) -> str:
    name, suffix = claim.second_choice, 0
    while name in owners:
        suffix += 1
        name = f"{claim.second_choice}{suffix}"
    return name
