"""What a program that embeds pisces needs in one call: commands, packages and modules, joined with the gates.

Nothing here asks by itself. What has to be asked goes to the caller's `confirm`; without one it is denied.
"""

from __future__ import annotations

from pisces.by_name import export_of
from pisces.commands.names.catalog import catalog
from pisces.commands.names.resolve import resolve
from pisces.commands.prompts.expansion import Expansion
from pisces.commands.prompts.prompt_file import expanded_prompt
from pisces.gates.judge import judge_now
from pisces.gates.lines import LineGates

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pisces.commands.names.catalog import Catalog
    from pisces.gates.judge import Confirm
    from pisces.modules.entry import ModuleEntries
    from pisces.packages.install import Installer
    from pisces.places import Places
    from pisces.shapes.prompt import Prompt


def expand(line: str, places: Places, confirm: Confirm | None = None, commands: Catalog | None = None) -> Prompt:
    """The prompt that a line such as `/review src` stands for.

    Command lines inside a prompt file run only if `confirm` allows each of them. `PiscesError` says why there is no
    prompt: no command has the name, it starts a program, the file cannot be read, or a line was denied.
    """
    invocation = resolve(line, commands or catalog(places))
    gates = LineGates(places).gates
    expansion = Expansion(
        invocation.entry.command,
        invocation.raw,
        invocation.args,
        places,
        lambda request: judge_now(request, gates, confirm),
    )
    return expanded_prompt(expansion)


def installer(places: Places, confirm: Confirm | None = None, report: Callable[[str], None] | None = None) -> Installer:
    """Installs, updates and removes packages of the user's store. `report` gets progress, a line at a time."""
    made = export_of("pisces.packages", "install", "Installer")
    store = export_of("pisces.packages.store", "store", "own_store")(places)
    found: Installer = made(
        store, places, lambda request: judge_now(request, (), confirm), report or (lambda _line: None)
    )
    return found


def modules_here(places: Places, named: Sequence[str] = ()) -> ModuleEntries:
    """The modules of this folder and of the user, and the paths that the caller names; only what is trusted runs."""
    found = export_of("pisces.modules", "entries", "module_entries")(places, named)
    trust = export_of("pisces.gates", "trust", "trust_in")(places)
    entries: ModuleEntries = export_of("pisces.gates", "trust", "admitted")(found, trust, places)
    return entries
