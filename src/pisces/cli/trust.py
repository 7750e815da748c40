"""`pisces trust`: shows what a project would run and asks; takes it back; lists what was decided."""

from __future__ import annotations

from pisces.audit.record import ChangedRecord, RefusedRecord
from pisces.cli._audit import audit_of
from pisces.cli._shell_command import FINE, PROBLEMS, ShellCommand, add_output_format
from pisces.cli._switches import safe_notes
from pisces.diagnostics import PiscesError
from pisces.discovery.pins import digest_of
from pisces.formats.masking import masked_line
from pisces.gates.coverable import coverable
from pisces.gates.judge import USER
from pisces.gates.trust import TRUST_CHANGED, TRUST_NOT_GIVEN, difference, folder_to_trust, remember_trust
from pisces.gates.trusted import NEW, SAME, Trust, real_folder, trust_in
from pisces.ui.asking import answer_to, can_ask, shown_by_pages
from pisces.ui.plain import counted, show_diagnostics
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from pisces.audit.record import AuditRecord
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.diagnostics import Diagnostic
    from pisces.gates.workspace import Covered


_FEW = 20  # files of a new thing that are named; --output-format json names all


def _arguments(parser: ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", metavar="PATH", help="the project's folder; default: this one")
    parser.add_argument("--yes", action="store_true", help="say yes to what is shown, for scripts")
    parser.add_argument("--accept", metavar="HASH", help="say yes to exactly this content: sha256:...")
    parser.add_argument("--revoke", "--forget", action="store_true", help="do not trust it any more")
    parser.add_argument("--list", action="store_true", help="the folders that are trusted, and what of them")
    add_output_format(parser)


def _run(arguments: Namespace, places: Places, screen: Screen) -> int:
    show_diagnostics(safe_notes(places), places, screen)
    if arguments.list:
        return _list(arguments, trust_in(places), places, screen)
    if arguments.revoke:
        return _revoke(places.absolute(arguments.path or "."), places, screen)
    folder = folder_to_trust(places, arguments.path or ".")
    there = places.replace(cwd=folder)
    covered, problems = coverable(there)
    trust, refusal = trust_in(places), None
    if all(trust.state_of(each, folder) == SAME for each in covered):
        _settle(covered, trust, there, screen)
    else:
        show_diagnostics(problems, there, screen)
        was_read = shown_by_pages(_card(covered, trust, there), screen)
        refusal = _refusal(arguments, covered, folder, screen) if was_read else _disagreed(folder)
        if refusal is None:
            _remember(covered, there)
            who = "--accept" if arguments.accept else "--yes" if arguments.yes else USER
            _record(ChangedRecord("trusted", "workspace", folder, sha256=_hash(covered), who=who), there, screen)
            screen.note(f"trusted: {counted(len(covered), 'thing')} in {visible(folder)}, as they are now")
    if refusal is not None:
        _record(RefusedRecord("workspace", folder, code=refusal.code, why=refusal.message), there, screen)
        show_diagnostics([refusal], there, screen)
    if arguments.output_format == "json":
        screen.json({**_json(covered, trust, folder), "trusted": refusal is None, **_error(refusal)})
    return FINE if refusal is None else PROBLEMS


def _record(record: AuditRecord, places: Places, screen: Screen) -> None:
    audit_of(places, screen).write(record)


def _error(refusal: Diagnostic | None) -> dict[str, Any]:
    return {"error": refusal and refusal.message, "hint": refusal and refusal.hint}


def _settle(covered: tuple[Covered, ...], trust: Trust, places: Places, screen: Screen) -> None:
    """Nothing has to be asked. What is gone is forgotten, so that it is new when it comes back."""
    folder = places.cwd
    if not covered and not trust.knows(folder):
        screen.note(f"nothing in {visible(folder)} would run by itself, so there is nothing to trust")
        return
    screen.note(f"already trusted, and nothing changed: {counted(len(covered), 'thing')} in {visible(folder)}")
    if len(trust.agreed(folder)) != len(covered):
        remember_trust(places, lambda now: now.including(folder, covered))


def _remember(covered: tuple[Covered, ...], places: Places) -> None:
    """What was shown is what is trusted: files may have changed while the question waited."""
    if _hash(coverable(places)[0]) != _hash(covered):
        message = "what would run changed while you were asked; nothing is trusted"
        raise PiscesError(TRUST_CHANGED.at(places.cwd, message, hint="`pisces trust` again"))
    remember_trust(places, lambda trust: trust.including(places.cwd, covered))


def _refusal(arguments: Namespace, covered: tuple[Covered, ...], folder: str, screen: Screen) -> Diagnostic | None:
    """Why nothing is trusted; None where somebody said yes."""
    own = _hash(covered)
    if arguments.accept:
        message = f"this is {own}, not what was agreed to; nothing is trusted"
        return None if arguments.accept == own else TRUST_NOT_GIVEN.at(folder, message)
    if arguments.yes:
        return None
    if not can_ask(screen):
        hint = f"a terminal asks; --accept {own} agrees to exactly this, --yes to whatever is here"
        return TRUST_NOT_GIVEN.at(folder, "nobody can be asked here, so nothing is trusted", hint=hint)
    said_yes = answer_to("Trust all of it? [y/N] ", screen).strip().lower() in ("y", "yes")
    return None if said_yes else _disagreed(folder)


def _disagreed(folder: str) -> Diagnostic:
    return TRUST_NOT_GIVEN.at(folder, "you did not agree, so nothing is trusted")


def _card(covered: tuple[Covered, ...], trust: Trust, places: Places) -> Iterator[str]:
    folder = places.cwd
    yield f"in {visible(folder)} this would run, with your rights:"
    for each in sorted(covered, key=lambda one: trust.state_of(one, folder) == SAME):
        state = trust.state_of(each, folder) if trust.knows(folder) else ""
        mark = "  " if state in ("", SAME) else "+ " if state == NEW else "~ "
        size = counted(len(each.pins), "file") if each.pins else ""
        words = (each.kind, visible(each.name), visible(masked_line(each.text)), f"({size})" if size else "", state)
        yield f"  {mark}{'  '.join(word for word in words if word)}"
        changes = [f"{what} {name}" for what, name in difference(trust, each, folder)]
        for line in changes or (sorted(each.pins)[:_FEW] if state != SAME and len(each.pins) > 1 else ()):
            yield f"      {visible(line)}"
    gone = set(trust.agreed(folder)) - {each.id for each in covered}
    for name in sorted(gone):
        yield f"  - {visible(name.rpartition(' ')[0])}  gone"
    yield f"  content   {_hash(covered)}"


def _hash(covered: tuple[Covered, ...]) -> str:
    return f"sha256:{digest_of({each.id: digest_of(each.pins) for each in covered})}"


def _list(arguments: Namespace, trust: Trust, places: Places, screen: Screen) -> int:
    if arguments.output_format == "json":
        folders = trust.folders.items()
        shown = [{"folder": name, "covers": [_named(each) for each in agreed]} for name, agreed in folders]
        screen.json({"folders": shown})
        return FINE
    for folder, agreed in trust.folders.items():
        screen.line(visible(places.shown(folder)))
        screen.lines(f"  {visible(_named(each))}" for each in agreed)
    if not trust.folders:
        screen.note("no folder is trusted")
    return FINE


def _named(thing: str) -> str:
    return thing.rpartition(" ")[0]


def _revoke(folder: str, places: Places, screen: Screen) -> int:
    if trust_in(places).knows(folder):
        remember_trust(places, lambda trust: trust.without(folder))
        _record(ChangedRecord("revoked", "workspace", folder), places.replace(cwd=folder), screen)
        screen.note(f"not trusted any more: {visible(folder)}")
    else:
        screen.note(f"{visible(folder)} is not on the list")
    return FINE


def _json(covered: tuple[Covered, ...], trust: Trust, folder: str) -> dict[str, Any]:
    things = [
        {
            "kind": each.kind,
            "name": each.name,
            "text": masked_line(each.text),
            "state": trust.state_of(each, folder),
            "files": sorted(each.pins),
            "changes": [{"what": what, "path": name} for what, name in difference(trust, each, folder)],
        }
        for each in covered
    ]
    return {"folder": real_folder(folder), "hash": _hash(covered), "covers": things}


_EXAMPLES = (
    ("pisces trust", "what would run in this folder, or what changed; then a question"),
    ("pisces trust ~/work/shop --yes", "without the question, for scripts"),
    ("pisces trust ~/work/shop --revoke", "not any more"),
    ("pisces trust --list", "what is trusted"),
)
COMMAND = ShellCommand("trust", "lets what a project brings run, as it is now", _EXAMPLES, _arguments, _run)
