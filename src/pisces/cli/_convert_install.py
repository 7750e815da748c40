"""`pisces convert SRC --install TARGET` and `--uninstall`: into a user's own folders, after consent, and out again."""

from __future__ import annotations

import hashlib
import os

from pisces.cli._convert_report import show_reports
from pisces.cli._shell_command import FINE, PROBLEMS
from pisces.converting.convert import read_source
from pisces.converting.file_changes import CHANGED_MEANWHILE
from pisces.converting.installing.install import install, recover, uninstall
from pisces.converting.installing.layout import install_place
from pisces.converting.installing.plan import InstallPlan, install_plan
from pisces.converting.prompt_text import PromptLine
from pisces.converting.report import ConversionReport
from pisces.diagnostics import PiscesError
from pisces.discovery.acts import AT_START
from pisces.discovery.server_acts import server_acts
from pisces.packages.card import CONSENT_NEEDED, CONSENT_REFUSED, Card, CardLine, act_lines
from pisces.shapes.mcp_server import McpServer
from pisces.ui.asking import answer_to, can_ask, shown_by_pages
from pisces.ui.card_text import card_lines
from pisces.ui.plain import counted
from pisces.ui.screen import visible

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pisces.cli._shell_command import Namespace, Places, Screen
    from pisces.converting.convert import ConvertRequest
    from pisces.converting.plugin import PluginCommand, PluginSkill

_TRIES = 20  # other installations change the same settings


def run_install(arguments: Namespace, request: ConvertRequest, places: Places, screen: Screen) -> int:
    name = read_source(request, places).plugin.name
    place = install_place(request.target, name, places)
    if not arguments.dry_run and recover(place):
        screen.note("an installation that was cut short was taken back first")
    plan = install_plan(request, places, name)
    report = ConversionReport(plan.converted, problems=plan.problems)
    if plan.changes and not arguments.dry_run:
        _refuse_unless_agreed(plan, arguments, places, screen)
        plan = _installed(plan, lambda: install_plan(request, places, name))
    show_reports([report], arguments, places, screen)
    if arguments.output_format == "text":
        _show_installed(plan, arguments, places, screen)
    return PROBLEMS if report.fails(arguments.fail_on) else FINE


def _installed(plan: InstallPlan, planned_again: Callable[[], InstallPlan]) -> InstallPlan:
    """Installs what was agreed to. Where something changed meanwhile, a new plan that asks for no more is taken."""
    for _ in range(_TRIES):
        try:
            install(plan)
        except PiscesError as error:
            again = planned_again()
            if error.diagnostic.code != CHANGED_MEANWHILE.code or _card(again).lines != _card(plan).lines:
                raise
            if {*again.backups} != {*plan.backups}:
                raise
            plan = again
        else:
            return plan
    install(plan)
    return plan


def run_uninstall(arguments: Namespace, request: ConvertRequest, places: Places, screen: Screen) -> int:
    place = install_place(request.target, _name(request, places), places)
    done = uninstall(place)
    if arguments.output_format == "json":
        saved = [{"path": path, "backup": backup} for path, backup in done.saved]
        values = {"name": place.name, "removed": list(done.removed), "restored": list(done.restored), "saved": saved}
        screen.json(values)
    elif done.manifest is None:
        screen.line(f"an installation of {visible(place.name)} that was cut short was taken back")
    else:
        screen.line(f"uninstalled {visible(done.manifest.plugin)}: {counted(len(done.removed), 'file')} removed")
    for path, backup in done.saved:
        where = places.shown(place.root.path(backup))
        screen.note(f"{visible(path)} was changed since it was installed; your version is {visible(where)}")
    return FINE


def _name(request: ConvertRequest, places: Places) -> str:
    """That of the package in a folder, or what was typed."""
    if not os.path.isdir(places.absolute(request.source)):
        return request.source
    try:
        return read_source(request, places).plugin.name
    except PiscesError:  # a folder of that name that is something else
        return request.source


