"""`scan`: everything suspicious in a folder, in the order of its files. Nothing is run or fetched."""

from __future__ import annotations

from itertools import islice

from pisces.diagnostics import ERROR, NOTE, WARNING, Diagnostic, Diagnostics, Rule
from pisces.discovery.package_format import real_folder
from pisces.places import Places
from pisces.scanning.chains import chained_downloads, chained_leaks
from pisces.scanning.command_lines import command_lines
from pisces.scanning.detector import Detector, all_detectors
from pisces.scanning.embedded import inline_programs
from pisces.scanning.known_files import known_files
from pisces.scanning.package_files import with_acts
from pisces.scanning.page import TEXT, Page, page_of_text
from pisces.scanning.pages import held_pages, renewed
from pisces.scanning.plain import plain_text
from pisces.scanning.roles import CONFIG, DOC, PROMPT, SHELL, is_example
from pisces.scanning.scanned import Scanned
from pisces.scanning.started import apply, started_files
from pisces.scanning.waivers import Waiving, waivers_for

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from pisces.scanning.started import Started

MORE_FINDINGS = Rule("scan-more-findings", WARNING, "A file has more findings of one kind than are listed")

MOST_OF_A_KIND = 500
_LONGEST_VALUE = 20_000
_LESS = {ERROR: WARNING, WARNING: NOTE, NOTE: NOTE}
_RANK = {ERROR: 2, WARNING: 1, NOTE: 0}


def scan(folder: str, places: Places, waiver_files: Sequence[str] = (), today: str = "") -> Scanned:
    """Waivers come from the user and the project, and from `waiver_files`; never from inside the folder by itself.

    `today` is a date as `2026-01-31`, for waivers that end; empty means now.
    """
    root = real_folder(places.absolute(folder), places)
    waiving = Waiving(waivers_for(root, places, waiver_files), today)
    detectors = all_detectors()
    pages = held_pages(root, known_files(root))
    by_name = {page.name: page for page in pages}
    loaded = with_acts(by_name, root)
    started = started_files(pages, loaded, lambda name: renewed(by_name[name]) if name in by_name else None)
    chained = chained_leaks(started, lambda name: _as_started(by_name[name], started))
    scripts = [page for name in started if (page := _as_started(by_name[name], started)).role == SHELL]
    for name, several in chained_downloads([*scripts, *_lines(pages)]).items():
        chained.setdefault(name, []).extend(several)
    for held in pages:
        page = _as_started(held, started)
        waiving.judge(page, _in_order([*findings(page, detectors), *chained.get(page.name, ())]))
    return waiving.scanned(len(pages))


def _lines(pages: Iterable[Page]) -> Iterator[Page]:
    """Command lines of configurations, each as a script at the file that has it."""
    for page in pages:
        if page.kind == TEXT and page.role == CONFIG and (is_loaded(page) or not is_aside(page)):
            for line in command_lines(page):
                script = page_of_text(page, line.text, page.name, SHELL)
                script.started = page.name
                yield script


def _as_started(held: Page, started: Mapping[str, Started]) -> Page:
    page = renewed(held)
    apply(page, started.get(page.name))
    return page


def findings(page: Page, detectors: Sequence[Detector]) -> Diagnostics:
    """What the detectors report about one page, also in the command lines and the plain text of it.

    A finding in tests and examples is less severe unless something starts the file.
    """
    direct = list(_reported(page, detectors))
    yield from direct
    if page.kind != TEXT:
        return
    known = {(each.code, each.line): _RANK[each.severity] for each in direct}
    inside = _in_programs(page, detectors) if page.role == SHELL else _in_reference(page, detectors)
    for each in (*_in_lines(page, detectors), *_in_plain_text(page, detectors), *inside):
        if known.get((each.code, each.line), -1) < _RANK[each.severity]:
            known[each.code, each.line] = _RANK[each.severity]
            yield each


