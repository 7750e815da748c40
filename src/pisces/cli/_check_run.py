"""One check as the command line asks for it: what is looked at, what is shown of it, and its fixes."""

from __future__ import annotations

from pisces.checking.acceptance import acceptances
from pisces.checking.check import Scope, check
from pisces.checking.check_config import CheckConfigs
from pisces.checking.checked import Checked
from pisces.checking.fix import Fix
from pisces.checking.gallery import gallery_lints
from pisces.checking.lint import Lint
from pisces.checking.sifted import Shown, Sifted, sifted
from pisces.discovery.package_roots import EVERYWHERE, NEAR
from pisces.ui.progress import with_progress
from pisces.ui.rules import all_rules
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.cli._shell_command import Namespace, Places, Screen


class CheckRun(Value):
    """`checked` is all that was found, `sifted` what the user wants to see of it, `fixed` which files were mended."""

    checked: Checked
    sifted: Sifted
    fixed: tuple[str, ...] = ()

    def fixes(self, *, unsafe: bool) -> list[Fix]:
        return [each for each in self.sifted.fixes.values() if each.safe or unsafe]


def run_check(arguments: Namespace, places: Places, screen: Screen, copied: tuple[str, str] = ("", "")) -> CheckRun:
    """`copied`: see `Shown`."""
    scope = _scope(arguments)
    checked = check(arguments.paths, places, scope, lambda work: with_progress(work, "checked", screen))
    known = _Known()
    configs = None if arguments.no_suppressions else CheckConfigs(places, known.codes)
    select, ignore = codes_in(arguments.select), codes_in(arguments.ignore)
    wanted = Shown(select, ignore, configs, is_partial=scope.only, copied=copied)
    return CheckRun(checked, sifted(checked, wanted, known.codes))


class _Known:
    """The codes of all rules, read once and only if somebody asks."""

    def __init__(self) -> None:
        self._codes: frozenset[str] = frozenset()

    def codes(self) -> frozenset[str]:
        self._codes = self._codes or frozenset(all_rules())
        return self._codes


def codes_in(given: list[str] | None) -> tuple[str, ...]:
    """Repeated options, or several codes with commas."""
    return tuple(code.strip() for each in given or () for code in each.split(",") if code.strip())


def _scope(arguments: Namespace) -> Scope:
    """Verdicts are costly, so they are given only where they are shown."""
    reach, wanted = EVERYWHERE if arguments.recursive else NEAR, arguments.harness or ()
    known = acceptances()
    lints: tuple[Lint, ...] = gallery_lints() if arguments.gallery else ()
    if wanted:
        return Scope({name: known[name] for name in known if name in wanted}, only=True, reach=reach, lints=lints)
    shown = arguments.harnesses or arguments.output_format == "json"
    return Scope(known if shown else {}, reach=reach, lints=lints)