def _refuse_unless_agreed(plan: InstallPlan, arguments: Namespace, places: Places, screen: Screen) -> None:
    name = visible(plan.converted.plugin.name)
    if arguments.yes:
        return
    try:
        is_read = shown_by_pages(_card_lines(plan, places, screen), screen)
        if not can_ask(screen):
            message = f"nobody has agreed to `{name}` yet"
            raise PiscesError(CONSENT_NEEDED.at("", message, hint="read the card, then repeat with --yes", about=name))
        if is_read and answer_to(f"Install {name}? [y/N] ", screen).strip().lower() in ("y", "yes"):
            return
    except KeyboardInterrupt:
        pass  # the same as no
    raise PiscesError(CONSENT_REFUSED.at("", f"`{name}` was not agreed to; nothing was changed"))


def _card_lines(plan: InstallPlan, places: Places, screen: Screen) -> Iterator[str]:
    yield from card_lines(_card(plan), screen, above=_moved_lines(plan, places))


def _moved_lines(plan: InstallPlan, places: Places) -> Iterator[str]:
    home = visible(places.shown(plan.place.home))
    yield f"writes {counted(sum(not each.removes for each in plan.changes), 'file')} to {home}"
    for is_earlier, whose in ((True, "of an earlier installation"), (False, "changed by you")):
        found = [path for path in plan.backups if (path in plan.earlier) == is_earlier]
        if found:
            yield f"{whose}, moved to the backup:"
            yield from (f"  {visible(path)}" for path in found)


def _card(plan: InstallPlan) -> Card:
    made, plugin = plan.converted, plan.converted.plugin
    lines = [*_server_lines(plan), *_prompt_lines(plan), *_component_lines(plan)]
    written = [each for each in plan.changes if not each.removes]
    digest = hashlib.sha256("\n".join(f"{each.path} {each.digest}" for each in plan.changes).encode()).hexdigest()
    size = sum(len(each.data) if each.data is not None else os.path.getsize(each.source) for each in written)
    return Card(
        plugin.name, plugin.version, plugin.format, made.folder, f"sha256:{digest}", tuple(lines), len(written), size
    )


def _server_lines(plan: InstallPlan) -> Iterator[CardLine]:
    for name, config in plan.converted.servers.items():
        server = McpServer(name, dict(config), plan.place.root.path(plan.place.layout.settings), ())
        for act in server_acts(server, AT_START):
            yield from act_lines(act, plan.place.home)


def _prompt_lines(plan: InstallPlan) -> Iterator[CardLine]:
    """The command lines that slash commands run, as their author wrote them."""
    made = plan.converted
    commands = {each.path for each in made.fates if each.output.startswith("commands/")}
    items: list[PluginCommand | PluginSkill] = [*made.plugin.commands, *made.plugin.skills]
    for item in items:
        for part in item.prompt.parts if item.path in commands else ():
            if isinstance(part, PromptLine):
                yield CardLine("line", visible(f"/{item.name}: {part.written}"))


def _component_lines(plan: InstallPlan) -> Iterator[CardLine]:
    """Components by the files that they are, and every program among the files."""
    for each in plan.changes:
        kind, _, rest = each.path.partition("/")
        if each.removes:
            continue
        if each.is_executable:
            yield CardLine("program", visible(each.path))
        if kind in plan.place.layout.folders and (kind != "skills" or rest.endswith("/SKILL.md")):
            yield CardLine({"agents": "subagent"}.get(kind, kind.removesuffix("s")), visible(rest))


def _show_installed(plan: InstallPlan, arguments: Namespace, places: Places, screen: Screen) -> None:
    name, home = visible(plan.converted.plugin.name), visible(places.shown(plan.place.home))
    written = sum(not each.removes for each in plan.changes)
    if not plan.changes:
        screen.line(f"{name} is installed already, unchanged, in {home}")
        return
    did = "would install" if arguments.dry_run else "updated" if plan.is_update else "installed"
    screen.line(f"{did} {name} in {home}: {counted(written, 'file')} written")
    for path, backup in plan.backups.items():
        screen.note(f"{visible(path)} was moved to {visible(places.shown(plan.place.root.path(backup)))}")
    if not arguments.dry_run:
        screen.note(f"take it back with `pisces convert {name} --uninstall {plan.converted.target}`")
