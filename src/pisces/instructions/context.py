"""The context files of every harness that matters here, as the model reads them: each text once, with its imports.

Harnesses come by priority, and the files of one in its own order. A file that several read is read by the rules of the
first. What a project or a package brings stays in its own folder, whatever the harness itself allows.
"""

from __future__ import annotations

import os

from pisces.by_name import export_of, files_called
from pisces.diagnostics import NOTE, Rule
from pisces.discovery.capabilities import CONTEXT_FILES
from pisces.discovery.containment import stays_inside
from pisces.discovery.found import PROJECT
from pisces.discovery.harness import HARNESSES, Run
from pisces.discovery.registry import Switches, discover
from pisces.discovery.state import ACTIVE
from pisces.instructions.context_reader import ContextReader, texts
from pisces.instructions.part import CONTEXT, InstructionPart, Instructions
from pisces.instructions.rooms import Room, Rooms, rooms_here

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pisces.diagnostics import Diagnostic
    from pisces.discovery.capability import Capability
    from pisces.discovery.found import Candidate, Found
    from pisces.instructions.context_reader import ContextText
    from pisces.places import Places
    from pisces.shapes.context_file import ContextFile

    Texts = Callable[[str, Room, ContextReader], Iterator[ContextText]]

UNTRUSTED_INSTRUCTIONS = Rule(
    "instructions-untrusted", NOTE, "Instructions of a project are left out until the project is trusted"
)


def context(
    places: Places,
    switches: Switches = Switches(),  # noqa: B008  # a value, never changed
    *,
    run: Run | None = None,
    trusted: bool = False,
) -> Instructions:
    """The text of every context file that pisces would load here. Nothing of a project that is not trusted is read."""
    return _read(places, places, switches, run or Run(), trusted=trusted)


def nested_context(
    read: Instructions,
    places: Places,
    folder: str,
    switches: Switches = Switches(),  # noqa: B008  # a value, never changed
    *,
    trusted: bool = False,
) -> Instructions:
    """What is added to `read` once a file in a folder below the current one is worked with."""
    if folder == places.cwd or not stays_inside(folder, places.cwd):
        return Instructions(())
    known = {part.source for part in (*read.parts, *read.conditional)}
    there = _read(places.replace(cwd=folder), places, switches, Run(), trusted=trusted)
    return there.replace(
        parts=tuple(part for part in there.parts if part.source not in known),
        conditional=tuple(part for part in there.conditional if part.source not in known),
    )


def _read(there: Places, places: Places, switches: Switches, run: Run, *, trusted: bool) -> Instructions:
    """`there` is where files are looked for, `places` what decides about imports."""
    found = discover(CONTEXT_FILES, there, switches, run=run)
    active = [each for each in found.all if each.state == ACTIVE]
    chosen = [each for each in active if trusted or each.found.source.level != PROJECT]
    rooms = rooms_here([each.found for each in chosen], places, switches, run)
    read = context_of(chosen, rooms, ContextReader(places, run))
    left_out = untrusted(CONTEXT_FILES, len(active) - len(chosen), places)
    return read.replace(diagnostics=(*found.diagnostics, *read.diagnostics, *left_out))


def context_of(candidates: Iterable[Candidate[ContextFile]], rooms: Rooms, reader: ContextReader) -> Instructions:
    """The texts of context files that were chosen already."""
    parts = list(_once(_parts(candidates, rooms, reader)))
    always = tuple(part for part in parts if not part.condition)
    return Instructions(always, reader.diagnostics, tuple(part for part in parts if part.condition))


def untrusted(kind: Capability, number: int, places: Places) -> Iterator[Diagnostic]:
    """Says that some are left out, if any are."""
    if number:
        what = kind.singular if number == 1 else kind.plural
        message = f"{number:,} {what} of this project left out: it is not trusted"
        yield UNTRUSTED_INSTRUCTIONS.at(places.cwd, message, hint="read what the project brings, then `pisces trust`")


def _parts(
    candidates: Iterable[Candidate[ContextFile]], rooms: Rooms, reader: ContextReader
) -> Iterator[InstructionPart]:
    for candidate in candidates:
        found = candidate.found
        real = os.path.realpath(found.item.path)
        if real in reader.seen:
            continue
        source = found.source
        texts_of = _texts_of(found, rooms, reader.run)
        for text in texts_of(found.item.path, rooms.of(found), reader):
            condition = candidate.reason or text.condition
            yield InstructionPart(
                *(text.text, text.path, source.harness, found.package, CONTEXT, source.level, text.importer, condition)
            )
        reader.seen.add(real)


def _texts_of(found: Found, rooms: Rooms, run: Run) -> Texts:
    folder = f"{HARNESSES}.{rooms.dialect_of(found, run).replace('-', '_')}"
    if folder not in run.once(("imports",), lambda: files_called(HARNESSES, "imports")):
        return texts
    found_there: Texts = export_of(folder, "imports", "texts")
    return found_there


def _once(parts: Iterable[InstructionPart]) -> Iterator[InstructionPart]:
    """Authors copy a text for each harness; a model needs it once. A blank one nobody needs."""
    seen: set[str] = set()
    for part in parts:
        text = part.text.strip()
        if text and text not in seen:
            seen.add(text)
            yield part
