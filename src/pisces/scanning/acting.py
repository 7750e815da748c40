"""What runs by itself in this folder, in which harnesses, and what is dangerous about it. Nothing is run for it.

Everything counts that acts now, or would after one general question ("do you trust this folder?"): whoever says yes
there has not seen it. What is switched off does not.
"""

from __future__ import annotations

import os
import re
import shlex

from pisces.diagnostics import ERROR, WARNING, Diagnostic, Diagnostics, Rule
from pisces.discovery.acts import KINDS_THAT_ACT, acts_of, env_file_acts
from pisces.discovery.capabilities import capability_named
from pisces.discovery.found import PROJECT, Found
from pisces.discovery.item_place import item_place
from pisces.discovery.standing import standing
from pisces.discovery.state import ACTIVE, UNTRUSTED, WAITING
from pisces.processes.blocked_env import is_blocked
from pisces.scanning.detector import Detector, all_detectors
from pisces.scanning.detectors.policies import is_wide_grant
from pisces.scanning.file_names import FilesOnDisk
from pisces.scanning.known_files import KnownFiles, known_files
from pisces.scanning.page import Page, excerpt, page_of_text
from pisces.scanning.pages import page_at, pages_of
from pisces.scanning.references import references
from pisces.scanning.roles import SHELL
from pisces.scanning.scan import findings, findings_in_line
from pisces.scanning.started import Started, apply, follow
from pisces.shapes.act import ENVIRONMENT, FILE, GRANT, HOOK, KINDS, PROGRAM, SERVER, SOURCE, Act
from pisces.value import Value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pisces.discovery.harness import Harness, Run
    from pisces.places import Places

ACT_ENVIRONMENT = Rule("act-environment", ERROR, "A variable is set that changes what programs do or whom they talk to")
ACT_OPENS = Rule("act-opens", ERROR, "A protection of the agent is switched off")
ACT_REDIRECTS = Rule("act-redirects", ERROR, "The model is asked somewhere else")
PROGRAM_MISSING = Rule("act-program-missing", WARNING, "A program that should be started is not here")

_LIVE = (ACTIVE, UNTRUSTED, WAITING)
_AUTORUN_FILES = (".vscode/tasks.json", ".envrc", ".git/config", ".devcontainer/devcontainer.json")
_WORDS = re.compile(r"_BASE_URL$|_API_URL$|_ENDPOINT$|(?:^|_)PROXY$|_API_HOST$|^(?:NODE_TLS|SSL_CERT|REQUESTS_CA)")
_LOOPBACK = re.compile(r"(?:https?://)?(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)", re.I)
_ROOT_VARIABLE = re.compile(r"\$\{?\w{0,30}(?:PROJECT|WORKSPACE)\w{0,20}\}?")
_QUOTES = frozenset("'\"\\")
_SHELL_WORDS = frozenset(
    """
    . : [ [[ alias bg break case cd command continue do done echo elif else esac eval exec exit export false fg fi for
    function hash if in jobs kill let local printf pwd read readonly return set shift source test then time trap true
    type ulimit umask unset until wait while { } ( ) ! &
    """.split()
)
_MOST_SCRIPTS = 30


class Acting(Value):
    """An act, and whose it is. `states` has the state in each harness by label; `yours` if you put it there."""

    act: Act
    states: dict[str, str]
    level: str
    package: str
    line: int
    problems: tuple[Diagnostic, ...] = ()

    @property
    def yours(self) -> bool:
        return self.level != PROJECT

    @property
    def dangerous(self) -> bool:
        return any(each.severity == ERROR for each in self.problems)

    @property
    def asks(self) -> bool:
        """Whether every harness asks a question before it acts."""
        return ACTIVE not in self.states.values()


def what_acts(harnesses: Sequence[Harness], places: Places, run: Run) -> list[Acting]:
    """The dangerous ones first, then those that are not yours."""
    merged: dict[object, Acting] = {}
    for harness in harnesses:
        for each in _of_harness(harness, places, run):
            key = (os.path.realpath(each.act.path), each.act.kind, each.act.keys, each.act.text)
            same = merged.get(key)
            merged[key] = same.replace(states={**same.states, **each.states}) if same else each
    found = [*merged.values(), *_autorun_files(places)]
    if not found:
        return []
    known, detectors = known_files(places.cwd), all_detectors()
    judged = [each.replace(problems=_problems(each, places, known, detectors)) for each in found]
    return sorted(judged, key=lambda each: (not each.dangerous, each.yours, KINDS.index(each.act.kind)))


def _of_harness(harness: Harness, places: Places, run: Run) -> Iterator[Acting]:
    for kind in KINDS_THAT_ACT:
        for candidate in standing(harness, capability_named(kind), places, run).candidates:
            if candidate.state not in _LIVE:
                continue
            found, states = candidate.found, {harness.label: candidate.state}
            for act in acts_of(kind, found, run):
                yield Acting(act, states, found.source.level, found.package, _line(found, act))
    for act in env_file_acts(harness.id, places):
        yield Acting(act, {harness.label: ACTIVE}, PROJECT, "", int(act.keys[0]) + 1)


def _line(found: Found, act: Act) -> int:
    return item_place(found.replace(item=act))[0] if act.keys else 0