def _reported(page: Page, detectors: Iterable[Detector]) -> Diagnostics:
    is_aside_here = not is_loaded(page) and is_aside(page)
    for detector in detectors:
        if page.kind not in detector.kinds:
            continue
        found = detector.find(page)
        is_less_severe = is_aside_here and not detector.everywhere
        for each in islice(found, MOST_OF_A_KIND):
            yield each.replace(severity=_LESS[each.severity]) if is_less_severe else each
        if next(found, None) is not None:
            message = f"there are more than {MOST_OF_A_KIND} findings of one kind ({detector.title})"
            yield MORE_FINDINGS.at(page.path, message)


def is_loaded(page: Page) -> bool:
    """Whether somebody starts the file, or a harness loads it."""
    return bool(page.started) or page.is_loaded


def is_aside(page: Page) -> bool:
    """Whether the page is a test, an example or a document; instructions that a harness reads there are none."""
    is_instruction = page.role == PROMPT and page.name.startswith(".github/")
    return is_example(page.name) and not is_instruction


def _in_lines(page: Page, detectors: Sequence[Detector]) -> Iterator[Diagnostic]:
    """Command lines in a configuration or a header, each as a script of that one line."""
    for line in command_lines(page) if is_loaded(page) or not is_aside(page) else ():
        if line.is_command:
            script = page_of_text(page, line.text, "line.sh", SHELL)
            script.started, script.is_hook = page.name, line.is_hook
            yield from findings_in_line(script, line.place, page, detectors)


def findings_in_line(
    script: Page, place: tuple[int, int], page: Page, detectors: Sequence[Detector]
) -> Iterator[Diagnostic]:
    """What the detectors say about a command line, also in its plain spelling, at the place where it is written."""
    plain = plain_text(script)
    scripts = (script, page_of_text(script, plain, "line.sh", SHELL)) if plain else (script,)
    for one in scripts:
        for each in _reported(one, detectors):
            line, column = _written_at(page, place, one.line(each.line).strip())
            yield each.replace(path=page.path, line=line, column=column)
    for each in _in_programs(script, detectors):
        yield each.replace(path=page.path, line=place[0], column=place[1])


def _in_programs(script: Page, detectors: Sequence[Detector]) -> Iterator[Diagnostic]:
    """What the detectors say about programs that a script hands to an interpreter, at the place of the program."""
    for at, program in inline_programs(script):
        line = script.place(at)[0]
        for each in findings(program, detectors):
            yield each.replace(path=script.path, line=line + each.line - 1)


def _written_at(page: Page, place: tuple[int, int], text: str) -> tuple[int, int]:
    """The value of a key may begin on a later line than the key, and go on for some lines."""
    start = page.offset(place)
    at = page.text.find(text, start, start + len(text) + _LONGEST_VALUE)
    found = page.place(at) if text and at >= 0 else place
    return found if found[0] != place[0] else place


def _in_reference(page: Page, detectors: Iterable[Detector]) -> Iterator[Diagnostic]:
    """Orders in a document to which a prompt sends the agent; only what is sure counts."""
    if page.is_reference and page.role == DOC:
        copy = page_of_text(page, page.text, page.name, PROMPT)
        copy.is_loaded = True
        for each in _reported(copy, [each for each in detectors if each.in_references]):
            if each.severity == ERROR:
                yield each.replace(path=page.path)


def _in_plain_text(page: Page, detectors: Iterable[Detector]) -> Iterator[Diagnostic]:
    plain = plain_text(page)
    if not plain:
        return
    copy = page_of_text(page, plain, page.name, page.role)
    useful = [each for each in detectors if each.in_plain_text]
    for each in _reported(copy, useful):
        yield each.replace(path=page.path, column=1, message=f"put together: {each.message}")


def _in_order(found: Iterable[Diagnostic]) -> list[Diagnostic]:
    return sorted(dict.fromkeys(found), key=lambda each: (each.line, each.column, each.code, each.message))
