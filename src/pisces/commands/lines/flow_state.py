"""Who holds the user's words in a shell line, and what the words must look like for it."""

from __future__ import annotations

from pisces.commands.lines.needs import DIGITS, NAME, NEVER, ORDINARY, PHRASE
from pisces.formats.shell.arguments import CLEAN, WORLD
from pisces.processes.blocked_env import is_blocked_in_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from pisces.commands.lines.flow import Flow
    from pisces.commands.lines.needs import Need
    from pisces.formats.shell.arguments import CommandCall, Taint


# Beside those that are blocked everywhere: programs run what these hold, or obey it.
_CODE_VARIABLES = frozenset(
    """
    LESSOPEN LESSCLOSE MANPAGER MANOPT MAKEFLAGS MFLAGS MAKEFILES GNUMAKEFLAGS VIMINIT EXINIT TAR_OPTIONS RSYNC_RSH
    CVS_RSH FZF_DEFAULT_COMMAND FZF_DEFAULT_OPTS RIPGREP_CONFIG_PATH CURL_HOME WGETRC INPUTRC SUDO_ASKPASS
    SYSTEMD_EDITOR SYSTEMD_PAGER KUBE_EDITOR LESS BAT_PAGER DELTA_PAGER AWKPATH SUDO_EDITOR HISTFILE MAILPATH CDPATH
    """.split()
)


_READ_AS_CODE = frozenset((NEVER, NAME, ORDINARY, PHRASE, DIGITS))
_CALCULATED = frozenset(
    "OPTIND RANDOM SECONDS EPOCHSECONDS HISTCMD LINENO BASH_ARGV0".split()
)  # bash says `declare -i`


class FlowState:
    """What all scripts of a line share: who holds the user's words."""

    def __init__(self, judge: Callable[[Flow, CommandCall], None]) -> None:
        self.judge = judge
        self.needs: dict[int, set[Need]] = {}
        self.own_paths: Taint = CLEAN  # holes for paths of ours: nobody's words, but they may need quotes
        self.single: set[int] = set()  # holes whose words must stay one word
        self.everything: Taint = CLEAN  # all words of the line
        self.variables: dict[str, Taint] = {}
        self.texts: dict[str, set[str]] = {}
        self.positional: Taint = CLEAN
        self.functions: dict[str, Taint] = {}  # by name, whose words come in by stdin
        self.integers: set[str] = set(_CALCULATED)
        self.stored: Taint = CLEAN  # what a program may keep, and another one give back
        self.written: dict[str, Taint] = {}  # by the name of the file
        self.descriptors: Taint = CLEAN  # what any open file may hold

    @property
    def held(self) -> Taint:
        """All words that any variable holds."""
        return self.positional.union(*self.variables.values())

    def need(self, taint: Taint, *needs: Need) -> None:
        if taint >= WORLD and not _READ_AS_CODE.isdisjoint(needs):
            taint |= self.stored
        for hole in taint - WORLD:
            self.needs.setdefault(hole, set()).update(needs)

    def hold(self, name: str, taint: Taint) -> None:
        if taint - WORLD and (is_blocked_in_line(name) or name in _CODE_VARIABLES):
            self.need(taint, NEVER)
        if taint - WORLD and name in self.integers:
            self.need(taint, DIGITS)
        self.variables[name] = self.variables.get(name, CLEAN) | taint

    def snapshot(self) -> tuple[object, ...]:
        return (
            dict(self.variables),
            self.positional,
            dict(self.functions),
            set(self.integers),
            dict(self.written),
            self.descriptors,
            self.stored,
        )
