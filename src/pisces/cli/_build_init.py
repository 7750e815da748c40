"""`pisces build --init`: what a configuration for this repository would be; written after a yes."""

from __future__ import annotations

import os

from pisces.atomic import write_atomically
from pisces.building.adopt import adopted_text, proposal
from pisces.cli._shell_command import FINE
from pisces.disk import disk_faults
from pisces.ui.asking import answer_to, can_ask
from pisces.ui.json_screen import JsonScreen
from pisces.ui.plain import counted
from pisces.ui.screen import visible
from pisces.ui.table import path_rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.building.adopt import Proposal
    from pisces.cli._shell_command import Namespace, Places, Screen


_MOST_PLACES = 20


def propose(arguments: Namespace, places: Places, screen: Screen) -> int:
    found = proposal(places)
    if not isinstance(screen, JsonScreen):
        _show(found, places, screen)
    written = bool(arguments.yes) or _agreed(found, places, screen)
    if written:
        with disk_faults(os.path.dirname(found.path)):
            write_atomically(found.path, adopted_text(found))
    if isinstance(screen, JsonScreen):
        screen.json(_as_json(found, written=written))
    elif written:
        screen.note(f"wrote {visible(places.shown(found.path))}: `pisces build --check` shows what would change")
    else:
        screen.note("nothing was written: `pisces build --init --yes` writes it")
    return FINE


def _show(found: Proposal, places: Places, screen: Screen) -> None:
    wrong = found.out_of_step
    shown = found.places if len(found.places) <= _MOST_PLACES else wrong
    rows = [
        (f"  {each.version}", "out of step" if each in wrong else "", f"{places.shown(each.path)}:{each.line}")
        for each in shown
    ]
    if found.places:
        agree = "" if shown == found.places else f", {len(found.places) - len(shown)} more agree"
        screen.note(f"{counted(len(found.plugins), 'plugin')}; versions that are said here{agree}:")
        for lines in path_rows(rows, screen.err_width):
            for line in lines:
                screen.note(visible(line))
        screen.note()
    screen.text(found.text)


def _agreed(found: Proposal, places: Places, screen: Screen) -> bool:
    if not can_ask(screen) or isinstance(screen, JsonScreen):
        return False
    question = f"Write this to {visible(places.shown(found.path))}? [y/N] "
    return answer_to(question, screen).strip().lower() in ("y", "yes")


def _as_json(found: Proposal, *, written: bool) -> dict[str, object]:
    wrong = found.out_of_step
    versions = [
        {
            "path": each.path,
            "line": each.line,
            "pointer": each.pointer,
            "version": each.version,
            "inStep": each not in wrong,
        }
        for each in found.places
    ]
    return {"path": found.path, "config": found.text, "written": written, "versions": versions}
