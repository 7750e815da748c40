"""The installer of one shell call, and its consent: by a hash named beforehand, or at a terminal; otherwise no."""

from __future__ import annotations

import sys

from pisces.diagnostics import ERROR, PiscesError
from pisces.gates.judge import NOBODY, USER, judge_now
from pisces.packages.card import CONSENT_REFUSED, WRONG_HASH, card_changes, card_of
from pisces.packages.install import Installer, InstallRequest, inventory_at, moves
from pisces.packages.store.store import own_store
from pisces.packages.store.tree import WITHOUT_RUN_BITS, changed_files, tree_of
from pisces.shapes.verdict import ALLOW, DENY, Verdict
from pisces.ui.card_text import card_lines, change_lines
from pisces.ui.plain import show_diagnostics, summary_of
from pisces.ui.progress import reporter
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import ArgumentParser, Namespace, Places, Screen
    from pisces.gates.judge import Confirm
    from pisces.shapes.request import Request


def add_consent(parser: ArgumentParser) -> None:
    meaning = "agree to exactly this content: sha256:... (repeatable)"
    parser.add_argument("--accept", action="append", metavar="HASH", help=meaning)
    parser.add_argument("--full-card", action="store_true", help="show every line of the consent card, and every file")


def installer_for(arguments: Namespace, places: Places, screen: Screen) -> Installer:
    return installer_that_asks(consent(arguments, places, screen), places, screen)


def quiet_installer(places: Places, screen: Screen) -> Installer:
    """For acts that never ask: uninstall, enable, disable, rollback."""
    return installer_that_asks(None, places, screen)


def installer_that_asks(confirm: Confirm | None, places: Places, screen: Screen) -> Installer:
    return Installer(own_store(places), places, lambda request: judge_now(request, (), confirm), reporter(screen))


def consent(arguments: Namespace, places: Places, screen: Screen) -> Confirm:
    """Answers requests to install, for one call of the shell."""

    def confirm(request: Request, _questions: tuple[Verdict, ...]) -> Verdict:
        assert isinstance(request, InstallRequest)
        if arguments.accept:
            return _same(arguments.accept, request)
        for line in card_lines(request.card, screen, most=10**9 if arguments.full_card else 40):
            screen.note(line)
        if arguments.full_card:
            _show_files(request, screen)
        _show_changes(request, places, screen)
        _show_findings(request, places, screen)
        if not (sys.stdin and sys.stdin.isatty() and screen.err_is_terminal):
            return Verdict(DENY, NOBODY, "nobody can be asked here")
        return _asked_at_terminal(request, screen)

    return confirm


def _same(accepted: list[str], request: InstallRequest) -> Verdict:
    if request.card.hash not in accepted:
        message = f"`{request.card.name}` is {request.card.hash}, not what was agreed to"
        earlier = any(request.tree.is_recorded(each, WITHOUT_RUN_BITS) for each in accepted)
        hint = "that hash is of an earlier pisces and does not cover run bits" if earlier else "nothing was installed"
        raise PiscesError(WRONG_HASH.at("", message, hint=hint))
    return Verdict(ALLOW, "--accept", "its hash was named")


def _show_files(request: InstallRequest, screen: Screen) -> None:
    screen.note("files:")
    for file in request.tree.files:
        screen.note(f"  {file.sha256[:12]:<12} {visible(file.path)}")


def _show_changes(request: InstallRequest, places: Places, screen: Screen) -> None:
    before = request.installed
    if before is None or before.linked:
        return
    tree = tree_of(before.folder, left_out=request.beside)
    old = card_of(inventory_at(before.folder, places, before.name, before.format), tree, "")
    moved_to, moved_from = moves(request)
    added, removed = card_changes((*moved_from, *old.lines), (*moved_to, *request.card.lines))
    files = list(changed_files(tree, request.tree))
    for line in change_lines(added, removed, files, screen):
        screen.note(line)


def _show_findings(request: InstallRequest, places: Places, screen: Screen) -> None:
    from pisces.scanning.scan import scan  # only where somebody reads it

    found = scan(request.folder, places).diagnostics
    serious = [each for each in found if each.severity == ERROR]
    show_diagnostics(serious, places, screen)
    screen.note(f"scan: {summary_of(found)}; this is not proof of safety")


def _asked_at_terminal(request: InstallRequest, screen: Screen) -> Verdict:
    try:
        screen.progress(f"Install {request.card.name}? [y/N] ")
        answer = sys.stdin.readline()
    except KeyboardInterrupt:
        answer = ""
    if answer.strip().lower() not in ("y", "yes"):
        screen.note("")
        raise PiscesError(CONSENT_REFUSED.at("", f"`{request.card.name}` was not agreed to; nothing was changed"))
    return Verdict(ALLOW, USER, "you agreed to it")
