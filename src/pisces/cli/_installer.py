"""The installer of one shell call, and its consent: by a hash named beforehand, or at a terminal; otherwise no."""

from __future__ import annotations

import os
from itertools import chain

from pisces.cli._audit import audit_of
from pisces.diagnostics import ERROR, NOTE, Diagnostic, PiscesError
from pisces.discovery.package_acts import PACKAGE, files_started
from pisces.gates.judge import NOBODY, USER, judge_now
from pisces.packages.card import CONSENT_REFUSED, WRONG_HASH, CardLine, act_lines, card_changes, card_of
from pisces.packages.install import Installer, InstallRequest, inventory_at, moves
from pisces.packages.store.store import own_store
from pisces.packages.store.tree import WITHOUT_RUN_BITS, changed_files, tree_of
from pisces.shapes.verdict import ALLOW, DENY, Verdict
from pisces.ui.asking import answer_to, can_ask, shown_by_pages
from pisces.ui.card_text import card_lines, change_lines, finding_lines
from pisces.ui.plain import summary_of
from pisces.ui.progress import reporter
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.gates.judge import Confirm
    from pisces.shapes.request import Request


def add_consent(parser: ArgumentParser) -> None:
    meaning = "agree to exactly this content: sha256:... (repeatable)"
    parser.add_argument("--accept", action="append", metavar="HASH", help=meaning)
    parser.add_argument("--full-card", action="store_true", help="show every file of the package too")


def installer_for(arguments: Namespace, places: Places, screen: Screen) -> Installer:
    return installer_that_asks(consent(arguments, places, screen), places, screen)


def quiet_installer(places: Places, screen: Screen) -> Installer:
    """For acts that never ask: uninstall, enable, disable, rollback."""
    return installer_that_asks(None, places, screen)


def installer_that_asks(confirm: Confirm | None, places: Places, screen: Screen) -> Installer:
    record = audit_of(places, screen).judged
    return Installer(
        own_store(places), places, lambda request: judge_now(request, (), confirm, record), reporter(screen)
    )


def consent(arguments: Namespace, places: Places, screen: Screen) -> Confirm:
    """Answers requests to install, for one call of the shell."""

    def confirm(request: Request, _questions: tuple[Verdict, ...]) -> Verdict:
        assert isinstance(request, InstallRequest)
        if arguments.accept:
            return _same(arguments.accept, request)
        every = chain(
            _card(request, places, screen),
            _files(request) if arguments.full_card else (),
        )
        try:
            is_read = shown_by_pages(every, screen)
            if can_ask(screen):
                return _asked_at_terminal(request, screen) if is_read else _refused(request)
        except KeyboardInterrupt:
            return _refused(request)
        return Verdict(DENY, NOBODY, "nobody can be asked here")

    return confirm


def _card(request: InstallRequest, places: Places, screen: Screen) -> Iterator[str]:
    from pisces.scanning.scan import scan  # only where somebody reads it

    found = [_inside(each, request.folder) for each in scan(request.folder, places).diagnostics]
    serious = sorted((each for each in found if each.severity != NOTE), key=lambda each: each.severity != ERROR)
    for each in serious:
        screen.reported(each)
    above = chain(finding_lines(serious, places, screen), _changes(request, places, screen))
    yield from card_lines(request.card, screen, _dangers(request, serious), above)
    yield f"scan: {summary_of(found)}; this is not proof of safety"


def _inside(finding: Diagnostic, folder: str) -> Diagnostic:
    """A finding under the package's own paths: the stage is gone before anybody could look there."""
    path = os.path.relpath(finding.path, folder).replace(os.sep, "/") if finding.path else ""
    message, hint = (text.replace(folder, PACKAGE) for text in (finding.message, finding.hint))
    return finding.replace(path=path, message=message, hint=hint)


def _dangers(request: InstallRequest, findings: list[Diagnostic]) -> dict[CardLine, str]:
    """Lines of the card that the scanner warns of: for their own text, or for a file that they start."""
    from pisces.scanning.acting import judged_acts

    by_path: dict[str, Diagnostic] = {}
    for each in findings:
        by_path.setdefault(each.path, each)
    dangers: dict[CardLine, str] = {}
    for act, problems in judged_acts(request.card.acts, request.folder):
        files = (os.path.relpath(path, request.folder) for path in files_started(act, request.folder))
        named = [by_path[path.replace(os.sep, "/")] for path in files if path.replace(os.sep, "/") in by_path]
        reason = next((each.message for each in problems if each.severity != NOTE), "")
        reason = reason or next((f"{each.path}: {each.message}" for each in named), "")
        if reason:
            dangers[act_lines(act, request.card.folder)[0]] = reason
    return dangers


def _same(accepted: list[str], request: InstallRequest) -> Verdict:
    if request.card.hash not in accepted:
        message = f"`{request.card.name}` is {request.card.hash}, not what was agreed to"
        earlier = any(request.tree.is_recorded(each, WITHOUT_RUN_BITS) for each in accepted)
        hint = "that hash is of an earlier pisces and does not cover run bits" if earlier else "nothing was installed"
        raise PiscesError(WRONG_HASH.at("", message, hint=hint))
    return Verdict(ALLOW, "--accept", "its hash was named")


def _files(request: InstallRequest) -> Iterator[str]:
    yield "files:"
    yield from (f"  {file.sha256[:12]:<12} {visible(file.path)}" for file in request.tree.files)


def _changes(request: InstallRequest, places: Places, screen: Screen) -> Iterator[str]:
    before = request.installed
    if before is None or before.linked:
        return
    tree = tree_of(before.folder, left_out=request.beside)
    old = card_of(inventory_at(before.folder, places, before.name, before.format), tree, "")
    moved_to, moved_from = moves(request)
    added, removed = card_changes((*moved_from, *old.lines), (*moved_to, *request.card.lines))
    yield from change_lines(added, removed, list(changed_files(tree, request.tree)), screen)


def _asked_at_terminal(request: InstallRequest, screen: Screen) -> Verdict:
    answer = answer_to(f"Install {visible(request.card.name)}? [y/N] ", screen)
    return Verdict(ALLOW, USER, "you agreed to it") if answer.strip().lower() in ("y", "yes") else _refused(request)


def _refused(request: InstallRequest) -> Verdict:
    raise PiscesError(CONSENT_REFUSED.at("", f"`{request.card.name}` was not agreed to; nothing was changed"))
