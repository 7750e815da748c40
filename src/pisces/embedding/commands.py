"""Slash commands: which there are, and the prompts that they stand for."""

from __future__ import annotations

from pisces.commands.names.catalog import Catalog, catalog as named_commands
from pisces.commands.names.resolve import resolve
from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.prompt_file import expanded_prompt
from pisces.discovery.switches import configured_switches
from pisces.gates.judge import judge_now
from pisces.gates.lines import LineGates
from pisces.gates.safe import safe_gate
from pisces.places import Places
from pisces.shapes.prompt import Prompt
from pisces.shapes.request import LineRequest
from pisces.shapes.verdict import Verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


def catalog(places: Places, folders: Sequence[str] = ()) -> Catalog:
    """Every command here with the names that can be typed, and those of the packages in `folders`, which come first.

    What the user's and the project's settings switch off is off. Raises `PiscesError` if one of the folders is no
    package.
    """
    switches, problems = configured_switches(places)
    found = named_commands(places, switches, folders)
    return found.replace(diagnostics=(*problems, *found.diagnostics))


def expand(
    line: str,
    places: Places,
    confirm: Callable[[LineRequest, tuple[Verdict, ...]], Verdict] | None = None,
    commands: Catalog | None = None,
) -> Prompt:
    """The prompt that a line such as `/review src` stands for.

    Command lines inside a prompt file run only if `confirm` allows each of them; `request.exact` is what would run.
    Raises `PiscesError` if there is no prompt: no command has the name, it starts a program, its file cannot be read,
    or a line was denied.
    """
    invocation = resolve(line, catalog(places) if commands is None else commands)
    gates = (safe_gate(places), *LineGates(places).gates)
    expansion = Expansion(
        invocation.entry.command,
        invocation.raw,
        invocation.args,
        places,
        lambda request: judge_now(request, gates, confirm),
    )
    return expanded_prompt(expansion)
