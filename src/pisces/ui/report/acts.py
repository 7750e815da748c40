"""What runs by itself: the dangerous first with what the scanner found, then the project's, then what is yours."""

from __future__ import annotations

from pisces.discovery.state import ACTIVE
from pisces.shapes.act import ENVIRONMENT
from pisces.ui.plain import shortened
from pisces.ui.report.blocks import folded
from pisces.ui.report.escape import code, name, prose, text
from pisces.ui.report.places_text import place
from pisces.ui.report.problems import badge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from pisces.places import Places
    from pisces.scanning.acting import Acting
    from pisces.ui.report.survey import Survey

_WORDS = {ENVIRONMENT: "variable"}


def acts(survey: Survey) -> str:
    dangerous = [each for each in survey.acting if each.dangerous]
    foreign = [each for each in survey.acting if not each.dangerous and not each.yours]
    own = [each for each in survey.acting if not each.dangerous and each.yours]
    if not survey.acting:
        return '<p class="quiet">Nothing.</p>'
    return (
        _group("Dangerous", "open", dangerous, survey.places)
        + _group("Of this project", "open", foreign, survey.places)
        + _group("Yours", "", own, survey.places)
    )


def _group(title: str, state: str, some: Sequence[Acting], places: Places) -> str:
    if not some:
        return ""
    return folded(title, f"{len(some):,}", "".join(_card(each, places) for each in some), state)


def _card(acting: Acting, places: Places) -> str:
    act = acting.act
    findings = "".join(
        f"<li>{badge(each)} {prose(shortened(each.message, places))}{_elsewhere(acting, each.path, each.line, places)}"
        f' <small class="quiet">{text(each.code)}</small></li>'
        for each in acting.problems
    )
    return (
        f'<article class="act{" bad" if acting.dangerous else ""}">'
        f"<h4>{_WORDS.get(act.kind, act.kind)} {name(act.name)}</h4>"
        f"{_effect(acting, places)}<p>{_circumstances(acting, places)}</p>"
        f"{f'<ul>{findings}</ul>' if findings else ''}</article>"
    )


def _effect(acting: Acting, places: Places) -> str:
    """The value of a variable may be a key, so it is shown only where it is the danger."""
    act = acting.act
    if act.kind == ENVIRONMENT and not acting.dangerous:
        return ""
    return f"<pre>{code(shortened(act.text, places))}</pre>"


def _circumstances(acting: Acting, places: Places) -> str:
    states = ", ".join(
        name(label) if state == ACTIVE else f"{name(label)} ({text(state)})" for label, state in acting.states.items()
    )
    parts = [text(acting.act.when), f"in {states}", place(acting.act.path, places, acting.line)]
    if acting.package:
        parts.append(f"package {name(acting.package)}")
    if acting.yours and acting.dangerous:
        parts.append("yours")
    return " · ".join(parts)


def _elsewhere(acting: Acting, path: str, line: int, places: Places) -> str:
    """Where a finding is, if it is in a script that the act starts."""
    return f" {place(path, places, line)}" if path and path != acting.act.path else ""
