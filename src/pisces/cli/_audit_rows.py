"""Records of the audit log as rows: time, what, who, verdict, and what it is about. Fitted to the terminal."""

from __future__ import annotations

from pisces.audit.record import CHANGED, ENDED, ERROR, HOOK, JUDGED, LOADED, MODE, OFF, REFUSED, STARTED
from pisces.shapes.verdict import ALLOW, ASK, DENY
from pisces.ui.screen import visible
from pisces.ui.table import table
from pisces.ui.width import cut, width_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from pisces.audit.reading import Logged
    from pisces.cli._shell_command import Screen

_STYLES = {DENY: "red", ALLOW: "green", ASK: "yellow", REFUSED: "red", ERROR: "red", OFF: "yellow"}
_LEAST = 24  # columns of the last cell; where there are fewer, it stands below the others
_MOST = 24  # columns of a name
_TIME = 19


def row_lines(found: list[Logged], screen: Screen) -> Iterator[str]:
    heads = [line[:-1] for line in table([[*_head(each, screen), "."] for each in found])]  # all equally wide
    room = screen.width - width_of(heads[0]) if heads else 0
    for head, record in zip(heads, found, strict=True):
        about = visible(" ".join(_about(record).split()))
        if not screen.width:
            yield f"{head}{about}".rstrip()
        elif room >= _LEAST:
            yield f"{head}{cut(about, room)}".rstrip()
        else:
            yield head.rstrip()
            yield f"  {cut(about, max(screen.width - 2, 1))}"


def _head(record: Logged, screen: Screen) -> list[str]:
    decision = record.text("decision")
    verdict = screen.styled(visible(decision), _STYLES.get(decision, "bold"))
    what = screen.styled(visible(record.what), _STYLES.get(record.what, "bold"))
    when = screen.styled(visible(record.at[:_TIME].replace("T", " ")), "dim")
    return [when, what, cut(visible(record.text("who")), _MOST), verdict]


def _about(record: Logged) -> str:
    """What people want to know first."""
    kind, name, text, why = (record.text(each) for each in ("kind", "name", "text", "why"))
    text = "" if text == name else text
    if record.what == HOOK:
        line = f":{record.text('line')}" if record.text("line") else ""
        return _joined(record.text("event"), f"{record.text('path')}{line}", _outcome(record), why)
    if record.what == JUDGED:
        return _joined(kind, name, text, f"({why})" if why else "")
    if record.what == CHANGED:
        return _joined(record.text("act"), kind, name, record.text("version"), text)
    if record.what == MODE:
        return _joined(record.text("before") and f"{record.text('before')} to", name)
    if record.what in (LOADED, STARTED, ENDED):
        return _joined(kind, name, record.text("path"), text, _outcome(record), why)
    return _joined(kind, name, text, _outcome(record), why)


def _outcome(record: Logged) -> str:
    seconds = record.text("seconds")
    code = f"exit {record.text('exit')}" if record.text("exit") else record.text("signal")
    return _joined(code, f"{seconds} s" if seconds else "")


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)