def _autorun_files(places: Places) -> Iterator[Acting]:
    """Files that an editor, a shell or git runs when somebody opens the folder."""
    from pisces.scanning.detectors.autorun_files import DETECTOR

    known = None
    for name in _AUTORUN_FILES:
        path = os.path.join(places.cwd, *name.split("/"))
        if not os.path.isfile(path):
            continue
        known = known or known_files(places.cwd)
        for page in pages_of(path, known):
            page.name = name
            for finding in DETECTOR.find(page):
                act = Act(FILE, name, excerpt(page.line(finding.line).strip()), finding.message, path)
                yield Acting(act, {"whoever opens the folder": ACTIVE}, PROJECT, "", finding.line)


def judged_acts(acts: Iterable[Act], folder: str) -> Iterator[tuple[Act, tuple[Diagnostic, ...]]]:
    """The acts of a package with what is wrong with each, as far as its own text says it."""
    known, detectors = known_files(folder), all_detectors()
    for act in acts:
        acting = Acting(act, {}, PROJECT, "", 0)
        found = [*_of_settings(acting), *(_in_text(acting, known, detectors) if act.runs else ())]
        yield act, tuple(dict.fromkeys(found))


def _problems(
    acting: Acting, places: Places, known: KnownFiles, detectors: Sequence[Detector]
) -> tuple[Diagnostic, ...]:
    act = acting.act
    found = list(_of_settings(acting))
    if act.runs:
        found += _in_text(acting, known, detectors)
        found += _missing(acting, places)
        if not acting.yours or acting.package:
            found += _in_scripts(act, places, known, detectors)
    elif act.kind == FILE:
        found += [each for page in pages_of(act.path, known) for each in findings(page, detectors)]
    return tuple(dict.fromkeys(found))


def _of_settings(acting: Acting) -> Diagnostics:
    act, place = acting.act, (acting.line, 1)
    if act.kind == ENVIRONMENT:
        _, _, value = act.text.partition("=")
        redirects = _WORDS.search(act.name.upper()) and not _LOOPBACK.match(value)
        if is_blocked(act.name) or redirects:
            message = f"`{excerpt(act.text)}` is set for the agent and all it starts"
            yield ACT_ENVIRONMENT.at(act.path, message, place=place)
    elif act.opens or (act.kind == GRANT and is_wide_grant(act.text)):
        yield ACT_OPENS.at(act.path, f"`{act.name}` is `{excerpt(act.text)}`: {act.when}", place=place)
    elif act.kind == SOURCE and act.name.endswith(("base_url", "baseURL")) and not _LOOPBACK.match(act.text):
        yield ACT_REDIRECTS.at(act.path, f"`{act.name}` is `{excerpt(act.text)}`", place=place)


def _in_text(acting: Acting, known: KnownFiles, detectors: Sequence[Detector]) -> list[Diagnostic]:
    """What the detectors say about a command line, as about a script of that one line."""
    page = Page(os.path.dirname(acting.act.path), os.path.basename(acting.act.path), known)
    script = page_of_text(page, acting.act.runs, "line.sh", SHELL)
    script.started, script.is_hook = acting.act.path, acting.act.kind == HOOK
    found = findings_in_line(script, (acting.line, 1), page, detectors)
    return [each.replace(path=acting.act.path) for each in found]


def _in_scripts(act: Act, places: Places, known: KnownFiles, detectors: Sequence[Detector]) -> list[Diagnostic]:
    """What the detectors say about the files that a command line starts, and about those that these start."""
    base = places.cwd
    line = _ROOT_VARIABLE.sub("", act.runs)
    names = FilesOnDisk(base)
    started = [
        (each.name, Started(act.path, each.role, act.path, act.kind == HOOK)) for each in references(line, "", names)
    ]
    pages: dict[str, Page] = {}
    found: list[Diagnostic] = []
    for name, each in follow(started, names, lambda name: _read(pages, base, name, known), _MOST_SCRIPTS).items():
        page = pages[name]
        apply(page, each)
        found += findings(page, detectors)
    return found


def _read(pages: dict[str, Page], base: str, name: str, known: KnownFiles) -> Page:
    pages[name] = page_at(base, name, known)
    return pages[name]


def _missing(acting: Acting, places: Places) -> Diagnostics:
    act = acting.act
    program = next(iter(_words(act.runs)), "") if act.kind in (HOOK, SERVER, PROGRAM) else ""
    if not program or program in _SHELL_WORDS or not re.fullmatch(r"[\w./@+-]{1,200}", program):
        return
    folders = places.env.get("PATH", "").split(os.pathsep)
    paths = (os.path.join(each, program) for each in ([places.cwd] if "/" in program else folders))
    suffixes = ("",) if os.name != "nt" else ("", ".exe", ".cmd", ".bat", ".ps1")
    if not any(os.path.exists(path + suffix) for path in paths for suffix in suffixes):
        message = f"`{excerpt(program)}`, which {act.kind} `{excerpt(act.name)}` starts, is not on this machine"
        yield PROGRAM_MISSING.at(act.path, message, place=(acting.line, 1), about=act.name)


def _words(line: str) -> list[str]:
    line = line[:4000]
    is_plain = _QUOTES.isdisjoint(line) and line.isascii() and line.isprintable()
    try:
        words = line.split() if is_plain else shlex.split(line)  # which is slow, and would say the same
    except ValueError:
        words = line.split()
    while words and re.match(r"[A-Za-z_]\w*=", words[0]):
        words.pop(0)
    return words
