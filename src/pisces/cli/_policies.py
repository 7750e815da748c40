"""What the policy commands look at: every rule in force here, and one tool call that is judged but never run."""

from __future__ import annotations

from pisces.by_name import export_of, files_called
from pisces.diagnostics import ERROR, Diagnostic, PiscesError
from pisces.discovery.capabilities import PACKAGES
from pisces.discovery.harness import Run
from pisces.discovery.registry import discover
from pisces.discovery.switches import configured_switches
from pisces.gates.rulebook import RuleScene
from pisces.gates.rules import HARNESSES, rulebooks
from pisces.gates.trusted import trust_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.cli._shell_command import Places
    from pisces.gates.rulebook import Rulebook


def scene_here(places: Places) -> RuleScene:
    """With the packages that are on."""
    switches, _ = configured_switches(places)
    run = Run()
    found = discover(PACKAGES, places, switches, run=run)
    return RuleScene(places, run, found.items, trust_in(places).knows(places.cwd))


def books_here(scene: RuleScene) -> tuple[Rulebook, ...]:
    return rulebooks(scene)


def book_of(harness: str, scene: RuleScene) -> Sequence[Rulebook]:
    """The rules of one harness, as its program would decide by itself where that is known."""
    folders = {folder.rpartition(".")[2]: folder for folder in files_called(HARNESSES, "permissions")}
    folder = folders.get(harness.replace("-", "_"))
    if folder is None:
        message = f"the harness `{harness}` has no rules about tool calls"
        raise PiscesError(Diagnostic("no-such-rules", ERROR, message, hint=f"one of: {', '.join(sorted(folders))}"))
    module = __import__(f"{folder}.permissions", fromlist=["rulebooks"])
    alone = getattr(module, "program_book", None)
    return (alone(scene),) if alone else tuple(export_of(folder, "permissions", "rulebooks")(scene))


def problems_of(books: Sequence[Rulebook]) -> list[Diagnostic]:
    return [each for book in books for each in book.diagnostics]
